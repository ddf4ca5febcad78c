//! The entry's header, its perspectives in columns, and its tools as a matrix.

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use crate::text::visible;
use crate::tui::canvas::Canvas;
use crate::tui::cells;
use crate::tui::entry::Entry;
use crate::tui::entry::tools::{ToolRow, is_under};
use crate::tui::list::Seen;
use crate::tui::page::Text;
use crate::tui::screen::Title;
use crate::tui::sign::Sign;
use crate::tui::theme::Role;
use crate::world::{Access, ClassId, RoleId, ToolId, World};

/// Below this width perspectives stand one by one.
pub const ONE_BELOW: u16 = 100;
/// The least columns that a perspective takes beside others.
pub const COLUMN: u16 = 37;

/// Lines that headings take in a pane of that height.
pub fn heading_lines(height: u16) -> u16 {
    u16::from(height > 3)
}

/// The columns of one perspective, its cursor and the gap behind it included.
pub fn slot(width: u16, across: usize) -> u16 {
    (width / u16::try_from(across).unwrap_or(1).max(1)).max(1)
}

/// The cells that the text of a perspective has.
pub fn cell_room(width: u16, across: usize) -> usize {
    usize::from(slot(width, across).saturating_sub(3)).max(8)
}

/// Id, title and terms, and the query.
pub fn header(entry: &Entry, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let problem = &entry.world.problem;
    let set = problem.toolsets.get_index(entry.toolset.index());
    let set = set.map_or(String::new(), |(name, set)| {
        format!("tools: {name}, {} of {}", set.tools.len(), entry.world.domain.tools.len())
    });
    let right = format!("{set}   budget {} ", problem.budget);
    let (title, domain) = (format!("{} {}", problem.id, problem.title), format!("   {}", entry.world.domain.name));
    let room = usize::from(canvas.width().saturating_sub(2)).saturating_sub(cells::width(&right));
    let mut left = vec![theme.span(Role::Title, cells::words(&visible(&title), room, theme.ascii))];
    // A name is shown whole or not at all.
    if cells::width(&visible(&title)) + cells::width(&visible(&domain)) <= room {
        left.push(theme.span(Role::Good, domain));
    }
    canvas.sides(1, 0, Line::from(left), right);
    let room = usize::from(canvas.width().saturating_sub(4)).max(8);
    let query = crate::tui::page::wrapped(&problem.query, room);
    let lines = usize::from(canvas.height().saturating_sub(1));
    let hidden = query.len().saturating_sub(lines);
    for (y, line) in (1..).zip(query.iter().take(lines)) {
        if y == 1 {
            canvas.line(1, y, theme.span(Role::Dim, ">"));
        }
        let last = usize::from(y) == lines && hidden > 0;
        let more = if last {
            theme.span(Role::Dim, format!("{} {hidden} more", theme.glyph(Sign::Unfolded)))
        } else {
            Span::raw("")
        };
        canvas.sides(3, y, theme.span(Role::Plain, line.as_str()), more);
    }
}

/// `Perspectives 3`.
pub fn sheet_title(entry: &Entry) -> Title {
    let hidden = entry.sides.len().saturating_sub(entry.across);
    let right = if hidden > 0 { format!("{hidden} more: h l") } else { String::new() };
    Title::new(format!("Perspectives {}", entry.sides.len())).right(right)
}

/// `Tools 17, narrow`.
pub fn tools_title(entry: &Entry) -> Title {
    let offered = entry.all_tools.iter().filter(|(row, _)| matches!(row, ToolRow::Tool(..))).count();
    let name = entry.world.problem.toolsets.get_index(entry.toolset.index()).map_or("", |(name, _)| name);
    let shown = if entry.whole { "whole domain" } else { name };
    Title::new(format!("Tools {offered}")).right(format!("set: {shown}"))
}

/// Draws the perspectives.
pub fn sheet(entry: &Entry, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let slot = slot(canvas.width(), entry.across);
    let top = heading_lines(canvas.height());
    if top > 0 {
        heads(entry, slot, canvas);
    }
    let focused = canvas.focused;
    let width = canvas.width();
    let mut body = canvas.part(0, top, u16::MAX, u16::MAX).focused(focused);
    let height = body.height();
    for seen in entry.list.seen(entry.rows.len(), height, |row| entry.height(row)) {
        let row = &entry.rows[seen.row];
        if let Some(heading) = &row.heading {
            let only = (entry.across == 1).then_some(entry.column);
            let y = seen.y + seen.lines - 1;
            let sign = if entry.is_folded(row.section) { Sign::Folded } else { Sign::Unfolded };
            let line = vec![
                theme.sign(sign),
                Span::raw(" "),
                theme.span(Role::Title, heading.name),
                theme.span(Role::Dim, format!("  {}", heading.note(only))),
            ];
            body.part(0, 0, width, u16::MAX).focused(focused).row(y, seen.cursor, Line::from(line), "");
            continue;
        }
        for column in entry.first..(entry.first + entry.across).min(entry.sides.len()) {
            let x = slot * u16::try_from(column - entry.first).unwrap_or(0);
            let mut place = body.part(x, seen.y, slot.saturating_sub(1), seen.lines).focused(focused);
            cell(entry, &mut place, seen, column);
        }
    }
}

fn cell(entry: &Entry, canvas: &mut Canvas, seen: Seen, column: usize) {
    let theme = canvas.theme;
    let none = Vec::new();
    let lines = entry.broken.get(seen.row).and_then(|cells| cells.get(column)).unwrap_or(&none);
    for (y, (left, right)) in (0..canvas.height()).zip(lines) {
        canvas.sides(1, y, left.line(&theme), right.line(&theme));
    }
    let hidden = lines.len().saturating_sub(usize::from(seen.lines));
    if hidden > 0 && seen.lines > 0 {
        let mark = format!("{} {hidden} more", theme.glyph(Sign::Unfolded));
        let width = u16::try_from(cells::width(&mark)).unwrap_or(0) + 1;
        let x = canvas.width().saturating_sub(width);
        let mut place = canvas.part(x, seen.lines - 1, width, 1);
        place.clear();
        place.line(1, 0, theme.span(Role::Dim, mark));
    }
    if seen.cursor && column == entry.column {
        canvas.cursor(0);
    }
}

/// The roles above their columns; where there is room for one alone, all names with that one marked.
fn heads(entry: &Entry, slot: u16, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let name = |column: usize| entry.sides.get(column).map_or("", |side| entry.world.domain.role_name(side.role));
    let style = |column: usize| if column == entry.column { theme.style(Role::Key) } else { theme.style(Role::Title) };
    if entry.across == 1 && entry.sides.len() > 1 {
        let mut spans = Vec::new();
        for column in 0..entry.sides.len() {
            let shown =
                if column == entry.column { format!("[{}]", name(column)) } else { format!(" {} ", name(column)) };
            let style = if column == entry.column { theme.style(Role::Key) } else { theme.style(Role::Plain) };
            spans.push(Span::styled(shown, style));
            spans.push(Span::raw(" "));
        }
        return canvas.line(1, 0, Line::from(spans));
    }
    for column in entry.first..(entry.first + entry.across).min(entry.sides.len()) {
        let x = slot * u16::try_from(column - entry.first).unwrap_or(0);
        let text = if column == entry.column { format!("[{}]", name(column)) } else { format!(" {} ", name(column)) };
        canvas.part(x, 0, slot.saturating_sub(1), 1).line(1, 0, Span::styled(text, style(column)));
    }
}

/// The name of a class.
pub fn class_name(world: &World, class: ClassId) -> &str {
    world.domain.taxonomy.get_index(class.index()).map_or("", |(name, _)| name)
}

/// Columns of a role in the matrix.
const ROLE: u16 = 3;

/// Draws the tools.
pub fn tools(entry: &Entry, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let world = &entry.world;
    let roles: Vec<RoleId> = (0..world.domain.roles.len()).map(RoleId::from).collect();
    let names = world.domain.tools.keys().map(|name| cells::width(name) + 4);
    // A class has its sign before it and its count behind it, and may stand deeper.
    let names = names.chain(world.domain.taxonomy.keys().map(|name| cells::width(name) + 8));
    let matrix = ROLE * u16::try_from(roles.len()).unwrap_or(0);
    let most = canvas.width().saturating_sub(matrix + 4).max(10);
    let name_room = u16::try_from(names.max().unwrap_or(0)).unwrap_or(u16::MAX).min(most);
    let at = |role: RoleId| 1 + name_room + ROLE * u16::try_from(role.index()).unwrap_or(0);
    let top = heading_lines(canvas.height());
    if top > 0 {
        for &role in &roles {
            let initial: String = world.domain.role_name(role).chars().take(1).flat_map(char::to_uppercase).collect();
            let style = if role == entry.role { theme.style(Role::Key) } else { theme.style(Role::Dim) };
            canvas.line_in(at(role) + 1, 0, 1, Span::styled(initial, style));
        }
        let x = at(RoleId::from(roles.len())) + 2;
        let name = if canvas.width() < ONE_BELOW {
            String::new()
        } else {
            format!("{}   ", world.domain.role_name(entry.role))
        };
        let role = theme.span(Role::Key, name);
        canvas.line(x, 0, Line::from(legend(entry, role, canvas)));
    }
    let focused = canvas.focused;
    let width = canvas.width().saturating_sub(1);
    let mut body = canvas.part(0, top, width, u16::MAX).focused(focused);
    for seen in entry.tool_list.seen(entry.tools.len(), body.height(), |_| 1) {
        if seen.cursor {
            body.cursor(seen.y);
        }
        match entry.all_tools[entry.tools[seen.row]].0 {
            ToolRow::Class(class, depth, count) => {
                let sign = if entry.is_closed(class) { Sign::Folded } else { Sign::Unfolded };
                let line = vec![
                    Span::raw("  ".repeat(depth)),
                    theme.sign(sign),
                    theme.span(Role::Title, format!(" {}", class_name(world, class))),
                    theme.span(Role::Dim, format!(" {count}")),
                ];
                body.line_in(1, seen.y, name_room, Line::from(line));
                for &role in &roles {
                    let may = class_count(entry, class, role);
                    body.line_in(at(role) + 1, seen.y, 2, theme.span(Role::Dim, may.to_string()));
                }
            }
            ToolRow::Tool(tool, depth) => {
                let offered = world.problem.toolsets[entry.toolset.index()].offered[tool.index()];
                let role = if offered { Role::Plain } else { Role::Dim };
                let name = format!("{}{}", "  ".repeat(depth), world.domain.tool_name(tool));
                body.line_in(1, seen.y, name_room, theme.span(role, name));
                for &role in &roles {
                    matrix_cell(entry, &mut body, at(role), seen, tool, role, offered);
                }
                let x = at(RoleId::from(roles.len())) + 2;
                let used = used_at(entry, tool);
                body.sides(x, seen.y, theme.span(Role::Dim, world.domain.tool(tool).doc.as_str()), used.line(&theme));
            }
        }
    }
}

fn matrix_cell(entry: &Entry, body: &mut Canvas, x: u16, seen: Seen, tool: ToolId, role: RoleId, offered: bool) {
    let theme = body.theme;
    let sign = if offered { entry.world.domain.access(tool, role).into() } else { Sign::Nothing };
    let here = seen.cursor && role == entry.role;
    if here {
        body.line_in(x, seen.y, 1, theme.span(Role::Title, "["));
        body.line_in(x + 2, seen.y, 1, theme.span(Role::Title, "]"));
    }
    body.line_in(x + 1, seen.y, 1, theme.sign(sign));
    if role == entry.role && sign == Sign::May {
        body.restyle(x + 1, seen.y, 1, Style::new().add_modifier(Modifier::BOLD));
    }
}

/// How many of the tools of a class that stand here a role may use.
fn class_count(entry: &Entry, class: ClassId, role: RoleId) -> usize {
    let tools = entry.all_tools.iter().filter_map(|(row, _)| match row {
        ToolRow::Tool(tool, _) if is_under(&entry.world, entry.world.domain.tool(*tool).class, class) => Some(*tool),
        _ => None,
    });
    tools.filter(|&tool| entry.world.domain.access(tool, role) == Access::May).count()
}

/// In which references a tool stands, and where: `operator 3  planner 1`.
fn used_at(entry: &Entry, tool: ToolId) -> Text {
    let mut text = Text::default();
    for side in &entry.sides {
        let steps: Vec<String> =
            side.steps.iter().filter(|step| step.tool == tool).map(|step| step.step.to_string()).collect();
        if !steps.is_empty() {
            let name = entry.world.domain.role_name(side.role);
            text = text.role(Role::Good, format!("  {name} {}", steps.join(",")));
        }
    }
    text
}

/// The role under the cursor, and what the signs mean.
fn legend(entry: &Entry, role: Span<'static>, canvas: &Canvas) -> Vec<Span<'static>> {
    let theme = canvas.theme;
    let words = [
        (Sign::May, "may"),
        (Sign::Capability, "lacks capability"),
        (Sign::Knowledge, "knowledge"),
        (Sign::BothGates, "both"),
    ];
    let mut spans = vec![role];
    for (sign, word) in words {
        spans.extend([theme.sign(sign), theme.span(Role::Dim, format!(" {word}   "))]);
    }
    if entry.whole {
        spans.extend([theme.sign(Sign::Nothing), theme.span(Role::Dim, " not in this tool set")]);
    }
    spans
}
