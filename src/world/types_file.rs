//! The type tree of a domain file, and cycles.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::{
    Type, TypeId, Types,
    domain_file::entries,
    faults::Faults,
    json::Text,
    shape::{Field, Map},
    values::Name,
};

/// More types than any field has; loops over the tree stay short.
const MAX_TYPES: usize = 2000;

/// Builds the tree. Types whose place in it is unknown stand under `object` and are in the set.
pub(super) fn types(field: &Field<Map<Name>>, faults: &mut Faults) -> (Types, HashSet<TypeId>) {
    let mut by_name = IndexMap::new();
    by_name.insert("object".to_owned(), Type { parent: None });
    by_name.insert("role".to_owned(), Type { parent: Some(Types::OBJECT) });
    let mut list = Vec::new();
    for entry in entries(field) {
        let key = &entry.key;
        if by_name.contains_key(&key.text) {
            faults
                .error("reserved-name", key.span.clone(), format!("the type '{}' is built in", key.text))
                .help("use it without declaring it");
        } else if list.len() == MAX_TYPES {
            faults.error("too-many", key.span.clone(), format!("more than {MAX_TYPES} types"));
            break;
        } else {
            by_name.insert(key.text.clone(), Type { parent: Some(Types::OBJECT) });
            list.push(entry);
        }
    }

    let first = 2;
    let mut broken = HashSet::new();
    let mut parents: Vec<Option<usize>> = Vec::with_capacity(list.len());
    for (i, entry) in list.iter().enumerate() {
        let ty = TypeId::from(first + i);
        let parent = entry.value.as_ref().and_then(|Name(name)| {
            let found = by_name.get_index_of(&name.text);
            if found.is_none() {
                let known = by_name.keys().map(String::as_str);
                faults.unknown("unknown-type", "type", &name.text, name.span.clone(), known);
            }
            found
        });
        if parent.is_none() {
            broken.insert(ty);
        }
        parents.push(parent);
    }
    // Cycles run among the file's own types alone.
    let own: Vec<Option<usize>> = parents.iter().map(|parent| parent.and_then(|p| p.checked_sub(first))).collect();
    let keys: Vec<&Text> = list.iter().map(|entry| &entry.key).collect();
    let looped = report_cycles(&keys, &own, "type", faults);
    for (i, parent) in parents.into_iter().enumerate() {
        let ty = TypeId::from(first + i);
        if looped[i] {
            broken.insert(ty);
        } else if let Some(parent) = parent {
            by_name[ty.index()].parent = Some(TypeId::from(parent));
        }
    }
    (Types { by_name }, broken)
}

/// Reports every cycle once, at the first of its names; says which entries are on one.
pub(super) fn report_cycles(keys: &[&Text], parents: &[Option<usize>], what: &str, faults: &mut Faults) -> Vec<bool> {
    let mut looped = vec![false; keys.len()];
    // The walk in which an entry was first seen; 0: not yet.
    let mut seen = vec![0usize; keys.len()];
    for start in 0..keys.len() {
        let mut at = Some(start);
        while let Some(i) = at.filter(|&i| seen[i] == 0) {
            seen[i] = start + 1;
            at = parents[i];
        }
        let Some(entry) = at.filter(|&i| seen[i] == start + 1 && !looped[i]) else { continue };
        let mut ring = vec![entry];
        let mut next = parents[entry];
        while let Some(i) = next.filter(|&i| i != entry) {
            ring.push(i);
            next = parents[i];
        }
        let first = ring.iter().copied().min().unwrap_or(entry);
        let turn = ring.iter().position(|&i| i == first).unwrap_or(0);
        ring.rotate_left(turn);
        for &i in &ring {
            looped[i] = true;
        }
        let mut path: Vec<&str> = ring.iter().take(8).map(|&i| keys[i].text.as_str()).collect();
        if ring.len() > path.len() {
            path.push("…");
        }
        path.push(&keys[first].text);
        faults
            .error("cycle", keys[first].span.clone(), format!("the {what} '{}' stands under itself", keys[first].text))
            .help(path.join(" → "));
    }
    looped
}
