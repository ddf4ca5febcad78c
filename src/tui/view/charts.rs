//! Bars: shares with their intervals, counts by gate, and two means side by side.

use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use crate::text::visible;
use crate::tui::canvas::Canvas;
use crate::tui::cells;
use crate::tui::results::{Bar, ChartRow, Results, Value};
use crate::tui::sign::Sign;
use crate::tui::theme::{Role, Theme};

/// Where things stand in a row of a chart.
#[derive(Clone, Copy)]
struct Room {
    label: usize,
    bar: usize,
}

/// Cells of the numbers behind a bar: `  44 %   7/16`.
const NUMBERS: usize = 14;
/// Cells of what was done instead of what was withheld, in words.
const NOTE: usize = 24;
/// A count of one takes so many cells at most.
const UNIT: usize = 3;

/// The charts.
pub fn draw(screen: &Results, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let focused = canvas.focused;
    let labels = screen.charts.iter().filter_map(|row| match row {
        ChartRow::Bar(bar) => Some(cells::width(&visible(&bar.name))),
        _ => None,
    });
    let width = usize::from(canvas.width()).saturating_sub(3);
    let label = labels.max().unwrap_or(0).clamp(6, 14).min(width / 3) + 1;
    let room = Room { label, bar: width.saturating_sub(label + NUMBERS).min(72) };
    if screen.charts.is_empty() {
        let counting = screen.counting.is_some() || screen.intake.left > 0 || screen.intake.loading;
        let text = if counting { "counting" } else { "nothing to draw: no run is scored" };
        return canvas.line(1, 0, theme.span(Role::Dim, text));
    }
    for seen in screen.at.charts.seen(screen.charts.len(), canvas.height(), |_| 1) {
        if seen.cursor && focused {
            canvas.cursor(seen.y);
        }
        let line = match &screen.charts[seen.row] {
            ChartRow::Gap => continue,
            ChartRow::Title(name, marks) => {
                canvas.line(1, seen.y, theme.span(Role::Title, name.as_str()));
                let legend = marks_line(marks, theme);
                let need = u16::try_from(legend.width()).unwrap_or(u16::MAX);
                let x = canvas.width().saturating_sub(need + 1);
                if usize::from(x) > cells::width(name) + 2 {
                    canvas.line(x, seen.y, legend);
                }
                continue;
            }
            ChartRow::Captions => {
                let half = pair_width(room) + 8;
                let text = format!("{:label$}{:<half$}routing", "", "taking", label = room.label);
                Line::from(theme.span(Role::Dim, text))
            }
            ChartRow::Pending => {
                Line::from(vec![theme.sign(Sign::Pending), theme.span(Role::Dim, " distances are still to be found")])
            }
            ChartRow::Bar(bar) => bar_line(bar, room, theme),
        };
        canvas.line(1, seen.y, line);
    }
}

fn marks_line(marks: &[(Sign, &'static str)], theme: Theme) -> Line<'static> {
    let mark = |(sign, words): &(Sign, &'static str)| [theme.sign(*sign), theme.span(Role::Dim, format!(" {words}  "))];
    Line::from(marks.iter().flat_map(mark).collect::<Vec<_>>())
}

fn pair_width(room: Room) -> usize {
    (room.bar + NUMBERS).saturating_sub(16) / 2
}

fn bar_line(bar: &Bar, room: Room, theme: Theme) -> Line<'static> {
    let name = if bar.name.is_empty() { "(none)" } else { &bar.name };
    let name = cells::fit(&visible(name), room.label - 1, theme.ascii);
    let mut spans = vec![Span::raw(name), Span::raw(" ")];
    match &bar.value {
        Value::Share(share) => {
            let role = if bar.which.is_empty() { Role::Bar } else { Role::Bad };
            spans.extend(interval(share.share, (share.low, share.high), room.bar, role, theme));
            spans.push(Span::raw(format!(" {:>3.0} %", share.share * 100.0)));
            spans.push(theme.span(Role::Dim, format!("{:>8}", format!("{}/{}", share.n, bar.runs))));
        }
        Value::Counts { counts, most, note } => {
            let role = if bar.which == "over>0" { Role::Bad } else { Role::Under };
            let sum: usize = counts.iter().map(|(_, count)| count).sum();
            let all = (room.bar + NUMBERS).saturating_sub(5);
            let words = if all >= 70 { NOTE } else { 0 };
            let width = all.saturating_sub(words);
            let (drawn, used) = blocks(counts, *most, width, role, theme);
            spans.extend(drawn);
            let fill = " ".repeat(width.saturating_sub(used));
            let role = if sum > 0 { Role::Plain } else { Role::Dim };
            spans.push(theme.span(role, format!("{fill} {sum:>3}")));
            if sum > 0 && words > 0 {
                spans.push(theme.span(Role::Dim, format!("  {note}")));
            }
        }
        Value::Pair(taking, routing) => {
            let width = pair_width(room);
            for mean in [taking, routing] {
                match mean {
                    Some(mean) => {
                        spans.extend(interval(mean.mean, (mean.low, mean.high), width, Role::Bar, theme));
                        spans.push(Span::raw(format!(" {:.2}   ", mean.mean)));
                    }
                    None => spans.push(theme.span(Role::Dim, format!("{:<1$}", "-", width + 8))),
                }
            }
        }
    }
    Line::from(spans)
}

/// A share as a bar, with its interval as a line: dark within the bar, light beyond it.
fn interval(share: f64, bounds: (f64, f64), width: usize, role: Role, theme: Theme) -> Vec<Span<'static>> {
    let cells = |share: f64| share.clamp(0.0, 1.0) * width as f64;
    let (filled, low, high) = (cells(share), cells(bounds.0), cells(bounds.1));
    let (line, from, to) = if theme.ascii { ("-", "|", "|") } else { ("─", "├", "┤") };
    let style = theme.style(role);
    let ends = (low.floor() as usize, (high.ceil() as usize).saturating_sub(1));
    let cell = |at: usize| {
        let inside = at as f64 + 0.999 < filled;
        let mark = match at {
            _ if at < ends.0 || at > ends.1 => None,
            at if at == ends.0 && bounds.0 > 0.0 => Some(from),
            at if at == ends.1 && bounds.1 < 1.0 => Some(to),
            _ => Some(line),
        };
        let part = ((filled - at as f64) * 8.0).round().clamp(0.0, 8.0) as u8;
        match (mark, inside) {
            (Some(mark), true) if !theme.ascii => Span::styled(mark, style.add_modifier(Modifier::REVERSED)),
            (_, true) => Span::styled(theme.across(8), style),
            _ if part > 0 && theme.across(part) != " " => Span::styled(theme.across(part), style),
            (Some(mark), false) => Span::styled(mark, style),
            (None, false) => Span::raw(" "),
        }
    };
    (0..width).map(cell).collect()
}

/// Counts as blocks of their signs, and how many cells they take.
fn blocks(
    counts: &[(Sign, usize)],
    most: usize,
    width: usize,
    role: Role,
    theme: Theme,
) -> (Vec<Span<'static>>, usize) {
    let unit = (width / most.max(1)).min(UNIT);
    let style = theme.style(role).add_modifier(Modifier::REVERSED);
    let mut spans = Vec::new();
    let mut used = 0;
    for (sign, count) in counts.iter().filter(|(_, count)| *count > 0) {
        let text = if unit > 0 {
            format!("{:<unit$}", theme.glyph(*sign)).repeat(*count)
        } else {
            // More than there are cells: the block has its share of the width.
            theme.glyph(*sign).repeat((count * width / most).max(1))
        };
        let text = cells::head(&text, width - used).0.to_owned();
        used += cells::width(&text);
        spans.push(Span::styled(text, style));
    }
    (spans, used)
}
