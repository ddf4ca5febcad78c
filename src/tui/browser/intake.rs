//! What the reading job finds, taken in as it comes.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::item::{RunItem, RunState};
use super::load::{self, Found};
use super::rows::Stock;
use crate::run::RunSource;
use crate::tui::job::JobId;
use crate::tui::screen::Ctx;
use crate::tui::shelf::Shelf;

/// How far reading everything on a shelf has come.
#[derive(Debug, Default)]
pub struct Intake {
    /// Runs that are still to be read.
    pub left: usize,
    /// Runs that are still to be held against plans.
    pub waiting: usize,
    /// Whether the entries are still to be loaded.
    pub loading: bool,
    /// Which reading counts.
    number: u32,
    job: Option<JobId>,
    /// What was read before, until it is read anew.
    before: HashMap<PathBuf, RunItem>,
}

/// What was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Something more is known.
    More,
    /// All runs are read.
    Read,
    /// All runs are held against plans too.
    All,
}

impl Intake {
    /// Nothing is read yet.
    pub fn new() -> Intake {
        Intake { loading: true, ..Intake::default() }
    }

    /// Begins to read everything, or to read it again, anew from disk.
    pub fn begin(&mut self, shelf: &Arc<Shelf>, ctx: &mut Ctx) {
        if let Some(job) = self.job.take() {
            ctx.cancel(job);
        }
        let again = self.number > 0;
        self.number += 1;
        self.loading = true;
        let (shelf, number) = (shelf.clone(), self.number);
        self.job = Some(ctx.spawn(move |handle| {
            if again {
                shelf.forget();
            }
            load::load(&shelf, number, handle)
        }));
    }

    /// Looks again after a while for runs that are new or went on.
    pub fn look_again(&mut self, shelf: &Arc<Shelf>, pause: Duration, ctx: &mut Ctx) {
        self.number += 1;
        let (shelf, number) = (shelf.clone(), self.number);
        self.job = Some(ctx.spawn_after(pause, move |handle| {
            shelf.forget_unended();
            load::load(&shelf, number, handle)
        }));
    }

    /// Whether nothing is being read.
    pub fn idle(&self) -> bool {
        self.job.is_none()
    }

    /// Whether anything was begun.
    pub fn begun(&self) -> bool {
        self.number > 0
    }

    /// Takes in what was found; nothing where it is of a reading that counts no more.
    pub fn take(&mut self, stock: &mut Stock, found: Found) -> Option<Stage> {
        let stage = match found {
            Found::Listing(number, runs, unreadable) if number == self.number => {
                let read = |item: RunItem| (item.source.path.clone(), item);
                self.before = std::mem::take(&mut stock.items).into_iter().map(read).collect();
                let known = |source: RunSource| match self.before.get(&source.path) {
                    Some(before) => RunItem { source, ..before.clone() },
                    None => RunItem::new(source),
                };
                stock.items = runs.into_iter().map(known).collect();
                stock.unreadable = unreadable;
                self.left = stock.items.len();
                Stage::More
            }
            Found::Entries(number, library) if number == self.number => {
                stock.take_library(&library);
                self.loading = false;
                Stage::More
            }
            Found::Runs(number, read) if number == self.number => {
                self.left -= read.len().min(self.left);
                for (index, state) in read {
                    stock.take_run(index, state.map_or_else(RunState::Unreadable, RunState::Read));
                }
                Stage::More
            }
            Found::Read(number) if number == self.number => {
                self.left = 0;
                self.before.clear();
                self.waiting = stock.items.iter().filter(|item| item.scored().is_some()).count();
                Stage::Read
            }
            Found::Ways(number, held) if number == self.number => {
                self.waiting -= held.len().min(self.waiting);
                stock.take_ways(held);
                Stage::More
            }
            Found::All(number) if number == self.number => {
                self.waiting = 0;
                self.job = None;
                Stage::All
            }
            _ => return None,
        };
        Some(stage)
    }

    /// A job failed: if it is the reading, what is not known by now will not be. Says whether it is.
    pub fn give_up(&mut self, job: JobId, stock: &mut Stock) -> bool {
        if self.job != Some(job) {
            return false;
        }
        (self.job, self.left, self.waiting, self.loading) = (None, 0, 0, false);
        stock.give_up();
        true
    }
}
