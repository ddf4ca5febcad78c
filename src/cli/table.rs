//! Columns that line up, whatever the cells hold.

use super::output::Paint;
use crate::tui::{cells, theme::Role};

/// Rows of cells; columns are as wide as their widest cell.
#[derive(Debug, Default)]
pub struct Table {
    head: Vec<Cell>,
    rows: Vec<Vec<Cell>>,
}

/// A cell: what is printed, and how many columns that takes.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    text: String,
    width: usize,
    right: bool,
    /// What it was painted from, if it may be cut.
    whole: Option<(Role, String)>,
}

/// A column is not made narrower than this.
const NARROWEST: usize = 8;

impl Cell {
    /// Text with the look of a meaning.
    pub fn new(paint: &Paint, role: Role, text: &str) -> Cell {
        let width = cells::width(&crate::text::visible(text));
        Cell { text: paint.text(role, text), width, right: false, whole: Some((role, text.to_owned())) }
    }

    /// Ordinary text.
    pub fn plain(paint: &Paint, text: &str) -> Cell {
        Cell::new(paint, Role::Plain, text)
    }

    /// A number; stands at the right.
    pub fn number(paint: &Paint, role: Role, number: impl ToString) -> Cell {
        Cell { right: true, whole: None, ..Cell::new(paint, role, &number.to_string()) }
    }

    /// What is painted already and takes so many columns.
    pub fn painted(text: String, width: usize) -> Cell {
        Cell { text, width, right: false, whole: None }
    }
}

impl Table {
    /// A table with these headings; a number's heading stands at the right like its column.
    pub fn new(paint: &Paint, head: &[&str]) -> Table {
        Table { head: head.iter().map(|text| Cell::new(paint, Role::Dim, text)).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    /// The lines, heading first, each behind `indent` columns. On a terminal that would break them the
    /// widest columns of text are cut.
    pub fn lines(self, paint: &Paint, indent: usize) -> Vec<String> {
        let columns = self.rows.iter().map(Vec::len).chain([self.head.len()]).max().unwrap_or(0);
        let mut head = self.head;
        for (column, cell) in head.iter_mut().enumerate() {
            cell.right = self.rows.first().and_then(|row| row.get(column)).is_some_and(|cell| cell.right);
        }
        let named = head.iter().any(|cell| cell.width > 0);
        let rows: Vec<Vec<Cell>> = named.then_some(head).into_iter().chain(self.rows).collect();
        let widest = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width).max();
        let mut widths: Vec<usize> = (0..columns).map(|column| widest(column).unwrap_or(0)).collect();
        if paint.breaks {
            let room = paint.width.saturating_sub(indent + 2 * columns.saturating_sub(1));
            let text = |column: usize| {
                rows.iter().filter_map(|row| row.get(column)).all(|cell| cell.whole.is_some() || cell.width == 0)
            };
            fit(&mut widths, room, &(0..columns).map(text).collect::<Vec<_>>());
        }
        let line = |row: &Vec<Cell>| {
            let mut line = " ".repeat(indent);
            for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let cut = match &cell.whole {
                    Some((role, whole)) if cell.width > *width => {
                        Some(Cell::new(paint, *role, &paint.clip(whole, *width)))
                    }
                    _ => None,
                };
                let cell = cut.as_ref().unwrap_or(cell);
                let fill = " ".repeat(width.saturating_sub(cell.width));
                let (before, after) = if cell.right { (fill.as_str(), "") } else { ("", fill.as_str()) };
                let gap = if index == 0 { "" } else { "  " };
                line.push_str(&format!("{gap}{before}{}{after}", cell.text));
            }
            line.truncate(line.trim_end().len());
            line
        };
        rows.iter().map(line).collect()
    }
}

/// Takes from the widest columns of text until all have room.
fn fit(widths: &mut [usize], room: usize, text: &[bool]) {
    while widths.iter().sum::<usize>() > room {
        let may = |&column: &usize| text[column] && widths[column] > NARROWEST;
        let Some(widest) = (0..widths.len()).filter(may).max_by_key(|&column| widths[column]) else { return };
        widths[widest] -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let paint = Paint::plain(false);
        let mut table = Table::new(&paint, &["name", "n"]);
        for (name, n) in [("漢字漢字", 7), ("e\u{301}", 12), ("a\x1bb", 123)] {
            table.row(vec![Cell::plain(&paint, name), Cell::number(&paint, Role::Plain, n)]);
        }
        assert_eq!(
            table.lines(&paint, 1),
            [" name        n", " 漢字漢字    7", " e\u{301}          12", " a␛b       123"]
        );
    }
    #[test]
    fn a_terminal_gets_lines_that_it_does_not_break() {
        let lines = |paint: &Paint| {
            let mut table = Table::new(paint, &["name", "n", "words"]);
            table.row(vec![
                Cell::plain(paint, "a-rather-long-name"),
                Cell::number(paint, Role::Plain, 12),
                Cell::plain(paint, "and what it is in words, 漢字 too"),
            ]);
            table.lines(paint, 1)
        };
        let mut paint = Paint::plain(false);
        paint.width = 40;
        assert_eq!(lines(&paint)[1], " a-rather-long-name  12  and what it is in words, 漢字 too");
        paint.breaks = true;
        // 33 columns are left for 18 and 32 of text: 17 and 16.
        assert_eq!(lines(&paint), [" name                n  words", " a-rather-long-n…3  12  and what it i…18"]);
    }
}
