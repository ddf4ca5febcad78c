//! How jobs ask planners: many screens share one for each perspective, so nobody keeps it for long, and
//! who is no longer wanted asks nothing.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::job::Handle;
use crate::plan::{Distance, Planner, Planners};
use crate::run::Setup;
use crate::score::{Go, Stretch, Ways};
use crate::world::{RoleId, ToolsetId, World};

/// How long a run is judged before others may ask.
const TURN: Duration = Duration::from_millis(50);

/// Asks the planner of a perspective with a tool set; `None` where there is none, or once the job is cancelled. Stopped with the
/// job, the planner says "unknown".
pub fn ask<T>(
    planners: &Planners,
    (world, role, toolset): (&Arc<World>, RoleId, ToolsetId),
    handle: &Handle,
    question: impl FnOnce(&mut Planner) -> T,
) -> Option<T> {
    let answer = planners.ask(world, role, toolset, |planner| {
        // It may have waited for long.
        let flag = handle.flag();
        (!handle.cancelled()).then(|| {
            planner.until(move || flag.load(Ordering::Relaxed));
            question(planner)
        })
    });
    answer.flatten().filter(|_| !handle.cancelled())
}

/// Judges as much of a stretch as one turn allows, `left` calls away from the goal; `None` as above.
pub fn judge(planners: &Planners, setup: &Setup, handle: &Handle, stretch: &Stretch, left: Distance) -> Option<Ways> {
    ask(planners, (&setup.world, setup.role, setup.toolset), handle, |planner| {
        let begun = Instant::now();
        let go = || match (handle.cancelled(), begun.elapsed() > TURN) {
            (true, _) => Go::Stop,
            (false, true) => Go::Enough,
            (false, false) => Go::On,
        };
        stretch.judge(left, planner, &go)
    })
}
