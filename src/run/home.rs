//! Where the entry that a run was made on is looked for.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Header;
use crate::world::{World, nearest_root};

/// The current folder, if it holds `domain/`.
pub fn here() -> Option<PathBuf> {
    let here = PathBuf::from(".");
    here.join("domain").is_dir().then_some(here)
}

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
