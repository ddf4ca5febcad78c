//! How a page is put together, so that nothing of a log can be taken for markup.
//!
//! Markup is `&'static str`, written by us. Everything else has to say what it is: text is a [`T`], which
//! makes it visible and escapes it; numbers are numbers. A text that is not wrapped does not compile.

use std::fmt::Write;

use crate::text::{visible, visible_lines};

/// Text from anywhere, on one line.
pub struct T<'a>(pub &'a str);

/// Text from anywhere; its lines stay lines.
pub struct Lines<'a>(pub &'a str);

/// A coordinate, with one decimal.
pub struct At(pub f64);

/// A part of a page.
pub trait Piece {
    /// Writes it.
    fn put(self, page: &mut String);
}

/// Markup.
impl Piece for &'static str {
    fn put(self, page: &mut String) {
        page.push_str(self);
    }
}

impl Piece for T<'_> {
    fn put(self, page: &mut String) {
        escape(&visible(self.0), page);
    }
}

impl Piece for Lines<'_> {
    fn put(self, page: &mut String) {
        escape(&visible_lines(self.0), page);
    }
}

impl Piece for usize {
    fn put(self, page: &mut String) {
        // Writing to a string cannot fail.
        let _ = write!(page, "{self}");
    }
}

impl Piece for At {
    fn put(self, page: &mut String) {
        // Not "-0.0": what is the same looks the same.
        let rounded = (self.0 * 10.0).round() / 10.0 + 0.0;
        let _ = write!(page, "{rounded}");
    }
}

fn escape(text: &str, page: &mut String) {
    for c in text.chars() {
        match c {
            '&' => page.push_str("&amp;"),
            '<' => page.push_str("&lt;"),
            '>' => page.push_str("&gt;"),
            '"' => page.push_str("&quot;"),
            '\'' => page.push_str("&#39;"),
            c => page.push(c),
        }
    }
}

/// Writes parts of a page one after the other.
macro_rules! put {
    ($page:expr, $($piece:expr),+ $(,)?) => {{ $( $crate::report::markup::Piece::put($piece, &mut *$page); )+ }};
}
pub(super) use put;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut page = String::new();
        put!(&mut page, "<b title=\"", T(text), "\">");
        assert_eq!(page, format!("<b title=\"{expected}\">"));
    }

    #[test]
    fn text_is_no_markup() {
        check("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;");
        check("\" onload='x' ]]>", "&quot; onload=&#39;x&#39; ]]&gt;");
        check("&lt;", "&amp;lt;");
        check("a\u{202e}b\u{7}\n", "a&lt;U+202E&gt;b␇␊");
    }

    #[test]
    fn numbers_are_short() {
        let mut page = String::new();
        put!(&mut page, At(-0.01), " ", At(12.34), " ", At(5.0), " ", 7);
        assert_eq!(page, "0 12.3 5 7");
    }
}
