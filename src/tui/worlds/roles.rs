//! Two roles side by side: what they hold, and what only one of them may do.

use super::card::{gap, paragraph, source};
use super::{CardRow, Name, Worlds};
use crate::tui::cells;
use crate::tui::page::Text;
use crate::tui::sign::Sign;
use crate::tui::theme::Role;
use crate::world::{RoleId, ToolId};

/// The card of a role, beside another.
pub fn card(screen: &Worlds, role: RoleId, room: usize) -> Vec<CardRow> {
    let domain = &screen.world.domain;
    let other = screen.beside(role);
    let pair = [role, other];
    let names = pair.map(|role| domain.role_name(role));
    let mut out = Vec::new();
    for (role, name) in pair.iter().zip(names) {
        out.push(CardRow::of(Text::of(Role::Title, name)).to([Name::Role(*role)]));
        out.extend(paragraph(&domain.roles[role.index()].doc, Role::Dim, room));
    }
    // Short names for the columns where there is little room.
    let heads = if room < 60 { pair.map(|role| screen.letters[role.index()].as_str()) } else { names };
    let column = room.saturating_sub(heads.iter().map(|name| cells::width(name) + 2).sum::<usize>()).max(12);
    let second = column + cells::width(heads[0]) + 2;
    let named = domain.capabilities.keys().chain(domain.knowledge.keys());
    let texts_at = named.map(|name| cells::width(name)).max().unwrap_or(0) + 4;
    let table = |name: &str, texts: &str, has: [bool; 2]| {
        let sign = |has: bool| if has { Sign::May } else { Sign::Nothing };
        let mut text = Text::plain(format!("  {}", cells::clip(name, column.saturating_sub(3), false)));
        let left = column.saturating_sub(texts_at + 2);
        if left > 8 {
            text = text.pad(texts_at).role(Role::Dim, cells::clip(texts, left, false));
        }
        CardRow::of(text.pad(column).sign(sign(has[0])).pad(second).sign(sign(has[1])))
    };
    let heading = |title: &str| {
        let text = Text::of(Role::Title, title).pad(column).role(Role::Dim, heads[0]).pad(second);
        CardRow::of(text.role(Role::Dim, heads[1]))
    };
    gap(&mut out);
    out.push(heading("Capabilities"));
    for (index, (name, gate)) in domain.capabilities.iter().enumerate() {
        let has = pair.map(|role| domain.roles[role.index()].capabilities.contains(&index.into()));
        out.push(table(name, &gate.text, has));
    }
    gap(&mut out);
    out.push(heading("Knowledge"));
    for (index, (name, gate)) in domain.knowledge.iter().enumerate() {
        let has = pair.map(|role| domain.roles[role.index()].knowledge.contains(&index.into()));
        out.push(table(name, &gate.text, has));
    }
    let offered: Vec<ToolId> = (0..domain.tools.len()).map(ToolId::from).filter(|&t| screen.offered(t)).collect();
    let groups = [
        (format!("Only {} may", names[0]), [true, false]),
        (format!("Only {} may", names[1]), [false, true]),
        ("Both may".to_owned(), [true, true]),
        ("Neither may".to_owned(), [false, false]),
    ];
    for (title, wanted) in groups {
        let tools = offered.iter().filter(|&&tool| pair.map(|role| domain.may(tool, role)) == wanted);
        let tools: Vec<ToolId> = tools.copied().collect();
        gap(&mut out);
        out.push(CardRow::of(Text::of(Role::Title, title).role(Role::Dim, format!(" {}", tools.len()))));
        for tool in tools {
            let access = pair.map(|role| Sign::from(domain.access(tool, role)));
            let name = cells::clip(domain.tool_name(tool), column.saturating_sub(3), false);
            let text = Text::plain(format!("  {name}"));
            let text = text.pad(column).sign(access[0]).pad(second).sign(access[1]);
            out.push(CardRow::of(text).to([Name::Tool(tool)]));
        }
    }
    gap(&mut out);
    let span = &domain.roles[role.index()].span;
    let end = domain.file.text[span.start..].find('\n').map_or(span.end, |n| span.start + n);
    source(screen, &(span.start..end), &mut out);
    out
}
