//! The state of the inspector: one value, changed in [`super::update`] alone.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ratatui::crossterm::event::Event;
use ratatui::layout::Size;

use super::command::Hunt;
use super::dispatch::{Keymap, Pending};
use super::input::LineInput;
use super::job::{JobId, Payload};
use super::layout::{Arranged, PaneId, Panes, arrange};
use super::overlay::Overlay;
use super::pattern::Pattern;
use super::screen::{Place, Reach, Screen, ScreenId, Spot, TypingKeys};
use super::theme::Theme;

/// What comes in.
pub enum Msg {
    /// From the terminal.
    Terminal(Event),
    /// A job reports while it works.
    Report {
        /// Who hears of it.
        screen: ScreenId,
        /// What was found.
        payload: Payload,
    },
    /// A job ended, or panicked.
    Done {
        /// Which.
        job: JobId,
        /// Who hears of it.
        screen: ScreenId,
        /// What it returns.
        result: Result<Payload, String>,
    },
    /// The loop has something to say: what was copied.
    Say(String),
    /// Something was not done: why the editor did not open.
    Warn(String),
    /// The system asks to suspend.
    Suspend,
    /// The program was stopped and goes on: the terminal may be in any state.
    Resumed,
    /// The system asks to end.
    Terminate,
}

/// A screen on the stack, with what the shell keeps for it.
pub(super) struct Layer {
    pub id: ScreenId,
    pub screen: Box<dyn Screen>,
    pub panes: Panes,
    pub search: Option<Search>,
    pub marks: BTreeMap<char, (Panes, Place)>,
    pub jumps: Vec<(Panes, Place)>,
    pub hunt: Option<Hunt>,
}

/// A search in force.
pub(super) struct Search {
    pub pattern: Pattern,
    /// In order.
    pub hits: Vec<Spot>,
    /// Who still looks.
    pub job: Option<JobId>,
    /// How far was looked, where that takes a job.
    pub reach: Option<Reach>,
    /// Where the cursor is to go as soon as it is known.
    pub aim: Option<Aim>,
}

/// The first hit from a spot on.
pub(super) struct Aim {
    pub from: Spot,
    /// Where `''` leads back to, once Enter has closed the prompt.
    pub jump: Option<(Panes, Place)>,
}

/// A line at the foot of the screen that takes the keys.
pub(super) struct Prompt {
    pub label: String,
    pub input: LineInput,
    pub purpose: Purpose,
}

/// What a prompt is for, and what to put back at Esc.
pub(super) enum Purpose {
    Search { panes: Panes, place: Place, from: Spot },
    Filter { before: String },
    Answer { tag: &'static str },
    Confirm { tag: &'static str },
}

/// A line in answer to the last key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Message {
    pub text: String,
    pub warning: bool,
}

/// A job that runs.
pub(super) struct Running {
    pub id: JobId,
    pub screen: ScreenId,
    pub label: Option<String>,
    pub cancelled: Arc<AtomicBool>,
}

/// Where the last click was, while nothing came between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LastClick {
    pub pane: PaneId,
    pub y: u16,
}

/// The whole state.
pub struct Model {
    /// The window.
    pub size: Size,
    /// The time, put in by the loop before each message.
    pub now: jiff::Timestamp,
    /// How things look.
    pub theme: Theme,
    /// Which keys do what.
    pub keymap: Keymap,
    pub(super) stack: Vec<Layer>,
    pub(super) arranged: Arranged,
    pub(super) pending: Pending,
    pub(super) overlay: Option<Overlay>,
    pub(super) prompt: Option<Prompt>,
    pub(super) message: Option<Message>,
    pub(super) running: Vec<Running>,
    pub(super) click: Option<LastClick>,
    pub(super) last_search: String,
    pub(super) next_screen: u32,
    pub(super) next_job: u32,
    /// Something changed since it was drawn.
    pub(super) dirty: bool,
    /// The message at hand changed nothing.
    pub(super) unchanged: bool,
}

impl Model {
    /// An inspector without screens; [`super::update::open`] gives it the first.
    pub fn new(size: Size, theme: Theme, keymap: Keymap) -> Model {
        Model {
            size,
            now: jiff::Timestamp::UNIX_EPOCH,
            theme,
            keymap,
            stack: Vec::new(),
            arranged: Arranged::default(),
            pending: Pending::default(),
            overlay: None,
            prompt: None,
            message: None,
            running: Vec::new(),
            click: None,
            last_search: String::new(),
            next_screen: 0,
            next_job: 0,
            dirty: true,
            unchanged: false,
        }
    }

    /// The screen on top.
    pub fn top(&self) -> Option<&dyn Screen> {
        self.stack.last().map(|layer| layer.screen.as_ref())
    }

    /// How many screens are on the stack.
    pub fn depth(&self) -> usize {
        self.stack.len()
    }

    /// What the message line says.
    pub fn message(&self) -> Option<&str> {
        self.message.as_ref().map(|m| m.text.as_str())
    }

    /// Whether characters are text now, and no commands.
    pub(super) fn takes_text(&self) -> bool {
        self.prompt.is_some() || self.overlay.is_none() && self.typing().is_some()
    }

    /// The keys of the screen on top while it takes text.
    pub(super) fn typing(&self) -> Option<TypingKeys> {
        let layer = self.stack.last()?;
        layer.screen.typing(layer.panes.focus)
    }

    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), warning: false });
    }

    pub(super) fn warn(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), warning: true });
    }

    /// Lays the top screen out again and lets it fit its lists.
    pub(super) fn settle(&mut self) {
        let Some(layer) = self.stack.last_mut() else { return };
        let layout = layer.screen.layout(self.size);
        if !layout.order().any(|p| p == layer.panes.focus)
            && let Some(first) = layout.order().next()
        {
            layer.panes.focus(first);
        }
        self.arranged = arrange(&layout, self.size, &layer.panes);
        layer.screen.settle(&self.arranged);
    }
}
