//! JSON lines between us and a program that is an agent: what is written to it, and what a line of its
//! means. `docs/agents.md` describes them for those who write one.

use serde_json::json;

use super::{Dialogue, given, number, words};
use crate::agent::{FINISH, Function, Prompt, Said, Sent, Turn, Usage};
use crate::exec::{Json, Raw};

/// An episode in lines.
#[derive(Debug)]
pub struct Lines {
    /// The first line, until it is written.
    start: Option<String>,
}

impl Lines {
    /// At its start.
    pub fn new(prompt: &Prompt, budget: u32, seed: u64) -> Lines {
        let tool = |tool: &Function| json!({ "name": tool.name, "description": tool.description, "parameters": tool.parameters });
        let start = json!({
            "type": "start",
            "version": 1,
            "system": prompt.system,
            "user": prompt.user,
            "tools": prompt.tools.iter().map(tool).collect::<Vec<_>>(),
            "budget": budget,
            "seed": seed,
        });
        Lines { start: Some(start.to_string()) }
    }
}

impl Dialogue for Lines {
    fn request(&mut self, replies: &[String]) -> String {
        self.start.take().unwrap_or_else(|| json!({ "type": "results", "results": replies }).to_string())
    }

    fn answer(&mut self, line: &str) -> Result<Turn, String> {
        let line = Raw::read(line).ok_or("it wrote a line that is not JSON")?;
        let [say, reasoning, calls, finish, usage] = line
            .pick(["say", "reasoning", "calls", "finish", "usage"])
            .ok_or("it wrote a line that is no JSON object")?;
        if [say, reasoning, calls, finish].iter().all(Option::is_none) {
            return Err("it wrote a line with none of `say`, `reasoning`, `calls`, `finish`".to_owned());
        }
        let calls = match given(calls) {
            None => Vec::new(),
            Some(calls) => calls.elements().ok_or("it wrote a line whose `calls` is no array")?.map(sent).collect(),
        };
        let said = [(reasoning, true), (say, false)];
        let said = said.into_iter().filter_map(|(text, reasoning)| Some(Said { text: words(text)?, reasoning }));
        let mut turn = Turn { said: said.collect(), calls, notes: Vec::new(), usage: usage.and_then(tokens) };
        if finish.is_some_and(|finish| finish.get() == "true") {
            turn.calls.push(Sent { tool: Json::string(FINISH), args: Json::new("{}") });
        }
        Ok(turn)
    }
}

fn tokens(usage: Raw<'_>) -> Option<Usage> {
    let [input, output] = usage.pick(["input", "output"])?;
    Some(Usage { input: number(input)?, output: number(output)? })
}

fn sent(call: Raw<'_>) -> Sent {
    let [tool, args] = call.pick(["tool", "args"]).unwrap_or_default();
    let args = given(args).map_or_else(|| Json::new("{}"), Json::of);
    Sent { tool: Json::of(given(tool).unwrap_or(call)), args }
}
