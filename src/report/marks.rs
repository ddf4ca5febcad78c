//! Signs, numbers and names as a report shows them, in the page and in Markdown alike.

use crate::{
    exec::Share,
    plan::Distance,
    run::StepKind,
    score::{Gap, Mean, Proportion, Verdict},
};

/// The signs of a step, those of the screens.
pub fn sign(kind: StepKind) -> &'static str {
    match kind {
        StepKind::Fired => "●",
        StepKind::FiredIdle => "○",
        StepKind::Condition => "x",
        StepKind::Input => "i",
        StepKind::BadCall => "!",
        StepKind::OverBudget => "$",
        StepKind::Capability => "C",
        StepKind::Knowledge => "K",
        StepKind::Both => "B",
        StepKind::Damaged => "#",
        StepKind::Diverged => "≠",
    }
}

/// The same in words.
pub fn meaning(kind: StepKind) -> &'static str {
    match kind {
        StepKind::Fired => "fired",
        StepKind::FiredIdle => "fired, and changed nothing",
        StepKind::Condition => "refused: a condition does not hold",
        StepKind::Input => "refused: an input that nobody produced",
        StepKind::BadCall => "refused: no call that the tool set knows",
        StepKind::OverBudget => "over budget, not executed",
        StepKind::Capability => "over-reach: the role lacks the capability",
        StepKind::Knowledge => "over-reach: the role lacks the knowledge",
        StepKind::Both => "over-reach: the role lacks capability and knowledge",
        StepKind::Damaged => "the log is damaged here",
        StepKind::Diverged => "the log says otherwise",
    }
}

/// What a step did to the distance, as a sign and in words.
pub fn way(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Progress => ("↓", "nearer"),
        Verdict::Idle => ("=", "as far as before"),
        Verdict::Detour => ("↑", "further"),
        Verdict::DeadEnd => ("∞", "out of reach"),
        Verdict::Refused | Verdict::OverBudget => ("=", "not executed"),
        Verdict::Unknown => ("?", "not known"),
    }
}

/// `3`, `∞`, `?`.
pub fn distance(distance: Distance) -> String {
    match distance {
        Distance::Calls(calls) => calls.to_string(),
        Distance::Never => "∞".to_owned(),
        Distance::Unknown => "?".to_owned(),
    }
}

/// `3/4`; nothing to hold is a dash.
pub fn fraction(share: Share) -> String {
    if share.of == 0 { "–".to_owned() } else { format!("{}/{}", share.held, share.of) }
}

/// `61 %`.
pub fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// `61 %`, or a dash.
pub fn share(share: Option<Proportion>) -> String {
    share.map_or("–".to_owned(), |share| percent(share.share))
}

/// `48–73`.
pub fn interval(share: Proportion) -> String {
    format!("{:.0}–{:.0}", share.low * 100.0, share.high * 100.0)
}

/// `0.72`, or a dash.
pub fn mean(mean: Option<Mean>) -> String {
    mean.map_or("–".to_owned(), |mean| format!("{:.2}", mean.mean))
}

/// `−3 points (95 % −9 to +3)`.
pub fn points(gap: &Gap) -> String {
    let signed = |share: f64| match (share * 100.0).round() {
        points if points > 0.0 => format!("+{points}"),
        points if points < 0.0 => format!("−{}", -points),
        _ => "0".to_owned(),
    };
    let unit = if (gap.gap * 100.0).round().abs() == 1.0 { "point" } else { "points" };
    format!("{} {unit} (95 % {} to {})", signed(gap.gap), signed(gap.low), signed(gap.high))
}

/// An agent's or other name; runs that name none are told apart.
pub fn named(name: &str) -> &str {
    if name.is_empty() { "(no name)" } else { name }
}

/// At most so many characters; how many are left out is said.
pub fn clip(text: &str, most: usize) -> String {
    let Some((at, _)) = text.char_indices().nth(most) else { return text.to_owned() };
    format!("{} … ({} more characters)", &text[..at], text[at..].chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_a_sign() {
        let gap = |gap, low, high| points(&Gap { gap, low, high });
        assert_eq!(gap(-0.03, -0.094, 0.031), "−3 points (95 % −9 to +3)");
        assert_eq!(gap(0.012, 0.001, 0.02), "+1 point (95 % 0 to +2)");
        assert_eq!(gap(-0.001, -1.0, 1.0), "0 points (95 % −100 to +100)");
    }

    #[test]
    fn the_signs_are_those_of_the_screens() {
        use crate::tui::{sign::Sign, theme::Theme};
        use StepKind::*;
        for kind in
            [Fired, FiredIdle, Condition, Input, BadCall, OverBudget, Capability, Knowledge, Both, Damaged, Diverged]
        {
            assert_eq!(sign(kind), Theme::default().glyph(Sign::from(kind)), "{kind:?}");
        }
    }

    #[test]
    fn what_is_cut_is_counted() {
        assert_eq!(clip("日本語", 3), "日本語");
        assert_eq!(clip("日本語の文", 3), "日本語 … (2 more characters)");
    }
}
