//! Following a log that grows.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The reading end of a log on disk.
#[derive(Debug)]
pub struct Tail {
    path: PathBuf,
    read: u64,
    /// The last bytes that were read: where others stand in their place, it is another file.
    last: Vec<u8>,
}

/// Bytes that are compared.
const LAST: usize = 1024;

/// What a file has grown by.
#[derive(Debug, PartialEq, Eq)]
pub enum More {
    /// These bytes, to be appended; none when it has not grown.
    Bytes(Vec<u8>),
    /// The file no longer begins with what was read of it: it is another one, to be read anew.
    StartOver,
}

impl Tail {
    /// Follows the log at `path`, of which these bytes have been read.
    pub fn new(path: &Path, read: &[u8]) -> Tail {
        let mut tail = Tail { path: path.to_owned(), read: 0, last: Vec::new() };
        tail.keep(read);
        tail
    }

    fn keep(&mut self, read: &[u8]) {
        self.read += read.len() as u64;
        self.last.extend_from_slice(&read[read.len().saturating_sub(LAST)..]);
        self.last.drain(..self.last.len().saturating_sub(LAST));
    }

    /// Reads what has come since, up to `limit` bytes at a time.
    ///
    /// # Errors
    /// When the file cannot be read (any more).
    pub fn more(&mut self, limit: u64) -> io::Result<More> {
        // A pipe would be waited for, and a device need not end.
        let metadata = fs::metadata(&self.path)?;
        if !metadata.is_file() && !metadata.is_dir() {
            return Err(io::Error::other("it is no regular file"));
        }
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.read - self.last.len() as u64))?;
        let mut last = Vec::with_capacity(self.last.len());
        Read::by_ref(&mut file).take(self.last.len() as u64).read_to_end(&mut last)?;
        if last != self.last {
            *self = Tail::new(&self.path, &[]);
            return Ok(More::StartOver);
        }
        let mut bytes = Vec::new();
        file.take(limit).read_to_end(&mut bytes)?;
        self.keep(&bytes);
        Ok(More::Bytes(bytes))
    }
}
