//! What the program gives a value before it begins: by initialisation or DATA, in whatever program
//! unit, and by whatever name (COMMON, EQUIVALENCE).

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use xaif_booster::analysis::data_variables;
use xaif_booster::analysis::storage::bytes_in_common;
use xaif_schema::model::{Document, SpecItem, SymbolId};

/// The variables of which at least a part has such a value.
pub(crate) fn given(doc: &Document) -> HashSet<SymbolId> {
    let initialised = doc
        .symbols
        .iter()
        .filter(|(_, symbol)| symbol.decl.as_deref().is_some_and(|decl| decl.init.is_some()));
    let mut given: HashSet<SymbolId> = initialised.map(|(id, _)| id).collect();
    for item in doc.scopes.values().flat_map(|scope| &scope.items) {
        if let SpecItem::Data(sets) = item {
            let objects = sets.iter().flat_map(|set| &set.objects).copied();
            given.extend(data_variables(doc, objects.collect()));
        }
    }
    doc.scopes.keys().for_each(|scope| doc.add_equivalent(scope, &mut given));
    let places = bytes_in_common(doc);
    let mut blocks: HashMap<SymbolId, Vec<&Range<i64>>> = HashMap::new();
    for symbol in &given {
        if let Some((block, bytes)) = places.get(symbol) {
            blocks.entry(*block).or_default().push(bytes);
        }
    }
    let is_met = |(block, bytes): &(SymbolId, Range<i64>)| {
        let mut others = blocks.get(block).into_iter().flatten();
        others.any(|other| other.start < bytes.end && bytes.start < other.end)
    };
    given.extend(places.iter().filter(|(_, place)| is_met(place)).map(|(&symbol, _)| symbol));
    given
}
