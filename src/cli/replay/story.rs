//! A whole run in lines, printed as it is made: a log of any length streams.

use super::{
    Told,
    step::{self, damage},
};
use crate::{
    cli::{
        CliError, Output, Paint,
        lines::{INDENT, row, titled},
        table::{Cell, with_words},
    },
    exec::{State, goal_words},
    run::{Log, Replay, RowId, RowKind, StepKind, StepView, WorldMatch},
    text::visible,
    tui::{cells, sign::Sign, theme::Role},
    world::GoalLiteral,
};

/// Prints a run: head, steps with what was said between them, end, and what it came to.
pub fn print(told: &Told, messages: bool, out: &mut Output) -> Result<(), CliError> {
    let paint = out.paint;
    head(told, &paint).iter().try_for_each(|line| out.line(line))?;
    out.line("")?;
    let start = told.replay.as_ref().and_then(|replay| replay.goal_after(0));
    let start = start.map_or(String::new(), |goal| format!("goal {}/{}", goal.held, goal.of));
    let right = [(Role::Dim, start.as_str())];
    let right = if start.is_empty() { &[][..] } else { &right };
    out.line(&row(&paint, "0", Sign::Start, &[(Role::Dim, "start")], right))?;
    for id in told.run.log.row_ids() {
        event(told, id, messages, &paint).iter().try_for_each(|line| out.line(line))?;
    }
    if told.run.log.end_row().is_none() {
        out.line(&row(&paint, "", Sign::End, &[(Role::Dim, "no end")], &[]))?;
    }
    summary(told, &paint).iter().try_for_each(|line| out.line(line))
}

/// The first lines: what run it is, and what it came to.
pub fn head(told: &Told, paint: &Paint) -> Vec<String> {
    let header = &told.header;
    let setup = told.replay.as_ref().map(|replay| &replay.setup);
    let problem = setup.map(|setup| &setup.world.problem);
    let id = problem.map(|problem| problem.id.as_str()).or(header.problem.as_deref());
    let title = problem.map_or("", |problem| problem.title.as_str());
    let id = id.unwrap_or("no entry");
    let name = paint.text(Role::Title, told.name());
    let width: usize = [told.name(), id, title].iter().map(|text| cells::width(&visible(text))).sum();
    let mut lines = if width + 3 <= paint.width {
        vec![format!("{name}  {} {}", paint.text(Role::Link, id), paint.text(Role::Title, title))]
    } else {
        std::iter::once(name).chain(titled(paint, id, title)).collect()
    };
    let toolset = setup.and_then(|s| s.world.problem.toolsets.get_index(s.toolset.index())).map(|(name, _)| name);
    let budget = setup.map(|setup| u64::from(setup.budget)).or(header.budget);
    let calls = told.run.log.steps();
    let agent = header.agent.as_ref().and_then(|agent| agent.name.as_deref());
    let parts: Vec<String> = [
        Some(header.role.clone().unwrap_or_else(|| "no role".to_owned())),
        toolset.or(header.toolset.as_ref()).cloned(),
        agent.map(|agent| format!("agent {agent}")),
        Some(budget.map_or(format!("calls {calls}"), |budget| format!("calls {calls}/{budget}"))),
        Some(told.run.log.end_reason().map_or("no end".to_owned(), |end| format!("end {end}"))),
    ]
    .into_iter()
    .flatten()
    .collect();
    lines.extend(paint.wrapped(Role::Plain, &parts.join(paint.dot()), 0));
    lines.extend(told.replay.as_ref().map(|replay| verdict(replay, paint)));
    lines.extend(warnings(told).iter().map(|text| paint.text(Role::Fault, text)));
    lines
}

/// What the run came to, in a sentence.
fn verdict(replay: &Replay, paint: &Paint) -> String {
    let Some(goal) = replay.goal_after(replay.steps().len()) else {
        return paint.text(Role::Dim, "no goal: the entry has no perspective of this role");
    };
    let over_reach: Vec<String> = replay.over_reach().map(|step| step.to_string()).collect();
    let over = format!("over-reach at {}", over_reach.join(", "));
    let share = format!("goal {}/{}", goal.held, goal.of);
    match (goal.complete(), over_reach.is_empty()) {
        (true, true) => paint.text(Role::Good, &format!("{share}, solved")),
        (true, false) => paint.text(Role::Bad, &format!("{share}, complete, but not solved: {over}")),
        (false, true) => paint.text(Role::Warn, &format!("{share}, not reached")),
        (false, false) => paint.text(Role::Bad, &format!("{share}, not reached; {over}")),
    }
}

/// What a reader should know before believing what follows.
fn warnings(told: &Told) -> Vec<String> {
    let mut warnings = Vec::new();
    let log = &told.run.log;
    match &told.replay {
        None => warnings.push("not executed: what follows is what was recorded".to_owned()),
        Some(replay) => {
            if replay.world_match == WorldMatch::Changed {
                warnings.push("the world has changed since: executed on the present one".to_owned());
            }
            let own = replay.setup.world.problem.budget;
            if replay.setup.budget != own {
                warnings.push(format!("the budget of the run is {}, that of the entry {own}", replay.setup.budget));
            }
            let diverging: Vec<usize> =
                replay.steps().iter().enumerate().filter(|(_, record)| record.diverges).map(|(i, _)| i + 1).collect();
            if let Some(first) = diverging.first() {
                let more = if diverging.len() > 1 { format!(", {} in all", diverging.len()) } else { String::new() };
                warnings.push(format!("diverges from the log at step {first}{more}"));
            }
        }
    }
    if log.damage_count() > 0 {
        let mut lines: Vec<usize> = log.damage().map(|damage| damage.line).collect();
        lines.sort_unstable();
        lines.dedup();
        let more = if lines.len() > 6 { ", …" } else { "" };
        let lines: Vec<String> = lines.iter().take(6).map(ToString::to_string).collect();
        let places = if lines.len() == 1 { "line" } else { "lines" };
        warnings.push(format!("the log is damaged: {places} {}{more}", lines.join(", ")));
    }
    warnings
}

/// A row of the log in lines; none for what is shown elsewhere.
fn event(told: &Told, id: RowId, messages: bool, paint: &Paint) -> Vec<String> {
    let log = &told.run.log;
    let Some(found) = log.row(id) else { return Vec::new() };
    let mut lines = match found.kind {
        RowKind::Call => {
            let view = StepView::of(log, told.replay.as_ref(), found.step());
            return view.map(|view| step::lines(paint, told, &view)).unwrap_or_default();
        }
        RowKind::Message if messages => message(log, id, paint),
        RowKind::Note if messages => note(log, id, paint),
        RowKind::End if log.end_row() == Some(id) => {
            let reason = log.end_reason().unwrap_or("no reason".into());
            vec![row(paint, "", Sign::End, &[(Role::Title, &reason)], &[])]
        }
        RowKind::Broken | RowKind::Unknown => {
            vec![between(paint, &paint.clip(&log.raw_text(id), paint.width.saturating_sub(INDENT + 2)))]
        }
        _ => Vec::new(),
    };
    lines.extend(damage(paint, log, id));
    lines
}

fn message(log: &Log, id: RowId, paint: &Paint) -> Vec<String> {
    let Some(message) = log.message(id) else { return Vec::new() };
    let verb = if message.reasoning { " thinks" } else { "" };
    let text = format!("{}{verb}: {}", message.from, message.text);
    let bar = paint.sign(Sign::Between);
    paint.wrapped(Role::Dim, &text, INDENT).iter().map(|line| format!("    {bar}  {line}")).collect()
}

fn note(log: &Log, id: RowId, paint: &Paint) -> Vec<String> {
    let Some(note) = log.note(id) else { return Vec::new() };
    let data = if note.data.get() == "null" { "" } else { note.data.get() };
    let text = format!("note {} {data}", note.kind);
    vec![between(paint, &paint.clip(&text, paint.width.saturating_sub(INDENT)))]
}

fn between(paint: &Paint, text: &str) -> String {
    format!("    {}  {}", paint.sign(Sign::Between), paint.text(Role::Dim, text))
}

/// Which goal literals hold, and which calls failed a gate.
fn summary(told: &Told, paint: &Paint) -> Vec<String> {
    let Some(replay) = &told.replay else { return Vec::new() };
    let mut lines = Vec::new();
    let steps = replay.steps().len();
    if replay.goal_after(steps).is_some() {
        lines.push(String::new());
        lines.extend(goal(replay, replay.end_state(), steps, paint));
    }
    let violations: Vec<usize> = replay.over_reach().collect();
    if !violations.is_empty() {
        lines.push(String::new());
        lines.push(paint.text(Role::Title, &format!("Over-reach {}", violations.len())));
        lines.extend(violations.iter().filter_map(|&step| violation(told, step, paint)));
    }
    lines
}

/// The goal as it stands in a state: each literal held or not, in words, and since when.
pub fn goal(replay: &Replay, state: &State, step: usize, paint: &Paint) -> Vec<String> {
    let world = &replay.setup.world;
    let Some(perspective) = world.problem.perspectives.get(&replay.setup.role) else { return Vec::new() };
    let (alternative, share) = perspective.goal.best(state);
    let start = replay.state_after(0);
    let which = match perspective.goal.alternatives.len() {
        1 => String::new(),
        many => format!(", alternative {} of {many}", alternative + 1),
    };
    let mut lines = vec![paint.text(Role::Title, &format!("Goal {}/{}{which}", share.held, share.of))];
    let literals = &perspective.goal.alternatives[alternative];
    let row = |literal: &GoalLiteral| {
        let sign = if literal.holds(state) { Sign::Holds } else { Sign::Fails };
        let guard = literal.holds(&start);
        let since = match (since(replay, literal, step), guard) {
            (Some(step), _) => format!("since {step}"),
            (None, true) => "from the start".to_owned(),
            (None, false) if step < replay.steps().len() => "not yet".to_owned(),
            (None, false) => "never".to_owned(),
        };
        let kind = if guard { "guard, " } else { "" };
        let cells = vec![
            Cell::painted(paint.sign(sign), 1),
            Cell::plain(paint, &literal.text),
            Cell::plain(paint, &format!("{kind}{since}")),
        ];
        (cells, goal_words(world, literal))
    };
    lines.extend(with_words(literals.iter().map(row).collect(), paint, 1));
    lines
}

/// The last step up to this one that changed the truth of a literal.
fn since(replay: &Replay, literal: &GoalLiteral, step: usize) -> Option<usize> {
    let fact = literal.fact.ok()?;
    (1..=step).rev().find(|&step| replay.steps().get(step - 1).is_some_and(|record| record.outcome.touches(fact)))
}

fn violation(told: &Told, number: usize, paint: &Paint) -> Option<String> {
    let view = StepView::of(&told.run.log, told.replay.as_ref(), number)?;
    let gates = view.refusals.iter().filter(|refusal| matches!(refusal.name(), "capability" | "knowledge"));
    let gates: Vec<String> = gates.map(ToString::to_string).collect();
    let kind = StepKind::of_reasons(view.refusals.iter().map(|refusal| refusal.name()));
    let left = [(Role::Title, view.tool_text()), (Role::Bad, format!("  {}", gates.join(", ")))];
    let left: Vec<(Role, &str)> = left.iter().map(|(role, text)| (*role, text.as_str())).collect();
    Some(row(paint, &number.to_string(), kind.into(), &left, &[]))
}
