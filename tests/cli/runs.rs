//! `refract run`: episodes into logs, and going on after an end of any kind.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Child, Stdio},
};

use super::{fixtures, refract, seen};

/// The logs of a folder by name, without the time at which each began.
fn logs(folder: &Path) -> BTreeMap<String, String> {
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    let started = |text: String| {
        let (header, rest) = text.split_once('\n').unwrap();
        let mut header: serde_json::Value = serde_json::from_str(header).unwrap();
        assert!(header["started"].take().is_string());
        format!("{header}\n{rest}")
    };
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let logs = files.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    logs.map(|path| (name(&path), started(fs::read_to_string(&path).unwrap()))).collect()
}

fn args<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["--root", "pump", "run", "--agent", "policy:random", "--out", out], more].concat()
}

fn played(out: &str, more: &[&str]) -> String {
    seen(&mut refract(&args(out, more)))
}

#[test]
fn every_perspective_is_played_with_every_tool_set() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let text = played(out, &["--repeat", "2", "--seed", "5"]);
    let logs = logs(folder.path());
    let manifest: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("manifest.json")).unwrap()).unwrap();
    let episodes = manifest["episodes"].as_array().unwrap();
    let named: Vec<&str> = episodes.iter().map(|episode| episode["log"].as_str().unwrap()).collect();
    assert!(!named.is_empty() && named.len() == logs.len(), "{text}");
    assert!(named.iter().all(|name| logs.contains_key(*name)));
    assert!(text.starts_with(&format!("{0} of {0} episodes played\n", named.len())), "{text}");
    for (episode, log) in episodes.iter().map(|episode| (episode, &logs[episode["log"].as_str().unwrap()])) {
        let header: serde_json::Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
        for key in ["problem", "role", "toolset", "seed"] {
            assert_eq!(header[key], episode[key], "{key}");
        }
        assert_eq!(header["episode"], episode["digest"]);
        assert_eq!(header["agent"]["name"], "policy:random");
        assert!(header["prompt"]["digest"].as_str().unwrap().len() == 64 && header["prompt"]["templates"] == 1);
    }
    let scored = seen(&mut refract(&["--root", "pump", "score", out]));
    assert!(scored.contains(&format!("{} runs scored", named.len())), "{scored}");
    assert!(played(out, &["--repeat", "2", "--seed", "5"]).contains("of them before"));
}

/// Whatever is at hand of an episode that has no end: it is played anew, the rest is left alone.
#[test]
fn what_is_cut_short_or_broke_off_is_played_again() {
    let (whole, cut) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let more = ["--repeat", "2"];
    played(whole.path().to_str().unwrap(), &more);
    let out = cut.path().to_str().unwrap();
    played(out, &more);
    let expected = logs(whole.path());
    assert_eq!(logs(cut.path()), expected);
    let names: Vec<&String> = expected.keys().collect();
    let path = |index: usize| cut.path().join(names[index]);
    let text = |index| fs::read_to_string(path(index)).unwrap();
    let spoilt = [
        String::new(),
        text(1)[..100].to_owned(),
        text(2)[..text(2).len() - 3].to_owned(),
        text(3).replace(r#""reason":"budget""#, r#""reason":"error""#),
        text(4).replace(r#""reason":"budget""#, r#""reason":"stopped""#),
        text(5).replace(r#""episode":""#, r#""episode":"0"#),
    ];
    for (index, text) in spoilt.iter().enumerate() {
        fs::write(path(index), text).unwrap();
    }
    let told = played(out, &more);
    assert!(told.contains(&format!("{} of them before", names.len() - spoilt.len())), "{told}");
    assert_eq!(logs(cut.path()), expected);
}

struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Killed without warning at any moment, then taken up: no episode is lost, none is there twice.
#[test]
fn a_runner_that_is_killed_goes_on_where_it_stood() {
    let (whole, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let more = ["--repeat", "60", "--parallel", "2"];
    played(whole.path().to_str().unwrap(), &more);
    let expected = logs(whole.path());
    let out = killed.path().to_str().unwrap();
    let count = || fs::read_dir(killed.path()).unwrap().count();
    let mut cut_short = 0;
    for share in [1, 3, 5, 8] {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("refract"));
        command.current_dir(fixtures()).args(args(out, &more)).stdout(Stdio::null()).stderr(Stdio::null());
        let mut runner = Killed(command.spawn().unwrap());
        while count() < expected.len() * share / 10 && runner.0.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        cut_short += usize::from(runner.0.try_wait().unwrap().is_none());
    }
    assert!(cut_short > 0, "it was never killed at work");
    let told = played(out, &more);
    assert!(told.contains(&format!("{0} of {0} episodes played", expected.len())), "{told}");
    assert_eq!(logs(killed.path()), expected);
}

#[test]
fn wrong_usage_is_told_with_what_would_be_right() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    #[track_caller]
    fn check(args: &[&str], expected: &str) {
        let text = seen(&mut refract(args));
        assert!(text.contains(expected) && text.contains("--- exit 2"), "{text}");
    }
    for (more, expected) in [
        (&["--agent", "policy:cautios"] as &[&str], "did you mean `policy:cautious`?"),
        (&["--agent", "nobody"], "there is no agent `nobody`"),
        (&["--agent", "policy:random", "--roles", "operatr"], "there is no role 'operatr'"),
        (&["--agent", "policy:random", "--toolsets", "hge"], "there is no tool set 'hge'"),
        (&["--agent", "policy:random", "--problems", "nope"], "there is no entry 'nope'"),
        (&["--agent", "policy:random", "--max-cost", "1"], "--price"),
        (&["--agent", "policy:random", "--price", "1"], "two prices"),
        (&["--agent", "policy:random", "--repeat", "0"], "1..="),
    ] {
        check(&[&["--root", "pump", "run", "--out", out], more].concat(), expected);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was begun");
}
