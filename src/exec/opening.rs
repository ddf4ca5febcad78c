//! What an agent or a player is told at the start (design §3): persona, query, objects by type,
//! given values, budget, and the offered tools with their docs and arguments. Never gates, goals
//! or facts.

use std::fmt::Write;

use serde::Serialize;

use super::sorted_texts;
use crate::world::{RoleId, SymbolId, ToolId, ToolsetId, TypeId, Types, World};

/// The opening as data; [`Opening::text`] is what is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Opening {
    /// Who the agent serves; empty for a role without a perspective.
    pub persona: String,
    /// What the user asks.
    pub query: String,
    /// Every type that has objects, constants or roles of its own.
    pub objects: Vec<ObjectGroup>,
    /// Slot values in hand.
    pub given: Vec<String>,
    /// How many calls may be made.
    pub budget: u32,
    /// The tools offered.
    pub tools: Vec<OfferedTool>,
}

/// The objects of exactly one type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ObjectGroup {
    /// The type.
    #[serde(rename = "type")]
    pub ty: String,
    /// The types above it, nearest first, `object` apart.
    pub under: Vec<String>,
    /// Names, in file order.
    pub names: Vec<String>,
}

/// A tool as an agent sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OfferedTool {
    /// Its name.
    pub name: String,
    /// What it does.
    pub doc: String,
    /// Its arguments: params, then consumed ones.
    pub args: Vec<OfferedArgument>,
}

/// An argument as an agent sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OfferedArgument {
    /// Its name.
    pub name: String,
    /// The type of its object, or the slot of its value.
    pub kind: String,
    /// Whether it takes a slot value.
    pub slot: bool,
    /// The objects that fit; empty for a slot.
    pub choices: Vec<String>,
}

impl Opening {
    /// What this role is told with this tool set.
    pub fn of(world: &World, role: RoleId, toolset: ToolsetId) -> Self {
        let problem = &world.problem;
        let perspective = problem.perspectives.get(&role);
        let own = perspective.map_or(&[][..], |p| &p.given);
        Opening {
            persona: perspective.map_or(String::new(), |p| p.persona.clone()),
            query: problem.query.clone(),
            objects: object_groups(world),
            given: sorted_texts(world, problem.given.iter().chain(own).copied()),
            budget: problem.budget,
            tools: problem.toolsets[toolset.index()].tools.iter().map(|&tool| offered_tool(world, tool)).collect(),
        }
    }

    /// The whole opening as one text.
    pub fn text(&self) -> String {
        self.fill(include_str!("../../prompts/1/text.txt"))
    }

    /// A template with its places filled: `{persona}`, `{query}`, `{objects}`, `{given}`, `{budget}`,
    /// `{tools}`. What is put in is not looked at again; without a persona its paragraph is left out.
    pub fn fill(&self, template: &str) -> String {
        let mut out = String::new();
        let mut rest = template;
        while let Some((before, (name, after))) = rest.split_once('{').and_then(|(b, a)| Some((b, a.split_once('}')?)))
        {
            out.push_str(before);
            rest = after;
            let _ = match name {
                "persona" if self.persona.is_empty() => {
                    rest = rest.trim_start();
                    Ok(())
                }
                "persona" => out.write_str(&self.persona),
                "query" => out.write_str(&self.query),
                "objects" => self.write_objects(&mut out),
                "given" if self.given.is_empty() => out.write_str("nothing"),
                "given" => out.write_str(&self.given.join(", ")),
                "budget" => write!(out, "{}", self.budget),
                "tools" => self.write_tools(&mut out),
                _ => write!(out, "{{{name}}}"),
            };
        }
        out + rest
    }

    fn write_objects(&self, out: &mut String) -> std::fmt::Result {
        for (index, group) in self.objects.iter().enumerate() {
            let line = if index == 0 { "" } else { "\n" };
            let under =
                if group.under.is_empty() { String::new() } else { format!(" (a kind of {})", group.under.join(", ")) };
            write!(out, "{line}- {}{under}: {}", group.ty, group.names.join(", "))?;
        }
        Ok(())
    }

    fn write_tools(&self, out: &mut String) -> std::fmt::Result {
        for (index, tool) in self.tools.iter().enumerate() {
            let line = if index == 0 { "" } else { "\n" };
            write!(out, "{line}- {}: {}", tool.name, tool.doc)?;
            for arg in &tool.args {
                write!(out, "\n    {}: {}", arg.name, arg.words())?;
            }
        }
        Ok(())
    }
}

impl OfferedArgument {
    /// What it takes.
    pub fn words(&self) -> String {
        let value = if self.slot { "a value of" } else { "a name of type" };
        format!("{value} {}", self.kind)
    }
}

fn object_groups(world: &World) -> Vec<ObjectGroup> {
    let types = &world.domain.types;
    let name = |symbol: &SymbolId| world.symbol_name(*symbol).to_owned();
    (0..types.by_name.len())
        .map(TypeId::from)
        .filter_map(|ty| {
            let own = world.facts.extent(ty).iter().filter(|&&symbol| world.symbol_type(symbol) == ty);
            let names: Vec<String> = own.map(name).collect();
            (!names.is_empty()).then(|| ObjectGroup { ty: types.name(ty).to_owned(), under: above(types, ty), names })
        })
        .collect()
}

fn above(types: &Types, ty: TypeId) -> Vec<String> {
    std::iter::successors(types.by_name[ty.index()].parent, |up| types.by_name[up.index()].parent)
        .filter(|&up| up != Types::OBJECT)
        .map(|up| types.name(up).to_owned())
        .collect()
}

fn offered_tool(world: &World, tool: ToolId) -> OfferedTool {
    let definition = world.domain.tool(tool);
    let params = definition.params.iter().map(|param| OfferedArgument {
        name: param.name.clone(),
        kind: world.domain.types.name(param.ty).to_owned(),
        slot: false,
        choices: world.facts.extent(param.ty).iter().map(|&s| world.symbol_name(s).to_owned()).collect(),
    });
    let consumed = definition.consumes.iter().map(|consumed| OfferedArgument {
        name: consumed.name.clone(),
        kind: slot_shape(world, consumed.pattern.relation),
        slot: true,
        choices: Vec::new(),
    });
    OfferedTool {
        name: world.domain.tool_name(tool).to_owned(),
        doc: definition.doc.clone(),
        args: params.chain(consumed).collect(),
    }
}

/// A slot with its params' types: `diagnosis(asset, fault)`.
fn slot_shape(world: &World, relation: crate::world::RelationId) -> String {
    let params = &world.domain.relations[relation.index()].params;
    let types: Vec<&str> = params.iter().map(|param| world.domain.types.name(param.ty)).collect();
    let name = world.relation_name(relation);
    if types.is_empty() { name.to_owned() } else { format!("{name}({})", types.join(", ")) }
}
