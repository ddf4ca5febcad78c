//! A hint on request: the next call of a shortest plan in persona, at first its tool alone. Each is a
//! note of the log, for a human baseline must know of it.

use serde_json::{Value, json};

use super::Play;
use super::seen::Note;
use super::session::{Move, Session};
use crate::exec::{Call, Json, State};
use crate::plan::{Distance, Plan};
use crate::text::count;
use crate::tui::job::JobId;
use crate::tui::planning;
use crate::tui::screen::Ctx;
use crate::world::World;

/// What is known of shortest plans, and how much of it the player was told.
#[derive(Debug, Default)]
pub struct Hints {
    /// The search that is under way.
    pub job: Option<JobId>,
    found: Vec<Found>,
}

/// The plan from a state.
#[derive(Debug)]
struct Found {
    state: State,
    plan: Plan,
    told: usize,
}

/// What a search brings back: the state that was asked about and its plan; nothing where it was stopped.
pub struct Sought(pub Option<(State, Option<Plan>)>);

impl Hints {
    /// Keeps what a search found.
    pub fn keep(&mut self, state: State, plan: Plan) {
        if !self.found.iter().any(|found| found.state == state) {
            self.found.push(Found { state, plan, told: 0 });
        }
    }

    /// Whether a hint for this state needs no search.
    pub fn knows(&self, state: &State) -> bool {
        self.found.iter().any(|found| found.state == *state)
    }

    /// The next hint for the state of a session: its words, and what is done where it is a new one. What
    /// was told already is told again for nothing; that a limit was hit is no hint.
    pub fn next(&mut self, session: &Session) -> Option<(String, Option<Move>)> {
        let state = &session.episode.state;
        let found = self.found.iter_mut().find(|found| found.state == *state)?;
        let told = found.told;
        let left = session.episode.calls_left();
        let (words, mut data) = told_of(&session.episode.world, &found.plan, told, left);
        let last = if found.plan.calls.is_empty() { 1 } else { 2 };
        if found.plan.distance == Distance::Unknown || told >= last {
            // An answer that was told already is the last one told.
            let (words, _) =
                if told >= last { told_of(&session.episode.world, &found.plan, last - 1, left) } else { (words, data) };
            return Some((words, None));
        }
        found.told += 1;
        if let Value::Object(data) = &mut data {
            data.insert("step".to_owned(), session.seen.calls.into());
        }
        let data = Json::new(&data.to_string());
        let note = Note { kind: "hint".to_owned(), data, count: 1, words: words.clone() };
        Some((words, Some(Move::Note(note))))
    }
}

/// The hint that comes after so many for the same state: words, and data for the log.
fn told_of(world: &World, plan: &Plan, told: usize, left: Option<u32>) -> (String, Value) {
    match (plan.distance, plan.calls.first()) {
        (Distance::Unknown, _) => {
            ("unknown: the search for a plan hit its limit".to_owned(), json!({"shown": "unknown"}))
        }
        (Distance::Never, _) => ("the goal cannot be reached any more".to_owned(), json!({"shown": "never"})),
        (Distance::Calls(_), None) => ("the goal is reached: finish".to_owned(), json!({"shown": "reached"})),
        (Distance::Calls(calls), Some(next)) => {
            let (mut words, data) = if told == 0 { tool(world, next) } else { whole(world, next) };
            if let Some(left) = left.filter(|&left| left < calls) {
                words += &format!(" (the goal is {} away: {left} left is too few)", count(calls, "call"));
            }
            (words, data)
        }
    }
}

fn tool(world: &World, call: &Call) -> (String, Value) {
    let name = world.domain.tool_name(call.tool);
    let class = world.domain.tool(call.tool).class;
    let class = world.domain.taxonomy.get_index(class.index()).map_or("", |(name, _)| name);
    (format!("{name}, of the class {class}"), json!({"shown": "tool", "tool": name, "class": class}))
}

fn whole(world: &World, call: &Call) -> (String, Value) {
    let name = world.domain.tool_name(call.tool);
    let arguments = call.arguments(world);
    let words: Vec<String> = arguments.iter().map(|(name, value)| format!("  {name}={value}")).collect();
    let args: serde_json::Map<String, Value> =
        arguments.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
    (format!("{name}{}", words.concat()), json!({"shown": "call", "tool": name, "args": args}))
}

impl Play {
    /// `s`: looks for a plan while the screen stays live, or tells what is known already.
    pub(super) fn ask_hint(&mut self, ctx: &mut Ctx) {
        if !self.mind_trouble(ctx) {
            return;
        }
        let Some(game) = &mut self.game else { return };
        let state = game.session.episode.state.clone();
        if game.hints.knows(&state) {
            return self.give_hint(ctx);
        }
        if let Some(job) = game.hints.job.take() {
            ctx.cancel(job);
        }
        let (world, terms) = (game.session.episode.world.clone(), game.session.episode.terms);
        let shelf = self.shelf.clone();
        let job = ctx.spawn_named("looking for a hint", move |handle| {
            let task = (&world, terms.role, terms.toolset);
            let plan = planning::ask(&shelf.planners, task, handle, |planner| planner.plan(&state));
            Sought((!handle.cancelled()).then_some((state, plan)))
        });
        game.hints.job = Some(job);
    }

    /// A search has ended.
    pub(super) fn hint_found(&mut self, sought: Sought, ctx: &mut Ctx) {
        let (Some(game), Some((state, plan))) = (&mut self.game, sought.0) else { return };
        let Some(plan) = plan else { return ctx.warn("the entry sets this role no goal, so there is no hint") };
        let asked = game.hints.job.is_some() && game.session.episode.state == state;
        game.hints.keep(state, plan);
        // What was asked of another state, or of a run that is over, is not told.
        if asked && game.session.seen.end.is_none() {
            game.hints.job = None;
            self.give_hint(ctx);
        }
    }

    /// The state is another one: what was asked of the one before is no longer wanted.
    pub(super) fn stop_hint(&mut self, ctx: &mut Ctx) {
        if let Some(job) = self.game.as_mut().and_then(|game| game.hints.job.take()) {
            ctx.cancel(job);
        }
    }

    fn give_hint(&mut self, ctx: &mut Ctx) {
        let Some(game) = &mut self.game else { return };
        let Some((words, note)) = game.hints.next(&game.session) else { return };
        let Some(note) = note else { return ctx.say(format!("hint, not counted again: {words}")) };
        self.fork(ctx);
        let Some(game) = &mut self.game else { return };
        let events = game.session.make(&note);
        game.panes.to_end = true;
        let told = format!("hint {}: {words}", game.hints());
        ctx.say(&told);
        game.told = Some(told);
        self.record(events, ctx);
    }
}
