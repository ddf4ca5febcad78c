//! The planner: shortest plans, proofs that there is none, and distances to the goal (design §5).
//!
//! `ground` finds the calls that can ever fire, `task` keeps of them what matters to the goal,
//! `search` looks for plans with the estimates of `lmcut`. What a call does is decided by
//! [`crate::exec`] alone: tests step every plan through it.

mod ground;
mod lmcut;
mod names;
mod pddl;
mod plan_file;
mod planner;
mod planners;
mod search;
mod space;
mod task;

pub use pddl::{Pddl, PddlGates};
pub use plan_file::{ActionName, PlanFault, PlanNames, PlannedCall};
pub use planner::{Counts, Distance, Plan, Planner};
pub use planners::Planners;
pub use search::{Estimate, Limits};
