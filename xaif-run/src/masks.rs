//! WHERE inside of FORALL: each mask, and each right-hand side, is evaluated for all combinations of the
//! indices before anything is assigned (Fortran 2018, 10.2.4.2.4).

use std::rc::Rc;

use xaif_schema::model::{StmtId, StmtKind, SymbolId, Where};

use crate::fault::{Run, refuse};
use crate::machine::Machine;
use crate::value::Value;

/// A mask for each combination of indices; `None` where nothing is masked.
type Masks = Vec<Option<Rc<[bool]>>>;

impl Machine<'_> {
    /// A WHERE for all `contexts`, in which what `pending` leaves is open.
    pub(crate) fn where_for_all(
        &mut self,
        construct: &Where,
        contexts: &[Vec<(SymbolId, i64)>],
        mut pending: Masks,
    ) -> Run<()> {
        self.check_stack()?;
        for arm in &construct.arms {
            let masks = match arm.mask {
                Some(mask) => {
                    let mut masks = Vec::with_capacity(contexts.len());
                    for (context, pending) in contexts.iter().zip(&mut pending) {
                        self.set_indices(context)?;
                        let value = self.under(pending.clone(), |machine| machine.eval(mask))?;
                        masks.push(self.split(&value, pending)?);
                    }
                    masks
                }
                None => pending.clone(),
            };
            for &stmt in &arm.body {
                self.masked_for_all(stmt, contexts, &masks)?;
            }
        }
        Ok(())
    }

    fn masked_for_all(
        &mut self,
        stmt: StmtId,
        contexts: &[Vec<(SymbolId, i64)>],
        masks: &Masks,
    ) -> Run<()> {
        let doc = self.doc;
        self.place = doc.stmts[stmt].place;
        match &doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, rhs, defined: None } => {
                let mut values = Vec::with_capacity(contexts.len());
                for (context, mask) in contexts.iter().zip(masks) {
                    self.set_indices(context)?;
                    self.arith.counts.assignments += 1;
                    let value = self.under(mask.clone(), |machine| machine.eval(*rhs))?;
                    if matches!(value, Value::Object(_)) {
                        return refuse("an assignment of structures in a WHERE inside of FORALL");
                    }
                    values.push((self.locate(*lhs)?, value));
                }
                for ((to, value), mask) in values.into_iter().zip(masks) {
                    self.store_masked(&to, value, mask.clone())?;
                }
                Ok(())
            }
            StmtKind::Where(inner) => self.where_for_all(inner, contexts, masks.clone()),
            StmtKind::Comment(_) => Ok(()),
            StmtKind::Assign { defined: Some(_), .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_) => refuse("such a statement in a WHERE inside of FORALL"),
        }
    }
}
