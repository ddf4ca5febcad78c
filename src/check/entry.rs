//! The rules that each entry has to keep.

use std::sync::Arc;

use super::{Findings, can_break, plan};
use crate::{
    exec::{Episode, Feedback, Refusal, Request, State, Step, Terms},
    plan::Distance,
    text::count,
    world::{Diagnostic, Gates, Perspective, ReferenceCall, RoleId, ToolsetId, World},
};

/// Checks one entry: perspectives, budget, tool sets, references, goals, guards.
pub fn check_entry(world: &Arc<World>) -> Vec<Diagnostic> {
    let mut findings = Findings::new(&world.problem.file);
    perspectives(world, &mut findings);
    toolsets(world, &mut findings);
    for (&role, perspective) in &world.problem.perspectives {
        goal(world, role, perspective, &mut findings);
        let distance = plan::distance(world, role, perspective, &mut findings);
        if reference(world, role, perspective, distance, &mut findings) {
            plan::shortest(world, role, perspective, distance, &mut findings);
        }
    }
    pairs(world, &mut findings);
    findings.sorted()
}

fn perspectives(world: &World, findings: &mut Findings) {
    let problem = &world.problem;
    if problem.perspectives.len() < 2 {
        let message = "an entry has two perspectives or more".to_owned();
        let help = "add the side of another role: the same query, another trajectory";
        findings.error("one-perspective", &problem.spans.perspectives, message, help);
    }
    let longest = problem.perspectives.values().map(|p| p.reference.len()).max().unwrap_or(0);
    if longest < 2 {
        let message = "no reference of this entry has two calls or more".to_owned();
        let help = "at least one role should have something to do in more than one step";
        findings.error("reference-too-short", &problem.spans.perspectives, message, help);
    }
    if (problem.budget as usize) < longest {
        let message =
            format!("the budget is {} and the longest reference has {}", problem.budget, count(longest, "call"));
        findings.error("budget-too-small", &problem.spans.budget, message, "raise the budget");
    }
}

fn toolsets(world: &World, findings: &mut Findings) {
    let domain = &world.domain;
    let sets: Vec<_> = world.problem.toolsets.iter().collect();
    for pair in sets.windows(2) {
        let ((small_name, small), (large_name, large)) = (pair[0], pair[1]);
        if let Some(tool) = small.tools.iter().find(|tool| !large.offered[tool.index()]) {
            let message = format!("'{large_name}' lacks '{}', which '{small_name}' has", domain.tool_name(*tool));
            findings.error("toolsets-not-nested", &large.span, message, "each tool set contains the one before");
        } else if small.tools.len() == large.tools.len() {
            let message = format!("'{large_name}' offers the same tools as '{small_name}'");
            findings.warning("equal-toolsets", &large.span, message, "a wider set should offer more");
        }
    }
}

/// Whether the first tool set has every tool of the plan; where it has not, the plan is not run.
fn offered(world: &World, plan: &[ReferenceCall]) -> bool {
    plan.iter().all(|call| world.problem.toolsets[0].offered[call.tool.index()])
}

/// Says whether the reference fires and reaches its goal. That it misses one that nothing reaches
/// merely follows.
fn reference(
    world: &Arc<World>,
    role: RoleId,
    perspective: &Perspective,
    distance: Distance,
    findings: &mut Findings,
) -> bool {
    let plan = &perspective.reference;
    let role_name = world.domain.role_name(role);
    for call in plan.iter().filter(|call| !offered(world, std::slice::from_ref(call))) {
        let message = format!("the first tool set lacks '{}'", world.domain.tool_name(call.tool));
        findings.error("reference-not-offered", &call.span, message, "the first set has every tool of every reference");
    }
    if !offered(world, plan) {
        return false;
    }
    let run = run(world, role, plan);
    if let Some((index, reasons)) = &run.first_refusal {
        let reasons: Vec<String> = reasons.iter().map(Refusal::to_string).collect();
        let tool = world.domain.tool_name(plan[*index].tool);
        let message = format!("the reference of the {role_name} is refused at '{tool}': {}", reasons.join("; "));
        findings.error("reference-refused", &plan[*index].span, message, "each call of a reference fires");
    } else if !perspective.goal.holds(&run.end) && distance != Distance::Never {
        let (alternative, share) = perspective.goal.best(&run.end);
        let literals = perspective.goal.alternatives[alternative].iter();
        let open: Vec<&str> = literals.filter(|literal| !literal.holds(&run.end)).map(|l| l.text.as_str()).collect();
        let message =
            format!("the reference of the {role_name} ends with {} of {} goal literals", share.held, share.of);
        let help = format!("still open: {}", open.join("; "));
        findings.error("reference-misses-goal", &perspective.spans.reference, message, &help);
    }
    run.first_refusal.is_none() && perspective.goal.holds(&run.end)
}

fn pairs(world: &Arc<World>, findings: &mut Findings) {
    let perspectives = &world.problem.perspectives;
    for (index, (&role, perspective)) in perspectives.iter().enumerate() {
        for (other_index, (&other, others)) in perspectives.iter().enumerate().filter(|(i, _)| *i != index) {
            let (name, other_name) = (world.domain.role_name(role), world.domain.role_name(other));
            if other_index < index && same_calls(world, perspective, others) {
                let message = format!("the {name} and the {other_name} have the same reference");
                findings.error("same-reference", &perspective.spans.reference, message, "each role goes its own way");
            }
            if offered(world, &perspective.reference) {
                let run = run(world, other, &perspective.reference);
                if !run.over_reach && others.goal.holds(&run.end) {
                    let message =
                        format!("the reference of the {name}, run as the {other_name}, solves that perspective");
                    let help = "an entry where one plan serves two roles does not tell them apart";
                    findings.error("reference-solves-other", &perspective.spans.reference, message, help);
                }
            }
        }
    }
}

struct Run {
    end: State,
    first_refusal: Option<(usize, Vec<Refusal>)>,
    /// Whether a call failed a gate.
    over_reach: bool,
}

/// Runs a plan as a role: first tool set, that role's own given, no budget.
fn run(world: &Arc<World>, role: RoleId, plan: &[ReferenceCall]) -> Run {
    let terms = Terms { role, toolset: ToolsetId(0), budget: None, feedback: Feedback::Bare };
    let mut episode = Episode::new(world.clone(), terms);
    let (mut first_refusal, mut over_reach) = (None, false);
    for (index, call) in plan.iter().enumerate() {
        let request = Request::for_tool(world, call.tool, &call.args);
        over_reach |= world.domain.failed_gates(call.tool, role) != Gates::default();
        if let (Step::Refused(reasons), _) = episode.request(&request) {
            first_refusal.get_or_insert((index, reasons));
        }
    }
    Run { end: episode.state, first_refusal, over_reach }
}

fn same_calls(world: &World, a: &Perspective, b: &Perspective) -> bool {
    let resolve = |call: &ReferenceCall| Request::for_tool(world, call.tool, &call.args);
    a.reference.len() == b.reference.len()
        && a.reference.iter().zip(&b.reference).all(|(a, b)| resolve(a) == resolve(b))
}

fn goal(world: &World, role: RoleId, perspective: &Perspective, findings: &mut Findings) {
    let start = State::initial(world, role);
    if perspective.goal.holds(&start) {
        let message = format!("the goal of the {} holds at the start", world.domain.role_name(role));
        findings.error("goal-true-at-start", &perspective.spans.goal, message, "a goal has to be earned");
    }
    for literal in perspective.goal.alternatives.iter().flatten().filter(|literal| literal.holds(&start)) {
        let mut offered = world.problem.toolsets.values().flat_map(|set| &set.tools);
        if !offered.any(|&tool| can_break(world, tool, literal)) {
            let message = format!("no offered tool can break '{}'", literal.text);
            findings.warning(
                "guard-unbreakable",
                &perspective.spans.goal,
                message,
                "a guard that nothing threatens guards nothing",
            );
        }
    }
}
