//! What keys and commands do in play.

use ratatui::crossterm::event::KeyCode;

use super::prompt::Act;
use super::{CallPrompt, FINISH, KNOWN, PROMPT, Play, STORY, Sent, Target};
use crate::run::{EndReason, RunSource};
use crate::tui::command::Cmd;
use crate::tui::input::LineInput;
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
            Act::Warn(why) => ctx.warn(why),
        }
    }

    pub(super) fn send(&mut self, sent: &Sent, ctx: &mut Ctx) {
        let Some(game) = &mut self.game else { return };
        if sent.tool == FINISH {
            return self.end(EndReason::Finished, ctx);
        }
        let events = game.session.call(sent);
        game.call = CallPrompt::new(&game.session.seen);
        game.panes.to_end = true;
        if game.session.seen.end.is_some() {
            ctx.panes.focus(STORY);
        }
        self.record(events, ctx);
    }

    pub(super) fn end(&mut self, reason: EndReason, ctx: &mut Ctx) {
        let Some(game) = &mut self.game else { return };
        let event = game.session.end(reason);
        game.words = None;
        game.panes.to_end = true;
        game.panes.stale = true;
        ctx.panes.focus(STORY);
        if !game.session.seen.left_at_once() {
            self.record(event, ctx);
        }
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
        let event = game.session.say(words.text);
        game.panes.to_end = true;
        self.record([event], ctx);
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
                let (world, terms) = (game.session.episode.world.clone(), game.session.episode.terms);
                self.start(&world, terms.role, terms.toolset, ctx);
            }
            Cmd::Play => ctx.panes.focus(PROMPT),
            Cmd::Say | Cmd::Finish | Cmd::ShowAll if ended => ctx.warn("the run has ended: p plays once more"),
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
                let place = crate::tui::open::WorldPlace {
                    role: Some(terms.role),
                    toolset: Some(terms.toolset),
                    ..Default::default()
                };
                ctx.push(crate::tui::open::world(&self.shelf, &game.session.episode.world, place));
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
                Some(sent) => {
                    let (tool, args) = sent.json();
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
        let path = game.recorder.borrow().as_ref().and_then(|recorder| recorder.path.clone());
        match path {
            Some(path) if game.trouble.is_none() => {
                let step = game.panes.step(&game.session, ctx.panes.focus);
                let run = crate::tui::open::Run::Source(RunSource::file(&path));
                ctx.push(crate::tui::open::trajectory(&self.shelf, run, step));
            }
            None if game.session.seen.left_at_once() => ctx.warn("nothing happened, so nothing was recorded"),
            _ => ctx.warn("this run was not recorded"),
        }
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
                let event = game.session.reveal();
                game.panes.to_end = true;
                self.record([event], ctx);
            }
            _ => {}
        }
    }
}
