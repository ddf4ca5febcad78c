//! The sample runs: current, and showing what was written by hand that they must show.

use std::collections::{BTreeMap, BTreeSet};

use refract::{
    exec::{Share, ground_atom},
    run::{Log, Replay, Setup, StepOutcome, WorldMatch},
    world::{RelationKind, World},
};

use crate::{root, script, worlds};

fn replay(world: &std::sync::Arc<World>, bytes: &[u8]) -> (Log, Replay) {
    let log = Log::read(bytes.to_vec());
    let header = log.header().unwrap();
    let setup = Setup::of(&header, world).unwrap();
    let world_match = setup.matches(&header);
    let replay = Replay::whole(setup, world_match, &log);
    (log, replay)
}

#[test]
fn they_are_current() {
    let made = script::make(root()).unwrap();
    let mut on_disk = BTreeSet::new();
    for entry in std::fs::read_dir(root().join("runs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "jsonl") {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let same = made.get(&name).is_some_and(|log| *log == std::fs::read(&path).unwrap());
            assert!(same, "{name} is stale: cargo run --example make_runs");
            on_disk.insert(name);
        }
    }
    assert_eq!(on_disk, made.keys().cloned().collect(), "cargo run --example make_runs");
}

#[test]
fn none_diverges_and_none_is_damaged() {
    let worlds = worlds();
    for (name, bytes) in script::make(root()).unwrap() {
        let log = Log::read(bytes);
        let world = &worlds[&log.header().unwrap().problem.unwrap()];
        let (log, replay) =
            replay(world, log.row_ids().map(|row| log.raw_text(row) + "\n").collect::<String>().as_bytes());
        assert!(!replay.diverged(), "{name} diverges");
        assert_eq!(replay.world_match, WorldMatch::Same, "{name}");
        assert_eq!(log.damage_count(), 0, "{name}");
    }
}

/// Holds what was written by hand against the executor.
fn check(name: &str, world: &World, replay: &Replay, expect: &script::Expect) {
    for want in &expect.steps {
        let record = replay.steps().get(want.step - 1).unwrap_or_else(|| panic!("{name}: no step {}", want.step));
        let (fired, over_budget, reasons): (bool, bool, Vec<&str>) = match &record.outcome {
            StepOutcome::Fired(_) => (true, false, vec![]),
            StepOutcome::Refused(reasons) => (false, false, reasons.iter().map(|reason| reason.name()).collect()),
            StepOutcome::OverBudget => (false, true, vec![]),
        };
        // Not fired and no reason: it was beyond the budget.
        let beyond = !want.fired && want.reasons.is_empty();
        assert_eq!((fired, over_budget), (want.fired, beyond), "{name}: step {}", want.step);
        assert_eq!(reasons, want.reasons, "{name}: step {}", want.step);
    }
    let share = Share { held: expect.goal.held, of: expect.goal.of };
    assert_eq!(replay.goal_after(replay.steps().len()), Some(share), "{name}: goal");
    assert!(!expect.end.is_empty(), "{name}: nothing is said of its end");
    for literal in &expect.end {
        let (negated, atom) = literal.strip_prefix("not ").map_or((false, literal.as_str()), |atom| (true, atom));
        let fact =
            [RelationKind::Predicate, RelationKind::Slot].iter().find_map(|&kind| ground_atom(world, atom, kind));
        let fact = fact.unwrap_or_else(|| panic!("{name}: {atom} is no atom"));
        assert_eq!(replay.end_state().contains(fact), !negated, "{name}: {literal}");
    }
}

#[test]
fn each_failing_run_shows_what_it_is_named_for() {
    let worlds = worlds();
    let made = script::make(root()).unwrap();
    for scenario in script::read::<script::Scenarios>(root(), "scenarios.json").unwrap().runs {
        let world = &worlds[&scenario.problem];
        let (log, replay) = replay(world, &made[&scenario.name]);
        assert!(!scenario.expect.steps.is_empty(), "{}: no step is told", scenario.name);
        check(&scenario.name, world, &replay, &scenario.expect);
        shows_its_kind(&scenario, &log, &replay);
    }
}

/// What a kind of failure means, by the definition, whatever the script says of itself.
fn shows_its_kind(scenario: &script::Scenario, log: &Log, replay: &Replay) {
    let name = &scenario.name;
    let refused = |all: &[&str], none: &[&str]| {
        replay.steps().iter().any(|record| match &record.outcome {
            StepOutcome::Refused(reasons) => {
                let has = |name: &&str| reasons.iter().any(|reason| reason.name() == *name);
                all.iter().all(has) && !none.iter().any(has)
            }
            _ => false,
        })
    };
    let steps = replay.steps().len();
    let share = |step| replay.goal_after(step).unwrap();
    let ok = match scenario.kind.as_str() {
        "over-reach-capability" => refused(&["capability"], &["knowledge"]),
        "over-reach-knowledge" => refused(&["knowledge"], &["capability"]),
        "over-reach-both" => refused(&["capability", "knowledge"], &[]),
        "fabricated-input" => refused(&["not_produced"], &[]),
        "broken-arguments" => refused(&["bad_argument"], &[]),
        "over-budget" => replay.steps().iter().any(|record| record.outcome == StepOutcome::OverBudget),
        "goal-undone" => (0..steps).any(|step| share(step).complete()) && !share(steps).complete(),
        "stopped-short" => scenario.end.as_deref() == Some("finished") && !share(steps).complete(),
        "deferral" => routed_in_vain(log, replay),
        "took-the-bait" => {
            !share(steps).complete() && replay.steps().iter().any(|r| matches!(r.outcome, StepOutcome::Fired(_)))
        }
        kind => panic!("{name}: unknown kind {kind}"),
    };
    assert!(ok, "{name} does not show {}", scenario.kind);
}

/// Whether a routing call fired where the reference had something else to do: the goal stays open,
/// or took more calls than it needs. (The measure itself wants distances, which need a planner.)
fn routed_in_vain(log: &Log, replay: &Replay) -> bool {
    let world = &replay.setup.world;
    let steps = replay.steps().len();
    let routed = (1..=steps).any(|step| {
        let tool = replay.request(log, step).and_then(|request| request.tool());
        let fired = matches!(replay.steps()[step - 1].outcome, StepOutcome::Fired(_));
        fired && tool.is_some_and(|tool| world.domain.tool(tool).routing)
    });
    let reference = world.problem.perspectives[&replay.setup.role].reference.len();
    routed && (!replay.goal_after(steps).unwrap().complete() || steps > reference)
}

#[test]
fn each_reference_comes_to_what_was_written() {
    let worlds = worlds();
    let made = script::make(root()).unwrap();
    let mut told = BTreeSet::new();
    for reference in script::read::<script::References>(root(), "references.json").unwrap().runs {
        let world = &worlds[&reference.problem];
        let name = script::reference_name(&reference.problem, &reference.role);
        let (_, replay) = replay(world, &made[&name]);
        assert!(replay.steps().iter().all(|record| matches!(record.outcome, StepOutcome::Fired(_))), "{name}");
        check(&name, world, &replay, &reference.expect);
        told.insert(name);
    }
    let perspectives: usize = worlds.values().map(|world| world.problem.perspectives.len()).sum();
    assert_eq!(told.len(), perspectives, "each perspective is told once");
}

#[test]
fn failures_are_of_many_kinds() {
    let scenarios = script::read::<script::Scenarios>(root(), "scenarios.json").unwrap().runs;
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut roles = BTreeSet::new();
    for scenario in &scenarios {
        *kinds.entry(&scenario.kind).or_default() += 1;
        roles.insert(&scenario.role);
        assert!(!scenario.shows.is_empty());
    }
    assert!(scenarios.len() >= 24 && kinds.len() >= 9 && kinds.values().all(|&n| n >= 2), "{kinds:?}");
    assert_eq!(roles.len(), 5);
}
