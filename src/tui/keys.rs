//! Keys: how they are read from the terminal, written in tables and shown to people.

use std::fmt;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// A key as bindings know it. Shift is in the character itself; `Shift-Tab` is a key of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    /// Which key.
    pub code: KeyCode,
    /// With Ctrl.
    pub ctrl: bool,
    /// With Alt.
    pub alt: bool,
}

const NAMES: [(&str, KeyCode); 17] = [
    ("Enter", KeyCode::Enter),
    ("Esc", KeyCode::Esc),
    ("Tab", KeyCode::Tab),
    ("Shift-Tab", KeyCode::BackTab),
    ("Space", KeyCode::Char(' ')),
    ("Backspace", KeyCode::Backspace),
    ("Delete", KeyCode::Delete),
    ("Up", KeyCode::Up),
    ("Down", KeyCode::Down),
    ("Left", KeyCode::Left),
    ("Right", KeyCode::Right),
    ("Home", KeyCode::Home),
    ("End", KeyCode::End),
    ("PgUp", KeyCode::PageUp),
    ("PgDn", KeyCode::PageDown),
    ("F1", KeyCode::F(1)),
    ("Insert", KeyCode::Insert),
];

impl Key {
    /// A plain key.
    pub const fn plain(code: KeyCode) -> Key {
        Key { code, ctrl: false, alt: false }
    }

    /// A key pressed or repeated; nothing for a release.
    pub fn of(event: &KeyEvent) -> Option<Key> {
        if event.kind == KeyEventKind::Release {
            return None;
        }
        let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        let alt = event.modifiers.contains(KeyModifiers::ALT);
        let code = match event.code {
            KeyCode::Char(c) if ctrl => KeyCode::Char(c.to_ascii_lowercase()),
            KeyCode::Tab if event.modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
            code => code,
        };
        Some(Key { code, ctrl, alt })
    }

    /// The event of this key, for tests and for replayed keys.
    pub fn event(self) -> KeyEvent {
        let mut modifiers = KeyModifiers::NONE;
        modifiers.set(KeyModifiers::CONTROL, self.ctrl);
        modifiers.set(KeyModifiers::ALT, self.alt);
        KeyEvent::new(self.code, modifiers)
    }

    /// Reads `j`, `Ctrl-w`, `Alt-x`, `Enter`, `Shift-Tab`, `PgDn`.
    pub fn parse(text: &str) -> Option<Key> {
        if let Some(&(_, code)) = NAMES.iter().find(|(name, _)| *name == text) {
            return Some(Key::plain(code));
        }
        if let Some(rest) = text.strip_prefix("Ctrl-") {
            return Key::parse(rest).map(|key| Key { ctrl: true, ..key });
        }
        if let Some(rest) = text.strip_prefix("Alt-") {
            return Key::parse(rest).map(|key| Key { alt: true, ..key });
        }
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) => Some(Key::plain(KeyCode::Char(c))),
            _ => None,
        }
    }

    /// The character that this key types, where it types one.
    pub fn typed(self) -> Option<char> {
        match self.code {
            KeyCode::Char(c) if !self.ctrl && !self.alt => Some(c),
            _ => None,
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("Ctrl-")?;
        }
        if self.alt {
            f.write_str("Alt-")?;
        }
        match (NAMES.iter().find(|(_, code)| *code == self.code), self.code) {
            (Some((name, _)), _) => f.write_str(name),
            (None, KeyCode::Char(c)) => write!(f, "{c}"),
            (None, code) => write!(f, "{code}"),
        }
    }
}

/// One place in a key sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stroke {
    /// This key.
    Key(Key),
    /// Any letter or digit: the name of a mark.
    Letter,
}

/// A sequence of strokes, as `Ctrl-w h`, `] v` or `m LETTER`.
pub fn sequence(text: &str) -> Option<Vec<Stroke>> {
    let strokes: Option<Vec<_>> = text
        .split_whitespace()
        .map(|word| if word == "LETTER" { Some(Stroke::Letter) } else { Key::parse(word).map(Stroke::Key) })
        .collect();
    strokes.filter(|s| !s.is_empty())
}

/// A sequence as people read it: `Ctrl-w h`, `]v`, `m` + letter as `m…`.
pub fn show(strokes: &[Stroke]) -> String {
    let mut out = String::new();
    for stroke in strokes {
        match stroke {
            Stroke::Letter => out.push('…'),
            Stroke::Key(key) => {
                let key = key.to_string();
                if !out.is_empty() && (key.chars().count() > 1 || out.chars().count() > 1) {
                    out.push(' ');
                }
                out.push_str(&key);
            }
        }
    }
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn keys_read_and_print() {
        for text in ["j", "G", "Ctrl-w", "Alt-x", "Enter", "Shift-Tab", "Space", "PgDn", "]", "Ctrl-r", "漢"] {
            let key = Key::parse(text).unwrap();
            assert_eq!(key.to_string(), text);
            assert_eq!(Key::of(&key.event()), Some(key));
        }
        assert_eq!(Key::parse("jk"), None);
        assert_eq!(sequence(""), None);
    }

    #[test]
    fn sequences_show_short() {
        for (text, shown) in [("] v", "]v"), ("Ctrl-w h", "Ctrl-w h"), ("m LETTER", "m…"), ("' '", "''")] {
            assert_eq!(show(&sequence(text).unwrap()), shown);
        }
    }
}
