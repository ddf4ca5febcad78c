//! A reference told step by step: what each call does and what it brings the goal.

use std::sync::Arc;

use super::{Difference, Episode, Feedback, Observation, Refusal, Request, Share, State, Step, Terms};
use crate::world::{RoleId, ToolId, ToolsetId, World};

/// One call of a reference, executed.
#[derive(Debug, Clone)]
pub struct ReferenceStep {
    /// From 1.
    pub step: usize,
    /// The tool.
    pub tool: ToolId,
    /// The arguments as compact JSON.
    pub args: String,
    /// What changed; empty for a refused call.
    pub differences: Vec<Difference>,
    /// Every reason of a refusal; a sound reference has none.
    pub refusals: Vec<Refusal>,
    /// What an agent would read.
    pub observation: Observation,
    /// Goal literals that hold after it.
    pub goal: Share,
    /// The state after it.
    pub state: State,
}

/// Executes the reference of a role with the first tool set and no budget; empty for a role without
/// a perspective.
pub fn narrate(world: &Arc<World>, role: RoleId) -> Vec<ReferenceStep> {
    let Some(perspective) = world.problem.perspectives.get(&role) else { return Vec::new() };
    let terms = Terms { role, toolset: ToolsetId(0), budget: None, feedback: Feedback::Hidden };
    let mut episode = Episode::new(world.clone(), terms);
    let steps = perspective.reference.iter().enumerate().map(|(index, call)| {
        let (outcome, observation) = episode.request(&Request::for_tool(world, call.tool, &call.args));
        let (differences, refusals) = match outcome {
            Step::Fired(changes) => (Difference::of(world, &changes), Vec::new()),
            Step::Refused(refusals) => (Vec::new(), refusals),
            Step::OverBudget => (Vec::new(), Vec::new()),
        };
        ReferenceStep {
            step: index + 1,
            tool: call.tool,
            args: call.args.clone(),
            differences,
            refusals,
            observation,
            goal: perspective.goal.best(&episode.state).1,
            state: episode.state.clone(),
        }
    });
    steps.collect()
}
