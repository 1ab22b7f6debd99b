//! Calls.
//!
//! Here: what a call is, and joint mode; for split mode see `halves`. In joint mode the forward sweep
//! puts a snapshot on the tape and calls the procedure itself; the backward sweep takes the snapshot
//! back and calls the adjoint procedure, which executes the procedure once more and records (paper 3,
//! section 3.5).
//!
//! An elemental procedure that is called for arrays stays one call in the forward sweep; its adjoint,
//! which records and so is not elemental, is called in a loop over the elements.

use std::collections::BTreeSet;

use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{
    Arg, ArgValue, Attr, Callee, Document, ExprKind, RefId, StmtId, StmtKind, SubroutineCall,
    SymbolId,
};

use crate::body::Adjoint;
use crate::call_modes::choice::callee_of;
use crate::recovery::properties::release;
use booster_build::exists;
use booster_build::with_object;
use booster_build::{Copier, Emitter, value_of};
use booster_rules::may_be_continuous;
use booster_shadow::derivative::Sweep;
use booster_shadow::elemental::open_elements;
use booster_tangent::call::Actuals;
use booster_tangent::external::Outside;

/// A call that is a statement, or the whole right-hand side of one.
pub(crate) struct Call {
    pub(crate) callee: Callee,
    /// Copies of the actual arguments; the object of a type-bound call is one of them.
    pub(crate) args: Vec<Arg>,
    /// What takes the result of a function.
    pub(crate) result: Option<RefId>,
    /// What facts of activity say.
    active: Option<bool>,
    pub(crate) place: xaif_schema::model::Place,
}

/// The call that a statement is: CALL, an assignment that the program defines, `t = f(x)`.
pub(crate) fn call_of(doc: &mut Document, stmt: StmtId) -> Option<Call> {
    let place = doc.stmts[stmt].place;
    let (callee, args, result, active) = match doc.stmts[stmt].kind.clone() {
        StmtKind::Call(call) => (call.callee, call.args, None, call.active),
        StmtKind::Assign { lhs, rhs, defined: Some(callee) } => {
            let target = value_of(doc, lhs);
            let arg = |position, expr| Arg { position, keyword: None, value: ArgValue::Expr(expr) };
            (*callee, vec![arg(1, target), arg(2, rhs)], None, None)
        }
        StmtKind::Assign { lhs, rhs, defined: None } => {
            let call = doc.exprs[rhs].call()?.clone();
            (call.callee, call.args, Some(lhs), call.active)
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
        | StmtKind::Comment(_) => return None,
    };
    let mut args = with_object(doc, &callee, &args).into_owned();
    // The call itself stays in the forward sweep.
    Copier::new().args(doc, &mut args);
    let is_defined = matches!(doc.stmts[stmt].kind, StmtKind::Assign { defined: Some(_), .. });
    if let (true, Some(ArgValue::Expr(value))) = (is_defined, args.get(1).map(|arg| arg.value))
        && let ExprKind::Ref(reference) = doc.exprs[value].kind
    {
        // The value of an expression: what the procedure does to the variable does not change it. The
        // canonical form leaves no active variable here that it may change.
        let carries = may_be_continuous(doc.refs[reference].ty.base);
        doc.exprs[value].parens |= !carries || doc.refs[reference].active == Some(false);
    }
    Some(Call { callee, args, result, active, place })
}

impl Adjoint<'_> {
    /// Whether activity may pass through the call that a statement is.
    pub(crate) fn passes(&self, doc: &Document, stmt: StmtId) -> bool {
        match &doc.stmts[stmt].kind {
            StmtKind::Call(call) => {
                !doc.is_intrinsic(call.callee.symbol)
                    && call.active.unwrap_or_else(|| {
                        self.tools.parts.callee(call.callee.symbol).is_some()
                            || self.tools.any_active(doc, &call.args)
                    })
            }
            StmtKind::Assign { lhs, defined: Some(_), .. } => {
                // A structure without active components is assigned by a procedure, too.
                self.is_active(doc, *lhs) || doc.refs[*lhs].active.is_none()
            }
            StmtKind::Assign { lhs, rhs, defined: None } => match &doc.exprs[*rhs].kind {
                ExprKind::Call(call) => self.tools.passes_through(doc, call, *lhs),
                _ => false,
            },
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

    /// Whether the backward sweep executes what `stmt` calls once more.
    pub(crate) fn is_executed_again(&self, doc: &Document, stmt: StmtId) -> bool {
        let Some((callee, _)) = callee_of(doc, stmt) else { return false };
        !self.split.contains(&stmt)
            && self.passes(doc, stmt)
            && self.tools.has_derivative(doc, callee.symbol)
    }

    /// Backward sweep of `call q(a, b)`: `call q_b(a, ab, b, bb)`; of `t = f(a)`: `call f_b(a, ab, t,
    /// tb)`.
    pub(crate) fn backward_call(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
    ) -> Result<(), Diagnostic> {
        let Some(call) = call_of(e.doc, stmt) else { return Ok(()) };
        match call.result {
            Some(_) => self.restore_around(e, stmt, |this, e| this.joint_call(e, stmt, &call)),
            None => {
                self.restore(e, stmt)?;
                self.joint_call(e, stmt, &call)
            }
        }
    }

    pub(crate) fn joint_call(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        call: &Call,
    ) -> Result<(), Diagnostic> {
        let adjoint = match self.passes(e.doc, stmt) {
            true => self.tools.callee(e.doc, &call.callee),
            false => None,
        };
        let adjoint = match self.shared.get(&stmt) {
            Some(&shared) if adjoint.is_some() => {
                self.tools.import(e.doc, shared);
                Some(shared)
            }
            Some(_) | None => adjoint,
        };
        let Some(adjoint) = adjoint else {
            let Call { callee, args, result, active, place } = call;
            let (active, result, place) = (*active, *result, *place);
            let outside = Outside { callee, args, active, result, place };
            let written = self.tools.without_derivative(e.doc, &outside)?;
            self.tools.zero_written(e, written)?;
            return self.follow_reshaped(e, stmt);
        };
        let scope = self.scope(e.doc);
        match open_elements(e, scope, stmt, true)? {
            Some(elements) => {
                if let Some(call) = call_of(e.doc, elements.stmt) {
                    self.call_adjoint(e, stmt, &call, adjoint, Sweep::Both)?;
                }
                elements.close(e);
                Ok(())
            }
            None => {
                self.release_result(e, call);
                self.call_adjoint(e, stmt, call, adjoint, Sweep::Both)
            }
        }
    }

    /// The adjoint of a function with an allocatable result allocates it once more.
    pub(crate) fn release_result(&self, e: &mut Emitter<'_>, call: &Call) {
        let Some(result) = call.result else { return };
        let own = e.doc.described_by(call.callee.symbol).and_then(|p| e.doc.procs[p].result);
        if own.is_some_and(|own| e.doc.has(own, Attr::Allocatable)) {
            let there = exists(e.doc, result, "allocated");
            e.open_if(there, call.place);
            release(e, result);
            e.close_if();
        }
    }

    /// The call of an adjoint procedure; `stmt` is the statement as it was.
    pub(crate) fn call_adjoint(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        call: &Call,
        adjoint: SymbolId,
        sweep: Sweep,
    ) -> Result<(), Diagnostic> {
        // What takes a result without adjoint loses its own before the arguments get theirs.
        if let Some(result) = call.result
            && sweep != Sweep::Forward
            && !self.tools.gives_derivative(adjoint)
        {
            self.tools.zero_variable(e, result)?;
        }
        let actuals = Actuals { args: &call.args, result: call.result };
        let mut args = self.tools.arguments(e, &call.callee, adjoint, &actuals, call.place)?;
        // The forward sweep alone does nothing to adjoints.
        let behind = match sweep {
            Sweep::Forward => Vec::new(),
            Sweep::Both => self.separate(e, stmt, call, (adjoint, &BTreeSet::new()), &mut args)?,
            Sweep::Backward => {
                let addressed = self.tools.parts.addressed(adjoint);
                self.separate(e, stmt, call, (adjoint, &addressed), &mut args)?
            }
        };
        let constants = match sweep {
            Sweep::Forward => Vec::new(),
            Sweep::Both | Sweep::Backward => self.make_definable(e, adjoint, &mut args, call.place),
        };
        let made = SubroutineCall {
            callee: Callee { symbol: adjoint, generic: None, object: None },
            args,
            formal_count: self.tools.count(adjoint),
            active: None,
        };
        e.stmt(StmtKind::Call(Box::new(made)), call.place);
        for array in constants {
            e.release(array, call.place);
        }
        self.join(e, behind, call.place)?;
        for kind in std::mem::take(&mut self.tools.behind) {
            e.stmt(kind, call.place);
        }
        Ok(())
    }
}
