//! What answers of models mean, and what they are sent back: bodies as real servers give them.
#![allow(clippy::unwrap_used)]

use refract::agent::chat::{Asked, Completions, Dialogue, Messages, ToolChoice};
use refract::agent::{Prompt, Turn};
use refract::exec::Opening;
use refract::world::{Entries, RoleId, ToolsetId};
use serde_json::{Value, json};

fn prompt() -> Prompt {
    let world = Entries::of(None).get("im-001").unwrap();
    Prompt::of(&Opening::of(&world, RoleId(0), ToolsetId(0)))
}

fn asked() -> Asked {
    Asked {
        model: "m".to_owned(),
        tool_choice: ToolChoice::Auto,
        temperature: None,
        max_tokens: None,
        seed: 3,
        at_home: false,
    }
}

fn openai() -> Completions {
    Completions::new(&prompt(), &asked())
}

fn anthropic() -> Messages {
    Messages::new(&prompt(), &asked())
}

/// The request as JSON.
fn request(dialogue: &mut dyn Dialogue, replies: &[&str]) -> Value {
    let replies: Vec<String> = replies.iter().map(|reply| (*reply).to_owned()).collect();
    serde_json::from_str(&dialogue.request(&replies)).unwrap()
}

/// The messages of a request from the one with this index on.
fn messages(dialogue: &mut dyn Dialogue, replies: &[&str], from: usize) -> Value {
    request(dialogue, replies)["messages"].as_array().unwrap()[from..].into()
}

fn completion(message: &str) -> String {
    format!(r#"{{"choices":[{{"index":0,"message":{message},"finish_reason":"tool_calls"}}]}}"#)
}

fn calls(turn: &Turn) -> Vec<(&str, &str)> {
    turn.calls.iter().map(|call| (call.tool.as_str(), call.args.as_str())).collect()
}

fn said(turn: &Turn) -> Vec<(&str, bool)> {
    turn.said.iter().map(|said| (&*said.text, said.reasoning)).collect()
}

/// A call by its function, in chat completions.
#[track_caller]
fn check_call(call: &str, tool: &str, args: &str, given_back: (&str, &str)) {
    let mut dialogue = openai();
    dialogue.request(&[]);
    let turn = dialogue.answer(&completion(&format!(r#"{{"role":"assistant","tool_calls":[{call}]}}"#))).unwrap();
    assert_eq!(calls(&turn), [(tool, args)]);
    let back = messages(&mut dialogue, &["seen"], 2);
    let function = &back[0]["tool_calls"][0]["function"];
    assert_eq!((function["name"].as_str().unwrap(), function["arguments"].as_str().unwrap()), given_back);
    assert!(serde_json::from_str::<Value>(given_back.1).unwrap().is_object());
    let id = &back[0]["tool_calls"][0]["id"];
    assert!(id.as_str().is_some_and(|id| !id.is_empty()));
    assert_eq!(back[0]["content"], "");
    assert_eq!(back[1], json!({ "role": "tool", "tool_call_id": id, "content": "seen" }));
}

#[test]
fn a_call_is_kept_as_sent_and_given_back_as_servers_take_it() {
    let sent = |arguments: &str| {
        format!(r#"{{"id":"c","type":"function","function":{{"name":"look","arguments":{arguments}}}}}"#)
    };
    let look = r#""look""#;
    check_call(&sent(r#""{\"a\": 1}""#), look, r#"{"a": 1}"#, ("look", r#"{"a": 1}"#));
    check_call(&sent(r#"{"a": 1}"#), look, r#"{"a": 1}"#, ("look", r#"{"a": 1}"#));
    for empty in ["null", r#""""#, r#"" \n""#, r#""null""#, "{}", r#""{}""#] {
        check_call(&sent(empty), look, "{}", ("look", "{}"));
    }
    check_call(r#"{"id":"c","function":{"name":"look"}}"#, look, "{}", ("look", "{}"));
    check_call(&sent(r#""{\"a\": ""#), look, r#""{\"a\": ""#, ("look", r#"{"arguments":"{\"a\": "}"#));
    check_call(&sent(r#""fan-3""#), look, r#""fan-3""#, ("look", r#"{"arguments":"fan-3"}"#));
    check_call(&sent(r#""[1]""#), look, "[1]", ("look", r#"{"arguments":"[1]"}"#));
    check_call(&sent("7"), look, "7", ("look", r#"{"arguments":"7"}"#));
    // Twice the same key, and a number out of range, are the log's to keep.
    check_call(&sent(r#""{\"a\":1,\"a\":2}""#), look, r#"{"a":1,"a":2}"#, ("look", r#"{"a":1,"a":2}"#));
    check_call(&sent(r#""{\"a\":1e999}""#), look, r#"{"a":1e999}"#, ("look", r#"{"arguments":"{\"a\":1e999}"}"#));
    check_call(r#"{"function":{"name":"look at!"}}"#, r#""look at!""#, "{}", ("look_at_", "{}"));
    check_call(r#"{"function":{"name":""}}"#, r#""""#, "{}", ("unnamed", "{}"));
    check_call(r#"{"function":{"name":["x"]}}"#, r#"["x"]"#, "{}", ("unnamed", "{}"));
    check_call(r#"{"name":"look","arguments":{}}"#, look, "{}", ("look", "{}"));
    check_call("5", "5", "{}", ("unnamed", "{}"));
}

#[test]
fn parallel_calls_keep_their_order_and_each_is_answered() {
    let call = |id: &str, name: &str| {
        format!(r#"{{{id}"type":"function","function":{{"name":"{name}","arguments":"{{}}"}}}}"#)
    };
    let list = [
        call(r#""id":"x","#, "one"),
        call("", "two"),
        call(r#""id":"x","#, "three"),
        call(r#""id":"","#, "finish"),
        call(r#""id":"z","#, "five"),
    ];
    let mut dialogue = openai();
    let turn =
        dialogue.answer(&completion(&format!(r#"{{"content":"so","tool_calls":[{}]}}"#, list.join(",")))).unwrap();
    assert_eq!(
        calls(&turn).iter().map(|call| call.0).collect::<Vec<_>>(),
        [r#""one""#, r#""two""#, r#""three""#, r#""finish""#, r#""five""#]
    );
    let back = messages(&mut dialogue, &["1", "2", "3"], 2);
    let asked: Vec<&Value> = back[0]["tool_calls"].as_array().unwrap().iter().map(|call| &call["id"]).collect();
    let answered: Vec<&Value> = back.as_array().unwrap()[1..].iter().map(|message| &message["tool_call_id"]).collect();
    assert_eq!(asked, answered);
    assert_eq!(asked.iter().collect::<std::collections::HashSet<_>>().len(), 5);
    assert_eq!(
        (asked[0], asked[4], &back[2]["content"], &back[5]["content"]),
        (&json!("x"), &json!("z"), &json!("2"), &json!(""))
    );
    // They are answered once.
    assert_eq!(messages(&mut dialogue, &[], 8), json!([]));
}

#[track_caller]
fn check_said(message: &str, expected: &[(&str, bool)]) {
    assert_eq!(said(&openai().answer(&completion(message)).unwrap()), expected, "{message}");
}

#[test]
fn words_and_thoughts_are_told_apart() {
    check_said(r#"{"content":"hello"}"#, &[("hello", false)]);
    check_said(r#"{"content":null}"#, &[]);
    check_said(r#"{"content":"  "}"#, &[]);
    check_said(r#"{"content":"b","reasoning_content":"a"}"#, &[("a", true), ("b", false)]);
    check_said(r#"{"content":"","reasoning":"a","reasoning_details":[{"text":"a"}]}"#, &[("a", true)]);
    check_said(r#"{"content":"b","reasoning_content":"a","reasoning":"a"}"#, &[("a", true), ("b", false)]);
    check_said(r#"{"content":"\n<think>\nhm\n</think>\n\nyes"}"#, &[("hm", true), ("yes", false)]);
    check_said(r#"{"content":"hm</think>yes"}"#, &[("hm", true), ("yes", false)]);
    check_said(r#"{"content":"<think></think>yes"}"#, &[("yes", false)]);
    check_said(r#"{"content":"<think>cut sho"}"#, &[("cut sho", true)]);
    check_said(r#"{"content":"<think>a</think><think>b</think>c"}"#, &[("a", true), ("b", true), ("c", false)]);
    check_said(r#"{"content":"see <think>a</think>"}"#, &[("see <think>a</think>", false)]);
    check_said(r#"{"content":"cut \ud83d"}"#, &[("cut \u{fffd}", false)]);
    check_said(r#"{"content":null,"refusal":"I can't."}"#, &[("I can't.", false)]);
    let parts =
        r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"yes"},5]}"#;
    check_said(parts, &[("hm", true), ("yes", false)]);
}

#[test]
fn what_was_thought_and_said_is_given_back() {
    let mut dialogue = openai();
    let call = r#"{"id":"c","function":{"name":"look","arguments":"{}"}}"#;
    let answer = format!(
        r#"{{"role":"assistant","content":"<think>x</think>y","reasoning_content":"z","refusal":null,"annotations":[],"tool_calls":[{call}]}}"#
    );
    dialogue.answer(&completion(&answer)).unwrap();
    let back = messages(&mut dialogue, &["seen"], 2);
    assert_eq!((&back[0]["content"], &back[0]["reasoning_content"]), (&json!("<think>x</think>y"), &json!("z")));
    let keys: Vec<&String> = back[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["role", "content", "reasoning_content", "tool_calls"]);
}

#[test]
fn the_one_call_of_an_older_shape_is_a_call() {
    let turn =
        openai().answer(&completion(r#"{"content":null,"function_call":{"name":"look","arguments":"{}"}}"#)).unwrap();
    assert_eq!(calls(&turn), [(r#""look""#, "{}")]);
    let both = r#"{"function_call":{"name":"look","arguments":"{}"},"tool_calls":[{"id":"a","function":{"name":"look","arguments":"{}"}}]}"#;
    assert_eq!(openai().answer(&completion(both)).unwrap().calls.len(), 1);
}

#[test]
fn ends_that_are_no_ends_are_noted_and_tokens_counted() {
    let body = |reason: &str, usage: &str| {
        format!(r#"{{"choices":[{{"message":{{"content":"x"}},"finish_reason":{reason}}}],"usage":{usage}}}"#)
    };
    for (reason, noted) in [
        ("\"stop\"", None),
        ("null", None),
        ("\"length\"", Some("\"length\"")),
        ("\"content_filter\"", Some("\"content_filter\"")),
    ] {
        let turn = openai().answer(&body(reason, "null")).unwrap();
        let notes: Vec<_> = turn.notes.iter().map(|(kind, data)| (*kind, data.as_str())).collect();
        assert_eq!(notes, noted.map(|noted| ("finish_reason", noted)).into_iter().collect::<Vec<_>>());
        assert_eq!(turn.usage, None);
    }
    let usage =
        openai().answer(&body("\"stop\"", r#"{"prompt_tokens":12,"completion_tokens":3}"#)).unwrap().usage.unwrap();
    assert_eq!((usage.input, usage.output), (12, 3));
    let anthropic_body = r#"{"content":[{"type":"text","text":"x"}],"stop_reason":"max_tokens","usage":{"input_tokens":10,"cache_read_input_tokens":200,"cache_creation_input_tokens":3000,"output_tokens":4}}"#;
    let turn = anthropic().answer(anthropic_body).unwrap();
    let usage = turn.usage.unwrap();
    assert_eq!((usage.input, usage.output), (3210, 4));
    assert_eq!((turn.notes[0].0, turn.notes[0].1.as_str()), ("stop_reason", "\"max_tokens\""));
}

#[test]
fn a_fault_leaves_the_episode_as_it_was() {
    for mut dialogue in [Box::new(openai()) as Box<dyn Dialogue>, Box::new(anthropic())] {
        let before = request(&mut *dialogue, &[]);
        for body in
            ["", "{", "[]", "{}", "null", r#"{"choices":[]}"#, r#"{"choices":[{"message":5}]}"#, r#"{"content":5}"#]
        {
            dialogue.answer(body).unwrap_err();
        }
        assert_eq!(request(&mut *dialogue, &[]), before);
    }
}

#[test]
fn how_a_model_is_asked_is_part_of_the_request() {
    let asked = Asked {
        tool_choice: ToolChoice::Required,
        temperature: Some(0.5),
        max_tokens: Some(99),
        at_home: true,
        ..asked()
    };
    let elsewhere = Asked { at_home: false, ..asked.clone() };
    let first = request(&mut Completions::new(&prompt(), &asked), &[]);
    assert_eq!(
        (&first["tool_choice"], &first["temperature"], &first["seed"]),
        (&json!("required"), &json!(0.5), &json!(3))
    );
    assert_eq!((&first["max_completion_tokens"], first.get("max_tokens")), (&json!(99), None));
    let first = request(&mut Completions::new(&prompt(), &elsewhere), &[]);
    assert_eq!((&first["max_tokens"], first.get("max_completion_tokens")), (&json!(99), None));
    let shape = prompt().openai();
    assert_eq!((&first["messages"], &first["tools"]), (&shape["messages"], &shape["tools"]));

    let first = request(&mut Messages::new(&prompt(), &asked), &[]);
    assert_eq!(
        (&first["tool_choice"], &first["temperature"], &first["max_tokens"]),
        (&json!({ "type": "any" }), &json!(0.5), &json!(99))
    );
    assert_eq!(first.get("seed"), None);
    let shape = prompt().anthropic();
    assert!(["system", "messages", "tools"].iter().all(|part| first[part] == shape[part]));
    let named = Asked { tool_choice: ToolChoice::of("look"), ..asked };
    let choices =
        [request(&mut Completions::new(&prompt(), &named), &[]), request(&mut Messages::new(&prompt(), &named), &[])];
    assert_eq!(choices[0]["tool_choice"], json!({ "type": "function", "function": { "name": "look" } }));
    assert_eq!(choices[1]["tool_choice"], json!({ "type": "tool", "name": "look" }));
    let plain = request(&mut anthropic(), &[]);
    assert_eq!((&plain["tool_choice"], plain["max_tokens"].is_u64()), (&json!({ "type": "auto" }), true));
}

#[test]
fn blocks_become_words_thoughts_and_calls() {
    let body = r#"{"id":"msg_01","type":"message","role":"assistant","model":"m","content":[
        {"type":"thinking","thinking":"A tripped fan.","signature":"EqQBCgIYAhIM"},
        {"type":"redacted_thinking","data":"Eo8B"},
        {"type":"text","text":"I look first."},
        {"type":"text","text":""},
        {"type":"tool_use","id":"toolu_1","name":"look_at_asset","input":{"asset":"fan-3"}},
        {"type":"tool_use","id":"toolu_2","name":"look at","input":"fan-4","caller":{"type":"direct"}},
        {"type":"tool_use","name":"finish","input":null}
    ],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":2}}"#;
    let mut dialogue = anthropic();
    let turn = dialogue.answer(body).unwrap();
    assert_eq!(said(&turn), [("A tripped fan.", true), ("I look first.", false)]);
    assert_eq!(
        calls(&turn),
        [(r#""look_at_asset""#, r#"{"asset":"fan-3"}"#), (r#""look at""#, r#""fan-4""#), (r#""finish""#, "{}")]
    );
    let back = messages(&mut dialogue, &["one", "two"], 1);
    let id = back[0]["content"][5]["id"].clone();
    assert_eq!(
        back,
        json!([
            { "role": "assistant", "content": [
                { "type": "thinking", "thinking": "A tripped fan.", "signature": "EqQBCgIYAhIM" },
                { "type": "redacted_thinking", "data": "Eo8B" },
                { "type": "text", "text": "I look first." },
                { "type": "tool_use", "id": "toolu_1", "name": "look_at_asset", "input": { "asset": "fan-3" } },
                { "type": "tool_use", "id": "toolu_2", "name": "look_at", "input": { "arguments": "fan-4" } },
                { "type": "tool_use", "id": id, "name": "finish", "input": {} },
            ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "toolu_1", "content": "one" },
                { "type": "tool_result", "tool_use_id": "toolu_2", "content": "two" },
                { "type": "tool_result", "tool_use_id": id, "content": "" },
            ] },
        ])
    );
}
