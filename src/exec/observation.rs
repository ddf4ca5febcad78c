//! What the agent reads back (design §3).

use serde::{Deserialize, Serialize};

use super::{ArgumentProblem, Bindings, Outcome, Reason, Request, State, fact_words, literal_words};
use crate::world::{FactId, Reveal, RoleId, Tool, World};

/// How much a refusal says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Feedback {
    /// The first thing that applies, and nothing of the hidden state.
    #[default]
    Hidden,
    /// Also names the gate.
    Named,
    /// Only that it was refused.
    Bare,
}

/// What one call told the agent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Observation {
    /// The tool's report, or why it was refused.
    pub report: String,
    /// The facts that it listed, in the order of the tool's patterns.
    pub facts: Vec<FactId>,
    /// The slot values that it handed over, known before or not.
    pub values: Vec<FactId>,
}

/// What is read back from a call beyond the budget.
pub const OVER_BUDGET: &str = "Over budget: no calls are left.";

impl Observation {
    /// What the agent reads back from a call. `before` is the state it was made in.
    pub fn of(
        world: &World,
        role: RoleId,
        feedback: Feedback,
        before: &State,
        request: &Request,
        outcome: &Outcome,
    ) -> Self {
        match (outcome, request) {
            (Outcome::Fired(changes), Request::Call(call)) => {
                let tool = world.domain.tool(call.tool);
                let bindings = Bindings::of(world, role, before, call);
                let report = match &tool.observation {
                    Some(template) => template.fill(|var| bindings.get(var).map_or("?", |s| world.symbol_name(s))),
                    None => "Done.".to_owned(),
                };
                let mut after = before.clone();
                changes.apply(&mut after);
                let mut facts = Vec::new();
                for reveal in &tool.reveals {
                    for fact in revealed(world, &bindings, &after, reveal) {
                        if !facts.contains(&fact) {
                            facts.push(fact);
                        }
                    }
                }
                let values =
                    tool.produces.iter().filter_map(|atom| bindings.ground(world, atom).ok().flatten()).collect();
                Observation { report, facts, values }
            }
            (Outcome::Refused(reasons), _) => {
                let report = refusal_words(world, role, feedback, before, request, reasons);
                Observation { report, ..Observation::default() }
            }
            (Outcome::Fired(_), _) => Observation::default(),
        }
    }

    /// One text: the report, then a line for each fact and each value.
    pub fn text(&self, world: &World) -> String {
        let mut text = self.report.clone();
        for &fact in &self.facts {
            text.push('\n');
            text.push_str(&sentence(&fact_words(world, fact)));
        }
        for &value in &self.values {
            text.push_str("\nIn hand: ");
            text.push_str(&world.fact_text(value));
        }
        text
    }
}

/// Whether a call that fires tells of a fact, one way or the other: it lists the fact, or would list it
/// if it were so. `before` is the state that the call was made in.
pub fn looked_at(world: &World, role: RoleId, before: &State, call: &super::Call, fact: FactId) -> bool {
    let bindings = Bindings::of(world, role, before, call);
    world.domain.tool(call.tool).reveals.iter().any(|reveal| matches(world, &bindings, reveal, fact))
}

/// The facts that match a pattern.
fn revealed(world: &World, bindings: &Bindings, state: &State, reveal: &Reveal) -> Vec<FactId> {
    let facts = state.iter_in(world.facts.range(reveal.relation));
    facts.filter(|&fact| matches(world, bindings, reveal, fact)).collect()
}

/// Whether a fact matches a pattern: params, consumed values and `?self` bound, the rest free.
fn matches(world: &World, bindings: &Bindings, reveal: &Reveal, fact: FactId) -> bool {
    let mut wanted = reveal.args.iter().zip(world.facts.args(fact));
    world.facts.relation(fact) == reveal.relation
        && wanted.all(|(arg, is)| arg.and_then(|term| bindings.term(term)).is_none_or(|want| want == is))
}

fn refusal_words(
    world: &World,
    role: RoleId,
    feedback: Feedback,
    state: &State,
    request: &Request,
    reasons: &[Reason],
) -> String {
    if feedback == Feedback::Bare {
        return "Refused.".to_owned();
    }
    let no_such_tool = |name: &str| format!("There is no tool '{name}'.");
    if let Request::UnknownTool(sent) = request {
        return no_such_tool(&sent.as_string().unwrap_or_else(|| sent.as_str().to_owned()));
    }
    let Some(tool_id) = request.tool() else { return String::new() };
    if reasons.contains(&Reason::NotOffered) {
        return no_such_tool(world.domain.tool_name(tool_id));
    }
    let gates = world.domain.failed_gates(tool_id, role);
    if gates != crate::world::Gates::default() {
        return gate_words(world, feedback, gates);
    }
    match request {
        Request::Malformed { faults, .. } => {
            let faults: Vec<String> = faults
                .iter()
                .map(|fault| match (&fault.argument, fault.problem) {
                    (Some(name), problem) => format!("{name} ({})", problem.words()),
                    (None, problem) => ArgumentProblem::words(problem).to_owned(),
                })
                .collect();
            format!("Bad arguments: {}.", faults.join(", "))
        }
        Request::Call(call) => {
            let tool = world.domain.tool(tool_id);
            missing_inputs(world, tool, call, reasons)
                .or_else(|| unmet(world, role, state, call, reasons))
                .unwrap_or_else(|| "That would contradict itself.".to_owned())
        }
        Request::UnknownTool(_) => String::new(),
    }
}

fn gate_words(world: &World, feedback: Feedback, gates: crate::world::Gates) -> String {
    if feedback != Feedback::Named {
        return "This user may not do that.".to_owned();
    }
    let capability = gates.capability.map(|id| ("capability", world.domain.capability_name(id)));
    let knowledge = gates.knowledge.map(|id| ("knowledge", world.domain.knowledge_name(id)));
    let needs: Vec<String> =
        capability.into_iter().chain(knowledge).map(|(kind, name)| format!("the {kind} '{name}'")).collect();
    format!("This user may not do that: it takes {}.", needs.join(" and "))
}

fn missing_inputs(world: &World, tool: &Tool, call: &super::Call, reasons: &[Reason]) -> Option<String> {
    let missing: Vec<String> = reasons
        .iter()
        .filter_map(|reason| match reason {
            Reason::NotProduced { argument, matches } => {
                let value = world.fact_text(call.consumed[*argument]);
                let unfit = if *matches { "" } else { " does not fit" };
                Some(format!("{} ({value}{unfit})", tool.consumes[*argument].name))
            }
            _ => None,
        })
        .collect();
    (!missing.is_empty()).then(|| format!("Not at hand: {}.", missing.join(", ")))
}

fn unmet(world: &World, role: RoleId, state: &State, call: &super::Call, reasons: &[Reason]) -> Option<String> {
    let tool = world.domain.tool(call.tool);
    let bindings = Bindings::of(world, role, state, call);
    let unmet: Vec<String> = reasons
        .iter()
        .filter_map(|reason| match reason {
            Reason::Precondition(index) => Some(literal_words(world, tool, &bindings, &tool.precondition[*index])),
            _ => None,
        })
        .collect();
    (!unmet.is_empty()).then(|| format!("This is needed first: {}.", unmet.join("; ")))
}

/// Ends like a sentence; its case stays, for agents copy names from here.
fn sentence(words: &str) -> String {
    let end = if words.ends_with(['.', '!', '?', ')']) { "" } else { "." };
    format!("{words}{end}")
}
