//! ALLOCATE, DEALLOCATE, NULLIFY and pointer assignment: derivative objects follow their originals.
//!
//! A derivative object is allocated with its original, in the same statement, and set to zero: it
//! might be read before it is written, as in `x(1:2) = y; z = sum(x)`. With SOURCE= it becomes the
//! derivative of the source. It is released with its original.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Allocate, Attr, Base, Constant, ConstantClass, Document, ExprId, ExprKind, Part, Place, RefId,
    Release, Role, StmtId, StmtKind, Subscript, SymbolId, Ty, TypeSpec,
};

use super::body::Tangent;
use super::call::named_procedure;
use super::reads::references;
use super::result::begins_at_one;
use booster_build::{Copier, Emitter, boolean, bound, integer, statement, value_of};
use booster_build::{enclose_source, exists};
use booster_shadow::derivative::{Direction, Types, zero_value};
use booster_shadow::polymorphic::spec_of;

impl Tangent<'_> {
    /// ALLOCATE
    pub fn allocate(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        allocate: &Allocate,
    ) -> Result<(), Diagnostic> {
        let active: Vec<RefId> =
            allocate.objects.iter().copied().filter(|&o| self.has_object(e.doc, o)).collect();
        if active.is_empty() {
            e.push(stmt);
            return Ok(());
        }
        let place = e.doc.stmts[stmt].place;
        let shaped_by_another = allocate.source.is_some() || allocate.mold.is_some();
        let together = !shaped_by_another
            && !active.iter().any(|&object| is_renamed(e.doc, object))
            && active.iter().all(|&object| !self.looped_object(e.doc, object))
            && active.iter().all(|&object| self.start(e.doc, allocate, object).is_none());
        if together {
            let mut objects = Vec::new();
            for &object in &allocate.objects {
                objects.push(object);
                if self.has_object(e.doc, object) {
                    objects.extend(self.object(e.doc, object, Direction::All));
                }
            }
            let kind = StmtKind::Allocate(Box::new(Allocate { objects, ..allocate.clone() }));
            e.doc.stmts[stmt].kind = kind;
            e.push(stmt);
        } else {
            e.push(stmt);
        }
        let guard = allocate.stat.filter(|_| true);
        if let Some(stat) = guard {
            let stat = Copier::new().reference(e.doc, stat);
            let stat = value_of(e.doc, stat);
            let zero = integer(e.doc, 0, place);
            let condition = boolean(e.doc, xaif_schema::model::BoolOp::Equal, &[stat, zero]);
            e.open_if(condition, place);
        }
        let mut done = Ok(());
        for &object in &active {
            if done.is_ok() && !together {
                done = self.allocate_like(e, allocate, object);
            }
            if done.is_ok() && allocate.source.is_none() {
                done = self.zero_object(e, object, true);
            }
        }
        if guard.is_some() {
            e.close_if();
        }
        done
    }

    /// Whether an object of ALLOCATE and the like has a derivative object.
    fn has_object(&self, doc: &Document, object: RefId) -> bool {
        self.parts.is_active(doc, object)
    }

    /// Whether the derivative objects of several directions are allocated one by one.
    fn looped_object(&self, doc: &Document, object: RefId) -> bool {
        let is_component = |part: &Part| matches!(part, Part::Component { .. });
        self.parts.directions.is_some() && doc.refs[object].parts.iter().any(is_component)
    }

    /// The derivative of an object of ALLOCATE: with a leading bound for the number of directions
    /// where it is no component.
    fn object(&self, doc: &mut Document, object: RefId, direction: Direction) -> Option<RefId> {
        let found = match direction {
            Direction::All if self.parts.directions.is_some() => {
                let place = doc.refs[object].place;
                let count = integer(doc, i64::from(self.parts.directions.unwrap_or(1)), place);
                self.parts.reference(doc, object, Direction::One(count))
            }
            direction => self.parts.reference(doc, object, direction),
        }?;
        Some(found)
    }

    /// Allocates the derivative of `object` in a statement of its own.
    fn allocate_like(
        &mut self,
        e: &mut Emitter<'_>,
        allocate: &Allocate,
        object: RefId,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.refs[object].place;
        // Its original has the type by now, one of those that are known.
        let whole = whole_object(e.doc, object);
        if let Some(None) = self.start(e.doc, allocate, object)
            && self.follows_types_of(e.doc, e.doc.refs[whole].ty.base)
            && let Some(derivative) = self.parts.reference(e.doc, whole, Direction::All)
        {
            self.bring_into_being(e, whole, derivative, Direction::All)?;
            return self.follow_source(e, allocate, whole);
        }
        let looped = self.looped_object(e.doc, object);
        let model = allocate.source.or(allocate.mold);
        let from_object = model.is_some_and(|m| matches!(e.doc.exprs[m].ty.base, Base::Class(_)));
        if self.parts.directions.is_some() && !looped && from_object {
            return Err(self.error(
                e.doc,
                Code::SEVERAL_DIRECTIONS,
                place,
                "a variable that gets its type from a polymorphic object has no tangent in several \
                 directions at once",
                "compute one direction at a time",
            ));
        }
        let shaped = matches!(e.doc.refs[object].parts.last(), Some(Part::Elements(_)));
        let leading = self.parts.directions.is_some() && !looped;
        let source = allocate.source.filter(|_| !leading);
        self.each_direction(e, looped, place, |this, e, direction| {
            let value = match source {
                Some(source) => this.derivative(e.doc, source, direction)?,
                None => None,
            };
            let points = source.filter(|&source| points(&this.parts.types, e.doc, source));
            let value = match (value, points) {
                (None, Some(source)) => this.associated(e.doc, source, direction)?,
                (value, _) => value,
            };
            let value = match (value, this.start(e.doc, allocate, object)) {
                (None, Some(spec)) => Some(this.zero_of_type(e.doc, spec.as_ref(), place)?),
                (value, _) => value,
            };
            let Some(mut derivative) = this.object(e.doc, object, direction) else {
                return Ok(());
            };
            let model = allocate.source.or(allocate.mold);
            let mut mold = None;
            if value.is_none() && !shaped && leading {
                if let Some(symbol) = e.doc.refs[object].whole_entity()
                    && let Some(symbol) = this.parts.variable(symbol)
                {
                    derivative = this.like(e.doc, symbol, object, place);
                }
            } else if value.is_none() && model.is_some() && !leading {
                // The original has its shape and type by now.
                let original = Copier::new().reference(e.doc, object);
                if shaped {
                    e.doc.refs[original].parts.pop();
                }
                mold = Some(value_of(e.doc, original));
            }
            let of_source = allocate.source.filter(|_| leading);
            let of_source = of_source.and_then(|s| this.type_of_source(e.doc, object, s));
            let spec = allocate.spec.clone().or_else(|| Some(spec_of(e.doc, of_source?)));
            if let Some(value) = value {
                enclose_source(e.doc, value);
            }
            let made = Allocate {
                spec: spec.filter(|_| value.is_none()),
                objects: vec![derivative],
                stat: None,
                errmsg: None,
                source: value,
                mold,
            };
            e.stmt(StmtKind::Allocate(Box::new(made)), place);
            Ok(())
        })?;
        match allocate.source {
            Some(source) => {
                let zero = self.is_passive(e.doc, source)?;
                if leading || zero {
                    let whole = whole_object(e.doc, object);
                    if zero && self.start(e.doc, allocate, object).is_some() {
                        return self.follow_source(e, allocate, whole);
                    }
                    if zero {
                        let points = points(&self.parts.types, e.doc, source);
                        let whole = whole_object(e.doc, object);
                        if points || !self.has_allocatable_parts(e.doc, whole) {
                            return self.zero_object(e, object, !points);
                        }
                        return self.follow_components(e, whole);
                    }
                    return match self.type_of_source(e.doc, object, source) {
                        Some(owner) => self.assign_narrowed(e, whole, owner, source),
                        None => self.derivative_assignment(e, whole, source),
                    };
                }
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Allocates the components of a polymorphic derivative that a SOURCE= without derivative has
    /// allocated in the original.
    fn follow_source(
        &mut self,
        e: &mut Emitter<'_>,
        allocate: &Allocate,
        whole: RefId,
    ) -> Result<(), Diagnostic> {
        let inner = self.has_allocatable_within(e.doc, e.doc.refs[whole].ty.base);
        if allocate.source.is_some() && inner {
            self.follow_parts(e, whole, Direction::All)?;
        }
        Ok(())
    }

    /// The type that a polymorphic object gets from the SOURCE= of its ALLOCATE.
    fn type_of_source(&self, doc: &Document, object: RefId, source: ExprId) -> Option<SymbolId> {
        match (doc.refs[object].ty.base, doc.exprs[source].ty.base) {
            (Base::Class(_), Base::Derived(owner)) => Some(owner),
            _ => None,
        }
    }

    /// Gives the derivatives of a polymorphic object of type `owner` in several directions those of
    /// `source`: what is assigned to must not be polymorphic.
    fn assign_narrowed(
        &mut self,
        e: &mut Emitter<'_>,
        object: RefId,
        owner: SymbolId,
        source: ExprId,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.refs[object].place;
        let Some(all) = self.parts.reference(e.doc, object, Direction::All) else {
            return Ok(());
        };
        let selection = self.open_types(e, all, &[owner])?;
        let narrowed = selection.arm(e, owner);
        let name = e.doc.refs[narrowed].base;
        let done = self.each_direction(e, true, place, |this, e, direction| {
            let Some(target) = this.parts.reference(e.doc, object, direction) else {
                return Ok(());
            };
            let reference = &mut e.doc.refs[target];
            (reference.base, reference.ty.base) = (name, Base::Derived(owner));
            this.assign_derivative_to(e, target, source, direction)
        });
        selection.close(e);
        done
    }

    /// The type with which a polymorphic object comes into being, if its derivative must become
    /// zero with it; `Some(None)` where it is not known here.
    #[allow(clippy::option_option)]
    fn start(
        &self,
        doc: &Document,
        allocate: &Allocate,
        object: RefId,
    ) -> Option<Option<TypeSpec>> {
        let base = doc.refs[object].ty.base;
        let Base::Class(owner) = base else { return None };
        let of = |owner: SymbolId| TypeSpec::Derived {
            symbol: Some(owner),
            name: doc.name(owner).to_owned(),
            class: false,
            params: Vec::new(),
        };
        let types = &self.parts.types;
        match (allocate.source.or(allocate.mold), &allocate.spec) {
            (Some(model), _) => {
                let found = match doc.exprs[model].ty.base {
                    Base::Derived(owner) => Some(of(owner)),
                    _ => None,
                };
                let declared = doc.symbols[owner].decl.as_ref().map(|_| of(owner));
                let initialised = match (&found, declared) {
                    (Some(found), _) => types.is_initialised(found),
                    (None, Some(_)) => types
                        .with_extensions(owner)
                        .into_iter()
                        .any(|o| types.is_initialised(&of(o))),
                    (None, None) => true,
                };
                let passive = allocate.source.is_some() && self.is_constant(doc, model);
                (passive || (allocate.source.is_none() && initialised)).then_some(found)
            }
            (None, Some(spec)) => types.is_initialised(spec).then(|| Some(spec.clone())),
            (None, None) => {
                let spec = of(owner);
                types.is_initialised(&spec).then_some(Some(spec))
            }
        }
    }

    /// Whether nothing in an expression has a derivative that takes part.
    fn is_constant(&self, doc: &Document, expr: ExprId) -> bool {
        !references(doc, expr).into_iter().any(|reference| self.is_active(doc, reference))
    }

    fn zero_of_type(
        &self,
        doc: &mut Document,
        spec: Option<&TypeSpec>,
        place: Place,
    ) -> Result<ExprId, Diagnostic> {
        let made = spec.and_then(|spec| zero_value(doc, &self.parts.types, spec, place));
        made.ok_or_else(|| {
            self.error(
                doc,
                Code::DERIVATIVE_REFUSED,
                place,
                "the derivative of this polymorphic object must begin with zero, but what it \
                 consists of is known only as the program runs",
                "allocate it with a type, and assign its components",
            )
        })
    }

    /// Whether the derivative of an expression is zero.
    pub(super) fn is_passive(&self, doc: &mut Document, expr: ExprId) -> Result<bool, Diagnostic> {
        Ok(self.derivative(doc, expr, Direction::All).map(|found| found.is_none()).unwrap_or(false))
    }

    /// Sets the derivative of an object that was just allocated to zero; `fresh`: without its
    /// components.
    fn zero_object(
        &mut self,
        e: &mut Emitter<'_>,
        object: RefId,
        fresh: bool,
    ) -> Result<(), Diagnostic> {
        let object = whole_object(e.doc, object);
        let place = e.doc.refs[object].place;
        let looped = !self.parts.takes_all(e.doc, object);
        self.each_direction(e, looped, place, |this, e, direction| {
            match this.parts.reference(e.doc, object, direction) {
                // What a polymorphic object holds is not known; it has just come into being.
                Some(derivative) if matches!(e.doc.refs[derivative].ty.base, Base::Class(_)) => {
                    Ok(())
                }
                Some(derivative) => {
                    this.fresh = fresh;
                    let done = this.zero(e, derivative);
                    this.fresh = false;
                    done
                }
                None => Ok(()),
            }
        })
    }

    /// DEALLOCATE and NULLIFY
    pub(super) fn release(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        release: &Release,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        let mut objects = Vec::new();
        for &object in &release.objects {
            objects.push(object);
            if !self.has_object(e.doc, object) {
                continue;
            }
            if self.looped_object(e.doc, object) {
                let nullify = release.nullify;
                self.each_direction(e, true, place, |this, e, direction| {
                    let Some(derivative) = this.parts.reference(e.doc, object, direction) else {
                        return Ok(());
                    };
                    let symbol = e.doc.refs[object].whole_entity();
                    let pointer = symbol.is_some_and(|symbol| e.doc.has(symbol, Attr::Pointer));
                    let name = if pointer { "associated" } else { "allocated" };
                    if !nullify {
                        let condition = exists(e.doc, derivative, name);
                        e.open_if(condition, place);
                    }
                    let made =
                        Release { nullify, objects: vec![derivative], stat: None, errmsg: None };
                    e.stmt(StmtKind::Release(Box::new(made)), place);
                    if !nullify {
                        e.close_if();
                    }
                    Ok(())
                })?;
            } else if let Some(derivative) = self.parts.reference(e.doc, object, Direction::All) {
                if is_renamed(e.doc, object) {
                    let stat = release.stat.map(|stat| Copier::new().reference(e.doc, stat));
                    let objects = vec![derivative];
                    let made = Release { objects, stat, errmsg: None, nullify: release.nullify };
                    e.stmt(StmtKind::Release(Box::new(made)), place);
                } else {
                    objects.push(derivative);
                }
            }
        }
        e.doc.stmts[stmt].kind =
            StmtKind::Release(Box::new(Release { objects, ..release.clone() }));
        e.push(stmt);
        Ok(())
    }

    /// `p => t`
    pub(super) fn pointer_assign(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        lhs: RefId,
        rhs: ExprId,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        if let Some(made) = self.procedure_pointer(e.doc, lhs, rhs, place)? {
            e.push(stmt);
            e.push(made);
            return Ok(());
        }
        if !self.has_object(e.doc, lhs) {
            e.push(stmt);
            return Ok(());
        }
        if let ExprKind::Call(_) = e.doc.exprs[rhs].kind {
            return Err(self.error(
                e.doc,
                Code::DERIVATIVE_REFUSED,
                place,
                "the target is the result of a function",
                "let a subroutine associate the pointer",
            ));
        }
        if self.parts.directions.is_some() && is_component(e.doc, lhs) {
            e.push(stmt);
            return self.associate_each(e, lhs, rhs, place);
        }
        let made = self.derivative_association(e.doc, lhs, rhs, place)?;
        e.push(stmt);
        for kind in made {
            e.stmt(kind, place);
        }
        Ok(())
    }

    /// `v%p => t` in several directions: `vd(k)%p => td(k, :)`, direction by direction.
    fn associate_each(
        &mut self,
        e: &mut Emitter<'_>,
        lhs: RefId,
        rhs: ExprId,
        place: Place,
    ) -> Result<(), Diagnostic> {
        let target = e.doc.exprs[rhs].reference();
        if let Some(target) = target
            && !self.parts.is_active(e.doc, target)
        {
            return Err(self.passive_target(e.doc, lhs, target, place));
        }
        self.each_direction(e, true, place, |this, e, direction| {
            let Some(pointer) = this.parts.reference(e.doc, lhs, direction) else { return Ok(()) };
            let value = match target {
                Some(target) => {
                    let Some(value) = this.parts.reference(e.doc, target, direction) else {
                        return Ok(());
                    };
                    keep_bounds(e.doc, pointer, target);
                    value_of(e.doc, value)
                }
                None => Copier::new().expr(e.doc, rhs),
            };
            e.stmt(StmtKind::PointerAssign { lhs: pointer, rhs: value }, place);
            Ok(())
        })
    }

    fn passive_target(
        &self,
        doc: &Document,
        lhs: RefId,
        target: RefId,
        place: Place,
    ) -> Diagnostic {
        self.error(
            doc,
            Code::PASSIVE_TARGET,
            place,
            format!(
                "`{}` has a derivative, but its target `{}` has none",
                doc.name(doc.refs[lhs].base),
                doc.name(doc.refs[target].base)
            ),
            "run this stage on the document without activity facts, or with those of xaif-activity",
        )
    }

    /// The statements that associate the derivative of a pointer.
    pub fn derivative_association(
        &mut self,
        doc: &mut Document,
        lhs: RefId,
        rhs: ExprId,
        place: Place,
    ) -> Result<Vec<StmtKind>, Diagnostic> {
        let several = self.parts.directions.is_some();
        let target = match doc.exprs[rhs].kind {
            ExprKind::Ref(target) => Some(target),
            _ => None,
        };
        let simple = !is_component(doc, lhs)
            && target.is_none_or(|target| self.parts.takes_all(doc, target));
        if several && !simple {
            return Err(self.error(
                doc,
                Code::SEVERAL_DIRECTIONS,
                place,
                "a pointer to or in a structure has no tangent in several directions at once",
                "compute one direction at a time",
            ));
        }
        let Some(pointer) = self.pointer(doc, lhs) else { return Ok(Vec::new()) };
        match target {
            Some(target) => match self.parts.reference(doc, target, Direction::All) {
                Some(target) => {
                    let value = value_of(doc, target);
                    Ok(vec![StmtKind::PointerAssign { lhs: pointer, rhs: value }])
                }
                None => Err(self.passive_target(doc, lhs, target, place)),
            },
            None => {
                let null = Constant {
                    class: ConstantClass::Null,
                    fe_type: None,
                    text: "null()".into(),
                    kind: xaif_schema::model::ConstantKind::None,
                };
                let ty = Ty::scalar(Base::Unknown);
                let value = booster_build::node(doc, ExprKind::Constant(null), ty, place);
                let pointer = self.bare(doc, pointer);
                Ok(vec![StmtKind::PointerAssign { lhs: pointer, rhs: value }])
            }
        }
    }

    /// The derivative of the left-hand side of a pointer assignment: with several directions its
    /// bounds begin with those of the directions.
    fn pointer(&self, doc: &mut Document, lhs: RefId) -> Option<RefId> {
        let symbol = self.parts.variable(doc.refs[lhs].base)?;
        let copy = Copier::new().reference(doc, lhs);
        let place = doc.refs[copy].place;
        doc.refs[copy].base = symbol;
        doc.refs[copy].active = Some(false);
        let Some(count) = self.parts.directions else { return Some(copy) };
        let one = integer(doc, 1, place);
        let count = integer(doc, i64::from(count), place);
        let reference = &mut doc.refs[copy];
        reference.ty.rank = reference.ty.rank.saturating_add(1);
        if let Some(Part::Elements(bounds)) = reference.parts.last_mut() {
            let remaps =
                bounds.iter().any(|b| matches!(b, Subscript::Section { upper: Some(_), .. }));
            let upper = remaps.then_some(count);
            bounds.insert(0, Subscript::Section { lower: Some(one), upper, stride: None });
        }
        Some(copy)
    }

    /// The same without bounds.
    fn bare(&self, doc: &mut Document, pointer: RefId) -> RefId {
        if matches!(doc.refs[pointer].parts.last(), Some(Part::Elements(_))) {
            doc.refs[pointer].parts.pop();
        }
        pointer
    }

    /// `fp => f` for procedures: the derivative procedure pointer to the derivative procedure.
    fn procedure_pointer(
        &mut self,
        doc: &mut Document,
        lhs: RefId,
        rhs: ExprId,
        place: Place,
    ) -> Result<Option<StmtId>, Diagnostic> {
        let base = doc.refs[lhs].base;
        if !matches!(doc.role(base), Some(Role::Procedure(_))) {
            return Ok(None);
        }
        let Some(derivative) = self.parts.callee(base) else { return Ok(None) };
        let copy = Copier::new().reference(doc, lhs);
        doc.refs[copy].base = derivative;
        let rhs = match named_procedure(doc, rhs) {
            Some(procedure) => self.derivative_procedure(doc, rhs, procedure, place)?,
            None if matches!(doc.exprs[rhs].kind, ExprKind::Ref(_) | ExprKind::Call(_)) => {
                return Err(self.error(
                    doc,
                    Code::DERIVATIVE_REFUSED,
                    place,
                    "what is pointed to has no derivative beside it: a procedure component, or the result of \
                     a function",
                    "associate the pointer with a procedure that is named, or with another such pointer",
                ));
            }
            None => Copier::new().expr(doc, rhs),
        };
        let kind = StmtKind::PointerAssign { lhs: copy, rhs };
        Ok(Some(statement(doc, kind, place)))
    }
}

fn is_component(doc: &Document, reference: RefId) -> bool {
    doc.refs[reference].parts.iter().any(|part| matches!(part, Part::Component { .. }))
}

/// A pointer to a whole array has the bounds of that; one direction of its derivative is a section.
fn keep_bounds(doc: &mut Document, pointer: RefId, target: RefId) {
    let is_whole = doc.refs[target].parts.is_empty() && doc.refs[target].ty.rank > 0;
    let has_bounds = matches!(doc.refs[pointer].parts.last(), Some(Part::Elements(_)));
    if !is_whole || has_bounds || begins_at_one(doc, doc.refs[target].base) {
        return;
    }
    let rank = doc.refs[target].ty.rank;
    let lower = |dimension| Some(bound(doc, target, "lbound", dimension));
    let bounds: Vec<Subscript> = (1..=rank)
        .map(lower)
        .map(|lower| Subscript::Section { lower, upper: None, stride: None })
        .collect();
    doc.refs[pointer].parts.push(Part::Elements(bounds));
}

/// Whether the source of an ALLOCATE holds pointers that matter.
fn points(types: &Types, doc: &Document, source: ExprId) -> bool {
    types.points(doc.exprs[source].ty.base)
}

/// The object of an ALLOCATE without its bounds.
fn whole_object(doc: &mut Document, object: RefId) -> RefId {
    let whole = Copier::new().reference(doc, object);
    let rank = entity_behind(doc, object).map_or(0, |symbol| doc.symbols[symbol].rank.unwrap_or(0));
    if matches!(doc.refs[whole].parts.last(), Some(Part::Elements(_))) {
        doc.refs[whole].parts.pop();
    }
    doc.refs[whole].ty.rank = rank;
    whole
}

/// The variable or component that is allocated.
fn entity_behind(doc: &Document, object: RefId) -> Option<xaif_schema::model::SymbolId> {
    let reference = &doc.refs[object];
    let mut symbol = Some(reference.base);
    for part in &reference.parts {
        if let Part::Component { symbol: component, .. } = part {
            symbol = *component;
        }
    }
    symbol
}

/// Whether SELECT TYPE or ASSOCIATE gives an object its name. gfortran 12 takes components of one name of such objects for
/// one object in ALLOCATE and DEALLOCATE.
fn is_renamed(doc: &Document, object: RefId) -> bool {
    matches!(doc.role(doc.refs[object].base), Some(Role::Associate { .. }))
}
