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
        self.next(text, 0, self.bytewise(text)).is_some()
    }

    /// Where it occurs, in bytes, without overlaps.
    pub fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        let mut out = Vec::new();
        let (mut from, bytewise) = (0, self.bytewise(text));
        while let Some(range) = self.next(text, from, bytewise) {
            from = range.end;
            out.push(range);
        }
        out
    }

    /// Whether an ASCII needle can be looked for among bytes, which is many times faster: where no other
    /// character folds to ASCII. Two do, the Kelvin sign and the dotted capital I.
    fn bytewise(&self, text: &str) -> bool {
        let has = |c: &str| memchr::memmem::find(text.as_bytes(), c.as_bytes()).is_some();
        self.ascii.is_some() && !has("\u{212a}") && !has("\u{130}")
    }

    fn next(&self, text: &str, from: usize, bytewise: bool) -> Option<Range<usize>> {
        if self.exact {
            return text[from..].find(&self.text).map(|at| from + at..from + at + self.text.len());
        }
        if let (Some(ascii), true) = (self.ascii.as_deref(), bytewise) {
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

/// Where a lower-case ASCII needle stands in a text, in either case.
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

    #[test]
    fn bytes_find_what_characters_find() {
        for text in ["漢字 Needle naïve", "İnk ink KIN", "\u{212a}in kin 漢", "é\u{301}needle", ""] {
            for needle in ["needle", "kin", "ink", "i", "k", "e", "ve"] {
                let pattern = Pattern::new(needle).unwrap();
                let slow = Pattern { ascii: None, ..pattern.clone() };
                assert_eq!(pattern.ranges(text), slow.ranges(text), "{needle} in {text}");
                assert_eq!(pattern.matches(text), slow.matches(text), "{needle} in {text}");
            }
        }
        assert!(Pattern::new("needle").unwrap().bytewise("漢字") && !Pattern::new("kin").unwrap().bytewise("\u{212a}"));
    }
}
