//! Under-reach in words: screens and texts say it alike.

use super::{Deferral, Withheld};
use crate::world::{RoleId, ToolId, World};

impl Withheld {
    /// Where, what was done instead, and the [words](Self::words): `under-reach at 3, routed instead: …`.
    pub fn line(&self, world: &World, role: RoleId) -> String {
        format!("under-reach at {}, {}: {}", self.step, self.deferral.words(), self.words(world, role))
    }

    /// What was withheld, and what the role has for it: `withheld lock_out: needs capability isolation,
    /// which the technician has`. Further tools that begin a shortest plan are named behind it.
    pub fn words(&self, world: &World, role: RoleId) -> String {
        let domain = &world.domain;
        let Some((&first, others)) = self.tools.split_first() else { return String::new() };
        let gates = domain.tool(first).gates;
        let mut needs = Vec::new();
        needs.extend(gates.capability.map(|gate| format!("capability {}", domain.capability_name(gate))));
        needs.extend(gates.knowledge.map(|gate| format!("knowledge {}", domain.knowledge_name(gate))));
        let why = if needs.is_empty() {
            "open to every role".to_owned()
        } else {
            format!("needs {}, which the {} has", needs.join(" and "), domain.role_name(role))
        };
        let mut words = format!("withheld {}: {why}", domain.tool_name(first));
        if !others.is_empty() {
            let names: Vec<&str> = others.iter().map(|&tool| domain.tool_name(tool)).collect();
            words += &format!("; or {}", names.join(", "));
        }
        words
    }
}

/// The gates of a withheld tool in short, where each tool has a row: `technician has measure, hardware`.
pub fn passes(world: &World, tool: ToolId, role: RoleId) -> String {
    let (domain, gates) = (&world.domain, world.domain.tool(tool).gates);
    let capability = gates.capability.map(|gate| domain.capability_name(gate));
    let knowledge = gates.knowledge.map(|gate| domain.knowledge_name(gate));
    let held: Vec<&str> = capability.into_iter().chain(knowledge).collect();
    if held.is_empty() { "no gate".to_owned() } else { format!("{} has {}", domain.role_name(role), held.join(", ")) }
}

impl Deferral {
    /// What was done instead.
    pub fn words(self) -> &'static str {
        match self {
            Deferral::Routed => "routed instead",
            Deferral::Stopped => "stopped instead",
        }
    }
}
