//! WHERE and FORALL: no statement can stand within them, so what is hoisted goes before, and where
//! that would be too early the construct is taken apart.
//!
//! A WHERE becomes one WHERE for each assignment, under masks that are kept in variables, each
//! evaluated when the construct would (Fortran 2018, 10.2.3.2). A FORALL becomes DO loops, with an
//! array between where a right-hand side may read what the statement writes (10.2.4.2.4).

use xaif_schema::diag::Code;
use xaif_schema::model::{
    Allocate, Attr, Base, BoolOp, Dim, Document, ExprId, ExprKind, Forall, IndexRange, Part, Place,
    RefId, Role, StmtId, StmtKind, Subscript, SymbolId, Ty, Where, WhereArm,
};

use super::Canonical;
use super::facts::carries;
use super::statement::place_of;
use super::temporaries::Storage;
use crate::build::{
    Copier, Emitter, assign, boolean, fresh_name, index, intrinsic, new_variable, nodes_of,
    reference, subscripts_of, value_of, whole,
};
use crate::transform::tangent::zero::{component_of, components};

/// Whether an expression calls an elemental function for arrays that is IMPURE.
fn has_effects(doc: &Document, expr: ExprId) -> bool {
    nodes_of(doc, [expr]).into_iter().any(|node| match &doc.exprs[node].kind {
        ExprKind::Call(call) => {
            let decl = doc.symbols[call.callee.symbol].decl.as_ref();
            doc.exprs[node].ty.rank > 0
                && decl.is_some_and(|decl| {
                    decl.attrs.contains(&Attr::Elemental) && decl.attrs.contains(&Attr::Impure)
                })
        }
        _ => false,
    })
}

impl Canonical {
    /// WHERE. Whether it was taken apart; else it stays, with what it needs before it.
    pub(super) fn masked(&mut self, e: &mut Emitter<'_>, stmt: StmtId, construct: &Where) -> bool {
        let mut late = self.apart && !holds_one(e.doc, construct);
        for (number, arm) in construct.arms.iter().enumerate() {
            let later = arm.mask.filter(|&mask| number > 0 && self.hoists(e.doc, mask, false));
            if let Some(mask) = later
                && has_effects(e.doc, mask)
            {
                let place = e.doc.exprs[mask].place;
                let message = "an elemental function that is IMPURE stands in the mask of an \
                               ELSEWHERE, which calls it for some of the elements only";
                let help = "write a loop over the elements, with an IF";
                self.refuse(e.doc, Code::CANNOT_HOIST, place, message.into(), help);
                return false;
            }
            late |= later.is_some();
            let mut first = number == 0;
            for &inner in &arm.body {
                if matches!(e.doc.stmts[inner].kind, StmtKind::Comment(_)) {
                    continue;
                }
                let nested = matches!(e.doc.stmts[inner].kind, StmtKind::Where(_));
                if nested && !self.apart && self.statement_hoists(e.doc, inner) {
                    let place = place_of(e.doc, inner);
                    let message = "a nested WHERE calls a function that activity passes through";
                    let help = "combine the masks, or call the function before the construct";
                    self.refuse(e.doc, Code::CANNOT_HOIST, place, message.into(), help);
                    return false;
                }
                if self.hoists_effects(e.doc, inner) {
                    let place = place_of(e.doc, inner);
                    let message = "an elemental function that is IMPURE stands in a WHERE, which \
                                   calls it for some of the elements only";
                    let help = "write a loop over the elements, with an IF";
                    self.refuse(e.doc, Code::CANNOT_HOIST, place, message.into(), help);
                    return false;
                }
                late |= !first && self.statement_hoists(e.doc, inner);
                first = false;
            }
        }
        if late {
            self.changed = true;
            self.take_apart(e, place_of(e.doc, stmt), construct, None);
        } else {
            construct.arms.iter().for_each(|arm| self.arm(e, arm));
        }
        late
    }

    fn arm(&mut self, e: &mut Emitter<'_>, arm: &WhereArm) {
        arm.mask.into_iter().for_each(|mask| self.value(e, mask, false));
        for &inner in &arm.body {
            self.within(e, inner);
        }
    }

    /// A statement in a WHERE: its expressions.
    fn within(&mut self, e: &mut Emitter<'_>, stmt: StmtId) {
        match e.doc.stmts[stmt].kind.clone() {
            StmtKind::Assign { lhs, rhs, .. } => {
                self.reference(e, lhs);
                let flows = carries(e.doc, e.doc.refs[lhs].ty.base);
                self.value(e, rhs, flows);
            }
            StmtKind::Where(construct) => construct.arms.iter().for_each(|arm| self.arm(e, arm)),
            StmtKind::Comment(_)
            | StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_) => {}
        }
    }

    /// Whether a function would be hoisted out of a statement of a WHERE that the WHERE calls only
    /// for the elements of its mask, and it matters for which.
    fn hoists_effects(&self, doc: &Document, stmt: StmtId) -> bool {
        let mut stack = vec![stmt];
        while let Some(stmt) = stack.pop() {
            match &doc.stmts[stmt].kind {
                StmtKind::Assign { rhs, .. } => {
                    if has_effects(doc, *rhs) && self.statement_hoists(doc, stmt) {
                        return true;
                    }
                }
                StmtKind::Where(inner) => {
                    stack.extend(inner.arms.iter().flat_map(|arm| &arm.body));
                    let mut masks = inner.arms.iter().filter_map(|arm| arm.mask);
                    if masks.any(|mask| has_effects(doc, mask) && self.hoists(doc, mask, false)) {
                        return true;
                    }
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
                | StmtKind::Comment(_) => {}
            }
        }
        false
    }

    /// Whether a statement of a WHERE or FORALL needs statements before it.
    fn statement_hoists(&self, doc: &Document, stmt: StmtId) -> bool {
        let mut stack = vec![stmt];
        while let Some(stmt) = stack.pop() {
            let mut header = |range: &IndexRange| {
                [Some(range.lower), Some(range.upper), range.step]
                    .into_iter()
                    .flatten()
                    .any(|bound| self.hoists(doc, bound, false))
            };
            let hoists = match &doc.stmts[stmt].kind {
                StmtKind::Assign { lhs, rhs, .. } | StmtKind::PointerAssign { lhs, rhs } => {
                    let flows = carries(doc, doc.refs[*lhs].ty.base);
                    let left = subscripts_of(&doc.refs[*lhs]);
                    self.hoists(doc, *rhs, flows)
                        || left.into_iter().any(|expr| self.hoists(doc, expr, false))
                }
                StmtKind::Where(construct) => {
                    stack.extend(construct.arms.iter().flat_map(|arm| &arm.body));
                    let mut masks = construct.arms.iter().filter_map(|arm| arm.mask);
                    masks.any(|mask| self.hoists(doc, mask, false))
                }
                StmtKind::Forall(inner) => {
                    stack.extend(&inner.body);
                    inner.header.mask.is_some_and(|mask| self.hoists(doc, mask, false))
                        || inner.header.ranges.iter().any(&mut header)
                }
                StmtKind::Call(_)
                | StmtKind::InlinableCall(_)
                | StmtKind::Propagate(_)
                | StmtKind::Allocate(_)
                | StmtKind::Release(_)
                | StmtKind::OpenScope(_)
                | StmtKind::CloseScope(_)
                | StmtKind::Marker(_)
                | StmtKind::Comment(_) => false,
            };
            if hoists {
                return true;
            }
        }
        false
    }

    /// `around`: the mask of the WHERE in which this one stands.
    fn take_apart(
        &mut self,
        e: &mut Emitter<'_>,
        place: Place,
        construct: &Where,
        around: Option<(SymbolId, Ty)>,
    ) {
        // Elements that no arm has taken yet; all of them (`None`) at first.
        let mut pending: Option<(SymbolId, Ty)> = None;
        if let Some(around) = around {
            let mask = self.of(e.doc, around, place);
            let storage = self.shaped(e.doc, mask);
            let Some(rest) = self.temporary(e, "pending", around.1, storage, place) else { return };
            let lhs = self.use_of(e.doc, rest, around.1, place);
            e.assign(lhs, mask, place);
            pending = Some((rest, around.1));
        }
        for (number, arm) in construct.arms.iter().enumerate() {
            let last = number + 1 == construct.arms.len();
            let Some(taken) = self.mask(e, arm, &mut pending, last, place) else { return };
            for &inner in &arm.body {
                let nested = match &e.doc.stmts[inner].kind {
                    StmtKind::Where(nested) if self.apart => Some(Where::clone(nested)),
                    _ => None,
                };
                if let Some(nested) = nested {
                    self.take_apart(e, place_of(e.doc, inner), &nested, Some(taken));
                    continue;
                }
                self.within(e, inner);
                if matches!(e.doc.stmts[inner].kind, StmtKind::Comment(_)) {
                    e.push(inner);
                    continue;
                }
                let statements = match self.apart && is_by_components(e.doc, inner) {
                    true => by_components(e.doc, inner),
                    false => vec![inner],
                };
                for inner in statements {
                    let mask = self.of(e.doc, taken, place);
                    self.one_where(e, mask, inner, place);
                }
            }
        }
    }

    /// Computes the mask of an arm into a variable, and what is left for the arms behind it.
    fn mask(
        &mut self,
        e: &mut Emitter<'_>,
        arm: &WhereArm,
        pending: &mut Option<(SymbolId, Ty)>,
        last: bool,
        place: Place,
    ) -> Option<(SymbolId, Ty)> {
        let Some(mask) = arm.mask else { return *pending };
        self.value(e, mask, false);
        let ty = e.doc.exprs[mask].ty;
        let storage = self.shaped(e.doc, mask);
        let taken = (self.temporary(e, "mask", ty, storage, place)?, ty);
        let lhs = self.use_of(e.doc, taken.0, ty, place);
        match *pending {
            None => {
                e.assign(lhs, mask, place);
            }
            Some(left) => {
                let start = self.of(e.doc, left, place);
                e.assign(lhs, start, place);
                let lhs = self.use_of(e.doc, taken.0, ty, place);
                let evaluated = assign(e.doc, lhs, mask, place);
                let where_left = self.of(e.doc, left, place);
                self.one_where(e, where_left, evaluated, place);
            }
        }
        if !last {
            let this = self.of(e.doc, taken, place);
            let not = boolean(e.doc, BoolOp::Not, &[this]);
            let (rest, value) = match *pending {
                None => (self.temporary(e, "pending", ty, storage, place)?, not),
                Some(left) => {
                    let before = self.of(e.doc, left, place);
                    (left.0, boolean(e.doc, BoolOp::And, &[before, not]))
                }
            };
            let lhs = self.use_of(e.doc, rest, ty, place);
            e.assign(lhs, value, place);
            *pending = Some((rest, ty));
        }
        Some(taken)
    }

    fn of(&self, doc: &mut Document, (symbol, ty): (SymbolId, Ty), place: Place) -> ExprId {
        let reference = self.use_of(doc, symbol, ty, place);
        value_of(doc, reference)
    }

    fn one_where(&mut self, e: &mut Emitter<'_>, mask: ExprId, stmt: StmtId, place: Place) {
        let arms = vec![WhereArm { mask: Some(mask), body: vec![stmt] }];
        let inline = !matches!(e.doc.stmts[stmt].kind, StmtKind::Where(_));
        let construct = Where { arms, name: None, inline };
        e.stmt(StmtKind::Where(Box::new(construct)), place);
    }

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
        let Some(written) = self.written(e, construct) else { return false };
        let mut construct = construct.clone();
        let mask = construct.header.mask;
        let mentions = |doc: &Document, expr| {
            nodes_of(doc, [expr]).into_iter().any(|node| match &doc.exprs[node].kind {
                ExprKind::Ref(reference) => written.contains(&doc.refs[*reference].base),
                _ => false,
            })
        };
        let keeps_mask = mask.is_some_and(|mask| mentions(e.doc, mask));
        for range in &construct.header.ranges {
            for bound in [Some(range.lower), Some(range.upper), range.step].into_iter().flatten() {
                if mentions(e.doc, bound) {
                    self.hoist(e, bound, "bound");
                }
            }
        }
        let mut copier = Copier::new();
        for range in &construct.header.ranges {
            let base = e.doc.symbols[range.var].decl.as_ref().map(|decl| decl.spec.base());
            let base = base.unwrap_or(xaif_schema::model::Base::Integer(4));
            let name = fresh_name(e.doc, self.scope, e.doc.name(range.var));
            let index = match self.only_an_index(e.doc, range.var) {
                Some(declared) => declared,
                None => new_variable(e.doc, self.scope, &name, base, place),
            };
            copier.symbols.insert(range.var, index);
        }
        self.changed = true;
        let kept =
            if keeps_mask { self.keep_mask(e, &mut construct, &copier, place) } else { None };
        for &inner in &construct.body {
            self.loops(e, &construct, &copier, inner);
        }
        if let Some(kept) = kept {
            let object = whole(e.doc, kept, place);
            e.release(object, place);
        }
        true
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
        self.nest(e, construct, copier, place, |this, e| {
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

    /// The variables that a FORALL writes; `None`, with a message, where it cannot become loops.
    fn written(&mut self, e: &mut Emitter<'_>, construct: &Forall) -> Option<Vec<SymbolId>> {
        let mut written = Vec::new();
        for &inner in &construct.body {
            match &e.doc.stmts[inner].kind {
                StmtKind::Assign { lhs, defined: None, .. } => {
                    written.push(e.doc.refs[*lhs].base);
                }
                StmtKind::Comment(_) => {}
                StmtKind::PointerAssign { lhs, .. } if self.apart => {
                    written.push(e.doc.refs[*lhs].base);
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
                | StmtKind::Marker(_) => {
                    let place = place_of(e.doc, inner);
                    let message = if self.apart {
                        "this FORALL holds more than assignments, so that it cannot become loops"
                    } else {
                        "this FORALL calls a function that activity passes through, and holds more \
                         than assignments"
                    };
                    let help = "write DO loops";
                    self.refuse(e.doc, Code::CANNOT_HOIST, place, message.into(), help);
                    return None;
                }
            }
        }
        Some(written)
    }

    /// One statement of a FORALL as loops.
    fn loops(&mut self, e: &mut Emitter<'_>, construct: &Forall, copier: &Copier, stmt: StmtId) {
        let place = place_of(e.doc, stmt);
        let (lhs, rhs, points) = match e.doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, rhs, .. } => (lhs, rhs, false),
            StmtKind::PointerAssign { lhs, rhs } => (lhs, rhs, true),
            StmtKind::Call(_)
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => {
                e.push(stmt);
                return;
            }
        };
        let base = e.doc.refs[lhs].base;
        let roots = subscripts_of(&e.doc.refs[lhs]).into_iter().chain([rhs]);
        let reads = nodes_of(e.doc, roots).into_iter().any(|node| match &e.doc.exprs[node].kind {
            ExprKind::Ref(reference) => e.doc.refs[*reference].base == base,
            _ => false,
        });
        if !points && !reads && self.facts.is_private(e.doc, lhs, self.scope) {
            self.nest(e, construct, copier, place, |this, e| {
                let lhs = copier.reference(e.doc, lhs);
                let rhs = copier.expr(e.doc, rhs);
                this.assignment(e, lhs, rhs);
                e.assign(lhs, rhs, place);
            });
            return;
        }
        if points {
            self.nest(e, construct, copier, place, |_, e| {
                let lhs = copier.reference(e.doc, lhs);
                let rhs = copier.expr(e.doc, rhs);
                e.stmt(StmtKind::PointerAssign { lhs, rhs }, place);
            });
            return;
        }
        let Some(between) = self.like(e, lhs, place) else { return };
        let part = |doc: &mut Document| {
            let copy = copier.reference(doc, lhs);
            doc.refs[copy].base = between;
            copy
        };
        self.nest(e, construct, copier, place, |this, e| {
            let lhs = part(e.doc);
            let rhs = copier.expr(e.doc, rhs);
            this.assignment(e, lhs, rhs);
            e.assign(lhs, rhs, place);
        });
        self.nest(e, construct, copier, place, |_, e| {
            let lhs = copier.reference(e.doc, lhs);
            let from = part(e.doc);
            let from = value_of(e.doc, from);
            e.assign(lhs, from, place);
        });
    }

    /// A copy of the array that `lhs` is a part of.
    fn like(&mut self, e: &mut Emitter<'_>, lhs: RefId, place: Place) -> Option<SymbolId> {
        let base = e.doc.refs[lhs].base;
        let decl = e.doc.symbols[base].decl.as_ref();
        let whole = decl.is_some_and(|decl| {
            !decl.dims.iter().any(|dim| matches!(dim, Dim::AssumedSize { .. } | Dim::AssumedRank))
        });
        let elements = match &e.doc.refs[lhs].parts[..] {
            [Part::Elements(subscripts)] => subscripts.iter().all(|subscript| match subscript {
                Subscript::Index(index) => e.doc.exprs[*index].ty.rank == 0,
                Subscript::Section { .. } => true,
            }),
            _ => false,
        };
        if !whole || !elements {
            let message = "this FORALL statement may read what it writes, and its variable is no \
                           array whose shape is known";
            self.refuse(e.doc, Code::CANNOT_HOIST, place, message.into(), "write DO loops");
            return None;
        }
        let ty = e.doc.refs[lhs].ty.with_rank(e.doc.symbols[base].rank.unwrap_or(0));
        let name = e.doc.name(base).to_owned();
        let start = self.use_of(e.doc, base, ty, place);
        e.doc.refs[start].active = e.doc.refs[lhs].active;
        let start = value_of(e.doc, start);
        let storage = self.shaped(e.doc, start);
        let between = self.temporary(e, &name, ty, storage, place)?;
        let target = self.use_of(e.doc, between, ty, place);
        e.assign(target, start, place);
        Some(between)
    }

    /// Loops over the indices of a FORALL; the first is the innermost.
    fn nest(
        &mut self,
        e: &mut Emitter<'_>,
        construct: &Forall,
        copier: &Copier,
        place: Place,
        body: impl FnOnce(&mut Self, &mut Emitter<'_>),
    ) {
        for range in construct.header.ranges.iter().rev() {
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
        let mask = construct.header.mask.map(|mask| copier.expr(e.doc, mask));
        if let Some(mask) = mask {
            self.value(e, mask, false);
            e.open_if(mask, place);
        }
        body(self, e);
        if mask.is_some() {
            e.close_if();
        }
        for _ in &construct.header.ranges {
            e.close_do();
        }
    }
}

/// Whether a WHERE is one assignment under one mask.
fn holds_one(doc: &Document, construct: &Where) -> bool {
    let [WhereArm { mask: Some(_), body }] = &construct.arms[..] else { return false };
    let mut statements =
        body.iter().filter(|&&stmt| !matches!(doc.stmts[stmt].kind, StmtKind::Comment(_)));
    let one = statements.next().is_some_and(|&stmt| {
        matches!(doc.stmts[stmt].kind, StmtKind::Assign { .. }) && !is_by_components(doc, stmt)
    });
    one && statements.next().is_none()
}

/// Whether an assignment of structures under a mask can be written component by component: all of them
/// are scalars, and none is among the subscripts.
fn is_by_components(doc: &Document, stmt: StmtId) -> bool {
    fn simple(doc: &Document, owner: SymbolId, depth: u32) -> bool {
        depth < 40
            && components(doc, owner).into_iter().all(|component| {
                let data = &doc.symbols[component];
                let Some(decl) = data.decl.as_deref() else { return false };
                let indirect = [Attr::Allocatable, Attr::Pointer];
                data.rank == Some(0)
                    && !indirect.iter().any(|attr| decl.attrs.contains(attr))
                    && match decl.spec.base() {
                        Base::Derived(inner) => simple(doc, inner, depth + 1),
                        Base::Class(_) | Base::ClassStar => false,
                        _ => true,
                    }
            })
    }
    let StmtKind::Assign { lhs, rhs, defined: None } = doc.stmts[stmt].kind else { return false };
    let (Base::Derived(owner), ExprKind::Ref(from)) = (doc.refs[lhs].ty.base, &doc.exprs[rhs].kind)
    else {
        return false;
    };
    let roots = [lhs, *from].into_iter().flat_map(|side| subscripts_of(&doc.refs[side]));
    let asked = nodes_of(doc, roots).into_iter().any(|node| match doc.exprs[node].kind {
        ExprKind::Ref(inner) => doc.refs[inner].base == doc.refs[lhs].base,
        _ => false,
    });
    simple(doc, owner, 0) && !asked
}

/// The assignments of the components.
fn by_components(doc: &mut Document, stmt: StmtId) -> Vec<StmtId> {
    let place = place_of(doc, stmt);
    let StmtKind::Assign { lhs, rhs, .. } = doc.stmts[stmt].kind else { return vec![stmt] };
    let ExprKind::Ref(from) = doc.exprs[rhs].kind else { return vec![stmt] };
    let mut work = vec![(lhs, from)];
    let mut found = Vec::new();
    while let Some((to, from)) = work.pop() {
        if let Base::Derived(owner) = doc.refs[to].ty.base {
            for component in components(doc, owner) {
                let pair = [to, from].map(|side| component_of(doc, side, component));
                work.push((pair[0], pair[1]));
            }
        } else {
            let value = value_of(doc, from);
            found.push(assign(doc, to, value, place));
        }
    }
    found.reverse();
    found
}
