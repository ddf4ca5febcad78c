//! JSON text → a tree in which everything knows its place.
//!
//! Strict: the parser's leniencies are off, and what it lets pass besides (nesting, control
//! characters in strings, blanks that JSON does not know) is scanned for first.

use std::{collections::HashMap, ops::Range};

use jsonc_parser::{
    CollectOptions, ParseOptions, ParseStringErrorKind, ast,
    common::Ranged,
    errors::{ParseError, ParseErrorKind as Kind},
    parse_to_ast,
};

use super::faults::Faults;

/// How deep brackets may nest: far more than any format needs, far less than a stack holds.
const MAX_DEPTH: usize = 100;

/// A value and its bytes in the file.
#[derive(Debug, Clone)]
pub(super) struct Json {
    pub span: Range<usize>,
    pub value: Value,
}

#[derive(Debug, Clone)]
pub(super) enum Value {
    Null,
    Bool(bool),
    /// As written: its size is nobody's business here.
    Number(String),
    String(Text),
    Array(Vec<Json>),
    Object(Vec<Member>),
}

/// A key and its value; keys of one object differ.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub key: Text,
    pub value: Json,
}

/// A string, unescaped.
#[derive(Debug, Clone)]
pub(super) struct Text {
    pub text: String,
    /// Bytes between the quotes.
    pub span: Range<usize>,
}

impl Text {
    /// Where a part of the unescaped text stands in the file: exact without escapes, else the
    /// start of the string.
    pub fn at(&self, part: Range<usize>) -> Range<usize> {
        if self.text.len() == self.span.len() {
            self.span.start + part.start..self.span.start + part.end
        } else {
            self.span.start..self.span.start
        }
    }
}

impl Json {
    /// The bytes of the key at the end of a path of keys; empty if there is none.
    pub fn key_span(&self, path: &[&str]) -> Range<usize> {
        let (Value::Object(members), Some((key, rest))) = (&self.value, path.split_first()) else { return 0..0 };
        let Some(member) = members.iter().find(|member| member.key.text == *key) else { return 0..0 };
        if rest.is_empty() { member.key.span.clone() } else { member.value.key_span(rest) }
    }

    /// What it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        }
    }

    /// As compact JSON: no blanks, keys in the file's order, numbers as written.
    pub fn write(&self, out: &mut String) {
        match &self.value {
            Value::Null => out.push_str("null"),
            Value::Bool(true) => out.push_str("true"),
            Value::Bool(false) => out.push_str("false"),
            Value::Number(number) => out.push_str(number),
            Value::String(text) => write_string(&text.text, out),
            Value::Array(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Value::Object(members) => {
                out.push('{');
                for (i, member) in members.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    write_string(&member.key.text, out);
                    out.push(':');
                    member.value.write(out);
                }
                out.push('}');
            }
        }
    }

    /// As a value of serde_json; a number that it cannot hold becomes its text.
    pub fn to_value(&self) -> serde_json::Value {
        match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(b) => (*b).into(),
            Value::Number(number) => serde_json::from_str(number).unwrap_or_else(|_| number.as_str().into()),
            Value::String(text) => text.text.as_str().into(),
            Value::Array(items) => items.iter().map(Json::to_value).collect(),
            Value::Object(members) => members.iter().map(|m| (m.key.text.clone(), m.value.to_value())).collect(),
        }
    }
}

/// A string as JSON writes it.
pub(super) fn write_string(text: &str, out: &mut String) {
    out.push_str(&serde_json::Value::from(text).to_string());
}

/// Parses the file of `faults`, and reports into it. Everything but a syntax error still gives a tree.
pub(super) fn parse(faults: &mut Faults) -> Option<Json> {
    let file = faults.file.clone();
    if let Some(&first) = file.invalid.first() {
        let end = first + char::REPLACEMENT_CHARACTER.len_utf8();
        let help = match file.invalid.len() {
            1 => "save the file as UTF-8".to_owned(),
            n => format!("save the file as UTF-8; there are {n} such places"),
        };
        faults.error("not-utf8", first..end, "these bytes are not UTF-8").help(help);
    }

    let strange = scan(&file.text);
    let syntax = match &strange {
        Some(Strange { fatal: true, .. }) => None,
        _ => Some(parse_to_ast(&file.text, &CollectOptions::default(), &strict())),
    };
    let (error, value) = match syntax {
        None => (None, None),
        Some(Ok(result)) => (None, result.value),
        Some(Err(error)) => (Some(error), None),
    };
    let complain = match (strange, error) {
        (Some(strange), Some(error)) if strange.at.start > error.range().start => Some(wording(&error)),
        (Some(strange), _) => Some((strange.at, strange.message, strange.help)),
        (None, Some(error)) => Some(wording(&error)),
        (None, None) if value.is_none() => Some((0..0, "the file is empty", "it holds one JSON object")),
        (None, None) => None,
    };
    if let Some((at, message, help)) = complain {
        // Bytes that are not UTF-8 were reported; what they break merely follows.
        if file.invalid.is_empty() {
            let fault = faults.error("json-syntax", at, message);
            if !help.is_empty() {
                fault.help(help);
            }
        }
        return None;
    }
    value.map(|value| convert(value, faults))
}

fn strict() -> ParseOptions {
    ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

struct Strange {
    at: Range<usize>,
    message: &'static str,
    help: &'static str,
    /// Whether parsing on would be unsafe.
    fatal: bool,
}

/// The first thing that the parser would let pass, or could not bear.
fn scan(text: &str) -> Option<Strange> {
    let mut depth = 0usize;
    let mut in_string = false;
    let mut escaped = false;
    let mut found: Option<Strange> = None;
    for (at, c) in text.char_indices() {
        let strange = if in_string {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => in_string = false,
                _ => {}
            }
            (c < ' ').then_some((
                "a control character cannot stand in a string",
                "write line feeds as `\\n`, tabs as `\\t`, others as `\\u00XX`",
            ))
        } else {
            match c {
                '"' => in_string = true,
                '[' | '{' => depth += 1,
                ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > MAX_DEPTH {
                let (message, help) = ("brackets nest too deeply", "at most 100 levels are read");
                return Some(Strange { at: at..at + 1, message, help, fatal: true });
            }
            let foreign = c.is_whitespace() && !matches!(c, ' ' | '\t' | '\n' | '\r');
            foreign.then_some(("this blank is none that JSON knows", "use spaces, tabs and line feeds"))
        };
        if let (Some((message, help)), None) = (strange, &found) {
            found = Some(Strange { at: at..at + c.len_utf8(), message, help, fatal: false });
        }
    }
    found
}

/// Place, message and help for an error of the parser.
fn wording(error: &ParseError) -> (Range<usize>, &'static str, &'static str) {
    let (message, help) = match error.kind() {
        Kind::BareDecimalPointNumbersNotAllowed => ("a decimal point needs digits on both sides", ""),
        Kind::CommentsNotAllowed | Kind::UnterminatedCommentBlock => {
            ("JSON has no comments", "say it under `doc` or `notes`, where the format has them")
        }
        Kind::ExpectedColonAfterObjectKey => ("a ':' must follow a key", ""),
        Kind::ExpectedObjectValue => ("a value must follow the ':'", ""),
        Kind::ExpectedDigit
        | Kind::ExpectedDigitFollowingNegativeSign
        | Kind::ExpectedPlusMinusOrDigitInNumberLiteral => ("this number lacks a digit", ""),
        Kind::ExpectedStringObjectProperty => ("a key must be a string", "put it in double quotes"),
        Kind::HexadecimalNumbersNotAllowed => ("JSON has no hexadecimal numbers", "write it in decimal"),
        Kind::ExpectedComma => ("a ',' is missing", ""),
        Kind::MultipleRootJsonValues => ("nothing may follow the end of the value", ""),
        Kind::NonFiniteNumbersNotAllowed => ("JSON has no Infinity and no NaN", ""),
        Kind::SingleQuotedStringsNotAllowed => ("strings stand in double quotes", "replace ' by \""),
        Kind::String(ParseStringErrorKind::UnterminatedStringLiteral) => ("this string has no end", "close it with \""),
        Kind::String(ParseStringErrorKind::InvalidUnicodeEscapeSequence(_)) => {
            ("this escape is half of a character", "write the character itself")
        }
        Kind::String(_) => ("JSON has no such escape", "it has \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX"),
        Kind::TrailingCommasNotAllowed => ("no ',' may follow the last item", "remove it"),
        Kind::UnaryPlusNumbersNotAllowed => ("a number has no '+' before it", "remove it"),
        Kind::UnexpectedCloseBrace => ("unexpected '}'", ""),
        Kind::UnexpectedCloseBracket => ("unexpected ']'", ""),
        Kind::UnexpectedColon => ("unexpected ':'", ""),
        Kind::UnexpectedComma => ("unexpected ','", "a value is missing before it"),
        Kind::UnexpectedTokenInObject => ("an object holds keys and values", "write `\"key\": value`"),
        Kind::UnexpectedWord | Kind::UnexpectedToken => ("this is no JSON value", "strings stand in double quotes"),
        Kind::UnterminatedArray => ("this list has no end", "close it with ]"),
        Kind::UnterminatedObject => ("this object has no end", "close it with }"),
        Kind::NestingDepthExceeded => ("brackets nest too deeply", "at most 100 levels are read"),
    };
    let range = error.range();
    let unclosed = matches!(
        error.kind(),
        Kind::UnterminatedArray
            | Kind::UnterminatedObject
            | Kind::String(ParseStringErrorKind::UnterminatedStringLiteral)
    );
    let end = if unclosed { range.start + 1 } else { range.end.max(range.start) };
    (range.start..end, message, help)
}

/// Into our own tree, reporting duplicate keys; of equal keys the first is kept.
fn convert(value: ast::Value<'_>, faults: &mut Faults) -> Json {
    let range = value.range();
    let span = range.start..range.end;
    let value = match value {
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::BooleanLit(b) => Value::Bool(b.value),
        ast::Value::NumberLit(n) => Value::Number(n.value.to_owned()),
        ast::Value::StringLit(s) => Value::String(text(s)),
        ast::Value::Array(array) => {
            Value::Array(array.elements.into_iter().map(|item| convert(item, faults)).collect())
        }
        ast::Value::Object(object) => {
            let mut members: Vec<Member> = Vec::with_capacity(object.properties.len());
            let mut seen: HashMap<String, Range<usize>> = HashMap::with_capacity(object.properties.len());
            for property in object.properties {
                let ast::ObjectPropName::String(name) = property.name else { continue };
                let key = text(name);
                let value = convert(property.value, faults);
                match seen.get(&key.text) {
                    Some(first) => {
                        let first = first.clone();
                        faults
                            .error("duplicate-key", key.span.clone(), format!("the key '{}' stands twice", key.text))
                            .related(first, "first here");
                    }
                    None => {
                        seen.insert(key.text.clone(), key.span.clone());
                        members.push(Member { key, value });
                    }
                }
            }
            Value::Object(members)
        }
    };
    Json { span, value }
}

fn text(literal: ast::StringLit<'_>) -> Text {
    Text { text: literal.value.into_owned(), span: literal.range.start + 1..literal.range.end - 1 }
}
