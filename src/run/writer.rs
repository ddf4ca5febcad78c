//! Writing a run as it happens: one line an event, whole and at once.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::Event;

/// Appends events to a run log and flushes each, so that a process killed at any moment loses at
/// most the event being written.
#[derive(Debug)]
pub struct Writer<W: Write> {
    sink: W,
    line: Vec<u8>,
    /// A write failed, so that half a line may stand at the end of the log.
    torn: bool,
}

impl<W: Write> Writer<W> {
    /// A writer to a log that is empty or ends with a whole line.
    pub fn new(sink: W) -> Self {
        Writer { sink, line: Vec::new(), torn: false }
    }

    /// Appends one event.
    ///
    /// # Errors
    /// When the sink fails. The next event is then written on a line of its own, so that one
    /// failure damages one line.
    pub fn write(&mut self, event: &Event) -> io::Result<()> {
        self.line.clear();
        if self.torn {
            self.line.push(b'\n');
        }
        let start = self.line.len();
        serde_json::to_writer(&mut self.line, event)?;
        // What was sent is kept as sent; outside of strings a line feed is mere white space.
        for byte in self.line.iter_mut().skip(start).filter(|byte| matches!(byte, b'\n' | b'\r')) {
            *byte = b' ';
        }
        self.line.push(b'\n');
        self.torn = true;
        self.sink.write_all(&self.line)?;
        self.torn = false;
        self.sink.flush()
    }

    /// The sink.
    pub fn into_inner(self) -> W {
        self.sink
    }
}

impl Writer<File> {
    /// Creates a new log.
    ///
    /// # Errors
    /// When the file cannot be created; [`ErrorKind::AlreadyExists`] when there is one: a log is
    /// never overwritten.
    pub fn create(path: &Path) -> io::Result<Self> {
        OpenOptions::new().append(true).create_new(true).open(path).map(Writer::new)
    }

    /// Creates a new log `NAME.jsonl` in a folder, which is made if need be; `NAME-2.jsonl` and so
    /// on when that is taken.
    ///
    /// # Errors
    /// When neither folder nor file can be created.
    pub fn create_in(folder: &Path, name: &str) -> io::Result<(PathBuf, Self)> {
        std::fs::create_dir_all(folder)?;
        let mut path = folder.join(format!("{name}.jsonl"));
        for number in 2_u32.. {
            match Writer::create(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    path = folder.join(format!("{name}-{number}.jsonl"));
                }
                created => return created.map(|writer| (path, writer)),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }
}

/// Finds out whether a log can be created: makes it, or one in a folder, and takes it away again with
/// all that was made for it.
///
/// # Errors
/// Why not.
pub fn try_out(path: &Path, folder: bool) -> io::Result<()> {
    if !folder {
        Writer::create(path)?;
        return std::fs::remove_file(path);
    }
    let made: Vec<&Path> = path.ancestors().take_while(|folder| !folder.exists()).collect();
    let tried = Writer::create_in(path, "try-out").and_then(|(file, _)| std::fs::remove_file(file));
    for folder in made {
        // One that could not be made is not there to be taken away.
        let _ = std::fs::remove_dir(folder);
    }
    tried
}
