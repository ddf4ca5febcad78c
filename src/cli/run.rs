//! `refract run`: agents play entries, each episode into a run log.

mod model;
mod pool;
mod tally;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;
use indexmap::IndexSet;
use serde::Serialize;

use self::model::ModelArgs;
use self::pool::{Pool, usual_out};
use self::tally::{Counts, Price, Tally, spent};
use super::{CliError, Context, Format, Printing, Verdict, context, output::note, play};
use crate::agent::{Cell, Matrix, Terms, policy::Policy};
use crate::exec::Feedback;
use crate::net::agents::{Agents, Spec};
use crate::text::count;
use crate::tui::{browser::Browser, shelf::Shelf, start::start};
use crate::world::{RoleId, ToolsetId, World, suggest};

/// Let an agent play entries, as roles, with tool sets
///
/// Each episode becomes a run log, written as it happens. What is finished is not played again: a
/// run that was stopped, by whatever cause, goes on where it stood with the same command.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Who plays: openai:MODEL, anthropic:MODEL, command:LINE, policy:NAME, or human, on the play screen
    #[arg(long, value_name = "SPEC")]
    agent: String,
    /// The entries, by id or path [default: all]
    #[arg(long, value_name = "PROBLEM", value_delimiter = ',')]
    problems: Vec<OsString>,
    /// The roles that the agent serves [default: all that have a perspective]
    #[arg(long, value_name = "ROLE", value_delimiter = ',')]
    roles: Vec<String>,
    /// The tool sets [default: all of each entry]
    #[arg(long, value_name = "TOOLSET", value_delimiter = ',')]
    toolsets: Vec<String>,
    /// Play each so often, with seeds that count on
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Episodes at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    parallel: Option<u16>,
    /// Calls that an episode may make [default: the entry's budget]
    #[arg(long, value_name = "CALLS")]
    budget: Option<u32>,
    /// How much a refusal says
    #[arg(long, value_enum, default_value_t)]
    feedback: FeedbackArg,
    /// The folder for the logs and their manifest [default: a folder of the agent's name in refract/runs
    /// in the user's data folder]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Stop when so many tokens were read and written
    #[arg(long, value_name = "N")]
    max_tokens: Option<u64>,
    /// Stop when the tokens of this run cost so much
    #[arg(long, value_name = "COST", requires = "price")]
    max_cost: Option<f64>,
    /// What a million tokens cost, read and written: 0.15,0.60
    #[arg(long, value_name = "IN,OUT", value_parser = price)]
    price: Option<Price>,
    /// Open the inspector on the logs as they are written
    #[arg(long)]
    watch: bool,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    print: Printing,
}

/// How much a refusal says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum FeedbackArg {
    /// The first thing that applies, and nothing of the hidden state
    #[default]
    Hidden,
    /// Also names the gate
    Named,
    /// Only that it was refused
    Bare,
}

impl From<FeedbackArg> for Feedback {
    fn from(arg: FeedbackArg) -> Feedback {
        match arg {
            FeedbackArg::Hidden => Feedback::Hidden,
            FeedbackArg::Named => Feedback::Named,
            FeedbackArg::Bare => Feedback::Bare,
        }
    }
}

/// What a benchmark run came to.
#[derive(Debug, Serialize)]
struct Done {
    out: PathBuf,
    #[serde(flatten)]
    counts: Counts,
}

/// Runs `refract run`.
///
/// # Errors
/// When the agent, an entry, a role or a tool set is not known, or logs cannot be written.
pub fn run(args: &Args, context: &Context) -> Result<Verdict, CliError> {
    let chosen = chosen(args, context)?;
    if args.agent == HUMAN {
        return human(&chosen, args, context);
    }
    let spec = Spec::parse(&args.agent).map_err(|why| CliError::new(why).hint(hint(&args.agent)))?;
    let out = args.out.clone().unwrap_or_else(|| usual_out(&spec.to_string()));
    let agents = Agents::new(spec, args.model.options()).map_err(CliError::new)?;
    let terms = Terms {
        agent: agents.name(),
        settings: agents.settings(),
        budget: args.budget,
        feedback: args.feedback.into(),
        seed: args.seed,
    };
    let matrix = Matrix::of(terms, &chosen, args.repeat);
    let stop = Arc::new(AtomicBool::new(false));
    let tally = Tally::new(matrix.cells.len(), args.price, args.max_tokens, args.max_cost);
    let threads = args.parallel.map_or_else(cores, usize::from);
    let make = |cell: &Cell| agents.agent(cell, stop.clone());
    let pool = Pool { matrix: &matrix, out: &out, make: &make, told: agents.told(), stop: &stop, tally: &tally };
    if args.watch {
        watched(&pool, threads, args, context)?;
    } else {
        mind_signals(&stop)?;
        pool.run(threads)?;
    }
    let limit = tally.over();
    let stopped = stop.load(Ordering::Relaxed);
    let done = Done { counts: tally.counts(), out };
    drop(tally);
    print(&done, args, context)?;
    Ok(told(&done.counts, limit, stopped))
}

/// Says what is left; without any, all is well.
fn told(counts: &Counts, limit: bool, stopped: bool) -> Verdict {
    if let Some(why) = &counts.first_error {
        note(&format!("{} broke off, the first: {why}", count(counts.errors, "episode")));
    }
    let left = counts.episodes - counts.known - counts.played;
    if left == 0 {
        return Verdict::Clean;
    }
    let why = match () {
        () if limit => "a limit is reached",
        () if stopped => "stopped",
        () => "not all could be played",
    };
    note(&format!("{why}: the same command plays the {} left", count(left, "episode")));
    Verdict::Findings
}

/// Plays on threads of its own while the inspector follows the logs; after that, goes on without it.
fn watched(pool: &Pool, threads: usize, args: &Args, context: &Context) -> Result<(), CliError> {
    std::fs::create_dir_all(pool.out).map_err(|error| CliError::new(format!("{}: {error}", pool.out.display())))?;
    let twin = format!("`refract run --agent {}` without --watch tells its progress in a line", args.agent);
    let shelf = Arc::new(Shelf::of(vec![pool.out.to_owned()], context.root().map(ToOwned::to_owned)));
    pool.tally.show(false);
    std::thread::scope(|scope| {
        let playing = scope.spawn(|| pool.run(threads));
        let shown = start(Browser::watching(shelf), &twin, context.ascii);
        if let Err(error) = shown {
            pool.stop.store(true, Ordering::Relaxed);
            return Err(CliError::new(error.to_string()));
        }
        pool.tally.show(true);
        let minded = mind_signals(pool.stop);
        playing.join().unwrap_or_else(|_| Err(CliError::new("an episode broke the program")))?;
        minded
    })
}

/// A person who plays on the screen: one perspective at a time.
const HUMAN: &str = "human";

fn human(chosen: &[Chosen], args: &Args, context: &Context) -> Result<Verdict, CliError> {
    let [(world, role, toolset)] = chosen else {
        return Err(CliError::new(format!("a person plays one perspective at a time, not {}", chosen.len()))
            .hint("name one: --problems PROBLEM --roles ROLE --toolsets TOOLSET".to_owned()));
    };
    let problem = args.problems.first().cloned().unwrap_or_else(|| world.problem.id.clone().into());
    let toolset = world.problem.toolsets.get_index(toolset.index()).map(|(name, _)| name.clone());
    let role = Some(world.domain.role_name(*role).to_owned());
    play::run(&play::Args { problem, role, toolset, open: false, out: args.out.clone() }, context)
}

/// What would be right instead of an agent that is not known.
fn hint(spec: &str) -> Option<String> {
    match spec {
        "mcp" => Some("`refract mcp --problem PROBLEM --role ROLE` lets any MCP client play".to_owned()),
        _ => suggest(spec, &Policy::NAMES.map(|name| format!("policy:{name}")).each_ref().map(String::as_str)),
    }
}

fn print(done: &Done, args: &Args, context: &Context) -> Result<(), CliError> {
    let mut out = context.output();
    match args.print.format {
        Format::Json => out.json(done)?,
        Format::Text => {
            let counts = &done.counts;
            let mut line = format!("{} of {} played", counts.known + counts.played, count(counts.episodes, "episode"));
            if counts.known > 0 {
                line += &format!(", {} of them before", counts.known);
            }
            out.line(&line)?;
            if counts.played > 0 {
                let (solved, violating) = (counts.solved, counts.violating);
                let calls = count(counts.calls, "call");
                out.line(&format!("now: {solved} solved, {violating} with an over-reach, {calls}"))?;
            }
            for line in spent(counts) {
                out.line(&line)?;
            }
            out.line(&format!("logs: {}", crate::text::visible(&done.out.display().to_string())))?;
        }
    }
    out.finish()
}

/// A perspective of an entry, and a tool set.
type Chosen = (Arc<World>, RoleId, ToolsetId);

/// The perspectives with their tool sets that are to be played, in order.
fn chosen(args: &Args, context: &Context) -> Result<Vec<Chosen>, CliError> {
    let worlds: Vec<Arc<World>> = if args.problems.is_empty() {
        let library = context.library(context.home()?.as_deref());
        library.worlds.values().cloned().collect()
    } else {
        args.problems.iter().map(|problem| context.world(problem)).collect::<Result<_, _>>()?
    };
    let mut chosen = IndexSet::new();
    for (index, world) in worlds.iter().enumerate() {
        let named: Vec<RoleId> = args.roles.iter().map(|name| context::role(world, name)).collect::<Result<_, _>>()?;
        let mut sets: Vec<ToolsetId> =
            args.toolsets.iter().map(|name| context::toolset(world, Some(name))).collect::<Result<_, _>>()?;
        if sets.is_empty() {
            sets = (0..world.problem.toolsets.len()).map(ToolsetId::from).collect();
        }
        let roles = world.problem.perspectives.keys().copied().filter(|role| named.is_empty() || named.contains(role));
        chosen.extend(roles.flat_map(|role| sets.iter().map(move |&set| (index, role, set))));
    }
    if chosen.is_empty() {
        return Err(CliError::new("no entry has a perspective of these roles"));
    }
    Ok(chosen.into_iter().map(|(index, role, set)| (worlds[index].clone(), role, set)).collect())
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Asked to stop, the episodes end with the turn that they are in; asked twice, the program dies.
#[cfg(unix)]
fn mind_signals(stop: &Arc<AtomicBool>) -> Result<(), CliError> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register_conditional_default(signal, stop.clone())
            .and_then(|_| signal_hook::flag::register(signal, stop.clone()))
            .map_err(|error| CliError::new(format!("signals cannot be watched: {error}")))?;
    }
    Ok(())
}

/// Here a signal ends the program, and the next run goes on.
#[cfg(not(unix))]
fn mind_signals(_: &Arc<AtomicBool>) -> Result<(), CliError> {
    Ok(())
}

fn price(text: &str) -> Result<Price, String> {
    let wrong = || format!("two prices, read and written, are wanted: 0.15,0.60, not '{text}'");
    let (input, output) = text.split_once(',').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|price| price.is_finite() && *price >= 0.0);
    Ok(Price { input: number(input).ok_or_else(wrong)?, output: number(output).ok_or_else(wrong)? })
}
