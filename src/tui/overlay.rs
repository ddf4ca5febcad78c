//! What stands over a screen and takes the keys first: card, help, palette.

use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization, Pattern as Fuzzy};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::command::{self, Cmd};
use super::dispatch::{Call, Keymap};
use super::input::LineInput;
use super::legend;
use super::list::List;
use super::screen::{Card, Kind, TypingKeys};
use super::theme::Theme;

/// A thing over the screen.
pub(super) enum Overlay {
    Card { card: Card, list: List },
    Help { rows: Vec<HelpRow>, list: List },
    Palette(Palette),
}

/// A line of the help: a heading, or keys and what they do.
pub(super) struct HelpRow {
    pub keys: String,
    pub name: &'static str,
    pub text: String,
}

/// Rows of the help for a screen: its own commands first, then those of every screen, each with the
/// keys that give it now; between them the signs. Where keys are text, those that are not come before all.
pub(super) fn help(kind: Kind, typing: Option<TypingKeys>, keymap: &Keymap, theme: Theme) -> Vec<HelpRow> {
    let row = |keys: &str, text: &str| HelpRow { keys: keys.to_owned(), name: "", text: text.to_owned() };
    let heading = |text: &str| row("", text);
    let mut rows = Vec::new();
    if let Some(keys) = typing {
        rows.push(heading("here, where keys are text"));
        rows.extend(keys.iter().map(|(key, text)| row(key, text)));
    }
    let own = command::table(kind).map_or(0, |t| t.uses.len());
    for (i, u) in command::uses(kind).enumerate() {
        if i == 0 && own > 0 {
            let name = command::table(kind).map_or("", |t| t.name);
            rows.push(heading(&if typing.is_some() { format!("{name}, after Esc") } else { name.to_owned() }));
        }
        if i == own {
            let signs = legend::signs(kind).map(|(sign, meaning)| HelpRow {
                keys: theme.glyph(*sign).to_owned(),
                name: "",
                text: (*meaning).to_owned(),
            });
            let signs: Vec<HelpRow> = signs.collect();
            rows.extend((!signs.is_empty()).then(|| heading("signs")));
            rows.extend(signs);
            rows.push(heading("every screen"));
        }
        let keys = keymap.shown(u.cmd).join("  ");
        let name = command::command(u.cmd).name;
        rows.push(HelpRow {
            keys: if keys.is_empty() { format!(":{name}") } else { keys },
            name,
            text: u.doc.to_owned(),
        });
    }
    rows
}

/// A command found by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Choice {
    pub call: Call,
    pub name: String,
    pub doc: &'static str,
    pub keys: String,
}

/// The palette: what is typed, and what it may mean.
pub(super) struct Palette {
    pub input: LineInput,
    pub choices: Vec<Choice>,
    pub list: List,
    /// From the top of the list for the help of the screen below.
    pub kind: Kind,
}

impl Palette {
    pub fn new(kind: Kind, keymap: &Keymap) -> Palette {
        let mut palette = Palette { input: LineInput::default(), choices: Vec::new(), list: List::default(), kind };
        palette.refresh(keymap, |_| Vec::new());
        palette
    }

    /// Finds again what the text may mean. `arguments` gives a command's words.
    pub fn refresh(&mut self, keymap: &Keymap, arguments: impl Fn(&Call) -> Vec<String>) {
        self.list = List::default();
        let text = self.input.text.trim_start().to_owned();
        if let Ok(number) = text.trim().parse::<usize>() {
            let call = Call { count: Some(number), ..Call::of(Cmd::Last) };
            let doc = "go to that row";
            self.choices = vec![Choice { call, name: number.to_string(), doc, keys: String::new() }];
            return;
        }
        let (first, rest) = text.split_once(' ').unwrap_or((&text, ""));
        let takes = command::uses(self.kind).find(|u| !u.argument.is_empty() && command::command(u.cmd).name == first);
        if let (Some(u), true) = (takes, text.contains(' ')) {
            let call = Call { argument: rest.trim().to_owned(), ..Call::of(u.cmd) };
            let words = arguments(&call);
            let found = rank(rest.trim(), words.iter().map(|w| (w.clone(), "", w.clone())));
            let choice = |word: String| Choice {
                call: Call { argument: word.clone(), ..call.clone() },
                name: format!("{first} {word}"),
                doc: u.doc,
                keys: String::new(),
            };
            self.choices = found.into_iter().map(choice).collect();
            if self.choices.is_empty() && !rest.trim().is_empty() {
                self.choices = vec![choice(rest.trim().to_owned())];
            }
            return;
        }
        let all = command::uses(self.kind).filter(|u| u.cmd != Cmd::Palette);
        let choice = |u: &command::Use| {
            let name = command::command(u.cmd).name;
            let name = if u.argument.is_empty() { name.to_owned() } else { format!("{name} {}", u.argument) };
            Choice { call: Call::of(u.cmd), name, doc: u.doc, keys: keymap.shown(u.cmd).join("  ") }
        };
        let pairs = all.map(|u| (command::command(u.cmd).name.to_owned(), u.doc, choice(u)));
        self.choices = rank(&text, pairs);
    }
}

/// The items that fit, `(name, doc, item)`: by names that begin so, then by fuzzy names, then by words
/// of the doc; equal ones in the order given.
fn rank<T>(text: &str, items: impl Iterator<Item = (String, &'static str, T)>) -> Vec<T> {
    let mut matcher = Matcher::new(Config::DEFAULT);
    let names = Fuzzy::parse(text, CaseMatching::Smart, Normalization::Smart);
    let docs = Atom::new(text.trim(), CaseMatching::Smart, Normalization::Smart, AtomKind::Substring, false);
    let mut buffer = Vec::new();
    let score = |(name, doc, item): (String, &'static str, T)| {
        let begins = u32::from(name.starts_with(text.trim())) * 100_000;
        let by_name = names.score(Utf32Str::new(&name, &mut buffer), &mut matcher).map(|s| begins + 10_000 + s);
        let by_doc = docs.score(Utf32Str::new(doc, &mut buffer), &mut matcher).map(u32::from);
        by_name.or(by_doc).map(|score| (score, item))
    };
    let mut found: Vec<_> = items.filter_map(score).collect();
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    found.into_iter().map(|(_, item)| item).collect()
}
