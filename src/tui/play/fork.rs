//! Undo, redo, and playing on from a step: what was done is done again up to there, in a run of its own
//! that names its parent (design §4).

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::json;

use super::record::Recorder;
use super::seen::{Note, Said};
use super::session::{Move, Session};
use super::{CallPrompt, Game, Play};
use crate::exec::{Json, Terms};
use crate::run::{EndReason, Event, Log, Parent, Setup, Speaker};
use crate::text::count;
use crate::tui::screen::Ctx;

/// Where a run is to be played on from.
#[derive(Debug, Clone)]
pub struct Start {
    /// Who acts, with which tools and budget.
    pub terms: Terms,
    /// The run and its step.
    pub parent: Option<Parent>,
    /// What had been done up to there.
    pub moves: Vec<Move>,
}

impl Start {
    /// A run from its beginning.
    pub fn anew(terms: Terms) -> Start {
        Start { terms, parent: None, moves: Vec::new() }
    }

    /// The state after a step of a log.
    pub fn of(log: &Log, setup: &Setup, run: &str, step: usize) -> Start {
        let terms =
            Terms { role: setup.role, toolset: setup.toolset, budget: Some(setup.budget), feedback: setup.feedback };
        let parent = Parent { run: run.to_owned(), step: step as u64 };
        let last = log.call_of(step);
        let rows = log.row_ids().take_while(|row| last.is_some_and(|last| *row <= last));
        let mut moves = Vec::new();
        for row in rows {
            if let Some(call) = log.call(row) {
                moves.push(Move::Call(Json::of(call.tool), Json::of(call.args)));
            } else if let Some(message) = log.message(row) {
                let from = Speaker::of(&message.from).unwrap_or(Speaker::Agent);
                let (text, reasoning) = (message.text.into_owned(), message.reasoning);
                moves.push(Move::Say(Said { from, text, reasoning }));
            } else if let Some(note) = log.note(row) {
                moves.extend(noted(&note.kind, Json::of(note.data)));
            }
        }
        Start { terms, parent: (step > 0).then_some(parent), moves }
    }
}

/// A note that counts in a fork too.
fn noted(kind: &str, data: Json) -> Option<Move> {
    let count = match kind {
        "open" => return Some(Move::Open),
        "hint" => 1,
        "undo" => {
            let data: Option<serde_json::Value> = serde_json::from_str(data.as_str()).ok();
            data.and_then(|data| data.get("calls")?.as_u64()).and_then(|calls| calls.try_into().ok()).unwrap_or(1)
        }
        _ => return None,
    };
    let words = "in the run before".to_owned();
    Some(Move::Note(Note { kind: kind.to_owned(), data, count, words }))
}

/// Where the moves of a run part: those up to a call, the call included; 0 for none.
fn up_to(moves: &[Move], step: usize) -> usize {
    let calls = moves.iter().enumerate().filter(|(_, done)| matches!(done, Move::Call(..)));
    let last = calls.take(step).last();
    last.filter(|_| step > 0).map_or(0, |(at, _)| at + 1)
}

/// What is not undone with the calls around it.
fn lasting(moves: &[Move]) -> impl Iterator<Item = &Move> {
    moves.iter().filter(|done| matches!(done, Move::Open | Move::Note(_)))
}

impl Game {
    /// Hints that were asked for, calls since taken back included.
    pub fn hints(&self) -> usize {
        self.session.seen.hints() + self.noted("hint")
    }

    /// Calls that were taken back, those that can be brought again among them.
    pub fn undone(&self) -> usize {
        self.session.seen.undone() + self.taken_back.len() + self.noted("undo")
    }

    /// What was noted among the calls that were taken back.
    fn noted(&self, kind: &str) -> usize {
        let counts = self.taken_back.iter().flatten().filter_map(|done| match done {
            Move::Note(note) if note.kind == kind => Some(note.count),
            _ => None,
        });
        counts.sum()
    }

    /// Shows the run as it is after these moves; the log stays as it is.
    fn go_to(&mut self, moves: &[Move]) {
        let Session { episode, open, seen, .. } = &self.session;
        let mut session = Session::after(&episode.world, episode.terms, moves);
        session.open |= open;
        session.seen.inherited = seen.inherited.min(moves.len());
        self.session = session;
        self.call = CallPrompt::new(&self.session.seen);
        self.panes.stale = true;
        self.panes.to_end = !moves.is_empty();
    }
}

impl Play {
    /// Takes the last call back, and what was said since.
    pub(super) fn undo(&mut self, ctx: &mut Ctx) {
        let Some(game) = &mut self.game else { return };
        let moves = game.session.moves();
        let Some(at) = moves.iter().rposition(|done| matches!(done, Move::Call(..))) else {
            return ctx.warn("no call to take back");
        };
        let call = game.session.seen.calls;
        game.taken_back.push(moves[at..].to_vec());
        game.go_to(&moves[..at]);
        self.stop_hint(ctx);
        ctx.say(format!(
            "call {call} is taken back; Ctrl-r brings it again. What you do now begins a fork; it is counted"
        ));
    }

    /// Brings the call again that was taken back last.
    pub(super) fn redo(&mut self, ctx: &mut Ctx) {
        let Some(game) = &mut self.game else { return };
        let Some(again) = game.taken_back.pop() else { return ctx.warn("no call was taken back") };
        let moves = [game.session.moves(), again].concat();
        game.go_to(&moves);
        self.stop_hint(ctx);
        let Some(game) = &self.game else { return };
        ctx.say(format!("call {} is made again, as it was", game.session.seen.calls));
    }

    /// Whatever happens next is not what happened before: a run of its own begins, and the one before ends.
    pub(super) fn fork(&mut self, ctx: &mut Ctx) {
        let Some(game) = &mut self.game else { return };
        if game.taken_back.is_empty() {
            return;
        }
        let step = game.session.seen.calls;
        let before = std::mem::take(&mut game.taken_back);
        let recorder = game.recorder.clone();
        let id = recorder.borrow().as_ref().and_then(Recorder::id);
        let parent = match &id {
            Some(run) => Some(Parent { run: run.clone(), step: step.into() }),
            // A fork without a log of its own yet is one of the same run, from earlier.
            None => game.parent.take().map(|parent| Parent { step: parent.step.min(step.into()), ..parent }),
        };
        let data = json!({ "calls": before.len(), "step": step, "run": id });
        let words = format!("{} taken back", count(before.len(), "call"));
        let data = Json::new(&data.to_string());
        let note = Note { kind: "undo".to_owned(), data: data.clone(), count: before.len(), words };
        if id.is_some() {
            let last = [Event::Note { kind: "undo".to_owned(), data }, Event::End { reason: EndReason::Stopped }];
            // What stands in the way of this log stands in the way of the next, and is told there.
            ctx.perform(move || drop(recorder.borrow_mut().as_mut().map(|recorder| recorder.write(last))));
        }
        // Those taken back last are the earliest.
        let kept = before.iter().rev().flat_map(|moves| lasting(moves)).cloned();
        let moves = game.session.moves().into_iter().chain(kept).chain([Move::Note(note)]).collect();
        let start = Start { terms: game.session.episode.terms, parent, moves };
        self.record_from(start, ctx);
    }

    /// Puts a log under the run at hand that begins with all that was done so far.
    fn record_from(&mut self, start: Start, ctx: &mut Ctx) {
        let out = self.out();
        let Some(game) = &mut self.game else { return };
        let world = game.session.episode.world.clone();
        let (open, call, words) = (game.session.open, game.call.clone(), game.words.take());
        game.session = Session::after(&world, start.terms, &start.moves);
        game.session.open |= open;
        (game.call, game.words) = (call, words);
        let header = game.session.header(ctx.now, start.parent.clone());
        let recorder = Recorder::new(out, game.session.name(), header, game.session.events());
        game.parent = start.parent;
        game.recorder = Rc::new(RefCell::new(Some(recorder)));
    }

    /// At the end: plays on from a step in a run of its own; from the start anew.
    pub(super) fn play_from(&mut self, step: usize, ctx: &mut Ctx) {
        let Some(game) = &self.game else { return };
        let (world, terms) = (game.session.episode.world.clone(), game.session.episode.terms);
        if step == 0 {
            return self.start(&world, Start::anew(terms), ctx);
        }
        let moves = game.session.moves();
        let (done, later) = moves.split_at(up_to(&moves, step));
        let run = game.recorder.borrow().as_ref().and_then(Recorder::id);
        let parent = run.map(|run| Parent { run, step: step as u64 });
        let moves = done.iter().chain(lasting(later)).cloned().collect();
        self.start(&world, Start { terms, parent, moves }, ctx);
    }
}
