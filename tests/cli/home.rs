//! What the user keeps: runs in the data folder, and a configuration.

use std::{fs, path::Path};

use super::{pump, refract, seen};

/// A data folder with one run that was played, and a folder to work in that holds nothing.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Home {
        let home = Home(tempfile::tempdir().unwrap());
        let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("runs/im-006-operator-reference.jsonl");
        let log = fs::read_to_string(log).unwrap().replace("-reference\"", "-human\"");
        home.write("data/refract/runs/im-006-operator-human.jsonl", &log);
        home.write("work/note", "");
        home
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn says(&self, line: &str) -> String {
        let mut command = refract(&line.split_whitespace().collect::<Vec<_>>());
        command.current_dir(self.0.path().join("work"));
        command.env("XDG_DATA_HOME", self.0.path().join("data"));
        command.env("XDG_CONFIG_HOME", self.0.path().join("config"));
        seen(&mut command)
    }
}

#[test]
fn every_command_finds_the_runs_that_were_played() {
    let home = Home::new();
    for (line, says) in [
        ("list", "im-006-operator-human"),
        ("score --no-distances", "im-006-operator-human"),
        ("replay im-006-operator-human", "goal 5/5, solved"),
        ("replay im-006-operator-human#1", "read_alarm_journal"),
        ("inspect im-006-operator-human", "`refract replay im-006-operator-human` prints"),
        ("replay im-006-operator-humam", "did you mean `im-006-operator-human`?"),
        ("inspect im-006-operator-humam", "did you mean `im-006-operator-human`?"),
    ] {
        let said = home.says(line);
        assert!(said.contains(says), "{line}\n{said}");
    }
    // Beside the benchmark's, each once.
    let listed = home.says("list");
    assert_eq!(listed.matches("im-006-operator-human").count(), 1, "{listed}");
    assert!(listed.contains("im-006-operator-reference"), "{listed}");
    // A folder that was named is what it is, and what stands beside is found too.
    let log = fs::read_to_string(home.0.path().join("data/refract/runs/im-006-operator-human.jsonl")).unwrap();
    home.write("work/runs/im-006-operator-beside.jsonl", &log);
    assert!(home.says("list runs").starts_with("1 run, "), "{}", home.says("list runs"));
    assert!(home.says("replay im-006-operator-beside").contains("solved"), "{}", home.says("list"));
    assert!(home.says("inspect im-006-operator-beside").contains("`refract replay"));
}

#[test]
fn the_inspector_takes_the_names_that_show_takes() {
    for (what, says) in [
        ("pump-house", "`refract show pump-house --root pump` prints the same thing"),
        ("ph-1", "`refract show ph-1 --root pump` prints the same thing"),
        ("pump-hose", "there is nothing at pump-hose, and no run or entry of that id"),
    ] {
        let said = pump(&format!("inspect {what}"));
        assert!(said.contains(says), "{what}\n{said}");
    }
}

#[test]
fn the_configuration_holds_for_all_commands() {
    let home = Home::new();
    assert!(home.says("list").contains('✓'));
    home.write("config/refract/config.toml", "signs = \"ascii\"\ntheme = \"lihgt\"\n");
    let said = home.says("list");
    assert!(said.is_ascii(), "{said}");
    assert_eq!(said.matches("theme: \"lihgt\" is not one of").count(), 1, "{said}");
    assert!(!said.contains("--- exit"), "{said}");
}
