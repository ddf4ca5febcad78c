//! Files as text screens, and cards to choose from.

use std::path::PathBuf;

use crate::tui::highlight::Syntax;
use crate::tui::page::Text;
use crate::tui::screen::Card;
use crate::tui::text_screen::TextScreen;
use crate::tui::theme::{Role, Theme};
use crate::world::SourceFile;

/// Bytes of a record that are shown; the rest is named.
const SHOWN: usize = 8 << 20;

/// A log as text; of a very large one its beginning, and how much more there is.
pub fn record(name: &str, bytes: &[u8], path: Option<PathBuf>) -> TextScreen {
    let head = bytes.get(..SHOWN).unwrap_or(bytes);
    let mut text = String::from_utf8_lossy(head).into_owned();
    if head.len() < bytes.len() {
        text.push_str(&format!("\n… {} bytes more; e opens the file", bytes.len() - head.len()));
    }
    let screen = TextScreen::new(name, format!("{name}.jsonl"), &text, Syntax::Json);
    match path {
        Some(path) => screen.file(path),
        None => screen,
    }
}

/// A file of an entry or a domain, at a line.
pub fn source(file: &SourceFile, line: usize) -> TextScreen {
    let screen = TextScreen::new(file.name.as_str(), file.name.as_str(), &file.text, Syntax::Json).at_line(line);
    match on_disk(file) {
        Some(path) => screen.file(path),
        None => screen,
    }
}

/// The path of a file that did not come with the program.
pub fn on_disk(file: &SourceFile) -> Option<PathBuf> {
    (!file.name.starts_with("embedded:")).then(|| PathBuf::from(&file.name))
}

/// A card to choose from; what was chosen last stands first, so that Enter takes it again.
pub fn choice(theme: Theme, title: &str, names: &[&str], last: Option<&str>, about: impl Fn(&str) -> String) -> Card {
    let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut names = names.to_vec();
    names.sort_by_key(|name| Some(*name) != last);
    let row = |name: &&str| {
        let text = Text::plain(*name).pad(widest + 3).role(Role::Dim, about(name));
        (text.line(&theme), Some((*name).to_owned()))
    };
    Card { title: title.to_owned(), rows: names.iter().map(row).collect() }
}
