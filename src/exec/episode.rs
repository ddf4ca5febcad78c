//! One run as it happens: a state, a budget, and the calls that were made.

use std::sync::Arc;

use super::{Changes, Feedback, OVER_BUDGET, Observation, Outcome, Refusal, Request, State, step};
use crate::world::{RoleId, ToolsetId, World};

/// Who acts, with which tools, how often, and how much a refusal says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// The acting role.
    pub role: RoleId,
    /// The tools offered.
    pub toolset: ToolsetId,
    /// How many calls may be made; none: as many as wanted.
    pub budget: Option<u32>,
    /// How much a refusal says.
    pub feedback: Feedback,
}

/// A run in progress. Calls go in, what they did comes out; the state follows.
#[derive(Debug, Clone)]
pub struct Episode {
    /// The world.
    pub world: Arc<World>,
    /// The terms.
    pub terms: Terms,
    /// The state now.
    pub state: State,
    /// Calls executed so far, refused ones included.
    pub calls: u32,
}

/// What became of one call.
#[derive(Debug, Clone)]
pub enum Step {
    /// It fired.
    Fired(Changes),
    /// It was refused, for these reasons in the order of design §3.
    Refused(Vec<Refusal>),
    /// The budget was used up: it was not executed.
    OverBudget,
}

impl Episode {
    /// Starts at the initial state of the role.
    pub fn new(world: Arc<World>, terms: Terms) -> Self {
        let state = State::initial(&world, terms.role);
        Episode { world, terms, state, calls: 0 }
    }

    /// Calls that are left, if they are limited.
    pub fn calls_left(&self) -> Option<u32> {
        self.terms.budget.map(|budget| budget.saturating_sub(self.calls))
    }

    /// Makes one call: `tool` and `args` are JSON texts as sent.
    pub fn call(&mut self, tool: &str, args: &str) -> (Step, Observation) {
        self.request(&Request::resolve(&self.world, tool, args))
    }

    /// Makes one call that was resolved against this world.
    pub fn request(&mut self, request: &Request) -> (Step, Observation) {
        if self.calls_left() == Some(0) {
            return (Step::OverBudget, Observation { report: OVER_BUDGET.to_owned(), ..Observation::default() });
        }
        self.calls += 1;
        let Terms { role, toolset, feedback, .. } = self.terms;
        let world = &self.world;
        let outcome = step(world, role, toolset, &self.state, request);
        let observation = Observation::of(world, role, feedback, &self.state, request, &outcome);
        match outcome {
            Outcome::Fired(changes) => {
                changes.apply(&mut self.state);
                (Step::Fired(changes), observation)
            }
            Outcome::Refused(reasons) => {
                let word = |reason| Refusal::of(world, role, &self.state, request, reason);
                (Step::Refused(reasons.iter().map(word).collect()), observation)
            }
        }
    }
}
