//! The story so far, as rows: briefing, calls, what was read back, words; at the end the truth.

use super::rows::{Row, Target, paragraph};
use super::session::{Called, Seen, Session, Truth, Turn};
use crate::exec::{Refusal, goal_words};
use crate::run::EndReason;
use crate::tui::sign::Sign;
use crate::tui::theme::Role;
use crate::world::{Domain, Gates, RoleId};

/// The whole story for a width.
pub fn rows(session: &Session, width: u16) -> Vec<Row> {
    let seen = &session.seen;
    let mut rows = briefing(seen, width);
    let mut opened = false;
    for turn in &seen.turns {
        match turn {
            Turn::Call(called) => {
                call(called, width, &mut rows);
                if opened {
                    reasons(session, called.step, 2, width, &mut rows);
                }
            }
            Turn::Said(text) => said(text, seen.calls as usize, width, &mut rows),
            Turn::Opened => {
                opened = true;
                let words = "opened: goal, gates and state are shown from here on, and the log says so";
                rows.extend(paragraph(Role::Dim, words, 0, width, Target::None));
                rows.push(Row::default());
            }
        }
    }
    if let Some(reason) = seen.end {
        end(session, reason, width, &mut rows);
    }
    rows
}

fn briefing(seen: &Seen, width: u16) -> Vec<Row> {
    let mut rows = Vec::new();
    if seen.opening.persona.is_empty() {
        rows.push(Row::new(Role::Dim, format!("You serve the role {}; the entry has no persona for it.", seen.role)));
    } else {
        rows.extend(paragraph(Role::Plain, &seen.opening.persona, 0, width, Target::Step(0)));
    }
    rows.push(Row::default());
    let mut query = paragraph(Role::Title, &seen.opening.query, 2, width, Target::Step(0));
    if let Some(first) = query.first_mut() {
        first.indent = 0;
        first.parts.insert(0, (Role::Dim, "> ".to_owned()));
    }
    rows.extend(query);
    rows.push(Row::default());
    rows
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
    for value in &called.values {
        let mut held = paragraph(Role::Plain, &format!("in hand: {value}"), 5, width, target);
        if let Some(first) = held.first_mut() {
            (first.sign, first.indent) = (Some(Sign::Added), 5);
        }
        rows.extend(held);
    }
}

fn said(text: &str, step: usize, width: u16, rows: &mut Vec<Row>) {
    let mut words = paragraph(Role::Plain, text, 5, width, Target::Step(step));
    if let Some(first) = words.first_mut() {
        first.indent = 0;
        first.parts.insert(0, (Role::Dim, "you: ".to_owned()));
    }
    rows.extend(words);
}

/// Every reason of a refusal, with who holds what was lacking.
fn reasons(session: &Session, step: usize, indent: u16, width: u16, rows: &mut Vec<Row>) {
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
    let gate = |truth: &Truth| {
        truth.refusals.iter().any(|r| matches!(r, Refusal::Capability { .. } | Refusal::Knowledge { .. }))
    };
    (1..).zip(&session.truths).filter(|(_, truth)| gate(truth)).map(|(step, _)| step).collect()
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
    match (share.complete(), over.is_empty()) {
        (true, true) => format!("Solved: {} of {} hold, and no call failed a gate.", share.held, share.of),
        (true, false) => format!("Complete, not solved: over-reach {} ({word} {steps}).", over.len()),
        (false, true) => format!("Not complete: {} of {} hold.", share.held, share.of),
        (false, false) => {
            format!("Not complete: {} of {} hold; over-reach {} ({word} {steps}).", share.held, share.of, over.len())
        }
    }
}

fn end(session: &Session, reason: EndReason, width: u16, rows: &mut Vec<Row>) {
    let (world, terms) = (&session.episode.world, session.episode.terms);
    let calls = session.seen.calls;
    let how = match reason {
        EndReason::Finished => "You finished",
        EndReason::Budget => "The budget is used up",
        EndReason::Stopped => "You stopped",
        EndReason::Error => "It broke off",
    };
    let last = Target::Step(calls as usize);
    rows.push(Row::default());
    let calls = crate::text::count(calls, "call");
    let head = paragraph(Role::Title, &format!("{how} after {calls}. {}", verdict(session)), 2, width, last);
    rows.extend(head.into_iter().enumerate().map(|(i, row)| match i {
        0 => Row { sign: Some(Sign::End), ..row },
        _ => row,
    }));
    if let Some(perspective) = world.problem.perspectives.get(&terms.role) {
        let (best, _) = perspective.goal.best(&session.episode.state);
        let many = perspective.goal.alternatives.len();
        let title = if many > 1 { format!("Goal, the nearest of {many}") } else { "Goal".to_owned() };
        rows.push(Row::default());
        rows.push(Row { indent: 2, ..Row::new(Role::Title, title) });
        for literal in &perspective.goal.alternatives[best] {
            let holds = literal.holds(&session.episode.state);
            let mut lines = paragraph(Role::Plain, &goal_words(world, literal), 4, width, last);
            if let Some(first) = lines.first_mut() {
                first.sign = Some(if holds { Sign::Holds } else { Sign::Fails });
            }
            rows.extend(lines);
        }
    }
    let refused: Vec<&Called> = session.seen.turns.iter().filter_map(refused).collect();
    if !refused.is_empty() {
        rows.push(Row::default());
        rows.push(Row { indent: 2, ..Row::new(Role::Title, "Refused, and why") });
    }
    for called in refused {
        let parts = vec![(Role::Dim, format!("{:>2} ", called.step)), (Role::Plain, called.tool.clone())];
        let right = gates(&world.domain, &called.tool);
        rows.push(Row { indent: 2, parts, right, target: Target::Step(called.step), ..Row::default() });
        reasons(session, called.step, 5, width, rows);
    }
    rows.push(Row::default());
    let hint = match session.seen.left_at_once() {
        true => "Nothing was recorded. p plays once more, q leaves.",
        false => "Enter shows the run step by step, p plays once more, q leaves.",
    };
    rows.extend(paragraph(Role::Dim, hint, 2, width, last));
}

fn refused(turn: &Turn) -> Option<&Called> {
    match turn {
        Turn::Call(called) if !called.fired => Some(called),
        _ => None,
    }
}

/// What a tool demands: `repair, hardware`.
fn gates(domain: &Domain, tool: &str) -> String {
    let gates = domain.tool_id(tool).map_or(Gates::default(), |tool| domain.tool(tool).gates);
    let names = gates.capability.map(|id| domain.capability_name(id)).into_iter();
    let names: Vec<&str> = names.chain(gates.knowledge.map(|id| domain.knowledge_name(id))).collect();
    names.join(", ")
}
