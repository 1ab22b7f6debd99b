//! Every technique with every heuristic gives the Jacobian, and counts what it should.

use elimination::testing::{random_graph, random_plain_graph};
use elimination::{
    Chain, Draft, Effort, Elimination, Graph, HEURISTICS, Partial, Primal, Role, State as _, Step,
    TECHNIQUES, Technique, eliminate, exact, replay, search_edges, search_faces, search_vertices,
};
use proptest::prelude::*;

/// Values for the variables of a graph.
fn values(graph: &Graph, seed: u64) -> Vec<f64> {
    let mut rng = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        rng ^= rng << 13;
        rng ^= rng >> 7;
        rng ^= rng << 17;
        0.5 + (rng >> 40) as f64 / (1_u64 << 24) as f64
    };
    (0..graph.variables()).map(|_| next()).collect()
}

/// Compares the entries with the sums over paths.
fn assert_jacobian(graph: &Graph, elimination: &Elimination, what: &str) {
    let values = values(graph, 7);
    let mut expected = graph.jacobian(&values);
    let accumulation = &elimination.accumulation;
    for (entry, value) in accumulation.entries().iter().zip(accumulation.evaluate(&values)) {
        assert_eq!(graph.role(entry.source), Role::Input, "{what}");
        assert_eq!(graph.role(entry.target), Role::Output, "{what}");
        let sum = expected.remove(&(entry.target, entry.source)).expect("an entry has a path");
        let scale = sum.abs().max(1.0);
        assert!((value - sum).abs() <= 1e-9 * scale, "{what}: {entry:?} is {value}, not {sum}");
    }
    // What is missing is 0.
    for (entry, sum) in expected {
        assert!(sum.abs() < 1e-9, "{what}: entry {entry:?} is missing");
    }
}

/// A constant partial that becomes 1 puts its edge among others, where it may measure the same as before: it is
/// still to be eliminated. `t` is an output that another one is computed from.
#[test]
fn an_edge_whose_constant_becomes_one_is_eliminated_all_the_same() {
    let mut draft = Draft::new();
    let x = draft.vertex(Role::Input, "x");
    let t = draft.vertex(Role::Output, "t");
    let v = draft.vertex(Role::Intermediate, "v");
    let y = draft.vertex(Role::Output, "y");
    draft.edge(x, t);
    draft.edge_with(t, v, Partial::Constant(1.0));
    draft.edge_with(t, y, Partial::Constant(0.5));
    draft.edge_with(v, y, Partial::Constant(0.5));
    let graph = draft.finish().expect("a graph");
    for technique in TECHNIQUES {
        for heuristic in HEURISTICS {
            let Ok(chain) = heuristic.name.parse::<Chain>() else { continue };
            let elimination = eliminate(&graph, technique, &chain);
            assert_jacobian(&graph, &elimination, &format!("{} {chain}", technique.name()));
            assert_eq!(elimination.accumulation.entries().len(), 2);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_technique_with_every_heuristic_gives_the_same_jacobian(
        seed in any::<u64>(), inputs in 1_u32..6, inner in 1_u32..28, outputs in 1_u32..5
    ) {
        let graph = random_graph(seed, inputs, inner, outputs);
        for technique in TECHNIQUES {
            for heuristic in HEURISTICS {
                for chain in [heuristic.name.to_owned(), format!("{},reverse", heuristic.name)] {
                    let Ok(chain) = chain.parse::<Chain>() else { continue };
                    let elimination = eliminate(&graph, technique, &chain);
                    assert_jacobian(&graph, &elimination, &format!("{} {chain}", technique.name()));
                }
            }
        }
    }

    /// Chains of two and three filters, drawn at random from all; what they chose, replayed, and by a
    /// technique that takes smaller parts, gives the same again.
    #[test]
    fn every_chain_gives_the_same_jacobian_and_so_does_its_replay(
        seed in any::<u64>(), inner in 1_u32..24, picks in prop::collection::vec((0..12_usize, 0..12_usize, 0..12_usize), 12)
    ) {
        let graph = random_graph(seed, 4, inner, 3);
        let name = |at: usize| HEURISTICS[at % HEURISTICS.len()].name;
        for (a, b, c) in picks {
            for text in [format!("{},{}", name(a), name(b)), format!("{},{},{}", name(a), name(b), name(c))] {
                // A filter does not stand twice in a chain.
                let Ok(chain) = text.parse::<Chain>() else { continue };
                for (at, technique) in TECHNIQUES.into_iter().enumerate() {
                    let elimination = eliminate(&graph, technique, &chain);
                    assert_jacobian(&graph, &elimination, &format!("{} {chain}", technique.name()));
                    for &finer in &TECHNIQUES[at..] {
                        let replayed = replay(&graph, finer, &elimination.steps);
                        let what = format!("{} {chain} by {}", technique.name(), finer.name());
                        assert_jacobian(&graph, &replayed, &what);
                    }
                }
            }
        }
    }

    /// What searches find, with constants and variables that several edges carry.
    #[test]
    fn annealed_and_exact_sequences_give_the_same_jacobian(seed in any::<u64>(), inner in 1_u32..12) {
        let graph = random_graph(seed, 3, inner, 2);
        let chain: Chain = "lm,reverse".parse().expect("a chain");
        let mut steps = eliminate(&graph, Technique::Vertex, &chain).steps;
        let effort = Effort { moves: 300, seed };
        for search in [search_vertices, search_edges, search_faces] {
            let found = search(&graph, &steps, effort).expect("small");
            assert_jacobian(&graph, &found, "annealing");
            steps = found.steps;
        }
        for technique in [Technique::Vertex, Technique::Edge] {
            let optimal = exact(&graph, technique, 3000).and_then(|found| found.optimal);
            if let Some(optimal) = optimal {
                assert_jacobian(&graph, &optimal, "exact search");
            }
        }
    }

    #[test]
    fn vertex_elimination_costs_the_sum_of_the_markowitz_degrees(seed in any::<u64>()) {
        let graph = random_plain_graph(seed, 4, 24, 3);
        let chain: Chain = "lm,reverse".parse().expect("a chain");
        let elimination = eliminate(&graph, Technique::Vertex, &chain);
        let mut state = Primal::new(&graph, Technique::Vertex);
        let mut sum = 0;
        for step in &elimination.steps {
            let Step::Vertex(v) = *step else { panic!("a vertex is eliminated") };
            sum += state.predecessors(v).len() * state.successors(v).len();
            state.eliminate(elimination::Target::Vertex(v), &mut Default::default());
        }
        prop_assert_eq!(elimination.accumulation.cost().multiplications, sum);
        let entries = graph.jacobian(&values(&graph, 1)).len();
        prop_assert_eq!(elimination.accumulation.cost().entries, entries);
    }

    /// A face elimination that follows a vertex elimination takes the same products.
    #[test]
    fn edge_and_face_elimination_in_forward_order_cost_no_less_than_the_vertices_need(
        seed in any::<u64>()
    ) {
        let graph = random_plain_graph(seed, 3, 16, 2);
        for technique in TECHNIQUES {
            let chain: Chain = "lm".parse().expect("a chain");
            let elimination = eliminate(&graph, technique, &chain);
            let cost = elimination.accumulation.cost();
            // Each step of a face elimination is one product, and equal ones are computed once.
            if technique == Technique::Face {
                prop_assert!(cost.multiplications <= elimination.steps.len());
            }
            prop_assert_eq!(cost.entries, graph.jacobian(&values(&graph, 1)).len());
        }
    }
}

/// Tens of thousands of vertices take the time of their eliminations: nothing goes through all
/// targets at each step. Were it otherwise, this test would take hours.
#[test]
fn large_graphs_are_eliminated() {
    let graph = {
        let mut draft = Draft::new();
        let x = draft.vertex(Role::Input, "x");
        let mut last = [x; 3];
        for v in 0..30_000 {
            let role = if v == 29_999 { Role::Output } else { Role::Intermediate };
            let new = draft.vertex(role, v.to_string());
            draft.edge(last[v % 3], new);
            draft.edge(last[(v + 1) % 3], new);
            last[v % 3] = new;
        }
        draft.finish().expect("a graph")
    };
    for (technique, chain) in [
        (Technique::Vertex, "lm,reverse"),
        (Technique::Vertex, "hs,mmr,lf"),
        (Technique::Edge, "hs,lm,reverse"),
        (Technique::Face, "lm,reverse"),
    ] {
        let chain: Chain = chain.parse().expect("a chain");
        let cost = eliminate(&graph, technique, &chain).accumulation.cost();
        assert_eq!(cost.entries, 1);
        assert!((30_000..400_000).contains(&cost.multiplications), "{cost:?}");
    }
}

/// The faces at a vertex, and the edges to it, share what is measured: were each measured again whenever one
/// of them goes, this test would take minutes.
#[test]
fn vertices_with_many_edges_are_eliminated() {
    const WIDTH: u32 = 20;
    let mut draft = Draft::new();
    for v in 0..WIDTH * 80 {
        let role = match v / WIDTH {
            0 => Role::Input,
            79 => Role::Output,
            _ => Role::Intermediate,
        };
        draft.vertex(role, v.to_string());
    }
    for v in WIDTH..WIDTH * 80 {
        let x = v % WIDTH;
        for source in x.saturating_sub(1)..=(x + 1).min(WIDTH - 1) {
            draft.edge(v / WIDTH * WIDTH - WIDTH + source, v);
        }
    }
    let graph = draft.finish().expect("a graph");
    let costs = TECHNIQUES.map(|technique| {
        let chain: Chain = "lm,reverse".parse().expect("a chain");
        eliminate(&graph, technique, &chain).accumulation.cost()
    });
    for cost in costs {
        assert_eq!(cost.entries, 400);
        assert!((50_000..1_000_000).contains(&cost.multiplications), "{cost:?}");
    }
}

/// A chain that very many outputs are computed from: an edge of the chain concerns none of the edges to the
/// outputs. Were these measured again at each step, this test would take minutes.
#[test]
fn a_wide_end_of_a_chain_is_not_measured_again_at_each_step() {
    const WIDTH: u32 = 3_000;
    let mut draft = Draft::new();
    for v in 0..2 * WIDTH {
        let role = match v {
            0 => Role::Input,
            _ if v < WIDTH => Role::Intermediate,
            _ => Role::Output,
        };
        draft.vertex(role, v.to_string());
    }
    for v in 1..2 * WIDTH {
        draft.edge(v.min(WIDTH) - 1, v);
    }
    let graph = draft.finish().expect("a graph");
    let chain: Chain = "ls,lm,reverse".parse().expect("a chain");
    for technique in [Technique::Vertex, Technique::Edge] {
        let cost = eliminate(&graph, technique, &chain).accumulation.cost();
        assert_eq!(cost.multiplications, 2 * WIDTH as usize - 2, "{}", technique.name());
    }
}
