//! The rules between panes, with titles and tabs in them: `─ Steps 7 ──── dist ─┬─ Call 5 ──`.

use ratatui::text::{Line, Span};

use crate::text::visible;
use crate::tui::canvas::Canvas;
use crate::tui::cells;
use crate::tui::layout::{PaneId, Placed};
use crate::tui::model::Model;
use crate::tui::screen::Screen;
use crate::tui::theme::{Role, Theme};

/// A tab's word in a rule, to be clicked.
pub struct Tab {
    /// Its pane.
    pub pane: PaneId,
    /// Its first column in the window.
    pub x: u16,
    /// Its columns.
    pub width: u16,
}

/// Where the words of a rule's tabs stand.
pub fn tabs(screen: &dyn Screen, placed: &Placed) -> Vec<Tab> {
    let mut x = placed.rule.x + 2;
    let tab = |pane: &PaneId| {
        let word = word(screen, placed, *pane);
        let width = u16::try_from(cells::width(&word)).unwrap_or(0);
        let tab = Tab { pane: *pane, x, width };
        x = x.saturating_add(width + 1);
        tab
    };
    placed.tabs.iter().map(tab).collect()
}

fn word(screen: &dyn Screen, placed: &Placed, pane: PaneId) -> String {
    let name = screen.title(pane).name;
    let name = visible(&name);
    match (placed.tabs.len() > 1, pane == placed.pane) {
        (false, _) => name.into_owned(),
        (true, true) => format!("[{name}]"),
        (true, false) => format!(" {name} "),
    }
}

/// The rule's characters: across, down, and the joints by the arms they have.
struct Glyphs {
    across: &'static str,
    down: &'static str,
}

fn glyphs(theme: Theme) -> Glyphs {
    if theme.ascii { Glyphs { across: "-", down: "|" } } else { Glyphs { across: "─", down: "│" } }
}

fn joint(theme: Theme, up: bool, down: bool) -> &'static str {
    match (theme.ascii, up, down) {
        (true, false, false) => "-",
        (true, ..) => "+",
        (false, false, false) => "─",
        (false, true, false) => "┴",
        (false, false, true) => "┬",
        (false, true, true) => "┼",
    }
}

/// Draws all rules and titles.
pub fn draw(model: &Model, canvas: &mut Canvas) {
    let Some(layer) = model.stack.last() else { return };
    let theme = model.theme;
    let style = theme.style(Role::Rule);
    let placed = &model.arranged.placed;
    for p in placed.iter().filter(|p| p.rule.height > 0) {
        let across = glyphs(theme).across.repeat(usize::from(p.rule.width));
        canvas.line(p.rule.x, p.rule.y, Span::styled(across, style));
    }
    // Every column right of a pane that is not the last is a divider.
    let dividers: Vec<_> = placed
        .iter()
        .filter(|p| placed.iter().any(|q| q.rule.height > 0 && q.rule.y == p.rule.y && q.rule.x == p.rule.right() + 1))
        .map(|p| (p.rule.right(), p.rule.y, p.area.bottom()))
        .collect();
    for &(x, top, bottom) in &dividers {
        for y in top + 1..bottom {
            canvas.line_in(x, y, 1, Span::styled(glyphs(theme).down, style));
        }
    }
    for &(x, top, _) in &dividers {
        let up = dividers.iter().any(|d| d.0 == x && d.2 == top);
        canvas.line_in(x, top, 1, Span::styled(joint(theme, up, true), style));
    }
    for &(x, _, bottom) in &dividers {
        let on_rule =
            placed.iter().any(|p| p.rule.height > 0 && p.rule.y == bottom && (p.rule.x..p.rule.right()).contains(&x));
        if on_rule {
            canvas.line_in(x, bottom, 1, Span::styled(joint(theme, true, false), style));
        }
    }
    for p in placed.iter().filter(|p| p.rule.height > 0) {
        title(model, layer.screen.as_ref(), p, p.pane == layer.panes.focus, canvas);
    }
}

fn title(model: &Model, screen: &dyn Screen, placed: &Placed, focused: bool, canvas: &mut Canvas) {
    let theme = model.theme;
    let rule = placed.rule;
    let room = rule.width.saturating_sub(4);
    let many = placed.tabs.len() > 1;
    let mut spans = vec![Span::raw(" ")];
    for (i, pane) in placed.tabs.iter().enumerate() {
        if i > 0 {
            spans.push(Span::raw(" "));
        }
        let role = if *pane == placed.pane && focused { Role::Title } else { Role::Plain };
        spans.push(theme.span(role, word(screen, placed, *pane)));
    }
    if placed.tabs.last() == Some(&placed.pane) || !many {
        spans.push(Span::raw(" "));
    }
    let name: usize = spans.iter().map(|s| cells::width(&s.content)).sum();
    if name == 2 {
        return;
    }
    let right = screen.title(placed.pane).right;
    let right = match (many, right.is_empty()) {
        (true, true) => model.keymap.shown(crate::tui::command::Cmd::NextPane).into_iter().next().unwrap_or_default(),
        _ => visible(&right).into_owned(),
    };
    // The title keeps its room; what stands to the right yields.
    if !right.is_empty() && name + cells::width(&right) + 2 <= usize::from(room) {
        let width = u16::try_from(cells::width(&right)).unwrap_or(0) + 2;
        canvas.line_in(rule.right() - width - 1, rule.y, width, theme.span(Role::Dim, format!(" {right} ")));
    }
    canvas.line_in(rule.x + 1, rule.y, rule.width.saturating_sub(2), Line::from(spans));
}
