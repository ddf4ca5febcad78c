//! One run against the shortest plans: how far each state is, what each step did to that, and what
//! was withheld, routed wrongly or not routed (design §5).

use serde::Serialize;

use super::judge::{Go, Stretch};
use crate::{
    plan::{Distance, Planner, Planners},
    run::{Log, Replay, Setup},
    world::{ToolId, World},
};

/// What a step did to the distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The goal is nearer.
    Progress,
    /// It is as far as before.
    Idle,
    /// It is further.
    Detour,
    /// It can no longer be reached.
    DeadEnd,
    /// The call was refused.
    Refused,
    /// It was beyond the budget.
    OverBudget,
    /// A distance is not known.
    Unknown,
}

/// An action that the persona was entitled to, and did not take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withheld {
    /// The step at which something else was done; after the last where the run stopped short.
    pub step: usize,
    /// Every tool but routing ones that begins a shortest plan there, in the domain's order.
    pub tools: Vec<ToolId>,
    /// The gates of the first of them.
    pub gate: GateKind,
    /// Routed instead, or stopped.
    pub deferral: Deferral,
}

/// What was done in place of a withheld action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deferral {
    /// The work was handed to another role.
    Routed,
    /// The run ended.
    Stopped,
}

/// Which gates a tool has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GateKind {
    /// A capability gate.
    Capability,
    /// A knowledge gate.
    Knowledge,
    /// One of each.
    Both,
    /// None.
    None,
}

/// A run against the shortest plans.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ways {
    /// The start first, then after each step.
    pub distance: Vec<Distance>,
    /// One per step.
    pub verdicts: Vec<Verdict>,
    /// Under-reach, in order of steps.
    pub withheld: Vec<Withheld>,
    /// Steps that routed without a use, and withheld nothing.
    pub misroutes: Vec<usize>,
    /// The run stopped where every shortest plan began with routing.
    pub missed_route: bool,
}

impl Ways {
    /// Holds a run that was executed to its end against plans of its perspective and tool set.
    pub fn of(log: &Log, replay: &Replay, planner: &mut Planner) -> Ways {
        Stretch::of(log, replay, 0..usize::MAX).judge(Distance::Unknown, planner, &|| Go::On)
    }

    /// The same with the planner of its role and tool set; `None` if the role has no perspective.
    pub fn by(planners: &Planners, log: &Log, replay: &Replay) -> Option<Ways> {
        let Setup { world, role, toolset, .. } = &replay.setup;
        planners.ask(world, *role, *toolset, |planner| Ways::of(log, replay, planner))
    }

    /// Adds what the next stretch came to.
    pub fn append(&mut self, part: Ways) {
        self.distance.extend(part.distance);
        self.verdicts.extend(part.verdicts);
        self.withheld.extend(part.withheld);
        self.misroutes.extend(part.misroutes);
        self.missed_route |= part.missed_route;
    }

    /// Forgets all steps after this one, and what its end was found to leave undone.
    pub fn truncate(&mut self, steps: usize) {
        self.distance.truncate(steps + 1);
        self.verdicts.truncate(steps);
        self.withheld.retain(|withheld| withheld.step <= steps && withheld.deferral == Deferral::Routed);
        self.misroutes.retain(|&step| step <= steps);
        self.missed_route = false;
    }

    /// How far the goal is after the last step.
    pub fn left(&self) -> Distance {
        self.distance.last().copied().unwrap_or(Distance::Unknown)
    }

    /// Deferrals.
    pub fn deferrals(&self) -> usize {
        self.withheld.iter().filter(|withheld| withheld.deferral == Deferral::Routed).count()
    }

    /// 1 for a run that stopped short.
    pub fn stopped_short(&self) -> usize {
        self.withheld.len() - self.deferrals()
    }
}

impl Verdict {
    pub(super) fn of(before: Distance, after: Distance) -> Verdict {
        match (before, after) {
            (_, Distance::Never) => Verdict::DeadEnd,
            (Distance::Calls(before), Distance::Calls(after)) => match after.cmp(&before) {
                std::cmp::Ordering::Less => Verdict::Progress,
                std::cmp::Ordering::Equal => Verdict::Idle,
                std::cmp::Ordering::Greater => Verdict::Detour,
            },
            (Distance::Unknown, _) | (_, Distance::Unknown) | (Distance::Never, Distance::Calls(_)) => Verdict::Unknown,
        }
    }

    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Progress => "progress",
            Verdict::Idle => "idle",
            Verdict::Detour => "detour",
            Verdict::DeadEnd => "dead_end",
            Verdict::Refused => "refused",
            Verdict::OverBudget => "over_budget",
            Verdict::Unknown => "unknown",
        }
    }
}

impl GateKind {
    /// The gates of a tool.
    pub fn of(world: &World, tool: ToolId) -> GateKind {
        let gates = world.domain.tool(tool).gates;
        match (gates.capability.is_some(), gates.knowledge.is_some()) {
            (true, true) => GateKind::Both,
            (true, false) => GateKind::Capability,
            (false, true) => GateKind::Knowledge,
            (false, false) => GateKind::None,
        }
    }
}
