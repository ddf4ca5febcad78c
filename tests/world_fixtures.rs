//! Loading agrees with an independent implementation on its thirty worlds.
#![allow(clippy::unwrap_used)]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use refract::world::{Diagnostic, Domain, Severity, SourceFile, World, load_domain, load_problem};

/// The folders of all fixture worlds.
fn worlds() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/worlds");
    let mut worlds: Vec<_> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    worlds.sort();
    worlds
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn errors(diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .map(|d| format!("{}:{:?}: {}", d.file.name, d.file.position(d.span.start), d.message))
        .collect()
}

fn load(world: &Path) -> (Arc<Domain>, Vec<World>) {
    let file = SourceFile::read(&files(&world.join("domain"))[0]).unwrap();
    let (domain, diagnostics) = load_domain(Arc::new(file));
    assert_eq!(errors(&diagnostics), Vec::<String>::new());
    let domain = Arc::new(domain.unwrap());
    let problems = files(&world.join("problems"))
        .iter()
        .map(|path| {
            let (world, diagnostics) = load_problem(Arc::new(SourceFile::read(path).unwrap()), &domain);
            assert_eq!(errors(&diagnostics), Vec::<String>::new());
            world.unwrap()
        })
        .collect();
    (domain, problems)
}

#[test]
fn all_load_and_digests_agree() {
    let (mut headers, mut unchanged) = (0, 0);
    for folder in worlds() {
        let (domain, problems) = load(&folder);
        for run in files(&folder.join("runs")) {
            let text = fs::read_to_string(&run).unwrap();
            let header: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
            let world = problems.iter().find(|w| w.problem.id == header["problem"]).unwrap();
            let same = |key: &str, digest: &str| header.get(key).is_none_or(|recorded| recorded == digest);
            let same = same("domain_digest", &domain.digest) && same("problem_digest", &world.problem.digest);
            let name = run.file_stem().unwrap().to_string_lossy().into_owned() + ".replay.json";
            let replay = fs::read_to_string(folder.join("expected").join(name)).unwrap();
            let replay: serde_json::Value = serde_json::from_str(&replay).unwrap();
            let replay = replay.get(0).unwrap_or(&replay);
            assert_eq!(replay["world"], if same { "same" } else { "changed" }, "{}", run.display());
            unchanged += usize::from(same);
            headers += 1;
        }
    }
    assert_eq!(headers, 120);
    assert!(unchanged > 60, "only {unchanged}");
}
