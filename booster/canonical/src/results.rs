//! Allocatable results of functions begin with element 1.
//!
//! Where `f(x)` stands, its lower bounds are 1, whatever `f` has given its result (Fortran 2018, 16.9.109).
//! A derivative procedure hands the variable itself to its caller, with the bounds that it has, and
//! so does an adjoint take the adjoint of the result. A function that may allocate its result otherwise
//! (`allocate(r(0:n))`) therefore gets a variable of its own in its place, and gives the result the values
//! of that as it returns.

use std::convert::Infallible;

use smallvec::SmallVec;
use xaif_schema::model::{Attr, Document, Part, ProcId, RefId, Subscript, Symbol, SymbolId};

use booster_build::{Copied, copy_decl, new_variable, rewrite_exits, value_of, whole};
use booster_facts::bounds::Bounds;

/// The allocatable result of a function that may begin with another number than 1.
pub(super) fn begins_elsewhere(doc: &Document, bounds: &Bounds, proc: ProcId) -> Option<SymbolId> {
    let result = doc.procs[proc].result?;
    let is_array = doc.symbols[result].rank.unwrap_or(0) > 0 && doc.has(result, Attr::Allocatable);
    (is_array && !bounds.begins_with_one(doc, result)).then_some(result)
}

/// Gives the result of a function bounds from 1 on, where the function returns.
pub(super) fn begin_with_one(doc: &mut Document, proc: ProcId, result: SymbolId) {
    let symbol = &doc.symbols[result];
    let rank = symbol.rank.unwrap_or(0);
    let scope = doc.procs[proc].scope;
    let place = symbol.decl.as_deref().map(|decl| decl.place).unwrap_or_default();
    let base = symbol.decl.as_deref().map(|decl| decl.spec.base()).unwrap_or_default();
    let wish = format!("{}_own", doc.name(result));
    let own = new_variable(doc, scope, &wish, base, place);
    let Symbol { class, kind, active, ref mut decl, .. } = doc.symbols[result].clone();
    if let Some(decl) = decl {
        copy_decl(doc, decl, &Copied::default());
    }
    let data = &mut doc.symbols[own];
    (data.class, data.kind, data.active, data.rank) = (class, kind, active, Some(rank));
    data.decl = decl.take();
    let refs: Vec<RefId> = doc.refs.keys().filter(|&r| doc.refs[r].base == result).collect();
    // Active where it is active anywhere.
    let marked = refs.iter().filter_map(|&r| doc.refs[r].active).max();
    for reference in refs {
        doc.refs[reference].base = own;
    }
    let done: Result<(), Infallible> = rewrite_exits(doc, proc, |e| {
        let [to, from] = [result, own].map(|symbol| whole(e.doc, symbol, place));
        let all = Subscript::Section { lower: None, upper: None, stride: None };
        let list: SmallVec<[Subscript; 7]> = SmallVec::from_elem(all, usize::from(rank));
        e.doc.refs[from].parts.push(Part::Elements(list.into_vec()));
        for reference in [to, from] {
            e.doc.refs[reference].active = marked;
        }
        let value = value_of(e.doc, from);
        e.assign(to, value, place);
        Ok(())
    });
    match done {
        Ok(()) => {}
        Err(never) => match never {},
    }
}
