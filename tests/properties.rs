//! What holds in every world, for every call: against an oracle that shares no code, and against
//! the executor itself.
#![allow(clippy::unwrap_used)]

mod support;

use std::{collections::BTreeMap, sync::Arc};

use refract::{
    exec::{Changes, State, Step, sorted_texts},
    run::{EndState, Log, Replay, Setup, WorldMatch, Writer},
    world::{RoleId, ToolsetId, World},
};
use serde_json::Value;
use support::{
    generate,
    oracle::{Facts, Oracle, Verdict},
    rng::Rng,
    wander::Wanderer,
    worlds,
};

/// A world, a role and a tool set by lot, and somebody in it who knows no budget.
fn wanderer(seed: u64) -> (Wanderer, Oracle) {
    let (domain, problem) = generate::world(seed);
    let world = worlds::world(&domain, &problem);
    let mut rng = Rng(!seed);
    let role = RoleId::from(rng.below(world.domain.roles.len()));
    let toolset = ToolsetId::from(rng.below(2));
    let mut wanderer = Wanderer::new(world, role, toolset, None, seed);
    // References of random worlds lead nowhere.
    wanderer.follow = 0;
    (wanderer, Oracle::new(&domain, &problem))
}

fn facts(wanderer: &Wanderer) -> Facts {
    let EndState { facts, produced } = EndState::of(&wanderer.episode.world, &wanderer.episode.state);
    Facts { facts: facts.into_iter().collect(), values: produced.into_iter().collect() }
}

#[test]
fn the_executor_agrees_with_an_oracle() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..120 {
        let (mut wanderer, oracle) = wanderer(seed);
        let world = wanderer.episode.world.clone();
        let role = world.domain.role_name(wanderer.episode.terms.role);
        let toolset = ["few", "all"][wanderer.episode.terms.toolset.index()];
        let mut theirs = oracle.start(role);
        assert_eq!(facts(&wanderer), theirs, "start of {seed}");
        for number in 0..40 {
            let (tool, args, step, _) = wanderer.call();
            let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
            let verdict = oracle.call(role, toolset, &mut theirs, &json(&tool), &json(&args));
            let ours = match step {
                Step::Fired(changes) => Verdict::Fired {
                    added: sorted_texts(&world, changes.added),
                    removed: sorted_texts(&world, changes.removed),
                    produced: sorted_texts(&world, changes.produced),
                },
                Step::Refused(reasons) => {
                    Verdict::Refused(reasons.iter().map(|r| serde_json::to_value(r).unwrap()).collect())
                }
                Step::OverBudget => panic!("there is no budget"),
            };
            assert_eq!(ours, verdict, "world {seed}, call {number}: {tool} {args}");
            assert_eq!(facts(&wanderer), theirs, "world {seed}, after call {number}: {tool} {args}");
            let perspective = world.problem.perspectives.get(&wanderer.episode.terms.role);
            let share = perspective.map(|p| p.goal.best(&wanderer.episode.state).1).map(|s| (s.held, s.of));
            assert_eq!(share, oracle.goal(role, &theirs), "world {seed}, goal after call {number}");
            match &verdict {
                Verdict::Refused(reasons) => {
                    for reason in reasons {
                        *seen.entry(reason["reason"].as_str().unwrap().to_owned()).or_default() += 1;
                    }
                }
                Verdict::Fired { added, removed, produced } => {
                    for (kind, list) in [("added", added), ("removed", removed), ("produced", produced)] {
                        *seen.entry(kind.to_owned()).or_default() += list.len();
                    }
                    *seen.entry("fired".to_owned()).or_default() += 1;
                }
            }
        }
    }
    println!("{seen:?}");
    for kind in [
        "fired",
        "added",
        "removed",
        "produced",
        "unknown_tool",
        "not_offered",
        "bad_argument",
        "precondition",
        "not_produced",
        "conflict",
        "capability",
        "knowledge",
    ] {
        assert!(seen.get(kind).is_some_and(|times| *times >= 40), "{kind} is hardly tested: {seen:?}");
    }
}

#[test]
fn changes_lead_to_the_state_after_and_back() {
    for seed in 1_000..1_050 {
        let (mut wanderer, _) = wanderer(seed);
        let world = wanderer.episode.world.clone();
        for _ in 0..40 {
            let before = wanderer.episode.state.clone();
            let (.., step, _) = wanderer.call();
            let after = &wanderer.episode.state;
            let Step::Fired(changes) = step else {
                assert_eq!(before, *after);
                continue;
            };
            assert_eq!(changes, Changes::between(&world, &before, after));
            assert_eq!(changes.is_empty(), before == *after);
            let mut state = before.clone();
            changes.apply(&mut state);
            assert_eq!(state, *after);
            changes.undo(&mut state);
            assert_eq!(state, before);
        }
    }
}

/// A run as it was executed: its log, and the state after each step.
fn written_run(seed: u64, steps: usize) -> (Arc<World>, Log, Vec<State>) {
    let (mut wanderer, _) = wanderer(seed);
    let budget = Rng(seed).below(steps + 20);
    wanderer.episode.terms.budget = Some(budget as u32);
    let mut writer = Writer::new(Vec::new());
    wanderer.begin(&mut writer).unwrap();
    let mut states = vec![wanderer.episode.state.clone()];
    for number in 0..steps {
        // Ids may be repeated.
        wanderer.step(&mut writer, format!("c{}", number % 50)).unwrap();
        states.push(wanderer.episode.state.clone());
    }
    wanderer.end(&mut writer).unwrap();
    (wanderer.episode.world.clone(), Log::read(writer.into_inner()), states)
}

#[test]
fn what_the_executor_wrote_never_diverges() {
    for seed in 2_000..2_040 {
        let (world, log, states) = written_run(seed, 150);
        let header = log.header().unwrap();
        let setup = Setup::of(&header, &world).unwrap();
        let world_match = setup.matches(&header);
        assert_eq!(world_match, WorldMatch::Same);
        let replay = Replay::whole(setup, world_match, &log);
        let diverging: Vec<usize> = (1..=150).filter(|step| replay.steps()[step - 1].diverges).collect();
        assert_eq!((replay.diverged(), diverging), (false, vec![]), "world {seed}");
        assert_eq!(replay.calls(), replay.setup.budget.min(150));
        for (step, state) in states.iter().enumerate() {
            assert_eq!(replay.state_after(step), *state, "world {seed}, state after {step}");
            let perspective = world.problem.perspectives.get(&replay.setup.role);
            assert_eq!(replay.goal_after(step), perspective.map(|p| p.goal.best(state).1));
        }
        assert_eq!(replay.state_after(151), states[150]);
        assert_eq!(replay.goal_after(151), None);
    }
}

#[test]
fn portions_and_steps_taken_back_come_to_the_same() {
    let mut rng = Rng(3);
    for seed in 3_000..3_030 {
        let (world, log, _) = written_run(seed, 200);
        let fresh = || Replay::new(Setup::of(&log.header().unwrap(), &world).unwrap(), WorldMatch::Same);
        let mut whole = fresh();
        assert!(whole.advance(&log, usize::MAX));
        let mut replay = fresh();
        for _ in 0..20 {
            let reached = replay.steps().len();
            let portion = rng.below(90);
            let done = replay.advance(&log, portion);
            assert_eq!(replay.steps().len(), (reached + portion).min(200));
            assert_eq!(done, replay.steps().len() == 200);
            let keep = rng.below(replay.steps().len() + 2);
            replay.truncate(keep);
            let kept = replay.steps().len();
            assert_eq!(replay.steps(), &whole.steps()[..kept]);
            assert_eq!(*replay.end_state(), whole.state_after(kept), "world {seed}, kept {kept}");
            let at = rng.below(kept + 1);
            assert_eq!(replay.state_after(at), whole.state_after(at), "world {seed}, at {at} of {kept}");
        }
        replay.advance(&log, usize::MAX);
        assert_eq!((replay.steps(), replay.end_state()), (whole.steps(), whole.end_state()));
        assert_eq!((replay.calls(), replay.diverged()), (whole.calls(), whole.diverged()));
    }
}
