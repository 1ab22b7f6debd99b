//! One level of the nesting as a graph: which way control passes from item to item, and at which of
//! them the backward sweep must be told where control came from.
//!
//! An item matters if it has something to write in the backward sweep. Going back from an item, the
//! next one that matters must be found: the *origin* of the place. Where ways with different origins
//! meet, a record decides; these are the places where a static single assignment form has its phi
//! functions if each item that matters is taken as a definition (R. Cytron and others, Efficiently
//! computing static single assignment form, 1991, section 4): so no record is made where it would
//! not decide anything.

use std::collections::{HashMap, HashSet};

use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};
use xaif_schema::model::{EdgeId, VertexId};

use super::tree::Tree;
use booster_flow::Flow;

/// What stands at a node of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// Where control enters the level.
    Start,
    /// Where it goes on to the end of the construct, or leaves the procedure.
    End,
    /// Where it leaves a loop from within, along this edge.
    Sink(EdgeId),
    /// A vertex.
    Vertex(VertexId),
    /// A kept construct.
    Construct(usize),
    /// Behind a loop that is left in several ways: this one.
    Way {
        /// The loop.
        construct: usize,
        /// The edge that leaves it.
        edge: EdgeId,
    },
}

/// A way to a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entering {
    /// The node that it comes from.
    pub(super) from: usize,
    /// The edge of the flow graph; entries are entered along none.
    pub(super) edge: Option<EdgeId>,
}

/// A level as a graph.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// `Start` first, then in the order of the text, then `End` and the sinks.
    pub(super) nodes: Vec<Node>,
    /// The ways to each node.
    pub(super) into: Vec<Vec<Entering>>,
    /// Whether the backward sweep has something to write or to decide at the node.
    pub(super) needed: Vec<bool>,
    /// The nearest needed node, going back from (and including) the node.
    pub(super) origin: Vec<usize>,
}

/// One edge of the flow graph in the level in which it arrives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Route {
    pub(super) from: Node,
    pub(super) to: Node,
    pub(super) edge: Option<EdgeId>,
}

/// All edges of the flow graph, by level.
#[derive(Debug)]
pub(super) struct Routes {
    /// The routes of each level.
    pub(super) of_level: Vec<Vec<Route>>,
    /// The edges by which each construct is left but through its head (a loop) or end (a branch).
    pub(super) exits: Vec<Vec<EdgeId>>,
    /// The edges by which each construct is left in the ordinary way.
    pub(super) leaving: Vec<Vec<EdgeId>>,
}

impl Routes {
    pub(super) fn new(flow: &Flow<'_>, tree: &Tree) -> Self {
        let mut routes = Routes {
            of_level: vec![Vec::new(); tree.levels.len()],
            exits: vec![Vec::new(); tree.constructs.len()],
            leaving: vec![Vec::new(); tree.constructs.len()],
        };
        for entry in flow.entries() {
            if tree.level[entry].is_some() {
                let route = Route { from: Node::Start, to: Node::Vertex(entry), edge: None };
                routes.of_level[0].push(route);
            }
        }
        for &edge in &tree.live {
            routes.add(flow, tree, edge);
        }
        routes
    }

    fn add(&mut self, flow: &Flow<'_>, tree: &Tree, id: EdgeId) {
        let edge = &flow.cfg.edges[id];
        let (source, target) = (edge.source, edge.target);
        let end_of = tree.closed[target];
        // Where the edge starts, as an item of which level.
        let (mut from, mut level) = match (tree.opened[source], tree.closed[source]) {
            (Some(opened), _) => {
                let construct = &tree.constructs[opened];
                if let Some(arm) = construct.arms.iter().find(|arm| arm.first == target) {
                    if let Some(inside) = arm.level {
                        let to = item(tree, target);
                        let route = Route { from: Node::Start, to, edge: Some(id) };
                        self.of_level[inside].push(route);
                    }
                    return;
                }
                self.leaving[opened].push(id);
                (Node::Construct(opened), construct.parent)
            }
            (None, Some(closed)) => {
                let construct = &tree.constructs[closed];
                if target == construct.head {
                    return;
                }
                self.leaving[closed].push(id);
                (Node::Construct(closed), construct.parent)
            }
            (None, None) => match tree.level[source] {
                Some(level) => (Node::Vertex(source), level),
                None => return,
            },
        };
        // Outwards to where it arrives.
        loop {
            let around = tree.levels[level].construct;
            let arrived = match end_of {
                Some(_) => around == end_of,
                None => tree.level[target] == Some(level),
            };
            if arrived {
                break;
            }
            let Some(left) = around else { return };
            self.of_level[level].push(Route { from, to: Node::Sink(id), edge: Some(id) });
            self.exits[left].push(id);
            (from, level) = (Node::Construct(left), tree.constructs[left].parent);
        }
        let is_exit = flow.out_edges(target).is_empty() && level == 0;
        let to = if end_of.is_some() || is_exit { Node::End } else { item(tree, target) };
        self.of_level[level].push(Route { from, to, edge: Some(id) });
    }
}

/// The node that a vertex is in its level.
fn item(tree: &Tree, vertex: VertexId) -> Node {
    tree.opened[vertex].map_or(Node::Vertex(vertex), Node::Construct)
}

impl Graph {
    /// The graph of a level. `forks` tells of a loop whether it matters by which way it was left.
    pub(super) fn new(
        tree: &Tree,
        level: usize,
        routes: &[Route],
        forks: impl Fn(usize) -> bool,
    ) -> Self {
        let mut ways: HashMap<usize, Vec<EdgeId>> = HashMap::new();
        for route in routes {
            if let (Node::Construct(left), Some(edge)) = (route.from, route.edge)
                && forks(left)
            {
                ways.entry(left).or_default().push(edge);
            }
        }
        let mut graph = Graph { nodes: vec![Node::Start], ..Graph::default() };
        for &vertex in &tree.levels[level].items {
            let node = item(tree, vertex);
            graph.nodes.push(node);
            if let Node::Construct(construct) = node {
                let ways = ways.remove(&construct).unwrap_or_default();
                graph.nodes.extend(ways.iter().map(|&edge| Node::Way { construct, edge }));
            }
        }
        graph.nodes.push(Node::End);
        let is_sink = |route: &&Route| matches!(route.to, Node::Sink(_));
        graph.nodes.extend(routes.iter().filter(is_sink).map(|route| route.to));
        let index: HashMap<Node, usize> =
            graph.nodes.iter().enumerate().map(|(index, &node)| (node, index)).collect();
        graph.into = vec![Vec::new(); graph.nodes.len()];
        for route in routes {
            let (Some(&from), Some(&to)) = (index.get(&route.from), index.get(&route.to)) else {
                continue;
            };
            let way = match (route.from, route.edge) {
                (Node::Construct(construct), Some(edge)) => {
                    index.get(&Node::Way { construct, edge }).copied()
                }
                _ => None,
            };
            if let Some(way) = way {
                graph.into[way].push(Entering { from, edge: None });
            }
            graph.into[to].push(Entering { from: way.unwrap_or(from), edge: route.edge });
        }
        graph
    }

    /// The number of the end.
    pub(super) fn end(&self) -> usize {
        self.nodes.iter().position(|&node| node == Node::End).unwrap_or(0)
    }

    /// Finds out which nodes are needed and the origin of each, where those that matter are told.
    pub(super) fn solve(&mut self, matters: Vec<bool>) {
        let count = self.nodes.len();
        let mut edges = DiGraph::<(), ()>::with_capacity(count, count);
        for _ in 0..count {
            edges.add_node(());
        }
        for (to, ways) in self.into.iter().enumerate() {
            for way in ways {
                edges.add_edge(NodeIndex::new(way.from), NodeIndex::new(to), ());
            }
        }
        let tree = simple_fast(&edges, NodeIndex::new(0));
        let above =
            |node: usize| tree.immediate_dominator(NodeIndex::new(node)).map(NodeIndex::index);
        let mut frontier: Vec<HashSet<usize>> = vec![HashSet::new(); count];
        for (node, ways) in self.into.iter().enumerate() {
            for way in ways.iter().filter(|_| ways.len() > 1) {
                let mut runner = Some(way.from);
                while let Some(at) = runner.filter(|&at| Some(at) != above(node)) {
                    if !frontier[at].insert(node) {
                        break;
                    }
                    runner = above(at);
                }
            }
        }
        self.needed = matters;
        self.needed[0] = true;
        let mut work: Vec<usize> = (0..count).filter(|&node| self.needed[node]).collect();
        while let Some(node) = work.pop() {
            for &meets in &frontier[node] {
                if !std::mem::replace(&mut self.needed[meets], true) {
                    work.push(meets);
                }
            }
        }
        let mut origin: Vec<Option<usize>> = vec![None; count];
        let mut path = Vec::new();
        for node in 0..count {
            let mut at = node;
            let found = loop {
                match origin[at] {
                    Some(found) => break found,
                    None if self.needed[at] => break at,
                    None => path.push(at),
                }
                at = above(at).unwrap_or(0);
            };
            origin[node] = Some(found);
            path.drain(..).for_each(|passed| origin[passed] = Some(found));
        }
        self.origin = origin.into_iter().map(|found| found.unwrap_or(0)).collect();
    }
}
