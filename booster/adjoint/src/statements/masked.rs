//! Adjoints of assignments under a mask.
//!
//! `where (m) y = f(x)` is `y = merge(f(x), y, m)`, which gives `where (m) xb = xb + df/dx*yb` and
//! `where (m) yb = 0`; a scalar gets a sum over the elements where the mask holds. The mask is
//! evaluated again, with the values that it had: it reads no adjoint, so the statements may change what
//! they like. Preparation has left one assignment in each WHERE.

use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{
    Base, BoolOp, Document, Expr, ExprId, ExprKind, Place, RefId, Reference, StmtId, StmtKind,
    Where, WhereArm,
};

use crate::body::Adjoint;
use crate::statements::assign::{Overlap, sum};
use crate::statements::element_loops::next_target;
use booster_build::{
    Copier, Emitter, assign, boolean, has_vector_subscript, intrinsic, same_expr, same_reference,
    value_of,
};
use booster_linearize::{Contribution, multiply};
use booster_rules::operand;
use booster_shadow::derivative::Direction;
use booster_tangent::zero::zero;

impl Adjoint<'_> {
    /// Whether something under the mask has an adjoint.
    pub(crate) fn where_is_active(&self, doc: &Document, construct: &Where) -> bool {
        construct.arms.iter().flat_map(|arm| &arm.body).any(|&stmt| match &doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, .. } => self.is_active(doc, *lhs),
            StmtKind::Comment(_) => false,
            // Preparation has taken them out; they are refused where they stand.
            StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_) => true,
        })
    }

    /// The adjoint of a WHERE.
    pub(crate) fn adjoint_where(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        construct: &Where,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        if !self.where_is_active(e.doc, construct) {
            return Ok(());
        }
        if let [WhereArm { mask: Some(mask), body }] = &construct.arms[..] {
            let comment = |stmt: StmtId| matches!(e.doc.stmts[stmt].kind, StmtKind::Comment(_));
            let statements: Vec<StmtId> = body.iter().copied().filter(|&s| !comment(s)).collect();
            if let &[inner] = &statements[..]
                && let StmtKind::Assign { lhs, rhs, defined: None } = e.doc.stmts[inner].kind
            {
                return self.masked_assignment(e, lhs, rhs, *mask);
            }
        }
        Err(self.refused(
            e.doc,
            place,
            "this WHERE has no adjoint",
            "write a WHERE for each assignment, or loops",
        ))
    }

    fn masked_assignment(
        &mut self,
        e: &mut Emitter<'_>,
        lhs: RefId,
        rhs: ExprId,
        mask: ExprId,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.refs[lhs].place;
        let ty = e.doc.refs[lhs].ty;
        let passes = match e.doc.exprs[rhs].kind.clone() {
            ExprKind::Call(call) => self.tools.passes_through(e.doc, &call, lhs),
            _ => false,
        };
        if passes || !matches!(ty.base, Base::Real(_) | Base::Complex(_)) {
            let what = if passes { "a call" } else { "an assignment of structures" };
            return Err(self.refused(
                e.doc,
                place,
                format!("{what} under a mask has no adjoint"),
                "write it as a loop",
            ));
        }
        let Some(own) = self.tools.shadow(e.doc, lhs, Direction::All) else { return Ok(()) };
        let overlap = self.overlap(e.doc, lhs, rhs);
        let seed = if overlap == Overlap::Perhaps { self.set_aside(e, own, place) } else { own };
        let value = Copier::new().expr(e.doc, rhs);
        let none = zero(e.doc, e.doc.exprs[value].ty.base, place);
        let condition = Copier::new().expr(e.doc, mask);
        let ty = e.doc.exprs[value].ty.with_rank(e.doc.exprs[mask].ty.rank);
        let chosen = intrinsic(e.doc, "merge", &[value, none, condition], ty);
        let contributions =
            self.contributions(e, chosen, (seed, None), e.doc.refs[lhs].ty, place)?;
        let (same, others): (Vec<Contribution>, Vec<Contribution>) = contributions
            .into_iter()
            .partition(|one| overlap != Overlap::None && same_reference(e.doc, one.target, lhs));
        let (mut aligned, mut shifted) = (Vec::new(), Vec::new());
        for one in same {
            match under(e.doc, one, mask) {
                Some(one) => aligned.push(one),
                None => shifted.push(one),
            }
        }
        // What may be the left-hand side itself is added to what that has become.
        let mut body = Vec::new();
        let (before, behind) = match overlap {
            Overlap::Perhaps => (Vec::new(), others),
            Overlap::None | Overlap::Same => (others, Vec::new()),
        };
        self.masked_sums(e, &mut body, before, mask)?;
        if shifted.is_empty() {
            body.extend(become_sum(e.doc, own, seed, aligned));
        } else {
            self.flush(e, &mut body, mask, place);
            become_shifted(e, own, (aligned, shifted), mask);
        }
        self.masked_sums(e, &mut body, behind, mask)?;
        self.flush(e, &mut body, mask, place);
        if overlap == Overlap::Perhaps {
            self.drop_aside(e, seed);
        }
        Ok(())
    }

    /// What each variable gets: under the mask into `body`, or, if it gets a value for itself, before
    /// that into the sweep.
    fn masked_sums(
        &mut self,
        e: &mut Emitter<'_>,
        body: &mut Vec<StmtId>,
        mut contributions: Vec<Contribution>,
        mask: ExprId,
    ) -> Result<(), Diagnostic> {
        while let Some((target, mine)) = next_target(e.doc, &mut contributions) {
            let place = e.doc.refs[target].place;
            let Some(adjoint) = self.tools.shadow(e.doc, target, Direction::All) else { continue };
            let inside: Option<Vec<Contribution>> = if has_vector_subscript(e.doc, target) {
                None
            } else {
                mine.iter().map(|&one| under(e.doc, one, mask)).collect()
            };
            let Some(inside) = inside else {
                self.flush(e, body, mask, place);
                self.accumulate(e, mine, place)?;
                continue;
            };
            let old = Copier::new().reference(e.doc, adjoint);
            let old = value_of(e.doc, old);
            if let Some(value) = sum(e.doc, Some(old), inside) {
                body.push(assign(e.doc, adjoint, value, place));
            }
        }
        Ok(())
    }

    /// Writes a WHERE of what has been gathered.
    fn flush(&self, e: &mut Emitter<'_>, body: &mut Vec<StmtId>, mask: ExprId, place: Place) {
        if body.is_empty() {
            return;
        }
        let body = std::mem::take(body);
        let inline = body.len() == 1;
        let mask = Some(Copier::new().expr(e.doc, mask));
        let construct = Where { arms: vec![WhereArm { mask, body }], name: None, inline };
        e.stmt(StmtKind::Where(Box::new(construct)), place);
    }
}

/// `yb = a - b` under the mask: what the left-hand side gets as a part of the right-hand side, zero if
/// it is none; nothing where it stays what it is, as for `y = y + x`.
fn become_sum(
    doc: &mut Document,
    own: RefId,
    seed: RefId,
    aligned: Vec<Contribution>,
) -> Option<StmtId> {
    let place = doc.refs[own].place;
    let target = Copier::new().reference(doc, own);
    let Some(sum) = sum(doc, None, aligned) else {
        let zero = zero(doc, doc.refs[own].ty.base, place);
        return Some(assign(doc, target, zero, place));
    };
    let unchanged = matches!(doc.exprs[sum].kind, ExprKind::Ref(found)
        if same_reference(doc, found, seed));
    (!unchanged).then(|| assign(doc, target, sum, place))
}

/// The same for a right-hand side that reads the left-hand side in other places (`y = cshift(y, 1)`):
/// `yb = merge(a, yb, mask) + b`, since elements get something where the mask does not hold, too.
fn become_shifted(
    e: &mut Emitter<'_>,
    own: RefId,
    (aligned, shifted): (Vec<Contribution>, Vec<Contribution>),
    mask: ExprId,
) {
    let Reference { place, ty, .. } = e.doc.refs[own];
    let inside = match sum(e.doc, None, aligned) {
        Some(sum) => sum,
        None => zero(e.doc, ty.base, place),
    };
    let old = Copier::new().reference(e.doc, own);
    let old = value_of(e.doc, old);
    let condition = Copier::new().expr(e.doc, mask);
    let kept = intrinsic(e.doc, "merge", &[inside, old, condition], ty);
    let Some(value) = sum(e.doc, Some(kept), shifted) else { return };
    let target = Copier::new().reference(e.doc, own);
    e.assign(target, value, place);
}

/// What `merge(value, 0, mask)`, `merge(value, 0, mask .and. …)`, or a constant times one of them is where the
/// mask holds; `None` for anything else.
fn under(doc: &mut Document, one: Contribution, mask: ExprId) -> Option<Contribution> {
    let conforms = doc.refs[one.target].ty.rank == doc.exprs[mask].ty.rank;
    let value = if conforms { chosen(doc, one.value, mask) } else { None };
    Some(Contribution { value: value?, ..one })
}

fn chosen(doc: &mut Document, value: ExprId, mask: ExprId) -> Option<ExprId> {
    let Expr { kind: ExprKind::Intrinsic { name, operands, .. }, ty, .. } = &doc.exprs[value]
    else {
        return None;
    };
    let ty = *ty;
    let [first, second, third] = [1, 2, 3].map(|position| operand(operands, position));
    match &**name {
        "merge" => match within(doc, third?, mask)? {
            None => first,
            Some(rest) => Some(intrinsic(doc, "merge", &[first?, second?, rest], ty)),
        },
        "mul_scal_scal" if matches!(doc.exprs[first?].kind, ExprKind::Constant(_)) => {
            let factor = first?;
            let rest = chosen(doc, second?, mask)?;
            Some(multiply(doc, factor, rest))
        }
        _ => None,
    }
}

/// What a condition still asks for where the mask holds: `Some(None)` for the mask itself, `None` for a condition
/// that does not ask for the mask.
fn within(doc: &mut Document, condition: ExprId, mask: ExprId) -> Option<Option<ExprId>> {
    if same_expr(doc, condition, mask) {
        return Some(None);
    }
    let ExprKind::Boolean { op: BoolOp::And, operands } = &doc.exprs[condition].kind else {
        return None;
    };
    let (first, second) = (operand(operands, 1)?, operand(operands, 2)?);
    let (rest, other) = match within(doc, first, mask) {
        Some(rest) => (rest, second),
        None => (within(doc, second, mask)?, first),
    };
    Some(Some(match rest {
        Some(rest) => boolean(doc, BoolOp::And, &[rest, other]),
        None => other,
    }))
}
