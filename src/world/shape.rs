//! Shapes: one declaration gives the Rust type, the reader with its faults, and the JSON Schema,
//! so that the three cannot drift.

use std::{borrow::Cow, ops::Range};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{
    faults::Faults,
    json::{Json, Text, Value},
    syntax::is_name,
    values::NAME,
};

/// What can be read from a positioned tree. `None` means that the fault was reported.
pub(super) trait Shape: Sized {
    fn read(json: &Json, faults: &mut Faults) -> Option<Self>;
}

/// The value of a key.
#[derive(Debug)]
pub(super) enum Field<T> {
    /// The key is not there, and need not be.
    Absent,
    /// Reported; what follows from it is not.
    Bad,
    Is(T),
}

impl<T> Field<T> {
    pub fn get(&self) -> Option<&T> {
        match self {
            Field::Is(value) => Some(value),
            _ => None,
        }
    }

    pub fn is_bad(&self) -> bool {
        matches!(self, Field::Bad)
    }
}

/// Declares an object with fixed keys. `must` keys are required, `may` keys are not, `should` keys
/// are asked for by the schema alone: editors offer them, the reader does without.
macro_rules! shape {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident {
            $( $(#[doc = $key_doc:literal])* $how:ident $field:ident $key:literal: $ty:ty, )*
        }
    )*) => {$(
        $(#[doc = $doc])*
        #[derive(Debug)]
        pub(super) struct $name {
            /// Bytes of the whole object.
            #[allow(dead_code)]
            pub span: std::ops::Range<usize>,
            $( $(#[doc = $key_doc])* #[allow(dead_code)] pub $field: $crate::world::shape::Field<$ty>, )*
        }

        impl $crate::world::shape::Shape for $name {
            fn read(
                json: &$crate::world::json::Json,
                faults: &mut $crate::world::faults::Faults,
            ) -> Option<Self> {
                const KEYS: &[&str] = &[$($key),*];
                let members = $crate::world::shape::members(json, KEYS, faults)?;
                Some($name {
                    span: json.span.clone(),
                    $( $field: $crate::world::shape::field(
                        json, members, $key, $crate::world::shape::How::$how, faults,
                    ), )*
                })
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let keys = vec![$( (
                    $key,
                    $crate::world::shape::How::$how,
                    concat!($($key_doc),*),
                    generator.subschema_for::<$ty>(),
                ), )*];
                $crate::world::shape::object_schema(concat!($($doc),*), keys)
            }
        }
    )*};
}
pub(super) use shape;

/// Whether a key of a shape has to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(non_camel_case_types)]
pub(super) enum How {
    must,
    should,
    may,
}

/// The members of an object, after reporting every key that is not in `keys`.
pub(super) fn members<'a>(json: &'a Json, keys: &[&str], faults: &mut Faults) -> Option<&'a [super::json::Member]> {
    let Value::Object(members) = &json.value else {
        wrong_type(json, "an object", faults);
        return None;
    };
    for member in members.iter().filter(|m| !keys.contains(&m.key.text.as_str())) {
        let key = &member.key;
        let free: Vec<&str> =
            keys.iter().copied().filter(|known| members.iter().all(|m| m.key.text != *known)).collect();
        let help = faults.suggest(&key.text, free);
        faults.error("unknown-key", key.span.clone(), format!("the key '{}' has no meaning here", key.text)).help =
            help;
    }
    Some(members)
}

pub(super) fn field<T: Shape>(
    object: &Json,
    members: &[super::json::Member],
    key: &str,
    how: How,
    faults: &mut Faults,
) -> Field<T> {
    let brace = object.span.start..object.span.start + 1;
    match members.iter().find(|m| m.key.text == key) {
        Some(member) => T::read(&member.value, faults).map_or(Field::Bad, Field::Is),
        None if how != How::must => Field::Absent,
        None => {
            faults.error("missing-key", brace, format!("the key '{key}' is missing"));
            Field::Bad
        }
    }
}

pub(super) fn wrong_type(json: &Json, expected: &str, faults: &mut Faults) {
    faults.error("wrong-type", json.span.clone(), format!("expected {expected}, found {}", json.kind()));
}

pub(super) fn object_schema(doc: &str, keys: Vec<(&str, How, &str, Schema)>) -> Schema {
    let required: Vec<&str> = keys.iter().filter(|(_, how, ..)| *how != How::may).map(|(key, ..)| *key).collect();
    let mut properties = serde_json::Map::new();
    for (key, _, doc, schema) in keys {
        properties.insert(key.to_owned(), described(schema, doc).to_value());
    }
    json_schema!({
        "description": doc.trim(),
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// The schema with a description of its own; editors show it with the key.
pub(super) fn described(mut schema: Schema, doc: &str) -> Schema {
    if !doc.trim().is_empty() {
        schema.insert("description".to_owned(), doc.trim().into());
    }
    schema
}

/// An object whose keys are the file's own: names that stand in atoms (`NAMES`), or any labels.
#[derive(Debug)]
pub(super) struct Map<T, const NAMES: bool = true> {
    pub span: Range<usize>,
    pub entries: Vec<Entry<T>>,
}

/// One key of a [`Map`]; a value that was reported is `None`, its name is still known.
#[derive(Debug)]
pub(super) struct Entry<T> {
    pub key: Text,
    pub value: Option<T>,
    /// From the key's opening quote to the value's end.
    pub span: Range<usize>,
}

impl<T: Shape, const NAMES: bool> Shape for Map<T, NAMES> {
    fn read(json: &Json, faults: &mut Faults) -> Option<Self> {
        let Value::Object(members) = &json.value else {
            wrong_type(json, "an object", faults);
            return None;
        };
        let mut entries = Vec::with_capacity(members.len());
        for member in members {
            let key = member.key.clone();
            check_key(&key, NAMES, faults);
            let span = key.span.start - 1..member.value.span.end;
            entries.push(Entry { key, value: T::read(&member.value, faults), span });
        }
        Some(Map { span: json.span.clone(), entries })
    }
}

fn check_key(key: &Text, name: bool, faults: &mut Faults) {
    if key.text.is_empty() {
        faults.error("bad-name", key.span.start - 1..key.span.end + 1, "a name cannot be empty");
    } else if name && !is_name(&key.text) {
        let wrong = key.text.char_indices().find(|&(i, c)| {
            !is_name(if i == 0 { &key.text[..c.len_utf8()] } else { "" })
                && !(i > 0 && (c.is_ascii_alphanumeric() || "_-.".contains(c)))
        });
        let at = wrong.map_or(key.span.clone(), |(i, c)| key.at(i..i + c.len_utf8()));
        faults
            .error("bad-name", at, format!("'{}' is no name", key.text))
            .help("a name begins with an ASCII letter or digit, and goes on with letters, digits, `_`, `-`, `.`");
    } else if name && key.text == "not" {
        faults.error("reserved-name", key.span.clone(), "'not' is reserved");
    }
}

impl<T: JsonSchema, const NAMES: bool> JsonSchema for Map<T, NAMES> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("MapOf{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let pattern = if NAMES { format!("^{NAME}$") } else { ".".to_owned() };
        json_schema!({
            "type": "object",
            "propertyNames": { "pattern": pattern },
            "additionalProperties": generator.subschema_for::<T>(),
        })
    }
}

/// A list; items that were reported are left out, and `bad` says so.
#[derive(Debug)]
pub(super) struct List<T, const FILLED: bool = false> {
    pub items: Vec<T>,
    pub bad: bool,
}

impl<T: Shape, const FILLED: bool> Shape for List<T, FILLED> {
    fn read(json: &Json, faults: &mut Faults) -> Option<Self> {
        let Value::Array(values) = &json.value else {
            wrong_type(json, "a list", faults);
            return None;
        };
        if FILLED && values.is_empty() {
            faults.error("empty", json.span.clone(), "this list cannot be empty");
            return None;
        }
        let items: Vec<T> = values.iter().filter_map(|value| T::read(value, faults)).collect();
        Some(List { bad: items.len() < values.len(), items })
    }
}

impl<T: JsonSchema, const FILLED: bool> JsonSchema for List<T, FILLED> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("ListOf{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let items = generator.subschema_for::<T>();
        match FILLED {
            true => json_schema!({ "type": "array", "items": items, "minItems": 1 }),
            false => json_schema!({ "type": "array", "items": items }),
        }
    }
}
