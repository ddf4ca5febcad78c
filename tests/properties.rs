//! What holds in every world, for every call: against an oracle that shares no code, and against
//! the executor itself.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;

use refract::{
    exec::{Request, State, Step, sorted_texts},
    run::{EndState, Log, Replay, Setup, Writer},
    world::{RoleId, ToolsetId},
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
    (Wanderer::new(world, role, toolset, None, seed), Oracle::new(&domain, &problem))
}

fn facts(wanderer: &Wanderer) -> Facts {
    let EndState { facts, produced } = EndState::of(&wanderer.episode.world, &wanderer.episode.state);
    Facts { facts: facts.into_iter().collect(), values: produced.into_iter().collect() }
}

#[test]
fn the_executor_agrees_with_an_oracle() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..400 {
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
        assert!(seen.get(kind).is_some_and(|times| *times >= 50), "{kind} is hardly tested: {seen:?}");
    }
}
