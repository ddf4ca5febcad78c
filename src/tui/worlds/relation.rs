//! A predicate or a slot: what it says, who adds, deletes, reads and shows it, and where it stands in the
//! entry.

use super::card::{gap, paragraph, tool_rows};
use super::{CardRow, Name, Worlds};
use crate::tui::page::Text;
use crate::tui::theme::Role;
use crate::world::{Piece, RelationId, RelationKind};

/// The card.
pub fn card(screen: &Worlds, id: RelationId, room: usize) -> Vec<CardRow> {
    let (world, domain) = (&screen.world, &screen.world.domain);
    let Some((name, relation)) = domain.relations.get_index(id.index()) else { return Vec::new() };
    let params = relation.params.iter().map(|param| format!("{}: {}", param.name, domain.types.name(param.ty)));
    let params: Vec<String> = params.collect();
    let signature = if params.is_empty() { name.clone() } else { format!("{name}({})", params.join(", ")) };
    let mut out = paragraph(&signature, Role::Title, room);
    if let Some(text) = &relation.text {
        let words: String = text
            .0
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => text.clone(),
                Piece::Var(var) => format!("{{{}}}", relation.params.get(var.index()).map_or("", |p| &p.name)),
            })
            .collect();
        out.extend(paragraph(&words, Role::Text, room));
    }
    if !relation.doc.is_empty() {
        out.extend(paragraph(&relation.doc, Role::Plain, room));
    }
    if relation.functional {
        let default = relation.default.map(|symbol| format!(", {} at first", world.symbol_name(symbol)));
        let words = format!("functional: one value for each key{}", default.unwrap_or_default());
        out.extend(paragraph(&words, Role::Dim, room));
    }
    let used = screen.usage.relation(id);
    let slot = relation.kind == RelationKind::Slot;
    tool_rows(screen, if slot { "Made by" } else { "Added by" }, &used.adds, &mut out);
    if !used.deletes.is_empty() {
        tool_rows(screen, "Deleted by", &used.deletes, &mut out);
    }
    tool_rows(screen, if slot { "Consumed or read by" } else { "Read by" }, &used.reads, &mut out);
    if !used.reveals.is_empty() {
        tool_rows(screen, "Shown by", &used.reveals, &mut out);
    }
    in_entry(screen, id, &mut out);
    gap(&mut out);
    let end = domain.file.text[relation.span.start..].find('\n').map_or(relation.span.end, |n| relation.span.start + n);
    super::card::source(screen, &(relation.span.start..end), &mut out);
    out
}

/// Goals that ask for it, and what holds at the start.
fn in_entry(screen: &Worlds, id: RelationId, out: &mut Vec<CardRow>) {
    let world = &screen.world;
    let problem = &world.problem;
    let of = |fact: &crate::world::FactId| world.facts.relation(*fact) == id;
    let goals = problem.perspectives.iter().flat_map(|(role, perspective)| {
        let literals = perspective.goal.alternatives.iter().flatten();
        literals.filter(|literal| literal.fact.as_ref().is_ok_and(of)).map(|literal| (*role, literal.text.clone()))
    });
    let goals: Vec<_> = goals.collect();
    gap(out);
    let title = format!("In the goals of {}", problem.id);
    out.push(CardRow::of(Text::of(Role::Title, title).role(Role::Dim, format!(" {}", goals.len()))));
    for (role, text) in goals {
        let right = world.domain.role_name(role).to_owned();
        out.push(CardRow { right, ..CardRow::of(Text::plain(format!("  {text}"))) }.to([Name::Role(role)]));
    }
    let own = problem.perspectives.values().flat_map(|perspective| &perspective.given);
    let mut start: Vec<_> = problem.init.iter().chain(&problem.given).chain(own).copied().filter(|f| of(f)).collect();
    start.sort_unstable();
    start.dedup();
    gap(out);
    out.push(CardRow::of(Text::of(Role::Title, "At the start").role(Role::Dim, format!(" {}", start.len()))));
    out.extend(start.into_iter().map(|fact| CardRow::of(Text::plain(format!("  {}", world.fact_text(fact))))));
}
