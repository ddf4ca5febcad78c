//! What a firing changed, the way people read it: a functional change is one thing, not a pair.

use super::Changes;
use crate::world::{FactId, World};

/// One entry of a diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// A functional key has another value.
    Changed {
        /// The fact that was true.
        from: FactId,
        /// The fact that is true now.
        to: FactId,
    },
    /// Became false.
    Removed(FactId),
    /// Became true.
    Added(FactId),
    /// A slot value that nobody had before.
    Produced(FactId),
}

impl Difference {
    /// The entries of a diff: changes, removals, additions, produced values, each sorted by its text.
    pub fn of(world: &World, changes: &Changes) -> Vec<Difference> {
        let sorted = |facts: &[FactId]| {
            let mut facts = facts.to_vec();
            facts.sort_by_cached_key(|&fact| world.fact_text(fact));
            facts
        };
        let (mut added, mut removed) = (sorted(&changes.added), sorted(&changes.removed));
        let mut differences = Vec::new();
        removed.retain(|&from| {
            if !world.is_functional(from) {
                return true;
            }
            let key = world.facts.key_range_of(from);
            let Some(at) = added.iter().position(|to| key.contains(&to.0)) else { return true };
            differences.push(Difference::Changed { from, to: added.remove(at) });
            false
        });
        differences.extend(removed.into_iter().map(Difference::Removed));
        differences.extend(added.into_iter().map(Difference::Added));
        differences.extend(sorted(&changes.produced).into_iter().map(Difference::Produced));
        differences
    }
}

/// How much changed: what a row of steps says of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Facts and slot values that are new.
    pub added: usize,
    /// Functional keys with another value.
    pub changed: usize,
    /// Facts that are gone.
    pub removed: usize,
}

impl Counts {
    /// Counts the entries of a diff.
    pub fn of(differences: &[Difference]) -> Counts {
        let mut counts = Counts::default();
        for difference in differences {
            match difference {
                Difference::Changed { .. } => counts.changed += 1,
                Difference::Removed(_) => counts.removed += 1,
                Difference::Added(_) | Difference::Produced(_) => counts.added += 1,
            }
        }
        counts
    }
}

impl std::fmt::Display for Counts {
    /// `+2 ~1 -1`; what is zero is left out.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = [('+', self.added), ('~', self.changed), ('-', self.removed)];
        let mut gap = "";
        for (sign, count) in parts.into_iter().filter(|(_, count)| *count > 0) {
            write!(f, "{gap}{sign}{count}")?;
            gap = " ";
        }
        Ok(())
    }
}

/// A functional change in parts: `status(pump-101)`, `faulty`, `repaired`.
pub fn change_parts(world: &World, from: FactId, to: FactId) -> (String, String, String) {
    let value = |fact: FactId| world.facts.args(fact).last().map_or("", |symbol| world.symbol_name(symbol)).to_owned();
    let relation = world.facts.relation(from);
    let args: Vec<&str> = world.facts.args(from).map(|symbol| world.symbol_name(symbol)).collect();
    let name = world.relation_name(relation);
    let key = match args.split_last() {
        Some((_, leading)) if !leading.is_empty() => format!("{name}({})", leading.join(", ")),
        _ => name.to_owned(),
    };
    (key, value(from), value(to))
}
