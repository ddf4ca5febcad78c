//! JSON as agents send it and logs keep it: one level is read, everything below stays raw text.
//!
//! Values are skipped, not parsed, so depth, number range, lone surrogates and duplicate keys of
//! what an agent sent are nobody's business here (design §4).

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, MapAccess, Visitor};
use serde::{Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// JSON text as it was sent, kept to the byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Json(Box<str>);

impl Json {
    /// Keeps `text`, which must be one JSON value; anything else is kept as a JSON string.
    pub fn new(text: &str) -> Self {
        Raw::read(text).map_or_else(|| Json::string(text), Json::of)
    }

    /// Keeps a value that was read.
    pub fn of(value: Raw) -> Self {
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

    /// The value.
    pub fn raw(&self) -> Raw<'_> {
        Raw(&self.0)
    }

    /// The string that it is, if it is one; lone surrogates are replaced.
    pub fn as_string(&self) -> Option<String> {
        string(self.raw()).map(Cow::into_owned)
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// The text of one JSON value, without white space around it: part of a text that was read once
/// and found sound, so that it is walked without looking for faults again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Raw<'a>(&'a str);

impl<'a> Raw<'a> {
    /// `null`.
    pub const NULL: Raw<'static> = Raw("null");

    /// The one JSON value that `text` is; `None` if it is none.
    pub fn read(text: &'a str) -> Option<Self> {
        serde_json::from_str::<&RawValue>(text).ok().map(|raw| Raw(raw.get()))
    }

    /// Hands over the members of the one object that `text` is while it is read, each by what its key is
    /// known as; false if it is none: then what was handed over has no meaning.
    pub(crate) fn read_members<T>(text: &'a str, key: impl FnMut(&[u8]) -> T, each: impl FnMut(T, Raw<'a>)) -> bool {
        let mut source = serde_json::Deserializer::from_str(text);
        source.deserialize_map(Object { key, each }).and_then(|()| source.end()).is_ok()
    }

    /// A text that [`Raw::read`] gave before. Any other is no harm, but what comes of it has no meaning.
    pub(crate) fn known(text: &'a str) -> Self {
        Raw(text)
    }

    /// Whether it is a string that says this, however it is escaped.
    pub(crate) fn spells(self, name: &str) -> bool {
        let inner = self.0.as_bytes().get(1..self.0.len().saturating_sub(1)).unwrap_or_default();
        // An escaped name is longer than the plain one.
        inner == name.as_bytes() || inner.len() > name.len() && string(self).is_some_and(|text| text == name)
    }

    /// The text.
    pub fn get(self) -> &'a str {
        self.0
    }

    /// The members of an object, in order, duplicates and all, keys as raw strings; `None` for any
    /// other value.
    pub(crate) fn members(self) -> Option<impl Iterator<Item = (Raw<'a>, Raw<'a>)>> {
        let mut walk = self.0.starts_with('{').then_some(Walk { text: self.0, at: 1 })?;
        Some(std::iter::from_fn(move || Some((walk.next()?, walk.next()?))))
    }

    /// The elements of an array; `None` for any other value.
    pub(crate) fn elements(self) -> Option<impl Iterator<Item = Raw<'a>>> {
        self.0.starts_with('[').then_some(Walk { text: self.0, at: 1 })
    }

    /// The last members of an object that have these names, in one walk.
    pub(crate) fn pick<const N: usize>(self, names: [&str; N]) -> Option<[Option<Raw<'a>>; N]> {
        let mut walk = self.0.starts_with('{').then_some(Walk { text: self.0, at: 1 })?;
        Some(walk.pick(names))
    }

    /// The last member of this name of each element of an array, all in one walk: `None` where it has
    /// none or is no object.
    pub(crate) fn pick_of_each(self, name: &str) -> impl Iterator<Item = Option<Raw<'a>>> {
        let mut walk = self.0.starts_with('[').then_some(Walk { text: self.0, at: 1 });
        std::iter::from_fn(move || {
            let walk = walk.as_mut()?;
            if walk.enter() {
                let [value] = walk.pick([name]);
                walk.at += 1;
                Some(value)
            } else {
                walk.next().map(|_| None)
            }
        })
    }
}

/// Goes from value to value inside of an object or array.
struct Walk<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Walk<'a> {
    /// Goes into the object that comes next, if one does.
    fn enter(&mut self) -> bool {
        self.skip_between();
        let enters = self.text.as_bytes().get(self.at) == Some(&b'{');
        self.at += usize::from(enters);
        enters
    }

    /// Goes to the end of the object that was entered.
    fn pick<const N: usize>(&mut self, names: [&str; N]) -> [Option<Raw<'a>>; N] {
        let mut found = [None; N];
        while let (Some(key), Some(value)) = (self.next(), self.next()) {
            if let Some(i) = names.iter().position(|name| key.spells(name)) {
                found[i] = Some(value);
            }
        }
        found
    }

    fn skip_between(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at += rest.iter().take_while(|byte| is_between(**byte)).count();
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = Raw<'a>;

    fn next(&mut self) -> Option<Raw<'a>> {
        let bytes = self.text.as_bytes();
        self.skip_between();
        let start = self.at;
        self.at = match bytes.get(start)? {
            b'}' | b']' => return None,
            b'"' => after_string(bytes, start),
            b'{' | b'[' => after_nested(bytes, start),
            _ => after_plain(bytes, start),
        };
        self.text.get(start..self.at).map(Raw)
    }
}

/// White space, and what stands between two values or a key and its value.
fn is_between(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b':')
}

/// Where the number or word that begins at `at` is over.
fn after_plain(bytes: &[u8], at: usize) -> usize {
    let ends = |byte: &u8| is_between(*byte) || matches!(byte, b'}' | b']');
    bytes[at..].iter().position(ends).map_or(bytes.len(), |length| at + length)
}

/// Where the string that begins at `at` is over.
fn after_string(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    loop {
        // Eight bytes at a time; most strings of a log are short, so a call per string would cost more.
        while let Some(Ok(eight)) = bytes.get(at..at + 8).map(<[u8; 8]>::try_from) {
            let word = u64::from_le_bytes(eight);
            let found = each_byte(word, b'"') | each_byte(word, b'\\');
            if found != 0 {
                at += found.trailing_zeros() as usize / 8;
                break;
            }
            at += 8;
        }
        match bytes.get(at) {
            Some(b'"') => return at + 1,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
            None => return bytes.len(),
        }
    }
}

/// Sets the high bit of each byte of `word` that is `wanted`. Bits above the lowest may be set in error.
fn each_byte(word: u64, wanted: u8) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    let zero = word ^ (ONES * u64::from(wanted));
    zero.wrapping_sub(ONES) & !zero & (ONES << 7)
}

/// Where the object or array that begins at `at` is over.
fn after_nested(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0usize;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = after_string(bytes, at);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return at;
        }
    }
    bytes.len()
}

/// The bytes of a JSON string, lone surrogates as three bytes each (so that two different ones
/// stay different); `None` for any other value.
pub(crate) fn string_bytes(value: Raw<'_>) -> Option<Cow<'_, [u8]>> {
    let inner = value.get().strip_prefix('"')?.strip_suffix('"')?;
    if !inner.as_bytes().contains(&b'\\') {
        return Some(Cow::Borrowed(inner.as_bytes()));
    }
    let mut source = serde_json::Deserializer::from_str(value.get());
    source.deserialize_bytes(Bytes).ok().map(Cow::Owned)
}

/// The text of a JSON string, each lone surrogate as one U+FFFD; `None` for any other value.
pub(crate) fn string(value: Raw<'_>) -> Option<Cow<'_, str>> {
    let inner = value.get().strip_prefix('"')?.strip_suffix('"')?;
    if !inner.as_bytes().contains(&b'\\') {
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
pub(crate) fn string_or_raw(value: Raw<'_>) -> Cow<'_, str> {
    string(value).unwrap_or(Cow::Borrowed(value.get()))
}

struct Object<K, E> {
    key: K,
    each: E,
}

impl<'de, T, K: FnMut(&[u8]) -> T, E: FnMut(T, Raw<'de>)> Visitor<'de> for Object<K, E> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(ObjectKey(&mut self.key))? {
            (self.each)(key, Raw(map.next_value::<&RawValue>()?.get()));
        }
        Ok(())
    }
}

/// A key, read to what its bytes are known as.
struct ObjectKey<'k, K>(&'k mut K);

impl<'de, T, K: FnMut(&[u8]) -> T> DeserializeSeed<'de> for ObjectKey<'_, K> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<T, D::Error> {
        source.deserialize_bytes(self)
    }
}

impl<T, K: FnMut(&[u8]) -> T> Visitor<'_> for ObjectKey<'_, K> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<T, E> {
        Ok((self.0)(bytes))
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
        assert_eq!(string(Raw::read(json).unwrap()).as_deref(), text, "{json}");
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
        let [one, other] = [r#""\ud800""#, r#""\ud801""#].map(|json| Raw::read(json).unwrap());
        assert_ne!(string_bytes(one), string_bytes(other));
    }

    fn members(text: &str) -> Vec<(&str, &str)> {
        let members = Raw::read(text).unwrap().members().unwrap();
        members.map(|(key, value)| (key.get(), value.get())).collect()
    }

    #[test]
    fn members_and_elements_are_told_apart() {
        let text = r#"{ "a" : "x\\" , "b\"}" :[1,[2] ,{"c":"]"}, "\"]"], "c": -1.5e+3 ,"d":null,"":{}}"#;
        let inner = r#"[1,[2] ,{"c":"]"}, "\"]"]"#;
        let expected =
            [(r#""a""#, r#""x\\""#), (r#""b\"}""#, inner), (r#""c""#, "-1.5e+3"), (r#""d""#, "null"), ("\"\"", "{}")];
        assert_eq!(members(text), expected);
        let elements: Vec<_> = Raw::read(inner).unwrap().elements().unwrap().map(Raw::get).collect();
        assert_eq!(elements, ["1", "[2]", r#"{"c":"]"}"#, r#""\"]""#]);
        assert_eq!((members("{}"), members("{ }")), (vec![], vec![]));
        assert!(Raw::read("[]").unwrap().members().is_none() && Raw::read("{}").unwrap().elements().is_none());
        for none in ["", "{", "{}{}", "nul", "[1,]", "\"\u{1}\""] {
            assert!(Raw::read(none).is_none(), "{none}");
        }
    }

    #[test]
    fn strings_end_where_they_end() {
        for length in 0..40 {
            for (filling, escaped) in
                [("a", ""), ("é", ""), ("!", "\\\""), ("#", "\\\\"), ("]", "\\u005c"), ("\u{7f}", "\\n")]
            {
                let string = format!("\"{}{escaped}{}\"", filling.repeat(length), filling.repeat(length % 7));
                let text = format!("[{string},{string}]");
                let elements: Vec<_> = Raw::read(&text).unwrap().elements().unwrap().map(Raw::get).collect();
                assert_eq!(elements, [&string, &string]);
            }
        }
    }

    #[test]
    fn what_is_no_json_is_walked_without_harm() {
        for text in ["", "{", "[", "{\"", "[\"\\", "{\"a", "{é", "[}", "{]]]]", "{\"a\":{{{", "[[[\"x\\\"", "[]]]"] {
            let values =
                |raw: Raw| raw.members().into_iter().flatten().count() + raw.elements().into_iter().flatten().count();
            assert!(values(Raw::known(text)) <= text.len());
        }
    }

    #[test]
    fn members_keep_order_duplicates_and_depth() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let text = format!(r#" {{"a":1,"b":{deep},"a":1e999,"\ud800":"\udc00"}} "#);
        let seen: Vec<_> = members(&text);
        assert_eq!(seen, [(r#""a""#, "1"), (r#""b""#, &deep), (r#""a""#, "1e999"), (r#""\ud800""#, r#""\udc00""#)]);
    }
}
