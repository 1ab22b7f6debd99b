//! Calls in split mode: `call q_fwd(a, ab)` in the forward sweep, `call q_bwd(a, ab)` in the backward
//! sweep.
//!
//! The callee takes back what it has overwritten, so nothing is recorded here but what a function's
//! result overwrites, and the values of subscripts and expressions among the actual arguments that
//! the call itself may change: where `q_bwd` is called, the variables have the values that they had
//! behind the call.

use std::collections::BTreeSet;

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Arg, ArgValue, Base, Callee, Document, ExprId, ExprKind, Part, Place, RefId, StmtId, StmtKind,
    Subscript, SymbolId,
};

use super::body::Adjoint;
use super::call::copied;
use super::record::same_designator;
use super::split::operation;
use crate::analysis::UnitId;
use crate::build::{Copier, Emitter, new_variable, value_of, whole};
use crate::transform::derivative::Sweep;
use crate::transform::tangent::bound::with_object;
use crate::transform::tangent::call::Actuals;

/// Variables that keep values from before the call, with these values.
type Kept = Vec<(SymbolId, ExprId)>;

/// A call that is split.
struct Call {
    callee: Callee,
    args: Vec<Arg>,
    result: Option<RefId>,
    place: Place,
}

impl Adjoint<'_> {
    /// Forward sweep: the values that the call changes and its adjoint needs, then `q_fwd`.
    pub(super) fn forward_split(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
    ) -> Result<(), Diagnostic> {
        let Some(call) = self.split_call(e.doc, stmt) else { return Ok(()) };
        for name in self.recorded_result(e.doc, stmt, call.result) {
            self.tape(e, &name, true)?;
        }
        let (args, moved) = self.settled(e, stmt, &call)?;
        for &(symbol, value) in &moved {
            let target = whole(e.doc, symbol, call.place);
            e.assign(target, value, call.place);
        }
        let actuals = Actuals { args: &args, result: call.result };
        self.call_half(e, stmt, &call, Sweep::Forward, &actuals)?;
        for &(symbol, _) in &moved {
            let value = whole(e.doc, symbol, call.place);
            let value = value_of(e.doc, value);
            operation(e, "push", value, call.place);
        }
        Ok(())
    }

    /// Backward sweep: those values again, then `q_bwd`.
    pub(super) fn backward_split(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
    ) -> Result<(), Diagnostic> {
        let Some(call) = self.split_call(e.doc, stmt) else { return Ok(()) };
        let (args, moved) = self.settled(e, stmt, &call)?;
        for &(symbol, _) in moved.iter().rev() {
            let target = whole(e.doc, symbol, call.place);
            let target = value_of(e.doc, target);
            operation(e, "pop", target, call.place);
        }
        let actuals = Actuals { args: &args, result: call.result };
        self.call_half(e, stmt, &call, Sweep::Backward, &actuals)?;
        for name in self.recorded_result(e.doc, stmt, call.result).iter().rev() {
            self.tape(e, name, false)?;
        }
        Ok(())
    }

    fn split_call(&self, doc: &mut Document, stmt: StmtId) -> Option<Call> {
        let place = doc.stmts[stmt].place;
        let (callee, args, result) = match doc.stmts[stmt].kind.clone() {
            StmtKind::Call(call) => (call.callee, call.args, None),
            StmtKind::Assign { lhs, rhs, defined: Some(callee) } => {
                let target = value_of(doc, lhs);
                let arg =
                    |position, expr| Arg { position, keyword: None, value: ArgValue::Expr(expr) };
                (*callee, vec![arg(1, target), arg(2, rhs)], None)
            }
            StmtKind::Assign { lhs, rhs, defined: None } => match doc.exprs[rhs].kind.clone() {
                ExprKind::Call(call) => (call.callee, call.args, Some(lhs)),
                _ => return None,
            },
            _ => return None,
        };
        let args = with_object(doc, &callee, &args).into_owned();
        let args = copied(doc, &args);
        Some(Call { callee, args, result, place })
    }

    /// What a function's result overwrites, as far as it is recorded; all else is the callee's matter.
    fn recorded_result(
        &self,
        doc: &Document,
        stmt: StmtId,
        result: Option<RefId>,
    ) -> Vec<xaif_schema::model::Reference> {
        let Some(result) = result else { return Vec::new() };
        let own = doc.refs[result].clone();
        let names = self.recorded(doc, stmt).into_iter();
        names.filter(|name| same_designator(doc, name, &own)).collect()
    }

    fn call_half(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        call: &Call,
        sweep: Sweep,
        actuals: &Actuals<'_>,
    ) -> Result<(), Diagnostic> {
        let Call { callee, place, .. } = call;
        let both = self.tools.parts.callee(callee.symbol);
        let both = both.and_then(|both| self.tools.parts.halves(e.doc, self.proc, both));
        let Some([forward, backward]) = both else {
            return Err(self.cannot_be_split(e.doc, callee.symbol, *place));
        };
        let half = if sweep == Sweep::Forward { forward } else { backward };
        self.tools.import(e.doc, half);
        self.call_adjoint(e, stmt, callee, half, actuals)
    }

    fn cannot_be_split(&self, doc: &Document, callee: SymbolId, place: Place) -> Diagnostic {
        let message = format!(
            "`{}` cannot be executed once more in the backward sweep, and it cannot be split, since \
             what is called here is known only when the program runs",
            doc.name(callee)
        );
        Diagnostic::error(Code::SPLIT_REFUSED, doc.spot(place), message)
            .with_help("call the procedure by its own name")
    }

    /// The actual arguments with variables in the places of subscripts and values that the call may
    /// change, and these variables with the values they get.
    fn settled(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        call: &Call,
    ) -> Result<(Vec<Arg>, Kept), Diagnostic> {
        let Some(found) = self.overwritten(stmt) else {
            return Ok((call.args.clone(), Vec::new()));
        };
        let changed: BTreeSet<UnitId> = found.units.clone();
        let mut moved = Vec::new();
        for arg in &call.args {
            let ArgValue::Expr(expr) = arg.value else { continue };
            self.settle(e, expr, &changed, &mut moved)?;
        }
        if let Some(object) = call.callee.object {
            self.settle_reference(e, object, &changed, &mut moved)?;
        }
        Ok((call.args.clone(), moved))
    }

    fn settle(
        &mut self,
        e: &mut Emitter<'_>,
        expr: ExprId,
        changed: &BTreeSet<UnitId>,
        moved: &mut Kept,
    ) -> Result<(), Diagnostic> {
        match e.doc.exprs[expr].kind.clone() {
            ExprKind::Ref(reference) if !e.doc.exprs[expr].parens => {
                self.settle_reference(e, reference, changed, moved)
            }
            ExprKind::Procedure(_) => Ok(()),
            _ => {
                let known = moved.len();
                self.settle_value(e, expr, changed, moved)?;
                // It stays a value.
                e.doc.exprs[expr].parens |= moved.len() > known;
                Ok(())
            }
        }
    }

    fn settle_reference(
        &mut self,
        e: &mut Emitter<'_>,
        reference: RefId,
        changed: &BTreeSet<UnitId>,
        moved: &mut Kept,
    ) -> Result<(), Diagnostic> {
        let mut values = Vec::new();
        for part in &e.doc.refs[reference].parts {
            match part {
                Part::Elements(list) => {
                    for subscript in list {
                        match *subscript {
                            Subscript::Index(index) => values.push(index),
                            Subscript::Section { lower, upper, stride } => {
                                values.extend([lower, upper, stride].into_iter().flatten());
                            }
                        }
                    }
                }
                Part::Substring { lower, upper } => {
                    values.extend([lower, upper].into_iter().flatten())
                }
                Part::Component { .. } | Part::Inquiry(_) | Part::Deref => {}
            }
        }
        values.into_iter().try_for_each(|value| self.settle_value(e, value, changed, moved))
    }

    /// Puts a variable in the place of a value that the call may change.
    fn settle_value(
        &mut self,
        e: &mut Emitter<'_>,
        expr: ExprId,
        changed: &BTreeSet<UnitId>,
        moved: &mut Kept,
    ) -> Result<(), Diagnostic> {
        let read = self.units_read(e.doc, expr);
        if !read.iter().any(|unit| changed.contains(unit)) {
            return Ok(());
        }
        let (ty, place) = (e.doc.exprs[expr].ty, e.doc.exprs[expr].place);
        let scalar = matches!(
            ty.base,
            Base::Integer(_) | Base::Real(_) | Base::Complex(_) | Base::Logical(_)
        ) && ty.rank == 0;
        if !scalar {
            let message =
                "the call may change this value, which its backward sweep needs as it was";
            return Err(Diagnostic::error(Code::SPLIT_REFUSED, e.doc.spot(place), message)
                .with_help("put the value into a variable of its own before the call"));
        }
        let scope = self.scope(e.doc);
        let symbol = new_variable(e.doc, scope, "kept", ty.base, place);
        let value = Copier::new().expr(e.doc, expr);
        moved.push((symbol, value));
        let stands = whole(e.doc, symbol, place);
        e.doc.exprs[expr].kind = ExprKind::Ref(stands);
        Ok(())
    }
}
