//! The browser, driven by keys through the real loop.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use refract::tui::browser::Browser;
use refract::tui::screen::Kind;
use refract::tui::shelf::Shelf;
use refract::tui::testing::Harness;
use refract::tui::theme::{Palette, Theme};

const WORLDS: &str = "tests/fixtures/worlds";

fn worlds(names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(|name| Path::new(WORLDS).join(name)).collect()
}

fn open(paths: Vec<PathBuf>, width: u16, height: u16) -> Harness {
    Harness::new(Browser::new(Arc::new(Shelf::of(paths, None))), width, height)
}

/// Entries with their runs.
fn entries(width: u16, height: u16) -> Harness {
    open(worlds(&["w00000", "w00003", "w00004"]), width, height)
}

/// A list of runs.
fn runs(width: u16, height: u16) -> Harness {
    let runs = ["w00000/runs", "w00003/runs", "w00004/runs"];
    open(runs.map(|path| Path::new(WORLDS).join(path)).to_vec(), width, height)
}

/// The lines of the list, headings apart.
fn rows(harness: &Harness) -> Vec<String> {
    let screen = harness.screen();
    screen.lines().skip(3).take_while(|line| !line.starts_with('─')).map(str::to_owned).collect()
}

fn at_cursor(harness: &Harness) -> String {
    let line = harness.screen().lines().find(|line| line.starts_with('▌')).unwrap_or_default().to_owned();
    line.trim_start_matches('▌').split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The id of a run or an entry in its row.
fn name(row: &str) -> String {
    row.split_whitespace().find(|word| word.starts_with("w0")).unwrap_or_default().to_owned()
}

#[test]
fn looks() {
    for (width, height) in [(120, 36), (80, 24)] {
        insta::assert_snapshot!(format!("runs_{width}x{height}"), runs(width, height).screen());
        insta::assert_snapshot!(format!("entries_{width}x{height}"), entries(width, height).keys("l j l j").screen());
        let unfolded = runs(width, height).keys("j j Space").screen();
        insta::assert_snapshot!(format!("unfolded_{width}x{height}"), unfolded);
    }
}

/// What the independent implementation says of a run.
fn expected(run: &str) -> serde_json::Value {
    let world = run.split('-').next().unwrap();
    let path = Path::new(WORLDS).join(world).join("expected").join(format!("{run}.score.json"));
    let score: serde_json::Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    score["runs"][0].clone()
}

fn over_reach(run: &str) -> u64 {
    expected(run)["over_reach"]["attempts"].as_u64().unwrap_or(0)
}

fn under_reach(run: &str) -> u64 {
    expected(run)["under_reach"]["withheld"].as_array().map_or(0, |withheld| withheld.len() as u64)
}

/// What stands under a heading in a row.
fn cell(harness: &Harness, row: &str, heading: &str) -> String {
    let screen = harness.screen();
    let headings: Vec<char> = screen.lines().nth(2).unwrap().chars().collect();
    let heading: Vec<char> = heading.chars().collect();
    let at = headings.windows(heading.len()).position(|window| window == heading).unwrap();
    let row: Vec<char> = row.chars().collect();
    let is_word = |x: usize| row.get(x).is_some_and(|c| *c != ' ');
    let inside = (at..at + heading.len()).find(|&x| is_word(x)).unwrap_or(at);
    let start = (0..=inside).rev().take_while(|&x| is_word(x)).last().unwrap_or(inside);
    row[start..].iter().take_while(|c| **c != ' ').collect()
}

#[test]
fn runs_are_scored_as_elsewhere_and_stand_worst_first() {
    let names = ["w00000", "w00001", "w00002", "w00003", "w00006", "w00009", "w00012", "w00021"];
    let paths = names.map(|name| Path::new(WORLDS).join(name).join("runs"));
    let harness = open(paths.to_vec(), 160, 60);
    let rows: Vec<String> = rows(&harness).into_iter().filter(|row| !name(row).is_empty()).collect();
    assert_eq!(rows.len(), 32);
    let mut last = (u64::MAX, u64::MAX);
    let mut scored = 0;
    for row in rows {
        let wanted = expected(&name(&row));
        let reach = (over_reach(&name(&row)), under_reach(&name(&row)));
        let cell = |heading: &str| cell(&harness, &row, heading);
        if wanted.is_null() {
            assert_eq!((cell("under"), cell("dist"), cell("taking")), ("-".into(), "-".into(), "-".into()), "{row}");
            continue;
        }
        assert!(reach <= last, "{row}");
        last = reach;
        scored += 1;
        let fraction = |share: &serde_json::Value| match share["of"].as_u64() {
            Some(0) => "-".to_owned(),
            of => format!("{}/{}", share["held"], of.unwrap()),
        };
        for share in ["goal", "taking", "routing"] {
            assert_eq!(cell(share), fraction(&wanted[share]), "{share}: {row}");
        }
        assert_eq!(cell("over"), reach.0.to_string(), "{row}");
        assert_eq!(cell("under"), reach.1.to_string(), "{row}");
        let left = match wanted["distance"].as_array().unwrap().last().unwrap().as_u64() {
            Some(calls) => calls.to_string(),
            None => "∞".to_owned(),
        };
        assert_eq!(cell("dist"), left, "{row}");
        let efficiency = wanted["efficiency"]["raw"].as_f64().unwrap();
        assert!((cell("eff").parse::<f64>().unwrap() - efficiency).abs() < 0.0051, "{row}");
        // The first sign is the worst: a gate, then what was withheld.
        let sign = row.chars().nth(1).unwrap();
        assert!(reach.0 == 0 || "CKB#≠".contains(sign), "{row}");
        assert!(reach.0 > 0 || reach.1 == 0 || "<#≠".contains(sign), "{row}");
    }
    assert!(scored > 20, "{scored}");
}

/// Rule 2: what comes late moves neither the cursor nor the rows.
#[test]
fn distances_fill_in_where_the_rows_stand() {
    let paths = ["w00003/runs", "w00004/runs"].map(|path| Path::new(WORLDS).join(path)).to_vec();
    let mut harness = Harness::new(Browser::new(Arc::new(Shelf::of(paths, None))), 120, 36).hold();
    harness.keys("3 j R");
    let order = |harness: &Harness| -> Vec<String> { rows(harness).iter().map(|row| name(row)).collect() };
    let (before, here) = (order(&harness), at_cursor(&harness));
    harness.work();
    assert_eq!(order(&harness), before);
    assert_eq!(name(&at_cursor(&harness)), name(&here));
}

#[test]
fn scores_filter_and_sort() {
    let all = |harness: &Harness| -> Vec<String> {
        rows(harness).iter().map(|row| name(row)).filter(|name| !name.is_empty()).collect()
    };
    let every = all(&runs(120, 36));
    let distance = |run: &str| expected(run)["distance"].as_array().and_then(|all| all.last().cloned());
    let end = |run: &str| distance(run).and_then(|left| left.as_u64());
    type Test<'a> = &'a dyn Fn(&str) -> bool;
    let filters: [(&str, Test); 11] = [
        ("over>0", &|run| over_reach(run) > 0),
        ("over=0", &|run| over_reach(run) == 0),
        ("under>0", &|run| under_reach(run) > 0),
        ("finding:under-reach", &|run| under_reach(run) > 0),
        ("is:solved", &|run| expected(run)["solved"] == true),
        ("not is:scored", &|run| expected(run).is_null()),
        ("dist>=2", &|run| distance(run).is_some() && end(run).is_none_or(|left| left >= 2)),
        ("dist=never", &|run| distance(run).is_some_and(|left| left.is_null())),
        ("eff<0.5", &|run| expected(run)["efficiency"]["raw"].as_f64().is_some_and(|raw| raw < 0.5)),
        ("agent=alpha", &|run| expected(run)["agent"] == "alpha"),
        ("agent=alph", &|_| false),
    ];
    for (filter, passes) in filters {
        let mut harness = runs(120, 36);
        harness.keys(&format!("f text:{} Enter", filter.replace(' ', "_")));
        let wanted: Vec<String> = every.iter().filter(|run| passes(run)).cloned().collect();
        assert_eq!(all(&harness), wanted, "{filter}");
    }
    for (filter, said) in [
        ("undr>1", "no number 'undr'; there are calls, goal"),
        ("under>x", "under: 'x' is no number"),
        ("is:solve", "is: no 'solve'; one of solved"),
    ] {
        let mut harness = runs(120, 36);
        harness.keys(&format!("f text:{filter}"));
        assert!(harness.model.message().is_some_and(|m| m.starts_with(said)), "{:?}", harness.model.message());
    }
    let mut harness = runs(120, 36);
    harness.keys(": text:order_eff Enter O");
    let scored = all(&harness).into_iter().map(|run| expected(&run)["efficiency"]["raw"].as_f64());
    let scored: Vec<f64> = scored.flatten().collect();
    assert!(scored.len() > 5 && scored.is_sorted_by(|a, b| a >= b), "{scored:?}");
}

/// Rule 5: the card of the scores leads to the step that each was counted at.
#[test]
fn a_score_leads_to_its_step() {
    let mut harness = runs(120, 36);
    // The worst is the one with an over-reach: at its step 4.
    harness.keys("i");
    assert!(harness.screen().contains("over-reach        1   failed capability 1, knowledge 0, both 0"));
    let steps = harness.screen().lines().position(|line| line.contains("at step 4")).unwrap();
    let first = harness.screen().lines().position(|line| line.contains("lacked the capability")).unwrap();
    harness.keys(&format!("{} j Enter", steps - first));
    assert_eq!(harness.model.top().unwrap().address(), "w00003-r0#4");
}

#[test]
fn filters() {
    for (filter, expected) in [
        ("", 12),
        ("w00003", 4),
        ("set:wide set:narrow", 0),
        ("entry:w00004", 4),
        ("not entry:w00004", 8),
        ("not not entry:w00004", 4),
        ("run:r1 entry:w00000", 1),
        ("role:", 12),
        ("\"w00003-r0\"", 1),
        ("Random", 12),
    ] {
        let mut harness = runs(120, 36);
        let typed: String = filter.chars().map(|c| if c == ' ' { '_' } else { c }).collect();
        harness.keys(&format!("f text:{typed} Enter"));
        let found = rows(&harness).iter().filter(|row| !name(row).is_empty()).count();
        assert_eq!(found, expected, "{filter}");
    }
    for (filter, said) in [
        ("rol:x", "no column 'rol'; there are run, entry, role, set, agent, end, sign, finding"),
        ("sign:Q", "sign: no 'Q'; one of capability"),
    ] {
        let mut harness = runs(120, 36);
        harness.keys(&format!("f text:{filter} Enter"));
        assert!(harness.model.message().is_some_and(|m| m.starts_with(said)), "{:?}", harness.model.message());
        assert_eq!(rows(&harness).iter().filter(|row| !name(row).is_empty()).count(), 12, "{filter}");
    }
}

#[test]
fn signs_and_findings_filter_by_what_the_runs_did() {
    let mut harness = runs(120, 36);
    let all: Vec<String> = rows(&harness).into_iter().filter(|row| !name(row).is_empty()).collect();
    harness.keys("f text:finding:over-reach Enter");
    let found: Vec<String> = rows(&harness).iter().map(|row| name(row)).filter(|name| !name.is_empty()).collect();
    let wanted: Vec<String> = all.iter().map(|row| name(row)).filter(|run| over_reach(run) > 0).collect();
    assert!(!wanted.is_empty() && wanted.len() < all.len());
    assert_eq!(found, wanted);
}

#[test]
fn a_filter_keeps_the_cursor_and_gives_it_back() {
    let mut harness = runs(120, 36);
    let before = at_cursor(harness.keys("5 j"));
    let run = name(&before);
    harness.keys(&format!("f text:{} Enter", &run[..6]));
    assert_eq!(at_cursor(&harness), before);
    assert_eq!(at_cursor(harness.keys("Esc")), before);
}

#[test]
fn grouping_keeps_the_cursor_and_opens_the_group() {
    let mut harness = runs(120, 36);
    let run = name(&at_cursor(harness.keys("4 j")));
    assert_eq!(name(&at_cursor(harness.keys("a"))), run);
    assert_eq!(name(&at_cursor(harness.keys("a"))), run);
    // Closing the group puts the cursor on its entry.
    assert_eq!(name(&at_cursor(harness.keys("a h"))), format!("{}-p", &run[..6]));
}

#[test]
fn what_would_spoil_a_blind_play_stays_folded() {
    let mut harness = runs(120, 36);
    let goals = |harness: &Harness| harness.screen().lines().any(|line| line.contains("goal") && line.contains("(n1"));
    for _ in 0..12 {
        assert!(harness.screen().contains("folded: Space shows it"), "{}", harness.screen());
        assert!(!goals(&harness), "{}", harness.screen());
        harness.keys("j");
    }
    harness.keys("Space");
    assert!(!harness.screen().contains("folded: Space shows it"));
    // It folds again as soon as the cursor goes on.
    assert!(harness.keys("k").screen().contains("folded: Space shows it"));
}

#[test]
fn there_and_back() {
    for keys in ["3 j", "a j", "f text:w00003 Enter j"] {
        let mut harness = runs(120, 36);
        harness.keys(keys);
        let before = harness.screen();
        harness.keys("Enter");
        assert_eq!(harness.model.depth(), 2, "{keys}");
        assert_eq!(harness.keys("q").screen(), before, "{keys}");
    }
}

#[test]
fn neighbours_are_those_of_the_list() {
    let mut harness = runs(120, 36);
    let second = name(&at_cursor(harness.keys("j")));
    harness.keys("k Enter >");
    assert_eq!(harness.model.top().unwrap().kind(), Kind::Trajectory);
    assert_eq!(name(&at_cursor(harness.keys("q"))), second);
    harness.keys("Enter <");
    harness.keys("<");
    assert_eq!(harness.model.message(), Some("that was the first of the list"));
}

#[test]
fn entries_open_entries() {
    let mut harness = entries(120, 36);
    harness.keys("j Enter");
    assert_eq!(harness.model.top().unwrap().kind(), Kind::Entry);
    assert!(harness.model.top().unwrap().address().starts_with("w00003-p"));
    harness.keys(">");
    assert!(harness.model.top().unwrap().address().starts_with("w00004-p"));
}

#[test]
fn orders() {
    let mut harness = runs(120, 36);
    harness.keys(": text:order_run Enter");
    let names = |harness: &Harness| -> Vec<String> {
        rows(harness).iter().map(|row| name(row)).filter(|name| !name.is_empty()).collect()
    };
    let ascending = names(&harness);
    let mut sorted = ascending.clone();
    sorted.sort();
    assert_eq!(ascending, sorted);
    sorted.reverse();
    assert_eq!(names(harness.keys("O")), sorted);
    harness.keys("o");
    assert!(harness.screen().contains("Order of the runs"));
}

#[test]
fn findings_are_hunted_and_the_jump_leads_back() {
    let mut harness = entries(120, 36);
    let before = harness.screen();
    harness.keys("v");
    assert!(at_cursor(&harness).contains("-r"), "{}", harness.screen());
    assert_eq!(harness.keys("' '").screen(), before);
}

#[test]
fn a_search_opens_groups() {
    let mut harness = entries(120, 36);
    harness.keys("/ text:w00004-r2 Enter");
    assert_eq!(name(&at_cursor(&harness)), "w00004-r2");
}

#[test]
fn copies() {
    let mut harness = runs(120, 36);
    let run = name(&at_cursor(&harness));
    let world = &run[..6];
    harness.keys("y y y p y s");
    let path = format!("{WORLDS}/{world}/runs/{run}.jsonl");
    assert_eq!(harness.copied, [run, path.clone(), path]);
}

/// A folder of our own with a world in it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for part in ["domain", "problems", "runs"] {
        fs::create_dir(folder.path().join(part)).unwrap();
        for file in fs::read_dir(Path::new(WORLDS).join("w00003").join(part)).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), folder.path().join(part).join(file.file_name())).unwrap();
        }
    }
    folder
}

#[test]
fn a_reload_keeps_the_cursor_on_its_run() {
    let folder = folder();
    let mut harness = open(vec![folder.path().join("runs")], 120, 36);
    let run = name(&at_cursor(harness.keys("2 j")));
    let log = fs::read(folder.path().join("runs/w00003-r0.jsonl")).unwrap();
    for new in ["a0", "w00003-r0a", "zz"] {
        fs::write(folder.path().join(format!("runs/{new}.jsonl")), &log).unwrap();
    }
    harness.keys("R");
    assert!(harness.screen().contains("Runs 7"), "{}", harness.screen());
    assert_eq!(name(&at_cursor(&harness)), run);
}

#[test]
fn runs_fill_in_where_they_stand() {
    let shelf = Arc::new(Shelf::of(worlds(&["w00003"]).into_iter().map(|path| path.join("runs")).collect(), None));
    let mut harness = Harness::new(Browser::new(shelf), 120, 36).hold();
    harness.keys("2 j R");
    let run = name(&at_cursor(&harness));
    assert_eq!(name(&at_cursor(harness.work())), run);
}

#[test]
fn what_does_not_load_is_a_row() {
    let folder = folder();
    let problem = folder.path().join("problems/w00003-p.json");
    let text = fs::read_to_string(&problem).unwrap();
    let broken = text.replacen("\"query\"", "\"qery\"", 1).replacen("w00003-p", "broken", 1);
    fs::write(folder.path().join("problems/broken.json"), broken).unwrap();
    let mut harness = open(vec![folder.path().to_owned(), PathBuf::from("no-such-folder")], 200, 40);
    let screen = harness.screen();
    assert!(screen.contains("broken.json") && screen.contains("does not load"), "{screen}");
    assert!(screen.contains("no-such-folder") && screen.contains("cannot be read"), "{screen}");
    assert!(screen.contains("2 unusable files"), "{screen}");
    // What is good beside it stays, and Enter tells what is wrong.
    assert!(screen.contains("w00003-p"), "{screen}");
    harness.keys("g Enter");
    assert_eq!(harness.model.top().unwrap().kind(), Kind::Text);
    assert!(harness.screen().contains("qery"), "{}", harness.screen());
}

#[test]
fn notes_beside_runs_are_no_entries() {
    let folder = folder();
    let runs = folder.path().join("runs");
    fs::write(runs.join("notes.json"), "{}").unwrap();
    let screen = open(vec![runs], 120, 36).screen();
    assert!(screen.contains("Runs 4, worst first") && !screen.contains("unusable"), "{screen}");
}

#[test]
fn hostile_words_act_on_nothing_and_keep_the_columns() {
    let folder = tempfile::tempdir().unwrap();
    let header = |id: &str, agent: &str, role: &str| {
        let agent = serde_json::json!({ "name": agent });
        serde_json::json!({"type": "run", "version": 1, "id": id, "domain": "d", "problem": "p", "role": role, "agent": agent})
    };
    for (file, agent, role) in [
        ("a", "plain", "operator"),
        ("b", "漢字漢字漢字", "漢字"),
        ("c", "\u{1b}[31mred\u{1b}[0m\u{7}", "e\u{301}e\u{301}"),
        ("d", "👩‍🔧👩‍🔧", "\u{202e}rotarepo"),
    ] {
        let log = format!("{}\n{{\"type\":\"end\",\"reason\":\"finished\"}}\n", header(file, agent, role));
        fs::write(folder.path().join(format!("{file}.jsonl")), log).unwrap();
    }
    for width in [100, 120] {
        let harness = open(vec![folder.path().to_owned()], width, 24);
        let buffer = harness.buffer();
        let column = |y: u16| {
            let word = |x: u16| (0..8).map(|i| buffer[(x + i, y)].symbol()).collect::<String>();
            (0..width - 8).find(|&x| word(x) == "finished")
        };
        let columns: Vec<Option<u16>> = (3..7).map(column).collect();
        assert!(columns[0].is_some() && columns.iter().all(|c| *c == columns[0]), "{columns:?}\n{}", harness.screen());
        assert!(!harness.screen().contains(['\u{1b}', '\u{7}', '\u{202e}']));
    }
}

#[test]
fn any_size_is_drawn() {
    for (width, height) in [(0, 0), (1, 1), (5, 3), (29, 7), (30, 8), (40, 12), (79, 15), (300, 5)] {
        for mut harness in [runs(120, 36), entries(120, 36)] {
            harness.resize(width, height).keys("j l j Space Tab j z G / text:r Enter Esc a v o");
        }
    }
}

#[test]
fn ascii_is_ascii() {
    let shelf = Arc::new(Shelf::of(worlds(&["w00000", "w00003"]), None));
    let theme = Theme { palette: Palette::Mono, ascii: true };
    let mut harness = Harness::themed(Browser::new(shelf), 120, 36, theme);
    for keys in ["l", "j Space", "a", "o", "Esc f text:role:ada"] {
        let screen = harness.keys(keys).screen();
        let odd: Vec<char> = screen.chars().filter(|c| !c.is_ascii()).collect();
        assert!(odd.is_empty(), "{keys}: {odd:?}\n{screen}");
    }
}

#[test]
fn at_home_the_runs_that_were_played_are_listed_too() {
    let kept = tempfile::tempdir().unwrap();
    fs::copy(Path::new(WORLDS).join("../pump/runs/operator-good.jsonl"), kept.path().join("by-hand.jsonl")).unwrap();
    let listed =
        |shelf: Shelf| Harness::new(Browser::new(Arc::new(shelf)), 120, 36).keys("a f text:by-hand Enter").screen();
    let home = listed(Shelf::home(None).keeping(Some(kept.path().into())));
    assert!(!home.contains("nothing passes") && home.contains("this folder + your runs"), "{home}");
    // Elsewhere, or where the folder is not there, the list is as it was.
    let elsewhere = Shelf::of(worlds(&["w00000"]), None).keeping(Some(kept.path().into()));
    for shelf in [elsewhere, Shelf::home(None).keeping(Some(kept.path().join("none")))] {
        let screen = listed(shelf);
        assert!(screen.contains("nothing passes the filter") && !screen.contains("played"), "{screen}");
    }
}

/// Runs that are being written: new ones appear, those that go on are read again, the others are not.
#[test]
fn runs_that_are_being_written_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read_dir(Path::new(WORLDS).join("w00000/runs")).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&whole).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let (begun, rest) = lines.split_at(lines.len() - 1);
    assert!(rest[0].contains("finished"), "{rest:?}");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.jsonl"), format!("{}\n", begun.join("\n"))).unwrap();
    let shelf = Arc::new(Shelf::of(vec![folder.path().to_owned()], Some(Path::new(WORLDS).join("w00000"))));
    let mut harness = Harness::new(Browser::watching(shelf), 120, 36);
    assert_eq!(rows(&harness).iter().filter(|row| !row.trim().is_empty()).count(), 1, "{}", harness.screen());
    assert!(harness.screen().contains("no end"), "{}", harness.screen());
    fs::write(path("a.jsonl"), &text).unwrap();
    fs::write(path("b.jsonl"), &text).unwrap();
    harness.later();
    assert_eq!(rows(&harness).iter().filter(|row| !row.trim().is_empty()).count(), 2, "{}", harness.screen());
    assert!(!harness.screen().contains("no end"), "{}", harness.screen());
    assert_eq!(harness.waiting(), 1, "it looks again");
    harness.keys("F");
    assert!(harness.screen().contains("no longer following"), "{}", harness.screen());
    harness.later();
    assert_eq!(harness.waiting(), 0, "it looks no more");
    fs::write(path("c.jsonl"), &text).unwrap();
    harness.keys("F");
    assert_eq!(rows(&harness).iter().filter(|row| !row.trim().is_empty()).count(), 3, "{}", harness.screen());
}

#[test]
fn a_run_is_told_from_others_at_any_width() {
    let row = |run: &str, width, height| {
        let mut harness = Harness::new(Browser::new(Arc::new(Shelf::home(None))), width, height);
        let screen = harness.keys(&format!("a f text:{run} Enter")).screen();
        screen.lines().nth(3).unwrap_or("").split_whitespace().skip(1).take(3).collect::<Vec<_>>().join(" ")
    };
    // Entry and role stand beside what is left of the id.
    assert_eq!(row("opens-the-manual", 80, 24), "…opens-the-manual im-011 operator");
    let wide = row("emergency-stop", 200, 60);
    assert!(wide.ends_with("im-004-technician-hits-the-emergency-stop im-004 technician"), "{wide}");
}

#[test]
fn what_is_further_down_is_counted() {
    let title = |keys: &str| {
        let mut harness = Harness::new(Browser::new(Arc::new(Shelf::home(None))), 80, 24);
        harness.keys(keys).screen().lines().nth(1).unwrap_or("").to_owned()
    };
    assert!(title("").contains(" 2 below ") && !title("G").contains("below"), "{}\n{}", title(""), title("G"));
}
