//! A key is in no log, no error, no setting, and goes where it is meant to go.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;

use refract::net::agents::{Agents, Options, Spec};
use refract::run::EndReason;
use serde_json::json;
use support::episode::{played, quick};
use support::stub::{Reply, Stub};

const KEY: &str = "sk-test-5f2c\"9e/77";

/// A file with the key in it, in a folder that goes with the test.
fn key_file() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key");
    fs::write(&file, format!("{KEY}\n")).unwrap();
    (folder, file)
}

#[test]
fn a_key_that_comes_back_is_hidden() {
    let (_folder, file) = key_file();
    let bearer = format!("Incorrect key: Bearer {KEY}");
    let message = json!({ "content": format!("my key is {KEY}"), "tool_calls": [{ "id": KEY, "function": { "name": KEY, "arguments": json!({ "key": KEY }).to_string() } }] });
    let answer = json!({ "choices": [{ "message": message, "finish_reason": KEY }] });
    for script in [
        vec![Reply::status(401, json!({ "error": { "message": bearer } }))],
        vec![Reply::status(400, &bearer)],
        vec![Reply::status(400, format!("<p>{bearer}"))],
        vec![Reply::status(500, json!({ "echo": bearer })); 3],
        vec![Reply::status(301, "").with("location", format!("https://x.example/{KEY}"))],
        vec![Reply::json(&bearer).with("content-type", KEY); 3],
        vec![Reply::json(answer), Reply::status(401, &bearer)],
    ] {
        for spec in ["openai:m", "anthropic:m"] {
            let stub = Stub::of(script.clone());
            let options = Options { key_file: Some(file.clone()), ..quick(Some(&stub.url)) };
            let agents = Agents::new(Spec::parse(spec).unwrap(), options.clone()).unwrap();
            let played = played(spec, options);
            let everything = format!("{} {:?} {} {agents:?}", played.log, played.why, agents.settings());
            for part in ["sk-test", "5f2c", "9e/77"] {
                assert!(!everything.contains(part), "{everything}");
            }
            assert_eq!(played.ended.reason, EndReason::Error);
            let sent = &stub.asked()[0].headers;
            let header =
                if spec == "openai:m" { format!("authorization: Bearer {KEY}") } else { format!("x-api-key: {KEY}") };
            assert!(sent.contains(&header), "{sent}");
        }
    }
}

#[test]
fn no_key_is_needed_or_sent_where_none_is_named() {
    let stub = Stub::of([Reply::status(400, ""), Reply::status(400, "")]);
    played("openai:m", quick(Some(&stub.url)));
    played("anthropic:m", quick(Some(&stub.url)));
    let [openai, anthropic] = &stub.asked()[..] else { panic!() };
    let without = |headers: &str| !headers.contains("authorization") && !headers.contains("x-api-key");
    assert!(without(&openai.headers) && without(&anthropic.headers));
    assert!(anthropic.headers.contains("anthropic-version: 2023-06-01"));
    assert_eq!((&*openai.path, &*anthropic.path), ("/v1/chat/completions", "/v1/messages"));
}

#[track_caller]
fn check_refused(spec: &str, options: Options, why: &str) {
    let said = Spec::parse(spec).and_then(|spec| Agents::new(spec, options)).err().unwrap_or_default();
    assert!(said.contains(why), "{said}");
}

#[test]
fn what_is_missing_or_cannot_be_is_told() {
    let (folder, _) = key_file();
    let empty = folder.path().join("empty");
    fs::write(&empty, " \n").unwrap();
    let url = |url: &str| quick(Some(url));
    let key_env = |name: &str| Options { key_env: Some(name.to_owned()), ..quick(None) };
    let key_file = |path: &std::path::Path| Options { key_file: Some(path.to_owned()), ..quick(None) };
    check_refused("openai:m", key_env("REFRACT_NO_SUCH_KEY"), "no environment variable REFRACT_NO_SUCH_KEY");
    check_refused("openai:m", key_file(&empty), "holds no key");
    check_refused("openai:m", key_file(folder.path()), "it is a folder");
    check_refused("openai:m", key_file(&folder.path().join("none")), "there is no such file");
    check_refused("openai:m", url("localhost:8080/v1"), "is no base URL");
    check_refused("openai:m", url("ftp://localhost/v1"), "is no base URL");
    check_refused("openai:m", url("not a url"), "is no base URL");
    check_refused("openai:m", url("http://user:sk-5@localhost/v1"), "no name or password");
    check_refused("openai:m", url("http://localhost/v1?key=5"), "has no query");
    check_refused("openai", quick(None), "openai:gpt-5");
    check_refused("open-ai:m", quick(None), "did you mean `openai:`?");
    check_refused("policy:", quick(None), "policy:cautious");
    check_refused("policy:brave", quick(None), "there are reference, planner, random");
    check_refused("policy:uniform:2", quick(None), "P from 0 to 1");
    check_refused("gemini:x", quick(None), "one of openai:MODEL, anthropic:MODEL, command:LINE, policy:NAME");
    check_refused("", quick(None), "one of openai:MODEL");
}

#[test]
fn names_and_settings_say_what_plays() {
    let name = |spec: &str| {
        let agents = Agents::new(Spec::parse(spec).unwrap(), quick(Some("http://localhost:1/v1/"))).unwrap();
        let name = agents.name();
        (name.name.unwrap(), name.model, agents.told(), agents.settings())
    };
    let settings =
        json!({ "base_url": "http://localhost:1/v1", "tool_choice": "auto", "temperature": null, "max_tokens": null });
    assert_eq!(name("openai:org/m:free"), ("openai".into(), Some("org/m:free".into()), true, settings.clone()));
    assert_eq!(name("anthropic:m"), ("anthropic".into(), Some("m".into()), true, settings));
    assert_eq!(name("command:./a b"), ("command:./a b".into(), None, true, json!({})));
    assert_eq!(name("policy:uniform:0.5"), ("policy:uniform:0.5".into(), None, false, json!({})));
}
