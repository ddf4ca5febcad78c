//! The house rules of ARCHITECTURE.md, kept by reading the sources.
#![allow(clippy::unwrap_used)]

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Floors from the ground up; those on one floor do not know each other.
const FLOORS: [&[&str]; 7] = [
    &["text", "file"],
    &["world"],
    &["exec"],
    &["run", "plan"],
    &["score", "agent"],
    &["check", "report"],
    &["tui", "net"],
];
/// The top floor: it may import all.
const TOP: &str = "cli";
/// What nothing below the screens, the network and the command line may import.
const EDGE: [&str; 9] =
    ["ratatui", "clap", "syntect", "std::env", "std::time", "jiff", "std::net", "SystemTime", "Instant::now"];

fn sources() -> Vec<(PathBuf, String)> {
    fn walk(dir: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap().to_owned(), text));
            }
        }
    }
    let mut found = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.len() > 20, "the sources were not found");
    found
}

fn module(path: &Path) -> String {
    let part = path.components().nth(1).unwrap().as_os_str().to_str().unwrap();
    part.trim_end_matches(".rs").to_owned()
}

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

/// Code without comments and without its test module.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The top-level modules that a source names as `crate::name` or in `crate::{name…, other…}`.
fn imports(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
        match rest.strip_prefix('{') {
            None => found.push(word(rest)),
            Some(group) => {
                let mut depth = 0;
                let mut start = true;
                for (i, c) in group.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => start = true,
                        c if start && depth == 0 && !c.is_whitespace() => {
                            found.push(word(&group[i..]));
                            start = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    found
}

#[test]
fn a_floor_imports_only_floors_below_it() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let own = module(&path);
        let Some(level) = floor(&own) else { continue };
        for import in imports(&code(&text)) {
            let below = floor(&import).is_some_and(|other| other < level);
            if import != own && !below && (floor(&import).is_some() || import == TOP) {
                wrong.push(format!("{}: {own} imports {import}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_core_knows_no_screen_no_clock_no_environment() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let own = module(&path);
        if floor(&own).is_none() || floor(&own) == floor("tui") {
            continue;
        }
        for name in EDGE.iter().filter(|name| code(&text).contains(**name)) {
            wrong.push(format!("{}: {name}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn world_alone_opens_worlds_and_run_alone_opens_logs() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let own = module(&path);
        let opens =
            ["fs::read", "File::open", "File::create", "include_dir"].iter().any(|call| code(&text).contains(call));
        if opens && !["file", "world", "run", "tui", TOP].contains(&own.as_str()) {
            wrong.push(path.display().to_string());
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn files_hold_one_idea() {
    let long: Vec<String> = sources()
        .iter()
        .filter(|(_, text)| text.lines().count() > 500)
        .map(|(path, text)| format!("{}: {} lines", path.display(), text.lines().count()))
        .collect();
    assert!(long.is_empty(), "{long:#?}");
}

#[test]
fn the_import_reader_reads_groups() {
    let names = imports("use crate::{exec::{self, State}, world};\nuse crate::run::Log; crate::text::visible(x)");
    assert_eq!(names, ["exec", "world", "run", "text"]);
}
