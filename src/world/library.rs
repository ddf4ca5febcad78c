//! Finding domain and problem files: the embedded benchmark, folders, single files.

use std::{
    collections::{HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use include_dir::{Dir, File, include_dir};
use indexmap::IndexMap;

use super::{
    Diagnostic, Domain, SourceFile, World,
    domain_file::DomainDraft,
    faults::Faults,
    json::{self, Json, Value},
    problem_file::ProblemDraft,
    syntax::is_name,
};
use crate::file;

static DOMAINS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/domain");
static PROBLEMS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/problems");

/// Domains and problems, and all that is wrong with their files. A faulty file costs nothing but
/// itself, and problems of a faulty domain.
#[derive(Debug, Default)]
pub struct Library {
    /// Every file that was read, in the order of reading.
    pub files: Vec<Arc<SourceFile>>,
    /// The domains without errors.
    pub domains: Vec<Arc<Domain>>,
    /// The problems without errors, by id; those of one folder in the order of file names.
    pub worlds: IndexMap<String, Arc<World>>,
    /// What is wrong, file by file.
    pub diagnostics: Vec<Diagnostic>,
    /// JSON files beside those of a folder that are neither domain nor problem by their keys.
    pub others: usize,
}

/// The entries of one place, each loaded when it is first asked for: its file and the domain alone.
#[derive(Debug, Default)]
pub struct Entries {
    /// A folder; `None` is the benchmark that comes with the program.
    home: Option<PathBuf>,
    loader: Loader,
    asked: HashSet<String>,
}

impl Entries {
    /// Those in the `problems/` of a folder; of `None`, those that come with the program.
    pub fn of(home: Option<PathBuf>) -> Entries {
        Entries { home, ..Entries::default() }
    }

    /// The entry of this id, from the file that is named after it. `None` if that file is not there,
    /// has errors or another id: a [`Library`] then says more.
    pub fn get(&mut self, id: &str) -> Option<Arc<World>> {
        if !self.asked.contains(id) && is_name(id) {
            self.asked.insert(id.to_owned());
            self.load(&format!("{id}.json"), id);
        }
        self.loader.library.worlds.get(id).cloned()
    }

    fn load(&mut self, name: &str, id: &str) -> Option<()> {
        let (file, places) = match &self.home {
            None => (embedded_file("problems", PROBLEMS.get_file(name)?), vec![Place::Embedded]),
            Some(home) => {
                let path = home.join("problems").join(name);
                let root = nearest_root(&path).map(Place::Root);
                // A pipe of this name would be waited for.
                let file = path.is_file().then(|| SourceFile::read(&path).ok())??;
                (Arc::new(file), root.into_iter().chain([Place::Embedded]).collect())
            }
        };
        let draft = ProblemDraft::parse(file);
        draft.id().filter(|own| own.text == id)?;
        self.loader.problem(draft, &places);
        Some(())
    }
}

/// Something to load.
#[derive(Debug)]
pub enum Input {
    /// A domain file, a problem file, a folder with `domain/` or `problems/`, or a folder of files.
    Path(PathBuf),
    /// A domain or problem that was read already, such as standard input.
    Text(SourceFile),
}

impl Library {
    /// The benchmark that comes with the program.
    pub fn embedded() -> Self {
        let mut loader = Loader::default();
        loader.shelve_embedded();
        for file in embedded("problems", &PROBLEMS) {
            let draft = ProblemDraft::parse(file);
            loader.problem(draft, &[Place::Embedded]);
        }
        loader.library
    }

    /// The domains and problems of a folder that holds `domain/` and `problems/`.
    pub fn open(root: &Path) -> Self {
        Library::load(vec![Input::Path(root.to_owned())], None)
    }

    /// Loads files and folders. The domain of a problem is looked for among the files given, in
    /// `root`, in the nearest folder above the problem that holds a `domain/`, and at last in the
    /// embedded benchmark.
    pub fn load(inputs: Vec<Input>, root: Option<&Path>) -> Self {
        let mut loader = Loader::default();
        let mut problems = Vec::new();
        for input in inputs {
            match input {
                Input::Text(file) => loader.file(Arc::new(file), PathBuf::from("-"), &mut problems, true),
                Input::Path(path) if path.is_dir() => loader.folder(&path, &mut problems),
                Input::Path(path) => loader.path(path, &mut problems),
            }
        }
        for (draft, path) in problems {
            let mut places = vec![Place::Given];
            places.extend(root.map(|root| Place::Root(root.to_owned())));
            places.extend(nearest_root(&path).map(Place::Root));
            places.push(Place::Embedded);
            loader.problem(draft, &places);
        }
        loader.library
    }
}

/// Where domains are looked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Place {
    /// Among the files given.
    Given,
    /// In the `domain/` of a folder.
    Root(PathBuf),
    Embedded,
}

/// The domains of a place, by name.
#[derive(Debug, Default)]
struct Shelf {
    /// `None`: its file has errors.
    domains: HashMap<String, Option<Arc<Domain>>>,
    /// A file whose name could not be read; it may hold any domain.
    unread: bool,
}

#[derive(Debug, Default)]
struct Loader {
    library: Library,
    shelves: HashMap<Place, Shelf>,
    /// Problem ids, and the file in which each was seen.
    ids: HashMap<String, String>,
    /// Files read so far: what is given twice is loaded once.
    seen: HashSet<PathBuf>,
}

impl Loader {
    fn folder(&mut self, folder: &Path, problems: &mut Vec<(ProblemDraft, PathBuf)>) {
        let (domains, entries) = (folder.join("domain"), folder.join("problems"));
        if !domains.is_dir() && !entries.is_dir() {
            for path in self.json_files(folder) {
                if let Some(file) = self.read(&path) {
                    self.file(file, path, problems, false);
                }
            }
            return;
        }
        if domains.is_dir() {
            self.shelve(folder);
        }
        if entries.is_dir() {
            for path in self.json_files(&entries) {
                if let Some(file) = self.read(&path) {
                    problems.push((ProblemDraft::parse(file), path));
                }
            }
        }
    }

    fn path(&mut self, path: PathBuf, problems: &mut Vec<(ProblemDraft, PathBuf)>) {
        if let Some(file) = self.read(&path) {
            self.file(file, path, problems, true);
        }
    }

    /// A file that may be of either kind: what it holds tells. What is of neither is a fault of a
    /// file that was `named`; one that merely lies in a folder is let lie.
    fn file(&mut self, file: Arc<SourceFile>, path: PathBuf, problems: &mut Vec<(ProblemDraft, PathBuf)>, named: bool) {
        let mut faults = Faults::new(file);
        match json::parse(&mut faults) {
            Some(json) if !named && !is_domain(&json) && !is_problem(&json) => self.library.others += 1,
            Some(json) if is_domain(&json) => {
                self.domain(Place::Given, DomainDraft::from_json(Some(json), faults));
            }
            json => problems.push((ProblemDraft::from_json(json, faults), path)),
        }
    }

    /// Loads the `domain/` of a folder, once.
    fn shelve(&mut self, root: &Path) {
        let place = Place::Root(root.to_owned());
        if self.shelves.contains_key(&place) {
            return;
        }
        self.shelves.insert(place.clone(), Shelf::default());
        for path in self.json_files(&root.join("domain")) {
            if let Some(file) = self.read(&path) {
                self.domain(place.clone(), DomainDraft::parse(file));
            }
        }
    }

    fn shelve_embedded(&mut self) {
        if self.shelves.contains_key(&Place::Embedded) {
            return;
        }
        self.shelves.insert(Place::Embedded, Shelf::default());
        for file in embedded("domain", &DOMAINS) {
            self.domain(Place::Embedded, DomainDraft::parse(file));
        }
    }

    fn domain(&mut self, place: Place, mut draft: DomainDraft) {
        self.library.files.push(draft.faults.file.clone());
        let shelf = self.shelves.entry(place).or_default();
        let Some(name) = draft.name().cloned() else {
            shelf.unread = true;
            self.library.diagnostics.extend(draft.resolve().1);
            return;
        };
        let twice = shelf.domains.contains_key(&name.text);
        if twice {
            let message = format!("another domain of this folder is called '{}' too", name.text);
            draft.faults.error("duplicate-domain", name.span, message);
        }
        let (domain, faults) = draft.resolve();
        self.library.diagnostics.extend(faults);
        let domain = domain.map(Arc::new);
        if !twice {
            self.library.domains.extend(domain.clone());
            shelf.domains.insert(name.text, domain);
        }
    }

    fn problem(&mut self, mut draft: ProblemDraft, places: &[Place]) {
        let file = draft.faults.file.clone();
        self.library.files.push(file.clone());
        let id = draft.id().cloned();
        if let Some(id) = &id {
            if let Some(first) = self.ids.get(&id.text) {
                let message = format!("the id '{}' stands in another file too", id.text);
                draft.faults.error("duplicate-id", id.span.clone(), message).help(format!("it is the id of {first}"));
            } else {
                self.ids.insert(id.text.clone(), file.name.clone());
            }
        }
        let Some(name) = draft.domain().cloned() else {
            self.library.diagnostics.extend(draft.faults.finish());
            return;
        };
        for place in places {
            match place {
                Place::Root(root) => self.shelve(root),
                Place::Embedded => self.shelve_embedded(),
                Place::Given => {}
            }
            if let Some(domain) = self.shelves.get(place).and_then(|shelf| shelf.domains.get(&name.text)) {
                // What is wrong with the domain was reported where it stands.
                let (world, faults) = match domain.clone() {
                    Some(domain) => draft.resolve(&domain),
                    None => (None, draft.faults.finish()),
                };
                self.library.diagnostics.extend(faults);
                self.library.worlds.extend(world.map(|world| (world.problem.id.clone(), Arc::new(world))));
                return;
            }
        }
        let shelves = || places.iter().filter_map(|place| self.shelves.get(place));
        if !shelves().any(|shelf| shelf.unread) {
            let known: Vec<&str> = shelves().flat_map(|shelf| shelf.domains.keys()).map(String::as_str).collect();
            draft.faults.unknown("unknown-domain", "domain", &name.text, name.span, known);
        }
        self.library.diagnostics.extend(draft.faults.finish());
    }

    /// Reads a file; what cannot be read is reported, what was read before is not read again.
    fn read(&mut self, path: &Path) -> Option<Arc<SourceFile>> {
        match SourceFile::read(path) {
            Ok(file) => {
                let key = path.canonicalize().unwrap_or_else(|_| path.to_owned());
                self.seen.insert(key).then(|| Arc::new(file))
            }
            Err(error) => {
                self.unreadable(path, &error);
                None
            }
        }
    }

    /// The JSON files of a folder, in order of their names.
    fn json_files(&mut self, folder: &Path) -> Vec<PathBuf> {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => {
                self.unreadable(folder, &error);
                return Vec::new();
            }
        };
        let mut files: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|e| e == "json"))
            // A pipe among the files would be waited for; a link to nowhere is reported.
            .filter(|path| path.metadata().map_or(true, |data| data.is_file()))
            .collect();
        files.sort();
        files
    }

    fn unreadable(&mut self, path: &Path, error: &std::io::Error) {
        let mut faults = Faults::new(Arc::new(SourceFile::new(path.display().to_string(), "")));
        faults.error("unreadable", 0..0, format!("cannot be read: {}", file::why(error)));
        self.library.diagnostics.extend(faults.finish());
    }
}

/// Whether this is meant to be a domain: it has what only domains have.
fn is_domain(json: &Json) -> bool {
    has(json, &["predicates", "tools", "taxonomy", "roles"]) && !has(json, &["perspectives", "query"])
}

/// Whether this is meant to be a problem.
fn is_problem(json: &Json) -> bool {
    has(json, &["query", "perspectives", "toolsets", "objects", "init"])
}

fn has(json: &Json, keys: &[&str]) -> bool {
    let Value::Object(members) = &json.value else { return false };
    members.iter().any(|member| keys.contains(&member.key.text.as_str()))
}

/// The nearest folder above a file that holds a `domain/`: by the path as given, so that messages
/// name files as the user does, then by the absolute one.
pub fn nearest_root(path: &Path) -> Option<PathBuf> {
    let holds = |folder: &Path| folder.join("domain").is_dir();
    let near = path.ancestors().skip(1).find(|folder| holds(folder)).map(Path::to_owned);
    near.or_else(|| {
        let path = std::path::absolute(path).ok()?;
        path.ancestors().skip(1).find(|folder| holds(folder)).map(Path::to_owned)
    })
}

/// The JSON files of an embedded folder, in order of their names.
fn embedded(kind: &str, folder: &Dir<'static>) -> Vec<Arc<SourceFile>> {
    let mut files: Vec<_> =
        folder.files().filter(|file| file.path().extension().is_some_and(|e| e == "json")).collect();
    files.sort_by_key(|file| file.path());
    files.into_iter().map(|file| embedded_file(kind, file)).collect()
}

fn embedded_file(kind: &str, file: &File<'static>) -> Arc<SourceFile> {
    let name = format!("embedded:{kind}/{}", file.path().display());
    Arc::new(SourceFile::from_bytes(name, file.contents()))
}
