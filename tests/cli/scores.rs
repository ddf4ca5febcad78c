//! Plans and scores through the program, against what an independent implementation of the design gives.

use std::fs;

use serde_json::Value;

use super::{copy, fixtures, json, pump, refract, seen};

/// Each world's folder, with a way to run the program in it and to read what is expected.
fn worlds(mut each: impl FnMut(&str, &dyn Fn(&[&str]) -> (Value, i32), &dyn Fn(&str) -> Value)) {
    let mut folders: Vec<_> =
        fs::read_dir(fixtures().join("worlds")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    for folder in folders {
        let run = |args: &[&str]| {
            let output = refract(args).args(["--format", "json", "--root"]).arg(&folder).output().unwrap();
            (serde_json::from_slice(&output.stdout).unwrap(), output.status.code().unwrap())
        };
        let expected =
            |file: &str| serde_json::from_slice(&fs::read(folder.join("expected").join(file)).unwrap()).unwrap();
        each(folder.file_name().unwrap().to_str().unwrap(), &run, &expected);
    }
}

#[test]
fn plans_have_the_shape_and_the_values() {
    let mut plans = 0;
    // Every third: the library's own test compares them all.
    worlds(|name, run, expected| {
        for expected in expected("plans.json").as_array().unwrap().iter().skip(plans % 3).step_by(3) {
            let text = |key: &str| expected[key].as_str().unwrap();
            let args = ["plan", text("problem"), "--role", text("role"), "--toolset", text("toolset"), "--all-first"];
            let (ours, status) = run(&args);
            for key in ["problem", "role", "toolset", "solvable", "cost"] {
                assert_eq!(ours[key], expected[key], "{name} {args:?} {key}");
            }
            assert_eq!(status, i32::from(expected["solvable"] != true), "{name} {args:?}");
            assert_eq!(ours["plan"].as_array().unwrap().len() as u64, ours["cost"].as_u64().unwrap_or(0));
            assert!(ours["expanded"].is_u64());
            if let Some(call) = ours["plan"].get(0) {
                assert!(ours["first"].as_array().unwrap().contains(call), "{name} {args:?}");
            }
            plans += 1;
        }
    });
    assert!(plans > 50, "{plans}");
}

#[test]
fn scores_have_the_shape_and_the_values() {
    let mut runs = 0;
    worlds(|name, run, expected| {
        let names: Vec<String> = (0..4).map(|run| format!("{name}-r{run}")).collect();
        let args: Vec<&str> = ["score"].into_iter().chain(names.iter().map(String::as_str)).collect();
        let (ours, status) = run(&args);
        let expected: Vec<Value> = names.iter().map(|name| expected(&format!("{name}.score.json"))).collect();
        let list = |key: &str| expected.iter().flat_map(|one| one[key].as_array().unwrap().clone()).collect::<Vec<_>>();
        for (ours, expected) in ours["runs"].as_array().unwrap().iter().zip(&list("runs")) {
            for (key, value) in expected.as_object().unwrap() {
                assert_eq!(&ours[key], value, "{name} {key}");
            }
        }
        let counts = (ours["runs"].as_array().unwrap().len(), ours["unscored"].as_array().unwrap().len());
        assert_eq!(counts, (list("runs").len(), list("unscored").len()), "{name}");
        assert_eq!(status, i32::from(counts.1 > 0), "{name}");
        runs += counts.0;
    });
    assert!(runs > 100, "{runs}");
}

#[test]
fn without_distances_what_needs_them_is_null() {
    let scores = json("score technician-overreach --no-distances --format json");
    for key in ["under_reach", "misroutes", "missed_routes", "verdicts", "distance"] {
        assert!(scores["runs"][0][key].is_null(), "{key}");
    }
    assert_eq!(scores["groups"][0]["by"]["role"], "technician");
    assert_eq!(scores["groups"][0]["runs"], 1);
}

#[test]
fn csv_has_a_row_for_each_run_or_group() {
    let rows = |text: String| -> Vec<Vec<String>> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
    };
    let runs = rows(pump("score technician-overreach planner-damaged --format csv"));
    assert_eq!((runs.len(), runs[1][0].as_str(), runs[2][0].as_str()), (3, "technician-overreach", "planner-damaged"));
    let groups = rows(pump("score technician-overreach planner-damaged --format csv --by agent --by role"));
    assert_eq!((groups[0][0].as_str(), groups[0][1].as_str(), groups.len()), ("by.agent", "by.role", 3));
    let once = rows(pump("score technician-overreach --format csv --by agent --by role --by agent"));
    assert_eq!(once[0][..3], ["by.agent", "by.role", "runs"]);
}

#[test]
fn no_cell_is_a_formula() {
    let folder = copy();
    let log = folder.path().join("runs/technician-overreach.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    assert!(text.contains("\"name\":\"a-71\""), "{text}");
    fs::write(&log, text.replace("\"name\":\"a-71\"", "\"name\":\"=1+1\"")).unwrap();
    let csv = seen(refract(&["score", "technician-overreach", "--format", "csv"]).current_dir(&folder));
    assert!(csv.contains(",'=1+1,"), "{csv}");
    // For programs it stays as it is.
    let json = seen(refract(&["score", "technician-overreach", "--format", "json"]).current_dir(&folder));
    assert!(json.contains("\"=1+1\""), "{json}");
}

#[test]
fn a_log_is_scored_once_however_it_is_named() {
    let folder = copy();
    let log = "runs/technician-overreach.jsonl";
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path().join(log), folder.path().join("runs/link.jsonl")).unwrap();
    let links = if cfg!(unix) { "runs/link.jsonl" } else { log };
    let whole = folder.path().join(log);
    let names = [log, "technician-overreach", "runs/../runs/technician-overreach.jsonl#2", links];
    let args: Vec<&str> = [&["score", "--format", "csv"], &names[..], &[whole.to_str().unwrap()]].concat();
    let said = seen(refract(&args).current_dir(&folder));
    assert_eq!(said.lines().filter(|line| line.starts_with("technician-overreach,")).count(), 1, "{said}");
    assert!(said.contains("note: what is named more than once is scored once: 1 log"), "{said}");
    let two = seen(refract(&["score", "--format", "csv", log, "planner-damaged"]).current_dir(&folder));
    assert!(!two.contains("note:"), "{two}");
}

#[test]
fn nothing_to_score_is_said() {
    let folder = copy();
    fs::remove_dir_all(folder.path().join("runs")).unwrap();
    let said = |format: &str| seen(refract(&["score", "--format", format]).current_dir(&folder));
    assert_eq!(said("text"), "no runs\n");
    assert_eq!(serde_json::from_str::<Value>(&said("json")).unwrap()["runs"], serde_json::json!([]));
    assert_eq!(said("csv").lines().count(), 1);
}

#[test]
fn what_cannot_be_planned_or_scored_is_said() {
    let said = |line: &str, words: &str| assert!(pump(line).contains(words), "{line}:\n{}", pump(line));
    let embedded = seen(&mut refract(&["plan", "im-012", "--role", "technician"]));
    assert!(embedded.contains("im-012 has no perspective of the technician"), "{embedded}");
    said("plan ph-1 --role technician --max-expansions 0", "unknown: a limit was hit");
    said("plan ph-1 --role technician --max-expansions 0", "--- exit 1");
    said("score no-such-run", "there is no run 'no-such-run'");
}

#[test]
fn a_plan_that_a_planner_wrote_is_followed_like_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().to_str().unwrap();
    let exported = pump(&format!("export pddl ph-1 --role operator -o {dir}"));
    assert_eq!(exported.lines().count(), 3, "{exported}");
    let follow = |plan: &str| {
        fs::write(folder.path().join("plan.txt"), plan).unwrap();
        pump(&format!("replay --plan {dir}/plan.txt ph-1 --role operator --format json"))
    };
    let run: Value = serde_json::from_str(&follow(
        "; found by hand\n(a_hand__over o_pump_h101 o_technician)\n0.0: (A_LOCK__OUT O_PUMP_H101) [1]\n; cost = 2\n",
    ))
    .unwrap();
    assert_eq!(run["steps"][0]["args"], serde_json::json!({"asset": "pump-101", "to": "technician"}));
    assert_eq!(run["steps"][1]["goal"], serde_json::json!({"held": 3, "of": 3}));
    for (plan, words) in [
        ("\n(a_no__such)", "line 2: the names have no action 'a_no__such'"),
        ("(a_lock__out o_nobody)", "line 1: the names have no object 'o_nobody'"),
        ("(a_lock__out)", "line 1: 'a_lock__out' takes 1 object, not 0"),
        ("lock out", "line 1: an action is written `(name object …)`"),
    ] {
        let said = follow(plan);
        assert!(said.contains(words) && said.contains("exit 2"), "{plan}: {said}");
    }
    for (names, words) in [
        ("{\n \"actions\": {},\n \"objects\": {]}", "names.json:3:14: this is no JSON"),
        ("{\n \"actions\": 7", "names.json:2:13: this is not what stands in a file of names"),
        ("{}", "names.json:1:2: this is not what stands in a file of names"),
    ] {
        fs::write(folder.path().join("names.json"), names).unwrap();
        let said = follow("");
        assert!(said.contains(words) && said.contains("  help: `refract export pddl` writes"), "{names}: {said}");
        assert!(!said.contains("expected") && !said.contains("field"), "{names}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn an_export_writes_through_no_link() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept");
    fs::write(&kept, "keep").unwrap();
    let into = folder.path().join("out");
    fs::create_dir(&into).unwrap();
    std::os::unix::fs::symlink(&kept, into.join("domain.pddl")).unwrap();
    let said = pump(&format!("export pddl ph-1 --role operator -o {}", into.to_str().unwrap()));
    assert!(said.contains("what stands there is no regular file") && said.contains("exit 2"), "{said}");
    assert_eq!(fs::read_to_string(&kept).unwrap(), "keep");
}

/// Gates as static facts: what the role may not use is there, and asks for a fact that is not.
#[test]
fn gates_are_compiled_or_facts() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().to_str().unwrap();
    let domain = |gates: &str| {
        pump(&format!("export pddl ph-1 --role operator --toolset wide --gates {gates} -o {dir}"));
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        (read("domain.pddl"), read("problem.pddl"))
    };
    let (compiled, _) = domain("compiled");
    assert!(compiled.contains("(:action a_lock__out") && !compiled.contains("(:action a_replace__bearing"));
    let (facts, problem) = domain("as-facts");
    assert!(
        facts.contains("(:action a_replace__bearing") && facts.contains("(may_repair) (knows_hardware)"),
        "{facts}"
    );
    assert!(problem.contains("(knows_hardware)") && !problem.contains("(may_repair)"), "{problem}");
}

/// An episode that broke off for a reason that is not the agent's is scored by itself, and in no group.
#[test]
fn what_broke_off_says_nothing_of_the_agent() {
    let score = |run: &str, more: &[&str]| {
        let args = [&["--root", "worlds/w00004", "score", run, "--by", "role"], more].concat();
        seen(&mut refract(&args))
    };
    let run = "worlds/w00004/runs/w00004-r0.jsonl";
    let json: serde_json::Value = serde_json::from_str(&score(run, &["--format", "json"])).unwrap();
    assert_eq!(json["runs"][0]["end"], "error");
    assert_eq!(json["groups"], serde_json::json!([]));
    let text = score(run, &[]);
    assert!(text.contains("1 run scored, 1 of them broke off as `error` and in no group"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let ended =
        fs::read_to_string(fixtures().join(run)).unwrap().replace("\"reason\": \"error\"", "\"reason\": \"finished\"");
    let path = folder.path().join("ended.jsonl");
    fs::write(&path, ended).unwrap();
    let json: serde_json::Value = serde_json::from_str(&score(path.to_str().unwrap(), &["--format", "json"])).unwrap();
    assert_eq!(json["groups"][0]["runs"], 1);
}
