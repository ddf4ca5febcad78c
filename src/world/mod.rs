//! World models: domain and problem files, read with positions, resolved to numbers.
//!
//! Loading never fails half-way: it returns what could be understood and every fault of the file
//! as a [`Diagnostic`]. A [`World`] exists only for files without errors.

mod diagnostic;
mod digest;
mod domain;
mod domain_file;
mod facts;
mod faults;
mod ids;
mod json;
mod library;
mod literal;
mod placeholders;
mod problem;
mod problem_file;
mod render;
mod shape;
mod shapes;
mod source;
pub mod syntax;
mod template;
mod tool_file;
mod types;
mod types_file;
mod usage;
mod values;
mod vocabulary;

pub use diagnostic::{Diagnostic, Severity, foremost};
pub use digest::sha256;
pub use domain::{
    Class, Consumed, Domain, Effect, Gate, Gates, Lookup, Param, Relation, RelationKind, Reveal, Role, Source, Tool,
    Var, VarOrigin,
};
pub use domain_file::load_domain;
pub use facts::{FactSpace, MAX_FACTS, World};
pub use faults::suggest;
pub use ids::{
    CapabilityId, ClassId, FactId, KnowledgeId, RelationId, RoleId, SourceId, SymbolId, ToolId, ToolsetId, TypeId,
    VarId,
};
pub use library::{Entries, Input, Library, nearest_root};
pub use literal::{Atom, Literal, Proposition, Term};
pub use problem::{Goal, GoalLiteral, Perspective, PerspectiveSpans, Problem, ProblemSpans, ReferenceCall, Toolset};
pub use problem_file::load_problem;
pub use render::{render, render_within};
pub use shapes::{Format, schema};
pub use source::{LARGEST, Position, SourceFile};
pub use template::{Piece, Template};
pub use types::{Type, Types};
pub use usage::{Access, RelationUse, Usage, adds, deletes, reads};
