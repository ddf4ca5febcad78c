//! What the filters of runs and of steps have in common: their words, and the names of signs.

use super::sign::Sign;
use crate::run::StepKind;

/// What the kinds of steps are called.
pub const STEPS: [(&str, StepKind); 10] = [
    ("capability", StepKind::Capability),
    ("knowledge", StepKind::Knowledge),
    ("both", StepKind::Both),
    ("condition", StepKind::Condition),
    ("input", StepKind::Input),
    ("bad-call", StepKind::BadCall),
    ("over-budget", StepKind::OverBudget),
    ("damaged", StepKind::Damaged),
    ("diverged", StepKind::Diverged),
    ("idle", StepKind::FiredIdle),
];

/// A name out of a table; `-` and `_` are the same.
pub fn named<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|(known, _)| known.replace('-', "_") == name.replace('-', "_")).map(|(_, value)| *value)
}

/// The kind of step that the screen shows by this sign.
pub fn by_sign(name: &str) -> Option<StepKind> {
    let well = |kind: StepKind| matches!(kind, StepKind::Fired | StepKind::FiredIdle);
    let kinds = STEPS.iter().map(|(_, kind)| *kind).filter(|&kind| !well(kind));
    kinds.into_iter().find(|&kind| is_sign(Sign::from(kind), name))
}

/// Whether a sign is drawn so, in either way.
pub fn is_sign(sign: Sign, name: &str) -> bool {
    sign.glyphs().0 == name || sign.glyphs().1 == name
}

/// Words at spaces; what stands in double quotes is one, with a doubled quote for the quote itself.
pub fn words(text: &str) -> Vec<String> {
    let (mut out, mut word, mut quoted, mut any) = (Vec::new(), String::new(), false, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.next_if_eq(&'"').is_some() => word.push('"'),
            '"' => {
                quoted = !quoted;
                any = true;
            }
            c if c.is_whitespace() && !quoted => {
                if any {
                    out.push(std::mem::take(&mut word));
                }
                any = false;
            }
            c => {
                word.push(c);
                any = true;
            }
        }
    }
    if any {
        out.push(word);
    }
    out
}
