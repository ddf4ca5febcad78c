//! Atoms and literals as text: canonical, or in the words of the domain.

use super::Bindings;
use crate::world::{Atom, FactId, GoalLiteral, Literal, Proposition, SymbolId, Term, Tool, VarId, World};

/// Gives a variable its value, if it has one.
pub type Valuation<'a> = &'a dyn Fn(VarId) -> Option<SymbolId>;

/// Canonical print of an atom; variables without a value stay `?name`. `tool` names the variables.
pub fn atom_text(world: &World, atom: &Atom, tool: Option<&Tool>, value: Valuation) -> String {
    let name = world.relation_name(atom.relation);
    if atom.args.is_empty() {
        return name.to_owned();
    }
    let args: Vec<String> = atom.args.iter().map(|&term| term_text(world, term, tool, value)).collect();
    format!("{name}({})", args.join(", "))
}

/// Canonical print of a literal (design §2).
pub fn literal_text(world: &World, literal: &Literal, tool: Option<&Tool>, value: Valuation) -> String {
    match &literal.proposition {
        Proposition::Atom(atom) => {
            let not = if literal.negated { "not " } else { "" };
            format!("{not}{}", atom_text(world, atom, tool, value))
        }
        Proposition::Equal(a, b) => {
            let sign = if literal.negated { "!=" } else { "=" };
            format!("{} {sign} {}", term_text(world, *a, tool, value), term_text(world, *b, tool, value))
        }
    }
}

fn term_text(world: &World, term: Term, tool: Option<&Tool>, value: Valuation) -> String {
    match term {
        Term::Symbol(symbol) => world.symbol_name(symbol).to_owned(),
        Term::Var(var) => match value(var) {
            Some(symbol) => world.symbol_name(symbol).to_owned(),
            None => format!("?{}", tool.and_then(|t| t.vars.get(var.index())).map_or("", |v| &v.name)),
        },
    }
}

/// A fact in the domain's words: the predicate's `text`, else the canonical print.
pub fn fact_words(world: &World, fact: FactId) -> String {
    let relation = world.facts.relation(fact);
    match &world.domain.relations[relation.index()].text {
        Some(template) => template.fill(|var| world.symbol_name(world.facts.arg(relation, fact, var.index()))),
        None => world.fact_text(fact),
    }
}

/// A goal literal in the domain's words; a slot value is something to have in hand.
pub fn goal_words(world: &World, literal: &GoalLiteral) -> String {
    let Ok(fact) = literal.fact else { return literal.text.clone() };
    let words = match world.facts.is_slot_value(fact) {
        true => format!("{} is in hand", world.fact_text(fact)),
        false => fact_words(world, fact),
    };
    if literal.negated { format!("not: {words}") } else { words }
}

/// A literal as an agent may read it in a refusal: worded by the predicate's `text`, with params
/// and consumed values in place and look-up variables as "some …" (design §3).
pub fn literal_words(world: &World, tool: &Tool, bindings: &Bindings, literal: &Literal) -> String {
    use crate::world::VarOrigin::{Consumed, Forall, Lookup, Param};
    let word = |term: Term| match term {
        Term::Symbol(symbol) => world.symbol_name(symbol).to_owned(),
        Term::Var(var) => {
            let definition = &tool.vars[var.index()];
            match bindings.get(var) {
                Some(symbol) if !matches!(definition.origin, Lookup(_) | Forall(_)) => {
                    world.symbol_name(symbol).to_owned()
                }
                _ => format!("some {}", definition.name),
            }
        }
    };
    match &literal.proposition {
        Proposition::Equal(a, b) => {
            // An argument goes by its name: both sides have the same value where they must not.
            let argument = |term: Term| match term {
                Term::Var(var) => match tool.vars[var.index()].origin {
                    Param | Consumed(_) => Some(tool.vars[var.index()].name.as_str()),
                    _ => None,
                },
                Term::Symbol(_) => None,
            };
            let (subject, other) = match (argument(*a), argument(*b)) {
                (None, Some(name)) => (name.to_owned(), *a),
                (Some(name), _) => (name.to_owned(), *b),
                (None, None) => (word(*a), *b),
            };
            format!("{subject} must {}be {}", if literal.negated { "not " } else { "" }, word(other))
        }
        Proposition::Atom(atom) => {
            let words: Vec<String> = atom.args.iter().map(|&term| word(term)).collect();
            let text = match &world.domain.relations[atom.relation.index()].text {
                Some(template) => template.fill(|var| words.get(var.index()).map_or("", String::as_str)),
                None if words.is_empty() => world.relation_name(atom.relation).to_owned(),
                None => format!("{}({})", world.relation_name(atom.relation), words.join(", ")),
            };
            if literal.negated { format!("not: {text}") } else { text }
        }
    }
}
