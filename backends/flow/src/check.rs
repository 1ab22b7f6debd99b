//! Reads a plan back as text and compares its flow with the graph.
//!
//! For every edge of the graph: where control really goes in the text, through everything where
//! nothing happens, must be where the edge leads. This knows what GOTO, EXIT, CYCLE and the ends
//! of constructs mean, but nothing of how the plan was made.

use std::collections::HashMap;

use xaif_schema::model::{VertexId, VertexKind};

use crate::graph::Graph;
use crate::plan::{Construct, Op, Plan, Site, Transfer};

/// A vertex from which the text goes elsewhere than the graph.
pub fn difference(graph: &Graph<'_>, plan: &Plan) -> Option<VertexId> {
    let text = Text::new(graph, plan);
    ill_nested(plan).or_else(|| (0..plan.ops.len()).find_map(|index| text.differs(index)))
}

/// The head of a construct of which an arm or the end stands within another one.
fn ill_nested(plan: &Plan) -> Option<VertexId> {
    let mut open: Vec<VertexId> = Vec::new();
    for op in &plan.ops {
        let (head, ends) = match *op {
            Op::Vertex(vertex) if plan.structure.end.contains_key(&vertex) => {
                open.push(vertex);
                continue;
            }
            Op::Vertex(_) | Op::AfterLoop(_) | Op::End => continue,
            Op::Arm(branch, _) => (branch, false),
            Op::EndBranch(_, head) | Op::EndLoop(_, head) => (head, true),
        };
        if open.last() != Some(&head) {
            return Some(head);
        }
        if ends {
            open.pop();
        }
    }
    None
}

struct Text<'a, 'd> {
    graph: &'a Graph<'d>,
    plan: &'a Plan,
    /// The operation of each vertex.
    at: HashMap<VertexId, usize>,
    /// The operation at which a branch ends.
    ends: HashMap<VertexId, usize>,
    /// The operation behind a loop.
    after: HashMap<VertexId, usize>,
}

impl<'a, 'd> Text<'a, 'd> {
    fn new(graph: &'a Graph<'d>, plan: &'a Plan) -> Self {
        let mut text =
            Text { graph, plan, at: HashMap::new(), ends: HashMap::new(), after: HashMap::new() };
        for (index, op) in plan.ops.iter().enumerate() {
            match *op {
                Op::Vertex(vertex) => {
                    text.at.insert(vertex, index);
                }
                Op::EndBranch(vertex, branch) => {
                    text.at.insert(vertex, index);
                    text.ends.insert(branch, index);
                }
                Op::EndLoop(vertex, _) => {
                    text.at.insert(vertex, index);
                }
                Op::AfterLoop(head) => {
                    text.after.insert(head, index);
                }
                Op::Arm(..) | Op::End => {}
            }
        }
        text
    }

    /// The vertex of operation `index`, if one of its edges leads elsewhere.
    fn differs(&self, index: usize) -> Option<VertexId> {
        let (vertex, target) = match self.plan.ops[index] {
            Op::Arm(branch, arm) => (branch, self.plan.arm(branch, arm).map(|arm| arm.target)),
            Op::EndBranch(end, _) => (end, self.graph.next(end)),
            Op::AfterLoop(head) => (head, self.graph.after_loop(head)),
            Op::EndLoop(end, head) => {
                return (self.graph.next(end) != Some(head)).then_some(end);
            }
            Op::End => return None,
            Op::Vertex(vertex) => {
                if self.named_differs(index, vertex) {
                    return Some(vertex);
                }
                (vertex, self.only_way(vertex))
            }
        };
        let target = target?;
        let found = self.follow(self.leave(index)?);
        (found != Some(self.graph.resolve(target))).then_some(vertex)
    }

    /// Where a vertex goes on that does not only name labels; nothing for what never goes on and
    /// for a branch with arms, whose edges are those of its arms.
    fn only_way(&self, vertex: VertexId) -> Option<VertexId> {
        let structured = self.plan.structure.end.contains_key(&vertex);
        match self.graph.kind(vertex) {
            VertexKind::BasicBlock { stmts, .. } => {
                if crate::plan::never_goes_on(self.graph, vertex, stmts) {
                    return None;
                }
                self.graph.default_edge(vertex).map(|(_, edge)| edge.target)
            }
            VertexKind::Branch { .. } if structured => None,
            VertexKind::Branch { .. } => {
                self.graph.default_edge(vertex).map(|(_, edge)| edge.target)
            }
            VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. } => self.graph.body_of(vertex),
            // The end of a loop that is written flat jumps to a test, which is no vertex.
            VertexKind::EndLoop | VertexKind::Exit => None,
            VertexKind::Goto(_) if crate::plan::is_dead(self.graph, vertex) => None,
            VertexKind::Entry(_)
            | VertexKind::EndBranch
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => self.graph.next(vertex),
        }
    }

    /// Whether a label that the statement names stands elsewhere than its edge leads.
    fn named_differs(&self, index: usize, vertex: VertexId) -> bool {
        let Some(named) = self.plan.named.get(&index) else { return false };
        named.iter().any(|&(value, site)| {
            let Some(value) = value else { return false };
            let found = self.place(site).and_then(|at| self.follow(at));
            let mut targets = self
                .graph
                .out(vertex)
                .filter(|(_, edge)| edge.condition == Some(value))
                .map(|(_, edge)| self.graph.resolve(edge.target));
            !targets.any(|target| found == Some(target))
        })
    }

    fn place(&self, site: Site) -> Option<usize> {
        match site {
            Site::Vertex(vertex) | Site::Test(vertex) => self.at.get(&vertex).copied(),
            Site::End => Some(self.plan.ops.len() - 1),
        }
    }

    /// The operation that follows `index` in the text when it is executed.
    fn leave(&self, index: usize) -> Option<usize> {
        match self.plan.transfers.get(&index) {
            Some(Transfer::Goto(site)) => self.place(*site),
            Some(Transfer::Return) => Some(self.plan.ops.len() - 1),
            Some(Transfer::Exit(name)) => self.construct(index, name.as_deref(), false),
            Some(Transfer::Cycle(name)) => self.construct(index, name.as_deref(), true),
            None => match self.plan.ops.get(index + 1)? {
                Op::Arm(branch, _) if !self.plan.falls_through(self.graph, *branch) => {
                    self.ends.get(branch).copied()
                }
                _ => Some(index + 1),
            },
        }
    }

    /// Where EXIT or CYCLE at operation `index` leads.
    fn construct(&self, index: usize, name: Option<&str>, cycle: bool) -> Option<usize> {
        let mut region = *self.plan.region_out.get(index)?;
        while region != 0 {
            let data = &self.plan.regions[region];
            let (own, is_loop, next) = match data.construct {
                Construct::Loop(head) => {
                    let end = self.plan.structure.end.get(&head).and_then(|end| self.at.get(end));
                    let next = if cycle { end } else { self.after.get(&head) };
                    (self.name(head), true, next.copied())
                }
                Construct::Branch(branch) => {
                    (self.name(branch), false, self.ends.get(&branch).copied())
                }
                Construct::Block(_) => {
                    // The first operation outside of the block and of all within it.
                    let outside = |&at: &usize| !self.is_within(self.plan.region_out[at], region);
                    let next = (index..self.plan.ops.len()).find(outside).map(|at| at + 1);
                    (self.plan.block_name(self.graph, region), false, next)
                }
                Construct::Body => return None,
            };
            let meant = match name {
                Some(name) => own.is_some_and(|own| own.eq_ignore_ascii_case(name)),
                None => {
                    let switch = match data.construct {
                        Construct::Branch(branch) => self.plan.falls_through(self.graph, branch),
                        _ => false,
                    };
                    is_loop || switch && !cycle
                }
            };
            if meant {
                return next;
            }
            region = data.parent;
        }
        None
    }

    fn is_within(&self, region: usize, outer: usize) -> bool {
        let mut current = region;
        while current != outer {
            if current == 0 {
                return false;
            }
            current = self.plan.regions[current].parent;
        }
        true
    }

    fn name(&self, vertex: VertexId) -> Option<&'d str> {
        match self.graph.kind(vertex) {
            VertexKind::Branch { name, .. }
            | VertexKind::ForLoop { name, .. }
            | VertexKind::PreLoop { name, .. }
            | VertexKind::ConcurrentLoop { name, .. } => name.as_deref(),
            _ => None,
        }
    }

    /// The first vertex where something happens when control is at operation `index`.
    fn follow(&self, index: usize) -> Option<VertexId> {
        let mut at = index;
        for _ in 0..=self.plan.ops.len() {
            match self.plan.ops.get(at)? {
                Op::Vertex(vertex) if !self.graph.is_trivial(*vertex) => return Some(*vertex),
                Op::EndLoop(vertex, _) => return Some(*vertex),
                Op::End => return self.graph.exit(),
                Op::Vertex(_) | Op::EndBranch(..) | Op::AfterLoop(_) => at = self.leave(at)?,
                Op::Arm(branch, _) if self.plan.falls_through(self.graph, *branch) => {
                    at = self.leave(at)?;
                }
                Op::Arm(branch, _) => at = *self.ends.get(branch)?,
            }
        }
        // Round and round where nothing happens: only right if the graph does the same.
        self.plan.ops.get(index).and_then(|op| match op {
            Op::Vertex(vertex) => Some(self.graph.resolve(*vertex)),
            _ => None,
        })
    }
}
