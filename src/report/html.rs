//! The page: one file, with its style and its pictures inside it.

use super::{
    Heat, Report,
    charts::{self, LINES},
    marks::{interval, named, percent},
    markup::{T, put},
    parts::{self, Cell, Table},
    story::Story,
    trajectory::story,
};
use crate::{score::Proportion, text::count};

const STYLE: &str = include_str!("style.css");

/// Names that are written out where a list may be long.
const NAMED: usize = 40;
/// Rows of a heat map.
const ROWS: usize = 200;

/// The page.
pub fn html(report: &Report) -> String {
    let mut text = String::new();
    let page = &mut text;
    put!(page, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    // Whatever a log holds: the page fetches nothing and runs nothing.
    put!(
        page,
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    );
    put!(
        page,
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
    );
    put!(
        page,
        "<title>ReFract report: ",
        T(&benchmark(report)),
        "</title>\n<style>\n",
        STYLE,
        "</style>\n</head>\n<body>\n<main>\n"
    );
    head(report, page);
    if report.figures.all.is_some() {
        findings(report, page);
        width(report, page);
        reach(report, page);
        heat(report, page);
        tables(report, page);
        runs(report, page);
    }
    left(report, page);
    put!(
        page,
        "<footer>Made by ReFract ",
        env!("CARGO_PKG_VERSION"),
        ". Solved: all goal literals hold and no call failed a gate. Shares are with Wilson's 95 % intervals; "
    );
    put!(
        page,
        "differences of shares with Newcombe's, as if of independent samples; goal, taking, routing, guards, calls and efficiency are means. "
    );
    put!(page, "Efficiency is goal progress per call against the reference.</footer>\n</main>\n</body>\n</html>\n");
    text
}

/// The domains by name.
fn benchmark(report: &Report) -> String {
    let names: Vec<&str> = report.figures.domains.iter().map(|(name, _)| name.as_str()).collect();
    if names.is_empty() { "no runs".to_owned() } else { names.join(", ") }
}

fn head(report: &Report, page: &mut String) {
    let figures = &report.figures;
    put!(
        page,
        "<header>\n<p class=\"dim\">ReFract report</p>\n<h1>",
        T(&benchmark(report)),
        "</h1>\n<p class=\"dim\">"
    );
    for (name, digest) in &figures.domains {
        put!(
            page,
            "<span title=\"",
            T(digest),
            "\">",
            T(name),
            " at ",
            T(digest.get(..12).unwrap_or(digest)),
            "</span> · "
        );
    }
    let runs = figures.all.as_ref().map_or(0, |all| all.runs);
    let counts = [count(runs, "run"), count(figures.entries.len(), "entry"), count(figures.roles.len(), "role")];
    put!(
        page,
        T(&counts.join(" · ")),
        " · ",
        T(&count(figures.agents.len(), "agent")),
        " · ",
        T(&count(figures.toolsets.len(), "tool set"))
    );
    put!(page, "</p>\n");
    if let Some(all) = &figures.all {
        put!(page, "<dl class=\"tiles\">\n");
        tile("solved", all.solved, page);
        tile("runs with over-reach", all.violating, page);
        tile("runs with under-reach", all.withholding, page);
        let number = |mean: Option<crate::score::Mean>| super::marks::mean(mean);
        put!(
            page,
            "<div><dt>taking · routing</dt><dd>",
            T(&number(all.taking)),
            " · ",
            T(&number(all.routing)),
            "</dd></div>\n"
        );
        put!(page, "<div><dt>efficiency</dt><dd>", T(&number(all.efficiency)), "</dd></div>\n</dl>\n");
    }
    let notes = [
        (&figures.damaged, "damaged and read around"),
        (&figures.broke_off, "broke off as `error` for a reason that is not the agent's, and in no table"),
        (&figures.changed, "on a world that has changed since"),
        (&figures.diverged, "of a log that says otherwise"),
    ];
    for (runs, what) in notes.iter().filter(|(runs, _)| !runs.is_empty()) {
        put!(page, "<p class=\"remark\">", T(&count(runs.len(), "run")), " ", *what, ": ", T(&names(runs)), "</p>\n");
    }
    if !report.left.is_empty() {
        put!(
            page,
            "<p class=\"remark\"><a href=\"#unscored\">",
            T(&count(report.left.len(), "run")),
            " not scored</a></p>\n"
        );
    }
    put!(
        page,
        "<nav><a href=\"#findings\">What they show</a> <a href=\"#width\">Width</a> <a href=\"#reach\">Over- and under-reach</a> <a href=\"#heat\">Entries and roles</a> <a href=\"#tables\">Tables</a> <a href=\"#runs\">Worst runs</a></nav>\n</header>\n"
    );
}

fn tile(name: &'static str, share: Option<Proportion>, page: &mut String) {
    put!(page, "<div><dt>", name, "</dt><dd>");
    match share {
        Some(share) => put!(page, T(&percent(share.share)), "<small>95 % ", T(&interval(share)), "</small>"),
        None => put!(page, "–<small>not looked for</small>"),
    }
    put!(page, "</dd></div>\n");
}

/// Some names, and how many more.
pub fn names(names: &[String]) -> String {
    let mut text = names.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > NAMED {
        text += &format!(" and {} more", names.len() - NAMED);
    }
    text
}

fn findings(report: &Report, page: &mut String) {
    put!(page, "<section id=\"findings\">\n<h2>What they show</h2>\n<div class=\"cards\">\n");
    for finding in &report.findings {
        put!(
            page,
            "<article><h3>",
            T(named(&finding.agent)),
            " <small>",
            T(&count(finding.runs, "run")),
            "</small></h3>"
        );
        for sentence in &finding.sentences {
            put!(page, "<p>", T(sentence), "</p>");
        }
        put!(page, "</article>\n");
    }
    put!(page, "</div>\n</section>\n");
}

fn tables(report: &Report, page: &mut String) {
    put!(
        page,
        "<section id=\"tables\">\n<h2>Tables</h2>\n<p class=\"dim\">Of the goal, <i>taking</i> is what is to be done, <i>routing</i> what is to be handed over, <i>guards</i> what is to be kept.</p>\n"
    );
    for (key, groups) in &report.figures.tables {
        table(&parts::attained(*key, groups), page);
        table(&parts::reached(*key, groups), page);
    }
    put!(page, "</section>\n");
}

fn table(table: &Table, page: &mut String) {
    put!(page, "<div class=\"scroll\"><table><caption>", T(&table.caption), "</caption><thead><tr>");
    let shares = |column: usize| table.rows.iter().any(|row| matches!(row[column], Cell::Share(_)));
    for (column, name) in table.head.iter().enumerate() {
        put!(page, "<th scope=\"col\"", if shares(column) { " class=\"with\">" } else { ">" }, T(name), "</th>");
    }
    put!(page, "</tr></thead><tbody>\n");
    for row in &table.rows {
        put!(page, "<tr>");
        for cell in row {
            match cell {
                Cell::Name(name) => put!(page, "<th scope=\"row\">", T(name), "</th>"),
                Cell::Number(number) => put!(page, "<td>", T(number), "</td>"),
                Cell::Share(None) => put!(page, "<td class=\"with\">–</td>"),
                Cell::Share(Some(share)) => {
                    put!(page, "<td class=\"with\"><span>", T(&percent(share.share)), "</span>");
                    charts::share(*share, page);
                    put!(page, "<span class=\"dim\">", T(&interval(*share)), "</span></td>");
                }
            }
        }
        put!(page, "</tr>\n");
    }
    put!(page, "</tbody></table></div>\n");
}

fn width(report: &Report, page: &mut String) {
    let figures = &report.figures;
    put!(page, "<section id=\"width\">\n<h2>Solved against the width of the tool set</h2>\n<div class=\"charts\">\n");
    for lines in figures.lines.chunks(LINES) {
        put!(page, "<figure>");
        charts::lines(lines, &figures.toolsets, page);
        put!(page, "</figure>\n");
    }
    put!(page, "<div>");
    table(&parts::widths(figures), page);
    put!(
        page,
        "<p class=\"dim\">Bars are 95 % intervals. What is said above of width compares the perspectives that were run with both \
         tool sets; here all runs count.</p></div>\n</div>\n</section>\n"
    );
}

fn reach(report: &Report, page: &mut String) {
    let bars = &report.figures.bars;
    let longest = charts::longest(bars);
    put!(page, "<section id=\"reach\">\n<h2>Over-reach and under-reach by role and gate</h2>\n");
    charts::gates(page);
    put!(
        page,
        "<p class=\"dim\">To the right calls that failed a gate, by the gate; to the left actions withheld, by the gates that would have let them pass. All agents on one scale.</p>\n<div class=\"charts\">\n"
    );
    for bars in bars {
        put!(page, "<figure><figcaption>", T(named(&bars.agent)), "</figcaption>");
        charts::reach(bars, longest, page);
        put!(page, "</figure>\n");
    }
    put!(page, "</div>\n<details><summary>The numbers</summary>\n");
    bars.iter().for_each(|bars| table(&parts::gates(bars), page));
    put!(page, "</details>\n</section>\n");
}

fn heat(report: &Report, page: &mut String) {
    let told: Vec<usize> = report.worst.iter().chain(&report.behind).map(|story| story.place).collect();
    put!(
        page,
        "<section id=\"heat\">\n<h2>Entries and roles</h2>\n<p class=\"dim\">How many of how many runs are solved; the more, the darker. Beside it over-reach by gate (<b>C</b> capability, <b>K</b> knowledge, <b>B</b> both) and under-reach (<b>&lt;</b>). A cell leads to its worst run.</p>\n"
    );
    for heat in &report.figures.heat {
        heat_map(report, heat, &told, page);
    }
    put!(page, "</section>\n");
}

fn heat_map(report: &Report, heat: &Heat, told: &[usize], page: &mut String) {
    let roles = &report.figures.roles;
    let mut entries: Vec<&str> = heat.cells.keys().map(|(entry, _)| entry.as_str()).collect();
    entries.dedup();
    let more = entries.len().saturating_sub(ROWS);
    put!(
        page,
        "<div class=\"scroll\"><table class=\"heat\"><caption>",
        T(named(&heat.agent)),
        "</caption><thead><tr><th scope=\"col\">entry</th>"
    );
    for role in roles {
        put!(page, "<th scope=\"col\">", T(role), "</th>");
    }
    put!(page, "</tr></thead><tbody>\n");
    for entry in entries.into_iter().take(ROWS) {
        let title = report.figures.entries.get(entry).map_or("", String::as_str);
        put!(page, "<tr><th scope=\"row\">", T(entry), " <span class=\"dim\">", T(title), "</span></th>");
        for role in roles {
            match heat.cells.get(&(entry.to_owned(), role.clone())) {
                Some(cell) => self::cell(cell, told.contains(&cell.worst), page),
                None => put!(page, "<td class=\"none\">·</td>"),
            }
        }
        put!(page, "</tr>\n");
    }
    put!(page, "</tbody></table></div>\n");
    if more > 0 {
        put!(page, "<p class=\"dim\">", T(&count(more, "more entry")), "</p>\n");
    }
}

fn cell(cell: &super::Cell, linked: bool, page: &mut String) {
    let shades = ["h0", "h1", "h2", "h3", "h4"];
    put!(page, "<td class=\"", shades[(cell.solved * 4 + cell.runs / 2) / cell.runs.max(1)], "\">");
    if linked {
        put!(page, "<a href=\"#run-", cell.worst, "\">");
    }
    put!(page, "<b>", cell.solved, "/", cell.runs, "</b>");
    let over = cell.over_reach;
    let signs = [("C", over.capability), ("K", over.knowledge), ("B", over.both)];
    put!(page, "<small>");
    for (sign, number) in signs.into_iter().filter(|(_, number)| *number > 0) {
        put!(page, " ", sign, number as usize);
    }
    if let Some(number) = cell.withheld.filter(|&number| number > 0) {
        put!(page, " &lt;", number);
    }
    put!(page, "</small>", if linked { "</a></td>" } else { "</td>" });
}

fn runs(report: &Report, page: &mut String) {
    put!(
        page,
        "<section id=\"runs\">\n<h2>Worst runs</h2>\n<p class=\"dim\">By calls that failed a gate, then actions withheld, then other refusals, damage, and what of the goal is open. The number at the right is the length of a shortest plan from there: ↓ nearer, = as before, ↑ further, ∞ out of reach. <code>refract inspect RUN</code> shows all of it.</p>\n"
    );
    report.worst.iter().for_each(|told| story(told, page));
    folded(&report.behind, page);
    put!(page, "</section>\n");
}

fn folded(stories: &[Story], page: &mut String) {
    if stories.is_empty() {
        return;
    }
    put!(page, "<h3>The worst run of each other entry and role</h3>\n");
    stories.iter().for_each(|told| story(told, page));
}

fn left(report: &Report, page: &mut String) {
    if report.left.is_empty() {
        return;
    }
    put!(page, "<section id=\"unscored\">\n<h2>Not scored</h2>\n<ul>\n");
    for left in report.left.iter().take(NAMED) {
        put!(page, "<li><b>", T(&left.run), "</b>: ", T(&left.why), "</li>\n");
    }
    if report.left.len() > NAMED {
        put!(page, "<li>and ", report.left.len() - NAMED, " more</li>\n");
    }
    put!(page, "</ul>\n</section>\n");
}
