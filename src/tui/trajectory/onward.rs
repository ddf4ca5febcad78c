//! What would have worked from here: the shortest plan from the step under the cursor, beside what the
//! agent did.

use std::ops::RangeInclusive;

use super::appraisal::Appraisal;
use super::loaded::Loaded;
use super::page::{Row, Target};
use super::{Reading, Trajectory};
use crate::exec::{Call, Difference, Outcome, Request, State, change_parts, step};
use crate::plan::{Distance, Plan};
use crate::run::{Log, Replay, Setup, StepOutcome};
use crate::text::count;
use crate::tui::highlight::Syntax;
use crate::tui::job::JobId;
use crate::tui::planning::ask;
use crate::tui::screen::{Ctx, Screen};
use crate::tui::sign::Sign;
use crate::tui::text_screen::TextScreen;
use crate::tui::theme::Role;

/// Steps of the agent, from there on, among which the plan's calls are looked for.
const AHEAD: usize = 4096;

/// Calls of the agent, from there on, that the plan may go along with.
const LOOKED_AT: usize = 64;
/// Bytes of them that are read between two keys.
const BYTES: usize = 1 << 16;

/// The shortest way on from a step.
#[derive(Debug, Default)]
pub struct Onward {
    /// The reading and the step that it is of.
    of: Option<(u32, usize)>,
    job: Option<JobId>,
    plan: Option<Plan>,
    /// Where the agent made each of its calls, among so many executed steps.
    made: (usize, Vec<Option<usize>>),
}

/// What a job found of the way on; nothing where nobody plans.
pub struct Found {
    of: (u32, usize),
    plan: Option<Plan>,
}

impl Trajectory {
    /// Has the way on from the step under the cursor looked for.
    pub(super) fn look_onward(&mut self, ctx: &mut Ctx) {
        let Reading::Here(run) = &self.reading else { return };
        let of = (self.shown, self.step());
        let Some(replay) = run.replay.as_ref().filter(|_| run.appraisal.is_some()) else { return };
        if self.onward.of == Some(of) || of.1 > run.kinds.len() {
            return;
        }
        if let Some(job) = self.onward.job.take() {
            ctx.cancel(job);
        }
        let (state, setup, shelf) = (replay.state_after(of.1), replay.setup.clone(), self.shelf.clone());
        let calls = soon(&run.log, of.1 + 1..=run.kinds.len());
        let calls = calls.filter_map(|step| match replay.request(&run.log, step)? {
            Request::Call(call) => Some(call),
            _ => None,
        });
        let calls: Vec<Call> = calls.collect();
        let job = ctx.spawn(move |handle| {
            let task = (&setup.world, setup.role, setup.toolset);
            let plan = ask(&shelf.planners, task, handle, |planner| planner.plan_along(&state, &calls));
            Found { of, plan }
        });
        self.onward = Onward { of: Some(of), job: Some(job), ..Onward::default() };
    }

    /// Takes in the way on, if the reader is still there.
    pub(super) fn found_onward(&mut self, found: Found) {
        if self.onward.of == Some(found.of) {
            self.onward.job = None;
            self.onward.plan = found.plan;
        }
    }

    /// The job that looked for it broke off.
    pub(super) fn no_onward(&mut self, job: Option<JobId>) {
        if self.onward.job == job {
            self.onward.job = None;
            self.onward.plan = Some(Plan { distance: Distance::Unknown, calls: Vec::new() });
        }
    }

    /// Finds where the agent made the plan's calls, once for many frames.
    pub(super) fn follow_agent(&mut self) {
        let (Some(run), Some(plan)) = (self.loaded(), self.plan()) else { return };
        let ((among, made), known) = (&self.onward.made, run.kinds.len());
        let Some(replay) = &run.replay else { return };
        if *among == known && made.len() == plan.calls.len() {
            return;
        }
        let here = self.step();
        self.onward.made = (known, plan.calls.iter().map(|call| self::made(run, replay, here, call)).collect());
    }

    /// The plan from the step under the cursor; `None` while it is looked for.
    fn plan(&self) -> Option<&Plan> {
        self.onward.plan.as_ref().filter(|_| self.onward.of == Some((self.shown, self.step())))
    }

    /// The plan in a few words: `2 calls, in persona`.
    pub(super) fn onward_title(&self) -> String {
        match self.plan().map(|plan| plan.distance) {
            None => "From here: …".to_owned(),
            Some(Distance::Calls(0)) => "From here: the goal holds".to_owned(),
            Some(Distance::Calls(calls)) => format!("From here: {}, in persona", count(calls as usize, "call")),
            Some(Distance::Never) => "From here: no way, proven".to_owned(),
            Some(Distance::Unknown) => "From here: not known".to_owned(),
        }
    }

    /// The same with the tools, as far as the room goes: for windows without a place for the plan.
    pub(super) fn onward_line(&self, run: &Loaded) -> String {
        let (Some(plan), Some(replay)) = (self.plan(), &run.replay) else { return String::new() };
        let domain = &replay.setup.world.domain;
        let tools: Vec<&str> = plan.calls.iter().map(|call| domain.tool_name(call.tool)).collect();
        match plan.distance {
            Distance::Calls(0) => "the goal holds here".to_owned(),
            Distance::Calls(_) => format!("from here: {}", tools.join(" → ")),
            Distance::Never => "no way from here".to_owned(),
            Distance::Unknown => "the way from here is not known".to_owned(),
        }
    }

    /// The rows of the plan, at most so many: each call, and where the agent made it.
    pub(super) fn onward_rows(&self, run: &Loaded, most: usize) -> Vec<Row> {
        let (Some(plan), Some(replay)) = (self.plan(), &run.replay) else { return Vec::new() };
        let here = self.step();
        match plan.distance {
            Distance::Never => {
                let since = run.appraisal.as_ref().and_then(Appraisal::lost).filter(|&step| step <= here);
                let row = Row::signed(Sign::Infinite).say(Role::Plain, "The goal is out of reach");
                let row = match since {
                    None | Some(0) => row.say(Role::Plain, ", from the start."),
                    Some(step) => {
                        row.say(Role::Plain, " since ").say(Role::Link, &format!("step {step}")).to(Target::Step(step))
                    }
                };
                return vec![row.prose()];
            }
            Distance::Unknown => {
                return vec![Row::signed(Sign::Unknown).say(Role::Plain, "The planner gave up.").prose()];
            }
            Distance::Calls(_) => {}
        }
        let made = &self.onward.made.1;
        let took = agent_took(made);
        let room = if took.is_some() { most.saturating_sub(1) } else { most };
        let shown = if plan.calls.len() > room { room.saturating_sub(1) } else { plan.calls.len() };
        let world = &replay.setup.world;
        let mut rows: Vec<Row> = plan
            .calls
            .iter()
            .zip(made)
            .take(shown)
            .map(|(call, made)| {
                let args: Vec<String> = call.arguments(world).into_iter().map(|(_, value)| value).collect();
                let row = Row::text(Role::Title, world.domain.tool_name(call.tool))
                    .say(Role::Plain, &format!("  {}", args.join(" ")));
                match made {
                    Some(step) => row.right(Role::Link, &format!("at {step}")).to(Target::Step(*step)),
                    None => row,
                }
            })
            .collect();
        if shown < plan.calls.len() {
            rows.push(Row::text(Role::Dim, &format!("… {} more: s shows all", plan.calls.len() - shown)));
        }
        rows.extend(took);
        rows
    }

    /// The plan from here, in full, with what each call changes.
    pub(super) fn solution(&mut self, ctx: &mut Ctx) {
        let Some(run) = self.loaded() else { return };
        let Some(replay) = run.replay.as_ref().filter(|_| run.appraisal.is_some()) else {
            return ctx.warn("nothing is planned where the entry or the role's goal is not here");
        };
        let Some(plan) = self.plan() else { return ctx.warn("still looking for the way from here") };
        let text = match plan.distance {
            Distance::Calls(0) => return ctx.say("the goal holds here: nothing is left to do"),
            Distance::Never => return ctx.warn("no way leads from here to the goal: that is proven"),
            Distance::Unknown => return ctx.warn("the planner gave up: the way from here is not known"),
            Distance::Calls(_) => story(&replay.setup, replay.state_after(self.step()), &plan.calls),
        };
        let title = format!("The shortest way from step {}: {}", self.step(), count(plan.calls.len(), "call"));
        let address = format!("{}/solution", self.address());
        ctx.push(TextScreen::new(title, address, &text, Syntax::Plain).unnumbered());
    }
}

/// The first of these steps, as many as are read in a moment.
fn soon(log: &Log, steps: RangeInclusive<usize>) -> impl Iterator<Item = usize> {
    let mut room = BYTES;
    steps.take(LOOKED_AT).take_while(move |&step| {
        let line = log.call_of(step).map_or(0, |row| log.raw(row).len());
        room.checked_sub(line).inspect(|&left| room = left).is_some()
    })
}

/// The first step soon after `here` at which the agent made this call, and it fired.
fn made(run: &Loaded, replay: &Replay, here: usize, call: &Call) -> Option<usize> {
    let fired = |step: &usize| {
        let record = &replay.steps()[*step - 1];
        record.tool == Some(call.tool) && matches!(record.outcome, StepOutcome::Fired(_))
    };
    let same = |step: &usize| replay.request(&run.log, *step) == Some(Request::Call(call.clone()));
    (here + 1..=run.kinds.len()).take(AHEAD).filter(fired).find(same)
}

/// Whether the agent made all of a plan's calls.
fn agent_took(made: &[Option<usize>]) -> Option<Row> {
    let steps: Vec<usize> = made.iter().copied().collect::<Option<_>>()?;
    let (first, last) = (steps.first()?, steps.last()?);
    let row = Row::signed(Sign::Holds);
    Some(match (first == last, steps.is_sorted()) {
        (true, _) => row.say(Role::Good, &format!("the agent took this way, at {first}")),
        (false, true) => row.say(Role::Good, &format!("the agent took this way, from {first} to {last}")),
        (false, false) => row.say(Role::Good, "the agent made these calls in another order"),
    })
}

/// A plan, call by call, with the arguments and what each changes.
fn story(setup: &Setup, mut state: State, calls: &[Call]) -> String {
    let Setup { world, role, toolset, .. } = setup;
    let goal = world.problem.perspectives.get(role).map(|perspective| &perspective.goal);
    let mut text = String::new();
    for (number, call) in (1..).zip(calls) {
        let Outcome::Fired(changes) = step(world, *role, *toolset, &state, &Request::Call(call.clone())) else { break };
        changes.apply(&mut state);
        let held =
            goal.map(|goal| goal.best(&state).1).map_or(String::new(), |s| format!("   goal {}/{}", s.held, s.of));
        text.push_str(&format!("{number:>3}  {}{held}\n", world.domain.tool_name(call.tool)));
        for (name, value) in call.arguments(world) {
            text.push_str(&format!("       {name}={value}\n"));
        }
        for difference in Difference::of(world, &changes) {
            let line = match difference {
                Difference::Changed { from, to } => {
                    let (key, old, new) = change_parts(world, from, to);
                    format!("~ {key}  {old} → {new}")
                }
                Difference::Removed(fact) => format!("- {}", world.fact_text(fact)),
                Difference::Added(fact) | Difference::Produced(fact) => format!("+ {}", world.fact_text(fact)),
            };
            text.push_str(&format!("     {line}\n"));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_looked_at_is_bounded() {
        let seen = |args: usize, calls: usize| {
            let call =
                |n| format!("{{\"type\":\"call\",\"id\":\"{n}\",\"tool\":\"{}\",\"args\":{{}}}}\n", "x".repeat(args));
            let log = Log::read((0..calls).map(call).collect::<String>().into_bytes());
            soon(&log, 3..=calls).count()
        };
        assert_eq!((seen(1, 10), seen(1, 1000)), (8, LOOKED_AT));
        assert_eq!((seen(BYTES / 4, 1000), seen(BYTES, 10)), (3, 0));
    }
}
