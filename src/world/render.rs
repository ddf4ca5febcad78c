//! Diagnostics as text, like a compiler's. Nothing of a file reaches the terminal unseen.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet, renderer::DecorStyle};

use super::{Diagnostic, Severity, SourceFile};
use crate::text::visible;

/// Characters of a line that are kept from the marked place on.
const AFTER: usize = 100;

/// Columns of a shown line; longer ones are cut round the place.
const WIDTH: usize = 140;

/// Characters of a message that are shown.
const MESSAGE: usize = 400;

/// Renders diagnostics, a blank line between them: place, the line with the place marked, code,
/// help, related place. `colour` adds terminal colours.
pub fn render(diagnostics: &[Diagnostic], colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii).term_width(WIDTH);
    let mut out = String::new();
    for diagnostic in diagnostics {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&renderer.render(&[group(diagnostic)]));
        out.push('\n');
    }
    out
}

fn group(diagnostic: &Diagnostic) -> Group<'_> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let file = &diagnostic.file;
    let mut group = Group::with_title(level.primary_title(shown(&diagnostic.message)).id(diagnostic.code));
    if file.text.is_empty() {
        group = group.element(Origin::path(visible(&file.name).into_owned()).line(1).char_column(1));
    } else {
        group = group.element(snippet(file, &diagnostic.span, AnnotationKind::Primary, None));
    }
    if let Some((span, label)) = &diagnostic.related {
        group = group.element(snippet(file, span, AnnotationKind::Context, Some(shown(label))));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(shown(help)));
    }
    group
}

/// A text of ours with names of the file in it: nothing acts, and nothing goes on for ever.
fn shown(text: &str) -> String {
    match text.char_indices().nth(MESSAGE) {
        Some((cut, _)) => format!("{}…", visible(&text[..cut])),
        None => visible(text).into_owned(),
    }
}

/// The line of a place, with the place marked. Every character stays one character, so that the
/// column that is printed is that of the file.
fn snippet<'a>(
    file: &SourceFile,
    span: &Range<usize>,
    kind: AnnotationKind,
    label: Option<String>,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let position = file.position(span.start);
    let line = file.line(position.line);
    let start = line.char_indices().nth(position.column - 1).map_or(line.len(), |(i, _)| i);
    // What goes on over several lines, or further than is shown, is marked up to there.
    let shown = line[start..].char_indices().nth(AFTER).map_or(line.len(), |(i, _)| start + i);
    let end = line.floor_char_boundary((start + span.len()).min(shown)).max(start);

    let mut text = String::with_capacity(shown);
    let mut marked = 0..0;
    for (i, c) in line[..shown].char_indices() {
        if i == start {
            marked.start = text.len();
        }
        if i == end {
            marked.end = text.len();
        }
        text.push(safe(c));
    }
    if start == shown {
        marked.start = text.len();
    }
    if end == shown {
        marked.end = text.len();
    }
    if shown < line.len() {
        text.push('…');
    }
    Snippet::source(text)
        .path(visible(&file.name).into_owned())
        .line_start(position.line)
        .annotation(kind.span(marked).label(label))
}

/// One character for one that would act on the terminal.
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
