//! The call pane: what was asked, what stopped it, what the agent read.

use super::checks;
use super::loaded::Loaded;
use super::page::{Row, Target};
use super::{Fold, Folds, verdict, words};
use crate::exec::{Explanation, Request};
use crate::run::{StepKind, StepOutcome, StepView};
use crate::text::visible_lines;
use crate::tui::cells;
use crate::tui::highlight::{Syntax, Tokens};
use crate::tui::sign::Sign;
use crate::tui::theme::Role;
use crate::world::{FactId, ToolId};

/// Conditions that hold, spelt out at most, where there is room and where there is not.
const SPELT: [usize; 2] = [8, 4];

/// The page of a step. Where the state has no pane beside it (`alone`), the changes stand here too.
pub fn page(run: &Loaded, step: usize, folds: &Folds, alone: bool) -> Vec<Row> {
    let Some(view) = StepView::of(&run.log, run.replay.as_ref(), step) else { return Vec::new() };
    let request = run.replay.as_ref().and_then(|replay| replay.request(&run.log, step));
    let explanation = explain(run, step, request.as_ref());
    let mut rows = headline(run, step, &view, explanation.as_ref());
    rows.extend(verdict::rows(run, step));
    rows.push(Row::blank());
    rows.extend(arguments(run, step, &view, request.as_ref()));
    if let Some(explanation) = &explanation {
        rows.extend(checks::rows(run, step, explanation, folds, SPELT[usize::from(alone)]));
    } else {
        rows.extend(view.refusals.iter().flat_map(|reason| checks::recorded(run, reason)));
    }
    rows.extend(recorded_changes(run, &view));
    rows.extend(divergence(run, step, &view));
    rows.extend(read_back(run, step, &view));
    if alone {
        rows.extend(super::state::changes(run, step));
    }
    rows.extend(damage(run, step));
    rows.extend(beside(run, step));
    if let Some(tool) = request.as_ref().and_then(Request::tool) {
        rows.extend(definition(run, tool, folds));
    }
    rows
}

fn explain(run: &Loaded, step: usize, request: Option<&Request>) -> Option<Explanation> {
    let (replay, request) = (run.replay.as_ref()?, request?);
    let setup = &replay.setup;
    let over = matches!(run.outcome(step)?, StepOutcome::OverBudget);
    let before = replay.state_after(step - 1);
    (!over).then(|| Explanation::of(&setup.world, setup.role, setup.toolset, &before, request))
}

fn headline(run: &Loaded, step: usize, view: &StepView, explanation: Option<&Explanation>) -> Vec<Row> {
    let kind = run.kind(step).unwrap_or(StepKind::Damaged);
    let row = match view {
        _ if run.kind(step).is_none() => Row::signed(Sign::Pending).say(Role::Dim, "not executed yet"),
        StepView { over_budget: true, .. } => {
            Row::signed(Sign::OverBudget).say(Role::Fault, "Over budget: not executed.").say(
                Role::Plain,
                &run.budget().map_or(String::new(), |n| match n {
                    1 => " One call was all.".to_owned(),
                    n => format!(" {n} calls were all."),
                }),
            )
        }
        StepView { fired: true, .. } if run.counts(step) == Default::default() => {
            Row::signed(Sign::FiredIdle).say(Role::Title, "Fired").say(Role::Plain, ", and changed nothing.")
        }
        StepView { fired: true, .. } => Row::signed(Sign::Fired)
            .say(Role::Title, "Fired: ")
            .say(Role::Plain, &format!("{}.", words::changes(run.counts(step)))),
        _ if run.replay.is_none() && run.log.recorded(step).is_none() => {
            Row::signed(Sign::Damaged).say(Role::Fault, "No result was recorded.")
        }
        _ => refused(view, kind, explanation),
    };
    vec![row.prose()]
}

fn refused(view: &StepView, kind: StepKind, explanation: Option<&Explanation>) -> Row {
    let role = if kind.is_violation() { Role::Bad } else { Role::Warn };
    let sign = if kind == StepKind::Diverged || kind == StepKind::Damaged { Sign::Fails } else { Sign::from(kind) };
    let of = explanation.map_or(0, |e| e.checks.len());
    match view.refusals.as_slice() {
        [] => Row::signed(sign).say(role, "Refused."),
        [one] => {
            let row = Row::signed(sign).say(role, &format!("Refused: {}.", words::refusal(one)));
            if of > 1 { row.say(Role::Plain, &format!(" One of {} fails.", words::number(of))) } else { row }
        }
        many => {
            let told = match kind {
                StepKind::BadCall => "; the agent was told that this is no call",
                StepKind::Capability | StepKind::Knowledge | StepKind::Both => "; the agent was told of the gate alone",
                StepKind::Input => "; the agent was told of the inputs alone",
                _ => "",
            };
            Row::signed(sign)
                .say(role, &format!("Refused for {} reasons", words::number(many.len())))
                .say(Role::Plain, &format!("{told}."))
        }
    }
}

/// Each argument, and where a consumed value came from.
fn arguments(run: &Loaded, step: usize, view: &StepView, request: Option<&Request>) -> Vec<Row> {
    let sent: Option<serde_json::Map<String, serde_json::Value>> = serde_json::from_str(view.args.as_str()).ok();
    let Some(sent) = sent else {
        let raw = view.args.as_str();
        let row = if raw == "null" { Row::text(Role::Dim, "no arguments") } else { value_row(raw, 0, "args") };
        return vec![row.indented(2), Row::blank()];
    };
    if sent.is_empty() {
        return vec![Row::text(Role::Dim, "no arguments").indented(2), Row::blank()];
    }
    let consumed = consumed_values(run, request);
    let widest = sent.keys().map(|name| cells::width(name)).max().unwrap_or(0).min(16);
    let mut rows: Vec<Row> = sent
        .iter()
        .map(|(name, value)| {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let row = value_row(&text, widest, name).indented(2);
            match consumed.iter().find(|(argument, _)| argument == name) {
                Some((_, value)) => origin(run, step, *value, row),
                None => row,
            }
        })
        .collect();
    rows.push(Row::blank());
    rows
}

fn value_row(text: &str, widest: usize, name: &str) -> Row {
    const LONGEST: usize = 4000;
    let row = Row::text(Role::Dim, &format!("{} ", cells::fit(&crate::text::visible(name), widest, false)));
    if text.len() > LONGEST { row.say(Role::Dim, &size("text", text.len())) } else { row.atom(text) }
}

/// What is too long to stand in a pane: its kind and size.
pub fn size(what: &str, bytes: usize) -> String {
    match bytes {
        0..10_000 => format!("{what}, {bytes} bytes"),
        10_000..10_000_000 => format!("{what}, {} kB", bytes / 1000),
        _ => format!("{what}, {} MB", bytes / 1_000_000),
    }
}

fn consumed_values(run: &Loaded, request: Option<&Request>) -> Vec<(String, FactId)> {
    let (Some(replay), Some(Request::Call(call))) = (&run.replay, request) else { return Vec::new() };
    let tool = replay.setup.world.domain.tool(call.tool);
    tool.consumes.iter().map(|c| c.name.clone()).zip(call.consumed.iter().copied()).collect()
}

fn origin(run: &Loaded, step: usize, value: FactId, row: Row) -> Row {
    let Some(history) = &run.history else { return row };
    let row = match history.last_change(value, step - 1) {
        Some(made) => row.right(Role::Link, &format!("← {made}")),
        None if history.initial().contains(value) => row.right(Role::Dim, "given"),
        None => row.right(Role::Warn, "← nothing"),
    };
    row.to(Target::Fact(value))
}

/// What the log says changed, where nothing could be executed.
fn recorded_changes(run: &Loaded, view: &StepView) -> Vec<Row> {
    if run.replay.is_some() {
        return Vec::new();
    }
    let lists = [(Sign::Removed, &view.removed), (Sign::Added, &view.added), (Sign::Added, &view.produced)];
    lists.into_iter().flat_map(|(sign, facts)| facts.iter().map(move |fact| Row::signed(sign).atom(fact))).collect()
}

fn divergence(run: &Loaded, step: usize, view: &StepView) -> Vec<Row> {
    if !view.diverges {
        return Vec::new();
    }
    let Some(recorded) = run.log.recorded(step) else { return Vec::new() };
    let mut rows =
        vec![Row::blank(), Row::signed(Sign::Diverged).say(Role::Fault, "The log says otherwise.").mattering()];
    let outcome = |fired: bool, reasons: Vec<String>| match (fired, reasons.is_empty()) {
        (true, _) => "fired".to_owned(),
        (false, true) => "not fired".to_owned(),
        (false, false) => format!("refused: {}", reasons.join(", ")),
    };
    let then = recorded.refusals.iter().map(|r| r.reason.as_deref().unwrap_or("?").replace('_', " ")).collect();
    let now = view.refusals.iter().map(|r| r.name().replace('_', " ")).collect();
    let fired = recorded.fired.map_or("the log does not say".to_owned(), |fired| outcome(fired, then));
    let side = |name: &str, text: &str| Row::text(Role::Dim, name).say(Role::Plain, text).indented(2).prose();
    rows.push(side("recorded  ", &fired));
    rows.push(side("executed  ", &outcome(view.fired, now)));
    let lists = [
        (Sign::Removed, &recorded.removed, &view.removed),
        (Sign::Added, &recorded.added, &view.added),
        (Sign::Added, &recorded.produced, &view.produced),
    ];
    for (sign, then, now) in lists {
        let then: Vec<&str> = then.iter().map(AsRef::as_ref).collect();
        let only = |fact: &str, where_: &str| Row::signed(sign).atom(fact).right(Role::Fault, where_).indented(2);
        rows.extend(then.iter().filter(|f| !now.iter().any(|n| n == *f)).map(|f| only(f, "recorded alone")));
        rows.extend(now.iter().filter(|f| !then.contains(&f.as_str())).map(|f| only(f, "executed alone")));
    }
    rows
}

/// What the agent read: the log knows; where it does not say, what the execution would have told.
fn read_back(run: &Loaded, step: usize, view: &StepView) -> Vec<Row> {
    let recorded = run.log.result_of(step).and_then(|row| run.log.result(row)?.observation);
    let text = recorded.as_deref().or(view.observation.as_deref()).filter(|text| !text.is_empty());
    let Some(text) = text else { return Vec::new() };
    let mut rows = vec![Row::blank(), Row::text(Role::Dim, "The agent read")];
    rows.extend(prose(text, 2));
    rows
}

/// A text of many lines, as much of it as a pane should hold.
pub fn prose(text: &str, indent: u16) -> Vec<Row> {
    const LONGEST: usize = 100_000;
    let cut = text.floor_char_boundary(LONGEST);
    let shown = visible_lines(&text[..cut]);
    let mut rows: Vec<Row> =
        shown.trim_end().split('\n').map(|line| Row::text(Role::Plain, line).indented(indent).prose()).collect();
    if cut < text.len() {
        rows.push(Row::text(Role::Dim, &format!("… {} more; E shows the record", size("text", text.len() - cut))));
    }
    rows
}

fn damage(run: &Loaded, step: usize) -> Vec<Row> {
    let lines = [run.log.call_of(step), run.log.result_of(step)];
    let mut rows: Vec<Row> = Vec::new();
    for row in lines.into_iter().flatten() {
        rows.extend(run.log.damage_of(row).into_iter().map(|damage| {
            Row::signed(Sign::Damaged)
                .say(Role::Fault, &format!("line {}: ", damage.line))
                .say(Role::Plain, &damage.message)
                .prose()
                .to(Target::Record(row))
        }));
    }
    if !rows.is_empty() {
        rows.insert(0, Row::blank());
    }
    rows
}

/// What else the log tells of a call: what was sent with it, a late result, keys that nobody knows.
fn beside(run: &Loaded, step: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    let joins = |step| run.log.call_of(step).and_then(|row| run.log.row(row)).is_some_and(|row| row.joins());
    if joins(step) || joins(step + 1) {
        let mut group = run.log.group(step);
        let last = group.next_back().unwrap_or(step);
        let text = format!("sent together: {} to {last}", group.start.min(last));
        rows.push(Row::text(Role::Dim, &text).indented(2));
    }
    let result = run.log.result_of(step);
    if result.and_then(|row| run.log.row(row)).is_some_and(|row| row.late()) {
        let came = result.and_then(|row| run.log.row(row)).map_or(0, |row| row.step());
        rows.push(Row::text(Role::Dim, &format!("its result came late, after call {came}")).indented(2));
    }
    for row in [run.log.call_of(step), result].into_iter().flatten() {
        for extra in run.log.extra(row) {
            let text = extra.value.get();
            let text = if text.len() > 200 { size("JSON", text.len()) } else { text.to_owned() };
            rows.push(
                Row::text(Role::Dim, &format!("{}  ", extra.key))
                    .say(Role::Plain, &text)
                    .indented(2)
                    .to(Target::Record(row)),
            );
        }
    }
    if !rows.is_empty() {
        rows.insert(0, Row::text(Role::Dim, "Also in the log"));
        rows.insert(0, Row::blank());
    }
    rows
}

/// The tool's definition, folded, with the lines of the domain file.
fn definition(run: &Loaded, tool: ToolId, folds: &Folds) -> Vec<Row> {
    let Some(replay) = &run.replay else { return Vec::new() };
    let domain = &replay.setup.world.domain;
    let lines = domain.file.lines(&domain.tool(tool).definition);
    let open = folds.is_open(Fold::Definition);
    let heading = Row::heading(Fold::Definition, open, "definition")
        .say(Role::Plain, &format!(", {}", words::count(lines.len(), "line")))
        .right(Role::Dim, &format!("domain line {}", lines.start));
    let mut rows = vec![Row::blank(), heading];
    if open {
        let texts: Vec<String> = lines.clone().map(|line| domain.file.line(line).to_owned()).collect();
        let margin = texts.iter().map(|t| t.len() - t.trim_start().len()).min().unwrap_or(0);
        let tokens = Tokens::new(Syntax::Json, &texts);
        for (i, (line, text)) in lines.zip(&texts).enumerate() {
            let stretches = tokens.cut(i, text, &(margin..text.len()));
            let parts = stretches.into_iter().filter_map(|(range, role)| Some((role, text.get(range)?)));
            let row = parts.fold(Row::blank(), |row, (role, part)| row.say(role, part));
            rows.push(row.indented(2).to(Target::Source(line)).prose());
        }
    }
    rows
}
