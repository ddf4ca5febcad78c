//! What can be done on the world screen.

use crate::tui::command::{Cmd, ScreenTable, Use};
use crate::tui::screen::Kind;

/// The screen's part of the command table.
pub const TABLE: ScreenTable = ScreenTable {
    kind: Kind::World,
    name: "world",
    uses: &[
        Use::new(Cmd::Down, "next tool, predicate, role").footer("tool", 90),
        Use::new(Cmd::MainNext, "next tool from any pane"),
        Use::new(Cmd::MainPrev, "tool before from any pane"),
        Use::new(Cmd::Left, "the role to the left").footer("role", 85),
        Use::new(Cmd::Right, "the role to the right"),
        Use::new(Cmd::NextFinding, "next tool that this role may not use").footer("next refusal", 80),
        Use::new(Cmd::PrevFinding, "tool before that this role may not use"),
        Use::new(Cmd::Filter, "filter: words, lacks:GATE, needs:GATE, class:NAME, role:NAME may, role:NAME not")
            .footer("filter", 70),
        Use::new(Cmd::ToolsetLens, "another tool set; after the last, the whole domain").footer("tool set", 60),
        Use::new(Cmd::ShowAll, "only what the tool set offers, or the whole domain").footer("offered, all", 40),
        Use::new(Cmd::NextPage, "next page: tools, predicates, roles, slots").footer("page", 65),
        Use::new(Cmd::PrevPage, "page before"),
        Use::new(Cmd::Open, "go to the name: role, tool, predicate; on a class, fold").footer("go", 75),
        Use::new(Cmd::Fold, "fold, unfold the class"),
        Use::new(Cmd::Order, "order: by class, by name, by who may").footer("order", 30),
        Use::new(Cmd::OrderReverse, "the other way round"),
        Use::new(Cmd::Compare, "two roles side by side"),
        Use::new(Cmd::Play, "play this entry as this role"),
        Use::new(Cmd::Card, "what this is: who adds, deletes, reads it; who holds it"),
        Use::new(Cmd::Edit, "the definition in the editor").footer("edit", 35),
        Use::new(Cmd::Raw, "the file at the definition"),
        Use::new(Cmd::CopyValue, "copy the name"),
        Use::new(Cmd::CopyPath, "copy the path of the file"),
        Use::new(Cmd::Search, "search").footer("search", 50),
        Use::new(Cmd::SearchNext, "next hit"),
        Use::new(Cmd::SearchPrev, "hit before"),
    ],
    reasons: &[],
};
