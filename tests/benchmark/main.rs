//! The benchmark that comes with the program: the domain, its entries, the sample runs.
#![allow(clippy::unwrap_used)]

mod domain;
mod entries;
mod runs;
#[path = "../../scripts/make_runs/script.rs"]
mod script;

use std::{collections::BTreeMap, path::Path, sync::Arc};

use refract::world::World;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn worlds() -> BTreeMap<String, Arc<World>> {
    let worlds = script::worlds(root()).unwrap();
    assert!(!worlds.is_empty());
    worlds
}
