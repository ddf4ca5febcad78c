//! The trajectory of a run: steps, the call, the state, and the timeline (screens.md §4).
//!
//! The step list is the screen's main list. The call pane tells what stands under its cursor, the state
//! pane what is true after it. Both are pages of rows ([`page`]), built when something changed and only
//! drawn in between. The log is read on another thread; indexing and execution go on in portions of a
//! few milliseconds between the keys ([`loaded`]), so that a log of any size opens at once.
//!
//! What a pane asks again and again (since when a fact holds, what is worst in a column of the timeline)
//! is computed once per change: [`history`], [`items`], [`timeline`].

mod appraisal;
mod beginnings;
mod build;
mod call;
mod card;
mod checks;
mod commands;
mod ends;
mod filter;
mod folds;
mod header;
mod history;
mod hunt;
mod items;
mod loaded;
mod onward;
mod page;
mod reading;
mod search;
mod state;
mod steps;
mod table;
mod timeline;
mod verdict;
mod words;

pub use table::TABLE;

use std::collections::VecDeque;
use std::sync::Arc;

use ratatui::layout::Size;

use self::build::Built;
use self::filter::Filter;
use self::folds::{Fold, Folds};
use self::items::{Item, Items, Rows, Shape};
use self::loaded::{Loaded, Source};
use self::onward::Onward;
use self::page::Row;
use self::reading::Owed;
use self::steps::Steps;
use self::timeline::Timeline;
use super::canvas::Canvas;
use super::cells;
use super::dispatch::Call;
use super::job::JobId;
use super::layout::{Arranged, Extent, Layout, PaneId, Room};
use super::list::List;
use super::open::Run;
use super::pattern::Pattern;
use super::screen::{Ctx, Input, Kind, LongSearch, Place, Reach, Screen, Spot, Title};
use super::shelf::Shelf;
use super::theme::Role;
use crate::world::FactId;

/// The list of steps.
const STEPS: PaneId = 0;
/// What stands under the cursor of the list.
const CALL: PaneId = 1;
/// The state after it.
const STATE: PaneId = 2;
/// The timeline.
const TIME: PaneId = 3;
/// What is said around the call, in wide windows.
const SAID: PaneId = 4;
/// The way on from here, beside the timeline.
const ONWARD: PaneId = 5;

/// Columns of the title that a filter has.
const FILTER: usize = 14;

/// Columns from which what is said has a pane of its own.
const WIDE: u16 = 160;

/// All that the reader moves.
#[derive(Debug, Clone)]
struct Cursors {
    item: Item,
    steps: List,
    call: List,
    state: List,
    said: List,
    folds: Folds,
    baseline: Option<usize>,
    rows: Rows,
    filter: Arc<Filter>,
}

/// The run as far as it is here.
enum Reading {
    Waiting,
    Failed(String),
    /// A search holds it too while it looks.
    Here(Arc<Loaded>),
}

/// The screen.
pub struct Trajectory {
    shelf: Arc<Shelf>,
    run: Run,
    reading: Reading,
    /// The run's place in the list that it came from, and how many there are.
    place: Option<(usize, usize)>,
    /// The step to go to as soon as it is read.
    wanted: Option<usize>,
    cursors: Cursors,
    items: Items,
    call: Vec<Row>,
    state: Vec<Row>,
    said: Vec<Row>,
    built: Option<Built>,
    timeline: Timeline,
    hunted: Option<FactId>,
    /// What the pages are to show next, as far as they have it.
    sought: Option<Pattern>,
    /// Where the reader stood before the filter was typed.
    filtered_at: Option<Item>,
    /// Who reads the log from its beginning, or read it last.
    reader: Option<JobId>,
    following: Option<JobId>,
    source: Source,
    /// Counts the readings from the beginning: what an older one still reports is passed over.
    reading_now: u32,
    /// Which of them is shown.
    shown: u32,
    /// A portion of work is on its way.
    ticking: bool,
    /// A stretch of the run is being judged.
    judging: Option<JobId>,
    /// The way on from the step under the cursor.
    onward: Onward,
    /// What came while a search held the run.
    owed: VecDeque<Owed>,
    /// It is read anew, and says so in the end.
    again: bool,
    /// Follow again, once the log is read anew.
    refollow: bool,
    /// Commands given before the run was here.
    early: Vec<Call>,
    size: Size,
}

impl Trajectory {
    /// A run, opened at a step; 0 is the start.
    pub fn new(shelf: &Arc<Shelf>, run: Run, step: usize) -> Trajectory {
        let [steps, call, state, said] = [List::default(); 4];
        let (folds, baseline, rows, filter) = (Folds::default(), None, Rows::default(), Arc::default());
        Trajectory {
            shelf: shelf.clone(),
            run,
            reading: Reading::Waiting,
            place: None,
            wanted: (step > 0).then_some(step),
            cursors: Cursors { item: Item::START, steps, call, state, said, folds, baseline, rows, filter },
            items: Items::default(),
            call: Vec::new(),
            state: Vec::new(),
            said: Vec::new(),
            built: None,
            timeline: Timeline::default(),
            hunted: None,
            sought: None,
            filtered_at: None,
            reader: None,
            following: None,
            source: Source::Coming,
            reading_now: 0,
            shown: 0,
            ticking: false,
            judging: None,
            onward: Onward::default(),
            owed: VecDeque::new(),
            again: false,
            refollow: false,
            early: Vec::new(),
            size: Size::default(),
        }
    }

    /// Says where in a list of runs it stands: `12 of 40`.
    pub fn among(self, at: usize, of: usize) -> Trajectory {
        Trajectory { place: Some((at, of)), ..self }
    }

    fn loaded(&self) -> Option<&Loaded> {
        match &self.reading {
            Reading::Here(run) => Some(run),
            _ => None,
        }
    }

    /// The step that the reader is at.
    fn step(&self) -> usize {
        self.loaded().map_or(0, |run| self.cursors.item.step(run))
    }

    /// Puts the cursor of the list on an item.
    fn select(&mut self, item: Item) {
        self.cursors.item = item;
        self.cursors.steps.cursor = self.items.find(item);
    }

    /// Whether there are plans to hold the run against.
    fn plans(&self) -> bool {
        self.loaded().is_some_and(|run| run.appraisal.is_some())
    }

    fn steps_view<'a>(&'a self, run: &'a Loaded, size: Size) -> Steps<'a> {
        let (folds, items) = (&self.cursors.folds, &self.items);
        Steps { run, items, folds, width: size.width, lines: size.height }
    }

    fn page(&self, pane: PaneId) -> (&[Row], &List) {
        match pane {
            STATE => (&self.state, &self.cursors.state),
            SAID => (&self.said, &self.cursors.said),
            _ => (&self.call, &self.cursors.call),
        }
    }

    fn page_list(&mut self, pane: PaneId) -> &mut List {
        match pane {
            STATE => &mut self.cursors.state,
            SAID => &mut self.cursors.said,
            _ => &mut self.cursors.call,
        }
    }
}

impl Screen for Trajectory {
    fn kind(&self) -> Kind {
        Kind::Trajectory
    }

    fn address(&self) -> String {
        format!("{}#{}", self.run.name(), self.wanted.unwrap_or_else(|| self.step()))
    }

    fn layout(&self, size: Size) -> Layout {
        use Extent::{Cells, Share};
        match Room::of(size) {
            Room::Wide => {
                let time = match size.height {
                    0..28 => 4,
                    28..45 => 5,
                    _ => 6,
                };
                let steps: (&[PaneId], _) = (&[STEPS], Cells(if size.width >= WIDE { 46 } else { 38 }));
                let (said, call, state) = ((&[SAID][..], Share(3)), (&[CALL][..], Share(4)), (&[STATE][..], Share(3)));
                let columns = match size.width {
                    WIDE.. => vec![steps, said, call, state],
                    _ => vec![steps, (call.0, Share(4)), (state.0, Share(3))],
                };
                let below: &[(&[PaneId], Extent)] = match self.plans() {
                    true => &[(&[TIME], Share(1)), (&[ONWARD], Share(1))],
                    false => &[(&[TIME], Share(1))],
                };
                Layout::new(2).band(Share(1), &columns).band(Cells(time), below).still(TIME).still(ONWARD)
            }
            Room::Medium => Layout::new(1)
                .band(Share(1), &[(&[STEPS], Cells(32)), (&[CALL, STATE], Share(1))])
                .band(Cells(3), &[(&[TIME], Share(1))])
                .still(TIME),
            Room::Narrow | Room::Tiny => {
                let layout = Layout::new(1).band(Share(1), &[(&[STEPS, CALL, STATE], Share(1))]);
                if size.height < 12 { layout } else { layout.band(Cells(2), &[(&[TIME], Share(1))]).still(TIME) }
            }
        }
    }

    fn title(&self, pane: PaneId) -> Title {
        let Some(run) = self.loaded() else { return Title::default() };
        let step = self.step();
        match pane {
            STEPS => {
                let filter = &self.cursors.filter;
                let word = match (filter.is_empty(), self.cursors.rows.word()) {
                    (true, word) => word.into(),
                    (false, _) => cells::clip(&filter.text, FILTER, false),
                };
                let name = match filter.is_empty() {
                    true => format!("Steps {}", run.steps()),
                    false => format!("Steps {} of {}", self.items.calls(), run.steps()),
                };
                let last = if self.plans() { "dist" } else { "" };
                let gap = if word.is_empty() || last.is_empty() { "" } else { "  " };
                Title::new(name).right(format!("{word}{gap}{last}"))
            }
            CALL => match self.cursors.item.shape(run) {
                Shape::Call(step) if Room::of(self.size) >= Room::Wide => {
                    let call = run.log.call_of(step).and_then(|row| run.log.call(row));
                    let tool = call.and_then(|call| call.tool_name().map(std::borrow::Cow::into_owned));
                    Title::new(format!("{step} · {}", tool.unwrap_or_default()))
                }
                _ => Title::new(ends::title(run, self.cursors.item)),
            },
            STATE => {
                let name =
                    if Room::of(self.size) >= Room::Wide { format!("State after {step}") } else { "State".into() };
                match (self.cursors.baseline, step) {
                    (Some(base), _) => Title::new(name).right(format!("against {base}")),
                    (None, 0) => Title::new(name),
                    (None, _) => Title::new(name).right(format!("since {}", step - 1)),
                }
            }
            SAID => Title::new("Said"),
            ONWARD => Title::new(self.onward_title()),
            _ if self.plans() && Room::of(self.size) < Room::Wide => {
                Title::new("Distance").right(self.onward_line(run))
            }
            _ if self.plans() => Title::new("Distance to goal"),
            _ => Title::new("Run"),
        }
    }

    fn draw_header(&self, canvas: &mut Canvas) {
        match &self.reading {
            Reading::Waiting => header::waiting(self.run.name(), "reading…", canvas),
            Reading::Failed(why) => header::waiting(self.run.name(), why, canvas),
            Reading::Here(run) => {
                header::Header { run, step: self.step(), file: self.run.name(), place: self.place }.draw(canvas);
            }
        }
    }

    fn draw(&self, pane: PaneId, canvas: &mut Canvas) {
        let Some(run) = self.loaded() else {
            if let Reading::Failed(why) = &self.reading {
                canvas.line(1, 0, canvas.theme.span(Role::Warn, why.clone()));
            }
            return;
        };
        let size = Size::new(canvas.width(), canvas.height());
        match pane {
            _ if Room::of(self.size) == Room::Tiny => {
                self.steps_view(run, size).row(self.cursors.item, 0, size.height, canvas);
            }
            STEPS => self.steps_view(run, size).draw(&self.cursors.steps, canvas),
            TIME => {
                self.timeline.draw(run, self.step(), canvas);
                self.timeline.dim(canvas, self.step(), |steps| self.items.leaves_out(run, steps));
            }
            ONWARD => {
                let rows = self.onward_rows(run, usize::from(size.height));
                page::draw(&rows, &List { cursor: usize::MAX, ..List::default() }, canvas);
            }
            _ => {
                let (rows, list) = self.page(pane);
                page::draw(rows, list, canvas);
            }
        }
    }

    fn update(&mut self, input: Input, ctx: &mut Ctx) {
        match input {
            Input::Opened => self.read(ctx),
            Input::Arrived(address) => {
                let step = address.rsplit_once('#').and_then(|(_, step)| step.parse().ok());
                if let Some(step) = step {
                    self.jump(step, ctx);
                }
            }
            Input::Run(call) if self.too_early() => self.early.push(call),
            Input::Run(call) => {
                self.filtered_at = None;
                self.command(&call, ctx);
            }
            Input::Filtered => self.go_on_filtering(ctx),
            Input::Click { pane, x, y, second } => self.click(pane, (x, y), second, ctx),
            Input::Wheel { pane, rows } => self.wheel(pane, rows),
            Input::Report(payload) => self.report(payload, ctx),
            Input::SearchEnded => self.take_in(ctx),
            Input::Failed { job, why } => self.failed(job, why, ctx),
            Input::Chosen(target) => {
                if let Some(step) = target.strip_prefix("step:").and_then(|step| step.parse().ok()) {
                    self.jump(step, ctx);
                }
            }
            Input::Uncovered | Input::Key(_) | Input::Paste(_) | Input::Answer { .. } => {}
        }
    }

    fn settled(&mut self, ctx: &mut Ctx) {
        self.judge(ctx);
        self.look_onward(ctx);
    }

    fn settle(&mut self, arranged: &Arranged) {
        self.size = arranged.size;
        let Reading::Here(run) = &self.reading else { return };
        let before = self.cursors.steps;
        self.items.refresh(run, self.cursors.rows, &self.cursors.filter);
        if !self.items.holds(self.cursors.item) && self.items.reached(self.cursors.item) {
            self.cursors.item = self.items.get(self.items.find(self.cursors.item));
        }
        let row = self.items.find(self.cursors.item);
        if row != before.cursor {
            // The list is another one: the row stays where it was on the screen.
            let above = before.cursor.saturating_sub(before.top);
            self.cursors.steps = List { cursor: row, top: row.saturating_sub(above), ..before };
        }
        self.build();
        let Reading::Here(run) = &self.reading else { return };
        let area = arranged.area(STEPS);
        let mut list = self.cursors.steps;
        let view = self.steps_view(run, area.as_size());
        list.settle(self.items.len(), area.height, |row| view.height(row));
        self.cursors.steps = list;
        let cursors = &mut self.cursors;
        let pages = [
            (CALL, &self.call, &mut cursors.call),
            (STATE, &self.state, &mut cursors.state),
            (SAID, &self.said, &mut cursors.said),
        ];
        for (pane, rows, list) in pages {
            let area = arranged.area(pane);
            page::settle(rows, list, area.width, area.height);
        }
        if let Some(time) = arranged.find(TIME) {
            self.timeline.settle(run, time.area.width);
        }
        self.follow_agent();
    }

    fn place(&self) -> Place {
        Place::new(self.cursors.clone())
    }

    fn restore(&mut self, place: &Place) {
        if let Some(cursors) = place.get::<Cursors>() {
            self.cursors = cursors.clone();
            // The pages are built for the place itself: nothing is moved on the way.
            self.rebuild_in_place();
        }
    }

    fn long_search(&self, pattern: &Pattern, from: Spot, seen: Option<Reach>) -> Option<LongSearch> {
        let Reading::Here(run) = &self.reading else { return None };
        search::begin(run, self.shown, pattern, from, seen)
    }

    fn spot(&self) -> Spot {
        search::spot(self.cursors.item)
    }

    fn sought(&mut self, pattern: &Pattern) {
        self.sought = Some(pattern.clone());
    }

    fn reveal(&mut self, spot: Spot) {
        self.show_hit(spot);
    }

    fn filter(&self) -> &str {
        &self.cursors.filter.text
    }

    fn set_filter(&mut self, filter: &str) -> Result<(), String> {
        self.cursors.filter = Arc::new(Filter::parse(filter)?);
        self.cursors.item = *self.filtered_at.get_or_insert(self.cursors.item);
        Ok(())
    }

    fn peel(&mut self) -> bool {
        self.cursors.baseline.take().is_some()
    }
}
