//! Calls drawn by lot: any offered tool, whoever may use it, with arguments of the right kinds.

use super::mind::Mind;
use crate::agent::{Agent, Broken, Turn};
use crate::exec::Call;
use crate::world::{FactId, Tool, ToolId};

/// Draws until no calls are left.
pub(super) struct Random(pub(super) Mind);

impl Agent for Random {
    fn turn(&mut self, _: &[String]) -> Result<Turn, Broken> {
        Ok(draw(&mut self.0).map_or_else(Turn::default, |call| self.0.make(&call)))
    }
}

/// A tool drawn uniformly from those offered, then each argument: an object of its type, a value of its slot
/// that is in hand, or, where none is, any. `None` where no tool has arguments to choose from.
pub(super) fn draw(mind: &mut Mind) -> Option<Call> {
    let world = mind.world.clone();
    let can = |tool: &Tool| {
        tool.params.iter().all(|param| !world.facts.extent(param.ty).is_empty())
            && tool.consumes.iter().all(|consumed| !world.facts.range(consumed.pattern.relation).is_empty())
    };
    let offered = &world.problem.toolsets[mind.terms.toolset.index()].tools;
    let tools: Vec<ToolId> = offered.iter().copied().filter(|&tool| can(world.domain.tool(tool))).collect();
    let tool = *tools.get(mind.below(tools.len()))?;
    let definition = world.domain.tool(tool);
    let mut call = Call { tool, params: Default::default(), consumed: Default::default() };
    for param in &definition.params {
        let extent = world.facts.extent(param.ty);
        call.params.push(extent[mind.below(extent.len())]);
    }
    for consumed in &definition.consumes {
        let range = world.facts.range(consumed.pattern.relation);
        let in_hand: Vec<FactId> = mind.state.iter_in(range.clone()).collect();
        call.consumed.push(match in_hand.len() {
            0 => FactId(range.start + mind.below(range.len()) as u32),
            count => in_hand[mind.below(count)],
        });
    }
    Some(call)
}
