//! `refract prompt`: exactly what an agent is told.

use std::ffi::OsString;

use clap::ValueEnum;

use super::{CliError, Context, Verdict, context};
use crate::{agent::Prompt, exec::Opening, text::visible_lines};

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
    /// In whose shape
    #[arg(long, value_enum, default_value_t)]
    format: PromptFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum PromptFormat {
    /// One text
    #[default]
    Text,
    /// Its parts
    Json,
    /// Messages and tools of a request for chat completions
    Openai,
    /// System, messages and tools of a request to Anthropic's messages endpoint
    Anthropic,
}

/// Runs `refract prompt`.
pub fn run(args: &Args, context: &Context) -> Result<Verdict, CliError> {
    let world = context.world(&args.problem)?;
    let opening =
        Opening::of(&world, context::role(&world, &args.role)?, context::toolset(&world, args.toolset.as_deref())?);
    let mut out = context.output();
    match args.format {
        PromptFormat::Text => out.text(&visible_lines(&opening.text()))?,
        PromptFormat::Json => out.json(&opening)?,
        PromptFormat::Openai => out.json(&Prompt::of(&opening).openai())?,
        PromptFormat::Anthropic => out.json(&Prompt::of(&opening).anthropic())?,
    }
    out.finish()?;
    Ok(Verdict::Clean)
}
