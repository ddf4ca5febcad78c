//! Diagnostics as text, like a compiler's. Nothing of a file reaches the terminal unseen.

use std::{fmt::Write, ops::Range};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{Diagnostic, Position, Severity, SourceFile};
use crate::text::visible;

/// Bytes of a line that is shown whole.
const WHOLE: usize = 130;

/// Characters that are shown of a longer line, before the marked place and from it on: what a fault
/// costs must not grow with its line.
const BEFORE: usize = 50;
const AFTER: usize = 80;

/// Characters of a message that are shown.
const MESSAGE: usize = 400;

/// Stands where something was cut.
const CUT: &str = "...";

/// Renders diagnostics, a blank line between them: place, the line with the place marked, code,
/// help, related place. `colour` adds terminal colours.
pub fn render(diagnostics: &[Diagnostic], colour: bool) -> String {
    render_within(diagnostics, colour, None)
}

/// The same with lines of files cut to a terminal of that width.
pub fn render_within<'a>(
    diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
    colour: bool,
    width: Option<usize>,
) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        if !out.is_empty() {
            out.push('\n');
        }
        Message::new(diagnostic, colour, width).write(diagnostic, &mut out);
    }
    out
}

/// How the parts of one diagnostic look.
struct Message {
    colour: bool,
    /// Of the marks and the first word.
    level: &'static str,
    /// Columns of the widest line number.
    margin: usize,
    /// Columns of the terminal, if there is one.
    width: Option<usize>,
}

/// Columns of a line of a file that are shown, however narrow the terminal.
const NARROWEST: usize = 24;

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const BLUE: &str = "\x1b[1;34m";
const BOLD: &str = "\x1b[1m";

impl Message {
    fn new(diagnostic: &Diagnostic, colour: bool, width: Option<usize>) -> Message {
        let line = |span: &Range<usize>| diagnostic.file.position(span.start).line;
        let last = line(&diagnostic.span).max(diagnostic.related.as_ref().map_or(1, |(span, _)| line(span)));
        let level = match diagnostic.severity {
            Severity::Error => RED,
            Severity::Warning => YELLOW,
        };
        Message { colour, level, margin: last.to_string().len(), width }
    }

    fn write(&self, diagnostic: &Diagnostic, out: &mut String) {
        let file = &diagnostic.file;
        let word = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let word = self.paint(self.level, &format!("{word}[{}]", diagnostic.code));
        // A file that could not be read, or holds nothing, has no place to show.
        let lines = if file.text.is_empty() {
            vec![self.origin("-->", file, None)]
        } else {
            self.snippet("-->", file, &diagnostic.span, self.level, '^', "")
        };
        let related = diagnostic.related.iter().flat_map(|(span, label)| {
            let rest = self.snippet(":::", file, span, BLUE, '-', &shown(label));
            std::iter::once(self.gutter("", "|", "")).chain(rest)
        });
        let help = diagnostic.help.iter().flat_map(|help| {
            let marked = !file.text.is_empty();
            let before = marked.then(|| self.gutter("", "|", ""));
            before.into_iter().chain([self.gutter("", "=", &format!("{} {}", self.paint(BOLD, "help:"), shown(help)))])
        });
        let title = format!("{word}{}", self.paint(BOLD, &format!(": {}", shown(&diagnostic.message))));
        for line in std::iter::once(title).chain(lines).chain(related).chain(help) {
            let _ = writeln!(out, "{line}");
        }
    }

    fn origin(&self, arrow: &str, file: &SourceFile, at: Option<Position>) -> String {
        let arrow = self.paint(BLUE, arrow);
        let at = at.map_or(String::new(), |at| format!(":{}:{}", at.line, at.column));
        format!("{:margin$}{arrow} {}{at}", "", visible(&file.name), margin = self.margin)
    }

    /// The place, its line, and a mark below it with what it has to do with it.
    fn snippet(
        &self,
        arrow: &str,
        file: &SourceFile,
        span: &Range<usize>,
        look: &str,
        mark: char,
        label: &str,
    ) -> Vec<String> {
        let position = file.position(span.start);
        let line = file.line(position.line);
        let start = line.floor_char_boundary(span.start - file.line_start(position.line));
        let room = self.width.map(|width| width.saturating_sub(self.margin + 3).max(NARROWEST));
        let (from, to) = room.map_or_else(|| window(line, start), |room| fitting(line, start, room));
        // What goes on over several lines, or further than is shown, is marked up to there.
        let end = line.floor_char_boundary((start + span.len()).min(to)).max(start);
        let safe = |part: &str| part.chars().map(safe).collect::<String>().replace('\t', "    ");
        let (before, marked, after) = (safe(&line[from..start]), safe(&line[start..end]), safe(&line[end..to]));
        let cut = |cut: bool| if cut { CUT } else { "" };
        let before = format!("{}{before}", cut(from > 0));
        let marks = mark.to_string().repeat(marked.width().max(1));
        let marks = self.paint(look, format!("{marks} {label}").trim_end());
        let text = format!("{before}{marked}{after}{}", cut(to < line.len()));
        vec![
            self.origin(arrow, file, Some(position)),
            self.gutter("", "|", ""),
            self.gutter(&position.line.to_string(), "|", &text),
            self.gutter("", "|", &format!("{:1$}{marks}", "", before.width())),
        ]
    }

    /// What stands left of a line, and the line.
    fn gutter(&self, number: &str, rule: &str, line: &str) -> String {
        let left = self.paint(BLUE, &format!("{number:margin$} {rule}", margin = self.margin));
        format!("{left} {line}").trim_end().to_owned()
    }

    fn paint(&self, look: &str, text: &str) -> String {
        if self.colour { format!("{look}{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// A text of ours with names of the file in it: nothing acts, and nothing goes on for ever.
fn shown(text: &str) -> String {
    match text.char_indices().nth(MESSAGE) {
        Some((cut, _)) => format!("{}{CUT}", visible(&text[..cut])),
        None => visible(text).into_owned(),
    }
}

/// The part of a line that is shown round a place in it.
fn window(line: &str, start: usize) -> (usize, usize) {
    if line.len() <= WHOLE {
        return (0, line.len());
    }
    let from = line[..start].char_indices().rev().nth(BEFORE - 1).map_or(0, |(i, _)| i);
    let to = line[start..].char_indices().nth(AFTER).map_or(line.len(), |(i, _)| start + i);
    (from, to)
}

/// The part of a line round a place in it that has room in so many columns, marks of what was cut included.
fn fitting(line: &str, start: usize, room: usize) -> (usize, usize) {
    let columns = |c: char| if c == '\t' { 4 } else { safe(c).width().unwrap_or(0) };
    // How many bytes have room, and the columns that they take.
    let take = |chars: &mut dyn Iterator<Item = char>, room: usize| {
        let (mut bytes, mut used) = (0, 0);
        for c in chars {
            used += columns(c);
            if used > room {
                return (bytes, used - columns(c));
            }
            bytes += c.len_utf8();
        }
        (bytes, used)
    };
    if take(&mut line.chars(), room).0 == line.len() {
        return (0, line.len());
    }
    let room = room.saturating_sub(2 * CUT.len());
    let (before, used) = take(&mut line[..start].chars().rev(), room * 3 / 8);
    let (after, _) = take(&mut line[start..].chars(), room - used);
    (start - before, start + after)
}

/// One character for one that would act on the terminal: what is shown is as long as the file says.
fn safe(c: char) -> char {
    let mut bytes = [0; 4];
    let shown = visible(c.encode_utf8(&mut bytes));
    let mut shown = shown.chars();
    match (shown.next(), shown.next()) {
        _ if c == '\t' => c,
        (Some(one), None) => one,
        _ => char::REPLACEMENT_CHARACTER,
    }
}
