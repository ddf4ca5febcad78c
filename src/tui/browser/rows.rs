//! The rows of the browser: which there are, in which order, which are folded away.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use indexmap::IndexMap;

use super::filter::Filter;
use super::load::{Sketch, is_well};
use crate::run::{RunSource, StepKind, Summary, WorldMatch};
use crate::text::visible;
use crate::tui::cells;
use crate::tui::sign::Sign;
use crate::world::{Diagnostic, Library, Severity, World};

/// A run of the list.
#[derive(Debug, Clone)]
pub struct RunItem {
    /// Where it is.
    pub source: RunSource,
    /// How far reading it has come.
    pub state: RunState,
}

/// How far reading a run has come.
#[derive(Debug, Clone)]
pub enum RunState {
    /// Not read yet.
    Reading,
    /// Cannot be read, and why.
    Unreadable(String),
    /// Summed up.
    Read(Arc<Sketch>),
}

/// A file of entries that does not load.
#[derive(Debug, Clone)]
pub struct FaultyFile {
    /// How messages name it.
    pub name: String,
    /// What is wrong with it; at least one.
    pub diagnostics: Vec<Diagnostic>,
}

/// A column of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as they are headed")]
pub enum Column {
    Worst,
    Run,
    Entry,
    Role,
    Set,
    Agent,
    Calls,
    Goal,
    Over,
    End,
}

impl Column {
    /// All, with their headings and what sorting by them brings first.
    pub const ALL: [(Column, &'static str, &'static str); 10] = [
        (Column::Worst, "worst", "worst first"),
        (Column::Run, "run", "by name"),
        (Column::Entry, "entry", "by entry"),
        (Column::Role, "role", "by role"),
        (Column::Set, "set", "by tool set"),
        (Column::Agent, "agent", "by agent"),
        (Column::Calls, "calls", "by calls, fewest first"),
        (Column::Goal, "goal", "by share of the goal, least first"),
        (Column::Over, "over", "by over-reach, least first"),
        (Column::End, "end", "by end"),
    ];

    /// Its heading.
    pub fn name(self) -> &'static str {
        Column::ALL.iter().find(|(column, ..)| *column == self).map_or("", |(_, name, _)| name)
    }

    /// What sorting by it brings.
    pub fn order(self) -> &'static str {
        Column::ALL.iter().find(|(column, ..)| *column == self).map_or("", |(.., order)| order)
    }

    /// The column of that heading.
    pub fn named(name: &str) -> Option<Column> {
        Column::ALL.iter().find(|(_, known, _)| *known == name).map(|(column, ..)| *column)
    }
}

/// A row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// A file of entries that does not load.
    Faulty(usize),
    /// A path that cannot be looked into.
    Unreadable(usize),
    /// An entry, heading its runs.
    Entry(usize),
    /// Heads the runs that belong to no entry here.
    Others,
    /// A run.
    Run(usize),
}

/// What a row is about, whatever becomes of the rows around it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named after the rows")]
pub enum Key {
    Faulty(String),
    Unreadable(PathBuf),
    Entry(String),
    Others,
    Run(PathBuf),
}

/// Everything that rows are about.
#[derive(Debug, Default)]
pub struct Stock {
    /// The runs, as found.
    pub items: Vec<RunItem>,
    /// The entries by id: those of the shelf, then those that its runs were made on.
    pub entries: IndexMap<String, Arc<World>>,
    /// Whether the entries are here.
    pub loaded: bool,
    /// Files that do not load.
    pub faulty: Vec<FaultyFile>,
    /// Paths that cannot be looked into, and why.
    pub unreadable: Vec<(PathBuf, String)>,
}

/// How rows are arranged.
#[derive(Debug, Clone, Default)]
pub struct Arrangement {
    /// Runs under their entries.
    pub by_entry: bool,
    /// Sorted by.
    pub column: Option<Column>,
    /// The other way round.
    pub reverse: bool,
    /// Runs with this tool set alone.
    pub lens: Option<String>,
    /// Which runs there are.
    pub filter: Filter,
    /// The groups that are open.
    pub open: HashSet<Key>,
}

impl RunItem {
    /// Its summary, once it is read.
    pub fn summary(&self) -> Option<&Summary> {
        match &self.state {
            RunState::Read(sketch) => Some(&sketch.summary),
            _ => None,
        }
    }

    /// What a column says of it; empty where nothing is known.
    pub fn column(&self, column: Column) -> String {
        if column == Column::Run {
            return self.source.name.clone();
        }
        let Some(summary) = self.summary() else {
            return match (column, &self.state) {
                (Column::End, RunState::Unreadable(_)) => "unreadable".to_owned(),
                (Column::End, _) => "reading".to_owned(),
                _ => String::new(),
            };
        };
        let or_none = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        match column {
            Column::Entry => or_none(&summary.problem),
            Column::Role => or_none(&summary.role),
            Column::Set => or_none(&summary.toolset),
            Column::Agent => or_none(&summary.agent),
            Column::Calls => match summary.budget {
                Some(budget) => format!("{}/{budget}", summary.calls),
                None => summary.calls.to_string(),
            },
            Column::Goal => summary.goal.map_or_else(|| "-".to_owned(), |goal| format!("{}/{}", goal.held, goal.of)),
            Column::Over => summary.over_reach.to_string(),
            Column::End => end(summary),
            Column::Worst | Column::Run => String::new(),
        }
    }

    /// All columns in one text, for words.
    pub fn words(&self) -> String {
        let columns = [Column::Run, Column::Entry, Column::Role, Column::Set, Column::Agent, Column::End];
        let texts: Vec<String> = columns.into_iter().map(|column| self.column(column)).collect();
        texts.join("  ")
    }

    /// Whether there is something to look at: anything but a goal reached without a refusal.
    pub fn has_finding(&self) -> bool {
        matches!(self.state, RunState::Unreadable(_))
            || self.summary().is_some() && !matches!(sign_of(self), Sign::Holds | Sign::Unknown)
    }
}

/// How it ended, and what is wrong with the record.
fn end(summary: &Summary) -> String {
    let mut end = summary.end.clone().unwrap_or_else(|| "no end".to_owned());
    if summary.diverged {
        end.push_str(", diverges");
    }
    if summary.damage > 0 {
        end.push_str(&format!(", damaged {}", summary.damage));
    }
    match summary.world {
        WorldMatch::Same => {}
        WorldMatch::Changed => end.push_str(", world changed"),
        WorldMatch::Missing => end.push_str(", no world"),
    }
    end
}

/// The sign of the worst finding; of a run without one, whether its goal is reached.
pub fn sign_of(item: &RunItem) -> Sign {
    let Some(summary) = item.summary() else {
        return if matches!(item.state, RunState::Reading) { Sign::Pending } else { Sign::Damaged };
    };
    match summary.worst {
        Some(kind) if !is_well(kind) => kind.into(),
        _ if summary.damage > 0 => Sign::Damaged,
        _ => match summary.goal {
            Some(goal) if goal.complete() => Sign::Holds,
            Some(_) => Sign::Fails,
            None => Sign::Unknown,
        },
    }
}

/// A value to sort by.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    Number(Option<u64>),
    Text(String),
}

impl Stock {
    /// Takes entries in, and sorts out what does not load.
    pub fn take_library(&mut self, library: &Library) {
        self.faulty.clear();
        for diagnostic in library.diagnostics.iter().filter(|d| d.severity == Severity::Error) {
            match self.faulty.iter_mut().find(|file| file.name == diagnostic.file.name) {
                Some(file) => file.diagnostics.push(diagnostic.clone()),
                None => self
                    .faulty
                    .push(FaultyFile { name: diagnostic.file.name.clone(), diagnostics: vec![diagnostic.clone()] }),
            }
        }
        self.entries = library.worlds.clone();
        self.loaded = true;
        (0..self.items.len()).for_each(|run| self.meet(run));
    }

    /// Takes a run in that was read.
    pub fn take_run(&mut self, run: usize, state: RunState) {
        if let Some(item) = self.items.get_mut(run) {
            item.state = state;
            self.meet(run);
        }
    }

    /// The entry of a run stands in the list too.
    fn meet(&mut self, run: usize) {
        if let RunState::Read(sketch) = &self.items[run].state
            && let Some(world) = &sketch.world
        {
            self.entries.entry(world.problem.id.clone()).or_insert_with(|| world.clone());
        }
    }

    /// The entry of a run, if it is here.
    pub fn world(&self, item: &RunItem) -> Option<&Arc<World>> {
        self.entries.get(item.summary()?.problem.as_ref()?)
    }

    /// An entry by its place.
    pub fn entry(&self, index: usize) -> Option<&Arc<World>> {
        self.entries.get_index(index).map(|(_, world)| world)
    }

    /// What a row is about.
    pub fn key(&self, row: Row) -> Key {
        match row {
            Row::Faulty(i) => Key::Faulty(self.faulty[i].name.clone()),
            Row::Unreadable(i) => Key::Unreadable(self.unreadable[i].0.clone()),
            Row::Entry(i) => Key::Entry(self.entry(i).map(|world| world.problem.id.clone()).unwrap_or_default()),
            Row::Others => Key::Others,
            Row::Run(i) => Key::Run(self.items[i].source.path.clone()),
        }
    }

    /// All rows in order, those of closed groups too, each with whether it is to be seen.
    pub fn rows(&self, how: &Arrangement) -> Vec<(Row, bool)> {
        let mut rows = Vec::new();
        let passes = |words: &str| how.filter.passes_words(words);
        rows.extend((0..self.faulty.len()).filter(|&i| passes(&self.faulty[i].name)).map(|i| (Row::Faulty(i), true)));
        let paths = (0..self.unreadable.len()).filter(|&i| passes(&self.unreadable[i].0.to_string_lossy()));
        rows.extend(paths.map(|i| (Row::Unreadable(i), true)));
        let runs = self.runs(how);
        if !how.by_entry {
            rows.extend(runs.into_iter().map(|i| (Row::Run(i), true)));
            return rows;
        }
        if !self.loaded {
            return rows;
        }
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); self.entries.len() + 1];
        let others = groups.len() - 1;
        for run in runs {
            // A run that is still to be read belongs nowhere yet; the header counts it.
            let Some(summary) = self.items[run].summary() else {
                if matches!(self.items[run].state, RunState::Unreadable(_)) {
                    groups[others].push(run);
                }
                continue;
            };
            let entry = summary.problem.as_ref().and_then(|id| self.entries.get_index_of(id));
            groups[entry.unwrap_or(others)].push(run);
        }
        for (entry, group) in groups.into_iter().enumerate() {
            let row = if entry == others { Row::Others } else { Row::Entry(entry) };
            let named = self.entry(entry).is_some_and(|world| passes(&entry_words(world)));
            if group.is_empty() && !named {
                continue;
            }
            rows.push((row, true));
            let open = how.open.contains(&self.key(row));
            rows.extend(group.into_iter().map(|run| (Row::Run(run), open)));
        }
        rows
    }

    /// The runs that pass filter and lens, in order.
    fn runs(&self, how: &Arrangement) -> Vec<usize> {
        let in_lens =
            |item: &RunItem| how.lens.is_none() || item.summary().is_none_or(|summary| summary.toolset == how.lens);
        let passes = |item: &RunItem| how.filter.passes(item, self.world(item).map(AsRef::as_ref));
        let mut runs: Vec<usize> =
            (0..self.items.len()).filter(|&i| in_lens(&self.items[i]) && passes(&self.items[i])).collect();
        let Some(column) = how.column else { return runs };
        // What cannot be read stands first: it is the worst there is.
        runs.sort_by_cached_key(|&i| (self.rank(i), self.items[i].summary().map(Summary::worst_first)));
        let value = |i: usize| self.value(i, column);
        match (column, how.reverse) {
            (Column::Worst, false) => {}
            (Column::Worst, true) => runs.reverse(),
            (_, false) => runs.sort_by_cached_key(|&i| (self.rank(i), value(i))),
            (_, true) => runs.sort_by_cached_key(|&i| (self.rank(i), Reverse(value(i)))),
        }
        runs
    }

    fn rank(&self, run: usize) -> u8 {
        match self.items[run].state {
            RunState::Unreadable(_) => 0,
            RunState::Read(_) => 1,
            RunState::Reading => 2,
        }
    }

    fn value(&self, run: usize, column: Column) -> Value {
        let item = &self.items[run];
        let number = |of: &dyn Fn(&Summary) -> Option<usize>| {
            Value::Number(item.summary().and_then(of).and_then(|n| u64::try_from(n).ok()))
        };
        match column {
            Column::Calls => number(&|summary| Some(summary.calls)),
            Column::Goal => number(&|summary| summary.goal.map(|goal| goal.held * 10_000 / goal.of.max(1))),
            Column::Over => number(&|summary| Some(summary.over_reach)),
            column => Value::Text(item.column(column)),
        }
    }
}

/// What headings and headers say of all rows; worked out when they change.
#[derive(Debug, Clone, Default)]
pub struct Totals {
    /// Runs that pass.
    pub runs: usize,
    /// Entries that pass.
    pub entries: usize,
    /// Sides of all entries.
    pub perspectives: usize,
    /// Files that are of no use.
    pub unusable: usize,
    /// Runs of each entry, and the worst kind of step among them.
    pub of_entry: Vec<(usize, Option<StepKind>)>,
    /// The widest words of the columns run, entry, role, set, agent and end.
    pub widest: [usize; 6],
    /// The roles of all entries, in order.
    pub roles: Vec<String>,
}

impl Totals {
    /// Goes over everything once; `rows` are all rows.
    pub fn of(stock: &Stock, rows: &[(Row, bool)]) -> Totals {
        let worlds = || stock.entries.values();
        let unread = stock.items.iter().filter(|item| matches!(item.state, RunState::Unreadable(_))).count();
        let mut totals = Totals {
            runs: rows.iter().filter(|(row, _)| matches!(row, Row::Run(_))).count(),
            entries: rows.iter().filter(|(row, _)| matches!(row, Row::Entry(_))).count(),
            perspectives: worlds().map(|world| world.problem.perspectives.len()).sum(),
            unusable: stock.faulty.len() + stock.unreadable.len() + unread,
            of_entry: vec![(0, None); stock.entries.len()],
            ..Totals::default()
        };
        let mut widen = |column: usize, text: &str| {
            totals.widest[column] = totals.widest[column].max(cells::width(text));
        };
        for item in &stock.items {
            widen(0, &item.source.name);
            let Some(summary) = item.summary() else { continue };
            let texts = [&summary.problem, &summary.role, &summary.toolset, &summary.agent];
            (1..).zip(texts).for_each(|(column, text)| widen(column, &visible(text.as_deref().unwrap_or("-"))));
            widen(5, &visible(&end(summary)));
            if let Some(index) = summary.problem.as_ref().and_then(|id| stock.entries.get_index_of(id)) {
                let (runs, worst) = &mut totals.of_entry[index];
                *runs += 1;
                *worst = (*worst).max(summary.worst);
            }
        }
        for world in worlds() {
            widen(1, &world.problem.id);
            world.problem.toolsets.keys().for_each(|set| widen(3, set));
            for role in world.domain.roles.keys() {
                widen(2, role);
                if !totals.roles.contains(role) {
                    totals.roles.push(role.clone());
                }
            }
        }
        totals
    }
}

/// What words find of an entry.
pub fn entry_words(world: &World) -> String {
    let roles: Vec<&str> = world.problem.perspectives.keys().map(|&role| world.domain.role_name(role)).collect();
    format!("{}  {}  {}", world.problem.id, world.problem.title, roles.join(" "))
}
