//! What the keys do in the browser.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::card;
use super::item::{Column, RunState};
use super::rows::{Key, Row};
use super::texts::{choice, on_disk, record, source};
use super::{Browser, LIST, PREVIEW};
use crate::tui::command::{Cmd, ScreenTable, Use};
use crate::tui::dispatch::Call;
use crate::tui::highlight::Syntax;
use crate::tui::layout::PaneId;
use crate::tui::legend;
use crate::tui::open::{self, WorldPlace};
use crate::tui::results::{Head, Scope};
use crate::tui::screen::{Ctx, Kind, Screen};
use crate::tui::sign::Sign;
use crate::tui::text_screen::TextScreen;
use crate::tui::trajectory::Trajectory;
use crate::world::{ToolsetId, World, render};

/// The browser's part of the command table.
pub const TABLE: ScreenTable = ScreenTable {
    kind: Kind::Browser,
    name: "browser",
    uses: &[
        Use::new(Cmd::Open, "open the run or the entry; of a file that does not load, what is wrong")
            .footer("open", 200),
        Use::new(Cmd::Fold, "unfold the preview: what would spoil a blind play").footer("preview", 120),
        Use::new(Cmd::Play, "play this entry: role and tool set are asked for").footer("play", 150),
        Use::new(Cmd::World, "the world that this entry stands in").footer("world", 110),
        Use::new(Cmd::Results, "the results of these runs: a table of cells, and charts").footer("results", 105),
        Use::new(Cmd::Filter, "filter: words, role:operator, sign:C, is:solved, under>0, not …").footer("filter", 140),
        Use::new(Cmd::Search, "search, folded rows too").footer("search", 60),
        Use::new(Cmd::SearchNext, "next hit"),
        Use::new(Cmd::SearchPrev, "hit before"),
        Use::new(Cmd::NextFinding, "next run with a finding").footer("finding", 100),
        Use::new(Cmd::PrevFinding, "run with a finding before"),
        Use::new(Cmd::ShowAll, "runs under their entries, or all runs in one list").footer("by entry / all runs", 90),
        Use::new(Cmd::Order, "sort by a column").takes("COLUMN").footer("order", 80),
        Use::new(Cmd::OrderReverse, "the other way round"),
        Use::new(Cmd::ToolsetLens, "runs with one tool set alone: the next, at last all").footer("tool set", 50),
        Use::new(Cmd::Left, "close the group").footer("fold", 40),
        Use::new(Cmd::Right, "open the group"),
        Use::new(Cmd::MainNext, "next row, from any pane"),
        Use::new(Cmd::MainPrev, "row before, from any pane"),
        Use::new(Cmd::Card, "what the sign says, and what each score counts"),
        Use::new(Cmd::CopyValue, "copy the id"),
        Use::new(Cmd::CopyPath, "copy the path"),
        Use::new(Cmd::Edit, "open the file in the editor"),
        Use::new(Cmd::Raw, "the record itself: the log, or the entry's file"),
        Use::new(Cmd::Reload, "read everything again from disk").footer("reload", 30),
        Use::new(Cmd::Follow, "look again and again: runs that are being written appear"),
    ],
    reasons: &[
        (Cmd::CopyCall, "a call is copied in a run: Enter opens it"),
        (Cmd::NextItem, "this is the list itself: j and k"),
        (Cmd::PrevItem, "this is the list itself: j and k"),
    ],
};

impl Browser {
    pub(super) fn command(&mut self, call: &Call, ctx: &mut Ctx) {
        match call.cmd {
            Cmd::Open => self.open(ctx),
            Cmd::Fold => self.preview.unfold(self.row().map(|row| self.stock.key(row))),
            Cmd::Play => self.play(ctx),
            Cmd::World => self.world(ctx),
            Cmd::Results => self.results(ctx),
            Cmd::NextFinding => self.hunt(true, call.times(), ctx),
            Cmd::PrevFinding => self.hunt(false, call.times(), ctx),
            Cmd::ShowAll => {
                self.how.by_entry = !self.how.by_entry;
                self.keep_in_sight();
            }
            Cmd::Order => self.order(&call.argument, ctx),
            Cmd::OrderReverse => {
                self.stock.count_all();
                self.how.reverse = !self.how.reverse;
                self.arrange();
            }
            Cmd::ToolsetLens => self.lens(ctx),
            Cmd::Left => self.fold(false, ctx),
            Cmd::Right => self.fold(true, ctx),
            Cmd::MainNext | Cmd::MainPrev => {
                let cmd = if call.cmd == Cmd::MainNext { Cmd::Down } else { Cmd::Up };
                self.list.motion(&Call { cmd, ..call.clone() }, self.seen.len());
            }
            Cmd::Card => {
                let here = match self.row() {
                    Some(Row::Run(i)) => return ctx.card(card::run(&self.stock.items[i], ctx.theme)),
                    Some(Row::Unreadable(_) | Row::Faulty(_)) => Some(Sign::Damaged),
                    _ => None,
                };
                ctx.card(legend::card("The signs of runs", legend::RUNS, here, ctx.theme));
            }
            Cmd::CopyValue => self.copy(ctx),
            Cmd::CopyPath => match self.path() {
                Some(path) => ctx.copy(path.display().to_string(), "the path"),
                None => ctx.warn("no file of its own"),
            },
            Cmd::Edit => self.edit(ctx),
            Cmd::Raw => self.raw(ctx),
            Cmd::Follow => {
                self.watching = !self.watching;
                if self.watching && self.intake.idle() {
                    self.intake.look_again(&self.shelf, Duration::ZERO, ctx);
                }
                ctx.say(if self.watching {
                    "following: runs appear as they are written"
                } else {
                    "no longer following"
                });
            }
            Cmd::Reload => {
                self.intake.begin(&self.shelf, ctx);
                ctx.say("reading everything again");
            }
            Cmd::First | Cmd::Last if ctx.panes.focus == LIST => {
                ctx.jumped(self.place());
                self.list.motion(call, self.seen.len());
            }
            _ if ctx.panes.focus == PREVIEW => self.preview.motion(call),
            _ => {
                self.list.motion(call, self.seen.len());
            }
        }
    }

    pub(super) fn click(&mut self, pane: PaneId, y: u16, second: bool, ctx: &mut Ctx) {
        if pane == PREVIEW {
            return;
        }
        let headings = super::view::heading_lines(ctx.arranged.area(LIST).height);
        let Some(y) = y.checked_sub(headings) else { return };
        if let Some(row) = self.list.at(y, self.seen.len(), |_| 1) {
            self.list.cursor = row;
            if second {
                self.open(ctx);
            }
        }
    }

    /// The entry that the row is about.
    fn entry(&self) -> Option<&Arc<World>> {
        match self.row()? {
            Row::Entry(i) => self.stock.entry(i),
            Row::Run(i) => self.stock.world(&self.stock.items[i]),
            _ => None,
        }
    }

    fn open(&mut self, ctx: &mut Ctx) {
        match self.row() {
            None => ctx.warn("nothing here to open"),
            Some(Row::Others) => self.fold(!self.is_open(), ctx),
            Some(Row::Entry(i)) => {
                if let Some(world) = self.stock.entry(i) {
                    self.above = Kind::Entry;
                    ctx.push(open::entry(&self.shelf, world, self.how.lens.as_deref()));
                }
            }
            Some(Row::Run(i)) => {
                let item = &self.stock.items[i];
                if let RunState::Unreadable(why) = &item.state {
                    return ctx.warn(format!("{} cannot be read: {why}", item.source.path.display()));
                }
                self.above = Kind::Trajectory;
                ctx.push(self.trajectory(i, 0));
            }
            Some(Row::Faulty(i)) => {
                let file = &self.stock.faulty[i];
                self.above = Kind::Text;
                let text = render(&file.diagnostics, false);
                let screen = TextScreen::new(file.name.as_str(), file.name.as_str(), &text, Syntax::Plain);
                ctx.push(screen);
            }
            Some(Row::Unreadable(i)) => {
                let (path, why) = &self.stock.unreadable[i];
                ctx.warn(format!("{} cannot be read: {why}", path.display()));
            }
        }
    }

    /// `<` and `>` of the screen above: the next row of the kind that it was opened from.
    pub(super) fn open_sibling(&mut self, steps: i64, ctx: &mut Ctx) -> bool {
        let alike = |row: &Row| match self.above {
            Kind::Entry => matches!(row, Row::Entry(_)),
            Kind::Trajectory => match row {
                Row::Run(i) => !matches!(self.stock.items[*i].state, RunState::Unreadable(_)),
                _ => false,
            },
            _ => false,
        };
        let rows: Vec<(usize, Row)> = self.visible().enumerate().filter(|(_, row)| alike(row)).collect();
        let times = usize::try_from(steps.unsigned_abs()).unwrap_or(usize::MAX);
        let here = self.list.cursor;
        let target = if steps > 0 {
            rows.iter().filter(|(at, _)| *at > here).nth(times - 1)
        } else {
            rows.iter().rev().filter(|(at, _)| *at < here).nth(times.saturating_sub(1))
        };
        let Some(&(at, row)) = target else { return false };
        self.list.cursor = at;
        match row {
            Row::Entry(i) => {
                let Some(world) = self.stock.entry(i) else { return false };
                ctx.replace(open::entry(&self.shelf, world, self.how.lens.as_deref()));
            }
            Row::Run(i) => {
                ctx.replace(self.trajectory(i, 0));
            }
            _ => return false,
        }
        true
    }

    fn world(&mut self, ctx: &mut Ctx) {
        let Some(world) = self.entry() else { return ctx.warn("no entry stands behind this row") };
        let run = match self.row() {
            Some(Row::Run(i)) => self.stock.items[i].summary(),
            _ => None,
        };
        let role = run.and_then(|run| world.domain.role_id(run.role.as_deref()?));
        let set = run.and_then(|run| run.toolset.as_deref()).or(self.how.lens.as_deref());
        let toolset = set.and_then(|set| world.problem.toolsets.get_index_of(set)).map(ToolsetId::from);
        let screen = open::world(&self.shelf, world, WorldPlace { tool: None, role, toolset });
        self.above = Kind::World;
        ctx.push(screen);
    }

    /// Of the runs that filter and lens let pass; the cursor goes to the row's cell.
    fn results(&mut self, ctx: &mut Ctx) {
        let cell = self.row().and_then(|row| match row {
            Row::Run(i) => {
                let scored = self.stock.items[i].scored()?;
                Some((Head::Of(scored.problem.clone()), Head::Of(scored.role.clone())))
            }
            Row::Entry(i) => Some((Head::Of(self.stock.entry(i)?.problem.id.clone()), Head::All)),
            _ => None,
        });
        let (filter, lens) = (self.how.filter.text.clone(), self.how.lens.clone());
        self.above = Kind::Results;
        ctx.push(open::results(&self.shelf, Scope { entry: None, filter, lens, cell }));
    }

    /// Role and tool set are asked for by the play itself.
    fn play(&mut self, ctx: &mut Ctx) {
        let Some(world) = self.entry().cloned() else { return ctx.warn("no entry stands behind this row") };
        let set = self.how.lens.as_deref().and_then(|set| world.problem.toolsets.get_index_of(set));
        self.above = Kind::Play;
        ctx.push(open::play(&self.shelf, &world, None, set.map(ToolsetId::from)));
    }

    /// A row of a card was chosen: an order, or a step of the run.
    pub(super) fn chosen(&mut self, target: &str, ctx: &mut Ctx) {
        match (card::step(target), self.row()) {
            (Some(step), Some(Row::Run(i))) => {
                self.above = Kind::Trajectory;
                ctx.push(self.trajectory(i, step));
            }
            _ => self.order(target, ctx),
        }
    }

    /// The trajectory of a run at a step, and where in the list it stands.
    fn trajectory(&self, run: usize, step: usize) -> Trajectory {
        let runs: Vec<Row> = self.visible().filter(|row| matches!(row, Row::Run(_))).collect();
        let at = runs.iter().position(|row| *row == Row::Run(run)).map_or(0, |at| at + 1);
        let source = self.stock.items[run].source.clone();
        open::trajectory(&self.shelf, open::Run::Source(source), step).among(at, runs.len())
    }

    fn hunt(&mut self, forward: bool, times: usize, ctx: &mut Ctx) {
        let from = self.spot().row;
        let found = |at: &usize| match self.all[*at].0 {
            Row::Run(i) => self.stock.items[i].has_finding(),
            Row::Faulty(_) | Row::Unreadable(_) => true,
            Row::Entry(_) | Row::Others => false,
        };
        let target = if forward {
            (from + 1..self.all.len()).filter(found).nth(times - 1)
        } else {
            (0..from.min(self.all.len())).rev().filter(found).nth(times - 1)
        };
        match target {
            Some(at) => {
                ctx.jumped(self.place());
                self.go_to(at);
            }
            None if forward => ctx.warn("no run with a finding after this"),
            None => ctx.warn("no run with a finding before this"),
        }
    }

    /// Puts the cursor on a row of all, and opens its group.
    pub(super) fn go_to(&mut self, at: usize) {
        if let Some(&(_, seen)) = self.all.get(at) {
            if !seen {
                let head = self.all[..at].iter().rev().find(|(row, _)| matches!(row, Row::Entry(_) | Row::Others));
                self.how.open.extend(head.map(|(row, _)| self.stock.key(*row)));
                self.arrange();
            }
            self.list.cursor = self.seen.iter().position(|&row| row == at).unwrap_or(self.list.cursor);
        }
    }

    fn order(&mut self, column: &str, ctx: &mut Ctx) {
        if let Some(column) = Column::named(column) {
            self.stock.count_all();
            self.how.column = Some(column);
            self.how.reverse = false;
            self.arrange();
            return ctx.say(format!("runs {}; O the other way round", column.order()));
        }
        let name = self.how.column.map(Column::name);
        let names: Vec<&str> = Column::ALL.iter().map(|(_, name, _)| *name).collect();
        ctx.card(choice(ctx.theme, "Order of the runs", &names, name, |name| {
            Column::named(name).map_or(String::new(), |column| column.order().to_owned())
        }));
    }

    fn lens(&mut self, ctx: &mut Ctx) {
        let mut sets: Vec<String> = Vec::new();
        let named = self.stock.entries.values().flat_map(|world| world.problem.toolsets.keys().cloned());
        let used = self.stock.items.iter().filter_map(|item| item.summary()?.toolset.clone());
        for set in named.chain(used) {
            if !sets.contains(&set) {
                sets.push(set);
            }
        }
        if sets.is_empty() {
            return ctx.warn("no tool sets are known yet");
        }
        self.how.lens = match &self.how.lens {
            None => sets.first().cloned(),
            Some(now) => sets.iter().position(|set| set == now).and_then(|at| sets.get(at + 1)).cloned(),
        };
        self.arrange();
    }

    fn is_open(&self) -> bool {
        self.key().is_some_and(|key| self.how.open.contains(&key))
    }

    fn fold(&mut self, open: bool, ctx: &mut Ctx) {
        if !self.how.by_entry {
            return ctx.warn("nothing is folded here; a puts runs under their entries");
        }
        let key = match self.row() {
            Some(row @ (Row::Entry(_) | Row::Others)) => self.stock.key(row),
            Some(Row::Run(_)) if !open => {
                let at = self.seen[self.list.cursor];
                let heads = self.all[..at].iter().rev();
                let Some((head, _)) = heads.into_iter().find(|(row, _)| matches!(row, Row::Entry(_) | Row::Others))
                else {
                    return;
                };
                self.stock.key(*head)
            }
            _ => return,
        };
        if open {
            self.how.open.insert(key);
        } else {
            self.how.open.remove(&key);
            // The cursor would be in the group that closes.
            self.under.0 = Some(key);
        }
        self.arrange();
    }

    /// After the arrangement changed altogether: the cursor's run may be in a closed group now.
    fn keep_in_sight(&mut self) {
        let key = self.key();
        self.arrange();
        let place = |key: &Key| self.all.iter().position(|(row, _)| self.stock.key(*row) == *key);
        if let Some(at) = key.as_ref().and_then(place) {
            self.go_to(at);
        }
    }

    fn copy(&mut self, ctx: &mut Ctx) {
        let id = match self.row() {
            Some(Row::Run(i)) => {
                let item = &self.stock.items[i];
                item.summary().map_or(item.source.name.clone(), |summary| summary.run.clone())
            }
            Some(Row::Others) | None => return ctx.warn("nothing here to copy"),
            Some(_) => self.address(),
        };
        ctx.copy(id.clone(), id);
    }

    /// The file on disk behind the row.
    fn path(&self) -> Option<PathBuf> {
        match self.row()? {
            Row::Run(i) => Some(&self.stock.items[i].source).filter(|run| !run.embedded).map(|run| run.path.clone()),
            Row::Entry(i) => on_disk(&self.stock.entry(i)?.problem.file),
            Row::Faulty(i) => on_disk(&self.stock.faulty[i].diagnostics.first()?.file),
            Row::Unreadable(i) => Some(self.stock.unreadable[i].0.clone()),
            Row::Others => None,
        }
    }

    fn edit(&mut self, ctx: &mut Ctx) {
        let line = match self.row() {
            Some(Row::Faulty(i)) => {
                let first = &self.stock.faulty[i].diagnostics[0];
                first.file.position(first.span.start).line
            }
            _ => 1,
        };
        match self.path() {
            Some(path) => ctx.edit(path, line),
            None => ctx.warn("this comes with the program: there is no file to edit; E shows it"),
        }
    }

    fn raw(&mut self, ctx: &mut Ctx) {
        let screen = match self.row() {
            Some(Row::Run(i)) => {
                // A log may be large: it is read aside, and shown when it is there.
                let (run, path) = (self.stock.items[i].source.clone(), self.path());
                self.above = Kind::Text;
                ctx.spawn_named(format!("reading {}", run.name), move |_| match run.read() {
                    Ok(bytes) => Ok(record(&run.name, &bytes, path)),
                    Err(error) => Err(format!("{} cannot be read: {error}", run.path.display())),
                });
                return;
            }
            Some(Row::Entry(i)) => match self.stock.entry(i) {
                Some(world) => source(&world.problem.file, 1),
                None => return,
            },
            Some(Row::Faulty(i)) => {
                let first = &self.stock.faulty[i].diagnostics[0];
                source(&first.file, first.file.position(first.span.start).line)
            }
            _ => return ctx.warn("no record stands behind this row"),
        };
        self.above = Kind::Text;
        ctx.push(screen);
    }
}
