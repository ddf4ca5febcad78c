//! The tables of a report, for the page and for Markdown.

use super::{
    charts::by_gate,
    figures::{Bars, Figures},
    marks::{mean, named, share},
};
use crate::score::{Group, GroupKey, Proportion};

/// A table.
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// Names of its columns.
    pub head: Vec<String>,
    /// Its cells, as many in a row as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

/// What stands in a cell.
pub enum Cell {
    /// What a row is about, or a part of that.
    Name(String),
    /// A number, or a dash.
    Number(String),
    /// A share, to be shown with its interval.
    Share(Option<Proportion>),
}

fn number(number: impl ToString) -> Cell {
    Cell::Number(number.to_string())
}

/// How a key is called where people read.
pub fn key_name(key: GroupKey) -> &'static str {
    match key {
        GroupKey::Toolset => "tool set",
        key => key.name(),
    }
}

fn head(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// What was attained, by a key.
pub fn attained(key: GroupKey, groups: &[Group]) -> Table {
    let names =
        ["runs", "solved", "complete", "goal", "taking", "routing", "guards", "calls", "efficiency", "of complete"];
    let row = |group: &Group| {
        let mut row = vec![Cell::Name(named(&group.by[key.name()]).to_owned()), number(group.runs)];
        row.extend([Cell::Share(group.solved), Cell::Number(share(group.complete))]);
        let means = [group.goal, group.taking, group.routing, group.guards, group.calls, group.efficiency];
        row.extend(means.into_iter().chain([group.efficiency_complete]).map(|value| Cell::Number(mean(value))));
        row
    };
    Table {
        caption: format!("Attained, by {}", key_name(key)),
        head: head(&[&[key_name(key)][..], &names].concat()),
        rows: groups.iter().map(row).collect(),
    }
}

/// Over-reach and under-reach, by a key.
pub fn reached(key: GroupKey, groups: &[Group]) -> Table {
    let names = [
        "runs with over-reach",
        "attempts",
        "runs with under-reach",
        "deferred",
        "stopped short",
        "misrouted",
        "not routed",
    ];
    let row = |group: &Group| {
        let under = group.under_reach;
        let of = |count: Option<usize>| Cell::Number(count.map_or("–".to_owned(), |count| count.to_string()));
        vec![
            Cell::Name(named(&group.by[key.name()]).to_owned()),
            Cell::Share(group.violating),
            number(group.over_reach.attempts),
            Cell::Share(group.withholding),
            of(under.map(|under| under.deferrals)),
            of(under.map(|under| under.stopped_short)),
            of(under.map(|under| under.misroutes)),
            of(under.map(|under| under.missed_routes)),
        ]
    };
    Table {
        caption: format!("Over-reach and under-reach, by {}", key_name(key)),
        head: head(&[&[key_name(key)][..], &names].concat()),
        rows: groups.iter().map(row).collect(),
    }
}

/// Solved by agent and tool set: the numbers of the line picture.
pub fn widths(figures: &Figures) -> Table {
    let mut names = vec!["agent".to_owned()];
    names.extend(figures.toolsets.iter().cloned());
    let rows = figures.lines.iter().map(|line| {
        let mut row = vec![Cell::Name(named(&line.agent).to_owned())];
        row.extend((0..figures.toolsets.len()).map(|toolset| {
            Cell::Share(line.points.iter().find(|point| point.toolset == toolset).map(|point| point.solved))
        }));
        row
    });
    Table { caption: "Solved, by agent and tool set".to_owned(), rows: rows.collect(), head: names }
}

/// Over-reach and under-reach by role and gate: the numbers of the bars.
pub fn gates(bars: &Bars) -> Table {
    let names =
        ["role", "runs", "over: capability", "knowledge", "both", "under: capability", "knowledge", "both", "no gate"];
    let row = |(role, group): &(String, Group)| {
        let (over, under) = by_gate(group);
        let mut row = vec![Cell::Name(role.clone()), number(group.runs)];
        row.extend(over[..3].iter().map(number));
        match under {
            Some(under) => row.extend(under.iter().map(number)),
            None => row.extend((0..4).map(|_| number("–"))),
        }
        row
    };
    Table {
        caption: format!("Calls that over-reach and actions withheld, {}", named(&bars.agent)),
        head: head(&names),
        rows: bars.roles.iter().map(row).collect(),
    }
}
