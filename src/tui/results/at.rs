//! Where a reader is among the results, and which runs they are about.

use crate::score::GroupKey;
use crate::tui::browser::filter::Filter;
use crate::tui::list::List;

/// A table: what its rows and its columns stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table {
    /// A row each.
    pub rows: GroupKey,
    /// A column each.
    pub columns: GroupKey,
}

/// All tables, in the order of `{ }`.
pub const TABLES: [Table; 6] = [
    Table { rows: GroupKey::Problem, columns: GroupKey::Role },
    Table { rows: GroupKey::Problem, columns: GroupKey::Toolset },
    Table { rows: GroupKey::Problem, columns: GroupKey::Agent },
    Table { rows: GroupKey::Role, columns: GroupKey::Toolset },
    Table { rows: GroupKey::Role, columns: GroupKey::Agent },
    Table { rows: GroupKey::Agent, columns: GroupKey::Toolset },
];

/// Of roles and tool sets: where the results of one entry open.
pub const OF_ENTRY: usize = 3;

impl Table {
    /// `entries by role`.
    pub fn name(self) -> String {
        format!("{} by {}", plural(self.rows), super::charts::singular(self.columns))
    }
}

/// What a key stands for, of many.
pub fn plural(key: GroupKey) -> &'static str {
    match key {
        GroupKey::Agent => "agents",
        GroupKey::Role => "roles",
        GroupKey::Toolset => "tool sets",
        GroupKey::Problem => "entries",
    }
}

/// The order of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "worded below")]
pub enum Order {
    #[default]
    Given,
    Solved,
    Over,
    Under,
    Runs,
}

impl Order {
    /// All, with their names and what they bring first.
    pub const ALL: [(Order, &'static str, &'static str); 5] = [
        (Order::Given, "name", "in the order of the files"),
        (Order::Solved, "solved", "by share solved, least first"),
        (Order::Over, "over", "by over-reach, least first"),
        (Order::Under, "under", "by under-reach, least first"),
        (Order::Runs, "runs", "by runs, fewest first"),
    ];

    /// The order of that name.
    pub fn named(name: &str) -> Option<Order> {
        Order::ALL.iter().find(|(_, known, _)| *known == name).map(|(order, ..)| *order)
    }

    /// Its name, and what it brings first.
    pub fn words(self) -> (&'static str, &'static str) {
        Order::ALL.iter().find(|(order, ..)| *order == self).map_or(("", ""), |(_, name, words)| (name, words))
    }
}

/// What a row or a column of a table stands for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Head {
    /// The runs that have this for the key; no agent is the empty name.
    Of(String),
    /// All together.
    #[default]
    All,
    /// Runs that could not be scored.
    Unscored,
}

/// Which runs, and where to begin.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Of one entry alone.
    pub entry: Option<String>,
    /// A filter, in the language of the browser.
    pub filter: String,
    /// Of one tool set alone.
    pub lens: Option<String>,
    /// The row and the column under the cursor.
    pub cell: Option<(Head, Head)>,
}

/// All that a reader can move.
#[derive(Debug, Clone, Default)]
pub struct At {
    /// The table, by its place.
    pub table: usize,
    /// Cursor and scroll over the rows.
    pub rows: List,
    /// The column.
    pub column: usize,
    /// What the cursor stands on, whatever becomes of the rows around it.
    pub on: (Head, Head),
    /// The place among the runs behind the cell.
    pub runs: List,
    /// The place in the charts.
    pub charts: List,
    /// Runs of this tool set alone.
    pub lens: Option<String>,
    /// Rows and columns without runs too.
    pub all: bool,
    /// The order of the rows.
    pub order: Order,
    /// The other way round.
    pub reverse: bool,
    /// The rows as they were put in order: what comes late moves none.
    pub(super) ordered: Vec<Head>,
    /// Which runs.
    pub(super) filter: Filter,
}

impl At {
    /// The table.
    pub fn table(&self) -> Table {
        TABLES[self.table % TABLES.len()]
    }
}
