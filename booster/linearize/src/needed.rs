//! Which references the adjoint of an assignment reads.
//!
//! A superset of what the statements of [`adjoint_of`](super::adjoint_of) read, worked out without
//! making them; a test holds that it is one.

use std::collections::HashSet;

use xaif_schema::diag::Diagnostic;
use xaif_schema::intrinsics::{self, Class};
use xaif_schema::model::{Document, ExprId, ExprKind, RefId};

use super::extent::reads_of_shape;
use super::graph::{Linearised, Node, NodeKind};
use super::instantiate::placed;
use booster_build::{nodes_of, subscripts_of};
use booster_rules::language::{Local, Term};
use booster_rules::{Catalogue, Rule, operand};

/// The references whose values the adjoint statements of `lhs = rhs` may read: those in operands of
/// partial derivatives that are not constant, in conditions (MERGE, MAX, MIN), in masks, shifts and
/// DIM, and in every subscript and section bound of an active reference and of `lhs`. Each once, in
/// the order of the text; the references to shapes only (`size(a)`) are not among them, what stands
/// in their bounds is.
///
/// # Errors
/// As [`Linearised::new`], but for operations whose adjoint needs statements.
pub fn needed(
    doc: &Document,
    catalogue: &Catalogue,
    lhs: RefId,
    rhs: ExprId,
    active: &mut dyn FnMut(RefId) -> bool,
) -> Result<Vec<RefId>, Diagnostic> {
    Ok(reads(doc, catalogue, lhs, rhs, active, None)?.found)
}

/// As [`needed`], where the value of `rhs` is given: what the adjoint statements read beside it.
/// `None` if they do not read it.
///
/// # Errors
/// Those of [`needed`].
pub fn needed_beside_result(
    doc: &Document,
    catalogue: &Catalogue,
    lhs: RefId,
    rhs: ExprId,
    active: &mut dyn FnMut(RefId) -> bool,
) -> Result<Option<Vec<RefId>>, Diagnostic> {
    let reads = reads(doc, catalogue, lhs, rhs, active, Some(rhs))?;
    Ok(reads.reads_given.then_some(reads.found))
}

fn reads<'d>(
    doc: &'d Document,
    catalogue: &Catalogue,
    lhs: RefId,
    rhs: ExprId,
    active: &mut dyn FnMut(RefId) -> bool,
    given: Option<ExprId>,
) -> Result<Reads<'d>, Diagnostic> {
    let graph =
        Linearised::traced(doc, catalogue, rhs, &mut |_, reference| active(reference), false)?;
    let (found, seen) = (Vec::new(), HashSet::new());
    let mut reads = Reads { doc, found, seen, given, reads_given: false };
    if !graph.nodes.is_empty() {
        reads.exprs(subscripts_of(&doc.refs[lhs]));
    }
    for node in &graph.nodes {
        reads.node(catalogue, node);
    }
    Ok(reads)
}

struct Reads<'d> {
    doc: &'d Document,
    found: Vec<RefId>,
    seen: HashSet<RefId>,
    /// The operation whose value is known without its operands.
    given: Option<ExprId>,
    /// Whether that value is read.
    reads_given: bool,
}

impl Reads<'_> {
    fn exprs(&mut self, exprs: impl IntoIterator<Item = ExprId>) {
        for expr in nodes_of(self.doc, exprs) {
            match &self.doc.exprs[expr].kind {
                ExprKind::Ref(reference) => self.add(*reference),
                ExprKind::Call(call) => {
                    call.callee.object.into_iter().for_each(|object| self.add(object));
                }
                ExprKind::Intrinsic { .. }
                | ExprKind::Boolean { .. }
                | ExprKind::Constant(_)
                | ExprKind::ArrayConstructor { .. }
                | ExprKind::ImpliedDo(_)
                | ExprKind::StructureConstructor { .. }
                | ExprKind::Procedure(_)
                | ExprKind::Opaque(_) => {}
            }
        }
    }

    fn add(&mut self, reference: RefId) {
        if self.seen.insert(reference) {
            self.found.push(reference);
        }
    }

    /// What is read where the shape of an expression is asked for.
    fn shape(&mut self, expr: ExprId) {
        self.exprs(reads_of_shape(self.doc, expr));
    }

    fn node(&mut self, catalogue: &Catalogue, node: &Node<'_>) {
        let doc = self.doc;
        if doc.exprs[node.expr].ty.rank > 0 {
            self.shape(node.expr);
        }
        let rule = match node.kind {
            NodeKind::Leaf(reference) => {
                return self.exprs(subscripts_of(&doc.refs[reference]));
            }
            NodeKind::Constructor => return self.constructor(node.expr),
            NodeKind::Operation(rule) => rule,
        };
        let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[node.expr].kind else {
            return;
        };
        let operands = placed(doc, name, operands);
        let array =
            intrinsics::by_xaif(name).is_some_and(|row| row.class == Class::Transformational);
        if array {
            // Masks, shifts, DIM and the like, and the shapes of the others.
            for operand in &operands {
                if doc.exprs[operand.expr].ty.base.is_continuous() {
                    self.shape(operand.expr);
                } else {
                    self.exprs([operand.expr]);
                }
            }
        }
        let mut result = false;
        let mut positions: Vec<u16> = Vec::new();
        let mut names = |term: &Term| term.names(&mut |at| positions.push(at), &mut result);
        for edge in &node.edges {
            let index = usize::from(edge.position).wrapping_sub(1);
            match rule {
                Rule::Partials(locals) => match locals.get(index) {
                    Some(Some(Local::Scaled(scaled))) => {
                        let terms = [&scaled.before, &scaled.after, &scaled.denominator];
                        terms.into_iter().flatten().for_each(&mut names);
                        continue;
                    }
                    Some(Some(Local::Map(_))) | Some(None) | None => {}
                },
                Rule::Choice(_) | Rule::Statements => {
                    self.exprs(operands.iter().map(|operand| operand.expr));
                    continue;
                }
                Rule::Same(_) | Rule::Bilinear | Rule::Passive | Rule::Refused(_) => {}
            }
            if let Some(text) = catalogue.adjoint(doc, node.expr, edge.position) {
                names(&text.value);
                text.guard.iter().for_each(|guard| names(&guard.mask));
            }
        }
        if result && self.given == Some(node.expr) {
            self.reads_given = true;
        } else if result {
            return self.exprs([node.expr]);
        }
        let found: Vec<ExprId> =
            positions.iter().filter_map(|&at| operand(&operands, at)).collect();
        self.exprs(found);
    }

    /// How long the items are, and the bounds of implied DOs.
    fn constructor(&mut self, expr: ExprId) {
        match &self.doc.exprs[expr].kind {
            ExprKind::ArrayConstructor { items, .. } => {
                for &item in items {
                    if self.doc.exprs[item].ty.rank > 0 {
                        self.shape(item);
                    }
                }
            }
            ExprKind::ImpliedDo(implied) => {
                let control = &implied.control;
                self.exprs([control.lower, control.upper].into_iter().chain(control.step));
                for &item in &implied.items {
                    if self.doc.exprs[item].ty.rank > 0 {
                        self.shape(item);
                    }
                }
            }
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => {}
        }
    }
}
