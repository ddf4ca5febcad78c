//! The runs of a command line, executed and scored: what `refract score` and `refract report` share.

use std::{
    collections::HashSet,
    ffi::OsString,
    io::{IsTerminal, Write},
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};

use rayon::{iter::Either, prelude::*};
use serde::Serialize;

use super::{
    CliError, Context, OpenedRun, Verdict,
    context::{self, Sources},
    output::note,
};
use crate::{
    plan::{Limits, Planners},
    run::{Header, Log, Replay, RunSource, Setup},
    score::{Scored, Ways},
    text::count,
};

/// What is scored, and how far.
#[derive(Debug, clap::Args)]
pub struct Scoring {
    /// Runs: an id, a log, a folder of logs, or - [default: all that `refract list` lists]
    #[arg(value_name = "RUN")]
    runs: Vec<OsString>,
    /// Leave out what needs shortest plans: under-reach, misroutes, verdicts, distances
    #[arg(long)]
    no_distances: bool,
    /// States to look at per distance before it is "unknown"
    #[arg(long, value_name = "N", default_value_t = Limits::default().expansions)]
    max_expansions: u64,
}

/// A run that cannot be scored.
#[derive(Debug, Serialize)]
pub struct Unscored {
    /// The run's id, else the name of its file.
    pub run: String,
    /// A sentence without a full stop.
    pub why: String,
}

/// A run that was executed to its end.
#[derive(Debug)]
pub struct Executed {
    /// What to call it if its log does not say.
    pub name: String,
    /// The log's header.
    pub header: Header,
    /// The log.
    pub log: Log,
    /// What became of it.
    pub replay: Replay,
}

/// Executes runs, and scores them.
#[derive(Debug)]
pub struct Scorer<'a> {
    context: &'a Context,
    /// None where distances are not wanted.
    planners: Option<Planners>,
    /// Whether to hold what was recorded against what was executed.
    compares: bool,
}

impl Scoring {
    /// The logs that are named, each once however often and by whatever paths; what cannot be read is told
    /// on standard error.
    pub fn sources(&self, context: &Context) -> (Vec<RunSource>, Verdict) {
        let mut verdict = Verdict::Clean;
        let mut sources = Vec::new();
        let named: Vec<Result<Sources, CliError>> = match &self.runs[..] {
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
        (once_each(sources), verdict)
    }

    /// What scores them.
    pub fn scorer<'a>(&self, context: &'a Context, compares: bool) -> Scorer<'a> {
        let limits = Limits { expansions: self.max_expansions, ..Limits::default() };
        let planners = (!self.no_distances).then(|| Planners::new(limits));
        Scorer { context, planners, compares }
    }
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

impl Scorer<'_> {
    /// Reads, executes and scores runs in parallel, each from its file to its score on one thread. `keep` says
    /// what else is to be kept of a run; the order of the runs stays.
    pub fn scores<T: Send>(
        &self,
        sources: &[RunSource],
        keep: impl Fn(&RunSource, Executed, Scored) -> T + Sync,
    ) -> (Vec<T>, Vec<Unscored>) {
        let progress = Progress::new(sources.len());
        let score = |source| {
            let scored = self.score(source).map(|(executed, scored)| keep(source, executed, scored));
            progress.tell();
            scored
        };
        sources.par_iter().map(score).partition_map(|scored| match scored {
            Ok(run) => Either::Left(run),
            Err(unscored) => Either::Right(unscored),
        })
    }

    fn score(&self, source: &RunSource) -> Result<(Executed, Scored), Unscored> {
        let run = self.execute(source)?;
        let ways = self.planners.as_ref().and_then(|planners| Ways::by(planners, &run.log, &run.replay));
        match Scored::of(&run.name, run.header.clone(), &run.log, &run.replay, ways) {
            Some(scored) => Ok((run, scored)),
            None => Err(Unscored { run: run.name, why: "its role has no perspective in the entry".to_owned() }),
        }
    }

    /// Reads and executes a run.
    ///
    /// # Errors
    /// Says why it cannot be scored.
    pub fn execute(&self, source: &RunSource) -> Result<Executed, Unscored> {
        let OpenedRun { name, path, log, .. } =
            context::open(source, None).map_err(|why| Unscored { run: source.name.clone(), why: why.to_string() })?;
        let header = log.header().unwrap_or_default();
        let setup = self.setup(&header, path.as_deref());
        let setup = setup.map_err(|why| Unscored { run: header.id.clone().unwrap_or_else(|| name.clone()), why })?;
        let world_match = setup.matches(&header);
        let execute = if self.compares { Replay::whole } else { Replay::executed };
        let replay = execute(setup, world_match, &log);
        Ok(Executed { name, header, log, replay })
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
