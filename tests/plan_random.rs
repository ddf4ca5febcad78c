//! The planner against a plain breadth-first search through the executor, on random worlds.
#![allow(clippy::unwrap_used)]

mod support;

use std::{collections::HashSet, sync::Arc};

use rayon::prelude::*;
use refract::{
    exec::{Call, Changes, Outcome, Request, State, step},
    plan::{Distance, Estimate, Limits, PddlGates, Planner},
    world::{RoleId, ToolsetId, World},
};
use serde_json::Value;
use support::{breadth, ferro, generate, rng::Rng, wander::Wanderer, worlds};

/// Calls that the breadth-first search may try for one question.
const CALLS: usize = 4_000;

#[test]
fn it_agrees_with_breadth_first_search() {
    let answers: Vec<Distance> = (0..600).into_par_iter().filter_map(agreed).collect();
    let count = |wanted: fn(&Distance) -> bool| answers.iter().filter(|answer| wanted(answer)).count();
    let far = count(|distance| matches!(distance, Distance::Calls(2..)));
    let never = count(|distance| *distance == Distance::Never);
    println!("{} decided: {far} at two calls or more, {never} never", answers.len());
    assert!(answers.len() >= 500 && far > 50 && never > 50);
}

/// The distance on which both agree, and on all first calls; `None` where the plain search gives up.
fn agreed(seed: u64) -> Option<Distance> {
    let (world, role, toolset) = entry(seed);
    let start = State::initial(&world, role);
    let (distance, first) = match breadth::search(&world, role, toolset, &start, CALLS) {
        breadth::Found::Unknown => return None,
        breadth::Found::Never => (Distance::Never, Vec::new()),
        breadth::Found::Plan(length, first) => (Distance::Calls(length), first),
    };
    for estimate in [Estimate::LmCut, Estimate::Blind] {
        let mut planner = Planner::with_estimate(&world, role, toolset, Limits::default(), estimate).unwrap();
        assert_eq!(planner.distance(&start), distance, "seed {seed}, {estimate:?}");
        let ours = planner.first(&start).unwrap();
        assert_eq!(ours.iter().collect::<HashSet<_>>(), first.iter().collect(), "seed {seed}, {estimate:?}");
        // Whichever first call is asked for, a shortest plan begins with it, and reaches the goal.
        for call in first.iter().take(2) {
            let plan = planner.plan_along(&start, std::slice::from_ref(call));
            assert_eq!((plan.distance, plan.calls.first()), (distance, Some(call)), "seed {seed}");
            assert_eq!(Some(plan.calls.len() as u32), distance.calls(), "seed {seed}");
            assert!(reaches(&world, role, toolset, &start, &plan.calls), "seed {seed}: {:?}", plan.calls);
        }
    }
    Some(distance)
}

/// Whether calls fire one after the other and bring the goal about.
fn reaches(world: &World, role: RoleId, toolset: ToolsetId, start: &State, calls: &[Call]) -> bool {
    let mut state = start.clone();
    let fires = calls.iter().all(|call| match step(world, role, toolset, &state, &Request::Call(call.clone())) {
        Outcome::Fired(changes) => {
            changes.apply(&mut state);
            true
        }
        Outcome::Refused(_) => false,
    });
    fires && world.problem.perspectives[&role].goal.best(&state).1.complete()
}

#[test]
fn it_agrees_with_a_planner_by_others() {
    let seeds = (0..1_700).into_par_iter().filter(|&seed| {
        let (world, role, toolset) = entry(seed);
        !ferro::is_misled(&world, role, toolset) && instances(&world) < 5_000
    });
    let compared = seeds.map(|seed| {
        let (world, role, toolset) = entry(seed);
        let mut planner = Planner::new(&world, role, toolset, Limits::default()).unwrap();
        let plan = planner.plan(&State::initial(&world, role));
        let agrees = ferro::agrees(&world, role, toolset, PddlGates::Compiled, plan.distance, &plan.calls);
        agrees.err().map(|why| format!("seed {seed}: {why}"))
    });
    let compared: Vec<Option<String>> = compared.collect();
    let disagreements: Vec<&str> = compared.iter().flatten().map(String::as_str).collect();
    println!("{} compared, {} disagreements or unproven", compared.len(), disagreements.len());
    assert!(disagreements.is_empty(), "{}", disagreements.join("\n"));
    assert!(compared.len() >= 500, "{}", compared.len());
}

/// Instances of all tools, for ferroplan writes each down before it looks at any: too many take all memory.
fn instances(world: &World) -> usize {
    let extent = |var: &refract::world::Var| world.facts.extent(var.ty).len().max(1);
    world.domain.tools.values().map(|tool| tool.vars.iter().skip(1).map(extent).product::<usize>()).sum()
}

/// A random world and a role of it. Random goals are mostly true or out of reach; so two of three times
/// the goal is something that calls by lot have brought about.
fn entry(seed: u64) -> (Arc<World>, RoleId, ToolsetId) {
    let (domain, problem) = generate::world(seed);
    let world = worlds::world(&domain, &problem);
    let (&role, _) = world.problem.perspectives.get_index(seed as usize % world.problem.perspectives.len()).unwrap();
    let mut rng = Rng(seed);
    let start = State::initial(&world, role);
    let toolset = ToolsetId::from(world.problem.toolsets.len() - 1);
    let mut wanderer = Wanderer::new(world.clone(), role, toolset, Some(u32::MAX), seed);
    for _ in 0..60 {
        wanderer.call();
    }
    let Changes { added, removed, produced } = Changes::between(&world, &start, &wanderer.episode.state);
    let mut literals: Vec<String> = added.iter().chain(&produced).map(|&fact| world.fact_text(fact)).collect();
    literals.extend(removed.iter().map(|&fact| format!("not {}", world.fact_text(fact))));
    if literals.is_empty() || seed.is_multiple_of(3) {
        return (world, role, toolset);
    }
    while literals.len() > 3 {
        literals.swap_remove(rng.below(literals.len()));
    }
    let mut problem: Value = serde_json::from_str(&problem).unwrap();
    problem["perspectives"][world.domain.role_name(role)]["goal"] = literals.into();
    (worlds::world(&domain, &problem.to_string()), role, toolset)
}
