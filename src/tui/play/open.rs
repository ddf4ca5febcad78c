//! Open play: what a call would do, before it is sent.

use super::prompt::{CallPrompt, Stage};
use super::session::Session;
use crate::exec::{Explanation, Request, Status, Subject, literal_text, slot_value};
use crate::tui::sign::Sign;
use crate::world::{Proposition, SymbolId, Term, ToolId, VarId, World};

/// What would come of the call as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Likely {
    /// In a sentence.
    pub sentence: String,
    /// Whether it would fire; not known while arguments are missing.
    pub fires: Option<bool>,
    /// Its conditions.
    pub checks: Vec<(Sign, String)>,
}

/// Looks ahead; nothing while no tool is chosen.
pub fn likely(session: &Session, call: &CallPrompt) -> Option<Likely> {
    let Stage::Argument(tool, _) = call.stage else { return None };
    let world = &session.episode.world;
    let id = world.domain.tool_id(&session.seen.opening.tools[tool].name)?;
    let sent = call.sent(&session.seen);
    let (name, args) = sent.json();
    let request = Request::resolve(world, name.as_str(), args.as_str());
    let terms = session.episode.terms;
    let explanation = Explanation::of(world, terms.role, terms.toolset, &session.episode.state, &request);
    let mut checks: Vec<(Sign, String)> = explanation.checks.iter().map(|check| asked(world, check)).collect();
    if !matches!(request, Request::Call(_)) {
        checks.retain(|(sign, _)| *sign != Sign::BadCall);
        let mut early = early(session, id, &sent.args);
        early.append(&mut checks);
        checks = early;
    }
    let (sentence, fires) = match (session.forecast(&sent), &request) {
        (_, Request::Malformed { .. } | Request::UnknownTool(_)) => ("not yet a call".to_owned(), None),
        (Ok(counts), _) if counts == Default::default() => ("would fire, and change nothing".to_owned(), Some(true)),
        (Ok(counts), _) => (format!("would fire: {counts}"), Some(true)),
        (Err(1), _) => ("would be refused, for one reason".to_owned(), Some(false)),
        (Err(n), _) => (format!("would be refused, for {n} reasons"), Some(false)),
    };
    Some(Likely { sentence, fires, checks })
}

fn asked(world: &World, check: &crate::exec::Check) -> (Sign, String) {
    let domain = &world.domain;
    let text = match &check.subject {
        Subject::Offered => "in the tool set".to_owned(),
        Subject::Argument(fault) => {
            format!("{} {}", fault.argument.as_deref().unwrap_or("arguments"), fault.problem.words())
        }
        Subject::Precondition { text, .. } => text.clone(),
        Subject::Input { argument, value, expects, matches, .. } if *matches => {
            let _ = expects;
            format!("{argument} in hand: {}", world.fact_text(*value))
        }
        Subject::Input { argument, expects, .. } => format!("{argument}: {expects} needed"),
        Subject::Conflict => "no two values for one thing".to_owned(),
        Subject::Capability(id) => format!("capability {}", domain.capability_name(*id)),
        Subject::Knowledge(id) => format!("knowledge {}", domain.knowledge_name(*id)),
    };
    let failed = match check.subject {
        Subject::Capability(_) => Sign::Capability,
        Subject::Knowledge(_) => Sign::Knowledge,
        Subject::Argument(_) | Subject::Offered => Sign::BadCall,
        _ => Sign::Fails,
    };
    match &check.status {
        Status::Holds => (Sign::Holds, text),
        Status::Fails => (failed, text),
        Status::Open(variable) => (Sign::Nothing, format!("{text}   ?{variable} has no value")),
    }
}

/// The preconditions of a call whose arguments are not all there: those that hang on what is missing
/// stay open.
fn early(session: &Session, tool: ToolId, args: &[(String, String)]) -> Vec<(Sign, String)> {
    let world = &session.episode.world;
    let definition = world.domain.tool(tool);
    let mut values: Vec<Option<SymbolId>> = vec![None; definition.vars.len()];
    if let Some(first) = values.first_mut() {
        *first = Some(world.domain.role_symbol(session.episode.terms.role));
    }
    let sent = |name: &str| args.iter().find(|(arg, _)| arg == name).map(|(_, value)| value.as_str());
    for (i, param) in definition.params.iter().enumerate() {
        let symbol = sent(&param.name).and_then(|name| world.symbol(name));
        values[i + 1] = symbol.filter(|&symbol| world.facts.is_in(symbol, param.ty));
    }
    for consumed in &definition.consumes {
        let value = sent(&consumed.name).and_then(|text| slot_value(world, text));
        let Some(value) = value.filter(|&v| world.facts.relation(v) == consumed.pattern.relation) else { continue };
        for (term, symbol) in consumed.pattern.args.iter().zip(world.facts.args(value)) {
            if let Term::Var(var) = term {
                values[var.index()].get_or_insert(symbol);
            }
        }
    }
    let value = |var: VarId| values.get(var.index()).copied().flatten();
    let checks = definition.precondition.iter().map(|literal| {
        let text = literal_text(world, literal, Some(definition), &value);
        if literal.vars().any(|var| value(var).is_none()) {
            return (Sign::Nothing, text);
        }
        let term = |term: &Term| match *term {
            Term::Symbol(symbol) => Some(symbol),
            Term::Var(var) => value(var),
        };
        let holds = match &literal.proposition {
            Proposition::Equal(a, b) => term(a) == term(b),
            Proposition::Atom(atom) => {
                let symbols: Vec<SymbolId> = atom.args.iter().filter_map(term).collect();
                world.facts.id(atom.relation, symbols).is_some_and(|fact| session.episode.state.contains(fact))
            }
        };
        (if holds != literal.negated { Sign::Holds } else { Sign::Fails }, text)
    });
    checks.collect()
}
