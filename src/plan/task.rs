//! The planning task: what grounding found, without what can never matter, as bit sets.

use rustc_hash::FxHashSet;

use super::ground::{Ground, GroundAction, GroundEffect, GroundLiteral, replaced};
use crate::{
    exec::{Call, State},
    world::{FactId, Goal, World},
};

/// A state of a task: one bit per fact that matters.
pub(super) type Bits = Box<[u64]>;

/// What is to be true and what is to be false.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Condition {
    pub(super) on: Bits,
    pub(super) off: Bits,
}

/// What changes where `when` holds.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) when: Condition,
    pub(super) add: Bits,
    pub(super) delete: Bits,
}

/// A call that can fire and matters.
#[derive(Debug)]
pub(super) struct Action {
    pub(super) call: Call,
    pub(super) precondition: Condition,
    /// Where one of these holds, the firing would give a functional key two values.
    pub(super) conflicts: Vec<Condition>,
    /// Changed whenever it fires.
    pub(super) add: Bits,
    pub(super) delete: Bits,
    pub(super) conditional: Vec<Change>,
}

/// A planning task of one goal.
#[derive(Debug)]
pub(super) struct Task {
    /// The fact of each bit, ascending.
    facts: Vec<FactId>,
    pub(super) words: usize,
    /// In order of tools, then of arguments.
    pub(super) actions: Vec<Action>,
    /// Any of these; none can hold where there is none.
    pub(super) goal: Vec<Condition>,
}

impl Task {
    /// The task of a goal, from `start` on.
    pub(super) fn new(world: &World, start: &State, ground: Ground, goal: &Goal) -> Task {
        let truths = Truths::of(world, start, &ground);
        let goal: Vec<Vec<GroundLiteral>> =
            goal.alternatives.iter().filter_map(|literals| truths.goal(literals)).collect();
        let mut actions: Vec<Draft> =
            ground.actions.into_iter().filter_map(|action| Draft::of(world, &truths, action)).collect();
        let relevant = Relevant::to(&goal, &actions);
        actions.retain_mut(|action| {
            action.effects.retain(|effect| relevant.touches(effect));
            relevant.serves(action)
        });
        let mut facts: Vec<FactId> = relevant.on.union(&relevant.off).copied().collect();
        facts.sort_unstable();
        let words = facts.len().div_ceil(64).max(1);
        let bits = BitsOf { facts: &facts, words };
        Task {
            actions: actions.into_iter().map(|action| bits.action(action)).collect(),
            goal: goal.iter().map(|literals| bits.condition(literals)).collect(),
            words,
            facts,
        }
    }

    /// How many facts matter.
    pub(super) fn facts(&self) -> usize {
        self.facts.len()
    }

    /// What matters of a state.
    pub(super) fn project(&self, state: &State) -> Bits {
        let mut bits = vec![0; self.words].into_boxed_slice();
        for (index, &fact) in self.facts.iter().enumerate() {
            if state.contains(fact) {
                set(&mut bits, index);
            }
        }
        bits
    }

    /// Whether a state is a goal.
    pub(super) fn is_goal(&self, state: &[u64]) -> bool {
        self.goal.iter().any(|condition| condition.holds(state))
    }
}

impl Condition {
    #[inline]
    pub(super) fn holds(&self, state: &[u64]) -> bool {
        state.iter().zip(&self.on).zip(&self.off).all(|((&word, &on), &off)| word & on == on && word & off == 0)
    }
}

impl Action {
    #[inline]
    pub(super) fn applies(&self, state: &[u64]) -> bool {
        self.precondition.holds(state) && !self.conflicts.iter().any(|conflict| conflict.holds(state))
    }

    /// Makes `after` the state after it; conditions read the state before, deletes come before adds.
    #[inline]
    pub(super) fn apply(&self, before: &[u64], after: &mut [u64]) {
        if self.conditional.is_empty() {
            for (index, word) in after.iter_mut().enumerate() {
                *word = before[index] & !self.delete[index] | self.add[index];
            }
            return;
        }
        let held: smallvec::SmallVec<[&Change; 8]> =
            self.conditional.iter().filter(|change| change.when.holds(before)).collect();
        for (index, word) in after.iter_mut().enumerate() {
            let delete = held.iter().fold(self.delete[index], |bits, change| bits | change.delete[index]);
            let add = held.iter().fold(self.add[index], |bits, change| bits | change.add[index]);
            *word = before[index] & !delete | add;
        }
    }
}

/// The indices of the bits that are set.
pub(super) fn ones(bits: &[u64]) -> impl Iterator<Item = usize> + '_ {
    bits.iter().enumerate().flat_map(|(index, &word)| {
        let mut word = word;
        std::iter::from_fn(move || {
            let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
            word &= word - 1;
            Some(index * 64 + bit)
        })
    })
}

fn set(bits: &mut [u64], index: usize) {
    bits[index / 64] |= 1 << (index % 64);
}

/// Which facts can change at all.
struct Truths<'a> {
    start: &'a State,
    reachable: FxHashSet<FactId>,
    /// Facts that some action makes false.
    deleted: FxHashSet<FactId>,
}

impl<'a> Truths<'a> {
    fn of(world: &World, start: &'a State, ground: &Ground) -> Self {
        let reachable: FxHashSet<FactId> = ground.reachable.iter().copied().collect();
        let mut deleted = FxHashSet::default();
        for effect in ground.actions.iter().flat_map(|action| &action.effects) {
            deleted.extend(effect.deletes.iter().copied());
            deleted.extend(effect.adds.iter().flat_map(|&add| rivals(world, add)));
        }
        deleted.retain(|fact| reachable.contains(fact));
        Truths { start, reachable, deleted }
    }

    /// The truth of a fact that never changes.
    fn fixed(&self, fact: FactId) -> Option<bool> {
        match (self.reachable.contains(&fact), self.start.contains(fact) && !self.deleted.contains(&fact)) {
            (false, _) => Some(false),
            (true, true) => Some(true),
            (true, false) => None,
        }
    }

    /// The literals that can change; `None` where one of the others never holds.
    fn open(&self, literals: impl IntoIterator<Item = GroundLiteral>) -> Option<Vec<GroundLiteral>> {
        let mut open = Vec::new();
        for literal in literals {
            match self.fixed(literal.fact) {
                None => open.push(literal),
                Some(truth) if truth == literal.holds => {}
                Some(_) => return None,
            }
        }
        Some(open)
    }

    fn goal(&self, literals: &[crate::world::GoalLiteral]) -> Option<Vec<GroundLiteral>> {
        if literals.iter().any(|literal| literal.fact == Err(literal.negated)) {
            return None;
        }
        let facts = literals.iter().filter_map(|literal| Some((literal.fact.ok()?, literal.negated)));
        self.open(facts.map(|(fact, negated)| GroundLiteral { fact, holds: !negated }))
    }
}

/// The other values of the key of a functional fact.
fn rivals(world: &World, fact: FactId) -> impl Iterator<Item = FactId> {
    let relation = world.facts.relation(fact);
    let functional = world.domain.relations[relation.index()].functional;
    functional.then(|| replaced(world, relation, fact)).into_iter().flatten()
}

/// An action on its way to bits.
struct Draft {
    call: Call,
    precondition: Vec<GroundLiteral>,
    conflicts: Vec<Vec<GroundLiteral>>,
    effects: Vec<GroundEffect>,
}

impl Draft {
    /// `None` if it never fires.
    fn of(world: &World, truths: &Truths, action: GroundAction) -> Option<Draft> {
        let precondition = truths.open(action.precondition)?;
        let possible = |effect: GroundEffect| Some(GroundEffect { when: truths.open(effect.when)?, ..effect });
        let mut effects: Vec<GroundEffect> = action.effects.into_iter().filter_map(possible).collect();
        let conflicts = conflicts(world, &effects)?;
        for effect in &mut effects {
            let replaced: Vec<FactId> = effect.adds.iter().flat_map(|&add| rivals(world, add)).collect();
            effect.deletes.extend(replaced);
            effect.deletes.retain(|&fact| truths.fixed(fact).is_none());
            effect.adds.retain(|&fact| truths.fixed(fact).is_none());
        }
        Some(Draft { call: action.call, precondition, conflicts, effects })
    }
}

/// Under which conditions two effects give one functional key two values; `None` if they always do.
fn conflicts(world: &World, effects: &[GroundEffect]) -> Option<Vec<Vec<GroundLiteral>>> {
    let mut keyed: Vec<(u32, FactId, usize)> = Vec::new();
    for (index, effect) in effects.iter().enumerate() {
        keyed.extend(
            effect
                .adds
                .iter()
                .filter(|&&add| world.is_functional(add))
                .map(|&add| (world.facts.key_range_of(add).start, add, index)),
        );
    }
    keyed.sort_unstable();
    let mut conflicts = Vec::new();
    for (at, &(key, fact, effect)) in keyed.iter().enumerate() {
        for &(_, _, other) in keyed[at + 1..].iter().take_while(|next| next.0 == key).filter(|next| next.1 != fact) {
            let mut both = [&effects[effect].when[..], &effects[other].when].concat();
            both.sort_unstable();
            both.dedup();
            if both.is_empty() {
                return None;
            }
            if !both.windows(2).any(|pair| pair[0].fact == pair[1].fact) {
                conflicts.push(both);
            }
        }
    }
    conflicts.sort_unstable();
    conflicts.dedup();
    Some(conflicts)
}

/// The facts that a plan may need to be true, or to be false. What changes no such fact as needed
/// stands in no shortest plan: without it the plan is shorter.
#[derive(Default)]
struct Relevant {
    on: FxHashSet<FactId>,
    off: FxHashSet<FactId>,
}

impl Relevant {
    fn to(goal: &[Vec<GroundLiteral>], actions: &[Draft]) -> Self {
        let mut relevant = Relevant::default();
        goal.iter().flatten().for_each(|literal| relevant.need(literal));
        loop {
            let known = relevant.on.len() + relevant.off.len();
            for action in actions.iter().filter(|action| relevant.serves(action)).collect::<Vec<_>>() {
                action.precondition.iter().for_each(|literal| relevant.need(literal));
                // Whether an effect or a conflict comes about can matter either way.
                let touching: Vec<&GroundEffect> =
                    action.effects.iter().filter(|effect| relevant.touches(effect)).collect();
                let either = touching.iter().flat_map(|effect| &effect.when).chain(action.conflicts.iter().flatten());
                for literal in either {
                    relevant.on.insert(literal.fact);
                    relevant.off.insert(literal.fact);
                }
            }
            if relevant.on.len() + relevant.off.len() == known {
                return relevant;
            }
        }
    }

    fn need(&mut self, literal: &GroundLiteral) {
        if literal.holds { &mut self.on } else { &mut self.off }.insert(literal.fact);
    }

    /// Whether it changes a fact that matters, for good or ill.
    fn touches(&self, effect: &GroundEffect) -> bool {
        let matters = |fact: &FactId| self.on.contains(fact) || self.off.contains(fact);
        effect.adds.iter().any(matters) || effect.deletes.iter().any(matters)
    }

    /// Whether it can make a fact as it is needed.
    fn serves(&self, action: &Draft) -> bool {
        action.effects.iter().any(|effect| {
            effect.adds.iter().any(|fact| self.on.contains(fact))
                || effect.deletes.iter().any(|fact| self.off.contains(fact))
        })
    }
}

struct BitsOf<'a> {
    facts: &'a [FactId],
    words: usize,
}

impl BitsOf<'_> {
    fn set(&self, facts: impl IntoIterator<Item = FactId>) -> Bits {
        let mut bits = vec![0; self.words].into_boxed_slice();
        // Facts that do not matter have no bit.
        facts
            .into_iter()
            .filter_map(|fact| self.facts.binary_search(&fact).ok())
            .for_each(|index| set(&mut bits, index));
        bits
    }

    fn condition(&self, literals: &[GroundLiteral]) -> Condition {
        let facts = |holds| literals.iter().filter(move |literal| literal.holds == holds).map(|literal| literal.fact);
        Condition { on: self.set(facts(true)), off: self.set(facts(false)) }
    }

    fn action(&self, draft: Draft) -> Action {
        let (always, conditional): (Vec<_>, Vec<_>) =
            draft.effects.into_iter().partition(|effect| effect.when.is_empty());
        let always = |facts: fn(&GroundEffect) -> &Vec<FactId>| self.set(always.iter().flat_map(facts).copied());
        Action {
            precondition: self.condition(&draft.precondition),
            conflicts: draft.conflicts.iter().map(|conflict| self.condition(conflict)).collect(),
            add: always(|effect| &effect.adds),
            delete: always(|effect| &effect.deletes),
            conditional: conditional
                .into_iter()
                .map(|effect| Change {
                    when: self.condition(&effect.when),
                    add: self.set(effect.adds),
                    delete: self.set(effect.deletes),
                })
                .collect(),
            call: draft.call,
        }
    }
}
