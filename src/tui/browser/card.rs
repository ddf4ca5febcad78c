//! `i` on a run: what each of its scores counts, and where in the run it was counted.

use ratatui::text::Line;

use super::item::{RunItem, sign_of};
use crate::exec::Share;
use crate::plan::Distance;
use crate::text::{count, visible};
use crate::tui::legend;
use crate::tui::page::Text;
use crate::tui::screen::Card;
use crate::tui::sign::Sign;
use crate::tui::theme::{Role, Theme};

/// What a row of the card leads to: a step of the run.
const STEP: &str = "step ";

/// The step that a row of the card leads to.
pub fn step(target: &str) -> Option<usize> {
    target.strip_prefix(STEP)?.parse().ok()
}

/// The scores of a run; rows that name a step lead there.
pub fn run(item: &RunItem, theme: Theme) -> Card {
    let mut rows = Rows { theme, rows: Vec::new() };
    let sign = sign_of(item);
    let meaning = legend::RUNS.iter().find(|(known, _)| *known == sign).map_or("", |(_, meaning)| meaning);
    rows.add(Text::default().sign(sign).and(format!("  {meaning}")), None);
    match item.scored() {
        Some(_) => scores(item, &mut rows),
        None => rows.say("not scored: its entry is not here, or its role has no perspective in it"),
    }
    rows.say("");
    rows.add(Text::of(Role::Title, "The signs of runs"), None);
    let signs = legend::card("", legend::RUNS, Some(sign), theme);
    Card { title: item.source.name.clone(), rows: rows.rows.into_iter().chain(signs.rows).collect() }
}

struct Rows {
    theme: Theme,
    rows: Vec<(Line<'static>, Option<String>)>,
}

impl Rows {
    fn add(&mut self, text: Text, step: Option<usize>) {
        self.rows.push((text.line(&self.theme), step.map(|step| format!("{STEP}{step}"))));
    }

    fn say(&mut self, text: &str) {
        self.add(Text::dim(text), None);
    }

    /// `over-reach    2   calls that failed a gate`.
    fn number(&mut self, name: &str, number: String, role: Role, about: &str) {
        let text = Text::plain(format!("{name:<13}")).role(role, format!("{number:>6}"));
        self.add(text.role(Role::Dim, format!("   {about}")), None);
    }
}

fn scores(item: &RunItem, rows: &mut Rows) {
    let (Some(scored), Some(sketch)) = (item.scored(), item.sketch()) else { return };
    let score = &scored.score;
    let verdict = match (score.solved, score.complete) {
        (true, _) => "solved: the goal is reached, and no call failed a gate",
        (false, true) => "not solved: the goal is reached, but a call failed a gate",
        (false, false) => "not solved: the goal is open",
    };
    rows.say(verdict);
    rows.say("");
    let fraction = |share: Share| match share.of {
        0 => "-".to_owned(),
        of => format!("{}/{of}", share.held),
    };
    rows.number("goal", fraction(score.goal), Role::Plain, "literals that hold at the end");
    rows.number("  taking", fraction(score.taking), Role::Plain, "of those to be earned by doing");
    rows.number("  routing", fraction(score.routing), Role::Plain, "of those to be earned by routing");
    rows.number("  guards", fraction(score.guards), Role::Plain, "of those true at the start, to be kept");
    let bad = |count: usize, role: Role| if count > 0 { role } else { Role::Dim };
    let over = score.over_reach;
    let kinds = match over.attempts {
        0 => "calls that failed a gate".to_owned(),
        _ => format!("failed capability {}, knowledge {}, both {}", over.capability, over.knowledge, over.both),
    };
    rows.number("over-reach", over.attempts.to_string(), bad(over.attempts as usize, Role::Bad), &kinds);
    for &step in &sketch.over_reach {
        let sign = sketch.strip.get(step - 1).map_or(Sign::Capability, |&kind| kind.into());
        rows.add(Text::plain(" ".repeat(13)).sign(sign).and(format!(" at step {step}")), Some(step));
    }
    match item.ways() {
        None => rows.say("under-reach and distances are still to be found"),
        Some(_) => against_plans(item, rows),
    }
    let efficiency = score.efficiency;
    let complete = efficiency.complete.map_or(String::new(), |complete| format!("; of complete runs {complete:.2}"));
    let about = format!("share earned per call, against the reference's{complete}");
    rows.number("efficiency", format!("{:.2}", efficiency.raw), Role::Plain, &about);
}

fn against_plans(item: &RunItem, rows: &mut Rows) {
    let (Some(ways), Some(world)) = (item.ways(), item.sketch().and_then(|sketch| sketch.world.as_ref())) else {
        return;
    };
    let role = item.summary().and_then(|summary| world.domain.role_id(summary.role.as_deref()?));
    let bad = |count: usize| if count > 0 { Role::Under } else { Role::Dim };
    let about = format!("actions withheld: routed {}, stopped short {}", ways.deferrals(), ways.stopped_short());
    rows.number("under-reach", ways.withheld.len().to_string(), bad(ways.withheld.len()), &about);
    for withheld in &ways.withheld {
        let words = role.map_or(String::new(), |role| withheld.words(world, role));
        let text = Text::plain(" ".repeat(13)).sign(Sign::UnderReach);
        rows.add(text.and(visible(&format!(" at {}: {words}", withheld.step)).into_owned()), Some(withheld.step));
    }
    let misrouted = item.reach().1;
    rows.number("misrouted", misrouted.to_string(), bad(misrouted), "routed without a use, or not routed");
    for &step in &ways.misroutes {
        rows.add(Text::plain(" ".repeat(13)).sign(Sign::Misroute).and(format!(" at step {step}")), Some(step));
    }
    let far = |distance: Option<&Distance>| match distance {
        Some(Distance::Calls(calls)) => calls.to_string(),
        Some(Distance::Never) => rows.theme.words("∞").into_owned(),
        Some(Distance::Unknown) | None => "?".to_owned(),
    };
    let (start, end) = (far(ways.distance.first()), far(ways.distance.last()));
    let steps = ways.verdicts.len();
    let about = match ways.distance.first() {
        Some(Distance::Calls(calls)) => format!("from the end; {} from the start", count(*calls as usize, "call")),
        _ => format!("from the end; {start} from the start"),
    };
    let text = Text::plain(format!("{:<13}{end:>6}", "distance")).role(Role::Dim, format!("   {about}"));
    rows.add(text, Some(steps));
}
