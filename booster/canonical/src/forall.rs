//! FORALL: DO loops, with an array between where a right-hand side may read what the statement writes
//! (Fortran 2018, 10.2.4.2.4).
//!
//! The statements of the body are executed one after the other, each for all combinations of the indices:
//! so each has loops of its own, those of a FORALL inside within those of the one around it. A WHERE
//! inside is a list of assignments, each under the masks around it. A mask is evaluated for all combinations
//! before the assignments behind it: where they change what it reads, it looks at a copy of that.

use xaif_schema::diag::Code;
use xaif_schema::model::{
    Allocate, Attr, Base, Dim, Document, ExprId, ExprKind, Forall, ForallHeader, Part, Place,
    RefId, Role, StmtId, StmtKind, Subscript, SymbolId, Ty, Where, WhereArm,
};

use super::Canonical;
use super::statement::place_of;
use super::temporaries::Storage;
use booster_build::{
    Copier, Emitter, assign, fresh_name, has_call, index, inquire, intrinsic, new_variable,
    nodes_of, reference, statement, subscripts_of, value_of, whole,
};

/// The combinations of indices for which a statement is executed.
struct Space {
    /// The outermost FORALL first.
    headers: Vec<ForallHeader>,
    /// The variables for the indices.
    copier: Copier,
}

/// A WHERE around an assignment: the masks of the arms before, and that of the arm it stands in.
#[derive(Clone)]
struct Around {
    before: Vec<ExprId>,
    own: Option<ExprId>,
}

impl Canonical {
    /// FORALL. Whether it became loops; else it stays.
    pub(super) fn forall(&mut self, e: &mut Emitter<'_>, stmt: StmtId, construct: &Forall) -> bool {
        for range in &construct.header.ranges {
            for bound in [Some(range.lower), Some(range.upper), range.step] {
                bound.into_iter().for_each(|bound| self.value(e, bound, false));
            }
        }
        if !self.apart && !self.statement_hoists(e.doc, stmt) {
            return false;
        }
        let place = place_of(e.doc, stmt);
        let mut written = Vec::new();
        if !self.written(e.doc, &construct.body, &mut written) {
            return false;
        }
        let mut construct = construct.clone();
        let mask = construct.header.mask;
        let keeps_mask = mask.is_some_and(|mask| self.may_change(e.doc, mask, &written));
        for range in &construct.header.ranges {
            for bound in [Some(range.lower), Some(range.upper), range.step].into_iter().flatten() {
                if !self.changed_by(e.doc, bound, &written).is_empty() {
                    self.hoist(e, bound, "bound");
                }
            }
        }
        let mut copier = Copier::new();
        self.indices(e.doc, &construct.header, &mut copier, place);
        self.changed = true;
        let kept =
            if keeps_mask { self.keep_mask(e, &mut construct, &copier, place) } else { None };
        let mut space = Space { headers: vec![construct.header.clone()], copier };
        for &inner in &construct.body {
            self.loops(e, &mut space, inner);
        }
        if let Some(kept) = kept {
            let object = whole(e.doc, kept, place);
            e.release(object, place);
        }
        true
    }

    /// Variables of the procedure for the indices of a FORALL.
    fn indices(
        &mut self,
        doc: &mut Document,
        header: &ForallHeader,
        copier: &mut Copier,
        place: Place,
    ) {
        for range in &header.ranges {
            let base = doc.symbols[range.var].decl.as_ref().map(|decl| decl.spec.base());
            let base = base.unwrap_or(Base::Integer(4));
            let name = fresh_name(doc, self.scope, doc.name(range.var));
            let index = match self.only_an_index(doc, range.var) {
                Some(declared) => declared,
                None => new_variable(doc, self.scope, &name, base, place),
            };
            copier.symbols.insert(range.var, index);
        }
    }

    /// The mask of a FORALL whose body writes what the mask looks at: an array over the indices.
    fn keep_mask(
        &mut self,
        e: &mut Emitter<'_>,
        construct: &mut Forall,
        copier: &Copier,
        place: Place,
    ) -> Option<SymbolId> {
        let mask = construct.header.mask.take()?;
        let rank = u8::try_from(construct.header.ranges.len()).unwrap_or(u8::MAX);
        let ty = Ty { base: e.doc.exprs[mask].ty.base, rank };
        let kept = self.temporary(e, "mask", ty, Storage::Plain, place)?;
        let mut bounds = Vec::new();
        for range in &construct.header.ranges {
            let (mut lower, mut upper) =
                (copier.expr(e.doc, range.lower), copier.expr(e.doc, range.upper));
            if range.step.is_some() {
                let ends = [lower, upper];
                let again = ends.map(|end| Copier::new().expr(e.doc, end));
                let ty = e.doc.exprs[lower].ty;
                lower = intrinsic(e.doc, "min", &ends, ty);
                upper = intrinsic(e.doc, "max", &again, ty);
            }
            bounds.push(Subscript::Section {
                lower: Some(lower),
                upper: Some(upper),
                stride: None,
            });
        }
        let object = reference(e.doc, kept, [Part::Elements(bounds)], ty, place);
        let (spec, stat, errmsg, source, mold) = (None, None, None, None, None);
        let objects = vec![object];
        let allocate = Allocate { spec, objects, stat, errmsg, source, mold };
        e.stmt(StmtKind::Allocate(Box::new(allocate)), place);
        let element = |doc: &mut Document| {
            let indices: Vec<ExprId> = construct
                .header
                .ranges
                .iter()
                .map(|range| {
                    let index = whole(doc, range.var, place);
                    value_of(doc, index)
                })
                .collect();
            index(doc, kept, &indices, place)
        };
        let at = element(e.doc);
        // The mask has been taken out.
        let space = Space { headers: vec![construct.header.clone()], copier: copier.clone() };
        self.nest(e, &space, place, |this, e| {
            let lhs = copier.reference(e.doc, at);
            let value = copier.expr(e.doc, mask);
            this.value(e, value, false);
            e.assign(lhs, value, place);
        });
        let again = element(e.doc);
        construct.header.mask = Some(value_of(e.doc, again));
        Some(kept)
    }

    /// A variable of the procedure that is declared for the sake of an index of FORALL and that
    /// nothing else names.
    fn only_an_index(&mut self, doc: &Document, index: SymbolId) -> Option<SymbolId> {
        let declared = doc.symbol_in(self.scope, &doc.symbols[index].id)?;
        let decl = doc.symbols[declared].decl.as_deref()?;
        let plain = matches!(decl.role, Role::Variable)
            && decl.dims.is_empty()
            && decl.attrs.is_empty()
            && decl.intent.is_none()
            && decl.common.is_none()
            && decl.init.is_none()
            && doc.symbols[index]
                .decl
                .as_deref()
                .is_some_and(|d| d.spec.base() == decl.spec.base());
        let passed = doc.procs.values().any(|proc| {
            proc.args.iter().any(|arg| arg.symbol == Some(declared))
                || proc.result == Some(declared)
        });
        let named = || doc.refs.values().any(|reference| reference.base == declared);
        let free = plain && !passed && (self.indices.contains(&declared) || !named());
        free.then(|| {
            self.indices.insert(declared);
            declared
        })
    }

    /// Adds the variables that the body of a FORALL writes, by one reference each; `false`, with a
    /// message, where it cannot become loops.
    fn written(&mut self, doc: &Document, body: &[StmtId], written: &mut Vec<RefId>) -> bool {
        for &inner in body {
            let fine = match &doc.stmts[inner].kind {
                StmtKind::Assign { lhs, defined: None, .. } => {
                    written.push(*lhs);
                    true
                }
                StmtKind::Comment(_) => true,
                StmtKind::PointerAssign { lhs, .. } if self.apart => {
                    written.push(*lhs);
                    true
                }
                StmtKind::Where(construct) if self.apart => {
                    let arms = construct.arms.clone();
                    if let Some(mask) =
                        arms.iter().filter_map(|arm| arm.mask).find(|&m| has_call(doc, [m]))
                    {
                        let message = "the mask of a WHERE inside of FORALL calls a function";
                        let help = "compute the mask in a loop before";
                        let place = doc.exprs[mask].place;
                        self.refuse(doc, Code::CANNOT_HOIST, place, message.into(), help);
                        return false;
                    }
                    if !arms.iter().all(|arm| self.written(doc, &arm.body, written)) {
                        return false;
                    }
                    true
                }
                StmtKind::Forall(construct) if self.apart => {
                    let Forall { header, body, .. } = &**construct;
                    let (header, body) = (header.clone(), body.clone());
                    let mut own = Vec::new();
                    if !self.written(doc, &body, &mut own) {
                        return false;
                    }
                    let bounds = header.ranges.iter().flat_map(|range| {
                        [Some(range.lower), Some(range.upper), range.step].into_iter().flatten()
                    });
                    let changed =
                        bounds.chain(header.mask).any(|expr| self.may_change(doc, expr, &own));
                    written.extend(own);
                    !changed
                }
                StmtKind::Assign { .. }
                | StmtKind::PointerAssign { .. }
                | StmtKind::Call(_)
                | StmtKind::InlinableCall(_)
                | StmtKind::Propagate(_)
                | StmtKind::Where(_)
                | StmtKind::Forall(_)
                | StmtKind::Allocate(_)
                | StmtKind::Release(_)
                | StmtKind::OpenScope(_)
                | StmtKind::CloseScope(_)
                | StmtKind::Marker(_) => false,
            };
            if !fine {
                let place = place_of(doc, inner);
                let message = if self.apart {
                    "this FORALL holds an assignment that the program defines, or a FORALL that changes \
                     what its own header reads, so that it cannot become loops"
                } else {
                    "this FORALL calls a function that activity passes through, and holds more \
                     than assignments"
                };
                self.refuse(doc, Code::CANNOT_HOIST, place, message.into(), "write DO loops");
                return false;
            }
        }
        true
    }

    /// The variables that `expr` reads and that an assignment to one of `written` may change.
    pub(super) fn changed_by(
        &self,
        doc: &Document,
        expr: ExprId,
        written: &[RefId],
    ) -> Vec<SymbolId> {
        let mut changed = Vec::new();
        for node in nodes_of(doc, [expr]) {
            let ExprKind::Ref(read) = doc.exprs[node].kind else { continue };
            let base = doc.refs[read].base;
            let touches = |&other: &RefId| {
                doc.refs[other].base == base || self.is_open(doc, read) && self.is_open(doc, other)
            };
            if !changed.contains(&base) && written.iter().any(touches) {
                changed.push(base);
            }
        }
        changed
    }

    /// Whether an assignment to one of `written` may change the value of `expr`, functions included.
    fn may_change(&self, doc: &Document, expr: ExprId, written: &[RefId]) -> bool {
        let seen = |&other: &RefId| !self.facts.is_private(doc, other, self.scope);
        // A function may read what its arguments do not show.
        has_call(doc, [expr]) && written.iter().any(seen)
            || !self.changed_by(doc, expr, written).is_empty()
    }

    /// Whether a variable may share storage with another.
    fn is_open(&self, doc: &Document, reference: RefId) -> bool {
        let base = doc.refs[reference].base;
        let open = |symbol: SymbolId| {
            doc.symbols[symbol].decl.as_deref().is_none_or(|decl| {
                decl.common.is_some()
                    || [Attr::Pointer, Attr::Target].iter().any(|&attr| decl.has(attr))
            })
        };
        let by_pointer = doc.refs[reference].parts.iter().any(|part| match part {
            Part::Component { symbol, .. } => symbol.is_none_or(open),
            Part::Deref => true,
            Part::Elements(_) | Part::Substring { .. } | Part::Inquiry(_) => false,
        });
        by_pointer || open(base) || self.facts.is_overlaid(base)
    }

    /// One statement of a FORALL as loops.
    fn loops(&mut self, e: &mut Emitter<'_>, space: &mut Space, stmt: StmtId) {
        let place = place_of(e.doc, stmt);
        match e.doc.stmts[stmt].kind.clone() {
            StmtKind::Assign { lhs, rhs, .. } => self.assigned(e, space, (lhs, rhs), &[], place),
            StmtKind::PointerAssign { lhs, rhs } => {
                let copier = space.copier.clone();
                self.nest(e, space, place, |_, e| {
                    let lhs = copier.reference(e.doc, lhs);
                    let rhs = copier.expr(e.doc, rhs);
                    e.stmt(StmtKind::PointerAssign { lhs, rhs }, place);
                });
            }
            StmtKind::Where(construct) => {
                let mut written = Vec::new();
                if self.written(e.doc, &[stmt], &mut written) {
                    self.where_inside(e, space, (&construct, &written), &[], place);
                }
            }
            StmtKind::Forall(construct) => {
                self.indices(e.doc, &construct.header, &mut space.copier, place);
                space.headers.push(construct.header.clone());
                construct.body.iter().for_each(|&inner| self.loops(e, space, inner));
                space.headers.pop();
            }
            StmtKind::Call(_)
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => {
                e.push(stmt);
            }
        }
    }

    /// A WHERE that stands in a FORALL; `written`: what the outermost such WHERE writes.
    fn where_inside(
        &mut self,
        e: &mut Emitter<'_>,
        space: &Space,
        (construct, written): (&Where, &[RefId]),
        around: &[Around],
        place: Place,
    ) {
        let mut before = Vec::new();
        for arm in &construct.arms {
            let own = match arm.mask {
                Some(mask) => {
                    let Some(mask) = self.as_it_is(e, mask, written, place) else { return };
                    Some(mask)
                }
                None => None,
            };
            let mut here = around.to_vec();
            here.push(Around { before: before.clone(), own });
            for &inner in &arm.body {
                let place = place_of(e.doc, inner);
                match e.doc.stmts[inner].kind.clone() {
                    StmtKind::Assign { lhs, rhs, .. } => {
                        self.assigned(e, space, (lhs, rhs), &here, place);
                    }
                    StmtKind::Where(nested) => {
                        self.where_inside(e, space, (&nested, written), &here, place);
                    }
                    StmtKind::PointerAssign { .. }
                    | StmtKind::Call(_)
                    | StmtKind::InlinableCall(_)
                    | StmtKind::Propagate(_)
                    | StmtKind::Forall(_)
                    | StmtKind::Allocate(_)
                    | StmtKind::Release(_)
                    | StmtKind::OpenScope(_)
                    | StmtKind::CloseScope(_)
                    | StmtKind::Marker(_)
                    | StmtKind::Comment(_) => {
                        e.push(inner);
                    }
                }
            }
            before.extend(own);
        }
    }

    /// An expression that has its value of now for all combinations though `written` be assigned: what
    /// may be changed is copied.
    fn as_it_is(
        &mut self,
        e: &mut Emitter<'_>,
        expr: ExprId,
        written: &[RefId],
        place: Place,
    ) -> Option<ExprId> {
        let mut copier = Copier::new();
        for base in self.changed_by(e.doc, expr, written) {
            let copy = self.copy_of(e, base, Some(false), place)?;
            copier.symbols.insert(base, copy);
        }
        Some(copier.expr(e.doc, expr))
    }

    /// An assignment as loops, under the masks `around` it.
    fn assigned(
        &mut self,
        e: &mut Emitter<'_>,
        space: &Space,
        (lhs, rhs): (RefId, ExprId),
        around: &[Around],
        place: Place,
    ) {
        let base = e.doc.refs[lhs].base;
        let subscripts = subscripts_of(&e.doc.refs[lhs]);
        let masks = around.iter().flat_map(|one| one.before.iter().copied().chain(one.own));
        let reads = |doc: &Document, expr: ExprId| !self.changed_by(doc, expr, &[lhs]).is_empty();
        let places_change = subscripts.iter().any(|&expr| reads(e.doc, expr));
        let direct = !places_change
            && !reads(e.doc, rhs)
            && !masks.into_iter().any(|mask| reads(e.doc, mask))
            && self.facts.is_private(e.doc, lhs, self.scope);
        let copier = &space.copier;
        if direct {
            self.nest(e, space, place, |this, e| {
                let lhs = copier.reference(e.doc, lhs);
                let rhs = copier.expr(e.doc, rhs);
                this.under(e, copier, around, (lhs, rhs), place);
            });
            return;
        }
        let Some(between) = self.like(e, lhs, place) else { return };
        // Which elements are assigned to is evaluated before any of them is.
        let mut places = copier.clone();
        if places_change {
            let Some(then) = self.copy_of(e, base, Some(false), place) else { return };
            places.symbols.insert(base, then);
        }
        let part = |doc: &mut Document, of: SymbolId| {
            let copy = places.reference(doc, lhs);
            doc.refs[copy].base = of;
            copy
        };
        self.nest(e, space, place, |this, e| {
            let lhs = part(e.doc, between);
            let rhs = copier.expr(e.doc, rhs);
            this.under(e, copier, around, (lhs, rhs), place);
        });
        self.nest(e, space, place, |this, e| {
            let lhs = part(e.doc, base);
            let from = part(e.doc, between);
            let from = value_of(e.doc, from);
            this.under(e, copier, around, (lhs, from), place);
        });
    }

    /// `lhs = rhs` under masks.
    fn under(
        &mut self,
        e: &mut Emitter<'_>,
        copier: &Copier,
        around: &[Around],
        (lhs, rhs): (RefId, ExprId),
        place: Place,
    ) {
        if around.is_empty() {
            self.assignment(e, lhs, rhs);
            e.assign(lhs, rhs, place);
            return;
        }
        let mut stmt = assign(e.doc, lhs, rhs, place);
        for one in around.iter().rev() {
            let arm = |doc: &mut Document, mask: Option<ExprId>, body| WhereArm {
                mask: mask.map(|mask| copier.expr(doc, mask)),
                body,
            };
            let mut arms: Vec<WhereArm> = Vec::new();
            for &mask in &one.before {
                arms.push(arm(e.doc, Some(mask), Vec::new()));
            }
            arms.push(arm(e.doc, one.own, vec![stmt]));
            let kind = StmtKind::Where(Box::new(Where { arms, name: None, inline: false }));
            stmt = statement(e.doc, kind, place);
        }
        let StmtKind::Where(construct) = e.doc.stmts[stmt].kind.clone() else { return };
        if !self.masked(e, stmt, &construct) {
            e.push(stmt);
        }
    }

    /// A copy of the array that `lhs` is a part of, for the values that are assigned to it.
    fn like(&mut self, e: &mut Emitter<'_>, lhs: RefId, place: Place) -> Option<SymbolId> {
        let elements = match &e.doc.refs[lhs].parts[..] {
            [Part::Elements(subscripts)] => subscripts.iter().all(|subscript| match subscript {
                Subscript::Index(index) => e.doc.exprs[*index].ty.rank == 0,
                Subscript::Section { .. } => true,
            }),
            _ => false,
        };
        if !elements {
            self.refuse_copy(e, place);
            return None;
        }
        let (base, active) = (e.doc.refs[lhs].base, e.doc.refs[lhs].active);
        // Its elements are read where they were assigned before, which may be the first time at all.
        self.another(e, base, (active, false), place)
    }

    fn refuse_copy(&mut self, e: &Emitter<'_>, place: Place) {
        let message = "this FORALL statement may read what it writes, and its variable is no array \
                       whose shape is known";
        self.refuse(e.doc, Code::CANNOT_HOIST, place, message.into(), "write DO loops");
    }

    /// A copy of a variable with the value that it has here, and the same bounds.
    fn copy_of(
        &mut self,
        e: &mut Emitter<'_>,
        base: SymbolId,
        active: Option<bool>,
        place: Place,
    ) -> Option<SymbolId> {
        self.another(e, base, (active, true), place)
    }

    /// A variable like another one, with the same bounds; with its value, too, if that is `wanted` or allocates it.
    fn another(
        &mut self,
        e: &mut Emitter<'_>,
        base: SymbolId,
        (active, wanted): (Option<bool>, bool),
        place: Place,
    ) -> Option<SymbolId> {
        let decl = e.doc.symbols[base].decl.as_deref();
        let known = decl.is_some_and(|decl| {
            matches!(decl.role, Role::Variable)
                && !decl
                    .dims
                    .iter()
                    .any(|dim| matches!(dim, Dim::AssumedSize { .. } | Dim::AssumedRank))
        });
        if !known {
            self.refuse_copy(e, place);
            return None;
        }
        let name = e.doc.name(base).to_owned();
        let start = whole(e.doc, base, place);
        let ty = e.doc.refs[start].ty;
        if self.facts.analysed {
            e.doc.refs[start].active = active;
        }
        let start = value_of(e.doc, start);
        let storage = if ty.rank > 0 { self.shaped(e.doc, start) } else { Storage::Plain };
        let numbers = matches!(
            ty.base,
            Base::Integer(_) | Base::Real(_) | Base::Complex(_) | Base::Logical(_)
        );
        let is_there = numbers && matches!(storage, Storage::Like(_));
        let copy = self.temporary(e, &name, ty, storage, place)?;
        self.same_bounds(e.doc, base, copy, place);
        let target = self.use_of(e.doc, copy, ty, place);
        if active == Some(false) && self.facts.analysed {
            e.doc.symbols[copy].active = Some(false);
            e.doc.refs[target].active = active;
        }
        if wanted || !is_there {
            e.assign(target, start, place);
        }
        Some(copy)
    }

    /// Declares a copy that has the extents of an array with its lower bounds, too.
    fn same_bounds(&self, doc: &mut Document, array: SymbolId, copy: SymbolId, place: Place) {
        let dims = |doc: &Document, symbol: SymbolId| {
            doc.symbols[symbol].decl.as_ref().map(|decl| decl.dims.clone()).unwrap_or_default()
        };
        let (own, mut dims) = (dims(doc, array), dims(doc, copy));
        for ((dim, own), number) in dims.iter_mut().zip(own).zip(1..) {
            let Dim::Explicit { lower: None, .. } = dim else { continue };
            let from_one = matches!(
                own,
                Dim::Explicit { lower: None, .. } | Dim::AssumedShape { lower: None }
            );
            if !from_one {
                let [lower, upper] = ["lbound", "ubound"].map(|name| {
                    let array = whole(doc, array, place);
                    let array = value_of(doc, array);
                    inquire(doc, name, array, number)
                });
                *dim = Dim::Explicit { lower: Some(lower), upper };
            }
        }
        if let Some(decl) = doc.symbols[copy].decl.as_deref_mut() {
            decl.dims = dims;
        }
    }

    /// Loops over the indices of FORALLs, one inside the other; of each the first is the innermost.
    fn nest(
        &mut self,
        e: &mut Emitter<'_>,
        space: &Space,
        place: Place,
        body: impl FnOnce(&mut Self, &mut Emitter<'_>),
    ) {
        let copier = &space.copier;
        for header in &space.headers {
            for range in header.ranges.iter().rev() {
                let lower = copier.expr(e.doc, range.lower);
                let upper = copier.expr(e.doc, range.upper);
                let index = copier.symbol(range.var);
                match range.step {
                    None => e.open_do(index, (lower, upper), false, place),
                    Some(step) => {
                        let step = copier.expr(e.doc, step);
                        e.open_do_by(index, (lower, upper), step, place);
                    }
                }
            }
            if let Some(mask) = header.mask {
                let mask = copier.expr(e.doc, mask);
                self.value(e, mask, false);
                e.open_if(mask, place);
            }
        }
        body(self, e);
        for header in space.headers.iter().rev() {
            if header.mask.is_some() {
                e.close_if();
            }
            header.ranges.iter().for_each(|_| e.close_do());
        }
    }
}
