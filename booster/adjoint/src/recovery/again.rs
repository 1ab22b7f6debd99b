//! Writes recomputations into the backward sweep: assignments, and loops for FORALL.
//!
//! The index of a FORALL gets a variable of the procedure, so no variable of the program changes.

use std::collections::HashMap;

use xaif_schema::model::{Base, StmtId, StmtKind, SymbolId};

use crate::body::Adjoint;
use booster_build::{Copier, Emitter, constant_integer, new_variable};

impl Adjoint<'_> {
    /// Writes a recomputation.
    pub(crate) fn compute_again(&mut self, e: &mut Emitter<'_>, stmt: StmtId) {
        let mut copier = Copier::new();
        let mut taken: HashMap<String, usize> = HashMap::new();
        let (mut body, mut open) = (vec![stmt], 0);
        while let [only] = body[..]
            && let StmtKind::Forall(forall) = e.doc.stmts[only].kind.clone()
        {
            for range in &forall.header.ranges {
                let place = e.doc.stmts[stmt].place;
                let bounds = (copier.expr(e.doc, range.lower), copier.expr(e.doc, range.upper));
                let variable = self.index_again(e, range.var, &mut taken);
                copier.symbols.insert(range.var, variable);
                let step = range.step.map_or(Some(1), |step| constant_integer(e.doc, step));
                e.open_do_steps(variable, bounds, step.unwrap_or(1), place);
                open += 1;
            }
            body = forall.body;
        }
        for inner in body {
            if let StmtKind::Assign { lhs, rhs, .. } = e.doc.stmts[inner].kind {
                let place = e.doc.stmts[inner].place;
                let (lhs, rhs) = (copier.reference(e.doc, lhs), copier.expr(e.doc, rhs));
                e.stmt(StmtKind::Assign { lhs, rhs, defined: None }, place);
            }
        }
        (0..open).for_each(|_| e.close_do());
    }

    /// The variable of a loop for an index: recomputations that follow each other have the same.
    fn index_again(
        &mut self,
        e: &mut Emitter<'_>,
        index: SymbolId,
        taken: &mut HashMap<String, usize>,
    ) -> SymbolId {
        let name = e.doc.name(index).to_owned();
        let base = e.doc.symbols[index].decl.as_ref().map(|decl| decl.spec.base());
        let base = base.filter(|base| matches!(base, Base::Integer(_))).unwrap_or(Base::Integer(4));
        let number = taken.entry(name.clone()).or_default();
        let key = (name.clone(), *number);
        *number += 1;
        if let Some(&known) = self.context.indices_again.get(&key) {
            return known;
        }
        let scope = self.scope(e.doc);
        let place = e.place();
        let made = new_variable(e.doc, scope, &name, base, place);
        self.context.indices_again.insert(key, made);
        made
    }
}
