//! A run on the screen and its log: how it begins, and what is written as it goes on.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use super::end::Analysed;
use super::hint::Sought;
use super::session::{Move, Session};
use super::{CallPrompt, End, Hints, Likely, PROMPT, Panes, Play, Recorder, Start, terms, usual};
use crate::run::{Event, Out, Parent};
use crate::tui::input::LineInput;
use crate::tui::job::Payload;
use crate::tui::layout::PaneId;
use crate::tui::screen::Ctx;
use crate::tui::view::play as view;
use crate::world::{Library, World};

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
    pub(super) recorder: Rc<RefCell<Option<Recorder>>>,
    /// The run that it was forked from.
    pub parent: Option<Parent>,
    /// Calls that were taken back, each with what followed it; the last is the earliest.
    pub(super) taken_back: Vec<Vec<Move>>,
    /// Hints, and the search for one.
    pub(super) hints: Hints,
    /// What was just said, and is to be said with what comes of writing it.
    pub(super) told: Option<String>,
    /// The run held against plans, once it has ended.
    pub end: Option<End>,
    /// Lines of the prompt's pane.
    pub(super) prompt_height: u16,
    /// What the call would do: in open play alone.
    pub likely: Option<Likely>,
    /// Why the log cannot be written.
    pub trouble: Option<String>,
    /// The player goes on without a log, knowing it.
    pub unrecorded: bool,
}

impl Game {
    /// A click on a line of a pane.
    pub(super) fn click(&mut self, pane: PaneId, y: u16) {
        if pane != PROMPT {
            return self.panes.click(pane, y);
        }
        let first = y.checked_sub(view::above_choices(self.prompt_height));
        let choices = &self.call.choices;
        let tall = |at| view::choice_height(choices, at);
        if let Some(row) = first.and_then(|y| self.call.list.at(y, choices.len(), tall)) {
            self.call.point(row);
        }
    }
}

/// What came of writing the log, with its path where it was new.
struct Written(Result<Option<PathBuf>, String>);

impl Play {
    pub(super) fn begin(&mut self, ctx: &mut Ctx) {
        let Some(pick) = &self.pick else { return };
        let (role, toolset) = pick.chosen();
        let world = pick.world.clone();
        self.shelf.set_last_play(pick.names());
        self.start(&world, Start::anew(terms(role, toolset)), ctx);
    }

    /// Where logs go.
    pub(super) fn out(&self) -> Out {
        self.plan.out.clone().or_else(|| self.shelf.out()).unwrap_or_else(usual)
    }

    /// A run from its start or on from a step, with a log of its own.
    pub(super) fn start(&mut self, world: &Arc<World>, start: Start, ctx: &mut Ctx) {
        let Start { terms, parent, moves } = start;
        let mut session = Session::after(world, terms, &moves);
        if session.episode.calls_left() == Some(0) {
            return ctx.warn("no calls are left there: choose an earlier one");
        }
        session.seen.inherited = moves.len();
        let header = session.header(ctx.now, parent.clone());
        let recorder = Recorder::new(self.out(), session.name(), header, session.events());
        let opened = (self.plan.open && !session.open).then(|| session.make(&Move::Open));
        let (call, mut panes) = (CallPrompt::new(&session.seen), Panes::new(&session.seen));
        panes.to_end = !moves.is_empty();
        self.pick = None;
        self.game = Some(Game {
            session,
            panes,
            call,
            words: None,
            recorder: Rc::new(RefCell::new(Some(recorder))),
            parent,
            taken_back: Vec::new(),
            hints: Hints::default(),
            told: None,
            end: None,
            prompt_height: 0,
            likely: None,
            trouble: None,
            unrecorded: false,
        });
        ctx.panes.focus(PROMPT);
        match opened {
            Some(opened) => self.record(opened, ctx),
            None => self.try_out(ctx),
        }
    }

    /// Finds out early whether there can be a log; there is none before something happened.
    fn try_out(&self, ctx: &mut Ctx) {
        let Some(game) = &self.game else { return };
        let recorder = game.recorder.clone();
        ctx.perform(move || Written(recorder.borrow().as_ref().map_or(Ok(()), Recorder::try_out).map(|()| None)));
    }

    pub(super) fn record(&mut self, events: impl IntoIterator<Item = Event> + 'static, ctx: &mut Ctx) {
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
                let told = game.told.take().map_or(String::new(), |told| format!("{told}; "));
                if let Some(path) = path {
                    ctx.say(format!("{told}recorded in {}", path.display()));
                }
            }
            Err(why) => {
                game.trouble = Some(why);
                self.mind_trouble(ctx);
            }
        }
    }

    pub(super) fn reported(&mut self, payload: Payload, ctx: &mut Ctx) {
        let payload = match payload.downcast::<Written>() {
            Ok(written) => return self.written(*written, ctx),
            Err(payload) => payload,
        };
        let payload = match payload.downcast::<Sought>() {
            Ok(sought) => return self.hint_found(*sought, ctx),
            Err(payload) => payload,
        };
        match payload.downcast::<Analysed>() {
            Ok(analysed) => self.analysed(*analysed),
            Err(payload) => {
                if let (Ok(library), Some(pick)) = (payload.downcast::<Arc<Library>>(), &mut self.pick) {
                    pick.entries(&library);
                }
            }
        }
    }

    /// Asks whether to go on where nothing can be recorded. Says whether the player may.
    pub(super) fn mind_trouble(&mut self, ctx: &mut Ctx) -> bool {
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
