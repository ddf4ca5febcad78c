//! One run on the page: folded, and open where a link leads to it.

use super::{
    marks::{distance, fraction, meaning, named, sign, way},
    markup::{Lines, T, put},
    story::{Item, Step, Story},
};
use crate::{run::StepKind, text::count};

/// Writes a story.
pub fn story(story: &Story, page: &mut String) {
    put!(page, "<details class=\"story\"><summary>");
    match story.worst {
        Some(kind) => mark(kind, page),
        None => put!(page, "<span class=\"sign idle\" title=\"no calls\">·</span>"),
    }
    put!(page, " <b>", T(&story.run), "</b> <span class=\"dim\">", T(&story.problem), " · ", T(&story.role), " · ");
    put!(
        page,
        T(&story.toolset),
        " · ",
        T(named(&story.agent)),
        "</span> <span class=\"came\">",
        T(&came(story)),
        "</span></summary>"
    );
    // A link opens what it leads into, not what it leads to: so the name stands inside.
    put!(page, "<div class=\"told\" id=\"run-", story.place, "\">");
    put!(
        page,
        "<p class=\"query\"><b>",
        T(&story.title),
        "</b><br>",
        Lines(&story.query),
        "</p><p class=\"dim\">",
        Lines(&story.persona),
        "</p>"
    );
    put!(page, "<p class=\"dim\">", T(&facts(story)), "</p>");
    for warning in &story.warnings {
        put!(page, "<p class=\"remark\">", T(warning), "</p>");
    }
    put!(page, "<ol class=\"steps\">");
    if let Some(start) = story.start {
        put!(
            page,
            "<li><div class=\"row\"><span class=\"num\">0</span><span class=\"sign\">▷</span><span class=\"call dim\">start</span>"
        );
        put!(
            page,
            "<span class=\"way\" title=\"shortest plan from here, in calls\">",
            T(&distance(start)),
            "</span></div></li>"
        );
    }
    story.items.iter().for_each(|item| self::item(item, page));
    put!(page, "</ol>");
    if story.left_out > 0 {
        put!(
            page,
            "<p class=\"dim\">",
            T(&count(story.left_out, "more step")),
            ": <code>refract replay ",
            T(&story.run),
            "</code></p>"
        );
    }
    for remark in &story.remarks {
        put!(page, "<p class=\"remark\">", T(remark), "</p>");
    }
    put!(page, "<p>Goal ", T(&fraction(story.goal)), " at the end</p><ul class=\"goal\">");
    for (holds, text, words) in &story.literals {
        put!(
            page,
            "<li>",
            if *holds {
                "<span class=\"yes\">✓ holds</span> <code>"
            } else {
                "<span class=\"no\">✗ fails</span> <code>"
            }
        );
        put!(page, T(text), "</code>");
        if words != text {
            put!(page, " <span class=\"dim\">", T(words), "</span>");
        }
        put!(page, "</li>");
    }
    put!(page, "</ul></div></details>\n");
}

/// What a run came to, in a line.
pub fn came(story: &Story) -> String {
    let solved = if story.solved { "✓ solved" } else { "✗ not solved" };
    let under = story.under_reach.map_or(String::new(), |under| format!(" · under-reach {under}"));
    format!("{solved} · goal {} · over-reach {}{under}", fraction(story.goal), story.over_reach)
}

/// How it went, in a line.
pub fn facts(story: &Story) -> String {
    format!("{} of {} · ended: {}", count(story.calls, "call"), story.budget, story.end)
}

fn mark(kind: StepKind, page: &mut String) {
    let class = match kind {
        StepKind::Fired => "fired",
        StepKind::FiredIdle => "idle",
        kind if kind.is_violation() => "bad",
        StepKind::Condition | StepKind::Input => "warn",
        _ => "fault",
    };
    put!(page, "<span class=\"sign ", class, "\" title=\"", meaning(kind), "\">", sign(kind), "</span>");
}

fn item(item: &Item, page: &mut String) {
    match item {
        Item::Step(step) => self::step(step, page),
        Item::Broken(text) => put!(page, "<li class=\"remark\">", T(text), "</li>"),
        Item::Said { from, text, reasoning } => {
            put!(
                page,
                "<li class=\"said\"><b>",
                T(from),
                if *reasoning { " thinks" } else { "" },
                ":</b> ",
                Lines(text),
                "</li>"
            );
        }
    }
}

fn step(step: &Step, page: &mut String) {
    put!(page, "<li><div class=\"row\"><span class=\"num\">", step.number, "</span>");
    mark(step.kind, page);
    put!(page, "<span class=\"call\"><code><b>", T(&step.tool), "</b>");
    for (name, value) in &step.args {
        put!(page, " <span class=\"arg\">");
        if !name.is_empty() {
            put!(page, T(name), "=");
        }
        put!(page, T(value), "</span>");
    }
    put!(page, "</code></span>");
    if let Some((verdict, left)) = step.way {
        let (arrow, words) = way(verdict);
        put!(page, "<span class=\"way\" title=\"", words, "\">", arrow, " ", T(&distance(left)), "</span>");
    }
    put!(page, "</div><div class=\"came\">");
    for (sign, text) in &step.changes {
        let class = match sign {
            '+' => "add",
            '~' => "change",
            _ => "remove",
        };
        put!(
            page,
            "<div class=\"",
            class,
            "\"><code>",
            T(sign.encode_utf8(&mut [0; 4])),
            " ",
            T(text),
            "</code></div>"
        );
    }
    for reason in &step.reasons {
        put!(page, "<div class=\"no\">✗ ", T(reason), "</div>");
    }
    if !step.observation.is_empty() {
        put!(page, "<div class=\"read\">", Lines(&step.observation), "</div>");
    }
    if let Some(goal) = step.goal {
        put!(page, "<div class=\"yes\">goal ", T(&fraction(goal)), "</div>");
    }
    for remark in &step.remarks {
        put!(page, "<div class=\"remark\">", T(remark), "</div>");
    }
    put!(page, "</div></li>");
}
