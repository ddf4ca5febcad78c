//! The worlds of `tests/fixtures/worlds`, with what an independent implementation of the design gives.

use std::{fs, path::PathBuf, sync::Arc};

use refract::{
    run::{Log, Replay, Setup},
    world::{SourceFile, World, load_domain, load_problem},
};
use serde_json::Value;

/// A world with the results that an independent implementation gives.
pub struct Case {
    pub name: String,
    pub folder: PathBuf,
    pub world: Arc<World>,
}

impl Case {
    pub fn expected(&self, file: &str) -> Value {
        serde_json::from_slice(&fs::read(self.folder.join("expected").join(file)).unwrap()).unwrap()
    }

    /// Its runs, executed: name, log, replay.
    pub fn replays(&self) -> Vec<(String, Log, Replay)> {
        let read = |path: PathBuf| {
            let log = Log::read(fs::read(&path).unwrap());
            let header = log.header().unwrap_or_default();
            let setup = Setup::of(&header, &self.world).unwrap();
            let world_match = setup.matches(&header);
            let replay = Replay::whole(setup, world_match, &log);
            (path.file_stem().unwrap().to_str().unwrap().to_owned(), log, replay)
        };
        let mut paths: Vec<PathBuf> =
            fs::read_dir(self.folder.join("runs")).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.into_iter().map(read).collect()
    }
}

fn source(path: PathBuf) -> Arc<SourceFile> {
    Arc::new(SourceFile::from_bytes(path.display().to_string(), &fs::read(&path).unwrap()))
}

pub fn cases() -> Vec<Case> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/worlds");
    let mut cases: Vec<Case> = fs::read_dir(root)
        .unwrap()
        .map(|entry| {
            let folder = entry.unwrap().path();
            let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
            let (domain, faults) = load_domain(source(folder.join("domain").join(format!("{name}.json"))));
            let domain = Arc::new(domain.unwrap_or_else(|| panic!("{name}: {faults:#?}")));
            let problem = source(folder.join("problems").join(format!("{name}-p.json")));
            let (world, faults) = load_problem(problem, &domain);
            let world = Arc::new(world.unwrap_or_else(|| panic!("{name}: {faults:#?}")));
            Case { name, folder, world }
        })
        .collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    assert_eq!(cases.len(), 30);
    cases
}
