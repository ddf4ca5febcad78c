//! Colours for texts: JSON and the atoms inside its strings by a tokenizer of our own, other code by
//! syntect. Both give roles; the theme gives the colours.

mod code;
mod json;

use std::ops::Range;

use super::theme::Role;

/// What kind of text it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Syntax {
    /// No colours.
    Plain,
    /// JSON, JSON Lines, and atoms.
    Json,
    /// Code by its usual file extension or name: `rs`, `py`, `markdown`.
    Code(String),
}

impl Syntax {
    /// The syntax of a file, by its name.
    pub fn of(name: &str) -> Syntax {
        match name.rsplit_once('.').map(|(_, ext)| ext) {
            Some("json" | "jsonl") => Syntax::Json,
            Some(ext) => Syntax::Code(ext.to_owned()),
            None => Syntax::Plain,
        }
    }
}

/// Bytes of a line that is coloured: it is looked through anew for each of its rows that is drawn.
const COLOURED: usize = 1 << 16;

/// Stretches of a line with their meaning, in order.
pub type Stretches = Vec<(Range<usize>, Role)>;

/// The colours of a text's lines.
#[derive(Debug)]
pub enum Tokens {
    /// Found line by line, when drawn.
    ByLine(Syntax),
    /// Found for the whole text: its lines hang together.
    Whole(Vec<Stretches>),
}

impl Tokens {
    /// Tokens of a text.
    pub fn new(syntax: Syntax, lines: &[String]) -> Tokens {
        match &syntax {
            Syntax::Code(name) => code::tokens(name, lines).map_or(Tokens::ByLine(Syntax::Plain), Tokens::Whole),
            _ => Tokens::ByLine(syntax),
        }
    }

    /// The stretches of a part of a line.
    pub fn cut(&self, line: usize, text: &str, part: &Range<usize>) -> Stretches {
        let all = match self {
            Tokens::ByLine(Syntax::Json) if text.len() <= COLOURED => json::tokens(text),
            Tokens::ByLine(_) => vec![(0..text.len(), Role::Plain)],
            Tokens::Whole(lines) => lines.get(line).cloned().unwrap_or_default(),
        };
        let clipped = all.into_iter().map(|(r, role)| (r.start.max(part.start)..r.end.min(part.end), role));
        clipped.filter(|(r, _)| r.start < r.end).collect()
    }
}

/// The stretches of an atom or literal, `not status(?asset, faulty)`, as screens show them.
pub fn atom(text: &str) -> Stretches {
    json::atom(text, 0)
}
