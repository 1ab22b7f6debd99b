//! What a user may choose, and what is tried because of it.

use std::time::Duration;

use crate::graph::{Graph, Role};
use crate::greedy::eliminate;
use crate::heuristics::Chain;
use crate::portfolio::{Tried, cheapest, heuristics, proofs, searches};
use crate::scarcity;
use crate::search::anneal::Effort;
use crate::target::Technique;
use crate::turns::{Begun, Turns};

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
    /// For how long members of the portfolio of `best` are begun.
    pub budget: Option<Duration>,
    /// How many of them are begun at most.
    pub members: Option<usize>,
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
            budget: None,
            members: None,
        }
    }
}

/// How much is done where the user says no number.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// The moves of a search with `best`.
    pub moves: u64,
    /// How many searches there are, each with a seed of its own.
    pub searches: u64,
    /// Graphs with up to so many intermediates are searched exactly with `best`, and where nothing else is
    /// asked for if `by_itself` says so.
    pub small: usize,
    /// Whether that is done without `best`.
    pub by_itself: bool,
}

impl Scale {
    /// For a graph that somebody asks about by name.
    pub const ONE: Scale = Scale { moves: 60_000, searches: 4, small: 36, by_itself: false };
    /// For all runs of a program.
    pub const MANY: Scale = Scale { moves: 20_000, searches: 2, small: 12, by_itself: true };
}

/// Through so many states a small graph is searched.
const STATES: usize = 2_000;

/// The eliminations that were tried on a graph.
#[derive(Clone, Debug)]
pub struct Eliminations {
    /// All of them.
    pub tried: Vec<Tried>,
    /// How many multiplications each takes, as far as that is proved.
    pub at_least: Option<u64>,
    /// How many members of the portfolio were begun.
    pub begun: Begun,
}

impl Eliminations {
    /// The cheapest.
    pub fn cheapest(self) -> Option<Tried> {
        cheapest(self.tried)
    }
}

impl Choice {
    /// All that is tried on `graph`; with `all` every technique and heuristic, whatever is chosen.
    pub fn eliminations(&self, graph: &Graph, scale: Scale, all: bool) -> Eliminations {
        if self.scarce {
            let (technique, by) = (Technique::Edge, "scarcity".into());
            let tried = vec![Tried { technique, by, elimination: scarcity::scarce(graph) }];
            return Eliminations { tried, at_least: None, begun: Begun::default() };
        }
        let mut tried = Vec::new();
        let turns = Turns::new(self.budget, self.members);
        if self.best || all {
            tried = heuristics(graph, self.technique, &turns);
        } else {
            let default = || "lm,reverse".parse::<Chain>().ok();
            if let Some(chain) = self.heuristic.clone().or_else(default) {
                let technique = self.technique.unwrap_or(Technique::Vertex);
                let elimination = eliminate(graph, technique, &chain);
                tried.push(Tried { technique, by: chain.to_string(), elimination });
            }
        }
        if self.best || self.anneal.is_some() {
            let effort = Effort::of(self.anneal, scale.moves, graph.len(), self.seed);
            tried.extend(searches(graph, self.technique, effort, scale.searches, &turns));
        }
        let mut at_least = None;
        // The exact search and the bound are the last member.
        if let Some(limit) = self.states(graph, scale)
            && turns.take().is_some()
        {
            let (proved, bound) = proofs(graph, self.technique, limit);
            tried.extend(proved);
            at_least = bound;
        }
        Eliminations { tried, at_least, begun: turns.begun() }
    }

    /// Through how many states the optimum is looked for; through none, where only the bound is asked for.
    fn states(&self, graph: &Graph, scale: Scale) -> Option<usize> {
        let inner = |v: &u32| graph.role(*v) == Role::Intermediate;
        let small = (0..graph.len() as u32).filter(inner).count() <= scale.small;
        let asked = self.technique.is_some() || self.heuristic.is_some();
        let unasked = match (self.best, small) {
            (true, small) => Some(if small { STATES } else { 0 }),
            (false, small) => (scale.by_itself && small && !asked).then_some(STATES),
        };
        self.exact.or(unasked)
    }
}
