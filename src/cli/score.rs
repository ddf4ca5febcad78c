//! `refract score`: runs on the three axes, one by one and in groups.

mod print;

use std::{
    collections::HashSet,
    ffi::OsString,
    io::{IsTerminal, Write},
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};

use clap::ValueEnum;
use indexmap::IndexSet;
use rayon::{iter::Either, prelude::*};
use serde::Serialize;

use super::{
    CliError, Context, OpenedRun, Verdict,
    context::{self, Sources},
    output::note,
};
use crate::{
    plan::{Limits, Planners},
    run::{Header, Replay, RunSource, Setup},
    score::{Group, GroupKey, Scored, Ways, groups},
    text::count,
};

/// Score runs: goal attainment, over-reach and under-reach by gate, efficiency
///
/// The axes are reported separately, per run and in groups. What cannot be scored is named, with the
/// reason, and makes the exit status 1.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Runs: an id, a log, a folder of logs, or - [default: all that `refract list` lists]
    #[arg(value_name = "RUN")]
    runs: Vec<OsString>,
    /// What to group by; more than once for combinations [default: role]
    #[arg(long, value_enum, value_name = "KEY")]
    by: Vec<By>,
    /// Leave out what needs shortest plans: under-reach, misroutes, verdicts, distances
    #[arg(long)]
    no_distances: bool,
    /// States to look at per distance before it is "unknown"
    #[arg(long, value_name = "N", default_value_t = Limits::default().expansions)]
    max_expansions: u64,
    /// text for people, json for programs, csv for spreadsheets
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    format: ScoreFormat,
}

/// What runs are grouped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    /// The agent's name
    Agent,
    /// The role
    Role,
    /// The tool set
    Toolset,
    /// The entry
    Problem,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum ScoreFormat {
    #[default]
    Text,
    Json,
    /// With --by one row per group, else one per run
    Csv,
}

/// A run that cannot be scored.
#[derive(Debug, Serialize)]
struct Unscored {
    run: String,
    why: String,
}

/// What a command line of runs came to.
#[derive(Debug, Serialize)]
struct Scores {
    runs: Vec<Scored>,
    groups: Vec<Group>,
    unscored: Vec<Unscored>,
}

/// Runs `refract score`.
pub fn run(args: &Args, context: &Context) -> Result<Verdict, CliError> {
    let by: IndexSet<GroupKey> = args.by.iter().map(|&by| by.into()).collect();
    let by = Vec::from_iter(by);
    let limits = Limits { expansions: args.max_expansions, ..Limits::default() };
    let planners = (!args.no_distances).then(|| Planners::new(limits));
    let mut verdict = Verdict::Clean;
    let mut sources = Vec::new();
    let named: Vec<Result<Sources, CliError>> = match &args.runs[..] {
        [] => vec![context.shelf(&[]).map(|shelf| shelf.runs)],
        runs => runs.iter().map(|run| context.runs(run)).collect(),
    };
    for named in named {
        let unreadable = match named {
            Ok(named) => {
                sources.extend(named.runs);
                named.unreadable
            }
            Err(error) => vec![error],
        };
        for error in unreadable {
            error.report();
            verdict = Verdict::Unreadable;
        }
    }
    let sources = once_each(sources);
    let mut scores = scores(&sources, &Scorer { context, planners });
    let mut out = context.output();
    match args.format {
        ScoreFormat::Text => print::text(&scores, &by, &mut out)?,
        ScoreFormat::Json => {
            scores.groups = groups(&scores.runs, if by.is_empty() { &[GroupKey::Role] } else { &by });
            out.json(&scores)?;
        }
        ScoreFormat::Csv if by.is_empty() => print::csv_runs(&scores.runs, &mut out)?,
        ScoreFormat::Csv => print::csv_groups(&groups(&scores.runs, &by), &by, &mut out)?,
    }
    out.finish()?;
    if !scores.unscored.is_empty() {
        verdict = verdict.max(Verdict::Findings);
    }
    Ok(verdict)
}

/// The logs, each once however often and by whatever paths it is named.
fn once_each(sources: Vec<RunSource>) -> Vec<RunSource> {
    let whole = |source: &RunSource| (source.embedded, source.path.canonicalize().unwrap_or(source.path.clone()));
    let whole: Vec<_> = sources.par_iter().map(whole).collect();
    let (mut known, named) = (HashSet::new(), sources.len());
    let once: Vec<_> =
        sources.into_iter().zip(whole).filter_map(|(s, whole)| known.insert(whole).then_some(s)).collect();
    if once.len() < named {
        note(&format!("what is named more than once is scored once: {}", count(once.len(), "log")));
    }
    once
}

/// Reads, executes and scores runs in parallel, each from its file to its score on one thread.
fn scores(sources: &[RunSource], scorer: &Scorer) -> Scores {
    let progress = Progress::new(sources.len());
    let score = |source| {
        let scored = scorer.score(source);
        progress.tell();
        scored
    };
    let (runs, unscored) = sources.par_iter().map(score).partition_map(|scored| match scored {
        Ok(run) => Either::Left(run),
        Err(unscored) => Either::Right(unscored),
    });
    Scores { runs, groups: Vec::new(), unscored }
}

struct Scorer<'a> {
    context: &'a Context,
    planners: Option<Planners>,
}

impl Scorer<'_> {
    fn score(&self, source: &RunSource) -> Result<Scored, Unscored> {
        let OpenedRun { name, path, log, .. } =
            context::open(source, None).map_err(|why| Unscored { run: source.name.clone(), why: why.to_string() })?;
        let header = log.header().unwrap_or_default();
        let setup = self.setup(&header, path.as_deref());
        let setup = setup.map_err(|why| Unscored { run: header.id.clone().unwrap_or_else(|| name.clone()), why })?;
        let world_match = setup.matches(&header);
        let replay = Replay::executed(setup, world_match, &log);
        let ways = self.planners.as_ref().and_then(|planners| Ways::by(planners, &log, &replay));
        Scored::of(&name, header, &log, &replay, ways)
            .ok_or_else(|| Unscored { run: name, why: "its role has no perspective in the entry".to_owned() })
    }

    /// What a run is executed with, or why it cannot be scored.
    fn setup(&self, header: &Header, path: Option<&Path>) -> Result<Setup, String> {
        let world = self.context.world_of_run(header, path).ok_or_else(|| match &header.problem {
            Some(problem) => format!("there is no entry '{problem}' here"),
            None => "the log names no entry".to_owned(),
        })?;
        let setup = Setup::of(header, &world)?;
        if world.problem.perspectives.contains_key(&setup.role) {
            return Ok(setup);
        }
        Err(format!("{} has no perspective of the {}", world.problem.id, world.domain.role_name(setup.role)))
    }
}

/// How far it has come, on standard error where that is a terminal and it takes a while.
struct Progress {
    done: AtomicUsize,
    all: usize,
    shown: bool,
}

/// Runs between two tellings.
const PORTION: usize = 1024;

impl Progress {
    fn new(all: usize) -> Progress {
        Progress { done: AtomicUsize::new(0), all, shown: all > PORTION && std::io::stderr().is_terminal() }
    }

    /// One more is done.
    fn tell(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.shown && done.is_multiple_of(PORTION) {
            // Nobody reads it where it cannot be written.
            let _ = write!(std::io::stderr(), "\r{done} of {} runs", self.all);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

impl From<By> for GroupKey {
    fn from(by: By) -> GroupKey {
        match by {
            By::Agent => GroupKey::Agent,
            By::Role => GroupKey::Role,
            By::Toolset => GroupKey::Toolset,
            By::Problem => GroupKey::Problem,
        }
    }
}
