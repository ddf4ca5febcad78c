//! How often each tool stands in references, and in how many runs it was refused.

use std::sync::Arc;

use crate::run::{Log, RunSource, StepKind, StepOutcome};
use crate::tui::job::Handle;
use crate::tui::screen::Ctx;
use crate::tui::shelf::Shelf;
use crate::world::World;

/// What was counted, by tool.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    /// References that use it.
    pub references: Vec<usize>,
    /// Runs in which a call of it was refused: executed again where the world is here, else as recorded.
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
            for step in refused_steps(&shelf, &run, &log, handle) {
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

/// The steps of a run that were refused.
fn refused_steps(shelf: &Shelf, run: &RunSource, log: &Log, handle: &Handle) -> Vec<usize> {
    /// Steps between two looks at whether to go on.
    const PORTION: usize = 4096;
    let path = (!run.embedded).then_some(run.path.as_path());
    let Some(mut replay) = shelf.replay(log, path) else {
        let kind = |step: &usize| StepKind::of(log, None, *step);
        return (1..=log.steps()).filter(|step| kind(step).is_refusal() || kind(step).is_violation()).collect();
    };
    while !replay.advance(log, PORTION) && !handle.cancelled() {}
    let refused = |record: &crate::run::StepRecord| matches!(record.outcome, StepOutcome::Refused(_));
    (1..).zip(replay.steps()).filter(|(_, record)| refused(record)).map(|(step, _)| step).collect()
}
