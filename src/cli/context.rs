//! Where files are looked for, and how arguments become entries, runs, roles and tool sets.

use std::{
    cell::RefCell,
    collections::HashMap,
    io::Read,
    path::{Path, PathBuf},
    rc::Rc,
    sync::Arc,
};

use super::{CliError, Output};
use crate::{
    run::{self, Header, Log, Place, RunSource},
    world::{Diagnostic, Domain, Input, Library, RoleId, Severity, SourceFile, ToolsetId, World, suggest},
};

/// What all commands share.
#[derive(Debug)]
pub struct Context {
    root: Option<PathBuf>,
    /// `--ascii`.
    pub ascii: bool,
    /// Folders that were loaded; `None` is the benchmark that comes with the program.
    libraries: RefCell<HashMap<Option<PathBuf>, Rc<Library>>>,
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
    pub library: Rc<Library>,
    /// Run logs.
    pub runs: Vec<RunSource>,
}

impl Context {
    /// With the options that all commands take.
    pub fn new(root: Option<PathBuf>, ascii: bool) -> Self {
        Context { root, ascii, libraries: RefCell::default() }
    }

    /// `--root`.
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Standard output.
    pub fn output(&self) -> Output {
        Output::stdout(self.ascii)
    }

    /// The folder that serves: `--root`, else the current one if it holds `domain/`; `None` is the
    /// benchmark that comes with the program.
    ///
    /// # Errors
    /// When `--root` is no folder that holds anything.
    pub fn home(&self) -> Result<Option<PathBuf>, CliError> {
        let Some(root) = &self.root else {
            let here = PathBuf::from(".");
            return Ok(here.join("domain").is_dir().then_some(here));
        };
        if ["domain", "problems", "runs"].iter().any(|name| root.join(name).is_dir()) {
            return Ok(Some(root.clone()));
        }
        let what = if root.is_dir() { "holds no domain/, problems/ or runs/" } else { "is no folder" };
        Err(CliError::new(format!("--root {} {what}", root.display())))
    }

    /// The entries of a folder, loaded once.
    pub fn library(&self, folder: Option<&Path>) -> Rc<Library> {
        let key = folder.map(Path::to_owned);
        let load = || Rc::new(folder.map_or_else(Library::embedded, Library::open));
        self.libraries.borrow_mut().entry(key).or_insert_with(load).clone()
    }

    /// The files at these paths; without any, those of [`home`](Self::home).
    ///
    /// # Errors
    /// When a path leads nowhere.
    pub fn shelf(&self, paths: &[PathBuf]) -> Result<Shelf, CliError> {
        if paths.is_empty() {
            let home = self.home()?;
            return Ok(Shelf { library: self.library(home.as_deref()), runs: runs_of(home.as_deref())? });
        }
        let (mut inputs, mut runs) = (Vec::new(), Vec::new());
        for path in paths {
            if !path.exists() {
                return Err(CliError::new(format!("there is nothing at {}", path.display())));
            }
            let is_json = path.extension().is_some_and(|extension| extension == "json");
            if path.is_dir() {
                let root = path.join("domain").is_dir() || path.join("problems").is_dir();
                let logs = if root { path.join("runs") } else { path.clone() };
                if logs.is_dir() {
                    runs.extend(found(&logs)?);
                }
                inputs.push(Input::Path(path.clone()));
            } else if is_json {
                inputs.push(Input::Path(path.clone()));
            } else {
                runs.push(RunSource::file(path));
            }
        }
        Ok(Shelf { library: Rc::new(Library::load(inputs, self.root.as_deref())), runs })
    }

    /// The domains and problems at these paths, `-` for standard input. What cannot be read stands
    /// among the faults.
    ///
    /// # Errors
    /// When standard input cannot be read.
    pub fn inputs(&self, paths: &[PathBuf]) -> Result<Library, CliError> {
        let input = |path: &PathBuf| match path.to_str() {
            Some("-") => Ok(Input::Text(SourceFile::from_bytes("<stdin>", &stdin()?))),
            _ => Ok(Input::Path(path.clone())),
        };
        let inputs: Result<Vec<Input>, CliError> = paths.iter().map(input).collect();
        Ok(Library::load(inputs?, self.root.as_deref()))
    }

    /// What stands in a file or on standard input, if the argument is no id.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn file(&self, argument: &str) -> Result<Option<Library>, CliError> {
        let path = PathBuf::from(argument);
        if argument != "-" && !path.is_file() {
            return Ok(None);
        }
        self.inputs(&[path]).map(Some)
    }

    /// The entry of this id or path.
    ///
    /// # Errors
    /// When there is none, or it does not load.
    pub fn world(&self, problem: &str) -> Result<Arc<World>, CliError> {
        if let Some(file) = self.file(problem)? {
            return match file.worlds.values().next() {
                Some(world) => Ok(world.clone()),
                None if file.domains.is_empty() => Err(does_not_load(problem, &file, |_| true)),
                None => Err(CliError::new(format!("{problem} is a domain, not an entry"))),
            };
        }
        let library = self.library(self.home()?.as_deref());
        library.worlds.get(problem).cloned().ok_or_else(|| {
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
        let hint =
            suggest(name, known).unwrap_or_else(|| format!("`refract list` lists the {} that there are", known.len()));
        CliError::new(format!("there is no {what} '{name}'")).hint(hint)
    }

    /// The domain of this name.
    pub fn domain(&self, library: &Library, name: &str) -> Option<Arc<Domain>> {
        library.domains.iter().find(|domain| domain.name == name).cloned()
    }

    /// The runs that an argument names: an id, a file, a folder of logs, or `-`, each with or without
    /// `#STEP`.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn runs(&self, argument: &str) -> Result<Vec<OpenedRun>, CliError> {
        let whole = Place { run: argument, step: None };
        let place = if Path::new(argument).exists() { whole } else { Place::parse(argument) };
        if place.run == "-" {
            let log = Log::read(stdin()?);
            return Ok(vec![OpenedRun { name: "<stdin>".to_owned(), path: None, log, step: place.step }]);
        }
        let path = Path::new(place.run);
        let sources = if path.is_dir() {
            let sources = found(path)?;
            if sources.is_empty() {
                return Err(CliError::new(format!("there are no run logs in {}", path.display())));
            }
            sources
        } else if path.is_file() {
            vec![RunSource::file(path)]
        } else {
            let known = runs_of(self.home()?.as_deref())?;
            vec![run::resolve(place.run, &known).ok_or_else(|| no_run(place.run, &known))?]
        };
        sources.iter().map(|source| open(source, place.step)).collect()
    }

    /// The entry that a run was made on: in `--root`, else in the nearest folder above the log that
    /// holds `domain/`, else in the current folder, else in the benchmark.
    pub fn world_of_run(&self, header: &Header, path: Option<&Path>) -> Option<Arc<World>> {
        let problem = header.problem.as_deref()?;
        let fits = |world: &World| header.domain.as_ref().is_none_or(|name| *name == world.domain.name);
        let find =
            |folder: Option<&Path>| self.library(folder).worlds.get(problem).filter(|world| fits(world)).cloned();
        if let Some(root) = &self.root {
            return find(Some(root));
        }
        let above = path.and_then(|path| {
            let path = std::path::absolute(path).ok()?;
            path.ancestors().skip(1).find(|folder| folder.join("domain").is_dir()).map(Path::to_owned)
        });
        let here = PathBuf::from(".");
        let here = here.join("domain").is_dir().then_some(here);
        let near = above.iter().chain(&here).find_map(|folder| find(Some(folder)));
        near.or_else(|| find(None))
    }
}

/// Opens a run log.
///
/// # Errors
/// When it cannot be read.
pub fn open(source: &RunSource, step: Option<usize>) -> Result<OpenedRun, CliError> {
    let log =
        source.open().map_err(|error| CliError::new(format!("cannot read {}: {error}", source.path.display())))?;
    let path = (!source.embedded).then(|| source.path.clone());
    Ok(OpenedRun { name: source.name.clone(), path, log, step })
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

/// Everything on standard input.
///
/// # Errors
/// When it cannot be read.
pub fn stdin() -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|error| CliError::new(format!("cannot read standard input: {error}")))?;
    Ok(bytes)
}

fn runs_of(home: Option<&Path>) -> Result<Vec<RunSource>, CliError> {
    match home.map(|home| home.join("runs")) {
        None => Ok(run::embedded()),
        Some(folder) if folder.is_dir() => found(&folder),
        Some(_) => Ok(Vec::new()),
    }
}

fn found(folder: &Path) -> Result<Vec<RunSource>, CliError> {
    let found = run::find(folder);
    match found.unreadable.into_iter().next() {
        Some((path, error)) => Err(CliError::new(format!("cannot read {}: {error}", path.display()))),
        None => Ok(found.runs),
    }
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
