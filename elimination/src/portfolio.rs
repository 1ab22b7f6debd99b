//! The portfolio: many heuristics and searches, of which the cheapest is kept; and the report on them.
//!
//! All is counted in steps, so the result is the same on every machine and for any number of threads. A clock
//! may say how many members are begun (`turns`): these numbers tell the result. What is tried because of what a
//! user chooses is told in `choice`.

use std::fmt::{self, Write as _};

use rayon::prelude::*;

use crate::accumulation::Cost;
use crate::graph::{Graph, Role};
use crate::greedy::{Elimination, eliminate};
use crate::heuristics::Chain;
use crate::search::anneal::Effort;
use crate::search::bound::lower_bound;
use crate::search::dense::{Frame, MOST_VERTICES};
use crate::search::exact::exact;
use crate::search::faces::MOST_EDGES;
use crate::search::{search_edges, search_faces, search_vertices};
use crate::target::{Step, TECHNIQUES, Technique};

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

/// The chains of [`Chain::portfolio`] with every technique that `technique` allows (all, where it says none): the
/// same for every graph.
pub(crate) fn chains(technique: Option<Technique>) -> Vec<(Technique, Chain)> {
    let asked = |t: &Technique| technique.is_none_or(|technique| technique == *t);
    let with = |technique| Chain::portfolio().into_iter().map(move |chain| (technique, chain));
    TECHNIQUES.into_iter().filter(asked).flat_map(with).collect()
}

/// The elimination of a graph by one of [`chains`]; `None` where the graph is too large for a technique that nobody
/// has asked for.
pub(crate) fn by_chain(
    graph: &Graph,
    (technique, chain): &(Technique, Chain),
    asked: Option<Technique>,
) -> Option<Tried> {
    let few = graph.edge_count() <= MANY_EDGES || *technique == Technique::Vertex;
    (asked.is_some() || few).then(|| {
        let elimination = eliminate(graph, *technique, chain);
        Tried { technique: *technique, by: chain.to_string(), elimination }
    })
}

/// Every heuristic of [`Chain::portfolio`] with every technique that `technique` allows (all, where
/// it says none), as far as the graph is not too large for them.
pub fn heuristics(graph: &Graph, technique: Option<Technique>) -> Vec<Tried> {
    chains(technique).par_iter().filter_map(|one| by_chain(graph, one, technique)).collect()
}

/// The same, and what of `tried` is not among it: the rows of a report.
pub fn with_heuristics(
    graph: &Graph,
    technique: Option<Technique>,
    tried: Vec<Tried>,
) -> Vec<Tried> {
    let mut all = heuristics(graph, technique);
    for one in tried {
        if !all.iter().any(|known| (known.technique, &known.by) == (one.technique, &one.by)) {
            all.push(one);
        }
    }
    all
}

/// Annealing over the sequences of a technique, from the sequence `begin` on; `None` for a graph that is too
/// large.
pub(crate) fn annealed(
    graph: &Graph,
    technique: Technique,
    begin: &[Step],
    effort: Effort,
) -> Option<Tried> {
    // A move on a dual graph takes several times as long.
    let moves = effort.moves / if technique == Technique::Face { 8 } else { 1 };
    let effort = Effort { moves, ..effort };
    let elimination = match technique {
        Technique::Vertex => search_vertices(graph, begin, effort)?,
        Technique::Edge => search_edges(graph, begin, effort)?,
        Technique::Face => search_faces(graph, begin, effort)?,
    };
    Some(Tried { technique, by: format!("annealing, seed {}", effort.seed), elimination })
}

/// Why what a user has asked for was not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missed {
    /// The graph is too large for annealing by a technique.
    Annealing(Technique),
    /// The graph is too large for the exact search, and for a bound.
    Size,
    /// The exact search has not ended within so many states.
    States(Technique, usize),
    /// The exact search knows no faces.
    Faces,
    /// There is no bound where partials are not different variables.
    Bound,
}

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = MOST_VERTICES;
        match self {
            Missed::Annealing(Technique::Face) => {
                write!(f, "the graph is too large for annealing by face ({MOST_EDGES} edges)")
            }
            Missed::Annealing(technique) => write!(
                f,
                "the graph is too large for annealing by {} ({most} vertices between inputs and outputs)",
                technique.name()
            ),
            Missed::Size => write!(
                f,
                "the graph is too large for the exact search and a bound ({most} vertices between inputs and outputs)"
            ),
            Missed::States(technique, limit) => write!(
                f,
                "the exact search by {} has not ended within {limit} states",
                technique.name()
            ),
            Missed::Faces => f.write_str("the exact search knows vertices and edges, not faces"),
            Missed::Bound => f.write_str(
                "there is no bound for what others take: not all partial derivatives are different variables",
            ),
        }
    }
}

/// What is known of all eliminations of a graph.
#[derive(Clone, Debug, Default)]
pub struct Proofs {
    /// What the exact search has found.
    pub tried: Vec<Tried>,
    /// The largest number of multiplications that is known to be needed by every technique asked for.
    pub at_least: Option<u64>,
    /// What is not known.
    pub missed: Vec<Missed>,
}

/// The exact search over vertices and edges, as far as it ends within `limit` states, and the bound.
pub fn proofs(graph: &Graph, technique: Option<Technique>, limit: usize) -> Proofs {
    let asked: Vec<Technique> = TECHNIQUES
        .into_iter()
        .filter(|t| technique.is_none_or(|technique| technique == *t))
        .collect();
    if Frame::new(graph).is_none() {
        return Proofs { missed: vec![Missed::Size], ..Proofs::default() };
    }
    let searched: Vec<_> =
        asked.par_iter().map(|&technique| (technique, exact(graph, technique, limit))).collect();
    let all = lower_bound(graph);
    let mut bounds = Vec::new();
    let mut proofs = Proofs::default();
    for (technique, exact) in searched {
        // Where equal products are computed once, the search does not see it.
        let own = exact.as_ref().filter(|_| all.is_some()).map(|exact| exact.at_least);
        bounds.push(own.max(all));
        match exact.map(|exact| exact.optimal) {
            Some(Some(elimination)) => {
                proofs.tried.push(Tried { technique, by: "exact search".into(), elimination });
            }
            Some(None) => proofs.missed.push(Missed::States(technique, limit)),
            None => proofs.missed.push(Missed::Faces),
        }
    }
    // Who asks for all techniques has an exact search of the others.
    proofs.missed.retain(|missed| *missed != Missed::Faces || technique.is_some());
    proofs.at_least = bounds.into_iter().min().flatten();
    if proofs.at_least.is_none() {
        proofs.missed.push(Missed::Bound);
    }
    proofs
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
