//! The entry screen, driven by keys through the real loop.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;

use refract::exec::State;
use refract::run::{Log, RunView, reference_log};
use refract::tui::entry::Entry;
use refract::tui::screen::Kind;
use refract::tui::shelf::Shelf;
use refract::tui::testing::Harness;
use refract::tui::theme::{Palette, Theme};
use refract::world::{Access, World};

fn fixture(name: &str) -> (Arc<Shelf>, Arc<World>) {
    let path = Path::new("tests/fixtures/worlds").join(name);
    let shelf = Arc::new(Shelf::of(vec![path], None));
    let world = shelf.library().worlds.values().next().unwrap().clone();
    (shelf, world)
}

fn entry(name: &str, width: u16, height: u16) -> Harness {
    let (shelf, world) = fixture(name);
    Harness::new(Entry::new(shelf, world, None), width, height)
}

/// Every entry of the benchmark.
fn benchmark() -> (Arc<Shelf>, Vec<Arc<World>>) {
    let shelf = Arc::new(Shelf::of(vec![".".into()], None));
    let worlds = shelf.library().worlds.values().cloned().collect();
    (shelf, worlds)
}

fn at_cursor(harness: &Harness) -> String {
    let screen = harness.screen();
    let line = screen.lines().find(|line| line.contains('▌')).unwrap_or_default();
    let from = line.find('▌').map_or(0, |at| at + '▌'.len_utf8());
    line[from..].split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn looks() {
    for (width, height) in [(120, 36), (80, 24)] {
        insta::assert_snapshot!(format!("entry_{width}x{height}"), entry("w00000", width, height).screen());
        let reference = entry("w00000", width, height).keys("l G").screen();
        insta::assert_snapshot!(format!("reference_{width}x{height}"), reference);
        insta::assert_snapshot!(
            format!("tools_{width}x{height}"),
            entry("w00000", width, height).keys("Tab j j t l i").screen()
        );
        insta::assert_snapshot!(
            format!("file_{width}x{height}"),
            entry("w00000", width, height).keys("j j j E").screen()
        );
    }
}

/// Where perspectives stand one by one, nothing is said of the others: neither counts nor empty rows.
#[test]
fn one_by_one_shows_one() {
    let (shelf, worlds) = benchmark();
    for world in &worlds {
        let mut harness = Harness::new(Entry::new(shelf.clone(), world.clone(), None), 80, 60);
        for (at, perspective) in world.problem.perspectives.values().enumerate() {
            if at > 0 {
                harness.keys("l");
            }
            let screen = harness.screen();
            let calls = perspective.reference.len();
            let words = format!("Reference  {calls} call{}", if calls == 1 { "" } else { "s" });
            assert!(screen.contains(&words), "{words}\n{screen}");
            assert!(!screen.lines().any(|line| line.trim() == "·"), "{screen}");
            let goal = screen.lines().find(|line| line.contains("▾ Goal")).unwrap();
            assert!(!goal.contains(','), "{goal}");
        }
    }
    // A search finds what stands in another perspective, goes there, and comes back.
    let world = &worlds[0];
    let last = world.problem.perspectives.len() - 1;
    let (&role, perspective) = world.problem.perspectives.get_index(last).unwrap();
    let word = perspective.persona.split_whitespace().max_by_key(|word| word.len()).unwrap();
    let name = format!("[{}]", world.domain.role_name(role));
    let mut harness = Harness::new(Entry::new(shelf.clone(), world.clone(), None), 80, 24);
    let before = harness.screen();
    harness.keys(&format!("/ text:{word} Enter"));
    assert!(harness.screen().contains(&name), "{word}\n{}", harness.screen());
    harness.keys("' ' Esc");
    assert_eq!(harness.screen(), before);
}

#[test]
fn a_reference_is_played_as_a_run_that_reaches_its_goal() {
    let (_, worlds) = benchmark();
    assert!(!worlds.is_empty());
    for world in worlds {
        for (&role, perspective) in &world.problem.perspectives {
            let log = Log::read(reference_log(&world, role).unwrap());
            assert_eq!(log.damage_count(), 0);
            let shelf = Shelf::of(vec![".".into()], None);
            let mut replay = shelf.replay(&log, None).unwrap();
            while !replay.advance(&log, 100) {}
            let view = RunView::of("reference", &log, Some(&replay));
            assert!(!view.diverged && view.steps.iter().all(|step| step.fired), "{}", view.run);
            assert_eq!(view.steps.iter().count(), perspective.reference.len(), "{}", view.run);
            assert!(perspective.goal.holds(replay.end_state()), "{}", view.run);
        }
    }
}

#[test]
fn enter_plays_the_reference_and_q_comes_back() {
    let mut harness = entry("w00000", 120, 36);
    harness.keys("G");
    let before = harness.screen();
    harness.keys("Enter");
    let top = harness.model.top().unwrap();
    assert_eq!(top.kind(), Kind::Trajectory);
    assert_eq!(harness.keys("q").screen(), before);
}

#[test]
fn every_literal_stands_once_goals_apart_from_guards() {
    let (shelf, worlds) = benchmark();
    for world in worlds {
        let harness = Harness::new(Entry::new(shelf.clone(), world.clone(), None), 250, 250);
        let screen = harness.screen();
        let goal = screen.lines().position(|line| line.contains("▾ Goal")).unwrap();
        let guards = screen.lines().position(|line| line.contains("▾ Guards"));
        let reference = screen.lines().position(|line| line.contains("▾ Reference")).unwrap();
        let kept: usize = world
            .problem
            .perspectives
            .iter()
            .map(|(&role, perspective)| {
                let start = State::initial(&world, role);
                perspective.goal.alternatives.iter().flatten().filter(|literal| literal.holds(&start)).count()
            })
            .sum();
        let all: usize = world.problem.perspectives.values().flat_map(|p| &p.goal.alternatives).map(Vec::len).sum();
        let count = |from: usize, to: usize| {
            screen
                .lines()
                .skip(from)
                .take(to - from)
                .flat_map(str::chars)
                .filter(|c| matches!(c, '✓' | '✗' | '·'))
                .count()
        };
        assert_eq!(count(goal, reference), all, "{}\n{screen}", world.problem.id);
        assert_eq!(guards.is_some(), kept > 0, "{}", world.problem.id);
    }
}

#[test]
fn ways_that_part_are_marked_where_they_do() {
    let (shelf, worlds) = benchmark();
    for world in worlds {
        let calls: Vec<Vec<(String, String)>> = world
            .problem
            .perspectives
            .values()
            .map(|p| p.reference.iter().map(|c| (world.domain.tool_name(c.tool).to_owned(), c.args.clone())).collect())
            .collect();
        // Benchmark references write equal calls alike, so their texts tell.
        let shared = |i: usize| {
            let others = calls.iter().enumerate().filter(|(j, _)| *j != i);
            others.map(|(_, o)| o.iter().zip(&calls[i]).take_while(|(a, b)| a == b).count()).max().unwrap()
        };
        let marks = (0..calls.len()).filter(|&i| shared(i) > 0 && shared(i) < calls[i].len()).count();
        let harness = Harness::new(Entry::new(shelf.clone(), world.clone(), None), 300, 250);
        let screen = harness.screen();
        assert_eq!(screen.matches("its way parts").count(), marks, "{}\n{screen}", world.problem.id);
    }
}

#[test]
fn the_matrix_says_who_may() {
    let (shelf, world) = fixture("w00003");
    let mut harness = Harness::new(Entry::new(shelf, world.clone(), None), 120, 60);
    harness.keys("a");
    let screen = harness.screen();
    for (index, (name, _)) in world.domain.tools.iter().enumerate() {
        let row = |line: &&str| line.split_whitespace().next() == Some(name.as_str());
        let mut tools = screen.lines().skip_while(|line| !line.contains("─ Tools"));
        let row = tools.find(row).unwrap_or_else(|| panic!("{name}\n{screen}"));
        let offered = world.problem.toolsets[0].offered[index];
        let expected: Vec<&str> = (0..world.domain.roles.len())
            .map(|role| match world.domain.access(index.into(), role.into()) {
                _ if !offered => "·",
                Access::May => "●",
                Access::Capability => "C",
                Access::Knowledge => "K",
                Access::Both => "B",
            })
            .collect();
        let shown: Vec<&str> = row.split_whitespace().skip(1).take(expected.len()).collect();
        assert_eq!(shown, expected, "{name}");
    }
}

#[test]
fn from_a_goal_to_the_call_that_makes_it_true_and_back() {
    let mut harness = entry("w00000", 120, 60);
    harness.keys("/ text:✓");
    harness.keys("Esc");
    for _ in 0..20 {
        harness.keys("j");
        let row = at_cursor(&harness);
        let Some(step) = row.split(" at ").nth(1).and_then(|rest| rest.split_whitespace().next()) else { continue };
        if !row.starts_with('✓') {
            continue;
        }
        let before = harness.screen();
        harness.keys("Enter");
        assert!(at_cursor(&harness).starts_with(step), "{row}: {}", at_cursor(&harness));
        assert_eq!(harness.keys("' '").screen(), before);
        return;
    }
    panic!("no goal that a call makes true\n{}", harness.screen());
}

#[test]
fn the_file_follows_the_cursor() {
    let (_, world) = fixture("w00000");
    let mut harness = entry("w00000", 120, 36);
    harness.keys("E G e");
    let call = world.problem.perspectives[0].reference.last().unwrap();
    let line = world.problem.file.position(call.span.start).line;
    assert!(harness.edited[0].ends_with(&format!("w00000-p.json:{line}")), "{:?}", harness.edited);
    assert!(harness.screen().contains("─ File"));
    assert!(!harness.keys("E").screen().contains("─ File"));
}

#[test]
fn folds_searches_and_copies() {
    let mut harness = entry("w00000", 120, 60);
    let open = harness.screen();
    harness.keys("g Space");
    assert!(harness.screen().contains("▸ Persona") && !harness.screen().contains("You assist"));
    harness.keys("/ text:you_assist Enter Esc");
    assert!(harness.screen().contains("▾ Persona") && at_cursor(&harness).starts_with("You assist"));
    assert_eq!(harness.keys("g").screen(), open);
    harness.keys("G y c");
    let call: serde_json::Value = serde_json::from_str(&harness.copied[0]).unwrap();
    assert!(call["tool"].is_string() && call["args"].is_object());
}

#[test]
fn roles_go_together_in_both_panes() {
    let mut harness = entry("w00000", 120, 60);
    let (_, world) = fixture("w00000");
    let name = |index: usize| {
        let (&role, _) = world.problem.perspectives.get_index(index).unwrap();
        world.domain.role_name(role).to_owned()
    };
    harness.keys("l");
    assert_eq!(harness.model.top().unwrap().address(), format!("w00000-p#{}", name(1)));
    assert!(harness.screen().contains(&format!("[{}]", name(1))));
    harness.keys("9 h");
    assert_eq!(harness.model.top().unwrap().address(), format!("w00000-p#{}", name(0)));
}

#[test]
fn a_reload_keeps_the_place() {
    let mut harness = entry("w00000", 120, 36);
    harness.keys("l j j j j Space j t");
    let before = harness.screen();
    harness.keys("R");
    assert_eq!(harness.model.message(), Some("read again"));
    assert_eq!(harness.keys("j k").screen(), before);
}

#[test]
fn any_size_is_drawn_and_ascii_is_ascii() {
    for (width, height) in [(0, 0), (1, 1), (12, 4), (29, 7), (30, 8), (50, 12), (100, 20), (300, 5)] {
        let mut harness = entry("w00000", 120, 36);
        harness.resize(width, height).keys("j l j Space Tab j E Tab z G i Esc t a v");
    }
    let (shelf, world) = fixture("w00000");
    let theme = Theme { palette: Palette::Mono, ascii: true };
    let mut harness = Harness::themed(Entry::new(shelf, world, None), 120, 36, theme);
    for keys in ["G", "g 3 j i", "Esc Tab j j i", "Esc a v", "E"] {
        let screen = harness.keys(keys).screen();
        let odd: Vec<char> = screen.chars().filter(|c| !c.is_ascii()).collect();
        assert!(odd.is_empty(), "{keys}: {odd:?}\n{screen}");
    }
}
