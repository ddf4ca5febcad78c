//! Rows of the panes: texts with their meanings, wrapped to the width, and what Enter does on them.

use crate::tui::cells;
use crate::tui::sign::Sign;
use crate::tui::theme::Role;

/// A text in pieces of one meaning each.
pub type Parts = Vec<(Role, String)>;

/// What a row stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Target {
    /// Nothing beyond itself.
    #[default]
    None,
    /// Something that this step did or said; 0 is the start.
    Step(usize),
    /// The end of the run.
    End,
    /// A tool that can be put into the call, by its place among those offered.
    Tool(usize),
}

/// What is drawn over the text of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A sign.
    Sign(Sign),
    /// A bar of so many cells.
    Bar(u16),
}

/// A row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    /// A sign before the text.
    pub sign: Option<Sign>,
    /// Cells before the text, the sign's place among them.
    pub indent: u16,
    /// The text; the first line of several.
    pub parts: Parts,
    /// Further lines.
    pub more: Vec<String>,
    /// Cells before those.
    pub hang: u16,
    /// Signs and bars at columns of the text.
    pub marks: Vec<(usize, Mark)>,
    /// What stands at the right edge.
    pub right: String,
    /// What Enter goes to.
    pub target: Target,
    /// It can be folded: whether it is.
    pub folded: Option<bool>,
}

impl Row {
    /// A row of one meaning.
    pub fn new(role: Role, text: impl Into<String>) -> Row {
        Row { parts: vec![(role, text.into())], ..Row::default() }
    }

    /// The text as one.
    pub fn text(&self) -> String {
        let first = self.parts.iter().map(|(_, text)| text.as_str());
        first.chain(self.more.iter().map(String::as_str)).collect()
    }

    /// Its height in lines.
    pub fn height(&self) -> u16 {
        u16::try_from(1 + self.more.len()).unwrap_or(u16::MAX)
    }
}

/// Rows of a text, broken at `width` less the indentation. One row a line, each with the target.
pub fn paragraph(role: Role, text: &str, indent: u16, width: u16, target: Target) -> Vec<Row> {
    let room = usize::from(width.saturating_sub(indent)).max(8);
    let text = crate::text::visible_lines(text);
    let lines = cells::wrap(&text, room).into_iter();
    lines.map(|line| Row { indent, target, ..Row::new(role, line) }).collect()
}

/// One row for a text of several lines, broken so that `right` has its room on the first.
pub fn item(text: &str, right: String, indent: u16, width: u16, target: Target) -> Row {
    let room = usize::from(width.saturating_sub(indent)).max(8);
    let taken = if right.is_empty() { 0 } else { cells::width(&right) + 1 };
    let text = crate::text::visible(text);
    let first = cells::wrap(&text, room.saturating_sub(taken).max(8)).first().map_or("", |line| line);
    let rest = text[first.len()..].trim_start();
    let more = if rest.is_empty() { Vec::new() } else { cells::wrap(rest, room) };
    let more = more.into_iter().map(str::to_owned).collect();
    Row { indent, hang: indent, right, target, more, ..Row::new(Role::Plain, first) }
}
