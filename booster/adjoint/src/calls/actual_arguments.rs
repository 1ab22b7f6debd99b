//! Adjoints of actual arguments that cannot be passed as they are.
//!
//! An adjoint procedure adds to the adjoints that it is given. So it must not be given one twice, for
//! two arguments or for an argument and a global variable that it names itself; and a dummy argument
//! with VALUE is a variable of its own, whose adjoint begins with zero. In these cases an adjoint of
//! its own is passed, which is zero before the call and added behind it. Not so for pointers that are
//! passed to pointers: the language lets them point to the same, and so do their adjoints.
//!
//! Fortran lets a program pass a variable twice only if nothing that both names mean is overwritten.
//! Where the same variable certainly is passed twice and may be overwritten, it is refused. Where only
//! elements may be the same, other elements may be overwritten than those (`call ends(u, u(2))`): what is not
//! overwritten itself has an adjoint of its own then, too, unless all that is read of the other is
//! overwritten (`covered`), which does not help what lies apart in storage: it may be passed as a copy, all of which
//! comes back. Where both are overwritten, elsewhere than what they share (`call f(a, a(2))` with
//! `a(1) = a(1)*a(2)` and `b(n) = b(n)*b(1)`), the variable of its own begins with the adjoint, and what
//! the call has added to it is added behind it. So is it with what comes back beside a global variable that the
//! procedure names itself. What is overwritten as a structure and as its component is believed to be apart, and
//! so are structures.
//!
//! A variable of its own cannot be had for an array whose extent is not known; there the user may tell that
//! what begins at different elements does not overlap (`--disjoint`). Without that promise it is refused, or,
//! where one is overwritten, so that overlap is unlikely, told. The same promise allows a variable to be
//! passed twice that the procedure may overwrite: LAPACK does so where it only asks for the size of a workspace.

use std::collections::BTreeSet;

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Dim, Document, ExprId, Part, Place, RefId, StmtId, SymbolId, Ty,
};

use crate::body::Adjoint;
use crate::calls::call::Call;
use crate::calls::overlap::reads_what_it_overwrites;
use crate::calls::sequence_association::reached;
use crate::queries::designators::has_open_end;
use crate::queries::temporaries::temporary;
use booster_build::unbounded;
use booster_build::{
    Copier, Emitter, binary, has_vector_subscript, index, intrinsic, same_reference, value_of,
    whole,
};
use booster_facts::LocationId;
use booster_facts::arguments_of;
use booster_shadow::derivative::Slot;
use booster_shadow::jacobian::is_none;
use booster_tangent::zero::{guards, open_guards};

/// What is added to what behind a call.
pub(crate) struct Added {
    /// The adjoint of the actual argument.
    to: RefId,
    /// The variable that was passed.
    from: SymbolId,
    /// What this variable was before the call, if it was not zero.
    before: Option<SymbolId>,
    /// The inquiries that tell whether the actual argument is there.
    guards: Vec<&'static str>,
}

/// An actual argument.
struct Passed {
    object: RefId,
    /// The dummy argument, from 0.
    index: usize,
    /// Whether the dummy argument is a scalar.
    scalar: bool,
    /// Whether the dummy argument may be overwritten.
    written: bool,
    /// Whether the dummy argument is a variable of its own.
    value: bool,
    /// Whether the dummy argument may be absent.
    optional: bool,
    /// Whether the dummy argument is a pointer: others are told that it may mean the same.
    pointer: bool,
}

impl Passed {
    /// Whether it is an element that stands for all that follow.
    fn is_beginning(&self, e: &Emitter<'_>) -> bool {
        let reference = &e.doc.refs[self.object];
        let element = matches!(reference.parts.last(), Some(Part::Elements(_)));
        !self.scalar && element && reference.ty.rank == 0
    }
}

/// What is passed to an adjoint procedure.
struct Passing<'c> {
    call: &'c Call,
    /// The active arguments: where their adjoints stand among the actual arguments, and what they are.
    active: Vec<(usize, Passed)>,
    /// The dummy arguments, from 0, that the call may overwrite.
    overwritten: BTreeSet<usize>,
    /// What the procedure itself names.
    direct: BTreeSet<LocationId>,
    /// The arguments, from 1, to which pointers point already (see `targets`).
    addressed: &'c BTreeSet<u32>,
}

impl Passing<'_> {
    fn is_addressed(&self, own: &Passed) -> bool {
        u32::try_from(own.index + 1).is_ok_and(|number| self.addressed.contains(&number))
    }
}

/// Why an adjoint is not passed as it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Why {
    /// It certainly would be wrong.
    Certain,
    /// Something may overlap.
    Overlap,
}

impl Adjoint<'_> {
    /// Puts variables of their own in the place of adjoints that cannot be passed as they are. Not so
    /// for `addressed` arguments.
    pub(crate) fn separate(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        call: &Call,
        (adjoint, addressed): (SymbolId, &BTreeSet<u32>),
        args: &mut [Arg],
    ) -> Result<Vec<Added>, Diagnostic> {
        let passing = self.passing(e.doc, stmt, call, (adjoint, addressed), args);
        let mut added = Vec::new();
        for (number, (at, own)) in passing.active.iter().enumerate() {
            let ArgValue::Expr(expr) = args[*at].value else { continue };
            let Some(object) = e.doc.exprs[expr].reference() else { continue };
            let Some(why) = self.why_apart(e, &passing, number, object)? else { continue };
            if passing.is_addressed(own) {
                return Err(self.passed_twice(e, own.object, call.place));
            }
            if let Some((substitute, value)) = self.substitute(e, &passing, own, (object, why))? {
                args[*at].value = ArgValue::Expr(value);
                added.push(substitute);
            }
        }
        Ok(added)
    }

    fn passing<'c>(
        &self,
        doc: &Document,
        stmt: StmtId,
        call: &'c Call,
        (adjoint, addressed): (SymbolId, &'c BTreeSet<u32>),
        args: &[Arg],
    ) -> Passing<'c> {
        let slots = self.tools.parts.signature(adjoint).map(<[Slot]>::to_vec).unwrap_or_default();
        let dummies = arguments_of(doc, call.callee.symbol).unwrap_or_default();
        let dummies: Vec<Option<SymbolId>> = dummies.iter().map(|arg| arg.symbol).collect();
        let (overwritten, direct) = match self.overwritten(stmt) {
            Some(found) => (found.arguments.clone(), found.direct.clone()),
            None => (BTreeSet::new(), BTreeSet::new()),
        };
        let active = |(at, arg): (usize, &Arg)| {
            let number = number_of(&slots, arg)?;
            let index = usize::try_from(number).ok()?.checked_sub(1)?;
            let own = call.args.iter().find(|one| one.position == number)?;
            let (ArgValue::Expr(expr), ArgValue::Expr(own)) = (arg.value, own.value) else {
                return None;
            };
            doc.exprs[expr].reference()?;
            let object = doc.exprs[own].reference()?;
            let dummy = dummies.get(index).copied().flatten();
            let scalar = dummy.is_some_and(|dummy| doc.symbols[dummy].rank == Some(0));
            let value = dummy.is_some_and(|dummy| doc.has(dummy, Attr::Value));
            let written = !value && overwritten.contains(&index);
            let pointer = dummy.is_some_and(|dummy| doc.has(dummy, Attr::Pointer));
            let optional = dummy.is_some_and(|dummy| doc.has(dummy, Attr::Optional));
            let passed = Passed { object, index, scalar, written, value, optional, pointer };
            self.tools.parts.is_active(doc, object).then_some((at, passed))
        };
        let mut active: Vec<(usize, Passed)> = args.iter().enumerate().filter_map(active).collect();
        // Others must not mean what a pointer may point to, wherever it stands.
        active.sort_by_key(|(_, one)| !one.pointer);
        Passing { call, active, overwritten, direct, addressed }
    }

    /// Why the adjoint `object` of the active argument at `number` cannot be passed as it is; nothing, if it can.
    fn why_apart(
        &mut self,
        e: &Emitter<'_>,
        passing: &Passing<'_>,
        number: usize,
        object: RefId,
    ) -> Result<Option<Why>, Diagnostic> {
        let (_, own) = &passing.active[number];
        // Pointers may point to the same, in the adjoint as in the program.
        if own.pointer {
            return Ok(None);
        }
        let before = passing.active[..number].iter().map(|(_, other)| other);
        let before = || before.clone().filter(|other| !other.value && !own.value);
        let same = before().filter(|o| same_reference(e.doc, own.object, o.object));
        let same: Vec<bool> = same.map(|other| other.written).collect();
        let is_written = own.written || same.contains(&true);
        if !same.is_empty() && is_written {
            if !self.disjoint {
                return Err(self.passed_twice(e, own.object, passing.call.place));
            }
            self.believe(e, own.object, passing.call.place);
        }
        let both_read =
            |other: &Passed| !self.disjoint && !other.written && self.may_touch(e, own, other);
        let twice = !same.is_empty() || before().any(both_read);
        let locations = self.storage.locations_of(e.doc, own.object);
        let named = locations.iter().any(|location: &LocationId| passing.direct.contains(location));
        // What is added to a copy of some elements is lost.
        let is_copied = has_vector_subscript(e.doc, own.object);
        // A program that keeps the rule does not overwrite it in this call.
        let open = has_open_end(e.doc, e.doc.refs[object].base);
        let kept = !same.is_empty() && is_written && !open;
        if own.value || is_copied || kept || (twice || named) && !is_written {
            return Ok(Some(Why::Certain));
        }
        // What pointers point to must stay what they point to.
        let believed = own.written && passing.is_addressed(own);
        let overlaps = !believed && self.overlaps_written(e, passing, number);
        let comes_back = named && own.written && is_section(e.doc, own.object);
        Ok((overlaps || comes_back).then_some(Why::Overlap))
    }

    /// A variable for the adjoint `object` of an argument, and what is passed in its place; none, if that cannot be
    /// had, and is told.
    fn substitute(
        &mut self,
        e: &mut Emitter<'_>,
        passing: &Passing<'_>,
        own: &Passed,
        (object, why): (RefId, Why),
    ) -> Result<Option<(Added, ExprId)>, Diagnostic> {
        let place = passing.call.place;
        let reached = match own.scalar {
            true => None,
            false => reached(e.doc, passing.call, object, own.index, &passing.overwritten),
        };
        let open = has_open_end(e.doc, e.doc.refs[object].base) && !own.scalar;
        if why == Why::Overlap && open && !is_section(e.doc, object) && reached.is_none() {
            self.tell_overlap(e, own.object, place);
            return Ok(None);
        }
        // An element may stand for all that follow, unless the dummy argument is a scalar.
        let (to, first) = match reached {
            Some(reached) => (reached.section, Some(reached.first)),
            None if own.scalar => (Copier::new().reference(e.doc, object), None),
            None => (whole_of(e, object), None),
        };
        let guards = if own.optional { guards(e.doc, to) } else { Vec::new() };
        open_guards(e, to, &guards);
        let from = self.own_adjoint(e, to, !guards.is_empty())?;
        let before = self.begin_apart(e, to, from, own.written && why == Why::Overlap)?;
        guards.iter().for_each(|_| e.close_if());
        let value = match first {
            Some(first) if first.is_empty() => {
                let whole = whole(e.doc, from, place);
                value_of(e.doc, whole)
            }
            Some(first) => {
                let element = index(e.doc, from, &first, place);
                value_of(e.doc, element)
            }
            None => self.like(e, object, from, place),
        };
        Ok(Some((Added { to, from, before, guards }, value)))
    }

    /// Whether another argument is overwritten and may have elements of the one at `number` that are read through
    /// both. Of two that are overwritten the later one asks.
    fn overlaps_written(&self, e: &Emitter<'_>, passing: &Passing<'_>, number: usize) -> bool {
        let (doc, callee) = (&*e.doc, &passing.call.callee);
        let (_, own) = &passing.active[number];
        let others = match own.written {
            true => &passing.active[..number],
            false => &passing.active[..],
        };
        let covered = |one: &Passed| {
            one.written && reads_what_it_overwrites(doc, &self.storage, callee, one.index)
        };
        let copied =
            |other: &Passed| may_be_copied(doc, own.object) || may_be_copied(doc, other.object);
        // Methods that overwrite a component of their object by another name read it by the first one afterwards,
        // against the rule: the adjoint of that is right as long as both mean the same.
        let believed = |other: &Passed| {
            own.written && (is_structure(doc, own.object) || is_structure(doc, other.object))
        };
        !self.disjoint
            && others.iter().any(|(_, other)| {
                other.written
                    && !other.pointer
                    && !believed(other)
                    && !same_reference(doc, own.object, other.object)
                    && self.may_touch(e, own, other)
                    && match (covered(own), covered(other)) {
                        (true, true) => false,
                        (true, false) | (false, true) => copied(other),
                        (false, false) => true,
                    }
            })
    }

    /// What the variable `from` is before the call that adds to it in the place of the adjoint `to`: zero, if the
    /// argument is not `written`, else the adjoint, and another variable keeps what that was. Of a structure the
    /// adjoint is moved: it is zero until `from` is added.
    fn begin_apart(
        &mut self,
        e: &mut Emitter<'_>,
        to: RefId,
        from: SymbolId,
        written: bool,
    ) -> Result<Option<SymbolId>, Diagnostic> {
        let place = e.doc.refs[to].place;
        let own = whole(e.doc, from, place);
        if !written {
            self.tools.zero(e, own)?;
            return Ok(None);
        }
        let start = Copier::new().reference(e.doc, to);
        if is_structure(e.doc, to) {
            self.tools.zero(e, start)?;
            return Ok(None);
        }
        let before = self.own_adjoint(e, start, false)?;
        if e.doc.refs[to].ty.rank == 0 {
            for variable in [from, before] {
                let value = copy_of(e.doc, to);
                let variable = whole(e.doc, variable, place);
                e.assign(variable, value, place);
            }
        }
        Ok(Some(before))
    }

    fn may_touch(&self, e: &Emitter<'_>, one: &Passed, other: &Passed) -> bool {
        let locations = self.storage.locations_of(e.doc, other.object);
        if one.is_beginning(e) || other.is_beginning(e) {
            let own = self.storage.locations_of(e.doc, one.object);
            return own.iter().any(|location| locations.contains(location));
        }
        self.touches(e.doc, one.object, other.object, &locations)
    }

    /// Tells what rests on the promise that nothing is overwritten.
    fn believe(&mut self, e: &Emitter<'_>, own: RefId, place: Place) {
        let name = e.doc.name(e.doc.refs[own].base);
        let message = format!(
            "`{name}` is passed for two dummy arguments: the adjoint is wrong where one of them is overwritten"
        );
        let help = "--disjoint promises that it is not; where it is, one dummy argument must do";
        self.tell_once(e, place, message, help);
    }

    /// Tells what rests on the belief that two arguments do not overlap.
    fn tell_overlap(&mut self, e: &Emitter<'_>, own: RefId, place: Place) {
        let name = e.doc.name(e.doc.refs[own].base);
        let message = format!(
            "parts of `{name}`, whose extent is not known, are passed for two dummy arguments: the adjoint is \
             wrong where these overlap"
        );
        let help =
            "--disjoint promises that they do not; where they do, pass a copy of one of them";
        self.tell_once(e, place, message, help);
    }

    /// A warning, one for a call.
    fn tell_once(&mut self, e: &Emitter<'_>, place: Place, message: String, help: &str) {
        let spot = e.doc.spot(place);
        let told = |other: &Diagnostic| other.code == Code::PASSED_TWICE && other.spot == spot;
        if !self.tools.problems.iter().any(told) {
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

    /// A variable like the adjoint `object`, with its value where that is an array or a structure. What is not
    /// allocated stands for what is absent, if there may be nothing to stand for (`absent`).
    fn own_adjoint(
        &mut self,
        e: &mut Emitter<'_>,
        object: RefId,
        absent: bool,
    ) -> Result<SymbolId, Diagnostic> {
        let place = e.doc.refs[object].place;
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
        let symbol = if is_structure(e.doc, model) {
            // The copy has what is allocated in the original.
            let copy = self.copied(e, model, "part", place);
            e.doc.refs[copy].base
        } else {
            let scope = self.scope(e.doc);
            let wish = format!("part{}", self.tools.suffix);
            let symbol = temporary(e.doc, scope, &wish, ty, place);
            if ty.rank > 0 || absent {
                let value = value_of(e.doc, model);
                let object = whole(e.doc, symbol, place);
                e.allocate_like(object, value, place);
            }
            symbol
        };
        if absent && let Some(decl) = e.doc.symbols[symbol].decl.as_deref_mut() {
            decl.attrs.insert(Attr::Allocatable);
        }
        Ok(symbol)
    }

    /// `from` in the place of the adjoint `object`: the same element, or all of it.
    fn like(&self, e: &mut Emitter<'_>, object: RefId, from: SymbolId, place: Place) -> ExprId {
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
    pub(crate) fn join(
        &mut self,
        e: &mut Emitter<'_>,
        added: Vec<Added>,
        place: Place,
    ) -> Result<(), Diagnostic> {
        for Added { to, from, before, guards } in added {
            open_guards(e, to, &guards);
            match before {
                None => {
                    let source = whole(e.doc, from, place);
                    self.add_structure(e, to, source)?;
                }
                Some(before) => {
                    let value = changed_twice(e.doc, to, from, before);
                    e.assign(to, value, place);
                }
            }
            for own in [Some(from), before].into_iter().flatten() {
                let own = whole(e.doc, own, place);
                self.drop_aside(e, own);
            }
            guards.iter().for_each(|_| e.close_if());
        }
        Ok(())
    }
}

/// The adjoint `to`, to which one name has added, when another has added to `from`, both beginning with `before`:
/// `merge(from, to + (from - before), abs(to - before) <= 0)`. What only one of them has changed is exact.
fn changed_twice(doc: &mut Document, to: RefId, from: SymbolId, before: SymbolId) -> ExprId {
    let place = doc.refs[to].place;
    let value = |doc: &mut Document, symbol| {
        let variable = whole(doc, symbol, place);
        value_of(doc, variable)
    };
    let was = value(doc, before);
    let one = copy_of(doc, to);
    let change = binary(doc, "sub_scal_scal", one, was);
    let (own, was) = (value(doc, from), value(doc, before));
    let other = binary(doc, "sub_scal_scal", own, was);
    let one = copy_of(doc, to);
    let both = binary(doc, "add_scal_scal", one, other);
    let (own, ty) = (value(doc, from), doc.exprs[both].ty);
    let unchanged = is_none(doc, change);
    intrinsic(doc, "merge", &[own, both, unchanged], ty)
}

fn copy_of(doc: &mut Document, reference: RefId) -> ExprId {
    let copy = Copier::new().reference(doc, reference);
    value_of(doc, copy)
}

/// Whether what is passed may be a copy that comes back behind the call: what lies apart in storage. All of it
/// comes back then, also what the procedure does not look at.
fn may_be_copied(doc: &Document, object: RefId) -> bool {
    let reference = &doc.refs[object];
    let base = doc.symbols[reference.base].decl.as_deref();
    let apart = base.is_some_and(|decl| {
        decl.has(Attr::Pointer) || matches!(decl.dims.first(), Some(Dim::AssumedShape { .. }))
    });
    reference.ty.rank > 0 && apart || is_section(doc, object)
}

fn is_structure(doc: &Document, object: RefId) -> bool {
    matches!(doc.refs[object].ty.base, Base::Derived(_) | Base::Class(_))
}

/// Whether what is passed is an array that is part of a variable.
fn is_section(doc: &Document, object: RefId) -> bool {
    let reference = &doc.refs[object];
    reference.ty.rank > 0 && !reference.parts.is_empty()
}

/// The dummy argument of the program, from 1, whose derivative an argument is.
fn number_of(slots: &[Slot], arg: &Arg) -> Option<u32> {
    let at = usize::try_from(arg.position).ok()?.checked_sub(1)?;
    match slots.get(at)? {
        Slot::ArgumentDerivative(number) => Some(*number),
        Slot::Argument(_)
        | Slot::ArgumentForward(_)
        | Slot::ArgumentBackward(_)
        | Slot::Result
        | Slot::ResultDerivative => None,
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
