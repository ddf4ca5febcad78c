//! Breadth-first search through the executor alone: every call that might fire is tried. It knows
//! nothing of the planner.

use std::collections::{HashMap, VecDeque};

use refract::{
    exec::{Call, Outcome, Request, State, step},
    world::{FactId, RoleId, SymbolId, ToolId, ToolsetId, World},
};

/// What was found from a state on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// The length of a shortest plan, and every call with which one begins.
    Plan(u32, Vec<Call>),
    Never,
    /// More calls would have to be tried than was allowed.
    Unknown,
}

/// Searches from `start`, trying up to `most` calls.
pub fn search(world: &World, role: RoleId, toolset: ToolsetId, start: &State, most: usize) -> Found {
    let goal = &world.problem.perspectives[&role].goal;
    if goal.holds(start) {
        return Found::Plan(0, Vec::new());
    }
    // Of each state: its depth, and the calls from the start that lead to it soonest.
    let mut seen: HashMap<State, (u32, Vec<usize>)> = HashMap::from([(start.clone(), (0, Vec::new()))]);
    let mut first: Vec<Call> = Vec::new();
    let mut queue = VecDeque::from([start.clone()]);
    let (mut tried, mut found) = (0, None::<(u32, Vec<usize>)>);
    while let Some(state) = queue.pop_front() {
        let (depth, ways) = seen[&state].clone();
        if found.as_ref().is_some_and(|(length, _)| depth >= *length) {
            break;
        }
        for call in calls(world, toolset, &state) {
            tried += 1;
            if tried > most {
                return Found::Unknown;
            }
            let Outcome::Fired(changes) = step(world, role, toolset, &state, &Request::Call(call.clone())) else {
                continue;
            };
            let mut after = state.clone();
            changes.apply(&mut after);
            let ways = if depth == 0 {
                first.push(call);
                vec![first.len() - 1]
            } else {
                ways.clone()
            };
            if goal.holds(&after) {
                found.get_or_insert((depth + 1, Vec::new())).1.extend(&ways);
            }
            match seen.get_mut(&after) {
                None => {
                    seen.insert(after.clone(), (depth + 1, ways));
                    queue.push_back(after);
                }
                Some((known, old)) if *known == depth + 1 => {
                    old.extend(ways);
                    old.sort_unstable();
                    old.dedup();
                }
                Some(_) => {}
            }
        }
    }
    let Some((length, mut ways)) = found else { return Found::Never };
    ways.sort_unstable();
    ways.dedup();
    Found::Plan(length, ways.into_iter().map(|way| first[way].clone()).collect())
}

/// Every well-formed call of the offered tools with values in hand.
fn calls(world: &World, toolset: ToolsetId, state: &State) -> Vec<Call> {
    let mut calls = Vec::new();
    for &tool in &world.problem.toolsets[toolset.index()].tools {
        let definition = world.domain.tool(tool);
        let params: Vec<Vec<SymbolId>> =
            definition.params.iter().map(|param| world.facts.extent(param.ty).to_vec()).collect();
        let in_hand = |relation| state.iter_in(world.facts.range(relation)).collect();
        let consumed: Vec<Vec<FactId>> =
            definition.consumes.iter().map(|consumed| in_hand(consumed.pattern.relation)).collect();
        for params in product(&params) {
            for consumed in product(&consumed) {
                calls.push(Call { tool: ToolId(tool.0), params: params.clone().into(), consumed: consumed.into() });
            }
        }
    }
    calls
}

fn product<T: Copy>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![Vec::new()], |tuples, list| {
        let longer = |tuple: &Vec<T>| list.iter().map(|&item| [&tuple[..], &[item]].concat()).collect::<Vec<_>>();
        tuples.iter().flat_map(longer).collect()
    })
}
