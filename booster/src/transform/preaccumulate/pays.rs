//! Whether a local Jacobian pays, and what an adjoint had better record of it.
//!
//! Without it, a derivative statement takes a multiplication for each edge of the graph that carries a
//! variable, in each direction; with it, the accumulation takes its multiplications once, and a product one for
//! each entry and direction.
//!
//! In an array statement each operation costs as much for each element, and what is assigned to is memory: an
//! array that is written counts like a multiplication. There are the derivatives of all assignments
//! without a local Jacobian, and with it the partial derivatives, the products, and the derivatives of
//! the outputs.
//!
//! An adjoint records either the entries, or what the accumulation reads, and accumulates again. A value
//! that goes onto the tape and comes back costs as much as a few multiplications: arrays take 0.3 to 0.8 ns
//! a value (the figures of README's kernels), a multiplication in a block 0.1 to 0.25 ns.

use elimination::{Accumulation, Partial};
use xaif_schema::model::Document;

use super::graph::{Coefficient, Computed, Local, Vertex};
use super::places::Places;
use super::runs::Run;
use crate::analysis::Storage;
use crate::build::nodes_of;

/// What recording a value costs, in multiplications.
const RECORDED: usize = 3;

/// Whether the local Jacobian of a run is cheaper than the derivatives of single statements, in so many
/// directions.
pub(super) fn pays(
    run: &Run<'_>,
    local: &Local,
    accumulation: &Accumulation,
    directions: usize,
) -> bool {
    let edges = local.graph.edges().filter(|&(_, target, partial)| {
        // Beside arrays numbers cost nothing.
        let counts = !run.of_arrays || local.forms[target as usize].shape.is_some();
        counts && matches!(partial, Partial::Variable(_))
    });
    let multiplications = accumulation.cost().multiplications;
    let with = multiplications + directions * values(accumulation);
    let without = directions * edges.count();
    if !run.of_arrays {
        return with < without;
    }
    let stored = |one: &Coefficient| one.form.shape.is_some() && one.place != Computed::Itself;
    let partials = local.coefficients.iter().filter(|one| stored(one)).count();
    let outputs = local.vertices.iter().filter(|one| matches!(one, Vertex::Output(_))).count();
    let assigned = run.items.iter().filter(|item| item.assignment.is_some()).count();
    with + multiplications + partials + directions * outputs < without + directions * assigned
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
