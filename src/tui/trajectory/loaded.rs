//! A run as the screen holds it: read on another thread, indexed and executed in portions, so that
//! keys stay live whatever its size.

use std::sync::Arc;

use super::history::History;
use crate::exec::{Counts, Difference};
use crate::run::{Header, Log, Replay, Setup, StepKind, StepOutcome};
use crate::tui::open::Run;
use crate::tui::shelf::Shelf;

/// Lines indexed and steps executed in one portion: a few milliseconds.
const PORTION: usize = 3000;

/// Steps at the end of a growing log whose results may still come.
const RECENT: usize = 256;

/// How many calls are something, and the first of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many.
    pub count: usize,
    /// The first step.
    pub first: Option<usize>,
}

/// A run, as far as it is read.
#[derive(Debug)]
pub struct Loaded {
    /// The log.
    pub log: Log,
    /// The header, once it is read.
    pub header: Header,
    /// Its execution; `None` where the world is not here.
    pub replay: Option<Replay>,
    /// Why it is not executed.
    pub missing: Option<String>,
    /// When facts changed; with a replay alone.
    pub history: Option<History>,
    /// The kind of each step, as far as executed.
    pub kinds: Vec<StepKind>,
    /// Calls that fail a gate.
    pub over_reach: Tally,
    /// Calls that did not fire for other reasons.
    pub refused: Tally,
    /// Steps at which record and execution differ.
    pub diverging: Tally,
    /// The most entries that the diff of one step has.
    pub widest_change: usize,
}

impl Loaded {
    /// Reads the log and finds its world. Takes as long as the file is big: for another thread.
    pub fn read(run: &Run, shelf: &Arc<Shelf>) -> std::io::Result<Loaded> {
        let mut log = Log::from_bytes(run.read()?);
        while log.header_row().is_none() && !log.index_some(1).done && log.rows().len() < RECENT {}
        if log.header_row().is_none() && log.len() < 1 << 20 {
            // A header alone, without its line feed, is a run that has just begun.
            log.finish();
        }
        let header = log.header().unwrap_or_default();
        let found = match shelf.world_of(&header, run.path()) {
            Some(world) => Setup::of(&header, &world),
            None => Err(match &header.problem {
                Some(problem) => format!("there is no entry {problem} here"),
                None => "the log does not say which entry it is of".to_owned(),
            }),
        };
        let (replay, missing) = match found {
            Ok(setup) => {
                let world_match = setup.matches(&header);
                (Some(Replay::new(setup, world_match)), None)
            }
            Err(why) => (None, Some(why)),
        };
        let history = replay.as_ref().map(History::of);
        Ok(Loaded {
            log,
            header,
            replay,
            missing,
            history,
            kinds: Vec::new(),
            over_reach: Tally::default(),
            refused: Tally::default(),
            diverging: Tally::default(),
            widest_change: 0,
        })
    }

    /// Indexes and executes a portion. Says whether that was the last; `finish` takes the log's last
    /// line as it is, and calls without a result as damage.
    pub fn portion(&mut self, finish: bool) -> bool {
        if !self.log.finished() {
            let done = self.log.index_some(PORTION).done;
            if done && finish {
                self.log.finish();
                self.recount_unanswered();
            }
            if !done {
                self.execute(false);
                return false;
            }
        }
        self.execute(true)
    }

    /// Executes up to a portion of steps; says whether that was the last. Before the log is read to
    /// its end, a step waits for its result.
    fn execute(&mut self, whole: bool) -> bool {
        let to = self.log.steps().min(self.kinds.len() + PORTION);
        while self.kinds.len() < to {
            let step = self.kinds.len() + 1;
            if !whole && self.log.result_of(step).is_none() {
                break;
            }
            if let Some(replay) = &mut self.replay {
                replay.advance(&self.log, 1);
            }
            self.count(step);
        }
        if let (Some(history), Some(replay)) = (&mut self.history, &self.replay) {
            history.extend(replay);
        }
        self.kinds.len() == self.log.steps()
    }

    fn count(&mut self, step: usize) {
        let kind = StepKind::of(&self.log, self.replay.as_ref(), step);
        self.kinds.push(kind);
        if let Some(StepOutcome::Fired(changes)) = self.outcome(step) {
            let entries = changes.added.len() + changes.removed.len() + changes.produced.len();
            self.widest_change = self.widest_change.max(entries);
        }
        for tally in self.tallies(step, kind) {
            tally.count += 1;
            tally.first = tally.first.or(Some(step));
        }
    }

    /// The tallies that a step counts in.
    fn tallies(&mut self, step: usize, kind: StepKind) -> impl Iterator<Item = &mut Tally> {
        let (over_reach, refused) = match self.outcome(step) {
            Some(StepOutcome::Fired(_)) => (false, false),
            Some(outcome) => (outcome.fails_gate(), !outcome.fails_gate()),
            None => (kind.is_violation(), kind.is_refusal() && !kind.is_violation()),
        };
        let chosen = [
            (over_reach, &mut self.over_reach),
            (refused, &mut self.refused),
            (kind == StepKind::Diverged, &mut self.diverging),
        ];
        chosen.into_iter().filter_map(|(counts, tally)| counts.then_some(tally))
    }

    /// What a step did, if it was executed.
    pub fn outcome(&self, step: usize) -> Option<&StepOutcome> {
        let record = self.replay.as_ref()?.steps().get(step.checked_sub(1)?)?;
        Some(&record.outcome)
    }

    /// A call without a result is damage once the log is read to its end.
    fn recount_unanswered(&mut self) {
        for step in 1..=self.kinds.len() {
            if self.log.result_of(step).is_none() {
                self.kinds[step - 1] = StepKind::of(&self.log, self.replay.as_ref(), step);
            }
        }
    }

    /// Adds what the file has grown by.
    pub fn append(&mut self, more: &[u8]) {
        let known = self.kinds.len();
        let recent = known.saturating_sub(RECENT) + 1..=known;
        let answered = recent.into_iter().find(|&step| self.log.result_of(step).is_none()).map_or(known, |s| s - 1);
        self.log.append(more);
        self.truncate(answered.min(self.log.steps()));
    }

    fn truncate(&mut self, steps: usize) {
        for step in steps + 1..=self.kinds.len() {
            let kind = self.kinds[step - 1];
            for tally in self.tallies(step, kind) {
                tally.count -= 1;
                tally.first = tally.first.filter(|&first| first <= steps);
            }
        }
        self.kinds.truncate(steps);
        if let (Some(history), Some(replay)) = (&mut self.history, &mut self.replay) {
            history.truncate(replay, steps);
            replay.truncate(steps);
        }
    }

    /// Steps read so far.
    pub fn steps(&self) -> usize {
        self.log.steps()
    }

    /// The kind of a step; `None` while it is not executed yet.
    pub fn kind(&self, step: usize) -> Option<StepKind> {
        step.checked_sub(1).and_then(|i| self.kinds.get(i)).copied()
    }

    /// What a step changed.
    pub fn differences(&self, step: usize) -> Vec<Difference> {
        match (&self.replay, self.outcome(step)) {
            (Some(replay), Some(StepOutcome::Fired(changes))) => Difference::of(&replay.setup.world, changes),
            _ => Vec::new(),
        }
    }

    /// How much a step changed, as executed or else as recorded.
    pub fn counts(&self, step: usize) -> Counts {
        if self.replay.is_some() {
            return Counts::of(&self.differences(step));
        }
        let Some(recorded) = self.log.recorded(step) else { return Counts::default() };
        Counts { added: recorded.added.len() + recorded.produced.len(), changed: 0, removed: recorded.removed.len() }
    }

    /// The budget that rules.
    pub fn budget(&self) -> Option<u64> {
        self.replay.as_ref().map(|replay| replay.setup.budget.into()).or(self.header.budget)
    }

    /// How many reasons a refusal has beyond the one told.
    pub fn more_reasons(&self, step: usize) -> usize {
        match self.outcome(step) {
            Some(StepOutcome::Refused(reasons)) => reasons.len().saturating_sub(1),
            Some(_) => 0,
            None => self.log.recorded(step).map_or(0, |recorded| recorded.refusals.len().saturating_sub(1)),
        }
    }
}
