//! `refract export`: entries in the formats of others.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use clap::Subcommand;
use serde::Serialize;

use super::{CliError, Context, Format, Printing, Verdict, context};
use crate::plan::{Pddl, PddlGates};

/// Write an entry in a format that other programs read
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    format: Target,
}

#[derive(Debug, Subcommand)]
enum Target {
    Pddl(PddlArgs),
}

/// Write one perspective as a PDDL domain and problem, for planners by others
///
/// Beside them stands a file of names: a plan that a planner finds is read with
/// `refract replay --plan FILE PROBLEM --role R`.
#[derive(Debug, clap::Args)]
struct PddlArgs {
    /// The entry: an id, or a path to a problem file
    problem: OsString,
    /// The role that plans
    #[arg(long)]
    role: String,
    /// The tools offered [default: the first tool set]
    #[arg(long)]
    toolset: Option<String>,
    /// Gates: tools that the role may not use are left out, or facts say what it has
    #[arg(long, value_enum, default_value_t)]
    gates: Gates,
    /// The folder to write into; it is made if need be
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    #[command(flatten)]
    print: Printing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum Gates {
    #[default]
    Compiled,
    AsFacts,
}

#[derive(Serialize)]
struct Written {
    domain: PathBuf,
    problem: PathBuf,
    map: PathBuf,
    /// To be subtracted from the length of a plan.
    finishing: u32,
    conditional: bool,
}

/// Runs `refract export`.
pub fn run(args: &Args, context: &Context) -> Result<Verdict, CliError> {
    let Target::Pddl(args) = &args.format;
    let world = context.world(&args.problem)?;
    let role = context::role(&world, &args.role)?;
    let toolset = context::toolset(&world, args.toolset.as_deref())?;
    let gates = match args.gates {
        Gates::Compiled => PddlGates::Compiled,
        Gates::AsFacts => PddlGates::AsFacts,
    };
    let pddl = Pddl::of(&world, role, toolset, gates);
    let pddl = pddl.ok_or_else(|| context::no_perspective(&world, &args.role))?;
    let write = |name: &str, text: &str| -> Result<PathBuf, CliError> {
        let path = args.output.join(name);
        fs::create_dir_all(&args.output)
            .and_then(|()| plain(&path))
            .and_then(|()| fs::write(&path, text))
            .map_err(|error| CliError::new(format!("cannot write {}: {error}", path.display())))?;
        Ok(path)
    };
    let map = serde_json::to_string_pretty(&pddl.names).map_err(|error| CliError::new(error.to_string()))?;
    let written = Written {
        domain: write("domain.pddl", &pddl.domain)?,
        problem: write("problem.pddl", &pddl.problem)?,
        map: write("names.json", &(map + "\n"))?,
        finishing: pddl.finishing,
        conditional: pddl.conditional,
    };
    let mut out = context.output();
    match args.print.format {
        Format::Json => out.json(&written)?,
        Format::Text => {
            for path in [&written.domain, &written.problem, &written.map] {
                out.line(&crate::text::visible(&path.display().to_string()))?;
            }
            if written.finishing > 0 {
                out.line("The last action of a plan only finishes it: subtract 1 from its length.")?;
            }
        }
    }
    out.finish()?;
    Ok(Verdict::Clean)
}

/// What stands there is replaced if it is a file: not what a link leads to, nor a pipe that nobody reads.
fn plain(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(there) if !there.is_file() => Err(io::Error::other("what stands there is no regular file")),
        _ => Ok(()),
    }
}
