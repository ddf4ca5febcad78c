//! `refract check`: whether domains and problems are right, said like a compiler.

use std::collections::HashMap;

use serde::Serialize;

use super::{
    CliError, Context, Format, Looking, Verdict,
    error::{WRITTEN_OUT, faults_text},
};
use crate::{
    check::{check_domain, check_entry, check_objects},
    text::count,
    tui::theme::Role,
    world::{Diagnostic, Library, Severity, foremost},
};

/// Validate domains and problems
///
/// Names the faults of every file with their places and what would be right: a hundred of each file,
/// and how many more there are. Errors give exit status
/// 1; warnings alone give 0. A PATH of - is standard input.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    look: Looking,
}

/// Runs `refract check`.
pub fn run(args: &Args, context: &Context) -> Result<Verdict, CliError> {
    let library = match args.look.paths.as_slice() {
        [] => context.library(context.home()?.as_deref()),
        paths => context.inputs(paths)?.into(),
    };
    let findings = findings(&library);
    let mut out = context.output();
    match args.look.print.format {
        Format::Json => out.json(&Report::of(&library, &findings))?,
        Format::Text => {
            let faults = faults_text(&findings, out.paint.coloured(), out.paint.breaks.then_some(out.paint.width));
            if !faults.is_empty() {
                out.text(&faults)?;
                out.line("")?;
            }
            let summary = summary(&library, &findings);
            let role = if errors(&findings) > 0 { Role::Bad } else { Role::Plain };
            let line = out.paint.text(role, &summary);
            out.line(&line)?;
        }
    }
    out.finish()?;
    Ok(Verdict::of(&findings))
}

/// Faults of loading, then of the entries; file by file, in the order of lines.
fn findings(library: &Library) -> Vec<Diagnostic> {
    let mut findings = library.diagnostics.clone();
    for domain in &library.domains {
        findings.extend(check_domain(domain));
    }
    for world in library.worlds.values() {
        findings.extend(check_entry(world));
        findings.extend(check_objects(world));
    }
    let order: HashMap<&str, usize> =
        library.files.iter().enumerate().map(|(index, file)| (file.name.as_str(), index)).collect();
    let place = |fault: &Diagnostic| order.get(fault.file.name.as_str()).copied();
    findings.sort_by_key(|fault| (place(fault), fault.span.start));
    findings
}

fn errors(findings: &[Diagnostic]) -> usize {
    findings.iter().filter(|fault| fault.severity == Severity::Error).count()
}

/// "12 entries, 1 domain: 2 errors, 1 warning".
fn summary(library: &Library, findings: &[Diagnostic]) -> String {
    let errors = errors(findings);
    let warnings = findings.len() - errors;
    let found = match (errors, warnings) {
        (0, 0) => "nothing found".to_owned(),
        (0, warnings) => count(warnings, "warning"),
        (errors, 0) => count(errors, "error"),
        _ => format!("{}, {}", count(errors, "error"), count(warnings, "warning")),
    };
    let (entries, domains) = (count(library.worlds.len(), "entry"), library.domains.len());
    let unloaded = library.files.len().saturating_sub(library.worlds.len() + domains);
    let unloaded = if unloaded == 0 { String::new() } else { format!(", {}", count(unloaded, "file") + " not loaded") };
    let others = match library.others {
        0 => String::new(),
        others => format!(", {} left aside", count(others, "other file")),
    };
    format!("{entries}, {}{unloaded}{others}: {found}", count(domains, "domain"))
}

/// The shape of `refract check --format json` (design §6).
#[derive(Serialize)]
struct Report {
    files: usize,
    errors: usize,
    warnings: usize,
    findings: Vec<Finding>,
    /// Findings of files with more of them than are written out.
    left_out: usize,
}

#[derive(Serialize)]
struct Finding {
    file: String,
    line: usize,
    column: usize,
    severity: &'static str,
    code: &'static str,
    message: String,
    help: Option<String>,
}

impl Report {
    fn of(library: &Library, findings: &[Diagnostic]) -> Report {
        let errors = errors(findings);
        let (shown, _) = foremost(findings, WRITTEN_OUT);
        Report {
            files: library.files.len(),
            errors,
            warnings: findings.len() - errors,
            left_out: findings.len() - shown.len(),
            findings: shown.into_iter().map(Finding::of).collect(),
        }
    }
}

impl Finding {
    fn of(fault: &Diagnostic) -> Finding {
        let position = fault.file.position(fault.span.start);
        Finding {
            file: fault.file.name.clone(),
            line: position.line,
            column: position.column,
            severity: match fault.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            code: fault.code,
            message: fault.message.clone(),
            help: fault.help.clone(),
        }
    }
}
