//! The sentences of the screen: what a run came to, how often, since when.

use super::loaded::Loaded;
use crate::exec::{Counts, Refusal};
use crate::run::{RefusalView, StepKind, WorldMatch, solved};
pub use crate::text::count;

/// A small number in words.
pub fn number(n: usize) -> String {
    const WORDS: [&str; 13] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    WORDS.get(n).map_or_else(|| n.to_string(), |word| (*word).to_owned())
}

/// Puts the first letter in upper case.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// What a step's kind is called in the list.
pub fn kind(kind: StepKind) -> &'static str {
    match kind {
        StepKind::Fired | StepKind::FiredIdle => "",
        StepKind::Condition => "condition",
        StepKind::Input => "input",
        StepKind::Capability => "capability",
        StepKind::Knowledge => "knowledge",
        StepKind::Both => "both",
        StepKind::BadCall => "bad call",
        StepKind::OverBudget => "over budget",
        StepKind::Damaged => "damaged",
        StepKind::Diverged => "diverged",
    }
}

/// What a firing changed: `2 added, 1 changed`.
pub fn changes(counts: Counts) -> String {
    let parts = [(counts.added, "added"), (counts.changed, "changed"), (counts.removed, "removed")];
    let parts: Vec<String> =
        parts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{} {word}", number(*n))).collect();
    parts.join(", ")
}

/// A reason of a refusal in a clause.
pub fn refusal(view: &RefusalView) -> String {
    match view {
        RefusalView::Executed(Refusal::Precondition { literal }) => match literal.strip_prefix("not ") {
            Some(atom) => format!("{atom} holds, and must not"),
            None => format!("{literal} does not hold"),
        },
        RefusalView::Executed(refusal) => refusal.to_string(),
        RefusalView::Recorded { reason, json } => match (Refusal::read(json.as_str()), reason) {
            (Some(read), _) => refusal(&RefusalView::Executed(read)),
            (None, Some(reason)) => reason.replace('_', " "),
            (None, None) => json.as_str().to_owned(),
        },
    }
}

/// A note: its kind, and the tool that it names, with the arguments: `hint lock_out  asset=pump-101`.
pub fn note(kind: &str, data: &str) -> String {
    // What is long is no hint; the row of the step shows all of it.
    let data = (data.len() < 4096).then(|| serde_json::from_str::<serde_json::Value>(data).ok()).flatten();
    let Some(tool) = data.as_ref().and_then(|data| data.get("tool")?.as_str()) else { return kind.to_owned() };
    let args = data.as_ref().and_then(|data| data.get("args")?.as_object());
    let arg = |(name, value): (&String, &serde_json::Value)| format!("  {name}={}", value.as_str().unwrap_or("…"));
    format!("{kind} {tool}{}", args.into_iter().flatten().map(arg).collect::<String>())
}

/// How a run ended.
pub fn end(run: &Loaded) -> String {
    match (run.log.end_reason(), run.log.end_row()) {
        (Some(reason), _) => reason.into_owned(),
        (None, Some(_)) => "end without a reason".to_owned(),
        (None, None) => "no end".to_owned(),
    }
}

/// The verdict's parts: the sentence, and what is bad about it.
pub fn verdict(run: &Loaded) -> (String, String) {
    let faults = faults(run);
    let said = |text: &str| {
        if faults.is_empty() { (text.to_owned(), String::new()) } else { (format!("{text}: "), faults.clone()) }
    };
    if let Some(why) = &run.missing {
        return said(&format!("not executed, for {why}"));
    }
    if !run.log.finished() {
        return said("so far"); // what is still to come may change all
    }
    match run.replay.as_ref().and_then(|replay| replay.goal_after(run.steps())) {
        None => said("this role has no goal in the entry"),
        Some(goal) if solved(goal, run.over_reach.count) => said("solved"),
        Some(goal) if goal.complete() => said("complete, not solved"),
        Some(_) => said("goal not reached"),
    }
}

fn faults(run: &Loaded) -> String {
    let mut parts = Vec::new();
    let first = |tally: &super::loaded::Tally| {
        let and = if tally.count > 1 { "first at " } else { "" };
        tally.first.map_or(String::new(), |step| format!(" ({and}step {step})"))
    };
    if run.over_reach.count > 0 {
        parts.push(format!("over-reach {}{}", run.over_reach.count, first(&run.over_reach)));
    }
    if let Some(appraisal) = &run.appraisal {
        let (withheld, misroutes) = appraisal.under_reach();
        if withheld > 0 {
            parts.push(format!("under-reach {withheld}"));
        }
        match misroutes {
            0 => {}
            1 => parts.push("1 misroute".to_owned()),
            n => parts.push(format!("{n} misroutes")),
        }
        if appraisal.missed_route() {
            parts.push("missed route".to_owned());
        }
        if let Some(step) = appraisal.lost() {
            parts.push(format!("out of reach since step {step}"));
        }
    }
    if run.refused.count > 0 {
        parts.push(format!("{} refused", run.refused.count));
    }
    if run.diverging.count > 0 {
        parts.push(format!("{} diverging{}", run.diverging.count, first(&run.diverging)));
    }
    if run.log.damage_count() > 0 {
        parts.push(format!("damage {}", run.log.damage_count()));
    }
    if run.log.finished() && run.log.end_row().is_none() {
        parts.push("no end".to_owned());
    }
    parts.join(", ")
}

/// How the run was brought here.
pub fn world(run: &Loaded) -> &'static str {
    match run.replay.as_ref().map(|replay| replay.world_match) {
        Some(WorldMatch::Same) => "replayed, same world",
        Some(WorldMatch::Changed) => "replayed, changed world",
        Some(WorldMatch::Missing) | None => "as recorded",
    }
}

#[cfg(test)]
mod tests {
    use super::note;

    #[test]
    fn a_note_says_what_was_hinted() {
        for (kind, data, says) in [
            ("hint", r#"{"shown":"call","tool":"lock_out","args":{"asset":"p-1"}}"#, "hint lock_out  asset=p-1"),
            ("hint", r#"{"shown":"tool","tool":"lock_out","class":"intervene"}"#, "hint lock_out"),
            ("hint", r#"{"shown":"reached"}"#, "hint"),
            ("undo", "null", "undo"),
            ("odd", r#"{"tool":7,"args":[]}"#, "odd"),
            ("odd", r#"{"tool":"x","args":{"a":[1]}}"#, "odd x  a=…"),
        ] {
            assert_eq!(note(kind, data), says);
        }
    }
}
