//! The firing rule, sentence by sentence: variables, look-ups, inputs, effects (design §2, §3).
#![allow(clippy::unwrap_used)]

mod support;

use serde_json::{Value, json};
use support::table::tool;

fn unmet(literal: &str) -> Value {
    json!({ "reason": "precondition", "literal": literal })
}

fn not_produced(argument: &str, value: &str, expects: &str, matches: bool) -> Value {
    json!({ "reason": "not_produced", "argument": argument, "value": value, "expects": expects, "matches": matches })
}

#[test]
fn a_param_takes_objects_of_its_type_or_below() {
    let wrong = |value: &str| json!([{ "reason": "bad_argument", "argument": "a", "problem": "wrong_type", "value": value, "expects": "bed" }]);
    tool(json!({ "params": { "a": "place" }, "effect": ["locked(?a)"] }))
        .fires(json!({ "a": "p" }), "+locked(p)")
        .fires(json!({ "a": "b" }), "+locked(b)");
    tool(json!({ "params": { "a": "bed" } }))
        .fires(json!({ "a": "b" }), "")
        .refuses(json!({ "a": "p" }), wrong("p"))
        .refuses(json!({ "a": "wet" }), wrong("wet"))
        .refuses(json!({ "a": "ada" }), wrong("ada"));
    tool(json!({ "params": { "a": "object" } }))
        .fires(json!({ "a": "t" }), "")
        .fires(json!({ "a": "wet" }), "")
        .fires(json!({ "a": "yard" }), "")
        .fires(json!({ "a": "cy" }), "");
}

#[test]
fn names_that_begin_like_others_are_their_own() {
    tool(json!({ "params": { "a": "place" }, "precondition": ["locked(?a)"], "effect": ["near(?a, b1.1)"] }))
        .init("locked(b1)")
        .refuses(json!({ "a": "b" }), json!([unmet("locked(b)")]))
        .refuses(json!({ "a": "b1.1" }), json!([unmet("locked(b1.1)")]))
        .fires(json!({ "a": "b1" }), "+near(b1, b1.1)");
    tool(json!({ "effect": ["state(p, dry.)", "state-2(p, wet-ish)"] }))
        .init("state(p, dry); state-2(p, wet)")
        .fires(json!({}), "+state(p, dry.); +state-2(p, wet-ish); -state(p, dry)");
}

#[test]
fn two_params_may_take_one_object_unless_forbidden() {
    tool(json!({ "params": { "a": "place", "b": "place" }, "effect": ["near(?a, ?b)"] }))
        .fires(json!({ "a": "p", "b": "p" }), "+near(p, p)");
    tool(json!({ "params": { "a": "place", "b": "place" }, "precondition": ["?a != ?b"] }))
        .fires(json!({ "a": "p", "b": "b" }), "")
        .refuses(json!({ "a": "p", "b": "p" }), json!([unmet("p != p")]));
    tool(json!({ "params": { "a": "place" }, "precondition": ["?a = b", "b1 != ?a"] }))
        .fires(json!({ "a": "b" }), "")
        .refuses(json!({ "a": "b1" }), json!([unmet("b1 = b"), unmet("b1 != b1")]));
}

#[test]
fn self_is_the_acting_role() {
    let hand_over = || {
        tool(
            json!({ "params": { "what": "thing", "to": "role" }, "precondition": ["holder(?what, ?self)", "?to != ?self"], "effect": ["holder(?what, ?to)"] }),
        )
    };
    hand_over()
        .role("bo")
        .refuses(json!({ "what": "t", "to": "bo" }), json!([unmet("bo != bo")]))
        .fires(json!({ "what": "t", "to": "cy" }), "+holder(t, cy); -holder(t, bo)")
        .refuses(json!({ "what": "t", "to": "ada" }), json!([unmet("holder(t, bo)")]));
    hand_over().role("ada").refuses(json!({ "what": "t", "to": "bo" }), json!([unmet("holder(t, ada)")]));
}

#[test]
fn a_look_up_takes_the_value_of_a_functional_key() {
    let copy = || {
        tool(
            json!({ "params": { "a": "place", "b": "place" }, "precondition": ["state(?a, ?v)"], "effect": ["state(?b, ?v)"] }),
        )
    };
    copy()
        .init("state(p, dry); state(b, wet); state-2(p, wet)")
        .fires(json!({ "a": "p", "b": "b" }), "+state(b, dry); -state(b, wet)")
        .fires(json!({ "a": "b", "b": "b1" }), "+state(b1, dry)");
    copy().init("state(b, wet)").refuses(json!({ "a": "p", "b": "b" }), json!([unmet("state(p, ?v)")]));
}

#[test]
fn look_ups_chain_whatever_their_order() {
    let chain = |conditions: Value| {
        tool(json!({ "params": { "a": "place" }, "precondition": conditions, "effect": ["locked(?c)"] }))
    };
    for conditions in [json!(["next(?a, ?b)", "next(?b, ?c)"]), json!(["next(?b, ?c)", "next(?a, ?b)"])] {
        chain(conditions.clone()).init("next(p, b); next(b, b1)").fires(json!({ "a": "p" }), "+locked(b1)");
        // What hangs on a variable without a value is not reported.
        chain(conditions.clone()).init("next(b, b1)").refuses(json!({ "a": "p" }), json!([unmet("next(p, ?b)")]));
        chain(conditions).init("next(p, b)").refuses(json!({ "a": "p" }), json!([unmet("next(b, ?c)")]));
    }
}

#[test]
fn only_the_first_that_can_bind_binds() {
    let both = || {
        tool(
            json!({ "params": { "a": "place", "b": "place" }, "precondition": ["state(?a, ?v)", "state(?b, ?v)", "?v != wet"] }),
        )
    };
    let args = json!({ "a": "p", "b": "b" });
    both().init("state(p, dry); state(b, dry)").fires(args.clone(), "");
    both().init("state(p, dry); state(b, wet)").refuses(args.clone(), json!([unmet("state(b, dry)")]));
    both().init("state(p, wet); state(b, wet)").refuses(args.clone(), json!([unmet("wet != wet")]));
    // The second never binds, even where the first finds nothing.
    both().init("state(b, wet)").refuses(args, json!([unmet("state(p, ?v)")]));
}

#[test]
fn a_negated_or_plain_condition_reads_the_state() {
    tool(json!({ "params": { "a": "place" }, "precondition": ["not locked(?a)", "near(?a, b)", "raining", "pass", "not slip(?a)"] }))
        .init("near(p, b); locked(b1); raining")
        .given("pass")
        .fires(json!({ "a": "p" }), "")
        .refuses(json!({ "a": "b1" }), json!([unmet("not locked(b1)"), unmet("near(b1, b)")]));
    tool(json!({ "precondition": ["raining", "pass", "not slip(p)"] }))
        .given("slip(p)")
        .refuses(json!({}), json!([unmet("raining"), unmet("pass"), unmet("not slip(p)")]));
    // Not a look-up: negated, or no functional predicate.
    tool(json!({ "params": { "a": "place", "v": "val" }, "precondition": ["not state(?a, ?v)"] }))
        .init("state(p, dry)")
        .fires(json!({ "a": "p", "v": "wet" }), "")
        .refuses(json!({ "a": "p", "v": "dry" }), json!([unmet("not state(p, dry)")]));
}

#[test]
fn a_functional_predicate_has_one_value() {
    tool(json!({ "params": { "v": "val" }, "effect": ["state(p, ?v)", "mode(?v)"] }))
        .init("state(p, dry); state(b, dry)")
        .fires(json!({ "v": "wet" }), "+mode(wet); +state(p, wet); -state(p, dry)")
        .fires(json!({ "v": "wet" }), "")
        .fires(json!({ "v": "dry" }), "+mode(dry); +state(p, dry); -mode(wet); -state(p, wet)");
}

#[test]
fn a_default_is_a_value_and_a_delete_leaves_none() {
    let drop = || {
        tool(
            json!({ "params": { "what": "thing" }, "precondition": ["holder(?what, ?who)"], "effect": ["not holder(?what, ?who)"] }),
        )
    };
    drop()
        .fires(json!({ "what": "t" }), "-holder(t, bo)")
        .refuses(json!({ "what": "t" }), json!([unmet("holder(t, ?who)")]));
    drop().init("holder(t, cy)").fires(json!({ "what": "t" }), "-holder(t, cy)");
}

#[test]
fn an_input_was_produced_or_given() {
    tool(json!({ "params": { "a": "place" }, "consumes": { "with": "slip(?a)" }, "effect": ["locked(?a)"] }))
        .and("write", json!({ "params": { "a": "place" }, "produces": ["slip(?a)"] }))
        .given("slip(b)")
        .refuses(json!({ "a": "p", "with": "slip(p)" }), json!([not_produced("with", "slip(p)", "slip(p)", true)]))
        .fires(json!({ "a": "b", "with": "slip(b)" }), "+locked(b)")
        .fires_text("\"write\"", r#"{"a":"p"}"#, "*slip(p)")
        // Produced again: nothing new.
        .fires_text("\"write\"", r#"{"a":"p"}"#, "")
        .fires_text("\"write\"", r#"{"a":"b"}"#, "")
        .fires(json!({ "a": "p", "with": " slip ( p ) " }), "+locked(p)")
        // Values do not expire.
        .fires(json!({ "a": "p", "with": "slip(p)" }), "");
}

#[test]
fn a_persona_has_its_own_in_hand() {
    let show = || tool(json!({ "consumes": { "pass": "pass" } })).own_given("pass");
    let args = json!({ "pass": "pass" });
    show().fires(args.clone(), "");
    show().role("bo").refuses(args.clone(), json!([not_produced("pass", "pass", "pass", true)]));
    // A role without perspective has what is given to all.
    show().role("cy").refuses(args.clone(), json!([not_produced("pass", "pass", "pass", true)]));
    tool(json!({ "consumes": { "pass": "pass" } })).given("pass").role("cy").fires(args, "");
}

#[test]
fn a_value_that_matches_binds_even_unproduced() {
    tool(json!({ "consumes": { "what": "finding(?a, ?v)" }, "precondition": ["locked(?a)", "?v != wet"], "effect": ["state(?a, ?v)"] }))
        .init("locked(b)")
        .given("finding(b, dry)")
        .fires(json!({ "what": "finding(b,dry)" }), "+state(b, dry)")
        .refuses(
            json!({ "what": "finding(p,wet)" }),
            json!([unmet("locked(p)"), unmet("wet != wet"), not_produced("what", "finding(p, wet)", "finding(?a, ?v)", true)]),
        );
}

#[test]
fn a_value_that_does_not_match_binds_nothing() {
    let repair = || {
        tool(json!({ "params": { "a": "place" }, "consumes": { "what": "finding(?a, ?v)", "way": "road(?a, ?to)" },
                     "precondition": ["?v = wet", "locked(?to)", "not locked(?a)"], "effect": ["state(?to, ?v)"] }))
        .given("finding(b, wet); road(b, p); slip(b)")
        .init("locked(p)")
    };
    repair()
        .fires(json!({ "a": "b", "what": "finding(b, wet)", "way": "road(b, p)" }), "+state(p, wet)")
        // Another place: neither binds, and what hangs on them is silent.
        .refuses(
            json!({ "a": "p", "what": "finding(b, wet)", "way": "road(b, p)" }),
            json!([
                unmet("not locked(p)"),
                not_produced("what", "finding(b, wet)", "finding(p, ?v)", false),
                not_produced("way", "road(b, p)", "road(p, ?to)", false),
            ]),
        )
        // Another slot, in hand.
        .refuses(
            json!({ "a": "b", "what": "slip(b)", "way": "road(b, p)" }),
            json!([not_produced("what", "slip(b)", "finding(b, ?v)", false)]),
        );
}

#[test]
fn patterns_have_constants_repeats_and_what_earlier_arguments_bound() {
    tool(json!({ "consumes": { "what": "finding(?a, wet)" } }))
        .given("finding(p, dry); finding(p, wet)")
        .fires(json!({ "what": "finding(p, wet)" }), "")
        .refuses(
            json!({ "what": "finding(p, dry)" }),
            json!([not_produced("what", "finding(p, dry)", "finding(?a, wet)", false)]),
        );
    tool(json!({ "consumes": { "loop": "road(?a, ?a)" }, "effect": ["locked(?a)"] }))
        .given("road(p, p); road(p, b)")
        .fires(json!({ "loop": "road(p, p)" }), "+locked(p)")
        .refuses(json!({ "loop": "road(p, b)" }), json!([not_produced("loop", "road(p, b)", "road(?a, ?a)", false)]));
    tool(json!({ "consumes": { "there": "road(?a, ?b)", "back": "road(?b, ?a)" }, "effect": ["near(?a, ?b)"] }))
        .given("road(p, b); road(b, p); road(b, b1)")
        .fires(json!({ "there": "road(p, b)", "back": "road(b, p)" }), "+near(p, b)")
        .refuses(
            json!({ "there": "road(p, b)", "back": "road(b, b1)" }),
            json!([not_produced("back", "road(b, b1)", "road(b, p)", false)]),
        );
    // The first matches nothing, so the second binds on its own.
    tool(json!({ "consumes": { "one": "finding(?a, wet)", "two": "slip(?a)" }, "precondition": ["locked(?a)"] }))
        .given("finding(p, dry); slip(b)")
        .refuses(
            json!({ "one": "finding(p, dry)", "two": "slip(b)" }),
            json!([unmet("locked(b)"), not_produced("one", "finding(p, dry)", "finding(?a, wet)", false)]),
        );
}

#[test]
fn a_look_up_may_hang_on_an_input() {
    tool(json!({ "consumes": { "way": "road(?a, ?b)" }, "precondition": ["state(?b, ?v)"], "effect": ["state(?a, ?v)"] }))
        .given("road(p, b)")
        .init("state(b, wet)")
        .fires(json!({ "way": "road(p, b)" }), "+state(p, wet)")
        .refuses(
            json!({ "way": "road(b, b1)" }),
            json!([unmet("state(b1, ?v)"), not_produced("way", "road(b, b1)", "road(?a, ?b)", true)]),
        );
}

#[test]
fn effects_delete_first_then_add() {
    // Both deleted and added: it stays, in whatever order they stand.
    for effect in [json!(["not locked(p)", "locked(p)"]), json!(["locked(p)", "not locked(p)"])] {
        tool(json!({ "effect": effect })).init("locked(p)").fires(json!({}), "");
        tool(json!({ "effect": effect })).fires(json!({}), "+locked(p)").fires(json!({}), "");
    }
    tool(json!({ "params": { "v": "val" }, "effect": ["not state(p, ?v)", "state(p, wet)"] }))
        .init("state(p, dry)")
        .fires(json!({ "v": "dry" }), "+state(p, wet); -state(p, dry)")
        .fires(json!({ "v": "wet" }), "");
    tool(json!({ "effect": ["not raining", "not locked(p)", "not state(p, wet)"] }))
        .init("raining; state(p, dry)")
        .fires(json!({}), "-raining")
        .fires(json!({}), "");
}

#[test]
fn conditions_of_effects_read_the_old_state() {
    tool(json!({ "effect": [
        "not raining", "state(p, dry)",
        { "when": ["raining"], "then": ["locked(p)"] },
        { "when": ["state(p, dry)"], "then": ["locked(b)"] },
        { "when": ["not locked(p)", "wet != dry"], "then": ["locked(b1)"] },
        { "when": ["wet = dry"], "then": ["near(p, p)"] },
    ] }))
    .init("raining; state(p, wet)")
    .fires(json!({}), "+locked(b1); +locked(p); +state(p, dry); -raining; -state(p, wet)")
    .fires(json!({}), "+locked(b)");
}

#[test]
fn forall_runs_over_a_type_and_below() {
    tool(json!({ "effect": [{ "forall": { "x": "bed" }, "then": ["locked(?x)"] }] }))
        .fires(json!({}), "+locked(b); +locked(b1); +locked(b1.1)");
    tool(json!({ "effect": [{ "forall": { "x": "place" }, "when": ["locked(?x)"], "then": ["not locked(?x)", "near(?x, p)"] }] }))
        .init("locked(p); locked(b1)")
        .fires(json!({}), "+near(b1, p); +near(p, p); -locked(b1); -locked(p)");
    tool(json!({ "effect": [{ "forall": { "x": "bed", "y": "bed" }, "when": ["?x != ?y", "near(?x, ?y)"], "then": ["near(?y, ?x)"] }] }))
        .init("near(b, b); near(b, b1)")
        .fires(json!({}), "+near(b1, b)");
    // Constants and roles are objects of their types, too.
    tool(json!({ "effect": [{ "forall": { "v": "val" }, "then": ["state-2(p, ?v)"] }] }))
        .fires(json!({}), "+state-2(p, dry); +state-2(p, dry.); +state-2(p, wet); +state-2(p, wet-ish)");
    tool(
        json!({ "effect": [{ "forall": { "r": "role" }, "when": ["holder(t, ?r)"], "then": ["not holder(t, ?r)"] }] }),
    )
    .fires(json!({}), "-holder(t, bo)");
}

#[test]
fn forall_over_an_empty_type_does_nothing() {
    tool(json!({ "effect": ["raining", { "forall": { "x": "void", "v": "val" }, "then": ["dust(?x, ?v)", "locked(p)"] }] }))
        .fires(json!({}), "+raining");
}

#[test]
fn two_effects_may_use_one_forall_name() {
    tool(json!({ "effect": [
        { "forall": { "x": "bed" }, "when": ["locked(?x)"], "then": ["not locked(?x)"] },
        { "forall": { "x": "val" }, "when": ["state-2(p, ?x)"], "then": ["not state-2(p, ?x)"] },
    ] }))
    .init("locked(b); state-2(p, wet)")
    .fires(json!({}), "-locked(b); -state-2(p, wet)");
}

#[test]
fn two_values_for_one_key_are_a_conflict() {
    let set = || tool(json!({ "params": { "v": "val", "w": "val" }, "effect": ["state(p, ?v)", "state(p, ?w)"] }));
    set().fires(json!({ "v": "wet", "w": "wet" }), "+state(p, wet)").refuses(
        json!({ "v": "wet", "w": "dry" }),
        json!([{ "reason": "conflict", "key": "state(p)", "values": ["dry", "wet"] }]),
    );
    tool(json!({ "effect": [{ "forall": { "v": "val" }, "then": ["mode(?v)"] }] })).refuses(
        json!({}),
        json!([{ "reason": "conflict", "key": "mode", "values": ["dry", "dry.", "wet", "wet-ish"] }]),
    );
    tool(json!({ "effect": ["mode(wet)", { "when": ["raining"], "then": ["mode(dry)"] }] }))
        .fires(json!({}), "+mode(wet)");
    tool(json!({ "effect": ["mode(wet)", { "when": ["raining"], "then": ["mode(dry)"] }] }))
        .init("raining")
        .refuses(json!({}), json!([{ "reason": "conflict", "key": "mode", "values": ["dry", "wet"] }]));
    // Deleting one value and setting another is none.
    tool(json!({ "effect": ["not mode(wet)", "mode(dry)"] }))
        .init("mode(wet)")
        .fires(json!({}), "+mode(dry); -mode(wet)");
}

#[test]
fn a_conflict_is_looked_for_whenever_all_effect_variables_are_bound() {
    let conflict = json!({ "reason": "conflict", "key": "state(p)", "values": ["dry", "wet"] });
    let args = json!({ "v": "wet", "w": "dry", "with": "slip(p)" });
    // Bound in spite of what fails beside it, produced values included.
    tool(
        json!({ "params": { "v": "val", "w": "val" }, "consumes": { "with": "slip(?a)" }, "precondition": ["raining"],
                 "effect": ["state(?a, ?v)", "state(?a, ?w)"] }),
    )
    .refuses(args.clone(), json!([unmet("raining"), not_produced("with", "slip(p)", "slip(?a)", true), conflict]));
    // A look-up without a value that no effect needs does not hide it.
    tool(json!({ "params": { "v": "val", "w": "val" }, "precondition": ["next(p, ?n)"],
                 "effect": ["state(p, ?v)", "state(p, ?w)"] }))
    .refuses(json!({ "v": "wet", "w": "dry" }), json!([unmet("next(p, ?n)"), conflict]));
    // One that an effect needs does, conditions of effects included.
    for needs in [json!("locked(?n)"), json!({ "when": ["locked(?n)"], "then": ["raining"] })] {
        tool(json!({ "params": { "v": "val", "w": "val" }, "precondition": ["next(p, ?n)"],
                     "effect": ["state(p, ?v)", "state(p, ?w)", needs] }))
        .refuses(json!({ "v": "wet", "w": "dry" }), json!([unmet("next(p, ?n)")]));
    }
    tool(json!({ "params": { "v": "val", "w": "val", "a": "place" }, "consumes": { "with": "road(?a, ?b)" },
                 "effect": ["state(?b, ?v)", "state(?b, ?w)"] }))
    .refuses(
        json!({ "v": "wet", "w": "dry", "a": "p", "with": "road(b, b)" }),
        json!([not_produced("with", "road(b, b)", "road(p, ?b)", false)]),
    );
}

#[test]
fn every_reason_is_told_in_order() {
    tool(json!({
        "params": { "a": "place", "v": "val", "w": "val" }, "consumes": { "one": "slip(?a)", "two": "finding(?a, ?f)" },
        "capability": "hand", "knowledge": "lore",
        "precondition": ["not raining", "locked(?a)", "?f = dry"],
        "effect": ["state(?a, ?v)", "state(?a, ?w)", "mode(?v)", "mode(?w)"],
    }))
    .and("other", json!({}))
    .offered("other")
    .role("bo")
    .init("raining")
    .refuses(
        json!({ "a": "p", "v": "wet", "w": "dry", "one": "slip(p)", "two": "finding(p, wet)" }),
        json!([
            { "reason": "not_offered", "tool": "do" },
            unmet("not raining"),
            unmet("locked(p)"),
            unmet("wet = dry"),
            not_produced("one", "slip(p)", "slip(p)", true),
            not_produced("two", "finding(p, wet)", "finding(p, ?f)", true),
            { "reason": "conflict", "key": "state(p)", "values": ["dry", "wet"] },
            { "reason": "conflict", "key": "mode", "values": ["dry", "wet"] },
            { "reason": "capability", "needs": "hand" },
            { "reason": "knowledge", "needs": "lore" },
        ]),
    );
}

#[test]
fn gates_ask_the_role_alone() {
    let needs = |reason: &str, needs: &str| json!({ "reason": reason, "needs": needs });
    let check = |definition: Value, bo: Value, cy: Value| {
        tool(definition.clone()).fires(json!({}), "");
        for (role, reasons) in [("bo", bo), ("cy", cy)] {
            let case = tool(definition.clone()).role(role);
            if reasons == json!([]) {
                case.fires(json!({}), "")
            } else {
                case.refuses(json!({}), reasons)
            };
        }
    };
    check(json!({}), json!([]), json!([]));
    check(json!({ "capability": "sign" }), json!([]), json!([needs("capability", "sign")]));
    check(json!({ "knowledge": "law" }), json!([]), json!([needs("knowledge", "law")]));
    check(json!({ "source": "book" }), json!([needs("knowledge", "lore")]), json!([needs("knowledge", "lore")]));
    check(json!({ "source": "book", "knowledge": "law" }), json!([]), json!([needs("knowledge", "law")]));
    check(json!({ "source": "book", "knowledge": null }), json!([]), json!([]));
    check(json!({ "source": "sky" }), json!([]), json!([]));
    check(
        json!({ "source": "book", "capability": "hand" }),
        json!([needs("capability", "hand"), needs("knowledge", "lore")]),
        json!([needs("capability", "hand"), needs("knowledge", "lore")]),
    );
}

#[test]
fn a_refusal_costs_a_call_and_a_call_over_budget_nothing() {
    tool(json!({ "params": { "a": "place" }, "precondition": ["not locked(?a)"], "effect": ["locked(?a)"] }))
        .budget(3)
        .fires(json!({ "a": "p" }), "+locked(p)")
        .refuses(json!({ "a": "p" }), json!([unmet("not locked(p)")]))
        .fires(json!({ "a": "b" }), "+locked(b)")
        .over_budget(json!({ "a": "b1" }))
        .over_budget(json!({ "a": "b1" }));
    tool(json!({})).budget(0).over_budget(json!({}));
}
