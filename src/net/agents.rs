//! Agents by their name: what `--agent` takes, and what plays an episode for it.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::{Value, json};

use crate::agent::policy::Policy;
use crate::agent::{Agent, Broken, Cell};
use crate::run;

/// An agent as it is named on the command line.
#[derive(Debug, Clone, PartialEq)]
pub enum Spec {
    /// `policy:NAME`: one that needs no model.
    Policy(Policy),
    /// `openai:MODEL`: an endpoint for chat completions.
    OpenAi {
        /// The model's name there.
        model: String,
    },
    /// `anthropic:MODEL`: Anthropic's messages endpoint.
    Anthropic {
        /// The model's name there.
        model: String,
    },
    /// `command:LINE`: a program that speaks JSON lines.
    Command {
        /// The command line, for the shell.
        command: String,
    },
}

impl Spec {
    /// The forms that [`Spec::parse`] takes.
    pub const FORMS: [&str; 4] = ["openai:MODEL", "anthropic:MODEL", "command:LINE", "policy:NAME"];

    /// The agent of a name.
    ///
    /// # Errors
    /// What would be right instead.
    pub fn parse(text: &str) -> Result<Spec, String> {
        let forms = Spec::FORMS.join(", ");
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        let named = |what: &str| match rest.trim() {
            "" => Err(format!("{kind}: needs {what}, as in `{}`", Spec::example(kind))),
            name => Ok(name.to_owned()),
        };
        match kind {
            "policy" => Policy::named(&named("the name of a policy")?).map(Spec::Policy).ok_or_else(|| {
                format!("there is no policy `{rest}`; there are {} (P from 0 to 1)", Policy::NAMES.join(", "))
            }),
            "openai" => Ok(Spec::OpenAi { model: named("the name of a model")? }),
            "anthropic" => Ok(Spec::Anthropic { model: named("the name of a model")? }),
            "command" => Ok(Spec::Command { command: named("a command line")? }),
            _ => {
                let kinds = ["openai", "anthropic", "command", "policy"];
                let close = kinds.into_iter().find(|known| strsim::damerau_levenshtein(known, kind) <= 2);
                let meant = close.map_or_else(String::new, |known| format!(" (did you mean `{known}:`?)"));
                Err(format!("there is no agent `{text}`{meant}; an agent is one of {forms}"))
            }
        }
    }

    fn example(kind: &str) -> &'static str {
        match kind {
            "policy" => "policy:cautious",
            "openai" => "openai:gpt-5",
            "anthropic" => "anthropic:claude-sonnet-4-5",
            _ => "command:./my-agent",
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spec::Policy(policy) => write!(f, "policy:{policy}"),
            Spec::OpenAi { model } => write!(f, "openai:{model}"),
            Spec::Anthropic { model } => write!(f, "anthropic:{model}"),
            Spec::Command { command } => write!(f, "command:{command}"),
        }
    }
}

/// Whether a model must call a tool in every answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ToolChoice {
    /// It decides.
    #[default]
    Auto,
    /// It must.
    Required,
}

/// How agents that are not policies are reached and asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The endpoint instead of the provider's own, up to and with `/v1`.
    pub base_url: Option<String>,
    /// A file that holds the key.
    pub key_file: Option<PathBuf>,
    /// The environment variable that holds the key, instead of the provider's own.
    pub key_env: Option<String>,
    /// Whether a tool must be called.
    pub tool_choice: ToolChoice,
    /// The temperature; without it, the endpoint's own.
    pub temperature: Option<f64>,
    /// The most tokens of one answer; without it, the endpoint's own.
    pub max_tokens: Option<u32>,
    /// How long one answer may take.
    pub timeout: Duration,
    /// How often a request is made again after a fault that may pass.
    pub retries: u32,
    /// The wait before the first retry; it doubles from one to the next.
    pub back_off: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            base_url: None,
            key_file: None,
            key_env: None,
            tool_choice: ToolChoice::Auto,
            temperature: None,
            max_tokens: None,
            timeout: Duration::from_secs(300),
            retries: 5,
            back_off: Duration::from_secs(1),
        }
    }
}

/// An agent with everything that it needs to play: made once, asked for every episode, by many threads.
#[derive(Debug)]
pub struct Agents {
    spec: Spec,
}

impl Agents {
    /// Makes it; the key is read here.
    ///
    /// # Errors
    /// What is missing.
    pub fn new(spec: Spec, _options: Options) -> Result<Agents, String> {
        match spec {
            Spec::Policy(_) => Ok(Agents { spec }),
            _ => Err(format!("{spec}: only policies can play so far")),
        }
    }

    /// As logs name it.
    pub fn name(&self) -> run::Agent {
        let (name, model) = match &self.spec {
            Spec::OpenAi { model } => ("openai".to_owned(), Some(model.clone())),
            Spec::Anthropic { model } => ("anthropic".to_owned(), Some(model.clone())),
            other => (other.to_string(), None),
        };
        run::Agent { name: Some(name), model }
    }

    /// What decides its behaviour beside its name: part of what an episode is known by. Without secrets.
    pub fn settings(&self) -> Value {
        json!({})
    }

    /// Whether it reads the prompt, so that its log holds it.
    pub fn told(&self) -> bool {
        !matches!(self.spec, Spec::Policy(_))
    }

    /// It, about to play an episode. While it waits, a set `stop` ends the wait.
    ///
    /// # Errors
    /// When it cannot be had for a reason that is not its own.
    pub fn agent(&self, cell: &Cell, stop: Arc<AtomicBool>) -> Result<Box<dyn Agent>, Broken> {
        let _ = stop;
        match &self.spec {
            Spec::Policy(policy) => Ok(policy.agent(cell)),
            other => Err(Broken { why: format!("{other} cannot play"), notes: Vec::new() }),
        }
    }
}
