//! The search of the whole run: words, arguments, observations, definitions, and facts at any step.
//!
//! It runs on another thread, from the cursor on and around, in chunks: each reports its hits, and a key
//! that stops it waits for one chunk at most.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::items::{Item, Shape};
use super::loaded::Loaded;
use super::{Fold, STEPS, Trajectory};
use crate::exec::Opening;
use crate::run::{RowId, RowKind};
use crate::tui::pattern::Pattern;
use crate::tui::screen::{LongSearch, Reach, Spot};
use crate::world::FactId;

/// Rows looked through at a time, and the least of them that is worth another thread.
const CHUNK: usize = 4096;
const SHARE: usize = 256;

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

/// The search of a run from a spot on; of what has come since, if so much has been seen and it is worth it.
pub fn begin(
    run: &Arc<Loaded>,
    edition: u32,
    pattern: &Pattern,
    from: Spot,
    seen: Option<Reach>,
) -> Option<LongSearch> {
    let rows = executed_rows(run);
    let seen = seen.filter(|seen| seen.edition == edition).map(|seen| seen.rows);
    // While a large log is read, what has come is looked through in few large leaps.
    let leap = |seen: usize| rows > seen && (run.log.finished() || rows - seen > seen / 4 || rows - seen > CHUNK);
    if seen.is_some_and(|seen| !leap(seen)) {
        return None;
    }
    // Items: the start, then a number for each row. The last line may have been cut short when it was seen.
    let end = rows + 1;
    let (at, around) = match seen {
        Some(seen) => (seen.min(end), seen.min(end)..seen.min(end)),
        None => ((from.row / WITHINS).min(end), 0..(from.row / WITHINS).min(end)),
    };
    let (run, pattern) = (run.clone(), pattern.clone());
    Some(LongSearch {
        reach: Reach { edition, rows },
        work: Box::new(move |handle, take| {
            let sought = Sought::new(&run, &pattern);
            for part in [at..end, around] {
                for from in part.clone().step_by(CHUNK) {
                    if handle.cancelled() {
                        return;
                    }
                    let hits = sought.hits(from..(from + CHUNK).min(part.end));
                    if !hits.is_empty() {
                        take(hits, false);
                    }
                }
                take(Vec::new(), true);
            }
        }),
    })
}

/// The rows up to the first call that is not executed yet.
fn executed_rows(run: &Loaded) -> usize {
    run.log.call_of(run.kinds.len() + 1).map_or(run.log.rows().len(), |row| row.0 as usize)
}

/// What a pattern means in a run.
struct Sought<'a> {
    run: &'a Loaded,
    pattern: &'a Pattern,
    /// Tools whose definition has it.
    tools: Vec<String>,
    /// Facts that have it, of those true at some time.
    facts: Vec<FactId>,
}

impl Sought<'_> {
    fn new<'a>(run: &'a Loaded, pattern: &'a Pattern) -> Sought<'a> {
        Sought { run, pattern, tools: definitions(run, pattern), facts: facts(run, pattern) }
    }

    /// The hits in a range of items, in order. A result's are its call's, which may lie before.
    fn hits(&self, items: Range<usize>) -> Vec<Spot> {
        let mut hits = Vec::new();
        if items.start == 0 {
            start(self.run, self.pattern, &mut hits);
            let holds = |fact: &FactId| self.run.history.as_ref().is_some_and(|h| h.initial().contains(*fact));
            if self.facts.iter().any(holds) {
                hits.push(at(Item::START, Within::Facts));
            }
        }
        let rows = items.start.saturating_sub(1)..items.end.saturating_sub(1);
        self.changes(rows.clone(), &mut hits);
        hits.par_extend(rows.into_par_iter().with_min_len(SHARE).flat_map_iter(|row| self.row(row)));
        hits.sort_unstable();
        hits.dedup();
        hits
    }

    /// The steps among these rows that change a fact that matches.
    fn changes(&self, rows: Range<usize>, hits: &mut Vec<Spot>) {
        let Some(history) = &self.run.history else { return };
        let mut calls = self.run.log.rows()[rows].iter().filter(|row| row.kind == RowKind::Call).map(|row| row.step());
        let Some(first) = calls.next() else { return };
        let last = calls.next_back().unwrap_or(first);
        for &fact in &self.facts {
            let turns = history.turns(fact);
            let from = turns.partition_point(|&turn| (turn as usize) < first);
            let here = turns[from..].iter().map(|&turn| turn as usize).take_while(|&turn| turn <= last);
            hits.extend(here.map(|step| at(Item::of_step(self.run, step), Within::Step)));
        }
    }

    /// What a row of the log has.
    fn row(&self, row: usize) -> impl Iterator<Item = Spot> + use<> {
        let (run, id) = (self.run, RowId(u32::try_from(row).unwrap_or(u32::MAX)));
        let found = run.log.row(id).map(|row| {
            let item = match (row.kind, row.partner()) {
                (RowKind::Result, Some(call)) => Item::line(call),
                (RowKind::Header, _) if run.log.header_row() == Some(id) => Item::START,
                _ => Item::line(id),
            };
            let said = line(run, id, row.kind, self.pattern).then(|| at(item, Within::Step));
            let defined = row.kind == RowKind::Call && !self.tools.is_empty() && calls(run, id, &self.tools);
            [said, defined.then(|| at(item, Within::Folded))]
        });
        found.into_iter().flatten().flatten()
    }
}

/// Whether what a line says has the pattern. The raw line is looked at first: most have not.
pub fn line(run: &Loaded, id: RowId, kind: RowKind, pattern: &Pattern) -> bool {
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

/// The facts that have the pattern, of those true at some time.
fn facts(run: &Loaded, pattern: &Pattern) -> Vec<FactId> {
    let (Some(history), Some(replay)) = (&run.history, &run.replay) else { return Vec::new() };
    let world = &replay.setup.world;
    history.facts().filter(|&fact| pattern.matches(&world.fact_text(fact))).collect()
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::tui::job::{Job, JobId, Payload};
    use crate::tui::open::Run;
    use crate::tui::screen::ScreenId;
    use crate::tui::shelf::Shelf;
    use crate::tui::trajectory::loaded::Source;

    fn run(steps: usize) -> Arc<Loaded> {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pump");
        let header = r#"{"type":"run","version":1,"id":"r","domain":"pump-house","problem":"ph-1","role":"operator"}"#;
        let call = |n| format!("\n{{\"type\":\"call\",\"id\":\"c{n}\",\"tool\":\"look\",\"args\":{{}}}}");
        let bytes: Vec<u8> = (0..steps).map(call).fold(header.to_owned(), |text, call| text + &call).into();
        let of = Run::Made { name: "r".into(), bytes: bytes.as_slice().into() };
        let mut run = Loaded::begin(bytes, &of, &Shelf::home(Some(root)));
        while !run.portion(Source::Whole) {}
        Arc::new(run)
    }

    /// The reports of a search, in order; it is stopped after so many.
    fn reports(run: &Arc<Loaded>, from: usize, seen: Option<usize>, most: usize) -> Vec<(usize, usize, bool)> {
        let seen = seen.map(|rows| Reach { edition: 1, rows });
        let pattern = Pattern::new("look").unwrap();
        let Some(long) = begin(run, 1, &pattern, spot(Item::of_number(from)), seen) else { return Vec::new() };
        let reports: Arc<Mutex<Vec<(usize, usize, bool)>>> = Arc::default();
        let (sink, count) = (reports.clone(), Arc::new(AtomicUsize::new(0)));
        let work = long.work;
        let job = Job::new(
            JobId(1),
            ScreenId(1),
            None,
            Box::new(move |handle| {
                work(handle, &|hits, around| {
                    let items = hits.first().zip(hits.last()).map(|(a, b)| (a.row / WITHINS, b.row / WITHINS));
                    let (first, last) = items.unwrap_or_default();
                    sink.lock().unwrap().push((first, last, around));
                    if count.fetch_add(1, Ordering::Relaxed) + 1 == most {
                        handle.flag().store(true, Ordering::Relaxed);
                    }
                });
                Box::new(()) as Payload
            }),
        );
        job.run(|_| {}).unwrap();
        reports.lock().unwrap().clone()
    }

    #[test]
    fn it_reports_chunk_by_chunk_from_the_cursor_on_and_around() {
        // The header's row is the second item, the first call's the third.
        let run = run(10_000);
        let all = [(6000, 10_001, false), (0, 0, true), (0, 4095, false), (4096, 5999, false), (0, 0, true)];
        assert_eq!(reports(&run, 6000, None, usize::MAX), all);
        assert_eq!(reports(&run, 6000, None, 3), all[..3]);
        assert_eq!(reports(&run, 0, Some(10_001), usize::MAX), []);
        assert_eq!(reports(&run, 0, Some(9_990), usize::MAX), [(9_990, 10_001, false), (0, 0, true), (0, 0, true)]);
    }
}
