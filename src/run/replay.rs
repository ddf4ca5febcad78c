//! Replay: a log's calls executed again, and what was recorded held against it (design §4).

use std::{borrow::Cow, ops::Range, sync::Arc};

use rayon::prelude::*;
use serde::Serialize;

use super::{Header, Log, read::Compared};
use crate::{
    exec::{Changes, Facts, Feedback, Json, Outcome, Raw, Reason, Request, Share, State, ground_atom, step},
    world::{RelationKind, RoleId, ToolId, ToolsetId, World},
};

/// How the present world relates to the one that the log was written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WorldMatch {
    /// The digests agree, or the log has none.
    Same,
    /// Domain or problem has changed since; executed on the present one.
    Changed,
    /// There is no such entry here.
    Missing,
}

/// What a run is executed with.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The entry.
    pub world: Arc<World>,
    /// Who acts.
    pub role: RoleId,
    /// The tools offered.
    pub toolset: ToolsetId,
    /// How many calls count; the log's, else the problem's.
    pub budget: u32,
    /// How much refusals say.
    pub feedback: Feedback,
}

impl Setup {
    /// From a header; what it lacks comes from the problem.
    ///
    /// # Errors
    /// Says which name is unknown here; then the run opens on what was recorded.
    pub fn of(header: &Header, world: &Arc<World>) -> Result<Setup, String> {
        let role = header.role.as_deref().ok_or("the log names no role")?;
        let toolset = match &header.toolset {
            None => ToolsetId(0),
            Some(name) => {
                let index = world.problem.toolsets.get_index_of(name);
                index.map(ToolsetId::from).ok_or_else(|| format!("the entry has no tool set '{name}'"))?
            }
        };
        Ok(Setup {
            world: world.clone(),
            role: world.domain.role_id(role).ok_or_else(|| format!("the domain has no role '{role}'"))?,
            toolset,
            budget: header.budget.map_or(world.problem.budget, |budget| u32::try_from(budget).unwrap_or(u32::MAX)),
            feedback: header.feedback.unwrap_or_default(),
        })
    }

    /// Whether the digests of a header say that the world has changed.
    pub fn matches(&self, header: &Header) -> WorldMatch {
        let same =
            |digest: &Option<String>, now: &str| digest.as_deref().is_none_or(|then| then.eq_ignore_ascii_case(now));
        let domain = same(&header.domain_digest, &self.world.domain.digest);
        if domain && same(&header.problem_digest, &self.world.problem.digest) {
            WorldMatch::Same
        } else {
            WorldMatch::Changed
        }
    }
}

/// What became of one step. Small: a run has hundreds of thousands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepRecord {
    /// What was called, if it is a tool of the domain.
    pub tool: Option<ToolId>,
    /// What the call did.
    pub outcome: StepOutcome,
    /// Whether the log says otherwise.
    pub diverges: bool,
    /// Goal literals that hold after it; `None` without a perspective.
    pub goal: Option<Share>,
}

/// What a call did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepOutcome {
    /// It fired.
    Fired(Box<Changes>),
    /// It was refused.
    Refused(Box<[Reason]>),
    /// Beyond the budget: not executed.
    OverBudget,
}

/// A log executed on a world, step by step. Grows as the log grows.
#[derive(Debug, Clone)]
pub struct Replay {
    /// What it is executed with.
    pub setup: Setup,
    /// Whether the world is the log's.
    pub world_match: WorldMatch,
    steps: Vec<StepRecord>,
    /// The state before step `i * STRIDE + 1`.
    checkpoints: Vec<State>,
    state: State,
    start_goal: Option<Share>,
    executed: u32,
    diverging: usize,
}

/// Steps between two states that are kept; those between are made from the changes.
const STRIDE: usize = 64;

/// Steps that are executed at a time, and the least of them that is worth another thread.
const PORTION: usize = 2048;
const SHARE: usize = 128;

impl Replay {
    /// Nothing executed yet.
    pub fn new(setup: Setup, world_match: WorldMatch) -> Self {
        let state = State::initial(&setup.world, setup.role);
        let mut replay = Replay {
            world_match,
            steps: Vec::new(),
            checkpoints: Vec::new(),
            start_goal: None,
            executed: 0,
            diverging: 0,
            state,
            setup,
        };
        replay.start_goal = replay.share(&replay.state);
        replay
    }

    /// Executes a log to its end.
    pub fn whole(setup: Setup, world_match: WorldMatch, log: &Log) -> Self {
        let mut replay = Replay::new(setup, world_match);
        replay.advance(log, usize::MAX);
        replay
    }

    /// Executes a log to its end without a look at what was recorded: what it came to, whoever says
    /// otherwise.
    pub fn executed(setup: Setup, world_match: WorldMatch, log: &Log) -> Self {
        let mut replay = Replay::new(setup, world_match);
        let requests = requests(&replay.setup.world, log, 0..log.steps());
        replay.execute(&requests);
        replay
    }

    /// Executes up to `steps` more calls; says whether the log's end is reached. Only executing goes
    /// from state to state: what was sent is read ahead of it and what was recorded behind it, most of
    /// the work, in parallel.
    pub fn advance(&mut self, log: &Log, steps: usize) -> bool {
        let to = log.steps().min(self.steps.len().saturating_add(steps));
        let portion = |from: usize| from..to.min(from + PORTION);
        let world = self.setup.world.clone();
        let mut requests = requests(&world, log, portion(self.steps.len()));
        while !requests.is_empty() {
            let known = self.steps.len();
            let next = portion(known + requests.len());
            (requests, _) = rayon::join(|| self::requests(&world, log, next), || self.execute(&requests));
            self.compare(log, known);
        }
        self.steps.len() == log.steps()
    }

    /// Forgets all steps after this one: the log's last line was taken back.
    pub fn truncate(&mut self, steps: usize) {
        if steps >= self.steps.len() {
            return;
        }
        self.state = self.state_after(steps);
        for record in self.steps.drain(steps..) {
            self.executed -= u32::from(record.outcome != StepOutcome::OverBudget);
            self.diverging -= usize::from(record.diverges);
        }
        self.checkpoints.truncate(steps.div_ceil(STRIDE));
    }

    /// The steps executed so far; step `n` stands at `n - 1`.
    pub fn steps(&self) -> &[StepRecord] {
        &self.steps
    }

    /// Whether some step differs from what was recorded.
    pub fn diverged(&self) -> bool {
        self.diverging > 0
    }

    /// Calls executed: all but those beyond the budget.
    pub fn calls(&self) -> u32 {
        self.executed
    }

    /// The state after a step; after 0 it is the start, after the last the end.
    pub fn state_after(&self, step: usize) -> State {
        if step >= self.steps.len() {
            return self.state.clone();
        }
        let checkpoint = step / STRIDE;
        let mut state = match self.checkpoints.get(checkpoint) {
            Some(state) => state.clone(),
            None => return self.state.clone(),
        };
        for record in &self.steps[checkpoint * STRIDE..step] {
            if let StepOutcome::Fired(changes) = &record.outcome {
                changes.apply(&mut state);
            }
        }
        state
    }

    /// The state after the last step.
    pub fn end_state(&self) -> &State {
        &self.state
    }

    /// Goal literals that hold after a step; `None` without a perspective.
    pub fn goal_after(&self, step: usize) -> Option<Share> {
        match step.checked_sub(1).map(|index| self.steps.get(index)) {
            None => self.start_goal,
            Some(record) => record.and_then(|record| record.goal),
        }
    }

    /// The call of a step, resolved against the present world.
    pub fn request(&self, log: &Log, step: usize) -> Option<Request> {
        request(&self.setup.world, log, step)
    }

    fn share(&self, state: &State) -> Option<Share> {
        let perspective = self.setup.world.problem.perspectives.get(&self.setup.role)?;
        Some(perspective.goal.best(state).1)
    }

    fn execute(&mut self, requests: &[Request]) {
        for request in requests {
            let outcome = self.call(request);
            let changes = matches!(outcome, StepOutcome::Fired(_));
            let goal = if changes { self.share(&self.state) } else { self.goal_after(self.steps.len()) };
            self.steps.push(StepRecord { tool: request.tool(), outcome, diverges: false, goal });
        }
    }

    /// Holds what was recorded against the steps behind the `known` ones.
    fn compare(&mut self, log: &Log, known: usize) {
        let world = &self.setup.world;
        let diverges = |(index, record): (usize, &mut StepRecord)| {
            let recorded = log.result_of(known + index + 1).and_then(|row| log.compared(row));
            record.diverges = recorded.is_some_and(|recorded| differs(world, &record.outcome, &recorded));
            usize::from(record.diverges)
        };
        let executed = self.steps[known..].par_iter_mut();
        self.diverging += executed.with_min_len(SHARE).enumerate().map(diverges).sum::<usize>();
    }

    fn call(&mut self, request: &Request) -> StepOutcome {
        if self.steps.len().is_multiple_of(STRIDE) {
            self.checkpoints.push(self.state.clone());
        }
        if self.executed >= self.setup.budget {
            return StepOutcome::OverBudget;
        }
        self.executed += 1;
        let Setup { world, role, toolset, .. } = &self.setup;
        match step(world, *role, *toolset, &self.state, request) {
            Outcome::Refused(reasons) => StepOutcome::Refused(reasons),
            Outcome::Fired(changes) => {
                changes.apply(&mut self.state);
                StepOutcome::Fired(Box::new(changes))
            }
        }
    }
}

/// The calls of some steps, counted from 0, resolved.
fn requests(world: &World, log: &Log, steps: Range<usize>) -> Vec<Request> {
    let resolve = |step| request(world, log, step + 1).unwrap_or_else(|| Request::UnknownTool(Json::of(Raw::NULL)));
    steps.into_par_iter().with_min_len(SHARE).map(resolve).collect()
}

fn request(world: &World, log: &Log, step: usize) -> Option<Request> {
    let (tool, args) = log.sent(log.call_of(step)?)?;
    Some(Request::of(world, tool, args))
}

/// Whether what was recorded differs in `fired`, the reasons in order, or the three diffs.
fn differs(world: &World, outcome: &StepOutcome, recorded: &Compared) -> bool {
    let nothing = Changes::default();
    let (fired, reasons, changes): (bool, &[Reason], &Changes) = match outcome {
        StepOutcome::Fired(changes) => (true, &[], changes),
        StepOutcome::Refused(reasons) => (false, reasons, &nothing),
        StepOutcome::OverBudget => (false, &[], &nothing),
    };
    let [added, removed, produced] = recorded.diffs();
    recorded.fired != Some(fired)
        || !recorded.reasons().eq(reasons.iter().map(|reason| Some(Cow::Borrowed(reason.name()))))
        || !same_facts(world, RelationKind::Predicate, added, &changes.added)
        || !same_facts(world, RelationKind::Predicate, removed, &changes.removed)
        || !same_facts(world, RelationKind::Slot, produced, &changes.produced)
}

/// Facts are compared after parsing, as sets.
fn same_facts<'a>(world: &World, kind: RelationKind, then: impl Iterator<Item = Cow<'a, str>>, now: &Facts) -> bool {
    let mut found = Facts::new();
    for text in then {
        let Some(fact) = ground_atom(world, &text, kind) else { return false };
        found.push(fact);
    }
    found.sort_unstable();
    found.dedup();
    found == *now
}
