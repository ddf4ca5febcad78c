//! One step in lines: its row, then what it changed, why it was refused, what the agent read.

use super::Told;
use crate::{
    cli::{
        Paint,
        lines::{INDENT, argument, below, call, difference, reason},
    },
    exec::{Counts, Difference, Refusal},
    run::{Log, Recorded, Replay, StepKind, StepOutcome, StepView, arguments},
    tui::{sign::Sign, theme::Role},
    world::World,
};

/// Arguments longer than this are not written out in a list of steps.
const LONGEST: usize = 400;

/// A step, whole.
pub fn lines(paint: &Paint, told: &Told, view: &StepView) -> Vec<String> {
    let args = arguments(view.args.as_str());
    let args: Vec<String> = args.iter().map(|(name, value)| argument(name, &paint.clip(value, LONGEST))).collect();
    let differences = differences(told.replay.as_ref(), view.step);
    let came = came_of(told, view, differences.as_ref().map(|(_, differences)| differences));
    let mut lines = step_row(paint, told, view, &args, &came);
    outcome(paint, told, view, differences, &mut lines);
    lines.extend(after(paint, told, view));
    lines
}

/// The row of a step alone, without arguments.
pub fn outline(paint: &Paint, told: &Told, view: &StepView) -> Vec<String> {
    let differences = differences(told.replay.as_ref(), view.step);
    let came = came_of(told, view, differences.as_ref().map(|(_, differences)| differences));
    step_row(paint, told, view, &[], &came)
}

/// What follows the outcome: what the agent read, and what is wrong with the record.
pub fn after(paint: &Paint, told: &Told, view: &StepView) -> Vec<String> {
    let log = &told.run.log;
    let mut lines = observation(paint, view);
    if let Some(row) = log.call_of(view.step) {
        lines.extend(damage(paint, log, row));
    }
    lines
}

fn step_row(paint: &Paint, told: &Told, view: &StepView, args: &[String], came: &[(Role, String)]) -> Vec<String> {
    let kind = StepKind::of(&told.run.log, told.replay.as_ref(), view.step);
    let came: Vec<(Role, &str)> = came.iter().map(|(role, text)| (*role, text.as_str())).collect();
    call(paint, view.step, kind.into(), (&view.tool_text(), args), &came)
}

/// What came of a step: `+1 ~1`, and the goal where it is another than before.
fn came_of(told: &Told, view: &StepView, differences: Option<&Vec<Difference>>) -> Vec<(Role, String)> {
    let counts = match differences {
        Some(differences) => Counts::of(differences).to_string(),
        None => recorded_counts(view),
    };
    let goal = goal_change(told.replay.as_ref(), view);
    match (counts.is_empty(), goal.is_empty()) {
        (true, true) => Vec::new(),
        (false, true) => vec![(Role::Plain, counts)],
        (true, false) => vec![(Role::Good, goal)],
        (false, false) => vec![(Role::Plain, counts + "  "), (Role::Good, goal)],
    }
}

/// What a step did, and what the log says instead.
fn outcome(
    paint: &Paint,
    told: &Told,
    view: &StepView,
    differences: Option<(&World, Vec<Difference>)>,
    lines: &mut Vec<String>,
) {
    if view.diverges {
        let fired = if view.fired { "fired" } else { "refused" };
        lines.push(below(&paint.text(Role::Fault, &format!("executed: {fired}"))));
    }
    if view.over_budget {
        let budget = told.replay.as_ref().map_or(0, |replay| replay.setup.budget);
        lines.push(below(
            &paint.text(Role::Fault, &format!("over budget: {budget} calls were made, this one was not executed")),
        ));
    }
    match differences {
        Some((world, differences)) => {
            lines.extend(differences.iter().map(|entry| below(&difference(paint, world, *entry))));
        }
        None => changes(paint, &view.added, &view.removed, &view.produced, lines),
    }
    for refusal in &view.refusals {
        lines.extend(reason(paint, &refusal.to_string(), is_gate(refusal.name())));
    }
    if let Some(recorded) = told.run.log.recorded(view.step).filter(|_| view.diverges) {
        recorded_lines(paint, &recorded, lines);
    }
}

fn is_gate(reason: &str) -> bool {
    matches!(reason, "capability" | "knowledge")
}

fn recorded_lines(paint: &Paint, recorded: &Recorded, lines: &mut Vec<String>) {
    let fired = match recorded.fired {
        Some(true) => "fired",
        Some(false) => "refused",
        None => "not said whether it fired",
    };
    lines.push(below(&paint.text(Role::Fault, &format!("recorded: {fired}"))));
    changes(paint, &recorded.added, &recorded.removed, &recorded.produced, lines);
    for refusal in &recorded.refusals {
        let json = refusal.json.get();
        let words = Refusal::read(json).map_or_else(|| json.to_owned(), |refusal| refusal.to_string());
        let gate = refusal.reason.as_deref().is_some_and(is_gate);
        lines.extend(reason(paint, &paint.clip(&words, LONGEST), gate));
    }
}

fn changes<T: AsRef<str>>(paint: &Paint, added: &[T], removed: &[T], produced: &[T], lines: &mut Vec<String>) {
    let mut list = |sign: Sign, role, prefix: &str, texts: &[T]| {
        for text in texts {
            lines.push(below(&format!(
                "{} {}",
                paint.sign(sign),
                paint.text(role, &format!("{prefix}{}", text.as_ref()))
            )));
        }
    };
    list(Sign::Removed, Role::Removed, "", removed);
    list(Sign::Added, Role::Added, "", added);
    list(Sign::Added, Role::Added, "in hand: ", produced);
}

/// What the agent read back, behind a bar.
fn observation(paint: &Paint, view: &StepView) -> Vec<String> {
    let bar = paint.text(Role::Dim, paint.either("│", "|"));
    let text = view.observation.as_deref().unwrap_or_default();
    if text.trim().is_empty() {
        return Vec::new();
    }
    paint.wrapped(Role::Plain, text, INDENT + 4).iter().map(|line| below(&format!("{bar} {line}"))).collect()
}

/// What is wrong with a line of the log.
pub fn damage(paint: &Paint, log: &Log, row: crate::run::RowId) -> Vec<String> {
    let line = |damage: crate::run::Damage| {
        let text = format!("line {}: {}", damage.line, damage.message);
        format!("{}{} {}", " ".repeat(4), paint.sign(Sign::Damaged), paint.text(Role::Fault, &format!(" {text}")))
    };
    log.damage_of(row).into_iter().map(line).collect()
}

/// The diff of a step that was executed.
pub fn differences(replay: Option<&Replay>, step: usize) -> Option<(&World, Vec<Difference>)> {
    let replay = replay?;
    let world = &*replay.setup.world;
    Some((
        world,
        match &replay.steps().get(step.checked_sub(1)?)?.outcome {
            StepOutcome::Fired(changes) => Difference::of(world, changes),
            _ => Vec::new(),
        },
    ))
}

fn recorded_counts(view: &StepView) -> String {
    let counts = Counts { added: view.added.len() + view.produced.len(), changed: 0, removed: view.removed.len() };
    counts.to_string()
}

/// `goal 2/3` where it is another than before.
fn goal_change(replay: Option<&Replay>, view: &StepView) -> String {
    let before = replay.and_then(|replay| replay.goal_after(view.step - 1));
    match view.goal {
        Some(goal) if Some(goal) != before => format!("goal {}/{}", goal.held, goal.of),
        _ => String::new(),
    }
}
