//! Whether a procedure reads nothing of an argument but the elements that it overwrites as well: `y(i) = y(i) + a*x(i)`,
//! or `t = x(i); x(i) = y(i); y(i) = t`, in the same block and with subscripts that stay.
//!
//! Arguments of one call may overlap where nothing is overwritten (Fortran 2018, 15.5.2.13). If each element of
//! `y` that is read is overwritten as well, then what overlaps `y` is not read through it, and no adjoint is
//! added to under two names. `actual` asks this of arguments that are overwritten; what is not certain is
//! answered with no.

use std::collections::BTreeSet;

use xaif_schema::model::{
    Arg, ArgValue, Body, Callee, Document, ExprId, ExprKind, ProcId, RefId, StmtId, StmtKind,
    SymbolId, VertexKind,
};

use crate::queries::private_scalars::has_internal_procedures;
use booster_build::{has_call, same_reference, subscripts_of};
use booster_facts::Storage;
use booster_tangent::reads::{names_in_statement, references};

/// Whether that is so of the dummy argument at `index` (from 0) of whatever a call may mean.
pub(crate) fn reads_what_it_overwrites(
    doc: &Document,
    storage: &Storage,
    callee: &Callee,
    index: usize,
) -> bool {
    Search { doc, storage, seen: BTreeSet::new() }.call(callee, index)
}

struct Search<'d> {
    doc: &'d Document,
    storage: &'d Storage,
    /// What is looked at already: recursion adds nothing.
    seen: BTreeSet<(ProcId, usize)>,
}

impl Search<'_> {
    fn call(&mut self, callee: &Callee, index: usize) -> bool {
        let targets = self.storage.targets(self.doc, callee);
        let known = !targets.unknown && targets.outside.is_empty() && !targets.bodies.is_empty();
        known
            && targets
                .bodies
                .iter()
                .all(|entry| entry.point.is_none() && self.body(entry.proc, index))
    }

    fn body(&mut self, proc: ProcId, index: usize) -> bool {
        if !self.seen.insert((proc, index)) {
            return true;
        }
        let data = &self.doc.procs[proc];
        let dummy = data.args.get(index).and_then(|arg| arg.symbol);
        let (Some(dummy), Body::Flow(cfg)) = (dummy, &data.body) else { return false };
        // Those behind CONTAINS may read it by its name.
        if has_internal_procedures(self.doc, proc) {
            return false;
        }
        cfg.layout.iter().all(|&vertex| {
            let VertexKind::BasicBlock { stmts, .. } = &cfg.vertices[vertex].kind else {
                return true;
            };
            (0..stmts.len()).all(|at| self.statement(stmts, at, dummy))
        })
    }

    /// The statement at `at` of a block.
    fn statement(&mut self, block: &[StmtId], at: usize, dummy: SymbolId) -> bool {
        let (doc, stmt) = (self.doc, block[at]);
        match &doc.stmts[stmt].kind {
            StmtKind::Call(call) => self.passed(&call.callee, &call.args, dummy),
            StmtKind::Assign { lhs, rhs, defined: None, .. } => match &doc.exprs[*rhs].kind {
                ExprKind::Call(call) => self.passed(&call.callee, &call.args, dummy),
                ExprKind::Constant(_)
                | ExprKind::Ref(_)
                | ExprKind::Intrinsic { .. }
                | ExprKind::Boolean { .. }
                | ExprKind::ArrayConstructor { .. }
                | ExprKind::ImpliedDo(_)
                | ExprKind::StructureConstructor { .. }
                | ExprKind::Procedure(_)
                | ExprKind::Opaque(_) => self.reads(*rhs, dummy).all(|reference| {
                    same_reference(doc, reference, *lhs)
                        || self.is_overwritten_in(block, at, reference)
                }),
            },
            StmtKind::Marker(_)
            | StmtKind::Comment(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_) => true,
            StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_) => !names_in_statement(doc, stmt, dummy),
        }
    }

    /// Whether an assignment of the block overwrites what the statement at `at` reads, and no statement
    /// between them what its subscripts are made of.
    fn is_overwritten_in(&self, block: &[StmtId], at: usize, read: RefId) -> bool {
        let doc = self.doc;
        let overwrites = |&other: &usize| match doc.stmts[block[other]].kind {
            StmtKind::Assign { lhs, defined: None, .. } => same_reference(doc, read, lhs),
            _ => false,
        };
        let subscripts = subscripts_of(&doc.refs[read]);
        let stays = |other: usize| {
            let between = at.min(other)..at.max(other);
            block[between].iter().all(|&stmt| self.leaves(stmt, &subscripts))
        };
        (0..block.len()).filter(overwrites).any(stays)
    }

    /// Whether a statement certainly leaves the values of expressions as they are.
    fn leaves(&self, stmt: StmtId, values: &[ExprId]) -> bool {
        let doc = self.doc;
        let StmtKind::Assign { lhs, rhs, defined: None } = doc.stmts[stmt].kind else {
            return false;
        };
        let overwritten = self.storage.locations_of(doc, lhs);
        let read = values.iter().flat_map(|&value| references(doc, value));
        let mut read = read.flat_map(|reference| self.storage.locations_of(doc, reference));
        !has_call(doc, [rhs]) && !read.any(|location| overwritten.contains(&location))
    }

    /// Of arguments that are more than the variable itself nothing is known.
    fn passed(&mut self, callee: &Callee, args: &[Arg], dummy: SymbolId) -> bool {
        if callee.object.is_some_and(|object| self.doc.refs[object].base == dummy) {
            return false;
        }
        args.iter().all(|arg| {
            let ArgValue::Expr(expr) = arg.value else { return true };
            if self.reads(expr, dummy).next().is_none() {
                return true;
            }
            let index = usize::try_from(arg.position).unwrap_or(0).checked_sub(1);
            let is_variable = matches!(self.doc.exprs[expr].kind, ExprKind::Ref(reference)
                if self.doc.refs[reference].base == dummy);
            is_variable && index.is_some_and(|index| self.call(callee, index))
        })
    }

    /// What an expression reads of the argument, under whatever name.
    fn reads(
        &self,
        expr: ExprId,
        dummy: SymbolId,
    ) -> impl Iterator<Item = xaif_schema::model::RefId> + use<'_> {
        let own = self.storage.locations_of_symbol(dummy);
        references(self.doc, expr).into_iter().filter(move |&reference| {
            let locations = self.storage.locations_of(self.doc, reference);
            self.doc.refs[reference].base == dummy
                || locations.iter().any(|location| own.contains(location))
        })
    }
}
