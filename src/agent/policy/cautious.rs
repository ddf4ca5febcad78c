//! The policy that hands everything over.

use std::collections::BTreeSet;

use smallvec::SmallVec;

use super::mind::Mind;
use crate::agent::{Agent, Broken, Turn};
use crate::exec::{Call, State};
use crate::world::{FactId, SymbolId, ToolId};

/// Routes whenever a routing call about what the goal speaks of is in its power and changes something: first
/// what brings the goal nearer, then in the domain's order. Acts, along a shortest plan, when nothing can be
/// routed.
pub(super) struct Cautious(pub(super) Mind);

impl Agent for Cautious {
    fn turn(&mut self, _: &[String]) -> Result<Turn, Broken> {
        let mind = &mut self.0;
        if mind.at_goal() {
            return Ok(Turn::default());
        }
        let next = match nearest(mind) {
            Some(call) => Some(call),
            None => mind.plan().into_iter().next(),
        };
        Ok(next.map_or_else(Turn::default, |call| mind.make(&call)))
    }
}

/// The routing call after which the goal is nearest; of several the first.
fn nearest(mind: &mut Mind) -> Option<Call> {
    let routing = routing(mind);
    let planner = mind.planner()?;
    let far = |state: &State, planner: &mut crate::plan::Planner| planner.distance(state).calls().unwrap_or(u32::MAX);
    routing.into_iter().min_by_key(|(_, after)| far(after, planner)).map(|(call, _)| call)
}

/// The most arguments that are tried of one tool.
const MOST: usize = 10_000;

/// Routing calls about what the goal speaks of that fire here and change something, with what they lead to.
fn routing(mind: &Mind) -> Vec<(Call, State)> {
    let world = &mind.world;
    let Some(goal) = mind.goal() else { return Vec::new() };
    let facts = goal.alternatives.iter().flatten().filter_map(|literal| literal.fact.ok());
    let spoken_of: BTreeSet<SymbolId> = facts.flat_map(|fact| world.facts.args(fact)).collect();
    let offered = &world.problem.toolsets[mind.terms.toolset.index()].tools;
    let may = |tool: &ToolId| world.domain.tool(*tool).routing && world.domain.may(*tool, mind.terms.role);
    let mut found = Vec::new();
    for tool in offered.iter().copied().filter(may) {
        let definition = world.domain.tool(tool);
        let objects = definition.params.iter().map(|param| {
            let extent = world.facts.extent(param.ty).iter().copied();
            extent.filter(|symbol| spoken_of.contains(symbol)).collect::<Vec<_>>()
        });
        let values = definition
            .consumes
            .iter()
            .map(|consumed| mind.state.iter_in(world.facts.range(consumed.pattern.relation)).collect::<Vec<FactId>>());
        let (objects, values): (Vec<_>, Vec<_>) = (objects.collect(), values.collect());
        for call in calls(tool, &objects, &values).take(MOST) {
            if let Some(after) = mind.after(&call).filter(|after| *after != mind.state) {
                found.push((call, after));
            }
        }
    }
    found
}

/// Every choice of arguments, the last one varying fastest.
fn calls<'a>(tool: ToolId, objects: &'a [Vec<SymbolId>], values: &'a [Vec<FactId>]) -> impl Iterator<Item = Call> + 'a {
    let lengths: Vec<usize> = objects.iter().map(Vec::len).chain(values.iter().map(Vec::len)).collect();
    let count = lengths.iter().try_fold(1usize, |count, &length| count.checked_mul(length)).unwrap_or(usize::MAX);
    (0..count).map(move |number| {
        let mut digits: SmallVec<[usize; 8]> = SmallVec::new();
        let mut left = number;
        for &length in lengths.iter().rev() {
            digits.push(left % length);
            left /= length;
        }
        digits.reverse();
        let (own, rest) = digits.split_at(objects.len());
        Call {
            tool,
            params: objects.iter().zip(own).map(|(objects, &at)| objects[at]).collect(),
            consumed: values.iter().zip(rest).map(|(values, &at)| values[at]).collect(),
        }
    })
}
