//! The mouse: a click selects, a second one is Enter, the wheel scrolls what is under it.

use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::super::dispatch::Call;
use super::super::job::Effect;
use super::super::model::{LastClick, Model};
use super::super::screen::Input;
use super::super::view;
use super::{run, stack};

/// Rows that one notch of the wheel scrolls.
const NOTCH: i32 = 3;

/// A mouse event.
pub fn mouse(model: &mut Model, event: MouseEvent, effects: &mut Vec<Effect>) {
    let at = Position::new(event.column, event.row);
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) => click(model, at, effects),
        MouseEventKind::ScrollDown => wheel(model, at, NOTCH, effects),
        MouseEventKind::ScrollUp => wheel(model, at, -NOTCH, effects),
        _ => model.unchanged = true,
    }
}

fn wheel(model: &mut Model, at: Position, rows: i32, effects: &mut Vec<Effect>) {
    if model.overlay.is_some() {
        return view::wheel(model, rows);
    }
    let under = model.arranged.placed.iter().find(|p| p.area.contains(at)).map(|p| p.pane);
    match under {
        Some(pane) => stack::tell_top(model, Input::Wheel { pane, rows }, effects),
        None => model.unchanged = true,
    }
}

fn click(model: &mut Model, at: Position, effects: &mut Vec<Effect>) {
    model.message = None;
    if model.overlay.is_some() {
        if !view::overlay_area(model).contains(at) {
            model.overlay = None;
        }
        return;
    }
    if model.arranged.footer.contains(at) {
        let words = view::footer(model);
        if let Some(word) = words.iter().find(|w| (w.x..w.x + w.width).contains(&at.x)) {
            return run(model, Call::of(word.cmd), effects);
        }
        return;
    }
    let Some(placed) = model.arranged.placed.iter().find(|p| p.area.contains(at) || p.rule.contains(at)).cloned()
    else {
        return;
    };
    if placed.rule.contains(at) {
        let tabs = model.top().map(|s| view::tabs(s, &placed)).unwrap_or_default();
        let tab = tabs.iter().find(|t| (t.x..t.x + t.width).contains(&at.x)).map_or(placed.pane, |t| t.pane);
        return focus(model, tab);
    }
    focus(model, placed.pane);
    let (x, y) = (at.x - placed.area.x, at.y - placed.area.y);
    let here = LastClick { pane: placed.pane, y };
    let second = model.click.take() == Some(here);
    if !second {
        model.click = Some(here);
    }
    stack::tell_top(model, Input::Click { pane: placed.pane, x, y, second }, effects);
}

fn focus(model: &mut Model, pane: u8) {
    let size = model.size;
    if let Some(layer) = model.stack.last_mut()
        && layer.screen.layout(size).order().any(|p| p == pane)
    {
        layer.panes.focus(pane);
    }
}
