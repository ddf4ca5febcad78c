//! What kind of step it was: the one sign that lists, strips and timelines show (screens §8).

use super::{Log, Replay, StepOutcome};
use crate::exec::Reason;

/// The kinds of step. A refusal has the kind of the reason that the agent is told (design §3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StepKind {
    /// It fired and changed the state.
    Fired,
    /// It fired and changed nothing.
    FiredIdle,
    /// A precondition does not hold, or a conflict.
    Condition,
    /// An input does not match or was not produced.
    Input,
    /// Unknown or not offered tool, or arguments that are none.
    BadCall,
    /// Beyond the budget.
    OverBudget,
    /// The role lacks the capability.
    Capability,
    /// The role lacks the knowledge.
    Knowledge,
    /// The role lacks both.
    Both,
    /// The log has damage here, or no result.
    Damaged,
    /// What was recorded is not what the executor does.
    Diverged,
}

impl StepKind {
    /// The kind of a step, from 1.
    pub fn of(log: &Log, replay: Option<&Replay>, step: usize) -> StepKind {
        let record = replay.and_then(|replay| replay.steps().get(step - 1));
        if record.is_some_and(|record| record.diverges) {
            return StepKind::Diverged;
        }
        let damaged = |row: Option<super::RowId>| row.is_none_or(|row| log.damaged(row));
        if damaged(log.call_of(step)) || (log.finished() && damaged(log.result_of(step))) {
            return StepKind::Damaged;
        }
        match record.map(|record| &record.outcome) {
            Some(StepOutcome::OverBudget) => StepKind::OverBudget,
            Some(StepOutcome::Fired(changes)) if changes.is_empty() => StepKind::FiredIdle,
            Some(StepOutcome::Fired(_)) => StepKind::Fired,
            Some(StepOutcome::Refused(reasons)) => StepKind::of_reasons(reasons.iter().map(Reason::name)),
            None => StepKind::recorded(log, step),
        }
    }

    fn recorded(log: &Log, step: usize) -> StepKind {
        let Some(recorded) = log.recorded(step) else { return StepKind::Damaged };
        let nothing = recorded.added.is_empty() && recorded.removed.is_empty() && recorded.produced.is_empty();
        match recorded.fired {
            Some(true) if nothing => StepKind::FiredIdle,
            Some(true) => StepKind::Fired,
            _ if recorded.refusals.is_empty() => StepKind::OverBudget,
            _ => StepKind::of_reasons(recorded.refusals.iter().filter_map(|refusal| refusal.reason.as_deref())),
        }
    }

    /// The kind of a refusal with these reasons.
    pub fn of_reasons<'a>(reasons: impl Iterator<Item = &'a str>) -> StepKind {
        let (mut capability, mut knowledge, mut input, mut bad, mut no_tool) = (false, false, false, false, false);
        for reason in reasons {
            match reason {
                "unknown_tool" | "not_offered" => no_tool = true,
                "bad_argument" => bad = true,
                "not_produced" => input = true,
                "capability" => capability = true,
                "knowledge" => knowledge = true,
                _ => {}
            }
        }
        match (capability, knowledge) {
            _ if no_tool => StepKind::BadCall,
            (true, true) => StepKind::Both,
            (true, false) => StepKind::Capability,
            (false, true) => StepKind::Knowledge,
            _ if bad => StepKind::BadCall,
            _ if input => StepKind::Input,
            _ => StepKind::Condition,
        }
    }

    /// As JSON names it.
    pub fn word(self) -> &'static str {
        match self {
            StepKind::Fired => "fired",
            StepKind::FiredIdle => "idle",
            StepKind::Condition => "condition",
            StepKind::Input => "input",
            StepKind::BadCall => "bad_call",
            StepKind::OverBudget => "over_budget",
            StepKind::Capability => "capability",
            StepKind::Knowledge => "knowledge",
            StepKind::Both => "both",
            StepKind::Damaged => "damaged",
            StepKind::Diverged => "diverged",
        }
    }

    /// Whether it is a gate that failed.
    pub fn is_violation(self) -> bool {
        matches!(self, StepKind::Capability | StepKind::Knowledge | StepKind::Both)
    }

    /// Whether it was refused, for whatever reason.
    pub fn is_refusal(self) -> bool {
        self.is_violation()
            || matches!(self, StepKind::Condition | StepKind::Input | StepKind::BadCall | StepKind::OverBudget)
    }
}
