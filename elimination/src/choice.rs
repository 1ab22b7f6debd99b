//! What a user may choose, and what is tried because of it.
//!
//! Several graphs, those of the runs of a program, are tried together: each member of the portfolio on all of
//! them before the next one is begun. So one number of members says what was tried on each.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rayon::prelude::*;

use crate::accumulation::Cost;
use crate::graph::{Graph, Role};
use crate::greedy::eliminate;
use crate::heuristics::Chain;
use crate::portfolio::{Missed, Proofs, Tried, annealed, by_chain, chains, cheapest, proofs};
use crate::scarcity;
use crate::search::anneal::Effort;
use crate::target::{Step, TECHNIQUES, Technique};
use crate::turns::{Begun, Turn, Turns};

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
    /// For how long members of the portfolio of `best` are begun, on all graphs together.
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
    pub searches: usize,
    /// Graphs with up to so many intermediates are searched exactly with `best`.
    pub small: usize,
}

impl Scale {
    /// For a graph that somebody asks about by name.
    pub const ONE: Scale = Scale { moves: 60_000, searches: 4, small: 36 };
    /// For all runs of a program.
    pub const MANY: Scale = Scale { moves: 20_000, searches: 2, small: 12 };
}

/// Graphs with up to so many intermediates are searched exactly where nobody says how they are eliminated.
const BY_ITSELF: usize = 12;

/// Through so many states a small graph is searched.
const STATES: usize = 2_000;

/// The eliminations that were tried on a graph.
#[derive(Clone, Debug, Default)]
pub struct Eliminations {
    /// All of them, or the cheapest alone.
    pub tried: Vec<Tried>,
    /// How many multiplications each takes, as far as that is proved.
    pub at_least: Option<u64>,
    /// What was asked for and not found.
    pub missed: Vec<Missed>,
}

impl Eliminations {
    /// The cheapest.
    pub fn cheapest(self) -> Option<Tried> {
        cheapest(self.tried)
    }
}

impl Choice {
    /// What is tried on `graphs`, on all of them with the same members; how many members that were. With `all`
    /// everything that was tried is kept, else for each graph the cheapest.
    pub fn eliminations(
        &self,
        graphs: &[&Graph],
        scale: Scale,
        all: bool,
    ) -> (Vec<Eliminations>, Begun) {
        if self.scarce {
            let scarce = |graph: &&Graph| {
                let (technique, by) = (Technique::Edge, "scarcity".into());
                let tried = vec![Tried { technique, by, elimination: scarcity::scarce(graph) }];
                Eliminations { tried, ..Eliminations::default() }
            };
            return (graphs.par_iter().map(scarce).collect(), Begun::default());
        }
        let kept = graphs.iter().map(|_| Mutex::new(Kept::default())).collect();
        let turns = Turns::new(self.budget, self.members);
        let mut trials = Trials { choice: self, graphs, scale, all, turns, kept };
        trials.heuristics();
        if self.best || self.anneal.is_some() {
            trials.annealing();
        }
        trials.proofs();
        (trials.kept.into_iter().map(Kept::finish).collect(), trials.turns.begun())
    }

    /// Through how many states the optimum is looked for; through none, where only the bound is asked for.
    fn states(&self, graph: &Graph, scale: Scale) -> Option<usize> {
        let inner = |v: &u32| graph.role(*v) == Role::Intermediate;
        let inner = (0..graph.len() as u32).filter(inner).count();
        let asked = self.technique.is_some() || self.heuristic.is_some();
        let unasked = match self.best {
            true => Some(if inner <= scale.small { STATES } else { 0 }),
            false => (inner <= BY_ITSELF && !asked).then_some(STATES),
        };
        self.exact.or(unasked)
    }

    /// Whether somebody misses what was not found: what is done by itself may fail silently, and of large graphs
    /// `best` asks for the bound alone.
    fn asks_for(&self, missed: Missed) -> bool {
        match missed {
            Missed::States(..) | Missed::Faces => self.exact.is_some(),
            Missed::Annealing(_) | Missed::Size | Missed::Bound => {
                self.best || self.exact.is_some()
            }
        }
    }

    /// The chain that is used where not all are tried.
    fn chain(&self) -> Option<(Technique, Chain)> {
        let default = || "lm,reverse".parse::<Chain>().ok();
        let chain = self.heuristic.clone().or_else(default)?;
        Some((self.technique.unwrap_or(Technique::Vertex), chain))
    }
}

/// What is kept of what was tried on a graph, by the numbers of the members.
#[derive(Default)]
struct Kept {
    tried: Vec<(Cost, usize, Tried)>,
    at_least: Option<u64>,
    missed: Vec<Missed>,
}

impl Kept {
    /// Keeps what a member has found; if not `all`, only what is cheaper than all others, or as cheap and tried
    /// before: whoever comes first.
    fn add(&mut self, number: usize, tried: Tried, all: bool) {
        let cost = tried.cost();
        let dearer = |(known, member, _): &(Cost, usize, Tried)| (*known, *member) > (cost, number);
        if all || self.tried.iter().all(dearer) {
            if !all {
                self.tried.clear();
            }
            self.tried.push((cost, number, tried));
        }
    }

    /// Says once what was not found.
    fn miss(&mut self, missed: Missed) {
        if !self.missed.contains(&missed) {
            self.missed.push(missed);
        }
    }

    fn finish(kept: Mutex<Kept>) -> Eliminations {
        let kept = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Kept { mut tried, at_least, missed } = kept;
        tried.sort_by_key(|(_, number, _)| *number);
        let tried = tried.into_iter().map(|(_, _, tried)| tried).collect();
        Eliminations { tried, at_least, missed }
    }
}

/// The members of the portfolio, batch by batch: what is in a batch can be done at the same time.
struct Trials<'t> {
    choice: &'t Choice,
    graphs: &'t [&'t Graph],
    scale: Scale,
    all: bool,
    turns: Turns,
    kept: Vec<Mutex<Kept>>,
}

impl Trials<'_> {
    fn heuristics(&mut self) {
        let Trials { choice, graphs, all, turns, kept, .. } = self;
        let (chains, asked) = match choice.best {
            true => (chains(choice.technique), choice.technique),
            // What is named is done, however large the graph is.
            false => (choice.chain().into_iter().collect(), Some(Technique::Vertex)),
        };
        turns.batch((chains.len(), graphs.len()), |Turn { member, number, graph }| {
            let tried = by_chain(graphs.get(graph)?, chains.get(member)?, asked)?;
            change(kept.get(graph)?, |kept| kept.add(number, tried, *all));
            None::<()>
        });
    }

    /// Annealing with several seeds: over vertex orders, from the best of those over sequences with edges, from
    /// the best of those over sequences with faces. What is asked for is kept.
    fn annealing(&mut self) {
        let Ok(begin) = "lm,reverse".parse::<Chain>() else { return };
        let begin = |graph: &&Graph| eliminate(graph, Technique::Vertex, &begin).steps;
        let mut steps: Vec<Vec<Step>> = self.graphs.par_iter().map(begin).collect();
        for technique in TECHNIQUES {
            self.anneal(technique, &mut steps);
            if self.choice.technique == Some(technique) {
                break;
            }
        }
    }

    /// Annealing over the sequences of a technique, for each graph from `steps` on; leaves the best sequences there.
    fn anneal(&mut self, technique: Technique, steps: &mut [Vec<Step>]) {
        let Trials { choice, graphs, scale, all, turns, kept } = self;
        let asked = choice.technique.is_none_or(|asked| asked == technique);
        let found =
            turns.batch((scale.searches, graphs.len()), |Turn { member, graph, .. }| {
                let (begin, graph) = (steps.get(graph)?, graphs.get(graph)?);
                let effort = Effort::of(choice.anneal, scale.moves, graph.len(), choice.seed);
                let seed = effort.seed.wrapping_add(member as u64);
                Some(annealed(graph, technique, begin, Effort { seed, ..effort }))
            });
        let mut best: Vec<Option<Cost>> = vec![None; graphs.len()];
        for (Turn { number, graph, .. }, tried) in found {
            if let Some(tried) = &tried
                && best[graph].is_none_or(|best| tried.cost() < best)
            {
                best[graph] = Some(tried.cost());
                steps[graph] = tried.elimination.steps.clone();
            }
            change(&kept[graph], |kept| match tried {
                Some(tried) if asked => kept.add(number, tried, *all),
                None if asked => kept.miss(Missed::Annealing(technique)),
                Some(_) | None => {}
            });
        }
    }

    /// The exact search and the bound are the last member.
    fn proofs(&mut self) {
        let Trials { choice, graphs, scale, all, turns, kept } = self;
        let states: Vec<Option<usize>> =
            graphs.iter().map(|graph| choice.states(graph, *scale)).collect();
        if states.iter().all(Option::is_none) {
            return;
        }
        let found = turns.batch((1, graphs.len()), |Turn { graph, .. }| {
            Some(proofs(graphs.get(graph)?, choice.technique, (*states.get(graph)?)?))
        });
        for (Turn { number, graph, .. }, Proofs { tried, at_least, missed }) in found {
            change(&kept[graph], |kept| {
                let told = missed.into_iter().filter(|missed| choice.asks_for(*missed));
                told.for_each(|missed| kept.miss(missed));
                kept.at_least = at_least;
                tried.into_iter().for_each(|one| kept.add(number, one, *all));
            });
        }
    }
}

/// Changes what is kept of a graph.
fn change(kept: &Mutex<Kept>, act: impl FnOnce(&mut Kept)) {
    act(&mut kept.lock().unwrap_or_else(PoisonError::into_inner));
}
