//! What keys and clicks do.

use std::sync::Arc;

use super::items::{Item, Shape};
use super::page::{self, Target};
use super::{CALL, Fold, STATE, STEPS, TIME, Trajectory};
use crate::run::{RowId, Setup};
use crate::tui::command::Cmd;
use crate::tui::dispatch::Call;
use crate::tui::highlight::Syntax;
use crate::tui::layout::PaneId;
use crate::tui::open::{self, WorldPlace};
use crate::tui::play::Start;
use crate::tui::results::{Head, Scope};
use crate::tui::screen::{Ctx, Screen};
use crate::tui::sign::Sign;
use crate::tui::text_screen::TextScreen;

impl Trajectory {
    /// A command of the table, or a motion.
    pub(super) fn command(&mut self, call: &Call, ctx: &mut Ctx) {
        if self.loaded().is_none() && call.cmd != Cmd::Reload {
            return ctx.warn("the run could not be read; R tries again");
        }
        let pane = ctx.panes.focus;
        match call.cmd {
            Cmd::MainNext => self.step_by(call.times(), true),
            Cmd::MainPrev => self.step_by(call.times(), false),
            Cmd::NextFinding | Cmd::PrevFinding | Cmd::Next(_) | Cmd::Prev(_) => self.hunt(call, ctx),
            Cmd::Open => self.enter(pane, ctx),
            Cmd::Last if call.count.is_some() => self.jump(call.times(), ctx),
            Cmd::First | Cmd::Last => {
                ctx.jumped(self.place());
                self.motion(pane, call);
            }
            Cmd::Fold => self.fold(pane, None, ctx),
            Cmd::Left => self.fold(pane, Some(false), ctx),
            Cmd::Right => self.fold(pane, Some(true), ctx),
            Cmd::ShowAll => self.show_all(ctx),
            Cmd::Baseline => self.baseline(ctx),
            Cmd::Order => self.cursors.rows = self.cursors.rows.turn(false),
            Cmd::OrderReverse => self.cursors.rows = self.cursors.rows.turn(true),
            Cmd::Card => self.card(pane, ctx),
            Cmd::Solution => self.solution(ctx),
            Cmd::World => self.world(pane, ctx),
            Cmd::Results => self.results(ctx),
            Cmd::Play => self.play_on(ctx),
            Cmd::CopyValue => match self.row_text(pane) {
                text if text.trim().is_empty() => ctx.warn("nothing stands in this row"),
                text => ctx.copy(text.trim(), "the row"),
            },
            Cmd::CopyCall => self.copy_call(ctx),
            Cmd::CopyPath => match self.run.path() {
                Some(path) => ctx.copy(path.display().to_string(), "the path"),
                None => ctx.warn("no file stands behind this run"),
            },
            Cmd::Edit => self.edit(pane, ctx),
            Cmd::Raw => self.raw(self.cursors.item, ctx),
            Cmd::Reload => {
                ctx.say("reading again");
                self.read(ctx);
            }
            Cmd::Follow => self.follow(ctx),
            _ => self.motion(pane, call),
        }
    }

    /// Plays on from the step that the reader is at, in a run of its own.
    fn play_on(&self, ctx: &mut Ctx) {
        let Some(run) = self.loaded() else { return };
        let Some(replay) = &run.replay else { return ctx.warn("the entry is not here, so it cannot be played") };
        let (setup, step) = (&replay.setup, self.step());
        if step >= setup.budget as usize {
            return ctx.warn("no calls are left here: go to an earlier step");
        }
        let name = run.header.id.as_deref().unwrap_or(self.run.name());
        let start = Start::of(&run.log, setup, name, step);
        ctx.push(open::play_on(&self.shelf, &setup.world, start));
    }

    fn motion(&mut self, pane: PaneId, call: &Call) {
        if pane == STEPS {
            self.cursors.steps.motion(call, self.items.len());
            self.cursors.item = self.items.get(self.cursors.steps.cursor);
        } else {
            let len = self.page(pane).0.len();
            self.page_list(pane).motion(call, len);
        }
    }

    pub(super) fn click(&mut self, pane: PaneId, (x, y): (u16, u16), second: bool, ctx: &mut Ctx) {
        let Some(run) = self.loaded() else { return };
        let area = ctx.arranged.area(pane);
        match pane {
            TIME => {
                let step = self.timeline.step_at(x, y, self.step());
                return self.jump(step, ctx);
            }
            STEPS => {
                let view = self.steps_view(run, area.as_size());
                let row = self.cursors.steps.at(y, self.items.len(), |row| view.height(row));
                if let Some(row) = row {
                    self.select(self.items.get(row));
                }
            }
            _ => {
                let (rows, list) = self.page(pane);
                let Some(row) = page::at(rows, list, area.width, y) else { return };
                self.page_list(pane).cursor = row;
            }
        }
        if second {
            self.enter(pane, ctx);
        }
    }

    pub(super) fn wheel(&mut self, pane: PaneId, rows: i32) {
        if pane == STEPS || pane == TIME {
            self.cursors.steps.wheel(rows, self.items.len());
            self.cursors.item = self.items.get(self.cursors.steps.cursor);
        } else {
            let len = self.page(pane).0.len();
            self.page_list(pane).wheel(rows, len);
        }
    }

    /// `J K`: to the next call, or to the start or the end.
    fn step_by(&mut self, times: usize, forwards: bool) {
        let Some(run) = self.loaded() else { return };
        let mut row = self.cursors.steps.cursor;
        for _ in 0..times {
            let is_step = |row: &usize| {
                matches!(self.items.get(*row).shape(run), Shape::Call(_) | Shape::Start | Shape::End(_) | Shape::NoEnd)
            };
            let next = if forwards { (row + 1..self.items.len()).find(is_step) } else { (0..row).rev().find(is_step) };
            let Some(next) = next else { break };
            row = next;
        }
        self.select(self.items.get(row));
    }

    /// Goes to a step; what hides it is taken off.
    pub(super) fn jump(&mut self, step: usize, ctx: &mut Ctx) {
        ctx.jumped(self.place());
        let Some(run) = self.loaded() else {
            self.wanted = Some(step);
            return;
        };
        let (item, last) = (Item::of_step(run, step.min(run.steps())), run.steps());
        if step > last && !run.log.finished() {
            self.wanted = Some(step); // as soon as it is read
        } else if step > last {
            ctx.warn(format!("the run has {}", crate::text::count(last, "step")));
        }
        self.go(item);
    }

    /// Goes to an item; rows that were left out come back if it is one of them.
    pub(super) fn go(&mut self, item: Item) {
        if !self.items.holds(item)
            && let super::Reading::Here(run) = &self.reading
        {
            self.cursors.rows = super::Rows::All;
            self.cursors.filter = Arc::default();
            self.items.refresh(run, self.cursors.rows, &self.cursors.filter);
        }
        self.select(item);
    }

    /// What the row under the cursor of a pane stands for.
    pub(super) fn target(&self, pane: PaneId) -> Target {
        let (rows, list) = self.page(pane);
        rows.get(list.cursor).map_or(Target::None, |row| row.target)
    }

    fn enter(&mut self, pane: PaneId, ctx: &mut Ctx) {
        let Some(run) = self.loaded() else { return };
        if pane == STEPS {
            return match self.cursors.item.shape(run) {
                Shape::Call(_) | Shape::Start | Shape::End(_) | Shape::NoEnd => ctx.panes.focus(CALL),
                Shape::Message(row) => {
                    let Some(message) = run.log.message(row) else { return };
                    let line = run.log.row(row).map_or(0, |row| row.line());
                    let address = format!("{}/line {line}", self.run.name());
                    let syntax = Syntax::Code("markdown".to_owned());
                    ctx.push(TextScreen::new(
                        format!(
                            "What the {} {}, line {line} of the log",
                            message.from,
                            if message.reasoning { "thought" } else { "said" }
                        ),
                        address,
                        &message.text,
                        syntax,
                    ));
                }
                Shape::Note(_) | Shape::Damage(_) => self.raw(self.cursors.item, ctx),
            };
        }
        match self.target(pane) {
            Target::Step(step) => self.jump(step, ctx),
            Target::Fact(fact) => self.origin(pane, fact, ctx),
            Target::Fold(_) => self.fold(pane, None, ctx),
            Target::Tool(_) => self.world(pane, ctx),
            Target::Capability(_) | Target::Knowledge(_) => self.card(pane, ctx),
            Target::Source(line) => {
                let Some(replay) = &run.replay else { return };
                let file = &replay.setup.world.domain.file;
                let screen = TextScreen::new(file.name.as_str(), file.name.as_str(), &file.text, Syntax::Json);
                let screen = if file.name.starts_with("embedded:") { screen } else { screen.file(&file.name) };
                ctx.push(screen.at_line(line));
            }
            Target::Record(row) => self.raw(Item::line(row), ctx),
            Target::None => ctx.warn("nothing leads on from this row"),
        }
    }

    /// To the step that last changed a fact.
    fn origin(&mut self, pane: PaneId, fact: crate::world::FactId, ctx: &mut Ctx) {
        let Some(history) = self.loaded().and_then(|run| run.history.as_ref()) else { return };
        let step = self.step();
        // The call pane asks of the state before the call, the state pane of the state after it.
        let at = if pane == CALL { step.saturating_sub(1) } else { step };
        match history.last_change(fact, at) {
            Some(change) if change == step => ctx.say("this very step changed it"),
            Some(change) => self.jump(change, ctx),
            None if history.initial().contains(fact) || self.holds(pane) => self.jump(0, ctx),
            None => match history.next_change(fact, at) {
                Some(later) => ctx.warn(format!("not so far; call {later} brings it: ] f goes there")),
                None => ctx.warn("no call of this run brings it"),
            },
        }
    }

    /// Whether the row under the cursor is a condition that holds: one that a fact is not so, say.
    fn holds(&self, pane: PaneId) -> bool {
        let (rows, list) = self.page(pane);
        rows.get(list.cursor).is_some_and(|row| row.sign == Some(Sign::Holds))
    }

    fn fold(&mut self, pane: PaneId, open: Option<bool>, ctx: &mut Ctx) {
        let fold = match (pane, self.loaded().map(|run| self.cursors.item.shape(run))) {
            (STEPS, Some(Shape::Message(row))) => Some(Fold::Message(row)),
            (STEPS, _) => None,
            _ => {
                // A row belongs to the nearest heading above it.
                let (rows, list) = self.page(pane);
                let above = rows.iter().take(list.cursor + 1).rev();
                let mut heads = above.filter_map(|row| match row.target {
                    Target::Fold(fold) => Some(fold),
                    _ => None,
                });
                heads.next()
            }
        };
        let Some(fold) = fold else { return ctx.warn("nothing folds here") };
        let open = open.unwrap_or(!self.cursors.folds.is_open(fold));
        if !open && pane != STEPS {
            let (rows, _) = self.page(pane);
            let head = rows.iter().position(|row| row.target == Target::Fold(fold));
            let list = self.page_list(pane);
            list.cursor = head.unwrap_or(list.cursor);
        }
        self.cursors.folds.set(fold, open);
    }

    fn show_all(&mut self, ctx: &mut Ctx) {
        let open = !self.cursors.folds.is_open(Fold::Facts);
        self.cursors.folds.set(Fold::Facts, open);
        self.cursors.folds.set(Fold::Given, open);
        ctx.panes.front(if ctx.panes.focus == STEPS { STATE } else { ctx.panes.focus });
        if ctx.panes.focus != STEPS {
            ctx.panes.focus(STATE);
        }
    }

    fn baseline(&mut self, ctx: &mut Ctx) {
        let step = self.step();
        if self.cursors.baseline == Some(step) {
            self.cursors.baseline = None;
            ctx.say("the state is compared with the step before");
        } else {
            self.cursors.baseline = Some(step);
            ctx.say(format!("the state is compared with step {step} from now on; b again takes it off"));
        }
    }

    fn world(&mut self, pane: PaneId, ctx: &mut Ctx) {
        let Some(run) = self.loaded() else { return };
        let Some(replay) = &run.replay else { return ctx.warn("the world of this run is not here") };
        let called = || replay.request(&run.log, self.step()).and_then(|request| request.tool());
        let tool = match self.target(pane) {
            Target::Tool(tool) if pane != STEPS => Some(tool),
            _ => called(),
        };
        let place = WorldPlace { tool, role: Some(replay.setup.role), toolset: Some(replay.setup.toolset) };
        ctx.push(open::world(&self.shelf, &replay.setup.world, place));
    }

    /// Of the entry; the cursor goes to the cell of this run.
    fn results(&self, ctx: &mut Ctx) {
        let Some(run) = self.loaded() else { return };
        let Some(replay) = &run.replay else { return ctx.warn("the entry of this run is not here: no results of it") };
        let Setup { world, role, toolset, .. } = &replay.setup;
        let role = Head::Of(world.domain.role_name(*role).to_owned());
        let toolset = world.problem.toolsets.get_index(toolset.index());
        let cell = toolset.map(|(name, _)| (role, Head::Of(name.clone())));
        let entry = Some(world.problem.id.clone());
        ctx.push(open::results(&self.shelf, Scope { entry, cell, ..Scope::default() }));
    }

    pub(super) fn row_text(&self, pane: PaneId) -> String {
        let Some(run) = self.loaded() else { return String::new() };
        if pane != STEPS {
            let (rows, list) = self.page(pane);
            return rows.get(list.cursor).map_or_else(String::new, page::Row::plain);
        }
        match self.cursors.item.shape(run) {
            Shape::Message(row) => run.log.message(row).map_or_else(String::new, |m| m.text.into_owned()),
            Shape::Call(step) => self.call_json(step).unwrap_or_default(),
            _ => self.cursors.item.row().map_or_else(String::new, |row| run.log.raw_text(row).into_owned()),
        }
    }

    fn call_json(&self, step: usize) -> Option<String> {
        let run = self.loaded()?;
        let call = run.log.call(run.log.call_of(step)?)?;
        Some(format!(r#"{{"tool":{},"args":{}}}"#, call.tool.get(), call.args.get()))
    }

    fn copy_call(&mut self, ctx: &mut Ctx) {
        match self.call_json(self.step()) {
            Some(json) => ctx.copy(json, format!("call {}", self.step())),
            None => ctx.warn("no call stands here"),
        }
    }

    /// The line of the file that what is under the cursor stands in.
    fn edit(&mut self, pane: PaneId, ctx: &mut Ctx) {
        let Some(run) = self.loaded() else { return };
        let setup = run.replay.as_ref().map(|replay| &replay.setup);
        let called = || run.replay.as_ref()?.request(&run.log, self.step())?.tool();
        let source = match (pane, self.target(pane)) {
            (CALL, Target::Source(line)) => setup.map(|s| (&s.world.domain.file, line)),
            (CALL, Target::Tool(tool)) => setup.map(|s| (s, tool)).map(|(s, tool)| definition(s, tool)),
            (CALL, _) => setup.zip(called()).map(|(s, tool)| definition(s, tool)),
            _ => None,
        };
        match source {
            Some((file, _)) if file.name.starts_with("embedded:") => {
                ctx.warn("the domain comes with the program: no file to edit; Enter on the definition shows it");
            }
            Some((file, line)) => ctx.edit(file.name.clone(), line),
            None => {
                let line = self.cursors.item.row().and_then(|row| run.log.row(row)).map_or(1, |row| row.line());
                match self.run.path() {
                    Some(path) => ctx.edit(path, line),
                    None => ctx.warn("the run comes with the program: no file to edit; E shows the record"),
                }
            }
        }
    }

    /// The lines of the log behind an item, as they are.
    fn raw(&self, item: Item, ctx: &mut Ctx) {
        /// Lines between a call and its result that are shown with them.
        const BETWEEN: u32 = 40;
        let Some(run) = self.loaded() else { return };
        let row = match item {
            Item::START => run.log.header_row(),
            Item::NO_END => run.log.row_ids().next_back(),
            item => item.row(),
        };
        let Some(row) = row else { return ctx.warn("no line of the log stands behind this row") };
        let partner = run.log.row(row).and_then(|found| found.partner()).unwrap_or(row);
        let (first, last) = (row.min(partner), row.max(partner));
        let last = if last.0 - first.0 > BETWEEN { first } else { last };
        let lines: Vec<String> = (first.0..=last.0).map(|row| run.log.raw_text(RowId(row)).into_owned()).collect();
        let line = run.log.row(first).map_or(1, |row| row.line());
        let name = self.run.name();
        let mut screen = TextScreen::new(
            format!("{name}, line {line}"),
            format!("{name}/record {line}"),
            &lines.join("\n"),
            Syntax::Json,
        );
        screen.first_line = line;
        ctx.push(match self.run.path() {
            Some(path) => screen.file(path),
            None => screen,
        });
    }

    /// Builds the pages for cursors that were put back, without moving them.
    pub(super) fn rebuild_in_place(&mut self) {
        let kept = self.cursors.clone();
        if let super::Reading::Here(run) = &self.reading {
            self.items.refresh(run, self.cursors.rows, &self.cursors.filter);
        }
        self.build();
        self.cursors = kept;
    }
}

fn definition(setup: &crate::run::Setup, tool: crate::world::ToolId) -> (&Arc<crate::world::SourceFile>, usize) {
    let domain = &setup.world.domain;
    (&domain.file, domain.file.position(domain.tool(tool).span.start).line)
}
