//! A planner and a validator by others: ferroplan, on the exported PDDL.

use ferroplan::{Mode, Options};
use refract::{
    exec::{Bindings, Call, Outcome, Request, State, step},
    plan::{Distance, Pddl, PddlGates},
    world::{Literal, RelationId, RoleId, ToolsetId, VarId, World},
};

/// Checks that ferroplan proves the same distance on the exported PDDL, and accepts our plan of it.
/// Gives its answer where it could prove none.
pub fn agrees(
    world: &World,
    role: RoleId,
    toolset: ToolsetId,
    gates: PddlGates,
    distance: Distance,
    plan: &[Call],
) -> Result<(), String> {
    let pddl = Pddl::of(world, role, toolset, gates).unwrap();
    let options = Options { mode: Mode::Optimal, threads: 1, max_evaluated: Some(20_000), ..Options::default() };
    let solution = ferroplan::solve(&pddl.domain, &pddl.problem, &options).map_err(|error| error.to_string())?;
    let notes = solution.notes.join("; ");
    let theirs = match &solution.plan {
        Some(plan) if notes.contains("PROVEN OPTIMAL") || plan.length == 0 => {
            Distance::Calls(plan.length as u32 - pddl.finishing)
        }
        None if notes.contains("PROVEN UNSOLVABLE") || notes.contains("unsolvable at grounding") => Distance::Never,
        _ => return Err(format!("not proven: {notes}")),
    };
    if theirs != distance {
        return Err(format!("ours {distance:?}, theirs {theirs:?}: {notes}"));
    }
    // Empty plans are compared by cost alone.
    if plan.is_empty() {
        return Ok(());
    }
    let written = written(world, role, toolset, &pddl, plan);
    let verified = ferroplan::verify::verify(&pddl.domain, &pddl.problem, &written)?;
    if verified.hard_goal_met { Ok(()) } else { Err("our plan misses the goal".to_owned()) }
}

/// Whether ferroplan 0.30 can be wrong: it keeps `(not p)` as a fact of its own, which an action that both
/// deletes and adds `p` makes true, beside `p`. Replacing a functional value is such an action.
pub fn is_misled(world: &World, role: RoleId, toolset: ToolsetId) -> bool {
    let goal = &world.problem.perspectives[&role].goal;
    let usable = world.problem.toolsets[toolset.index()].tools.iter().filter(|&&tool| world.domain.may(tool, role));
    let tools = || usable.clone().map(|&tool| world.domain.tool(tool));
    let relations = |literals: &[Literal], negated: bool| {
        let own = literals.iter().filter(move |literal| literal.negated == negated);
        own.filter_map(|literal| Some(literal.atom()?.relation)).collect::<Vec<_>>()
    };
    let denied = |relation: RelationId| {
        let by_goal = goal.alternatives.iter().flatten().filter(|literal| literal.negated);
        by_goal.filter_map(|literal| literal.fact.ok()).any(|fact| world.facts.relation(fact) == relation)
            || tools().any(|tool| {
                let conditions = tool.effects.iter().map(|effect| &effect.when).chain([&tool.precondition]);
                conditions.into_iter().any(|literals| relations(literals, true).contains(&relation))
            })
    };
    tools().any(|tool| {
        let then: Vec<Literal> = tool.effects.iter().flat_map(|effect| &effect.then).cloned().collect();
        let deleted = relations(&then, true);
        let replaced = |relation: &RelationId| world.domain.relations[relation.index()].functional;
        let both = relations(&then, false).into_iter().filter(|added| deleted.contains(added) || replaced(added));
        both.into_iter().any(denied)
    })
}

/// A plan as actions of the PDDL: every variable with its value, look-ups too.
fn written(world: &World, role: RoleId, toolset: ToolsetId, pddl: &Pddl, plan: &[Call]) -> Vec<(String, Vec<String>)> {
    let object = |name: &str| pddl.names.objects.iter().find(|(_, own)| *own == name).unwrap().0.to_uppercase();
    let mut state = State::initial(world, role);
    let mut written = Vec::new();
    for call in plan {
        let tool = world.domain.tool(call.tool);
        let own_name = Some(world.domain.tool_name(call.tool));
        let (name, action) = pddl.names.actions.iter().find(|(_, own)| own.tool.as_deref() == own_name).unwrap();
        let bindings = Bindings::of(world, role, &state, call);
        let value = |name: &String| {
            let var = tool.vars.iter().position(|var| var.name == *name).map(VarId::from).unwrap();
            object(world.symbol_name(bindings.get(var).unwrap()))
        };
        written.push((name.to_uppercase(), action.parameters.iter().map(value).collect()));
        let Outcome::Fired(changes) = step(world, role, toolset, &state, &Request::Call(call.clone())) else {
            panic!("{call:?} is refused");
        };
        changes.apply(&mut state);
    }
    let goal = &world.problem.perspectives[&role].goal;
    if pddl.finishing > 0 {
        // Those that can never hold have no action.
        let possible = goal.alternatives.iter().filter(|all| all.iter().all(|own| own.fact != Err(own.negated)));
        let reached = possible.enumerate().find(|(_, all)| all.iter().all(|literal| literal.holds(&state)));
        written.push((format!("FINISH_{}", reached.unwrap().0), Vec::new()));
    }
    written
}
