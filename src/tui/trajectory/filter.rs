//! Which rows of a run are shown: `sign:refusal`, `row:message`, `tool:look`, `from:agent`, words, `not …`.

use super::hunt::step_fits;
use super::loaded::Loaded;
use super::search::line;
use crate::run::{Row, RowId, RowKind, StepKind};
use crate::tui::command::Hunt;
use crate::tui::filter::{STEPS, by_sign, is_sign, named, words};
use crate::tui::pattern::Pattern;
use crate::tui::sign::Sign;

/// A filter, read.
#[derive(Debug, Default)]
pub struct Filter {
    /// As it was typed.
    pub text: String,
    terms: Vec<(bool, Test)>,
}

#[derive(Debug)]
enum Test {
    Word(Pattern),
    Tool(Pattern),
    From(Pattern),
    Row(What),
    Step(StepKind),
    /// Calls that a jump goes to.
    Hunt(Hunt),
    /// Calls that held back, or routed in vain.
    HeldBack(Sign),
}

/// Kinds of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Call,
    Message,
    Note,
    Damage,
}

const ROWS: [(&str, What); 4] =
    [("call", What::Call), ("message", What::Message), ("note", What::Note), ("damage", What::Damage)];

/// What signs have in common.
const HUNTS: [(&str, Hunt); 4] = [
    ("over-reach", Hunt::Violation),
    ("violation", Hunt::Violation),
    ("refusal", Hunt::Refusal),
    ("change", Hunt::Change),
];

/// What only plans tell of a call.
const HELD_BACK: [(&str, Sign); 2] = [("under-reach", Sign::UnderReach), ("misroute", Sign::Misroute)];

impl Filter {
    /// Reads a filter.
    ///
    /// # Errors
    /// Names the word that means nothing, and what would.
    pub fn parse(text: &str) -> Result<Filter, String> {
        let (mut terms, mut not) = (Vec::new(), false);
        for word in words(text) {
            if word == "not" {
                not = !not;
                continue;
            }
            terms.extend(Test::parse(&word)?.map(|test| (not, test)));
            not = false;
        }
        Ok(Filter { text: text.trim().to_owned(), terms })
    }

    /// Whether it lets everything pass.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether it asks what plans say of a call.
    pub fn held_back(&self) -> bool {
        self.terms.iter().any(|(_, test)| matches!(test, Test::HeldBack(_)))
    }

    /// Whether a row of the list passes: a line that stands for itself.
    pub fn passes(&self, run: &Loaded, id: RowId, row: &Row) -> bool {
        self.terms.iter().all(|(not, test)| test.holds(run, id, row) != *not)
    }
}

impl Test {
    /// Reads a word; nothing where its value is still to be typed.
    fn parse(word: &str) -> Result<Option<Test>, String> {
        let Some((key, value)) = word.split_once(':') else { return Ok(Pattern::new(word).map(Test::Word)) };
        if value.is_empty() && ["tool", "from", "row", "sign"].contains(&key) {
            return Ok(None);
        }
        let one_of = |names: Vec<&str>| format!("{key}: no '{value}'; one of {}", names.join(", "));
        match key {
            "tool" => Ok(Pattern::new(value).map(Test::Tool)),
            "from" => Ok(Pattern::new(value).map(Test::From)),
            "row" => match named(&ROWS, value) {
                Some(what) => Ok(Some(Test::Row(what))),
                None => Err(one_of(ROWS.iter().map(|(name, _)| *name).collect())),
            },
            "sign" => {
                let step = || named(&STEPS, value).or_else(|| by_sign(value)).map(Test::Step);
                let signs = HELD_BACK.iter().map(|(_, sign)| *sign);
                let held_back =
                    || named(&HELD_BACK, value).or_else(|| signs.clone().find(|&sign| is_sign(sign, value)));
                let names = || {
                    let hunts = HUNTS.iter().map(|(name, _)| *name);
                    hunts.chain(HELD_BACK.iter().map(|(name, _)| *name)).chain(STEPS.iter().map(|(name, _)| *name))
                };
                let test =
                    named(&HUNTS, value).map(Test::Hunt).or_else(|| held_back().map(Test::HeldBack)).or_else(step);
                test.map(Some).ok_or_else(|| one_of(names().collect()))
            }
            _ => Err(format!("no '{key}:'; there are sign, row, tool, from, and words")),
        }
    }

    fn holds(&self, run: &Loaded, id: RowId, row: &Row) -> bool {
        let call = row.kind == RowKind::Call;
        match self {
            Test::Word(pattern) => {
                let result = run.log.result_of(row.step()).filter(|_| call);
                line(run, id, row.kind, pattern) || result.is_some_and(|id| line(run, id, RowKind::Result, pattern))
            }
            Test::Tool(pattern) => {
                call && run.log.call(id).is_some_and(|call| call.tool_name().is_some_and(|name| pattern.matches(&name)))
            }
            Test::From(pattern) => run.log.message(id).is_some_and(|message| pattern.matches(&message.from)),
            Test::Row(what) => match what {
                What::Call => call,
                What::Message => row.kind == RowKind::Message,
                What::Note => row.kind == RowKind::Note,
                What::Damage => run.log.damaged(id),
            },
            Test::Step(kind) => call && run.kind(row.step()) == Some(*kind),
            Test::HeldBack(sign) => {
                call && run.appraisal.as_ref().is_some_and(|appraisal| appraisal.held_back(row.step()) == Some(*sign))
            }
            Test::Hunt(hunt) => call && step_fits(run, row.step(), *hunt),
        }
    }
}
