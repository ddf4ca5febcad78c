//! Finding files: folders, single files, duplicates, and what is good beside what is bad.
#![allow(clippy::unwrap_used)]

use std::{fs, path::Path};

use refract::world::{Entries, Input, Library, SourceFile};
use tempfile::TempDir;

const DOMAIN: &str = include_str!("fixtures/small/domain/plant.json");
const PROBLEM: &str = include_str!("fixtures/small/problems/p1.json");

fn folder(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

fn problem(id: &str) -> String {
    PROBLEM.replace("\"id\": \"p1\"", &format!("\"id\": \"{id}\""))
}

fn load(paths: &[&Path], root: Option<&Path>) -> Library {
    Library::load(paths.iter().map(|path| Input::Path((*path).to_owned())).collect(), root)
}

/// Ids, and codes with the file's name.
fn summary(library: &Library) -> (Vec<&str>, Vec<String>) {
    let ids = library.worlds.keys().map(String::as_str).collect();
    let codes = library
        .diagnostics
        .iter()
        .map(|d| format!("{} {}", Path::new(&d.file.name).file_name().unwrap().to_string_lossy(), d.code))
        .collect();
    (ids, codes)
}

fn check(library: &Library, ids: &[&str], codes: &[&str]) {
    assert_eq!(summary(library), (ids.to_vec(), codes.iter().map(|c| (*c).to_owned()).collect()));
}

#[test]
fn a_folder_in_the_order_of_file_names() {
    let dir = folder(&[
        ("domain/plant.json", DOMAIN),
        ("problems/b.json", &problem("one")),
        ("problems/a.json", &problem("two")),
        ("problems/readme.md", "not JSON"),
    ]);
    let library = Library::open(dir.path());
    check(&library, &["two", "one"], &[]);
    assert_eq!((library.files.len(), library.domains.len()), (3, 1));
    assert!(library.worlds.values().all(|world| world.problem.file.name.ends_with(".json")));
}

#[test]
fn the_good_beside_the_bad() {
    let dir = folder(&[
        ("domain/other.json", "{"),
        ("domain/plant.json", DOMAIN),
        ("problems/1.json", "nonsense"),
        ("problems/2.json", &problem("two")),
        ("problems/3.json", &problem("two")),
        ("problems/4.json", &problem("four").replace("Mara.\"", "Mara.\", \"x\": 1")),
    ]);
    let codes = ["other.json json-syntax", "1.json json-syntax", "3.json duplicate-id", "4.json unknown-key"];
    check(&Library::open(dir.path()), &["two"], &codes);
}

#[test]
fn domains_by_name() {
    let other = DOMAIN.replace("\"name\": \"plant\"", "\"name\": \"other\"");
    let faulty = DOMAIN.replace("\"version\": 1", "\"version\": 2");
    let files = |domain: &str| folder(&[("domain/d.json", domain), ("problems/p.json", PROBLEM)]);
    check(&Library::open(files(&other).path()), &[], &["p.json unknown-domain"]);
    // What is wrong with the domain is said once, where it stands.
    check(&Library::open(files(&faulty).path()), &[], &["d.json version"]);
    check(&Library::open(files("{").path()), &[], &["d.json json-syntax"]);

    let twice = folder(&[("domain/a.json", DOMAIN), ("domain/b.json", DOMAIN), ("problems/p.json", PROBLEM)]);
    check(&Library::open(twice.path()), &["p1"], &["b.json duplicate-domain"]);
}

#[test]
fn a_problem_alone_finds_its_domain() {
    let dir = folder(&[("domain/d.json", DOMAIN), ("problems/deep/er/p.json", PROBLEM)]);
    let path = dir.path().join("problems/deep/er/p.json");
    check(&load(&[&path], None), &["p1"], &[]);

    // In the root that is named, before the nearest folder above.
    let root = folder(&[("domain/d.json", &DOMAIN.replace("Mends it.", "Repairs it."))]);
    let library = load(&[&path], Some(root.path()));
    check(&library, &["p1"], &[]);
    assert_eq!(library.worlds["p1"].domain.roles["technician"].doc, "Repairs it.");

    // The nearest, not the farther.
    fs::create_dir(dir.path().join("problems/deep/domain")).unwrap();
    fs::write(dir.path().join("problems/deep/domain/d.json"), DOMAIN.replace("Mends it.", "Near.")).unwrap();
    assert_eq!(load(&[&path], None).worlds["p1"].domain.roles["technician"].doc, "Near.");

    // Nowhere.
    let alone = folder(&[("p.json", &PROBLEM.replace("\"plant\"", "\"nowhere\""))]);
    check(&load(&[&alone.path().join("p.json")], None), &[], &["p.json unknown-domain"]);
}

#[test]
fn single_files_of_either_kind() {
    let dir = folder(&[("any.json", DOMAIN), ("q.json", PROBLEM)]);
    let (domain, problem) = (dir.path().join("any.json"), dir.path().join("q.json"));
    check(&load(&[&problem, &domain], None), &["p1"], &[]);
    check(&load(&[dir.path()], None), &["p1"], &[]);
    // Twice the same file is once.
    let library = load(&[&problem, &domain, &problem, dir.path()], None);
    check(&library, &["p1"], &[]);
    assert_eq!(library.files.len(), 2);
    let text = SourceFile::new("-", PROBLEM);
    check(&Library::load(vec![Input::Text(text), Input::Path(domain)], None), &["p1"], &[]);
}

#[test]
fn what_cannot_be_read_is_said() {
    let dir = folder(&[("domain/d.json", DOMAIN), ("problems/p.json", PROBLEM)]);
    let library = load(&[&dir.path().join("nothing.json"), dir.path()], None);
    check(&library, &["p1"], &["nothing.json unreadable"]);
}

#[test]
fn the_embedded_benchmark_has_no_errors() {
    let library = Library::embedded();
    check(&library, &library.worlds.keys().map(String::as_str).collect::<Vec<_>>(), &[]);
    assert!(library.files.iter().all(|file| file.name.starts_with("embedded:")));
}

#[test]
fn an_entry_alone_from_the_file_named_after_it() {
    let dir = folder(&[
        ("domain/d.json", DOMAIN),
        ("problems/p1.json", PROBLEM),
        ("problems/broken.json", "{"),
        ("problems/faulty.json", &problem("faulty").replace("\"version\": 1", "\"version\": 2")),
        ("problems/misnamed.json", &problem("other")),
        ("p1.json", &problem("up")),
    ]);
    let mut entries = Entries::of(Some(dir.path().to_owned()));
    let world = entries.get("p1").unwrap();
    let library = Library::open(dir.path());
    let whole = &library.worlds["p1"];
    assert_eq!((&world.problem.digest, &world.domain.digest), (&whole.problem.digest, &whole.domain.digest));
    assert_eq!(world.problem.file.name, whole.problem.file.name);
    assert!(std::sync::Arc::ptr_eq(&world, &entries.get("p1").unwrap()));
    for id in ["broken", "faulty", "misnamed", "other", "nothing", "", "../p1", "../problems/p1"] {
        assert!(entries.get(id).is_none(), "{id}");
    }
    // Faults of others were nobody's business.
    fs::write(dir.path().join("problems/late.json"), problem("late")).unwrap();
    assert!(std::sync::Arc::ptr_eq(&entries.get("late").unwrap().domain, &world.domain));
}

#[test]
fn an_entry_alone_finds_its_domain_as_among_others() {
    // In the nearest folder above, else in the benchmark; with a faulty domain there is none.
    let dir = folder(&[("domain/d.json", DOMAIN), ("deep/problems/p1.json", PROBLEM)]);
    assert!(Entries::of(Some(dir.path().join("deep"))).get("p1").is_some());
    let embedded = Library::embedded();
    let one = &embedded.worlds[0].problem;
    let dir = folder(&[("problems/one.json", &one.file.text.replace(&format!("\"{}\"", one.id), "\"one\""))]);
    assert!(Entries::of(Some(dir.path().to_owned())).get("one").is_some());
    let faulty = folder(&[("domain/d.json", "{"), ("problems/p1.json", PROBLEM)]);
    assert!(Entries::of(Some(faulty.path().to_owned())).get("p1").is_none());
}

#[test]
fn every_entry_of_the_benchmark_is_in_the_file_named_after_it() {
    let mut entries = Entries::of(None);
    for (id, world) in &Library::embedded().worlds {
        assert_eq!(entries.get(id).unwrap().problem.digest, world.problem.digest, "{id}");
    }
}
