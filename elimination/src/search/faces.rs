//! A dual graph for searches: the rules of [`crate::Dual`] without arithmetic, quick to copy.
//!
//! Every element carries the value that its sum of products has for random partials in a finite
//! field. That tells elements apart whatever the order was in which they came to be, so the
//! fingerprint of a state is a sum over its faces.

use std::rc::Rc;

use fastrand::Rng;
use smallvec::SmallVec;

use crate::accumulation::{Accumulation, Entry};
use crate::dual::mix;
use crate::graph::{Graph, Role};
use crate::search::Replay;
use crate::state::Paths;
use crate::target::Step;

type List = SmallVec<[u16; 6]>;

/// A dual graph under a search.
#[derive(Clone, Debug)]
pub(crate) struct Faces {
    /// Elements that are gone have no neighbours. Their numbers are not used again.
    elements: Vec<Rc<Element>>,
    fingerprint: u64,
}

#[derive(Clone, Debug)]
struct Element {
    source: u32,
    target: u32,
    /// A number modulo [`PRIME`].
    value: u64,
    /// What it carries; no number for a variable.
    label: f64,
    /// Sorted.
    pred: List,
    succ: List,
    border: bool,
}

const PRIME: u64 = (1 << 61) - 1;

/// Graphs with more edges are not searched.
pub(crate) const MOST_EDGES: usize = 2_000;

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

fn face_key(e: &Element, f: &Element) -> u64 {
    mix(mix(e.value).wrapping_add(f.value))
}

fn costs(a: f64, b: f64) -> bool {
    a.abs() != 1.0 && b.abs() != 1.0 && (a.is_nan() || b.is_nan())
}

impl Faces {
    /// The state before elimination; `None` for a graph that is too large.
    pub(crate) fn new(graph: &Graph) -> Option<Faces> {
        let edges = Accumulation::new().edges(graph);
        if edges.len() > MOST_EDGES || graph.len() > MOST_EDGES {
            return None;
        }
        let Paths { to, from, .. } = Paths::new(graph, &edges, false);
        let mut state = Faces { elements: Vec::new(), fingerprint: 0 };
        for v in 0..graph.len() as u32 {
            if graph.role(v) != Role::Intermediate {
                state.element((v, v), 1, f64::NAN, true);
            }
        }
        let inner = state.elements.len();
        for Entry { source, target, value } in edges {
            if to[source as usize] > 0.0 && from[target as usize] > 0.0 {
                let random = mix(u64::from(source) << 32 | u64::from(target)) % PRIME;
                let label = value.known().unwrap_or(f64::NAN);
                state.element((source, target), random, label, false);
            }
        }
        for e in 0..state.elements.len() {
            let element = &state.elements[e];
            let (target, border) = (element.target, element.border);
            for f in 0..state.elements.len() {
                // Borders lead to inputs and from outputs; no input is an output.
                let next = &state.elements[f];
                let joined = match (border, next.border) {
                    (true, false) => graph.role(target) == Role::Input,
                    (false, true) => graph.role(next.source) == Role::Output,
                    (borders, _) => !borders,
                };
                if joined && target == next.source {
                    state.join(e as u16, f as u16);
                }
            }
        }
        state.settle((inner as u16..state.elements.len() as u16).collect());
        Some(state)
    }

    fn element(&mut self, ends: (u32, u32), value: u64, label: f64, border: bool) -> u16 {
        let (pred, succ) = (List::new(), List::new());
        let (source, target) = ends;
        let new = Element { source, target, value, label, pred, succ, border };
        self.elements.push(Rc::new(new));
        (self.elements.len() - 1) as u16
    }

    fn at(&self, e: u16) -> &Element {
        &self.elements[usize::from(e)]
    }

    fn change(&mut self, e: u16) -> &mut Element {
        Rc::make_mut(&mut self.elements[usize::from(e)])
    }

    fn join(&mut self, e: u16, f: u16) {
        self.fingerprint = self.fingerprint.wrapping_add(face_key(self.at(e), self.at(f)));
        insert(&mut self.change(e).succ, f);
        insert(&mut self.change(f).pred, e);
    }

    fn part(&mut self, e: u16, f: u16) {
        self.fingerprint = self.fingerprint.wrapping_sub(face_key(self.at(e), self.at(f)));
        self.change(e).succ.retain(|s| *s != f);
        self.change(f).pred.retain(|p| *p != e);
    }

    fn faces_key(&self, e: u16) -> u64 {
        let element = self.at(e);
        let before = element.pred.iter().map(|&p| face_key(self.at(p), element));
        let behind = element.succ.iter().map(|&s| face_key(element, self.at(s)));
        before.chain(behind).fold(0, u64::wrapping_add)
    }

    fn add(&mut self, e: u16, value: u64, label: f64) {
        let old = self.faces_key(e);
        let element = self.change(e);
        element.value = (element.value + value) % PRIME;
        element.label += label;
        self.fingerprint = self.fingerprint.wrapping_sub(old).wrapping_add(self.faces_key(e));
    }

    fn alike(&self, pred_of: u16, succ_of: u16, but: Option<u16>) -> Option<u16> {
        let (pred, succ) = (&self.at(pred_of).pred, &self.at(succ_of).succ);
        let first = pred.first()?;
        self.at(*first).succ.iter().copied().find(|&g| {
            let element = self.at(g);
            Some(g) != but && !element.border && element.pred == *pred && element.succ == *succ
        })
    }

    fn dissolve(&mut self, e: u16, changed: &mut Vec<u16>) {
        for p in self.at(e).pred.clone() {
            self.part(p, e);
            changed.push(p);
        }
        for s in self.at(e).succ.clone() {
            self.part(e, s);
            changed.push(s);
        }
    }

    fn settle(&mut self, mut changed: Vec<u16>) {
        while let Some(e) = changed.pop() {
            let element = self.at(e);
            if element.border {
                continue;
            }
            if element.pred.is_empty() || element.succ.is_empty() {
                self.dissolve(e, &mut changed);
            } else if let Some(other) = self.alike(e, e, Some(e)) {
                let (keep, go) = (e.min(other), e.max(other));
                let (value, label) = (self.at(go).value, self.at(go).label);
                self.dissolve(go, &mut changed);
                self.add(keep, value, label);
                if self.at(keep).label == 0.0 {
                    self.dissolve(keep, &mut changed);
                }
            }
        }
    }

    fn face(&mut self, e: u16, f: u16) -> u32 {
        let (first, second) = (self.at(e), self.at(f));
        if first.succ.binary_search(&f).is_err() {
            return 0;
        }
        let (a, b) = (first.label, second.label);
        let label = if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let value = times(first.value, second.value);
        let ends = (first.source, second.target);
        let mut changed = vec![e, f];
        if label != 0.0 {
            if let Some(other) = self.alike(e, f, None) {
                self.add(other, value, label);
                if self.at(other).label == 0.0 {
                    self.dissolve(other, &mut changed);
                }
            } else {
                let new = self.element(ends, value, label, false);
                for p in self.at(e).pred.clone() {
                    self.join(p, new);
                    changed.push(p);
                }
                for s in self.at(f).succ.clone() {
                    self.join(new, s);
                    changed.push(s);
                }
                changed.push(new);
            }
        }
        self.part(e, f);
        self.settle(changed);
        u32::from(costs(a, b))
    }

    fn faces_at(&self, i: Option<u32>, j: u32, k: Option<u32>) -> Vec<(u16, u16)> {
        let mut faces = Vec::new();
        for (e, element) in (0_u16..).zip(&self.elements) {
            if element.target == j && !element.border && i.is_none_or(|i| element.source == i) {
                let next = element.succ.iter().copied().filter(|&f| {
                    let next = self.at(f);
                    !next.border && k.is_none_or(|k| next.target == k)
                });
                faces.extend(next.map(|f| (e, f)));
            }
        }
        faces
    }
}

fn insert(sorted: &mut List, item: u16) {
    if let Err(at) = sorted.binary_search(&item) {
        sorted.insert(at, item);
    }
}

impl Replay for Faces {
    fn apply(&mut self, step: Step) -> u32 {
        let faces = match step {
            Step::Vertex(v) => self.faces_at(None, v, None),
            Step::Front(i, j) => self.faces_at(Some(i), j, None),
            Step::Back(j, k) => self.faces_at(None, j, Some(k)),
            Step::Face(i, j, k) => self.faces_at(Some(i), j, Some(k)),
            Step::Reroute(..) => Vec::new(),
        };
        faces.into_iter().map(|(e, f)| self.face(e, f)).sum()
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn part(&self, middle: u32, rng: &mut Rng) -> Option<Step> {
        let faces = self.faces_at(None, middle, None);
        if faces.len() < 2 {
            return None;
        }
        let (e, f) = faces[rng.usize(0..faces.len())];
        let (i, k) = (self.at(e).source, self.at(f).target);
        Some(match rng.u32(0..3) {
            0 => Step::Front(i, middle),
            1 => Step::Back(middle, k),
            _ => Step::Face(i, middle, k),
        })
    }
}
