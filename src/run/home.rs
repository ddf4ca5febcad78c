//! Where runs are looked for when none are named, and the entry that a run was made on.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Found, Header, embedded, find};
use crate::world::{World, nearest_root};

/// The current folder, if it holds `domain/`.
pub fn here() -> Option<PathBuf> {
    let here = PathBuf::from(".");
    here.join("domain").is_dir().then_some(here)
}

/// The runs where none are named: below `root`; without it those of the current folder if it holds
/// `domain/`, else the benchmark's and those in `./runs`, and with them those in `kept`, the folder into
/// which runs go that are played or made.
pub fn shelved(root: Option<&Path>, kept: Option<&Path>) -> Found {
    let home = root.map(Path::to_owned).or_else(here);
    let benchmark = if home.is_none() { embedded() } else { Vec::new() };
    let beside = home.map_or_else(|| PathBuf::from(BESIDE), |home| home.join("runs"));
    let mut found = Found { runs: benchmark, ..Found::default() };
    for folder in [Some(&*beside), kept.filter(|_| root.is_none())].into_iter().flatten().filter(|path| path.exists()) {
        let more = find(folder);
        found.runs.extend(more.runs);
        found.unreadable.extend(more.unreadable);
    }
    found
}

/// Runs beside the benchmark.
pub const BESIDE: &str = "./runs";

/// The folders in which the entry of a run may be, in this order: `root`; the nearest above the log
/// that holds `domain/`; the current one. `None`, the last, is the benchmark that comes with the program.
pub fn homes(root: Option<&Path>, log: Option<&Path>) -> impl Iterator<Item = Option<PathBuf>> {
    let folders = [root.map(Path::to_owned), log.and_then(nearest_root), here()];
    folders.into_iter().flatten().map(Some).chain([None])
}

/// The entry that a run names, if the one that is found under its id is of the same domain.
pub fn entry_of(header: &Header, find: impl FnOnce(&str) -> Option<Arc<World>>) -> Option<Arc<World>> {
    let world = find(header.problem.as_deref()?)?;
    header.domain.as_ref().is_none_or(|name| *name == world.domain.name).then_some(world)
}
