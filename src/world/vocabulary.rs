//! The names that atoms are made of, and the check of one atom against them.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use indexmap::IndexMap;

use super::{
    Atom, Domain, Literal, Proposition, RelationId, RelationKind, SymbolId, Term, TypeId, Types, VarId, VarOrigin,
    faults::Faults,
    json::Text,
    syntax::{self, Body},
};

/// A type that may be unknown because its fault was reported; then it fits everywhere.
pub(super) type MaybeType = Option<TypeId>;

/// Types, symbols and relations by name.
#[derive(Debug)]
pub(super) struct Vocabulary {
    pub types: Types,
    /// Types whose place in the tree was reported.
    pub broken: HashSet<TypeId>,
    pub symbols: IndexMap<String, MaybeType>,
    pub relations: IndexMap<String, Signature>,
    /// Sections that could not be read: a name that is not known may well be in them.
    pub unread: Unread,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Unread {
    pub types: bool,
    pub symbols: bool,
    pub relations: bool,
}

/// What an atom of a relation must look like.
#[derive(Debug)]
pub(super) struct Signature {
    pub kind: RelationKind,
    pub functional: bool,
    /// `None`: they could not be read.
    pub params: Option<Vec<(String, MaybeType)>>,
}

/// Which relations may stand in a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    /// Predicates; for a slot the help says this.
    Predicate(&'static str),
    /// Slots.
    Slot,
    /// Either.
    Any,
}

/// The variables that may stand in a literal.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// All of the tool; some of them are seen no longer.
    pub vars: Vec<ScopeVar>,
    visible: HashMap<String, VarId>,
    /// Reported, or perhaps bound by something that was: not to be reported again.
    pub excused: HashSet<String>,
    /// Something could not be parsed, which might have bound anything.
    pub all_excused: bool,
    /// Why no variable may stand here at all.
    ground: Option<&'static str>,
}

#[derive(Debug)]
pub(super) struct ScopeVar {
    pub name: String,
    pub ty: MaybeType,
    pub origin: VarOrigin,
}

impl Scope {
    /// A scope without variables, and why.
    pub fn ground(why: &'static str) -> Self {
        Scope { ground: Some(why), ..Scope::default() }
    }

    /// A variable that is seen here.
    pub fn var(&self, name: &str) -> Option<VarId> {
        self.visible.get(name).copied()
    }

    /// The names of all that are seen here.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.vars.iter().map(|var| var.name.as_str()).filter(|name| self.visible.contains_key(*name))
    }

    pub fn bind(&mut self, name: &str, ty: MaybeType, origin: VarOrigin) -> VarId {
        let var = VarId::from(self.vars.len());
        self.vars.push(ScopeVar { name: name.to_owned(), ty, origin });
        self.visible.insert(name.to_owned(), var);
        var
    }

    /// Hides a variable: those of a `forall` are seen by their effect alone.
    pub fn hide(&mut self, var: VarId) {
        self.visible.remove(&self.vars[var.index()].name);
    }

    /// Keeps variables that a faulty atom might have bound from being reported as free.
    pub fn excuse(&mut self, terms: &[syntax::Term<'_>]) {
        self.excused.extend(terms.iter().filter(|t| t.variable).map(|t| t.name.to_owned()));
    }

    fn is_excused(&self, name: &str) -> bool {
        self.all_excused || self.excused.contains(name)
    }
}

impl Vocabulary {
    /// The names of a domain without errors.
    pub fn of(domain: &Domain) -> Self {
        let roles = domain.roles.keys().map(|name| (name.clone(), Some(Types::ROLE)));
        let relation = |relation: &super::Relation| Signature {
            kind: relation.kind,
            functional: relation.functional,
            params: Some(relation.params.iter().map(|p| (p.name.clone(), Some(p.ty))).collect()),
        };
        Vocabulary {
            types: domain.types.clone(),
            broken: HashSet::new(),
            symbols: domain.constants.iter().map(|(name, ty)| (name.clone(), Some(*ty))).chain(roles).collect(),
            relations: domain.relations.iter().map(|(name, r)| (name.clone(), relation(r))).collect(),
            unread: Unread::default(),
        }
    }

    /// Looks a type up.
    pub fn ty(&self, name: &Text, faults: &mut Faults) -> MaybeType {
        let found = self.types.by_name.get_index_of(&name.text).map(TypeId::from);
        if found.is_none() && !self.unread.types {
            let known = self.types.by_name.keys().map(String::as_str);
            faults.unknown("unknown-type", "type", &name.text, name.span.clone(), known);
        }
        found.filter(|ty| !self.is_broken(*ty))
    }

    /// Looks a constant, role or object up.
    pub fn symbol(&self, name: &str, span: Range<usize>, faults: &mut Faults) -> Option<SymbolId> {
        let found = self.symbols.get_index_of(name).map(SymbolId::from);
        if found.is_none() && !self.unread.symbols {
            let known = self.symbols.keys().map(String::as_str);
            faults.unknown("unknown-object", "object, constant or role", name, span, known);
        }
        found
    }

    /// Whether something of type `sub` may stand where `sup` is asked for.
    pub fn fits(&self, sub: MaybeType, sup: MaybeType) -> bool {
        match (sub, sup) {
            (Some(sub), Some(sup)) => self.types.is_subtype(sub, sup),
            _ => true,
        }
    }

    /// Whether the type or one above it was reported.
    fn is_broken(&self, mut ty: TypeId) -> bool {
        loop {
            if self.broken.contains(&ty) {
                return true;
            }
            match self.types.by_name[ty.index()].parent {
                Some(parent) => ty = parent,
                None => return false,
            }
        }
    }

    /// Looks the relation of an atom up, and checks its kind and arity.
    pub fn relation(
        &self,
        atom: &syntax::Atom<'_>,
        text: &Text,
        want: Want,
        faults: &mut Faults,
    ) -> Option<RelationId> {
        let span = text.at(atom.span.clone());
        let what = match want {
            Want::Predicate(_) => "predicate",
            Want::Slot => "slot",
            Want::Any => "predicate or slot",
        };
        let Some((index, _, signature)) = self.relations.get_full(atom.name) else {
            if !self.unread.relations {
                let fits = |kind| match want {
                    Want::Predicate(_) => kind == RelationKind::Predicate,
                    Want::Slot => kind == RelationKind::Slot,
                    Want::Any => true,
                };
                let known = self.relations.iter().filter(|(_, s)| fits(s.kind)).map(|(name, _)| name.as_str());
                let code = if want == Want::Slot { "unknown-slot" } else { "unknown-predicate" };
                faults.unknown(code, what, atom.name, span, known);
            }
            return None;
        };
        match (want, signature.kind) {
            (Want::Predicate(help), RelationKind::Slot) => {
                faults.error("not-a-predicate", span, format!("'{}' is a slot", atom.name)).help(help);
                return None;
            }
            (Want::Slot, RelationKind::Predicate) => {
                faults
                    .error("not-a-slot", span, format!("'{}' is a predicate", atom.name))
                    .help("only values of slots are produced, consumed and given");
                return None;
            }
            _ => {}
        }
        let params = signature.params.as_ref()?;
        if params.len() != atom.args.len() {
            let wanted = crate::text::count(params.len(), "argument");
            let message = format!("'{}' takes {wanted}, not {}", atom.name, atom.args.len());
            let help = match params.is_empty() {
                true => format!("write `{}`", atom.name),
                false => {
                    let names: Vec<&str> = params.iter().map(|(name, _)| name.as_str()).collect();
                    format!("write `{}({})`", atom.name, names.join(", "))
                }
            };
            faults.error("wrong-arity", span, message).help(help);
            return None;
        }
        Some(RelationId::from(index))
    }

    /// Resolves an atom: relation, arity, and every argument's name and type.
    pub fn atom(
        &self,
        atom: &syntax::Atom<'_>,
        text: &Text,
        want: Want,
        scope: &mut Scope,
        faults: &mut Faults,
    ) -> Option<Atom> {
        let relation = self.relation(atom, text, want, faults);
        let args: Vec<Option<Term>> = (0..atom.args.len())
            .map(|i| {
                let term = self.term(&atom.args[i], text, scope, faults)?;
                let fits = self.check_type(relation?, i, term, &atom.args[i], text, scope, faults);
                fits.then_some(term)
            })
            .collect();
        Some(Atom { relation: relation?, args: args.into_iter().collect::<Option<_>>()? })
    }

    /// Resolves a literal.
    pub fn literal(
        &self,
        literal: &syntax::Literal<'_>,
        text: &Text,
        want: Want,
        scope: &mut Scope,
        faults: &mut Faults,
    ) -> Option<Literal> {
        let proposition = match &literal.body {
            Body::Atom(atom) => Proposition::Atom(self.atom(atom, text, want, scope, faults)?),
            Body::Equal(a, b) => {
                let (a, b) = (self.term(a, text, scope, faults), self.term(b, text, scope, faults));
                Proposition::Equal(a?, b?)
            }
        };
        Some(Literal { negated: literal.negated, proposition, span: text.span.clone() })
    }

    /// Resolves a variable or a symbol.
    fn term(&self, term: &syntax::Term<'_>, text: &Text, scope: &mut Scope, faults: &mut Faults) -> Option<Term> {
        let span = text.at(term.span.clone());
        if !term.variable {
            return self.symbol(term.name, span, faults).map(Term::Symbol);
        }
        if let Some(var) = scope.var(term.name) {
            return Some(Term::Var(var));
        }
        if scope.is_excused(term.name) {
            return None;
        }
        scope.excused.insert(term.name.to_owned());
        let message = format!("nothing binds the variable '?{}'", term.name);
        match scope.ground {
            Some(why) => faults
                .error("free-variable", span, format!("the variable '?{}' cannot stand here", term.name))
                .help(why),
            None => {
                let help = faults
                    .suggest(term.name, scope.names())
                    .filter(|help| help.starts_with("did"))
                    .unwrap_or_else(|| {
                        "a param, a consumed value, a `forall`, or the last argument of a functional predicate in a \
                     precondition binds a variable"
                            .to_owned()
                    });
                faults.error("free-variable", span, message).help(help)
            }
        };
        None
    }

    /// Whether a term may be argument `i` of the relation.
    #[allow(clippy::too_many_arguments)]
    pub fn check_type(
        &self,
        relation: RelationId,
        i: usize,
        term: Term,
        written: &syntax::Term<'_>,
        text: &Text,
        scope: &Scope,
        faults: &mut Faults,
    ) -> bool {
        let ty = match term {
            Term::Var(var) => scope.vars[var.index()].ty,
            Term::Symbol(symbol) => self.symbols[symbol.index()],
        };
        let (name, signature) = match self.relations.get_index(relation.index()) {
            Some((name, signature)) => (name, signature),
            None => return true,
        };
        let Some((param, wanted)) = signature.params.as_ref().map(|params| &params[i]) else { return true };
        if self.fits(ty, *wanted) {
            return true;
        }
        if let (Some(ty), Some(wanted)) = (ty, *wanted) {
            let sign = if written.variable { "?" } else { "" };
            let (ty, wanted) = (self.types.name(ty), self.types.name(wanted));
            let message = format!("'{sign}{}' is of type '{ty}', not '{wanted}'", written.name);
            let help = format!("'{param}' of '{name}' takes `{wanted}` and what stands under it");
            faults.error("type-mismatch", text.at(written.span.clone()), message).help(help);
        }
        false
    }
}

/// Parses a literal, reporting what is wrong with it.
pub(super) fn parse_literal<'a>(text: &'a Text, faults: &mut Faults) -> Option<syntax::Literal<'a>> {
    report(text, syntax::parse_literal(&text.text), faults)
}

/// Parses an atom, reporting what is wrong with it.
pub(super) fn parse_atom<'a>(text: &'a Text, faults: &mut Faults) -> Option<syntax::Atom<'a>> {
    report(text, syntax::parse_atom(&text.text), faults)
}

fn report<T>(text: &Text, parsed: Result<T, syntax::SyntaxError>, faults: &mut Faults) -> Option<T> {
    match parsed {
        Ok(parsed) => Some(parsed),
        Err(error) => {
            let fault = faults.error("literal-syntax", text.at(error.span), error.message);
            fault.help = error.help.map(str::to_owned);
            None
        }
    }
}
