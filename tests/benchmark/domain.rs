//! What the domain has to be: large enough, with gates that do not follow from one another.

use std::collections::{BTreeMap, BTreeSet};

use refract::world::{RelationKind, RoleId, ToolId};

use crate::worlds;

#[test]
fn it_is_a_real_domain() {
    let worlds = worlds();
    let domain = &worlds.values().next().unwrap().domain;
    let count = |kind| domain.relations.values().filter(|r| r.kind == kind).count();
    let classes: BTreeSet<_> = domain.tools.values().map(|tool| tool.class).collect();
    assert_eq!(domain.roles.keys().collect::<Vec<_>>(), ["operator", "technician", "controls", "planner", "manager"]);
    assert!(domain.capabilities.len() >= 10);
    assert!(domain.knowledge.len() >= 8);
    assert!(domain.sources.len() >= 8);
    assert!(domain.taxonomy.len() >= 8 && classes.len() >= 8);
    assert!(domain.tools.len() >= 45);
    assert!(count(RelationKind::Predicate) >= 25);
    assert!(count(RelationKind::Slot) >= 10);
}

#[test]
fn some_know_what_they_may_not_do_and_some_may_do_what_they_do_not_know() {
    let worlds = worlds();
    let domain = &worlds.values().next().unwrap().domain;
    let lacks = |capability: bool, knowledge: bool| {
        (0..domain.roles.len()).map(RoleId::from).any(|role| {
            (0..domain.tools.len()).map(ToolId::from).any(|tool| {
                let gates = domain.tool(tool).gates;
                let failed = domain.failed_gates(tool, role);
                gates.capability.is_some()
                    && gates.knowledge.is_some()
                    && (failed.capability.is_some(), failed.knowledge.is_some()) == (capability, knowledge)
            })
        })
    };
    assert!(lacks(true, false), "nobody knows what they may not do");
    assert!(lacks(false, true), "nobody may do what they do not know");
}

#[test]
fn routing_tools_name_a_role() {
    let worlds = worlds();
    let domain = &worlds.values().next().unwrap().domain;
    let role = refract::world::Types::ROLE;
    let targeted = domain.tools.values().filter(|tool| tool.routing && tool.params.iter().any(|p| p.ty == role));
    assert!(targeted.count() >= 1);
}

#[test]
fn no_two_tools_share_gates_slots_and_effects() {
    let text: serde_json::Value =
        serde_json::from_slice(&std::fs::read(crate::root().join("domain/industrial-maintenance.json")).unwrap())
            .unwrap();
    let mut seen: BTreeMap<String, &String> = BTreeMap::new();
    for (name, tool) in text["tools"].as_object().unwrap() {
        let key =
            ["capability", "knowledge", "source", "consumes", "produces", "effect"].map(|key| tool[key].to_string());
        // Readings have no effect: there it is what they show that tells them apart.
        let key = format!("{key:?} {} {}", tool["reveals"], tool["precondition"]);
        if let Some(other) = seen.insert(key, name) {
            panic!("{other} and {name} are one tool");
        }
    }
}
