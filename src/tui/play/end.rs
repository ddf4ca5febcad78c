//! The end of a run held against plans: how far each step was from the goal, and what would have done.
//! Computed on another thread; what stands on the screen keeps its place when it arrives.

use std::sync::Arc;

use super::seen::Sent;
use super::session::Session;
use super::{Game, Play};
use crate::exec::{Call, Request, Terms};
use crate::plan::Planner;
use crate::run::{Log, Replay, Setup, StepKind, WorldMatch};
use crate::score::{Score, Ways};
use crate::tui::job::JobId;
use crate::tui::planning;
use crate::tui::screen::Ctx;
use crate::world::World;

/// What is known of a run that has ended.
#[derive(Debug)]
pub struct End {
    /// Its log and execution, as scores are made of them.
    pub run: Arc<(Log, Replay)>,
    /// The axes that need no plans; nothing without a perspective.
    pub score: Option<Score>,
    /// The kind of each step.
    pub kinds: Vec<StepKind>,
    /// Its calls.
    pub calls: Vec<Sent>,
    /// Those of the reference.
    pub reference: Vec<Sent>,
    /// What needs plans.
    pub analysis: Analysis,
    /// Who computes it.
    job: Option<JobId>,
    /// The calls stand beside the reference, not beside the shortest plan.
    pub against_reference: bool,
}

/// What needs plans.
#[derive(Debug, Default)]
pub enum Analysis {
    /// It is being computed.
    #[default]
    Coming,
    /// It was stopped.
    Stopped,
    /// It is here.
    Here(Box<Found>),
}

/// What was found.
#[derive(Debug)]
pub struct Found {
    /// Distances, verdicts, and what was withheld.
    pub ways: Ways,
    /// A shortest plan from the start, with as many of the run's own calls as can be in one, in their
    /// order; nothing where there is none, or none is known.
    pub plan: Option<Vec<Sent>>,
}

/// What the job brings back, for the run that it was made of.
pub struct Analysed {
    run: Arc<(Log, Replay)>,
    found: Option<Found>,
}

impl End {
    /// What needs no plans.
    fn of(session: &Session) -> Option<End> {
        let world = &session.episode.world;
        let header = session.header(jiff::Timestamp::UNIX_EPOCH, None);
        let log = Log::read(session.log(header).ok()?);
        let Terms { role, toolset, feedback, .. } = session.episode.terms;
        let setup = Setup { world: world.clone(), role, toolset, budget: session.seen.opening.budget, feedback };
        let replay = Replay::whole(setup, WorldMatch::Same, &log);
        let reference = world.problem.perspectives.get(&role).map_or(&[][..], |perspective| &perspective.reference);
        let sent = |call: &crate::world::ReferenceCall| match Request::for_tool(world, call.tool, &call.args) {
            Request::Call(call) => sent(world, &call),
            _ => Sent { tool: world.domain.tool_name(call.tool).to_owned(), args: Vec::new() },
        };
        Some(End {
            score: Score::of(&replay),
            kinds: (1..=log.steps()).map(|step| StepKind::of(&log, Some(&replay), step)).collect(),
            calls: session
                .seen
                .called()
                .map(|call| Sent { tool: call.tool.clone(), args: call.args.clone() })
                .collect(),
            reference: reference.iter().map(sent).collect(),
            analysis: Analysis::Coming,
            job: None,
            against_reference: false,
            run: Arc::new((log, replay)),
        })
    }

    /// What was found, once it is here.
    pub fn found(&self) -> Option<&Found> {
        match &self.analysis {
            Analysis::Here(found) => Some(found),
            _ => None,
        }
    }

    /// The calls that stand beside the run's own.
    pub fn beside(&self) -> Option<&[Sent]> {
        if self.against_reference { Some(&self.reference) } else { self.found()?.plan.as_deref() }
    }

    /// The first call, from 1, at which the two columns part; nothing where they do not.
    pub fn parting(&self) -> Option<usize> {
        let beside = self.beside()?;
        let same = self.calls.iter().zip(beside).take_while(|(own, other)| alike(own, other)).count();
        (same < self.calls.len().max(beside.len())).then_some(same + 1)
    }
}

/// The same call, whatever the order in which its arguments were sent.
fn alike(one: &Sent, other: &Sent) -> bool {
    one.tool == other.tool
        && one.args.len() == other.args.len()
        && one.args.iter().all(|argument| other.args.contains(argument))
}

fn sent(world: &World, call: &Call) -> Sent {
    let args = call.arguments(world).into_iter().map(|(name, value)| (name.to_owned(), value));
    Sent { tool: world.domain.tool_name(call.tool).to_owned(), args: args.collect() }
}

impl Found {
    fn of((log, replay): &(Log, Replay), planner: &mut Planner) -> Found {
        let ways = Ways::of(log, replay, planner);
        let calls = (1..=log.steps()).filter_map(|step| match replay.request(log, step)? {
            Request::Call(call) => Some(call),
            _ => None,
        });
        let plan = planner.plan_along(&replay.state_after(0), &calls.collect::<Vec<_>>());
        let world = planner.world.clone();
        let plan = plan.distance.calls().map(|_| plan.calls.iter().map(|call| sent(&world, call)).collect());
        Found { ways, plan }
    }
}

impl Play {
    /// The run has ended: begins to hold it against plans.
    pub(super) fn analyse(&mut self, ctx: &mut Ctx) {
        let Some(game) = &mut self.game else { return };
        game.end = End::of(&game.session);
        let Some(end) = &mut game.end else { return };
        if end.score.is_none() {
            end.analysis = Analysis::Stopped;
            return;
        }
        let (run, shelf) = (end.run.clone(), self.shelf.clone());
        let job = ctx.spawn_named("holding the run against plans", move |handle| {
            let Setup { world, role, toolset, .. } = &run.1.setup;
            let task = (world, *role, *toolset);
            let found = planning::ask(&shelf.planners, task, handle, |planner| Found::of(&run, planner));
            Analysed { found, run: run.clone() }
        });
        end.job = Some(job);
    }

    /// A job panicked: if it is this one, what needs plans will not be known.
    pub(super) fn not_analysed(&mut self, job: JobId) {
        let Some(Game { end: Some(end), panes, .. }) = &mut self.game else { return };
        if end.job == Some(job) {
            end.analysis = Analysis::Stopped;
            panes.stale = true;
        }
    }

    /// The job has ended.
    pub(super) fn analysed(&mut self, analysed: Analysed) {
        let Some(Game { end: Some(end), panes, .. }) = &mut self.game else { return };
        if Arc::ptr_eq(&end.run, &analysed.run) {
            end.analysis = analysed.found.map_or(Analysis::Stopped, |found| Analysis::Here(Box::new(found)));
            panes.stale = true;
        }
    }
}
