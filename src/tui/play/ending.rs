//! The end of the story: the verdict, the calls beside a shortest plan or the reference, each refusal
//! with all its reasons, what was withheld.

use super::end::{Analysis, End, Found};
use super::rows::{Mark, Parts, Row, Target, paragraph};
use super::seen::Sent;
use super::session::Session;
use super::story::{self, Told};
use crate::exec::goal_words;
use crate::plan::Distance;
use crate::run::EndReason;
use crate::score::Verdict;
use crate::text::{count, visible};
use crate::tui::cells;
use crate::tui::sign::Sign;
use crate::tui::theme::Role;
use crate::world::{Domain, Gates};

/// All of it. What is still being computed has its room already, or comes below all else.
pub fn rows(told: Told, end: &End, reason: EndReason, width: u16, rows: &mut Vec<Row>) {
    let Told { session, counted, .. } = told;
    rows.push(Row::default());
    head(session, reason, width, rows);
    sentence(session, end, width, rows);
    let (hints, undone) = counted;
    let counts = [(hints, count(hints, "hint")), (undone, format!("{} taken back", count(undone, "call")))];
    let counts: Vec<String> = counts.into_iter().filter(|(n, _)| *n > 0).map(|(_, words)| words).collect();
    if !counts.is_empty() {
        rows.extend(paragraph(Role::Plain, &format!("{}.", counts.join(", ")), 2, width, Target::End));
    }
    if session.seen.left_at_once() {
        rows.extend(paragraph(Role::Dim, "Nothing was recorded. p plays once more, q leaves.", 2, width, Target::End));
        return;
    }
    let keys = "Enter shows a call, p plays on from it; on this line p begins a new run.";
    let keys = if reason == EndReason::Stopped {
        "Enter shows the run; p plays on from the call under the cursor."
    } else {
        keys
    };
    rows.extend(paragraph(Role::Dim, keys, 2, width, Target::End));
    Table::new(end, width).rows(rows);
    goal(session, width, rows);
    refused(session, width, rows);
    if let Some(found) = end.found() {
        withheld(session, found, width, rows);
    }
}

fn head(session: &Session, reason: EndReason, width: u16, rows: &mut Vec<Row>) {
    let how = match reason {
        EndReason::Finished => "You finished",
        EndReason::Budget => "The budget is used up",
        EndReason::Stopped => "You stopped",
        EndReason::Error => "It broke off",
    };
    let calls = count(session.seen.calls, "call");
    let words = format!("{how} after {calls}. {}", story::verdict(session));
    let mut head = paragraph(Role::Title, &words, 2, width, Target::End);
    if let Some(first) = head.first_mut() {
        first.sign = Some(Sign::End);
    }
    rows.extend(head);
}

/// How few calls would have done. It has two lines where one may be too short for what comes.
fn sentence(session: &Session, end: &End, width: u16, rows: &mut Vec<Row>) {
    const LONGEST: u16 = 76;
    let Some(score) = &end.score else { return };
    let words = match &end.analysis {
        Analysis::Coming => "… calls suffice.".to_owned(),
        Analysis::Stopped => "How few calls suffice is not known: the search was stopped.".to_owned(),
        Analysis::Here(found) => enough(&found.ways.distance, score.complete, session.seen.calls),
    };
    let lines = paragraph(Role::Plain, &words, 2, width, Target::End);
    let room = if width < LONGEST { 2 } else { 1 };
    let fill = usize::saturating_sub(room, lines.len());
    rows.extend(lines.into_iter().chain((0..fill).map(|_| Row::default())));
}

/// How few calls suffice, and where the run stood at its end; `distances` has the start first.
fn enough(distances: &[Distance], complete: bool, calls: u32) -> String {
    let never = || distances.iter().position(|distance| *distance == Distance::Never);
    match (distances.first(), distances.last()) {
        (Some(Distance::Calls(fewest)), _) if complete && *fewest == calls => {
            format!("You needed {}, and fewer do not suffice.", count(calls, "call"))
        }
        (Some(Distance::Calls(fewest)), _) if complete => {
            let suffice = if *fewest == 1 { "suffices" } else { "suffice" };
            format!("You needed {}, {fewest} {suffice}.", count(calls, "call"))
        }
        (Some(Distance::Calls(fewest)), Some(Distance::Calls(left))) => {
            format!("{} suffice; at the end the goal was {} away.", count(*fewest, "call"), count(*left, "call"))
        }
        (Some(Distance::Calls(fewest)), Some(Distance::Never)) => {
            let step = never().unwrap_or(0);
            format!("{} suffice; from call {step} on there was no way to the goal.", count(*fewest, "call"))
        }
        (Some(Distance::Calls(fewest)), _) => {
            format!("{} suffice; how far the goal was at the end is unknown.", count(*fewest, "call"))
        }
        (Some(Distance::Never), _) => "No plan leads to the goal with these tools.".to_owned(),
        _ => "How few calls suffice is unknown: the search hit its limit.".to_owned(),
    }
}

/// The calls, a row each, with what each did to the distance; beside or below them what would have done.
struct Table<'a> {
    end: &'a End,
    /// Cells of a call, of a bar, and of a call beside it; none where that stands below.
    widths: (usize, usize, Option<usize>),
    /// The furthest that any state was.
    furthest: u32,
    parting: Option<usize>,
}

/// Where a row's call begins: behind its number and sign.
const CALL: usize = 6;
/// Sign and number of a distance, and a space before them.
const DISTANCE: usize = 5;
/// Between the two columns.
const GAP: usize = 3;
/// The narrowest that has room for two columns.
const BESIDE: usize = 64;

impl Table<'_> {
    fn new(end: &End, width: u16) -> Table<'_> {
        let width = usize::from(width);
        let bar = if width < BESIDE { 4 } else { 6 };
        let room = width.saturating_sub(CALL + DISTANCE + bar + 1);
        let beside = (width >= BESIDE).then_some((room.saturating_sub(GAP)) / 2);
        let own = room.saturating_sub(beside.map_or(0, |beside| beside + GAP)).max(8);
        let distances = end.found().map_or(&[][..], |found| &found.ways.distance);
        let furthest = distances.iter().filter_map(|distance| distance.calls()).max().unwrap_or(0);
        Table { end, widths: (own, bar, beside), furthest, parting: end.parting() }
    }

    fn rows(&self, rows: &mut Vec<Row>) {
        let (own, _, beside) = self.widths;
        let title = if self.end.against_reference { "The reference" } else { "A shortest plan" };
        rows.push(Row::default());
        let mut head = Row::new(Role::Title, cells::fit("  Your calls", CALL + own + 1, false));
        let bar = self.widths.1 + DISTANCE + GAP;
        head.parts.push((Role::Dim, cells::fit("to go", if beside.is_some() { bar } else { 5 }, false)));
        if beside.is_some() {
            head.parts.push((Role::Title, title.to_owned()));
        }
        rows.push(head);
        let calls = self.end.calls.len();
        let others = self.end.beside().map_or(0, <[_]>::len).max(self.end.reference.len());
        let last = if beside.is_some() { calls.max(others) } else { calls };
        rows.extend((0..=last).map(|step| self.row(step)));
        if beside.is_none() {
            rows.push(Row::default());
            rows.push(Row::new(Role::Title, format!("  {title}")));
            rows.extend((1..=others.max(1)).map(|step| Row {
                parts: self.other(step, usize::MAX),
                indent: 2,
                ..Row::default()
            }));
        }
    }

    /// A step: number, sign, call, distance and bar; beside it the other call.
    fn row(&self, step: usize) -> Row {
        let (own, bar, beside) = self.widths;
        let (made, call) = (step <= self.end.calls.len(), step.checked_sub(1).and_then(|at| self.end.calls.get(at)));
        let number = if made { format!("{step:>3}   ") } else { " ".repeat(CALL) };
        let text = if step == 0 { "start".to_owned() } else { call.map_or(String::new(), words) };
        let mut parts =
            vec![(Role::Dim, number), (Role::Plain, cells::fit(&cells::clip(&text, own, false), own + 1, false))];
        let mut marks = Vec::new();
        match (step, self.end.kinds.get(step.wrapping_sub(1))) {
            (0, _) => marks.push((4, Mark::Sign(Sign::Start))),
            (_, Some(&kind)) => marks.push((4, Mark::Sign(kind.into()))),
            _ => {}
        }
        let at = CALL + own + 1;
        let (sign, distance) = if made { self.distance(step) } else { (None, None) };
        marks.extend(sign.map(|sign| (at, Mark::Sign(sign))));
        let number = match distance {
            Some(Distance::Calls(calls)) => format!(" {calls:<3}"),
            Some(Distance::Never) if sign.is_none() => {
                marks.push((at, Mark::Sign(Sign::Infinite)));
                " ".repeat(DISTANCE - 1)
            }
            _ => " ".repeat(DISTANCE - 1),
        };
        parts.push((Role::Plain, number));
        let full = distance.and_then(Distance::calls).map_or(0, |calls| self.bar(calls));
        marks.push((at + DISTANCE - 1, Mark::Bar(full)));
        if let Some(beside) = beside {
            parts.push((Role::Plain, " ".repeat(bar + GAP + 1)));
            if step > 0 {
                let at = at + DISTANCE - 1 + bar + 2;
                marks.extend(self.parting.filter(|&part| part == step).map(|_| (at, Mark::Sign(Sign::Diverged))));
                parts.extend(self.other(step, beside));
            }
        }
        let target = if made { Target::Step(step) } else { Target::End };
        Row { parts, marks, target, ..Row::default() }
    }

    /// The other side's call, or why there is none.
    fn other(&self, step: usize, room: usize) -> Parts {
        let none = match (&self.end.analysis, self.end.against_reference, step) {
            (_, true, _) | (.., 2..) => "",
            (Analysis::Coming, ..) => "…",
            (Analysis::Stopped, ..) => "not known",
            (Analysis::Here(found), ..) => match found.ways.distance.first() {
                Some(Distance::Never) => "there is none",
                Some(Distance::Calls(_)) => "",
                _ => "unknown",
            },
        };
        let part = self.parting == Some(step);
        match self.end.beside().and_then(|calls| calls.get(step - 1)) {
            Some(call) => {
                let text = format!("{step:>2} {}", words(call));
                vec![(if part { Role::Title } else { Role::Plain }, cells::clip(&text, room, false).into_owned())]
            }
            None => vec![(Role::Dim, none.to_owned())],
        }
    }

    /// The sign of a step's verdict, and the distance after it.
    fn distance(&self, step: usize) -> (Option<Sign>, Option<Distance>) {
        let Some(found) = self.end.found() else {
            let coming = matches!(self.end.analysis, Analysis::Coming);
            return (coming.then_some(Sign::Pending), None);
        };
        let distance = found.ways.distance.get(step).copied();
        let verdict = step.checked_sub(1).and_then(|at| found.ways.verdicts.get(at));
        let sign = match verdict {
            Some(Verdict::Progress) => Some(Sign::Closer),
            Some(Verdict::Idle) => Some(Sign::Same),
            Some(Verdict::Detour) => Some(Sign::Further),
            Some(Verdict::DeadEnd) => Some(Sign::Infinite),
            Some(Verdict::Unknown) => Some(Sign::Unknown),
            Some(Verdict::Refused | Verdict::OverBudget) | None => None,
        };
        (sign.or((distance == Some(Distance::Unknown)).then_some(Sign::Unknown)), distance)
    }

    /// Cells of a bar; what is not yet there has one at least.
    fn bar(&self, calls: u32) -> u16 {
        let room = u32::try_from(self.widths.1).unwrap_or(1);
        let cells = if self.furthest <= room { calls } else { (calls * room).div_ceil(self.furthest) };
        u16::try_from(cells).unwrap_or(0)
    }
}

fn words(call: &Sent) -> String {
    let args = call.args.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join("  ");
    visible(&format!("{}  {args}", call.tool)).trim_end().to_owned()
}

fn goal(session: &Session, width: u16, rows: &mut Vec<Row>) {
    let world = &session.episode.world;
    let Some(perspective) = world.problem.perspectives.get(&session.episode.terms.role) else { return };
    let (best, _) = perspective.goal.best(&session.episode.state);
    let many = perspective.goal.alternatives.len();
    let title = if many > 1 { format!("Goal, the nearest of {many}") } else { "Goal".to_owned() };
    rows.push(Row::default());
    rows.push(Row { indent: 2, ..Row::new(Role::Title, title) });
    for literal in &perspective.goal.alternatives[best] {
        let sign = if literal.holds(&session.episode.state) { Sign::Holds } else { Sign::Fails };
        rows.extend(signed(sign, &goal_words(world, literal), width, Target::End));
    }
}

fn refused(session: &Session, width: u16, rows: &mut Vec<Row>) {
    let mut refused = session.seen.called().filter(|called| !called.fired).peekable();
    if refused.peek().is_some() {
        rows.push(Row::default());
        rows.push(Row { indent: 2, ..Row::new(Role::Title, "Refused, and why") });
    }
    for called in refused {
        let parts = vec![(Role::Dim, format!("{:>2} ", called.step)), (Role::Plain, called.tool.clone())];
        let right = gates(&session.episode.world.domain, &called.tool);
        rows.push(Row { indent: 2, parts, right, target: Target::Step(called.step), ..Row::default() });
        story::reasons(session, called.step, 5, width, rows);
    }
}

/// Under-reach and misroutes, with the gates that would have let the action pass.
fn withheld(session: &Session, found: &Found, width: u16, rows: &mut Vec<Row>) {
    let ways = &found.ways;
    let steps = session.seen.calls as usize;
    let (world, role) = (&session.episode.world, session.episode.terms.role);
    let held = ways.withheld.iter().map(|held| (Sign::UnderReach, held.step, held.line(world, role)));
    let routed = ways
        .misroutes
        .iter()
        .map(|&step| (Sign::Misroute, step, format!("call {step} handed the work on, and brought the goal no nearer")));
    let missed = ways
        .missed_route
        .then(|| (Sign::Misroute, steps + 1, "you finished where the work was to be handed on".to_owned()));
    let mut all: Vec<_> = held.chain(routed).chain(missed).collect();
    all.sort_by_key(|(_, step, _)| *step);
    if !all.is_empty() {
        rows.push(Row::default());
        rows.push(Row { indent: 2, ..Row::new(Role::Title, "Withheld, or handed on wrongly") });
    }
    for (sign, step, words) in all {
        let target = if step > steps { Target::End } else { Target::Step(step) };
        rows.extend(signed(sign, &words, width, target));
    }
}

fn signed(sign: Sign, text: &str, width: u16, target: Target) -> Vec<Row> {
    let mut lines = paragraph(Role::Plain, text, 4, width, target);
    if let Some(first) = lines.first_mut() {
        first.sign = Some(sign);
    }
    lines
}

/// What a tool demands: `repair, hardware`.
fn gates(domain: &Domain, tool: &str) -> String {
    let gates = domain.tool_id(tool).map_or(Gates::default(), |tool| domain.tool(tool).gates);
    let names = gates.capability.map(|id| domain.capability_name(id)).into_iter();
    let names: Vec<&str> = names.chain(gates.knowledge.map(|id| domain.knowledge_name(id))).collect();
    names.join(", ")
}
