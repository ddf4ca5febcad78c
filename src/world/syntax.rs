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
