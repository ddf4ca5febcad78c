//! The one command table: what can be done, by which keys, on which screens.
//!
//! Dispatch, `?`, the palette, the footer and the manual page all come from here. A command that
//! no screen lists does not exist; a key of a command that this screen does not list says why.

mod table;

pub use table::{COMMANDS, Cmd, Hunt, SHELL};

use super::screen::Kind;

/// A command as all screens share it.
#[derive(Debug, Clone, Copy)]
pub struct Command {
    /// Which.
    pub cmd: Cmd,
    /// Its name in the palette, the manual and the key configuration.
    pub name: &'static str,
    /// Default keys: sequences as [`super::keys::sequence`] reads them. Empty: palette alone.
    pub keys: &'static [&'static str],
}

/// What a command does on one screen.
#[derive(Debug, Clone, Copy)]
pub struct Use {
    /// Which command.
    pub cmd: Cmd,
    /// One line for `?`, the palette and the manual.
    pub doc: &'static str,
    /// The word in the footer, and how much it is needed there: the least goes first. 0: never shown.
    pub footer: (&'static str, u8),
    /// The palette's word for its argument, where it takes one: `ROLE`.
    pub argument: &'static str,
}

impl Use {
    /// A use without footer word and argument.
    pub const fn new(cmd: Cmd, doc: &'static str) -> Use {
        Use { cmd, doc, footer: ("", 0), argument: "" }
    }

    /// Gives it a word in the footer; higher `need` stays longer when room is short.
    pub const fn footer(self, word: &'static str, need: u8) -> Use {
        Use { footer: (word, need), ..self }
    }

    /// Lets the palette pass an argument, named so.
    pub const fn takes(self, argument: &'static str) -> Use {
        Use { argument, ..self }
    }
}

/// A screen's part of the table. Lives beside the screen; listed in [`screens`].
#[derive(Debug, Clone, Copy)]
pub struct ScreenTable {
    /// Which screen.
    pub kind: Kind,
    /// Its name in messages, help and the manual.
    pub name: &'static str,
    /// What can be done on it, in the order of `?` and the footer.
    pub uses: &'static [Use],
    /// Why a command has no use here, where the reason is more than that: `(cmd, "use x t")`.
    pub reasons: &'static [(Cmd, &'static str)],
}

/// Every screen's table: **one line per screen**.
pub fn screens() -> &'static [ScreenTable] {
    &[
        super::browser::TABLE,
        super::entry::TABLE,
        super::trajectory::TABLE,
        super::worlds::TABLE,
        super::results::TABLE,
        super::play::CHOOSE,
        super::play::TABLE,
        super::text_screen::TABLE,
    ]
}

/// The table of a screen. A kind without one has the shell's commands alone.
pub fn table(kind: Kind) -> Option<&'static ScreenTable> {
    screens().iter().find(|table| table.kind == kind)
}

/// What a screen lists, its own uses first, then the shell's that it does not word itself.
pub fn uses(kind: Kind) -> impl Iterator<Item = &'static Use> {
    let own = table(kind).map_or(&[][..], |table| table.uses);
    own.iter().chain(SHELL.iter().filter(move |u| !own.iter().any(|o| o.cmd == u.cmd) && !refused(kind, u.cmd)))
}

/// The shared entry of a command.
pub fn command(cmd: Cmd) -> &'static Command {
    // The table is tested to hold every command.
    COMMANDS.iter().find(|c| c.cmd == cmd).unwrap_or(&COMMANDS[0])
}

/// The command of that name.
pub fn named(name: &str) -> Option<Cmd> {
    COMMANDS.iter().find(|c| c.name == name).map(|c| c.cmd)
}

/// The use of a command on a screen.
pub fn find(kind: Kind, cmd: Cmd) -> Option<&'static Use> {
    uses(kind).find(|u| u.cmd == cmd)
}

/// Why a command does nothing on a screen; nothing where no screen has it at all.
pub fn reason(kind: Kind, cmd: Cmd) -> Option<String> {
    if let Some((_, why)) = table(kind).and_then(|t| t.reasons.iter().find(|(c, _)| *c == cmd)) {
        return Some((*why).to_owned());
    }
    let elsewhere: Vec<_> =
        screens().iter().filter_map(|t| t.uses.iter().find(|u| u.cmd == cmd).map(|u| (t.name, u.doc))).collect();
    let (name, doc) = elsewhere.first()?;
    Some(format!("nothing to do here; in {name}: {doc}"))
}

fn refused(kind: Kind, cmd: Cmd) -> bool {
    table(kind).is_some_and(|t| t.reasons.iter().any(|(c, _)| *c == cmd))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::tui::keys;

    #[test]
    fn the_table_is_whole() {
        let mut names = HashSet::new();
        let mut sequences = HashSet::new();
        for command in COMMANDS {
            assert!(names.insert(command.name), "{} twice", command.name);
            for keys in command.keys {
                assert!(keys::sequence(keys).is_some(), "{keys}");
                assert!(sequences.insert(*keys), "{keys} twice");
            }
        }
        for u in screens().iter().flat_map(|t| t.uses).chain(SHELL) {
            assert!(COMMANDS.iter().any(|c| c.cmd == u.cmd), "{:?} has no entry", u.cmd);
            assert!(!u.doc.is_empty() && !u.doc.ends_with('.'), "{:?}", u.doc);
        }
    }

    #[test]
    fn no_sequence_hides_another() {
        for a in COMMANDS.iter().flat_map(|c| c.keys) {
            for b in COMMANDS.iter().flat_map(|c| c.keys) {
                assert!(a == b || !b.starts_with(&format!("{a} ")), "{a} hides {b}");
            }
        }
    }

    #[test]
    fn a_screen_lists_or_refuses_never_both() {
        for table in screens() {
            for (cmd, why) in table.reasons {
                assert!(!table.uses.iter().any(|u| u.cmd == *cmd), "{} lists and refuses {cmd:?}", table.name);
                assert!(!why.is_empty());
            }
        }
    }
}
