//! Every command that the README shows works, and prints what the README says it prints.
#![allow(clippy::unwrap_used)]

use std::process::Command;

/// Blocks ```` ```console ````: a line `$ refract …`, then its output; a line `…` stands for lines left out.
fn shown() -> Vec<(String, Vec<String>)> {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match (line, line.strip_prefix("$ ")) {
            ("```console", _) => inside = true,
            ("```", _) => inside = false,
            (_, Some(command)) if inside => commands.push((command.to_owned(), Vec::new())),
            (line, _) if inside => commands.last_mut().unwrap().1.push(line.trim_end().to_owned()),
            _ => {}
        }
    }
    commands
}

/// Runs a command, pipes and all, with the binary of this build as `refract`, away from the sources.
fn output(command: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let bin = std::path::Path::new(env!("CARGO_BIN_EXE_refract"));
    let path = format!("{}:{}", bin.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder.path())
        .envs([("PATH", path.as_str()), ("COLUMNS", "100"), ("LC_ALL", "C.UTF-8"), ("NO_COLOR", "1")])
        .envs([("XDG_DATA_HOME", folder.path().join("data")), ("XDG_CONFIG_HOME", "/nonexistent".into())])
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    String::from_utf8(text).unwrap()
}

/// Whether the lines are those shown, where `…` stands for any number of lines.
fn matches(shown: &[String], lines: &[&str]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first.trim() == "…" => (0..=lines.len()).any(|skip| matches(rest, &lines[skip..])),
        Some((first, rest)) => lines.first() == Some(&first.as_str()) && matches(rest, &lines[1..]),
    }
}

#[cfg(unix)]
#[test]
fn every_command_shown_prints_what_is_shown() {
    let shown = shown();
    assert!(shown.len() >= 8, "the README shows {} commands", shown.len());
    let mut wrong = Vec::new();
    for (command, expected) in &shown {
        assert!(!expected.is_empty(), "{command} shows nothing");
        let printed = output(command);
        let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
        if !matches(expected, &lines) {
            wrong.push(format!("$ {command}\n{}", lines.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
