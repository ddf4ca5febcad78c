//! What the signs mean, in one wording for the help and for cards.

use ratatui::text::Line;

use super::screen::{Card, Kind};
use super::sign::Sign;
use super::theme::Theme;

/// A sign, and what it says.
pub type Meaning = (Sign, &'static str);

/// Of calls.
pub const CALLS: &[Meaning] = &[
    (Sign::Fired, "fired"),
    (Sign::FiredIdle, "fired, and changed nothing"),
    (Sign::Condition, "refused: a condition does not hold, or a conflict"),
    (Sign::Input, "refused: an input does not match, or no call produced it"),
    (Sign::Capability, "over-reach: the role lacks the capability"),
    (Sign::Knowledge, "over-reach: the role lacks the knowledge"),
    (Sign::BothGates, "over-reach: the role lacks both"),
    (Sign::BadCall, "no call: unknown or not offered tool, or bad arguments"),
    (Sign::OverBudget, "over the budget: not executed"),
    (Sign::Diverged, "the log says otherwise than the executor"),
    (Sign::Damaged, "the log is damaged here, or has no result"),
    (Sign::UnderReach, "under-reach: routed or stopped where the role may act"),
    (Sign::Misroute, "misroute: routed without a use"),
];

/// Of distances: what a call did to the number of calls that are left.
const DISTANCES: &[Meaning] = &[
    (Sign::Closer, "nearer to the goal"),
    (Sign::Same, "as far as before"),
    (Sign::Further, "a detour: further away"),
    (Sign::Infinite, "the goal is out of reach: proven"),
    (Sign::Unknown, "the planner gave up"),
];

/// Of conditions and of what changed.
const CONDITIONS: &[Meaning] = &[
    (Sign::Holds, "holds"),
    (Sign::Fails, "does not hold"),
    (Sign::Nothing, "not evaluated: it hangs on a value that is not there"),
    (Sign::Added, "became true, or was produced"),
    (Sign::Removed, "became false"),
    (Sign::Changed, "has another value"),
];

/// Of runs: the worst that happened in them.
pub const RUNS: &[Meaning] = &[
    (Sign::BothGates, "over-reach: the role lacked both gates"),
    (Sign::Capability, "over-reach: the role lacked the capability"),
    (Sign::Knowledge, "over-reach: the role lacked the knowledge"),
    (Sign::UnderReach, "under-reach: an action was withheld that the role is entitled to"),
    (Sign::Misroute, "routed without a use, or not routed where nothing else was left"),
    (Sign::BadCall, "no call: unknown or not offered tool, or bad arguments"),
    (Sign::Input, "an input did not match, or no call had produced it"),
    (Sign::Condition, "a condition did not hold, or a conflict"),
    (Sign::OverBudget, "calls beyond the budget"),
    (Sign::Diverged, "the log says otherwise than the executor"),
    (Sign::Damaged, "the log is damaged, or cannot be read"),
    (Sign::Fails, "every call fired, and the goal is open"),
    (Sign::Holds, "every call fired, and the goal is reached"),
    (Sign::Unknown, "no entry here to tell whether the goal is reached"),
    (Sign::Pending, "being read"),
];

/// Of tools in a matrix of roles.
const TOOLS: &[Meaning] = &[
    (Sign::May, "the role may use the tool"),
    (Sign::Capability, "it lacks the capability"),
    (Sign::Knowledge, "it lacks the knowledge"),
    (Sign::BothGates, "it lacks both"),
    (Sign::Nothing, "the tool is not in this tool set"),
];

/// The signs of a screen.
pub fn signs(kind: Kind) -> impl Iterator<Item = &'static Meaning> {
    let (some, more): (&[Meaning], &[Meaning]) = match kind {
        Kind::Browser | Kind::Results => (RUNS, &[]),
        Kind::Trajectory | Kind::Compare => (CALLS, CONDITIONS),
        Kind::World => (TOOLS, &[]),
        Kind::Entry => (TOOLS, &CONDITIONS[..2]),
        Kind::Play => (&CONDITIONS[..2], &CALLS[2..8]),
        Kind::Choose | Kind::Text => (&[], &[]),
    };
    let distances: &[Meaning] = if kind == Kind::Trajectory { DISTANCES } else { &[] };
    some.iter().chain(more).chain(distances)
}

/// A card of signs; `here` marks one.
pub fn card(title: &str, signs: &[Meaning], here: Option<Sign>, theme: Theme) -> Card {
    let row = |(sign, meaning): &Meaning| {
        let mark = if here == Some(*sign) { theme.words("  ◂ this row").into_owned() } else { String::new() };
        (Line::from(vec![theme.sign(*sign), format!("    {meaning}{mark}").into()]), None)
    };
    Card { title: title.to_owned(), rows: signs.iter().map(row).collect() }
}
