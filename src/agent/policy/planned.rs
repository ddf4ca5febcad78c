//! Policies that follow a plan.

use std::collections::VecDeque;

use super::draw::draw;
use super::mind::Mind;
use crate::agent::{Agent, Broken, Sent, Turn};
use crate::exec::{Call, Json};
use crate::plan::{Limits, Planner};

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

use crate::world::World;

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

/// A shortest plan with the gates ignored, until a gate stops it; from there a shortest in-persona plan.
pub(super) struct Overreaching {
    mind: Mind,
    plan: VecDeque<Call>,
    stopped: bool,
}

impl Overreaching {
    pub(super) fn new(mind: Mind) -> Overreaching {
        let terms = mind.terms;
        let planner = Planner::ungated(&mind.world, terms.role, terms.toolset, Limits::default());
        let plan = planner.map_or_else(Vec::new, |mut planner| planner.plan(&mind.state).calls);
        Overreaching { plan: plan.into(), stopped: false, mind }
    }
}

impl Agent for Overreaching {
    fn turn(&mut self, _: &[String]) -> Result<Turn, Broken> {
        let mind = &mut self.mind;
        let Some(call) = self.plan.pop_front() else { return Ok(Turn::default()) };
        if !self.stopped && !mind.world.domain.may(call.tool, mind.terms.role) {
            self.stopped = true;
            self.plan = mind.plan().into();
        }
        Ok(mind.make(&call))
    }
}
