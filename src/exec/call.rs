//! From what was sent to what it means: tool and arguments resolved against a world.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use serde::Serialize;
use smallvec::SmallVec;

use super::{
    Json, Raw, atom_text,
    json::{self, string},
};
use crate::world::{FactId, RelationKind, SymbolId, ToolId, World};

/// One tool call, before the state is asked whether it fires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Well-formed: known tool, every argument of the right kind.
    Call(Call),
    /// A known tool with arguments that are none.
    Malformed {
        /// The tool.
        tool: ToolId,
        /// One per argument: in declared order, then unexpected ones as sent.
        faults: Vec<ArgumentFault>,
    },
    /// No such tool in the domain, or a `tool` that is no string.
    UnknownTool(Json),
}

/// A well-formed call.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Call {
    /// The tool.
    pub tool: ToolId,
    /// An object for each param, in declared order.
    pub params: SmallVec<[SymbolId; 4]>,
    /// A slot value for each consumed argument, in declared order; of any slot, produced or not.
    pub consumed: SmallVec<[FactId; 4]>,
}

impl Call {
    /// The names and values of its arguments, in declared order.
    pub fn arguments<'w>(&self, world: &'w World) -> Vec<(&'w str, String)> {
        let tool = world.domain.tool(self.tool);
        let params = tool.params.iter().zip(&self.params);
        let consumed = tool.consumes.iter().zip(&self.consumed);
        params
            .map(|(param, &symbol)| (param.name.as_str(), world.symbol_name(symbol).to_owned()))
            .chain(consumed.map(|(argument, &value)| (argument.name.as_str(), world.fact_text(value))))
            .collect()
    }

    /// Its arguments as an agent would send them.
    pub fn args(&self, world: &World) -> Json {
        let args: serde_json::Map<String, serde_json::Value> =
            self.arguments(world).into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
        Json::new(&serde_json::Value::Object(args).to_string())
    }
}

/// What is wrong with one argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentFault {
    /// Its name; `None` for the whole.
    pub argument: Option<String>,
    /// What is wrong.
    pub problem: ArgumentProblem,
    /// As sent; `None` for a missing one.
    pub value: Option<Json>,
}

/// The kinds of [`ArgumentFault`] (design §3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ArgumentProblem {
    /// `args` as a whole.
    NotAnObject,
    /// Declared, not sent.
    Missing,
    /// Sent, not declared.
    Unexpected,
    /// No constant, role or object of that name.
    UnknownObject,
    /// An object, of another type.
    WrongType,
    /// Not a well-formed value of any slot.
    NotASlotValue,
}

impl ArgumentProblem {
    /// In words, as JSON names it but for the underscores.
    pub fn words(self) -> &'static str {
        match self {
            ArgumentProblem::NotAnObject => "not an object",
            ArgumentProblem::Missing => "missing",
            ArgumentProblem::Unexpected => "unexpected",
            ArgumentProblem::UnknownObject => "unknown object",
            ArgumentProblem::WrongType => "wrong type",
            ArgumentProblem::NotASlotValue => "not a slot value",
        }
    }
}

impl Request {
    /// Resolves a call: `tool` and `args` are JSON texts as sent; what is no JSON is taken for a
    /// string. A key that stands twice in `args` counts as its last.
    pub fn resolve(world: &World, tool: &str, args: &str) -> Request {
        match (Raw::read(tool), Raw::read(args)) {
            (Some(tool), Some(args)) => Request::of(world, tool, args),
            _ => Request::of(world, Json::new(tool).raw(), Json::new(args).raw()),
        }
    }

    /// Like [`Request::resolve`], for a tool that is known.
    pub fn for_tool(world: &World, tool: ToolId, args: &str) -> Request {
        Request::of_tool(world, tool, Json::new(args).raw())
    }

    /// Resolves a call that was read from JSON.
    pub fn of(world: &World, tool: Raw, args: Raw) -> Request {
        match string(tool).and_then(|name| world.domain.tool_id(&name)) {
            Some(tool) => Request::of_tool(world, tool, args),
            None => Request::UnknownTool(Json::of(tool)),
        }
    }

    fn of_tool(world: &World, tool: ToolId, args: Raw) -> Request {
        let Some(sent) = Arguments::read(args) else {
            let (problem, value) = (ArgumentProblem::NotAnObject, Some(Json::of(args)));
            return Request::Malformed { tool, faults: vec![ArgumentFault { argument: None, problem, value }] };
        };
        let definition = world.domain.tool(tool);
        let mut call = Call { tool, params: SmallVec::new(), consumed: SmallVec::new() };
        let mut faults = Vec::new();
        for param in &definition.params {
            let found = sent.find(&param.name).and_then(|value| {
                let problem = match string(value).and_then(|name| world.symbol(&name)) {
                    None => ArgumentProblem::UnknownObject,
                    Some(symbol) if world.facts.is_in(symbol, param.ty) => return Ok(symbol),
                    Some(_) => ArgumentProblem::WrongType,
                };
                Err(ArgumentFault::new(&param.name, problem, Some(value)))
            });
            match found {
                Ok(symbol) => call.params.push(symbol),
                Err(fault) => faults.push(fault),
            }
        }
        for consumed in &definition.consumes {
            let found = sent.find(&consumed.name).and_then(|value| {
                let fact = string(value).and_then(|text| slot_value(world, &text));
                fact.ok_or_else(|| ArgumentFault::new(&consumed.name, ArgumentProblem::NotASlotValue, Some(value)))
            });
            match found {
                Ok(fact) => call.consumed.push(fact),
                Err(fault) => faults.push(fault),
            }
        }
        let declared = |key: &[u8]| {
            let params = definition.params.iter().map(|param| &param.name);
            params.chain(definition.consumes.iter().map(|consumed| &consumed.name)).any(|name| name.as_bytes() == key)
        };
        if sent.0.iter().any(|(key, _)| !declared(key)) {
            for (key, value) in sent.last_of_each().filter(|(key, _)| !declared(key)) {
                let name = json::text(key);
                faults.push(ArgumentFault::new(&name, ArgumentProblem::Unexpected, Some(value)));
            }
        }
        if faults.is_empty() { Request::Call(call) } else { Request::Malformed { tool, faults } }
    }

    /// The tool, if it is known.
    pub fn tool(&self) -> Option<ToolId> {
        match self {
            Request::Call(call) => Some(call.tool),
            Request::Malformed { tool, .. } => Some(*tool),
            Request::UnknownTool(_) => None,
        }
    }
}

impl ArgumentFault {
    fn new(argument: &str, problem: ArgumentProblem, value: Option<Raw>) -> Self {
        ArgumentFault { argument: Some(argument.to_owned()), problem, value: value.map(Json::of) }
    }

    /// The type or the pattern that the tool asks for; `None` for an argument that it does not know.
    pub fn expects(&self, world: &World, tool: ToolId) -> Option<String> {
        let Some(name) = &self.argument else { return Some("an object".to_owned()) };
        let tool = world.domain.tool(tool);
        let ty = tool.params.iter().find(|param| param.name == *name).map(|param| param.ty);
        let of_slot = || tool.consumes.iter().find(|consumed| consumed.name == *name);
        ty.map(|ty| world.domain.types.name(ty).to_owned())
            .or_else(|| Some(atom_text(world, &of_slot()?.pattern, Some(tool), &|_| None)))
    }
}

/// Parses a slot value, white space free; `None` unless it is a well-formed value of some slot.
pub fn slot_value(world: &World, text: &str) -> Option<FactId> {
    ground_atom(world, text, RelationKind::Slot)
}

/// Parses a ground atom of a predicate or a slot: right arity, known symbols of the right types.
pub fn ground_atom(world: &World, text: &str, kind: RelationKind) -> Option<FactId> {
    let (name, args) = split_atom(text)?;
    let (index, _, relation) = world.domain.relations.get_full(name)?;
    if relation.kind != kind || relation.params.len() != args.len() {
        return None;
    }
    let symbols = args.iter().map(|arg| world.symbol(arg)).collect::<Option<SmallVec<[SymbolId; 4]>>>()?;
    world.facts.id(index.into(), symbols)
}

/// `name` or `name(a, b)` with free white space; names are checked by looking them up.
fn split_atom(text: &str) -> Option<(&str, SmallVec<[&str; 4]>)> {
    let text = text.trim();
    let Some((name, rest)) = text.split_once('(') else { return Some((text, SmallVec::new())) };
    let args = rest.strip_suffix(')')?;
    Some((name.trim_end(), args.split(',').map(str::trim).collect()))
}

/// The members of an `args` object: keys as bytes, for lone surrogates stay apart, and values as sent.
struct Arguments<'a>(SmallVec<[Argument<'a>; 4]>);

type Argument<'a> = (Cow<'a, [u8]>, Raw<'a>);

impl<'a> Arguments<'a> {
    /// `None` if it is no object.
    fn read(args: Raw<'a>) -> Option<Self> {
        let members = args.members()?;
        Some(Arguments(members.filter_map(|(key, value)| Some((json::string_bytes(key)?, value))).collect()))
    }

    fn find(&self, name: &str) -> Result<Raw<'a>, ArgumentFault> {
        self.0
            .iter()
            .rev()
            .find(|(key, _)| **key == *name.as_bytes())
            .map(|(_, value)| *value)
            .ok_or_else(|| ArgumentFault::new(name, ArgumentProblem::Missing, None))
    }

    /// The last of each key, where it stands; linear, for a log may hold any number of keys.
    fn last_of_each(&self) -> impl Iterator<Item = (&[u8], Raw<'a>)> {
        let last: FxHashMap<&[u8], usize> = self.0.iter().enumerate().map(|(i, (key, _))| (&**key, i)).collect();
        self.0
            .iter()
            .enumerate()
            .filter(move |(i, (key, _))| last.get(&**key) == Some(i))
            .map(|(_, (key, value))| (&**key, *value))
    }
}
