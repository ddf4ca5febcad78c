//! The game itself: an episode, and apart from it all that the player was told.

use std::sync::Arc;

use super::seen::{Called, Held, Known, Note, Said, Seen, Sent, Turn};
use crate::exec::{
    Counts, Difference, Episode, Json, Observation, Opening, Refusal, Request, Step, Terms, fact_words, looked_at, step,
};
use crate::run::{Agent, EndReason, Event, Header, Parent, Writer};
use crate::world::{FactId, World};

/// What the player does not see: kept for open play and for the end.
#[derive(Debug, Clone)]
pub struct Truth {
    /// Every reason of a refusal.
    pub refusals: Vec<Refusal>,
    /// What changed.
    pub counts: Counts,
}

/// A run being played.
#[derive(Debug, Clone)]
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

/// Something that is done in a run: what a session is made of, and made again from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    /// A call, tool and arguments as sent.
    Call(Json, Json),
    /// Words.
    Say(Said),
    /// The world was opened.
    Open,
    /// A hint, or calls taken back.
    Note(Note),
}

impl From<&Turn> for Move {
    fn from(turn: &Turn) -> Move {
        match turn {
            Turn::Call(called) => Move::Call(called.json.0.clone(), called.json.1.clone()),
            Turn::Said(said) => Move::Say(said.clone()),
            Turn::Opened => Move::Open,
            Turn::Noted(note) => Move::Note(note.clone()),
        }
    }
}

impl Session {
    /// A run from its start. Without a budget the problem's rules.
    pub fn new(world: &Arc<World>, terms: Terms) -> Session {
        let budget = terms.budget.unwrap_or(world.problem.budget);
        let terms = Terms { budget: Some(budget), ..terms };
        let opening = Opening { budget, ..Opening::of(world, terms.role, terms.toolset) };
        let name = world.problem.toolsets.get_index(terms.toolset.index()).map_or("", |(name, _)| name);
        let seen = Seen {
            id: world.problem.id.clone(),
            title: world.problem.title.clone(),
            role: world.domain.role_name(terms.role).to_owned(),
            toolset: name.to_owned(),
            own: world.problem.objects.keys().cloned().collect(),
            hand: opening.given.iter().map(|value| Held { value: value.clone(), step: 0 }).collect(),
            opening,
            turns: Vec::new(),
            inherited: 0,
            known: Vec::new(),
            calls: 0,
            end: None,
        };
        Session { seen, episode: Episode::new(world.clone(), terms), truths: Vec::new(), open: false }
    }

    /// A run in which this has been done already.
    pub fn after(world: &Arc<World>, terms: Terms, moves: &[Move]) -> Session {
        let mut session = Session::new(world, terms);
        for done in moves {
            session.make(done);
        }
        session
    }

    /// The header of its log.
    pub fn header(&self, started: jiff::Timestamp, parent: Option<Parent>) -> Header {
        let agent = Agent { name: Some("human".to_owned()), model: None };
        let started = started.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        Header { parent, ..Header::of(&self.episode.world, &self.episode.terms, "", agent, started) }
    }

    /// The name of its log.
    pub fn name(&self) -> String {
        format!("{}-{}-human", self.seen.id, self.seen.role)
    }

    /// All that was done, in order.
    pub fn moves(&self) -> Vec<Move> {
        self.seen.turns.iter().map(Move::from).collect()
    }

    /// The events of its log so far, but for the header.
    pub fn events(&self) -> Vec<Event> {
        let mut again = Session::new(&self.episode.world, self.episode.terms);
        let events = self.seen.turns.iter().flat_map(|turn| again.make(&Move::from(turn)));
        events.chain(self.seen.end.map(|reason| Event::End { reason })).collect()
    }

    /// Its log as it stands, made in memory.
    ///
    /// # Errors
    /// When an event cannot be written, which memory never refuses.
    pub fn log(&self, header: Header) -> std::io::Result<Vec<u8>> {
        let mut writer = Writer::new(Vec::new());
        writer.write(&Event::Run(Box::new(header)))?;
        for event in self.events() {
            writer.write(&event)?;
        }
        Ok(writer.into_inner())
    }

    /// Does something, and gives the events of the log.
    pub fn make(&mut self, next: &Move) -> Vec<Event> {
        match next {
            Move::Call(tool, args) => self.call(tool, args).into(),
            Move::Say(said) => {
                self.seen.turns.push(Turn::Said(said.clone()));
                vec![Event::Message { from: said.from, text: said.text.clone(), reasoning: said.reasoning }]
            }
            Move::Open => {
                self.open = true;
                self.seen.turns.push(Turn::Opened);
                vec![Event::Note { kind: "open".to_owned(), data: Json::new("{}") }]
            }
            Move::Note(note) => {
                self.seen.turns.push(Turn::Noted(note.clone()));
                vec![Event::Note { kind: note.kind.clone(), data: note.data.clone() }]
            }
        }
    }

    fn call(&mut self, tool: &Json, args: &Json) -> [Event; 2] {
        let world = self.episode.world.clone();
        let request = Request::resolve(&world, tool.as_str(), args.as_str());
        let before = self.episode.state.clone();
        let (step, observation) = self.episode.request(&request);
        let number = self.seen.calls as usize + 1;
        let id = format!("c{number}");
        let result = Event::result(&world, &id, &step, &observation);
        if let (Step::Fired(_), Request::Call(call)) = (&step, &request) {
            let role = self.episode.terms.role;
            let seen = |known: &Known| looked_at(&world, role, &before, call, known.fact);
            for known in self.seen.known.iter_mut().filter(|known| known.denied.is_none() && seen(known)) {
                // What it lists after all is put in anew below.
                known.denied = Some(number);
            }
        }
        self.tell(&world, number, (tool, args), &step, &observation);
        [Event::Call { id, tool: tool.clone(), args: args.clone() }, result]
    }

    fn tell(&mut self, world: &World, number: usize, json: (&Json, &Json), step: &Step, observation: &Observation) {
        let words = |fact: &FactId| fact_words(world, *fact);
        let Sent { tool, args } = Sent::of(json.0, json.1);
        let values = observation.values.iter().map(|&value| world.fact_text(value));
        let new = |value: &String| !self.seen.hand.iter().any(|held| held.value == *value);
        let called = Called {
            step: number,
            tool,
            args,
            json: (json.0.clone(), json.1.clone()),
            fired: matches!(step, Step::Fired(_)),
            report: observation.report.clone(),
            facts: observation.facts.iter().map(words).collect(),
            values: values.map(|value| (value.clone(), new(&value))).collect(),
        };
        for &fact in &observation.facts {
            let key = if world.is_functional(fact) { world.facts.key_range_of(fact).start } else { fact.0 };
            self.seen.known.retain(|known| known.key != key);
            self.seen.known.push(Known { words: fact_words(world, fact), step: number, denied: None, fact, key });
        }
        let new = called.values.iter().filter(|(_, new)| *new);
        self.seen.hand.extend(new.map(|(value, _)| Held { value: value.clone(), step: number }));
        self.seen.calls += 1;
        self.seen.turns.push(Turn::Call(called));
        let (refusals, counts) = match step {
            Step::Fired(changes) => (Vec::new(), Counts::of(&Difference::of(world, changes))),
            Step::Refused(refusals) => (refusals.clone(), Counts::default()),
            Step::OverBudget => (Vec::new(), Counts::default()),
        };
        self.truths.push(Truth { refusals, counts });
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
