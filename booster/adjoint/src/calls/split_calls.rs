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
    Arg, ArgValue, Attr, Base, Body, Document, ExprId, ExprKind, Part, Place, RefId, StmtId,
    StmtKind, Subscript, SymbolId,
};
use xaif_schema::tape::recording;

use crate::body::{Adjoint, entries};
use crate::call_modes::targets::{Lacks, passed, why_not_passed};
use crate::calls::call::{Call, call_of};
use crate::queries::tape_operations::operation;
use crate::queries::temporaries::temporary;
use booster_build::{Copier, Emitter, value_of, whole};
use booster_facts::LocationId;
use booster_facts::arguments_of;
use booster_shadow::derivative::{Slot, Sweep};
use booster_shadow::elemental::open_elements;

/// Variables that keep values from before the call, with these values.
type Kept = Vec<(SymbolId, ExprId)>;

impl Adjoint<'_> {
    /// Forward sweep: the values that the call changes and its adjoint needs, then `q_fwd`.
    pub(crate) fn forward_split(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
    ) -> Result<(), Diagnostic> {
        let Some(call) = call_of(e.doc, stmt) else { return Ok(()) };
        for name in self.recorded_result(e.doc, stmt, call.result) {
            self.tape_for(e, stmt, &name, true)?;
        }
        self.tape_shape(e, stmt, true)?;
        self.release_result(e, &call);
        if let (StmtKind::Assign { lhs, rhs, defined: None }, true) =
            (e.doc.stmts[stmt].kind.clone(), call.result.is_some())
            && let ExprKind::Call(call) = e.doc.exprs[rhs].kind.clone()
        {
            let place = e.doc.stmts[stmt].place;
            // The adjoint of a local variable comes into being as the backward sweep begins.
            let base = e.doc.refs[lhs].base;
            let procedures = self.storage.procedures();
            let local = procedures.owner(e.doc.symbols[base].scope).is_some()
                && procedures.dummy_of(base).is_none()
                && !procedures.is_static(base);
            self.tools.shape_result(e, lhs, &call, (place, !local))?;
        }
        let scope = self.scope(e.doc);
        match open_elements(e, scope, stmt, false)? {
            Some(elements) => {
                if let Some(mut call) = call_of(e.doc, elements.stmt) {
                    self.forward_half(e, stmt, &mut call)?;
                }
                elements.close(e);
                Ok(())
            }
            None => {
                let mut call = call;
                self.forward_half(e, stmt, &mut call)
            }
        }
    }

    fn forward_half(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        call: &mut Call,
    ) -> Result<(), Diagnostic> {
        self.pointers_are_there(e, stmt, call)?;
        let moved = self.settled(e, stmt, call)?;
        let elsewhere =
            |arg: &xaif_schema::model::Arg| matches!(arg.value, ArgValue::AlternateReturn(_));
        if let (Some(&(_, value)), true) = (moved.first(), call.args.iter().any(elsewhere)) {
            // It is recorded behind the call, and control may come from the call to several places.
            let message = "the call may change this value, which its backward sweep needs as it \
                           was, and may return to another place";
            let spot = e.doc.spot(e.doc.exprs[value].place);
            return Err(Diagnostic::error(Code::SPLIT_REFUSED, spot, message)
                .with_help("put the value into a variable of its own before the call"));
        }
        for &(symbol, value) in &moved {
            match e.doc.symbols[symbol].rank {
                None | Some(0) => {
                    let target = whole(e.doc, symbol, call.place);
                    e.assign(target, value, call.place);
                }
                Some(_) => allocate_like(e, symbol, value, call.place),
            }
        }
        self.call_half(e, stmt, call, Sweep::Forward)?;
        for &(symbol, _) in &moved {
            self.tape_kept(e, symbol, true, call.place)?;
            release(e, symbol, call.place);
        }
        Ok(())
    }

    /// Actual arguments for pointer dummies have adjoints in the forward sweep, too.
    fn pointers_are_there(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        call: &Call,
    ) -> Result<(), Diagnostic> {
        let dummies = arguments_of(e.doc, call.callee.symbol).unwrap_or_default();
        let pointer = |arg: &Arg| {
            let ArgValue::Expr(value) = arg.value else { return None };
            let dummy = dummies.iter().find(|dummy| dummy.position == arg.position)?.symbol?;
            e.doc.exprs[value].reference().filter(|_| e.doc.has(dummy, Attr::Pointer))
        };
        let pointers: Vec<RefId> = call.args.iter().filter_map(pointer).collect();
        pointers.into_iter().try_for_each(|pointer| self.holder_is_there(e, stmt, pointer))
    }

    /// Backward sweep: those values again, then `q_bwd`.
    pub(crate) fn backward_split(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
    ) -> Result<(), Diagnostic> {
        let Some(mut call) = call_of(e.doc, stmt) else { return Ok(()) };
        let scope = self.scope(e.doc);
        match open_elements(e, scope, stmt, true)? {
            Some(elements) => {
                if let Some(mut call) = call_of(e.doc, elements.stmt) {
                    self.backward_half(e, stmt, &mut call)?;
                }
                elements.close(e);
            }
            None => self.backward_half(e, stmt, &mut call)?,
        }
        self.tape_shape(e, stmt, false)?;
        for name in self.recorded_result(e.doc, stmt, call.result).iter().rev() {
            self.tape_for(e, stmt, name, false)?;
        }
        if let StmtKind::Assign { lhs, rhs, .. } = e.doc.stmts[stmt].kind
            && self.reshapes(e.doc, lhs, rhs)
        {
            self.follow(e, lhs)?;
        }
        Ok(())
    }

    fn backward_half(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        call: &mut Call,
    ) -> Result<(), Diagnostic> {
        let moved = self.settled(e, stmt, call)?;
        for &(symbol, value) in moved.iter().rev() {
            if e.doc.symbols[symbol].rank.unwrap_or(0) > 0 {
                // For its shape; the value is another by now.
                allocate_like(e, symbol, value, call.place);
            }
            self.tape_kept(e, symbol, false, call.place)?;
        }
        self.call_half(e, stmt, call, Sweep::Backward)?;
        for &(symbol, _) in &moved {
            release(e, symbol, call.place);
        }
        Ok(())
    }

    fn tape_kept(
        &mut self,
        e: &mut Emitter<'_>,
        symbol: SymbolId,
        push: bool,
        place: Place,
    ) -> Result<(), Diagnostic> {
        let value = whole(e.doc, symbol, place);
        let ty = e.doc.refs[value].ty;
        if let Base::Derived(_) = ty.base {
            let own = e.doc.refs[value].clone();
            return self.tape(e, &own, push);
        }
        let name = recording(ty, push);
        let value = value_of(e.doc, value);
        operation(e, name, value, place);
        Ok(())
    }

    /// What a function's result overwrites, as far as it is recorded; all else is the callee's matter.
    fn recorded_result(
        &self,
        doc: &Document,
        stmt: StmtId,
        result: Option<RefId>,
    ) -> Vec<xaif_schema::model::Reference> {
        let Some(result) = result else { return Vec::new() };
        let names = self.recorded(doc, stmt).into_iter();
        names.filter(|name| self.is_result(doc, stmt, name, result)).collect()
    }

    fn call_half(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        call: &Call,
        sweep: Sweep,
    ) -> Result<(), Diagnostic> {
        let Call { callee, place, .. } = call;
        let shared = self.shared.get(&stmt).copied();
        let both = shared.or_else(|| self.tools.parts.callee(callee.symbol));
        let both = both.and_then(|both| self.tools.parts.halves(e.doc, self.proc, both));
        let Some([forward, backward]) = both else {
            return Err(self.cannot_be_split(e.doc, callee.symbol, *place));
        };
        let half = if sweep == Sweep::Forward { forward } else { backward };
        if sweep == Sweep::Forward {
            self.same_for_both(e.doc, stmt, call, half)?;
            self.begin_passed_pointers(e.doc, stmt, half);
        }
        self.tools.import(e.doc, half);
        self.call_adjoint(e, stmt, call, half, sweep)
    }

    /// Refuses what would be elsewhere in the backward sweep, where pointers come to point to it.
    fn same_for_both(
        &self,
        doc: &Document,
        stmt: StmtId,
        call: &Call,
        half: SymbolId,
    ) -> Result<(), Diagnostic> {
        let addressed = self.tools.parts.addressed(half);
        let dummies = arguments_of(doc, call.callee.symbol);
        let lacks = |symbol| self.lacks_adjoint(doc, symbol);
        let procedures = self.storage.procedures();
        let slots = self.tools.parts.signature(half).unwrap_or_default();
        for (at, reference) in passed(doc, stmt).iter().filter(|(at, _)| addressed.contains(at)) {
            let index = usize::try_from(*at).unwrap_or(0).wrapping_sub(1);
            let dummy = dummies.and_then(|args| args.get(index)).and_then(|arg| arg.symbol);
            let owner = reference.as_ref().map(|reference| doc.symbols[reference.base].scope);
            let owner = owner.and_then(|scope| procedures.owner(scope)).unwrap_or(self.proc);
            let whole = self.tools.parts.sweep_of(owner) == Sweep::Both;
            let lacking = (&lacks as Lacks<'_>, whole);
            let base = reference.as_ref().map(|reference| reference.base);
            // The adjoint that is passed for what has none is a variable for this call alone.
            let has_none = base.is_some_and(|base| self.tools.parts.variable(base).is_none())
                && slots.contains(&Slot::ArgumentDerivative(*at));
            let why = why_not_passed(doc, procedures, lacking, reference.as_ref(), dummy)
                .or(has_none.then_some("what is passed has no adjoint"));
            let Some(why) = why else { continue };
            let named = dummy.map_or("", |dummy| doc.name(dummy));
            let message = format!(
                "a pointer comes to point to `{named}` in a call that must be split, and {why}"
            );
            let spot = doc.spot(reference.as_ref().map_or(call.place, |reference| reference.place));
            return Err(Diagnostic::error(Code::SPLIT_REFUSED, spot, message)
                .with_help(
                    "pass a whole variable of a module, or say CONTIGUOUS where a pointer that is passed is \
                     declared",
                ));
        }
        Ok(())
    }

    /// A local pointer that the callee associates points nowhere as the procedure begins, so that the
    /// callee can record that.
    fn begin_passed_pointers(&mut self, doc: &mut Document, stmt: StmtId, half: SymbolId) {
        let addressed = self.tools.parts.addressed(half);
        let passed = passed(doc, stmt).into_iter().filter(|(at, _)| addressed.contains(at));
        for pointer in passed.filter_map(|(_, reference)| reference) {
            let known =
                self.context.undefined.iter().any(|&other| doc.refs[other].base == pointer.base);
            let is_pointer = pointer.parts.is_empty() && doc.has(pointer.base, Attr::Pointer);
            if is_pointer && !known && self.is_local(doc, pointer.base) {
                let pointer = whole(doc, pointer.base, Place::default());
                self.context.undefined.push(pointer);
            }
        }
    }

    fn cannot_be_split(&self, doc: &Document, callee: SymbolId, place: Place) -> Diagnostic {
        let proc = self.tools.parts.derivative_procedure(doc, callee);
        let entered = proc.is_some_and(|proc| match &doc.procs[proc].body {
            Body::Flow(cfg) => entries(cfg).next().is_some(),
            Body::Interface | Body::Replacements { .. } => false,
        });
        let (why, help) = match (entered, proc) {
            (true, _) => (
                "it has an ENTRY and lets pointers point to an argument",
                "make procedures of the entries",
            ),
            (false, Some(_)) => (
                "it may overwrite what the extents of its arrays depend on",
                "declare them by variables that stay as they are",
            ),
            (false, None) => (
                "what is called here is known only when the program runs, and not all that may be has a \
                 source or can be split",
                "call the procedure by its own name",
            ),
        };
        let message = format!(
            "`{}` cannot be executed once more in the backward sweep, and it cannot be split, since \
             {why}",
            doc.name(callee)
        );
        Diagnostic::error(Code::SPLIT_REFUSED, doc.spot(place), message).with_help(help)
    }

    /// The actual arguments with variables in the places of subscripts and values that the call may
    /// change, and these variables with the values they get.
    fn settled(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        call: &mut Call,
    ) -> Result<Kept, Diagnostic> {
        let mut moved = Vec::new();
        let Some(found) = self.overwritten(stmt) else { return Ok(moved) };
        let changed: BTreeSet<LocationId> = found.locations.clone();
        for arg in &call.args {
            let ArgValue::Expr(expr) = arg.value else { continue };
            self.settle(e, expr, &changed, &mut moved)?;
        }
        Ok(moved)
    }

    fn settle(
        &mut self,
        e: &mut Emitter<'_>,
        expr: ExprId,
        changed: &BTreeSet<LocationId>,
        moved: &mut Kept,
    ) -> Result<(), Diagnostic> {
        match e.doc.exprs[expr].kind.clone() {
            ExprKind::Ref(reference) if !e.doc.exprs[expr].parens => {
                self.settle_reference(e, reference, changed, moved)
            }
            ExprKind::Procedure(_) => Ok(()),
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Opaque(_) => {
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
        changed: &BTreeSet<LocationId>,
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
        changed: &BTreeSet<LocationId>,
        moved: &mut Kept,
    ) -> Result<(), Diagnostic> {
        let read = self.locations_read(e.doc, expr);
        if !read.iter().any(|location| changed.contains(location)) {
            return Ok(());
        }
        let (ty, place) = (e.doc.exprs[expr].ty, e.doc.exprs[expr].place);
        let number = matches!(
            ty.base,
            Base::Integer(_) | Base::Real(_) | Base::Complex(_) | Base::Logical(_)
        );
        if !number {
            let message =
                "the call may change this value, which its backward sweep needs as it was";
            return Err(Diagnostic::error(Code::SPLIT_REFUSED, e.doc.spot(place), message)
                .with_help("put the value into a variable of its own before the call"));
        }
        let scope = self.scope(e.doc);
        let symbol = temporary(e.doc, scope, "kept", ty, place);
        let value = Copier::new().expr(e.doc, expr);
        moved.push((symbol, value));
        let stands = whole(e.doc, symbol, place);
        e.doc.exprs[expr].kind = ExprKind::Ref(stands);
        Ok(())
    }
}

/// `allocate(symbol, source=value)`
fn allocate_like(e: &mut Emitter<'_>, symbol: SymbolId, value: ExprId, place: Place) {
    let value = Copier::new().expr(e.doc, value);
    let object = whole(e.doc, symbol, place);
    e.allocate_like(object, value, place);
}

/// Releases an array.
fn release(e: &mut Emitter<'_>, symbol: SymbolId, place: Place) {
    let object = whole(e.doc, symbol, place);
    if e.doc.refs[object].ty.rank > 0 {
        e.release(object, place);
    }
}
