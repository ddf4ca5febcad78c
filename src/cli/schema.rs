//! `refract schema`: the JSON Schema of a format, for editors and validators.

use clap::ValueEnum;

use super::{CliError, Context, Verdict};
use crate::{run, world};

/// Print the JSON Schema of a file format
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Of domain/*.json, problems/*.json, or of one line of a run log
    #[arg(value_enum, value_name = "FORMAT")]
    of: Of,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Of {
    Domain,
    Problem,
    Run,
}

/// Runs `refract schema`.
pub fn run(args: &Args, context: &Context) -> Result<Verdict, CliError> {
    let schema = match args.of {
        Of::Domain => world::schema(world::Format::Domain),
        Of::Problem => world::schema(world::Format::Problem),
        Of::Run => run::schema(),
    };
    let mut out = context.output();
    out.json(&schema)?;
    out.finish()?;
    Ok(Verdict::Clean)
}
