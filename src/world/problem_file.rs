//! A problem file and its domain → a [`World`].

use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
    sync::Arc,
};

use indexmap::IndexMap;

use super::{
    Atom, Diagnostic, Domain, FactId, FactSpace, Goal, GoalLiteral, Literal, Perspective, PerspectiveSpans, Problem,
    ProblemSpans, Proposition, ReferenceCall, RelationId, SourceFile, SymbolId, Term, Tool, ToolId, Toolset, TypeId,
    World,
    digest::problem_digest,
    domain_file::{Namespace, entries, known, symbol_type, text},
    faults::Faults,
    json::{self, Json, Text},
    shape::{Entry, Field, List, Shape},
    shapes::{CallShape, PerspectiveShape, ProblemFile, ToolsetShape},
    syntax::is_name,
    values::{AnyObject, GroundAtom, GroundLiteral},
    vocabulary::{Scope, Vocabulary, Want, parse_atom, parse_literal},
};

/// Types × symbols that a world may have: the tables of its atoms are that large.
const MAX_TABLE: usize = 1 << 24;

/// Cases of the `forall` variables of one effect: a firing goes through all of them.
const MAX_CASES: usize = 1 << 16;

/// Loads a problem file of `domain`: the world if it has no errors, and all faults in file order.
pub fn load_problem(file: Arc<SourceFile>, domain: &Arc<Domain>) -> (Option<World>, Vec<Diagnostic>) {
    ProblemDraft::parse(file).resolve(domain)
}

/// A problem file, read but not resolved.
pub(super) struct ProblemDraft {
    pub faults: Faults,
    read: Option<(Json, ProblemFile)>,
}

impl ProblemDraft {
    pub fn parse(file: Arc<SourceFile>) -> Self {
        let mut faults = Faults::new(file);
        let json = json::parse(&mut faults);
        ProblemDraft::from_json(json, faults)
    }

    /// From a file that was parsed already.
    pub fn from_json(json: Option<Json>, mut faults: Faults) -> Self {
        let read = json.and_then(|json| ProblemFile::read(&json, &mut faults).map(|file| (json, file)));
        ProblemDraft { faults, read }
    }

    /// The name of its domain, even of a file with faults.
    pub fn domain(&self) -> Option<&Text> {
        self.read.as_ref().and_then(|(_, file)| file.domain.get())
    }

    /// Its id, even of a file with faults.
    pub fn id(&self) -> Option<&Text> {
        self.read.as_ref().and_then(|(_, file)| file.id.get().map(|id| &id.0))
    }

    pub fn resolve(mut self, domain: &Arc<Domain>) -> (Option<World>, Vec<Diagnostic>) {
        let world = self.read.and_then(|(json, file)| {
            if let Some(name) = file.domain.get().filter(|name| name.text != domain.name) {
                let known = [domain.name.as_str()];
                self.faults.unknown("unknown-domain", "domain", &name.text, name.span.clone(), known);
                return None;
            }
            resolve(&json, &file, domain, &mut self.faults)
        });
        (world, self.faults.finish())
    }
}

fn resolve(json: &Json, file: &ProblemFile, domain: &Arc<Domain>, faults: &mut Faults) -> Option<World> {
    if let Some(id) = file.id.get().map(|id| &id.0).filter(|id| id.text.is_empty()) {
        faults.error("empty", id.span.start - 1..id.span.end + 1, "the id cannot be empty");
    } else if let Some(id) = file.id.get().map(|id| &id.0).filter(|id| !is_name(&id.text)) {
        // It names files: logs of played runs, exports.
        let message = format!("'{}' is no name", id.text);
        let help = "a name has letters, digits, `_`, `-`, `.`, and begins with a letter or digit";
        faults.error("bad-name", id.span.start - 1..id.span.end + 1, message).help(help);
    }
    let vocabulary = vocabulary(file, domain, faults);
    let reader = Reader { vocabulary: &vocabulary, domain };
    let init = reader.init(&file.init, faults);
    let given = reader.given(&file.given, faults);
    let toolsets = reader.toolsets(file, faults);
    let perspectives: Vec<_> =
        entries(&file.perspectives).iter().map(|entry| reader.perspective(entry, faults)).collect();
    if faults.any_error() {
        return None;
    }

    let facts = fact_space(file, domain, &vocabulary, faults)?;
    let ids = |atoms: &[Ground]| -> Vec<FactId> {
        let ids: BTreeSet<FactId> = atoms.iter().filter_map(|atom| atom.id(&facts)).collect();
        ids.into_iter().collect()
    };
    let constants = domain.constants.len() + domain.roles.len();
    let problem = Problem {
        file: faults.file.clone(),
        digest: problem_digest(json),
        id: file.id.get().map_or_else(String::new, |id| id.0.text.clone()),
        title: text(&file.title),
        query: text(&file.query),
        objects: vocabulary.symbols.iter().skip(constants).map(|(name, ty)| (name.clone(), known(*ty))).collect(),
        init: with_defaults(ids(&init), domain, &facts),
        init_written: ids(&init),
        given: ids(&given),
        toolsets,
        budget: file.budget.get().map_or(0, |budget| budget.0),
        perspectives: perspectives
            .into_iter()
            .flatten()
            .map(|draft| {
                let perspective = Perspective {
                    persona: draft.persona,
                    given: ids(&draft.given),
                    goal: Goal {
                        alternatives: draft
                            .goal
                            .into_iter()
                            .map(|literals| literals.into_iter().filter_map(|l| l.place(&facts)).collect())
                            .collect(),
                    },
                    reference: draft.reference,
                    notes: draft.notes,
                    spans: PerspectiveSpans {
                        goal: json.key_span(&["perspectives", domain.role_name(draft.role), "goal"]),
                        reference: json.key_span(&["perspectives", domain.role_name(draft.role), "reference"]),
                        role: draft.span,
                    },
                };
                (draft.role, perspective)
            })
            .collect(),
        provenance: file.provenance.get().map(Json::to_value),
        notes: file.notes.get().map(Json::to_value),
        spans: ProblemSpans {
            budget: json.key_span(&["budget"]),
            perspectives: json.key_span(&["perspectives"]),
            objects: entries(&file.objects).iter().map(|entry| entry.key.span.clone()).collect(),
        },
    };
    Some(World::new(domain.clone(), Arc::new(problem), facts))
}

/// The domain's names and the problem's objects.
fn vocabulary(file: &ProblemFile, domain: &Domain, faults: &mut Faults) -> Vocabulary {
    let mut vocabulary = Vocabulary::of(domain);
    vocabulary.unread.symbols = file.objects.is_bad();
    let mut names = Namespace::default();
    for entry in entries(&file.objects) {
        let key = &entry.key;
        let what = match (domain.constants.contains_key(&key.text), domain.roles.contains_key(&key.text)) {
            (true, _) => "constant",
            (_, true) => "role",
            _ => {
                names.take(key, "object", faults);
                let ty = symbol_type(entry, &vocabulary, faults);
                vocabulary.symbols.insert(key.text.clone(), ty);
                continue;
            }
        };
        faults
            .error("name-taken", key.span.clone(), format!("'{}' already names a {what} of the domain", key.text))
            .help("every problem has the domain's constants and roles; choose another name");
        // Either may have been meant.
        vocabulary.symbols.insert(key.text.clone(), None);
    }
    vocabulary
}

fn fact_space(file: &ProblemFile, domain: &Domain, vocabulary: &Vocabulary, faults: &mut Faults) -> Option<FactSpace> {
    let symbols: Vec<TypeId> = vocabulary.symbols.values().map(|ty| known(*ty)).collect();
    let span = file.objects.get().map_or(0..0, |map| map.span.start..map.span.start + 1);
    if symbols.len().saturating_mul(domain.types.by_name.len()) > MAX_TABLE {
        faults.error("too-many", span, "too many objects for so many types");
        return None;
    }
    match FactSpace::new(domain, &symbols) {
        Ok(facts) => {
            let Some(tool) = runaway(domain, &facts) else { return Some(facts) };
            faults
                .error("too-many", span, format!("with these objects, a `forall` of '{tool}' has too many cases"))
                .help(format!("one effect runs over up to {MAX_CASES} cases"));
            None
        }
        Err(relation) => {
            let name = domain.relations.get_index(relation.index()).map_or("", |(name, _)| name);
            faults
                .error("too-many", span, format!("with these objects, '{name}' has too many atoms"))
                .help(format!("a world holds up to {} atoms", super::MAX_FACTS));
            None
        }
    }
}

/// The first tool with an effect that would run over more than [`MAX_CASES`].
fn runaway<'a>(domain: &'a Domain, facts: &FactSpace) -> Option<&'a str> {
    let too_many = |tool: &Tool| {
        tool.effects.iter().any(|effect| {
            let sizes = effect.forall.iter().map(|var| facts.extent(tool.vars[var.index()].ty).len());
            sizes.fold(1usize, usize::saturating_mul) > MAX_CASES
        })
    };
    domain.tools.iter().find(|(_, tool)| too_many(tool)).map(|(name, _)| name.as_str())
}

/// Adds the defaults of all functional keys that have no value.
fn with_defaults(mut init: Vec<FactId>, domain: &Domain, facts: &FactSpace) -> Vec<FactId> {
    let mut added = Vec::new();
    for (i, relation) in domain.relations.values().enumerate() {
        let (Some(default), Some(last)) = (relation.default, relation.params.last()) else { continue };
        let extent = facts.extent(last.ty);
        let Ok(rank) = extent.binary_search(&default) else { continue };
        let range = facts.range(RelationId::from(i));
        for start in range.step_by(extent.len()) {
            let at = init.partition_point(|fact| fact.0 < start);
            if init.get(at).is_none_or(|fact| fact.0 as usize >= start as usize + extent.len()) {
                added.push(FactId::from(start as usize + rank));
            }
        }
    }
    init.extend(added);
    init.sort_unstable();
    init
}

/// A ground atom that has no number yet.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Ground {
    relation: RelationId,
    args: Vec<SymbolId>,
}

impl Ground {
    fn of(atom: Atom) -> Option<Self> {
        let symbol = |term| match term {
            Term::Symbol(symbol) => Some(symbol),
            Term::Var(_) => None,
        };
        Some(Ground { relation: atom.relation, args: atom.args.into_iter().map(symbol).collect::<Option<_>>()? })
    }

    fn id(&self, facts: &FactSpace) -> Option<FactId> {
        facts.id(self.relation, self.args.iter().copied())
    }
}

/// A goal literal that has no number yet.
struct GoalDraft {
    negated: bool,
    fact: Result<Ground, bool>,
    text: String,
    span: Range<usize>,
}

impl GoalDraft {
    fn place(self, facts: &FactSpace) -> Option<GoalLiteral> {
        let fact = match self.fact {
            Ok(ground) => Ok(ground.id(facts)?),
            Err(truth) => Err(truth),
        };
        Some(GoalLiteral { negated: self.negated, fact, text: self.text, span: self.span })
    }
}

struct PerspectiveDraft {
    role: super::RoleId,
    persona: String,
    given: Vec<Ground>,
    goal: Vec<Vec<GoalDraft>>,
    reference: Vec<ReferenceCall>,
    notes: Option<serde_json::Value>,
    span: Range<usize>,
}

struct Reader<'a> {
    vocabulary: &'a Vocabulary,
    domain: &'a Domain,
}

impl Reader<'_> {
    fn init(&self, field: &Field<List<GroundAtom>>, faults: &mut Faults) -> Vec<Ground> {
        let want = Want::Predicate("values in hand at the start stand under `given`");
        let mut list = Vec::new();
        let mut values: HashMap<(RelationId, Vec<SymbolId>), (SymbolId, Range<usize>)> = HashMap::new();
        for GroundAtom(text) in field.get().map_or(&[][..], |list| &list.items) {
            let Some(ground) = self.ground(text, want, faults) else { continue };
            let functional = self.domain.relations[ground.relation.index()].functional;
            if let (true, Some((value, key))) = (functional, ground.args.split_last()) {
                let key = (ground.relation, key.to_vec());
                let (first, place) = values.entry(key).or_insert_with(|| (*value, text.span.clone())).clone();
                if first != *value {
                    faults
                        .error("two-values", text.span.clone(), "a functional predicate cannot have two values")
                        .related(place, "the other value is here");
                }
            }
            list.push(ground);
        }
        list
    }

    fn given(&self, field: &Field<List<GroundAtom>>, faults: &mut Faults) -> Vec<Ground> {
        let items = field.get().map_or(&[][..], |list| &list.items);
        items.iter().filter_map(|GroundAtom(text)| self.ground(text, Want::Slot, faults)).collect()
    }

    fn ground(&self, text: &Text, want: Want, faults: &mut Faults) -> Option<Ground> {
        let atom = parse_atom(text, faults)?;
        let mut scope = Scope::ground(NO_VARIABLES);
        self.vocabulary.atom(&atom, text, want, &mut scope, faults).and_then(Ground::of)
    }

    fn toolsets(&self, file: &ProblemFile, faults: &mut Faults) -> IndexMap<String, Toolset> {
        if let Some(map) = file.toolsets.get().filter(|map| map.entries.is_empty()) {
            faults
                .error("empty", map.span.clone(), "there is no tool set")
                .help("add one, such as `\"wide\": \"all\"`");
        }
        let mut table = IndexMap::new();
        for entry in entries(&file.toolsets) {
            let mut offered = vec![matches!(entry.value, Some(ToolsetShape::All)); self.domain.tools.len()];
            if let Some(ToolsetShape::Tools(list)) = &entry.value {
                for tool in list.items.iter().filter_map(|name| self.tool(name, faults)) {
                    offered[tool.index()] = true;
                }
            }
            let tools = (0..offered.len()).filter(|&i| offered[i]).map(ToolId::from).collect();
            table.insert(entry.key.text.clone(), Toolset { tools, offered, span: entry.key.span.clone() });
        }
        table
    }

    fn tool(&self, name: &Text, faults: &mut Faults) -> Option<ToolId> {
        let tool = self.domain.tool_id(&name.text);
        if tool.is_none() {
            let known = self.domain.tools.keys().map(String::as_str);
            faults.unknown("unknown-tool", "tool", &name.text, name.span.clone(), known);
        }
        tool
    }

    fn perspective(&self, entry: &Entry<PerspectiveShape>, faults: &mut Faults) -> Option<PerspectiveDraft> {
        let name = &entry.key;
        let role = self.domain.role_id(&name.text);
        if role.is_none() {
            let known = self.domain.roles.keys().map(String::as_str);
            faults.unknown("unknown-role", "role", &name.text, name.span.clone(), known);
        }
        let shape = entry.value.as_ref()?;
        let given = self.given(&shape.given, faults);
        let alternatives = shape.goal.get().map_or(&[][..], |goal| &goal.alternatives);
        let goal = alternatives.iter().map(|literals| self.goal(literals, faults)).collect();
        let calls = shape.reference.get().map_or(&[][..], |list| &list.items);
        let reference = calls.iter().filter_map(|call| self.call(call, faults)).collect();
        Some(PerspectiveDraft {
            role: role?,
            persona: text(&shape.persona),
            given,
            goal,
            reference,
            notes: shape.notes.get().map(Json::to_value),
            span: name.span.clone(),
        })
    }

    fn goal(&self, literals: &List<GroundLiteral, true>, faults: &mut Faults) -> Vec<GoalDraft> {
        let mut seen: HashMap<String, Range<usize>> = HashMap::new();
        let mut list = Vec::new();
        for GroundLiteral(text) in &literals.items {
            let Some(draft) = self.goal_literal(text, faults) else { continue };
            if let Some(first) = seen.get(&draft.text) {
                faults
                    .error(
                        "duplicate-literal",
                        text.span.clone(),
                        format!("'{}' stands twice in this goal", draft.text),
                    )
                    .related(first.clone(), "first here");
                continue;
            }
            seen.insert(draft.text.clone(), text.span.clone());
            list.push(draft);
        }
        list
    }

    fn goal_literal(&self, text: &Text, faults: &mut Faults) -> Option<GoalDraft> {
        let parsed = parse_literal(text, faults)?;
        let mut scope = Scope::ground(NO_VARIABLES);
        let literal = self.vocabulary.literal(&parsed, text, Want::Any, &mut scope, faults)?;
        let Literal { negated, proposition, span } = literal;
        Some(match proposition {
            Proposition::Atom(atom) => {
                let ground = Ground::of(atom)?;
                let not = if negated { "not " } else { "" };
                let text = format!("{not}{}", self.print(&ground));
                GoalDraft { negated, fact: Ok(ground), text, span }
            }
            Proposition::Equal(a, b) => {
                let sign = if negated { "!=" } else { "=" };
                let text = format!("{} {sign} {}", self.term(a), self.term(b));
                GoalDraft { negated, fact: Err(a == b), text, span }
            }
        })
    }

    fn print(&self, ground: &Ground) -> String {
        let name = self.domain.relations.get_index(ground.relation.index()).map_or("", |(name, _)| name);
        if ground.args.is_empty() {
            return name.to_owned();
        }
        let args: Vec<&str> = ground.args.iter().map(|&symbol| self.term(Term::Symbol(symbol))).collect();
        format!("{name}({})", args.join(", "))
    }

    fn term(&self, term: Term) -> &str {
        match term {
            Term::Symbol(symbol) => self.vocabulary.symbols.get_index(symbol.index()).map_or("", |(name, _)| name),
            Term::Var(_) => "",
        }
    }

    fn call(&self, call: &CallShape, faults: &mut Faults) -> Option<ReferenceCall> {
        let tool = call.tool.get().and_then(|name| self.tool(name, faults));
        let AnyObject(json) = call.args.get()?;
        let mut args = String::new();
        json.write(&mut args);
        Some(ReferenceCall { tool: tool?, args, span: call.span.clone() })
    }
}

const NO_VARIABLES: &str = "a problem speaks of its objects, constants and roles by name";
