//! Scores: goal attainment, over-reach and under-reach by gate, efficiency (design §5). The axes are
//! reported separately, never as one number.

mod axes;
mod judge;
mod scored;
mod stats;
mod tables;
mod ways;
mod words;

pub use axes::{Efficiency, OverReach, Score, goal_parts};
pub use judge::{Go, Stretch};
pub use scored::Scored;
pub use stats::{Gap, Mean, Proportion};
pub use tables::{Group, GroupKey, UnderReach, groups, members};
pub use ways::{Deferral, GateKind, Verdict, Ways, Withheld};
pub use words::passes;
