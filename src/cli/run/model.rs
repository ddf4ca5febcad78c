//! How `refract run` reaches and asks a model.

use std::path::PathBuf;
use std::time::Duration;

use crate::agent::chat::ToolChoice;
use crate::net::agents::Options;

/// Options of agents that are not policies.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Models")]
pub struct ModelArgs {
    /// The endpoint instead of the provider's own, up to and with /v1
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// The environment variable that holds the key [default: OPENAI_API_KEY, ANTHROPIC_API_KEY]
    #[arg(long, value_name = "NAME", conflicts_with = "key_file")]
    key_env: Option<String>,
    /// A file that holds the key
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// What every answer must call: auto (nothing), required (some tool), or the tool of this name, for
    /// servers that do not know required
    #[arg(long, value_name = "CHOICE", default_value = "auto")]
    tool_choice: String,
    /// The temperature [default: the endpoint's own]
    #[arg(long, value_name = "T")]
    temperature: Option<f64>,
    /// The most tokens of one answer [default: the endpoint's own]
    #[arg(long, value_name = "N")]
    max_answer: Option<u32>,
    /// Seconds that one answer may take
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
    /// How often a request is made again after a fault that may pass
    #[arg(long, value_name = "N", default_value_t = 5)]
    retries: u32,
}

impl ModelArgs {
    /// As the agents take them.
    pub fn options(&self) -> Options {
        Options {
            base_url: self.base_url.clone(),
            key_file: self.key_file.clone(),
            key_env: self.key_env.clone(),
            tool_choice: ToolChoice::of(&self.tool_choice),
            temperature: self.temperature,
            max_tokens: self.max_answer,
            timeout: Duration::from_secs(self.timeout),
            retries: self.retries,
            ..Options::default()
        }
    }
}
