//! The line at the foot: search, filter, and what a screen asks.

use ratatui::crossterm::event::KeyCode;

use super::super::command::Cmd;
use super::super::input::LineInput;
use super::super::job::Effect;
use super::super::keys::Key;
use super::super::model::{Model, Prompt, Purpose, Search};
use super::super::pattern::Pattern;
use super::super::screen::Input;
use super::{search, stack};

/// Opens the search or the filter.
pub fn begin(model: &mut Model, cmd: Cmd) {
    let Some(layer) = model.stack.last() else { return };
    model.prompt = Some(if cmd == Cmd::Filter {
        let before = layer.screen.filter().to_owned();
        let input = LineInput::new(before.clone());
        Prompt { label: "filter ".into(), input, purpose: Purpose::Filter { before } }
    } else {
        let purpose =
            Purpose::Search { panes: layer.panes.clone(), place: layer.screen.place(), from: layer.screen.spot() };
        Prompt { label: "/".into(), input: LineInput::default(), purpose }
    });
}

/// A key while a prompt is up.
pub fn prompt_key(model: &mut Model, key: Key, effects: &mut Vec<Effect>) {
    let Some(prompt) = &mut model.prompt else { return };
    if let Purpose::Confirm { tag } = prompt.purpose {
        match (key.typed(), key.code) {
            (Some('y'), _) => {
                model.prompt = None;
                stack::tell_top(model, Input::Answer { tag, text: "y".into() }, effects);
            }
            (Some('n'), _) | (_, KeyCode::Esc) => model.prompt = None,
            _ => model.warn("y or n is expected"),
        }
        return;
    }
    match key.code {
        KeyCode::Esc => cancel(model, effects),
        KeyCode::Enter => accept(model, effects),
        KeyCode::Backspace if prompt.input.text.is_empty() => cancel(model, effects),
        _ => {
            if prompt.input.key(key) {
                changed(model, effects);
            }
        }
    }
}

/// A pasted text.
pub fn paste(model: &mut Model, text: &str, effects: &mut Vec<Effect>) {
    if let Some(prompt) = &mut model.prompt {
        prompt.input.insert(text);
        changed(model, effects);
    }
}

/// Searches and filters while the text is typed.
fn changed(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(prompt) = &model.prompt else { return };
    let text = prompt.input.text.clone();
    let Some(layer) = model.stack.last_mut() else { return };
    match &prompt.purpose {
        Purpose::Search { panes, place, from } => match Pattern::new(&text) {
            Some(pattern) => {
                let from = *from;
                search::begin(model, pattern, from, effects);
            }
            None => {
                stack::put(layer, (panes.clone(), place.clone()));
                search::stop(model, effects);
            }
        },
        Purpose::Filter { .. } => {
            if let Err(why) = layer.screen.set_filter(&text) {
                model.warn(why);
            } else {
                model.message = None;
                stack::tell_top(model, Input::Filtered, effects);
            }
        }
        Purpose::Answer { .. } | Purpose::Confirm { .. } => {}
    }
}

/// Esc: as if it had not been opened.
pub fn cancel(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(prompt) = model.prompt.take() else { return };
    let Some(layer) = model.stack.last_mut() else { return };
    match prompt.purpose {
        Purpose::Search { panes, place, .. } => {
            stack::put(layer, (panes, place));
            search::stop(model, effects);
        }
        Purpose::Filter { before } => {
            let _ = layer.screen.set_filter(&before);
        }
        Purpose::Answer { .. } | Purpose::Confirm { .. } => {}
    }
}

fn accept(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(prompt) = model.prompt.take() else { return };
    let text = prompt.input.text;
    match prompt.purpose {
        Purpose::Search { panes, place, from } => {
            if text.is_empty() && !model.last_search.is_empty() {
                let again = model.last_search.clone();
                let input = LineInput::new(again);
                model.prompt =
                    Some(Prompt { label: "/".into(), input, purpose: Purpose::Search { panes, place, from } });
                changed(model, effects);
                return accept(model, effects);
            }
            let Some(layer) = model.stack.last_mut() else { return };
            match &mut layer.search {
                Some(Search { aim: Some(aim), .. }) => aim.jump = Some((panes, place)),
                Some(search) if !search.hits.is_empty() => layer.jumps.push((panes, place)),
                _ if text.is_empty() => {}
                _ => model.warn(format!("not found: {text}")),
            }
            model.last_search = text;
        }
        Purpose::Filter { before } => {
            let Some(layer) = model.stack.last_mut() else { return };
            if let Err(why) = layer.screen.set_filter(&text) {
                let _ = layer.screen.set_filter(&before);
                model.warn(why);
            }
        }
        Purpose::Answer { tag } => stack::tell_top(model, Input::Answer { tag, text }, effects),
        Purpose::Confirm { .. } => {}
    }
}
