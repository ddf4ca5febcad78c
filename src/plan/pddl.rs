//! A perspective as PDDL, for planners by others (McDermott et al., "PDDL, the Planning Domain
//! Definition Language", 1998; Fox & Long, PDDL 2.1, JAIR 20, 2003).
//!
//! Tools become actions as they stand in the domain, not as our own grounding sees them, so that a
//! planner by others checks that too. A functional value is replaced by deleting every value of its
//! key: in PDDL, as here, an atom that is both deleted and added stays.

use std::fmt::Write;

use super::{
    names::{self, Kind},
    plan_file::PlanNames,
};
use crate::{
    exec::State,
    world::{
        Atom, Effect, Goal, Literal, Proposition, RelationId, RelationKind, RoleId, Term, Tool, ToolId, ToolsetId,
        TypeId, Types, VarId, World,
    },
};

/// How capability and knowledge gates come into PDDL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PddlGates {
    /// Tools that the role may not use are left out.
    #[default]
    Compiled,
    /// Static facts say what the role has, and tools ask for them.
    AsFacts,
}

/// A perspective as PDDL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pddl {
    /// The domain file.
    pub domain: String,
    /// The problem file.
    pub problem: String,
    /// The cost of finishing, part of every plan's length: 1 where there are several goals to choose
    /// from, else 0.
    pub finishing: u32,
    /// Whether some effect has a condition.
    pub conditional: bool,
    /// What its names stand for.
    pub names: PlanNames,
}

impl Pddl {
    /// Writes the perspective of a role with a tool set; `None` if the role has none in the problem.
    pub fn of(world: &World, role: RoleId, toolset: ToolsetId, gates: PddlGates) -> Option<Pddl> {
        let goal = &world.problem.perspectives.get(&role)?.goal;
        let writer = Writer { world, role, gates };
        let offered = &world.problem.toolsets[toolset.index()].tools;
        let tools: Vec<ToolId> = match gates {
            PddlGates::Compiled => offered.iter().copied().filter(|&tool| world.domain.may(tool, role)).collect(),
            PddlGates::AsFacts => offered.clone(),
        };
        let alternatives = writer.alternatives(goal);
        let domain = writer.domain(&tools, &alternatives);
        Some(Pddl {
            conditional: domain.contains("(when "),
            domain,
            problem: writer.problem(&alternatives),
            finishing: u32::from(alternatives.len() > 1),
            names: PlanNames::of(world, role, &tools, alternatives.len()),
        })
    }
}

/// What is reached by finishing, where there are several goals to choose from.
const FINISHED: &str = "finished";
/// Never holds.
const NEVER: &str = "never";
/// Holds from a call on that would be refused for a conflict: no plan goes on from there.
const BROKEN: &str = "broken";

struct Writer<'w> {
    world: &'w World,
    role: RoleId,
    gates: PddlGates,
}

impl Writer<'_> {
    fn domain(&self, tools: &[ToolId], alternatives: &[String]) -> String {
        let domain = &self.world.domain;
        let mut out = format!("(define (domain {})\n  (:requirements :adl)\n", names::encode(Kind::Name, &domain.name));
        out += "  (:types";
        for (name, ty) in &domain.types.by_name {
            if let Some(parent) = ty.parent {
                let _ = write!(out, "\n    {} - {}", names::encode(Kind::Type, name), self.ty(parent));
            }
        }
        out += ")\n  (:constants";
        // Tools may name any of them.
        for (name, &ty) in &domain.constants {
            let _ = write!(out, "\n    {} - {}", names::encode(Kind::Object, name), self.ty(ty));
        }
        for name in domain.roles.keys() {
            let _ = write!(out, "\n    {} - {}", names::encode(Kind::Object, name), self.ty(Types::ROLE));
        }
        // Actions that finish a plan name objects of the problem.
        if alternatives.len() > 1 {
            self.objects(&mut out);
        }
        let _ = write!(out, ")\n  (:predicates\n    ({FINISHED}) ({NEVER}) ({BROKEN})");
        for (name, relation) in &domain.relations {
            let kind = if relation.kind == RelationKind::Slot { Kind::Slot } else { Kind::Predicate };
            let _ = write!(out, "\n    ({}", names::encode(kind, name));
            for (at, param) in relation.params.iter().enumerate() {
                let _ = write!(out, " ?a{at} - {}", self.ty(param.ty));
            }
            out += ")";
        }
        if self.gates == PddlGates::AsFacts {
            for name in domain.capabilities.keys() {
                let _ = write!(out, "\n    ({})", names::encode(Kind::Capability, name));
            }
            for name in domain.knowledge.keys() {
                let _ = write!(out, "\n    ({})", names::encode(Kind::Knowledge, name));
            }
        }
        out += ")\n";
        for &tool in tools {
            self.action(tool, &mut out);
        }
        if alternatives.len() > 1 {
            for (number, alternative) in alternatives.iter().enumerate() {
                let _ = write!(
                    out,
                    "  (:action {}\n    :parameters ()\n    :precondition (and {alternative})\n    :effect ({FINISHED}))\n",
                    names::encode(Kind::Finish, &number.to_string())
                );
            }
        }
        out + ")\n"
    }

    fn problem(&self, alternatives: &[String]) -> String {
        let World { domain, problem, facts, .. } = self.world;
        let mut out = format!(
            "(define (problem {})\n  (:domain {})\n  (:objects",
            names::encode(Kind::Name, &problem.id),
            names::encode(Kind::Name, &domain.name)
        );
        if alternatives.len() <= 1 {
            self.objects(&mut out);
        }
        out += ")\n  (:init";
        for fact in State::initial(self.world, self.role).iter() {
            let args = facts.args(fact).map(|symbol| names::encode(Kind::Object, self.world.symbol_name(symbol)));
            let atom: Vec<String> = std::iter::once(self.relation(facts.relation(fact))).chain(args).collect();
            let _ = write!(out, "\n    ({})", atom.join(" "));
        }
        if self.gates == PddlGates::AsFacts {
            let role = &domain.roles[self.role.index()];
            for &id in &role.capabilities {
                let _ = write!(out, "\n    ({})", names::encode(Kind::Capability, domain.capability_name(id)));
            }
            for &id in &role.knowledge {
                let _ = write!(out, "\n    ({})", names::encode(Kind::Knowledge, domain.knowledge_name(id)));
            }
        }
        let goal = match alternatives {
            [] => format!("({NEVER})"),
            [goal] => goal.clone(),
            _ => format!("({FINISHED})"),
        };
        let _ = write!(out, ")\n  (:goal (and (not ({BROKEN})) {goal})))\n");
        out
    }

    fn objects(&self, out: &mut String) {
        for (name, &ty) in &self.world.problem.objects {
            let _ = write!(out, "\n    {} - {}", names::encode(Kind::Object, name), self.ty(ty));
        }
    }

    /// The goals that can hold, each as literals one after the other.
    fn alternatives(&self, goal: &Goal) -> Vec<String> {
        let possible = goal.alternatives.iter().filter(|literals| {
            // A comparison was decided on loading.
            literals.iter().all(|literal| literal.fact != Err(literal.negated))
        });
        let literal = |literal: &crate::world::GoalLiteral| {
            let fact = literal.fact.ok()?;
            let facts = &self.world.facts;
            let args = facts.args(fact).map(|symbol| names::encode(Kind::Object, self.world.symbol_name(symbol)));
            let atom: Vec<String> = std::iter::once(self.relation(facts.relation(fact))).chain(args).collect();
            let atom = format!("({})", atom.join(" "));
            Some(if literal.negated { format!("(not {atom})") } else { atom })
        };
        possible.map(|literals| literals.iter().filter_map(literal).collect::<Vec<_>>().join(" ")).collect()
    }

    fn action(&self, id: ToolId, out: &mut String) {
        let domain = &self.world.domain;
        let tool = domain.tool(id);
        let _ = write!(out, "  (:action {}\n    :parameters (", names::encode(Kind::Tool, domain.tool_name(id)));
        let parameters: Vec<String> = variables(tool).map(|var| self.typed(tool, var)).collect();
        let _ = write!(out, "{})\n    :precondition (and", parameters.join(" "));
        if self.gates == PddlGates::AsFacts {
            if let Some(id) = tool.gates.capability {
                let _ = write!(out, " ({})", names::encode(Kind::Capability, domain.capability_name(id)));
            }
            if let Some(id) = tool.gates.knowledge {
                let _ = write!(out, " ({})", names::encode(Kind::Knowledge, domain.knowledge_name(id)));
            }
        }
        for consumed in &tool.consumes {
            let _ = write!(out, " {}", self.atom(tool, &consumed.pattern));
        }
        for literal in &tool.precondition {
            let _ = write!(out, " {}", self.literal(tool, literal));
        }
        let (never, breaking) = self.conflicts(tool);
        for condition in never {
            let _ = write!(out, "\n      {condition}");
        }
        *out += ")\n    :effect (and";
        for effect in breaking {
            let _ = write!(out, "\n      {effect}");
        }
        for effect in &tool.effects {
            for part in self.effect(tool, effect) {
                let _ = write!(out, "\n      {part}");
            }
        }
        for atom in &tool.produces {
            let _ = write!(out, "\n      {}", self.atom(tool, atom));
        }
        *out += "))\n";
    }

    /// An effect: each literal under the effect's condition; before a functional value, that it replaces
    /// every other. The deletes of an unconditional effect are unconditional.
    fn effect(&self, tool: &Tool, effect: &Effect) -> Vec<String> {
        let when: Vec<String> = effect.when.iter().map(|literal| self.literal(tool, literal)).collect();
        let under = |quantified: &[String], change: String| {
            let change = if when.is_empty() { change } else { format!("(when (and {}) {change})", when.join(" ")) };
            if quantified.is_empty() { change } else { format!("(forall ({}) {change})", quantified.join(" ")) }
        };
        let forall: Vec<String> = effect.forall.iter().map(|&var| self.typed(tool, var)).collect();
        let mut parts = Vec::new();
        for literal in &effect.then {
            let Some(atom) = literal.atom() else { continue };
            let relation = &self.world.domain.relations[atom.relation.index()];
            if let (false, true, Some((_, key))) = (literal.negated, relation.functional, atom.args.split_last()) {
                let value = relation.params.last().map_or_else(String::new, |param| self.ty(param.ty));
                let quantified: Vec<String> = forall.iter().cloned().chain([format!("?other - {value}")]).collect();
                let key: Vec<String> = key.iter().map(|&term| self.term(tool, term)).collect();
                let terms: Vec<String> =
                    std::iter::once(self.relation(atom.relation)).chain(key).chain(["?other".to_owned()]).collect();
                parts.push(under(&quantified, format!("(not ({}))", terms.join(" "))));
            }
            parts.push(under(&forall, self.literal(tool, literal)));
        }
        parts
    }

    /// Where two effects would give one functional key two values, a call is refused (design §3):
    /// preconditions against that where it is plain from the arguments, else effects that break the plan.
    /// As a precondition, "for no two objects" would make planners by others choke.
    fn conflicts(&self, tool: &Tool) -> (Vec<String>, Vec<String>) {
        let (mut never, mut breaking) = (Vec::new(), Vec::new());
        if !tool.may_conflict {
            return (never, breaking);
        }
        let functional = |atom: &&Atom| self.world.domain.relations[atom.relation.index()].functional;
        let added = |effect: &'_ Effect| {
            let positive = effect.then.iter().filter(|literal| !literal.negated).filter_map(Literal::atom);
            positive.filter(functional).cloned().collect::<Vec<Atom>>()
        };
        let adds: Vec<(&Effect, Atom)> =
            tool.effects.iter().flat_map(|effect| added(effect).into_iter().map(move |atom| (effect, atom))).collect();
        for (index, (effect, atom)) in adds.iter().enumerate() {
            for (other, other_atom) in adds[index..].iter().filter(|(_, other)| other.relation == atom.relation) {
                let (quantified, conflict) = self.conflict(tool, (effect, atom), (other, other_atom));
                let plain = [effect, other].iter().all(|effect| effect.forall.is_empty() && effect.when.is_empty());
                if plain && atom != other_atom {
                    never.push(format!("(not {conflict})"));
                } else if !plain {
                    let effect = format!("(when {conflict} ({BROKEN}))");
                    breaking.push(match quantified.is_empty() {
                        true => effect,
                        false => format!("(forall ({}) {effect})", quantified.join(" ")),
                    });
                }
            }
        }
        (never, breaking)
    }

    /// Variables, and when two effects give one key two values. Those of the second effect are renamed,
    /// so that it may be the first with other values.
    fn conflict(
        &self,
        tool: &Tool,
        (effect, atom): (&Effect, &Atom),
        (other, other_atom): (&Effect, &Atom),
    ) -> (Vec<String>, String) {
        const SECOND: &str = "_b";
        let mut quantified: Vec<String> = effect.forall.iter().map(|&var| self.typed(tool, var)).collect();
        quantified.extend(
            other
                .forall
                .iter()
                .map(|&var| format!("{}{SECOND} - {}", self.variable(tool, var), self.ty(tool.vars[var.index()].ty))),
        );
        let second = |term: Term| match term {
            Term::Var(var) if other.forall.contains(&var) => self.term(tool, term) + SECOND,
            term => self.term(tool, term),
        };
        let mut conditions: Vec<String> = effect.when.iter().map(|literal| self.literal(tool, literal)).collect();
        conditions.extend(other.when.iter().map(|literal| self.literal_with(literal, &second)));
        let pairs = atom.args.iter().zip(&other_atom.args);
        let mut same: Vec<String> = pairs.map(|(&a, &b)| format!("(= {} {})", self.term(tool, a), second(b))).collect();
        let value = same.pop().map_or_else(String::new, |value| format!("(not {value})"));
        conditions.extend(same);
        conditions.push(value);
        (quantified, format!("(and {})", conditions.join(" ")))
    }

    fn literal(&self, tool: &Tool, literal: &Literal) -> String {
        self.literal_with(literal, &|term| self.term(tool, term))
    }

    fn literal_with(&self, literal: &Literal, term: &dyn Fn(Term) -> String) -> String {
        let positive = match &literal.proposition {
            Proposition::Atom(atom) => {
                let terms = atom.args.iter().map(|&own| term(own));
                let terms: Vec<String> = std::iter::once(self.relation(atom.relation)).chain(terms).collect();
                format!("({})", terms.join(" "))
            }
            Proposition::Equal(a, b) => format!("(= {} {})", term(*a), term(*b)),
        };
        if literal.negated { format!("(not {positive})") } else { positive }
    }

    fn atom(&self, tool: &Tool, atom: &Atom) -> String {
        let terms = atom.args.iter().map(|&term| self.term(tool, term));
        let terms: Vec<String> = std::iter::once(self.relation(atom.relation)).chain(terms).collect();
        format!("({})", terms.join(" "))
    }

    fn term(&self, tool: &Tool, term: Term) -> String {
        match term {
            Term::Var(VarId(0)) => names::encode(Kind::Object, self.world.domain.role_name(self.role)),
            Term::Var(var) => self.variable(tool, var),
            Term::Symbol(symbol) => names::encode(Kind::Object, self.world.symbol_name(symbol)),
        }
    }

    fn typed(&self, tool: &Tool, var: VarId) -> String {
        format!("{} - {}", self.variable(tool, var), self.ty(tool.vars[var.index()].ty))
    }

    fn variable(&self, tool: &Tool, var: VarId) -> String {
        format!("?{}", names::encode(Kind::Variable, &tool.vars[var.index()].name))
    }

    fn relation(&self, relation: RelationId) -> String {
        let slot = self.world.domain.relations[relation.index()].kind == RelationKind::Slot;
        names::encode(if slot { Kind::Slot } else { Kind::Predicate }, self.world.relation_name(relation))
    }

    fn ty(&self, ty: TypeId) -> String {
        if ty == Types::OBJECT {
            return "object".to_owned();
        }
        let name = self.world.domain.types.name(ty);
        names::encode(Kind::Type, name)
    }
}

/// The variables that a call gives values: all but `?self` and those of `forall`.
pub(super) fn variables(tool: &Tool) -> impl Iterator<Item = VarId> + '_ {
    let forall = |var: &VarId| matches!(tool.vars[var.index()].origin, crate::world::VarOrigin::Forall(_));
    (1..tool.vars.len()).map(VarId::from).filter(move |var| !forall(var))
}
