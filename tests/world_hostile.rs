//! No bytes make the loader panic, hang, or lose a fault.
#![allow(clippy::unwrap_used)]

use std::sync::{Arc, LazyLock};

use proptest::prelude::*;
use refract::world::{Diagnostic, Domain, Severity, SourceFile, load_domain, load_problem, render};

const DOMAIN: &str = include_str!("fixtures/small/domain/plant.json");
const PROBLEM: &str = include_str!("fixtures/small/problems/p1.json");

fn plant() -> Arc<Domain> {
    static PLANT: LazyLock<Arc<Domain>> =
        LazyLock::new(|| Arc::new(load_domain(Arc::new(SourceFile::new("plant.json", DOMAIN))).0.unwrap()));
    PLANT.clone()
}

/// Loads bytes as a domain and as a problem; whatever they are, the answers are consistent.
fn load(bytes: &[u8], domain: &Arc<Domain>) -> Vec<Diagnostic> {
    let file = Arc::new(SourceFile::from_bytes("file.json", bytes));
    let (loaded, mut all) = load_domain(file.clone());
    assert_eq!(loaded.is_none(), all.iter().any(|d| d.severity == Severity::Error));
    let (loaded, faults) = load_problem(file.clone(), domain);
    assert_eq!(loaded.is_none(), faults.iter().any(|d| d.severity == Severity::Error));
    assert!(faults.is_sorted_by_key(|d| d.span.start));
    all.extend(faults);
    for d in &all {
        assert!(d.span.start <= d.span.end && d.span.end <= file.text.len(), "{:?} {}", d.span, d.message);
        assert!(file.text.is_char_boundary(d.span.start) && file.text.is_char_boundary(d.span.end), "{}", d.message);
    }
    let text = render(&all, false);
    let acts = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    assert!(!text.chars().any(acts), "{text:?}");
    all
}

/// Bits and pieces that get near the grammar.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("\"".to_owned()),
        Just("\\u001b[2J".to_owned()),
        Just("\u{202e}\u{9b}\x1b".to_owned()),
        Just("not ".to_owned()),
        Just("?self".to_owned()),
        Just("null".to_owned()),
        Just("{}".to_owned()),
        Just("[]".to_owned()),
        Just("-1e999".to_owned()),
        "[{}\\[\\],:\"a-z?()=! 0-9\\\\]{0,6}",
        "\\PC{0,3}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn arbitrary_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        load(&bytes, &plant());
    }

    #[test]
    fn mutated_files(
        problem in any::<bool>(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), 0usize..20, piece()), 1..4),
    ) {
        let mut bytes = if problem { PROBLEM } else { DOMAIN }.as_bytes().to_vec();
        for (at, length, piece) in edits {
            let at = at.index(bytes.len() + 1);
            let end = (at + length).min(bytes.len());
            bytes.splice(at..end, piece.bytes());
        }
        load(&bytes, &plant());
    }

    /// A string of the file replaced: the JSON stays sound, so that the fault is found further in.
    #[test]
    fn mutated_strings(problem in any::<bool>(), at in any::<prop::sample::Index>(), piece in piece()) {
        let base = if problem { PROBLEM } else { DOMAIN };
        let parts: Vec<&str> = base.split('"').collect();
        let at = at.index(parts.len() / 2) * 2 + 1;
        let piece = serde_json::to_string(&piece).unwrap();
        let text = [&parts[..at].join("\""), &piece[..], &parts[at + 1..].join("\"")].concat();
        let faults = load(text.as_bytes(), &plant());
        prop_assert!(faults.iter().all(|d| d.code != "json-syntax"));
    }

    /// What we take for JSON is what others take for JSON.
    #[test]
    fn json_agrees_with_serde(text in "[{}\\[\\],:\"'a-ztrue0-9.eE+\\-\\\\/\u{a0}\t\n #]{0,12}") {
        let (_, faults) = load_domain(Arc::new(SourceFile::new("t", text.clone())));
        let ours = faults.iter().all(|d| d.code != "json-syntax");
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        prop_assert_eq!(ours, theirs, "{:?}", text);
    }
}

#[test]
fn cut_at_every_byte() {
    let domain = plant();
    for cut in 0..PROBLEM.trim_end().len() {
        let (world, faults) = load_problem(Arc::new(SourceFile::from_bytes("p", &PROBLEM.as_bytes()[..cut])), &domain);
        assert!(world.is_none() && !faults.is_empty(), "{cut}");
    }
}

fn codes(bytes: &[u8]) -> Vec<(&'static str, usize, usize)> {
    let (_, faults) = load_domain(Arc::new(SourceFile::from_bytes("f", bytes)));
    faults
        .iter()
        .map(|d| {
            let at = d.file.position(d.span.start);
            (d.code, at.line, at.column)
        })
        .collect()
}

#[test]
fn bytes_and_brackets() {
    assert_eq!(codes(b""), [("json-syntax", 1, 1)]);
    assert_eq!(codes(b" \n "), [("json-syntax", 1, 1)]);
    assert_eq!(codes(b"[]"), [("wrong-type", 1, 1)]);
    // A byte order mark is let pass, and counts for no column.
    assert_eq!(codes(b"\xef\xbb\xbf[]"), [("wrong-type", 1, 1)]);
    assert_eq!(codes(b"\xef\xbb\xbf"), [("json-syntax", 1, 1)]);
    let bom = [b"\xef\xbb\xbf", DOMAIN.as_bytes()].concat();
    assert_eq!(codes(&bom), []);
    // Columns are characters, not bytes.
    assert_eq!(codes("{\"漢字\": ,}".as_bytes()), [("json-syntax", 1, 8)]);
    assert_eq!(codes(b"\n{\"a\xff\": 1"), [("not-utf8", 2, 4)]);
    let deep = "[".repeat(100_000);
    assert_eq!(codes(deep.as_bytes()), [("json-syntax", 1, 101)]);
    let deep = "{\"a\":".repeat(100_000);
    assert_eq!(codes(deep.as_bytes()), [("json-syntax", 1, 501)]);
    let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
    assert_eq!(codes(deep.as_bytes()), [("wrong-type", 1, 1)]);
}

#[test]
fn not_utf8_still_finds_other_faults() {
    let text = DOMAIN.replace("Mends it.", "Mends \u{1}it.").replace("\"version\": 1", "\"version\": 3");
    let bytes: Vec<u8> = text.bytes().map(|b| if b == 1 { 0xff } else { b }).collect();
    let codes: Vec<_> = codes(&bytes).into_iter().map(|(code, ..)| code).collect();
    assert_eq!(codes, ["version", "not-utf8"]);
}

/// Sizes that would blow tables up are faults, not crashes; thousands of faults are all reported.
#[test]
fn sizes() {
    let many = |n: usize, item: &dyn Fn(usize) -> String| (0..n).map(item).collect::<Vec<_>>().join(",");
    let types = many(3000, &|i| format!("\"t{i}\": \"object\""));
    let text = DOMAIN.replace("\"types\": {", &format!("\"types\": {{ {types},"));
    let found = codes(text.as_bytes());
    assert_eq!(found[0].0, "too-many");

    let domain = plant();
    let objects = many(3000, &|i| format!("\"o{i}\": \"pump\""));
    let text = PROBLEM.replace("\"objects\": {", &format!("\"objects\": {{ {objects},"));
    let domain_text = DOMAIN
        .replace("\"drained\": {", "\"near\": { \"params\": { \"a\": \"asset\", \"b\": \"asset\" } }, \"drained\": {");
    let wide = Arc::new(load_domain(Arc::new(SourceFile::new("d", domain_text))).0.unwrap());
    let file = Arc::new(SourceFile::new("p", text));
    assert!(load_problem(file.clone(), &domain).0.is_some());
    let (world, faults) = load_problem(file, &wide);
    assert!(world.is_none());
    assert_eq!(faults.iter().map(|d| d.code).collect::<Vec<_>>(), ["too-many"]);

    let init = many(5_000, &|i| format!("\"isolated(pump-{i})\""));
    let text = PROBLEM.replace("\"init\": [", &format!("\"init\": [ {init},"));
    let (_, faults) = load_problem(Arc::new(SourceFile::new("p", text)), &domain);
    assert_eq!(faults.len(), 5_000 - 1, "all but pump-101");

    // Look-ups that each wait for the next, and thousands of free variables: no more than linear work.
    let chain = many(5_000, &|i| format!("\"fault2(?v{}, ?v{i})\"", i + 1));
    let text = DOMAIN
        .replace(
            "\"drained\": {",
            "\"fault2\": { \"params\": { \"a\": \"asset\", \"b\": \"asset\" }, \"functional\": true }, \"drained\": {",
        )
        .replace(
            "[\"fault(?asset, ?fault)\"]",
            &format!("[{chain}, \"fault2(?asset, ?v5000)\", \"fault(?asset, ?fault)\"]"),
        );
    let (domain, faults) = load_domain(Arc::new(SourceFile::new("d", text.clone())));
    assert_eq!(faults.len(), 0);
    assert_eq!(domain.unwrap().tools["diagnose"].lookups.len(), 5_002);
    let (_, faults) = load_domain(Arc::new(SourceFile::new("d", text.replace("fault2(?asset, ?v5000)", "drained"))));
    assert_eq!(faults.len(), 5_001, "each variable once");
}

/// A `forall` over many variables is cheap to write and would take for ever to run.
#[test]
fn a_forall_of_too_many_cases_is_a_fault() {
    let domain = r#"{"version": 1, "name": "d", "types": {}, "taxonomy": {"act": {}}, "predicates": {"p": {}},
        "roles": {"r": {"capabilities": [], "knowledge": []}, "s": {"capabilities": [], "knowledge": []}},
        "tools": {"t": {"doc": "Acts.", "class": "act",
            "effect": [{"forall": {"a": "object", "b": "object", "c": "object", "e": "object"}, "then": ["p"]}]}}}"#;
    let (domain, faults) = load_domain(Arc::new(SourceFile::new("d", domain)));
    let domain = Arc::new(domain.unwrap_or_else(|| panic!("{faults:#?}")));
    let load = |count: usize| {
        let objects: Vec<String> = (0..count).map(|i| format!("\"o{i}\": \"object\"")).collect();
        let text = format!(
            r#"{{"version": 1, "id": "x", "domain": "d", "query": "?", "objects": {{{}}}, "init": [], "toolsets": {{"wide": "all"}},
                "budget": 2, "perspectives": {{"r": {{"persona": "", "goal": ["p"], "reference": [{{"tool": "t", "args": {{}}}}]}}}}}}"#,
            objects.join(",")
        );
        let (_, faults) = load_problem(Arc::new(SourceFile::new("p", text)), &domain);
        faults.iter().map(|d| d.code).collect::<Vec<_>>()
    };
    // With the two roles: 16^4 cases fit, 17^4 do not.
    assert_eq!(load(14), Vec::<&str>::new());
    assert_eq!(load(15), ["too-many"]);
}
