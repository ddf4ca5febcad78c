//! Every fault of a file is found, at its place, under its code.
//!
//! Each case changes one place of a valid file. `‸` marks where a diagnostic must point.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use refract::world::{Diagnostic, Domain, SourceFile, load_domain, load_problem};

const DOMAIN: &str = include_str!("fixtures/small/domain/plant.json");
const PROBLEM: &str = include_str!("fixtures/small/problems/p1.json");

/// Takes the marks out of a text: lines and columns from 1.
fn marks(text: &str) -> (String, Vec<(usize, usize)>) {
    let (mut clean, mut places, mut line, mut column) = (String::new(), Vec::new(), 1, 1);
    for c in text.chars() {
        match c {
            '‸' => {
                places.push((line, column));
                continue;
            }
            '\n' => (line, column) = (line + 1, 1),
            _ => column += 1,
        }
        clean.push(c);
    }
    (clean, places)
}

fn found(diagnostics: &[Diagnostic]) -> Vec<(String, usize, usize)> {
    diagnostics
        .iter()
        .map(|d| {
            let at = d.file.position(d.span.start);
            (d.code.to_owned(), at.line, at.column)
        })
        .collect()
}

fn changed(base: &str, from: &str, to: &str) -> String {
    assert_eq!(base.matches(from).count(), 1, "{from} must stand once");
    base.replacen(from, to, 1)
}

fn domain() -> Arc<Domain> {
    let (domain, diagnostics) = load_domain(Arc::new(SourceFile::new("plant.json", DOMAIN)));
    assert_eq!(found(&diagnostics), []);
    Arc::new(domain.unwrap())
}

fn check(cases: &[(&str, &str, &str)], base: &str, load: impl Fn(Arc<SourceFile>) -> Vec<Diagnostic>) {
    let mut wrong = Vec::new();
    for (from, to, codes) in cases {
        let (text, places) = marks(&changed(base, from, to));
        let codes: Vec<&str> = codes.split_whitespace().collect();
        assert_eq!(codes.len(), places.len(), "marks and codes of {to}");
        let expected: Vec<_> =
            codes.into_iter().zip(places).map(|(code, (line, column))| (code.to_owned(), line, column)).collect();
        let diagnostics = load(Arc::new(SourceFile::new("case.json", text)));
        let found = found(&diagnostics);
        if found != expected {
            let messages: Vec<_> = diagnostics.iter().map(|d| (&d.message, &d.help)).collect();
            wrong.push(format!("{to}\n  expected {expected:?}\n  found    {found:?}\n  {messages:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn in_domain(cases: &[(&str, &str, &str)]) {
    check(cases, DOMAIN, |file| {
        let (domain, diagnostics) = load_domain(file);
        assert_eq!(domain.is_some(), diagnostics.is_empty());
        diagnostics
    });
}

fn in_problem(cases: &[(&str, &str, &str)]) {
    let domain = domain();
    check(cases, PROBLEM, |file| {
        let (world, diagnostics) = load_problem(file, &domain);
        assert_eq!(world.is_some(), diagnostics.is_empty());
        diagnostics
    });
}

#[test]
fn the_bases_are_valid() {
    in_domain(&[("A board", "A board", "")]);
    in_problem(&[("Mara", "Mara", "")]);
}

#[test]
fn json_is_strict() {
    in_domain(&[
        ("\"version\": 1,", "\"version\": 1, ‸// one", "json-syntax"),
        ("\"version\": 1,", "\"version\": 1, ‸/* one */", "json-syntax"),
        ("\"version\": 1,", "‸version: 1,", "json-syntax"),
        ("\"version\": 1,", "‸'version': 1,", "json-syntax"),
        ("\"version\": 1,", "\"version\": 1‸", "json-syntax"),
        ("\"version\": 1,", "\"version\": ‸0x1,", "json-syntax"),
        ("\"version\": 1,", "\"version\": ‸+1,", "json-syntax"),
        ("\"version\": 1,", "\"version\": 0‸1,", "json-syntax"),
        ("\"version\": 1,", "\"version\": ‸1.,", "json-syntax"),
        ("\"version\": 1,", "\"version\": ‸.1,", "json-syntax"),
        ("\"version\": 1,", "\"version\": ‸NaN,", "json-syntax"),
        ("\"version\": 1,", "\"version\": ‸-Infinity,", "json-syntax"),
        ("\"version\": 1,", "\"version\": ‸one,", "json-syntax"),
        ("\"version\": 1,", "\"version\":‸,", "json-syntax"),
        ("\"version\": 1,", "\"version\" ‸1,", "json-syntax"),
        ("\"version\": 1,", "\"version\":‸\u{a0}1,", "json-syntax"),
        ("\"version\": 1,", "\"version\":‸\u{b}1,", "json-syntax"),
        ("Name the fault.", "Name‸\tthe fault.", "json-syntax"),
        ("Name the fault.", "Name‸\nthe fault.", "json-syntax"),
        ("Name the fault.", "Name ‸\\x41 fault.", "json-syntax"),
        ("Name the fault.", "Name ‸\\v fault.", "json-syntax"),
        ("Name the fault.", "Name ‸\\ud800 fault.", "json-syntax"),
        ("\"knowledge\": [\"hardware\"]", "\"knowledge\": [\"hardware\"‸,]", "json-syntax"),
        ("[\"measure\", \"repair\"]", "[\"measure\"‸ \"repair\"]", "json-syntax"),
        ("[\"measure\", \"repair\"]", "[\"measure\", ‸, \"repair\"]", "json-syntax"),
        ("[\"hardware\"] }\n  }\n}", "[\"hardware\"] }\n  }‸,\n}", "json-syntax"),
        ("[\"hardware\"] }\n  }\n}", "[\"hardware\"] }\n  }\n} ‸{}", "json-syntax"),
    ]);
}

#[test]
fn shapes() {
    in_domain(&[
        (
            "{\n  \"$schema\": \"../schemas/domain.json\", \"version\": 1,\n  \"name\"",
            "‸{\n  \"$schema\": \"../schemas/domain.json\", \"version\": 1,\n  \"‸nam\"",
            "missing-key unknown-key",
        ),
        ("\"name\": \"plant\"", "\"name\": ‸\"\"", "empty"),
        ("\"version\": 1", "\"version\": ‸2", "version"),
        ("\"version\": 1", "\"version\": ‸1.0", "version"),
        ("\"version\": 1", "\"version\": ‸\"1\"", "wrong-type"),
        ("\"version\": 1,", "\"version\": 1, \"‸version\": 1,", "duplicate-key"),
        ("\"$schema\": \"../schemas/domain.json\"", "\"$schema\": ‸5", "wrong-type"),
        ("{ \"doc\": \"A board\" }", "‸\"A board\"", "wrong-type"),
        ("\"functional\": true, \"default\"", "\"functional\": ‸\"yes\", \"default\"", "wrong-type"),
        ("\"doc\": \"Mends it.\", \"capabilities\"", "\"‸docs\": \"Mends it.\", \"capabilities\"", "unknown-key"),
        ("\"knowledge\": [\"hardware\"]", "\"knowledge\": ‸null", "wrong-type"),
        ("\"capability\": \"repair\"", "\"capability\": ‸null", "wrong-type"),
        ("{ \"doc\": \"Runs the plant.\", \"capabilities\": [],", "‸{ \"doc\": \"Runs the plant.\",", "missing-key"),
        ("{\n      \"doc\": \"Name the fault.\", \"class\": \"observe\",", "‸‸{\n", "missing-key missing-key"),
        (
            "{ \"forall\": { \"p\": \"pump\" }, \"when\": [\"?p != ?asset\"], \"then\"",
            "‸{ \"forall\": { \"p\": \"pump\" }, \"when\": [\"?p != ?asset\"], \"‸them\"",
            "missing-key unknown-key",
        ),
        ("[\"routed(?asset, ?to)\"]", "[‸7]", "wrong-type"),
        ("[\"routed(?asset, ?to)\"]", "‸\"routed(?asset, ?to)\"", "wrong-type"),
        (
            "\"params\": { \"asset\": \"asset\", \"to\": \"role\" },\n      \"pre",
            "\"params\": ‸[],\n      \"pre",
            "wrong-type",
        ),
    ]);
    in_problem(&[
        ("\"budget\": 12", "\"budget\": ‸0", "wrong-type"),
        ("\"budget\": 12", "\"budget\": ‸-3", "wrong-type"),
        ("\"budget\": 12", "\"budget\": ‸12.0", "wrong-type"),
        ("\"budget\": 12", "\"budget\": ‸99999999999999999999999999999999", "wrong-type"),
        ("\"budget\": 12", "\"budget\": ‸\"12\"", "wrong-type"),
        ("\"id\": \"p1\"", "\"id\": ‸\"\"", "empty"),
        ("\"wide\": \"all\"", "\"wide\": ‸\"every\"", "wrong-type"),
        ("{ \"narrow\": [\"diagnose\", \"replace\", \"hand_over\"], \"wide\": \"all\" }", "‸{}", "empty"),
        ("[\"status(pump-101, repaired)\", \"not drained\"]", "‸[]", "empty"),
        ("[\"status(pump-101, repaired)\", \"not drained\"]", "‸\"drained\"", "wrong-type"),
        ("{ \"any\": [[\"routed(pump-101, technician)\"], [", "{ \"any\": [‸[], [", "empty"),
        (
            "{ \"any\": [[\"routed(pump-101, technician)\"], [\"work_order(valve-7)\", \"pump-101 != valve-7\"]] }",
            "{ \"any\": ‸[] }",
            "empty",
        ),
        (
            "[{ \"tool\": \"hand_over\", \"args\": { \"asset\": \"pump-101\", \"to\": \"technician\" } }]",
            "‸[]",
            "empty",
        ),
        ("{ \"asset\": \"pump-101\", \"to\": \"technician\" } }]", "‸\"pump-101\" }]", "wrong-type"),
        (
            "{\n      \"persona\": \"You assist Ilse.\",",
            "‸{\n      \"‸person\": \"You assist Ilse.\",",
            "missing-key unknown-key",
        ),
    ]);
}

#[test]
fn names() {
    in_domain(&[
        ("\"rotating\": \"asset\"", "\"rotating\": \"‸asst\"", "unknown-type"),
        ("\"asset\": \"object\", \"rot", "\"‸asset\": \"pump\", \"rot", "cycle"),
        ("\"asset\": \"object\", \"rot", "\"‸asset\": \"asset\", \"rot", "cycle"),
        (
            "\"condition\": \"object\", \"fault\": \"object\"",
            "\"condition\": \"object\", \"‸role\": \"object\", \"fault\": \"object\"",
            "reserved-name",
        ),
        (
            "\"condition\": \"object\", \"fault\": \"object\"",
            "\"condition\": \"object\", \"‸object\": \"object\", \"fault\": \"object\"",
            "reserved-name",
        ),
        ("\"types\": {", "\"types\": { \"a‸ b\": \"object\",", "bad-name"),
        ("\"types\": {", "\"types\": { \"‸_a\": \"object\",", "bad-name"),
        ("\"types\": {", "\"types\": { ‸\"\": \"object\",", "bad-name"),
        ("\"types\": {", "\"types\": { \"caf‸é\": \"object\",", "bad-name"),
        ("\"running\": \"condition\"", "\"running\": \"‸conditon\"", "unknown-type"),
        ("\"running\": \"condition\"", "\"running\": \"‸role\"", "type-mismatch"),
        ("\"running\": \"condition\"", "\"‸not\": \"condition\"", "reserved-name"),
        ("\"operator\": { \"doc\"", "\"‸faulty\": { \"doc\"", "name-taken"),
        ("\"slots\": {", "\"slots\": { \"‸isolated\": { \"doc\": \"\" },", "name-taken"),
        ("\"default\": \"none_found\"", "\"default\": \"‸none_fund\"", "unknown-object"),
        ("\"default\": \"none_found\"", "\"default\": \"‸faulty\"", "type-mismatch"),
        ("\"functional\": true, \"default\": \"none_found\"", "\"default\": \"‸none_found\"", "not-functional"),
        ("\"drained\": { \"text\"", "\"‸drained\": { \"functional\": true, \"text\"", "no-params"),
        ("{asset} is locked out", "{‸aset} is locked out", "unknown-placeholder"),
        ("{asset} is locked out", "‸{asset is locked out", "bad-placeholder"),
        ("{asset} is locked out", "{asset} is‸} locked out", "bad-placeholder"),
        ("{asset} is locked out", "{{{asset}}} is {{locked}} out", ""),
        ("points to {fault}", "points to {‸condition}", "unknown-placeholder"),
        ("points to {fault}", "points to {self}", ""),
        ("{ \"knowledge\": \"hardware\", \"doc\"", "{ \"knowledge\": \"‸hard\", \"doc\"", "unknown-knowledge"),
        ("\"under\": \"observe\"", "\"under\": \"‸obsrve\"", "unknown-class"),
        ("\"observe\": {}", "\"‸observe\": { \"under\": \"retrieve\" }", "cycle"),
        ("\"class\": \"intervene\"", "\"class\": \"‸intervine\"", "unknown-class"),
        ("\"capability\": \"repair\"", "\"capability\": \"‸mend\"", "unknown-capability"),
        ("\"source\": \"manual\"", "\"source\": \"‸handbook\"", "unknown-source"),
        ("\"source\": \"manual\"", "\"source\": \"manual\", \"knowledge\": \"‸hw\"", "unknown-knowledge"),
        ("\"source\": \"manual\"", "\"source\": \"manual\", \"knowledge\": null", ""),
        ("[\"measure\", \"repair\"]", "[\"‸measures\", \"repair\"]", "unknown-capability"),
        ("\"hand_over\": {", "\"‸finish\": {", "reserved-name"),
        ("\"hand_over\": {", "\"hand‸ over\": {", "bad-name"),
    ]);
    in_problem(&[
        ("\"domain\": \"plant\"", "\"domain\": \"‸plan\"", "unknown-domain"),
        ("\"valve-7\": \"asset\"", "\"valve-7\": \"‸valve\"", "unknown-type"),
        ("\"valve-7\": \"asset\"", "\"valve-7\": \"asset\", \"x\": \"‸role\"", "type-mismatch"),
        ("\"valve-7\": \"asset\"", "\"valve-7\": \"asset\", \"‸faulty\": \"asset\"", "name-taken"),
        ("\"valve-7\": \"asset\"", "\"valve-7\": \"asset\", \"‸operator\": \"asset\"", "name-taken"),
        ("\"wide\": \"all\"", "\"wide\": [\"‸diagnos\"]", "unknown-tool"),
        ("{ \"tool\": \"hand_over\"", "{ \"tool\": \"‸hand_ver\"", "unknown-tool"),
        ("\"operator\": {", "\"‸manager\": {", "unknown-role"),
    ]);
}

#[test]
fn literals() {
    in_domain(&[
        ("isolated(?asset)\", \"not drained", "isolated‸()\", \"not drained", "literal-syntax"),
        ("isolated(?asset)\", \"not drained", "isolated(‸? asset)\", \"not drained", "literal-syntax"),
        ("isolated(?asset)\", \"not drained", "isolated(?asset‸\", \"not drained", "literal-syntax"),
        ("isolated(?asset)\", \"not drained", "isolated(?asset) ‸x\", \"not drained", "literal-syntax"),
        ("isolated(?asset)\", \"not drained", "‸?asset\", \"not drained", "literal-syntax"),
        ("isolated(?asset)\", \"not drained", "‸\", \"not drained", "literal-syntax"),
        ("isolated(?asset)\", \"not drained", "‸is_solated(?asset)\", \"not drained", "unknown-predicate"),
        ("isolated(?asset)\", \"not drained", "‸isolated\", \"not drained", "wrong-arity"),
        ("isolated(?asset)\", \"not drained", "‸isolated(?asset, faulty)\", \"not drained", "wrong-arity"),
        ("isolated(?asset)\", \"not drained", "isolated(‸?aset)\", \"not drained", "free-variable"),
        ("isolated(?asset)\", \"not drained", "isolated(‸faulty)\", \"not drained", "type-mismatch"),
        ("isolated(?asset)\", \"not drained", "isolated(‸?self)\", \"not drained", "type-mismatch"),
        ("isolated(?asset)\", \"not drained", " isolated ( ?asset ) \", \"not drained", ""),
        ("isolated(?asset)\", \"not drained", "\\u0069solated(?asset)\", \"not drained", ""),
        ("isolated(?asset)\", \"not drained", "‸\\u0069solated(?aset)\", \"not drained", "free-variable"),
        ("isolated(?asset)\", \"not drained", "work_order(?asset)\", \"not drained", ""),
        ("\"not drained\"", "\"‸not\"", "literal-syntax"),
        ("\"not drained\"", "\"‸not(drained)\"", "literal-syntax"),
        ("\"not drained\"", "\"not ‸not drained\"", "literal-syntax"),
        ("\"?to != ?self\"", "\"‸not ?to = ?self\"", "literal-syntax"),
        ("\"?to != ?self\"", "\"?to ‸== ?self\"", "literal-syntax"),
        ("\"?to != ?self\"", "\"?to ‸! ?self\"", "literal-syntax"),
        ("\"?to != ?self\"", "\"?to != ‸?slf\"", "free-variable"),
        ("\"?to != ?self\"", "\"?to != ‸operater\"", "unknown-object"),
        ("\"status(?asset, repaired)\"", "\"‸work_order(?asset)\"", "not-a-predicate"),
        ("\"status(?asset, repaired)\"", "\"‸?asset = ?asset\"", "not-an-atom"),
        ("\"status(?asset, repaired)\"", "\"status(?asset, ‸bearing_wear)\"", "type-mismatch"),
        ("\"status(?asset, repaired)\"", "\"status(?asset, repaired)\", \"‸status(?asset, faulty)\"", "two-values"),
        (
            "\"status(?asset, repaired)\"",
            "{ \"then\": [\"status(?asset, repaired)\", \"‸status(?asset, faulty)\"] }",
            "two-values",
        ),
        (
            "\"status(?asset, repaired)\"",
            "\"status(?asset, repaired)\", { \"when\": [\"drained\"], \"then\": [\"status(?asset, faulty)\"] }",
            "",
        ),
        ("\"status(?asset, repaired)\"", "\"status(?asset, repaired)\", \"not status(?asset, faulty)\"", ""),
        ("{ \"p\": \"pump\" }", "{ \"p\": \"‸pmp\" }", "unknown-type"),
        ("{ \"p\": \"pump\" }", "{ \"p\": \"pump\", \"‸asset\": \"pump\" }", "name-taken"),
        ("{ \"p\": \"pump\" }", "{ \"p\": \"pump\", \"‸self\": \"pump\" }", "reserved-name"),
        ("\"not isolated(?p)\"", "\"not isolated(?p)\"] }, \"not isolated(‸?p)\", { \"then\": [", "free-variable"),
        ("[\"diagnosis(?asset, ?fault)\"]", "[\"‸isolated(?asset)\"]", "not-a-slot"),
        ("[\"diagnosis(?asset, ?fault)\"]", "[\"‸diagnose(?asset, ?fault)\"]", "unknown-slot"),
        ("[\"diagnosis(?asset, ?fault)\"]", "[\"diagnosis(?asset, ‸?cause)\"]", "free-variable"),
        ("[\"diagnosis(?asset, ?fault)\"]", "[\"‸not diagnosis(?asset, ?fault)\"]", "literal-syntax"),
        ("\"work_order(?asset)\" }", "\"work_order(‸faulty)\" }", "type-mismatch"),
        ("\"finding\": \"diag", "\"‸asset\": \"diag", "name-taken"),
        ("\"finding\": \"diag", "\"‸self\": \"diag", "reserved-name"),
        ("\"status(?asset, ?condition)\"]", "\"status(?asset, ‸fixed)\"]", "unknown-object"),
        ("\"status(?asset, ?condition)\"]", "\"status(?other, ?condition)\"]", ""),
    ]);
    in_problem(&[
        ("\"isolated(pump-101)\"]", "\"isolated(‸pump-102)\"]", "unknown-object"),
        ("\"isolated(pump-101)\"]", "\"isolated(‸?p)\"]", "free-variable"),
        ("\"isolated(pump-101)\"]", "\"‸not isolated(pump-101)\"]", "literal-syntax"),
        ("\"isolated(pump-101)\"]", "\"‸work_order(pump-101)\"]", "not-a-predicate"),
        ("\"isolated(pump-101)\"]", "\"‸status(pump-101, running)\"]", "two-values"),
        ("\"isolated(pump-101)\"]", "\"status(pump-101,faulty)\"]", ""),
        ("[\"work_order(pump-101)\"]", "[\"‸isolated(pump-101)\"]", "not-a-slot"),
        ("[\"work_order(pump-101)\"]", "[\"‸work_oder(pump-101)\"]", "unknown-slot"),
        ("[\"diagnosis(pump-101, none_found)\"]", "[\"diagnosis(pump-101, ‸running)\"]", "type-mismatch"),
        ("\"not drained\"", "\"not drained\", \"‸status( pump-101,repaired )\"", "duplicate-literal"),
        ("\"not drained\"", "\"not drained\", \"drained\"", ""),
        ("\"pump-101 != valve-7\"", "\"pump-101 != ‸valve-8\"", "unknown-object"),
        ("\"pump-101 != valve-7\"", "\"‸not pump-101 = valve-7\"", "literal-syntax"),
    ]);
}

#[test]
fn all_faults_are_reported_in_file_order() {
    in_domain(&[(
        "\"predicates\": {",
        "\"predicates\": {
            \"a\": { \"params\": { \"x\": \"‸nothing\" }, \"‸txt\": 1, \"text\": \"{‸y}\" },
            \"b\": ‸3,
            \"c\": { \"functional\": ‸1 },",
        "unknown-type unknown-key unknown-placeholder wrong-type wrong-type",
    )]);
    in_problem(&[(
        "\"goal\": [\"status(pump-101, repaired)\", \"not drained\"],",
        "\"goal\": [\"status(‸pump-1, ‸faulted)\", \"not ‸draned\", \"‸\"], \"‸goal\": [], \"‸x\": {},",
        "unknown-object unknown-object unknown-predicate literal-syntax duplicate-key unknown-key",
    )]);
}

#[test]
fn a_fault_silences_what_follows() {
    in_domain(&[
        // The whole section is gone: nothing says that its names are unknown.
        (
            "\"capabilities\": { \"measure\": \"Take readings\", \"repair\": \"Carry out a repair\" }",
            "\"capabilities\": ‸3",
            "wrong-type",
        ),
        // A misspelled look-up: what it would have bound is not free.
        (
            "\"precondition\": [\"fault(?asset, ?fault)\"]",
            "\"precondition\": [\"‸falt(?asset, ?fault)\"]",
            "unknown-predicate",
        ),
        (
            "\"precondition\": [\"fault(?asset, ?fault)\"]",
            "\"precondition\": [\"fault(?asset, ?fault‸\"]",
            "literal-syntax",
        ),
        // A type that is not known fits everywhere.
        (
            "\"params\": { \"asset\": \"rotating\" },\n      \"consumes\"",
            "\"params\": { \"asset\": \"‸rotting\" },\n      \"consumes\"",
            "unknown-type",
        ),
        ("\"pump\": \"rotating\"", "\"pump\": \"‸rotate\"", "unknown-type"),
    ]);
}
