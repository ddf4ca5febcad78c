//! The signs of screens.md §8: one cell wide, no emoji form, each with an ASCII twin.

use ratatui::style::Modifier;

use super::theme::Role;
use crate::{run::StepKind, world::Access};

/// A sign by meaning. No two share a glyph where both can stand in one column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sign {
    /// A call that fired.
    Fired,
    /// A call that fired and changed nothing.
    FiredIdle,
    /// Refused: a condition, or a conflict.
    Condition,
    /// Refused: an input that no call produced.
    Input,
    /// Refused: the role lacks the capability.
    Capability,
    /// Refused: the role lacks the knowledge.
    Knowledge,
    /// Refused: the role lacks both.
    BothGates,
    /// A call that is no call: unknown tool or bad arguments.
    BadCall,
    /// A call beyond the budget.
    OverBudget,
    /// Replay and record differ.
    Diverged,
    /// A damaged line, or a call without a result.
    Damaged,
    /// An action withheld.
    UnderReach,
    /// Routed wrongly, or not routed.
    Misroute,
    /// Holds.
    Holds,
    /// Fails.
    Fails,
    /// May, in a matrix.
    May,
    /// Was added.
    Added,
    /// Was removed.
    Removed,
    /// Was changed.
    Changed,
    /// Came closer to the goal.
    Closer,
    /// As far from the goal as before.
    Same,
    /// Went further from the goal.
    Further,
    /// No way to the goal.
    Infinite,
    /// Distance not known.
    Unknown,
    /// The row under the cursor, in the pane that has the focus.
    Cursor,
    /// The row under the cursor, in another pane.
    CursorElsewhere,
    /// The start of a run.
    Start,
    /// The end of a run.
    End,
    /// A heading that is folded.
    Folded,
    /// A heading that is open.
    Unfolded,
    /// The place on the timeline.
    Here,
    /// Not evaluated; nothing here.
    Nothing,
    /// What stands between two calls: a message.
    Between,
    /// A bracket's upper end.
    BracketTop,
    /// A bracket's middle.
    BracketMiddle,
    /// A bracket's lower end.
    BracketBottom,
    /// Still being computed.
    Pending,
}

impl Sign {
    /// The signs that one column of steps, conditions or changes may hold: pairwise different.
    pub const STEPS: [Sign; 15] = [
        Sign::Fired,
        Sign::FiredIdle,
        Sign::Condition,
        Sign::Input,
        Sign::Capability,
        Sign::Knowledge,
        Sign::BothGates,
        Sign::BadCall,
        Sign::OverBudget,
        Sign::Diverged,
        Sign::Damaged,
        Sign::UnderReach,
        Sign::Misroute,
        Sign::Start,
        Sign::End,
    ];

    /// What a step or a run can be marked by, the mildest first (screens.md §6, §8).
    const SEVERITY: [Sign; 15] = [
        Sign::Pending,
        Sign::Unknown,
        Sign::Holds,
        Sign::Fails,
        Sign::Condition,
        Sign::Input,
        Sign::BadCall,
        Sign::OverBudget,
        Sign::Misroute,
        Sign::UnderReach,
        Sign::Capability,
        Sign::Knowledge,
        Sign::BothGates,
        Sign::Damaged,
        Sign::Diverged,
    ];

    /// How bad it is among others; 0 for what is nothing to look at.
    pub fn severity(self) -> usize {
        Sign::SEVERITY.iter().position(|known| *known == self).unwrap_or(0)
    }

    /// The glyph, and its ASCII twin.
    pub fn glyphs(self) -> (&'static str, &'static str) {
        match self {
            Sign::Fired | Sign::May => ("●", "o"),
            Sign::FiredIdle => ("○", "."),
            Sign::Condition => ("x", "x"),
            Sign::Input => ("i", "i"),
            Sign::Capability => ("C", "C"),
            Sign::Knowledge => ("K", "K"),
            Sign::BothGates => ("B", "B"),
            Sign::BadCall => ("!", "!"),
            Sign::OverBudget => ("$", "$"),
            Sign::Diverged => ("≠", "%"),
            Sign::Damaged => ("#", "#"),
            Sign::UnderReach => ("<", "<"),
            Sign::Misroute => (">", ">"),
            Sign::Holds => ("✓", "y"),
            Sign::Fails => ("✗", "n"),
            Sign::Added => ("+", "+"),
            Sign::Removed => ("-", "-"),
            Sign::Changed => ("~", "~"),
            Sign::Closer => ("↓", "v"),
            Sign::Same => ("=", "="),
            Sign::Further => ("↑", "^"),
            Sign::Infinite => ("∞", "&"),
            Sign::Unknown => ("?", "?"),
            Sign::Cursor => ("▌", "|"),
            Sign::CursorElsewhere => ("╎", ":"),
            Sign::Start => ("▷", "@"),
            Sign::End => ("■", "_"),
            Sign::Folded => ("▸", ">"),
            Sign::Unfolded => ("▾", "v"),
            Sign::Here => ("▲", "^"),
            Sign::Nothing => ("·", "."),
            Sign::Between => ("┊", ":"),
            Sign::BracketTop => ("┌", "/"),
            Sign::BracketMiddle => ("│", "|"),
            Sign::BracketBottom => ("└", "\\"),
            Sign::Pending => ("░", ":"),
        }
    }

    /// The colour's meaning, and the attribute that carries it without colour.
    pub(super) fn look(self) -> (Role, Modifier) {
        let none = Modifier::empty();
        match self {
            Sign::Fired | Sign::Folded | Sign::Unfolded => (Role::Plain, none),
            Sign::FiredIdle | Sign::Same | Sign::Unknown | Sign::Start | Sign::End => (Role::Dim, Modifier::DIM),
            Sign::CursorElsewhere => (Role::Plain, none),
            Sign::Nothing | Sign::Between | Sign::Pending => (Role::Dim, Modifier::DIM),
            Sign::BracketTop | Sign::BracketMiddle | Sign::BracketBottom => (Role::Plain, none),
            Sign::Condition | Sign::Input => (Role::Warn, Modifier::BOLD),
            Sign::Capability | Sign::Knowledge | Sign::BothGates => (Role::Bad, Modifier::REVERSED),
            Sign::BadCall | Sign::OverBudget => (Role::Fault, Modifier::BOLD),
            Sign::Diverged | Sign::Damaged => (Role::Fault, Modifier::UNDERLINED),
            Sign::UnderReach | Sign::Misroute => (Role::Under, Modifier::BOLD),
            Sign::Holds | Sign::May => (Role::Good, none),
            Sign::Fails => (Role::Warn, Modifier::BOLD),
            Sign::Added | Sign::Closer => (Role::Added, none),
            Sign::Removed => (Role::Removed, none),
            Sign::Changed | Sign::Further => (Role::Changed, none),
            Sign::Infinite => (Role::Bad, Modifier::BOLD),
            Sign::Cursor | Sign::Here => (Role::Title, Modifier::BOLD),
        }
    }
}

impl From<StepKind> for Sign {
    fn from(kind: StepKind) -> Sign {
        match kind {
            StepKind::Fired => Sign::Fired,
            StepKind::FiredIdle => Sign::FiredIdle,
            StepKind::Condition => Sign::Condition,
            StepKind::Input => Sign::Input,
            StepKind::BadCall => Sign::BadCall,
            StepKind::OverBudget => Sign::OverBudget,
            StepKind::Capability => Sign::Capability,
            StepKind::Knowledge => Sign::Knowledge,
            StepKind::Both => Sign::BothGates,
            StepKind::Damaged => Sign::Damaged,
            StepKind::Diverged => Sign::Diverged,
        }
    }
}

impl From<Access> for Sign {
    fn from(access: Access) -> Sign {
        match access {
            Access::May => Sign::May,
            Access::Capability => Sign::Capability,
            Access::Knowledge => Sign::Knowledge,
            Access::Both => Sign::BothGates,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::theme::{Palette, Theme};
    use super::*;
    use crate::tui::cells;

    const COLUMNS: [&[Sign]; 4] = [
        &Sign::STEPS,
        &[Sign::Holds, Sign::Fails, Sign::Capability, Sign::Knowledge, Sign::BothGates, Sign::Nothing],
        &[Sign::Added, Sign::Removed, Sign::Changed, Sign::Holds, Sign::Fails],
        &[Sign::Closer, Sign::Same, Sign::Further, Sign::Infinite, Sign::Unknown],
    ];

    #[test]
    fn no_two_share_a_sign_in_one_column() {
        for theme in [Theme { palette: Palette::Mono, ascii: false }, Theme { palette: Palette::Mono, ascii: true }] {
            for column in COLUMNS {
                for (i, &a) in column.iter().enumerate() {
                    for &b in &column[i + 1..] {
                        assert_ne!(theme.glyph(a), theme.glyph(b), "{a:?} {b:?} ascii {}", theme.ascii);
                    }
                }
            }
        }
    }

    #[test]
    fn one_cell_and_ascii_is_ascii() {
        for column in COLUMNS {
            for sign in column {
                let (unicode, ascii) = sign.glyphs();
                assert_eq!((cells::width(unicode), cells::width(ascii)), (1, 1), "{sign:?}");
                assert!(ascii.is_ascii(), "{sign:?}");
            }
        }
    }

    #[test]
    fn the_lanes_of_colour_are_kept() {
        use ratatui::style::Color::{Cyan, Yellow};
        let colour = |palette, sign| Theme { palette, ascii: false }.sign_style(sign).fg;
        for column in COLUMNS {
            for &sign in column {
                assert_eq!(colour(Palette::Mono, sign), None, "{sign:?} has a colour in mono");
                assert!(![Some(Yellow), Some(Cyan)].contains(&colour(Palette::Light, sign)), "{sign:?} in light");
            }
        }
        let reversed = Theme::default().sign_style(Sign::Capability).add_modifier;
        assert_eq!(reversed, Modifier::REVERSED);
    }
}
