//! What the list of steps shows of a message. That of a long one is kept: to read megabytes out of a log
//! again for each frame would be felt at every key.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::words;
use crate::run::{Log, RowId};

/// Bytes of a message that are laid out at most.
pub const LONGEST: usize = 20_000;

/// Bytes of a line of the log from which on its message is kept.
const LONG: usize = 1 << 16;

/// The beginning of a message, and how much there is of it.
#[derive(Debug)]
pub struct Beginning {
    /// Who speaks.
    pub from: String,
    /// Whether it was thought, not said.
    pub reasoning: bool,
    /// At most [`LONGEST`] bytes.
    pub text: String,
    /// Bytes of all of it.
    pub bytes: usize,
    /// Characters of all of it.
    pub characters: usize,
    /// How long it is, in lines, or in words where it is one line.
    pub length: String,
}

/// The beginnings of long messages, by row and length of its line.
#[derive(Debug, Default)]
pub struct Beginnings(Mutex<HashMap<(RowId, usize), Arc<Beginning>>>);

impl Beginnings {
    /// The beginning of the message of a row.
    pub fn of(&self, log: &Log, row: RowId) -> Option<Arc<Beginning>> {
        let key = (row, log.raw(row).len());
        if key.1 < LONG {
            return Beginning::read(log, row).map(Arc::new);
        }
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = kept().get(&key) {
            return Some(found.clone());
        }
        let read = Arc::new(Beginning::read(log, row)?);
        kept().insert(key, read.clone());
        Some(read)
    }
}

impl Beginning {
    fn read(log: &Log, row: RowId) -> Option<Beginning> {
        let message = log.message(row)?;
        let text = &*message.text;
        let length = match text.lines().count() {
            0 | 1 => words::count(text.split_whitespace().count(), "word"),
            lines => words::count(lines, "line"),
        };
        Some(Beginning {
            from: message.from.into_owned(),
            reasoning: message.reasoning,
            text: text[..text.floor_char_boundary(LONGEST)].to_owned(),
            bytes: text.len(),
            characters: text.chars().count(),
            length,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_is_read_once() {
        let line = |text: &str| format!("{{\"type\":\"message\",\"from\":\"agent\",\"text\":\"{text}\"}}\n");
        let log = Log::read(format!("{}{}", line("kurz"), line(&"漢字 ".repeat(50_000))).into_bytes());
        let beginnings = Beginnings::default();
        let rows: Vec<RowId> = log.row_ids().collect();
        let read = |row: RowId| beginnings.of(&log, row).unwrap();
        assert!(!Arc::ptr_eq(&read(rows[0]), &read(rows[0])));
        assert!(Arc::ptr_eq(&read(rows[1]), &read(rows[1])));
        let long = read(rows[1]);
        assert_eq!((long.characters, long.bytes, long.length.as_str()), (150_000, 350_000, "50000 words"));
        assert!(long.text.len() <= LONGEST && long.text.starts_with("漢字 漢字"));
    }
}
