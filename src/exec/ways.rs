//! Which tools can bring a fact about, gates and preconditions ignored: the ways on from a refusal.

use super::State;
use crate::world::{Atom, FactId, SymbolId, Term, Tool, ToolId, World};

/// The tools of which some firing can make the fact true, or false where `truth` is false; in the
/// domain's order.
pub fn makers(world: &World, fact: FactId, truth: bool) -> Vec<ToolId> {
    let tools = world.domain.tools.values().enumerate();
    tools.filter(|(_, tool)| can_make(world, tool, fact, truth)).map(|(index, _)| ToolId::from(index)).collect()
}

/// The value that the functional key of a fact has in a state.
pub fn value_of_key(world: &World, state: &State, fact: FactId) -> Option<FactId> {
    world.is_functional(fact).then(|| state.first_in(world.facts.key_range_of(fact))).flatten()
}

fn can_make(world: &World, tool: &Tool, fact: FactId, truth: bool) -> bool {
    let effects = |negated| {
        let literals = tool.effects.iter().flat_map(|effect| &effect.then);
        literals.filter(move |literal| literal.negated == negated).filter_map(|literal| literal.atom())
    };
    let mut adds = effects(false).chain(&tool.produces).filter(|atom| atom.relation == world.facts.relation(fact));
    if truth {
        return adds.any(|atom| fits(world, tool, &atom.args, fact));
    }
    let replaces = |atom: &Atom| {
        let Some((value, key)) = atom.args.split_last() else { return false };
        let same = Term::Symbol(world.facts.arg(atom.relation, fact, key.len()));
        *value != same && fits(world, tool, key, fact)
    };
    effects(true).any(|atom| atom.relation == world.facts.relation(fact) && fits(world, tool, &atom.args, fact))
        || world.is_functional(fact) && adds.any(replaces)
}

/// Whether the tool's variables can take values under which the terms are the fact's first arguments.
fn fits(world: &World, tool: &Tool, terms: &[Term], fact: FactId) -> bool {
    let mut bound: Vec<Option<SymbolId>> = vec![None; tool.vars.len()];
    terms.iter().zip(world.facts.args(fact)).all(|(term, symbol)| match *term {
        Term::Symbol(own) => own == symbol,
        Term::Var(var) => {
            world.facts.is_in(symbol, tool.vars[var.index()].ty) && *bound[var.index()].get_or_insert(symbol) == symbol
        }
    })
}
