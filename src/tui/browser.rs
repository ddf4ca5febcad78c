//! The browser: the runs that there are, worst first, or the entries with their runs (screens.md §6).

mod card;
pub mod filter;
pub mod intake;
pub mod item;
mod keys;
pub mod load;
mod preview;
pub mod rows;
mod texts;

use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::Size;

use super::canvas::Canvas;
use super::layout::{Arranged, Extent, Layout, PaneId, Room};
use super::list::List;
use super::open;
use super::pattern::Pattern;
use super::screen::{Ctx, Input, Kind, Place, Screen, Spot, Title};
use super::shelf::Shelf;
use super::text_screen::TextScreen;
use super::view::browser as view;
use crate::world::World;
use filter::Filter;
use intake::{Intake, Stage};
use item::Column;
use load::Found;
use preview::Preview;
use rows::{Arrangement, Key, Row, Stock, Totals, entry_words};

pub use keys::TABLE;
pub(super) use texts::{choice, on_disk, source};

/// The pane of the rows.
pub const LIST: PaneId = 0;
/// The pane that tells more of the row under the cursor.
pub const PREVIEW: PaneId = 1;

/// The browser.
pub struct Browser {
    /// What it looks into.
    pub shelf: Arc<Shelf>,
    /// What the rows are about.
    pub stock: Stock,
    /// How they are arranged.
    pub how: Arrangement,
    /// The rows to be seen: places in `all`.
    pub seen: Vec<usize>,
    /// All rows, with whether each is to be seen.
    pub all: Vec<(Row, bool)>,
    /// What is said of all rows.
    pub totals: Totals,
    /// Cursor and scroll over `seen`.
    pub list: List,
    /// What the lower pane shows.
    pub preview: Preview,
    /// How far reading has come.
    pub intake: Intake,
    /// The reader has moved or changed something.
    touched: bool,
    /// What cursor and scroll stand on.
    under: (Option<Key>, Option<Key>),
    /// What the cursor goes to once it is there.
    wanted: Option<Key>,
    /// Opened at once.
    at: Option<First>,
    /// The kind of screen that was opened from here last.
    above: Kind,
    /// Runs are being written: it looks again and again.
    watching: bool,
}

/// What is opened over a browser at once.
#[derive(Debug, Clone)]
pub enum First {
    /// A run, at a step.
    Run(open::Run, usize),
    /// An entry.
    Entry(Arc<World>),
    /// The domain of an entry.
    Domain(Arc<World>),
}

/// Between two looks at runs that are being written.
const PAUSE: Duration = Duration::from_millis(500);

/// All that a reader can have moved.
#[derive(Clone)]
struct Cursors {
    key: Option<Key>,
    how: Arrangement,
    list: List,
    preview: (Option<Key>, List),
}

impl Browser {
    /// A browser on a shelf: on runs, if only runs were named, else on entries.
    pub fn new(shelf: Arc<Shelf>) -> Browser {
        let how = Arrangement { by_entry: !shelf.only_runs(), ..Arrangement::default() };
        Browser {
            shelf,
            how,
            stock: Stock::default(),
            seen: Vec::new(),
            all: Vec::new(),
            totals: Totals::default(),
            list: List::default(),
            preview: Preview::default(),
            intake: Intake::new(),
            touched: false,
            under: (None, None),
            wanted: None,
            at: None,
            above: Kind::Trajectory,
            watching: false,
        }
    }

    /// The same with something opened over it.
    pub fn at(self, first: First) -> Browser {
        let wanted = match &first {
            First::Run(open::Run::Source(source), _) => Some(Key::Run(source.path.clone())),
            First::Entry(world) => Some(Key::Entry(world.problem.id.clone())),
            First::Run(open::Run::Made { .. }, _) | First::Domain(_) => None,
        };
        Browser { at: Some(first), wanted, ..self }
    }

    /// A list of the runs that pass a filter.
    pub fn showing(shelf: &Arc<Shelf>, filter: &str) -> Browser {
        let mut browser = Browser::new(shelf.clone());
        browser.how.by_entry = false;
        browser.how.filter = Filter::parse(filter).unwrap_or_default();
        browser
    }

    /// A list of runs that are being written.
    pub fn watching(shelf: Arc<Shelf>) -> Browser {
        let mut browser = Browser::new(shelf);
        browser.how.by_entry = false;
        browser.watching = true;
        browser
    }

    /// The row under the cursor.
    pub fn row(&self) -> Option<Row> {
        self.seen.get(self.list.cursor).map(|&at| self.all[at].0)
    }

    /// What the row under the cursor is about.
    pub fn key(&self) -> Option<Key> {
        self.row().map(|row| self.stock.key(row))
    }

    /// The rows to be seen.
    pub fn visible(&self) -> impl Iterator<Item = Row> + '_ {
        self.seen.iter().map(|&at| self.all[at].0)
    }

    fn take(&mut self, found: Found, ctx: &mut Ctx) {
        let stage = self.intake.take(&mut self.stock, found);
        if stage == Some(Stage::All) && self.watching {
            self.intake.look_again(&self.shelf, PAUSE, ctx);
        }
        match stage {
            None => return,
            Some(Stage::More) => {}
            // Sorted once, when everything is read: until then rows fill in where they stand.
            Some(Stage::Read) => _ = self.how.column.get_or_insert(Column::Worst),
            // Rows that somebody looks at stay where they are until the order is asked for.
            Some(Stage::All) if self.touched => {}
            Some(Stage::All) => self.stock.count_all(),
        }
        self.arrange();
    }

    /// Makes the rows anew; cursor and scroll stay on what they stood on.
    fn arrange(&mut self) {
        let (cursor, top) = std::mem::take(&mut self.under);
        // Until the reader moves it, the cursor is on the first row, whatever comes there.
        let (cursor, top) = if self.touched { (cursor, top) } else { (None, None) };
        self.all = self.stock.rows(&self.how);
        self.totals = Totals::of(&self.stock, &self.all);
        self.seen = (0..self.all.len()).filter(|&at| self.all[at].1).collect();
        let find = |key: &Key| self.visible().position(|row| self.stock.key(row) == *key);
        let wanted = self.wanted.as_ref().and_then(find);
        let (cursor, mut list) = (if wanted.is_some() { self.wanted.clone() } else { cursor }, self.list);
        list.follow(cursor.as_ref(), top.as_ref(), find);
        self.list = list;
        if wanted.is_some() {
            self.wanted = None;
            self.touched = true;
        }
        self.list.cursor = self.list.cursor.min(self.seen.len().saturating_sub(1));
        self.note();
    }

    /// Remembers what cursor and scroll stand on: the rows may change before they are asked again.
    fn note(&mut self) {
        let top = self.seen.get(self.list.top).map(|&at| self.stock.key(self.all[at].0));
        self.under = (self.key(), top);
    }
}

impl Screen for Browser {
    fn kind(&self) -> Kind {
        Kind::Browser
    }

    fn address(&self) -> String {
        match self.row() {
            Some(Row::Run(i)) => self.stock.items[i].source.path.display().to_string(),
            Some(Row::Entry(i)) => self.stock.entry(i).map(|world| world.problem.id.clone()).unwrap_or_default(),
            Some(Row::Faulty(i)) => self.stock.faulty[i].name.clone(),
            Some(Row::Unreadable(i)) => self.stock.unreadable[i].0.display().to_string(),
            Some(Row::Others) | None => self.shelf.label(),
        }
    }

    fn layout(&self, size: Size) -> Layout {
        let list: (&[PaneId], _) = (&[LIST], Extent::Share(1));
        let header = Layout::new(1);
        match Room::of(size) {
            Room::Tiny | Room::Narrow => header.band(Extent::Share(1), &[(&[LIST, PREVIEW], Extent::Share(1))]),
            _ => {
                let lines = (size.height * 2 / 5).clamp(8, 16);
                let preview: (&[PaneId], _) = (&[PREVIEW], Extent::Share(1));
                header.band(Extent::Share(1), &[list]).band(Extent::Cells(lines), &[preview])
            }
        }
    }

    fn title(&self, pane: PaneId) -> Title {
        if pane == PREVIEW { self.preview.title.clone() } else { view::title(self) }
    }

    fn draw_header(&self, canvas: &mut Canvas) {
        view::header(self, canvas);
    }

    fn draw(&self, pane: PaneId, canvas: &mut Canvas) {
        if pane == PREVIEW { self.preview.draw(canvas) } else { view::list(self, canvas) }
    }

    fn update(&mut self, input: Input, ctx: &mut Ctx) {
        self.touched |= matches!(input, Input::Run(_) | Input::Click { .. } | Input::Wheel { .. });
        match input {
            Input::Opened => match self.at.take() {
                // The list can wait: reading a large log twice at once takes twice the memory.
                Some(First::Run(run, step)) => {
                    self.above = Kind::Trajectory;
                    ctx.push(open::trajectory(&self.shelf, run, step));
                }
                Some(First::Entry(world)) => {
                    self.above = Kind::Entry;
                    ctx.push(open::entry(&self.shelf, &world, None));
                }
                Some(First::Domain(world)) => ctx.push(open::world(&self.shelf, &world, open::WorldPlace::default())),
                None => self.intake.begin(&self.shelf, ctx),
            },
            Input::Uncovered | Input::Arrived(_) if !self.intake.begun() => self.intake.begin(&self.shelf, ctx),
            Input::Run(call) => self.command(&call, ctx),
            Input::Report(payload) => match payload.downcast::<Found>() {
                Ok(found) => self.take(*found, ctx),
                Err(payload) => match payload.downcast::<Result<TextScreen, String>>().map(|read| *read) {
                    Ok(Ok(record)) => ctx.push(record),
                    Ok(Err(why)) => ctx.warn(why),
                    Err(_) => {}
                },
            },
            Input::Click { pane, y, second, .. } => self.click(pane, y, second, ctx),
            Input::Wheel { pane: PREVIEW, rows } => self.preview.wheel(rows),
            Input::Wheel { rows, .. } => self.list.wheel(rows, self.seen.len()),
            Input::Chosen(target) => self.chosen(&target, ctx),
            Input::Failed { job, .. } => drop(self.intake.give_up(job, &mut self.stock)),
            Input::Uncovered
            | Input::Arrived(_)
            | Input::SearchEnded
            | Input::Filtered
            | Input::Key(_)
            | Input::Paste(_)
            | Input::Answer { .. } => {}
        }
        self.note();
    }

    fn settle(&mut self, arranged: &Arranged) {
        let height = arranged.area(LIST).height;
        // Headings take a line where there is one to spare.
        let lines = height.saturating_sub(view::heading_lines(height));
        if height > 0 {
            self.list.settle(self.seen.len(), lines, |_| 1);
        }
        self.note();
        let row = self.row();
        self.preview.settle(&self.stock, row, arranged.area(PREVIEW));
    }

    fn place(&self) -> Place {
        let preview = self.preview.place();
        Place::new(Cursors { key: self.key(), how: self.how.clone(), list: self.list, preview })
    }

    fn restore(&mut self, place: &Place) {
        if let Some(Cursors { key, how, list, preview }) = place.get::<Cursors>() {
            self.how = how.clone();
            self.preview.restore(preview.clone());
            self.list = *list;
            self.under = (key.clone(), None);
            self.arrange();
        }
    }

    fn search(&self, pattern: &Pattern) -> Vec<Spot> {
        let words = |row: Row| match row {
            Row::Faulty(i) => self.stock.faulty[i].name.clone(),
            Row::Unreadable(i) => self.stock.unreadable[i].0.display().to_string(),
            Row::Entry(i) => self.stock.entry(i).map(|world| entry_words(world)).unwrap_or_default(),
            Row::Others => String::new(),
            Row::Run(i) => self.stock.items[i].words(),
        };
        let hits = self.all.iter().enumerate().filter(|(_, (row, _))| pattern.matches(&words(*row)));
        hits.map(|(row, _)| Spot { pane: LIST, row }).collect()
    }

    fn spot(&self) -> Spot {
        Spot { pane: LIST, row: self.seen.get(self.list.cursor).copied().unwrap_or(0) }
    }

    fn reveal(&mut self, spot: Spot) {
        self.go_to(spot.row);
    }

    fn filter(&self) -> &str {
        &self.how.filter.text
    }

    fn set_filter(&mut self, filter: &str) -> Result<(), String> {
        self.how.filter = Filter::parse(filter)?;
        self.arrange();
        Ok(())
    }

    fn peel(&mut self) -> bool {
        if self.how.lens.take().is_some() {
            self.arrange();
            return true;
        }
        self.preview.peel()
    }

    fn sibling(&mut self, steps: i64, ctx: &mut Ctx) -> bool {
        let found = self.open_sibling(steps, ctx);
        self.note();
        found
    }

    fn arguments(&self, _call: &super::dispatch::Call) -> Vec<String> {
        Column::ALL.iter().map(|(_, name, _)| (*name).to_owned()).collect()
    }
}
