//! Text from files and logs, made safe to show.
//!
//! Nothing that was read may act on the terminal: control characters, escape sequences and bidi
//! overrides are shown, not sent. Every screen and every text output passes through here.

use std::borrow::Cow;

/// Whether a character would act on the terminal or reorder the line instead of standing in it.
pub fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{2028}' | '\u{2029}')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{206a}'..='\u{206f}')
        || matches!(c, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn show(c: char, out: &mut String) {
    match c {
        '\n' => out.push('␊'),
        '\t' => out.push('␉'),
        '\0'..='\x1f' => out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}')),
        '\x7f' => out.push('␡'),
        _ => out.push_str(&format!("<U+{:04X}>", u32::from(c))),
    }
}

/// One line of text with everything that acts made visible: `ESC` becomes `␛`, a bidi override
/// `<U+202E>`, a line feed `␊`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(acts) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if acts(c) { show(c, &mut out) } else { out.push(c) }
    }
    Cow::Owned(out)
}

/// Like [`visible`], but line feeds stay line feeds (CRLF too), and tabs become spaces.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| acts(c) && c != '\n') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' => out.push('\n'),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\t' => out.push_str("    "),
            c if acts(c) => show(c, &mut out),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// A number and what is counted: `1 call`, `3 calls`, `2 entries`.
pub fn count(number: impl TryInto<usize>, one: &str) -> String {
    let number = number.try_into().unwrap_or(usize::MAX);
    match (number, one.strip_suffix('y')) {
        (1, _) => format!("1 {one}"),
        (_, Some(stem)) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{number} {stem}ies"),
        _ => format!("{number} {one}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_many() {
        for (number, one, text) in [
            (0, "run", "0 runs"),
            (1, "run", "1 run"),
            (2, "entry", "2 entries"),
            (1, "entry", "1 entry"),
            (3, "key", "3 keys"),
        ] {
            assert_eq!(count(number, one), text);
        }
    }

    #[test]
    fn what_acts_is_shown() {
        assert_eq!(visible("\x1b[31mred\x07"), "␛[31mred␇");
        assert_eq!(visible("a\u{202e}b\u{9b}c"), "a<U+202E>b<U+009B>c");
        assert_eq!(visible("a\nb\tc\r\u{7f}"), "a␊b␉c␍␡");
        assert_eq!(visible_lines("a\r\nb\tc\rd"), "a\nb    c␍d");
    }

    #[test]
    fn what_stands_is_kept() {
        for text in ["", "plain", "漢字 e\u{301} 👩‍🔧", "naïve ✓"] {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text));
        }
    }
}
