//! The events of a run as a writer makes them (design §4). The schema of logs comes from here.

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::exec::{Feedback, Json, Refusal};

/// One line of a run log.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Event {
    /// The header: the first line.
    Run(Box<Header>),
    /// Words.
    Message {
        /// Who said it.
        from: Speaker,
        /// What was said.
        text: String,
        /// Whether the agent said it to itself.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        reasoning: bool,
    },
    /// A tool call: one step.
    Call {
        /// Names the call within the run; its result refers to it.
        id: String,
        /// The name of the tool, as it was sent.
        #[schemars(with = "serde_json::Value")]
        tool: Json,
        /// The arguments, as they were sent: an object by name.
        #[schemars(with = "Option<serde_json::Value>")]
        args: Json,
    },
    /// What came back for a call.
    Result(Box<Outcome>),
    /// Something worth knowing that never changes the execution.
    Note {
        /// `hint`, `open`, `undo`, `usage`, `retry`, or anything else.
        kind: String,
        /// Any JSON.
        #[schemars(with = "Option<serde_json::Value>")]
        data: Json,
    },
    /// The end of the run.
    End {
        /// Why it ended.
        reason: EndReason,
    },
}

/// The header of a run: what is needed to execute it again. Reading a log leaves out what is
/// missing or of the wrong type; a writer fills in at least what the schema requires.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Header {
    /// The version of the format: 1.
    #[schemars(required, range(min = 1, max = 1))]
    pub version: Option<u64>,
    /// Names the run.
    #[schemars(required)]
    pub id: Option<String>,
    /// The domain's name.
    #[schemars(required)]
    pub domain: Option<String>,
    /// SHA-256 in hex of what can change an execution; an absent digest counts as unchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain_digest: Option<String>,
    /// The problem's id.
    #[schemars(required)]
    pub problem: Option<String>,
    /// Like `domain_digest`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem_digest: Option<String>,
    /// The acting role.
    #[schemars(required)]
    pub role: Option<String>,
    /// The tool set offered; without it, the problem's first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toolset: Option<String>,
    /// How many calls may be made; without it, what the problem says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
    /// How much a refusal tells; without it, `hidden`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<Feedback>,
    /// Who made the calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<Agent>,
    /// The seed of whatever was random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<serde_json::Number>,
    /// When it began, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// The run that this one was forked from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<Parent>,
    /// Unknown keys of the header.
    #[serde(flatten)]
    #[schemars(skip)]
    pub extra: IndexMap<String, Box<RawValue>>,
}

/// Who made the calls.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Agent {
    /// The runner, or the player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The model behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// Where a forked run comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Parent {
    /// The id of that run.
    pub run: String,
    /// The last step that both have; 0 for none.
    pub step: u64,
}

/// What came back for a call.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Outcome {
    /// The id of the call.
    pub call: String,
    /// Whether it fired.
    pub fired: bool,
    /// Every reason for a refusal, in the order of design §3.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "refusals")]
    pub refusals: Vec<Refusal>,
    /// What the agent reads back.
    #[serde(default)]
    pub observation: String,
    /// Facts that became true, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<String>,
    /// Facts that became false, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
    /// Slot values that nobody had before, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub produced: Vec<String>,
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
        pub enum $name { $($(#[$variant_doc])* #[serde(rename = $word)] $variant),* }

        impl $name {
            /// Every word there is.
            pub const WORDS: &[&str] = &[$($word),*];

            /// As it stands in a log.
            pub fn word(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }

            /// The one that a word stands for.
            pub fn of(word: &str) -> Option<Self> {
                match word { $($word => Some($name::$variant),)* _ => None }
            }
        }
    };
}

words! {
    /// Who speaks.
    Speaker {
        /// Whoever set the run up.
        System "system",
        /// Who is served.
        User "user",
        /// The agent.
        Agent "agent",
        /// A person who plays.
        Player "player",
    }
}

words! {
    /// Why a run ended.
    EndReason {
        /// The agent said that it is done.
        Finished "finished",
        /// No calls were left.
        Budget "budget",
        /// Somebody stopped it.
        Stopped "stopped",
        /// It broke.
        Error "error",
    }
}

/// The JSON Schema of one line of a run log: what a writer should write. The reader takes more.
pub fn schema() -> serde_json::Value {
    let mut schema =
        schemars::generate::SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Event>();
    schema.insert("title".to_owned(), "One line of a ReFract run log".into());
    schema.to_value()
}

/// The reasons of design §3 with their operands, loosely: a log may come from another executor.
fn refusals(_: &mut SchemaGenerator) -> Schema {
    let text = json_schema!({ "type": "string" });
    json_schema!({
        "type": "array",
        "items": {
            "type": "object",
            "required": ["reason"],
            "properties": {
                "reason": { "enum": ["unknown_tool", "not_offered", "bad_argument", "precondition", "not_produced", "conflict", "capability", "knowledge"] },
                "tool": {},
                "argument": { "type": ["string", "null"] },
                "problem": { "enum": ["not_an_object", "missing", "unexpected", "unknown_object", "wrong_type", "not_a_slot_value"] },
                "value": {},
                "expects": text,
                "matches": { "type": "boolean" },
                "literal": text,
                "key": text,
                "values": { "type": "array", "items": text },
                "needs": text
            }
        }
    })
}
