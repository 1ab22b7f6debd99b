//! What the program gives a value before it begins: by initialisation or DATA, in whatever program
//! unit, and by whatever name (COMMON, EQUIVALENCE).

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use xaif_booster::analysis::data_variables;
use xaif_booster::analysis::storage::{byte_in_variable, bytes_in_common};
use xaif_schema::model::{Base, Document, ExprId, ExprKind, SpecItem, SymbolId};

/// Of larger arrays it is not told which elements have one.
const MOST_ELEMENTS: i64 = 10_000;

/// How much of a variable has such a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// None of it.
    Nothing,
    /// All of it, or it is not known how much.
    All,
    /// All elements but these, from first to last, counted from 1.
    Elements {
        /// Those without a value.
        holes: Vec<(i64, i64)>,
    },
}

/// The variables of which at least a part has such a value.
pub(crate) struct Given(HashMap<SymbolId, Kept>);

impl Given {
    /// How much of `symbol` has one.
    pub(crate) fn of(&self, symbol: SymbolId) -> &Kept {
        self.0.get(&symbol).unwrap_or(&Kept::Nothing)
    }

    /// Looks for all.
    pub(crate) fn of_program(doc: &Document) -> Given {
        let places = bytes_in_common(doc);
        let mut whole: HashSet<SymbolId> = HashSet::new();
        let mut blocks: HashMap<SymbolId, Vec<Range<i64>>> = HashMap::new();
        let mut add = |symbol: SymbolId, part: Option<Range<i64>>| match places.get(&symbol) {
            Some((block, bytes)) => {
                let at = |part: Range<i64>| bytes.start + part.start..bytes.start + part.end;
                blocks.entry(*block).or_default().push(part.map_or(bytes.clone(), at));
            }
            None => {
                whole.insert(symbol);
            }
        };
        for (id, symbol) in &doc.symbols {
            if symbol.decl.as_deref().is_some_and(|decl| decl.init.is_some()) {
                add(id, None);
            }
        }
        for item in doc.scopes.values().flat_map(|scope| &scope.items) {
            let SpecItem::Data(sets) = item else { continue };
            for &object in sets.iter().flat_map(|set| &set.objects) {
                let part = element(doc, object);
                data_variables(doc, vec![object]).into_iter().for_each(|s| add(s, part.clone()));
            }
        }
        doc.scopes.keys().for_each(|scope| doc.add_equivalent(scope, &mut whole));
        let mut given: HashMap<SymbolId, Kept> =
            whole.into_iter().map(|symbol| (symbol, Kept::All)).collect();
        for (&symbol, (block, bytes)) in &places {
            let others = blocks.get(block).map_or(&[][..], Vec::as_slice);
            given.insert(symbol, kept(doc, symbol, bytes, others));
        }
        Given(given)
    }
}

/// The bytes of its variable that an element takes which DATA names; `None` for all.
fn element(doc: &Document, object: ExprId) -> Option<Range<i64>> {
    let ExprKind::Ref(reference) = doc.exprs[object].kind else { return None };
    let named = &doc.refs[reference];
    let size = match doc.declared_base(named.base) {
        Base::Integer(bytes) | Base::Real(bytes) | Base::Logical(bytes) => i64::from(bytes),
        Base::Complex(bytes) => 2 * i64::from(bytes),
        _ => return None,
    };
    if named.parts.is_empty() {
        return None;
    }
    let at = byte_in_variable(doc, reference)?;
    Some(at..at.checked_add(size)?)
}

/// What of the variable with these bytes of a block lies where `given` is.
fn kept(doc: &Document, symbol: SymbolId, bytes: &Range<i64>, given: &[Range<i64>]) -> Kept {
    let meets = |from: i64, to: i64| given.iter().any(|one| one.start < to && from < one.end);
    if !meets(bytes.start, bytes.end) {
        return Kept::Nothing;
    }
    let bounds = doc.symbols[symbol].bounds.iter();
    let count: i64 = bounds.map(|(lower, upper)| (upper - lower + 1).max(0)).product();
    if count <= 1 || count > MOST_ELEMENTS {
        return Kept::All;
    }
    let size = (bytes.end - bytes.start) / count;
    let mut holes: Vec<(i64, i64)> = Vec::new();
    for index in 1..=count {
        let from = bytes.start + (index - 1) * size;
        if meets(from, from + size) {
            continue;
        }
        match holes.last_mut() {
            Some((_, last)) if *last + 1 == index => *last = index,
            Some(_) | None => holes.push((index, index)),
        }
    }
    if holes.is_empty() { Kept::All } else { Kept::Elements { holes } }
}
