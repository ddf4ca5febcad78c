//! What a search looks for: a text, in smart case.

use std::ops::Range;

/// A search text. Without capitals it matches both cases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// As it was typed.
    pub text: String,
    needle: Vec<char>,
    /// The needle where it is ASCII: most texts are, and large logs are looked through.
    ascii: Option<String>,
    exact: bool,
}

fn fold(c: char) -> char {
    if c.is_ascii() { c.to_ascii_lowercase() } else { c.to_lowercase().next().unwrap_or(c) }
}

impl Pattern {
    /// A pattern; nothing for an empty text.
    pub fn new(text: &str) -> Option<Pattern> {
        let exact = text.chars().any(char::is_uppercase);
        let needle: Vec<char> = text.chars().map(|c| if exact { c } else { fold(c) }).collect();
        let ascii = text.is_ascii().then(|| text.to_ascii_lowercase());
        (!text.is_empty()).then(|| Pattern { text: text.to_owned(), needle, ascii, exact })
    }

    /// Whether it occurs.
    pub fn matches(&self, text: &str) -> bool {
        self.next(text, 0).is_some()
    }

    /// Where it occurs, in bytes, without overlaps.
    pub fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        let mut out = Vec::new();
        let mut from = 0;
        while let Some(range) = self.next(text, from) {
            from = range.end;
            out.push(range);
        }
        out
    }

    fn next(&self, text: &str, from: usize) -> Option<Range<usize>> {
        if self.exact {
            return text[from..].find(&self.text).map(|at| from + at..from + at + self.text.len());
        }
        if let (Some(ascii), true) = (self.ascii.as_deref(), text.is_ascii()) {
            return next_ascii(text.as_bytes(), ascii, from);
        }
        let first = self.needle[0];
        text[from..].char_indices().filter(|&(_, c)| fold(c) == first).find_map(|(at, _)| {
            let start = from + at;
            let mut chars = text[start..].char_indices();
            let mut end = start;
            for &want in &self.needle {
                let (i, c) = chars.next()?;
                if fold(c) != want {
                    return None;
                }
                end = start + i + c.len_utf8();
            }
            Some(start..end)
        })
    }
}

/// Where a lower-case needle stands in a text, both ASCII, in either case.
fn next_ascii(text: &[u8], needle: &str, from: usize) -> Option<Range<usize>> {
    let needle = needle.as_bytes();
    let first = *needle.first()?;
    let starts = memchr::memchr2_iter(first, first.to_ascii_uppercase(), text.get(from..)?).map(|at| from + at);
    let mut ranges = starts.map(|start| start..start + needle.len());
    ranges.find(|range| text.get(range.clone()).is_some_and(|part| part.eq_ignore_ascii_case(needle)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn smart_case() {
        for (pattern, text, found) in [
            ("pump", "Pump-101 pump", "[0..4, 9..13]"),
            ("Pump", "Pump-101 pump", "[0..4]"),
            ("é", "É é", "[0..2, 3..5]"),
            ("aa", "aaa", "[0..2]"),
            ("aab", "AAab aAB", "[1..4, 5..8]"),
            ("ab", "xa", "[]"),
            ("k", "K \u{212a}", "[0..1, 2..5]"),
            ("字", "漢字", "[3..6]"),
            ("x", "", "[]"),
        ] {
            let ranges = Pattern::new(pattern).unwrap().ranges(text);
            assert_eq!(format!("{ranges:?}"), found, "{pattern} in {text}");
        }
        assert_eq!(Pattern::new(""), None);
    }
}
