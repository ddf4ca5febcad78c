//! `refract inspect`, and `refract` alone: the inspector on what was named.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{CliError, Context, Verdict, context};
use crate::{
    run::{self, RunSource},
    tui::{browser::Browser, open::Run, play::kept, shelf::Shelf, start::start},
    world::suggest,
};

/// Open the inspector on files or folders
#[derive(Debug, Default, clap::Args)]
pub struct Args {
    /// Runs, entries, or folders of them, by path or id; RUN#STEP opens the run there [default: all that there is]
    paths: Vec<OsString>,
}

/// What an argument names.
enum Named {
    /// A file or folder.
    Path(PathBuf),
    /// A run, to be opened at a step.
    Run(RunSource, usize),
}

/// Runs `refract inspect`.
///
/// # Errors
/// When an argument names nothing, or there is no terminal.
pub fn run(args: &Args, context: &Context) -> Result<Verdict, CliError> {
    let root = context.root().map(Path::to_owned);
    let mut named = Vec::new();
    for argument in &args.paths {
        named.push(find(argument, root.clone())?);
    }
    let opened = match named.as_slice() {
        [Named::Run(run, step)] => Some((run.clone(), *step)),
        _ => None,
    };
    // A run known by its id comes from home; the list below it is the one that it stands in.
    let by_id = named.iter().any(|named| matches!(named, Named::Run(run, _) if run.embedded));
    let paths = named.into_iter().map(|named| match named {
        Named::Path(path) => path,
        Named::Run(run, _) => run.path,
    });
    let shelf = Arc::new(if by_id { Shelf::home(root) } else { Shelf::of(paths.collect(), root) }.keeping(kept()));
    let twin = twin(if opened.is_some() { "replay" } else { "list" }, args, context);
    let browser = Browser::new(shelf);
    let browser = match opened {
        Some((run, step)) => browser.at(Run::Source(run), step),
        None => browser,
    };
    start(browser, &twin, context.ascii).map_err(|error| CliError::new(error.to_string()))?;
    Ok(Verdict::Clean)
}

/// What an argument names: a path, `PATH#STEP`, or the id of a run, with or without `#STEP`.
fn find(argument: &OsStr, root: Option<PathBuf>) -> Result<Named, CliError> {
    let whole = Path::new(argument);
    let is_log = |path: &Path| path.is_file() && path.extension().is_none_or(|extension| extension != "json");
    if whole.exists() {
        if !whole.is_file() && !whole.is_dir() {
            let error = CliError::new(format!("{} is no regular file, and a screen reads again", argument.display()));
            return Err(error.hint("`refract replay` and `refract show` read pipes".to_owned()));
        }
        let named = Named::Path(whole.to_owned());
        return Ok(if is_log(whole) { Named::Run(RunSource::file(whole), 0) } else { named });
    }
    let (path, step) = context::place(argument)?;
    if is_log(&path) {
        return Ok(Named::Run(RunSource::file(&path), step.unwrap_or(0)));
    }
    let known = Shelf::home(root).keeping(kept()).runs().runs;
    let id = path.to_string_lossy();
    match run::resolve(&id, &known) {
        Some(run) => Ok(Named::Run(run, step.unwrap_or(0))),
        None => {
            let names: Vec<&str> = known.iter().map(|run| run.name.as_str()).collect();
            let error = CliError::new(format!("there is nothing at {}, and no run of that id", argument.display()));
            Err(match suggest(&id, &names) {
                Some(hint) => error.hint(hint),
                None => error.hint(format!("`refract list` lists the {} runs that there are", names.len())),
            })
        }
    }
}

/// The command that prints what the screen would show.
fn twin(command: &str, args: &Args, context: &Context) -> String {
    let root = context.root().map_or(String::new(), |root| format!(" --root {}", root.display()));
    let line = args.paths.iter().fold(format!("refract {command}"), |line, path| format!("{line} {}", path.display()));
    format!("`{line}{root}` prints the same thing")
}
