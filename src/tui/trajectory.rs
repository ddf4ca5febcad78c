//! The trajectory of a run: steps, the call, the state, and the timeline (screens.md §4).
//!
//! The step list is the screen's main list. The call pane tells what stands under its cursor, the state
//! pane what is true after it. Both are pages of rows ([`page`]), built when something changed and only
//! drawn in between. The log is read on another thread; indexing and execution go on in portions of a
//! few milliseconds between the keys ([`loaded`]), so that a log of any size opens at once.
//!
//! What a pane asks again and again (since when a fact holds, what is worst in a column of the timeline)
//! is computed once per change: [`history`], [`items`], [`timeline`].

mod call;
mod card;
mod checks;
mod commands;
mod ends;
mod header;
mod history;
mod hunt;
mod items;
mod loaded;
mod page;
mod search;
mod state;
mod steps;
mod table;
mod timeline;
mod words;

pub use table::TABLE;

use std::collections::HashSet;
use std::sync::Arc;

use ratatui::layout::Size;

use self::items::{Item, Items, Rows, Shape};
use self::loaded::Loaded;
use self::page::Row;
use self::steps::Steps;
use self::timeline::Timeline;
use super::canvas::Canvas;
use super::job::JobId;
use super::layout::{Arranged, Extent, Layout, PaneId, Room};
use super::list::List;
use super::open::Run;
use super::pattern::Pattern;
use super::screen::{Ctx, Input, Kind, Place, Screen, Spot, Title};
use super::shelf::Shelf;
use super::theme::Role;
use crate::run::{More, RowId, Tail};
use crate::world::FactId;

/// The list of steps.
const STEPS: PaneId = 0;
/// What stands under the cursor of the list.
const CALL: PaneId = 1;
/// The state after it.
const STATE: PaneId = 2;
/// The timeline.
const TIME: PaneId = 3;

/// Bytes of a growing log that are taken in at a time.
const GROWTH: u64 = 1 << 20;
/// How often a growing log is looked at.
const LOOK: std::time::Duration = std::time::Duration::from_millis(200);

/// Something that folds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fold {
    /// A message or reasoning.
    Message(RowId),
    /// The conditions that hold.
    Holding,
    /// The tool's definition.
    Definition,
    /// The goal.
    Goal,
    /// Values produced.
    Produced,
    /// Values given.
    Given,
    /// All facts.
    Facts,
    /// The objects that the agent was told of.
    Objects,
    /// The tools that the agent was offered.
    Tools,
}

/// What the reader opened or folded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folds(HashSet<Fold>);

impl Folds {
    /// Whether it is open now.
    pub fn is_open(&self, fold: Fold) -> bool {
        matches!(fold, Fold::Goal | Fold::Produced) != self.0.contains(&fold)
    }

    /// Opens or folds it.
    pub fn set(&mut self, fold: Fold, open: bool) {
        if self.is_open(fold) != open && !self.0.remove(&fold) {
            self.0.insert(fold);
        }
    }
}

/// All that the reader moves.
#[derive(Debug, Clone)]
struct Cursors {
    item: Item,
    steps: List,
    call: List,
    state: List,
    folds: Folds,
    baseline: Option<usize>,
    rows: Rows,
}

/// What the pages were built for: they are built again when it differs.
#[derive(Debug, Clone, PartialEq)]
struct Built {
    item: Item,
    folds: Folds,
    baseline: Option<usize>,
    known: usize,
    lines: usize,
    finished: bool,
    alone: bool,
}

/// The run as far as it is here.
enum Reading {
    Waiting,
    Failed(String),
    Here(Box<Loaded>),
}

/// A portion of the log is due.
struct Tick;

/// What a followed log has grown by, or why it can no longer be read.
struct Grown(Result<More, String>);

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
    built: Option<Built>,
    timeline: Timeline,
    hunted: Option<FactId>,
    following: Option<JobId>,
    size: Size,
}

impl Trajectory {
    /// A run, opened at a step; 0 is the start.
    pub fn new(shelf: &Arc<Shelf>, run: Run, step: usize) -> Trajectory {
        let (steps, call, state) = (List::default(), List::default(), List::default());
        let (folds, baseline, rows) = (Folds::default(), None, Rows::default());
        Trajectory {
            shelf: shelf.clone(),
            run,
            reading: Reading::Waiting,
            place: None,
            wanted: (step > 0).then_some(step),
            cursors: Cursors { item: Item::START, steps, call, state, folds, baseline, rows },
            items: Items::default(),
            call: Vec::new(),
            state: Vec::new(),
            built: None,
            timeline: Timeline::default(),
            hunted: None,
            following: None,
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

    fn read(&mut self, ctx: &mut Ctx) {
        let (run, shelf) = (self.run.clone(), self.shelf.clone());
        ctx.spawn(move |_| Loaded::read(&run, &shelf).map_err(|error| error.to_string()));
    }

    /// Takes in what a job found.
    fn report(&mut self, payload: super::job::Payload, ctx: &mut Ctx) {
        let payload = match payload.downcast::<Result<Loaded, String>>() {
            Ok(read) => {
                self.built = None;
                self.items = Items::default();
                self.timeline = Timeline::default();
                self.reading = match *read {
                    Ok(run) => Reading::Here(Box::new(run)),
                    Err(why) => Reading::Failed(format!("{} cannot be read: {why}", self.run.name())),
                };
                return self.portion(ctx);
            }
            Err(payload) => payload,
        };
        match payload.downcast::<Grown>() {
            Ok(grown) => self.grown(*grown, ctx),
            Err(payload) if payload.is::<Tick>() => self.portion(ctx),
            Err(_) => {}
        }
    }

    fn portion(&mut self, ctx: &mut Ctx) {
        let following = self.following.is_some();
        let Reading::Here(run) = &mut self.reading else { return };
        if !run.portion(!following) {
            ctx.spawn(|_| Tick);
        }
        let (steps, read) = (run.steps(), run.log.finished());
        let at_end = self.cursors.steps.cursor + 1 >= self.items.len();
        self.items.refresh(run, self.cursors.rows);
        if let Some(step) = self.wanted.filter(|&step| step <= steps || read) {
            self.wanted = None;
            let item = Item::of_step(run, step.min(steps));
            self.select(item);
        } else if following && at_end {
            // Follow mode holds the end as long as the reader is there.
            self.select(self.items.get(self.items.len().saturating_sub(1)));
        }
    }

    fn grown(&mut self, Grown(more): Grown, ctx: &mut Ctx) {
        match (more, &mut self.reading) {
            (Ok(More::Bytes(bytes)), Reading::Here(run)) => {
                run.append(&bytes);
                self.built = None;
                self.portion(ctx);
            }
            (Ok(More::StartOver), _) => {
                ctx.say("the log was written anew: read again");
                self.read(ctx);
            }
            (Err(why), _) => ctx.warn(format!("not followed any longer: {why}")),
            _ => {}
        }
    }

    /// Watches the file until it is told to stop.
    fn follow(&mut self, ctx: &mut Ctx) {
        if let Some(job) = self.following.take() {
            ctx.cancel(job);
            return ctx.say("no longer following");
        }
        let (Some(path), Some(run)) = (self.run.path(), self.loaded()) else {
            return ctx.warn("no file stands behind this run, so it does not grow");
        };
        let mut tail = Tail::new(path, run.log.len() as u64);
        self.following = Some(ctx.spawn(move |handle| {
            while !handle.cancelled() {
                match tail.more(GROWTH) {
                    Ok(More::Bytes(bytes)) if bytes.is_empty() => std::thread::sleep(LOOK),
                    Ok(more) => handle.report(Grown(Ok(more))),
                    Err(error) => return Grown(Err(error.to_string())),
                }
            }
            Grown(Ok(More::Bytes(Vec::new())))
        }));
        self.select(self.items.get(self.items.len().saturating_sub(1)));
        ctx.say("following: what is appended to the log appears here");
    }

    /// Builds the pages again where what they show has changed.
    fn build(&mut self) {
        let Reading::Here(run) = &self.reading else { return };
        let cursors = &mut self.cursors;
        let alone = Room::of(self.size) < Room::Wide;
        let wanted = Built {
            item: cursors.item,
            folds: cursors.folds.clone(),
            baseline: cursors.baseline,
            known: run.kinds.len(),
            lines: run.log.rows().len(),
            finished: run.log.finished(),
            alone,
        };
        if self.built.as_ref() == Some(&wanted) {
            return;
        }
        let moved = self.built.as_ref().map(|built| built.item) != Some(cursors.item);
        let step = cursors.item.step(run);
        let call = match cursors.item.shape(run) {
            Shape::Call(step) => call::page(run, step, &cursors.folds, alone),
            _ => ends::page(run, cursors.item, &cursors.folds),
        };
        if moved {
            let matters = call.iter().position(|row| row.matters).unwrap_or(0);
            cursors.call = List { cursor: matters, top: 0, ..cursors.call };
        } else {
            page::follow(&self.call, &call, &mut cursors.call);
        }
        let base = cursors.baseline.unwrap_or(step.saturating_sub(1)).min(run.steps());
        let state = state::page(run, step, base, &cursors.folds);
        page::follow(&self.state, &state, &mut cursors.state);
        (self.call, self.state) = (call, state);
        self.built = Some(wanted);
    }

    fn steps_view<'a>(&'a self, run: &'a Loaded, size: Size) -> Steps<'a> {
        let (folds, items) = (&self.cursors.folds, &self.items);
        Steps { run, items, folds, width: size.width, lines: size.height }
    }

    fn page(&self, pane: PaneId) -> (&[Row], &List) {
        if pane == STATE { (&self.state, &self.cursors.state) } else { (&self.call, &self.cursors.call) }
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
        let steps = match size.width {
            160.. => 52,
            _ => 38,
        };
        match Room::of(size) {
            Room::Wide => {
                let time = if size.height >= 28 { 5 } else { 4 };
                let columns: [(&[PaneId], Extent); 3] =
                    [(&[STEPS], Cells(steps)), (&[CALL], Share(3)), (&[STATE], Share(2))];
                Layout::new(2).band(Share(1), &columns).band(Cells(time), &[(&[TIME], Share(1))]).still(TIME)
            }
            Room::Medium => Layout::new(1)
                .band(Share(1), &[(&[STEPS], Cells(31)), (&[CALL, STATE], Share(1))])
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
                let word = self.cursors.rows.word();
                let goal = run.replay.as_ref().and_then(|replay| replay.goal_after(0)).map_or("", |_| "goal");
                let gap = if word.is_empty() || goal.is_empty() { "" } else { "  " };
                Title::new(format!("Steps {}", run.steps())).right(format!("{word}{gap}{goal}"))
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
                    (Some(base), _) => Title::new(name).right(format!("against {base}, b takes it off")),
                    (None, 0) => Title::new(name),
                    (None, _) => Title::new(name).right(format!("since {}", step - 1)),
                }
            }
            _ => match run.replay.as_ref().and_then(|replay| replay.goal_after(0)) {
                Some(_) => Title::new("Goal literals held"),
                None => Title::new("Run"),
            },
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
            TIME => self.timeline.draw(run, self.step(), canvas),
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
            Input::Run(call) => self.command(&call, ctx),
            Input::Click { pane, x, y, second } => self.click(pane, (x, y), second, ctx),
            Input::Wheel { pane, rows } => self.wheel(pane, rows),
            Input::Report(payload) => self.report(payload, ctx),
            Input::Failed(why) => {
                self.following = None;
                if matches!(self.reading, Reading::Waiting) {
                    self.reading = Reading::Failed(why);
                }
            }
            Input::Chosen(target) => {
                if let Some(step) = target.strip_prefix("step:").and_then(|step| step.parse().ok()) {
                    self.jump(step, ctx);
                }
            }
            Input::Key(_) | Input::Paste(_) | Input::Answer { .. } => {}
        }
    }

    fn settle(&mut self, arranged: &Arranged) {
        self.size = arranged.size;
        let Reading::Here(run) = &self.reading else { return };
        let before = self.cursors.steps;
        self.items.refresh(run, self.cursors.rows);
        if !self.items.holds(self.cursors.item) {
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
        let (call, state) = (arranged.area(CALL), arranged.area(STATE));
        page::settle(&self.call, &mut self.cursors.call, call.width, call.height);
        page::settle(&self.state, &mut self.cursors.state, state.width, state.height);
        if let Some(time) = arranged.find(TIME) {
            self.timeline.settle(run, time.area.width);
        }
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

    fn search(&self, pattern: &Pattern) -> Vec<Spot> {
        self.loaded().map_or_else(Vec::new, |run| search::hits(run, pattern))
    }

    fn spot(&self) -> Spot {
        search::spot(self.cursors.item)
    }

    fn reveal(&mut self, spot: Spot) {
        self.show_hit(spot);
    }

    fn peel(&mut self) -> bool {
        self.cursors.baseline.take().is_some()
    }
}
