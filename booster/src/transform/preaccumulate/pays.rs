//! Whether a local Jacobian pays.
//!
//! Without it, a derivative statement takes a multiplication for each edge of the graph that carries a
//! variable; with it, the accumulation takes its multiplications once, and a product one for each entry.

use elimination::{Accumulation, Graph, Partial};

/// Whether the local Jacobian is cheaper than the derivatives of single statements.
pub(super) fn pays(graph: &Graph, accumulation: &Accumulation) -> bool {
    let edges =
        graph.edges().filter(|(_, _, partial)| matches!(partial, Partial::Variable(_))).count();
    let cost = accumulation.cost();
    cost.multiplications + values(accumulation) < edges
}

/// The entries that are known only when the program runs.
fn values(accumulation: &Accumulation) -> usize {
    accumulation.entries().iter().filter(|entry| entry.value.known().is_none()).count()
}
