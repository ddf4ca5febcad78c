//! What loading makes of valid files: variables, look-ups, gates, defaults, digests.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use refract::world::{Domain, Severity, SourceFile, Term, Tool, VarOrigin, World, load_domain, load_problem};

const DOMAIN: &str = include_str!("fixtures/small/domain/plant.json");
const PROBLEM: &str = include_str!("fixtures/small/problems/p1.json");

fn domain(text: &str) -> Arc<Domain> {
    let (domain, diagnostics) = load_domain(Arc::new(SourceFile::new("domain.json", text)));
    let errors: Vec<_> = diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| &d.message).collect();
    assert!(errors.is_empty(), "{errors:?}");
    Arc::new(domain.unwrap())
}

fn world(domain: &Arc<Domain>, text: &str) -> World {
    let (world, diagnostics) = load_problem(Arc::new(SourceFile::new("problem.json", text)), domain);
    world.unwrap_or_else(|| panic!("{:?}", diagnostics.iter().map(|d| &d.message).collect::<Vec<_>>()))
}

/// Names, types and origins of a tool's variables: `asset:pump param`.
fn vars(domain: &Domain, tool: &Tool) -> Vec<String> {
    tool.vars
        .iter()
        .map(|var| {
            let origin = match var.origin {
                VarOrigin::SelfRole => "self".to_owned(),
                VarOrigin::Param => "param".to_owned(),
                VarOrigin::Consumed(i) => format!("consumed {i}"),
                VarOrigin::Lookup(i) => format!("lookup {i}"),
                VarOrigin::Forall(i) => format!("forall {i}"),
            };
            format!("{}:{} {origin}", var.name, domain.types.name(var.ty))
        })
        .collect()
}

#[test]
fn variables() {
    let domain = domain(DOMAIN);
    let check = |tool: &str, expected: &[&str]| assert_eq!(vars(&domain, &domain.tools[tool]), expected);
    check("diagnose", &["self:role self", "asset:rotating param", "fault:fault lookup 0"]);
    check("replace", &["self:role self", "asset:rotating param", "p:pump forall 1"]);
    check("hand_over", &["self:role self", "asset:asset param", "to:role param"]);
}

/// The first precondition that can bind does, again and again; the file's order decides.
#[test]
fn lookups() {
    let check = |preconditions: &str, expected: &[(usize, &str)]| {
        let text = r#"{
            "version": 1, "name": "d", "types": {}, "constants": {"c": "object"}, "taxonomy": {"k": {}}, "roles": {},
            "predicates": {
                "f": {"params": {"a": "object", "b": "object"}, "functional": true},
                "g": {"params": {"a": "object", "b": "object"}, "functional": true},
                "n": {"params": {"a": "object"}, "functional": true},
                "p": {"params": {"a": "object", "b": "object"}}
            },
            "slots": {"s": {"params": {"a": "object"}, "doc": ""}},
            "tools": {"t": {"doc": "", "class": "k", "params": {"x": "object"}, "consumes": {"in": "s(?z)"}, "precondition": [PRE]}}
        }"#;
        let domain = domain(&text.replace("PRE", preconditions));
        let tool = &domain.tools["t"];
        let found: Vec<_> =
            tool.lookups.iter().map(|l| (l.condition, tool.vars[l.var.index()].name.as_str())).collect();
        assert_eq!(found, expected, "{preconditions}");
    };
    check(r#""f(?x, ?y)""#, &[(0, "y")]);
    check(r#""n(?y)""#, &[(0, "y")]);
    check(r#""f(?y, ?w)", "f(?x, ?y)""#, &[(1, "y"), (0, "w")]);
    // Both could bind ?y; the first of the file does, the other is a condition.
    check(r#""g(?x, ?y)", "f(?x, ?y)""#, &[(0, "y")]);
    // The first that can: after ?a is bound, condition 0 can, before condition 2 does.
    check(r#""g(?a, ?b)", "f(?x, ?a)", "f(c, ?b)""#, &[(1, "a"), (0, "b")]);
    check(r#""f(?z, ?y)", "p(?x, ?y)", "not p(?y, ?x)""#, &[(0, "y")]);
    check(r#""f(?b, ?a)", "f(?a, ?b)", "f(?x, ?a)""#, &[(2, "a"), (1, "b")]);
    check(r#""f(?x, ?self)", "f(?x, c)", "f(?x, ?x)""#, &[]);
}

#[test]
fn gates() {
    let domain = domain(DOMAIN);
    let check = |tool: &str, capability: Option<&str>, knowledge: Option<&str>| {
        let gates = domain.tools[tool].gates;
        let capability_name = gates.capability.map(|c| domain.capabilities.get_index(c.index()).unwrap().0.as_str());
        let knowledge_name = gates.knowledge.map(|k| domain.knowledge.get_index(k.index()).unwrap().0.as_str());
        assert_eq!((capability_name, knowledge_name), (capability, knowledge), "{tool}");
    };
    check("diagnose", Some("measure"), Some("hardware"));
    check("replace", Some("repair"), Some("hardware"));
    check("hand_over", None, None);
    let text = |to: &str| DOMAIN.replace("\"source\": \"manual\"", to);
    for (to, knowledge) in [
        ("\"source\": \"manual\", \"knowledge\": \"scheduling\"", Some("scheduling")),
        ("\"source\": \"manual\", \"knowledge\": null", None),
        ("\"source\": \"board\"", None),
        ("\"source\": \"board\", \"knowledge\": \"scheduling\"", Some("scheduling")),
    ] {
        let domain = self::domain(&text(to));
        let gates = domain.tools["replace"].gates;
        assert_eq!(gates.knowledge.map(|k| domain.knowledge.get_index(k.index()).unwrap().0.as_str()), knowledge);
    }
}

#[test]
fn routing_is_inherited() {
    let taxonomy = "\"route\": { \"routing\": true } }";
    let under = "\"route\": { \"under\": \"a\" }, \"a\": { \"under\": \"b\" }, \"b\": { \"routing\": true } }";
    for (to, routing) in [
        (taxonomy, true),
        (under, true),
        ("\"route\": { \"under\": \"a\", \"routing\": false }, \"a\": { \"routing\": true } }", false),
        ("\"route\": {} }", false),
    ] {
        assert_eq!(domain(&DOMAIN.replace(taxonomy, to)).tools["hand_over"].routing, routing, "{to}");
    }
}

#[test]
fn reveals_bind_params_alone() {
    let domain = domain(DOMAIN);
    let tool = &domain.tools["diagnose"];
    let asset = Some(Term::Var(tool.var("asset").unwrap()));
    let args: Vec<_> = tool.reveals.iter().map(|reveal| reveal.args.clone()).collect();
    // ?fault is a look-up, ?condition no variable at all: both match anything.
    assert_eq!(args, [vec![asset, None], vec![asset, None]]);
}

#[test]
fn defaults_fill_keys_without_a_value() {
    let world = world(&domain(DOMAIN), PROBLEM);
    let mut init: Vec<_> = world.problem.init.iter().map(|fact| world.fact_text(*fact)).collect();
    init.sort();
    let expected = [
        "fault(pump-101, bearing_wear)",
        "fault(valve-7, none_found)",
        "isolated(pump-101)",
        "status(pump-101, faulty)",
    ];
    assert_eq!(init, expected);
    assert!(world.problem.init.is_sorted());
}

#[test]
fn goals_and_given() {
    let domain = domain(DOMAIN);
    let world = world(&domain, PROBLEM);
    let perspective = &world.problem.perspectives[&domain.role_id("operator").unwrap()];
    let goal: Vec<Vec<_>> = perspective
        .goal
        .alternatives
        .iter()
        .map(|literals| literals.iter().map(|l| (l.text.as_str(), l.negated, l.fact.is_ok())).collect())
        .collect();
    let expected = vec![
        vec![("routed(pump-101, technician)", false, true)],
        vec![("work_order(valve-7)", false, true), ("pump-101 != valve-7", true, false)],
    ];
    assert_eq!(goal, expected);
    assert_eq!(
        perspective.given.iter().map(|f| world.fact_text(*f)).collect::<Vec<_>>(),
        ["diagnosis(pump-101, none_found)"]
    );
    assert_eq!(world.problem.given.iter().map(|f| world.fact_text(*f)).collect::<Vec<_>>(), ["work_order(pump-101)"]);
    assert_eq!(perspective.reference[0].args, r#"{"asset":"pump-101","to":"technician"}"#);
    assert_eq!(&PROBLEM[perspective.goal.alternatives[0][0].span.clone()], "routed(pump-101, technician)");
    let wide = &world.problem.toolsets["wide"];
    assert_eq!((wide.tools.len(), wide.offered.as_slice()), (3, &[true; 3][..]));
}

/// What cannot change an execution does not change a digest; all else does, the order of keys too.
#[test]
fn digests() {
    let check = |base: &str, from: &str, to: &str, same: bool, digest: &dyn Fn(&str) -> String| {
        assert!(base.contains(from), "{from}");
        assert_eq!(digest(base) == digest(&base.replacen(from, to, 1)), same, "{from} -> {to}");
    };
    let of_domain = |text: &str| domain(text).digest.clone();
    for (from, to, same) in [
        ("\"$schema\": \"../schemas/domain.json\", ", "", true),
        ("Take readings", "Read", true),
        ("Machine condition", "Machines", true),
        ("{asset} is locked out", "locked: {asset}", true),
        ("A signed finding.", "A finding.", true),
        ("Manuals", "Books", true),
        ("Name the fault.", "Say what is wrong.", true),
        ("The spectrum of {asset} points to {fault}.", "{fault}", true),
        ("Mends it.", "", true),
        ("\"name\": \"plant\"", "\"name\": \"plants\"", false),
        (
            "\"running\": \"condition\", \"faulty\": \"condition\"",
            "\"faulty\": \"condition\", \"running\": \"condition\"",
            false,
        ),
        ("\"default\": \"none_found\"", "\"default\": \"bearing_wear\"", false),
        ("isolated(?asset)\", \"not", "isolated( ?asset )\", \"not", false),
    ] {
        check(DOMAIN, from, to, same, &of_domain);
    }
    let domain = domain(DOMAIN);
    let of_problem = |text: &str| world(&domain, text).problem.digest.clone();
    for (from, to, same) in [
        ("A pump trips", "", true),
        ("P-101 is tripping again.", "Help.", true),
        ("You assist Mara.", "You assist Ilse.", true),
        ("\"budget\": 12,", "\"budget\": 12, \"notes\": [1, 2], \"provenance\": {\"a\": null},", true),
        ("\"persona\": \"You assist Mara.\",", "\"persona\": \"\", \"notes\": 1e999,", true),
        ("\"budget\": 12", "\"budget\": 13", false),
        ("\"id\": \"p1\"", "\"id\": \"p2\"", false),
        ("\"args\": { \"asset\": \"pump-101\" }", "\"args\": { \"asset\": \"pump-101\", \"doc\": 1 }", false),
    ] {
        check(PROBLEM, from, to, same, &of_problem);
    }
}

/// Sections named like skipped keys are names, and stay.
#[test]
fn names_like_keys_are_kept_in_digests() {
    let base = DOMAIN.replace("drained", "text");
    assert_ne!(
        domain(&base).digest,
        domain(&base.replace("\"text\": { \"text\"", "\"notes\": { \"text\"").replace("not text", "not notes")).digest
    );
}

#[test]
fn sources_without_doc_are_let_pass() {
    let text = DOMAIN.replace("{ \"doc\": \"A board\" }", "{}");
    let (domain, diagnostics) = load_domain(Arc::new(SourceFile::new("d.json", text)));
    assert!(domain.is_some());
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
}
