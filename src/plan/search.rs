//! Shortest plans by A* (Hart, Nilsson & Raphael 1968), one search after another on the same states.
//!
//! What a search proves is kept for the next: exact distances along its plan, for all it expanded at
//! least what was left of the plan's length (Koenig & Likhachev, "Adaptive A*", AAMAS 2005), and where
//! it fails that no state that it met leads to the goal. The estimate is not consistent, so a state
//! to which a shorter way turns up is expanded again.

use super::{
    lmcut::LmCut,
    space::{Space, StateId},
    task::Task,
};

/// How much a search may cost; beyond it the answer is "unknown".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// States expanded in one search.
    pub expansions: u64,
    /// Bytes that all states met may take, about.
    pub bytes: usize,
    /// Calls looked at in one search, once for each landmark: about ten million a second. What bounds the
    /// time where states are few but slow. Each search that fails by it halves it for those behind.
    pub effort: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { expansions: 1_000_000, bytes: 1 << 30, effort: 100_000_000 }
    }
}

/// How often the effort is halved at most.
const MOST_HALVED: u32 = 6;
/// The effort between two questions whether to stop: about a millisecond.
const ASKED: u64 = 10_000;

/// How the way to the goal is estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Estimate {
    /// Landmark cuts.
    #[default]
    LmCut,
    /// Nothing: breadth first.
    Blind,
}

/// What a search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// The distance.
    Exactly(u32),
    /// More than was asked for.
    Further,
    Never,
    Unknown,
}

/// Searches of one task.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) space: Space,
    lmcut: LmCut,
    estimate: Estimate,
    searches: u32,
    open: Open,
    successor: Vec<u64>,
    /// Calls looked at in this search, and searches that failed by it.
    effort: u64,
    failed: u32,
    /// States expanded and generated, all in all.
    pub(super) expanded: u64,
    pub(super) generated: u64,
}

impl Search {
    pub(super) fn new(task: &Task, estimate: Estimate) -> Search {
        Search {
            space: Space::new(task.words),
            lmcut: LmCut::new(task),
            estimate,
            searches: 0,
            open: Open::default(),
            successor: vec![0; task.words],
            effort: 0,
            failed: 0,
            expanded: 0,
            generated: 0,
        }
    }

    /// The distance of a state, if it is no more than `most`. `stop` is asked now and then.
    pub(super) fn distance(
        &mut self,
        task: &Task,
        start: StateId,
        most: u32,
        limits: Limits,
        stop: &dyn Fn() -> bool,
    ) -> Found {
        self.searches += 1;
        self.open.clear();
        let mut met = vec![start];
        let mut left = limits.expansions;
        let (most_effort, mut asked) = (limits.effort >> self.failed.min(MOST_HALVED), 0);
        self.effort = 0;
        self.reach(start, 0, start, 0);
        let Some(least) = self.least(task, start) else { return Found::Never };
        self.open.push(least, least, start, 0);
        let mut further = None;
        while let Some((estimate, state, cost)) = self.open.pop() {
            let known = *self.space.get(state);
            if known.cost < cost || known.search != self.searches {
                continue;
            }
            if estimate > most {
                further = Some(estimate);
                break;
            }
            if known.exact || task.is_goal(self.space.bits(state)) {
                let rest = if known.exact { known.least } else { 0 };
                if rest == u32::MAX {
                    continue;
                }
                self.learn(&met, state, cost + rest);
                return Found::Exactly(cost + rest);
            }
            let Some(least) = self.least(task, state) else { continue };
            if cost + least > estimate {
                self.open.push(cost + least, least, state, cost);
                continue;
            }
            if self.effort >= most_effort {
                self.failed += 1;
                return Found::Unknown;
            }
            let ask = self.effort >= asked + ASKED;
            if ask {
                asked = self.effort;
            }
            if left == 0 || self.space.bytes() > limits.bytes || ask && stop() {
                return Found::Unknown;
            }
            left -= 1;
            self.expand(task, state, cost, &mut met);
        }
        if let Some(least) = further {
            self.space.get_mut(start).least = least;
            return Found::Further;
        }
        for state in met {
            let known = self.space.get_mut(state);
            (known.least, known.exact) = (u32::MAX, true);
        }
        Found::Never
    }

    /// The state after an action that applies.
    pub(super) fn successor_of(&mut self, task: &Task, state: StateId, action: u32) -> StateId {
        task.actions[action as usize].apply(self.space.bits(state), &mut self.successor);
        self.space.intern(&self.successor)
    }

    fn expand(&mut self, task: &Task, state: StateId, cost: u32, met: &mut Vec<StateId>) {
        self.expanded += 1;
        self.effort += task.actions.len() as u64;
        let least = self.space.get(state).least.saturating_sub(1);
        for (number, action) in (0u32..).zip(&task.actions) {
            let before = self.space.bits(state);
            if !action.applies(before) {
                continue;
            }
            action.apply(before, &mut self.successor);
            self.generated += 1;
            let next = self.space.intern(&self.successor);
            let known = self.space.get(next);
            let new = known.search != self.searches;
            if !new && known.cost <= cost + 1 {
                continue;
            }
            if new {
                met.push(next);
            }
            self.reach(next, cost + 1, state, number);
            let known = self.space.get_mut(next);
            // One call gets no nearer than by one.
            known.least = known.least.max(if known.exact { 0 } else { least });
            if known.least != u32::MAX {
                let least = known.least;
                self.open.push(cost + 1 + least, least, next, cost + 1);
            }
        }
    }

    fn reach(&mut self, state: StateId, cost: u32, before: StateId, by: u32) {
        let known = self.space.get_mut(state);
        (known.search, known.cost, known.before, known.by) = (self.searches, cost, before, by);
    }

    /// How far the goal is at least; `None` if it cannot be reached.
    fn least(&mut self, task: &Task, state: StateId) -> Option<u32> {
        let known = self.space.get(state);
        if !known.estimated && !known.exact {
            let estimate = match self.estimate {
                Estimate::LmCut => self.lmcut.estimate(self.space.bits(state)),
                Estimate::Blind => Some(u32::from(!task.is_goal(self.space.bits(state)))),
            };
            self.effort += (1 + u64::from(estimate.unwrap_or(0))) * task.actions.len() as u64;
            let known = self.space.get_mut(state);
            known.estimated = true;
            match estimate {
                Some(estimate) => known.least = known.least.max(estimate),
                None => (known.least, known.exact) = (u32::MAX, true),
            }
        }
        Some(self.space.get(state).least).filter(|&least| least != u32::MAX)
    }

    /// Keeps what a plan of this length through `last` proves.
    fn learn(&mut self, met: &[StateId], last: StateId, length: u32) {
        for &state in met {
            let known = self.space.get_mut(state);
            if !known.exact {
                known.least = known.least.max(length.saturating_sub(known.cost));
            }
        }
        let mut at = last;
        loop {
            let known = self.space.get_mut(at);
            (known.least, known.exact) = (length - known.cost, true);
            let (before, by, cost) = (known.before, known.by, known.cost);
            if cost == 0 {
                return;
            }
            self.space.get_mut(before).action = by;
            at = before;
        }
    }
}

/// States to be expanded, by estimated length of the plan, then by estimated distance, then last in first out.
#[derive(Debug, Default)]
struct Open {
    buckets: Vec<Vec<Vec<(StateId, u32)>>>,
    lowest: usize,
}

impl Open {
    fn clear(&mut self) {
        self.buckets.iter_mut().flatten().for_each(Vec::clear);
        self.lowest = 0;
    }

    fn push(&mut self, length: u32, distance: u32, state: StateId, cost: u32) {
        let (length, distance) = (length as usize, distance as usize);
        if self.buckets.len() <= length {
            self.buckets.resize_with(length + 1, Vec::new);
        }
        let bucket = &mut self.buckets[length];
        if bucket.len() <= distance {
            bucket.resize_with(distance + 1, Vec::new);
        }
        bucket[distance].push((state, cost));
        self.lowest = self.lowest.min(length);
    }

    /// A state with the least estimated length: that, the state, and its cost when it was put here.
    fn pop(&mut self) -> Option<(u32, StateId, u32)> {
        while let Some(bucket) = self.buckets.get_mut(self.lowest) {
            if let Some((state, cost)) = bucket.iter_mut().find_map(Vec::pop) {
                return Some((self.lowest as u32, state, cost));
            }
            self.lowest += 1;
        }
        None
    }
}
