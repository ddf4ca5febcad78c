//! Screens on the stack: push, pop, tell; panes, marks and jumps of the one on top.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use super::super::input::LineInput;
use super::super::job::Effect;
use super::super::layout::{PaneId, Panes};
use super::super::list::List;
use super::super::model::{Layer, Model, Prompt, Purpose, Running};
use super::super::overlay::{Overlay, Palette, help};
use super::super::screen::{Ctx, Input, Screen, ScreenId, Wish};

/// Puts a screen on the stack: the first of the program, or one more.
pub fn open(model: &mut Model, screen: Box<dyn Screen>) -> Vec<Effect> {
    let mut effects = Vec::new();
    push(model, screen, &mut effects);
    model.settle();
    effects
}

/// What an address names, without the place in it.
fn thing(address: &str) -> &str {
    address.split('#').next().unwrap_or(address)
}

fn push(model: &mut Model, screen: Box<dyn Screen>, effects: &mut Vec<Effect>) {
    let (kind, address) = (screen.kind(), screen.address());
    let same = |layer: &Layer| layer.screen.kind() == kind && thing(&layer.screen.address()) == thing(&address);
    if let Some(at) = model.stack.iter().position(same) {
        while model.stack.len() > at + 1 {
            drop_top(model);
        }
        return tell_top(model, Input::Arrived(address), effects);
    }
    add(model, screen, None, effects);
}

fn add(model: &mut Model, screen: Box<dyn Screen>, panes: Option<Panes>, effects: &mut Vec<Effect>) {
    model.next_screen += 1;
    let id = ScreenId(model.next_screen);
    let panes = panes.unwrap_or_else(|| {
        let mut panes = Panes::default();
        panes.focus(screen.layout(model.size).order().next().unwrap_or(0));
        panes
    });
    model.stack.push(Layer { id, screen, panes, search: None, marks: BTreeMap::new(), jumps: Vec::new(), hunt: None });
    model.settle();
    tell_top(model, Input::Opened, effects);
}

fn drop_top(model: &mut Model) {
    let Some(mut layer) = model.stack.pop() else { return };
    layer.screen.close();
    for running in model.running.iter().filter(|r| r.screen == layer.id) {
        running.cancelled.store(true, Ordering::Relaxed);
    }
    model.running.retain(|r| r.screen != layer.id);
}

fn pop(model: &mut Model, effects: &mut Vec<Effect>) {
    drop_top(model);
    if model.stack.is_empty() {
        super::quit(model, effects);
    } else {
        tell_top(model, Input::Uncovered, effects);
    }
}

/// `q`.
pub fn back(model: &mut Model, effects: &mut Vec<Effect>) {
    let mut may = true;
    with_top(model, effects, |screen, ctx| may = screen.leave(ctx));
    if may {
        pop(model, effects);
    }
}

/// Tells the screen on top.
pub fn tell_top(model: &mut Model, input: Input, effects: &mut Vec<Effect>) {
    with_top(model, effects, |screen, ctx| screen.update(input, ctx));
}

/// Lets the screen on top begin what its present place asks for.
pub fn settled(model: &mut Model, effects: &mut Vec<Effect>) {
    with_top(model, effects, |screen, ctx| screen.settled(ctx));
}

/// Tells a screen, wherever it stands; one that is gone hears nothing.
pub fn tell(model: &mut Model, id: ScreenId, input: Input, effects: &mut Vec<Effect>) {
    if let Some(at) = model.stack.iter().position(|layer| layer.id == id) {
        with(model, at, effects, |screen, ctx| screen.update(input, ctx));
    }
}

fn with_top(model: &mut Model, effects: &mut Vec<Effect>, act: impl FnOnce(&mut dyn Screen, &mut Ctx)) {
    if let Some(at) = model.stack.len().checked_sub(1) {
        with(model, at, effects, act);
    }
}

fn with(model: &mut Model, at: usize, effects: &mut Vec<Effect>, act: impl FnOnce(&mut dyn Screen, &mut Ctx)) {
    let id = model.stack[at].id;
    let layer = &mut model.stack[at];
    let mut ctx = Ctx {
        arranged: &model.arranged,
        panes: &mut layer.panes,
        theme: model.theme,
        now: model.now,
        screen: id,
        next_job: &mut model.next_job,
        wishes: Vec::new(),
        effects: Vec::new(),
    };
    act(layer.screen.as_mut(), &mut ctx);
    let Ctx { wishes, effects: asked, .. } = ctx;
    for effect in asked {
        note(model, &effect);
        effects.push(effect);
    }
    for wish in wishes {
        grant(model, id, wish, effects);
    }
}

/// Keeps the list of jobs that run.
pub fn note(model: &mut Model, effect: &Effect) {
    match effect {
        Effect::Spawn(job) => model.running.push(Running {
            id: job.id,
            screen: job.screen,
            label: job.label.clone(),
            cancelled: job.cancelled.clone(),
        }),
        Effect::Cancel(id) => {
            for running in model.running.iter().filter(|r| r.id == *id) {
                running.cancelled.store(true, Ordering::Relaxed);
            }
            model.running.retain(|r| r.id != *id);
        }
        _ => {}
    }
}

fn grant(model: &mut Model, from: ScreenId, wish: Wish, effects: &mut Vec<Effect>) {
    let on_top = model.stack.last().is_some_and(|layer| layer.id == from);
    match wish {
        Wish::Say(text) => model.say(text),
        Wish::Warn(text) => model.warn(text),
        Wish::Replace(screen) => {
            // The next of its kind is read in the same pane.
            let same = model.stack.last().filter(|layer| layer.screen.kind() == screen.kind());
            let panes = same.map(|layer| layer.panes.clone());
            drop_top(model);
            add(model, screen, panes, effects);
        }
        Wish::Jumped(place) => {
            if let Some(layer) = model.stack.iter_mut().find(|layer| layer.id == from) {
                layer.jumps.push((layer.panes.clone(), place));
            }
        }
        // A screen below must not take the keys of the one on top.
        _ if !on_top => {}
        Wish::Push(screen) => push(model, screen, effects),
        Wish::Pop => pop(model, effects),
        Wish::Card(card) => model.overlay = Some(Overlay::Card { card, list: List::default() }),
        Wish::Prompt { tag, label, text } => {
            model.prompt = Some(Prompt { label, input: LineInput::new(text), purpose: Purpose::Answer { tag } });
        }
        Wish::Ask { tag, question } => {
            let label = format!("{question}  y, or any other key");
            model.prompt = Some(Prompt { label, input: LineInput::default(), purpose: Purpose::Confirm { tag } });
        }
        Wish::Palette => {
            let kind = model.top().map(|s| s.kind());
            model.overlay = kind.map(|kind| Overlay::Palette(Palette::new(kind, &model.keymap)));
        }
        Wish::Help => {
            let rows = model.top().map(|s| help(s.kind(), model.typing(), &model.keymap, model.theme));
            model.overlay = rows.map(|rows| Overlay::Help { rows, list: List::default() });
        }
        Wish::Run(call) => super::run(model, call, effects),
    }
}

/// `< >`: asks the screen below for its next or previous item.
pub fn sibling(model: &mut Model, steps: i64, effects: &mut Vec<Effect>) {
    let Some(below) = model.stack.len().checked_sub(2) else {
        return model.warn("this was not opened from a list");
    };
    let mut found = false;
    with(model, below, effects, |screen, ctx| found = screen.sibling(steps, ctx));
    if !found && model.message.is_none() {
        model.warn(if steps > 0 { "that was the last of the list" } else { "that was the first of the list" });
    }
}

/// `m` and a letter.
pub fn mark(model: &mut Model, letter: Option<char>) {
    let (Some(layer), Some(letter)) = (model.stack.last_mut(), letter) else { return };
    layer.marks.insert(letter, (layer.panes.clone(), layer.screen.place()));
    model.say(format!("mark {letter} set"));
}

/// `'` and a letter.
pub fn go_mark(model: &mut Model, letter: Option<char>) {
    let (Some(layer), Some(letter)) = (model.stack.last_mut(), letter) else { return };
    let Some(mark) = layer.marks.get(&letter).cloned() else {
        return model.warn(format!("no mark {letter} here: m{letter} sets it"));
    };
    layer.jumps.push((layer.panes.clone(), layer.screen.place()));
    put(layer, mark);
}

/// `''`: there and back.
pub fn jump_back(model: &mut Model) {
    let Some(layer) = model.stack.last_mut() else { return };
    let Some(from) = layer.jumps.pop() else { return model.warn("no jump to go back from") };
    layer.jumps.push((layer.panes.clone(), layer.screen.place()));
    put(layer, from);
}

/// `Ctrl-o`.
pub fn jump_older(model: &mut Model) {
    let Some(layer) = model.stack.last_mut() else { return };
    let Some(from) = layer.jumps.pop() else { return model.warn("no older jump") };
    put(layer, from);
}

/// Puts panes and cursors of a screen back.
pub fn put(layer: &mut Layer, (panes, place): (Panes, super::super::screen::Place)) {
    layer.panes = panes;
    layer.screen.restore(&place);
}

/// `Tab`.
pub fn cycle_pane(model: &mut Model, step: i64, times: usize) {
    let Some(layer) = model.stack.last_mut() else { return };
    let order: Vec<PaneId> = layer.screen.layout(model.size).order().collect();
    if order.len() < 2 {
        return model.warn("there is one pane");
    }
    let at = order.iter().position(|p| *p == layer.panes.focus).unwrap_or(0);
    let len = i64::try_from(order.len()).unwrap_or(1);
    let moved = i64::try_from(at).unwrap_or(0) + step * i64::try_from(times).unwrap_or(1);
    let to = usize::try_from(moved.rem_euclid(len)).unwrap_or(0);
    layer.panes.focus(order[to]);
}

/// `Ctrl-w` and a direction.
pub fn pane_beside(model: &mut Model, dx: i32, dy: i32) {
    let Some(layer) = model.stack.last_mut() else { return };
    let layout = layer.screen.layout(model.size);
    match model.arranged.beside(layer.panes.focus, dx, dy).filter(|p| layout.order().any(|o| o == *p)) {
        Some(pane) => layer.panes.focus(pane),
        None => model.warn("no pane there"),
    }
}

/// `z`.
pub fn zoom(model: &mut Model) {
    if let Some(layer) = model.stack.last_mut() {
        layer.panes.zoom = !layer.panes.zoom;
    }
}
