//! The log of a played run: a file from the first event on, and what to do when it cannot be written.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use crate::run::{self, Event, Header, Writer};

/// Where the log goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Out {
    /// A new file in this folder, which is made if need be.
    Folder(PathBuf),
    /// This file; where it is there already, one with a number beside it.
    File(PathBuf),
}

impl Out {
    /// What `--out` means: a folder that is there or ends like one, else a file.
    pub fn given(path: PathBuf) -> Out {
        let folder = path.is_dir() || path.as_os_str().to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]);
        if folder { Out::Folder(path) } else { Out::File(path) }
    }

    /// The file or folder.
    pub fn path(&self) -> &Path {
        let (Out::Folder(path) | Out::File(path)) = self;
        path
    }

    /// `refract/runs` in the user's data folder, else `./runs`.
    pub fn usual() -> Out {
        Out::Folder(kept().unwrap_or_else(|| PathBuf::from("runs")))
    }
}

/// Where runs are kept that are played or made: `refract/runs` in the user's data folder.
pub fn kept() -> Option<PathBuf> {
    etcetera::choose_base_strategy().ok().map(|base| base.data_dir().join("refract").join("runs"))
}

/// Writes the events of one run, in order, losing none: what a failed write left stands before the
/// next.
#[derive(Debug)]
pub struct Recorder {
    /// The file, once it is there.
    pub path: Option<PathBuf>,
    out: Out,
    name: String,
    writer: Option<Writer<File>>,
    pending: Vec<Event>,
}

impl Recorder {
    /// A log that begins with this header, whose id becomes the name of the file, and these events; it is
    /// written as soon as something happens beyond them.
    pub fn new(out: Out, name: String, header: Header, begun: Vec<Event>) -> Recorder {
        let header = Event::Run(Box::new(header));
        let pending = std::iter::once(header).chain(begun).collect();
        Recorder { path: None, out, name, writer: None, pending }
    }

    /// The run's id, once the log is there.
    pub fn id(&self) -> Option<String> {
        Some(self.path.as_ref()?.file_stem()?.to_string_lossy().into_owned())
    }

    /// Finds out whether the log can be written, and leaves nothing behind.
    ///
    /// # Errors
    /// Says why not.
    pub fn try_out(&self) -> Result<(), String> {
        match &self.out {
            Out::Folder(folder) => run::try_out(folder, true).map_err(|error| no_log(folder, &error)),
            Out::File(path) if path.exists() => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = folder.unwrap_or(Path::new("."));
                run::try_out(folder, true).map_err(|error| no_log(folder, &error))
            }
            Out::File(path) => run::try_out(path, false).map_err(|error| format!("{}: {error}", path.display())),
        }
    }

    /// Writes events, and those that wait.
    ///
    /// # Errors
    /// Says what failed; the events wait for the next attempt.
    pub fn write(&mut self, events: impl IntoIterator<Item = Event>) -> Result<(), String> {
        self.pending.extend(events);
        if self.writer.is_none() {
            self.create()?;
        }
        let Some(writer) = &mut self.writer else { return Ok(()) };
        while let Some(event) = self.pending.first() {
            writer.write(event).map_err(|error| error.to_string())?;
            self.pending.remove(0);
        }
        Ok(())
    }

    fn create(&mut self) -> Result<(), String> {
        let (path, writer) = match &self.out {
            Out::Folder(folder) => Writer::create_in(folder, &self.name).map_err(|error| no_log(folder, &error))?,
            Out::File(path) => create_beside(path).map_err(|error| format!("{}: {error}", path.display()))?,
        };
        if let (Some(Event::Run(header)), Some(stem)) = (self.pending.first_mut(), path.file_stem()) {
            header.id = Some(stem.to_string_lossy().into_owned());
        }
        self.path = Some(path);
        self.writer = Some(writer);
        Ok(())
    }
}

/// Creates this file; `name-2` and so on with its extension when that is taken.
fn create_beside(path: &Path) -> std::io::Result<(PathBuf, Writer<File>)> {
    let mut numbered = path.to_owned();
    let (stem, extension) = (path.file_stem().unwrap_or_default(), path.extension());
    for number in 2_u32.. {
        match Writer::create(&numbered) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let mut name = stem.to_owned();
                name.push(format!("-{number}"));
                if let Some(extension) = extension {
                    name.push(".");
                    name.push(extension);
                }
                numbered.set_file_name(name);
            }
            created => return created.map(|writer| (numbered, writer)),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

fn no_log(folder: &Path, error: &std::io::Error) -> String {
    format!("no log in {}: {error}", folder.display())
}
