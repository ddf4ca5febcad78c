//! Narrowing the tools: `lacks:release`, `role:operator may`, words.

use crate::world::{Access, Domain, RoleId, ToolId, suggest};

/// A filter, understood.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// As it was typed.
    pub text: String,
    terms: Vec<Term>,
    role: Option<RoleId>,
}

#[derive(Debug, Clone)]
enum Term {
    May,
    MayNot,
    /// Asks for this gate, and some role (or the one named) has it not.
    Lacks(String),
    Needs(String),
    Class(String),
    Word(String),
}

impl Filter {
    /// Reads a filter.
    ///
    /// # Errors
    /// Names what is unknown, and what was probably meant.
    pub fn parse(text: &str, domain: &Domain) -> Result<Filter, String> {
        let mut filter = Filter { text: text.trim().to_owned(), ..Filter::default() };
        let gates: Vec<&str> = domain.capabilities.keys().chain(domain.knowledge.keys()).map(String::as_str).collect();
        let gate = |name: &str| match gates.contains(&name) {
            true => Ok(name.to_owned()),
            false => Err(unknown("capability or knowledge", name, &gates)),
        };
        for word in text.split_whitespace() {
            let term = match word.split_once(':') {
                Some(("role", name)) => {
                    let roles: Vec<&str> = domain.roles.keys().map(String::as_str).collect();
                    filter.role = Some(domain.role_id(name).ok_or_else(|| unknown("role", name, &roles))?);
                    continue;
                }
                Some(("lacks", name)) => Term::Lacks(gate(name)?),
                Some(("needs", name)) => Term::Needs(gate(name)?),
                Some(("class", name)) => {
                    let classes: Vec<&str> = domain.taxonomy.keys().map(String::as_str).collect();
                    if !classes.contains(&name) {
                        return Err(unknown("class", name, &classes));
                    }
                    Term::Class(name.to_owned())
                }
                None if word == "may" => Term::May,
                None if word == "not" => Term::MayNot,
                _ => Term::Word(word.to_lowercase()),
            };
            filter.terms.push(term);
        }
        Ok(filter)
    }

    /// Whether a tool passes; `role` is meant where the filter names none.
    pub fn passes(&self, domain: &Domain, tool: ToolId, role: RoleId) -> bool {
        let acting = self.role.unwrap_or(role);
        self.terms.iter().all(|term| match term {
            Term::May => domain.access(tool, acting) == Access::May,
            Term::MayNot => domain.access(tool, acting) != Access::May,
            Term::Needs(gate) => needs(domain, tool, gate),
            Term::Lacks(gate) => {
                let lacks = |role: RoleId| {
                    let failed = domain.failed_gates(tool, role);
                    failed.capability.is_some_and(|id| domain.capability_name(id) == gate)
                        || failed.knowledge.is_some_and(|id| domain.knowledge_name(id) == gate)
                };
                match self.role {
                    Some(role) => lacks(role),
                    None => (0..domain.roles.len()).map(RoleId::from).any(lacks),
                }
            }
            Term::Class(class) => {
                domain.taxonomy.get_index(domain.tool(tool).class.index()).is_some_and(|(name, _)| name == class)
            }
            Term::Word(word) => {
                let definition = domain.tool(tool);
                domain.tool_name(tool).to_lowercase().contains(word) || definition.doc.to_lowercase().contains(word)
            }
        })
    }

    /// Whether a name passes that is no tool's: words alone count.
    pub fn passes_name(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.terms.iter().all(|term| if let Term::Word(word) = term { name.contains(word) } else { true })
    }
}

fn needs(domain: &Domain, tool: ToolId, gate: &str) -> bool {
    let gates = domain.tool(tool).gates;
    gates.capability.is_some_and(|id| domain.capability_name(id) == gate)
        || gates.knowledge.is_some_and(|id| domain.knowledge_name(id) == gate)
}

fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let hint = suggest(name, known).map(|hint| format!(": {hint}")).unwrap_or_default();
    format!("no {what} '{name}'{hint}")
}
