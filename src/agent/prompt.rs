//! What an agent is told at the start (design §3), in the shapes of those who are told: the opening as
//! two messages, and the offered tools as functions with JSON Schemas.

use serde_json::{Value, json};

use crate::exec::{OfferedArgument, OfferedTool, Opening};
use crate::world::sha256;

/// The version of the templates: the folder of `prompts/` that they stand in.
pub const TEMPLATES: u32 = 1;

const SYSTEM: &str = include_str!("../../prompts/1/system.txt");
const USER: &str = include_str!("../../prompts/1/user.txt");

/// The tool with which an agent says that it is done. No domain may have one of that name.
pub const FINISH: &str = "finish";
const FINISH_DOC: &str = "Say that you are done. Nothing can be called after it.";

/// The opening of an episode as messages and functions.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// Who is served, what there is, what is in hand.
    pub system: String,
    /// What the user asks.
    pub user: String,
    /// The offered tools in the domain's order, then [`FINISH`].
    pub tools: Vec<Function>,
}

/// A tool as a language model is offered it.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: Value,
}

impl Prompt {
    /// What an agent with this opening is sent.
    pub fn of(opening: &Opening) -> Prompt {
        let offered = opening.tools.iter().map(|tool| Function {
            name: tool.name.clone(),
            description: tool.doc.clone(),
            parameters: parameters(tool),
        });
        let finish = Function {
            name: FINISH.to_owned(),
            description: FINISH_DOC.to_owned(),
            parameters: json!({ "type": "object", "properties": {}, "additionalProperties": false }),
        };
        Prompt {
            system: opening.fill(SYSTEM).trim_end().to_owned(),
            user: opening.fill(USER).trim_end().to_owned(),
            tools: offered.chain([finish]).collect(),
        }
    }

    /// `messages` and `tools` of a request to an endpoint for chat completions.
    pub fn openai(&self) -> Value {
        let function = |tool: &Function| {
            let Function { name, description, parameters } = tool;
            let function = json!({ "name": name, "description": description, "parameters": parameters });
            json!({ "type": "function", "function": function })
        };
        json!({
            "messages": [{ "role": "system", "content": self.system }, { "role": "user", "content": self.user }],
            "tools": self.tools.iter().map(function).collect::<Vec<_>>(),
        })
    }

    /// `system`, `messages` and `tools` of a request to Anthropic's messages endpoint.
    pub fn anthropic(&self) -> Value {
        let tool = |tool: &Function| {
            let Function { name, description, parameters } = tool;
            json!({ "name": name, "description": description, "input_schema": parameters })
        };
        json!({
            "system": self.system,
            "messages": [{ "role": "user", "content": self.user }],
            "tools": self.tools.iter().map(tool).collect::<Vec<_>>(),
        })
    }

    /// SHA-256 in hex of everything that is sent, templates and tools filled in.
    pub fn digest(&self) -> String {
        sha256(self.openai().to_string().as_bytes())
    }
}

/// The JSON Schema of a tool's arguments: objects as an enumeration of their names, values of slots as
/// strings.
pub fn parameters(tool: &OfferedTool) -> Value {
    let property = |arg: &OfferedArgument| {
        let mut schema = json!({ "type": "string", "description": arg.words() });
        // An enumeration of nothing is no schema: such an argument fits nothing whatever is sent.
        if !arg.choices.is_empty() {
            schema["enum"] = arg.choices.as_slice().into();
        }
        (arg.name.clone(), schema)
    };
    let required: Vec<&str> = tool.args.iter().map(|arg| arg.name.as_str()).collect();
    json!({
        "type": "object",
        "properties": tool.args.iter().map(property).collect::<serde_json::Map<_, _>>(),
        "required": required,
        "additionalProperties": false,
    })
}
