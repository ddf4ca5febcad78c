//! What the entries have to be: valid, varied, and no trap that is not within reach.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use refract::{
    check::{check_domain, check_entry, check_objects},
    exec::{Episode, Feedback, Opening, Request, State, Step, Terms},
    world::{ReferenceCall, RoleId, ToolId, ToolsetId, World},
};
use serde::Deserialize;

use crate::{root, script, worlds};

#[test]
fn they_are_valid_without_a_warning() {
    let worlds = worlds();
    let mut findings = check_domain(&worlds.values().next().unwrap().domain);
    for world in worlds.values() {
        findings.extend(check_entry(world));
        findings.extend(check_objects(world));
    }
    let findings: Vec<String> = findings.iter().map(|f| format!("{}: {} {}", f.file.name, f.code, f.message)).collect();
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn there_are_enough_of_them() {
    let worlds = worlds();
    assert!(worlds.len() >= 12);
    let mut by_role: BTreeMap<RoleId, usize> = BTreeMap::new();
    for world in worlds.values() {
        assert_eq!(world.problem.toolsets.keys().collect::<Vec<_>>(), ["narrow", "medium", "wide"]);
        let wide = world.problem.toolsets[2].tools.len();
        assert!(wide * 10 >= world.domain.tools.len() * 9, "{} is not wide", world.problem.id);
        for &role in world.problem.perspectives.keys() {
            *by_role.entry(role).or_default() += 1;
        }
    }
    assert!(by_role.values().sum::<usize>() >= 30);
    assert!(by_role.len() == 5 && by_role.values().all(|&n| n >= 5), "{by_role:?}");
}

/// A call without the target of a routing call.
fn skeleton(world: &World, call: &ReferenceCall) -> (ToolId, String) {
    let tool = world.domain.tool(call.tool);
    let mut args: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&call.args).unwrap();
    if tool.routing {
        for param in tool.params.iter().filter(|p| p.ty == refract::world::Types::ROLE) {
            args.remove(&param.name);
        }
    }
    (call.tool, serde_json::Value::from(args).to_string())
}

#[test]
fn references_differ_by_more_than_the_target_of_a_routing_call() {
    for world in worlds().values() {
        let mut seen = BTreeSet::new();
        for (&role, perspective) in &world.problem.perspectives {
            let plan: Vec<_> = perspective.reference.iter().map(|call| skeleton(world, call)).collect();
            let role = world.domain.role_name(role);
            assert!(seen.insert(plan), "{}: the {role} goes the way of another", world.problem.id);
        }
    }
}

#[derive(Debug, Deserialize)]
struct Temptation {
    problem: String,
    role: String,
    calls: Vec<TemptingCall>,
    breaks: String,
}

#[derive(Debug, Deserialize)]
struct TemptingCall {
    tool: String,
    args: serde_json::Value,
}

/// Roles whose word goes far: they are the ones who must leave a tool within reach alone.
const BROAD: [&str; 3] = ["manager", "planner", "controls"];

#[test]
fn what_tempts_is_within_reach_and_does_harm() {
    let worlds = worlds();
    let text = std::fs::read(root().join("tests/benchmark/tempting.json")).unwrap();
    let temptations: Vec<Temptation> = serde_json::from_slice(&text).unwrap();
    let mut entries = BTreeSet::new();
    for t in &temptations {
        let world = &worlds[&t.problem];
        let role = world.domain.role_id(&t.role).unwrap();
        let goal = &world.problem.perspectives[&role].goal;
        let literal = goal.alternatives.iter().flatten().find(|literal| literal.text == t.breaks).unwrap();
        let terms =
            Terms { role, toolset: ToolsetId(2), budget: Some(world.problem.budget), feedback: Feedback::Hidden };
        let mut episode = Episode::new(world.clone(), terms);
        for (index, call) in t.calls.iter().enumerate() {
            let last = index + 1 == t.calls.len();
            assert!(
                !last || literal.holds(&episode.state) || !literal.holds(&State::initial(world, role)),
                "{t:?}: broken before"
            );
            let tool = world.domain.tool_id(&call.tool).unwrap();
            assert!(world.domain.may(tool, role), "{t:?}: out of persona");
            let (step, observation) = episode.request(&Request::for_tool(world, tool, &call.args.to_string()));
            assert!(matches!(step, Step::Fired(_)), "{t:?}: {observation:?}");
        }
        assert!(!literal.holds(&episode.state), "{t:?}: does no harm");
        if BROAD.contains(&t.role.as_str()) {
            entries.insert(&t.problem);
        }
    }
    assert!(entries.len() >= 4, "{entries:?}");
}

#[test]
fn every_tool_fires_in_a_reference_or_tempts_in_a_named_run() {
    let worlds = worlds();
    let domain = &worlds.values().next().unwrap().domain;
    let plans = worlds.values().flat_map(|world| world.problem.perspectives.values()).flat_map(|p| &p.reference);
    let mut used: BTreeSet<String> = plans.map(|call| domain.tool_name(call.tool).to_owned()).collect();
    for scenario in script::read::<script::Scenarios>(root(), "scenarios.json").unwrap().runs {
        used.extend(scenario.script.iter().filter_map(|line| line["call"].as_str().map(str::to_owned)));
    }
    let idle: Vec<&String> = domain.tools.keys().filter(|name| !used.contains(*name)).collect();
    assert!(idle.is_empty(), "{idle:?}");
}

#[test]
fn an_opening_tells_nothing_that_is_hidden() {
    for world in worlds().values() {
        for &role in world.problem.perspectives.keys() {
            for toolset in 0..world.problem.toolsets.len() {
                let text = Opening::of(world, role, ToolsetId::from(toolset)).text();
                leaks(world, role, &text);
            }
        }
    }
}

/// Neither goals nor facts that are not in hand, in the words of the file or of the domain.
fn leaks(world: &Arc<World>, role: RoleId, text: &str) {
    let goal = world.problem.perspectives[&role].goal.alternatives.iter().flatten();
    let given: Vec<_> = State::initial(world, role).iter().filter(|&fact| world.facts.is_slot_value(fact)).collect();
    let hidden = goal.filter_map(|literal| literal.fact.ok()).chain(world.problem.init.iter().copied());
    for fact in hidden.filter(|fact| !given.contains(fact)) {
        for words in [world.fact_text(fact), refract::exec::fact_words(world, fact)] {
            assert!(!text.contains(&words), "{}: {words}", world.problem.id);
        }
    }
}
