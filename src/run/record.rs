//! From what the executor says to what a log holds: header and results as events.

use super::{Agent, Event, Header, Outcome};
use crate::exec::{Observation, Step, Terms, sorted_texts};
use crate::world::World;

impl Header {
    /// The header of a run that starts now. `started` is RFC 3339; clocks are the caller's.
    pub fn of(world: &World, terms: &Terms, id: impl Into<String>, agent: Agent, started: impl Into<String>) -> Header {
        let toolset = world.problem.toolsets.get_index(terms.toolset.index());
        Header {
            version: Some(1),
            id: Some(id.into()),
            domain: Some(world.domain.name.clone()),
            domain_digest: Some(world.domain.digest.clone()),
            problem: Some(world.problem.id.clone()),
            problem_digest: Some(world.problem.digest.clone()),
            role: Some(world.domain.role_name(terms.role).to_owned()),
            toolset: toolset.map(|(name, _)| name.clone()),
            budget: Some(terms.budget.unwrap_or(world.problem.budget).into()),
            feedback: Some(terms.feedback),
            agent: Some(agent),
            started: Some(started.into()),
            ..Header::default()
        }
    }
}

impl Event {
    /// The result of a call.
    pub fn result(world: &World, call: impl Into<String>, step: &Step, observation: &Observation) -> Event {
        let mut outcome = Outcome { call: call.into(), observation: observation.text(world), ..Outcome::default() };
        match step {
            Step::Fired(changes) => {
                outcome.fired = true;
                outcome.added = sorted_texts(world, changes.added.iter().copied());
                outcome.removed = sorted_texts(world, changes.removed.iter().copied());
                outcome.produced = sorted_texts(world, changes.produced.iter().copied());
            }
            Step::Refused(refusals) => outcome.refusals.clone_from(refusals),
            Step::OverBudget => {}
        }
        Event::Result(Box::new(outcome))
    }
}
