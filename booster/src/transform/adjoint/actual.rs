//! Adjoints of actual arguments that cannot be passed as they are.
//!
//! An adjoint procedure adds to the adjoints that it is given. So it must not be given one twice, for
//! two arguments or for an argument and a global variable that it names itself; and a dummy argument
//! with VALUE is a variable of its own, whose adjoint begins with zero. In these cases an adjoint of
//! its own is passed, which is zero before the call and added behind it. Not so for pointers that are
//! passed to pointers: the language lets them point to the same, and so do their adjoints.
//!
//! Fortran lets a program pass a variable twice only if nothing that both names mean is overwritten.
//! Where the same variable certainly is passed twice and may be overwritten, it is refused; where only
//! elements may be the same, the program is believed to keep the rule. A variable of its own cannot be
//! had for an array whose extent is not known; there the user may tell that what begins at different
//! elements does not overlap. The same promise (`--disjoint`) allows a variable to be passed twice
//! that the procedure may overwrite: LAPACK does so where it only asks for the size of a workspace.

use std::collections::BTreeSet;

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Document, ExprKind, Part, Place, RefId, StmtId, SymbolId, Ty,
};

use super::assign::temporary;
use super::body::Adjoint;
use super::call::Call;
use super::memory::unbounded;
use super::record::has_open_end;
use crate::analysis::UnitId;
use crate::build::{Copier, Emitter, has_vector_subscript, same_reference, value_of, whole};
use crate::transform::derivative::{Slot, arguments_of};

/// What is added to what behind a call.
pub(super) struct Added {
    /// The adjoint of the actual argument.
    to: RefId,
    /// The variable that was passed.
    from: SymbolId,
}

/// An actual argument.
struct Passed {
    object: RefId,
    /// Whether the dummy argument is a scalar.
    scalar: bool,
    /// Whether the dummy argument may be overwritten.
    written: bool,
}

impl Passed {
    /// Whether it is an element that stands for all that follow.
    fn is_beginning(&self, e: &Emitter<'_>) -> bool {
        let reference = &e.doc.refs[self.object];
        let element = matches!(reference.parts.last(), Some(Part::Elements(_)));
        !self.scalar && element && reference.ty.rank == 0
    }
}

impl Adjoint<'_> {
    /// Puts variables of their own in the place of adjoints that cannot be passed as they are. Not so
    /// for `addressed` arguments (see `targets`), to which pointers point already.
    pub(super) fn separate(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        call: &Call,
        (adjoint, addressed): (SymbolId, &BTreeSet<u32>),
        args: &mut [Arg],
    ) -> Result<Vec<Added>, Diagnostic> {
        let slots = self.tools.parts.signature(adjoint).map(<[Slot]>::to_vec).unwrap_or_default();
        let dummies = arguments_of(e.doc, call.callee.symbol).unwrap_or_default();
        let dummies: Vec<Option<SymbolId>> = dummies.iter().map(|arg| arg.symbol).collect();
        let (overwritten, direct) = match self.overwritten(stmt) {
            Some(found) => (found.arguments.clone(), found.direct.clone()),
            None => (BTreeSet::new(), BTreeSet::new()),
        };
        let mut passed: Vec<Passed> = Vec::new();
        let mut added = Vec::new();
        // Others must not mean what a pointer may point to, wherever it stands.
        let pointer = |doc: &Document, arg: &Arg| {
            let at = usize::try_from(arg.position).ok().and_then(|at| at.checked_sub(1));
            match at.and_then(|at| slots.get(at)) {
                Some(&Slot::ArgumentDerivative(number)) => {
                    let index = usize::try_from(number).unwrap_or(0).wrapping_sub(1);
                    let dummy = dummies.get(index).copied().flatten();
                    dummy.is_some_and(|dummy| doc.has(dummy, Attr::Pointer))
                }
                Some(_) | None => false,
            }
        };
        let (pointers, others): (Vec<&mut Arg>, Vec<&mut Arg>) =
            args.iter_mut().partition(|arg| pointer(e.doc, arg));
        for arg in pointers.into_iter().chain(others) {
            let slot =
                usize::try_from(arg.position).ok().and_then(|at| slots.get(at.wrapping_sub(1)));
            let Some(&Slot::ArgumentDerivative(number)) = slot else { continue };
            let ArgValue::Expr(expr) = arg.value else { continue };
            let own = call.args.iter().find(|one| one.position == number).map(|one| one.value);
            let (ExprKind::Ref(object), Some(ArgValue::Expr(own))) =
                (e.doc.exprs[expr].kind.clone(), own)
            else {
                continue;
            };
            let ExprKind::Ref(own) = e.doc.exprs[own].kind else { continue };
            if !self.tools.parts.is_active(e.doc, own) {
                continue;
            }
            let index = usize::try_from(number).unwrap_or(0).wrapping_sub(1);
            let dummy = dummies.get(index).copied().flatten();
            let is_value = dummy.is_some_and(|dummy| e.doc.has(dummy, Attr::Value));
            let units = self.storage.units_of(e.doc, own);
            let scalar = dummy.is_some_and(|dummy| e.doc.symbols[dummy].rank == Some(0));
            let own = Passed { object: own, scalar, written: overwritten.contains(&index) };
            // Pointers may point to the same, in the adjoint as in the program.
            if dummy.is_some_and(|dummy| e.doc.has(dummy, Attr::Pointer)) {
                passed.push(own);
                continue;
            }
            let same = passed.iter().filter(|o| same_reference(e.doc, own.object, o.object));
            let same: Vec<bool> = same.map(|other| other.written).collect();
            let is_written = own.written || same.contains(&true);
            if !same.is_empty() && is_written && !is_value {
                if !self.disjoint {
                    return Err(self.passed_twice(e, own.object, call.place));
                }
                self.believe(e, own.object, call.place);
            }
            // Not where one of them is overwritten: a program that keeps the rule has no element in
            // both.
            let may_be_same =
                |other: &Passed| !self.disjoint && !other.written && self.may_touch(e, &own, other);
            let twice = !same.is_empty() || passed.iter().any(may_be_same);
            let named = units.iter().any(|unit: &UnitId| direct.contains(unit));
            // What is added to a copy of some elements is lost.
            let is_copied = has_vector_subscript(e.doc, own.object);
            // A program that keeps the rule does not overwrite it in this call.
            let kept =
                !same.is_empty() && is_written && !has_open_end(e.doc, e.doc.refs[object].base);
            if is_value || is_copied || kept || (twice || named) && !is_written {
                if addressed.contains(&number) {
                    return Err(self.passed_twice(e, own.object, call.place));
                }
                // An element may stand for all that follow, unless the dummy argument is a scalar.
                let to = match scalar {
                    true => Copier::new().reference(e.doc, object),
                    false => whole_of(e, object),
                };
                let from = self.own_adjoint(e, to, call.place)?;
                let value = self.like(e, object, from, call.place);
                arg.value = ArgValue::Expr(value);
                added.push(Added { to, from });
            }
            passed.push(own);
        }
        Ok(added)
    }

    fn may_touch(&self, e: &Emitter<'_>, one: &Passed, other: &Passed) -> bool {
        let units = self.storage.units_of(e.doc, other.object);
        if one.is_beginning(e) || other.is_beginning(e) {
            let own = self.storage.units_of(e.doc, one.object);
            return own.iter().any(|unit| units.contains(unit));
        }
        self.touches(e.doc, one.object, other.object, &units)
    }

    /// Tells, once, what rests on the promise that nothing is overwritten.
    fn believe(&mut self, e: &Emitter<'_>, own: RefId, place: Place) {
        let spot = e.doc.spot(place);
        let told = |other: &Diagnostic| other.code == Code::PASSED_TWICE && other.spot == spot;
        if !self.tools.problems.iter().any(told) {
            let name = e.doc.name(e.doc.refs[own].base);
            let message = format!(
                "`{name}` is passed for two dummy arguments: the adjoint is wrong where one of them is overwritten"
            );
            let help =
                "--disjoint promises that it is not; where it is, one dummy argument must do";
            let warning = Diagnostic::warning(Code::PASSED_TWICE, spot, message);
            self.tools.problems.push(warning.with_help(help));
        }
    }

    fn passed_twice(&self, e: &Emitter<'_>, own: RefId, place: Place) -> Diagnostic {
        let name = e.doc.name(e.doc.refs[own].base);
        let message =
            format!("`{name}` is passed for two dummy arguments, one of which may be overwritten");
        Diagnostic::error(Code::PASSED_TWICE, e.doc.spot(place), message).with_help(
            "pass a copy of it for one of them, let one dummy argument do for both, or tell by \
                 --disjoint that it is not overwritten where it is passed twice",
        )
    }

    /// A variable like the adjoint `object`, set to zero.
    fn own_adjoint(
        &mut self,
        e: &mut Emitter<'_>,
        object: RefId,
        place: Place,
    ) -> Result<SymbolId, Diagnostic> {
        let model = Copier::new().reference(e.doc, object);
        let ty = e.doc.refs[model].ty;
        let open =
            e.doc.refs[model].parts.is_empty() && has_open_end(e.doc, e.doc.refs[model].base);
        if open
            || !matches!(
                ty.base,
                Base::Real(_) | Base::Complex(_) | Base::Derived(_) | Base::Class(_)
            )
        {
            let name = e.doc.name(e.doc.refs[model].base).to_owned();
            let message = format!("`{name}` is passed where a zero adjoint of its own is needed");
            let help = "pass a variable of its own, of known extent, or tell by --disjoint that what \
                        begins at different elements of a variable does not overlap";
            return Err(
                Diagnostic::error(Code::PASSED_TWICE, e.doc.spot(place), message).with_help(help)
            );
        }
        if let Base::Derived(_) | Base::Class(_) = ty.base {
            // The copy has what is allocated in the original.
            let copy = self.copied(e, model, "part", place);
            self.tools.zero(e, copy)?;
            return Ok(e.doc.refs[copy].base);
        }
        let scope = self.scope(e.doc);
        let wish = format!("part{}", self.tools.suffix);
        let symbol = temporary(e.doc, scope, &wish, ty, place);
        if ty.rank > 0 {
            let value = value_of(e.doc, model);
            let object = whole(e.doc, symbol, place);
            e.allocate_like(object, value, place);
        }
        let target = whole(e.doc, symbol, place);
        self.tools.zero(e, target)?;
        Ok(symbol)
    }

    /// `from` in the place of the adjoint `object`: the same element, or all of it.
    fn like(
        &self,
        e: &mut Emitter<'_>,
        object: RefId,
        from: SymbolId,
        place: Place,
    ) -> xaif_schema::model::ExprId {
        let rank = e.doc.symbols[from].rank.unwrap_or(0);
        let target = whole(e.doc, from, place);
        if e.doc.refs[object].ty.rank == 0 && rank > 0 {
            let copy = Copier::new().reference(e.doc, object);
            let last = e.doc.refs[copy].parts.last().cloned();
            e.doc.refs[target].parts.extend(last);
            let base = e.doc.refs[target].ty.base;
            e.doc.refs[target].ty = Ty::scalar(base);
        }
        value_of(e.doc, target)
    }

    /// Adds the adjoints that were passed to those that they stood for.
    pub(super) fn join(
        &mut self,
        e: &mut Emitter<'_>,
        added: Vec<Added>,
        place: Place,
    ) -> Result<(), Diagnostic> {
        for Added { to, from } in added {
            let source = whole(e.doc, from, place);
            self.add_structure(e, to, source)?;
            let own = whole(e.doc, from, place);
            self.drop_aside(e, own);
        }
        Ok(())
    }
}

/// The array that an element is of, a variable or a component; else the object itself.
fn whole_of(e: &mut Emitter<'_>, object: RefId) -> RefId {
    let data = &e.doc.refs[object];
    match data.ty.rank == 0 && matches!(data.parts.last(), Some(Part::Elements(_))) {
        true => unbounded(e.doc, object),
        false => Copier::new().reference(e.doc, object),
    }
}
