//! How screens reach each other: one function for each that can be opened from elsewhere.
//!
//! They build, and whoever opens pushes: `ctx.push(open::world(…))`.

use std::path::Path;
use std::sync::Arc;

use super::entry::Entry;
use super::play::{Plan, Play, Start};
use super::results::{Results, Scope};
use super::screen::Screen;
use super::shelf::Shelf;
use super::trajectory::Trajectory;
use super::worlds::Worlds;
use crate::run::RunSource;
use crate::world::{RoleId, ToolId, ToolsetId, World};

/// A run to look at.
#[derive(Debug, Clone)]
pub enum Run {
    /// A log that was found.
    Source(RunSource),
    /// A log made in memory, such as a reference played as a run.
    Made {
        /// What to call it: `im-014 reference technician`.
        name: String,
        /// The log's bytes.
        bytes: Arc<[u8]>,
    },
}

impl Run {
    /// What to call it.
    pub fn name(&self) -> &str {
        match self {
            Run::Source(source) => &source.name,
            Run::Made { name, .. } => name,
        }
    }

    /// The file behind it, if there is one on disk.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Run::Source(source) if !source.embedded => Some(&source.path),
            _ => None,
        }
    }

    /// The bytes of its log.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(&self) -> std::io::Result<Vec<u8>> {
        match self {
            Run::Source(source) => source.read().map(std::borrow::Cow::into_owned),
            Run::Made { bytes, .. } => Ok(bytes.to_vec()),
        }
    }
}

/// Where the world screen opens.
#[derive(Debug, Clone, Copy, Default)]
pub struct WorldPlace {
    /// The tool under the cursor.
    pub tool: Option<ToolId>,
    /// The role under the cursor.
    pub role: Option<RoleId>,
    /// The tool set of the lens; none shows the whole domain.
    pub toolset: Option<ToolsetId>,
}

/// The trajectory of a run, at a step; 0 is the start. [`Trajectory::among`] says where in a list it stands.
pub fn trajectory(shelf: &Arc<Shelf>, run: Run, step: usize) -> Trajectory {
    Trajectory::new(shelf, run, step)
}

/// The world that an entry stands in.
pub fn world(shelf: &Arc<Shelf>, world: &Arc<World>, place: WorldPlace) -> impl Screen + use<> {
    Worlds::new(shelf, world, place)
}

/// A persona to play; without a role or a tool set they are chosen there.
pub fn play(
    shelf: &Arc<Shelf>,
    world: &Arc<World>,
    role: Option<RoleId>,
    toolset: Option<ToolsetId>,
) -> impl Screen + use<> {
    Play::new(shelf, world, Plan { role, toolset, ..Plan::default() })
}

/// A run to play on from one of its steps; the screen is told where.
pub fn play_on(shelf: &Arc<Shelf>, world: &Arc<World>, start: Start) -> impl Screen + use<> {
    Play::new(shelf, world, Plan { start: Some(start), ..Plan::default() })
}

/// The results of all runs of a shelf, or of those in a scope.
pub fn results(shelf: &Arc<Shelf>, scope: Scope) -> Results {
    Results::new(shelf, scope)
}

/// An entry, for an expert's eye; the lens is the name of a tool set.
pub fn entry(shelf: &Arc<Shelf>, world: &Arc<World>, lens: Option<&str>) -> impl Screen + use<> {
    Entry::new(shelf.clone(), world.clone(), lens)
}
