//! A step and a run in words: what text outputs, JSON and screens show alike (design §6).

use std::borrow::Cow;
use std::ops::RangeInclusive;

use serde::{Serialize, Serializer};

use super::{Damage, Log, Replay, StepOutcome, WorldMatch};
use crate::{
    exec::{Changes, Json, OVER_BUDGET, Observation, Outcome, Refusal, Request, Share, State, sorted_texts},
    world::{FactId, World},
};

/// One step with everything in words.
#[derive(Debug, Clone, Serialize)]
pub struct StepView {
    /// From 1.
    pub step: usize,
    /// The id of the call, as far as it has one.
    pub call: Option<String>,
    /// As sent.
    pub tool: Json,
    /// As sent.
    pub args: Json,
    /// Whether it fired.
    pub fired: bool,
    /// Whether it was beyond the budget.
    pub over_budget: bool,
    /// Why not.
    pub refusals: Vec<RefusalView>,
    /// Facts that became true, sorted.
    pub added: Vec<String>,
    /// Facts that became false, sorted.
    pub removed: Vec<String>,
    /// Slot values that nobody had before, sorted.
    pub produced: Vec<String>,
    /// What the agent reads back; from the executor, else as recorded.
    pub observation: Option<String>,
    /// Goal literals that hold after it.
    pub goal: Option<Share>,
    /// Whether the log says otherwise.
    pub diverges: bool,
}

/// A reason, from the executor or as recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefusalView {
    /// The executor's.
    Executed(Refusal),
    /// The log's, where nothing could be executed.
    Recorded {
        /// Its name, if it has one.
        reason: Option<String>,
        /// All of it.
        json: Json,
    },
}

impl RefusalView {
    /// The reason's name.
    pub fn name(&self) -> &str {
        match self {
            RefusalView::Executed(refusal) => refusal.name(),
            RefusalView::Recorded { reason, .. } => reason.as_deref().unwrap_or("?"),
        }
    }
}

impl std::fmt::Display for RefusalView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RefusalView::Executed(refusal) => refusal.fmt(f),
            RefusalView::Recorded { json, .. } => match Refusal::read(json.as_str()) {
                Some(refusal) => refusal.fmt(f),
                None => f.write_str(json.as_str()),
            },
        }
    }
}

impl Serialize for RefusalView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            RefusalView::Executed(refusal) => refusal.serialize(serializer),
            RefusalView::Recorded { json, .. } => json.serialize(serializer),
        }
    }
}

impl StepView {
    /// A step of a log, executed if there is a replay; `step` counts from 1.
    pub fn of(log: &Log, replay: Option<&Replay>, step: usize) -> Option<StepView> {
        let call = log.call(log.call_of(step)?)?;
        let mut view = StepView {
            step,
            call: call.id.map(Cow::into_owned),
            tool: Json::of(call.tool),
            args: Json::of(call.args),
            fired: false,
            over_budget: false,
            refusals: Vec::new(),
            added: Vec::new(),
            removed: Vec::new(),
            produced: Vec::new(),
            observation: None,
            goal: None,
            diverges: false,
        };
        match replay.and_then(|replay| replay.steps().get(step - 1).map(|record| (replay, record))) {
            Some((replay, record)) => {
                view.diverges = record.diverges;
                view.goal = record.goal;
                view.execute(replay, &record.outcome, &Request::of(&replay.setup.world, call.tool, call.args));
            }
            None => view.recall(log),
        }
        Some(view)
    }

    /// The tool as it was sent: a string without its quotes.
    pub fn tool_text(&self) -> String {
        self.tool.as_string().unwrap_or_else(|| self.tool.as_str().to_owned())
    }

    fn execute(&mut self, replay: &Replay, outcome: &StepOutcome, request: &Request) {
        let (world, role) = (&replay.setup.world, replay.setup.role);
        let before = replay.state_after(self.step - 1);
        match outcome {
            StepOutcome::Fired(changes) => {
                self.fired = true;
                self.added = sorted_texts(world, changes.added.iter().copied());
                self.removed = sorted_texts(world, changes.removed.iter().copied());
                self.produced = sorted_texts(world, changes.produced.iter().copied());
            }
            StepOutcome::Refused(reasons) => {
                let word = |reason| RefusalView::Executed(Refusal::of(world, role, &before, request, reason));
                self.refusals = reasons.iter().map(word).collect();
            }
            StepOutcome::OverBudget => {
                self.over_budget = true;
                self.observation = Some(OVER_BUDGET.to_owned());
                return;
            }
        }
        let observation = observation(replay, &before, outcome, request);
        self.observation = Some(observation.text(world));
    }

    fn recall(&mut self, log: &Log) {
        let Some(recorded) = log.recorded(self.step) else { return };
        let texts = |texts: Vec<Cow<str>>| {
            let mut texts: Vec<String> = texts.into_iter().map(Cow::into_owned).collect();
            texts.sort_unstable();
            texts
        };
        self.fired = recorded.fired.unwrap_or(false);
        self.refusals = recorded
            .refusals
            .into_iter()
            .map(|r| RefusalView::Recorded { reason: r.reason.map(Cow::into_owned), json: Json::of(r.json) })
            .collect();
        self.added = texts(recorded.added);
        self.removed = texts(recorded.removed);
        self.produced = texts(recorded.produced);
        self.observation = recorded.observation.map(Cow::into_owned);
    }
}

/// Arguments by name; what is no object has no names.
pub fn arguments(args: &str) -> Vec<(String, String)> {
    let members: Result<indexmap::IndexMap<String, Box<serde_json::value::RawValue>>, _> = serde_json::from_str(args);
    let text =
        |raw: &serde_json::value::RawValue| serde_json::from_str(raw.get()).unwrap_or_else(|_| raw.get().to_owned());
    match members {
        Ok(members) => members.iter().map(|(name, value)| (name.clone(), text(value))).collect(),
        Err(_) if args == "null" => Vec::new(),
        Err(_) => vec![(String::new(), args.to_owned())],
    }
}

/// What the agent read back from a step that was executed, with the facts it listed.
pub fn observation(replay: &Replay, before: &State, outcome: &StepOutcome, request: &Request) -> Observation {
    let setup = &replay.setup;
    let outcome = match outcome {
        StepOutcome::OverBudget => return Observation { report: OVER_BUDGET.to_owned(), ..Observation::default() },
        StepOutcome::Refused(reasons) => Outcome::Refused(reasons.clone()),
        StepOutcome::Fired(changes) => Outcome::Fired(Changes::clone(changes)),
    };
    Observation::of(&setup.world, setup.role, setup.feedback, before, request, &outcome)
}

/// The steps of a run, put in words one by one when they are asked for: in words a log takes many
/// times its size.
#[derive(Debug, Clone)]
pub struct StepViews<'a> {
    log: &'a Log,
    replay: Option<&'a Replay>,
    /// From 1.
    steps: RangeInclusive<usize>,
}

impl<'a> StepViews<'a> {
    /// All steps of a log, executed if there is a replay.
    pub fn of(log: &'a Log, replay: Option<&'a Replay>) -> Self {
        StepViews { log, replay, steps: 1..=log.steps() }
    }

    /// This one alone, if there is such a step.
    #[must_use]
    pub fn only(self, step: usize) -> Self {
        let steps = step.max(*self.steps.start())..=step.min(*self.steps.end());
        StepViews { steps, ..self }
    }

    /// The steps in order.
    pub fn iter(&self) -> impl Iterator<Item = StepView> + use<'_, 'a> {
        self.steps.clone().filter_map(|step| StepView::of(self.log, self.replay, step))
    }
}

impl Serialize for StepViews<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// A whole run in the shape of `refract replay --format json` (design §6).
#[derive(Debug, Clone, Serialize)]
pub struct RunView<'a> {
    /// The run's id, else the name of its file.
    pub run: String,
    /// The problem's id.
    pub problem: Option<String>,
    /// The acting role.
    pub role: Option<String>,
    /// The tool set; the problem's first if the log names none.
    pub toolset: Option<String>,
    /// The agent's name.
    pub agent: Option<String>,
    /// The budget that rules.
    pub budget: Option<u64>,
    /// Why it ended.
    pub end: Option<String>,
    /// The budget of the problem as it is here.
    pub problem_budget: Option<u32>,
    /// How the present world relates to the log's.
    pub world: WorldMatch,
    /// Whether it was executed.
    pub executed: bool,
    /// Whether some step differs from what was recorded.
    pub diverged: bool,
    /// The steps.
    pub steps: StepViews<'a>,
    /// The state at the end, if it was executed.
    #[serde(rename = "final")]
    pub end_state: Option<EndState>,
    /// What is wrong with the log.
    pub damage: Vec<DamageView>,
}

/// A state in words.
#[derive(Debug, Clone, Serialize)]
pub struct EndState {
    /// Facts, sorted.
    pub facts: Vec<String>,
    /// Slot values, given ones included, sorted.
    pub produced: Vec<String>,
}

/// A [`Damage`] as JSON shows it.
#[derive(Debug, Clone, Serialize)]
pub struct DamageView {
    /// From 1.
    pub line: usize,
    /// A sentence.
    pub message: String,
}

impl EndState {
    /// Splits a state into facts and slot values.
    pub fn of(world: &World, state: &State) -> Self {
        let (produced, facts): (Vec<FactId>, Vec<FactId>) =
            state.iter().partition(|&fact| world.facts.is_slot_value(fact));
        EndState { facts: sorted_texts(world, facts), produced: sorted_texts(world, produced) }
    }
}

impl<'a> RunView<'a> {
    /// Everything about a run; `name` stands in for an id that the log lacks.
    pub fn of(name: &str, log: &'a Log, replay: Option<&'a Replay>) -> Self {
        let header = log.header().unwrap_or_default();
        let setup = replay.map(|replay| &replay.setup);
        let toolset =
            setup.and_then(|s| s.world.problem.toolsets.get_index(s.toolset.index()).map(|(name, _)| name.clone()));
        RunView {
            run: header.id.unwrap_or_else(|| name.to_owned()),
            problem: setup.map(|s| s.world.problem.id.clone()).or(header.problem),
            role: setup.map(|s| s.world.domain.role_name(s.role).to_owned()).or(header.role),
            toolset: toolset.or(header.toolset),
            agent: header.agent.and_then(|agent| agent.name),
            budget: setup.map(|s| s.budget.into()).or(header.budget),
            end: log.end_reason().map(Cow::into_owned),
            problem_budget: setup.map(|s| s.world.problem.budget),
            world: replay.map_or(WorldMatch::Missing, |replay| replay.world_match),
            executed: replay.is_some(),
            diverged: replay.is_some_and(Replay::diverged),
            steps: StepViews::of(log, replay),
            end_state: replay.map(|replay| EndState::of(&replay.setup.world, replay.end_state())),
            damage: log.damage().map(|Damage { line, message, .. }| DamageView { line, message }).collect(),
        }
    }
}
