//! A text file with positions.

use std::{io, ops::Range, path::Path};

use crate::file;

/// The most that a domain or problem file may hold, in bytes.
pub const LARGEST: u64 = 64 << 20;

/// The text of a domain or problem file, and where its lines begin.
#[derive(Debug)]
pub struct SourceFile {
    /// How messages name it: a path as the user gave it, or `embedded:domain/….json`.
    pub name: String,
    /// The whole text, without a byte order mark. Bytes that are not UTF-8 were replaced, and
    /// loading reports them.
    pub text: String,
    /// Where in `text` a replacement character stands for bytes that are not UTF-8.
    pub invalid: Vec<usize>,
    line_starts: Vec<usize>,
    /// How many characters stand before every `STRIDE`th byte, so that a column in a line of megabytes
    /// is not counted from its start.
    counts: Vec<usize>,
}

/// Bytes between two counts.
const STRIDE: usize = 4096;

/// A place in a file, as people count: both from 1, columns in Unicode scalar values (design §2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
}

impl SourceFile {
    /// Indexes the lines of `text`.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        SourceFile::with_invalid(name.into(), text.into(), Vec::new())
    }

    /// From the bytes of a file: lets a byte order mark pass, and replaces what is not UTF-8.
    pub fn from_bytes(name: impl Into<String>, bytes: &[u8]) -> Self {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let (mut text, mut invalid) = (String::with_capacity(bytes.len()), Vec::new());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            if !chunk.invalid().is_empty() {
                invalid.push(text.len());
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        SourceFile::with_invalid(name.into(), text, invalid)
    }

    /// Reads a file; its name is the path as given.
    ///
    /// # Errors
    /// What the system says when the file cannot be read; also for what is no file or pipe, and for
    /// more than [`LARGEST`] bytes.
    pub fn read(path: &Path) -> io::Result<Self> {
        Ok(SourceFile::from_bytes(path.display().to_string(), &file::read(path, Some(LARGEST))?))
    }

    fn with_invalid(name: String, text: String, invalid: Vec<usize>) -> Self {
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        let (mut count, mut from) = (0, 0);
        let counts = (0..=text.len() / STRIDE).map(|block| {
            let to = text.floor_char_boundary(block * STRIDE);
            count += text[from..to].chars().count();
            from = to;
            count
        });
        let counts = counts.collect();
        SourceFile { name, text, invalid, line_starts, counts }
    }

    /// Where a byte offset is. Offsets past the end count as the end; inside a character, as its start.
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.line_starts.partition_point(|&start| start <= offset);
        Position { line, column: self.characters_before(offset) - self.characters_before(self.line_start(line)) + 1 }
    }

    /// Characters before a byte offset.
    fn characters_before(&self, offset: usize) -> usize {
        let block = offset / STRIDE;
        let from = self.text.floor_char_boundary(block * STRIDE);
        self.counts[block] + self.text[from..offset].chars().count()
    }

    /// Where a line (from 1) begins.
    pub(super) fn line_start(&self, line: usize) -> usize {
        line.checked_sub(1).and_then(|i| self.line_starts.get(i)).copied().unwrap_or(self.text.len())
    }

    /// The lines (from 1, inclusive) that a byte range touches.
    pub fn lines(&self, span: &Range<usize>) -> Range<usize> {
        let last = span.end.max(span.start + 1) - 1;
        self.position(span.start).line..self.position(last).line + 1
    }

    /// The text of a line (from 1), without its end.
    pub fn line(&self, line: usize) -> &str {
        let start = self.line_start(line);
        let end = self.line_starts.get(line).map_or(self.text.len(), |&next| next);
        self.text[start..end.max(start)].trim_end_matches(['\n', '\r'])
    }

    /// How many lines there are.
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }
}
