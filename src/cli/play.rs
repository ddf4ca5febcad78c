//! `refract play`: a persona, played by hand.

use std::{ffi::OsString, path::PathBuf, sync::Arc};

use super::{CliError, Context, Verdict, context};
use crate::tui::{
    play::{Plan, Play, kept},
    shelf::Shelf,
    start::start,
};

/// Play a persona by hand
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The entry: an id, or a path to a problem file
    pub(super) problem: OsString,
    /// The role that you serve [default: chosen on the screen]
    #[arg(long)]
    pub(super) role: Option<String>,
    /// The tools offered [default: chosen on the screen, with --role the first tool set]
    #[arg(long)]
    pub(super) toolset: Option<String>,
    /// Show goal, gates and state as well
    #[arg(long)]
    pub(super) open: bool,
    /// A new file for the run log, or a folder for it [default: refract/runs in the user's data folder]
    #[arg(long, value_name = "PATH")]
    pub(super) out: Option<PathBuf>,
}

/// Runs `refract play`.
///
/// # Errors
/// When there is no such entry, role or tool set, the log is there already or cannot be written, or
/// there is no terminal.
pub fn run(args: &Args, context: &Context) -> Result<Verdict, CliError> {
    let world = context.world(&args.problem)?;
    let role = args.role.as_deref().map(|role| context::role(&world, role)).transpose()?;
    let toolset = args.toolset.as_deref().map(|name| context::toolset(&world, Some(name))).transpose()?;
    let out = args.out.as_deref().map(super::out::given).transpose()?;
    let path = PathBuf::from(&args.problem);
    let paths = if path.is_file() { vec![path] } else { Vec::new() };
    let root = context.root().map(ToOwned::to_owned);
    let shelf = if paths.is_empty() { Shelf::home(root) } else { Shelf::of(paths, root) };
    let shelf = Arc::new(shelf.keeping(kept()));
    let screen = Play::new(&shelf, &world, Plan { role, toolset, open: args.open, out, start: None });
    start(screen, &twin(args, context), context.ascii).map_err(|error| CliError::new(error.to_string()))?;
    Ok(Verdict::Clean)
}

/// The command that comes nearest to the screen.
fn twin(args: &Args, context: &Context) -> String {
    let mut line =
        format!("refract prompt {} --role {}", args.problem.display(), args.role.as_deref().unwrap_or("ROLE"));
    if let Some(toolset) = &args.toolset {
        line += &format!(" --toolset {toolset}");
    }
    if let Some(root) = context.root() {
        line += &format!(" --root {}", root.display());
    }
    format!("`{line}` prints what a player is told")
}
