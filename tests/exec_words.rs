//! What an agent reads: observations, refusals that leak nothing, the opening (design §3).
#![allow(clippy::unwrap_used)]

mod support;

use refract::exec::{Feedback, Opening};
use refract::world::ToolsetId;
use serde_json::json;
use support::table::{Case, tool};

#[test]
fn a_firing_reports_and_reveals() {
    tool(json!({ "params": { "a": "place" }, "effect": ["state(?a, wet)"], "produces": ["slip(?a)"],
                 "reveals": ["state(?a, ?any)", "near(?x, ?y)", "holder(t, ?who)", "locked(p)", "state(?a, wet)"],
                 "observation": "{self} looked at {a}: {{ok}}." }))
    .init("state(p, dry); near(p, b); near(b1, p); locked(b)")
    .says(
        json!({ "a": "p" }),
        "ada looked at p: {ok}.\np is wet.\nnear(p, b)\nnear(b1, p)\nholder(t, bo)\nIn hand: slip(p)",
    )
    // In hand before, handed over again.
    .says(
        json!({ "a": "p" }),
        "ada looked at p: {ok}.\np is wet.\nnear(p, b)\nnear(b1, p)\nholder(t, bo)\nIn hand: slip(p)",
    );
    tool(json!({ "effect": ["raining"] })).says(json!({}), "Done.");
}

#[test]
fn look_ups_are_free_in_what_is_revealed_and_inputs_are_bound() {
    tool(json!({ "params": { "a": "place" }, "consumes": { "with": "finding(?b, ?v)" }, "precondition": ["state(?a, ?w)"],
                 "reveals": ["state(?x, ?w)", "state-2(?b, ?v)"], "observation": "{a} {w}, {b} {v}." }))
    .given("finding(b, dry)")
    .init("state(p, wet); state(b, dry); state-2(b, dry); state-2(b, wet); state-2(p, dry)")
    .says(json!({ "a": "p", "with": "finding(b, dry)" }), "p wet, b dry.\np is wet.\nb is dry.\nstate-2(b, dry)");
}

/// Everything is wrong with it at once; the look-ups hold what must not be told.
fn everything() -> Case {
    tool(json!({ "params": { "a": "place" }, "consumes": { "with": "slip(?a)" }, "capability": "hand", "knowledge": "lore",
                 "precondition": ["state(?a, ?secret)", "state(b, ?secret)", "?secret != dry.", "locked(?a)"],
                 "effect": ["mode(wet)", { "then": ["mode(dry)"], "when": ["near(b1, b1)"] }] }))
    .and("other", json!({}))
    .init("state(p, dry.); state(b, wet-ish); near(b1, b1)")
}

#[test]
fn hidden_feedback_tells_the_first_that_applies() {
    let args = || json!({ "a": "p", "with": "slip(p)" });
    let offered = |role| everything().role(role);
    everything().offered("other").role("cy").says(args(), "There is no tool 'do'.");
    everything().says_text("\"dont\"", "{}", "There is no tool 'dont'.");
    offered("cy").says(args(), "This user may not do that.");
    offered("bo").says(json!({ "a": 1 }), "This user may not do that.");
    offered("ada")
        .says(json!({ "a": 1, "z": 2 }), "Bad arguments: a (unknown object), with (missing), z (unexpected).");
    offered("ada").says_text("\"do\"", "7", "Bad arguments: not an object.");
    offered("ada").says(args(), "Not at hand: with (slip(p)).");
    offered("ada")
        .given("slip(p); pass")
        .says(json!({ "a": "p", "with": "pass" }), "Not at hand: with (pass does not fit).");
    offered("ada")
        .given("slip(p)")
        .says(args(), "This is needed first: b is some secret; some secret must not be dry.; p is locked.");
    offered("ada").given("slip(p)").init("").says(args(), "This is needed first: p is some secret; p is locked.");
    offered("ada")
        .given("slip(p)")
        .init("state(p, dry); state(b, dry); locked(p); near(b1, b1)")
        .says(args(), "That would contradict itself.");
}

#[test]
fn a_comparison_says_what_is_required() {
    let pair = |literal: &str| tool(json!({ "params": { "a": "place", "b": "place" }, "precondition": [literal] }));
    let args = |a: &str, b: &str| json!({ "a": a, "b": b });
    for (literal, sent, expected) in [
        ("?a != ?b", args("p", "p"), "a must not be p"),
        ("?a = ?b", args("p", "b"), "a must be b"),
        ("p != ?b", args("b", "p"), "b must not be p"),
        ("?a = p", args("b", "p"), "a must be p"),
    ] {
        pair(literal).says(sent, &format!("This is needed first: {expected}."));
    }
    let role = || tool(json!({ "params": { "to": "role" }, "precondition": ["?self != ?to"] }));
    role().role("ada").says(json!({ "to": "ada" }), "This is needed first: to must not be ada.");
}

#[test]
fn no_refusal_leaks_what_was_looked_up_or_asked_of_the_role() {
    for role in ["ada", "bo", "cy"] {
        for (given, with) in [("", "slip(p)"), ("slip(p)", "slip(p)"), ("pass", "pass")] {
            let mut case = everything().role(role).given(given);
            let (_, observation) = case.send("\"do\"", &json!({ "a": "p", "with": with }).to_string());
            for secret in ["wet-ish", "hand'", "lore", "capability", "knowledge", "near"] {
                assert!(!observation.report.contains(secret), "{role} reads {secret}: {}", observation.report);
            }
        }
    }
}

#[test]
fn a_tool_that_is_not_offered_reads_like_one_that_is_none() {
    for feedback in [Feedback::Hidden, Feedback::Named, Feedback::Bare] {
        let reads = |known: bool| {
            let case = if known { tool(json!({})).and("other", json!({})).offered("other") } else { tool(json!({})) };
            let mut case = case.feedback(feedback);
            case.send(if known { "\"do\"" } else { "\"xx\"" }, "{}").1.report.replace("xx", "do")
        };
        assert_eq!(reads(true), reads(false));
    }
}

#[test]
fn named_feedback_names_the_gates_and_bare_nothing() {
    let args = || json!({ "a": "p", "with": "slip(p)" });
    let named = |role| everything().feedback(Feedback::Named).role(role);
    named("cy").says(args(), "This user may not do that: it takes the capability 'hand' and the knowledge 'lore'.");
    tool(json!({ "source": "book" }))
        .feedback(Feedback::Named)
        .role("bo")
        .says(json!({}), "This user may not do that: it takes the knowledge 'lore'.");
    named("ada").says(args(), "Not at hand: with (slip(p)).");
    for role in ["ada", "cy"] {
        everything().feedback(Feedback::Bare).role(role).says(args(), "Refused.");
        everything().feedback(Feedback::Bare).role(role).says_text("\"dont\"", "7", "Refused.");
    }
    tool(json!({ "observation": "Well." })).feedback(Feedback::Bare).says(json!({}), "Well.");
}

#[test]
fn the_opening_tells_neither_gates_nor_goals_nor_facts() {
    let (domain, problem) = everything().given("pass").own_given("slip(b)").init("state(p, wet-ish); raining").files();
    let world = support::worlds::world(&domain, &problem);
    let told = |role: &str| Opening::of(&world, world.domain.role_id(role).unwrap(), ToolsetId(0));
    let ada = told("ada");
    assert_eq!((ada.persona.as_str(), ada.query.as_str(), ada.budget), ("A.", "?", 100));
    assert_eq!(ada.given, ["pass", "slip(b)"]);
    assert_eq!(told("bo").given, ["pass"]);
    assert_eq!((told("cy").persona.as_str(), told("cy").given), ("", vec!["pass".to_owned()]));
    let groups: Vec<(&str, Vec<&str>)> =
        ada.objects.iter().map(|g| (g.ty.as_str(), g.names.iter().map(String::as_str).collect())).collect();
    assert_eq!(
        groups,
        [
            ("role", vec!["ada", "bo", "cy"]),
            ("place", vec!["p", "yard"]),
            ("bed", vec!["b", "b1", "b1.1"]),
            ("thing", vec!["t"]),
            ("val", vec!["wet", "dry", "wet-ish", "dry."]),
        ]
    );
    let text = ada.text();
    for secret in ["hand\n", "'hand'", "lore", "raining", "state(", "goal", "locked"] {
        assert!(!text.contains(secret), "tells {secret}:\n{text}");
    }
    for told in [
        "A.",
        "In hand: pass, slip(b)",
        "Calls you may make: 100",
        "- do: Do.",
        "a: a name of type place",
        "with: a value of slip(place)",
    ] {
        assert!(text.contains(told), "does not tell {told}:\n{text}");
    }
}
