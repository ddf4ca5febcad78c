//! The list of steps, drawn: a sign for each call, what it changed, and what was said between.

use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::beginnings::LONGEST;
use super::items::{Item, Items, Shape};
use super::loaded::Loaded;
use super::{Fold, Folds, words};
use crate::plan::Distance;
use crate::run::{RowId, StepKind};
use crate::score::Verdict;
use crate::text::{visible, visible_lines};
use crate::tui::canvas::Canvas;
use crate::tui::cells;
use crate::tui::list::List;
use crate::tui::sign::Sign;
use crate::tui::theme::{Role, Theme};

/// Lines of a message that are shown while it is folded; one where room is short.
const FOLDED: usize = 2;

/// Columns from which nothing need be saved.
const ROOMY: u16 = 36;

/// What is needed to lay the list out.
#[derive(Clone, Copy)]
pub struct Steps<'a> {
    /// The run.
    pub run: &'a Loaded,
    /// Its rows.
    pub items: &'a Items,
    /// What is open.
    pub folds: &'a Folds,
    /// Columns of the pane.
    pub width: u16,
    /// Lines of the pane.
    pub lines: u16,
}

impl Steps<'_> {
    fn digits(&self) -> u16 {
        let least = if self.width < ROOMY { 1 } else { 2 };
        u16::try_from(self.run.steps().to_string().len()).unwrap_or(2).max(least)
    }

    /// The column of the signs.
    fn sign_column(&self) -> u16 {
        self.digits() + 3
    }

    /// The lines of a row.
    pub fn height(&self, row: usize) -> u16 {
        match self.items.get(row).shape(self.run) {
            Shape::Message(id) => u16::try_from(self.said(id).len()).unwrap_or(u16::MAX),
            _ => 1,
        }
    }

    /// Draws the list.
    pub fn draw(&self, list: &List, canvas: &mut Canvas) {
        for seen in list.seen(self.items.len(), canvas.height(), |row| self.height(row)) {
            let item = self.items.get(seen.row);
            if seen.cursor {
                canvas.cursor(seen.y);
            }
            self.row(item, seen.y, seen.lines, canvas);
        }
    }

    /// Draws one row.
    pub fn row(&self, item: Item, y: u16, lines: u16, canvas: &mut Canvas) {
        let theme = canvas.theme;
        let at = self.sign_column();
        for line in 0..lines {
            if let Some(bracket) = self.bracket(item) {
                canvas.line(1, y + line, theme.sign(bracket));
            }
        }
        match item.shape(self.run) {
            Shape::Start => {
                self.number(0, y, canvas);
                let damaged = self.run.log.finished() && self.run.log.header_row().is_none();
                canvas.line(at, y, theme.sign(if damaged { Sign::Damaged } else { Sign::Start }));
                canvas.sides(at + 2, y, theme.span(Role::Dim, "start"), self.distance(0, theme));
            }
            Shape::Call(step) => self.call(step, y, canvas),
            Shape::Message(id) => {
                for (i, said) in self.said(id).into_iter().take(usize::from(lines)).enumerate() {
                    let mark = said.mark(theme);
                    let y = y + u16::try_from(i).unwrap_or(0);
                    canvas.line(at, y, theme.sign(Sign::Between));
                    canvas.sides(at + 2, y, quiet(theme, said.text), theme.span(Role::Dim, mark));
                }
            }
            Shape::Note(id) => {
                let note =
                    self.run.log.note(id).map(|note| words::note(&note.kind, note.data.get())).unwrap_or_default();
                canvas.line(at, y, theme.sign(Sign::Between));
                canvas.line(at + 2, y, theme.span(Role::Dim, format!("note: {note}")));
            }
            Shape::Damage(id) => {
                let line = self.run.log.row(id).map_or(0, |row| row.line());
                let what = self.run.log.damage_of(id).into_iter().next().map(|damage| damage.message);
                canvas.line(at, y, theme.sign(Sign::Damaged));
                let text = theme.span(Role::Fault, format!("line {line}"));
                let why = theme.span(Role::Dim, format!("  {}", what.unwrap_or_default()));
                canvas.line(at + 2, y, Line::from(vec![text, why]));
            }
            Shape::End(_) | Shape::NoEnd => {
                canvas.line(at, y, theme.sign(Sign::End));
                canvas.line(at + 2, y, theme.span(Role::Dim, words::end(self.run)));
            }
        }
    }

    fn number(&self, step: usize, y: u16, canvas: &mut Canvas) {
        let text = format!("{step:>width$}", width = usize::from(self.digits()));
        canvas.line(2, y, Span::raw(text));
    }

    fn call(&self, step: usize, y: u16, canvas: &mut Canvas) {
        let theme = canvas.theme;
        let at = self.sign_column();
        self.number(step, y, canvas);
        let kind = self.run.kind(step);
        canvas.line(at, y, theme.sign(self.run.sign(step)));
        let call = self.run.log.call_of(step).and_then(|row| self.run.log.call(row));
        let name = match &call {
            Some(call) => call.tool_name().map_or_else(|| call.tool.get().to_owned(), |name| name.into_owned()),
            None => "?".to_owned(),
        };
        let width = |spans: &[Span]| spans.iter().map(|span| cells::width(&visible(&span.content))).sum::<usize>();
        let distance = self.distance(step, theme).spans;
        let room = usize::from(canvas.width().saturating_sub(at + 2)).saturating_sub(width(&distance) + 2);
        let mut left = vec![Span::raw(name)];
        // The name comes first: what the sign says already yields to it.
        let changed = [true, false].map(|more| self.changed(step, kind, more, theme));
        let mut right = changed.into_iter().find(|spans| width(&left) + 1 + width(spans) <= room).unwrap_or_default();
        let args = call.map(|call| short_arguments(call.args.get())).unwrap_or_default();
        if !args.is_empty() && width(&left) + cells::width(&visible(&args)) + 2 + width(&right) <= room {
            left.push(theme.span(Role::Dim, format!(" {args}")));
        }
        right.push(Span::raw("  "));
        right.extend(distance);
        canvas.sides(at + 2, y, Line::from(left), Line::from(right));
    }

    /// What a call changed, or why it did not fire; all of it with how many reasons there are.
    fn changed(&self, step: usize, kind: Option<StepKind>, all: bool, theme: Theme) -> Vec<Span<'static>> {
        let counts = self.run.counts(step);
        let mut spans: Vec<Span<'static>> = Vec::new();
        let parts = [(Sign::Added, counts.added), (Sign::Changed, counts.changed), (Sign::Removed, counts.removed)];
        for (sign, count) in parts.into_iter().filter(|(_, count)| *count > 0) {
            if !spans.is_empty() {
                spans.push(Span::raw(" "));
            }
            spans.push(Span::styled(format!("{}{count}", theme.glyph(sign)), theme.sign_style(sign)));
        }
        let word = kind.map_or("", words::kind);
        if !word.is_empty() {
            let sign = kind.map_or(Sign::Nothing, Sign::from);
            let style =
                theme.sign_style(sign).remove_modifier(Modifier::REVERSED | Modifier::BOLD | Modifier::UNDERLINED);
            let gap = if spans.is_empty() { "" } else { " " };
            let reasons = self.run.reasons(step);
            // The sign says the worst; `both` are two already.
            let more = all && reasons > if kind == Some(StepKind::Both) { 2 } else { 1 };
            let word = if more { words::count(reasons, "reason") } else { word.to_owned() };
            spans.push(Span::styled(format!("{gap}{word}"), style));
        }
        spans
    }

    /// The distance after a step, and what the step did to it.
    fn distance(&self, step: usize, theme: Theme) -> Line<'static> {
        let Some(appraisal) = &self.run.appraisal else { return Line::default() };
        let width = appraisal.farthest().to_string().len();
        let sign = match appraisal.verdict(step) {
            Some(Verdict::Progress) => Some(Sign::Closer),
            Some(Verdict::Idle) => Some(Sign::Same),
            Some(Verdict::Detour) => Some(Sign::Further),
            _ => None,
        };
        let number = match appraisal.after(step) {
            None => theme.sign(Sign::Pending),
            Some(Distance::Never) => theme.sign(Sign::Infinite),
            Some(Distance::Unknown) => theme.sign(Sign::Unknown),
            Some(Distance::Calls(calls)) => {
                let style = sign.map_or(theme.style(Role::Dim), |sign| theme.sign_style(sign));
                Span::styled(calls.to_string(), style)
            }
        };
        let gap = " ".repeat((width + 1).saturating_sub(number.content.chars().count() + usize::from(sign.is_some())));
        let mut spans = vec![Span::raw(gap)];
        spans.extend(sign.map(|sign| theme.sign(sign)));
        spans.push(number);
        Line::from(spans)
    }

    /// The bracket that joins calls sent before any of their results came.
    fn bracket(&self, item: Item) -> Option<Sign> {
        let joins = |step| self.run.log.call_of(step).and_then(|row| self.run.log.row(row)).is_some_and(|r| r.joins());
        let step = item.step(self.run);
        let next = joins(step + 1);
        match item.shape(self.run) {
            Shape::Call(step) => match (joins(step), next) {
                (false, true) => Some(Sign::BracketTop),
                (true, true) => Some(Sign::BracketMiddle),
                (true, false) => Some(Sign::BracketBottom),
                (false, false) => None,
            },
            Shape::Start | Shape::End(_) | Shape::NoEnd => None,
            _ => next.then_some(Sign::BracketMiddle),
        }
    }

    /// The lines of a message: two while folded, and what is left out; reasoning its length alone.
    fn said(&self, id: RowId) -> Vec<Said> {
        let Some(message) = self.run.beginnings.of(&self.run.log, id) else { return vec![Said::default()] };
        let open = self.folds.is_open(Fold::Message(id));
        let room = usize::from(self.width.saturating_sub(self.sign_column() + 3)).max(8);
        if message.reasoning && !open {
            let text = format!("reasoning, {}", message.length);
            return vec![Said { text, fold: Some(Sign::Folded), more: 0 }];
        }
        let cut = message.text.floor_char_boundary(if open { LONGEST } else { room * 8 });
        let mut shown = visible_lines(message.text[..cut].trim()).into_owned();
        if message.from != "agent" {
            shown = format!("{}: {shown}", visible(&message.from));
        }
        let lines: Vec<String> = cells::wrap(&shown, room.saturating_sub(2)).into_iter().map(str::to_owned).collect();
        let keep = if open {
            usize::from(self.lines.saturating_sub(2)).max(1)
        } else if self.width < ROOMY {
            1
        } else {
            FOLDED
        };
        let long = lines.len() > keep || cut < message.bytes;
        let folds = message.reasoning || long || lines.len() > if self.width < ROOMY { 1 } else { FOLDED };
        let mut said: Vec<Said> = lines.into_iter().take(keep).map(|text| Said { text, ..Said::default() }).collect();
        if let Some(last) = said.last_mut().filter(|_| long) {
            // Room for the mark, which may have as many digits as the text is long.
            let mark = cells::width(&cells::elision(message.characters, false)) + 2;
            last.text = cells::head(&last.text, room.saturating_sub(mark)).0.trim_end().to_owned();
        }
        let kept: usize = said.iter().map(|line| line.text.chars().count()).sum();
        if let Some(last) = said.last_mut().filter(|_| long) {
            last.more = message.characters.saturating_sub(kept);
        }
        if let Some(first) = said.first_mut().filter(|_| open && folds) {
            first.fold = Some(Sign::Unfolded);
        }
        said
    }
}

/// A line of a message.
#[derive(Debug, Default)]
struct Said {
    text: String,
    fold: Option<Sign>,
    /// Characters left out behind it.
    more: usize,
}

impl Said {
    fn mark(&self, theme: Theme) -> String {
        match (self.fold, self.more) {
            (Some(fold), _) => theme.glyph(fold).to_owned(),
            (None, 0) => String::new(),
            (None, more) => cells::elision(more, theme.ascii),
        }
    }
}

fn quiet(theme: Theme, text: String) -> Span<'static> {
    Span::styled(text, theme.style(Role::Dim).add_modifier(Modifier::ITALIC))
}

/// The objects among the arguments, in order: what a list has room for.
fn short_arguments(args: &str) -> String {
    const LONGEST: usize = 2000;
    if args.len() > LONGEST {
        return String::new();
    }
    let Ok(sent) = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(args) else {
        return String::new();
    };
    let names = sent.values().filter_map(|value| value.as_str()).filter(|text| !text.contains('('));
    names.collect::<Vec<_>>().join(" ")
}
