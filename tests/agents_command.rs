//! Programs as agents: what passes between us and them, and what happens when they do not play along.
#![allow(clippy::unwrap_used)]
#![cfg(unix)]

mod support;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use refract::net::agents::Options;
use refract::run::EndReason;
use serde_json::{Value, json};
use support::episode::{Played, played, played_until, quick};

/// A shell script as an agent.
fn script(script: &str) -> Played {
    played(&format!("command:{script}"), quick(None))
}

#[test]
fn the_example_plays() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/example_agent.py");
    let played = script(&format!("python3 '{}'", path.display()));
    assert_eq!((played.ended.reason, &played.why), (EndReason::Finished, &None));
    // The first tool of im-001 takes an asset: two fans and a transmitter.
    let called: Vec<_> =
        played.of("call").into_iter().map(|call| (call["tool"].clone(), call["args"].clone())).collect();
    let assets = ["fan-3", "fan-4", "vt-3"];
    assert_eq!(called, assets.map(|asset| (json!("look_at_asset"), json!({ "asset": asset }))));
    let said: Vec<_> =
        played.of("message").iter().map(|message| (message["text"].clone(), message["reasoning"].clone())).collect();
    let observed: Vec<String> =
        played.of("result").iter().map(|result| result["observation"].as_str().unwrap().to_owned()).collect();
    assert_eq!(said[0], (json!("3 things to look at."), json!(true)));
    assert!(observed.iter().all(|text| said[1].0.as_str().unwrap().contains(text.as_str())));
}

#[test]
fn lines_say_what_they_say() {
    let folder = tempfile::tempdir().unwrap();
    let heard = folder.path().join("heard");
    let lines = [
        r#"{"say":"a","reasoning":"b","calls":[{"tool":"look_at_asset","args":{"asset":"fan-3"}},{"tool":"x"},7],"usage":{"input":5,"output":2}}"#,
        "",
        r#"{"calls":[{"tool":"change_over","args":"fan-3"}],"finish":true}"#,
    ];
    let [first, blank, last] = lines;
    let heard_path = heard.display();
    let played = script(&format!(
        r#"read -r a; echo '{first}'; echo '{blank}'; read -r b; printf '%s\n' "$a" "$b" > '{heard_path}'; echo '{last}'"#
    ));
    assert_eq!((played.ended.reason, &played.why), (EndReason::Finished, &None), "{}", played.log);
    let made: Vec<_> = played.of("call").into_iter().map(|call| (call["tool"].clone(), call["args"].clone())).collect();
    let expected = [
        (json!("look_at_asset"), json!({ "asset": "fan-3" })),
        (json!("x"), json!({})),
        (json!(7), json!({})),
        (json!("change_over"), json!("fan-3")),
    ];
    assert_eq!(made, expected);
    assert_eq!((played.used.input, played.used.output), (5, 2));

    let heard = fs::read_to_string(heard).unwrap();
    let [start, results]: [Value; 2] =
        heard.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<_>>().try_into().unwrap();
    assert_eq!(
        (&start["type"], &start["version"], &start["budget"], &start["seed"]),
        (&json!("start"), &json!(1), &json!(5), &json!(7))
    );
    assert!(
        start["system"].as_str().unwrap().contains("Ilse Brandt") && start["user"].as_str().unwrap().contains("CT-3")
    );
    assert_eq!(start["tools"].as_array().unwrap().last().unwrap()["name"], "finish");
    assert_eq!((&results["type"], results["results"].as_array().unwrap().len()), (&json!("results"), 3));
}

#[test]
fn no_calls_are_the_end() {
    for line in [r#"{"calls":[]}"#, r#"{"say":"bye"}"#, r#"{"calls":null,"say":"bye"}"#, r#"{"finish":true}"#] {
        let played = script(&format!("echo '{line}'"));
        assert_eq!((played.ended.reason, played.ended.calls), (EndReason::Finished, 0), "{line}");
    }
}

#[track_caller]
fn check_breaks(command: &str, why: &[&str]) {
    let options = Options { timeout: Duration::from_millis(400), ..quick(None) };
    let played = played(&format!("command:{command}"), options);
    let said = played.why.unwrap_or_default();
    assert_eq!(played.ended.reason, EndReason::Error);
    assert!(why.iter().all(|part| said.contains(part)), "{command}: {said}");
    assert!(said.chars().count() < 700 && !said.chars().any(char::is_control), "{said}");
}

#[test]
fn those_that_do_not_play_along_are_told() {
    check_breaks("./no-such-agent", &["exit status 127", "no-such-agent"]);
    check_breaks("exit 3", &["exit status 3"]);
    check_breaks("exit 0", &["exit status 0"]);
    check_breaks("kill -9 $$", &["signal 9"]);
    check_breaks("echo nonsense", &["not JSON"]);
    check_breaks("echo '[1]'", &["no JSON object"]);
    check_breaks("echo '{\"calls\":{}}'", &["no array"]);
    check_breaks("cat", &["none of `say`, `reasoning`, `calls`, `finish`"]);
    check_breaks("cat > /dev/null", &["nothing for 0.4 s"]);
    check_breaks("exec 1>&-; cat > /dev/null", &["closed its output"]);
    check_breaks(
        "printf '\\033[2Jlost the key to the model' >&2; exit 1",
        &["exit status 1", "␛[2Jlost the key to the model"],
    );
    check_breaks("yes error | head -n 100000 >&2; exit 1", &["error␊error"]);
    check_breaks("head -c 17000000 /dev/zero", &["longer than 16 MB"]);
    check_breaks("head -c 100 /dev/urandom; echo; exit 1", &["not JSON"]);
}

/// A command that writes its own number and that of a child to a file, then hangs.
fn hanging(file: &Path) -> String {
    format!(
        "trap '' TERM HUP; sleep 1000 & echo $$ $! > {0}.new; mv {0}.new {0}; cat > /dev/null; sleep 1000",
        file.display()
    )
}

fn alive(file: &Path) -> Vec<String> {
    let numbers = fs::read_to_string(file).unwrap();
    let state = |number: &str| fs::read_to_string(format!("/proc/{number}/stat")).ok();
    // A child that lost its parent is its new parent's to take note of: dead is enough for it.
    numbers
        .split_whitespace()
        .filter(|number| state(number).is_some_and(|stat| !stat.contains(") Z")))
        .map(str::to_owned)
        .collect()
}

#[test]
#[cfg(target_os = "linux")]
fn nothing_of_it_is_left() {
    let folder = tempfile::tempdir().unwrap();
    // Given up after a while, or stopped: either way it and its child are gone.
    for stopped in [false, true] {
        let file = folder.path().join(format!("numbers-{stopped}"));
        let timeout = Duration::from_secs(if stopped { 1000 } else { 2 });
        let stop = Arc::<AtomicBool>::default();
        let command = format!("command:{}", hanging(&file));
        let began = Instant::now();
        let played = std::thread::scope(|scope| {
            let played = scope.spawn(|| played_until(&command, Options { timeout, ..quick(None) }, &stop));
            while !file.exists() {
                assert!(began.elapsed() < Duration::from_secs(60));
                std::thread::yield_now();
            }
            stop.store(stopped, Ordering::SeqCst);
            played.join().unwrap()
        });
        assert_eq!(played.ended.reason, if stopped { EndReason::Stopped } else { EndReason::Error }, "{}", played.log);
        // Who is killed is gone a moment later.
        while !alive(&file).is_empty() {
            assert!(began.elapsed() < Duration::from_secs(60), "{:?} are left", alive(&file));
            std::thread::yield_now();
        }
        let own = fs::read_to_string(&file).unwrap().split(' ').next().unwrap().to_owned();
        assert!(!Path::new(&format!("/proc/{own}")).exists(), "a zombie is left");
    }
}

#[test]
fn what_it_is_told_and_what_it_says_may_be_long() {
    // It answers before it reads, with more than a pipe holds, and reads only then.
    let long = "x".repeat(300_000);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("line");
    fs::write(
        &file,
        json!({ "say": long, "calls": [{ "tool": "look_at_asset", "args": { "asset": "fan-3" } }] }).to_string() + "\n",
    )
    .unwrap();
    let played = script(&format!("cat {}; read -r a; read -r b; echo '{{\"calls\":[]}}'", file.display()));
    assert_eq!((played.ended.reason, played.of("message")[0]["text"].as_str()), (EndReason::Finished, Some(&*long)));
}
