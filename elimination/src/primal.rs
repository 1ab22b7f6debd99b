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
use crate::state::{Changes, Measure, Paths, State};
use crate::target::{Step, Target, Technique};

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
                let sum = self.accumulation.sum(arcs[at].value, value, (source, target));
                arcs[at].value = sum;
                arcs[at].paths += paths;
                if sum == Value::ZERO {
                    self.remove(source, target, changes);
                }
            }
            Err(at) => {
                if value != Value::ZERO {
                    arcs.insert(at, Arc { target, value, paths });
                    insert(&mut self.pred[target as usize], source);
                    note(changes, source, target);
                }
            }
        }
    }

    pub(crate) fn remove(&mut self, source: u32, target: u32, changes: &mut Changes) {
        let arcs = &mut self.succ[source as usize];
        if let Ok(at) = arcs.binary_search_by_key(&target, |arc| arc.target) {
            arcs.remove(at);
            delete(&mut self.pred[target as usize], source);
            note(changes, source, target);
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

    /// P, the middle vertex and S of a target.
    fn shape(&self, target: Target) -> (Sources<'_>, u32, Sinks<'_>) {
        match target {
            Target::Vertex(j) => {
                (Side::All(&self.pred[j as usize]), j, Side::All(&self.succ[j as usize]))
            }
            Target::Front(i, j) => (Side::One(i), j, Side::All(&self.succ[j as usize])),
            Target::Back(j, k) => (Side::All(&self.pred[j as usize]), j, Side::One(k)),
            // No target of this state.
            Target::Face(i, j) => (Side::One(i), i, Side::One(j)),
        }
    }

    fn fill_in(&self, target: Target) -> (usize, usize) {
        let (sources, _, sinks) = self.shape(target);
        let (mut new, mut old) = (0, 0);
        for i in sources.vertices() {
            for k in sinks.vertices() {
                if self.has_edge(i, k) { old += 1 } else { new += 1 }
            }
        }
        (new, old)
    }

    pub(crate) fn product(&mut self, a: Value, b: Value, edge: (u32, u32)) -> Value {
        self.accumulation.product(a, b, edge)
    }

    /// How many edges more carry a variable after the elimination of `target`.
    fn growth(&self, target: Target) -> f64 {
        let (sources, j, sinks) = self.shape(target);
        let variable = |i: u32, k: u32| self.edge(i, k).is_some_and(|v| v.known().is_none());
        let (mut more, mut fewer) = (0, 0);
        for i in sources.vertices() {
            for k in sinks.vertices() {
                let product = variable(i, j) || variable(j, k);
                more += usize::from(product && !variable(i, k));
            }
        }
        let to = || self.pred[j as usize].iter().filter(|&&i| variable(i, j)).count();
        let from = || self.successors(j).filter(|&(k, _)| variable(j, k)).count();
        match target {
            Target::Vertex(_) => {
                fewer += from();
                fewer += if self.keeps_entries(j) { 0 } else { to() };
            }
            Target::Front(i, _) => {
                fewer += usize::from(variable(i, j));
                fewer += if self.pred[j as usize].len() == 1 { from() } else { 0 };
            }
            Target::Back(_, k) => {
                fewer += usize::from(variable(j, k));
                let last = self.succ[j as usize].len() == 1 && !self.keeps_entries(j);
                fewer += if last { to() } else { 0 };
            }
            Target::Face(..) => {}
        }
        more as f64 - fewer as f64
    }

    fn multiplications(&self, target: Target) -> usize {
        let (sources, j, sinks) = self.shape(target);
        let (mut first, mut second) = ((0, 0), (0, 0));
        let count = |side: &mut (usize, usize), value: Option<Value>| {
            if let Some(value) = value.filter(|value| !value.is_unit()) {
                side.0 += 1;
                side.1 += usize::from(value.known().is_some());
            }
        };
        sources.vertices().for_each(|i| count(&mut first, self.edge(i, j)));
        sinks.vertices().for_each(|k| count(&mut second, self.edge(j, k)));
        first.0 * second.0 - first.1 * second.1
    }

    /// Edges at `v` that count for its Markowitz degree, after the elimination of `target`.
    fn degrees_after(&self, v: u32, target: Target) -> (usize, usize) {
        let (sources, j, sinks) = self.shape(target);
        let (mut to, mut from) = (self.pred[v as usize].len(), self.succ[v as usize].len());
        let is_source = sources.vertices().any(|i| i == v);
        let is_sink = sinks.vertices().any(|k| k == v);
        if is_source {
            from += sinks.vertices().filter(|&k| !self.has_edge(v, k)).count();
            let taken = match target {
                Target::Vertex(j) => !self.keeps_entries(j),
                Target::Front(..) => true,
                // The last edge from a vertex takes the edges to it along.
                Target::Back(j, _) => self.succ[j as usize].len() == 1 && !self.keeps_entries(j),
                Target::Face(..) => false,
            };
            from -= usize::from(taken);
        }
        if is_sink {
            to += sources.vertices().filter(|&i| !self.has_edge(i, v)).count();
            let taken = match target {
                Target::Vertex(_) | Target::Back(..) => true,
                Target::Front(_, j) => self.pred[j as usize].len() == 1,
                Target::Face(..) => false,
            };
            to -= usize::from(taken);
        }
        if v == j {
            match target {
                Target::Vertex(_) => return (0, 0),
                Target::Front(..) => to -= 1,
                Target::Back(..) => from -= 1,
                Target::Face(..) => {}
            }
        }
        (to, from)
    }

    fn markowitz_reduction(&self, target: Target) -> f64 {
        let (sources, j, sinks) = self.shape(target);
        let mut touched: Vec<u32> = sources.vertices().chain(sinks.vertices()).collect();
        // Edges at the other side of the middle vertex go with its last edge; they make no degree
        // larger, and their other ends are among the ends of the target.
        touched.push(j);
        touched
            .into_iter()
            .filter(|&v| !self.is_input(v))
            .map(|v| {
                let before = self.pred[v as usize].len() * self.succ[v as usize].len();
                let (to, from) = self.degrees_after(v, target);
                before as f64 - (to * from) as f64
            })
            .sum()
    }

    fn path_reduction(&self, target: Target) -> f64 {
        let (sources, j, sinks) = self.shape(target);
        let Paths { to, from, .. } = &self.paths;
        let weight = |i: u32, k: u32| self.arc(i, k).map_or(0.0, |arc| arc.paths);
        let before: f64 = sources.vertices().map(|i| to[i as usize] * weight(i, j)).sum();
        let after: f64 = sinks.vertices().map(|k| weight(j, k) * from[k as usize]).sum();
        before * after
    }
}

/// One or all of the vertices at a side of the middle vertex.
enum Side<'s, T> {
    One(u32),
    All(&'s [T]),
}

type Sources<'s> = Side<'s, u32>;
type Sinks<'s> = Side<'s, Arc>;

/// Whatever names a vertex.
trait Names {
    fn vertex(&self) -> u32;
}

impl Names for u32 {
    fn vertex(&self) -> u32 {
        *self
    }
}

impl Names for Arc {
    fn vertex(&self) -> u32 {
        self.target
    }
}

impl<T: Names> Side<'_, T> {
    fn vertices(&self) -> impl Iterator<Item = u32> + '_ {
        let (one, all) = match self {
            Side::One(v) => (Some(*v), &[][..]),
            Side::All(vertices) => (None, *vertices),
        };
        one.into_iter().chain(all.iter().map(Names::vertex))
    }

    fn count(&self) -> usize {
        match self {
            Side::One(_) => 1,
            Side::All(vertices) => vertices.len(),
        }
    }
}

impl State for Primal<'_> {
    fn targets_at(&self, middle: u32, targets: &mut Vec<Target>) {
        let (pred, succ) = (&self.pred[middle as usize], &self.succ[middle as usize]);
        if self.is_input(middle) || pred.is_empty() || succ.is_empty() {
            return;
        }
        match self.technique {
            Technique::Vertex => targets.push(Target::Vertex(middle)),
            Technique::Edge => {
                if !self.keeps_entries(middle) {
                    targets.extend(pred.iter().map(|&i| Target::Front(i, middle)));
                }
                targets.extend(succ.iter().map(|arc| Target::Back(middle, arc.target)));
            }
            Technique::Face => {}
        }
    }

    fn measure(&self, target: Target, measure: Measure) -> f64 {
        let (sources, j, sinks) = self.shape(target);
        let position = |v: u32| f64::from(self.graph.position(v));
        match measure {
            Measure::Position => match target {
                Target::Vertex(j) => position(j),
                Target::Front(i, j) | Target::Back(i, j) | Target::Face(i, j) => {
                    let edge = position(i) * self.graph.len() as f64 + position(j);
                    2.0 * edge + f64::from(u8::from(matches!(target, Target::Back(..))))
                }
            },
            Measure::Markowitz => (sources.count() * sinks.count()) as f64,
            Measure::RelativeMarkowitz => {
                let inputs = f64::from(self.paths.inputs[j as usize]);
                let outputs = f64::from(self.paths.outputs[j as usize]);
                let unavoidable = match target {
                    Target::Vertex(_) => inputs * outputs,
                    Target::Front(..) => outputs,
                    Target::Back(..) => inputs,
                    Target::Face(..) => 0.0,
                };
                (sources.count() * sinks.count()) as f64 - unavoidable
            }
            Measure::Multiplications => self.multiplications(target) as f64,
            Measure::FillIn => self.fill_in(target).0 as f64,
            Measure::Growth => self.growth(target),
            Measure::Absorption => self.fill_in(target).1 as f64,
            Measure::Distance => {
                let first = sources.vertices().map(position).fold(f64::INFINITY, f64::min);
                let last = sinks.vertices().map(position).fold(0.0, f64::max);
                last - first
            }
            Measure::MarkowitzReduction => self.markowitz_reduction(target),
            Measure::PathReduction => self.path_reduction(target),
        }
    }

    fn eliminate(&mut self, target: Target, changes: &mut Changes) {
        match target {
            Target::Vertex(j) => self.vertex(j, changes),
            Target::Front(i, j) => self.front(i, j, changes),
            Target::Back(j, k) => self.back(j, k, changes),
            Target::Face(..) => {}
        }
    }

    fn ends(&self, target: Target) -> (Vec<u32>, Vec<u32>) {
        let (sources, _, sinks) = self.shape(target);
        (sources.vertices().collect(), sinks.vertices().collect())
    }

    fn step(&self, target: Target) -> Step {
        match target {
            Target::Vertex(j) => Step::Vertex(j),
            Target::Front(i, j) => Step::Front(i, j),
            Target::Back(j, k) => Step::Back(j, k),
            Target::Face(i, j) => Step::Face(i, j, j),
        }
    }

    fn middles_between(&self, sources: &[u32], sinks: &[u32]) -> Vec<u32> {
        let mut after: Vec<u32> =
            sources.iter().flat_map(|&i| self.successors(i)).map(|(j, _)| j).collect();
        after.sort_unstable();
        after.dedup();
        after.retain(|&j| sinks.iter().any(|&k| self.has_edge(j, k)));
        after
    }

    fn affected(&self, changes: &Changes, wide: bool) -> Vec<u32> {
        let mut middles = changes.vertices.clone();
        if wide {
            for &v in &changes.vertices {
                // The degrees of inputs count for nobody.
                if !self.is_input(v) {
                    middles.extend(&self.pred[v as usize]);
                    middles.extend(self.successors(v).map(|(k, _)| k));
                }
            }
            for &(a, b) in &changes.edges {
                let (after, before) = (&self.succ[a as usize], &self.pred[b as usize]);
                if after.len() <= before.len() {
                    let between = after.iter().map(|arc| arc.target);
                    middles.extend(between.filter(|j| before.binary_search(j).is_ok()));
                } else {
                    middles.extend(before.iter().filter(|&&j| self.has_edge(a, j)));
                }
            }
        }
        middles.sort_unstable();
        middles.dedup();
        middles
    }

    fn remaining(&self) -> Vec<Entry> {
        let edges = self.succ.iter().zip(0..).flat_map(|(arcs, source)| {
            arcs.iter().map(move |arc| Entry { source, target: arc.target, value: arc.value })
        });
        edges.collect()
    }

    fn accumulation(mut self) -> Accumulation {
        let entries = self.remaining();
        self.accumulation.finish(entries);
        self.accumulation
    }
}

fn note(changes: &mut Changes, source: u32, target: u32) {
    changes.vertices.extend([source, target]);
    changes.edges.push((source, target));
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
