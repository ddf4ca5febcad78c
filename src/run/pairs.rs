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
    hash: IdHash,
}

/// Hashes ids; seeded, so that no log can be made that is slow to read.
#[derive(Debug, Clone, Default)]
pub(super) struct IdHash(RandomState);

/// Where an id stands in a log, and its hash.
#[derive(Debug, Clone)]
pub(super) struct IdAt {
    at: Range<usize>,
    hash: u64,
}

impl IdHash {
    /// The id that stands at `at`.
    pub(super) fn id(&self, log: &[u8], at: Range<usize>) -> IdAt {
        let hash = self.0.hash_one(name(log.get(at.clone()).unwrap_or_default()).as_ref());
        IdAt { at, hash }
    }
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
    /// How ids are hashed for [`Ids::number`].
    pub(super) fn hash(&self) -> &IdHash {
        &self.hash
    }

    /// The number of an id, and whether it is a new one.
    pub(super) fn number(&mut self, log: &[u8], IdAt { at, hash }: IdAt) -> (u32, bool) {
        let len = u32::try_from(at.len()).unwrap_or(u32::MAX);
        let new =
            Id { start: at.start as u64, len, next: NONE, first: NONE, last: NONE, called: false, answered: false };
        let head = self.by_hash.get(&hash).copied().unwrap_or(NONE);
        let mut at = head;
        while let Some(id) = self.ids.get(at as usize) {
            if id.bytes(log) == new.bytes(log) || name(id.bytes(log)) == name(new.bytes(log)) {
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
        let IdAt { hash, .. } = self.hash.id(log, id.at());
        if id.next == NONE {
            self.by_hash.remove(&hash);
        } else {
            self.by_hash.insert(hash, id.next);
        }
    }
}

impl Id {
    fn bytes<'a>(&self, log: &'a [u8]) -> &'a [u8] {
        log.get(self.at()).unwrap_or_default()
    }

    fn at(&self) -> Range<usize> {
        let start = self.start as usize;
        start..start + self.len as usize
    }
}

/// What makes it the same id: its text, however it is escaped; the raw text of what is no string.
fn name(id: &[u8]) -> Cow<'_, [u8]> {
    if let [b'"', inner @ .., b'"'] = id
        && !inner.contains(&b'\\')
    {
        return Cow::Borrowed(inner);
    }
    let string = std::str::from_utf8(id).ok().and_then(|text| json::string_bytes(Raw::known(text)));
    string.unwrap_or(Cow::Borrowed(id))
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
