//! What is wrong with a file, where, and what would be right.

use std::{collections::HashMap, ops::Range, sync::Arc};

use indexmap::IndexMap;

use super::SourceFile;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The file cannot be used, or the entry is not valid.
    Error,
    /// It can be used, but is probably not what was meant.
    Warning,
}

/// The foremost of some faults, `most` of each file at most, errors before warnings, in the order
/// given; and the files of which more are left out, with how many.
pub fn foremost(faults: &[Diagnostic], most: usize) -> (Vec<&Diagnostic>, Vec<(&str, usize)>) {
    let mut files: IndexMap<&str, [usize; 2]> = IndexMap::new();
    let is_error = |fault: &Diagnostic| fault.severity == Severity::Error;
    for fault in faults {
        files.entry(fault.file.name.as_str()).or_default()[usize::from(is_error(fault))] += 1;
    }
    // Warnings have the room that errors leave.
    let mut room: HashMap<&str, [usize; 2]> =
        files.iter().map(|(name, [_, errors])| (*name, [most.saturating_sub(*errors), most])).collect();
    let shown = faults.iter().filter(|fault| {
        let room = room.get_mut(fault.file.name.as_str()).map(|room| &mut room[usize::from(is_error(fault))]);
        room.is_some_and(|room| std::mem::replace(room, room.saturating_sub(1)) > 0)
    });
    let shown = shown.collect();
    let rest = files.iter().map(|(name, [warnings, errors])| (*name, (warnings + errors).saturating_sub(most)));
    (shown, rest.filter(|(_, rest)| *rest > 0).collect())
}

/// One fault of one file. Plain data; `render` makes compiler-style text of it.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Stable, kebab-case. Loading gives
    ///
    /// * for files: `unreadable`, `not-utf8`, `json-syntax`, `duplicate-id`, `duplicate-domain`;
    /// * for shapes: `unknown-key`, `duplicate-key`, `missing-key`, `wrong-type`, `version`, `empty`;
    /// * for names: `bad-name`, `reserved-name`, `name-taken`, `cycle`, and `unknown-` with `type`,
    ///   `object`, `predicate`, `slot`, `tool`, `class`, `capability`, `knowledge`, `source`, `role`,
    ///   `domain`, `placeholder`;
    /// * for atoms: `literal-syntax`, `wrong-arity`, `type-mismatch`, `free-variable`,
    ///   `not-a-predicate`, `not-a-slot`, `not-an-atom`, `duplicate-literal`, `two-values`;
    /// * for the rest: `bad-placeholder`, `not-functional`, `no-params`, `too-many`.
    pub code: &'static str,
    /// One sentence without a full stop; names in 'single quotes'.
    pub message: String,
    /// The file; none for faults of a whole folder.
    pub file: Arc<SourceFile>,
    /// Bytes of the file that the message points at; may be empty.
    pub span: Range<usize>,
    /// What would be right.
    pub help: Option<String>,
    /// A second place, with what it has to do with the first (such as "first defined here").
    pub related: Option<(Range<usize>, String)>,
}
