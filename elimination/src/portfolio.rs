//! The portfolio: many heuristics and searches, of which the cheapest is kept; and the report on them.
//!
//! All is counted in steps, so the result is the same on every machine and for any number of threads. A clock
//! may say how many members are begun (`turns`): these numbers tell the result.

use std::fmt::Write as _;

use rayon::prelude::*;

use crate::accumulation::Cost;
use crate::graph::{Graph, Role};
use crate::greedy::{Elimination, eliminate};
use crate::heuristics::Chain;
use crate::search::anneal::Effort;
use crate::search::bound::lower_bound;
use crate::search::exact::exact;
use crate::search::{search_edges, search_faces, search_vertices};
use crate::target::{TECHNIQUES, Technique};
use crate::turns::Turns;

/// Beyond that many edges only vertex elimination is tried: edges and faces have many more targets.
const MANY_EDGES: usize = 5_000;

/// One way to the Jacobian that was tried.
#[derive(Clone, Debug)]
pub struct Tried {
    /// What was eliminated.
    pub technique: Technique,
    /// A chain of heuristics, or a search with its seed.
    pub by: String,
    /// What came of it.
    pub elimination: Elimination,
}

impl Tried {
    /// What it costs.
    pub fn cost(&self) -> Cost {
        self.elimination.accumulation.cost()
    }
}

/// Every heuristic of [`Chain::portfolio`] with every technique that `technique` allows (all, where
/// it says none).
pub fn heuristics(graph: &Graph, technique: Option<Technique>, turns: &Turns) -> Vec<Tried> {
    let chains = Chain::portfolio();
    let few = graph.edge_count() <= MANY_EDGES;
    let asked = |t: &Technique| match technique {
        Some(technique) => technique == *t,
        None => few || *t == Technique::Vertex,
    };
    let all: Vec<(Technique, &Chain)> = TECHNIQUES
        .into_iter()
        .filter(asked)
        .flat_map(|technique| chains.iter().map(move |chain| (technique, chain)))
        .collect();
    turns.all(&all, |&(technique, chain)| {
        let elimination = eliminate(graph, technique, chain);
        Some(Tried { technique, by: chain.to_string(), elimination })
    })
}

/// Annealing with `searches` seeds: over vertex orders, from the best of those over sequences with
/// edges, from the best of those over sequences with faces. `technique` keeps only one in the result.
///
/// Nothing for a graph that is too large for a search.
pub fn searches(
    graph: &Graph,
    technique: Option<Technique>,
    effort: Effort,
    searches: u64,
    turns: &Turns,
) -> Vec<Tried> {
    let Ok(begin) = "lm,reverse".parse::<Chain>() else { return Vec::new() };
    let mut steps = eliminate(graph, Technique::Vertex, &begin).steps;
    let mut found = Vec::new();
    let numbers: Vec<u64> = (0..searches).collect();
    for stage in TECHNIQUES {
        let tried: Vec<Tried> = turns.all(&numbers, |&number| {
            let seed = effort.seed.wrapping_add(number);
            // A move on a dual graph takes several times as long.
            let moves = effort.moves / if stage == Technique::Face { 8 } else { 1 };
            let effort = Effort { seed, moves };
            let elimination = match stage {
                Technique::Vertex => search_vertices(graph, &steps, effort)?,
                Technique::Edge => search_edges(graph, &steps, effort)?,
                Technique::Face => search_faces(graph, &steps, effort)?,
            };
            let by = format!("annealing, seed {seed}");
            Some(Tried { technique: stage, by, elimination })
        });
        if let Some(best) = tried.iter().min_by_key(|tried| tried.cost()) {
            steps = best.elimination.steps.clone();
        }
        if technique.is_none_or(|technique| technique == stage) {
            found.extend(tried);
        }
        if technique == Some(stage) {
            break;
        }
    }
    found
}

/// The exact search over vertices and edges, as far as it ends within `limit` states, and the
/// largest number of multiplications that is known to be needed by every technique asked for.
pub fn proofs(
    graph: &Graph,
    technique: Option<Technique>,
    limit: usize,
) -> (Vec<Tried>, Option<u64>) {
    let asked: Vec<Technique> = TECHNIQUES
        .into_iter()
        .filter(|t| technique.is_none_or(|technique| technique == *t))
        .collect();
    let searched: Vec<_> =
        asked.par_iter().map(|&technique| (technique, exact(graph, technique, limit))).collect();
    let all = lower_bound(graph);
    let mut bounds = Vec::new();
    let mut tried = Vec::new();
    for (technique, exact) in searched {
        // Where equal products are computed once, the search does not see it.
        let own = exact.as_ref().filter(|_| all.is_some()).map(|exact| exact.at_least);
        bounds.push(own.max(all));
        if let Some(elimination) = exact.and_then(|exact| exact.optimal) {
            tried.push(Tried { technique, by: "exact search".into(), elimination });
        }
    }
    (tried, bounds.into_iter().min().flatten())
}

/// The cheapest: fewest multiplications, then additions; the first of those that are equal.
pub fn cheapest(tried: Vec<Tried>) -> Option<Tried> {
    tried.into_iter().min_by_key(Tried::cost)
}

/// A line that says what a graph is.
pub fn summary(graph: &Graph) -> String {
    let count = |role| (0..graph.len() as u32).filter(|&v| graph.role(v) == role).count();
    format!(
        "{} inputs, {} intermediates, {} outputs, {} edges",
        count(Role::Input),
        count(Role::Intermediate),
        count(Role::Output),
        graph.edge_count()
    )
}

/// A table of what was tried: multiplications, additions and entries.
pub fn report(tried: &[Tried]) -> String {
    let mut text = String::from(
        "| technique | by | multiplications | additions | entries |\n|---|---|---:|---:|---:|\n",
    );
    for one in tried {
        let Cost { multiplications, additions, entries } = one.cost();
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "| {} | {} | {multiplications} | {additions} | {entries} |",
            one.technique.name(),
            one.by
        );
    }
    text
}
