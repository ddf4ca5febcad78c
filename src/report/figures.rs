//! The numbers of a report: tables, and what its pictures show.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::{Run, worst_first};
use crate::score::{Group, GroupKey, OverReach, Proportion, Scored, groups, members};

/// Runs put together.
#[derive(Debug, Clone)]
pub struct Figures {
    /// The domains by name and digest.
    pub domains: BTreeSet<(String, String)>,
    /// The agents, by name; runs that name none are under the empty name.
    pub agents: Vec<String>,
    /// The roles, in the domains' order.
    pub roles: Vec<String>,
    /// The tool sets, narrow ones first: in the order of the problems that have them.
    pub toolsets: Vec<String>,
    /// The entries: title by id.
    pub entries: BTreeMap<String, String>,
    /// All runs in one; `None` without runs.
    pub all: Option<Group>,
    /// The same by agent, by role, by tool set.
    pub tables: Vec<(GroupKey, Vec<Group>)>,
    /// Solved against the width of the tool set, by agent.
    pub lines: Vec<Line>,
    /// Over-reach and under-reach by role and gate, by agent.
    pub bars: Vec<Bars>,
    /// Entries against roles, by agent.
    pub heat: Vec<Heat>,
    /// Runs whose logs are damaged and were read around.
    pub damaged: Vec<String>,
    /// Runs that broke off: they are in no table.
    pub broke_off: Vec<String>,
    /// Runs on a world that has changed since.
    pub changed: Vec<String>,
    /// Runs that do something else than their logs say.
    pub diverged: Vec<String>,
}

/// An agent's solved shares.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The agent.
    pub agent: String,
    /// Those of the tool sets that it ran with, narrow ones first.
    pub points: Vec<Point>,
}

/// The runs of an agent with one tool set.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The place of the tool set in [`Figures::toolsets`].
    pub toolset: usize,
    /// How many.
    pub runs: usize,
    /// The solved ones.
    pub solved: Proportion,
}

/// An agent's over-reach and under-reach.
#[derive(Debug, Clone)]
pub struct Bars {
    /// The agent.
    pub agent: String,
    /// By role, in the domains' order.
    pub roles: Vec<(String, Group)>,
}

/// An agent's entries against roles.
#[derive(Debug, Clone)]
pub struct Heat {
    /// The agent.
    pub agent: String,
    /// By entry and role.
    pub cells: BTreeMap<(String, String), Cell>,
}

/// The runs of an agent on one perspective.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// How many.
    pub runs: usize,
    /// How many of them solved it.
    pub solved: usize,
    /// Calls that failed a gate.
    pub over_reach: OverReach,
    /// Actions withheld; `None` without distances.
    pub withheld: Option<usize>,
    /// The place of the worst of them.
    pub worst: usize,
}

impl Figures {
    /// Puts runs together.
    pub fn of(runs: &[Run]) -> Figures {
        let order = Order::of(runs);
        let by = |keys: &[GroupKey]| groups(scored(runs).filter(|run| !run.broke_off()), keys);
        let table = |key: GroupKey| {
            let mut groups = by(&[key]);
            groups.sort_by_key(|group| order.place(key, &group.by[key.name()]));
            (key, groups)
        };
        let named = |which: fn(&Run) -> bool| {
            let mut names: Vec<String> =
                runs.iter().filter(|run| which(run)).map(|run| run.scored.run.clone()).collect();
            names.sort_unstable();
            names
        };
        let tables = [GroupKey::Agent, GroupKey::Role, GroupKey::Toolset].map(table).to_vec();
        Figures {
            domains: runs.iter().map(|run| (run.world.domain.name.clone(), run.world.domain.digest.clone())).collect(),
            agents: tables[0].1.iter().map(|group| group.by["agent"].clone()).collect(),
            entries: runs.iter().map(|run| (run.scored.problem.clone(), run.world.problem.title.clone())).collect(),
            all: by(&[]).pop(),
            lines: lines(by(&[GroupKey::Agent, GroupKey::Toolset]), &order),
            bars: bars(by(&[GroupKey::Agent, GroupKey::Role]), &order),
            heat: heat(runs),
            damaged: named(|run| run.scored.damage > 0),
            broke_off: named(|run| run.scored.broke_off()),
            changed: named(|run| run.scored.world == crate::run::WorldMatch::Changed),
            diverged: named(|run| run.diverged),
            roles: order.roles,
            toolsets: order.toolsets,
            tables,
        }
    }
}

/// In what order roles and tool sets stand.
struct Order {
    roles: Vec<String>,
    toolsets: Vec<String>,
}

impl Order {
    fn of(runs: &[Run]) -> Order {
        let used = |key: GroupKey| scored(runs).map(|run| key.of(run)).collect::<BTreeSet<&str>>();
        let worlds: BTreeMap<(&str, &str), &Run> =
            runs.iter().map(|run| ((run.scored.problem.as_str(), run.world.problem.digest.as_str()), run)).collect();
        let (mut roles, mut toolsets) = (IndexMap::new(), IndexMap::new());
        for run in worlds.values() {
            let domain = run.world.domain.roles.keys().enumerate();
            later(&mut roles, domain);
            later(&mut toolsets, run.world.problem.toolsets.keys().enumerate());
        }
        Order { roles: sorted(roles, &used(GroupKey::Role)), toolsets: sorted(toolsets, &used(GroupKey::Toolset)) }
    }

    /// Where a value of this key stands.
    fn place(&self, key: GroupKey, value: &str) -> usize {
        let names = match key {
            GroupKey::Role => &self.roles,
            GroupKey::Toolset => &self.toolsets,
            // Those are in order of their names already, and sorting keeps that.
            GroupKey::Agent | GroupKey::Problem => return 0,
        };
        names.iter().position(|name| name == value).unwrap_or(names.len())
    }
}

/// Keeps the last place that a name has in any list: a set that is the third somewhere is wider than one
/// that is the second everywhere.
fn later<'a>(places: &mut IndexMap<&'a str, usize>, names: impl Iterator<Item = (usize, &'a String)>) {
    for (place, name) in names {
        let known = places.entry(name).or_insert(place);
        *known = place.max(*known);
    }
}

fn sorted(places: IndexMap<&str, usize>, used: &BTreeSet<&str>) -> Vec<String> {
    let mut places: Vec<(usize, &str)> =
        places.into_iter().filter(|(name, _)| used.contains(name)).map(|(name, place)| (place, name)).collect();
    places.sort_unstable();
    places.into_iter().map(|(_, name)| name.to_owned()).collect()
}

fn scored(runs: &[Run]) -> impl Iterator<Item = &Scored> {
    runs.iter().map(|run| &run.scored)
}

/// Groups by agent and one other key, in the order of that: agent, then the place of the other value.
fn by_agent(groups: Vec<Group>, key: GroupKey, order: &Order) -> BTreeMap<String, Vec<(usize, Group)>> {
    let mut agents: BTreeMap<String, Vec<(usize, Group)>> = BTreeMap::new();
    for group in groups {
        let place = order.place(key, &group.by[key.name()]);
        agents.entry(group.by["agent"].clone()).or_default().push((place, group));
    }
    agents.values_mut().for_each(|groups| groups.sort_by_key(|(place, _)| *place));
    agents
}

fn lines(groups: Vec<Group>, order: &Order) -> Vec<Line> {
    let point = |(toolset, group): (usize, Group)| Some(Point { toolset, runs: group.runs, solved: group.solved? });
    let line =
        |(agent, groups): (String, Vec<_>)| Line { agent, points: groups.into_iter().filter_map(point).collect() };
    by_agent(groups, GroupKey::Toolset, order).into_iter().map(line).collect()
}

fn bars(groups: Vec<Group>, order: &Order) -> Vec<Bars> {
    let role = |(_, group): (usize, Group)| (group.by["role"].clone(), group);
    let bars = |(agent, groups): (String, Vec<_>)| Bars { agent, roles: groups.into_iter().map(role).collect() };
    by_agent(groups, GroupKey::Role, order).into_iter().map(bars).collect()
}

fn heat(runs: &[Run]) -> Vec<Heat> {
    let mut agents: BTreeMap<String, Heat> = BTreeMap::new();
    for (key, mut places) in members(scored(runs), &[GroupKey::Agent, GroupKey::Problem, GroupKey::Role]) {
        places.retain(|&place| !runs[place].scored.broke_off());
        let [agent, problem, role] = key[..] else { continue };
        let Some(cell) = Cell::of(runs, &places) else { continue };
        let heat = agents.entry(agent.to_owned());
        let heat = heat.or_insert_with(|| Heat { agent: agent.to_owned(), cells: BTreeMap::new() });
        heat.cells.insert((problem.to_owned(), role.to_owned()), cell);
    }
    agents.into_values().collect()
}

impl Cell {
    fn of(runs: &[Run], places: &[usize]) -> Option<Cell> {
        let mut cell = Cell {
            runs: places.len(),
            solved: 0,
            over_reach: OverReach::default(),
            withheld: Some(0),
            worst: places.iter().copied().min_by(|&a, &b| worst_first(runs, a, b))?,
        };
        for Scored { score, ways, .. } in places.iter().map(|&place| &runs[place].scored) {
            cell.solved += usize::from(score.solved);
            cell.over_reach += score.over_reach;
            cell.withheld = cell.withheld.zip(ways.as_ref()).map(|(sum, ways)| sum + ways.withheld.len());
        }
        Some(cell)
    }
}
