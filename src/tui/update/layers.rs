//! What lies over a screen: the keys of cards, help and palette, and what Esc takes off.

use ratatui::crossterm::event::KeyCode;

use super::super::command::{self, Cmd};
use super::super::dispatch::{Call, Resolved};
use super::super::job::Effect;
use super::super::keys::Key;
use super::super::model::Model;
use super::super::overlay::Overlay;
use super::super::screen::Input;
use super::{prompt, run, search, stack};

/// `Esc`: takes one layer off (screens.md §1), outermost first. Never leaves a screen.
pub fn peel(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.overlay.take().is_some() {
    } else if model.prompt.is_some() {
        prompt::cancel(model, effects);
    } else if let Some(asked) = model.running.iter().rev().find(|r| r.label.is_some()).map(|r| r.id) {
        let label = model.running.iter().find(|r| r.id == asked).and_then(|r| r.label.clone()).unwrap_or_default();
        stop(model, asked, effects);
        model.say(format!("stopped: {label}"));
    } else if !search::stop(model, effects) {
        peel_screen(model);
    }
}

fn stop(model: &mut Model, job: super::super::job::JobId, effects: &mut Vec<Effect>) {
    for running in model.running.iter().filter(|r| r.id == job) {
        running.cancelled.store(true, std::sync::atomic::Ordering::Relaxed);
    }
    model.running.retain(|r| r.id != job);
    effects.push(Effect::Cancel(job));
}

fn peel_screen(model: &mut Model) {
    let size = model.size;
    let Some(layer) = model.stack.last_mut() else { return };
    let main = layer.screen.layout(size).order().next();
    if !layer.screen.filter().is_empty() {
        let _ = layer.screen.set_filter("");
    } else if layer.screen.peel() {
    } else if layer.panes.zoom {
        layer.panes.zoom = false;
    } else if let Some(main) = main.filter(|m| *m != layer.panes.focus) {
        layer.panes.focus(main);
    }
}

/// A key while a card, the help or the palette is up.
pub fn overlay_key(model: &mut Model, key: Key, effects: &mut Vec<Effect>) {
    if let Some(Overlay::Palette(_)) = &model.overlay {
        return palette_key(model, key, effects);
    }
    let resolved = model.pending.key(key, &model.keymap);
    let Resolved::Call(call) = resolved else { return };
    let lines = model.size.height.saturating_sub(6).max(1);
    let Some(overlay) = &mut model.overlay else { return };
    let (list, len) = match overlay {
        Overlay::Card { card, list } => (list, card.rows.len()),
        Overlay::Help { rows, list } => (list, rows.len()),
        Overlay::Palette(_) => return,
    };
    list.lines = lines;
    if list.motion(&call, len) {
        return list.settle(len, lines, |_| 1);
    }
    let at = list.cursor;
    match (call.cmd, &model.overlay) {
        (Cmd::Open, Some(Overlay::Card { card, .. })) => {
            if let Some(target) = card.rows.get(at).and_then(|(_, target)| target.clone()) {
                model.overlay = None;
                stack::tell_top(model, Input::Chosen(target), effects);
            }
        }
        (Cmd::Open, Some(Overlay::Help { rows, .. })) => {
            if let Some(cmd) = rows.get(at).and_then(|row| command::named(row.name)) {
                model.overlay = None;
                run(model, Call::of(cmd), effects);
            }
        }
        (Cmd::Back | Cmd::Peel | Cmd::Help | Cmd::Card, _) => model.overlay = None,
        _ => {}
    }
}

fn palette_key(model: &mut Model, key: Key, effects: &mut Vec<Effect>) {
    let Some(Overlay::Palette(palette)) = &mut model.overlay else { return };
    let len = palette.choices.len();
    let step = |by: i64| Call::of(if by > 0 { Cmd::Down } else { Cmd::Up });
    match (key.code, key.ctrl) {
        (KeyCode::Esc, _) => model.overlay = None,
        (KeyCode::Backspace, _) if palette.input.text.is_empty() => model.overlay = None,
        (KeyCode::Down, _) | (KeyCode::Char('n'), true) => {
            palette.list.motion(&step(1), len);
        }
        (KeyCode::Up, _) | (KeyCode::Char('p'), true) => {
            palette.list.motion(&step(-1), len);
        }
        (KeyCode::Tab, _) => complete(model),
        (KeyCode::Enter, _) => choose(model, effects),
        _ => {
            if palette.input.key(key) {
                refresh_palette(model);
            }
        }
    }
}

/// `Tab` in the palette: the name of the choice, ready for its argument.
fn complete(model: &mut Model) {
    let Some(Overlay::Palette(palette)) = &mut model.overlay else { return };
    let Some(choice) = palette.choices.get(palette.list.cursor) else { return };
    let name = command::command(choice.call.cmd).name;
    let text = if choice.call.argument.is_empty() { format!("{name} ") } else { choice.name.clone() };
    palette.input = super::super::input::LineInput::new(text);
    refresh_palette(model);
}

fn choose(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(Overlay::Palette(palette)) = &model.overlay else { return };
    let kind = palette.kind;
    let Some(choice) = palette.choices.get(palette.list.cursor).cloned() else {
        return model.warn("no command of that name; Esc leaves");
    };
    let takes = command::find(kind, choice.call.cmd).is_some_and(|u| !u.argument.is_empty());
    if takes && choice.call.argument.is_empty() {
        return complete(model);
    }
    model.overlay = None;
    run(model, choice.call, effects);
}

/// Finds again what the palette's text may mean.
pub fn refresh_palette(model: &mut Model) {
    let Some(Overlay::Palette(mut palette)) = model.overlay.take() else { return };
    palette.refresh(&model.keymap, |call| super::arguments(model, call));
    model.overlay = Some(Overlay::Palette(palette));
}
