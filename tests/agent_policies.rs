//! Agents that need no model, on the whole benchmark: what each is known by.
#![allow(clippy::unwrap_used)]

use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use refract::{
    agent::{Cell, Matrix, Session, Terms, play, policy::Policy},
    exec::{Feedback, Request},
    plan::{Limits, Planners},
    run::{Agent, Log, Replay, Setup, WorldMatch, Writer},
    score::{Deferral, Scored, Ways},
    world::{Library, RoleId, ToolsetId, World},
};

/// Loaded and planned for once, for all tests.
fn shared() -> &'static (Library, Planners) {
    static SHARED: OnceLock<(Library, Planners)> = OnceLock::new();
    SHARED.get_or_init(|| (Library::embedded(), Planners::new(Limits::default())))
}

fn matrix(policy: Policy, repeat: u32) -> Matrix {
    let mut chosen: Vec<(Arc<World>, RoleId, ToolsetId)> = Vec::new();
    for world in shared().0.worlds.values() {
        for &role in world.problem.perspectives.keys() {
            chosen.extend((0..world.problem.toolsets.len()).map(|set| (world.clone(), role, ToolsetId::from(set))));
        }
    }
    let agent = Agent { name: Some(format!("policy:{policy}")), model: None };
    let terms = Terms { agent, settings: serde_json::Value::Null, budget: None, feedback: Feedback::Hidden, seed: 7 };
    Matrix::of(terms, &chosen, repeat)
}

/// The log of an episode.
fn log(policy: Policy, cell: &Cell) -> Vec<u8> {
    let mut bytes = Vec::new();
    let header = cell.header(Agent::default(), "2026-11-30T09:14:02Z");
    let session = Session::begin(cell.world.clone(), cell.terms, header, Writer::new(&mut bytes)).unwrap();
    play(session, policy.agent(cell).as_mut(), |_| {}, || false).unwrap();
    bytes
}

/// The episodes of a policy, scored as any run is.
fn scores(policy: Policy) -> Vec<Scored> {
    let score = |cell: &Cell| {
        let log = Log::read(log(policy, cell));
        assert_eq!(log.damage_count(), 0);
        let header = log.header().unwrap();
        let setup = Setup::of(&header, &cell.world).unwrap();
        let replay = Replay::whole(setup, WorldMatch::Same, &log);
        assert!(!replay.diverged());
        let ways = Ways::by(&shared().1, &log, &replay);
        Scored::of("", header, &log, &replay, ways).unwrap()
    };
    let cells = matrix(policy, 1).cells;
    assert_eq!(cells.len(), 42 * 3);
    cells.par_iter().map(score).collect()
}

fn solved(scores: &[Scored]) -> usize {
    scores.iter().filter(|run| run.score.solved).count()
}

fn over_reach(scores: &[Scored]) -> usize {
    scores.iter().map(|run| run.score.over_reach.attempts as usize).sum()
}

fn deferrals(run: &Scored) -> usize {
    let withheld = &run.ways.as_ref().unwrap().withheld;
    withheld.iter().filter(|withheld| withheld.deferral == Deferral::Routed).count()
}

fn under_reach(scores: &[Scored]) -> usize {
    scores.iter().map(deferrals).sum()
}

#[test]
fn the_reference_and_the_planner_solve_everything() {
    for policy in [Policy::Reference, Policy::Planner] {
        let scores = scores(policy);
        assert_eq!((solved(&scores), over_reach(&scores), under_reach(&scores)), (scores.len(), 0, 0), "{policy}");
    }
}

#[test]
fn the_cautious_under_reaches_and_never_over_reaches() {
    let scores = scores(Policy::Cautious);
    assert_eq!(over_reach(&scores), 0);
    let deferring = scores.iter().filter(|run| deferrals(run) > 0).count();
    assert!(2 * deferring > scores.len(), "{deferring} of {} runs", scores.len());
}

#[test]
fn the_overreaching_over_reaches() {
    let scores = scores(Policy::Overreaching);
    let violating = scores.iter().filter(|run| run.score.over_reach.attempts > 0).count();
    assert!(4 * violating > scores.len(), "{violating} of {} runs", scores.len());
    // It goes on in persona, so that what it tried costs it no goal but calls.
    assert!(scores.iter().filter(|run| run.score.complete).count() > scores.len() / 2);
}

#[test]
fn random_calls_are_well_formed() {
    let mut calls = 0;
    for cell in &matrix(Policy::Random, 1).cells {
        let log = Log::read(log(Policy::Random, cell));
        assert_eq!(log.steps(), cell.world.problem.budget as usize);
        for step in 1..=log.steps() {
            let call = log.call(log.call_of(step).unwrap()).unwrap();
            let request = Request::of(&cell.world, call.tool, call.args);
            let Request::Call(call) = request else { panic!("{request:?}") };
            assert!(cell.world.problem.toolsets[cell.terms.toolset.index()].tools.contains(&call.tool));
            calls += 1;
        }
    }
    assert!(calls > 1000, "{calls}");
}

/// Nothing of it is replaced at 0, everything at 1.
#[test]
fn uniform_goes_from_planned_to_drawn() {
    let [none, half, all] = [0.0, 0.5, 1.0].map(|share| scores(Policy::Uniform(share)));
    assert_eq!(solved(&none), none.len());
    assert!(over_reach(&none) < over_reach(&half) && over_reach(&half) < over_reach(&all));
    assert!(solved(&half) < solved(&none) && solved(&all) < solved(&half));
}

#[test]
fn a_seed_decides_an_episode() {
    for policy in [Policy::Random, Policy::Uniform(0.5), Policy::Cautious, Policy::Overreaching, Policy::Planner] {
        let cells = matrix(policy, 2).cells;
        let chosen: Vec<&Cell> = cells.iter().step_by(17).collect();
        for cell in &chosen {
            assert_eq!(log(policy, cell), log(policy, cell), "{policy} {}", cell.name());
        }
        let [first, second] = [&cells[0], &cells[1]];
        assert_eq!((first.seed, second.seed), (7, 8));
        assert_ne!(first.digest, second.digest);
    }
    let cells = matrix(Policy::Random, 2).cells;
    let calls = |cell| String::from_utf8(log(Policy::Random, cell)).unwrap().split_once('\n').unwrap().1.to_owned();
    assert_ne!(calls(&cells[0]), calls(&cells[1]));
}

#[test]
fn policies_are_known_by_their_names() {
    for name in ["reference", "planner", "random", "cautious", "overreaching", "uniform:0", "uniform:0.25", "uniform:1"]
    {
        assert_eq!(Policy::named(name).unwrap().to_string(), name);
    }
    for wrong in ["", "uniform", "uniform:", "uniform:1.5", "uniform:-0.1", "uniform:NaN", "uniform:x", "Random"] {
        assert_eq!(Policy::named(wrong), None, "{wrong}");
    }
}
