//! JSON as agents send it and logs keep it: one level is read, everything below stays raw text.
//!
//! Values are skipped, not parsed, so depth, number range, lone surrogates and duplicate keys of
//! what an agent sent are nobody's business here (design §4).

use std::borrow::Cow;
use std::fmt;

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// JSON text as it was sent, kept to the byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Json(Box<str>);

impl Json {
    /// Keeps `text`, which must be one JSON value; anything else is kept as a JSON string.
    pub fn new(text: &str) -> Self {
        raw(text).map_or_else(|| Json::string(text), Json::of)
    }

    /// Keeps a value that was read.
    pub fn of(value: &RawValue) -> Self {
        Json(value.get().into())
    }

    /// A JSON string.
    pub fn string(text: &str) -> Self {
        Json(serde_json::Value::from(text).to_string().into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The string that it is, if it is one; lone surrogates are replaced.
    pub fn as_string(&self) -> Option<String> {
        raw(&self.0).and_then(string).map(Cow::into_owned)
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// The one JSON value that `text` is.
pub(crate) fn raw(text: &str) -> Option<&RawValue> {
    serde_json::from_str(text).ok()
}

/// Calls `each` with every member of the object that `text` is, in order, duplicates and all.
/// Keys come as raw text, quotes included.
///
/// # Errors
/// When `text` is not one whole JSON object; `each` may have been called before that shows.
pub(crate) fn members<'a>(text: &'a str, each: impl FnMut(&'a RawValue, &'a RawValue)) -> serde_json::Result<()> {
    let mut source = serde_json::Deserializer::from_str(text);
    source.deserialize_map(Members(each))?;
    source.end()
}

/// Calls `each` with every element of the array that `text` is.
///
/// # Errors
/// When `text` is not one whole JSON array.
pub(crate) fn elements<'a>(text: &'a str, each: impl FnMut(&'a RawValue)) -> serde_json::Result<()> {
    let mut source = serde_json::Deserializer::from_str(text);
    source.deserialize_seq(Elements(each))?;
    source.end()
}

/// The bytes of a JSON string, lone surrogates as three bytes each (so that two different ones
/// stay different); `None` for any other value.
pub(crate) fn string_bytes(value: &RawValue) -> Option<Cow<'_, [u8]>> {
    let inner = value.get().strip_prefix('"')?.strip_suffix('"')?;
    if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner.as_bytes()));
    }
    let mut source = serde_json::Deserializer::from_str(value.get());
    source.deserialize_bytes(Bytes).ok().map(Cow::Owned)
}

/// The text of a JSON string, each lone surrogate as one U+FFFD; `None` for any other value.
pub(crate) fn string(value: &RawValue) -> Option<Cow<'_, str>> {
    let inner = value.get().strip_prefix('"')?.strip_suffix('"')?;
    if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    Some(Cow::Owned(text(&string_bytes(value)?)))
}

/// The text of what [`string_bytes`] gives, each lone surrogate as one U+FFFD.
pub(crate) fn text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        // A surrogate is ED A0..BF 80..BF: three faults, of which the first stands for all.
        if chunk.invalid().first() == Some(&0xed) {
            text.push('\u{fffd}');
        }
    }
    text
}

/// The text of a JSON string, or the raw text of anything else.
pub(crate) fn string_or_raw(value: &RawValue) -> Cow<'_, str> {
    string(value).unwrap_or(Cow::Borrowed(value.get()))
}

struct Members<F>(F);

impl<'de, F: FnMut(&'de RawValue, &'de RawValue)> Visitor<'de> for Members<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some((key, value)) = map.next_entry()? {
            self.0(key, value);
        }
        Ok(())
    }
}

struct Elements<F>(F);

impl<'de, F: FnMut(&'de RawValue)> Visitor<'de> for Elements<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        while let Some(value) = seq.next_element()? {
            self.0(value);
        }
        Ok(())
    }
}

struct Bytes;

impl Visitor<'_> for Bytes {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_string(json: &str, text: Option<&str>) {
        let raw: &RawValue = serde_json::from_str(json).unwrap();
        assert_eq!(string(raw).as_deref(), text, "{json}");
    }

    #[test]
    fn strings_are_read_whatever_they_escape() {
        check_string(r#""plain""#, Some("plain"));
        check_string(r#""""#, Some(""));
        check_string(r#""a\"\\\/\n\u00e9\ud83d\ude00""#, Some("a\"\\/\né😀"));
        check_string(r#""cut \ud83d""#, Some("cut \u{fffd}"));
        check_string(r#""\udc00\ud800x""#, Some("\u{fffd}\u{fffd}x"));
        check_string("5", None);
        check_string("[\"x\"]", None);
    }

    #[test]
    fn different_lone_surrogates_are_different_ids() {
        let [one, other]: [&RawValue; 2] = [r#""\ud800""#, r#""\ud801""#].map(|s| serde_json::from_str(s).unwrap());
        assert_ne!(string_bytes(one), string_bytes(other));
    }

    #[test]
    fn members_keep_order_duplicates_and_depth() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let text = format!(r#" {{"a":1,"b":{deep},"a":1e999,"\ud800":"\udc00"}} "#);
        let mut seen = Vec::new();
        members(&text, |key, value| seen.push((key.get(), value.get()))).unwrap();
        assert_eq!(seen, [(r#""a""#, "1"), (r#""b""#, &deep), (r#""a""#, "1e999"), (r#""\ud800""#, r#""\udc00""#)]);
    }
}
