//! What is sent to those who answer in messages, and what their answers mean. Nothing is sent here.

mod anthropic;
mod lines;
mod openai;

pub use anthropic::Messages;
pub use lines::Lines;
pub use openai::Completions;

use super::Turn;
use crate::exec::{Json, Raw, json::string};

/// One episode as it is told to a model, request by request.
pub trait Dialogue: Send {
    /// The body of the next request. `replies` are what the calls of the last answer gave back.
    fn request(&mut self, replies: &[String]) -> String;

    /// What a body that came back means.
    ///
    /// # Errors
    /// When it is no answer: why, for a reader. The request can then be made again.
    fn answer(&mut self, body: &str) -> Result<Turn, String>;
}

/// What an answer of a model must call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ToolChoice {
    /// What it likes, or nothing.
    #[default]
    Auto,
    /// Some tool.
    Required,
    /// The tool of this name: for servers that force a call only by name.
    Tool(String),
}

impl ToolChoice {
    /// As it is written: `auto`, `required`, or the name of a tool.
    pub fn word(&self) -> &str {
        match self {
            ToolChoice::Auto => "auto",
            ToolChoice::Required => "required",
            ToolChoice::Tool(name) => name,
        }
    }

    /// What a word stands for.
    pub fn of(word: &str) -> ToolChoice {
        match word {
            "auto" => ToolChoice::Auto,
            "required" => ToolChoice::Required,
            name => ToolChoice::Tool(name.to_owned()),
        }
    }
}

/// How a model is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// Its name at the endpoint.
    pub model: String,
    /// What every answer must call.
    pub tool_choice: ToolChoice,
    /// The temperature, if not the endpoint's own.
    pub temperature: Option<f64>,
    /// The most tokens of an answer, if not the endpoint's own.
    pub max_tokens: Option<u32>,
    /// The seed, where endpoints take one.
    pub seed: u64,
    /// Whether the endpoint is the provider's own: some names differ from those that others take.
    pub at_home: bool,
}

/// A value that is there.
fn given(value: Option<Raw<'_>>) -> Option<Raw<'_>> {
    value.filter(|value| value.get() != "null")
}

/// A string that is there and says something.
fn words(value: Option<Raw<'_>>) -> Option<String> {
    Some(string(value?)?.into_owned()).filter(|text| !text.trim().is_empty())
}

fn number(value: Option<Raw<'_>>) -> Option<u64> {
    value?.get().parse().ok()
}

/// A name of a tool that endpoints let pass. A model may make up any, the log keeps it as it was; given
/// back as it was, it would be an invalid request and the end of the episode.
fn passable(name: Raw<'_>) -> String {
    let name = string(name).unwrap_or_default();
    let passes = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' };
    match name.chars().take(64).map(passes).collect::<String>() {
        name if name.is_empty() => "unnamed".to_owned(),
        name => name,
    }
}

/// Arguments that endpoints let pass, for the same reason: an object, whatever was sent.
fn passable_arguments(args: &Json) -> String {
    if args.as_str().starts_with('{') && serde_json::from_str::<serde_json::Value>(args.as_str()).is_ok() {
        return args.as_str().to_owned();
    }
    let text = args.as_string().unwrap_or_else(|| args.as_str().to_owned());
    serde_json::json!({ "arguments": text }).to_string()
}

/// The id of a call, or one made up where there is none or it was there before.
fn distinct(id: Option<String>, ids: &[String], made: u32) -> String {
    // Nine letters and digits: what the strictest endpoint takes.
    id.filter(|id| !ids.contains(id)).unwrap_or_else(|| format!("call{made:05}"))
}
