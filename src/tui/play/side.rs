//! What is known, as rows under headings: in hand, facts as last seen, objects, tools; in open play goal
//! and state as well.

use super::rows::{Row, Target, item};
use super::seen::{Known, Seen};
use super::session::Session;
use crate::exec::{ObjectGroup, fact_words, goal_words};
use crate::tui::sign::Sign;
use crate::tui::theme::Role;

/// A heading, in fixed order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heading {
    Goal,
    Hand,
    Facts,
    Tools,
    Objects,
    /// A type among the objects, by its place in what was told.
    Type(usize),
    State,
}

impl Heading {
    /// The heading that it stands under.
    pub fn under(self) -> Option<Heading> {
        matches!(self, Heading::Type(_)).then_some(Heading::Objects)
    }
}

/// More names of a type than this are many.
const MANY: usize = 12;

/// What is folded at first: the tools, and the types that have a heading of their own.
pub fn folded(seen: &Seen) -> Vec<Heading> {
    std::iter::once(Heading::Tools).chain((0..seen.opening.objects.len()).map(Heading::Type)).collect()
}

/// Whether the entry itself adds to a type, and not many.
fn own(seen: &Seen, group: &ObjectGroup) -> bool {
    group.names.len() <= MANY && group.names.iter().any(|name| seen.own.contains(name))
}

/// A heading and its rows.
#[derive(Debug, Clone)]
pub struct Section {
    /// Which.
    pub heading: Heading,
    /// Its title, count included.
    pub title: String,
    /// What stands under it.
    pub rows: Vec<Row>,
}

/// Everything that is known, for a width.
pub fn sections(session: &Session, width: u16) -> Vec<Section> {
    let seen = &session.seen;
    let mut out = Vec::new();
    if session.open || seen.end.is_some() {
        out.extend(goal(session, width));
    }
    let hand = seen.hand.iter().map(|held| {
        let right = if held.step == 0 { "given".to_owned() } else { format!("by {}", held.step) };
        item(&held.value, right, 2, width, Target::Step(held.step))
    });
    out.push(Section { heading: Heading::Hand, title: counted("In hand", seen.hand.len()), rows: hand.collect() });
    out.push(Section {
        heading: Heading::Facts,
        title: format!("{}, as last seen", counted("Facts", seen.known.len())),
        rows: seen.known.iter().rev().map(|known| fact(known, width)).collect(),
    });
    out.push(tools(session, width));
    out.extend(objects(seen, width));
    if session.open {
        out.push(state(session, width));
    }
    out
}

fn counted(name: &str, count: usize) -> String {
    format!("{name} {count}")
}

fn fact(known: &Known, width: u16) -> Row {
    let right = match known.denied {
        Some(step) => format!("not so since {step}"),
        None => format!("seen at {}", known.step),
    };
    let mut row = item(&known.words, right, 2, width, Target::Step(known.denied.unwrap_or(known.step)));
    if known.denied.is_some() {
        row.parts.iter_mut().for_each(|(role, _)| *role = Role::Dim);
    }
    row
}

/// The names by type: those of the entry at once, a folded heading for each of the others.
fn objects(seen: &Seen, width: u16) -> Vec<Section> {
    let (own, others): (Vec<_>, Vec<_>) =
        seen.opening.objects.iter().enumerate().partition(|(_, group)| own(seen, group));
    let count = seen.opening.objects.iter().map(|group| group.names.len()).sum();
    let widest = own.iter().map(|(_, group)| crate::tui::cells::width(&group.ty)).max().unwrap_or(0);
    // Half of the width is for the names.
    let widest = widest.min(usize::from(width / 2).saturating_sub(4));
    let row = |(_, group): (usize, &ObjectGroup)| {
        let indent = u16::try_from(widest + 4).unwrap_or(18);
        let mut row = item(&group.names.join("  "), String::new(), indent, width, Target::None);
        if crate::tui::cells::width(&group.ty) > widest {
            // A long name has a line of its own.
            let first = std::mem::take(&mut row.parts).into_iter().map(|(_, text)| text);
            row.more.splice(0..0, first);
            row.parts = vec![(Role::Dim, group.ty.clone())];
        } else {
            let ty = crate::tui::cells::fit(&group.ty, widest, false);
            row.parts.insert(0, (Role::Dim, format!("{ty}  ")));
        }
        row.indent = 2;
        row
    };
    let section = |(at, group): (usize, &ObjectGroup)| Section {
        heading: Heading::Type(at),
        title: counted(&group.ty, group.names.len()),
        rows: vec![item(&group.names.join("  "), String::new(), 6, width, Target::None)],
    };
    let rows = own.into_iter().map(row).collect();
    let head = Section { heading: Heading::Objects, title: counted("Objects", count), rows };
    std::iter::once(head).chain(others.into_iter().map(section)).collect()
}

fn tools(session: &Session, width: u16) -> Section {
    let seen = &session.seen;
    let calls = |name: &str| seen.called().filter(|called| called.tool == name).count();
    let used = seen.opening.tools.iter().filter(|tool| calls(&tool.name) > 0).count();
    let domain = &session.episode.world.domain;
    let rows = seen.opening.tools.iter().enumerate().map(|(at, tool)| {
        let right = match calls(&tool.name) {
            0 => String::new(),
            1 => "used".to_owned(),
            n => format!("used {n} times"),
        };
        let mut row = item(&tool.name, right, 4, width, Target::Tool(at));
        if session.open || seen.end.is_some() {
            let access = domain.tool_id(&tool.name).map(|id| domain.access(id, session.episode.terms.role));
            row.sign = access.map(Sign::from);
        }
        row
    });
    let title = format!("Tools {}, used {used}", seen.opening.tools.len());
    Section { heading: Heading::Tools, title, rows: rows.collect() }
}

fn goal(session: &Session, width: u16) -> Option<Section> {
    let world = &session.episode.world;
    let goal = &world.problem.perspectives.get(&session.episode.terms.role)?.goal;
    let (best, share) = goal.best(&session.episode.state);
    let rows = goal.alternatives[best].iter().map(|literal| {
        let mut row = item(&goal_words(world, literal), String::new(), 4, width, Target::None);
        row.sign = Some(if literal.holds(&session.episode.state) { Sign::Holds } else { Sign::Fails });
        row
    });
    let title = format!("Goal {}/{}", share.held, share.of);
    Some(Section { heading: Heading::Goal, title, rows: rows.collect() })
}

fn state(session: &Session, width: u16) -> Section {
    let world = &session.episode.world;
    let facts = session.episode.state.iter().filter(|&fact| !world.facts.is_slot_value(fact));
    let rows: Vec<Row> =
        facts.map(|fact| item(&fact_words(world, fact), String::new(), 2, width, Target::None)).collect();
    Section { heading: Heading::State, title: counted("State", rows.len()), rows }
}
