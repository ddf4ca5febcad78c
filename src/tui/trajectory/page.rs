//! A page of rows to read and walk: the call, the state. Built when the step changes, drawn often.

use std::ops::Range;

use ratatui::text::{Line, Span};

use super::Fold;
use crate::run::RowId;
use crate::text::visible;
use crate::tui::canvas::Canvas;
use crate::tui::cells;
use crate::tui::list::{List, Seen};
use crate::tui::sign::Sign;
use crate::tui::theme::{Role, Theme};
use crate::world::{CapabilityId, FactId, KnowledgeId, ToolId};

/// Columns left free at the right edge.
const MARGIN: u16 = 1;

/// What a row stands for: where Enter goes and what `i` explains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Target {
    /// Nothing.
    #[default]
    None,
    /// A step.
    Step(usize),
    /// A fact or slot value: the step that last changed it.
    Fact(FactId),
    /// A tool.
    Tool(ToolId),
    /// A capability.
    Capability(CapabilityId),
    /// A knowledge domain.
    Knowledge(KnowledgeId),
    /// Something that folds.
    Fold(Fold),
    /// A line of the domain file.
    Source(usize),
    /// A line of the log, to be read whole.
    Record(RowId),
}

/// Tells a row again on the page of another step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// By its place alone.
    Place,
    /// A heading.
    Fold(Fold),
    /// A fact.
    Fact(FactId),
    /// A literal of the goal.
    Literal(usize),
}

/// One row. Its texts are safe to show.
#[derive(Debug, Clone)]
pub struct Row {
    /// Columns before the sign.
    pub indent: u16,
    /// In a column of its own.
    pub sign: Option<Sign>,
    /// What it says.
    pub body: Vec<(Role, String)>,
    /// At the right edge.
    pub right: Vec<(Role, String)>,
    /// Broken into lines always; other rows only under the cursor.
    pub prose: bool,
    /// Where the cursor stands when the page opens.
    pub matters: bool,
    /// Tells it again.
    pub key: Key,
    /// What it stands for.
    pub target: Target,
}

impl Row {
    /// An empty row.
    pub fn blank() -> Row {
        Row {
            indent: 0,
            sign: None,
            body: Vec::new(),
            right: Vec::new(),
            prose: false,
            matters: false,
            key: Key::Place,
            target: Target::None,
        }
    }

    /// A row that begins with a sign.
    pub fn signed(sign: Sign) -> Row {
        Row { sign: Some(sign), ..Row::blank() }
    }

    /// A row of text without a sign.
    pub fn text(role: Role, text: &str) -> Row {
        Row::blank().say(role, text)
    }

    /// A heading that folds.
    pub fn heading(fold: Fold, open: bool, name: &str) -> Row {
        let sign = if open { Sign::Unfolded } else { Sign::Folded };
        let row = Row::signed(sign).say(Role::Title, name);
        Row { key: Key::Fold(fold), target: Target::Fold(fold), ..row }
    }

    /// Adds text.
    pub fn say(mut self, role: Role, text: &str) -> Row {
        self.body.push((role, visible(text).into_owned()));
        self
    }

    /// Adds an atom or literal, in the colours of its parts.
    pub fn atom(mut self, text: &str) -> Row {
        let stretches = crate::tui::highlight::atom(text);
        if stretches.is_empty() {
            return self.say(Role::Plain, text);
        }
        let parts = stretches.into_iter().filter_map(|(range, role)| Some((role, text.get(range)?)));
        self.body.extend(parts.map(|(role, part)| (quiet(role), visible(part).into_owned())));
        self
    }

    /// Adds text at the right edge.
    pub fn right(mut self, role: Role, text: &str) -> Row {
        self.right.push((role, visible(text).into_owned()));
        self
    }

    /// Says what it stands for.
    pub fn to(self, target: Target) -> Row {
        Row { target, ..self }
    }

    /// Says how to tell it again.
    pub fn keyed(self, key: Key) -> Row {
        Row { key, ..self }
    }

    /// Moves it to the right.
    pub fn indented(self, indent: u16) -> Row {
        Row { indent, ..self }
    }

    /// Breaks it into lines where it is too long.
    pub fn prose(self) -> Row {
        Row { prose: true, ..self }
    }

    /// Puts the cursor here when the page opens.
    pub fn mattering(self) -> Row {
        Row { matters: true, ..self }
    }

    /// Its text, for the clipboard and the search.
    pub fn plain(&self) -> String {
        self.body.iter().map(|(_, text)| text.as_str()).collect()
    }

    fn start(&self) -> u16 {
        1 + self.indent + if self.sign.is_some() { 2 } else { 0 }
    }

    /// The columns that its text has.
    fn room(&self, width: u16) -> usize {
        let right: usize = self.right.iter().map(|(_, text)| cells::width(text)).sum();
        let right = if right == 0 { 0 } else { right + 1 };
        usize::from(width.saturating_sub(self.start() + MARGIN)).saturating_sub(right)
    }

    fn lines(&self, width: u16) -> Vec<Range<usize>> {
        cells::wrap_line(&self.plain(), self.room(width).max(8))
    }

    /// The lines that it takes.
    pub fn height(&self, width: u16, cursor: bool) -> u16 {
        if !self.prose && !cursor {
            return 1;
        }
        u16::try_from(self.lines(width).len()).unwrap_or(u16::MAX)
    }

    fn draw(&self, canvas: &mut Canvas, width: u16, seen: &Seen) {
        let Seen { y, lines, cursor, .. } = *seen;
        let theme = canvas.theme;
        if cursor {
            canvas.cursor(y);
        }
        if let Some(sign) = self.sign {
            canvas.line(1 + self.indent, y, theme.sign(sign));
        }
        let right = Line::from(spans(theme, &self.right));
        if !self.prose && !cursor {
            return canvas.sides(self.start(), y, Line::from(spans(theme, &self.body)), right);
        }
        let ranges = self.lines(width);
        for (i, range) in ranges.iter().take(usize::from(lines)).enumerate() {
            let line = Line::from(spans(theme, &cut(&self.body, range)));
            let at = y + u16::try_from(i).unwrap_or(0);
            match i {
                0 => canvas.sides(self.start(), at, line, right.clone()),
                _ => canvas.line(self.start(), at, line),
            }
        }
    }
}

/// Atoms on a page are quieter than in a file: names plain, values as they are.
fn quiet(role: Role) -> Role {
    match role {
        Role::Variable => Role::Variable,
        _ => Role::Plain,
    }
}

/// Arrows are drawn double on some terminals: with ASCII signs they are spelt.
fn spans(theme: Theme, parts: &[(Role, String)]) -> Vec<Span<'static>> {
    let spell = |text: &str| text.replace('←', "<-").replace('→', "->").replace('–', "-");
    let ours = |role: &Role| matches!(role, Role::Dim | Role::Link | Role::Warn | Role::Changed);
    parts
        .iter()
        .map(|(role, text)| {
            let text = if theme.ascii && ours(role) { spell(text) } else { text.clone() };
            theme.span(*role, text)
        })
        .collect()
}

fn cut(parts: &[(Role, String)], range: &Range<usize>) -> Vec<(Role, String)> {
    let mut out = Vec::new();
    let mut at = 0;
    for (role, text) in parts {
        let (from, to) = (range.start.max(at), range.end.min(at + text.len()));
        if from < to {
            out.extend(text.get(from - at..to - at).map(|part| (*role, part.to_owned())));
        }
        at += text.len();
    }
    out
}

/// Fits a list to a page.
pub fn settle(rows: &[Row], list: &mut List, width: u16, lines: u16) {
    let cursor = list.cursor.min(rows.len().saturating_sub(1));
    list.settle(rows.len(), lines, |row| height(rows, row, cursor, width));
}

fn height(rows: &[Row], row: usize, cursor: usize, width: u16) -> u16 {
    rows.get(row).map_or(1, |r| r.height(width, row == cursor))
}

/// The row at a line of the pane.
pub fn at(rows: &[Row], list: &List, width: u16, y: u16) -> Option<usize> {
    list.at(y, rows.len(), |row| height(rows, row, list.cursor, width))
}

/// Draws a page.
pub fn draw(rows: &[Row], list: &List, canvas: &mut Canvas) {
    let (width, lines) = (canvas.width(), canvas.height());
    let mut canvas = canvas.part(0, 0, width.saturating_sub(MARGIN), lines);
    for seen in list.seen(rows.len(), lines, |row| height(rows, row, list.cursor, width)) {
        rows[seen.row].draw(&mut canvas, width, &seen);
    }
}

/// Where the cursor of a page goes when the page changes: to the row with the same key, else it stays.
pub fn follow(old: &[Row], new: &[Row], list: &mut List) {
    let key = old.get(list.cursor).map(|row| row.key).filter(|key| *key != Key::Place);
    if let Some(row) = key.and_then(|key| new.iter().position(|row| row.key == key)) {
        let above = list.cursor.saturating_sub(list.top);
        list.cursor = row;
        list.top = row.saturating_sub(above);
    }
}
