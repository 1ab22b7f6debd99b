//! Procedures in an order in which interprocedural analyses can work.
//!
//! A summary of a procedure needs those of its callees (bottom-up), a context those of its callers
//! (top-down); procedures that call each other in a circle are worked on together.

use std::collections::{BTreeSet, HashMap, HashSet};

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::graphmap::DiGraphMap;
use xaif_schema::model::{Document, EntityRef, ProcId};

/// The call graph, condensed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallGraph {
    levels: Vec<Vec<Vec<ProcId>>>,
}

impl CallGraph {
    /// The call graph of `doc`, from its call edges. Front-ends write an edge where the program
    /// names the callee; calls of dummy procedures, by procedure pointers and by dispatch have
    /// none: `booster_facts::call_graph` has them all.
    pub fn new(doc: &Document) -> Self {
        Self::of_calls(doc, doc.calls.iter().copied())
    }

    /// The call graph of `doc` with these calls: caller and callee.
    pub fn of_calls(doc: &Document, calls: impl IntoIterator<Item = (ProcId, ProcId)>) -> Self {
        let mut graph = DiGraph::<ProcId, ()>::new();
        for proc in doc.procs.keys() {
            graph.add_node(proc);
        }
        let calls: BTreeSet<(ProcId, ProcId)> = calls.into_iter().collect();
        for (caller, callee) in calls {
            graph.add_edge(NodeIndex::new(caller.index()), NodeIndex::new(callee.index()), ());
        }
        // The components come callees first. Tarjan's algorithm would recurse as deep as calls are nested.
        let mut level_of = vec![0_usize; graph.node_count()];
        let mut levels: Vec<Vec<Vec<ProcId>>> = Vec::new();
        for component in kosaraju_scc(&graph) {
            let inside: BTreeSet<NodeIndex> = component.iter().copied().collect();
            let outside = |callee: &NodeIndex| !inside.contains(callee);
            let callees = component.iter().flat_map(|&node| graph.neighbors(node));
            let level = callees
                .filter(outside)
                .map(|callee| level_of[callee.index()] + 1)
                .max()
                .unwrap_or(0);
            for node in &component {
                level_of[node.index()] = level;
            }
            let mut procs: Vec<ProcId> = component.iter().map(|&node| graph[node]).collect();
            procs.sort_unstable();
            if levels.len() <= level {
                levels.resize_with(level + 1, Vec::new);
            }
            levels[level].push(procs);
        }
        for level in &mut levels {
            level.sort_unstable();
        }
        CallGraph { levels }
    }

    /// Levels of components, callees before callers. The components of one level do not call each
    /// other and may be worked on in parallel; each is sorted, and so is each level.
    pub fn bottom_up(&self) -> impl DoubleEndedIterator<Item = &[Vec<ProcId>]> {
        self.levels.iter().map(Vec::as_slice)
    }

    /// The same levels, callers before callees.
    pub fn top_down(&self) -> impl DoubleEndedIterator<Item = &[Vec<ProcId>]> {
        self.bottom_up().rev()
    }
}

/// Who calls whom, for questions of what is reached.
pub struct Callees(HashMap<ProcId, Vec<ProcId>>);

impl Callees {
    /// From the call edges of `doc`: by name.
    pub fn new(doc: &Document) -> Self {
        Self::of_calls(doc.calls.iter().copied())
    }

    /// From these calls: caller and callee.
    pub fn of_calls(calls: impl IntoIterator<Item = (ProcId, ProcId)>) -> Self {
        let mut callees: HashMap<ProcId, Vec<ProcId>> = HashMap::new();
        for (caller, callee) in calls {
            callees.entry(caller).or_default().push(callee);
        }
        Callees(callees)
    }

    /// The procedures that `caller` itself calls.
    pub fn of(&self, caller: ProcId) -> impl Iterator<Item = ProcId> + '_ {
        self.0.get(&caller).into_iter().flatten().copied()
    }

    /// Those of `first`, and all that may be executed while one of them is.
    pub fn reached(&self, first: impl IntoIterator<Item = ProcId>) -> HashSet<ProcId> {
        let mut found: HashSet<ProcId> = first.into_iter().collect();
        let mut work: Vec<ProcId> = found.iter().copied().collect();
        while let Some(caller) = work.pop() {
            work.extend(self.of(caller).filter(|&callee| found.insert(callee)));
        }
        found
    }

    /// The procedures that may be executed while they are executed.
    pub fn recursive(&self) -> HashSet<ProcId> {
        let mut graph = DiGraphMap::<ProcId, ()>::new();
        for (&caller, callees) in &self.0 {
            for &callee in callees {
                graph.add_edge(caller, callee, ());
            }
        }
        let is_cycle = |component: &Vec<ProcId>| match component.as_slice() {
            &[alone] => graph.contains_edge(alone, alone),
            _ => true,
        };
        kosaraju_scc(&graph).into_iter().filter(is_cycle).flatten().collect()
    }
}
