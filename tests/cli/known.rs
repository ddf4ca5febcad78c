//! JSON through the program, against what an independent implementation of the design gives.

use std::{collections::BTreeSet, fs};

use serde_json::Value;

use super::{fixtures, refract};

/// What the README of the cases leaves out of the comparison.
fn without_wording(mut run: Value) -> Value {
    for step in run["steps"].as_array_mut().unwrap() {
        step.as_object_mut().unwrap().remove("observation");
        for refusal in step["refusals"].as_array_mut().unwrap() {
            refusal.as_object_mut().unwrap().remove("expects");
        }
    }
    for damage in run["damage"].as_array_mut().unwrap() {
        damage.as_object_mut().unwrap().remove("message");
    }
    run
}

#[test]
fn replays_and_checks_have_the_shape_and_the_values() {
    let mut compared = 0;
    for entry in fs::read_dir(fixtures().join("worlds")).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let runs: Vec<String> = (0..4).map(|run| format!("{name}-r{run}")).collect();
        let run = |args: &[&str]| {
            let output = refract(args).args(["--format", "json", "--root"]).arg(&folder).output().unwrap();
            (serde_json::from_slice::<Value>(&output.stdout).unwrap(), output.status.code().unwrap())
        };
        let expected = |file: String| -> Value {
            serde_json::from_slice(&fs::read(folder.join("expected").join(file)).unwrap()).unwrap()
        };
        let args: Vec<&str> = ["replay"].into_iter().chain(runs.iter().map(String::as_str)).collect();
        let (ours, status) = run(&args);
        let mut diverged = false;
        for (ours, run) in ours.as_array().unwrap().iter().zip(&runs) {
            let theirs = expected(format!("{run}.replay.json"));
            diverged |= theirs["diverged"] == true;
            let (ours, theirs) = (without_wording(ours.clone()), without_wording(theirs));
            for (key, theirs) in theirs.as_object().unwrap() {
                assert_eq!(&ours[key], theirs, "{run} {key}");
            }
            compared += 1;
        }
        assert_eq!(status, i32::from(diverged), "{name}");
        let (ours, _) = run(&["check"]);
        let theirs = expected("check.json".to_owned());
        let keys = |value: &Value| -> BTreeSet<String> { value.as_object().unwrap().keys().cloned().collect() };
        assert!(keys(&ours).is_superset(&keys(&theirs)), "{name}");
        assert_eq!(ours["files"], 2, "{name}");
        for finding in ours["findings"].as_array().unwrap() {
            let wanted = ["file", "line", "column", "severity", "code", "message", "help"];
            assert_eq!(keys(finding), wanted.into_iter().map(str::to_owned).collect(), "{name}");
        }
    }
    assert_eq!(compared, 120);
}
