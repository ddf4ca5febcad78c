//! What every client is offered, and who has taken it up.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use serde_json::json;

use super::Run;
use crate::agent::{Prompt, TEMPLATES};
use crate::exec::{Opening, Terms};
use crate::run::{Agent, EndReason, Header, Out};
use crate::world::World;

/// The address of the resource that holds the task.
pub const TASK_URI: &str = "refract://task";

/// An entry, a role and its tools, as clients are offered them.
pub struct Offer {
    /// The entry.
    pub world: Arc<World>,
    /// Role, tool set, budget, feedback.
    pub terms: Terms,
    /// Where logs go.
    pub out: Out,
    /// How many sessions there may be at a time.
    pub limit: usize,
    /// What an agent is told at the start; all that is known here of the world.
    pub prompt: Prompt,
    /// Hears what happens, for whoever runs the program. It comes from clients too.
    pub say: fn(&str),
    runs: Mutex<Vec<Weak<Run>>>,
}

impl Offer {
    /// An entry for this role. Without a budget the problem's rules.
    pub fn new(world: Arc<World>, terms: Terms, out: Out, limit: usize, say: fn(&str)) -> Arc<Offer> {
        let budget = terms.budget.unwrap_or(world.problem.budget);
        let prompt = Prompt::of(&Opening { budget, ..Opening::of(&world, terms.role, terms.toolset) });
        let terms = Terms { budget: Some(budget), ..terms };
        Arc::new(Offer { world, terms, out, limit, prompt, say, runs: Mutex::default() })
    }

    /// The task as one text: what there is and who is served, then what is asked.
    pub fn task(&self) -> String {
        format!("{}\n\n{}", self.prompt.system, self.prompt.user)
    }

    /// Begins a run for a client, its log with it.
    ///
    /// # Errors
    /// When there are too many sessions, or the log cannot be written.
    pub fn begin(&self, client: &str) -> io::Result<Arc<Run>> {
        let mut runs = lock(&self.runs);
        runs.retain(|run| run.strong_count() > 0);
        if runs.len() >= self.limit {
            return Err(io::Error::other(format!("there are {} sessions already, and no more are taken", runs.len())));
        }
        let role = self.world.domain.role_name(self.terms.role);
        let (path, log) = self.out.create(&format!("{}-{role}-mcp", self.world.problem.id)).map_err(no_log)?;
        let id = path.file_stem().unwrap_or_default().to_string_lossy();
        let run = Arc::new(Run::begin(self, self.header(&id, client), log).map_err(no_log)?);
        runs.push(Arc::downgrade(&run));
        (self.say)(&format!("{client}: recorded in {}", path.display()));
        Ok(run)
    }

    fn header(&self, id: &str, client: &str) -> Header {
        let started = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        let agent = Agent { name: Some(client.to_owned()), model: None };
        let mut header = Header::of(&self.world, &self.terms, id, agent, started);
        let prompt = json!({ "templates": TEMPLATES, "digest": self.prompt.digest() });
        if let Ok(prompt) = serde_json::value::to_raw_value(&prompt) {
            header.extra.insert("prompt".to_owned(), prompt);
        }
        header
    }

    /// Ends all runs that are going on.
    pub fn stop(&self) {
        for run in lock(&self.runs).drain(..).filter_map(|run| run.upgrade()) {
            if let Err(error) = run.end(EndReason::Stopped) {
                (self.say)(&no_log(error).to_string());
            }
        }
    }
}

impl fmt::Debug for Offer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Offer").field("terms", &self.terms).field("out", &self.out).finish_non_exhaustive()
    }
}

fn no_log(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("the run log cannot be written: {error}"))
}

/// A run is whole even where a thread that worked on another panicked.
pub(super) fn lock<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}
