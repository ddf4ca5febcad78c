//! Following a log that grows.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The reading end of a log on disk.
#[derive(Debug)]
pub struct Tail {
    path: PathBuf,
    read: u64,
}

/// What a file has grown by.
#[derive(Debug, PartialEq, Eq)]
pub enum More {
    /// These bytes, to be appended; none when it has not grown.
    Bytes(Vec<u8>),
    /// The file is shorter than what was read of it: it is another one, to be read anew.
    StartOver,
}

impl Tail {
    /// Follows the log at `path`, of which `read` bytes have been read.
    pub fn new(path: &Path, read: u64) -> Tail {
        Tail { path: path.to_owned(), read }
    }

    /// Reads what has come since, up to `limit` bytes at a time.
    ///
    /// # Errors
    /// When the file cannot be read (any more).
    pub fn more(&mut self, limit: u64) -> io::Result<More> {
        let mut file = File::open(&self.path)?;
        if file.metadata()?.len() < self.read {
            self.read = 0;
            return Ok(More::StartOver);
        }
        file.seek(SeekFrom::Start(self.read))?;
        let mut bytes = Vec::new();
        self.read += file.take(limit).read_to_end(&mut bytes)? as u64;
        Ok(More::Bytes(bytes))
    }
}
