//! Whether a local Jacobian pays, and what an adjoint had better record of it.
//!
//! What is counted are operations of the derivative, with weights that were measured (docs/elimination.md,
//! "What pays"). A product and the addition of it to a sum are one operation, and so is each other addition; a
//! division is as much as eight, a choice between a derivative and 0 as much as an addition. Single statements take one for each edge of the graph, each division that the
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
//! An adjoint records either the entries, or what the accumulation reads. That is no arithmetic more: where the
//! backward sweep accumulates, the forward sweep does not. So what counts are the values that go onto the tape:
//! each entry; or what the accumulation reads, as far as it may be overwritten behind the run, for
//! what nobody overwrites is still there.

use std::collections::{BTreeSet, HashMap, HashSet};

use elimination::listing::{Expression, Listing};
use elimination::{Accumulation, Partial, Variable};
use xaif_schema::model::{Document, ExprId, ExprKind, RefId};

use super::choices::{chosen, deciding};
use super::graph::{Coefficient, Computed, Local, Vertex};
use super::places::Places;
use super::runs::Run;
use crate::analysis::{Storage, UnitId};
use crate::build::{nodes_of, subscripts_of};

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
    let mut choices = 0;
    for (_, target, partial) in local.graph.edges() {
        // Beside arrays numbers cost nothing.
        if run.of_arrays && local.forms[target as usize].shape.is_none() {
            continue;
        }
        let unit = match partial {
            Partial::Constant(number) => number.abs() == 1.0,
            Partial::Variable(Variable(number)) => {
                let coefficient = &local.coefficients[number as usize];
                if is_quotient(doc, coefficient.value) {
                    quotients.insert(target);
                }
                choices += usize::from(coefficient.chooses);
                false
            }
        };
        terms.entry(target).or_default().add(unit);
    }
    let assigned = run.items.iter().filter(|item| item.assignment.is_some()).count();
    let count = terms.values().map(|terms| terms.operations()).sum::<usize>() + choices;
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
    let listing = Listing::new(accumulation);
    let chosen = chosen(&local.coefficients, &listing);
    let choices = accumulation.entries().iter().filter(|one| chosen.contains(&one.value.atom));
    let count = terms.values().map(|terms| terms.operations()).sum::<usize>() + choices.count();
    let vector = Operations { count, divisions: 0 };
    let computed = |one: &&Coefficient| {
        one.place != Computed::Itself && (!run.of_arrays || one.form.shape.is_some())
    };
    let partials = local.coefficients.iter().filter(computed);
    let divisions = partials.clone().filter(|one| is_quotient(doc, one.value)).count();
    let decided = listing.statements.iter().map(|one| match one.expression {
        Expression::Product(a, b) | Expression::MultiplyAdd { factors: (a, b), .. } => {
            deciding(&chosen, a, b).count()
        }
        Expression::Sum(..) => 0,
    });
    let statements = listing.statements.len();
    let decided: usize = decided.sum();
    // An array that is written is memory that is written.
    let written = if run.of_arrays { statements + partials.count() } else { 0 };
    let count = statements + decided + written;
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

/// Whether an adjoint had better record what the accumulation reads than the entries: `overwritten` is what
/// may be overwritten behind the run.
pub(super) fn operands_are_cheaper(
    doc: &Document,
    storage: &Storage,
    local: &Local,
    accumulation: &Accumulation,
    overwritten: &BTreeSet<UnitId>,
) -> bool {
    operands(doc, storage, local, overwritten) < values(accumulation)
}

/// The entries that are known only when the program runs.
fn values(accumulation: &Accumulation) -> usize {
    accumulation.entries().iter().filter(|entry| entry.value.known().is_none()).count()
}

/// How many values the accumulation reads that are overwritten behind the run: variables, and partial
/// derivatives that were computed before what they read was overwritten. Subscripts are not counted:
/// derivatives are read by them in any case.
fn operands(
    doc: &Document,
    storage: &Storage,
    local: &Local,
    overwritten: &BTreeSet<UnitId>,
) -> usize {
    let mut read = Places::default();
    let mut early = 0;
    for coefficient in &local.coefficients {
        match coefficient.place {
            Computed::Before(_) => early += 1,
            Computed::Behind | Computed::Itself => {
                for reference in values_read(doc, coefficient.value) {
                    let units = storage.units_of(doc, reference);
                    if units.iter().any(|unit| overwritten.contains(unit)) {
                        read.note(doc, storage, reference);
                    }
                }
            }
        }
    }
    early + read.list.len()
}

/// The variables whose values an expression reads, but for those in subscripts.
fn values_read(doc: &Document, expr: ExprId) -> Vec<RefId> {
    let nodes = nodes_of(doc, [expr]);
    let references = nodes.iter().filter_map(|&node| doc.exprs[node].reference());
    let subscripts = references.flat_map(|one| subscripts_of(&doc.refs[one]));
    let inner: HashSet<ExprId> = nodes_of(doc, subscripts).into_iter().collect();
    let outer = nodes.into_iter().filter(|node| !inner.contains(node));
    outer.filter_map(|node| doc.exprs[node].reference()).collect()
}
