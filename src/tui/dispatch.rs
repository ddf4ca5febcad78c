//! From keys to commands: counts, prefixes and the key map.

use super::command::{self, COMMANDS, Cmd};
use super::keys::{self, Key, Stroke};
use super::screen::Kind;

/// A command as given: by keys, with what was typed around it, or by name in the palette.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Which command.
    pub cmd: Cmd,
    /// The count typed before it.
    pub count: Option<usize>,
    /// The letter typed after it: the name of a mark.
    pub letter: Option<char>,
    /// The argument that the palette passed.
    pub argument: String,
}

impl Call {
    /// A command without anything around it.
    pub fn of(cmd: Cmd) -> Call {
        Call { cmd, count: None, letter: None, argument: String::new() }
    }

    /// How often: the count, or once.
    pub fn times(&self) -> usize {
        self.count.unwrap_or(1).max(1)
    }
}

/// Which keys give which command: the table's, with the user's in their place.
#[derive(Debug, Clone)]
pub struct Keymap {
    bindings: Vec<(Vec<Stroke>, Cmd)>,
}

impl Default for Keymap {
    fn default() -> Self {
        Keymap::with(&[]).0
    }
}

/// What the keys so far lead to.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Found {
    Command(Cmd, Option<char>),
    Prefix,
    Nothing,
}

impl Keymap {
    /// The default map with `(command, keys)` overrides, and what was wrong with them.
    pub fn with(overrides: &[(String, Vec<String>)]) -> (Keymap, Vec<String>) {
        let mut faults = Vec::new();
        let mut bindings = Vec::new();
        for command in COMMANDS {
            let user = overrides.iter().find(|(name, _)| name == command.name).map(|(_, keys)| keys);
            let keys: Vec<&str> = user.map_or(command.keys.to_vec(), |keys| keys.iter().map(String::as_str).collect());
            for text in keys {
                match keys::sequence(text) {
                    Some(strokes) => bindings.push((strokes, command.cmd)),
                    None => faults.push(format!("keys.{}: {text:?} is no key", command.name)),
                }
            }
        }
        for (name, _) in overrides.iter().filter(|(name, _)| command::named(name).is_none()) {
            faults.push(format!("keys.{name}: no such command"));
        }
        // A key that the user gave away no longer does what it did.
        let given = |strokes: &[Stroke], cmd: Cmd| {
            overrides.iter().any(|(name, keys)| {
                command::named(name) != Some(cmd) && keys.iter().any(|k| keys::sequence(k).as_deref() == Some(strokes))
            })
        };
        bindings.retain(|(strokes, cmd)| !given(strokes, *cmd));
        (Keymap { bindings }, faults)
    }

    fn find(&self, typed: &[Key]) -> Found {
        let fits = |strokes: &[Stroke]| {
            strokes.iter().zip(typed).all(|(stroke, key)| match stroke {
                Stroke::Key(k) => k == key,
                Stroke::Letter => key.typed().is_some_and(char::is_alphanumeric),
            })
        };
        let mut prefix = false;
        for (strokes, cmd) in &self.bindings {
            if strokes.len() >= typed.len() && fits(strokes) {
                if strokes.len() == typed.len() {
                    let letter = strokes.last().filter(|s| **s == Stroke::Letter).and_then(|_| typed.last()?.typed());
                    return Found::Command(*cmd, letter);
                }
                prefix = true;
            }
        }
        if prefix { Found::Prefix } else { Found::Nothing }
    }

    /// The keys of a command as people read them, the first of the table first.
    pub fn shown(&self, cmd: Cmd) -> Vec<String> {
        self.bindings.iter().filter(|(_, c)| *c == cmd).map(|(strokes, _)| keys::show(strokes)).collect()
    }

    /// What may follow the keys typed so far on a screen: `(keys still to come, command)`.
    pub fn following(&self, pending: &Pending, kind: Kind) -> Vec<(String, Cmd)> {
        let n = pending.keys.len();
        let begins = |strokes: &[Stroke]| {
            strokes.len() > n && strokes.iter().zip(&pending.keys).all(|(s, k)| *s == Stroke::Key(*k))
        };
        let fits = self.bindings.iter().filter(|(strokes, cmd)| begins(strokes) && command::find(kind, *cmd).is_some());
        fits.map(|(strokes, cmd)| (keys::show(&strokes[n..]), *cmd)).collect()
    }
}

/// Keys typed that are not a command yet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pending {
    /// The count.
    pub count: Option<usize>,
    /// The keys of a sequence begun.
    pub keys: Vec<Key>,
}

/// What a key led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolved {
    /// More keys are needed.
    Pending,
    /// A command.
    Call(Call),
    /// No command has these keys.
    Unbound(String),
}

impl Pending {
    /// Whether anything waits.
    pub fn any(&self) -> bool {
        self.count.is_some() || !self.keys.is_empty()
    }

    /// As the footer shows it: `12]`.
    pub fn shown(&self) -> String {
        let count = self.count.map(|n| n.to_string()).unwrap_or_default();
        let strokes: Vec<_> = self.keys.iter().map(|k| Stroke::Key(*k)).collect();
        count + &keys::show(&strokes)
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key, keymap: &Keymap) -> Resolved {
        if let (Some(digit), true) = (key.typed().and_then(|c| c.to_digit(10)), self.keys.is_empty()) {
            let digit = usize::try_from(digit).unwrap_or(0);
            self.count = Some(self.count.unwrap_or(0).saturating_mul(10).saturating_add(digit).min(999_999_999));
            return Resolved::Pending;
        }
        self.keys.push(key);
        match keymap.find(&self.keys) {
            Found::Prefix => Resolved::Pending,
            Found::Command(cmd, letter) => {
                let Pending { count, .. } = std::mem::take(self);
                Resolved::Call(Call { cmd, count, letter, argument: String::new() })
            }
            Found::Nothing => {
                let typed = std::mem::take(self);
                // Whatever was begun, these two always get through.
                match keymap.find(&[key]) {
                    Found::Command(cmd @ (Cmd::Quit | Cmd::Peel), _) => Resolved::Call(Call::of(cmd)),
                    _ => Resolved::Unbound(Pending { count: None, ..typed }.shown()),
                }
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::tui::command::Hunt;

    fn resolve(keys: &str) -> Resolved {
        let (keymap, mut pending) = (Keymap::default(), Pending::default());
        keys.split_whitespace().map(|k| pending.key(Key::parse(k).unwrap(), &keymap)).last().unwrap()
    }

    fn cmd(keys: &str) -> (Cmd, Option<usize>, Option<char>) {
        match resolve(keys) {
            Resolved::Call(call) => (call.cmd, call.count, call.letter),
            other => panic!("{keys}: {other:?}"),
        }
    }

    #[test]
    fn counts_prefixes_letters() {
        for (keys, expected) in [
            ("j", (Cmd::Down, None, None)),
            ("1 2 j", (Cmd::Down, Some(12), None)),
            ("4 0 G", (Cmd::Last, Some(40), None)),
            ("] v", (Cmd::Next(Hunt::Violation), None, None)),
            ("3 [ c", (Cmd::Prev(Hunt::Change), Some(3), None)),
            ("m a", (Cmd::Mark, None, Some('a'))),
            ("' '", (Cmd::JumpBack, None, None)),
            ("' 7", (Cmd::GoMark, None, Some('7'))),
            ("Ctrl-w l", (Cmd::PaneRight, None, None)),
            ("y s", (Cmd::CopyLink, None, None)),
            ("] Ctrl-c", (Cmd::Quit, None, None)),
            ("4 ] Esc", (Cmd::Peel, None, None)),
        ] {
            assert_eq!(cmd(keys), expected, "{keys}");
        }
    }

    #[test]
    fn what_is_no_command_is_named() {
        assert_eq!(resolve("]"), Resolved::Pending);
        assert_eq!(resolve("] Q"), Resolved::Unbound("]Q".into()));
        assert_eq!(resolve("~"), Resolved::Unbound("~".into()));
    }

    #[test]
    fn the_user_rebinds() {
        let (map, faults) = Keymap::with(&[
            ("down".into(), vec!["n".into()]),
            ("dwon".into(), vec![]),
            ("up".into(), vec!["xyz".into()]),
        ]);
        assert_eq!(map.find(&[Key::parse("n").unwrap()]), Found::Command(Cmd::Down, None));
        assert_eq!(map.find(&[Key::parse("j").unwrap()]), Found::Nothing);
        assert_eq!(faults, ["keys.up: \"xyz\" is no key", "keys.dwon: no such command"]);
    }
}
