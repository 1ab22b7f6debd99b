//! The components of a structure that a step touches, where it names the whole of it: what is to be
//! recorded of `call add(m, x)` is `m%total`, not `m`.

use xaif_schema::model::{Attr, Base, Document, Part, Reference, Subscript, SymbolId};

use super::{LocationId, Storage};

/// What of a reference (`data`) holds `locations`: the paths of components from it on. A component that cannot be written
/// behind it is held by the last one on the way that can; an empty path is the whole.
pub fn narrowed(
    doc: &Document,
    storage: &Storage,
    data: &Reference,
    locations: &[LocationId],
) -> Vec<Box<[SymbolId]>> {
    let whole = || vec![Box::default()];
    if !matches!(data.ty.base, Base::Derived(_) | Base::Class(_)) {
        return whole();
    }
    let mut path: Vec<SymbolId> = Vec::new();
    for part in &data.parts {
        if let Part::Component { symbol, .. } = part {
            let Some(symbol) = symbol else { return whole() };
            path.push(*symbol);
        }
    }
    let mut found: Vec<Box<[SymbolId]>> = Vec::new();
    for &location in locations {
        // A pointer that may point to several components makes one location of them.
        let members = storage.locations()[location].members.iter();
        let below = members.filter_map(|member| {
            (member.symbol == data.base).then(|| member.path.strip_prefix(path.as_slice()))?
        });
        let below: Vec<&[SymbolId]> = below.collect();
        if below.is_empty() {
            return whole();
        }
        for rest in below {
            let Some(held) = holder(doc, data, rest) else { return whole() };
            if !found.iter().any(|known| held.starts_with(known)) {
                found.retain(|known| !known.starts_with(held));
                found.push(held.into());
            }
        }
    }
    found
}

/// The longest way towards a component that can be written behind a reference: all of what it names holds the component,
/// as no pointer stands on the way.
fn holder<'p>(doc: &Document, data: &Reference, path: &'p [SymbolId]) -> Option<&'p [SymbolId]> {
    if can_follow(doc, data, path) {
        return Some(path);
    }
    let is_pointer = |&component: &SymbolId| doc.has(component, Attr::Pointer);
    if path.iter().any(is_pointer) || !is_declared(doc, data.ty.base, path) {
        return None;
    }
    (1..path.len()).rev().map(|end| &path[..end]).find(|&held| can_follow(doc, data, held))
}

/// Whether `reference%a%b` is a reference: the declared type has these components, one part at most has a rank, and
/// nothing before the last is a pointer, nothing behind an array allocated or associated on its own. What is
/// allocated before the last may not be there.
fn can_follow(doc: &Document, reference: &Reference, path: &[SymbolId]) -> bool {
    let Some((_, before)) = path.split_last() else { return false };
    let mut has_rank = reference.ty.rank > 0;
    let is_behind_array = |&component: &SymbolId| {
        let behind = has_rank;
        has_rank |= rank_of(doc, component) > 0;
        behind && !is_firm(doc, component)
    };
    let firm = !path.iter().any(is_behind_array)
        && !before.iter().any(|&component| doc.has(component, Attr::Pointer));
    let ranks = path.iter().filter(|&&part| rank_of(doc, part) > 0).count();
    firm && is_declared(doc, reference.ty.base, path)
        && ranks + usize::from(reference.ty.rank > 0) <= 1
}

/// Whether a declared type has these components, each in the one before, not only extensions of it.
pub fn is_declared(doc: &Document, mut owner: Base, path: &[SymbolId]) -> bool {
    path.iter().all(|&component| {
        let (Base::Derived(ty) | Base::Class(ty)) = owner else { return false };
        owner = doc.symbols[component].decl.as_ref().map_or(Base::Unknown, |d| d.spec.base());
        doc.data_components(ty).contains(&component)
    })
}

/// Whether a component is part of the memory of its structure, neither allocated nor associated.
pub fn is_firm(doc: &Document, component: SymbolId) -> bool {
    doc.symbols[component]
        .decl
        .as_deref()
        .is_some_and(|decl| ![Attr::Pointer, Attr::Allocatable].iter().any(|&attr| decl.has(attr)))
}

/// A reference that ends with a variable or component, with the type that this is declared with.
pub fn with_declared_rank(doc: &Document, mut reference: Reference) -> Reference {
    let symbol = reference.entity().unwrap_or(reference.base);
    if doc.symbols[symbol].decl.is_some() {
        reference.ty.base = doc.declared_base(symbol);
    }
    reference.ty.rank = match reference.parts.last() {
        Some(Part::Elements(subscripts)) => {
            let extended = subscripts.iter().filter(|subscript| match subscript {
                Subscript::Index(index) => doc.exprs[*index].ty.rank > 0,
                Subscript::Section { .. } => true,
            });
            u8::try_from(extended.count()).unwrap_or(u8::MAX)
        }
        Some(_) | None => rank_of(doc, symbol),
    };
    reference
}

/// The component of a reference that is reached by `path`.
pub fn below(doc: &Document, mut reference: Reference, path: &[SymbolId]) -> Reference {
    for &component in path {
        let name = doc.name(component).into();
        reference.parts.push(Part::Component { symbol: Some(component), name });
        if doc.symbols[component].decl.is_some() {
            reference.ty.base = doc.declared_base(component);
        }
        reference.ty.rank = reference.ty.rank.max(rank_of(doc, component));
    }
    reference
}

/// The declared rank of a variable or component.
pub fn rank_of(doc: &Document, symbol: SymbolId) -> u8 {
    let symbol = &doc.symbols[symbol];
    let declared =
        symbol.decl.as_ref().map(|decl| u8::try_from(decl.dims.len()).unwrap_or(u8::MAX));
    declared.or(symbol.rank).unwrap_or(0)
}

/// Whether a value of a type has allocatable parts, as far as no pointer leads to them. Of a polymorphic object only the
/// declared type is known, which the caller passes.
pub fn holds_allocatable(doc: &Document, base: Base) -> bool {
    let (mut seen, mut next) = (vec![base], 0);
    while let Some(&base) = seen.get(next) {
        next += 1;
        let Base::Derived(owner) = base else { continue };
        for part in doc.data_components(owner) {
            if doc.has(part, Attr::Allocatable) {
                return true;
            }
            let inner = doc.declared_base(part);
            if !doc.has(part, Attr::Pointer) && !seen.contains(&inner) {
                seen.push(inner);
            }
        }
    }
    false
}
