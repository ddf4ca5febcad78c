//! Colours and attributes by meaning. Colours are 1 to 6 on the terminal's own background: 0, 7, 8
//! and 15 vanish on somebody's theme (screens.md §8).

use std::borrow::Cow;

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;

use super::sign::Sign;

/// The named palettes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Palette {
    /// For a dark background.
    #[default]
    Dark,
    /// For a light background: no yellow, no cyan.
    Light,
    /// Blue and yellow alone, for good and bad.
    ColourBlind,
    /// Attributes only; also what `NO_COLOR` asks for.
    Mono,
}

impl Palette {
    /// All, with the names that configuration and the palette use.
    pub const ALL: [(&'static str, Palette); 4] = [
        ("dark", Palette::Dark),
        ("light", Palette::Light),
        ("colour-blind", Palette::ColourBlind),
        ("mono", Palette::Mono),
    ];

    /// The palette of that name.
    pub fn named(name: &str) -> Option<Palette> {
        Self::ALL.iter().find(|(n, _)| *n == name).map(|&(_, p)| p)
    }
}

/// What a piece of text means; the theme decides how it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Ordinary text.
    Plain,
    /// Titles, names that head something.
    Title,
    /// Secondary text.
    Dim,
    /// Goes somewhere on Enter.
    Link,
    /// A search hit.
    Hit,
    /// Holds, may, is well.
    Good,
    /// Fails, or is missing.
    Warn,
    /// A gate, or damage to the verdict.
    Bad,
    /// A fault of the call or of the record.
    Fault,
    /// Withheld or misrouted.
    Under,
    /// Was added; came closer.
    Added,
    /// Was removed.
    Removed,
    /// Was changed.
    Changed,
    /// Rules and junctions between panes.
    Rule,
    /// Keys in the footer and in help.
    Key,
    /// Names of predicates, slots and tools inside atoms; keys of JSON.
    Name,
    /// Variables and placeholders.
    Variable,
    /// Strings and objects.
    Text,
    /// Numbers and other constants.
    Number,
    /// Bars of charts.
    Bar,
}

impl Role {
    /// Every role, for tests and for a page that shows them.
    pub const ALL: [Role; 20] = [
        Role::Plain,
        Role::Title,
        Role::Dim,
        Role::Link,
        Role::Hit,
        Role::Good,
        Role::Warn,
        Role::Bad,
        Role::Fault,
        Role::Under,
        Role::Added,
        Role::Removed,
        Role::Changed,
        Role::Rule,
        Role::Key,
        Role::Name,
        Role::Variable,
        Role::Text,
        Role::Number,
        Role::Bar,
    ];
}

const ACROSS: [&str; 9] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];
const BARS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// What our own words use beside ASCII, and what stands for it.
const TYPOGRAPHY: [(char, &str); 14] = [
    ('…', ".."),
    ('→', "->"),
    ('←', "<-"),
    ('·', "."),
    ('×', "x"),
    ('Δ', "d"),
    ('▸', ">"),
    ('▾', "v"),
    ('›', ">"),
    ('–', "-"),
    ('≈', "~"),
    ('✓', "y"),
    ('✗', "n"),
    ('∞', "&"),
];

/// How things look: a palette, and whether signs, rules and bars are ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Theme {
    /// Which colours.
    pub palette: Palette,
    /// `signs = "ascii"`: every sign, rule and bar in plain ASCII.
    pub ascii: bool,
}

impl Theme {
    /// The style of a meaning.
    pub fn style(&self, role: Role) -> Style {
        use Color::{Blue, Cyan, Green, Magenta, Red, Yellow};
        let plain = Style::new();
        let bold = plain.add_modifier(Modifier::BOLD);
        let dim = plain.add_modifier(Modifier::DIM);
        let (base, dark, light, blind) = match role {
            Role::Plain => (plain, None, None, None),
            Role::Title => (bold, None, None, None),
            Role::Dim | Role::Rule => (dim, None, None, None),
            Role::Link => (plain.add_modifier(Modifier::UNDERLINED), Some(Cyan), Some(Blue), Some(Blue)),
            Role::Hit => (plain.add_modifier(Modifier::REVERSED), None, None, None),
            Role::Good => (plain, Some(Cyan), Some(Blue), Some(Blue)),
            Role::Warn => (bold, Some(Yellow), None, Some(Yellow)),
            Role::Bad => (bold, Some(Red), Some(Red), Some(Yellow)),
            Role::Fault => (bold, Some(Magenta), Some(Magenta), Some(Yellow)),
            Role::Under => (bold, Some(Blue), Some(Blue), Some(Yellow)),
            Role::Added => (plain, Some(Green), Some(Green), Some(Blue)),
            Role::Removed => (plain, Some(Red), Some(Red), Some(Yellow)),
            Role::Changed => (plain, Some(Yellow), None, Some(Yellow)),
            Role::Key => (bold, Some(Cyan), Some(Blue), Some(Blue)),
            Role::Name | Role::Bar => (plain, Some(Blue), Some(Blue), Some(Blue)),
            Role::Variable => (plain.add_modifier(Modifier::ITALIC), Some(Magenta), Some(Magenta), None),
            Role::Text => (plain, Some(Green), Some(Green), None),
            Role::Number => (plain, Some(Cyan), Some(Blue), Some(Blue)),
        };
        let colour = match self.palette {
            Palette::Dark => dark,
            Palette::Light => light,
            Palette::ColourBlind => blind,
            Palette::Mono => None,
        };
        colour.map_or(base, |c| base.fg(c))
    }

    /// A text with the style of a meaning.
    pub fn span<'a>(&self, role: Role, text: impl Into<Cow<'a, str>>) -> Span<'a> {
        Span::styled(text, self.style(role))
    }

    /// Words of our own with arrows, dots and dashes, in ASCII where signs are. Not for what was read
    /// from files: that stays as it is.
    pub fn words<'a>(&self, text: impl Into<Cow<'a, str>>) -> Cow<'a, str> {
        let text = text.into();
        if !self.ascii || text.is_ascii() {
            return text;
        }
        let plain = |c: char| TYPOGRAPHY.iter().find(|(from, _)| *from == c).map(|(_, to)| *to);
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            match plain(c) {
                Some(to) => out.push_str(to),
                None => out.push(c),
            }
        }
        Cow::Owned(out)
    }

    /// A bar of so many eighths of a cell, 0 to 8.
    pub fn bar(&self, eighths: u8) -> &'static str {
        let bars = if self.ascii { [" ", ".", ".", ":", ":", "=", "=", "#", "#"] } else { BARS };
        bars[usize::from(eighths.min(8))]
    }

    /// The same for a bar that lies.
    pub fn across(&self, eighths: u8) -> &'static str {
        let bars = if self.ascii { [" ", " ", " ", " ", "=", "=", "=", "#", "#"] } else { ACROSS };
        bars[usize::from(eighths.min(8))]
    }

    /// A sign, drawn.
    pub fn sign(&self, sign: Sign) -> Span<'static> {
        Span::styled(self.glyph(sign), self.sign_style(sign))
    }

    /// A sign's character alone, one cell wide.
    pub fn glyph(&self, sign: Sign) -> &'static str {
        let (unicode, ascii) = sign.glyphs();
        if self.ascii { ascii } else { unicode }
    }

    /// The style of a sign.
    pub fn sign_style(&self, sign: Sign) -> Style {
        let (role, modifier) = sign.look();
        let style = self.style(role);
        // A sign has exactly the attribute of the table, whatever its role carries in running text.
        Style { add_modifier: modifier, ..style }
    }
}
