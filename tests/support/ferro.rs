//! A planner and a validator by others: ferroplan, on the exported PDDL.

use ferroplan::{Mode, Options};
use refract::{
    exec::{Bindings, Call, Outcome, Request, State, step},
    plan::{Distance, Pddl, PddlGates},
    world::{RoleId, ToolsetId, VarId, World},
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
    let options = Options { mode: Mode::Optimal, threads: 1, ..Options::default() };
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
