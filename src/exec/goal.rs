//! How much of a goal a state holds.

use serde::Serialize;

use super::State;
use crate::world::{Goal, GoalLiteral};

/// Literals that hold, of how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Share {
    /// How many hold.
    pub held: usize,
    /// Of how many.
    pub of: usize,
}

impl Share {
    /// Whether all hold.
    pub fn complete(self) -> bool {
        self.held == self.of
    }
}

impl GoalLiteral {
    /// Whether it holds.
    pub fn holds(&self, state: &State) -> bool {
        let truth = match self.fact {
            Ok(fact) => state.contains(fact),
            Err(truth) => truth,
        };
        truth != self.negated
    }
}

impl Goal {
    /// The alternative that counts in a state: the one with the highest share, then the first
    /// (design §5). Gives its index and its share.
    pub fn best(&self, state: &State) -> (usize, Share) {
        let share = |literals: &Vec<GoalLiteral>| Share {
            held: literals.iter().filter(|literal| literal.holds(state)).count(),
            of: literals.len(),
        };
        let mut best = (0, share(&self.alternatives[0]));
        for (index, literals) in self.alternatives.iter().enumerate().skip(1) {
            let other = share(literals);
            if other.held * best.1.of > best.1.held * other.of {
                best = (index, other);
            }
        }
        best
    }

    /// Whether some alternative holds as a whole.
    pub fn holds(&self, state: &State) -> bool {
        self.alternatives.iter().any(|literals| literals.iter().all(|literal| literal.holds(state)))
    }
}
