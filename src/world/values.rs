//! The leaves of the shapes: strings with a syntax, numbers, booleans, any JSON.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{
    faults::Faults,
    json::{Json, Text, Value},
    shape::{Shape, wrong_type},
};

/// The pattern of a name, for schemas.
pub(super) const NAME: &str = "[A-Za-z0-9][A-Za-z0-9_.-]*";

impl Shape for Text {
    fn read(json: &Json, faults: &mut Faults) -> Option<Self> {
        match &json.value {
            Value::String(text) => Some(text.clone()),
            _ => {
                wrong_type(json, "a string", faults);
                None
            }
        }
    }
}

impl JsonSchema for Text {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

/// Declares a string with a syntax of its own: checked where it is resolved, told to editors here.
macro_rules! strings {
    ($( $(#[doc = $doc:literal])* $name:ident: $pattern:expr; )*) => {$(
        $(#[doc = $doc])*
        #[derive(Debug)]
        pub(super) struct $name(pub Text);

        impl Shape for $name {
            fn read(json: &Json, faults: &mut Faults) -> Option<Self> {
                Text::read(json, faults).map($name)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "description": concat!($($doc),*).trim(), "type": "string", "pattern": $pattern })
            }
        }
    )*};
}

strings! {
    /// A name: an ASCII letter or digit, then ASCII letters, digits, `_`, `-`, `.`.
    Name: format!("^{NAME}$");
    /// An atom without variables, such as `status(pump-101, faulty)`.
    GroundAtom: format!(r"^{}$", atom(NAME));
    /// An atom; variables begin with `?`, such as `diagnosis(?asset, ?fault)`.
    AtomText: format!(r"^{}$", atom(&format!(r"\??{NAME}")));
    /// An atom, `not` and an atom, or a comparison with `=` or `!=`, such as `?a != ?b`.
    LiteralText: literal(&format!(r"\??{NAME}"));
    /// An atom, `not` and an atom, or a comparison, without variables.
    GroundLiteral: literal(NAME);
}

fn atom(term: &str) -> String {
    format!(r"\s*{NAME}\s*(\(\s*{term}\s*(,\s*{term}\s*)*\)\s*)?")
}

fn literal(term: &str) -> String {
    format!(r"^((\s*not\s)?{}|\s*{term}\s*!?=\s*{term}\s*)$", atom(term))
}

/// `true` or `false`.
impl Shape for bool {
    fn read(json: &Json, faults: &mut Faults) -> Option<Self> {
        match json.value {
            Value::Bool(b) => Some(b),
            _ => {
                wrong_type(json, "true or false", faults);
                None
            }
        }
    }
}

/// The only version of the formats.
#[derive(Debug)]
pub(super) struct Version;

impl Shape for Version {
    fn read(json: &Json, faults: &mut Faults) -> Option<Self> {
        match &json.value {
            Value::Number(number) if number == "1" => Some(Version),
            Value::Number(number) => {
                faults
                    .error("version", json.span.clone(), format!("version {number} of the format is not known"))
                    .help("this program reads version `1`");
                None
            }
            _ => {
                wrong_type(json, "the number 1", faults);
                None
            }
        }
    }
}

impl JsonSchema for Version {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Version".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "const": 1 })
    }
}

/// A whole number from 1.
#[derive(Debug)]
pub(super) struct Count(pub u32);

impl Shape for Count {
    fn read(json: &Json, faults: &mut Faults) -> Option<Self> {
        let count = match &json.value {
            Value::Number(number) => number.parse().ok().filter(|&n| n > 0),
            _ => None,
        };
        if count.is_none() {
            let found = match &json.value {
                Value::Number(number) if number.len() < 40 => number.clone(),
                _ => json.kind().to_owned(),
            };
            let message = format!("expected a whole number from 1 to {}, found {found}", u32::MAX);
            faults.error("wrong-type", json.span.clone(), message);
        }
        count.map(Count)
    }
}

impl JsonSchema for Count {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Count".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": 1, "maximum": u32::MAX })
    }
}

/// A value, or `null`.
#[derive(Debug)]
pub(super) struct Nullable<T>(pub Option<T>);

impl<T: Shape> Shape for Nullable<T> {
    fn read(json: &Json, faults: &mut Faults) -> Option<Self> {
        match json.value {
            Value::Null => Some(Nullable(None)),
            _ => T::read(json, faults).map(|value| Nullable(Some(value))),
        }
    }
}

impl<T: JsonSchema> JsonSchema for Nullable<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Nullable{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [generator.subschema_for::<T>(), { "type": "null" }] })
    }
}

/// Any JSON.
impl Shape for Json {
    fn read(json: &Json, _: &mut Faults) -> Option<Self> {
        Some(json.clone())
    }
}

impl JsonSchema for Json {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Any".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({})
    }
}

/// An object with any keys.
#[derive(Debug)]
pub(super) struct AnyObject(pub Json);

impl Shape for AnyObject {
    fn read(json: &Json, faults: &mut Faults) -> Option<Self> {
        if matches!(json.value, Value::Object(_)) {
            return Some(AnyObject(json.clone()));
        }
        wrong_type(json, "an object", faults);
        None
    }
}

impl JsonSchema for AnyObject {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "AnyObject".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object" })
    }
}
