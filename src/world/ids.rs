//! Numbers for names. Each id is an index into one table of the [`Domain`](super::Domain), the
//! [`Problem`](super::Problem) or the [`World`](super::World).

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($repr:ty)),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub $repr);

        impl $name {
            /// The index into the table.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            /// From an index into the table; loading refuses tables that would not fit.
            #[inline]
            #[allow(clippy::cast_possible_truncation)]
            fn from(index: usize) -> Self {
                $name(index as $repr)
            }
        }
    )*};
}

ids! {
    /// A type of [`Types`](super::Types); 0 is `object`, 1 is `role`.
    TypeId(u32),
    /// A constant, role or object: the domain's constants, then its roles, then the problem's objects.
    SymbolId(u32),
    /// A predicate or slot: the domain's predicates in file order, then its slots.
    RelationId(u32),
    /// A ground atom of a [`FactSpace`](super::FactSpace).
    FactId(u32),
    /// A tool of the domain, in file order.
    ToolId(u32),
    /// A role of the domain, in file order.
    RoleId(u32),
    /// A tool set of the problem, in file order: each contains the one before.
    ToolsetId(u32),
    /// A class of the tool taxonomy.
    ClassId(u32),
    /// A capability.
    CapabilityId(u32),
    /// A knowledge domain.
    KnowledgeId(u32),
    /// A retrieval source.
    SourceId(u32),
    /// A variable of one tool.
    VarId(u32),
}
