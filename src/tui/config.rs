//! The user's configuration: `refract/config.toml` in the configuration folder (XDG).
//!
//! ```toml
//! theme = "dark"        # light, colour-blind, mono
//! signs = "unicode"     # ascii
//! mouse = true
//! [keys]
//! next-finding = "v"    # a command's name; one sequence or several
//! down = ["j", "Ctrl-n"]
//! ```
//!
//! Nothing in it is fatal: what is wrong is named, and the default holds.

use std::path::PathBuf;

use etcetera::BaseStrategy;

use super::dispatch::Keymap;
use super::theme::{Palette, Theme};

/// What the user chose.
#[derive(Debug, Clone)]
pub struct Config {
    /// Colours and signs.
    pub theme: Theme,
    /// Whether the mouse is ours.
    pub mouse: bool,
    /// The keys.
    pub keymap: Keymap,
}

impl Default for Config {
    fn default() -> Self {
        Config { theme: Theme::default(), mouse: true, keymap: Keymap::default() }
    }
}

/// Reads the configuration file and `NO_COLOR`. Also says what was wrong.
pub fn load() -> (Config, Vec<String>) {
    let (mut config, faults) = match path().map(|path| (std::fs::read_to_string(&path), path)) {
        Some((Ok(text), path)) => {
            let (config, faults) = parse(&text);
            (config, faults.into_iter().map(|fault| format!("{}: {fault}", path.display())).collect())
        }
        Some((Err(e), path)) if e.kind() != std::io::ErrorKind::NotFound => {
            (Config::default(), vec![format!("{}: {e}", path.display())])
        }
        _ => (Config::default(), Vec::new()),
    };
    if std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty()) {
        config.theme.palette = Palette::Mono;
    }
    (config, faults)
}

/// Where the file is looked for.
pub fn path() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.config_dir().join("refract").join("config.toml"))
}

/// Reads a configuration.
pub fn parse(text: &str) -> (Config, Vec<String>) {
    let mut config = Config::default();
    let mut faults = Vec::new();
    let table: toml::Table = match text.parse() {
        Ok(table) => table,
        Err(e) => {
            let line = e.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            return (config, vec![format!("line {line}: {}", e.message())]);
        }
    };
    for (key, value) in &table {
        let known = match (key.as_str(), value) {
            ("theme", toml::Value::String(name)) => Palette::named(name).map(|p| config.theme.palette = p),
            ("signs", toml::Value::String(name)) => ascii(name).map(|a| config.theme.ascii = a),
            ("mouse", toml::Value::Boolean(on)) => {
                config.mouse = *on;
                Some(())
            }
            ("keys", toml::Value::Table(_)) => Some(()),
            ("theme" | "signs" | "mouse" | "keys", _) => None,
            _ => {
                faults.push(format!("{key}: no such setting; there are theme, signs, mouse, keys"));
                continue;
            }
        };
        if known.is_none() {
            let is = value.as_str().map_or_else(|| format!("a {}", value.type_str()), |text| format!("{text:?}"));
            faults.push(format!("{key}: {is} is not one of {}", choices(key)));
        }
    }
    if let Some(keys) = table.get("keys").and_then(toml::Value::as_table) {
        let (keymap, wrong) = Keymap::with(&overrides(keys, &mut faults));
        config.keymap = keymap;
        faults.extend(wrong);
    }
    (config, faults)
}

fn ascii(name: &str) -> Option<bool> {
    match name {
        "ascii" => Some(true),
        "unicode" => Some(false),
        _ => None,
    }
}

fn choices(key: &str) -> &'static str {
    match key {
        "theme" => "dark, light, colour-blind, mono",
        "signs" => "unicode, ascii",
        "mouse" => "true, false",
        _ => "a table of command names and keys",
    }
}

fn overrides(keys: &toml::Table, faults: &mut Vec<String>) -> Vec<(String, Vec<String>)> {
    let mut out = Vec::new();
    for (name, value) in keys {
        let sequences = match value {
            toml::Value::String(one) => Some(vec![one.clone()]),
            toml::Value::Array(many) => many.iter().map(|v| v.as_str().map(str::to_owned)).collect(),
            _ => None,
        };
        match sequences {
            Some(sequences) => out.push((name.clone(), sequences)),
            None => faults.push(format!("keys.{name}: a key, or a list of keys")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::command::Cmd;

    #[test]
    fn what_is_right_holds_and_what_is_wrong_is_named() {
        let text = "theme = 'light'\nsigns = 'ascii'\nmouse = false\n[keys]\ndown = ['n', 'Ctrl-n']\n";
        let (config, faults) = parse(text);
        assert!(faults.is_empty(), "{faults:?}");
        assert_eq!(config.theme, Theme { palette: Palette::Light, ascii: true });
        assert!(!config.mouse);
        assert_eq!(config.keymap.shown(Cmd::Down), ["n", "Ctrl-n"]);

        for (text, fault) in [
            ("theme = 'pink'", "theme: \"pink\" is not one of dark, light, colour-blind, mono"),
            ("mouse = 'no'", "mouse: \"no\" is not one of true, false"),
            ("colour = 1", "colour: no such setting; there are theme, signs, mouse, keys"),
            ("[keys]\ndown = 1", "keys.down: a key, or a list of keys"),
            ("[keys]\ndwon = 'n'", "keys.dwon: no such command"),
        ] {
            let (config, faults) = parse(text);
            assert_eq!(faults, [fault], "{text}");
            assert_eq!(config.theme, Theme::default());
        }
        assert!(parse("theme = 'light'\ntheme").1[0].starts_with("line 2: "));
    }
}
