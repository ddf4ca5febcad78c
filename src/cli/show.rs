//! `refract show`: an entry or a domain in words, for people who judge it.

mod domain;
mod entry;

use std::{
    ffi::{OsStr, OsString},
    sync::Arc,
};

use super::{CliError, Context, Format, Paint, Printing, Verdict, context::errors, table::Cell};
use crate::{
    tui::{sign::Sign, theme::Role},
    world::{Access, Domain, ToolId, World},
};

/// Show an entry or a domain in words
///
/// An entry: query, personas, goals in the domain's words, references told step by step, and which
/// role may use which tool. A domain: types, roles, gates, tools, predicates and slots, with who
/// adds, deletes and reads what.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// An entry or a domain: an id or a name, a path, or -
    #[arg(value_name = "PROBLEM|DOMAIN")]
    what: OsString,
    #[command(flatten)]
    print: Printing,
}

enum Shown {
    Entry(Arc<World>),
    Domain(Arc<Domain>),
}

/// Runs `refract show`.
pub fn run(args: &Args, context: &Context) -> Result<Verdict, CliError> {
    let shown = find(&args.what, context)?;
    let mut out = context.output();
    match (args.print.format, &shown) {
        (Format::Json, Shown::Entry(world)) => out.json(&entry::EntryView::of(world))?,
        (Format::Json, Shown::Domain(domain)) => out.json(&domain::DomainView::of(domain))?,
        (Format::Text, Shown::Entry(world)) => {
            entry::lines(&out.paint, world).iter().try_for_each(|line| out.line(line))?;
        }
        (Format::Text, Shown::Domain(domain)) => {
            domain::lines(&out.paint, domain).iter().try_for_each(|line| out.line(line))?;
        }
    }
    out.finish()?;
    Ok(Verdict::Clean)
}

fn find(argument: &OsStr, context: &Context) -> Result<Shown, CliError> {
    let what = &*argument.to_string_lossy();
    if let Some(file) = context.file(argument)? {
        let domain = || file.domains.first().cloned().map(Shown::Domain);
        let is_domain = file.worlds.is_empty() && file.files.len() == 1;
        let found = file.worlds.values().next().cloned().map(Shown::Entry);
        let found = found.or_else(|| if is_domain { domain() } else { None });
        return found
            .ok_or_else(|| CliError::new(format!("{what} does not load")).diagnostics(errors(&file.diagnostics)));
    }
    let home = context.home()?;
    if let Some(entry) = context.entry(home.as_deref(), what) {
        return Ok(Shown::Entry(entry));
    }
    let library = context.library(home.as_deref());
    if let Some(domain) = context.domain(&library, what) {
        return Ok(Shown::Domain(domain));
    }
    let ids = library.worlds.keys().map(String::as_str);
    let known: Vec<&str> = ids.chain(library.domains.iter().map(|domain| domain.name.as_str())).collect();
    Err(context.not_found("entry or domain", what, &library, &known))
}

/// The cell of a matrix of tools and roles.
fn access(paint: &Paint, access: Access) -> Cell {
    Cell::painted(paint.sign(access), 1)
}

/// What the signs of the matrix mean.
fn legend(paint: &Paint) -> String {
    let part = |sign: Sign, text| format!("{} {}", paint.sign(sign), paint.text(Role::Dim, text));
    let parts = [
        part(Sign::May, "may"),
        part(Sign::Capability, "lacks capability"),
        part(Sign::Knowledge, "lacks knowledge"),
        part(Sign::BothGates, "lacks both"),
    ];
    format!("  {}", parts.join("   "))
}

/// The tools of some set by class: the classes in the taxonomy's order, those below after those
/// above, each with its depth; classes without any such tool left out.
fn by_class<'a>(domain: &'a Domain, tools: &[ToolId]) -> Vec<(usize, &'a str, Vec<ToolId>)> {
    fn walk<'a>(
        domain: &'a Domain,
        tools: &[ToolId],
        above: Option<usize>,
        depth: usize,
        out: &mut Vec<(usize, &'a str, Vec<ToolId>)>,
    ) {
        for (index, (name, class)) in domain.taxonomy.iter().enumerate() {
            if class.under.map(|under| under.index()) == above {
                let own = tools.iter().copied().filter(|&tool| domain.tool(tool).class.index() == index).collect();
                out.push((depth, name.as_str(), own));
                walk(domain, tools, Some(index), depth + 1, out);
            }
        }
    }
    let mut out = Vec::new();
    walk(domain, tools, None, 0, &mut out);
    out.retain(|(_, _, tools)| !tools.is_empty());
    out
}
