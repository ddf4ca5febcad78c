//! The reasons of a refusal, in words: the shape of logs and of JSON output (design §3).

use std::collections::HashMap;

use serde::Serialize;
use serde_json::value::RawValue;

use super::{ArgumentFault, ArgumentProblem, Bindings, Json, Reason, Request, State, atom_text, literal_text};
use crate::world::{RoleId, ToolId, World};

/// One reason with its operands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Refusal {
    /// No such tool in the domain, or a `tool` that is no string.
    UnknownTool {
        /// As sent.
        tool: Json,
    },
    /// Not in this run's tool set.
    NotOffered {
        /// Its name.
        tool: String,
    },
    /// One argument is none.
    BadArgument {
        /// Its name; null for the whole.
        argument: Option<String>,
        /// What is wrong with it.
        problem: ArgumentProblem,
        /// As sent; absent for a missing one.
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<Json>,
        /// The type or the pattern.
        #[serde(skip_serializing_if = "Option::is_none")]
        expects: Option<String>,
    },
    /// A precondition does not hold.
    Precondition {
        /// Ground, but for a look-up without a value.
        literal: String,
    },
    /// A consumed value does not match, or was not produced.
    NotProduced {
        /// The argument.
        argument: String,
        /// Canonical print.
        value: String,
        /// The pattern with bound variables filled in.
        expects: String,
        /// Whether the value matches it.
        matches: bool,
    },
    /// A functional key would get two values.
    Conflict {
        /// The key, as `name(leading arguments)`.
        key: String,
        /// The values, sorted.
        values: Vec<String>,
    },
    /// The role lacks the tool's capability.
    Capability {
        /// Its name.
        needs: String,
    },
    /// The role lacks the tool's knowledge domain.
    Knowledge {
        /// Its name.
        needs: String,
    },
}

impl Refusal {
    /// Words what is wrong with one argument.
    pub fn of_fault(world: &World, tool: ToolId, fault: &ArgumentFault) -> Self {
        let ArgumentFault { argument, problem, value } = fault.clone();
        Refusal::BadArgument { argument, problem, value, expects: fault.expects(world, tool) }
    }

    /// Words a reason that [`super::step`] gave for this call in this state.
    pub fn of(world: &World, role: RoleId, state: &State, request: &Request, reason: &Reason) -> Self {
        let domain = &world.domain;
        match (reason, request) {
            (Reason::Capability(id), _) => Refusal::Capability { needs: domain.capability_name(*id).to_owned() },
            (Reason::Knowledge(id), _) => Refusal::Knowledge { needs: domain.knowledge_name(*id).to_owned() },
            (_, Request::UnknownTool(tool)) => Refusal::UnknownTool { tool: tool.clone() },
            (Reason::BadArgument(index), Request::Malformed { tool, faults }) => {
                Refusal::of_fault(world, *tool, &faults[*index])
            }
            (Reason::Precondition(index), Request::Call(call)) => {
                let tool = domain.tool(call.tool);
                let bindings = Bindings::of(world, role, state, call);
                let literal = &tool.precondition[*index];
                Refusal::Precondition { literal: literal_text(world, literal, Some(tool), &|var| bindings.get(var)) }
            }
            (Reason::NotProduced { argument, matches }, Request::Call(call)) => {
                let tool = domain.tool(call.tool);
                let consumed = &tool.consumes[*argument];
                let bindings = Bindings::before_argument(world, role, call, *argument);
                Refusal::NotProduced {
                    argument: consumed.name.clone(),
                    value: world.fact_text(call.consumed[*argument]),
                    expects: atom_text(world, &consumed.pattern, Some(tool), &|var| bindings.get(var)),
                    matches: *matches,
                }
            }
            (Reason::Conflict { key, values }, _) => {
                let text = world.fact_text(*key);
                let mut values: Vec<String> = values.iter().map(|&v| world.symbol_name(v).to_owned()).collect();
                values.sort_unstable();
                Refusal::Conflict { key: key_of(&text), values }
            }
            (_, request) => Refusal::NotOffered {
                tool: request.tool().map_or(String::new(), |tool| domain.tool_name(tool).to_owned()),
            },
        }
    }

    /// Reads a reason back from JSON such as logs hold; `None` if it is none of those above.
    pub fn read(json: &str) -> Option<Refusal> {
        let members: HashMap<String, &RawValue> = serde_json::from_str(json).ok()?;
        let raw = |key: &str| members.get(key).map(|value| Json::new(value.get()));
        let text = |key: &str| serde_json::from_str::<String>(members.get(key)?.get()).ok();
        Some(match text("reason")?.as_str() {
            "unknown_tool" => Refusal::UnknownTool { tool: raw("tool")? },
            "not_offered" => Refusal::NotOffered { tool: text("tool")? },
            "bad_argument" => Refusal::BadArgument {
                argument: text("argument"),
                problem: serde_json::from_str(members.get("problem")?.get()).ok()?,
                value: raw("value"),
                expects: text("expects"),
            },
            "precondition" => Refusal::Precondition { literal: text("literal")? },
            "not_produced" => Refusal::NotProduced {
                argument: text("argument")?,
                value: text("value")?,
                expects: text("expects").unwrap_or_default(),
                matches: serde_json::from_str(members.get("matches")?.get()).ok()?,
            },
            "conflict" => Refusal::Conflict {
                key: text("key")?,
                values: serde_json::from_str(members.get("values")?.get()).ok()?,
            },
            "capability" => Refusal::Capability { needs: text("needs")? },
            "knowledge" => Refusal::Knowledge { needs: text("needs")? },
            _ => return None,
        })
    }

    /// The reason's name in logs and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Refusal::UnknownTool { .. } => "unknown_tool",
            Refusal::NotOffered { .. } => "not_offered",
            Refusal::BadArgument { .. } => "bad_argument",
            Refusal::Precondition { .. } => "precondition",
            Refusal::NotProduced { .. } => "not_produced",
            Refusal::Conflict { .. } => "conflict",
            Refusal::Capability { .. } => "capability",
            Refusal::Knowledge { .. } => "knowledge",
        }
    }
}

impl std::fmt::Display for Refusal {
    /// One clause for a reader who may see everything.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::UnknownTool { tool } => write!(f, "no such tool: {}", tool.as_str()),
            Refusal::NotOffered { tool } => write!(f, "{tool} is not in this tool set"),
            Refusal::BadArgument { argument, problem, value, expects } => {
                write!(f, "{}: {}", argument.as_deref().unwrap_or("arguments"), problem.words())?;
                if let Some(value) = value {
                    write!(f, " {}", value.as_str())?;
                }
                expects.iter().try_for_each(|expects| write!(f, ", expects {expects}"))
            }
            Refusal::Precondition { literal } => write!(f, "does not hold: {literal}"),
            Refusal::NotProduced { argument, value, matches: true, .. } => {
                write!(f, "{argument}: no call produced {value}")
            }
            Refusal::NotProduced { argument, value, expects, .. } => {
                write!(f, "{argument}: {value} given, {expects} needed")
            }
            Refusal::Conflict { key, values } => write!(f, "{key} would be {} at once", values.join(" and ")),
            Refusal::Capability { needs } => write!(f, "lacks capability {needs}"),
            Refusal::Knowledge { needs } => write!(f, "lacks knowledge {needs}"),
        }
    }
}

/// `status(p, faulty)` → `status(p)`; `mode(on)` → `mode`.
fn key_of(fact: &str) -> String {
    match fact.rsplit_once(", ") {
        Some((key, _)) => format!("{key})"),
        None => fact.split('(').next().unwrap_or(fact).to_owned(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_comes_back_from_its_json() {
        let text = |text: &str| text.to_owned();
        let bad = |argument: Option<&str>, problem, value: Option<&str>| Refusal::BadArgument {
            argument: argument.map(text),
            problem,
            value: value.map(Json::new),
            expects: Some(text("pump")),
        };
        for refusal in [
            Refusal::UnknownTool { tool: Json::new("[1e400]") },
            Refusal::NotOffered { tool: text("look") },
            bad(None, ArgumentProblem::NotAnObject, Some("12345678901234567890123")),
            bad(Some("asset"), ArgumentProblem::Missing, None),
            Refusal::Precondition { literal: text("not isolated(p)") },
            Refusal::NotProduced { argument: text("a"), value: text("s(p)"), expects: text("s(q)"), matches: false },
            Refusal::Conflict { key: text("status(p)"), values: vec![text("on"), text("off")] },
            Refusal::Capability { needs: text("repair") },
            Refusal::Knowledge { needs: text("hardware") },
        ] {
            let json = serde_json::to_string(&refusal).unwrap();
            assert_eq!(Refusal::read(&json), Some(refusal), "{json}");
        }
        for json in [
            "null",
            "{}",
            r#"{"reason":"tired"}"#,
            r#"{"reason":"capability"}"#,
            r#"{"reason":"conflict","key":"k","values":1}"#,
        ] {
            assert_eq!(Refusal::read(json), None, "{json}");
        }
    }
}
