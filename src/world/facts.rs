//! Ground atoms as small integers.
//!
//! Every relation owns a contiguous range of [`FactId`]s, laid out in mixed radix over the objects
//! of its params' types, the last argument running fastest. So an id is computed, never looked up;
//! the values of one functional key are neighbours; and all ids of a world fit a bit set.

use std::{ops::Range, sync::Arc};

use rustc_hash::FxHashMap;

use super::{Domain, FactId, Problem, RelationId, RelationKind, SymbolId, TypeId, Types};

/// The ground atoms over one set of symbols.
#[derive(Debug)]
pub struct FactSpace {
    relations: Vec<Layout>,
    /// Per type: the symbols of the type and below, in order of [`SymbolId`].
    extents: Vec<Vec<SymbolId>>,
    /// Per type, then symbol: index into the extent, or `u32::MAX`.
    ranks: Vec<u32>,
    symbols: usize,
    total: usize,
}

#[derive(Debug)]
struct Layout {
    base: u32,
    /// Type, size and stride of each argument.
    axes: Vec<Axis>,
    len: u32,
    slot: bool,
}

#[derive(Debug, Clone, Copy)]
struct Axis {
    ty: TypeId,
    size: u32,
    stride: u32,
}

/// The largest number of ground atoms that a world may have: a state is a bit set over them.
pub const MAX_FACTS: usize = 1 << 22;

impl FactSpace {
    /// Lays out all ground atoms over `symbols` (by [`SymbolId`]).
    ///
    /// # Errors
    /// The first relation at which the count passes [`MAX_FACTS`].
    pub fn new(domain: &Domain, symbols: &[TypeId]) -> Result<Self, RelationId> {
        let mut extents: Vec<Vec<SymbolId>> = vec![Vec::new(); domain.types.by_name.len()];
        for (symbol, ty) in symbols.iter().enumerate() {
            let mut at = Some(*ty);
            while let Some(ty) = at {
                extents[ty.index()].push(SymbolId::from(symbol));
                at = domain.types.by_name[ty.index()].parent;
            }
        }
        let mut ranks = vec![u32::MAX; extents.len() * symbols.len()];
        for (ty, extent) in extents.iter().enumerate() {
            for (rank, symbol) in (0u32..).zip(extent) {
                ranks[ty * symbols.len() + symbol.index()] = rank;
            }
        }

        let mut relations = Vec::with_capacity(domain.relations.len());
        let mut total = 0usize;
        for (id, relation) in domain.relations.values().enumerate() {
            let mut axes: Vec<Axis> = Vec::with_capacity(relation.params.len());
            let mut len = 1usize;
            for param in relation.params.iter().rev() {
                let size = extents[param.ty.index()].len();
                axes.push(Axis { ty: param.ty, size: size as u32, stride: len as u32 });
                len = len.saturating_mul(size);
                if len > MAX_FACTS {
                    return Err(RelationId::from(id));
                }
            }
            axes.reverse();
            if total + len > MAX_FACTS {
                return Err(RelationId::from(id));
            }
            relations.push(Layout {
                base: total as u32,
                axes,
                len: len as u32,
                slot: relation.kind == RelationKind::Slot,
            });
            total += len;
        }
        Ok(FactSpace { relations, extents, ranks, symbols: symbols.len(), total })
    }

    /// How many ground atoms there are; all ids are below it.
    pub fn len(&self) -> usize {
        self.total
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// All ids of a relation.
    #[inline]
    pub fn range(&self, relation: RelationId) -> Range<u32> {
        let layout = &self.relations[relation.index()];
        layout.base..layout.base + layout.len
    }

    /// The id of a ground atom; `None` if an argument is not of the param's type.
    #[inline]
    pub fn id(&self, relation: RelationId, args: impl IntoIterator<Item = SymbolId>) -> Option<FactId> {
        let layout = &self.relations[relation.index()];
        let mut id = layout.base;
        for (axis, symbol) in layout.axes.iter().zip(args) {
            let rank = self.rank(symbol, axis.ty);
            if rank == u32::MAX {
                return None;
            }
            id += rank * axis.stride;
        }
        Some(FactId(id))
    }

    /// The ids of all values of a functional key: the atoms that share the leading arguments.
    #[inline]
    pub fn key_range(&self, relation: RelationId, key: impl IntoIterator<Item = SymbolId>) -> Option<Range<u32>> {
        let layout = &self.relations[relation.index()];
        let (last, leading) = layout.axes.split_last()?;
        let mut id = layout.base;
        for (axis, symbol) in leading.iter().zip(key) {
            let rank = self.rank(symbol, axis.ty);
            if rank == u32::MAX {
                return None;
            }
            id += rank * axis.stride;
        }
        Some(id..id + last.size)
    }

    /// The ids of all values of the key that `fact` belongs to.
    #[inline]
    pub fn key_range_of(&self, fact: FactId) -> Range<u32> {
        self.key_range_in(self.relation(fact), fact)
    }

    /// Like [`FactSpace::key_range_of`], for a fact whose relation is at hand.
    #[inline]
    pub fn key_range_in(&self, relation: RelationId, fact: FactId) -> Range<u32> {
        let layout = &self.relations[relation.index()];
        let size = layout.axes.last().map_or(1, |axis| axis.size);
        let start = fact.0 - (fact.0 - layout.base) % size;
        start..start + size
    }

    /// The relation of a fact.
    #[inline]
    pub fn relation(&self, fact: FactId) -> RelationId {
        RelationId::from(self.relations.partition_point(|layout| layout.base + layout.len <= fact.0))
    }

    /// Whether the fact is a slot value.
    #[inline]
    pub fn is_slot_value(&self, fact: FactId) -> bool {
        self.relations[self.relation(fact).index()].slot
    }

    /// The arguments of a fact.
    pub fn args(&self, fact: FactId) -> impl Iterator<Item = SymbolId> + '_ {
        let layout = &self.relations[self.relation(fact).index()];
        let offset = fact.0 - layout.base;
        layout.axes.iter().map(move |axis| {
            let rank = offset / axis.stride % axis.size;
            self.extents[axis.ty.index()][rank as usize]
        })
    }

    /// One argument of a fact of `relation`.
    #[inline]
    pub fn arg(&self, relation: RelationId, fact: FactId, position: usize) -> SymbolId {
        let layout = &self.relations[relation.index()];
        let axis = layout.axes[position];
        self.extents[axis.ty.index()][((fact.0 - layout.base) / axis.stride % axis.size) as usize]
    }

    /// Whether a symbol is of a type or below it.
    #[inline]
    pub fn is_in(&self, symbol: SymbolId, ty: TypeId) -> bool {
        self.rank(symbol, ty) != u32::MAX
    }

    #[inline]
    fn rank(&self, symbol: SymbolId, ty: TypeId) -> u32 {
        self.ranks[ty.index() * self.symbols + symbol.index()]
    }

    /// All objects, constants and roles of a type and below, in order of [`SymbolId`].
    pub fn extent(&self, ty: TypeId) -> &[SymbolId] {
        &self.extents[ty.index()]
    }
}

/// A domain and one of its problems, with numbers for all ground atoms: all that the executor needs.
#[derive(Debug)]
pub struct World {
    /// The domain.
    pub domain: Arc<Domain>,
    /// The problem.
    pub problem: Arc<Problem>,
    /// The ground atoms.
    pub facts: FactSpace,
    symbols: FxHashMap<String, SymbolId>,
}

impl World {
    /// A world of a problem, its domain, and the atoms over the symbols of both.
    pub fn new(domain: Arc<Domain>, problem: Arc<Problem>, facts: FactSpace) -> Self {
        let names = domain.constants.keys().chain(domain.roles.keys()).chain(problem.objects.keys());
        let symbols = names.enumerate().map(|(index, name)| (name.clone(), index.into())).collect();
        World { domain, problem, facts, symbols }
    }

    /// The name of a constant, role or object.
    pub fn symbol_name(&self, symbol: SymbolId) -> &str {
        let mut index = symbol.index();
        if let Some((name, _)) = self.domain.constants.get_index(index) {
            return name;
        }
        index -= self.domain.constants.len();
        if let Some((name, _)) = self.domain.roles.get_index(index) {
            return name;
        }
        index -= self.domain.roles.len();
        self.problem.objects.get_index(index).map_or("", |(name, _)| name)
    }

    /// A constant, role or object by name.
    pub fn symbol(&self, name: &str) -> Option<SymbolId> {
        self.symbols.get(name).copied()
    }

    /// The type of a symbol.
    pub fn symbol_type(&self, symbol: SymbolId) -> TypeId {
        let index = symbol.index();
        let (constants, roles) = (self.domain.constants.len(), self.domain.roles.len());
        if index < constants {
            self.domain.constants[index]
        } else if index < constants + roles {
            Types::ROLE
        } else {
            self.problem.objects[index - constants - roles]
        }
    }

    /// Whether the fact gives a functional key its value.
    #[inline]
    pub fn is_functional(&self, fact: FactId) -> bool {
        self.domain.relations[self.facts.relation(fact).index()].functional
    }

    /// The name of a predicate or slot.
    pub fn relation_name(&self, relation: RelationId) -> &str {
        self.domain.relations.get_index(relation.index()).map_or("", |(name, _)| name)
    }

    /// Canonical print of a fact: `name(a, b)`.
    pub fn fact_text(&self, fact: FactId) -> String {
        let relation = self.facts.relation(fact);
        let mut text = self.relation_name(relation).to_owned();
        for (i, arg) in self.facts.args(fact).enumerate() {
            text.push_str(if i == 0 { "(" } else { ", " });
            text.push_str(self.symbol_name(arg));
        }
        if text.contains('(') {
            text.push(')');
        }
        text
    }
}
