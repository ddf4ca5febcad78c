//! Which results answer which calls: the ids of a log, and who waits under each.
//!
//! A log of a million calls has a million ids, so they are not copied: an id is known by where it
//! stands in the log's bytes.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};

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
    /// The number of the id that `value`, a part of `log`, is, and whether it is a new one.
    pub(super) fn number(&mut self, log: &[u8], value: Raw) -> (u32, bool) {
        let name = name(value);
        let hash = self.hash.hash_one(name.as_ref());
        let head = self.by_hash.get(&hash).copied().unwrap_or(NONE);
        let mut at = head;
        while let Some(id) = self.ids.get(at as usize) {
            if id.is(log, value, &name) {
                return (at, false);
            }
            at = id.next;
        }
        let start = value.get().as_ptr() as usize - log.as_ptr() as usize;
        let number = self.ids.len() as u32;
        self.ids.push(Id {
            start: start as u64,
            len: u32::try_from(value.get().len()).unwrap_or(u32::MAX),
            next: head,
            first: NONE,
            last: NONE,
            called: false,
            answered: false,
        });
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
        let Some(value) = id.value(log) else { return };
        let hash = self.hash.hash_one(name(value).as_ref());
        if id.next == NONE {
            self.by_hash.remove(&hash);
        } else {
            self.by_hash.insert(hash, id.next);
        }
    }
}

impl Id {
    /// Whether it is the id that `value` is, whose name is `name`.
    fn is(&self, log: &[u8], value: Raw, name: &[u8]) -> bool {
        self.bytes(log) == value.get().as_bytes() || self.value(log).is_some_and(|own| self::name(own).as_ref() == name)
    }

    fn bytes<'a>(&self, log: &'a [u8]) -> &'a [u8] {
        let start = self.start as usize;
        log.get(start..start + self.len as usize).unwrap_or_default()
    }

    fn value<'a>(&self, log: &'a [u8]) -> Option<Raw<'a>> {
        std::str::from_utf8(self.bytes(log)).ok().map(Raw::known)
    }
}

/// What makes an id the same: its text, however it is escaped; the raw text of what is no string.
fn name(value: Raw<'_>) -> Cow<'_, [u8]> {
    json::string_bytes(value).unwrap_or(Cow::Borrowed(value.get().as_bytes()))
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
