//! What a step did to the distance, and what was held back at it, in rows of the call pane.

use super::appraisal::Appraisal;
use super::loaded::Loaded;
use super::page::{Row, Target};
use crate::plan::Distance;
use crate::run::{Replay, StepOutcome};
use crate::score::{Verdict, Withheld, passes};
use crate::text::count;
use crate::tui::sign::Sign;
use crate::tui::theme::Role;

/// The verdict on a step, and what was held back there.
pub fn rows(run: &Loaded, step: usize) -> Vec<Row> {
    let (Some(appraisal), Some(replay)) = (&run.appraisal, &run.replay) else { return Vec::new() };
    if !matches!(run.outcome(step), Some(StepOutcome::Fired(_))) {
        return Vec::new();
    }
    // The row has its place before it is known what to say.
    let waiting = || Row::signed(Sign::Pending).say(Role::Dim, "how far from the goal: looking");
    let mut rows = vec![distance(appraisal, step).unwrap_or_else(waiting)];
    if let Some(withheld) = appraisal.withheld(step) {
        rows.extend(held_back(replay, withheld));
    }
    if appraisal.held_back(step) == Some(Sign::Misroute) {
        let text = "Misroute: it brought the goal no nearer, and made nothing of it true.";
        rows.push(Row::signed(Sign::Misroute).say(Role::Under, text).prose());
    }
    rows
}

/// What a run that stopped left undone.
pub fn at_end(run: &Loaded) -> Vec<Row> {
    let (Some(appraisal), Some(replay)) = (&run.appraisal, &run.replay) else { return Vec::new() };
    let left = appraisal.after(run.steps());
    let mut rows = match left {
        Some(Distance::Calls(calls @ 1..)) => {
            let text = format!("The goal was {} away.", count(calls as usize, "call"));
            vec![Row::text(Role::Plain, &text)]
        }
        Some(Distance::Never) => vec![Row::signed(Sign::Infinite).say(Role::Plain, "The goal was out of reach.")],
        _ => Vec::new(),
    };
    match appraisal.withheld(run.steps() + 1) {
        Some(withheld) => rows.extend(held_back(replay, withheld)),
        None if appraisal.missed_route() => {
            let text = "Missed route: every shortest way on began with handing the work over.";
            rows.push(Row::signed(Sign::Misroute).say(Role::Under, text).prose());
        }
        None => {}
    }
    rows
}

fn distance(appraisal: &Appraisal, step: usize) -> Option<Row> {
    let before = appraisal.after(step.checked_sub(1)?)?;
    let away = |distance: Distance| match distance {
        Distance::Calls(0) => "the goal holds".to_owned(),
        Distance::Calls(calls) => format!("{} from the goal", count(calls as usize, "call")),
        Distance::Never => "out of reach".to_owned(),
        Distance::Unknown => "the distance is not known".to_owned(),
    };
    let was = match before {
        Distance::Calls(calls) => format!(", {calls} before"),
        Distance::Never | Distance::Unknown => String::new(),
    };
    let now = away(appraisal.after(step)?);
    let (sign, role, text) = match appraisal.verdict(step)? {
        Verdict::Progress => (Sign::Closer, Role::Added, format!("{now}{was}")),
        Verdict::Idle => (Sign::Same, Role::Dim, format!("{now}, as before")),
        Verdict::Detour => (Sign::Further, Role::Changed, format!("a detour: {now}{was}")),
        Verdict::DeadEnd if before == Distance::Never => (Sign::Infinite, Role::Dim, format!("{now}, as before")),
        Verdict::DeadEnd => (Sign::Infinite, Role::Bad, format!("a dead end: {now}{was}")),
        Verdict::Unknown => (Sign::Unknown, Role::Dim, now),
        Verdict::Refused | Verdict::OverBudget => return None,
    };
    Some(Row::signed(sign).say(role, &text).prose())
}

/// Each action that could have been taken, and the gates that allowed it.
fn held_back(replay: &Replay, withheld: &Withheld) -> Vec<Row> {
    let (world, role) = (&replay.setup.world, replay.setup.role);
    let what = format!("Under-reach: {} of doing what this role may do itself.", withheld.deferral.words());
    let mut rows = vec![Row::signed(Sign::UnderReach).say(Role::Under, &what).prose()];
    for &tool in &withheld.tools {
        let row = Row::text(Role::Title, world.domain.tool_name(tool)).right(Role::Dim, &passes(world, tool, role));
        rows.push(row.indented(2).to(Target::Tool(tool)));
    }
    rows
}
