//! What keys and commands do among the results.

use std::sync::Arc;

use super::at::TABLES;
use super::{Bar, CHARTS, ChartRow, Head, MATRIX, Order, RUNS, Results, cards};
use crate::score::GroupKey;
use crate::tui::browser::Browser;
use crate::tui::browser::choice;
use crate::tui::command::Cmd;
use crate::tui::dispatch::Call;
use crate::tui::layout::PaneId;
use crate::tui::list::List;
use crate::tui::open::{self, WorldPlace};
use crate::tui::screen::{Ctx, Screen};
use crate::world::{ToolsetId, World};

impl Results {
    pub(super) fn command(&mut self, call: &Call, ctx: &mut Ctx) {
        let pane = ctx.panes.focus;
        match call.cmd {
            Cmd::Open => self.open(pane, ctx),
            Cmd::Left => self.column(false, call.times(), ctx),
            Cmd::Right => self.column(true, call.times(), ctx),
            Cmd::NextPage => self.table(1, call.times()),
            Cmd::PrevPage => self.table(TABLES.len() - 1, call.times()),
            Cmd::NextFinding => self.failing(true, call.times(), ctx),
            Cmd::PrevFinding => self.failing(false, call.times(), ctx),
            Cmd::MainNext => self.row(&Call { cmd: Cmd::Down, ..call.clone() }),
            Cmd::MainPrev => self.row(&Call { cmd: Cmd::Up, ..call.clone() }),
            Cmd::Card => match self.bar(pane) {
                Some(bar) => ctx.card(cards::bar(bar, ctx.theme)),
                None if pane == CHARTS => ctx.warn("put the cursor on a bar"),
                None => ctx.card(cards::cell(self, ctx.theme)),
            },
            Cmd::ToolsetLens => self.lens(ctx),
            Cmd::ShowAll => {
                self.at.all = !self.at.all;
                self.count();
                ctx.say(if self.at.all { "rows and columns without runs too" } else { "rows and columns with runs" });
            }
            Cmd::Order => self.choose_order(&call.argument, ctx),
            Cmd::OrderReverse => {
                self.at.reverse = !self.at.reverse;
                self.order();
                let (_, words) = self.at.order.words();
                ctx.say(if self.at.reverse { format!("rows {words}, reversed") } else { format!("rows {words}") });
            }
            Cmd::Play => self.play(ctx),
            Cmd::World => self.world(ctx),
            Cmd::CopyValue => self.copy(pane, ctx),
            Cmd::Reload => {
                self.intake.begin(&self.shelf, ctx);
                ctx.say("reading everything again");
            }
            _ if pane == RUNS => {
                let runs = self.cell().map_or(0, |cell| cell.runs.len());
                self.at.runs.motion(call, runs);
            }
            _ if pane == CHARTS => {
                self.at.charts.motion(call, self.charts.len());
            }
            Cmd::First | Cmd::Last => {
                ctx.jumped(self.place());
                self.row(call);
            }
            _ => self.row(call),
        }
    }

    fn row(&mut self, call: &Call) {
        let before = self.at.rows.cursor;
        self.at.rows.motion(call, self.matrix.rows.len());
        if self.at.rows.cursor != before {
            self.at.runs = List::default();
        }
    }

    /// Puts the cursor on a cell.
    fn go(&mut self, row: usize, column: usize) {
        self.at.rows.cursor = row;
        self.at.column = column;
        self.at.runs = List::default();
        self.fit();
    }

    fn column(&mut self, right: bool, times: usize, ctx: &mut Ctx) {
        let last = self.matrix.columns.len().saturating_sub(1);
        let to = if right { (self.at.column + times).min(last) } else { self.at.column.saturating_sub(times) };
        if to == self.at.column {
            return ctx.warn(if right { "this is the last column" } else { "this is the first column" });
        }
        self.go(self.at.rows.cursor, to);
    }

    fn table(&mut self, by: usize, times: usize) {
        self.at.table = (self.at.table + by * (times % TABLES.len())) % TABLES.len();
        self.at.ordered.clear();
        self.at.order = Order::Given;
        self.at.reverse = false;
        // What both tables have keeps the cursor; else it is on the first.
        self.at.rows = List::default();
        self.at.column = 0;
        self.at.runs = List::default();
        self.count();
    }

    fn failing(&mut self, forward: bool, times: usize, ctx: &mut Ctx) {
        let is_name = |head: &Head| matches!(head, Head::Of(_));
        let here = (self.at.rows.cursor, self.at.column);
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (row, _) in self.matrix.rows.iter().enumerate().filter(|(_, head)| is_name(head)) {
            let columns = self.matrix.columns.iter().enumerate().filter(|(_, head)| is_name(head));
            let failing = columns.filter(|(column, _)| self.matrix.cell(row, *column).is_some_and(|cell| cell.fails()));
            found.extend(failing.map(|(column, _)| (row, column)));
        }
        found.retain(|cell| if forward { *cell > here } else { *cell < here });
        if !forward {
            found.reverse();
        }
        match found.get(times - 1) {
            Some(&(row, column)) => {
                ctx.jumped(self.place());
                ctx.panes.focus(MATRIX);
                self.go(row, column);
            }
            None if forward => ctx.warn("every run after this is solved"),
            None => ctx.warn("every run before this is solved"),
        }
    }

    fn lens(&mut self, ctx: &mut Ctx) {
        let sets = super::matrix::known(&self.stock, GroupKey::Toolset);
        if sets.is_empty() {
            return ctx.warn("no tool sets are known yet");
        }
        self.at.lens = match &self.at.lens {
            None => sets.first().cloned(),
            Some(now) => sets.iter().position(|set| set == now).and_then(|at| sets.get(at + 1)).cloned(),
        };
        ctx.say(match &self.at.lens {
            Some(set) => format!("runs with the tool set {set}"),
            None => "runs with any tool set".to_owned(),
        });
        self.again(ctx);
    }

    fn choose_order(&mut self, name: &str, ctx: &mut Ctx) {
        if let Some(order) = Order::named(name) {
            self.at.order = order;
            self.at.reverse = false;
            self.order();
            return ctx.say(format!("rows {}; O the other way round", order.words().1));
        }
        let names: Vec<&str> = Order::ALL.iter().map(|(_, name, _)| *name).collect();
        let about = |name: &str| Order::named(name).map_or(String::new(), |order| order.words().1.to_owned());
        ctx.card(choice(ctx.theme, "Order of the rows", &names, Some(self.at.order.words().0), about));
    }

    /// The bar under the cursor of the charts.
    fn bar(&self, pane: PaneId) -> Option<&Bar> {
        match self.charts.get(self.at.charts.cursor) {
            Some(ChartRow::Bar(bar)) if pane == CHARTS => Some(bar),
            _ => None,
        }
    }

    fn open(&mut self, pane: PaneId, ctx: &mut Ctx) {
        if let Some(bar) = self.bar(pane) {
            let mut terms = self.terms();
            terms.push(term(bar.key, &bar.name));
            terms.push(if bar.which.is_empty() { "is:scored".to_owned() } else { bar.which.to_owned() });
            return ctx.push(Browser::showing(&self.shelf, &terms.join(" ")));
        }
        match (pane, self.run()) {
            (CHARTS, _) => ctx.warn("put the cursor on a bar"),
            (RUNS, Some(run)) => self.trajectory(run, ctx),
            _ => self.open_cell(ctx),
        }
    }

    fn open_cell(&mut self, ctx: &mut Ctx) {
        match self.cell().map(|cell| cell.runs.as_slice()) {
            None | Some([]) => ctx.warn("no runs here yet; p plays the entry"),
            Some(&[run]) => self.trajectory(run, ctx),
            Some(_) => {
                let mut terms = self.terms();
                let mut which = "is:scored";
                for (key, head) in self.heads() {
                    match head {
                        Head::Of(name) => terms.push(term(key, name)),
                        Head::All => {}
                        Head::Unscored => which = "not is:scored",
                    }
                }
                terms.push(which.to_owned());
                ctx.push(Browser::showing(&self.shelf, &terms.join(" ")));
            }
        }
    }

    /// What all runs here have in common, in the language of the filter.
    fn terms(&self) -> Vec<String> {
        let filter = Some(self.filter_text().to_owned()).filter(|text| !text.is_empty());
        let entry = self.entry.as_ref().map(|entry| term(GroupKey::Problem, entry));
        let lens = self.at.lens.as_ref().map(|set| term(GroupKey::Toolset, set));
        filter.into_iter().chain(entry).chain(lens).collect()
    }

    fn trajectory(&self, run: usize, ctx: &mut Ctx) {
        let flat = self.flat();
        let at = flat.iter().position(|(own, ..)| *own == run).map_or(0, |at| at + 1);
        let source = self.stock.items[run].source.clone();
        ctx.push(open::trajectory(&self.shelf, open::Run::Source(source), 0).among(at, flat.len()));
    }

    /// The runs in the order of the table, each with its cell.
    fn flat(&self) -> Vec<(usize, usize, usize)> {
        let named = |heads: &[Head], at: usize| matches!(heads.get(at), Some(Head::Of(_)));
        let mut flat = Vec::new();
        for (row, cells) in self.matrix.cells.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                if named(&self.matrix.rows, row) && named(&self.matrix.columns, column) {
                    flat.extend(cell.runs.iter().map(|&run| (run, row, column)));
                }
            }
        }
        flat
    }

    /// `<` and `>` of a run opened from here: the next in the order of the table.
    pub(super) fn open_sibling(&mut self, steps: i64, ctx: &mut Ctx) -> bool {
        let flat = self.flat();
        let here = self.run().and_then(|run| flat.iter().position(|(own, ..)| *own == run));
        let steps = isize::try_from(steps).unwrap_or(0);
        let Some(to) = here.and_then(|here| here.checked_add_signed(steps)) else { return false };
        let Some(&(run, row, column)) = flat.get(to) else { return false };
        self.touched = true;
        self.go(row, column);
        let place = self.cell().and_then(|cell| cell.runs.iter().position(|own| *own == run));
        self.at.runs.cursor = place.unwrap_or(0);
        let source = self.stock.items[run].source.clone();
        ctx.replace(open::trajectory(&self.shelf, open::Run::Source(source), 0).among(to + 1, flat.len()));
        true
    }

    /// The entry that the cell is about.
    fn entry(&self, ctx: &mut Ctx) -> Option<Arc<World>> {
        let named = self.name(GroupKey::Problem).and_then(|id| self.stock.entries.get(id));
        let world = named.or_else(|| self.stock.world(&self.stock.items[self.run()?])).cloned();
        if world.is_none() {
            ctx.warn("no entry stands behind this cell");
        }
        world
    }

    fn place_in(&self, world: &World) -> WorldPlace {
        let role = self.name(GroupKey::Role).and_then(|role| world.domain.role_id(role));
        let set = self.name(GroupKey::Toolset).and_then(|set| world.problem.toolsets.get_index_of(set));
        WorldPlace { tool: None, role, toolset: set.map(ToolsetId::from) }
    }

    fn play(&mut self, ctx: &mut Ctx) {
        let Some(world) = self.entry(ctx) else { return };
        let WorldPlace { role, toolset, .. } = self.place_in(&world);
        let role = role.filter(|role| world.problem.perspectives.contains_key(role));
        ctx.push(open::play(&self.shelf, &world, role, toolset));
    }

    fn world(&mut self, ctx: &mut Ctx) {
        let Some(world) = self.entry(ctx) else { return };
        let place = self.place_in(&world);
        ctx.push(open::world(&self.shelf, &world, place));
    }

    fn copy(&mut self, pane: PaneId, ctx: &mut Ctx) {
        let text = match (self.bar(pane), pane, self.run()) {
            (Some(bar), ..) => cards::bar_words(bar),
            (None, RUNS, Some(run)) => self.stock.items[run].source.name.clone(),
            _ => cards::cell_words(self),
        };
        ctx.copy(text.clone(), text);
    }

    /// A row of a card was chosen: an order, or a run.
    pub(super) fn chosen(&mut self, target: &str, ctx: &mut Ctx) {
        match cards::run(target).filter(|run| *run < self.stock.items.len()) {
            Some(run) => {
                let place = self.cell().and_then(|cell| cell.runs.iter().position(|own| *own == run));
                self.at.runs.cursor = place.unwrap_or(0);
                self.trajectory(run, ctx);
            }
            None => self.choose_order(target, ctx),
        }
    }

    pub(super) fn click(&mut self, pane: PaneId, (x, y): (u16, u16), second: bool, ctx: &mut Ctx) {
        match pane {
            MATRIX => {
                let row = y.checked_sub(1).and_then(|y| self.at.rows.at(y, self.matrix.rows.len(), |_| 1));
                let width = ctx.arranged.area(MATRIX).width;
                let column = super::view::columns(self, width).at(x);
                self.go(row.unwrap_or(self.at.rows.cursor), column.unwrap_or(self.at.column));
            }
            RUNS => {
                let runs = self.cell().map_or(0, |cell| cell.runs.len());
                self.at.runs.cursor = self.at.runs.at(y, runs, |_| 1).unwrap_or(self.at.runs.cursor);
            }
            _ => {
                let row = self.at.charts.at(y, self.charts.len(), |_| 1);
                self.at.charts.cursor = row.unwrap_or(self.at.charts.cursor);
            }
        }
        if second {
            self.open(pane, ctx);
        }
    }

    /// Comes back to the screen by an address: `results ENTRY#ROW,COLUMN`.
    pub(super) fn arrive(&mut self, address: &str) {
        let Some((row, column)) = address.split_once('#').and_then(|(_, cell)| cell.rsplit_once(',')) else { return };
        let place = |heads: &[Head], name: &str| heads.iter().position(|head| *head == Head::Of(name.to_owned()));
        if let (Some(row), Some(column)) = (place(&self.matrix.rows, row), place(&self.matrix.columns, column)) {
            self.touched = true;
            self.go(row, column);
        }
    }
}

/// What runs of a group have in common, in the language of the browser's filter.
fn term(key: GroupKey, name: &str) -> String {
    let column = match key {
        GroupKey::Agent => "agent",
        GroupKey::Role => "role",
        GroupKey::Toolset => "set",
        GroupKey::Problem => "entry",
    };
    let name = if name.is_empty() { "-" } else { name };
    let quoted = name.contains(|c: char| c == '"' || c.is_whitespace());
    if quoted { format!("\"{column}={}\"", name.replace('"', "\"\"")) } else { format!("{column}={name}") }
}
