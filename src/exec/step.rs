//! The firing rule (design §3).

use smallvec::SmallVec;

use super::{Call, Changes, Request, State};
use crate::world::{
    Atom, CapabilityId, Effect, FactId, Gates, KnowledgeId, Literal, Proposition, RelationId, RelationKind, RoleId,
    SymbolId, Term, Tool, ToolsetId, VarId, VarOrigin, World,
};

/// What a call did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It fired, and this is different after it; [`Changes::apply`] makes it so.
    Fired(Changes),
    /// It changed nothing; every reason that holds, in the order of design §3.
    Refused(Box<[Reason]>),
}

/// Why a call did not fire. Numbers only; [`super::Refusal`] says it in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// No such tool in the domain.
    UnknownTool,
    /// The tool exists, but not in this run's tool set.
    NotOffered,
    /// The fault of this index in [`Request::Malformed`].
    BadArgument(usize),
    /// The precondition of this index does not hold.
    Precondition(usize),
    /// The consumed argument of this index.
    NotProduced {
        /// Index into `consumes`.
        argument: usize,
        /// Whether the value matches the pattern, and merely was not produced.
        matches: bool,
    },
    /// The firing would give a functional key two values.
    Conflict {
        /// One of the facts; all share the key.
        key: FactId,
        /// The values, in order of [`SymbolId`].
        values: Box<[SymbolId]>,
    },
    /// The role lacks the capability.
    Capability(CapabilityId),
    /// The role lacks the knowledge.
    Knowledge(KnowledgeId),
}

impl Reason {
    /// Its name in logs and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Reason::UnknownTool => "unknown_tool",
            Reason::NotOffered => "not_offered",
            Reason::BadArgument(_) => "bad_argument",
            Reason::Precondition(_) => "precondition",
            Reason::NotProduced { .. } => "not_produced",
            Reason::Conflict { .. } => "conflict",
            Reason::Capability(_) => "capability",
            Reason::Knowledge(_) => "knowledge",
        }
    }
}

/// What one call does in one state. The only place where that is decided.
pub fn step(world: &World, role: RoleId, toolset: ToolsetId, state: &State, request: &Request) -> Outcome {
    let Some(tool_id) = request.tool() else { return Outcome::Refused([Reason::UnknownTool].into()) };
    let tool = world.domain.tool(tool_id);
    let failed = world.domain.failed_gates(tool_id, role);
    let mut reasons = SmallVec::new();
    if !world.problem.toolsets[toolset.index()].offered[tool_id.index()] {
        reasons.push(Reason::NotOffered);
    }
    let mut firing = Firing::default();
    match request {
        Request::UnknownTool(_) => {}
        Request::Malformed { faults, .. } => reasons.extend((0..faults.len()).map(Reason::BadArgument)),
        Request::Call(call) => {
            let bindings = Bindings::of(world, role, state, call);
            for (index, literal) in tool.precondition.iter().enumerate() {
                if bindings.condition(world, tool, state, index, literal) == Truth::Fails {
                    reasons.push(Reason::Precondition(index));
                }
            }
            for (argument, &value) in call.consumed.iter().enumerate() {
                let matches = bindings.matched[argument];
                if !matches || !state.contains(value) {
                    reasons.push(Reason::NotProduced { argument, matches });
                }
            }
            let may_fire = reasons.is_empty() && failed == Gates::default();
            if (may_fire || tool.may_conflict) && bindings.all_effect_variables_bound(tool) {
                firing.collect(world, tool, state, bindings);
                firing.conflicts(world, &mut reasons);
            }
        }
    }
    reasons.extend(failed.capability.map(Reason::Capability));
    reasons.extend(failed.knowledge.map(Reason::Knowledge));
    if !reasons.is_empty() {
        return Outcome::Refused(reasons.into_boxed_slice());
    }
    Outcome::Fired(firing.changes(world, state))
}

/// Whether a literal holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    /// It does.
    Holds,
    /// It does not.
    Fails,
    /// It hangs on this variable, which has no value.
    Unbound(VarId),
}

impl Truth {
    fn of(holds: bool) -> Self {
        if holds { Truth::Holds } else { Truth::Fails }
    }
}

/// The values of a tool's variables in one call.
#[derive(Debug, Clone)]
pub struct Bindings {
    values: SmallVec<[Option<SymbolId>; 12]>,
    /// Per consumed argument: whether its value matches the pattern.
    pub matched: SmallVec<[bool; 4]>,
}

impl Bindings {
    /// Params, then what consumed values bind (produced or not), then look-ups.
    pub fn of(world: &World, role: RoleId, state: &State, call: &Call) -> Self {
        let tool = world.domain.tool(call.tool);
        let mut bindings = Bindings::before_argument(world, role, call, tool.consumes.len());
        for lookup in &tool.lookups {
            if let Proposition::Atom(atom) = &tool.precondition[lookup.condition].proposition {
                bindings.values[lookup.var.index()] = bindings.look_up(world, state, atom);
            }
        }
        bindings
    }

    /// Params and what the consumed arguments before the given one bind: what an input is matched against.
    pub fn before_argument(world: &World, role: RoleId, call: &Call, argument: usize) -> Self {
        let tool = world.domain.tool(call.tool);
        let mut bindings = Bindings { values: SmallVec::from_elem(None, tool.vars.len()), matched: SmallVec::new() };
        bindings.values[0] = Some(world.domain.role_symbol(role));
        for (i, &object) in call.params.iter().enumerate() {
            bindings.values[i + 1] = Some(object);
        }
        for (consumed, &value) in tool.consumes.iter().zip(&call.consumed).take(argument) {
            let matches = bindings.unify(world, &consumed.pattern, value);
            bindings.matched.push(matches);
        }
        bindings
    }

    /// The value of a variable.
    #[inline]
    pub fn get(&self, var: VarId) -> Option<SymbolId> {
        self.values[var.index()]
    }

    /// The value of a term.
    #[inline]
    pub fn term(&self, term: Term) -> Option<SymbolId> {
        match term {
            Term::Symbol(symbol) => Some(symbol),
            Term::Var(var) => self.get(var),
        }
    }

    /// The ground atom; `Err` with the first variable without a value.
    #[inline]
    pub fn ground(&self, world: &World, atom: &Atom) -> Result<Option<FactId>, VarId> {
        let mut unbound = None;
        let symbols = atom.args.iter().map_while(|&term| match term {
            Term::Symbol(symbol) => Some(symbol),
            Term::Var(var) => self.get(var).or_else(|| {
                unbound = Some(var);
                None
            }),
        });
        let fact = world.facts.id(atom.relation, symbols);
        unbound.map_or(Ok(fact), Err)
    }

    /// Whether a literal holds in a state.
    pub fn literal(&self, world: &World, state: &State, literal: &Literal) -> Truth {
        let holds = match &literal.proposition {
            Proposition::Atom(atom) => match self.ground(world, atom) {
                Ok(fact) => fact.is_some_and(|fact| state.contains(fact)),
                Err(var) => return Truth::Unbound(var),
            },
            Proposition::Equal(a, b) => match (self.term(*a), self.term(*b)) {
                (Some(a), Some(b)) => a == b,
                (None, _) => return unbound(*a),
                (_, None) => return unbound(*b),
            },
        };
        Truth::of(holds != literal.negated)
    }

    /// Whether the precondition of this index holds. A look-up without a value fails the
    /// precondition that would bind it; whatever else hangs on it is left open.
    pub fn condition(&self, world: &World, tool: &Tool, state: &State, index: usize, literal: &Literal) -> Truth {
        let truth = self.literal(world, state, literal);
        let Truth::Unbound(var) = truth else { return truth };
        let binds = |lookup: &&crate::world::Lookup| lookup.condition == index && lookup.var == var;
        if tool.lookups.iter().any(|lookup| binds(&lookup)) { Truth::Fails } else { truth }
    }

    fn unify(&mut self, world: &World, pattern: &Atom, value: FactId) -> bool {
        if !world.facts.range(pattern.relation).contains(&value.0) {
            return false;
        }
        let mut new = SmallVec::<[VarId; 4]>::new();
        for (position, &term) in pattern.args.iter().enumerate() {
            let symbol = world.facts.arg(pattern.relation, value, position);
            match (term, self.term(term)) {
                (_, Some(bound)) if bound == symbol => {}
                (Term::Var(var), None) => {
                    self.values[var.index()] = Some(symbol);
                    new.push(var);
                }
                _ => {
                    new.iter().for_each(|var| self.values[var.index()] = None);
                    return false;
                }
            }
        }
        true
    }

    fn look_up(&self, world: &World, state: &State, atom: &Atom) -> Option<SymbolId> {
        let (_, key) = atom.args.split_last()?;
        let key = key.iter().map(|&term| self.term(term)).collect::<Option<SmallVec<[SymbolId; 4]>>>()?;
        let value = state.first_in(world.facts.key_range(atom.relation, key)?)?;
        Some(world.facts.arg(atom.relation, value, atom.args.len() - 1))
    }

    fn all_effect_variables_bound(&self, tool: &Tool) -> bool {
        let bound =
            |var: &VarId| self.get(*var).is_some() || matches!(tool.vars[var.index()].origin, VarOrigin::Forall(_));
        (0..tool.vars.len()).map(VarId::from).all(|var| bound(&var))
            || tool.effects.iter().flat_map(Effect::literals).flat_map(Literal::vars).all(|var| bound(&var))
    }
}

fn unbound(term: Term) -> Truth {
    match term {
        Term::Var(var) => Truth::Unbound(var),
        Term::Symbol(_) => Truth::Fails,
    }
}

/// What the effects of a call come to.
#[derive(Default)]
struct Firing {
    deletes: SmallVec<[FactId; 8]>,
    adds: SmallVec<[Add; 8]>,
}

/// A fact or slot value that a firing makes true. Its relation is at hand, so it is kept.
#[derive(Clone, Copy)]
struct Add {
    fact: FactId,
    relation: RelationId,
}

impl Firing {
    fn collect(&mut self, world: &World, tool: &Tool, state: &State, mut bindings: Bindings) {
        for effect in &tool.effects {
            self.collect_effect(world, tool, state, &mut bindings, effect, &effect.forall);
        }
        for value in &tool.produces {
            self.add(world, &bindings, value);
        }
    }

    fn collect_effect(
        &mut self,
        world: &World,
        tool: &Tool,
        state: &State,
        bindings: &mut Bindings,
        effect: &Effect,
        forall: &[VarId],
    ) {
        if let Some((&var, rest)) = forall.split_first() {
            for &symbol in world.facts.extent(tool.vars[var.index()].ty) {
                bindings.values[var.index()] = Some(symbol);
                self.collect_effect(world, tool, state, bindings, effect, rest);
            }
            bindings.values[var.index()] = None;
            return;
        }
        if effect.when.iter().any(|literal| bindings.literal(world, state, literal) != Truth::Holds) {
            return;
        }
        for literal in &effect.then {
            match &literal.proposition {
                Proposition::Atom(atom) if literal.negated => {
                    self.deletes.extend(bindings.ground(world, atom).ok().flatten());
                }
                Proposition::Atom(atom) => self.add(world, bindings, atom),
                Proposition::Equal(..) => {}
            }
        }
    }

    fn add(&mut self, world: &World, bindings: &Bindings, atom: &Atom) {
        if let Ok(Some(fact)) = bindings.ground(world, atom) {
            self.adds.push(Add { fact, relation: atom.relation });
        }
    }

    fn conflicts(&self, world: &World, reasons: &mut SmallVec<[Reason; 4]>) {
        let functional = |add: &&Add| world.domain.relations[add.relation.index()].functional;
        for (i, add) in self.adds.iter().enumerate().filter(|(_, add)| functional(add)) {
            let key = world.facts.key_range_in(add.relation, add.fact);
            let in_key = |other: &Add| key.contains(&other.fact.0);
            if self.adds[..i].iter().any(in_key) {
                continue;
            }
            let mut facts: SmallVec<[FactId; 4]> =
                self.adds[i..].iter().filter(|other| in_key(other)).map(|other| other.fact).collect();
            facts.sort_unstable();
            facts.dedup();
            if facts.len() > 1 {
                let last = world.domain.relations[add.relation.index()].params.len() - 1;
                let values = facts.iter().map(|&fact| world.facts.arg(add.relation, fact, last)).collect();
                reasons.push(Reason::Conflict { key: add.fact, values });
            }
        }
    }

    /// All deletes, then all adds, a functional add in place of the key's old value: what that changes.
    fn changes(&self, world: &World, before: &State) -> Changes {
        let mut changes = Changes::default();
        let stays = |fact: &FactId| self.adds.iter().any(|add| add.fact == *fact);
        changes.removed.extend(self.deletes.iter().copied().filter(|fact| before.contains(*fact) && !stays(fact)));
        for add in self.adds.iter().filter(|add| !before.contains(add.fact)) {
            let relation = &world.domain.relations[add.relation.index()];
            match relation.kind {
                RelationKind::Slot => changes.produced.push(add.fact),
                RelationKind::Predicate => changes.added.push(add.fact),
            }
            if relation.functional {
                changes.removed.extend(before.first_in(world.facts.key_range_in(add.relation, add.fact)));
            }
        }
        for facts in [&mut changes.added, &mut changes.removed, &mut changes.produced] {
            facts.sort_unstable();
            facts.dedup();
        }
        changes
    }
}
