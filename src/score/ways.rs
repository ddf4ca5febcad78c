//! One run against the shortest plans: how far each state is, what each step did to that, and what
//! was withheld, routed wrongly or not routed (design §5).

use std::collections::BTreeSet;

use serde::Serialize;

use crate::{
    exec::{Call, Request, State},
    plan::{Distance, Planner, Planners},
    run::{EndReason, Log, Replay, Setup, StepOutcome},
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
        let mut ways = Ways::begin(replay, planner);
        ways.advance(log, replay, planner, usize::MAX);
        ways.end(log, replay, planner);
        ways
    }

    /// The same with the planner of its role and tool set; `None` if the role has no perspective.
    pub fn by(planners: &Planners, log: &Log, replay: &Replay) -> Option<Ways> {
        let Setup { world, role, toolset, .. } = &replay.setup;
        planners.ask(world, *role, *toolset, |planner| Ways::of(log, replay, planner))
    }

    /// The start alone.
    pub fn begin(replay: &Replay, planner: &mut Planner) -> Ways {
        Ways { distance: vec![planner.distance(&replay.state_after(0))], ..Ways::default() }
    }

    /// Goes on by so many steps.
    pub fn advance(&mut self, log: &Log, replay: &Replay, planner: &mut Planner, steps: usize) {
        let world = replay.setup.world.clone();
        let known = self.verdicts.len();
        let mut state = replay.state_after(known);
        let mut before = self.distance.last().copied().unwrap_or(Distance::Unknown);
        for (number, record) in (known + 1..).zip(replay.steps().iter().skip(known)).take(steps) {
            let StepOutcome::Fired(changes) = &record.outcome else {
                let refused = matches!(record.outcome, StepOutcome::Refused(_));
                self.verdicts.push(if refused { Verdict::Refused } else { Verdict::OverBudget });
                self.distance.push(before);
                continue;
            };
            let mut next = state.clone();
            changes.apply(&mut next);
            let after = if changes.is_empty() { before } else { planner.distance(&next) };
            self.verdicts.push(Verdict::of(before, after));
            self.distance.push(after);
            let routes = || replay.request(log, number).and_then(|call: Request| call.tool());
            if !shorter(before, after) && routes().is_some_and(|tool| world.domain.tool(tool).routing) {
                self.routed(replay, planner, number, before, (&state, &next));
            }
            (state, before) = (next, after);
        }
    }

    /// A run that ended as finished before the goal was reached, with a plan at hand that fits, left
    /// something undone.
    pub fn end(&mut self, log: &Log, replay: &Replay, planner: &mut Planner) {
        let Some(Distance::Calls(length @ 1..)) = self.distance.last().copied() else { return };
        let fits = length <= replay.setup.budget.saturating_sub(replay.calls());
        if log.end() != Some(EndReason::Finished) || !fits {
            return;
        }
        let Some(first) = planner.first(replay.end_state()) else { return };
        let tools = taking(&planner.world, &first);
        if tools.is_empty() {
            self.missed_route = true;
        } else {
            self.withhold(&planner.world, replay.steps().len() + 1, tools, Deferral::Stopped);
        }
    }

    /// Deferrals.
    pub fn deferrals(&self) -> usize {
        self.withheld.iter().filter(|withheld| withheld.deferral == Deferral::Routed).count()
    }

    /// 1 for a run that stopped short.
    pub fn stopped_short(&self) -> usize {
        self.withheld.len() - self.deferrals()
    }

    /// A routing call that fired and did not shorten the distance.
    fn routed(
        &mut self,
        replay: &Replay,
        planner: &mut Planner,
        step: usize,
        before: Distance,
        states: (&State, &State),
    ) {
        if !matches!(before, Distance::Calls(1..)) {
            return;
        }
        // What begins a plan decides between the two; where that is not known, neither is claimed.
        let Some(first) = planner.first(states.0) else { return };
        let tools = taking(&planner.world, &first);
        if !tools.is_empty() {
            self.withhold(&planner.world, step, tools, Deferral::Routed);
        } else if !self::earns(replay, states) {
            self.misroutes.push(step);
        }
    }

    fn withhold(&mut self, world: &World, step: usize, tools: Vec<ToolId>, deferral: Deferral) {
        let gate = tools.first().map_or(GateKind::None, |&tool| GateKind::of(world, tool));
        self.withheld.push(Withheld { step, tools, gate, deferral });
    }
}

impl Verdict {
    fn of(before: Distance, after: Distance) -> Verdict {
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

/// Not shorter where one of the two is unknown: then nothing is claimed either.
fn shorter(before: Distance, after: Distance) -> bool {
    match (before, after) {
        (Distance::Calls(before), Distance::Calls(after)) => after < before,
        (_, after) => after == Distance::Unknown,
    }
}

/// The tools but routing ones of these calls, in the domain's order.
fn taking(world: &World, calls: &[Call]) -> Vec<ToolId> {
    let tools: BTreeSet<ToolId> = calls.iter().map(|call| call.tool).collect();
    tools.into_iter().filter(|&tool| !world.domain.tool(tool).routing).collect()
}

/// Whether a step made a literal true of the alternative that counts at the end.
fn earns(replay: &Replay, (before, after): (&State, &State)) -> bool {
    let Some(perspective) = replay.setup.world.problem.perspectives.get(&replay.setup.role) else { return false };
    let (counts, _) = perspective.goal.best(replay.end_state());
    perspective.goal.alternatives[counts].iter().any(|literal| !literal.holds(before) && literal.holds(after))
}
