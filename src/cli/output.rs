//! Standard output: whole, and quiet about a reader that went away.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;

use super::CliError;

/// What a command prints.
#[derive(Debug)]
pub struct Output {
    out: io::BufWriter<io::Stdout>,
    /// Whether colour is wanted: a terminal, and no `NO_COLOR`.
    pub colour: bool,
}

impl Output {
    /// Standard output.
    pub fn stdout() -> Self {
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Output { out: io::BufWriter::new(io::stdout()), colour: io::stdout().is_terminal() && !no_colour && !dumb }
    }

    /// Writes text as it is; whoever calls has made it safe to show.
    ///
    /// # Errors
    /// When it cannot be written; a closed pipe is told apart.
    pub fn text(&mut self, text: &str) -> Result<(), CliError> {
        self.out.write_all(text.as_bytes())?;
        Ok(())
    }

    /// Writes a line.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn line(&mut self, text: &str) -> Result<(), CliError> {
        self.text(text)?;
        self.text("\n")
    }

    /// Writes JSON, indented, and a line feed.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), CliError> {
        match serde_json::to_writer_pretty(&mut self.out, value) {
            Ok(()) => self.text("\n"),
            Err(error) => Err(io::Error::from(error).into()),
        }
    }

    /// Hands everything over.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> Result<(), CliError> {
        self.out.flush()?;
        Ok(())
    }
}
