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

use std::collections::BTreeSet;

use smallvec::SmallVec;

use crate::accumulation::{Accumulation, Value};
use crate::graph::{Graph, Role};
use crate::hash::Table;
use crate::state::{Changes, Paths, State as _};
use crate::target::Target;

mod measure;

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
    alike: Table<(u64, u64), SmallVec<[u32; 2]>>,
    /// The faces by the ends of their products, then their elements: if siblings are asked for.
    between: Option<BTreeSet<(u32, u32, u32, u32)>>,
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
            alike: Table::default(),
            between: None,
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
                    state.join(before, e as u32, &mut none);
                }
            }
            if border && graph.role(source) == Role::Output {
                for before in state.ending[source as usize].clone() {
                    if before as usize >= inner {
                        state.join(before, e as u32, &mut none);
                    }
                }
            }
        }
        for e in inner as u32..state.elements.len() as u32 {
            state.enter(e, &mut none);
        }
        let all: Vec<u32> = (inner as u32..state.elements.len() as u32).collect();
        state.settle(all, &mut none);
        state
    }

    /// How many operations there are so far.
    pub(crate) fn operations(&self) -> usize {
        self.accumulation.nodes().len()
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
    fn join(&mut self, e: u32, f: u32, changes: &mut Changes) {
        insert(&mut self.elements[e as usize].succ, f);
        insert(&mut self.elements[f as usize].pred, e);
        self.rehash(e, f, true, changes);
    }

    fn part(&mut self, e: u32, f: u32, changes: &mut Changes) {
        delete(&mut self.elements[e as usize].succ, f);
        delete(&mut self.elements[f as usize].pred, e);
        self.rehash(e, f, false, changes);
    }

    /// Counts a face that came, or went.
    fn rehash(&mut self, e: u32, f: u32, came: bool, changes: &mut Changes) {
        let change = if came { u64::wrapping_add } else { u64::wrapping_sub };
        let hash = &mut self.elements[e as usize].hash.1;
        *hash = change(*hash, mix(u64::from(f)));
        let hash = &mut self.elements[f as usize].hash.0;
        *hash = change(*hash, mix(u64::from(e)));
        let (first, second) = (&self.elements[e as usize], &self.elements[f as usize]);
        if first.border || second.border {
            return;
        }
        let faces = &mut self.faces[first.target as usize];
        *faces = change(*faces as u64, 1) as usize;
        changes.faces.push((e, f));
        let place = self.between_ends(e, f);
        if let Some(between) = &mut self.between {
            if came {
                between.insert(place)
            } else {
                between.remove(&place)
            };
        }
    }

    /// Where a face stands in the table of faces by their ends.
    fn between_ends(&self, e: u32, f: u32) -> (u32, u32, u32, u32) {
        (self.elements[e as usize].source, self.elements[f as usize].target, e, f)
    }

    /// Puts an element into the table of those that are alike, takes it out of it.
    fn enter(&mut self, e: u32, changes: &mut Changes) {
        let element = &self.elements[e as usize];
        if !element.border {
            self.alike.entry(element.hash).or_default().push(e);
            changes.neighbours.push((e, element.hash));
        }
    }

    fn leave(&mut self, e: u32, changes: &mut Changes) {
        let element = &self.elements[e as usize];
        if element.border {
            return;
        }
        changes.neighbours.push((e, element.hash));
        if let Some(members) = self.alike.get_mut(&element.hash) {
            members.retain(|member| *member != e);
            if members.is_empty() {
                self.alike.remove(&element.hash);
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
                self.add(keep, value, paths, changes);
                if self.elements[keep as usize].value == Value::ZERO {
                    changed.extend(self.dissolve(keep, changes));
                }
            }
        }
    }

    fn is_there(&self, e: u32) -> bool {
        self.ending[self.elements[e as usize].target as usize].binary_search(&e).is_ok()
    }

    fn add(&mut self, e: u32, value: Value, paths: f64, changes: &mut Changes) {
        changes.elements.push(e);
        let element = &mut self.elements[e as usize];
        let edge = (element.source, element.target);
        element.value = self.accumulation.sum(element.value, value, edge);
        element.paths += paths;
    }

    /// Removes an element and its faces; returns its neighbours.
    fn dissolve(&mut self, e: u32, changes: &mut Changes) -> Vec<u32> {
        self.leave(e, changes);
        let Element { source, target, .. } = self.elements[e as usize];
        let (pred, succ) =
            (self.elements[e as usize].pred.clone(), self.elements[e as usize].succ.clone());
        for &p in &pred {
            self.leave(p, changes);
            self.part(p, e, changes);
            self.enter(p, changes);
        }
        for &s in &succ {
            self.leave(s, changes);
            self.part(e, s, changes);
            self.enter(s, changes);
        }
        delete(&mut self.ending[target as usize], e);
        delete(&mut self.beginning[source as usize], e);
        let mut neighbours = pred;
        neighbours.extend(succ);
        neighbours
    }

    fn face(&mut self, e: u32, f: u32, changes: &mut Changes) {
        let (first, second) = (&self.elements[e as usize], &self.elements[f as usize]);
        if first.succ.binary_search(&f).is_err() {
            return;
        }
        let (i, k) = (first.source, second.target);
        let paths = (first.paths * second.paths).min(1e100);
        let (a, b) = (first.value, second.value);
        let value = self.accumulation.product(a, b, (i, k));
        let mut changed = vec![e, f];
        if value != Value::ZERO {
            if let Some(other) = self.alike(e, f, None) {
                self.add(other, value, paths, changes);
                if self.elements[other as usize].value == Value::ZERO {
                    changed.extend(self.dissolve(other, changes));
                }
            } else {
                let new = self.element(i, k, (value, paths), false);
                let pred = self.elements[e as usize].pred.clone();
                let succ = self.elements[f as usize].succ.clone();
                for &p in &pred {
                    self.leave(p, changes);
                    self.join(p, new, changes);
                    self.enter(p, changes);
                }
                for &s in &succ {
                    self.leave(s, changes);
                    self.join(new, s, changes);
                    self.enter(s, changes);
                }
                self.enter(new, changes);
                changed.extend(pred);
                changed.extend(succ);
                changed.push(new);
            }
        }
        self.leave(e, changes);
        self.leave(f, changes);
        self.part(e, f, changes);
        self.enter(e, changes);
        self.enter(f, changes);
        self.settle(changed, changes);
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

/// Whether the product of two values takes a multiplication when the program runs.
pub(crate) fn costs(a: Value, b: Value) -> bool {
    !a.is_unit() && !b.is_unit() && (a.known().is_none() || b.known().is_none())
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
