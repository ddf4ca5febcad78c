//! The command line (design §6): one file per subcommand, one line in [`Command`] for each.

mod check;
mod completions;
mod context;
mod error;
mod export;
mod inspect;
mod lines;
mod list;
mod mcp;
mod out;
mod output;
mod plan;
mod play;
mod prompt;
mod replay;
mod report;
mod run;
mod schema;
mod score;
mod scoring;
mod show;
mod table;

use std::{ffi::OsString, path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand, ValueEnum};

pub use context::{Context, OpenedRun, Shelf, Sources};
pub use error::CliError;
pub use output::{Output, Paint};

use crate::world::{Diagnostic, Severity};

/// What stands below the help of the program.
const AFTER: &str = "\
Exit status: 0 done and nothing found, 1 something found, 2 wrong usage or unreadable input.
Configuration: refract/config.toml in the user's configuration folder: theme, signs, mouse, [keys].";

/// Perspective awareness of language-model agents: world models, run logs, and a trajectory inspector
///
/// Without a command, opens the inspector: on ./domain, ./problems and ./runs if they are there, else
/// on the benchmark that comes with the program; and on the runs that were played or made, which are kept
/// in refract/runs in the user's data folder. Every command that looks for runs finds the same.
///
/// PROBLEM and RUN take an id or a path, and - reads standard input. RUN#STEP is a place in a run.
#[derive(Debug, Parser)]
#[command(name = "refract", version, max_term_width = 100, disable_help_subcommand = true)]
#[command(after_help = AFTER)]
pub struct Cli {
    /// The folder that holds domain/, problems/ and runs/
    #[arg(long, global = true, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Signs, arrows and rules in plain ASCII
    #[arg(long, global = true)]
    ascii: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Inspect(inspect::Args),
    Play(play::Args),
    List(list::Args),
    Show(show::Args),
    Prompt(prompt::Args),
    Run(run::Args),
    Mcp(mcp::Args),
    Replay(replay::Args),
    Plan(plan::Args),
    Score(score::Args),
    Report(report::Args),
    Check(check::Args),
    Export(export::Args),
    Schema(schema::Args),
    Completions(completions::CompletionsArgs),
    Man(completions::ManArgs),
}

/// Text for people, or JSON for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// For programs; alone on standard output
    Json,
}

/// How a command prints.
#[derive(Debug, clap::Args)]
pub struct Printing {
    /// text for people, or json for programs, alone on standard output
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    format: Format,
}

/// What a command looks at, and how it prints.
#[derive(Debug, clap::Args)]
pub struct Looking {
    /// Files or folders [default: all that there is]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    print: Printing,
}

/// What a command came to, if nothing kept it from running.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Done, and nothing found.
    Clean,
    /// An error found, or a diverging run.
    Findings,
    /// Some of the input could not be read; the rest was done.
    Unreadable,
}

impl Verdict {
    /// What these faults come to.
    fn of(faults: &[Diagnostic]) -> Verdict {
        match faults.iter().find(|fault| fault.severity == Severity::Error) {
            _ if faults.iter().any(|fault| fault.code == "unreadable") => Verdict::Unreadable,
            None => Verdict::Clean,
            Some(_) => Verdict::Findings,
        }
    }
}

/// Parses, runs, and says how it ended: 0 done and nothing found, 1 something found, 2 wrong usage
/// or unreadable input.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            // Nobody reads it where it cannot be written.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let context = Context::new(cli.root, cli.ascii);
    let result = match cli.command {
        None => inspect::run(&inspect::Args::default(), &context),
        Some(Command::Inspect(args)) => inspect::run(&args, &context),
        Some(Command::Play(args)) => play::run(&args, &context),
        Some(Command::List(args)) => list::run(&args, &context),
        Some(Command::Mcp(args)) => mcp::run(&args, &context),
        Some(Command::Show(args)) => show::run(&args, &context),
        Some(Command::Prompt(args)) => prompt::run(&args, &context),
        Some(Command::Run(args)) => run::run(&args, &context),
        Some(Command::Replay(args)) => replay::run(&args, &context),
        Some(Command::Plan(args)) => plan::run(&args, &context),
        Some(Command::Score(args)) => score::run(&args, &context),
        Some(Command::Report(args)) => report::run(&args, &context),
        Some(Command::Check(args)) => check::run(&args, &context),
        Some(Command::Export(args)) => export::run(&args, &context),
        Some(Command::Schema(args)) => schema::run(&args, &context),
        Some(Command::Completions(args)) => completions::completions(&args, &context),
        Some(Command::Man(args)) => completions::man(&args, &context),
    };
    match result {
        Ok(Verdict::Clean) => ExitCode::SUCCESS,
        Ok(Verdict::Findings) => ExitCode::from(1),
        Ok(Verdict::Unreadable) => ExitCode::from(2),
        Err(error) => error.report(),
    }
}
