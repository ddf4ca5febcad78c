//! A run log as it is read: the bytes once, a small index, texts on demand.
//!
//! Reading never fails. What cannot be understood is a row with a [`Damage`]; nothing beside it is
//! lost. Indexing is done in portions, so that a screen shows the first rows of a large log at
//! once, and a log that grows is followed by appending to it.

use std::borrow::Cow;
use std::ops::Range;

use rayon::prelude::*;

use super::damage::{Damage, Fault};
use super::index::{Index, Row, RowId};
use super::json::Raw;
use super::line::Line;
use super::shape::{Members, RowKind};

/// Lines that are read at a time, and the least of them that is worth another thread.
const PORTION: usize = 4096;
const SHARE: usize = 128;

/// A run log, read or being read.
#[derive(Debug, Default)]
pub struct Log {
    bytes: Vec<u8>,
    index: Index,
    /// Where the first line begins that is not in the index for good.
    next: usize,
    /// Up to where no line feed was found behind `next`.
    searched: usize,
    finished: bool,
}

/// How far indexing has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes in the index.
    pub indexed: usize,
    /// Bytes of the log.
    pub total: usize,
    /// Whether every whole line is in the index.
    pub done: bool,
}

impl Log {
    /// An empty log, to be appended to.
    pub fn new() -> Log {
        Log::default()
    }

    /// A log with these bytes, nothing of it indexed yet.
    pub fn from_bytes(bytes: Vec<u8>) -> Log {
        Log { bytes, ..Log::default() }
    }

    /// A log with these bytes, indexed to its end.
    pub fn read(bytes: Vec<u8>) -> Log {
        let mut log = Log::from_bytes(bytes);
        log.finish();
        log
    }

    /// Adds what the file has grown by. A last line without line feed that [`finish`](Self::finish)
    /// had taken as it was goes on.
    pub fn append(&mut self, more: &[u8]) {
        if more.is_empty() {
            return;
        }
        self.index.take_back(&self.bytes);
        self.finished = false;
        // A log of hundreds of megabytes must not double for a few lines.
        if self.bytes.capacity() - self.bytes.len() < more.len() {
            self.bytes.reserve_exact(more.len().max(self.bytes.len() / 8));
        }
        self.bytes.extend_from_slice(more);
    }

    /// Puts the whole log in place of its beginning, without a copy. Where it does not begin with what
    /// is here, nothing is done and the answer is `false`.
    pub fn complete(&mut self, whole: Vec<u8>) -> bool {
        let begins = whole.starts_with(&self.bytes);
        if begins {
            self.index.take_back(&self.bytes);
            self.finished = false;
            self.bytes = whole;
        }
        begins
    }

    /// Indexes up to `lines` whole lines more.
    pub fn index_some(&mut self, lines: usize) -> Progress {
        let ids = self.index.id_hash();
        let mut left = if self.finished { 0 } else { lines };
        let mut read: Vec<Option<Line>> = Vec::new();
        loop {
            let found = self.find_lines(left.min(PORTION));
            left -= found.len();
            let Log { bytes, index, .. } = self;
            // Lines are read one by one while those before them are put together.
            let line = |at: &Range<usize>| Line::read(bytes, at.clone(), true, &ids);
            let next = || found.par_iter().with_min_len(SHARE).map(line).collect();
            let add = |line| index.add(bytes, line);
            (read, _) = rayon::join(next, || read.into_iter().for_each(add));
            if found.is_empty() {
                break;
            }
        }
        let all = self.searched == self.bytes.len();
        let indexed = if self.finished { self.bytes.len() } else { self.next };
        Progress { indexed, total: self.bytes.len(), done: self.finished || all }
    }

    /// Up to so many whole lines from `next` on, without their line feeds.
    fn find_lines(&mut self, most: usize) -> Vec<Range<usize>> {
        let mut lines = Vec::new();
        while lines.len() < most {
            let unseen = self.bytes.get(self.searched..).unwrap_or_default();
            let Some(at) = memchr::memchr(b'\n', unseen) else {
                self.searched = self.bytes.len();
                break;
            };
            let end = self.searched + at;
            lines.push(self.next..end);
            self.next = end + 1;
            self.searched = self.next;
        }
        lines
    }

    /// Indexes all that is left and takes a last line without line feed as it is. From here on
    /// calls without a result are damage; more bytes may still be appended.
    pub fn finish(&mut self) {
        if self.finished {
            return;
        }
        self.index_some(usize::MAX);
        self.finished = true;
        if self.next < self.bytes.len() {
            let line = Line::read(&self.bytes, self.next..self.bytes.len(), false, &self.index.id_hash());
            self.index.add_provisional(&self.bytes, line);
        }
    }

    /// Whether all of it is in the index.
    pub fn finished(&self) -> bool {
        self.finished
    }

    /// Bytes of the log.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes themselves.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether the log has no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The rows so far, in order of their lines.
    pub fn rows(&self) -> &[Row] {
        &self.index.rows
    }

    /// The ids of the rows so far.
    pub fn row_ids(&self) -> impl DoubleEndedIterator<Item = RowId> + ExactSizeIterator + use<> {
        (0..self.index.rows.len() as u32).map(RowId)
    }

    /// A row; `None` if there is no such row (any more: a provisional last line may go).
    pub fn row(&self, row: RowId) -> Option<&Row> {
        self.index.rows.get(row.index())
    }

    /// The bytes of a row's line, without white space around it.
    pub fn raw(&self, row: RowId) -> &[u8] {
        self.row(row).map_or(&[], |row| row.bytes(&self.bytes))
    }

    /// The text of a row's line; what is not UTF-8 is replaced.
    pub fn raw_text(&self, row: RowId) -> Cow<'_, str> {
        String::from_utf8_lossy(self.raw(row))
    }

    /// The number of steps: every call is one.
    pub fn steps(&self) -> usize {
        self.index.calls.len()
    }

    /// The row of the call of a step, from 1.
    pub fn call_of(&self, step: usize) -> Option<RowId> {
        self.index.calls.get(step.checked_sub(1)?).copied()
    }

    /// The row of the result of a step, from 1.
    pub fn result_of(&self, step: usize) -> Option<RowId> {
        self.row(self.call_of(step)?)?.partner()
    }

    /// The steps that were sent together with this one, before any of their results came.
    pub fn group(&self, step: usize) -> Range<usize> {
        let joins = |step| self.call_of(step).and_then(|row| self.row(row)).is_some_and(Row::joins);
        let (mut first, mut next) = (step, step + 1);
        while joins(first) {
            first -= 1;
        }
        while joins(next) {
            next += 1;
        }
        first..next
    }

    /// The row of the header that counts.
    pub fn header_row(&self) -> Option<RowId> {
        self.index.so_far.header
    }

    /// The row of the end that counts.
    pub fn end_row(&self) -> Option<RowId> {
        self.index.so_far.end
    }

    /// Everything that is wrong with the log, by line.
    pub fn damage(&self) -> impl Iterator<Item = Damage> {
        let no_header = self.lacks_header().then(|| Damage { line: 1, message: Fault::NoHeader.message(&[]) });
        let damaged = self.row_ids().filter(|row| self.damaged(*row));
        no_header.into_iter().chain(damaged.flat_map(|row| self.damage_of(row)))
    }

    /// How many [`damage`](Self::damage) there are, at no cost.
    pub fn damage_count(&self) -> usize {
        let waiting = if self.finished { self.index.so_far.waiting } else { 0 };
        usize::from(self.lacks_header()) + self.index.faults.len() + waiting
    }

    /// Whether something is wrong with a row, at no cost.
    pub fn damaged(&self, row: RowId) -> bool {
        self.row(row).is_some_and(|row| row.faulty() || self.finished && row.waits())
    }

    /// What is wrong with a row.
    pub fn damage_of(&self, row: RowId) -> Vec<Damage> {
        let Some(found) = self.row(row) else { return Vec::new() };
        let faults = &self.index.faults;
        let first = faults.partition_point(|(at, _)| *at < row);
        let kept = faults.iter().skip(first).take_while(|(at, _)| *at == row).map(|(_, fault)| *fault);
        let waits = (self.finished && found.waits()).then_some(if found.kind == RowKind::Call {
            Fault::NoResult
        } else {
            Fault::NoCall
        });
        let line = found.line();
        kept.chain(waits).map(|fault| Damage { line, message: fault.message(self.raw(row)) }).collect()
    }

    fn lacks_header(&self) -> bool {
        self.finished && self.index.so_far.header.is_none()
    }

    /// The members of a row that is an event of this kind.
    pub(super) fn members(&self, row: RowId, kind: RowKind) -> Option<Members<'_>> {
        self.row(row).filter(|found| found.kind == kind && kind != RowKind::Broken)?;
        Members::of(Raw::known(self.line(row)))
    }

    /// The values of a row of this kind that a replay reads, in order of [`part_keys`](super::line::part_keys).
    pub(super) fn parts(&self, row: RowId, kind: RowKind) -> Option<[Option<Raw<'_>>; 4]> {
        let row = self.row(row).filter(|found| found.kind == kind)?;
        Some(std::array::from_fn(|part| {
            let text = std::str::from_utf8(row.part(&self.bytes, part)).unwrap_or_default();
            (!text.is_empty()).then(|| Raw::known(text))
        }))
    }

    /// The line of a row, empty if it is not UTF-8.
    pub(super) fn line(&self, row: RowId) -> &str {
        std::str::from_utf8(self.raw(row)).unwrap_or_default()
    }
}
