//! The last two lines: message or prompt, and the footer of keys.

use ratatui::text::{Line, Span};

use crate::text::visible;
use crate::tui::canvas::Canvas;
use crate::tui::cells;
use crate::tui::command::{self, Cmd, Use};
use crate::tui::model::{Model, Prompt, Purpose};
use crate::tui::screen::TypingKeys;
use crate::tui::theme::Role;

/// A word of the footer, to be drawn and clicked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Its command.
    pub cmd: Cmd,
    /// Its keys.
    pub keys: String,
    /// What it says.
    pub text: &'static str,
    /// Its first column.
    pub x: u16,
    /// Its columns.
    pub width: u16,
}

/// Pairs that the footer shows as one word: `J K step`.
fn partner(cmd: Cmd) -> Option<Cmd> {
    match cmd {
        Cmd::MainNext => Some(Cmd::MainPrev),
        Cmd::Down => Some(Cmd::Up),
        Cmd::Left => Some(Cmd::Right),
        Cmd::NextItem => Some(Cmd::PrevItem),
        _ => None,
    }
}

/// The footer's words that have room, the least needed dropped first. Help and back stand to the right.
pub fn footer(model: &Model) -> Vec<Word> {
    let Some(screen) = model.top().filter(|_| model.typing().is_none()) else { return Vec::new() };
    let first = |cmd| model.keymap.shown(cmd).into_iter().next().unwrap_or_default();
    let make = |u: &Use, word: &'static str| {
        let keys = partner(u.cmd).map_or(first(u.cmd), |other| format!("{} {}", first(u.cmd), first(other)));
        // `] v` stands for all that the bracket hunts for.
        let keys = model.theme.words(if matches!(u.cmd, Cmd::Next(_)) { "]".into() } else { keys }).into_owned();
        let text = if u.cmd == Cmd::Back && model.depth() == 1 { "quit" } else { word };
        let width = u16::try_from(cells::width(&keys) + 1 + cells::width(&model.theme.words(text))).unwrap_or(u16::MAX);
        Word { cmd: u.cmd, keys, text, x: 0, width }
    };
    let mut words: Vec<(u8, Word)> = command::uses(screen.kind())
        .filter(|u| u.footer.1 > 0)
        .filter_map(|u| Some((u.footer.1, make(u, screen.footer_word(u)?))))
        .filter(|(_, w)| !w.keys.is_empty())
        .collect();
    let room = model.size.width.saturating_sub(2);
    let need = |words: &[(u8, Word)]| words.iter().map(|(_, w)| w.width.saturating_add(3)).fold(0, u16::saturating_add);
    while need(&words) > room.saturating_add(3) {
        let Some(least) =
            words.iter().enumerate().min_by_key(|(i, (n, _))| (*n, std::cmp::Reverse(*i))).map(|(i, _)| i)
        else {
            break;
        };
        words.remove(least);
    }
    let mut x = 1;
    let mut right = model.size.width.saturating_sub(1);
    for (need, word) in words.iter_mut().rev().filter(|(need, _)| *need >= 250) {
        debug_assert!(*need >= 250);
        right = right.saturating_sub(word.width);
        word.x = right;
        right = right.saturating_sub(3);
    }
    for (_, word) in words.iter_mut().filter(|(need, _)| *need < 250) {
        word.x = x;
        x += word.width + 3;
    }
    words.into_iter().map(|(_, word)| word).collect()
}

/// Draws the footer: the words, or what may follow the keys typed so far.
pub fn draw_footer(model: &Model, canvas: &mut Canvas) {
    let theme = model.theme;
    if model.pending.any() {
        let Some(kind) = model.top().map(|s| s.kind()) else { return };
        let mut spans = vec![theme.span(Role::Key, model.pending.shown()), Span::raw("   ")];
        if !model.pending.keys.is_empty() {
            for (keys, cmd) in model.keymap.following(&model.pending, kind) {
                let text =
                    command::find(kind, cmd).map_or("", |u| if u.footer.0.is_empty() { u.doc } else { u.footer.0 });
                spans.extend([theme.span(Role::Key, theme.words(keys)), Span::raw(theme.words(format!(" {text}   ")))]);
            }
        }
        return canvas.line(1, 0, Line::from(spans));
    }
    if let Some(typing) = typing_hint(model) {
        return canvas.line(1, 0, theme.span(Role::Dim, typing));
    }
    if model.prompt.is_none()
        && let Some(keys) = model.typing()
    {
        return draw_typing_keys(model, keys, canvas);
    }
    for word in footer(model) {
        let line = Line::from(vec![
            theme.span(Role::Key, word.keys.clone()),
            Span::raw(theme.words(format!(" {}", word.text))),
        ]);
        canvas.line_in(word.x, 0, word.width, line);
    }
}

/// The keys of a screen that takes text, as many as have room.
fn draw_typing_keys(model: &Model, keys: TypingKeys, canvas: &mut Canvas) {
    let theme = model.theme;
    let mut x = 1;
    for (key, word) in keys {
        let line = Line::from(vec![theme.span(Role::Key, *key), Span::raw(theme.words(format!(" {word}")))]);
        let width = u16::try_from(line.width()).unwrap_or(u16::MAX);
        if x + width >= canvas.width() {
            return;
        }
        canvas.line(x, 0, line);
        x += width + 3;
    }
}

fn typing_hint(model: &Model) -> Option<&'static str> {
    match &model.prompt.as_ref()?.purpose {
        Purpose::Search { .. } => Some("Enter stay here   Esc back to where you were   then n N next, previous"),
        Purpose::Filter { .. } => Some("Enter keep   Esc as it was   empty: everything"),
        Purpose::Answer { .. } => Some("Enter done   Esc cancel"),
        Purpose::Confirm { .. } => Some("y yes   n, Esc no"),
    }
}

/// Draws the prompt, the message, or what runs.
pub fn draw_message(model: &Model, canvas: &mut Canvas) {
    let theme = model.theme;
    if let Some(prompt) = &model.prompt {
        draw_prompt(model, prompt, canvas);
        if model.message.is_none() {
            return;
        }
    }
    let running = model.running.iter().rev().find_map(|r| r.label.as_deref());
    let right = match (running, counter(model), &model.message) {
        (Some(label), ..) => theme.span(Role::Dim, format!("{label}, Esc stops ")),
        (None, Some(counter), _) => theme.span(Role::Dim, counter),
        _ => Span::raw(""),
    };
    match &model.message {
        Some(message) if model.prompt.is_none() => {
            let role = if message.warning { Role::Warn } else { Role::Plain };
            canvas.sides(1, 0, theme.span(role, message.text.as_str()), right);
        }
        Some(message) => {
            let text = format!("{} ", message.text);
            let width = u16::try_from(cells::width(&visible(&text))).unwrap_or(0).min(canvas.width() / 2);
            let x = canvas.width() - width;
            canvas.line(x, 0, theme.span(Role::Warn, text));
        }
        None => canvas.sides(1, 0, "", right),
    }
}

/// `/pump  3 of 12`.
fn counter(model: &Model) -> Option<String> {
    let layer = model.stack.last()?;
    let search = layer.search.as_ref()?;
    let at = search.hits.binary_search(&layer.screen.spot()).ok();
    Some(match (at, search.hits.len()) {
        (_, n) if search.job.is_some() => format!("/{}  searching, {n} so far ", search.pattern.text),
        (_, 0) => format!("/{}  none ", search.pattern.text),
        (Some(i), n) => format!("/{}  {} of {n} ", search.pattern.text, i + 1),
        (None, n) => format!("/{}  {n} ", search.pattern.text),
    })
}

fn draw_prompt(model: &Model, prompt: &Prompt, canvas: &mut Canvas) {
    let theme = model.theme;
    canvas.line(1, 0, theme.span(Role::Key, prompt.label.as_str()));
    if matches!(prompt.purpose, Purpose::Confirm { .. }) {
        return;
    }
    let x = 1 + u16::try_from(cells::width(&visible(&prompt.label))).unwrap_or(0);
    let right = if matches!(prompt.purpose, Purpose::Search { .. }) { counter_short(model) } else { String::new() };
    let taken = u16::try_from(cells::width(&right)).unwrap_or(0);
    let room = canvas.width().saturating_sub(x + taken + 1);
    let (text, caret) = prompt.input.window(usize::from(room));
    canvas.line_in(x, 0, room, text);
    canvas.caret(x + u16::try_from(caret).unwrap_or(0), 0);
    let at = canvas.width().saturating_sub(taken);
    canvas.line(at, 0, theme.span(Role::Dim, right));
}

fn counter_short(model: &Model) -> String {
    counter(model).and_then(|c| c.split_once("  ").map(|(_, n)| n.to_owned())).unwrap_or_default()
}
