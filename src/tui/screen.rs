//! How a screen plugs in. The guide is in [`crate::tui`].

use std::any::Any;
use std::rc::Rc;

use ratatui::layout::Size;
use ratatui::text::Line;

use super::canvas::Canvas;
use super::command::Use;
use super::dispatch::Call;
use super::job::{Effect, Handle, Job, JobId, Payload};
use super::keys::Key;
use super::layout::{Arranged, Layout, PaneId, Panes};
use super::pattern::Pattern;
use super::theme::Theme;

/// The kinds of screens: the columns of the command table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named after the screens of screens.md §1")]
pub enum Kind {
    Browser,
    Trajectory,
    Compare,
    World,
    Entry,
    Play,
    Choose,
    Results,
    Text,
}

/// Names a screen for as long as it is on the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScreenId(pub u32);

/// Where a search can stand: a row of a pane, in the order of the screen. Rows need not be those on
/// display: what is folded away has its place too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// The pane.
    pub pane: PaneId,
    /// The row in the pane's own count.
    pub row: usize,
}

/// How far a long search looks: what it finds there stays true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// Which text it was: hits in another count for nothing.
    pub edition: u32,
    /// How many of its rows.
    pub rows: usize,
}

/// Takes hits in order, and whether all from the cursor to the end is looked through.
pub type TakeHits<'a> = &'a dyn Fn(Vec<Spot>, bool);

/// The work of a long search.
pub type SearchWork = Box<dyn FnOnce(&Handle, TakeHits) + Send>;

/// A search that takes long.
pub struct LongSearch {
    /// How far it will have looked at its end.
    pub reach: Reach,
    /// What finds the hits; asks [`Handle::cancelled`] often.
    pub work: SearchWork,
}

/// All that a reader can have moved on a screen: cursors, scrolls, folds. Only its screen looks inside.
#[derive(Clone)]
pub struct Place(Rc<dyn Any>);

impl Place {
    /// Keeps a copy of a screen's cursors.
    pub fn new<T: 'static>(cursors: T) -> Place {
        Place(Rc::new(cursors))
    }

    /// What was kept.
    pub fn get<T: 'static>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }
}

/// The heading of a pane.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Title {
    /// What stands there; also the word of its tab.
    pub name: String,
    /// At the right end of the rule, secondary.
    pub right: String,
}

impl Title {
    /// A heading without anything to its right.
    pub fn new(name: impl Into<String>) -> Title {
        Title { name: name.into(), right: String::new() }
    }

    /// Adds what stands at the right end.
    pub fn right(self, right: impl Into<String>) -> Title {
        Title { right: right.into(), ..self }
    }
}

/// Keys and what they do while a screen takes text, the most needed first.
pub type TypingKeys = &'static [(&'static str, &'static str)];

/// What a screen is told.
#[derive(Debug)]
pub enum Input {
    /// It is on the stack for the first time: begin loading here.
    Opened,
    /// It was asked for again from above, by this address.
    Arrived(String),
    /// The screen above it has left.
    Uncovered,
    /// A command that it lists in its table, or a motion.
    Run(Call),
    /// A key, while [`Screen::typing`].
    Key(Key),
    /// A pasted text, while [`Screen::typing`].
    Paste(String),
    /// A click on a pane's body; the pane has the focus by now.
    Click {
        /// The pane.
        pane: PaneId,
        /// The column in its body.
        x: u16,
        /// The line in its body.
        y: u16,
        /// The last input was a click on the same line: Enter.
        second: bool,
    },
    /// The wheel over a pane.
    Wheel {
        /// The pane.
        pane: PaneId,
        /// Rows; negative is up.
        rows: i32,
    },
    /// What a job of this screen found, or that it failed.
    Report(Payload),
    /// A job of this screen panicked.
    Failed {
        /// Which.
        job: JobId,
        /// The message.
        why: String,
    },
    /// The answer to [`Ctx::prompt`] or [`Ctx::ask`], with their tag.
    Answer {
        /// As it was asked.
        tag: &'static str,
        /// What was typed.
        text: String,
    },
    /// A filter was put in force: what takes long begins here.
    Filtered,
    /// A long search ended, or was stopped: what it held is free again.
    SearchEnded,
    /// A row of a card with a target was chosen.
    Chosen(String),
}

/// A card over the screen: what a thing is, or a list to choose from.
#[derive(Debug, Clone, Default)]
pub struct Card {
    /// Its heading.
    pub title: String,
    /// Its rows; those with a target answer Enter with [`Input::Chosen`].
    pub rows: Vec<(Line<'static>, Option<String>)>,
}

/// A screen. State changes in `update` and the other `&mut` methods alone; drawing reads.
pub trait Screen: Any {
    /// Which column of the command table it has.
    fn kind(&self) -> Kind;

    /// Where this is, as a link: `a-71#5`. What stands before `#` names the thing itself: pushing the
    /// same thing again goes back to it.
    fn address(&self) -> String;

    /// Its panes at this size.
    fn layout(&self, size: Size) -> Layout;

    /// The heading of a pane.
    fn title(&self, pane: PaneId) -> Title;

    /// Draws the header, [`Layout::header`] lines.
    fn draw_header(&self, canvas: &mut Canvas);

    /// Draws a pane's body.
    fn draw(&self, pane: PaneId, canvas: &mut Canvas);

    /// Handles an input.
    fn update(&mut self, input: Input, ctx: &mut Ctx);

    /// Fits lists to their panes; called after every update and resize, before drawing.
    fn settle(&mut self, arranged: &Arranged);

    /// Called after [`Screen::settle`]: whatever moved the cursor, work that it asks for begins here.
    fn settled(&mut self, _ctx: &mut Ctx) {}

    /// All that the reader can have moved.
    fn place(&self) -> Place;

    /// Puts it back.
    fn restore(&mut self, place: &Place);

    /// Every row that a search finds, in order, folded ones too.
    fn search(&self, _pattern: &Pattern) -> Vec<Spot> {
        Vec::new()
    }

    /// The same where it takes long: work for another thread, from the cursor on and around. With
    /// `seen`, what has come since that is worth looking through. Then [`Screen::search`] is not asked.
    fn long_search(&self, _pattern: &Pattern, _from: Spot, _seen: Option<Reach>) -> Option<LongSearch> {
        None
    }

    /// Where the cursor is, for the search.
    fn spot(&self) -> Spot {
        Spot { pane: 0, row: 0 }
    }

    /// Puts the cursor on a row and opens what hides it.
    fn reveal(&mut self, _spot: Spot) {}

    /// What the row that is revealed next was found by, for what stands beside it.
    fn sought(&mut self, _pattern: &Pattern) {}

    /// The filter in force; empty where there is none.
    fn filter(&self) -> &str {
        ""
    }

    /// Puts a filter in force, or says what is wrong with it. The cursor stays on its thing where it can.
    fn set_filter(&mut self, _filter: &str) -> Result<(), String> {
        Err("nothing to filter here".into())
    }

    /// Whether keys are text now, with this focus: all but Ctrl-C, Ctrl-Z and Ctrl-L then come as
    /// [`Input::Key`], and the footer shows these keys in place of commands.
    fn typing(&self, _focus: PaneId) -> Option<TypingKeys> {
        None
    }

    /// The footer's word for a command that its table lists; nothing where the command would not act now.
    fn footer_word(&self, of: &Use) -> Option<&'static str> {
        Some(of.footer.0)
    }

    /// Takes one layer of its own off at Esc: a lens, a baseline. Says whether there was one.
    fn peel(&mut self) -> bool {
        false
    }

    /// `< >`: the item so many steps on in this screen's list, for the screen above, which
    /// [`Ctx::replace`] puts in its place. Says whether there is one.
    fn sibling(&mut self, _steps: i64, _ctx: &mut Ctx) -> bool {
        false
    }

    /// Whether `q` may leave; a screen that asks first returns false and calls [`Ctx::pop`] later.
    fn leave(&mut self, _ctx: &mut Ctx) -> bool {
        true
    }

    /// It leaves the stack or the program ends: close what is open. Called once.
    fn close(&mut self) {}

    /// Words that the palette offers as an argument of a command.
    fn arguments(&self, _call: &Call) -> Vec<String> {
        Vec::new()
    }
}

/// What a screen asks of the shell while it updates.
pub(super) enum Wish {
    Push(Box<dyn Screen>),
    Replace(Box<dyn Screen>),
    Pop,
    Say(String),
    Warn(String),
    Card(Card),
    Prompt { tag: &'static str, label: String, text: String },
    Ask { tag: &'static str, question: String },
    Jumped(Place),
    Palette,
    Help,
    Run(Call),
}

/// What a screen sees of the shell, and asks of it, while it updates.
pub struct Ctx<'a> {
    /// The window, and where the panes are in it.
    pub arranged: &'a Arranged,
    /// The focus; a screen may move it.
    pub panes: &'a mut Panes,
    /// How things look, for the lines of cards.
    pub theme: Theme,
    /// The time, as RFC 3339.
    pub now: jiff::Timestamp,
    pub(super) screen: ScreenId,
    pub(super) next_job: &'a mut u32,
    pub(super) wishes: Vec<Wish>,
    pub(super) effects: Vec<Effect>,
}

impl Ctx<'_> {
    /// Puts a screen on the stack. One that is already below is gone back to instead.
    pub fn push(&mut self, screen: impl Screen) {
        self.wishes.push(Wish::Push(Box::new(screen)));
    }

    /// Puts a screen in place of the one on top.
    pub fn replace(&mut self, screen: impl Screen) {
        self.wishes.push(Wish::Replace(Box::new(screen)));
    }

    /// Leaves this screen.
    pub fn pop(&mut self) {
        self.wishes.push(Wish::Pop);
    }

    /// Says something in the message line, until the next key.
    pub fn say(&mut self, text: impl Into<String>) {
        self.wishes.push(Wish::Say(text.into()));
    }

    /// Says in the message line why something was not done.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.wishes.push(Wish::Warn(text.into()));
    }

    /// Shows a card.
    pub fn card(&mut self, card: Card) {
        self.wishes.push(Wish::Card(card));
    }

    /// Asks for a line of text; Enter brings [`Input::Answer`], Esc nothing.
    pub fn prompt(&mut self, tag: &'static str, label: impl Into<String>, text: impl Into<String>) {
        self.wishes.push(Wish::Prompt { tag, label: label.into(), text: text.into() });
    }

    /// Asks yes or no; `y` brings [`Input::Answer`], `n` and Esc nothing, any other key what is expected.
    pub fn ask(&mut self, tag: &'static str, question: impl Into<String>) {
        self.wishes.push(Wish::Ask { tag, question: question.into() });
    }

    /// Remembers a place to come back to by `''`: call with [`Screen::place`] before a jump.
    pub fn jumped(&mut self, from: Place) {
        self.wishes.push(Wish::Jumped(from));
    }

    /// Opens the palette: for screens that type.
    pub fn palette(&mut self) {
        self.wishes.push(Wish::Palette);
    }

    /// Opens the help: for screens that type.
    pub fn help(&mut self) {
        self.wishes.push(Wish::Help);
    }

    /// Runs another command after this one.
    pub fn run(&mut self, call: Call) {
        self.wishes.push(Wish::Run(call));
    }

    /// Copies a text to the clipboard; `what` names it in the message.
    pub fn copy(&mut self, text: impl Into<String>, what: impl Into<String>) {
        self.effects.push(Effect::Copy { text: text.into(), what: what.into() });
    }

    /// Opens a file in the editor at a line.
    pub fn edit(&mut self, path: impl Into<std::path::PathBuf>, line: usize) {
        self.effects.push(Effect::Edit { path: path.into(), line });
    }

    /// Does long work on another thread, quietly; what it returns comes as [`Input::Report`].
    pub fn spawn<T: Any + Send>(&mut self, work: impl FnOnce(&Handle) -> T + Send + 'static) -> JobId {
        self.start(None, work)
    }

    /// The same for work that the reader asked for: the message line names it, and Esc stops it.
    pub fn spawn_named<T: Any + Send>(
        &mut self,
        label: impl Into<String>,
        work: impl FnOnce(&Handle) -> T + Send + 'static,
    ) -> JobId {
        self.start(Some(label.into()), work)
    }

    /// The same after a while: for what is looked at again and again.
    pub fn spawn_after<T: Any + Send>(
        &mut self,
        delay: std::time::Duration,
        work: impl FnOnce(&Handle) -> T + Send + 'static,
    ) -> JobId {
        let id = self.start(None, work);
        if let Some(Effect::Spawn(job)) = self.effects.last_mut() {
            job.delay = delay;
        }
        id
    }

    fn start<T: Any + Send>(
        &mut self,
        label: Option<String>,
        work: impl FnOnce(&Handle) -> T + Send + 'static,
    ) -> JobId {
        *self.next_job += 1;
        let id = JobId(*self.next_job);
        let work = Box::new(move |handle: &Handle| Box::new(work(handle)) as Payload);
        self.effects.push(Effect::Spawn(Job::new(id, self.screen, label, work)));
        id
    }

    /// Stops a job; it may still report what it had found.
    pub fn cancel(&mut self, job: JobId) {
        self.effects.push(Effect::Cancel(job));
    }

    /// Does something short outside, in order, before the next key: writing an event of a log. What
    /// it returns comes as [`Input::Report`].
    pub fn perform<T: Any + Send>(&mut self, action: impl FnOnce() -> T + 'static) {
        let action = Box::new(move || Box::new(action()) as Payload);
        self.effects.push(Effect::Perform { screen: self.screen, action });
    }
}
