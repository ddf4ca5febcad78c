//! The conditions of a call in place: each held or failed, since when, and the ways to what fails.

use super::loaded::Loaded;
use super::page::{Key, Row, Target};
use super::{Fold, Folds, words};
use crate::exec::{Check, Explanation, Refusal, Status, Subject, makers, value_of_key};
use crate::run::{RefusalView, Replay, StepOutcome};
use crate::tui::sign::Sign;
use crate::tui::theme::Role;
use crate::world::{FactId, RoleId, ToolId, World};

/// Ways to one failing condition that are spelt out.
const WAYS: usize = 6;

/// The conditions of a step, in the order of the file. Where more than `spelt` hold, they fold.
pub fn rows(run: &Loaded, step: usize, explanation: &Explanation, folds: &Folds, spelt: usize) -> Vec<Row> {
    let (Some(replay), Some(tool)) = (&run.replay, explanation.tool) else {
        return vec![Row::signed(Sign::BadCall).say(Role::Fault, "There is no such tool in the domain.")];
    };
    let holding = explanation.checks.iter().filter(|check| check.status == Status::Holds).count();
    let open = folds.is_open(Fold::Holding);
    let mut rows = Vec::new();
    for check in &explanation.checks {
        if check.status == Status::Holds && holding > spelt && !open {
            continue;
        }
        rows.extend(one(run, replay, step, tool, check));
    }
    if holding > spelt {
        let text = if holding == 1 { "condition holds" } else { "conditions hold" };
        rows.push(Row::heading(Fold::Holding, open, &holding.to_string()).say(Role::Plain, &format!(" {text}")));
    }
    rows
}

/// A reason as the log has it, where nothing could be executed: worded as far as it goes.
pub fn recorded(run: &Loaded, reason: &RefusalView) -> Vec<Row> {
    let RefusalView::Recorded { json, .. } = reason else { return Vec::new() };
    let gate = |sign, kind: &str, needs: &str| {
        let row = Row::signed(sign).say(Role::Bad, &format!("{kind} {needs}")).mattering();
        vec![match &run.header.role {
            Some(role) => row.right(Role::Dim, &format!("{role} lacks it")),
            None => row,
        }]
    };
    let row = Row::signed(Sign::Fails).mattering().prose();
    match Refusal::read(json.as_str()) {
        Some(Refusal::Capability { needs }) => gate(Sign::Capability, "capability", &needs),
        Some(Refusal::Knowledge { needs }) => gate(Sign::Knowledge, "knowledge ", &needs),
        Some(Refusal::Precondition { literal }) => vec![row.say(Role::Warn, &literal)],
        Some(Refusal::NotOffered { tool }) => {
            let set =
                run.header.toolset.as_ref().map_or("this tool set".to_owned(), |set| format!("the tool set {set}"));
            vec![row.say(Role::Warn, &format!("{tool} is not in {set}"))]
        }
        Some(refusal) => vec![row.say(Role::Warn, &refusal.to_string())],
        None => {
            vec![row.say(Role::Warn, &words::refusal(reason)), Row::text(Role::Dim, json.as_str()).indented(4).prose()]
        }
    }
}

fn one(run: &Loaded, replay: &Replay, step: usize, tool: ToolId, check: &Check) -> Vec<Row> {
    let world = &replay.setup.world;
    let failed = check.status == Status::Fails;
    let role = if failed { Role::Warn } else { Role::Plain };
    let row = Row::signed(match check.status {
        Status::Holds => Sign::Holds,
        Status::Fails => Sign::Fails,
        Status::Open(_) => Sign::Nothing,
    });
    let row = if failed { row.mattering().prose() } else { row };
    match &check.subject {
        Subject::Offered => {
            let set = world.problem.toolsets.get_index(replay.setup.toolset.index()).map_or("", |(name, _)| name);
            vec![row.say(role, &format!("{} is not in the tool set {set}", world.domain.tool_name(tool)))]
        }
        Subject::Argument(fault) => {
            let refusal = Refusal::of_fault(world, tool, fault);
            vec![row.say(role, &refusal.to_string()).prose()]
        }
        Subject::Precondition { text, fact, negated, .. } => {
            let row = if failed { row.say(role, text) } else { row.atom(text) };
            if let Status::Open(var) = &check.status {
                return vec![row.right(Role::Dim, &format!("?{var} has no value"))];
            }
            let Some(fact) = *fact else { return vec![row] };
            let mut rows = vec![since(run, step - 1, fact, !failed, row)];
            if failed {
                rows.extend(instead(run, replay, step - 1, fact));
                rows.extend(ways(replay, fact, !negated));
            }
            rows
        }
        Subject::Input { argument, value, expects, matches, .. } => {
            input(run, replay, step, row, (argument, *value, expects, *matches), failed)
        }
        Subject::Conflict => conflict(run, replay, step).into_iter().map(|text| row.clone().say(role, &text)).collect(),
        Subject::Capability(id) => {
            let has = world.domain.with_capability(*id).collect::<Vec<_>>();
            let name = world.domain.capability_name(*id);
            gate(replay, ("capability", name, Sign::Capability, Target::Capability(*id)), &has, failed)
        }
        Subject::Knowledge(id) => {
            let has = world.domain.with_knowledge(*id).collect::<Vec<_>>();
            let name = world.domain.knowledge_name(*id);
            gate(replay, ("knowledge ", name, Sign::Knowledge, Target::Knowledge(*id)), &has, failed)
        }
    }
}

/// Since when something holds, or until when it did.
pub fn since(run: &Loaded, step: usize, fact: FactId, holds: bool, row: Row) -> Row {
    let Some(history) = &run.history else { return row };
    let text = match (history.last_change(fact, step), holds) {
        (Some(at), true) => format!("since {at}"),
        (Some(at), false) => format!("until {at}"),
        (None, true) => "since 0".to_owned(),
        (None, false) => "never held".to_owned(),
    };
    row.right(Role::Dim, &text).to(Target::Fact(fact)).keyed(Key::Fact(fact))
}

/// What a functional key is, where it is not what was asked.
pub fn instead(run: &Loaded, replay: &Replay, step: usize, fact: FactId) -> Option<Row> {
    let world = &replay.setup.world;
    if !world.is_functional(fact) {
        return None;
    }
    let row = Row::blank().indented(4);
    let Some(value) = value_of_key(world, &replay.state_after(step), fact) else {
        return Some(row.say(Role::Dim, "no value yet"));
    };
    if value == fact {
        return None;
    }
    let name = world.facts.args(value).last().map_or("", |symbol| world.symbol_name(symbol));
    let row = since(run, step, value, true, row.say(Role::Dim, "it is ").say(Role::Plain, name));
    Some(row.keyed(Key::Place))
}

/// The tools that can make a fact true (or false), and who may use them.
pub fn ways(replay: &Replay, fact: FactId, truth: bool) -> Vec<Row> {
    let world = &replay.setup.world;
    let tools = makers(world, fact, truth);
    if tools.is_empty() {
        return vec![Row::text(Role::Dim, "no tool brings that about").indented(4)];
    }
    let mut rows: Vec<Row> = tools.iter().take(WAYS).map(|&tool| way(replay, tool)).collect();
    if tools.len() > WAYS {
        let more = format!("and {} more; i lists them", words::count(tools.len() - WAYS, "tool"));
        rows.push(Row::text(Role::Dim, &more).indented(4).to(Target::Fact(fact)));
    }
    rows
}

fn way(replay: &Replay, tool: ToolId) -> Row {
    let world = &replay.setup.world;
    let row = Row::text(Role::Plain, world.domain.tool_name(tool)).indented(4).to(Target::Tool(tool));
    let row = match world.problem.toolsets[replay.setup.toolset.index()].offered[tool.index()] {
        true => row,
        false => row.say(Role::Dim, "  not offered"),
    };
    who(world, tool, replay.setup.role, row)
}

/// The roles that may use a tool, at the right edge.
fn who(world: &World, tool: ToolId, role: RoleId, row: Row) -> Row {
    let roles: Vec<RoleId> = (0..world.domain.roles.len()).map(RoleId::from).collect();
    let may: Vec<RoleId> = roles.iter().copied().filter(|&r| world.domain.may(tool, r)).collect();
    match may.len() {
        0 => row.right(Role::Dim, "no role may"),
        n if n == roles.len() => row.right(Role::Good, "every role"),
        _ => row.right(if may.contains(&role) { Role::Good } else { Role::Name }, &names(world, &may)),
    }
}

fn names(world: &World, roles: &[RoleId]) -> String {
    roles.iter().map(|&role| world.domain.role_name(role)).collect::<Vec<_>>().join(", ")
}

type Consumed<'a> = (&'a str, FactId, &'a str, bool);

fn input(
    run: &Loaded,
    replay: &Replay,
    step: usize,
    row: Row,
    (argument, value, expects, matches): Consumed,
    failed: bool,
) -> Vec<Row> {
    let world = &replay.setup.world;
    let Some(history) = &run.history else { return vec![row] };
    let made = history.last_change(value, step - 1);
    let row = row.to(Target::Fact(value)).keyed(Key::Fact(value));
    let origin = |row: Row| match made {
        Some(at) => row.right(Role::Dim, &format!("at {at}")),
        None if history.initial().contains(value) => row.right(Role::Dim, "given"),
        None => row.right(Role::Dim, "never produced"),
    };
    if !failed {
        let text = if made.is_some() { "was produced" } else { "is in hand" };
        return vec![origin(row.say(Role::Plain, &format!("{argument} {text}")))];
    }
    if matches {
        let text = format!("{argument}: no call produced {}", world.fact_text(value));
        let mut rows = vec![row.say(Role::Warn, &text)];
        rows.extend(ways(replay, value, true));
        return rows;
    }
    let text = format!("{argument}: {} given, {expects} needed", world.fact_text(value));
    let mut rows = vec![row.say(Role::Warn, &text)];
    if let Some(needed) = crate::exec::slot_value(world, expects) {
        match history.last_change(needed, step - 1) {
            Some(at) => rows.push(
                Row::text(Role::Plain, expects)
                    .indented(4)
                    .right(Role::Link, &format!("← {at}"))
                    .to(Target::Fact(needed)),
            ),
            None => rows.extend(ways(replay, needed, true)),
        }
    }
    rows
}

/// In words, the conflicts of a step.
fn conflict(run: &Loaded, replay: &Replay, step: usize) -> Vec<String> {
    let (Some(StepOutcome::Refused(reasons)), Some(request)) = (run.outcome(step), replay.request(&run.log, step))
    else {
        return Vec::new();
    };
    let setup = &replay.setup;
    let before = replay.state_after(step - 1);
    let conflicts = reasons.iter().filter(|reason| reason.name() == "conflict");
    conflicts.map(|reason| Refusal::of(&setup.world, setup.role, &before, &request, reason).to_string()).collect()
}

fn gate(
    replay: &Replay,
    (kind, name, sign, target): (&str, &str, Sign, Target),
    has: &[RoleId],
    failed: bool,
) -> Vec<Row> {
    let world = &replay.setup.world;
    let role = world.domain.role_name(replay.setup.role);
    let row = Row::signed(if failed { sign } else { Sign::Holds }).to(target);
    if !failed {
        let row = row.say(Role::Plain, &format!("{kind} ")).say(Role::Name, name);
        return vec![row.right(Role::Dim, &format!("{role} has it"))];
    }
    let row = row.say(Role::Bad, &format!("{kind} {name}")).right(Role::Dim, &format!("{role} lacks it")).mattering();
    let held = if has.is_empty() { "held by no role".to_owned() } else { format!("held by {}", names(world, has)) };
    vec![row, Row::text(Role::Name, &held).indented(4).to(target)]
}
