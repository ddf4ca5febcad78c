//! `i`: what a sign, a fact, a gate or a tool is.

use ratatui::text::Line;

use super::items::Shape;
use super::loaded::Loaded;
use super::page::Target;
use super::{CALL, STATE, STEPS, Trajectory};
use crate::exec::fact_words;
use crate::run::Replay;
use crate::tui::layout::PaneId;
use crate::tui::legend;
use crate::tui::screen::{Card, Ctx};
use crate::tui::sign::Sign;
use crate::tui::theme::Theme;
use crate::world::{FactId, RoleId, ToolId, Usage, World};

type Rows = Vec<(Line<'static>, Option<String>)>;

/// Steps of a fact's history that a card lists.
const LISTED: usize = 200;

impl Trajectory {
    /// Shows the card of what is under the cursor.
    pub(super) fn card(&mut self, pane: PaneId, ctx: &mut Ctx) {
        let Some(run) = self.loaded() else { return };
        let target = if pane == STEPS { Target::None } else { self.target(pane) };
        let card = match (target, &run.replay) {
            (Target::Fact(fact), Some(replay)) => fact_card(run, replay, fact),
            (Target::Tool(tool), Some(replay)) => tool_card(&replay.setup.world, tool),
            (Target::Capability(id), Some(replay)) => {
                let world = &replay.setup.world;
                let name = world.domain.capability_name(id);
                let text = world.domain.capabilities.get(name).map_or("", |gate| gate.text.as_str());
                gate_card(world, "capability", name, text, world.domain.with_capability(id).collect())
            }
            (Target::Knowledge(id), Some(replay)) => {
                let world = &replay.setup.world;
                let name = world.domain.knowledge_name(id);
                let text = world.domain.knowledge.get(name).map_or("", |gate| gate.text.as_str());
                gate_card(world, "knowledge", name, text, world.domain.with_knowledge(id).collect())
            }
            _ if pane == CALL || pane == STATE => {
                return ctx.warn("put the cursor on a fact, a condition, a gate or a tool");
            }
            _ => sign_card(run, self.cursors.item.shape(run), ctx.theme),
        };
        ctx.card(card);
    }
}

fn row(text: impl Into<String>) -> (Line<'static>, Option<String>) {
    (Line::from(crate::text::visible(&text.into()).into_owned()), None)
}

fn sign_card(run: &Loaded, shape: Shape, theme: Theme) -> Card {
    let here = match shape {
        Shape::Call(step) => run.kind(step).map(|_| run.sign(step)),
        Shape::Damage(_) => Some(Sign::Damaged),
        _ => None,
    };
    legend::card("The signs of steps", legend::CALLS, here, theme)
}

fn fact_card(run: &Loaded, replay: &Replay, fact: FactId) -> Card {
    let world = &replay.setup.world;
    let mut rows: Rows = vec![row(fact_words(world, fact)), row("")];
    let usage = Usage::of(&world.domain);
    let touched = usage.relation(world.facts.relation(fact));
    let lists = [
        ("added by    ", &touched.adds),
        ("removed by  ", &touched.deletes),
        ("read by     ", &touched.reads),
        ("shown by    ", &touched.reveals),
    ];
    for (what, tools) in lists {
        let names: Vec<&str> = tools.iter().map(|&tool| world.domain.tool_name(tool)).collect();
        rows.extend((!names.is_empty()).then(|| row(format!("{what}{}", names.join(", ")))));
    }
    rows.push(row(""));
    rows.extend(along(run, world, fact));
    Card { title: world.fact_text(fact), rows }
}

/// The values of a fact, or of its key, along the run; each leads to its step.
fn along(run: &Loaded, world: &World, fact: FactId) -> Rows {
    let Some(history) = &run.history else { return Vec::new() };
    let key = if world.is_functional(fact) { world.facts.key_range_of(fact) } else { fact.0..fact.0 + 1 };
    let value = |fact: FactId| world.facts.args(fact).last().map_or("", |symbol| world.symbol_name(symbol)).to_owned();
    let functional = world.is_functional(fact);
    let mut turns: Vec<(usize, FactId, bool)> = Vec::new();
    for fact in key.map(FactId) {
        if history.initial().contains(fact) {
            turns.push((0, fact, true));
        }
        turns.extend(history.turns(fact).iter().map(|&step| (step as usize, fact, history.holds(fact, step as usize))));
    }
    turns.sort_unstable_by_key(|&(step, fact, holds)| (step, holds, fact));
    let word = |fact, holds| match (functional, holds) {
        (true, true) => value(fact),
        (true, false) => format!("no longer {}", value(fact)),
        (false, true) => "holds".to_owned(),
        (false, false) => "no longer holds".to_owned(),
    };
    // A value that gives way to another at the same step goes without saying.
    let replaced = |step: usize, holds: bool| functional && !holds && turns.iter().any(|t| t.0 == step && t.2);
    let mut rows: Rows = turns
        .iter()
        .filter(|(step, _, holds)| !replaced(*step, *holds))
        .take(LISTED)
        .map(|&(step, fact, holds)| {
            let (line, _) = row(format!("at {step:<6}{}", word(fact, holds)));
            (line, Some(format!("step:{step}")))
        })
        .collect();
    if rows.is_empty() {
        rows.push(row("never holds in this run"));
    }
    rows
}

fn tool_card(world: &World, tool: ToolId) -> Card {
    let definition = world.domain.tool(tool);
    let may: Vec<&str> = (0..world.domain.roles.len())
        .map(RoleId::from)
        .filter(|&role| world.domain.may(tool, role))
        .map(|role| world.domain.role_name(role))
        .collect();
    let class = world.domain.taxonomy.get_index(definition.class.index()).map_or("", |(name, _)| name);
    let gates = definition.gates;
    let mut rows = vec![row(definition.doc.clone()), row(""), row(format!("class       {class}"))];
    rows.extend(gates.capability.map(|id| row(format!("capability  {}", world.domain.capability_name(id)))));
    rows.extend(gates.knowledge.map(|id| row(format!("knowledge   {}", world.domain.knowledge_name(id)))));
    let may = if may.is_empty() { "no role".to_owned() } else { may.join(", ") };
    rows.push(row(format!("who may     {may}")));
    Card { title: world.domain.tool_name(tool).to_owned(), rows }
}

fn gate_card(world: &World, kind: &str, name: &str, text: &str, has: Vec<RoleId>) -> Card {
    let has: Vec<&str> = has.into_iter().map(|role| world.domain.role_name(role)).collect();
    let held = if has.is_empty() { "no role".to_owned() } else { has.join(", ") };
    Card { title: format!("{kind} {name}"), rows: vec![row(text), row(""), row(format!("held by  {held}"))] }
}
