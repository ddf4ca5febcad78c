//! Where the log of a new run goes.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::Writer;

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

    /// Creates a new log, in a folder under this name.
    ///
    /// # Errors
    /// When neither folder nor file can be created.
    pub fn create(&self, name: &str) -> io::Result<(PathBuf, Writer<File>)> {
        match self {
            Out::Folder(folder) => Writer::create_in(folder, name),
            Out::File(path) => create_beside(path),
        }
    }
}

/// Creates this file; `name-2` and so on with its extension when that is taken.
fn create_beside(path: &Path) -> io::Result<(PathBuf, Writer<File>)> {
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
