//! The report as Markdown: all but the pictures and the runs behind the heat map.

use std::fmt::Write;

use super::{
    Heat, Report,
    html::names,
    marks::{distance, fraction, interval, meaning, named, percent, share, sign, way},
    parts::{self, Cell, Table},
    story::{Item, Step, Story},
    trajectory::{came, facts},
};
use crate::text::{count, visible, visible_lines};

/// The report.
pub fn markdown(report: &Report) -> String {
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write(report, &mut page);
    page
}

fn write(report: &Report, page: &mut String) -> std::fmt::Result {
    let figures = &report.figures;
    writeln!(page, "# ReFract report\n")?;
    for (name, digest) in &figures.domains {
        writeln!(page, "{} at `{}`\n", M(name), digest.get(..12).unwrap_or(digest))?;
    }
    let Some(all) = &figures.all else {
        writeln!(page, "No runs.\n")?;
        return left(report, page);
    };
    let counts = [
        count(all.runs, "run"),
        count(figures.entries.len(), "entry"),
        count(figures.roles.len(), "role"),
        count(figures.agents.len(), "agent"),
        count(figures.toolsets.len(), "tool set"),
    ];
    writeln!(page, "{}\n", counts.join(" · "))?;
    for (what, share) in
        [("solved", all.solved), ("with over-reach", all.violating), ("with under-reach", all.withholding)]
    {
        writeln!(page, "- runs {what}: {}", with_interval(share))?;
    }
    for (runs, what) in [
        (&figures.damaged, "damaged and read around"),
        (&figures.broke_off, "broke off as `error` for a reason that is not the agent's, and in no table"),
        (&figures.changed, "on a world that has changed since"),
        (&figures.diverged, "of a log that says otherwise"),
    ] {
        if !runs.is_empty() {
            writeln!(page, "- {} {what}: {}", count(runs.len(), "run"), M(&names(runs)))?;
        }
    }
    writeln!(page, "\n## What they show\n")?;
    for finding in &report.findings {
        let sentences: Vec<String> = finding.sentences.iter().map(|sentence| M(sentence).to_string()).collect();
        writeln!(page, "- **{}** ({}). {}", M(named(&finding.agent)), count(finding.runs, "run"), sentences.join(" "))?;
    }
    writeln!(page, "\n## Tables\n")?;
    for (key, groups) in &figures.tables {
        table(&parts::attained(*key, groups), page)?;
        table(&parts::reached(*key, groups), page)?;
    }
    table(&parts::widths(figures), page)?;
    figures.bars.iter().try_for_each(|bars| table(&parts::gates(bars), page))?;
    writeln!(page, "## Entries and roles\n\nSolved of all runs; `C` `K` `B` over-reach by gate, `<` under-reach.\n")?;
    figures.heat.iter().try_for_each(|heat| heat_map(report, heat, page))?;
    if !report.worst.is_empty() {
        writeln!(page, "## Worst runs\n")?;
    }
    report.worst.iter().try_for_each(|told| story(told, page))?;
    left(report, page)
}

fn left(report: &Report, page: &mut String) -> std::fmt::Result {
    if report.left.is_empty() {
        return Ok(());
    }
    writeln!(page, "## Not scored\n")?;
    report.left.iter().try_for_each(|left| writeln!(page, "- **{}**: {}", M(&left.run), M(&left.why)))
}

fn with_interval(value: Option<crate::score::Proportion>) -> String {
    value.map_or(share(None), |share| format!("{} ({})", percent(share.share), interval(share)))
}

fn table(table: &Table, page: &mut String) -> std::fmt::Result {
    writeln!(page, "**{}**\n", M(&table.caption))?;
    let head: Vec<String> = table.head.iter().map(|name| M(name).to_string()).collect();
    writeln!(page, "| {} |\n|---|{}", head.join(" | "), "---:|".repeat(head.len() - 1))?;
    for row in &table.rows {
        let cell = |cell: &Cell| match cell {
            Cell::Name(text) | Cell::Number(text) => M(text).to_string(),
            Cell::Share(share) => with_interval(*share),
        };
        writeln!(page, "| {} |", row.iter().map(cell).collect::<Vec<_>>().join(" | "))?;
    }
    writeln!(page)
}

fn heat_map(report: &Report, heat: &Heat, page: &mut String) -> std::fmt::Result {
    let roles = &report.figures.roles;
    let names: Vec<String> = roles.iter().map(|role| M(role).to_string()).collect();
    writeln!(
        page,
        "**{}**\n\n| entry | {} |\n|---|{}",
        M(named(&heat.agent)),
        names.join(" | "),
        "---|".repeat(roles.len())
    )?;
    let mut entries: Vec<&String> = heat.cells.keys().map(|(entry, _)| entry).collect();
    entries.dedup();
    for entry in entries {
        let cell = |role: &String| {
            let Some(cell) = heat.cells.get(&(entry.clone(), role.clone())) else { return "·".to_owned() };
            let over = cell.over_reach;
            let signs = [
                ("C", over.capability as usize),
                ("K", over.knowledge as usize),
                ("B", over.both as usize),
                ("\\<", cell.withheld.unwrap_or(0)),
            ];
            let signs =
                signs.into_iter().filter(|(_, number)| *number > 0).map(|(sign, number)| format!(" {sign}{number}"));
            format!("{}/{}{}", cell.solved, cell.runs, signs.collect::<String>())
        };
        writeln!(page, "| {} | {} |", M(entry), roles.iter().map(cell).collect::<Vec<_>>().join(" | "))?;
    }
    writeln!(page)
}

fn story(story: &Story, page: &mut String) -> std::fmt::Result {
    writeln!(page, "### {}\n", M(&story.run))?;
    let who = [&story.problem, &story.role, &story.toolset, named(&story.agent)].map(|text| M(text).to_string());
    writeln!(page, "{}: **{}**; {}\n", who.join(" · "), M(&came(story)), M(&facts(story)))?;
    writeln!(page, "**{}**\n", M(&story.title))?;
    quote("", &story.query, page)?;
    quote("", &story.persona, page)?;
    for warning in &story.warnings {
        writeln!(page, "*{}*\n", M(warning))?;
    }
    if let Some(start) = story.start {
        writeln!(page, "- start: {} to go", distance(start))?;
    }
    for item in &story.items {
        match item {
            Item::Said { from, text, reasoning } => {
                let verb = if *reasoning { "thinks" } else { "says" };
                writeln!(page, "- {} {verb}:", M(from))?;
                quote("  ", text, page)?;
            }
            Item::Step(told) => step(told, page)?,
            Item::Broken(text) => writeln!(page, "- \\# {}", M(text))?,
        }
    }
    if story.left_out > 0 {
        writeln!(page, "- {}", count(story.left_out, "more step"))?;
    }
    for remark in &story.remarks {
        writeln!(page, "- {}", M(remark))?;
    }
    writeln!(page, "\nGoal {} at the end:\n", fraction(story.goal))?;
    for (holds, text, words) in &story.literals {
        writeln!(page, "- {} {}: {}", if *holds { "✓" } else { "✗" }, M(text), M(words))?;
    }
    writeln!(page)
}

fn step(step: &Step, page: &mut String) -> std::fmt::Result {
    write!(page, "- {} {} **{}**", step.number, M(sign(step.kind)), M(&step.tool))?;
    for (name, value) in &step.args {
        let gap = if name.is_empty() { "" } else { "=" };
        write!(page, " {}{gap}{}", M(name), M(value))?;
    }
    if let Some((verdict, left)) = step.way {
        write!(page, "; {} {} to go", M(way(verdict).0), distance(left))?;
    }
    writeln!(page, "; {}", meaning(step.kind))?;
    for (sign, text) in &step.changes {
        writeln!(page, "  - \\{sign} {}", M(text))?;
    }
    for reason in &step.reasons {
        writeln!(page, "  - ✗ {}", M(reason))?;
    }
    if let Some(goal) = step.goal {
        writeln!(page, "  - goal {}", fraction(goal))?;
    }
    for remark in &step.remarks {
        writeln!(page, "  - {}", M(remark))?;
    }
    quote("  ", &step.observation, page)
}

/// Text of several lines, as a quotation.
fn quote(indent: &str, text: &str, page: &mut String) -> std::fmt::Result {
    if text.trim().is_empty() {
        return Ok(());
    }
    let text = visible_lines(text.trim());
    writeln!(page)?;
    for line in text.lines() {
        // Two spaces at its end would break a line anyway; a backslash is seen.
        writeln!(page, "{indent}> {}\\", M(line.trim()))?;
    }
    page.truncate(page.len() - 2);
    writeln!(page, "\n")
}

/// Text from anywhere: visible, on one line, and no Markdown or HTML.
struct M<'a>(&'a str);

impl std::fmt::Display for M<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = visible(self.0);
        // What would begin a list, a heading's rule or a number of a list, were it to begin a line.
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let opens = match text.as_bytes().get(digits) {
            Some(b'.' | b')') if digits > 0 && matches!(text.as_bytes().get(digits + 1), None | Some(b' ')) => {
                Some(digits)
            }
            Some(b'-' | b'+' | b'=') if digits == 0 => Some(0),
            _ => None,
        };
        for (at, c) in text.char_indices() {
            // A name that begins an address makes it a link.
            let link =
                matches!(c, ':' if text[at..].starts_with("://")) || matches!(c, '.' if text[..at].ends_with("www"));
            if opens == Some(at) || link || r"\`*_[]<>#|~&@$".contains(c) {
                f.write_char('\\')?;
            }
            f.write_char(c)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(M(text).to_string(), expected);
    }

    #[test]
    fn text_is_no_markup() {
        check("<b>*a*</b>", r"\<b\>\*a\*\</b\>");
        check("a | b `c` [d](e)", r"a \| b \`c\` \[d\](e)");
        check("- item", r"\- item");
        check("12. item, 3.5", r"12\. item, 3.5");
        check("im-001-operator", "im-001-operator");
        check("see https://example.org or www.example.org", r"see https\://example.org or www\.example.org");
        check("# a\n## b\u{202e}", r"\# a␊\#\# b\<U+202E\>");
    }

    #[test]
    fn a_quotation_keeps_its_lines() {
        let mut page = String::new();
        assert!(quote("  ", "one\n\n- two", &mut page).is_ok());
        assert_eq!(page, "\n  > one\\\n  > \\\n  > \\- two\n\n");
    }
}
