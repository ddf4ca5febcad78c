//! The browser's header, headings and rows.

use std::borrow::Cow;

use ratatui::text::{Line, Span};

use crate::plan::Distance;
use crate::text::visible;
use crate::tui::browser::Browser;
use crate::tui::browser::item::{Column, RunItem, sign_of};
use crate::tui::browser::rows::{Row, Totals};
use crate::tui::canvas::Canvas;
use crate::tui::cells;
use crate::tui::screen::Title;
use crate::tui::sign::Sign;
use crate::tui::theme::{Role, Theme};
use crate::world::World;

/// Lines that headings take in a pane of that height.
pub fn heading_lines(height: u16) -> u16 {
    u16::from(height > 3)
}

/// `ReFract   benchmark                     40 runs · 12 entries · 31 perspectives`.
pub fn header(browser: &Browser, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let stock = &browser.stock;
    let totals = &browser.totals;
    let mut counts = Vec::new();
    let count = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    if browser.intake.left > 0 {
        counts.push(format!("reading {} of {}", stock.items.len() - browser.intake.left, stock.items.len()));
    }
    if browser.intake.left == 0 && browser.intake.waiting > 0 {
        counts.push(format!("{} to score", browser.intake.waiting));
    }
    counts.push(count(stock.items.len(), "run", "runs"));
    if browser.intake.loading {
        counts.push("loading entries".to_owned());
    } else {
        counts.push(count(stock.entries.len(), "entry", "entries"));
        counts.push(count(totals.perspectives, "perspective", "perspectives"));
    }
    let faulty = totals.unusable;
    let dot = if theme.ascii { " . " } else { " · " };
    let mut right = vec![theme.span(Role::Plain, counts.join(dot))];
    if faulty > 0 {
        right.push(theme.span(Role::Fault, format!("{dot}{}", count(faulty, "unusable file", "unusable files"))));
    }
    right.push(Span::raw(" "));
    let left =
        vec![theme.span(Role::Title, "ReFract"), Span::raw("   "), theme.span(Role::Good, browser.shelf.label())];
    canvas.sides(1, 0, Line::from(left), Line::from(right));
}

/// `Runs 40, worst first ─── set: wide   filter: role:operator`.
pub fn title(browser: &Browser) -> Title {
    let how = &browser.how;
    let Totals { runs, entries, .. } = browser.totals;
    let all = browser.stock.items.len();
    let of = if runs == all { all.to_string() } else { format!("{runs} of {all}") };
    let order = match how.column {
        None => String::new(),
        Some(column) => format!(", {}{}", column.order(), if how.reverse { ", reversed" } else { "" }),
    };
    let name = if how.by_entry { format!("Entries {entries}, runs {of}") } else { format!("Runs {of}{order}") };
    let mut right = Vec::new();
    let stale = browser.stock.items.iter().any(|item| !item.counts && item.ways().is_some());
    if stale && browser.intake.waiting == 0 && how.column.is_some_and(Column::needs_plans) {
        right.push("scores came since: o orders anew".to_owned());
    }
    let below = browser.seen.len().saturating_sub(browser.list.top + usize::from(browser.list.lines));
    right.extend((below > 0 && browser.list.lines > 0).then(|| format!("{below} below")));
    right.extend(how.lens.as_ref().map(|set| format!("set: {set}")));
    right.extend((!how.filter.is_empty()).then(|| format!("filter: {}", how.filter.text)));
    Title::new(name).right(right.join("   "))
}

/// A column with its room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cell {
    column: Column,
    width: usize,
    right: bool,
}

const GAP: usize = 2;

/// The columns that have room, by what is known before any run is read: nothing moves while they fill.
fn columns(browser: &Browser, width: usize) -> Vec<Cell> {
    // While runs are still to be read their words are not known: room for the usual ones.
    let reading = browser.intake.loading || browser.intake.left > 0;
    let room = |column: usize, usual: usize, most: usize| {
        let widest = browser.totals.widest[column].max(5);
        if reading { widest.max(usual).min(most) } else { widest.min(most) }
    };
    let (name, entry, role) = (room(0, 8, 60), room(1, 8, 14), room(2, 10, 16));
    let (set, agent, end) = (room(3, 6, 10), room(4, 10, 14), room(5, 10, 24));
    let cell = |column, width, right| Cell { column, width, right };
    let mut all = vec![
        cell(Column::Run, name, false),
        cell(Column::Entry, entry, false),
        cell(Column::Role, role, false),
        cell(Column::Set, set, false),
        cell(Column::Agent, agent, false),
        cell(Column::Calls, 7, true),
        cell(Column::Goal, 5, true),
        cell(Column::Taking, 6, true),
        cell(Column::Routing, 7, true),
        cell(Column::Over, 4, true),
        cell(Column::Under, 5, true),
        cell(Column::Distance, 4, true),
        cell(Column::Efficiency, 5, true),
        cell(Column::End, end, false),
    ];
    if browser.how.by_entry {
        all.retain(|cell| cell.column != Column::Entry);
    }
    let need = |cells: &[Cell]| cells.iter().map(|cell| cell.width + GAP).sum::<usize>().saturating_sub(GAP);
    // What only wide windows show goes first; then the name gives way, down to what tells runs apart;
    // then the least needed columns.
    for drop in [&[Column::Taking, Column::Routing][..], &[Column::Efficiency]] {
        if need(&all) > width {
            all.retain(|cell| !drop.contains(&cell.column));
        }
    }
    let least = 18.min(name);
    let shrink = |cells: &mut Vec<Cell>| {
        for (column, least) in [(Column::Run, least), (Column::End, 12.min(end))] {
            let over = need(cells).saturating_sub(width);
            if let Some(cell) = cells.iter_mut().find(|cell| cell.column == column) {
                cell.width = cell.width.saturating_sub(over).max(least);
            }
        }
    };
    for drop in [
        Column::Agent,
        Column::Set,
        Column::End,
        Column::Entry,
        Column::Role,
        Column::Distance,
        Column::Under,
        Column::Over,
        Column::Calls,
    ] {
        if need(&all) <= width || all.len() < 2 {
            break;
        }
        let mut narrow = all.clone();
        shrink(&mut narrow);
        if need(&narrow) <= width {
            all = narrow;
            break;
        }
        all.retain(|cell| cell.column != drop);
    }
    shrink(&mut all);
    let spare = width.saturating_sub(need(&all));
    let spare = match all.iter_mut().find(|cell| cell.column == Column::Run) {
        Some(run) => {
            let more = spare.min(name - run.width.min(name));
            run.width += more;
            spare - more
        }
        None => spare,
    };
    if let Some(end) = all.iter_mut().find(|cell| cell.column == Column::End) {
        end.width += spare;
    }
    all
}

/// Draws headings and rows.
pub fn list(browser: &Browser, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let indent = if browser.how.by_entry { 4 } else { 2 };
    let width = usize::from(canvas.width()).saturating_sub(2 + indent);
    let cells = columns(browser, width);
    let top = heading_lines(canvas.height());
    if top > 0 {
        headings(browser, &cells, indent, canvas);
    }
    let mut body = canvas.part(0, top, u16::MAX, u16::MAX);
    if browser.seen.is_empty() {
        let text = if browser.intake.loading || browser.intake.left > 0 {
            "reading"
        } else if !browser.how.filter.is_empty() || browser.how.lens.is_some() {
            "nothing passes the filter; Esc takes it away"
        } else {
            "no runs and no entries here"
        };
        return body.line(2, 0, theme.span(Role::Dim, text));
    }
    for seen in browser.list.seen(browser.seen.len(), body.height(), |_| 1) {
        let row = browser.all[browser.seen[seen.row]].0;
        let line = match row {
            Row::Faulty(i) => {
                let file = &browser.stock.faulty[i];
                bad_file(theme, &file.name, &format!("does not load: {}", file.diagnostics[0].message))
            }
            Row::Unreadable(i) => {
                let (path, why) = &browser.stock.unreadable[i];
                bad_file(theme, &path.display().to_string(), &format!("cannot be read: {why}"))
            }
            Row::Entry(i) => {
                entry(browser, &mut body, (seen.y, seen.cursor), i);
                continue;
            }
            Row::Others => {
                let sign = group_sign(browser, row);
                Line::from(vec![theme.sign(sign), Span::raw(" "), theme.span(Role::Title, "other runs")])
            }
            Row::Run(i) => run(theme, &browser.stock.items[i], &cells, browser.how.by_entry),
        };
        body.row(seen.y, seen.cursor, line, "");
    }
}

fn bad_file(theme: Theme, name: &str, why: &str) -> Line<'static> {
    Line::from(vec![
        theme.sign(Sign::Damaged),
        Span::raw(" "),
        theme.span(Role::Title, name.to_owned()),
        theme.span(Role::Fault, format!("  {why}")),
    ])
}

fn headings(browser: &Browser, cells: &[Cell], indent: usize, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let sorted = browser.how.column.filter(|column| *column != Column::Worst);
    let mut spans = vec![Span::raw(" ".repeat(indent))];
    if browser.how.by_entry && !matches!(browser.row(), Some(Row::Run(_))) {
        let right = theme.span(Role::Dim, format!("{}  runs  ", roles_heading(browser, canvas.width())));
        let gap = " ".repeat(entry_width(browser).saturating_sub(5));
        let left = theme.span(Role::Dim, format!("  entry{gap}  title"));
        return canvas.sides(1, 0, left, right);
    }
    for cell in cells {
        let mark = if sorted == Some(cell.column) { if browser.how.reverse { "↓" } else { "↑" } } else { "" };
        let mark = if theme.ascii && !mark.is_empty() { "^" } else { mark };
        let text = place(&format!("{mark}{}", cell.column.name()), cell, theme);
        let role = if mark.is_empty() { Role::Dim } else { Role::Title };
        spans.push(theme.span(role, text));
        spans.push(Span::raw(" ".repeat(GAP)));
    }
    spans.pop();
    canvas.line(1, 0, Line::from(spans));
}

fn place(text: &str, cell: &Cell, theme: Theme) -> String {
    if cell.right {
        let clipped = cells::clip(text, cell.width, theme.ascii);
        format!("{}{clipped}", " ".repeat(cell.width.saturating_sub(cells::width(&clipped))))
    } else {
        cells::fit(text, cell.width, theme.ascii)
    }
}

/// `im-011-operator-opens-the-manual` where entry and role stand beside it: `…opens-the-manual`.
fn tail(item: &RunItem, cells: &[Cell], by_entry: bool) -> Option<String> {
    let has = |column: Column| cells.iter().any(|cell| cell.column == column);
    if !(by_entry || has(Column::Entry)) || !has(Column::Role) {
        return None;
    }
    let summary = item.summary()?;
    let beside = format!("{}-{}-", summary.problem.as_deref()?, summary.role.as_deref()?);
    item.source.name.strip_prefix(&beside).map(str::to_owned)
}

fn run(theme: Theme, item: &RunItem, all: &[Cell], by_entry: bool) -> Line<'static> {
    let mut spans = vec![Span::raw(if by_entry { "  " } else { "" }), theme.sign(sign_of(item)), Span::raw(" ")];
    let summary = item.summary();
    for cell in all {
        let waits = item.waits() && matches!(cell.column, Column::Under | Column::Distance) && summary.is_some();
        let text = if waits { theme.glyph(Sign::Pending).to_owned() } else { item.column(cell.column) };
        let text: Cow<str> = match cell.column {
            Column::Distance => theme.words(text),
            Column::Run if cells::width(&visible(&text)) > cell.width => match tail(item, all, by_entry) {
                Some(tail) => format!("{}{}", if theme.ascii { ".." } else { "…" }, visible(&tail)).into(),
                None => visible(&text),
            },
            _ => visible(&text),
        };
        let role = match cell.column {
            _ if summary.is_none() && cell.column != Column::Run => Role::Dim,
            Column::Goal if summary.and_then(|s| s.goal).is_some_and(|goal| goal.complete()) => Role::Good,
            Column::Goal if summary.is_some_and(|s| s.goal.is_some()) => Role::Changed,
            Column::Over if summary.is_some_and(|s| s.over_reach > 0) => Role::Bad,
            Column::Under if !waits && item.reach().0 > 0 => Role::Under,
            Column::Distance if item.distance() == Some(Distance::Never) => Role::Bad,
            Column::Distance if matches!(item.distance(), Some(Distance::Calls(1..))) => Role::Plain,
            Column::Over | Column::Under | Column::Distance | Column::Agent => Role::Dim,
            Column::Taking | Column::Routing | Column::Efficiency => Role::Dim,
            Column::End if summary.is_some_and(|s| s.damage > 0 || s.diverged) => Role::Fault,
            Column::End => Role::Dim,
            _ => Role::Plain,
        };
        spans.push(theme.span(role, place(&text, cell, theme)));
        spans.push(Span::raw(" ".repeat(GAP)));
    }
    spans.pop();
    Line::from(spans)
}

fn group_sign(browser: &Browser, row: Row) -> Sign {
    let open = browser.how.open.contains(&browser.stock.key(row));
    if open { Sign::Unfolded } else { Sign::Folded }
}

fn entry_width(browser: &Browser) -> usize {
    browser.totals.widest[1].clamp(5, 14)
}

/// `▸ im-001  Tower fan drops out on vibration      operator  technician            6 runs C`.
fn entry(browser: &Browser, canvas: &mut Canvas, (y, cursor): (u16, bool), index: usize) {
    let Some(world) = browser.stock.entry(index) else { return };
    let (runs, worst) = browser.totals.of_entry.get(index).copied().unwrap_or_default();
    let theme = canvas.theme;
    let id = cells::fit(&world.problem.id, entry_width(browser), theme.ascii);
    let left = vec![
        theme.sign(group_sign(browser, Row::Entry(index))),
        Span::raw(" "),
        theme.span(Role::Title, id),
        Span::raw(format!("  {}", world.problem.title)),
    ];
    let mut right = role_cells(browser, world, canvas.width(), theme);
    right.push(Span::raw(format!("{runs:>6} ")));
    let sign = worst.filter(|sign| !matches!(sign, Sign::Pending | Sign::Unknown));
    right.push(sign.map_or(Span::raw(" "), |sign| theme.sign(sign)));
    canvas.row(y, cursor, Line::from(left), Line::from(right));
}

/// From this width on roles are written out; below, their initials stand for them.
const NAMES_FROM: u16 = 110;

fn role_cells(browser: &Browser, world: &World, width: u16, theme: Theme) -> Vec<Span<'static>> {
    let nothing = theme.glyph(Sign::Nothing);
    let cell = |name: &str| {
        let has = world.domain.role_id(name).is_some_and(|role| world.problem.perspectives.contains_key(&role));
        let shown = if width >= NAMES_FROM { name.to_owned() } else { initial(name) };
        let room = cells::width(&shown);
        let text = if has { shown } else { cells::fit(nothing, room, theme.ascii) };
        theme.span(if has { Role::Plain } else { Role::Dim }, format!("{text} "))
    };
    browser.totals.roles.iter().map(|name| cell(name)).collect()
}

fn roles_heading(browser: &Browser, width: u16) -> String {
    let names = &browser.totals.roles;
    let shown = |name: &String| if width >= NAMES_FROM { name.clone() } else { initial(name) };
    let room: usize = names.iter().map(|name| cells::width(&shown(name)) + 1).sum();
    format!("{:<room$}", "roles")
}

fn initial(name: &str) -> String {
    name.chars().next().map(|c| c.to_uppercase().to_string()).unwrap_or_default()
}
