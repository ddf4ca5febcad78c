//! The tools of an entry as a matrix: who may use what.

use std::collections::HashSet;

use crate::world::{ClassId, ToolId, ToolsetId, World};

/// A row of the matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolRow {
    /// A class, heading its tools; how deep it stands, and how many it has here.
    Class(ClassId, usize, usize),
    /// A tool, and how deep it stands.
    Tool(ToolId, usize),
}

/// The rows in the taxonomy's order, those of closed classes too, each with whether it is to be
/// seen. `whole` shows tools that are not offered as well.
pub fn rows(world: &World, toolset: ToolsetId, whole: bool, closed: &HashSet<ClassId>) -> Vec<(ToolRow, bool)> {
    let mut rows = Vec::new();
    let set = &world.problem.toolsets[toolset.index()];
    let here = |tool: ToolId| whole || set.offered[tool.index()];
    walk(world, None, 0, &here, closed, true, &mut rows);
    rows
}

fn walk(
    world: &World,
    above: Option<ClassId>,
    depth: usize,
    here: &dyn Fn(ToolId) -> bool,
    closed: &HashSet<ClassId>,
    seen: bool,
    rows: &mut Vec<(ToolRow, bool)>,
) {
    let domain = &world.domain;
    for (index, _) in domain.taxonomy.values().enumerate().filter(|(_, class)| class.under == above) {
        let id = ClassId::from(index);
        let tools = (0..domain.tools.len()).map(ToolId::from);
        let own: Vec<ToolId> = tools.filter(|&tool| domain.tool(tool).class == id && here(tool)).collect();
        let open = !closed.contains(&id);
        let at = rows.len();
        rows.push((ToolRow::Class(id, depth, 0), seen));
        rows.extend(own.into_iter().map(|tool| (ToolRow::Tool(tool, depth + 1), seen && open)));
        walk(world, Some(id), depth + 1, here, closed, seen && open, rows);
        // A class counts the tools of those below it; one without any is left out.
        match rows[at..].iter().filter(|(row, _)| matches!(row, ToolRow::Tool(..))).count() {
            0 => rows.truncate(at),
            count => rows[at].0 = ToolRow::Class(id, depth, count),
        }
    }
}

/// Whether a class is another, or stands below it.
pub fn is_under(world: &World, class: ClassId, above: ClassId) -> bool {
    std::iter::successors(Some(class), |class| world.domain.taxonomy[class.index()].under).any(|class| class == above)
}
