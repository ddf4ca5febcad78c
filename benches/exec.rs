//! How fast the core is: loading, calls, replay. `cargo bench --bench exec`.
#![allow(clippy::unwrap_used)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::{hint::black_box, sync::Arc};

use divan::{Bencher, counter::BytesCount, counter::ItemsCount};
use refract::{
    exec::{Outcome, Request, State, step},
    run::{Log, Replay, Setup, WorldMatch, Writer},
    world::{Library, RoleId, ToolsetId, World},
};
use support::wander::Wanderer;

fn main() {
    divan::main();
}

fn first_world() -> Arc<World> {
    Library::embedded().worlds[0].clone()
}

mod load {
    use super::*;

    fn texts() -> (Vec<String>, BytesCount) {
        let texts: Vec<String> = Library::embedded().files.iter().map(|file| file.text.clone()).collect();
        let bytes = texts.iter().map(String::len).sum::<usize>();
        (texts, BytesCount::new(bytes))
    }

    /// The benchmark that comes with the program, from its texts to what runs are executed in.
    #[divan::bench]
    fn benchmark(bencher: Bencher) {
        bencher.counter(texts().1).bench(Library::embedded);
    }

    /// What merely parsing the same texts costs.
    #[divan::bench]
    fn serde_json_value(bencher: Bencher) {
        let (texts, bytes) = texts();
        bencher.counter(bytes).bench(|| {
            texts.iter().map(|text| serde_json::from_str::<serde_json::Value>(text).unwrap()).collect::<Vec<_>>()
        });
    }
}

/// Calls in the states in which they were made.
struct Calls {
    world: Arc<World>,
    role: RoleId,
    toolset: ToolsetId,
    calls: Vec<(State, Request)>,
    texts: Vec<(String, String)>,
}

const CALLS: usize = 1000;

/// A run of the last tool set, by a role that has a perspective.
fn calls(keep: impl Fn(&Outcome) -> bool) -> Calls {
    let world = first_world();
    let role = *world.problem.perspectives.get_index(0).unwrap().0;
    let toolset = ToolsetId::from(world.problem.toolsets.len() - 1);
    let start = State::initial(&world, role);
    let mut wanderer = Wanderer::new(world.clone(), role, toolset, None, 1);
    let (mut calls, mut texts) = (Vec::new(), Vec::new());
    for drawn in 0.. {
        // A world where all is done has nothing left to change.
        if drawn % 200 == 0 {
            wanderer.episode.state = start.clone();
        }
        let (tool, args) = wanderer.draw();
        let request = Request::resolve(&world, &tool, &args);
        let before = wanderer.episode.state.clone();
        if keep(&step(&world, role, toolset, &before, &request)) {
            calls.push((before, request.clone()));
            texts.push((tool, args));
        }
        if calls.len() == CALLS {
            break;
        }
        wanderer.episode.request(&request);
    }
    Calls { world, role, toolset, calls, texts }
}

mod call {
    use super::*;

    fn run(bencher: Bencher, keep: impl Fn(&Outcome) -> bool) {
        let Calls { world, role, toolset, calls, .. } = calls(keep);
        bencher.counter(ItemsCount::new(CALLS)).bench_local(|| {
            for (state, request) in &calls {
                black_box(step(&world, role, toolset, black_box(state), black_box(request)));
            }
        });
    }

    /// As they come: most are refused.
    #[divan::bench]
    fn any(bencher: Bencher) {
        run(bencher, |_| true);
    }

    /// Those that fire.
    #[divan::bench]
    fn fired(bencher: Bencher) {
        run(bencher, |outcome| matches!(outcome, Outcome::Fired(_)));
    }

    /// Those that fire and change something, applied.
    #[divan::bench]
    fn fired_and_applied(bencher: Bencher) {
        let Calls { world, role, toolset, calls, .. } =
            calls(|outcome| matches!(outcome, Outcome::Fired(changes) if !changes.is_empty()));
        bencher.counter(ItemsCount::new(CALLS)).bench_local(|| {
            for (state, request) in &calls {
                let mut after = state.clone();
                if let Outcome::Fired(changes) = step(&world, role, toolset, state, request) {
                    changes.apply(&mut after);
                }
                black_box(after);
            }
        });
    }

    /// From the texts that an agent sends to a resolved call.
    #[divan::bench]
    fn resolve(bencher: Bencher) {
        let Calls { world, texts, .. } = calls(|_| true);
        bencher.counter(ItemsCount::new(CALLS)).bench_local(|| {
            for (tool, args) in &texts {
                black_box(Request::resolve(&world, tool, args));
            }
        });
    }
}

mod replay {
    use super::*;

    const STEPS: usize = 10_000;

    fn log() -> (Arc<World>, Vec<u8>) {
        let world = first_world();
        let role = *world.problem.perspectives.get_index(0).unwrap().0;
        let toolset = ToolsetId::from(world.problem.toolsets.len() - 1);
        let mut wanderer = Wanderer::new(world.clone(), role, toolset, Some(u32::MAX), 1);
        let mut writer = Writer::new(Vec::new());
        wanderer.begin(&mut writer).unwrap();
        for number in 1..=STEPS {
            wanderer.step(&mut writer, format!("c{number}")).unwrap();
        }
        wanderer.end(&mut writer).unwrap();
        (world, writer.into_inner())
    }

    /// From bytes to the end state: indexing, execution, comparison with what was recorded.
    #[divan::bench]
    fn from_bytes(bencher: Bencher) {
        let (world, bytes) = log();
        bencher
            .counter(ItemsCount::new(STEPS))
            .counter(BytesCount::new(bytes.len()))
            .with_inputs(|| bytes.clone())
            .bench_local_values(|bytes| {
                let log = Log::read(bytes);
                let setup = Setup::of(&log.header().unwrap(), &world).unwrap();
                let replay = Replay::whole(setup, WorldMatch::Same, &log);
                assert!(!replay.diverged());
                (log, replay)
            });
    }

    /// What merely parsing every line costs.
    #[divan::bench]
    fn serde_json_value(bencher: Bencher) {
        let (_, bytes) = log();
        let text = String::from_utf8(bytes).unwrap();
        bencher.counter(ItemsCount::new(STEPS)).counter(BytesCount::new(text.len())).bench_local(|| {
            text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()).collect::<Vec<_>>()
        });
    }
}
