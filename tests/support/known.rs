//! The worlds of `tests/fixtures/worlds`, with what an independent implementation of the design gives.

use std::{fs, path::PathBuf, sync::Arc};

use refract::world::{SourceFile, World, load_domain, load_problem};
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

    /// The names and bytes of its runs.
    pub fn runs(&self) -> Vec<(String, Vec<u8>)> {
        let mut runs: Vec<(String, Vec<u8>)> = fs::read_dir(self.folder.join("runs"))
            .unwrap()
            .map(|entry| {
                let path = entry.unwrap().path();
                (path.file_stem().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap())
            })
            .collect();
        runs.sort();
        runs
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
