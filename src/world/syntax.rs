//! The grammar of atoms inside strings (design §2):
//!
//! ```text
//! literal  = [ "not " ] atom  |  term ( "=" | "!=" ) term
//! atom     = name [ "(" term { "," term } ")" ]
//! term     = name | "?" name
//! name     = ASCII letter or digit, then ASCII letters, digits, "_", "-", "."
//! ```

use std::ops::Range;

/// A parsed literal; names are not looked up yet. Spans are bytes of the parsed string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal<'a> {
    /// `not …`, or `!=`.
    pub negated: bool,
    /// What is denied or affirmed.
    pub body: Body<'a>,
}

/// What a literal affirms or denies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body<'a> {
    /// A predicate or slot with its arguments.
    Atom(Atom<'a>),
    /// `a = b`.
    Equal(Term<'a>, Term<'a>),
}

/// A name applied to terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Atom<'a> {
    /// Of the predicate or slot.
    pub name: &'a str,
    /// Where the name stands.
    pub span: Range<usize>,
    /// The arguments.
    pub args: Vec<Term<'a>>,
}

/// A name or a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term<'a> {
    /// Without `?`.
    pub name: &'a str,
    /// Whether `?` stands before it.
    pub variable: bool,
    /// Where it stands, `?` included.
    pub span: Range<usize>,
}

/// Why a string is no literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// Bytes of the string that the message points at; may be empty.
    pub span: Range<usize>,
    /// One sentence without a full stop.
    pub message: String,
    /// What would be right.
    pub help: Option<&'static str>,
}

/// Parses a literal.
///
/// # Errors
/// The first place at which the text leaves the grammar.
pub fn parse_literal(text: &str) -> Result<Literal<'_>, SyntaxError> {
    let mut parser = Parser { text, at: 0 };
    let literal = parser.literal()?;
    parser.end()?;
    Ok(literal)
}

/// Parses an atom: a literal without `not`, `=` and `!=`.
///
/// # Errors
/// The first place at which the text leaves the grammar.
pub fn parse_atom(text: &str) -> Result<Atom<'_>, SyntaxError> {
    match parse_literal(text)? {
        Literal { negated: false, body: Body::Atom(atom) } => Ok(atom),
        Literal { body: Body::Atom(_), .. } => Err(error(0..text.len(), "'not' cannot stand here", None)),
        Literal { .. } => Err(error(0..text.len(), "a comparison cannot stand here", None)),
    }
}

/// Whether the text is a `name` of the grammar.
pub fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric()) && text.chars().all(is_name_char)
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

fn error(span: Range<usize>, message: impl Into<String>, help: Option<&'static str>) -> SyntaxError {
    SyntaxError { span, message: message.into(), help }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn literal(&mut self) -> Result<Literal<'a>, SyntaxError> {
        let first = self.term()?;
        if first.name == "not" && !first.variable {
            return self.denied(&first);
        }
        if let Some(negated) = self.comparison()? {
            let second = self.term()?;
            reserved(&second)?;
            return Ok(Literal { negated, body: Body::Equal(first, second) });
        }
        Ok(Literal { negated: false, body: Body::Atom(self.atom(first)?) })
    }

    /// What follows `not`.
    fn denied(&mut self, not: &Term<'a>) -> Result<Literal<'a>, SyntaxError> {
        if !self.rest().starts_with(|c: char| c.is_whitespace()) || self.peek().is_none() {
            return Err(error(not.span.clone(), "'not' is reserved", Some("write `not`, a blank, and an atom")));
        }
        let first = self.term()?;
        reserved(&first)?;
        let start = self.at;
        if let Some(negated) = self.comparison()? {
            let help = if negated { "drop the `not` and write `a = b`" } else { "write `a != b`" };
            return Err(error(not.span.start..start, "'not' cannot stand before a comparison", Some(help)));
        }
        Ok(Literal { negated: true, body: Body::Atom(self.atom(first)?) })
    }

    /// The rest of an atom after its name.
    fn atom(&mut self, name: Term<'a>) -> Result<Atom<'a>, SyntaxError> {
        if name.variable {
            let help = "compare it with `=` or `!=`, or give it to a predicate: `name(?variable)`";
            return Err(error(name.span, "a variable alone is no literal", Some(help)));
        }
        let mut args = Vec::new();
        if self.eat('(') {
            let open = self.at - 1;
            if self.eat(')') {
                let help = Some("without arguments, write the name alone");
                return Err(error(open..self.at, "empty brackets", help));
            }
            loop {
                let term = self.term()?;
                reserved(&term)?;
                args.push(term);
                if self.eat(')') {
                    break;
                }
                if !self.eat(',') {
                    let help = match self.peek() {
                        Some('(') => Some("atoms do not nest"),
                        _ => None,
                    };
                    return Err(error(self.next(), format!("expected ',' or ')', found {}", self.found()), help));
                }
            }
        }
        Ok(Atom { name: name.name, span: name.span, args })
    }

    /// `=` is `Some(false)`, `!=` is `Some(true)`.
    fn comparison(&mut self) -> Result<Option<bool>, SyntaxError> {
        if self.eat('=') {
            if self.rest().starts_with('=') {
                return Err(error(self.at - 1..self.at + 1, "no such comparison '=='", Some("write a single `=`")));
            }
            return Ok(Some(false));
        }
        if self.eat('!') {
            if !self.rest().starts_with('=') {
                return Err(error(self.at - 1..self.at, "unexpected '!'", Some("write `not`, or `!=`")));
            }
            self.at += 1;
            return Ok(Some(true));
        }
        Ok(None)
    }

    fn term(&mut self) -> Result<Term<'a>, SyntaxError> {
        self.skip_blanks();
        let start = self.at;
        let variable = self.rest().starts_with('?');
        self.at += usize::from(variable);
        let length = self.rest().find(|c| !is_name_char(c)).unwrap_or(self.rest().len());
        let name = &self.text[self.at..self.at + length];
        if is_name(name) {
            self.at += length;
            return Ok(Term { name, variable, span: start..self.at });
        }
        if variable && self.rest().starts_with(|c: char| c.is_whitespace()) {
            return Err(error(start..self.at, "a blank after '?'", Some("write `?name` in one")));
        }
        if self.rest().starts_with('!') && !variable {
            return Err(error(self.next(), "unexpected '!'", Some("write `not`, or `!=`")));
        }
        let help = "a name begins with an ASCII letter or digit, and goes on with letters, digits, `_`, `-`, `.`";
        Err(error(self.next(), format!("expected a name, found {}", self.found()), Some(help)))
    }

    fn end(&mut self) -> Result<(), SyntaxError> {
        match self.peek() {
            None => Ok(()),
            Some('=' | '!') => Err(error(self.next(), "a comparison takes two names or variables", None)),
            Some(_) => {
                Err(error(self.next(), format!("expected the end of the literal, found {}", self.found()), None))
            }
        }
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        self.at += if found { c.len_utf8() } else { 0 };
        found
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_blanks();
        self.rest().chars().next()
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The bytes of the next character; none at the end.
    fn next(&self) -> Range<usize> {
        self.at..self.at + self.rest().chars().next().map_or(0, char::len_utf8)
    }

    fn found(&self) -> String {
        self.rest().chars().next().map_or_else(|| "the end".to_owned(), |c| format!("'{c}'"))
    }
}

/// `not` can name nothing.
fn reserved(term: &Term<'_>) -> Result<(), SyntaxError> {
    if term.name == "not" && !term.variable {
        return Err(error(term.span.clone(), "'not' is reserved", None));
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Prints what was parsed, canonically but with `?`.
    fn print(literal: &Literal<'_>) -> String {
        let term = |t: &Term<'_>| format!("{}{}", if t.variable { "?" } else { "" }, t.name);
        match (&literal.body, literal.negated) {
            (Body::Equal(a, b), false) => format!("{} = {}", term(a), term(b)),
            (Body::Equal(a, b), true) => format!("{} != {}", term(a), term(b)),
            (Body::Atom(atom), negated) => {
                let args: Vec<_> = atom.args.iter().map(term).collect();
                let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
                format!("{}{}{args}", if negated { "not " } else { "" }, atom.name)
            }
        }
    }

    #[test]
    fn literals() {
        let check = |text: &str, expected: &str| assert_eq!(print(&parse_literal(text).unwrap()), expected);
        check("tank_empty", "tank_empty");
        check(" s ( ?a ,b-1 ) ", "s(?a, b-1)");
        check("not s(a)", "not s(a)");
        check("not\ts(a)", "not s(a)");
        check("?a!=?b", "?a != ?b");
        check("a = 7.5", "a = 7.5");
        check("nothing(notes)", "nothing(notes)");
        check("?self = ?self", "?self = ?self");
        check("0(0)", "0(0)");
    }

    /// Where the fault is, and a word of the message or help.
    #[test]
    fn faults() {
        let check = |text: &str, at: Range<usize>, word: &str| {
            let error = parse_literal(text).unwrap_err();
            let said = format!("{} {}", error.message, error.help.unwrap_or(""));
            assert_eq!(error.span, at, "{text}: {said}");
            assert!(said.contains(word), "{text}: {said}");
        };
        check("", 0..0, "the end");
        check("s()", 1..3, "the name alone");
        check("s(a", 3..3, "the end");
        check("s(a,)", 4..5, "')'");
        check("s(a b)", 4..5, "expected ','");
        check("s(t(a))", 3..4, "do not nest");
        check("s(? x)", 2..3, "`?name` in one");
        check("s(_x)", 2..3, "'_'");
        check("s(é)", 2..4, "ASCII");
        check("s(a) t", 5..6, "'t'");
        check("?x", 0..2, "alone");
        check("not", 0..3, "reserved");
        check("not(a)", 0..3, "reserved");
        check("s(not)", 2..5, "reserved");
        check("a = not", 4..7, "reserved");
        check("not not a", 4..7, "reserved");
        check("not a = b", 0..5, "`a != b`");
        check("not a != b", 0..5, "`a = b`");
        check("a == b", 2..4, "single");
        check("a ! b", 2..3, "'!'");
        check("!a", 0..1, "`not`");
        check("a = b = c", 6..7, "two names");
        check("s(a) = b", 5..6, "two names");
    }

    #[test]
    fn atoms() {
        assert_eq!(parse_atom("s(a, ?b)").unwrap().args.len(), 2);
        assert!(parse_atom("not s(a)").is_err());
        assert!(parse_atom("a = b").is_err());
    }
}
