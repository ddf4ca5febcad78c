//! The story so far, as rows: briefing, calls, what was read back, words; at the end the truth.

use ratatui::layout::Size;

use super::end::End;
use super::ending;
use super::rows::{Row, Target, paragraph};
use super::seen::{Called, Said, Seen, Turn};
use super::session::{Session, Truth};
use crate::exec::Refusal;
use crate::run::{self, FailedGates, Speaker};
use crate::tui::sign::Sign;
use crate::tui::theme::Role;
use crate::world::{Domain, RoleId};

/// What the story is told of.
#[derive(Clone, Copy)]
pub struct Told<'a> {
    /// The run.
    pub session: &'a Session,
    /// What is known of it once it has ended.
    pub end: Option<&'a End>,
    /// The run that it was forked from.
    pub parent: Option<&'a str>,
    /// Hints asked for, and calls taken back.
    pub counted: (usize, usize),
}

/// The whole story for a pane of that size.
pub fn rows(told: Told, size: Size) -> Vec<Row> {
    let Told { session, .. } = told;
    let (seen, width) = (&session.seen, size.width);
    let begins = |told: Told, step| {
        let words = format!("Played on from {}, call {step}.", told.parent.unwrap_or("a run before"));
        paragraph(Role::Dim, &words, 0, width, Target::Step(step))
    };
    let mut rows = briefing(seen, size);
    let (mut opened, mut step) = (false, 0);
    for (at, turn) in seen.turns.iter().enumerate() {
        if at > 0 && at == seen.inherited {
            rows.extend(begins(told, step));
        }
        match turn {
            Turn::Call(called) => {
                step = called.step;
                call(called, width, &mut rows);
                if opened {
                    reasons(session, called.step, 2, width, &mut rows);
                }
            }
            Turn::Said(words) => said(words, step, width, &mut rows),
            Turn::Noted(note) => {
                let words = format!("{}: {}", note.kind, note.words);
                rows.extend(paragraph(Role::Changed, &words, 3, width, Target::Step(step)));
            }
            Turn::Opened => {
                opened = true;
                let words = "opened: goal, gates and state are shown from here on, and the log says so";
                rows.extend(paragraph(Role::Dim, words, 0, width, Target::None));
                rows.push(Row::default());
            }
        }
    }
    if seen.inherited > 0 && seen.inherited == seen.turns.len() {
        rows.extend(begins(told, step));
    }
    if let (Some(reason), Some(end)) = (seen.end, told.end) {
        ending::rows(told, end, reason, width, &mut rows);
    }
    rows
}

/// Who is served, and what is asked; where both have no room at once, what is asked comes first.
fn briefing(seen: &Seen, size: Size) -> Vec<Row> {
    let width = size.width;
    let persona = match seen.opening.persona.as_str() {
        "" => vec![Row::new(Role::Dim, format!("You serve the role {}; the entry has no persona for it.", seen.role))],
        persona => paragraph(Role::Plain, persona, 0, width, Target::Step(0)),
    };
    let mut query = paragraph(Role::Title, &seen.opening.query, 2, width, Target::Step(0));
    if let Some(first) = query.first_mut() {
        first.indent = 0;
        first.parts.insert(0, (Role::Dim, "> ".to_owned()));
    }
    let fits = persona.len() + 1 + query.len() <= usize::from(size.height);
    let (first, then) = if fits { (persona, query) } else { (query, persona) };
    first.into_iter().chain([Row::default()]).chain(then).chain([Row::default()]).collect()
}

fn call(called: &Called, width: u16, rows: &mut Vec<Row>) {
    let target = Target::Step(called.step);
    let mut text = vec![(Role::Dim, format!("{:>2} ", called.step)), (Role::Title, called.tool.clone())];
    let args = called.args.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join("  ");
    let head = 4 + crate::tui::cells::width(&called.tool);
    if head + 2 + crate::tui::cells::width(&args) <= usize::from(width) || args.is_empty() {
        text.push((Role::Plain, format!("  {args}")));
        rows.push(Row { parts: text, target, ..Row::default() });
    } else {
        rows.push(Row { parts: text, target, ..Row::default() });
        rows.extend(paragraph(Role::Plain, &args, 5, width, target));
    }
    let mut report = paragraph(Role::Plain, &called.report, 3, width, target);
    if !called.fired {
        report = paragraph(Role::Plain, &format!("Refused. {}", called.report), 3, width, target);
        if let Some(first) = report.first_mut() {
            (first.sign, first.indent) = (Some(Sign::Fails), 3);
        }
    }
    rows.extend(report);
    for fact in &called.facts {
        rows.extend(paragraph(Role::Plain, fact, 3, width, target));
    }
    for (value, new) in &called.values {
        let (role, words) = if *new { (Role::Plain, "in hand") } else { (Role::Dim, "already in hand") };
        let mut held = paragraph(role, &format!("{words}: {value}"), 5, width, target);
        if let Some(first) = held.first_mut() {
            (first.sign, first.indent) = (new.then_some(Sign::Added), 5);
        }
        rows.extend(held);
    }
}

fn said(said: &Said, step: usize, width: u16, rows: &mut Vec<Row>) {
    let from = match said.from {
        Speaker::Player => "you: ".to_owned(),
        other => format!("{}: ", other.word()),
    };
    let indent = u16::try_from(from.len()).unwrap_or(5);
    let mut words = paragraph(Role::Plain, &said.text, indent, width, Target::Step(step));
    if let Some(first) = words.first_mut() {
        first.indent = 0;
        first.parts.insert(0, (Role::Dim, from));
    }
    rows.extend(words);
}

/// Every reason of a refusal, with who holds what was lacking.
pub fn reasons(session: &Session, step: usize, indent: u16, width: u16, rows: &mut Vec<Row>) {
    let Some(Truth { refusals, .. }) = session.truths.get(step - 1) else { return };
    for refusal in refusals {
        let text = reason(&session.episode.world.domain, session.episode.terms.role, refusal);
        let mut lines = paragraph(Role::Plain, &text, indent + 2, width, Target::Step(step));
        if let Some(first) = lines.first_mut() {
            first.sign = Some(sign(refusal));
        }
        rows.extend(lines);
    }
}

fn sign(refusal: &Refusal) -> Sign {
    match refusal {
        Refusal::Capability { .. } => Sign::Capability,
        Refusal::Knowledge { .. } => Sign::Knowledge,
        Refusal::NotProduced { .. } => Sign::Input,
        Refusal::Precondition { .. } | Refusal::Conflict { .. } => Sign::Condition,
        Refusal::UnknownTool { .. } | Refusal::NotOffered { .. } | Refusal::BadArgument { .. } => Sign::BadCall,
    }
}

/// A reason for a reader who may see everything; a gate is named, and who holds it.
pub fn reason(domain: &Domain, role: RoleId, refusal: &Refusal) -> String {
    let lacks = |kind: &str, needs: &str, holders: Vec<&str>| {
        let holders =
            if holders.is_empty() { "held by nobody".to_owned() } else { format!("held by {}", holders.join(", ")) };
        format!("{} lacks {kind} {needs}; {holders}", domain.role_name(role))
    };
    let names = |roles: &mut dyn Iterator<Item = RoleId>| roles.map(|role| domain.role_name(role)).collect::<Vec<_>>();
    match refusal {
        Refusal::Capability { needs } => {
            let id = domain.capabilities.get_index_of(needs).map(Into::into);
            lacks("capability", needs, id.map_or(Vec::new(), |id| names(&mut domain.with_capability(id))))
        }
        Refusal::Knowledge { needs } => {
            let id = domain.knowledge.get_index_of(needs).map(Into::into);
            lacks("knowledge", needs, id.map_or(Vec::new(), |id| names(&mut domain.with_knowledge(id))))
        }
        other => other.to_string(),
    }
}

/// Calls that failed a gate.
pub fn over_reach(session: &Session) -> Vec<usize> {
    let failed = |truth: &Truth| FailedGates::named(truth.refusals.iter().map(Refusal::name)).any();
    (1..).zip(&session.truths).filter(|(_, truth)| failed(truth)).map(|(step, _)| step).collect()
}

/// What the run came to, in a sentence.
pub fn verdict(session: &Session) -> String {
    let world = &session.episode.world;
    let Some(perspective) = world.problem.perspectives.get(&session.episode.terms.role) else {
        return "The entry sets this role no goal.".to_owned();
    };
    let (_, share) = perspective.goal.best(&session.episode.state);
    let over = over_reach(session);
    let steps = over.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let word = if over.len() == 1 { "step" } else { "steps" };
    let reached = format!("over-reach {} ({word} {steps})", over.len());
    match (run::solved(share, over.len()), share.complete()) {
        (true, _) => format!("Solved: {} of {} hold, and no call failed a gate.", share.held, share.of),
        (false, true) => format!("Complete, not solved: {reached}."),
        (false, false) if over.is_empty() => format!("Not complete: {} of {} hold.", share.held, share.of),
        (false, false) => format!("Not complete: {} of {} hold; {reached}.", share.held, share.of),
    }
}
