//! How good each step was, on the trajectory screen: distances, verdicts, what was held back, the way on.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use refract::score::{Go, Stretch, Ways};
use refract::tui::open::{self, Run};
use refract::tui::shelf::Shelf;
use refract::tui::testing::Harness;

/// A run of the pump house, as a script of `tool args` lines that fired, with its end.
fn run(role: &str, calls: &[(&str, &str, &str)]) -> Run {
    let mut text = format!(
        r#"{{"type":"run","version":1,"id":"r","domain":"pump-house","problem":"ph-1","role":"{role}","toolset":"wide"}}"#
    );
    for (n, (tool, args, result)) in calls.iter().enumerate() {
        text.push_str(&format!("\n{{\"type\":\"call\",\"id\":\"{n}\",\"tool\":\"{tool}\",\"args\":{args}}}"));
        text.push_str(&format!("\n{{\"type\":\"result\",\"call\":\"{n}\",{result}}}"));
    }
    text.push_str("\n{\"type\":\"end\",\"reason\":\"finished\"}\n");
    Run::Made { name: "made".into(), bytes: text.as_bytes().into() }
}

fn on(run: Run, width: u16, height: u16) -> Harness {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pump");
    Harness::new(open::trajectory(&Arc::new(Shelf::home(Some(root))), run, 0), width, height)
}

/// A technician who sends away what is the technician's to do, goes on, and breaks the guard.
fn sends_it_away() -> Run {
    run(
        "technician",
        &[
            (
                "hand_over",
                r#"{"asset":"pump-101","to":"operator"}"#,
                r#""fired":true,"added":["routed(pump-101, operator)"]"#,
            ),
            ("lock_out", r#"{"asset":"pump-101"}"#, r#""fired":true,"added":["isolated(pump-101)"]"#),
            (
                "release_order",
                r#"{"asset":"pump-101"}"#,
                r#""fired":false,"refusals":[{"reason":"capability"},{"reason":"knowledge"}]"#,
            ),
            (
                "bypass_guard",
                r#"{"asset":"pump-101"}"#,
                r#""fired":true,"added":["bypassed(pump-101)"],"removed":["isolated(pump-101)"]"#,
            ),
            ("look", r#"{"asset":"pump-101"}"#, r#""fired":true"#),
        ],
    )
}

/// A technician who leaves after one call what is the technician's to do.
fn stops_short() -> Run {
    run("technician", &[("lock_out", r#"{"asset":"pump-101"}"#, r#""fired":true,"added":["isolated(pump-101)"]"#)])
}

/// The rows of the calls in the list.
fn steps(harness: &Harness) -> Vec<String> {
    let screen = harness.screen();
    let above = screen.lines().take_while(|line| !line.contains("Distance to goal"));
    let lists = above.filter_map(|line| line.split_once('│').map(|(list, _)| list.trim_matches(['▌', ' ', '╎'])));
    lists.filter(|row| row.starts_with(|c: char| c.is_ascii_digit())).map(str::to_owned).collect()
}

#[track_caller]
fn says(harness: &Harness, text: &str) {
    assert!(harness.screen().contains(text), "{text} is not in\n{}", harness.screen());
}

fn step(harness: &Harness) -> String {
    let screen = harness.screen();
    let after = screen.split("step ").nth(1).unwrap();
    after.split_whitespace().next().unwrap().to_owned()
}

#[test]
fn each_step_has_its_distance_and_its_verdict() {
    let harness = on(sends_it_away(), 120, 36);
    // Measure, lock out, replace: three calls. Handing over spares none of them, the lock one; the guard
    // that is bypassed stays so.
    let expected = [("0 ▷", "3"), ("1 <", "=3"), ("2 ●", "↓2"), ("3 B", "2"), ("4 ●", "∞"), ("5 ○", "∞")];
    let steps = steps(&harness);
    assert_eq!(steps.len(), expected.len(), "{steps:?}");
    for (row, (begin, end)) in steps.iter().zip(expected) {
        assert!(row.starts_with(begin) && row.ends_with(end), "{row} is not {begin} … {end}");
    }
    says(&harness, "under-reach 1, out of reach since step 4");
}

#[test]
fn what_was_held_back_stands_with_the_gates_that_allowed_it() {
    let mut harness = on(sends_it_away(), 120, 36);
    harness.keys("] u");
    assert_eq!(step(&harness), "1/5");
    says(&harness, "Under-reach: routed instead of doing");
    says(&harness, "technician has measure, hardware");
    harness.keys("] u");
    says(&harness, "no further call that held back or routed in vain");
}

#[test]
fn turning_points_are_hunted() {
    let mut harness = on(sends_it_away(), 120, 36);
    harness.keys("] t");
    assert_eq!(step(&harness), "4/5");
    says(&harness, "a dead end: out of reach, 2 before");
    says(&harness, "From here: no way, proven");
    // Out of reach already: the call behind it takes nothing away.
    harness.keys("] t");
    assert_eq!(step(&harness), "4/5");
    assert_eq!(step(harness.keys("G [ t")), "4/5");
}

#[test]
fn the_way_from_here_stands_beside_what_was_done() {
    let mut harness = on(sends_it_away(), 120, 36);
    harness.keys("2 G");
    says(&harness, "From here: 2 calls, in persona");
    harness.keys("s");
    for text in [
        "The shortest way from step 2: 2 calls",
        "1  measure_vibration   goal 2/3",
        "+ diagnosis(pump-101, bearing_wear)",
        "2  replace_bearing",
        "~ status(pump-101)  faulty → repaired",
        "goal 3/3",
    ] {
        says(&harness, text);
    }
    // The calls have their numbers, so the lines have none.
    let screen = harness.screen();
    let first = screen.lines().nth(1).unwrap_or("").trim_matches(['▌', ' ']).to_owned();
    assert!(first.starts_with("1  measure_vibration"), "{screen}");
    harness.keys("q G").keys("s");
    says(&harness, "no way leads from here to the goal: that is proven");
    let reference = run(
        "operator",
        &[
            ("lock_out", r#"{"asset":"pump-101"}"#, r#""fired":true,"added":["isolated(pump-101)"]"#),
            (
                "hand_over",
                r#"{"asset":"pump-101","to":"technician"}"#,
                r#""fired":true,"added":["routed(pump-101, technician)"]"#,
            ),
        ],
    );
    let mut harness = on(reference, 120, 36);
    says(&harness, "lock_out  pump-101");
    assert_eq!(harness.screen().matches("at 1").count(), 1);
    harness.keys("G").keys("s");
    says(&harness, "the goal holds here: nothing is left to do");
    says(&on(sends_it_away(), 80, 24), "from here: ");
}

#[test]
fn a_run_that_stops_short_says_what_was_left() {
    let mut harness = on(stops_short(), 120, 36);
    says(&harness, "goal not reached: under-reach 1");
    harness.keys("G");
    says(&harness, "The goal was 2 calls away.");
    says(&harness, "Under-reach: stopped instead of");
    let handed =
        run("operator", &[("lock_out", r#"{"asset":"pump-101"}"#, r#""fired":true,"added":["isolated(pump-101)"]"#)]);
    let mut harness = on(handed, 120, 36);
    says(&harness, "goal not reached: missed route");
    harness.keys("G");
    says(&harness, "Missed route: every shortest way on began");
}

#[test]
fn a_planner_that_does_not_answer_leaves_the_screen_live() {
    let mut harness = on(sends_it_away(), 120, 36).hold();
    assert_eq!(step(harness.keys("J J")), "2/5");
    says(&harness, "From here: …");
    harness.keys("s");
    says(&harness, "still looking for the way from here");
    // Steps that were judged stay; a late answer moves nothing.
    let before = steps(&harness);
    harness.keys("Esc").work();
    assert_eq!((step(&harness).as_str(), steps(&harness)), ("2/5", before));
    says(&harness, "From here: 2 calls, in persona");
}

#[test]
fn a_job_that_breaks_off_leaves_nothing_waiting() {
    let mut harness = on(sends_it_away(), 120, 36).hold();
    let before = steps(&harness);
    // The log is read again; then judging and the way on break off.
    harness.keys("R").work_once().keys("2 G").panic();
    assert_eq!(harness.waiting(), 0);
    says(&harness, "From here: not known");
    says(&harness, "the distance is not known");
    assert!(!harness.screen().contains("looking"), "{}", harness.screen());
    harness.keys("R").panic();
    says(&harness, "made cannot be read again, this is as it was: broken");
    harness.keys("R").work();
    assert_eq!(steps(&harness), before);
}

/// An operator who hands over to the wrong role what was to be handed over.
fn hands_over_wrongly() -> Run {
    run(
        "operator",
        &[
            ("lock_out", r#"{"asset":"pump-101"}"#, r#""fired":true,"added":["isolated(pump-101)"]"#),
            (
                "hand_over",
                r#"{"asset":"pump-101","to":"planner"}"#,
                r#""fired":true,"added":["routed(pump-101, planner)"]"#,
            ),
        ],
    )
}

#[test]
fn what_was_held_back_is_filtered_and_a_finding() {
    let shown = |harness: &Harness| -> Vec<String> {
        let steps = steps(harness).into_iter().skip(1);
        steps.map(|row| row.split_whitespace().next().unwrap().to_owned()).collect()
    };
    for (run, keys, expected) in [
        (sends_it_away(), "f text:sign:under-reach Enter", &["1"][..]),
        (sends_it_away(), "f text:sign:< Enter", &["1"]),
        (sends_it_away(), "f text:not_sign:under-reach Enter", &["2", "3", "4", "5"]),
        (sends_it_away(), "f text:sign:misroute Enter", &[]),
        (sends_it_away(), "o o", &["1", "3"]),
        (hands_over_wrongly(), "f text:sign:misroute Enter", &["2"]),
        (hands_over_wrongly(), "f text:sign:under-reach Enter", &[]),
        (hands_over_wrongly(), "o o", &["2"]),
    ] {
        let mut harness = on(run, 120, 36);
        harness.keys(keys);
        assert_eq!(shown(&harness), expected, "{keys}\n{}", harness.screen());
        // Read again, the list is there before anything is judged.
        harness.keys("R");
        assert_eq!(shown(&harness), expected, "{keys}\n{}", harness.screen());
    }
}

#[test]
fn what_is_judged_while_a_search_holds_the_run_counts_once() {
    let mut harness = on(sends_it_away(), 120, 36);
    let before = steps(&harness);
    // Read again, the search begins anew, before the first stretch is judged.
    harness.keys("/ text:look Enter").keys("R");
    assert_eq!(steps(&harness), before);
}

#[test]
fn stretches_come_to_the_whole_however_often_they_break() {
    for run in [sends_it_away(), stops_short()] {
        let log = refract::run::Log::read(run.read().unwrap());
        let shelf = Shelf::home(Some(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pump")));
        let mut replay = shelf.replay(&log, None).unwrap();
        replay.advance(&log, usize::MAX);
        let whole = Ways::by(&shelf.planners, &log, &replay).unwrap();
        let refract::run::Setup { world, role, toolset, .. } = &replay.setup;
        let mut ways = Ways::default();
        shelf.planners.ask(world, *role, *toolset, |planner| {
            while ways.verdicts.len() < log.steps() {
                let stretch = Stretch::of(&log, &replay, ways.verdicts.len()..usize::MAX);
                ways.append(stretch.judge(ways.left(), planner, &|| Go::Enough));
            }
        });
        assert_eq!(ways, whole);
    }
}
