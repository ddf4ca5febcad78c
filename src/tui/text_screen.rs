//! A text to read: a raw record, a source file, a prompt. Line numbers, highlighting, search.

use std::ops::Range;
use std::path::PathBuf;

use ratatui::layout::Size;
use ratatui::text::{Line, Span};

use super::canvas::Canvas;
use super::cells;
use super::command::{Cmd, ScreenTable, Use};
use super::highlight::{Syntax, Tokens};
use super::layout::{Arranged, Extent, Layout, PaneId};
use super::list::List;
use super::pattern::Pattern;
use super::screen::{Ctx, Input, Kind, Place, Screen, Spot, Title};
use super::theme::Role;
use crate::text::visible_lines;

/// The screen's part of the command table.
pub const TABLE: ScreenTable = ScreenTable {
    kind: Kind::Text,
    name: "text",
    uses: &[
        Use::new(Cmd::Down, "down").footer("scroll", 20),
        Use::new(Cmd::Last, "last line; with a count, that line"),
        Use::new(Cmd::Search, "search").footer("search", 90),
        Use::new(Cmd::SearchNext, "next hit"),
        Use::new(Cmd::SearchPrev, "hit before"),
        Use::new(Cmd::Wrap, "break long lines, or let them run out of sight"),
        Use::new(Cmd::CopyValue, "copy this line").footer("copy", 40),
        Use::new(Cmd::CopyPath, "copy the path"),
        Use::new(Cmd::Edit, "open in the editor at this line").footer("edit", 60),
    ],
    reasons: &[
        (Cmd::Open, "this is plain text: nothing opens from here"),
        (Cmd::Raw, "this is the record itself"),
        (Cmd::CopyCall, "use y y: it copies the line"),
    ],
};

/// Bytes of a line that are shown: to break one of many megabytes takes seconds.
const LONGEST: usize = 1 << 20;

/// A line, or its beginning and how much more there is.
fn shortened(line: &str) -> String {
    let end = line.floor_char_boundary(LONGEST);
    match line.len() - end {
        0 => line.to_owned(),
        more => format!("{} … {more} bytes more; e opens the file", &line[..end]),
    }
}

/// The body's pane.
const BODY: PaneId = 0;

/// A text and where one reads in it.
#[derive(Debug)]
pub struct TextScreen {
    /// Heads the pane.
    pub title: String,
    /// Names it in links: `path:line` becomes `address#line`.
    pub address: String,
    /// The file behind it, for the editor.
    pub path: Option<PathBuf>,
    /// The number of its first line, for an extract.
    pub first_line: usize,
    lines: Vec<String>,
    tokens: Tokens,
    /// The lines as broken for the pane: line and stretch of it.
    rows: Vec<(usize, Range<usize>)>,
    broken_for: Option<(u16, bool)>,
    wrap: bool,
    list: List,
    /// The line to open at.
    start: usize,
    /// Whether lines are numbered.
    numbered: bool,
}

impl TextScreen {
    /// A text. It is made safe to show; what acts on terminals is shown instead.
    pub fn new(title: impl Into<String>, address: impl Into<String>, text: &str, syntax: Syntax) -> TextScreen {
        let text = visible_lines(text);
        let lines: Vec<String> = text.strip_suffix('\n').unwrap_or(&text).split('\n').map(shortened).collect();
        let tokens = Tokens::new(syntax, &lines);
        TextScreen {
            title: title.into(),
            address: address.into(),
            path: None,
            first_line: 1,
            lines,
            tokens,
            rows: Vec::new(),
            broken_for: None,
            wrap: true,
            list: List::default(),
            start: 1,
            numbered: true,
        }
    }

    /// The same without line numbers, for what numbers its lines itself.
    pub fn unnumbered(self) -> TextScreen {
        TextScreen { numbered: false, ..self }
    }

    /// The file behind the text, for `e` and `y p`.
    pub fn file(self, path: impl Into<PathBuf>) -> TextScreen {
        TextScreen { path: Some(path.into()), ..self }
    }

    /// The line (from 1, as numbered) that the cursor stands on at first.
    pub fn at_line(self, line: usize) -> TextScreen {
        TextScreen { start: line, ..self }
    }

    fn gutter(&self) -> u16 {
        if !self.numbered {
            return 1;
        }
        let last = self.first_line + self.lines.len();
        u16::try_from(last.to_string().len() + 2).unwrap_or(8)
    }

    /// The line under the cursor, from 0.
    fn line(&self) -> usize {
        self.rows.get(self.list.cursor).map_or(0, |(line, _)| *line)
    }

    fn go(&mut self, line: usize) {
        self.list.cursor = self.rows.partition_point(|(l, _)| *l < line);
    }

    /// Breaks the lines anew where the width changed; the cursor stays on its line.
    fn break_lines(&mut self, width: u16) {
        if self.broken_for == Some((width, self.wrap)) {
            return;
        }
        let first = self.broken_for.is_none();
        let (line, above) = (self.line(), self.list.cursor.saturating_sub(self.list.top));
        let room = usize::from(width.saturating_sub(self.gutter() + 1)).max(1);
        let whole = |i: usize, text: &String| vec![(i, 0..text.len())];
        let broken = |i, text: &String| cells::wrap_line(text, room).into_iter().map(|r| (i, r)).collect();
        let rows = self.lines.iter().enumerate();
        self.rows = rows.flat_map(|(i, text)| if self.wrap { broken(i, text) } else { whole(i, text) }).collect();
        self.broken_for = Some((width, self.wrap));
        self.go(if first { self.start.saturating_sub(self.first_line) } else { line });
        self.list.top = self.list.cursor.saturating_sub(above);
    }

    fn command(&mut self, call: &super::dispatch::Call, ctx: &mut Ctx) {
        let number = self.first_line + self.line();
        match call.cmd {
            Cmd::Last if call.count.is_some() => {
                ctx.jumped(self.place());
                self.go(call.times().saturating_sub(self.first_line));
            }
            Cmd::First | Cmd::Last => {
                ctx.jumped(self.place());
                self.list.motion(call, self.rows.len());
            }
            Cmd::Wrap => self.wrap = !self.wrap,
            Cmd::CopyValue => {
                ctx.copy(self.lines.get(self.line()).cloned().unwrap_or_default(), format!("line {number}"))
            }
            Cmd::CopyPath => match &self.path {
                Some(path) => ctx.copy(path.display().to_string(), "the path"),
                None => ctx.warn("no file stands behind this text"),
            },
            Cmd::Edit => match &self.path {
                Some(path) => ctx.edit(path, number),
                None => ctx.warn("no file stands behind this text"),
            },
            _ => {
                self.list.motion(call, self.rows.len());
            }
        }
    }
}

impl Screen for TextScreen {
    fn kind(&self) -> Kind {
        Kind::Text
    }

    fn address(&self) -> String {
        format!("{}#{}", self.address, self.first_line + self.line())
    }

    fn layout(&self, _size: Size) -> Layout {
        Layout::new(0).band(Extent::Share(1), &[(&[BODY], Extent::Share(1))])
    }

    fn title(&self, _pane: PaneId) -> Title {
        let (at, of) = (self.first_line + self.line(), self.first_line + self.lines.len() - 1);
        Title::new(self.title.clone()).right(format!("{at} of {of}"))
    }

    fn draw_header(&self, _canvas: &mut Canvas) {}

    fn draw(&self, _pane: PaneId, canvas: &mut Canvas) {
        let theme = canvas.theme;
        let gutter = self.gutter();
        for seen in self.list.seen(self.rows.len(), canvas.height(), |_| 1) {
            let (line, stretch) = &self.rows[seen.row];
            if seen.cursor {
                canvas.cursor(seen.y);
            }
            if stretch.start == 0 && self.numbered {
                let number = format!("{:>1$}", self.first_line + line, usize::from(gutter - 2));
                canvas.line(1, seen.y, theme.span(Role::Dim, number));
            }
            let text = &self.lines[*line];
            let spans = self.tokens.cut(*line, text, stretch).into_iter().map(|(r, role)| theme.span(role, &text[r]));
            canvas.line(gutter + 1, seen.y, Line::from(spans.collect::<Vec<Span>>()));
        }
    }

    fn update(&mut self, input: Input, ctx: &mut Ctx) {
        match input {
            Input::Run(call) => self.command(&call, ctx),
            Input::Click { y, .. } => {
                if let Some(row) = self.list.at(y, self.rows.len(), |_| 1) {
                    self.list.cursor = row;
                }
            }
            Input::Wheel { rows, .. } => self.list.wheel(rows, self.rows.len()),
            Input::Arrived(address) => {
                if let Some(line) = address.rsplit_once('#').and_then(|(_, n)| n.parse::<usize>().ok()) {
                    self.go(line.saturating_sub(self.first_line));
                }
            }
            _ => {}
        }
    }

    fn settle(&mut self, arranged: &Arranged) {
        let area = arranged.area(BODY);
        self.break_lines(area.width);
        self.list.settle(self.rows.len(), area.height, |_| 1);
    }

    fn place(&self) -> Place {
        Place::new((self.line(), self.list))
    }

    fn restore(&mut self, place: &Place) {
        if let Some((line, list)) = place.get::<(usize, List)>() {
            self.list = *list;
            // Lines may have been broken anew since.
            if self.line() != *line {
                self.go(*line);
            }
        }
    }

    fn search(&self, pattern: &Pattern) -> Vec<Spot> {
        let found = self.lines.iter().enumerate().filter(|(_, text)| pattern.matches(text));
        found.map(|(row, _)| Spot { pane: BODY, row }).collect()
    }

    fn spot(&self) -> Spot {
        Spot { pane: BODY, row: self.line() }
    }

    fn reveal(&mut self, spot: Spot) {
        self.go(spot.row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_megabytes_is_cut_and_says_so() {
        let text = format!("a\n{}\nb", "漢".repeat(1 << 20));
        let screen = TextScreen::new("t", "t", &text, Syntax::Json);
        let lengths: Vec<usize> = screen.lines.iter().map(String::len).collect();
        assert!(lengths[1] < LONGEST + 64 && (lengths[0], lengths[2]) == (1, 1), "{lengths:?}");
        assert!(
            screen.lines[1].ends_with(" … 2097153 bytes more; e opens the file"),
            "{}",
            &screen.lines[1][LONGEST..]
        );
    }
}
