//! The language of the filter: words that match any column, `role:operator`, `not …`.

use super::rows::{Column, RunItem, RunState, sign_of};
use crate::run::StepKind;
use crate::tui::filter::{STEPS, by_sign, is_sign, named, words};
use crate::tui::pattern::Pattern;
use crate::tui::sign::Sign;
use crate::world::World;

/// A filter, read.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// As it was typed.
    pub text: String,
    terms: Vec<Term>,
}

#[derive(Debug, Clone)]
struct Term {
    not: bool,
    test: Test,
}

#[derive(Debug, Clone)]
enum Test {
    /// In any column.
    Word(Pattern),
    /// In one column.
    Column(Column, Pattern),
    /// The sign of the run.
    Sign(What),
    /// Some step of the run.
    Finding(What),
}

/// What `sign:` and `finding:` ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Step(StepKind),
    OverReach,
    Refusal,
    Complete,
    Open,
}

/// The columns that a filter names.
const COLUMNS: [(&str, Column); 6] = [
    ("run", Column::Run),
    ("entry", Column::Entry),
    ("role", Column::Role),
    ("set", Column::Set),
    ("agent", Column::Agent),
    ("end", Column::End),
];

/// What signs are called, beside their glyphs and the kinds of steps.
const WHATS: [(&str, What); 4] =
    [("over-reach", What::OverReach), ("refusal", What::Refusal), ("complete", What::Complete), ("open", What::Open)];

impl Filter {
    /// Reads a filter.
    ///
    /// # Errors
    /// Names the word that means nothing, and what would.
    pub fn parse(text: &str) -> Result<Filter, String> {
        let mut terms = Vec::new();
        let mut not = false;
        for word in words(text) {
            if word == "not" {
                not = !not;
                continue;
            }
            if let Some(test) = Test::parse(&word)? {
                terms.push(Term { not, test });
            }
            not = false;
        }
        Ok(Filter { text: text.trim().to_owned(), terms })
    }

    /// Whether it lets everything pass.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether a run passes; `world` is its entry.
    pub fn passes(&self, item: &RunItem, world: Option<&World>) -> bool {
        self.terms.iter().all(|term| term.test.holds(item, world) != term.not)
    }

    /// Whether something that is no run passes: by words alone.
    pub fn passes_words(&self, words: &str) -> bool {
        self.terms.iter().all(|term| match &term.test {
            Test::Word(pattern) => pattern.matches(words) != term.not,
            _ => term.not,
        })
    }
}

impl Test {
    /// Reads a word; nothing where its value is still to be typed.
    fn parse(word: &str) -> Result<Option<Test>, String> {
        let Some((key, value)) = word.split_once(':') else { return Ok(Pattern::new(word).map(Test::Word)) };
        if key == "sign" || key == "finding" {
            if value.is_empty() {
                return Ok(None);
            }
            let what = What::named(value).ok_or_else(|| {
                let steps = STEPS.iter().map(|(name, _)| *name);
                let names: Vec<&str> = steps.chain(WHATS.iter().map(|(name, _)| *name)).collect();
                format!("{key}: no '{value}'; one of {}", names.join(", "))
            })?;
            return Ok(Some(if key == "sign" { Test::Sign(what) } else { Test::Finding(what) }));
        }
        match COLUMNS.iter().find(|(name, _)| *name == key) {
            Some(&(_, column)) => Ok(Pattern::new(value).map(|pattern| Test::Column(column, pattern))),
            None => {
                let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
                Err(format!("no column '{key}'; there are {}, sign, finding", names.join(", ")))
            }
        }
    }

    fn holds(&self, item: &RunItem, world: Option<&World>) -> bool {
        let sketch = match &item.state {
            RunState::Read(sketch) => Some(sketch),
            _ => None,
        };
        match self {
            Test::Word(pattern) => {
                pattern.matches(&item.words()) || world.is_some_and(|world| pattern.matches(&world.problem.title))
            }
            Test::Column(column, pattern) => pattern.matches(&item.column(*column)),
            Test::Sign(what) => sketch.is_some_and(|sketch| match what {
                What::Step(kind) => sign_of(item) == Sign::from(*kind),
                What::OverReach => sketch.summary.worst.is_some_and(StepKind::is_violation),
                What::Refusal => sketch.summary.worst.is_some_and(StepKind::is_refusal),
                What::Complete => sign_of(item) == Sign::Holds,
                What::Open => sign_of(item) == Sign::Fails,
            }),
            Test::Finding(what) => sketch.is_some_and(|sketch| {
                let any = |test: &dyn Fn(StepKind) -> bool| sketch.strip.iter().any(|&kind| test(kind));
                match what {
                    What::Step(StepKind::Damaged) => sketch.summary.damage > 0,
                    What::Step(kind) => any(&|k| k == *kind),
                    What::OverReach => sketch.summary.over_reach > 0,
                    What::Refusal => any(&|k| k.is_refusal()),
                    What::Complete => sketch.summary.goal.is_some_and(|goal| goal.complete()),
                    What::Open => sketch.summary.goal.is_some_and(|goal| !goal.complete()),
                }
            }),
        }
    }
}

impl What {
    /// By its name, or by the sign that the screen shows.
    fn named(name: &str) -> Option<What> {
        let step = |kind: Option<StepKind>| kind.map(What::Step);
        let by_name = step(named(&STEPS, name)).or_else(|| named(&WHATS, name));
        let by_sign = || step(by_sign(name)).or_else(|| is_sign(Sign::Holds, name).then_some(What::Complete));
        by_name.or_else(by_sign).or_else(|| is_sign(Sign::Fails, name).then_some(What::Open))
    }
}
