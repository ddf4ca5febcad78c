//! What tests, benches and examples share. None of them uses all of it.
#![allow(dead_code, clippy::unwrap_used)]

pub mod breadth;
pub mod episode;
pub mod ferro;
pub mod generate;
pub mod known;
pub mod oracle;
pub mod rng;
pub mod stub;
pub mod table;
pub mod wander;
pub mod worlds;
