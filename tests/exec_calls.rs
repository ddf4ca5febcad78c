//! What agents send: tools and arguments that are none (design §3).
#![allow(clippy::unwrap_used)]

mod support;

use serde_json::{Value, json};
use support::table::{Case, tool};

fn bad(argument: &str, problem: &str, value: Option<Value>, expects: Option<&str>) -> Value {
    let mut reason = json!({ "reason": "bad_argument", "argument": argument, "problem": problem });
    if let Some(value) = value {
        reason["value"] = value;
    }
    if let Some(expects) = expects {
        reason["expects"] = expects.into();
    }
    reason
}

/// Takes `a`, a bed, and `with`, a slip.
fn bed_and_slip() -> Case {
    tool(json!({ "params": { "a": "bed" }, "consumes": { "with": "slip(?a)" }, "precondition": ["raining"],
                 "effect": ["mode(wet)"], "capability": "hand" }))
    .given("slip(b)")
}

#[test]
fn an_unknown_tool_and_nothing_else() {
    for sent in
        [r#""undo""#, r#""DO""#, r#""do ""#, "7", "null", r#"["do"]"#, r#"{"name":"do"}"#, r#""""#, r#""\u0000""#]
    {
        let as_sent: Value = serde_json::from_str(sent).unwrap();
        tool(json!({ "capability": "hand" })).role("cy").refuses_text(
            sent,
            "[1",
            json!([{ "reason": "unknown_tool", "tool": as_sent }]),
        );
    }
    // An escaped name is the name.
    tool(json!({})).fires_text(r#""\u0064o""#, "{}", "");
}

#[test]
fn a_tool_that_is_not_offered_is_still_checked() {
    tool(json!({ "params": { "a": "bed" }, "capability": "hand" }))
        .and("other", json!({}))
        .offered("other")
        .role("cy")
        .refuses(
            json!({ "a": "p" }),
            json!([
                { "reason": "not_offered", "tool": "do" },
                bad("a", "wrong_type", Some("p".into()), Some("bed")),
                { "reason": "capability", "needs": "hand" },
            ]),
        );
    tool(json!({}))
        .and("other", json!({}))
        .offered("other")
        .refuses(json!({}), json!([{ "reason": "not_offered", "tool": "do" }]));
}

#[test]
fn arguments_that_are_no_object() {
    for sent in ["null", "[]", "7", "true", r#""{\"a\":\"b\"}""#, r#"["b"]"#] {
        let as_sent: Value = serde_json::from_str(sent).unwrap();
        let reason = json!({ "reason": "bad_argument", "argument": null, "problem": "not_an_object",
                             "value": as_sent, "expects": "an object" });
        bed_and_slip().refuses_text("\"do\"", sent, json!([reason]));
        bed_and_slip().role("cy").refuses_text(
            "\"do\"",
            sent,
            json!([reason, { "reason": "capability", "needs": "hand" }]),
        );
    }
}

#[test]
fn one_reason_per_argument_in_declared_order_then_the_unexpected_as_sent() {
    bed_and_slip()
        .role("bo")
        .refuses(
            json!({ "z": 1, "with": "slip(nowhere)", "m": null, "a": "p" }),
            json!([
                bad("a", "wrong_type", Some("p".into()), Some("bed")),
                bad("with", "not_a_slot_value", Some("slip(nowhere)".into()), Some("slip(?a)")),
                bad("z", "unexpected", Some(1.into()), None),
                bad("m", "unexpected", Some(Value::Null), None),
                { "reason": "capability", "needs": "hand" },
            ]),
        )
        .refuses(
            json!({}),
            json!([
                bad("a", "missing", None, Some("bed")),
                bad("with", "missing", None, Some("slip(?a)")),
                { "reason": "capability", "needs": "hand" },
            ]),
        );
}

#[test]
fn what_is_no_object() {
    for sent in [
        json!("nobody"),
        json!("B"),
        json!(" b"),
        json!(""),
        json!("slip(b)"),
        json!("bed"),
        json!(7),
        json!(null),
        json!(["b"]),
        json!({ "b": 1 }),
    ] {
        bed_and_slip().refuses(
            json!({ "a": sent, "with": "slip(b)" }),
            json!([bad("a", "unknown_object", Some(sent), Some("bed"))]),
        );
    }
}

#[test]
fn what_is_no_slot_value() {
    let none = [
        json!("slip"),
        json!("slip()"),
        json!("slip(b"),
        json!("slip(b))"),
        json!("slip(b, b)"),
        json!("slip(b,)"),
        json!("slip(wet)"),
        json!("slip(?a)"),
        json!("not slip(b)"),
        json!("locked(b)"),
        json!("pass()"),
        json!("slip b"),
        json!("slip(b) slip(b)"),
        json!("slip((b))"),
        json!("Slip(b)"),
        json!(""),
        json!("finding(b)"),
        json!("finding(b, b)"),
        json!(7),
        json!(null),
        json!(["slip(b)"]),
    ];
    for sent in none {
        bed_and_slip().refuses(
            json!({ "a": "b", "with": sent }),
            json!([bad("with", "not_a_slot_value", Some(sent), Some("slip(?a)"))]),
        );
    }
    // A value of any slot is one; whether it matches is another question.
    for (sent, value) in [
        ("pass", "pass"),
        (" pass ", "pass"),
        ("finding( p ,\twet\n)", "finding(p, wet)"),
        ("slip\u{a0}(p)", "slip(p)"),
    ] {
        bed_and_slip().init("raining").refuses(
            json!({ "a": "b", "with": sent }),
            json!([{ "reason": "not_produced", "argument": "with", "value": value, "expects": "slip(b)", "matches": false }]),
        );
    }
}

#[test]
fn a_key_twice_counts_as_its_last() {
    let free = || tool(json!({ "params": { "a": "place" }, "effect": ["locked(?a)"] }));
    free().fires_text("\"do\"", r#"{"a":"nobody","a":"b"}"#, "+locked(b)");
    free().fires_text("\"do\"", r#"{"a":"b","\u0061":"p"}"#, "+locked(p)");
    free().refuses_text(
        "\"do\"",
        r#"{"a":"b","a":7}"#,
        json!([bad("a", "unknown_object", Some(7.into()), Some("place"))]),
    );
    free().refuses_text("\"do\"", r#"{"x":1,"a":"b","x":2}"#, json!([bad("x", "unexpected", Some(2.into()), None)]));
}

#[test]
fn whatever_json_it_is_it_is_kept() {
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    for sent in
        [deep.as_str(), "1e999", "123456789012345678901234567890", r#""\ud800""#, r#"{"a":1,"a":2}"#, "[ 1 , 2 ]"]
    {
        let mut case = tool(json!({ "params": { "a": "place" } }));
        let (step, _) = case.send("\"do\"", &format!(r#"{{"a":{sent}}}"#));
        let refract::exec::Step::Refused(reasons) = step else { panic!("{sent} is no place") };
        let text = serde_json::to_string(&reasons).unwrap();
        assert!(
            text.contains(&format!(r#""problem":"unknown_object","value":{sent},"expects":"place""#)),
            "{text:.300}"
        );
    }
}

#[test]
fn lone_surrogates_are_no_faults_and_no_names() {
    tool(json!({ "params": { "a": "place" } }))
        .refuses_text(
            "\"do\"",
            r#"{"a":"b","\ud800":1,"\ud801":2}"#,
            json!([
                bad("\u{fffd}", "unexpected", Some(1.into()), None),
                bad("\u{fffd}", "unexpected", Some(2.into()), None)
            ]),
        )
        .says_text(r#""x\ud800y""#, "{}", "There is no tool 'x\u{fffd}y'.");
}
