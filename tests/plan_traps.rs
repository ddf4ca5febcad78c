//! Traps that planners and executors are known to fall into, each run through the executor, our
//! planner, a plain breadth-first search and a planner by others. The plans are written by hand.
#![allow(clippy::unwrap_used)]

mod support;

use std::sync::Arc;

use refract::{
    exec::{Call, Episode, Feedback, State, Step, Terms},
    plan::{Distance, Estimate, Limits, PddlGates, Planner},
    run::{Log, Replay, Setup},
    score::{Scored, Ways},
    world::{RoleId, ToolsetId, World},
};
use serde_json::{Map, Value, json};
use support::{
    breadth, ferro,
    table::{Case, tool},
    worlds,
};

const SET: ToolsetId = ToolsetId(0);

fn ada(case: &Case) -> (Arc<World>, RoleId) {
    let (domain, problem) = case.files();
    let world = worlds::world(&domain, &problem);
    let ada = world.domain.role_id("ada").unwrap();
    (world, ada)
}

/// The only shortest plan, its calls as `tool argument=value …`: it fires throughout, the goal holds
/// after the last call and not before, and all planners find it.
#[track_caller]
fn plan(case: Case, calls: &[&str]) {
    let (world, ada) = ada(&case);
    let terms = Terms { role: ada, toolset: SET, budget: None, feedback: Feedback::Hidden };
    let mut episode = Episode::new(world.clone(), terms);
    let goal = &world.problem.perspectives[&ada].goal;
    for call in calls {
        assert!(!goal.holds(&episode.state), "the goal holds before {call}");
        let (tool, args) = sent(call);
        let (step, _) = episode.call(&tool, &args);
        assert!(matches!(step, Step::Fired(_)), "{call}: {step:?}");
    }
    assert!(goal.holds(&episode.state));
    decided(&world, ada, Distance::Calls(calls.len() as u32), calls);
}

/// No plan exists.
#[track_caller]
fn never(case: Case) {
    let (world, ada) = ada(&case);
    decided(&world, ada, Distance::Never, &[]);
}

/// All planners come to this.
#[track_caller]
fn decided(world: &Arc<World>, role: RoleId, distance: Distance, calls: &[&str]) {
    let start = State::initial(world, role);
    let words = |calls: &[Call]| calls.iter().map(|call| in_words(world, call)).collect::<Vec<_>>();
    let first = &calls[..calls.len().min(1)];
    match breadth::search(world, role, SET, &start, 100_000) {
        breadth::Found::Plan(length, begin) => {
            assert_eq!((Distance::Calls(length), &words(&begin)[..]), (distance, &owned(first)[..]));
        }
        breadth::Found::Never => assert_eq!(Distance::Never, distance),
        breadth::Found::Unknown => panic!("the breadth-first search gave up"),
    }
    for estimate in [Estimate::LmCut, Estimate::Blind] {
        let mut planner = Planner::with_estimate(world, role, SET, Limits::default(), estimate).unwrap();
        let found = planner.plan(&start);
        assert_eq!((found.distance, words(&found.calls)), (distance, owned(calls)), "{estimate:?}");
        assert_eq!(words(&planner.first(&start).unwrap()), first, "{estimate:?}");
        for gates in [PddlGates::Compiled, PddlGates::AsFacts] {
            assert_eq!(ferro::agrees(world, role, SET, gates, distance, &found.calls), Ok(()));
        }
    }
}

fn owned(calls: &[&str]) -> Vec<String> {
    calls.iter().map(|&call| call.to_owned()).collect()
}

fn in_words(world: &World, call: &Call) -> String {
    let args = call.arguments(world).into_iter().map(|(name, value)| format!(" {name}={value}"));
    world.domain.tool_name(call.tool).to_owned() + &args.collect::<String>()
}

/// Tool and arguments as JSON.
fn sent(call: &str) -> (String, String) {
    let mut words = call.split(' ');
    let tool = Value::from(words.next().unwrap());
    let args = words.map(|word| word.split_once('=').unwrap()).map(|(name, value)| (name.to_owned(), value.into()));
    (tool.to_string(), Value::Object(args.collect::<Map<_, _>>()).to_string())
}

#[test]
fn add_wins_over_delete() {
    for effect in [json!(["raining", "not raining"]), json!(["not raining", "raining"])] {
        plan(tool(json!({ "effect": effect })), &["do"]);
    }
    // In effects of their own, one of them conditional, whatever their order.
    let add = json!({ "when": ["locked(p)"], "then": ["raining"] });
    for effect in [json!([add, "not raining"]), json!(["not raining", add])] {
        plan(tool(json!({ "effect": effect })).init("locked(p)"), &["do"]);
    }
    // By way of the arguments: to move it onto itself keeps it.
    let onto = json!({ "params": { "a": "place", "b": "place" }, "precondition": ["locked(?a)"],
                       "effect": ["raining", "not locked(?a)", "locked(?b)"] });
    plan(tool(onto).init("locked(p)").goal(json!(["raining", "locked(p)"])), &["do a=p b=p"]);
}

#[test]
fn conditions_read_the_old_state() {
    // The first effect unlocks it before the second looks, and does not matter.
    let after_delete = json!(["not locked(p)", { "when": ["locked(p)"], "then": ["raining"] }]);
    plan(tool(json!({ "effect": after_delete })).init("locked(p)"), &["do"]);
    // What the first adds, the second sees with the next call alone.
    let after_add = json!(["locked(p)", { "when": ["locked(p)"], "then": ["raining"] }]);
    plan(tool(json!({ "effect": after_add })), &["do", "do"]);
    // Two values change places.
    let swap = json!([
        { "when": ["locked(p)", "raining"], "then": ["not locked(p)", "locked(b)"] },
        { "when": ["locked(b)", "raining"], "then": ["not locked(b)", "locked(p)"] },
    ]);
    let swap = tool(json!({ "effect": swap })).init("raining; locked(p)");
    plan(swap.goal(json!(["locked(b)"])), &["do"]);
}

#[test]
fn a_functional_value_is_replaced() {
    let set = || tool(json!({ "params": { "v": "val" }, "effect": ["state(p, ?v)"] })).init("state(p, wet)");
    never(set().goal(json!(["state(p, wet)", "state(p, dry)"])));
    plan(set().goal(json!(["not state(p, wet)", "state(p, dry)"])), &["do v=dry"]);
    // What needs the old value comes before.
    let rain = json!({ "precondition": ["state(p, wet)"], "effect": ["raining"] });
    let both = json!(["raining", "state(p, dry)"]);
    plan(set().and("rain", rain.clone()).goal(both.clone()), &["rain", "do v=dry"]);
    plan(set().init("state(p, dry)").and("rain", rain).goal(both), &["do v=wet", "rain", "do v=dry"]);
    // Another key keeps its value.
    let by_key = json!({ "params": { "a": "place", "v": "val" }, "effect": ["state(?a, ?v)"] });
    let by_key = tool(by_key).init("state(p, wet); state(b, wet)");
    plan(by_key.goal(json!(["state(p, dry)", "state(b, wet)"])), &["do a=p v=dry"]);
}

#[test]
fn the_same_object_is_bound_twice() {
    let link = json!({ "params": { "a": "place", "b": "place" }, "effect": ["near(?a, ?b)"] });
    plan(tool(link).goal(json!(["near(p, p)"])), &["do a=p b=p"]);
    let other =
        json!({ "params": { "a": "bed", "b": "bed" }, "precondition": ["?a != ?b"], "effect": ["near(?a, ?b)"] });
    never(tool(other).goal(json!(["near(b, b)"])));
    // One value in hand serves two arguments.
    let slips = json!({ "consumes": { "one": "slip(?a)", "two": "slip(?b)" }, "effect": ["near(?a, ?b)"] });
    plan(tool(slips).given("slip(b)").goal(json!(["near(b, b)"])), &["do one=slip(b) two=slip(b)"]);
    // So does one object for two variables of a `forall`.
    let all = json!({ "effect": [{ "forall": { "x": "bed", "y": "bed" }, "when": ["locked(?x)", "locked(?y)"],
                                   "then": ["near(?x, ?y)"] }] });
    plan(tool(all).init("locked(b)").goal(json!(["near(b, b)"])), &["do"]);
}

#[test]
fn a_subtype_is_accepted_and_a_supertype_refused() {
    let lock = |ty: &str| tool(json!({ "params": { "a": ty }, "effect": ["locked(?a)"] }));
    plan(lock("place").goal(json!(["locked(b)", "locked(p)"])).init("locked(p)"), &["do a=b"]);
    plan(lock("bed").goal(json!(["locked(b)"])), &["do a=b"]);
    never(lock("bed").goal(json!(["locked(p)"])));
    let expected =
        json!([{ "reason": "bad_argument", "argument": "a", "problem": "wrong_type", "value": "p", "expects": "bed" }]);
    lock("bed").refuses(json!({ "a": "p" }), expected);
    // Of a type: it and those below.
    let all = |ty: &str| tool(json!({ "effect": [{ "forall": { "x": ty }, "then": ["locked(?x)"] }] }));
    plan(all("place").goal(json!(["locked(p)", "locked(b)"])), &["do"]);
    never(all("bed").goal(json!(["locked(p)"])));
}

#[test]
fn a_goal_that_is_true_at_the_start_has_the_empty_plan() {
    plan(tool(json!({ "effect": ["raining"] })).init("raining"), &[]);
    // Also where nothing could ever be done.
    plan(tool(json!({ "params": { "x": "void" }, "effect": ["raining"] })).init("raining"), &[]);
    plan(tool(json!({})).goal(json!(["not raining"])), &[]);
    plan(tool(json!({})).goal(json!(["pass"])).given("pass"), &[]);
    plan(tool(json!({})).goal(json!({ "any": [["raining"], ["locked(p)"]] })).init("locked(p)"), &[]);
}

#[test]
fn a_goal_is_reached_and_then_undone() {
    // The lock ends the rain that it needs.
    let lock = || {
        tool(json!({ "precondition": ["raining"], "effect": ["not raining", "locked(p)"] }))
            .and("rain", json!({ "effect": ["raining"] }))
    };
    plan(lock().goal(json!(["raining", "locked(p)"])), &["rain", "do", "rain"]);
    // The end counts, not the best that was on the way.
    let (world, ada) = ada(&lock());
    let lines = [
        json!({ "type": "run", "version": 1, "id": "r", "domain": "d", "problem": "p", "role": "ada" }),
        json!({ "type": "call", "id": "1", "tool": "rain", "args": {} }),
        json!({ "type": "result", "call": "1", "fired": true, "added": ["raining"] }),
        json!({ "type": "call", "id": "2", "tool": "do", "args": {} }),
        json!({ "type": "result", "call": "2", "fired": true, "added": ["locked(p)"], "removed": ["raining"] }),
        json!({ "type": "end", "reason": "finished" }),
    ];
    let log = Log::read(lines.map(|line| line.to_string()).join("\n").into_bytes());
    let header = log.header().unwrap();
    let setup = Setup::of(&header, &world).unwrap();
    let replay = Replay::whole(setup, refract::run::WorldMatch::Same, &log);
    let mut planner = Planner::new(&world, ada, SET, Limits::default()).unwrap();
    let ways = Ways::of(&log, &replay, &mut planner);
    let scored = serde_json::to_value(Scored::of("r", header, &log, &replay, Some(ways)).unwrap()).unwrap();
    let expected = json!({
        "complete": false, "solved": false, "goal": { "held": 0, "of": 1 }, "distance": [1, 0, 1],
        "verdicts": ["progress", "detour"], "efficiency": { "raw": 0.0, "complete": null },
        "under_reach": { "deferrals": 0, "stopped_short": 1, "withheld": [{ "step": 3, "tools": ["rain"], "gate": "none" }] },
    });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(scored[key], *value, "{key}");
    }
}

#[test]
fn a_static_goal_is_false() {
    let rain = || tool(json!({ "effect": ["raining"] }));
    never(rain().goal(json!(["raining", "locked(p)"])));
    never(rain().goal(json!(["raining", "not locked(p)"])).init("locked(p)"));
    never(rain().goal(json!(["raining", "holder(t, ada)"])));
    never(rain().goal(json!(["raining", "pass"])));
    never(rain().goal(json!({ "any": [["locked(p)"], ["raining", "locked(b)"]] })));
    // One that is true costs nothing, and one alternative suffices.
    plan(rain().goal(json!(["raining", "locked(p)"])).init("locked(p)"), &["do"]);
    plan(rain().goal(json!({ "any": [["locked(p)"], ["raining"]] })), &["do"]);
    // Only a condition on it is static.
    never(tool(json!({ "precondition": ["locked(p)"], "effect": ["raining"] })));
    never(tool(json!({ "effect": [{ "when": ["locked(p)"], "then": ["raining"] }] })));
}

#[test]
fn forall_runs_over_an_empty_type() {
    let of_void = |then: Value| json!({ "forall": { "x": "void", "v": "val" }, "then": then });
    never(tool(json!({ "effect": [of_void(json!(["dust(?x, ?v)", "raining"]))] })));
    plan(tool(json!({ "effect": ["raining", of_void(json!(["dust(?x, ?v)", "not raining"]))] })), &["do"]);
    // A condition on all of nothing is met nowhere.
    let when = json!({ "forall": { "x": "void" }, "when": ["not dust(?x, wet)"], "then": ["raining"] });
    never(tool(json!({ "effect": [when] })));
    // No call of a tool that takes one.
    never(tool(json!({ "params": { "x": "void" }, "effect": ["raining"] })));
}

#[test]
fn a_name_is_a_prefix_of_another() {
    let calls = [
        ("locked(b1)", "do"),
        ("locked(b)", "do-2"),
        ("locked(b1.1)", "do-2.b"),
        ("locked(p)", "do2"),
        // Planners by others fold case.
        ("near(p, p)", "Do"),
    ];
    let tools = || {
        let others = calls.iter().skip(1);
        others.fold(tool(json!({ "effect": [calls[0].0] })), |case, (fact, name)| {
            case.and(name, json!({ "effect": [fact] }))
        })
    };
    for (fact, call) in calls {
        plan(tools().goal(json!([fact])), &[call]);
    }
    // Of predicates and of values.
    let state =
        || tool(json!({ "effect": ["state-2(p, wet)"] })).and("do-2", json!({ "effect": ["state(p, wet-ish)"] }));
    plan(state().goal(json!(["state-2(p, wet)"])), &["do"]);
    plan(state().goal(json!(["state(p, wet-ish)"])), &["do-2"]);
    never(state().goal(json!(["state(p, wet)"])));
    never(state().goal(json!(["state-2(p, wet-ish)"])));
    // The argument tells whose lock it is.
    let by_name = tool(json!({ "params": { "a": "bed" }, "precondition": ["near(?a, p)"], "effect": ["locked(?a)"] }));
    let near = json!({ "params": { "a": "bed" }, "effect": ["near(?a, p)"] });
    plan(by_name.and("near", near).init("near(b1, p)").goal(json!(["locked(b)"])), &["near a=b", "do a=b"]);
}

#[test]
fn a_limit_that_is_hit_is_unknown_never_a_number() {
    let world = refract::world::Library::embedded().worlds[0].clone();
    let (&role, _) = world.problem.perspectives.get_index(0).unwrap();
    let start = State::initial(&world, role);
    let plenty = Limits::default();
    let limits = [Limits { expansions: 0, ..plenty }, Limits { bytes: 0, ..plenty }, Limits { effort: 1, ..plenty }];
    for limits in limits {
        let mut planner = Planner::new(&world, role, SET, limits).unwrap();
        assert_eq!(planner.distance(&start), Distance::Unknown, "{limits:?}");
        assert!(planner.plan(&start).calls.is_empty() && planner.first(&start).is_none(), "{limits:?}");
    }
    let reference = world.problem.perspectives[&role].reference.len() as u32;
    assert_eq!(Planner::new(&world, role, SET, plenty).unwrap().distance(&start), Distance::Calls(reference));
}
