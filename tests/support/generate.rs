//! Small random worlds: every construct of design.md, in combinations that nobody would write.

use refract::world::{SourceFile, load_domain, load_problem};
use serde_json::{Map, Value, json};
use std::sync::Arc;

use super::rng::Rng;

/// The texts of a domain and a problem without errors.
pub fn world(seed: u64) -> (String, String) {
    let mut rng = Rng(seed);
    // Some drafts have errors: two constants for one key, a type too wide. Those are drawn again.
    loop {
        let (domain, problem) = Draft::new(&mut rng).files();
        let source = |text: &str| Arc::new(SourceFile::from_bytes("draft".to_owned(), text.as_bytes()));
        if let (Some(found), _) = load_domain(source(&domain))
            && let (Some(_), _) = load_problem(source(&problem), &Arc::new(found))
        {
            return (domain, problem);
        }
    }
}

/// A name and its type.
type Typed = (String, String);

struct Relation {
    name: String,
    params: Vec<String>,
    functional: bool,
}

struct Draft<'a> {
    rng: &'a mut Rng,
    types: Vec<Typed>,
    constants: Vec<Typed>,
    roles: Vec<Typed>,
    objects: Vec<Typed>,
    predicates: Vec<Relation>,
    slots: Vec<Relation>,
}

impl<'a> Draft<'a> {
    fn new(rng: &'a mut Rng) -> Self {
        let mut draft = Draft {
            rng,
            types: Vec::new(),
            constants: Vec::new(),
            roles: ["ada", "bo", "bo-2"].map(|name| (name.to_owned(), "role".to_owned())).into(),
            objects: Vec::new(),
            predicates: Vec::new(),
            slots: Vec::new(),
        };
        for i in 0..1 + draft.rng.below(4) {
            let parent = if draft.rng.percent(50) { "object".to_owned() } else { draft.ty() };
            draft.types.push((format!("t{i}"), parent));
        }
        // Some names begin like others.
        draft.constants = (0..1 + draft.rng.below(3)).map(|i| ("k".repeat(i + 1), draft.ty())).collect();
        draft.objects = (0..1 + draft.rng.below(4)).map(|i| ("o.".repeat(i) + "o", draft.ty())).collect();
        draft.predicates = (0..2 + draft.rng.below(4)).map(|i| draft.relation(&format!("p{i}"), 3)).collect();
        for predicate in &mut draft.predicates {
            predicate.functional = !predicate.params.is_empty() && draft.rng.percent(50);
        }
        draft.slots = (0..1 + draft.rng.below(3)).map(|i| draft.relation(&format!("s{i}"), 2)).collect();
        draft
    }

    /// A type, built-in ones too.
    fn ty(&mut self) -> String {
        match self.rng.below(10) {
            0 => "object".to_owned(),
            1 => "role".to_owned(),
            _ => self.rng.pick(&self.types).map_or("object".to_owned(), |(name, _)| name.clone()),
        }
    }

    fn relation(&mut self, name: &str, arity: usize) -> Relation {
        let params = (0..self.rng.below(arity + 1)).map(|_| self.ty()).collect();
        Relation { name: name.to_owned(), params, functional: false }
    }

    fn under(&self, ty: &str, above: &str) -> bool {
        ty == above
            || match self.types.iter().find(|(name, _)| name == ty) {
                Some((_, parent)) => self.under(parent, above),
                None => above == "object",
            }
    }

    fn fitting(&self, from: &[Typed], ty: &str) -> Vec<String> {
        from.iter().filter(|(_, own)| self.under(own, ty)).map(|(name, _)| name.clone()).collect()
    }

    /// A variable or a constant for a place of this type; none if nothing fits.
    fn term(&mut self, vars: &[Typed], ty: &str) -> Option<String> {
        let bound: Vec<String> = self.fitting(vars, ty).into_iter().map(|name| format!("?{name}")).collect();
        let fixed = [self.fitting(&self.constants, ty), self.fitting(&self.roles, ty)].concat();
        let from = if self.rng.percent(80) && !bound.is_empty() { &bound } else { &fixed };
        self.rng.pick(from).cloned()
    }

    fn terms(&mut self, vars: &[Typed], types: &[String]) -> Option<Vec<String>> {
        types.iter().map(|ty| self.term(vars, ty)).collect()
    }

    fn atom(&mut self, vars: &[Typed], slot: bool) -> Option<String> {
        let from = if slot { &self.slots } else { &self.predicates };
        let at = self.rng.below(from.len());
        let (name, params) = (from[at].name.clone(), from[at].params.clone());
        Some(print(&name, &self.terms(vars, &params)?))
    }

    fn condition(&mut self, vars: &[Typed]) -> Option<String> {
        let sort = self.rng.below(10);
        if sort < 2 {
            let (a, b) = (self.term(vars, "object")?, self.term(vars, "object")?);
            return Some(format!("{a} {} {b}", if sort == 0 { "=" } else { "!=" }));
        }
        let atom = self.atom(vars, sort == 2)?;
        Some(if self.rng.percent(50) { format!("not {atom}") } else { atom })
    }

    /// A precondition that gives a new variable its value.
    fn look_up(&mut self, vars: &mut Vec<Typed>) -> Option<String> {
        let functional: Vec<usize> = (0..self.predicates.len()).filter(|&i| self.predicates[i].functional).collect();
        let at = *self.rng.pick(&functional)?;
        let (name, params) = (self.predicates[at].name.clone(), self.predicates[at].params.clone());
        let (last, key) = params.split_last()?;
        let mut terms = self.terms(vars, key)?;
        let var = format!("v{}", vars.len());
        terms.push(format!("?{var}"));
        vars.push((var, last.clone()));
        Some(print(&name, &terms))
    }

    fn effect(&mut self, vars: &[Typed]) -> Option<Value> {
        let change = |draft: &mut Self, vars: &[Typed]| {
            let atom = draft.atom(vars, false)?;
            Some(if draft.rng.percent(35) { format!("not {atom}") } else { atom })
        };
        if self.rng.percent(60) {
            return change(self, vars).map(Value::from);
        }
        let mut vars = vars.to_vec();
        let mut forall = Map::new();
        for i in 0..self.rng.below(3) {
            let (var, ty) = (format!("q{i}"), self.ty());
            forall.insert(var.clone(), ty.clone().into());
            vars.push((var, ty));
        }
        let when: Vec<String> = (0..self.rng.below(3)).filter_map(|_| self.condition(&vars)).collect();
        let then: Vec<String> = (0..1 + self.rng.below(2)).filter_map(|_| change(self, &vars)).collect();
        (!then.is_empty()).then(|| json!({ "forall": forall, "when": when, "then": then }))
    }

    fn tool(&mut self, class: &str) -> Value {
        let mut vars: Vec<Typed> = vec![("self".to_owned(), "role".to_owned())];
        let mut params = Map::new();
        for i in 0..self.rng.below(3) {
            let ty = self.ty();
            params.insert(format!("a{i}"), ty.clone().into());
            vars.push((format!("a{i}"), ty));
        }
        let mut consumes = Map::new();
        for i in 0..self.rng.below(3) {
            let at = self.rng.below(self.slots.len());
            let (name, types) = (self.slots[at].name.clone(), self.slots[at].params.clone());
            let mut terms = Vec::new();
            for ty in types {
                let known = if self.rng.percent(50) { self.term(&vars, &ty) } else { None };
                terms.push(known.unwrap_or_else(|| {
                    vars.push((format!("c{}", vars.len()), ty.clone()));
                    format!("?c{}", vars.len() - 1)
                }));
            }
            consumes.insert(format!("in{i}"), print(&name, &terms).into());
        }
        let mut preconditions = Vec::new();
        for _ in 0..self.rng.below(3) {
            let look_up = self.rng.percent(50);
            preconditions.extend(if look_up { self.look_up(&mut vars) } else { self.condition(&vars) });
        }
        if self.rng.percent(30) {
            preconditions.reverse();
        }
        let effects: Vec<Value> = (0..self.rng.below(4)).filter_map(|_| self.effect(&vars)).collect();
        let produces: Vec<String> = (0..self.rng.below(3)).filter_map(|_| self.atom(&vars, true)).collect();
        let mut tool = json!({
            "doc": "Do.", "class": class, "params": params, "consumes": consumes, "precondition": preconditions,
            "effect": effects, "produces": produces,
        });
        if self.rng.percent(25) {
            tool["capability"] = ["hand", "sign"][self.rng.below(2)].into();
        }
        match self.rng.below(6) {
            0 => tool["knowledge"] = "law".into(),
            1 => tool["source"] = "book".into(),
            2 => tool["source"] = "sky".into(),
            3 => {
                tool["source"] = "book".into();
                tool["knowledge"] = Value::Null;
            }
            _ => {}
        }
        tool
    }

    /// A ground atom over everything that there is.
    fn ground(&mut self, slot: bool) -> Option<String> {
        let from = if slot { &self.slots } else { &self.predicates };
        let at = self.rng.below(from.len());
        let (name, params) = (from[at].name.clone(), from[at].params.clone());
        let everything = [self.constants.as_slice(), &self.roles, &self.objects].concat();
        let args: Option<Vec<String>> =
            params.iter().map(|ty| self.rng.pick(&self.fitting(&everything, ty)).cloned()).collect();
        Some(print(&name, &args?))
    }

    fn init(&mut self) -> Vec<String> {
        let mut facts: Vec<String> = Vec::new();
        for _ in 0..8 {
            let Some(fact) = self.ground(false) else { continue };
            let (name, key) = (fact.split('(').next().unwrap_or(""), fact.rsplit_once(", ").map(|(key, _)| key));
            let functional = self.predicates.iter().any(|p| p.name == name && p.functional);
            let taken = facts.iter().any(|old| match key {
                _ if !functional => *old == fact,
                Some(key) => old.starts_with(&format!("{key}, ")),
                None => old.split('(').next() == Some(name),
            });
            if !taken {
                facts.push(fact);
            }
        }
        facts
    }

    fn given(&mut self) -> Vec<String> {
        let mut values: Vec<String> = (0..self.rng.below(3)).filter_map(|_| self.ground(true)).collect();
        values.sort();
        values.dedup();
        values
    }

    fn files(mut self) -> (String, String) {
        let tools: Vec<(String, Value)> = (0..8).map(|i| (format!("do{i}"), self.tool("act"))).collect();
        let relations = |draft: &mut Self, slots: bool| {
            let mut all = Map::new();
            for i in 0..if slots { draft.slots.len() } else { draft.predicates.len() } {
                let relation = if slots { &draft.slots[i] } else { &draft.predicates[i] };
                let params: Map<String, Value> =
                    relation.params.iter().enumerate().map(|(i, ty)| (format!("x{i}"), ty.as_str().into())).collect();
                let mut value = json!({ "params": params });
                let name = relation.name.clone();
                if slots {
                    value["doc"] = "A slip.".into();
                } else if relation.functional {
                    value["functional"] = true.into();
                    let last = relation.params.last().cloned().unwrap_or_default();
                    let fixed = [draft.fitting(&draft.constants, &last), draft.fitting(&draft.roles, &last)].concat();
                    if draft.rng.percent(40)
                        && let Some(default) = draft.rng.pick(&fixed)
                    {
                        value["default"] = default.as_str().into();
                    }
                }
                all.insert(name, value);
            }
            all
        };
        let table = |typed: &[Typed]| -> Map<String, Value> {
            typed.iter().map(|(name, ty)| (name.clone(), ty.as_str().into())).collect()
        };
        let (predicates, slots) = (relations(&mut self, false), relations(&mut self, true));
        let domain = json!({
            "version": 1, "name": "draft", "types": table(&self.types), "constants": table(&self.constants),
            "predicates": predicates, "slots": slots,
            "capabilities": { "hand": "By hand", "sign": "By signature" },
            "knowledge": { "law": "Law", "lore": "Lore" },
            "sources": { "book": { "knowledge": "lore", "doc": "A book." }, "sky": { "doc": "The sky." } },
            "taxonomy": { "act": {} },
            "tools": tools.iter().cloned().collect::<Map<_, _>>(),
            "roles": {
                "ada": { "capabilities": ["hand", "sign"], "knowledge": ["law", "lore"] },
                "bo": { "capabilities": ["hand"], "knowledge": ["lore"] },
                "bo-2": { "capabilities": [], "knowledge": [] },
            },
        });
        let few: Vec<&String> = tools.iter().map(|(name, _)| name).filter(|_| self.rng.percent(80)).collect();
        let goal = self.ground(false).unwrap_or_else(|| "ada = ada".to_owned());
        let other = self.ground(true).unwrap_or_else(|| "ada = bo".to_owned());
        let reference = json!([{ "tool": "do0", "args": {} }]);
        let problem = json!({
            "version": 1, "id": "draft-1", "domain": "draft", "query": "?",
            "objects": table(&self.objects), "init": self.init(), "given": self.given(),
            "toolsets": { "few": few, "all": "all" }, "budget": 20,
            "perspectives": {
                "ada": { "persona": "A.", "goal": [goal, format!("not {other}")], "reference": reference },
                "bo": { "persona": "B.", "goal": { "any": [[other, goal], [format!("not {goal}")]] },
                        "given": self.given(), "reference": reference },
            },
        });
        (domain.to_string(), problem.to_string())
    }
}

fn print(name: &str, args: &[String]) -> String {
    if args.is_empty() { name.to_owned() } else { format!("{name}({})", args.join(", ")) }
}
