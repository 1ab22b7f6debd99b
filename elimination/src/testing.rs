//! Random graphs, for tests and for the table of random graphs in the docs: the same for the same
//! seed, on every machine.

use fastrand::Rng;

use crate::graph::{Draft, Graph, Partial, Role};

/// A random graph: `inner` vertices beyond the inputs, each computed from one to three earlier
/// ones, mostly from close ones; the last ones and some others are outputs. Partials are
/// variables, 1, -1 or other constants.
pub fn random_graph(seed: u64, inputs: u32, inner: u32, outputs: u32) -> Graph {
    draft(seed, inputs, inner, outputs, true)
}

/// The same where every partial is a variable.
pub fn random_plain_graph(seed: u64, inputs: u32, inner: u32, outputs: u32) -> Graph {
    draft(seed, inputs, inner, outputs, false)
}

fn draft(seed: u64, inputs: u32, inner: u32, outputs: u32, constants: bool) -> Graph {
    let mut rng = Rng::with_seed(seed);
    let mut draft = Draft::new();
    let inputs = inputs.max(1);
    for v in 0..inputs + inner {
        let role = if v < inputs {
            Role::Input
        } else if v + outputs >= inputs + inner || (constants && rng.u32(0..12) == 0) {
            Role::Output
        } else {
            Role::Intermediate
        };
        draft.vertex(role, v.to_string());
    }
    for v in inputs..inputs + inner {
        for _ in 0..rng.u32(1..=3) {
            let far = rng.u32(0..5) == 0;
            let source = if far { rng.u32(0..v) } else { rng.u32(v.saturating_sub(8)..v) };
            let partial = match rng.u32(0..8) {
                _ if !constants => None,
                0 => Some(Partial::Constant(1.0)),
                1 => Some(Partial::Constant(-1.0)),
                2 => Some(Partial::Constant(0.5)),
                3 => Some(draft.variable("shared")),
                _ => None,
            };
            match partial {
                Some(partial) => draft.edge_with(source, v, partial),
                None => draft.edge(source, v),
            }
        }
    }
    // Edges lead from smaller to larger numbers and none to an input, so there is a graph.
    match draft.finish() {
        Ok(graph) => graph,
        Err(_) => Graph::empty(),
    }
}
