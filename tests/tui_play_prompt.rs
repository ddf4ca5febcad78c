//! The prompt and what stands beside it, by keys through the real loop: found by playing by hand.
#![allow(clippy::unwrap_used)]

#[path = "tui_play/table.rs"]
mod table;

use ratatui::crossterm::event::Event;
use refract::tui::model::Msg;
use refract::tui::testing::Harness;
use table::{DOMAIN, PROBLEM, Table, world};

#[test]
fn enter_sends_no_argument_that_fits_nothing() {
    for (keys, words) in [
        ("text:lock Enter text:moon Enter", "no asset is called 'moon'; Ctrl-x sends the call as it stands"),
        ("text:replace Enter text:junk Enter", "'junk' is no diagnosis(asset, fault); Ctrl-x sends"),
        ("text:replace Enter text:diagnosis(pump-101) Enter", "'diagnosis(pump-101)' is no diagnosis(asset, fault)"),
        // A condition is no fault.
        ("text:replace Enter text:diagnosis(pump-101,running) Enter", "is no diagnosis(asset, fault)"),
    ] {
        let table = Table::new();
        let screen = table.play("technician", keys).screen();
        assert!(screen.contains(words) && table.logs() == 0, "{keys}\n{screen}");
    }
    // A value that reads as one is taken: that nobody made it is for the executor to say.
    let table = Table::new();
    let mut harness = table.play("technician", "text:replace Enter");
    harness.send(Msg::Terminal(Event::Paste("diagnosis(pump-101, seal_leak)".to_owned()))).keys("Enter Enter");
    let events = table.events("ph-1-technician-human");
    assert!(events[0].contains("seal_leak") && events[1].contains("not_produced"), "{events:#?}");
}

#[test]
fn the_story_scrolls_from_the_prompt() {
    let persona = "Ilse runs the late shift and knows the plant. ".repeat(12);
    let problem = PROBLEM.replace("You assist Ilse, who runs the late shift.", &persona);
    for (width, height) in [(80, 24), (60, 16)] {
        let table = Table { world: world(DOMAIN, &problem), ..Table::new() };
        let mut harness = table.sit(table.plan("operator"), width, height);
        // What is asked is seen at once, and that there is more.
        let screen = harness.screen();
        assert!(screen.contains("> P-101 is tripping again") && screen.contains(" below ─"), "{screen}");
        let scrolled = harness.keys("text:lo PgDn PgDn PgDn PgDn PgDn PgDn").screen();
        assert!(!scrolled.contains("> P-101") && !scrolled.contains(" below ─"), "{scrolled}");
        assert!(scrolled.contains("call › lo"), "{scrolled}");
        assert!(harness.keys("PgUp PgUp PgUp PgUp PgUp PgUp").screen().contains("> P-101"), "{}", harness.screen());
    }
}

#[test]
fn a_question_says_what_it_expects() {
    let table = Table::new();
    let mut harness = table.play("operator", "Esc q x");
    assert!(harness.screen().contains("y or n is expected") && harness.screen().contains("stop playing?"));
    assert!(harness.screen().contains("y yes   n, Esc no"), "{}", harness.screen());
    assert!(!harness.keys("Esc").screen().contains("stop playing?") && !harness.ended);
    assert!(harness.keys("q y").screen().contains("You stopped"));
}

#[test]
fn what_was_in_hand_is_not_news() {
    let table = Table::new();
    let screen = table.play("technician", "text:measure Enter Enter text:measure Enter Enter").screen();
    assert_eq!(screen.matches("+ in hand: diagnosis(pump-101, bearing_wear)").count(), 1, "{screen}");
    assert_eq!(screen.matches("already in hand: diagnosis(pump-101, bearing_wear)").count(), 1, "{screen}");
    assert!(screen.contains("In hand 2"), "{screen}");
}

#[test]
fn what_is_no_longer_so_is_said() {
    // Looking tells now whether the guard is bypassed, and whether the machine is locked out.
    let domain = DOMAIN.replace(
        r#""reveals": ["status(?asset, ?any)"]"#,
        r#""reveals": ["status(?asset, ?any)", "bypassed(?asset)", "isolated(?asset)"]"#,
    );
    let table = Table { world: world(&domain, PROBLEM), ..Table::new() };
    let look = "text:look Enter Enter ";
    let keys = format!("text:lock Enter Enter {look} text:bypass Enter Enter");
    let mut harness = table.play("operator", &keys);
    let says = |harness: &Harness, words: &str, then: &str| {
        let screen = harness.screen();
        let found = screen
            .lines()
            .filter_map(|line| line.split('│').nth(1))
            .any(|line| line.contains(words) && line.contains(then));
        assert!(found, "{words} {then}\n{screen}");
    };
    // The player knows no better before looking again.
    says(&harness, "pump-101 is locked out", "seen at 2");
    harness.keys(look);
    says(&harness, "pump-101 is locked out", "not so since 4");
    says(&harness, "the guard of pump-101 is bypassed", "seen at 4");
    // Looking at another machine says nothing of this one.
    harness.keys("text:look Enter Down Enter");
    says(&harness, "pump-101 is locked out", "not so since 4");
    // Seen again, it is so again.
    harness.keys("Esc u p").keys(&format!("text:lock Enter Enter {look}"));
    says(&harness, "pump-101 is locked out", "seen at 6");
}

#[test]
fn a_tool_gone_back_to_gives_way_to_what_is_typed() {
    let table = Table::new();
    let mut harness = table.play("operator", "text:lock Enter Shift-Tab text:look");
    assert!(harness.screen().contains("call › look\n"), "{}", harness.screen());
    harness.keys("Enter");
    assert!(harness.screen().contains("call › look  asset="), "{}", harness.screen());
}

/// The line of the call, as it stands.
fn call(harness: &Harness) -> String {
    let screen = harness.screen();
    screen.lines().find_map(|line| line.trim_start().strip_prefix("call ›")).unwrap_or("none").trim().to_owned()
}

#[test]
fn a_call_that_was_begun_is_left() {
    let table = Table::new();
    let mut harness = table.play("technician", "text:replace Enter text:mo");
    assert_eq!(call(&harness), "replace_bearing  asset=pump-101  finding=mo");
    // First what was typed, then the call; the footer says so.
    assert!(harness.screen().contains("Ctrl-u clear") && harness.screen().contains("Shift-Tab back"));
    assert_eq!(call(harness.keys("Ctrl-u")), "replace_bearing  asset=pump-101  finding=");
    assert_eq!(call(harness.keys("Ctrl-u")), "");
    // Nothing was typed over what was filled in, and nothing in `finish`.
    assert_eq!(call(harness.keys("text:lock Enter Ctrl-u")), "");
    assert_eq!(call(harness.keys("text:finish Enter Ctrl-u")), "");
    assert!(!harness.screen().contains("Ctrl-u clear"), "{}", harness.screen());
}

#[test]
fn the_keys_of_the_prompt_are_asked_for_anywhere_in_it() {
    let table = Table::new();
    for keys in ["?", "text:lock ?", "text:lock Enter ?", "text:lock Enter Shift-Tab ?"] {
        let mut harness = table.sit(table.plan("operator"), 120, 60);
        let before = call(harness.keys(keys.strip_suffix('?').unwrap()));
        let help = harness.keys("?").screen();
        assert!(help.contains("where keys are text") && help.contains("play, after Esc"), "{keys}\n{help}");
        let own = if before.is_empty() { "earlier call" } else { "send as it is" };
        assert!(help.contains(own), "{keys}\n{help}");
        assert_eq!(call(harness.keys("Esc")), before, "{keys}");
    }
    // Of the panes, theirs alone.
    let help = table.play("operator", "Esc ?").screen();
    assert!(!help.contains("where keys are text"), "{help}");
}

#[test]
fn finish_goes_before_what_only_sounds_like_it() {
    // off_line has the letters in that order, find_out begins with them.
    for (tool, typed, call_is) in
        [("off_line", "fin", "finish"), ("find_out", "fin", "find_out"), ("finish_up", "finish", "finish")]
    {
        let named = |text: &str| text.replace("lock_out", tool);
        let table = Table { world: world(&named(DOMAIN), &named(PROBLEM)), ..Table::new() };
        let harness = table.play("operator", &format!("text:{typed} Enter"));
        assert_eq!(call(&harness).split_whitespace().next(), Some(call_is), "{tool}");
    }
}

#[test]
fn one_serves_somebody_and_turns_to_others() {
    let others = |role: &str| {
        let table = Table::new();
        let screen = table.play(role, "text:hand Enter Enter").screen();
        let names = screen.lines().map(|line| line.trim_matches([' ', '▌']).to_owned());
        names.filter(|line| ["operator", "technician", "planner"].contains(&line.as_str())).collect::<Vec<_>>()
    };
    assert_eq!(others("operator"), ["technician", "planner", "operator"]);
    assert_eq!(others("technician"), ["operator", "planner", "technician"]);
    let screen = Table::new().play("operator", "text:hand Enter Enter").screen();
    assert!(screen.contains("leave it out   (makes a bad call: all are needed)"), "{screen}");
}

#[test]
fn there_is_room_to_choose() {
    let tools = |width, height| {
        let table = Table::new();
        let screen = table.sit(table.plan("operator"), width, height).screen();
        let choices = screen.lines().skip_while(|line| !line.contains("─ Call"));
        choices.filter(|line| line.starts_with("        ") && line.len() > 12).count()
    };
    // All seven and the way out, below what is said of them.
    assert!(tools(120, 36) >= 9 && tools(80, 24) >= 6, "{} {}", tools(120, 36), tools(80, 24));
    let table = Table::new();
    let screen = table.play("operator", "").screen();
    let at = |words: &str| screen.lines().position(|line| line.contains(words)).unwrap();
    assert!(at("▸ Tools 7") < at("▾ Objects 11") && at("pump   pump-101") < at("▸ condition 3"), "{screen}");
    // A folded type opens, and search opens it too.
    let mut harness = table.play("operator", "Esc Tab / text:repaired Enter");
    assert!(harness.screen().contains("▾ condition 3"), "{}", harness.screen());
    assert!(harness.keys("h").screen().contains("▸ condition 3"), "{}", harness.screen());
    assert!(!harness.keys("h").screen().contains("condition"), "{}", harness.screen());
}
