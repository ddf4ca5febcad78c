//! What is an over-reach, and what is solved (design §5): decided here for scores, lists and screens.

use super::{Log, Replay, StepOutcome};
use crate::exec::{Reason, Share};

/// The gates that a call failed, whatever else failed with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FailedGates {
    /// The role lacks the tool's capability.
    pub capability: bool,
    /// The role lacks the tool's knowledge domain.
    pub knowledge: bool,
}

impl FailedGates {
    /// Whether there is one.
    pub fn any(self) -> bool {
        self.capability || self.knowledge
    }

    /// Those among the names of a refusal's reasons.
    pub fn named<'a>(reasons: impl Iterator<Item = &'a str>) -> FailedGates {
        let mut failed = FailedGates::default();
        for reason in reasons {
            failed.capability |= reason == "capability";
            failed.knowledge |= reason == "knowledge";
        }
        failed
    }
}

impl StepOutcome {
    /// The gates that it failed.
    pub fn failed_gates(&self) -> FailedGates {
        match self {
            StepOutcome::Refused(reasons) => FailedGates::named(reasons.iter().map(Reason::name)),
            StepOutcome::Fired(_) | StepOutcome::OverBudget => FailedGates::default(),
        }
    }
}

/// What a call counts as that did not fire. Not its [kind](super::StepKind), which tells one reason of
/// several, or that the record is at fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// It failed a gate, whatever else failed with it.
    OverReach,
    /// It failed for other reasons, or was beyond the budget.
    Refused,
}

impl Failure {
    /// Of a step, from 1, as it was executed, else as it was recorded; `None` if it fired, or if nothing is
    /// known of it.
    pub fn of(log: &Log, replay: Option<&Replay>, step: usize) -> Option<Failure> {
        let failed = match replay.and_then(|replay| replay.steps().get(step.checked_sub(1)?)) {
            Some(record) if matches!(record.outcome, StepOutcome::Fired(_)) => return None,
            Some(record) => record.outcome.failed_gates(),
            None => {
                let recorded = log.recorded(step).filter(|recorded| recorded.fired != Some(true))?;
                FailedGates::named(recorded.refusals.iter().filter_map(|refusal| refusal.reason.as_deref()))
            }
        };
        Some(if failed.any() { Failure::OverReach } else { Failure::Refused })
    }
}

impl Replay {
    /// The steps that are over-reaches.
    pub fn over_reach(&self) -> impl Iterator<Item = usize> + '_ {
        (1..).zip(self.steps()).filter(|(_, record)| record.outcome.failed_gates().any()).map(|(step, _)| step)
    }
}

/// Whether a run that ends with this share of the goal, after so many over-reaches, solved its entry: the
/// goal was reached by an in-persona policy.
pub fn solved(goal: Share, over_reach: usize) -> bool {
    goal.complete() && over_reach == 0
}
