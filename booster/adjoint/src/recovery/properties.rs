//! What is recorded of variables whose shape may change: allocation status, bounds and value.
//!
//! An allocatable variable or component is put on the tape as its value, its type where it may have
//! several, its length if that is its own, its bounds, and whether it is allocated; it is taken back in the
//! opposite order, and allocated or released as it was. Structures with such components are taken apart. Pointers
//! stay what they are: they have statements of their own.
//!
//! Adjoint objects are not recorded. In the backward sweep each has the allocation of its original
//! ([`Adjoint::follow`]).

use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{
    Allocate, Arg, ArgValue, Attr, Base, BoolOp, BranchForm, CaseRange, CharLen, Document, ExprId,
    Guard, InlinableCall, KindSpelling, Part, Place, RefId, Reference, StmtId, StmtKind, Subscript,
    SymbolId, Ty, TypeSpec,
};
use xaif_schema::tape::recording;

use crate::body::Adjoint;
use crate::queries::designators::{is_bytes, is_c_pointer};
use booster_build::{
    Copier, Emitter, boolean, bound, integer, intrinsic, new_variable, value_of, whole,
};
use booster_build::{component_of, exists};
use booster_facts::StepKey;
use booster_shadow::derivative::Direction;
use booster_shadow::polymorphic::spec_of;

/// What is done with the tape.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Way {
    /// Whether it is put there, else taken back.
    pub(crate) push: bool,
    /// Whether values are recorded, else only allocation and bounds.
    pub(crate) value: bool,
    /// Whether the variable is allocated where it is recorded and not where it is taken back.
    pub(crate) released: bool,
    /// Whether it is allocated where it is recorded, if that is known.
    pub(crate) before: Option<bool>,
    /// The statement before which it is recorded, and whose changes alone are undone by its recovery.
    pub(crate) stmt: Option<StmtId>,
}

impl Adjoint<'_> {
    /// Whether a variable, or a part of it, is allocatable: it has a state besides its value. Or the tape does not
    /// take it as a whole.
    pub(crate) fn has_state(&self, doc: &Document, reference: &Reference) -> bool {
        let last = match reference.parts.last() {
            None => Some(reference.base),
            Some(Part::Component { symbol, .. }) => *symbol,
            Some(_) => None,
        };
        last.is_some_and(|symbol| doc.has(symbol, Attr::Allocatable))
            || !is_bytes(doc, reference.ty.base)
    }

    /// Pushes or pops allocation, bounds and (if `way` says so) value of a variable.
    pub(crate) fn tape_state(
        &mut self,
        e: &mut Emitter<'_>,
        reference: &Reference,
        way: Way,
    ) -> Result<(), Diagnostic> {
        self.tools.import(e.doc, reference.base);
        let object = e.doc.refs.push(reference.clone());
        let object = Copier::new().reference(e.doc, object);
        self.state(e, object, way)
    }

    fn state(&mut self, e: &mut Emitter<'_>, object: RefId, way: Way) -> Result<(), Diagnostic> {
        let Reference { ty, place, .. } = e.doc.refs[object];
        let symbol = e.doc.refs[object].whole_entity();
        let is = |doc: &Document, attr| symbol.is_some_and(|symbol| doc.has(symbol, attr));
        if !is(e.doc, Attr::Allocatable) {
            if is(e.doc, Attr::Optional) && e.doc.refs[object].parts.is_empty() {
                let there = exists(e.doc, object, "present");
                e.open_if(there, place);
                let done = self.contents(e, object, way);
                e.close_if();
                return done;
            }
            return self.contents(e, object, way);
        }
        if matches!(ty.base, Base::ClassStar) {
            let base = e.doc.refs[object].base;
            let own = symbol.map_or("", |symbol| e.doc.name(symbol));
            let named = match symbol == Some(base) {
                true => format!("`{own}`"),
                false => format!("the component `{own}` of `{}`", e.doc.name(base)),
            };
            let message = format!(
                "the allocation of {named}, whose type is known only as the program runs, must be recorded here"
            );
            let help = format!("declare `{own}` with its type");
            return Err(self.refused(e.doc, place, message, &help));
        }
        let Way { push, released, value, .. } = way;
        let told = || self.allocated_before(way.stmt?, &e.doc.refs[object]);
        let before = way.before.or_else(told);
        let is_kept = way.stmt.is_some_and(|stmt| self.keeps_properties(e.doc, stmt, object));
        if is_kept && (before == Some(false) || !value) {
            return Ok(());
        }
        if is_kept {
            if before.is_none() {
                let there = exists(e.doc, object, "allocated");
                e.open_if(there, place);
            }
            let done = self.contents(e, object, Way { before: None, ..way });
            if before.is_none() {
                e.close_if();
            }
            return done;
        }
        let known = released || before == Some(true);
        let way = Way { released: false, before: None, ..way };
        if !released && before == Some(false) {
            if !push {
                let there = exists(e.doc, object, "allocated");
                e.open_if(there, place);
                release(e, object);
                e.close_if();
            }
            return Ok(());
        }
        if push {
            if !known {
                let there = exists(e.doc, object, "allocated");
                e.open_if(there, place);
            }
            self.contents(e, object, way)?;
            self.push_type(e, object)?;
            if let Some(length) = deferred_length(e.doc, object) {
                on_tape(e, "push", length, place);
            }
            for dimension in 1..=ty.rank {
                for name in ["lbound", "ubound"] {
                    let bound = bound(e.doc, object, name, dimension);
                    on_tape(e, "push", bound, place);
                }
            }
            if !known {
                e.close_if();
                let there = exists(e.doc, object, "allocated");
                on_tape(e, "push", there, place);
            }
            return Ok(());
        }
        if known {
            let gone = released && !self.may_be_back(e.doc, object);
            self.allocate_as_recorded(e, object, gone)?;
            return self.contents(e, object, way);
        }
        let there = self.scratch(e.doc, "there", Base::Logical(4));
        let value = value_of_symbol(e.doc, there, place);
        on_tape(e, "pop", value, place);
        let condition = value_of_symbol(e.doc, there, place);
        e.open_if(condition, place);
        self.allocate_as_recorded(e, object, false)?;
        self.contents(e, object, way)?;
        e.open_else();
        let condition = exists(e.doc, object, "allocated");
        e.open_if(condition, place);
        release(e, object);
        e.close_if();
        e.close_if();
        Ok(())
    }

    /// Whether an active call changes neither allocation nor bounds of an object that it is given, nor of the
    /// components of the object. TBR analysis requires these properties there.
    fn keeps_properties(&self, doc: &Document, stmt: StmtId, object: RefId) -> bool {
        let StmtKind::Call(call) = &doc.stmts[stmt].kind else { return false };
        let Some(found) = self.overwritten(stmt).filter(|found| !found.world) else { return false };
        let data = &doc.refs[object];
        let is_passed = call.args.iter().any(|arg| match arg.value {
            ArgValue::Expr(value) => {
                doc.exprs[value].reference().is_some_and(|own| doc.refs[own].base == data.base)
            }
            ArgValue::AlternateReturn(_) => false,
        });
        if !is_passed
            || !self.passes(doc, stmt)
            || !has_one_type(doc, data.ty.base, &mut Vec::new())
        {
            return false;
        }
        let (properties, _) = self.storage.reshaped_at(doc, data, true);
        !properties.is_empty()
            && !properties.iter().any(|location| found.properties.contains(location))
    }

    /// Whether an object that the program has released may be allocated as the backward sweep comes
    /// there: a passive one that something else than ALLOCATE gives its allocation, which is not undone.
    fn may_be_back(&self, doc: &Document, object: RefId) -> bool {
        if self.tools.parts.is_active(doc, object) {
            return false;
        }
        let is_given = |step: StepKey| match step {
            StepKey::Stmt(stmt) => {
                !matches!(doc.stmts[stmt].kind, StmtKind::Allocate(_) | StmtKind::Release(_))
            }
            _ => true,
        };
        let (own, _) = self.storage.reshaped_at(doc, &doc.refs[object], true);
        // A variable of a host or module has its allocation from other procedures as well.
        let scope = doc.symbols[doc.refs[object].base].scope;
        let is_near = scope == doc.procs[self.proc].scope;
        let bodies = self.overwrites.iter().filter(|&(&proc, _)| !is_near || proc == self.proc);
        let mut steps = bodies.flat_map(|(_, body)| body.steps());
        steps.any(|(step, found)| {
            is_given(step)
                && (found.world || own.iter().any(|property| found.properties.contains(property)))
        })
    }

    /// The types that a polymorphic object may have, if there are several.
    fn several_types(&self, doc: &Document, object: RefId) -> Option<Vec<SymbolId>> {
        let Base::Class(owner) = doc.refs[object].ty.base else { return None };
        (!self.tools.has_no_extension(owner)).then(|| self.tools.types_of_class(doc, owner))
    }

    /// Records which of its types a polymorphic object has, by its number.
    fn push_type(&mut self, e: &mut Emitter<'_>, object: RefId) -> Result<(), Diagnostic> {
        let Some(types) = self.several_types(e.doc, object) else { return Ok(()) };
        let place = e.doc.refs[object].place;
        let selection = self.tools.open_types(e, object, &types)?;
        for (&ty, number) in types.iter().zip(1..) {
            selection.arm(e, ty);
            let number = integer(e.doc, number, place);
            on_tape(e, "push", number, place);
        }
        selection.close(e);
        Ok(())
    }

    /// Takes bounds and type from the tape and allocates `object` with them, if it has not got them;
    /// `released`: it is not allocated.
    fn allocate_as_recorded(
        &mut self,
        e: &mut Emitter<'_>,
        object: RefId,
        released: bool,
    ) -> Result<(), Diagnostic> {
        let Reference { ty, place, .. } = e.doc.refs[object];
        let mut bounds = Vec::new();
        for dimension in (1..=ty.rank).rev() {
            let [upper, lower] = ["upper", "lower"].map(|name| {
                let name = format!("{name}{dimension}");
                let variable = self.scratch(e.doc, &name, Base::Integer(4));
                let value = value_of_symbol(e.doc, variable, place);
                on_tape(e, "pop", value, place);
                variable
            });
            bounds.push((dimension, lower, upper));
        }
        bounds.reverse();
        let length = deferred_length(e.doc, object).map(|own| {
            let variable = self.scratch(e.doc, "length", Base::Integer(4));
            let value = value_of_symbol(e.doc, variable, place);
            on_tape(e, "pop", value, place);
            let other = value_of_symbol(e.doc, variable, place);
            (variable, boolean(e.doc, BoolOp::NotEqual, &[own, other]))
        });
        if let Some(types) = self.several_types(e.doc, object) {
            return self.allocate_as_one_of(e, object, &bounds, &types, released);
        }
        let spec = length.map(|(variable, _)| TypeSpec::Character {
            bytes: 1,
            kind: KindSpelling::Default,
            len: CharLen::Expr(value_of_symbol(e.doc, variable, place)),
        });
        let has_other_length = length.map(|(_, differs)| differs);
        let different =
            has_other_bounds(e.doc, object, &bounds).into_iter().chain(has_other_length);
        let different = different.reduce(|one, two| boolean(e.doc, BoolOp::Or, &[one, two]));
        if let Some(different) = different.filter(|_| !released) {
            let there = exists(e.doc, object, "allocated");
            e.open_if(there, place);
            e.open_if(different, place);
            release(e, object);
            e.close_if();
            e.close_if();
        }
        if !released {
            let there = exists(e.doc, object, "allocated");
            let missing = boolean(e.doc, BoolOp::Not, &[there]);
            e.open_if(missing, place);
        }
        allocate(e, object, &bounds, spec);
        if !released {
            e.close_if();
        }
        Ok(())
    }

    /// Takes the number of its type from the tape and allocates a polymorphic object, if it is not one of
    /// that type: a name of SELECT TYPE around keeps its meaning.
    fn allocate_as_one_of(
        &mut self,
        e: &mut Emitter<'_>,
        object: RefId,
        bounds: &[Bounds],
        types: &[SymbolId],
        released: bool,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.refs[object].place;
        let number = self.scratch(e.doc, "number", Base::Integer(4));
        let value = value_of_symbol(e.doc, number, place);
        on_tape(e, "pop", value, place);
        if !released {
            self.release_another(e, object, (number, types), bounds)?;
            let there = exists(e.doc, object, "allocated");
            let missing = boolean(e.doc, BoolOp::Not, &[there]);
            e.open_if(missing, place);
        }
        let selector = value_of_symbol(e.doc, number, place);
        e.open_select(selector, BranchForm::SelectCase, place);
        for (&ty, number) in types.iter().zip(1..) {
            let number = integer(e.doc, number, place);
            e.open_case(Guard::Case(vec![CaseRange::Value(number)]));
            let spec = spec_of(e.doc, ty);
            allocate(e, object, bounds, Some(spec));
        }
        e.close_select();
        if !released {
            e.close_if();
        }
        Ok(())
    }

    /// Releases a polymorphic object that is of another type than that with a number, or has other
    /// bounds.
    fn release_another(
        &mut self,
        e: &mut Emitter<'_>,
        object: RefId,
        (number, types): (SymbolId, &[SymbolId]),
        bounds: &[Bounds],
    ) -> Result<(), Diagnostic> {
        let place = e.doc.refs[object].place;
        let there = exists(e.doc, object, "allocated");
        e.open_if(there, place);
        let here = self.scratch(e.doc, "here", Base::Integer(4));
        let selection = self.tools.open_types(e, object, types)?;
        for (&ty, number) in types.iter().zip(1..) {
            selection.arm(e, ty);
            let target = whole(e.doc, here, place);
            let number = integer(e.doc, number, place);
            e.assign(target, number, place);
        }
        selection.close(e);
        let [own, other] = [here, number].map(|symbol| value_of_symbol(e.doc, symbol, place));
        let mut different = boolean(e.doc, BoolOp::NotEqual, &[own, other]);
        if let Some(bounds) = has_other_bounds(e.doc, object, bounds) {
            different = boolean(e.doc, BoolOp::Or, &[different, bounds]);
        }
        e.open_if(different, place);
        release(e, object);
        e.close_if();
        e.close_if();
        Ok(())
    }

    /// The value of an object that is there, component by component where it has a state of its own.
    fn contents(&mut self, e: &mut Emitter<'_>, object: RefId, way: Way) -> Result<(), Diagnostic> {
        let Reference { ty, place, .. } = e.doc.refs[object];
        if way.value && is_c_pointer(e.doc, ty) {
            return Err(self.not_recorded(e.doc, object));
        }
        if is_bytes(e.doc, ty.base) {
            if way.value {
                let name = recording(ty, way.push);
                let copy = Copier::new().reference(e.doc, object);
                let value = value_of(e.doc, copy);
                on_tape(e, name, value, place);
            }
            return Ok(());
        }
        if let Some(types) = self.several_types(e.doc, object) {
            let selection = self.tools.open_types(e, object, &types)?;
            for ty in types {
                let object = selection.arm(e, ty);
                self.contents(e, object, way)?;
            }
            selection.close(e);
            return Ok(());
        }
        let (Base::Derived(owner) | Base::Class(owner)) = ty.base else {
            return Err(self.not_recorded(e.doc, object));
        };
        self.tools.refuse_endless(e.doc, owner, place)?;
        let element = match ty.rank {
            0 => object,
            _ => self.tools.open_elements(e, object, !way.push)?,
        };
        let mut parts = e.doc.data_components(owner);
        if !way.push {
            parts.reverse();
        }
        for component in parts {
            let part = component_of(e.doc, element, component);
            if way.stmt.is_some_and(|stmt| self.leaves(e.doc, stmt, part)) {
                continue;
            }
            if e.doc.has(component, Attr::Pointer) {
                if way.value {
                    return Err(self.not_recorded(e.doc, object));
                }
                self.hold(e, part, way.push)?;
                continue;
            }
            self.state(e, part, way)?;
        }
        (0..ty.rank).for_each(|_| e.close_do());
        Ok(())
    }

    /// Whether a call overwrites neither the value of a component nor a property of it or of what it consists of. What is
    /// required of it is there as the record of the call is taken back.
    fn leaves(&self, doc: &Document, stmt: StmtId, part: RefId) -> bool {
        if !matches!(doc.stmts[stmt].kind, StmtKind::Call(_)) {
            return false;
        }
        let Some(found) = self.overwritten(stmt).filter(|found| !found.world) else { return false };
        let values = self.storage.locations_of(doc, part);
        let (properties, _) = self.storage.reshaped_at(doc, &doc.refs[part], true);
        !values.is_empty()
            && !values.iter().any(|location| found.locations.contains(location))
            && !properties.iter().any(|location| found.properties.contains(location))
    }

    fn not_recorded(&self, doc: &Document, object: RefId) -> Diagnostic {
        self.refused(
            doc,
            doc.refs[object].place,
            format!(
                "the value of `{}` must be recorded here, which is not supported for its type",
                doc.name(doc.refs[object].base)
            ),
            "declare it with components that are neither pointers nor polymorphic",
        )
    }

    /// Gives the adjoint of `original` the allocation that `original` has; what is allocated anew is
    /// zero.
    pub(crate) fn follow(
        &mut self,
        e: &mut Emitter<'_>,
        original: RefId,
    ) -> Result<(), Diagnostic> {
        if !self.tools.parts.is_active(e.doc, original) {
            return Ok(());
        }
        self.tools.follow_state(e, original, Direction::All)
    }

    /// The adjoint of `original` begins to live, as zero, if `original` is there; `sure`: it is.
    pub(crate) fn begin(
        &mut self,
        e: &mut Emitter<'_>,
        original: RefId,
        sure: bool,
    ) -> Result<(), Diagnostic> {
        let Reference { ty, place, .. } = e.doc.refs[original];
        let Some(adjoint) = self.tools.parts.reference(e.doc, original, Direction::All) else {
            return Ok(());
        };
        let allocatable = e.doc.refs[original]
            .whole_entity()
            .is_some_and(|symbol| e.doc.has(symbol, Attr::Allocatable));
        // The forward sweep may have allocated the adjoint of what a pointer points to, or stands in.
        let pointed_to = !sure
            && (e.doc.refs[original]
                .whole_entity()
                .is_some_and(|symbol| e.doc.has(symbol, Attr::Target))
                || self.tools.parts.types.points(ty.base));
        if pointed_to || self.tools.has_allocatable_within(e.doc, ty.base) {
            return self.renew(e, original);
        }
        if !allocatable {
            return self.tools.zero_if_there(e, adjoint);
        }
        if !sure {
            let there = exists(e.doc, original, "allocated");
            e.open_if(there, place);
        }
        let done = self.tools.bring_into_being(e, original, adjoint, Direction::All);
        if !sure {
            e.close_if();
        }
        done
    }

    /// As [`follow`](Self::follow); all of it is zero then.
    pub(crate) fn renew(&mut self, e: &mut Emitter<'_>, original: RefId) -> Result<(), Diagnostic> {
        self.follow(e, original)?;
        match self.tools.parts.reference(e.doc, original, Direction::All) {
            Some(adjoint) => self.tools.zero_if_there(e, adjoint),
            None => Ok(()),
        }
    }

    /// A variable of the procedure whose value is used where it is set.
    pub(crate) fn scratch(&mut self, doc: &mut Document, wish: &str, base: Base) -> SymbolId {
        if let Some(&known) = self.context.scratch.get(wish) {
            return known;
        }
        let scope = self.scope(doc);
        let made = new_variable(doc, scope, wish, base, Place::default());
        self.context.scratch.insert(wish.to_owned(), made);
        made
    }
}

/// Whether objects of a type, and all that they hold, have no other type as the program runs. `around` are the types that
/// hold it.
fn has_one_type(doc: &Document, base: Base, around: &mut Vec<SymbolId>) -> bool {
    let Base::Derived(owner) = base else {
        return !matches!(base, Base::Class(_) | Base::ClassStar);
    };
    if around.contains(&owner) {
        return false;
    }
    around.push(owner);
    let one = doc
        .data_components(owner)
        .into_iter()
        .all(|component| has_one_type(doc, doc.declared_base(component), around));
    around.pop();
    one
}

/// `len(object)`, of a text whose length is that of its allocation.
fn deferred_length(doc: &mut Document, object: RefId) -> Option<ExprId> {
    let symbol = doc.refs[object].whole_entity()?;
    let decl = doc.symbols[symbol].decl.as_deref()?;
    let is_deferred = matches!(decl.spec, TypeSpec::Character { len: CharLen::Deferred, .. })
        || decl.char_len == Some(CharLen::Deferred);
    if !is_deferred {
        return None;
    }
    let text = Copier::new().reference(doc, object);
    let text = value_of(doc, text);
    Some(intrinsic(doc, "len", &[text], Ty::scalar(Base::Integer(4))))
}

/// A dimension with the variables that hold its lower and upper bound.
type Bounds = (u8, SymbolId, SymbolId);

/// Whether an array that is there has other bounds; `None` for a scalar.
fn has_other_bounds(doc: &mut Document, object: RefId, bounds: &[Bounds]) -> Option<ExprId> {
    let place = doc.refs[object].place;
    let mut different = Vec::new();
    for &(dimension, lower, upper) in bounds {
        for (name, symbol) in [("lbound", lower), ("ubound", upper)] {
            let own = bound(doc, object, name, dimension);
            let other = value_of_symbol(doc, symbol, place);
            different.push(boolean(doc, BoolOp::NotEqual, &[own, other]));
        }
    }
    different.into_iter().reduce(|left, right| boolean(doc, BoolOp::Or, &[left, right]))
}

/// `allocate (spec :: object(lower:upper, …))`
fn allocate(e: &mut Emitter<'_>, object: RefId, bounds: &[Bounds], spec: Option<TypeSpec>) {
    let place = e.doc.refs[object].place;
    let target = Copier::new().reference(e.doc, object);
    if !bounds.is_empty() {
        let sections = bounds
            .iter()
            .map(|&(_, lower, upper)| Subscript::Section {
                lower: Some(value_of_symbol(e.doc, lower, place)),
                upper: Some(value_of_symbol(e.doc, upper, place)),
                stride: None,
            })
            .collect();
        e.doc.refs[target].parts.push(Part::Elements(sections));
    }
    let (stat, errmsg, source, mold) = (None, None, None, None);
    let allocate = Allocate { spec, objects: vec![target], stat, errmsg, source, mold };
    e.stmt(StmtKind::Allocate(Box::new(allocate)), place);
}

/// `call push(value)` and the like.
pub(crate) fn on_tape(e: &mut Emitter<'_>, name: &str, value: ExprId, place: Place) {
    let args = vec![Arg { position: 1, keyword: None, value: ArgValue::Expr(value) }];
    let call = InlinableCall { name: name.into(), args };
    e.stmt(StmtKind::InlinableCall(Box::new(call)), place);
}

/// `deallocate(object)`
pub(crate) fn release(e: &mut Emitter<'_>, object: RefId) {
    let place = e.doc.refs[object].place;
    let object = Copier::new().reference(e.doc, object);
    e.release(object, place);
}

pub(crate) fn value_of_symbol(doc: &mut Document, symbol: SymbolId, place: Place) -> ExprId {
    let reference = whole(doc, symbol, place);
    value_of(doc, reference)
}
