//! Texts with `{variable}` placeholders → [`Template`]s.

use super::{Piece, Template, VarId, faults::Faults, json::Text};

/// Parses a template. `silent` keeps unknown variables from being reported where they may follow
/// from another fault.
pub(super) fn template(
    text: &Text,
    var: impl Fn(&str) -> Option<VarId>,
    known: &[&str],
    silent: bool,
    faults: &mut Faults,
) -> Template {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let source = text.text.as_str();
    let mut at = 0;
    while let Some(c) = source[at..].chars().next() {
        let next = at + c.len_utf8();
        let doubled = source[next..].starts_with(c);
        match c {
            '{' | '}' if doubled => {
                plain.push(c);
                at = next + 1;
            }
            '{' => {
                let Some(length) = source[next..].find(['{', '}']).filter(|n| source[next + n..].starts_with('}'))
                else {
                    faults.error("bad-placeholder", text.at(at..next), "this '{' has no '}'").help(BRACES);
                    at = next;
                    continue;
                };
                let name = &source[next..next + length];
                match var(name) {
                    Some(var) => {
                        if !plain.is_empty() {
                            pieces.push(Piece::Text(std::mem::take(&mut plain)));
                        }
                        pieces.push(Piece::Var(var));
                    }
                    None if silent => {}
                    None => {
                        let span = text.at(next..next + length);
                        faults.unknown("unknown-placeholder", "variable", name, span, known.iter().copied());
                    }
                }
                at = next + length + 1;
            }
            '}' => {
                faults.error("bad-placeholder", text.at(at..next), "this '}' has no '{'").help(BRACES);
                at = next;
            }
            _ => {
                plain.push(c);
                at = next;
            }
        }
    }
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    Template(pieces)
}

const BRACES: &str = "write `{variable}`, or `{{` and `}}` for braces";
