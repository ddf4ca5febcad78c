//! Finding runs: on disk, and those that come with the program.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

use super::Log;
use crate::file;

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/runs");

/// A run log that can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunSource {
    /// The file's name without `.jsonl`. An id for people; the header may have another.
    pub name: String,
    /// Where it is; below `runs/` for one that comes with the program.
    pub path: PathBuf,
    /// Whether it comes with the program.
    pub embedded: bool,
}

/// The runs that were found, and what could not be looked into.
#[derive(Debug, Default)]
pub struct Found {
    /// Sorted by path within each folder that was asked for.
    pub runs: Vec<RunSource>,
    /// Paths that could not be read, and why.
    pub unreadable: Vec<(PathBuf, io::Error)>,
}

/// A run as it is named on the command line: `RUN` or `RUN#STEP`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'a> {
    /// An id or a path.
    pub run: &'a str,
    /// The step, from 0 (the start).
    pub step: Option<usize>,
}

/// What stands behind the `#` of a place is no step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the step after # must be a whole number, not '{0}'")]
pub struct NoStep<'a>(pub &'a str);

impl<'a> Place<'a> {
    /// Reads a place. What stands behind the last `#` is the step.
    ///
    /// # Errors
    /// When that is no whole number.
    pub fn parse(text: &'a str) -> Result<Place<'a>, NoStep<'a>> {
        match text.rsplit_once('#') {
            Some((run, step)) if !run.is_empty() => {
                let digits = step.bytes().all(|byte| byte.is_ascii_digit());
                let step = step.parse().ok().filter(|_| digits).ok_or(NoStep(step))?;
                Ok(Place { run, step: Some(step) })
            }
            _ => Ok(Place { run: text, step: None }),
        }
    }
}

impl RunSource {
    /// A file on disk.
    pub fn file(path: &Path) -> RunSource {
        RunSource { name: name_of(path), path: path.to_owned(), embedded: false }
    }

    /// The bytes of the log.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(&self) -> io::Result<Cow<'static, [u8]>> {
        if self.embedded {
            self.embedded_bytes().map(Cow::Borrowed)
        } else {
            file::read(&self.path, None).map(Cow::Owned)
        }
    }

    /// The first bytes of the log, enough for any sensible header.
    fn beginning(&self) -> io::Result<Vec<u8>> {
        if self.embedded {
            return self.embedded_bytes().map(<[u8]>::to_vec);
        }
        let mut bytes = Vec::new();
        File::open(&self.path)?.take(64 * 1024).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn embedded_bytes(&self) -> io::Result<&'static [u8]> {
        let inside = self.path.strip_prefix("runs").unwrap_or(&self.path);
        EMBEDDED.get_file(inside).map(|file| file.contents()).ok_or(io::ErrorKind::NotFound.into())
    }

    /// The log, read and indexed to its end.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn open(&self) -> io::Result<Log> {
        self.read().map(|bytes| Log::read(bytes.into_owned()))
    }
}

/// How far below a folder runs are looked for.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    /// Folders that stand in one another.
    depth: usize,
    /// Folders in all.
    folders: usize,
}

/// Far beyond any collection of runs, and done in a moment: nobody means a whole disk.
const BOUNDS: Bounds = Bounds { depth: 8, folders: 10_000 };

/// The runs at a path: the file itself, whatever its name, or every `*.jsonl` in a folder and the
/// folders below it, as far as that goes in reason. Links to folders are not followed.
pub fn find(path: &Path) -> Found {
    let mut found = Found::default();
    match fs::metadata(path) {
        Ok(data) if data.is_dir() => walk(path, BOUNDS, &mut found),
        Ok(_) => found.runs.push(RunSource::file(path)),
        Err(error) => found.unreadable.push((path.to_owned(), error)),
    }
    found
}

/// The runs that come with the program, sorted.
pub fn embedded() -> Vec<RunSource> {
    fn collect(dir: &Dir<'_>, runs: &mut Vec<RunSource>) {
        for file in dir.files().filter(|file| is_log(file.path())) {
            let path = Path::new("runs").join(file.path());
            runs.push(RunSource { name: name_of(&path), path, embedded: true });
        }
        dir.dirs().for_each(|dir| collect(dir, runs));
    }
    let mut runs = Vec::new();
    collect(&EMBEDDED, &mut runs);
    runs.sort_by(|a, b| a.path.cmp(&b.path));
    runs
}

/// The run that a person means: a path if there is such a file, else the one of that name among
/// `known`, else the one whose header has that id.
pub fn resolve(text: &str, known: &[RunSource]) -> Option<RunSource> {
    let path = Path::new(text);
    if path.is_file() {
        return Some(RunSource::file(path));
    }
    let named = known.iter().find(|run| run.name == text);
    let by_id = || known.iter().find(|run| header_id(run).is_some_and(|id| id == text));
    named.or_else(by_id).cloned()
}

fn header_id(run: &RunSource) -> Option<String> {
    Log::read(run.beginning().ok()?).header()?.id
}

/// Nearer folders come first, so that those that are left out are the farthest.
fn walk(top: &Path, bounds: Bounds, found: &mut Found) {
    let mut near = vec![top.to_owned()];
    let (mut looked_into, mut too_deep) = (0, 0);
    for depth in 0.. {
        if near.is_empty() {
            break;
        }
        if depth > bounds.depth {
            too_deep = near.len();
            break;
        }
        let mut below = Vec::new();
        for folder in &near {
            looked_into += 1;
            if looked_into > bounds.folders {
                break;
            }
            look_into(folder, &mut below, found);
        }
        near = below;
    }
    found.runs.sort_by(|a, b| a.path.cmp(&b.path));
    let why = match (looked_into > bounds.folders, too_deep) {
        (true, _) => format!("there are too many folders in it: only the nearest {} were looked into", bounds.folders),
        (false, 0) => return,
        (false, _) => {
            format!("there is more in it, {} folders deep and deeper, that was not looked into", bounds.depth + 1)
        }
    };
    found.unreadable.push((top.to_owned(), io::Error::other(why)));
}

fn look_into(folder: &Path, below: &mut Vec<PathBuf>, found: &mut Found) {
    let mut entries = Vec::new();
    let read = fs::read_dir(folder).and_then(|dir| {
        for entry in dir {
            let entry = entry?;
            entries.push((entry.file_name(), entry.file_type()?));
        }
        Ok(())
    });
    if let Err(error) = read {
        found.unreadable.push((folder.to_owned(), error));
    }
    entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    for (name, kind) in entries {
        let path = folder.join(name);
        // A pipe among the logs would be waited for; a link to nowhere fails when it is read.
        let is_file = || kind.is_file() || kind.is_symlink() && path.metadata().map_or(true, |data| data.is_file());
        if kind.is_dir() {
            below.push(path);
        } else if is_log(&path) && is_file() {
            found.runs.push(RunSource::file(&path));
        }
    }
}

fn is_log(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "jsonl")
}

fn name_of(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn looked(bounds: Bounds) -> (Vec<String>, Option<String>) {
        let folder = tempfile::tempdir().unwrap();
        for path in ["a.jsonl", "x/b.jsonl", "x/y/c.jsonl", "x/y/z/d.jsonl", "w/e.jsonl", "x.jsonl"] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let mut found = Found::default();
        walk(folder.path(), bounds, &mut found);
        let names = found.runs.iter().map(|run| run.path.strip_prefix(folder.path()).unwrap().display().to_string());
        (names.collect(), found.unreadable.first().map(|(_, error)| error.to_string()))
    }

    #[test]
    fn all_is_found_in_the_order_of_paths() {
        let all = ["a.jsonl", "w/e.jsonl", "x/b.jsonl", "x/y/c.jsonl", "x/y/z/d.jsonl", "x.jsonl"];
        assert_eq!(looked(BOUNDS), (all.map(str::to_owned).into(), None));
        assert_eq!(looked(Bounds { depth: 3, folders: 5 }), (all.map(str::to_owned).into(), None));
    }

    #[test]
    fn what_lies_beyond_the_bounds_is_told() {
        let (names, why) = looked(Bounds { depth: 1, folders: 100 });
        assert_eq!(names, ["a.jsonl", "w/e.jsonl", "x/b.jsonl", "x.jsonl"]);
        assert_eq!(why.unwrap(), "there is more in it, 2 folders deep and deeper, that was not looked into");
        let (names, why) = looked(Bounds { depth: 8, folders: 2 });
        assert_eq!(names, ["a.jsonl", "w/e.jsonl", "x.jsonl"]);
        assert_eq!(why.unwrap(), "there are too many folders in it: only the nearest 2 were looked into");
    }
}
