//! A run of the list: how far reading it has come, what its columns say, its sign.

use std::sync::Arc;

use super::load::{Sketch, is_well};
use crate::exec::Share;
use crate::plan::Distance;
use crate::run::{RunSource, StepKind, Summary, WorldMatch};
use crate::score::{Scored, Ways};
use crate::tui::sign::Sign;

/// A run of the list.
#[derive(Debug, Clone)]
pub struct RunItem {
    /// Where it is.
    pub source: RunSource,
    /// How far reading it has come.
    pub state: RunState,
    /// What it is against shortest plans.
    pub held: Held,
    /// Whether that counts in the order: what comes late moves no row.
    pub counts: bool,
}

/// How far reading a run has come.
#[derive(Debug, Clone)]
pub enum RunState {
    /// Not read yet.
    Reading,
    /// Cannot be read, and why.
    Unreadable(String),
    /// Summed up.
    Read(Arc<Sketch>),
}

/// A run against shortest plans.
#[derive(Debug, Clone, Default)]
pub enum Held {
    /// Not held against them yet.
    #[default]
    Waiting,
    /// There is no goal to plan for.
    Nothing,
    /// Scored, with distances.
    Known(Arc<Scored>),
}

/// A column of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as they are headed")]
pub enum Column {
    Worst,
    Run,
    Entry,
    Role,
    Set,
    Agent,
    Calls,
    Goal,
    Taking,
    Routing,
    Over,
    Under,
    Distance,
    Efficiency,
    End,
}

impl Column {
    /// All, with their headings and what sorting by them brings first.
    pub const ALL: [(Column, &'static str, &'static str); 15] = [
        (Column::Worst, "worst", "worst first"),
        (Column::Run, "run", "by name"),
        (Column::Entry, "entry", "by entry"),
        (Column::Role, "role", "by role"),
        (Column::Set, "set", "by tool set"),
        (Column::Agent, "agent", "by agent"),
        (Column::Calls, "calls", "by calls, fewest first"),
        (Column::Goal, "goal", "by share of the goal, least first"),
        (Column::Taking, "taking", "by share of what was to be done, least first"),
        (Column::Routing, "routing", "by share of what was to be routed, least first"),
        (Column::Over, "over", "by over-reach, least first"),
        (Column::Under, "under", "by under-reach, least first"),
        (Column::Distance, "dist", "by distance to the goal at the end, nearest first"),
        (Column::Efficiency, "eff", "by efficiency, least first"),
        (Column::End, "end", "by end"),
    ];

    /// Its heading.
    pub fn name(self) -> &'static str {
        Column::ALL.iter().find(|(column, ..)| *column == self).map_or("", |(_, name, _)| name)
    }

    /// What sorting by it brings.
    pub fn order(self) -> &'static str {
        Column::ALL.iter().find(|(column, ..)| *column == self).map_or("", |(.., order)| order)
    }

    /// The column of that heading.
    pub fn named(name: &str) -> Option<Column> {
        Column::ALL.iter().find(|(_, known, _)| *known == name).map(|(column, ..)| *column)
    }

    /// Whether it is known only once a run is held against plans.
    pub fn needs_plans(self) -> bool {
        matches!(self, Column::Worst | Column::Under | Column::Distance)
    }
}

impl RunItem {
    /// A run that is still to be read.
    pub fn new(source: RunSource) -> RunItem {
        RunItem { source, state: RunState::Reading, held: Held::Waiting, counts: false }
    }

    /// What was read of it.
    pub fn sketch(&self) -> Option<&Sketch> {
        match &self.state {
            RunState::Read(sketch) => Some(sketch),
            _ => None,
        }
    }

    /// Its summary, once it is read.
    pub fn summary(&self) -> Option<&Summary> {
        self.sketch().map(|sketch| &sketch.summary)
    }

    /// Its scores, with distances once they are known; none where there is no goal.
    pub fn scored(&self) -> Option<&Arc<Scored>> {
        match &self.held {
            Held::Known(scored) => Some(scored),
            _ => self.sketch()?.scored.as_ref(),
        }
    }

    /// Itself against plans, once that is known.
    pub fn ways(&self) -> Option<&Ways> {
        self.scored()?.ways.as_ref()
    }

    /// Whether it is still to be held against plans.
    pub fn waits(&self) -> bool {
        match &self.state {
            RunState::Reading => true,
            RunState::Unreadable(_) => false,
            RunState::Read(sketch) => sketch.scored.is_some() && matches!(self.held, Held::Waiting),
        }
    }

    /// Under-reach, and what was misrouted or not routed.
    pub fn reach(&self) -> (usize, usize) {
        self.ways().map_or((0, 0), |ways| (ways.withheld.len(), ways.misroutes.len() + usize::from(ways.missed_route)))
    }

    /// How far the goal is at the end.
    pub fn distance(&self) -> Option<Distance> {
        self.ways()?.distance.last().copied()
    }

    /// What a column says of it; empty where nothing is known.
    pub fn column(&self, column: Column) -> String {
        if column == Column::Run {
            return self.source.name.clone();
        }
        let Some(summary) = self.summary() else {
            return match (column, &self.state) {
                (Column::End, RunState::Unreadable(_)) => "unreadable".to_owned(),
                (Column::End, _) => "reading".to_owned(),
                _ => String::new(),
            };
        };
        let none = || "-".to_owned();
        let or_none = |text: &Option<String>| text.clone().filter(|text| !text.is_empty()).unwrap_or_else(none);
        let fraction = |share: Option<Share>| match share.filter(|share| share.of > 0) {
            Some(share) => format!("{}/{}", share.held, share.of),
            None => none(),
        };
        let score = self.scored().map(|scored| &scored.score);
        match column {
            Column::Entry => or_none(&summary.problem),
            Column::Role => or_none(&summary.role),
            Column::Set => or_none(&summary.toolset),
            Column::Agent => or_none(&summary.agent),
            Column::Calls => match summary.budget {
                Some(budget) => format!("{}/{budget}", summary.calls),
                None => summary.calls.to_string(),
            },
            Column::Goal => fraction(summary.goal),
            Column::Taking => fraction(score.map(|score| score.taking)),
            Column::Routing => fraction(score.map(|score| score.routing)),
            Column::Over => summary.over_reach.to_string(),
            Column::Under => self.ways().map_or_else(none, |ways| ways.withheld.len().to_string()),
            Column::Distance => match self.distance() {
                Some(Distance::Calls(calls)) => calls.to_string(),
                Some(Distance::Never) => "∞".to_owned(),
                Some(Distance::Unknown) => "?".to_owned(),
                None => none(),
            },
            Column::Efficiency => score.map_or_else(none, |score| format!("{:.2}", score.efficiency.raw)),
            Column::End => end(summary),
            Column::Worst | Column::Run => String::new(),
        }
    }

    /// What a column counts, to sort by and to compare with; for shares from 0 to 1.
    pub fn number(&self, column: Column) -> Option<f64> {
        let summary = self.summary()?;
        let share = |share: Share| (share.of > 0).then(|| share.held as f64 / share.of as f64);
        let score = || self.scored().map(|scored| &scored.score);
        match column {
            Column::Calls => Some(summary.calls as f64),
            Column::Goal => summary.goal.and_then(share),
            Column::Taking => share(score()?.taking),
            Column::Routing => share(score()?.routing),
            Column::Over => Some(summary.over_reach as f64),
            Column::Under => self.ways().map(|ways| ways.withheld.len() as f64),
            Column::Distance => match self.distance()? {
                Distance::Calls(calls) => Some(calls.into()),
                Distance::Never => Some(f64::INFINITY),
                Distance::Unknown => None,
            },
            Column::Efficiency => score().map(|score| score.efficiency.raw),
            _ => None,
        }
    }

    /// All columns in one text, for words.
    pub fn words(&self) -> String {
        let columns = [Column::Run, Column::Entry, Column::Role, Column::Set, Column::Agent, Column::End];
        let texts: Vec<String> = columns.into_iter().map(|column| self.column(column)).collect();
        texts.join("  ")
    }

    /// Whether there is something to look at: anything but a goal reached without a refusal.
    pub fn has_finding(&self) -> bool {
        matches!(self.state, RunState::Unreadable(_))
            || self.summary().is_some() && !matches!(sign_of(self), Sign::Holds | Sign::Unknown)
    }
}

/// How it ended, and what is wrong with the record.
pub fn end(summary: &Summary) -> String {
    let mut end = summary.end.clone().unwrap_or_else(|| "no end".to_owned());
    if summary.diverged {
        end.push_str(", diverges");
    }
    if summary.damage > 0 {
        end.push_str(&format!(", damaged {}", summary.damage));
    }
    match summary.world {
        WorldMatch::Same => {}
        WorldMatch::Changed => end.push_str(", world changed"),
        WorldMatch::Missing => end.push_str(", no world"),
    }
    end
}

/// How bad the sign of a run is among others.
pub fn severity(sign: Sign) -> usize {
    sign.severity()
}

/// The sign of the worst finding; of a run without one, whether its goal is reached.
pub fn sign_of(item: &RunItem) -> Sign {
    let Some(summary) = item.summary() else {
        return if matches!(item.state, RunState::Reading) { Sign::Pending } else { Sign::Damaged };
    };
    match (summary.worst, item.reach()) {
        (Some(kind), _) if kind >= StepKind::Capability => kind.into(),
        (_, (1.., _)) => Sign::UnderReach,
        (_, (_, 1..)) => Sign::Misroute,
        (Some(kind), _) if !is_well(kind) => kind.into(),
        _ if summary.damage > 0 => Sign::Damaged,
        _ => match summary.goal {
            Some(goal) if goal.complete() => Sign::Holds,
            Some(_) => Sign::Fails,
            None => Sign::Unknown,
        },
    }
}
