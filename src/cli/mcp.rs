//! `refract mcp`: an entry served to any client of the Model Context Protocol.

use std::{ffi::OsString, io::Write, path::PathBuf};

use super::{CliError, Context, Verdict, context, out, run::FeedbackArg};
use crate::{
    exec::Terms,
    net::mcp::{Offer, http, stdio},
    text::visible,
    tui::play::usual,
};

/// Sessions at a time over HTTP.
const SESSIONS: usize = 64;

/// Serve an entry over the Model Context Protocol; every session is a run with its log
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The entry: an id, or a path to a problem file
    #[arg(long)]
    problem: OsString,
    /// The role that the agent serves
    #[arg(long)]
    role: String,
    /// The tools offered [default: the first tool set]
    #[arg(long)]
    toolset: Option<String>,
    /// How many calls may be made [default: the problem's budget]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    budget: Option<u32>,
    /// How much a refusal says
    #[arg(long, value_enum, default_value_t)]
    feedback: FeedbackArg,
    /// Serve streamable HTTP on this port of 127.0.0.1, 0 for any free one, instead of standard input and output
    #[arg(long, value_name = "PORT")]
    http: Option<u16>,
    /// A new file for the run log, or a folder for it [default: refract/runs in the user's data folder]
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
}

/// Runs `refract mcp`.
///
/// # Errors
/// When there is no such entry, perspective or tool set, the log cannot be written, the port cannot be
/// had, or the client speaks something else.
pub fn run(args: &Args, context: &Context) -> Result<Verdict, CliError> {
    let world = context.world(&args.problem)?;
    let role = context::role(&world, &args.role)?;
    if !world.problem.perspectives.contains_key(&role) {
        return Err(context::no_perspective(&world, &args.role));
    }
    let toolset = context::toolset(&world, args.toolset.as_deref())?;
    let out = match &args.out {
        Some(path) => out::given(path)?,
        None => usual(),
    };
    out::try_out(&out)?;
    let limit = if args.http.is_some() { SESSIONS } else { 1 };
    let terms = Terms { role, toolset, budget: args.budget, feedback: args.feedback.into() };
    let offer = Offer::new(world, terms, out, limit, say);
    match args.http {
        Some(port) => http::run(&offer, port, |at| say(&format!("serving http://{at}/mcp")))
            .map_err(|error| CliError::new(format!("port {port} cannot be served: {error}")))?,
        None => stdio::run(&offer).map_err(|error| CliError::new(format!("the client was not understood: {error}")))?,
    }
    Ok(Verdict::Clean)
}

/// Tells it on standard error: standard output belongs to the protocol. Nobody hears it where nobody listens.
fn say(words: &str) {
    let _ = writeln!(std::io::stderr(), "refract mcp: {}", visible(words));
}
