//! Messages with tool use, as Anthropic's endpoint takes and gives them.

use std::fmt::Write;

use serde_json::json;

use super::{Asked, Dialogue, ToolChoice, distinct, given, number, passable, passable_arguments, words};
use crate::agent::{Prompt, Said, Sent, Turn, Usage};
use crate::exec::{Json, Raw, json::string};

/// The endpoint wants a number.
const MAX_TOKENS: u32 = 8192;

/// An episode in messages.
#[derive(Debug)]
pub struct Messages {
    /// The request so far, without what closes the messages and itself.
    body: String,
    /// The ids of the calls that are not answered yet.
    open: Vec<String>,
    made: u32,
}

impl Messages {
    /// At its start.
    pub fn new(prompt: &Prompt, asked: &Asked) -> Messages {
        let mut head = json!({ "model": asked.model, "max_tokens": asked.max_tokens.unwrap_or(MAX_TOKENS) });
        head["tool_choice"] = match &asked.tool_choice {
            ToolChoice::Auto => json!({ "type": "auto" }),
            ToolChoice::Required => json!({ "type": "any" }),
            ToolChoice::Tool(name) => json!({ "type": "tool", "name": name }),
        };
        if let Some(temperature) = asked.temperature {
            head["temperature"] = temperature.into();
        }
        let mut opening = prompt.anthropic();
        for part in ["system", "tools", "messages"] {
            head[part] = opening[part].take();
        }
        let mut body = head.to_string();
        body.truncate(body.trim_end_matches(['}', ']']).len() + 1);
        Messages { body, open: Vec::new(), made: 0 }
    }
}

impl Dialogue for Messages {
    fn request(&mut self, replies: &[String]) -> String {
        let open = std::mem::take(&mut self.open);
        let result = |(i, id): (usize, &String)| {
            let reply = replies.get(i).map_or("", String::as_str);
            json!({ "type": "tool_result", "tool_use_id": id, "content": reply })
        };
        if !open.is_empty() {
            let results: Vec<_> = open.iter().enumerate().map(result).collect();
            let _ = write!(self.body, ",{}", json!({ "role": "user", "content": results }));
        }
        format!("{}]}}", self.body)
    }

    fn answer(&mut self, body: &str) -> Result<Turn, String> {
        let body = Raw::read(body).ok_or("its answer is not JSON")?;
        let [content, reason, usage] =
            body.pick(["content", "stop_reason", "usage"]).ok_or("its answer is no JSON object")?;
        let blocks = content.and_then(Raw::elements).ok_or("its answer holds no content")?;
        let mut turn = Turn { usage: usage.and_then(tokens), ..Turn::default() };
        // Thoughts have to be given back as they came, signatures and all; and so is all that is no call.
        let mut kept: Vec<String> = Vec::new();
        self.open.clear();
        for block in blocks {
            let Some([kind, text, thinking]) = block.pick(["type", "text", "thinking"]) else { continue };
            match kind.and_then(string).as_deref() {
                Some("tool_use") => {
                    self.made += 1;
                    let (id, call) = called(block);
                    let id = distinct(id, &self.open, self.made);
                    let (name, input) = (passable(call.tool.raw()), passable_arguments(&call.args));
                    let [id_text, name] = [&id, &name].map(|text| Json::string(text));
                    kept.push(format!(
                        r#"{{"type":"tool_use","id":{},"name":{},"input":{input}}}"#,
                        id_text.as_str(),
                        name.as_str()
                    ));
                    self.open.push(id);
                    turn.calls.push(call);
                }
                Some("text") => {
                    // A text that says nothing would be refused when given back.
                    let Some(text) = words(text) else { continue };
                    kept.push(block.get().to_owned());
                    turn.said.push(Said { text, reasoning: false });
                }
                _ => {
                    kept.push(block.get().to_owned());
                    turn.said.extend(words(thinking).map(|text| Said { text, reasoning: true }));
                }
            }
        }
        let _ = write!(self.body, r#",{{"role":"assistant","content":[{}]}}"#, kept.join(","));
        let noted = given(reason).and_then(string).filter(|reason| !matches!(&**reason, "end_turn" | "tool_use"));
        turn.notes.extend(noted.map(|reason| ("stop_reason", Json::string(&reason))));
        Ok(turn)
    }
}

/// What was read from a cache, or into one, was read too.
fn tokens(usage: Raw<'_>) -> Option<Usage> {
    let names = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens"];
    let [input, cached, caching, output] = usage.pick(names)?;
    let input_of = |part| number(part).unwrap_or(0);
    (input.is_some() || output.is_some()).then(|| Usage {
        input: [input, cached, caching].map(input_of).into_iter().fold(0, u64::saturating_add),
        output: input_of(output),
    })
}

fn called(block: Raw<'_>) -> (Option<String>, Sent) {
    let [id, name, input] = block.pick(["id", "name", "input"]).unwrap_or_default();
    let args = given(input).map_or_else(|| Json::new("{}"), Json::of);
    (words(id), Sent { tool: Json::of(given(name).unwrap_or(block)), args })
}
