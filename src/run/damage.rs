//! What is wrong with a log, line by line, in plain sentences.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use super::json::{self, Raw};
use super::shape::{Key, Members, RowKind, fields};

/// Something wrong with a log that could be read around.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// The line of the log, from 1.
    pub line: usize,
    /// What is wrong, in a sentence. It may quote the log: make it visible before it is shown.
    pub message: String,
}

/// One fault of a line, small enough to keep for every line of a large log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    NoHeader,
    NotUtf8,
    TooLong,
    CutShort,
    NotJson,
    NotAnObject,
    NoType,
    UnknownType,
    SecondHeader,
    SecondEnd,
    CallAfterEnd,
    RepeatedCall,
    RepeatedResult,
    NoResult,
    NoCall,
    Missing(Key),
    WrongType(Key),
    UnknownValue(Key),
}

impl Fault {
    /// The fault of a line that is not a JSON object.
    pub(super) fn of_line(line: &str) -> Fault {
        match serde_json::from_str::<&RawValue>(line) {
            Ok(_) => Fault::NotAnObject,
            Err(error) if error.is_eof() => Fault::CutShort,
            // A number cut after its sign, point or `e` is not taken for an end; a digit more shows it.
            Err(_) if line.ends_with(['-', '+', '.', 'e', 'E']) => {
                match serde_json::from_str::<&RawValue>(&format!("{line}0")) {
                    Err(error) if error.is_eof() => Fault::CutShort,
                    _ => Fault::NotJson,
                }
            }
            Err(_) => Fault::NotJson,
        }
    }

    /// The sentence for it; `line` is the line that has it.
    pub(super) fn message(self, line: &[u8]) -> String {
        let text = String::from_utf8_lossy(line);
        let members = Members::read(&text);
        let value = |key| members.as_ref().and_then(|m| m.get(key)).map_or(Cow::Borrowed("nothing"), quoted);
        match self {
            Fault::NoHeader => "The log has no header, so its problem and role are not known.".to_owned(),
            Fault::NotUtf8 => {
                let valid = line.utf8_chunks().next().map_or(0, |chunk| chunk.valid().len());
                format!("This line is not UTF-8, from its byte {} on.", valid + 1)
            }
            Fault::TooLong => "This line is longer than 4 GiB.".to_owned(),
            Fault::CutShort => "This line is cut short.".to_owned(),
            Fault::NotJson => match serde_json::from_str::<&RawValue>(&text) {
                Err(error) => {
                    let before = text.as_bytes().get(..error.column().saturating_sub(1)).unwrap_or_default();
                    format!(
                        "This line is not JSON, from column {} on.",
                        String::from_utf8_lossy(before).chars().count() + 1
                    )
                }
                Ok(_) => "This line is not JSON.".to_owned(),
            },
            Fault::NotAnObject => "This line is JSON, but not an object.".to_owned(),
            Fault::NoType => "This event has no `type`.".to_owned(),
            Fault::UnknownType => format!("There is no event of type {}.", value(Key::Type)),
            Fault::SecondHeader => "This is a second header; the first counts.".to_owned(),
            Fault::SecondEnd => "This is a second end; the first counts.".to_owned(),
            Fault::CallAfterEnd => "This call comes after the end.".to_owned(),
            Fault::RepeatedCall => format!("An earlier call has the id {} too.", value(Key::Id)),
            Fault::RepeatedResult => format!("An earlier result names the call {} too.", value(Key::Call)),
            Fault::NoResult => format!("The call {} has no result.", value(Key::Id)),
            Fault::NoCall => format!("There is no call {} for this result.", value(Key::Call)),
            Fault::Missing(key) => format!("`{}` is missing.", key.name()),
            Fault::WrongType(key) | Fault::UnknownValue(key) => {
                let kind = members.as_ref().and_then(Members::kind).unwrap_or(RowKind::Broken);
                let wanted = fields(kind).iter().find(|field| field.key == key).map(|field| field.shape.words());
                format!("`{}` is {}; it should be {}.", key.name(), value(key), wanted.unwrap_or_default())
            }
        }
    }
}

/// A value of a log, short enough to stand in a sentence.
fn quoted(value: Raw<'_>) -> Cow<'_, str> {
    const LONGEST: usize = 60;
    let text = match json::string(value) {
        Some(text) => Cow::Owned(format!("`{text}`")),
        None => Cow::Borrowed(value.get()),
    };
    if text.chars().nth(LONGEST).is_none() {
        text
    } else {
        Cow::Owned(text.chars().take(LONGEST).chain(['…']).collect())
    }
}
