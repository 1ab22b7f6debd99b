//! A control flow graph with its adjacency: built once, asked often.
//!
//! Structured or not, reachable or not: every vertex is in every order. It changes nothing and
//! goes stale when the graph is rewritten.

use std::collections::HashSet;

use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use xaif_schema::model::{Cfg, Edge, EdgeId, EntityRef, SecondaryMap, VertexId, VertexKind};

use super::Ways;

/// A view on a control flow graph.
///
/// An artificial root precedes all entries (a procedure with ENTRY has several) and everything
/// that no entry reaches, so that one order and one dominator tree cover all vertices. No edge leads on from
/// where the program ends (STOP, a call that does not return).
#[derive(Debug)]
pub struct Flow<'a> {
    /// The graph that is viewed.
    pub cfg: &'a Cfg,
    graph: DiGraph<Option<VertexId>, Option<EdgeId>>,
    root: NodeIndex,
    order: Vec<VertexId>,
    ways: Ways<'a>,
}

impl<'a> Flow<'a> {
    /// Builds the view in time linear in the size of the graph.
    pub fn new(cfg: &'a Cfg) -> Self {
        let mut graph = DiGraph::with_capacity(cfg.vertices.len() + 1, cfg.edges.len() + 2);
        for vertex in cfg.vertices.keys() {
            graph.add_node(Some(vertex));
        }
        let root = graph.add_node(None);
        let ways = Ways::of_control(cfg);
        for (source, target, id) in cfg.vertices.keys().flat_map(|vertex| {
            ways.out_edges(vertex).iter().map(move |&id| (vertex, cfg.edges[id].target, id))
        }) {
            graph.add_edge(node(source), node(target), Some(id));
        }
        let mut flow = Flow { cfg, graph, root, order: Vec::new(), ways };
        for entry in flow.entries() {
            flow.graph.add_edge(root, node(entry), None);
        }
        flow.order = flow.reverse_postorder();
        flow
    }

    /// The entry vertices in the order of the text.
    pub fn entries(&self) -> Vec<VertexId> {
        let is_entry = |&id: &VertexId| matches!(self.cfg.vertices[id].kind, VertexKind::Entry(_));
        self.cfg.layout.iter().copied().filter(is_entry).collect()
    }

    /// The vertices in reverse postorder: before its successors, but for the edges that close a
    /// cycle. What no entry reaches follows, in an order of the same kind.
    pub fn order(&self) -> &[VertexId] {
        &self.order
    }

    /// The edges that leave `vertex`, in the order of the document.
    pub fn out_edges(&self, vertex: VertexId) -> &[EdgeId] {
        self.ways.out_edges(vertex)
    }

    /// All edges along which control passes, in the order of the document.
    pub fn edges(&self) -> impl Iterator<Item = (EdgeId, &'a Edge)> + '_ {
        self.cfg.edges.iter().filter(|(id, edge)| self.out_edges(edge.source).contains(id))
    }

    /// The edges that lead to `vertex`, in the order of the document.
    pub fn in_edges(&self, vertex: VertexId) -> &[EdgeId] {
        self.ways.in_edges(vertex)
    }

    /// The vertices from which control may come to the exit.
    pub fn reaching_exit(&self) -> SecondaryMap<VertexId, bool> {
        let mut seen: SecondaryMap<VertexId, bool> = SecondaryMap::new();
        let is_exit =
            |&vertex: &VertexId| matches!(self.cfg.vertices[vertex].kind, VertexKind::Exit);
        let mut work: Vec<VertexId> = self.cfg.vertices.keys().filter(is_exit).collect();
        while let Some(vertex) = work.pop() {
            if !std::mem::replace(&mut seen[vertex], true) {
                work.extend(self.in_edges(vertex).iter().map(|&edge| self.cfg.edges[edge].source));
            }
        }
        seen
    }

    /// The vertices to which control may come again after it has been there.
    pub fn on_cycles(&self) -> HashSet<VertexId> {
        let components = kosaraju_scc(&self.graph);
        let is_cycle = |component: &Vec<NodeIndex>| match component.as_slice() {
            &[alone] => self.graph.contains_edge(alone, alone),
            _ => true,
        };
        let cycles = components.into_iter().filter(is_cycle).flatten();
        cycles.filter_map(|node| self.graph[node]).collect()
    }

    /// The dominators of all vertices that the root reaches. The artificial root is node
    /// `cfg.vertices.len()`; vertices keep their indices.
    pub fn dominators(&self) -> Dominators<NodeIndex> {
        simple_fast(&self.graph, self.root)
    }

    /// Whether every way from an entry to `vertex` passes `dominator`.
    pub fn dominates(
        &self,
        tree: &Dominators<NodeIndex>,
        dominator: VertexId,
        vertex: VertexId,
    ) -> bool {
        tree.dominators(node(vertex)).is_some_and(|mut up| up.any(|n| n == node(dominator)))
    }

    /// Links each part that nothing reaches to the root, then orders everything.
    fn reverse_postorder(&mut self) -> Vec<VertexId> {
        let mut walk = petgraph::visit::DfsPostOrder::new(&self.graph, self.root);
        let mut seen = vec![false; self.cfg.vertices.len()];
        let mut reached = Vec::new();
        while let Some(next) = walk.next(&self.graph) {
            if let Some(vertex) = self.graph[next] {
                seen[vertex.index()] = true;
                reached.push(vertex);
            }
        }
        reached.reverse();
        for &vertex in &self.cfg.layout {
            if seen[vertex.index()] {
                continue;
            }
            self.graph.add_edge(self.root, node(vertex), None);
            let mut part = Vec::new();
            walk.move_to(node(vertex));
            while let Some(next) = walk.next(&self.graph) {
                if let Some(vertex) = self.graph[next] {
                    seen[vertex.index()] = true;
                    part.push(vertex);
                }
            }
            reached.extend(part.into_iter().rev());
        }
        reached
    }
}

fn node(vertex: VertexId) -> NodeIndex {
    NodeIndex::new(vertex.index())
}
