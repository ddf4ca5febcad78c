//! Choosing what to play: an entry, who is served, which tools. The last choice is preselected.

use std::sync::Arc;

use ratatui::layout::Size;
use ratatui::text::{Line, Span};

use super::{PICK, Plan};
use crate::exec::Opening;
use crate::text::count;
use crate::tui::canvas::Canvas;
use crate::tui::cells;
use crate::tui::dispatch::Call;
use crate::tui::layout::{Arranged, Extent, Layout, PaneId, Panes, Room};
use crate::tui::list::List;
use crate::tui::screen::Title;
use crate::tui::theme::Role;
use crate::world::{Library, RoleId, ToolsetId, World};

/// The entries.
const ENTRIES: PaneId = PICK[0];
/// The roles that have a perspective.
const ROLES: PaneId = PICK[1];
/// The tool sets.
const SETS: PaneId = PICK[2];
/// What the one chosen is told.
const WHO: PaneId = PICK[3];

/// What was chosen so far.
#[derive(Debug)]
pub struct Pick {
    /// The entry.
    pub world: Arc<World>,
    worlds: Vec<Arc<World>>,
    roles: Vec<RoleId>,
    /// The tool set was given.
    fixed: Option<ToolsetId>,
    last: Option<(String, String)>,
    lists: [List; 3],
}

impl Pick {
    /// An entry; `last` names the role and tool set that were played last.
    pub fn new(world: &Arc<World>, plan: &Plan, last: Option<(String, String)>) -> Pick {
        let mut pick = Pick {
            world: world.clone(),
            worlds: vec![world.clone()],
            roles: Vec::new(),
            fixed: plan.toolset,
            last,
            lists: [List::default(); 3],
        };
        pick.entry(world.clone());
        pick
    }

    /// The entries that there are to choose from.
    pub fn entries(&mut self, library: &Library) {
        let known = library.worlds.values().any(|world| world.problem.id == self.world.problem.id);
        let own = (!known).then(|| self.world.clone());
        self.worlds = own.into_iter().chain(library.worlds.values().cloned()).collect();
        let here = self.worlds.iter().position(|world| world.problem.id == self.world.problem.id);
        self.lists[0].cursor = here.unwrap_or(0);
    }

    fn entry(&mut self, world: Arc<World>) {
        self.roles = world.problem.perspectives.keys().copied().collect();
        let role = self.last.as_ref().and_then(|(role, _)| world.domain.role_id(role));
        let set = self.last.as_ref().and_then(|(_, set)| world.problem.toolsets.get_index_of(set));
        self.lists[1].cursor = role.and_then(|role| self.roles.iter().position(|r| *r == role)).unwrap_or(0);
        self.lists[2].cursor = self.fixed.map(ToolsetId::index).or(set).unwrap_or(0);
        self.world = world;
    }

    /// The pane to begin at.
    pub fn first(&self) -> PaneId {
        ROLES
    }

    /// Role and tool set under the cursors.
    pub fn chosen(&self) -> (RoleId, ToolsetId) {
        let role = self.roles.get(self.lists[1].cursor).copied().unwrap_or(RoleId(0));
        (role, ToolsetId::from(self.lists[2].cursor))
    }

    /// Their names, to be preselected the next time.
    pub fn names(&self) -> (String, String) {
        let (role, set) = self.chosen();
        let set = self.world.problem.toolsets.get_index(set.index()).map_or("", |(name, _)| name);
        (self.world.domain.role_name(role).to_owned(), set.to_owned())
    }

    /// Enter: the next pane. Says whether all is chosen.
    pub fn next(&self, panes: &mut Panes) -> bool {
        match panes.focus {
            ENTRIES => panes.focus(ROLES),
            ROLES if self.fixed.is_none() && self.world.problem.toolsets.len() > 1 => panes.focus(SETS),
            _ => return true,
        }
        false
    }

    /// The pane to the left or right.
    pub fn beside(&self, step: i8, panes: &mut Panes) {
        let to = panes.focus.saturating_add_signed(step).clamp(ENTRIES, SETS);
        panes.focus(to);
    }

    fn len(&self, pane: PaneId) -> usize {
        match pane {
            ENTRIES => self.worlds.len(),
            ROLES => self.roles.len(),
            SETS => self.world.problem.toolsets.len(),
            _ => 0,
        }
    }

    fn index(pane: PaneId) -> Option<usize> {
        PICK[..3].iter().position(|p| *p == pane)
    }

    /// Moves the cursor of a pane. Says whether it was a motion.
    pub fn motion(&mut self, call: &Call, pane: PaneId) -> bool {
        let Some(index) = Pick::index(pane) else { return false };
        let len = self.len(pane);
        let moved = self.lists[index].motion(call, len);
        self.moved(pane);
        moved
    }

    fn moved(&mut self, pane: PaneId) {
        if pane == ENTRIES
            && let Some(world) = self.worlds.get(self.lists[0].cursor).cloned()
            && !Arc::ptr_eq(&world, &self.world)
        {
            self.entry(world);
        }
    }

    /// A click on a line.
    pub fn click(&mut self, pane: PaneId, y: u16) {
        let Some(index) = Pick::index(pane) else { return };
        if let Some(row) = self.lists[index].at(y, self.len(pane), |_| 1) {
            self.lists[index].cursor = row;
            self.moved(pane);
        }
    }

    /// The wheel.
    pub fn wheel(&mut self, pane: PaneId, rows: i32) {
        if let Some(index) = Pick::index(pane) {
            let len = self.len(pane);
            self.lists[index].wheel(rows, len);
            self.moved(pane);
        }
    }

    /// Fits the lists.
    pub fn settle(&mut self, arranged: &Arranged) {
        for (index, pane) in PICK[..3].iter().enumerate() {
            let len = self.len(*pane);
            self.lists[index].settle(len, arranged.area(*pane).height, |_| 1);
        }
    }

    /// Its panes.
    pub fn layout(&self, size: Size) -> Layout {
        let layout = Layout::new(1).still(WHO);
        if Room::of(size) <= Room::Narrow {
            return layout.band(Extent::Share(1), &[(&[ROLES, SETS, ENTRIES], Extent::Share(1))]);
        }
        layout
            .band(
                Extent::Share(1),
                &[(&[ENTRIES], Extent::Share(4)), (&[ROLES], Extent::Share(2)), (&[SETS], Extent::Share(2))],
            )
            .band(Extent::Share(1), &[(&[WHO], Extent::Share(1))])
    }

    /// The heading of a pane.
    pub fn title(&self, pane: PaneId) -> Title {
        match pane {
            ENTRIES => Title::new(format!("Entries {}", self.worlds.len())),
            ROLES => Title::new("You serve"),
            SETS => Title::new("Tools"),
            _ => Title::new("What you are told"),
        }
    }

    /// The header.
    pub fn draw_header(&self, canvas: &mut Canvas) {
        let theme = canvas.theme;
        let left = vec![
            theme.span(Role::Title, self.world.problem.id.as_str()),
            Span::raw(" "),
            Span::raw(self.world.problem.title.as_str()),
        ];
        canvas.sides(1, 0, Line::from(left), theme.span(Role::Dim, "choose whom to play "));
    }

    /// A pane.
    pub fn draw(&self, pane: PaneId, canvas: &mut Canvas) {
        let theme = canvas.theme;
        let Some(index) = Pick::index(pane) else { return self.draw_who(canvas) };
        for seen in self.lists[index].seen(self.len(pane), canvas.height(), |_| 1) {
            let (name, right) = match pane {
                ENTRIES => {
                    let problem = &self.worlds[seen.row].problem;
                    (format!("{}  {}", problem.id, problem.title), String::new())
                }
                ROLES => (self.world.domain.role_name(self.roles[seen.row]).to_owned(), String::new()),
                _ => match self.world.problem.toolsets.get_index(seen.row) {
                    Some((name, set)) => (name.clone(), count(set.tools.len(), "tool")),
                    None => Default::default(),
                },
            };
            canvas.row(seen.y, seen.cursor, name, theme.span(Role::Dim, right));
        }
    }

    fn draw_who(&self, canvas: &mut Canvas) {
        let theme = canvas.theme;
        let (role, set) = self.chosen();
        let opening = Opening::of(&self.world, role, set);
        let room = usize::from(canvas.width().saturating_sub(3));
        let mut y = 0;
        for (role, text) in [(Role::Plain, opening.persona.as_str()), (Role::Title, opening.query.as_str())] {
            let text = crate::text::visible_lines(text);
            for line in cells::wrap(&text, room) {
                canvas.line(1, y, theme.span(role, line));
                y += 1;
            }
            y += 1;
        }
        canvas.line(1, y, theme.span(Role::Dim, count(opening.budget, "call")));
    }
}
