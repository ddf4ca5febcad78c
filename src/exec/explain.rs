//! A call under the magnifying glass: every condition of the firing rule, held or failed, with its
//! ground values. For readers who may see everything; decides nothing that [`super::step`] does not.

use super::{ArgumentFault, Bindings, Call, Request, State, Truth, atom_text, literal_text};
use crate::world::{CapabilityId, FactId, KnowledgeId, RoleId, ToolId, ToolsetId, World};

/// Everything that was asked of a call, in the order of design §3.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The tool; `None` if there is no such tool, and then nothing else was asked.
    pub tool: Option<ToolId>,
    /// The conditions.
    pub checks: Vec<Check>,
}

/// One condition of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What was asked.
    pub subject: Subject,
    /// What the answer was.
    pub status: Status,
}

/// What a [`Check`] asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// Whether the tool is in the tool set.
    Offered,
    /// Whether an argument is of the right kind. Asked only where one is not.
    Argument(ArgumentFault),
    /// A precondition.
    Precondition {
        /// Index into the tool's preconditions.
        index: usize,
        /// Ground print; a variable without a value stays `?name`.
        text: String,
        /// The fact that it turns on, if it is ground and no comparison.
        fact: Option<FactId>,
        /// Whether it denies the fact.
        negated: bool,
    },
    /// Whether a consumed value matches and was produced.
    Input {
        /// Index into the tool's consumed arguments.
        index: usize,
        /// The argument's name.
        argument: String,
        /// The value sent.
        value: FactId,
        /// The pattern with bound variables filled in.
        expects: String,
        /// Whether the value matches it.
        matches: bool,
    },
    /// Whether a functional key would get two values. Asked only where it would.
    Conflict,
    /// The capability gate.
    Capability(CapabilityId),
    /// The knowledge gate.
    Knowledge(KnowledgeId),
}

/// The answer to a [`Check`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// It holds.
    Holds,
    /// It fails: a reason of the refusal.
    Fails,
    /// It was not evaluated, for this variable has no value.
    Open(String),
}

impl Status {
    fn of(holds: bool) -> Self {
        if holds { Status::Holds } else { Status::Fails }
    }
}

impl Explanation {
    /// Asks everything of a call, in the state before it.
    pub fn of(world: &World, role: RoleId, toolset: ToolsetId, state: &State, request: &Request) -> Self {
        let Some(tool) = request.tool() else { return Explanation { tool: None, checks: Vec::new() } };
        let offered = world.problem.toolsets[toolset.index()].offered[tool.index()];
        let mut checks = Vec::new();
        let mut ask = |subject, status| checks.push(Check { subject, status });
        if !offered {
            ask(Subject::Offered, Status::Fails);
        }
        match request {
            Request::Call(call) => ask_call(world, role, state, call, &mut ask),
            Request::Malformed { faults, .. } => {
                faults.iter().for_each(|fault| ask(Subject::Argument(fault.clone()), Status::Fails));
            }
            Request::UnknownTool(_) => {}
        }
        let conflict = |reason: &super::Reason| matches!(reason, super::Reason::Conflict { .. });
        if let super::Outcome::Refused(reasons) = super::step(world, role, toolset, state, request)
            && reasons.iter().any(conflict)
        {
            ask(Subject::Conflict, Status::Fails);
        }
        let gates = world.domain.tool(tool).gates;
        let failed = world.domain.failed_gates(tool, role);
        if let Some(capability) = gates.capability {
            ask(Subject::Capability(capability), Status::of(failed.capability.is_none()));
        }
        if let Some(knowledge) = gates.knowledge {
            ask(Subject::Knowledge(knowledge), Status::of(failed.knowledge.is_none()));
        }
        Explanation { tool: Some(tool), checks }
    }

    /// How many conditions fail.
    pub fn failing(&self) -> usize {
        self.checks.iter().filter(|check| check.status == Status::Fails).count()
    }
}

fn ask_call(world: &World, role: RoleId, state: &State, call: &Call, ask: &mut impl FnMut(Subject, Status)) {
    let tool = world.domain.tool(call.tool);
    let bindings = Bindings::of(world, role, state, call);
    for (index, literal) in tool.precondition.iter().enumerate() {
        let status = match bindings.condition(world, tool, state, index, literal) {
            Truth::Holds => Status::Holds,
            Truth::Fails => Status::Fails,
            Truth::Unbound(var) => Status::Open(tool.vars[var.index()].name.clone()),
        };
        let text = literal_text(world, literal, Some(tool), &|var| bindings.get(var));
        let fact = literal.atom().and_then(|atom| bindings.ground(world, atom).ok().flatten());
        ask(Subject::Precondition { index, text, fact, negated: literal.negated }, status);
    }
    for (index, (consumed, &value)) in tool.consumes.iter().zip(&call.consumed).enumerate() {
        let matches = bindings.matched[index];
        let before = Bindings::before_argument(world, role, call, index);
        let expects = atom_text(world, &consumed.pattern, Some(tool), &|var| before.get(var));
        let argument = consumed.name.clone();
        ask(Subject::Input { index, argument, value, expects, matches }, Status::of(matches && state.contains(value)));
    }
}
