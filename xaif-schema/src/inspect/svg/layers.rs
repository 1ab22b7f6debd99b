//! Layers: which row each node stands in, and the order within each row.
//!
//! Arrows that close a cycle are turned round; then each node stands below all that lead to it
//! (longest path), long arrows get a bend in every row that they pass, and some sweeps up and down
//! sort each row by the mean position of its neighbours. No randomness.

use crate::inspect::graph::Graph;

/// Arrows beyond so many bends in all are drawn straight where they are long.
const BENDS: usize = 100_000;
/// What is long then.
const LONG: usize = 40;

/// The rows. Items are the nodes, by their index, then the bends of long arrows.
pub(super) struct Layers {
    /// The row of each item.
    pub(super) row: Vec<usize>,
    /// Whether every other row has no nodes: there the labels stand.
    pub(super) labels: bool,
    /// The items of each row from left to right.
    pub(super) rows: Vec<Vec<usize>>,
    /// The items that each arrow passes from top to bottom; empty for one from a node to itself.
    pub(super) chains: Vec<Vec<usize>>,
    /// Whether each arrow leads upwards.
    pub(super) back: Vec<bool>,
    /// Neighbours above and below each item.
    pub(super) above: Vec<Vec<usize>>,
    pub(super) below: Vec<Vec<usize>>,
}

impl Layers {
    /// The rows of `graph`.
    pub(super) fn new(graph: &Graph) -> Self {
        let back = graph.back_arrows();
        // From top to bottom, without arrows from a node to itself.
        let ends: Vec<Option<(usize, usize)>> = graph
            .edges
            .iter()
            .zip(&back)
            .map(|(edge, &back)| match (edge.from == edge.to, back) {
                (true, _) => None,
                (false, true) => Some((edge.to, edge.from)),
                (false, false) => Some((edge.from, edge.to)),
            })
            .collect();
        let mut row = ranks(graph, &ends);
        let labels = has_rows_of_labels(graph);
        if labels {
            row.iter_mut().for_each(|row| *row *= 2);
        }
        let mut layers = Layers {
            row,
            labels,
            rows: Vec::new(),
            chains: Vec::with_capacity(ends.len()),
            back,
            above: vec![Vec::new(); graph.nodes.len()],
            below: vec![Vec::new(); graph.nodes.len()],
        };
        layers.bend(&ends);
        layers.sort();
        layers
    }

    /// Whether an item is a bend.
    pub(super) fn is_bend(&self, item: usize, nodes: usize) -> bool {
        item >= nodes
    }

    fn bend(&mut self, ends: &[Option<(usize, usize)>]) {
        let span = |&(top, bottom): &(usize, usize)| self.row[bottom].saturating_sub(self.row[top]);
        let wanted: usize = ends.iter().flatten().map(span).sum();
        let longest = if wanted > BENDS { LONG } else { usize::MAX };
        for ends in ends {
            let mut chain = Vec::new();
            if let Some((top, bottom)) = *ends {
                chain.push(top);
                let rows = self.row[top] + 1..self.row[bottom];
                if rows.len() < longest {
                    for row in rows {
                        self.row.push(row);
                        self.above.push(Vec::new());
                        self.below.push(Vec::new());
                        chain.push(self.row.len() - 1);
                    }
                }
                chain.push(bottom);
            }
            for pair in chain.windows(2) {
                if self.row[pair[1]] == self.row[pair[0]] + 1 {
                    self.below[pair[0]].push(pair[1]);
                    self.above[pair[1]].push(pair[0]);
                }
            }
            self.chains.push(chain);
        }
        let count = self.row.iter().max().map_or(0, |last| last + 1);
        self.rows = vec![Vec::new(); count];
        for (item, &row) in self.row.iter().enumerate() {
            self.rows[row].push(item);
        }
    }

    fn sort(&mut self) {
        let sweeps = if self.row.len() > 20_000 { 6 } else { 24 };
        let mut position = vec![0.0; self.row.len()];
        self.number(&mut position);
        let mut best = self.rows.clone();
        let mut fewest = usize::MAX;
        for sweep in 0..sweeps {
            let downwards = sweep % 2 == 0;
            let count = self.rows.len();
            for step in 0..count {
                let row = if downwards { step } else { count - 1 - step };
                let neighbours = if downwards { &self.above } else { &self.below };
                let key =
                    |item: usize| mean(&neighbours[item], &position).unwrap_or(position[item]);
                let mut keyed: Vec<_> =
                    self.rows[row].iter().map(|&item| (key(item), item)).collect();
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
                self.rows[row] = keyed.into_iter().map(|(_, item)| item).collect();
                number(&self.rows[row], &mut position);
            }
            let crossings = self.crossings(&position);
            if crossings < fewest {
                fewest = crossings;
                best.clone_from(&self.rows);
            }
            if fewest == 0 {
                break;
            }
        }
        self.rows = best;
    }

    fn number(&self, position: &mut [f64]) {
        for row in &self.rows {
            number(row, position);
        }
    }

    /// How many pairs of arrows cross between neighbouring rows.
    fn crossings(&self, position: &[f64]) -> usize {
        let mut total = 0;
        for (index, row) in self.rows.iter().enumerate() {
            let width = self.rows.get(index + 1).map_or(0, Vec::len);
            // A Fenwick tree counts the arrows that end at the right of each one.
            let mut tree = vec![0usize; width + 1];
            let mut seen = 0;
            for &item in row {
                let mut targets: Vec<_> =
                    self.below[item].iter().map(|&below| position[below] as usize).collect();
                targets.sort_unstable();
                for &target in &targets {
                    let (mut at, mut left) = (target + 1, 0);
                    while at > 0 {
                        left += tree[at];
                        at &= at - 1;
                    }
                    total += seen - left;
                }
                for &target in &targets {
                    let mut at = target + 1;
                    while at <= width {
                        tree[at] += 1;
                        at += at & at.wrapping_neg();
                    }
                    seen += 1;
                }
            }
        }
        total
    }
}

fn number(row: &[usize], position: &mut [f64]) {
    for (index, &item) in row.iter().enumerate() {
        position[item] = index as f64;
    }
}

fn mean(items: &[usize], position: &[f64]) -> Option<f64> {
    if items.is_empty() {
        return None;
    }
    Some(items.iter().map(|&item| position[item]).sum::<f64>() / items.len() as f64)
}

/// Where most arrows have labels these need room of their own: a row between each two rows of nodes.
/// (A wish may leave such a row empty; graphs with wishes have few labels.)
fn has_rows_of_labels(graph: &Graph) -> bool {
    let labelled = graph.edges.iter().filter(|edge| !edge.label.is_empty()).count();
    2 * labelled > graph.edges.len() && graph.above.is_empty()
}

/// The most work that is spent on wishes that contradict each other.
const WISHES: usize = 20_000_000;

/// The row of each node, with as many of the graph's wishes as can be had.
fn ranks(graph: &Graph, ends: &[Option<(usize, usize)>]) -> Vec<usize> {
    let nodes = graph.nodes.len();
    let mut all: Vec<_> = ends.to_vec();
    all.extend(graph.above.iter().map(|&pair| Some(pair)));
    if let Some(rows) = longest_paths(nodes, &all) {
        return rows;
    }
    // Some wish closes a cycle: try one after the other.
    all.truncate(ends.len());
    if graph.above.len() * (nodes + ends.len()) < WISHES {
        for &pair in &graph.above {
            all.push(Some(pair));
            if longest_paths(nodes, &all).is_none() {
                all.pop();
            }
        }
    }
    longest_paths(nodes, &all).unwrap_or_else(|| vec![0; nodes])
}

/// The row of each node: below all that lead to it; a node that nothing leads to stands just above
/// the first that it leads to. `None` if there is a cycle.
fn longest_paths(nodes: usize, ends: &[Option<(usize, usize)>]) -> Option<Vec<usize>> {
    let mut below = vec![Vec::new(); nodes];
    let mut waiting = vec![0usize; nodes];
    for &(top, bottom) in ends.iter().flatten() {
        below[top].push(bottom);
        waiting[bottom] += 1;
    }
    let sources: Vec<usize> = (0..nodes).filter(|&node| waiting[node] == 0).collect();
    let mut row = vec![0usize; nodes];
    let mut ready = std::collections::VecDeque::from(sources.clone());
    let mut done = 0;
    while let Some(node) = ready.pop_front() {
        done += 1;
        for &next in &below[node] {
            row[next] = row[next].max(row[node] + 1);
            waiting[next] -= 1;
            if waiting[next] == 0 {
                ready.push_back(next);
            }
        }
    }
    for source in sources {
        if let Some(first) = below[source].iter().map(|&next| row[next]).min() {
            row[source] = first.saturating_sub(1);
        }
    }
    (done == nodes).then_some(row)
}
