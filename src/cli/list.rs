//! `refract list`: entries and runs, as the browser shows them.

use indexmap::IndexMap;
use serde::Serialize;

use super::{
    CliError, Context, Format, Looking, Paint, Shelf, Verdict,
    context::{errors, open},
    error::tell_diagnostics,
    table::{Cell, Table},
};
use crate::{
    run::{self, Replay, Setup, Summary},
    text::count,
    tui::{sign::Sign, theme::Role},
    world::World,
};

/// List entries, and runs with the worst first
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    look: Looking,
}

/// Runs `refract list`.
pub fn run(args: &Args, context: &Context) -> Result<Verdict, CliError> {
    let mut shelf = context.shelf(&args.look.paths)?;
    let faults = errors(&shelf.library.diagnostics);
    tell_diagnostics(&faults);
    let mut verdict = Verdict::of(&faults);
    for error in shelf.runs.unreadable.drain(..) {
        error.report();
        verdict = Verdict::Unreadable;
    }
    let runs = summaries(&shelf, context, &mut verdict);
    let mut out = context.output();
    match args.look.print.format {
        Format::Json => {
            let entries = shelf.library.worlds.values().map(|world| Entry::of(world)).collect();
            out.json(&Listing { entries, runs: &runs })?;
        }
        Format::Text if shelf.library.worlds.is_empty() && runs.is_empty() => {
            // What could not be read may have been some.
            if verdict < Verdict::Unreadable {
                out.line("no entries, no runs")?;
            }
        }
        Format::Text => lines(&out.paint, &shelf, &runs).iter().try_for_each(|line| out.line(line))?,
    }
    out.finish()?;
    Ok(verdict)
}

/// The runs in a row each, worst first. A log that cannot be read is told on standard error.
fn summaries(shelf: &Shelf, context: &Context, verdict: &mut Verdict) -> Vec<Summary> {
    let mut runs = Vec::new();
    for source in &shelf.runs.runs {
        let run = match open(source, None) {
            Ok(run) => run,
            Err(error) => {
                error.report();
                *verdict = Verdict::Unreadable;
                continue;
            }
        };
        let header = run.log.header().unwrap_or_default();
        let here = run::entry_of(&header, |id| shelf.library.worlds.get(id).cloned());
        let world = here.or_else(|| context.world_of_run(&header, run.path.as_deref()));
        let setup = world.and_then(|world| Setup::of(&header, &world).ok());
        let replay = setup.map(|setup| {
            let world_match = setup.matches(&header);
            Replay::whole(setup, world_match, &run.log)
        });
        runs.push(Summary::of(&run.name, &run.log, replay.as_ref()));
    }
    runs.sort_by_cached_key(|run| run.worst_first((0, 0)));
    runs
}

/// All of it as lines.
fn lines(paint: &Paint, shelf: &Shelf, runs: &[Summary]) -> Vec<String> {
    let worlds = &shelf.library.worlds;
    let mut lines = Vec::new();
    if !worlds.is_empty() {
        lines.push(paint.text(Role::Title, &count(worlds.len(), "entry")));
        let mut table = Table::new(paint, &["", "title", "roles", "tools", "budget"]).sparing(&["tools"]);
        for world in worlds.values() {
            table.row(entry_row(paint, world));
        }
        lines.extend(table.lines(paint, 1));
    }
    if !runs.is_empty() {
        if !worlds.is_empty() {
            lines.push(String::new());
        }
        let title = paint.text(Role::Title, &format!("{}, worst first", count(runs.len(), "run")));
        lines.push(title + &paint.text(Role::Dim, "; under-reach is not judged here"));
        let head = ["", "run", "entry", "role", "set", "agent", "calls", "goal", "over", "end"];
        let mut table = Table::new(paint, &head).sparing(&["agent", "set", "role", "entry"]);
        for run in runs {
            table.row(run_row(paint, run));
        }
        lines.extend(table.lines(paint, 1));
    }
    lines
}

fn entry_row(paint: &Paint, world: &World) -> Vec<Cell> {
    let problem = &world.problem;
    let roles: Vec<&str> = problem.perspectives.keys().map(|&role| world.domain.role_name(role)).collect();
    let sets: Vec<String> = problem.toolsets.iter().map(|(name, set)| format!("{name} {}", set.tools.len())).collect();
    vec![
        Cell::new(paint, Role::Title, &problem.id),
        Cell::plain(paint, &paint.clip(&problem.title, 44)),
        Cell::plain(paint, &roles.join(" ")),
        Cell::new(paint, Role::Dim, &sets.join(paint.dot())),
        Cell::number(paint, Role::Plain, problem.budget),
    ]
}

fn run_row(paint: &Paint, run: &Summary) -> Vec<Cell> {
    let none = paint.either("–", "-");
    let or_none = |text: &Option<String>| Cell::plain(paint, text.as_deref().unwrap_or(none));
    let calls = run.budget.map_or_else(|| run.calls.to_string(), |budget| format!("{}/{budget}", run.calls));
    let goal = run.goal.map_or_else(|| none.to_owned(), |goal| format!("{}/{}", goal.held, goal.of));
    let goal_role = if run.goal.is_some_and(|goal| goal.complete()) { Role::Good } else { Role::Plain };
    let over_role = if run.over_reach > 0 { Role::Bad } else { Role::Dim };
    vec![
        Cell::painted(paint.sign(sign(run)), 1),
        Cell::new(paint, Role::Title, &paint.clip(&run.run, 40)),
        or_none(&run.problem),
        or_none(&run.role),
        or_none(&run.toolset),
        or_none(&run.agent.as_ref().map(|agent| paint.clip(agent, 24))),
        Cell::number(paint, Role::Plain, calls),
        Cell::number(paint, goal_role, goal),
        Cell::number(paint, over_role, run.over_reach),
        Cell::plain(paint, &paint.clip(&end(run), 60)),
    ]
}

/// The sign of the worst finding; of a run without one, whether its goal is reached.
fn sign(run: &Summary) -> Sign {
    match run.worst {
        Some(kind) if Sign::from(kind) != Sign::Fired && Sign::from(kind) != Sign::FiredIdle => kind.into(),
        _ if run.damage > 0 => Sign::Damaged,
        _ => match run.goal {
            Some(goal) if goal.complete() => Sign::Holds,
            Some(_) => Sign::Fails,
            None => Sign::Unknown,
        },
    }
}

/// How it ended, and what is wrong with the record.
fn end(run: &Summary) -> String {
    use crate::run::WorldMatch::{Changed, Missing, Same};
    let world = match run.world {
        Same => None,
        Changed => Some("world changed".to_owned()),
        Missing => Some("no world".to_owned()),
    };
    let damage = (run.damage > 0).then(|| format!("damaged, {}", run.damage));
    let diverged = run.diverged.then(|| "diverges".to_owned());
    let end = run.end.clone().unwrap_or_else(|| "no end".to_owned());
    let parts: Vec<String> = [Some(end), diverged, damage, world].into_iter().flatten().collect();
    parts.join("; ")
}

/// The shape of `refract list --format json`.
#[derive(Serialize)]
struct Listing<'a> {
    entries: Vec<Entry<'a>>,
    runs: &'a [Summary],
}

#[derive(Serialize)]
struct Entry<'a> {
    problem: &'a str,
    title: &'a str,
    domain: &'a str,
    roles: Vec<&'a str>,
    /// How many tools each set offers.
    toolsets: IndexMap<&'a str, usize>,
    budget: u32,
}

impl Entry<'_> {
    fn of(world: &World) -> Entry<'_> {
        let problem = &world.problem;
        Entry {
            problem: &problem.id,
            title: &problem.title,
            domain: &world.domain.name,
            roles: problem.perspectives.keys().map(|&role| world.domain.role_name(role)).collect(),
            toolsets: problem.toolsets.iter().map(|(name, set)| (name.as_str(), set.tools.len())).collect(),
            budget: problem.budget,
        }
    }
}
