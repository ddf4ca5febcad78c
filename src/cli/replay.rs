//! `refract replay`: a run executed again, step by step; the plain twin of the trajectory screen.

mod detail;
mod step;
mod story;

use serde::Serialize;

use super::{CliError, Context, Format, OpenedRun, Printing, Verdict, context, output::note};
use crate::run::{Header, Replay, RunView, Setup};

/// Execute a run again, step by step, with diffs and reasons
///
/// Prints each call with its sign, what it changed or why it was refused, and what the agent read.
/// A step that does not do what the log says is marked, and the exit status is 1. RUN#STEP prints
/// that step alone, in full; RUN#0 is what the agent was told at the start.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Runs: an id, a log, a folder of logs, or -; each with #STEP for one step in full
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    /// Execute on this entry, whatever the log says: an id, or a path to a problem file
    #[arg(long)]
    problem: Option<String>,
    /// Execute as this role, whatever the log says
    #[arg(long)]
    role: Option<String>,
    /// Execute with this tool set, whatever the log says
    #[arg(long)]
    toolset: Option<String>,
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
    /// Why it was not executed.
    why_not: Option<String>,
}

/// Runs `refract replay`.
pub fn run(args: &Args, context: &Context) -> Result<Verdict, CliError> {
    let mut out = context.output();
    let mut verdict = Verdict::Clean;
    let mut views = Vec::new();
    let mut printed = false;
    let mut single = args.runs.len() == 1;
    for argument in &args.runs {
        let runs = match context.runs(argument) {
            Ok(runs) => runs,
            Err(error) => {
                error.report();
                verdict = Verdict::Unreadable;
                continue;
            }
        };
        single &= runs.len() == 1 && !std::path::Path::new(argument).is_dir();
        for run in runs {
            let told = execute(run, args, context)?;
            if told.replay.as_ref().is_some_and(Replay::diverged) {
                verdict = verdict.max(Verdict::Findings);
            }
            match args.print.format {
                Format::Json => views.push(view(&told)?),
                Format::Text => {
                    if std::mem::replace(&mut printed, true) {
                        out.line("")?;
                    }
                    match told.run.step {
                        Some(step) => detail::print(&told, step, &mut out)?,
                        None => story::print(&told, !args.no_messages, &mut out)?,
                    }
                }
            }
        }
    }
    match (args.print.format, single, views.first()) {
        (Format::Json, true, Some(view)) => out.json(view)?,
        (Format::Json, false, _) => out.json(&views)?,
        _ => {}
    }
    out.finish()?;
    Ok(verdict)
}

/// Executes a run with what its log says and the options say instead.
fn execute(run: OpenedRun, args: &Args, context: &Context) -> Result<Told, CliError> {
    let mut header = run.log.header().unwrap_or_default();
    let world = match &args.problem {
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
    let told = Told { run, header, replay, why_not };
    if let Some(why) = &told.why_not {
        note(&format!("{}: {why}; this is what was recorded", told.run.name));
    }
    Ok(told)
}

/// The run in the shape of design §6; with the step alone that was asked for.
fn view(told: &Told) -> Result<impl Serialize + use<>, CliError> {
    let mut view = RunView::of(&told.run.name, &told.run.log, told.replay.as_ref());
    if let Some(step) = told.run.step {
        told.has(step)?;
        view.steps.retain(|view| view.step == step);
    }
    Ok(view)
}

impl Told {
    /// The run's id, else the name of its file.
    fn name(&self) -> &str {
        self.header.id.as_deref().unwrap_or(&self.run.name)
    }

    /// Refuses a step that there is not.
    fn has(&self, step: usize) -> Result<(), CliError> {
        let steps = self.run.log.steps();
        if step <= steps {
            return Ok(());
        }
        let message = format!("{} has no step {step}", self.name());
        Err(CliError::new(message).hint(format!("it has {}", super::check::count(steps, "step", "steps"))))
    }
}
