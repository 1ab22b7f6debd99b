//! The order of the steps of a propagator.
//!
//! A step gives a derivative its new value, a sum of products with derivatives of others. Those of
//! inputs mean the values before the run: a step that reads one stands before the step that overwrites
//! it, which is another one where the run has overwritten the input (`s = s + x*y`). Where that
//! leads in a circle (a swap), the derivative is set aside in a variable of its own first.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};

use elimination::{Entry, Value};

use super::graph::Vertex;
use super::places::PlaceId;

/// Whose derivative is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Whose {
    /// That of the place.
    Place(PlaceId),
    /// That of a variable for the value of this vertex.
    Vertex(u32),
}

/// A step: the derivative of `target` becomes a sum of products.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What is overwritten.
    pub target: Whose,
    /// The factors, with what they are factors of.
    pub terms: Vec<(Value, Whose)>,
}

/// The steps for what is left of a graph: its edges, by target and source. All outputs get a value.
///
/// Of the steps that can be taken the one of the first vertex is, so that they keep the order of the
/// program as far as they can.
pub fn steps(vertices: &[Vertex], edges: &[Entry]) -> Vec<Step> {
    let mut order = Order::new(vertices, edges);
    let mut done = Vec::with_capacity(vertices.len());
    loop {
        if let Some(Reverse(vertex)) = order.free.pop() {
            done.push(order.take(vertex));
        } else if let Some(input) = order.blocking() {
            done.push(order.set_aside(input));
        } else {
            // Nothing is left: a graph has no circles.
            return done;
        }
    }
}

/// The steps that are not written yet, and what each waits for.
struct Order<'a> {
    vertices: &'a [Vertex],
    /// The factors and sources of each vertex.
    terms: Vec<Vec<(Value, u32)>>,
    /// The vertices that each is a source of.
    readers: Vec<Vec<u32>>,
    /// The vertices that have a step which is not written yet.
    open: Vec<bool>,
    /// For each vertex, how many steps come before its own.
    waits: Vec<usize>,
    /// For each input the output that overwrites its derivative.
    overwriting: HashMap<u32, u32>,
    /// For each output the input whose derivative it overwrites, and how many other steps read that before.
    overwritten: HashMap<u32, (u32, usize)>,
    /// The inputs whose derivatives are set aside.
    aside: BTreeSet<u32>,
    /// The vertices whose steps wait for nothing.
    free: BinaryHeap<Reverse<u32>>,
    /// No step of a vertex before this one has to be waited for any more.
    looked_at: u32,
}

impl<'a> Order<'a> {
    fn new(vertices: &'a [Vertex], edges: &[Entry]) -> Self {
        let mut terms = vec![Vec::new(); vertices.len()];
        let mut readers = vec![Vec::new(); vertices.len()];
        for edge in edges {
            terms[edge.target as usize].push((edge.value, edge.source));
            readers[edge.source as usize].push(edge.target);
        }
        let has_step = |(vertex, terms): (&Vertex, &Vec<_>)| match vertex {
            Vertex::Input(_) => false,
            Vertex::Output(_) => true,
            Vertex::Inner => !terms.is_empty(),
        };
        let open: Vec<bool> = vertices.iter().zip(&terms).map(has_step).collect();
        let mut order = Order {
            vertices,
            terms,
            readers,
            open,
            waits: vec![0; vertices.len()],
            overwriting: overwriting(vertices),
            overwritten: HashMap::new(),
            aside: BTreeSet::new(),
            free: BinaryHeap::new(),
            looked_at: 0,
        };
        order.count();
        order
    }

    /// Counts what each step waits for: those of its sources, and those that read what it overwrites.
    fn count(&mut self) {
        for source in 0..self.vertices.len() as u32 {
            let later = self.overwriting.get(&source).copied();
            for &reader in &self.readers[source as usize] {
                if self.open[source as usize] {
                    self.waits[reader as usize] += 1;
                } else if let Some(later) = later.filter(|&later| later != reader) {
                    self.waits[later as usize] += 1;
                    self.overwritten.entry(later).or_insert((source, 0)).1 += 1;
                }
            }
        }
        for vertex in 0..self.vertices.len() as u32 {
            if self.open[vertex as usize] && self.waits[vertex as usize] == 0 {
                self.free.push(Reverse(vertex));
            }
        }
    }

    /// Writes the step of a vertex.
    fn take(&mut self, vertex: u32) -> Step {
        self.open[vertex as usize] = false;
        for reader in std::mem::take(&mut self.readers[vertex as usize]) {
            self.waits_less(reader, 1);
        }
        let own = std::mem::take(&mut self.terms[vertex as usize]);
        for &(_, source) in &own {
            if self.aside.contains(&source) {
                continue;
            }
            let later = self.overwriting.get(&source).copied();
            if let Some(later) = later.filter(|&later| later != vertex)
                && let Some((_, readers)) = self.overwritten.get_mut(&later)
            {
                *readers -= 1;
                self.waits_less(later, 1);
            }
        }
        let target = match self.vertices[vertex as usize] {
            Vertex::Output(place) => Whose::Place(place),
            Vertex::Input(_) | Vertex::Inner => Whose::Vertex(vertex),
        };
        let terms = own.into_iter().map(|(value, source)| (value, self.whose(source))).collect();
        Step { target, terms }
    }

    fn waits_less(&mut self, vertex: u32, by: usize) {
        let waits = &mut self.waits[vertex as usize];
        *waits -= by;
        if *waits == 0 && self.open[vertex as usize] {
            self.free.push(Reverse(vertex));
        }
    }

    /// An input that has to be set aside before anything else can be done, with what overwrites it.
    fn blocking(&mut self) -> Option<(u32, u32)> {
        while (self.looked_at as usize) < self.vertices.len() {
            let vertex = self.looked_at;
            match self.overwritten.get(&vertex) {
                Some(&(input, readers)) if readers > 0 && self.open[vertex as usize] => {
                    return Some((input, vertex));
                }
                Some(_) | None => self.looked_at += 1,
            }
        }
        None
    }

    /// Sets the derivative of an input aside, so that the step of a vertex may overwrite it.
    fn set_aside(&mut self, (input, later): (u32, u32)) -> Step {
        let whole = (Value::constant(1.0), self.whose(input));
        self.aside.insert(input);
        if let Some((_, readers)) = self.overwritten.remove(&later) {
            self.waits_less(later, readers);
        }
        Step { target: Whose::Vertex(input), terms: vec![whole] }
    }

    /// Where the derivative of a vertex stands.
    fn whose(&self, vertex: u32) -> Whose {
        match self.vertices[vertex as usize] {
            Vertex::Input(place) if !self.aside.contains(&vertex) => Whose::Place(place),
            Vertex::Output(place) => Whose::Place(place),
            Vertex::Input(_) | Vertex::Inner => Whose::Vertex(vertex),
        }
    }
}

/// For each input the output that has the same place.
fn overwriting(vertices: &[Vertex]) -> HashMap<u32, u32> {
    let outputs: HashMap<PlaceId, u32> = (0..)
        .zip(vertices)
        .filter_map(|(number, vertex)| match *vertex {
            Vertex::Output(place) => Some((place, number)),
            Vertex::Input(_) | Vertex::Inner => None,
        })
        .collect();
    (0..)
        .zip(vertices)
        .filter_map(|(number, vertex)| match vertex {
            Vertex::Input(place) => Some((number, *outputs.get(place)?)),
            Vertex::Inner | Vertex::Output(_) => None,
        })
        .collect()
}
