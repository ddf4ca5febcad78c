//! `refract prompt`: exactly what an agent is told.

use super::{CliError, Context, Format, Verdict, context};
use crate::{exec::Opening, text::visible_lines};

/// Print exactly what an agent is told at the start
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The entry: an id, or a path to a problem file
    problem: String,
    /// The role that the agent serves
    #[arg(long)]
    role: String,
    /// The tools offered [default: the first tool set]
    #[arg(long)]
    toolset: Option<String>,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs `refract prompt`.
pub fn run(args: &Args, context: &Context) -> Result<Verdict, CliError> {
    let world = context.world(&args.problem)?;
    let opening =
        Opening::of(&world, context::role(&world, &args.role)?, context::toolset(&world, args.toolset.as_deref())?);
    let mut out = context.output();
    match args.format {
        Format::Text => out.text(&visible_lines(&opening.text()))?,
        Format::Json => out.json(&opening)?,
    }
    out.finish()?;
    Ok(Verdict::Clean)
}
