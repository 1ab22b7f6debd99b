//! The dual graph under face elimination (Naumann, Math. Programming 99, 2004; reference 9 of paper 2).
//!
//! An element of the dual graph is an edge of the linearised computational graph, or what became of
//! several. A face is a pair of elements of which one ends where the other begins and that a path
//! uses in sequence. Eliminating the face (e, f) is one product. It is *absorbed* by an element with the
//! predecessors of e and the successors of f, if there is one; else it is a new element,
//! *fill-in*. An element without predecessors or successors is removed, and elements with the same
//! neighbours are merged, which takes an addition. Beyond vertex and edge elimination this can keep
//! several edges between the same two vertices, for paths that go on differently.
//!
//! Every input has an element that leads to it, every output one that it leads to. These two kinds
//! are never part of an eliminated face: what lies between one of each is an entry.

use std::collections::HashMap;

use smallvec::SmallVec;

use crate::accumulation::{Accumulation, Entry, Value};
use crate::graph::{Graph, Role};
use crate::state::{Changes, Measure, Paths, State};
use crate::target::{Step, Target};

/// The dual graph under face elimination.
#[derive(Clone, Debug)]
pub struct Dual<'g> {
    graph: &'g Graph,
    elements: Vec<Element>,
    /// The elements that end at a vertex, and those that begin there; sorted.
    ending: Vec<Vec<u32>>,
    beginning: Vec<Vec<u32>>,
    /// How many faces there are at a vertex.
    faces: Vec<usize>,
    /// By hashes of predecessors and successors, the elements that have them.
    alike: HashMap<(u64, u64), SmallVec<[u32; 2]>>,
    paths: Paths,
    accumulation: Accumulation,
}

#[derive(Clone, Debug)]
struct Element {
    source: u32,
    target: u32,
    value: Value,
    /// How many paths of the original graph it stands for.
    paths: f64,
    /// Sorted.
    pred: Vec<u32>,
    succ: Vec<u32>,
    /// Hashes of both, as sums over their members.
    hash: (u64, u64),
    /// Whether it leads to an input or from an output.
    border: bool,
}

/// A number that looks random (splitmix64).
pub(crate) fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl<'g> Dual<'g> {
    /// The dual graph before elimination.
    pub fn new(graph: &'g Graph) -> Self {
        let mut accumulation = Accumulation::new();
        let edges = accumulation.edges(graph);
        let n = graph.len();
        let mut state = Dual {
            graph,
            elements: Vec::with_capacity(edges.len() + n),
            ending: vec![Vec::new(); n],
            beginning: vec![Vec::new(); n],
            faces: vec![0; n],
            alike: HashMap::new(),
            paths: Paths::new(graph, &edges, true),
            accumulation,
        };
        for v in 0..n as u32 {
            match graph.role(v) {
                Role::Input | Role::Output => {
                    state.element(v, v, (Value::constant(1.0), 1.0), true);
                }
                Role::Intermediate => {}
            }
        }
        let inner = state.elements.len();
        for edge in &edges {
            let Paths { to, from, .. } = &state.paths;
            if to[edge.source as usize] > 0.0 && from[edge.target as usize] > 0.0 {
                state.element(edge.source, edge.target, (edge.value, 1.0), false);
            }
        }
        let mut none = Changes::default();
        for e in 0..state.elements.len() {
            let Element { source, border, .. } = state.elements[e];
            if !border {
                for before in state.ending[source as usize].clone() {
                    state.join(before, e as u32);
                }
            }
            if border && graph.role(source) == Role::Output {
                for before in state.ending[source as usize].clone() {
                    if before as usize >= inner {
                        state.join(before, e as u32);
                    }
                }
            }
        }
        for e in inner as u32..state.elements.len() as u32 {
            state.enter(e);
        }
        let all: Vec<u32> = (inner as u32..state.elements.len() as u32).collect();
        state.settle(all, &mut none);
        state
    }

    /// A new element without neighbours. An element of the border ends at its input, or begins
    /// at its output.
    fn element(&mut self, source: u32, target: u32, label: (Value, f64), border: bool) -> u32 {
        let id = self.elements.len() as u32;
        let (value, paths) = label;
        self.elements.push(Element {
            source,
            target,
            value,
            paths,
            pred: Vec::new(),
            succ: Vec::new(),
            hash: (0, 0),
            border,
        });
        if !border || self.graph.role(target) == Role::Input {
            self.ending[target as usize].push(id);
        }
        if !border || self.graph.role(source) == Role::Output {
            self.beginning[source as usize].push(id);
        }
        id
    }

    /// Makes (e, f) a face.
    fn join(&mut self, e: u32, f: u32) {
        self.elements[e as usize].succ.push(f);
        self.elements[f as usize].pred.push(e);
        self.elements[e as usize].succ.sort_unstable();
        self.elements[f as usize].pred.sort_unstable();
        self.rehash(e, f, u64::wrapping_add);
    }

    fn part(&mut self, e: u32, f: u32) {
        self.elements[e as usize].succ.retain(|&s| s != f);
        self.elements[f as usize].pred.retain(|&p| p != e);
        self.rehash(e, f, u64::wrapping_sub);
    }

    fn rehash(&mut self, e: u32, f: u32, change: fn(u64, u64) -> u64) {
        let hash = &mut self.elements[e as usize].hash.1;
        *hash = change(*hash, mix(u64::from(f)));
        let hash = &mut self.elements[f as usize].hash.0;
        *hash = change(*hash, mix(u64::from(e)));
        let (first, second) = (&self.elements[e as usize], &self.elements[f as usize]);
        if !first.border && !second.border {
            let faces = &mut self.faces[first.target as usize];
            *faces = change(*faces as u64, 1) as usize;
        }
    }

    /// Puts an element into the table of those that are alike, takes it out of it.
    fn enter(&mut self, e: u32) {
        let element = &self.elements[e as usize];
        if !element.border {
            self.alike.entry(element.hash).or_default().push(e);
        }
    }

    fn leave(&mut self, e: u32) {
        let hash = self.elements[e as usize].hash;
        if let Some(members) = self.alike.get_mut(&hash) {
            members.retain(|member| *member != e);
            if members.is_empty() {
                self.alike.remove(&hash);
            }
        }
    }

    /// An element other than `but` with these neighbours.
    fn alike(&self, pred_of: u32, succ_of: u32, but: Option<u32>) -> Option<u32> {
        let (e, f) = (&self.elements[pred_of as usize], &self.elements[succ_of as usize]);
        let members = self.alike.get(&(e.hash.0, f.hash.1))?;
        members.iter().copied().find(|&member| {
            let element = &self.elements[member as usize];
            Some(member) != but && element.pred == e.pred && element.succ == f.succ
        })
    }

    /// Removes the elements that no path uses, and merges those that are alike, as long as `changed`
    /// or what changes by that holds some.
    fn settle(&mut self, mut changed: Vec<u32>, changes: &mut Changes) {
        while let Some(e) = changed.pop() {
            let element = &self.elements[e as usize];
            if element.border || !self.is_there(e) {
                continue;
            }
            if element.pred.is_empty() || element.succ.is_empty() {
                changed.extend(self.dissolve(e, changes));
            } else if let Some(other) = self.alike(e, e, Some(e)) {
                let (keep, go) = (e.min(other), e.max(other));
                changed.extend(self.dissolve(go, changes));
                let Element { value, paths, .. } = self.elements[go as usize];
                self.add(keep, value, paths);
                if self.elements[keep as usize].value == Value::ZERO {
                    changed.extend(self.dissolve(keep, changes));
                }
                self.note(keep, changes);
            }
        }
    }

    /// Notes that the neighbours or the value of an element are others now.
    fn note(&self, e: u32, changes: &mut Changes) {
        let Element { source, target, .. } = self.elements[e as usize];
        changes.vertices.extend([source, target]);
        changes.edges.push((source, target));
    }

    fn is_there(&self, e: u32) -> bool {
        self.ending[self.elements[e as usize].target as usize].binary_search(&e).is_ok()
    }

    fn add(&mut self, e: u32, value: Value, paths: f64) {
        let element = &mut self.elements[e as usize];
        let edge = (element.source, element.target);
        element.value = self.accumulation.sum(element.value, value, edge);
        element.paths += paths;
    }

    /// Removes an element and its faces; returns its neighbours.
    fn dissolve(&mut self, e: u32, changes: &mut Changes) -> Vec<u32> {
        self.leave(e);
        let Element { source, target, .. } = self.elements[e as usize];
        let (pred, succ) =
            (self.elements[e as usize].pred.clone(), self.elements[e as usize].succ.clone());
        for &p in &pred {
            self.leave(p);
            self.part(p, e);
            self.enter(p);
            self.note(p, changes);
        }
        for &s in &succ {
            self.leave(s);
            self.part(e, s);
            self.enter(s);
            self.note(s, changes);
        }
        self.note(e, changes);
        self.ending[target as usize].retain(|&x| x != e);
        self.beginning[source as usize].retain(|&x| x != e);
        let mut neighbours = pred;
        neighbours.extend(succ);
        neighbours
    }

    fn face(&mut self, e: u32, f: u32, changes: &mut Changes) {
        let (first, second) = (&self.elements[e as usize], &self.elements[f as usize]);
        if first.succ.binary_search(&f).is_err() {
            return;
        }
        let (i, j, k) = (first.source, first.target, second.target);
        let paths = (first.paths * second.paths).min(1e100);
        let (a, b) = (first.value, second.value);
        let value = self.accumulation.product(a, b, (i, k));
        changes.vertices.extend([i, j, k]);
        self.note(e, changes);
        self.note(f, changes);
        let mut changed = vec![e, f];
        if value != Value::ZERO {
            if let Some(other) = self.alike(e, f, None) {
                self.add(other, value, paths);
                if self.elements[other as usize].value == Value::ZERO {
                    changed.extend(self.dissolve(other, changes));
                }
            } else {
                let new = self.element(i, k, (value, paths), false);
                self.note(new, changes);
                let pred = self.elements[e as usize].pred.clone();
                let succ = self.elements[f as usize].succ.clone();
                for &p in &pred {
                    self.leave(p);
                    self.join(p, new);
                    self.enter(p);
                    self.note(p, changes);
                }
                for &s in &succ {
                    self.leave(s);
                    self.join(new, s);
                    self.enter(s);
                    self.note(s, changes);
                }
                self.enter(new);
                changed.extend(pred);
                changed.extend(succ);
                changed.push(new);
            }
        }
        self.leave(e);
        self.leave(f);
        self.part(e, f);
        self.enter(e);
        self.enter(f);
        self.settle(changed, changes);
    }

    fn inner(&self, ids: &[u32]) -> usize {
        ids.iter().filter(|&&id| !self.elements[id as usize].border).count()
    }

    fn markowitz_reduction(&self, e: u32, f: u32) -> f64 {
        let (first, second) = (&self.elements[e as usize], &self.elements[f as usize]);
        let (before, after) = (self.inner(&first.pred), self.inner(&second.succ));
        let mut reduction = 1.0;
        if self.alike(e, f, None).is_none() {
            reduction -= (before + after) as f64;
        }
        if first.succ.len() == 1 {
            reduction += before as f64;
        }
        if second.pred.len() == 1 {
            reduction += after as f64;
        }
        reduction
    }

    /// The faces between edges (i, j) and edges (j, k).
    pub(crate) fn faces_at(&self, i: Option<u32>, j: u32, k: Option<u32>) -> Vec<Target> {
        let mut targets = Vec::new();
        self.targets_at(j, &mut targets);
        targets.retain(|&target| match target {
            Target::Face(e, f) => {
                i.is_none_or(|i| self.elements[e as usize].source == i)
                    && k.is_none_or(|k| self.elements[f as usize].target == k)
            }
            Target::Vertex(_) | Target::Front(..) | Target::Back(..) => false,
        });
        targets
    }
}

impl State for Dual<'_> {
    fn targets_at(&self, middle: u32, targets: &mut Vec<Target>) {
        for &e in &self.ending[middle as usize] {
            let first = &self.elements[e as usize];
            if !first.border {
                let inner = first.succ.iter().filter(|&&f| !self.elements[f as usize].border);
                targets.extend(inner.map(|&f| Target::Face(e, f)));
            }
        }
    }

    fn measure(&self, target: Target, measure: Measure) -> f64 {
        let Target::Face(e, f) = target else { return 0.0 };
        let (first, second) = (&self.elements[e as usize], &self.elements[f as usize]);
        let (i, j, k) = (first.source, first.target, second.target);
        let position = |v: u32| f64::from(self.graph.position(v));
        let Paths { to, from, inputs, outputs } = &self.paths;
        match measure {
            Measure::Position => {
                let n = self.graph.len() as f64;
                (position(i) * n + position(j)) * n + position(k)
            }
            Measure::Markowitz => self.faces[j as usize] as f64,
            Measure::RelativeMarkowitz => {
                let unavoidable = u64::from(inputs[j as usize]) * u64::from(outputs[j as usize]);
                self.faces[j as usize] as f64 - unavoidable as f64
            }
            Measure::Multiplications => f64::from(u8::from(costs(first.value, second.value))),
            Measure::FillIn | Measure::Growth => {
                f64::from(u8::from(self.alike(e, f, None).is_none()))
            }
            Measure::Absorption => f64::from(u8::from(self.alike(e, f, None).is_some())),
            Measure::Distance => position(k) - position(i),
            Measure::MarkowitzReduction => self.markowitz_reduction(e, f),
            Measure::PathReduction => {
                to[i as usize] * first.paths * second.paths * from[k as usize]
            }
        }
    }

    fn eliminate(&mut self, target: Target, changes: &mut Changes) {
        if let Target::Face(e, f) = target {
            self.face(e, f, changes);
        }
    }

    fn ends(&self, target: Target) -> (Vec<u32>, Vec<u32>) {
        let Target::Face(e, f) = target else { return (Vec::new(), Vec::new()) };
        (vec![self.elements[e as usize].source], vec![self.elements[f as usize].target])
    }

    fn step(&self, target: Target) -> Step {
        let Target::Face(e, f) = target else { return Step::Vertex(0) };
        let (first, second) = (&self.elements[e as usize], &self.elements[f as usize]);
        Step::Face(first.source, first.target, second.target)
    }

    fn middles_between(&self, sources: &[u32], sinks: &[u32]) -> Vec<u32> {
        let begin = sources.iter().flat_map(|&i| &self.beginning[i as usize]);
        let mut after: Vec<u32> = begin
            .filter(|&&e| !self.elements[e as usize].border)
            .map(|&e| self.elements[e as usize].target)
            .collect();
        after.sort_unstable();
        after.dedup();
        after.retain(|&j| {
            let mut from = self.beginning[j as usize].iter().map(|&f| &self.elements[f as usize]);
            from.any(|f| !f.border && sinks.contains(&f.target))
        });
        after
    }

    fn affected(&self, changes: &Changes, wide: bool) -> Vec<u32> {
        let mut middles = changes.vertices.clone();
        if wide {
            // Whether there is an element to absorb a face is asked of those between its ends.
            let mut edges = changes.edges.clone();
            edges.sort_unstable();
            edges.dedup();
            for (i, k) in edges {
                let begin = self.beginning[i as usize].iter().map(|&e| &self.elements[e as usize]);
                let mut before: Vec<u32> = self.ending[k as usize]
                    .iter()
                    .map(|&f| self.elements[f as usize].source)
                    .collect();
                before.sort_unstable();
                middles.extend(begin.map(|e| e.target).filter(|j| before.binary_search(j).is_ok()));
            }
        }
        middles.sort_unstable();
        middles.dedup();
        middles
    }

    fn remaining(&self) -> Vec<Entry> {
        let ending = self.ending.iter().flatten().map(|&e| &self.elements[e as usize]);
        ending
            .filter(|element| !element.border)
            .map(|&Element { source, target, value, .. }| Entry { source, target, value })
            .collect()
    }

    fn accumulation(mut self) -> Accumulation {
        let entries = self.remaining();
        self.accumulation.finish(entries);
        self.accumulation
    }
}

/// Whether the product of two values takes a multiplication when the program runs.
pub(crate) fn costs(a: Value, b: Value) -> bool {
    !a.is_unit() && !b.is_unit() && (a.known().is_none() || b.known().is_none())
}
