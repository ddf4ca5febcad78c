//! One line of typed text, edited by graphemes with the usual keys.

use ratatui::crossterm::event::KeyCode;
use unicode_segmentation::UnicodeSegmentation;

use super::cells;
use super::keys::Key;

/// A line being typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LineInput {
    /// The text.
    pub text: String,
    /// The caret, a byte offset at a grapheme's boundary.
    pub caret: usize,
    killed: String,
}

impl LineInput {
    /// A line with a text, the caret behind it.
    pub fn new(text: impl Into<String>) -> LineInput {
        let text = text.into();
        LineInput { caret: text.len(), text, killed: String::new() }
    }

    /// Puts a text in at the caret: typed or pasted. A line stays one line, and what acts on terminals
    /// stays out.
    pub fn insert(&mut self, text: &str) {
        let spaced = text.chars().map(|c| if c == '\n' || c == '\t' { ' ' } else { c });
        let text: String = spaced.filter(|c| !c.is_control()).collect();
        self.text.insert_str(self.caret, &text);
        self.caret += text.len();
    }

    /// Handles an editing key. Says whether it was one.
    pub fn key(&mut self, key: Key) -> bool {
        match (key.ctrl, key.alt, key.code) {
            (false, false, KeyCode::Char(c)) => self.insert(c.encode_utf8(&mut [0; 4])),
            (false, false, KeyCode::Backspace) | (true, false, KeyCode::Char('h')) => {
                self.kill(self.before()..self.caret, false)
            }
            (false, false, KeyCode::Delete) | (true, false, KeyCode::Char('d')) => {
                self.kill(self.caret..self.after(), false)
            }
            (false, false, KeyCode::Left) | (true, false, KeyCode::Char('b')) => self.caret = self.before(),
            (false, false, KeyCode::Right) | (true, false, KeyCode::Char('f')) => self.caret = self.after(),
            (false, false, KeyCode::Home) | (true, false, KeyCode::Char('a')) => self.caret = 0,
            (false, false, KeyCode::End) | (true, false, KeyCode::Char('e')) => self.caret = self.text.len(),
            (true, false, KeyCode::Left) | (false, true, KeyCode::Char('b')) => self.caret = self.word_before(),
            (true, false, KeyCode::Right) | (false, true, KeyCode::Char('f')) => self.caret = self.word_after(),
            (true, false, KeyCode::Char('w')) | (false, true, KeyCode::Backspace) => {
                self.kill(self.word_before()..self.caret, true)
            }
            (false, true, KeyCode::Char('d')) => self.kill(self.caret..self.word_after(), true),
            (true, false, KeyCode::Char('u')) => self.kill(0..self.caret, true),
            (true, false, KeyCode::Char('k')) => self.kill(self.caret..self.text.len(), true),
            (true, false, KeyCode::Char('y')) => self.insert(&self.killed.clone()),
            _ => return false,
        }
        true
    }

    fn kill(&mut self, range: std::ops::Range<usize>, keep: bool) {
        self.caret = range.start;
        let gone: String = self.text.drain(range).collect();
        if keep && !gone.is_empty() {
            self.killed = gone;
        }
    }

    fn before(&self) -> usize {
        self.text[..self.caret].grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    fn after(&self) -> usize {
        self.text[self.caret..].graphemes(true).next().map_or(self.caret, |g| self.caret + g.len())
    }

    fn word_before(&self) -> usize {
        let mut words = self.text[..self.caret].unicode_word_indices();
        words.next_back().map_or(0, |(at, _)| at)
    }

    fn word_after(&self) -> usize {
        let mut words = self.text[self.caret..].unicode_word_indices();
        words.next().map_or(self.text.len(), |(at, word)| self.caret + at + word.len())
    }

    /// The part to show in `cells`, and the caret's column in it: the caret is always to be seen.
    pub fn window(&self, cells: usize) -> (&str, usize) {
        let room = cells.saturating_sub(1);
        let mut start = 0;
        for (at, _) in self.text[..self.caret].grapheme_indices(true) {
            start = at;
            if cells::width(&self.text[at..self.caret]) <= room {
                break;
            }
        }
        if cells::width(&self.text[start..self.caret]) > room {
            start = self.caret;
        }
        (cells::head(&self.text[start..], cells).0, cells::width(&self.text[start..self.caret]))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn typed(start: &str, keys: &str) -> (String, usize) {
        let mut line = LineInput::new(start);
        for key in keys.split_whitespace() {
            assert!(line.key(Key::parse(key).unwrap()), "{key}");
        }
        (line.text, line.caret)
    }

    #[test]
    fn editing_keys() {
        for (start, keys, text, caret) in [
            ("", "a Space b", "a b", 3),
            ("ab", "Left Backspace", "b", 0),
            ("e\u{301}x", "Left Left Delete", "x", 0),
            ("👩‍🔧", "Backspace", "", 0),
            ("one two three", "Ctrl-w", "one two ", 8),
            ("one two", "Alt-b Ctrl-k Ctrl-y Ctrl-y", "one twotwo", 10),
            ("one two", "Ctrl-u", "", 0),
            ("one two", "Home Alt-d", " two", 0),
            ("漢字", "Ctrl-a Right Delete", "漢", 3),
        ] {
            assert_eq!(typed(start, keys), (text.to_owned(), caret), "{start:?} {keys}");
        }
    }

    #[test]
    fn a_line_stays_one_line_and_its_caret_in_sight() {
        let mut line = LineInput::default();
        line.insert("a\r\nb\u{1b}\tc");
        assert_eq!(line.text, "a b c");
        let long = LineInput::new("abcdefghij");
        assert_eq!(long.window(5), ("ghij", 4));
        assert_eq!(LineInput::new("漢字漢").window(4), ("漢", 2));
        assert_eq!(long.window(0), ("", 0));
    }
}
