//! A persona played by hand, against the executor that agents face (screens.md §5).
//!
//! The player sees what an agent sees: [`session::Seen`]. What is hidden stays in [`session::Session`] and
//! is drawn in open play and at the end alone.

mod act;
mod end;
mod ending;
mod fork;
mod fuzzy;
mod game;
mod hint;
mod open;
mod panes;
mod pick;
mod prompt;
mod record;
mod rows;
mod seen;
mod session;
mod side;
mod story;
mod table;

use std::sync::Arc;

use ratatui::layout::Size;

pub use crate::run::Out;
pub use end::End;
pub use fork::Start;
pub use game::Game;
pub use hint::Hints;
pub use open::{Likely, likely};
pub use panes::Panes;
pub use pick::Pick;
pub use prompt::{CallPrompt, Choice, FINISH, Stage};
pub use record::{Recorder, kept, usual};
pub use rows::{Mark, Row, Target};
pub use seen::{Seen, Sent};
pub use session::{Move, Session};
pub use table::{CHOOSE, TABLE};

use super::canvas::Canvas;
use super::command::{Cmd, Use};
use super::layout::{Arranged, Extent, Layout, PaneId, Room};
use super::pattern::Pattern;
use super::screen::{Ctx, Input, Kind, Place, Screen, Spot, Title, TypingKeys};
use super::shelf::Shelf;
use crate::exec::{Feedback, Terms};
use crate::run::EndReason;
use crate::world::{RoleId, ToolsetId, World};
use story::Told;
use table::{BEGUN_KEYS, CALL_KEYS, SAY_KEYS};

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
    /// Where the log goes; where the shelf says, or the usual place, if not given.
    pub out: Option<Out>,
    /// What is to be played on from; role and tool set are its own.
    pub start: Option<Start>,
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

impl Play {
    /// An entry to play.
    pub fn new(shelf: &Arc<Shelf>, world: &Arc<World>, plan: Plan) -> Play {
        if let Some(out) = &plan.out {
            shelf.set_out(out.clone());
        }
        let pick = Pick::new(world, &plan, shelf.last_play());
        Play { shelf: shelf.clone(), plan, pick: Some(pick), game: None }
    }
}

fn terms(role: RoleId, toolset: ToolsetId) -> Terms {
    Terms { role, toolset, budget: None, feedback: Feedback::Hidden }
}

/// Characters that a paste puts into a call: completion matches the whole line at every key.
const MAX_PASTE: usize = 1000;

impl Screen for Play {
    fn kind(&self) -> Kind {
        if self.pick.is_some() { Kind::Choose } else { Kind::Play }
    }

    fn address(&self) -> String {
        match (&self.game, &self.pick) {
            (Some(game), _) => {
                let Seen { id, calls, .. } = &game.session.seen;
                match &game.parent {
                    Some(parent) => format!("play {id} from {} {}#{calls}", parent.run, parent.step),
                    None => format!("play {id}#{calls}"),
                }
            }
            (None, Some(pick)) => match self.plan.start.as_ref().and_then(|start| start.parent.as_ref()) {
                Some(parent) => format!("play {} from {} {}", pick.world.problem.id, parent.run, parent.step),
                None => format!("play {}", pick.world.problem.id),
            },
            (None, None) => "play".to_owned(),
        }
    }

    fn layout(&self, size: Size) -> Layout {
        if let Some(pick) = &self.pick {
            return pick.layout(size);
        }
        // The choices have what the story can spare.
        let prompt = match size.height {
            0..20 => 5,
            20..28 => 9,
            height => (height * 2 / 5).min(20),
        };
        let ended = self.game.as_ref().is_some_and(|game| game.session.seen.end.is_some());
        let layout = Layout::new(1);
        let both = |story| {
            layout.clone().band(Extent::Share(1), &[(&[STORY], Extent::Share(story)), (&[KNOWN], Extent::Share(3))])
        };
        let above = match (Room::of(size), ended) {
            (Room::Tiny | Room::Narrow, _) | (Room::Medium, true) => {
                layout.clone().band(Extent::Share(1), &[(&[STORY, KNOWN], Extent::Share(1))])
            }
            // The end has columns to set side by side.
            (_, true) => both(6),
            (_, false) => both(4),
        };
        if ended { above } else { above.band(Extent::Cells(prompt), &[(&[PROMPT], Extent::Share(1))]) }
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
            Input::Opened => match (&self.pick, self.plan.start.take(), self.plan.role) {
                (Some(pick), Some(start), _) => {
                    let world = pick.world.clone();
                    self.start(&world, start, ctx);
                }
                (Some(pick), None, Some(role)) => {
                    let (world, toolset) = (pick.world.clone(), self.plan.toolset.unwrap_or(ToolsetId(0)));
                    self.start(&world, Start::anew(terms(role, toolset)), ctx);
                }
                (Some(pick), None, None) => {
                    ctx.panes.focus(pick.first());
                    let shelf = self.shelf.clone();
                    ctx.spawn(move |_| shelf.library());
                }
                _ => {}
            },
            Input::Arrived(_) if self.game.as_ref().is_some_and(|game| game.session.seen.end.is_some()) => {
                ctx.say("this run has ended: p on a call plays on from it, elsewhere anew");
            }
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
            Input::Report(payload) => self.reported(payload, ctx),
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
            Input::Failed { job, .. } => self.not_analysed(job),
            _ => {}
        }
    }

    fn settle(&mut self, arranged: &Arranged) {
        if let Some(pick) = &mut self.pick {
            return pick.settle(arranged);
        }
        if let Some(game) = &mut self.game {
            let told = Told {
                session: &game.session,
                end: game.end.as_ref(),
                parent: game.parent.as_ref().map(|parent| parent.run.as_str()),
                counted: (game.hints(), game.undone()),
            };
            game.panes.settle(told, arranged);
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
        Some(match game.words {
            Some(_) => SAY_KEYS,
            None if game.call.is_empty() => CALL_KEYS,
            None => BEGUN_KEYS,
        })
    }

    fn footer_word(&self, of: &Use) -> Option<&'static str> {
        let Some(game @ Game { session, .. }) = &self.game else { return Some(of.footer.0) };
        match (of.cmd, session.seen.end.is_some()) {
            (Cmd::Say | Cmd::ShowAll | Cmd::Solution | Cmd::Undo | Cmd::Redo, true) => None,
            (Cmd::Compare, false) => None,
            (Cmd::Undo, _) if session.seen.calls == 0 => None,
            (Cmd::Redo, _) if game.taken_back.is_empty() => None,
            (Cmd::ShowAll, _) if session.open => None,
            (Cmd::Open | Cmd::Compare, true) if session.seen.left_at_once() => None,
            (Cmd::Open, true) => Some("step by step"),
            (Cmd::Play, true) => Some(if session.seen.left_at_once() { "once more" } else { "from here" }),
            (Cmd::Compare, true) if game.end.as_ref().is_some_and(|end| end.against_reference) => Some("shortest plan"),
            (Cmd::Play, false) => Some("to the prompt"),
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
