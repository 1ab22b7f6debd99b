//! Which ends reach which points, for each location by itself, as sets that share their parts.
//!
//! Static single assignment (R. Cytron et al., ACM TOPLAS 13 (1991) 4): the set of a location changes where an operation puts
//! an end into it, and where ways join on which it may differ, which are the iterated dominance frontiers. In
//! between it is the same set. So the work is that of the operations and of the joins, not their product.

use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};
use smallvec::SmallVec;

use super::End;
use super::sets::Draft;

/// One thing that is done to the set of a location.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    /// An end is put into it, in place of all others if `alone`.
    Put { location: u32, end: End, alone: bool },
    /// All ends are taken out.
    Clear { location: u32 },
    /// The set as it is here is added to the answer.
    Get { location: u32, answer: u32 },
}

impl Op {
    fn changes(self) -> Option<u32> {
        match self {
            Op::Put { location, .. } | Op::Clear { location } => Some(location),
            Op::Get { .. } => None,
        }
    }
}

/// A graph of operations. Its root is the last node.
#[derive(Debug, Default)]
pub(super) struct Problem {
    /// The operations at each node, in order.
    pub(super) ops: Vec<Vec<Op>>,
    /// The nodes that follow each node.
    pub(super) next: Vec<SmallVec<[u32; 2]>>,
    /// Nodes where a walk may begin, beside the root: all are reached from one of them.
    pub(super) starts: Vec<u32>,
    /// How many locations there are.
    pub(super) locations: usize,
    /// How many answers there are.
    pub(super) answers: usize,
}

/// The set of nothing.
const NOTHING: u32 = 0;

/// The drafts of the sets, and which draft each answer is.
pub(super) fn solve(problem: &Problem) -> (Vec<Draft>, Vec<u32>) {
    let dominance = Dominance::new(problem);
    let mut walk = Walk {
        problem,
        joins: joins(problem, &dominance),
        drafts: vec![Draft::default()],
        top: vec![NOTHING; problem.locations],
        answers: vec![Draft::default(); problem.answers],
    };
    walk.number_joins();
    walk.all(&dominance);
    let Walk { mut drafts, answers, .. } = walk;
    let mut wanted = Vec::with_capacity(answers.len());
    for mut answer in answers {
        answer.parts.sort_unstable();
        answer.parts.dedup();
        wanted.push(match answer.parts.as_slice() {
            [] => NOTHING,
            [one] => *one,
            _ => {
                drafts.push(answer);
                drafts.len() as u32 - 1
            }
        });
    }
    (drafts, wanted)
}

/// The dominator tree, and the dominance frontiers.
struct Dominance {
    root: u32,
    children: Vec<SmallVec<[u32; 2]>>,
    frontier: Vec<SmallVec<[u32; 2]>>,
}

impl Dominance {
    fn new(problem: &Problem) -> Self {
        let count = problem.ops.len();
        let root = count as u32;
        let mut graph = DiGraph::<(), ()>::with_capacity(count + 1, 2 * count);
        (0..=count).for_each(|_| {
            graph.add_node(());
        });
        let node = |number: u32| NodeIndex::new(number as usize);
        let mut before: Vec<SmallVec<[u32; 2]>> = vec![SmallVec::new(); count];
        let starts = problem.starts.iter().map(|&start| (root, start));
        let edges = (0..)
            .zip(&problem.next)
            .flat_map(|(from, next)| next.iter().map(move |&to| (from, to)));
        for (from, to) in starts.chain(edges) {
            graph.add_edge(node(from), node(to), ());
            before[to as usize].push(from);
        }
        let tree = simple_fast(&graph, node(root));
        let above = |number: u32| tree.immediate_dominator(node(number)).map(|n| n.index() as u32);
        let mut children = vec![SmallVec::new(); count + 1];
        for number in 0..root {
            if let Some(above) = above(number) {
                children[above as usize].push(number);
            }
        }
        let mut frontier: Vec<SmallVec<[u32; 2]>> = vec![SmallVec::new(); count + 1];
        for join in (0..root).filter(|&join| before[join as usize].len() > 1) {
            let end = above(join);
            for &from in &before[join as usize] {
                let mut here = Some(from);
                while let Some(number) = here.filter(|_| here != end) {
                    // Who has the join already has passed it to all above.
                    if frontier[number as usize].last() == Some(&join) {
                        break;
                    }
                    frontier[number as usize].push(join);
                    here = above(number);
                }
            }
        }
        Dominance { root, children, frontier }
    }
}

/// The locations whose sets ways may tell apart, at each node where they join.
type Joins = Vec<Vec<(u32, u32)>>;

/// The iterated dominance frontiers of the nodes that change a location; the drafts are numbered later.
fn joins(problem: &Problem, dominance: &Dominance) -> Joins {
    let count = problem.ops.len();
    let mut changed_at: Vec<Vec<u32>> = vec![Vec::new(); problem.locations];
    let mut is_asked = vec![false; problem.locations];
    for (node, ops) in (0..).zip(&problem.ops) {
        for &op in ops {
            match op.changes() {
                Some(location) => {
                    let nodes = &mut changed_at[location as usize];
                    if nodes.last() != Some(&node) {
                        nodes.push(node);
                    }
                }
                None => {
                    if let Op::Get { location, .. } = op {
                        is_asked[location as usize] = true;
                    }
                }
            }
        }
    }
    let mut joins: Joins = vec![Vec::new(); count];
    // By which location a node was last seen as a join, and as one to look at.
    let (mut joined, mut queued) = (vec![u32::MAX; count], vec![u32::MAX; count]);
    for (location, nodes) in (0..).zip(changed_at) {
        if !is_asked[location as usize] {
            continue;
        }
        let mut work = nodes;
        work.iter().for_each(|&node| queued[node as usize] = location);
        while let Some(node) = work.pop() {
            for &join in &dominance.frontier[node as usize] {
                if std::mem::replace(&mut joined[join as usize], location) == location {
                    continue;
                }
                joins[join as usize].push((location, NOTHING));
                if std::mem::replace(&mut queued[join as usize], location) != location {
                    work.push(join);
                }
            }
        }
    }
    joins
}

/// The walk down the dominator tree: `top` is the set of each location at the point that it has reached.
struct Walk<'p> {
    problem: &'p Problem,
    joins: Joins,
    drafts: Vec<Draft>,
    top: Vec<u32>,
    answers: Vec<Draft>,
}

impl Walk<'_> {
    fn number_joins(&mut self) {
        for (_, draft) in self.joins.iter_mut().flatten() {
            *draft = self.drafts.len() as u32;
            self.drafts.push(Draft::default());
        }
    }

    fn all(&mut self, dominance: &Dominance) {
        // A node with its next child, and how many changes are to be undone behind it.
        let mut path: Vec<(u32, usize, usize)> = vec![(dominance.root, 0, 0)];
        let mut undo: Vec<(u32, u32)> = Vec::new();
        while let Some((node, child, kept)) = path.pop() {
            match dominance.children[node as usize].get(child) {
                Some(&below) => {
                    path.push((node, child + 1, kept));
                    path.push((below, 0, undo.len()));
                    self.node(below, &mut undo);
                }
                None => {
                    for (location, before) in undo.drain(kept..).rev() {
                        self.top[location as usize] = before;
                    }
                }
            }
        }
    }

    fn node(&mut self, node: u32, undo: &mut Vec<(u32, u32)>) {
        for position in 0..self.joins[node as usize].len() {
            let (location, draft) = self.joins[node as usize][position];
            self.change(location, draft, undo);
        }
        let problem = self.problem;
        for &op in &problem.ops[node as usize] {
            match op {
                Op::Put { location, end, alone } => {
                    let mut draft = Draft { ends: [end].into_iter().collect(), ..Draft::default() };
                    if !alone && self.top[location as usize] != NOTHING {
                        draft.parts.push(self.top[location as usize]);
                    }
                    self.drafts.push(draft);
                    self.change(location, self.drafts.len() as u32 - 1, undo);
                }
                Op::Clear { location } => self.change(location, NOTHING, undo),
                Op::Get { location, answer } => {
                    let top = self.top[location as usize];
                    if top != NOTHING {
                        self.answers[answer as usize].parts.push(top);
                    }
                }
            }
        }
        for &next in &problem.next[node as usize] {
            for &(location, draft) in &self.joins[next as usize] {
                let top = self.top[location as usize];
                if top != NOTHING && top != draft {
                    self.drafts[draft as usize].parts.push(top);
                }
            }
        }
    }

    fn change(&mut self, location: u32, draft: u32, undo: &mut Vec<(u32, u32)>) {
        let before = std::mem::replace(&mut self.top[location as usize], draft);
        undo.push((location, before));
    }
}
