//! What the keys do on an entry.

use std::sync::Arc;

use super::sheet::{Section, What};
use super::tools::ToolRow;
use super::{Entry, SHEET, SOURCE, TOOLS};
use crate::run::reference_log;
use crate::tui::browser::on_disk;
use crate::tui::command::{Cmd, ScreenTable, Use};
use crate::tui::dispatch::Call;
use crate::tui::layout::PaneId;
use crate::tui::open::{self, WorldPlace};
use crate::tui::results::Scope;
use crate::tui::screen::{Ctx, Input, Kind, Screen};
use crate::tui::view::entry as view;
use crate::world::{Access, ToolId, ToolsetId, World};

/// The entry's part of the command table.
pub const TABLE: ScreenTable = ScreenTable {
    kind: Kind::Entry,
    name: "entry",
    uses: &[
        Use::new(Cmd::Open, "a reference: played as a run; a goal: the call that makes it true; a tool: its page")
            .footer("open", 200),
        Use::new(Cmd::Left, "the role to the left").footer("role", 190),
        Use::new(Cmd::Right, "the role to the right"),
        Use::new(Cmd::Card, "what this is: a goal, and the tools that can make it true, for which roles")
            .footer("what is this", 130),
        Use::new(Cmd::Play, "play this entry as the role under the cursor").footer("play", 150),
        Use::new(Cmd::Raw, "the file beside, at this place; again: away").footer("file", 140),
        Use::new(Cmd::World, "the world, at this tool and role").footer("world", 110),
        Use::new(Cmd::Results, "the results of this entry").footer("results", 85),
        Use::new(Cmd::NextItem, "next entry of the list").footer("entry", 90),
        Use::new(Cmd::PrevItem, "entry before"),
        Use::new(Cmd::ToolsetLens, "tool set: the next wider one, at last the first").footer("tool set", 100),
        Use::new(Cmd::ShowAll, "tools: offered, or the whole domain").footer("offered / all", 30),
        Use::new(Cmd::NextFinding, "next tool that this role may not use").footer("may not", 60),
        Use::new(Cmd::PrevFinding, "tool before that this role may not use"),
        Use::new(Cmd::Fold, "fold this section or class").footer("fold", 40),
        Use::new(Cmd::Search, "search, folded rows too").footer("search", 50),
        Use::new(Cmd::SearchNext, "next hit"),
        Use::new(Cmd::SearchPrev, "hit before"),
        Use::new(Cmd::MainNext, "next row of the perspectives, from any pane"),
        Use::new(Cmd::MainPrev, "row before, from any pane"),
        Use::new(Cmd::CopyValue, "copy the literal, the persona or the tool's name"),
        Use::new(Cmd::CopyCall, "copy the call as JSON"),
        Use::new(Cmd::CopyPath, "copy the path of the entry's file"),
        Use::new(Cmd::Edit, "open the file in the editor at this place").footer("edit", 20),
        Use::new(Cmd::Reload, "read the entry again from disk"),
    ],
    reasons: &[(Cmd::Order, "perspectives and tools stand in the order of the files")],
};

/// An entry read again, or why not.
pub struct Reread(Result<Arc<World>, String>);

impl Entry {
    pub(super) fn command(&mut self, call: &Call, ctx: &mut Ctx) {
        let pane = ctx.panes.focus;
        match call.cmd {
            Cmd::Open => self.open(pane, ctx),
            Cmd::Left => self.sideways(pane, -1, call.times()),
            Cmd::Right => self.sideways(pane, 1, call.times()),
            Cmd::Card => self.card(pane, ctx),
            Cmd::Play => {
                let role = if pane == TOOLS { self.role } else { self.side().map_or(self.role, |side| side.role) };
                if !self.world.problem.perspectives.contains_key(&role) {
                    let name = self.world.domain.role_name(role);
                    return ctx.warn(format!("the {name} has no perspective in this entry"));
                }
                ctx.push(open::play(&self.shelf, &self.world, Some(role), Some(self.toolset)));
            }
            Cmd::Raw if self.source.take().is_some() => {}
            Cmd::Raw => {
                self.open_source(pane);
                // Where panes are tabs, the file comes to the front.
                if ctx.arranged.placed.len() < 2 && !ctx.panes.zoom {
                    ctx.panes.focus(SOURCE);
                }
            }
            Cmd::Results => {
                let entry = Some(self.world.problem.id.clone());
                ctx.push(open::results(&self.shelf, Scope { entry, ..Scope::default() }));
            }
            Cmd::World => {
                let place = WorldPlace { tool: self.tool(pane), role: Some(self.role), toolset: Some(self.toolset) };
                ctx.push(open::world(&self.shelf, &self.world, place));
            }
            Cmd::ToolsetLens => {
                let next = (self.toolset.index() + 1) % self.world.problem.toolsets.len();
                self.toolset = ToolsetId::from(next);
                self.arrange();
            }
            Cmd::ShowAll => {
                self.whole = !self.whole;
                self.arrange();
            }
            Cmd::NextFinding => self.hunt(true, call.times(), ctx),
            Cmd::PrevFinding => self.hunt(false, call.times(), ctx),
            Cmd::Fold => self.fold(pane, ctx),
            Cmd::MainNext | Cmd::MainPrev => {
                let cmd = if call.cmd == Cmd::MainNext { Cmd::Down } else { Cmd::Up };
                self.list.motion(&Call { cmd, ..call.clone() }, self.rows.len());
            }
            Cmd::CopyValue => self.copy(pane, ctx),
            Cmd::CopyCall => self.copy_call(ctx),
            Cmd::CopyPath => match on_disk(&self.world.problem.file) {
                Some(path) => ctx.copy(path.display().to_string(), "the path"),
                None => ctx.warn("this entry comes with the program: it has no path"),
            },
            Cmd::Edit => match on_disk(&self.world.problem.file) {
                Some(path) => ctx.edit(path, self.line(pane)),
                None => ctx.warn("this entry comes with the program: there is no file to edit; E shows it"),
            },
            Cmd::Reload => self.reload(ctx),
            _ => {
                if matches!(call.cmd, Cmd::First | Cmd::Last) {
                    ctx.jumped(self.place());
                }
                self.motion(pane, call, ctx);
            }
        }
    }

    fn motion(&mut self, pane: PaneId, call: &Call, ctx: &mut Ctx) {
        match (pane, &mut self.source) {
            (TOOLS, _) => {
                self.tool_list.motion(call, self.tools.len());
            }
            (SOURCE, Some(source)) => source.update(Input::Run(call.clone()), ctx),
            _ => {
                self.list.motion(call, self.rows.len());
            }
        }
    }

    pub(super) fn click(&mut self, pane: PaneId, x: u16, y: u16, second: bool, ctx: &mut Ctx) {
        let area = ctx.arranged.area(pane);
        let Some(y) = y.checked_sub(view::heading_lines(area.height)) else { return };
        match pane {
            TOOLS => {
                let Some(row) = self.tool_list.at(y, self.tools.len(), |_| 1) else { return };
                self.tool_list.cursor = row;
            }
            SHEET => {
                let heights: Vec<u16> = (0..self.rows.len()).map(|row| self.height(row)).collect();
                let Some(row) = self.list.at(y, self.rows.len(), |row| heights[row]) else { return };
                self.list.cursor = row;
                self.go_to_column(self.first + usize::from(x / view::slot(area.width, self.across)));
            }
            _ => return,
        }
        if second {
            self.open(pane, ctx);
        }
    }

    fn sideways(&mut self, pane: PaneId, step: i64, times: usize) {
        let by = step * i64::try_from(times).unwrap_or(1);
        let moved = |at: usize, len: usize| {
            let to = i64::try_from(at).unwrap_or(0).saturating_add(by);
            usize::try_from(to.clamp(0, i64::try_from(len.saturating_sub(1)).unwrap_or(0))).unwrap_or(0)
        };
        if pane == TOOLS {
            let role = moved(self.role.index(), self.world.domain.roles.len());
            self.role = crate::world::RoleId::from(role);
            if let Some(column) = self.sides.iter().position(|side| side.role == self.role) {
                self.column = column;
            }
        } else {
            self.go_to_column(moved(self.column, self.sides.len()));
        }
    }

    fn open(&mut self, pane: PaneId, ctx: &mut Ctx) {
        if pane == SOURCE {
            return ctx.warn("this is the file: e opens it in the editor");
        }
        if pane == TOOLS {
            return match self.tool_row() {
                Some(ToolRow::Tool(tool, _)) => self.open_tool(tool, ctx),
                Some(ToolRow::Class(..)) => self.fold(pane, ctx),
                None => ctx.warn("no tools here"),
            };
        }
        let heading = self.rows.get(self.list.cursor).filter(|row| row.heading.is_some()).map(|row| row.section);
        match (heading, self.what()) {
            (Some(Section::Reference), _) => self.play_reference(0, ctx),
            (Some(_), _) => self.fold(pane, ctx),
            (None, What::Step(step)) => self.play_reference(step, ctx),
            (None, What::Literal(alternative, index)) => self.go_to_maker(alternative, index, ctx),
            (None, What::Persona | What::Given) => ctx.warn("this stands here in full; E shows it in the file"),
            (None, What::Nothing) => ctx.warn("this role has nothing in this row"),
        }
    }

    fn open_tool(&mut self, tool: ToolId, ctx: &mut Ctx) {
        let place = WorldPlace { tool: Some(tool), role: Some(self.role), toolset: Some(self.toolset) };
        ctx.push(open::world(&self.shelf, &self.world, place));
    }

    /// Plays the reference of the role under the cursor as a run, at a step.
    fn play_reference(&mut self, step: usize, ctx: &mut Ctx) {
        let Some(side) = self.side() else { return };
        match reference_log(&self.world, side.role) {
            Ok(log) => {
                let name = format!("{} reference {}", self.world.problem.id, self.world.domain.role_name(side.role));
                ctx.push(open::trajectory(&self.shelf, open::Run::Made { name, bytes: log.into() }, step));
            }
            Err(error) => ctx.warn(format!("the reference could not be played: {error}")),
        }
    }

    /// From a goal literal to the call of the reference that makes it true.
    fn go_to_maker(&mut self, alternative: usize, index: usize, ctx: &mut Ctx) {
        let Some(side) = self.side() else { return };
        let literal = &self.world.problem.perspectives[&side.role].goal.alternatives[alternative][index];
        match side.holds_since(literal) {
            Some(0) => ctx.warn("it holds from the start: to be kept, not to be earned; i tells what can break it"),
            None => ctx.warn("no call of the reference makes it true; i tells which tools can"),
            Some(step) => {
                ctx.jumped(self.place());
                if self.folded.remove(&Section::Reference) {
                    self.arrange();
                }
                let here = self.column;
                let is_it =
                    |row: &super::SheetRow| row.cells.get(here).is_some_and(|cell| cell.what == What::Step(step));
                self.list.cursor = self.rows.iter().position(is_it).unwrap_or(self.list.cursor);
            }
        }
    }

    fn hunt(&mut self, forward: bool, times: usize, ctx: &mut Ctx) {
        let name = self.world.domain.role_name(self.role);
        let barred = |at: &usize| match self.all_tools[*at].0 {
            ToolRow::Tool(tool, _) => self.world.domain.access(tool, self.role) != Access::May,
            ToolRow::Class(..) => false,
        };
        let from = self.tools.get(self.tool_list.cursor).copied().unwrap_or(0);
        let target = if forward {
            (from + 1..self.all_tools.len()).filter(barred).nth(times - 1)
        } else {
            (0..from).rev().filter(barred).nth(times - 1)
        };
        match target {
            Some(at) => {
                ctx.jumped(self.place());
                ctx.panes.focus(TOOLS);
                self.reveal_tool(at);
            }
            None => {
                let side = if forward { "after" } else { "before" };
                ctx.warn(format!("no tool {side} this that the {name} may not use"));
            }
        }
    }

    /// Puts the cursor of the matrix on a row of all, and opens its class.
    pub(super) fn reveal_tool(&mut self, at: usize) {
        let Some(&(row, seen)) = self.all_tools.get(at) else { return };
        if !seen {
            let mut class = match row {
                ToolRow::Tool(tool, _) => Some(self.world.domain.tool(tool).class),
                ToolRow::Class(class, ..) => self.world.domain.taxonomy[class.index()].under,
            };
            while let Some(id) = class {
                self.closed.remove(&id);
                class = self.world.domain.taxonomy[id.index()].under;
            }
            self.arrange();
        }
        self.tool_list.cursor = self.tools.iter().position(|&row| row == at).unwrap_or(self.tool_list.cursor);
    }

    fn fold(&mut self, pane: PaneId, ctx: &mut Ctx) {
        if pane == TOOLS {
            let class = match self.tool_row() {
                Some(ToolRow::Class(class, ..)) => class,
                Some(ToolRow::Tool(tool, _)) => self.world.domain.tool(tool).class,
                None => return ctx.warn("no tools here"),
            };
            if !self.closed.remove(&class) {
                self.closed.insert(class);
                let head = |at: &usize| matches!(self.all_tools[*at].0, ToolRow::Class(id, ..) if id == class);
                self.tool_list.cursor = self.tools.iter().position(head).unwrap_or(self.tool_list.cursor);
            }
        } else if let Some(section) = self.rows.get(self.list.cursor).map(|row| row.section)
            && !self.folded.remove(&section)
        {
            self.folded.insert(section);
        }
        self.arrange();
    }

    /// Whether a section is folded.
    pub fn is_folded(&self, section: Section) -> bool {
        self.folded.contains(&section)
    }

    /// Whether a class is closed.
    pub fn is_closed(&self, class: crate::world::ClassId) -> bool {
        self.closed.contains(&class)
    }

    fn copy(&mut self, pane: PaneId, ctx: &mut Ctx) {
        if let Some(tool) = self.tool(pane).filter(|_| pane == TOOLS) {
            let name = self.world.domain.tool_name(tool).to_owned();
            return ctx.copy(name.clone(), name);
        }
        let Some(side) = self.side() else { return };
        let perspective = &self.world.problem.perspectives[&side.role];
        match self.what() {
            What::Literal(alternative, index) => {
                let text = perspective.goal.alternatives[alternative][index].text.clone();
                ctx.copy(text.clone(), text);
            }
            What::Persona => ctx.copy(perspective.persona.clone(), "the persona"),
            What::Step(_) => self.copy_call(ctx),
            What::Given | What::Nothing => {
                let id = self.world.problem.id.clone();
                ctx.copy(id.clone(), id);
            }
        }
    }

    fn copy_call(&mut self, ctx: &mut Ctx) {
        let step = match self.what() {
            What::Step(step) => self.side().and_then(|side| side.steps.get(step - 1)),
            _ => None,
        };
        let Some(step) = step else { return ctx.warn("no call under the cursor") };
        let tool = serde_json::Value::from(self.world.domain.tool_name(step.tool));
        ctx.copy(format!("{{\"tool\":{tool},\"args\":{}}}", step.args), "the call");
    }

    fn reload(&mut self, ctx: &mut Ctx) {
        let (shelf, id) = (self.shelf.clone(), self.world.problem.id.clone());
        ctx.spawn(move |_| {
            shelf.forget();
            let library = shelf.library();
            let fault = || library.diagnostics.first().map(|fault| format!(": {}: {}", fault.file.name, fault.message));
            let world = library.worlds.get(&id).cloned();
            Reread(world.ok_or_else(|| format!("{id} does not load any more{}", fault().unwrap_or_default())))
        });
    }

    pub(super) fn take(&mut self, Reread(world): Reread, ctx: &mut Ctx) {
        let world = match world {
            Ok(world) => world,
            Err(why) => return ctx.warn(why),
        };
        let lens = self.world.problem.toolsets.get_index(self.toolset.index()).map(|(name, _)| name.clone());
        let (place, beside) = (self.place(), self.source.is_some());
        let role = self.side().map(|side| self.world.domain.role_name(side.role).to_owned());
        *self = Entry::new(self.shelf.clone(), world, lens.as_deref());
        let toolset = self.toolset;
        self.restore(&place);
        self.toolset = toolset;
        let role = role.and_then(|role| self.world.domain.role_id(&role));
        let column = self.sides.iter().position(|side| Some(side.role) == role);
        self.go_to_column(column.unwrap_or(0));
        self.arrange();
        if beside {
            self.open_source(SHEET);
        }
        ctx.say("read again");
    }
}
