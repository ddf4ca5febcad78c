//! The results, drawn: the table with a sign and a count in each cell, and the runs behind one.

use ratatui::text::{Line, Span};

use crate::score::{GroupKey, Proportion};
use crate::text::{count, visible};
use crate::tui::browser::item::{Column, RunItem, sign_of};
use crate::tui::canvas::Canvas;
use crate::tui::cells;
use crate::tui::layout::PaneId;
use crate::tui::results::{Cell, Head, MATRIX, RUNS, Results, TABLES, place_words};
use crate::tui::screen::Title;
use crate::tui::sign::Sign;
use crate::tui::theme::{Role, Theme};

/// `Results   benchmark + ./runs                 92 runs · 46 solved · 2 not scored`.
pub fn header(screen: &Results, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let mut left = vec![theme.span(Role::Title, "Results"), Span::raw("   ")];
    match &screen.entry {
        Some(entry) => {
            let title = screen.stock.entries.get(entry).map_or("", |world| &world.problem.title);
            left.push(theme.span(Role::Good, format!("{entry} {title}")));
        }
        None => left.push(theme.span(Role::Good, screen.label())),
    }
    let item = |run: &usize| &screen.stock.items[*run];
    let scored = screen.runs.iter().filter(|run| item(run).scored().is_some()).count();
    let solved = screen.runs.iter().filter(|run| item(run).scored().is_some_and(|scored| scored.score.solved)).count();
    let mut counts = Vec::new();
    if screen.intake.left > 0 {
        counts.push(format!("{} to read", screen.intake.left));
    } else if screen.intake.waiting > 0 {
        counts.push(format!("{} to score", screen.intake.waiting));
    }
    counts.push(count(screen.runs.len(), "run"));
    counts.push(format!("{solved} solved"));
    if scored < screen.runs.len() {
        counts.push(format!("{} not scored", screen.runs.len() - scored));
    }
    let right = format!("{} ", counts.join(&theme.words(" · ")));
    canvas.sides(1, 0, Line::from(left), theme.span(Role::Plain, right));
}

/// The heading of a pane.
pub fn title(screen: &Results, pane: PaneId) -> Title {
    match pane {
        MATRIX => {
            let mut name = screen.at.table().name();
            name[..1].make_ascii_uppercase();
            let heads = |heads: &[Head]| heads.iter().filter(|head| matches!(head, Head::Of(_))).count();
            let (rows, columns) = (heads(&screen.matrix.rows), heads(&screen.matrix.columns));
            let name = format!("{name}, {rows} by {columns}");
            let mut right = Vec::new();
            let (order, _) = screen.at.order.words();
            let given = order == "name" && !screen.at.reverse;
            right.extend((!given).then(|| format!("by {order}{}", if screen.at.reverse { ", reversed" } else { "" })));
            right.extend(screen.at.lens.as_ref().map(|set| format!("set: {set}")));
            let filter = screen.filter_text();
            right.extend((!filter.is_empty()).then(|| format!("filter: {filter}")));
            right.push(format!("{{}} {} of {}", screen.at.table + 1, TABLES.len()));
            Title::new(name).right(right.join("   "))
        }
        RUNS => {
            let title = Title::new(place_words(screen));
            match screen.cell().filter(|cell| !cell.runs.is_empty()).map(|cell| (cell.solved, cell.runs.len())) {
                None => title.right("no runs"),
                Some((None, runs)) => title.right(count(runs, "run")),
                Some((Some(solved), runs)) => {
                    let share = Proportion::of(solved, runs);
                    let bounds = |share: Proportion| {
                        format!("   95 % from {:.0} to {:.0} %", share.low * 100.0, share.high * 100.0)
                    };
                    title.right(format!("{solved} of {runs} solved{}", share.map_or(String::new(), bounds)))
                }
            }
        }
        _ => {
            let list = screen.at.charts;
            let below = screen.charts.len().saturating_sub(list.top + usize::from(list.lines));
            let more = if below > 0 { format!("{} below   ", count(below, "line")) } else { String::new() };
            Title::new("Charts").right(format!("{more}{}", count(screen.matrix.scored(), "run")))
        }
    }
}

/// Which columns stand where.
pub struct Columns {
    /// Cells for the names of rows, the cursor's sign included.
    names: u16,
    /// Those to be seen: which, where it begins, its cells without the gap, cells of its counts.
    shown: Vec<(usize, u16, u16, usize)>,
}

impl Columns {
    /// The column at a cell of the pane.
    pub fn at(&self, x: u16) -> Option<usize> {
        self.shown.iter().rev().find(|(_, start, ..)| x + 1 >= *start).map(|(column, ..)| *column)
    }
}

/// Cells of a heading at most.
const HEADING: usize = 10;

/// Fits the columns into a width: names keep theirs, and the column of the cursor is seen.
pub fn columns(screen: &Results, room: u16) -> Columns {
    let matrix = &screen.matrix;
    let cell = |text: &str| cells::width(&visible(text));
    let counts = |column: usize| {
        let all = matrix.cells.iter().filter_map(|row| row.get(column));
        all.map(|cell| cells::width(&fraction(cell))).max().unwrap_or(0).max(3)
    };
    let widths: Vec<(usize, usize)> = matrix
        .columns
        .iter()
        .enumerate()
        .map(|(column, head)| (cell(&head_words(head)).min(HEADING).max(counts(column) + 2), counts(column)))
        .collect();
    let widest = |words: &dyn Fn(&Head) -> String| matrix.rows.iter().map(|head| cell(&words(head))).max().unwrap_or(0);
    let (short, long) = (widest(&head_words), widest(&|head| row_words(screen, head)));
    // The last column keeps clear of the border.
    let room = usize::from(room).saturating_sub(1);
    let least = (short.clamp(6, 24) + 3).min(room / 2);
    let need = |gap: usize| widths.iter().map(|(width, _)| width + gap).sum::<usize>();
    let gap = (room.saturating_sub(least + need(0)) / widths.len().max(1)).clamp(1, 3);
    let names = (room + gap).saturating_sub(need(gap)).clamp(least, (long.clamp(6, 64) + 3).max(least));
    // From the column of the cursor to the left, then to the right, as many as there is room for.
    let mut left = (room + gap).saturating_sub(names);
    let mut fits = |column: usize| {
        let width = widths[column].0 + gap;
        let fits = width <= left;
        left = left.saturating_sub(width);
        fits
    };
    let at = screen.at.column.min(widths.len().saturating_sub(1));
    let first = (0..=at).rev().take_while(|&column| widths.len() > column && fits(column)).last().unwrap_or(at);
    let last = (at + 1..widths.len()).take_while(|&column| fits(column)).last().unwrap_or(at);
    let mut x = u16::try_from(names).unwrap_or(0);
    let mut shown = Vec::new();
    for (column, &(width, counts)) in widths.iter().enumerate().take(last + 1).skip(first) {
        let width = u16::try_from(width).unwrap_or(0);
        shown.push((column, x, width, counts));
        x = x.saturating_add(width).saturating_add(gap as u16);
    }
    Columns { names: u16::try_from(names).unwrap_or(0), shown }
}

/// A heading by itself.
fn head_words(head: &Head) -> String {
    match head {
        Head::Of(name) if name.is_empty() => "(none)".to_owned(),
        Head::Of(name) => name.clone(),
        Head::All => "all".to_owned(),
        Head::Unscored => "not scored".to_owned(),
    }
}

/// The words of a row: an entry with its title.
pub fn row_words(screen: &Results, head: &Head) -> String {
    let words = head_words(head);
    match (screen.at.table().rows, head) {
        (GroupKey::Problem, Head::Of(entry)) => match screen.stock.entries.get(entry) {
            Some(world) => format!("{words}  {}", world.problem.title),
            None => words,
        },
        _ => words,
    }
}

/// `3/4`; of what was not scored the count alone.
fn fraction(cell: &Cell) -> String {
    match cell.solved {
        _ if cell.runs.is_empty() => String::new(),
        Some(solved) => format!("{solved}/{}", cell.runs.len()),
        None => cell.runs.len().to_string(),
    }
}

/// The table. The first line heads the columns.
pub fn matrix(screen: &Results, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let matrix = &screen.matrix;
    if matrix.rows.len() < 2 {
        let text = if screen.intake.loading || screen.intake.left > 0 {
            "reading"
        } else if screen.filter_text().is_empty() && screen.at.lens.is_none() {
            "no runs here; a shows what there could be"
        } else {
            "no run passes the filter; Esc takes it away"
        };
        return canvas.line(1, 1, theme.span(Role::Dim, text));
    }
    let columns = columns(screen, canvas.width());
    for &(column, x, width, _) in &columns.shown {
        let role = if column == screen.at.column { Role::Title } else { Role::Dim };
        let text =
            cells::clip(&visible(&head_words(&matrix.columns[column])), usize::from(width), theme.ascii).into_owned();
        // Totals have no sign: their heading stands over the counts.
        let total = matrix.columns[column] == Head::All;
        let text = if total { format!("{text:>width$}", width = usize::from(width)) } else { text };
        canvas.line_in(x, 0, width, theme.span(role, text));
    }
    let hidden = matrix.columns.len() - columns.shown.len();
    if hidden > 0 {
        let text = theme.words(format!("+{hidden} {}", if columns.names > 9 { "more" } else { "" })).into_owned();
        canvas.line_in(1, 0, columns.names.saturating_sub(2), theme.span(Role::Dim, text));
    }
    let height = canvas.height().saturating_sub(1);
    let mut body = canvas.part(0, 1, u16::MAX, height);
    for seen in screen.at.rows.seen(matrix.rows.len(), height, |_| 1) {
        let head = &matrix.rows[seen.row];
        if seen.cursor {
            body.cursor(seen.y);
        }
        let name = name_line(screen, head, usize::from(columns.names.saturating_sub(3)), theme);
        body.line_in(1, seen.y, columns.names.saturating_sub(2), name);
        for &(column, x, width, counts) in &columns.shown {
            let Some(cell) = matrix.cell(seen.row, column) else { continue };
            let total = !matches!((head, &matrix.columns[column]), (Head::Of(_), Head::Of(_)));
            body.line_in(x, seen.y, width, cell_line(cell, total, counts, theme));
            if seen.cursor && column == screen.at.column {
                let right = x + u16::try_from(counts + 2).unwrap_or(0);
                // Close to what is there: totals have no sign before the count.
                let blank = if total { 2 + counts.saturating_sub(cells::width(&fraction(cell))) } else { 0 };
                let left = x.saturating_sub(1) + u16::try_from(blank).unwrap_or(0);
                body.line_in(left, seen.y, 1, theme.span(Role::Title, "["));
                body.line_in(right, seen.y, 1, theme.span(Role::Title, "]"));
            }
        }
    }
}

fn name_line(screen: &Results, head: &Head, room: usize, theme: Theme) -> Line<'static> {
    let short = head_words(head);
    let role = if matches!(head, Head::Of(_)) { Role::Title } else { Role::Dim };
    let rest = row_words(screen, head).strip_prefix(&short).unwrap_or_default().to_owned();
    let left = room.saturating_sub(cells::width(&visible(&short)));
    // A word or two of a title say less than none.
    let fits = left >= 18 || cells::width(&visible(&rest)) <= left;
    let rest = if fits { cells::words(&visible(&rest), left, theme.ascii) } else { String::new() };
    Line::from(vec![theme.span(role, short), Span::raw(rest)])
}

/// `C  3/4`: the worst sign and how many are solved; of totals the count alone.
fn cell_line(cell: &Cell, total: bool, width: usize, theme: Theme) -> Line<'static> {
    if cell.runs.is_empty() {
        let sign = if cell.possible && !total { theme.glyph(Sign::Nothing) } else { " " };
        return Line::from(theme.span(Role::Dim, sign));
    }
    let sign = match (cell.sign, total && cell.solved.is_some()) {
        (Some(sign), false) => theme.sign(sign),
        _ => Span::raw(" "),
    };
    let role = match cell.solved {
        _ if total => Role::Plain,
        Some(solved) if solved == cell.runs.len() => Role::Good,
        Some(0) => Role::Bad,
        _ => Role::Changed,
    };
    Line::from(vec![sign, Span::raw(" "), theme.span(role, format!("{:>width$}", fraction(cell)))])
}

/// The runs behind the cell under the cursor.
pub fn runs(screen: &Results, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let focused = canvas.focused;
    let runs = screen.cell().map_or(&[][..], |cell| &cell.runs);
    if runs.is_empty() {
        let possible = screen.cell().is_none_or(|cell| cell.possible);
        let filtered = !screen.filter_text().is_empty() || screen.at.lens.is_some();
        let text = match (possible, filtered) {
            (true, false) => "no runs yet: p plays the entry",
            (true, true) => "none of its runs passes the filter, or there are none yet",
            (false, _) => "there can be none: no such perspective",
        };
        return canvas.line(1, 0, theme.span(Role::Dim, text));
    }
    let width = usize::from(canvas.width());
    let longest = runs.iter().map(|&run| cells::width(&visible(&screen.stock.items[run].source.name))).max();
    let name = longest.unwrap_or(0).min(width.saturating_sub(SCORES + 4)).min(44);
    let more = width > name + SCORES + 30;
    for seen in screen.at.runs.seen(runs.len(), canvas.height(), |_| 1) {
        let item = &screen.stock.items[runs[seen.row]];
        canvas.row(seen.y, seen.cursor && focused, run_line(item, name, more, theme), "");
    }
}

/// Cells of the scores of a run.
const SCORES: usize = 42;

fn run_line(item: &RunItem, name: usize, more: bool, theme: Theme) -> Line<'static> {
    let fit = |text: &str, width: usize| cells::fit(&visible(text), width, theme.ascii);
    let mut spans = vec![theme.sign(sign_of(item)), Span::raw(" "), Span::raw(fit(&item.source.name, name))];
    let mut add = |label: &str, text: String, role: Role| {
        spans.push(theme.span(Role::Dim, format!("  {label} ")));
        spans.push(theme.span(role, text));
    };
    let waits = |column| if item.waits() { theme.glyph(Sign::Pending).to_owned() } else { item.column(column) };
    let bad = |bad: bool, role: Role| if bad { role } else { Role::Dim };
    let over = item.summary().is_some_and(|summary| summary.over_reach > 0);
    let complete = item.summary().and_then(|summary| summary.goal).is_some_and(|goal| goal.complete());
    add("goal", format!("{:>5}", item.column(Column::Goal)), if complete { Role::Good } else { Role::Changed });
    add("over", format!("{:>2}", item.column(Column::Over)), bad(over, Role::Bad));
    add("under", format!("{:>2}", waits(Column::Under)), bad(item.reach().0 > 0, Role::Under));
    add("dist", format!("{:>2}", theme.words(waits(Column::Distance))), Role::Plain);
    if more {
        add("", fit(&item.column(Column::Set), 8), Role::Dim);
        add("", visible(&item.column(Column::Agent)).into_owned(), Role::Dim);
    }
    Line::from(spans)
}
