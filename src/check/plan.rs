//! The rules that need a search for plans: goals can be reached, references are as short as can be.

use std::sync::Arc;

use super::Findings;
use crate::{
    exec::State,
    plan::{Distance, Limits, Planner},
    text::count,
    world::{Perspective, RoleId, ToolsetId, World},
};

/// How far the goal is from the start with the first tool set, which every wider one contains.
pub(super) fn distance(
    world: &Arc<World>,
    role: RoleId,
    perspective: &Perspective,
    findings: &mut Findings,
) -> Distance {
    let planner = Planner::new(world, role, ToolsetId(0), Limits::default());
    let distance = planner.map_or(Distance::Unknown, |mut planner| planner.distance(&State::initial(world, role)));
    let name = world.domain.role_name(role);
    let span = &perspective.spans.goal;
    match distance {
        Distance::Calls(_) => {}
        Distance::Never => {
            let message = format!("the {name} cannot reach this goal with the first tool set");
            let help = "no sequence of calls that this role may make brings it about: check gates, tools and `init`";
            findings.error("goal-unreachable", span, message, help);
        }
        Distance::Unknown => {
            let message = format!("whether the {name} can reach this goal was not decided");
            let help = "the search for a plan was given up; a smaller entry is easier to check";
            findings.error("goal-undecided", span, message, help);
        }
    }
    distance
}

/// Warns of a reference that is longer than it has to be.
pub(super) fn shortest(
    world: &World,
    role: RoleId,
    perspective: &Perspective,
    distance: Distance,
    findings: &mut Findings,
) {
    let Distance::Calls(calls @ 1..) = distance else { return };
    let reference = perspective.reference.len();
    if reference > calls as usize {
        let name = world.domain.role_name(role);
        let message = format!("the reference of the {name} takes {} where {calls} suffice", count(reference, "call"));
        let id = &world.problem.id;
        let help = format!("`refract plan {id} --role {name}` prints a shortest plan");
        findings.warning("reference-not-shortest", &perspective.spans.reference, message, &help);
    }
}
