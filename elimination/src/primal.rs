//! The linearised computational graph under vertex and edge elimination.
//!
//! Eliminating an edge at its front or back, and a vertex, are those of paper 2, section 3.1, with
//! one addition for outputs that others are computed from: eliminating such a vertex takes the
//! edges from it and leaves those to it, which are entries.
//!
//! Vertices and edges from which no output, or to which no input leads are removed at once; they
//! cost nothing. A product that is added to an edge and makes it 0 removes the edge.

use crate::accumulation::{Accumulation, Entry, Value};
use crate::graph::{Graph, Role};
use crate::state::{Changes, Paths};
use crate::target::Technique;

mod measure;

/// A graph under vertex and edge elimination.
#[derive(Clone, Debug)]
pub struct Primal<'g> {
    graph: &'g Graph,
    technique: Technique,
    /// Sorted by vertex.
    succ: Vec<Vec<Arc>>,
    /// Sorted.
    pred: Vec<Vec<u32>>,
    paths: Paths,
    accumulation: Accumulation,
}

/// An edge, as its source sees it.
#[derive(Clone, Copy, Debug)]
struct Arc {
    target: u32,
    value: Value,
    /// How many paths of the original graph it stands for.
    paths: f64,
}

/// What a value is to those who count multiplications.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Unit,
    Known,
    Variable,
}

impl Sort {
    fn of(value: Value) -> Sort {
        match value.known() {
            Some(_) if value.is_unit() => Sort::Unit,
            Some(_) => Sort::Known,
            None => Sort::Variable,
        }
    }
}

impl<'g> Primal<'g> {
    /// The graph before elimination, with the targets of `technique` (of face elimination it has
    /// none).
    pub fn new(graph: &'g Graph, technique: Technique) -> Self {
        let mut accumulation = Accumulation::new();
        let edges = accumulation.edges(graph);
        let mut state = Primal {
            graph,
            technique,
            succ: vec![Vec::new(); graph.len()],
            pred: vec![Vec::new(); graph.len()],
            paths: Paths::new(graph, &edges, true),
            accumulation,
        };
        let Paths { to, from, .. } = &state.paths;
        // What no path from an input to an output uses is not part of the problem.
        let edges: Vec<Entry> = edges
            .into_iter()
            .filter(|e| to[e.source as usize] > 0.0 && from[e.target as usize] > 0.0)
            .collect();
        for edge in edges {
            let arc = Arc { target: edge.target, value: edge.value, paths: 1.0 };
            state.succ[edge.source as usize].push(arc);
            state.pred[edge.target as usize].push(edge.source);
        }
        state
    }

    /// How many operations there are so far.
    pub(crate) fn operations(&self) -> usize {
        self.accumulation.nodes().len()
    }

    /// The predecessors of a vertex, in ascending order.
    pub fn predecessors(&self, vertex: u32) -> &[u32] {
        &self.pred[vertex as usize]
    }

    /// The successors of a vertex with the values of the edges, in ascending order.
    pub fn successors(&self, vertex: u32) -> impl ExactSizeIterator<Item = (u32, Value)> + '_ {
        self.succ[vertex as usize].iter().map(|arc| (arc.target, arc.value))
    }

    /// The value of an edge.
    pub fn edge(&self, source: u32, target: u32) -> Option<Value> {
        self.arc(source, target).map(|arc| arc.value)
    }

    fn arc(&self, source: u32, target: u32) -> Option<&Arc> {
        let arcs = &self.succ[source as usize];
        arcs.binary_search_by_key(&target, |arc| arc.target).ok().map(|at| &arcs[at])
    }

    fn has_edge(&self, source: u32, target: u32) -> bool {
        self.arc(source, target).is_some()
    }

    fn keeps_entries(&self, vertex: u32) -> bool {
        self.graph.role(vertex) == Role::Output
    }

    fn is_input(&self, vertex: u32) -> bool {
        self.graph.role(vertex) == Role::Input
    }

    /// Adds `value` to the edge.
    pub(crate) fn add(&mut self, source: u32, arc: (u32, Value, f64), changes: &mut Changes) {
        let (target, value, paths) = arc;
        let arcs = &mut self.succ[source as usize];
        match arcs.binary_search_by_key(&target, |arc| arc.target) {
            Ok(at) => {
                let old = arcs[at].value;
                let sum = self.accumulation.sum(old, value, (source, target));
                arcs[at].value = sum;
                arcs[at].paths += paths;
                changes.values.push((source, target));
                if Sort::of(old) != Sort::of(sum) {
                    changes.kinds.push((source, target));
                }
                if sum == Value::ZERO {
                    self.remove(source, target, changes);
                }
            }
            Err(at) => {
                if value != Value::ZERO {
                    arcs.insert(at, Arc { target, value, paths });
                    insert(&mut self.pred[target as usize], source);
                    changes.edges.push((source, target));
                }
            }
        }
    }

    pub(crate) fn remove(&mut self, source: u32, target: u32, changes: &mut Changes) {
        let arcs = &mut self.succ[source as usize];
        if let Ok(at) = arcs.binary_search_by_key(&target, |arc| arc.target) {
            arcs.remove(at);
            delete(&mut self.pred[target as usize], source);
            changes.edges.push((source, target));
        }
    }

    /// Removes what no input reaches or what reaches no output any more, beginning at `vertices`.
    pub(crate) fn clean(&mut self, mut vertices: Vec<u32>, changes: &mut Changes) {
        while let Some(v) = vertices.pop() {
            if self.is_input(v) {
                continue;
            }
            if self.pred[v as usize].is_empty() {
                let targets: Vec<u32> = self.successors(v).map(|(target, _)| target).collect();
                for target in targets {
                    self.remove(v, target, changes);
                    vertices.push(target);
                }
            } else if self.succ[v as usize].is_empty() && !self.keeps_entries(v) {
                for source in self.pred[v as usize].clone() {
                    self.remove(source, v, changes);
                    vertices.push(source);
                }
            }
        }
    }

    fn multiply(&mut self, i: u32, first: Arc, second: Arc, changes: &mut Changes) {
        let edge = (i, second.target);
        let value = self.accumulation.product(first.value, second.value, edge);
        let paths = (first.paths * second.paths).min(1e100);
        self.add(i, (second.target, value, paths), changes);
    }

    fn front(&mut self, i: u32, j: u32, changes: &mut Changes) {
        let Some(&first) = self.arc(i, j) else { return };
        for second in self.succ[j as usize].clone() {
            self.multiply(i, first, second, changes);
        }
        self.remove(i, j, changes);
        let ends = self.succ[j as usize].iter().map(|arc| arc.target).chain([i, j]).collect();
        self.clean(ends, changes);
    }

    fn back(&mut self, j: u32, k: u32, changes: &mut Changes) {
        let Some(&second) = self.arc(j, k) else { return };
        for i in self.pred[j as usize].clone() {
            if let Some(&first) = self.arc(i, j) {
                self.multiply(i, first, second, changes);
            }
        }
        self.remove(j, k, changes);
        let ends = self.pred[j as usize].iter().copied().chain([j, k]).collect();
        self.clean(ends, changes);
    }

    fn vertex(&mut self, j: u32, changes: &mut Changes) {
        let (sources, arcs) = (self.pred[j as usize].clone(), self.succ[j as usize].clone());
        for &i in &sources {
            let Some(&first) = self.arc(i, j) else { continue };
            for &second in &arcs {
                self.multiply(i, first, second, changes);
            }
        }
        for second in &arcs {
            self.remove(j, second.target, changes);
        }
        if !self.keeps_entries(j) {
            for &i in &sources {
                self.remove(i, j, changes);
            }
        }
        let ends = sources.into_iter().chain(arcs.iter().map(|arc| arc.target)).collect();
        self.clean(ends, changes);
    }

    pub(crate) fn product(&mut self, a: Value, b: Value, edge: (u32, u32)) -> Value {
        self.accumulation.product(a, b, edge)
    }
}

fn insert(sorted: &mut Vec<u32>, item: u32) {
    if let Err(at) = sorted.binary_search(&item) {
        sorted.insert(at, item);
    }
}

fn delete(sorted: &mut Vec<u32>, item: u32) {
    if let Ok(at) = sorted.binary_search(&item) {
        sorted.remove(at);
    }
}
