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
}

impl Cell {
    /// Text with the look of a meaning.
    pub fn new(paint: &Paint, role: Role, text: &str) -> Cell {
        let width = cells::width(&crate::text::visible(text));
        Cell { text: paint.text(role, text), width, right: false }
    }

    /// Ordinary text.
    pub fn plain(paint: &Paint, text: &str) -> Cell {
        Cell::new(paint, Role::Plain, text)
    }

    /// A number; stands at the right.
    pub fn number(paint: &Paint, role: Role, number: impl ToString) -> Cell {
        Cell { right: true, ..Cell::new(paint, role, &number.to_string()) }
    }

    /// What is painted already and takes so many columns.
    pub fn painted(text: String, width: usize) -> Cell {
        Cell { text, width, right: false }
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

    /// The lines, heading first, each behind `indent` columns.
    pub fn lines(self, indent: usize) -> Vec<String> {
        let columns = self.rows.iter().map(Vec::len).chain([self.head.len()]).max().unwrap_or(0);
        let mut head = self.head;
        for (column, cell) in head.iter_mut().enumerate() {
            cell.right = self.rows.first().and_then(|row| row.get(column)).is_some_and(|cell| cell.right);
        }
        let named = head.iter().any(|cell| cell.width > 0);
        let rows: Vec<Vec<Cell>> = named.then_some(head).into_iter().chain(self.rows).collect();
        let widest = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width).max();
        let widths: Vec<usize> = (0..columns).map(|column| widest(column).unwrap_or(0)).collect();
        let line = |row: &Vec<Cell>| {
            let mut line = " ".repeat(indent);
            for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let fill = " ".repeat(width - cell.width);
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
        assert_eq!(table.lines(1), [" name        n", " 漢字漢字    7", " e\u{301}          12", " a␛b       123"]);
    }
}
