//! The filter of the trajectory screen, driven through the real loop.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::sync::Arc;

use ratatui::style::Modifier;
use refract::run::RunSource;
use refract::tui::open::{self, Run};
use refract::tui::shelf::Shelf;
use refract::tui::testing::Harness;

fn on(run: Run) -> Harness {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pump");
    Harness::new(open::trajectory(&Arc::new(Shelf::home(Some(root))), run, 0), 120, 36)
}

fn overreach() -> Harness {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pump/runs");
    on(Run::Source(RunSource::file(&root.join("technician-overreach.jsonl"))))
}

/// The list, a word or two of each row: `2 i replace_bearing`.
fn list(harness: &Harness) -> Vec<String> {
    let screen = harness.screen();
    let rows = screen.lines().skip(3).take_while(|line| !line.starts_with('─'));
    let left = rows.map(|line| line.split('│').next().unwrap_or_default().trim_start_matches(['▌', '╎']));
    let words = left.map(|row| row.split_whitespace().take(3).collect::<Vec<_>>().join(" "));
    words.filter(|row| !row.is_empty()).collect()
}

fn step(harness: &Harness) -> String {
    let screen = harness.screen();
    let line = screen.lines().next().unwrap_or_default();
    line.split("step ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap_or_default().to_owned()
}

#[test]
fn rows_by_kind_tool_speaker_and_words() {
    for (filter, expected) in [
        ("sign:refusal", &["2 i replace_bearing", "4 B release_order", "7 $ look"][..]),
        ("sign:violation", &["4 B release_order"]),
        ("sign:over_reach", &["4 B release_order"]),
        ("sign:B", &["4 B release_order"]),
        ("sign:input", &["2 i replace_bearing"]),
        ("sign:refusal not sign:violation", &["2 i replace_bearing", "7 $ look"]),
        ("tool:lock", &["5 ● lock_out"]),
        ("tool:LOOK", &[]),
        ("row:message from:agent again", &["┊ P-101 trips", "┊ look at"]),
        ("not row:message not row:call", &[]),
        // A text in the arguments, and one in what the agent read.
        ("order(pump", &["2 i replace_bearing", "6 ● replace_bearing"]),
        ("\"may not do\"", &["4 B release_order"]),
        ("nowhere", &[]),
    ] {
        let mut harness = overreach();
        harness.keys(&format!("f text:{} Enter", filter.replace(' ', "_").replace("over_reach", "over-reach")));
        let rows = list(&harness);
        let (first, last) = (rows.first().unwrap().clone(), rows.last().unwrap().clone());
        assert_eq!((first.as_str(), last.as_str()), ("0 ▷ start", "■ budget"), "{filter}\n{}", harness.screen());
        assert_eq!(rows[1..rows.len() - 1], *expected, "{filter}\n{}", harness.screen());
    }
}

#[test]
fn what_means_nothing_is_said_with_what_would() {
    for (filter, expected) in [
        ("sign:wonder", "sign: no 'wonder'; one of over-reach, violation, refusal"),
        ("row:step", "row: no 'step'; one of call, message, note, damage"),
        ("role:x", "no 'role:'; there are sign, row, tool, from, and words"),
    ] {
        let mut harness = overreach();
        harness.keys(&format!("f text:{filter} Enter"));
        assert!(harness.model.message().unwrap_or_default().contains(expected), "{:?}", harness.model.message());
        assert_eq!(list(&harness), list(&overreach()), "{filter}");
    }
}

#[test]
fn esc_takes_it_off_and_the_place_is_kept() {
    let mut harness = overreach();
    let before = harness.keys("5 G").screen();
    // While it is typed, and by Esc in the prompt.
    harness.keys("f text:tool:replace");
    assert_eq!(step(&harness), "2/7");
    assert_eq!(harness.keys("Esc").screen(), before);
    // In force, the title counts; J walks what is left; Esc takes it off where the reader is.
    harness.keys("f text:tool:replace Enter");
    assert!(harness.screen().contains("Steps 2 of 7") && harness.screen().contains("tool:replace"));
    assert_eq!(step(harness.keys("J")), "6/7");
    harness.keys("Esc");
    assert_eq!((step(&harness).as_str(), list(&harness)), ("6/7", list(&overreach())));
    // A row that still passes keeps the cursor.
    assert_eq!(step(harness.keys("4 G f text:sign:refusal Enter")), "4/7");
    // A jump to what it hides takes it off, and back again brings it back.
    assert_eq!(step(harness.keys("] c")), "5/7");
    assert!(harness.screen().contains("Steps 7 "));
    assert!(harness.keys("' '").screen().contains("Steps 3 of 7"));
}

#[test]
fn the_timeline_keeps_the_run_and_dims_what_is_left_out() {
    let mut harness = overreach();
    let whole = harness.screen();
    harness.keys("f text:sign:refusal Enter");
    let screen = harness.screen();
    let top = screen.lines().position(|line| line.contains("Distance to goal")).unwrap();
    let timeline = |screen: &str| screen.lines().skip(top + 1).take(4).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(timeline(&screen), timeline(&whole));
    // Six columns a step; the numbers stand under the bars.
    let y = u16::try_from(top + 1).unwrap();
    let dim = |step: u16| harness.buffer()[(4 + 6 * step, y + 2)].modifier.contains(Modifier::DIM);
    let dimmed: Vec<u16> = (0..=7).filter(|&step| dim(step)).collect();
    assert_eq!(dimmed, [1, 3, 5, 6]);
}

#[test]
fn a_long_run_is_filtered_in_portions_and_stays_live() {
    let mut text = String::from(
        r#"{"type":"run","version":1,"id":"long","domain":"pump-house","problem":"ph-1","role":"operator","toolset":"wide","budget":1000000}"#,
    );
    for n in 1..=12_000 {
        let asset = if n % 1000 == 0 { "nowhere" } else { "pump-101" };
        text.push_str(&format!(
            "\n{{\"type\":\"call\",\"id\":\"c{n}\",\"tool\":\"look\",\"args\":{{\"asset\":\"{asset}\"}}}}\n\
             {{\"type\":\"result\",\"call\":\"c{n}\",\"fired\":true}}"
        ));
    }
    let mut harness = on(Run::Made { name: "long".into(), bytes: text.as_bytes().into() }).hold();
    harness.keys("11000 G f text:nowhere Enter");
    // The reader is not moved before it is known where to.
    assert!(!harness.screen().contains("Steps 12 of 12000"), "{}", harness.screen());
    assert_eq!(step(&harness), "11000/12000");
    harness.work();
    assert!(harness.screen().contains("Steps 12 of 12000"), "{}", harness.screen());
    assert_eq!(step(&harness), "11000/12000");
}
