//! `refract score`: runs on the three axes, one by one and in groups.

mod print;

use std::{
    ffi::OsString,
    io::{IsTerminal, Write},
};

use clap::ValueEnum;
use rayon::prelude::*;
use serde::Serialize;

use super::{
    CliError, Context, OpenedRun, Verdict,
    context::{self, Sources},
};
use crate::{
    plan::{Limits, Planners},
    run::{Header, Replay, RunSource, Setup},
    score::{Group, GroupKey, Scored, Ways, groups},
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
#[derive(Debug, Default, Serialize)]
struct Scores {
    runs: Vec<Scored>,
    groups: Vec<Group>,
    unscored: Vec<Unscored>,
}

/// Runs that are read at a time; their logs are gone before the next are read.
const PORTION: usize = 1024;

/// Runs `refract score`.
pub fn run(args: &Args, context: &Context) -> Result<Verdict, CliError> {
    let by: Vec<GroupKey> = args.by.iter().map(|&by| by.into()).collect();
    let limits = Limits { expansions: args.max_expansions, ..Limits::default() };
    let planners = (!args.no_distances).then(|| Planners::new(limits));
    let mut scorer = Scorer { context, planners, scores: Scores::default() };
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
    let mut progress = Progress::new(sources.len());
    for portion in sources.chunks(PORTION) {
        scorer.score(portion);
        progress.tell(portion.len());
    }
    drop(progress);
    let mut scores = scorer.scores;
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

struct Scorer<'a> {
    context: &'a Context,
    planners: Option<Planners>,
    scores: Scores,
}

/// A run that is ready to be executed.
struct Ready {
    run: OpenedRun,
    header: Header,
    setup: Setup,
}

impl Scorer<'_> {
    /// Reads in parallel, looks worlds up one by one, executes and scores in parallel.
    fn score(&mut self, sources: &[RunSource]) {
        let opened: Vec<_> = sources
            .par_iter()
            .map(|source| context::open(source, None).map(|run| (run.log.header().unwrap_or_default(), run)))
            .collect();
        let ready: Vec<Result<Ready, Unscored>> = sources
            .iter()
            .zip(opened)
            .map(|(source, opened)| match opened {
                Ok((header, run)) => self.ready(header, run),
                Err(why) => Err(Unscored { run: source.name.clone(), why: why.to_string() }),
            })
            .collect();
        let scored: Vec<Result<Scored, Unscored>> =
            ready.into_par_iter().map(|ready| ready?.score(self.planners.as_ref())).collect();
        for scored in scored {
            match scored {
                Ok(run) => self.scores.runs.push(run),
                Err(unscored) => self.scores.unscored.push(unscored),
            }
        }
    }

    fn ready(&mut self, header: Header, run: OpenedRun) -> Result<Ready, Unscored> {
        let unscored = |why: String| {
            let run = header.id.clone().unwrap_or_else(|| run.name.clone());
            Err(Unscored { run, why })
        };
        let Some(world) = self.context.world_of_run(&header, run.path.as_deref()) else {
            return unscored(match &header.problem {
                Some(problem) => format!("there is no entry '{problem}' here"),
                None => "the log names no entry".to_owned(),
            });
        };
        match Setup::of(&header, &world) {
            Ok(setup) if !world.problem.perspectives.contains_key(&setup.role) => {
                let role = world.domain.role_name(setup.role);
                unscored(format!("{} has no perspective of the {role}", world.problem.id))
            }
            Ok(setup) => Ok(Ready { run, header, setup }),
            Err(why) => unscored(why),
        }
    }
}

impl Ready {
    fn score(self, planners: Option<&Planners>) -> Result<Scored, Unscored> {
        let Ready { run, header, setup } = self;
        let world_match = setup.matches(&header);
        let replay = Replay::whole(setup, world_match, &run.log);
        let ways = planners.and_then(|planners| Ways::by(planners, &run.log, &replay));
        Scored::of(&run.name, header, &run.log, &replay, ways).ok_or_else(|| Unscored {
            run: run.name.clone(),
            why: "its role has no perspective in the entry".to_owned(),
        })
    }
}

/// How far it has come, on standard error where that is a terminal and it takes a while.
struct Progress {
    done: usize,
    all: usize,
    shown: bool,
}

impl Progress {
    fn new(all: usize) -> Progress {
        Progress { done: 0, all, shown: all > PORTION && std::io::stderr().is_terminal() }
    }

    fn tell(&mut self, more: usize) {
        self.done += more;
        if self.shown {
            // Nobody reads it where it cannot be written.
            let _ = write!(std::io::stderr(), "\r{} of {} runs", self.done, self.all);
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
