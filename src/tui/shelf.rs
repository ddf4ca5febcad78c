//! What the inspector was opened on: entries and runs, found and loaded on any thread.
//!
//! All screens of one inspector share one shelf. It opens no file itself: [`Library`] and
//! [`RunSource`] do.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::browser::item::Held;
use super::browser::load::Sketch;
use super::play::Out;
use crate::plan::{Limits, Planners};
use crate::run::{self, Header, Log, Replay, RunSource, Setup};
use crate::score::Scored;
use crate::world::{Input, Library, World};

/// Where entries and runs come from, and the libraries that were loaded so far.
#[derive(Debug)]
pub struct Shelf {
    /// `--root`.
    root: Option<PathBuf>,
    /// What was named; empty for home.
    paths: Vec<PathBuf>,
    /// Where runs that are played or made are kept.
    kept: Option<PathBuf>,
    libraries: Mutex<HashMap<Place, Arc<Library>>>,
    last_play: Mutex<Option<(String, String)>>,
    /// What was read of runs, by path.
    known: Mutex<HashMap<PathBuf, (Arc<Sketch>, Held)>>,
    out: Mutex<Option<Out>>,
    /// What distances were found so far, for all screens.
    pub planners: Planners,
}

/// How much a search for a plan may cost while somebody looks at a screen; beyond it a distance is
/// unknown there.
const LIMITS: Limits = Limits { expansions: 100_000, bytes: 256 << 20, effort: 5_000_000 };

impl Default for Shelf {
    fn default() -> Shelf {
        Shelf {
            root: None,
            paths: Vec::new(),
            kept: None,
            libraries: Mutex::default(),
            last_play: Mutex::default(),
            out: Mutex::default(),
            known: Mutex::default(),
            planners: Planners::new(LIMITS),
        }
    }
}

/// What a library was loaded from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Place {
    Benchmark,
    Folder(PathBuf),
    /// All that was named.
    Named,
}

/// The runs of a shelf, and what could not be looked into.
#[derive(Debug, Default)]
pub struct FoundRuns {
    /// In the order of what was named, then by path.
    pub runs: Vec<RunSource>,
    /// Paths and why they could not be read.
    pub unreadable: Vec<(PathBuf, String)>,
}

impl Shelf {
    /// What stands at `root`; else at the current folder if it holds `domain/`; else the benchmark
    /// that comes with the program, and `./runs`.
    pub fn home(root: Option<PathBuf>) -> Shelf {
        Shelf { root, ..Shelf::default() }
    }

    /// These files and folders. Domains of their problems are looked for in `root` too.
    pub fn of(paths: Vec<PathBuf>, root: Option<PathBuf>) -> Shelf {
        Shelf { root, paths, ..Shelf::default() }
    }

    /// At home, the runs in this folder too, if it is there: those that were played or made.
    pub fn keeping(self, kept: Option<PathBuf>) -> Shelf {
        Shelf { kept, ..self }
    }

    /// What it is, in a few words: `benchmark + ./runs`.
    pub fn label(&self) -> String {
        let names: Vec<String> = self.paths.iter().map(|path| path.display().to_string()).collect();
        match (names.as_slice(), self.folder()) {
            ([], Some(folder)) if folder == Path::new(".") => format!("this folder{}", self.played()),
            ([], Some(folder)) => format!("{}{}", folder.display(), self.played()),
            ([], None) => {
                let beside =
                    if Path::new(run::BESIDE).is_dir() { format!(" + {}", run::BESIDE) } else { String::new() };
                format!("benchmark{beside}{}", self.played())
            }
            ([one, another, rest @ ..], _) if !rest.is_empty() => format!("{one}, {another} and {} more", rest.len()),
            (names, _) => names.join(", "),
        }
    }

    /// Whether only runs were named, so that a list of runs is what is wanted.
    pub fn only_runs(&self) -> bool {
        let is_log = |path: &PathBuf| !holds_entries(path) && !is_json(path);
        !self.paths.is_empty() && self.paths.iter().all(is_log)
    }

    /// Its entries. Loads them the first time; may take long.
    pub fn library(&self) -> Arc<Library> {
        match (self.paths.is_empty(), self.folder()) {
            (true, None) => self.load(Place::Benchmark),
            (true, Some(folder)) => self.load(Place::Folder(folder)),
            (false, _) => self.load(Place::Named),
        }
    }

    /// Its runs.
    pub fn runs(&self) -> FoundRuns {
        let mut found = FoundRuns::default();
        if !self.paths.is_empty() {
            for path in self.paths.iter().filter(|path| !is_json(path)) {
                let inside = if is_root(path) { path.join("runs") } else { path.clone() };
                found.look_into(&inside, inside != *path);
            }
            return found;
        }
        run::shelved(self.root.as_deref(), self.kept.as_deref()).into()
    }

    /// Says so where the runs in the user's data folder are among what is shown.
    fn played(&self) -> &'static str {
        let home = self.paths.is_empty() && self.root.is_none();
        if home && self.kept.as_deref().is_some_and(Path::is_dir) { " + your runs" } else { "" }
    }

    /// The entry that a run was made on: of the shelf, else of one of its [homes](run::homes).
    pub fn world_of(&self, header: &Header, log: Option<&Path>) -> Option<Arc<World>> {
        header.problem.as_ref()?;
        let find = |library: Arc<Library>| run::entry_of(header, |id| library.worlds.get(id).cloned());
        find(self.library()).or_else(|| {
            let mut places =
                run::homes(self.root.as_deref(), log).map(|home| home.map_or(Place::Benchmark, Place::Folder));
            places.find_map(|place| find(self.load(place)))
        })
    }

    /// Nothing executed yet: a replay of a log, if its world is here.
    pub fn replay(&self, log: &Log, path: Option<&Path>) -> Option<Replay> {
        let header = log.header()?;
        let setup = Setup::of(&header, &self.world_of(&header, path)?).ok()?;
        let world_match = setup.matches(&header);
        Some(Replay::new(setup, world_match))
    }

    /// Role and tool set that were played last: what is preselected the next time.
    pub fn last_play(&self) -> Option<(String, String)> {
        self.last_play.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Remembers them.
    pub fn set_last_play(&self, names: (String, String)) {
        *self.last_play.lock().unwrap_or_else(PoisonError::into_inner) = Some(names);
    }

    /// What was read of a run at a path.
    pub fn sketch(&self, path: &Path) -> Option<Arc<Sketch>> {
        self.known().get(path).map(|(sketch, _)| sketch.clone())
    }

    /// What a run at a path is against plans, as far as that was asked.
    pub fn held(&self, path: &Path) -> Held {
        self.known().get(path).map(|(_, held)| held.clone()).unwrap_or_default()
    }

    /// Keeps what was read of a run, for the next screen that lists it.
    pub fn keep_sketch(&self, path: &Path, sketch: &Arc<Sketch>) {
        self.known().insert(path.to_owned(), (sketch.clone(), Held::Waiting));
    }

    /// Keeps what a run is against plans.
    pub fn keep_held(&self, path: &Path, scored: &Arc<Scored>) {
        if let Some((_, held)) = self.known().get_mut(path) {
            *held = Held::Known(scored.clone());
        }
    }

    /// Where logs of played runs were asked to go.
    pub fn out(&self) -> Option<Out> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Remembers it.
    pub fn set_out(&self, out: Out) {
        *self.out.lock().unwrap_or_else(PoisonError::into_inner) = Some(out);
    }

    /// Reads everything anew from disk when it is asked for next.
    pub fn forget(&self) {
        self.lock().clear();
        self.known().clear();
        self.planners.forget();
    }

    /// Reads runs without an end anew when they are asked for next: they may have gone on.
    pub fn forget_unended(&self) {
        self.known().retain(|_, (sketch, _)| sketch.summary.end.is_some());
    }

    /// The folder that serves where nothing is named.
    fn folder(&self) -> Option<PathBuf> {
        self.root.clone().or_else(run::here)
    }

    fn load(&self, place: Place) -> Arc<Library> {
        if let Some(library) = self.lock().get(&place) {
            return library.clone();
        }
        let library = Arc::new(match &place {
            Place::Benchmark => Library::embedded(),
            Place::Folder(folder) => Library::open(folder),
            Place::Named => {
                let named = self.paths.iter().filter(|path| holds_entries(path) || is_json(path));
                Library::load(named.cloned().map(Input::Path).collect(), self.root.as_deref())
            }
        });
        // Two threads may have loaded it at once; all go on with the first.
        self.lock().entry(place).or_insert(library).clone()
    }

    fn known(&self) -> MutexGuard<'_, HashMap<PathBuf, (Arc<Sketch>, Held)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Place, Arc<Library>>> {
        self.libraries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FoundRuns {
    /// Adds the runs at a path; one that need not be there may be missing.
    fn look_into(&mut self, path: &Path, may_lack: bool) {
        if may_lack && !path.exists() {
            return;
        }
        let found = FoundRuns::from(run::find(path));
        self.runs.extend(found.runs);
        self.unreadable.extend(found.unreadable);
    }
}

impl From<run::Found> for FoundRuns {
    fn from(found: run::Found) -> FoundRuns {
        let why = |(path, error): (PathBuf, std::io::Error)| (path, error.to_string());
        FoundRuns { runs: found.runs, unreadable: found.unreadable.into_iter().map(why).collect() }
    }
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json")
}

/// Whether a folder is laid out like the benchmark's.
fn is_root(path: &Path) -> bool {
    path.join("domain").is_dir() || path.join("problems").is_dir()
}

/// Whether a folder holds entries: `domain/`, `problems/`, or files that may be problems. Beside run
/// logs, other files are notes on them.
fn holds_entries(path: &Path) -> bool {
    if is_root(path) {
        return true;
    }
    let files = || std::fs::read_dir(path).into_iter().flatten().flatten().map(|file| file.path());
    let is_log = |file: &Path| file.extension().is_some_and(|extension| extension == "jsonl");
    path.is_dir() && files().any(|file| is_json(&file)) && !files().any(|file| is_log(&file))
}
