//! Nothing of a file or log acts on the terminal, whatever command shows it.

use std::fs;

use super::{copy, refract};

/// Clears the screen, sets the title, turns the line round: raw, and as JSON writes it.
const RAW: &str = "\u{9b}2J\u{202e}\u{7f}";
const ESCAPED: &str = r"\u001b]0;owned\u0007\u009b2J\u202e\r";

fn spoil(text: &str, words: &[&str]) -> String {
    words.iter().fold(text.to_owned(), |text, word| {
        assert!(text.contains(word), "{word}");
        text.replace(word, &format!("{word}{RAW}{ESCAPED}"))
    })
}

#[test]
fn nothing_acts_on_the_terminal() {
    let folder = copy();
    let spoil_file = |path: &str, words: &[&str]| {
        let path = folder.path().join(path);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, spoil(&text, words)).unwrap();
    };
    spoil_file(
        "domain/pump-house.json",
        &["Look at a machine.", "Runs the plant", "is locked out", "You stand before", "Take readings", "The maker's"],
    );
    spoil_file("problems/ph-1.json", &["Feed pump trips", "P-101 is tripping", "You assist Mara", "You assist Ilse"]);
    spoil_file(
        "runs/technician-overreach.jsonl",
        &["a-71", "First I look", "seal_leak)\",\"order", "\"id\":\"c4", "\"reason\":\"budget"],
    );
    spoil_file("runs/planner-damaged.jsonl", &["timeout", "teleport", "lock_", "retry", "work_order(valve-7"]);
    fs::write(folder.path().join("problems/bad.json"), format!("{{\"{ESCAPED}{RAW}\": 1, \"domain\": \"{ESCAPED}\"}}"))
        .unwrap();
    let name = format!("x{RAW}\x1b[31m");
    let commands: &[&[&str]] = &[
        &["list"],
        &["check"],
        &["show", "ph-1"],
        &["show", "pump-house"],
        &["prompt", "ph-1", "--role", "technician"],
        &["replay", "runs"],
        &["replay", "technician-overreach#2"],
        &["replay", "technician-overreach#4", "planner-damaged#3", "planner-damaged#0"],
        &["replay", "runs/planner-damaged.jsonl", "--problem", &name],
        &["replay", &name],
        &["show", &name],
    ];
    for args in commands {
        for format in [&[][..], &["--format", "json"]] {
            let output = refract(args).args(format).current_dir(folder.path()).output().unwrap();
            assert!(!output.stdout.is_empty() || !output.stderr.is_empty(), "{args:?}");
            for stream in [output.stdout, output.stderr] {
                let text = String::from_utf8(stream).unwrap();
                let acting = text.chars().find(|&c| c != '\n' && refract::text::acts(c));
                assert_eq!(acting, None, "{args:?} {format:?}:\n{}", text.escape_debug());
            }
        }
    }
}
