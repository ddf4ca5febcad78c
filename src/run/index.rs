//! The index of a log: one small row per line, and which result answers which call.

use super::damage::Fault;
use super::line::{Line, Parts};
use super::pairs::{Id, IdAt, IdHash, Ids, NONE};
use super::shape::RowKind;

/// A row of a log: one line that is not blank, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowId(pub u32);

impl RowId {
    /// The index into [`Log::rows`](super::Log::rows).
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is kept of a line: 64 bytes. Its texts are read from the log's bytes when they are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    start: u64,
    end: u64,
    /// The partner if [`PAIRED`]; else the next row that waits under the same id, or [`NONE`].
    link: u32,
    step: u32,
    line: u32,
    parts: Parts,
    /// What the line is.
    pub kind: RowKind,
    flags: u8,
}

const PAIRED: u8 = 1;
const JOINS: u8 = 2;
const LATE: u8 = 4;
const FAULTY: u8 = 8;
const WAITS: u8 = 16;
const FIRED: u8 = 32;
const REFUSED: u8 = 64;
const REASONING: u8 = 128;

impl Row {
    /// Its line in the log, from 1.
    pub fn line(&self) -> usize {
        self.line as usize
    }

    /// The calls up to and with this row: the number of the step for a call, else of the step before.
    pub fn step(&self) -> usize {
        self.step as usize
    }

    /// A call's result, a result's call.
    pub fn partner(&self) -> Option<RowId> {
        self.has(PAIRED).then_some(RowId(self.link))
    }

    /// Whether a result came after a call that was sent with its group's results at hand.
    pub fn late(&self) -> bool {
        self.has(LATE)
    }

    /// Whether a call was sent before any result of the calls just before it had come.
    pub fn joins(&self) -> bool {
        self.has(JOINS)
    }

    /// What a result says of its call; `None` when it does not say, and for other rows.
    pub fn fired(&self) -> Option<bool> {
        match (self.has(FIRED), self.has(REFUSED)) {
            (false, false) => None,
            (fired, _) => Some(fired),
        }
    }

    /// Whether a message is reasoning.
    pub fn reasoning(&self) -> bool {
        self.has(REASONING)
    }

    pub(super) fn bytes<'a>(&self, log: &'a [u8]) -> &'a [u8] {
        // A row is made from these bytes, which only grow.
        log.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    /// The bytes of a part of its line; none if that is absent.
    pub(super) fn part<'a>(&self, log: &'a [u8], part: usize) -> &'a [u8] {
        let (start, end) = self.parts.get(part).copied().unwrap_or_default();
        self.bytes(log).get(start as usize..end as usize).unwrap_or_default()
    }

    /// A call without result or a result without call, as far as the log goes.
    pub(super) fn waits(&self) -> bool {
        self.has(WAITS)
    }

    pub(super) fn faulty(&self) -> bool {
        self.has(FAULTY)
    }

    fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// All rows of a log so far.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) rows: Vec<Row>,
    /// The row of each step.
    pub(super) calls: Vec<RowId>,
    /// In order of their rows.
    pub(super) faults: Vec<(RowId, Fault)>,
    ids: Ids,
    pub(super) so_far: SoFar,
    undo: Option<Undo>,
}

/// The part of the index that is small enough to copy.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SoFar {
    /// Lines read, blank ones too.
    pub(super) lines: u32,
    pub(super) header: Option<RowId>,
    pub(super) end: Option<RowId>,
    /// Calls without result and results without call.
    pub(super) waiting: usize,
    /// The first step of the last group of calls.
    group: u32,
    /// Whether no result of that group has come yet.
    group_open: bool,
}

/// What the last, provisional line changed beyond adding to the ends of lists.
#[derive(Debug)]
struct Undo {
    rows: usize,
    calls: usize,
    faults: usize,
    so_far: SoFar,
    /// The id, and what it was unless it was new.
    id: Option<(u32, Option<Id>)>,
    touched: Option<(RowId, Row)>,
}

impl Index {
    /// How the ids of its lines are hashed.
    pub(super) fn id_hash(&self) -> IdHash {
        self.ids.hash().clone()
    }

    /// Adds the next line; `None` is a blank one.
    pub(super) fn add(&mut self, log: &[u8], line: Option<Line>) {
        self.so_far.lines = self.so_far.lines.saturating_add(1);
        let Some(line) = line else { return };
        let mut flags = if line.reasoning { REASONING } else { 0 };
        flags |= match line.fired {
            Some(true) => FIRED,
            Some(false) => REFUSED,
            None => 0,
        };
        self.rows.push(Row {
            start: line.at.start as u64,
            end: line.at.end as u64,
            link: NONE,
            step: self.calls.len() as u32,
            line: self.so_far.lines,
            parts: line.parts,
            kind: line.kind,
            flags,
        });
        let row = RowId(self.rows.len() as u32 - 1);
        match line.kind {
            RowKind::Header if self.so_far.header.is_some() => self.fault(row, Fault::SecondHeader),
            RowKind::Header => self.so_far.header = Some(row),
            RowKind::End if self.so_far.end.is_some() => self.fault(row, Fault::SecondEnd),
            RowKind::End => self.so_far.end = Some(row),
            RowKind::Call => self.call(log, row, line.id),
            RowKind::Result => self.result(log, row, line.id),
            RowKind::Message | RowKind::Note | RowKind::Unknown | RowKind::Broken => {}
        }
        for fault in line.faults {
            self.fault(row, fault);
        }
    }

    /// Like [`add`](Self::add), for a last line that may still grow: [`take_back`](Self::take_back) undoes it.
    pub(super) fn add_provisional(&mut self, log: &[u8], line: Option<Line>) {
        self.undo = Some(Undo {
            rows: self.rows.len(),
            calls: self.calls.len(),
            faults: self.faults.len(),
            so_far: self.so_far,
            id: None,
            touched: None,
        });
        self.add(log, line);
    }

    /// Undoes a provisional line, if there is one.
    pub(super) fn take_back(&mut self, log: &[u8]) {
        let Some(undo) = self.undo.take() else { return };
        if let Some((row, old)) = undo.touched {
            self.rows[row.index()] = old;
        }
        match undo.id {
            Some((number, Some(old))) => *self.ids.get_mut(number) = old,
            Some((_, None)) => self.ids.forget_last(log),
            None => {}
        }
        self.rows.truncate(undo.rows);
        self.calls.truncate(undo.calls);
        self.faults.truncate(undo.faults);
        self.so_far = undo.so_far;
    }

    fn call(&mut self, log: &[u8], row: RowId, id: Option<IdAt>) {
        if self.so_far.end.is_some() {
            self.fault(row, Fault::CallAfterEnd);
        }
        self.calls.push(row);
        let step = self.calls.len() as u32;
        self.rows[row.index()].step = step;
        let result = id.and_then(|id| self.pair(log, row, id));
        let joins = self.so_far.group_open && result.is_none();
        if joins {
            self.flag(row, JOINS);
        } else {
            self.so_far.group = step;
            self.so_far.group_open = result.is_none();
        }
    }

    fn result(&mut self, log: &[u8], row: RowId, id: Option<IdAt>) {
        let Some(call) = id.and_then(|id| self.pair(log, row, id)) else { return };
        if self.rows[call.index()].step >= self.so_far.group {
            self.so_far.group_open = false;
        } else {
            self.flag(row, LATE);
        }
    }

    /// Pairs a call or result with the first of the other kind that waits under its id, or lets it wait.
    fn pair(&mut self, log: &[u8], row: RowId, id: IdAt) -> Option<RowId> {
        let (number, new) = self.ids.number(log, id);
        let id = self.ids.get_mut(number);
        if let Some(undo) = &mut self.undo {
            undo.id = Some((number, (!new).then_some(*id)));
        }
        let kind = self.rows[row.index()].kind;
        let (seen, fault) = if kind == RowKind::Call {
            (&mut id.called, Fault::RepeatedCall)
        } else {
            (&mut id.answered, Fault::RepeatedResult)
        };
        let repeated = std::mem::replace(seen, true);
        let partner = self.rows.get(id.first as usize).filter(|first| first.kind != kind).map(|_| RowId(id.first));
        // The row whose link changes: the partner, or who waits before this one.
        let other = partner.map_or(id.last, |partner| partner.0);
        if let (Some(undo), Some(old)) = (&mut self.undo, self.rows.get(other as usize)) {
            undo.touched = Some((RowId(other), *old));
        }
        match partner {
            Some(partner) => {
                let first = &mut self.rows[partner.index()];
                id.first = std::mem::replace(&mut first.link, row.0);
                if id.first == NONE {
                    id.last = NONE;
                }
                first.flags = first.flags & !WAITS | PAIRED;
                self.rows[row.index()].link = partner.0;
                self.flag(row, PAIRED);
                self.so_far.waiting -= 1;
            }
            None => {
                if let Some(last) = self.rows.get_mut(id.last as usize) {
                    last.link = row.0;
                } else {
                    id.first = row.0;
                }
                id.last = row.0;
                self.flag(row, WAITS);
                self.so_far.waiting += 1;
            }
        }
        if repeated {
            self.fault(row, fault);
        }
        partner
    }

    fn flag(&mut self, row: RowId, flag: u8) {
        self.rows[row.index()].flags |= flag;
    }

    fn fault(&mut self, row: RowId, fault: Fault) {
        self.flag(row, FAULTY);
        self.faults.push((row, fault));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_row_is_small() {
        assert!(size_of::<super::Row>() <= 64);
        assert!(size_of::<(super::RowId, super::Fault)>() <= 8);
    }
}
