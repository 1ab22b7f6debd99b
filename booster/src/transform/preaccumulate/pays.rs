//! Whether a local Jacobian pays, and what an adjoint had better record of it.
//!
//! Without it, a derivative statement takes a multiplication for each edge of the graph that carries a
//! variable, in each direction; with it, the accumulation takes its multiplications once, and a product one for
//! each entry and direction.
//!
//! An adjoint records either the entries, or what the accumulation reads, and accumulates again. A value
//! that goes onto the tape and comes back costs as much as a few multiplications: arrays take 0.3 to 0.8 ns
//! a value (the figures of README's kernels), a multiplication in a block 0.1 to 0.25 ns.

use elimination::{Accumulation, Graph, Partial};
use xaif_schema::model::{Document, RefId};

use super::graph::{Computed, Local};
use crate::build::{nodes_of, same_reference};

/// What recording a value costs, in multiplications.
const RECORDED: usize = 3;

/// Whether the local Jacobian is cheaper than the derivatives of single statements, in so many
/// directions.
pub(super) fn pays(graph: &Graph, accumulation: &Accumulation, directions: usize) -> bool {
    let edges =
        graph.edges().filter(|(_, _, partial)| matches!(partial, Partial::Variable(_))).count();
    let multiplications = accumulation.cost().multiplications;
    multiplications + directions * values(accumulation) < directions * edges
}

/// Whether an adjoint had better record what the accumulation reads than the entries.
pub(super) fn operands_are_cheaper(
    doc: &Document,
    local: &Local,
    accumulation: &Accumulation,
) -> bool {
    let again = accumulation.cost().multiplications + local.coefficients.len();
    operands(doc, local) * RECORDED + again < values(accumulation) * RECORDED
}

/// The entries that are known only when the program runs.
fn values(accumulation: &Accumulation) -> usize {
    accumulation.entries().iter().filter(|entry| entry.value.known().is_none()).count()
}

/// How many values the accumulation reads: variables, and partial derivatives that were computed
/// before what they read was overwritten.
fn operands(doc: &Document, local: &Local) -> usize {
    let mut read: Vec<RefId> = Vec::new();
    let mut early = 0;
    for coefficient in &local.coefficients {
        match coefficient.place {
            Computed::Before(_) => early += 1,
            Computed::Behind | Computed::Itself => {
                for node in nodes_of(doc, [coefficient.value]) {
                    let Some(reference) = doc.exprs[node].reference() else { continue };
                    if !read.iter().any(|&known| same_reference(doc, known, reference)) {
                        read.push(reference);
                    }
                }
            }
        }
    }
    early + read.len()
}
