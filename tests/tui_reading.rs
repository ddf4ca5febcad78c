//! The trajectory screen while its log is searched, read again and followed, driven through the real loop.
#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use refract::run::RunSource;
use refract::tui::open::{self, Run};
use refract::tui::shelf::Shelf;
use refract::tui::testing::Harness;

const HEADER: &str = r#"{"type":"run","version":1,"id":"r","domain":"pump-house","problem":"ph-1","role":"operator","toolset":"wide","budget":1000000}"#;
const END: &str = r#"{"type":"end","reason":"finished"}"#;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pump")
}

fn on(run: Run) -> Harness {
    Harness::new(open::trajectory(&Arc::new(Shelf::home(Some(root()))), run, 0), 120, 36)
}

/// A look at the pump; each has words that no other has.
fn look(n: usize) -> String {
    format!(
        "{{\"type\":\"message\",\"from\":\"agent\",\"text\":\"word{n}.\"}}\n\
         {{\"type\":\"call\",\"id\":\"c{n}\",\"tool\":\"look\",\"args\":{{\"asset\":\"pump-101\"}}}}\n\
         {{\"type\":\"result\",\"call\":\"c{n}\",\"fired\":true}}\n"
    )
}

fn looks(steps: std::ops::RangeInclusive<usize>) -> String {
    steps.map(look).collect()
}

fn long(steps: usize) -> Harness {
    let text = format!("{HEADER}\n{}", looks(1..=steps));
    on(Run::Made { name: "long".into(), bytes: text.as_bytes().into() })
}

fn file(path: &Path) -> Harness {
    on(Run::Source(RunSource::file(path)))
}

/// What the header says of the place: `4/7`.
fn step(harness: &Harness) -> String {
    let screen = harness.screen();
    let line = screen.lines().next().unwrap_or_default();
    line.split("step ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap_or_default().to_owned()
}

/// The message line.
fn message(harness: &Harness) -> String {
    harness.screen().lines().rev().nth(1).unwrap_or_default().trim().to_owned()
}

#[track_caller]
fn says(harness: &Harness, text: &str) {
    assert!(message(harness).contains(text), "{text}\n{}", harness.screen());
}

fn append(path: &Path, text: &str) {
    std::fs::OpenOptions::new().append(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
}

#[test]
fn a_search_leaves_the_screen_live_and_the_next_key_stops_it() {
    let mut harness = long(3000).hold();
    harness.keys("/ text:word123");
    // Every key is on the screen though nothing was looked through; one job waits, that of the last text.
    says(&harness, "/word123");
    says(&harness, "searching, 0 so far");
    assert_eq!((harness.waiting(), step(&harness).as_str()), (1, "0/3000"));
    harness.work();
    says(&harness, "1 of 11"); // 123, and 1230 to 1239
    assert_eq!(step(&harness), "122/3000"); // the message before call 123
    let mut moved = long(3000).hold();
    moved.keys("/ text:word123 Enter");
    says(&moved, "searching, 0 so far");
    moved.work();
    assert_eq!(step(&moved), "122/3000");
    assert_eq!(step(moved.keys("' '")), "0/3000");
}

#[test]
fn the_reader_who_moves_on_is_not_moved_by_a_late_hit() {
    let mut harness = long(3000).hold();
    harness.keys("/ text:word2999 Enter J J").work();
    assert_eq!(step(&harness), "2/3000");
    says(&harness, "/word2999  1");
    assert_eq!(step(harness.keys("n")), "2998/3000");
}

#[test]
fn esc_stops_a_search() {
    for keys in ["Esc", "Enter Esc", "Backspace Backspace"] {
        let mut harness = long(3000);
        let before = harness.keys("5 G").screen();
        let mut harness = harness.hold();
        harness.keys("/ text:w").keys(keys);
        assert!(!harness.screen().contains("searching"), "{keys}");
        assert_eq!(harness.work().screen(), before, "{keys}");
    }
}

#[test]
fn it_goes_on_around_and_says_what_is_not_there() {
    let mut harness = long(3000);
    assert_eq!(step(harness.keys("2000 G / text:word7. Enter")), "6/3000");
    assert_eq!(step(harness.keys("2000 G / text:word1999 Enter").keys("n")), "1998/3000");
    says(&harness, "from the top again");
    harness.keys("9 G / text:word9999");
    assert_eq!(step(&harness), "9/3000");
    harness.keys("Enter");
    says(&harness, "not found: word9999");
    harness.keys("n");
    says(&harness, "not found: word9999");
    // While it is still looked for, n says so instead of going around.
    let mut held = long(3000).hold();
    held.keys("/ text:word9 Enter n");
    says(&held, "not found so far: word9");
}

#[test]
fn reading_again_keeps_what_was_good_when_the_file_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.jsonl");
    std::fs::write(&path, format!("{HEADER}\n{}", looks(1..=4))).unwrap();
    let mut harness = file(&path);
    let before = harness.keys("3 G Tab j").screen();
    std::fs::remove_file(&path).unwrap();
    harness.keys("R");
    says(&harness, "r cannot be read again, this is as it was:");
    let but_message = |screen: &str| screen.lines().rev().skip(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(but_message(&harness.screen()), but_message(&before));
    // It is live, and reads again once the file is back.
    assert_eq!(step(harness.keys("K")), "2/4");
    std::fs::write(&path, format!("{HEADER}\n{}", looks(1..=6))).unwrap();
    assert_eq!(step(harness.keys("R")), "2/6");
    says(&harness, "read again");
    // A folder in its place is no log either.
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    assert_eq!(step(harness.keys("R")), "2/6");
    says(&harness, "cannot be read again");
}

#[test]
fn a_log_that_grows_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.jsonl");
    std::fs::write(&path, format!("{HEADER}\n{}", looks(1..=2))).unwrap();
    let mut harness = file(&path);
    assert_eq!(step(harness.keys("F")), "2/2");
    says(&harness, "following");
    // The end is held, whole lines or not.
    append(&path, &look(3));
    assert_eq!(step(harness.later()), "3/3");
    let line = look(4);
    append(&path, &line[..line.len() / 2]);
    harness.later();
    append(&path, &line[line.len() / 2..]);
    assert_eq!(step(harness.later()), "4/4");
    assert!(!harness.screen().contains("not JSON"), "{}", harness.screen());
    // A reader who went back stays, and a search that is in force finds what came.
    assert_eq!(step(harness.keys("2 G / text:word Enter")), "2/4");
    says(&harness, "of 4");
    let place = harness.screen().lines().find(|line| line.starts_with('▌')).map(str::to_owned);
    append(&path, &(look(5) + &look(6)));
    assert_eq!(step(harness.later()), "2/6");
    says(&harness, "of 6");
    assert_eq!(harness.screen().lines().find(|line| line.starts_with('▌')).map(str::to_owned), place);
    append(&path, END);
    harness.later();
    assert_eq!(step(harness.keys("G")), "6/6");
    harness.keys("F");
    says(&harness, "no longer following");
    assert!(harness.screen().contains("finished"), "{}", harness.screen());
    assert_eq!(harness.waiting(), 0);
}

#[test]
fn the_end_of_a_followed_run_is_judged_as_soon_as_it_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.jsonl");
    std::fs::write(&path, format!("{HEADER}\n{}", looks(1..=2))).unwrap();
    let mut harness = file(&path);
    harness.keys("F");
    let reached = |harness: &Harness| harness.screen().contains("under-reach 1");
    assert!(!reached(&harness), "{}", harness.screen());
    append(&path, &format!("{END}\n"));
    assert!(reached(harness.later()), "{}", harness.screen());
    // Nothing more has come: it is not judged anew.
    let screen = harness.screen();
    assert_eq!(harness.later().screen(), screen);
    // What comes behind the end is damage, and what was left undone is judged with it.
    append(&path, &look(3));
    harness.later().keys("G");
    assert!(reached(&harness), "{}", harness.screen());
}

#[test]
fn a_followed_log_that_is_written_anew_is_read_anew_and_followed_on() {
    let short = format!("{HEADER}\n{}", look(7));
    let other = format!("{HEADER}\n{}{END}\n", looks(11..=15));
    for (name, text, steps) in
        [("truncated", &short, 1), ("replaced by a longer one", &other, 5), ("emptied", &String::new(), 0)]
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        std::fs::write(&path, format!("{HEADER}\n{}{END}\n", looks(1..=3))).unwrap();
        let mut harness = file(&path);
        harness.keys("F");
        let beside = folder.path().join("new");
        std::fs::write(&beside, text).unwrap();
        std::fs::rename(&beside, &path).unwrap();
        harness.later();
        assert!(step(&harness).ends_with(&format!("/{steps}")), "{name}: {}", harness.screen());
        assert!(!harness.screen().contains("word2"), "{name}: {}", harness.screen());
        if steps == 0 {
            continue;
        }
        append(&path, &look(20));
        harness.later();
        assert!(step(&harness).ends_with(&format!("/{}", steps + 1)), "{name}: {}", harness.screen());
    }
}

#[test]
fn a_log_that_is_followed_from_nothing_finds_its_entry() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.jsonl");
    std::fs::write(&path, "").unwrap();
    let mut harness = file(&path);
    harness.keys("F");
    append(&path, &format!("{HEADER}\n"));
    harness.later();
    append(&path, &looks(1..=3));
    harness.later().later();
    assert!(step(&harness).ends_with("/3"), "{}", harness.screen());
    assert!(harness.screen().contains("replayed, same world"), "{}", harness.screen());
}

#[test]
fn a_followed_log_that_goes_away_stays_on_the_screen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.jsonl");
    std::fs::write(&path, format!("{HEADER}\n{}", looks(1..=3))).unwrap();
    let mut harness = file(&path);
    harness.keys("F");
    std::fs::remove_file(&path).unwrap();
    harness.later();
    says(&harness, "no longer followed");
    assert_eq!((step(&harness).as_str(), harness.waiting()), ("3/3", 0));
}

#[test]
fn what_comes_while_a_search_looks_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.jsonl");
    std::fs::write(&path, format!("{HEADER}\n{}", looks(1..=3))).unwrap();
    let mut harness = file(&path);
    harness.keys("F");
    let mut harness = harness.hold();
    harness.keys("/ text:word Enter");
    append(&path, &look(4));
    // Both at once: the look at the file comes before the search in the end.
    harness.later();
    harness.work();
    says(&harness, "of 4");
    assert!(step(&harness).ends_with("/4"), "{}", harness.screen());
}
