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

/// The runs at a path: the file itself, whatever its name, or every `*.jsonl` in a folder and the
/// folders below it. Links to folders are not followed, so this ends.
pub fn find(path: &Path) -> Found {
    let mut found = Found::default();
    match fs::metadata(path) {
        Ok(data) if data.is_dir() => walk(path, &mut found),
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

fn walk(folder: &Path, found: &mut Found) {
    let mut entries = Vec::new();
    let read = fs::read_dir(folder).and_then(|dir| {
        for entry in dir {
            let entry = entry?;
            entries.push((entry.path(), entry.file_type()?.is_dir()));
        }
        Ok(())
    });
    if let Err(error) = read {
        found.unreadable.push((folder.to_owned(), error));
    }
    entries.sort();
    for (path, is_folder) in entries {
        if is_folder {
            walk(&path, found);
        // A pipe among the logs would be waited for; a link to nowhere fails when it is read.
        } else if is_log(&path) && path.metadata().map_or(true, |data| data.is_file()) {
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
