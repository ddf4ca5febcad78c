//! Standard output: whole, safe to show, and quiet about a reader that went away.

use std::io::{self, IsTerminal, Write};

use ratatui::style::{Color, Modifier, Style};
use serde::Serialize;

use super::CliError;
use crate::{
    text::{acts, visible, visible_lines},
    tui::{
        cells,
        sign::Sign,
        theme::{Palette, Role, Theme},
    },
};

/// Columns where there is no terminal that has some.
const WIDTH: usize = 100;

/// How text looks: signs, colours, and how wide it may be. Everything that passes through here is
/// made visible, so that nothing of a file or log acts on a terminal.
#[derive(Debug, Clone, Copy)]
pub struct Paint {
    theme: Theme,
    /// Whether to send attributes and colours at all.
    styled: bool,
    /// Columns.
    pub width: usize,
    /// Whether there is a terminal that breaks longer lines.
    pub breaks: bool,
}

impl Paint {
    /// Nothing but text.
    pub fn plain(ascii: bool) -> Self {
        Paint { theme: Theme { palette: Palette::Mono, ascii }, styled: false, width: WIDTH, breaks: false }
    }

    /// For standard output: the colours of a theme on a terminal, whose palette says what `NO_COLOR` leaves.
    fn stdout(theme: Theme) -> Self {
        let mut paint = Paint::plain(theme.ascii || !locale_is_utf8());
        if io::stdout().is_terminal() {
            paint.breaks = true;
            paint.styled = !dumb();
            paint.theme.palette = theme.palette;
            paint.width = terminal_width().unwrap_or(WIDTH).max(40);
        }
        paint
    }

    /// Whether colours are sent.
    pub fn coloured(&self) -> bool {
        self.styled && self.theme.palette != Palette::Mono
    }

    /// A text with the look of a meaning, on one line.
    pub fn text(&self, role: Role, text: &str) -> String {
        self.styled(self.theme.style(role), &visible(text))
    }

    /// A sign.
    pub fn sign(&self, sign: impl Into<Sign>) -> String {
        let sign = sign.into();
        self.styled(self.theme.sign_style(sign), self.theme.glyph(sign))
    }

    /// One glyph or its ASCII twin.
    pub fn either(&self, glyph: &'static str, ascii: &'static str) -> &'static str {
        if self.theme.ascii { ascii } else { glyph }
    }

    /// ` → `, ` -> `.
    pub fn arrow(&self) -> &'static str {
        self.either(" → ", " -> ")
    }

    /// What stands between the parts of a line.
    pub fn dot(&self) -> &'static str {
        self.either(" · ", " - ")
    }

    /// A text cut to so many cells; what is left out is counted.
    pub fn clip(&self, text: &str, cells: usize) -> String {
        cells::clip(&visible(text), cells, self.theme.ascii).into_owned()
    }

    /// A text of several lines, wrapped to the width behind `indent` columns; each line with the look
    /// of a meaning.
    pub fn wrapped(&self, role: Role, text: &str, indent: usize) -> Vec<String> {
        let text = visible_lines(text.trim_end());
        let room = self.width.saturating_sub(indent).max(20);
        cells::wrap(&text, room).into_iter().map(|line| self.styled(self.theme.style(role), line)).collect()
    }

    fn styled(&self, style: Style, text: &str) -> String {
        let codes = if self.styled { codes(style) } else { String::new() };
        if codes.is_empty() || text.is_empty() { text.to_owned() } else { format!("\x1b[{codes}m{text}\x1b[0m") }
    }
}

/// The columns of the terminal, if it tells.
pub fn terminal_width() -> Option<usize> {
    ratatui::crossterm::terminal::size().ok().map(|(columns, _)| usize::from(columns))
}

/// Whether `NO_COLOR` is set.
pub fn no_colour() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// Whether the terminal knows no attributes.
pub fn dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Whether the first of the locale variables that is set says so; without any it is taken for granted.
fn locale_is_utf8() -> bool {
    let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    locale.is_none_or(|locale| {
        let locale = locale.to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// The parameters of the escape sequence for a style.
fn codes(style: Style) -> String {
    let attributes = [
        (Modifier::BOLD, 1),
        (Modifier::DIM, 2),
        (Modifier::ITALIC, 3),
        (Modifier::UNDERLINED, 4),
        (Modifier::REVERSED, 7),
    ];
    let set = attributes.into_iter().filter(|(modifier, _)| style.add_modifier.contains(*modifier));
    let colour = match style.fg {
        Some(Color::Red) => Some(31),
        Some(Color::Green) => Some(32),
        Some(Color::Yellow) => Some(33),
        Some(Color::Blue) => Some(34),
        Some(Color::Magenta) => Some(35),
        Some(Color::Cyan) => Some(36),
        _ => None,
    };
    let codes: Vec<String> = set.map(|(_, code)| code).chain(colour).map(|code: u8| code.to_string()).collect();
    codes.join(";")
}

/// What a command prints.
#[derive(Debug)]
pub struct Output {
    out: io::BufWriter<io::Stdout>,
    /// How text looks.
    pub paint: Paint,
}

impl Output {
    /// Standard output.
    pub fn stdout(theme: Theme) -> Self {
        Output { out: io::BufWriter::new(io::stdout()), paint: Paint::stdout(theme) }
    }

    /// Writes text as it is; whoever calls has made it safe to show.
    ///
    /// # Errors
    /// When it cannot be written; a closed pipe is told apart.
    pub fn text(&mut self, text: &str) -> Result<(), CliError> {
        self.out.write_all(text.as_bytes())?;
        Ok(())
    }

    /// Writes a line; spaces at its end are left out.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn line(&mut self, text: &str) -> Result<(), CliError> {
        self.text(text.trim_end())?;
        self.text("\n")
    }

    /// Writes JSON, indented, and a line feed. What would act on a terminal is escaped, which
    /// changes no value.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), CliError> {
        match serde_json::to_writer_pretty(Escaping(&mut self.out), value) {
            Ok(()) => self.text("\n"),
            Err(error) => Err(io::Error::from(error).into()),
        }
    }

    /// Hands everything over.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> Result<(), CliError> {
        self.out.flush()?;
        Ok(())
    }
}

/// Passes JSON on with everything escaped that would act on a terminal.
struct Escaping<W>(W);

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, json: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(json).unwrap_or_default();
        if !text.chars().any(acts) {
            return self.0.write_all(json).map(|()| json.len());
        }
        for c in text.chars() {
            match c {
                '\n' => self.0.write_all(b"\n")?,
                // Raw control characters stand between the tokens alone.
                '\t' | '\r' => self.0.write_all(b" ")?,
                c if acts(c) => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        write!(self.0, "\\u{unit:04x}")?;
                    }
                }
                c => write!(self.0, "{c}")?,
            }
        }
        Ok(json.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Says something on standard error that keeps nothing from running.
pub fn note(message: &str) {
    // Nobody reads it where it cannot be written.
    let _ = writeln!(io::stderr(), "note: {}", visible_lines(message));
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn json_keeps_its_values_and_acts_on_nothing() {
        let raw: Box<serde_json::value::RawValue> = serde_json::from_str("[1,\t\"\u{9b}\u{7f}\"]").unwrap();
        let mut json = Vec::new();
        serde_json::to_writer(Escaping(&mut json), &("\u{202e}\u{e0041}漢", raw)).unwrap();
        let json = String::from_utf8(json).unwrap();
        assert_eq!(json, r#"["\u202e\udb40\udc41漢",[1, "\u009b\u007f"]]"#);
        let values: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(values, serde_json::json!(["\u{202e}\u{e0041}漢", [1, "\u{9b}\u{7f}"]]));
    }

    #[test]
    fn styles_become_escape_sequences() {
        let dark = Paint { theme: Theme::default(), styled: true, width: 80, breaks: true };
        assert_eq!(dark.sign(Sign::Capability), "\x1b[7;31mC\x1b[0m");
        assert_eq!(dark.sign(Sign::Fired), "●");
        assert_eq!(dark.text(Role::Dim, "a\x1bb"), "\x1b[2ma␛b\x1b[0m");
        let mono = Paint { theme: Theme { palette: Palette::Mono, ascii: true }, ..dark };
        assert_eq!(mono.sign(Sign::Capability), "\x1b[7mC\x1b[0m");
        assert_eq!(Paint::plain(true).sign(Sign::Diverged), "%");
    }
}
