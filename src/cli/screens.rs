//! `refract play`: from arguments to a screen.

use std::path::PathBuf;

use super::{CliError, Context, Verdict, context};
use crate::{
    exec::Opening,
    tui::{highlight::Syntax, screen::Screen, start::start, text_screen::TextScreen},
};

/// Play a persona by hand
#[derive(Debug, clap::Args)]
pub struct PlayArgs {
    /// The entry: an id, or a path to a problem file
    problem: String,
    /// The role that you serve
    #[arg(long)]
    role: String,
    /// The tools offered [default: the first tool set]
    #[arg(long)]
    toolset: Option<String>,
    /// Show goal, gates and state as well
    #[arg(long)]
    open: bool,
    /// The folder for the run log [default: ./runs, or the user's data folder]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs `refract play`.
pub fn play(args: &PlayArgs, context: &Context) -> Result<Verdict, CliError> {
    let world = context.world(&args.problem)?;
    let role = context::role(&world, &args.role)?;
    let toolset = context::toolset(&world, args.toolset.as_deref())?;
    let opening = Opening::of(&world, role, toolset).text();
    let options = args.toolset.iter().fold(format!("prompt {} --role {}", args.problem, args.role), |line, toolset| {
        format!("{line} --toolset {toolset}")
    });
    open(TextScreen::new(world.problem.title.clone(), "prompt", &opening, Syntax::Plain), &twin(&options, &[], context))
}

/// The command that prints what a screen shows.
fn twin(command: &str, paths: &[PathBuf], context: &Context) -> String {
    let root = context.root().map_or(String::new(), |root| format!(" --root {}", root.display()));
    paths.iter().fold(format!("refract {command}"), |line, path| format!("{line} {}", path.display())) + &root
}

fn open(screen: impl Screen, twin: &str) -> Result<Verdict, CliError> {
    match start(screen, twin) {
        Ok(()) => Ok(Verdict::Clean),
        Err(error) => Err(CliError::new(error.to_string())),
    }
}
