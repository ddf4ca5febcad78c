//! The only place where the inspector's state changes.

mod layers;
mod mouse;
mod prompt;
mod search;
mod stack;

pub use stack::open;

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent};
use ratatui::layout::Size;

use super::command::{self, Cmd};
use super::dispatch::{Call, Pending, Resolved};
use super::job::Effect;
use super::keys::{self, Key};
use super::list::List;
use super::model::{Model, Msg};
use super::overlay::{Overlay, Palette, help};
use super::screen::{Input, Kind};
use super::theme::Palette as Colours;

/// Takes a message in and says what is to be done outside.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let mut effects = Vec::new();
    model.unchanged = false;
    match msg {
        Msg::Terminal(Event::Resize(width, height)) => model.size = Size::new(width, height),
        Msg::Terminal(Event::Key(event)) => key(model, &event, &mut effects),
        Msg::Terminal(Event::Paste(text)) => paste(model, text, &mut effects),
        Msg::Terminal(Event::Mouse(event)) => mouse::mouse(model, event, &mut effects),
        Msg::Terminal(Event::FocusGained | Event::FocusLost) => model.unchanged = true,
        Msg::Report { screen, payload } => {
            if let Some(payload) = search::found(model, screen, payload) {
                stack::tell(model, screen, Input::Report(payload), &mut effects);
            }
        }
        Msg::Done { job, screen, result } => {
            model.running.retain(|r| r.id != job);
            let searched = search::ended(model, job);
            let input = match result {
                Ok(payload) if payload.is::<search::Ended>() => Input::SearchEnded,
                Ok(payload) => Input::Report(payload),
                Err(panic) => {
                    model.warn(format!("internal error, the work was given up: {panic}"));
                    if searched { Input::SearchEnded } else { Input::Failed { job, why: panic } }
                }
            };
            stack::tell(model, screen, input, &mut effects);
        }
        Msg::Say(text) => model.say(text),
        Msg::Warn(text) => model.warn(text),
        Msg::Suspend => effects.push(Effect::Suspend),
        Msg::Resumed => effects.push(Effect::Retake),
        Msg::Terminate => quit(model, &mut effects),
    }
    model.settle();
    stack::settled(model, &mut effects);
    search::keep_up(model, &mut effects);
    // What an earlier message changed waits to be drawn still.
    model.dirty |= !model.unchanged;
    effects
}

fn key(model: &mut Model, event: &KeyEvent, effects: &mut Vec<Effect>) {
    let Some(key) = Key::of(event) else {
        model.unchanged = true;
        return;
    };
    model.message = None;
    model.click = None;
    if let Some(cmd) = always(key) {
        model.pending = Pending::default();
        return run(model, Call::of(cmd), effects);
    }
    if model.pending.any() && model.keymap.shown(Cmd::Peel).contains(&key.to_string()) {
        // The outermost layer of all: keys typed so far.
        model.pending = Pending::default();
        return;
    }
    if model.overlay.is_some() {
        return layers::overlay_key(model, key, effects);
    }
    if model.prompt.is_some() {
        return prompt::prompt_key(model, key, effects);
    }
    if model.typing().is_some() {
        return stack::tell_top(model, Input::Key(key), effects);
    }
    match model.pending.key(key, &model.keymap) {
        Resolved::Pending => {}
        Resolved::Call(call) => {
            if !matches!(call.cmd, Cmd::SearchNext | Cmd::SearchPrev) {
                search::stay(model);
            }
            run(model, call, effects);
        }
        Resolved::Unbound(keys) => model.warn(format!("{keys}: no command; ? shows the keys")),
    }
}

/// What no prompt, no screen and no configuration may keep for itself.
fn always(key: Key) -> Option<Cmd> {
    match key.code {
        KeyCode::Char('c') if key.ctrl => Some(Cmd::Quit),
        KeyCode::Char('z') if key.ctrl => Some(Cmd::Suspend),
        KeyCode::Char('l') if key.ctrl => Some(Cmd::Redraw),
        _ => None,
    }
}

fn paste(model: &mut Model, text: String, effects: &mut Vec<Effect>) {
    if let Some(Overlay::Palette(palette)) = &mut model.overlay {
        palette.input.insert(&text);
        layers::refresh_palette(model);
    } else if model.prompt.is_some() {
        prompt::paste(model, &text, effects);
    } else if model.typing().is_some() {
        stack::tell_top(model, Input::Paste(text), effects);
    } else {
        model.warn("nothing to paste into here");
    }
}

/// Runs a command on the screen on top, or says why it cannot.
pub(super) fn run(model: &mut Model, call: Call, effects: &mut Vec<Effect>) {
    let Some(kind) = model.top().map(|s| s.kind()) else { return };
    if command::find(kind, call.cmd).is_none() {
        return refuse(model, kind, &call);
    }
    match call.cmd {
        Cmd::Quit => quit(model, effects),
        Cmd::Back => stack::back(model, effects),
        Cmd::Peel => layers::peel(model, effects),
        Cmd::Redraw => effects.push(Effect::Redraw),
        Cmd::Suspend => effects.push(Effect::Suspend),
        Cmd::Help => {
            model.overlay = Some(Overlay::Help {
                rows: help(kind, model.typing(), &model.keymap, model.theme),
                list: List::default(),
            })
        }
        Cmd::Palette => model.overlay = Some(Overlay::Palette(Palette::new(kind, &model.keymap))),
        Cmd::Theme => theme(model, &call),
        Cmd::Signs => signs(model, &call),
        Cmd::Search | Cmd::Filter => prompt::begin(model, call.cmd),
        Cmd::SearchNext => search::step(model, true, call.times()),
        Cmd::SearchPrev => search::step(model, false, call.times()),
        Cmd::Mark => stack::mark(model, call.letter),
        Cmd::GoMark => stack::go_mark(model, call.letter),
        Cmd::JumpBack => stack::jump_back(model),
        Cmd::JumpOlder => stack::jump_older(model),
        Cmd::NextPane => stack::cycle_pane(model, 1, call.times()),
        Cmd::PrevPane => stack::cycle_pane(model, -1, call.times()),
        Cmd::PaneLeft => stack::pane_beside(model, -1, 0),
        Cmd::PaneRight => stack::pane_beside(model, 1, 0),
        Cmd::PaneUp => stack::pane_beside(model, 0, -1),
        Cmd::PaneDown => stack::pane_beside(model, 0, 1),
        Cmd::Zoom => stack::zoom(model),
        Cmd::CopyLink => {
            let address = model.top().map(|s| s.address()).unwrap_or_default();
            effects.push(Effect::Copy { what: address.clone(), text: address });
        }
        Cmd::NextItem => stack::sibling(model, i64::try_from(call.times()).unwrap_or(1), effects),
        Cmd::PrevItem => stack::sibling(model, -i64::try_from(call.times()).unwrap_or(1), effects),
        Cmd::HuntAgain | Cmd::HuntBack => hunt_again(model, call, effects),
        Cmd::Next(hunt) | Cmd::Prev(hunt) => {
            if let Some(layer) = model.stack.last_mut() {
                layer.hunt = Some(hunt);
            }
            stack::tell_top(model, Input::Run(call), effects);
        }
        _ => stack::tell_top(model, Input::Run(call), effects),
    }
}

fn refuse(model: &mut Model, kind: Kind, call: &Call) {
    let keys = model.keymap.shown(call.cmd).into_iter().next().unwrap_or_default();
    match command::reason(kind, call.cmd) {
        Some(why) => model.warn(format!("{keys}: {why}")),
        None => model.warn(format!("{keys}: no command; ? shows the keys")),
    }
}

fn hunt_again(model: &mut Model, call: Call, effects: &mut Vec<Effect>) {
    let Some(hunt) = model.stack.last().and_then(|layer| layer.hunt) else {
        return model.warn("nothing hunted for yet: ] or [ and a letter");
    };
    let cmd = if call.cmd == Cmd::HuntAgain { Cmd::Next(hunt) } else { Cmd::Prev(hunt) };
    run(model, Call { cmd, ..call }, effects);
}

fn quit(model: &mut Model, effects: &mut Vec<Effect>) {
    while let Some(mut layer) = model.stack.pop() {
        layer.screen.close();
    }
    for running in model.running.drain(..) {
        running.cancelled.store(true, std::sync::atomic::Ordering::Relaxed);
    }
    effects.push(Effect::Quit);
}

fn theme(model: &mut Model, call: &Call) {
    match Colours::named(&call.argument) {
        Some(palette) => model.theme.palette = palette,
        None => model.warn("theme: one of dark, light, colour-blind, mono"),
    }
}

fn signs(model: &mut Model, call: &Call) {
    match call.argument.as_str() {
        "ascii" => model.theme.ascii = true,
        "unicode" => model.theme.ascii = false,
        _ => model.warn("signs: unicode or ascii"),
    }
}

/// Words for the arguments of the shell's own commands; a screen's come from the screen.
pub(super) fn arguments(model: &Model, call: &Call) -> Vec<String> {
    let words: &[&str] = match call.cmd {
        Cmd::Theme => &["dark", "light", "colour-blind", "mono"],
        Cmd::Signs => &["unicode", "ascii"],
        _ => return model.top().map(|s| s.arguments(call)).unwrap_or_default(),
    };
    words.iter().map(|w| (*w).to_owned()).collect()
}

/// Reads keys as tests and documents write them: `j 12 ] v text:hello Enter`.
pub fn read_keys(script: &str) -> Vec<Key> {
    let mut out = Vec::new();
    for word in script.split_whitespace() {
        if let Some(key) = keys::Key::parse(word) {
            out.push(key);
        } else {
            let typed = word.strip_prefix("text:").unwrap_or(word);
            let key = |c: char| Key::plain(KeyCode::Char(if c == '_' { ' ' } else { c }));
            out.extend(typed.chars().map(key));
        }
    }
    out
}
