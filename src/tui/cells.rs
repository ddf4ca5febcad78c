//! Text as the terminal sees it: widths in cells, cut at graphemes, never at bytes.
//!
//! The same measure as ratatui's buffer, so that what is counted here is what is drawn.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::buffer::CellWidth;
use unicode_segmentation::UnicodeSegmentation;

/// The cells of one grapheme.
fn cell(grapheme: &str) -> usize {
    if grapheme.len() == 1 { 1 } else { usize::from(grapheme.cell_width()) }
}

/// How many cells a text takes.
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.graphemes(true).map(cell).sum()
}

/// Bytes that a beginning of so many cells may take: graphemes of more are not looked into further, so
/// that cutting a line of megabytes costs no more than what is shown of it.
pub fn reach(cells: usize) -> usize {
    cells.saturating_mul(64).saturating_add(256)
}

/// Bytes of what is left out that are counted by graphemes; more is counted by characters, which is
/// much faster and as telling.
const COUNTED: usize = 4096;

fn left_out(text: &str) -> usize {
    if text.len() > COUNTED { text.chars().count() } else { text.graphemes(true).count() }
}

/// The longest beginning that takes `cells` at most: the text, its width, and how many graphemes stay
/// out, characters where they are many.
pub fn head(text: &str, cells: usize) -> (&str, usize, usize) {
    let near = &text[..text.floor_char_boundary(reach(cells))];
    let whole = near.len() == text.len();
    if near.is_ascii() {
        let kept = &near[..cells.min(near.len())];
        return (kept, kept.len(), left_out(&text[kept.len()..]));
    }
    let mut used = 0;
    for (at, g) in near.grapheme_indices(true) {
        let w = cell(g);
        // The last of a beginning may be a part of one.
        if used + w > cells || !whole && at + g.len() == near.len() {
            return (&text[..at], used, left_out(&text[at..]));
        }
        used += w;
    }
    (text, used, 0)
}

/// The mark that ends a clipped text: `…11`, characters left out; `..11` where signs are ASCII.
pub fn elision(left_out: usize, ascii: bool) -> String {
    format!("{}{left_out}", if ascii { ".." } else { "…" })
}

/// Splits a text for `cells`: what stays, and the mark for what does not ([`elision`]; empty where
/// everything stays). Where even the mark has no room, as much of it as fits.
pub fn cut(text: &str, cells: usize, ascii: bool) -> (&str, String) {
    cut_before(text, 0, cells, ascii)
}

/// The same for a text that so much more would follow.
pub fn cut_before(text: &str, more: usize, cells: usize, ascii: bool) -> (&str, String) {
    let mut room = cells;
    loop {
        let (kept, used, out) = head(text, room);
        if out + more == 0 {
            return (text, String::new());
        }
        let mark = elision(out + more, ascii);
        let need = width(&mark);
        if used + need <= cells {
            return (kept, mark);
        }
        if room == 0 {
            return ("", head(&mark, cells).0.to_owned());
        }
        room = used.min(cells.saturating_sub(need)).min(room - 1);
    }
}

/// Cuts a text to `cells`, with the mark behind it.
pub fn clip(text: &str, cells: usize, ascii: bool) -> Cow<'_, str> {
    match cut(text, cells, ascii) {
        (kept, mark) if mark.is_empty() => Cow::Borrowed(kept),
        (kept, mark) => Cow::Owned(format!("{kept}{mark}")),
    }
}

/// A text shortened to `cells` by whole words, with a mark behind them; nothing where no word fits.
pub fn words(text: &str, cells: usize, ascii: bool) -> String {
    let (kept, _, out) = head(text, cells);
    if out == 0 {
        return text.to_owned();
    }
    let mark = if ascii { ".." } else { "…" };
    let fits = |end: usize| width(kept[..end].trim_end()) + width(mark) <= cells;
    let ends = kept.char_indices().rev().filter(|(_, c)| c.is_whitespace()).map(|(at, _)| at);
    match ends.into_iter().find(|&end| fits(end) && !kept[..end].trim().is_empty()) {
        Some(end) => format!("{}{mark}", kept[..end].trim_end()),
        None => String::new(),
    }
}

/// A text of exactly `cells`: clipped or filled with spaces.
pub fn fit(text: &str, cells: usize, ascii: bool) -> String {
    let clipped = clip(text, cells, ascii);
    let fill = cells.saturating_sub(width(&clipped));
    format!("{clipped}{}", " ".repeat(fill))
}

/// Breaks a text into lines of `cells` at most: at line feeds, then at spaces, then inside words too
/// long for a line, there behind a joint (`_ - . , ( /`) if one stands in the line's second half.
/// Indentation stays. At least one line comes out.
pub fn wrap(text: &str, cells: usize) -> Vec<&str> {
    text.split('\n').flat_map(|line| wrap_line(line, cells).into_iter().map(|range| &line[range])).collect()
}

/// The stretches of one line that [`wrap`] makes of it, in bytes. Spaces at a break belong to none.
pub fn wrap_line(line: &str, cells: usize) -> Vec<Range<usize>> {
    let cells = cells.max(1);
    let mut out = Vec::new();
    let (mut start, mut used) = (0, 0);
    let (mut space, mut joint) = (None, None);
    let trimmed = |from: usize, to: usize| from..from + line[from..to].trim_end().len();
    for (at, g) in line.grapheme_indices(true) {
        let blank = g.chars().all(char::is_whitespace);
        if blank && at == start && !out.is_empty() {
            start += g.len();
            continue;
        }
        let w = cell(g);
        if used + w > cells {
            match space.take() {
                _ if blank => {
                    out.push(trimmed(start, at));
                    (start, used) = (at + g.len(), 0);
                    continue;
                }
                Some(after) => {
                    out.push(trimmed(start, after));
                    start = after;
                }
                None if at > start => {
                    let half = |&joint: &usize| joint > start && 2 * width(&line[start..joint]) > cells;
                    let end = joint.filter(half).unwrap_or(at);
                    out.push(start..end);
                    start = end;
                }
                None => {}
            }
            used = width(&line[start..at]);
        }
        used += w;
        if matches!(g, "_" | "-" | "." | "," | "(" | "/") {
            joint = Some(at + g.len());
        }
        if blank && !line[start..at].trim().is_empty() {
            space = Some(at + g.len());
        }
    }
    if start < line.len() || out.is_empty() {
        out.push(start..line.len());
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn widths() {
        for (text, cells) in [("", 0), ("abc", 3), ("漢字", 4), ("e\u{301}", 1), ("👩‍🔧", 2), ("✓ naïve", 7), ("…", 1)]
        {
            assert_eq!(width(text), cells, "{text:?}");
        }
    }

    #[test]
    fn clipping_counts_what_is_left_out() {
        for (text, cells, clipped) in [
            ("abc", 3, "abc"),
            ("abcdef", 5, "abc…3"),
            ("diagnosis(pump-101, bearing_wear)", 23, "diagnosis(pump-101, …13"),
            ("漢字漢字", 5, "漢…3"),
            ("e\u{301}e\u{301}e\u{301}e\u{301}", 3, "e\u{301}…3"),
            ("abcdef", 2, "…6"),
            ("abcdef", 1, "…"),
            ("abcdef", 0, ""),
        ] {
            assert_eq!(clip(text, cells, false), clipped, "{text:?} in {cells}");
        }
        assert_eq!(clip("abcdef", 5, true), "ab..4");
        assert_eq!(fit("漢", 4, false), "漢  ");
    }

    #[test]
    fn shortening_keeps_words() {
        for (text, cells, short) in [
            ("Hot lug in a motor", 18, "Hot lug in a motor"),
            ("Hot lug in a motor", 17, "Hot lug in a…"),
            ("Hot lug in a motor", 8, "Hot lug…"),
            ("Hot lug in a motor", 7, "Hot…"),
            ("Hot lug in a motor", 3, ""),
            ("漢字 漢字 漢字", 8, "漢字…"),
            ("one-word", 4, ""),
        ] {
            assert_eq!(words(text, cells, false), short, "{text:?} in {cells}");
        }
        assert_eq!(words("Hot lug in a motor", 9, true), "Hot lug..");
    }

    /// A long tail is counted by characters; graphemes, or the cells of all of it, would take seconds.
    #[test]
    fn a_long_text_costs_what_is_shown_of_it() {
        let accents = "e\u{301}".repeat(100_000);
        assert_eq!(clip(&accents, 10, false), format!("{}…199994", "e\u{301}".repeat(3)));
        let words = "漢字 ".repeat(100_000);
        assert_eq!(clip(&words, 12, false), "漢字 …299997");
        // What never comes to a cell is cut too.
        let marks = format!("a{}", "\u{301}".repeat(100_000));
        assert_eq!(clip(&marks, 9, false), "…100001");
        assert_eq!(clip(&"x".repeat(100_000), 9, false), "xxx…99997");
        assert_eq!(cut_before("abc", 5, 9, false), ("abc", "…5".to_owned()));
        assert_eq!(cut_before("abcdef", 94, 5, false), ("ab", "…98".to_owned()));
    }

    #[test]
    fn wrapping_keeps_words() {
        for (text, cells, lines) in [
            ("P-101 trips again. First I look.", 12, vec!["P-101 trips", "again. First", "I look."]),
            ("abcdefgh", 3, vec!["abc", "def", "gh"]),
            ("at protection_bypassed", 14, vec!["at", "protection_", "bypassed"]),
            ("evidence(fan-3,scale_on_blades)", 12, vec!["evidence(", "fan-3,scale_", "on_blades)"]),
            ("a-bcdefghij", 8, vec!["a-bcdefg", "hij"]),
            ("a\n\nb", 9, vec!["a", "", "b"]),
            ("  in deep", 5, vec!["  in", "deep"]),
            ("漢字漢字", 3, vec!["漢", "字", "漢", "字"]),
            ("漢", 1, vec!["漢"]),
        ] {
            assert_eq!(wrap(text, cells), lines, "{text:?} in {cells}");
        }
    }

    proptest! {
        #[test]
        fn never_wider_than_asked(text in "\\PC{0,40}", cells in 0usize..30) {
            prop_assert!(width(&clip(&text, cells, false)) <= cells);
            prop_assert_eq!(width(&fit(&text, cells, true)), cells);
            for line in wrap(&text, cells.max(2)) {
                // A grapheme wider than the line stands alone in it: nothing is cut inside one.
                prop_assert!(width(line) <= cells.max(2) || line.graphemes(true).count() == 1, "{:?}", line);
            }
        }

        #[test]
        fn wrapping_loses_nothing_but_space(text in "[a-z漢 ,.]{0,60}", cells in 2usize..20) {
            let all = |s: &str| s.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(all(&wrap(&text, cells).concat()), all(&text));
        }
    }
}
