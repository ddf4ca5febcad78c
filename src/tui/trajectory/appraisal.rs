//! What plans say of the run: how far the goal is after each step, what the step did to that, and what
//! was withheld. Judged on another thread, a stretch at a time, so that the screen stays live however hard
//! planning is; what is not judged yet is told apart from what is not known.

use super::Trajectory;
use crate::plan::Distance;
use crate::score::{Stretch, Verdict, Ways, Withheld};
use crate::tui::planning;
use crate::tui::screen::Ctx;
use crate::tui::sign::Sign;

/// Steps that one job judges at most.
const STRETCH: usize = 1024;

/// As far as the run is judged.
#[derive(Debug, Default)]
pub struct Appraisal {
    ways: Ways,
    /// The end is judged too.
    ended: bool,
    /// The longest distance so far.
    farthest: u32,
    /// The first step after which the goal was out of reach, and the first that took it further away.
    lost: Option<usize>,
    turned: Option<usize>,
    /// The goal alternative that counted when they were judged.
    counts: usize,
    /// Steps judged or being judged; all and more, the end among them.
    claimed: usize,
    /// Counts how often some of them were forgotten: what is judged then may be of other steps.
    edition: u32,
}

impl Appraisal {
    /// How far the goal is after a step, 0 for the start; `None` while that is not judged.
    pub fn after(&self, step: usize) -> Option<Distance> {
        self.ways.distance.get(step).copied()
    }

    /// What a step did to that; `None` for the start and while it is not judged.
    pub fn verdict(&self, step: usize) -> Option<Verdict> {
        self.ways.verdicts.get(step.checked_sub(1)?).copied()
    }

    /// How many steps are judged.
    pub fn judged(&self) -> usize {
        self.ways.verdicts.len()
    }

    /// The longest distance so far: the top of the scale.
    pub fn farthest(&self) -> u32 {
        self.farthest
    }

    /// What was withheld at a step; behind the last one by stopping.
    pub fn withheld(&self, step: usize) -> Option<&Withheld> {
        let at = self.ways.withheld.binary_search_by_key(&step, |withheld| withheld.step).ok()?;
        self.ways.withheld.get(at)
    }

    /// The sign of a step at which an action was withheld, or that routed in vain.
    pub fn held_back(&self, step: usize) -> Option<Sign> {
        if self.withheld(step).is_some() {
            return Some(Sign::UnderReach);
        }
        self.ways.misroutes.binary_search(&step).is_ok().then_some(Sign::Misroute)
    }

    /// The first step at which something was held back or routed in vain; stopping is none.
    pub fn first_held_back(&self) -> Option<usize> {
        let withheld = self.ways.withheld.first().map(|withheld| withheld.step);
        withheld.into_iter().chain(self.ways.misroutes.first().copied()).min().filter(|&step| step <= self.judged())
    }

    /// How often an action was withheld, and routed in vain.
    pub fn under_reach(&self) -> (usize, usize) {
        (self.ways.withheld.len(), self.ways.misroutes.len())
    }

    /// Whether the run stopped where routing was left to do.
    pub fn missed_route(&self) -> bool {
        self.ways.missed_route
    }

    /// Whether the goal is further away after a step than before, or out of reach.
    pub fn turns(&self, step: usize) -> bool {
        let before = step.checked_sub(1).and_then(|before| self.after(before));
        match self.verdict(step) {
            Some(Verdict::DeadEnd) => before != Some(Distance::Never),
            verdict => verdict == Some(Verdict::Detour),
        }
    }

    /// The first step that did so.
    pub fn first_turn(&self) -> Option<usize> {
        self.turned
    }

    /// The first step after which it was out of reach.
    pub fn lost(&self) -> Option<usize> {
        self.lost
    }

    /// How far judging has come: what shows it is made again when this differs.
    pub fn progress(&self) -> (u32, usize, bool) {
        (self.edition, self.judged(), self.ended)
    }

    fn take(&mut self, judged: Judged) {
        if self.ways.verdicts.is_empty() {
            self.ways = Ways::default(); // the first stretch begins with the start
        }
        let calls = judged.ways.distance.iter().filter_map(|distance| distance.calls());
        self.farthest = calls.max().unwrap_or(0).max(self.farthest);
        let known = self.ways.distance.len();
        self.ways.append(judged.ways);
        self.ended = judged.ended;
        let never = self.ways.distance.iter().skip(known).position(|distance| *distance == Distance::Never);
        self.lost = self.lost.or(never.map(|step| known + step));
        let more = known.max(1)..self.ways.distance.len();
        self.turned = self.turned.or_else(|| more.into_iter().find(|&step| self.turns(step)));
    }

    /// Forgets all steps after this one. What is being judged of those before it still counts.
    pub fn truncate(&mut self, steps: usize) {
        if steps >= self.claimed {
            return;
        }
        self.claimed = steps;
        self.ways.truncate(steps);
        self.ended = false;
        self.lost = self.lost.filter(|&step| step <= steps);
        self.turned = self.turned.filter(|&step| step <= steps);
        self.edition += 1;
    }
}

/// What a job made of a stretch.
pub struct Judged {
    /// The reading that it is of.
    pub reading: u32,
    edition: u32,
    ways: Ways,
    ended: bool,
}

impl Trajectory {
    /// Has the next stretch judged.
    pub(super) fn judge(&mut self, ctx: &mut Ctx) {
        if self.judging.is_some() {
            return;
        }
        let (shown, shelf) = (self.shown, self.shelf.clone());
        let Some(run) = self.running().filter(|run| run.is_executed()) else { return };
        let (steps, finished) = (run.steps(), run.log.finished() || run.log.end_row().is_some());
        let (Some(appraisal), Some(replay)) = (&mut run.appraisal, &run.replay) else { return };
        let counts = Stretch::counts(replay);
        if counts != appraisal.counts {
            // While a run comes in, another alternative may come to count: all is judged by that.
            appraisal.truncate(0);
            appraisal.counts = counts;
        }
        let known = appraisal.ways.verdicts.len();
        let begun = !appraisal.ways.distance.is_empty();
        let last = finished && known + STRETCH >= steps;
        if begun && known == steps && (appraisal.ended || !last) {
            return;
        }
        let stretch = Stretch::of(&run.log, replay, known..known + STRETCH).into_owned();
        appraisal.claimed = if last { usize::MAX } else { known + stretch.len() };
        let (left, reading, edition) = (appraisal.ways.left(), shown, appraisal.edition);
        let setup = replay.setup.clone();
        self.judging = Some(ctx.spawn(move |handle| {
            let ways = planning::judge(&shelf.planners, &setup, handle, &stretch, left);
            let whole = ways.as_ref().is_some_and(|ways| ways.verdicts.len() == stretch.len());
            let ways = ways.unwrap_or_default();
            Judged { reading, edition, ended: last && whole, ways }
        }));
    }

    /// What a job that broke off made of its stretch: nothing is known of it.
    pub(super) fn not_judged(&self) -> Option<Judged> {
        let run = self.loaded()?;
        let appraisal = run.appraisal.as_ref()?;
        let known = appraisal.judged();
        let steps = appraisal.claimed.min(run.kinds.len()).saturating_sub(known);
        let distance = vec![Distance::Unknown; steps + usize::from(known == 0)];
        let ways = Ways { distance, verdicts: vec![Verdict::Unknown; steps], ..Ways::default() };
        let (reading, edition, ended) = (self.shown, appraisal.edition, appraisal.claimed == usize::MAX);
        Some(Judged { reading, edition, ways, ended })
    }

    /// Takes in what a job made of a stretch, unless the run has changed below it.
    pub(super) fn judged(&mut self, judged: Judged) {
        let shown = self.shown;
        let Some(appraisal) = self.running().and_then(|run| run.appraisal.as_mut()) else { return };
        if (judged.reading, judged.edition) == (shown, appraisal.edition) {
            appraisal.take(judged);
        }
    }
}
