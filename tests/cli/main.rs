//! What a user of the command line sees: standard output, standard error and exit status.
#![allow(clippy::unwrap_used)]

mod colours;
mod commands;
mod errors;
mod help;
mod home;
mod hostile;
mod input;
mod known;
mod replays;
mod reports;
mod runs;
mod scores;

use std::{
    fs,
    path::{Path, PathBuf},
};

use assert_cmd::Command;

/// The program, in the folder of the fixtures, with nothing of the tester's environment.
fn refract(args: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("refract"));
    for name in ["LC_ALL", "LC_CTYPE", "LANG", "NO_COLOR", "TERM", "COLUMNS"] {
        command.env_remove(name);
    }
    for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME"] {
        command.env(name, "/nonexistent");
    }
    command.current_dir(fixtures()).args(args);
    command
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// Runs it on the pump house; everything that came of it as one text.
fn pump(line: &str) -> String {
    let mut args = vec!["--root", "pump"];
    args.extend(line.split_whitespace());
    seen(&mut refract(&args))
}

fn seen(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    let mut text = out;
    if !err.is_empty() {
        text.push_str("--- stderr\n");
        text.push_str(&err);
    }
    if !output.status.success() {
        text.push_str(&format!("--- exit {}\n", output.status.code().unwrap()));
    }
    text
}

/// The JSON on standard output.
fn json(line: &str) -> serde_json::Value {
    let mut args = vec!["--root", "pump"];
    args.extend(line.split_whitespace());
    serde_json::from_slice(&refract(&args).output().unwrap().stdout).unwrap()
}

/// A copy of the pump house to spoil.
fn copy() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for part in ["domain", "problems", "runs"] {
        fs::create_dir(folder.path().join(part)).unwrap();
        for entry in fs::read_dir(fixtures().join("pump").join(part)).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, folder.path().join(part).join(path.file_name().unwrap())).unwrap();
        }
    }
    folder
}
