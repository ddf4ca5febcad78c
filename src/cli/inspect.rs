//! `refract inspect`, and `refract` alone: the inspector on what was named.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{CliError, Context, Verdict, context};
use crate::{
    run::{self, RunSource},
    tui::{
        browser::{Browser, First},
        open::Run,
        play::kept,
        shelf::Shelf,
        start::start,
    },
    world::suggest,
};

/// Open the inspector on files or folders
#[derive(Debug, Default, clap::Args)]
pub struct Args {
    /// Runs, entries, or folders of them, by path or id, or a domain; RUN#STEP opens the run there [default: all that there is]
    paths: Vec<OsString>,
}

/// What an argument names.
enum Named {
    /// A file or folder.
    Path(PathBuf),
    /// A run, to be opened at a step.
    Log(RunSource, usize),
    /// Something at home, known by its id.
    Home(First),
}

/// Runs `refract inspect`.
///
/// # Errors
/// When an argument names nothing, or there is no terminal.
pub fn run(args: &Args, context: &Context) -> Result<Verdict, CliError> {
    let root = context.root().map(Path::to_owned);
    let mut named = Vec::new();
    for argument in &args.paths {
        named.push(find(argument, context)?);
    }
    let first = match named.as_slice() {
        [Named::Log(run, step)] => Some(First::Run(Run::Source(run.clone()), *step)),
        [Named::Home(first)] => Some(first.clone()),
        _ => None,
    };
    // The list below what is known by its id is the one that it stands in: all that is at home.
    let by_id = named.iter().any(|named| matches!(named, Named::Home(_)));
    let paths = named.into_iter().filter_map(|named| match named {
        Named::Path(path) => Some(path),
        Named::Log(run, _) => Some(run.path),
        Named::Home(_) => None,
    });
    let shelf = Arc::new(if by_id { Shelf::home(root) } else { Shelf::of(paths.collect(), root) }.keeping(kept()));
    let command = match first {
        Some(First::Run(..)) => "replay",
        Some(First::Entry(_) | First::Domain(_)) => "show",
        None => "list",
    };
    let twin = twin(command, args, context);
    let browser = Browser::new(shelf);
    let browser = match first {
        Some(first) => browser.at(first),
        None => browser,
    };
    start(browser, &twin, context.ascii).map_err(|error| CliError::new(error.to_string()))?;
    Ok(Verdict::Clean)
}

/// What an argument names: a path, `PATH#STEP`, the id of a run, with or without `#STEP`, or of an
/// entry, or a domain.
fn find(argument: &OsStr, context: &Context) -> Result<Named, CliError> {
    let whole = Path::new(argument);
    let is_log = |path: &Path| path.is_file() && path.extension().is_none_or(|extension| extension != "json");
    if whole.exists() {
        if !whole.is_file() && !whole.is_dir() {
            let error = CliError::new(format!("{} is no regular file, and a screen reads again", argument.display()));
            return Err(error.hint("`refract replay` and `refract show` read pipes".to_owned()));
        }
        let named = Named::Path(whole.to_owned());
        return Ok(if is_log(whole) { Named::Log(RunSource::file(whole), 0) } else { named });
    }
    let (path, step) = context::place(argument)?;
    if is_log(&path) {
        return Ok(Named::Log(RunSource::file(&path), step.unwrap_or(0)));
    }
    let shelf = context.shelf(&[])?;
    let id = path.to_string_lossy();
    if let Some(run) = run::resolve(&id, &shelf.runs.runs) {
        return Ok(Named::Home(First::Run(Run::Source(run), step.unwrap_or(0))));
    }
    let worlds = &shelf.library.worlds;
    if let Some(world) = worlds.get(&*id) {
        return Ok(Named::Home(First::Entry(world.clone())));
    }
    if let Some(world) = worlds.values().find(|world| world.domain.name == id) {
        return Ok(Named::Home(First::Domain(world.clone())));
    }
    let runs = shelf.runs.runs.iter().map(|run| run.name.as_str());
    let names: Vec<&str> = runs.chain(worlds.keys().map(String::as_str)).collect();
    let error = CliError::new(format!("there is nothing at {}, and no run or entry of that id", argument.display()));
    Err(error.hint(suggest(&id, &names).unwrap_or_else(|| "`refract list` lists what there is".to_owned())))
}

/// The command that prints what the screen would show.
fn twin(command: &str, args: &Args, context: &Context) -> String {
    let root = context.root().map_or(String::new(), |root| format!(" --root {}", root.display()));
    let line = args.paths.iter().fold(format!("refract {command}"), |line, path| format!("{line} {}", path.display()));
    format!("`{line}{root}` prints the same thing")
}
