//! Where files are looked for, and how arguments become entries, runs, roles and tool sets.

use std::{
    collections::HashMap,
    ffi::OsStr,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{CliError, Output, output::note};
use crate::{
    file,
    run::{self, Header, Log, Place, RunSource},
    tui::{
        config::{self, Config},
        play::kept,
    },
    world::{
        Diagnostic, Domain, Entries, Input, LARGEST, Library, RoleId, Severity, SourceFile, ToolsetId, World, suggest,
    },
};

/// A folder of entries; `None` is the benchmark that comes with the program.
type Home = Option<PathBuf>;

/// What all commands share.
#[derive(Debug)]
pub struct Context {
    root: Option<PathBuf>,
    /// `--ascii`.
    pub ascii: bool,
    /// Those that were loaded.
    libraries: Mutex<HashMap<Home, Arc<Library>>>,
    /// Those of which single entries were loaded.
    entries: Mutex<HashMap<Home, Entries>>,
    /// Folders of run logs, and where the entries of those runs may be.
    homes: Mutex<HashMap<Option<PathBuf>, Arc<[Home]>>>,
}

/// A run that was named on the command line.
#[derive(Debug)]
pub struct OpenedRun {
    /// What to call it if its log does not say.
    pub name: String,
    /// The file, if it is one.
    pub path: Option<PathBuf>,
    /// The log.
    pub log: Log,
    /// The place in it that was asked for.
    pub step: Option<usize>,
}

/// Files to look at: entries and runs.
#[derive(Debug)]
pub struct Shelf {
    /// Domains and problems.
    pub library: Arc<Library>,
    /// Run logs, and what could not be looked into.
    pub runs: Sources,
}

/// The runs that an argument names.
#[derive(Debug, Default)]
pub struct Sources {
    /// The logs, not read yet.
    pub runs: Vec<RunSource>,
    /// The place in them that was asked for.
    pub step: Option<usize>,
    /// What could not be looked into.
    pub unreadable: Vec<CliError>,
}

impl Context {
    /// With the options that all commands take.
    pub fn new(root: Option<PathBuf>, ascii: bool) -> Self {
        Context { root, ascii, libraries: Mutex::default(), entries: Mutex::default(), homes: Mutex::default() }
    }

    /// `--root`.
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Standard output, as the user's configuration wants it; what is wrong with that is told.
    pub fn output(&self) -> Output {
        let (config, faults) = config::load();
        faults.iter().for_each(|fault| note(fault));
        let Config { mut theme, .. } = config;
        theme.ascii |= self.ascii;
        Output::stdout(theme)
    }

    /// The folder that serves: `--root`, else the current one if it holds `domain/`; `None` is the
    /// benchmark that comes with the program.
    ///
    /// # Errors
    /// When `--root` is no folder that holds anything.
    pub fn home(&self) -> Result<Option<PathBuf>, CliError> {
        let Some(root) = &self.root else {
            return Ok(run::here());
        };
        if ["domain", "problems", "runs"].iter().any(|name| root.join(name).is_dir()) {
            return Ok(Some(root.clone()));
        }
        let what = if root.is_dir() { "holds no domain/, problems/ or runs/" } else { "is no folder" };
        Err(CliError::new(format!("--root {} {what}", root.display())))
    }

    /// The entries of a folder, loaded once.
    pub fn library(&self, folder: Option<&Path>) -> Arc<Library> {
        let key = folder.map(Path::to_owned);
        let load = || Arc::new(folder.map_or_else(Library::embedded, Library::open));
        lock(&self.libraries).entry(key).or_insert_with(load).clone()
    }

    /// The entry of this id in a folder. Others beside it are loaded only where no file is named after it.
    pub fn entry(&self, folder: Option<&Path>, id: &str) -> Option<Arc<World>> {
        let of = |folder: &Home| Entries::of(folder.clone());
        let alone = lock(&self.entries).entry(folder.map(Path::to_owned)).or_insert_with_key(of).get(id);
        alone.or_else(|| self.library(folder).worlds.get(id).cloned())
    }

    /// The files at these paths; without any, those of [`home`](Self::home).
    ///
    /// # Errors
    /// When a path leads nowhere.
    pub fn shelf(&self, paths: &[PathBuf]) -> Result<Shelf, CliError> {
        if paths.is_empty() {
            let home = self.home()?;
            return Ok(Shelf { library: self.library(home.as_deref()), runs: self.runs_at_home()? });
        }
        let (mut inputs, mut runs) = (Vec::new(), Sources::default());
        for path in paths {
            if !path.exists() {
                runs.unreadable.push(CliError::new(format!("there is nothing at {}", path.display())));
                continue;
            }
            let is_json = path.extension().is_some_and(|extension| extension == "json");
            if path.is_dir() {
                let root = path.join("domain").is_dir() || path.join("problems").is_dir();
                let logs = if root { path.join("runs") } else { path.clone() };
                if logs.is_dir() {
                    runs.look_into(&logs);
                }
                inputs.push(Input::Path(path.clone()));
            } else if is_json {
                inputs.push(Input::Path(path.clone()));
            } else {
                runs.runs.push(RunSource::file(path));
            }
        }
        if inputs.is_empty()
            && runs.runs.is_empty()
            && let Some(error) = runs.unreadable.pop()
        {
            for earlier in runs.unreadable {
                earlier.report();
            }
            return Err(error);
        }
        Ok(Shelf { library: Arc::new(Library::load(inputs, self.root.as_deref())), runs })
    }

    /// The domains and problems at these paths, `-` for standard input. What cannot be read stands
    /// among the faults.
    ///
    /// # Errors
    /// When standard input cannot be read.
    pub fn inputs(&self, paths: &[PathBuf]) -> Result<Library, CliError> {
        let input = |path: &PathBuf| match path.to_str() {
            Some("-") => Ok(Input::Text(SourceFile::from_bytes("<stdin>", &stdin(Some(LARGEST))?))),
            _ => Ok(Input::Path(path.clone())),
        };
        let inputs: Result<Vec<Input>, CliError> = paths.iter().map(input).collect();
        Ok(Library::load(inputs?, self.root.as_deref()))
    }

    /// What stands in a file, a pipe or on standard input, if the argument is no id.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn file(&self, argument: &OsStr) -> Result<Option<Library>, CliError> {
        let path = PathBuf::from(argument);
        if argument != "-" && (!path.exists() || path.is_dir()) {
            return Ok(None);
        }
        self.inputs(&[path]).map(Some)
    }

    /// The entry of this id or path.
    ///
    /// # Errors
    /// When there is none, or it does not load.
    pub fn world(&self, problem: &OsStr) -> Result<Arc<World>, CliError> {
        let file = self.file(problem)?;
        let problem = &*problem.to_string_lossy();
        if let Some(file) = file {
            return match file.worlds.values().next() {
                Some(world) => Ok(world.clone()),
                None if file.domains.is_empty() => Err(does_not_load(problem, &file, |_| true)),
                None => Err(CliError::new(format!("{problem} is a domain, not an entry"))),
            };
        }
        let home = self.home()?;
        self.entry(home.as_deref(), problem).ok_or_else(|| {
            let library = self.library(home.as_deref());
            let ids: Vec<&str> = library.worlds.keys().map(String::as_str).collect();
            self.not_found("entry", problem, &library, &ids)
        })
    }

    /// Says that nothing has this name, or that what has it does not load.
    pub fn not_found(&self, what: &str, name: &str, library: &Library, known: &[&str]) -> CliError {
        let quoted = serde_json::Value::from(name).to_string();
        let names = |fault: &Diagnostic| fault.file.text.contains(&quoted);
        if library.diagnostics.iter().any(|fault| fault.severity == Severity::Error && names(fault)) {
            return does_not_load(name, library, names);
        }
        if name.contains('/') || name.ends_with(".json") {
            return CliError::new(format!("there is no file {name}"));
        }
        let hint = if Path::new(name).is_dir() {
            Some(format!("it is a folder: `refract list {name}` lists what is in it"))
        } else {
            suggest(name, known)
        };
        let hint = hint.unwrap_or_else(|| format!("`refract list` lists the {} that there are", known.len()));
        CliError::new(format!("there is no {what} '{name}'")).hint(hint)
    }

    /// The domain of this name.
    pub fn domain(&self, library: &Library, name: &str) -> Option<Arc<Domain>> {
        library.domains.iter().find(|domain| domain.name == name).cloned()
    }

    /// The runs that an argument names: an id, a file or pipe, a folder of logs, or `-`, each with or
    /// without `#STEP`.
    ///
    /// # Errors
    /// When there is none.
    pub fn runs(&self, argument: &OsStr) -> Result<Sources, CliError> {
        let whole = PathBuf::from(argument);
        let (path, step) = if whole.exists() { (whole, None) } else { place(argument)? };
        let path = path.as_path();
        let mut sources = Sources { step, ..Sources::default() };
        if path == Path::new(STDIN) {
            sources.runs.push(RunSource { name: "<stdin>".to_owned(), path: STDIN.into(), embedded: false });
        } else if path.is_dir() {
            sources.look_into(path);
            if sources.runs.is_empty() && sources.unreadable.is_empty() {
                return Err(CliError::new(format!("there are no run logs in {}", path.display())));
            }
        } else if path.exists() {
            sources.runs.push(RunSource::file(path));
        } else {
            let known = self.runs_at_home()?.runs;
            let id = path.to_string_lossy();
            sources.runs.push(run::resolve(&id, &known).ok_or_else(|| no_run(&id, &known))?);
        }
        Ok(sources)
    }

    /// The [runs where none are named](run::shelved): also those that were played or made before.
    fn runs_at_home(&self) -> Result<Sources, CliError> {
        self.home()?;
        let mut sources = Sources::default();
        sources.add(run::shelved(self.root(), kept().as_deref()));
        Ok(sources)
    }

    /// The entry that a run was made on, in one of its [homes](run::homes).
    pub fn world_of_run(&self, header: &Header, path: Option<&Path>) -> Option<Arc<World>> {
        header.problem.as_ref()?;
        let homes = self.homes(path);
        homes.iter().find_map(|home| run::entry_of(header, |id| self.entry(home.as_deref(), id)))
    }

    /// The [homes](run::homes) of a log, looked for once for all of a folder.
    fn homes(&self, log: Option<&Path>) -> Arc<[Home]> {
        let folder = log.and_then(Path::parent).map(Path::to_owned);
        let find = || run::homes(self.root(), log).collect();
        lock(&self.homes).entry(folder).or_insert_with(find).clone()
    }
}

impl Sources {
    fn look_into(&mut self, folder: &Path) {
        self.add(run::find(folder));
    }

    fn add(&mut self, found: run::Found) {
        self.runs.extend(found.runs);
        self.unreadable.extend(found.unreadable.iter().map(|(path, error)| unreadable(path, error)));
    }
}

/// A run by id or path, and the step behind the last `#` ([`Place`]). A path need not be text.
///
/// # Errors
/// When what stands behind the `#` is no step.
pub fn place(argument: &OsStr) -> Result<(PathBuf, Option<usize>), CliError> {
    match argument.to_str() {
        Some(text) => {
            let place = Place::parse(text).map_err(|error| CliError::new(error.to_string()))?;
            Ok((place.run.into(), place.step))
        }
        None => Ok(split(argument).unwrap_or((argument.into(), None))),
    }
}

#[cfg(unix)]
fn split(argument: &OsStr) -> Option<(PathBuf, Option<usize>)> {
    use std::os::unix::ffi::OsStrExt;
    let bytes = argument.as_bytes();
    let at = bytes.iter().rposition(|byte| *byte == b'#')?;
    let step = std::str::from_utf8(&bytes[at + 1..]).ok()?.parse().ok()?;
    Some((OsStr::from_bytes(&bytes[..at]).into(), Some(step)))
}

#[cfg(not(unix))]
fn split(_: &OsStr) -> Option<(PathBuf, Option<usize>)> {
    None
}

/// What is kept is whole even where a thread that added to it panicked.
fn lock<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How standard input is named.
const STDIN: &str = "-";

/// Opens a run log.
///
/// # Errors
/// When it cannot be read.
pub fn open(source: &RunSource, step: Option<usize>) -> Result<OpenedRun, CliError> {
    if source.path == Path::new(STDIN) {
        let log = Log::read(stdin(None)?);
        return Ok(OpenedRun { name: source.name.clone(), path: None, log, step });
    }
    let log = source.open().map_err(|error| unreadable(&source.path, &error))?;
    let path = (!source.embedded).then(|| source.path.clone());
    Ok(OpenedRun { name: source.name.clone(), path, log, step })
}

/// Says that a file cannot be read.
pub fn unreadable(path: &Path, error: &std::io::Error) -> CliError {
    CliError::new(format!("{} cannot be read: {}", path.display(), file::why(error)))
}

/// The role of this name.
///
/// # Errors
/// Names the roles that there are.
pub fn role(world: &World, name: &str) -> Result<RoleId, CliError> {
    world.domain.role_id(name).ok_or_else(|| {
        let roles: Vec<&str> = world.domain.roles.keys().map(String::as_str).collect();
        CliError::new(format!("there is no role '{name}'")).hint(suggest(name, &roles))
    })
}

/// Says that a role has no perspective in an entry, and which have.
pub fn no_perspective(world: &World, role: &str) -> CliError {
    let roles: Vec<&str> = world.problem.perspectives.keys().map(|&role| world.domain.role_name(role)).collect();
    CliError::new(format!("{} has no perspective of the {role}", world.problem.id))
        .hint(format!("it has those of {}", roles.join(", ")))
}

/// The tool set of this name; without a name the first.
///
/// # Errors
/// Names the tool sets that there are.
pub fn toolset(world: &World, name: Option<&str>) -> Result<ToolsetId, CliError> {
    let Some(name) = name else { return Ok(ToolsetId(0)) };
    world.problem.toolsets.get_index_of(name).map(ToolsetId::from).ok_or_else(|| {
        let names: Vec<&str> = world.problem.toolsets.keys().map(String::as_str).collect();
        CliError::new(format!("there is no tool set '{name}'")).hint(suggest(name, &names))
    })
}

/// The errors among the faults of some files.
pub fn errors(diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
    diagnostics.iter().filter(|fault| fault.severity == Severity::Error).cloned().collect()
}

/// Everything on standard input, at most `limit` bytes.
///
/// # Errors
/// When it cannot be read.
fn stdin(limit: Option<u64>) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    file::read_to_end(std::io::stdin().lock(), limit, &mut bytes)
        .map_err(|error| CliError::new(format!("standard input cannot be read: {}", file::why(&error))))?;
    Ok(bytes)
}

fn no_run(name: &str, known: &[RunSource]) -> CliError {
    if name.contains('/') || name.ends_with(".jsonl") {
        return CliError::new(format!("there is no file {name}"));
    }
    let names: Vec<&str> = known.iter().map(|run| run.name.as_str()).collect();
    let hint =
        suggest(name, &names).unwrap_or_else(|| format!("`refract list` lists the {} that there are", names.len()));
    CliError::new(format!("there is no run '{name}'")).hint(hint)
}

fn does_not_load(name: &str, library: &Library, about: impl Fn(&Diagnostic) -> bool) -> CliError {
    let faults = errors(&library.diagnostics).into_iter().filter(about).collect();
    CliError::new(format!("{name} does not load")).diagnostics(faults)
}
