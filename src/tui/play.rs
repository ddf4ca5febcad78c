//! A persona played by hand, against the executor that agents face (screens.md §5).
//!
//! The player sees what an agent sees: [`session::Seen`]. What is hidden stays in [`session::Session`] and
//! is drawn in open play and at the end alone.

mod act;
mod fuzzy;
mod open;
mod panes;
mod pick;
mod prompt;
mod record;
mod rows;
mod session;
mod side;
mod story;
mod table;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use ratatui::layout::Size;

pub use open::{Likely, likely};
pub use panes::Panes;
pub use pick::Pick;
pub use prompt::{CallPrompt, Choice, FINISH, Stage};
pub use record::{Out, Recorder, kept};
pub use rows::{Row, Target};
pub use session::{Seen, Sent, Session};
pub use table::{CHOOSE, TABLE};

use super::canvas::Canvas;
use super::command::{Cmd, Use};
use super::input::LineInput;
use super::layout::{Arranged, Extent, Layout, PaneId, Room};
use super::pattern::Pattern;
use super::screen::{Ctx, Input, Kind, Place, Screen, Spot, Title, TypingKeys};
use super::shelf::Shelf;
use crate::run::{EndReason, Event};
use crate::world::{RoleId, ToolsetId, World};
use table::{CALL_KEYS, SAY_KEYS};

/// The story.
pub const STORY: PaneId = 0;
/// What is known.
pub const KNOWN: PaneId = 1;
/// The prompt.
pub const PROMPT: PaneId = 2;
/// Choosing: entries, roles, tool sets, and who is served.
pub const PICK: [PaneId; 4] = [3, 4, 5, 6];

/// How a run is to be played.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// Who acts; chosen on the screen if not given.
    pub role: Option<RoleId>,
    /// The tools offered; chosen on the screen if not given.
    pub toolset: Option<ToolsetId>,
    /// Goal, gates and state are shown from the start.
    pub open: bool,
    /// Where the log goes; the usual place if not given.
    pub out: Option<Out>,
}

/// A run being played, and its log.
#[derive(Debug)]
pub struct Game {
    /// The run.
    pub session: Session,
    /// The call being put together.
    pub call: CallPrompt,
    /// The words being typed, while the prompt is `say ›`.
    pub words: Option<LineInput>,
    /// Story and side, as rows.
    pub panes: Panes,
    /// The log, once it was begun.
    recorder: Rc<RefCell<Option<Recorder>>>,
    /// Lines of the prompt's pane.
    prompt_height: u16,
    /// What the call would do: in open play alone.
    pub likely: Option<Likely>,
    /// Why the log cannot be written.
    pub trouble: Option<String>,
    /// The player goes on without a log, knowing it.
    pub unrecorded: bool,
}

/// The screen.
pub struct Play {
    shelf: Arc<Shelf>,
    plan: Plan,
    /// Choosing what to play; gone once that is done.
    pub pick: Option<Pick>,
    /// The run, once it was begun.
    pub game: Option<Game>,
}

impl Game {
    /// A click on a line of a pane.
    fn click(&mut self, pane: PaneId, y: u16) {
        if pane != PROMPT {
            return self.panes.click(pane, y);
        }
        let first = y.checked_sub(crate::tui::view::play::above_choices(self.prompt_height));
        let choices = &self.call.choices;
        let tall = |at| crate::tui::view::play::choice_height(choices, at);
        if let Some(row) = first.and_then(|y| self.call.list.at(y, choices.len(), tall)) {
            self.call.point(row);
        }
    }
}

/// What came of writing the log, with its path where it was new.
struct Written(Result<Option<std::path::PathBuf>, String>);

impl Play {
    /// An entry to play.
    pub fn new(shelf: &Arc<Shelf>, world: &Arc<World>, plan: Plan) -> Play {
        let pick = Pick::new(world, &plan, shelf.last_play());
        Play { shelf: shelf.clone(), plan, pick: Some(pick), game: None }
    }

    fn begin(&mut self, ctx: &mut Ctx) {
        let Some(pick) = &self.pick else { return };
        let (role, toolset) = pick.chosen();
        let world = pick.world.clone();
        self.shelf.set_last_play(pick.names());
        self.start(&world, role, toolset, ctx);
    }

    /// A run from its start, with a log of its own.
    fn start(&mut self, world: &Arc<World>, role: RoleId, toolset: ToolsetId, ctx: &mut Ctx) {
        let mut session = Session::new(world, role, toolset);
        let out = self.plan.out.clone().unwrap_or_else(Out::usual);
        let recorder = Recorder::new(out, session.name(), session.header(ctx.now));
        let opened = self.plan.open.then(|| session.reveal());
        let call = CallPrompt::new(&session.seen);
        self.pick = None;
        self.game = Some(Game {
            session,
            call,
            words: None,
            panes: Panes::default(),
            recorder: Rc::new(RefCell::new(Some(recorder))),
            prompt_height: 0,
            likely: None,
            trouble: None,
            unrecorded: false,
        });
        ctx.panes.focus(PROMPT);
        match opened {
            Some(opened) => self.record([opened], ctx),
            None => self.try_out(ctx),
        }
    }

    /// Finds out early whether there can be a log; there is none before something happened.
    fn try_out(&self, ctx: &mut Ctx) {
        let Some(game) = &self.game else { return };
        let recorder = game.recorder.clone();
        ctx.perform(move || Written(recorder.borrow().as_ref().map_or(Ok(()), Recorder::try_out).map(|()| None)));
    }

    fn record(&mut self, events: impl IntoIterator<Item = Event> + 'static, ctx: &mut Ctx) {
        let Some(game) = &mut self.game else { return };
        game.panes.stale = true;
        let recorder = game.recorder.clone();
        let events: Vec<Event> = events.into_iter().collect();
        ctx.perform(move || {
            let mut recorder = recorder.borrow_mut();
            let Some(recorder) = recorder.as_mut() else { return Written(Ok(None)) };
            let begun = recorder.path.is_some();
            Written(recorder.write(events).map(|()| recorder.path.clone().filter(|_| !begun)))
        });
    }

    fn written(&mut self, written: Written, ctx: &mut Ctx) {
        let Some(game) = &mut self.game else { return };
        match written.0 {
            Ok(path) => {
                game.trouble = None;
                game.unrecorded = false;
                if let Some(path) = path {
                    ctx.say(format!("recorded in {}", path.display()));
                }
            }
            Err(why) => {
                game.trouble = Some(why);
                self.mind_trouble(ctx);
            }
        }
    }

    /// Asks whether to go on where nothing can be recorded. Says whether the player may.
    fn mind_trouble(&mut self, ctx: &mut Ctx) -> bool {
        let Some(game) = &self.game else { return true };
        match &game.trouble {
            Some(why) if !game.unrecorded => {
                ctx.ask("unrecorded", format!("Nothing is recorded; go on all the same? ({why})"));
                false
            }
            _ => true,
        }
    }
}

/// Characters that a paste puts into a call: completion matches the whole line at every key.
const MAX_PASTE: usize = 1000;

impl Screen for Play {
    fn kind(&self) -> Kind {
        if self.pick.is_some() { Kind::Choose } else { Kind::Play }
    }

    fn address(&self) -> String {
        match (&self.game, &self.pick) {
            (Some(game), _) => format!("play {}#{}", game.session.seen.id, game.session.seen.calls),
            (None, Some(pick)) => format!("play {}", pick.world.problem.id),
            (None, None) => "play".to_owned(),
        }
    }

    fn layout(&self, size: Size) -> Layout {
        if let Some(pick) = &self.pick {
            return pick.layout(size);
        }
        let prompt = Extent::Cells(if size.height < 20 { 5 } else { 9.max(size.height / 4) });
        let layout = Layout::new(1);
        let above = match Room::of(size) {
            Room::Tiny | Room::Narrow => layout.band(Extent::Share(1), &[(&[STORY, KNOWN], Extent::Share(1))]),
            _ => layout.band(Extent::Share(1), &[(&[STORY], Extent::Share(4)), (&[KNOWN], Extent::Share(3))]),
        };
        match self.game.as_ref().is_some_and(|game| game.session.seen.end.is_some()) {
            true => above,
            false => above.band(prompt, &[(&[PROMPT], Extent::Share(1))]),
        }
    }

    fn title(&self, pane: PaneId) -> Title {
        match (&self.game, &self.pick) {
            (_, Some(pick)) => pick.title(pane),
            (Some(game), None) => crate::tui::view::play::title(game, pane),
            _ => Title::default(),
        }
    }

    fn draw_header(&self, canvas: &mut Canvas) {
        match (&self.game, &self.pick) {
            (_, Some(pick)) => pick.draw_header(canvas),
            (Some(game), None) => crate::tui::view::play::header(game, canvas),
            _ => {}
        }
    }

    fn draw(&self, pane: PaneId, canvas: &mut Canvas) {
        match (&self.game, &self.pick) {
            (_, Some(pick)) => pick.draw(pane, canvas),
            (Some(game), None) => crate::tui::view::play::pane(game, pane, canvas),
            _ => {}
        }
    }

    fn update(&mut self, input: Input, ctx: &mut Ctx) {
        match input {
            Input::Opened => match (&self.pick, self.plan.role) {
                (Some(pick), Some(role)) => {
                    let (world, toolset) = (pick.world.clone(), self.plan.toolset.unwrap_or(ToolsetId(0)));
                    self.start(&world, role, toolset, ctx);
                }
                (Some(pick), None) => {
                    ctx.panes.focus(pick.first());
                    let shelf = self.shelf.clone();
                    ctx.spawn(move |_| shelf.library());
                }
                _ => {}
            },
            Input::Run(call) => self.command(&call, ctx),
            Input::Key(key) => self.typed(key, ctx),
            Input::Paste(text) => {
                let Some(game) = &mut self.game else { return };
                match &mut game.words {
                    Some(words) => words.insert(&text),
                    None => {
                        let kept: String = text.chars().take(MAX_PASTE).collect();
                        if kept.len() < text.len() {
                            ctx.warn(format!("a call takes {MAX_PASTE} characters at once: the rest was left out"));
                        }
                        game.call.paste(&kept, &game.session.seen);
                    }
                }
            }
            Input::Answer { tag, .. } => self.answer(tag, ctx),
            Input::Report(payload) => match payload.downcast::<Written>() {
                Ok(written) => self.written(*written, ctx),
                Err(payload) => {
                    if let (Ok(library), Some(pick)) =
                        (payload.downcast::<Arc<crate::world::Library>>(), &mut self.pick)
                    {
                        pick.entries(&library);
                    }
                }
            },
            Input::Click { pane, y, second, .. } => {
                match (&mut self.pick, &mut self.game) {
                    (Some(pick), _) => pick.click(pane, y),
                    (_, Some(game)) => game.click(pane, y),
                    _ => {}
                }
                match (&mut self.game, second) {
                    (Some(game), true) if pane == PROMPT && game.words.is_none() => {
                        let act = game.call.enter_key(&game.session.seen);
                        self.act(act, ctx);
                    }
                    (_, true) => self.command(&super::dispatch::Call::of(Cmd::Open), ctx),
                    _ => {}
                }
            }
            Input::Wheel { pane, rows } => match (&mut self.pick, &mut self.game) {
                (Some(pick), _) => pick.wheel(pane, rows),
                (_, Some(game)) => game.panes.wheel(pane, rows),
                _ => {}
            },
            _ => {}
        }
    }

    fn settle(&mut self, arranged: &Arranged) {
        if let Some(pick) = &mut self.pick {
            return pick.settle(arranged);
        }
        if let Some(game) = &mut self.game {
            game.panes.settle(&game.session, arranged);
            game.prompt_height = arranged.area(PROMPT).height;
            let lines = game.prompt_height.saturating_sub(crate::tui::view::play::above_choices(game.prompt_height));
            let (choices, list) = (&game.call.choices, &mut game.call.list);
            list.settle(choices.len(), lines, |at| crate::tui::view::play::choice_height(choices, at));
            game.likely = game.session.open.then(|| likely(&game.session, &game.call)).flatten();
        }
    }

    fn place(&self) -> Place {
        Place::new(self.game.as_ref().map(|game| game.panes.place()))
    }

    fn restore(&mut self, place: &Place) {
        if let (Some(game), Some(Some(kept))) = (&mut self.game, place.get::<Option<panes::Kept>>()) {
            game.panes.restore(kept);
        }
    }

    fn search(&self, pattern: &Pattern) -> Vec<Spot> {
        self.game.as_ref().map_or(Vec::new(), |game| game.panes.search(pattern))
    }

    fn spot(&self) -> Spot {
        self.game.as_ref().map_or(Spot { pane: STORY, row: 0 }, |game| game.panes.spot())
    }

    fn reveal(&mut self, spot: Spot) {
        if let Some(game) = &mut self.game {
            game.panes.reveal(spot);
        }
    }

    fn typing(&self, focus: PaneId) -> Option<TypingKeys> {
        let game = self.game.as_ref().filter(|_| focus == PROMPT)?;
        Some(if game.words.is_some() { SAY_KEYS } else { CALL_KEYS })
    }

    fn footer_word(&self, of: &Use) -> Option<&'static str> {
        let Some(Game { session, .. }) = &self.game else { return Some(of.footer.0) };
        match (of.cmd, session.seen.end.is_some()) {
            (Cmd::Say | Cmd::ShowAll, true) => None,
            (Cmd::ShowAll, _) if session.open => None,
            (Cmd::Open, true) if session.seen.left_at_once() => None,
            (Cmd::Open, true) => Some("step by step"),
            (Cmd::Play, true) => Some("once more"),
            (Cmd::Back, true) => Some("back"),
            _ => Some(of.footer.0),
        }
    }

    fn leave(&mut self, ctx: &mut Ctx) -> bool {
        match &self.game {
            Some(game) if game.session.seen.end.is_none() => {
                ctx.ask("stop", "stop playing? The run ends as stopped.");
                false
            }
            _ => true,
        }
    }

    fn close(&mut self) {
        let Some(game) = &mut self.game else { return };
        let event = game.session.end(EndReason::Stopped).filter(|_| !game.session.seen.left_at_once());
        if let (Some(event), Some(recorder)) = (event, game.recorder.borrow_mut().as_mut()) {
            // Nobody is left to be told.
            let _ = recorder.write([event]);
        }
    }
}
