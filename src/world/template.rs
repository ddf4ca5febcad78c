//! Texts with `{variable}` placeholders.

use super::VarId;

/// A text with placeholders, parsed. `{{` and `}}` stand for braces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template(pub Vec<Piece>);

/// A part of a [`Template`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Verbatim.
    Text(String),
    /// The name of what the variable (or the predicate's param of this index) stands for.
    Var(VarId),
}

impl Template {
    /// The text with each variable replaced by what `name` says.
    pub fn fill<'a>(&'a self, name: impl Fn(VarId) -> &'a str) -> String {
        self.0
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => text.as_str(),
                Piece::Var(var) => name(*var),
            })
            .collect()
    }
}
