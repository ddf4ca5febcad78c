//! The shapes of domain and problem files. The doc comments are what editors show.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{
    faults::Faults,
    json::{Json, Text, Value},
    shape::{List, Map, Shape, shape, wrong_type},
    values::{AnyObject, AtomText, Count, GroundAtom, GroundLiteral, LiteralText, Name, Nullable, Version},
};

shape! {
    /// A ReFract domain: the types, predicates, tools and roles that all problems of one field share.
    DomainFile {
        /// Where the schema of this format is, for editors.
        may schema "$schema": Text,
        /// The version of the format.
        must version "version": Version,
        /// What problems call this domain by.
        must name "name": Text,
        /// Each type and the type that it stands under; `object` is the root, `role` is built in.
        must types "types": Map<Name>,
        /// Objects that every problem has, and their types.
        may constants "constants": Map<Name>,
        /// What can be true of objects.
        must predicates "predicates": Map<PredicateShape>,
        /// Typed values that one tool produces and another consumes.
        may slots "slots": Map<SlotShape>,
        /// What roles may do, each with a text.
        may capabilities "capabilities": Map<Text, false>,
        /// What roles can judge and read, each with a text.
        may knowledge "knowledge": Map<Text, false>,
        /// Retrieval sources that tools read.
        may sources "sources": Map<SourceShape, false>,
        /// The classes of tools.
        must taxonomy "taxonomy": Map<ClassShape, false>,
        /// What can be called. `finish` is reserved.
        must tools "tools": Map<ToolShape>,
        /// Who can act.
        must roles "roles": Map<RoleShape>,
    }

    /// A predicate: its atoms are the facts of a world.
    PredicateShape {
        /// Names and types of the arguments, in order.
        may params "params": Map<Name>,
        /// Whether it maps its leading arguments to its last: adding a value replaces the old one.
        may functional "functional": bool,
        /// The constant or role with which every key starts that `init` gives no value.
        may default "default": Name,
        /// How a fact is worded, with `{param}` placeholders; without it, the atom is printed.
        may text "text": Text,
    }

    /// A slot: its values are produced by one tool and consumed by another.
    SlotShape {
        /// Names and types of the arguments, in order.
        may params "params": Map<Name>,
        /// What such a value is.
        must doc "doc": Text,
    }

    /// A retrieval source.
    SourceShape {
        /// The knowledge domain that its tools ask for; without it the source is open to all.
        may knowledge "knowledge": Text,
        /// What it is.
        should doc "doc": Text,
    }

    /// A class of tools.
    ClassShape {
        /// The class that it stands under.
        may under "under": Text,
        /// Whether its tools hand work to another role; inherited through `under`.
        may routing "routing": bool,
    }

    /// A tool.
    ToolShape {
        /// What an agent reads about it.
        must doc "doc": Text,
        /// Its class in the taxonomy.
        must class "class": Text,
        /// Arguments that take objects: name and type, in order.
        may params "params": Map<Name>,
        /// Arguments that take slot values: name and the pattern that the value must match. Variables
        /// that are not params are bound by the value.
        may consumes "consumes": Map<AtomText>,
        /// Slot values that a firing adds.
        may produces "produces": List<AtomText>,
        /// The capability that it demands of the role; without it, open to every role.
        may capability "capability": Text,
        /// The knowledge domain that it demands of the role; without it that of the source; `null` opens it.
        may knowledge "knowledge": Nullable<Text>,
        /// The retrieval source that it reads.
        may source "source": Text,
        /// What must hold for it to fire. A positive literal of a functional predicate may look its
        /// last argument up.
        may precondition "precondition": List<LiteralText>,
        /// What a firing changes.
        may effect "effect": List<EffectShape>,
        /// Patterns of facts that the observation lists; unbound variables match anything.
        may reveals "reveals": List<AtomText>,
        /// What a firing reports, with `{variable}` placeholders.
        may observation "observation": Text,
    }

    /// An effect with variables or conditions.
    FullEffect {
        /// Variables that run over all objects, constants and roles of their types.
        may forall "forall": Map<Name>,
        /// Conditions, read in the state before the call.
        may when "when": List<LiteralText>,
        /// What becomes true, or with `not` false.
        must then "then": List<LiteralText>,
    }

    /// A role.
    RoleShape {
        /// What it is.
        may doc "doc": Text,
        /// What it may do.
        must capabilities "capabilities": List<Text>,
        /// What it can judge and read.
        must knowledge "knowledge": List<Text>,
    }

    /// A ReFract problem: one query, a world to answer it in, and two or more perspectives.
    ProblemFile {
        /// Where the schema of this format is, for editors.
        may schema "$schema": Text,
        /// The version of the format.
        must version "version": Version,
        /// What commands and logs call this problem by.
        must id "id": Name,
        /// The name of its domain.
        must domain "domain": Text,
        /// A few words for lists.
        may title "title": Text,
        /// What the user asks, the same for every role.
        must query "query": Text,
        /// The objects of this world and their types.
        must objects "objects": Map<Name>,
        /// The facts that are true at the start.
        must init "init": List<GroundAtom>,
        /// Slot values in everybody's hand at the start.
        may given "given": List<GroundAtom>,
        /// Tool sets, each containing the one before; the first is the default.
        must toolsets "toolsets": Map<ToolsetShape, false>,
        /// How many calls a run may make.
        must budget "budget": Count,
        /// One side of the problem per role.
        must perspectives "perspectives": Map<PerspectiveShape>,
        /// Where it comes from.
        may provenance "provenance": Json,
        /// Whatever else is worth keeping.
        may notes "notes": Json,
    }

    /// One role's side of a problem.
    PerspectiveShape {
        /// Who the agent serves, in prose.
        must persona "persona": Text,
        /// Slot values that this persona holds in hand, added to the problem's.
        may given "given": List<GroundAtom>,
        /// What is to be reached: literals, or `any` of several lists of literals.
        must goal "goal": GoalShape,
        /// A plan that reaches the goal.
        must reference "reference": List<CallShape, true>,
        /// Whatever else is worth keeping.
        may notes "notes": Json,
    }

    /// Several goal states, any of which will do.
    AnyGoal {
        /// The alternatives.
        must any "any": List<List<GroundLiteral, true>, true>,
    }

    /// One call of a reference plan.
    CallShape {
        /// The tool.
        must tool "tool": Text,
        /// Its arguments.
        must args "args": AnyObject,
    }
}

/// A literal, or an effect with variables or conditions.
#[derive(Debug)]
pub(super) enum EffectShape {
    Literal(LiteralText),
    Full(FullEffect),
}

impl Shape for EffectShape {
    fn read(json: &Json, faults: &mut Faults) -> Option<Self> {
        match json.value {
            Value::String(_) => LiteralText::read(json, faults).map(EffectShape::Literal),
            Value::Object(_) => FullEffect::read(json, faults).map(EffectShape::Full),
            _ => {
                wrong_type(json, "a literal, or an object with 'then'", faults);
                None
            }
        }
    }
}

/// The alternatives of a goal; a plain list is one.
#[derive(Debug)]
pub(super) struct GoalShape {
    pub alternatives: Vec<List<GroundLiteral, true>>,
}

impl Shape for GoalShape {
    fn read(json: &Json, faults: &mut Faults) -> Option<Self> {
        match json.value {
            Value::Array(_) => List::read(json, faults).map(|list| GoalShape { alternatives: vec![list] }),
            Value::Object(_) => {
                let any = AnyGoal::read(json, faults)?;
                match any.any {
                    super::shape::Field::Is(list) => Some(GoalShape { alternatives: list.items }),
                    _ => None,
                }
            }
            _ => {
                wrong_type(json, "a list of literals, or an object with 'any'", faults);
                None
            }
        }
    }
}

/// Tools, or all of the domain's.
#[derive(Debug)]
pub(super) enum ToolsetShape {
    All,
    Tools(List<Text>),
}

impl Shape for ToolsetShape {
    fn read(json: &Json, faults: &mut Faults) -> Option<Self> {
        match &json.value {
            Value::String(text) if text.text == "all" => Some(ToolsetShape::All),
            Value::Array(_) => List::read(json, faults).map(ToolsetShape::Tools),
            _ => {
                wrong_type(json, "a list of tools, or \"all\"", faults);
                None
            }
        }
    }
}

/// Schemas of what has two forms.
macro_rules! either {
    ($($name:ident: $doc:literal, $($form:expr),+;)*) => {$(
        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                json_schema!({ "description": $doc, "anyOf": [$($form(generator)),+] })
            }
        }
    )*};
}

either! {
    EffectShape: "A literal, or an effect with variables or conditions.",
        SchemaGenerator::subschema_for::<LiteralText>, SchemaGenerator::subschema_for::<FullEffect>;
    GoalShape: "Literals that must all hold, or any of several such lists. What is true at the start is a guard: to be kept.",
        SchemaGenerator::subschema_for::<List<GroundLiteral, true>>, SchemaGenerator::subschema_for::<AnyGoal>;
    ToolsetShape: "Tools by name, or `all` of the domain.",
        SchemaGenerator::subschema_for::<List<Text>>, |_: &mut SchemaGenerator| json_schema!({ "const": "all" });
}

/// A file format that has a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `domain/*.json`.
    Domain,
    /// `problems/*.json`.
    Problem,
}

/// The JSON Schema of a format, as checked in under `schemas/`.
pub fn schema(format: Format) -> serde_json::Value {
    let generator = schemars::generate::SchemaSettings::draft2020_12().into_generator();
    let (title, root) = match format {
        Format::Domain => ("ReFract domain", generator.into_root_schema_for::<DomainFile>()),
        Format::Problem => ("ReFract problem", generator.into_root_schema_for::<ProblemFile>()),
    };
    let mut value = root.to_value();
    value["title"] = title.into();
    value
}
