//! How long a shortest plan takes, from a loaded entry on, and how fast states are made: each of them,
//! then the median and the worst of all perspectives, and states per second.
//! `cargo bench --bench plan`. Against Fast Downward, as whole processes: `scripts/fast_downward.py`.
#![allow(clippy::unwrap_used)]

use std::{
    hint::black_box,
    sync::Arc,
    time::{Duration, Instant},
};

use divan::{Bencher, counter::ItemsCount};
use refract::{
    exec::State,
    plan::{Distance, Estimate, Limits, Plan, Planner},
    world::{Entries, Library, RoleId, ToolsetId, World},
};

fn main() {
    divan::main();
    // Not in a test that only sees that it runs.
    if std::env::args().any(|argument| argument == "--bench") {
        summary();
    }
}

/// The numbers that stand for all.
fn summary() {
    let mut times: Vec<(Duration, String)> = perspectives().into_iter().map(|name| (median(&name), name)).collect();
    times.sort();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let (middle, (worst, name)) = (times[times.len() / 2].0, times.last().unwrap());
    println!("{} perspectives, the widest tool set, medians of {REPEATS}:", times.len());
    println!("{:10.2} ms median, {:.2} ms worst ({name})", milliseconds(middle), milliseconds(*worst));
    let (mut planner, start) = blind();
    let begun = Instant::now();
    planner.distance(&start);
    let speed = planner.counts().generated as f64 / begun.elapsed().as_secs_f64();
    println!("{:10.2} M states/s generated without an estimate", speed / 1e6);
}

const REPEATS: usize = 9;

fn median(name: &str) -> Duration {
    let (world, role, toolset) = task(name);
    let mut times: Vec<Duration> = (0..REPEATS)
        .map(|_| {
            let begun = Instant::now();
            black_box(plan(&world, role, toolset));
            begun.elapsed()
        })
        .collect();
    times.sort();
    times[REPEATS / 2]
}

/// Grounding and search.
fn plan(world: &Arc<World>, role: RoleId, toolset: ToolsetId) -> Plan {
    let mut planner = Planner::new(world, role, toolset, Limits::default()).unwrap();
    let plan = planner.plan(&State::initial(world, role));
    assert!(matches!(plan.distance, Distance::Calls(_)));
    plan
}

/// The largest search of the benchmark, cut short.
fn blind() -> (Planner, State) {
    let limits = Limits { expansions: 20_000, ..Limits::default() };
    let (world, role, toolset) = task("im-005 technician");
    let planner = Planner::with_estimate(&world, role, toolset, limits, Estimate::Blind).unwrap();
    let start = State::initial(&world, role);
    (planner, start)
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
    let world = Entries::of(None).get(id).unwrap();
    let role = world.domain.role_id(role).unwrap();
    let widest = ToolsetId::from(world.problem.toolsets.len() - 1);
    (world, role, widest)
}

/// With the widest tool set.
#[divan::bench(args = perspectives(), sample_count = 20)]
fn perspective(bencher: Bencher, name: &str) {
    let (world, role, toolset) = task(name);
    bencher.bench(|| plan(black_box(&world), role, toolset));
}

/// All of them, one after the other.
#[divan::bench(sample_count = 20)]
fn all_perspectives(bencher: Bencher) {
    let tasks: Vec<_> = perspectives().iter().map(|name| task(name)).collect();
    bencher.counter(ItemsCount::new(tasks.len())).bench(|| {
        for (world, role, toolset) in &tasks {
            black_box(plan(world, *role, *toolset));
        }
    });
}

/// States made per second without an estimate, until the search space is used up or a limit is hit.
#[divan::bench(sample_count = 10)]
fn blind_states(bencher: Bencher) {
    let (mut planner, start) = blind();
    planner.distance(&start);
    let generated = planner.counts().generated;
    bencher.counter(ItemsCount::new(generated)).with_inputs(blind).bench_local_values(|(mut planner, start)| {
        planner.distance(&start);
        planner
    });
}
