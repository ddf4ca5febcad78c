//! The line at the foot: search, filter, and what a screen asks.

use ratatui::crossterm::event::KeyCode;

use super::super::command::Cmd;
use super::super::input::LineInput;
use super::super::job::Effect;
use super::super::keys::Key;
use super::super::model::{Model, Prompt, Purpose, Search};
use super::super::pattern::Pattern;
use super::super::screen::{Input, Spot};
use super::stack;

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
        model.prompt = None;
        if key.typed() == Some('y') {
            stack::tell_top(model, Input::Answer { tag, text: "y".into() }, effects);
        }
        return;
    }
    match key.code {
        KeyCode::Esc => cancel(model),
        KeyCode::Enter => accept(model, effects),
        KeyCode::Backspace if prompt.input.text.is_empty() => cancel(model),
        _ => {
            if prompt.input.key(key) {
                changed(model);
            }
        }
    }
}

/// A pasted text.
pub fn paste(model: &mut Model, text: &str) {
    if let Some(prompt) = &mut model.prompt {
        prompt.input.insert(text);
        changed(model);
    }
}

/// Searches and filters while the text is typed.
fn changed(model: &mut Model) {
    let Some(prompt) = &model.prompt else { return };
    let text = prompt.input.text.clone();
    let Some(layer) = model.stack.last_mut() else { return };
    match &prompt.purpose {
        Purpose::Search { panes, place, from } => {
            let from = *from;
            stack::put(layer, (panes.clone(), place.clone()));
            layer.search = None;
            let Some(pattern) = Pattern::new(&text) else { return };
            let hits = layer.screen.search(&pattern);
            let at = hits.partition_point(|hit| *hit < from);
            let target = hits.get(at).or(hits.first()).copied();
            layer.search = Some(Search { pattern, hits });
            if let Some(spot) = target {
                go(model, spot);
            }
        }
        Purpose::Filter { .. } => {
            if let Err(why) = layer.screen.set_filter(&text) {
                model.warn(why);
            } else {
                model.message = None;
            }
        }
        Purpose::Answer { .. } | Purpose::Confirm { .. } => {}
    }
}

fn go(model: &mut Model, spot: Spot) {
    if let Some(layer) = model.stack.last_mut() {
        layer.panes.focus(spot.pane);
        layer.screen.reveal(spot);
    }
}

/// Esc: as if it had not been opened.
pub fn cancel(model: &mut Model) {
    let Some(prompt) = model.prompt.take() else { return };
    let Some(layer) = model.stack.last_mut() else { return };
    match prompt.purpose {
        Purpose::Search { panes, place, .. } => {
            layer.search = None;
            stack::put(layer, (panes, place));
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
                changed(model);
                return accept(model, effects);
            }
            let Some(layer) = model.stack.last_mut() else { return };
            if layer.search.as_ref().is_some_and(|s| !s.hits.is_empty()) {
                layer.jumps.push((panes, place));
            } else if !text.is_empty() {
                model.warn(format!("not found: {text}"));
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

/// `n` and `N`.
pub fn step(model: &mut Model, forward: bool, times: usize) {
    let Some(layer) = model.stack.last_mut() else { return };
    let Some(search) = &mut layer.search else { return model.warn("nothing searched for: / begins a search") };
    // What is on the screen may have changed since.
    search.hits = layer.screen.search(&search.pattern);
    if search.hits.is_empty() {
        let text = search.pattern.text.clone();
        return model.warn(format!("not found: {text}"));
    }
    let here = layer.screen.spot();
    let len = search.hits.len();
    let before = search.hits.partition_point(|hit| *hit < here);
    let after = search.hits.partition_point(|hit| *hit <= here);
    let by = (times - 1) % len;
    let (at, around) = if forward {
        ((after + by) % len, after + by >= len)
    } else {
        ((before + 2 * len - 1 - by) % len, before < by + 1)
    };
    let spot = search.hits[at];
    if around {
        model.say(if forward { "from the top again" } else { "from the end again" });
    }
    go(model, spot);
}
