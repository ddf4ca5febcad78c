//! The game itself: an episode, and apart from it all that the player was told.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::exec::{
    Counts, Difference, Episode, Feedback, Json, Observation, Opening, Refusal, Request, Step, Terms, fact_words, step,
};
use crate::run::{Agent, EndReason, Event, Header, Speaker};
use crate::world::{FactId, RoleId, ToolsetId, World};

/// All that the player was told. Whatever blind play shows is made from this alone.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The entry's id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Who is served.
    pub role: String,
    /// The tools offered.
    pub toolset: String,
    /// What was told at the start.
    pub opening: Opening,
    /// What happened since.
    pub turns: Vec<Turn>,
    /// Facts as last seen, the latest last.
    pub known: Vec<Known>,
    /// Values in hand, in the order in which they came.
    pub hand: Vec<Held>,
    /// Calls made.
    pub calls: u32,
    /// Why it ended, once it has.
    pub end: Option<EndReason>,
}

impl Seen {
    /// Whether the player left before anything happened: that is no run, and leaves no log.
    pub fn left_at_once(&self) -> bool {
        self.end == Some(EndReason::Stopped) && self.turns.is_empty()
    }
}

/// One thing that happened.
#[derive(Debug, Clone)]
pub enum Turn {
    /// A call, and what was read back.
    Call(Called),
    /// The player's words.
    Said(String),
    /// The player opened the world.
    Opened,
}

/// A call as the player knows it.
#[derive(Debug, Clone)]
pub struct Called {
    /// From 1.
    pub step: usize,
    /// The tool, as sent.
    pub tool: String,
    /// The arguments, as sent.
    pub args: Vec<(String, String)>,
    /// Whether it fired.
    pub fired: bool,
    /// What the tool reported, or why it was refused.
    pub report: String,
    /// The facts that it listed, in words.
    pub facts: Vec<String>,
    /// The values that it handed over.
    pub values: Vec<String>,
}

/// A fact that an observation listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// What it says, in words.
    pub words: String,
    /// The step that said it last.
    pub step: usize,
    /// Names what has this value: a later value of the same replaces it.
    key: u32,
}

/// A slot value in hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// Canonical print.
    pub value: String,
    /// The step that produced it first; 0 for one that was given.
    pub step: usize,
}

/// A call to be sent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sent {
    /// The tool's name.
    pub tool: String,
    /// The arguments that are not left out.
    pub args: Vec<(String, String)>,
}

impl Sent {
    /// As an agent would send it.
    pub fn json(&self) -> (Json, Json) {
        let args: Map<String, Value> = self.args.iter().map(|(k, v)| (k.clone(), Value::from(v.as_str()))).collect();
        (Json::string(&self.tool), Json::new(&Value::Object(args).to_string()))
    }
}

/// What the player does not see: kept for open play and for the end.
#[derive(Debug, Clone)]
pub struct Truth {
    /// Every reason of a refusal.
    pub refusals: Vec<Refusal>,
    /// What changed.
    pub counts: Counts,
}

/// A run being played.
#[derive(Debug)]
pub struct Session {
    /// What the player was told.
    pub seen: Seen,
    /// The run.
    pub episode: Episode,
    /// By step, from 0.
    pub truths: Vec<Truth>,
    /// Goal, gates and state are shown.
    pub open: bool,
}

impl Session {
    /// A run from its start.
    pub fn new(world: &Arc<World>, role: RoleId, toolset: ToolsetId) -> Session {
        let terms = Terms { role, toolset, budget: Some(world.problem.budget), feedback: Feedback::Hidden };
        let opening = Opening::of(world, role, toolset);
        let name = world.problem.toolsets.get_index(toolset.index()).map_or("", |(name, _)| name);
        let seen = Seen {
            id: world.problem.id.clone(),
            title: world.problem.title.clone(),
            role: world.domain.role_name(role).to_owned(),
            toolset: name.to_owned(),
            hand: opening.given.iter().map(|value| Held { value: value.clone(), step: 0 }).collect(),
            opening,
            turns: Vec::new(),
            known: Vec::new(),
            calls: 0,
            end: None,
        };
        Session { seen, episode: Episode::new(world.clone(), terms), truths: Vec::new(), open: false }
    }

    /// The header of its log.
    pub fn header(&self, started: jiff::Timestamp) -> Header {
        let agent = Agent { name: Some("human".to_owned()), model: None };
        Header::of(
            &self.episode.world,
            &self.episode.terms,
            "",
            agent,
            started.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        )
    }

    /// The name of its log.
    pub fn name(&self) -> String {
        format!("{}-{}-human", self.seen.id, self.seen.role)
    }

    /// Makes a call. Gives the events of the log; the budget may end the run.
    pub fn call(&mut self, sent: &Sent) -> Vec<Event> {
        let (tool, args) = sent.json();
        let world = self.episode.world.clone();
        let (step, observation) = self.episode.call(tool.as_str(), args.as_str());
        let number = self.seen.calls + 1;
        let id = format!("c{number}");
        let result = Event::result(&world, &id, &step, &observation);
        self.tell(&world, number as usize, sent, &step, &observation);
        let mut events = vec![Event::Call { id, tool, args }, result];
        if self.episode.calls_left() == Some(0) {
            events.extend(self.end(EndReason::Budget));
        }
        events
    }

    fn tell(&mut self, world: &World, number: usize, sent: &Sent, step: &Step, observation: &Observation) {
        let words = |fact: &FactId| fact_words(world, *fact);
        let called = Called {
            step: number,
            tool: sent.tool.clone(),
            args: sent.args.clone(),
            fired: matches!(step, Step::Fired(_)),
            report: observation.report.clone(),
            facts: observation.facts.iter().map(words).collect(),
            values: observation.values.iter().map(|&value| world.fact_text(value)).collect(),
        };
        for &fact in &observation.facts {
            let key = if world.is_functional(fact) { world.facts.key_range_of(fact).start } else { fact.0 };
            self.seen.known.retain(|known| known.key != key);
            self.seen.known.push(Known { words: fact_words(world, fact), step: number, key });
        }
        for value in &called.values {
            if !self.seen.hand.iter().any(|held| held.value == *value) {
                self.seen.hand.push(Held { value: value.clone(), step: number });
            }
        }
        self.seen.calls += 1;
        self.seen.turns.push(Turn::Call(called));
        let (refusals, counts) = match step {
            Step::Fired(changes) => (Vec::new(), Counts::of(&Difference::of(world, changes))),
            Step::Refused(refusals) => (refusals.clone(), Counts::default()),
            Step::OverBudget => (Vec::new(), Counts::default()),
        };
        self.truths.push(Truth { refusals, counts });
    }

    /// Says something.
    pub fn say(&mut self, text: String) -> Event {
        self.seen.turns.push(Turn::Said(text.clone()));
        Event::Message { from: Speaker::Player, text, reasoning: false }
    }

    /// Shows goal, gates and state from here on: the log tells it.
    pub fn reveal(&mut self) -> Event {
        self.open = true;
        self.seen.turns.push(Turn::Opened);
        Event::Note { kind: "open".to_owned(), data: Json::new("{}") }
    }

    /// Ends the run, once.
    pub fn end(&mut self, reason: EndReason) -> Option<Event> {
        if self.seen.end.is_some() {
            return None;
        }
        self.seen.end = Some(reason);
        Some(Event::End { reason })
    }

    /// What a call would do now: what would change, or why it would be refused. For open play.
    pub fn forecast(&self, sent: &Sent) -> Result<Counts, usize> {
        let world = &self.episode.world;
        let (tool, args) = sent.json();
        let request = Request::resolve(world, tool.as_str(), args.as_str());
        let Terms { role, toolset, .. } = self.episode.terms;
        match step(world, role, toolset, &self.episode.state, &request) {
            crate::exec::Outcome::Fired(changes) => Ok(Counts::of(&Difference::of(world, &changes))),
            crate::exec::Outcome::Refused(reasons) => Err(reasons.len()),
        }
    }
}
