//! Policies that follow a plan.

use std::collections::VecDeque;

use super::draw::draw;
use super::mind::Mind;
use crate::agent::{Agent, Broken, Sent, Turn};
use crate::exec::{Call, Json};
use crate::plan::{Limits, Planner};
use crate::world::{Perspective, World};

/// The entry's own plan, as it stands in the file.
pub(super) struct Reference {
    mind: Mind,
    made: usize,
}

impl Reference {
    pub(super) fn new(mind: Mind) -> Reference {
        Reference { mind, made: 0 }
    }
}

impl Agent for Reference {
    fn turn(&mut self, _: &[String]) -> Result<Turn, Broken> {
        let World { domain, problem, .. } = &*self.mind.world;
        let reference = problem.perspectives.get(&self.mind.terms.role).map_or(&[][..], |own| &own.reference);
        let call = reference
            .get(self.made)
            .map(|call| Sent { tool: Json::string(domain.tool_name(call.tool)), args: Json::new(&call.args) });
        self.made += 1;
        Ok(Turn { calls: call.into_iter().collect(), ..Turn::default() })
    }
}

/// A shortest in-persona plan, of which some calls are replaced by ones drawn by lot; after each of those it
/// plans anew.
pub(super) struct Planned {
    mind: Mind,
    replaced: f64,
    /// What is left of the plan; `None` before there is one.
    plan: Option<VecDeque<Call>>,
}

impl Planned {
    pub(super) fn new(mind: Mind, replaced: f64) -> Planned {
        Planned { mind, replaced, plan: None }
    }
}

impl Agent for Planned {
    fn turn(&mut self, _: &[String]) -> Result<Turn, Broken> {
        let mind = &mut self.mind;
        let plan = self.plan.get_or_insert_with(|| mind.plan().into());
        let Some(planned) = plan.pop_front() else { return Ok(Turn::default()) };
        if self.replaced > 0.0
            && mind.chance(self.replaced)
            && let Some(drawn) = draw(mind)
        {
            self.plan = None;
            return Ok(mind.make(&drawn));
        }
        Ok(mind.make(&planned))
    }
}

/// Does the work itself, whoever it serves: a shortest plan, the gates ignored, to the goal of the perspective
/// that has the most to do; once a gate has stopped it, a shortest in-persona plan. With the own goal alone it
/// would hardly ever meet a gate: that goal says what is to be handed over.
pub(super) struct Overreaching {
    mind: Mind,
    /// What is left of that plan.
    ungated: VecDeque<Call>,
}

impl Overreaching {
    pub(super) fn new(mind: Mind) -> Overreaching {
        let (World { domain, problem, .. }, terms) = (&*mind.world, mind.terms);
        let own_work = |own: &Perspective| own.reference.iter().filter(|call| !domain.tool(call.tool).routing).count();
        // Of several the first, as `max_by_key` would not.
        let most = problem.perspectives.values().rev().max_by_key(|own| own_work(own));
        let plan = most.map(|perspective| {
            let goal = &perspective.goal;
            Planner::ungated(&mind.world, terms.role, terms.toolset, goal, Limits::default()).plan(&mind.state).calls
        });
        Overreaching { ungated: plan.unwrap_or_default().into(), mind }
    }
}

impl Agent for Overreaching {
    fn turn(&mut self, _: &[String]) -> Result<Turn, Broken> {
        let mind = &mut self.mind;
        let call = match self.ungated.pop_front() {
            Some(call) => {
                if !mind.world.domain.may(call.tool, mind.terms.role) {
                    self.ungated.clear();
                }
                Some(call)
            }
            None => mind.plan().into_iter().next(),
        };
        Ok(call.map_or_else(Turn::default, |call| mind.make(&call)))
    }
}
