//! What one line of a log says by itself, whatever stands around it: lines are read in parallel.

use std::ops::Range;

use smallvec::SmallVec;

use super::damage::Fault;
use super::json::Raw;
use super::pairs::{IdAt, IdHash};
use super::shape::{Key, Members, RowKind};

/// A line that is not blank.
#[derive(Debug)]
pub(super) struct Line {
    /// Where it stands in the log, without white space around it.
    pub(super) at: Range<usize>,
    pub(super) kind: RowKind,
    /// Where the id stands under which a call and its result find each other.
    pub(super) id: Option<IdAt>,
    /// What a result says of its call.
    pub(super) fired: Option<bool>,
    /// Whether a message is reasoning.
    pub(super) reasoning: bool,
    /// What a replay reads of it again.
    pub(super) parts: Parts,
    pub(super) faults: SmallVec<[Fault; 2]>,
}

/// Where some values of a line stand in it, those of [`part_keys`] of its kind; empty for an absent one.
/// So the values are found again without a look at what is between them.
pub(super) type Parts = [(u32, u32); 4];

/// The members of an event that a replay reads.
pub(super) fn part_keys(kind: RowKind) -> &'static [Key] {
    match kind {
        RowKind::Call => &[Key::Tool, Key::Args],
        RowKind::Result => &[Key::Refusals, Key::Added, Key::Removed, Key::Produced],
        _ => &[],
    }
}

impl Line {
    /// The line that stands at `at`, without its line feed; `None` for a blank one. `whole` says
    /// whether a line feed ended it.
    pub(super) fn read(log: &[u8], at: Range<usize>, whole: bool, ids: &IdHash) -> Option<Line> {
        let Range { start, end } = at;
        let mut bytes = log.get(at)?;
        if start == 0 {
            bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        }
        bytes = bytes.get(blank(bytes.iter())..)?;
        let start = end - bytes.len();
        bytes = bytes.get(..bytes.len() - blank(bytes.iter().rev()))?;
        if bytes.is_empty() {
            return None;
        }
        let mut line = Line {
            at: start..start + bytes.len(),
            kind: RowKind::Broken,
            id: None,
            fired: None,
            reasoning: false,
            parts: Parts::default(),
            faults: SmallVec::new(),
        };
        match simdutf8::compat::from_utf8(bytes) {
            Ok(_) if u32::try_from(bytes.len()).is_err() => line.faults.push(Fault::TooLong),
            Ok(text) => match Members::read(text) {
                Some(members) => line.event(log, &members, ids),
                None => line.faults.push(Fault::of_line(text)),
            },
            Err(error) if !whole && error.error_len().is_none() => line.faults.push(Fault::CutShort),
            Err(_) => line.faults.push(Fault::NotUtf8),
        }
        Some(line)
    }

    fn event(&mut self, log: &[u8], members: &Members, ids: &IdHash) {
        let Some(kind) = members.kind() else {
            self.kind = RowKind::Unknown;
            return self.faults.push(Fault::NoType);
        };
        self.kind = kind;
        let id = |key| members.get(key).map(|id| ids.id(log, place(log, id)));
        match kind {
            RowKind::Call => self.id = id(Key::Id),
            RowKind::Result => {
                self.id = id(Key::Call);
                self.fired = members.get(Key::Fired).and_then(|fired| fired.get().parse().ok());
            }
            RowKind::Message => self.reasoning = members.get(Key::Reasoning).is_some_and(|is| is.get() == "true"),
            RowKind::Unknown => self.faults.push(Fault::UnknownType),
            RowKind::Header | RowKind::Note | RowKind::End | RowKind::Broken => {}
        }
        for (part, key) in self.parts.iter_mut().zip(part_keys(kind)) {
            if let Some(value) = members.get(*key) {
                let Range { start, end } = place(log, value);
                *part = ((start - self.at.start) as u32, (end - self.at.start) as u32);
            }
        }
        self.faults.extend(members.faults(kind));
    }
}

/// Where a value that was read from the log stands in it.
fn place(log: &[u8], value: Raw) -> Range<usize> {
    let start = value.get().as_ptr() as usize - log.as_ptr() as usize;
    start..start + value.get().len()
}

/// How many of these bytes are white space before the first that is not.
fn blank<'a>(bytes: impl Iterator<Item = &'a u8>) -> usize {
    bytes.take_while(|b| matches!(b, b' ' | b'\t' | b'\r')).count()
}
