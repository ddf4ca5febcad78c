//! The world screen, driven by keys through the real loop.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use proptest::prelude::*;
use refract::tui::open::WorldPlace;
use refract::tui::shelf::Shelf;
use refract::tui::testing::Harness;
use refract::tui::worlds::Worlds;
use refract::world::{Input, Library, SourceFile, ToolsetId, World};

const DOMAIN: &str = include_str!("fixtures/pump/domain/pump-house.json");
const PROBLEM: &str = include_str!("fixtures/pump/problems/ph-1.json");

fn world(domain: &str, problem: &str) -> Arc<World> {
    let inputs = [("domain.json", domain), ("problem.json", problem)];
    let inputs = inputs.map(|(name, text)| Input::Text(SourceFile::new(name, text)));
    let library = Library::load(inputs.into(), None);
    library.worlds.values().next().unwrap_or_else(|| panic!("{:#?}", library.diagnostics)).clone()
}

fn sit(world: &Arc<World>, place: WorldPlace, width: u16, height: u16) -> Harness {
    let shelf = Arc::new(Shelf::of(vec!["tests/fixtures/pump".into()], None));
    Harness::new(Worlds::new(&shelf, world, place), width, height)
}

fn pump(keys: &str) -> Harness {
    let mut harness = sit(&world(DOMAIN, PROBLEM), WorldPlace::default(), 120, 36);
    harness.keys(keys);
    harness
}

/// The row under the cursor, without the card beside it.
fn at_cursor(harness: &Harness) -> String {
    let screen = harness.screen();
    let line = screen.lines().find(|line| line.starts_with(['▌', '╎'])).unwrap_or_default();
    let row = line.split('│').next().unwrap_or_default();
    row.trim_start_matches(['▌', '╎']).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn keys_move_as_the_table_says() {
    for (keys, expected) in [
        ("", "▾ observe 2, below 1 1 2 1"),
        ("j", "look [●] ● ●"),
        ("j j", "measure_vibration [C] ● B"),
        ("j j l l", "measure_vibration C ● [B]"),
        // What the operator may not use, one after the other.
        ("v", "measure_vibration [C] ● B"),
        ("v v", "replace_bearing [C] ● K"),
        ("v v v", "release_order [B] B ●"),
        ("v v V", "measure_vibration [C] ● B"),
        ("l v", "release_order B [B] ●"),
        ("l l 2 v", "read_manual ● ● [K]"),
        // A folded class keeps its counts, and v opens it.
        ("Space", "▸ observe 2, below 1 1 2 1"),
        ("Space v", "measure_vibration [C] ● B"),
        ("j Space", "▸ observe 2, below 1 1 2 1"),
        ("Enter", "▸ observe 2, below 1 1 2 1"),
        ("/ text:bearing Enter", "replace_bearing [C] ● K"),
        ("Space / text:look Enter", "look [●] ● ●"),
        ("G", "hand_over [●] ● ●"),
        ("o G", "replace_bearing [C] ● K"),
        ("o o g", "measure_vibration [C] ● B"),
        ("o O g", "replace_bearing [C] ● K"),
        ("f text:lacks:release Enter", "▾ intervene 1 0 0 1"),
        ("f text:lacks:release Enter j", "release_order [B] B ●"),
        ("f text:role:planner_not Enter j", "measure_vibration [C] ● B"),
        ("f text:role:planner_not Enter G", "replace_bearing [C] ● K"),
        ("f text:class:route Enter j", "hand_over [●] ● ●"),
        ("f text:guard_spectrum Enter", "nothing"),
        ("f text:guard Enter G", "bypass_guard [●] ● ●"),
        ("f text:guard Enter j f Ctrl-u Enter", "bypass_guard [●] ● ●"),
        ("t G 8 k", "▾ retrieve 1 0 0 0"),
    ] {
        let shown = at_cursor(&pump(keys));
        assert_eq!(if shown.is_empty() { "nothing".to_owned() } else { shown }, expected, "{keys}");
    }
}

#[test]
fn the_card_says_who_may_and_ways_on() {
    let screen = pump("/ text:release Enter").screen();
    for words in [
        "release_order × operator",
        "operator may not: lacks both gates.",
        "✗ capability release",
        "✗ knowledge  scheduling",
        "held by planner",
        "may use it: planner",
        "hand_over",
        "produces  work_order(?asset)",
        "read by replace_bearing",
        "Source",
        "\"release_order\": {",
    ] {
        assert!(screen.contains(words), "{words}\n{screen}");
    }
    let screen = pump("/ text:replace Enter l").screen();
    for words in [
        "technician may use it.",
        "finding   diagnosis(?asset, bearing_wear)",
        "made by measure_vibration (technician)",
        "needs     isolated(?asset)",
        "+ status(?asset, repaired)",
        // Counted by hand: the technician's reference has it, and one run was refused it at its second call.
        "In 1 reference, refused in 1 of 3 runs",
    ] {
        assert!(screen.contains(words), "{words}\n{screen}");
    }
}

#[test]
fn refusals_are_counted_as_executed_not_as_recorded() {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in [("domain/pump-house.json", DOMAIN), ("problems/ph-1.json", PROBLEM)] {
        std::fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
        std::fs::write(folder.path().join(path), text).unwrap();
    }
    // A technician may not release an order, and anybody may look. Both logs say the contrary.
    let run = |tool: &str, fired: bool| {
        let header = r#"{"type":"run","version":1,"id":"r","domain":"pump-house","problem":"ph-1","role":"technician","toolset":"wide"}"#;
        let call = format!(r#"{{"type":"call","id":"c","tool":"{tool}","args":{{"asset":"pump-101"}}}}"#);
        format!("{header}\n{call}\n{{\"type\":\"result\",\"call\":\"c\",\"fired\":{fired}}}\n")
    };
    std::fs::create_dir(folder.path().join("runs")).unwrap();
    std::fs::write(folder.path().join("runs/released.jsonl"), run("release_order", true)).unwrap();
    std::fs::write(folder.path().join("runs/looked.jsonl"), run("look", false)).unwrap();
    // A run on an entry that is not here counts as it was recorded.
    std::fs::write(folder.path().join("runs/away.jsonl"), run("look", false).replace("ph-1", "ph-9")).unwrap();
    for (tool, expected) in [("release", "refused in 1 of 3 runs"), ("look", "refused in 1 of 3 runs")] {
        let shelf = Arc::new(Shelf::of(vec![folder.path().into()], None));
        let mut harness = Harness::new(Worlds::new(&shelf, &world(DOMAIN, PROBLEM), WorldPlace::default()), 120, 36);
        harness.keys(&format!("/ text:{tool} Enter"));
        assert!(harness.screen().contains(expected), "{tool}\n{}", harness.screen());
    }
}

#[test]
fn a_lens_leaves_out_what_is_not_offered() {
    let narrow = WorldPlace { toolset: Some(ToolsetId(0)), ..WorldPlace::default() };
    let mut harness = sit(&world(DOMAIN, PROBLEM), narrow, 120, 36);
    let row = |harness: &Harness| {
        harness
            .screen()
            .lines()
            .find(|line| line.contains(" read_manual "))
            .map(|line| line.chars().take(50).collect::<String>())
    };
    assert!(harness.screen().contains("set narrow, 7 of 8"));
    assert!(row(&harness).is_some_and(|row| row.matches('·').count() == 3));
    harness.keys("a");
    assert_eq!(row(&harness), None);
    harness.keys("t t");
    assert!(harness.screen().contains("whole domain, 8"));
    assert!(row(&harness).is_some_and(|row| !row.contains('·')));
}

#[test]
fn a_wrong_filter_says_what_is_known() {
    for (filter, expected) in [
        ("lacks:relaese", "no capability or knowledge 'relaese': did you mean `release`?"),
        ("role:oprator", "no role 'oprator': did you mean `operator`?"),
        ("class:rout", "no class 'rout': did you mean `route`?"),
    ] {
        let screen = pump(&format!("f text:{filter} Enter")).screen();
        assert!(screen.contains(expected), "{filter}\n{screen}");
    }
}

#[test]
fn names_are_doors_and_the_way_back_is_exact() {
    for (keys, expected) in [
        // The first row of the card that leads somewhere is the role.
        ("/ text:replace Enter Tab / text:isolated Enter Enter", "isolated(asset) 1 1 2 0"),
        ("/ text:replace Enter Tab / text:work_order Enter", ""),
        ("j j Tab / text:diagnosis Enter Enter", "diagnosis(asset, fault) 1 1 0"),
    ] {
        let harness = pump(keys);
        if !expected.is_empty() {
            assert_eq!(at_cursor(&harness), expected, "{keys}\n{}", harness.screen());
        }
    }
    let before = pump("/ text:replace Enter Esc Tab j j j j").screen();
    let mut harness = pump("/ text:replace Enter Esc Tab j j j j");
    harness.keys("c");
    assert!(harness.screen().contains("[Roles]"));
    harness.keys("' '");
    assert_eq!(harness.screen(), before);
}

#[test]
fn roles_side_by_side() {
    let screen = pump("c").screen();
    for words in
        ["operator beside technician", "Only operator may 0", "Only technician may 2", "Both may 5", "Neither may 1"]
    {
        assert!(screen.contains(words), "{words}\n{screen}");
    }
    let screen = pump("c l").screen();
    assert!(screen.contains("operator beside planner") && screen.contains("Only operator may 1"), "{screen}");
    assert!(pump("c j").screen().contains("technician beside"));
}

#[test]
fn pages() {
    let screen = pump("}").screen();
    for words in [
        "[Predicates]",
        "status(asset, condition)",
        "Added by 1",
        "Read by",
        "In the goals of ph-1 1",
        "At the start 2",
    ] {
        assert!(screen.contains(words), "{words}\n{screen}");
    }
    assert!(pump("{").screen().contains("[Slots]"));
    assert!(pump("} } } }").screen().contains("[Tools]"));
    let screen = pump("} i").screen();
    assert!(screen.contains("functional: one value for each key"), "{screen}");
}

#[test]
fn two_sizes() {
    for (width, height) in [(120, 36), (80, 24)] {
        let mut harness = sit(&world(DOMAIN, PROBLEM), WorldPlace::default(), width, height);
        insta::assert_snapshot!(format!("tools_{width}x{height}"), harness.keys("v v").screen());
        insta::assert_snapshot!(format!("predicates_{width}x{height}"), harness.keys("} j j").screen());
        insta::assert_snapshot!(format!("roles_{width}x{height}"), harness.keys("} j").screen());
    }
}

#[test]
fn many_roles_scroll_with_the_names_fixed() {
    let mut domain: serde_json::Value = serde_json::from_str(DOMAIN).unwrap();
    let roles = domain["roles"].as_object_mut().unwrap();
    for n in 0..40 {
        let role = serde_json::json!({"doc": "One more", "capabilities": [], "knowledge": []});
        roles.insert(format!("extra-{n}"), role);
    }
    let world = world(&domain.to_string(), PROBLEM);
    let mut harness = sit(&world, WorldPlace::default(), 80, 24);
    harness.keys("j j 42 l");
    let shown = at_cursor(&harness);
    assert!(shown.starts_with("measure_vibration") && shown.ends_with("[B]"), "{shown}");
    assert!(harness.screen().contains("more columns"), "{}", harness.screen());
}

#[test]
fn hostile_texts_act_on_nothing() {
    let domain = DOMAIN.replace("Fit new bearings.", "\\u001b[2J漢字 \\u202e e\\u0301 👩‍🔧");
    let mut harness = sit(&world(&domain, PROBLEM), WorldPlace::default(), 120, 36);
    harness.keys("/ text:replace Enter");
    let screen = harness.screen();
    assert!(screen.contains("␛[2J漢字") && !screen.contains('\u{1b}') && !screen.contains('\u{202e}'), "{screen}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn no_keys_and_no_size_break_it(
        keys in proptest::collection::vec(
            prop_oneof![
                Just("j"), Just("k"), Just("h"), Just("l"), Just("v"), Just("V"), Just("}"), Just("{"), Just("t"),
                Just("a"), Just("o"), Just("O"), Just("Enter"), Just("Tab"), Just("Space"), Just("c"), Just("i"),
                Just("' '"), Just("Esc"), Just("G"), Just("g"), Just("z"), Just("f text:may Enter"), Just("/ text:a Enter"),
            ],
            0..25,
        ),
        width in 0u16..220,
        height in 0u16..70,
    ) {
        let mut harness = sit(&world(DOMAIN, PROBLEM), WorldPlace::default(), 100, 30);
        harness.keys(&keys.join(" "));
        harness.resize(width, height);
        harness.keys("j l Tab");
    }
}
