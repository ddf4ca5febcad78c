//! The ten rules of the screens, where no screen's own tests keep them: on the real screens, by keys
//! through the real loop. Elsewhere: a key in its own frame in `tui_reading`, `tui_shell` and the bench; no
//! state by colour alone in `sign`; blind means blind in `tui_play`.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use proptest::prelude::*;
use refract::run::RunSource;
use refract::tui::browser::Browser;
use refract::tui::command::{COMMANDS, Cmd};
use refract::tui::open::{self, Run};
use refract::tui::play::{Out, Plan, Play};
use refract::tui::results::Scope;
use refract::tui::shelf::Shelf;
use refract::tui::testing::Harness;
use refract::world::ToolsetId;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pump")
}

/// One for all, so that its entries are loaded once.
fn shelf() -> Arc<Shelf> {
    static SHELF: LazyLock<Arc<Shelf>> = LazyLock::new(|| Arc::new(Shelf::home(Some(root()))));
    SHELF.clone()
}

fn source(name: &str) -> RunSource {
    RunSource::file(&root().join("runs").join(format!("{name}.jsonl")))
}

fn at(run: Run, step: usize) -> Harness {
    Harness::new(open::trajectory(&shelf(), run, step), 120, 36)
}

fn overreach() -> Harness {
    at(Run::Source(source("technician-overreach")), 0)
}

fn browser() -> Harness {
    Harness::new(Browser::new(shelf()), 120, 36)
}

fn step(harness: &Harness) -> usize {
    let screen = harness.screen();
    let line = screen.lines().next().unwrap_or_default();
    let at = line.split("step ").nth(1).and_then(|rest| rest.split('/').next());
    at.and_then(|step| step.parse().ok()).unwrap_or_else(|| panic!("no step\n{screen}"))
}

/// Rule 2: nothing moves but what the reader moved.
#[test]
fn headings_keep_their_rows_while_stepping() {
    let mut harness = overreach();
    let heads = |harness: &Harness| {
        let screen = harness.screen();
        ["Goal ", "Produced ", "Given ", "Facts "].map(|head| {
            let marks = [format!("▾ {head}"), format!("▸ {head}")];
            screen.lines().position(|line| marks.iter().any(|mark| line.contains(mark.as_str())))
        })
    };
    let goal = heads(&harness)[0];
    assert!(goal.is_some());
    for _ in 0..8 {
        // The goal stands below what changed, however much that is.
        assert_eq!(heads(harness.keys("J"))[0], goal, "{}", harness.screen());
    }
}

/// Rule 3: the way back is exact.
const WALK: &[&str] = &[
    "j",
    "k",
    "J",
    "K",
    "G",
    "g",
    "v",
    "Tab",
    "Space",
    "l",
    "h",
    "o",
    "a",
    "3 G",
    "} ",
    "i Esc",
    "/ text:pump Enter",
    "n",
    "f text:a Enter",
    "z",
    "Ctrl-d",
    "R",
    "b",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, ..ProptestConfig::default() })]

    #[test]
    fn any_walk_above_leaves_what_is_below_as_it_was(
        before in prop::collection::vec(0..WALK.len(), 0..6),
        doors in prop::collection::vec((0..4usize, prop::collection::vec(0..WALK.len(), 0..6)), 1..4),
    ) {
        let mut harness = browser();
        before.iter().for_each(|&key| _ = harness.keys(WALK[key]));
        // What the last key said is not said for ever.
        let frame = |harness: &Harness| harness.screen().lines().rev().skip(2).map(str::to_owned).collect::<Vec<_>>();
        let (below, depth) = (frame(&harness), harness.model.depth());
        for (door, walk) in doors {
            harness.keys(["Enter", "w", "E", "r"][door]);
            // Keys on the screen below would move it, and that is no way back.
            if harness.model.depth() > depth {
                walk.iter().for_each(|&key| _ = harness.keys(WALK[key]));
            } else if door == 0 {
                // Enter folded a group instead of opening something.
                return Ok(());
            }
        }
        for _ in 0..20 {
            if harness.model.depth() <= depth {
                break;
            }
            harness.keys("q");
        }
        prop_assert_eq!(frame(&harness), below);
    }
}

/// Rule 5: every number is a door. What a row says of a step leads to that step.
#[test]
fn what_names_a_step_leads_there() {
    let mut doors = 0;
    for (pane, column) in [("Tab", 39), ("Tab Tab", 85)] {
        for from in 1..=7 {
            let mut harness = overreach();
            harness.keys(&format!("a g {from} G {pane} g"));
            for _ in 0..40 {
                let screen = harness.screen();
                let line = screen.lines().find(|line| line.chars().nth(column) == Some('▌')).unwrap_or_default();
                let row: String = line.chars().skip(column + 1).take_while(|c| *c != '│').collect();
                let row = row.trim();
                let to = ["since ", " at ", "by ", "← "]
                    .iter()
                    .find_map(|word| row.rsplit_once(word)?.1.parse::<usize>().ok());
                if let Some(to) = to.filter(|&to| to != from) {
                    assert_eq!(step(harness.keys("Enter")), to, "{row:?} of step {from}");
                    harness.keys("' '");
                    assert_eq!(harness.screen(), screen, "{row:?} of step {from}");
                    doors += 1;
                }
                harness.keys("j");
            }
        }
    }
    assert!(doors > 20, "{doors}");
}

/// Rule 6: nothing is hidden without its size, and search finds it there and opens it.
#[test]
fn search_opens_whatever_hides_a_needle() {
    let long = "so ".repeat(200);
    let words: Vec<String> = (0..60).map(|n| format!("line{n}")).collect();
    let lines = [
        format!(r#"{{"type":"message","from":"agent","text":"{long} needle1"}}"#),
        format!(r#"{{"type":"message","from":"agent","reasoning":true,"text":"{} needle2"}}"#, words.join("\\n")),
        format!(r#"{{"type":"call","id":"a","tool":"look","args":{{"asset":"pump-101","why":"{long} needle3"}}}}"#),
        r#"{"type":"result","call":"a","fired":false,"observation":"so so needle4"}"#.to_owned(),
        r#"{"type":"note","kind":"hint","data":{"deep":["needle5"]}}"#.to_owned(),
        r#"{"type":"call","id":"b","tool":"look","args":{"asset":"pump-101"}}"#.to_owned(),
        r#"{"type":"end","reason":"finished"}"#.to_owned(),
    ];
    let header = r#"{"type":"run","version":1,"id":"r","domain":"pump-house","problem":"ph-1","role":"technician","toolset":"wide"}"#;
    let text = format!("{header}\n{}\n", lines.join("\n"));
    for needle in [
        "needle1",
        "needle2",
        "needle3",
        "needle4",
        "needle5",
        // The objects and tools of the start, a definition, a fact that is not on the screen, a given value.
        "valve-7",
        "Take a spectrum",
        "fault(pump-101",
    ] {
        let mut harness = at(Run::Made { name: "r".into(), bytes: text.as_bytes().into() }, 0);
        harness.keys("G").keys(&format!("/ text:{} Enter", needle.replace(' ', "_")));
        let found = |screen: &str| screen.lines().rev().skip(2).any(|line| line.contains(needle));
        assert!(found(&harness.screen()), "{needle}\n{}", harness.screen());
    }
}

const REASONS: &[(usize, &[&str])] = &[
    (2, &["isolated(pump-101)", "diagnosis(pump-101, seal_leak)"]),
    (4, &["capability release", "held by planner", "This user may not do that."]),
];

/// A run being played, its log in the folder for such things.
fn played(keys: &str) -> Harness {
    static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());
    let world = shelf().library().worlds.values().next().unwrap().clone();
    let out = Some(Out::Folder(FOLDER.path().to_owned()));
    let (role, toolset) = (world.domain.role_id("technician"), Some(ToolsetId(0)));
    let mut harness = Harness::new(Play::new(&shelf(), &world, Plan { role, toolset, out, ..Plan::default() }), 80, 24);
    harness.keys(keys);
    harness
}

const MOTIONS: &[Cmd] = &[
    Cmd::Down,
    Cmd::Up,
    Cmd::Left,
    Cmd::Right,
    Cmd::First,
    Cmd::Last,
    Cmd::HalfDown,
    Cmd::HalfUp,
    Cmd::MainNext,
    Cmd::MainPrev,
];

/// Rule 7: no dead key. Each key of the table does something or says why not.
#[test]
fn every_key_answers_on_every_real_screen() {
    type Named = (&'static str, fn() -> Harness);
    let screens: [Named; 7] = [
        ("browser", || {
            let mut harness = browser();
            harness.keys("a");
            harness
        }),
        ("trajectory", overreach),
        ("entry", || {
            Harness::new(open::entry(&shelf(), shelf().library().worlds.values().next().unwrap(), None), 120, 36)
        }),
        ("world", || {
            let mut harness = browser();
            harness.keys("w");
            harness
        }),
        ("play", || played("text:rel Enter Enter Esc")),
        ("the end of play", || played("text:rel Enter Enter Esc q y")),
        ("results", || Harness::new(open::results(&shelf(), Scope::default()), 120, 36)),
    ];
    let mut dead = Vec::new();
    for (name, make) in screens {
        for command in COMMANDS {
            // Suspending is the system's, playing leaves a log, Esc has nothing to take off, and a short list no room to move.
            if matches!(command.cmd, Cmd::Suspend | Cmd::Redraw | Cmd::Peel | Cmd::Play)
                || MOTIONS.contains(&command.cmd)
            {
                continue;
            }
            for keys in command.keys {
                let mut harness = make();
                harness.keys("j j j");
                let seen = |harness: &Harness| {
                    (harness.screen(), harness.model.depth(), harness.copied.len(), harness.edited.len())
                };
                let before = seen(&harness);
                harness.keys(keys);
                if before == seen(&harness) && harness.model.message().is_none() && !harness.ended {
                    dead.push(format!("{keys} ({}) on {name}", command.name));
                }
            }
        }
    }
    assert_eq!(dead, [""; 0]);
}

/// Rule 10: every place has an address.
#[test]
fn a_link_leads_to_the_same_frame() {
    for n in 0..=7 {
        let mut harness = overreach();
        if n > 0 {
            harness.keys(&format!("{n} G"));
        }
        harness.keys("y s");
        let link = harness.copied.last().unwrap().clone();
        let (run, place) = link.rsplit_once('#').unwrap();
        let opened = at(Run::Source(source(run)), place.parse().unwrap());
        let frame = |harness: &Harness| harness.screen().lines().rev().skip(2).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(frame(&opened), frame(&harness), "{link}");
        // The same place in text.
        let mut replay = assert_cmd::Command::cargo_bin("refract").unwrap();
        let path = root().join("runs").join(format!("{run}.jsonl"));
        let out = replay.args(["replay", &format!("{}#{place}", path.display())]).output().unwrap();
        assert!(out.status.code() == Some(0), "{link}: {}", String::from_utf8_lossy(&out.stderr));
    }
}

/// Rule 8: one wording. What the screen says of a refusal, the text twin says too.
#[test]
fn screen_and_text_name_a_reason_alike() {
    let path = root().join("runs/technician-overreach.jsonl");
    for (place, reasons) in REASONS {
        let mut harness = overreach();
        let screen = harness.keys(&format!("{place} G Tab z")).screen();
        let mut replay = assert_cmd::Command::cargo_bin("refract").unwrap();
        let out = replay.args(["replay", &format!("{}#{place}", path.display())]).output().unwrap();
        let text = String::from_utf8_lossy(&out.stdout);
        for reason in *reasons {
            for (where_, said) in [("screen", screen.as_str()), ("text", &text)] {
                assert!(said.contains(reason), "{reason} in the {where_}\n{said}");
            }
        }
    }
}

/// What a sign means is told where it stands.
#[test]
fn signs_are_told() {
    let mut harness = Harness::new(Browser::new(shelf()), 120, 60);
    let card = harness.keys("a i").screen();
    for words in
        ["The signs of runs", "B    over-reach: the role lacked both", "✓    every call fired, and the goal is reached"]
    {
        assert!(card.contains(words), "{words}\n{card}");
    }
    assert_eq!(card.matches("◂ this row").count(), 1, "{card}");
    let help = harness.keys("Esc ?").screen();
    assert!(help.contains("signs") && help.contains("over-reach: the role lacked the capability"), "{help}");
    let mut run = Harness::new(open::trajectory(&shelf(), Run::Source(source("technician-overreach")), 4), 120, 90);
    let card = run.keys("i").screen();
    assert!(card.lines().any(|line| line.contains("B    over-reach: the role lacks both  ◂ this row")), "{card}");
    let help = run.keys("Esc ?").screen();
    assert!(help.contains("refused: an input does not match") && help.contains("has another value"), "{help}");
}
