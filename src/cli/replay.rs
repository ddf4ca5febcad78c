//! `refract replay`: a run executed again, step by step; the plain twin of the trajectory screen.

mod detail;
mod planned;
mod step;
mod story;

use std::{
    cell::RefCell,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

use serde::{Serialize, Serializer, ser::SerializeSeq};

use super::{CliError, Context, Format, OpenedRun, Printing, Sources, Verdict, context, output::note};
use crate::run::{Header, Replay, RunSource, RunView, Setup};

/// Execute a run again, step by step, with diffs and reasons
///
/// Prints each call with its sign, what it changed or why it was refused, and what the agent read.
/// A step that does not do what the log says is marked, and the exit status is 1. RUN#STEP prints
/// that step alone, in full; RUN#0 is what the agent was told at the start.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Runs: an id, a log, a folder of logs, or -; each with #STEP for one step in full
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<OsString>,
    /// Execute on this entry, whatever the log says: an id, or a path to a problem file
    #[arg(long)]
    problem: Option<OsString>,
    /// Execute as this role, whatever the log says
    #[arg(long)]
    role: Option<String>,
    /// Execute with this tool set, whatever the log says
    #[arg(long)]
    toolset: Option<String>,
    /// Follow a plan that a planner wrote for this entry (RUN is then the entry), as --role
    #[arg(long, value_name = "FILE", requires = "role", conflicts_with = "problem")]
    plan: Option<PathBuf>,
    /// What the names in that plan stand for [default: names.json beside it]
    #[arg(long, value_name = "FILE", requires = "plan")]
    names: Option<PathBuf>,
    /// Leave out messages, reasoning and notes
    #[arg(long)]
    no_messages: bool,
    #[command(flatten)]
    print: Printing,
}

/// A run, executed where it can be.
struct Told {
    run: OpenedRun,
    header: Header,
    replay: Option<Replay>,
}

/// Runs `refract replay`.
pub fn run(args: &Args, context: &Context) -> Result<Verdict, CliError> {
    let mut out = context.output();
    let single = matches!(args.runs.as_slice(), [run] if !Path::new(run).is_dir());
    let mut verdict = Verdict::Clean;
    let mut told = runs(args, context).filter_map(|run| {
        let told = run.and_then(|run| execute(run, args, context));
        let found = match &told {
            Ok(told) if told.replay.as_ref().is_some_and(Replay::diverged) => Verdict::Findings,
            Ok(_) => Verdict::Clean,
            Err(_) => Verdict::Unreadable,
        };
        verdict = verdict.max(found);
        told.map_err(CliError::report).ok()
    });
    match args.print.format {
        Format::Json if single => told.next().map_or(Ok(()), |told| out.json(&told.view()))?,
        Format::Json => out.json(&Views(RefCell::new(&mut told)))?,
        Format::Text => {
            for (index, told) in told.enumerate() {
                if index > 0 {
                    out.line("")?;
                }
                match told.run.step {
                    Some(step) => detail::print(&told, step, &mut out)?,
                    None => story::print(&told, !args.no_messages, &mut out)?,
                }
            }
        }
    }
    out.finish()?;
    Ok(verdict)
}

/// The runs, each read when its turn comes.
fn runs<'a>(args: &'a Args, context: &'a Context) -> Box<dyn Iterator<Item = Result<OpenedRun, CliError>> + 'a> {
    if let Some(plan) = &args.plan {
        return Box::new(std::iter::once_with(move || planned::open(plan, args, context)));
    }
    let sources = args.runs.iter().flat_map(move |argument| named(argument, context));
    Box::new(sources.map(|source| source.and_then(|(source, step)| context::open(&source, step))))
}

/// The runs of an argument, none of them read yet.
fn named(argument: &OsStr, context: &Context) -> Vec<Result<(RunSource, Option<usize>), CliError>> {
    match context.runs(argument) {
        Ok(Sources { runs, step, unreadable }) => {
            unreadable.into_iter().map(Err).chain(runs.into_iter().map(|run| Ok((run, step)))).collect()
        }
        Err(error) => vec![Err(error)],
    }
}

/// Runs as an array, each opened when its turn comes.
struct Views<'a, I>(RefCell<&'a mut I>);

impl<I: Iterator<Item = Told>> Serialize for Views<'_, I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut views = serializer.serialize_seq(None)?;
        for told in self.0.borrow_mut().by_ref() {
            views.serialize_element(&told.view())?;
        }
        views.end()
    }
}

/// Executes a run with what its log says and the options say instead.
fn execute(run: OpenedRun, args: &Args, context: &Context) -> Result<Told, CliError> {
    let mut header = run.log.header().unwrap_or_default();
    let entry = if args.plan.is_some() { args.runs.first() } else { args.problem.as_ref() };
    let world = match entry {
        Some(problem) => Some(context.world(problem)?),
        None => context.world_of_run(&header, run.path.as_deref()),
    };
    if let Some(world) = &world {
        if let Some(role) = &args.role {
            header.role = Some(world.domain.role_name(context::role(world, role)?).to_owned());
        }
        if args.toolset.is_some() {
            context::toolset(world, args.toolset.as_deref())?;
            header.toolset.clone_from(&args.toolset);
        }
    }
    let setup = match &world {
        Some(world) => Setup::of(&header, world),
        None => Err(match &header.problem {
            Some(problem) => format!("there is no entry '{problem}' here"),
            None => "the log names no entry; --problem and --role say it".to_owned(),
        }),
    };
    let (replay, why_not) = match setup {
        Ok(setup) => {
            let world_match = setup.matches(&header);
            (Some(Replay::whole(setup, world_match, &run.log)), None)
        }
        Err(why) => (None, Some(why)),
    };
    let told = Told { run, header, replay };
    if let Some(step) = told.run.step {
        told.has(step)?;
    }
    if let Some(why) = why_not {
        note(&format!("{}: {why}; this is what was recorded", told.run.name));
    }
    Ok(told)
}

impl Told {
    /// The run in the shape of design §6; with the step alone that was asked for.
    fn view(&self) -> RunView<'_> {
        let mut view = RunView::of(&self.run.name, &self.run.log, self.replay.as_ref());
        if let Some(step) = self.run.step {
            view.steps = view.steps.only(step);
        }
        view
    }

    /// The run's id, else the name of its file.
    fn name(&self) -> &str {
        self.header.id.as_deref().unwrap_or(&self.run.name)
    }

    /// Whether there is such a step.
    fn has(&self, step: usize) -> Result<(), CliError> {
        let steps = self.run.log.steps();
        if step <= steps {
            return Ok(());
        }
        let message = format!("{} has no step {step}", self.name());
        Err(CliError::new(message).hint(format!("it has {}", crate::text::count(steps, "step"))))
    }
}
