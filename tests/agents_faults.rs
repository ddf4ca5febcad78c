//! Whatever an endpoint does, an episode ends in order, and its log says what happened.
#![allow(clippy::unwrap_used)]

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use refract::run::EndReason;
use serde_json::{Value, json};
use support::episode::{Played, played, played_until, quick};
use support::stub::{Reply, Stub};

fn completion(message: Value, reason: &str) -> Value {
    let choice = json!({ "index": 0, "message": message, "finish_reason": reason });
    let usage = json!({ "prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110 });
    json!({ "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage })
}

fn call(id: &str, name: &str, arguments: &str) -> Value {
    json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } })
}

fn calls(calls: &[Value]) -> Reply {
    Reply::json(completion(json!({ "role": "assistant", "content": null, "tool_calls": calls }), "tool_calls"))
}

fn finish() -> Reply {
    calls(&[call("f", "finish", "{}")])
}

fn ends(played: &Played) -> Vec<Value> {
    played.of("end").iter().map(|end| end["reason"].clone()).collect()
}

/// Faults that pass: each is noted with its status and what went wrong, and the episode goes on.
#[track_caller]
fn check_passes(fault: Reply, status: Option<u16>, why: &str) {
    let stub = Stub::of([fault, finish()]);
    let played = played("openai:m", quick(Some(&stub.url)));
    let [note] = &played.notes("retry")[..] else { panic!("{}", played.log) };
    assert_eq!(note["status"], json!(status));
    assert!(note["why"].as_str().unwrap().contains(why), "{note}");
    assert_eq!((ends(&played), played.why), (vec![json!("finished")], None));
    assert_eq!(stub.asked().len(), 2);
}

#[test]
fn faults_that_pass_are_waited_for() {
    let limited = Reply::status(429, json!({ "error": { "message": "slow down", "code": "rate_limit" } }));
    check_passes(limited.clone().with("retry-after", 0), Some(429), "slow down");
    check_passes(limited.with("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"), Some(429), "slow down");
    check_passes(Reply::status(500, "oh"), Some(500), "oh");
    check_passes(Reply::status(529, json!({ "error": "overloaded" })), Some(529), "overloaded");
    check_passes(Reply::status(408, ""), Some(408), "408");
    check_passes(Reply::json("{\"choices\": [{\"mess"), None, "not JSON");
    check_passes(Reply::json("[]"), None, "no JSON object");
    check_passes(Reply::json(r#"{"choices":[]}"#), None, "no choice");
    check_passes(Reply::json(r#"{"choices":[{"index":0}]}"#), None, "no message");
    check_passes(Reply::json(r#"{"error":{"message":"upstream is down"}}"#), None, "upstream is down");
    check_passes(Reply::json("<html>hello</html>").with("content-type", "text/html; charset=utf-8"), None, "text/html");
    let cut = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{\"choices\"";
    check_passes(Reply::Cut(cut.to_vec()), None, "the connection was cut");
    let chunked =
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{\"cho\r\n";
    check_passes(Reply::Cut(chunked.to_vec()), None, "");
    check_passes(Reply::Cut(b"HTTP/1.1 2".to_vec()), None, "");
    check_passes(Reply::Cut(Vec::new()), None, "");
    check_passes(Reply::Cut(b"SSH-2.0-OpenSSH_9.2\r\n".to_vec()), None, "");
    let endless = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n\"{}", "x".repeat(17 << 20));
    check_passes(Reply::Cut(endless.into_bytes()), None, "larger than 16 MB");
}

#[test]
fn what_takes_too_long_is_given_up() {
    for bytes in ["", "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{\"choi"] {
        let stub = Stub::of([Reply::Stuck(bytes.into()), finish()]);
        let options = refract::net::agents::Options { timeout: Duration::from_millis(300), ..quick(Some(&stub.url)) };
        let played = played("openai:m", options);
        assert_eq!(played.notes("retry")[0]["why"], "no answer in time");
        assert_eq!(played.ended.reason, EndReason::Finished);
    }
}

/// Faults that do not pass, or do not in time: an error of the infrastructure, in words.
#[track_caller]
fn check_breaks(script: impl IntoIterator<Item = Reply>, requests: usize, why: &[&str]) {
    let stub = Stub::of(script);
    let played = played("openai:m", quick(Some(&stub.url)));
    assert_eq!((ends(&played), stub.asked().len()), (vec![json!("error")], requests), "{}", played.log);
    assert_eq!(played.notes("retry").len(), requests - 1);
    let said = played.why.clone().unwrap();
    assert_eq!(played.notes("error"), [said.as_str()]);
    assert!(why.iter().all(|part| said.contains(part)) && said.contains(&stub.url), "{said}");
    assert!(!said.chars().any(char::is_control) && said.chars().count() < 500, "{said}");
}

#[test]
fn what_does_not_pass_is_told_at_once() {
    for status in [400, 401, 403, 404, 422] {
        let body = json!({ "error": { "message": "model \u{1b}[31m`m` does not exist\nat all" } });
        check_breaks([Reply::status(status, body)], 1, &[&status.to_string(), "␛[31m`m` does not exist␊at all"]);
    }
    check_breaks([Reply::status(400, "x".repeat(100_000))], 1, &["xxx…"]);
    check_breaks([Reply::status(404, json!({ "detail": "Not Found" }))], 1, &["404", "Not Found"]);
    let moved = Reply::status(308, "").with("location", "https://elsewhere.example/v1");
    check_breaks([moved], 1, &["308", "https://elsewhere.example/v1"]);
    check_breaks(vec![Reply::status(503, "busy"); 3], 3, &["503", "busy", "after 3 tries"]);
    check_breaks(vec![Reply::json("nothing"); 3], 3, &["not JSON"]);
}

#[test]
fn nobody_there_is_told() {
    let played = played("openai:m", quick(Some("http://127.0.0.1:9/v1")));
    assert!(played.why.as_ref().unwrap().contains("nothing listens there"), "{:?}", played.why);
    assert_eq!((played.ended.reason, played.notes("retry").len()), (EndReason::Error, 2));
}

#[test]
fn a_stop_ends_every_wait() {
    let long = Duration::from_secs(1000);
    for reply in [Reply::Stuck(Vec::new()), Reply::status(429, "").with("retry-after", "100")] {
        let stub = Stub::of([reply]);
        let options = refract::net::agents::Options { timeout: long, back_off: long, ..quick(Some(&stub.url)) };
        let stop = Arc::<AtomicBool>::default();
        let began = Instant::now();
        let played = std::thread::scope(|scope| {
            let played = scope.spawn(|| played_until("openai:m", options, &stop));
            while stub.asked().is_empty() {
                std::thread::yield_now();
            }
            stop.store(true, Ordering::SeqCst);
            played.join().unwrap()
        });
        assert_eq!((ends(&played), played.why), (vec![json!("stopped")], None));
        assert!(began.elapsed() < Duration::from_secs(30));
    }
}

#[test]
fn a_good_episode_is_logged_as_it_went() {
    let words = json!({
        "role": "assistant", "content": "I look first.", "reasoning_content": "A tripped fan.",
        "tool_calls": [call("a", "look_at_asset", r#"{"asset": "fan-3"}"#), call("b", "no_such_tool", "{\"x\":"), call("c", "change_over", "")],
    });
    let stub = Stub::of([
        Reply::json(completion(words, "tool_calls")),
        calls(&[
            call("d", "change_over", r#"{"asset":"fan-3"}"#),
            call("e", "finish", ""),
            call("f", "look_at_asset", "{}"),
        ]),
    ]);
    let played = played("openai:m", quick(Some(&stub.url)));
    let events = played.events();
    let kinds: Vec<_> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    let turn = ["call", "result"];
    let expected =
        [&["note", "message", "message"][..], &turn, &turn, &turn, &["note"], &turn, &["note", "end"]].concat();
    assert_eq!(kinds, expected, "{}", played.log);
    assert_eq!(events[0], json!({ "type": "note", "kind": "usage", "data": { "input": 100, "output": 10 } }));
    assert_eq!(events[1], json!({ "type": "message", "from": "agent", "text": "A tripped fan.", "reasoning": true }));
    assert_eq!(events[2], json!({ "type": "message", "from": "agent", "text": "I look first." }));
    let made: Vec<_> = played.of("call").into_iter().map(|call| (call["tool"].clone(), call["args"].clone())).collect();
    let fan = json!({ "asset": "fan-3" });
    let expected = [
        ("look_at_asset", fan.clone()),
        ("no_such_tool", json!("{\"x\":")),
        ("change_over", json!({})),
        ("change_over", fan),
    ];
    assert_eq!(made, expected.map(|(tool, args)| (json!(tool), args)));
    let fired: Vec<_> = played.of("result").iter().map(|result| result["fired"].clone()).collect();
    assert_eq!(fired, [true, false, false, true]);
    assert_eq!(played.notes("after_finish"), [json!([{ "tool": "look_at_asset", "args": {} }])]);
    assert_eq!((ends(&played), played.used.input, played.used.output), (vec![json!("finished")], 200, 20));

    let asked = stub.asked();
    let [first, second] = [0, 1].map(|i| serde_json::from_str::<Value>(&asked[i].body).unwrap());
    assert!(asked.iter().all(|asked| asked.path == "/v1/chat/completions"));
    assert_eq!((&first["model"], &first["seed"], &first["tool_choice"]), (&json!("m"), &json!(7), &json!("auto")));
    assert_eq!(first["messages"].as_array().unwrap().len(), 2);
    let told: Vec<_> =
        second["messages"].as_array().unwrap()[3..].iter().map(|message| message["tool_call_id"].clone()).collect();
    assert_eq!(told, ["a", "b", "c"]);
    let observed = played.of("result")[0]["observation"].clone();
    assert!(second["messages"][3]["content"].as_str().unwrap().starts_with(observed.as_str().unwrap()));
}

#[test]
fn a_huge_message_is_kept_whole() {
    let huge = "naïve ✓ \u{1b}[2J".repeat(500_000);
    let stub = Stub::of([Reply::json(completion(json!({ "role": "assistant", "content": huge }), "stop"))]);
    let played = played("openai:m", quick(Some(&stub.url)));
    assert_eq!(played.of("message")[0]["text"], huge.as_str());
    assert_eq!(played.ended.reason, EndReason::Finished);
}
