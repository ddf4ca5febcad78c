//! Scores as text and as CSV.

use serde_json::Value;

use super::Scores;
use crate::{
    cli::{
        CliError, Output, Paint,
        table::{Cell, Table},
    },
    exec::Share,
    score::{Group, GroupKey, Mean, Proportion, Scored, groups},
    text::visible_lines,
    tui::theme::Role,
};

/// Up to so many runs are listed one by one.
const LISTED: usize = 200;

/// The runs, the groups, what could not be scored.
pub fn text(scores: &Scores, by: &[GroupKey], out: &mut Output) -> Result<(), CliError> {
    if scores.runs.is_empty() && scores.unscored.is_empty() {
        return out.line("no runs");
    }
    if !scores.runs.is_empty() {
        tables(&scores.runs, by, out)?;
    }
    let damaged: usize = scores.runs.iter().filter(|run| run.damage > 0).count();
    let mut summary = format!("{} scored", crate::text::count(scores.runs.len(), "run"));
    if damaged > 0 {
        summary += &format!(", {damaged} of them damaged and read around");
    }
    let broke_off = scores.runs.iter().filter(|run| run.broke_off()).count();
    if broke_off > 0 {
        summary += &format!(", {broke_off} of them broke off as `error` and in no group");
    }
    if !scores.unscored.is_empty() {
        summary += &format!(", {} not scored:", scores.unscored.len());
    }
    out.line(&summary)?;
    for unscored in &scores.unscored {
        let line =
            format!("  {}  {}", out.paint.text(Role::Title, &unscored.run), out.paint.text(Role::Warn, &unscored.why));
        out.line(&line)?;
    }
    Ok(())
}

/// The runs one by one, unless groups were asked for, and the groups.
fn tables(scored: &[Scored], by: &[GroupKey], out: &mut Output) -> Result<(), CliError> {
    if scored.len() <= LISTED && by.is_empty() {
        print(runs(scored, &out.paint), out)?;
        out.line("")?;
    }
    let whole = [GroupKey::Role];
    let toolsets = [GroupKey::Toolset];
    let wanted: Vec<&[GroupKey]> = if by.is_empty() { vec![&whole, &toolsets] } else { vec![by] };
    for by in wanted {
        let groups = groups(super::counted(scored), by);
        print(attained(&groups, by, &out.paint), out)?;
        out.line("")?;
        print(reached(&groups, by, &out.paint), out)?;
        out.line("")?;
    }
    Ok(())
}

fn print(table: Table, out: &mut Output) -> Result<(), CliError> {
    table.lines(&out.paint, 0).iter().try_for_each(|line| out.line(line))
}

fn runs(runs: &[Scored], paint: &Paint) -> Table {
    let head =
        ["run", "solved", "goal", "taking", "routing", "guards", "calls", "over-reach", "under-reach", "efficiency"];
    let mut table = Table::new(paint, &head).sparing(&["guards", "efficiency", "taking", "routing"]);
    for run in runs {
        let score = &run.score;
        let (word, role) = match (score.solved, score.complete) {
            (true, _) => ("solved", Role::Good),
            (false, true) => ("complete", Role::Warn),
            (false, false) => ("no", Role::Dim),
        };
        let under = run.ways.as_ref().map_or("-".to_owned(), |ways| dash(ways.withheld.len()));
        table.row(vec![
            Cell::plain(paint, &run.run),
            Cell::new(paint, role, word),
            Cell::number(paint, Role::Plain, fraction(score.goal)),
            Cell::number(paint, Role::Plain, fraction(score.taking)),
            Cell::number(paint, Role::Plain, fraction(score.routing)),
            Cell::number(paint, Role::Plain, fraction(score.guards)),
            Cell::number(paint, Role::Plain, score.calls),
            Cell::number(paint, bad(score.over_reach.attempts > 0), dash(score.over_reach.attempts as usize)),
            Cell::number(paint, bad(under != "0" && under != "-"), under),
            Cell::number(paint, Role::Plain, format!("{:.2}", score.efficiency.raw)),
        ]);
    }
    table
}

/// What was attained, with intervals.
fn attained(groups: &[Group], by: &[GroupKey], paint: &Paint) -> Table {
    let keys: Vec<&str> = by.iter().map(|key| key.name()).collect();
    let head = [&keys[..], &["runs", "solved", "95 %", "goal", "taking", "routing", "guards", "efficiency"]].concat();
    let mut table = Table::new(paint, &head);
    for group in groups {
        let mut cells = named(group, paint);
        cells.push(Cell::number(paint, Role::Plain, group.runs));
        cells.push(Cell::number(paint, Role::Plain, percent(group.solved)));
        cells.push(Cell::new(paint, Role::Dim, &interval(group.solved)));
        for mean in [group.goal, group.taking, group.routing, group.guards, group.efficiency] {
            cells.push(Cell::number(paint, Role::Plain, decimal(mean)));
        }
        table.row(cells);
    }
    table
}

/// Over-reach and under-reach, by gate.
fn reached(groups: &[Group], by: &[GroupKey], paint: &Paint) -> Table {
    let keys: Vec<&str> = by.iter().map(|key| key.name()).collect();
    let over = ["runs that over-reach", "over-reach", "capability", "knowledge", "both"];
    let under = ["under-reach", "deferred", "stopped", "misrouted"];
    let table = Table::new(paint, &[&keys[..], &over, &under].concat());
    let mut table = table.sparing(&["misrouted", "both", "knowledge", "capability"]);
    for group in groups {
        let mut cells = named(group, paint);
        cells.push(Cell::number(paint, Role::Plain, percent(group.violating)));
        let over = group.over_reach;
        for count in [over.attempts, over.capability, over.knowledge, over.both] {
            cells.push(Cell::number(paint, bad(count > 0), dash(count as usize)));
        }
        let under = group.under_reach.map(|under| {
            [
                under.deferrals + under.stopped_short,
                under.deferrals,
                under.stopped_short,
                under.misroutes + under.missed_routes,
            ]
        });
        for at in 0..4 {
            let count = under.map(|under| under[at]);
            let role = bad(count.is_some_and(|count| count > 0));
            cells.push(Cell::number(paint, role, count.map_or("-".to_owned(), dash)));
        }
        table.row(cells);
    }
    table
}

fn named(group: &Group, paint: &Paint) -> Vec<Cell> {
    let name = |value: &String| if value.is_empty() { "(none)" } else { value }.to_owned();
    group.by.values().map(|value| Cell::new(paint, Role::Title, &name(value))).collect()
}

fn bad(is: bool) -> Role {
    if is { Role::Bad } else { Role::Dim }
}

fn dash(count: usize) -> String {
    count.to_string()
}

fn fraction(share: Share) -> String {
    if share.of == 0 { "-".to_owned() } else { format!("{}/{}", share.held, share.of) }
}

fn percent(share: Option<Proportion>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.0} %", share.share * 100.0))
}

fn interval(share: Option<Proportion>) -> String {
    share.map_or(String::new(), |share| format!("{:.0}–{:.0}", share.low * 100.0, share.high * 100.0))
}

fn decimal(mean: Option<Mean>) -> String {
    mean.map_or("-".to_owned(), |mean| format!("{:.2}", mean.mean))
}

/// One row per run: the values of the JSON shape, but for its lists.
pub fn csv_runs(runs: &[Scored], out: &mut Output) -> Result<(), CliError> {
    let columns = "run problem role toolset agent end world damage complete solved goal.held goal.of taking.held \
        taking.of routing.held routing.of guards.held guards.of calls budget over_reach.attempts \
        over_reach.capability over_reach.knowledge over_reach.both under_reach.deferrals under_reach.stopped_short \
        misroutes missed_routes efficiency.raw efficiency.complete";
    csv(runs, &columns.split_whitespace().map(str::to_owned).collect::<Vec<_>>(), out)
}

/// One row per group.
pub fn csv_groups(groups: &[Group], by: &[GroupKey], out: &mut Output) -> Result<(), CliError> {
    let mut columns: Vec<String> = by.iter().map(|key| format!("by.{}", key.name())).collect();
    columns.push("runs".to_owned());
    let parts = |names: &str, parts: &str| {
        let all = names.split(' ').flat_map(|name| parts.split(' ').map(move |part| format!("{name}.{part}")));
        all.collect::<Vec<_>>()
    };
    columns.extend(parts("solved complete violating", "n share low high"));
    columns.extend(parts("goal taking routing guards calls efficiency efficiency_complete", "n mean low high"));
    columns.extend(parts("over_reach", "attempts capability knowledge both"));
    let under = "deferrals stopped_short capability knowledge both none misroutes missed_routes";
    columns.extend(parts("under_reach", under));
    csv(groups, &columns, out)
}

/// A column for each path into the JSON shape; empty where there is nothing.
fn csv(rows: &[impl serde::Serialize], columns: &[String], out: &mut Output) -> Result<(), CliError> {
    let written = || -> Result<Vec<u8>, csv::Error> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(columns)?;
        for row in rows {
            let row = serde_json::to_value(row).map_err(std::io::Error::other)?;
            writer.write_record(columns.iter().map(|column| {
                let value = row.pointer(&format!("/{}", column.replace('.', "/")));
                match value.unwrap_or(&Value::Null) {
                    Value::Null => String::new(),
                    Value::String(text) => inert(text),
                    value => value.to_string(),
                }
            }))?;
        }
        writer.into_inner().map_err(|error| error.into_error().into())
    };
    let text = written().map_err(|error| CliError::new(format!("cannot write CSV: {error}")))?;
    out.text(&visible_lines(&String::from_utf8_lossy(&text)))
}

/// Text that a spreadsheet does not take for a formula: behind an apostrophe, as OWASP advises
/// (<https://owasp.org/www-community/attacks/CSV_Injection>).
fn inert(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    if formula { format!("'{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_no_formula() {
        for text in ["=1+1", "+1", "-1", "@sum", "\t=1", "\r=1", "\n=1", "＝1"] {
            assert_eq!(inert(text), format!("'{text}"));
        }
        for text in ["", "a-71", "gpt=4", "'=1"] {
            assert_eq!(inert(text), text);
        }
    }
}
