//! One step of a run in full: arguments with their origin, every condition, the goal after it.

use super::{
    Told,
    step::{self, differences},
    story,
};
use crate::{
    cli::{
        CliError, Output, Paint,
        lines::{INDENT, below, difference, reason},
        table::{Cell, Table},
    },
    exec::{Check, Explanation, Opening, Status, Subject},
    run::{Replay, StepOutcome, StepView, arguments},
    text::{visible, visible_lines},
    tui::{cells, sign::Sign, theme::Role},
    world::{FactId, RoleId, World},
};

/// Prints a step; step 0 is what the agent was told at the start.
pub fn print(told: &Told, step: usize, out: &mut Output) -> Result<(), CliError> {
    let paint = out.paint;
    story::head(told, &paint).iter().take(2).try_for_each(|line| out.line(line))?;
    out.line("")?;
    let mut lines = match step {
        0 => start(told),
        _ => called(told, step, &paint),
    };
    if let Some(replay) = &told.replay {
        lines.push(String::new());
        lines.extend(story::goal(replay, &replay.state_after(step), step, &paint));
    }
    lines.iter().try_for_each(|line| out.line(line))
}

fn start(told: &Told) -> Vec<String> {
    let Some(replay) = &told.replay else { return Vec::new() };
    let opening = Opening::of(&replay.setup.world, replay.setup.role, replay.setup.toolset).text();
    visible_lines(opening.trim_end()).lines().map(str::to_owned).collect()
}

fn called(told: &Told, step: usize, paint: &Paint) -> Vec<String> {
    let Some(view) = StepView::of(&told.run.log, told.replay.as_ref(), step) else { return Vec::new() };
    let Some(replay) = told.replay.as_ref().filter(|_| !view.over_budget) else {
        return step::lines(paint, told, &view);
    };
    let mut lines = step::outline(paint, told, &view);
    let request = replay.request(&told.run.log, step);
    let mut args = Table::default();
    for (name, value) in arguments(view.args.as_str()) {
        let origin = crate::exec::slot_value(&replay.setup.world, &value).map(|fact| origin(replay, fact, step, paint));
        args.row(vec![
            Cell::new(paint, Role::Dim, &name),
            Cell::plain(paint, &value),
            Cell::new(paint, Role::Link, &origin.unwrap_or_default()),
        ]);
    }
    lines.extend(args.lines(paint, INDENT + 2));
    if let Some(request) = request {
        let before = replay.state_after(step - 1);
        let setup = &replay.setup;
        let explanation = Explanation::of(&setup.world, setup.role, setup.toolset, &before, &request);
        let mut failing = view.refusals.iter();
        for check in &explanation.checks {
            // Both are in the order of design §3, so the failing checks are the refusals.
            let reason = if check.status == Status::Fails { failing.next().map(ToString::to_string) } else { None };
            lines.extend(condition(paint, &setup.world, setup.role, check, reason));
        }
        lines.extend(failing.flat_map(|refusal| reason(paint, &refusal.to_string(), false)));
    }
    if let Some((world, changed)) = differences(Some(replay), step) {
        lines.extend(changed.iter().map(|entry| below(&difference(paint, world, *entry))));
        if changed.is_empty() {
            lines.push(below(&paint.text(Role::Dim, "nothing changed")));
        }
    }
    lines.extend(step::after(paint, told, &view));
    lines
}

/// A condition, held, failed or not evaluated.
fn condition(paint: &Paint, world: &World, role: RoleId, check: &Check, reason: Option<String>) -> Vec<String> {
    let domain = &world.domain;
    let (capability, knowledge) = match check.subject {
        Subject::Capability(id) => (Some(id), None),
        Subject::Knowledge(id) => (None, Some(id)),
        _ => (None, None),
    };
    let held = capability.map(|id| domain.with_capability(id).collect::<Vec<_>>());
    let held = held.or_else(|| knowledge.map(|id| domain.with_knowledge(id).collect()));
    let holders = held.map(|roles| {
        let roles: Vec<&str> = roles.into_iter().map(|role| domain.role_name(role)).collect();
        if roles.is_empty() { "no role has it".to_owned() } else { format!("held by {}", roles.join(", ")) }
    });
    let text = match &check.subject {
        Subject::Precondition { text, .. } => text.clone(),
        Subject::Input { argument, value, .. } => format!("{argument}: {}", world.fact_text(*value)),
        Subject::Capability(id) => format!("capability {}", domain.capability_name(*id)),
        Subject::Knowledge(id) => format!("knowledge {}", domain.knowledge_name(*id)),
        // Asked only where they fail, and then the reason says it.
        Subject::Offered | Subject::Argument(_) | Subject::Conflict => String::new(),
    };
    let (sign, look, text) = match (&check.status, reason) {
        (Status::Holds, _) => (Sign::Holds, Role::Plain, text),
        (Status::Open(var), _) => (Sign::Nothing, Role::Dim, format!("{text}  ?{var} has no value")),
        (Status::Fails, reason) => (Sign::Fails, Role::Warn, reason.unwrap_or(text)),
    };
    let mut lines = paint.wrapped(look, &text, INDENT + 4);
    if let (Status::Fails, Some(holders)) = (&check.status, holders) {
        let holders = format!("{} has it not, {holders}", domain.role_name(role));
        let used = INDENT + 4 + cells::width(&visible(&text)) + cells::width(paint.dot());
        match lines.as_mut_slice() {
            [line] if used + cells::width(&visible(&holders)) <= paint.width => {
                line.push_str(&format!("{}{}", paint.dot(), paint.text(Role::Dim, &holders)));
            }
            _ => lines.extend(paint.wrapped(Role::Dim, &holders, INDENT + 4)),
        }
    }
    let sign = format!("{} ", paint.sign(sign));
    lines.iter().enumerate().map(|(i, line)| below(&format!("{}{line}", if i == 0 { &sign } else { "  " }))).collect()
}

/// Where a slot value came from.
fn origin(replay: &Replay, fact: FactId, step: usize, paint: &Paint) -> String {
    let made =
        |outcome: &StepOutcome| matches!(outcome, StepOutcome::Fired(changes) if changes.produced.contains(&fact));
    let from = paint.either("←", "<-");
    if replay.state_after(0).contains(fact) {
        return format!("{from} given");
    }
    match (1..step).find(|&step| replay.steps().get(step - 1).is_some_and(|record| made(&record.outcome))) {
        Some(step) => format!("{from} {step}"),
        None => format!("{from} nothing"),
    }
}
