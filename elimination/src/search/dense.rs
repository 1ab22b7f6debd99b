//! A graph under vertex and edge elimination as a table of bits, for searches that go through
//! millions of steps: no arithmetic is written, only its multiplications are counted.
//!
//! It takes memory for each pair of vertices, so it is for graphs of up to [`MOST_VERTICES`].

use std::collections::HashMap;

use fastrand::Rng;

use crate::accumulation::{Accumulation, Entry, Value};
use crate::dual::mix;
use crate::graph::{Graph, Role};
use crate::search::Replay;
use crate::state::Paths;
use crate::target::Step;

/// Larger graphs are not searched.
pub(crate) const MOST_VERTICES: usize = 1024;

/// What does not change while a graph is searched.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The numbers in the graph, by the numbers in the table, which are in topological order.
    names: Vec<u32>,
    numbers: HashMap<u32, u32>,
    roles: Vec<Role>,
    words: usize,
}

/// The state of a search.
#[derive(Clone, Debug)]
pub(crate) struct Dense<'f> {
    frame: &'f Frame,
    /// A row of successors for each vertex, then a row of predecessors for each.
    bits: Box<[u64]>,
    /// What edges carry that carry a constant; `None` where all are variables.
    labels: Option<Labels>,
    fingerprint: u64,
}

/// What an edge carries that carries no constant.
const VARIABLE: f64 = f64::NAN;

/// The constants that edges carry, in the order of the edges. A state is copied at each step of a
/// search, so it must be short: few edges carry a constant for long.
#[derive(Clone, Debug, Default)]
struct Labels(Vec<((u32, u32), f64)>);

impl Labels {
    fn get(&self, edge: (u32, u32)) -> f64 {
        match self.0.binary_search_by_key(&edge, |&(edge, _)| edge) {
            Ok(at) => self.0[at].1,
            Err(_) => VARIABLE,
        }
    }

    fn set(&mut self, edge: (u32, u32), label: f64) {
        match (self.0.binary_search_by_key(&edge, |&(edge, _)| edge), label.is_nan()) {
            (Ok(at), false) => self.0[at].1 = label,
            (Ok(at), true) => {
                self.0.remove(at);
            }
            (Err(at), false) => self.0.insert(at, (edge, label)),
            (Err(_), true) => {}
        }
    }
}

impl Frame {
    /// The vertices of `graph` that lie on paths from inputs to outputs; `None` where there are too
    /// many.
    pub(crate) fn new(graph: &Graph) -> Option<Frame> {
        let edges = Accumulation::new().edges(graph);
        let Paths { to, from, .. } = Paths::new(graph, &edges, false);
        let names: Vec<u32> = graph
            .order()
            .iter()
            .copied()
            .filter(|&v| to[v as usize] > 0.0 && from[v as usize] > 0.0)
            .collect();
        if names.len() > MOST_VERTICES {
            return None;
        }
        Some(Frame {
            numbers: names.iter().copied().zip(0..).collect(),
            roles: names.iter().map(|&v| graph.role(v)).collect(),
            words: names.len().div_ceil(64).max(1),
            names,
        })
    }

    /// How many vertices there are.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn number(&self, name: u32) -> Option<u32> {
        self.numbers.get(&name).copied()
    }

    pub(crate) fn role(&self, v: u32) -> Role {
        self.roles[v as usize]
    }

    fn rename(step: Step, map: &dyn Fn(u32) -> Option<u32>) -> Option<Step> {
        Some(match step {
            Step::Vertex(v) => Step::Vertex(map(v)?),
            Step::Front(i, j) => Step::Front(map(i)?, map(j)?),
            Step::Back(j, k) => Step::Back(map(j)?, map(k)?),
            Step::Face(i, j, k) => Step::Face(map(i)?, map(j)?, map(k)?),
            Step::Reroute(i, k, j) => Step::Reroute(map(i)?, map(k)?, map(j)?),
        })
    }

    /// A step in the numbers of the table, and back.
    pub(crate) fn inner(&self, step: Step) -> Option<Step> {
        Frame::rename(step, &|v| self.number(v))
    }

    pub(crate) fn outer(&self, step: Step) -> Option<Step> {
        Frame::rename(step, &|v| self.names.get(v as usize).copied())
    }

    /// The state before elimination.
    pub(crate) fn dense(&self, graph: &Graph) -> Dense<'_> {
        let n = self.len();
        let mut state = Dense {
            frame: self,
            bits: vec![0; 2 * n * self.words].into(),
            labels: (!graph.is_plain()).then(Labels::default),
            fingerprint: 0,
        };
        for Entry { source, target, value } in Accumulation::new().edges(graph) {
            let (Some(i), Some(k)) = (self.number(source), self.number(target)) else { continue };
            state.add(i, k);
            state.set_label(i, k, label(value));
        }
        state
    }
}

fn label(value: Value) -> f64 {
    value.known().unwrap_or(VARIABLE)
}

fn is_unit(label: f64) -> bool {
    label.abs() == 1.0
}

/// The members of a set of bits.
pub(crate) fn members(words: &[u64]) -> impl Iterator<Item = u32> + '_ {
    words.iter().zip(0_u32..).flat_map(|(&word, at)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                64 * at + bit
            })
        })
    })
}

fn size(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

impl Dense<'_> {
    fn row(&self, v: u32) -> usize {
        v as usize * self.frame.words
    }

    fn column(&self, v: u32) -> usize {
        (self.frame.len() + v as usize) * self.frame.words
    }

    /// The successors of a vertex.
    pub(crate) fn succ(&self, v: u32) -> &[u64] {
        &self.bits[self.row(v)..][..self.frame.words]
    }

    /// The predecessors of a vertex.
    pub(crate) fn pred(&self, v: u32) -> &[u64] {
        &self.bits[self.column(v)..][..self.frame.words]
    }

    /// The successors and predecessors of all vertices by edges that carry variables, if others do not.
    pub(crate) fn by_variables(&self) -> Option<Dense<'_>> {
        let labels = self.labels.as_ref().filter(|labels| !labels.0.is_empty())?;
        let mut rest = Dense { labels: None, ..self.clone() };
        for &((i, k), _) in &labels.0 {
            rest.remove(i, k);
        }
        Some(rest)
    }

    fn has(&self, i: u32, k: u32) -> bool {
        self.succ(i)[k as usize / 64] >> (k % 64) & 1 == 1
    }

    fn key(&self, i: u32, k: u32, label: f64) -> u64 {
        let edge = mix(u64::from(i) << 32 | u64::from(k));
        if self.labels.is_none() || label.is_nan() { edge } else { mix(edge ^ label.to_bits()) }
    }

    fn label(&self, i: u32, k: u32) -> f64 {
        match &self.labels {
            Some(labels) => labels.get((i, k)),
            None => VARIABLE,
        }
    }

    fn set_label(&mut self, i: u32, k: u32, label: f64) {
        let old = self.label(i, k);
        if let Some(labels) = &mut self.labels {
            labels.set((i, k), label);
            self.fingerprint ^= self.key(i, k, old) ^ self.key(i, k, label);
        }
    }

    fn add(&mut self, i: u32, k: u32) {
        let (row, column) = (self.row(i), self.column(k));
        self.bits[row + k as usize / 64] |= 1 << (k % 64);
        self.bits[column + i as usize / 64] |= 1 << (i % 64);
        self.fingerprint ^= self.key(i, k, self.label(i, k));
    }

    fn remove(&mut self, i: u32, k: u32) {
        let (row, column) = (self.row(i), self.column(k));
        self.bits[row + k as usize / 64] &= !(1 << (k % 64));
        self.bits[column + i as usize / 64] &= !(1 << (i % 64));
        self.fingerprint ^= self.key(i, k, self.label(i, k));
        if let Some(labels) = &mut self.labels {
            labels.set((i, k), VARIABLE);
        }
    }

    /// Adds the product of two edges; whether that is a multiplication.
    fn multiply(&mut self, i: u32, j: u32, k: u32) -> bool {
        if self.labels.is_none() {
            if !self.has(i, k) {
                self.add(i, k);
            }
            return true;
        }
        let (a, b) = (self.label(i, j), self.label(j, k));
        let product = if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        if self.has(i, k) {
            let sum = self.label(i, k) + product;
            self.set_label(i, k, sum);
        } else {
            self.add(i, k);
            self.set_label(i, k, product);
        }
        // An edge that carries 0 is none.
        if self.label(i, k) == 0.0 {
            self.remove(i, k);
        }
        !is_unit(a) && !is_unit(b) && (a.is_nan() || b.is_nan())
    }

    fn products(&mut self, sources: &[u64], j: u32, sinks: &[u64]) -> u32 {
        let mut cost = 0;
        for i in members(sources) {
            for k in members(sinks) {
                cost += u32::from(self.multiply(i, j, k));
            }
        }
        cost
    }

    fn is_output(&self, v: u32) -> bool {
        self.frame.role(v) == Role::Output
    }

    fn vertex(&mut self, j: u32) -> u32 {
        if self.frame.role(j) == Role::Input {
            return 0;
        }
        let sources: Row = self.pred(j).into();
        let sinks: Row = self.succ(j).into();
        let cost = self.products(&sources, j, &sinks);
        for k in members(&sinks) {
            self.remove(j, k);
        }
        if !self.is_output(j) {
            for i in members(&sources) {
                self.remove(i, j);
            }
        }
        cost
    }

    fn front(&mut self, i: u32, j: u32) -> u32 {
        if !self.has(i, j) || self.is_output(j) {
            return 0;
        }
        let sinks: Row = self.succ(j).into();
        let mut sources: Row = smallvec::smallvec![0; sinks.len()];
        sources[i as usize / 64] |= 1 << (i % 64);
        let cost = self.products(&sources, j, &sinks);
        self.remove(i, j);
        if size(self.pred(j)) == 0 {
            members(&sinks).for_each(|k| self.remove(j, k));
        }
        cost
    }

    fn back(&mut self, j: u32, k: u32) -> u32 {
        if !self.has(j, k) || self.frame.role(j) == Role::Input {
            return 0;
        }
        let sources: Row = self.pred(j).into();
        let mut sinks: Row = smallvec::smallvec![0; sources.len()];
        sinks[k as usize / 64] |= 1 << (k % 64);
        let cost = self.products(&sources, j, &sinks);
        self.remove(j, k);
        if size(self.succ(j)) == 0 && !self.is_output(j) {
            members(&sources).for_each(|i| self.remove(i, j));
        }
        cost
    }
}

type Row = smallvec::SmallVec<[u64; 4]>;

impl Replay for Dense<'_> {
    fn apply(&mut self, step: Step) -> u32 {
        match step {
            Step::Vertex(j) => self.vertex(j),
            Step::Front(i, j) => self.front(i, j),
            Step::Back(j, k) => self.back(j, k),
            Step::Face(..) | Step::Reroute(..) => 0,
        }
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn part(&self, middle: u32, rng: &mut Rng) -> Option<Step> {
        let (pred, succ) = (self.pred(middle), self.succ(middle));
        let (p, s) = (size(pred), size(succ));
        if p + s < 3 || p == 0 || s == 0 || self.frame.role(middle) == Role::Input {
            return None;
        }
        let pick = |words: &[u64], at: u32| members(words).nth(at as usize);
        if !self.is_output(middle) && rng.bool() {
            pick(pred, rng.u32(0..p)).map(|i| Step::Front(i, middle))
        } else {
            pick(succ, rng.u32(0..s)).map(|k| Step::Back(middle, k))
        }
    }
}
