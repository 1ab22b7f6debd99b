//! Graphs to be drawn: boxes of text and labelled arrows. Knows nothing of what they mean.

/// A graph to be drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// What it shows.
    pub title: String,
    /// The boxes.
    pub nodes: Vec<Node>,
    /// The arrows, in an order that decides how they are laid out.
    pub edges: Vec<Arrow>,
    /// Pairs of nodes of which the first had better stand above the second, as the end of a loop
    /// above what follows the loop, although no arrow joins them.
    pub above: Vec<(usize, usize)>,
}

/// A box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its text.
    pub lines: Vec<String>,
    /// What it is, which decides how it looks.
    pub look: Look,
}

/// How a node looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Look {
    /// Statements; a procedure.
    Box,
    /// The entry or exit; a procedure that is not given.
    Round,
    /// A decision.
    Decision,
    /// A loop.
    Loop,
    /// A jump or a place that is jumped to.
    Jump,
    /// The end of a construct.
    Small,
    /// A variable in an expression.
    Variable,
    /// A variable that has a derivative.
    Active,
}

/// An arrow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// Index of the node where it starts.
    pub from: usize,
    /// Index of the node where it ends.
    pub to: usize,
    /// What decides that it is taken, or what it carries.
    pub label: String,
    /// What a change of the graph does to it.
    pub change: Change,
}

/// What a change of a graph does to an arrow, where one is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Change {
    /// Nothing.
    #[default]
    Stays,
    /// It is new.
    New,
    /// It was there and says something else now.
    Other,
    /// It is taken away.
    Gone,
}

impl Graph {
    /// Adds a node.
    pub fn node(&mut self, look: Look, lines: Vec<String>) -> usize {
        self.nodes.push(Node { lines, look });
        self.nodes.len() - 1
    }

    /// Adds an arrow.
    pub fn arrow(&mut self, from: usize, to: usize, label: impl Into<String>) {
        self.arrow_that(Change::Stays, from, to, label);
    }

    /// Adds an arrow that a change concerns.
    pub fn arrow_that(&mut self, change: Change, from: usize, to: usize, label: impl Into<String>) {
        self.edges.push(Arrow { from, to, label: label.into(), change });
    }

    /// For each arrow whether it leads back: against a walk in depth from the first nodes.
    pub fn back_arrows(&self) -> Vec<bool> {
        let mut out = vec![Vec::new(); self.nodes.len()];
        let mut entered = vec![false; self.nodes.len()];
        for (index, edge) in self.edges.iter().enumerate() {
            out[edge.from].push(index);
            if edge.from != edge.to {
                entered[edge.to] = true;
            }
        }
        let mut back = vec![false; self.edges.len()];
        let mut state = vec![State::New; self.nodes.len()];
        let sources = (0..self.nodes.len()).filter(|&node| !entered[node]);
        for root in sources.chain(0..self.nodes.len()) {
            if state[root] != State::New {
                continue;
            }
            state[root] = State::Open;
            let mut stack = vec![(root, 0)];
            while let Some(top) = stack.last_mut() {
                let (node, next) = *top;
                let Some(&edge) = out[node].get(next) else {
                    state[node] = State::Done;
                    stack.pop();
                    continue;
                };
                top.1 += 1;
                let target = self.edges[edge].to;
                match state[target] {
                    State::New => {
                        state[target] = State::Open;
                        stack.push((target, 0));
                    }
                    State::Open => back[edge] = true,
                    State::Done => {}
                }
            }
        }
        back
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_arrow_that_closes_a_cycle_leads_back() {
        let mut graph = Graph::default();
        for _ in 0..4 {
            graph.node(Look::Box, Vec::new());
        }
        for (from, to) in [(0, 1), (1, 2), (2, 1), (1, 3), (3, 3)] {
            graph.arrow(from, to, "");
        }
        assert_eq!(graph.back_arrows(), [false, false, true, false, true]);
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_nodes_needs_no_recursion() {
        let mut graph = Graph::default();
        for node in 0..100_000 {
            graph.node(Look::Box, Vec::new());
            graph.arrow(node, (node + 1) % 100_000, "");
        }
        assert_eq!(graph.back_arrows().iter().filter(|&&back| back).count(), 1);
    }
}
