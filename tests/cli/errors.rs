//! What is said when something is wrong, and the exit status.

use std::{
    fs,
    process::{Command, Stdio},
};

use insta::assert_snapshot;

use super::{copy, fixtures, pump, refract, seen};

#[test]
fn names_that_are_not_known() {
    assert_snapshot!(pump("show ph-2"), @r#"
    --- stderr
    error: there is no entry or domain 'ph-2'
      help: did you mean `ph-1`?
    --- exit 2
    "#);
    assert_snapshot!(pump("show pump-hose"), @r#"
    --- stderr
    error: there is no entry or domain 'pump-hose'
      help: did you mean `pump-house`?
    --- exit 2
    "#);
    assert_snapshot!(pump("prompt ph-1 --role operater"), @r#"
    --- stderr
    error: there is no role 'operater'
      help: did you mean `operator`?
    --- exit 2
    "#);
    assert_snapshot!(pump("prompt ph-1 --role operator --toolset huge"), @r#"
    --- stderr
    error: there is no tool set 'huge'
      help: known: `narrow`, `wide`
    --- exit 2
    "#);
    assert_snapshot!(pump("replay operator-goof"), @r#"
    --- stderr
    error: there is no run 'operator-goof'
      help: did you mean `operator-good`?
    --- exit 2
    "#);
    assert_snapshot!(pump("replay operator-good#3"), @r#"
    --- stderr
    error: operator-good has no step 3
      help: it has 2 steps
    --- exit 2
    "#);
    assert_snapshot!(pump("replay operator-good --role nobody"), @r#"
    --- stderr
    error: there is no role 'nobody'
      help: known: `operator`, `technician`, `planner`
    --- exit 2
    "#);
    assert_snapshot!(pump("replay runs/nothing.jsonl"), @r#"
    --- stderr
    error: there is no file runs/nothing.jsonl
    --- exit 2
    "#);
    assert_snapshot!(pump("list nowhere"), @r#"
    --- stderr
    error: there is nothing at nowhere
    --- exit 2
    "#);
    assert_snapshot!(pump("show nowhere/at-all.json"), @r#"
    --- stderr
    error: there is no file nowhere/at-all.json
    --- exit 2
    "#);
}

#[test]
fn wrong_usage() {
    assert_snapshot!(pump("replay"), @r#"
    --- stderr
    error: the following required arguments were not provided:
      <RUN>...

    Usage: refract replay <RUN>...

    For more information, try '--help'.
    --- exit 2
    "#);
    assert_snapshot!(pump("frobnicate"), @r#"
    --- stderr
    error: unrecognized subcommand 'frobnicate'

    Usage: refract [OPTIONS] [COMMAND]

    For more information, try '--help'.
    --- exit 2
    "#);
    assert_snapshot!(seen(&mut refract(&["list", "--root", "pump/runs"])), @r#"
    --- stderr
    error: --root pump/runs holds no domain/, problems/ or runs/
    --- exit 2
    "#);
    assert_snapshot!(seen(&mut refract(&["list", "--root", "nowhere"])), @r#"
    --- stderr
    error: --root nowhere is no folder
    --- exit 2
    "#);
}

#[test]
fn a_screen_without_a_terminal_names_its_twin() {
    assert_snapshot!(pump(""), @r#"
    --- stderr
    error: this is a screen and needs a terminal; `refract list --root pump` prints the same thing
    --- exit 2
    "#);
    assert_snapshot!(pump("play ph-1 --role planner --toolset wide"), @r#"
    --- stderr
    error: this is a screen and needs a terminal; `refract prompt ph-1 --role planner --toolset wide --root pump` prints what a player is told
    --- exit 2
    "#);
    assert_snapshot!(pump("play ph-1"), @r#"
    --- stderr
    error: this is a screen and needs a terminal; `refract prompt ph-1 --role ROLE --root pump` prints what a player is told
    --- exit 2
    "#);
    assert_snapshot!(pump("inspect operator-good#1"), @r#"
    --- stderr
    error: this is a screen and needs a terminal; `refract replay operator-good#1 --root pump` prints the same thing
    --- exit 2
    "#);
    assert_snapshot!(pump("play ph-1 --role nobody"), @r#"
    --- stderr
    error: there is no role 'nobody'
      help: known: `operator`, `technician`, `planner`
    --- exit 2
    "#);
}

/// Whether a play can be written is known before it begins, and finding out leaves nothing behind.
#[test]
fn a_play_that_cannot_be_written_does_not_begin() {
    let folder = tempfile::tempdir().unwrap();
    let root = fixtures().join("pump");
    fs::write(folder.path().join("taken"), "").unwrap();
    let play = |out: &str| {
        let args = ["play", "ph-1", "--out", out, "--root"];
        seen(refract(&args).arg(&root).current_dir(folder.path()))
    };
    assert_snapshot!(play("taken"), @r#"
    --- stderr
    error: there is a file taken already
      help: a run log is never overwritten: name another file, or a folder
    --- exit 2
    "#);
    assert_snapshot!(play("nowhere/run.jsonl"), @r#"
    --- stderr
    error: no run log can be written to nowhere/run.jsonl: there is no such folder
    --- exit 2
    "#);
    assert_snapshot!(play("taken/run.jsonl"), @r#"
    --- stderr
    error: no run log can be written to taken/run.jsonl: what stands above it is no folder
    --- exit 2
    "#);
    assert_snapshot!(play("taken/runs/"), @r#"
    --- stderr
    error: no run log can be written to taken/runs/: what stands above it is no folder
    --- exit 2
    "#);
    for out in ["run.jsonl", "new/", "new/below/", "."] {
        assert!(play(out).contains("error: this is a screen and needs a terminal"), "{out}");
    }
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["taken"]);
}

#[test]
fn a_file_that_does_not_load_is_told_on_standard_error() {
    let folder = copy();
    let problem = folder.path().join("problems/ph-1.json");
    let text = fs::read_to_string(&problem).unwrap();
    fs::write(&problem, text.replace(r#""budget": 6"#, r#""budget": "six""#)).unwrap();
    let run = |args: &[&str]| seen(refract(args).current_dir(folder.path()));
    assert_snapshot!(run(&["show", "ph-1"]), @r#"
    --- stderr
    error[wrong-type]: expected a whole number from 1 to 4294967295, found a string
      --> ./problems/ph-1.json:13:13
       |
    13 |   "budget": "six",
       |             ^^^^^

    error: ph-1 does not load
    --- exit 2
    "#);
    assert_snapshot!(run(&["list"]), @r#"
    3 runs, worst first; under-reach is not judged here
        run                   entry  role        set     agent      calls  goal  over  end
     B  technician-overreach  ph-1   technician  wide    a-71         7/6     –     1  budget; no world
     #  planner-damaged       ph-1   planner     –       b-02           3     –     0  no end; damaged, 2; no world
     ?  operator-good         ph-1   operator    narrow  reference    2/6     –     0  finished; no world
    --- stderr
    error[wrong-type]: expected a whole number from 1 to 4294967295, found a string
      --> ./problems/ph-1.json:13:13
       |
    13 |   "budget": "six",
       |             ^^^^^

    --- exit 1
    "#);
    let json = refract(&["list", "--format", "json"]).current_dir(folder.path()).output().unwrap();
    let list: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((list["entries"].as_array().unwrap().len(), list["runs"].as_array().unwrap().len()), (0, 3));
}

#[test]
fn unreadable_files() {
    assert_snapshot!(pump("check nowhere.json pump/domain/pump-house.json"), @r#"
    error[unreadable]: cannot be read: there is no such file
     --> nowhere.json

    0 entries, 1 domain: 1 error
    --- exit 2
    "#);
}

#[test]
fn bytes_that_are_no_log_are_a_damaged_log() {
    let text = seen(refract(&["replay", "-", "--root", "pump"]).write_stdin(&b"\xff\xfe\x00{\n[1]\n"[..]));
    assert!(
        text.contains("line 1: This line is not UTF-8")
            && text.contains("line 2: This line is JSON, but not an object"),
        "{text}"
    );
    assert!(!text.contains("--- exit"), "{text}");
}

/// The reader goes away before the first byte; there is more to write than a pipe holds.
#[test]
fn a_closed_pipe_is_no_error() {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("refract"));
    command.current_dir(fixtures()).args(["--root", "pump", "replay"]).args(["technician-overreach"; 100]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
}

#[test]
fn many_faults_are_counted_and_a_hundred_written_out() {
    let folder = super::copy();
    let path = folder.path().join("problems").join("ph-1.json");
    let problem = std::fs::read_to_string(&path).unwrap();
    let many: String = (0..3000).map(|n| format!("\"wrong-{n}(pump-101)\", ")).collect();
    std::fs::write(&path, problem.replacen("\"init\": [", &format!("\"init\": [{many}"), 1)).unwrap();
    let text = seen(refract(&["check"]).current_dir(folder.path()));
    assert!(text.contains("no predicate 'wrong-99'") && !text.contains("no predicate 'wrong-100'"), "{text}");
    assert!(text.contains("\n... and 2900 more faults in ./problems/ph-1.json\n"), "{text}");
    assert!(text.ends_with("1 file not loaded: 3000 errors\n--- exit 1\n"), "{text}");
    let output = refract(&["check", "--format", "json"]).current_dir(folder.path()).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["findings"].as_array().unwrap().len(), 100);
    assert_eq!((&report["errors"], &report["left_out"]), (&3000.into(), &2900.into()));
    assert_eq!(output.status.code(), Some(1));
    // What does not load is told alike.
    let text = seen(refract(&["show", "ph-1"]).current_dir(folder.path()));
    assert!(text.contains("... and 2900 more faults in") && text.lines().count() < 1000, "{text}");
}
