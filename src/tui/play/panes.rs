//! Story and side as lists: cursors, folds, motions, search.

use ratatui::layout::Size;

use super::rows::{Row, Target};
use super::seen::Seen;
use super::session::Session;
use super::side::{self, Heading};
use super::story::{self, Told};
use super::{KNOWN, STORY};
use crate::exec::Json;
use crate::tui::command::{Cmd, Hunt};
use crate::tui::dispatch::Call;
use crate::tui::layout::{Arranged, PaneId};
use crate::tui::list::List;
use crate::tui::pattern::Pattern;
use crate::tui::screen::{Ctx, Spot};
use crate::tui::sign::Sign;
use crate::tui::theme::Role;

/// The two panes.
#[derive(Debug, Clone)]
pub struct Panes {
    /// The story, a row a line.
    pub story: Vec<Row>,
    /// The side with its headings, folded rows too.
    pub side: Vec<Row>,
    /// The rows of `side` to be seen.
    pub visible: Vec<usize>,
    /// The place in the story.
    pub at: List,
    /// The place among the visible rows of the side.
    pub beside: List,
    /// The session has changed since the rows were made.
    pub stale: bool,
    /// The story is to be shown from its last event.
    pub to_end: bool,
    headings: Vec<(usize, Heading)>,
    folded: Vec<Heading>,
    /// Of the story's rows and of the side's.
    sizes: (Size, u16),
    spot: PaneId,
}

/// What a reader can have moved.
#[derive(Debug, Clone)]
pub struct Kept {
    at: List,
    beside: List,
    folded: Vec<Heading>,
}

impl Panes {
    /// Nothing moved yet.
    pub fn new(seen: &Seen) -> Panes {
        Panes {
            story: Vec::new(),
            side: Vec::new(),
            visible: Vec::new(),
            at: List::default(),
            beside: List::default(),
            stale: true,
            to_end: false,
            headings: Vec::new(),
            folded: side::folded(seen),
            sizes: (Size::ZERO, 0),
            spot: STORY,
        }
    }

    /// Makes the rows anew where something changed, and fits the lists.
    pub fn settle(&mut self, told: Told, arranged: &Arranged) {
        let (story, side) = (arranged.area(STORY), arranged.area(KNOWN));
        // One column is the cursor's, and the last stays free.
        let width = |new: u16, old: u16| if new == 0 { old } else { new.saturating_sub(2) };
        let height = if story.height == 0 { self.sizes.0.height } else { story.height };
        let sizes = (Size::new(width(story.width, self.sizes.0.width), height), width(side.width, self.sizes.1));
        if self.stale || sizes != self.sizes {
            self.build(told, sizes);
        }
        let tall = |row: usize| self.side[self.visible[row]].height();
        let mut beside = self.beside;
        beside.settle(self.visible.len(), side.height, tall);
        self.beside = beside;
        self.at.settle(self.story.len(), story.height, |_| 1);
    }

    fn build(&mut self, told: Told, sizes: (Size, u16)) {
        let target = self.story.get(self.at.cursor).map(|row| row.target);
        let below = self.at.cursor.saturating_sub(self.at.top);
        self.story = story::rows(told, sizes.0);
        if std::mem::take(&mut self.to_end) {
            let end = self.story.iter().position(|row| row.sign == Some(Sign::End));
            self.at.cursor = end.unwrap_or(self.story.len().saturating_sub(1));
            self.at.top = end.unwrap_or(self.at.top);
        } else if sizes.0 != self.sizes.0 {
            let row = target.and_then(|target| self.story.iter().position(|row| row.target == target));
            self.at.cursor = row.unwrap_or(self.at.cursor);
            self.at.top = self.at.cursor.saturating_sub(below);
        }
        self.side.clear();
        self.headings.clear();
        for section in side::sections(told.session, sizes.1) {
            self.headings.push((self.side.len(), section.heading));
            let indent = if section.heading.under().is_some() { 4 } else { 2 };
            self.side.push(Row { folded: Some(false), indent, ..Row::new(Role::Title, section.title) });
            self.side.extend(section.rows);
        }
        self.sizes = sizes;
        self.stale = false;
        self.fit();
    }

    /// What is visible after folding.
    fn fit(&mut self) {
        let row = self.visible.get(self.beside.cursor).copied();
        self.visible.clear();
        for (i, &(start, heading)) in self.headings.iter().enumerate() {
            let end = self.headings.get(i + 1).map_or(self.side.len(), |next| next.0);
            let folded = self.folded.contains(&heading);
            self.side[start].folded = Some(folded);
            if heading.under().is_some_and(|above| self.folded.contains(&above)) {
                continue;
            }
            self.visible.extend(start..if folded { start + 1 } else { end });
        }
        if let Some(row) = row {
            self.beside.cursor = self.visible.partition_point(|&r| r <= row).saturating_sub(1);
        }
    }

    /// The row under the cursor of a pane.
    pub fn row(&self, pane: PaneId) -> Option<&Row> {
        match pane {
            KNOWN => self.visible.get(self.beside.cursor).map(|&row| &self.side[row]),
            _ => self.story.get(self.at.cursor),
        }
    }

    /// The step under the cursor; 0 is the start.
    pub fn step(&self, session: &Session, pane: PaneId) -> usize {
        match self.row(pane).map(|row| row.target) {
            Some(Target::Step(step)) => step,
            _ => session.seen.calls as usize,
        }
    }

    /// The call under the cursor, as it was sent.
    pub fn called(&self, session: &Session, pane: PaneId) -> Option<(Json, Json)> {
        let Some(Target::Step(step)) = self.row(pane).map(|row| row.target) else { return None };
        let called = session.seen.called().find(|called| called.step == step)?;
        Some(called.json.clone())
    }

    /// Goes to the first row of a step.
    pub fn go_step(&mut self, step: usize, _session: &Session) {
        if let Some(row) = self.story.iter().position(|row| row.target == Target::Step(step)) {
            self.at.cursor = row;
        }
    }

    /// Motions, folds and hunts.
    pub fn command(&mut self, call: &Call, session: &Session, ctx: &mut Ctx) {
        self.spot = ctx.panes.focus;
        let times = call.times();
        match call.cmd {
            Cmd::MainNext => self.hunt(true, times, session, |_| true, "no call after this", ctx),
            Cmd::MainPrev => self.hunt(false, times, session, |_| true, "no call before this", ctx),
            Cmd::NextFinding | Cmd::Next(Hunt::Refusal) => {
                self.hunt(true, times, session, |fired| !fired, "no refusal after this", ctx);
            }
            Cmd::PrevFinding | Cmd::Prev(Hunt::Refusal) => {
                self.hunt(false, times, session, |fired| !fired, "no refusal before this", ctx);
            }
            Cmd::Left | Cmd::Right | Cmd::Fold if ctx.panes.focus != KNOWN => ctx.warn("nothing folds here"),
            Cmd::Left => self.fold(Some(true)),
            Cmd::Right => self.fold(Some(false)),
            Cmd::Fold => self.fold(None),
            _ if ctx.panes.focus == KNOWN => {
                self.beside.motion(call, self.visible.len());
            }
            _ => {
                self.at.motion(call, self.story.len());
            }
        }
    }

    fn hunt(
        &mut self,
        forward: bool,
        times: usize,
        session: &Session,
        wanted: impl Fn(bool) -> bool,
        none: &str,
        ctx: &mut Ctx,
    ) {
        let here = match self.story.get(self.at.cursor).map(|row| row.target) {
            Some(Target::Step(step)) => step,
            _ => 0,
        };
        let calls = session.seen.called().filter(|called| wanted(called.fired)).map(|called| called.step);
        let mut steps: Vec<usize> = calls.filter(|&step| if forward { step > here } else { step < here }).collect();
        if !forward {
            steps.reverse();
        }
        match steps.get(times - 1).or(steps.last()) {
            Some(&step) => self.go_step(step, session),
            None => ctx.warn(none),
        }
    }

    /// Folds the heading of the row under the cursor, unfolds it, or the other of the two.
    pub fn fold(&mut self, to: Option<bool>) {
        let Some(&row) = self.visible.get(self.beside.cursor) else { return };
        let Some(&(start, heading)) = self.headings.iter().rfind(|(start, _)| *start <= row) else { return };
        let folded = self.folded.contains(&heading);
        // What is folded already folds into what it stands under.
        let outer = heading.under().filter(|_| folded && to == Some(true));
        let (start, heading) =
            self.headings.iter().copied().find(|(_, h)| Some(*h) == outer).unwrap_or((start, heading));
        self.folded.retain(|h| *h != heading);
        if to.unwrap_or(!folded) {
            self.folded.push(heading);
            self.beside.cursor = self.visible.iter().position(|&r| r == start).unwrap_or(0);
        }
        self.fit();
    }

    /// A click on a line.
    pub fn click(&mut self, pane: PaneId, y: u16) {
        self.spot = pane;
        if pane == KNOWN {
            let tall = |row: usize| self.side[self.visible[row]].height();
            if let Some(row) = self.beside.at(y, self.visible.len(), tall) {
                self.beside.cursor = row;
            }
        } else if let Some(row) = self.at.at(y, self.story.len(), |_| 1) {
            self.at.cursor = row;
        }
    }

    /// Lines of the story below what is seen.
    pub fn below(&self) -> usize {
        self.story.len().saturating_sub(self.at.top + usize::from(self.at.lines))
    }

    /// Scrolls the story by half a pane, from wherever the focus is.
    pub fn scroll(&mut self, down: bool) {
        let half = i32::from(self.at.lines / 2).max(1);
        self.wheel(STORY, if down { half } else { -half });
    }

    /// The wheel.
    pub fn wheel(&mut self, pane: PaneId, rows: i32) {
        match pane {
            KNOWN => self.beside.wheel(rows, self.visible.len()),
            STORY => self.at.wheel(rows, self.story.len()),
            _ => {}
        }
    }

    /// Cursors and folds.
    pub fn place(&self) -> Kept {
        Kept { at: self.at, beside: self.beside, folded: self.folded.clone() }
    }

    /// Puts them back.
    pub fn restore(&mut self, kept: &Kept) {
        (self.at, self.beside, self.folded) = (kept.at, kept.beside, kept.folded.clone());
        self.fit();
        self.beside = kept.beside;
    }

    /// Rows that a search finds, folded ones too.
    pub fn search(&self, pattern: &Pattern) -> Vec<Spot> {
        let found = |pane, rows: &[Row]| {
            let hits = rows.iter().enumerate().filter(|(_, row)| pattern.matches(&row.text()));
            hits.map(|(row, _)| Spot { pane, row }).collect::<Vec<_>>()
        };
        [found(STORY, &self.story), found(KNOWN, &self.side)].concat()
    }

    /// Where the cursor is.
    pub fn spot(&self) -> Spot {
        match self.spot {
            KNOWN => Spot { pane: KNOWN, row: self.visible.get(self.beside.cursor).copied().unwrap_or(0) },
            _ => Spot { pane: STORY, row: self.at.cursor },
        }
    }

    /// Goes to a row, and opens what hides it.
    pub fn reveal(&mut self, spot: Spot) {
        self.spot = spot.pane;
        if spot.pane != KNOWN {
            self.at.cursor = spot.row;
            return;
        }
        if let Some(&(start, heading)) = self.headings.iter().rfind(|(start, _)| *start <= spot.row) {
            // What stands in the heading itself is seen with the heading folded.
            self.folded.retain(|h| (*h != heading || start == spot.row) && Some(*h) != heading.under());
        }
        self.fit();
        self.beside.cursor = self.visible.iter().position(|&row| row == spot.row).unwrap_or(0);
    }
}
