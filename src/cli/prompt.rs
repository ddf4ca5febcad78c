//! `refract prompt`: exactly what an agent is told.

use std::ffi::OsString;

use super::{CliError, Context, Format, Printing, Verdict, context};
use crate::{exec::Opening, text::visible_lines};

/// Print exactly what an agent is told at the start
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The entry: an id, or a path to a problem file
    problem: OsString,
    /// The role that the agent serves
    #[arg(long)]
    role: String,
    /// The tools offered [default: the first tool set]
    #[arg(long)]
    toolset: Option<String>,
    #[command(flatten)]
    print: Printing,
}

/// Runs `refract prompt`.
pub fn run(args: &Args, context: &Context) -> Result<Verdict, CliError> {
    let world = context.world(&args.problem)?;
    let opening =
        Opening::of(&world, context::role(&world, &args.role)?, context::toolset(&world, args.toolset.as_deref())?);
    let mut out = context.output();
    match args.print.format {
        Format::Text => out.text(&visible_lines(&opening.text()))?,
        Format::Json => out.json(&opening)?,
    }
    out.finish()?;
    Ok(Verdict::Clean)
}
