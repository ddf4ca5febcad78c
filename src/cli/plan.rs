//! `refract plan`: a shortest plan of one perspective, and what each of its calls changes.

use std::ffi::OsString;

use serde::Serialize;

use super::{
    CliError, Context, Format, Output, Paint, Printing, Verdict, context,
    lines::{self, argument, below, difference},
};
use crate::{
    exec::{Call, Changes, Difference, Json, Outcome, Request, State, step},
    plan::{Distance, Limits, Planner},
    text::count,
    tui::{sign::Sign, theme::Role},
    world::World,
};

/// Find a shortest plan for a role with the tools it is offered
///
/// Prints the calls and what each changes, or says that no plan exists. The exit status is 1 where
/// there is none, and where a limit was hit before that was decided.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The entry: an id, or a path to a problem file
    problem: OsString,
    /// The role that plans
    #[arg(long)]
    role: String,
    /// The tools offered [default: the first tool set]
    #[arg(long)]
    toolset: Option<String>,
    /// Also every call with which some shortest plan begins
    #[arg(long)]
    all_first: bool,
    /// States to look at before the answer is "unknown"
    #[arg(long, value_name = "N", default_value_t = Limits::default().expansions)]
    max_expansions: u64,
    /// Megabytes that these states may take before the answer is "unknown"
    #[arg(long, value_name = "MB", default_value_t = Limits::default().bytes / MEGABYTE)]
    max_memory: usize,
    /// Calls to look at, once per landmark, before the answer is "unknown": about ten million a second
    #[arg(long, value_name = "N", default_value_t = Limits::default().effort)]
    max_effort: u64,
    #[command(flatten)]
    print: Printing,
}

const MEGABYTE: usize = 1 << 20;

#[derive(Serialize)]
struct Answer<'a> {
    problem: &'a str,
    role: &'a str,
    toolset: &'a str,
    solvable: Option<bool>,
    cost: Option<u32>,
    plan: Vec<Sent>,
    expanded: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<Vec<Sent>>,
}

/// A call as an agent would send it.
#[derive(Serialize)]
struct Sent {
    tool: String,
    args: Json,
}

/// Runs `refract plan`.
pub fn run(args: &Args, context: &Context) -> Result<Verdict, CliError> {
    let world = context.world(&args.problem)?;
    let role = context::role(&world, &args.role)?;
    let toolset = context::toolset(&world, args.toolset.as_deref())?;
    let bytes = args.max_memory.saturating_mul(MEGABYTE);
    let limits = Limits { expansions: args.max_expansions, bytes, effort: args.max_effort };
    let planner = Planner::new(&world, role, toolset, limits);
    let mut planner = planner.ok_or_else(|| context::no_perspective(&world, &args.role))?;
    let start = State::initial(&world, role);
    let plan = planner.plan(&start);
    let first = if args.all_first { planner.first(&start) } else { None };
    let undecided = plan.distance == Distance::Unknown || args.all_first && first.is_none();
    let mut out = context.output();
    match args.print.format {
        Format::Json => {
            let sent = |calls: &[Call]| calls.iter().map(|call| Sent::of(&world, call)).collect::<Vec<_>>();
            out.json(&Answer {
                problem: &world.problem.id,
                role: &args.role,
                toolset: toolset_name(&planner),
                solvable: match plan.distance {
                    Distance::Calls(_) => Some(true),
                    Distance::Never => Some(false),
                    Distance::Unknown => None,
                },
                cost: plan.distance.calls(),
                plan: sent(&plan.calls),
                expanded: planner.counts().expanded,
                first: first.as_deref().map(sent),
            })?;
        }
        Format::Text => {
            tell(&planner, plan.distance, &mut out)?;
            steps(&planner, start, &plan.calls, &mut out)?;
            if args.all_first {
                beginnings(&world, first.as_deref(), &mut out)?;
            }
        }
    }
    out.finish()?;
    Ok(if undecided || plan.distance == Distance::Never { Verdict::Findings } else { Verdict::Clean })
}

fn toolset_name(planner: &Planner) -> &str {
    let toolset = planner.world.problem.toolsets.get_index(planner.toolset.index());
    toolset.map_or("", |(name, _)| name)
}

fn tell(planner: &Planner, distance: Distance, out: &mut Output) -> Result<(), CliError> {
    let Planner { world, role, .. } = planner;
    let counts = planner.counts();
    let looked = format!(
        "{} that matter{}, {} looked at",
        count(counts.actions, "call"),
        if counts.actions == 1 { "s" } else { "" },
        // The start is looked at even where it is the goal.
        count(counts.expanded.max(1), "state")
    );
    let answer = match distance {
        Distance::Calls(0) => "the goal holds from the start".to_owned(),
        Distance::Calls(1) => "1 call".to_owned(),
        Distance::Calls(calls) => format!("{calls} calls, and none with fewer"),
        Distance::Never => "no plan exists".to_owned(),
        Distance::Unknown => "unknown: a limit was hit (--max-expansions, --max-memory, --max-effort)".to_owned(),
    };
    let dot = out.paint.dot();
    let title = [&world.problem.id, world.domain.role_name(*role), toolset_name(planner)].join(dot);
    let line = format!("{}  {}", out.paint.text(Role::Title, &title), out.paint.text(Role::Plain, &answer));
    out.line(&line)?;
    let looked = out.paint.text(Role::Dim, &looked);
    out.line(&looked)
}

fn steps(planner: &Planner, mut state: State, calls: &[Call], out: &mut Output) -> Result<(), CliError> {
    let Planner { world, role, toolset, .. } = planner;
    let goal = &world.problem.perspectives[role].goal;
    for (number, call) in (1..).zip(calls) {
        let changes = match step(world, *role, *toolset, &state, &Request::Call(call.clone())) {
            Outcome::Fired(changes) => changes,
            Outcome::Refused(_) => Changes::default(),
        };
        changes.apply(&mut state);
        let share = goal.best(&state).1;
        let (tool, args) = words(world, call);
        let came = format!("goal {}/{}", share.held, share.of);
        for line in lines::call(&out.paint, number, Sign::Fired, (&tool, &args), &[(Role::Good, &came)]) {
            out.line(&line)?;
        }
        for entry in Difference::of(world, &changes) {
            let line = below(&difference(&out.paint, world, entry));
            out.line(&line)?;
        }
    }
    Ok(())
}

fn beginnings(world: &World, first: Option<&[Call]>, out: &mut Output) -> Result<(), CliError> {
    let Some(first) = first else { return out.line("Which calls begin a shortest plan is unknown: a limit was hit.") };
    if first.is_empty() {
        return Ok(());
    }
    out.line("")?;
    out.line(&format!(
        "A shortest plan begins with {}",
        if first.len() == 1 { "this alone:" } else { "any of these:" }
    ))?;
    for call in first {
        let (tool, args) = words(world, call);
        let line = beginning(&out.paint, &tool, &args);
        out.line(&line)?;
    }
    Ok(())
}

fn beginning(paint: &Paint, tool: &str, args: &[String]) -> String {
    let args = args.iter().map(|arg| format!("  {arg}")).collect::<String>();
    format!("  {}{}", paint.text(Role::Title, tool), paint.text(Role::Plain, &args))
}

/// The tool and `name=value` for each argument.
fn words(world: &World, call: &Call) -> (String, Vec<String>) {
    let args = call.arguments(world).into_iter().map(|(name, value)| argument(name, &value)).collect();
    (world.domain.tool_name(call.tool).to_owned(), args)
}

impl Sent {
    fn of(world: &World, call: &Call) -> Sent {
        Sent { tool: world.domain.tool_name(call.tool).to_owned(), args: call.args(world) }
    }
}
