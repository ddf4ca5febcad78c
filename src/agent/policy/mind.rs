//! What every policy has in its mind: the world, the state as its calls have left it, plans, and chance.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rand_distr::{Distribution, Uniform};

use crate::agent::{Cell, Sent, Turn};
use crate::exec::{Call, Json, Outcome, Request, State, Terms, step};
use crate::plan::{Limits, Planner};
use crate::world::{Goal, World, sha256};

pub(super) struct Mind {
    pub(super) world: Arc<World>,
    pub(super) terms: Terms,
    pub(super) state: State,
    planner: Option<Planner>,
    rng: ChaCha8Rng,
}

impl Mind {
    pub(super) fn of(cell: &Cell) -> Mind {
        let Cell { world, terms, .. } = cell;
        // Two entries of one seed are not to be played by the same dice.
        let dice = format!("{} {}", cell.seed, cell.words().join(" "));
        let mut seed = <ChaCha8Rng as SeedableRng>::Seed::default();
        seed.copy_from_slice(&sha256(dice.as_bytes()).as_bytes()[..32]);
        Mind {
            state: State::initial(world, terms.role),
            planner: None,
            rng: ChaCha8Rng::from_seed(seed),
            world: world.clone(),
            terms: *terms,
        }
    }

    /// The planner of this perspective; one of its own, so that nobody else's questions change the answers.
    pub(super) fn planner(&mut self) -> Option<&mut Planner> {
        if self.planner.is_none() {
            let Terms { role, toolset, .. } = self.terms;
            self.planner = Planner::new(&self.world, role, toolset, Limits::default());
        }
        self.planner.as_mut()
    }

    /// A shortest in-persona plan from here; empty where there is none, and at the goal.
    pub(super) fn plan(&mut self) -> Vec<Call> {
        let state = self.state.clone();
        self.planner().map_or_else(Vec::new, |planner| planner.plan(&state).calls)
    }

    /// What a call would lead to, if it fires.
    pub(super) fn after(&self, call: &Call) -> Option<State> {
        let Terms { role, toolset, .. } = self.terms;
        match step(&self.world, role, toolset, &self.state, &Request::Call(call.clone())) {
            Outcome::Fired(changes) => {
                let mut after = self.state.clone();
                changes.apply(&mut after);
                Some(after)
            }
            Outcome::Refused(_) => None,
        }
    }

    /// A turn of this one call; the state follows.
    pub(super) fn make(&mut self, call: &Call) -> Turn {
        if let Some(after) = self.after(call) {
            self.state = after;
        }
        let tool = Json::string(self.world.domain.tool_name(call.tool));
        Turn { calls: vec![Sent { tool, args: call.args(&self.world) }], ..Turn::default() }
    }

    pub(super) fn goal(&self) -> Option<&Goal> {
        self.world.problem.perspectives.get(&self.terms.role).map(|perspective| &perspective.goal)
    }

    pub(super) fn at_goal(&self) -> bool {
        self.goal().is_some_and(|goal| goal.holds(&self.state))
    }

    /// A number below `count`, each as likely; 0 of none.
    pub(super) fn below(&mut self, count: usize) -> usize {
        Uniform::new(0, count).map_or(0, |uniform| uniform.sample(&mut self.rng))
    }

    /// Yes with this probability.
    pub(super) fn chance(&mut self, share: f64) -> bool {
        Uniform::new(0.0, 1.0).is_ok_and(|uniform| uniform.sample(&mut self.rng) < share)
    }
}
