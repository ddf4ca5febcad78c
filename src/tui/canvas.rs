//! Drawing into a piece of the screen: clipped, sanitised, with search hits marked.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;
use unicode_segmentation::UnicodeSegmentation;

use super::cells;
use super::pattern::Pattern;
use super::sign::Sign;
use super::theme::{Role, Theme};
use crate::text::visible;

/// A piece of the screen to draw on. Coordinates are its own, from its upper left corner; what lies
/// outside is not drawn. Everything passes through [`visible`]: no text acts on the terminal.
pub struct Canvas<'a> {
    /// How things look.
    pub theme: Theme,
    /// Whether this pane has the focus.
    pub focused: bool,
    area: Rect,
    buffer: &'a mut Buffer,
    pattern: Option<&'a Pattern>,
    caret: &'a mut Option<Position>,
}

impl<'a> Canvas<'a> {
    /// A canvas over an area of a buffer; `caret` takes where the terminal's cursor is to be.
    pub fn new(area: Rect, buffer: &'a mut Buffer, theme: Theme, caret: &'a mut Option<Position>) -> Canvas<'a> {
        let area = area.intersection(buffer.area);
        Canvas { theme, focused: false, area, buffer, pattern: None, caret }
    }

    /// Marks where this pattern occurs in all that is drawn.
    pub fn marking(self, pattern: Option<&'a Pattern>) -> Canvas<'a> {
        Canvas { pattern, ..self }
    }

    /// Says that this pane has the focus.
    pub fn focused(self, focused: bool) -> Canvas<'a> {
        Canvas { focused, ..self }
    }

    /// Its columns.
    pub fn width(&self) -> u16 {
        self.area.width
    }

    /// Its lines.
    pub fn height(&self) -> u16 {
        self.area.height
    }

    /// A part of it, as a canvas of its own.
    pub fn part(&mut self, x: u16, y: u16, width: u16, height: u16) -> Canvas<'_> {
        let x = self.area.x.saturating_add(x).min(self.area.right());
        let y = self.area.y.saturating_add(y).min(self.area.bottom());
        let area = Rect { x, y, width, height }.intersection(self.area);
        Canvas {
            theme: self.theme,
            focused: self.focused,
            area,
            buffer: self.buffer,
            pattern: self.pattern,
            caret: self.caret,
        }
    }

    /// Draws a line at a column, clipped to the room with the count of what is left out.
    pub fn line<'t>(&mut self, x: u16, y: u16, line: impl Into<Line<'t>>) {
        let room = self.area.width.saturating_sub(x);
        self.line_in(x, y, room, line);
    }

    /// Draws a line in so many cells at most.
    pub fn line_in<'t>(&mut self, x: u16, y: u16, cells: u16, line: impl Into<Line<'t>>) {
        let room = usize::from(cells.min(self.area.width.saturating_sub(x)));
        if y >= self.area.height || room == 0 {
            return;
        }
        let line = line.into();
        let (mut reach, mut more) = (cells::reach(room), 0);
        let mut near = |text: &'_ str| {
            let end = text.floor_char_boundary(reach);
            reach -= end;
            more += text[end..].chars().count();
            end
        };
        let style = line.style;
        let spans: Vec<_> =
            line.spans.iter().map(|s| (visible(&s.content[..near(&s.content)]), style.patch(s.style))).collect();
        let all: String = spans.iter().map(|(text, _)| text.as_ref()).collect();
        let (kept, mark) = cells::cut_before(&all, more, room, self.theme.ascii);
        let hits = self.pattern.map(|p| p.ranges(&all)).unwrap_or_default();
        let (mut at, mut byte, mut last) = (self.area.x + x, 0, Style::new());
        let y = self.area.y + y;
        for (text, style) in &spans {
            for grapheme in text.graphemes(true) {
                if byte + grapheme.len() > kept.len() {
                    break;
                }
                let hit = hits.iter().any(|r| r.contains(&byte));
                last = if hit { style.patch(self.theme.style(Role::Hit)) } else { *style };
                // What lies under it shows through in nothing.
                let whole = Style::reset().patch(last);
                at = self.buffer.set_stringn(at, y, grapheme, cells::width(grapheme), whole).0;
                byte += grapheme.len();
            }
        }
        self.buffer.set_stringn(at, y, mark, room, Style::reset().patch(last).patch(self.theme.style(Role::Dim)));
    }

    /// Draws a row of a list: one column for the cursor, the line, and what stands at the right edge,
    /// which keeps its room.
    pub fn row<'l, 'r>(&mut self, y: u16, cursor: bool, left: impl Into<Line<'l>>, right: impl Into<Line<'r>>) {
        if cursor {
            self.cursor(y);
        }
        self.sides(1, y, left, right);
    }

    /// Draws a line from a column, and another at the right edge, which keeps its room.
    pub fn sides<'l, 'r>(&mut self, x: u16, y: u16, left: impl Into<Line<'l>>, right: impl Into<Line<'r>>) {
        let right = right.into();
        let need: usize = right.spans.iter().map(|s| cells::width(&visible(&s.content))).sum();
        let need = u16::try_from(need).unwrap_or(u16::MAX);
        let room = self.area.width.saturating_sub(x);
        if need == 0 {
            return self.line(x, y, left);
        }
        let taken = need.min(room);
        self.line_in(x, y, room.saturating_sub(taken).saturating_sub(1), left);
        self.line_in(self.area.width - taken, y, taken, right);
    }

    /// Draws the cursor's sign in the first column: bold where the pane has the focus.
    pub fn cursor(&mut self, y: u16) {
        let sign = self.theme.sign(if self.focused { Sign::Cursor } else { Sign::CursorElsewhere });
        self.line(0, y, sign);
    }

    /// Changes the style of cells already drawn.
    pub fn restyle(&mut self, x: u16, y: u16, width: u16, style: Style) {
        let area = self.part(x, y, width, 1).area;
        self.buffer.set_style(area, style);
    }

    /// Empties the canvas: for what stands over something else.
    pub fn clear(&mut self) {
        for y in self.area.top()..self.area.bottom() {
            for x in self.area.left()..self.area.right() {
                self.buffer[(x, y)].reset();
            }
        }
    }

    /// Puts the terminal's cursor here: where text is typed.
    pub fn caret(&mut self, x: u16, y: u16) {
        if x < self.area.width && y < self.area.height {
            *self.caret = Some(Position::new(self.area.x + x, self.area.y + y));
        }
    }
}
