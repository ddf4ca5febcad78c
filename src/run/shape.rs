//! What the events of a log look like: their keys, and which value each may have (design §4).

use super::damage::Fault;
use super::event::{EndReason, Speaker};
use super::json::{self, Raw};

/// What a row of a log is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowKind {
    /// The header of the run, or a second one.
    Header,
    /// Words of somebody.
    Message,
    /// A tool call: one step of the run.
    Call,
    /// What came back for a call.
    Result,
    /// A note: never changes the execution.
    Note,
    /// The end of the run, or a second one.
    End,
    /// An event of a type that this program does not know.
    Unknown,
    /// A line that is not an event: not JSON, not an object, not UTF-8, or cut short.
    Broken,
}

impl RowKind {
    /// The kind of an event's `type`.
    pub(super) fn of(name: &[u8]) -> RowKind {
        match name {
            b"run" => RowKind::Header,
            b"message" => RowKind::Message,
            b"call" => RowKind::Call,
            b"result" => RowKind::Result,
            b"note" => RowKind::Note,
            b"end" => RowKind::End,
            _ => RowKind::Unknown,
        }
    }
}

macro_rules! keys {
    ($($key:ident $name:literal),* $(,)?) => {
        /// A key that some event of a log knows.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Key { $($key),* }

        impl Key {
            const COUNT: usize = [$(Key::$key),*].len();

            /// As it stands in the log.
            pub(super) fn name(self) -> &'static str {
                match self { $(Key::$key => $name),* }
            }

            /// The key of that name.
            #[allow(non_upper_case_globals)]
            pub(super) fn named(name: &[u8]) -> Option<Key> {
                // As bytes these are told apart by length first; it is asked for every member of a log.
                $(const $key: &[u8] = $name.as_bytes();)*
                match name { $($key => Some(Key::$key),)* _ => None }
            }
        }
    };
}

keys! {
    Type "type", Version "version", Id "id", Domain "domain", DomainDigest "domain_digest", Problem "problem",
    ProblemDigest "problem_digest", Role "role", Toolset "toolset", Budget "budget", Feedback "feedback",
    Agent "agent", Seed "seed", Started "started", Parent "parent", From "from", Text "text", Reasoning "reasoning",
    Tool "tool", Args "args", Call "call", Fired "fired", Refusals "refusals", Observation "observation",
    Added "added", Removed "removed", Produced "produced", Kind "kind", Data "data", Reason "reason",
}

impl Key {
    /// The key that a JSON string spells.
    pub(super) fn of(raw: Raw) -> Option<Key> {
        let plain = raw.get().strip_prefix('"')?.strip_suffix('"')?;
        let escaped = || Key::named(&json::string_bytes(raw)?);
        Key::named(plain.as_bytes()).or_else(|| plain.contains('\\').then(escaped).flatten())
    }
}

/// The members of one line whose keys are known. A key twice in an event: the last counts, as in
/// `args`; the earlier ones are among the extras.
pub(super) struct Members<'a>([Option<Raw<'a>>; Key::COUNT]);

impl<'a> Members<'a> {
    /// Reads the top level of a line; `None` when it is not one whole JSON object.
    pub(super) fn read(line: &'a str) -> Option<Self> {
        let mut found = Members([None; Key::COUNT]);
        Raw::read_members(line, Key::named, |key, value| found.put(key, value)).then_some(found)
    }

    /// The members of an object; `None` for any other value.
    pub(super) fn of(line: Raw<'a>) -> Option<Self> {
        let mut found = Members([None; Key::COUNT]);
        line.members()?.for_each(|(key, value)| found.put(Key::of(key), value));
        Some(found)
    }

    fn put(&mut self, key: Option<Key>, value: Raw<'a>) {
        if let Some(key) = key {
            self.0[key as usize] = Some(value);
        }
    }

    /// The value of a key, as it stands.
    pub(super) fn get(&self, key: Key) -> Option<Raw<'a>> {
        self.0[key as usize]
    }

    /// The kind of event that the line's `type` says; `None` without a `type`.
    pub(super) fn kind(&self) -> Option<RowKind> {
        self.get(Key::Type).map(|raw| json::string_bytes(raw).map_or(RowKind::Unknown, |name| RowKind::of(&name)))
    }

    /// Everything that is amiss with the fields of an event of this kind, in the order of its fields.
    pub(super) fn faults(&self, kind: RowKind) -> impl Iterator<Item = Fault> {
        fields(kind).iter().filter_map(|field| match self.get(field.key) {
            None => field.required.then_some(Fault::Missing(field.key)),
            Some(value) => match field.fit(value) {
                Fit::Fits => None,
                Fit::WrongType => Some(Fault::WrongType(field.key)),
                Fit::UnknownValue => Some(Fault::UnknownValue(field.key)),
            },
        })
    }

    /// Whether this very value is read as a field of an event of this kind; if not, it is an extra.
    pub(super) fn reads(&self, kind: RowKind, key: Option<Key>, value: Raw) -> bool {
        let Some(key) = key else { return false };
        if !self.get(key).is_some_and(|counted| std::ptr::eq(counted.get(), value.get())) {
            return false;
        }
        key == Key::Type && kind != RowKind::Unknown
            || fields(kind).iter().any(|field| {
                field.key == key
                    && (field.fit(value) == Fit::Fits
                        || kind != RowKind::Header && field.fit(value) == Fit::UnknownValue)
            })
    }
}

/// What the value of a field may be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    /// Any JSON.
    Any,
    /// A string.
    Text,
    /// One of these strings.
    Word(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// A whole number from 0.
    Count,
    /// The version of the format: 1.
    Version,
    /// Any number.
    Number,
    /// A list of strings.
    Texts,
    /// A list of objects.
    Objects,
    /// `{"name", "model"}`, both strings if they are there.
    Agent,
    /// `{"run", "step"}`.
    Parent,
}

/// How a value fits a [`Shape`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    Fits,
    WrongType,
    UnknownValue,
}

pub(super) struct Field {
    pub(super) key: Key,
    pub(super) shape: Shape,
    required: bool,
}

const fn must(key: Key, shape: Shape) -> Field {
    Field { key, shape, required: true }
}

const fn may(key: Key, shape: Shape) -> Field {
    Field { key, shape, required: false }
}

/// The fields of an event. What a run needs to be known by is required; the rest has a default.
pub(super) fn fields(kind: RowKind) -> &'static [Field] {
    const HEADER: &[Field] = &[
        must(Key::Version, Shape::Version),
        must(Key::Id, Shape::Text),
        must(Key::Domain, Shape::Text),
        may(Key::DomainDigest, Shape::Text),
        must(Key::Problem, Shape::Text),
        may(Key::ProblemDigest, Shape::Text),
        must(Key::Role, Shape::Text),
        may(Key::Toolset, Shape::Text),
        may(Key::Budget, Shape::Count),
        may(Key::Feedback, Shape::Word(&["hidden", "named", "bare"])),
        may(Key::Agent, Shape::Agent),
        may(Key::Seed, Shape::Number),
        may(Key::Started, Shape::Text),
        may(Key::Parent, Shape::Parent),
    ];
    const MESSAGE: &[Field] =
        &[must(Key::From, Shape::Word(Speaker::WORDS)), must(Key::Text, Shape::Text), may(Key::Reasoning, Shape::Flag)];
    // What the agent sent as tool and arguments is its own affair, whatever it is.
    const CALL: &[Field] = &[must(Key::Id, Shape::Text), must(Key::Tool, Shape::Any), may(Key::Args, Shape::Any)];
    const RESULT: &[Field] = &[
        must(Key::Call, Shape::Text),
        must(Key::Fired, Shape::Flag),
        may(Key::Refusals, Shape::Objects),
        may(Key::Observation, Shape::Text),
        may(Key::Added, Shape::Texts),
        may(Key::Removed, Shape::Texts),
        may(Key::Produced, Shape::Texts),
    ];
    const NOTE: &[Field] = &[must(Key::Kind, Shape::Text), may(Key::Data, Shape::Any)];
    const END: &[Field] = &[must(Key::Reason, Shape::Word(EndReason::WORDS))];
    match kind {
        RowKind::Header => HEADER,
        RowKind::Message => MESSAGE,
        RowKind::Call => CALL,
        RowKind::Result => RESULT,
        RowKind::Note => NOTE,
        RowKind::End => END,
        RowKind::Unknown | RowKind::Broken => &[],
    }
}

impl Field {
    fn fit(&self, value: Raw) -> Fit {
        // A writer that spells "absent" as null means no harm.
        if !self.required && value.get() == "null" { Fit::Fits } else { self.shape.fit(value) }
    }
}

impl Shape {
    fn fit(self, value: Raw) -> Fit {
        let text = value.get();
        let fits = match self {
            Shape::Any => true,
            Shape::Text => text.starts_with('"'),
            Shape::Flag => matches!(text, "true" | "false"),
            Shape::Count => text.parse::<u64>().is_ok(),
            Shape::Number => text.starts_with(|c: char| c == '-' || c.is_ascii_digit()),
            Shape::Texts => is_list(value, '"'),
            Shape::Objects => is_list(value, '{'),
            Shape::Version if text == "1" => true,
            Shape::Version if text.parse::<u64>().is_ok() => return Fit::UnknownValue,
            Shape::Version => false,
            Shape::Word(known) => match json::string(value) {
                Some(word) if !known.contains(&word.as_ref()) => return Fit::UnknownValue,
                word => word.is_some(),
            },
            Shape::Agent => has(value, &[("name", Shape::Text, false), ("model", Shape::Text, false)]),
            Shape::Parent => has(value, &[("run", Shape::Text, true), ("step", Shape::Count, true)]),
        };
        if fits { Fit::Fits } else { Fit::WrongType }
    }

    /// What would be right, in words.
    pub(super) fn words(self) -> String {
        match self {
            Shape::Any => "any JSON".to_owned(),
            Shape::Text => "a string".to_owned(),
            Shape::Word(known) => format!("one of {}", known.join(", ")),
            Shape::Flag => "true or false".to_owned(),
            Shape::Count => "a whole number".to_owned(),
            Shape::Version => "1".to_owned(),
            Shape::Number => "a number".to_owned(),
            Shape::Texts => "a list of strings".to_owned(),
            Shape::Objects => "a list of objects".to_owned(),
            Shape::Agent => "an object with `name` and `model`".to_owned(),
            Shape::Parent => "an object with `run` and `step`".to_owned(),
        }
    }
}

/// Whether it is an array whose elements all begin like this.
fn is_list(value: Raw, begin: char) -> bool {
    value.elements().is_some_and(|mut elements| elements.all(|element| element.get().starts_with(begin)))
}

/// Whether it is an object with these fields; others are let pass.
fn has(value: Raw, wanted: &[(&str, Shape, bool)]) -> bool {
    let Some(members) = value.members() else { return false };
    let mut fits = [None; 2];
    for (key, value) in members {
        let key = json::string_or_raw(key);
        if let Some(i) = wanted.iter().position(|(name, ..)| *name == key) {
            fits[i] = Some(wanted[i].1.fit(value) == Fit::Fits || !wanted[i].2 && value.get() == "null");
        }
    }
    wanted.iter().zip(fits).all(|((.., required), fit)| fit.unwrap_or(!required))
}
