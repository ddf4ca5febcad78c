//! The world of an entry: who may use which tool, and why not; what each predicate and slot hangs on;
//! two roles side by side (screens.md §7).

mod at;
mod card;
mod commands;
mod count;
mod filter;
mod relation;
mod roles;
mod rows;
mod table;

use std::sync::Arc;

use ratatui::layout::Size;

pub use at::{At, CardRow, Name, Order, Page};
pub use count::Counts;
pub use rows::{Cell, Columns, Item, MainRow, columns, headings};
pub use table::TABLE;

use super::canvas::Canvas;
use super::command::Cmd;
use super::dispatch::Call;
use super::layout::{Arranged, Extent, Layout, PaneId, Room};
use super::list::List;
use super::open::WorldPlace;
use super::pattern::Pattern;
use super::screen::{Ctx, Input, Kind, Place, Screen, Spot, Title};
use super::shelf::Shelf;
use crate::world::{RoleId, ToolId, Usage, World};
use filter::Filter;

/// The list of the page.
pub const MAIN: PaneId = 0;
/// What is under the cursor, in full.
pub const CARD: PaneId = 1;
/// Signs and letters.
pub const LEGEND: PaneId = 2;

/// The screen.
pub struct Worlds {
    shelf: Arc<Shelf>,
    /// The entry; most of what is shown is its domain's.
    pub world: Arc<World>,
    usage: Usage,
    /// References and runs, once they were counted.
    counts: Option<Counts>,
    /// What the reader moved.
    pub at: At,
    /// The page's rows, folded ones too.
    pub rows: Vec<MainRow>,
    /// Those to be seen.
    pub visible: Vec<usize>,
    /// The card of the row under the cursor.
    pub card: Vec<CardRow>,
    /// A letter or two for each role.
    pub letters: Vec<String>,
    /// Widths of the panes.
    widths: (u16, u16),
    /// Rows and card have to be made anew.
    stale: bool,
    spot: PaneId,
}

impl Worlds {
    /// A world, at a place in it.
    pub fn new(shelf: &Arc<Shelf>, world: &Arc<World>, place: WorldPlace) -> Worlds {
        let mut screen = Worlds {
            shelf: shelf.clone(),
            world: world.clone(),
            usage: Usage::of(&world.domain),
            counts: None,
            at: At { other: 1.min(world.domain.roles.len().saturating_sub(1)), whole: true, ..At::default() },
            rows: Vec::new(),
            visible: Vec::new(),
            card: Vec::new(),
            letters: letters(world.domain.roles.keys().map(String::as_str)),
            widths: (0, 0),
            stale: true,
            spot: MAIN,
        };
        screen.go_place(place);
        screen
    }

    fn go_place(&mut self, place: WorldPlace) {
        if let Some(role) = place.role {
            self.at.role = role.index();
        }
        if let Some(set) = place.toolset {
            self.at.lens = Some(set.index());
        }
        self.stale = true;
        self.build();
        if let Some(tool) = place.tool {
            self.go(Name::Tool(tool));
        }
    }

    /// Whether a tool is in the lens.
    pub fn offered(&self, tool: ToolId) -> bool {
        self.at.lens.is_none_or(|lens| self.world.problem.toolsets[lens].offered[tool.index()])
    }

    /// The list of the page.
    pub fn list(&self) -> List {
        self.at.main[self.at.page.index()]
    }

    fn list_mut(&mut self) -> &mut List {
        &mut self.at.main[self.at.page.index()]
    }

    /// What is under the cursor.
    pub fn item(&self) -> Option<Item> {
        self.visible.get(self.list().cursor).map(|&row| self.rows[row].item)
    }

    /// Makes rows and card anew.
    fn build(&mut self) {
        let item = self.item();
        self.rows = rows::rows(self);
        self.see();
        if let Some(row) = item.and_then(|item| self.visible.iter().position(|&row| self.rows[row].item == item)) {
            self.list_mut().cursor = row;
        }
        self.stale = false;
        self.build_card();
    }

    fn see(&mut self) {
        let mut folded = false;
        let mut visible = Vec::new();
        for (row, MainRow { item, .. }) in self.rows.iter().enumerate() {
            match item {
                Item::Class(class) => folded = self.at.folded.contains(class),
                _ if folded => continue,
                _ => {}
            }
            visible.push(row);
        }
        self.visible = visible;
        let last = self.visible.len().saturating_sub(1);
        let list = self.list_mut();
        list.cursor = list.cursor.min(last);
    }

    fn build_card(&mut self) {
        let room = usize::from(self.widths.1.saturating_sub(3)).max(20);
        self.card = match self.item() {
            Some(Item::Tool(tool)) => card::tool(self, tool, room),
            Some(Item::Class(class)) => card::class(self, class, room),
            Some(Item::Relation(relation)) => relation::card(self, relation, room),
            Some(Item::Role(role)) => roles::card(self, role, room),
            None => Vec::new(),
        };
        self.card = std::mem::take(&mut self.card).into_iter().flat_map(|row| row.wrap(room)).collect();
    }

    /// Goes to what has a name, on its page, and opens what hides it.
    pub fn go(&mut self, name: Name) {
        let item = match name {
            Name::Tool(tool) => {
                self.at.page = Page::Tools;
                if !self.offered(tool) {
                    self.at.whole = true;
                }
                let class = self.world.domain.tool(tool).class.index();
                self.at.folded.retain(|folded| *folded != class);
                Item::Tool(tool)
            }
            Name::Role(role) => {
                self.at.page = Page::Roles;
                if self.at.role != role.index() {
                    self.at.other = self.at.role;
                }
                Item::Role(role)
            }
            Name::Relation(relation) => {
                let slot = self.world.domain.relations[relation.index()].kind == crate::world::RelationKind::Slot;
                self.at.page = if slot { Page::Slots } else { Page::Predicates };
                Item::Relation(relation)
            }
        };
        self.rows = rows::rows(self);
        self.see();
        if !self.rows.iter().any(|row| row.item == item) {
            self.at.filter = Filter::default();
            self.rows = rows::rows(self);
            self.see();
        }
        if let Some(row) = self.visible.iter().position(|&row| self.rows[row].item == item) {
            self.list_mut().cursor = row;
        }
        self.at.card = List::default();
        self.build_card();
    }

    fn moved(&mut self) {
        self.at.card = List::default();
        self.build_card();
    }

    /// The role beside this one: never the same, where there are two.
    pub fn beside(&self, role: RoleId) -> RoleId {
        let count = self.world.domain.roles.len();
        if self.at.other == role.index() {
            RoleId::from((self.at.other + 1) % count.max(1))
        } else {
            self.at.other.into()
        }
    }

    /// The filter, as it was typed.
    pub fn filter_text(&self) -> &str {
        &self.at.filter.text
    }

    /// The line of the file that what is under the cursor stands on.
    pub fn line(&self) -> usize {
        let domain = &self.world.domain;
        let span = match self.item() {
            Some(Item::Tool(tool)) => domain.tool(tool).span.start,
            Some(Item::Class(class)) => domain.taxonomy[class].span.start,
            Some(Item::Relation(relation)) => domain.relations[relation.index()].span.start,
            Some(Item::Role(role)) => domain.roles[role.index()].span.start,
            None => 0,
        };
        domain.file.position(span).line
    }
}

/// A short mark for each name: its first letter, or the first of its letters that is free.
fn letters<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for (number, name) in (1..).zip(names) {
        let mut free = name.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_uppercase().to_string());
        let letter = free.find(|letter| !out.contains(letter));
        out.push(letter.unwrap_or_else(|| format!("{number}")));
    }
    out
}

impl Screen for Worlds {
    fn kind(&self) -> Kind {
        Kind::World
    }

    fn address(&self) -> String {
        let domain = &self.world.domain;
        let role = domain.role_name(RoleId::from(self.at.role));
        let what = match self.item() {
            Some(Item::Tool(tool)) => domain.tool_name(tool).to_owned(),
            Some(Item::Relation(relation)) => self.world.relation_name(relation).to_owned(),
            Some(Item::Role(role)) => domain.role_name(role).to_owned(),
            Some(Item::Class(_)) | None => String::new(),
        };
        let set = self.at.lens.and_then(|lens| self.world.problem.toolsets.get_index(lens));
        let set = set.map_or(String::new(), |(name, _)| format!(",{name}"));
        format!("world {} {}#{what},{role}{set}", domain.name, self.world.problem.id)
    }

    fn layout(&self, size: Size) -> Layout {
        let layout = Layout::new(1).still(LEGEND);
        let roles = u16::try_from(self.world.domain.roles.len()).unwrap_or(u16::MAX);
        let wanted = rows::NAME_WIDTH.saturating_add(roles.saturating_mul(rows::COLUMN)).saturating_add(4);
        let main = Extent::Cells(wanted.max(50).min(size.width / 2 + 2));
        let layout = match Room::of(size) {
            Room::Tiny | Room::Narrow => layout.band(Extent::Share(1), &[(&[MAIN, CARD], Extent::Share(1))]),
            _ => layout.band(Extent::Share(1), &[(&[MAIN], main), (&[CARD], Extent::Share(1))]),
        };
        if size.height < 20 { layout } else { layout.band(Extent::Cells(3), &[(&[LEGEND], Extent::Share(1))]) }
    }

    fn title(&self, pane: PaneId) -> Title {
        super::view::world::title(self, pane)
    }

    fn draw_header(&self, canvas: &mut Canvas) {
        super::view::world::header(self, canvas);
    }

    fn draw(&self, pane: PaneId, canvas: &mut Canvas) {
        match pane {
            MAIN => super::view::world::main(self, canvas),
            CARD => super::view::world::card(self, canvas),
            _ => super::view::world::legend(self, canvas),
        }
    }

    fn update(&mut self, input: Input, ctx: &mut Ctx) {
        match input {
            Input::Opened => count::begin(&self.shelf, &self.world, ctx),
            Input::Arrived(address) => self.arrive(&address),
            Input::Run(call) => {
                self.spot = if ctx.panes.focus == CARD { CARD } else { MAIN };
                self.command(&call, ctx);
            }
            Input::Report(payload) => {
                if let Ok(counts) = payload.downcast::<Counts>() {
                    self.counts = Some(*counts);
                    self.build_card();
                }
            }
            Input::Chosen(target) => {
                if let Some(name) = self.named(&target) {
                    ctx.jumped(self.place());
                    self.go(name);
                }
            }
            Input::Click { pane, y, second, .. } => {
                if pane == MAIN
                    && let Some(row) = y.checked_sub(1).and_then(|y| self.list().at(y, self.visible.len(), |_| 1))
                {
                    self.list_mut().cursor = row;
                    self.moved();
                } else if pane == CARD
                    && let Some(row) = self.at.card.at(y, self.card.len(), |_| 1)
                {
                    self.at.card.cursor = row;
                }
                if second {
                    self.command(&Call::of(Cmd::Open), ctx);
                }
            }
            Input::Wheel { pane: CARD, rows } => self.at.card.wheel(rows, self.card.len()),
            Input::Wheel { rows, .. } => {
                let len = self.visible.len();
                self.list_mut().wheel(rows, len);
                self.moved();
            }
            _ => {}
        }
    }

    fn settle(&mut self, arranged: &Arranged) {
        let (main, card) = (arranged.area(MAIN), arranged.area(CARD));
        let widths = (
            if main.width == 0 { self.widths.0 } else { main.width },
            if card.width == 0 { self.widths.1 } else { card.width },
        );
        if self.stale {
            self.build();
        }
        if widths != self.widths {
            self.widths = widths;
            self.build_card();
        }
        let len = self.visible.len();
        self.list_mut().settle(len, main.height.saturating_sub(1), |_| 1);
        self.at.card.settle(self.card.len(), card.height, |_| 1);
    }

    fn place(&self) -> Place {
        Place::new(self.at.clone())
    }

    fn restore(&mut self, place: &Place) {
        if let Some(at) = place.get::<At>() {
            self.at = at.clone();
            self.rows = rows::rows(self);
            self.see();
            self.build_card();
        }
    }

    fn search(&self, pattern: &Pattern) -> Vec<Spot> {
        let main = self.rows.iter().enumerate().filter(|(_, row)| pattern.matches(&row.text.words()));
        let main = main.map(|(row, _)| Spot { pane: MAIN, row });
        let card = self.card.iter().enumerate().filter(|(_, row)| pattern.matches(&row.text.words()));
        main.chain(card.map(|(row, _)| Spot { pane: CARD, row })).collect()
    }

    fn spot(&self) -> Spot {
        match self.spot {
            CARD => Spot { pane: CARD, row: self.at.card.cursor },
            _ => Spot { pane: MAIN, row: self.visible.get(self.list().cursor).copied().unwrap_or(0) },
        }
    }

    fn reveal(&mut self, spot: Spot) {
        self.spot = spot.pane;
        if spot.pane == CARD {
            self.at.card.cursor = spot.row;
            return;
        }
        if let Some(MainRow { item: Item::Tool(tool), .. }) = self.rows.get(spot.row) {
            let class = self.world.domain.tool(*tool).class.index();
            self.at.folded.retain(|folded| *folded != class);
            self.see();
        }
        self.list_mut().cursor = self.visible.iter().position(|&row| row == spot.row).unwrap_or(0);
        self.moved();
    }

    fn filter(&self) -> &str {
        &self.at.filter.text
    }

    fn set_filter(&mut self, text: &str) -> Result<(), String> {
        self.at.filter = Filter::parse(text, &self.world.domain)?;
        self.build();
        Ok(())
    }
}
