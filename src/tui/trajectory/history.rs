//! When each fact changed along a run: computed once, asked by every pane.

use rustc_hash::FxHashMap;

use crate::exec::State;
use crate::run::{Replay, StepOutcome};
use crate::world::FactId;

/// For each fact that ever changed, the steps that turned it over, ascending.
#[derive(Debug)]
pub struct History {
    turns: FxHashMap<FactId, Vec<u32>>,
    initial: State,
    steps: usize,
}

impl History {
    /// Of a replay that has executed nothing yet, or anything.
    pub fn of(replay: &Replay) -> History {
        let mut history = History { turns: FxHashMap::default(), initial: replay.state_after(0), steps: 0 };
        history.extend(replay);
        history
    }

    /// Takes in the steps that were executed since.
    pub fn extend(&mut self, replay: &Replay) {
        for record in replay.steps().get(self.steps..).unwrap_or_default() {
            self.steps += 1;
            let step = u32::try_from(self.steps).unwrap_or(u32::MAX);
            if let StepOutcome::Fired(changes) = &record.outcome {
                for &fact in changes.added.iter().chain(&changes.removed).chain(&changes.produced) {
                    self.turns.entry(fact).or_default().push(step);
                }
            }
        }
    }

    /// Forgets the steps after this one; call before the replay does.
    pub fn truncate(&mut self, replay: &Replay, steps: usize) {
        for record in replay.steps().get(steps..self.steps.max(steps)).unwrap_or_default() {
            if let StepOutcome::Fired(changes) = &record.outcome {
                for fact in changes.added.iter().chain(&changes.removed).chain(&changes.produced) {
                    if let Some(turns) = self.turns.get_mut(fact) {
                        turns.retain(|&turn| turn as usize <= steps);
                    }
                }
            }
        }
        self.steps = self.steps.min(steps);
    }

    /// The state at the start.
    pub fn initial(&self) -> &State {
        &self.initial
    }

    /// Whether a fact is true after a step.
    pub fn holds(&self, fact: FactId, step: usize) -> bool {
        let turned = self.turns(fact).partition_point(|&turn| turn as usize <= step) % 2 == 1;
        self.initial.contains(fact) != turned
    }

    /// The last step up to this one that changed the fact.
    pub fn last_change(&self, fact: FactId, step: usize) -> Option<usize> {
        let turns = self.turns(fact);
        let at = turns.partition_point(|&turn| turn as usize <= step);
        at.checked_sub(1).map(|i| turns[i] as usize)
    }

    /// The first step after this one that changes the fact.
    pub fn next_change(&self, fact: FactId, step: usize) -> Option<usize> {
        let turns = self.turns(fact);
        turns.get(turns.partition_point(|&turn| turn as usize <= step)).map(|&turn| turn as usize)
    }

    /// The steps that turned a fact over, ascending.
    pub fn turns(&self, fact: FactId) -> &[u32] {
        self.turns.get(&fact).map_or(&[], Vec::as_slice)
    }

    /// Every fact that is true at some time, in no order.
    pub fn facts(&self) -> impl Iterator<Item = FactId> + '_ {
        let later = self.turns.keys().copied().filter(|&fact| !self.initial.contains(fact));
        self.initial.iter().chain(later)
    }
}
