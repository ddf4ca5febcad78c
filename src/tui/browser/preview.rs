//! What the lower pane tells of the row under the cursor. What would spoil a blind play stays folded.

use ratatui::layout::Rect;

use super::item::{RunItem, RunState};
use super::load::{Sketch, is_well};
use super::rows::{Key, Row, Stock};
use crate::exec::{State, goal_words};
use crate::plan::Distance;
use crate::run::{StepKind, WorldMatch};
use crate::text::count;
use crate::tui::canvas::Canvas;
use crate::tui::dispatch::Call;
use crate::tui::list::List;
use crate::tui::page::{Piece, Text, wrapped};
use crate::tui::screen::Title;
use crate::tui::sign::Sign;
use crate::tui::theme::Role;
use crate::world::{GoalLiteral, RoleId, World};

/// The pane.
#[derive(Debug, Default)]
pub struct Preview {
    /// Its heading.
    pub title: Title,
    lines: Vec<(Text, Text)>,
    list: List,
    /// What is shown.
    key: Option<Key>,
    /// What is unfolded, and stays so while the cursor is on it.
    unfolded: Option<Key>,
    height: u16,
}

/// From this many columns on, findings stand beside the strip.
const BESIDE: usize = 100;

impl Preview {
    /// Folds or unfolds what the cursor is on.
    pub fn unfold(&mut self, key: Option<Key>) {
        self.unfolded = if self.unfolded == key { None } else { key };
    }

    /// Takes the fold back, if it is open.
    pub fn peel(&mut self) -> bool {
        self.unfolded.take().is_some()
    }

    /// What the reader moved.
    pub fn place(&self) -> (Option<Key>, List) {
        (self.unfolded.clone(), self.list)
    }

    /// Puts it back.
    pub fn restore(&mut self, (unfolded, list): (Option<Key>, List)) {
        (self.unfolded, self.list) = (unfolded, list);
    }

    /// Scrolls: the pane has no cursor.
    pub fn motion(&mut self, call: &Call) {
        let room = self.lines.len().saturating_sub(usize::from(self.height));
        let mut top = List { cursor: self.list.top, ..self.list };
        top.motion(call, room + 1);
        self.list.top = top.cursor;
    }

    /// Scrolls by the wheel.
    pub fn wheel(&mut self, rows: i32) {
        let room = self.lines.len().saturating_sub(usize::from(self.height));
        let by = usize::try_from(rows.unsigned_abs()).unwrap_or(0);
        self.list.top = if rows < 0 { self.list.top.saturating_sub(by) } else { (self.list.top + by).min(room) };
    }

    /// Tells of a row, in this room.
    pub fn settle(&mut self, stock: &Stock, row: Option<Row>, area: Rect) {
        let key = row.map(|row| stock.key(row));
        if self.key != key {
            self.list = List::default();
            self.key.clone_from(&key);
        }
        if self.unfolded.is_some() && self.unfolded != key {
            self.unfolded = None;
        }
        let width = usize::from(area.width.saturating_sub(2));
        let open = self.unfolded.is_some();
        let mut page = Page { width, open, lines: Vec::new() };
        self.title = match row {
            None => Title::new("Preview"),
            Some(row) => page.row(stock, row),
        };
        self.lines = page.lines;
        self.height = area.height;
        let room = self.lines.len().saturating_sub(usize::from(area.height));
        self.list.top = self.list.top.min(room);
    }

    /// Draws it.
    pub fn draw(&self, canvas: &mut Canvas) {
        let theme = canvas.theme;
        let height = usize::from(canvas.height());
        for (y, (left, right)) in (0..).zip(self.lines.iter().skip(self.list.top).take(height)) {
            let x = canvas.width().saturating_sub(1);
            canvas.part(0, 0, x, u16::MAX).sides(1, y, left.line(&theme), right.line(&theme));
        }
        let below = self.lines.len().saturating_sub(self.list.top + height);
        if below > 0 && height > 0 {
            // The mark stands on a line of its own, which hides one more.
            let below = below + 1;
            let y = canvas.height() - 1;
            let mark = format!(" {} {below} more lines ", theme.glyph(Sign::Unfolded));
            let width = canvas.width();
            let mut last = canvas.part(0, y, width, 1);
            last.clear();
            last.line(1, 0, theme.span(Role::Dim, mark));
        }
    }
}

struct Page {
    width: usize,
    open: bool,
    lines: Vec<(Text, Text)>,
}

impl Page {
    fn row(&mut self, stock: &Stock, row: Row) -> Title {
        match row {
            Row::Faulty(i) => {
                let file = &stock.faulty[i];
                for fault in &file.diagnostics {
                    let at = fault.file.position(fault.span.start);
                    let place = format!("{}:{}", at.line, at.column);
                    self.add(Text::of(Role::Fault, format!("{place:<9}")).and(fault.message.clone()));
                    if let Some(help) = &fault.help {
                        self.add(Text::dim(format!("{:<9}{help}", "")));
                    }
                }
                Title::new(file.name.clone()).right(count(file.diagnostics.len(), "fault"))
            }
            Row::Unreadable(i) => {
                let (path, why) = &stock.unreadable[i];
                self.add(Text::of(Role::Fault, "cannot be read: ").and(why.clone()));
                Title::new(path.display().to_string())
            }
            Row::Others => {
                self.paragraph("", "Runs of entries that are not here, and runs that cannot be read.", Role::Plain);
                Title::new("Other runs")
            }
            Row::Entry(i) => match stock.entry(i) {
                Some(world) => self.entry(world),
                None => Title::default(),
            },
            Row::Run(i) => self.run(stock, i),
        }
    }

    fn add(&mut self, line: Text) {
        self.lines.push((line, Text::default()));
    }

    fn gap(&mut self) {
        self.add(Text::default());
    }

    /// Words broken at the width, the first line behind a label.
    fn paragraph(&mut self, label: &str, text: &str, role: Role) {
        let indent = crate::tui::cells::width(label);
        for (i, line) in wrapped(text, self.width.saturating_sub(indent)).into_iter().enumerate() {
            let head = if i == 0 { Text::dim(label) } else { Text::plain(" ".repeat(indent)) };
            self.add(head.role(role, line));
        }
    }

    fn entry(&mut self, world: &World) -> Title {
        self.paragraph("> ", &world.problem.query, Role::Title);
        self.gap();
        for &role in world.problem.perspectives.keys() {
            self.persona(world, role);
            if self.open {
                self.goal(world, role, None);
            }
        }
        if !self.open {
            self.folded(world);
        }
        let sets: Vec<String> =
            world.problem.toolsets.iter().map(|(name, set)| format!("{name} {}", set.tools.len())).collect();
        let right = format!("tools: {}   budget {}", sets.join(", "), world.problem.budget);
        Title::new(heading(world)).right(right)
    }

    fn run(&mut self, stock: &Stock, index: usize) -> Title {
        let item = &stock.items[index];
        let sketch = match &item.state {
            RunState::Reading => {
                self.add(Text::dim("reading"));
                return Title::new(item.source.name.clone());
            }
            RunState::Unreadable(why) => {
                self.add(Text::of(Role::Fault, "cannot be read: ").and(why.clone()));
                return Title::new(item.source.path.display().to_string());
            }
            RunState::Read(sketch) => sketch,
        };
        let world = stock.world(item);
        if let Some(world) = world {
            self.paragraph("> ", &world.problem.query, Role::Title);
            self.gap();
        }
        self.strip(item, sketch);
        self.gap();
        let summary = &sketch.summary;
        let role = world.and_then(|world| world.domain.role_id(summary.role.as_deref()?));
        match (world, role) {
            (Some(world), Some(role)) => {
                self.persona(world, role);
                if self.open {
                    self.goal(world, role, sketch.goal.as_ref());
                } else {
                    self.folded(world);
                }
            }
            _ => self.paragraph("", "Its entry is not here: shown as it was recorded, not executed.", Role::Dim),
        }
        if summary.world == WorldMatch::Changed {
            self.paragraph("", "The entry or its domain has changed since this was recorded.", Role::Warn);
        }
        let name = item.source.path.file_name().map_or(item.source.name.clone(), |n| n.to_string_lossy().into_owned());
        match world {
            Some(world) => Title::new(heading(world)).right(name),
            None => Title::new(name),
        }
    }

    /// The run as a strip of signs, the findings in words beside or below it.
    fn strip(&mut self, item: &RunItem, sketch: &Sketch) {
        let beside = self.width >= BESIDE;
        let room = if beside { self.width * 2 / 5 } else { self.width };
        let mut strip = strip(&sketch.strip, sketch.summary.end.is_some(), room);
        let findings = findings(item, sketch);
        if !beside {
            strip.into_iter().chain(findings).for_each(|line| self.add(line));
            return;
        }
        let column = strip.iter().map(Text::width).max().unwrap_or(0) + 4;
        strip.resize(strip.len().max(findings.len()), Text::default());
        let mut findings = findings.into_iter();
        for line in strip {
            self.add(line.pad(column).join(findings.next().unwrap_or_default()));
        }
    }

    fn persona(&mut self, world: &World, role: RoleId) {
        let name = world.domain.role_name(role);
        let label = format!("{name:<width$}   ", width = label_width(world));
        let Some(perspective) = world.problem.perspectives.get(&role) else {
            return self.add(Text::dim(label).and("has no perspective in this entry: no goal"));
        };
        if self.open {
            return self.paragraph(&label, &perspective.persona, Role::Plain);
        }
        let words = perspective.persona.split_whitespace().count();
        let right = Text::of(Role::Plain, "").sign(Sign::Folded).role(Role::Dim, format!(" {}", count(words, "word")));
        let line = perspective.persona.split_whitespace().collect::<Vec<_>>().join(" ");
        self.lines.push((Text::dim(label).and(line), right));
    }

    fn folded(&mut self, world: &World) {
        let label = format!("{:<width$}   ", "goal", width = label_width(world));
        self.add(Text::dim(label).role(Role::Dim, "folded: Space shows it (it would spoil a blind play)"));
    }

    /// The goal in words; at the end of a run with what holds.
    fn goal(&mut self, world: &World, role: RoleId, held: Option<&(usize, Vec<bool>)>) {
        let Some(perspective) = world.problem.perspectives.get(&role) else { return };
        let start = State::initial(world, role);
        let label = label_width(world);
        for (i, literals) in perspective.goal.alternatives.iter().enumerate() {
            for (j, literal) in literals.iter().enumerate() {
                let name = match (i, j) {
                    (0, 0) => "goal",
                    (_, 0) => "or",
                    _ => "",
                };
                let sign = match held.filter(|(alternative, _)| *alternative == i).and_then(|(_, held)| held.get(j)) {
                    Some(true) => Sign::Holds,
                    Some(false) => Sign::Fails,
                    None => Sign::Nothing,
                };
                let line = Text::dim(format!("{name:<label$}   "))
                    .sign(sign)
                    .and(" ")
                    .join(literal_line(world, literal, &start));
                self.add(line);
            }
        }
    }
}

/// A goal literal in words, with what it is at the start.
fn literal_line(world: &World, literal: &GoalLiteral, start: &State) -> Text {
    let guard = if literal.holds(start) { "   to be kept" } else { "" };
    Text::plain(goal_words(world, literal)).role(Role::Dim, guard)
}

fn label_width(world: &World) -> usize {
    let roles = world.problem.perspectives.keys().map(|&role| world.domain.role_name(role).chars().count());
    roles.chain([4]).max().unwrap_or(4)
}

fn heading(world: &World) -> String {
    format!("{} {}", world.problem.id, world.problem.title).trim_end().to_owned()
}

/// One sign a step, with numbers where there is room; more steps than fit are binned, each bin with
/// its worst sign.
fn strip(kinds: &[StepKind], ended: bool, width: usize) -> Vec<Text> {
    let end = |line: Text| if ended { line.and(" ").sign(Sign::End) } else { line };
    // A numbered step takes three cells at least: what cannot fit is not even built.
    if kinds.len() * 3 <= width.saturating_sub(4) * 2
        && let Some(mut lines) = numbered(kinds, width)
    {
        let last = lines.pop().map(end);
        lines.extend(last);
        return lines;
    }
    let room = width.saturating_sub(4).max(8);
    let bin = kinds.len().div_ceil(room * 2).max(1);
    let signs: Vec<Sign> = kinds.chunks(bin).filter_map(|chunk| chunk.iter().max()).map(|&kind| kind.into()).collect();
    let mut lines: Vec<Text> =
        signs.chunks(room).map(|row| Text(row.iter().map(|&sign| Piece::Sign(sign)).collect())).collect();
    let note = if bin > 1 {
        format!("{}, {bin} to a sign, the worst of each", count(kinds.len(), "step"))
    } else {
        count(kinds.len(), "step")
    };
    lines.push(Text::dim(note));
    lines
}

/// One sign a step, each with its number; `None` where two lines have no room for that.
fn numbered(kinds: &[StepKind], width: usize) -> Option<Vec<Text>> {
    let steps: Vec<Text> = kinds
        .iter()
        .zip(1..)
        .map(|(&kind, step): (_, usize)| {
            let role = if is_well(kind) { Role::Dim } else { Role::Title };
            Text(vec![Piece::Sign(kind.into()), Piece::Text(role, format!("{step} "))])
        })
        .collect();
    let total: usize = steps.iter().map(Text::width).sum();
    if total > width.saturating_sub(4) * 2 {
        return None;
    }
    let mut lines = vec![Text::default().sign(Sign::Start).and(" ")];
    for step in steps {
        let last = lines.len() - 1;
        if lines[last].width() + step.width() > width {
            lines.push(Text::plain("  "));
        }
        let last = lines.len() - 1;
        lines[last] = std::mem::take(&mut lines[last]).join(step);
    }
    Some(lines)
}

/// The findings in words, most telling first; at least one line.
fn findings(item: &RunItem, sketch: &Sketch) -> Vec<Text> {
    let worded = sketch.findings.iter().map(|finding| {
        let sign = finding.kind.map_or(Sign::Damaged, Sign::from);
        let line = Text::default().sign(sign).and(" ").and(finding.text.clone());
        (finding.over_reach, line)
    });
    let (over, others): (Vec<_>, Vec<_>) = worded.partition(|(violation, _)| *violation);
    let mut lines: Vec<Text> = over.into_iter().map(|(_, line)| line).collect();
    lines.extend(undone(item, sketch));
    lines.extend(others.into_iter().map(|(_, line)| line));
    if sketch.more > 0 {
        lines.push(Text::dim(format!("and {} more", sketch.more)));
    }
    let summary = &sketch.summary;
    let goal = match summary.goal {
        None => Text::dim("no goal to hold it against"),
        Some(goal) if goal.complete() => {
            let text = format!(" goal {}/{} at the end", goal.held, goal.of);
            let solved = if summary.solved() { ", solved" } else { ", not solved: over-reach" };
            Text::default().sign(Sign::Holds).and(text).and(solved)
        }
        Some(goal) => {
            let text = format!(" goal {}/{} at the end", goal.held, goal.of);
            Text::default().sign(Sign::Fails).and(text).join(left(item))
        }
    };
    lines.push(goal);
    lines
}

/// Under-reach and what was misrouted, in words.
fn undone(item: &RunItem, sketch: &Sketch) -> Vec<Text> {
    if item.waits() {
        return vec![Text::default().sign(Sign::Pending).role(Role::Dim, " under-reach, misroutes")];
    }
    let Some((ways, world)) = item.ways().zip(sketch.world.as_ref()) else { return Vec::new() };
    let role = sketch.summary.role.as_deref().and_then(|role| world.domain.role_id(role));
    let mut lines: Vec<Text> = ways
        .withheld
        .iter()
        .zip(role.into_iter().cycle())
        .map(|(withheld, role)| Text::default().sign(Sign::UnderReach).and(format!(" {}", withheld.line(world, role))))
        .collect();
    let misroute = |step: &usize| format!(" misroute at {step}: it brought the goal no nearer, and earned nothing");
    let missed = " missed route: the run stopped, and routing was all that was left to do".to_owned();
    let misroutes = ways.misroutes.iter().map(misroute).chain(ways.missed_route.then_some(missed));
    lines.extend(misroutes.map(|text| Text::default().sign(Sign::Misroute).and(text)));
    match item.reach() {
        (0, 0) => lines.push(Text::dim("under-reach none   misroute none")),
        (0, _) => lines.push(Text::dim("under-reach none")),
        _ => {}
    }
    lines
}

/// How far an open goal is.
fn left(item: &RunItem) -> Text {
    match item.distance() {
        Some(Distance::Calls(calls)) => Text::plain(format!(", {} from there", count(calls as usize, "call"))),
        Some(Distance::Never) => Text::plain(", out of reach"),
        Some(Distance::Unknown) => Text::plain(", how far is not known"),
        None => Text::default(),
    }
}
