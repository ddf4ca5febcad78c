//! Which results answer which calls: the ids of a log, and who waits under each.
//!
//! A log of a million calls has a million ids, so they are not copied: an id is known by where it
//! stands in the log's bytes.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};
use std::ops::Range;

use super::json::{self, Raw};

/// No row, no id.
pub(super) const NONE: u32 = u32::MAX;

/// All ids of a log.
#[derive(Debug, Default)]
pub(super) struct Ids {
    ids: Vec<Id>,
    /// The last id of each hash; the others of that hash are chained behind it.
    by_hash: HashMap<u64, u32, BuildHasherDefault<Hashed>>,
    /// Seeded, so that no log can be made that is slow to read.
    hash: RandomState,
}

/// One id.
#[derive(Debug, Clone, Copy)]
pub(super) struct Id {
    start: u64,
    len: u32,
    /// Another id of the same hash.
    next: u32,
    /// The first and the last row that wait under it: calls or results, never both.
    pub(super) first: u32,
    pub(super) last: u32,
    /// Whether there was a call with it.
    pub(super) called: bool,
    /// Whether there was a result with it.
    pub(super) answered: bool,
}

impl Ids {
    /// The number of the id that stands at `at`, and whether it is a new one.
    pub(super) fn number(&mut self, log: &[u8], at: Range<usize>) -> (u32, bool) {
        let len = u32::try_from(at.len()).unwrap_or(u32::MAX);
        let new =
            Id { start: at.start as u64, len, next: NONE, first: NONE, last: NONE, called: false, answered: false };
        let name = new.name(log);
        let hash = self.hash.hash_one(name.as_ref());
        let head = self.by_hash.get(&hash).copied().unwrap_or(NONE);
        let mut at = head;
        while let Some(id) = self.ids.get(at as usize) {
            if id.bytes(log) == new.bytes(log) || id.name(log) == name {
                return (at, false);
            }
            at = id.next;
        }
        let number = self.ids.len() as u32;
        self.ids.push(Id { next: head, ..new });
        self.by_hash.insert(hash, number);
        (number, true)
    }

    /// An id by its number.
    pub(super) fn get_mut(&mut self, number: u32) -> &mut Id {
        &mut self.ids[number as usize]
    }

    /// Takes back the id that was added last.
    pub(super) fn forget_last(&mut self, log: &[u8]) {
        let Some(id) = self.ids.pop() else { return };
        let hash = self.hash.hash_one(id.name(log).as_ref());
        if id.next == NONE {
            self.by_hash.remove(&hash);
        } else {
            self.by_hash.insert(hash, id.next);
        }
    }
}

impl Id {
    /// What makes it the same id: its text, however it is escaped; the raw text of what is no string.
    fn name<'a>(&self, log: &'a [u8]) -> Cow<'a, [u8]> {
        let bytes = self.bytes(log);
        let string = std::str::from_utf8(bytes).ok().and_then(|text| json::string_bytes(Raw::known(text)));
        string.unwrap_or(Cow::Borrowed(bytes))
    }

    fn bytes<'a>(&self, log: &'a [u8]) -> &'a [u8] {
        let start = self.start as usize;
        log.get(start..start + self.len as usize).unwrap_or_default()
    }
}

/// Takes a number that is a hash already.
#[derive(Debug, Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
