//! One agent's episode: turn by turn until it stops, says that it is done, or has no calls left.

use std::io::{self, Write};

use serde_json::json;

use super::{Ended, FINISH, Session};
use crate::exec::Json;
use crate::run::{EndReason, Speaker};

/// Whoever decides what is called next.
pub trait Agent {
    /// Its next turn. `replies` are what the calls of the turn before gave back, in their order; none at
    /// the start.
    ///
    /// # Errors
    /// When it cannot answer for a reason that is not its own: then the episode is no measure of it.
    fn turn(&mut self, replies: &[String]) -> Result<Turn, Broken>;
}

/// What an agent says and does before it looks at what came back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Turn {
    /// Its words, reasoning included.
    pub said: Vec<Said>,
    /// Its calls, in order; none: it stops.
    pub calls: Vec<Sent>,
    /// What happened on the way, `retry` and the like, as notes for the log.
    pub notes: Vec<(&'static str, Json)>,
    /// What it took.
    pub usage: Option<Usage>,
}

/// Words of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The words.
    pub text: String,
    /// Whether it said them to itself.
    pub reasoning: bool,
}

/// A call as it was sent, whatever it is.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Sent {
    /// The tool.
    pub tool: Json,
    /// The arguments.
    pub args: Json,
}

/// Tokens of one or more turns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Usage {
    /// Read.
    pub input: u64,
    /// Written.
    pub output: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
    }
}

/// Why an agent could not answer, for a reader. Never with a secret in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The reason.
    pub why: String,
    /// What happened on the way.
    pub notes: Vec<(&'static str, Json)>,
}

/// Plays an episode to its end. `stop` is asked before every turn and when its agent breaks: an episode
/// that is stopped ends as `stopped`, one whose agent breaks as `error`. Calls that come after `finish` in
/// one turn are not made, only noted.
///
/// # Errors
/// When the log cannot be written.
pub fn play<W: Write>(
    mut session: Session<W>,
    agent: &mut dyn Agent,
    mut used: impl FnMut(Usage),
    stop: impl Fn() -> bool,
) -> io::Result<(Ended, Option<String>)> {
    let mut replies = Vec::new();
    loop {
        if stop() {
            return Ok((session.end(EndReason::Stopped)?, None));
        }
        let turn = match agent.turn(&replies) {
            Ok(turn) => turn,
            Err(Broken { why, notes }) => {
                write_notes(&mut session, notes)?;
                if stop() {
                    return Ok((session.end(EndReason::Stopped)?, None));
                }
                session.note("error", Json::string(&why))?;
                return Ok((session.end(EndReason::Error)?, Some(why)));
            }
        };
        write_notes(&mut session, turn.notes)?;
        if let Some(usage) = turn.usage {
            used(usage);
            session.note("usage", Json::new(&json!(usage).to_string()))?;
        }
        for Said { text, reasoning } in turn.said {
            session.say(Speaker::Agent, text, reasoning)?;
        }
        if turn.calls.is_empty() {
            return Ok((session.end(EndReason::Finished)?, None));
        }
        replies.clear();
        let mut calls = turn.calls.into_iter();
        while let Some(Sent { tool, args }) = calls.next() {
            if tool.raw().spells(FINISH) {
                let late: Vec<Sent> = calls.collect();
                if !late.is_empty() {
                    session.note("after_finish", Json::new(&serde_json::to_string(&late)?))?;
                }
                return Ok((session.end(EndReason::Finished)?, None));
            }
            replies.push(session.call(&tool, &args)?.1);
        }
        if session.episode.calls_left() == Some(0) {
            return Ok((session.end(EndReason::Budget)?, None));
        }
    }
}

fn write_notes<W: Write>(session: &mut Session<W>, notes: Vec<(&'static str, Json)>) -> io::Result<()> {
    notes.into_iter().try_for_each(|(kind, data)| session.note(kind, data))
}
