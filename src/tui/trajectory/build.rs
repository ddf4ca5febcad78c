//! The pages of call and state, built when what they show has changed.

use super::folds::{Fold, Folds};
use super::items::{Item, Shape};
use super::page::{self, Key, Row};
use super::{Reading, Trajectory, WIDE, call, ends, state};
use crate::tui::layout::Room;
use crate::tui::list::List;

/// What the pages were built for: they are built again when it differs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Built {
    reading: u32,
    item: Item,
    folds: Folds,
    baseline: Option<usize>,
    known: usize,
    judged: Option<(u32, usize, bool)>,
    lines: usize,
    finished: bool,
    alone: bool,
    wide: bool,
}

impl Trajectory {
    /// Builds the pages again where what they show has changed.
    pub(super) fn build(&mut self) {
        let Reading::Here(run) = &self.reading else { return };
        let cursors = &mut self.cursors;
        let alone = Room::of(self.size) < Room::Wide;
        let wanted = Built {
            reading: self.shown,
            item: cursors.item,
            folds: cursors.folds.clone(),
            baseline: cursors.baseline,
            known: run.kinds.len(),
            judged: run.appraisal.as_ref().map(|appraisal| appraisal.progress()),
            lines: run.log.rows().len(),
            finished: run.log.finished(),
            alone,
            wide: self.size.width >= WIDE,
        };
        if self.built.as_ref() == Some(&wanted) && self.sought.is_none() {
            return;
        }
        let sought = self.sought.take();
        let moved = self.built.as_ref().map(|built| built.item) != Some(cursors.item);
        let step = cursors.item.step(run);
        let call = match cursors.item.shape(run) {
            Shape::Call(step) => call::page(run, step, &cursors.folds, alone),
            _ => ends::page(run, cursors.item, &cursors.folds),
        };
        if moved {
            let matters = call.iter().position(|row| row.matters).unwrap_or(0);
            cursors.call = List { cursor: matters, top: 0, ..cursors.call };
        } else if self.call.get(cursors.call.cursor).is_some_and(|row| row.matters) {
            // What is found out later may stand above it.
            cursors.call.cursor = call.iter().position(|row| row.matters).unwrap_or(cursors.call.cursor);
        } else {
            page::follow(&self.call, &call, &mut cursors.call);
        }
        let base = cursors.baseline.unwrap_or(step.saturating_sub(1)).min(run.steps());
        let state = state::page(run, step, base, &cursors.folds);
        if self.built.is_none() && cursors.state == List::default() {
            // On a heading, so that a long change above it does not break into lines by itself.
            cursors.state.cursor = state.iter().position(|row| row.key == Key::Fold(Fold::Goal)).unwrap_or(0);
        }
        page::follow(&self.state, &state, &mut cursors.state);
        if self.size.width >= WIDE {
            self.said = ends::said(run, cursors.item);
            if moved {
                let matters = self.said.iter().position(|row| row.matters).unwrap_or(0);
                cursors.said = List { cursor: matters, top: 0, ..cursors.said };
            }
        }
        (self.call, self.state) = (call, state);
        self.built = Some(wanted);
        if let Some(pattern) = sought {
            let found = |rows: &[Row]| rows.iter().position(|row| pattern.matches(&row.plain()));
            let (call, said, state) = (found(&self.call), found(&self.said), found(&self.state));
            cursors.call.cursor = call.unwrap_or(cursors.call.cursor);
            cursors.said.cursor = said.unwrap_or(cursors.said.cursor);
            if call.or(said).is_none() {
                cursors.state.cursor = state.unwrap_or(cursors.state.cursor);
            }
        }
    }
}
