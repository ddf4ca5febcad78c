//! A scored run with what it is known by, in the shape of `refract score --format json` (design §6).

use serde::{Serialize, Serializer};

use super::{Efficiency, OverReach, Score, Verdict, Ways, tables::rounded};
use crate::{
    exec::Share,
    run::{EndReason, Header, Log, Replay, WorldMatch},
    world::World,
};

/// A scored run.
#[derive(Debug, Clone)]
pub struct Scored {
    /// The run's id, else the name of its file.
    pub run: String,
    /// The entry.
    pub problem: String,
    /// The role.
    pub role: String,
    /// The tool set.
    pub toolset: String,
    /// The agent's name.
    pub agent: Option<String>,
    /// Why it ended, as the log says.
    pub end: Option<String>,
    /// How the present world relates to the log's.
    pub world: WorldMatch,
    /// How many things are wrong with the log.
    pub damage: usize,
    /// What it came to.
    pub score: Score,
    /// The same against plans, unless that was not asked for, and the names of withheld tools.
    pub ways: Option<Ways>,
    /// Of each of [`Ways::withheld`]: the names of its tools.
    withheld: Vec<Vec<String>>,
}

impl Scored {
    /// Whether it ended as `error`, for a reason that is not the agent's: it says nothing of the agent.
    pub fn broke_off(&self) -> bool {
        self.end.as_deref() == Some(EndReason::Error.word())
    }

    /// Scores a run that was executed to its end, and held against plans if that is wanted; `name`
    /// stands in for an id that the header lacks. `None` if the role has no perspective in the problem.
    pub fn of(name: &str, header: Header, log: &Log, replay: &Replay, ways: Option<Ways>) -> Option<Scored> {
        let score = Score::of(replay)?;
        let setup = &replay.setup;
        let World { problem, domain, .. } = &*setup.world;
        let names = |tools: &[crate::world::ToolId]| tools.iter().map(|&t| domain.tool_name(t).to_owned()).collect();
        Some(Scored {
            run: header.id.unwrap_or_else(|| name.to_owned()),
            problem: problem.id.clone(),
            role: domain.role_name(setup.role).to_owned(),
            toolset: problem
                .toolsets
                .get_index(setup.toolset.index())
                .map_or_else(String::new, |(name, _)| name.clone()),
            agent: header.agent.and_then(|agent| agent.name),
            end: log.end_reason().map(std::borrow::Cow::into_owned),
            world: replay.world_match,
            damage: log.damage_count(),
            withheld: ways.iter().flat_map(|ways| &ways.withheld).map(|withheld| names(&withheld.tools)).collect(),
            score,
            ways,
        })
    }
}

#[derive(Serialize)]
struct Shape<'a> {
    run: &'a str,
    problem: &'a str,
    role: &'a str,
    toolset: &'a str,
    agent: Option<&'a str>,
    end: Option<&'a str>,
    world: WorldMatch,
    damage: usize,
    complete: bool,
    solved: bool,
    goal: Share,
    taking: Share,
    routing: Share,
    guards: Share,
    calls: u32,
    budget: u32,
    over_reach: OverReach,
    under_reach: Option<UnderReachShape<'a>>,
    misroutes: Option<usize>,
    missed_routes: Option<usize>,
    efficiency: Efficiency,
    verdicts: Option<&'a [Verdict]>,
    /// ∞ and unknown are null, told apart by the verdict.
    distance: Option<Vec<Option<u32>>>,
}

#[derive(Serialize)]
struct UnderReachShape<'a> {
    deferrals: usize,
    stopped_short: usize,
    withheld: Vec<WithheldShape<'a>>,
}

#[derive(Serialize)]
struct WithheldShape<'a> {
    step: usize,
    tools: &'a [String],
    gate: super::GateKind,
}

impl Serialize for Scored {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Scored { score, ways, .. } = self;
        let ways = ways.as_ref();
        let withheld = |ways: &Ways| {
            let with_names = ways.withheld.iter().zip(&self.withheld);
            with_names.map(|(own, tools)| WithheldShape { step: own.step, tools, gate: own.gate }).collect()
        };
        let shape = Shape {
            run: &self.run,
            problem: &self.problem,
            role: &self.role,
            toolset: &self.toolset,
            agent: self.agent.as_deref(),
            end: self.end.as_deref(),
            world: self.world,
            damage: self.damage,
            complete: score.complete,
            solved: score.solved,
            goal: score.goal,
            taking: score.taking,
            routing: score.routing,
            guards: score.guards,
            calls: score.calls,
            budget: score.budget,
            over_reach: score.over_reach,
            under_reach: ways.map(|ways| UnderReachShape {
                deferrals: ways.deferrals(),
                stopped_short: ways.stopped_short(),
                withheld: withheld(ways),
            }),
            misroutes: ways.map(|ways| ways.misroutes.len()),
            missed_routes: ways.map(|ways| usize::from(ways.missed_route)),
            efficiency: score.efficiency,
            verdicts: ways.map(|ways| &ways.verdicts[..]),
            distance: ways.map(|ways| ways.distance.iter().map(|distance| distance.calls()).collect()),
        };
        shape.serialize(serializer)
    }
}

impl Serialize for Efficiency {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Shape {
            #[serde(serialize_with = "rounded")]
            raw: f64,
            complete: Option<Rounded>,
        }
        #[derive(Serialize)]
        struct Rounded(#[serde(serialize_with = "rounded")] f64);
        Shape { raw: self.raw, complete: self.complete.map(Rounded) }.serialize(serializer)
    }
}
