//! Module variables whose storage the user's own code has changed since the last derivative was
//! computed: where a derivative procedure begins that names them, the derivatives follow. A procedure
//! `ad_follows_a` beside the derivative `ad` does that ([`follower`](super::follower)).
//!
//! The derivative of an allocatable variable is released if its original has none or has other bounds,
//! and is allocated, with the value zero, if it is missing; so are the allocatable components of
//! structures. The derivative of a pointer is associated with the derivative of its target where that
//! is a whole variable of a module that can be seen there. What else a pointer is associated with
//! nobody can tell: where the original is associated and its derivative is not, the program stops,
//! unless the procedure or one that it calls associates them; so it does for polymorphic variables.
//!
//! Not done: pointer components; a pointer that the user's code has associated with another section
//! or nameless target since, where it and its derivative were associated before.

use std::collections::HashSet;

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Allocate, ArgValue, Attr, Base, Body, BoolOp, Document, ExprId, ExprKind, Part, Place, ProcId,
    RefId, Reference, Role, ScopeKind, StmtKind, SymbolId, Ty, VertexKind,
};

use super::body::Tangent;
use super::follower::call_of;
use booster_build::stop_marker;
use booster_build::{
    Copier, Emitter, boolean, bound, integer, intrinsic, rewrite_entries, value_of,
};
use booster_build::{component_of, exists};
use booster_shadow::derivative::Direction;

impl Tangent<'_> {
    /// Brings module variables up to date at the beginning.
    pub(super) fn follow_outer(&mut self, doc: &mut Document) -> Result<(), Diagnostic> {
        let mut outer = self.outer_of(doc);
        if !outer.is_empty() && is_pure(doc, self.proc) {
            outer.retain(|&symbol| !self.gives_storage(doc, symbol));
            return self.followed_by_caller(doc, &outer);
        }
        let calls = self.follower_calls(doc, &outer)?;
        rewrite_entries(doc, self.proc, |e, _| {
            for call in &calls {
                e.stmt(call.clone(), Place::default());
            }
            Ok(())
        })
    }

    /// The module variables with storage of their own making that this procedure names and that have
    /// derivatives, each once.
    pub fn outer_of(&self, doc: &Document) -> Vec<SymbolId> {
        // The variables that an internal procedure names are among those of its host.
        let parent = doc.scopes[doc.procs[self.proc].scope].parent;
        let internal =
            parent.is_some_and(|parent| matches!(doc.scopes[parent].kind, ScopeKind::Procedure(_)));
        // What stages make of their own are no variables of modules.
        let some = || self.parts.primals().any(|symbol| self.may_change_outside(doc, symbol));
        if internal || !*self.some_outside.get_or_init(some) {
            return Vec::new();
        }
        let mut outer = self.outer_named(doc, self.proc);
        outer.sort_unstable();
        outer.dedup();
        outer
    }

    /// Calls of the procedures that let the derivatives of module variables follow them.
    pub fn follower_calls(
        &mut self,
        doc: &mut Document,
        outer: &[SymbolId],
    ) -> Result<Vec<StmtKind>, Diagnostic> {
        let mut calls = Vec::new();
        for &original in outer {
            // An adjoint has the allocation that its original has as the backward sweep begins, whoever
            // gave it that.
            let follows = self.adjoint && !doc.has(original, Attr::Pointer);
            let strict = follows || !self.gives_storage(doc, original);
            let Some(follower) = self.follower(doc, original, strict)? else { continue };
            if !self.import(doc, follower) {
                return Err(self.error(
                    doc,
                    Code::DERIVATIVE_REFUSED,
                    doc.procs[self.proc].place,
                    format!("`{}` cannot be reached here", doc.name(follower)),
                    "rename what has the name of a module variable",
                ));
            }
            calls.push(call_of(follower));
        }
        Ok(calls)
    }

    /// The module variables with storage of their own making whose derivatives a derivative procedure
    /// names, or a pure one that it calls.
    fn outer_named(&self, doc: &Document, proc: ProcId) -> Vec<SymbolId> {
        let (mut seen, mut next) = (vec![proc], 0);
        let mut found = Vec::new();
        while let Some(&here) = seen.get(next) {
            next += 1;
            let named = self.named_in(doc, here);
            let within = self.named_within(doc, here);
            // A backward sweep may name the derivative alone.
            let outer = self.parts.primals().filter(|&symbol| {
                let derivative = self.parts.variable(symbol);
                derivative.is_some_and(|derivative| {
                    named.contains(&derivative) || within.contains(&symbol)
                }) && self.may_change_outside(doc, symbol)
            });
            found.extend(outer);
            for &symbol in &named {
                if let Some(callee) = doc.procedure_of(symbol)
                    && is_pure(doc, callee)
                    && !seen.contains(&callee)
                {
                    seen.push(callee);
                }
            }
        }
        found
    }

    /// The symbols that the derivatives of internal procedures name. Their bodies may still be those of the originals,
    /// which name no derivative.
    fn named_within(&self, doc: &Document, host: ProcId) -> HashSet<SymbolId> {
        let scope = doc.procs[host].scope;
        let derivatives = self.parts.procedures.iter().map(|&(_, derivative)| derivative);
        derivatives
            .filter(|&proc| doc.scopes[doc.procs[proc].scope].parent == Some(scope))
            .flat_map(|proc| self.named_in(doc, proc))
            .collect()
    }

    /// Whether a variable of a module has allocatable or pointer parts that hold derivatives.
    fn may_change_outside(&self, doc: &Document, symbol: SymbolId) -> bool {
        let data = &doc.symbols[symbol];
        matches!(doc.scopes[data.scope].kind, ScopeKind::Module(_))
            && matches!(doc.role(symbol), Some(Role::Variable))
            && (doc.has(symbol, Attr::Allocatable)
                || doc.has(symbol, Attr::Pointer)
                || self.has_allocatable_within(doc, base_of(doc, symbol)))
    }

    /// Whether a structure has allocatable components that hold derivatives, as far as it is not
    /// reached by a pointer; a polymorphic one, if it may have a type with such components, of which
    /// code can go through all (`follows_types_of`).
    pub fn has_allocatable_within(&self, doc: &Document, base: Base) -> bool {
        if let Base::Class(owner) = base {
            let mut types = self.types_of_class(doc, owner).into_iter();
            return self.follows_types_of(doc, base)
                && types.any(|ty| self.has_allocatable_within(doc, Base::Derived(ty)));
        }
        let Base::Derived(owner) = base else { return false };
        doc.data_components(owner).into_iter().any(|component| {
            let base = base_of(doc, component);
            self.parts.types.carries(base)
                && !doc.has(component, Attr::Pointer)
                && (doc.has(component, Attr::Allocatable) || self.has_allocatable_within(doc, base))
        })
    }

    /// A pure procedure cannot allocate them: a procedure that calls it must.
    fn followed_by_caller(&self, doc: &Document, outer: &[SymbolId]) -> Result<(), Diagnostic> {
        let own = doc.procs[self.proc].symbol;
        let called = self.parts.procedures.iter().any(|&(_, derivative)| {
            derivative != self.proc && self.named_in(doc, derivative).contains(&own)
        });
        let Some(&first) = outer.first().filter(|_| !called) else { return Ok(()) };
        let original = self.parts.procedures.iter().find(|(_, d)| *d == self.proc);
        let named = original.map_or(own, |&(original, _)| doc.procs[original].symbol);
        Err(self.error(
            doc,
            Code::DERIVATIVE_REFUSED,
            doc.procs[self.proc].place,
            format!(
                "`{}` is pure, so its derivative cannot allocate that of the module variable `{}`",
                doc.name(named),
                doc.name(first)
            ),
            "drop PURE, or pass the variable as an argument",
        ))
    }

    /// Lets the derivative of `original` follow its allocation and that of its components; direction by direction where
    /// those of all have no common name.
    pub fn follow_state(
        &mut self,
        e: &mut Emitter<'_>,
        original: RefId,
        direction: Direction,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.refs[original].place;
        let looped = direction == Direction::All && !self.parts.takes_all(e.doc, original);
        self.each_direction(e, looped, place, |this, e, one| {
            let direction = if looped { one } else { direction };
            this.follow_some_state(e, original, direction, State::All)
        })
    }

    fn follow_some_state(
        &mut self,
        e: &mut Emitter<'_>,
        original: RefId,
        direction: Direction,
        state: State,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.refs[original].place;
        let base = e.doc.refs[original].ty.base;
        let Some(derivative) = self.parts.reference(e.doc, original, direction) else {
            return Ok(());
        };
        let symbol = e.doc.refs[original].whole_entity();
        let is = |e: &Emitter<'_>, attr| symbol.is_some_and(|symbol| e.doc.has(symbol, attr));
        if is(e, Attr::Pointer) {
            stop_if_missing(e, original, derivative, "associated");
            return Ok(());
        }
        let allocatable = is(e, Attr::Allocatable);
        let polymorphic = matches!(base, Base::Class(_) | Base::ClassStar);
        if allocatable && polymorphic && !self.adjoint && !self.follows_types_of(e.doc, base) {
            stop_if_missing(e, original, derivative, "allocated");
            return Ok(());
        }
        let within = self.has_allocatable_within(e.doc, base);
        let inner = within && state != State::Own;
        if allocatable && state == State::Inner {
            if within {
                let allocated = exists(e.doc, original, "allocated");
                e.open_if(allocated, place);
                self.follow_parts(e, original, direction)?;
                e.close_if();
            }
            return Ok(());
        }
        if allocatable {
            release_if_stale(e, original, derivative);
            let allocated = exists(e.doc, original, "allocated");
            let mut condition = vec![allocated];
            if !inner {
                condition.push(missing(e.doc, derivative));
            }
            open_if_all(e, &condition, place);
            if inner {
                let condition = missing(e.doc, derivative);
                e.open_if(condition, place);
            }
            self.bring_into_being(e, original, derivative, direction)?;
            if inner {
                e.close_if();
            }
        }
        if inner {
            self.follow_parts(e, original, direction)?;
        }
        if allocatable {
            e.close_if();
        }
        Ok(())
    }

    /// Whether derivatives of polymorphic objects can be made, and follow them, type by type: not in
    /// several directions at once, and not where objects hold others of their own type.
    pub(super) fn follows_types_of(&self, doc: &Document, base: Base) -> bool {
        let Base::Class(owner) = base else { return false };
        let types = self.types_of_class(doc, owner);
        self.parts.directions.is_none() && !types.iter().any(|&ty| self.parts.types.is_endless(ty))
    }

    /// The components of a structure, or of each structure of an array.
    pub fn follow_parts(
        &mut self,
        e: &mut Emitter<'_>,
        original: RefId,
        direction: Direction,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.refs[original].place;
        let owner = match e.doc.refs[original].ty.base {
            Base::Derived(owner) => owner,
            Base::Class(owner) if self.has_no_extension(owner) => owner,
            Base::Class(owner) => return self.follow_parts_by_type(e, original, owner),
            _ => return Ok(()),
        };
        self.refuse_endless(e.doc, owner, place)?;
        let parts: Vec<SymbolId> = e
            .doc
            .data_components(owner)
            .into_iter()
            .filter(|&component| {
                let base = base_of(e.doc, component);
                let inner = self.has_allocatable_within(e.doc, base);
                self.parts.types.carries(base)
                    && !e.doc.has(component, Attr::Pointer)
                    && (e.doc.has(component, Attr::Allocatable) || inner)
            })
            .collect();
        let rank = e.doc.refs[original].ty.rank;
        let is_polymorphic = |&component: &SymbolId| {
            let base = base_of(e.doc, component);
            e.doc.has(component, Attr::Allocatable)
                && matches!(base, Base::Class(_))
                && self.has_allocatable_within(e.doc, base)
        };
        // Where an object of an array is allocated and looked at in the same iteration, gfortran 12 mixes the two up
        // with optimisation (-fno-strict-aliasing helps).
        let states: &[State] = match rank > 0 && parts.iter().any(is_polymorphic) {
            true => &[State::Own, State::Inner],
            false => &[State::All],
        };
        for &state in states {
            let element = match rank {
                0 => original,
                _ => self.open_elements(e, original, false)?,
            };
            let looped = self.parts.directions.is_some() && direction == Direction::All;
            self.each_direction(e, looped, place, |this, e, one| {
                let direction = if looped { one } else { direction };
                parts.iter().try_for_each(|&component| {
                    let part = component_of(e.doc, element, component);
                    this.follow_some_state(e, part, direction, state)
                })
            })?;
            (0..rank).for_each(|_| e.close_do());
        }
        Ok(())
    }

    /// The components of a polymorphic object, or of each of an array: an arm for each type that has
    /// some, in which the derivative is one of that type.
    fn follow_parts_by_type(
        &mut self,
        e: &mut Emitter<'_>,
        original: RefId,
        owner: SymbolId,
    ) -> Result<(), Diagnostic> {
        let Some(derivative) = self.parts.reference(e.doc, original, Direction::All) else {
            return Ok(());
        };
        let types = self.types_of_class(e.doc, owner);
        let selection = self.open_types(e, original, &types)?;
        for ty in types {
            let one = selection.arm(e, ty);
            if !self.has_allocatable_within(e.doc, Base::Derived(ty)) {
                continue;
            }
            let same = self.open_types(e, derivative, &[ty])?;
            let its_derivative = same.arm(e, ty);
            self.parts.add_variable(e.doc.refs[one].base, e.doc.refs[its_derivative].base);
            self.follow_parts(e, one, Direction::All)?;
            same.close(e);
        }
        selection.close(e);
        Ok(())
    }

    /// Allocates a derivative with the bounds of its original, and its type; what it has of allocatable
    /// components is not allocated.
    ///
    /// # Errors
    /// A polymorphic one of which is not known what it may consist of, or that holds others of its own
    /// type.
    pub fn bring_into_being(
        &mut self,
        e: &mut Emitter<'_>,
        original: RefId,
        derivative: RefId,
        direction: Direction,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.refs[original].place;
        let polymorphic = matches!(e.doc.refs[original].ty.base, Base::Class(_) | Base::ClassStar);
        if polymorphic && !self.follows_types_of(e.doc, e.doc.refs[original].ty.base) {
            return Err(self.error(
                e.doc,
                Code::DERIVATIVE_REFUSED,
                place,
                format!(
                    "the derivative of `{}` must be allocated here, but it is polymorphic, and what it \
                     holds is known only as the program runs",
                    e.doc.name(e.doc.refs[original].base)
                ),
                "declare it with its type",
            ));
        }
        let object = Copier::new().reference(e.doc, derivative);
        let count = self.parts.directions.filter(|_| direction == Direction::All);
        let count = count.map(|count| integer(e.doc, i64::from(count), place));
        let mold = polymorphic.then(|| {
            let mold = Copier::new().reference(e.doc, original);
            value_of(e.doc, mold)
        });
        self.add_bounds(e.doc, object, original, count);
        let (spec, stat, errmsg, source) = (None, None, None, None);
        let allocate = Allocate { spec, objects: vec![object], stat, errmsg, source, mold };
        e.stmt(StmtKind::Allocate(Box::new(allocate)), place);
        self.fresh = true;
        let done = self.zero(e, derivative);
        self.fresh = false;
        done
    }

    /// Whether this procedure, or one that it calls, associates a pointer or allocates a polymorphic
    /// variable: then nothing is missing before.
    fn gives_storage(&self, doc: &Document, variable: SymbolId) -> bool {
        let polymorphic = matches!(base_of(doc, variable), Base::Class(_) | Base::ClassStar);
        if !doc.has(variable, Attr::Pointer) && !polymorphic {
            return false;
        }
        let (mut seen, mut next) = (vec![self.proc], 0);
        while let Some(&here) = seen.get(next) {
            next += 1;
            if gives_storage_itself(doc, here, variable) {
                return true;
            }
            for symbol in self.named_in(doc, here) {
                let callee = doc.procedure_of(symbol);
                seen.extend(callee.filter(|callee| !seen.contains(callee)));
            }
        }
        false
    }
}

fn gives_storage_itself(doc: &Document, proc: ProcId, variable: SymbolId) -> bool {
    let Body::Flow(cfg) = &doc.procs[proc].body else { return false };
    let names = |reference: RefId| {
        let Reference { base, parts, .. } = &doc.refs[reference];
        *base == variable && !parts.iter().any(|part| matches!(part, Part::Component { .. }))
    };
    let is_whole = |reference: RefId| names(reference) && doc.refs[reference].parts.is_empty();
    let polymorphic = !doc.has(variable, Attr::Pointer);
    cfg.vertices.values().any(|vertex| {
        let VertexKind::BasicBlock { stmts, .. } = &vertex.kind else { return false };
        stmts.iter().any(|&stmt| match &doc.stmts[stmt].kind {
            StmtKind::PointerAssign { lhs, .. } => names(*lhs),
            StmtKind::Allocate(allocate) => allocate.objects.iter().any(|&o| names(o)),
            StmtKind::Assign { lhs, .. } => polymorphic && is_whole(*lhs),
            // The dummy argument may be associated or allocated.
            StmtKind::Call(call) => call.args.iter().any(|arg| match arg.value {
                ArgValue::Expr(value) => {
                    matches!(doc.exprs[value].kind, ExprKind::Ref(one) if is_whole(one))
                }
                ArgValue::AlternateReturn(_) => false,
            }),
            StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => false,
        })
    })
}

/// What of the state of a variable its derivative follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    All,
    /// Whether it is allocated, and with which type and bounds.
    Own,
    /// That of its components, where it is allocated.
    Inner,
}

/// Releases an allocatable derivative whose original is not allocated or has other bounds.
fn release_if_stale(e: &mut Emitter<'_>, original: RefId, derivative: RefId) {
    let place = e.doc.refs[original].place;
    let there = exists(e.doc, derivative, "allocated");
    e.open_if(there, place);
    let gone = missing(e.doc, original);
    let mut bounds = Vec::new();
    let rank = e.doc.refs[original].ty.rank;
    let leading = e.doc.refs[derivative].ty.rank.saturating_sub(rank);
    if matches!(e.doc.refs[original].ty.base, Base::Class(_)) {
        let objects = [derivative, original].map(|one| {
            let copy = Copier::new().reference(e.doc, one);
            value_of(e.doc, copy)
        });
        let same = intrinsic(e.doc, "same_type_as", &objects, Ty::scalar(Base::Logical(4)));
        bounds.push(boolean(e.doc, BoolOp::Not, &[same]));
    }
    for dimension in 1..=rank {
        for name in ["lbound", "ubound"] {
            let own = bound(e.doc, derivative, name, dimension + leading);
            let other = bound(e.doc, original, name, dimension);
            bounds.push(boolean(e.doc, BoolOp::NotEqual, &[own, other]));
        }
    }
    let release = |e: &mut Emitter<'_>| {
        let object = Copier::new().reference(e.doc, derivative);
        e.release(object, place);
    };
    e.open_if(gone, place);
    release(e);
    let different =
        bounds.into_iter().reduce(|left, right| boolean(e.doc, BoolOp::Or, &[left, right]));
    if let Some(different) = different {
        e.open_else();
        e.open_if(different, place);
        release(e);
        e.close_if();
    }
    e.close_if();
    e.close_if();
}

/// `if (associated(original) .and. .not. associated(derivative)) error stop`
fn stop_if_missing(e: &mut Emitter<'_>, original: RefId, derivative: RefId, name: &str) {
    let place = e.doc.refs[original].place;
    let there = exists(e.doc, original, name);
    let own = exists(e.doc, derivative, name);
    let own = boolean(e.doc, BoolOp::Not, &[own]);
    open_if_all(e, &[there, own], place);
    let said = e.doc.name(e.doc.refs[original].base).to_owned();
    e.stmt(stop_marker(&format!("error stop 'the derivative of {said} is not {name}'")), place);
    e.close_if();
}

fn open_if_all(e: &mut Emitter<'_>, conditions: &[ExprId], place: Place) {
    let all = conditions.iter().copied();
    let all = all.reduce(|left, right| boolean(e.doc, BoolOp::And, &[left, right]));
    if let Some(all) = all {
        e.open_if(all, place);
    }
}

/// `.not. allocated(object)`
fn missing(doc: &mut Document, object: RefId) -> ExprId {
    let there = exists(doc, object, "allocated");
    boolean(doc, BoolOp::Not, &[there])
}

fn is_pure(doc: &Document, proc: ProcId) -> bool {
    let symbol = doc.procs[proc].symbol;
    let impure = doc.has(symbol, Attr::Impure);
    doc.has(symbol, Attr::Pure) || doc.has(symbol, Attr::Elemental) && !impure
}

fn base_of(doc: &Document, symbol: SymbolId) -> Base {
    doc.symbols[symbol].decl.as_ref().map_or(Base::Unknown, |decl| decl.spec.base())
}
