//! Faults read like a compiler's.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use refract::world::{Diagnostic, Severity, SourceFile, foremost, load_domain, render, render_within};

const DOMAIN: &str = include_str!("fixtures/small/domain/plant.json");

fn shown(from: &str, to: &str) -> String {
    assert!(DOMAIN.contains(from));
    let (_, faults) = load_domain(Arc::new(SourceFile::new("plant.json", DOMAIN.replacen(from, to, 1))));
    render(&faults, false)
}

#[test]
fn place_line_code_and_help() {
    let expected = "\
error[unknown-predicate]: there is no predicate or slot 'isolatd'
  --> plant.json:36:25
   |
36 |       \"precondition\": [\"isolatd(?asset)\", \"not drained\"],
   |                         ^^^^^^^
   |
   = help: did you mean `isolated`?
";
    assert_eq!(shown("[\"isolated(?asset)\"", "[\"isolatd(?asset)\""), expected);
}

#[test]
fn related_places() {
    let expected = "\
error[two-values]: one firing cannot give a functional predicate two values
  --> plant.json:45:63
   |
45 |       \"effect\": [\"routed(?asset, operator)\", \"routed(?asset, technician)\"]
   |                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^
   |
  ::: plant.json:45:19
   |
45 |       \"effect\": [\"routed(?asset, operator)\", \"routed(?asset, technician)\"]
   |                   ------------------------ the other value is here
";
    let text = shown("[\"routed(?asset, ?to)\"]", "[\"routed(?asset, operator)\", \"routed(?asset, technician)\"]");
    assert_eq!(text, expected.replace(":45:63", ":43:47").replace("45", "43"));
}

#[test]
fn nothing_acts_on_the_terminal() {
    let text = shown("\"drained\": {", "\"\\u001b[2J\u{202e}\u{9b}漢字\": {");
    assert!(text.starts_with("error[bad-name]: '␛[2J<U+202E><U+009B>漢字' is no name\n"), "{text}");
    assert!(text.contains("\"\\u001b[2J��漢字\""), "{text}");
    assert!(!text.contains(['\x1b', '\u{202e}', '\u{9b}']));
}

#[test]
fn long_lines_are_cut_round_the_place() {
    let long = "x".repeat(5000);
    let text = shown("\"A board\"", &format!("\"{long}\", \"colour\": \"{long}\""));
    let line = text.lines().find(|line| line.contains("colour\": \"")).unwrap();
    assert!(line.chars().count() < 200, "{line}");
    assert!(
        text.contains("plant.json:19:5096\n") && text.lines().any(|line| line.trim_end().ends_with("^^^^^^")),
        "{text}"
    );
    // Names in messages are cut too.
    let text = shown("\"drained\": {", &format!("\"{long}é\": {{"));
    assert!(text.lines().all(|line| line.chars().count() < 600), "{text}");
}

#[test]
fn the_column_of_a_cut_line_is_that_of_the_file() {
    let words = "é".repeat(9000);
    let file = format!("{{\"notes\": \"{words}\", \"name\": 7, \"name\": \"{words}\"}}");
    let (_, faults) = load_domain(Arc::new(SourceFile::new("long.json", file)));
    let twice = faults.into_iter().find(|fault| fault.code == "duplicate-key").unwrap();
    let words = |count| "é".repeat(count);
    // 50 characters before the mark, 80 from it on.
    let expected = [
        "error[duplicate-key]: the key 'name' stands twice".to_owned(),
        " --> long.json:1:9027".to_owned(),
        "  |".to_owned(),
        format!("1 | ...{}\", \"name\": 7, \"name\": \"{}...", words(35), words(72)),
        format!("  | {}^^^^", " ".repeat(53)),
        "  |".to_owned(),
        " ::: long.json:1:9016".to_owned(),
        "  |".to_owned(),
        format!("1 | ...{}\", \"name\": 7, \"name\": \"{}...", words(46), words(61)),
        format!("  | {}---- first here\n", " ".repeat(53)),
    ]
    .join("\n");
    let text = render(&[twice], false);
    assert_eq!(text, expected, "{text}");
}

/// What a fault costs must not grow with its line: one of a megabyte with thousands of faults took
/// the better part of an hour.
#[test]
fn many_faults_of_one_long_line() {
    let members: Vec<String> = (0..2000).map(|i| format!("\"key{i}\": \"{}\"", "漢".repeat(200))).collect();
    let (_, faults) = load_domain(Arc::new(SourceFile::new("long.json", format!("{{{}}}", members.join(", ")))));
    let text = render(&faults, false);
    assert_eq!(text.matches("error[unknown-key]").count(), 2000);
    assert!(text.lines().all(|line| line.chars().count() < 160));
    let before: usize = members[..1999].iter().map(|member| member.chars().count() + 2).sum();
    // Behind the brace and the quote.
    assert!(text.contains(&format!("long.json:1:{}\n", before + 3)), "{before}");
}

#[test]
fn marks_stand_below_wide_characters_and_tabs() {
    let (_, faults) = load_domain(Arc::new(SourceFile::new("d", "\t{\"漢字\": 1}")));
    let key = faults.into_iter().find(|fault| fault.code == "unknown-key").unwrap();
    let text = render(&[key], false);
    assert!(text.contains("d:1:4\n  |\n1 |     {\"漢字\": 1}\n  |       ^^^^\n"), "{text}");
}

#[test]
fn colour_is_asked_for() {
    let (_, faults) = load_domain(Arc::new(SourceFile::new("d", "[]")));
    assert!(render(&faults, true).contains("\x1b["));
    assert!(!render(&faults, false).contains('\x1b'));
    assert_eq!(render(&[], true), "");
}

#[test]
fn lines_fit_the_terminal_and_the_mark_stands_below_its_place() {
    for word in ["colour", "Farbe漢字漢字"] {
        let before = "漢x ".repeat(300);
        let text = DOMAIN.replacen("\"A board\"", &format!("\"{before}\",\t\t \"{word}\": \"{before}\""), 1);
        let (_, faults) = load_domain(Arc::new(SourceFile::new("plant.json", &text)));
        for width in (30..200).step_by(7) {
            let shown = render_within(&faults, false, Some(width));
            let lines: Vec<&str> = shown.lines().collect();
            let at = lines
                .iter()
                .position(|line| line.contains(&format!("\"{word}")))
                .unwrap_or_else(|| panic!("{width}\n{shown}"));
            let cells = refract::tui::cells::width;
            assert!(lines[at - 1..=at + 1].iter().all(|line| cells(line) <= width), "{width}\n{shown}");
            let place = lines[at].find(&format!("\"{word}")).unwrap();
            let mark = lines[at + 1].find('^').unwrap();
            assert_eq!(cells(&lines[at][..=place]), cells(&lines[at + 1][..mark]), "{width}\n{shown}");
        }
    }
    // A short line is shown whole, and without a terminal nothing depends on one.
    let (_, faults) = load_domain(Arc::new(SourceFile::new(
        "plant.json",
        DOMAIN.replacen("\"isolated(?asset)\", \"not", "\"isolatd(?asset)\", \"not", 1),
    )));
    assert!(!faults.is_empty());
    assert_eq!(render_within(&faults, false, Some(120)), render(&faults, false));
}

#[test]
fn errors_come_before_warnings_where_not_all_are_shown() {
    let file = Arc::new(SourceFile::new("a.json", "{}"));
    let fault = |severity, n: usize| Diagnostic {
        severity,
        code: "x",
        message: n.to_string(),
        file: file.clone(),
        span: 0..0,
        help: None,
        related: None,
    };
    let mut faults: Vec<Diagnostic> = (0..150).map(|n| fault(Severity::Warning, n)).collect();
    faults.extend((150..155).map(|n| fault(Severity::Error, n)));
    let (shown, rest) = foremost(&faults, 100);
    let numbers: Vec<usize> = shown.iter().map(|fault| fault.message.parse().unwrap()).collect();
    assert_eq!(numbers, (0..95).chain(150..155).collect::<Vec<_>>());
    assert_eq!(rest, [("a.json", 55)]);
    assert_eq!(foremost(&faults[..100], 100).1, []);
}
