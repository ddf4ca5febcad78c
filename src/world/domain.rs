//! A domain, resolved: what all problems of one field share (design §2).
//!
//! Plain data. [`crate::world::load_domain`] makes it and vouches for every index in it.

use std::{ops::Range, sync::Arc};

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::{
    Atom, CapabilityId, ClassId, KnowledgeId, Literal, RoleId, SourceFile, SourceId, SymbolId, Template, ToolId,
    TypeId, Types, VarId,
};

/// A domain file without errors.
#[derive(Debug)]
pub struct Domain {
    /// The file it was read from.
    pub file: Arc<SourceFile>,
    /// SHA-256 of what can change an execution, hex (design §4).
    pub digest: String,
    /// `name`.
    pub name: String,
    /// The type tree.
    pub types: Types,
    /// Constants by name, in file order; their [`SymbolId`]s come first, then the roles'.
    pub constants: IndexMap<String, TypeId>,
    /// Predicates in file order, then slots: they share one namespace.
    pub relations: IndexMap<String, Relation, FxBuildHasher>,
    /// What roles may do.
    pub capabilities: IndexMap<String, Gate>,
    /// What roles can judge and read.
    pub knowledge: IndexMap<String, Gate>,
    /// Retrieval sources.
    pub sources: IndexMap<String, Source>,
    /// The tool taxonomy.
    pub taxonomy: IndexMap<String, Class>,
    /// Tools in file order.
    pub tools: IndexMap<String, Tool, FxBuildHasher>,
    /// Roles in file order.
    pub roles: IndexMap<String, Role>,
}

/// Predicate or slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelationKind {
    /// Its atoms are facts.
    Predicate,
    /// Its atoms are values that tools produce and consume.
    Slot,
}

/// A predicate or a slot.
#[derive(Debug)]
pub struct Relation {
    /// Which of the two.
    pub kind: RelationKind,
    /// Names and types of the arguments.
    pub params: Vec<Param>,
    /// Maps its leading arguments to its last (predicates only).
    pub functional: bool,
    /// The value with which every key starts that `init` gives none.
    pub default: Option<SymbolId>,
    /// The wording of a fact; its variables are indices of `params`.
    pub text: Option<Template>,
    /// A slot's doc.
    pub doc: String,
    /// Bytes of its name in the file.
    pub span: Range<usize>,
}

/// A named, typed argument.
#[derive(Debug, Clone)]
pub struct Param {
    /// Without `?`.
    pub name: String,
    /// Takes objects of this type and below.
    pub ty: TypeId,
}

/// A capability or a knowledge domain.
#[derive(Debug)]
pub struct Gate {
    /// What it means.
    pub text: String,
    /// Bytes of its name in the file.
    pub span: Range<usize>,
}

/// A retrieval source.
#[derive(Debug)]
pub struct Source {
    /// The knowledge domain that its tools ask for; none: open to all.
    pub knowledge: Option<KnowledgeId>,
    /// What it is.
    pub doc: String,
    /// Bytes of its name in the file.
    pub span: Range<usize>,
}

/// A class of the tool taxonomy.
#[derive(Debug)]
pub struct Class {
    /// The class that it stands under.
    pub under: Option<ClassId>,
    /// Its tools hand work to another role; inherited through `under`.
    pub routing: bool,
    /// Bytes of its name in the file.
    pub span: Range<usize>,
}

/// A role.
#[derive(Debug)]
pub struct Role {
    /// What it is.
    pub doc: String,
    /// What it may do, in the domain's order.
    pub capabilities: Vec<CapabilityId>,
    /// What it can judge and read, in the domain's order.
    pub knowledge: Vec<KnowledgeId>,
    /// Bytes of its name in the file.
    pub span: Range<usize>,
}

/// What a tool demands of the role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Gates {
    /// Open without one.
    pub capability: Option<CapabilityId>,
    /// The tool's own, else its source's; open without one.
    pub knowledge: Option<KnowledgeId>,
}

/// A tool.
#[derive(Debug)]
pub struct Tool {
    /// What an agent reads about it.
    pub doc: String,
    /// Its class.
    pub class: ClassId,
    /// Whether its class hands work to another role.
    pub routing: bool,
    /// All variables: `?self`, the params, those that consumed values bind, then look-ups in
    /// the order in which they are bound. `forall` variables stand in their effect's own range
    /// after these.
    pub vars: Vec<Var>,
    /// The params, in declared order; param `i` is variable `i + 1`.
    pub params: Vec<Param>,
    /// The consumed arguments, in declared order.
    pub consumes: Vec<Consumed>,
    /// Slot values that a firing adds.
    pub produces: Vec<Atom>,
    /// Preconditions, in the file's order.
    pub precondition: Vec<Literal>,
    /// Which precondition binds which variable, in the order of binding.
    pub lookups: Vec<Lookup>,
    /// Effects, in the file's order.
    pub effects: Vec<Effect>,
    /// Whether a firing might give a functional key two values: a functional predicate is added by
    /// two effects, or under a `forall`.
    pub may_conflict: bool,
    /// Patterns of what an observation lists; `None` is a wildcard.
    pub reveals: Vec<Reveal>,
    /// What a firing reports; its variables are [`VarId`]s.
    pub observation: Option<Template>,
    /// What it demands of the role.
    pub gates: Gates,
    /// The source that it reads.
    pub source: Option<SourceId>,
    /// Bytes of its name in the file.
    pub span: Range<usize>,
    /// Bytes of its whole definition, name included.
    pub definition: Range<usize>,
}

/// A pattern over facts.
#[derive(Debug, Clone)]
pub struct Reveal {
    /// The predicate (or slot).
    pub relation: super::RelationId,
    /// `None` matches anything.
    pub args: Vec<Option<super::Term>>,
}

/// A variable of a tool.
#[derive(Debug, Clone)]
pub struct Var {
    /// Without `?`.
    pub name: String,
    /// What it can be.
    pub ty: TypeId,
    /// How it gets its value.
    pub origin: VarOrigin,
}

/// How a variable gets its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VarOrigin {
    /// `?self`, the acting role; always variable 0.
    SelfRole,
    /// An argument of the call.
    Param,
    /// Bound by the consumed argument of this index.
    Consumed(usize),
    /// Looked up in the state, by the precondition of this index.
    Lookup(usize),
    /// Runs over the objects of its type, in the effect of this index.
    Forall(usize),
}

/// A consumed argument.
#[derive(Debug)]
pub struct Consumed {
    /// The argument's name.
    pub name: String,
    /// The slot pattern that its value must match.
    pub pattern: Atom,
}

/// A precondition that gives a variable its value: the last argument of a functional predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lookup {
    /// Index into `precondition`.
    pub condition: usize,
    /// The variable.
    pub var: VarId,
}

/// An effect: for every value of the `forall` variables under which all of `when` hold in the
/// state before the call, `add` and `delete`. Plain literals of the file have no `forall`, no `when`.
#[derive(Debug)]
pub struct Effect {
    /// Variables that run over all objects, constants and roles of their types.
    pub forall: Vec<VarId>,
    /// Conditions, read in the state before the call.
    pub when: Vec<Literal>,
    /// What becomes true (negated: false), in the file's order.
    pub then: Vec<Literal>,
}

impl Domain {
    /// The role as an object.
    pub fn role_symbol(&self, role: RoleId) -> SymbolId {
        SymbolId::from(self.constants.len() + role.index())
    }

    /// The role that a symbol is, if it is one.
    pub fn symbol_role(&self, symbol: SymbolId) -> Option<RoleId> {
        let index = symbol.index().checked_sub(self.constants.len())?;
        (index < self.roles.len()).then(|| RoleId::from(index))
    }

    /// A tool by name.
    pub fn tool_id(&self, name: &str) -> Option<ToolId> {
        self.tools.get_index_of(name).map(ToolId::from)
    }

    /// A role by name.
    pub fn role_id(&self, name: &str) -> Option<RoleId> {
        self.roles.get_index_of(name).map(RoleId::from)
    }

    /// The tool.
    pub fn tool(&self, tool: ToolId) -> &Tool {
        &self.tools[tool.index()]
    }

    /// The name of a tool.
    pub fn tool_name(&self, tool: ToolId) -> &str {
        self.tools.get_index(tool.index()).map_or("", |(name, _)| name)
    }

    /// The name of a role.
    pub fn role_name(&self, role: RoleId) -> &str {
        self.roles.get_index(role.index()).map_or("", |(name, _)| name)
    }

    /// The name of a capability.
    pub fn capability_name(&self, id: CapabilityId) -> &str {
        self.capabilities.get_index(id.index()).map_or("", |(name, _)| name)
    }

    /// The name of a knowledge domain.
    pub fn knowledge_name(&self, id: KnowledgeId) -> &str {
        self.knowledge.get_index(id.index()).map_or("", |(name, _)| name)
    }

    /// The gates of the tool that the role fails; none means: may use it.
    pub fn failed_gates(&self, tool: ToolId, role: RoleId) -> Gates {
        let gates = self.tool(tool).gates;
        let role = &self.roles[role.index()];
        Gates {
            capability: gates.capability.filter(|c| !role.capabilities.contains(c)),
            knowledge: gates.knowledge.filter(|k| !role.knowledge.contains(k)),
        }
    }

    /// Whether both gates let the role pass.
    pub fn may(&self, tool: ToolId, role: RoleId) -> bool {
        self.failed_gates(tool, role) == Gates::default()
    }
}

impl Effect {
    /// Its conditions, then what it makes true or false.
    pub fn literals(&self) -> impl Iterator<Item = &Literal> {
        self.when.iter().chain(&self.then)
    }
}

impl Tool {
    /// Looks a variable up by its name without `?`.
    pub fn var(&self, name: &str) -> Option<VarId> {
        self.vars.iter().position(|v| v.name == name).map(VarId::from)
    }
}
