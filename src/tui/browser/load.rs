//! Reading the runs of a list on another thread, in portions, largest logs included.

use std::path::PathBuf;
use std::sync::Arc;

use crate::exec::Json;
use crate::run::{Log, Replay, RunSource, StepKind, StepView, Summary};
use crate::tui::job::Handle;
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
    Runs(u32, Vec<(usize, Result<Sketch, String>)>),
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
    /// The worst findings in words.
    pub findings: Vec<Finding>,
    /// How many more there are.
    pub more: usize,
    /// The goal alternative that counts at the end, and which of its literals hold.
    pub goal: Option<(usize, Vec<bool>)>,
}

/// Something wrong with a step or a line, in words.
#[derive(Debug)]
pub struct Finding {
    /// Its kind; `None` for damage beside the steps.
    pub kind: Option<StepKind>,
    /// `over-reach at 3, release_order: lacks capability release`.
    pub text: String,
}

/// Findings that are worded; the others are counted.
const WORDED: usize = 8;
/// Steps between two looks at whether to go on.
const PORTION: usize = 4096;
/// Runs, and bytes of logs, in one report.
const REPORT: (usize, usize) = (32, 1 << 18);

/// Reads everything there is on a shelf.
pub fn load(shelf: &Shelf, number: u32, handle: &Handle) -> Found {
    let found = shelf.runs();
    let runs = found.runs.clone();
    handle.report(Found::Listing(number, found.runs, found.unreadable));
    handle.report(Found::Entries(number, shelf.library()));
    let (mut read, mut bytes) = (Vec::new(), 0);
    for (index, run) in runs.iter().enumerate() {
        let sketch = match run.read() {
            Err(error) => Err(error.to_string()),
            Ok(log) => {
                bytes += log.len();
                match sketch(shelf, run, log.into_owned(), handle) {
                    Some(sketch) => Ok(sketch),
                    None => break,
                }
            }
        };
        read.push((index, sketch));
        if read.len() >= REPORT.0 || bytes >= REPORT.1 {
            handle.report(Found::Runs(number, std::mem::take(&mut read)));
            bytes = 0;
        }
    }
    handle.report(Found::Runs(number, read));
    Found::All(number)
}

/// Executes a run and sums it up; nothing once it is cancelled.
fn sketch(shelf: &Shelf, run: &RunSource, bytes: Vec<u8>, handle: &Handle) -> Option<Sketch> {
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
    (!handle.cancelled()).then(|| Sketch::of(&run.name, &log, replay.as_ref()))
}

impl Sketch {
    /// Sums a run up.
    pub fn of(name: &str, log: &Log, replay: Option<&Replay>) -> Sketch {
        let strip: Box<[StepKind]> = (1..=log.steps()).map(|step| StepKind::of(log, replay, step)).collect();
        let mut bad: Vec<(StepKind, usize)> =
            strip.iter().copied().zip(1..).filter(|&(kind, _)| !is_well(kind) && kind != StepKind::Damaged).collect();
        bad.sort_by_key(|&(kind, step)| (!kind.is_violation(), kind == StepKind::OverBudget, step));
        let steps = bad.len();
        let mut findings: Vec<Finding> =
            bad.into_iter().take(WORDED).filter_map(|(kind, step)| Finding::of_step(log, replay, step, kind)).collect();
        let damage = log.damage_count();
        let beside = log.damage().take(WORDED.saturating_sub(findings.len()));
        findings.extend(beside.map(|d| Finding { kind: None, text: format!("line {}: {}", d.line, d.message) }));
        Sketch {
            summary: Summary::of(name, log, replay),
            world: replay.map(|replay| replay.setup.world.clone()),
            more: (steps + damage).saturating_sub(findings.len()),
            goal: replay.and_then(goal_at_end),
            strip,
            findings,
        }
    }
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
        let what = match kind {
            kind if kind.is_violation() => "over-reach",
            StepKind::OverBudget => "over budget",
            StepKind::Diverged => "diverges",
            _ => "refused",
        };
        let mut refusals: Vec<_> = view.refusals.iter().collect();
        // The gate is what makes it an over-reach: it comes first, for the line may be clipped.
        let gate = |name: &str| matches!(name, "capability" | "knowledge");
        refusals.sort_by_key(|refusal| kind.is_violation() && !gate(refusal.name()));
        let reasons: Vec<String> = refusals.into_iter().map(ToString::to_string).collect();
        let why = match kind {
            StepKind::Diverged => ": recorded otherwise".to_owned(),
            _ if reasons.is_empty() => String::new(),
            _ => format!(": {}", reasons.join("; ")),
        };
        Some(Finding { kind: Some(kind), text: format!("{what} at {step}, {tool}{why}") })
    }
}
