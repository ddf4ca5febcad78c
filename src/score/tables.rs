//! Runs together: counts, shares and means by agent, role, tool set and entry.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Serialize, Serializer};

use super::{Deferral, GateKind, Mean, OverReach, Proportion, Score, Scored, Ways};

/// What runs are grouped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GroupKey {
    /// The agent's name.
    Agent,
    /// The role.
    Role,
    /// The tool set.
    Toolset,
    /// The entry.
    Problem,
}

impl GroupKey {
    /// As it stands in outputs.
    pub fn name(self) -> &'static str {
        match self {
            GroupKey::Agent => "agent",
            GroupKey::Role => "role",
            GroupKey::Toolset => "toolset",
            GroupKey::Problem => "problem",
        }
    }

    /// What a run has for it; no agent is the empty name.
    pub fn of(self, run: &Scored) -> &str {
        match self {
            GroupKey::Agent => run.agent.as_deref().unwrap_or(""),
            GroupKey::Role => &run.role,
            GroupKey::Toolset => &run.toolset,
            GroupKey::Problem => &run.problem,
        }
    }
}

/// What a group of runs comes to. Shares and means of parts that no run of the group has are `None`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// What they have in common, in the order that was asked for.
    pub by: indexmap::IndexMap<&'static str, String>,
    /// How many.
    pub runs: usize,
    /// Complete without over-reach.
    pub solved: Option<Proportion>,
    /// All goal literals hold.
    pub complete: Option<Proportion>,
    /// With at least one call that failed a gate.
    pub violating: Option<Proportion>,
    /// With at least one action withheld; `None` without distances.
    pub withholding: Option<Proportion>,
    /// Goal literals held, of all.
    pub goal: Option<Mean>,
    /// Of those to be earned by doing.
    pub taking: Option<Mean>,
    /// Of those to be earned by routing.
    pub routing: Option<Mean>,
    /// Of those to be kept.
    pub guards: Option<Mean>,
    /// Calls executed.
    pub calls: Option<Mean>,
    /// Efficiency of all.
    pub efficiency: Option<Mean>,
    /// Efficiency of the complete ones.
    pub efficiency_complete: Option<Mean>,
    /// Calls that failed a gate, all together.
    pub over_reach: OverReach,
    /// Under-reach, all together; `None` without distances.
    pub under_reach: Option<UnderReach>,
}

/// Withheld actions of a group, by kind and by the gates that would have let them pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct UnderReach {
    /// Routed instead.
    pub deferrals: usize,
    /// Stopped instead.
    pub stopped_short: usize,
    /// Of tools with a capability gate alone.
    pub capability: usize,
    /// Of tools with a knowledge gate alone.
    pub knowledge: usize,
    /// Of tools with both.
    pub both: usize,
    /// Of tools that are open to all.
    pub none: usize,
    /// Routed without a use.
    pub misroutes: usize,
    /// Stopped where routing was left to do.
    pub missed_routes: usize,
}

/// The runs of each group by their places, in order of the groups' keys.
pub fn members<'a>(runs: impl IntoIterator<Item = &'a Scored>, by: &[GroupKey]) -> BTreeMap<Vec<&'a str>, Vec<usize>> {
    let mut members: BTreeMap<Vec<&str>, Vec<usize>> = BTreeMap::new();
    for (place, run) in runs.into_iter().enumerate() {
        members.entry(by.iter().map(|key| key.of(run)).collect()).or_default().push(place);
    }
    members
}

/// Groups runs; in order of their keys.
pub fn groups<'a>(runs: impl IntoIterator<Item = &'a Scored>, by: &[GroupKey]) -> Vec<Group> {
    let runs: Vec<&Scored> = runs.into_iter().collect();
    let named =
        |values: Vec<&str>| by.iter().map(|key| key.name()).zip(values.into_iter().map(str::to_owned)).collect();
    let group = |(values, places): (Vec<&str>, Vec<usize>)| {
        let runs: Vec<&Scored> = places.into_iter().map(|place| runs[place]).collect();
        Group::of(named(values), &runs)
    };
    let members: Vec<_> = members(runs.iter().copied(), by).into_iter().collect();
    members.into_par_iter().map(group).collect()
}

impl Group {
    fn of(by: indexmap::IndexMap<&'static str, String>, runs: &[&Scored]) -> Group {
        let count =
            |holds: fn(&Score) -> bool| Proportion::of(runs.iter().filter(|run| holds(&run.score)).count(), runs.len());
        let mean = |value: fn(&Score) -> Option<f64>| Mean::of(runs.iter().filter_map(|run| value(&run.score)));
        let mut over_reach = OverReach::default();
        runs.iter().for_each(|run| over_reach += run.score.over_reach);
        let ways: Option<Vec<&Ways>> = runs.iter().map(|run| run.ways.as_ref()).collect();
        Group {
            by,
            runs: runs.len(),
            solved: count(|score| score.solved),
            complete: count(|score| score.complete),
            violating: count(|score| score.over_reach.attempts > 0),
            withholding: ways.as_ref().and_then(|ways| {
                Proportion::of(ways.iter().filter(|ways| !ways.withheld.is_empty()).count(), ways.len())
            }),
            goal: mean(|score| share(score.goal)),
            taking: mean(|score| share(score.taking)),
            routing: mean(|score| share(score.routing)),
            guards: mean(|score| share(score.guards)),
            calls: mean(|score| Some(f64::from(score.calls))),
            efficiency: mean(|score| Some(score.efficiency.raw)),
            efficiency_complete: mean(|score| score.efficiency.complete),
            over_reach,
            under_reach: ways.map(|ways| UnderReach::of(&ways)),
        }
    }
}

impl UnderReach {
    fn of(runs: &[&Ways]) -> UnderReach {
        let mut sum = UnderReach::default();
        for ways in runs {
            sum.misroutes += ways.misroutes.len();
            sum.missed_routes += usize::from(ways.missed_route);
            for withheld in &ways.withheld {
                *match withheld.deferral {
                    Deferral::Routed => &mut sum.deferrals,
                    Deferral::Stopped => &mut sum.stopped_short,
                } += 1;
                *match withheld.gate {
                    GateKind::Capability => &mut sum.capability,
                    GateKind::Knowledge => &mut sum.knowledge,
                    GateKind::Both => &mut sum.both,
                    GateKind::None => &mut sum.none,
                } += 1;
            }
        }
        sum
    }
}

/// `None` where there is nothing to hold.
fn share(share: crate::exec::Share) -> Option<f64> {
    (share.of > 0).then(|| share.held as f64 / share.of as f64)
}

/// Shares have six decimals (design §6).
pub(super) fn rounded<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((value * 1e6).round() / 1e6)
}
