//! One run on the axes that need no plans: the goal, over-reach, efficiency.

use serde::Serialize;

use crate::{
    exec::{Share, State},
    run::{self, Replay},
    world::{Goal, GoalLiteral, Perspective, RelationId, World},
};

/// What one run comes to, but for what needs distances (design §5).
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// All literals of the alternative that counts at the end hold.
    pub complete: bool,
    /// Complete, and no over-reach.
    pub solved: bool,
    /// Literals of the alternative that counts at the end.
    pub goal: Share,
    /// Those not true at the start that no routing tool of the domain can bring about.
    pub taking: Share,
    /// The others of those not true at the start.
    pub routing: Share,
    /// Those true at the start: to be kept, not to be earned.
    pub guards: Share,
    /// Calls executed.
    pub calls: u32,
    /// Calls allowed.
    pub budget: u32,
    /// Calls that failed a gate.
    pub over_reach: OverReach,
    /// Progress per call.
    pub efficiency: Efficiency,
}

/// Calls that failed a gate, whatever else failed with it. The three kinds add up to the attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct OverReach {
    /// All of them.
    pub attempts: u32,
    /// That failed the capability gate alone.
    pub capability: u32,
    /// That failed the knowledge gate alone.
    pub knowledge: u32,
    /// That failed both.
    pub both: u32,
}

/// Goal progress per call, against the reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Efficiency {
    /// (Share of the literals not true at the start that hold at the end ÷ calls) ÷ (1 ÷ calls of the
    /// reference); 0 without a call.
    pub raw: f64,
    /// Calls of the reference ÷ calls, of a complete run with calls.
    pub complete: Option<f64>,
}

impl Score {
    /// Scores a run that was executed to its end; `None` if its role has no perspective in the problem.
    pub fn of(replay: &Replay) -> Option<Score> {
        let world = &replay.setup.world;
        let perspective = world.problem.perspectives.get(&replay.setup.role)?;
        let (start, end) = (State::initial(world, replay.setup.role), replay.end_state());
        let parts = goal_parts(world, &perspective.goal, &start, end);
        let over_reach = OverReach::of(replay);
        Some(Score {
            complete: parts.goal.complete(),
            solved: run::solved(parts.goal, over_reach.attempts as usize),
            goal: parts.goal,
            taking: parts.taking,
            routing: parts.routing,
            guards: parts.guards,
            calls: replay.calls(),
            budget: replay.setup.budget,
            over_reach,
            efficiency: Efficiency::of(perspective, &parts, replay.calls()),
        })
    }
}

/// The literals of the alternative that counts in a state, by what they ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GoalParts {
    /// All.
    pub goal: Share,
    /// To be earned by doing.
    pub taking: Share,
    /// To be earned by routing.
    pub routing: Share,
    /// To be kept.
    pub guards: Share,
}

/// Splits the alternative that counts at `end`.
pub fn goal_parts(world: &World, goal: &Goal, start: &State, end: &State) -> GoalParts {
    let (counts, share) = goal.best(end);
    let none = Share { held: 0, of: 0 };
    let mut parts = GoalParts { goal: share, taking: none, routing: none, guards: none };
    for literal in &goal.alternatives[counts] {
        let part = if literal.holds(start) {
            &mut parts.guards
        } else if routed(world, literal) {
            &mut parts.routing
        } else {
            &mut parts.taking
        };
        part.of += 1;
        part.held += usize::from(literal.holds(end));
    }
    parts
}

/// Whether a routing tool of the domain adds or produces the literal's predicate or slot.
fn routed(world: &World, literal: &GoalLiteral) -> bool {
    let Ok(fact) = literal.fact else { return false };
    let relation = world.facts.relation(fact);
    world.domain.tools.values().filter(|tool| tool.routing).any(|tool| adds(tool, relation))
}

fn adds(tool: &crate::world::Tool, relation: RelationId) -> bool {
    let effects = tool.effects.iter().flat_map(|effect| &effect.then).filter(|literal| !literal.negated);
    effects.filter_map(|literal| literal.atom()).chain(&tool.produces).any(|atom| atom.relation == relation)
}

impl std::ops::AddAssign for OverReach {
    fn add_assign(&mut self, other: OverReach) {
        self.attempts += other.attempts;
        self.capability += other.capability;
        self.knowledge += other.knowledge;
        self.both += other.both;
    }
}

impl OverReach {
    fn of(replay: &Replay) -> OverReach {
        let mut over_reach = OverReach::default();
        for step in replay.steps() {
            let failed = step.outcome.failed_gates();
            let kind = match (failed.capability, failed.knowledge) {
                (true, true) => &mut over_reach.both,
                (true, false) => &mut over_reach.capability,
                (false, true) => &mut over_reach.knowledge,
                (false, false) => continue,
            };
            *kind += 1;
            over_reach.attempts += 1;
        }
        over_reach
    }
}

impl Efficiency {
    fn of(perspective: &Perspective, parts: &GoalParts, calls: u32) -> Efficiency {
        let reference = perspective.reference.len() as f64;
        let (held, of) = (parts.taking.held + parts.routing.held, parts.taking.of + parts.routing.of);
        let ratio = |share: f64| share * reference / f64::from(calls);
        Efficiency {
            raw: if calls == 0 || of == 0 { 0.0 } else { ratio(held as f64 / of as f64) },
            complete: (parts.goal.complete() && calls > 0).then(|| ratio(1.0)),
        }
    }
}
