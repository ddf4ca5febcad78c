//! Shortest plans and distances of one perspective with one tool set.

use std::{fmt, sync::Arc};

use super::{
    ground::ground,
    search::{Estimate, Found, Limits, Search},
    space::StateId,
    task::Task,
};
use crate::{
    exec::{Call, Outcome, Request, State, step},
    world::{Goal, RoleId, ToolId, ToolsetId, World},
};

/// How many calls a state is from the goal, with the offered tools and both gates satisfied (design §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Distance {
    /// The length of a shortest plan.
    Calls(u32),
    /// No plan exists: proven.
    Never,
    /// A limit was hit first, or the search was stopped.
    Unknown,
}

impl Distance {
    /// The number, if it is one.
    pub fn calls(self) -> Option<u32> {
        match self {
            Distance::Calls(calls) => Some(calls),
            Distance::Never | Distance::Unknown => None,
        }
    }
}

/// A shortest plan, if one was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Its length, or why there is none.
    pub distance: Distance,
    /// As many calls as that; empty without a plan.
    pub calls: Vec<Call>,
}

/// Plans from any state that calls of this role with these tools lead to. What one question costs,
/// the next need not pay again.
pub struct Planner {
    /// Where it plans.
    pub world: Arc<World>,
    /// For whom.
    pub role: RoleId,
    /// With which tools.
    pub toolset: ToolsetId,
    limits: Limits,
    stop: Box<dyn Fn() -> bool + Send>,
    /// None where there are too many calls to look at.
    known: Option<(Task, Search)>,
}

/// Calls that a task may have; a real one has some thousands.
const MOST_ACTIONS: usize = 1 << 20;

impl Planner {
    /// A planner for a perspective; `None` if the role has none in the problem.
    pub fn new(world: &Arc<World>, role: RoleId, toolset: ToolsetId, limits: Limits) -> Option<Planner> {
        Planner::with_estimate(world, role, toolset, limits, Estimate::default())
    }

    /// The same with another way to estimate distances.
    pub fn with_estimate(
        world: &Arc<World>,
        role: RoleId,
        toolset: ToolsetId,
        limits: Limits,
        estimate: Estimate,
    ) -> Option<Planner> {
        let goal = &world.problem.perspectives.get(&role)?.goal;
        Some(Planner::with_tools(world, role, toolset, limits, estimate, goal, |tool| world.domain.may(tool, role)))
    }

    /// A planner to some goal that ignores both gates: what somebody would do who may do and judges everything.
    pub fn ungated(world: &Arc<World>, role: RoleId, toolset: ToolsetId, goal: &Goal, limits: Limits) -> Planner {
        Planner::with_tools(world, role, toolset, limits, Estimate::default(), goal, |_| true)
    }

    fn with_tools(
        world: &Arc<World>,
        role: RoleId,
        toolset: ToolsetId,
        limits: Limits,
        estimate: Estimate,
        goal: &Goal,
        may: impl Fn(ToolId) -> bool,
    ) -> Planner {
        let start = State::initial(world, role);
        let offered = &world.problem.toolsets[toolset.index()].tools;
        let tools: Vec<ToolId> = offered.iter().copied().filter(|&tool| may(tool)).collect();
        let ground = ground(world, role, &tools, &start, MOST_ACTIONS);
        let task = ground.map(|ground| Task::new(world, &start, ground, goal));
        let known = task.map(|task| {
            let search = Search::new(&task, estimate);
            (task, search)
        });
        Planner { world: world.clone(), role, toolset, limits, stop: Box::new(|| false), known }
    }

    /// Gives up, with the answer "unknown", when this says so. It is asked a few times per millisecond.
    pub fn until(&mut self, stop: impl Fn() -> bool + Send + 'static) {
        self.stop = Box::new(stop);
    }

    /// How far a state is from the goal.
    pub fn distance(&mut self, state: &State) -> Distance {
        let Some((task, search)) = &mut self.known else { return Distance::Unknown };
        let state = search.space.intern(&task.project(state));
        distance(task, search, state, self.limits, &self.stop)
    }

    /// A shortest plan from a state: the same for the same questions in the same order.
    pub fn plan(&mut self, state: &State) -> Plan {
        let distance = self.distance(state);
        let mut calls = Vec::new();
        if let (Distance::Calls(length), Some((task, search))) = (distance, &mut self.known) {
            let mut at = search.space.intern(&task.project(state));
            for _ in 0..length {
                let number = search.space.get(at).action;
                calls.push(task.actions[number as usize].call.clone());
                at = search.successor_of(task, at, number);
            }
        }
        Plan { distance, calls }
    }

    /// A shortest plan that makes as many of these calls, in their order, as come nearer when it is their
    /// turn: for setting a plan beside what somebody did.
    pub fn plan_along(&mut self, state: &State, calls: &[Call]) -> Plan {
        let distance = self.distance(state);
        let (mut at, mut left, mut made) = (state.clone(), distance, Vec::new());
        for call in calls {
            let request = Request::Call(call.clone());
            let Outcome::Fired(changes) = step(&self.world, self.role, self.toolset, &at, &request) else { continue };
            let mut next = at.clone();
            changes.apply(&mut next);
            let then = if changes.is_empty() { left } else { self.distance(&next) };
            if let (Distance::Calls(far), Distance::Calls(near)) = (left, then)
                && near < far
            {
                made.push(call.clone());
                (at, left) = (next, then);
            }
        }
        let rest = self.plan(&at);
        let distance = if rest.distance == Distance::Unknown { Distance::Unknown } else { distance };
        made.extend(rest.calls);
        let calls = if distance.calls().is_some() { made } else { Vec::new() };
        Plan { distance, calls }
    }

    /// Every call with which some shortest plan from a state begins, in order of tools; none without
    /// a plan and at the goal. `None` when a limit was hit.
    pub fn first(&mut self, state: &State) -> Option<Vec<Call>> {
        let Some((task, search)) = &mut self.known else { return None };
        let state = search.space.intern(&task.project(state));
        let left = match distance(task, search, state, self.limits, &self.stop) {
            Distance::Calls(0) | Distance::Never => return Some(Vec::new()),
            Distance::Calls(calls) => calls - 1,
            Distance::Unknown => return None,
        };
        let mut first = Vec::new();
        for (number, action) in (0u32..).zip(&task.actions) {
            if !action.applies(search.space.bits(state)) {
                continue;
            }
            let next = search.successor_of(task, state, number);
            match search.distance(task, next, left, self.limits, &self.stop) {
                Found::Exactly(_) => first.push(action.call.clone()),
                Found::Further | Found::Never => {}
                Found::Unknown => return None,
            }
        }
        Some(first)
    }

    /// About how many bytes all states met take.
    pub(super) fn bytes(&self) -> usize {
        self.known.as_ref().map_or(0, |(_, search)| search.space.bytes())
    }

    /// Calls that can ever fire and matter, facts that matter, states expanded, states generated.
    pub fn counts(&self) -> Counts {
        self.known.as_ref().map_or(Counts::default(), |(task, search)| Counts {
            actions: task.actions.len(),
            facts: task.facts(),
            expanded: search.expanded,
            generated: search.generated,
        })
    }
}

/// What planning took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Calls that can ever fire and matter to the goal.
    pub actions: usize,
    /// Facts that matter to the goal.
    pub facts: usize,
    /// States of which all successors were made.
    pub expanded: u64,
    /// Successors made.
    pub generated: u64,
}

impl fmt::Debug for Planner {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Planner").field("role", &self.role).field("toolset", &self.toolset).finish_non_exhaustive()
    }
}

fn distance(task: &Task, search: &mut Search, state: StateId, limits: Limits, stop: &dyn Fn() -> bool) -> Distance {
    match search.distance(task, state, u32::MAX, limits, stop) {
        Found::Exactly(calls) => Distance::Calls(calls),
        Found::Never => Distance::Never,
        Found::Unknown | Found::Further => Distance::Unknown,
    }
}
