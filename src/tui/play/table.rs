//! What can be done in play, by which keys.

use crate::tui::command::{Cmd, Hunt, ScreenTable, Use};
use crate::tui::screen::{Kind, TypingKeys};

/// What can be done while it is chosen what to play.
pub const CHOOSE: ScreenTable = ScreenTable {
    kind: Kind::Choose,
    name: "choose",
    uses: &[
        Use::new(Cmd::Open, "go on to the next list; at the last, play").footer("next, play", 100),
        Use::new(Cmd::Down, "down").footer("choose", 90),
        Use::new(Cmd::Left, "the list to the left").footer("other list", 80),
        Use::new(Cmd::Right, "the list to the right"),
        Use::new(Cmd::Play, "play what is under the cursors").footer("play", 70),
    ],
    reasons: &[],
};

/// The screen's part of the command table.
pub const TABLE: ScreenTable = ScreenTable {
    kind: Kind::Play,
    name: "play",
    uses: &[
        Use::new(Cmd::Open, "put the tool into the call, go to the step that said it; at the end, the trajectory")
            .footer("open", 90),
        Use::new(Cmd::Play, "to the prompt; at the end, play on from the call under the cursor, at the start anew")
            .footer("play", 100),
        Use::new(Cmd::Say, "say something").footer("say", 80),
        Use::new(
            Cmd::Solution,
            "hint: the tool of a shortest plan's next call; again, the whole call; counted in the log",
        )
        .footer("hint, counted", 70),
        Use::new(Cmd::Hint, "the same, by its name"),
        Use::new(Cmd::Undo, "take the last call back: what is done next begins a fork, and the log counts it")
            .footer("undo", 55),
        Use::new(Cmd::Redo, "make the call again that was taken back").footer("redo", 54),
        Use::new(Cmd::Compare, "at the end, set the run beside the reference, or the shortest plan")
            .footer("reference", 70),
        Use::new(Cmd::MainNext, "next call").footer("call", 60),
        Use::new(Cmd::MainPrev, "call before"),
        Use::new(Cmd::NextFinding, "next refusal").footer("refusal", 50),
        Use::new(Cmd::PrevFinding, "refusal before"),
        Use::new(Cmd::Next(Hunt::Refusal), "refusal"),
        Use::new(Cmd::Prev(Hunt::Refusal), "refusal before"),
        Use::new(Cmd::HuntAgain, "hunt on"),
        Use::new(Cmd::HuntBack, "hunt back"),
        Use::new(Cmd::Left, "fold"),
        Use::new(Cmd::Right, "unfold"),
        Use::new(Cmd::Fold, "fold, unfold").footer("fold", 30),
        Use::new(Cmd::ShowAll, "open play: show goal, gates and state from here on; the log says so")
            .footer("open play", 45),
        Use::new(Cmd::Finish, "finish: end the run as done"),
        Use::new(Cmd::World, "the world, once the run has ended"),
        Use::new(Cmd::CopyValue, "copy this row"),
        Use::new(Cmd::CopyCall, "copy this call as JSON"),
        Use::new(Cmd::CopyPath, "copy the path of the log"),
        Use::new(Cmd::Search, "search").footer("search", 40),
        Use::new(Cmd::SearchNext, "next hit"),
        Use::new(Cmd::SearchPrev, "hit before"),
        Use::new(Cmd::Back, "stop playing; at the end, leave").footer("stop", 251),
    ],
    reasons: &[
        (Cmd::ToolsetLens, "the tool set of a run is fixed: it was chosen at the start"),
        (Cmd::Edit, "the files would give away what a player is not told"),
    ],
};

/// Keys of `call ›`, while nothing stands in it.
pub const CALL_KEYS: TypingKeys = &[
    ("Enter", "choose"),
    ("Tab", "complete"),
    ("Esc", "panes"),
    ("\"", "say"),
    ("?", "keys"),
    (":", "commands"),
    ("↑", "earlier call"),
    ("PgDn", "story"),
];
/// The same, once something does.
pub const BEGUN_KEYS: TypingKeys = &[
    ("Enter", "next, send"),
    ("Shift-Tab", "back"),
    ("Ctrl-u", "clear"),
    ("Esc", "panes"),
    ("?", "keys"),
    ("Tab", "complete"),
    ("Ctrl-x", "send as it is"),
    ("PgDn", "story"),
    ("Backspace", "back, where nothing is typed"),
];
/// Keys of `say ›`.
pub const SAY_KEYS: TypingKeys = &[("Enter", "say it"), ("Esc", "back to calls")];
