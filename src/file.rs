//! Reading what somebody named: files and pipes to their end, and nothing that has none.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read},
    path::Path,
};

/// What a file holds, at most `limit` bytes. A pipe is read until its writer is done.
///
/// # Errors
/// What the system says; also for a folder, for a device, which may never end, and for more than
/// `limit` bytes.
pub fn read(path: &Path, limit: Option<u64>) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !ends(&metadata) {
        return Err(io::Error::other("it is a device, not a file"));
    }
    let file = File::open(path)?;
    let mut bytes = Vec::new();
    if limit.is_none_or(|limit| metadata.len() <= limit) {
        bytes.try_reserve_exact(usize::try_from(metadata.len()).unwrap_or(usize::MAX))?;
    }
    read_to_end(file, limit, &mut bytes)?;
    Ok(bytes)
}

/// What a stream holds, appended to `bytes`: at most `limit` of them.
///
/// # Errors
/// What the system says, and for more than `limit` bytes.
pub fn read_to_end(stream: impl Read, limit: Option<u64>, bytes: &mut Vec<u8>) -> io::Result<()> {
    let most = limit.map_or(u64::MAX, |limit| limit.saturating_add(1));
    let read = stream.take(most).read_to_end(bytes)?;
    match limit {
        Some(limit) if read as u64 > limit => {
            Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {} MB", limit >> 20)))
        }
        _ => Ok(()),
    }
}

/// An error of the system in the words of a sentence, without its number.
pub fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => {
            let text = error.to_string();
            text.split_once(" (os error").map_or(text.as_str(), |(words, _)| words).to_owned()
        }
    }
}

#[cfg(unix)]
fn ends(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.is_file() || metadata.file_type().is_fifo()
}

#[cfg(not(unix))]
fn ends(metadata: &Metadata) -> bool {
    metadata.is_file()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_told() {
        let mut bytes = Vec::new();
        read_to_end(&[1; 9][..], Some(9), &mut bytes).unwrap();
        assert_eq!(bytes, [1; 9]);
        let error = read_to_end(io::repeat(0), Some(1 << 20), &mut bytes).unwrap_err();
        assert_eq!(why(&error), "it is larger than 1 MB");
    }

    #[test]
    #[cfg(unix)]
    fn what_never_ends_is_not_begun() {
        let said = |path: &str| why(&read(Path::new(path), None).unwrap_err());
        assert_eq!(said("/dev/zero"), "it is a device, not a file");
        assert_eq!(said("/"), "it is a folder");
        assert_eq!(said("/nowhere/at/all"), "there is no such file");
    }
}
