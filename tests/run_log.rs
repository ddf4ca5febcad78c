//! Reading run logs: what becomes of every line, whole or damaged (design §4).
#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;

use refract::run::{Log, RowId, RowKind};

const HEAD: &str = r#"{"type":"run","version":1,"id":"r","domain":"d","problem":"p","role":"ada"}"#;

/// A row in words: its kind, the step of a call, the line of its partner, and its marks.
fn row(log: &Log, id: RowId) -> String {
    let row = log.row(id).unwrap();
    let mut words = format!("{} {:?}", row.line(), row.kind).to_lowercase();
    if row.kind == RowKind::Call {
        write!(words, " {}", row.step()).unwrap();
    }
    if let Some(partner) = row.partner() {
        write!(words, " <> {}", log.row(partner).unwrap().line()).unwrap();
    }
    for (mark, holds) in [("late", row.late()), ("joins", row.joins())] {
        if holds {
            write!(words, " {mark}").unwrap();
        }
    }
    words
}

fn rows(log: &Log) -> Vec<String> {
    log.row_ids().map(|id| row(log, id)).collect()
}

fn damage(log: &Log) -> Vec<(usize, String)> {
    log.damage().map(|damage| (damage.line, damage.message)).collect()
}

/// Reads a log and compares rows and damages; an expected damage is a line and a part of the message.
#[track_caller]
fn check(text: impl AsRef<[u8]>, expected_rows: &[&str], expected_damage: &[(usize, &str)]) -> Log {
    let log = Log::read(text.as_ref().to_vec());
    assert_eq!(rows(&log), expected_rows);
    let found = damage(&log);
    let agrees = found.len() == expected_damage.len()
        && found.iter().zip(expected_damage).all(|((line, said), (at, part))| line == at && said.contains(part));
    assert!(agrees, "damage: {found:#?}\nexpected: {expected_damage:#?}");
    assert_eq!(log.damage_count(), found.len());
    for id in log.row_ids() {
        assert_eq!(log.damaged(id), !log.damage_of(id).is_empty());
    }
    log
}

/// Like [`check`], below a whole header on line 1.
#[track_caller]
fn check_below(lines: &[&str], rows: &[&str], damage: &[(usize, &str)]) -> Log {
    let text = format!("{HEAD}\n{}\n", lines.join("\n"));
    let rows: Vec<&str> = ["1 header"].iter().chain(rows).copied().collect();
    check(text, &rows, damage)
}

fn call(id: &str) -> String {
    format!(r#"{{"type":"call","id":"{id}","tool":"t","args":{{}}}}"#)
}

fn result(id: &str) -> String {
    format!(r#"{{"type":"result","call":"{id}","fired":true,"observation":"o {id}","added":["a({id})"]}}"#)
}

/// Calls and results in short: `c1 r1` is a call and its result.
#[track_caller]
fn check_pairs(short: &str, rows: &[&str], damage: &[(usize, &str)]) -> Log {
    let lines: Vec<String> = short
        .split(' ')
        .map(|word| match word.split_at(1) {
            ("c", id) => call(id),
            ("r", id) => result(id),
            ("e", _) => r#"{"type":"end","reason":"finished"}"#.to_owned(),
            _ => unreachable!("{word}"),
        })
        .collect();
    check_below(&lines.iter().map(String::as_str).collect::<Vec<_>>(), rows, damage)
}

#[test]
fn nothing_is_said_of_what_is_whole() {
    check(HEAD, &["1 header"], &[]);
    check(format!("{HEAD}\n"), &["1 header"], &[]);
    check(
        format!("\u{feff}{HEAD}\r\n\r\n  \t\n{{\"type\":\"end\",\"reason\":\"budget\"}}"),
        &["1 header", "4 end"],
        &[],
    );
    check_pairs("c1 r1 c2 r2 e", &["2 call 1 <> 3", "3 result <> 2", "4 call 2 <> 5", "5 result <> 4", "6 end"], &[]);
    let said =
        ["system", "user", "agent", "player"].map(|from| format!(r#"{{"type":"message","from":"{from}","text":""}}"#));
    check_below(&said.each_ref().map(String::as_str), &["2 message", "3 message", "4 message", "5 message"], &[]);
    check_below(
        &[r#"{"type":"note","kind":"hint","data":[1]}"#, r#"{"kind":"own","type":"note"}"#],
        &["2 note", "3 note"],
        &[],
    );
    check_below(&[r#"{"\u0074ype":"m\u0065ssage","from":"user","text":"x"}"#], &["2 message"], &[]);
    // What is null is not there.
    check_below(&[r#"{"type":"message","from":"user","text":"x","reasoning":null}"#], &["2 message"], &[]);
}

#[test]
fn lines_split_at_line_feeds_alone() {
    let odd = "{\"type\":\"message\",\"from\":\"user\",\"text\":\"a\u{2028}b\u{85}c\u{7f}\"}";
    let log = check_below(&[odd], &["2 message"], &[]);
    assert_eq!(log.message(RowId(1)).unwrap().text, "a\u{2028}b\u{85}c\u{7f}");
    // A carriage return between two values is white space, so this is one line with two values.
    check_below(&[&format!("{}\r{}", call("1"), call("2"))], &["2 broken"], &[(2, "not JSON")]);
}

#[test]
fn a_line_that_is_no_event_is_a_row() {
    check_below(
        &["not json", &call("1"), &result("1")],
        &["2 broken", "3 call 1 <> 4", "4 result <> 3"],
        &[(2, "not JSON, from column 2")],
    );
    check_below(&["{'a':1}"], &["2 broken"], &[(2, "not JSON, from column 2")]);
    check_below(&["{\"é\":1,}"], &["2 broken"], &[(2, "not JSON, from column 8")]);
    check_below(&["{\"a\":\"\t\"}"], &["2 broken"], &[(2, "not JSON")]);
    check_below(&["\0\0\0"], &["2 broken"], &[(2, "not JSON, from column 1")]);
    for text in ["[]", "5", "null", "\"type\"", "[{\"type\":\"end\"}]"] {
        check_below(&[text], &["2 broken"], &[(2, "not an object")]);
    }
    check_below(&["{\"type\":\"call\",\"id\""], &["2 broken"], &[(2, "cut short")]);
    for cut in ["{\"a\":-", "{\"a\":1e", "{\"a\":1.", "{\"a\":1E+", "{\"a\":tr", "{\"a\":\"\\u00"] {
        check_below(&[cut], &["2 broken"], &[(2, "cut short")]);
    }
    check_below(&["{\"a\":+"], &["2 broken"], &[(2, "not JSON, from column 6")]);
    check_below(&["[1,"], &["2 broken"], &[(2, "cut short")]);
    check(
        b"\xff\xfe\n".repeat(2),
        &["1 broken", "2 broken"],
        &[(1, "no header"), (1, "not UTF-8, from its byte 1"), (2, "not UTF-8")],
    );
    let bad = [HEAD.as_bytes(), b"\n{\"type\":\"message\",\"text\":\"ab\xe2\x82\"}\n", HEAD.as_bytes()].concat();
    check(bad, &["1 header", "2 broken", "3 header"], &[(2, "not UTF-8, from its byte 29"), (3, "second header")]);
}

#[test]
fn a_last_line_is_cut_short_only_if_it_is_not_whole() {
    let whole = format!("{HEAD}\n{}", call("é"));
    check(&whole, &["1 header", "2 call 1"], &[(2, "no result")]);
    for cut in 1..call("é").len() {
        let text = &whole.as_bytes()[..whole.len() - cut];
        check(text, &["1 header", "2 broken"], &[(2, "cut short")]);
    }
    check(&whole[..HEAD.len()], &["1 header"], &[]);
}

#[test]
fn events_that_are_not_known_or_come_twice() {
    check_below(&[r#"{"type":"what","id":"c"}"#], &["2 unknown"], &[(2, "type `what`")]);
    check_below(&[r#"{"type":7}"#], &["2 unknown"], &[(2, "type 7")]);
    check_below(&["{}"], &["2 unknown"], &[(2, "no `type`")]);
    let log = check_below(&[&HEAD.replace("ada", "ben")], &["2 header"], &[(2, "second header")]);
    assert_eq!(log.header().unwrap().role.as_deref(), Some("ada"));
    let ends = [r#"{"type":"end","reason":"budget"}"#, r#"{"type":"end","reason":"finished"}"#];
    let log = check_below(&ends, &["2 end", "3 end"], &[(3, "second end")]);
    assert_eq!(log.end_reason().as_deref(), Some("budget"));
    check_pairs(
        "c1 r1 e c2 r2",
        &["2 call 1 <> 3", "3 result <> 2", "4 end", "5 call 2 <> 6", "6 result <> 5"],
        &[(5, "after the end")],
    );
    check("", &[], &[(1, "no header")]);
    check(call("1") + "\n" + &result("1"), &["1 call 1 <> 2", "2 result <> 1"], &[(1, "no header")]);
    check("\n".to_owned() + HEAD, &["2 header"], &[]);
}

#[test]
fn the_nth_result_of_an_id_pairs_with_its_nth_call() {
    check_pairs("c1 r2", &["2 call 1", "3 result"], &[(2, "call `1` has no result"), (3, "no call `2`")]);
    check_pairs(
        "c1 c1 r1 r1",
        &["2 call 1 <> 4", "3 call 2 <> 5 joins", "4 result <> 2", "5 result <> 3"],
        &[(3, "earlier call"), (5, "earlier result")],
    );
    check_pairs("r1 c1", &["2 result <> 3", "3 call 1 <> 2"], &[]);
    let log = check_pairs(
        "r1 r1 c1 c1 c1",
        &["2 result <> 4", "3 result <> 5", "4 call 1 <> 2", "5 call 2 <> 3", "6 call 3"],
        &[(3, "earlier result"), (5, "earlier call"), (6, "earlier call"), (6, "no result")],
    );
    assert_eq!(log.result_of(2), Some(RowId(2)));
    assert_eq!(log.result_of(3), None);
    check_pairs("c1 r1 r1", &["2 call 1 <> 3", "3 result <> 2", "4 result"], &[(4, "earlier result"), (4, "no call")]);
    // Escapes do not make another id; different lone surrogates do.
    check_below(&[&call("\\u0061"), &result("a")], &["2 call 1 <> 3", "3 result <> 2"], &[]);
    check_below(
        &[&call("\\ud800"), &result("\\ud801")],
        &["2 call 1", "3 result"],
        &[(2, "no result"), (3, "no call")],
    );
}

#[test]
fn parallel_and_late_results_can_be_told() {
    let log = check_pairs(
        "c1 c2 r2 r1 c3 r3",
        &["2 call 1 <> 5", "3 call 2 <> 4 joins", "4 result <> 3", "5 result <> 2", "6 call 3 <> 7", "7 result <> 6"],
        &[],
    );
    assert_eq!([1, 2, 3].map(|step| log.group(step)), [1..3, 1..3, 3..4]);
    // The call 2 was sent when 1 was answered; the call 3 before 2 was; 2 is answered late, after 4.
    let log = check_pairs(
        "c1 r1 c2 c3 r3 c4 r2 r4",
        &[
            "2 call 1 <> 3",
            "3 result <> 2",
            "4 call 2 <> 8",
            "5 call 3 <> 6 joins",
            "6 result <> 5",
            "7 call 4 <> 9",
            "8 result <> 4 late",
            "9 result <> 7",
        ],
        &[],
    );
    assert_eq!([1, 2, 3, 4].map(|step| log.group(step)), [1..2, 2..4, 2..4, 4..5]);
    check_pairs("r1 c1 c2 r2", &["2 result <> 3", "3 call 1 <> 2", "4 call 2 <> 5", "5 result <> 4"], &[]);
}

#[test]
fn wrong_fields_are_named_and_lose_nothing() {
    // What an agent sent as tool and arguments is no fault of the log.
    for tool in ["5", "null", "{\"a\":1}", "\"t\""] {
        let log = check_below(
            &[&format!(r#"{{"type":"call","id":"c","tool":{tool},"args":7}}"#), &result("c")],
            &["2 call 1 <> 3", "3 result <> 2"],
            &[],
        );
        let call = log.call(RowId(1)).unwrap();
        assert_eq!((call.tool.get(), call.args.get()), (tool, "7"));
    }
    let log = check_below(
        &[r#"{"type":"call","id":"c"}"#, &result("c")],
        &["2 call 1 <> 3", "3 result <> 2"],
        &[(2, "`tool` is missing")],
    );
    assert_eq!(log.call(RowId(1)).unwrap().args.get(), "null");

    // An id that is no string is an id all the same; without one nothing can answer.
    check_below(
        &[r#"{"type":"call","id":7,"tool":"t"}"#, r#"{"type":"result","call":7,"fired":true}"#],
        &["2 call 1 <> 3", "3 result <> 2"],
        &[(2, "`id` is 7; it should be a string"), (3, "`call` is 7; it should be a string")],
    );
    check_below(
        &[r#"{"type":"call","tool":"t"}"#, r#"{"type":"result","fired":true}"#],
        &["2 call 1", "3 result"],
        &[(2, "`id` is missing"), (3, "`call` is missing")],
    );

    let odd = r#"{"type":"result","call":"c","fired":"yes","added":"x","removed":[1,"y"],"produced":null,"refusals":["no"],"observation":[]}"#;
    let log = check_below(
        &[&call("c"), odd],
        &["2 call 1 <> 3", "3 result <> 2"],
        &[(3, "`fired` is `yes`"), (3, "`refusals`"), (3, "`observation`"), (3, "`added`"), (3, "`removed`")],
    );
    let recorded = log.recorded(1).unwrap();
    assert_eq!(recorded.fired, None);
    assert_eq!(recorded.removed, ["1", "y"]);
    assert_eq!(recorded.observation.as_deref(), Some("[]"));
    assert_eq!(
        log.extra(RowId(2)).iter().map(|e| e.key.as_ref()).collect::<Vec<_>>(),
        ["fired", "added", "removed", "refusals", "observation"]
    );
    check_below(
        &[&call("c"), r#"{"type":"result","call":"c"}"#],
        &["2 call 1 <> 3", "3 result <> 2"],
        &[(3, "`fired` is missing")],
    );

    let log = check_below(
        &[
            r#"{"type":"message","from":"robot","text":["a"],"reasoning":1}"#,
            r#"{"type":"note"}"#,
            r#"{"type":"end","reason":"bored"}"#,
        ],
        &["2 message", "3 note", "4 end"],
        &[
            (2, "`from` is `robot`; it should be one of system, user"),
            (2, "`text`"),
            (2, "`reasoning` is 1"),
            (3, "`kind` is missing"),
            (4, "`reason` is `bored`"),
        ],
    );
    let message = log.message(RowId(1)).unwrap();
    assert_eq!((message.from.as_ref(), message.text.as_ref(), message.reasoning), ("robot", r#"["a"]"#, false));
    assert_eq!((log.end_reason().as_deref(), log.end()), (Some("bored"), None));
}

#[test]
fn a_header_is_used_as_far_as_it_goes() {
    let full = r#"{"type":"run","version":1,"id":"r","domain":"d","domain_digest":"ab","problem":"p","problem_digest":"cd","role":"ada","toolset":"wide","budget":12,"feedback":"named","agent":{"name":"a","model":"m","size":1},"seed":-7,"started":"2026-11-30T09:14:02Z","parent":{"run":"q","step":3},"mood":[1]}"#;
    let header = check(full, &["1 header"], &[]).header().unwrap();
    assert_eq!(
        (header.budget, header.toolset.as_deref(), header.started.as_deref()),
        (Some(12), Some("wide"), Some("2026-11-30T09:14:02Z"))
    );
    assert_eq!(header.feedback, Some(refract::exec::Feedback::Named));
    assert_eq!(header.agent.unwrap().model.as_deref(), Some("m"));
    assert_eq!(header.parent.map(|p| (p.run, p.step)), Some(("q".to_owned(), 3)));
    assert_eq!(header.seed.unwrap().to_string(), "-7");
    assert_eq!(header.extra["mood"].get(), "[1]");

    let odd = r#"{"type":"run","version":2,"id":5,"problem":"p","budget":-1,"feedback":"loud","agent":"a","parent":{"run":"q"},"seed":"x"}"#;
    let log = check(
        odd,
        &["1 header"],
        &[
            (1, "`version` is 2; it should be 1"),
            (1, "`id` is 5"),
            (1, "`domain` is missing"),
            (1, "`role` is missing"),
            (1, "`budget` is -1; it should be a whole number"),
            (1, "`feedback` is `loud`; it should be one of hidden, named, bare"),
            (1, "`agent` is `a`"),
            (1, "`seed`"),
            (1, "`parent` is"),
        ],
    );
    let header = log.header().unwrap();
    assert_eq!((header.problem.as_deref(), header.id, header.budget), (Some("p"), None, None));
    assert_eq!(log.extra(RowId(0)).len(), 7);
}

#[test]
fn arguments_are_kept_as_they_were_sent() {
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    for args in [
        deep.as_str(),
        r#"{"a":1e999,"b":-0.00000000000000000000000000001}"#,
        r#"{"a":"\ud800","\udfff":1}"#,
        r#"{"a":1,"a":2}"#,
        "\"{}\"",
        "{ \"a\" : [ ] }",
    ] {
        let line = format!(r#"{{"type":"call","args":{args},"id":"c","tool":"t"}}"#);
        let log = check_below(&[&line, &result("c")], &["2 call 1 <> 3", "3 result <> 2"], &[]);
        assert_eq!(log.call(RowId(1)).unwrap().args.get(), args);
    }
}

#[test]
fn of_a_key_that_stands_twice_the_last_counts_and_the_others_are_shown() {
    let log = check_below(&[r#"{"type":"message","from":"user","text":"a","odd":1,"text":"b"}"#], &["2 message"], &[]);
    assert_eq!(log.message(RowId(1)).unwrap().text, "b");
    let extra = log.extra(RowId(1));
    assert_eq!(
        extra.iter().map(|e| (e.key.as_ref(), e.value.get())).collect::<Vec<_>>(),
        [("text", "\"a\""), ("odd", "1")]
    );
    let log = check_below(&[r#"{"type":"odd","text":"a"}"#], &["2 unknown"], &[(2, "type `odd`")]);
    assert_eq!(log.extra(RowId(1)).len(), 2);
}

#[test]
fn reasons_are_read_whether_known_or_not() {
    let line = r#"{"type":"result","call":"c","fired":false,"refusals":[{"reason":"capability","needs":"repair"},{"reason":"new","x":[1]},{"reason":3}],"observation":"no"}"#;
    let log = check_below(&[&call("c"), line], &["2 call 1 <> 3", "3 result <> 2"], &[]);
    let recorded = log.recorded(1).unwrap();
    assert_eq!(recorded.fired, Some(false));
    let reasons: Vec<_> = recorded.refusals.iter().map(|r| r.reason.as_deref()).collect();
    assert_eq!(reasons, [Some("capability"), Some("new"), None]);
    assert_eq!(recorded.refusals[1].json.get(), r#"{"reason":"new","x":[1]}"#);
    assert_eq!(recorded.observation.as_deref(), Some("no"));
}
