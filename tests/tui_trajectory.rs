//! The trajectory screen, driven through the real loop.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::sync::Arc;

use proptest::prelude::*;
use refract::run::RunSource;
use refract::tui::open::{self, Run};
use refract::tui::shelf::Shelf;
use refract::tui::testing::Harness;
use refract::tui::theme::{Palette, Theme};
use refract::tui::trajectory::Trajectory;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pump")
}

fn shelf() -> Arc<Shelf> {
    Arc::new(Shelf::home(Some(root())))
}

fn fixture(name: &str) -> Run {
    Run::Source(RunSource::file(&root().join("runs").join(format!("{name}.jsonl"))))
}

/// A run made of these lines, under a header of the pump house.
fn made(role: &str, lines: &[&str]) -> Run {
    let header = format!(
        r#"{{"type":"run","version":1,"id":"r","domain":"pump-house","problem":"ph-1","role":"{role}","toolset":"wide"}}"#
    );
    log(&format!("{header}\n{}\n", lines.join("\n")))
}

fn log(text: &str) -> Run {
    Run::Made { name: "made".into(), bytes: text.as_bytes().into() }
}

fn at(run: Run, step: usize) -> Trajectory {
    open::trajectory(&shelf(), run, step)
}

fn overreach(width: u16, height: u16) -> Harness {
    Harness::new(at(fixture("technician-overreach"), 0).among(12, 40), width, height)
}

/// What the header says of the place: `4/7`.
fn step(harness: &Harness) -> String {
    let screen = harness.screen();
    let line = screen.lines().next().unwrap_or_default();
    line.split("step ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap_or_default().to_owned()
}

/// The line of the main list under the cursor.
fn row(harness: &Harness) -> String {
    let screen = harness.screen();
    let line = screen.lines().find(|line| line.starts_with(['▌', '╎'])).unwrap_or_default();
    line.split('│').next().unwrap_or_default().trim_start_matches(['▌', '╎']).trim().to_owned()
}

#[test]
fn as_drawn() {
    insta::assert_snapshot!("start_120x36", overreach(120, 36).screen());
    insta::assert_snapshot!("refused_120x36", overreach(120, 36).keys("2 G").screen());
    insta::assert_snapshot!("gates_80x24", overreach(80, 24).keys("v").screen());
    insta::assert_snapshot!("all_facts_120x36", overreach(120, 36).keys("6 G b 3 G a").screen());
    insta::assert_snapshot!("words_200x60", overreach(200, 60).keys("3 G").screen());
    insta::assert_snapshot!("narrow_60x20", overreach(60, 20).keys("6 G").screen());
    insta::assert_snapshot!("end_120x36", Harness::new(at(fixture("planner-damaged"), 0), 120, 36).keys("G").screen());
    insta::assert_snapshot!("diverged_120x36", Harness::new(at(fixture("planner-damaged"), 1), 120, 36).screen());
}

#[test]
fn recorded_reasons_are_in_words() {
    let header = r#"{"type":"run","version":1,"problem":"nowhere","role":"operator","toolset":"narrow"}"#;
    let call = r#"{"type":"call","id":"c1","tool":"fix","args":{"asset":"p"}}"#;
    let cases = [
        (r#"{"reason":"capability","needs":"repair"}"#, vec!["C capability repair", "operator lacks it"]),
        (r#"{"reason":"knowledge","needs":"hardware"}"#, vec!["K knowledge  hardware", "operator lacks it"]),
        (
            r#"{"reason":"precondition","literal":"not isolated(p)"}"#,
            vec!["✗ not isolated(p)", "isolated(p) holds, and must"],
        ),
        (
            r#"{"reason":"not_produced","argument":"order","value":"order(p)","expects":"order(p)","matches":true}"#,
            vec!["✗ order: no call produced order(p)"],
        ),
        (
            r#"{"reason":"not_produced","argument":"order","value":"order(p)","expects":"order(q)","matches":false}"#,
            vec!["✗ order: order(p) given, order(q) needed"],
        ),
        (r#"{"reason":"not_offered","tool":"fix"}"#, vec!["✗ fix is not in the tool set narrow"]),
        (
            r#"{"reason":"bad_argument","argument":"asset","problem":"missing","expects":"pump"}"#,
            vec!["✗ asset: missing, expects pump"],
        ),
        (r#"{"reason":"unknown_tool","tool":"fix"}"#, vec!["no such tool: \"fix\""]),
        // What this version does not know stands there as it is.
        (r#"{"reason":"out_of_spirits","needs":"rest"}"#, vec!["✗ out of spirits", r#""needs":"re"#]),
    ];
    for (reason, expected) in cases {
        let result = format!(r#"{{"type":"result","call":"c1","fired":false,"refusals":[{reason}]}}"#);
        let screen = Harness::new(at(log(&format!("{header}\n{call}\n{result}\n")), 1), 160, 36).screen();
        for words in expected {
            assert!(screen.contains(words), "{words}\n{screen}");
        }
        assert!(!screen.contains("\"reason\"") || reason.contains("spirits"), "{screen}");
    }
}

#[test]
fn reasons_do_not_read_like_facts() {
    // A refusal of several reasons says how many; both gates are two already.
    let screen = overreach(160, 36).screen();
    let line = |tool: &str| screen.lines().find(|line| line.contains(tool)).unwrap_or_else(|| panic!("{screen}"));
    assert!(line("2 i replace_bearing").contains("2 reasons"), "{screen}");
    let gates = line("4 B release_order");
    assert!(gates.contains(" both ") && !gates.contains("reasons"), "{screen}");
}

#[test]
fn the_header_gives_way_without_cutting_a_name() {
    for width in 60..200 {
        let harness = Harness::new(at(fixture("technician-overreach"), 6).among(12, 40), width, 36);
        let screen = harness.screen();
        let first = screen.lines().next().unwrap();
        let words: Vec<&str> = first.split_whitespace().collect();
        assert!(words.contains(&"ph-1") && words.contains(&"technician") && words.contains(&"6/7"), "{width}: {first}");
        assert!(words.contains(&"wide"), "{width}: {first}");
        let title = "Feed pump trips on vibration";
        let shown: Vec<&str> = words.iter().copied().skip(1).take_while(|word| *word != "technician").collect();
        let shown = shown.join(" ");
        assert!(title.starts_with(shown.trim_end_matches('…')), "{width}: {first}");
        if width >= 80 {
            let second = screen.lines().nth(1).unwrap();
            let file = "technician-overreach";
            assert!(!second.contains("technician-") || second.contains(file), "{width}: {second}");
        }
    }
}

#[test]
fn keys_go_where_they_say() {
    for (keys, expected) in [
        ("", "0/7"),
        ("J J", "2/7"),
        ("3 J K", "2/7"),
        ("5 G", "5/7"),
        ("9 9 G", "7/7"),
        ("G", "7/7"),
        ("v", "4/7"),
        ("v v", "4/7"),
        ("] v", "4/7"),
        ("] r", "2/7"),
        ("] r ;", "4/7"),
        ("] r ; ; ;", "7/7"),
        ("] r ; ; ,", "4/7"),
        ("G [ r", "7/7"),
        ("] c", "3/7"),
        ("2 ] c", "5/7"),
        ("] g", "3/7"),
        ("] g ;", "6/7"),
        ("] m", "0/7"),
        ("] m ;", "2/7"),
        ("] d", "0/7"),
        ("4 G ' '", "0/7"),
        ("4 G 6 G Ctrl-o", "4/7"),
        ("5 G m a g ' a", "5/7"),
        // To where a value comes from, and back.
        ("6 G Tab g j j j j Enter", "3/7"),
        ("6 G Tab g j j j j Enter ' '", "6/7"),
        // Found in arguments, and where a fact changed.
        ("G / text:diagnosis Enter", "2/7"),
        ("/ text:isolated(pump Enter", "2/7"),
    ] {
        assert_eq!(step(overreach(120, 36).keys(keys)), expected, "{keys}");
    }
}

#[test]
fn a_goal_literal_leads_to_the_step_that_made_it() {
    let mut harness = overreach(120, 36);
    harness.keys("7 G Tab Tab");
    for _ in 0..30 {
        let screen = harness.screen();
        let line = screen.lines().find(|line| line.contains('▌')).unwrap_or_default();
        if line.contains("▌✓ status(pump-101,") {
            harness.keys("Enter");
            return assert_eq!(step(&harness), "6/7");
        }
        harness.keys("j");
    }
    panic!("no such literal:\n{}", harness.screen());
}

#[test]
fn a_jump_and_back_restores_the_screen() {
    for keys in ["2 G", "v", "] c", "/ text:lock Enter", "5 G Tab a"] {
        let mut harness = overreach(120, 36);
        let before = harness.keys("3 G").screen();
        harness.keys(keys);
        assert_ne!(harness.screen(), before, "{keys}");
        harness.keys("Esc Esc Esc Esc");
        let jumps = if keys.ends_with('a') { "a ' '" } else { "' '" };
        harness.keys(jumps);
        harness.keys("Esc");
        assert_eq!(harness.screen(), before, "{keys}");
    }
}

#[test]
fn folds_open_by_key_and_by_search() {
    let mut harness = overreach(120, 36);
    let needle = "crew is here anyway";
    assert!(!harness.screen().contains(needle));
    harness.keys("] m ; Space");
    assert!(harness.screen().split('│').any(|part| part.contains("anyway")), "{}", harness.screen());
    assert_eq!(overreach(120, 36).keys("] m ; l h").screen(), overreach(120, 36).keys("] m ;").screen());
    // The search finds what is folded, goes there and opens it.
    let mut searched = overreach(80, 24);
    searched.keys("/ text:anyway Enter");
    assert_eq!(step(&searched), "2/7");
    assert!(searched.screen().contains("anyway"));
    let mut defined = overreach(120, 36);
    defined.keys("3 G / text:Take_a_spectrum Enter");
    assert!(defined.screen().contains("Take a spectrum and name the"), "{}", defined.screen());
}

#[test]
fn rows_and_baseline() {
    let mut harness = overreach(120, 36);
    harness.keys("4 G o");
    assert!(!harness.screen().contains("reasoning"));
    assert_eq!(step(&harness), "4/7");
    harness.keys("o");
    assert!(!harness.screen().lines().any(|line| line.split('│').next().is_some_and(|list| list.contains("lock_out"))));
    assert!(row(&harness).starts_with("4 B release_order"), "{}", row(&harness));
    harness.keys("o");
    assert_eq!(harness.screen(), overreach(120, 36).keys("4 G").screen());
    harness.keys("b 7 G");
    assert!(harness.screen().contains("against 4"));
    assert!(harness.screen().contains("faulty → repaired"), "{}", harness.screen());
    harness.keys("Esc");
    assert!(!harness.screen().contains("against 4"));
}

#[test]
fn copies_edits_and_records() {
    let mut harness = overreach(120, 36);
    harness.keys("5 G y s y c y p");
    assert_eq!(harness.copied[0], "technician-overreach#5");
    assert_eq!(harness.copied[1], r#"{"tool":"lock_out","args":{"asset":"pump-101"}}"#);
    assert!(harness.copied[2].ends_with("technician-overreach.jsonl"));
    harness.keys("e Tab e");
    assert!(harness.edited[0].ends_with("technician-overreach.jsonl:12"), "{:?}", harness.edited);
    assert!(harness.edited[1].ends_with("pump-house.json:40"), "{:?}", harness.edited);
    harness.keys("E");
    assert!(harness.screen().contains(r#""added":["isolated(pump-101)"]"#));
    harness.keys("q");
    assert_eq!(step(&harness), "5/7");
}

#[test]
fn cards_say_what_things_are() {
    let mut harness = overreach(120, 36);
    harness.keys("4 G i");
    assert!(harness.screen().contains("the role lacks both"), "{}", harness.screen());
    harness.keys("Esc Tab i");
    assert!(harness.screen().contains("Release an order"), "{}", harness.screen());
    let mut fact = overreach(120, 36);
    fact.keys("2 G Tab i");
    for text in ["pump-101 is locked out", "added by", "at 5", "holds"] {
        assert!(fact.screen().contains(text), "{text}: {}", fact.screen());
    }
    // Down to the row of step 5, and Enter goes there.
    fact.keys("G Enter");
    assert_eq!(step(&fact), "5/7");
}

#[test]
fn a_click_on_the_timeline_jumps() {
    let mut harness = overreach(120, 36);
    let y = harness.screen().lines().position(|line| line.contains("Distance to goal")).unwrap() + 1;
    harness.click(4 + 6 * 5 + 2, u16::try_from(y).unwrap());
    assert_eq!(step(&harness), "5/7");
}

#[test]
fn reading_again_keeps_the_place_and_shows_what_came() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grows.jsonl");
    let text = std::fs::read_to_string(root().join("runs/technician-overreach.jsonl")).unwrap();
    let cut = text.match_indices('\n').nth(8).unwrap().0 + 1;
    std::fs::write(&path, &text[..cut]).unwrap();
    let mut harness = Harness::new(at(Run::Source(RunSource::file(&path)), 2), 120, 36);
    assert_eq!(step(&harness), "2/3");
    assert!(harness.screen().contains("no end"));
    std::fs::write(&path, &text).unwrap();
    harness.keys("R");
    assert_eq!(step(&harness), "2/7");
}

#[test]
fn without_a_world_it_opens_on_what_was_recorded() {
    let text = std::fs::read_to_string(root().join("runs/technician-overreach.jsonl")).unwrap();
    let mut harness = Harness::new(at(log(&text.replace("ph-1", "ph-99")), 0), 120, 36);
    harness.keys("v");
    assert_eq!(step(&harness), "4/7");
    for text in ["not executed, for there is no entry ph-99 here", "as recorded", "lacks", "This user may not do that."]
    {
        let text = if text == "lacks" { "capability" } else { text };
        assert!(harness.screen().contains(text), "{text}: {}", harness.screen());
    }
    harness.keys("6 G");
    assert!(harness.screen().contains("+ status(pump-101, repaired)"), "{}", harness.screen());
}

#[test]
fn damage_is_visible_and_nothing_beside_it_is_lost() {
    let lines = [
        r#"{"type":"call","id":"c1","tool":"look","args":{"asset":"pump-101"}}"#,
        "not JSON at all",
        r#"{"type":"wonder"}"#,
        r#"{"type":"result","call":"zz","fired":true}"#,
        r#"{"type":"call","id":"c2","tool":7,"args":"pump-101"}"#,
        r#"{"type":"end","reason":"finished"}"#,
        r#"{"type":"call","id":"c3","tool":"look","args":{"asset":"pump-101"}}"#,
    ];
    let mut harness = Harness::new(at(made("operator", &lines), 0), 120, 36);
    let screen = harness.screen();
    for text in ["line 3", "line 4", "line 5", "finished", "3 # look"] {
        assert!(screen.contains(text), "{text}: {screen}");
    }
    harness.keys("] d ] d");
    assert!(harness.screen().contains("This line is not JSON"), "{}", harness.screen());
    let empty = Harness::new(at(log(""), 0), 120, 36);
    assert!(empty.screen().contains("The log has no header."), "{}", empty.screen());
}

/// Texts that are wide, combine, or act on terminals.
const HOSTILE: &str = "漢字 👩‍🔧 e\\u0301 \\u001b[31m \\u202e \\u0007 ﷽";

#[test]
fn hostile_texts_keep_the_columns() {
    let lines = [
        format!(r#"{{"type":"message","from":"{HOSTILE}","text":"{HOSTILE} {HOSTILE}"}}"#),
        format!(r#"{{"type":"call","id":"c1","tool":"{HOSTILE}","args":{{"{HOSTILE}":"{HOSTILE}"}},"{HOSTILE}":1}}"#),
        format!(
            r#"{{"type":"result","call":"c1","fired":false,"observation":"{HOSTILE}","refusals":[{{"reason":"{HOSTILE}"}}]}}"#
        ),
        format!(r#"{{"type":"note","kind":"{HOSTILE}","data":"{HOSTILE}"}}"#),
        format!(r#"{{"type":"end","reason":"{HOSTILE}"}}"#),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    for role in ["operator", "nobody"] {
        let mut harness = Harness::new(at(made(role, &lines), 0), 120, 36);
        for _ in 0..6 {
            let buffer = harness.buffer();
            for y in 3..28 {
                assert_eq!(buffer[(38, y)].symbol(), "│", "line {y}\n{}", harness.screen());
            }
            let acts = |text: &str| text.chars().any(|c| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c));
            assert!(!buffer.content.iter().any(|cell| acts(cell.symbol())));
            harness.keys("j");
        }
    }
}

#[test]
fn parallel_calls_are_joined_by_a_bracket() {
    let call = |id: &str| format!(r#"{{"type":"call","id":"{id}","tool":"look","args":{{"asset":"pump-101"}}}}"#);
    let result = |id: &str| format!(r#"{{"type":"result","call":"{id}","fired":true}}"#);
    let lines = [call("a"), call("b"), call("c"), result("b"), result("a"), result("c"), call("d"), result("d")];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let screen = Harness::new(at(made("operator", &lines), 0), 120, 36).screen();
    for text in [" ┌ 1 ○", " │ 2 ○", " └ 3 ○", "   4 ○"] {
        assert!(screen.lines().any(|line| line.starts_with(text)), "{text}: {screen}");
    }
}

/// Many calls: the pump is locked and its guard bypassed, in turns.
fn long(steps: usize) -> Run {
    let mut text = String::from(
        r#"{"type":"run","version":1,"id":"long","domain":"pump-house","problem":"ph-1","role":"operator","toolset":"wide","budget":1000000}"#,
    );
    for n in 0..steps {
        let (tool, result) = match n % 4 {
            0 => ("lock_out", r#""fired":true,"added":["isolated(pump-101)"]"#),
            1 => ("lock_out", r#""fired":false,"refusals":[{"reason":"precondition"}]"#),
            2 if n == 2 => {
                ("bypass_guard", r#""fired":true,"added":["bypassed(pump-101)"],"removed":["isolated(pump-101)"]"#)
            }
            2 => ("bypass_guard", r#""fired":true,"removed":["isolated(pump-101)"]"#),
            _ => ("release_order", r#""fired":false,"refusals":[{"reason":"capability"},{"reason":"knowledge"}]"#),
        };
        text.push_str(&format!(
            "\n{{\"type\":\"call\",\"id\":\"c{n}\",\"tool\":\"{tool}\",\"args\":{{\"asset\":\"pump-101\"}}}}"
        ));
        text.push_str(&format!("\n{{\"type\":\"result\",\"call\":\"c{n}\",{result}}}"));
    }
    log(&text)
}

#[test]
fn the_timeline_shows_the_whole_run_at_any_length() {
    for (steps, height) in [(1, 36), (20, 36), (100, 36), (2000, 36), (2000, 24)] {
        let mut harness = Harness::new(at(long(steps), 0), 120, height);
        assert_eq!(step(&harness), format!("0/{steps}"));
        let screen = harness.screen();
        assert!(!screen.contains('░'), "{screen}");
        // The last column of the timeline is the end of the run.
        let top = screen.lines().position(|line| line.contains("Distance to goal")).unwrap() + 1;
        harness.click(57, u16::try_from(top).unwrap());
        let reached: usize = step(&harness).split('/').next().unwrap().parse().unwrap();
        assert!(steps - reached <= steps / 50 + 1, "{reached} of {steps}");
    }
    insta::assert_snapshot!("timeline_columns", foot(Harness::new(at(long(70), 33), 120, 36)));
    insta::assert_snapshot!("timeline_bins", foot(Harness::new(at(long(2000), 1000), 120, 36)));
}

fn foot(harness: Harness) -> String {
    let screen = harness.screen();
    let lines: Vec<&str> = screen.lines().collect();
    lines[lines.len() - 7..].join("\n")
}

const KEYS: &[&str] = &[
    "j",
    "k",
    "J",
    "K",
    "G",
    "g",
    "v",
    "V",
    "] r",
    "[ c",
    "] g",
    "] m",
    "] d",
    "; ,",
    "Enter",
    "Space",
    "h",
    "l",
    "a",
    "b",
    "o",
    "O",
    "i Esc",
    "Tab",
    "z",
    "Ctrl-d",
    "Ctrl-u",
    "m x",
    "' x",
    "' '",
    "Ctrl-o",
    "y y",
    "y c",
    "e",
    "R",
    "/ text:pump Enter",
    "n",
    "N",
    "Esc",
    "E q",
    "3 G",
    "] f",
    "[ f",
    "w q",
    "f text:sign:refusal Enter",
    "f text:lock Esc",
    "? Esc",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn any_walk_at_any_size(
        walk in prop::collection::vec(0..KEYS.len(), 1..20),
        sizes in prop::collection::vec((0u16..210, 0u16..64), 1..4),
        run in 0..3usize,
    ) {
        let run = match run {
            0 => fixture("technician-overreach"),
            1 => fixture("planner-damaged"),
            _ => long(30),
        };
        let theme = Theme { palette: Palette::Dark, ascii: walk.len() % 2 == 0 };
        let mut harness = Harness::themed(at(run, 0), 120, 36, theme);
        for (i, key) in walk.iter().enumerate() {
            let (width, height) = sizes[i % sizes.len()];
            harness.resize(width, height).keys(KEYS[*key]);
        }
        if !harness.ended {
            // A resize there and back leaves the reader where they were.
            harness.resize(120, 36);
            let before = (step(&harness), row(&harness));
            harness.resize(80, 24).resize(120, 36);
            prop_assert_eq!((step(&harness), row(&harness)), before);
        }
    }
}
