//! Grounding: every call that can ever fire, with what it reads and changes.
//!
//! Calls are found as a Datalog program would find them (Helmert, "Concise finite-domain
//! representations for PDDL planning tasks", 2009): deletes ignored, each new fact completes the
//! tools that wait for it. Negative conditions are taken to hold, but for predicates that no tool changes.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{
    exec::{Call, State},
    world::{
        Atom, Effect, FactId, Literal, Proposition, RelationId, RoleId, SymbolId, Term, Tool, ToolId, VarId, World,
    },
};

/// A ground literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GroundLiteral {
    pub(super) fact: FactId,
    pub(super) holds: bool,
}

/// A call with one value for each variable of its tool.
#[derive(Debug)]
pub(super) struct GroundAction {
    pub(super) call: Call,
    pub(super) precondition: Vec<GroundLiteral>,
    pub(super) effects: Vec<GroundEffect>,
}

/// What a firing changes where `when` holds.
#[derive(Debug, Default)]
pub(super) struct GroundEffect {
    pub(super) when: Vec<GroundLiteral>,
    pub(super) adds: Vec<FactId>,
    pub(super) deletes: Vec<FactId>,
}

/// What grounding came to.
#[derive(Debug)]
pub(super) struct Ground {
    /// In order of tools, then of arguments.
    pub(super) actions: Vec<GroundAction>,
    /// Facts that may ever be true, those of the start first.
    pub(super) reachable: Vec<FactId>,
}

/// All calls of the offered tools that a role may make, from `start` on; `None` when there are more
/// than `most`.
pub(super) fn ground(world: &World, role: RoleId, tools: &[ToolId], start: &State, most: usize) -> Option<Ground> {
    let mut grounding = Grounding::new(world, role, tools, start, most);
    for fact in start.iter() {
        grounding.reach(fact);
    }
    for index in 0..grounding.schemas.len() {
        if grounding.schemas[index].atoms.is_empty() {
            let mut bindings = grounding.bindings(index);
            grounding.complete(index, &mut bindings, None);
        }
    }
    let mut next = 0;
    while let Some(&fact) = grounding.reached.get(next) {
        grounding.trigger(next, fact);
        next += 1;
    }
    if grounding.actions.len() > most {
        return None;
    }
    let Grounding { mut actions, reached, .. } = grounding;
    actions.sort_by(|a, b| {
        let key = |action: &GroundAction| (action.call.tool, action.call.params.clone(), action.call.consumed.clone());
        key(a).cmp(&key(b)).then_with(|| a.precondition.cmp(&b.precondition))
    });
    Some(Ground { actions, reachable: reached })
}

/// A tool, its positive conditions first: what its consumed values match, then its preconditions.
struct Schema<'w> {
    id: ToolId,
    tool: &'w Tool,
    atoms: Vec<&'w Atom>,
}

type Values = SmallVec<[Option<SymbolId>; 12]>;

struct Grounding<'w> {
    world: &'w World,
    role: RoleId,
    schemas: Vec<Schema<'w>>,
    /// Per relation: the schemas and conditions that ask for it.
    waiting: Vec<Vec<(usize, usize)>>,
    /// Per relation: whether some of the tools changes it.
    changes: Vec<bool>,
    start: &'w State,
    /// Reachable facts in the order in which they were found.
    reached: Vec<FactId>,
    /// Their places in `reached`.
    place: FxHashMap<FactId, usize>,
    /// Their places per relation, ascending.
    by_relation: Vec<Vec<usize>>,
    actions: Vec<GroundAction>,
    /// Beyond so many actions it is given up.
    most: usize,
}

impl<'w> Grounding<'w> {
    fn new(world: &'w World, role: RoleId, tools: &[ToolId], start: &'w State, most: usize) -> Self {
        let relations = world.domain.relations.len();
        let mut waiting = vec![Vec::new(); relations];
        let mut changes = vec![false; relations];
        let mut schemas = Vec::new();
        for &id in tools {
            let tool = world.domain.tool(id);
            let positive = tool.precondition.iter().filter(|literal| !literal.negated).filter_map(Literal::atom);
            let atoms: Vec<&Atom> = tool.consumes.iter().map(|consumed| &consumed.pattern).chain(positive).collect();
            for (at, atom) in atoms.iter().enumerate() {
                waiting[atom.relation.index()].push((schemas.len(), at));
            }
            let changed = tool.effects.iter().flat_map(|effect| &effect.then).filter_map(Literal::atom);
            for atom in changed.chain(&tool.produces) {
                changes[atom.relation.index()] = true;
            }
            schemas.push(Schema { id, tool, atoms });
        }
        Grounding {
            world,
            role,
            schemas,
            waiting,
            changes,
            start,
            reached: Vec::new(),
            place: FxHashMap::default(),
            by_relation: vec![Vec::new(); relations],
            actions: Vec::new(),
            most,
        }
    }

    fn bindings(&self, schema: usize) -> Values {
        let mut values = SmallVec::from_elem(None, self.schemas[schema].tool.vars.len());
        values[0] = Some(self.world.domain.role_symbol(self.role));
        values
    }

    fn reach(&mut self, fact: FactId) {
        if let std::collections::hash_map::Entry::Vacant(entry) = self.place.entry(fact) {
            entry.insert(self.reached.len());
            self.by_relation[self.world.facts.relation(fact).index()].push(self.reached.len());
            self.reached.push(fact);
        }
    }

    /// Completes every tool of which the new fact meets a condition; facts found later do the rest.
    fn trigger(&mut self, place: usize, fact: FactId) {
        let relation = self.world.facts.relation(fact);
        for index in 0..self.waiting[relation.index()].len() {
            let (schema, condition) = self.waiting[relation.index()][index];
            let mut values = self.bindings(schema);
            let atom = self.schemas[schema].atoms[condition];
            if self.unify(schema, atom, fact, &mut values).is_some() {
                let open = (0..self.schemas[schema].atoms.len()).filter(|&other| other != condition).collect();
                self.complete(schema, &mut values, Some(Join { open, condition, place }));
            }
        }
    }

    /// Binds what is open: conditions to facts found no later than the one that triggered it (and
    /// earlier for those before it, so that each call is found once), then params to their types.
    fn complete(&mut self, schema: usize, values: &mut Values, join: Option<Join>) {
        let Some(mut join) = join.filter(|join| !join.open.is_empty()) else {
            return self.enumerate(schema, values, 0);
        };
        let unbound = |&at: &usize| {
            let args = &self.schemas[schema].atoms[at].args;
            args.iter().filter(|&&term| value(values, term).is_none()).count()
        };
        let Some(next) = (0..join.open.len()).min_by_key(|&next| unbound(&join.open[next])) else { return };
        let condition = join.open.remove(next);
        let atom = self.schemas[schema].atoms[condition];
        let last = if condition < join.condition { join.place } else { join.place + 1 };
        if let Some(args) = atom.args.iter().map(|&term| value(values, term)).collect::<Option<SmallVec<[_; 4]>>>() {
            let found = self.world.facts.id(atom.relation, args).and_then(|fact| self.place.get(&fact));
            if found.is_some_and(|&place| place < last) {
                self.complete(schema, values, Some(join));
            }
            return;
        }
        for index in 0..self.by_relation[atom.relation.index()].len() {
            let place = self.by_relation[atom.relation.index()][index];
            if place >= last {
                break;
            }
            if let Some(new) = self.unify(schema, atom, self.reached[place], values) {
                self.complete(schema, values, Some(join.clone()));
                new.iter().for_each(|var| values[var.index()] = None);
            }
        }
    }

    /// Gives values to the params that no condition binds.
    fn enumerate(&mut self, schema: usize, values: &mut Values, param: usize) {
        let Schema { id, tool, .. } = self.schemas[schema];
        let Some(declared) = tool.params.get(param) else { return self.instantiate(id, tool, values) };
        if self.actions.len() > self.most {
            return;
        }
        if values[param + 1].is_some() {
            return self.enumerate(schema, values, param + 1);
        }
        let world = self.world;
        for &symbol in world.facts.extent(declared.ty) {
            values[param + 1] = Some(symbol);
            self.enumerate(schema, values, param + 1);
        }
        values[param + 1] = None;
    }

    /// Makes the atom the fact; gives the variables that this binds.
    fn unify(&self, schema: usize, atom: &Atom, fact: FactId, values: &mut Values) -> Option<SmallVec<[VarId; 4]>> {
        let tool = self.schemas[schema].tool;
        let mut new = SmallVec::new();
        for (position, &term) in atom.args.iter().enumerate() {
            let symbol = self.world.facts.arg(atom.relation, fact, position);
            let fits = match (term, value(values, term)) {
                (_, Some(bound)) => bound == symbol,
                (Term::Var(var), None) if is_param(tool, var) => {
                    self.world.facts.is_in(symbol, tool.vars[var.index()].ty)
                }
                (Term::Var(_), None) => true,
                (Term::Symbol(_), None) => false,
            };
            if !fits {
                new.iter().for_each(|var: &VarId| values[var.index()] = None);
                return None;
            }
            if let (Term::Var(var), None) = (term, value(values, term)) {
                values[var.index()] = Some(symbol);
                new.push(var);
            }
        }
        Some(new)
    }

    /// All variables have values: the action, unless some condition can never hold.
    fn instantiate(&mut self, id: ToolId, tool: &'w Tool, values: &mut Values) {
        let Some(mut precondition) = self.conditions(&tool.precondition, values) else { return };
        let mut consumed = SmallVec::new();
        for argument in &tool.consumes {
            let Some(fact) = self.fact(&argument.pattern, values) else { return };
            consumed.push(fact);
            precondition.push(GroundLiteral { fact, holds: true });
        }
        precondition.sort_unstable();
        precondition.dedup();
        let params = values[1..=tool.params.len()].iter().copied().collect::<Option<_>>();
        let Some(params) = params else { return };
        let mut effects = Vec::new();
        for effect in &tool.effects {
            self.effect(tool, effect, &effect.forall, values, &mut effects);
        }
        let produced = tool.produces.iter().filter_map(|atom| self.fact(atom, values)).collect();
        effects.push(GroundEffect { adds: produced, ..GroundEffect::default() });
        effects.iter().flat_map(|effect| &effect.adds).for_each(|&fact| self.reach(fact));
        self.actions.push(GroundAction { call: Call { tool: id, params, consumed }, precondition, effects });
    }

    fn effect(
        &self,
        tool: &Tool,
        effect: &Effect,
        forall: &[VarId],
        values: &mut Values,
        into: &mut Vec<GroundEffect>,
    ) {
        if let Some((&var, rest)) = forall.split_first() {
            for &symbol in self.world.facts.extent(tool.vars[var.index()].ty) {
                values[var.index()] = Some(symbol);
                self.effect(tool, effect, rest, values, into);
            }
            values[var.index()] = None;
            return;
        }
        let Some(when) = self.conditions(&effect.when, values) else { return };
        let mut ground = GroundEffect { when, ..GroundEffect::default() };
        for literal in &effect.then {
            let fact = literal.atom().and_then(|atom| self.fact(atom, values));
            if literal.negated { &mut ground.deletes } else { &mut ground.adds }.extend(fact);
        }
        into.push(ground);
    }

    /// The conditions that are left when what never changes is taken out; `None` if they cannot all hold.
    fn conditions(&self, literals: &[Literal], values: &Values) -> Option<Vec<GroundLiteral>> {
        let mut ground = Vec::new();
        for literal in literals {
            let fact = match &literal.proposition {
                Proposition::Equal(a, b) => Err(value(values, *a) == value(values, *b)),
                Proposition::Atom(atom) => match self.fact(atom, values) {
                    Some(fact) if self.changes[atom.relation.index()] => Ok(fact),
                    fact => Err(fact.is_some_and(|fact| self.start.contains(fact))),
                },
            };
            match fact {
                Ok(fact) => ground.push(GroundLiteral { fact, holds: !literal.negated }),
                Err(truth) if truth != literal.negated => {}
                Err(_) => return None,
            }
        }
        ground.sort_unstable();
        ground.dedup();
        Some(ground)
    }

    fn fact(&self, atom: &Atom, values: &Values) -> Option<FactId> {
        let args = atom.args.iter().map(|&term| value(values, term)).collect::<Option<SmallVec<[SymbolId; 4]>>>()?;
        self.world.facts.id(atom.relation, args)
    }
}

/// Conditions that have no fact yet, and which condition was met by which new fact.
#[derive(Clone)]
struct Join {
    open: SmallVec<[usize; 8]>,
    condition: usize,
    place: usize,
}

fn value(values: &Values, term: Term) -> Option<SymbolId> {
    match term {
        Term::Symbol(symbol) => Some(symbol),
        Term::Var(var) => values[var.index()],
    }
}

fn is_param(tool: &Tool, var: VarId) -> bool {
    (1..=tool.params.len()).contains(&var.index())
}

/// The values that a functional key may have, but for one: what giving it that one replaces.
pub(super) fn replaced(world: &World, relation: RelationId, fact: FactId) -> impl Iterator<Item = FactId> {
    world.facts.key_range_in(relation, fact).map(FactId).filter(move |&other| other != fact)
}
