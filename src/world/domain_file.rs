//! A domain file → a [`Domain`].

use std::{collections::HashMap, ops::Range, sync::Arc};

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::{
    CapabilityId, Class, ClassId, Diagnostic, Domain, Gate, KnowledgeId, Param, Relation, RelationKind, Role, Source,
    SourceFile, SymbolId, TypeId, Types, VarId,
    digest::domain_digest,
    faults::Faults,
    json::{self, Json, Text},
    placeholders::template,
    shape::{Entry, Field, List, Map, Shape},
    shapes::{ClassShape, DomainFile, PredicateShape, RoleShape, SlotShape, SourceShape},
    tool_file::tool,
    types_file::types,
    values::Name,
    vocabulary::{MaybeType, Signature, Unread, Vocabulary},
};

/// Loads a domain file: the domain if it has no errors, and all faults in file order.
pub fn load_domain(file: Arc<SourceFile>) -> (Option<Domain>, Vec<Diagnostic>) {
    DomainDraft::parse(file).resolve()
}

/// A domain file, read but not resolved.
pub(super) struct DomainDraft {
    pub faults: Faults,
    read: Option<(Json, DomainFile)>,
}

impl DomainDraft {
    pub fn parse(file: Arc<SourceFile>) -> Self {
        let mut faults = Faults::new(file);
        let json = json::parse(&mut faults);
        DomainDraft::from_json(json, faults)
    }

    /// From a file that was parsed already.
    pub fn from_json(json: Option<Json>, mut faults: Faults) -> Self {
        let read = json.and_then(|json| DomainFile::read(&json, &mut faults).map(|file| (json, file)));
        DomainDraft { faults, read }
    }

    /// The name, even of a file with faults.
    pub fn name(&self) -> Option<&Text> {
        self.read.as_ref().and_then(|(_, file)| file.name.get())
    }

    pub fn resolve(self) -> (Option<Domain>, Vec<Diagnostic>) {
        let mut faults = self.faults;
        let domain = self.read.and_then(|(json, file)| resolve(&json, &file, &mut faults));
        (domain, faults.finish())
    }
}

/// What tools are resolved against.
pub(super) struct Tables<'a> {
    pub vocabulary: &'a Vocabulary,
    pub capabilities: Labels<'a>,
    pub knowledge: Labels<'a>,
    pub taxonomy: Labels<'a>,
    pub sources: Labels<'a>,
    /// By class: what its tools inherit.
    pub routing: Vec<bool>,
    /// By source: what its tools ask for.
    pub source_knowledge: Vec<Option<KnowledgeId>>,
}

/// The names of a section.
pub(super) struct Labels<'a> {
    what: &'static str,
    code: &'static str,
    index: HashMap<&'a str, usize>,
    names: Vec<&'a str>,
    unread: bool,
}

impl<'a> Labels<'a> {
    fn of<T, const NAMES: bool>(what: &'static str, code: &'static str, field: &'a Field<Map<T, NAMES>>) -> Self {
        let names: Vec<&str> = entries(field).iter().map(|entry| entry.key.text.as_str()).collect();
        let index = names.iter().enumerate().map(|(i, name)| (*name, i)).collect();
        Labels { what, code, index, names, unread: field.is_bad() }
    }

    /// Looks a name up.
    pub fn find<Id: From<usize>>(&self, name: &Text, faults: &mut Faults) -> Option<Id> {
        let found = self.index.get(name.text.as_str());
        if found.is_none() && !self.unread {
            faults.unknown(self.code, self.what, &name.text, name.span.clone(), self.names.iter().copied());
        }
        found.map(|&index| Id::from(index))
    }
}

/// The entries of a section; none if it is absent or could not be read.
pub(super) fn entries<T, const NAMES: bool>(field: &Field<Map<T, NAMES>>) -> &[Entry<T>] {
    field.get().map_or(&[], |map| &map.entries)
}

/// A text, or nothing.
pub(super) fn text(field: &Field<Text>) -> String {
    field.get().map_or_else(String::new, |text| text.text.clone())
}

/// Names that may stand once: reports the second use of one.
#[derive(Default)]
pub(super) struct Namespace {
    taken: HashMap<String, (Range<usize>, &'static str)>,
}

impl Namespace {
    pub fn take(&mut self, name: &Text, what: &'static str, faults: &mut Faults) -> bool {
        match self.taken.get(&name.text) {
            Some((first, other)) => {
                let message = format!("'{}' already names a {other}", name.text);
                faults
                    .error("name-taken", name.span.clone(), message)
                    .related(first.clone(), format!("the {other} is here"));
                false
            }
            None => {
                self.taken.insert(name.text.clone(), (name.span.clone(), what));
                true
            }
        }
    }
}

fn resolve(json: &Json, file: &DomainFile, faults: &mut Faults) -> Option<Domain> {
    if let Some(name) = file.name.get().filter(|name| name.text.is_empty()) {
        faults.error("empty", name.span.start - 1..name.span.end + 1, "the name cannot be empty");
    }
    let (types, broken) = types(&file.types, faults);
    let unread = Unread {
        types: file.types.is_bad(),
        symbols: file.constants.is_bad() || file.roles.is_bad(),
        relations: file.predicates.is_bad() || file.slots.is_bad(),
    };
    let mut vocabulary = Vocabulary { types, broken, symbols: IndexMap::new(), relations: IndexMap::new(), unread };
    symbols(file, &mut vocabulary, faults);
    relations(file, &mut vocabulary, faults);

    let capabilities = Labels::of("capability", "unknown-capability", &file.capabilities);
    let knowledge = Labels::of("knowledge domain", "unknown-knowledge", &file.knowledge);
    let taxonomy = Labels::of("class", "unknown-class", &file.taxonomy);
    let relations = relation_table(file, &vocabulary, faults);
    let sources = sources(&file.sources, &knowledge, faults);
    let classes = classes(&file.taxonomy, &taxonomy, faults);
    let roles = roles(&file.roles, &capabilities, &knowledge, faults);
    let tables = Tables {
        vocabulary: &vocabulary,
        capabilities,
        knowledge,
        taxonomy,
        sources: Labels::of("source", "unknown-source", &file.sources),
        routing: classes.values().map(|class| class.routing).collect(),
        source_knowledge: sources.values().map(|source| source.knowledge).collect(),
    };
    let mut tools = IndexMap::default();
    for entry in entries(&file.tools) {
        if entry.key.text == "finish" {
            faults
                .error("reserved-name", entry.key.span.clone(), "'finish' is reserved")
                .help("it is how an agent says that it is done");
        }
        if let Some(tool) = entry.value.as_ref().and_then(|shape| tool(entry, shape, &tables, faults)) {
            tools.insert(entry.key.text.clone(), tool);
        }
    }
    if faults.any_error() {
        return None;
    }

    let labels = |field: &Field<Map<Text, false>>| {
        entries(field)
            .iter()
            .filter_map(|entry| {
                let gate = Gate { text: entry.value.as_ref()?.text.clone(), span: entry.key.span.clone() };
                Some((entry.key.text.clone(), gate))
            })
            .collect()
    };
    let constants = entries(&file.constants).len();
    Some(Domain {
        file: faults.file.clone(),
        digest: domain_digest(json),
        name: text(&file.name),
        constants: vocabulary.symbols.iter().take(constants).map(|(name, ty)| (name.clone(), known(*ty))).collect(),
        types: vocabulary.types,
        relations,
        capabilities: labels(&file.capabilities),
        knowledge: labels(&file.knowledge),
        sources,
        taxonomy: classes,
        tools,
        roles,
    })
}

/// A type that is known wherever there are no errors.
pub(super) fn known(ty: MaybeType) -> TypeId {
    ty.unwrap_or(Types::OBJECT)
}

/// The type of a constant or object; roles are made under `roles` alone.
pub(super) fn symbol_type(entry: &Entry<Name>, vocabulary: &Vocabulary, faults: &mut Faults) -> MaybeType {
    let Name(name) = entry.value.as_ref()?;
    let ty = vocabulary.ty(name, faults)?;
    if vocabulary.types.is_subtype(ty, Types::ROLE) {
        faults
            .error(
                "type-mismatch",
                name.span.clone(),
                format!("'{}' cannot be of type '{}'", entry.key.text, name.text),
            )
            .help("the objects of type `role` are those under `roles`");
        return None;
    }
    Some(ty)
}

fn symbols(file: &DomainFile, vocabulary: &mut Vocabulary, faults: &mut Faults) {
    let mut names = Namespace::default();
    for entry in entries(&file.constants) {
        names.take(&entry.key, "constant", faults);
        let ty = symbol_type(entry, vocabulary, faults);
        vocabulary.symbols.insert(entry.key.text.clone(), ty);
    }
    for entry in entries(&file.roles) {
        if names.take(&entry.key, "role", faults) {
            vocabulary.symbols.insert(entry.key.text.clone(), Some(Types::ROLE));
        } else {
            // Either may have been meant.
            vocabulary.symbols.insert(entry.key.text.clone(), None);
        }
    }
}

fn relations(file: &DomainFile, vocabulary: &mut Vocabulary, faults: &mut Faults) {
    let mut names = Namespace::default();
    let mut add = |key: &Text, kind, functional, params: Option<Vec<(String, MaybeType)>>, taken| {
        if taken {
            vocabulary.relations.insert(key.text.clone(), Signature { kind, functional, params });
        } else if let Some(signature) = vocabulary.relations.get_mut(&key.text) {
            signature.params = None;
        }
    };
    let types = Vocabulary {
        types: vocabulary.types.clone(),
        broken: vocabulary.broken.clone(),
        symbols: IndexMap::new(),
        relations: IndexMap::new(),
        unread: vocabulary.unread,
    };
    for entry in entries(&file.predicates) {
        let params = entry.value.as_ref().and_then(|shape| params(&shape.params, &types, faults));
        // A default says that it was meant to be.
        let functional = entry.value.as_ref().is_some_and(|shape| {
            shape.functional.get() == Some(&true) || shape.functional.is_bad() || shape.default.get().is_some()
        });
        let free = names.take(&entry.key, "predicate", faults);
        add(&entry.key, RelationKind::Predicate, functional, params, free);
    }
    for entry in entries(&file.slots) {
        let params = entry.value.as_ref().and_then(|shape| params(&shape.params, &types, faults));
        let free = names.take(&entry.key, "slot", faults);
        add(&entry.key, RelationKind::Slot, false, params, free);
    }
}

/// Names and types of arguments; `None` if they could not be read.
pub(super) fn params(
    field: &Field<Map<Name>>,
    vocabulary: &Vocabulary,
    faults: &mut Faults,
) -> Option<Vec<(String, MaybeType)>> {
    match field {
        Field::Absent => Some(Vec::new()),
        Field::Bad => None,
        Field::Is(map) => Some(
            map.entries
                .iter()
                .map(|entry| {
                    let ty = entry.value.as_ref().and_then(|Name(name)| vocabulary.ty(name, faults));
                    (entry.key.text.clone(), ty)
                })
                .collect(),
        ),
    }
}

fn relation_table(
    file: &DomainFile,
    vocabulary: &Vocabulary,
    faults: &mut Faults,
) -> IndexMap<String, Relation, FxBuildHasher> {
    let resolved = |name: &str| -> Vec<Param> {
        let params = vocabulary.relations.get(name).and_then(|signature| signature.params.as_ref());
        params.into_iter().flatten().map(|(name, ty)| Param { name: name.clone(), ty: known(*ty) }).collect()
    };
    let mut table = IndexMap::default();
    for entry in entries(&file.predicates) {
        let Entry { key, value: Some(shape), .. } = entry else { continue };
        table.insert(key.text.clone(), predicate(key, shape, resolved(&key.text), vocabulary, faults));
    }
    for entry in entries(&file.slots) {
        let Entry { key, value: Some(SlotShape { doc, .. }), .. } = entry else { continue };
        let relation = Relation {
            kind: RelationKind::Slot,
            params: resolved(&key.text),
            functional: false,
            default: None,
            text: None,
            doc: text(doc),
            span: key.span.clone(),
        };
        table.insert(key.text.clone(), relation);
    }
    table
}

fn predicate(
    key: &Text,
    shape: &PredicateShape,
    params: Vec<Param>,
    vocabulary: &Vocabulary,
    faults: &mut Faults,
) -> Relation {
    let functional = shape.functional.get() == Some(&true);
    let readable = vocabulary.relations.get(&key.text).is_some_and(|signature| signature.params.is_some());
    if functional && readable && params.is_empty() {
        faults
            .error("no-params", key.span.clone(), format!("'{}' is functional, but has no params", key.text))
            .help("a functional predicate maps its leading arguments to its last");
    }
    let default = shape.default.get().and_then(|Name(name)| {
        if !functional {
            if !shape.functional.is_bad() {
                faults
                    .error("not-functional", name.span.clone(), "only a functional predicate has a default")
                    .help("add `\"functional\": true`");
            }
            return None;
        }
        default_value(key, name, vocabulary, faults)
    });
    let names = |name: &str| params.iter().position(|param| param.name == name).map(VarId::from);
    let known: Vec<&str> = params.iter().map(|param| param.name.as_str()).collect();
    let text = shape.text.get().map(|text| template(text, names, &known, !readable, faults));
    let span = key.span.clone();
    Relation { kind: RelationKind::Predicate, functional, default, text, doc: String::new(), span, params }
}

fn default_value(key: &Text, name: &Text, vocabulary: &Vocabulary, faults: &mut Faults) -> Option<SymbolId> {
    let symbol = vocabulary.symbol(&name.text, name.span.clone(), faults)?;
    let params = vocabulary.relations.get(&key.text)?.params.as_ref()?;
    let (wanted, ty) = (params.last()?.1, vocabulary.symbols[symbol.index()]);
    if !vocabulary.fits(ty, wanted) {
        let (ty, wanted) = (vocabulary.types.name(known(ty)), vocabulary.types.name(known(wanted)));
        let message = format!("'{}' is of type '{ty}', not '{wanted}'", name.text);
        faults
            .error("type-mismatch", name.span.clone(), message)
            .help(format!("the values of '{}' are of type `{wanted}`", key.text));
        return None;
    }
    Some(symbol)
}

fn sources(
    field: &Field<Map<SourceShape, false>>,
    knowledge: &Labels<'_>,
    faults: &mut Faults,
) -> IndexMap<String, Source> {
    let mut table = IndexMap::new();
    for entry in entries(field) {
        let shape = entry.value.as_ref();
        let source = Source {
            knowledge: shape
                .and_then(|shape| shape.knowledge.get())
                .and_then(|name| knowledge.find::<KnowledgeId>(name, faults)),
            doc: shape.map_or_else(String::new, |shape| text(&shape.doc)),
            span: entry.key.span.clone(),
        };
        table.insert(entry.key.text.clone(), source);
    }
    table
}

fn classes(field: &Field<Map<ClassShape, false>>, labels: &Labels<'_>, faults: &mut Faults) -> IndexMap<String, Class> {
    let list = entries(field);
    let under: Vec<Option<&Text>> =
        list.iter().map(|entry| entry.value.as_ref().and_then(|shape| shape.under.get())).collect();
    let parents: Vec<Option<usize>> = under
        .iter()
        .map(|name| name.and_then(|name| labels.find::<ClassId>(name, faults)).map(ClassId::index))
        .collect();
    let keys: Vec<&Text> = list.iter().map(|entry| &entry.key).collect();
    let looped = super::types_file::report_cycles(&keys, &parents, "class", faults);
    let mut table = IndexMap::new();
    for (i, entry) in list.iter().enumerate() {
        let own = |i: usize| list[i].value.as_ref().and_then(|shape| shape.routing.get().copied());
        let mut at = Some(i);
        let routing = std::iter::from_fn(|| {
            let i = at?;
            at = if looped[i] { None } else { parents[i] };
            Some(i)
        })
        .find_map(own);
        let class = Class {
            under: parents[i].map(ClassId::from),
            routing: routing.unwrap_or(false),
            span: entry.key.span.clone(),
        };
        table.insert(entry.key.text.clone(), class);
    }
    table
}

fn roles(
    field: &Field<Map<RoleShape>>,
    capabilities: &Labels<'_>,
    knowledge: &Labels<'_>,
    faults: &mut Faults,
) -> IndexMap<String, Role> {
    fn ids<Id: From<usize> + Ord>(field: &Field<List<Text>>, labels: &Labels<'_>, faults: &mut Faults) -> Vec<Id> {
        let items = field.get().map_or(&[][..], |list| &list.items);
        let mut ids: Vec<Id> = items.iter().filter_map(|name| labels.find(name, faults)).collect();
        ids.sort();
        ids.dedup_by(|a, b| a == b);
        ids
    }
    let mut table = IndexMap::new();
    for entry in entries(field) {
        let Some(shape) = &entry.value else { continue };
        let role = Role {
            doc: text(&shape.doc),
            capabilities: ids::<CapabilityId>(&shape.capabilities, capabilities, faults),
            knowledge: ids::<KnowledgeId>(&shape.knowledge, knowledge, faults),
            span: entry.key.span.clone(),
        };
        table.insert(entry.key.text.clone(), role);
    }
    table
}
