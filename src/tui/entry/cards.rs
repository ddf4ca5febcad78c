//! Cards of an entry: what a goal literal is, and who can make it true.

use super::sheet::What;
use super::{Entry, TOOLS};
use crate::check::can_break;
use crate::exec::goal_words;
use crate::tui::layout::PaneId;
use crate::tui::open::{self, WorldPlace};
use crate::tui::page::Text;
use crate::tui::screen::{Card, Ctx};
use crate::tui::sign::Sign;
use crate::tui::theme::{Role, Theme};
use crate::world::{GoalLiteral, RoleId, ToolId};

impl Entry {
    /// `i`: what is under the cursor.
    pub(super) fn card(&mut self, pane: PaneId, ctx: &mut Ctx) {
        if let Some(tool) = self.tool(pane) {
            return ctx.card(self.tool_card(ctx.theme, tool));
        }
        match (pane, self.what()) {
            (TOOLS, _) => ctx.warn("a class of tools; Space folds it"),
            (_, What::Literal(alternative, index)) => {
                let Some(side) = self.side() else { return };
                let literal = &self.world.problem.perspectives[&side.role].goal.alternatives[alternative][index];
                ctx.card(self.literal_card(ctx.theme, side.role, literal, literal.holds(&side.start)));
            }
            _ => ctx.warn("i tells of goals, calls and tools"),
        }
    }

    fn literal_card(&self, theme: Theme, role: RoleId, literal: &GoalLiteral, guard: bool) -> Card {
        let world = &self.world;
        let role_name = world.domain.role_name(role);
        let mut rows = vec![Text::plain(goal_words(world, literal))];
        rows.push(match guard {
            true => Text::dim(format!("true at the start: the {role_name} has to keep it")),
            false => Text::dim(format!("a goal of the {role_name}")),
        });
        // What makes a literal true is what breaks its opposite.
        let opposite = GoalLiteral { negated: !literal.negated, ..literal.clone() };
        let mut rows: Vec<(Text, Option<String>)> = rows.into_iter().map(|text| (text, None)).collect();
        let lists = [("Can make it true", &opposite), ("Can make it false", literal)];
        for (name, broken) in lists {
            let tools: Vec<ToolId> = (0..world.domain.tools.len())
                .map(ToolId::from)
                .filter(|&tool| can_break(world, tool, broken))
                .collect();
            rows.push((Text::default(), None));
            rows.push((Text::of(Role::Title, format!("{name}: {}", crate::text::count(tools.len(), "tool"))), None));
            rows.extend(tools.into_iter().map(|tool| self.tool_line(tool, role)));
        }
        card(theme, &literal.text, rows)
    }

    /// A tool, whether this role may use it, and who may.
    fn tool_line(&self, tool: ToolId, role: RoleId) -> (Text, Option<String>) {
        let domain = &self.world.domain;
        let roles = (0..domain.roles.len()).map(RoleId::from).filter(|&role| domain.may(tool, role));
        let names: Vec<&str> = roles.map(|role| domain.role_name(role)).collect();
        let who = match names.len() {
            0 => "nobody".to_owned(),
            n if n == domain.roles.len() => "every role".to_owned(),
            _ => names.join(", "),
        };
        let offered = self.world.problem.toolsets[self.toolset.index()].offered[tool.index()];
        let aside = if offered { "" } else { "   not offered" };
        let text = Text::default()
            .sign(domain.access(tool, role).into())
            .and(format!(" {:<26} ", domain.tool_name(tool)))
            .role(Role::Good, who)
            .role(Role::Dim, aside);
        (text, Some(domain.tool_name(tool).to_owned()))
    }

    fn tool_card(&self, theme: Theme, tool: ToolId) -> Card {
        let domain = &self.world.domain;
        let definition = domain.tool(tool);
        let mut rows = vec![(Text::plain(definition.doc.clone()), None), (Text::default(), None)];
        let gate = |kind: &str, name: &str, held: Vec<&str>| {
            let who = if held.is_empty() { "nobody".to_owned() } else { held.join(", ") };
            (
                Text::dim(format!("{kind:<11}")).and(format!("{name:<20} ")).role(Role::Dim, format!("held by {who}")),
                None,
            )
        };
        let names = |roles: Vec<RoleId>| roles.into_iter().map(|role| domain.role_name(role)).collect::<Vec<_>>();
        if let Some(id) = definition.gates.capability {
            let held = names(domain.with_capability(id).collect());
            rows.push(gate("capability", domain.capability_name(id), held));
        }
        if let Some(id) = definition.gates.knowledge {
            rows.push(gate("knowledge", domain.knowledge_name(id), names(domain.with_knowledge(id).collect())));
        }
        if definition.gates == crate::world::Gates::default() {
            rows.push((Text::dim("open to every role"), None));
        }
        rows.push((Text::default(), None));
        for role in (0..domain.roles.len()).map(RoleId::from) {
            let access = domain.access(tool, role);
            let lacks = match Sign::from(access) {
                Sign::May => "may",
                Sign::Capability => "lacks the capability",
                Sign::Knowledge => "lacks the knowledge",
                _ => "lacks both",
            };
            let text = Text::default().sign(access.into()).and(format!(" {:<14}", domain.role_name(role)));
            rows.push((text.role(Role::Dim, lacks), None));
        }
        rows.push((Text::default(), None));
        rows.push((Text::plain("its page in the world"), Some(domain.tool_name(tool).to_owned())));
        card(theme, domain.tool_name(tool), rows)
    }

    /// A tool was chosen on a card.
    pub(super) fn chosen(&mut self, target: &str, ctx: &mut Ctx) {
        if let Some(tool) = self.world.domain.tool_id(target) {
            let place = WorldPlace { tool: Some(tool), role: Some(self.role), toolset: Some(self.toolset) };
            ctx.push(open::world(&self.shelf, &self.world, place));
        }
    }
}

fn card(theme: Theme, title: &str, rows: Vec<(Text, Option<String>)>) -> Card {
    let rows = rows.into_iter().map(|(text, target)| (text.line(&theme), target)).collect();
    Card { title: title.to_owned(), rows }
}
