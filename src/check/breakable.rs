//! Which tools can make a goal literal false, gates and preconditions ignored (design §5).

use crate::world::{Atom, FactId, GoalLiteral, SymbolId, Term, Tool, ToolId, World};

/// Whether some effect of the tool can make the literal false.
pub fn can_break(world: &World, tool: ToolId, literal: &GoalLiteral) -> bool {
    let Ok(fact) = literal.fact else { return false };
    let tool = world.domain.tool(tool);
    let effects = || tool.effects.iter().flat_map(|effect| &effect.then);
    let mut adds = effects().filter(|l| !l.negated).filter_map(|l| l.atom()).chain(&tool.produces);
    let mut deletes = effects().filter(|l| l.negated).filter_map(|l| l.atom());
    if literal.negated {
        adds.any(|atom| can_be(world, tool, atom, fact))
    } else {
        deletes.any(|atom| can_be(world, tool, atom, fact)) || adds.any(|atom| can_replace(world, tool, atom, fact))
    }
}

/// Whether some call grounds the atom to the fact.
fn can_be(world: &World, tool: &Tool, atom: &Atom, fact: FactId) -> bool {
    atom.relation == world.facts.relation(fact) && unifies(tool, &atom.args, world.facts.args(fact))
}

/// Whether some call gives the fact's functional key another value.
fn can_replace(world: &World, tool: &Tool, atom: &Atom, fact: FactId) -> bool {
    if atom.relation != world.facts.relation(fact) || !world.is_functional(fact) {
        return false;
    }
    let Some((value, key)) = atom.args.split_last() else { return false };
    let last = world.facts.args(fact).last();
    unifies(tool, key, world.facts.args(fact)) && !matches!(value, Term::Symbol(same) if Some(*same) == last)
}

/// Whether variables can be chosen so that the terms become the symbols. Types are left out: a
/// variable of a narrow type may still stand for what a later object of that type is.
fn unifies(tool: &Tool, terms: &[Term], symbols: impl Iterator<Item = SymbolId>) -> bool {
    let mut bound: Vec<Option<SymbolId>> = vec![None; tool.vars.len()];
    terms.iter().zip(symbols).all(|(term, symbol)| match *term {
        Term::Symbol(own) => own == symbol,
        Term::Var(var) => *bound[var.index()].get_or_insert(symbol) == symbol,
    })
}
