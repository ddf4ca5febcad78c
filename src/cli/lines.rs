//! How steps stand in lines: a row with number and sign, and what belongs to it below.

use super::Paint;
use crate::{
    exec::{Difference, change_parts},
    text::visible,
    tui::{cells, sign::Sign, theme::Role},
    world::World,
};

/// Rows are not wider than this: what came of a step should stand near it.
const WIDEST: usize = 100;

/// Columns before the text of a step: number, sign and the gaps between.
pub const INDENT: usize = 7;

/// An entry's id and its title, wrapped beside it.
pub fn titled(paint: &Paint, id: &str, title: &str) -> Vec<String> {
    let indent = cells::width(&visible(id)) + 2;
    let title = if title.is_empty() { vec![String::new()] } else { paint.wrapped(Role::Title, title, indent) };
    let line = |(at, title): (usize, String)| match at {
        0 => format!("{}  {title}", paint.text(Role::Link, id)),
        _ => format!("{}{title}", " ".repeat(indent)),
    };
    title.into_iter().enumerate().map(line).collect()
}

/// A line of a step below its row.
pub fn below(text: &str) -> String {
    format!("{}{text}", " ".repeat(INDENT + 2))
}

/// A row of a step or of the start or end: number, sign, what it is, and at the right what came of it.
pub fn row(paint: &Paint, number: &str, sign: Sign, left: &[(Role, &str)], right: &[(Role, &str)]) -> String {
    let width = |parts: &[(Role, &str)]| parts.iter().map(|(_, text)| cells::width(&visible(text))).sum::<usize>();
    let line = |parts: &[(Role, &str)]| parts.iter().map(|(role, text)| paint.text(*role, text)).collect::<String>();
    let used = INDENT + width(left) + width(right);
    let gap = if right.is_empty() { 0 } else { room(paint).saturating_sub(used).max(2) };
    format!(
        "{} {}  {}{}{}",
        paint.text(Role::Dim, &format!("{number:>3}")),
        paint.sign(sign),
        line(left),
        " ".repeat(gap),
        line(right)
    )
}

/// The row of a call: its arguments beside the tool where they fit, else below it.
pub fn call(
    paint: &Paint,
    number: usize,
    sign: Sign,
    (tool, args): (&str, &[String]),
    came: &[(Role, &str)],
) -> Vec<String> {
    let beside = args.iter().map(|arg| format!("  {arg}")).collect::<String>();
    let width = |text: &str| cells::width(&visible(text));
    let came_width = came.iter().map(|(_, text)| width(text)).sum::<usize>();
    let fits = INDENT + width(tool) + width(&beside) + came_width + 2 <= room(paint);
    let left = [(Role::Title, tool), (Role::Plain, if fits { &beside } else { "" })];
    let mut lines = vec![row(paint, &number.to_string(), sign, &left, came)];
    if !fits {
        lines.extend(args.iter().map(|arg| below(&paint.text(Role::Plain, arg))));
    }
    lines
}

/// A reason of a refusal, wrapped behind its sign; `gate` tells those that fail a gate.
pub fn reason(paint: &Paint, words: &str, gate: bool) -> Vec<String> {
    let sign = paint.sign(Sign::Fails);
    let role = if gate { Role::Bad } else { Role::Warn };
    let lines = paint.wrapped(role, words, INDENT + 4).into_iter().enumerate();
    lines.map(|(index, line)| below(&if index == 0 { format!("{sign} {line}") } else { format!("  {line}") })).collect()
}

/// The columns that a row may take.
pub fn room(paint: &Paint) -> usize {
    paint.width.min(WIDEST)
}

/// One entry of a diff.
pub fn difference(paint: &Paint, world: &World, difference: Difference) -> String {
    let (sign, role, text) = match difference {
        Difference::Changed { from, to } => {
            let (key, from, to) = change_parts(world, from, to);
            (Sign::Changed, Role::Changed, format!("{key}: {from}{}{to}", paint.arrow()))
        }
        Difference::Removed(fact) => (Sign::Removed, Role::Removed, world.fact_text(fact)),
        Difference::Added(fact) => (Sign::Added, Role::Added, world.fact_text(fact)),
        Difference::Produced(fact) => (Sign::Added, Role::Added, format!("in hand: {}", world.fact_text(fact))),
    };
    format!("{} {}", paint.sign(sign), paint.text(role, &text))
}

/// `name=value`.
pub fn argument(name: &str, value: &str) -> String {
    if name.is_empty() { value.to_owned() } else { format!("{name}={value}") }
}
