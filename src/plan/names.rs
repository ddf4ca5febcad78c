//! Names in PDDL: `[a-z][a-z0-9_]*`, and each stands for one of ours alone.

/// What a name names; its first letters in PDDL, so that no two kinds share a name and none is reserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    Type,
    Object,
    Predicate,
    Slot,
    Capability,
    Knowledge,
    Tool,
    Variable,
    Finish,
}

impl Kind {
    fn prefix(self) -> &'static str {
        match self {
            Kind::Name => "n_",
            Kind::Type => "t_",
            Kind::Object => "o_",
            Kind::Predicate => "p_",
            Kind::Slot => "s_",
            Kind::Capability => "may_",
            Kind::Knowledge => "knows_",
            Kind::Tool => "a_",
            Kind::Variable => "v_",
            Kind::Finish => "finish_",
        }
    }
}

/// Our name in PDDL: lower-case letters and digits stand for themselves, `__` for an underscore, `_h`
/// for a hyphen, `_d` for a dot, `_u` before a letter for a capital.
pub(super) fn encode(kind: Kind, name: &str) -> String {
    let mut out = kind.prefix().to_owned();
    for c in name.chars() {
        match c {
            '_' => out += "__",
            '-' => out += "_h",
            '.' => out += "_d",
            c if c.is_ascii_uppercase() => out.extend(['_', 'u', c.to_ascii_lowercase()]),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn no_two_names_are_one() {
        let letters = ["", "a", "h", "u", "d", "0", "A", "H", "_", "-", "."];
        let mut seen: HashMap<String, String> = HashMap::new();
        for name in letters.iter().flat_map(|a| letters.iter().flat_map(move |b| letters.map(|c| format!("{a}{b}{c}"))))
        {
            let there = encode(Kind::Object, &name);
            assert!(there.starts_with('o'), "{there}");
            assert!(there.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'), "{there}");
            let other = seen.insert(there, name.clone());
            assert!(other.is_none_or(|other| other == name), "{name}");
        }
        assert_eq!(encode(Kind::Tool, "replace_bearing"), "a_replace__bearing");
        assert_eq!(encode(Kind::Object, "P-101.b"), "o__up_h101_db");
    }
}
