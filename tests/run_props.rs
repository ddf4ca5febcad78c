//! What holds for every log: nothing intact is lost, and how the bytes come does not matter.
#![allow(clippy::unwrap_used)]

use std::collections::HashMap;
use std::sync::LazyLock;

use proptest::prelude::*;
use refract::exec::{ArgumentProblem, Feedback, Json, Refusal};
use refract::run::{Agent, EndReason, Event, Header, Log, Outcome, Parent, RowId, RowKind, Speaker, Writer};

static SCHEMA: LazyLock<jsonschema::Validator> =
    LazyLock::new(|| jsonschema::validator_for(&refract::run::schema()).unwrap());

/// A log with every kind of line, whole and damaged, ids that come twice, and text of many widths.
const EVERYTHING: &str = concat!(
    "\u{feff}{\"type\":\"run\",\"version\":1,\"id\":\"r\",\"domain\":\"d\",\"problem\":\"p\",\"role\":\"ada\"}\r\n",
    "{\"type\":\"message\",\"from\":\"agent\",\"text\":\"é 漢字 👩‍🔧 \\ud83d\",\"reasoning\":true}\n",
    "{\"type\":\"call\",\"id\":\"a\",\"tool\":\"t\",\"args\":{\"x\":[1e999,{\"y\":\"}\"}]}}\n",
    "{\"type\":\"call\",\"id\":\"a\",\"tool\":\"u\"}\n",
    "\n",
    "not json\n",
    "{\"type\":\"result\",\"call\":\"a\",\"fired\":true,\"added\":[\"f(a)\"]}\n",
    "{\"type\":\"result\",\"call\":\"b\",\"fired\":false,\"refusals\":[{\"reason\":\"capability\",\"needs\":\"c\"}]}\n",
    "{\"type\":\"odd\"}\n",
    "{\"type\":\"call\",\"id\":\"b\",\"tool\":null,\"args\":\"x\"}\n",
    "{\"type\":\"note\",\"kind\":\"hint\",\"data\":{}}\n",
    "[1]\n",
    "{\"type\":\"end\",\"reason\":\"finished\"}\n",
    "{\"type\":\"call\",\"id\":\"c\",\"tool\":\"t\",\"args\":{}}"
);

/// Everything that can be asked of a log, as text; asking must not panic.
fn everything(log: &Log) -> String {
    let mut out = format!("{:?} {:?} {:?} {:?}\n", log.header(), log.end_reason(), log.steps(), log.damage_count());
    for damage in log.damage() {
        out += &format!("{damage:?}\n");
    }
    for id in log.row_ids() {
        out += &format!("{:?} {:?} {:?}\n", log.row(id), log.raw_text(id), log.extra(id));
        out += &format!("{:?} {:?} {:?} {:?}\n", log.call(id), log.message(id), log.note(id), log.result(id));
    }
    for step in 0..=log.steps() + 1 {
        out += &format!("{:?} {:?} {:?}\n", log.group(step), log.call_of(step), log.recorded(step));
    }
    out
}

#[test]
fn a_log_cut_at_any_byte_keeps_every_whole_event() {
    let bytes = EVERYTHING.as_bytes();
    let whole = Log::read(bytes.to_vec());
    let base = bytes.as_ptr() as usize;
    let lines: Vec<(usize, usize)> = EVERYTHING
        .split('\n')
        .map(|line| line.trim_start_matches('\u{feff}'))
        .map(|line| (line.as_ptr() as usize - base, line.as_ptr() as usize - base + line.trim_end().len()))
        .collect();
    // Within the BOM there is no line yet, only a cut character.
    for cut in [0].into_iter().chain(3..=bytes.len()) {
        let log = Log::read(bytes[..cut].to_vec());
        for id in whole.row_ids() {
            let row = whole.row(id).unwrap();
            let (start, end) = lines[row.line() - 1];
            if end <= cut {
                assert_eq!(log.row(id).map(|r| (r.kind, r.line())), Some((row.kind, row.line())), "cut at {cut}");
                assert_eq!(log.raw(id), whole.raw(id), "cut at {cut}");
            } else if start < cut {
                let damage = log.damage_of(id);
                assert_eq!(log.row(id).map(|r| r.kind), Some(RowKind::Broken), "cut at {cut}");
                let not_json = row.kind == RowKind::Broken && row.line() == 6;
                assert!(not_json || damage[0].message.contains("cut short"), "cut at {cut}: {damage:?}");
            } else {
                assert_eq!(log.row(id), None, "cut at {cut}");
            }
        }
    }
}

/// One line of a log, often a call or result of one of three ids.
fn line() -> impl Strategy<Value = String> {
    let id = prop_oneof![Just("\"a\""), Just("\"b\""), Just("\"\\u0061\""), Just("7")];
    prop_oneof![
        6 => id.clone().prop_map(|id| format!(r#"{{"type":"call","id":{id},"tool":"t","args":{{}}}}"#)),
        6 => id.prop_map(|id| format!(r#"{{"type":"result","call":{id},"fired":true}}"#)),
        1 => Just(r#"{"type":"end","reason":"finished"}"#.to_owned()),
        1 => Just(r#"{"type":"run","version":1,"id":"r","domain":"d","problem":"p","role":"ada"}"#.to_owned()),
        1 => Just(r#"{"type":"message","from":"agent","text":"é"}"#.to_owned()),
        1 => prop_oneof![Just("{"), Just(""), Just("\r"), Just("[]"), Just("x"), Just("{\"type\":\"what\"}")].prop_map(str::to_owned),
    ]
}

fn text() -> impl Strategy<Value = String> {
    (prop::collection::vec(line(), 0..24), prop_oneof![Just(""), Just("\n")])
        .prop_map(|(lines, end)| lines.join("\n") + end)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn how_the_bytes_come_does_not_matter(
        text in text(),
        chunks in prop::collection::vec((0_usize..60, 0_usize..5, any::<bool>()), 0..40),
    ) {
        let mut log = Log::new();
        let mut rest = text.as_bytes();
        for (size, budget, finish) in chunks {
            let (chunk, later) = rest.split_at(size.min(rest.len()));
            log.append(chunk);
            rest = later;
            log.index_some(budget);
            if finish {
                log.finish();
            }
        }
        log.append(rest);
        log.finish();
        prop_assert_eq!(everything(&log), everything(&Log::read(text.into_bytes())));
    }

    #[test]
    fn a_beginning_is_completed_by_the_whole(text in text(), cut in any::<prop::sample::Index>(), other in any::<u8>()) {
        let bytes = text.clone().into_bytes();
        let begun = || {
            let mut log = Log::from_bytes(bytes[..cut.index(bytes.len() + 1)].to_vec());
            log.finish();
            log
        };
        let mut log = begun();
        prop_assert!(log.complete(bytes.clone()));
        log.finish();
        prop_assert_eq!(everything(&log), everything(&Log::read(bytes.clone())));

        let mut changed = bytes.clone();
        let mut log = begun();
        let before = everything(&log);
        if !log.is_empty() {
            changed[0] = changed[0].wrapping_add(other.max(1));
            prop_assert!(!log.complete(changed));
            prop_assert_eq!(everything(&log), before);
        }
    }

    #[test]
    fn pairs_are_the_nth_of_each(text in text()) {
        let log = Log::read(text.into_bytes());
        // By the definition: for each id its calls and its results, in order.
        let mut ids: HashMap<String, [Vec<RowId>; 2]> = HashMap::new();
        for id in log.row_ids() {
            let event: serde_json::Value = serde_json::from_slice(log.raw(id)).unwrap_or_default();
            let (key, list) = match event["type"].as_str() {
                Some("call") => ("id", 0),
                Some("result") => ("call", 1),
                _ => continue,
            };
            ids.entry(event[key].to_string()).or_default()[list].push(id);
        }
        for [calls, results] in ids.values() {
            for n in 0..calls.len().max(results.len()) {
                let (call, result) = (calls.get(n).copied(), results.get(n).copied());
                if let Some(call) = call {
                    prop_assert_eq!(log.row(call).unwrap().partner(), result);
                    prop_assert!(log.damaged(call) || result.is_some() && n == 0);
                }
                if let Some(result) = result {
                    prop_assert_eq!(log.row(result).unwrap().partner(), call);
                }
            }
        }
    }

    #[test]
    fn groups_are_calls_before_any_result_of_theirs(text in text()) {
        let log = Log::read(text.into_bytes());
        let call = |step| log.call_of(step).unwrap();
        let mut step = 1;
        while step <= log.steps() {
            let group = log.group(step);
            prop_assert_eq!(group.start, step);
            let first_result = group.clone().filter_map(|s| log.result_of(s)).min();
            for member in group.clone().skip(1) {
                prop_assert_eq!(log.group(member), group.clone());
                prop_assert!(first_result.is_none_or(|result| result > call(member)));
            }
            // The group is as long as it can be.
            if group.end <= log.steps() {
                let came = first_result.is_some_and(|result| result < call(group.end));
                prop_assert!(came || log.result_of(group.end).is_some_and(|result| result < call(group.end)));
            }
            step = group.end;
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        everything(&Log::read(bytes));
    }

    #[test]
    fn no_change_to_a_log_makes_it_panic(changes in prop::collection::vec((0_usize..1200, any::<u8>(), any::<bool>()), 1..8)) {
        let mut bytes = EVERYTHING.as_bytes().to_vec();
        for (at, byte, insert) in changes {
            let at = at % bytes.len();
            if insert { bytes.insert(at, byte) } else { bytes[at] = byte }
        }
        everything(&Log::read(bytes));
    }

}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(events in prop::collection::vec(event(), 0..20)) {
        let mut writer = Writer::new(Vec::new());
        let header = Event::Run(Box::new(header()));
        for event in std::iter::once(&header).chain(&events) {
            writer.write(event).unwrap();
        }
        let bytes = writer.into_inner();
        for line in bytes.split(|b| *b == b'\n').filter(|line| !line.is_empty()) {
            // What only a log can hold (1e999, lone surrogates) cannot be checked against a schema.
            let Ok(value) = serde_json::from_slice(line) else { continue };
            prop_assert!(SCHEMA.is_valid(&value), "{value}");
        }
        let log = Log::read(bytes);
        prop_assert_eq!(log.rows().len(), events.len() + 1);
        for (id, event) in log.row_ids().skip(1).zip(&events) {
            match event {
                Event::Run(_) => unreachable!(),
                Event::Message { from, text, reasoning } => {
                    let read = log.message(id).unwrap();
                    prop_assert_eq!((read.from.as_ref(), read.text.as_ref(), read.reasoning), (from.word(), text.as_str(), *reasoning));
                }
                Event::Call { id: name, tool, args } => {
                    let read = log.call(id).unwrap();
                    prop_assert_eq!(read.id.as_deref(), Some(name.as_str()));
                    prop_assert_eq!(read.tool.get(), tool.as_str());
                    prop_assert_eq!(read.args.get(), args.as_str().replace('\n', " "));
                }
                Event::Result(outcome) => {
                    let read = log.result(id).unwrap();
                    prop_assert_eq!(read.fired, Some(outcome.fired));
                    prop_assert_eq!(read.observation.as_deref(), Some(outcome.observation.as_str()));
                    prop_assert_eq!(read.added, outcome.added.clone());
                    prop_assert_eq!(read.removed, outcome.removed.clone());
                    prop_assert_eq!(read.produced, outcome.produced.clone());
                    let refusals: Vec<_> = read.refusals.iter().map(|r| r.json.get().to_owned()).collect();
                    let written: Vec<_> = outcome.refusals.iter().map(|r| serde_json::to_string(r).unwrap()).collect();
                    prop_assert_eq!(refusals, written);
                }
                Event::Note { kind, data } => {
                    let read = log.note(id).unwrap();
                    prop_assert_eq!((read.kind.as_ref(), read.data.get()), (kind.as_str(), data.as_str()));
                }
                Event::End { .. } => prop_assert_eq!(log.row(id).unwrap().kind, RowKind::End),
            }
            prop_assert!(log.extra(id).is_empty());
        }
        prop_assert_eq!(format!("{:?}", log.header().unwrap()), format!("{:?}", self::header()));
    }
}

fn header() -> Header {
    Header {
        version: Some(1),
        id: Some("r\n\"1\"".to_owned()),
        domain: Some("d".to_owned()),
        problem: Some("p".to_owned()),
        role: Some("ada".to_owned()),
        toolset: Some("wide".to_owned()),
        budget: Some(u64::MAX),
        feedback: Some(Feedback::Bare),
        agent: Some(Agent { name: Some("a".to_owned()), model: None }),
        seed: Some(7.into()),
        started: Some("2026-11-30T09:14:02Z".to_owned()),
        parent: Some(Parent { run: "q".to_owned(), step: 0 }),
        extra: [("mood".to_owned(), serde_json::value::to_raw_value("good").unwrap())].into_iter().collect(),
        ..Header::default()
    }
}

fn refusal() -> impl Strategy<Value = Refusal> {
    prop_oneof![
        Just(Refusal::UnknownTool { tool: Json::new("5") }),
        ".*".prop_map(|tool| Refusal::NotOffered { tool }),
        Just(Refusal::BadArgument {
            argument: None,
            problem: ArgumentProblem::NotAnObject,
            value: Some(Json::new("[]")),
            expects: None
        }),
        ".*".prop_map(|literal| Refusal::Precondition { literal }),
        Just(Refusal::NotProduced {
            argument: "a".into(),
            value: "s(x)".into(),
            expects: "s(?y)".into(),
            matches: false
        }),
        Just(Refusal::Conflict { key: "f(x)".into(), values: vec!["a".into(), "b".into()] }),
        ".*".prop_map(|needs| Refusal::Capability { needs }),
        ".*".prop_map(|needs| Refusal::Knowledge { needs }),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let speaker = prop_oneof![Just(Speaker::System), Just(Speaker::User), Just(Speaker::Agent), Just(Speaker::Player)];
    let json = prop_oneof![
        Just("{}"),
        Just("{\n  \"a\": [1,\n 2]}"),
        Just("\"x\\n\""),
        Just("null"),
        Just("1e999"),
        Just("\"\\ud800\"")
    ];
    let reason = prop_oneof![
        Just(EndReason::Finished),
        Just(EndReason::Budget),
        Just(EndReason::Stopped),
        Just(EndReason::Error)
    ];
    let texts = || prop::collection::vec(".*", 0..3);
    prop_oneof![
        (speaker, "(?s).*", any::<bool>()).prop_map(|(from, text, reasoning)| Event::Message { from, text, reasoning }),
        (".*", ".*", json).prop_map(|(id, tool, args)| Event::Call {
            id,
            tool: Json::string(&tool),
            args: Json::new(args)
        }),
        (any::<bool>(), ".*", "(?s).*", prop::collection::vec(refusal(), 0..3), texts(), texts(), texts()).prop_map(
            |(fired, call, observation, refusals, added, removed, produced)| {
                Event::Result(Box::new(Outcome { call, fired, refusals, observation, added, removed, produced }))
            }
        ),
        ".*".prop_map(|kind| Event::Note { kind, data: Json::new("{\"tokens\":12}") }),
        reason.prop_map(|reason| Event::End { reason }),
    ]
}
