//! Jumps: to the next violation, refusal, change, message, damage, or change of a fact.

use super::appraisal::Appraisal;
use super::items::{Item, Shape};
use super::loaded::Loaded;
use super::page::Target;
use super::{STEPS, Trajectory};
use crate::run::{Failure, RowKind, StepKind, StepOutcome};
use crate::tui::command::{Cmd, Hunt};
use crate::tui::dispatch::Call;
use crate::tui::screen::{Ctx, Screen};
use crate::world::FactId;

impl Trajectory {
    /// Goes where `] [` and `v V` ask to go.
    pub(super) fn hunt(&mut self, call: &Call, ctx: &mut Ctx) {
        let (hunt, forwards) = match call.cmd {
            Cmd::Next(hunt) => (hunt, true),
            Cmd::Prev(hunt) => (hunt, false),
            cmd => (Hunt::Violation, cmd == Cmd::NextFinding),
        };
        if hunt == Hunt::Fact {
            if let Target::Fact(fact) = self.target(ctx.panes.focus)
                && ctx.panes.focus != STEPS
            {
                self.hunted = Some(fact);
            }
            if self.hunted.is_none() {
                return ctx.warn("put the cursor on a fact, in the call or the state");
            }
        }
        let Some(run) = self.loaded() else { return };
        if matches!(hunt, Hunt::UnderReach | Hunt::Turn) && run.appraisal.is_none() {
            return ctx.warn("nothing is planned where the entry or the role's goal is not here");
        }
        let mut item = self.cursors.item;
        let mut found = false;
        for _ in 0..call.times() {
            let Some(next) = find(run, item, hunt, forwards, self.hunted) else { break };
            (item, found) = (next, true);
        }
        if !found {
            let way = if forwards { "no further" } else { "no earlier" };
            return ctx.warn(format!("{way} {}", what(hunt)));
        }
        ctx.jumped(self.place());
        self.go(item);
    }
}

fn what(hunt: Hunt) -> &'static str {
    match hunt {
        Hunt::Violation => "call that fails a gate",
        Hunt::Refusal => "refusal",
        Hunt::Change => "change of the state",
        Hunt::Goal => "change of a goal literal",
        Hunt::Message => "message",
        Hunt::Damage => "divergence or damage",
        Hunt::Fact => "change of this fact",
        Hunt::UnderReach => "call that held back or routed in vain",
        Hunt::Turn => "call that took the goal further away",
    }
}

fn find(run: &Loaded, from: Item, hunt: Hunt, forwards: bool, fact: Option<FactId>) -> Option<Item> {
    match hunt {
        Hunt::Message => line(run, from, forwards, |item| matches!(item.shape(run), Shape::Message(_))),
        Hunt::Damage => line(run, from, forwards, |item| damaged(run, item)),
        Hunt::Fact => {
            let history = run.history.as_ref()?;
            let step = from.step(run);
            let step = match forwards {
                true => history.next_change(fact?, step),
                false => history.last_change(fact?, before(run, from)),
            };
            step.map(|step| Item::of_step(run, step))
        }
        _ => {
            let here = from.step(run);
            let fits = |step: &usize| step_fits(run, *step, hunt);
            let step = match forwards {
                true => (here + 1..=run.kinds.len()).find(fits),
                false => (1..=before(run, from)).rev().find(fits),
            };
            step.map(|step| Item::of_step(run, step))
        }
    }
}

/// The last step that lies before an item.
fn before(run: &Loaded, item: Item) -> usize {
    match item.shape(run) {
        Shape::Call(step) => step - 1,
        _ => item.step(run),
    }
}

fn line(run: &Loaded, from: Item, forwards: bool, fits: impl Fn(&Item) -> bool) -> Option<Item> {
    let rows = run.log.rows().len();
    let at = if from == Item::NO_END { rows + 1 } else { from.number() };
    match forwards {
        true => (at + 1..=rows).map(Item::of_number).find(fits),
        false => (1..at).rev().map(Item::of_number).find(fits),
    }
}

/// A damaged row of the list, or a step that is damaged or diverges. What is wrong with a result
/// stands with its call.
fn damaged(run: &Loaded, item: &Item) -> bool {
    let Some((id, row)) = item.row().and_then(|id| Some((id, run.log.row(id)?))) else { return false };
    match row.kind {
        RowKind::Call => matches!(run.kind(row.step()), Some(StepKind::Damaged | StepKind::Diverged)),
        RowKind::Result => row.partner().is_none() && run.log.damaged(id),
        _ => run.log.damaged(id),
    }
}

/// Whether a jump goes to a step.
pub fn step_fits(run: &Loaded, step: usize, hunt: Hunt) -> bool {
    let Some(kind) = run.kind(step) else { return false };
    let appraised = |fits: fn(&Appraisal, usize) -> bool| run.appraisal.as_ref().is_some_and(|a| fits(a, step));
    match (hunt, run.outcome(step)) {
        (Hunt::UnderReach, _) => appraised(|appraisal, step| appraisal.held_back(step).is_some()),
        (Hunt::Turn, _) => appraised(Appraisal::turns),
        (Hunt::Violation, _) => run.failure(step) == Some(Failure::OverReach),
        (Hunt::Refusal, _) => run.failure(step).is_some(),
        (Hunt::Change, Some(StepOutcome::Fired(changes))) => !changes.is_empty(),
        (Hunt::Change, None) => kind == StepKind::Fired,
        (Hunt::Goal, Some(StepOutcome::Fired(changes))) => {
            let turned = |fact: &FactId| {
                changes.added.contains(fact) || changes.removed.contains(fact) || changes.produced.contains(fact)
            };
            goal_facts(run).any(|fact| turned(&fact))
        }
        _ => false,
    }
}

/// The facts of all alternatives of the goal.
fn goal_facts(run: &Loaded) -> impl Iterator<Item = FactId> + '_ {
    let setup = run.replay.as_ref().map(|replay| &replay.setup);
    let perspective = setup.and_then(|setup| setup.world.problem.perspectives.get(&setup.role));
    let literals = perspective.into_iter().flat_map(|p| &p.goal.alternatives).flatten();
    literals.filter_map(|literal| literal.fact.ok())
}
