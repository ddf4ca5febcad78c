//! What keys and commands do in play.

use ratatui::crossterm::event::KeyCode;

use super::prompt::Act;
use super::seen::Said;
use super::{CallPrompt, FINISH, Game, KNOWN, Move, PROMPT, Play, STORY, Sent, Target};
use crate::run::{EndReason, RunSource, Speaker};
use crate::tui::command::Cmd;
use crate::tui::input::LineInput;
use crate::tui::open::{self, Run};
use crate::tui::screen::{Ctx, Place};

impl Play {
    pub(super) fn act(&mut self, act: Act, ctx: &mut Ctx) {
        let Some(game) = &mut self.game else { return };
        match act {
            Act::Done => {}
            Act::Send(sent) => {
                if !self.mind_trouble(ctx) {
                    return;
                }
                self.send(&sent, ctx);
            }
            Act::Finish => self.end(EndReason::Finished, ctx),
            Act::Say => game.words = Some(LineInput::default()),
            Act::Palette => ctx.palette(),
            Act::Help => ctx.help(),
            Act::Panes => ctx.panes.focus(STORY),
            Act::Scroll(down) => game.panes.scroll(down),
            Act::Warn(why) => ctx.warn(why),
        }
    }

    pub(super) fn send(&mut self, sent: &Sent, ctx: &mut Ctx) {
        if sent.tool == FINISH {
            return self.end(EndReason::Finished, ctx);
        }
        self.stop_hint(ctx);
        self.fork(ctx);
        let Some(game) = &mut self.game else { return };
        let (tool, args) = sent.json();
        let mut events = game.session.make(&Move::Call(tool, args));
        if game.session.episode.calls_left() == Some(0) {
            events.extend(game.session.end(EndReason::Budget));
        }
        game.call = CallPrompt::new(&game.session.seen);
        game.panes.to_end = true;
        let ended = game.session.seen.end.is_some();
        self.record(events, ctx);
        if ended {
            ctx.panes.focus(STORY);
            self.analyse(ctx);
        }
    }

    pub(super) fn end(&mut self, reason: EndReason, ctx: &mut Ctx) {
        self.stop_hint(ctx);
        self.fork(ctx);
        let Some(game) = &mut self.game else { return };
        let event = game.session.end(reason);
        game.words = None;
        game.panes.to_end = true;
        game.panes.stale = true;
        ctx.panes.focus(STORY);
        if !game.session.seen.left_at_once() {
            self.record(event, ctx);
        }
        self.analyse(ctx);
    }

    pub(super) fn speak(&mut self, ctx: &mut Ctx) {
        if !self.mind_trouble(ctx) {
            return;
        }
        let Some(game) = &mut self.game else { return };
        let Some(words) = game.words.take() else { return };
        if words.text.trim().is_empty() {
            return;
        }
        self.fork(ctx);
        let Some(game) = &mut self.game else { return };
        let said = Said { from: Speaker::Player, text: words.text, reasoning: false };
        let events = game.session.make(&Move::Say(said));
        game.panes.to_end = true;
        self.record(events, ctx);
    }

    pub(super) fn typed(&mut self, key: crate::tui::keys::Key, ctx: &mut Ctx) {
        let Some(game) = &mut self.game else { return };
        let Some(words) = &mut game.words else {
            let act = game.call.key(key, &game.session.seen);
            return self.act(act, ctx);
        };
        match key.code {
            KeyCode::Enter => self.speak(ctx),
            KeyCode::Esc => game.words = None,
            KeyCode::Backspace if words.text.is_empty() => game.words = None,
            _ => {
                words.key(key);
            }
        }
    }

    pub(super) fn command(&mut self, call: &crate::tui::dispatch::Call, ctx: &mut Ctx) {
        if self.pick.is_some() {
            return self.choose(call, ctx);
        }
        let Some(game) = &mut self.game else { return };
        let ended = game.session.seen.end.is_some();
        match call.cmd {
            Cmd::Play if ended => {
                let stopped = game.session.seen.end == Some(EndReason::Stopped);
                let step = match game.panes.row(STORY).map(|row| row.target) {
                    Some(Target::Step(step)) => step,
                    // What was stopped goes on where it was.
                    _ if stopped => game.session.seen.calls as usize,
                    _ => 0,
                };
                self.play_from(step, ctx);
            }
            Cmd::Play => ctx.panes.focus(PROMPT),
            Cmd::Say | Cmd::Finish | Cmd::ShowAll | Cmd::Solution | Cmd::Hint | Cmd::Undo | Cmd::Redo if ended => {
                ctx.warn("the run has ended: p on a call plays on from it, at the start anew");
            }
            Cmd::Compare if !ended => ctx.warn("the reference would give the answer away: it is shown at the end"),
            Cmd::Compare => self.beside(ctx),
            Cmd::Solution | Cmd::Hint => self.ask_hint(ctx),
            Cmd::Undo => self.undo(ctx),
            Cmd::Redo => self.redo(ctx),
            Cmd::Say => {
                game.words = Some(LineInput::default());
                ctx.panes.focus(PROMPT);
            }
            Cmd::Finish => ctx.ask("finish", "finish: end the run as done?"),
            Cmd::ShowAll if game.session.open => ctx.warn("this is open play already"),
            Cmd::ShowAll => ctx.ask("open", "show goal, gates and state from here on? The log will say so."),
            Cmd::World if !ended => ctx.warn("the world would give away the gates: it opens once the run has ended"),
            Cmd::World => {
                let terms = game.session.episode.terms;
                let place =
                    open::WorldPlace { role: Some(terms.role), toolset: Some(terms.toolset), ..Default::default() };
                ctx.push(open::world(&self.shelf, &game.session.episode.world, place));
            }
            Cmd::Open if ended => self.open_trajectory(ctx),
            Cmd::Open => self.open_row(ctx),
            Cmd::CopyPath => match game.recorder.borrow().as_ref().and_then(|r| r.path.clone()) {
                Some(path) => ctx.copy(path.display().to_string(), "the path of the log"),
                None => ctx.warn("nothing is recorded yet"),
            },
            Cmd::CopyValue => match game.panes.row(ctx.panes.focus) {
                Some(row) => ctx.copy(row.text(), "this row"),
                None => ctx.warn("no row here"),
            },
            Cmd::CopyCall => match game.panes.called(&game.session, ctx.panes.focus) {
                Some((tool, args)) => {
                    ctx.copy(format!("{{\"tool\":{},\"args\":{}}}", tool.as_str(), args.as_str()), "the call");
                }
                None => ctx.warn("no call under the cursor"),
            },
            _ => game.panes.command(call, &game.session, ctx),
        }
    }

    pub(super) fn open_row(&mut self, ctx: &mut Ctx) {
        let Some(game) = &mut self.game else { return };
        let Some(row) = game.panes.row(ctx.panes.focus).cloned() else { return };
        match row.target {
            Target::Tool(tool) => {
                game.words = None;
                game.call.pick(tool, &game.session.seen);
                ctx.panes.focus(PROMPT);
            }
            Target::Step(step) if ctx.panes.focus == KNOWN => {
                ctx.jumped(Place::new(game.panes.place()));
                game.panes.go_step(step, &game.session);
                ctx.panes.focus(STORY);
            }
            _ if row.folded.is_some() => game.panes.fold(None),
            _ => ctx.panes.focus(PROMPT),
        }
    }

    pub(super) fn open_trajectory(&mut self, ctx: &mut Ctx) {
        let Some(game) = &self.game else { return };
        if game.session.seen.left_at_once() {
            return ctx.warn("nothing happened, so nothing was recorded");
        }
        let path = game.recorder.borrow().as_ref().and_then(|recorder| recorder.path.clone());
        let run = match (path, &game.end) {
            (Some(path), _) if game.trouble.is_none() => Run::Source(RunSource::file(&path)),
            (_, Some(end)) => {
                Run::Made { name: format!("{}, not recorded", game.session.name()), bytes: end.run.0.bytes().into() }
            }
            _ => return ctx.warn("this run was not recorded"),
        };
        let step = game.panes.step(&game.session, ctx.panes.focus);
        ctx.push(open::trajectory(&self.shelf, run, step));
    }

    /// Sets the run beside the reference, and beside the shortest plan again.
    fn beside(&mut self, ctx: &mut Ctx) {
        let Some(Game { end: Some(end), panes, session, .. }) = &mut self.game else { return };
        if session.seen.left_at_once() || end.score.is_none() {
            return ctx.warn("there is nothing to set beside it");
        }
        end.against_reference = !end.against_reference;
        panes.stale = true;
        let what = if end.against_reference { "the reference" } else { "a shortest plan" };
        let parts = match end.parting() {
            Some(step) => format!(": they part at call {step}"),
            None if end.beside().is_some() => ": they are the same".to_owned(),
            None => String::new(),
        };
        ctx.say(format!("beside {what}{parts}"));
    }

    pub(super) fn choose(&mut self, call: &crate::tui::dispatch::Call, ctx: &mut Ctx) {
        let Some(pick) = &mut self.pick else { return };
        match call.cmd {
            Cmd::Open | Cmd::Play => {
                if call.cmd == Cmd::Play || pick.next(ctx.panes) {
                    self.begin(ctx);
                }
            }
            Cmd::Left => pick.beside(-1, ctx.panes),
            Cmd::Right => pick.beside(1, ctx.panes),
            _ => {
                pick.motion(call, ctx.panes.focus);
            }
        }
    }

    pub(super) fn answer(&mut self, tag: &str, ctx: &mut Ctx) {
        let Some(game) = &mut self.game else { return };
        match tag {
            "unrecorded" => game.unrecorded = true,
            "stop" => self.end(EndReason::Stopped, ctx),
            "finish" => self.end(EndReason::Finished, ctx),
            "open" => {
                self.fork(ctx);
                let Some(game) = &mut self.game else { return };
                let events = game.session.make(&Move::Open);
                game.panes.to_end = true;
                self.record(events, ctx);
            }
            _ => {}
        }
    }
}
