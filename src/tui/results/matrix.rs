//! The cells of a table: which runs stand behind each, how many of them are solved, the worst sign.

use std::collections::HashMap;

use super::at::{At, Head, Order};
use crate::score::{GroupKey, Scored, members};
use crate::tui::browser::item::{RunItem, severity, sign_of};
use crate::tui::browser::rows::Stock;
use crate::tui::sign::Sign;

/// A table, counted.
#[derive(Debug, Clone, Default)]
pub struct Matrix {
    /// Its rows; all together, and what was not scored, last.
    pub rows: Vec<Head>,
    /// Its columns; all together last.
    pub columns: Vec<Head>,
    /// Cells by row and column.
    pub cells: Vec<Vec<Cell>>,
}

/// Runs that have a row's and a column's names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cell {
    /// By their places in the stock, the worst first.
    pub runs: Vec<usize>,
    /// How many are solved; none where they are not scored.
    pub solved: Option<usize>,
    /// The worst of their signs.
    pub sign: Option<Sign>,
    /// There could be runs: the entry has a perspective of the role, or the tool set.
    pub possible: bool,
}

impl Cell {
    /// Some run of it is not solved.
    pub fn fails(&self) -> bool {
        self.solved.is_some_and(|solved| solved < self.runs.len())
    }
}

impl Matrix {
    /// Counts these runs of a stock.
    pub fn of(stock: &Stock, runs: &[usize], at: &At) -> Matrix {
        let table = at.table();
        let (scored, unscored): (Vec<usize>, Vec<usize>) =
            runs.iter().copied().partition(|&run| stock.items[run].scored().is_some());
        let score = |run: &usize| stock.items[*run].scored().map(AsRef::as_ref);
        let scores: Vec<&Scored> = scored.iter().filter_map(score).collect();
        let by = members(scores.iter().copied(), &[table.rows, table.columns]);
        let found: HashMap<(&str, &str), Vec<usize>> = by
            .into_iter()
            .map(|(key, places)| ((key[0], key[1]), places.into_iter().map(|place| scored[place]).collect()))
            .collect();
        let names = |key: GroupKey, side: fn(&(&str, &str)) -> String| {
            let used = |name: &String| found.keys().any(|key| side(key) == *name);
            let mut names: Vec<String> = known(stock, key).into_iter().filter(|name| at.all || used(name)).collect();
            let mut more: Vec<String> = found.keys().map(side).filter(|name| !names.contains(name)).collect();
            more.sort();
            more.dedup();
            names.extend(more);
            names.into_iter().map(Head::Of).collect::<Vec<_>>()
        };
        let mut rows = names(table.rows, |key| key.0.to_owned());
        let mut columns = names(table.columns, |key| key.1.to_owned());
        rows.sort_by_cached_key(|head| at.ordered.iter().position(|known| known == head).unwrap_or(usize::MAX));
        rows.push(Head::All);
        columns.push(Head::All);
        let behind = |row: &Head, column: &Head| -> Vec<usize> {
            let fits = |head: &Head, name: &str| match head {
                Head::Of(own) => own == name,
                Head::All => true,
                Head::Unscored => false,
            };
            if let (Head::Of(row), Head::Of(column)) = (row, column) {
                return found.get(&(row.as_str(), column.as_str())).cloned().unwrap_or_default();
            }
            let fitting =
                found.iter().filter(|((own_row, own_column), _)| fits(row, own_row) && fits(column, own_column));
            fitting.flat_map(|(_, runs)| runs.iter().copied()).collect()
        };
        let cell = |row: &Head, column: &Head| {
            let mut cell = Cell::of(stock, behind(row, column));
            cell.possible = possible(stock, (table.rows, row), (table.columns, column));
            cell
        };
        let mut cells: Vec<Vec<Cell>> =
            rows.iter().map(|row| columns.iter().map(|column| cell(row, column)).collect()).collect();
        if !unscored.is_empty() {
            let mut last = vec![Cell::default(); columns.len()];
            let sign = unscored.iter().map(|&run| sign_of(&stock.items[run])).max_by_key(|sign| severity(*sign));
            if let Some(all) = last.last_mut() {
                *all = Cell { runs: unscored, solved: None, sign, possible: true };
            }
            rows.push(Head::Unscored);
            cells.push(last);
        }
        Matrix { rows, columns, cells }
    }

    /// Runs that are scored.
    pub fn scored(&self) -> usize {
        let all = self.rows.iter().position(|head| *head == Head::All);
        all.and_then(|row| self.cells[row].last()).map_or(0, |cell| cell.runs.len())
    }

    /// A cell.
    pub fn cell(&self, row: usize, column: usize) -> Option<&Cell> {
        self.cells.get(row)?.get(column)
    }

    /// The rows but for totals, in this order.
    pub fn ordered(&self, stock: &Stock, order: Order, reverse: bool) -> Vec<Head> {
        let last = self.columns.len().saturating_sub(1);
        let mut rows: Vec<(usize, &Head)> =
            self.rows.iter().enumerate().filter(|(_, head)| matches!(head, Head::Of(_))).collect();
        let value = |row: usize| -> (usize, usize) {
            let Some(cell) = self.cell(row, last) else { return (0, 0) };
            let sum = |of: &dyn Fn(&RunItem) -> usize| cell.runs.iter().map(|&run| of(&stock.items[run])).sum();
            match order {
                Order::Given => (0, 0),
                Order::Solved => (cell.solved.unwrap_or(0) * 10_000 / cell.runs.len().max(1), cell.runs.len()),
                Order::Over => (sum(&|item| item.summary().map_or(0, |summary| summary.over_reach)), 0),
                Order::Under => (sum(&|item| item.reach().0), 0),
                Order::Runs => (cell.runs.len(), 0),
            }
        };
        rows.sort_by_cached_key(|(row, _)| value(*row));
        if reverse {
            rows.reverse();
        }
        rows.into_iter().map(|(_, head)| head.clone()).collect()
    }
}

impl Cell {
    fn of(stock: &Stock, mut runs: Vec<usize>) -> Cell {
        let item = |run: usize| &stock.items[run];
        runs.sort_by_cached_key(|&run| item(run).summary().map(|summary| summary.worst_first(item(run).reach())));
        let is_solved = |run: &&usize| item(**run).scored().is_some_and(|scored| scored.score.solved);
        let solved = runs.iter().filter(is_solved).count();
        let sign = runs.iter().map(|&run| sign_of(item(run))).max_by_key(|sign| severity(*sign));
        Cell { solved: (!runs.is_empty()).then_some(solved), sign, runs, possible: true }
    }
}

/// All names that a key can have, in the order of the files; agents are known by their runs alone.
pub fn known(stock: &Stock, key: GroupKey) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut add = |name: &String| {
        if !names.contains(name) {
            names.push(name.clone());
        }
    };
    for world in stock.entries.values() {
        match key {
            GroupKey::Problem => add(&world.problem.id),
            GroupKey::Role => world.domain.roles.keys().for_each(&mut add),
            GroupKey::Toolset => world.problem.toolsets.keys().for_each(&mut add),
            GroupKey::Agent => {}
        }
    }
    names
}

/// Whether an entry has the role or the tool set of the other side.
fn possible(stock: &Stock, row: (GroupKey, &Head), column: (GroupKey, &Head)) -> bool {
    let ((GroupKey::Problem, Head::Of(entry)), (key, Head::Of(name))) = (row, column) else { return true };
    let Some(world) = stock.entries.get(entry) else { return true };
    match key {
        GroupKey::Role => world.domain.role_id(name).is_some_and(|role| world.problem.perspectives.contains_key(&role)),
        GroupKey::Toolset => world.problem.toolsets.contains_key(name.as_str()),
        _ => true,
    }
}
