//! The loop: messages in, update, effects out, draw. Generic over the terminal and the source of
//! messages, so that tests drive this very loop.

use std::collections::VecDeque;

use ratatui::Terminal;
use ratatui::backend::Backend;
use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};

use super::job::Effect;
use super::model::{Model, Msg};
use super::update::update;
use super::view::view;

/// Messages handled before a frame is drawn at the latest, however many wait.
const BURST: usize = 256;

/// Characters that wait together to be text that is pasted, not typed: some terminals do not tell.
const PASTED: usize = 32;
/// Characters that are taken as one paste at most.
const PIECE: usize = 1 << 16;

/// Where messages come from.
pub trait Events {
    /// The next message; waits for it. Nothing where none will ever come.
    fn next(&mut self) -> Option<Msg>;

    /// A message that is there already.
    fn ready(&mut self) -> Option<Msg>;
}

/// Who carries out effects outside the program.
pub trait Outside {
    /// The time.
    fn now(&self) -> jiff::Timestamp;

    /// Carries out what the loop does not do itself, and says what came of it.
    fn carry_out(&mut self, effect: Effect) -> Option<Msg>;

    /// A frame begins to be drawn, or was drawn.
    fn frame(&mut self, _begins: bool) {}
}

/// Runs until the model asks to quit or no message will come.
pub fn run<B: Backend>(
    terminal: &mut Terminal<B>,
    model: &mut Model,
    first: Vec<Effect>,
    events: &mut impl Events,
    outside: &mut impl Outside,
) -> Result<(), B::Error> {
    let mut effects = first;
    let mut waiting = Waiting { events, held: VecDeque::new() };
    loop {
        if carry_out(terminal, model, effects, outside)? {
            return Ok(());
        }
        if std::mem::take(&mut model.dirty) {
            outside.frame(true);
            terminal.draw(|frame| view(model, frame))?;
            outside.frame(false);
        }
        let Some(msg) = waiting.next(model.takes_text()) else { return Ok(()) };
        model.now = outside.now();
        effects = update(model, msg);
        for _ in 1..BURST {
            // Effects are carried out in order, before anything that follows them.
            if !effects.is_empty() {
                break;
            }
            let Some(msg) = waiting.ready(model.takes_text()) else { break };
            effects = update(model, msg);
        }
    }
}

/// Messages in order; where keys are text, many characters that wait together come as one paste.
struct Waiting<'a, E> {
    events: &'a mut E,
    held: VecDeque<Msg>,
}

impl<E: Events> Waiting<'_, E> {
    fn next(&mut self, text: bool) -> Option<Msg> {
        let first = self.held.pop_front().or_else(|| self.events.next())?;
        Some(self.gather(first, text))
    }

    fn ready(&mut self, text: bool) -> Option<Msg> {
        let first = self.held.pop_front().or_else(|| self.events.ready())?;
        Some(self.gather(first, text))
    }

    fn gather(&mut self, first: Msg, text: bool) -> Msg {
        let Some(character) = character(&first).filter(|_| text) else { return first };
        let mut pasted = String::from(character);
        let mut taken = VecDeque::new();
        while pasted.len() < PIECE {
            let Some(msg) = self.held.pop_front().or_else(|| self.events.ready()) else { break };
            let more = self::character(&msg);
            pasted.extend(more);
            taken.push_back(msg);
            if more.is_none() {
                break;
            }
        }
        let behind = taken.back().is_some_and(|msg| self::character(msg).is_none()).then(|| taken.pop_back()).flatten();
        if taken.len() + 1 < PASTED {
            taken.extend(behind);
            taken.append(&mut self.held);
            self.held = taken;
            return first;
        }
        if let Some(behind) = behind {
            self.held.push_front(behind);
        }
        Msg::Terminal(Event::Paste(pasted))
    }
}

/// The character that a message types.
fn character(msg: &Msg) -> Option<char> {
    let Msg::Terminal(Event::Key(key)) = msg else { return None };
    let plain = key.kind != KeyEventKind::Release && (key.modifiers - KeyModifiers::SHIFT).is_empty();
    match key.code {
        KeyCode::Char(character) if plain => Some(character),
        _ => None,
    }
}

/// Carries effects out, and those that follow from them. Says whether to quit.
fn carry_out<B: Backend>(
    terminal: &mut Terminal<B>,
    model: &mut Model,
    effects: Vec<Effect>,
    outside: &mut impl Outside,
) -> Result<bool, B::Error> {
    let mut queue = std::collections::VecDeque::from(effects);
    while let Some(effect) = queue.pop_front() {
        let away = matches!(effect, Effect::Edit { .. } | Effect::Suspend | Effect::Retake);
        let msg = match effect {
            Effect::Quit => return Ok(true),
            Effect::Redraw => {
                redraw(terminal, model)?;
                None
            }
            Effect::Perform { screen, action } => Some(Msg::Report { screen, payload: action() }),
            other => outside.carry_out(other),
        };
        if away {
            redraw(terminal, model)?;
        }
        if let Some(msg) = msg {
            queue.extend(update(model, msg));
        }
    }
    Ok(false)
}

/// Forgets what was drawn: the terminal may show anything.
fn redraw<B: Backend>(terminal: &mut Terminal<B>, model: &mut Model) -> Result<(), B::Error> {
    let size = terminal.size()?;
    terminal.resize(size.into())?;
    if size != model.size {
        let resize = ratatui::crossterm::event::Event::Resize(size.width, size.height);
        update(model, Msg::Terminal(resize));
    }
    model.dirty = true;
    Ok(())
}
