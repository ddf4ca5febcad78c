//! Keys: where they come from, and that they go nowhere but into a request.

use std::borrow::Cow;
use std::path::Path;
use std::{env, fmt};

use crate::{file, text::visible};

/// A secret. It is shown to nobody: to print it prints that it is one.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Key(String);

/// What stands where a key stood.
const HIDDEN: &str = "[key]";
/// More than any key has, in bytes.
const MOST: u64 = 1 << 16;
/// A shorter key is a placeholder for servers that want none, and its letters may stand anywhere in an answer.
const SECRET: usize = 8;

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

impl Key {
    /// The key that a file holds.
    pub(super) fn of_file(path: &Path) -> Result<Key, String> {
        let name = path.to_string_lossy();
        let bytes =
            file::read(path, Some(MOST)).map_err(|error| format!("{}: {}", visible(&name), file::why(&error)))?;
        Key::of(&String::from_utf8_lossy(&bytes)).ok_or_else(|| format!("{}: it holds no key", visible(&name)))
    }

    /// The key that an environment variable holds; `None` when there is no such variable.
    pub(super) fn of_env(name: &str) -> Result<Option<Key>, String> {
        let Some(value) = env::var_os(name) else { return Ok(None) };
        Key::of(&value.to_string_lossy()).map(Some).ok_or_else(|| format!("{}: it holds no key", visible(name)))
    }

    /// A key is one word of visible characters: anything else could not be sent.
    fn of(text: &str) -> Option<Key> {
        let text = text.trim();
        (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())).then(|| Key(text.to_owned()))
    }

    /// What is sent.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }

    /// A text without the key, for a reader: however often JSON has escaped it.
    pub(super) fn out_of<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut out = String::new();
        let mut kept = 0;
        let mut at = 0;
        while at < text.len() {
            match self.length_in(&text.as_bytes()[at..]) {
                Some(length) => {
                    out += &text[kept..at];
                    out += HIDDEN;
                    at += length;
                    kept = at;
                }
                // A key that begins within a run of backslashes would have begun with it.
                None => at += text.as_bytes()[at..].iter().take_while(|byte| **byte == b'\\').count().max(1),
            }
        }
        if kept == 0 { Cow::Borrowed(text) } else { Cow::Owned(out + &text[kept..]) }
    }

    /// How long the key is that a text begins with, any number of backslashes before each of its characters.
    fn length_in(&self, text: &[u8]) -> Option<usize> {
        let slashes = |at: usize| text[at..].iter().take_while(|byte| **byte == b'\\').count();
        let mut at = 0;
        for byte in self.0.bytes() {
            let skipped = slashes(at);
            at += skipped;
            if byte == b'\\' {
                // A run of them in the key was skipped with the first of it.
                if skipped == 0 && text.get(at.wrapping_sub(1)) != Some(&b'\\') {
                    return None;
                }
                continue;
            }
            if text.get(at) != Some(&byte) {
                return None;
            }
            at += 1;
        }
        Some(at)
    }

    /// An answer without the key, should the other side repeat it.
    pub(super) fn out_of_answer<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.0.len() < SECRET { Cow::Borrowed(text) } else { self.out_of(text) }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_one_word() {
        for (text, key) in
            [("sk-1\n", Some("sk-1")), ("  a ", Some("a")), ("", None), (" \n", None), ("a b", None), ("a\nb", None)]
        {
            assert_eq!(Key::of(text).as_ref().map(Key::expose), key, "{text:?}");
        }
    }

    #[test]
    fn a_key_is_taken_out_of_texts() {
        let key = Key::of(r#"sk-"\1234567"#).unwrap();
        assert_eq!(
            key.out_of(r#"key sk-"\1234567 is wrong, {"key":"sk-\"\\1234567"}"#),
            r#"key [key] is wrong, {"key":"[key]"}"#
        );
        assert_eq!(key.out_of(r#"é \\\\sk-\\\"\\\\1234567"#), "é [key]");
        for other in ["sk-", r#"sk-"1234567"#, r#"sk-"\123456"#, "\\\\", ""] {
            assert!(matches!(key.out_of(other), Cow::Borrowed(same) if same == other), "{other}");
        }
        assert_eq!(format!("{key:?}"), "[key]");
        let short = Key::of("none").unwrap();
        assert_eq!((short.out_of("none"), short.out_of_answer("none")), ("[key]".into(), "none".into()));
    }
}
