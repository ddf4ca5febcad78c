//! The results, driven by keys through the real loop. Numbers come from the scores of an independent
//! implementation on random worlds.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use refract::tui::browser::Browser;
use refract::tui::open;
use refract::tui::results::Scope;
use refract::tui::screen::Kind;
use refract::tui::shelf::Shelf;
use refract::tui::testing::Harness;
use refract::tui::theme::{Palette, Theme};

const WORLDS: &str = "tests/fixtures/worlds";
const NAMES: [&str; 4] = ["w00000", "w00001", "w00003", "w00004"];

fn shelf() -> Arc<Shelf> {
    Arc::new(Shelf::of(NAMES.iter().map(|name| Path::new(WORLDS).join(name)).collect(), None))
}

fn results(width: u16, height: u16) -> Harness {
    Harness::new(open::results(&shelf(), Scope::default()), width, height)
}

/// What the independent implementation says of each run of these worlds.
fn expected() -> Vec<serde_json::Value> {
    let mut runs = Vec::new();
    for name in NAMES {
        let mut paths: Vec<PathBuf> = fs::read_dir(Path::new(WORLDS).join(name).join("expected"))
            .unwrap()
            .map(|file| file.unwrap().path())
            .filter(|path| path.to_string_lossy().ends_with(".score.json"))
            .collect();
        paths.sort();
        for path in paths {
            let score: serde_json::Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
            runs.extend(score["runs"].as_array().unwrap().clone());
        }
    }
    runs
}

/// The lines of the table by the first word of each, the columns by their headings: what stands in a cell.
fn table(harness: &Harness) -> BTreeMap<(String, String), String> {
    let screen = harness.screen();
    let lines: Vec<Vec<char>> = screen.lines().map(|line| line.chars().collect()).collect();
    let headings: Vec<char> = lines[2].iter().copied().take_while(|c| *c != '│').collect();
    let mut columns: Vec<(usize, String)> = Vec::new();
    for (x, c) in headings.iter().enumerate() {
        match columns.last_mut() {
            _ if *c == ' ' => {}
            Some((start, name)) if *start + name.chars().count() == x => name.push(*c),
            _ => columns.push((x, c.to_string())),
        }
    }
    let mut cells = BTreeMap::new();
    for line in &lines[3..] {
        let Some(name) = line.iter().skip(1).collect::<String>().split_whitespace().next().map(str::to_owned) else {
            break;
        };
        if line[0] == '─' {
            break;
        }
        for (at, (x, column)) in columns.iter().enumerate() {
            let end = columns.get(at + 1).map_or(headings.len().max(x + 12), |(next, _)| *next);
            // The heading of the totals stands over the end of their counts.
            let x = if column == "all" { x - 2 } else { *x };
            let text: String = line.iter().skip(x).take(end - x).take_while(|c| **c != '│').collect();
            let count =
                text.split_whitespace().find(|word| word.contains('/')).map(|word| word.replace([']', '['], ""));
            cells.extend(count.map(|count| ((name.clone(), column.clone()), count)));
        }
    }
    cells
}

/// `n/m` by two keys of the expected scores, totals included.
fn counted(row: &str, column: &str) -> BTreeMap<(String, String), String> {
    let mut counts: BTreeMap<(String, String), (usize, usize)> = BTreeMap::new();
    for run in expected() {
        let name = |key: &str| run[key].as_str().unwrap().to_owned();
        for row in [name(row), "all".to_owned()] {
            for column in [name(column), "all".to_owned()] {
                let (solved, all) = counts.entry((row.clone(), column)).or_default();
                *solved += usize::from(run["solved"] == true);
                *all += 1;
            }
        }
    }
    counts.into_iter().map(|(key, (solved, all))| (key, format!("{solved}/{all}"))).collect()
}

#[test]
fn looks() {
    for (width, height, charts) in [(120, 36, "Tab z"), (80, 24, "Tab Tab z")] {
        insta::assert_snapshot!(format!("results_{width}x{height}"), results(width, height).screen());
        insta::assert_snapshot!(
            format!("results_charts_{width}x{height}"),
            results(width, height).keys(charts).screen()
        );
    }
}

#[test]
fn every_table_counts_what_was_counted_elsewhere() {
    let mut harness = results(160, 50);
    for (row, column) in [
        ("problem", "role"),
        ("problem", "toolset"),
        ("problem", "agent"),
        ("role", "toolset"),
        ("role", "agent"),
        ("agent", "toolset"),
    ] {
        assert_eq!(table(&harness), counted(row, column), "{row} × {column}\n{}", harness.screen());
        harness.keys("}");
    }
    // All six: the first again.
    assert_eq!(table(&harness), counted("problem", "role"));
    assert_eq!(table(harness.keys("{")), counted("agent", "toolset"));
}

#[test]
fn runs_that_cannot_be_scored_are_counted_and_named() {
    let mut harness = results(120, 36);
    let all = NAMES.len() * 4;
    let missing = all - expected().len();
    assert!(missing > 0);
    assert!(harness.screen().contains(&format!("{missing} not scored")), "{}", harness.screen());
    harness.keys("G 9 l Enter");
    // One opens at once, more are listed.
    let kind = harness.model.top().unwrap().kind();
    assert_eq!(kind, if missing == 1 { Kind::Trajectory } else { Kind::Browser });
}

/// Rule 5: every cell and every bar leads to the runs behind it, no more and no fewer.
#[test]
fn a_cell_leads_to_its_runs() {
    let harness = results(160, 50);
    let start = harness.screen();
    let cells = counted("problem", "role");
    let rows = NAMES.len() + 1;
    let columns = table(&harness).keys().map(|(_, column)| column.clone()).collect::<std::collections::BTreeSet<_>>();
    let (mut single, mut many) = (0, 0);
    for row in 0..rows {
        for column in 0..columns.len() {
            let mut harness = results(160, 50);
            let right = if column > 0 { format!("{column} l") } else { String::new() };
            let down = if row > 0 { format!("{row} j") } else { String::new() };
            harness.keys(&format!("{down} {right}"));
            let here = harness.screen();
            harness.keys("Enter");
            match harness.model.top().unwrap().kind() {
                Kind::Trajectory => single += 1,
                Kind::Browser => {
                    let screen = harness.screen();
                    let runs = screen.split("Runs ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
                    let title = here.lines().find(|line| line.contains(" solved   95 %")).unwrap();
                    let of = title.split(" of ").nth(1).unwrap().split(' ').next().unwrap();
                    assert_eq!(runs, of, "{here}\n{screen}");
                    many += 1;
                }
                _ => {
                    assert!(harness.model.message().unwrap().starts_with("no runs here"), "{here}");
                    continue;
                }
            }
            assert_eq!(harness.keys("q").screen(), here);
        }
    }
    assert_eq!(single + many, cells.len(), "{start}");
    assert!(single > 0 && many > 4, "{single} {many}");
}

#[test]
fn a_bar_leads_to_its_runs() {
    let mut harness = results(160, 60);
    harness.keys("Tab");
    let mut bars = 0;
    for _ in 0..60 {
        let screen = harness.screen();
        let row =
            screen.lines().find_map(|line| line.split_once("│▌").map(|(_, row)| row.to_owned())).unwrap_or_default();
        harness.keys("Enter");
        if harness.model.depth() == 2 {
            bars += 1;
            // A share names how many runs it is a share of.
            if let Some((n, of)) = row.split_whitespace().last().and_then(|word| word.split_once('/')) {
                let title = harness.screen();
                let listed = title.split("Runs ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
                let filter = title.lines().nth(1).unwrap();
                assert_eq!(listed, if filter.contains("over>0") { n } else { of }, "{row}\n{title}");
            }
            harness.keys("q");
        }
        // What the last key said is not said for ever.
        let frame = |screen: &str| screen.lines().rev().skip(2).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(frame(&harness.screen()), frame(&screen), "{row}");
        harness.keys("j");
    }
    assert!(bars > 15, "{bars}");
}

#[test]
fn failing_cells_are_hunted() {
    let mut harness = results(120, 36);
    let solved = |screen: &str| {
        let title = screen.lines().find(|line| line.contains(" solved   95 %")).unwrap_or_default().to_owned();
        let mut numbers = title.split(' ').filter_map(|word| word.parse::<usize>().ok());
        (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
    };
    let failing = |(key, count): &(&(String, String), &String)| {
        let (solved, all) = count.split_once('/').unwrap();
        key.0 != "all" && key.1 != "all" && solved != all
    };
    let wanted = counted("problem", "role");
    let wanted = wanted.iter().filter(failing).count();
    let mut found = 0;
    let first = solved(&harness.screen());
    found += usize::from(first.0 < first.1);
    loop {
        harness.keys("v");
        if harness.model.message().is_some_and(|message| message.starts_with("every run after")) {
            break;
        }
        let (solved, all) = solved(&harness.screen());
        assert!(solved < all, "{}", harness.screen());
        found += 1;
        assert!(found < 100);
    }
    assert_eq!(found, wanted);
    harness.keys("V ' '");
}

/// Rule 2: what is found late moves no cursor; the lens, the filter and what is filled are the reader's.
#[test]
fn late_results_move_nothing() {
    let mut harness = results(120, 36).hold();
    harness.keys("2 j l R");
    let cursor = |harness: &Harness| harness.model.top().unwrap().address();
    let (before, screen) = (cursor(&harness), harness.screen());
    assert!(before.contains('#'), "{before}");
    assert_eq!(cursor(harness.work()), before);
    let lines = |screen: &str| screen.lines().skip(1).take(20).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&harness.screen()), lines(&screen));
}

#[test]
fn lens_filter_and_empty_cells() {
    let mut harness = results(120, 36);
    let all = counted("problem", "role")[&("all".to_owned(), "all".to_owned())].clone();
    let total = |harness: &Harness| table(harness).get(&("all".to_owned(), "all".to_owned())).cloned();
    assert_eq!(total(&harness).as_ref(), Some(&all));
    let of_set = counted("role", "toolset");
    for set in ["narrow", "medium", "wide"] {
        let wanted = of_set.get(&("all".to_owned(), set.to_owned())).cloned();
        assert_eq!(total(harness.keys("t")), wanted, "{set}\n{}", harness.screen());
    }
    assert_eq!(total(harness.keys("t")).as_ref(), Some(&all));
    harness.keys("f text:is:solved Enter");
    let solved = all.split('/').next().unwrap();
    assert_eq!(total(&harness), Some(format!("{solved}/{solved}")));
    assert_eq!(total(harness.keys("Esc")).as_ref(), Some(&all));
    // All entries and all roles, those without runs too.
    let columns = |harness: &Harness| harness.screen().lines().nth(2).unwrap().split_whitespace().count();
    let filled = columns(&harness);
    assert!(columns(harness.keys("a")) >= filled);
    assert_eq!(total(&harness).as_ref(), Some(&all));
}

#[test]
fn rows_are_sorted_by_what_they_come_to() {
    let mut harness = results(120, 36);
    harness.keys(": text:order_runs Enter");
    let order = |harness: &Harness| -> Vec<usize> {
        let screen = harness.screen();
        let rows = screen.lines().skip(3).map(|line| line.trim_start_matches(['▌', ' ']));
        let rows = rows.take_while(|line| line.starts_with("w0"));
        rows.map(|row| {
            row.split('│')
                .next()
                .unwrap()
                .split('/')
                .next_back()
                .unwrap()
                .trim_matches(|c| c == ']' || c == ' ')
                .parse()
                .unwrap()
        })
        .collect()
    };
    let ascending = order(&harness);
    assert!(ascending.len() == NAMES.len() && ascending.is_sorted(), "{ascending:?}");
    let mut reversed = ascending.clone();
    reversed.reverse();
    assert_eq!(order(harness.keys("O")), reversed);
}

#[test]
fn from_browser_entry_and_run_and_back() {
    let mut harness = Harness::new(Browser::new(shelf()), 120, 36);
    let before = harness.screen();
    harness.keys("r");
    assert_eq!(harness.model.top().unwrap().kind(), Kind::Results);
    assert_eq!(harness.keys("q").screen(), before);
    // Of an entry, and of the entry of a run; the stack does not grow in a circle.
    harness.keys("Enter r");
    assert!(harness.model.top().unwrap().address().starts_with("results w00000-p"));
    harness.keys("v Enter");
    let depth = harness.model.depth();
    if harness.model.top().unwrap().kind() == Kind::Browser {
        harness.keys("Enter");
    }
    assert_eq!(harness.model.top().unwrap().kind(), Kind::Trajectory);
    harness.keys("r");
    assert_eq!(harness.model.top().unwrap().kind(), Kind::Results);
    assert!(harness.model.depth() < depth + 1);
}

#[test]
fn neighbours_are_those_of_the_table() {
    let mut harness = results(120, 36);
    for _ in 0..40 {
        harness.keys("Enter");
        if harness.model.top().unwrap().kind() == Kind::Trajectory {
            break;
        }
        if harness.model.depth() > 1 {
            harness.keys("q");
        }
        harness.keys("v");
    }
    let run = harness.model.top().unwrap().address();
    harness.keys(">");
    assert_eq!(harness.model.top().unwrap().kind(), Kind::Trajectory);
    assert_ne!(harness.model.top().unwrap().address(), run);
    assert_eq!(harness.keys("<").model.top().unwrap().address(), run);
}

#[test]
fn a_card_says_how_it_was_counted() {
    let mut harness = results(120, 60);
    let card = harness.keys("G 9 l k i").screen();
    for words in ["solved: the goal is reached, and no call failed a gate", "Wilson score interval"] {
        assert!(card.contains(words) || card.contains("not scored"), "{words}\n{card}");
    }
    let card = harness.keys("Esc Tab j i").screen();
    assert!(card.contains("Wilson score interval"), "{card}");
}

#[test]
fn any_size_is_drawn() {
    for (width, height) in [(0, 0), (1, 1), (5, 3), (29, 7), (30, 8), (40, 12), (79, 15), (80, 16), (110, 20), (300, 5)]
    {
        let mut harness = results(120, 36);
        harness.resize(width, height).keys("j l Tab j Tab j z G } } } h i Esc a v o Esc / text:w Enter t t");
    }
}

#[test]
fn ascii_is_ascii() {
    let theme = Theme { palette: Palette::Mono, ascii: true };
    let mut harness = Harness::themed(open::results(&shelf(), Scope::default()), 120, 50, theme);
    for keys in ["j l", "}", "i", "Esc o", "Esc a", "Tab j i", "Esc t"] {
        let screen = harness.keys(keys).screen();
        let odd: Vec<char> = screen.chars().filter(|c| !c.is_ascii()).collect();
        assert!(odd.is_empty(), "{keys}: {odd:?}\n{screen}");
    }
}

#[test]
fn nothing_is_said_where_nothing_is() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("runs")).unwrap();
    let shelf = Arc::new(Shelf::of(vec![folder.path().join("runs")], None));
    let mut harness = Harness::new(open::results(&shelf, Scope::default()), 120, 36);
    assert!(harness.screen().contains("no runs here"), "{}", harness.screen());
    harness.keys("j l v Enter i Esc } a p w Tab Enter i Esc Tab Enter i");
}

#[test]
fn a_filter_that_nothing_passes_is_named_as_the_reason() {
    let screen = results(120, 36).keys("f text:no-such-run Enter").screen();
    assert!(screen.contains("no run passes the filter"), "{screen}");
    assert!(!screen.contains("no runs yet"), "{screen}");
}
