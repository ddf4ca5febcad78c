//! Steps held against plans, a stretch of a run at a time (design §5).

use std::{borrow::Cow, collections::BTreeSet, ops::Range};

use super::ways::{Deferral, GateKind, Verdict, Ways, Withheld};
use crate::{
    exec::{Call, State},
    plan::{Distance, Planner},
    run::{EndReason, Log, Replay, StepOutcome, StepRecord},
    world::{GoalLiteral, ToolId, World},
};

/// Whether judging goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Go {
    /// With the next step.
    On,
    /// This step was the last for now; what the run left undone at its end belongs to its last step.
    Enough,
    /// The planner was stopped: what it said last is no answer.
    Stop,
}

/// A part of a run with all that is needed to judge it: it can be judged far from its log.
#[derive(Debug, Clone)]
pub struct Stretch<'a> {
    /// Steps before it.
    known: usize,
    /// The state before it.
    before: State,
    steps: Cow<'a, [StepRecord]>,
    /// The goal alternative that counts at the end of the run.
    counts: usize,
    /// The calls left where the run ended as finished, if this is its last part.
    finished: Option<u32>,
}

impl Stretch<'_> {
    /// Some steps of a run that was executed to its end, counted from 0.
    pub fn of<'a>(log: &Log, replay: &'a Replay, steps: Range<usize>) -> Stretch<'a> {
        let all = replay.steps();
        let end = steps.end.min(all.len());
        let left = replay.setup.budget.saturating_sub(replay.calls());
        Stretch {
            known: steps.start,
            before: replay.state_after(steps.start),
            steps: Cow::Borrowed(all.get(steps.start..end).unwrap_or_default()),
            counts: Stretch::counts(replay),
            finished: (end == all.len() && log.end() == Some(EndReason::Finished)).then_some(left),
        }
    }

    /// The goal alternative by which routing in vain is judged: the one that counts at the end, so far.
    pub fn counts(replay: &Replay) -> usize {
        let perspective = replay.setup.world.problem.perspectives.get(&replay.setup.role);
        perspective.map_or(0, |perspective| perspective.goal.best(replay.end_state()).0)
    }

    /// The same with its own steps, for another thread.
    pub fn into_owned(self) -> Stretch<'static> {
        Stretch { steps: Cow::Owned(self.steps.into_owned()), ..self }
    }

    /// Its steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether it has no step.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// What its steps came to, to be [appended](Ways::append) to what those before it came to, which
    /// leave `left` to go. The first stretch begins with the start. `go` is asked after each answer of
    /// the planner.
    pub fn judge(&self, left: Distance, planner: &mut Planner, go: &dyn Fn() -> Go) -> Ways {
        let world = planner.world.clone();
        let (mut ways, mut state, mut before) = (Ways::default(), self.before.clone(), left);
        if self.known == 0 {
            before = planner.distance(&state);
            if go() == Go::Stop {
                return ways;
            }
            ways.distance.push(before);
        }
        for (number, record) in (self.known + 1..).zip(&*self.steps) {
            let StepOutcome::Fired(changes) = &record.outcome else {
                let refused = matches!(record.outcome, StepOutcome::Refused(_));
                ways.verdicts.push(if refused { Verdict::Refused } else { Verdict::OverBudget });
                ways.distance.push(before);
                continue;
            };
            let mut next = state.clone();
            changes.apply(&mut next);
            let after = if changes.is_empty() { before } else { planner.distance(&next) };
            let routes = record.tool.is_some_and(|tool| world.domain.tool(tool).routing);
            let routed = (routes && !shorter(before, after)).then(|| self.routed(planner, before, &state, &next));
            let go = go();
            if go == Go::Stop {
                return ways;
            }
            ways.verdicts.push(Verdict::of(before, after));
            ways.distance.push(after);
            match routed.flatten() {
                Some(Undone::Withheld(tools)) => ways.withheld.push(withheld(&world, number, tools, Deferral::Routed)),
                Some(Undone::Routing) => ways.misroutes.push(number),
                None => {}
            }
            (state, before) = (next, after);
            if go == Go::Enough && ways.verdicts.len() < self.len() {
                return ways;
            }
        }
        match self.finished.and_then(|left| stopped(planner, before, &state, left)).filter(|_| go() != Go::Stop) {
            Some(Undone::Withheld(tools)) => {
                let step = self.known + self.steps.len() + 1;
                ways.withheld.push(withheld(&world, step, tools, Deferral::Stopped));
            }
            Some(Undone::Routing) => ways.missed_route = true,
            None => {}
        }
        ways
    }

    /// A routing call that fired and did not shorten the distance.
    fn routed(&self, planner: &mut Planner, before: Distance, state: &State, next: &State) -> Option<Undone> {
        if !matches!(before, Distance::Calls(1..)) {
            return None;
        }
        // What begins a plan decides between the two; where that is not known, neither is claimed.
        match Undone::of(planner, state)? {
            Undone::Routing if self.earns(planner, state, next) => None,
            undone => Some(undone),
        }
    }

    /// Whether a step made a literal true of the alternative that counts at the end.
    fn earns(&self, planner: &Planner, before: &State, after: &State) -> bool {
        let perspective = planner.world.problem.perspectives.get(&planner.role);
        let counting = perspective.and_then(|perspective| perspective.goal.alternatives.get(self.counts));
        let made = |literal: &GoalLiteral| !literal.holds(before) && literal.holds(after);
        counting.is_some_and(|literals| literals.iter().any(made))
    }
}

/// What a shortest plan began with that was not done.
enum Undone {
    /// The persona was entitled to act, with any of these tools.
    Withheld(Vec<ToolId>),
    /// Routing, and nothing else.
    Routing,
}

impl Undone {
    fn of(planner: &mut Planner, state: &State) -> Option<Undone> {
        let first = planner.first(state)?;
        let tools = taking(&planner.world, &first);
        Some(if tools.is_empty() { Undone::Routing } else { Undone::Withheld(tools) })
    }
}

/// A run that ended as finished before the goal was reached, with a plan at hand that fits.
fn stopped(planner: &mut Planner, left: Distance, state: &State, calls_left: u32) -> Option<Undone> {
    match left {
        Distance::Calls(length @ 1..) if length <= calls_left => Undone::of(planner, state),
        _ => None,
    }
}

fn withheld(world: &World, step: usize, tools: Vec<ToolId>, deferral: Deferral) -> Withheld {
    let gate = tools.first().map_or(GateKind::None, |&tool| GateKind::of(world, tool));
    Withheld { step, tools, gate, deferral }
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
