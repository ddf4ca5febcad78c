//! An episode of an agent by its name, played into a log that is looked at.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use refract::agent::{Broken, Cell, Ended, Matrix, Session, Terms, Usage, play};
use refract::exec::Feedback;
use refract::net::agents::{Agents, Options, Spec};
use refract::run::{EndReason, Writer};
use refract::world::Entries;
use serde_json::Value;

/// Options under which nothing waits long.
pub fn quick(base_url: Option<&str>) -> Options {
    let base_url = base_url.map(str::to_owned);
    Options {
        base_url,
        retries: 2,
        back_off: Duration::from_millis(1),
        timeout: Duration::from_secs(20),
        ..Options::default()
    }
}

/// What came of an episode.
pub struct Played {
    pub ended: Ended,
    pub why: Option<String>,
    pub used: Usage,
    pub log: String,
}

impl Played {
    /// The events of its log after the header.
    pub fn events(&self) -> Vec<Value> {
        self.log.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Those of one type.
    pub fn of(&self, kind: &str) -> Vec<Value> {
        self.events().into_iter().filter(|event| event["type"] == kind).collect()
    }

    /// The notes of one kind.
    pub fn notes(&self, kind: &str) -> Vec<Value> {
        self.of("note").into_iter().filter(|event| event["kind"] == kind).map(|event| event["data"].clone()).collect()
    }
}

/// The episode that the tests play: the operator of im-001 with a narrow set of tools, five calls.
pub fn cell(agents: &Agents) -> Cell {
    let world = Entries::of(None).get("im-001").unwrap();
    let role = world.domain.role_id("operator").unwrap();
    let toolset = world.problem.toolsets.get_index_of("narrow").unwrap().into();
    let terms = Terms {
        agent: agents.name(),
        settings: agents.settings(),
        budget: Some(5),
        feedback: Feedback::Hidden,
        seed: 7,
    };
    Matrix::of(terms, &[(world, role, toolset)], 1).cells.remove(0)
}

/// Plays it.
pub fn played(spec: &str, options: Options) -> Played {
    played_until(spec, options, &Arc::default())
}

/// Plays it until `stop` is set.
pub fn played_until(spec: &str, options: Options, stop: &Arc<AtomicBool>) -> Played {
    let agents = Agents::new(Spec::parse(spec).unwrap(), options).unwrap();
    let cell = cell(&agents);
    let mut bytes = Vec::new();
    let session = Session::begin(
        cell.world.clone(),
        cell.terms,
        cell.header(agents.name(), "2026-01-01T00:00:00Z"),
        Writer::new(&mut bytes),
    )
    .unwrap();
    let mut used = Usage::default();
    let (ended, why) = match agents.agent(&cell, Arc::clone(stop)) {
        Ok(mut agent) => {
            play(session, &mut *agent, |usage| used += usage, || stop.load(std::sync::atomic::Ordering::SeqCst))
                .unwrap()
        }
        Err(Broken { why, .. }) => (session.end(EndReason::Error).unwrap(), Some(why)),
    };
    Played { ended, why, used, log: String::from_utf8(bytes).unwrap() }
}
