//! Code by syntect: its scopes, not its colours.

use std::sync::OnceLock;

use syntect::parsing::{ParseState, ScopeStack, SyntaxSet};

use super::Stretches;
use crate::tui::theme::Role;

/// Texts longer than this stay plain: regular expressions over megabytes are not worth the wait.
const LONGEST: usize = 400_000;

/// Which beginnings of scopes mean what; the first that fits counts.
const SCOPES: [(&str, Role); 10] = [
    ("comment", Role::Dim),
    ("string", Role::Text),
    ("constant", Role::Number),
    ("keyword", Role::Key),
    ("storage", Role::Key),
    ("entity.name", Role::Name),
    ("support", Role::Name),
    ("variable.parameter", Role::Variable),
    ("markup.heading", Role::Title),
    ("markup.raw", Role::Text),
];

/// The stretches of every line, or nothing where the language is not known.
pub fn tokens(name: &str, lines: &[String]) -> Option<Vec<Stretches>> {
    static SYNTAXES: OnceLock<SyntaxSet> = OnceLock::new();
    if lines.iter().map(String::len).sum::<usize>() > LONGEST {
        return None;
    }
    let set = SYNTAXES.get_or_init(SyntaxSet::load_defaults_newlines);
    let syntax = set.find_syntax_by_token(name)?;
    let mut state = ParseState::new(syntax);
    let mut stack = ScopeStack::new();
    let mut line_tokens = |line: &String| {
        let ended = format!("{line}\n");
        let mut out = Stretches::new();
        let mut at = 0;
        for (offset, op) in state.parse_line(&ended, set).unwrap_or_default() {
            let offset = offset.min(line.len());
            if offset > at {
                out.push((at..offset, role(&stack)));
                at = offset;
            }
            // A scope that cannot be applied leaves the colours as they were.
            let _ = stack.apply(&op);
        }
        if at < line.len() {
            out.push((at..line.len(), role(&stack)));
        }
        out
    };
    Some(lines.iter().map(&mut line_tokens).collect())
}

fn role(stack: &ScopeStack) -> Role {
    let scopes = stack.scopes.iter().rev().map(|scope| scope.build_string());
    let found =
        scopes.filter_map(|s| SCOPES.iter().find(|(begin, _)| s.starts_with(begin)).map(|&(_, role)| role)).next();
    found.unwrap_or(Role::Plain)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_known_language_has_roles_and_an_unknown_none() {
        let lines = ["def f(): # x".to_owned()];
        let roles: Vec<Role> = tokens("py", &lines).unwrap().remove(0).into_iter().map(|(_, r)| r).collect();
        assert!(roles.contains(&Role::Dim) && roles.contains(&Role::Key) || roles.contains(&Role::Name));
        assert!(tokens("no-such", &lines).is_none());
    }
}
