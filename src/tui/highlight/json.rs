//! JSON by the line, and the atoms of design §2 inside its strings.

use std::ops::Range;

use super::Stretches;
use crate::tui::theme::Role;

/// The stretches of a line of JSON. A string that does not end is a string to the end of the line.
pub fn tokens(line: &str) -> Stretches {
    let mut out = Stretches::new();
    let mut at = 0;
    while let Some(c) = line[at..].chars().next() {
        let start = at;
        if c == '"' {
            at = string_end(line, start);
            if line[at..].trim_start().starts_with(':') {
                out.push((start..at, Role::Name));
            } else {
                string(line, start..at, &mut out);
            }
            continue;
        }
        let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.');
        let end = line[start..].find(|c| word(c) != word_start(&line[start..]) || c == '"');
        at = end.map_or(line.len(), |n| start + n.max(c.len_utf8()));
        let role = if word_start(&line[start..]) { Role::Number } else { Role::Plain };
        out.push((start..at, role));
    }
    out
}

fn word_start(rest: &str) -> bool {
    rest.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.'))
}

fn string_end(line: &str, start: usize) -> usize {
    let mut escaped = false;
    for (i, c) in line[start + 1..].char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return start + 1 + i + 1,
            _ => {}
        }
    }
    line.len()
}

fn string(line: &str, range: Range<usize>, out: &mut Stretches) {
    let inner = line[range.clone()].trim_matches('"');
    if !looks_like_literal(inner) {
        return out.push((range, Role::Text));
    }
    let start = range.start + 1;
    out.push((range.start..start, Role::Dim));
    out.extend(atom(inner, start));
    if start + inner.len() < range.end {
        out.push((start + inner.len()..range.end, Role::Dim));
    }
}

/// Prose is no literal: an atom has its bracket right behind its name, or variables.
fn looks_like_literal(text: &str) -> bool {
    let bare = text.strip_prefix("not ").unwrap_or(text);
    let name = bare.find(|c: char| !name_char(c)).unwrap_or(bare.len());
    (name > 0 && bare[name..].starts_with('(') && bare.ends_with(')')) || bare.starts_with('?')
}

fn name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// The stretches of a literal that stands at `offset`.
pub fn atom(text: &str, offset: usize) -> Stretches {
    let mut out = Stretches::new();
    let mut at = 0;
    let mut depth = 0;
    while let Some(c) = text[at..].chars().next() {
        let start = at;
        let role = if c == '?' || name_char(c) {
            at += c.len_utf8();
            at += text[at..].find(|c| !name_char(c)).unwrap_or(text.len() - at);
            match (&text[start..at], c) {
                ("not", _) => Role::Removed,
                (_, '?') => Role::Variable,
                _ if depth > 0 => Role::Plain,
                _ => Role::Name,
            }
        } else {
            at += c.len_utf8();
            depth += i32::from(c == '(') - i32::from(c == ')');
            Role::Dim
        };
        out.push((offset + start..offset + at, role));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> String {
        tokens(line).into_iter().map(|(r, role)| format!("{}:{role:?} ", line[r].trim())).collect()
    }

    #[test]
    fn json_by_the_line() {
        for (line, expected) in [
            (r#"{"a": 1,"#, r#"{:Plain "a":Name ::Plain 1:Number ,:Plain "#),
            (r#""say \"x\"""#, r#""say \"x\"":Text "#),
            (
                r#"["not s(?a, b)"]"#,
                r#"[:Plain ":Dim not:Removed :Dim s:Name (:Dim ?a:Variable ,:Dim :Dim b:Plain ):Dim ":Dim ]:Plain "#,
            ),
            (r#""open"#, r#""open:Text "#),
            ("漢 true", "漢:Plain true:Number "),
        ] {
            assert_eq!(shown(line), expected, "{line}");
        }
    }

    proptest::proptest! {
        #[test]
        fn every_byte_once(line in "[\\\\\"{}a-c0?(), :.漢-]{0,30}") {
            let mut at = 0;
            for (range, _) in tokens(&line) {
                proptest::prop_assert_eq!(range.start, at);
                at = range.end;
            }
            proptest::prop_assert_eq!(at, line.len());
        }
    }
}
