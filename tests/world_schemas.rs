//! The schemas are current, accept what loads, and refuse what has another shape.
#![allow(clippy::unwrap_used)]

use std::{fs, path::Path};

use refract::world::{Format, schema};
use serde_json::{Value, json};

const SMALL_DOMAIN: &str = include_str!("fixtures/small/domain/plant.json");
const SMALL_PROBLEM: &str = include_str!("fixtures/small/problems/p1.json");

#[test]
fn checked_in_schemas_are_current() {
    for (name, format) in [("domain", Format::Domain), ("problem", Format::Problem)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("schemas/{name}.json"));
        let current = serde_json::to_string_pretty(&schema(format)).unwrap() + "\n";
        let stale = format!("stale: run `refract schema {name} > schemas/{name}.json`");
        assert!(fs::read_to_string(path).unwrap() == current, "{stale}");
    }
}

fn validator(format: Format) -> jsonschema::Validator {
    jsonschema::validator_for(&schema(format)).unwrap()
}

fn folder(name: &str) -> Vec<Value> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/worlds");
    let mut values = Vec::new();
    for world in fs::read_dir(root).unwrap() {
        for file in fs::read_dir(world.unwrap().path().join(name)).unwrap() {
            values.push(serde_json::from_str(&fs::read_to_string(file.unwrap().path()).unwrap()).unwrap());
        }
    }
    values
}

#[test]
fn valid_files_are_accepted() {
    let (domains, problems) = (validator(Format::Domain), validator(Format::Problem));
    let folder_domains = folder("domain");
    assert_eq!(folder_domains.len(), 30);
    for mut domain in folder_domains {
        // These worlds leave out the doc of a source, which the format asks for.
        for source in domain["sources"].as_object_mut().unwrap().values_mut() {
            source.as_object_mut().unwrap().entry("doc").or_insert_with(|| json!(""));
        }
        assert!(domains.is_valid(&domain), "{}", domain["name"]);
    }
    for problem in folder("problems") {
        assert!(problems.is_valid(&problem), "{}", problem["id"]);
    }
    assert!(domains.is_valid(&serde_json::from_str(SMALL_DOMAIN).unwrap()));
    assert!(problems.is_valid(&serde_json::from_str(SMALL_PROBLEM).unwrap()));
}

/// Each value is put at its place (`null` removes the key) and must make the file invalid.
fn refused(format: Format, text: &str, cases: &[(&str, Value)]) {
    let validator = validator(format);
    for (pointer, value) in cases {
        let mut file: Value = serde_json::from_str(text).unwrap();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        match file.pointer_mut(parent).unwrap() {
            Value::Object(object) if value.is_null() => assert!(object.remove(key).is_some(), "{pointer}"),
            Value::Object(object) => _ = object.insert(key.to_owned(), value.clone()),
            Value::Array(array) => array[key.parse::<usize>().unwrap()] = value.clone(),
            _ => panic!("{pointer}"),
        }
        assert!(!validator.is_valid(&file), "{pointer} = {value}");
    }
}

#[test]
fn other_shapes_are_refused() {
    let required = |keys: &[&str]| keys.iter().map(|key| (format!("/{key}"), Value::Null)).collect::<Vec<_>>();
    let all = required(&["version", "name", "types", "predicates", "tools", "roles", "taxonomy"]);
    refused(Format::Domain, SMALL_DOMAIN, &all.iter().map(|(k, v)| (k.as_str(), v.clone())).collect::<Vec<_>>());
    let all = required(&["version", "id", "domain", "query", "objects", "init", "toolsets", "budget", "perspectives"]);
    refused(Format::Problem, SMALL_PROBLEM, &all.iter().map(|(k, v)| (k.as_str(), v.clone())).collect::<Vec<_>>());
    refused(
        Format::Domain,
        SMALL_DOMAIN,
        &[
            ("/colour", json!("red")),
            ("/version", json!(2)),
            ("/types/a b", json!("object")),
            ("/tools/replace/doc", Value::Null),
            ("/tools/replace/class", Value::Null),
            ("/tools/replace/capability", json!([])),
            ("/tools/replace/precondition/0", json!("s()")),
            ("/tools/replace/precondition/0", json!("s(? x)")),
            ("/tools/replace/effect/0", json!(3)),
            ("/tools/replace/effect/0", json!({ "when": [] })),
            ("/tools/replace/consumes/order", json!("not work_order(?asset)")),
            ("/sources/manual/doc", Value::Null),
            ("/roles/operator/knowledge", Value::Null),
            ("/predicates/status/functional", json!("yes")),
        ],
    );
    refused(
        Format::Problem,
        SMALL_PROBLEM,
        &[
            ("/colour", json!("red")),
            ("/budget", json!(0)),
            ("/budget", json!(1.5)),
            ("/init/0", json!("isolated(?x)")),
            ("/toolsets/wide", json!("every")),
            ("/perspectives/operator/goal", json!([])),
            ("/perspectives/operator/goal", json!({ "any": [[]] })),
            ("/perspectives/operator/goal", json!({ "all": [["drained"]] })),
            ("/perspectives/operator/persona", Value::Null),
            ("/perspectives/operator/reference", json!([])),
            ("/perspectives/operator/reference/0", json!({ "tool": "hand_over" })),
            ("/perspectives/operator/reference/0", json!({ "tool": "hand_over", "args": [] })),
        ],
    );
}
