//! Agents by their name: what `--agent` takes, and what plays an episode for it.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::{Value, json};
use ureq::http::Uri;

use super::endpoint::Endpoint;
use super::key::Key;
use super::model::Model;
use super::process::Process;
use crate::agent::chat::{Asked, Completions, Dialogue, Lines, Messages, ToolChoice};
use crate::agent::policy::Policy;
use crate::agent::{Agent, Broken, Cell, Prompt};
use crate::exec::Opening;
use crate::text::visible;
use crate::{file, run};

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

/// How agents that are not policies are reached and asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The endpoint instead of the provider's own, up to and with `/v1`.
    pub base_url: Option<String>,
    /// A file that holds the key.
    pub key_file: Option<PathBuf>,
    /// The environment variable that holds the key, instead of the provider's own.
    pub key_env: Option<String>,
    /// What must be called.
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
    options: Options,
    reached: Reached,
}

/// How an agent is reached.
#[derive(Debug)]
enum Reached {
    /// It is here.
    Here(Policy),
    /// Through an endpoint.
    There { endpoint: Arc<Endpoint>, model: String, speak: fn(&Prompt, &Asked) -> Box<dyn Dialogue> },
    /// As a process; these keys stay out of what it says.
    Started { command: String, keys: Vec<Key> },
}

/// The providers' own endpoints, and where their keys are looked for.
const OPENAI: (&str, &str) = ("https://api.openai.com/v1", "OPENAI_API_KEY");
const ANTHROPIC: (&str, &str) = ("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY");

impl Agents {
    /// Makes it; the key is read here.
    ///
    /// # Errors
    /// What is missing or cannot be.
    pub fn new(spec: Spec, options: Options) -> Result<Agents, String> {
        let reached = match spec.clone() {
            Spec::Policy(policy) => Reached::Here(policy),
            Spec::OpenAi { model } => Reached::There {
                endpoint: Arc::new(endpoint(&options, OPENAI, "/chat/completions")?),
                model,
                speak: |prompt, asked| Box::new(Completions::new(prompt, asked)),
            },
            Spec::Anthropic { model } => {
                let mut endpoint = endpoint(&options, ANTHROPIC, "/messages")?;
                endpoint.carries = ("x-api-key", "");
                endpoint.headers = &[("anthropic-version", "2023-06-01")];
                let speak = |prompt: &_, asked: &_| Box::new(Messages::new(prompt, asked)) as Box<dyn Dialogue>;
                Reached::There { endpoint: Arc::new(endpoint), model, speak }
            }
            Spec::Command { command } => {
                let names = [Some(OPENAI.1), Some(ANTHROPIC.1), options.key_env.as_deref()];
                let keys = names.into_iter().flatten().filter_map(|name| Key::of_env(name).ok()?);
                Reached::Started { command, keys: keys.collect() }
            }
        };
        Ok(Agents { spec, options, reached })
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
        let Options { base_url, tool_choice, temperature, max_tokens, .. } = &self.options;
        match self.reached {
            Reached::There { .. } => json!({
                "base_url": base_url.as_deref().map(|url| url.trim_end_matches('/')),
                "tool_choice": tool_choice.word(),
                "temperature": temperature,
                "max_tokens": max_tokens,
            }),
            Reached::Here(_) | Reached::Started { .. } => json!({}),
        }
    }

    /// Whether it reads the prompt, so that its log holds it.
    pub fn told(&self) -> bool {
        !matches!(self.reached, Reached::Here(_))
    }

    /// It, about to play an episode. While it waits, a set `stop` ends the wait.
    ///
    /// # Errors
    /// When it cannot be had for a reason that is not its own.
    pub fn agent(&self, cell: &Cell, stop: Arc<AtomicBool>) -> Result<Box<dyn Agent>, Broken> {
        let budget = cell.terms.budget.unwrap_or(cell.world.problem.budget);
        let prompt =
            || Prompt::of(&Opening { budget, ..Opening::of(&cell.world, cell.terms.role, cell.terms.toolset) });
        match &self.reached {
            Reached::Here(policy) => Ok(policy.agent(cell)),
            Reached::There { endpoint, model, speak } => {
                let Options { base_url, tool_choice, temperature, max_tokens, .. } = &self.options;
                let asked = Asked {
                    model: model.clone(),
                    tool_choice: tool_choice.clone(),
                    temperature: *temperature,
                    max_tokens: *max_tokens,
                    seed: cell.seed,
                    at_home: base_url.is_none(),
                };
                let dialogue = speak(&prompt(), &asked);
                Ok(Box::new(Model { dialogue, endpoint: Arc::clone(endpoint), stop }))
            }
            Reached::Started { command, keys } => {
                let dialogue = Box::new(Lines::new(&prompt(), budget, cell.seed));
                let process = Process::start(command, dialogue, keys.clone(), self.options.timeout, stop);
                let broken = |error| Broken { why: format!("no shell: {}", file::why(&error)), notes: Vec::new() };
                Ok(Box::new(process.map_err(broken)?))
            }
        }
    }
}

/// The endpoint that the options name, or the provider's own.
fn endpoint(options: &Options, own: (&str, &str), path: &str) -> Result<Endpoint, String> {
    let named = match (&options.key_file, &options.key_env) {
        (Some(file), _) => Some(Key::of_file(file)?),
        (None, Some(name)) => {
            Some(Key::of_env(name)?.ok_or_else(|| format!("there is no environment variable {}", visible(name)))?)
        }
        (None, None) => None,
    };
    let (base, key) = match &options.base_url {
        // A provider's key goes to nobody else unless it is named.
        Some(base) => (checked(base)?, named),
        None => {
            let key = match named {
                Some(key) => key,
                None => Key::of_env(own.1)?.ok_or_else(|| {
                    format!("no key: set {}, or name a file with --key-file or a variable with --key-env; a server of your own is named with --base-url", own.1)
                })?,
            };
            (own.0, Some(key))
        }
    };
    Ok(Endpoint::new(format!("{base}{path}"), key, options.timeout, options.retries, options.back_off))
}

/// A base URL that says where to go and nothing that is to be kept.
fn checked(base: &str) -> Result<&str, String> {
    let shown = visible(base);
    let no_url = || format!("{shown} is no base URL; one looks like http://127.0.0.1:8080/v1");
    let url: Uri = base.parse().map_err(|_| no_url())?;
    match (url.scheme_str(), url.authority()) {
        (Some("http" | "https"), Some(authority)) if authority.as_str().contains('@') => {
            Err("a base URL holds no name or password: a key is read with --key-file or --key-env".to_owned())
        }
        (Some("http" | "https"), Some(_)) if url.query().is_some() => Err(format!("{shown}: a base URL has no query")),
        (Some("http" | "https"), Some(_)) => Ok(base.trim_end_matches('/')),
        _ => Err(no_url()),
    }
}
