//! Who does what with a predicate or slot, and who holds a gate: read off the definitions alone.

use super::{CapabilityId, Domain, Gates, KnowledgeId, RelationId, RoleId, Tool, ToolId};

/// What the tools of a domain do with each of its predicates and slots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage {
    relations: Vec<RelationUse>,
}

/// The tools that touch one predicate or slot; each list in the domain's order, no tool twice.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RelationUse {
    /// Can make it true: an effect adds it, or it is produced.
    pub adds: Vec<ToolId>,
    /// Have an effect that deletes it. A functional value that gives way to another is not meant.
    pub deletes: Vec<ToolId>,
    /// Ask for it: in a precondition, in the condition of an effect, or as a consumed value.
    pub reads: Vec<ToolId>,
    /// List it in what they observe.
    pub reveals: Vec<ToolId>,
}

impl Usage {
    /// Goes over all tools once.
    pub fn of(domain: &Domain) -> Usage {
        let mut relations = vec![RelationUse::default(); domain.relations.len()];
        for (index, tool) in domain.tools.values().enumerate() {
            let id = ToolId::from(index);
            let mut note = |relation: RelationId, list: fn(&mut RelationUse) -> &mut Vec<ToolId>| {
                let list = list(&mut relations[relation.index()]);
                if list.last() != Some(&id) {
                    list.push(id);
                }
            };
            adds(tool).for_each(|relation| note(relation, |r| &mut r.adds));
            deletes(tool).for_each(|relation| note(relation, |r| &mut r.deletes));
            reads(tool).for_each(|relation| note(relation, |r| &mut r.reads));
            tool.reveals.iter().for_each(|reveal| note(reveal.relation, |r| &mut r.reveals));
        }
        Usage { relations }
    }

    /// Who touches this predicate or slot.
    pub fn relation(&self, relation: RelationId) -> &RelationUse {
        &self.relations[relation.index()]
    }
}

/// Predicates and slots that a firing of the tool can make true.
pub fn adds(tool: &Tool) -> impl Iterator<Item = RelationId> + '_ {
    let effects = tool.effects.iter().flat_map(|effect| &effect.then).filter(|literal| !literal.negated);
    effects.filter_map(|literal| literal.atom()).chain(&tool.produces).map(|atom| atom.relation)
}

/// Predicates and slots that an effect of the tool deletes.
pub fn deletes(tool: &Tool) -> impl Iterator<Item = RelationId> + '_ {
    let effects = tool.effects.iter().flat_map(|effect| &effect.then).filter(|literal| literal.negated);
    effects.filter_map(|literal| literal.atom()).map(|atom| atom.relation)
}

/// Predicates and slots that the tool asks for: preconditions, conditions of effects, consumed values.
pub fn reads(tool: &Tool) -> impl Iterator<Item = RelationId> + '_ {
    let conditions = tool.precondition.iter().chain(tool.effects.iter().flat_map(|effect| &effect.when));
    let conditions = conditions.filter_map(|literal| literal.atom()).map(|atom| atom.relation);
    conditions.chain(tool.consumes.iter().map(|consumed| consumed.pattern.relation))
}

/// Whether a role may use a tool, in the one word of matrices and JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// It passes both gates.
    May,
    /// It lacks the capability alone.
    Capability,
    /// It lacks the knowledge alone.
    Knowledge,
    /// It lacks both.
    Both,
}

impl Domain {
    /// Whether the role may use the tool, and what it lacks.
    pub fn access(&self, tool: ToolId, role: RoleId) -> Access {
        match self.failed_gates(tool, role) {
            Gates { capability: None, knowledge: None } => Access::May,
            Gates { capability: Some(_), knowledge: None } => Access::Capability,
            Gates { capability: None, knowledge: Some(_) } => Access::Knowledge,
            Gates { capability: Some(_), knowledge: Some(_) } => Access::Both,
        }
    }

    /// The roles that have a capability, in the domain's order.
    pub fn with_capability(&self, id: CapabilityId) -> impl Iterator<Item = RoleId> + '_ {
        let roles = self.roles.values().enumerate().filter(move |(_, role)| role.capabilities.contains(&id));
        roles.map(|(index, _)| RoleId::from(index))
    }

    /// The roles that have a knowledge domain, in the domain's order.
    pub fn with_knowledge(&self, id: KnowledgeId) -> impl Iterator<Item = RoleId> + '_ {
        let roles = self.roles.values().enumerate().filter(move |(_, role)| role.knowledge.contains(&id));
        roles.map(|(index, _)| RoleId::from(index))
    }
}
