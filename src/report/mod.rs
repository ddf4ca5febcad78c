//! The report of a set of runs: one page that needs no network and no script, or the same as Markdown.
//!
//! [`Figures`] puts the runs together, [`Story`] is one of them to be read, [`findings()`] says in words what
//! the numbers show of an agent; [`html()`] and [`markdown()`] write all that. Nothing here opens a file or knows a
//! clock: the same runs give the same bytes.

mod charts;
mod figures;
mod findings;
mod html;
mod markdown;
mod marks;
mod markup;
mod parts;
mod story;
mod trajectory;

use std::sync::Arc;

use crate::{run::Badness, score::Scored, world::World};

pub use figures::{Bars, Cell, Figures, Heat, Line, Point};
pub use findings::{Finding, findings};
pub use html::html;
pub use markdown::markdown;
pub use story::{Item, Step, Story};

/// A run, as the report needs it.
#[derive(Debug, Clone)]
pub struct Run {
    /// What it scores.
    pub scored: Scored,
    /// The entry it was executed on.
    pub world: Arc<World>,
    /// How much it is worth a look.
    pub badness: Badness,
    /// Whether it does something else than its log says.
    pub diverged: bool,
}

/// A run that could not be scored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// The run's id, else the name of its file.
    pub run: String,
    /// A sentence without a full stop.
    pub why: String,
}

/// All that a report says.
#[derive(Debug)]
pub struct Report {
    /// The runs together.
    pub figures: Figures,
    /// What they show, by agent.
    pub findings: Vec<Finding>,
    /// What could not be scored.
    pub left: Vec<Left>,
    /// The worst runs, the worst first.
    pub worst: Vec<Story>,
    /// The worst runs of the cells of the heat map, as far as they are not among those.
    pub behind: Vec<Story>,
}

/// The places of the runs that are told step by step.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Told {
    /// The worst, the worst first.
    pub worst: Vec<usize>,
    /// The worst of each cell of the heat map, as far as they are not among those.
    pub behind: Vec<usize>,
}

/// At most so many runs are told for the heat map, the worst first: a page stays small.
const BEHIND: usize = 300;

impl Told {
    /// Chooses the `worst` runs, and the worst run of each cell.
    pub fn of(runs: &[Run], figures: &Figures, worst: usize) -> Told {
        let mut order: Vec<usize> = (0..runs.len()).collect();
        order.sort_by(|&a, &b| worst_first(runs, a, b));
        order.truncate(worst);
        let cells = figures.heat.iter().flat_map(|heat| heat.cells.values());
        let mut behind: Vec<usize> = cells.map(|cell| cell.worst).filter(|place| !order.contains(place)).collect();
        behind.sort_by(|&a, &b| worst_first(runs, a, b));
        behind.truncate(BEHIND);
        Told { worst: order, behind }
    }
}

/// The order of the browser: the worst first, runs alike by entry and name.
fn worst_first(runs: &[Run], a: usize, b: usize) -> std::cmp::Ordering {
    let key = |place: usize| {
        let Run { scored, badness, .. } = &runs[place];
        (std::cmp::Reverse(badness), &scored.problem, &scored.run, place)
    };
    key(a).cmp(&key(b))
}
