//! The tables that the benchmark is read by, as bars: what `refract score` prints, from the same groups.

use std::sync::Arc;

use crate::score::{Group, GroupKey, Mean, Proportion, Scored, groups};
use crate::tui::sign::Sign;

/// A row of the charts.
#[derive(Debug, Clone, PartialEq)]
pub enum ChartRow {
    /// Heads a chart: its name, and what its marks say.
    Title(String, Vec<(Sign, &'static str)>),
    /// Between charts.
    Gap,
    /// Heads the two bars of each row.
    Captions,
    /// Nothing is known of it yet: distances are still to be found.
    Pending,
    /// A bar.
    Bar(Bar),
}

/// A bar of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// What its runs have in common.
    pub key: GroupKey,
    /// The name that they have for it.
    pub name: String,
    /// How many they are.
    pub runs: usize,
    /// Which of them count: a filter, in the language of the browser; empty for all.
    pub which: &'static str,
    /// What it shows.
    pub value: Value,
}

/// What a bar shows.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A share of the runs, with its interval.
    Share(Proportion),
    /// Counts by sign; `most` is the highest sum of the chart.
    Counts {
        /// How many of each.
        counts: Vec<(Sign, usize)>,
        /// For the scale.
        most: usize,
        /// What the counts come to, in words.
        note: String,
    },
    /// What was earned by doing, and by routing.
    Pair(Option<Mean>, Option<Mean>),
}

/// The charts of some runs; `order` gives the names of roles and of tool sets in the order of the files.
pub fn charts(runs: &[Arc<Scored>], order: &[(GroupKey, Vec<String>)]) -> Vec<ChartRow> {
    let grouped = |key: GroupKey| {
        let known = order.iter().find(|(own, _)| *own == key).map_or(&[][..], |(_, names)| names);
        let mut groups = groups(runs.iter().map(AsRef::as_ref), &[key]);
        groups.sort_by_key(|group| known.iter().position(|name| name == name_of(group)).unwrap_or(usize::MAX));
        groups
    };
    let (roles, sets) = (grouped(GroupKey::Role), grouped(GroupKey::Toolset));
    let mut rows = Vec::new();
    for (key, groups) in [(GroupKey::Role, &roles), (GroupKey::Toolset, &sets)] {
        title(&mut rows, format!("Solved, by {}", singular(key)), vec![]);
        shares(&mut rows, key, groups, "", |group| group.solved);
    }
    let key = GroupKey::Role;
    let gates = [(Sign::Capability, "capability"), (Sign::Knowledge, "knowledge"), (Sign::BothGates, "both")];
    title(&mut rows, "Over-reach, by role and gate".to_owned(), gates.to_vec());
    over_reach(&mut rows, key, &roles);
    let open = [&gates[..], &[(Sign::Nothing, "none")]].concat();
    title(&mut rows, "Under-reach, by role and gate".to_owned(), open);
    under_reach(&mut rows, key, &roles);
    title(&mut rows, "Taking against routing, by role".to_owned(), vec![]);
    rows.push(ChartRow::Captions);
    for group in &roles {
        let value = Value::Pair(group.taking, group.routing);
        rows.push(ChartRow::Bar(Bar { key, name: name_of(group).to_owned(), runs: group.runs, which: "", value }));
    }
    for (key, groups) in [(GroupKey::Role, &roles), (GroupKey::Toolset, &sets)] {
        title(&mut rows, format!("Runs that over-reach, by {}", singular(key)), vec![]);
        shares(&mut rows, key, groups, "over>0", |group| group.violating);
    }
    rows
}

/// What a key stands for, of one.
pub fn singular(key: GroupKey) -> &'static str {
    match key {
        GroupKey::Agent => "agent",
        GroupKey::Role => "role",
        GroupKey::Toolset => "tool set",
        GroupKey::Problem => "entry",
    }
}

fn title(rows: &mut Vec<ChartRow>, name: String, marks: Vec<(Sign, &'static str)>) {
    if !rows.is_empty() {
        rows.push(ChartRow::Gap);
    }
    rows.push(ChartRow::Title(name, marks));
}

fn bar(key: GroupKey, group: &Group, which: &'static str, value: Value) -> ChartRow {
    ChartRow::Bar(Bar { key, name: name_of(group).to_owned(), runs: group.runs, which, value })
}

fn name_of(group: &Group) -> &str {
    group.by.values().next().map_or("", String::as_str)
}

fn shares(
    rows: &mut Vec<ChartRow>,
    key: GroupKey,
    groups: &[Group],
    which: &'static str,
    share: fn(&Group) -> Option<Proportion>,
) {
    for group in groups {
        if let Some(share) = share(group) {
            rows.push(bar(key, group, which, Value::Share(share)));
        }
    }
}

fn over_reach(rows: &mut Vec<ChartRow>, key: GroupKey, groups: &[Group]) {
    let most = groups.iter().map(|group| group.over_reach.attempts as usize).max().unwrap_or(0);
    for group in groups {
        let over = group.over_reach;
        let counts =
            [(Sign::Capability, over.capability), (Sign::Knowledge, over.knowledge), (Sign::BothGates, over.both)];
        let counts = counts.map(|(sign, count)| (sign, count as usize)).to_vec();
        let value = Value::Counts { counts, most, note: String::new() };
        rows.push(bar(key, group, "over>0", value));
    }
}

fn under_reach(rows: &mut Vec<ChartRow>, key: GroupKey, groups: &[Group]) {
    let sums = groups.iter().filter_map(|group| group.under_reach);
    let most = sums.map(|under| under.deferrals + under.stopped_short).max().unwrap_or(0);
    for group in groups {
        let Some(under) = group.under_reach else {
            rows.push(ChartRow::Pending);
            return;
        };
        let counts = vec![
            (Sign::Capability, under.capability),
            (Sign::Knowledge, under.knowledge),
            (Sign::BothGates, under.both),
            (Sign::Nothing, under.none),
        ];
        let note = format!("routed {}, stopped {}", under.deferrals, under.stopped_short);
        let value = Value::Counts { counts, most, note };
        rows.push(bar(key, group, "under>0", value));
    }
}
