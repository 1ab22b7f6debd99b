//! Allocatable module variables that the user's own code has allocated: their derivatives come into
//! being, with the value zero, where a derivative procedure begins that names them.
//!
//! Not done: structures, whose components may be allocated outside as well; derivatives whose
//! original has got another shape outside since; secondary ENTRY points.

use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{
    Allocate, Attr, BoolOp, Document, Place, Role, ScopeKind, StmtKind, SymbolId,
};

use super::body::Tangent;
use super::reallocate::has;
use super::zero::exists;
use crate::build::{Emitter, boolean, rewrite_entry, whole};

impl Tangent<'_> {
    /// Allocates at the beginning what must be there.
    pub(super) fn allocate_outer(&mut self, doc: &mut Document) -> Result<(), Diagnostic> {
        let symbol = doc.procs[self.proc].symbol;
        let pure = [Attr::Pure, Attr::Elemental].iter().any(|&attr| has(doc, symbol, attr));
        let named = self.named(doc);
        let pairs: Vec<(SymbolId, SymbolId)> = doc
            .symbols
            .keys()
            .filter(|&original| is_numbers_of_module(doc, original))
            .filter_map(|original| Some((original, self.parts.variable(original)?)))
            .filter(|(original, derivative)| named.contains(original) && named.contains(derivative))
            .collect();
        // A pure procedure cannot allocate them: whoever calls it has to name them.
        if pairs.is_empty() || pure {
            return Ok(());
        }
        rewrite_entry(doc, self.proc, |e| {
            pairs.iter().try_for_each(|&(original, derivative)| {
                self.bring_into_being(e, original, derivative)
            })
        })
    }

    fn bring_into_being(
        &mut self,
        e: &mut Emitter<'_>,
        original: SymbolId,
        derivative: SymbolId,
    ) -> Result<(), Diagnostic> {
        let place = Place::default();
        let there = whole(e.doc, original, place);
        let object = whole(e.doc, derivative, place);
        let allocated = exists(e.doc, there, "allocated");
        let missing = exists(e.doc, object, "allocated");
        let missing = boolean(e.doc, BoolOp::Not, &[missing]);
        let condition = boolean(e.doc, BoolOp::And, &[allocated, missing]);
        e.open_if(condition, place);
        let objects = vec![self.like(e.doc, derivative, there, place)];
        let allocate =
            Allocate { spec: None, objects, stat: None, errmsg: None, source: None, mold: None };
        e.stmt(StmtKind::Allocate(Box::new(allocate)), place);
        let done = self.zero(e, object);
        e.close_if();
        done
    }
}

fn is_numbers_of_module(doc: &Document, symbol: SymbolId) -> bool {
    let data = &doc.symbols[symbol];
    matches!(doc.scopes[data.scope].kind, ScopeKind::Module(_))
        && matches!(doc.role(symbol), Some(Role::Variable))
        && has(doc, symbol, Attr::Allocatable)
        && data.decl.as_ref().is_some_and(|decl| decl.spec.base().is_continuous())
}
