//! What folds, and what is open.

use std::collections::HashSet;

use crate::run::RowId;

/// Something that folds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fold {
    /// A message or reasoning.
    Message(RowId),
    /// The conditions that hold.
    Holding,
    /// The tool's definition.
    Definition,
    /// The goal.
    Goal,
    /// Values produced.
    Produced,
    /// Values given.
    Given,
    /// All facts.
    Facts,
    /// The objects that the agent was told of.
    Objects,
    /// The tools that the agent was offered.
    Tools,
}

/// What the reader opened or folded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folds(HashSet<Fold>);

impl Folds {
    /// Whether it is open now.
    pub fn is_open(&self, fold: Fold) -> bool {
        matches!(fold, Fold::Goal | Fold::Produced) != self.0.contains(&fold)
    }

    /// Opens or folds it.
    pub fn set(&mut self, fold: Fold, open: bool) {
        if self.is_open(fold) != open && !self.0.remove(&fold) {
            self.0.insert(fold);
        }
    }
}
