//! The episodes of a benchmark run: entries × roles × tool sets × repeats, each known by a digest of
//! everything that decides what it is, so that a run that was stopped knows what is left to do.

use std::sync::Arc;

use serde::Serialize;
use serde_json::json;

use super::{Prompt, TEMPLATES};
use crate::exec::{self, Feedback, Opening};
use crate::run::{self, Header};
use crate::world::{RoleId, ToolsetId, World, sha256};

/// What all episodes of a benchmark run have in common.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// Who makes the calls, as logs name it.
    pub agent: run::Agent,
    /// Whatever else decides what the agent does: temperature, tool choice and the like.
    pub settings: serde_json::Value,
    /// The budget instead of the problem's.
    pub budget: Option<u32>,
    /// How much a refusal says.
    pub feedback: Feedback,
    /// The first seed; repeats count on from it.
    pub seed: u64,
}

/// One episode to be played.
#[derive(Debug, Clone)]
pub struct Cell {
    /// The entry.
    pub world: Arc<World>,
    /// Role, tool set, budget, feedback.
    pub terms: exec::Terms,
    /// Its seed.
    pub seed: u64,
    /// SHA-256 in hex of entry, role, tool set, agent, settings, seed, budget, feedback and prompt.
    pub digest: String,
    /// The digest of the prompt alone.
    pub prompt: String,
}

/// All episodes of a benchmark run, in the order in which they are played.
#[derive(Debug, Clone)]
pub struct Matrix {
    /// What they have in common.
    pub terms: Terms,
    /// The episodes.
    pub cells: Vec<Cell>,
}

impl Matrix {
    /// The episodes of these perspectives, each `repeat` times.
    pub fn of(terms: Terms, chosen: &[(Arc<World>, RoleId, ToolsetId)], repeat: u32) -> Matrix {
        let cells = chosen.iter().flat_map(|(world, role, toolset)| {
            let budget = terms.budget.unwrap_or(world.problem.budget);
            let own = exec::Terms { role: *role, toolset: *toolset, budget: Some(budget), feedback: terms.feedback };
            let prompt = Prompt::of(&Opening { budget, ..Opening::of(world, *role, *toolset) }).digest();
            let terms = &terms;
            (0..u64::from(repeat)).map(move |number| {
                let seed = terms.seed.wrapping_add(number);
                let digest = digest(terms, world, &own, seed, &prompt);
                Cell { world: world.clone(), terms: own, seed, digest, prompt: prompt.clone() }
            })
        });
        Matrix { cells: cells.collect(), terms: terms.clone() }
    }

    /// What stands in the manifest of a run: enough to see what it was to be, and which log is which.
    pub fn manifest(&self) -> serde_json::Value {
        let Terms { agent, settings, budget, feedback, seed } = &self.terms;
        let episodes: Vec<Listed> = self.cells.iter().map(Cell::listed).collect();
        json!({
            "version": 1,
            "agent": agent,
            "settings": settings,
            "budget": budget,
            "feedback": feedback,
            "seed": seed,
            "templates": TEMPLATES,
            "episodes": episodes,
        })
    }
}

/// An episode as the manifest lists it.
#[derive(Debug, Serialize)]
struct Listed<'a> {
    log: String,
    problem: &'a str,
    role: &'a str,
    toolset: &'a str,
    seed: u64,
    digest: &'a str,
}

impl Cell {
    /// The name of its log and of its run: what it is in words, and as much of the digest as keeps it apart.
    pub fn name(&self) -> String {
        let [problem, role, toolset] = self.words();
        // Names of tool sets are free; as a part of a file's name they are not.
        let toolset: String = toolset.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        format!("{problem}-{role}-{toolset}-{}-{}", self.seed, &self.digest[..12])
    }

    /// The header of its log. `started` is RFC 3339.
    pub fn header(&self, agent: run::Agent, started: impl Into<String>) -> Header {
        let mut header = Header::of(&self.world, &self.terms, self.name(), agent, started);
        header.seed = Some(self.seed.into());
        let kept = |text: String| serde_json::value::RawValue::from_string(text).ok();
        let extra = [
            ("episode", json!(self.digest).to_string()),
            ("prompt", json!({ "templates": TEMPLATES, "digest": self.prompt }).to_string()),
        ];
        header.extra = extra.into_iter().filter_map(|(key, text)| Some((key.to_owned(), kept(text)?))).collect();
        header
    }

    /// Entry, role and tool set by name.
    pub fn words(&self) -> [&str; 3] {
        let World { domain, problem, .. } = &*self.world;
        let toolset = problem.toolsets.get_index(self.terms.toolset.index()).map_or("", |(name, _)| name);
        [&problem.id, domain.role_name(self.terms.role), toolset]
    }

    fn listed(&self) -> Listed<'_> {
        let [problem, role, toolset] = self.words();
        Listed { log: format!("{}.jsonl", self.name()), problem, role, toolset, seed: self.seed, digest: &self.digest }
    }
}

fn digest(terms: &Terms, world: &World, own: &exec::Terms, seed: u64, prompt: &str) -> String {
    let decides = json!([
        world.domain.digest,
        world.problem.digest,
        world.problem.id,
        world.domain.role_name(own.role),
        own.toolset.index(),
        own.budget,
        own.feedback,
        terms.agent,
        terms.settings,
        seed,
        prompt,
    ]);
    sha256(decides.to_string().as_bytes())
}
