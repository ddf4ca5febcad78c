//! Which of a few names a typed text may mean.

use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// The indices of the items that fit, `(name, what it is)`: the name itself, names that begin so, then fuzzy names, then
/// words of what they are; equal ones, and all without a text, in the order given.
pub fn rank<'a>(text: &str, items: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<usize> {
    let text = text.trim();
    let mut matcher = Matcher::new(Config::DEFAULT);
    let names = Pattern::new(text, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy);
    let words = Atom::new(text, CaseMatching::Ignore, Normalization::Smart, AtomKind::Substring, false);
    let mut buffer = Vec::new();
    let mut score = |name: &str, about: &str| {
        let begins = (u32::from(name.starts_with(text)) + u32::from(name == text)) * 100_000;
        let by_name = names.score(Utf32Str::new(name, &mut buffer), &mut matcher).map(|s| begins + 10_000 + s);
        by_name.or_else(|| words.score(Utf32Str::new(about, &mut buffer), &mut matcher).map(u32::from))
    };
    let mut found: Vec<(u32, usize)> =
        items.enumerate().filter_map(|(at, (name, about))| score(name, about).map(|score| (score, at))).collect();
    if !text.is_empty() {
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    }
    found.into_iter().map(|(_, at)| at).collect()
}
