//! The report: its numbers against an independent implementation's, and what it does with hostile logs.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::{Value, json};

use super::{copy, fixtures, refract, seen};

/// The lines of the Markdown table with this caption, split into cells; the first is the head.
fn table(markdown: &str, caption: &str) -> Vec<Vec<String>> {
    let at =
        markdown.find(&format!("\n**{caption}**\n")).unwrap_or_else(|| panic!("no table '{caption}':\n{markdown}"));
    let rows = markdown[at..].lines().skip(3).take_while(|line| line.starts_with('|'));
    let cells = |line: &str| line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect();
    rows.filter(|line| !line.starts_with("|---")).map(cells).collect()
}

/// The ends of Wilson's interval by its definition: where the share is 1.96 standard errors of the end away.
fn wilson(n: usize, of: usize) -> String {
    let (share, of) = (n as f64 / of as f64, of as f64);
    let beyond = |p: f64| (share - p).powi(2) > 1.959_963_985_f64.powi(2) * p * (1.0 - p) / of;
    let end = |mut outside: f64, mut inside: f64| {
        for _ in 0..60 {
            let middle = (outside + inside) / 2.0;
            *if beyond(middle) { &mut outside } else { &mut inside } = middle;
        }
        (inside * 100.0).round()
    };
    format!("{:.0} % ({}–{})", share * 100.0, end(0.0, share), end(1.0, share))
}

/// What the independent implementation says of all runs of the fixtures.
fn expected() -> Vec<Value> {
    let mut runs = Vec::new();
    for world in fs::read_dir(fixtures().join("worlds")).unwrap() {
        for file in fs::read_dir(world.unwrap().path().join("expected")).unwrap() {
            let path = file.unwrap().path();
            if path.to_str().unwrap().ends_with(".score.json") {
                let scores: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
                // What broke off says nothing of the agent and stands in no table.
                let runs_of = scores["runs"].as_array().unwrap().iter();
                runs.extend(runs_of.filter(|run| run["end"] != "error").cloned());
            }
        }
    }
    assert!(runs.len() > 60, "{}", runs.len());
    runs
}

fn worlds(format: &str) -> String {
    let mut folders: Vec<_> =
        fs::read_dir(fixtures().join("worlds")).unwrap().map(|world| world.unwrap().path().join("runs")).collect();
    folders.sort();
    let mut command = refract(&["report", "--format", format]);
    String::from_utf8(command.args(folders).output().unwrap().stdout).unwrap()
}

#[test]
fn the_numbers_are_those_of_an_independent_implementation() {
    let markdown = worlds("md");
    for key in ["agent", "role", "toolset"] {
        let mut groups: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for run in expected() {
            groups.entry(run[key].as_str().unwrap_or("(no name)").to_owned()).or_default().push(run);
        }
        let name = if key == "toolset" { "tool set" } else { key };
        let attained = table(&markdown, &format!("Attained, by {name}"));
        let reached = table(&markdown, &format!("Over-reach and under-reach, by {name}"));
        assert_eq!((attained.len(), reached.len()), (groups.len() + 1, groups.len() + 1));
        for (attained, reached) in attained.iter().zip(&reached).skip(1) {
            let runs = &groups[attained[0].as_str()];
            let count = |holds: &dyn Fn(&Value) -> bool| runs.iter().filter(|run| holds(run)).count();
            let sum = |path: &str| runs.iter().map(|run| run.pointer(path).unwrap().as_u64().unwrap()).sum::<u64>();
            let mean = |key: &str| {
                let parts =
                    runs.iter().map(|run| (run[key]["held"].as_f64().unwrap(), run[key]["of"].as_f64().unwrap()));
                let shares: Vec<f64> = parts.filter(|(_, of)| *of > 0.0).map(|(held, of)| held / of).collect();
                shares.iter().sum::<f64>() / shares.len() as f64
            };
            let solved = wilson(count(&|run| run["solved"] == true), runs.len());
            assert_eq!(attained[1..3], [runs.len().to_string(), solved], "{key} {attained:?}");
            for (shown, key) in attained[4..8].iter().zip(["goal", "taking", "routing", "guards"]) {
                // Two decimals, and a tie may be rounded either way.
                assert!((shown.parse::<f64>().unwrap() - mean(key)).abs() < 0.005 + 1e-9, "{attained:?}");
            }
            let over = wilson(count(&|run| run["over_reach"]["attempts"] != 0), runs.len());
            let withholds = |run: &Value| !run["under_reach"]["withheld"].as_array().unwrap().is_empty();
            let under = wilson(count(&withholds), runs.len());
            let sums = ["/under_reach/deferrals", "/under_reach/stopped_short", "/misroutes", "/missed_routes"];
            let sums = sums.map(|path| sum(path).to_string());
            let row = [&[over, sum("/over_reach/attempts").to_string(), under][..], &sums].concat();
            assert_eq!(reached[1..], row, "{key} {reached:?}");
        }
    }
}

#[test]
fn cells_and_gates_are_those_of_an_independent_implementation() {
    let markdown = worlds("md");
    let mut checked = 0;
    let agents: std::collections::BTreeSet<String> =
        expected().iter().map(|run| run["agent"].as_str().unwrap_or("(no name)").to_owned()).collect();
    for agent in agents {
        let own: Vec<Value> =
            expected().into_iter().filter(|run| run["agent"].as_str().unwrap_or("(no name)") == agent).collect();
        let of = |runs: &[&Value], path: &str| {
            runs.iter().map(|run| run.pointer(path).unwrap().as_u64().unwrap()).sum::<u64>()
        };
        let withheld = |runs: &[&Value], gate: &str| {
            let all = runs.iter().flat_map(|run| run["under_reach"]["withheld"].as_array().unwrap());
            all.filter(|held| gate.is_empty() || held["gate"] == gate).count()
        };
        for row in table(&markdown, &format!("Calls that over-reach and actions withheld, {agent}")).iter().skip(1) {
            let runs: Vec<&Value> = own.iter().filter(|run| run["role"] == row[0].as_str()).collect();
            let over =
                ["capability", "knowledge", "both"].map(|gate| of(&runs, &format!("/over_reach/{gate}")).to_string());
            let under = ["capability", "knowledge", "both", "none"].map(|gate| withheld(&runs, gate).to_string());
            assert_eq!(row[1..], [&[runs.len().to_string()][..], &over, &under].concat(), "{agent} {row:?}");
        }
        let heat = table(&markdown, &agent);
        for row in &heat[1..] {
            for (role, cell) in heat[0].iter().zip(row).skip(1) {
                let is = |run: &&Value| run["problem"] == row[0].as_str() && run["role"] == role.as_str();
                let runs: Vec<&Value> = own.iter().filter(is).collect();
                let mut text = format!("{}/{}", runs.iter().filter(|run| run["solved"] == true).count(), runs.len());
                for (sign, gate) in [("C", "capability"), ("K", "knowledge"), ("B", "both")] {
                    let number = of(&runs, &format!("/over_reach/{gate}"));
                    text += &if number > 0 { format!(" {sign}{number}") } else { String::new() };
                }
                let under = withheld(&runs, "");
                text += &if under > 0 { format!(" \\<{under}") } else { String::new() };
                assert_eq!(*cell, if runs.is_empty() { "·".to_owned() } else { text }, "{agent} {row:?}");
                checked += usize::from(!runs.is_empty());
            }
        }
    }
    assert!(checked > 30, "{checked}");
}

/// Everything that an agent can write, as what would act on a page.
const HOSTILE: &str =
    "</title><script>alert(1)</script>\" onload='x' ]]> <!-- | `a` [b](javascript:c) \u{202e}\u{1b}[31m\u{7}";

/// A folder with a run in which everything is hostile.
fn hostile() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let events = [
        json!({"type": "run", "version": 1, "id": HOSTILE, "problem": "im-001", "role": "operator", "agent": {"name": HOSTILE}}),
        json!({"type": "message", "from": HOSTILE, "text": format!("- a\n{HOSTILE}\n# b"), "reasoning": true}),
        json!({"type": "call", "id": HOSTILE, "tool": HOSTILE, "args": {HOSTILE: HOSTILE}}),
        json!({"type": "result", "call": HOSTILE, "fired": true, "observation": HOSTILE, "added": [HOSTILE]}),
        json!({"type": "call", "id": "2", "tool": "look_at_asset", "args": HOSTILE}),
        json!({"type": HOSTILE}),
        json!({"type": "end", "reason": HOSTILE}),
    ];
    let text: String = events.iter().map(|event| format!("{event}\n")).collect();
    fs::write(folder.path().join("hostile.jsonl"), &text).unwrap();
    let unscored = text.replace("im-001", "</li><script>");
    fs::write(folder.path().join("unscored.jsonl"), unscored).unwrap();
    folder
}

/// The tags of a page, each whole, `<` and `>` within attributes taken for the end of one too.
fn tags(page: &str) -> Vec<&str> {
    let after_style = &page[page.find("</style>").unwrap()..];
    after_style.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()).collect()
}

fn report(folder: &Path, format: &str) -> String {
    let output = refract(&["report", "--format", format]).current_dir(folder).arg(folder).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "one is not scored");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn nothing_of_a_log_is_markup_in_the_page() {
    let folder = hostile();
    let page = report(folder.path(), "html");
    assert!(page.matches("&lt;script&gt;alert(1)&lt;/script&gt;").count() > 10, "the hostile texts are shown");
    let known = "a article b body br caption circle code dd desc details div dl dt figcaption figure footer g h1 h2 h3 head \
        header html i li main nav ol p path rect section small span style summary svg table tbody td text th thead title tr ul";
    let known: Vec<&str> = known.split_whitespace().collect();
    let attributes = [
        "class",
        "href",
        "id",
        "title",
        "scope",
        "role",
        "viewBox",
        "d",
        "cx",
        "cy",
        "r",
        "x",
        "y",
        "width",
        "height",
        "text-anchor",
        "aria-hidden",
    ];
    for tag in tags(&page) {
        let name = tag.trim_start_matches('/').split(' ').next().unwrap();
        assert!(known.contains(&name), "<{tag}>");
        // Outside of the values, which hold no quote.
        let names: String = tag[name.len().min(tag.len())..].split('"').step_by(2).collect();
        for attribute in names.split([' ', '=', '/']).filter(|word| !word.is_empty() && !tag.starts_with('/')) {
            assert!(attributes.contains(&attribute), "{attribute} in <{tag}>");
        }
        let leads = tag.split("href=\"").nth(1);
        assert!(leads.is_none_or(|to| to.starts_with('#')), "<{tag}>");
    }
    assert!(page.chars().all(|c| c == '\n' || !(c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c))));
    assert!(page.contains("&lt;U+202E&gt;") && page.contains("␛[31m"), "what acts is shown");
}

#[test]
fn nothing_of_a_log_is_markup_in_markdown() {
    let folder = hostile();
    let markdown = report(folder.path(), "md");
    assert!(markdown.matches("script\\>").count() > 10, "the hostile texts are shown");
    let mut before = ' ';
    for c in markdown.chars() {
        // `<` stands for under-reach in a code span of ours.
        assert!(c != '<' || before == '\\' || before == '`', "{markdown}");
        assert!(!matches!(c, '[' | ']') || before == '\\', "{markdown}");
        assert!(c == '\n' || !(c.is_control() || c == '\u{202e}'), "{c:?}");
        before = c;
    }
    for line in markdown.lines().filter(|line| line.starts_with('|')) {
        assert!(line.ends_with('|') && !line.contains(" | ` "), "{line}");
    }
    let columns = table(&markdown, "Attained, by agent");
    assert_eq!(columns[0].len(), columns[1].len(), "{columns:?}");
    // Lines of a message stay in its quotation.
    assert!(markdown.contains("  > \\- a\\\n") && markdown.contains("\n  > \\# b\n"), "{markdown}");
}

#[test]
fn the_same_runs_give_the_same_bytes() {
    for format in ["html", "md"] {
        let page = |threads: &str| {
            let mut command = refract(&["report", "--format", format]);
            command.env("RAYON_NUM_THREADS", threads).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap().stdout
        };
        let first = page("4");
        assert!(first.len() > 20_000, "{}", first.len());
        assert!(first == page("1") && first == page("4"), "{format}");
    }
}

#[test]
fn cells_lead_to_runs_that_are_told() {
    let page = seen(&mut refract(&["--root", "pump", "report", "--worst", "2"]));
    let told: Vec<&str> = page.split("id=\"run-").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let mut once = told.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), told.len(), "a run is told once");
    let leads: Vec<&str> = page.split("href=\"#run-").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(!leads.is_empty() && leads.iter().all(|run| told.contains(run)), "{leads:?} {told:?}");
}

/// A folder with copies of two runs: `narrow` of those with the first tool set and as many with the last.
fn copies(narrow: &str, wide: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (run, toolset) in [(narrow, "narrow"), (wide, "wide")] {
        let log = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("runs/{run}.jsonl"));
        let text = fs::read_to_string(log).unwrap();
        let (header, rest) = text.split_once('\n').unwrap();
        for copy in 0..12 {
            let mut header: Value = serde_json::from_str(header).unwrap();
            header["id"] = json!(format!("{toolset}-{copy}"));
            header["toolset"] = json!(toolset);
            header["agent"] = json!({"name": "policy:some"});
            fs::write(folder.path().join(format!("{toolset}-{copy}.jsonl")), format!("{header}\n{rest}")).unwrap();
        }
    }
    folder
}

#[track_caller]
fn check_width(narrow: &str, wide: &str, sentence: &str) {
    let folder = copies(narrow, wide);
    let said = seen(refract(&["report", "--format", "md"]).arg(folder.path()));
    let finding = said.lines().find(|line| line.starts_with("- **policy:some** (24 runs).")).unwrap();
    assert!(finding.contains(sentence), "{finding}");
}

/// Solved and not: by the names of the runs. 12 of 12 against 0 of 12: each interval of a share is 24 points long
/// (Wilson's end is z²/(n + z²)), so that of the difference is √2 times as long.
#[test]
fn what_is_said_of_width_follows_the_numbers() {
    let (solves, fails) = ("im-006-operator-reference", "im-006-operator-polls-the-journal");
    let on = "on the 1 perspective run with both narrow and wide, solved";
    check_width(
        solves,
        fails,
        &format!("{on} falls from 100 % to 0 %: −100 points (95 % −100 to −66), more than chance."),
    );
    check_width(
        fails,
        solves,
        &format!("{on} rises from 0 % to 100 %: +100 points (95 % +66 to +100), more than chance."),
    );
    check_width(solves, solves, &format!("{on} stays at 100 %: 0 points (95 % −24 to +24)."));
    check_width(solves, solves, "It errs in neither direction.");
}

#[test]
fn standard_input_is_told_too() {
    let log = fs::read(fixtures().join("pump/runs/technician-overreach.jsonl")).unwrap();
    let mut command = refract(&["--root", "pump", "report", "-", "--format", "md"]);
    let said = String::from_utf8(command.write_stdin(log).output().unwrap().stdout).unwrap();
    assert!(said.contains("### technician-overreach"), "{said}");
}

#[test]
fn the_ending_says_the_format_and_a_run_is_not_written_over() {
    let folder = copy();
    let say = |line: &str| seen(refract(&line.split(' ').collect::<Vec<_>>()).current_dir(&folder));
    let read = |file: &str| fs::read_to_string(folder.path().join(file)).unwrap();
    assert!(say("report -o a.html").starts_with("a.html: "));
    assert!(say("report -o a.md").starts_with("a.md: "));
    assert!(say("report -o a.txt --format md").starts_with("a.txt: "));
    assert!(read("a.html").starts_with("<!doctype html>"));
    assert!(read("a.md").starts_with("# ReFract report") && read("a.txt") == read("a.md"));
    assert!(say("report -o -").starts_with("<!doctype html>"));
    let log = "runs/technician-overreach.jsonl";
    let before = read(log);
    let said = say(&format!("report {log} -o {log}"));
    assert!(said.contains("is one of the runs") && said.ends_with("--- exit 2\n"), "{said}");
    assert_eq!(read(log), before);
    assert!(say("report -o no/such/folder.html").ends_with("--- exit 2\n"));
}

#[test]
fn nothing_to_report_is_said() {
    let folder = copy();
    fs::remove_dir_all(folder.path().join("runs")).unwrap();
    let said = |format: &str| seen(refract(&["report", "--format", format]).current_dir(&folder));
    assert!(said("md").contains("No runs."), "{}", said("md"));
    assert!(said("html").contains("0 runs"), "{}", said("html"));
}

/// The policies do what they are named for, and the report says it with the numbers of `refract score`.
#[test]
fn what_is_said_of_policies_is_what_their_runs_score() {
    let folder = tempfile::tempdir().unwrap();
    for policy in ["cautious", "overreaching"] {
        let agent = format!("policy:{policy}");
        let out = folder.path().join(policy);
        let mut run = refract(&["run", "--agent", &agent, "--toolsets", "narrow,wide", "--out"]);
        assert!(run.arg(&out).output().unwrap().status.success());
        let scores = refract(&["score", "--format", "json"]).arg(&out).output().unwrap().stdout;
        let scores: Value = serde_json::from_slice(&scores).unwrap();
        let runs = scores["runs"].as_array().unwrap();
        let over = runs.iter().filter(|run| run["over_reach"]["attempts"] != 0).count();
        let under = runs.iter().filter(|run| run["under_reach"]["withheld"] != json!([])).count();
        let said = seen(refract(&["report", "--format", "md"]).arg(&out));
        let finding = said.lines().find(|line| line.starts_with(&format!("- **{agent}**"))).unwrap();
        let share = |number: usize| format!("({number} of {} runs, 95 % ", runs.len());
        let (caution, rest) = finding.split_once("Over-reach").unwrap();
        assert!(caution.contains(&share(under)) && rest.contains(&share(over)), "{finding}");
        match policy {
            "cautious" => assert!(under > runs.len() / 2 && finding.contains("It is over-cautious"), "{finding}"),
            _ => assert!(over > 0 && rest.contains("attempts, "), "{finding}"),
        }
    }
}
