//! Searches: what they find is a Jacobian, bounds hold, and nothing beats what is proved optimal.

use elimination::portfolio::{Missed, Proofs, Tried, cheapest, heuristics, proofs};
use elimination::testing::{random_graph, random_plain_graph};
use elimination::{
    Begun, Chain, Choice, Draft, Effort, Eliminations, Graph, Role, Scale, TECHNIQUES, Technique,
    eliminate, exact, lower_bound, replay, search_edges, search_faces, search_vertices,
};

fn chain(text: &str) -> Chain {
    text.parse().expect("a chain")
}

fn values(graph: &Graph) -> Vec<f64> {
    (0..graph.variables()).map(|v| 0.5 + (v as f64 * 0.618_034).fract()).collect()
}

#[track_caller]
fn assert_jacobian(graph: &Graph, elimination: &elimination::Elimination) {
    let values = values(graph);
    let mut expected = graph.jacobian(&values);
    let accumulation = &elimination.accumulation;
    for (entry, value) in accumulation.entries().iter().zip(accumulation.evaluate(&values)) {
        let sum = expected.remove(&(entry.target, entry.source)).expect("an entry has a path");
        assert!((value - sum).abs() <= 1e-9 * sum.abs().max(1.0), "{entry:?}: {value}, not {sum}");
    }
    assert!(expected.values().all(|sum| sum.abs() < 1e-9), "{expected:?}");
}

/// What annealing finds with so many seeds.
fn annealed(graph: &Graph, moves: u64, seed: u64, searches: usize) -> Vec<Tried> {
    let choice = Choice { anneal: Some(moves), seed, ..Choice::default() };
    let scale = Scale { searches, ..Scale::ONE };
    let (mut found, _) = choice.eliminations(&[graph], scale, true);
    let tried = found.pop().map(|one| one.tried).unwrap_or_default();
    tried.into_iter().filter(|one| one.by.starts_with("annealing")).collect()
}

/// A chain with two edges between neighbours.
fn chain_of(count: u32) -> Graph {
    let mut draft = Draft::new();
    for v in 0..=count {
        let role = match v {
            0 => Role::Input,
            _ if v == count => Role::Output,
            _ => Role::Intermediate,
        };
        draft.vertex(role, v.to_string());
    }
    for v in 0..count {
        draft.edge(v, v + 1);
        draft.edge(v, v + 1);
    }
    draft.finish().expect("a graph")
}

/// By what the cheapest came to be, and its steps.
fn chosen(found: Vec<Eliminations>) -> Vec<(Technique, String, Vec<elimination::Step>)> {
    let cheapest = found.into_iter().filter_map(Eliminations::cheapest);
    cheapest.map(|one| (one.technique, one.by, one.elimination.steps)).collect()
}

#[test]
fn small_graphs_have_their_optimum_by_themselves_whoever_asks() {
    let mut better = 0;
    for seed in 0..8 {
        let graph = random_plain_graph(seed, 3, 12, 2);
        let optimum = |technique| exact(&graph, technique, 2_000)?.optimal;
        for scale in [Scale::ONE, Scale::MANY] {
            let (found, _) = Choice::default().eliminations(&[&graph], scale, false);
            let cost = chosen(found.clone())[0].1.clone();
            let count = found.into_iter().find_map(Eliminations::cheapest).expect("one").cost();
            for technique in [Technique::Vertex, Technique::Edge] {
                let Some(optimal) = optimum(technique) else { continue };
                assert!(count <= optimal.accumulation.cost(), "seed {seed} by {cost}");
            }
            better += usize::from(cost == "exact search");
        }
    }
    assert!(better > 0 && better % 2 == 0, "{better}");
}

/// Graphs of a program are tried with the same members; how many were begun tells the result.
#[test]
fn several_graphs_have_the_same_members_of_the_portfolio() {
    // The last one is too large for edges and faces, whose members it leaves out.
    let mut graphs: Vec<Graph> = (0..4).map(|seed| random_plain_graph(seed, 4, 16, 3)).collect();
    graphs.push(chain_of(2_600));
    let all: Vec<&Graph> = graphs.iter().collect();
    let best = Choice { best: true, anneal: Some(20), ..Choice::default() };
    let with = |choice: Choice, graphs: &[&Graph]| choice.eliminations(graphs, Scale::MANY, false);
    for members in [1, 40, 115, 117] {
        let choice = Choice { members: Some(members), ..best.clone() };
        let (together, begun) = with(choice.clone(), &all);
        assert_eq!(begun, Begun { members, stopped: true });
        let one_by_one = all.iter().flat_map(|graph| with(choice.clone(), &[graph]).0).collect();
        assert_eq!(chosen(together), chosen(one_by_one), "{members} members");
    }
    let budget = Some(std::time::Duration::from_millis(20));
    let (hasty, begun) = with(Choice { budget, ..best.clone() }, &all);
    let again = Choice { members: Some(begun.members), ..best.clone() };
    assert_eq!(chosen(hasty), chosen(with(again, &all).0), "{begun:?}");
    // What is kept of all that was tried is the cheapest.
    let (kept, _) = best.eliminations(&all[..4], Scale::MANY, true);
    assert!(kept.iter().all(|one| one.tried.len() > 100));
    assert_eq!(chosen(kept), chosen(with(best, &all[..4]).0));
}

#[test]
fn what_was_asked_for_and_not_found_is_said() {
    let missed = |choice: Choice, graph: &Graph| {
        let (found, _) = choice.eliminations(&[graph], Scale::MANY, false);
        found.into_iter().flat_map(|one| one.missed).collect::<Vec<_>>()
    };
    let exact = |states| Choice { exact: Some(states), ..Choice::default() };
    let small = random_plain_graph(1, 3, 10, 2);
    assert_eq!(missed(exact(2_000), &small), []);
    let left = [Missed::States(Technique::Vertex, 0), Missed::States(Technique::Edge, 0)];
    assert_eq!(missed(exact(0), &small), left);
    let faces = Choice { technique: Some(Technique::Face), ..exact(10) };
    assert_eq!(missed(faces, &small), [Missed::Faces]);
    assert_eq!(missed(exact(2_000), &random_graph(1, 3, 8, 2)), [Missed::Bound]);
    let large = chain_of(2_600);
    assert_eq!(missed(exact(10), &large), [Missed::Size]);
    let anneal = Choice { anneal: Some(1), ..Choice::default() };
    assert_eq!(missed(anneal, &large), TECHNIQUES.map(Missed::Annealing));
    assert_eq!(missed(Choice::default(), &large), []);
}

#[test]
fn what_is_found_is_the_jacobian_and_never_dearer_than_where_it_began() {
    for seed in 0..20 {
        let graph = random_graph(seed, 4, 20, 3);
        let effort = Effort { moves: 2000, seed };
        let begin = eliminate(&graph, Technique::Vertex, &chain("lm"));
        let vertices = search_vertices(&graph, &begin.steps, effort).expect("small");
        assert_jacobian(&graph, &vertices);
        let edges = search_edges(&graph, &vertices.steps, effort).expect("small");
        assert_jacobian(&graph, &edges);
        let faces = search_faces(&graph, &edges.steps, effort).expect("small");
        assert_jacobian(&graph, &faces);
    }
    for seed in 0..20 {
        let graph = random_plain_graph(seed, 4, 20, 3);
        let effort = Effort { moves: 2000, seed };
        let begin = eliminate(&graph, Technique::Vertex, &chain("lm"));
        let vertices = search_vertices(&graph, &begin.steps, effort).expect("small");
        let edges = search_edges(&graph, &vertices.steps, effort).expect("small");
        let faces = search_faces(&graph, &edges.steps, effort).expect("small");
        let counts =
            [&begin, &vertices, &edges, &faces].map(|e| e.accumulation.cost().multiplications);
        assert!(counts.is_sorted_by(|a, b| a >= b), "{counts:?}");
    }
}

#[test]
fn no_elimination_is_cheaper_than_the_bound_or_than_the_optimum_of_its_technique() {
    for seed in 0..40 {
        let graph = random_plain_graph(seed, 3, 10, 2);
        let bound = lower_bound(&graph).expect("partials are different variables");
        let best = |technique: Technique| {
            let tried = heuristics(&graph, Some(technique));
            cheapest(tried).expect("some").cost().multiplications as u64
        };
        let optimum = |technique: Technique| {
            let found = exact(&graph, technique, 200_000).expect("small");
            let optimal = found.optimal.expect("the search ends");
            assert_jacobian(&graph, &optimal);
            let cost = optimal.accumulation.cost().multiplications as u64;
            assert_eq!(cost, found.at_least, "seed {seed} {}", technique.name());
            cost
        };
        let (vertex, edge) = (optimum(Technique::Vertex), optimum(Technique::Edge));
        assert!(bound <= edge && edge <= vertex, "seed {seed}: {bound} {edge} {vertex}");
        assert!(vertex <= best(Technique::Vertex), "seed {seed}");
        assert!(edge <= best(Technique::Edge), "seed {seed}");
        assert!(bound <= best(Technique::Face), "seed {seed}");
        for tried in &annealed(&graph, 3000, seed, 1) {
            let least = match tried.technique {
                Technique::Vertex => vertex,
                Technique::Edge => edge,
                Technique::Face => bound,
            };
            assert!(tried.cost().multiplications as u64 >= least, "seed {seed}");
        }
    }
}

#[test]
fn the_exact_search_agrees_with_trying_every_order() {
    fn every_order(graph: &Graph, done: &mut Vec<elimination::Step>, left: &[u32]) -> usize {
        if left.is_empty() {
            let elimination = replay(graph, Technique::Vertex, done);
            return elimination.accumulation.cost().multiplications;
        }
        let mut least = usize::MAX;
        for (at, &v) in left.iter().enumerate() {
            let rest: Vec<u32> = [&left[..at], &left[at + 1..]].concat();
            done.push(elimination::Step::Vertex(v));
            least = least.min(every_order(graph, done, &rest));
            done.pop();
        }
        least
    }
    for seed in 0..10 {
        let graph = random_plain_graph(seed, 3, 7, 2);
        let inner: Vec<u32> =
            (0..graph.len() as u32).filter(|&v| graph.role(v) == Role::Intermediate).collect();
        let least = every_order(&graph, &mut Vec::new(), &inner);
        let found = exact(&graph, Technique::Vertex, 100_000).expect("small");
        assert_eq!(found.at_least as usize, least, "seed {seed}");
    }
}

/// A vertex between two inputs and two outputs, of which one input and one output are joined by
/// further paths: an edge is worth eliminating out of turn.
#[test]
fn edge_elimination_can_be_cheaper_than_vertex_elimination() {
    let mut found = false;
    for seed in 0..400 {
        let graph = random_plain_graph(seed, 3, 9, 3);
        let limit = 100_000;
        let vertex = exact(&graph, Technique::Vertex, limit).expect("small").at_least;
        let edge = exact(&graph, Technique::Edge, limit).expect("small").at_least;
        assert!(edge <= vertex);
        if edge < vertex {
            found = true;
            break;
        }
    }
    assert!(found, "no graph shows the difference");
}

#[test]
fn a_search_is_the_same_for_the_same_seed_and_any_number_of_threads() {
    let graph = random_plain_graph(3, 5, 30, 4);
    let run = || -> Vec<_> {
        let tried = annealed(&graph, 1500, 11, 3);
        assert_eq!(tried.len(), 9);
        tried.into_iter().map(|t| (t.by, t.elimination.steps)).collect()
    };
    assert_eq!(run(), run());
}

#[test]
fn proofs_say_which_techniques_they_hold_for() {
    // A chain: one product for each vertex between.
    let mut draft = Draft::new();
    let x = draft.vertex(Role::Input, "x");
    let inner: Vec<u32> =
        (0..4).map(|v| draft.vertex(Role::Intermediate, format!("v{v}"))).collect();
    let y = draft.vertex(Role::Output, "y");
    let mut last = x;
    for v in inner.into_iter().chain([y]) {
        draft.edge(last, v);
        last = v;
    }
    let graph = draft.finish().expect("a graph");
    let Proofs { tried, at_least, missed } = proofs(&graph, None, 100);
    assert_eq!((at_least, missed), (Some(4), Vec::new()));
    assert_eq!(tried.len(), 2, "faces are not searched");
    assert!(tried.iter().all(|t| t.cost().multiplications == 4));
    for technique in TECHNIQUES {
        let cost = eliminate(&graph, technique, &chain("forward")).accumulation.cost();
        assert_eq!(cost.multiplications, 4);
    }
}
