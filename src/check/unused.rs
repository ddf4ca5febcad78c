//! Names that serve nothing.

use std::{collections::HashSet, ops::Range, sync::Arc};

use super::Findings;
use crate::{
    exec::Request,
    world::{Diagnostic, Domain, RelationId, RelationKind, RoleId, SymbolId, ToolId, World, adds, reads},
};

/// Checks a domain by itself: what no tool reads or adds, and tools that nobody can use.
pub fn check_domain(domain: &Arc<Domain>) -> Vec<Diagnostic> {
    let mut findings = Findings::new(&domain.file);
    relations(domain, &mut findings);
    gates_and_sources(domain, &mut findings);
    for (index, (name, tool)) in domain.tools.iter().enumerate() {
        if !(0..domain.roles.len()).any(|role| domain.may(ToolId::from(index), RoleId::from(role))) {
            let help = "no role holds all of its gates";
            findings.warning("unusable-tool", &tool.span, format!("no role can use '{name}'"), help);
        }
    }
    findings.sorted()
}

/// Checks a problem's objects: those that its facts, goals and references never name.
pub fn check_objects(world: &World) -> Vec<Diagnostic> {
    let problem = &world.problem;
    let mut named: HashSet<SymbolId> = HashSet::new();
    let perspectives = || problem.perspectives.values();
    let facts = problem.init_written.iter().chain(&problem.given).chain(perspectives().flat_map(|p| &p.given));
    let goals = perspectives().flat_map(|p| p.goal.alternatives.iter().flatten()).filter_map(|l| l.fact.as_ref().ok());
    for &fact in facts.chain(goals) {
        named.extend(world.facts.args(fact));
    }
    for call in perspectives().flat_map(|p| &p.reference) {
        if let Request::Call(call) = Request::for_tool(world, call.tool, &call.args) {
            named.extend(call.params.iter().copied());
            named.extend(call.consumed.iter().flat_map(|&value| world.facts.args(value)));
        }
    }
    let mut findings = Findings::new(&problem.file);
    for (index, name) in problem.objects.keys().enumerate() {
        let symbol = SymbolId::from(world.domain.constants.len() + world.domain.roles.len() + index);
        if !named.contains(&symbol) {
            let message = format!("nothing names the object '{name}'");
            findings.warning(
                "unused",
                &problem.spans.objects[index],
                message,
                "no fact, goal or reference is about it",
            );
        }
    }
    findings.sorted()
}

fn relations(domain: &Domain, findings: &mut Findings) {
    let (mut read, mut added, mut routed) = (HashSet::new(), HashSet::new(), HashSet::new());
    for tool in domain.tools.values() {
        read.extend(reads(tool).chain(tool.reveals.iter().map(|reveal| reveal.relation)));
        if tool.routing { &mut routed } else { &mut added }.extend(adds(tool));
    }
    for (index, (name, relation)) in domain.relations.iter().enumerate() {
        let id = RelationId::from(index);
        if !read.contains(&id) && !added.contains(&id) && !routed.contains(&id) {
            let help = "no tool asks for it, shows it or makes it";
            findings.warning("unused", &relation.span, format!("nothing reads or adds '{name}'"), help);
        }
        if relation.kind == RelationKind::Predicate && added.contains(&id) && routed.contains(&id) {
            let help = "its goals count as routing: split it, or let routing tools alone add it";
            findings.warning(
                "added-by-both",
                &relation.span,
                format!("routing and other tools both add '{name}'"),
                help,
            );
        }
    }
}

fn gates_and_sources(domain: &Domain, findings: &mut Findings) {
    let tools = || domain.tools.values();
    let mut unless = |used: bool, name: &str, span: &Range<usize>| {
        if !used {
            let message = format!("nothing reads or adds '{name}'");
            findings.warning("unused", span, message, "no tool asks for it");
        }
    };
    for (index, (name, gate)) in domain.capabilities.iter().enumerate() {
        unless(tools().any(|tool| tool.gates.capability.is_some_and(|id| id.index() == index)), name, &gate.span);
    }
    for (index, (name, gate)) in domain.knowledge.iter().enumerate() {
        let asked = tools().filter_map(|tool| tool.gates.knowledge);
        let read = domain.sources.values().filter_map(|source| source.knowledge);
        unless(asked.chain(read).any(|id| id.index() == index), name, &gate.span);
    }
    for (index, (name, source)) in domain.sources.iter().enumerate() {
        unless(tools().any(|tool| tool.source.is_some_and(|id| id.index() == index)), name, &source.span);
    }
}
