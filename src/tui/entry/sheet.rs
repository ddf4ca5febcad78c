//! The perspectives of an entry as rows with a cell for each role: personas, goals aligned by
//! predicate, guards apart, references step under step.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use crate::exec::{
    Counts, Difference, ReferenceStep, Refusal, Request, State, change_parts, goal_words, narrate, sorted_texts,
};
use crate::run::StepKind;
use crate::text::count;
use crate::tui::cells;
use crate::tui::page::{Text, wrapped};
use crate::tui::sign::Sign;
use crate::tui::theme::Role;
use crate::world::{GoalLiteral, Perspective, RelationId, RoleId, World};

/// What a heading heads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Section {
    /// Who is served.
    Persona,
    /// What the persona holds in hand.
    Given,
    /// What is to be earned, by alternative.
    Goal(usize),
    /// What is to be kept, by alternative.
    Guards(usize),
    /// The calls of the reference.
    Reference,
}

/// What a cell is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum What {
    /// Nothing stands here.
    #[default]
    Nothing,
    /// The persona.
    Persona,
    /// What it holds in hand.
    Given,
    /// A goal literal: alternative and index in it.
    Literal(usize, usize),
    /// A call of the reference, from 1.
    Step(usize),
}

/// A cell before it is broken into lines.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    /// What it is about.
    pub what: What,
    /// Its lines, each with how far its continuation is indented, and what stands at the right of the first.
    pub paragraphs: Vec<Paragraph>,
}

/// Words to be broken.
#[derive(Debug, Clone, Default)]
pub struct Paragraph {
    /// Stands before the first line; the others are indented by its width.
    pub head: Text,
    /// The words.
    pub text: String,
    /// Their meaning.
    pub role: Option<Role>,
    /// At the right end of the first line.
    pub right: Text,
}

/// A row.
#[derive(Debug, Clone)]
pub struct SheetRow {
    /// The section it belongs to.
    pub section: Section,
    /// Set for a heading, whose cells are empty.
    pub heading: Option<Heading>,
    /// A cell for each perspective.
    pub cells: Vec<Cell>,
}

/// The heading of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// What stands under it.
    pub name: &'static str,
    /// How much of it each perspective has; empty where that is not counted.
    pub counts: Vec<usize>,
    /// What is counted, or what else there is to say.
    pub note: Note,
}

/// What stands behind the name of a [`Heading`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Note {
    /// The counts.
    Counts,
    /// The counts, of this.
    CountsOf(&'static str),
    /// These words.
    Words(&'static str),
}

impl Heading {
    /// What stands behind the name, for one perspective or for all.
    pub fn note(&self, column: Option<usize>) -> String {
        let counts = match column.and_then(|column| self.counts.get(column)) {
            Some(count) => std::slice::from_ref(count),
            None => &self.counts,
        };
        let all = || counts.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        match (self.note, counts) {
            (Note::Words(words), _) => words.to_owned(),
            (Note::CountsOf(what), [one]) => count(*one, what),
            (Note::CountsOf(what), _) => format!("{} {what}s", all()),
            (Note::Counts, _) => all(),
        }
    }
}

impl SheetRow {
    /// Whether a perspective has anything here.
    pub fn concerns(&self, column: usize) -> bool {
        match &self.heading {
            Some(heading) => heading.counts.get(column) != Some(&0),
            None => self.cells.get(column).is_some_and(|cell| !cell.paragraphs.is_empty()),
        }
    }
}

/// One side of the entry, worked out.
#[derive(Debug)]
pub struct Side {
    /// The role.
    pub role: RoleId,
    /// Its reference, executed.
    pub steps: Vec<ReferenceStep>,
    /// The state it starts from.
    pub start: State,
    /// Calls that it shares with some other reference before its way parts from all of them.
    pub shared: usize,
}

/// Works all sides out.
pub fn sides(world: &Arc<World>) -> Vec<Side> {
    let plans: Vec<Vec<Request>> =
        world.problem.perspectives.values().map(|perspective| requests(world, perspective)).collect();
    let common = |a: &[Request], b: &[Request]| a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let side = |(index, &role): (usize, &RoleId)| {
        let others = plans.iter().enumerate().filter(|(other, _)| *other != index);
        Side {
            role,
            steps: narrate(world, role),
            start: State::initial(world, role),
            shared: others.map(|(_, plan)| common(&plans[index], plan)).max().unwrap_or(0),
        }
    };
    world.problem.perspectives.keys().enumerate().map(side).collect()
}

fn requests(world: &World, perspective: &Perspective) -> Vec<Request> {
    perspective.reference.iter().map(|call| Request::for_tool(world, call.tool, &call.args)).collect()
}

impl Side {
    /// The step that made a literal hold for good; 0 where it held from the start, nothing where it
    /// does not hold at the end.
    pub fn holds_since(&self, literal: &GoalLiteral) -> Option<usize> {
        let held = |step: usize| match step.checked_sub(1) {
            None => literal.holds(&self.start),
            Some(index) => literal.holds(&self.steps[index].state),
        };
        let last_open = (0..=self.steps.len()).rev().find(|&step| !held(step));
        match last_open {
            None => Some(0),
            Some(step) if step < self.steps.len() => Some(step + 1),
            Some(_) => None,
        }
    }
}

/// All rows; of sections in `folded`, the heading alone.
pub fn rows(world: &World, sides: &[Side], folded: &HashSet<Section>) -> Vec<SheetRow> {
    let mut sheet = Rows { world, sides, rows: Vec::new(), folded };
    sheet.personas();
    let most = sides.iter().map(|side| sheet.perspective(side).goal.alternatives.len()).max().unwrap_or(0);
    for alternative in 0..most {
        sheet.literals(alternative, false);
        sheet.literals(alternative, true);
    }
    sheet.references();
    sheet.rows
}

struct Rows<'a> {
    world: &'a World,
    sides: &'a [Side],
    rows: Vec<SheetRow>,
    folded: &'a HashSet<Section>,
}

impl Rows<'_> {
    fn perspective(&self, side: &Side) -> &Perspective {
        &self.world.problem.perspectives[&side.role]
    }

    fn heading(&mut self, section: Section, name: &'static str, counts: Vec<usize>, note: Note) {
        let heading = Some(Heading { name, counts, note });
        self.rows.push(SheetRow { section, heading, cells: vec![Cell::default(); self.sides.len()] });
    }

    fn row(&mut self, section: Section, cells: Vec<Cell>) {
        if !self.folded.contains(&section) {
            self.rows.push(SheetRow { section, heading: None, cells });
        }
    }

    fn personas(&mut self) {
        self.heading(Section::Persona, "Persona", Vec::new(), Note::Counts);
        let cell = |side: &Side| Cell {
            what: What::Persona,
            paragraphs: vec![Paragraph { text: self.perspective(side).persona.clone(), ..Paragraph::default() }],
        };
        let cells = self.sides.iter().map(cell).collect();
        self.row(Section::Persona, cells);
        if self.sides.iter().all(|side| self.perspective(side).given.is_empty()) {
            return;
        }
        let counts = self.sides.iter().map(|side| self.perspective(side).given.len()).collect();
        self.heading(Section::Given, "In hand", counts, Note::Words("beside what all hold"));
        let cell = |side: &Side| {
            let texts = sorted_texts(self.world, self.perspective(side).given.iter().copied());
            let what = if texts.is_empty() { What::Nothing } else { What::Given };
            let paragraph = |text| Paragraph { text, ..Paragraph::default() };
            Cell { what, paragraphs: texts.into_iter().map(paragraph).collect() }
        };
        let cells = self.sides.iter().map(cell).collect();
        self.row(Section::Given, cells);
    }

    /// The literals of an alternative that are to be earned, or to be kept: those of one predicate in
    /// the same rows.
    fn literals(&mut self, alternative: usize, guards: bool) {
        let own = |side: &Side| -> Vec<(Option<RelationId>, usize)> {
            let Some(literals) = self.perspective(side).goal.alternatives.get(alternative) else { return Vec::new() };
            let wanted = literals.iter().enumerate().filter(|(_, literal)| literal.holds(&side.start) == guards);
            wanted.map(|(i, literal)| (literal.fact.ok().map(|fact| self.world.facts.relation(fact)), i)).collect()
        };
        let all: Vec<Vec<(Option<RelationId>, usize)>> = self.sides.iter().map(own).collect();
        let section = if guards { Section::Guards(alternative) } else { Section::Goal(alternative) };
        if all.iter().all(Vec::is_empty) {
            return;
        }
        let name = match (guards, alternative) {
            (false, 0) => "Goal",
            (true, 0) => "Guards, to be kept",
            (false, _) => "Or this goal",
            (true, _) => "Guards with it",
        };
        self.heading(section, name, all.iter().map(Vec::len).collect(), Note::Counts);
        let mut order: Vec<Option<RelationId>> = Vec::new();
        for (relation, _) in all.iter().flatten() {
            if !order.contains(relation) {
                order.push(*relation);
            }
        }
        for relation in order {
            let of = |literals: &Vec<(Option<RelationId>, usize)>| -> Vec<usize> {
                literals.iter().filter(|(own, _)| *own == relation).map(|(_, i)| *i).collect()
            };
            let lists: Vec<Vec<usize>> = all.iter().map(of).collect();
            let most = lists.iter().map(Vec::len).max().unwrap_or(0);
            for k in 0..most {
                let cell = |(side, list): (&Side, &Vec<usize>)| match list.get(k) {
                    Some(&index) => self.literal(side, alternative, index),
                    None => Cell::default(),
                };
                let cells = self.sides.iter().zip(&lists).map(cell).collect();
                self.row(section, cells);
            }
        }
    }

    fn literal(&self, side: &Side, alternative: usize, index: usize) -> Cell {
        let literal = &self.perspective(side).goal.alternatives[alternative][index];
        let since = side.holds_since(literal);
        let (sign, right) = match since {
            Some(0) => (Sign::Holds, Text::default()),
            Some(step) => (Sign::Holds, Text::dim(format!("at {step}"))),
            // Another of its goals is reached: this one need not be.
            None if self.reaches(side) => (Sign::Nothing, Text::default()),
            None => (Sign::Fails, Text::of(Role::Warn, "never")),
        };
        let head = Text::default().sign(sign).and(" ");
        let text = goal_words(self.world, literal);
        Cell {
            what: What::Literal(alternative, index),
            paragraphs: vec![Paragraph { head, text, right, ..Paragraph::default() }],
        }
    }

    /// Whether a reference reaches its goal, one way or another.
    fn reaches(&self, side: &Side) -> bool {
        self.perspective(side).goal.holds(side.steps.last().map_or(&side.start, |step| &step.state))
    }

    fn references(&mut self) {
        let counts = self.sides.iter().map(|side| side.steps.len()).collect();
        self.heading(Section::Reference, "Reference", counts, Note::CountsOf("call"));
        let most = self.sides.iter().map(|side| side.steps.len()).max().unwrap_or(0);
        for index in 0..most {
            let cell = |side: &Side| side.steps.get(index).map_or(Cell::default(), |step| self.step(side, step));
            let cells = self.sides.iter().map(cell).collect();
            self.row(Section::Reference, cells);
        }
    }

    fn step(&self, side: &Side, step: &ReferenceStep) -> Cell {
        let sign = if !step.refusals.is_empty() {
            StepKind::of_reasons(step.refusals.iter().map(Refusal::name)).into()
        } else if step.differences.is_empty() {
            Sign::FiredIdle
        } else {
            Sign::Fired
        };
        let before = match step.step.checked_sub(2) {
            Some(index) => side.steps[index].goal,
            None => self.perspective(side).goal.best(&side.start).1,
        };
        let mut right = Text::dim(Counts::of(&step.differences).to_string());
        if before != step.goal {
            right = right.role(Role::Good, format!("  {}/{}", step.goal.held, step.goal.of));
        }
        let head = Text::dim(format!("{:>2} ", step.step)).sign(sign).and(" ");
        let name = self.world.domain.tool_name(step.tool).to_owned();
        let mut paragraphs = vec![Paragraph { head, text: name, role: Some(Role::Title), right }];
        let indent = || Text::plain("     ");
        let args = arguments(&step.args);
        if !args.is_empty() {
            paragraphs.push(Paragraph { head: indent(), text: args, role: Some(Role::Plain), right: Text::default() });
        }
        for &difference in &step.differences {
            let (sign, role, text) = difference_words(self.world, difference);
            let head = indent().sign(sign).and(" ");
            paragraphs.push(Paragraph { head, text, role: Some(role), right: Text::default() });
        }
        for refusal in &step.refusals {
            let head = indent().sign(Sign::Fails).and(" ");
            let (text, role) = (refusal.to_string(), Some(Role::Warn));
            paragraphs.push(Paragraph { head, text, role, right: Text::default() });
        }
        if side.shared > 0 && step.step == side.shared + 1 {
            let text = "here its way parts from the others".to_owned();
            paragraphs.insert(0, Paragraph { head: indent(), text, role: Some(Role::Under), right: Text::default() });
        }
        Cell { what: What::Step(step.step), paragraphs }
    }
}

/// One entry of a diff: its sign, the meaning of its colour, and its words.
fn difference_words(world: &World, difference: Difference) -> (Sign, Role, String) {
    match difference {
        Difference::Changed { from, to } => {
            let (key, from, to) = change_parts(world, from, to);
            (Sign::Changed, Role::Changed, format!("{key}: {from} → {to}"))
        }
        Difference::Removed(fact) => (Sign::Removed, Role::Removed, world.fact_text(fact)),
        Difference::Added(fact) => (Sign::Added, Role::Added, world.fact_text(fact)),
        Difference::Produced(fact) => (Sign::Added, Role::Added, format!("in hand: {}", world.fact_text(fact))),
    }
}

/// `asset=pump-101  to=planner`; what is no object stands as it is.
fn arguments(args: &str) -> String {
    let Ok(members) = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(args) else {
        return args.to_owned();
    };
    let member = |(name, value): (&String, &serde_json::Value)| match value.as_str() {
        Some(text) => format!("{name}={text}"),
        None => format!("{name}={value}"),
    };
    members.iter().map(member).collect::<Vec<_>>().join("  ")
}

impl Cell {
    /// Broken into lines of so many cells.
    pub fn lines(&self, width: usize) -> Vec<(Text, Text)> {
        let mut lines = Vec::new();
        for paragraph in &self.paragraphs {
            let (indent, right) = (paragraph.head.width(), paragraph.right.width());
            let room = width.saturating_sub(indent);
            let taken = if right == 0 { 0 } else { right + 1 };
            let role = paragraph.role.unwrap_or(Role::Plain);
            // What stands at the right is kept clear of by all lines: breaking stays the same.
            for (i, line) in wrapped(&paragraph.text, room.saturating_sub(taken)).into_iter().enumerate() {
                if i == 0 {
                    lines.push((paragraph.head.clone().role(role, line), paragraph.right.clone()));
                } else {
                    lines.push((Text::plain(" ".repeat(indent)).role(role, line), Text::default()));
                }
            }
        }
        lines
    }

    /// Its words, for the search.
    pub fn words(&self) -> String {
        self.paragraphs.iter().map(|p| p.text.as_str()).collect::<Vec<_>>().join("  ")
    }
}

/// Where a thing stands in the file of the entry.
pub fn span(world: &World, role: RoleId, what: What) -> Range<usize> {
    let Some(perspective) = world.problem.perspectives.get(&role) else { return 0..0 };
    match what {
        What::Nothing | What::Persona | What::Given => perspective.spans.role.clone(),
        What::Literal(alternative, index) => perspective.goal.alternatives[alternative][index].span.clone(),
        What::Step(step) => perspective.reference[step - 1].span.clone(),
    }
}

/// How high a row is when its cells are so wide; at least one line.
pub fn height(row: &SheetRow, width: usize) -> u16 {
    let lines = |cell: &Cell| cell.lines(width).len();
    u16::try_from(row.cells.iter().map(lines).max().unwrap_or(0)).unwrap_or(u16::MAX).max(1)
}

/// How many cells wide the name of the widest role is.
pub fn widest_role(world: &World) -> usize {
    world.problem.perspectives.keys().map(|&role| cells::width(world.domain.role_name(role))).max().unwrap_or(0)
}
