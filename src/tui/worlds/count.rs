//! How often each tool stands in references, and in how many runs it was refused.

use std::sync::Arc;

use crate::run::StepKind;
use crate::tui::screen::Ctx;
use crate::tui::shelf::Shelf;
use crate::world::World;

/// What was counted, by tool.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    /// References that use it.
    pub references: Vec<usize>,
    /// Runs in which a call of it did not fire.
    pub refused: Vec<usize>,
    /// Runs on this domain.
    pub runs: usize,
}

/// Begins to count, on another thread.
pub fn begin(shelf: &Arc<Shelf>, world: &Arc<World>, ctx: &mut Ctx) {
    let (shelf, world) = (shelf.clone(), world.clone());
    ctx.spawn(move |handle| {
        let domain = &world.domain;
        let mut counts =
            Counts { references: vec![0; domain.tools.len()], refused: vec![0; domain.tools.len()], runs: 0 };
        let library = shelf.library();
        let own = std::iter::once(&world).filter(|world| !library.worlds.contains_key(&world.problem.id));
        for entry in library.worlds.values().chain(own).filter(|entry| entry.domain.name == domain.name) {
            for perspective in entry.problem.perspectives.values() {
                let mut used: Vec<&str> =
                    perspective.reference.iter().map(|call| entry.domain.tool_name(call.tool)).collect();
                used.sort_unstable();
                used.dedup();
                used.iter().filter_map(|name| domain.tool_id(name)).for_each(|t| counts.references[t.index()] += 1);
            }
        }
        for run in shelf.runs().runs {
            if handle.cancelled() {
                break;
            }
            let Ok(log) = run.open() else { continue };
            if log.header().and_then(|header| header.domain).as_ref() != Some(&domain.name) {
                continue;
            }
            counts.runs += 1;
            let mut refused = vec![false; domain.tools.len()];
            for step in 1..=log.steps() {
                let kind = StepKind::of(&log, None, step);
                if !(kind.is_refusal() || kind.is_violation()) {
                    continue;
                }
                let call = log.call_of(step).and_then(|row| log.call(row));
                let name = call.and_then(|call| serde_json::from_str::<String>(call.tool.get()).ok());
                if let Some(tool) = name.and_then(|name| domain.tool_id(&name)) {
                    refused[tool.index()] = true;
                }
            }
            counts.refused.iter_mut().zip(refused).for_each(|(count, refused)| *count += usize::from(refused));
        }
        counts
    });
}
