//! Worlds to run things in.

use std::{fs, path::Path, sync::Arc};

use refract::world::{Diagnostic, SourceFile, World, load_domain, load_problem};

/// A domain and a problem from their texts. Panics with the faults of a file that has any.
pub fn world(domain: &str, problem: &str) -> Arc<World> {
    let source = |name: &str, text: &str| Arc::new(SourceFile::from_bytes(name.to_owned(), text.as_bytes()));
    let (found, faults) = load_domain(source("domain.json", domain));
    let Some(found) = found else { panic!("{}\n{domain}", told(&faults)) };
    let (world, faults) = load_problem(source("problem.json", problem), &Arc::new(found));
    let Some(world) = world else { panic!("{}\n{problem}", told(&faults)) };
    Arc::new(world)
}

fn told(faults: &[Diagnostic]) -> String {
    faults.iter().map(|fault| format!("{}: {}\n", fault.code, fault.message)).collect()
}

/// The texts of a folder's files with this ending, by name.
pub fn texts(folder: &Path, ending: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = path.file_name()?.to_str()?.to_owned();
            name.ends_with(ending).then(|| (name, fs::read_to_string(&path).unwrap_or_default()))
        })
        .collect();
    found.sort();
    found
}
