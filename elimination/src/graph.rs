//! The linearised computational graph: what is eliminated from.
//!
//! Vertices are values of a program, an edge from `i` to `j` says that `j` is computed from `i` by
//! one operation, and carries the local partial derivative c_ji. The Jacobian of the outputs by the
//! inputs is, entry by entry, the sum over all paths of the products along them (Bauer 1974). The
//! notions are those of paper 2 (Naumann, Utke, Lyons, Fagan: Control flow reversal for adjoint code
//! generation, section 3).
//!
//! A graph is data here and does not change; the techniques work on states of their own
//! ([`crate::Primal`], [`crate::Dual`]).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef as _;
use thiserror::Error;

/// What a vertex is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// An independent variable of the local function; nothing leads to it.
    Input,
    /// A value that nobody asks for.
    Intermediate,
    /// A dependent variable. Others may be computed from it; its entries are kept all the same.
    Output,
}

/// A quantity that is known when the program runs; edges with the same one carry the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(pub u32);

/// What an edge carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Partial {
    /// A number known here; 1 and -1 cost nothing.
    Constant(f64),
    /// A number known when the program runs.
    Variable(Variable),
}

/// Why something is no linearised computational graph. Edges are told by their numbers, in the order in which
/// they were made.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum GraphError {
    /// Something leads to an input.
    #[error("an edge leads to the input {name}")]
    IntoInput {
        /// What the input is called.
        name: String,
        /// The edge.
        edge: usize,
    },
    /// A value depends on itself.
    #[error("{name} lies on a cycle")]
    Cycle {
        /// What a vertex on the cycle is called.
        name: String,
        /// The edge of the cycle that leads to it.
        edge: usize,
    },
    /// A constant partial that is no number.
    #[error("the partial derivative on the edge from {source_name} to {target_name} is not finite")]
    NotFinite {
        /// What the source is called.
        source_name: String,
        /// What the target is called.
        target_name: String,
        /// The edge.
        edge: usize,
    },
}

impl GraphError {
    /// The number of the edge that is at fault.
    pub fn edge(&self) -> usize {
        match self {
            GraphError::IntoInput { edge, .. }
            | GraphError::Cycle { edge, .. }
            | GraphError::NotFinite { edge, .. } => *edge,
        }
    }
}

/// A linearised computational graph: acyclic, nothing leads to an input.
///
/// Parallel edges are allowed (`y = x*x` has two) and stand for their sum.
#[derive(Clone, Debug)]
pub struct Graph {
    graph: DiGraph<Vertex, Partial>,
    order: Vec<u32>,
    position: Vec<u32>,
    variables: Vec<String>,
}

#[derive(Clone, Debug)]
struct Vertex {
    role: Role,
    name: String,
}

/// A graph that is being made.
///
/// ```
/// use elimination::{Draft, Role};
/// let mut draft = Draft::new();
/// let x = draft.vertex(Role::Input, "x");
/// let v = draft.vertex(Role::Intermediate, "v");
/// let y = draft.vertex(Role::Output, "y");
/// draft.edge(x, v);
/// draft.edge(v, y);
/// let graph = draft.finish()?;
/// assert_eq!(graph.len(), 3);
/// # Ok::<(), elimination::GraphError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Draft {
    graph: DiGraph<Vertex, Partial>,
    variables: Vec<String>,
    named: HashMap<String, Variable>,
}

impl Draft {
    /// A graph without vertices.
    pub fn new() -> Self {
        Draft::default()
    }

    /// A new vertex; its number is how many there were before it. Where the numbers are a
    /// topological order, they are the one that "forward" and "reverse" mean.
    pub fn vertex(&mut self, role: Role, name: impl Into<String>) -> u32 {
        self.graph.add_node(Vertex { role, name: name.into() }).index() as u32
    }

    /// Changes what a vertex is for.
    pub fn set_role(&mut self, vertex: u32, role: Role) {
        if let Some(vertex) = self.graph.node_weight_mut(NodeIndex::new(vertex as usize)) {
            vertex.role = role;
        }
    }

    /// The variable of this name.
    pub fn variable(&mut self, name: &str) -> Partial {
        if let Some(&known) = self.named.get(name) {
            return Partial::Variable(known);
        }
        let variable = Variable(self.variables.len() as u32);
        self.variables.push(name.to_owned());
        self.named.insert(name.to_owned(), variable);
        Partial::Variable(variable)
    }

    /// A new edge with a variable of its own, named after the edge: `c_target_source`.
    pub fn edge(&mut self, source: u32, target: u32) {
        let name = |vertex: u32| {
            let known = self.graph.node_weight(NodeIndex::new(vertex as usize));
            known.map(|v| v.name.clone()).unwrap_or_default()
        };
        let mut label = format!("c_{}_{}", name(target), name(source));
        while self.named.contains_key(&label) {
            label.push('\'');
        }
        let partial = self.variable(&label);
        self.edge_with(source, target, partial);
    }

    /// A new edge. Vertices that do not exist are told by [`Draft::finish`].
    pub fn edge_with(&mut self, source: u32, target: u32, partial: Partial) {
        let count = self.graph.node_count() as u32;
        if source < count && target < count {
            self.graph.add_edge(
                NodeIndex::new(source as usize),
                NodeIndex::new(target as usize),
                partial,
            );
        }
    }

    /// The graph.
    ///
    /// # Errors
    /// A cycle, an edge to an input, a constant that is not finite.
    pub fn finish(self) -> Result<Graph, GraphError> {
        let Draft { graph, variables, named: _ } = self;
        let name = |v: NodeIndex| graph[v].name.clone();
        for edge in graph.edge_references() {
            let number = edge.id().index();
            if graph[edge.target()].role == Role::Input {
                return Err(GraphError::IntoInput { name: name(edge.target()), edge: number });
            }
            if matches!(edge.weight(), Partial::Constant(c) if !c.is_finite()) {
                let (source_name, target_name) = (name(edge.source()), name(edge.target()));
                return Err(GraphError::NotFinite { source_name, target_name, edge: number });
            }
        }
        let order = topological(&graph)?;
        let mut position = vec![0; order.len()];
        for (at, &vertex) in order.iter().enumerate() {
            position[vertex as usize] = at as u32;
        }
        Ok(Graph { graph, order, position, variables })
    }
}

/// The topological order with the smallest number first, wherever there is a choice: the numbers
/// themselves where those are one.
fn topological(graph: &DiGraph<Vertex, Partial>) -> Result<Vec<u32>, GraphError> {
    let mut waits: Vec<usize> = graph
        .node_indices()
        .map(|v| graph.edges_directed(v, Direction::Incoming).count())
        .collect();
    let ready = |v: &u32| Reverse(*v);
    let mut heap: BinaryHeap<Reverse<u32>> = (0..graph.node_count() as u32)
        .filter(|&v| waits[v as usize] == 0)
        .map(|v| ready(&v))
        .collect();
    let mut order = Vec::with_capacity(waits.len());
    while let Some(Reverse(v)) = heap.pop() {
        order.push(v);
        for target in graph.neighbors(NodeIndex::new(v as usize)) {
            waits[target.index()] -= 1;
            if waits[target.index()] == 0 {
                heap.push(Reverse(target.index() as u32));
            }
        }
    }
    match (0..waits.len()).find(|&v| waits[v] > 0) {
        Some(v) => Err(cycle(graph, &waits, NodeIndex::new(v))),
        None => Ok(order),
    }
}

/// What waits forever lies on a cycle or behind one: against the edges from what waits to what waits one comes
/// to the cycle, and around it.
fn cycle(graph: &DiGraph<Vertex, Partial>, waits: &[usize], behind: NodeIndex) -> GraphError {
    let before = |v: NodeIndex| {
        let mut edges = graph.edges_directed(v, Direction::Incoming);
        edges.find(|edge| waits[edge.source().index()] > 0)
    };
    let mut seen = vec![false; waits.len()];
    let (mut at, mut edge) = (behind, 0);
    while !std::mem::replace(&mut seen[at.index()], true) {
        let Some(found) = before(at) else { break };
        at = found.source();
    }
    if let Some(found) = before(at) {
        edge = found.id().index();
    }
    GraphError::Cycle { name: graph[at].name.clone(), edge }
}

impl Graph {
    /// The graph without vertices.
    pub fn empty() -> Graph {
        let (order, position, variables) = (Vec::new(), Vec::new(), Vec::new());
        Graph { graph: DiGraph::new(), order, position, variables }
    }

    /// How many vertices there are; they are numbered from 0.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// What a vertex is for.
    pub fn role(&self, vertex: u32) -> Role {
        self.graph[NodeIndex::new(vertex as usize)].role
    }

    /// What the user calls a vertex.
    pub fn name(&self, vertex: u32) -> &str {
        &self.graph[NodeIndex::new(vertex as usize)].name
    }

    /// What the user calls a variable.
    pub fn variable_name(&self, variable: Variable) -> &str {
        &self.variables[variable.0 as usize]
    }

    /// How many variables the edges carry; they are numbered from 0.
    pub fn variables(&self) -> usize {
        self.variables.len()
    }

    /// The vertices in a topological order: by number, where the numbers are one.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Where a vertex stands in the topological order.
    pub fn position(&self, vertex: u32) -> u32 {
        self.position[vertex as usize]
    }

    /// The edges, in the order in which they were made: source, target, partial.
    pub fn edges(&self) -> impl Iterator<Item = (u32, u32, Partial)> + '_ {
        self.graph
            .edge_references()
            .map(|e| (e.source().index() as u32, e.target().index() as u32, *e.weight()))
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.graph.edge_count()
    }

    /// Whether every partial is a variable, so that no product is free.
    pub fn is_plain(&self) -> bool {
        self.edges().all(|(_, _, partial)| matches!(partial, Partial::Variable(_)))
    }

    /// The Jacobian by its definition, for given values of the variables: for each pair of an output
    /// and an input that a path joins, the sum over all paths of the products along them.
    ///
    /// The yardstick of all techniques; it goes forward through the whole graph for each input.
    pub fn jacobian(&self, values: &[f64]) -> BTreeMap<(u32, u32), f64> {
        let mut entries = BTreeMap::new();
        let mut out: Vec<Vec<(u32, f64)>> = vec![Vec::new(); self.len()];
        for (source, target, partial) in self.edges() {
            let value = match partial {
                Partial::Constant(c) => c,
                Partial::Variable(Variable(v)) => values.get(v as usize).copied().unwrap_or(0.0),
            };
            out[source as usize].push((target, value));
        }
        for input in (0..self.len() as u32).filter(|&v| self.role(v) == Role::Input) {
            let mut sums: Vec<Option<f64>> = vec![None; self.len()];
            sums[input as usize] = Some(1.0);
            for &v in &self.order {
                let Some(sum) = sums[v as usize] else { continue };
                for &(target, value) in &out[v as usize] {
                    *sums[target as usize].get_or_insert(0.0) += sum * value;
                }
                if self.role(v) == Role::Output {
                    entries.insert((v, input), sum);
                }
            }
        }
        entries
    }
}
