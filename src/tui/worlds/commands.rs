//! What keys and commands do on the world screen.

use super::{CARD, Item, MAIN, Name, Order, Page, Worlds};
use crate::tui::command::Cmd;
use crate::tui::dispatch::Call;
use crate::tui::highlight::Syntax;
use crate::tui::open::{self, WorldPlace};
use crate::tui::page::Text;
use crate::tui::screen::{Card, Ctx, Screen};
use crate::tui::text_screen::TextScreen;
use crate::tui::theme::{Role, Theme};
use crate::world::{Access, RoleId, ToolsetId};

impl Worlds {
    /// Comes back to the screen by an address: `world …#TOOL,ROLE,SET`.
    pub(super) fn arrive(&mut self, address: &str) {
        let Some((_, place)) = address.split_once('#') else { return };
        let mut parts = place.split(',');
        let (what, role, set) = (parts.next().unwrap_or(""), parts.next(), parts.next());
        let domain = &self.world.domain;
        let place = WorldPlace {
            tool: domain.tool_id(what),
            role: role.and_then(|role| domain.role_id(role)),
            toolset: set.and_then(|set| self.world.problem.toolsets.get_index_of(set)).map(ToolsetId::from),
        };
        self.go_place(place);
        if place.tool.is_none()
            && let Some(name) = self.named(what)
        {
            self.go(name);
        }
    }

    /// What has this name.
    pub(super) fn named(&self, name: &str) -> Option<Name> {
        let domain = &self.world.domain;
        let tool = domain.tool_id(name).map(Name::Tool);
        let role = || domain.role_id(name).map(Name::Role);
        let relation = || domain.relations.get_index_of(name).map(|index| Name::Relation(index.into()));
        tool.or_else(role).or_else(relation)
    }

    fn name(&self, name: Name) -> String {
        match name {
            Name::Tool(tool) => self.world.domain.tool_name(tool).to_owned(),
            Name::Role(role) => self.world.domain.role_name(role).to_owned(),
            Name::Relation(relation) => self.world.relation_name(relation).to_owned(),
        }
    }

    pub(super) fn command(&mut self, call: &Call, ctx: &mut Ctx) {
        let in_card = ctx.panes.focus == CARD;
        match call.cmd {
            Cmd::MainNext => self.step(&Call { cmd: Cmd::Down, ..call.clone() }),
            Cmd::MainPrev => self.step(&Call { cmd: Cmd::Up, ..call.clone() }),
            Cmd::Left => self.role(-1, call.times(), ctx),
            Cmd::Right => self.role(1, call.times(), ctx),
            Cmd::NextFinding => self.refusal(true, call.times(), ctx),
            Cmd::PrevFinding => self.refusal(false, call.times(), ctx),
            Cmd::ToolsetLens => self.lens(&call.argument, ctx),
            Cmd::ShowAll => self.show_all(ctx),
            Cmd::NextPage => self.page(1, call.times()),
            Cmd::PrevPage => self.page(Page::ALL.len() - 1, call.times()),
            Cmd::Open => self.open(in_card, ctx),
            Cmd::Fold => self.fold(ctx),
            Cmd::Order => self.order(ctx),
            Cmd::OrderReverse => {
                self.at.reverse = !self.at.reverse;
                self.build();
            }
            Cmd::Compare => {
                ctx.jumped(self.place());
                self.go(Name::Role(RoleId::from(self.at.role)));
            }
            Cmd::Play => {
                let role = RoleId::from(self.at.role);
                let role = Some(role).filter(|role| self.world.problem.perspectives.contains_key(role));
                ctx.push(open::play(&self.shelf, &self.world, role, self.at.lens.map(ToolsetId::from)));
            }
            Cmd::Card => self.explain(in_card, ctx),
            Cmd::Edit => match self.world.domain.file.name.starts_with("embedded") {
                true => ctx.warn("this domain comes with the program: no file to edit; E shows it"),
                false => ctx.edit(&self.world.domain.file.name, self.line()),
            },
            Cmd::Raw => {
                let file = &self.world.domain.file;
                let screen = TextScreen::new(file.name.as_str(), file.name.as_str(), &file.text, Syntax::Json);
                ctx.push(screen.file(&file.name).at_line(self.line()));
            }
            Cmd::CopyValue => match (in_card.then(|| self.card.get(self.at.card.cursor)).flatten(), self.under()) {
                (Some(row), _) => ctx.copy(row.text.words(), "this row"),
                (None, Some(name)) => ctx.copy(self.name(name), "the name"),
                _ => ctx.warn("nothing to copy here"),
            },
            Cmd::CopyPath => ctx.copy(self.world.domain.file.name.clone(), "the path"),
            _ if in_card => {
                self.at.card.motion(call, self.card.len());
            }
            _ => self.step(call),
        }
    }

    fn step(&mut self, call: &Call) {
        let len = self.visible.len();
        if self.list_mut().motion(call, len) {
            self.moved();
        }
    }

    fn under(&self) -> Option<Name> {
        match self.item()? {
            Item::Tool(tool) => Some(Name::Tool(tool)),
            Item::Relation(relation) => Some(Name::Relation(relation)),
            Item::Role(role) => Some(Name::Role(role)),
            Item::Class(_) => None,
        }
    }

    fn role(&mut self, by: isize, times: usize, ctx: &mut Ctx) {
        let last = self.world.domain.roles.len().saturating_sub(1);
        let by = by.saturating_mul(isize::try_from(times).unwrap_or(1));
        let to = |at: usize| at.saturating_add_signed(by).min(last);
        match self.at.page {
            Page::Tools => {
                self.at.role = to(self.at.role);
                // `may` and `not` of the filter go by the role.
                if self.at.filter.text.is_empty() { self.build_card() } else { self.build() }
            }
            Page::Roles => {
                let Some(Item::Role(role)) = self.item() else { return };
                let beside = self.beside(role).index();
                // The one under the cursor is passed over.
                let over = if to(beside) == role.index() { by.signum() } else { 0 };
                let next = beside.saturating_add_signed(by + over).min(last);
                self.at.other = if next == role.index() { beside } else { next };
                self.build_card();
            }
            Page::Predicates | Page::Slots => ctx.warn("roles stand on the pages of tools and roles: { }"),
        }
    }

    fn refusal(&mut self, forward: bool, times: usize, ctx: &mut Ctx) {
        if self.at.page != Page::Tools {
            return ctx.warn("refusals stand on the page of tools: { }");
        }
        let domain = &self.world.domain;
        let role = RoleId::from(self.at.role);
        let here = self.visible.get(self.list().cursor).copied().unwrap_or(0);
        let refused = |row: &usize| match self.rows[*row].item {
            Item::Tool(tool) => self.offered(tool) && domain.access(tool, role) != Access::May,
            _ => false,
        };
        let mut found: Vec<usize> = (0..self.rows.len()).filter(refused).collect();
        found.retain(|row| if forward { *row > here } else { *row < here });
        if !forward {
            found.reverse();
        }
        match found.get(times - 1).or(found.last()) {
            Some(&row) => self.reveal(crate::tui::screen::Spot { pane: MAIN, row }),
            None => {
                let name = domain.role_name(role);
                ctx.warn(format!("{name} may use every tool {} this", if forward { "after" } else { "before" }));
            }
        }
    }

    fn lens(&mut self, argument: &str, ctx: &mut Ctx) {
        let sets = &self.world.problem.toolsets;
        self.at.lens = match (argument.is_empty(), sets.get_index_of(argument)) {
            (true, _) => match self.at.lens {
                None => (!sets.is_empty()).then_some(0),
                Some(lens) => Some(lens + 1).filter(|&next| next < sets.len()),
            },
            (false, Some(set)) => Some(set),
            (false, None) => return ctx.warn(format!("no tool set '{argument}'")),
        };
        let words = match self.at.lens.and_then(|lens| sets.get_index(lens)) {
            Some((name, set)) => format!("tool set {name}: {}", crate::text::count(set.tools.len(), "tool")),
            None => "the whole domain".to_owned(),
        };
        ctx.say(words);
        self.build();
    }

    fn show_all(&mut self, ctx: &mut Ctx) {
        if self.at.lens.is_none() {
            return ctx.warn("no tool set is chosen: t chooses one");
        }
        self.at.whole = !self.at.whole;
        ctx.say(if self.at.whole { "the whole domain" } else { "only what the tool set offers" });
        self.build();
    }

    fn page(&mut self, by: usize, times: usize) {
        let to = (self.at.page.index() + by * times) % Page::ALL.len();
        self.at.page = Page::ALL[to].0;
        self.rows = super::rows::rows(self);
        self.see();
        self.moved();
    }

    fn open(&mut self, in_card: bool, ctx: &mut Ctx) {
        if !in_card {
            return match self.item() {
                Some(Item::Class(_)) => self.fold(ctx),
                Some(_) => ctx.panes.focus(CARD),
                None => {}
            };
        }
        let Some(row) = self.card.get(self.at.card.cursor) else { return };
        match row.go.as_slice() {
            [] => ctx.warn("this leads nowhere"),
            [name] => {
                let name = *name;
                ctx.jumped(self.place());
                self.go(name);
                ctx.panes.focus(MAIN);
            }
            many => {
                let rows = many.iter().map(|name| (self.name(*name).into(), Some(self.name(*name)))).collect();
                ctx.card(Card { title: "Go to".to_owned(), rows });
            }
        }
    }

    fn fold(&mut self, ctx: &mut Ctx) {
        let class = match self.item() {
            Some(Item::Class(class)) => class,
            Some(Item::Tool(tool)) if self.at.order == Order::Class => self.world.domain.tool(tool).class.index(),
            _ => return ctx.warn("nothing folds here"),
        };
        if self.at.folded.contains(&class) {
            self.at.folded.retain(|folded| *folded != class);
        } else {
            self.at.folded.push(class);
        }
        self.rows = super::rows::rows(self);
        self.see();
        if let Some(row) = self.visible.iter().position(|&row| self.rows[row].item == Item::Class(class)) {
            self.list_mut().cursor = row;
        }
        self.moved();
    }

    fn order(&mut self, ctx: &mut Ctx) {
        let (order, words) = match self.at.order {
            Order::Class => (Order::Name, "by name"),
            Order::Name => (Order::WhoMay, "those that the fewest may use first"),
            Order::WhoMay => (Order::Class, "by class"),
        };
        self.at.order = order;
        ctx.say(words);
        self.build();
    }

    /// `i`: a card about the name under the cursor.
    fn explain(&mut self, in_card: bool, ctx: &mut Ctx) {
        let row = in_card.then(|| self.card.get(self.at.card.cursor)).flatten();
        let relation = row.and_then(super::card::relation_of);
        let name = relation.map(Name::Relation).or_else(|| row.and_then(|row| row.go.first().copied()));
        let Some(name) = name.or_else(|| self.under()) else { return ctx.warn("nothing to say about this row") };
        let rows = match name {
            Name::Relation(relation) => super::relation::card(self, relation, 70),
            Name::Tool(tool) => super::card::tool(self, tool, 70),
            Name::Role(role) => super::roles::card(self, role, 70),
        };
        // A card is drawn in the theme of its rows; theirs are told apart by attributes alone.
        let theme = Theme::default();
        let target = |go: &[Name]| if let [one] = go { Some(self.name(*one)) } else { None };
        let lines = rows.iter().map(|row| {
            let right =
                if row.right.is_empty() { Text::default() } else { Text::of(Role::Dim, format!("   {}", row.right)) };
            (row.text.clone().join(right).line(&theme), target(&row.go))
        });
        ctx.card(Card { title: self.name(name), rows: lines.collect() });
    }
}
