//! The firing rule once more, from design.md alone: on strings and sets, slow and plain. It shares
//! no code with the crate, so that the two can be held against each other.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

type Env = BTreeMap<String, String>;

/// A world as its two files say it.
pub struct Oracle {
    domain: Value,
    problem: Value,
    /// Constants, roles and objects with their types.
    symbols: BTreeMap<String, String>,
}

/// True facts and slot values in hand, in canonical print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    pub facts: BTreeSet<String>,
    pub values: BTreeSet<String>,
}

/// What a call did.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    Fired { added: Vec<String>, removed: Vec<String>, produced: Vec<String> },
    Refused(Vec<Value>),
}

#[derive(Debug, Clone)]
struct Atom {
    name: String,
    args: Vec<String>,
}

#[derive(Debug, Clone)]
enum Body {
    Atom(Atom),
    Equal(String, String),
}

#[derive(Debug, Clone)]
struct Literal {
    negated: bool,
    body: Body,
}

impl Oracle {
    pub fn new(domain: &str, problem: &str) -> Self {
        let (domain, problem): (Value, Value) =
            (serde_json::from_str(domain).unwrap(), serde_json::from_str(problem).unwrap());
        let mut symbols = BTreeMap::new();
        for section in [&domain["constants"], &problem["objects"]] {
            symbols.extend(members(section).map(|(name, ty)| (name.clone(), text(ty))));
        }
        symbols.extend(members(&domain["roles"]).map(|(name, _)| (name.clone(), "role".to_owned())));
        Oracle { domain, problem, symbols }
    }

    /// `init`, defaults where it is silent, what is given to all and to this role.
    pub fn start(&self, role: &str) -> Facts {
        let mut facts: BTreeSet<String> = texts(&self.problem["init"]).map(|t| atom(&t).print(&Env::new())).collect();
        for (name, predicate) in members(&self.domain["predicates"]) {
            let Some(default) = predicate["default"].as_str() else { continue };
            let types: Vec<String> = members(&predicate["params"]).map(|(_, ty)| text(ty)).collect();
            let (_, key_types) = types.split_last().unwrap();
            for mut args in self.products(key_types) {
                let key = Atom { name: name.clone(), args: args.clone() };
                if !facts.iter().any(|fact| atom(fact).is_value_of(&key)) {
                    args.push(default.to_owned());
                    facts.insert(Atom { name: name.clone(), args }.print(&Env::new()));
                }
            }
        }
        let own = &self.problem["perspectives"][role]["given"];
        let values = texts(&self.problem["given"]).chain(texts(own)).map(|t| atom(&t).print(&Env::new())).collect();
        Facts { facts, values }
    }

    /// Literals held by the best alternative, and of how many.
    pub fn goal(&self, role: &str, now: &Facts) -> Option<(usize, usize)> {
        let goal = self.problem["perspectives"].get(role)?.get("goal")?;
        let alternatives = match goal.get("any") {
            Some(any) => any.as_array().unwrap().clone(),
            None => vec![goal.clone()],
        };
        let mut best: Option<(usize, usize)> = None;
        for alternative in &alternatives {
            let literals: Vec<Literal> = texts(alternative).map(|t| literal(&t)).collect();
            let held = literals.iter().filter(|l| self.holds(l, &Env::new(), now)).count();
            let share = (held, literals.len());
            if best.is_none_or(|b| share.0 * b.1 > b.0 * share.1) {
                best = Some(share);
            }
        }
        best
    }

    /// Makes a call; the state changes if it fires.
    pub fn call(&self, role: &str, toolset: &str, now: &mut Facts, tool: &Value, args: &Value) -> Verdict {
        let Some(definition) = tool.as_str().and_then(|name| self.domain["tools"].get(name)) else {
            return Verdict::Refused(vec![json!({"reason": "unknown_tool", "tool": tool})]);
        };
        let mut reasons = Vec::new();
        let offered = &self.problem["toolsets"][toolset];
        if offered != "all" && !texts(offered).any(|name| *tool == name) {
            reasons.push(json!({"reason": "not_offered", "tool": tool}));
        }
        let bad = self.bad_arguments(definition, args);
        let mut after = None;
        if bad.is_empty() {
            after = self.conditions(role, definition, args, now, &mut reasons);
        }
        reasons.extend(bad);
        let role = &self.domain["roles"][role];
        let lacks = |set: &str, gate: &str| !texts(&role[set]).any(|has| has == gate);
        if let Some(gate) = definition["capability"].as_str().filter(|gate| lacks("capabilities", gate)) {
            reasons.push(json!({"reason": "capability", "needs": gate}));
        }
        let knowledge = match definition.get("knowledge") {
            Some(own) => own.as_str(),
            None => {
                definition["source"].as_str().and_then(|source| self.domain["sources"][source]["knowledge"].as_str())
            }
        };
        if let Some(gate) = knowledge.filter(|gate| lacks("knowledge", gate)) {
            reasons.push(json!({"reason": "knowledge", "needs": gate}));
        }
        match after {
            Some(after) if reasons.is_empty() => {
                let minus = |a: &BTreeSet<String>, b: &BTreeSet<String>| a.difference(b).cloned().collect();
                let verdict = Verdict::Fired {
                    added: minus(&after.facts, &now.facts),
                    removed: minus(&now.facts, &after.facts),
                    produced: minus(&after.values, &now.values),
                };
                *now = after;
                verdict
            }
            _ => Verdict::Refused(reasons),
        }
    }

    fn bad_arguments(&self, tool: &Value, args: &Value) -> Vec<Value> {
        let Some(sent) = args.as_object() else {
            return vec![json!({"reason": "bad_argument", "argument": null, "problem": "not_an_object",
                               "value": args, "expects": "an object"})];
        };
        let bad = |name: &str, problem: &str, value: Option<&Value>, expects: Option<String>| {
            let mut reason = Map::new();
            reason.insert("reason".into(), "bad_argument".into());
            reason.insert("argument".into(), name.into());
            reason.insert("problem".into(), problem.into());
            value.and_then(|value| reason.insert("value".into(), value.clone()));
            expects.and_then(|expects| reason.insert("expects".into(), expects.into()));
            Value::Object(reason)
        };
        let mut reasons = Vec::new();
        for (name, ty) in members(&tool["params"]) {
            let ty = text(ty);
            let problem = match sent.get(name) {
                None => "missing",
                Some(value) => match value.as_str().and_then(|object| self.symbols.get(object)) {
                    None => "unknown_object",
                    Some(own) if !self.under(own, &ty) => "wrong_type",
                    Some(_) => continue,
                },
            };
            reasons.push(bad(name, problem, sent.get(name), Some(ty)));
        }
        for (name, pattern) in members(&tool["consumes"]) {
            let problem = match sent.get(name) {
                None => "missing",
                Some(value) if value.as_str().is_some_and(|value| self.is_slot_value(value)) => continue,
                Some(_) => "not_a_slot_value",
            };
            reasons.push(bad(name, problem, sent.get(name), Some(atom(&text(pattern)).print(&Env::new()))));
        }
        let declared = |name: &str| tool["params"].get(name).is_some() || tool["consumes"].get(name).is_some();
        for (name, value) in sent.iter().filter(|(name, _)| !declared(name)) {
            reasons.push(bad(name, "unexpected", Some(value), None));
        }
        reasons
    }

    /// Preconditions, inputs, conflict; the state after, as far as it can be known.
    fn conditions(&self, role: &str, tool: &Value, args: &Value, now: &Facts, out: &mut Vec<Value>) -> Option<Facts> {
        let mut env = Env::from([("self".to_owned(), role.to_owned())]);
        let mut known = BTreeSet::from(["self".to_owned()]);
        for (name, _) in members(&tool["params"]) {
            env.insert(name.clone(), text(&args[name]));
            known.insert(name.clone());
        }
        let mut inputs = Vec::new();
        for (name, pattern) in members(&tool["consumes"]) {
            let (pattern, value) = (atom(&text(pattern)), atom(&text(&args[name])));
            let expects = pattern.print(&env);
            let matches = match matched(&pattern, &value, &env) {
                Some(more) => {
                    env = more;
                    true
                }
                None => false,
            };
            known.extend(pattern.args.iter().filter_map(|arg| Some(arg.strip_prefix('?')?.to_owned())));
            let value = value.print(&Env::new());
            if !matches || !now.values.contains(&value) {
                inputs.push(json!({"reason": "not_produced", "argument": name, "value": value,
                                   "expects": expects, "matches": matches}));
            }
        }

        let preconditions: Vec<Literal> = texts(&tool["precondition"]).map(|t| literal(&t)).collect();
        let binds = self.binders(&preconditions, known);
        for (index, var) in &binds {
            let Body::Atom(lookup) = &preconditions[*index].body else { unreachable!() };
            let mut key = lookup.clone();
            key.args.pop();
            if key.args.iter().any(|arg| arg.strip_prefix('?').is_some_and(|v| !env.contains_key(v))) {
                continue;
            }
            let key = atom(&key.print(&env));
            if let Some(fact) = now.facts.iter().map(|fact| atom(fact)).find(|fact| fact.is_value_of(&key)) {
                env.insert(var.clone(), fact.args.last().unwrap().clone());
            }
        }
        for (index, condition) in preconditions.iter().enumerate() {
            let open: Vec<String> = condition.vars().into_iter().filter(|var| !env.contains_key(var)).collect();
            let unmet = match open.as_slice() {
                [] => !self.holds(condition, &env, now),
                // Its own look-up found nothing.
                [var] => binds.contains(&(index, var.clone())),
                _ => false,
            };
            if unmet {
                out.push(json!({"reason": "precondition", "literal": condition.print(&env)}));
            }
        }
        out.extend(inputs);
        self.effects(tool, &env, now, out)
    }

    /// Which precondition binds which variable: again and again the first that can.
    fn binders(&self, preconditions: &[Literal], mut known: BTreeSet<String>) -> Vec<(usize, String)> {
        let mut binds = Vec::new();
        loop {
            let found = preconditions.iter().enumerate().find_map(|(index, condition)| {
                let Literal { negated: false, body: Body::Atom(atom) } = condition else { return None };
                if self.domain["predicates"][&atom.name]["functional"] != true {
                    return None;
                }
                let (last, key) = atom.args.split_last()?;
                let is_known = |arg: &String| arg.strip_prefix('?').is_none_or(|var| known.contains(var));
                (!is_known(last) && key.iter().all(is_known)).then(|| (index, last[1..].to_owned()))
            });
            let Some((index, var)) = found else { return binds };
            known.insert(var.clone());
            binds.push((index, var));
        }
    }

    fn effects(&self, tool: &Value, env: &Env, now: &Facts, out: &mut Vec<Value>) -> Option<Facts> {
        let (mut adds, mut deletes) = (Vec::new(), Vec::new());
        for effect in tool["effect"].as_array().into_iter().flatten() {
            let (forall, when, then) = match effect.as_str() {
                Some(plain) => (Vec::new(), Vec::new(), vec![literal(plain)]),
                None => {
                    let list = |key: &str| texts(&effect[key]).map(|t| literal(&t)).collect();
                    let forall = members(&effect["forall"]).map(|(var, ty)| (var.clone(), text(ty))).collect();
                    (forall, list("when"), list("then"))
                }
            };
            let (vars, types): (Vec<String>, Vec<String>) = forall.into_iter().unzip();
            let mut used = when.iter().chain(&then).flat_map(Literal::vars);
            if used.any(|var| !vars.contains(&var) && !env.contains_key(&var)) {
                return None;
            }
            for values in self.products(&types) {
                let mut env = env.clone();
                env.extend(vars.iter().cloned().zip(values));
                if when.iter().all(|condition| self.holds(condition, &env, now)) {
                    for change in &then {
                        let Body::Atom(atom) = &change.body else { unreachable!() };
                        if change.negated { &mut deletes } else { &mut adds }.push(atom.print(&env));
                    }
                }
            }
        }
        let mut keys: Vec<String> = Vec::new();
        let mut given: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for added in adds.iter().map(|fact| atom(fact)).filter(|fact| self.is_functional(&fact.name)) {
            let (value, key) = added.args.split_last().unwrap();
            let key = Atom { name: added.name.clone(), args: key.to_vec() }.print(&Env::new());
            if !keys.contains(&key) {
                keys.push(key.clone());
            }
            given.entry(key).or_default().insert(value.clone());
        }
        for key in keys.iter().filter(|key| given[*key].len() > 1) {
            out.push(json!({"reason": "conflict", "key": key, "values": given[key]}));
        }
        let mut after = now.clone();
        deletes.iter().for_each(|fact| {
            after.facts.remove(fact);
        });
        for fact in adds {
            let mut key = atom(&fact);
            if self.is_functional(&key.name) {
                key.args.pop();
                after.facts.retain(|old| !atom(old).is_value_of(&key));
            }
            after.facts.insert(fact);
        }
        for value in texts(&tool["produces"]).map(|t| atom(&t)) {
            if value.args.iter().all(|arg| arg.strip_prefix('?').is_none_or(|var| env.contains_key(var))) {
                after.values.insert(value.print(env));
            }
        }
        Some(after)
    }

    fn holds(&self, literal: &Literal, env: &Env, now: &Facts) -> bool {
        let truth = match &literal.body {
            Body::Equal(a, b) => fill(a, env) == fill(b, env),
            Body::Atom(atom) => {
                let fact = atom.print(env);
                now.facts.contains(&fact) || now.values.contains(&fact)
            }
        };
        truth != literal.negated
    }

    fn is_functional(&self, predicate: &str) -> bool {
        self.domain["predicates"][predicate]["functional"] == true
    }

    fn is_slot_value(&self, text: &str) -> bool {
        let value = atom(text);
        let Some(slot) = self.domain["slots"].get(&value.name) else { return false };
        let types: Vec<String> = members(&slot["params"]).map(|(_, ty)| ty.as_str().unwrap().to_owned()).collect();
        types.len() == value.args.len()
            && types
                .iter()
                .zip(&value.args)
                .all(|(ty, arg)| self.symbols.get(arg).is_some_and(|own| self.under(own, ty)))
    }

    fn under(&self, ty: &str, above: &str) -> bool {
        let mut at = ty.to_owned();
        loop {
            if at == above {
                return true;
            }
            at = match self.domain["types"][&at].as_str() {
                Some(parent) => parent.to_owned(),
                None if at == "role" => "object".to_owned(),
                None => return false,
            };
        }
    }

    /// Every choice of one symbol for each type.
    fn products(&self, types: &[String]) -> Vec<Vec<String>> {
        let mut found = vec![Vec::new()];
        for ty in types {
            let of_type: Vec<&String> =
                self.symbols.iter().filter(|(_, own)| self.under(own, ty)).map(|(name, _)| name).collect();
            found = found
                .iter()
                .flat_map(|start| of_type.iter().map(|name| [start.as_slice(), &[(*name).clone()]].concat()))
                .collect();
        }
        found
    }
}

/// The bindings with those of a value that matches a pattern.
fn matched(pattern: &Atom, value: &Atom, env: &Env) -> Option<Env> {
    if pattern.name != value.name || pattern.args.len() != value.args.len() {
        return None;
    }
    let mut env = env.clone();
    for (want, is) in pattern.args.iter().zip(&value.args) {
        let want = match want.strip_prefix('?') {
            None => want.clone(),
            Some(var) => env.entry(var.to_owned()).or_insert_with(|| is.clone()).clone(),
        };
        if want != *is {
            return None;
        }
    }
    Some(env)
}

impl Atom {
    fn print(&self, env: &Env) -> String {
        if self.args.is_empty() {
            return self.name.clone();
        }
        let args: Vec<String> = self.args.iter().map(|arg| fill(arg, env)).collect();
        format!("{}({})", self.name, args.join(", "))
    }

    /// Whether it is the key with one more argument.
    fn is_value_of(&self, key: &Atom) -> bool {
        self.name == key.name && self.args.len() == key.args.len() + 1 && self.args.starts_with(&key.args)
    }
}

impl Literal {
    fn vars(&self) -> Vec<String> {
        let terms = match &self.body {
            Body::Atom(atom) => atom.args.clone(),
            Body::Equal(a, b) => vec![a.clone(), b.clone()],
        };
        let mut vars: Vec<String> = terms.iter().filter_map(|t| Some(t.strip_prefix('?')?.to_owned())).collect();
        vars.sort();
        vars.dedup();
        vars
    }

    fn print(&self, env: &Env) -> String {
        match &self.body {
            Body::Atom(atom) if self.negated => format!("not {}", atom.print(env)),
            Body::Atom(atom) => atom.print(env),
            Body::Equal(a, b) => {
                format!("{} {} {}", fill(a, env), if self.negated { "!=" } else { "=" }, fill(b, env))
            }
        }
    }
}

fn fill(term: &str, env: &Env) -> String {
    term.strip_prefix('?').and_then(|var| env.get(var)).map_or(term.to_owned(), String::clone)
}

fn literal(text: &str) -> Literal {
    if let Some((a, b)) = text.split_once("!=") {
        return Literal { negated: true, body: Body::Equal(a.trim().to_owned(), b.trim().to_owned()) };
    }
    if let Some((a, b)) = text.split_once('=') {
        return Literal { negated: false, body: Body::Equal(a.trim().to_owned(), b.trim().to_owned()) };
    }
    match text.trim().strip_prefix("not ") {
        Some(denied) => Literal { negated: true, body: Body::Atom(atom(denied)) },
        None => Literal { negated: false, body: Body::Atom(atom(text)) },
    }
}

fn atom(text: &str) -> Atom {
    match text.trim().split_once('(') {
        None => Atom { name: text.trim().to_owned(), args: Vec::new() },
        Some((name, args)) => Atom {
            name: name.trim().to_owned(),
            args: args.trim_end_matches(')').split(',').map(|arg| arg.trim().to_owned()).collect(),
        },
    }
}

fn members(object: &Value) -> impl Iterator<Item = (&String, &Value)> {
    object.as_object().into_iter().flatten()
}

fn texts(list: &Value) -> impl Iterator<Item = String> + '_ {
    list.as_array().into_iter().flatten().map(text)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
