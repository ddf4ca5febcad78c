//! Plans that planners by others wrote: one action a line, `(a_lock__out o_fan_h3)`, with names of
//! PDDL. The file of names beside the PDDL says what calls they are.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{
    names::{self, Kind},
    pddl::variables,
};
use crate::{
    exec::atom_text,
    world::{RoleId, ToolId, VarId, World},
};

/// What the names of a PDDL file stand for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PlanNames {
    /// Actions.
    pub actions: IndexMap<String, ActionName>,
    /// Constants, roles and objects.
    pub objects: IndexMap<String, String>,
}

/// What an action stands for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ActionName {
    /// The tool; none for an action that only finishes a plan.
    pub tool: Option<String>,
    /// The variables that the action's parameters are, in order.
    pub parameters: Vec<String>,
    /// The arguments of the call, with `?variable` where a parameter's value goes.
    pub args: IndexMap<String, String>,
}

/// A call of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedCall {
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub args: IndexMap<String, String>,
    /// The line of the plan file, from 1.
    pub line: usize,
}

/// What is wrong with a plan file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct PlanFault {
    /// From 1.
    pub line: usize,
    /// A sentence without a full stop.
    pub message: String,
}

impl PlanNames {
    /// The names of some tools of a world, and of so many finishing actions (none for one goal).
    pub(super) fn of(world: &World, role: RoleId, tools: &[ToolId], alternatives: usize) -> PlanNames {
        let domain = &world.domain;
        let symbols = domain.constants.keys().chain(domain.roles.keys()).chain(world.problem.objects.keys());
        let mut actions: IndexMap<String, ActionName> = tools
            .iter()
            .map(|&tool| {
                let name = domain.tool_name(tool);
                (names::encode(Kind::Tool, name), ActionName::of(world, role, tool))
            })
            .collect();
        if alternatives > 1 {
            let finish = |number: usize| (names::encode(Kind::Finish, &number.to_string()), ActionName::default());
            actions.extend((0..alternatives).map(finish));
        }
        PlanNames { actions, objects: symbols.map(|name| (names::encode(Kind::Object, name), name.clone())).collect() }
    }

    /// Reads a plan: an action a line, in any case, with or without a time before it (`0.0: (…) [1]`);
    /// `;` begins a comment.
    ///
    /// # Errors
    /// The first line that is no action of these names.
    pub fn read(&self, text: &str) -> Result<Vec<PlannedCall>, PlanFault> {
        let mut calls = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let fault = |message: String| PlanFault { line, message };
            let text = text.split(';').next().unwrap_or_default().trim().to_lowercase();
            if text.is_empty() {
                continue;
            }
            let inside = text.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
            let Some((inside, _)) = inside else {
                return Err(fault("an action is written `(name object …)`".to_owned()));
            };
            let mut words = inside.split_whitespace();
            let name = words.next().unwrap_or_default();
            let action = self.actions.get(name).ok_or_else(|| fault(format!("the names have no action '{name}'")))?;
            let object =
                |word| self.objects.get(word).ok_or_else(|| fault(format!("the names have no object '{word}'")));
            let values: Vec<&String> = words.map(object).collect::<Result<_, _>>()?;
            if values.len() != action.parameters.len() {
                let wanted = crate::text::count(action.parameters.len(), "object");
                return Err(fault(format!("'{name}' takes {wanted}, not {}", values.len())));
            }
            if let Some(tool) = &action.tool {
                let filled = |pattern: &String| fill(pattern, &action.parameters, &values);
                let args = action.args.iter().map(|(name, pattern)| (name.clone(), filled(pattern))).collect();
                calls.push(PlannedCall { tool: tool.clone(), args, line });
            }
        }
        Ok(calls)
    }
}

impl ActionName {
    fn of(world: &World, role: RoleId, id: ToolId) -> ActionName {
        let tool = world.domain.tool(id);
        let itself = world.domain.role_symbol(role);
        let bound = |var: VarId| (var == VarId(0)).then_some(itself);
        let params = tool.params.iter().map(|param| (param.name.clone(), format!("?{}", param.name)));
        let consumed = tool
            .consumes
            .iter()
            .map(|consumed| (consumed.name.clone(), atom_text(world, &consumed.pattern, Some(tool), &bound)));
        ActionName {
            tool: Some(world.domain.tool_name(id).to_owned()),
            parameters: variables(tool).map(|var| tool.vars[var.index()].name.clone()).collect(),
            args: params.chain(consumed).collect(),
        }
    }
}

/// Puts values in place of variables.
fn fill(pattern: &str, parameters: &[String], values: &[&String]) -> String {
    let mut parts = pattern.split('?');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !(c.is_ascii_alphanumeric() || "_-.".contains(c))).unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        match parameters.iter().position(|parameter| parameter == name) {
            Some(at) => out += values[at],
            None => out.extend(["?", name]),
        }
        out += rest;
    }
    out
}
