//! The rows of the pages: tools by class, predicates, roles, slots.

use super::{Order, Page, Worlds};
use crate::tui::entry::tools::is_under;
use crate::tui::page::Text;
use crate::tui::sign::Sign;
use crate::tui::theme::Role;
use crate::world::{Access, ClassId, RelationId, RelationKind, RoleId, ToolId};

/// Cells for the names at least.
pub const NAME_WIDTH: u16 = 30;
/// Cells of a column.
pub const COLUMN: u16 = 3;

/// What a row stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "named after what they are")]
pub enum Item {
    Class(usize),
    Tool(ToolId),
    Relation(RelationId),
    Role(RoleId),
}

/// What stands in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "named after what they are")]
pub enum Cell {
    Sign(Sign),
    Count(usize),
}

/// A row of a page.
#[derive(Debug, Clone)]
pub struct MainRow {
    /// What it stands for.
    pub item: Item,
    /// Its name.
    pub text: Text,
    /// Its columns.
    pub cells: Vec<Cell>,
}

/// The rows of the page, folded ones too.
pub fn rows(screen: &Worlds) -> Vec<MainRow> {
    match screen.at.page {
        Page::Tools => tools(screen),
        Page::Predicates => relations(screen, RelationKind::Predicate),
        Page::Slots => relations(screen, RelationKind::Slot),
        Page::Roles => roles(screen),
    }
}

/// The tools that lens and filter let pass.
pub fn shown(screen: &Worlds) -> Vec<ToolId> {
    let domain = &screen.world.domain;
    let role = RoleId::from(screen.at.role);
    let all = (0..domain.tools.len()).map(ToolId::from);
    let offered = all.filter(|&tool| screen.at.whole || screen.offered(tool));
    offered.filter(|&tool| screen.at.filter.passes(domain, tool, role)).collect()
}

/// How many roles may use a tool.
fn holders(screen: &Worlds, tool: ToolId) -> usize {
    let domain = &screen.world.domain;
    (0..domain.roles.len()).filter(|&role| domain.may(tool, role.into())).count()
}

fn tools(screen: &Worlds) -> Vec<MainRow> {
    let mut tools = shown(screen);
    let name = |tool: &ToolId| screen.world.domain.tool_name(*tool).to_owned();
    match screen.at.order {
        Order::Class => return by_class(screen, tools),
        Order::Name => tools.sort_by_cached_key(name),
        Order::WhoMay => tools.sort_by_cached_key(|tool| (holders(screen, *tool), name(tool))),
    }
    if screen.at.reverse {
        tools.reverse();
    }
    tools.into_iter().map(|tool| tool_row(screen, tool, 0)).collect()
}

fn by_class(screen: &Worlds, tools: Vec<ToolId>) -> Vec<MainRow> {
    let mut out = Vec::new();
    let mut classes = Vec::new();
    walk(screen, None, 0, &mut classes);
    if screen.at.reverse {
        classes.reverse();
    }
    for (class, depth) in classes {
        let own: Vec<ToolId> =
            tools.iter().copied().filter(|&tool| screen.world.domain.tool(tool).class.index() == class).collect();
        if own.is_empty() {
            continue;
        }
        out.push(class_row(screen, class, depth, &tools, &own));
        out.extend(own.into_iter().map(|tool| tool_row(screen, tool, depth + 1)));
    }
    out
}

/// The classes, those below after those above, each with its depth.
fn walk(screen: &Worlds, above: Option<ClassId>, depth: usize, out: &mut Vec<(usize, usize)>) {
    for (index, class) in screen.world.domain.taxonomy.values().enumerate() {
        if class.under == above {
            out.push((index, depth));
            walk(screen, Some(index.into()), depth + 1, out);
        }
    }
}

fn class_row(screen: &Worlds, class: usize, depth: usize, tools: &[ToolId], own: &[ToolId]) -> MainRow {
    let domain = &screen.world.domain;
    let (name, definition) = domain.taxonomy.get_index(class).map_or(("", None), |(name, class)| (name, Some(class)));
    let folded = screen.at.folded.contains(&class);
    let sign = if folded { Sign::Folded } else { Sign::Unfolded };
    let text = Text::plain("  ".repeat(depth)).sign(sign).role(Role::Title, format!(" {name}"));
    let routing = if definition.is_some_and(|class| class.routing) { ", hands work over" } else { "" };
    let within = tools.iter().filter(|&&tool| is_under(&screen.world, domain.tool(tool).class, class.into())).count();
    let below = if within > own.len() { format!(", below {}", within - own.len()) } else { String::new() };
    let text = text.role(Role::Dim, format!(" {}{below}{routing}", own.len()));
    let count = |role: usize| {
        let may = own.iter().filter(|&&tool| screen.offered(tool) && domain.may(tool, role.into()));
        Cell::Count(may.count())
    };
    MainRow { item: Item::Class(class), text, cells: (0..domain.roles.len()).map(count).collect() }
}

fn tool_row(screen: &Worlds, tool: ToolId, depth: usize) -> MainRow {
    let domain = &screen.world.domain;
    let offered = screen.offered(tool);
    let cell = |role: usize| match offered {
        true => Cell::Sign(Sign::from(domain.access(tool, role.into()))),
        false => Cell::Sign(Sign::Nothing),
    };
    let role = if offered { Role::Plain } else { Role::Dim };
    let text = Text::plain("  ".repeat(depth)).role(role, domain.tool_name(tool));
    MainRow { item: Item::Tool(tool), text, cells: (0..domain.roles.len()).map(cell).collect() }
}

/// The columns of the pages that have counts.
pub fn headings(page: Page) -> &'static [&'static str] {
    match page {
        Page::Tools => &[],
        Page::Predicates => &["adds", "dels", "reads", "shows"],
        Page::Slots => &["makes", "reads", "given"],
        Page::Roles => &["may", "caps", "knows"],
    }
}

/// Which columns stand where.
pub struct Columns {
    /// Where the first begins.
    pub names: u16,
    /// Cells of each.
    pub width: u16,
    /// Those to be seen.
    pub shown: std::ops::Range<usize>,
    /// How many there are.
    pub all: usize,
}

/// Fits the columns of the page into a width; the names keep theirs, and the role's column is seen.
pub fn columns(screen: &Worlds, room: u16) -> Columns {
    let (all, width) = match screen.at.page {
        Page::Tools => (screen.world.domain.roles.len(), COLUMN),
        page => (headings(page).len(), 6),
    };
    let least = if screen.at.page == Page::Tools { NAME_WIDTH - 6 } else { NAME_WIDTH / 2 };
    let for_names = least.min(room / 2);
    let fit = usize::from(room.saturating_sub(for_names + 1) / width).clamp(1, all.max(1));
    let at = if screen.at.page == Page::Tools { screen.at.role } else { 0 };
    let first = (at + 1).saturating_sub(fit).min(all.saturating_sub(fit));
    let shown = first..(first + fit).min(all);
    let taken = u16::try_from(shown.len()).unwrap_or(0) * width;
    Columns { names: room.saturating_sub(taken + 1), width, shown, all }
}

fn relations(screen: &Worlds, kind: RelationKind) -> Vec<MainRow> {
    let domain = &screen.world.domain;
    let of_kind = domain.relations.iter().enumerate().filter(|(_, (_, relation))| relation.kind == kind);
    let mut rows: Vec<MainRow> = of_kind
        .filter(|(_, (name, _))| screen.at.filter.passes_name(name))
        .map(|(index, (name, relation))| {
            let id = RelationId::from(index);
            let used = screen.usage.relation(id);
            let params: Vec<&str> = relation.params.iter().map(|param| param.name.as_str()).collect();
            let mut text = Text::plain(name.as_str());
            if !params.is_empty() {
                text = text.role(Role::Dim, format!("({})", params.join(", ")));
            }
            let given = screen.world.problem.given.iter().filter(|&&fact| screen.world.facts.relation(fact) == id);
            let own = screen.world.problem.perspectives.values().flat_map(|perspective| &perspective.given);
            let given = given.count() + own.filter(|&&fact| screen.world.facts.relation(fact) == id).count();
            let counts = match kind {
                RelationKind::Predicate => {
                    vec![used.adds.len(), used.deletes.len(), used.reads.len(), used.reveals.len()]
                }
                RelationKind::Slot => vec![used.adds.len(), used.reads.len(), given],
            };
            MainRow { item: Item::Relation(id), text, cells: counts.into_iter().map(Cell::Count).collect() }
        })
        .collect();
    if screen.at.order != Order::Class {
        rows.sort_by_cached_key(|row| row.text.words());
    }
    if screen.at.reverse {
        rows.reverse();
    }
    rows
}

fn roles(screen: &Worlds) -> Vec<MainRow> {
    let domain = &screen.world.domain;
    let offered: Vec<ToolId> = (0..domain.tools.len()).map(ToolId::from).filter(|&tool| screen.offered(tool)).collect();
    let named = domain.roles.iter().enumerate().filter(|(_, (name, _))| screen.at.filter.passes_name(name));
    named
        .map(|(index, (name, role))| {
            let may = offered.iter().filter(|&&tool| domain.access(tool, index.into()) == Access::May).count();
            let mut text = Text::plain(name.as_str());
            if screen.world.problem.perspectives.contains_key(&RoleId::from(index)) {
                text = text.role(Role::Dim, format!("   in {}", screen.world.problem.id));
            }
            let counts = [may, role.capabilities.len(), role.knowledge.len()];
            MainRow { item: Item::Role(index.into()), text, cells: counts.into_iter().map(Cell::Count).collect() }
        })
        .collect()
}
