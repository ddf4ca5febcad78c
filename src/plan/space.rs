//! The states that searches have met, each kept once, and what is known of each.

use std::hash::{BuildHasher, BuildHasherDefault};

use hashbrown::{HashTable, hash_table::Entry};
use rustc_hash::FxHasher;

/// A state that was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StateId(pub(super) u32);

impl StateId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known of a state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    /// The goal is at least so far, and at most [`u32::MAX`]: then it cannot be reached.
    pub(super) least: u32,
    /// `least` is the distance.
    pub(super) exact: bool,
    /// The estimate has been made.
    pub(super) estimated: bool,
    /// For an exact distance above 0: an action that shortens it.
    pub(super) action: u32,
    /// The search that met it last, and what follows is of that search.
    pub(super) search: u32,
    /// Calls from the start.
    pub(super) cost: u32,
    /// The state before, and the action from there.
    pub(super) before: StateId,
    pub(super) by: u32,
}

/// The states.
#[derive(Debug)]
pub(super) struct Space {
    words: usize,
    bits: Vec<u64>,
    table: HashTable<u32>,
    pub(super) known: Vec<Known>,
}

impl Space {
    pub(super) fn new(words: usize) -> Space {
        Space { words, bits: Vec::new(), table: HashTable::new(), known: Vec::new() }
    }

    /// The state's number, new or old.
    pub(super) fn intern(&mut self, state: &[u64]) -> StateId {
        let (bits, words) = (&self.bits, self.words);
        let of = |&index: &u32| &bits[index as usize * words..][..words];
        let id = StateId(self.known.len() as u32);
        match self.table.entry(hash(state), |index| of(index) == state, |index| hash(of(index))) {
            Entry::Occupied(entry) => return StateId(*entry.get()),
            Entry::Vacant(entry) => entry.insert(id.0),
        };
        self.bits.extend_from_slice(state);
        self.known.push(Known {
            least: 0,
            exact: false,
            estimated: false,
            action: 0,
            search: 0,
            cost: 0,
            before: id,
            by: 0,
        });
        id
    }

    pub(super) fn bits(&self, id: StateId) -> &[u64] {
        &self.bits[id.index() * self.words..][..self.words]
    }

    pub(super) fn get(&self, id: StateId) -> &Known {
        &self.known[id.index()]
    }

    pub(super) fn get_mut(&mut self, id: StateId) -> &mut Known {
        &mut self.known[id.index()]
    }

    /// About how many bytes the states take.
    pub(super) fn bytes(&self) -> usize {
        self.bits.capacity() * 8 + self.known.capacity() * size_of::<Known>() + self.table.capacity() * 5
    }
}

fn hash(state: &[u64]) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(state)
}
