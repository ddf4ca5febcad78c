//! Digests: SHA-256 over what can change an execution (design §4).

use std::fmt::Write;

use sha2::{Digest, Sha256};

use super::json::{Json, Value, write_string};

/// What an execution does not depend on: where (`*` is any key), and which keys.
type Skip = [(&'static [&'static str], &'static [&'static str])];

const DOMAIN: &Skip = &[
    (&[], &["$schema"]),
    (&["predicates", "*"], &["text"]),
    (&["slots", "*"], &["doc"]),
    (&["sources", "*"], &["doc"]),
    (&["tools", "*"], &["doc", "observation"]),
    (&["roles", "*"], &["doc"]),
];

const PROBLEM: &Skip =
    &[(&[], &["$schema", "title", "query", "provenance", "notes"]), (&["perspectives", "*"], &["persona", "notes"])];

/// Sections whose values are texts: they count as null.
const TEXTS: &[&str] = &["capabilities", "knowledge"];

/// The digest of a domain file.
pub(super) fn domain_digest(json: &Json) -> String {
    digest(json, DOMAIN, TEXTS)
}

/// The digest of a problem file.
pub(super) fn problem_digest(json: &Json) -> String {
    digest(json, PROBLEM, &[])
}

fn digest(json: &Json, skip: &Skip, texts: &[&str]) -> String {
    let mut text = String::new();
    write(json, &mut Vec::new(), skip, texts, &mut text);
    sha256(text.as_bytes())
}

/// SHA-256 in hex.
pub fn sha256(bytes: &[u8]) -> String {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

fn write<'a>(json: &'a Json, path: &mut Vec<&'a str>, skip: &Skip, texts: &[&str], out: &mut String) {
    let Value::Object(members) = &json.value else { return json.write(out) };
    let skipped: &[&str] = skip.iter().find(|(at, _)| matches(at, path)).map_or(&[], |(_, keys)| keys);
    out.push('{');
    let mut first = true;
    for member in members.iter().filter(|m| !skipped.contains(&m.key.text.as_str())) {
        if !first {
            out.push(',');
        }
        first = false;
        write_string(&member.key.text, out);
        out.push(':');
        if path.len() == 1 && texts.contains(&path[0]) {
            out.push_str("null");
        } else if path.len() < 2 {
            path.push(&member.key.text);
            write(&member.value, path, skip, texts, out);
            path.pop();
        } else {
            member.value.write(out);
        }
    }
    out.push('}');
}

fn matches(pattern: &[&str], path: &[&str]) -> bool {
    pattern.len() == path.len() && pattern.iter().zip(path).all(|(p, key)| *p == "*" || p == key)
}
