//! Components that a specification names: `m%rhs` of an argument or a global variable.

use xaif_schema::model::{Base, Document, Part, Place, Reference, ScopeKind, SymbolId, Ty};

use crate::{LocationId, Locations, Storage};

use super::Effect;

/// A reference with the components `path` behind it; `None` where its declared type has no such component.
pub fn component_named(doc: &Document, whole: &Reference, path: &[String]) -> Option<Reference> {
    let mut found = whole.clone();
    found.forget_facts();
    for name in path {
        let (Base::Derived(owner) | Base::Class(owner)) = found.ty.base else { return None };
        let mut components = doc.data_components(owner).into_iter();
        let component = components.find(|&part| doc.name(part).eq_ignore_ascii_case(name))?;
        let rank = doc.symbols[component].rank.unwrap_or(0).max(found.ty.rank);
        found
            .parts
            .push(Part::Component { name: doc.name(component).into(), symbol: Some(component) });
        found.ty = Ty { base: doc.declared_base(component), rank };
    }
    Some(found)
}

/// The same of a variable.
pub fn component_of_variable(
    doc: &Document,
    symbol: SymbolId,
    path: &[String],
) -> Option<Reference> {
    let ty = Ty { base: doc.declared_base(symbol), rank: doc.symbols[symbol].rank.unwrap_or(0) };
    component_named(doc, &Reference::whole(symbol, ty, Place::default()), path)
}

/// A component of which a specification tells something, with its locations.
pub(crate) type ToldPart<'e> = (&'e Effect, Reference, Locations);

/// The locations of each component that a specification tells of an argument, and those of the rest. `None` where the type of
/// the argument has no such component: then nothing is known of the argument.
pub(crate) fn divided<'e>(
    doc: &Document,
    storage: &Storage,
    whole: &Reference,
    effect: &'e Effect,
) -> Option<(Vec<ToldPart<'e>>, Vec<LocationId>)> {
    let parts: Option<Vec<_>> = effect
        .components
        .iter()
        .map(|told| {
            let part = component_named(doc, whole, &told.path)?;
            let locations = storage.locations_at(doc, &part);
            Some((told, part, locations))
        })
        .collect();
    let parts = parts?;
    let all = storage.locations_at(doc, whole);
    let told =
        |location: &LocationId| parts.iter().any(|(.., locations)| locations.contains(location));
    let rest = all.into_iter().filter(|location| !told(location)).collect();
    Some((parts, rest))
}

/// The variables that `/block/` or `module::variable` means.
pub fn global_variables(doc: &Document, name: &str) -> Vec<SymbolId> {
    let same = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
    let meant = |symbol: &SymbolId| {
        let data = &doc.symbols[*symbol];
        match name.split_once("::") {
            Some((module, variable)) => {
                same(&data.id, variable)
                    && matches!(
                        doc.scopes[data.scope].kind,
                        ScopeKind::Module(m) if same(doc.name(m), module)
                    )
            }
            None => data.decl.as_ref().and_then(|decl| decl.common).is_some_and(|(block, _)| {
                same(doc.symbols[block].id.trim_matches('/'), name.trim_matches('/'))
            }),
        }
    };
    doc.symbols.keys().filter(meant).collect()
}

/// The locations of what an effect on a global variable is told of; what is told of its components is not. All of the
/// variable where its type has no such component.
pub(crate) fn locations_of_global(
    doc: &Document,
    storage: &Storage,
    globals: &[Effect],
    (name, path): (&str, &[String]),
) -> Locations {
    let mut locations = Locations::new();
    for symbol in global_variables(doc, name) {
        let of = |path: &[String]| {
            component_of_variable(doc, symbol, path).map(|part| storage.locations_at(doc, &part))
        };
        let mut own = of(path).unwrap_or_else(|| storage.locations_of_symbol(symbol));
        let within = globals.iter().filter(|other| {
            other.name == name && other.path.len() > path.len() && other.path.starts_with(path)
        });
        for part in within.filter_map(|other| of(&other.path)) {
            own.retain(|location| !part.contains(location));
        }
        locations.extend(own);
    }
    locations.sort_unstable();
    locations.dedup();
    locations
}
