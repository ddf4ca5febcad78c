//! One small world for many short cases: a tool, a state, a call, and what comes of it.

use refract::exec::{Episode, Feedback, Observation, Step, Terms, sorted_texts};
use serde_json::{Value, json};

use super::worlds;

/// A world whose only tools are those of the case; `do` is the one that is called.
pub struct Case {
    tools: Value,
    init: Value,
    given: Value,
    own_given: Value,
    goal: Value,
    offered: Option<Value>,
    role: &'static str,
    feedback: Feedback,
    budget: Option<u32>,
    episode: Option<Episode>,
}

/// A case around one tool; `doc` and `class` are filled in.
pub fn tool(definition: Value) -> Case {
    let case = Case {
        tools: json!({}),
        init: json!([]),
        given: json!([]),
        own_given: json!([]),
        goal: json!(["raining"]),
        offered: None,
        role: "ada",
        feedback: Feedback::Hidden,
        budget: None,
        episode: None,
    };
    case.and("do", definition)
}

/// `a; b` as a list.
fn list(text: &str) -> Vec<&str> {
    text.split(';').map(str::trim).filter(|item| !item.is_empty()).collect()
}

impl Case {
    pub fn and(mut self, name: &str, mut definition: Value) -> Self {
        definition["doc"] = "Do.".into();
        definition["class"] = "act".into();
        self.tools[name] = definition;
        self
    }

    pub fn init(mut self, facts: &str) -> Self {
        self.init = list(facts).into();
        self
    }

    pub fn given(mut self, values: &str) -> Self {
        self.given = list(values).into();
        self
    }

    /// What ada has in hand besides.
    pub fn own_given(mut self, values: &str) -> Self {
        self.own_given = list(values).into();
        self
    }

    /// What ada is to reach.
    pub fn goal(mut self, goal: Value) -> Self {
        self.goal = goal;
        self
    }

    pub fn offered(mut self, tools: &str) -> Self {
        self.offered = Some(list(tools).into());
        self
    }

    pub fn role(mut self, role: &'static str) -> Self {
        self.role = role;
        self
    }

    pub fn feedback(mut self, feedback: Feedback) -> Self {
        self.feedback = feedback;
        self
    }

    pub fn budget(mut self, calls: u32) -> Self {
        self.budget = Some(calls);
        self
    }

    /// The texts of domain and problem.
    pub fn files(&self) -> (String, String) {
        let domain = json!({
            "version": 1, "name": "d",
            "types": { "place": "object", "bed": "place", "thing": "object", "val": "object", "void": "object" },
            "constants": { "wet": "val", "dry": "val", "wet-ish": "val", "dry.": "val",
                           "p": "place", "b": "bed", "b1": "bed", "b1.1": "bed", "t": "thing" },
            "predicates": {
                "raining": {},
                "locked": { "params": { "place": "place" }, "text": "{place} is locked" },
                "near": { "params": { "a": "place", "b": "place" } },
                "state": { "params": { "place": "place", "val": "val" }, "functional": true, "text": "{place} is {val}" },
                "state-2": { "params": { "place": "place", "val": "val" } },
                "next": { "params": { "from": "place", "to": "place" }, "functional": true },
                "mode": { "params": { "val": "val" }, "functional": true },
                "holder": { "params": { "thing": "thing", "role": "role" }, "functional": true, "default": "bo" },
                "dust": { "params": { "void": "void", "val": "val" } },
            },
            "slots": {
                "pass": { "doc": "A pass." },
                "slip": { "params": { "place": "place" }, "doc": "A slip." },
                "finding": { "params": { "place": "place", "val": "val" }, "doc": "A finding." },
                "road": { "params": { "a": "place", "b": "place" }, "doc": "A road." },
            },
            "capabilities": { "hand": "By hand", "sign": "By signature" },
            "knowledge": { "law": "Law", "lore": "Lore" },
            "sources": { "book": { "knowledge": "lore", "doc": "A book." }, "sky": { "doc": "The sky." } },
            "taxonomy": { "act": {} },
            "tools": self.tools,
            "roles": {
                "ada": { "capabilities": ["hand", "sign"], "knowledge": ["law", "lore"] },
                "bo": { "capabilities": ["sign"], "knowledge": ["law"] },
                "cy": { "capabilities": [], "knowledge": [] },
            },
        });
        let call = json!([{ "tool": "do", "args": {} }]);
        let problem = json!({
            "version": 1, "id": "p", "domain": "d", "query": "?",
            "objects": { "yard": "place" },
            "init": self.init, "given": self.given,
            "toolsets": { "set": self.offered.clone().unwrap_or("all".into()) },
            "budget": 100,
            "perspectives": {
                "ada": { "persona": "A.", "goal": self.goal, "given": self.own_given, "reference": call },
                "bo": { "persona": "B.", "goal": ["raining"], "reference": call },
            },
        });
        (domain.to_string(), problem.to_string())
    }

    /// Makes a call: tool and arguments as JSON texts.
    pub fn send(&mut self, tool: &str, args: &str) -> (Step, Observation) {
        if self.episode.is_none() {
            let (domain, problem) = self.files();
            let world = worlds::world(&domain, &problem);
            let role = world.domain.role_id(self.role).unwrap();
            let toolset = refract::world::ToolsetId(0);
            let terms = Terms { role, toolset, budget: self.budget, feedback: self.feedback };
            self.episode = Some(Episode::new(world, terms));
        }
        self.episode.as_mut().unwrap().call(tool, args)
    }

    /// `do` with these arguments fires, with this diff: `+added; -removed; *produced`.
    #[track_caller]
    pub fn fires(self, args: Value, diff: &str) -> Self {
        self.fires_text("\"do\"", &args.to_string(), diff)
    }

    #[track_caller]
    pub fn fires_text(mut self, tool: &str, args: &str, diff: &str) -> Self {
        let (step, _) = self.send(tool, args);
        let Step::Fired(changes) = step else { panic!("refused: {step:?}") };
        let world = &self.episode.as_ref().unwrap().world;
        let mark =
            |sign: &'static str, facts| sorted_texts(world, facts).into_iter().map(move |fact| format!("{sign}{fact}"));
        let ours: Vec<String> =
            mark("+", changes.added).chain(mark("-", changes.removed)).chain(mark("*", changes.produced)).collect();
        assert_eq!(ours, list(diff));
        self
    }

    /// `do` with these arguments is refused, for exactly these reasons in this order.
    #[track_caller]
    pub fn refuses(self, args: Value, reasons: Value) -> Self {
        self.refuses_text("\"do\"", &args.to_string(), reasons)
    }

    #[track_caller]
    pub fn refuses_text(mut self, tool: &str, args: &str, reasons: Value) -> Self {
        let before = self.episode.as_ref().map(|episode| episode.state.clone());
        let (step, observation) = self.send(tool, args);
        let Step::Refused(refusals) = step else { panic!("not refused: {step:?}") };
        assert_eq!(serde_json::to_value(&refusals).unwrap(), reasons);
        assert!(observation.facts.is_empty() && observation.values.is_empty());
        if let Some(before) = before {
            assert_eq!(self.episode.as_ref().unwrap().state, before, "a refused call changes nothing");
        }
        self
    }

    /// What the agent reads back from `do` with these arguments.
    #[track_caller]
    pub fn says(self, args: Value, text: &str) -> Self {
        self.says_text("\"do\"", &args.to_string(), text)
    }

    #[track_caller]
    pub fn says_text(mut self, tool: &str, args: &str, text: &str) -> Self {
        let (_, observation) = self.send(tool, args);
        assert_eq!(observation.text(&self.episode.as_ref().unwrap().world), text);
        self
    }

    /// A call beyond the budget: not executed.
    #[track_caller]
    pub fn over_budget(mut self, args: Value) -> Self {
        let (step, observation) = self.send("\"do\"", &args.to_string());
        assert!(matches!(step, Step::OverBudget), "{step:?}");
        assert_eq!(observation.report, refract::exec::OVER_BUDGET);
        self
    }
}
