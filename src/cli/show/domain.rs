//! A domain in words.

use indexmap::IndexMap;
use serde::Serialize;

use super::{access, by_class, entry::roles, legend};
use crate::{
    cli::{
        Paint,
        table::{Cell, Table},
    },
    text::count,
    tui::{cells, sign::Sign, theme::Role},
    world::{
        Access, Domain, Gate, Piece, Relation, RelationId, RelationKind, RelationUse, RoleId, Source, Template, ToolId,
        TypeId, Types, Usage,
    },
};

/// A domain in lines.
pub fn lines(paint: &Paint, domain: &Domain) -> Vec<String> {
    let slots = domain.relations.values().filter(|relation| relation.kind == RelationKind::Slot).count();
    let facts = [
        count(domain.roles.len(), "role"),
        count(domain.tools.len(), "tool"),
        count(domain.relations.len() - slots, "predicate"),
        count(slots, "slot"),
    ];
    let mut lines = vec![
        format!("{}  {}", paint.text(Role::Title, &domain.name), paint.text(Role::Dim, "domain")),
        paint.text(Role::Plain, &facts.join(paint.dot())),
    ];
    let usage = Usage::of(domain);
    let sections = [
        ("Types", types(paint, domain)),
        ("Roles", role_docs(paint, domain)),
        (
            "Capabilities",
            gates(paint, domain, &domain.capabilities, |role, gate| {
                domain.with_capability(gate.into()).any(|holder| holder == role)
            }),
        ),
        (
            "Knowledge",
            gates(paint, domain, &domain.knowledge, |role, gate| {
                domain.with_knowledge(gate.into()).any(|holder| holder == role)
            }),
        ),
        ("Sources", sources(paint, domain)),
        ("Tools", tools(paint, domain)),
        ("Slots", relations(paint, domain, &usage, RelationKind::Slot)),
        ("Predicates", relations(paint, domain, &usage, RelationKind::Predicate)),
    ];
    for (name, section) in sections.into_iter().filter(|(_, section)| !section.is_empty()) {
        lines.push(String::new());
        lines.push(paint.text(Role::Title, name));
        lines.extend(section);
    }
    lines
}

/// The tree, with the constants of each type beside it.
fn types(paint: &Paint, domain: &Domain) -> Vec<String> {
    let tree = type_tree(domain, Types::OBJECT, 0);
    let column = tree.iter().map(|(depth, id)| 2 * depth + cells::width(domain.types.name(*id))).max().unwrap_or(0) + 4;
    let mut lines = Vec::new();
    for (depth, id) in tree {
        let name = format!("{}{}", "  ".repeat(depth + 1), domain.types.name(id));
        let own = domain.constants.iter().filter(|(_, ty)| **ty == id).map(|(name, _)| name.as_str());
        let constants = paint.wrapped(Role::Dim, &own.collect::<Vec<_>>().join(", "), column);
        for (index, part) in constants.into_iter().enumerate() {
            let head = if index == 0 { name.as_str() } else { "" };
            lines.push(format!("{head}{}{part}", " ".repeat(column.saturating_sub(cells::width(head)))));
        }
    }
    lines
}

/// Types below one, each with its depth; `role` is left out, for its objects are listed apart.
fn type_tree(domain: &Domain, above: TypeId, depth: usize) -> Vec<(usize, TypeId)> {
    let ids = (0..domain.types.by_name.len()).map(TypeId::from);
    let below = ids.filter(|&id| domain.types.by_name[id.index()].parent == Some(above) && id != Types::ROLE);
    below.flat_map(|id| [vec![(depth, id)], type_tree(domain, id, depth + 1)].concat()).collect()
}

fn role_docs(paint: &Paint, domain: &Domain) -> Vec<String> {
    let mut table = Table::default();
    for (name, role) in &domain.roles {
        table.row(vec![Cell::plain(paint, name), Cell::new(paint, Role::Dim, &role.doc)]);
    }
    table.lines(paint, 2)
}

/// Gates × roles.
fn gates(
    paint: &Paint,
    domain: &Domain,
    gates: &IndexMap<String, Gate>,
    holds: impl Fn(RoleId, usize) -> bool,
) -> Vec<String> {
    if gates.is_empty() {
        return Vec::new();
    }
    let mut head = vec![""];
    head.extend(domain.roles.keys().map(String::as_str));
    let mut table = Table::new(paint, &head);
    for (index, (name, gate)) in gates.iter().enumerate() {
        let mut cells = vec![Cell::plain(paint, name)];
        cells.extend((0..domain.roles.len()).map(|role| {
            let sign = if holds(RoleId::from(role), index) { Sign::May } else { Sign::Nothing };
            Cell::painted(paint.sign(sign), 1)
        }));
        cells.push(Cell::new(paint, Role::Dim, &gate.text));
        table.row(cells);
    }
    table.lines(paint, 2)
}

fn sources(paint: &Paint, domain: &Domain) -> Vec<String> {
    let mut table = Table::default();
    for (name, source) in &domain.sources {
        let knowledge = source.knowledge.map_or("open to all", |id| domain.knowledge_name(id));
        let cells = [(Role::Plain, name.as_str()), (Role::Plain, knowledge), (Role::Dim, &source.doc)];
        table.row(cells.iter().map(|(role, text)| Cell::new(paint, *role, text)).collect());
    }
    table.lines(paint, 2)
}

/// Tools × roles, by class.
fn tools(paint: &Paint, domain: &Domain) -> Vec<String> {
    let all: Vec<ToolId> = (0..domain.tools.len()).map(ToolId::from).collect();
    let mut head = vec![""];
    head.extend(domain.roles.keys().map(String::as_str));
    head.extend(["capability", "knowledge"]);
    let none = paint.either("–", "-");
    let mut table = Table::new(paint, &head);
    for (depth, class, tools) in by_class(domain, &all) {
        table.row(vec![Cell::new(paint, Role::Dim, &format!("{}{class}", "  ".repeat(depth)))]);
        for tool in tools {
            let gates = domain.tool(tool).gates;
            let name = format!("{}{}", "  ".repeat(depth + 1), domain.tool_name(tool));
            let mut cells = vec![Cell::plain(paint, &name)];
            cells.extend(roles(domain, tool).values().map(|&may| access(paint, may)));
            cells.push(Cell::new(paint, Role::Dim, gates.capability.map_or(none, |id| domain.capability_name(id))));
            cells.push(Cell::new(paint, Role::Dim, gates.knowledge.map_or(none, |id| domain.knowledge_name(id))));
            table.row(cells);
        }
    }
    let mut lines = table.lines(paint, 2);
    lines.push(String::new());
    lines.push(legend(paint));
    lines
}

/// Predicates or slots, with the tools that touch them.
fn relations(paint: &Paint, domain: &Domain, usage: &Usage, kind: RelationKind) -> Vec<String> {
    let mut lines = Vec::new();
    for (index, (name, relation)) in domain.relations.iter().enumerate().filter(|(_, (_, r))| r.kind == kind) {
        let words = wording(relation);
        let gap = if words.is_empty() { "" } else { "  " };
        let signature = paint.text(Role::Plain, &signature(domain, name, relation));
        lines.push(format!("  {signature}{gap}{}", paint.text(Role::Dim, &words)));
        let used = usage.relation(RelationId::from(index));
        for (verb, tools) in verbs(kind, used).into_iter().filter(|(_, tools)| !tools.is_empty()) {
            let names: Vec<&str> = tools.iter().map(|&tool| domain.tool_name(tool)).collect();
            let indent = 6 + 12;
            let mut wrapped = paint.wrapped(Role::Plain, &names.join(", "), indent).into_iter();
            let first = wrapped.next().unwrap_or_default();
            lines.push(format!("      {}{first}", paint.text(Role::Dim, &format!("{verb:<12}"))));
            lines.extend(wrapped.map(|line| format!("{}{line}", " ".repeat(indent))));
        }
    }
    lines
}

fn verbs(kind: RelationKind, used: &RelationUse) -> [(&'static str, &Vec<ToolId>); 4] {
    let (adds, reads) = match kind {
        RelationKind::Slot => ("made by", "consumed by"),
        RelationKind::Predicate => ("added by", "read by"),
    };
    [(adds, &used.adds), ("deleted by", &used.deletes), (reads, &used.reads), ("shown by", &used.reveals)]
}

/// `status(asset, condition)`, an arrow before the value of a functional one.
fn signature(domain: &Domain, name: &str, relation: &Relation) -> String {
    let types: Vec<&str> = relation.params.iter().map(|param| domain.types.name(param.ty)).collect();
    match types.split_last() {
        None => name.to_owned(),
        Some((value, [])) if relation.functional => format!("{name} = {value}"),
        Some((value, key)) if relation.functional => format!("{name}({}) = {value}", key.join(", ")),
        Some(_) => format!("{name}({})", types.join(", ")),
    }
}

fn wording(relation: &Relation) -> String {
    let text = relation.text.as_ref().map_or_else(|| relation.doc.clone(), |text| template(text, relation));
    match text.is_empty() {
        true => String::new(),
        false if relation.kind == RelationKind::Predicate => format!("\"{text}\""),
        false => text,
    }
}

/// The text with its placeholders, as the file has it.
fn template(text: &Template, relation: &Relation) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Var(var) => format!("{{{}}}", relation.params.get(var.index()).map_or("?", |param| &param.name)),
    };
    text.0.iter().map(piece).collect()
}

/// The shape of `refract show DOMAIN --format json`.
#[derive(Serialize)]
pub struct DomainView<'a> {
    domain: &'a str,
    types: Vec<TypeView<'a>>,
    capabilities: IndexMap<&'a str, &'a str>,
    knowledge: IndexMap<&'a str, &'a str>,
    sources: IndexMap<&'a str, SourceView<'a>>,
    roles: Vec<RoleView<'a>>,
    tools: Vec<ToolView<'a>>,
    predicates: Vec<RelationView<'a>>,
    slots: Vec<RelationView<'a>>,
}

#[derive(Serialize)]
struct TypeView<'a> {
    name: &'a str,
    under: Option<&'a str>,
    constants: Vec<&'a str>,
}

#[derive(Serialize)]
struct SourceView<'a> {
    knowledge: Option<&'a str>,
    doc: &'a str,
}

#[derive(Serialize)]
struct RoleView<'a> {
    role: &'a str,
    doc: &'a str,
    capabilities: Vec<&'a str>,
    knowledge: Vec<&'a str>,
}

#[derive(Serialize)]
struct ToolView<'a> {
    tool: &'a str,
    class: &'a str,
    routing: bool,
    capability: Option<&'a str>,
    knowledge: Option<&'a str>,
    roles: IndexMap<&'a str, Access>,
}

#[derive(Serialize)]
struct RelationView<'a> {
    name: &'a str,
    params: Vec<&'a str>,
    functional: bool,
    adds: Vec<&'a str>,
    deletes: Vec<&'a str>,
    reads: Vec<&'a str>,
    reveals: Vec<&'a str>,
}

impl<'a> DomainView<'a> {
    /// Everything about a domain.
    pub fn of(domain: &'a Domain) -> Self {
        let usage = Usage::of(domain);
        let relations = |kind: RelationKind| {
            let all = domain.relations.iter().enumerate().filter(move |(_, (_, relation))| relation.kind == kind);
            all.map(|(index, (name, relation))| {
                RelationView::of(domain, name, relation, usage.relation(RelationId::from(index)))
            })
            .collect()
        };
        let texts = |gates: &'a IndexMap<String, Gate>| {
            gates.iter().map(|(name, gate)| (name.as_str(), gate.text.as_str())).collect()
        };
        let source = |source: &'a Source| SourceView {
            knowledge: source.knowledge.map(|id| domain.knowledge_name(id)),
            doc: &source.doc,
        };
        DomainView {
            domain: &domain.name,
            capabilities: texts(&domain.capabilities),
            knowledge: texts(&domain.knowledge),
            sources: domain.sources.iter().map(|(name, found)| (name.as_str(), source(found))).collect(),
            types: domain
                .types
                .by_name
                .iter()
                .enumerate()
                .map(|(i, (name, _))| TypeView::of(domain, name, i.into()))
                .collect(),
            roles: domain.roles.iter().map(|(name, role)| RoleView::of(domain, name, role)).collect(),
            tools: (0..domain.tools.len()).map(|index| ToolView::of(domain, index.into())).collect(),
            predicates: relations(RelationKind::Predicate),
            slots: relations(RelationKind::Slot),
        }
    }
}

impl<'a> TypeView<'a> {
    fn of(domain: &'a Domain, name: &'a str, id: TypeId) -> Self {
        let parent = domain.types.by_name[id.index()].parent;
        let constants = domain.constants.iter().filter(|(_, ty)| **ty == id);
        TypeView {
            name,
            under: parent.map(|parent| domain.types.name(parent)),
            constants: constants.map(|(name, _)| name.as_str()).collect(),
        }
    }
}

impl<'a> RoleView<'a> {
    fn of(domain: &'a Domain, name: &'a str, role: &'a crate::world::Role) -> Self {
        RoleView {
            role: name,
            doc: &role.doc,
            capabilities: role.capabilities.iter().map(|&id| domain.capability_name(id)).collect(),
            knowledge: role.knowledge.iter().map(|&id| domain.knowledge_name(id)).collect(),
        }
    }
}

impl<'a> ToolView<'a> {
    fn of(domain: &'a Domain, id: ToolId) -> Self {
        let tool = domain.tool(id);
        let class = domain.taxonomy.get_index(tool.class.index());
        ToolView {
            tool: domain.tool_name(id),
            class: class.map_or("", |(name, _)| name),
            routing: tool.routing,
            capability: tool.gates.capability.map(|id| domain.capability_name(id)),
            knowledge: tool.gates.knowledge.map(|id| domain.knowledge_name(id)),
            roles: roles(domain, id),
        }
    }
}

impl<'a> RelationView<'a> {
    fn of(domain: &'a Domain, name: &'a str, relation: &'a Relation, used: &RelationUse) -> Self {
        let names = |tools: &[ToolId]| tools.iter().map(|&tool| domain.tool_name(tool)).collect();
        RelationView {
            name,
            params: relation.params.iter().map(|param| domain.types.name(param.ty)).collect(),
            functional: relation.functional,
            adds: names(&used.adds),
            deletes: names(&used.deletes),
            reads: names(&used.reads),
            reveals: names(&used.reveals),
        }
    }
}
