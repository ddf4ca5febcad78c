//! Chat completions with tools, as OpenAI's endpoint and the many after its manner take and give them.

use std::fmt::Write;

use serde_json::json;

use super::{Asked, Dialogue, ToolChoice, distinct, given, number, passable, passable_arguments, words};
use crate::agent::{Prompt, Said, Sent, Turn, Usage};
use crate::exec::{Json, Raw, json::string};

/// An episode in chat completions.
#[derive(Debug)]
pub struct Completions {
    /// The request so far, without what closes the messages and itself.
    body: String,
    /// The ids of the calls that are not answered yet.
    open: Vec<String>,
    made: u32,
}

impl Completions {
    /// At its start.
    pub fn new(prompt: &Prompt, asked: &Asked) -> Completions {
        let mut head = json!({ "model": asked.model, "seed": asked.seed });
        head["tool_choice"] = match &asked.tool_choice {
            ToolChoice::Tool(name) => json!({ "type": "function", "function": { "name": name } }),
            other => other.word().into(),
        };
        if let Some(temperature) = asked.temperature {
            head["temperature"] = temperature.into();
        }
        if let Some(most) = asked.max_tokens {
            // OpenAI's newer models refuse the older name, many other servers do not know the newer one.
            head[if asked.at_home { "max_completion_tokens" } else { "max_tokens" }] = most.into();
        }
        let mut opening = prompt.openai();
        head["tools"] = opening["tools"].take();
        head["messages"] = opening["messages"].take();
        let mut body = head.to_string();
        body.truncate(body.trim_end_matches(['}', ']']).len() + 1);
        Completions { body, open: Vec::new(), made: 0 }
    }

    /// Adds the answer to what the next request says, in the shape that every server takes.
    fn keep(&mut self, message: &Message, calls: &[Sent]) {
        let content = match given(message.content) {
            // Not null, which not every server takes.
            None => r#""""#.to_owned(),
            Some(content) => {
                string(content).map_or(content.get().to_owned(), |text| Json::string(&text).as_str().to_owned())
            }
        };
        let _ = write!(self.body, r#",{{"role":"assistant","content":{content}"#);
        // Models that think between calls want their thoughts back, under the name they had.
        for (name, value) in &message.thoughts {
            let _ = write!(self.body, r#","{name}":{}"#, value.get());
        }
        if !calls.is_empty() {
            let function = |(call, id): (&Sent, &String)| {
                let function =
                    json!({ "name": passable(call.tool.raw()), "arguments": passable_arguments(&call.args) });
                json!({ "id": id, "type": "function", "function": function })
            };
            let calls: Vec<_> = calls.iter().zip(&self.open).map(function).collect();
            let _ = write!(self.body, r#","tool_calls":{}"#, json!(calls));
        }
        self.body.push('}');
    }
}

impl Dialogue for Completions {
    fn request(&mut self, replies: &[String]) -> String {
        for (i, id) in std::mem::take(&mut self.open).iter().enumerate() {
            let reply = replies.get(i).map_or("", String::as_str);
            let _ = write!(self.body, ",{}", json!({ "role": "tool", "tool_call_id": id, "content": reply }));
        }
        format!("{}]}}", self.body)
    }

    fn answer(&mut self, body: &str) -> Result<Turn, String> {
        let body = Raw::read(body).ok_or("its answer is not JSON")?;
        let [choices, usage, error] = body.pick(["choices", "usage", "error"]).ok_or("its answer is no JSON object")?;
        let without = |what: &str| match given(error) {
            Some(error) => format!("it answered an error: {}", told(error)),
            None => format!("its answer holds no {what}"),
        };
        let choice = choices.and_then(Raw::elements).and_then(|mut choices| choices.next());
        let [message, reason] =
            choice.and_then(|choice| choice.pick(["message", "finish_reason"])).ok_or_else(|| without("choice"))?;
        let message = message.and_then(Message::read).ok_or_else(|| without("message"))?;
        let calls = message.calls();
        self.open.clear();
        for (id, _) in &calls {
            self.made += 1;
            let id = distinct(id.clone(), &self.open, self.made);
            self.open.push(id);
        }
        let calls: Vec<Sent> = calls.into_iter().map(|(_, call)| call).collect();
        self.keep(&message, &calls);
        let notes = given(reason)
            .and_then(string)
            .filter(|reason| !matches!(&**reason, "stop" | "tool_calls" | "function_call"));
        let notes = notes.map(|reason| ("finish_reason", Json::string(&reason))).into_iter().collect();
        Ok(Turn { said: message.said(), calls, notes, usage: usage.and_then(tokens) })
    }
}

/// What an error says.
fn told(error: Raw<'_>) -> String {
    let message = error.pick(["message"]).and_then(|[message]| words(message));
    message.unwrap_or_else(|| string(error).map_or(error.get().to_owned(), String::from))
}

fn tokens(usage: Raw<'_>) -> Option<Usage> {
    let [input, output] = usage.pick(["prompt_tokens", "completion_tokens"])?;
    (input.is_some() || output.is_some())
        .then(|| Usage { input: number(input).unwrap_or(0), output: number(output).unwrap_or(0) })
}

/// The message of an answer.
struct Message<'a> {
    content: Option<Raw<'a>>,
    refusal: Option<Raw<'a>>,
    thoughts: Vec<(&'static str, Raw<'a>)>,
    tool_calls: Option<Raw<'a>>,
    /// The one call of an older shape.
    function_call: Option<Raw<'a>>,
}

impl<'a> Message<'a> {
    fn read(message: Raw<'a>) -> Option<Message<'a>> {
        const THOUGHTS: [&str; 3] = ["reasoning_content", "reasoning", "reasoning_details"];
        let thoughts = THOUGHTS.into_iter().zip(message.pick(THOUGHTS)?);
        let [content, refusal, tool_calls, function_call] =
            message.pick(["content", "refusal", "tool_calls", "function_call"])?;
        let thoughts = thoughts.filter_map(|(name, value)| Some((name, given(value)?))).collect();
        Some(Message { content, refusal, thoughts, tool_calls, function_call })
    }

    fn said(&self) -> Vec<Said> {
        let mut said: Vec<Said> = Vec::new();
        let mut say = |text: Option<String>, reasoning| {
            let Some(text) = text else { return };
            // Some servers say the same thought under two names.
            if !said.iter().any(|said| said.text == text && said.reasoning == reasoning) {
                said.push(Said { text, reasoning });
            }
        };
        self.thoughts.iter().for_each(|(_, thought)| say(words(Some(*thought)), true));
        if let Some(text) = self.content.and_then(string) {
            let (thoughts, rest) = apart(&text);
            thoughts.into_iter().for_each(|thought| say(Some(thought), true));
            say(Some(rest.to_owned()).filter(|rest| !rest.trim().is_empty()), false);
        }
        for part in self.content.and_then(Raw::elements).into_iter().flatten() {
            let Some([text, thinking, refusal]) = part.pick(["text", "thinking", "refusal"]) else { continue };
            say(words(text), false);
            say(words(thinking), true);
            for inner in thinking.and_then(Raw::elements).into_iter().flatten() {
                say(inner.pick(["text"]).and_then(|[text]| words(text)), true);
            }
            say(words(refusal), false);
        }
        say(words(self.refusal), false);
        said
    }

    fn calls(&self) -> Vec<(Option<String>, Sent)> {
        let calls = given(self.tool_calls).and_then(Raw::elements).into_iter().flatten();
        let calls: Vec<_> = calls
            .map(|call| {
                let [id, function] = call.pick(["id", "function"]).unwrap_or_default();
                (words(id), sent(function.unwrap_or(call)))
            })
            .collect();
        match given(self.function_call) {
            Some(function) if calls.is_empty() => vec![(None, sent(function))],
            _ => calls,
        }
    }
}

/// A function that is called. What is none is kept as the name of a tool, which nobody offers.
fn sent(function: Raw<'_>) -> Sent {
    let [name, arguments] = function.pick(["name", "arguments"]).unwrap_or_default();
    let empty = || Json::new("{}");
    let args = match given(arguments) {
        None => empty(),
        Some(arguments) => match string(arguments) {
            None => Json::of(arguments),
            Some(text) if matches!(text.trim(), "" | "null") => empty(),
            Some(text) => Json::new(&text),
        },
    };
    Sent { tool: Json::of(given(name).unwrap_or(function)), args }
}

/// What a model said to itself within its words, and the words. Templates that open the thought
/// themselves leave only its end.
fn apart(text: &str) -> (Vec<String>, &str) {
    let mut thoughts = Vec::new();
    let mut rest = text;
    loop {
        let opened = rest.trim_start().strip_prefix("<think>");
        let (thought, after) = match (opened, opened.unwrap_or(rest).split_once("</think>")) {
            (Some(_), Some(both)) => both,
            (Some(open), None) => (open, ""),
            (None, Some((thought, after))) if thoughts.is_empty() && !thought.contains("<think>") => (thought, after),
            _ => return (thoughts, rest),
        };
        rest = after.trim_start();
        let thought = thought.trim();
        if thought.is_empty() && opened.is_none() {
            return (thoughts, rest);
        }
        if !thought.is_empty() {
            thoughts.push(thought.to_owned());
        }
    }
}
