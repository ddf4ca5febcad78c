//! The worlds of `tests/fixtures/worlds`, with what an independent implementation of the design gives.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;

use refract::{
    check::{check_domain, check_entry, check_objects},
    run::RunView,
    world::{Diagnostic, Severity},
};
use serde_json::Value;
use support::known::cases;

/// What the README of the cases leaves out of the comparison.
fn without_wording(mut value: Value) -> Value {
    for step in value["steps"].as_array_mut().unwrap() {
        step.as_object_mut().unwrap().remove("observation");
        for refusal in step["refusals"].as_array_mut().unwrap() {
            refusal.as_object_mut().unwrap().remove("expects");
        }
    }
    for damage in value["damage"].as_array_mut().unwrap() {
        damage.as_object_mut().unwrap().remove("message");
    }
    value
}

#[test]
fn every_replay_agrees() {
    let (mut runs, mut wrong) = (0, Vec::new());
    for case in cases() {
        for (name, log, replay) in case.replays() {
            let ours: Value =
                serde_json::from_str(&serde_json::to_string(&RunView::of(&name, &log, Some(&replay))).unwrap())
                    .unwrap();
            let theirs = case.expected(&format!("{name}.replay.json"));
            let (ours, theirs) = (without_wording(ours), without_wording(theirs));
            for (key, theirs) in theirs.as_object().unwrap() {
                if &ours[key] != theirs {
                    wrong.push(format!("{name} {key}:\n  ours   {}\n  theirs {theirs}", ours[key]));
                }
            }
            runs += 1;
        }
    }
    assert_eq!(runs, 120);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

type Finding = (String, String, u64);

#[test]
fn every_check_agrees() {
    let mut wrong = Vec::new();
    for case in cases() {
        let mut ours: Vec<Diagnostic> = check_domain(&case.world.domain);
        ours.extend(check_entry(&case.world));
        ours.extend(check_objects(&case.world));
        let expected = case.expected("check.json");
        let ours: BTreeSet<Finding> = ours
            .iter()
            .map(|f| {
                let severity = if f.severity == Severity::Error { "error" } else { "warning" };
                (f.code.to_owned(), severity.to_owned(), f.file.position(f.span.start).line as u64)
            })
            .collect();
        let theirs: BTreeSet<Finding> = expected["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|f| {
                let text = |key: &str| f[key].as_str().unwrap().to_owned();
                (text("code"), text("severity"), f["line"].as_u64().unwrap())
            })
            .collect();
        for finding in theirs.difference(&ours) {
            wrong.push(format!("{} missing {finding:?}", case.name));
        }
        for finding in ours.difference(&theirs) {
            wrong.push(format!("{} too many {finding:?}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
