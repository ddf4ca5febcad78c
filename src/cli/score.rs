//! `refract score`: runs on the three axes, one by one and in groups.

mod print;

use clap::ValueEnum;
use indexmap::IndexSet;
use serde::Serialize;

use super::{
    CliError, Context, Verdict,
    scoring::{Scoring, Unscored},
};
use crate::score::{Group, GroupKey, Scored, groups};

/// Score runs: goal attainment, over-reach and under-reach by gate, efficiency
///
/// The axes are reported separately, per run and in groups. What cannot be scored is named, with the
/// reason, and makes the exit status 1.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    what: Scoring,
    /// What to group by; more than once for combinations [default: role]
    #[arg(long, value_enum, value_name = "KEY")]
    by: Vec<By>,
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
    let (sources, mut verdict) = args.what.sources(context);
    let (runs, unscored) = args.what.scorer(context, false).scores(&sources, |_, _, scored| scored);
    let mut scores = Scores { runs, groups: Vec::new(), unscored };
    let mut out = context.output();
    match args.format {
        ScoreFormat::Text => print::text(&scores, &by, &mut out)?,
        ScoreFormat::Json => {
            scores.groups = groups(counted(&scores.runs), if by.is_empty() { &[GroupKey::Role] } else { &by });
            out.json(&scores)?;
        }
        ScoreFormat::Csv if by.is_empty() => print::csv_runs(&scores.runs, &mut out)?,
        ScoreFormat::Csv => print::csv_groups(&groups(counted(&scores.runs), &by), &by, &mut out)?,
    }
    out.finish()?;
    if !scores.unscored.is_empty() {
        verdict = verdict.max(Verdict::Findings);
    }
    Ok(verdict)
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

/// The runs that say something of their agents: all but those that broke off.
fn counted(runs: &[Scored]) -> impl Iterator<Item = &Scored> {
    runs.iter().filter(|run| !run.broke_off())
}
