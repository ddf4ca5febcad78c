//! A run in one row: what a list of runs shows of it, and which runs to look at first.

use std::{borrow::Cow, cmp::Reverse};

use serde::{Serialize, Serializer};

use super::{Failure, Log, Replay, StepKind, StepOutcome, WorldMatch, solved};
use crate::{exec::Share, world::FactId};

/// What a list of runs says of one (screens §6).
#[derive(Debug, Clone, Serialize)]
pub struct Summary {
    /// The run's id, else the name of its file.
    pub run: String,
    /// The problem's id.
    pub problem: Option<String>,
    /// The acting role.
    pub role: Option<String>,
    /// The tool set.
    pub toolset: Option<String>,
    /// The agent's name.
    pub agent: Option<String>,
    /// Calls made, beyond the budget or not.
    pub calls: usize,
    /// The budget that rules.
    pub budget: Option<u64>,
    /// Goal literals that hold at the end; `None` without a world or a perspective.
    pub goal: Option<Share>,
    /// Calls that failed a gate.
    pub over_reach: usize,
    /// Calls that did not fire for other reasons, those beyond the budget included.
    pub refused: usize,
    /// Why it ended, as the log says.
    pub end: Option<String>,
    /// How many things are wrong with the log.
    pub damage: usize,
    /// How the present world relates to the log's.
    pub world: WorldMatch,
    /// Whether some step differs from what was recorded.
    pub diverged: bool,
    /// The worst kind of step; `None` for a run without calls.
    #[serde(serialize_with = "kind_word")]
    pub worst: Option<StepKind>,
}

impl Summary {
    /// Counts a run; `name` stands in for an id that the log lacks.
    pub fn of(name: &str, log: &Log, replay: Option<&Replay>) -> Summary {
        let header = log.header().unwrap_or_default();
        let setup = replay.map(|replay| &replay.setup);
        let toolset = setup.and_then(|s| s.world.problem.toolsets.get_index(s.toolset.index()));
        let (mut over_reach, mut refused, mut worst) = (0, 0, None);
        for step in 1..=log.steps() {
            worst = worst.max(Some(StepKind::of(log, replay, step)));
            match Failure::of(log, replay, step) {
                Some(Failure::OverReach) => over_reach += 1,
                Some(Failure::Refused) => refused += 1,
                None => {}
            }
        }
        Summary {
            run: header.id.unwrap_or_else(|| name.to_owned()),
            problem: setup.map(|s| s.world.problem.id.clone()).or(header.problem),
            role: setup.map(|s| s.world.domain.role_name(s.role).to_owned()).or(header.role),
            toolset: toolset.map(|(name, _)| name.clone()).or(header.toolset),
            agent: header.agent.and_then(|agent| agent.name),
            calls: log.steps(),
            budget: setup.map(|s| s.budget.into()).or(header.budget),
            goal: replay.and_then(|replay| replay.goal_after(log.steps())),
            over_reach,
            refused,
            end: log.end_reason().map(Cow::into_owned),
            damage: log.damage_count(),
            world: replay.map_or(WorldMatch::Missing, |replay| replay.world_match),
            diverged: replay.is_some_and(Replay::diverged),
            worst,
        }
    }

    /// Whether it [solved](super::solved) its entry.
    pub fn solved(&self) -> bool {
        self.goal.is_some_and(|goal| solved(goal, self.over_reach))
    }

    /// How bad it is; what it withheld and what it misrouted are 0 where that is not known.
    pub fn badness(&self, under_reach: (usize, usize)) -> Badness {
        let open = self.goal.map_or(0, |goal| goal.of - goal.held);
        let record = self.damage + usize::from(self.diverged);
        Badness { over_reach: self.over_reach, under_reach, refused: self.refused, record, open }
    }

    /// Sorts the worst first; runs alike by entry and name.
    pub fn worst_first(&self, under_reach: (usize, usize)) -> impl Ord + use<> {
        (Reverse(self.badness(under_reach)), self.problem.clone(), self.run.clone())
    }
}

/// What makes a run worth a look, the weightiest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Badness {
    /// Calls that failed a gate.
    over_reach: usize,
    /// Actions withheld, and what was misrouted or not routed.
    under_reach: (usize, usize),
    /// Other refusals.
    refused: usize,
    /// Damage and divergence.
    record: usize,
    /// Goal literals that do not hold at the end.
    open: usize,
}

impl StepOutcome {
    /// Whether it made this fact or slot value true or false.
    pub fn touches(&self, fact: FactId) -> bool {
        let StepOutcome::Fired(changes) = self else { return false };
        [&changes.added, &changes.removed, &changes.produced].into_iter().any(|facts| facts.contains(&fact))
    }
}

fn kind_word<S: Serializer>(kind: &Option<StepKind>, serializer: S) -> Result<S::Ok, S::Error> {
    kind.map(StepKind::word).serialize(serializer)
}
