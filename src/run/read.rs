//! The events of a log, read from its bytes when they are asked for, and tolerant: what is not as
//! it should be is left out here and stands in [`Log::extra`] and [`Log::damage_of`].

use std::borrow::Cow;

use super::event::{Agent, Header, Parent};
use super::json::{Raw, string, string_or_raw};
use super::log::Log;
use super::shape::{Key, RowKind};
use super::{EndReason, RowId};

/// A call as it was sent.
#[derive(Debug, Clone)]
pub struct Call<'a> {
    /// The number of the step, from 1.
    pub step: usize,
    /// The id, or the raw text of an id that is no string.
    pub id: Option<Cow<'a, str>>,
    /// Any JSON: what is not the name of a tool is for the executor to refuse.
    pub tool: Raw<'a>,
    /// Any JSON, `null` when nothing was sent.
    pub args: Raw<'a>,
}

impl Call<'_> {
    /// The tool's name, if `tool` is a string.
    pub fn tool_name(&self) -> Option<Cow<'_, str>> {
        string(self.tool)
    }
}

/// Somebody's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message<'a> {
    /// `system`, `user`, `agent`, `player`, or what the log says instead.
    pub from: Cow<'a, str>,
    /// The words, or the raw text of a value that is no string.
    pub text: Cow<'a, str>,
    /// Whether the agent said it to itself.
    pub reasoning: bool,
}

/// A note.
#[derive(Debug, Clone)]
pub struct Note<'a> {
    /// `hint`, `open`, `undo`, `usage`, `retry`, or anything else.
    pub kind: Cow<'a, str>,
    /// Any JSON, `null` when there is none.
    pub data: Raw<'a>,
}

/// The outcome of a call as the log has it.
#[derive(Debug, Clone, Default)]
pub struct Recorded<'a> {
    /// Whether it fired; `None` when the log does not say.
    pub fired: Option<bool>,
    /// Why it did not, in order.
    pub refusals: Vec<RecordedRefusal<'a>>,
    /// Facts that became true.
    pub added: Vec<Cow<'a, str>>,
    /// Facts that ceased to be true.
    pub removed: Vec<Cow<'a, str>>,
    /// Slot values produced.
    pub produced: Vec<Cow<'a, str>>,
    /// What the agent read back.
    pub observation: Option<Cow<'a, str>>,
}

/// One reason of a refusal as the log has it, known or not.
#[derive(Debug, Clone)]
pub struct RecordedRefusal<'a> {
    /// Its name; `None` if it has none.
    pub reason: Option<Cow<'a, str>>,
    /// The whole of it, operands included.
    pub json: Raw<'a>,
}

/// A member of an event that is read as nothing else.
#[derive(Debug, Clone)]
pub struct Extra<'a> {
    /// Its key.
    pub key: Cow<'a, str>,
    /// Its value.
    pub value: Raw<'a>,
}

impl Log {
    /// The header that counts; what it lacks or has wrong is `None`.
    pub fn header(&self) -> Option<Header> {
        let row = self.header_row()?;
        let members = self.members(row, RowKind::Header)?;
        let text = |key| members.get(key).and_then(string).map(Cow::into_owned);
        let number = |key| members.get(key).and_then(|raw| raw.get().parse().ok());
        Some(Header {
            version: number(Key::Version),
            id: text(Key::Id),
            domain: text(Key::Domain),
            domain_digest: text(Key::DomainDigest),
            problem: text(Key::Problem),
            problem_digest: text(Key::ProblemDigest),
            role: text(Key::Role),
            toolset: text(Key::Toolset),
            budget: number(Key::Budget),
            feedback: members.get(Key::Feedback).and_then(|raw| serde_json::from_str(raw.get()).ok()),
            agent: members.get(Key::Agent).and_then(agent),
            seed: members.get(Key::Seed).and_then(|raw| serde_json::from_str(raw.get()).ok()),
            started: text(Key::Started),
            parent: members.get(Key::Parent).and_then(parent),
            extra: self
                .extra(row)
                .into_iter()
                .filter(|extra| Key::named(extra.key.as_bytes()).is_none())
                .filter_map(|extra| Some((extra.key.into_owned(), serde_json::from_str(extra.value.get()).ok()?)))
                .collect(),
        })
    }

    /// A call.
    pub fn call(&self, row: RowId) -> Option<Call<'_>> {
        let members = self.members(row, RowKind::Call)?;
        Some(Call {
            step: self.row(row)?.step(),
            id: members.get(Key::Id).map(string_or_raw),
            tool: members.get(Key::Tool).unwrap_or(Raw::NULL),
            args: members.get(Key::Args).unwrap_or(Raw::NULL),
        })
    }

    /// A message.
    pub fn message(&self, row: RowId) -> Option<Message<'_>> {
        let members = self.members(row, RowKind::Message)?;
        let text = |key| members.get(key).map(string_or_raw).unwrap_or_default();
        Some(Message { from: text(Key::From), text: text(Key::Text), reasoning: self.row(row)?.reasoning() })
    }

    /// A note.
    pub fn note(&self, row: RowId) -> Option<Note<'_>> {
        let members = self.members(row, RowKind::Note)?;
        let kind = members.get(Key::Kind).map(string_or_raw).unwrap_or_default();
        Some(Note { kind, data: members.get(Key::Data).unwrap_or(Raw::NULL) })
    }

    /// Why the run ended, as the log says; `None` without an end, and for an end without a reason.
    pub fn end_reason(&self) -> Option<Cow<'_, str>> {
        self.members(self.end_row()?, RowKind::End)?.get(Key::Reason).map(string_or_raw)
    }

    /// Why the run ended, if it is one of the known reasons.
    pub fn end(&self) -> Option<EndReason> {
        self.end_reason().and_then(|reason| EndReason::of(&reason))
    }

    /// The outcome of a step, from 1, as the log has it; `None` without a result.
    pub fn recorded(&self, step: usize) -> Option<Recorded<'_>> {
        self.result(self.result_of(step)?)
    }

    /// A result.
    pub fn result(&self, row: RowId) -> Option<Recorded<'_>> {
        let members = self.members(row, RowKind::Result)?;
        let facts = |key| texts(members.get(key)).collect();
        let refusal = |json| RecordedRefusal { reason: member(json, "reason").and_then(string), json };
        Some(Recorded {
            fired: self.row(row)?.fired(),
            refusals: elements(members.get(Key::Refusals)).map(refusal).collect(),
            added: facts(Key::Added),
            removed: facts(Key::Removed),
            produced: facts(Key::Produced),
            observation: members.get(Key::Observation).filter(|raw| raw.get() != "null").map(string_or_raw),
        })
    }

    /// What a call sent, tool and arguments; a replay asks for nothing else of it.
    pub(super) fn sent(&self, row: RowId) -> Option<(Raw<'_>, Raw<'_>)> {
        let [tool, args, ..] = self.parts(row, RowKind::Call)?;
        Some((tool.unwrap_or(Raw::NULL), args.unwrap_or(Raw::NULL)))
    }

    /// A result, as far as a replay compares it.
    pub(super) fn compared(&self, row: RowId) -> Option<Compared<'_>> {
        let [refusals, diffs @ ..] = self.parts(row, RowKind::Result)?;
        Some(Compared { fired: self.row(row)?.fired(), refusals, diffs })
    }

    /// The members of an event that nothing else reads: unknown keys, values of the wrong type, and
    /// all but the last of a key that stands more than once.
    pub fn extra(&self, row: RowId) -> Vec<Extra<'_>> {
        let Some(kind) = self.row(row).map(|row| row.kind) else { return Vec::new() };
        let Some(members) = self.members(row, kind) else { return Vec::new() };
        let all = Raw::known(self.line(row)).members().into_iter().flatten();
        all.filter(|(key, value)| !members.reads(kind, Key::of(*key), *value))
            .map(|(key, value)| Extra { key: string_or_raw(key), value })
            .collect()
    }
}

/// A result as far as a replay compares it; each list is read when it is asked for. A value that is no
/// list stands in the extras.
pub(super) struct Compared<'a> {
    /// Whether it fired; `None` when the log does not say.
    pub(super) fired: Option<bool>,
    refusals: Option<Raw<'a>>,
    /// Added, removed, produced.
    diffs: [Option<Raw<'a>>; 3],
}

impl<'a> Compared<'a> {
    /// The names of the reasons, in order; `None` for one that has none.
    pub(super) fn reasons(&self) -> impl Iterator<Item = Option<Cow<'a, str>>> {
        self.refusals.into_iter().flat_map(|list| list.pick_of_each("reason")).map(|reason| string(reason?))
    }

    /// The facts that were added, removed and produced, as they stand.
    pub(super) fn diffs(&self) -> [impl Iterator<Item = Cow<'a, str>>; 3] {
        self.diffs.map(texts)
    }
}

fn elements<'a>(list: Option<Raw<'a>>) -> impl Iterator<Item = Raw<'a>> {
    list.and_then(Raw::elements).into_iter().flatten()
}

fn texts<'a>(list: Option<Raw<'a>>) -> impl Iterator<Item = Cow<'a, str>> {
    elements(list).map(string_or_raw)
}

fn agent(raw: Raw) -> Option<Agent> {
    let text = |key| member(raw, key).and_then(string).map(Cow::into_owned);
    raw.get().starts_with('{').then(|| Agent { name: text("name"), model: text("model") })
}

fn parent(raw: Raw) -> Option<Parent> {
    let run = member(raw, "run").and_then(string)?.into_owned();
    Some(Parent { run, step: member(raw, "step")?.get().parse().ok()? })
}

fn member<'a>(object: Raw<'a>, name: &str) -> Option<Raw<'a>> {
    let [value] = object.pick([name])?;
    value
}
