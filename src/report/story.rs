//! One run to be read: what was asked, what the agent did, what came of it.

use super::{Run, marks::clip};
use crate::{
    exec::{Difference, Refusal, Share, change_parts, goal_words},
    plan::Distance,
    run::{Log, Recorded, Replay, RowId, RowKind, StepKind, StepOutcome, StepView, WorldMatch, arguments},
    score::{Deferral, Verdict},
    text::count,
    world::World,
};

/// A run in words. Nothing is made safe to show yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Story {
    /// The place of the run among those of the report; names it where ids are not unique.
    pub place: usize,
    /// The run's id, else the name of its file.
    pub run: String,
    /// The entry.
    pub problem: String,
    /// Its title.
    pub title: String,
    /// The role.
    pub role: String,
    /// The tool set.
    pub toolset: String,
    /// The agent.
    pub agent: String,
    /// What the user asked.
    pub query: String,
    /// Who the agent serves.
    pub persona: String,
    /// Complete without over-reach.
    pub solved: bool,
    /// Goal literals that hold at the end.
    pub goal: Share,
    /// Calls that failed a gate.
    pub over_reach: usize,
    /// Actions withheld; `None` if that was not looked for.
    pub under_reach: Option<usize>,
    /// Calls in the log.
    pub calls: usize,
    /// Calls allowed.
    pub budget: u32,
    /// Why it ended, as the log says.
    pub end: String,
    /// The worst kind of step.
    pub worst: Option<StepKind>,
    /// What a reader should know before believing what follows.
    pub warnings: Vec<String>,
    /// The distance to the goal at the start.
    pub start: Option<Distance>,
    /// What happened, in order.
    pub items: Vec<Item>,
    /// Steps that are left out at the end.
    pub left_out: usize,
    /// What was found at its end: an action withheld, routing not done.
    pub remarks: Vec<String>,
    /// The literals of the alternative that counts: whether it holds, its text, in words.
    pub literals: Vec<(bool, String, String)>,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// Somebody said or thought something.
    Said {
        /// Who.
        from: String,
        /// The text.
        text: String,
        /// Not said aloud.
        reasoning: bool,
    },
    /// A call.
    Step(Box<Step>),
    /// A line of the log that is none.
    Broken(String),
}

/// A call and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// From 1.
    pub number: usize,
    /// What kind it was.
    pub kind: StepKind,
    /// The tool as sent.
    pub tool: String,
    /// The arguments as sent.
    pub args: Vec<(String, String)>,
    /// What it did to the distance, and the distance after it.
    pub way: Option<(Verdict, Distance)>,
    /// Goal literals that hold after it.
    pub goal: Option<Share>,
    /// The diff: a sign and a text.
    pub changes: Vec<(char, String)>,
    /// Why it did not fire.
    pub reasons: Vec<String>,
    /// What the agent read back.
    pub observation: String,
    /// What else is to be said of it: under-reach, misrouting, divergence, damage.
    pub remarks: Vec<String>,
}

/// Steps that are told of one run, lines of its log that are looked at, and characters of one text: a page
/// stays readable, and small, whatever a log holds.
const STEPS: usize = 60;
const ITEMS: usize = 240;
const TEXT: usize = 1200;
const ARGUMENT: usize = 300;

impl Story {
    /// Tells a run that was executed to its end.
    pub fn of(place: usize, run: &Run, log: &Log, replay: &Replay) -> Story {
        let scored = &run.scored;
        let world = &*replay.setup.world;
        let perspective = world.problem.perspectives.get(&replay.setup.role);
        let ways = scored.ways.as_ref();
        let items = items(run, log, replay);
        let told = items.iter().filter(|item| matches!(item, Item::Step(_))).count();
        Story {
            place,
            run: scored.run.clone(),
            problem: scored.problem.clone(),
            title: world.problem.title.clone(),
            role: scored.role.clone(),
            toolset: scored.toolset.clone(),
            agent: scored.agent.clone().unwrap_or_default(),
            query: world.problem.query.clone(),
            persona: perspective.map(|perspective| perspective.persona.clone()).unwrap_or_default(),
            solved: scored.score.solved,
            goal: scored.score.goal,
            over_reach: scored.score.over_reach.attempts as usize,
            under_reach: ways.map(|ways| ways.withheld.len()),
            calls: log.steps(),
            budget: scored.score.budget,
            end: scored.end.as_deref().map_or("no end".to_owned(), |end| clip(end, ARGUMENT)),
            worst: (1..=log.steps()).map(|step| StepKind::of(log, Some(replay), step)).max(),
            warnings: warnings(run, replay),
            start: ways.and_then(|ways| ways.distance.first().copied()),
            left_out: log.steps() - told,
            items,
            remarks: at_the_end(run, replay, log.steps()),
            literals: literals(replay),
        }
    }
}

fn warnings(run: &Run, replay: &Replay) -> Vec<String> {
    let own = replay.setup.world.problem.budget;
    let budget = replay.setup.budget;
    let said = [
        (run.scored.world == WorldMatch::Changed)
            .then(|| "the world has changed since: executed on the present one".to_owned()),
        (budget != own).then(|| format!("the budget of the run is {budget}, that of the entry {own}")),
        run.diverged.then(|| "the log says otherwise at some step".to_owned()),
        (run.scored.damage > 0).then(|| format!("the log is damaged, {}", count(run.scored.damage, "place"))),
    ];
    said.into_iter().flatten().collect()
}

fn items(run: &Run, log: &Log, replay: &Replay) -> Vec<Item> {
    let mut steps = 0;
    let mut items = Vec::new();
    for id in log.row_ids() {
        let Some(row) = log.row(id) else { continue };
        match row.kind {
            RowKind::Call if steps == STEPS => break,
            RowKind::Call => {
                steps += 1;
                items.extend(step(run, log, replay, row.step()).map(|step| Item::Step(Box::new(step))));
            }
            RowKind::Message => items.extend(said(log, id)),
            RowKind::Broken | RowKind::Unknown => {
                let messages =
                    log.damage_of(id).into_iter().map(|found| format!("line {}: {}", found.line, found.message));
                items.push(Item::Broken(messages.collect::<Vec<_>>().join("; ")));
            }
            _ => {}
        }
        if items.len() == ITEMS {
            break;
        }
    }
    items
}

/// What an agent or a player said; what it was told stands at the head of the story.
fn said(log: &Log, row: RowId) -> Option<Item> {
    let message = log.message(row)?;
    if matches!(&*message.from, "system" | "user") || message.text.trim().is_empty() {
        return None;
    }
    let (from, text) = (message.from.into_owned(), clip(message.text.trim(), TEXT));
    Some(Item::Said { from, text, reasoning: message.reasoning })
}

fn step(run: &Run, log: &Log, replay: &Replay, number: usize) -> Option<Step> {
    let view = StepView::of(log, Some(replay), number)?;
    let world = &*replay.setup.world;
    let ways = run.scored.ways.as_ref();
    let way = ways.and_then(|ways| Some((*ways.verdicts.get(number - 1)?, *ways.distance.get(number)?)));
    let before = replay.goal_after(number - 1);
    let differences = match &replay.steps().get(number - 1)?.outcome {
        StepOutcome::Fired(changes) => Difference::of(world, changes),
        _ => Vec::new(),
    };
    let mut remarks = remarks(run, replay, number);
    if let Some(recorded) = log.recorded(number).filter(|_| view.diverges) {
        remarks.push(format!("the log says otherwise: {}", recorded_words(&recorded)));
    }
    let rows = [log.call_of(number), log.result_of(number)].into_iter().flatten();
    remarks
        .extend(rows.flat_map(|row| log.damage_of(row)).map(|found| format!("line {}: {}", found.line, found.message)));
    Some(Step {
        number,
        kind: StepKind::of(log, Some(replay), number),
        tool: clip(&view.tool_text(), ARGUMENT),
        args: arguments(view.args.as_str())
            .iter()
            .map(|(name, value)| (clip(name, ARGUMENT), clip(value, ARGUMENT)))
            .collect(),
        way,
        goal: view.goal.filter(|&goal| Some(goal) != before),
        changes: differences.into_iter().map(|difference| change(world, difference)).collect(),
        reasons: view.refusals.iter().map(|refusal| clip(&refusal.to_string(), TEXT)).collect(),
        observation: clip(view.observation.as_deref().unwrap_or_default().trim(), TEXT),
        remarks,
    })
}

fn change(world: &World, difference: Difference) -> (char, String) {
    match difference {
        Difference::Changed { from, to } => {
            let (key, from, to) = change_parts(world, from, to);
            ('~', format!("{key}: {from} → {to}"))
        }
        Difference::Removed(fact) => ('−', world.fact_text(fact)),
        Difference::Added(fact) => ('+', world.fact_text(fact)),
        Difference::Produced(fact) => ('+', format!("in hand: {}", world.fact_text(fact))),
    }
}

/// What was found where a step did something in place of something else.
fn remarks(run: &Run, replay: &Replay, step: usize) -> Vec<String> {
    let Some(ways) = &run.scored.ways else { return Vec::new() };
    let withheld = ways.withheld.iter().filter(|held| held.step == step && held.deferral == Deferral::Routed);
    let mut remarks: Vec<String> = withheld.map(|held| held.line(&replay.setup.world, replay.setup.role)).collect();
    if ways.misroutes.contains(&step) {
        remarks.push("routed without a use".to_owned());
    }
    remarks
}

fn at_the_end(run: &Run, replay: &Replay, steps: usize) -> Vec<String> {
    let Some(ways) = &run.scored.ways else { return Vec::new() };
    let withheld = ways.withheld.iter().filter(|held| held.deferral == Deferral::Stopped || held.step > steps);
    let mut remarks: Vec<String> = withheld.map(|held| held.line(&replay.setup.world, replay.setup.role)).collect();
    if ways.missed_route {
        remarks.push("stopped where routing was left to do".to_owned());
    }
    remarks
}

fn recorded_words(recorded: &Recorded) -> String {
    let mut words = vec![match recorded.fired {
        Some(true) => "fired".to_owned(),
        Some(false) => "refused".to_owned(),
        None => "not said whether it fired".to_owned(),
    }];
    for (sign, texts) in [('−', &recorded.removed), ('+', &recorded.added), ('+', &recorded.produced)] {
        words.extend(texts.iter().map(|text| format!("{sign} {text}")));
    }
    for refusal in &recorded.refusals {
        let json = refusal.json.get();
        words.push(Refusal::read(json).map_or_else(|| json.to_owned(), |refusal| refusal.to_string()));
    }
    clip(&words.join("; "), TEXT)
}

/// The goal as it stands at the end.
fn literals(replay: &Replay) -> Vec<(bool, String, String)> {
    let world = &*replay.setup.world;
    let Some(perspective) = world.problem.perspectives.get(&replay.setup.role) else { return Vec::new() };
    let state = replay.end_state();
    let literals = &perspective.goal.alternatives[perspective.goal.best(state).0];
    literals.iter().map(|literal| (literal.holds(state), literal.text.clone(), goal_words(world, literal))).collect()
}
