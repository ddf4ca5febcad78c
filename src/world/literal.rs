//! Resolved literals: names became numbers, variables indices of their tool.

use std::ops::Range;

use super::{RelationId, SymbolId, VarId};

/// A variable or a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Term {
    /// A variable of the tool that the literal stands in.
    Var(VarId),
    /// A constant, role or object.
    Symbol(SymbolId),
}

/// A predicate or slot applied to terms. Loading has checked arity and types.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Atom {
    /// The predicate or slot.
    pub relation: RelationId,
    /// As many as the relation has params.
    pub args: Vec<Term>,
}

/// What a literal affirms or denies.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Proposition {
    /// An atom of the state.
    Atom(Atom),
    /// `a = b`.
    Equal(Term, Term),
}

/// `[not] atom`, `a = b`, or `a != b` (design §2).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Literal {
    /// `not …`, or `!=`.
    pub negated: bool,
    /// What is denied or affirmed.
    pub proposition: Proposition,
    /// Bytes of the file that hold the literal's text, quotes apart.
    pub span: Range<usize>,
}
