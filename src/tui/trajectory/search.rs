//! The search of the whole run: words, arguments, observations, definitions, and facts at any step.

use super::items::{Item, Shape};
use super::loaded::Loaded;
use super::{Fold, STEPS, Trajectory};
use crate::exec::Opening;
use crate::run::{RowId, RowKind};
use crate::tui::pattern::Pattern;
use crate::tui::screen::Spot;

/// Where at an item something was found: what has to be opened to see it.
#[derive(Clone, Copy)]
enum Within {
    /// In the step itself.
    Step,
    /// In what is folded in the call pane.
    Folded,
    /// Among the facts.
    Facts,
}

/// Numbers of places that an item has.
const WITHINS: usize = 3;

/// The place of an item.
pub fn spot(item: Item) -> Spot {
    at(item, Within::Step)
}

fn at(item: Item, within: Within) -> Spot {
    Spot { pane: STEPS, row: item.number() * WITHINS + within as usize }
}

/// Every hit, in the order of the run.
pub fn hits(run: &Loaded, pattern: &Pattern) -> Vec<Spot> {
    let mut hits = Vec::new();
    start(run, pattern, &mut hits);
    facts(run, pattern, &mut hits);
    let defined = definitions(run, pattern);
    for id in run.log.row_ids() {
        let Some(row) = run.log.row(id) else { continue };
        let item = match (row.kind, row.partner()) {
            (RowKind::Result, Some(call)) => Item::line(call),
            (RowKind::Header, _) if run.log.header_row() == Some(id) => Item::START,
            _ => Item::line(id),
        };
        if line(run, id, row.kind, pattern) {
            hits.push(at(item, Within::Step));
        }
        if row.kind == RowKind::Call && !defined.is_empty() && calls(run, id, &defined) {
            hits.push(at(item, Within::Folded));
        }
    }
    hits.sort_unstable();
    hits.dedup();
    hits
}

/// Whether what a line says has the pattern. The raw line is looked at first: most have not.
fn line(run: &Loaded, id: RowId, kind: RowKind, pattern: &Pattern) -> bool {
    let raw = run.log.raw_text(id);
    if !pattern.matches(&raw) && !raw.contains('\\') {
        return false;
    }
    match kind {
        RowKind::Message => run.log.message(id).is_some_and(|m| pattern.matches(&m.text) || pattern.matches(&m.from)),
        RowKind::Call => run.log.call(id).is_some_and(|call| {
            call.tool_name().is_some_and(|name| pattern.matches(&name)) || pattern.matches(call.args.get())
        }),
        RowKind::Result => run.log.result(id).is_some_and(|result| {
            result.observation.is_some_and(|text| pattern.matches(&text))
                || result.refusals.iter().any(|refusal| pattern.matches(refusal.json.get()))
                || run.replay.is_none()
                    && [result.added, result.removed, result.produced].iter().flatten().any(|f| pattern.matches(f))
        }),
        _ => pattern.matches(&raw),
    }
}

fn start(run: &Loaded, pattern: &Pattern, hits: &mut Vec<Spot>) {
    let Some(replay) = &run.replay else { return };
    let setup = &replay.setup;
    let opening = Opening::of(&setup.world, setup.role, setup.toolset);
    if pattern.matches(&opening.query) || pattern.matches(&opening.persona) {
        hits.push(at(Item::START, Within::Step));
    }
    let objects = opening.objects.iter().any(|group| group.names.iter().any(|name| pattern.matches(name)));
    if objects || opening.tools.iter().any(|tool| pattern.matches(&tool.name) || pattern.matches(&tool.doc)) {
        hits.push(at(Item::START, Within::Folded));
    }
}

/// The steps that change a fact that matches, and the start where it holds from there.
fn facts(run: &Loaded, pattern: &Pattern, hits: &mut Vec<Spot>) {
    let (Some(history), Some(replay)) = (&run.history, &run.replay) else { return };
    let world = &replay.setup.world;
    for fact in history.facts().filter(|&fact| pattern.matches(&world.fact_text(fact))) {
        if history.initial().contains(fact) {
            hits.push(at(Item::START, Within::Facts));
        }
        let steps = history.turns(fact).iter().map(|&step| Item::of_step(run, step as usize));
        hits.extend(steps.map(|item| at(item, Within::Step)));
    }
}

/// The tools whose definition has the pattern.
fn definitions(run: &Loaded, pattern: &Pattern) -> Vec<String> {
    let Some(replay) = &run.replay else { return Vec::new() };
    let domain = &replay.setup.world.domain;
    let text = |tool: &crate::world::Tool| domain.file.text.get(tool.definition.clone()).unwrap_or_default();
    let found = domain.tools.iter().filter(|(_, tool)| pattern.matches(text(tool)));
    found.map(|(name, _)| name.clone()).collect()
}

fn calls(run: &Loaded, id: RowId, tools: &[String]) -> bool {
    run.log.call(id).is_some_and(|call| call.tool_name().is_some_and(|name| tools.iter().any(|tool| *tool == name)))
}

impl Trajectory {
    /// Goes to a hit and opens what hides it.
    pub(super) fn show_hit(&mut self, spot: Spot) {
        let item = Item::of_number(spot.row / WITHINS);
        let folds = match (spot.row % WITHINS, self.loaded().map(|run| item.shape(run))) {
            (0, Some(Shape::Message(row))) => vec![Fold::Message(row)],
            (1, Some(Shape::Start)) => vec![Fold::Objects, Fold::Tools],
            (1, _) => vec![Fold::Definition],
            (2, _) => vec![Fold::Facts, Fold::Given],
            _ => Vec::new(),
        };
        folds.into_iter().for_each(|fold| self.cursors.folds.set(fold, true));
        self.go(item);
    }
}
