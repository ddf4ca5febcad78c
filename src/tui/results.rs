//! Results: entries, roles, agents and tool sets against each other, and the charts that the benchmark
//! is read by. Every cell and every bar leads to the runs behind it (screens.md §2, §7).

mod at;
mod cards;
mod charts;
mod commands;
mod matrix;
mod table;

use std::sync::Arc;

use ratatui::layout::Size;

pub use at::{At, Head, Order, Scope, TABLES, Table};
pub use cards::place_words;
pub use charts::{Bar, ChartRow, Value};
pub use matrix::{Cell, Matrix};
pub use table::TABLE;

use super::browser::filter::Filter;
use super::browser::intake::Intake;
use super::browser::item::RunItem;
use super::browser::load::Found;
use super::browser::rows::Stock;
use super::canvas::Canvas;
use super::command::Cmd;
use super::dispatch::Call;
use super::job::JobId;
use super::layout::{Arranged, Extent, Layout, PaneId, Room};
use super::pattern::Pattern;
use super::screen::{Ctx, Input, Kind, Place, Screen, Spot, Title};
use super::shelf::Shelf;
use super::view::results as view;
use crate::score::{GroupKey, Scored};

/// The pane of the table.
pub const MATRIX: PaneId = 0;
/// The pane of the runs behind the cell under the cursor.
pub const RUNS: PaneId = 1;
/// The pane of the charts.
pub const CHARTS: PaneId = 2;

/// The screen.
pub struct Results {
    shelf: Arc<Shelf>,
    /// The runs and their entries.
    pub stock: Stock,
    /// How far reading them has come.
    pub intake: Intake,
    /// Of this entry alone.
    pub entry: Option<String>,
    /// What the reader moved.
    pub at: At,
    /// The runs that the results are about, by their places in the stock.
    pub runs: Vec<usize>,
    /// The table.
    pub matrix: Matrix,
    /// The charts, folded into rows.
    pub charts: Vec<ChartRow>,
    /// Whether the charts are being counted.
    pub counting: Option<JobId>,
    /// Whether they have to be counted again.
    stale: bool,
    /// The reader has moved or changed something.
    touched: bool,
    spot: PaneId,
}

/// What the job of the charts reports.
struct Counted(Vec<ChartRow>);

impl Results {
    /// The results of a shelf.
    pub fn new(shelf: &Arc<Shelf>, scope: Scope) -> Results {
        let Scope { entry, filter, lens, cell } = scope;
        let table = if entry.is_some() { at::OF_ENTRY } else { 0 };
        let filter = Filter::parse(&filter).unwrap_or_default();
        Results {
            shelf: shelf.clone(),
            stock: Stock::default(),
            intake: Intake::new(),
            entry,
            touched: cell.is_some(),
            at: At { table, on: cell.unwrap_or_default(), lens, filter, ..At::default() },
            runs: Vec::new(),
            matrix: Matrix::default(),
            charts: Vec::new(),
            counting: None,
            stale: false,
            spot: MATRIX,
        }
    }

    /// What they are the results of.
    pub fn label(&self) -> String {
        self.shelf.label()
    }

    /// The cell under the cursor.
    pub fn cell(&self) -> Option<&Cell> {
        self.matrix.cell(self.at.rows.cursor, self.at.column)
    }

    /// The run under the cursor of the runs behind the cell.
    pub fn run(&self) -> Option<usize> {
        self.cell()?.runs.get(self.at.runs.cursor).copied()
    }

    /// The filter, as it was typed.
    pub fn filter_text(&self) -> &str {
        &self.at.filter.text
    }

    /// Takes in what was found, and counts anew.
    fn take(&mut self, found: Found, ctx: &mut Ctx) {
        if self.intake.take(&mut self.stock, found).is_some() {
            self.count();
            self.chart(ctx);
        }
    }

    fn passes(&self, item: &RunItem) -> bool {
        let Some(summary) = item.summary() else { return false };
        self.entry.as_ref().is_none_or(|entry| summary.problem.as_ref() == Some(entry))
            && self.at.lens.as_ref().is_none_or(|lens| summary.toolset.as_ref() == Some(lens))
            && self.at.filter.passes(item, self.stock.world(item).map(AsRef::as_ref))
    }

    /// Counts the table anew; the cursor stays on what it stood on.
    fn count(&mut self) {
        self.runs = (0..self.stock.items.len()).filter(|&run| self.passes(&self.stock.items[run])).collect();
        self.matrix = Matrix::of(&self.stock, &self.runs, &self.at);
        if self.touched {
            let (row, column) = &self.at.on;
            let row = self.matrix.rows.iter().position(|head| head == row);
            let column = self.matrix.columns.iter().position(|head| head == column);
            self.at.rows.cursor = row.unwrap_or(self.at.rows.cursor);
            self.at.column = column.unwrap_or(self.at.column);
        }
        self.fit();
    }

    /// Puts the rows in the order that was asked for.
    fn order(&mut self) {
        self.at.ordered = self.matrix.ordered(&self.stock, self.at.order, self.at.reverse);
        self.count();
    }

    fn fit(&mut self) {
        let At { rows, column, .. } = &mut self.at;
        rows.cursor = rows.cursor.min(self.matrix.rows.len().saturating_sub(1));
        *column = (*column).min(self.matrix.columns.len().saturating_sub(1));
    }

    /// Remembers what the cursor stands on.
    fn note(&mut self) {
        let row = self.matrix.rows.get(self.at.rows.cursor).cloned();
        let column = self.matrix.columns.get(self.at.column).cloned();
        if let (Some(row), Some(column)) = (row, column) {
            self.at.on = (row, column);
        }
    }

    /// Counts the charts on another thread, for intervals take a while; one counting at a time.
    fn chart(&mut self, ctx: &mut Ctx) {
        self.stale = self.counting.is_some();
        if self.stale {
            return;
        }
        let runs: Vec<Arc<Scored>> =
            self.runs.iter().filter_map(|&run| self.stock.items[run].scored().cloned()).collect();
        let order = [GroupKey::Role, GroupKey::Toolset].map(|key| (key, matrix::known(&self.stock, key)));
        self.counting = Some(ctx.spawn(move |_| Counted(charts::charts(&runs, &order))));
    }

    /// After filter or lens changed.
    fn again(&mut self, ctx: &mut Ctx) {
        self.count();
        self.chart(ctx);
    }

    /// What the row and the column under the cursor stand for.
    pub fn heads(&self) -> [(GroupKey, &Head); 2] {
        const NONE: &Head = &Head::All;
        let table = self.at.table();
        let row = self.matrix.rows.get(self.at.rows.cursor).unwrap_or(NONE);
        let column = self.matrix.columns.get(self.at.column).unwrap_or(NONE);
        [(table.rows, row), (table.columns, column)]
    }

    /// What the cell under the cursor has for a key.
    pub fn name(&self, key: GroupKey) -> Option<&str> {
        let here = self.heads().into_iter().find_map(|(own, head)| match head {
            Head::Of(name) if own == key => Some(name.as_str()),
            _ => None,
        });
        here.or(match key {
            GroupKey::Problem => self.entry.as_deref(),
            GroupKey::Toolset => self.at.lens.as_deref(),
            _ => None,
        })
    }
}

impl Screen for Results {
    fn kind(&self) -> Kind {
        Kind::Results
    }

    fn address(&self) -> String {
        let entry = self.entry.as_ref().map_or(String::new(), |entry| format!(" {entry}"));
        let (Head::Of(row), Head::Of(column)) = &self.at.on else { return format!("results{entry}") };
        format!("results{entry}#{row},{column}")
    }

    fn layout(&self, size: Size) -> Layout {
        let share = Extent::Share(1);
        let lower = if size.height < 30 { 6 } else { (size.height / 4).min(16) };
        let header = Layout::new(1);
        match Room::of(size) {
            Room::Tiny | Room::Narrow => header.band(share, &[(&[MATRIX, RUNS, CHARTS], share)]),
            Room::Medium if size.height < 20 => header.band(share, &[(&[MATRIX, RUNS, CHARTS], share)]),
            Room::Medium => {
                header.band(share, &[(&[MATRIX], share)]).band(Extent::Cells(lower), &[(&[RUNS, CHARTS], share)])
            }
            Room::Wide => {
                let matrix = Extent::Cells((size.width * 3 / 5).min(110));
                header
                    .band(share, &[(&[MATRIX], matrix), (&[CHARTS], share)])
                    .band(Extent::Cells(lower), &[(&[RUNS], share)])
            }
        }
    }

    fn title(&self, pane: PaneId) -> Title {
        view::title(self, pane)
    }

    fn draw_header(&self, canvas: &mut Canvas) {
        view::header(self, canvas);
    }

    fn draw(&self, pane: PaneId, canvas: &mut Canvas) {
        match pane {
            MATRIX => view::matrix(self, canvas),
            RUNS => view::runs(self, canvas),
            _ => super::view::charts::draw(self, canvas),
        }
    }

    fn update(&mut self, input: Input, ctx: &mut Ctx) {
        let moves = matches!(input, Input::Run(_) | Input::Click { .. } | Input::Wheel { .. } | Input::Arrived(_));
        self.touched |= moves;
        match input {
            Input::Opened => self.intake.begin(&self.shelf, ctx),
            Input::Arrived(address) => self.arrive(&address),
            Input::Run(call) => {
                self.spot = ctx.panes.focus;
                self.command(&call, ctx);
            }
            Input::Report(payload) => match payload.downcast::<Found>() {
                Ok(found) => self.take(*found, ctx),
                Err(payload) => {
                    if let Ok(counted) = payload.downcast::<Counted>() {
                        self.counting = None;
                        self.charts = counted.0;
                        if self.stale {
                            self.chart(ctx);
                        }
                    }
                }
            },
            Input::Filtered => self.chart(ctx),
            Input::Click { pane, x, y, second } => self.click(pane, (x, y), second, ctx),
            Input::Wheel { pane: CHARTS, rows } => self.at.charts.wheel(rows, self.charts.len()),
            Input::Wheel { pane: RUNS, rows } => {
                let runs = self.cell().map_or(0, |cell| cell.runs.len());
                self.at.runs.wheel(rows, runs);
            }
            Input::Wheel { rows, .. } => self.at.rows.wheel(rows, self.matrix.rows.len()),
            Input::Chosen(target) => self.chosen(&target, ctx),
            Input::Failed { job, .. } if self.counting == Some(job) => self.counting = None,
            Input::Failed { job, .. } => {
                if self.intake.give_up(job, &mut self.stock) {
                    self.again(ctx);
                }
            }
            Input::Uncovered | Input::SearchEnded | Input::Key(_) | Input::Paste(_) | Input::Answer { .. } => {}
        }
        // What was found moves no cursor: it goes back to its cell as soon as that is there.
        if moves {
            self.note();
        }
    }

    fn settle(&mut self, arranged: &Arranged) {
        let area = |pane| arranged.area(pane).height;
        self.at.rows.settle(self.matrix.rows.len(), area(MATRIX).saturating_sub(1), |_| 1);
        let runs = self.cell().map_or(0, |cell| cell.runs.len());
        self.at.runs.settle(runs, area(RUNS), |_| 1);
        self.at.charts.settle(self.charts.len(), area(CHARTS), |_| 1);
    }

    fn place(&self) -> Place {
        Place::new(self.at.clone())
    }

    fn restore(&mut self, place: &Place) {
        if let Some(at) = place.get::<At>() {
            self.at = at.clone();
            self.count();
        }
    }

    fn search(&self, pattern: &Pattern) -> Vec<Spot> {
        let rows =
            self.matrix.rows.iter().enumerate().filter(|(_, head)| pattern.matches(&view::row_words(self, head)));
        let charts = self.charts.iter().enumerate().filter(|(_, row)| match row {
            ChartRow::Title(name, _) => pattern.matches(name),
            ChartRow::Bar(bar) => pattern.matches(&bar.name),
            ChartRow::Gap | ChartRow::Captions | ChartRow::Pending => false,
        });
        let rows = rows.map(|(row, _)| Spot { pane: MATRIX, row });
        rows.chain(charts.map(|(row, _)| Spot { pane: CHARTS, row })).collect()
    }

    fn spot(&self) -> Spot {
        match self.spot {
            CHARTS => Spot { pane: CHARTS, row: self.at.charts.cursor },
            _ => Spot { pane: MATRIX, row: self.at.rows.cursor },
        }
    }

    fn reveal(&mut self, spot: Spot) {
        self.spot = spot.pane;
        self.touched = true;
        match spot.pane {
            CHARTS => self.at.charts.cursor = spot.row,
            _ => self.at.rows.cursor = spot.row,
        }
        self.fit();
        self.note();
    }

    fn filter(&self) -> &str {
        &self.at.filter.text
    }

    fn set_filter(&mut self, filter: &str) -> Result<(), String> {
        self.at.filter = Filter::parse(filter)?;
        self.count();
        Ok(())
    }

    fn peel(&mut self) -> bool {
        let had = self.at.lens.take().is_some();
        if had {
            self.count();
        }
        had
    }

    fn sibling(&mut self, steps: i64, ctx: &mut Ctx) -> bool {
        let found = self.open_sibling(steps, ctx);
        self.note();
        found
    }

    fn arguments(&self, call: &Call) -> Vec<String> {
        match call.cmd {
            Cmd::Order => Order::ALL.iter().map(|(_, name, _)| (*name).to_owned()).collect(),
            _ => TABLES.iter().map(|table| table.name()).collect(),
        }
    }
}
