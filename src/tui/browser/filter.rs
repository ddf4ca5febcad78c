//! The language of the filter: words that match any column, `role:operator`, `agent=gpt`, `under>0`,
//! `is:solved`, `not …`.

use super::item::{Column, RunItem, sign_of};
use crate::plan::Distance;
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
    /// All that stands in one column.
    Exactly(Column, String),
    /// How a column counts, against a number.
    Number(Column, Comparison, f64),
    /// How far the goal is at the end, where that is no number.
    Left(Distance),
    /// What became of it as a whole.
    Is(Whole),
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
    UnderReach,
    Misroute,
    Refusal,
    Complete,
    Open,
}

/// What `is:` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whole {
    Solved,
    Complete,
    Open,
    Scored,
    Unscored,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Less,
    AtMost,
    Equal,
    AtLeast,
    More,
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

/// The columns that a filter compares with numbers.
const NUMBERS: [(&str, Column); 8] = [
    ("calls", Column::Calls),
    ("goal", Column::Goal),
    ("taking", Column::Taking),
    ("routing", Column::Routing),
    ("over", Column::Over),
    ("under", Column::Under),
    ("dist", Column::Distance),
    ("eff", Column::Efficiency),
];

/// What signs are called, beside their glyphs and the kinds of steps.
const WHATS: [(&str, What); 6] = [
    ("over-reach", What::OverReach),
    ("under-reach", What::UnderReach),
    ("misroute", What::Misroute),
    ("refusal", What::Refusal),
    ("complete", What::Complete),
    ("open", What::Open),
];

const WHOLES: [(&str, Whole); 5] = [
    ("solved", Whole::Solved),
    ("complete", Whole::Complete),
    ("open", Whole::Open),
    ("scored", Whole::Scored),
    ("unscored", Whole::Unscored),
];

const COMPARISONS: [(&str, Comparison); 5] = [
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("<", Comparison::Less),
    (">", Comparison::More),
    ("=", Comparison::Equal),
];

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
        if let Some((key, comparison, value)) = compared(word) {
            return Test::compare(key, comparison, value);
        }
        let Some((key, value)) = word.split_once(':') else { return Ok(Pattern::new(word).map(Test::Word)) };
        if key == "is" {
            let whole = || named(&WHOLES, value).map(Test::Is).ok_or_else(|| not_one(key, value, names(&WHOLES)));
            return if value.is_empty() { Ok(None) } else { whole().map(Some) };
        }
        if key == "sign" || key == "finding" {
            if value.is_empty() {
                return Ok(None);
            }
            let what = What::named(value).ok_or_else(|| {
                let steps = STEPS.iter().map(|(name, _)| *name);
                not_one(key, value, steps.chain(names(&WHATS)))
            })?;
            return Ok(Some(if key == "sign" { Test::Sign(what) } else { Test::Finding(what) }));
        }
        match COLUMNS.iter().find(|(name, _)| *name == key) {
            Some(&(_, column)) => Ok(Pattern::new(value).map(|pattern| Test::Column(column, pattern))),
            None => {
                let names: Vec<&str> = names(&COLUMNS).collect();
                Err(format!("no column '{key}'; there are {}, sign, finding, is", names.join(", ")))
            }
        }
    }

    fn compare(key: &str, comparison: Comparison, value: &str) -> Result<Option<Test>, String> {
        if value.is_empty() {
            return Ok(None);
        }
        if let (Some(column), Comparison::Equal) = (named(&COLUMNS, key), comparison) {
            return Ok(Some(Test::Exactly(column, value.to_owned())));
        }
        let Some(column) = named(&NUMBERS, key) else {
            let names: Vec<&str> = names(&NUMBERS).collect();
            return Err(format!("no number '{key}'; there are {}", names.join(", ")));
        };
        match (column, value) {
            (Column::Distance, "never" | "∞" | "&") => return Ok(Some(Test::Left(Distance::Never))),
            (Column::Distance, "unknown" | "?") => return Ok(Some(Test::Left(Distance::Unknown))),
            _ => {}
        }
        match value.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Some(Test::Number(column, comparison, number))),
            _ => Err(format!("{key}: '{value}' is no number")),
        }
    }

    fn holds(&self, item: &RunItem, world: Option<&World>) -> bool {
        let sketch = item.sketch();
        match self {
            Test::Word(pattern) => {
                pattern.matches(&item.words()) || world.is_some_and(|world| pattern.matches(&world.problem.title))
            }
            Test::Column(column, pattern) => pattern.matches(&item.column(*column)),
            Test::Exactly(column, value) => item.column(*column) == *value,
            Test::Number(column, comparison, value) => {
                item.number(*column).is_some_and(|number| comparison.holds(number, *value))
            }
            Test::Left(left) => item.distance() == Some(*left),
            Test::Is(whole) => sketch.is_some_and(|sketch| {
                let complete = sketch.summary.goal.map(|goal| goal.complete());
                match whole {
                    Whole::Solved => sketch.summary.solved(),
                    Whole::Complete => complete == Some(true),
                    Whole::Open => complete == Some(false),
                    Whole::Scored => sketch.scored.is_some(),
                    Whole::Unscored => sketch.scored.is_none(),
                }
            }),
            Test::Sign(what) => sketch.is_some_and(|sketch| match what {
                What::Step(kind) => sign_of(item) == Sign::from(*kind),
                What::OverReach => sketch.summary.worst.is_some_and(StepKind::is_violation),
                What::UnderReach => sign_of(item) == Sign::UnderReach,
                What::Misroute => sign_of(item) == Sign::Misroute,
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
                    What::UnderReach => item.reach().0 > 0,
                    What::Misroute => item.reach().1 > 0,
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
        let signs = [
            (Sign::Holds, What::Complete),
            (Sign::Fails, What::Open),
            (Sign::UnderReach, What::UnderReach),
            (Sign::Misroute, What::Misroute),
        ];
        let of_run = || signs.into_iter().find(|(sign, _)| is_sign(*sign, name)).map(|(_, what)| what);
        by_name.or_else(|| step(by_sign(name))).or_else(of_run)
    }
}

impl Comparison {
    fn holds(self, number: f64, value: f64) -> bool {
        match self {
            Comparison::Less => number < value,
            Comparison::AtMost => number <= value,
            Comparison::Equal => number == value,
            Comparison::AtLeast => number >= value,
            Comparison::More => number > value,
        }
    }
}

/// A word that compares: `under>0`, `agent=gpt`.
fn compared(word: &str) -> Option<(&str, Comparison, &str)> {
    let at = word.find(['<', '>', '='])?;
    let (key, rest) = word.split_at(at);
    if key.is_empty() || !key.chars().all(|c| c.is_ascii_alphabetic()) {
        return None;
    }
    let found = COMPARISONS.iter().find_map(|(sign, comparison)| Some((*comparison, rest.strip_prefix(sign)?)));
    found.map(|(comparison, value)| (key, comparison, value))
}

fn names<T>(table: &'static [(&'static str, T)]) -> impl Iterator<Item = &'static str> {
    table.iter().map(|(name, _)| *name)
}

fn not_one<'a>(key: &str, value: &str, names: impl Iterator<Item = &'a str>) -> String {
    format!("{key}: no '{value}'; one of {}", names.collect::<Vec<_>>().join(", "))
}
