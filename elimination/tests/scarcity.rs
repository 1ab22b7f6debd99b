//! Scarcity: the result has the same Jacobian and never more values than the graph.

use std::collections::BTreeMap;

use elimination::scarcity::{scarce, values};
use elimination::testing::random_graph;
use elimination::{Chain, Draft, Elimination, Graph, Partial, Role, Step, Technique, eliminate};

fn numbers(graph: &Graph) -> Vec<f64> {
    (0..graph.variables()).map(|v| 0.5 + (v as f64 * 0.618_034).fract()).collect()
}

/// The Jacobian by the sums over all paths of what is left.
fn jacobian(
    graph: &Graph,
    elimination: &Elimination,
    numbers: &[f64],
) -> BTreeMap<(u32, u32), f64> {
    let accumulation = &elimination.accumulation;
    let values = accumulation.evaluate(numbers);
    let edges: BTreeMap<(u32, u32), f64> = accumulation
        .entries()
        .iter()
        .zip(values)
        .map(|(entry, value)| ((entry.source, entry.target), value))
        .collect();
    let mut entries = BTreeMap::new();
    for input in (0..graph.len() as u32).filter(|&v| graph.role(v) == Role::Input) {
        let mut sums: BTreeMap<u32, f64> = BTreeMap::from([(input, 1.0)]);
        for &v in graph.order() {
            let Some(&sum) = sums.get(&v) else { continue };
            for (&(_, target), value) in edges.range((v, 0)..=(v, u32::MAX)) {
                *sums.entry(target).or_insert(0.0) += sum * value;
            }
            if graph.role(v) == Role::Output {
                entries.insert((v, input), sum);
            }
        }
    }
    entries
}

fn variables(graph: &Graph) -> usize {
    let mut edges: BTreeMap<(u32, u32), bool> = BTreeMap::new();
    for (source, target, partial) in graph.edges() {
        *edges.entry((source, target)).or_insert(false) |= matches!(partial, Partial::Variable(_));
    }
    edges.values().filter(|variable| **variable).count()
}

#[track_caller]
fn check(graph: &Graph) -> Elimination {
    let elimination = scarce(graph);
    let numbers = numbers(graph);
    let (expected, found) = (graph.jacobian(&numbers), jacobian(graph, &elimination, &numbers));
    for (entry, sum) in &expected {
        let value = found.get(entry).copied().unwrap_or(0.0);
        assert!((value - sum).abs() <= 1e-9 * sum.abs().max(1.0), "{entry:?}: {value}, not {sum}");
    }
    assert!(found.keys().all(|entry| expected.contains_key(entry)));
    assert!(values(&elimination) <= variables(graph));
    let complete: Chain = "lm,reverse".parse().expect("a chain");
    let complete = eliminate(graph, Technique::Vertex, &complete);
    assert!(values(&elimination) <= values(&complete));
    elimination
}

#[test]
fn a_scarce_form_has_the_same_jacobian_and_never_more_values_than_graph_or_jacobian() {
    for seed in 0..150 {
        check(&random_graph(seed, 4, 24, 4));
    }
}

/// n inputs into one vertex, n outputs from it: n*n entries, 2n values.
#[test]
fn a_narrow_vertex_is_kept() {
    let mut draft = Draft::new();
    let inputs: Vec<u32> = (0..4).map(|v| draft.vertex(Role::Input, format!("x{v}"))).collect();
    let waist = draft.vertex(Role::Intermediate, "v");
    inputs.into_iter().for_each(|x| draft.edge(x, waist));
    for v in 0..4 {
        let inner = draft.vertex(Role::Intermediate, format!("w{v}"));
        let y = draft.vertex(Role::Output, format!("y{v}"));
        draft.edge(waist, inner);
        draft.edge(inner, y);
    }
    let elimination = check(&draft.finish().expect("a graph"));
    assert_eq!(values(&elimination), 8);
    assert_eq!(elimination.accumulation.cost().multiplications, 4);
}

/// Each of y and z has an edge from i beside what comes over j; j passes to y by 1, so the edge from
/// i to y can go over j, and what z gets too much by that is taken off an edge that is there.
#[test]
fn an_edge_is_rerouted_over_a_pivot_that_is_1() {
    let mut draft = Draft::new();
    let i = draft.vertex(Role::Input, "i");
    let others: Vec<u32> = (0..4).map(|v| draft.vertex(Role::Input, format!("x{v}"))).collect();
    let j = draft.vertex(Role::Intermediate, "j");
    let y = draft.vertex(Role::Output, "y");
    let z = draft.vertex(Role::Output, "z");
    others.into_iter().for_each(|x| draft.edge(x, j));
    draft.edge(i, j);
    draft.edge_with(j, y, Partial::Constant(1.0));
    draft.edge(j, z);
    draft.edge(i, y);
    draft.edge(i, z);
    let elimination = check(&draft.finish().expect("a graph"));
    assert!(elimination.steps.contains(&Step::Reroute(i, y, j)), "{:?}", elimination.steps);
    assert_eq!(values(&elimination), 7);
}
