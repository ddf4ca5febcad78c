//! The validity of entries (design §5).
//!
//! Only files that load are checked, and a fault silences what merely follows from it.

mod breakable;
mod entry;
mod plan;
mod unused;

pub use breakable::can_break;
pub use entry::check_entry;
pub use unused::{check_domain, check_objects};

use std::{ops::Range, sync::Arc};

use crate::world::{Diagnostic, Severity, SourceFile};

/// Collects findings of one file.
struct Findings<'a> {
    file: &'a Arc<SourceFile>,
    list: Vec<Diagnostic>,
}

impl<'a> Findings<'a> {
    fn new(file: &'a Arc<SourceFile>) -> Self {
        Findings { file, list: Vec::new() }
    }

    fn add(&mut self, severity: Severity, code: &'static str, span: &Range<usize>, message: String, help: &str) {
        self.list.push(Diagnostic {
            severity,
            code,
            message,
            file: self.file.clone(),
            span: span.clone(),
            help: Some(help.to_owned()),
            related: None,
        });
    }

    fn error(&mut self, code: &'static str, span: &Range<usize>, message: String, help: &str) {
        self.add(Severity::Error, code, span, message, help);
    }

    fn warning(&mut self, code: &'static str, span: &Range<usize>, message: String, help: &str) {
        self.add(Severity::Warning, code, span, message, help);
    }

    /// In file order.
    fn sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|finding| finding.span.start);
        self.list
    }
}
