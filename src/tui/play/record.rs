//! The log of a played run: a file from the first event on, and what to do when it cannot be written.

use std::fs::File;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use crate::run::{self, Event, Header, Out, Writer};

/// Where runs are kept that are played or made: `refract/runs` in the user's data folder.
pub fn kept() -> Option<PathBuf> {
    etcetera::choose_base_strategy().ok().map(|base| base.data_dir().join("refract").join("runs"))
}

/// Where logs go if nothing else is said: there, or `./runs`.
pub fn usual() -> Out {
    Out::Folder(kept().unwrap_or_else(|| PathBuf::from("runs")))
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
        let (path, writer) = self.out.create(&self.name).map_err(|error| match &self.out {
            Out::Folder(folder) => no_log(folder, &error),
            Out::File(path) => format!("{}: {error}", path.display()),
        })?;
        if let (Some(Event::Run(header)), Some(stem)) = (self.pending.first_mut(), path.file_stem()) {
            header.id = Some(stem.to_string_lossy().into_owned());
        }
        self.path = Some(path);
        self.writer = Some(writer);
        Ok(())
    }
}

fn no_log(folder: &Path, error: &std::io::Error) -> String {
    format!("no log in {}: {error}", folder.display())
}
