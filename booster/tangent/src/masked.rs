//! WHERE and FORALL: each derivative assignment stands before its original in the same arm.
//!
//! The masks of WHERE are evaluated before anything in it is assigned (Fortran 2018, 10.2.3.2), so
//! the derivative assignments see the masks of the originals. In FORALL each statement is executed
//! for all indices before the next (10.2.4.2.4), which keeps the order of derivative and original.
//!
//! With several directions an array statement has no room for their dimension: in FORALL an inner
//! FORALL counts them; in WHERE, which can hold no loop, there is a statement for each.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Document, ExprId, ExprKind, Forall, ForallHeader, IndexRange, Place, RefId, ScopeId, ScopeKind,
    StmtId, StmtKind, Symbol, SymbolId, Where,
};

use super::body::Tangent;
use booster_build::{Emitter, assign, integer, statement, value_of, whole};
use booster_shadow::derivative::Direction;

/// Where an assignment stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Where,
    Forall(ScopeId),
}

impl Tangent<'_> {
    /// WHERE or FORALL
    pub(super) fn masked(&mut self, e: &mut Emitter<'_>, stmt: StmtId) -> Result<(), Diagnostic> {
        self.construct(e.doc, stmt, e.scope, None)?;
        e.push(stmt);
        Ok(())
    }

    /// Rewrites the construct in place.
    fn construct(
        &mut self,
        doc: &mut Document,
        stmt: StmtId,
        scope: ScopeId,
        inside: Option<Inside>,
    ) -> Result<(), Diagnostic> {
        match doc.stmts[stmt].kind.clone() {
            StmtKind::Where(mut construct) => {
                let where_ = Where::clone(&construct);
                for (arm, old) in construct.arms.iter_mut().zip(where_.arms) {
                    arm.body = self.masked_body(doc, &old.body, scope, Inside::Where)?;
                }
                if construct.arms.iter().any(|arm| arm.body.len() > 1) {
                    construct.inline = false;
                }
                doc.stmts[stmt].kind = StmtKind::Where(construct);
            }
            StmtKind::Forall(mut construct) => {
                let inner = construct.header.scope;
                let inside = match inside {
                    Some(Inside::Where) => Inside::Where,
                    Some(Inside::Forall(_)) | None => Inside::Forall(inner),
                };
                construct.body = self.masked_body(doc, &construct.body, inner, inside)?;
                if construct.body.len() > 1 {
                    construct.inline = false;
                }
                doc.stmts[stmt].kind = StmtKind::Forall(construct);
            }
            StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => {}
        }
        Ok(())
    }

    fn masked_body(
        &mut self,
        doc: &mut Document,
        body: &[StmtId],
        scope: ScopeId,
        inside: Inside,
    ) -> Result<Vec<StmtId>, Diagnostic> {
        let mut rewritten = Vec::new();
        for &stmt in body {
            let place = doc.stmts[stmt].place;
            match doc.stmts[stmt].kind.clone() {
                StmtKind::Assign { lhs, rhs, defined: None } => {
                    self.masked_assignment(doc, &mut rewritten, lhs, rhs, inside)?;
                    rewritten.push(stmt);
                }
                StmtKind::Assign { lhs, defined: Some(_), .. } => {
                    if self.is_active(doc, lhs) {
                        return Err(self.refused(
                            doc,
                            place,
                            "a defined assignment in WHERE or FORALL",
                        ));
                    }
                    rewritten.push(stmt);
                }
                StmtKind::PointerAssign { lhs, rhs } => {
                    rewritten.push(stmt);
                    if self.parts.is_active(doc, lhs) {
                        for kind in self.derivative_association(doc, lhs, rhs, place)? {
                            rewritten.push(statement(doc, kind, place));
                        }
                    }
                }
                StmtKind::Where(_) | StmtKind::Forall(_) => {
                    self.construct(doc, stmt, scope, Some(inside))?;
                    rewritten.push(stmt);
                }
                StmtKind::Comment(_)
                | StmtKind::Call(_)
                | StmtKind::InlinableCall(_)
                | StmtKind::Propagate(_)
                | StmtKind::Allocate(_)
                | StmtKind::Release(_)
                | StmtKind::OpenScope(_)
                | StmtKind::CloseScope(_)
                | StmtKind::Marker(_) => rewritten.push(stmt),
            }
        }
        Ok(rewritten)
    }

    fn masked_assignment(
        &mut self,
        doc: &mut Document,
        out: &mut Vec<StmtId>,
        lhs: RefId,
        rhs: ExprId,
        inside: Inside,
    ) -> Result<(), Diagnostic> {
        let place = doc.refs[lhs].place;
        if let ExprKind::Call(call) = doc.exprs[rhs].kind.clone()
            && self.passes_through(doc, &call, lhs)
            && self.parts.callee(call.callee.symbol).is_some()
        {
            return Err(self.refused(doc, place, "an active function in WHERE or FORALL"));
        }
        if !self.is_active(doc, lhs) {
            return Ok(());
        }
        let count = self.parts.directions.filter(|_| self.needs_loop(doc, lhs, rhs));
        let Some(count) = count else {
            out.extend(self.one_assignment(doc, lhs, rhs, Direction::All)?);
            return Ok(());
        };
        match inside {
            Inside::Where => {
                for number in 1..=count {
                    let number = integer(doc, i64::from(number), place);
                    out.extend(self.one_assignment(doc, lhs, rhs, Direction::One(number))?);
                }
            }
            Inside::Forall(outer) => {
                // Its type is that of the variable of this name in the procedure.
                let counter = self.counter(doc);
                let (header, number) = count_directions(doc, counter, outer, count, place);
                let body = self.one_assignment(doc, lhs, rhs, Direction::One(number))?;
                let inline = body.len() == 1;
                let forall = Forall { header, body, name: None, inline };
                out.push(statement(doc, StmtKind::Forall(Box::new(forall)), place));
            }
        }
        Ok(())
    }

    /// The derivative assignment for a direction.
    fn one_assignment(
        &mut self,
        doc: &mut Document,
        lhs: RefId,
        rhs: ExprId,
        direction: Direction,
    ) -> Result<Vec<StmtId>, Diagnostic> {
        let place = doc.refs[lhs].place;
        let value = self.derivative(doc, rhs, direction)?;
        let Some(target) = self.shadow(doc, lhs, direction) else { return Ok(Vec::new()) };
        match value {
            Some(value) => Ok(vec![assign(doc, target, value, place)]),
            None => match self.zero_statement(doc, target) {
                Some(stmt) => Ok(vec![stmt]),
                None => Err(self.refused(
                    doc,
                    place,
                    "a structure without derivative that is assigned in WHERE or FORALL",
                )),
            },
        }
    }

    pub(super) fn refused(&self, doc: &Document, place: Place, what: &str) -> Diagnostic {
        let message = format!("no tangent of {what}");
        self.error(doc, Code::DERIVATIVE_REFUSED, place, message, "write it as a loop")
    }
}

/// `k = 1:count` in a scope of its own, and the value of `k`.
fn count_directions(
    doc: &mut Document,
    counter: SymbolId,
    outer: ScopeId,
    count: u32,
    place: Place,
) -> (ForallHeader, ExprId) {
    let scope = doc.add_scope(outer, ScopeKind::Indices, place);
    let index = Symbol { scope, ..doc.symbols[counter].clone() };
    let var = doc.add_symbol(index);
    let lower = integer(doc, 1, place);
    let upper = integer(doc, i64::from(count), place);
    let range = IndexRange { var, lower, upper, step: None };
    let number = whole(doc, var, place);
    let number = value_of(doc, number);
    (ForallHeader { scope, spec: None, ranges: vec![range], mask: None }, number)
}
