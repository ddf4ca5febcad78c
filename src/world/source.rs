//! A text file with positions.

use std::{fs, io, ops::Range, path::Path};

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
    /// What the system says when the file cannot be read.
    pub fn read(path: &Path) -> io::Result<Self> {
        Ok(SourceFile::from_bytes(path.display().to_string(), &fs::read(path)?))
    }

    fn with_invalid(name: String, text: String, invalid: Vec<usize>) -> Self {
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        SourceFile { name, text, invalid, line_starts }
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
