//! The state pane: what changed, the goal, what is in hand, and all facts.

use super::checks::{instead, since};
use super::loaded::Loaded;
use super::page::{Key, Row, Target};
use super::{Fold, Folds};
use crate::exec::{Changes, Difference, State, change_parts};
use crate::run::Replay;
use crate::tui::sign::Sign;
use crate::tui::theme::Role;
use crate::world::{FactId, GoalLiteral, World};

/// Rows kept for the diff at most, so that the headings below it stay where they are.
const KEPT: usize = 6;

/// The page after a step, against the state after another.
pub fn page(run: &Loaded, step: usize, base: usize, folds: &Folds) -> Vec<Row> {
    let Some(replay) = &run.replay else { return recorded(run, step) };
    let world = &replay.setup.world;
    let (before, now) = (replay.state_after(base), replay.state_after(step));
    let changes = Changes::between(world, &before, &now);
    let mut rows = difference(world, &Difference::of(world, &changes));
    if step == 0 && base == 0 {
        rows = vec![Row::text(Role::Dim, "Nothing has happened yet.")];
    }
    let kept = run.widest_change.clamp(1, KEPT);
    while rows.len() < kept {
        rows.push(Row::blank());
    }
    goal(run, replay, step, &now, folds, &mut rows);
    in_hand(run, replay, step, &now, folds, &mut rows);
    facts(run, replay, step, &changes, &now, folds, &mut rows);
    rows
}

/// What a step changed, in few rows: for a call that has no state beside it.
pub fn changes(run: &Loaded, step: usize) -> Vec<Row> {
    let Some(replay) = &run.replay else { return Vec::new() };
    let goal = |row: Row| match (replay.goal_after(step - 1), replay.goal_after(step)) {
        (Some(before), Some(now)) => {
            let still = if before == now { "still " } else { "" };
            row.right(Role::Dim, &format!("goal {still}{}/{}", now.held, now.of))
        }
        _ => row,
    };
    let mut rows = difference(&replay.setup.world, &run.differences(step));
    if let Some(first) = rows.first_mut() {
        *first = goal(first.clone());
    }
    rows.insert(0, Row::blank());
    rows
}

fn difference(world: &World, differences: &[Difference]) -> Vec<Row> {
    if differences.is_empty() {
        return vec![Row::text(Role::Dim, "Nothing changed.")];
    }
    differences.iter().flat_map(|&difference| entry(world, difference)).collect()
}

/// A change takes two rows, so that neither value is cut off.
fn entry(world: &World, difference: Difference) -> Vec<Row> {
    let one = |sign, role, fact| Row::signed(sign).say(role, &world.fact_text(fact)).to(Target::Fact(fact));
    match difference {
        Difference::Changed { from, to } => {
            let (key, old, new) = change_parts(world, from, to);
            let values = Row::text(Role::Dim, &old).say(Role::Dim, " → ").say(Role::Changed, &new);
            let key = Row::signed(Sign::Changed).say(Role::Changed, &key);
            vec![key.to(Target::Fact(to)), values.indented(4).to(Target::Fact(to))]
        }
        Difference::Removed(fact) => vec![one(Sign::Removed, Role::Removed, fact)],
        Difference::Added(fact) | Difference::Produced(fact) => vec![one(Sign::Added, Role::Added, fact)],
    }
}

fn goal(run: &Loaded, replay: &Replay, step: usize, now: &State, folds: &Folds, rows: &mut Vec<Row>) {
    let world = &replay.setup.world;
    rows.push(Row::blank());
    let Some(perspective) = world.problem.perspectives.get(&replay.setup.role) else {
        rows.push(Row::text(Role::Dim, "This role has no goal in the entry."));
        return;
    };
    let (best, share) = perspective.goal.best(now);
    let open = folds.is_open(Fold::Goal);
    let ways = perspective.goal.alternatives.len();
    let way = if ways > 1 { format!(", way {} of {ways}", best + 1) } else { String::new() };
    rows.push(Row::heading(Fold::Goal, open, "Goal").say(Role::Plain, &format!(" {}/{}{way}", share.held, share.of)));
    if !open {
        return;
    }
    for (index, literal) in perspective.goal.alternatives[best].iter().enumerate() {
        let row = literal_row(run, step, now, literal).keyed(Key::Literal(index));
        rows.push(row);
        let wrong = literal.fact.ok().filter(|_| !literal.negated && !literal.holds(now));
        rows.extend(wrong.and_then(|fact| instead(run, replay, step, fact)));
    }
}

fn literal_row(run: &Loaded, step: usize, now: &State, literal: &GoalLiteral) -> Row {
    let holds = literal.holds(now);
    let row = Row::signed(if holds { Sign::Holds } else { Sign::Fails });
    let Ok(fact) = literal.fact else { return row.atom(&literal.text) };
    let changed = run.history.as_ref().and_then(|history| history.last_change(fact, step));
    let row = match changed == Some(step) && step > 0 {
        true => row.say(if holds { Role::Added } else { Role::Changed }, &literal.text),
        false => row.atom(&literal.text),
    };
    match (changed, holds) {
        (None, false) => row.to(Target::Fact(fact)),
        _ => since(run, step, fact, holds, row),
    }
}

fn in_hand(run: &Loaded, replay: &Replay, step: usize, now: &State, folds: &Folds, rows: &mut Vec<Row>) {
    let world = &replay.setup.world;
    let Some(history) = &run.history else { return };
    let values = now.iter().filter(|&fact| world.facts.is_slot_value(fact));
    let (given, produced): (Vec<FactId>, Vec<FactId>) = values.partition(|&fact| history.initial().contains(fact));
    let mut section = |fold: Fold, name: &str, values: Vec<FactId>| {
        let open = folds.is_open(fold);
        rows.push(Row::blank());
        rows.push(Row::heading(fold, open, name).say(Role::Plain, &format!(" {}", values.len())));
        for (fact, text) in sorted(world, values).into_iter().filter(|_| open) {
            let row = Row::blank().atom(&text).to(Target::Fact(fact)).keyed(Key::Fact(fact));
            rows.push(match history.last_change(fact, step) {
                Some(at) => row.right(Role::Dim, &format!("by {at}")),
                None => row.right(Role::Dim, "given"),
            });
        }
    };
    section(Fold::Produced, "Produced", produced);
    section(Fold::Given, "Given", given);
}

fn facts(
    run: &Loaded,
    replay: &Replay,
    step: usize,
    changes: &Changes,
    now: &State,
    folds: &Folds,
    rows: &mut Vec<Row>,
) {
    let world = &replay.setup.world;
    let facts: Vec<FactId> = now.iter().filter(|&fact| !world.facts.is_slot_value(fact)).collect();
    let open = folds.is_open(Fold::Facts);
    rows.push(Row::blank());
    rows.push(Row::heading(Fold::Facts, open, "Facts").say(Role::Plain, &format!(" {}", facts.len())));
    if !open {
        return;
    }
    let new = |fact: FactId| changes.added.contains(&fact);
    let replaces = |fact: FactId| {
        let key = world.facts.key_range_of(fact);
        world.is_functional(fact) && changes.removed.iter().any(|old| key.contains(&old.0))
    };
    for (fact, text) in sorted(world, facts) {
        let row = match (new(fact), replaces(fact)) {
            (false, _) => Row::blank().atom(&text).indented(2),
            (true, false) => Row::signed(Sign::Added).say(Role::Added, &text),
            (true, true) => Row::signed(Sign::Changed).say(Role::Changed, &text),
        };
        let changed = run.history.as_ref().and_then(|history| history.last_change(fact, step));
        let row = changed.map_or(row.clone(), |at| row.right(Role::Dim, &format!("since {at}")));
        rows.push(row.to(Target::Fact(fact)).keyed(Key::Fact(fact)));
    }
}

fn sorted(world: &World, facts: Vec<FactId>) -> Vec<(FactId, String)> {
    let mut texts: Vec<(FactId, String)> = facts.into_iter().map(|fact| (fact, world.fact_text(fact))).collect();
    texts.sort_unstable_by(|a, b| a.1.cmp(&b.1));
    texts
}

/// Without a world the start is not known: what the log says of this step, and no more.
fn recorded(run: &Loaded, step: usize) -> Vec<Row> {
    let why = run.missing.as_deref().unwrap_or_default();
    let mut rows = vec![
        Row::text(Role::Dim, &format!("The state is not known, for {why}. This is what the log says.")).prose(),
        Row::blank(),
    ];
    let Some(recorded) = run.log.recorded(step) else {
        rows.push(Row::text(Role::Dim, if step == 0 { "Nothing has happened yet." } else { "No result." }));
        return rows;
    };
    let lists = [
        (Sign::Removed, Role::Removed, &recorded.removed),
        (Sign::Added, Role::Added, &recorded.added),
        (Sign::Added, Role::Added, &recorded.produced),
    ];
    let start = rows.len();
    for (sign, role, facts) in lists {
        rows.extend(facts.iter().map(|fact| Row::signed(sign).say(role, fact)));
    }
    if rows.len() == start {
        rows.push(Row::text(Role::Dim, "Nothing changed."));
    }
    rows
}
