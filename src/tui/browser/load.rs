//! Reading the runs of a list on another thread, in portions, largest logs included: first what a list
//! shows of them, then what they are against shortest plans.

use std::path::PathBuf;
use std::sync::Arc;

use super::item::Held;
use crate::exec::Json;
use crate::run::{Failure, Log, Replay, RunSource, StepKind, StepView, Summary};
use crate::score::{Scored, Stretch, Ways};
use crate::tui::job::Handle;
use crate::tui::planning;
use crate::tui::shelf::Shelf;
use crate::world::{Library, World};

/// What the reading job reports, in this order. The number tells one reading from the next.
#[derive(Debug)]
pub enum Found {
    /// Which runs there are, and which paths could not be looked into.
    Listing(u32, Vec<RunSource>, Vec<(PathBuf, String)>),
    /// The entries.
    Entries(u32, Arc<Library>),
    /// Some of the runs, by their place in the listing.
    Runs(u32, Vec<(usize, Result<Arc<Sketch>, String>)>),
    /// All runs are read; now they are held against plans.
    Read(u32),
    /// Scores with distances of some of the runs; none where there is no goal.
    Ways(u32, Vec<(usize, Option<Arc<Scored>>)>),
    /// That was all.
    All(u32),
}

/// A run as list and preview show it.
#[derive(Debug)]
pub struct Sketch {
    /// Its columns.
    pub summary: Summary,
    /// Its entry, if it is here.
    pub world: Option<Arc<World>>,
    /// A sign for each step.
    pub strip: Box<[StepKind]>,
    /// The steps that were executed and are over-reaches.
    pub over_reach: Vec<usize>,
    /// The worst findings in words.
    pub findings: Vec<Finding>,
    /// How many more there are.
    pub more: usize,
    /// The goal alternative that counts at the end, and which of its literals hold.
    pub goal: Option<(usize, Vec<bool>)>,
    /// Its scores but for distances; none where there is no goal.
    pub scored: Option<Arc<Scored>>,
}

/// Something wrong with a step or a line, in words.
#[derive(Debug)]
pub struct Finding {
    /// Its kind; `None` for damage beside the steps.
    pub kind: Option<StepKind>,
    /// It is an over-reach, whatever its kind.
    pub over_reach: bool,
    /// `over-reach at 3, release_order: lacks capability release`.
    pub text: String,
}

/// Findings that are worded; the others are counted.
const WORDED: usize = 8;
/// Steps between two looks at whether to go on.
const PORTION: usize = 4096;
/// Runs in one report at least, and bytes of logs at most.
const REPORT: (usize, usize) = (32, 1 << 18);
/// A report takes in so much of what was there before: there are not too many, however many runs.
const GROWTH: usize = 8;

/// Reads everything there is on a shelf; what is known of a run is not read again.
pub fn load(shelf: &Shelf, number: u32, handle: &Handle) -> Found {
    let found = shelf.runs();
    let runs = found.runs.clone();
    handle.report(Found::Listing(number, found.runs, found.unreadable));
    handle.report(Found::Entries(number, shelf.library()));
    let (mut read, mut bytes) = (Vec::new(), 0);
    let mut to_hold = Vec::new();
    for (index, run) in runs.iter().enumerate() {
        let known = shelf.sketch(&run.path);
        let sketch = match known.map_or_else(|| run.read().map(Err), |known| Ok(Ok(known))) {
            Ok(Ok(known)) => Ok(known),
            Err(error) => Err(error.to_string()),
            Ok(Err(log)) => {
                bytes += log.len();
                let Some((log, replay)) = execute(shelf, run, log.into_owned(), handle) else { break };
                let sketch = Arc::new(Sketch::of(&run.name, &log, replay.as_ref()));
                shelf.keep_sketch(&run.path, &sketch);
                Ok(sketch)
            }
        };
        if sketch.as_ref().is_ok_and(|sketch| sketch.scored.is_some()) {
            to_hold.push(index);
        }
        read.push((index, sketch));
        if read.len() >= REPORT.0.max(index / GROWTH) || bytes >= REPORT.1.max(index << 10) {
            handle.report(Found::Runs(number, std::mem::take(&mut read)));
            bytes = 0;
        }
    }
    handle.report(Found::Runs(number, read));
    handle.report(Found::Read(number));
    let mut held = Vec::new();
    for (done, &index) in to_hold.iter().enumerate() {
        let Some(ways) = hold(shelf, &runs[index], handle) else { break };
        held.push((index, ways));
        if held.len() >= 1.max(done / GROWTH) {
            handle.report(Found::Ways(number, std::mem::take(&mut held)));
        }
    }
    handle.report(Found::Ways(number, held));
    Found::All(number)
}

/// Reads a log and executes it where its world is; nothing once it is cancelled.
fn execute(shelf: &Shelf, run: &RunSource, bytes: Vec<u8>, handle: &Handle) -> Option<(Log, Option<Replay>)> {
    let mut log = Log::from_bytes(bytes);
    while !log.index_some(PORTION).done {
        if handle.cancelled() {
            return None;
        }
    }
    log.finish();
    let path = (!run.embedded).then_some(run.path.as_path());
    let mut replay = shelf.replay(&log, path);
    if let Some(replay) = &mut replay {
        while !replay.advance(&log, PORTION) {
            if handle.cancelled() {
                return None;
            }
        }
    }
    (!handle.cancelled()).then_some((log, replay))
}

/// Holds a run against plans; nothing once it is cancelled.
fn hold(shelf: &Shelf, run: &RunSource, handle: &Handle) -> Option<Option<Arc<Scored>>> {
    if let Held::Known(scored) = shelf.held(&run.path) {
        return Some(Some(scored));
    }
    let Ok(bytes) = run.read() else { return Some(None) };
    let (log, replay) = execute(shelf, run, bytes.into_owned(), handle)?;
    let Some(replay) = replay else { return Some(None) };
    let ways = ways(shelf, &log, &replay, handle);
    if handle.cancelled() {
        return None;
    }
    let header = log.header().unwrap_or_default();
    let scored = ways.and_then(|ways| Scored::of(&run.name, header, &log, &replay, Some(ways))).map(Arc::new);
    if let Some(scored) = &scored {
        shelf.keep_held(&run.path, scored);
    }
    Some(scored)
}

/// A run against plans, in turns: the reader may have questions of the same planner.
fn ways(shelf: &Shelf, log: &Log, replay: &Replay, handle: &Handle) -> Option<Ways> {
    let mut ways = Ways::default();
    loop {
        let stretch = Stretch::of(log, replay, ways.verdicts.len()..usize::MAX);
        let part = planning::judge(&shelf.planners, &replay.setup, handle, &stretch, ways.left())?;
        let whole = part.verdicts.len() == stretch.len();
        ways.append(part);
        if whole {
            return Some(ways);
        }
    }
}

impl Sketch {
    /// Sums a run up.
    pub fn of(name: &str, log: &Log, replay: Option<&Replay>) -> Sketch {
        let strip: Box<[StepKind]> = (1..=log.steps()).map(|step| StepKind::of(log, replay, step)).collect();
        let mut bad: Vec<(StepKind, usize)> =
            strip.iter().copied().zip(1..).filter(|&(kind, _)| !is_well(kind) && kind != StepKind::Damaged).collect();
        bad.sort_by_key(|&(kind, step)| (!over_reaches(log, replay, step), kind == StepKind::OverBudget, step));
        let steps = bad.len();
        let mut findings: Vec<Finding> =
            bad.into_iter().take(WORDED).filter_map(|(kind, step)| Finding::of_step(log, replay, step, kind)).collect();
        let damage = log.damage_count();
        let header = || log.header().unwrap_or_default();
        let beside = log.damage().take(WORDED.saturating_sub(findings.len()));
        findings.extend(beside.map(|d| Finding {
            kind: None,
            over_reach: false,
            text: format!("line {}: {}", d.line, d.message),
        }));
        Sketch {
            summary: Summary::of(name, log, replay),
            world: replay.map(|replay| replay.setup.world.clone()),
            more: (steps + damage).saturating_sub(findings.len()),
            goal: replay.and_then(goal_at_end),
            scored: replay.and_then(|replay| Scored::of(name, header(), log, replay, None)).map(Arc::new),
            over_reach: replay.map_or(Vec::new(), |replay| replay.over_reach().collect()),
            strip,
            findings,
        }
    }
}

fn over_reaches(log: &Log, replay: Option<&Replay>, step: usize) -> bool {
    Failure::of(log, replay, step) == Some(Failure::OverReach)
}

/// Whether a step of this kind is nothing to look at.
pub fn is_well(kind: StepKind) -> bool {
    matches!(kind, StepKind::Fired | StepKind::FiredIdle)
}

fn goal_at_end(replay: &Replay) -> Option<(usize, Vec<bool>)> {
    let perspective = replay.setup.world.problem.perspectives.get(&replay.setup.role)?;
    let state = replay.end_state();
    let (alternative, _) = perspective.goal.best(state);
    Some((alternative, perspective.goal.alternatives[alternative].iter().map(|literal| literal.holds(state)).collect()))
}

impl Finding {
    fn of_step(log: &Log, replay: Option<&Replay>, step: usize, kind: StepKind) -> Option<Finding> {
        let view = StepView::of(log, replay, step)?;
        let tool = view.tool.as_string().unwrap_or_else(|| Json::as_str(&view.tool).to_owned());
        let over_reach = over_reaches(log, replay, step);
        let what = match kind {
            StepKind::OverBudget => "over budget",
            StepKind::Diverged => "diverges",
            _ if over_reach => "over-reach",
            _ => "refused",
        };
        let mut refusals: Vec<_> = view.refusals.iter().collect();
        // The gate is what makes it an over-reach: it comes first, for the line may be clipped.
        let gate = |name: &str| matches!(name, "capability" | "knowledge");
        refusals.sort_by_key(|refusal| over_reach && !gate(refusal.name()));
        let reasons: Vec<String> = refusals.into_iter().map(ToString::to_string).collect();
        let why = match kind {
            StepKind::Diverged => ": recorded otherwise".to_owned(),
            _ if reasons.is_empty() => String::new(),
            _ => format!(": {}", reasons.join("; ")),
        };
        Some(Finding { kind: Some(kind), over_reach, text: format!("{what} at {step}, {tool}{why}") })
    }
}
