//! Whether a local Jacobian pays, and what an adjoint had better record of it.
//!
//! What is counted are operations of the derivative, with weights that were measured (docs/elimination.md,
//! "What pays"). A product and the addition of it to a sum are one operation, and so is each other addition; a
//! division is as much as eight. Single statements take one for each edge of the graph, each division that the
//! tangent of an operation has, and they write a derivative for each assignment: all that in each
//! direction. The local Jacobian takes once what its accumulation and the divisions of its partial derivatives
//! are, and in each direction one for each entry and for each output that is written.
//!
//! Several directions are a vector: up to four of them cost as much as one number, eight as much as two. A
//! single number that is written stays in a register and counts nothing. In one direction numbers have to save a
//! quarter: that may be the direction of an adjoint, for which entries of a loop go onto the tape.
//!
//! In an array statement each operation costs as much for each element, in whatever direction, and what is
//! assigned to is memory. There are the derivatives of all assignments
//! without a local Jacobian, and with it the partial derivatives, the products, and the derivatives of
//! the outputs.
//!
//! An adjoint records either the entries, or what the accumulation reads, and accumulates again. A value
//! that goes onto the tape and comes back costs as much as a few multiplications: arrays take 0.3 to 0.8 ns
//! a value (the figures of README's kernels), a multiplication in a block 0.1 to 0.25 ns.

use std::collections::{HashMap, HashSet};

use elimination::listing::Listing;
use elimination::{Accumulation, Partial, Variable};
use xaif_schema::model::{Document, ExprId, ExprKind};

use super::graph::{Coefficient, Computed, Local, Vertex};
use super::places::Places;
use super::runs::Run;
use crate::analysis::Storage;
use crate::build::nodes_of;

/// What recording a value costs, in multiplications.
const RECORDED: usize = 3;

/// How many directions cost as much as one.
const LANES: usize = 4;

/// What a division costs, in multiply-adds.
const DIVISION: usize = 8;

/// Whether the local Jacobian of a run is cheaper than the derivatives of single statements, in so many
/// directions. With one direction nobody says whether a tangent or an adjoint comes next.
pub(super) fn pays(
    doc: &Document,
    run: &Run<'_>,
    local: &Local,
    accumulation: &Accumulation,
    directions: usize,
) -> bool {
    let with = with(doc, run, local, accumulation).time(run, directions);
    let without = without(doc, run, local).time(run, directions);
    match run.of_arrays || directions > 1 {
        true => with < without,
        // An adjoint has one direction, and may have to record the entries.
        false => with * 4 < without * 3,
    }
}

/// Operations: multiply-adds, and divisions.
#[derive(Clone, Copy, Debug, Default)]
struct Operations {
    count: usize,
    divisions: usize,
}

/// What derivatives take.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    /// Once.
    scalar: Operations,
    /// In each direction.
    vector: Operations,
    /// Derivatives that are written.
    written: usize,
}

impl Work {
    fn time(self, run: &Run<'_>, directions: usize) -> usize {
        let lanes = if run.of_arrays { 1 } else { LANES };
        let Work { scalar, vector, .. } = self;
        let once = scalar.count + scalar.divisions * DIVISION;
        // A number stays in a register, a vector is written.
        let written = if run.of_arrays || directions > 1 { self.written } else { 0 };
        let each = vector.count + written + vector.divisions * DIVISION;
        // A vector that is not full costs as much as a full one.
        once * lanes + each * directions.max(lanes)
    }
}

/// The derivatives of single statements: a multiply-add for each edge, a division for each operation whose
/// partial derivatives are quotients, and an assignment for each statement.
fn without(doc: &Document, run: &Run<'_>, local: &Local) -> Work {
    let mut terms: HashMap<u32, Terms> = HashMap::new();
    let mut quotients = HashSet::new();
    for (_, target, partial) in local.graph.edges() {
        // Beside arrays numbers cost nothing.
        if run.of_arrays && local.forms[target as usize].shape.is_none() {
            continue;
        }
        let unit = match partial {
            Partial::Constant(number) => number.abs() == 1.0,
            Partial::Variable(Variable(number)) => {
                if is_quotient(doc, local.coefficients[number as usize].value) {
                    quotients.insert(target);
                }
                false
            }
        };
        terms.entry(target).or_default().add(unit);
    }
    let assigned = run.items.iter().filter(|item| item.assignment.is_some()).count();
    let count = terms.values().map(|terms| terms.operations()).sum();
    let vector = Operations { count, divisions: quotients.len() };
    Work { scalar: Operations::default(), vector, written: assigned }
}

/// The local Jacobian: partial derivatives that are quotients, the accumulation, and a multiply-add for
/// each entry.
fn with(doc: &Document, run: &Run<'_>, local: &Local, accumulation: &Accumulation) -> Work {
    let mut terms: HashMap<u32, Terms> = HashMap::new();
    for entry in accumulation.entries() {
        terms.entry(entry.target).or_default().add(entry.value.is_unit());
    }
    let outputs = local.vertices.iter().filter(|one| matches!(one, Vertex::Output(_))).count();
    let count = terms.values().map(|terms| terms.operations()).sum();
    let vector = Operations { count, divisions: 0 };
    let computed = |one: &&Coefficient| {
        one.place != Computed::Itself && (!run.of_arrays || one.form.shape.is_some())
    };
    let partials = local.coefficients.iter().filter(computed);
    let divisions = partials.clone().filter(|one| is_quotient(doc, one.value)).count();
    let statements = Listing::new(accumulation).statements.len();
    // An array that is written is memory that is written.
    let written = if run.of_arrays { statements + partials.count() } else { 0 };
    let count = statements + written;
    Work { scalar: Operations { count, divisions }, vector, written: outputs }
}

/// The terms of a sum.
#[derive(Clone, Copy, Debug, Default)]
struct Terms {
    products: usize,
    units: usize,
}

impl Terms {
    fn add(&mut self, unit: bool) {
        match unit {
            true => self.units += 1,
            false => self.products += 1,
        }
    }

    /// A multiply-add for each product, an addition for each other term but the first.
    fn operations(self) -> usize {
        self.products + self.units.saturating_sub(1)
    }
}

/// Whether an expression is a quotient, whatever its sign.
fn is_quotient(doc: &Document, expr: ExprId) -> bool {
    let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[expr].kind else { return false };
    match &**name {
        "div_scal_scal" => true,
        "minus_scal" => operands.first().is_some_and(|one| is_quotient(doc, one.expr)),
        _ => false,
    }
}

/// Whether an adjoint had better record what the accumulation reads than the entries.
pub(super) fn operands_are_cheaper(
    doc: &Document,
    storage: &Storage,
    local: &Local,
    accumulation: &Accumulation,
) -> bool {
    let again = accumulation.cost().multiplications + local.coefficients.len();
    operands(doc, storage, local) * RECORDED + again < values(accumulation) * RECORDED
}

/// The entries that are known only when the program runs.
fn values(accumulation: &Accumulation) -> usize {
    accumulation.entries().iter().filter(|entry| entry.value.known().is_none()).count()
}

/// How many values the accumulation reads: variables, and partial derivatives that were computed
/// before what they read was overwritten.
fn operands(doc: &Document, storage: &Storage, local: &Local) -> usize {
    let mut read = Places::default();
    let mut early = 0;
    for coefficient in &local.coefficients {
        match coefficient.place {
            Computed::Before(_) => early += 1,
            Computed::Behind | Computed::Itself => {
                for node in nodes_of(doc, [coefficient.value]) {
                    if let Some(reference) = doc.exprs[node].reference() {
                        read.note(doc, storage, reference);
                    }
                }
            }
        }
    }
    early + read.list.len()
}
