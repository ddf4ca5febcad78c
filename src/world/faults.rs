//! Where the faults of one file are gathered.

use std::{ops::Range, sync::Arc};

use super::{Diagnostic, Severity, SourceFile};

/// The faults of a file so far.
pub(super) struct Faults {
    pub file: Arc<SourceFile>,
    list: Vec<Diagnostic>,
    /// Names that may still be compared for suggestions: thousands of faults against thousands
    /// of names must not take minutes.
    comparisons: usize,
}

impl Faults {
    pub fn new(file: Arc<SourceFile>) -> Self {
        Faults { file, list: Vec::new(), comparisons: 200_000 }
    }

    /// Reports an error; the result takes help and a related place.
    pub fn error(&mut self, code: &'static str, span: Range<usize>, message: impl Into<String>) -> &mut Diagnostic {
        self.push(Severity::Error, code, span, message.into())
    }

    /// Reports a name that is not known, with the nearest of those that are.
    pub fn unknown<'a>(
        &mut self,
        code: &'static str,
        what: &str,
        name: &str,
        span: Range<usize>,
        known: impl IntoIterator<Item = &'a str>,
    ) {
        let help = self.suggest(name, known);
        let fault = self.error(code, span, format!("there is no {what} '{name}'"));
        fault.help = help;
    }

    /// "did you mean …?", or all that is known where it is little.
    pub fn suggest<'a>(&mut self, name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
        let known: Vec<&str> = known.into_iter().take(self.comparisons).collect();
        self.comparisons -= known.len();
        suggest(name, &known)
    }

    /// Whether any fault is an error.
    pub fn any_error(&self) -> bool {
        self.list.iter().any(|fault| fault.severity == Severity::Error)
    }

    /// All of them, in file order.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|fault| fault.span.start);
        self.list
    }

    fn push(&mut self, severity: Severity, code: &'static str, span: Range<usize>, message: String) -> &mut Diagnostic {
        let file = self.file.clone();
        let fault = Diagnostic { severity, code, message, file, span, help: None, related: None };
        self.list.push_mut(fault)
    }
}

impl Diagnostic {
    pub(super) fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }

    pub(super) fn related(&mut self, span: Range<usize>, label: impl Into<String>) -> &mut Self {
        self.related = Some((span, label.into()));
        self
    }
}

/// "did you mean …?", or all that is known where it is little.
pub fn suggest(name: &str, known: &[&str]) -> Option<String> {
    if let Some(near) = nearest(name, known) {
        return Some(format!("did you mean `{near}`?"));
    }
    (1..=6).contains(&known.len()).then(|| {
        let list: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
        format!("known: {}", list.join(", "))
    })
}

/// The known name that was probably meant: at most a third of its characters apart, letter case
/// and `-` for `_` counting for nothing.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let fold = |s: &str| s.to_lowercase().replace('-', "_");
    let length = name.chars().count();
    if length > 100 {
        return None;
    }
    let (name, most) = (fold(name), (length / 3).max(1));
    known
        .iter()
        .filter(|other| other.chars().count().abs_diff(length) <= most)
        .map(|other| (strsim::osa_distance(&name, &fold(other)), *other))
        .filter(|(distance, other)| *distance <= most && *distance < other.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}
