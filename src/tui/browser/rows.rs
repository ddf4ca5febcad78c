//! The rows of the browser: which there are, in which order, which are folded away.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use indexmap::IndexMap;

use super::filter::Filter;
use super::item::{Column, Held, RunItem, RunState, end, sign_of};
use crate::score::Scored;
use crate::text::visible;
use crate::tui::cells;
use crate::tui::sign::Sign;
use crate::world::{Diagnostic, Library, Severity, World};

/// A file of entries that does not load.
#[derive(Debug, Clone)]
pub struct FaultyFile {
    /// How messages name it.
    pub name: String,
    /// What is wrong with it; at least one.
    pub diagnostics: Vec<Diagnostic>,
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

/// A value to sort by; numbers that are none stand first.
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
            if matches!(&state, RunState::Read(sketch) if sketch.scored.is_none()) {
                item.held = Held::Nothing;
            }
            item.state = state;
            self.meet(run);
        }
    }

    /// Takes in what runs are against plans, by their place.
    pub fn take_ways(&mut self, held: Vec<(usize, Option<Arc<Scored>>)>) {
        for (run, scored) in held {
            if let Some(item) = self.items.get_mut(run) {
                item.held = scored.map_or(Held::Nothing, Held::Known);
            }
        }
    }

    /// What is not known by now will not be.
    pub fn give_up(&mut self) {
        let waiting = self.items.iter_mut().filter(|item| item.waits());
        waiting.for_each(|item| item.held = Held::Nothing);
    }

    /// From now on all that is known counts in the order.
    pub fn count_all(&mut self) {
        self.items.iter_mut().for_each(|item| item.counts = true);
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
        let reach = |item: &RunItem| if item.counts { item.reach() } else { (0, 0) };
        let worst = |item: &RunItem| item.summary().map(|summary| summary.worst_first(reach(item)));
        runs.sort_by_cached_key(|&i| (self.rank(i), worst(&self.items[i])));
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
        match column {
            Column::Calls
            | Column::Goal
            | Column::Taking
            | Column::Routing
            | Column::Over
            | Column::Under
            | Column::Distance
            | Column::Efficiency => {
                let known = item.counts || !column.needs_plans();
                // Numbers that are not negative stand in the order of their bits.
                Value::Number(item.number(column).filter(|_| known).map(f64::to_bits))
            }
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
    /// Runs of each entry, and the worst of their signs.
    pub of_entry: Vec<(usize, Option<Sign>)>,
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
                *worst = (*worst).into_iter().chain([sign_of(item)]).max_by_key(|sign| sign.severity());
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
