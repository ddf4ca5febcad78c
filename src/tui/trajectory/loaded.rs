//! A run as the screen holds it: read on another thread, indexed and executed in portions, so that
//! keys stay live whatever its size.

use super::appraisal::Appraisal;
use super::beginnings::Beginnings;
use super::history::History;
use crate::exec::{Counts, Difference};
use crate::run::{Failure, Header, Log, Replay, Setup, StepKind, StepOutcome};
use crate::tui::open::Run;
use crate::tui::shelf::Shelf;
use crate::tui::sign::Sign;

/// Lines indexed and steps executed in one portion: a few milliseconds.
const PORTION: usize = 3000;

/// Steps at the end of a growing log whose results may still come.
const RECENT: usize = 256;

/// Whether more of the log is to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// It is being read.
    Coming,
    /// It is here up to now, and followed.
    Growing,
    /// It is here.
    Whole,
}

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
    /// What plans say of it; with a replay and a perspective alone.
    pub appraisal: Option<Appraisal>,
    /// The kind of each step, as far as executed.
    pub kinds: Vec<StepKind>,
    /// What each of them counts as that did not fire.
    failures: Vec<Option<Failure>>,
    /// Calls that fail a gate.
    pub over_reach: Tally,
    /// Calls that did not fire for other reasons.
    pub refused: Tally,
    /// Steps at which record and execution differ.
    pub diverging: Tally,
    /// The most entries that the diff of one step has.
    pub widest_change: usize,
    /// What the list shows of long messages.
    pub beginnings: Beginnings,
}

impl Loaded {
    /// A run by the first bytes of its log, all of it or not; finds its world, which takes its time.
    pub fn begin(bytes: Vec<u8>, run: &Run, shelf: &Shelf) -> Loaded {
        let mut log = Log::from_bytes(bytes);
        while log.header_row().is_none() && !log.index_some(1).done && log.rows().len() < RECENT {}
        if log.header_row().is_none() {
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
        let judged = |replay: &Replay| replay.setup.world.problem.perspectives.contains_key(&replay.setup.role);
        let appraisal = replay.as_ref().filter(|replay| judged(replay)).map(|_| Appraisal::default());
        Loaded {
            log,
            header,
            replay,
            missing,
            history,
            appraisal,
            kinds: Vec::new(),
            failures: Vec::new(),
            over_reach: Tally::default(),
            refused: Tally::default(),
            diverging: Tally::default(),
            widest_change: 0,
            beginnings: Beginnings::default(),
        }
    }

    /// Indexes and executes a portion. Says whether nothing is left to do for now.
    pub fn portion(&mut self, source: Source) -> bool {
        let indexed = self.log.finished() || self.log.index_some(PORTION).done;
        if indexed && source == Source::Whole && !self.log.finished() {
            self.log.finish();
            self.recount_unanswered();
        }
        self.execute(indexed && source != Source::Coming) && indexed
    }

    /// Executes up to a portion of steps; says whether no more can be executed now. Before the log is
    /// here to its end, a step waits for its result.
    fn execute(&mut self, whole: bool) -> bool {
        let from = self.kinds.len();
        let ready = |step: &usize| whole || self.log.result_of(*step).is_some();
        let to = (from + 1..=self.log.steps()).take(PORTION).take_while(ready).last().unwrap_or(from);
        if let Some(replay) = &mut self.replay {
            replay.advance(&self.log, to - from);
        }
        (from + 1..=to).for_each(|step| self.count(step));
        if let (Some(history), Some(replay)) = (&mut self.history, &self.replay) {
            history.extend(replay);
        }
        to - from < PORTION
    }

    fn count(&mut self, step: usize) {
        let kind = StepKind::of(&self.log, self.replay.as_ref(), step);
        self.kinds.push(kind);
        if let Some(StepOutcome::Fired(changes)) = self.outcome(step) {
            let entries = changes.added.len() + changes.removed.len() + changes.produced.len();
            self.widest_change = self.widest_change.max(entries);
        }
        self.failures.push(Failure::of(&self.log, self.replay.as_ref(), step));
        for tally in self.tallies(step) {
            tally.count += 1;
            tally.first = tally.first.or(Some(step));
        }
    }

    /// The tallies that a step counts in.
    fn tallies(&mut self, step: usize) -> impl Iterator<Item = &mut Tally> {
        let (failure, kind) = (self.failure(step), self.kind(step));
        let chosen = [
            (failure == Some(Failure::OverReach), &mut self.over_reach),
            (failure == Some(Failure::Refused), &mut self.refused),
            (kind == Some(StepKind::Diverged), &mut self.diverging),
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
        if !more.is_empty() {
            self.grow(|log| log.append(more));
        }
    }

    /// Puts the whole log in place of its first part; `false` where it begins otherwise.
    pub fn complete(&mut self, whole: Vec<u8>) -> bool {
        self.grow(|log| log.complete(whole))
    }

    fn grow<T>(&mut self, grow: impl FnOnce(&mut Log) -> T) -> T {
        let known = self.kinds.len();
        let recent = known.saturating_sub(RECENT) + 1..=known;
        let answered = recent.into_iter().find(|&step| self.log.result_of(step).is_none()).map_or(known, |s| s - 1);
        let grown = grow(&mut self.log);
        self.truncate(answered.min(self.log.steps()));
        grown
    }

    fn truncate(&mut self, steps: usize) {
        for step in steps + 1..=self.kinds.len() {
            for tally in self.tallies(step) {
                tally.count -= 1;
                tally.first = tally.first.filter(|&first| first <= steps);
            }
        }
        self.kinds.truncate(steps);
        self.failures.truncate(steps);
        if let (Some(history), Some(replay)) = (&mut self.history, &mut self.replay) {
            history.truncate(replay, steps);
            replay.truncate(steps);
        }
        if let Some(appraisal) = &mut self.appraisal {
            appraisal.truncate(steps);
        }
    }

    /// Steps read so far.
    pub fn steps(&self) -> usize {
        self.log.steps()
    }

    /// Whether all that was read so far is executed.
    pub fn is_executed(&self) -> bool {
        self.kinds.len() == self.steps()
    }

    /// The kind of a step; `None` while it is not executed yet.
    pub fn kind(&self, step: usize) -> Option<StepKind> {
        step.checked_sub(1).and_then(|i| self.kinds.get(i)).copied()
    }

    /// What a step counts as that did not fire.
    pub fn failure(&self, step: usize) -> Option<Failure> {
        step.checked_sub(1).and_then(|i| self.failures.get(i)).copied().flatten()
    }

    /// The sign of a step: what was held back shows where nothing was refused.
    pub fn sign(&self, step: usize) -> Sign {
        let Some(kind) = self.kind(step) else { return Sign::Pending };
        let held_back = self.appraisal.as_ref().and_then(|appraisal| appraisal.held_back(step));
        held_back.filter(|_| kind <= StepKind::FiredIdle).unwrap_or(Sign::from(kind))
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

    /// How many reasons a refusal has.
    pub fn reasons(&self, step: usize) -> usize {
        match self.outcome(step) {
            Some(StepOutcome::Refused(reasons)) => reasons.len(),
            Some(_) => 0,
            None => self.log.recorded(step).map_or(0, |recorded| recorded.refusals.len()),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fixture(name: &str) -> (Vec<u8>, Shelf) {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pump");
        let bytes = std::fs::read(root.join("runs").join(name)).unwrap();
        (bytes, Shelf::home(Some(root)))
    }

    fn work(run: &mut Loaded, source: Source) {
        while !run.portion(source) {}
    }

    fn told(run: &Loaded) -> String {
        let replay = run.replay.as_ref().unwrap();
        let turns: Vec<_> = run.history.as_ref().unwrap().facts().map(|f| (f, turns(run, f))).collect();
        let mut turns: Vec<_> = turns.into_iter().filter(|(_, turns)| !turns.is_empty()).collect();
        turns.sort();
        format!(
            "{:?} {:?} {:?} {:?} {turns:?} {:?}",
            run.kinds,
            run.over_reach,
            run.refused,
            run.diverging,
            replay.end_state()
        )
    }

    fn turns(run: &Loaded, fact: crate::world::FactId) -> Vec<u32> {
        run.history.as_ref().unwrap().turns(fact).to_vec()
    }

    proptest! {
        /// However a log comes in, read in parts or followed while it grows, it comes to the same.
        #[test]
        fn parts_come_to_the_whole(cuts in prop::collection::vec(0usize..2000, 0..6), follow: bool, damaged: bool) {
            let (bytes, shelf) = fixture(if damaged { "planner-damaged.jsonl" } else { "technician-overreach.jsonl" });
            let header = bytes.iter().position(|&b| b == b'\n').unwrap() + 1;
            let run = Run::Made { name: "r".into(), bytes: bytes.as_slice().into() };
            let mut whole = Loaded::begin(bytes.clone(), &run, &shelf);
            work(&mut whole, Source::Whole);
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| (header + cut).min(bytes.len())).collect();
            cuts.sort_unstable();
            cuts.push(bytes.len());
            let mut parts = Loaded::begin(bytes[..cuts[0]].to_vec(), &run, &shelf);
            let between = if follow { Source::Growing } else { Source::Coming };
            for pair in cuts.windows(2) {
                work(&mut parts, between);
                parts.append(&bytes[pair[0]..pair[1]]);
            }
            work(&mut parts, Source::Whole);
            prop_assert_eq!(told(&parts), told(&whole));
        }
    }
}
