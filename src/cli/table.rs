//! Columns that line up, whatever the cells hold.

use super::output::Paint;
use crate::tui::{cells, theme::Role};

/// Rows of cells; columns are as wide as their widest cell.
#[derive(Debug, Default)]
pub struct Table {
    head: Vec<Cell>,
    rows: Vec<Vec<Cell>>,
    /// Columns that go where there is no room for all, the first of them first.
    spare: Vec<usize>,
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

    fn name(&self) -> &str {
        self.whole.as_ref().map_or("", |(_, whole)| whole)
    }

    /// What is painted already and takes so many columns.
    pub fn painted(text: String, width: usize) -> Cell {
        Cell { text, width, right: false, whole: None }
    }
}

impl Table {
    /// A table with these headings; a number's heading stands at the right like its column.
    pub fn new(paint: &Paint, head: &[&str]) -> Table {
        let head = head.iter().map(|text| Cell::new(paint, Role::Dim, text)).collect();
        Table { head, ..Table::default() }
    }

    /// The same, where on a terminal that would break the lines these columns are left out, the first of
    /// them first, before anything is cut.
    pub fn sparing(self, spare: &[&str]) -> Table {
        let named = |name: &&str| self.head.iter().position(|cell| cell.name() == *name);
        Table { spare: spare.iter().filter_map(named).collect(), ..self }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    /// The lines, heading first, each behind `indent` columns. On a terminal that would break them the
    /// [spare](Self::sparing) columns are left out, and told at the end; then the widest columns of text are cut.
    pub fn lines(mut self, paint: &Paint, indent: usize) -> Vec<String> {
        let left_out = if paint.breaks { self.spare_columns(paint.width.saturating_sub(indent)) } else { Vec::new() };
        let mut lines = self.aligned(paint, indent);
        if !left_out.is_empty() {
            let told = format!("no room for: {}", left_out.join(", "));
            lines.push(format!("{}{}", " ".repeat(indent), paint.text(Role::Dim, &told)));
        }
        lines
    }

    /// Takes out spare columns until the lines fit; gives their names.
    fn spare_columns(&mut self, room: usize) -> Vec<String> {
        let column = |row: &Vec<Cell>, at: usize| row.get(at).map_or(0, |cell| cell.width);
        let mut gone = Vec::new();
        for at in std::mem::take(&mut self.spare) {
            let widest = |at: usize| self.rows.iter().chain([&self.head]).map(|row| column(row, at)).max().unwrap_or(0);
            let kept = (0..self.head.len()).filter(|at| !gone.contains(at));
            if kept.map(|at| widest(at) + 2).sum::<usize>() <= room + 2 {
                break;
            }
            gone.push(at);
        }
        let names = gone.iter().map(|&at| self.head[at].name().to_owned()).collect();
        gone.sort_unstable_by(|a, b| b.cmp(a));
        for row in self.rows.iter_mut().chain([&mut self.head]) {
            for &at in &gone {
                if at < row.len() {
                    row.remove(at);
                }
            }
        }
        names
    }

    fn aligned(self, paint: &Paint, indent: usize) -> Vec<String> {
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

/// Rows that each end in words: beside them, and where a terminal has no room for that, wrapped below them.
pub fn with_words(rows: Vec<(Vec<Cell>, String)>, paint: &Paint, indent: usize) -> Vec<String> {
    let columns = rows.iter().map(|(cells, _)| cells.len()).max().unwrap_or(0);
    let widest = |at: usize| rows.iter().filter_map(|(cells, _)| cells.get(at)).map(|cell| cell.width).max();
    let before = indent + (0..columns).map(|at| widest(at).unwrap_or(0) + 2).sum::<usize>();
    let fits = |words: &String| before + cells::width(&crate::text::visible(words)) <= paint.width;
    let beside = !paint.breaks || rows.iter().all(|(_, words)| fits(words));
    let (mut table, mut below) = (Table::default(), Vec::new());
    for (mut cells, words) in rows {
        if beside {
            cells.push(Cell::new(paint, Role::Dim, &words));
        } else {
            below.push(paint.wrapped(Role::Dim, &words, indent + 4));
        }
        table.row(cells);
    }
    let mut below = below.into_iter();
    let mut lines = Vec::new();
    for line in table.lines(paint, indent) {
        lines.push(line);
        lines.extend(below.next().into_iter().flatten().map(|words| format!("{}{words}", " ".repeat(indent + 4))));
    }
    lines
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

    #[test]
    fn spare_columns_go_before_anything_is_cut() {
        let lines = |width: usize, breaks: bool| {
            let mut paint = Paint::plain(false);
            (paint.width, paint.breaks) = (width, breaks);
            let mut table = Table::new(&paint, &["name", "one", "two", "n"]).sparing(&["two", "one"]);
            let words = ["a-name-of-twenty-cell", "first", "second"].map(|text| Cell::plain(&paint, text));
            table.row(words.into_iter().chain([Cell::number(&paint, Role::Plain, 7)]).collect());
            table.lines(&paint, 0)
        };
        let whole = ["name                   one    two     n", "a-name-of-twenty-cell  first  second  7"];
        assert_eq!(lines(20, false), whole);
        assert_eq!(lines(39, true), whole);
        assert_eq!(
            lines(38, true),
            ["name                   one    n", "a-name-of-twenty-cell  first  7", "no room for: two"]
        );
        assert_eq!(lines(24, true), ["name                   n", "a-name-of-twenty-cell  7", "no room for: two, one"]);
    }

    #[test]
    fn words_stand_below_where_they_have_no_room() {
        let lines = |width: usize| {
            let mut paint = Paint::plain(false);
            (paint.width, paint.breaks) = (width, true);
            with_words(vec![(vec![Cell::plain(&paint, "held(p)")], "the pump is held by all".to_owned())], &paint, 1)
        };
        assert_eq!(lines(33), [" held(p)  the pump is held by all"]);
        assert_eq!(lines(32), [" held(p)", "     the pump is held by all"]);
    }
}
