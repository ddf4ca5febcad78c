//! `--out` of the commands that write a run log.

use std::{io::ErrorKind, path::Path};

use super::CliError;
use crate::{
    file,
    run::{self, Out},
};

/// Where a log is to go, found out before anything is done for it.
///
/// # Errors
/// When there is such a file already, or nothing can be written there.
pub fn given(path: &Path) -> Result<Out, CliError> {
    let out = Out::given(path.to_owned());
    if matches!(out, Out::File(_)) && path.exists() {
        let message = format!("there is a file {} already", path.display());
        return Err(
            CliError::new(message).hint("a run log is never overwritten: name another file, or a folder".to_owned())
        );
    }
    try_out(&out)?;
    Ok(out)
}

/// Finds out whether a log can be written.
///
/// # Errors
/// Says why not.
pub fn try_out(out: &Out) -> Result<(), CliError> {
    let path = out.path();
    run::try_out(path, matches!(out, Out::Folder(_))).map_err(|error| {
        let why = match error.kind() {
            ErrorKind::NotFound => "there is no such folder".to_owned(),
            ErrorKind::NotADirectory => "what stands above it is no folder".to_owned(),
            _ => file::why(&error),
        };
        CliError::new(format!("no run log can be written to {}: {why}", path.display()))
    })
}
