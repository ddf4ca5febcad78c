//! The command line (design §6): one file per subcommand, one line in [`Command`] for each.

mod completions;
mod context;
mod error;
mod output;
mod prompt;

use std::{ffi::OsString, path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand, ValueEnum};

pub use context::Context;
pub use error::CliError;
pub use output::Output;

/// Perspective awareness of language-model agents: world models, run logs, and a trajectory inspector.
///
/// Without a command, opens the inspector: on ./domain, ./problems and ./runs if they are there,
/// else on the benchmark that comes with the program.
#[derive(Debug, Parser)]
#[command(name = "refract", version, max_term_width = 100, disable_help_subcommand = true)]
pub struct Cli {
    /// The folder that holds domain/, problems/ and runs/
    #[arg(long, global = true, value_name = "DIR")]
    root: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Prompt(prompt::Args),
    Completions(completions::CompletionsArgs),
    Man(completions::ManArgs),
}

/// Text for people, or JSON for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs; alone on standard output.
    Json,
}

/// What a command came to, if nothing kept it from running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Done, and nothing found.
    Clean,
    /// An error found, or a diverging run.
    Findings,
}

/// Parses, runs, and says how it ended: 0 done and nothing found, 1 something found, 2 wrong usage
/// or unreadable input.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let context = Context::new(cli.root);
    let result = match cli.command {
        Some(Command::Prompt(args)) => prompt::run(&args, &context),
        Some(Command::Completions(args)) => completions::completions(&args),
        Some(Command::Man(args)) => completions::man(&args),
        None => Ok(Verdict::Clean),
    };
    match result {
        Ok(Verdict::Clean) => ExitCode::SUCCESS,
        Ok(Verdict::Findings) => ExitCode::from(1),
        Err(error) => error.report(),
    }
}
