//! ALLOCATE, DEALLOCATE, MOVE_ALLOC and assignments that allocate.
//!
//! The forward sweep does what the program does and records what it releases. The backward sweep
//! mirrors it: where the program allocated, it releases; where the program released, it allocates
//! again, with the bounds and the value that were recorded. Adjoint objects live in the backward sweep
//! alone: they come into being, as zeros, with the originals that it allocates or that are there as it
//! begins, and go with them.

use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{
    Allocate, Arg, ArgValue, Base, BoolOp, Document, ExprId, Place, RefId, Release, StmtId,
    StmtKind, SubroutineCall,
};

use crate::body::Adjoint;
use crate::queries::designators::{is_within, same_designator};
use crate::recovery::properties::{Way, on_tape, release, value_of_symbol};
use crate::statements::assign::Overlap;
use booster_build::exists;
use booster_build::unbounded;
use booster_build::{Copier, Emitter, boolean, value_of};
use booster_linearize::keeps_shape;
use booster_shadow::derivative::Direction;

impl Adjoint<'_> {
    /// What a statement allocates, releases or associates, and so records in a way of its own.
    pub(crate) fn memory_objects(&self, doc: &Document, stmt: StmtId) -> Vec<RefId> {
        match &doc.stmts[stmt].kind {
            StmtKind::Allocate(allocate) => allocate.objects.clone(),
            StmtKind::Release(release) => release.objects.clone(),
            StmtKind::PointerAssign { lhs, .. } => vec![*lhs],
            StmtKind::Call(call) => {
                doc.moved(call).map_or_else(Vec::new, |(from, to)| vec![from, to])
            }
            StmtKind::Assign { .. }
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => Vec::new(),
        }
    }

    /// Whether the value of an object that a statement releases is recorded.
    fn value_is_recorded(&self, doc: &Document, stmt: StmtId, object: RefId) -> bool {
        let object = &doc.refs[object];
        let told = doc.stmts[stmt].recorded.as_ref();
        told.is_none_or(|told| told.iter().any(|&r| same_designator(doc, &doc.refs[r], object)))
    }

    /// Whether the value of what MOVE_ALLOC moves to is recorded, or that of a component of it.
    fn target_is_recorded(&self, doc: &Document, stmt: StmtId, to: RefId) -> bool {
        let told = doc.stmts[stmt].recorded.as_ref();
        told.is_none_or(|told| {
            told.iter().any(|&name| is_within(doc, &doc.refs[name], &doc.refs[to]))
        })
    }

    /// Whether `lhs = rhs` may give `lhs` another shape.
    pub(crate) fn reshapes(&self, doc: &Document, lhs: RefId, rhs: ExprId) -> bool {
        let ty = &doc.refs[lhs].ty;
        if !crate::queries::designators::is_plain(doc, ty.base) {
            return true;
        }
        let kept = ty.rank > 0 && (doc.exprs[rhs].ty.rank == 0 || keeps_shape(doc, rhs, lhs));
        self.tools.may_reallocate(doc, lhs) && !kept
    }

    /// ALLOCATE in the forward sweep. With STAT= it may fail: it is recorded what was there before.
    pub(crate) fn forward_allocate(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        allocate: &Allocate,
    ) -> Result<(), Diagnostic> {
        self.record(e, stmt)?;
        if allocate.objects.iter().any(|&object| self.is_pointer(e.doc, object)) {
            return self.forward_pointer_allocate(e, stmt, allocate);
        }
        if allocate.stat.is_some() {
            for &object in &allocate.objects {
                let object = unbounded(e.doc, object);
                let there = exists(e.doc, object, "allocated");
                on_tape(e, "push", there, e.doc.refs[object].place);
            }
        }
        e.push(stmt);
        Ok(())
    }

    /// ALLOCATE in the backward sweep: what it has allocated is released. What SOURCE= gave it came
    /// from there.
    pub(crate) fn backward_allocate(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        allocate: &Allocate,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        if allocate.objects.iter().any(|&object| self.is_pointer(e.doc, object)) {
            self.backward_pointer_allocate(e, allocate)?;
            return self.restore(e, stmt);
        }
        for &object in allocate.objects.iter().rev() {
            let object = unbounded(e.doc, object);
            if allocate.stat.is_some() {
                let there = self.scratch(e.doc, "there", Base::Logical(4));
                let value = value_of_symbol(e.doc, there, place);
                on_tape(e, "pop", value, place);
                let before = value_of_symbol(e.doc, there, place);
                let new = boolean(e.doc, BoolOp::Not, &[before]);
                let now = exists(e.doc, object, "allocated");
                let condition = boolean(e.doc, BoolOp::And, &[new, now]);
                e.open_if(condition, place);
            }
            if let Some(source) = allocate.source {
                self.adjoint_of_source(e, object, source)?;
            }
            release(e, object);
            if let Some(adjoint) = self.tools.parts.reference(e.doc, object, Direction::All) {
                release(e, adjoint);
            }
            if allocate.stat.is_some() {
                e.close_if();
            }
        }
        self.restore(e, stmt)
    }

    fn adjoint_of_source(
        &mut self,
        e: &mut Emitter<'_>,
        object: RefId,
        source: ExprId,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.refs[object].place;
        let Some(own) = self.tools.shadow(e.doc, object, Direction::All) else { return Ok(()) };
        let ty = e.doc.refs[object].ty;
        if !matches!(ty.base, Base::Real(_) | Base::Complex(_)) {
            return self.give_structure(e, object, source, own, place);
        }
        let contributions = self.contributions(e, source, (own, None), ty, place)?;
        self.accumulate(e, contributions, place)
    }

    /// DEALLOCATE in the forward sweep.
    pub(crate) fn forward_release(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        release: &Release,
    ) -> Result<(), Diagnostic> {
        self.record(e, stmt)?;
        if release.objects.iter().any(|&object| self.is_pointer(e.doc, object)) {
            return self.forward_pointer_release(e, stmt, release);
        }
        let released = release.stat.is_none();
        for &object in &release.objects {
            let value = self.value_is_recorded(e.doc, stmt, object);
            let object = e.doc.refs[object].clone();
            let before = self.allocated_before(stmt, &object);
            self.tape_state(
                e,
                &object,
                Way { push: true, value, released, before, stmt: Some(stmt) },
            )?;
        }
        e.push(stmt);
        Ok(())
    }

    /// DEALLOCATE in the backward sweep: what it has released is allocated as it was.
    pub(crate) fn backward_release(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        release: &Release,
    ) -> Result<(), Diagnostic> {
        if release.objects.iter().any(|&object| self.is_pointer(e.doc, object)) {
            self.backward_association(e, &release.objects)?;
            return self.restore(e, stmt);
        }
        for &object in release.objects.iter().rev() {
            let value = self.value_is_recorded(e.doc, stmt, object);
            let original = e.doc.refs[object].clone();
            let released = release.stat.is_none();
            let before = self.allocated_before(stmt, &original);
            self.tape_state(
                e,
                &original,
                Way { push: false, value, released, before, stmt: Some(stmt) },
            )?;
            if released {
                self.begin(e, object, true)?;
            } else {
                self.follow(e, object)?;
            }
        }
        self.restore(e, stmt)
    }

    /// `call move_alloc(from, to)` in the forward sweep: what `to` was is recorded.
    pub(crate) fn forward_move(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        call: &SubroutineCall,
    ) -> Result<(), Diagnostic> {
        let Some((_, to)) = e.doc.moved(call) else { return Ok(()) };
        self.record(e, stmt)?;
        let value = self.target_is_recorded(e.doc, stmt, to);
        let to = e.doc.refs[to].clone();
        let before = self.allocated_before(stmt, &to);
        self.tape_state(
            e,
            &to,
            Way { push: true, value, released: false, before, stmt: Some(stmt) },
        )?;
        e.push(stmt);
        Ok(())
    }

    /// `call move_alloc(from, to)` in the backward sweep: it is moved back, and so is its adjoint.
    pub(crate) fn backward_move(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        call: &SubroutineCall,
    ) -> Result<bool, Diagnostic> {
        let Some((from, to)) = e.doc.moved(call) else { return Ok(false) };
        let place = e.doc.stmts[stmt].place;
        move_back(e, call, from, to, place);
        let adjoints = [from, to].map(|r| self.tools.parts.reference(e.doc, r, Direction::All));
        match adjoints {
            [Some(from), Some(to)] => move_back(e, call, from, to, place),
            [Some(_), None] => self.follow(e, from)?,
            [None, Some(to)] => {
                let there = exists(e.doc, to, "allocated");
                e.open_if(there, place);
                release(e, to);
                e.close_if();
            }
            [None, None] => {}
        }
        let value = self.target_is_recorded(e.doc, stmt, to);
        let original = e.doc.refs[to].clone();
        let before = self.allocated_before(stmt, &original);
        self.tape_state(
            e,
            &original,
            Way { push: false, value, released: false, before, stmt: Some(stmt) },
        )?;
        self.follow(e, to)?;
        self.restore(e, stmt)?;
        Ok(true)
    }

    /// The adjoint of `lhs = rhs` where that may have given `lhs` another shape. The variable has its
    /// old shape and value by now, its adjoint the new shape.
    pub(crate) fn adjoint_reshaping(
        &mut self,
        e: &mut Emitter<'_>,
        lhs: RefId,
        rhs: ExprId,
        own: RefId,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.refs[lhs].place;
        let ty = e.doc.refs[lhs].ty;
        if self.overlap(e.doc, lhs, rhs) == Overlap::None {
            let contributions = self.contributions(e, rhs, (own, None), ty, place)?;
            self.accumulate(e, contributions, place)?;
            return self.renew(e, lhs);
        }
        let aside = self.set_aside(e, own, place);
        self.renew(e, lhs)?;
        let contributions = self.contributions(e, rhs, (aside, None), ty, place)?;
        self.accumulate(e, contributions, place)?;
        self.drop_aside(e, aside);
        Ok(())
    }
}

fn move_back(e: &mut Emitter<'_>, call: &SubroutineCall, from: RefId, to: RefId, place: Place) {
    let args = [(to, 1), (from, 2)].map(|(reference, position)| {
        let copy = Copier::new().reference(e.doc, reference);
        let value = ArgValue::Expr(value_of(e.doc, copy));
        Arg { position, keyword: None, value }
    });
    let mut callee = call.callee.clone();
    Copier::new().callee(e.doc, &mut callee);
    let made =
        SubroutineCall { callee, args: args.into(), formal_count: Some(2), active: Some(false) };
    e.stmt(StmtKind::Call(Box::new(made)), place);
}
