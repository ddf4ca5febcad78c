//! The logs of an independent implementation: the same damage, the same outcomes, the same schema.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use refract::run::{self, Log, RowKind};
use serde_json::Value;

fn worlds() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/worlds")
}

/// Each run of the cases with what `replay` gives for it.
fn cases() -> Vec<(String, Log, Value)> {
    let found = run::find(&worlds());
    assert!(found.unreadable.is_empty(), "{:?}", found.unreadable);
    assert_eq!(found.runs.len(), 120);
    let case = |run: run::RunSource| {
        let expected = run.path.parent().unwrap().with_file_name("expected").join(format!("{}.replay.json", run.name));
        (run.name.clone(), run.open().unwrap(), serde_json::from_slice(&std::fs::read(expected).unwrap()).unwrap())
    };
    found.runs.into_iter().map(case).collect()
}

#[test]
fn the_damaged_lines_agree() {
    let mut damaged = 0;
    for (name, log, replay) in cases() {
        let expected: BTreeSet<u64> =
            replay["damage"].as_array().unwrap().iter().map(|d| d["line"].as_u64().unwrap()).collect();
        let found: BTreeSet<u64> = log.damage().map(|d| d.line as u64).collect();
        assert_eq!(found, expected, "{name}: {:?}", log.damage().collect::<Vec<_>>());
        damaged += expected.len();
    }
    assert!(damaged > 20);
}

#[test]
fn headers_calls_and_ends_agree() {
    for (name, log, replay) in cases() {
        let header = log.header().unwrap();
        for (key, value) in
            [("run", header.id), ("problem", header.problem), ("role", header.role), ("toolset", header.toolset)]
        {
            assert_eq!(value.as_deref(), replay[key].as_str(), "{name} {key}");
        }
        assert_eq!(header.budget, replay["budget"].as_u64(), "{name}");
        assert_eq!(log.end_reason().as_deref(), replay["end"].as_str(), "{name}");
        let steps = replay["steps"].as_array().unwrap();
        assert_eq!(log.steps(), steps.len(), "{name}");
        for (step, expected) in (1..).zip(steps) {
            let call = log.call(log.call_of(step).unwrap()).unwrap();
            let json = |raw: refract::exec::Raw| serde_json::from_str::<Value>(raw.get()).unwrap();
            assert_eq!(call.id.as_deref(), expected["call"].as_str(), "{name} {step}");
            assert_eq!(json(call.tool), expected["tool"], "{name} {step}");
            assert_eq!(json(call.args), expected["args"], "{name} {step}");
            // What does not diverge was recorded as it was executed again.
            if let (Some(recorded), Some(false)) = (log.recorded(step), expected["diverges"].as_bool()) {
                assert_eq!(recorded.fired, expected["fired"].as_bool(), "{name} {step}");
                let texts = |key: &str| -> Vec<&str> {
                    expected[key].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect()
                };
                assert_eq!(recorded.added, texts("added"), "{name} {step}");
                assert_eq!(recorded.removed, texts("removed"), "{name} {step}");
                assert_eq!(recorded.produced, texts("produced"), "{name} {step}");
            }
        }
    }
}

#[test]
fn the_schema_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas/run.json");
    let schema = serde_json::to_string_pretty(&run::schema()).unwrap() + "\n";
    let checked_in = std::fs::read_to_string(&path).unwrap_or_default();
    if checked_in != schema && std::env::var_os("UPDATE_SCHEMAS").is_some() {
        std::fs::write(&path, &schema).unwrap();
    }
    assert!(checked_in == schema, "schemas/run.json is stale: run the tests with UPDATE_SCHEMAS=1");
}

#[test]
fn the_schema_takes_every_undamaged_line() {
    let schema = jsonschema::validator_for(&run::schema()).unwrap();
    let mut lines = 0;
    for (name, log, _) in cases() {
        for row in log.row_ids() {
            let value: Value = serde_json::from_slice(log.raw(row)).unwrap();
            assert!(schema.is_valid(&value), "{name}: {value}");
            lines += 1;
        }
    }
    assert!(lines > 900);
}

/// The schema and the reader see the same faults in one event.
#[test]
fn the_schema_refuses_what_the_reader_calls_damage() {
    let schema = jsonschema::validator_for(&run::schema()).unwrap();
    #[track_caller]
    fn check(schema: &jsonschema::Validator, line: &str, right: bool) {
        let value: Value = serde_json::from_str(line).unwrap();
        assert_eq!(schema.is_valid(&value), right, "schema: {line}");
        let log = Log::read(line.as_bytes().to_vec());
        let row = log.row_ids().next().unwrap();
        let unpaired = matches!(log.rows()[0].kind, RowKind::Call | RowKind::Result);
        assert_eq!(log.damage_of(row).len() == usize::from(unpaired), right, "reader: {line}");
    }
    let check = |line, right| check(&schema, line, right);
    check(r#"{"type":"run","version":1,"id":"r","domain":"d","problem":"p","role":"a","mood":1}"#, true);
    check(
        r#"{"type":"run","version":1,"id":"r","domain":"d","problem":"p","role":"a","parent":{"run":"q","step":0}}"#,
        true,
    );
    check(r#"{"type":"run","version":1,"id":"r","domain":"d","problem":"p"}"#, false);
    check(r#"{"type":"run","version":2,"id":"r","domain":"d","problem":"p","role":"a"}"#, false);
    check(r#"{"type":"run","version":1,"id":"r","domain":"d","problem":"p","role":"a","budget":-1}"#, false);
    check(r#"{"type":"run","version":1,"id":"r","domain":"d","problem":"p","role":"a","parent":{"run":"q"}}"#, false);
    check(r#"{"type":"message","from":"agent","text":"x","reasoning":true}"#, true);
    check(r#"{"type":"message","from":"robot","text":"x"}"#, false);
    check(r#"{"type":"message","from":"agent"}"#, false);
    check(r#"{"type":"call","id":"c","tool":null}"#, true);
    check(r#"{"type":"result","call":"c","fired":true}"#, true);
    check(r#"{"type":"result","call":"c","fired":false,"refusals":[{"reason":"capability","needs":"x"}]}"#, true);
    check(r#"{"type":"note","kind":"usage","data":{"tokens":5}}"#, true);
    check(r#"{"type":"note"}"#, false);
    check(r#"{"type":"end","reason":"finished"}"#, true);
    check(r#"{"type":"end","reason":"bored"}"#, false);
    check(r#"{"type":"begin"}"#, false);
}
