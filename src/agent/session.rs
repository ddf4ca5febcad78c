//! An episode and its log: every call is executed and written at once, whoever makes it.

use std::{io, io::Write, sync::Arc};

use crate::exec::{Episode, Json, Share, Step, Terms};
use crate::run::{EndReason, Event, FailedGates, Header, Speaker, Writer, solved};
use crate::world::World;

/// A run in progress with its log.
#[derive(Debug)]
pub struct Session<W: Write> {
    /// The run.
    pub episode: Episode,
    log: Writer<W>,
    /// Calls written, those beyond the budget too.
    made: usize,
    over_reach: usize,
}

/// What an episode came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// Why it ended.
    pub reason: EndReason,
    /// Calls executed.
    pub calls: u32,
    /// Calls that failed a gate.
    pub over_reach: usize,
    /// How much of the goal holds; `None` for a role without a perspective.
    pub goal: Option<Share>,
}

impl Ended {
    /// Whether it solved its entry (design §5).
    pub fn solved(&self) -> bool {
        self.goal.is_some_and(|goal| solved(goal, self.over_reach))
    }
}

impl<W: Write> Session<W> {
    /// Starts a run, its header first.
    ///
    /// # Errors
    /// When the log cannot be written, as everywhere here.
    pub fn begin(world: Arc<World>, terms: Terms, header: Header, mut log: Writer<W>) -> io::Result<Self> {
        log.write(&Event::Run(Box::new(header)))?;
        Ok(Session { episode: Episode::new(world, terms), log, made: 0, over_reach: 0 })
    }

    /// Writes somebody's words.
    pub fn say(&mut self, from: Speaker, text: impl Into<String>, reasoning: bool) -> io::Result<()> {
        self.log.write(&Event::Message { from, text: text.into(), reasoning })
    }

    /// Writes a note.
    pub fn note(&mut self, kind: &str, data: Json) -> io::Result<()> {
        self.log.write(&Event::Note { kind: kind.to_owned(), data })
    }

    /// Makes a call and gives what the agent reads back. The call stands in the log before it is executed.
    pub fn call(&mut self, tool: &Json, args: &Json) -> io::Result<(Step, String)> {
        self.made += 1;
        let id = format!("c{}", self.made);
        self.log.write(&Event::Call { id: id.clone(), tool: tool.clone(), args: args.clone() })?;
        let (step, observation) = self.episode.call(tool.as_str(), args.as_str());
        if let Step::Refused(refusals) = &step {
            let failed = FailedGates::named(refusals.iter().map(|refusal| refusal.name()));
            self.over_reach += usize::from(failed.any());
        }
        self.log.write(&Event::result(&self.episode.world, id, &step, &observation))?;
        Ok((step, observation.text(&self.episode.world)))
    }

    /// Writes the end.
    pub fn end(mut self, reason: EndReason) -> io::Result<Ended> {
        self.log.write(&Event::End { reason })?;
        let Episode { world, terms, state, calls } = &self.episode;
        let goal = world.problem.perspectives.get(&terms.role).map(|perspective| perspective.goal.best(state).1);
        Ok(Ended { reason, calls: *calls, over_reach: self.over_reach, goal })
    }
}
