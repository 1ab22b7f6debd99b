//! Simulated annealing over elimination sequences.
//!
//! A sequence is a list of steps that names every vertex once and may name edges or faces between
//! them; a step eliminates what is there of what it names. A move shifts a step, inserts one that
//! takes a part of a vertex out of turn, or removes such a one. The state before each step is kept, so a
//! move costs only the steps up to where the graph is again what it was, which a
//! fingerprint tells: the set of eliminated vertices determines the graph, whatever their order
//! was, so for vertices that is the distance of the shift.
//!
//! All is determined by the seed and the number of moves.

use fastrand::Rng;

use crate::search::Replay;
use crate::target::Step;

/// How a search is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The number of moves that are tried.
    pub moves: u64,
    /// Where the random numbers begin.
    pub seed: u64,
}

impl Effort {
    /// The moves that were asked for; else as many of the `usual` ones as take the time that all of
    /// them take for a graph of 256 vertices: a move copies states, and a state grows with the square of
    /// the number of vertices.
    pub fn of(asked: Option<u64>, usual: u64, vertices: usize, seed: u64) -> Effort {
        let rows = vertices.max(256) as u64;
        let moves = asked.unwrap_or((usual * 256 * 256 / (rows * rows)).max(1));
        Effort { moves, seed }
    }
}

/// Temperatures at the beginning and the end, in multiplications.
const HOT: f64 = 1.6;
const COLD: f64 = 0.12;

/// A sequence with the states before its steps.
struct Sequence<R> {
    steps: Vec<Step>,
    costs: Vec<u32>,
    /// One more than steps.
    states: Vec<R>,
}

/// A change of a sequence: the steps from `start` on, `taken` of them, become `new`.
struct Move {
    start: usize,
    taken: usize,
    new: Vec<Step>,
}

impl<R: Replay> Sequence<R> {
    fn new(begin: R, steps: Vec<Step>) -> Self {
        let mut states = vec![begin.clone()];
        let mut costs = Vec::with_capacity(steps.len());
        let mut state = begin;
        for &step in &steps {
            costs.push(state.apply(step));
            states.push(state.clone());
        }
        Sequence { steps, costs, states }
    }

    fn total(&self) -> i64 {
        self.costs.iter().map(|&cost| i64::from(cost)).sum()
    }

    /// A random move; `parts` allows steps below whole vertices.
    fn propose(&self, rng: &mut Rng, parts: bool) -> Option<Move> {
        let n = self.steps.len();
        if n < 2 {
            return None;
        }
        if parts && rng.u32(0..3) == 0 {
            return self.propose_part(rng);
        }
        let from = rng.usize(0..n);
        // Distances of every order of magnitude.
        let far = (n as f64).powf(rng.f64()).ceil() as usize;
        let to = if rng.bool() { from.saturating_sub(far) } else { (from + far).min(n - 1) };
        let (start, end) = (from.min(to), from.max(to));
        if start == end {
            return None;
        }
        let mut new = self.steps[start..=end].to_vec();
        if from < to {
            new.rotate_left(1)
        } else {
            new.rotate_right(1)
        }
        Some(Move { start, taken: new.len(), new })
    }

    fn propose_part(&self, rng: &mut Rng) -> Option<Move> {
        let n = self.steps.len();
        let at = rng.usize(0..n);
        if !matches!(self.steps[at], Step::Vertex(_)) {
            return Some(Move { start: at, taken: 1, new: Vec::new() });
        }
        // A part of a vertex that is eliminated not far behind this place.
        let far = (n as f64).powf(rng.f64()).ceil() as usize;
        let later = rng.usize(at..(at + far).min(n));
        let Step::Vertex(middle) = self.steps[later] else { return None };
        let part = self.states[at].part(middle, rng)?;
        Some(Move { start: at, taken: 0, new: vec![part] })
    }

    /// What a move changes the cost by, and the costs and states that it leads to.
    fn attempt(&self, change: &Move) -> (i64, Attempt<R>) {
        let mut state = self.states[change.start].clone();
        let mut attempt = Attempt { costs: Vec::new(), states: Vec::new(), end: 0 };
        let mut difference = 0;
        let mut old = change.start;
        let mut step_of = |attempt: &mut Attempt<R>, step: Step| {
            let cost = state.apply(step);
            attempt.costs.push(cost);
            attempt.states.push(state.clone());
            i64::from(cost)
        };
        for &step in &change.new {
            difference += step_of(&mut attempt, step);
        }
        for _ in 0..change.taken {
            difference -= i64::from(self.costs[old]);
            old += 1;
        }
        loop {
            let now = attempt.states.last().unwrap_or(&self.states[change.start]);
            if old == self.steps.len() || now.fingerprint() == self.states[old].fingerprint() {
                break;
            }
            difference += step_of(&mut attempt, self.steps[old]) - i64::from(self.costs[old]);
            old += 1;
        }
        attempt.end = old;
        (difference, attempt)
    }

    fn accept(&mut self, change: Move, attempt: Attempt<R>) {
        let Move { start, taken, new } = change;
        self.steps.splice(start..start + taken, new);
        self.costs.splice(start..attempt.end, attempt.costs);
        self.states.splice(start + 1..=attempt.end, attempt.states);
    }
}

/// What came of a move.
struct Attempt<R> {
    costs: Vec<u32>,
    /// The states behind the steps.
    states: Vec<R>,
    /// The first step of the old sequence that is as it was.
    end: usize,
}

/// Searches from a sequence on; returns the best one found and its cost.
pub(crate) fn anneal<R: Replay>(
    begin: R,
    steps: Vec<Step>,
    effort: Effort,
    parts: bool,
) -> (Vec<Step>, i64) {
    let mut rng = Rng::with_seed(effort.seed);
    let mut sequence = Sequence::new(begin, steps);
    let mut total = sequence.total();
    let mut best = (sequence.steps.clone(), total);
    let ratio = COLD / HOT;
    for at in 0..effort.moves {
        let temperature = HOT * ratio.powf(at as f64 / effort.moves as f64);
        let Some(change) = sequence.propose(&mut rng, parts) else { continue };
        let (difference, attempt) = sequence.attempt(&change);
        let worst = -temperature * rng.f64().max(1e-12).ln();
        if difference as f64 <= worst {
            sequence.accept(change, attempt);
            total += difference;
            if total < best.1 {
                best = (sequence.steps.clone(), total);
            }
        }
    }
    best
}
