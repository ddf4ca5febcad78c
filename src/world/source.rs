//! A text file with positions.

use std::ops::Range;

/// The text of a domain or problem file, and where its lines begin.
#[derive(Debug)]
pub struct SourceFile {
    /// How messages name it: a path as the user gave it, or `embedded:domain/….json`.
    pub name: String,
    /// The whole text. Bytes that are not UTF-8 were replaced, and reported.
    pub text: String,
    line_starts: Vec<usize>,
}

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
        let text = text.into();
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        SourceFile { name: name.into(), text, line_starts }
    }

    /// Where a byte offset is. Offsets past the end count as the end; inside a character, as its start.
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let start = self.line_starts[line - 1];
        Position { line, column: self.text[start..offset].chars().count() + 1 }
    }

    /// The lines (from 1, inclusive) that a byte range touches.
    pub fn lines(&self, span: &Range<usize>) -> Range<usize> {
        let last = span.end.max(span.start + 1) - 1;
        self.position(span.start).line..self.position(last).line + 1
    }

    /// The text of a line (from 1), without its end.
    pub fn line(&self, line: usize) -> &str {
        let Some(&start) = line.checked_sub(1).and_then(|i| self.line_starts.get(i)) else { return "" };
        let end = self.line_starts.get(line).map_or(self.text.len(), |&next| next);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    /// How many lines there are.
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }
}
