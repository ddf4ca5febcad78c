//! Card, help and palette, drawn over the screen.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::tui::canvas::Canvas;
use crate::tui::cells;
use crate::tui::list::List;
use crate::tui::model::Model;
use crate::tui::overlay::{HelpRow, Overlay, Palette};
use crate::tui::theme::Role;

/// Where it stands: as high as it needs to be, in the middle; the palette at the top.
pub fn overlay_area(model: &Model) -> Rect {
    let (width, height) = (model.size.width, model.size.height);
    let (rows, wanted) = match &model.overlay {
        None => return Rect::ZERO,
        Some(Overlay::Card { card, .. }) => {
            // A row that goes somewhere says so at its end.
            let row = |(line, target): &(Line, Option<String>)| line.width() + if target.is_some() { 8 } else { 0 };
            let widest = card.rows.iter().map(row).max().unwrap_or(0);
            (card.rows.len(), widest.max(cells::width(&card.title) + 2) + 4)
        }
        Some(Overlay::Help { rows, .. }) => {
            let row = |row: &HelpRow| cells::width(&row.text) + cells::width(row.name) + 1;
            (rows.len(), 2 + keys_room(rows) + rows.iter().map(row).max().unwrap_or(0) + 5)
        }
        Some(Overlay::Palette(_)) => (usize::from(height / 2), 90),
    };
    // What would leave mere scraps of the screen beside it fills the width.
    let wanted = u16::try_from(wanted).unwrap_or(u16::MAX).max(30);
    let w = if wanted + 4 > width { width } else { wanted };
    let h = u16::try_from(rows + 2).unwrap_or(u16::MAX).min(height.saturating_sub(4).max(height.min(3)));
    Rect::new((width - w) / 2, (height - h) / 2, w, h)
}

/// The wheel over it.
pub fn wheel(model: &mut Model, rows: i32) {
    let lines = overlay_area(model).height.saturating_sub(2);
    match &mut model.overlay {
        Some(Overlay::Card { card, list }) => scroll(list, rows, card.rows.len(), lines),
        Some(Overlay::Help { rows: all, list }) => scroll(list, rows, all.len(), lines),
        Some(Overlay::Palette(palette)) => scroll(&mut palette.list, rows, palette.choices.len(), lines),
        None => {}
    }
}

fn scroll(list: &mut List, rows: i32, len: usize, lines: u16) {
    list.lines = lines;
    list.wheel(rows, len);
}

/// Draws it.
pub fn draw(model: &Model, canvas: &mut Canvas) {
    canvas.clear();
    let mut canvas = canvas.part(0, 0, u16::MAX, u16::MAX).focused(true);
    match &model.overlay {
        Some(Overlay::Card { card, list }) => {
            let mut body = frame(&mut canvas, &card.title, "Esc");
            each(&mut body, list, card.rows.len(), |canvas, y, cursor, row| {
                let (line, target) = &card.rows[row];
                canvas.row(y, cursor, line.clone(), if target.is_some() { "Enter" } else { "" });
            });
        }
        Some(Overlay::Help { rows, list }) => {
            let mut body = frame(&mut canvas, "Keys", "Enter runs, Esc");
            let room = keys_room(rows);
            each(&mut body, list, rows.len(), |canvas, y, cursor, row| help_row(canvas, y, cursor, &rows[row], room));
        }
        Some(Overlay::Palette(palette)) => draw_palette(&mut canvas, palette),
        None => {}
    }
}

/// A box around, a title in it; what is inside comes back. A card lies over other rules, so it needs
/// all four sides.
fn frame<'c>(canvas: &'c mut Canvas, title: &str, hint: &str) -> Canvas<'c> {
    let theme = canvas.theme;
    let (w, h) = (canvas.width(), canvas.height());
    let [lt, rt, lb, rb, across, down] =
        if theme.ascii { ["+", "+", "+", "+", "-", "|"] } else { ["┌", "┐", "└", "┘", "─", "│"] };
    let middle = across.repeat(usize::from(w.saturating_sub(2)));
    let rule = |text: String| theme.span(Role::Rule, text);
    canvas.line(0, 0, rule(format!("{lt}{middle}{rt}")));
    canvas.line(0, h.saturating_sub(1), rule(format!("{lb}{middle}{rb}")));
    for y in 1..h.saturating_sub(1) {
        canvas.line(0, y, rule(down.into()));
        canvas.line(w.saturating_sub(1), y, rule(down.into()));
    }
    canvas.line_in(2, 0, w.saturating_sub(4), theme.span(Role::Title, format!(" {title} ")));
    let need = u16::try_from(cells::width(hint) + 4).unwrap_or(0);
    if usize::from(w) > cells::width(title) + usize::from(need) + 4 {
        canvas.line(w - need, 0, theme.span(Role::Dim, format!(" {hint} ")));
    }
    canvas.part(1, 1, w.saturating_sub(3), h.saturating_sub(2))
}

fn each(canvas: &mut Canvas, list: &List, len: usize, draw: impl Fn(&mut Canvas, u16, bool, usize)) {
    let mut list = *list;
    let lines = canvas.height();
    list.settle(len, lines, |_| 1);
    for seen in list.seen(len, lines, |_| 1) {
        draw(canvas, seen.y, seen.cursor, seen.row);
    }
}

/// Columns of the keys.
fn keys_room(rows: &[HelpRow]) -> usize {
    rows.iter().map(|row| cells::width(&row.keys)).max().unwrap_or(0).min(22) + 2
}

fn help_row(canvas: &mut Canvas, y: u16, cursor: bool, row: &HelpRow, room: usize) {
    let theme = canvas.theme;
    if row.keys.is_empty() {
        return canvas.row(y, cursor, theme.span(Role::Title, row.text.as_str()), "");
    }
    let keys = cells::fit(&theme.words(&row.keys), room, theme.ascii);
    let line = Line::from(vec![Span::raw("  "), theme.span(Role::Key, keys), Span::raw(row.text.as_str())]);
    // What it does comes before how it is called.
    let need = 3 + room + cells::width(&row.text) + 1 + cells::width(row.name);
    let name = if need <= usize::from(canvas.width()) { row.name } else { "" };
    canvas.row(y, cursor, line, theme.span(Role::Dim, name));
}

fn draw_palette(canvas: &mut Canvas, palette: &Palette) {
    let theme = canvas.theme;
    let mut body = frame(canvas, "Command", "Tab completes, Enter runs, Esc");
    body.line(1, 0, theme.span(Role::Key, ":"));
    let room = body.width().saturating_sub(3);
    let (text, caret) = palette.input.window(usize::from(room));
    body.line(2, 0, text);
    body.caret(2 + u16::try_from(caret).unwrap_or(0), 0);
    let height = body.height().saturating_sub(1);
    let mut list = body.part(0, 1, u16::MAX, height);
    if palette.choices.is_empty() {
        return list.line(1, 0, theme.span(Role::Dim, "no command of that name"));
    }
    each(&mut list, &palette.list, palette.choices.len(), |canvas, y, cursor, row| {
        let choice = &palette.choices[row];
        let name = cells::fit(&choice.name, 24, theme.ascii);
        let line = Line::from(vec![theme.span(Role::Plain, name), theme.span(Role::Dim, choice.doc)]);
        canvas.row(y, cursor, line, theme.span(Role::Key, theme.words(&choice.keys)));
    });
}
