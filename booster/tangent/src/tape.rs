//! Operations of the tape: the tangent of an adjoint records derivatives beside values.
//!
//! A value is recorded before its derivative, which is therefore taken back first. Activity says for the tape as a whole
//! whether it carries derivatives; if so, every number and every structure with numbers has one there: a sweep cannot
//! tell which statement of the other takes back what it records.

use std::collections::HashSet;

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, BoolOp, Document, ExprId, ExprKind, InlinableCall, Operand, Place,
    RefId, StmtId, StmtKind, SymbolId, Ty,
};
use xaif_schema::tape::{Operation, Sort, operation, recording};

use super::body::Tangent;
use booster_build::{Copier, Emitter, boolean, integer, intrinsic, real, value_of};
use booster_shadow::derivative::{Counterparts, Direction};

impl Tangent<'_> {
    /// An operation of the tape, with that of the derivative.
    pub(super) fn tape(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        call: &InlinableCall,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        // What a snapshot holds is pushed, and its derivative with it.
        if operation(&call.name).is_some_and(Operation::is_of_checkpoints) {
            e.push(stmt);
            return Ok(());
        }
        let (Some(operation), Some(value)) =
            (operation(&call.name), call.args.first().and_then(expr))
        else {
            return Err(self.error(
                e.doc,
                Code::DERIVATIVE_REFUSED,
                place,
                "this statement is the work of another differentiation tool",
                "differentiate the document that this one was made from",
            ));
        };
        if let Base::Derived(owner) | Base::Class(owner) = e.doc.exprs[value].ty.base
            && has_pointers(e.doc, owner, &mut HashSet::new())
        {
            return Err(self.error(
                e.doc,
                Code::DERIVATIVE_REFUSED,
                place,
                "a pointer goes through the tape, and nothing tells what it may point to when it comes back",
                "differentiate a program in whose adjoint no pointer is recorded",
            ));
        }
        if !self.tape_is_active || !self.parts.types.carries(e.doc.exprs[value].ty.base) {
            e.push(stmt);
            return Ok(());
        }
        if self.parts.directions.is_some() {
            return Err(self.error(
                e.doc,
                Code::SEVERAL_DIRECTIONS,
                place,
                "the tape of an adjoint has no tangent in several directions at once",
                "compute one direction at a time",
            ));
        }
        match (operation.args[0].sort, operation.name) {
            (Sort::Block, name) => self.block(e, stmt, (call, value), name),
            (_, "push" | "push_array") => {
                e.push(stmt);
                self.push_derivative(e, value, place)
            }
            (_, _) => {
                let target = self.derivative_on_tape(e.doc, value);
                let target = target.unwrap_or_else(|| Copier::new().expr(e.doc, value));
                // Without a derivative the variable takes both, the value last.
                operate(e, recording(e.doc.exprs[target].ty, false), target, place);
                e.push(stmt);
                Ok(())
            }
        }
    }

    /// A block of derivatives beside a block of values.
    fn block(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        (call, value): (&InlinableCall, ExprId),
        name: &str,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        let Some(block) = self.derivative_on_tape(e.doc, value) else {
            return Err(self.error(
                e.doc,
                Code::DERIVATIVE_REFUSED,
                place,
                "this block of the tape has no derivative",
                "record variables of the procedure itself",
            ));
        };
        let mut args = call.args.clone();
        Copier::new().args(e.doc, &mut args);
        args[0].value = ArgValue::Expr(block);
        let kind = StmtKind::InlinableCall(Box::new(InlinableCall { args, ..call.clone() }));
        match name {
            "block_alloc" => {
                e.push(stmt);
                e.stmt(kind, place);
            }
            "block_push" => {
                self.zero_passive_block(e, value)?;
                e.push(stmt);
                e.stmt(kind, place);
            }
            _ => {
                e.stmt(kind, place);
                e.push(stmt);
            }
        }
        Ok(())
    }

    /// No statement sets the derivatives of a block into which nothing varied goes.
    fn zero_passive_block(&mut self, e: &mut Emitter<'_>, value: ExprId) -> Result<(), Diagnostic> {
        let Some(own) = e.doc.exprs[value].reference() else { return Ok(()) };
        if self.is_active(e.doc, own) {
            return Ok(());
        }
        match self.parts.reference(e.doc, own, Direction::All) {
            Some(block) => self.zero(e, block),
            None => Ok(()),
        }
    }

    /// Records the derivative of a value, or zero.
    fn push_derivative(
        &mut self,
        e: &mut Emitter<'_>,
        value: ExprId,
        place: Place,
    ) -> Result<(), Diagnostic> {
        let active = self.derivative(e.doc, value, Direction::All)?;
        let derivative = match (active, self.derivative_on_tape(e.doc, value)) {
            (Some(derivative), _) => derivative,
            // What is not varied has the derivative zero, whatever stands there.
            (None, Some(object)) if is_structure(e.doc, value) => {
                if let Some(reference) = e.doc.exprs[object].reference() {
                    self.zero(e, reference)?;
                }
                object
            }
            (None, _) => zero_like(e.doc, value, place),
        };
        operate(e, recording(e.doc.exprs[derivative].ty, true), derivative, place);
        Ok(())
    }

    /// The derivative of the variable that an operation names, whether it takes part there or not.
    fn derivative_on_tape(&self, doc: &mut Document, value: ExprId) -> Option<ExprId> {
        let own: RefId = doc.exprs[value].reference()?;
        let found = self.parts.reference(doc, own, Direction::All)?;
        Some(value_of(doc, found))
    }
}

/// Whether a structure of the type has a pointer somewhere.
fn has_pointers(doc: &Document, owner: SymbolId, seen: &mut HashSet<SymbolId>) -> bool {
    seen.insert(owner)
        && doc.data_components(owner).into_iter().any(|component| {
            doc.has(component, Attr::Pointer)
                || match doc.declared_base(component) {
                    Base::Derived(inner) | Base::Class(inner) => has_pointers(doc, inner, seen),
                    _ => false,
                }
        })
}

fn is_structure(doc: &Document, value: ExprId) -> bool {
    matches!(doc.exprs[value].ty.base, Base::Derived(_) | Base::Class(_))
}

/// Zero in the shape of a value.
fn zero_like(doc: &mut Document, value: ExprId, place: Place) -> ExprId {
    let ty = doc.exprs[value].ty;
    let zero = zero(doc, ty.base, place);
    if ty.rank == 0 {
        return zero;
    }
    // Zero times infinity is no zero: the value gives nothing but its shape.
    let [left, right] = [(); 2].map(|()| Copier::new().expr(doc, value));
    let shape = boolean(doc, BoolOp::Equal, &[left, right]);
    doc.exprs[shape].ty = doc.exprs[shape].ty.with_rank(ty.rank);
    let other = self::zero(doc, ty.base, place);
    intrinsic(doc, "merge", &[zero, other, shape], ty)
}

/// A zero with as many bytes as a number of the type.
fn zero(doc: &mut Document, base: Base, place: Place) -> ExprId {
    let Base::Complex(bytes) = base else { return real(doc, "0", base, place) };
    let part = real(doc, "0", base, place);
    let kind = integer(doc, i64::from(bytes), place);
    let value = intrinsic(doc, "complex_scal", &[part], Ty::scalar(base));
    if let ExprKind::Intrinsic { operands, .. } = &mut doc.exprs[value].kind {
        operands.push(Operand { position: 3, keyword: true, expr: kind });
    }
    value
}

/// Whether the tape carries derivatives: something active is taken back.
pub(crate) fn is_active(doc: &Document, parts: &Counterparts) -> bool {
    doc.stmts.values().any(|stmt| {
        let StmtKind::InlinableCall(call) = &stmt.kind else { return false };
        let taken_back = matches!(&*call.name, "pop" | "pop_array" | "block_pop");
        let target = call.args.first().and_then(expr).and_then(|arg| doc.exprs[arg].reference());
        taken_back
            && target.is_some_and(|target| {
                doc.refs[target].active != Some(false) && parts.is_active(doc, target)
            })
    })
}

/// Applies an operation to a value.
fn operate(e: &mut Emitter<'_>, name: &str, value: ExprId, place: Place) {
    let arg = Arg { position: 1, keyword: None, value: ArgValue::Expr(value) };
    let call = InlinableCall { name: name.into(), args: vec![arg] };
    e.stmt(StmtKind::InlinableCall(Box::new(call)), place);
}

fn expr(arg: &Arg) -> Option<ExprId> {
    match arg.value {
        ArgValue::Expr(value) => Some(value),
        ArgValue::AlternateReturn(_) => None,
    }
}
