//! One entry for an expert's eye: the perspectives side by side, who may use what, and the file
//! beside it (screens.md §7).

mod cards;
mod keys;
pub mod sheet;
pub mod tools;

use std::collections::HashSet;
use std::sync::Arc;

use ratatui::layout::{Rect, Size};

use super::browser::source;
use super::canvas::Canvas;
use super::cells;
use super::layout::{Arranged, Extent, Layout, PaneId, Placed, Room};
use super::list::List;
use super::page::Text;
use super::pattern::Pattern;
use super::screen::{Ctx, Input, Kind, Place, Screen, Spot, Title};
use super::shelf::Shelf;
use super::text_screen::TextScreen;
use super::view::entry as view;
use crate::world::{ClassId, RoleId, ToolId, ToolsetId, World};
use sheet::{Section, SheetRow, Side, What};
use tools::ToolRow;

pub use keys::TABLE;

/// The pane of the perspectives.
pub const SHEET: PaneId = 0;
/// The pane of the tools.
pub const TOOLS: PaneId = 1;
/// The pane of the file.
pub const SOURCE: PaneId = 2;

/// A cell in lines: what stands at the left and at the right of each.
pub type Broken = Vec<(Text, Text)>;

/// The entry screen.
pub struct Entry {
    /// What the inspector was opened on.
    pub shelf: Arc<Shelf>,
    /// The entry.
    pub world: Arc<World>,
    /// Its sides, worked out.
    pub sides: Vec<Side>,
    /// The rows of the perspectives.
    pub rows: Vec<SheetRow>,
    /// Their cells in lines, for the width at hand.
    pub broken: Vec<Vec<Broken>>,
    /// How many perspectives stand side by side.
    pub across: usize,
    /// The first of them.
    pub first: usize,
    /// The perspective under the cursor.
    pub column: usize,
    /// Cursor and scroll of the perspectives.
    pub list: List,
    /// The tools, those of closed classes too.
    pub all_tools: Vec<(ToolRow, bool)>,
    /// Places in `all_tools` of what is to be seen.
    pub tools: Vec<usize>,
    /// Cursor and scroll of the tools.
    pub tool_list: List,
    /// The role under the cursor in the matrix.
    pub role: RoleId,
    /// The tools offered.
    pub toolset: ToolsetId,
    /// Tools that are not offered stand there too.
    pub whole: bool,
    /// The file, while it is beside.
    pub source: Option<TextScreen>,
    folded: HashSet<Section>,
    closed: HashSet<ClassId>,
    width: u16,
    /// The one perspective that the rows are of, where they stand one by one.
    only: Option<usize>,
}

/// All that a reader can have moved.
#[derive(Clone)]
struct Cursors {
    list: List,
    tool_list: List,
    column: usize,
    role: RoleId,
    toolset: ToolsetId,
    whole: bool,
    folded: HashSet<Section>,
    closed: HashSet<ClassId>,
}

impl Entry {
    /// The screen of an entry; the lens is the name of a tool set.
    pub fn new(shelf: Arc<Shelf>, world: Arc<World>, lens: Option<&str>) -> Entry {
        let toolset = lens.and_then(|set| world.problem.toolsets.get_index_of(set)).unwrap_or(0);
        let role = world.problem.perspectives.keys().next().copied().unwrap_or(RoleId(0));
        let mut entry = Entry {
            shelf,
            sides: sheet::sides(&world),
            world,
            rows: Vec::new(),
            broken: Vec::new(),
            across: 1,
            first: 0,
            column: 0,
            list: List::default(),
            all_tools: Vec::new(),
            tools: Vec::new(),
            tool_list: List::default(),
            role,
            toolset: ToolsetId::from(toolset),
            whole: false,
            source: None,
            folded: HashSet::new(),
            closed: HashSet::new(),
            width: 0,
            only: None,
        };
        entry.arrange();
        entry
    }

    /// Makes the rows anew; the cursors stay on what they stood on.
    fn arrange(&mut self) {
        let here = self.rows.get(self.list.cursor).map(|row| (row.section, row.heading.is_some(), row.cells.clone()));
        self.rows = sheet::rows(&self.world, &self.sides, &self.folded);
        if let Some(column) = self.only {
            self.rows.retain(|row| row.concerns(column));
        }
        if let Some((section, heading, cells)) = here {
            let what = |cells: &[sheet::Cell]| cells.iter().map(|cell| cell.what).collect::<Vec<What>>();
            let same = |row: &SheetRow| {
                row.section == section && row.heading.is_some() == heading && what(&row.cells) == what(&cells)
            };
            let head = |row: &SheetRow| row.section == section;
            let at = self.rows.iter().position(same).or_else(|| self.rows.iter().position(head));
            self.list.cursor = at.unwrap_or(0);
        }
        self.broken.clear();
        let tool = self.tool_row();
        self.all_tools = tools::rows(&self.world, self.toolset, self.whole, &self.closed);
        self.tools = (0..self.all_tools.len()).filter(|&at| self.all_tools[at].1).collect();
        if let Some(tool) = tool {
            let same = |at: &usize| alike(self.all_tools[*at].0, tool);
            self.tool_list.cursor = self.tools.iter().position(same).unwrap_or(self.tool_list.cursor);
        }
    }

    /// The row of the matrix under the cursor.
    pub fn tool_row(&self) -> Option<ToolRow> {
        self.tools.get(self.tool_list.cursor).map(|&at| self.all_tools[at].0)
    }

    /// What the cell under the cursor is about.
    pub fn what(&self) -> What {
        let row = self.rows.get(self.list.cursor);
        row.and_then(|row| row.cells.get(self.column)).map_or(What::Nothing, |cell| cell.what)
    }

    /// The perspective under the cursor.
    pub fn side(&self) -> Option<&Side> {
        self.sides.get(self.column)
    }

    /// Puts the cursor on a perspective; the matrix goes along.
    fn go_to_column(&mut self, column: usize) {
        self.column = column.min(self.sides.len().saturating_sub(1));
        if let Some(side) = self.side() {
            self.role = side.role;
        }
    }

    /// Breaks the cells for a width, and slides the columns so that the cursor's is to be seen.
    fn fit(&mut self, width: u16) {
        let count = self.sides.len().max(1);
        self.across = if width < view::ONE_BELOW { 1 } else { usize::from(width / view::COLUMN).clamp(1, count) };
        self.first = self.first.min(count - self.across).min(self.column);
        self.first = self.first.max((self.column + 1).saturating_sub(self.across));
        let only = (self.across == 1).then_some(self.column);
        if self.only != only {
            self.only = only;
            self.arrange();
        }
        if self.width == width && !self.broken.is_empty() {
            return;
        }
        self.width = width;
        let room = view::cell_room(width, self.across);
        let cells = |row: &SheetRow| row.cells.iter().map(|cell| cell.lines(room)).collect();
        self.broken = self.rows.iter().map(cells).collect();
    }

    /// How many lines a row of the perspectives takes: headings stand clear of what is above.
    pub fn height(&self, row: usize) -> u16 {
        match self.rows.get(row) {
            Some(found) if found.heading.is_some() => {
                if row == 0 {
                    1
                } else {
                    2
                }
            }
            Some(_) => {
                let shown = self.broken.get(row).map_or(&[][..], |cells| {
                    cells.get(self.first..(self.first + self.across).min(cells.len())).unwrap_or(cells)
                });
                let lines = shown.iter().map(Vec::len).max().unwrap_or(0);
                u16::try_from(lines).unwrap_or(u16::MAX).max(1)
            }
            None => 1,
        }
    }

    /// The byte of the file that the cursor is about.
    fn offset(&self, pane: PaneId) -> usize {
        let Some(side) = self.side() else { return 0 };
        let perspective = &self.world.problem.perspectives[&side.role];
        match (pane, self.rows.get(self.list.cursor)) {
            (TOOLS, _) => self.world.problem.toolsets[self.toolset.index()].span.start,
            (_, Some(row)) if row.heading.is_some() => match row.section {
                Section::Persona | Section::Given => perspective.spans.role.start,
                Section::Goal(_) | Section::Guards(_) => perspective.spans.goal.start,
                Section::Reference => perspective.spans.reference.start,
            },
            _ => sheet::span(&self.world, side.role, self.what()).start,
        }
    }

    /// The line of the file that the cursor is about.
    fn line(&self, pane: PaneId) -> usize {
        self.world.problem.file.position(self.offset(pane)).line
    }

    /// Shows the file beside, at the line of the cursor.
    fn open_source(&mut self, pane: PaneId) {
        self.source = Some(source(&self.world.problem.file, self.line(pane)));
    }

    /// The tool that a pane's cursor is on.
    fn tool(&self, pane: PaneId) -> Option<ToolId> {
        if pane == TOOLS {
            return match self.tool_row()? {
                ToolRow::Tool(tool, _) => Some(tool),
                ToolRow::Class(..) => None,
            };
        }
        match self.what() {
            What::Step(step) => self.side()?.steps.get(step - 1).map(|step| step.tool),
            _ => None,
        }
    }
}

fn alike(a: ToolRow, b: ToolRow) -> bool {
    match (a, b) {
        (ToolRow::Class(a, ..), ToolRow::Class(b, ..)) => a == b,
        (ToolRow::Tool(a, _), ToolRow::Tool(b, _)) => a == b,
        _ => false,
    }
}

impl Screen for Entry {
    fn kind(&self) -> Kind {
        Kind::Entry
    }

    fn address(&self) -> String {
        let role = self.side().map_or("", |side| self.world.domain.role_name(side.role));
        format!("{}#{role}", self.world.problem.id)
    }

    fn layout(&self, size: Size) -> Layout {
        let room = usize::from(size.width.saturating_sub(4)).max(8);
        let query = u16::try_from(cells::wrap(&self.world.problem.query, room).len()).unwrap_or(1).min(3);
        let layout = Layout::new(1 + query);
        let all: &[PaneId] = if self.source.is_some() { &[SHEET, TOOLS, SOURCE] } else { &[SHEET, TOOLS] };
        if Room::of(size) != Room::Wide || size.height < 28 {
            return layout.band(Extent::Share(1), &[(all, Extent::Share(1))]);
        }
        let one: (&[PaneId], Extent) = (&[SHEET], Extent::Share(3));
        let file: (&[PaneId], Extent) = (&[SOURCE], Extent::Share(2));
        let sheet = if self.source.is_some() { vec![one, file] } else { vec![one] };
        layout.band(Extent::Share(2), &sheet).band(Extent::Share(1), &[(&[TOOLS], Extent::Share(1))])
    }

    fn title(&self, pane: PaneId) -> Title {
        match pane {
            TOOLS => view::tools_title(self),
            SOURCE => {
                let file = &self.world.problem.file;
                Title::new("File").right(format!("{}:{}", file.name, self.line(SHEET)))
            }
            _ => view::sheet_title(self),
        }
    }

    fn draw_header(&self, canvas: &mut Canvas) {
        view::header(self, canvas);
    }

    fn draw(&self, pane: PaneId, canvas: &mut Canvas) {
        match (pane, &self.source) {
            (TOOLS, _) => view::tools(self, canvas),
            (SOURCE, Some(source)) => source.draw(0, canvas),
            _ => view::sheet(self, canvas),
        }
    }

    fn update(&mut self, input: Input, ctx: &mut Ctx) {
        match input {
            Input::Run(call) => self.command(&call, ctx),
            Input::Click { pane, x, y, second } => self.click(pane, x, y, second, ctx),
            Input::Wheel { pane: TOOLS, rows } => self.tool_list.wheel(rows, self.tools.len()),
            Input::Wheel { pane: SOURCE, rows } => {
                if let Some(source) = &mut self.source {
                    source.update(Input::Wheel { pane: 0, rows }, ctx);
                }
            }
            Input::Wheel { rows, .. } => self.list.wheel(rows, self.rows.len()),
            Input::Arrived(address) => {
                let role = address.rsplit_once('#').and_then(|(_, role)| self.world.domain.role_id(role));
                if let Some(at) = role.and_then(|role| self.sides.iter().position(|side| side.role == role)) {
                    self.go_to_column(at);
                }
            }
            Input::Chosen(target) => self.chosen(&target, ctx),
            Input::Report(payload) => {
                if let Ok(read) = payload.downcast::<keys::Reread>() {
                    self.take(*read, ctx);
                }
            }
            Input::Opened
            | Input::Uncovered
            | Input::SearchEnded
            | Input::Filtered
            | Input::Key(_)
            | Input::Paste(_)
            | Input::Answer { .. }
            | Input::Failed { .. } => {}
        }
        let pane = ctx.panes.focus;
        let line = self.line(pane);
        if let Some(source) = self.source.as_mut().filter(|_| pane != SOURCE) {
            source.update(Input::Arrived(format!("#{line}")), ctx);
        }
    }

    fn settle(&mut self, arranged: &Arranged) {
        let area = arranged.area(SHEET);
        if area.height > 0 {
            self.fit(area.width);
            let heights: Vec<u16> = (0..self.rows.len()).map(|row| self.height(row)).collect();
            let lines = area.height.saturating_sub(view::heading_lines(area.height));
            self.list.settle(self.rows.len(), lines, |row| heights[row]);
        }
        let area = arranged.area(TOOLS);
        if area.height > 0 {
            let lines = area.height.saturating_sub(view::heading_lines(area.height));
            self.tool_list.settle(self.tools.len(), lines, |_| 1);
        }
        if let (Some(source), Some(placed)) = (&mut self.source, arranged.find(SOURCE)) {
            // The file's own screen has one pane: this one.
            let inner = Placed { pane: 0, area: placed.area, rule: Rect::ZERO, tabs: vec![0] };
            source.settle(&Arranged { size: arranged.size, placed: vec![inner], ..Arranged::default() });
        }
    }

    fn place(&self) -> Place {
        Place::new(Cursors {
            list: self.list,
            tool_list: self.tool_list,
            column: self.column,
            role: self.role,
            toolset: self.toolset,
            whole: self.whole,
            folded: self.folded.clone(),
            closed: self.closed.clone(),
        })
    }

    fn restore(&mut self, place: &Place) {
        let Some(cursors) = place.get::<Cursors>().cloned() else { return };
        (self.folded, self.closed) = (cursors.folded, cursors.closed);
        (self.toolset, self.whole) = (cursors.toolset, cursors.whole);
        (self.column, self.role) = (cursors.column, cursors.role);
        self.only = self.only.map(|_| self.column);
        self.arrange();
        (self.list, self.tool_list) = (cursors.list, cursors.tool_list);
    }

    fn search(&self, pattern: &Pattern) -> Vec<Spot> {
        let open = sheet::rows(&self.world, &self.sides, &HashSet::new());
        let cells = open.iter().enumerate().flat_map(|(row, found)| {
            let cells = found.cells.iter().enumerate().filter(|(_, cell)| pattern.matches(&cell.words()));
            cells.map(move |(column, _)| (row, column))
        });
        let width = self.sides.len().max(1);
        let mut spots: Vec<Spot> = cells.map(|(row, column)| Spot { pane: SHEET, row: row * width + column }).collect();
        let tools = self.all_tools.iter().enumerate().filter(|(_, (row, _))| match row {
            ToolRow::Tool(tool, _) => {
                let domain = &self.world.domain;
                pattern.matches(domain.tool_name(*tool)) || pattern.matches(&domain.tool(*tool).doc)
            }
            ToolRow::Class(class, ..) => pattern.matches(view::class_name(&self.world, *class)),
        });
        spots.extend(tools.map(|(row, _)| Spot { pane: TOOLS, row }));
        spots
    }

    fn spot(&self) -> Spot {
        // Rows are counted as if nothing were folded.
        let open = sheet::rows(&self.world, &self.sides, &HashSet::new());
        let here = self.rows.get(self.list.cursor);
        let same = |row: &SheetRow| {
            here.is_some_and(|here| {
                here.section == row.section
                    && here.heading == row.heading
                    && here.cells.iter().zip(&row.cells).all(|(a, b)| a.what == b.what)
            })
        };
        let row = open.iter().position(same).unwrap_or(0);
        Spot { pane: SHEET, row: row * self.sides.len().max(1) + self.column }
    }

    fn reveal(&mut self, spot: Spot) {
        if spot.pane == TOOLS {
            self.reveal_tool(spot.row);
            return;
        }
        let width = self.sides.len().max(1);
        let open = sheet::rows(&self.world, &self.sides, &HashSet::new());
        let Some(wanted) = open.get(spot.row / width) else { return };
        self.go_to_column(spot.row % width);
        let only = self.only.map(|_| self.column);
        if self.folded.remove(&wanted.section) || only != self.only {
            self.only = only;
            self.arrange();
        }
        let same = |row: &SheetRow| {
            row.section == wanted.section
                && row.heading == wanted.heading
                && row.cells.iter().zip(&wanted.cells).all(|(a, b)| a.what == b.what)
        };
        self.list.cursor = self.rows.iter().position(same).unwrap_or(self.list.cursor);
    }

    fn peel(&mut self) -> bool {
        self.source.take().is_some()
    }
}
