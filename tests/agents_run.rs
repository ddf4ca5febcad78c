//! `refract run` with agents that are not policies: nothing that is written holds a key, and what broke
//! off is played again.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::stub::{Reply, Stub};

const KEY: &str = "sk-proj-0a1b2c3d4e5f";

fn run(agent: &str, url: &str, out: &Path) -> std::process::Output {
    assert_cmd::Command::cargo_bin("refract")
        .unwrap()
        .env("REFRACT_TEST_KEY", KEY)
        .args(["run", "--agent", agent, "--base-url", url, "--key-env", "REFRACT_TEST_KEY", "--retries", "0"])
        .args(["--problems", "im-001", "--roles", "operator", "--toolsets", "narrow", "--out"])
        .arg(out)
        .output()
        .unwrap()
}

/// The texts of all files of a folder, by name.
fn files(folder: &Path) -> Vec<(String, String)> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| (path.display().to_string(), String::from_utf8(fs::read(path).unwrap()).unwrap())).collect()
}

fn ends(folder: &Path) -> Vec<Value> {
    let logs = files(folder).into_iter().filter(|(name, _)| name.ends_with(".jsonl"));
    logs.map(|(_, log)| serde_json::from_str::<Value>(log.lines().last().unwrap()).unwrap()["reason"].clone()).collect()
}

#[test]
fn a_key_is_in_nothing_that_is_written_and_what_broke_off_is_played_again() {
    let echo = format!("Incorrect API key provided: {KEY}. You sent: Bearer {KEY}");
    let refused = Reply::status(401, json!({ "error": { "message": echo } }));
    let openai = json!({ "choices": [{ "message": { "content": format!("I have {KEY}") }, "finish_reason": "stop" }] });
    let anthropic =
        json!({ "content": [{ "type": "text", "text": format!("I have {KEY}") }], "stop_reason": "end_turn" });
    for (agent, answer) in [("openai:m", openai), ("anthropic:m", anthropic)] {
        let stub = Stub::of([refused.clone(), Reply::json(answer)]);
        let folder = tempfile::tempdir().unwrap();
        for end in ["error", "finished", "finished"] {
            let output = run(agent, &stub.url, folder.path());
            assert_eq!(ends(folder.path()), [end]);
            let mut written = files(folder.path());
            written.push(("stdout".to_owned(), String::from_utf8(output.stdout).unwrap()));
            written.push(("stderr".to_owned(), String::from_utf8(output.stderr).unwrap()));
            assert!(written.iter().any(|(name, _)| name.ends_with("manifest.json")));
            for (name, text) in &written {
                assert!(!text.contains(KEY) && !text.contains("0a1b2c3d"), "{name}: {text}");
            }
            assert_eq!(end == "error", written.last().unwrap().1.contains("Incorrect API key provided: [key]"));
        }
        // The third time there was nothing left to play.
        let asked = stub.asked();
        assert!(asked.len() == 2 && asked.iter().all(|asked| asked.headers.contains(KEY)));
    }
}

#[test]
fn what_was_told_stands_in_the_log() {
    let stub = Stub::of([Reply::json(json!({ "choices": [{ "message": { "content": "" } }] }))]);
    let folder = tempfile::tempdir().unwrap();
    run("openai:m", &stub.url, folder.path());
    let logs = files(folder.path());
    let log = &logs.iter().find(|(name, _)| name.ends_with(".jsonl")).unwrap().1;
    let told: Vec<Value> = log.lines().skip(1).take(2).map(|line| serde_json::from_str(line).unwrap()).collect();
    let sent: Value = serde_json::from_str(&stub.asked()[0].body).unwrap();
    for (event, message) in told.iter().zip(sent["messages"].as_array().unwrap()) {
        assert_eq!((&event["from"], &event["text"]), (&message["role"], &message["content"]));
    }
}
