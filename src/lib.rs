//! ReFract: an executable text world model, an executor, run logs and a trajectory inspector for
//! **perspective awareness** in language-model agents.
//!
//! Data flows one way: files → [`world`] → [`exec`] → everything else. `ARCHITECTURE.md` is the map.

pub mod agent;
pub mod check;
pub mod cli;
pub mod exec;
pub mod file;
pub mod net;
pub mod plan;
pub mod report;
pub mod run;
pub mod score;
pub mod text;
pub mod tui;
pub mod world;
