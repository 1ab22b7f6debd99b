//! The one data-flow solver.
//!
//! An [`Analysis`] says what it knows at the boundary, how knowledge from two ways joins, and how a
//! step changes it. The solver iterates over the vertices in (reverse) postorder until nothing
//! changes, which it does for every monotone transfer over a domain of finite height; no analysis
//! owns a worklist.

use std::collections::BTreeSet;

use xaif_schema::model::{Cfg, Edge, EdgeId, EntityRef, SecondaryMap, VertexId, VertexKind};

use super::{Flow, Step, steps_of_edge, steps_of_vertex};

/// Which way knowledge flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// With control: from entries to the exit.
    Forward,
    /// Against control: from the exit to the entries.
    Backward,
}

/// A data-flow analysis.
pub trait Analysis {
    /// What is known at a point of the program.
    type Domain: Clone + PartialEq;

    /// Which way knowledge flows.
    const DIRECTION: Direction;

    /// What is known before anything has been: the neutral element of [`join`](Self::join).
    fn bottom(&self) -> Self::Domain;

    /// What is known where the analysis begins: at each entry, or at the exit.
    fn boundary(&self) -> Self::Domain;

    /// Adds what `other` knows to `state`; tells whether that changed `state`.
    fn join(&self, state: &mut Self::Domain, other: &Self::Domain) -> bool;

    /// What is known on the other side of `step`.
    fn transfer(&self, step: Step<'_>, state: &mut Self::Domain);

    /// Whether [`narrow`](Self::narrow) does something.
    const NARROWS: bool = false;

    /// What is known besides where control takes an edge: what its source has tested.
    fn narrow(&self, _cfg: &Cfg, _edge: &Edge, _state: &mut Self::Domain) {}
}

/// What an analysis has found: the knowledge before and after each vertex, in the order of
/// execution, whatever the direction of the analysis.
#[derive(Clone, Debug)]
pub struct Solution<D: Clone> {
    before: SecondaryMap<VertexId, D>,
    after: SecondaryMap<VertexId, D>,
}

impl<D: Clone> Solution<D> {
    /// What is known as control arrives at `vertex`.
    pub fn before(&self, vertex: VertexId) -> &D {
        &self.before[vertex]
    }

    /// What is known as control leaves `vertex`.
    pub fn after(&self, vertex: VertexId) -> &D {
        &self.after[vertex]
    }
}

/// Solves `analysis` on `flow`.
pub fn solve<A: Analysis>(flow: &Flow<'_>, analysis: &A) -> Solution<A::Domain> {
    let forward = A::DIRECTION == Direction::Forward;
    let mut order = flow.order().to_vec();
    if !forward {
        order.reverse();
    }
    // A body in the making may have vertices that are not in its layout.
    let mut rank = vec![0; flow.cfg.vertices.len()];
    for (position, vertex) in order.iter().enumerate() {
        rank[vertex.index()] = position;
    }

    // `inputs` is what the solver joins into a vertex, `outputs` what its transfer makes of it.
    let mut inputs = SecondaryMap::with_default(analysis.bottom());
    let mut outputs = SecondaryMap::with_default(analysis.bottom());
    let mut work: BTreeSet<usize> = (0..order.len()).collect();
    while let Some(position) = work.pop_first() {
        let vertex = order[position];
        inputs[vertex] = gather(flow, analysis, vertex, &outputs);
        let mut state = inputs[vertex].clone();
        let mut steps = steps_of_vertex(flow.cfg, vertex);
        if !forward {
            steps.reverse();
        }
        for step in steps {
            analysis.transfer(step, &mut state);
        }
        if analysis.join(&mut outputs[vertex], &state) {
            work.extend(neighbours(flow, vertex, forward).map(|next| rank[next.index()]));
        }
    }
    if forward {
        Solution { before: inputs, after: outputs }
    } else {
        Solution { before: outputs, after: inputs }
    }
}

/// What flows into `vertex`: the boundary, where it is one, and the outputs of its neighbours as
/// the steps on the edges change them.
fn gather<A: Analysis>(
    flow: &Flow<'_>,
    analysis: &A,
    vertex: VertexId,
    outputs: &SecondaryMap<VertexId, A::Domain>,
) -> A::Domain {
    let forward = A::DIRECTION == Direction::Forward;
    let is_boundary = match &flow.cfg.vertices[vertex].kind {
        VertexKind::Entry(_) => forward,
        VertexKind::Exit => !forward,
        VertexKind::BasicBlock { .. }
        | VertexKind::Branch { .. }
        | VertexKind::EndBranch
        | VertexKind::ForLoop { .. }
        | VertexKind::PreLoop { .. }
        | VertexKind::PostLoop { .. }
        | VertexKind::ConcurrentLoop { .. }
        | VertexKind::EndLoop
        | VertexKind::Goto(_)
        | VertexKind::Label { .. } => false,
    };
    let mut state = if is_boundary { analysis.boundary() } else { analysis.bottom() };
    let edges = if forward { flow.in_edges(vertex) } else { flow.out_edges(vertex) };
    for &edge in edges {
        let other = &outputs[far_end(flow, edge, forward)];
        let step = steps_of_edge(flow.cfg, edge);
        if !A::NARROWS && step.is_none() {
            analysis.join(&mut state, other);
            continue;
        }
        let mut other = other.clone();
        analysis.narrow(flow.cfg, &flow.cfg.edges[edge], &mut other);
        if let Some(step) = step {
            analysis.transfer(step, &mut other);
        }
        analysis.join(&mut state, &other);
    }
    state
}

fn far_end(flow: &Flow<'_>, edge: EdgeId, forward: bool) -> VertexId {
    let edge = &flow.cfg.edges[edge];
    if forward { edge.source } else { edge.target }
}

fn neighbours<'f>(
    flow: &'f Flow<'_>,
    vertex: VertexId,
    forward: bool,
) -> impl Iterator<Item = VertexId> + 'f {
    let edges = if forward { flow.out_edges(vertex) } else { flow.in_edges(vertex) };
    edges.iter().map(move |&edge| far_end(flow, edge, !forward))
}
