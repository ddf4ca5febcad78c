//! What keeps a command from running, and how it is told.

use std::process::ExitCode;

use crate::text::visible_lines;

/// Wrong usage or unreadable input: exit status 2.
#[derive(Debug)]
pub struct CliError {
    kind: Kind,
    hint: Option<String>,
}

#[derive(Debug)]
enum Kind {
    Message(String),
    /// The reader of our output went away: no error of ours.
    ClosedPipe,
}

impl CliError {
    /// One sentence without a full stop.
    pub fn new(message: impl Into<String>) -> Self {
        CliError { kind: Kind::Message(message.into()), hint: None }
    }

    /// Adds what would be right.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Tells it on standard error; gives the exit status.
    pub(super) fn report(self) -> ExitCode {
        match self.kind {
            Kind::ClosedPipe => ExitCode::SUCCESS,
            Kind::Message(message) => {
                eprintln!("error: {}", visible_lines(&message));
                if let Some(hint) = self.hint {
                    eprintln!("  help: {}", visible_lines(&hint));
                }
                ExitCode::from(2)
            }
        }
    }
}

impl From<std::io::Error> for CliError {
    fn from(error: std::io::Error) -> Self {
        let kind = match error.kind() {
            std::io::ErrorKind::BrokenPipe => Kind::ClosedPipe,
            _ => Kind::Message(format!("cannot write the output: {error}")),
        };
        CliError { kind, hint: None }
    }
}
