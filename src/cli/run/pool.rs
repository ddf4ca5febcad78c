//! Episodes played on threads, each into a log of its own. What is finished is not played again, so a
//! run can be stopped at any moment, by any means, and taken up by the same command.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::tally::Tally;
use crate::agent::{Agent, Broken, Cell, Ended, Matrix, Prompt, Session, play};
use crate::cli::CliError;
use crate::exec::Opening;
use crate::file;
use crate::run::{EndReason, RunSource, Speaker, Writer};

/// What makes the agent of an episode.
pub type Make<'a> = dyn Fn(&Cell) -> Result<Box<dyn Agent>, Broken> + Sync + 'a;

/// A benchmark run at work.
pub struct Pool<'a> {
    /// What is to be played.
    pub matrix: &'a Matrix,
    /// Where the logs go.
    pub out: &'a Path,
    /// Who plays.
    pub make: &'a Make<'a>,
    /// Whether the agent reads the prompt, so that it stands in the log.
    pub told: bool,
    /// Set by whoever wants it to stop.
    pub stop: &'a Arc<AtomicBool>,
    /// What it comes to.
    pub tally: &'a Tally,
}

/// The manifest, and what is held while somebody plays into a folder.
const MANIFEST: &str = "manifest.json";
const LOCK: &str = ".lock";

impl Pool<'_> {
    /// Plays what is not played yet, on so many threads.
    ///
    /// # Errors
    /// When the folder cannot be written or somebody else plays into it, and with the first log that
    /// cannot be written; the others are ended first.
    pub fn run(&self, threads: usize) -> Result<(), CliError> {
        fs::create_dir_all(self.out).map_err(|error| cannot_write(self.out, &error))?;
        let _held = self.lock()?;
        self.write_manifest()?;
        let next = AtomicUsize::new(0);
        let failed = Mutex::new(None);
        let work = || {
            while let Some(cell) = self.matrix.cells.get(next.fetch_add(1, Ordering::Relaxed)) {
                if self.stop.load(Ordering::Relaxed) {
                    return;
                }
                if let Err(error) = self.episode(cell) {
                    self.stop.store(true, Ordering::Relaxed);
                    failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    return;
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.min(self.matrix.cells.len()) {
                scope.spawn(work);
            }
            work();
        });
        failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    /// Held until it is dropped, or the process is gone.
    fn lock(&self) -> Result<File, CliError> {
        let path = self.out.join(LOCK);
        let file = File::create(&path).map_err(|error| cannot_write(&path, &error))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => {
                let error = CliError::new(format!("another `refract run` plays into {}", self.out.display()));
                Err(error.hint("wait for it, or give another folder: --out DIR".to_owned()))
            }
            Err(TryLockError::Error(error)) => Err(cannot_write(&path, &error)),
        }
    }

    /// Whole or not at all.
    fn write_manifest(&self) -> Result<(), CliError> {
        let (path, new) = (self.out.join(MANIFEST), self.out.join("manifest.json.new"));
        let text = format!("{:#}\n", self.matrix.manifest());
        fs::write(&new, text).and_then(|()| fs::rename(&new, &path)).map_err(|error| cannot_write(&path, &error))
    }

    fn episode(&self, cell: &Cell) -> Result<(), CliError> {
        let path = self.out.join(format!("{}.jsonl", cell.name()));
        let failed = |error| cannot_write(&path, &error);
        if let Some(done) = finished(&path, cell).map_err(failed)? {
            if done {
                self.tally.known();
                return Ok(());
            }
            fs::remove_file(&path).map_err(failed)?;
        }
        let agent = (self.make)(cell).unwrap_or_else(|broken| Box::new(Unable(broken)));
        let log = Writer::create(&path).map_err(failed)?;
        let (ended, why) = if self.told {
            self.play(cell, agent, log)
        } else {
            // An episode of microseconds is there to be seen as soon as it is over, and costs one write.
            let mut bytes = Vec::new();
            let played = self.play(cell, agent, Writer::new(&mut bytes));
            log.into_inner().write_all(&bytes).and(played)
        }
        .map_err(failed)?;
        self.tally.played(&ended, why.map(|why| format!("{}: {why}", cell.name())));
        Ok(())
    }

    fn play<W: Write>(
        &self,
        cell: &Cell,
        mut agent: Box<dyn Agent>,
        log: Writer<W>,
    ) -> io::Result<(Ended, Option<String>)> {
        let started = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        let header = cell.header(self.matrix.terms.agent.clone(), started);
        let mut session = Session::begin(cell.world.clone(), cell.terms, header, log)?;
        if self.told {
            let budget = cell.terms.budget.unwrap_or(cell.world.problem.budget);
            let opening = Opening { budget, ..Opening::of(&cell.world, cell.terms.role, cell.terms.toolset) };
            let prompt = Prompt::of(&opening);
            session.say(Speaker::System, prompt.system, false)?;
            session.say(Speaker::User, prompt.user, false)?;
        }
        let used = |usage| self.tally.used(usage);
        play(session, agent.as_mut(), used, || self.stop.load(Ordering::Relaxed) || self.tally.over())
    }
}

/// An agent that could not even be started.
struct Unable(Broken);

impl Agent for Unable {
    fn turn(&mut self, _: &[String]) -> Result<crate::agent::Turn, Broken> {
        Err(self.0.clone())
    }
}

/// Whether the log at a path is this episode, played to its end; `None` if there is none. One that was
/// stopped or broke off, by whatever cause, is not.
fn finished(path: &Path, cell: &Cell) -> io::Result<Option<bool>> {
    let log = match RunSource::file(path).open() {
        Ok(log) => log,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let ended = matches!(log.end(), Some(EndReason::Finished | EndReason::Budget));
    let header = log.header().unwrap_or_default();
    let own = header.extra.get("episode").is_some_and(|raw| raw.get().trim_matches('"') == cell.digest);
    Ok(Some(ended && own))
}

fn cannot_write(path: &Path, error: &io::Error) -> CliError {
    CliError::new(format!("{} cannot be written: {}", path.display(), file::why(error)))
}

/// Where logs go if nobody says: a folder of the agent's name beside the played runs.
pub fn usual_out(agent: &str) -> PathBuf {
    let name: String =
        agent.chars().map(|c| if c.is_ascii_alphanumeric() || ".-_".contains(c) { c } else { '-' }).collect();
    crate::tui::play::kept().unwrap_or_else(|| PathBuf::from("runs")).join(name)
}
