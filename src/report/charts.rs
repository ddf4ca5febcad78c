//! The pictures of a page, as SVG inside it. Colour repeats what shape, letter or number says.

use super::{
    figures::{Bars, Line},
    marks::{clip, interval, named, percent},
    markup::{At, T, put},
};
use crate::{
    score::{Group, Proportion},
    text::count,
};

/// Agents in one picture; more make another.
pub const LINES: usize = 6;

/// A share with its interval, small enough for a row of a table.
pub fn share(share: Proportion, page: &mut String) {
    let at = |share: f64| At(3.0 + share * 94.0);
    put!(page, "<svg class=\"share\" viewBox=\"0 0 100 14\" role=\"img\"><title>", T(&percent(share.share)));
    put!(
        page,
        ", 95 % ",
        T(&interval(share)),
        "</title><path class=\"rail\" d=\"M3 7H97\"/><path class=\"range\" d=\"M"
    );
    put!(
        page,
        at(share.low),
        " 7H",
        at(share.high),
        "\"/><circle cx=\"",
        at(share.share),
        "\" cy=\"7\" r=\"3.5\"/></svg>"
    );
}

/// The frame of the line picture: its size, and what is left for the lines.
const WIDE: f64 = 560.0;
const HIGH: f64 = 300.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = 420.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 262.0;

fn height(share: f64) -> f64 {
    BOTTOM - share * (BOTTOM - TOP)
}

/// Solved against the width of the tool set: a line for each agent, with intervals.
pub fn lines(lines: &[Line], toolsets: &[String], page: &mut String) {
    put!(
        page,
        "<svg class=\"chart\" viewBox=\"0 0 ",
        At(WIDE),
        " ",
        At(HIGH),
        "\" role=\"img\"><title>Solved share against the width of the tool set"
    );
    put!(page, "</title><desc>");
    for line in lines {
        put!(page, T(named(&line.agent)), ": ");
        for point in &line.points {
            put!(
                page,
                T(&toolsets[point.toolset]),
                " ",
                T(&percent(point.solved.share)),
                " (95 % ",
                T(&interval(point.solved)),
                "); "
            );
        }
    }
    put!(page, "</desc>");
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let y = height(share);
        put!(
            page,
            "<path class=\"grid\" d=\"M",
            At(LEFT),
            " ",
            At(y),
            "H",
            At(RIGHT),
            "\"/><text class=\"axis\" text-anchor=\"end\" x=\""
        );
        put!(page, At(LEFT - 8.0), "\" y=\"", At(y + 4.0), "\">", T(&percent(share)), "</text>");
    }
    let column = (RIGHT - LEFT) / toolsets.len().max(1) as f64;
    let middle = |place: usize| LEFT + (place as f64 + 0.5) * column;
    for (place, toolset) in toolsets.iter().enumerate() {
        put!(
            page,
            "<text class=\"axis\" text-anchor=\"middle\" x=\"",
            At(middle(place)),
            "\" y=\"",
            At(BOTTOM + 20.0),
            "\">"
        );
        put!(page, T(&clip(toolset, 14)), "</text>");
    }
    // Side by side, so that intervals do not cover each other.
    let dodge =
        |index: usize| (index as f64 - (lines.len() as f64 - 1.0) / 2.0) * (column / 3.0 / LINES as f64).min(14.0);
    let labels = labels(lines);
    for (index, line) in lines.iter().enumerate() {
        put!(page, "<g class=\"");
        colour(index, page);
        put!(page, "\"><path class=\"line\" d=\"");
        for (number, point) in line.points.iter().enumerate() {
            put!(
                page,
                if number == 0 { "M" } else { "L" },
                At(middle(point.toolset) + dodge(index)),
                " ",
                At(height(point.solved.share))
            );
        }
        put!(page, "\"/>");
        for point in &line.points {
            let (x, solved) = (middle(point.toolset) + dodge(index), point.solved);
            put!(page, "<g><title>", T(named(&line.agent)), ", ", T(&toolsets[point.toolset]), ": solved ", solved.n);
            put!(
                page,
                " of ",
                T(&count(point.runs, "run")),
                ", ",
                T(&percent(solved.share)),
                ", 95 % ",
                T(&interval(solved)),
                "</title>"
            );
            put!(
                page,
                "<path class=\"range\" d=\"M",
                At(x),
                " ",
                At(height(solved.low)),
                "V",
                At(height(solved.high)),
                "M",
                At(x - 4.0)
            );
            put!(page, " ", At(height(solved.low)), "h8M", At(x - 4.0), " ", At(height(solved.high)), "h8\"/>");
            marker(index, x, height(solved.share), page);
            put!(page, "</g>");
        }
        let y = labels[index];
        marker(index, RIGHT + 12.0, y, page);
        put!(
            page,
            "<text x=\"",
            At(RIGHT + 22.0),
            "\" y=\"",
            At(y + 4.5),
            "\">",
            T(&short(&line.agent)),
            "</text></g>"
        );
    }
    put!(page, "</svg>");
}

/// A name that fits beside a line. Policies are known by what they do.
fn short(agent: &str) -> String {
    let name = named(agent.strip_prefix("policy:").unwrap_or(agent));
    match name.char_indices().nth(16) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name.to_owned(),
    }
}

/// Where the names of the lines stand: beside their ends, as far as they leave each other room.
fn labels(lines: &[Line]) -> Vec<f64> {
    const ROOM: f64 = 19.0;
    let end = |line: &Line| line.points.last().map_or(BOTTOM, |point| height(point.solved.share));
    let mut order: Vec<(usize, f64)> = lines.iter().map(end).enumerate().collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut next = TOP;
    for (_, y) in &mut order {
        *y = y.max(next);
        next = *y + ROOM;
    }
    // What was pushed out at the bottom comes back up.
    let mut last = BOTTOM;
    for (_, y) in order.iter_mut().rev() {
        *y = y.min(last);
        last = *y - ROOM;
    }
    order.sort_unstable_by_key(|(index, _)| *index);
    order.into_iter().map(|(_, y)| y).collect()
}

/// A colour by number; shapes tell the same.
fn colour(index: usize, page: &mut String) {
    put!(page, ["a0", "a1", "a2", "a3", "a4", "a5"][index % LINES]);
}

/// A shape by number.
fn marker(index: usize, x: f64, y: f64, page: &mut String) {
    let shape: &'static str = match index % LINES {
        0 => " m-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
        1 => " m-4.5 -4.5h9v9h-9z",
        2 => " m0 -6l5.5 10h-11z",
        3 => " m0 -6l6 6l-6 6l-6 -6z",
        4 => " m0 6l5.5 -10h-11z",
        _ => " m-2 -6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
    };
    put!(page, "<path class=\"mark\" d=\"M", At(x), " ", At(y), shape, "\"/>");
}

/// Colour, letter and meaning of a gate's part of a bar.
const GATES: [(&str, &str, &str); 4] =
    [("gc", "C", "capability"), ("gk", "K", "knowledge"), ("gb", "B", "both gates"), ("gn", "–", "no gate")];

/// The counts of a group by gate: over-reach, then under-reach.
pub fn by_gate(group: &Group) -> ([usize; 4], Option<[usize; 4]>) {
    let over = group.over_reach;
    let under = group.under_reach.map(|under| [under.capability, under.knowledge, under.both, under.none]);
    ([over.capability as usize, over.knowledge as usize, over.both as usize, 0], under)
}

/// The longest bar of any, per run: the scale that pictures share.
pub fn longest(bars: &[Bars]) -> f64 {
    let groups = bars.iter().flat_map(|bars| &bars.roles).map(|(_, group)| group);
    let longest = |group: &Group| {
        let (over, under) = by_gate(group);
        let sum = |counts: [usize; 4]| counts.iter().sum::<usize>() as f64 / group.runs as f64;
        sum(over).max(under.map_or(0.0, sum))
    };
    groups.map(longest).fold(0.0, f64::max)
}

/// Where the bars of a picture begin, and how long one may be.
const ZERO: f64 = 322.0;
const LONGEST: f64 = 165.0;
const ROW: f64 = 34.0;

/// Over-reach to the right, under-reach to the left, by role; each call by its gate.
pub fn reach(bars: &Bars, longest: f64, page: &mut String) {
    let high = 34.0 + ROW * bars.roles.len() as f64;
    put!(
        page,
        "<svg class=\"chart\" viewBox=\"0 0 ",
        At(WIDE),
        " ",
        At(high),
        "\" role=\"img\"><title>Over-reach and under-reach by role and gate, "
    );
    put!(page, T(named(&bars.agent)), "</title><desc>The numbers stand in the table below.</desc>");
    put!(
        page,
        "<text class=\"axis\" text-anchor=\"end\" x=\"",
        At(ZERO - 10.0),
        "\" y=\"14\">‹ under-reach per run</text>"
    );
    put!(page, "<text class=\"axis\" x=\"", At(ZERO + 10.0), "\" y=\"14\">over-reach per run ›</text>");
    for (place, (role, group)) in bars.roles.iter().enumerate() {
        let y = 26.0 + ROW * place as f64;
        let (over, under) = by_gate(group);
        put!(page, "<text x=\"0\" y=\"", At(y + 17.0), "\">", T(&clip(role, 13)), "</text>");
        bar(over, group.runs, longest, y, 1.0, page);
        match under {
            Some(under) => bar(under, group.runs, longest, y, -1.0, page),
            None => put!(
                page,
                "<text class=\"axis\" text-anchor=\"end\" x=\"",
                At(ZERO - 8.0),
                "\" y=\"",
                At(y + 17.0),
                "\">not looked for</text>"
            ),
        }
    }
    put!(page, "<path class=\"zero\" d=\"M", At(ZERO), " 20V", At(high - 6.0), "\"/></svg>");
}

/// One bar in a direction: 1 to the right, -1 to the left.
fn bar(counts: [usize; 4], runs: usize, longest: f64, y: f64, direction: f64, page: &mut String) {
    let unit = if longest > 0.0 { LONGEST / longest / runs as f64 } else { 0.0 };
    let mut from = 0.0;
    for (number, (class, letter, meaning)) in counts.into_iter().zip(GATES).filter(|(number, _)| *number > 0) {
        let long = number as f64 * unit;
        let x = if direction > 0.0 { ZERO + from } else { ZERO - from - long };
        put!(
            page,
            "<g><title>",
            T(meaning),
            ": ",
            number,
            " in ",
            T(&count(runs, "run")),
            "</title><rect class=\"",
            class,
            "\" x=\""
        );
        put!(page, At(x), "\" y=\"", At(y), "\" width=\"", At(long), "\" height=\"24\"/>");
        if long >= 14.0 {
            put!(
                page,
                "<text class=\"on\" text-anchor=\"middle\" x=\"",
                At(x + long / 2.0),
                "\" y=\"",
                At(y + 17.0),
                "\">",
                letter,
                "</text>"
            );
        }
        put!(page, "</g>");
        from += long;
    }
    let rate = format!("{:.2}", counts.iter().sum::<usize>() as f64 / runs as f64);
    let (x, anchor) = if direction > 0.0 { (ZERO + from + 6.0, "start") } else { (ZERO - from - 6.0, "end") };
    put!(
        page,
        "<text class=\"value\" text-anchor=\"",
        anchor,
        "\" x=\"",
        At(x),
        "\" y=\"",
        At(y + 17.0),
        "\">",
        T(&rate),
        "</text>"
    );
}

/// What the letters and colours of the bars mean.
pub fn gates(page: &mut String) {
    put!(page, "<ul class=\"legend\">");
    for (class, letter, meaning) in GATES {
        put!(
            page,
            "<li><svg viewBox=\"0 0 20 16\" aria-hidden=\"true\"><rect class=\"",
            class,
            "\" width=\"20\" height=\"16\"/><text class=\"on\" text-anchor=\"middle\" x=\"10\" y=\"12.5\">"
        );
        put!(page, letter, "</text></svg> ", meaning, "</li>");
    }
    put!(page, "</ul>");
}
