//! Plans and distances of `tests/fixtures/worlds`, against what an independent implementation of the
//! design gives; every plan is stepped through the executor.
#![allow(clippy::unwrap_used)]

mod support;

use refract::{
    exec::{Outcome, Request, State, step},
    plan::{Distance, Limits, Plan, Planner},
    score::{Scored, Ways},
    world::ToolsetId,
};
use serde_json::Value;
use support::known::{Case, cases};

/// Steps a plan from the start: it fires throughout and reaches the goal.
#[track_caller]
fn walk(planner: &Planner, plan: &Plan, context: &str) {
    let Planner { world, role, toolset, .. } = planner;
    let mut state = State::initial(world, *role);
    for call in &plan.calls {
        match step(world, *role, *toolset, &state, &Request::Call(call.clone())) {
            Outcome::Fired(changes) => changes.apply(&mut state),
            Outcome::Refused(reasons) => panic!("{context}: {call:?} is refused: {reasons:?}"),
        }
    }
    assert!(world.problem.perspectives[role].goal.holds(&state), "{context}: the plan misses the goal");
}

fn theirs(expected: &Value) -> Distance {
    match (expected["solvable"].as_bool(), expected["cost"].as_u64()) {
        (Some(true), Some(cost)) => Distance::Calls(cost as u32),
        (Some(false), _) => Distance::Never,
        _ => Distance::Unknown,
    }
}

fn planner(case: &Case, role: &str, toolset: &str) -> Planner {
    let role = case.world.domain.role_id(role).unwrap();
    let toolset = ToolsetId::from(case.world.problem.toolsets.get_index_of(toolset).unwrap());
    Planner::new(&case.world, role, toolset, Limits::default()).unwrap()
}

#[test]
fn every_plan_is_as_long_and_reaches_the_goal() {
    let (mut plans, mut wrong) = (0, Vec::new());
    for case in cases() {
        for expected in case.expected("plans.json").as_array().unwrap() {
            let text = |key: &str| expected[key].as_str().unwrap();
            let context = format!("{} {} {}", case.name, text("role"), text("toolset"));
            let mut planner = planner(&case, text("role"), text("toolset"));
            let start = State::initial(&planner.world, planner.role);
            let plan = planner.plan(&start);
            plans += 1;
            if plan.distance != theirs(expected) {
                wrong.push(format!("{context}: {:?}, expected {:?}", plan.distance, theirs(expected)));
            }
            if let Distance::Calls(length) = plan.distance {
                assert_eq!(plan.calls.len(), length as usize);
                walk(&planner, &plan, &context);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(plans > 150, "{plans}");
}

#[test]
fn every_state_of_every_run_is_as_far_from_the_goal() {
    let (mut states, mut wrong) = (0, Vec::new());
    for case in cases() {
        for (name, _, replay) in case.replays() {
            let (role, toolset) = (replay.setup.role, replay.setup.toolset);
            let expected = &case.expected(&format!("{name}.score.json"))["runs"][0];
            let Some(mut planner) = Planner::new(&case.world, role, toolset, Limits::default()) else {
                assert!(expected.is_null(), "{name} has no perspective and a score");
                continue;
            };
            for (at, distance) in expected["distance"].as_array().unwrap().iter().enumerate() {
                let ours = planner.distance(&replay.state_after(at));
                states += 1;
                let calls = distance.as_u64().map_or(Distance::Never, |calls| Distance::Calls(calls as u32));
                if ours != calls {
                    wrong.push(format!("{name} after {at}: {ours:?}, expected {calls:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(states > 400, "{states}");
}

#[test]
fn every_score_agrees() {
    let (mut runs, mut wrong) = (0, Vec::new());
    for case in cases() {
        for (name, log, replay) in case.replays() {
            let (role, toolset) = (replay.setup.role, replay.setup.toolset);
            let mut planner = Planner::new(&case.world, role, toolset, Limits::default());
            let expected = case.expected(&format!("{name}.score.json"));
            let header = log.header().unwrap_or_default();
            let ways = planner.as_mut().map(|planner| Ways::of(&log, &replay, planner));
            let ours = Scored::of(&name, header, &log, &replay, ways);
            let ours = ours.map_or(Value::Null, |scored| serde_json::to_value(scored).unwrap());
            let expected = expected["runs"].get(0).cloned().unwrap_or(Value::Null);
            runs += 1;
            if ours.is_null() != expected.is_null() {
                wrong.push(format!("{name}: {ours} expected {expected}"));
            }
            for (key, expected) in expected.as_object().into_iter().flatten() {
                if ours[key] != *expected {
                    wrong.push(format!("{name}: {key} is {}, expected {expected}", ours[key]));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {runs}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(runs > 100, "{runs}");
}
