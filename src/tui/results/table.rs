//! What can be done among the results.

use crate::tui::command::{Cmd, ScreenTable, Use};
use crate::tui::screen::Kind;

/// The screen's part of the command table.
pub const TABLE: ScreenTable = ScreenTable {
    kind: Kind::Results,
    name: "results",
    uses: &[
        Use::new(Cmd::Open, "the runs behind the cell or the bar: one opens, more are listed").footer("runs", 200),
        Use::new(Cmd::Left, "the column to the left"),
        Use::new(Cmd::Right, "the column to the right").footer("column", 160),
        Use::new(Cmd::NextPage, "next table: entries, roles, agents, tool sets").footer("table", 190),
        Use::new(Cmd::PrevPage, "table before"),
        Use::new(Cmd::NextFinding, "next cell in which a run is not solved").footer("failing", 150),
        Use::new(Cmd::PrevFinding, "the one before"),
        Use::new(Cmd::Card, "how this was counted; its runs").footer("how counted", 140),
        Use::new(Cmd::ToolsetLens, "runs with one tool set alone: the next, at last all").footer("tool set", 120),
        Use::new(Cmd::ShowAll, "rows and columns without runs too, or the filled alone").footer("filled, all", 80),
        Use::new(Cmd::Order, "sort the rows").takes("ORDER").footer("order", 90),
        Use::new(Cmd::OrderReverse, "the other way round"),
        Use::new(Cmd::Filter, "filter the runs: words, role:operator, is:solved, under>0, not …").footer("filter", 110),
        Use::new(Cmd::Play, "play this entry").footer("play", 70),
        Use::new(Cmd::World, "the world that this entry stands in").footer("world", 60),
        Use::new(Cmd::MainNext, "next row, from any pane"),
        Use::new(Cmd::MainPrev, "row before, from any pane"),
        Use::new(Cmd::CopyValue, "copy what stands under the cursor"),
        Use::new(Cmd::Search, "search names").footer("search", 50),
        Use::new(Cmd::SearchNext, "next hit"),
        Use::new(Cmd::SearchPrev, "hit before"),
        Use::new(Cmd::Reload, "read everything again from disk").footer("reload", 30),
    ],
    reasons: &[
        (Cmd::Results, "these are the results; q goes back"),
        (Cmd::Compare, "two runs are compared; Enter lists those behind the cell"),
        (Cmd::Fold, "nothing is folded here: a shows what has no runs"),
        (Cmd::NextItem, "this is the list itself: j, k, h, l"),
        (Cmd::PrevItem, "this is the list itself: j, k, h, l"),
    ],
};
