//! An entry in words.

use std::sync::Arc;

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::value::RawValue;

use super::{access, by_class, legend};
use crate::{
    cli::{
        Paint,
        lines::{argument, below, difference, reason, room, row, titled},
        table::{Cell, Table, with_words},
    },
    exec::{Counts, Difference, ReferenceStep, Refusal, Share, State, goal_words, narrate, sorted_texts},
    run::arguments,
    text::{count, visible},
    tui::{cells, sign::Sign, theme::Role},
    world::{Access, GoalLiteral, Perspective, RoleId, ToolId, World},
};

/// An entry in lines.
pub fn lines(paint: &Paint, world: &Arc<World>) -> Vec<String> {
    let problem = &world.problem;
    let sets: Vec<String> = problem.toolsets.iter().map(|(name, set)| format!("{name} {}", set.tools.len())).collect();
    let facts = [
        world.domain.name.clone(),
        count(problem.perspectives.len(), "perspective"),
        format!("budget {}", problem.budget),
        format!("tools {}", sets.join(", ")),
    ];
    let mut lines = titled(paint, &problem.id, &problem.title);
    lines.extend(paint.wrapped(Role::Plain, &facts.join(paint.dot()), 0));
    lines.push(String::new());
    lines.extend(paint.wrapped(Role::Plain, &problem.query, 2).iter().map(|line| format!("> {line}")));
    if !problem.given.is_empty() {
        let given = sorted_texts(world, problem.given.iter().copied()).join(paint.dot());
        lines.push(String::new());
        lines.push(format!("{}  {}", paint.text(Role::Dim, "in everybody's hand"), paint.text(Role::Plain, &given)));
    }
    for (&role, perspective) in &problem.perspectives {
        lines.push(String::new());
        lines.extend(side(paint, world, role, perspective));
    }
    lines.push(String::new());
    lines.extend(tools(paint, world));
    lines
}

/// One perspective.
fn side(paint: &Paint, world: &Arc<World>, role: RoleId, perspective: &Perspective) -> Vec<String> {
    let name = world.domain.role_name(role).to_uppercase();
    let mut lines = vec![paint.text(Role::Title, &name)];
    let indented = |line: &String| format!("  {line}");
    lines.extend(paint.wrapped(Role::Plain, &perspective.persona, 2).iter().map(indented));
    if !perspective.given.is_empty() {
        let given = sorted_texts(world, perspective.given.iter().copied()).join(paint.dot());
        lines.push(format!("  {}  {}", paint.text(Role::Dim, "in hand"), paint.text(Role::Plain, &given)));
    }
    let start = State::initial(world, role);
    for (index, literals) in perspective.goal.alternatives.iter().enumerate() {
        let (guards, earned): (Vec<_>, Vec<_>) = literals.iter().partition(|literal| literal.holds(&start));
        lines.push(paint.text(Role::Dim, if index == 0 { "  goal" } else { "  or" }));
        lines.extend(goal(paint, world, &earned));
        if !guards.is_empty() {
            lines.push(paint.text(Role::Dim, "  to be kept"));
            lines.extend(goal(paint, world, &guards));
        }
    }
    lines.push(paint.text(Role::Dim, &format!("  reference, {}", count(perspective.reference.len(), "call"))));
    let mut before = perspective.goal.best(&start).1;
    for step in narrate(world, role) {
        lines.extend(told(paint, world, &step, before));
        before = step.goal;
    }
    lines
}

fn goal(paint: &Paint, world: &World, literals: &[&GoalLiteral]) -> Vec<String> {
    let row = |literal: &&GoalLiteral| (vec![Cell::plain(paint, &literal.text)], goal_words(world, literal));
    with_words(literals.iter().map(row).collect(), paint, 4)
}

/// A call of a reference: what it is, and what it adds.
fn told(paint: &Paint, world: &World, step: &ReferenceStep, before: Share) -> Vec<String> {
    let tool = world.domain.tool_name(step.tool);
    let args: Vec<String> = arguments(&step.args).iter().map(|(name, value)| argument(name, value)).collect();
    let beside: String = args.iter().map(|arg| format!("  {arg}")).collect();
    let (sign, counts) = (sign(step), Counts::of(&step.differences).to_string());
    let goal = if step.goal == before { String::new() } else { format!("  goal {}/{}", step.goal.held, step.goal.of) };
    let fits = cells::width(&visible(&beside)) + tool.len() + counts.len() + goal.len() < room(paint) - 12;
    let left = [(Role::Title, tool), (Role::Plain, if fits { beside.as_str() } else { "" })];
    let right = [(Role::Plain, counts.as_str()), (Role::Good, goal.as_str())];
    let mut lines = vec![row(paint, &step.step.to_string(), sign, &left, &right)];
    if !fits {
        lines.extend(args.iter().map(|arg| below(&paint.text(Role::Plain, arg))));
    }
    lines.extend(step.differences.iter().map(|entry| below(&difference(paint, world, *entry))));
    for refusal in &step.refusals {
        let gate = matches!(refusal, Refusal::Capability { .. } | Refusal::Knowledge { .. });
        lines.extend(reason(paint, &refusal.to_string(), gate));
    }
    lines
}

fn sign(step: &ReferenceStep) -> Sign {
    if !step.refusals.is_empty() {
        Sign::from(crate::run::StepKind::of_reasons(step.refusals.iter().map(Refusal::name)))
    } else if step.differences.is_empty() {
        Sign::FiredIdle
    } else {
        Sign::Fired
    }
}

/// The offered tools by class: which role may use them, and from which set on they are offered.
fn tools(paint: &Paint, world: &World) -> Vec<String> {
    let (domain, problem) = (&world.domain, &world.problem);
    let Some((_, widest)) = problem.toolsets.last() else { return Vec::new() };
    let roles: Vec<RoleId> = problem.perspectives.keys().copied().collect();
    let mut head = vec!["tool"];
    head.extend(roles.iter().map(|&role| domain.role_name(role)));
    head.push("offered in");
    let mut table = Table::new(paint, &head);
    for (depth, class, tools) in by_class(domain, &widest.tools) {
        table.row(vec![Cell::new(paint, Role::Dim, &format!("{}{class}", "  ".repeat(depth)))]);
        for tool in tools {
            let name = format!("{}{}", "  ".repeat(depth + 1), domain.tool_name(tool));
            let mut cells = vec![Cell::plain(paint, &name)];
            cells.extend(roles.iter().map(|&role| access(paint, domain.access(tool, role))));
            cells.push(Cell::new(paint, Role::Dim, &sets(world, tool).join(" ")));
            table.row(cells);
        }
    }
    let mut lines = vec![paint.text(Role::Title, &format!("Tools {}", widest.tools.len()))];
    lines.extend(table.lines(paint, 2));
    lines.push(String::new());
    lines.push(legend(paint));
    lines
}

/// The tool sets that offer a tool.
fn sets(world: &World, tool: ToolId) -> Vec<&str> {
    let sets = world.problem.toolsets.iter().filter(|(_, set)| set.offered[tool.index()]);
    sets.map(|(name, _)| name.as_str()).collect()
}

/// The shape of `refract show PROBLEM --format json`.
#[derive(Serialize)]
pub struct EntryView<'a> {
    problem: &'a str,
    title: &'a str,
    domain: &'a str,
    query: &'a str,
    budget: u32,
    given: Vec<String>,
    toolsets: IndexMap<&'a str, Vec<&'a str>>,
    perspectives: Vec<PerspectiveView<'a>>,
    tools: Vec<ToolView<'a>>,
}

#[derive(Serialize)]
struct PerspectiveView<'a> {
    role: &'a str,
    persona: &'a str,
    given: Vec<String>,
    /// One list for each alternative.
    goal: Vec<Vec<LiteralView<'a>>>,
    reference: Vec<CallView<'a>>,
}

#[derive(Serialize)]
struct LiteralView<'a> {
    literal: &'a str,
    words: String,
    guard: bool,
}

#[derive(Serialize)]
struct CallView<'a> {
    tool: &'a str,
    args: Box<RawValue>,
    fired: bool,
    refusals: Vec<Refusal>,
    added: Vec<String>,
    removed: Vec<String>,
    produced: Vec<String>,
    goal: Share,
}

#[derive(Serialize)]
struct ToolView<'a> {
    tool: &'a str,
    class: &'a str,
    toolsets: Vec<&'a str>,
    roles: IndexMap<&'a str, Access>,
}

impl EntryView<'_> {
    /// Everything about an entry.
    pub fn of(world: &Arc<World>) -> EntryView<'_> {
        let (domain, problem) = (&world.domain, &world.problem);
        let names = |tools: &[ToolId]| tools.iter().map(|&tool| domain.tool_name(tool)).collect();
        let widest = problem.toolsets.last().map_or(&[][..], |(_, set)| &set.tools);
        EntryView {
            problem: &problem.id,
            title: &problem.title,
            domain: &domain.name,
            query: &problem.query,
            budget: problem.budget,
            given: sorted_texts(world, problem.given.iter().copied()),
            toolsets: problem.toolsets.iter().map(|(name, set)| (name.as_str(), names(&set.tools))).collect(),
            perspectives: problem.perspectives.iter().map(|(&role, p)| PerspectiveView::of(world, role, p)).collect(),
            tools: widest.iter().map(|&tool| ToolView::of(world, tool)).collect(),
        }
    }
}

impl<'a> PerspectiveView<'a> {
    fn of(world: &'a Arc<World>, role: RoleId, perspective: &'a Perspective) -> Self {
        let start = State::initial(world, role);
        let literal = |literal: &'a GoalLiteral| LiteralView {
            literal: &literal.text,
            words: goal_words(world, literal),
            guard: literal.holds(&start),
        };
        PerspectiveView {
            role: world.domain.role_name(role),
            persona: &perspective.persona,
            given: sorted_texts(world, perspective.given.iter().copied()),
            goal: perspective.goal.alternatives.iter().map(|list| list.iter().map(literal).collect()).collect(),
            reference: narrate(world, role).into_iter().filter_map(|step| CallView::of(world, step)).collect(),
        }
    }
}

impl<'a> CallView<'a> {
    fn of(world: &'a World, step: ReferenceStep) -> Option<Self> {
        let (mut added, mut removed, mut produced) = (Vec::new(), Vec::new(), Vec::new());
        for difference in &step.differences {
            match *difference {
                Difference::Changed { from, to } => {
                    removed.push(from);
                    added.push(to);
                }
                Difference::Removed(fact) => removed.push(fact),
                Difference::Added(fact) => added.push(fact),
                Difference::Produced(fact) => produced.push(fact),
            }
        }
        Some(CallView {
            tool: world.domain.tool_name(step.tool),
            args: RawValue::from_string(step.args).ok()?,
            fired: step.refusals.is_empty(),
            refusals: step.refusals,
            added: sorted_texts(world, added),
            removed: sorted_texts(world, removed),
            produced: sorted_texts(world, produced),
            goal: step.goal,
        })
    }
}

impl<'a> ToolView<'a> {
    fn of(world: &'a World, tool: ToolId) -> Self {
        let domain = &world.domain;
        let class = domain.taxonomy.get_index(domain.tool(tool).class.index());
        ToolView {
            tool: domain.tool_name(tool),
            class: class.map_or("", |(name, _)| name),
            toolsets: sets(world, tool),
            roles: roles(domain, tool),
        }
    }
}

/// Whether each role of the domain may use a tool.
pub fn roles(domain: &crate::world::Domain, tool: ToolId) -> IndexMap<&str, Access> {
    let roles = domain.roles.keys().enumerate();
    roles.map(|(index, name)| (name.as_str(), domain.access(tool, RoleId::from(index)))).collect()
}
