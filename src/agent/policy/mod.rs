//! Agents that need no model: fixed, named and seeded, so that the benchmark has a shape to be seen
//! against. They know the world and its state, which no other agent does.

mod cautious;
mod draw;
mod mind;
mod planned;

use std::fmt;

use self::mind::Mind;
use super::{Agent, Cell};

/// A baseline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Policy {
    /// The entry's own plan for the role.
    Reference,
    /// A shortest in-persona plan.
    Planner,
    /// Calls drawn uniformly, until none are left.
    Random,
    /// Routes whenever it can, and acts only when nothing can be routed.
    Cautious,
    /// Does the work itself, the gates ignored; once a gate has stopped it, a shortest in-persona plan.
    Overreaching,
    /// A shortest in-persona plan, of which each call is replaced with this probability by one drawn uniformly.
    Uniform(f64),
}

impl Policy {
    /// All of them, as they are named.
    pub const NAMES: [&str; 6] = ["reference", "planner", "random", "cautious", "overreaching", "uniform:P"];

    /// The policy of a name; the share of `uniform:P` is from 0 to 1.
    pub fn named(name: &str) -> Option<Policy> {
        Some(match name {
            "reference" => Policy::Reference,
            "planner" => Policy::Planner,
            "random" => Policy::Random,
            "cautious" => Policy::Cautious,
            "overreaching" => Policy::Overreaching,
            _ => {
                let share: f64 = name.strip_prefix("uniform:")?.parse().ok()?;
                (0.0..=1.0).contains(&share).then_some(Policy::Uniform(share))?
            }
        })
    }

    /// It, about to play an episode.
    pub fn agent(self, cell: &Cell) -> Box<dyn Agent> {
        let mind = Mind::of(cell);
        match self {
            Policy::Reference => Box::new(planned::Reference::new(mind)),
            Policy::Planner => Box::new(planned::Planned::new(mind, 0.0)),
            Policy::Random => Box::new(draw::Random(mind)),
            Policy::Cautious => Box::new(cautious::Cautious(mind)),
            Policy::Overreaching => Box::new(planned::Overreaching::new(mind)),
            Policy::Uniform(share) => Box::new(planned::Planned::new(mind, share)),
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Policy::Reference => "reference",
            Policy::Planner => "planner",
            Policy::Random => "random",
            Policy::Cautious => "cautious",
            Policy::Overreaching => "overreaching",
            Policy::Uniform(share) => return write!(f, "uniform:{share}"),
        })
    }
}
