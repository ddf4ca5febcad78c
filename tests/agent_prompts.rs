//! What agents are sent: nothing of gates, goals and facts, in shapes that endpoints accept.
#![allow(clippy::unwrap_used)]

mod support;

use std::{path::Path, sync::Arc};

use refract::{
    agent::Prompt,
    exec::Opening,
    world::{ToolsetId, World},
};
use serde_json::{Value, json};
use support::worlds;

fn read(folder: &str) -> Vec<(String, String)> {
    worlds::texts(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), ".json")
}

/// Every role's prompt with every tool set, also of roles without a perspective.
fn prompts(world: &Arc<World>) -> Vec<Prompt> {
    let roles = (0..world.domain.roles.len()).map(Into::into);
    roles
        .flat_map(|role| {
            let sets = (0..world.problem.toolsets.len()).map(ToolsetId::from);
            sets.map(move |set| Prompt::of(&Opening::of(world, role, set))).collect::<Vec<_>>()
        })
        .collect()
}

/// The same domain where everybody may do and judges everything, and no tool asks for it.
fn without_gates(domain: &str) -> String {
    let mut domain: Value = serde_json::from_str(domain).unwrap();
    let mut removed = 0;
    for tool in domain["tools"].as_object_mut().unwrap().values_mut() {
        for gate in ["capability", "knowledge"] {
            removed += usize::from(tool.as_object_mut().unwrap().remove(gate).is_some());
        }
    }
    assert!(removed > 50, "{removed} gates");
    for role in domain["roles"].as_object_mut().unwrap().values_mut() {
        role["capabilities"] = json!([]);
        role["knowledge"] = json!([]);
    }
    domain.to_string()
}

/// The same entry where each role has the next one's goal and reference, and nothing is true but what defaults say.
fn with_other_goals(problem: &str) -> String {
    let mut problem: Value = serde_json::from_str(problem).unwrap();
    let perspectives = problem["perspectives"].as_object_mut().unwrap();
    let goals: Vec<[Value; 2]> =
        perspectives.values().map(|own| ["goal", "reference"].map(|key| own[key].clone())).collect();
    for (own, [goal, reference]) in perspectives.values_mut().zip(goals.iter().cycle().skip(1)) {
        own["goal"] = goal.clone();
        own["reference"] = reference.clone();
    }
    problem["init"] = json!([]);
    problem.to_string()
}

#[test]
fn a_prompt_says_nothing_of_gates_goals_and_facts() {
    let (_, domain) = &read("domain")[0];
    let open = without_gates(domain);
    let mut looked_at = 0;
    for (name, problem) in read("problems") {
        let told = prompts(&worlds::world(domain, &problem));
        // What decides the execution and is hidden can change at will: the agent reads the same.
        assert_eq!(told, prompts(&worlds::world(&open, &with_other_goals(&problem))), "{name}");
        looked_at += told.len();
    }
    assert!(looked_at >= 12 * 5 * 3, "{looked_at} prompts");
}

#[test]
fn a_prompt_holds_no_text_of_gates_goals_and_facts() {
    let (_, domain) = &read("domain")[0];
    for (name, problem) in read("problems") {
        let world = worlds::world(domain, &problem);
        let World { domain, problem, .. } = &*world;
        let gates = domain.capabilities.values().chain(domain.knowledge.values()).map(|gate| gate.text.clone());
        let literals = problem.perspectives.values().flat_map(|own| own.goal.alternatives.iter().flatten());
        let facts = literals.filter_map(|literal| literal.fact.ok()).chain(problem.init.iter().copied());
        let given = |fact: &String| problem.given.iter().any(|own| world.fact_text(*own) == *fact);
        let hidden: Vec<String> = gates.chain(facts.map(|fact| world.fact_text(fact))).filter(|t| !given(t)).collect();
        for prompt in prompts(&world) {
            let own: Vec<String> =
                prompt.system.lines().filter_map(|line| line.strip_prefix("In hand: ")).map(str::to_owned).collect();
            let sent = prompt.openai().to_string();
            for text in hidden.iter().filter(|text| text.len() > 8 && !own.iter().any(|own| own.contains(*text))) {
                assert!(!sent.contains(text.as_str()), "{name}: {text}");
            }
        }
    }
}

/// JSON Schemas of the arguments, held against calls by a validator of others.
#[test]
fn the_schemas_take_the_references_and_refuse_what_is_none() {
    let (_, domain) = &read("domain")[0];
    let mut calls = 0;
    for (_, problem) in read("problems") {
        let world = worlds::world(domain, &problem);
        for (&role, own) in &world.problem.perspectives {
            let prompt = Prompt::of(&Opening::of(&world, role, ToolsetId(0)));
            for call in &own.reference {
                let name = world.domain.tool_name(call.tool);
                let tool = prompt.tools.iter().find(|tool| tool.name == name).unwrap();
                let schema = jsonschema::validator_for(&tool.parameters).unwrap();
                let args: Value = serde_json::from_str(&call.args).unwrap();
                assert!(schema.is_valid(&args), "{name} {args}");
                let mut more = args.clone();
                more["surplus"] = json!("x");
                assert!(!schema.is_valid(&more), "{name} takes a surplus argument");
                for key in args.as_object().unwrap().keys() {
                    let mut less = args.clone();
                    less.as_object_mut().unwrap().remove(key);
                    assert!(!schema.is_valid(&less), "{name} without {key}");
                }
                calls += 1;
            }
        }
    }
    assert!(calls > 150, "{calls} calls");
}

#[test]
fn finish_is_offered_last_and_takes_nothing() {
    let (_, domain) = &read("domain")[0];
    let world = worlds::world(domain, &read("problems")[0].1);
    for prompt in prompts(&world) {
        let finish = prompt.tools.last().unwrap();
        assert_eq!(finish.name, "finish");
        let schema = jsonschema::validator_for(&finish.parameters).unwrap();
        assert!(schema.is_valid(&json!({})) && !schema.is_valid(&json!({ "asset": "fan-4" })));
        let (openai, anthropic) = (prompt.openai(), prompt.anthropic());
        assert_eq!(openai["tools"].as_array().unwrap().len(), prompt.tools.len());
        assert_eq!(openai["tools"][0]["function"]["parameters"], anthropic["tools"][0]["input_schema"]);
        assert_eq!(openai["messages"][1]["content"], anthropic["messages"][0]["content"]);
        assert_eq!(openai["messages"][0]["content"], anthropic["system"]);
    }
}
