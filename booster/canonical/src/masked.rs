//! WHERE: no statement can stand within it, so what is hoisted goes before, and where that would be too early
//! the construct is taken apart.
//!
//! A WHERE becomes one WHERE for each assignment, under masks that are kept in variables, each
//! evaluated when the construct would (Fortran 2018, 10.2.3.2).

use xaif_schema::model::{
    Attr, Base, BoolOp, Document, ExprId, ExprKind, IndexRange, Place, StmtId, StmtKind, SymbolId,
    Ty, Where, WhereArm,
};

use super::Canonical;
use super::hoist::is_variable;
use super::statement::place_of;
use super::temporaries::Storage;
use booster_build::component_of;
use booster_build::{Emitter, assign, boolean, nodes_of, subscripts_of, value_of};
use booster_facts::may_hold_numbers;

/// A mask in a variable.
type Mask = (SymbolId, Ty);

/// The elements that no arm of a WHERE has taken yet.
#[derive(Clone, Debug)]
struct Left {
    /// The mask of the WHERE around.
    around: Option<Mask>,
    /// The masks of the arms so far.
    taken: Vec<Mask>,
}

impl Left {
    /// Whether they are all elements.
    fn is_all(&self) -> bool {
        self.around.is_none() && self.taken.is_empty()
    }
}

/// The elements that an arm takes.
#[derive(Clone, Debug)]
enum Taken {
    /// Those of its mask.
    Mask(Mask),
    /// All that are left.
    Left(Left),
}

impl Canonical {
    /// WHERE. Whether it was taken apart; else it stays, with what it needs before it.
    pub(super) fn masked(&mut self, e: &mut Emitter<'_>, stmt: StmtId, construct: &Where) -> bool {
        let mut late = self.apart && !holds_one(e.doc, construct);
        for (number, arm) in construct.arms.iter().enumerate() {
            late |= number > 0 && arm.mask.is_some_and(|mask| self.hoists(e.doc, mask, false));
            let mut first = number == 0;
            for &inner in &arm.body {
                if matches!(e.doc.stmts[inner].kind, StmtKind::Comment(_)) {
                    continue;
                }
                if let StmtKind::Assign { lhs, rhs, .. } = e.doc.stmts[inner].kind {
                    late |= self.calls_for_elements(e.doc, lhs, rhs);
                }
                let nested = matches!(e.doc.stmts[inner].kind, StmtKind::Where(_));
                late |= (nested || !first) && self.statement_hoists(e.doc, inner);
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
                let flows = may_hold_numbers(e.doc, e.doc.refs[lhs].ty.base);
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

    /// Whether a statement of a WHERE or FORALL needs statements before it.
    pub(super) fn statement_hoists(&self, doc: &Document, stmt: StmtId) -> bool {
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
                    let flows = may_hold_numbers(doc, doc.refs[*lhs].ty.base);
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
        around: Option<Mask>,
    ) {
        let mut left = Left { around, taken: Vec::new() };
        for arm in &construct.arms {
            let Some(taken) = self.mask(e, arm, &mut left, place) else { return };
            for &inner in &arm.body {
                let kind = e.doc.stmts[inner].kind.clone();
                if let StmtKind::Where(nested) = &kind
                    && (self.apart || self.statement_hoists(e.doc, inner))
                {
                    let Some(around) = self.in_a_variable(e, &taken, place) else { return };
                    self.take_apart(e, place_of(e.doc, inner), nested, Some(around));
                    continue;
                }
                if let StmtKind::Assign { lhs, rhs, .. } = kind
                    && self.calls_for_elements(e.doc, lhs, rhs)
                {
                    let Some(mask) = self.in_a_variable(e, &taken, place) else { return };
                    self.by_elements(e, mask, (lhs, rhs), place_of(e.doc, inner));
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
                    let Some(mask) = self.taken_value(e, &taken, place) else { return };
                    self.one_where(e, mask, inner, place);
                }
            }
        }
    }

    /// The elements that an arm takes. Its mask is computed into a variable.
    fn mask(
        &mut self,
        e: &mut Emitter<'_>,
        arm: &WhereArm,
        left: &mut Left,
        place: Place,
    ) -> Option<Taken> {
        let Some(mask) = arm.mask else {
            return (!left.is_all()).then(|| Taken::Left(left.clone()));
        };
        if left.is_all() {
            self.value(e, mask, false);
        }
        let ty = e.doc.exprs[mask].ty;
        let storage = self.shaped(e.doc, mask);
        let taken = (self.temporary(e, "mask", ty, storage, place)?, ty);
        let lhs = self.use_of(e.doc, taken.0, ty, place);
        if left.is_all() {
            // A value has the lower bounds 1, which a variable need not have.
            e.doc.exprs[mask].parens |= storage == Storage::Plain && is_variable(e.doc, mask);
            e.assign(lhs, mask, place);
        } else {
            let start = self.left_value(e, left, place)?;
            e.assign(lhs, start, place);
            let lhs = self.use_of(e.doc, taken.0, ty, place);
            if self.calls_for_elements(e.doc, lhs, mask) {
                let before = self.in_a_variable(e, &Taken::Left(left.clone()), place)?;
                self.by_elements(e, before, (lhs, mask), place);
            } else {
                self.value(e, mask, false);
                let evaluated = assign(e.doc, lhs, mask, place);
                let where_left = self.left_value(e, left, place)?;
                self.one_where(e, where_left, evaluated, place);
            }
        }
        left.taken.push(taken);
        Some(Taken::Mask(taken))
    }

    /// The mask of elements that an arm takes.
    fn taken_value(&self, e: &mut Emitter<'_>, taken: &Taken, place: Place) -> Option<ExprId> {
        match taken {
            Taken::Mask(mask) => Some(self.of(e.doc, *mask, place)),
            Taken::Left(left) => self.left_value(e, left, place),
        }
    }

    /// The same mask as a variable.
    fn in_a_variable(&mut self, e: &mut Emitter<'_>, taken: &Taken, place: Place) -> Option<Mask> {
        let left = match taken {
            Taken::Mask(mask) => return Some(*mask),
            Taken::Left(left) => left,
        };
        if let (Some(around), []) = (left.around, &left.taken[..]) {
            return Some(around);
        }
        let value = self.left_value(e, left, place)?;
        let ty = e.doc.exprs[value].ty;
        let storage = self.shaped(e.doc, value);
        let mask = (self.temporary(e, "mask", ty, storage, place)?, ty);
        let lhs = self.use_of(e.doc, mask.0, ty, place);
        e.assign(lhs, value, place);
        Some(mask)
    }

    /// `around .and. .not. (mask_1 .or. mask_2)`; `None` for all elements.
    fn left_value(&self, e: &mut Emitter<'_>, left: &Left, place: Place) -> Option<ExprId> {
        let masks: Vec<ExprId> =
            left.taken.iter().map(|&mask| self.of(e.doc, mask, place)).collect();
        let any = masks.into_iter().reduce(|one, two| boolean(e.doc, BoolOp::Or, &[one, two]));
        let none = any.map(|any| boolean(e.doc, BoolOp::Not, &[any]));
        let around = left.around.map(|around| self.of(e.doc, around, place));
        let both = around.into_iter().chain(none);
        both.reduce(|one, two| boolean(e.doc, BoolOp::And, &[one, two]))
    }

    pub(super) fn of(
        &self,
        doc: &mut Document,
        (symbol, ty): (SymbolId, Ty),
        place: Place,
    ) -> ExprId {
        let reference = self.use_of(doc, symbol, ty, place);
        value_of(doc, reference)
    }

    pub(super) fn one_where(
        &mut self,
        e: &mut Emitter<'_>,
        mask: ExprId,
        stmt: StmtId,
        place: Place,
    ) {
        let arms = vec![WhereArm { mask: Some(mask), body: vec![stmt] }];
        let inline = !matches!(e.doc.stmts[stmt].kind, StmtKind::Where(_));
        let construct = Where { arms, name: None, inline };
        e.stmt(StmtKind::Where(Box::new(construct)), place);
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
            && doc.data_components(owner).into_iter().all(|component| {
                let data = &doc.symbols[component];
                let Some(decl) = data.decl.as_deref() else { return false };
                let indirect = [Attr::Allocatable, Attr::Pointer];
                data.rank == Some(0)
                    && !indirect.iter().any(|&attr| decl.has(attr))
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
            for component in doc.data_components(owner) {
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
