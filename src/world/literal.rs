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

impl Literal {
    /// The variables that stand in it.
    pub fn vars(&self) -> impl Iterator<Item = VarId> + '_ {
        let (atom, pair): (&[Term], [Option<Term>; 2]) = match &self.proposition {
            Proposition::Atom(atom) => (&atom.args, [None; 2]),
            Proposition::Equal(a, b) => (&[], [Some(*a), Some(*b)]),
        };
        atom.iter().copied().chain(pair.into_iter().flatten()).filter_map(|term| match term {
            Term::Var(var) => Some(var),
            Term::Symbol(_) => None,
        })
    }

    /// The atom, if it is no comparison.
    pub fn atom(&self) -> Option<&Atom> {
        match &self.proposition {
            Proposition::Atom(atom) => Some(atom),
            Proposition::Equal(..) => None,
        }
    }
}
