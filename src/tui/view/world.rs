//! The world, drawn: the matrix, the card, and what signs and letters mean.

use ratatui::text::{Line, Span};

use crate::tui::canvas::Canvas;
use crate::tui::cells;
use crate::tui::layout::PaneId;
use crate::tui::screen::Title;
use crate::tui::sign::Sign;
use crate::tui::theme::Role;
use crate::tui::worlds::{CARD, Cell, Item, MAIN, Page, Worlds, columns, headings};

/// The line above: the domain, the pages, the tool set.
pub fn header(screen: &Worlds, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let mut left = vec![theme.span(Role::Title, screen.world.domain.name.as_str()), Span::raw("  ")];
    for (page, name) in Page::ALL {
        let here = page == screen.at.page;
        let role = if here { Role::Title } else { Role::Dim };
        left.push(theme.span(role, if here { format!("[{name}]") } else { format!(" {name} ") }));
    }
    let all = screen.world.domain.tools.len();
    let right = match screen.at.lens.and_then(|lens| screen.world.problem.toolsets.get_index(lens)) {
        Some((name, set)) => format!("set {name}, {} of {all} ", set.tools.len()),
        None => format!("whole domain, {all} "),
    };
    canvas.sides(1, 0, Line::from(left), theme.span(Role::Plain, right));
}

/// The heading of a pane.
pub fn title(screen: &Worlds, pane: PaneId) -> Title {
    let domain = &screen.world.domain;
    if pane == MAIN {
        let count = screen.rows.iter().filter(|row| !matches!(row.item, Item::Class(_))).count();
        let name = Page::ALL.iter().find(|(page, _)| *page == screen.at.page).map_or("", |(_, name)| name);
        let filter =
            if screen.filter_text().is_empty() { String::new() } else { format!(" of {}", screen.filter_text()) };
        return Title::new(format!("{name} {count}{filter}"));
    }
    if pane != CARD {
        return Title::default();
    }
    let line = format!("line {}", screen.line());
    match screen.item() {
        Some(Item::Tool(tool)) => {
            let role = domain.role_name(screen.at.role.into());
            Title::new(format!("{} × {role}", domain.tool_name(tool))).right(line)
        }
        Some(Item::Class(class)) => {
            Title::new(domain.taxonomy.get_index(class).map_or("", |(name, _)| name)).right(line)
        }
        Some(Item::Relation(relation)) => Title::new(screen.world.relation_name(relation)).right(line),
        Some(Item::Role(role)) => {
            let other = domain.role_name(screen.beside(role));
            Title::new(format!("{} beside {other}", domain.role_name(role))).right(line)
        }
        None => Title::default(),
    }
}

/// The rows of the page. The first line heads the columns.
pub fn main(screen: &Worlds, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let list = screen.list();
    let columns = columns(screen, canvas.width());
    let names = columns.names;
    let matrix = screen.at.page == Page::Tools;
    for (i, index) in columns.shown.clone().enumerate() {
        let x = names + u16::try_from(i).unwrap_or(0) * columns.width;
        let here = matrix && index == screen.at.role;
        let heading = if matrix { screen.letters[index].as_str() } else { headings(screen.at.page)[index] };
        let role = if here { Role::Title } else { Role::Dim };
        let pad = usize::from(columns.width).saturating_sub(1);
        canvas.line_in(x, 0, columns.width, theme.span(role, format!("{heading:>pad$}")));
    }
    let hidden = columns.all - columns.shown.len();
    if hidden > 0 {
        canvas.line(1, 0, theme.span(Role::Dim, theme.words(format!("… {hidden} more columns"))));
    }
    let height = canvas.height().saturating_sub(1);
    let mut body = canvas.part(0, 1, u16::MAX, height);
    if screen.visible.is_empty() {
        body.line(1, 0, theme.span(Role::Dim, "nothing passes the filter"));
    }
    for seen in list.seen(screen.visible.len(), height, |_| 1) {
        let row = &screen.rows[screen.visible[seen.row]];
        if seen.cursor {
            body.cursor(seen.y);
        }
        body.line_in(1, seen.y, names.saturating_sub(1), row.text.line(&theme));
        for (i, index) in columns.shown.clone().enumerate() {
            let x = names + u16::try_from(i).unwrap_or(0) * columns.width;
            let Some(cell) = row.cells.get(index) else { continue };
            let last = x + columns.width.saturating_sub(2);
            match cell {
                Cell::Sign(sign) => {
                    body.line_in(last, seen.y, 1, theme.sign(*sign));
                    if seen.cursor && matrix && index == screen.at.role {
                        body.line_in(last - 1, seen.y, 1, theme.span(Role::Title, "["));
                        body.line_in(last + 1, seen.y, 1, theme.span(Role::Title, "]"));
                    }
                }
                Cell::Count(count) => {
                    let text = count.to_string();
                    let width = u16::try_from(cells::width(&text)).unwrap_or(1);
                    let role = if *count == 0 { Role::Dim } else { Role::Plain };
                    body.line_in((last + 1).saturating_sub(width), seen.y, width, theme.span(role, text));
                }
            }
        }
    }
}

/// What is under the cursor, in full.
pub fn card(screen: &Worlds, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let focused = canvas.focused;
    let canvas = &mut canvas.part(0, 0, canvas.width().saturating_sub(1), u16::MAX).focused(focused);
    for seen in screen.at.card.seen(screen.card.len(), canvas.height(), |_| 1) {
        let row = &screen.card[seen.row];
        let cursor = seen.cursor && focused;
        canvas.row(seen.y, cursor, row.text.line(&theme), theme.span(Role::Dim, row.right.as_str()));
        if cursor && !row.go.is_empty() {
            let style = theme.style(Role::Link);
            let width = u16::try_from(row.text.width()).unwrap_or(u16::MAX);
            canvas.restyle(1, seen.y, width, ratatui::style::Style::new().add_modifier(style.add_modifier));
        }
    }
}

/// What signs and letters mean.
pub fn legend(screen: &Worlds, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let signs = [
        (Sign::May, "may"),
        (Sign::Capability, "lacks capability"),
        (Sign::Knowledge, "lacks knowledge"),
        (Sign::BothGates, "lacks both"),
        (Sign::Nothing, "not offered"),
    ];
    let signs =
        signs.iter().flat_map(|(sign, words)| [Span::raw("   "), theme.sign(*sign), Span::raw(format!(" {words}"))]);
    canvas.line(1, 0, Line::from(signs.skip(1).collect::<Vec<_>>()));
    let names = screen.world.domain.roles.keys().zip(&screen.letters).enumerate();
    let names = names.flat_map(|(index, (name, letter))| {
        let role = if index == screen.at.role { Role::Title } else { Role::Plain };
        [theme.span(Role::Dim, format!("{letter} ")), theme.span(role, name.as_str()), Span::raw("   ")]
    });
    canvas.line(1, 1, Line::from(names.collect::<Vec<_>>()));
}
