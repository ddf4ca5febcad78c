//! Replay: what was recorded held against what the executor does (design §4).
#![allow(clippy::unwrap_used)]

mod support;

use std::sync::Arc;

use refract::{
    run::{Log, Replay, RunView, Setup, StepKind, StepView, WorldMatch},
    world::World,
};
use serde_json::{Value, json};
use support::{table::tool, worlds};

/// `do(a, v)` sets the state of a place that is not locked; ada may, bo and cy may not.
fn world() -> Arc<World> {
    let (domain, problem) = tool(json!({
        "params": { "a": "place", "v": "val" }, "consumes": { "with": "slip(?a)" }, "produces": ["finding(?a, ?v)"],
        "capability": "hand", "knowledge": "lore",
        "precondition": ["not locked(?a)"], "effect": ["state(?a, ?v)", "near(?a, p)"],
    }))
    .and("rain", json!({ "effect": ["raining"] }))
    .init("locked(b); state(p, dry)")
    .given("slip(p)")
    .own_given("slip(b)")
    .files();
    worlds::world(&domain, &problem)
}

const HEADER: &str = r#"{"type":"run","version":1,"id":"r","domain":"d","problem":"p","role":"ada"}"#;
const CALL: &str = r#"{"type":"call","id":"c","tool":"do","args":{"a":"p","v":"wet","with":"slip(p)"}}"#;
const RAIN: &str = r#"{"type":"call","id":"c","tool":"rain","args":{}}"#;

fn replay(lines: &[&str]) -> (Log, Replay) {
    executed(Log::read(lines.join("\n").into_bytes()))
}

/// A run that still goes on, so that a call without result is no damage.
fn going_on(lines: &[&str]) -> (Log, Replay) {
    let mut log = Log::from_bytes((lines.join("\n") + "\n").into_bytes());
    log.index_some(lines.len());
    executed(log)
}

fn executed(log: Log) -> (Log, Replay) {
    let world = world();
    let header = log.header().unwrap();
    let setup = Setup::of(&header, &world).unwrap();
    let world_match = setup.matches(&header);
    let replay = Replay::whole(setup, world_match, &log);
    (log, replay)
}

fn view(lines: &[&str]) -> Value {
    let (log, replay) = replay(lines);
    serde_json::to_value(RunView::of("file", &log, Some(&replay))).unwrap()
}

#[test]
fn divergence_is_in_fired_reasons_and_diffs_alone() {
    let fired = |rest: &str| format!(r#"{{"type":"result","call":"c","fired":true,{rest}}}"#);
    let refused = |reasons: &str| format!(r#"{{"type":"result","call":"c","fired":false,"refusals":[{reasons}]}}"#);
    let locked = r#"{"type":"call","id":"c","tool":"do","args":{"a":"b","v":"wet","with":"slip(b1)"}}"#;
    let (added, removed, produced) = (
        r#""added":["near(p, p)","state(p, wet)"]"#,
        r#""removed":["state(p, dry)"]"#,
        r#""produced":["finding(p, wet)"]"#,
    );
    let right = format!("{added},{removed},{produced}");
    let both = r#"{"reason":"precondition"},{"reason":"not_produced"}"#;
    for (call, result, diverges) in [
        (CALL, fired(&right), false),
        // Wording, order, spacing and repeats within a diff are no matter.
        (CALL, fired(&format!(r#"{right},"observation":"Quite another.""#)), false),
        (CALL, fired(&format!(r#""added":["state( p,wet )","near(p, p)","near(p,p)"],{removed},{produced}"#)), false),
        (CALL, fired(&format!("{removed},{produced}")), true),
        (CALL, fired(&format!("{added},{produced}")), true),
        (CALL, fired(&format!("{added},{removed}")), true),
        (CALL, fired(&format!(r#""added":["state(p, wet)"],{removed},{produced}"#)), true),
        (CALL, fired(&format!(r#""added":["near(p, p)","state(p, wet)","raining"],{removed},{produced}"#)), true),
        (CALL, fired(&format!(r#""added":["near(p, p)","state(p, wet)","nonsense"],{removed},{produced}"#)), true),
        (CALL, fired(&format!(r#""added":["near(p, p)","state(p, wet)",7],{removed},{produced}"#)), true),
        (CALL, fired(&format!(r#"{right},"refusals":[{{"reason":"conflict"}}]"#)), true),
        (CALL, refused(""), true),
        (CALL, refused(both), true),
        // Another id: this call has no result, which is no divergence.
        (CALL, fired("\"added\":[]").replace("\"c\"", "\"x\""), false),
        (locked, refused(both), false),
        (locked, refused(r#"{"reason":"precondition","literal":"not quite"},{"reason":"not_produced"}"#), false),
        (locked, refused(r#"{"reason":"not_produced"},{"reason":"precondition"}"#), true),
        (locked, refused(r#"{"reason":"precondition"}"#), true),
        (locked, refused(&format!("{both},{}", r#"{"reason":"capability"}"#)), true),
        (locked, refused(r#"{"reason":"precondition"},{}"#), true),
        (locked, refused(""), true),
        (locked, fired(r#""added":[]"#), true),
    ] {
        let (log, replay) = replay(&[HEADER, call, &result]);
        assert_eq!(replay.steps()[0].diverges, diverges, "{result}");
        assert_eq!(replay.diverged(), diverges);
        assert_eq!(StepKind::of(&log, Some(&replay), 1) == StepKind::Diverged, diverges, "{result}");
    }
}

#[test]
fn stepping_goes_on_after_a_divergence_with_what_the_executor_did() {
    let wrong = r#"{"type":"result","call":"c","fired":false,"refusals":[{"reason":"capability","needs":"hand"}]}"#;
    let view = view(&[HEADER, CALL, wrong, RAIN, r#"{"type":"result","call":"c","fired":true,"added":["raining"]}"#]);
    assert_eq!(view["diverged"], true);
    assert_eq!([&view["steps"][0]["diverges"], &view["steps"][1]["diverges"]], [&json!(true), &json!(false)]);
    assert_eq!(view["steps"][0]["fired"], true);
    assert_eq!(view["final"]["facts"], json!(["holder(t, bo)", "locked(b)", "near(p, p)", "raining", "state(p, wet)"]));
    assert_eq!(view["final"]["produced"], json!(["finding(p, wet)", "slip(b)", "slip(p)"]));
}

#[test]
fn a_step_in_full() {
    let view = view(&[
        &HEADER.replace("ada", "bo"),
        r#"{"type":"call","id":"c","tool":"do","args":{"v":"wet","a":"b","with":"slip(b)"}}"#,
        CALL,
    ]);
    let reason = |reason: &str, needs: &str| json!({ "reason": reason, "needs": needs });
    assert_eq!(
        view["steps"][0],
        json!({
            "step": 1, "call": "c", "tool": "do", "args": { "v": "wet", "a": "b", "with": "slip(b)" }, "fired": false,
            "over_budget": false,
            "refusals": [
                { "reason": "precondition", "literal": "not locked(b)" },
                // Only ada was given it.
                { "reason": "not_produced", "argument": "with", "value": "slip(b)", "expects": "slip(b)", "matches": true },
                reason("capability", "hand"), reason("knowledge", "lore"),
            ],
            "added": [], "removed": [], "produced": [], "observation": "This user may not do that.",
            "goal": { "held": 0, "of": 1 }, "diverges": false,
        })
    );
    for (key, value) in [
        ("run", json!("r")),
        ("problem", json!("p")),
        ("role", json!("bo")),
        ("toolset", json!("set")),
        ("agent", Value::Null),
        ("budget", json!(100)),
        ("end", Value::Null),
        ("problem_budget", json!(100)),
        ("world", json!("same")),
        ("executed", json!(true)),
        ("diverged", json!(false)),
    ] {
        assert_eq!(view[key], value, "{key}");
    }
}

#[test]
fn the_budget_of_the_log_rules() {
    let header = HEADER.replace(r#""role""#, r#""budget":1,"role""#);
    let nothing = r#"{"type":"result","call":"c","fired":false}"#;
    let lines =
        [&header, CALL, RAIN, nothing, RAIN, r#"{"type":"result","call":"c","fired":true,"added":["raining"]}"#];
    let (_, replay) = replay(&lines);
    let view = view(&lines);
    assert_eq!((&view["budget"], &view["problem_budget"]), (&json!(1), &json!(100)));
    assert_eq!(view["steps"][1]["over_budget"], true);
    assert_eq!(view["steps"][1]["fired"], false);
    assert_eq!(view["steps"][1]["refusals"], json!([]));
    // Nothing was executed, so a log that says it fired is wrong; and the state stays.
    assert_eq!((&view["steps"][1]["diverges"], &view["steps"][0]["diverges"]), (&json!(true), &json!(true)));
    assert!(!view["final"]["facts"].as_array().unwrap().contains(&json!("raining")));
    assert_eq!(replay.calls(), 1);
}

#[test]
fn a_call_beyond_the_budget_has_a_kind_of_its_own() {
    let (log, replay) =
        going_on(&[&HEADER.replace(r#""role""#, r#""budget":1,"role""#), CALL, &RAIN.replace("\"c\"", "\"d\"")]);
    let kinds: Vec<StepKind> = (1..=2).map(|step| StepKind::of(&log, Some(&replay), step)).collect();
    assert_eq!(kinds, [StepKind::Fired, StepKind::OverBudget]);
}

#[test]
fn digests_tell_a_changed_world() {
    let world = world();
    for (domain, problem, expected) in [
        (None, None, WorldMatch::Same),
        (Some(world.domain.digest.clone()), Some(world.problem.digest.clone()), WorldMatch::Same),
        (Some(world.domain.digest.to_uppercase()), None, WorldMatch::Same),
        (Some("0".repeat(64)), None, WorldMatch::Changed),
        (None, Some(String::new()), WorldMatch::Changed),
    ] {
        let mut header: Value = serde_json::from_str(HEADER).unwrap();
        for (key, digest) in [("domain_digest", domain), ("problem_digest", problem)] {
            if let Some(digest) = digest {
                header[key] = digest.into();
            }
        }
        let (_, replay) = replay(&[&header.to_string(), RAIN]);
        assert_eq!(replay.world_match, expected);
        assert_eq!(replay.steps().len(), 1, "a changed world executes all the same");
    }
}

#[test]
fn a_run_needs_names_that_are_known_here() {
    let world = world();
    let why = |header: &str| {
        let log = Log::read(header.as_bytes().to_vec());
        Setup::of(&log.header().unwrap_or_default(), &world).map(|setup| setup.budget)
    };
    assert_eq!(why(HEADER), Ok(100));
    assert_eq!(why(&HEADER.replace("ada", "zoe")), Err("the domain has no role 'zoe'".to_owned()));
    assert_eq!(why(&HEADER.replace(r#","role":"ada""#, "")), Err("the log names no role".to_owned()));
    assert_eq!(why(&HEADER.replace("}", r#","toolset":"wide"}"#)), Err("the entry has no tool set 'wide'".to_owned()));
    assert_eq!(why(&HEADER.replace("}", r#","budget":99999999999}"#)), Ok(u32::MAX));
    assert_eq!(why(RAIN), Err("the log names no role".to_owned()));
}

#[test]
fn a_role_without_a_perspective_has_no_goal() {
    let view = view(&[&HEADER.replace("ada", "cy"), RAIN]);
    assert_eq!(view["steps"][0]["goal"], Value::Null);
    assert_eq!(view["steps"][0]["fired"], true);
    assert_eq!(view["final"]["produced"], json!(["slip(p)"]));
}

#[test]
fn without_a_world_a_run_opens_on_what_was_recorded() {
    let result = r#"{"type":"result","call":"c","fired":false,"observation":"No.","refusals":[{"reason":"odd","x":[1]},{"reason":"knowledge","needs":"lore"}],"produced":["b","a"]}"#;
    let lines = [HEADER, CALL, result, RAIN, "{\"type\":\"end\",\"reason\":\"stopped\"}"].join("\n");
    let log = Log::read(lines.into_bytes());
    let view = serde_json::to_value(RunView::of("file", &log, None)).unwrap();
    for (key, value) in [
        ("world", json!("missing")),
        ("executed", json!(false)),
        ("diverged", json!(false)),
        ("final", Value::Null),
        ("end", json!("stopped")),
        ("role", json!("ada")),
        ("problem_budget", Value::Null),
    ] {
        assert_eq!(view[key], value, "{key}");
    }
    let step = &view["steps"][0];
    assert_eq!(step["refusals"], json!([{ "reason": "odd", "x": [1] }, { "reason": "knowledge", "needs": "lore" }]));
    assert_eq!(
        (&step["produced"], &step["observation"], &step["goal"]),
        (&json!(["a", "b"]), &json!("No."), &Value::Null)
    );
    assert_eq!(StepKind::of(&log, None, 1), StepKind::Knowledge);
    assert_eq!(StepKind::of(&log, None, 2), StepKind::Damaged, "no result");
    assert!(StepView::of(&log, None, 3).is_none() && StepView::of(&log, None, 0).is_none());
}

#[test]
fn a_kind_for_every_step() {
    let call = |tool: &str, args: &str| format!(r#"{{"type":"call","id":"c","tool":{tool},"args":{args}}}"#);
    let good = r#"{"a":"p","v":"dry","with":"slip(p)"}"#;
    for (role, call, kind) in [
        ("ada", RAIN.to_owned(), StepKind::Fired),
        ("ada", CALL.to_owned(), StepKind::Fired),
        ("ada", call("\"do\"", r#"{"a":"b","v":"dry","with":"slip(b)"}"#), StepKind::Condition),
        ("ada", call("\"do\"", r#"{"a":"b","v":"dry","with":"slip(b1)"}"#), StepKind::Input),
        ("ada", call("\"do\"", r#"{"a":"b","with":"slip(b1)"}"#), StepKind::BadCall),
        ("ada", call("\"do\"", "7"), StepKind::BadCall),
        ("ada", call("\"dont\"", good), StepKind::BadCall),
        ("ada", call("{}", good), StepKind::BadCall),
        ("bo", call("\"do\"", good), StepKind::Both),
        // The gate comes first: an attempt counts, whatever else fails.
        ("cy", call("\"do\"", "7"), StepKind::Both),
    ] {
        let (log, replay) = going_on(&[&HEADER.replace("ada", role), &call]);
        assert_eq!(StepKind::of(&log, Some(&replay), 1), kind, "{role} {call}");
    }
    for (reasons, kind, violation) in [
        (&["capability"][..], StepKind::Capability, true),
        (&["precondition", "knowledge"], StepKind::Knowledge, true),
        (&["bad_argument", "capability", "knowledge"], StepKind::Both, true),
        (&["not_offered", "capability"], StepKind::BadCall, false),
        (&["precondition", "not_produced", "conflict"], StepKind::Input, false),
        (&["precondition", "conflict"], StepKind::Condition, false),
        (&["conflict"], StepKind::Condition, false),
    ] {
        assert_eq!(StepKind::of_reasons(reasons.iter().copied()), kind);
        assert_eq!((kind.is_violation(), kind.is_refusal()), (violation, true));
    }
}
