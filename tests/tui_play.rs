//! Play, driven by keys through the real loop.
#![allow(clippy::unwrap_used)]

#[path = "tui_play/table.rs"]
mod table;

use std::sync::Arc;

use proptest::prelude::*;
use refract::exec::Opening;
use refract::run::{Log, Replay, Setup};
use refract::tui::play::{Out, Plan, Play};
use refract::tui::shelf::Shelf;
use refract::tui::testing::Harness;
use refract::world::{RoleId, ToolsetId, World};
use table::{DOMAIN, PROBLEM, Table, pump, world};

const FIX_IT: &str = "text:measure Enter Enter text:lock Enter Enter text:replace Enter Enter";

#[test]
fn what_is_typed_is_what_is_sent() {
    for (keys, expected) in [
        // A single candidate is filled in: the pump is the only rotating machine.
        ("text:measure Enter Enter", r#""tool":"measure_vibration","args":{"asset":"pump-101"}}"#),
        // Fuzzy, and the second of two assets.
        ("text:lckout Enter Down Enter", r#""tool":"lock_out","args":{"asset":"valve-7"}}"#),
        ("text:lock_out Enter text:val Tab Enter", r#""tool":"lock_out","args":{"asset":"valve-7"}}"#),
        // As it stands, mistakes included.
        ("text:fly Ctrl-x", r#""tool":"fly","args":{}}"#),
        ("text:lock Enter text:moon Ctrl-x", r#""tool":"lock_out","args":{"asset":"moon"}}"#),
        ("text:lock Enter Ctrl-x", r#""tool":"lock_out","args":{}}"#),
        ("text:lock Enter Down Down Enter", r#""tool":"lock_out","args":{}}"#),
        // What was filled in gives way to what is typed; with the caret moved it can be mended.
        ("text:measure Enter text:valve-7 Ctrl-x", r#""tool":"measure_vibration","args":{"asset":"valve-7"}}"#),
        ("text:measure Enter Left End Backspace text:2 Ctrl-x", r#""args":{"asset":"pump-102"}}"#),
        // Back to an argument before.
        (
            "text:hand_over Enter Enter Shift-Tab Down Enter text:plan Enter",
            r#""tool":"hand_over","args":{"asset":"valve-7","to":"planner"}}"#,
        ),
        ("text:lock Enter Backspace Ctrl-u text:look Enter Enter", r#""tool":"look","args":{"asset":"pump-101"}}"#),
    ] {
        let table = Table::new();
        table.play("technician", keys);
        let events = table.events("ph-1-technician-human");
        let call = events.iter().find(|line| line.contains(r#""type":"call""#));
        assert!(call.is_some_and(|line| line.ends_with(expected)), "{keys}: {events:#?}");
    }
}

#[test]
fn a_run_played_by_hand_is_solved_and_replays() {
    let table = Table::new();
    let mut harness = table.play("technician", &format!("{FIX_IT} text:finish Enter Enter"));
    let screen = harness.screen();
    assert!(screen.contains("Solved: 3 of 3 hold"), "{screen}");
    let text = table.log("ph-1-technician-human");
    assert!(text.ends_with("{\"type\":\"end\",\"reason\":\"finished\"}\n"), "{text}");
    let log = Log::read(text.clone().into_bytes());
    let header = log.header().unwrap();
    assert_eq!(header.id.as_deref(), Some("ph-1-technician-human"));
    assert_eq!(header.agent.as_ref().unwrap().name.as_deref(), Some("human"));
    let setup = Setup::of(&header, &table.world).unwrap();
    let world_match = setup.matches(&header);
    let replay = Replay::whole(setup, world_match, &log);
    assert!(!replay.diverged() && log.damage_count() == 0 && log.steps() == 3);
    assert!(replay.goal_after(3).unwrap().complete());
    // Enter opens the run just made.
    harness.keys("Enter");
    assert_eq!(harness.model.depth(), 2);
}

#[test]
fn words_are_words_and_never_commands() {
    let table = Table::new();
    let mut harness = table.play("operator", "\" text:quit Enter \" text::finish Enter \" text:?q\"look Enter");
    let events = table.events("ph-1-operator-human");
    let said = |text: &str| format!(r#"{{"type":"message","from":"player","text":{text}}}"#);
    assert_eq!(events, [said(r#""quit""#), said(r#"":finish""#), said(r#""?q\"look""#)]);
    assert!(harness.screen().contains("you: quit"));
    // The call prompt never sends words either.
    harness.keys("text:please_help Enter");
    assert_eq!(table.events("ph-1-operator-human").len(), 3);
    assert!(harness.screen().contains("press \" to speak"), "{}", harness.screen());
}

#[test]
fn every_way_out_leaves_an_end() {
    for (keys, end) in [
        ("text:look Enter Enter Esc q y", r#"{"type":"end","reason":"stopped"}"#),
        ("text:look Enter Enter Ctrl-c", r#"{"type":"end","reason":"stopped"}"#),
        ("text:finish Enter Enter", r#"{"type":"end","reason":"finished"}"#),
        (": text:finish Enter y", r#"{"type":"end","reason":"finished"}"#),
        (&"text:look Enter Enter ".repeat(6), r#"{"type":"end","reason":"budget"}"#),
    ] {
        let table = Table::new();
        let mut harness = table.play("operator", keys);
        let events = table.events("ph-1-operator-human");
        assert_eq!(events.last().map(String::as_str), Some(end), "{keys} {events:#?}");
        // Nothing more comes after the end, and q leaves.
        harness.keys("q");
        assert_eq!(table.events("ph-1-operator-human").len(), events.len());
        assert!(harness.ended, "{keys}");
    }
}

#[test]
fn enter_takes_no_tool_that_nobody_chose() {
    for keys in
        ["Enter", "Enter Enter Enter", "Down Up Enter Esc p", "text:look Backspace Backspace Backspace Backspace Enter"]
    {
        let table = Table::new();
        let harness = table.play("operator", keys);
        let screen = harness.screen();
        assert!(screen.contains("6 of 6 calls left") && table.logs() == 0, "{keys}\n{screen}");
    }
    let untouched = Table::new().play("operator", "Enter").screen();
    assert!(untouched.contains("no tool yet: type some of its name"), "{untouched}");
    assert!(!untouched.contains('▌'), "a cursor on what nobody chose:\n{untouched}");
    // An arrow or Tab chooses the first, a click any.
    for keys in ["Down Enter", "Tab Enter", "Ctrl-n Enter", "Tab Tab"] {
        let screen = Table::new().play("operator", keys).screen();
        assert!(screen.contains("call › look"), "{keys}\n{screen}");
    }
    let table = Table::new();
    let mut harness = table.play("operator", "");
    let lines: Vec<String> = harness.screen().lines().map(str::to_owned).collect();
    let row = lines.iter().rposition(|line| line.trim_start().starts_with("lock_out")).unwrap();
    harness.click(3, u16::try_from(row).unwrap()).click(3, u16::try_from(row).unwrap());
    assert!(harness.screen().contains("call › lock_out"), "{}", harness.screen());
}

#[test]
fn leaving_at_once_leaves_no_log() {
    for (keys, logs) in [
        ("Esc q y", 0),
        ("Ctrl-c", 0),
        ("Esc q y p Esc q y q", 0),
        // What is worth keeping: a call, words, the open world, the word that it is done.
        ("text:look Enter Enter Ctrl-c", 1),
        ("\" text:hello Enter Ctrl-c", 1),
        ("Esc a y Ctrl-c", 1),
        ("text:finish Enter Enter", 1),
    ] {
        let table = Table::new();
        table.play("operator", keys);
        assert_eq!(table.logs(), logs, "{keys}");
    }
    // A folder that was not there does not stay behind either.
    let table = Table::new();
    let folder = table.folder.path().join("new").join("runs");
    table.sit(Plan { out: Some(Out::Folder(folder)), ..table.plan("operator") }, 120, 36).keys("Esc q y q");
    assert_eq!(table.logs(), 0);
    // Nothing to step through: nothing says so.
    let table = Table::new();
    let mut harness = table.play("operator", "Esc q y");
    assert!(harness.screen().contains("Nothing was recorded") && !harness.screen().contains("step by step"));
    harness.keys("Enter");
    assert_eq!(harness.model.depth(), 1);
}

#[test]
fn the_footer_offers_what_acts() {
    let footer = |keys: &str| Table::new().play("operator", keys).screen().lines().last().unwrap().to_owned();
    let playing = footer("text:look Enter Enter Esc");
    assert!(playing.contains("\" say") && playing.contains("a open play"), "{playing}");
    // Redo where something was taken back, and undo where something was done.
    let (nothing, taken_back) = (footer("Esc"), footer("text:look Enter Enter Esc u"));
    assert!(
        playing.contains("u undo") && !playing.contains("redo") && playing.contains("p to the prompt"),
        "{playing}"
    );
    assert!(!nothing.contains("undo") && taken_back.contains("Ctrl-r redo"), "{nothing}\n{taken_back}");
    let opened = footer("Esc a y");
    assert!(opened.contains("\" say") && !opened.contains("a open play"), "{opened}");
    for keys in ["text:finish Enter Enter", "text:look Enter Enter Esc q y"] {
        let ended = footer(keys);
        assert!(!ended.contains("say") && !ended.contains("open play"), "{ended}");
        assert!(ended.contains("Enter step by step") && ended.contains("p from here"), "{ended}");
    }
}

#[test]
fn q_asks_and_no_goes_on() {
    let table = Table::new();
    let mut harness = table.play("operator", "Esc q n");
    assert!(!harness.ended && table.logs() == 0);
    harness.keys("p text:look Enter Enter");
    assert_eq!(table.events("ph-1-operator-human").len(), 2);
}

#[test]
fn the_end_names_every_reason() {
    let table = Table::new();
    let harness = table.play("operator", "text:replace Enter Enter Ctrl-x text:finish Enter Enter");
    let screen = harness.screen();
    for words in ["Refused, and why", "operator lacks capability", "held by", "not: ", "p begins a new run"] {
        assert!(screen.contains(words), "{words}\n{screen}");
    }
}

#[test]
fn open_play_is_noted_and_says_what_would_happen() {
    let table = Table::new();
    let mut harness = table.sit(Plan { open: true, ..table.plan("technician") }, 120, 36);
    assert_eq!(table.events("ph-1-technician-human"), [r#"{"type":"note","kind":"open","data":{}}"#]);
    harness.keys("text:replace Enter");
    assert!(harness.screen().contains("✓ capability repair"), "{}", harness.screen());
    assert!(harness.screen().contains("not yet a call"), "{}", harness.screen());
    harness.keys("Shift-Tab Shift-Tab Ctrl-u text:lock Enter text:pump Tab");
    assert!(harness.screen().contains("would fire: "), "{}", harness.screen());
    assert!(harness.screen().contains("Goal "), "{}", harness.screen());

    let blind = Table::new();
    let mut harness = blind.play("technician", "Esc a y");
    assert_eq!(blind.events("ph-1-technician-human"), [r#"{"type":"note","kind":"open","data":{}}"#]);
    assert!(harness.keys("g").screen().contains("OPEN"));
}

#[test]
fn a_log_that_cannot_be_written_is_told_and_minded() {
    let table = Table::new();
    let taken = table.folder.path().join("taken");
    std::fs::write(&taken, "").unwrap();
    let plan = Plan { out: Some(Out::Folder(taken)), ..table.plan("operator") };
    let mut harness = table.sit(plan, 120, 36);
    assert!(harness.screen().contains("Nothing is recorded; go on all the same?"), "{}", harness.screen());
    harness.keys("n text:look Enter Enter");
    assert!(harness.screen().contains("6 of 6 calls left"));
    harness.keys("y Enter");
    assert!(harness.screen().contains("5 of 6 calls left") && harness.screen().contains("NOT RECORDED"));
}

#[test]
fn once_more_makes_another_log() {
    let table = Table::new();
    let mut harness = table.play("operator", "text:look Enter Enter text:finish Enter Enter p");
    assert!(harness.screen().contains("6 of 6 calls left"), "{}", harness.screen());
    harness.keys("text:look Enter Enter");
    assert_eq!(table.events("ph-1-operator-human").len(), 3);
    assert_eq!(table.events("ph-1-operator-human-2").len(), 2);
}

#[test]
fn recall_and_panes() {
    let table = Table::new();
    let mut harness = table.play("operator", "text:lock Enter Down Enter Up Enter");
    assert_eq!(table.events("ph-1-operator-human").len(), 4);
    // A tool of the list goes into the call.
    harness.keys("Esc Tab / text:hand Enter n Enter");
    assert!(harness.screen().contains("call › hand_over"), "{}", harness.screen());
    // From a value in hand to the step that made it.
    let made = Table::new();
    let mut harness = made.play("technician", "text:measure Enter Enter Esc Tab / text:diagnosis( Enter n Enter");
    assert!(harness.screen().lines().any(|line| line.starts_with('▌') && line.contains("measure_vibration")));
    harness.keys("' '");
}

#[test]
fn any_size_is_drawn() {
    let table = Table::new();
    let mut harness = table.play("technician", "text:measure Enter Enter text:lock Enter");
    for (width, height) in
        [(0, 0), (1, 1), (20, 4), (29, 7), (40, 12), (80, 15), (80, 24), (109, 30), (200, 60), (9999, 3)]
    {
        harness.resize(width.min(400), height);
        harness.keys("Down Esc j k Tab Tab z z p");
    }
}

#[test]
fn hostile_texts_act_on_nothing() {
    let problem = PROBLEM
        .replace("You assist Ilse, who runs the late shift.", "\\u001b[31m漢字 e\\u0301 👩‍🔧 \\u202e\\u0007 end")
        .replace("P-101 is tripping again.", "\\u001b]0;title\\u0007");
    let table = Table { world: world(DOMAIN, &problem), ..Table::new() };
    let harness = table.play("operator", "");
    let screen = harness.screen();
    assert!(screen.contains("␛[31m漢字") && !screen.contains('\u{1b}') && !screen.contains('\u{202e}'), "{screen}");
}

#[test]
fn two_sizes() {
    for (width, height) in [(120, 36), (80, 24)] {
        let table = Table::new();
        let mut harness = table.sit(table.plan("technician"), width, height);
        harness.keys("text:measure Enter Enter text:rel Enter Enter \" text:No_order_yet. Enter text:replace Enter");
        insta::assert_snapshot!(format!("playing_{width}x{height}"), harness.screen());
        harness.keys("Esc q y");
        insta::assert_snapshot!(format!("ended_{width}x{height}"), harness.screen());
    }
}

#[test]
fn one_fact_is_one_fact() {
    let table = Table::new();
    let screen = table.play("technician", "text:measure Enter Enter").screen();
    let known = |n: usize| format!("─ {n} fact{}, ", if n == 1 { "" } else { "s" });
    assert!((0..9).any(|n| screen.contains(&known(n))), "{screen}");
    assert!(table.play("technician", "").screen().contains("─ 0 facts, "));
}

#[test]
fn the_side_leaves_a_margin_and_names_its_types() {
    let table = Table::new();
    for (width, height) in [(120, 36), (80, 24)] {
        let mut harness = table.sit(table.plan("technician"), width, height);
        harness.keys("text:measure Enter Enter");
        let screen = harness.screen();
        for line in screen.lines().take(usize::from(height) - 14).skip(2).filter(|line| line.contains('│')) {
            assert!(refract::tui::cells::width(line) < usize::from(width), "{line}");
        }
        assert!(screen.contains("▸ condition 3"), "{screen}");
    }
}

#[test]
fn choosing_remembers() {
    let table = Table::new();
    let shelf = Arc::new(Shelf::of(vec![table.folder.path().to_owned()], None));
    let plan = Plan { role: None, toolset: None, ..table.plan("operator") };
    let mut harness = Harness::new(Play::new(&shelf, &table.world, plan.clone()), 120, 36);
    insta::assert_snapshot!("choosing_120x36", harness.screen());
    harness.keys("j Enter j Enter");
    assert!(harness.screen().contains("technician · wide"), "{}", harness.screen());
    let mut again = Harness::new(Play::new(&shelf, &table.world, plan), 120, 36);
    again.keys("Enter Enter");
    assert!(again.screen().contains("technician · wide"), "{}", again.screen());
}

/// The problem with other hidden facts and another goal; the domain with other gates.
fn hidden(init: &[bool], gates: u8, goal: bool) -> Arc<World> {
    let extra = ["isolated(pump-101)", "isolated(valve-7)", "bypassed(pump-101)", "bypassed(valve-7)"];
    let facts: String =
        extra.iter().zip(init).filter(|(_, on)| **on).map(|(fact, _)| format!(", \"{fact}\"")).collect();
    let mut problem =
        PROBLEM.replace(", \"status(valve-7, running)\"]", &format!(", \"status(valve-7, running)\"{facts}]"));
    if goal {
        problem = problem.replace("\"routed(pump-101, technician)\", \"isolated(pump-101)\"", "\"isolated(valve-7)\"");
    }
    let mut domain = DOMAIN.to_owned();
    for (bit, (from, to)) in
        [("\"capability\": \"measure\", ", ""), ("\"capability\": \"release\", ", "")].into_iter().enumerate()
    {
        if gates >> bit & 1 == 1 {
            domain = domain.replace(from, to);
        }
    }
    world(&domain, &problem)
}

/// What is drawn, and the logs, of one who plays in a world; a hint that is asked for never comes.
fn typed(world: &Arc<World>, keys: &str) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let shelf = Arc::new(Shelf::of(vec![folder.path().to_owned()], None));
    let out = Some(Out::Folder(folder.path().to_owned()));
    let plan = Plan { role: Some(RoleId(0)), toolset: Some(ToolsetId(0)), out, ..Plan::default() };
    let mut harness = Harness::new(Play::new(&shelf, world, plan), 100, 30).hold();
    harness.keys(keys);
    let mut logs: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path()).collect();
    logs.sort();
    let place = folder.path().display().to_string();
    let drawn = format!("{}{:?}", harness.screen(), harness.buffer()).replace(&place, "");
    (drawn, logs.iter().map(|log| std::fs::read_to_string(log).unwrap()).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Blind means blind: nothing that is drawn before an observation differs hangs on what is hidden.
    #[test]
    fn blind_means_blind(
        init in proptest::collection::vec(any::<bool>(), 4),
        gates in 0u8..4,
        goal: bool,
        keys in proptest::collection::vec(
            prop_oneof![
                "[a-z]{1,3}".prop_map(|text| format!("text:{text}")),
                Just("Enter".to_owned()), Just("Down".to_owned()), Just("Tab".to_owned()), Just("Esc".to_owned()),
                Just("Shift-Tab".to_owned()), Just("p".to_owned()), Just("j".to_owned()), Just("l".to_owned()),
                Just("\" text:word Enter".to_owned()), Just("?".to_owned()), Just("w".to_owned()), Just("i".to_owned()),
                Just("Esc s".to_owned()), Just("Esc u".to_owned()), Just("Esc Ctrl-r".to_owned()), Just("Esc c".to_owned()),
                Just("PgDn".to_owned()), Just("PgUp".to_owned()), Just("p text:look Enter Enter".to_owned()),
            ],
            0..14,
        ),
    ) {
        let (one, other) = (pump(), hidden(&init, gates, goal));
        let role = RoleId(0);
        prop_assume!(Opening::of(&one, role, ToolsetId(0)) == Opening::of(&other, role, ToolsetId(0)));
        let keys = keys.join(" ");
        let ((a, log_a), (b, log_b)) = (typed(&one, &keys), typed(&other, &keys));
        // Where a call was made, what was read back may differ; then all may.
        let observed = |log: &str| {
            let lines = log.lines().filter(|line| line.contains("\"type\":\"result\""));
            lines.map(|line| line.split("\"observation\":").nth(1).unwrap_or("").split(",\"added\"").next().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let ended = |log: &str| log.contains("\"type\":\"end\",\"reason\":\"f") || log.contains("\"reason\":\"budget\"");
        prop_assume!(observed(&log_a) == observed(&log_b) && !ended(&log_a));
        prop_assert_eq!(a, b);
    }
}
