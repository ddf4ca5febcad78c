//! A problem, resolved against its domain (design §2).

use std::{ops::Range, sync::Arc};

use indexmap::IndexMap;

use super::{FactId, RoleId, SourceFile, ToolId, TypeId};

/// A problem file without errors.
#[derive(Debug)]
pub struct Problem {
    /// The file it was read from.
    pub file: Arc<SourceFile>,
    /// SHA-256 of what can change an execution, hex (design §4).
    pub digest: String,
    /// `id`.
    pub id: String,
    /// `title`, or empty.
    pub title: String,
    /// What the user asks, the same for every role.
    pub query: String,
    /// Objects by name, in file order.
    pub objects: IndexMap<String, TypeId>,
    /// Facts true at the start, functional defaults included, by id.
    pub init: Vec<FactId>,
    /// Those of `init` that the file names itself.
    pub init_written: Vec<FactId>,
    /// Slot values in everybody's hand at the start.
    pub given: Vec<FactId>,
    /// Tool sets in file order, each within the next; the first is the default everywhere.
    pub toolsets: IndexMap<String, Toolset>,
    /// How many calls a run may make.
    pub budget: u32,
    /// Perspectives by role, in file order.
    pub perspectives: IndexMap<RoleId, Perspective>,
    /// `provenance`, any JSON.
    pub provenance: Option<serde_json::Value>,
    /// `notes`, any JSON.
    pub notes: Option<serde_json::Value>,
    /// Where things stand in the file.
    pub spans: ProblemSpans,
}

/// Bytes of the keys of a problem file.
#[derive(Debug, Default)]
pub struct ProblemSpans {
    /// `budget`.
    pub budget: Range<usize>,
    /// `perspectives`.
    pub perspectives: Range<usize>,
    /// The objects' names, in their order.
    pub objects: Vec<Range<usize>>,
}

/// The tools offered in a run.
#[derive(Debug)]
pub struct Toolset {
    /// In the domain's order.
    pub tools: Vec<ToolId>,
    /// Whether each tool of the domain is offered, by [`ToolId`].
    pub offered: Vec<bool>,
    /// Bytes of its name in the file.
    pub span: Range<usize>,
}

/// One role's side of a problem.
#[derive(Debug)]
pub struct Perspective {
    /// Who the agent serves, in prose.
    pub persona: String,
    /// What this persona holds in hand, added to the problem's `given`.
    pub given: Vec<FactId>,
    /// What is to be reached.
    pub goal: Goal,
    /// A plan that reaches it.
    pub reference: Vec<ReferenceCall>,
    /// `notes`, any JSON.
    pub notes: Option<serde_json::Value>,
    /// Where things stand in the file.
    pub spans: PerspectiveSpans,
}

/// Bytes of the keys of a perspective.
#[derive(Debug, Default)]
pub struct PerspectiveSpans {
    /// The role's name.
    pub role: Range<usize>,
    /// `goal`.
    pub goal: Range<usize>,
    /// `reference`.
    pub reference: Range<usize>,
}

/// Any of several goal states; a plain list is one alternative.
#[derive(Debug)]
pub struct Goal {
    /// Not empty, nor is any of them.
    pub alternatives: Vec<Vec<GoalLiteral>>,
}

/// A ground literal of a goal.
#[derive(Debug, Clone)]
pub struct GoalLiteral {
    /// `not …`.
    pub negated: bool,
    /// The fact or slot value; `Err(truth)` for a comparison of two symbols, decided on loading.
    pub fact: Result<FactId, bool>,
    /// Canonical print, sign included.
    pub text: String,
    /// Bytes of the literal in the file.
    pub span: Range<usize>,
}

/// A call of a reference plan, as an agent would send it.
#[derive(Debug, Clone)]
pub struct ReferenceCall {
    /// The tool, known to the domain.
    pub tool: ToolId,
    /// The arguments as compact JSON.
    pub args: String,
    /// Bytes of the call in the file.
    pub span: Range<usize>,
}
