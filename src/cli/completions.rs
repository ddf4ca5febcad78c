//! `refract completions` and `refract man`: made from the very table that parses the command line.

use std::io::Write;

use clap::CommandFactory;

use super::{Cli, CliError, Verdict};

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    shell: clap_complete::Shell,
}

/// Print the manual page
#[derive(Debug, clap::Args)]
pub struct ManArgs {}

/// Runs `refract completions`.
pub fn completions(args: &CompletionsArgs) -> Result<Verdict, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "refract", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(Verdict::Clean)
}

/// Runs `refract man`: one page, every subcommand on it.
pub fn man(_: &ManArgs) -> Result<Verdict, CliError> {
    let mut page = Vec::new();
    let mut command = Cli::command().disable_help_flag(true);
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for subcommand in command.get_subcommands() {
        let named = subcommand.clone().name(format!("refract {}", subcommand.get_name()));
        let man = clap_mangen::Man::new(named);
        man.render_name_section(&mut page)?;
        man.render_synopsis_section(&mut page)?;
        man.render_description_section(&mut page)?;
        man.render_options_section(&mut page)?;
    }
    std::io::stdout().write_all(&page)?;
    Ok(Verdict::Clean)
}
