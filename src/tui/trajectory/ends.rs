//! What the call pane shows where the cursor is on no call: the start, the end, words, damage.

use super::appraisal::Appraisal;
use super::call::{prose, size};
use super::checks::{instead, ways};
use super::items::{Item, Shape};
use super::loaded::Loaded;
use super::page::{Key, Row, Target};
use super::{Fold, Folds, verdict, words};
use crate::exec::Opening;
use crate::run::{RowId, RowKind};
use crate::tui::sign::Sign;
use crate::tui::theme::Role;

/// The page of a row that is no call.
pub fn page(run: &Loaded, item: Item, folds: &Folds) -> Vec<Row> {
    match item.shape(run) {
        Shape::Start => start(run, folds),
        Shape::Message(row) => message(run, row),
        Shape::Note(row) => note(run, row),
        Shape::Damage(row) => damage(run, row),
        Shape::End(_) | Shape::NoEnd | Shape::Call(_) => end(run),
    }
}

/// The heading of the pane there.
pub fn title(run: &Loaded, item: Item) -> String {
    let line = |row: RowId| run.log.row(row).map_or(0, |row| row.line());
    match item.shape(run) {
        Shape::Start => "Start".to_owned(),
        Shape::Message(row) if run.log.row(row).is_some_and(|row| row.reasoning()) => "Reasoning".to_owned(),
        Shape::Message(_) => "Message".to_owned(),
        Shape::Note(_) => "Note".to_owned(),
        Shape::Damage(row) => format!("Line {}", line(row)),
        Shape::End(_) | Shape::NoEnd => "End".to_owned(),
        Shape::Call(step) => format!("Call {step}"),
    }
}

/// What the run came to, with its first finding.
fn outcome(run: &Loaded) -> Vec<Row> {
    let (verdict, faults) = words::verdict(run);
    let verdict = words::capital(&verdict);
    let bad = if run.over_reach.count > 0 { Role::Bad } else { Role::Warn };
    let stop = if faults.is_empty() { "." } else { "" };
    let mut rows = vec![Row::blank().say(Role::Title, &format!("{verdict}{stop}")).say(bad, &faults).prose()];
    let appraisal = run.appraisal.as_ref();
    let mut firsts = [
        (run.over_reach.first, "first over-reach"),
        (run.refused.first, "first other refusal"),
        (run.diverging.first, "first divergence"),
        (appraisal.and_then(Appraisal::first_held_back), "first held back or routed in vain"),
        (appraisal.and_then(Appraisal::first_turn), "first away from the goal"),
    ];
    firsts.sort_by_key(|(step, _)| *step);
    for (step, what) in firsts {
        let Some(step) = step else { continue };
        let tool = run.log.call_of(step).and_then(|row| run.log.call(row));
        let tool = tool.and_then(|call| call.tool_name().map(std::borrow::Cow::into_owned)).unwrap_or_default();
        let sign = run.kind(step).map_or(Sign::Nothing, |_| run.sign(step));
        let row = Row::signed(sign).say(Role::Plain, &tool).say(Role::Dim, &format!("  {what}"));
        rows.push(row.right(Role::Link, &format!("→ {step}")).to(Target::Step(step)));
    }
    rows
}

fn start(run: &Loaded, folds: &Folds) -> Vec<Row> {
    let mut rows = outcome(run);
    rows.push(Row::blank());
    rows.extend(about(run));
    let Some(replay) = &run.replay else { return rows };
    let setup = &replay.setup;
    let opening = Opening::of(&setup.world, setup.role, setup.toolset);
    let mut part = |name: &str, text: &str| {
        if !text.is_empty() {
            rows.push(Row::blank());
            rows.push(Row::text(Role::Dim, name));
            rows.extend(prose(text, 2));
        }
    };
    part("Persona", &opening.persona);
    part("The user asks", &opening.query);
    part("In hand", &opening.given.join("\n"));
    let mut list = |fold: Fold, name: &str, items: Vec<(String, String)>| {
        let open = folds.is_open(fold);
        rows.push(Row::blank());
        rows.push(Row::heading(fold, open, name).say(Role::Plain, &format!(" {}", items.len())));
        for (name, text) in items.into_iter().filter(|_| open) {
            rows.push(Row::text(Role::Plain, &name).say(Role::Dim, &format!("  {text}")).indented(2));
        }
    };
    let objects = opening.objects.iter().map(|group| (group.ty.clone(), group.names.join(", "))).collect();
    list(Fold::Objects, "Objects by type", objects);
    let tools = opening.tools.iter().map(|tool| (tool.name.clone(), tool.doc.clone())).collect();
    list(Fold::Tools, "Tools offered", tools);
    rows
}

/// What the header of the log says beyond the header of the screen.
fn about(run: &Loaded) -> Vec<Row> {
    let header = &run.header;
    let agent = header.agent.clone().unwrap_or_default();
    let seed = header.seed.as_ref().map(ToString::to_string);
    let parent = header.parent.as_ref().map(|parent| format!("{}#{}", parent.run, parent.step));
    let budget = run
        .replay
        .as_ref()
        .map(|replay| replay.setup.world.problem.budget.into())
        .filter(|own: &u64| header.budget.is_some_and(|budget| budget != *own));
    let budget =
        budget.map(|own| format!("{}; the entry says {own}", words::count(header.budget.unwrap_or_default(), "call")));
    let fields = [
        ("run", header.id.clone()),
        ("agent", agent.name),
        ("model", agent.model),
        ("started", header.started.clone()),
        ("seed", seed),
        ("forked from", parent),
        ("budget", budget),
    ];
    let mut rows: Vec<Row> = fields
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
        .map(|(name, value)| Row::text(Role::Dim, &format!("{name:<12}")).say(Role::Plain, &value))
        .collect();
    for (key, value) in &header.extra {
        rows.push(Row::text(Role::Dim, &format!("{key:<12}")).say(Role::Plain, value.get()));
    }
    if run.log.header_row().is_none() && run.log.finished() {
        rows.push(Row::signed(Sign::Damaged).say(Role::Fault, "The log has no header.").mattering());
    }
    rows
}

fn end(run: &Loaded) -> Vec<Row> {
    let mut rows = vec![match run.log.end_row() {
        Some(row) => Row::signed(Sign::End)
            .say(Role::Plain, "The run ended: ")
            .say(Role::Title, &words::end(run))
            .to(Target::Record(row)),
        None => Row::signed(Sign::End).say(Role::Plain, "The log stops here, without an end.").prose(),
    }];
    rows.push(Row::blank());
    rows.extend(outcome(run));
    let left = verdict::at_end(run);
    if !left.is_empty() {
        rows.push(Row::blank());
        rows.extend(left);
    }
    let Some(replay) = &run.replay else { return rows };
    let Some(perspective) = replay.setup.world.problem.perspectives.get(&replay.setup.role) else { return rows };
    let now = replay.end_state();
    let (best, share) = perspective.goal.best(now);
    rows.push(Row::blank());
    rows.push(Row::text(Role::Dim, &format!("The goal at the end: {} of {}", share.held, share.of)));
    for (index, literal) in perspective.goal.alternatives[best].iter().enumerate() {
        let holds = literal.holds(now);
        let row = Row::signed(if holds { Sign::Holds } else { Sign::Fails }).keyed(Key::Literal(index));
        rows.push(if holds { row.atom(&literal.text) } else { row.say(Role::Warn, &literal.text) });
        if let Ok(fact) = literal.fact {
            if let Some(row) = rows.last_mut() {
                row.target = Target::Fact(fact);
            }
            if !holds {
                rows.extend(instead(run, replay, run.steps(), fact).filter(|_| !literal.negated));
                rows.extend(ways(replay, fact, !literal.negated));
            }
        }
    }
    rows
}

/// What was said between the call before and the next one: for a column of its own.
pub fn said(run: &Loaded, item: Item) -> Vec<Row> {
    let step = item.step(run);
    let from = run.log.call_of(step.saturating_sub(1)).map_or(0, |row| row.index());
    let to = run.log.call_of(step + 1).map_or(run.log.rows().len(), |row| row.index());
    let mut rows: Vec<Row> = Vec::new();
    let ids = run.log.row_ids().skip(from).take(to.saturating_sub(from));
    for id in ids.filter(|&id| run.log.row(id).is_some_and(|row| row.kind == RowKind::Message)) {
        let before = run.log.row(id).is_some_and(|row| row.step() < step);
        let mut message = message(run, id);
        if let Some(head) = message.first_mut() {
            let place = if before { format!("before {step}") } else { format!("after {step}") };
            head.right = vec![(Role::Dim, place)];
            head.matters = item.row() == Some(id);
            head.target = Target::Record(id);
        }
        if !rows.is_empty() {
            rows.push(Row::blank());
        }
        rows.extend(message);
    }
    if rows.is_empty() {
        rows.push(Row::text(Role::Dim, "Nothing was said."));
    }
    rows
}

fn message(run: &Loaded, row: RowId) -> Vec<Row> {
    let Some(message) = run.log.message(row) else { return Vec::new() };
    let who = if message.reasoning { format!("{} to itself", message.from) } else { message.from.to_string() };
    let length = words::count(message.text.lines().count(), "line");
    let mut rows = vec![Row::text(Role::Dim, &words::capital(&who)).right(Role::Dim, &length)];
    rows.extend(prose(&message.text, 0));
    rows.extend(faults(run, row));
    rows
}

fn note(run: &Loaded, row: RowId) -> Vec<Row> {
    let Some(note) = run.log.note(row) else { return Vec::new() };
    let mut rows = vec![Row::text(Role::Dim, "Note ").say(Role::Title, &note.kind), Row::blank()];
    let data = note.data.get();
    let pretty = (data.len() < 100_000).then(|| serde_json::from_str::<serde_json::Value>(data).ok()).flatten();
    match pretty.and_then(|value| serde_json::to_string_pretty(&value).ok()) {
        Some(text) => rows.extend(prose(&text, 0)),
        None => rows.push(Row::text(Role::Dim, &size("JSON", data.len())).to(Target::Record(row))),
    }
    rows.extend(faults(run, row));
    rows
}

fn damage(run: &Loaded, row: RowId) -> Vec<Row> {
    let mut rows = faults(run, row);
    rows.push(Row::blank());
    rows.push(Row::text(Role::Dim, "The line"));
    rows.extend(prose(&run.log.raw_text(row), 2));
    rows
}

fn faults(run: &Loaded, row: RowId) -> Vec<Row> {
    let faults = run.log.damage_of(row).into_iter();
    let say = |damage: crate::run::Damage| {
        Row::signed(Sign::Damaged)
            .say(Role::Fault, &format!("line {}: ", damage.line))
            .say(Role::Plain, &damage.message)
            .prose()
            .to(Target::Record(row))
    };
    faults.map(say).collect()
}
