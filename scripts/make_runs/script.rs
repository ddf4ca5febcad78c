//! The scripts of `runs/*.json`, and how they become logs. Shared with the test that checks them.
#![allow(missing_docs, dead_code)]

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use refract::{
    exec::{Episode, Feedback, Json, Terms},
    run::{Agent, EndReason, Event, Header, Speaker, Writer},
    world::{RoleId, SourceFile, ToolsetId, World, load_domain, load_problem},
};
use serde::Deserialize;
use serde_json::Value;

/// Logs by name.
pub type Runs = BTreeMap<String, Vec<u8>>;

/// `runs/scenarios.json`: failing runs, and what each must show.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenarios {
    pub runs: Vec<Scenario>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    pub name: String,
    pub kind: String,
    pub shows: String,
    pub problem: String,
    pub role: String,
    pub toolset: String,
    pub agent: Value,
    pub script: Vec<Value>,
    pub end: Option<String>,
    pub expect: Expect,
}

/// `runs/references.json`: what the reference of each perspective must come to.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct References {
    pub runs: Vec<Reference>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    pub problem: String,
    pub role: String,
    pub expect: Expect,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    #[serde(default)]
    pub steps: Vec<ExpectStep>,
    pub goal: Goal,
    #[serde(rename = "final")]
    pub end: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectStep {
    pub step: usize,
    #[serde(default)]
    pub fired: bool,
    #[serde(default)]
    pub reasons: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Goal {
    pub held: usize,
    pub of: usize,
}

/// The entries of the benchmark by id.
pub fn worlds(root: &Path) -> Result<BTreeMap<String, Arc<World>>, String> {
    let read = |path: &Path| SourceFile::read(path).map(Arc::new).map_err(|e| format!("{}: {e}", path.display()));
    let (domain, faults) = load_domain(read(&root.join("domain/industrial-maintenance.json"))?);
    let domain = Arc::new(domain.ok_or_else(|| format!("{faults:#?}"))?);
    let mut worlds = BTreeMap::new();
    for entry in fs::read_dir(root.join("problems")).map_err(|e| e.to_string())? {
        let path = entry.map_err(|e| e.to_string())?.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let (world, faults) = load_problem(read(&path)?, &domain);
        let world = world.ok_or_else(|| format!("{faults:#?}"))?;
        worlds.insert(world.problem.id.clone(), Arc::new(world));
    }
    Ok(worlds)
}

/// A hand-written file of `runs/`.
pub fn read<T: for<'de> Deserialize<'de>>(root: &Path, name: &str) -> Result<T, String> {
    let path = root.join("runs").join(name);
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
}

/// The name of the run of a reference.
pub fn reference_name(problem: &str, role: &str) -> String {
    format!("{problem}-{role}-reference")
}

/// Makes all runs.
pub fn make(root: &Path) -> Result<Runs, String> {
    let worlds = worlds(root)?;
    let mut runs = Runs::new();
    for (id, world) in &worlds {
        for (&role, perspective) in &world.problem.perspectives {
            let name = reference_name(id, world.domain.role_name(role));
            let mut recorder = Recorder::new(world, role, ToolsetId(0), &name, agent("reference", None))?;
            for call in &perspective.reference {
                recorder.call(&Value::from(world.domain.tool_name(call.tool)), &call.args)?;
            }
            runs.insert(name, recorder.end(Some("finished"))?);
        }
    }
    for scenario in read::<Scenarios>(root, "scenarios.json")?.runs {
        let log = play(&worlds, &scenario).map_err(|message| format!("{}: {message}", scenario.name))?;
        if runs.insert(scenario.name.clone(), log).is_some() {
            return Err(format!("two runs are called {}", scenario.name));
        }
    }
    Ok(runs)
}

fn agent(name: &str, model: Option<&str>) -> Agent {
    Agent { name: Some(name.to_owned()), model: model.map(str::to_owned) }
}

fn play(worlds: &BTreeMap<String, Arc<World>>, scenario: &Scenario) -> Result<Vec<u8>, String> {
    let world = worlds.get(&scenario.problem).ok_or("no such entry")?;
    let role = world.domain.role_id(&scenario.role).ok_or("no such role")?;
    let toolset = world.problem.toolsets.get_index_of(&scenario.toolset).ok_or("no such tool set")?;
    let field = |key: &str| scenario.agent.get(key).and_then(Value::as_str);
    let agent = agent(field("name").ok_or("the agent has no name")?, field("model"));
    let mut recorder = Recorder::new(world, role, toolset.into(), &scenario.name, agent)?;
    for line in &scenario.script {
        let words = |key: &str| line.get(key).and_then(Value::as_str);
        if let Some(text) = words("think") {
            recorder.message(text, true)?;
        } else if let Some(text) = words("say") {
            recorder.message(text, false)?;
        } else if let Some(tool) = line.get("call") {
            recorder.call(tool, &args(line))?;
        } else if let Some(calls) = line.get("parallel").and_then(Value::as_array) {
            recorder.parallel(calls)?;
        } else {
            return Err(format!("cannot read {line}"));
        }
    }
    recorder.end(scenario.end.as_deref())
}

fn args(line: &Value) -> String {
    line.get("args").map_or_else(|| "null".to_owned(), Value::to_string)
}

/// An episode and its log.
struct Recorder {
    episode: Episode,
    writer: Writer<Vec<u8>>,
    calls: usize,
}

impl Recorder {
    fn new(world: &Arc<World>, role: RoleId, toolset: ToolsetId, name: &str, agent: Agent) -> Result<Self, String> {
        let terms = Terms { role, toolset, budget: Some(world.problem.budget), feedback: Feedback::Hidden };
        let header = Header::of(world, &terms, name, agent, "2026-11-30T09:00:00Z");
        let episode = Episode::new(world.clone(), terms);
        let mut recorder = Recorder { episode, writer: Writer::new(Vec::new()), calls: 0 };
        recorder.write(&Event::Run(Box::new(header)))?;
        Ok(recorder)
    }

    fn write(&mut self, event: &Event) -> Result<(), String> {
        self.writer.write(event).map_err(|e| e.to_string())
    }

    fn message(&mut self, text: &str, reasoning: bool) -> Result<(), String> {
        self.write(&Event::Message { from: Speaker::Agent, text: text.to_owned(), reasoning })
    }

    fn send(&mut self, tool: &Value, args: &str) -> Result<String, String> {
        self.calls += 1;
        let id = format!("c{}", self.calls);
        self.write(&Event::Call { id: id.clone(), tool: Json::new(&tool.to_string()), args: Json::new(args) })?;
        Ok(id)
    }

    fn answer(&mut self, id: String, tool: &Value, args: &str) -> Result<(), String> {
        let (step, observation) = self.episode.call(&tool.to_string(), args);
        self.write(&Event::result(&self.episode.world, id, &step, &observation))
    }

    fn call(&mut self, tool: &Value, args: &str) -> Result<(), String> {
        let id = self.send(tool, args)?;
        self.answer(id, tool, args)
    }

    /// Calls that are sent together, before any of their results.
    fn parallel(&mut self, calls: &[Value]) -> Result<(), String> {
        let tool = |call: &Value| call.get("call").cloned().unwrap_or_default();
        let ids = calls.iter().map(|call| self.send(&tool(call), &args(call))).collect::<Result<Vec<_>, _>>()?;
        ids.into_iter().zip(calls).try_for_each(|(id, call)| self.answer(id, &tool(call), &args(call)))
    }

    fn end(mut self, reason: Option<&str>) -> Result<Vec<u8>, String> {
        if let Some(word) = reason {
            let reason = EndReason::of(word).ok_or_else(|| format!("no such end: {word}"))?;
            self.write(&Event::End { reason })?;
        }
        Ok(self.writer.into_inner())
    }
}
