//! One tool for one role: may it, why not, ways on, and what the tool takes, gives, needs and does.

use super::{CardRow, Name, Worlds};
use crate::exec::{atom_text, literal_text};
use crate::text::count;
use crate::tui::highlight::{Syntax, Tokens};
use crate::tui::page::{Text, a, wrapped};
use crate::tui::sign::Sign;
use crate::tui::theme::Role;
use crate::world::{Access, Effect, Literal, RelationId, RoleId, SymbolId, Tool, ToolId, VarId};

/// Nothing has a value: definitions are shown with their variables.
fn free(_: VarId) -> Option<SymbolId> {
    None
}

/// The card of a tool, for the role of the column.
pub fn tool(screen: &Worlds, tool: ToolId, room: usize) -> Vec<CardRow> {
    let role = RoleId::from(screen.at.role);
    let definition = screen.world.domain.tool(tool);
    let mut out = paragraph(&definition.doc, Role::Plain, room);
    gap(&mut out);
    verdict(screen, tool, role, &mut out);
    gates(screen, definition, role, room, &mut out);
    if screen.world.domain.access(tool, role) != Access::May {
        ways_on(screen, tool, role, room, &mut out);
    }
    gap(&mut out);
    takes(screen, definition, room, &mut out);
    gives(screen, definition, room, &mut out);
    conditions(screen, definition, &mut out);
    effects(screen, definition, &mut out);
    reveals(screen, definition, &mut out);
    if let Some(counts) = &screen.counts {
        gap(&mut out);
        let (references, refused) = (counts.references[tool.index()], counts.refused[tool.index()]);
        let references = count(references, "reference");
        let words = match counts.runs {
            0 => format!("In {references}; there are no runs here"),
            runs => format!("In {references}, refused in {refused} of {}", count(runs, "run")),
        };
        out.push(CardRow::of(Text::plain(words)));
    }
    gap(&mut out);
    source(screen, &definition.definition, &mut out);
    out
}

/// The card of a class.
pub fn class(screen: &Worlds, class: usize, room: usize) -> Vec<CardRow> {
    let domain = &screen.world.domain;
    let Some((_, definition)) = domain.taxonomy.get_index(class) else { return Vec::new() };
    let mut out = Vec::new();
    if let Some(under) = definition.under {
        let name = domain.taxonomy.get_index(under.index()).map_or("", |(name, _)| name);
        out.push(CardRow::of(Text::dim("stands under ").and(name)));
    }
    if definition.routing {
        out.extend(paragraph("Its tools hand work to another role.", Role::Plain, room));
    }
    let own: Vec<ToolId> = (0..domain.tools.len())
        .map(ToolId::from)
        .filter(|&tool| domain.tool(tool).class.index() == class && screen.offered(tool))
        .collect();
    for (index, name) in domain.roles.keys().enumerate() {
        let may = own.iter().filter(|&&tool| domain.may(tool, index.into())).count();
        let text = Text::plain(name.as_str()).pad(16).role(Role::Dim, format!("may use {may} of {}", own.len()));
        out.push(CardRow::of(text).to([Name::Role(index.into())]));
    }
    out
}

/// An empty row, where there is none yet.
pub fn gap(out: &mut Vec<CardRow>) {
    if out.last().is_some_and(|row| !row.text.0.is_empty()) {
        out.push(CardRow::default());
    }
}

/// A text, wrapped.
pub fn paragraph(text: &str, role: Role, room: usize) -> Vec<CardRow> {
    wrapped(text, room).into_iter().map(|line| CardRow::of(Text::of(role, line))).collect()
}

fn verdict(screen: &Worlds, tool: ToolId, role: RoleId, out: &mut Vec<CardRow>) {
    let domain = &screen.world.domain;
    let name = domain.role_name(role);
    let access = domain.access(tool, role);
    let words = match access {
        Access::May => "may use it.",
        Access::Capability => "may not: lacks the capability.",
        Access::Knowledge => "may not: lacks the knowledge.",
        Access::Both => "may not: lacks both gates.",
    };
    let text = Text::default().sign(Sign::from(access)).role(Role::Title, format!(" {name} {words}"));
    out.push(CardRow::of(text).to([Name::Role(role)]));
    if !screen.offered(tool) {
        let set = screen.at.lens.and_then(|lens| screen.world.problem.toolsets.get_index(lens));
        let words = format!(" not in the tool set {}", set.map_or("", |(name, _)| name));
        out.push(CardRow::of(Text::default().sign(Sign::Nothing).and(words)));
    }
}

fn gates(screen: &Worlds, tool: &Tool, role: RoleId, room: usize, out: &mut Vec<CardRow>) {
    let domain = &screen.world.domain;
    let name = domain.role_name(role);
    let mut gate = |kind: &str, gate: &str, holders: Vec<RoleId>| {
        let has = holders.contains(&role);
        let sign = if has { Sign::Holds } else { Sign::Fails };
        let text = Text::default().sign(sign).and(format!(" {kind:<10} ")).role(Role::Name, gate);
        let right =
            if room < 50 { String::new() } else { format!("{name} {}", if has { "has it" } else { "has not" }) };
        let go = holders.iter().map(|&role| Name::Role(role)).collect();
        out.push(CardRow { text, right, go, fixed: false });
        let names: Vec<&str> = holders.iter().map(|&role| domain.role_name(role)).collect();
        let names = if names.is_empty() { "nobody".to_owned() } else { names.join(", ") };
        let text = Text::dim(format!("{:1$}held by ", "", if room < 50 { 2 } else { 13 })).and(names);
        out.push(CardRow::of(text).to(holders.into_iter().map(Name::Role)));
    };
    if let Some(id) = tool.gates.capability {
        gate("capability", domain.capability_name(id), domain.with_capability(id).collect());
    }
    if let Some(id) = tool.gates.knowledge {
        gate("knowledge", domain.knowledge_name(id), domain.with_knowledge(id).collect());
    }
    if tool.gates == crate::world::Gates::default() {
        out.push(CardRow::of(Text::dim("no gates: open to every role")));
    }
    if let Some(source) = tool.source.and_then(|id| domain.sources.get_index(id.index())) {
        out.push(CardRow::of(
            Text::dim("reads the source ").and(source.0.as_str()).role(Role::Dim, format!(": {}", source.1.doc)),
        ));
    }
}

/// Routing tools that the role may use, and who may do the thing itself.
fn ways_on(screen: &Worlds, tool: ToolId, role: RoleId, room: usize, out: &mut Vec<CardRow>) {
    let domain = &screen.world.domain;
    gap(out);
    out.push(CardRow::of(Text::of(Role::Title, format!("Ways on for the role {}", domain.role_name(role)))));
    let may: Vec<RoleId> = (0..domain.roles.len()).map(RoleId::from).filter(|&r| domain.may(tool, r)).collect();
    let names: Vec<&str> = may.iter().map(|&role| domain.role_name(role)).collect();
    let names = if names.is_empty() { "nobody".to_owned() } else { names.join(", ") };
    out.push(CardRow::of(Text::dim("  may use it: ").and(names)).to(may.into_iter().map(Name::Role)));
    let routes = (0..domain.tools.len()).map(ToolId::from);
    let routes: Vec<ToolId> = routes
        .filter(|&other| domain.tool(other).routing && domain.may(other, role) && screen.offered(other))
        .collect();
    let widest = routes.iter().map(|&route| domain.tool_name(route).len()).max().unwrap_or(0);
    for &route in &routes {
        let text = Text::plain(format!("  {}", domain.tool_name(route))).pad((widest + 2).min(room / 2));
        let text = text.role(Role::Dim, format!("  {}", domain.tool(route).doc));
        out.push(CardRow { fixed: true, ..CardRow::of(text) }.to([Name::Tool(route)]));
    }
    if routes.is_empty() {
        out.push(CardRow::of(Text::dim("  no routing tool is at hand")));
    }
}

/// `label     text`, the label on the first row of its kind alone.
fn labelled(label: &str, first: bool, text: Text) -> Text {
    Text::dim(format!("{:<9} ", if first { label } else { "" })).join(text)
}

/// A literal or atom in its colours.
fn atom(text: &str) -> Text {
    let stretches = crate::tui::highlight::atom(text);
    stretches.into_iter().fold(Text::default(), |out, (range, role)| out.role(role, &text[range]))
}

fn takes(screen: &Worlds, tool: &Tool, room: usize, out: &mut Vec<CardRow>) {
    let world = &screen.world;
    let types = &world.domain.types;
    for (i, param) in tool.params.iter().enumerate() {
        let text = Text::plain(param.name.as_str()).role(Role::Dim, format!("   {}", a(types.name(param.ty))));
        out.push(CardRow::of(labelled("takes", i == 0, text)));
    }
    for (i, consumed) in tool.consumes.iter().enumerate() {
        let text = atom(&atom_text(world, &consumed.pattern, Some(tool), &free));
        let text = Text::plain(format!("{}   ", consumed.name)).join(text);
        let relation = consumed.pattern.relation;
        out.push(CardRow::of(labelled("consumes", i == 0, text)).to([Name::Relation(relation)]));
        names(screen, "made by", &screen.usage.relation(relation).adds, true, room, out);
    }
}

fn gives(screen: &Worlds, tool: &Tool, room: usize, out: &mut Vec<CardRow>) {
    for (i, value) in tool.produces.iter().enumerate() {
        let text = atom(&atom_text(&screen.world, value, Some(tool), &free));
        out.push(CardRow::of(labelled("produces", i == 0, text)).to([Name::Relation(value.relation)]));
        names(screen, "read by", &screen.usage.relation(value.relation).reads, false, room, out);
    }
}

/// `read by a, b, … 4`: as many names as have room, and how many there are.
fn names(screen: &Worlds, label: &str, tools: &[ToolId], who: bool, room: usize, out: &mut Vec<CardRow>) {
    let domain = &screen.world.domain;
    let name = |tool: &ToolId| {
        let may = (0..domain.roles.len()).filter(|&role| domain.may(*tool, role.into()));
        let may: Vec<&str> = may.map(|role| domain.role_name(role.into())).collect();
        let all = may.len() == domain.roles.len();
        match (who, may.is_empty()) {
            (false, _) => domain.tool_name(*tool).to_owned(),
            (true, true) => format!("{} (nobody)", domain.tool_name(*tool)),
            (true, false) if all => format!("{} (all)", domain.tool_name(*tool)),
            (true, false) => format!("{} ({})", domain.tool_name(*tool), may.join(", ")),
        }
    };
    let (mut shown, mut width) = (Vec::new(), 0);
    for tool in tools {
        let name = name(tool);
        width += name.len() + 2;
        if !shown.is_empty() && width > room.saturating_sub(25) {
            break;
        }
        shown.push(name);
    }
    let more = if shown.len() < tools.len() { format!(", … {}", tools.len()) } else { String::new() };
    let list = if tools.is_empty() { "no tool".to_owned() } else { shown.join(", ") + &more };
    let text = Text::dim(format!("{:10}{label} ", "")).and(list);
    out.push(CardRow::of(text).to(tools.iter().map(|&tool| Name::Tool(tool))));
}

fn literal_row(screen: &Worlds, tool: &Tool, literal: &Literal, before: Text) -> CardRow {
    let text = literal_text(&screen.world, literal, Some(tool), &free);
    let go = literal.atom().map(|atom| Name::Relation(atom.relation));
    CardRow::of(before.join(atom(&text))).to(go)
}

fn conditions(screen: &Worlds, tool: &Tool, out: &mut Vec<CardRow>) {
    for (i, literal) in tool.precondition.iter().enumerate() {
        out.push(literal_row(screen, tool, literal, labelled("needs", i == 0, Text::default())));
    }
}

fn effects(screen: &Worlds, tool: &Tool, out: &mut Vec<CardRow>) {
    let mut first = true;
    for effect in &tool.effects {
        let Effect { forall, when, then } = effect;
        let mut indent = "";
        if !forall.is_empty() || !when.is_empty() {
            let each = forall.iter().map(|var| {
                let var = &tool.vars[var.index()];
                format!("every ?{} of {}", var.name, screen.world.domain.types.name(var.ty))
            });
            let conditions = when.iter().map(|literal| literal_text(&screen.world, literal, Some(tool), &free));
            let words: Vec<String> = each
                .chain((!when.is_empty()).then(|| format!("when {}", conditions.collect::<Vec<_>>().join(", "))))
                .collect();
            let text = labelled("does", std::mem::take(&mut first), Text::dim(words.join(" ")));
            let go = when.iter().filter_map(|literal| literal.atom()).map(|atom| Name::Relation(atom.relation));
            out.push(CardRow::of(text).to(go));
            indent = "  ";
        }
        for literal in then {
            let sign = if literal.negated { Sign::Removed } else { Sign::Added };
            let before = labelled("does", std::mem::take(&mut first), Text::plain(indent).sign(sign).and(" "));
            let positive = Literal { negated: false, ..literal.clone() };
            out.push(literal_row(screen, tool, &positive, before));
        }
    }
}

fn reveals(screen: &Worlds, tool: &Tool, out: &mut Vec<CardRow>) {
    for (i, reveal) in tool.reveals.iter().enumerate() {
        let name = screen.world.relation_name(reveal.relation);
        let text = labelled("shows", i == 0, Text::of(Role::Name, name));
        out.push(CardRow::of(text).to([Name::Relation(reveal.relation)]));
    }
}

/// Lines of the file, in their colours.
pub fn source(screen: &Worlds, span: &std::ops::Range<usize>, out: &mut Vec<CardRow>) {
    let file = &screen.world.domain.file;
    let lines = file.lines(span);
    let right = format!("{}:{}", short(&file.name), lines.start);
    out.push(CardRow { right, ..CardRow::of(Text::of(Role::Title, "Source")) });
    let width = (lines.end.saturating_sub(1)).to_string().len();
    let texts: Vec<String> = lines.clone().map(|line| file.line(line).to_owned()).collect();
    let tokens = Tokens::new(Syntax::Json, &texts);
    let common = texts.iter().filter(|line| !line.trim().is_empty());
    let common = common.map(|line| line.len() - line.trim_start_matches(' ').len()).min().unwrap_or(0);
    for (i, (number, line)) in lines.zip(&texts).enumerate() {
        let cut = common.min(line.len())..line.len();
        let text = Text::dim(format!("{number:>width$}  "));
        let stretches = tokens.cut(i, line, &cut);
        let text = stretches.into_iter().fold(text, |text, (range, role)| text.role(role, &line[range]));
        out.push(CardRow { fixed: true, ..CardRow::of(text) });
    }
}

/// The end of a path.
fn short(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// A row for each tool: its name, and the letters of the roles that may use it.
pub fn tool_rows(screen: &Worlds, title: &str, tools: &[ToolId], out: &mut Vec<CardRow>) {
    gap(out);
    out.push(CardRow::of(Text::of(Role::Title, title).role(Role::Dim, format!(" {}", tools.len()))));
    for &tool in tools {
        let domain = &screen.world.domain;
        let may = (0..domain.roles.len()).filter(|&role| domain.may(tool, role.into()));
        let letters: Vec<&str> = may.map(|role| screen.letters[role].as_str()).collect();
        let text = Text::plain(format!("  {}", domain.tool_name(tool)));
        out.push(CardRow { text, right: letters.join(" "), go: vec![Name::Tool(tool)], fixed: false });
    }
}

/// The relation under a row, for `i`.
pub fn relation_of(row: &CardRow) -> Option<RelationId> {
    match row.go.as_slice() {
        [Name::Relation(relation), ..] => Some(*relation),
        _ => None,
    }
}
