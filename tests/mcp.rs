//! `refract mcp` as a client sees it, message by message, and the logs that come of it. Clients by others
//! act through it in `scripts/mcp_client.py`.
#![allow(clippy::unwrap_used)]

#[path = "mcp/client.rs"]
mod client;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use client::{Client, block_on, hello};
use refract::exec::{Feedback, Terms};
use refract::net::mcp::{Offer, http};
use refract::run::Out;
use refract::world::{Input, Library, SourceFile, ToolsetId, World};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// What starts with `zq` is nobody's business but the executor's.
fn files() -> (Value, Value) {
    let domain = json!({
        "version": 1, "name": "d",
        "types": { "door": "object", "zqstate": "object" },
        "constants": { "open": "zqstate", "shut": "zqstate" },
        "predicates": {
            "zqis": { "params": { "d": "door", "s": "zqstate" }, "functional": true, "text": "zq {d} {s}" },
            "zqtrap": { "params": { "d": "door" } }
        },
        "slots": { "key": { "params": { "d": "door" }, "doc": "zq slot" } },
        "capabilities": { "zqcap": "zq capability" },
        "knowledge": { "zqlore": "zq knowledge" },
        "taxonomy": { "zqclass": {}, "zqroute": { "routing": true } },
        "tools": {
            "cut": { "doc": "Cut a key.", "class": "zqclass", "params": { "d": "door" }, "produces": ["key(?d)"],
                     "capability": "zqcap", "observation": "A key." },
            "open": { "doc": "Open a door.", "class": "zqclass", "params": { "d": "door" },
                      "consumes": { "with": "key(?d)" }, "knowledge": "zqlore", "effect": ["zqis(?d, open)"] },
            "blast": { "doc": "Blast it.", "class": "zqclass", "capability": "zqcap", "knowledge": "zqlore" },
            "secret": { "doc": "Not offered.", "class": "zqroute" }
        },
        "roles": {
            "smith": { "doc": "zq role", "capabilities": ["zqcap"], "knowledge": ["zqlore"] },
            "guest": { "doc": "zq role", "capabilities": [], "knowledge": [] }
        }
    });
    let open = json!({ "tool": "open", "args": { "d": "gate", "with": "key(gate)" } });
    let side = |given: Value| json!({ "persona": "You serve Ada.", "goal": ["zqis(gate, open)"], "given": given, "reference": [open] });
    let problem = json!({
        "version": 1, "id": "p", "domain": "d", "title": "zq title", "query": "Open it.",
        "objects": { "gate": "door", "hatch": "door" },
        "init": ["zqis(gate, shut)", "zqtrap(hatch)"],
        "toolsets": { "narrow": ["cut", "open", "blast"], "wide": "all" }, "budget": 9,
        "perspectives": { "smith": side(json!([])), "guest": side(json!(["key(gate)"])) }
    });
    (domain, problem)
}

fn load((domain, problem): (Value, Value)) -> Arc<World> {
    let input = |name, file: Value| Input::Text(SourceFile::from_bytes(name, file.to_string().as_bytes()));
    let library = Library::load(vec![input("d.json", domain), input("p.json", problem)], None);
    assert!(library.worlds.len() == 1, "{:#?}", library.diagnostics);
    library.worlds[0].clone()
}

struct Table {
    offer: Arc<Offer>,
    folder: tempfile::TempDir,
}

fn table(role: &str, budget: u32, feedback: Feedback) -> Table {
    table_of(load(files()), role, budget, feedback)
}

fn table_of(world: Arc<World>, role: &str, budget: u32, feedback: Feedback) -> Table {
    let folder = tempfile::tempdir().unwrap();
    let role = world.domain.role_id(role).unwrap();
    let terms = Terms { role, toolset: ToolsetId(0), budget: Some(budget), feedback };
    Table { offer: Offer::new(world, terms, Out::Folder(folder.path().to_owned()), 2, |_| {}), folder }
}

impl Table {
    async fn sit(&self) -> Client {
        Client::sit(&self.offer).await
    }

    /// The events of each log, logs by name.
    fn logs(&self) -> Vec<Vec<Value>> {
        let mut paths: Vec<PathBuf> =
            self.folder.path().read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let events =
            |path| std::fs::read_to_string(path).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        paths.into_iter().map(events).collect()
    }

    /// The only log without its header, each event with its type and these keys alone.
    fn log(&self, keys: &[&str]) -> Vec<Value> {
        let [events] = &self.logs()[..] else { panic!("{:?}", self.logs()) };
        let short = |event: &Value| {
            let kept =
                event.as_object().unwrap().iter().filter(|(key, _)| *key == "type" || keys.contains(&key.as_str()));
            kept.map(|(key, value)| (key.clone(), value.clone())).collect()
        };
        events[1..].iter().map(short).collect()
    }
}

/// Everything that a client can ask for, then calls of all kinds.
async fn everything(client: &mut Client) {
    for method in ["tools/list", "prompts/list", "resources/list", "resources/templates/list", "ping", "what/ever"] {
        client.ask(method, json!({})).await;
    }
    client.ask("prompts/get", json!({ "name": "task" })).await;
    client.ask("prompts/get", json!({ "name": "other" })).await;
    client.ask("resources/read", json!({ "uri": "refract://task" })).await;
    client.ask("resources/read", json!({ "uri": "refract://goal" })).await;
    for (tool, args) in [
        ("blast", json!({})),
        ("cut", json!({ "d": "gate" })),
        ("cut", json!({ "d": 1 })),
        ("open", json!({ "d": "hatch", "with": "key(gate)" })),
        ("secret", json!({})),
        ("nothing", json!({})),
    ] {
        client.call(tool, args).await;
    }
}

#[test]
fn nothing_hidden_reaches_a_client() {
    for role in ["smith", "guest"] {
        let table = table(role, 9, Feedback::Hidden);
        let heard = block_on(async {
            let mut client = table.sit().await;
            everything(&mut client).await;
            client.heard
        });
        assert!(
            heard.contains("You serve Ada.") && heard.contains("Open it.") && heard.contains("\"gate\""),
            "{heard}"
        );
        // The type of the constants is told with them, as `refract prompt` does.
        let heard = heard.replace("zqstate", "");
        let at = heard
            .find("zq")
            .or_else(|| heard.find("capabilit").filter(|&at| !heard[at..].starts_with("capabilities\":{\"prompts")));
        assert_eq!(at.map(|at| &heard[at.saturating_sub(80)..(at + 40).min(heard.len())]), None);
    }
}

/// Worlds that differ in what nobody is told alone give the same messages, up to the first call.
#[test]
fn what_is_hidden_changes_nothing_that_is_told() {
    let told = |files| {
        let table = table_of(load(files), "guest", 9, Feedback::Hidden);
        block_on(async {
            let mut client = table.sit().await;
            for method in ["tools/list", "prompts/list", "resources/list"] {
                client.ask(method, json!({})).await;
            }
            client.ask("prompts/get", json!({ "name": "task" })).await;
            client.ask("resources/read", json!({ "uri": "refract://task" })).await;
            client.heard
        })
    };
    let (mut domain, mut problem) = files();
    for tool in ["cut", "open", "blast"] {
        let tool = domain["tools"][tool].as_object_mut().unwrap();
        tool.remove("capability");
        tool.remove("knowledge");
        if tool.contains_key("params") {
            tool.insert("precondition".to_owned(), json!(["zqtrap(?d)"]));
        }
    }
    domain["roles"]["guest"]["capabilities"] = json!(["zqcap"]);
    problem["init"] = json!(["zqis(gate, open)", "zqtrap(gate)"]);
    problem["perspectives"]["guest"]["goal"] = json!(["not zqtrap(gate)"]);
    assert_eq!(told((domain, problem)), told(files()));
    let (domain, mut problem) = files();
    problem["query"] = json!("Shut it.");
    assert_ne!(told((domain, problem)), told(files()), "this test can fail");
}

#[test]
fn a_result_is_the_observation() {
    let check = |role: &str, feedback, tool: &str, args: Value, says: &str, refused: bool| {
        let table = table(role, 9, feedback);
        let result = block_on(async { table.sit().await.call(tool, args).await });
        assert_eq!(result["content"], json!([{ "type": "text", "text": says }]));
        assert_eq!(result["isError"], refused, "{tool}: {says}");
        let log = table.log(&["fired", "observation"]);
        assert_eq!(log[1], json!({ "type": "result", "fired": !refused, "observation": says }));
    };
    let gate = || json!({ "d": "gate" });
    check("smith", Feedback::Hidden, "cut", gate(), "A key.\nIn hand: key(gate)", false);
    check("guest", Feedback::Hidden, "cut", gate(), "This user may not do that.", true);
    check("guest", Feedback::Named, "cut", gate(), "This user may not do that: it takes the capability 'zqcap'.", true);
    check("guest", Feedback::Bare, "cut", gate(), "Refused.", true);
    check("smith", Feedback::Hidden, "secret", json!({}), "There is no tool 'secret'.", true);
    check("smith", Feedback::Hidden, "cut", json!({ "d": "moon" }), "Bad arguments: d (unknown object).", true);
}

#[test]
fn a_call_that_is_none_is_a_step_as_it_was_sent() {
    let check = |params: Value, call: Value, says: &str| {
        let table = table("smith", 9, Feedback::Hidden);
        let result = block_on(async { table.sit().await.ask("tools/call", params).await });
        assert_eq!(result["result"]["content"], json!([{ "type": "text", "text": says }]), "{result}");
        assert_eq!(result["result"]["isError"], true);
        assert_eq!(table.log(&["tool", "args"])[0], call);
    };
    let call = |tool: Value, args: Value| json!({ "type": "call", "tool": tool, "args": args });
    let cut = "Bad arguments: not an object.";
    check(json!({ "name": "cut", "arguments": "{}" }), call(json!("cut"), json!("{}")), cut);
    check(json!({ "name": "cut", "arguments": [1] }), call(json!("cut"), json!([1])), cut);
    check(json!({ "name": "cut" }), call(json!("cut"), json!({})), "Bad arguments: d (missing).");
    check(json!({ "name": 7, "arguments": { "d": 1 } }), call(json!(7), json!({ "d": 1 })), "There is no tool '7'.");
    check(json!({ "arguments": {} }), call(Value::Null, json!({})), "There is no tool 'null'.");
    check(json!({ "name": { "a": [] } }), call(json!({ "a": [] }), json!({})), "There is no tool '{\"a\":[]}'.");
}

#[test]
fn a_run_ends_once_and_stays_ended() {
    let check = |budget, calls: &[&str], reason: &str| {
        let table = table("smith", budget, Feedback::Hidden);
        let results = block_on(async {
            let mut client = table.sit().await;
            let mut results = Vec::new();
            for tool in calls {
                results.push(client.call(tool, json!({ "d": "gate" })).await);
            }
            results
        });
        let log = table.log(&["tool", "reason"]);
        assert_eq!(log.last().unwrap(), &json!({ "type": "end", "reason": reason }));
        assert_eq!(log.iter().filter(|event| event["type"] == "end").count(), 1);
        let executed = log.iter().filter(|event| event["type"] == "call").count();
        (executed, results)
    };
    let late = |result: &Value| result["isError"] == true && result.to_string().contains("The run has ended");
    let (executed, results) = check(9, &["cut", "finish", "cut", "finish"], "finished");
    assert_eq!((executed, &results[1]["isError"]), (1, &json!(false)));
    assert!(late(&results[2]) && late(&results[3]));
    let (executed, results) = check(2, &["cut", "blast", "cut", "finish"], "budget");
    assert_eq!((executed, late(&results[1]), late(&results[2]), late(&results[3])), (2, false, true, true));
    let (executed, _) = check(9, &["cut"], "stopped");
    assert_eq!(executed, 1);
}

#[test]
fn a_log_is_written_as_it_happens_and_says_who_acts() {
    let table = table("smith", 9, Feedback::Named);
    block_on(async {
        let mut client = table.sit().await;
        client.ask("prompts/get", json!({ "name": "task" })).await;
        assert_eq!(table.log(&["kind", "data"]), [json!({ "type": "note", "kind": "told", "data": "prompt" })]);
        client.call("cut", json!({ "d": "gate" })).await;
        assert_eq!(table.log(&[]).len(), 3);
    });
    let header = table.logs()[0][0].clone();
    let expected = json!({ "id": "p-smith-mcp", "problem": "p", "role": "smith", "toolset": "narrow", "budget": 9,
                           "feedback": "named", "agent": { "name": "duplex/0.1" } });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&header[key], value);
    }
    assert_eq!(header["prompt"]["digest"], table.offer.prompt.digest());
}

#[test]
fn calls_that_are_sent_at_once_are_executed_in_their_order() {
    let table = table("smith", 90, Feedback::Hidden);
    block_on(async {
        let mut client = table.sit().await;
        let calls = (0..40).map(|number| json!({ "name": format!("n{number}"), "arguments": {} }));
        client.ask_all("tools/call", calls.collect()).await;
    });
    let log = table.log(&["tool"]);
    let tools: Vec<&Value> = log.iter().filter_map(|event| event.get("tool")).collect();
    assert_eq!(tools, (0..40).map(|number| json!(format!("n{number}"))).collect::<Vec<_>>().iter().collect::<Vec<_>>());
}

#[test]
fn sessions_share_no_state_and_are_limited() {
    let table = table("smith", 9, Feedback::Hidden);
    block_on(async {
        let (mut one, mut two) = (table.sit().await, table.sit().await);
        let open = || json!({ "d": "gate", "with": "key(gate)" });
        assert_eq!(one.call("cut", json!({ "d": "gate" })).await["isError"], false);
        assert_eq!(two.call("open", open()).await["isError"], true);
        assert_eq!(one.call("open", open()).await["isError"], false);
        assert_eq!(one.call("finish", json!({})).await["isError"], false);
        assert_eq!(two.call("cut", json!({ "d": "gate" })).await["isError"], false);

        let mut three = Client::open(&table.offer);
        let refused = three.ask("initialize", hello()).await;
        assert!(refused["error"]["message"].as_str().unwrap().contains("2 sessions already"), "{refused}");
        drop(one);
        let mut four = Client::open(&table.offer);
        let mut tries = 0..1000;
        while four.ask("initialize", hello()).await["error"].is_object() {
            assert!(tries.next().is_some(), "the place of one that went away is free");
            four = Client::open(&table.offer);
        }
    });
    let ends: Vec<Value> = table.logs().iter().map(|log| log.last().unwrap()["reason"].clone()).collect();
    // Those with a number behind their name come first.
    assert_eq!(ends, ["stopped", "stopped", "finished"]);
}

#[test]
fn a_session_that_nothing_is_heard_of_ends() {
    let table = table("smith", 9, Feedback::Hidden);
    block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let server = tokio::spawn(http::serve(table.offer.clone(), listener, Duration::from_millis(20), stop.clone()));
        let answer =
            client::post(at, &json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello() })).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        let begun = Instant::now();
        while table.logs().first().and_then(|log| log.last().cloned())
            != Some(json!({ "type": "end", "reason": "stopped" }))
        {
            assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", table.logs());
            tokio::task::yield_now().await;
        }
        stop.cancel();
        server.await.unwrap().unwrap();
    });
}
