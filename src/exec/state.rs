//! The state of a world: the set of true facts and produced slot values.

use std::ops::Range;

use crate::world::{FactId, RoleId, World};

/// A set of [`FactId`]s as bits. Slot values are facts too, in ranges of their own.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    words: Box<[u64]>,
}

const BITS: u32 = u64::BITS;

impl State {
    /// The start: `init` and the problem's `given`, and what the role's perspective gives if it has one.
    pub fn initial(world: &World, role: RoleId) -> Self {
        let problem = &world.problem;
        let mut state = State { words: vec![0; world.facts.len().div_ceil(BITS as usize)].into() };
        let own = problem.perspectives.get(&role).map_or(&[][..], |p| &p.given);
        for &fact in problem.init.iter().chain(&problem.given).chain(own) {
            state.insert(fact);
        }
        state
    }

    /// Whether the fact is true.
    #[inline]
    pub fn contains(&self, fact: FactId) -> bool {
        self.words[(fact.0 / BITS) as usize] >> (fact.0 % BITS) & 1 == 1
    }

    /// Makes the fact true.
    #[inline]
    pub fn insert(&mut self, fact: FactId) {
        self.words[(fact.0 / BITS) as usize] |= 1 << (fact.0 % BITS);
    }

    /// Makes the fact false.
    #[inline]
    pub fn remove(&mut self, fact: FactId) {
        self.words[(fact.0 / BITS) as usize] &= !(1 << (fact.0 % BITS));
    }

    /// The lowest true fact of a range: the value of a functional key.
    #[inline]
    pub fn first_in(&self, range: Range<u32>) -> Option<FactId> {
        self.iter_in(range).next()
    }

    /// The true facts of a range, ascending.
    #[inline]
    pub fn iter_in(&self, range: Range<u32>) -> impl Iterator<Item = FactId> + '_ {
        let words = range.start / BITS..range.end.div_ceil(BITS);
        words.flat_map(move |index| {
            let mut word = self.words[index as usize];
            let from = index * BITS;
            if range.start > from {
                word &= u64::MAX << (range.start - from);
            }
            if range.end - from < BITS {
                word &= (1 << (range.end - from)) - 1;
            }
            Ones { word, base: from }
        })
    }

    /// All true facts, ascending.
    pub fn iter(&self) -> impl Iterator<Item = FactId> + '_ {
        self.words.iter().zip(0u32..).flat_map(|(&word, index)| Ones { word, base: index * BITS })
    }

    /// The facts of `self` that are not in `other`, ascending.
    pub fn minus<'a>(&'a self, other: &'a State) -> impl Iterator<Item = FactId> + 'a {
        self.words
            .iter()
            .zip(&other.words)
            .zip(0u32..)
            .flat_map(|((a, b), index)| Ones { word: a & !b, base: index * BITS })
    }
}

struct Ones {
    word: u64,
    base: u32,
}

impl Iterator for Ones {
    type Item = FactId;

    #[inline]
    fn next(&mut self) -> Option<FactId> {
        if self.word == 0 {
            return None;
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(FactId(self.base + bit))
    }
}

/// What a firing changed: set differences of the state (design §3).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    /// Facts that became true.
    pub added: Facts,
    /// Facts that became false.
    pub removed: Facts,
    /// Slot values that nobody had before.
    pub produced: Facts,
}

/// A few facts, ascending by id.
pub type Facts = smallvec::SmallVec<[FactId; 4]>;

impl Changes {
    /// The difference of two states of one world.
    pub fn between(world: &World, before: &State, after: &State) -> Self {
        let mut changes = Changes::default();
        changes.removed.extend(before.minus(after));
        for fact in after.minus(before) {
            if world.facts.is_slot_value(fact) { &mut changes.produced } else { &mut changes.added }.push(fact);
        }
        changes
    }

    /// Whether the state stayed as it was.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.produced.is_empty()
    }

    /// Makes the state before into the state after.
    pub fn apply(&self, state: &mut State) {
        for &fact in &self.removed {
            state.remove(fact);
        }
        for &fact in self.added.iter().chain(&self.produced) {
            state.insert(fact);
        }
    }

    /// Makes the state after into the state before.
    pub fn undo(&self, state: &mut State) {
        for &fact in self.added.iter().chain(&self.produced) {
            state.remove(fact);
        }
        for &fact in &self.removed {
            state.insert(fact);
        }
    }
}

/// Canonical prints, sorted as text: the order of every list of facts that is shown or written.
pub fn sorted_texts(world: &World, facts: impl IntoIterator<Item = FactId>) -> Vec<String> {
    let mut texts: Vec<String> = facts.into_iter().map(|fact| world.fact_text(fact)).collect();
    texts.sort_unstable();
    texts
}
