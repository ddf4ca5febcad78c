//! What keeps a command from running, and how it is told.

use std::{
    io::{self, IsTerminal, Write},
    process::ExitCode,
};

use super::output::{dumb, no_colour, terminal_width};
use crate::{
    file,
    text::{visible, visible_lines},
    world::{Diagnostic, foremost, render_within},
};

/// Wrong usage or unreadable input: exit status 2.
#[derive(Debug)]
pub struct CliError {
    kind: Kind,
    hint: Option<String>,
    diagnostics: Vec<Diagnostic>,
}

#[derive(Debug)]
enum Kind {
    Message(String),
    /// The reader of our output went away: no error of ours.
    ClosedPipe,
}

/// The sentence alone.
impl std::fmt::Display for CliError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match &self.kind {
            Kind::Message(message) => f.write_str(message),
            Kind::ClosedPipe => f.write_str("the reader of the output went away"),
        }
    }
}

impl CliError {
    /// One sentence without a full stop.
    pub fn new(message: impl Into<String>) -> Self {
        CliError { kind: Kind::Message(message.into()), hint: None, diagnostics: Vec::new() }
    }

    /// Adds what would be right.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Option<String>>) -> Self {
        self.hint = hint.into();
        self
    }

    /// Adds what is wrong with files.
    #[must_use]
    pub fn diagnostics(mut self, diagnostics: Vec<Diagnostic>) -> Self {
        self.diagnostics = diagnostics;
        self
    }

    /// Tells it on standard error; gives the exit status.
    pub(super) fn report(self) -> ExitCode {
        match self.kind {
            Kind::ClosedPipe => ExitCode::SUCCESS,
            Kind::Message(message) => {
                let mut text = tell(&self.diagnostics);
                text.push_str(&format!("error: {}\n", visible_lines(&message)));
                if let Some(hint) = self.hint {
                    text.push_str(&format!("  help: {}\n", visible_lines(&hint)));
                }
                // Nobody reads it where it cannot be written.
                let _ = io::stderr().write_all(text.as_bytes());
                ExitCode::from(2)
            }
        }
    }
}

/// Tells what is wrong with files on standard error.
pub fn tell_diagnostics(diagnostics: &[Diagnostic]) {
    let _ = io::stderr().write_all(tell(diagnostics).as_bytes());
}

/// Faults of one file that are written out.
pub const WRITTEN_OUT: usize = 100;

/// What is wrong with files, a screenful of each file at most, and how much more there is.
pub fn faults_text(diagnostics: &[Diagnostic], colour: bool, width: Option<usize>) -> String {
    let (shown, rest) = foremost(diagnostics, WRITTEN_OUT);
    let mut text = render_within(shown, colour, width);
    for (file, more) in rest {
        let faults = if more == 1 { "fault" } else { "faults" };
        text.push_str(&format!("\n... and {more} more {faults} in {}\n", visible(file)));
    }
    text
}

fn tell(diagnostics: &[Diagnostic]) -> String {
    let terminal = io::stderr().is_terminal();
    let width = if terminal { terminal_width() } else { None };
    let mut text = faults_text(diagnostics, terminal && !no_colour() && !dumb(), width);
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::BrokenPipe => Kind::ClosedPipe,
            _ => Kind::Message(format!("cannot write the output: {}", file::why(&error))),
        };
        CliError { kind, hint: None, diagnostics: Vec::new() }
    }
}
