//! One client's run: its episode and its log.

use std::fs::File;
use std::io;
use std::sync::Mutex;

use super::Offer;
use super::offer::lock;
use crate::agent::{FINISH, Session};
use crate::exec::{Json, Step};
use crate::run::{EndReason, Header, Writer};

/// What a client reads back from a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The words, those of the observation (design §3) while the run goes on.
    pub text: String,
    /// Whether it did not fire.
    pub refused: bool,
}

/// One client's run. It ends as `stopped` when nobody has it any more.
#[derive(Debug)]
pub struct Run(Mutex<State>);

#[derive(Debug)]
enum State {
    On(Box<Session<File>>),
    Over(EndReason),
}

impl Run {
    /// Starts a run, its header first.
    ///
    /// # Errors
    /// When the log cannot be written, as everywhere here.
    pub fn begin(offer: &Offer, header: Header, log: Writer<File>) -> io::Result<Run> {
        let session = Session::begin(offer.world.clone(), offer.terms, header, log)?;
        Ok(Run(Mutex::new(State::On(Box::new(session)))))
    }

    /// Makes a call, tool and arguments as they were sent. What comes after the end is not executed, and
    /// is no part of the log.
    pub fn call(&self, tool: &Json, args: &Json) -> io::Result<Reply> {
        let mut state = lock(&self.0);
        let session = match &mut *state {
            State::On(session) => session,
            State::Over(reason) => {
                let text = format!("The run has ended ({}): nothing can be called any more.", reason.word());
                return Ok(Reply { text, refused: true });
            }
        };
        if tool.raw().spells(FINISH) {
            state.end(EndReason::Finished)?;
            return Ok(Reply { text: "The run has ended.".to_owned(), refused: false });
        }
        let (step, text) = session.call(tool, args)?;
        if session.episode.calls_left() == Some(0) {
            state.end(EndReason::Budget)?;
        }
        Ok(Reply { text, refused: !matches!(step, Step::Fired(_)) })
    }

    /// Notes that the client asked for the task, and by which way.
    pub fn told(&self, way: &str) -> io::Result<()> {
        match &mut *lock(&self.0) {
            State::On(session) => session.note("told", Json::string(way)),
            State::Over(_) => Ok(()),
        }
    }

    /// Ends the run, once.
    pub fn end(&self, reason: EndReason) -> io::Result<()> {
        lock(&self.0).end(reason)
    }
}

impl State {
    fn end(&mut self, reason: EndReason) -> io::Result<()> {
        if let State::Over(_) = self {
            return Ok(());
        }
        match std::mem::replace(self, State::Over(reason)) {
            State::On(session) => session.end(reason).map(|_| ()),
            State::Over(_) => Ok(()),
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        // Nobody is left to be told, and a log without an end says so itself.
        let _ = self.end(EndReason::Stopped);
    }
}
