//! Lines of text with meanings: built when something changes, drawn in whatever theme.

use ratatui::text::{Line, Span};

use super::canvas::Canvas;
use super::cells;
use super::sign::Sign;
use super::theme::{Role, Theme};
use crate::text::visible_lines;

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Words, by their meaning.
    Text(Role, String),
    /// A sign.
    Sign(Sign),
}

/// A line in pieces.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text(pub Vec<Piece>);

impl Text {
    /// A line of one meaning.
    pub fn of(role: Role, text: impl Into<String>) -> Text {
        Text::default().role(role, text)
    }

    /// Ordinary words.
    pub fn plain(text: impl Into<String>) -> Text {
        Text::of(Role::Plain, text)
    }

    /// Secondary words.
    pub fn dim(text: impl Into<String>) -> Text {
        Text::of(Role::Dim, text)
    }

    /// Adds words of a meaning.
    pub fn role(mut self, role: Role, text: impl Into<String>) -> Text {
        self.0.push(Piece::Text(role, text.into()));
        self
    }

    /// Adds ordinary words.
    pub fn and(self, text: impl Into<String>) -> Text {
        self.role(Role::Plain, text)
    }

    /// Adds a sign.
    pub fn sign(mut self, sign: Sign) -> Text {
        self.0.push(Piece::Sign(sign));
        self
    }

    /// Adds another line's pieces.
    pub fn join(mut self, other: Text) -> Text {
        self.0.extend(other.0);
        self
    }

    /// Adds spaces up to a column.
    pub fn pad(self, column: usize) -> Text {
        let gap = column.saturating_sub(self.width());
        if gap == 0 { self } else { self.and(" ".repeat(gap)) }
    }

    /// Its cells.
    pub fn width(&self) -> usize {
        let piece = |piece: &Piece| match piece {
            Piece::Text(_, text) => cells::width(text),
            Piece::Sign(_) => 1,
        };
        self.0.iter().map(piece).sum()
    }

    /// The part of it that a stretch of [`Text::words`] stands for.
    pub fn cut(&self, range: &std::ops::Range<usize>) -> Text {
        let mut at = 0;
        let mut out = Text::default();
        for piece in &self.0 {
            let length = match piece {
                Piece::Text(_, text) => text.len(),
                Piece::Sign(sign) => sign.glyphs().0.len(),
            };
            let (start, end) = (range.start.max(at), range.end.min(at + length));
            if start < end {
                out.0.push(match piece {
                    Piece::Text(role, text) => Piece::Text(*role, text[start - at..end - at].to_owned()),
                    Piece::Sign(sign) => Piece::Sign(*sign),
                });
            }
            at += length;
        }
        out
    }

    /// In a theme.
    pub fn line(&self, theme: &Theme) -> Line<'static> {
        let span = |piece: &Piece| match piece {
            Piece::Text(role, text) if theme.ascii => Span::styled(text.replace('→', "->"), theme.style(*role)),
            Piece::Text(role, text) => Span::styled(text.clone(), theme.style(*role)),
            Piece::Sign(sign) => theme.sign(*sign),
        };
        Line::from(self.0.iter().map(span).collect::<Vec<_>>())
    }

    /// Draws it at a column of a canvas.
    pub fn draw(&self, canvas: &mut Canvas, x: u16, y: u16) {
        let theme = canvas.theme;
        canvas.line(x, y, self.line(&theme));
    }

    /// The words alone, for searching and copying.
    pub fn words(&self) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Text(_, text) => text.clone(),
            Piece::Sign(sign) => sign.glyphs().0.to_owned(),
        };
        self.0.iter().map(piece).collect()
    }
}

/// Breaks a text of a file into lines of at most `cells`, everything that acts made visible.
pub fn wrapped(text: &str, cells: usize) -> Vec<String> {
    let text = visible_lines(text);
    cells::wrap(text.trim_end(), cells.max(8)).into_iter().map(str::to_owned).collect()
}

/// A kind of thing with its article: `a pump`, `an asset`.
pub fn a(kind: &str) -> String {
    let an = kind.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    format!("{} {kind}", if an { "an" } else { "a" })
}
