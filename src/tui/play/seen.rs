//! All that the player was told: what blind play is drawn from.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::exec::{Json, Opening};
use crate::run::{EndReason, Speaker};
use crate::world::FactId;

/// All that the player was told. Whatever blind play shows is made from this alone.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The entry's id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Who is served.
    pub role: String,
    /// The tools offered.
    pub toolset: String,
    /// Names that the entry adds to those of the domain.
    pub own: HashSet<String>,
    /// What was told at the start.
    pub opening: Opening,
    /// What happened since.
    pub turns: Vec<Turn>,
    /// So many of them happened in the run that this one was forked from.
    pub inherited: usize,
    /// Facts as last seen, the latest last.
    pub known: Vec<Known>,
    /// Values in hand, in the order in which they came.
    pub hand: Vec<Held>,
    /// Calls made.
    pub calls: u32,
    /// Why it ended, once it has.
    pub end: Option<EndReason>,
}

impl Seen {
    /// Whether the player left before anything happened: that is no run, and leaves no log.
    pub fn left_at_once(&self) -> bool {
        self.end == Some(EndReason::Stopped) && self.turns.len() == self.inherited
    }

    /// Hints that were asked for.
    pub fn hints(&self) -> usize {
        self.noted("hint")
    }

    /// Calls that were taken back.
    pub fn undone(&self) -> usize {
        self.noted("undo")
    }

    fn noted(&self, kind: &str) -> usize {
        let notes = self.turns.iter().filter_map(|turn| if let Turn::Noted(note) = turn { Some(note) } else { None });
        notes.filter(|note| note.kind == kind).map(|note| note.count).sum()
    }

    /// The calls, in order.
    pub fn called(&self) -> impl DoubleEndedIterator<Item = &Called> + Clone {
        self.turns.iter().filter_map(|turn| if let Turn::Call(called) = turn { Some(called) } else { None })
    }
}

/// One thing that happened.
#[derive(Debug, Clone)]
pub enum Turn {
    /// A call, and what was read back.
    Call(Called),
    /// Somebody's words.
    Said(Said),
    /// The player opened the world.
    Opened,
    /// A hint, or calls taken back: what a human baseline must know of.
    Noted(Note),
}

/// Somebody's words; in a fork not only the player's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// Who.
    pub from: Speaker,
    /// What.
    pub text: String,
    /// Said to oneself.
    pub reasoning: bool,
}

/// A note of the log that the story tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// `hint` or `undo`.
    pub kind: String,
    /// As the log has it.
    pub data: Json,
    /// What it counts for: one hint, so many calls taken back.
    pub count: usize,
    /// As the story has it.
    pub words: String,
}

/// A call as the player knows it.
#[derive(Debug, Clone)]
pub struct Called {
    /// From 1.
    pub step: usize,
    /// The tool, as sent.
    pub tool: String,
    /// The arguments, as sent.
    pub args: Vec<(String, String)>,
    /// Both in JSON, as the log has them.
    pub json: (Json, Json),
    /// Whether it fired.
    pub fired: bool,
    /// What the tool reported, or why it was refused.
    pub report: String,
    /// The facts that it listed, in words.
    pub facts: Vec<String>,
    /// The values that it handed over, and whether they were new.
    pub values: Vec<(String, bool)>,
}

/// A fact that an observation listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// What it says, in words.
    pub words: String,
    /// The step that said it last.
    pub step: usize,
    /// The step since when it is not so: an observation that would have listed it did not.
    pub denied: Option<usize>,
    /// The fact itself.
    pub(super) fact: FactId,
    /// Names what has this value: a later value of the same replaces it.
    pub(super) key: u32,
}

/// A slot value in hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// Canonical print.
    pub value: String,
    /// The step that produced it first; 0 for one that was given.
    pub step: usize,
}

/// A call to be sent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sent {
    /// The tool's name.
    pub tool: String,
    /// The arguments that are not left out.
    pub args: Vec<(String, String)>,
}

impl Sent {
    /// As an agent would send it.
    pub fn json(&self) -> (Json, Json) {
        let args: Map<String, Value> = self.args.iter().map(|(k, v)| (k.clone(), Value::from(v.as_str()))).collect();
        (Json::string(&self.tool), Json::new(&Value::Object(args).to_string()))
    }

    /// How a call reads that was sent as this JSON, whatever it is.
    pub fn of(tool: &Json, args: &Json) -> Sent {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let args = match serde_json::from_str(args.as_str()) {
            Ok(Value::Object(members)) => members.iter().map(|(name, value)| (name.clone(), text(value))).collect(),
            Ok(Value::Null) => Vec::new(),
            _ => vec![(String::new(), args.as_str().to_owned())],
        };
        Sent { tool: tool.as_string().unwrap_or_else(|| tool.as_str().to_owned()), args }
    }
}
