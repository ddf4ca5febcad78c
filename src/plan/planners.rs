//! The planners of many perspectives: what the questions of one run proved serves the next.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use super::{Limits, Planner};
use crate::world::{RoleId, ToolsetId, World};

/// One planner per entry, role and tool set, made when it is first asked. [`Limits::bytes`] bounds each while
/// it plans, and all together that are kept for later questions.
#[derive(Debug, Default)]
pub struct Planners {
    limits: Limits,
    slots: Mutex<HashMap<Key, Arc<Slot>>>,
}

/// The address of a world stands for it: its slot keeps it alive.
type Key = (usize, RoleId, ToolsetId);

#[derive(Debug)]
struct Slot {
    world: Arc<World>,
    /// Held by who asks next.
    turn: Mutex<()>,
    /// What it took after its last answer.
    bytes: AtomicUsize,
    /// `None` inside for a role without a perspective.
    planner: OnceLock<Option<Mutex<Planner>>>,
}

impl Planners {
    /// Planners that give up at these limits.
    pub fn new(limits: Limits) -> Planners {
        Planners { limits, slots: Mutex::default() }
    }

    /// Asks the planner of a perspective with a tool set, one asker at a time; `None` if the role has no
    /// perspective. A [stop](Planner::until) that an earlier asker set is gone.
    pub fn ask<T>(
        &self,
        world: &Arc<World>,
        role: RoleId,
        toolset: ToolsetId,
        question: impl FnOnce(&mut Planner) -> T,
    ) -> Option<T> {
        let slot = self.slot(world, role, toolset);
        let new = || Planner::new(&slot.world, role, toolset, self.limits).map(Mutex::new);
        let planner = slot.planner.get_or_init(new).as_ref()?;
        // Who waits comes before who was just answered and asks again at once.
        let turn = slot.turn.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever panicked while planning left nothing half done that matters: distances are kept whole.
        let mut planner = planner.lock().unwrap_or_else(PoisonError::into_inner);
        drop(turn);
        planner.until(|| false);
        let answer = question(&mut planner);
        slot.bytes.store(planner.bytes(), Ordering::Relaxed);
        drop(planner);
        self.keep_within();
        Some(answer)
    }

    /// Lets go of the planners that nobody asks where all together take more than one may.
    fn keep_within(&self) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: usize = slots.values().map(|slot| slot.bytes.load(Ordering::Relaxed)).sum();
        if bytes > self.limits.bytes {
            slots.retain(|_, slot| Arc::strong_count(slot) > 1);
        }
    }

    /// Lets go of all planners and their worlds: those of worlds that were read anew are others.
    pub fn forget(&self) {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn slot(&self, world: &Arc<World>, role: RoleId, toolset: ToolsetId) -> Arc<Slot> {
        let key = (Arc::as_ptr(world).addr(), role, toolset);
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || {
            let (turn, bytes) = (Mutex::default(), AtomicUsize::new(0));
            Arc::new(Slot { world: world.clone(), turn, bytes, planner: OnceLock::new() })
        };
        slots.entry(key).or_insert_with(new).clone()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{exec::State, world::Library};

    #[test]
    fn the_limit_holds_for_all_that_are_kept() {
        let library = Library::embedded();
        let worlds: Vec<_> = library.worlds.values().take(4).collect();
        let kept = |bytes: usize| {
            let planners = Planners::new(Limits { bytes, ..Limits::default() });
            for world in &worlds {
                let role = *world.problem.perspectives.keys().next().unwrap();
                let start = State::initial(world, role);
                planners.ask(world, role, ToolsetId(0), |planner| planner.distance(&start)).unwrap();
            }
            planners.slots.lock().unwrap().len()
        };
        assert_eq!((kept(usize::MAX), kept(1)), (4, 1));
    }
}
