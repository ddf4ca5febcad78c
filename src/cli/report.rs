//! `refract report`: runs put together on one page.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use clap::ValueEnum;
use rayon::prelude::*;

use super::{
    CliError, Context, Verdict,
    scoring::{Executed, Scorer, Scoring},
};
use crate::{
    report::{self, Figures, Left, Report, Run, Story, Told},
    run::{RunSource, Summary},
    score::Scored,
    text::count,
};

/// Put runs together on one page: tables, pictures, and the worst runs step by step
///
/// The page is one file that needs no network and no script. What it says of an agent is computed from its
/// runs. What cannot be scored is named, with the reason, and makes the exit status 1.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    what: Scoring,
    /// Where to write; - is standard output [default: -]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// html for a browser, md for Markdown [default: by the ending of FILE, else html]
    #[arg(long, value_enum, hide_possible_values = true)]
    format: Option<ReportFormat>,
    /// How many of the worst runs to tell step by step
    #[arg(long, value_name = "N", default_value_t = 12)]
    worst: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    Html,
    #[value(alias = "markdown")]
    Md,
}

/// Runs `refract report`.
pub fn run(args: &Args, context: &Context) -> Result<Verdict, CliError> {
    let (sources, mut verdict) = args.what.sources(context);
    let file = args.out.as_deref().filter(|path| *path != Path::new("-"));
    if let Some(file) = file {
        spare(file, &sources)?;
    }
    let report = report(args, &sources, &args.what.scorer(context, true));
    let text = match format(args, file) {
        ReportFormat::Html => report::html(&report),
        ReportFormat::Md => report::markdown(&report),
    };
    let mut out = context.output();
    match file {
        Some(file) => {
            std::fs::write(file, &text).map_err(|error| {
                CliError::new(format!("{} cannot be written: {}", file.display(), crate::file::why(&error)))
            })?;
            out.line(&crate::text::visible(&format!("{}: {}", file.display(), summary(&report))))?;
        }
        None => out.text(&text)?,
    }
    out.finish()?;
    if !report.left.is_empty() {
        verdict = verdict.max(Verdict::Findings);
    }
    Ok(verdict)
}

fn format(args: &Args, file: Option<&Path>) -> ReportFormat {
    let ending = file.and_then(Path::extension).unwrap_or_default();
    let markdown = ["md", "markdown"].iter().any(|markdown| ending.eq_ignore_ascii_case(markdown));
    args.format.unwrap_or(if markdown { ReportFormat::Md } else { ReportFormat::Html })
}

/// A report never takes the place of a log that it is about.
fn spare(file: &Path, sources: &[RunSource]) -> Result<(), CliError> {
    let Ok(whole) = file.canonicalize() else { return Ok(()) };
    let is = |source: &RunSource| !source.embedded && source.path.canonicalize().is_ok_and(|path| path == whole);
    if sources.par_iter().any(is) {
        return Err(CliError::new(format!("{} is one of the runs", file.display()))
            .hint("-o names the report that is written, as in `-o report.html`".to_owned()));
    }
    Ok(())
}

/// A run as it comes from its file: standard input cannot be read again for its story.
struct Read {
    run: Run,
    source: RunSource,
    again: Option<Executed>,
}

fn report(args: &Args, sources: &[RunSource], scorer: &Scorer) -> Report {
    let read = |source: &RunSource, executed: Executed, scored: Scored| {
        let under = scored
            .ways
            .as_ref()
            .map_or((0, 0), |ways| (ways.withheld.len(), ways.misroutes.len() + usize::from(ways.missed_route)));
        let summary = Summary::of(&executed.name, &executed.log, Some(&executed.replay));
        let run = Run {
            badness: summary.badness(under),
            diverged: summary.diverged,
            world: executed.replay.setup.world.clone(),
            scored,
        };
        Read { run, source: source.clone(), again: (source.path == Path::new("-")).then_some(executed) }
    };
    let (read, unscored) = scorer.scores(sources, read);
    let mut runs = Vec::with_capacity(read.len());
    let (mut logs, mut kept) = (Vec::with_capacity(read.len()), HashMap::new());
    for (place, Read { run, source, again }) in read.into_iter().enumerate() {
        runs.push(run);
        logs.push(source);
        kept.extend(again.map(|executed| (place, executed)));
    }
    let figures = Figures::of(&runs);
    let told = Told::of(&runs, &figures, args.worst);
    let story = |&place: &usize| {
        let again = (!kept.contains_key(&place)).then(|| scorer.execute(&logs[place]).ok()).flatten();
        let Executed { log, replay, .. } = kept.get(&place).or(again.as_ref())?;
        Some(Story::of(place, &runs[place], log, replay))
    };
    let stories = |places: &[usize]| places.par_iter().filter_map(story).collect();
    Report {
        findings: report::findings(&runs, &figures),
        left: unscored.into_iter().map(|unscored| Left { run: unscored.run, why: unscored.why }).collect(),
        worst: stories(&told.worst),
        behind: stories(&told.behind),
        figures,
    }
}

/// What a report is about, in a line.
fn summary(report: &Report) -> String {
    let figures = &report.figures;
    let runs = figures.all.as_ref().map_or(0, |all| all.runs);
    let mut parts =
        vec![count(runs, "run"), count(figures.entries.len(), "entry"), count(figures.agents.len(), "agent")];
    parts.push(format!("{} told step by step", count(report.worst.len() + report.behind.len(), "run")));
    if !report.left.is_empty() {
        parts.push(format!("{} not scored", count(report.left.len(), "run")));
    }
    parts.join(", ")
}
