//! What may be named: files, folders and pipes; nothing that never ends, and nothing lost beside
//! what cannot be read.
#![cfg(unix)]

use std::{
    fs::{self, File},
    os::unix::fs::symlink,
    path::Path,
    process::Command,
    thread,
};

use insta::assert_snapshot;

use super::{copy, fixtures, pump, refract, seen};

#[test]
fn a_device_is_no_file() {
    assert_snapshot!(pump("check /dev/zero"), @r#"
    error[unreadable]: cannot be read: it is a device, not a file
     --> /dev/zero

    0 entries, 0 domains: 1 error
    --- exit 2
    "#);
    assert_snapshot!(pump("show /dev/zero"), @r#"
    --- stderr
    error[unreadable]: cannot be read: it is a device, not a file
     --> /dev/zero

    error: /dev/zero does not load
    --- exit 2
    "#);
    assert_snapshot!(pump("list /dev/zero"), @r#"
    --- stderr
    error: /dev/zero cannot be read: it is a device, not a file
    --- exit 2
    "#);
    assert_snapshot!(pump("replay /dev/zero"), @r#"
    --- stderr
    error: /dev/zero cannot be read: it is a device, not a file
    --- exit 2
    "#);
}

#[test]
fn a_world_file_has_a_limit() {
    let folder = copy();
    let path = folder.path().join("problems/large.json");
    File::create(&path).unwrap().set_len((64 << 20) + 1).unwrap();
    let text = seen(refract(&["check"]).current_dir(folder.path()));
    let expected = "error[unreadable]: cannot be read: it is larger than 64 MB\n --> ./problems/large.json\n\n\
                    1 entry, 1 domain: 1 error\n--- exit 2\n";
    assert_eq!(text, expected);
}

#[test]
fn pipes_are_read() {
    let from = |path: &str, args: &[&str]| {
        let bytes = fs::read(fixtures().join("pump").join(path)).unwrap();
        seen(refract(args).args(["--root", "pump"]).write_stdin(bytes))
    };
    let (log, problem) = ("runs/operator-good.jsonl", "problems/ph-1.json");
    assert_eq!(from(log, &["replay", "/dev/stdin"]), pump("replay operator-good"));
    assert_eq!(from(log, &["replay", "/dev/stdin#1"]), pump("replay operator-good#1"));
    assert_eq!(from(problem, &["show", "/dev/stdin"]), pump("show ph-1"));
    let told = from(problem, &["prompt", "/dev/stdin", "--role", "planner"]);
    assert_eq!(told, pump("prompt ph-1 --role planner"));
    assert_eq!(from(problem, &["check", "/dev/stdin"]), "1 entry, 1 domain: nothing found\n");
}

#[test]
fn a_named_pipe_is_read_where_it_is_named_and_let_be_in_a_folder() {
    let folder = copy();
    let pipes = ["problems/pipe.json", "runs/pipe.jsonl", "domain/pipe.json"].map(|name| folder.path().join(name));
    assert!(Command::new("mkfifo").args(&pipes).status().unwrap().success());
    let here = |args: &[&str]| seen(refract(args).current_dir(folder.path()));
    assert_eq!(here(&["check"]), "1 entry, 1 domain: nothing found\n");
    assert!(here(&["list", "."]).contains("3 runs"));
    for pipe in ["runs/pipe.jsonl", "problems/pipe.json"] {
        let said = here(&["inspect", pipe]);
        assert!(said.contains(&format!("error: {pipe} is no regular file")) && said.ends_with("exit 2\n"), "{said}");
    }
    let log = fs::read(folder.path().join("runs/operator-good.jsonl")).unwrap();
    let pipe = pipes[1].clone();
    let writer = thread::spawn(move || fs::write(pipe, log).unwrap());
    assert_eq!(here(&["replay", "runs/pipe.jsonl"]), here(&["replay", "operator-good"]));
    writer.join().unwrap();
}

/// `list` and `check` agree, and what can be read is listed.
#[test]
fn what_cannot_be_read_costs_nothing_but_itself() {
    let folder = copy();
    let here = |args: &[&str]| seen(refract(args).current_dir(folder.path()));
    let whole = here(&["list"]);
    for name in ["problems/gone.json", "runs/gone.jsonl"] {
        symlink("nowhere", folder.path().join(name)).unwrap();
    }
    let (listed, said) = (here(&["list"]), "error[unreadable]: cannot be read: there is no such file\n");
    assert!(listed.starts_with(&whole), "{listed}");
    let rest = format!(
        "--- stderr\n{said} --> ./problems/gone.json\n\nerror: ./runs/gone.jsonl cannot be read: there is no such \
         file\n--- exit 2\n"
    );
    assert_eq!(&listed[whole.len()..], rest);
    let checked = here(&["check"]);
    assert!(checked.contains(said) && checked.ends_with("--- exit 2\n"), "{checked}");
    let replayed = here(&["replay", "runs", "--format", "json"]);
    assert!(replayed.contains("\"run\": \"operator-good\"") && replayed.contains("\"run\": \"planner-damaged\""));
    assert!(replayed.ends_with("there is no such file\n--- exit 2\n"), "{replayed}");
    let several = here(&["list", "nowhere", "runs/operator-good.jsonl"]);
    assert!(several.starts_with("1 run,") && several.contains("nothing at nowhere"), "{several}");
}

/// What names an entry reads that one alone; what goes through all of them reports all.
#[test]
fn faults_beside_an_entry_do_not_hinder_it() {
    let folder = copy();
    let commands = [
        "show ph-1",
        "prompt ph-1 --role planner",
        "plan ph-1 --role technician",
        "export pddl ph-1 --role technician -o pddl",
        "replay operator-good",
        "score operator-good",
    ];
    let all =
        |folder: &Path| commands.map(|line| seen(refract(&line.split(' ').collect::<Vec<_>>()).current_dir(folder)));
    let before = all(folder.path());
    fs::write(folder.path().join("problems/a.json"), "{").unwrap();
    let ph_1 = folder.path().join("problems/ph-1.json");
    fs::write(folder.path().join("problems/z.json"), fs::read_to_string(ph_1).unwrap().replace("\"ph-1\"", "\"Z!\""))
        .unwrap();
    assert_eq!(all(folder.path()), before);
    for line in ["check", "list"] {
        let said = seen(refract(&[line]).current_dir(folder.path()));
        assert!(said.contains("a.json:1:1") && said.contains("z.json:3:9"), "{said}");
    }
}

#[test]
fn other_json_of_a_folder_is_left_aside() {
    let folder = copy();
    let runs = folder.path().join("runs");
    fs::write(runs.join("expected.json"), r#"{"runs": [{"role": "operator"}]}"#).unwrap();
    fs::write(runs.join("list.json"), "[]").unwrap();
    let here = |args: &[&str]| seen(refract(args).current_dir(folder.path()));
    assert!(here(&["list", "runs"]).starts_with("3 runs, worst first"));
    assert_eq!(here(&["check", "runs"]), "0 entries, 0 domains, 2 other files left aside: nothing found\n");
    // What was named is meant, and what may be meant is not let lie.
    assert!(here(&["check", "runs/list.json"]).contains("1 file not loaded"));
    fs::write(runs.join("half.json"), r#"{"query": "?"}"#).unwrap();
    fs::write(runs.join("cut.json"), r#"{"runs": ["#).unwrap();
    let checked = here(&["check", "runs"]);
    assert!(checked.contains("half.json:1:1") && checked.contains("cut.json:1:"), "{checked}");
}

#[test]
fn a_step_is_a_whole_number() {
    for (argument, step) in [("operator-good#x", "x"), ("operator-good#-1", "-1"), ("operator-good#", "")] {
        let error = format!("--- stderr\nerror: the step after # must be a whole number, not '{step}'\n--- exit 2\n");
        assert_eq!(pump(&format!("replay {argument}")), error);
        assert_eq!(pump(&format!("inspect {argument}")), error);
    }
}

#[test]
fn a_path_need_not_be_text() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let folder = copy();
    let named = |name: &[u8]| folder.path().join(OsStr::from_bytes(name));
    let (problem, run) = (named(b"problems/p\xff.json"), named(b"runs/r\xfe.jsonl"));
    fs::rename(named(b"problems/ph-1.json"), &problem).unwrap();
    fs::rename(named(b"runs/operator-good.jsonl"), &run).unwrap();
    let place = named(b"runs/r\xfe.jsonl#1");
    for (args, path, rest, expected) in [
        (&["replay"][..], &run, &[][..], "calls 2/6"),
        (&["replay"], &place, &[], "  1 "),
        (&["score"], &run, &["--no-distances"], "1 run scored"),
        (&["list"], &run, &[], "1 run, worst first"),
        (&["show"], &problem, &[], "ph-1  Feed pump trips"),
        (&["check"], &problem, &[], "1 entry"),
        (&["prompt"], &problem, &["--role", "operator"], "You assist Ilse"),
        (&["plan"], &problem, &["--role", "operator"], "calls"),
        (&["replay", "runs/technician-overreach.jsonl", "--problem"], &problem, &[], "7/6"),
        (&["play"], &problem, &[], "prints what a player is told"),
        (&["inspect"], &place, &[], "needs a terminal"),
    ] {
        let mut command = refract(args);
        let text = seen(command.arg(path).args(rest).current_dir(folder.path()));
        assert!(text.contains(expected) && !text.contains("invalid UTF-8"), "{args:?} {path:?}\n{text}");
    }
}

#[test]
fn a_folder_too_deep_is_told() {
    let folder = copy();
    let deep = folder.path().join("runs/1/2/3/4/5/6/7/8/9");
    fs::create_dir_all(&deep).unwrap();
    fs::copy(folder.path().join("runs/operator-good.jsonl"), deep.join("far.jsonl")).unwrap();
    for command in ["list", "score", "replay"] {
        let text = seen(refract(&[command, "runs"]).current_dir(folder.path()));
        assert!(text.contains("runs cannot be read: there is more in it, 9 folders deep and deeper"), "{text}");
        assert!(text.contains("technician-overreach") && !text.contains("far"), "{text}");
    }
}
