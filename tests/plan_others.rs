//! Every perspective of the benchmark with every tool set, against a planner and a validator by others.
#![allow(clippy::unwrap_used)]

mod support;

use rayon::prelude::*;
use refract::{
    exec::State,
    plan::{Distance, Limits, PddlGates, Planner},
    world::{Library, RoleId, ToolsetId, World},
};
use std::sync::Arc;
use support::ferro;

fn tasks() -> Vec<(Arc<World>, RoleId, ToolsetId)> {
    let library = Library::embedded();
    let mut tasks = Vec::new();
    for world in library.worlds.values() {
        for &role in world.problem.perspectives.keys() {
            for toolset in 0..world.problem.toolsets.len() {
                tasks.push((world.clone(), role, ToolsetId::from(toolset)));
            }
        }
    }
    tasks
}

#[test]
fn ferroplan_proves_the_same_costs_and_accepts_our_plans() {
    let tasks = tasks();
    assert!(tasks.len() > 120, "{}", tasks.len());
    let disagreements: Vec<String> = tasks
        .par_iter()
        .enumerate()
        .filter_map(|(number, (world, role, toolset))| {
            let mut planner = Planner::new(world, *role, *toolset, Limits::default()).unwrap();
            let plan = planner.plan(&State::initial(world, *role));
            assert!(matches!(plan.distance, Distance::Calls(1..)));
            // Both ways to write gates, by turns.
            let gates = if number % 4 == 0 { PddlGates::AsFacts } else { PddlGates::Compiled };
            let agrees = ferro::agrees(world, *role, *toolset, gates, plan.distance, &plan.calls);
            let (id, role) = (&world.problem.id, world.domain.role_name(*role));
            agrees.err().map(|why| format!("{id} {role} {}: {why}", toolset.0))
        })
        .collect();
    println!("{} tasks, {} disagreements or unproven", tasks.len(), disagreements.len());
    assert!(disagreements.is_empty(), "{}", disagreements.join("\n"));
}
