//! `refract completions` and `refract man`: made from the very table that parses the command line.

use clap::CommandFactory;

use super::{Cli, CliError, Context, Verdict};

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    shell: clap_complete::Shell,
}

/// Print the manual page
#[derive(Debug, clap::Args)]
pub struct ManArgs {}

/// Runs `refract completions`.
pub fn completions(args: &CompletionsArgs, context: &Context) -> Result<Verdict, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "refract", &mut script);
    print(&script, context)
}

/// Runs `refract man`: one page, every subcommand on it.
pub fn man(_: &ManArgs, context: &Context) -> Result<Verdict, CliError> {
    let mut page = Vec::new();
    let mut command = Cli::command();
    command.build();
    let man = clap_mangen::Man::new(command.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    for subcommand in command.get_subcommands() {
        let mut section = Vec::new();
        let man = clap_mangen::Man::new(subcommand.clone());
        man.render_synopsis_section(&mut section)?;
        man.render_description_section(&mut section)?;
        man.render_options_section(&mut section)?;
        let heading = format!(".SH \"REFRACT {}\"\n", subcommand.get_name().to_uppercase());
        page.extend(heading.into_bytes());
        page.extend(
            String::from_utf8_lossy(&section).replace("\n.SH ", "\n.SS ").replacen(".SH ", ".SS ", 1).into_bytes(),
        );
    }
    print(&page, context)
}

fn print(page: &[u8], context: &Context) -> Result<Verdict, CliError> {
    let mut out = context.output();
    out.text(&String::from_utf8_lossy(page))?;
    out.finish()?;
    Ok(Verdict::Clean)
}
