//! `i` among the results: how a cell or a bar was counted.

use ratatui::text::Line;

use super::charts::singular;
use super::{Bar, Head, Results, Value};
use crate::score::{Mean, Proportion};
use crate::text::count;
use crate::tui::browser::item::{Column, RunItem, sign_of};
use crate::tui::page::Text;
use crate::tui::screen::Card;
use crate::tui::sign::Sign;
use crate::tui::theme::{Role, Theme};

type Rows = Vec<(Line<'static>, Option<String>)>;

/// What a row of a card leads to: a run.
const RUN: &str = "run ";
/// Runs that a card names.
const NAMED: usize = 30;

/// The run that a row of a card leads to.
pub fn run(target: &str) -> Option<usize> {
    target.strip_prefix(RUN)?.parse().ok()
}

/// `im-004, manager`, or what else the cell is about.
pub fn place_words(screen: &Results) -> String {
    let word = |head: &Head| match head {
        Head::Of(name) if name.is_empty() => "(none)".to_owned(),
        Head::Of(name) => name.clone(),
        Head::All => "all".to_owned(),
        Head::Unscored => "not scored".to_owned(),
    };
    match screen.heads().map(|(_, head)| head) {
        [Head::Unscored, _] => word(&Head::Unscored),
        [Head::All, Head::All] => "all runs".to_owned(),
        [row, column] => format!("{}, {}", word(row), word(column)),
    }
}

/// `im-004, manager: 1 of 2 solved`.
pub fn cell_words(screen: &Results) -> String {
    let place = place_words(screen);
    match screen.cell().filter(|cell| !cell.runs.is_empty()) {
        None => format!("{place}: no runs"),
        Some(cell) => match cell.solved {
            Some(solved) => format!("{place}: {solved} of {} solved", cell.runs.len()),
            None => format!("{place}: {}", count(cell.runs.len(), "run")),
        },
    }
}

/// How the cell was counted, and its runs, each a way to it.
pub fn cell(screen: &Results, theme: Theme) -> Card {
    let mut rows: Rows = Vec::new();
    let mut say = |text: Text| rows.push((text.line(&theme), None));
    match screen.cell() {
        None => say(Text::dim("no runs")),
        Some(cell) if cell.runs.is_empty() => say(Text::dim(if cell.possible {
            "no runs yet"
        } else {
            "there can be none: the entry has no such perspective or tool set"
        })),
        Some(cell) => {
            let runs = cell.runs.len();
            match cell.solved.map(|solved| (solved, Proportion::of(solved, runs))) {
                Some((solved, share)) => {
                    say(Text::plain(format!("{solved} of {} solved", count(runs, "run"))));
                    say(Text::dim("solved: the goal is reached, and no call failed a gate"));
                    if let Some(share) = share {
                        say(Text::dim(format!("{}, Wilson score interval", interval(share))));
                    }
                    say(Text::dim("the sign is the worst of its runs"));
                }
                None => say(Text::plain(format!("{} not scored: no entry, or no perspective", count(runs, "run")))),
            }
            say(Text::default());
            let widest = cell.runs.iter().map(|&run| screen.stock.items[run].source.name.chars().count()).max();
            for &run in cell.runs.iter().take(NAMED) {
                let item = &screen.stock.items[run];
                let line = run_line(item, widest.unwrap_or(0).min(44));
                rows.push((line.line(&theme), Some(format!("{RUN}{run}"))));
            }
            if runs > NAMED {
                rows.push((
                    Text::dim(format!("and {} more: Enter on the cell lists them", runs - NAMED)).line(&theme),
                    None,
                ));
            }
        }
    }
    Card { title: place_words(screen), rows }
}

fn run_line(item: &RunItem, width: usize) -> Text {
    let name = crate::text::visible(&item.source.name).into_owned();
    let text = Text::default().sign(sign_of(item)).and(" ").and(name).pad(width + 4);
    let goal = format!("goal {}", item.column(Column::Goal));
    let reach = format!("   over {}   under {}", item.column(Column::Over), item.column(Column::Under));
    text.role(Role::Dim, goal).role(Role::Dim, reach)
}

/// `95 % 23–67 %`.
pub fn interval(share: Proportion) -> String {
    format!("95 % from {:.0} to {:.0} %", share.low * 100.0, share.high * 100.0)
}

fn bounds(mean: Mean) -> String {
    format!("{:.2}, 95 % from {:.2} to {:.2}, of {}", mean.mean, mean.low, mean.high, count(mean.n, "run"))
}

/// A bar in words.
pub fn bar_words(bar: &Bar) -> String {
    let name = if bar.name.is_empty() { "(none)" } else { &bar.name };
    match &bar.value {
        Value::Share(share) => {
            let what = if bar.which.is_empty() { "solved" } else { "with over-reach" };
            format!("{name}: {} of {} {what}, {:.0} %", share.n, bar.runs, share.share * 100.0)
        }
        Value::Counts { counts, .. } => {
            let what = if bar.which == "over>0" { "over-reach" } else { "under-reach" };
            format!("{name}: {what} {} in {}", counts.iter().map(|(_, n)| n).sum::<usize>(), count(bar.runs, "run"))
        }
        Value::Pair(taking, routing) => {
            let mean = |mean: &Option<Mean>| mean.map_or("-".to_owned(), |mean| format!("{:.2}", mean.mean));
            format!("{name}: taking {}, routing {}", mean(taking), mean(routing))
        }
    }
}

/// How a bar was counted.
pub fn bar(bar: &Bar, theme: Theme) -> Card {
    let mut rows: Rows = Vec::new();
    let mut say = |text: Text| rows.push((text.line(&theme), None));
    say(Text::plain(bar_words(bar)));
    match &bar.value {
        Value::Share(share) => {
            say(Text::dim(if bar.which.is_empty() {
                "solved: the goal is reached, and no call failed a gate"
            } else {
                "runs with at least one call that failed a gate, whatever else failed with it"
            }));
            say(Text::dim(format!("{}, Wilson score interval", interval(*share))));
        }
        Value::Counts { counts, note, .. } => {
            let over = bar.which == "over>0";
            for (sign, n) in counts {
                let gate = match sign {
                    Sign::Capability => "the capability gate alone",
                    Sign::Knowledge => "the knowledge gate alone",
                    Sign::BothGates => "both gates",
                    _ => "no gate",
                };
                let what = if over { "calls that failed" } else { "withheld actions that have" };
                say(Text::default().sign(*sign).and(format!(" {n:>4}  ")).role(Role::Dim, format!("{what} {gate}")));
            }
            if !note.is_empty() {
                say(Text::dim(format!("done instead: {note}")));
            }
        }
        Value::Pair(taking, routing) => {
            for (name, mean, what) in [
                ("taking", taking, "literals to be earned by doing, the share that holds at the end"),
                ("routing", routing, "the same of those that a routing tool brings about"),
            ] {
                let mean = mean.map_or("no run has any".to_owned(), bounds);
                say(Text::plain(format!("{name:<9}{mean}")));
                say(Text::dim(format!("{:9}{what}", "")));
            }
            say(Text::dim("means of the runs, with bootstrap intervals"));
        }
    }
    say(Text::default());
    say(Text::dim("Enter on the bar lists the runs"));
    Card { title: format!("{} {}", singular(bar.key), bar.name), rows }
}
