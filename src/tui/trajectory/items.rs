//! The rows of the step list: start, calls, what is said between them, damage, end.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use super::filter::Filter;
use super::loaded::Loaded;
use crate::run::{RowId, RowKind, StepKind};

/// Names a row of the list for as long as the log is read, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Item(u32);

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Before the first call.
    Start,
    /// A call: its step.
    Call(usize),
    /// Words.
    Message(RowId),
    /// A note.
    Note(RowId),
    /// A line that is damaged and stands for itself.
    Damage(RowId),
    /// The end, as the log says it.
    End(RowId),
    /// The log stops without an end.
    NoEnd,
}

impl Item {
    /// The start row.
    pub const START: Item = Item(0);
    /// The end row of a log without an end.
    pub const NO_END: Item = Item(u32::MAX);

    /// A line of the log.
    pub fn line(row: RowId) -> Item {
        Item(row.0 + 1)
    }

    /// The line behind it.
    pub fn row(self) -> Option<RowId> {
        (self != Item::NO_END).then_some(())?;
        self.0.checked_sub(1).map(RowId)
    }

    /// Its number, ascending along the run.
    pub fn number(self) -> usize {
        self.0 as usize
    }

    /// The item of that number.
    pub fn of_number(number: usize) -> Item {
        Item(u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// What it is.
    pub fn shape(self, run: &Loaded) -> Shape {
        if self == Item::START {
            return Shape::Start;
        }
        let Some((id, row)) = self.row().and_then(|id| Some((id, run.log.row(id)?))) else { return Shape::NoEnd };
        match row.kind {
            RowKind::Call => Shape::Call(row.step()),
            RowKind::Message => Shape::Message(id),
            RowKind::Note => Shape::Note(id),
            RowKind::End if run.log.end_row() == Some(id) => Shape::End(id),
            _ => Shape::Damage(id),
        }
    }

    /// The step that the reader is at: that of the call, else of the last call before.
    pub fn step(self, run: &Loaded) -> usize {
        match self {
            Item::START => 0,
            _ => self.row().and_then(|row| run.log.row(row)).map_or(run.steps(), |row| row.step()),
        }
    }

    /// The row of a step; 0 is the start.
    pub fn of_step(run: &Loaded, step: usize) -> Item {
        run.log.call_of(step).map_or(Item::START, Item::line)
    }
}

/// Which rows the list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rows {
    /// All of them.
    #[default]
    All,
    /// Calls alone.
    Steps,
    /// Calls that went wrong, held back or routed in vain, and damage.
    Findings,
}

impl Rows {
    /// The next way, or the one before.
    pub fn turn(self, back: bool) -> Rows {
        match (self, back) {
            (Rows::All, false) | (Rows::Findings, true) => Rows::Steps,
            (Rows::Steps, false) | (Rows::All, true) => Rows::Findings,
            (Rows::Findings, false) | (Rows::Steps, true) => Rows::All,
        }
    }

    /// In the title of the list.
    pub fn word(self) -> &'static str {
        match self {
            Rows::All => "",
            Rows::Steps => "calls alone",
            Rows::Findings => "findings",
        }
    }
}

/// The list: a number for each row.
#[derive(Debug, Default)]
pub struct Items {
    rows: Vec<Item>,
    mode: Rows,
    filter: Arc<Filter>,
    scanned: usize,
    finished: bool,
    /// A filter has looked at its portion, and more is there.
    behind: bool,
    calls: usize,
    /// How often judged steps were forgotten, and how many are judged that the list knows of.
    judged: (u32, usize),
}

/// Rows that a filter looks at before a frame is drawn.
const PORTION: usize = 3000;

impl Items {
    /// Takes in what was read since; starts over where what is shown changes.
    pub fn refresh(&mut self, run: &Loaded, mode: Rows, filter: &Arc<Filter>) {
        let other = mode != self.mode || filter.text != self.filter.text;
        let judged = run.appraisal.as_ref().map_or((0, 0), |appraisal| (appraisal.progress().0, appraisal.judged()));
        let asks = mode == Rows::Findings || filter.held_back();
        let other = other || asks && judged.0 != self.judged.0;
        let restart = other || run.log.finished() != self.finished || run.log.rows().len() < self.scanned;
        if restart || self.rows.is_empty() {
            let (rows, filter, finished) = (vec![Item::START], filter.clone(), run.log.finished());
            *self = Items { rows, mode, filter, finished, ..Items::default() };
        }
        if self.rows.last() == Some(&Item::NO_END) {
            self.rows.pop();
        }
        let rows = run.log.rows();
        let until = if filter.is_empty() { usize::MAX } else { self.scanned + PORTION };
        while let Some(row) = rows.get(self.scanned).filter(|_| self.scanned < until) {
            let id = RowId(u32::try_from(self.scanned).unwrap_or(u32::MAX));
            let known = row.kind != RowKind::Call || run.kind(row.step()).is_some();
            if (mode == Rows::Findings || !filter.is_empty()) && !known {
                break; // its turn comes once it is executed
            }
            let ends = row.kind == RowKind::End && run.log.end_row() == Some(id);
            if shows(run, id, row.kind, row.step(), mode) && (ends || filter.passes(run, id, row)) {
                self.rows.push(Item::line(id));
                self.calls += usize::from(row.kind == RowKind::Call);
            }
            self.scanned += 1;
        }
        if asks {
            self.look_again(run, self.judged.1 + 1..=judged.1);
        }
        self.judged = judged;
        self.behind = self.scanned == until && until < rows.len();
        if run.log.end_row().is_none() && self.scanned == rows.len() {
            self.rows.push(Item::NO_END);
        }
    }

    /// Looks again at calls that were judged since: what one held back is known late.
    fn look_again(&mut self, run: &Loaded, judged: RangeInclusive<usize>) {
        let Some(appraisal) = &run.appraisal else { return };
        let late = judged.filter(|&step| appraisal.held_back(step).is_some());
        for id in late.filter_map(|step| run.log.call_of(step)).filter(|id| (id.0 as usize) < self.scanned) {
            let Some(row) = run.log.row(id) else { continue };
            let passes = shows(run, id, row.kind, row.step(), self.mode) && self.filter.passes(run, id, row);
            match (self.rows.binary_search(&Item::line(id)), passes) {
                (Err(at), true) => self.rows.insert(at, Item::line(id)),
                (Ok(at), false) => drop(self.rows.remove(at)),
                _ => continue,
            }
            self.calls = if passes { self.calls + 1 } else { self.calls - 1 };
        }
    }

    /// Whether the filter has more to look at.
    pub fn behind(&self) -> bool {
        self.behind
    }

    /// Whether it is known if an item is on the list.
    pub fn reached(&self, item: Item) -> bool {
        !self.behind || item.row().is_some_and(|row| (row.0 as usize) < self.scanned)
    }

    /// How many calls are on the list.
    pub fn calls(&self) -> usize {
        self.calls
    }

    /// Whether a filter leaves none of these steps.
    pub fn leaves_out(&self, run: &Loaded, steps: Range<usize>) -> bool {
        let last = Item::of_step(run, steps.end.saturating_sub(1));
        if self.filter.is_empty() || !self.reached(last) {
            return false;
        }
        let at = self.rows.partition_point(|&row| row < Item::of_step(run, steps.start));
        let mut here = self.rows[at..].iter().take_while(|&&row| row <= last);
        !here.any(|item| matches!(item.shape(run), Shape::Call(_) | Shape::Start))
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The item of a row.
    pub fn get(&self, row: usize) -> Item {
        self.rows.get(row).or(self.rows.last()).copied().unwrap_or(Item::START)
    }

    /// The row of an item, or the last before it.
    pub fn find(&self, item: Item) -> usize {
        self.rows.partition_point(|&row| row <= item).saturating_sub(1)
    }

    /// Whether an item is on the list.
    pub fn holds(&self, item: Item) -> bool {
        self.rows.binary_search(&item).is_ok()
    }
}

fn shows(run: &Loaded, id: RowId, kind: RowKind, step: usize, mode: Rows) -> bool {
    let held_back = || run.appraisal.as_ref().is_some_and(|appraisal| appraisal.held_back(step).is_some());
    let fired = |kind| kind == StepKind::Fired || kind == StepKind::FiredIdle;
    let finding = || run.kind(step).is_some_and(|kind| !fired(kind) || held_back());
    let damaged = || run.log.damaged(id);
    match kind {
        RowKind::Call => mode != Rows::Findings || finding(),
        RowKind::Message | RowKind::Note => mode == Rows::All || damaged() && mode == Rows::Findings,
        RowKind::End if run.log.end_row() == Some(id) => true,
        RowKind::Header => run.log.header_row() != Some(id) || damaged(),
        // Damage of a result that has its call stands with the call.
        RowKind::Result => run.log.row(id).is_some_and(|row| row.partner().is_none()) && damaged(),
        RowKind::End | RowKind::Unknown | RowKind::Broken => true,
    }
}
