//! Where a reader is on the world screen, and what a row of the card is.

use super::filter::Filter;
use crate::tui::cells;
use crate::tui::list::List;
use crate::tui::page::Text;
use crate::world::{RelationId, RoleId, ToolId};

/// The pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "named after what they list")]
pub enum Page {
    #[default]
    Tools,
    Predicates,
    Roles,
    Slots,
}

impl Page {
    /// All, in the order of `{ }`.
    pub const ALL: [(Page, &'static str); 4] =
        [(Page::Tools, "Tools"), (Page::Predicates, "Predicates"), (Page::Roles, "Roles"), (Page::Slots, "Slots")];

    /// Its place among them.
    pub(super) fn index(self) -> usize {
        Page::ALL.iter().position(|(page, _)| *page == self).unwrap_or(0)
    }
}

/// The order of the tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// By class, in the domain's order.
    #[default]
    Class,
    /// By name.
    Name,
    /// Those that the fewest roles may use first.
    WhoMay,
}

/// Something that Enter can go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "named after what they name")]
pub enum Name {
    Tool(ToolId),
    Role(RoleId),
    Relation(RelationId),
}

/// All that a reader can move.
#[derive(Debug, Clone, Default)]
pub struct At {
    /// The page.
    pub page: Page,
    /// The place on each.
    pub main: [List; 4],
    /// The place in the card.
    pub card: List,
    /// The role whose column is looked at.
    pub role: usize,
    /// The role beside the one under the cursor, on the page of roles.
    pub other: usize,
    /// The tool set of the lens; none is the whole domain.
    pub lens: Option<usize>,
    /// Tools outside the lens are shown too.
    pub whole: bool,
    /// The order of the tools.
    pub order: Order,
    /// The other way round.
    pub reverse: bool,
    /// Classes that are folded.
    pub folded: Vec<usize>,
    /// What narrows the tools.
    pub(super) filter: Filter,
}

/// A row of the card.
#[derive(Debug, Clone, Default)]
pub struct CardRow {
    /// What it says.
    pub text: Text,
    /// At the right edge.
    pub right: String,
    /// What Enter goes to; several are asked about.
    pub go: Vec<Name>,
    /// A line of a file: it stays one line.
    pub fixed: bool,
}

impl CardRow {
    /// A row that says this.
    pub(super) fn of(text: Text) -> CardRow {
        CardRow { text, ..CardRow::default() }
    }

    /// Broken into rows that fit; those after the first are set in.
    pub(super) fn wrap(self, room: usize) -> Vec<CardRow> {
        let words = self.text.words();
        let room = room.saturating_sub(if self.right.is_empty() { 0 } else { cells::width(&self.right) + 1 });
        if self.fixed || cells::width(&words) <= room {
            return vec![self];
        }
        let hang = (words.len() - words.trim_start().len() + 2).min(room / 3);
        let mut rows = Vec::new();
        for (i, range) in cells::wrap_line(&words, room.saturating_sub(hang).max(12)).into_iter().enumerate() {
            let text = self.text.cut(&range);
            let text = if i == 0 { text } else { Text::plain(" ".repeat(hang)).join(text) };
            let right = if i == 0 { self.right.clone() } else { String::new() };
            rows.push(CardRow { text, right, go: self.go.clone(), fixed: false });
        }
        rows
    }

    /// Lets Enter go there.
    pub(super) fn to(self, go: impl IntoIterator<Item = Name>) -> CardRow {
        CardRow { go: go.into_iter().collect(), ..self }
    }
}
