//! The type tree.

use indexmap::IndexMap;

use super::TypeId;

/// One type.
#[derive(Debug, Clone)]
pub struct Type {
    /// `None` for `object` alone.
    pub parent: Option<TypeId>,
}

/// All types of a domain: `object`, `role`, then the file's in their order. A tree under `object`.
#[derive(Debug, Clone)]
pub struct Types {
    /// By name, in order of [`TypeId`].
    pub by_name: IndexMap<String, Type>,
}

impl Types {
    /// The root.
    pub const OBJECT: TypeId = TypeId(0);
    /// The built-in type of roles.
    pub const ROLE: TypeId = TypeId(1);

    /// Whether `sub` is `sup` or stands under it.
    pub fn is_subtype(&self, sub: TypeId, sup: TypeId) -> bool {
        let mut at = Some(sub);
        while let Some(ty) = at {
            if ty == sup {
                return true;
            }
            at = self.by_name[ty.index()].parent;
        }
        false
    }

    /// The name of a type.
    pub fn name(&self, ty: TypeId) -> &str {
        self.by_name.get_index(ty.index()).map_or("", |(name, _)| name)
    }
}
