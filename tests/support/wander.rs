//! Runs that no agent made: calls drawn by lot, most of them sensible, some not, through the
//! executor and the writer.

use std::{io::Write, sync::Arc};

use refract::{
    exec::{Episode, Feedback, Json, Observation, Step, Terms},
    run::{Agent, EndReason, Event, Header, Speaker, Writer},
    world::{RelationKind, RoleId, ToolId, ToolsetId, World},
};
use serde_json::{Map, Value};

use super::rng::Rng;

/// Somebody who calls tools by lot.
pub struct Wanderer {
    pub episode: Episode,
    pub rng: Rng,
    /// So many of a hundred calls are taken from references, so that runs get somewhere.
    pub follow: usize,
}

impl Wanderer {
    pub fn new(world: Arc<World>, role: RoleId, toolset: ToolsetId, budget: Option<u32>, seed: u64) -> Self {
        let terms = Terms { role, toolset, budget, feedback: Feedback::Hidden };
        Wanderer { episode: Episode::new(world, terms), rng: Rng(seed), follow: 25 }
    }

    /// A call as an agent would send it: tool and arguments as JSON texts.
    pub fn draw(&mut self) -> (String, String) {
        let rng = &mut self.rng;
        let world = self.episode.world.clone();
        if rng.percent(self.follow) {
            let perspectives = &world.problem.perspectives;
            let plan = &perspectives[rng.below(perspectives.len())].reference;
            if let Some(call) = rng.pick(plan) {
                return (quoted(world.domain.tool_name(call.tool)), call.args.clone());
            }
        }
        if rng.percent(1) {
            return (["\"no_such_tool\"", "7", "null"][rng.below(3)].to_owned(), "{}".to_owned());
        }
        let tools = &world.problem.toolsets[self.episode.terms.toolset.index()].tools;
        let tool = match rng.pick(tools) {
            Some(tool) if rng.percent(90) => *tool,
            _ => ToolId::from(rng.below(world.domain.tools.len())),
        };
        (quoted(world.domain.tool_name(tool)), self.args(tool))
    }

    fn args(&mut self, tool: ToolId) -> String {
        let rng = &mut self.rng;
        let world = &self.episode.world;
        if rng.percent(1) {
            return ["[]", "\"asset\"", "null"][rng.below(3)].to_owned();
        }
        let definition = world.domain.tool(tool);
        let mut args = Map::new();
        for param in &definition.params {
            let everything = world.facts.extent(refract::world::Types::OBJECT);
            let fitting = if rng.percent(97) { world.facts.extent(param.ty) } else { everything };
            let name = rng.pick(fitting).map_or("nobody", |&symbol| world.symbol_name(symbol));
            args.insert(param.name.clone(), name.into());
        }
        for consumed in &definition.consumes {
            let in_hand: Vec<_> = self.episode.state.iter_in(world.facts.range(consumed.pattern.relation)).collect();
            let value = match rng.pick(&in_hand) {
                Some(&value) if rng.percent(80) => world.fact_text(value),
                _ => any_value(world, rng),
            };
            args.insert(consumed.name.clone(), value.into());
        }
        if rng.percent(1) {
            args.insert("surplus".to_owned(), Value::Null);
        }
        if rng.percent(1) {
            let first = args.keys().next().cloned();
            first.and_then(|name| args.remove(&name));
        }
        Value::Object(args).to_string()
    }

    /// Draws a call and makes it.
    pub fn call(&mut self) -> (String, String, Step, Observation) {
        let (tool, args) = self.draw();
        let (step, observation) = self.episode.call(&tool, &args);
        (tool, args, step, observation)
    }

    /// Writes the header of a run.
    pub fn begin<W: Write>(&self, writer: &mut Writer<W>) -> std::io::Result<()> {
        let Episode { world, terms, .. } = &self.episode;
        let agent = Agent { name: Some("wanderer".to_owned()), model: None };
        let header = Header::of(world, terms, "wander", agent, "2026-11-30T09:14:02Z");
        writer.write(&Event::Run(Box::new(header)))
    }

    /// Draws a call, makes it, and writes it with its result.
    pub fn step<W: Write>(&mut self, writer: &mut Writer<W>, id: String) -> std::io::Result<()> {
        let (tool, args, step, observation) = self.call();
        writer.write(&Event::Call { id: id.clone(), tool: Json::new(&tool), args: Json::new(&args) })?;
        writer.write(&Event::result(&self.episode.world, id, &step, &observation))
    }

    /// Writes somebody's words.
    pub fn say<W: Write>(&self, writer: &mut Writer<W>, text: String, reasoning: bool) -> std::io::Result<()> {
        writer.write(&Event::Message { from: Speaker::Agent, text, reasoning })
    }

    /// Writes the end.
    pub fn end<W: Write>(&self, writer: &mut Writer<W>) -> std::io::Result<()> {
        writer.write(&Event::End { reason: EndReason::Stopped })
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// A value of some slot, rarely one that anybody has.
fn any_value(world: &World, rng: &mut Rng) -> String {
    let slots: Vec<_> =
        world.domain.relations.iter().filter(|(_, relation)| relation.kind == RelationKind::Slot).collect();
    let Some((name, slot)) = rng.pick(&slots) else { return "nothing".to_owned() };
    let args: Vec<&str> = slot
        .params
        .iter()
        .map(|param| rng.pick(world.facts.extent(param.ty)).map_or("nobody", |&symbol| world.symbol_name(symbol)))
        .collect();
    if args.is_empty() { (*name).clone() } else { format!("{name}({})", args.join(",")) }
}
