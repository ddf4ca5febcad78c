//! World models: domain and problem files, read with positions, resolved to numbers.
//!
//! Loading never fails half-way: it returns what could be understood and every fault of the file
//! as a [`Diagnostic`]. A [`World`] exists only for files without errors.

mod diagnostic;
mod domain;
mod facts;
mod ids;
mod literal;
mod problem;
mod source;
mod template;
mod types;

pub use diagnostic::{Diagnostic, Severity};
pub use domain::{
    Class, Consumed, Domain, Effect, Gates, Lookup, Param, Relation, RelationKind, Reveal, Role, Source, Tool, Var,
    VarOrigin,
};
pub use facts::{FactSpace, MAX_FACTS, World};
pub use ids::{
    CapabilityId, ClassId, FactId, KnowledgeId, RelationId, RoleId, SourceId, SymbolId, ToolId, ToolsetId, TypeId,
    VarId,
};
pub use literal::{Atom, Literal, Proposition, Term};
pub use problem::{Goal, GoalLiteral, Perspective, Problem, ReferenceCall, Toolset};
pub use source::{Position, SourceFile};
pub use template::{Piece, Template};
pub use types::{Type, Types};
