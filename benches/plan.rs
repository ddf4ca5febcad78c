//! How long a shortest plan takes, from a loaded entry on, and how fast states are made.
//! `cargo bench --bench plan`. Against Fast Downward, as whole processes: `scripts/fast_downward.py`.
#![allow(clippy::unwrap_used)]

use std::{hint::black_box, sync::Arc};

use divan::{Bencher, counter::ItemsCount};
use refract::{
    exec::State,
    plan::{Distance, Estimate, Limits, Planner},
    world::{Library, RoleId, ToolsetId, World},
};

fn main() {
    divan::main();
}

/// Every perspective of the benchmark, by name.
fn perspectives() -> Vec<String> {
    let library = Library::embedded();
    let worlds = library.worlds.iter();
    let named = |(id, world): (&String, &Arc<World>)| {
        let roles = world.problem.perspectives.keys();
        roles.map(|&role| format!("{id} {}", world.domain.role_name(role))).collect::<Vec<_>>()
    };
    worlds.flat_map(named).collect()
}

fn task(name: &str) -> (Arc<World>, RoleId, ToolsetId) {
    let (id, role) = name.split_once(' ').unwrap();
    let world = Library::embedded().worlds[id].clone();
    let role = world.domain.role_id(role).unwrap();
    let widest = ToolsetId::from(world.problem.toolsets.len() - 1);
    (world, role, widest)
}

/// Grounding and search with the widest tool set; the slowest is the worst.
#[divan::bench(args = perspectives(), sample_count = 20)]
fn perspective(bencher: Bencher, name: &str) {
    let (world, role, toolset) = task(name);
    let start = State::initial(&world, role);
    bencher.bench(|| {
        let mut planner = Planner::new(&world, role, toolset, Limits::default()).unwrap();
        let plan = planner.plan(black_box(&start));
        assert!(matches!(plan.distance, Distance::Calls(_)));
        plan
    });
}

/// All of them, one after the other: the time of one is the median of the above times their number, about.
#[divan::bench(sample_count = 20)]
fn all_perspectives(bencher: Bencher) {
    let tasks: Vec<_> = perspectives().iter().map(|name| task(name)).collect();
    bencher.counter(ItemsCount::new(tasks.len())).bench(|| {
        for (world, role, toolset) in &tasks {
            let mut planner = Planner::new(world, *role, *toolset, Limits::default()).unwrap();
            black_box(planner.plan(&State::initial(world, *role)));
        }
    });
}

/// States made per second without an estimate, until the search space is used up or a limit is hit.
#[divan::bench(sample_count = 10)]
fn blind_states(bencher: Bencher) {
    let limits = Limits { expansions: 20_000, ..Limits::default() };
    let blind = || {
        // The largest search of the benchmark.
        let (world, role, toolset) = task("im-005 technician");
        let planner = Planner::with_estimate(&world, role, toolset, limits, Estimate::Blind).unwrap();
        let start = State::initial(&world, role);
        (planner, start)
    };
    let (mut planner, start) = blind();
    planner.distance(&start);
    let generated = planner.counts().generated;
    bencher.counter(ItemsCount::new(generated)).with_inputs(blind).bench_local_values(|(mut planner, start)| {
        planner.distance(&start);
        planner
    });
}
