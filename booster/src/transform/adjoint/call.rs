//! Calls.
//!
//! Here: joint mode, for split mode see `halves`. In joint mode the forward sweep puts a snapshot on the tape and calls the procedure itself; the
//! backward sweep takes the snapshot back and calls the adjoint procedure, which executes the
//! procedure once more and records (paper 3, section 3.5).

use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{
    Arg, Callee, Document, ExprKind, FunctionCall, RefId, StmtId, StmtKind, SubroutineCall,
    SymbolId,
};

use super::body::Adjoint;
use crate::build::{Copier, Emitter, same_reference};
use crate::transform::tangent::bound::with_object;
use crate::transform::tangent::call::{Actuals, is_intrinsic};

impl Adjoint<'_> {
    /// Whether a call has an adjoint.
    pub(super) fn differentiated(&self, doc: &Document, call: &SubroutineCall) -> bool {
        !is_intrinsic(doc, call.callee.symbol)
            && call.active != Some(false)
            && self.tools.parts.callee(call.callee.symbol).is_some()
    }

    /// Whether the backward sweep executes what `stmt` calls once more.
    pub(super) fn is_executed_again(&self, doc: &Document, stmt: StmtId) -> bool {
        if self.split.contains(&stmt) {
            return false;
        }
        match &doc.stmts[stmt].kind {
            StmtKind::Call(call) => self.differentiated(doc, call),
            StmtKind::Assign { lhs, rhs, .. } => {
                let call = doc.exprs[*rhs].call();
                call.is_some_and(|call| self.tools.passes_through(doc, call, *lhs))
            }
            StmtKind::PointerAssign { .. }
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => false,
        }
    }

    /// Backward sweep of `call q(a, b)`: `call q_b(a, ab, b, bb)`.
    pub(super) fn backward_call(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        call: &SubroutineCall,
    ) -> Result<(), Diagnostic> {
        if self.backward_move(e, stmt, call)? {
            return Ok(());
        }
        self.restore(e, stmt)?;
        if !self.differentiated(e.doc, call) {
            return self.without_adjoint(e, stmt, call);
        }
        let Some(adjoint) = self.tools.parts.callee(call.callee.symbol) else { return Ok(()) };
        let all = with_object(e.doc, &call.callee, &call.args).into_owned();
        let all = copied(e.doc, &all);
        let actuals = Actuals { args: &all, result: None };
        self.call_adjoint(e, stmt, &call.callee, adjoint, &actuals)
    }

    /// Backward sweep of `t = f(a)`: `call f_b(a, ab, t, tb)`.
    pub(super) fn adjoint_function(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        lhs: RefId,
        call: &FunctionCall,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        let Some(adjoint) = self.tools.parts.callee(call.callee.symbol) else {
            return Err(self.refused(
                e.doc,
                place,
                format!(
                    "activity passes through `{}`, whose adjoint is not known",
                    e.doc.name(call.callee.symbol)
                ),
                "give its source, too",
            ));
        };
        let all = with_object(e.doc, &call.callee, &call.args).into_owned();
        let all = copied(e.doc, &all);
        let actuals = Actuals { args: &all, result: Some(lhs) };
        self.call_adjoint(e, stmt, &call.callee, adjoint, &actuals)
    }

    pub(super) fn call_adjoint(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        callee: &Callee,
        adjoint: SymbolId,
        actuals: &Actuals<'_>,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        self.no_argument_twice(e.doc, stmt, actuals)?;
        let args = self.tools.arguments(e, callee, adjoint, actuals, place)?;
        let made = SubroutineCall {
            callee: Callee { symbol: adjoint, generic: None, object: None },
            args,
            formal_count: self.tools.count(adjoint),
            active: None,
        };
        e.stmt(StmtKind::Call(Box::new(made)), place);
        Ok(())
    }

    /// The same variable for two dummy arguments would have its adjoint passed twice, and both be
    /// written, which the language forbids.
    fn no_argument_twice(
        &self,
        doc: &Document,
        stmt: StmtId,
        actuals: &Actuals<'_>,
    ) -> Result<(), Diagnostic> {
        use xaif_schema::model::ArgValue;
        let mut seen: Vec<RefId> = Vec::new();
        for arg in actuals.args {
            let ArgValue::Expr(expr) = arg.value else { continue };
            let ExprKind::Ref(reference) = doc.exprs[expr].kind else { continue };
            if !self.tools.parts.is_active(doc, reference) {
                continue;
            }
            if seen.iter().any(|&other| same_reference(doc, other, reference)) {
                return Err(self.refused(
                    doc,
                    doc.stmts[stmt].place,
                    format!(
                        "`{}` is passed twice, so that its adjoint would be, too",
                        doc.name(doc.refs[reference].base)
                    ),
                    "pass a copy of it",
                ));
            }
            seen.push(reference);
        }
        Ok(())
    }

    /// A call through which no activity passes needs nothing more; one through which it passes and
    /// whose adjoint nobody knows is refused.
    fn without_adjoint(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        call: &SubroutineCall,
    ) -> Result<(), Diagnostic> {
        let passes = match call.active {
            Some(active) => active,
            None => self.tools.any_active(e.doc, &call.args),
        };
        if !passes {
            return Ok(());
        }
        Err(self.refused(
            e.doc,
            e.doc.stmts[stmt].place,
            format!(
                "activity passes through `{}`, whose adjoint is not known",
                e.doc.name(call.callee.symbol)
            ),
            "give its source, too",
        ))
    }
}

/// The same actual arguments once more: the call itself stays in the forward sweep.
pub(super) fn copied(doc: &mut Document, args: &[Arg]) -> Vec<Arg> {
    let mut all = args.to_vec();
    Copier::new().args(doc, &mut all);
    all
}
