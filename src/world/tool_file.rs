//! A tool of a domain file → a [`Tool`]: variables, look-ups, effects (design §2, "Variables").

use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
};

use super::{
    Atom, CapabilityId, ClassId, Consumed, Effect, Gates, KnowledgeId, Literal, Lookup, Param, Proposition, RelationId,
    Reveal, SourceId, SymbolId, Term, Tool, Types, Var, VarId, VarOrigin,
    domain_file::{Namespace, Tables, entries, known, text},
    faults::Faults,
    json::Text,
    placeholders::template,
    shape::{Entry, Field, List},
    shapes::{EffectShape, FullEffect, ToolShape},
    syntax::{self, Body},
    values::{AtomText, LiteralText, Name},
    vocabulary::{MaybeType, Scope, Vocabulary, Want, parse_atom, parse_literal},
};

/// Resolves a tool; `None` only if its definition could not be read at all.
pub(super) fn tool(
    entry: &Entry<ToolShape>,
    shape: &ToolShape,
    tables: &Tables<'_>,
    faults: &mut Faults,
) -> Option<Tool> {
    let mut resolver = Resolver { vocabulary: tables.vocabulary, scope: Scope::default(), faults };
    resolver.scope.bind("self", Some(Types::ROLE), VarOrigin::SelfRole);
    let mut names = Namespace::default();
    let params = resolver.params(shape, &mut names);
    let consumes = resolver.consumes(shape, &mut names);
    let parsed = resolver.parse(&shape.precondition);
    let lookups = resolver.lookups(&parsed);
    let precondition = resolver.literals(&parsed, Want::Any);
    let produces = resolver.produces(&shape.produces);
    let effects = resolver.effects(&shape.effect);
    let may_conflict = resolver.may_conflict(&effects);
    let reveals = resolver.reveals(&shape.reveals);
    let scope = resolver.scope;

    let observation = shape.observation.get().map(|text| {
        let known: Vec<&str> = scope.names().collect();
        template(text, |name| scope.var(name), &known, scope.all_excused || !scope.excused.is_empty(), faults)
    });
    let class = shape.class.get().and_then(|name| tables.taxonomy.find::<ClassId>(name, faults));
    let source = shape.source.get().and_then(|name| tables.sources.find::<SourceId>(name, faults));
    let capability = shape.capability.get().and_then(|name| tables.capabilities.find::<CapabilityId>(name, faults));
    let knowledge = match &shape.knowledge {
        Field::Is(own) => own.0.as_ref().and_then(|name| tables.knowledge.find::<KnowledgeId>(name, faults)),
        _ => source.and_then(|source| tables.source_knowledge.get(source.index()).copied().flatten()),
    };
    let class = class.unwrap_or(ClassId(0));
    Some(Tool {
        doc: text(&shape.doc),
        class,
        routing: tables.routing.get(class.index()).copied().unwrap_or(false),
        vars: scope.vars.into_iter().map(|v| Var { name: v.name, ty: known(v.ty), origin: v.origin }).collect(),
        params,
        consumes,
        produces,
        precondition,
        lookups,
        effects,
        may_conflict,
        reveals,
        observation,
        gates: Gates { capability, knowledge },
        source,
        span: entry.key.span.clone(),
        definition: entry.span.clone(),
    })
}

/// The value that each functional key was given, and where.
type Given = HashMap<(RelationId, Vec<Term>), (SymbolId, Range<usize>)>;

/// A literal of the file; `None` if it could not be parsed.
type Parsed<'a> = Vec<(&'a Text, Option<syntax::Literal<'a>>)>;

struct Resolver<'a> {
    vocabulary: &'a Vocabulary,
    scope: Scope,
    faults: &'a mut Faults,
}

impl Resolver<'_> {
    fn params(&mut self, shape: &ToolShape, names: &mut Namespace) -> Vec<Param> {
        self.scope.all_excused |= shape.params.is_bad();
        let mut params = Vec::new();
        for entry in entries(&shape.params) {
            let ty = entry.value.as_ref().and_then(|Name(name)| self.vocabulary.ty(name, self.faults));
            names.take(&entry.key, "param", self.faults);
            self.not_self(&entry.key);
            self.scope.bind(&entry.key.text, ty, VarOrigin::Param);
            params.push(Param { name: entry.key.text.clone(), ty: known(ty) });
        }
        params
    }

    fn consumes(&mut self, shape: &ToolShape, names: &mut Namespace) -> Vec<Consumed> {
        self.scope.all_excused |= shape.consumes.is_bad();
        let mut consumes = Vec::new();
        for (index, entry) in entries(&shape.consumes).iter().enumerate() {
            names.take(&entry.key, "param", self.faults);
            self.not_self(&entry.key);
            let Some(AtomText(text)) = &entry.value else {
                self.scope.all_excused = true;
                continue;
            };
            let Some(atom) = parse_atom(text, self.faults) else {
                self.scope.all_excused = true;
                continue;
            };
            self.bind_consumed(&atom, index);
            if let Some(pattern) = self.vocabulary.atom(&atom, text, Want::Slot, &mut self.scope, self.faults) {
                consumes.push(Consumed { name: entry.key.text.clone(), pattern });
            }
        }
        consumes
    }

    fn not_self(&mut self, name: &Text) {
        if name.text == "self" {
            self.faults
                .error("reserved-name", name.span.clone(), "'self' is reserved")
                .help("`?self` is the acting role");
        }
    }

    /// Binds the variables that a consumed value brings, with the types of the slot's params.
    fn bind_consumed(&mut self, atom: &syntax::Atom<'_>, index: usize) {
        let signature = self.vocabulary.relations.get(atom.name);
        let params = signature.and_then(|s| s.params.as_ref()).filter(|params| params.len() == atom.args.len());
        for (i, term) in atom.args.iter().enumerate() {
            if term.variable && self.scope.var(term.name).is_none() {
                let ty = params.and_then(|params| params[i].1);
                self.scope.bind(term.name, ty, VarOrigin::Consumed(index));
            }
        }
    }

    fn parse<'t>(&mut self, field: &'t Field<List<LiteralText>>) -> Parsed<'t> {
        let Some(list) = field.get() else {
            self.scope.all_excused |= field.is_bad();
            return Vec::new();
        };
        let parsed: Parsed<'t> =
            list.items.iter().map(|LiteralText(text)| (text, parse_literal(text, self.faults))).collect();
        // What cannot be read might have bound anything.
        self.scope.all_excused |= list.bad || parsed.iter().any(|(_, literal)| literal.is_none());
        parsed
    }

    /// Binds look-ups: again and again the first precondition that can bind its last argument.
    fn lookups(&mut self, parsed: &Parsed<'_>) -> Vec<Lookup> {
        // By precondition: its last variable and type, and how many others it still waits for.
        let mut waits: HashMap<usize, (&str, MaybeType, usize)> = HashMap::new();
        let mut waiting: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut ready = BTreeSet::new();
        for (condition, (_, literal)) in parsed.iter().enumerate() {
            let Some(syntax::Literal { negated: false, body: Body::Atom(atom) }) = literal else { continue };
            let signature = self.vocabulary.relations.get(atom.name);
            let params = signature.and_then(|s| s.params.as_ref()).filter(|params| params.len() == atom.args.len());
            let (Some(signature), Some(params)) = (signature, params) else {
                // A fault of its own; it may have been meant to bind.
                self.scope.excuse(&atom.args);
                continue;
            };
            let (Some((last, key)), Some((_, ty))) = (atom.args.split_last(), params.last()) else { continue };
            if !signature.functional || !last.variable {
                continue;
            }
            let open = key.iter().filter(|term| term.variable && self.scope.var(term.name).is_none());
            let count = open.map(|term| waiting.entry(term.name).or_default().push(condition)).count();
            waits.insert(condition, (last.name, *ty, count));
            if count == 0 {
                ready.insert(condition);
            }
        }
        let mut lookups = Vec::new();
        while let Some(condition) = ready.pop_first() {
            let Some(&(name, ty, _)) = waits.get(&condition) else { continue };
            if self.scope.var(name).is_some() {
                continue;
            }
            let var = self.scope.bind(name, ty, VarOrigin::Lookup(condition));
            lookups.push(Lookup { condition, var });
            for condition in waiting.remove(name).into_iter().flatten() {
                if let Some((.., count)) = waits.get_mut(&condition) {
                    *count -= 1;
                    if *count == 0 {
                        ready.insert(condition);
                    }
                }
            }
        }
        lookups
    }

    fn literals(&mut self, parsed: &Parsed<'_>, want: Want) -> Vec<Literal> {
        parsed
            .iter()
            .filter_map(|(text, literal)| {
                self.vocabulary.literal(literal.as_ref()?, text, want, &mut self.scope, self.faults)
            })
            .collect()
    }

    fn produces(&mut self, field: &Field<List<AtomText>>) -> Vec<Atom> {
        let items = field.get().map_or(&[][..], |list| &list.items);
        items
            .iter()
            .filter_map(|AtomText(text)| {
                let atom = parse_atom(text, self.faults)?;
                self.vocabulary.atom(&atom, text, Want::Slot, &mut self.scope, self.faults)
            })
            .collect()
    }

    fn reveals(&mut self, field: &Field<List<AtomText>>) -> Vec<Reveal> {
        let items = field.get().map_or(&[][..], |list| &list.items);
        items.iter().filter_map(|AtomText(text)| self.reveal(text)).collect()
    }

    /// Params, consumed variables and `?self` are bound; every other variable matches anything.
    fn reveal(&mut self, text: &Text) -> Option<Reveal> {
        let atom = parse_atom(text, self.faults)?;
        let relation = self.vocabulary.relation(&atom, text, Want::Any, self.faults);
        let mut args = Vec::with_capacity(atom.args.len());
        let mut sound = true;
        for (i, written) in atom.args.iter().enumerate() {
            let term = if written.variable {
                let var = self.scope.var(written.name);
                let bound = |var: &VarId| {
                    let origin = self.scope.vars[var.index()].origin;
                    matches!(origin, VarOrigin::SelfRole | VarOrigin::Param | VarOrigin::Consumed(_))
                };
                var.filter(bound).map(Term::Var)
            } else {
                let span = text.at(written.span.clone());
                let symbol = self.vocabulary.symbol(written.name, span, self.faults);
                sound &= symbol.is_some();
                symbol.map(Term::Symbol)
            };
            if let (Some(relation), Some(term)) = (relation, term) {
                sound &= self.vocabulary.check_type(relation, i, term, written, text, &self.scope, self.faults);
            }
            args.push(term);
        }
        sound.then_some(Reveal { relation: relation?, args })
    }

    fn effects(&mut self, field: &Field<List<EffectShape>>) -> Vec<Effect> {
        let mut effects = Vec::new();
        let mut given = Given::new();
        for (index, shape) in field.get().map_or(&[][..], |list| &list.items).iter().enumerate() {
            let (effect, unconditional) = match shape {
                EffectShape::Literal(literal) => {
                    let then = self.then(std::slice::from_ref(literal));
                    (Effect { forall: Vec::new(), when: Vec::new(), then }, true)
                }
                EffectShape::Full(shape) => {
                    // A condition that could not be read is a condition all the same.
                    let unconditional =
                        shape.when.get().map_or(!shape.when.is_bad(), |list| list.items.is_empty() && !list.bad);
                    (self.full_effect(shape, index), unconditional)
                }
            };
            if unconditional {
                self.two_values(&effect.then, &mut given);
            }
            effects.push(effect);
        }
        effects
    }

    fn full_effect(&mut self, shape: &FullEffect, index: usize) -> Effect {
        let mut forall = Vec::new();
        for entry in entries(&shape.forall) {
            let ty = entry.value.as_ref().and_then(|Name(name)| self.vocabulary.ty(name, self.faults));
            if entry.key.text == "self" {
                self.not_self(&entry.key);
            } else if self.scope.var(&entry.key.text).is_some() {
                let message = format!("'{}' already is a variable of this tool", entry.key.text);
                self.faults
                    .error("name-taken", entry.key.span.clone(), message)
                    .help("a `forall` variable hides nothing: choose another name");
            } else {
                forall.push(self.scope.bind(&entry.key.text, ty, VarOrigin::Forall(index)));
            }
        }
        let all_excused = self.scope.all_excused;
        self.scope.all_excused |= shape.forall.is_bad();
        let when = match shape.when.get() {
            Some(list) => {
                let parsed: Parsed<'_> =
                    list.items.iter().map(|LiteralText(text)| (text, parse_literal(text, self.faults))).collect();
                self.literals(&parsed, Want::Any)
            }
            None => Vec::new(),
        };
        let then = self.then(shape.then.get().map_or(&[], |list| &list.items));
        self.scope.all_excused = all_excused;
        for var in &forall {
            self.scope.hide(*var);
        }
        Effect { forall, when, then }
    }

    fn then(&mut self, literals: &[LiteralText]) -> Vec<Literal> {
        let want = Want::Predicate("slots are produced, not set: put it under `produces`");
        let mut list = Vec::new();
        for LiteralText(text) in literals {
            let Some(parsed) = parse_literal(text, self.faults) else { continue };
            if let Body::Equal(..) = parsed.body {
                self.faults
                    .error("not-an-atom", text.span.clone(), "a comparison cannot be made true")
                    .help("an effect is an atom, or `not` and an atom");
                continue;
            }
            list.extend(self.vocabulary.literal(&parsed, text, want, &mut self.scope, self.faults));
        }
        list
    }

    fn may_conflict(&self, effects: &[Effect]) -> bool {
        let mut seen = BTreeSet::new();
        effects.iter().any(|effect| {
            effect.then.iter().filter(|literal| !literal.negated).filter_map(Literal::atom).any(|atom| {
                let relation = self.vocabulary.relations.get_index(atom.relation.index());
                let functional = relation.is_some_and(|(_, signature)| signature.functional);
                functional && (!effect.forall.is_empty() || !seen.insert(atom.relation))
            })
        })
    }

    /// Reports different constants for one functional key, where nothing is conditional.
    fn two_values(&mut self, then: &[Literal], given: &mut Given) {
        for literal in then {
            let Literal { negated: false, proposition: Proposition::Atom(atom), span } = literal else { continue };
            let relation = self.vocabulary.relations.get_index(atom.relation.index());
            let Some((Term::Symbol(value), key)) = atom.args.split_last() else { continue };
            if !relation.is_some_and(|(_, signature)| signature.functional) {
                continue;
            }
            let (first, place) =
                given.entry((atom.relation, key.to_vec())).or_insert_with(|| (*value, span.clone())).clone();
            if first != *value {
                self.faults
                    .error("two-values", span.clone(), "one firing cannot give a functional predicate two values")
                    .related(place, "the other value is here");
            }
        }
    }
}
