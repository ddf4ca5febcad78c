//! The planners of many perspectives: what the questions of one run proved serves the next.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use super::{Limits, Planner};
use crate::world::{RoleId, ToolsetId, World};

/// One planner per entry, role and tool set, made when it is first asked.
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
        Some(question(&mut planner))
    }

    /// Lets go of all planners and their worlds: those of worlds that were read anew are others.
    pub fn forget(&self) {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn slot(&self, world: &Arc<World>, role: RoleId, toolset: ToolsetId) -> Arc<Slot> {
        let key = (Arc::as_ptr(world).addr(), role, toolset);
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(Slot { world: world.clone(), turn: Mutex::default(), planner: OnceLock::new() });
        slots.entry(key).or_insert_with(new).clone()
    }
}
