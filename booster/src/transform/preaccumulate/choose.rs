//! How the Jacobian of a run is accumulated: the elimination that the options ask for.

use elimination::portfolio::{Tried, cheapest, heuristics, proofs, searches};
use elimination::{Chain, Effort, Graph, Role, Technique, eliminate, scarcity};

/// What a user may choose.
#[derive(Clone, Debug)]
pub struct Choice {
    /// What is eliminated at a time; `None` is whatever is cheapest of what is tried.
    pub technique: Option<Technique>,
    /// Filters on what can be eliminated; `None` as above.
    pub heuristic: Option<Chain>,
    /// Search by annealing, by so many moves.
    pub anneal: Option<u64>,
    /// Where its random numbers begin.
    pub seed: u64,
    /// Look for the optimum, through at most so many states.
    pub exact: Option<usize>,
    /// Try every heuristic with every technique, search, and keep the cheapest.
    pub best: bool,
    /// Stop where fewer values stand for the Jacobian than it has entries.
    pub scarce: bool,
}

impl Default for Choice {
    fn default() -> Self {
        Choice {
            technique: None,
            heuristic: None,
            anneal: None,
            seed: 1,
            exact: None,
            best: false,
            scarce: false,
        }
    }
}

/// The moves of a search with `best`.
const MOVES: u64 = 20_000;

/// How many searches there are, each with a seed of its own.
const SEARCHES: u64 = 2;

/// Graphs with up to so many intermediates are searched exactly, through so many states.
const SMALL: usize = 12;
const STATES: usize = 2_000;

impl Choice {
    /// The elimination on `graph`; `None` if there is none to be tried.
    pub(super) fn eliminate(&self, graph: &Graph) -> Option<Tried> {
        if self.scarce {
            let (technique, by) = (Technique::Edge, "scarcity".into());
            return Some(Tried { technique, by, elimination: scarcity::scarce(graph) });
        }
        cheapest(self.tried(graph))
    }

    /// All that is tried on `graph`.
    pub(super) fn tried(&self, graph: &Graph) -> Vec<Tried> {
        let mut tried = Vec::new();
        if self.best {
            tried = heuristics(graph, self.technique);
        } else {
            let default = || "lm,reverse".parse::<Chain>().ok();
            if let Some(chain) = self.heuristic.clone().or_else(default) {
                let technique = self.technique.unwrap_or(Technique::Vertex);
                let elimination = eliminate(graph, technique, &chain);
                tried.push(Tried { technique, by: chain.to_string(), elimination });
            }
        }
        if self.best || self.anneal.is_some() {
            let effort = Effort::of(self.anneal, MOVES, graph.len(), self.seed);
            tried.extend(searches(graph, self.technique, effort, SEARCHES));
        }
        let asked = self.technique.is_some() || self.heuristic.is_some();
        let inner = |v: &u32| graph.role(*v) == Role::Intermediate;
        let small = (0..graph.len() as u32).filter(inner).count() <= SMALL;
        let limit = self.exact.or_else(|| (small && (self.best || !asked)).then_some(STATES));
        if let Some(limit) = limit {
            tried.extend(proofs(graph, self.technique, limit).0);
        }
        tried
    }
}
