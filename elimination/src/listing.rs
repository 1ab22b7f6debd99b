//! An accumulation as statements: one for each operation or multiply-add, with places for the
//! results.
//!
//! A product that is used once, in a sum, is part of the statement of the sum. A result takes the name
//! of the edge whose value it is, `c_target_source`, once nobody needs what that name stood for:
//! `c_7_3 = c_7_3 + c_7_4*c_4_3`, as paper 2 writes it (equation 5).

use std::collections::{HashMap, HashSet};

use crate::accumulation::{Accumulation, Atom, Entry, Node, NodeId, Op, Value};
use crate::graph::Graph;

/// A statement of an accumulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The operation whose result it computes.
    pub node: NodeId,
    /// What it computes.
    pub expression: Expression,
}

/// The right-hand side of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expression {
    /// `a*b`
    Product(Value, Value),
    /// `a + b`
    Sum(Value, Value),
    /// `addend + a*b`, or `addend - a*b` where the product is negated.
    MultiplyAdd {
        /// The first term.
        addend: Value,
        /// The factors of the second.
        factors: (Value, Value),
        /// Whether the product is taken away.
        negated: bool,
        /// Whether the product stands first: `a*b + addend`; then it is not negated.
        product_first: bool,
    },
}

impl Expression {
    /// What it reads.
    pub fn operands(self) -> impl Iterator<Item = Value> {
        let (a, b, c) = match self {
            Expression::Product(a, b) | Expression::Sum(a, b) => (a, b, None),
            Expression::MultiplyAdd { addend, factors, .. } => (addend, factors.0, Some(factors.1)),
        };
        [Some(a), Some(b), c].into_iter().flatten()
    }
}

/// The statements of an accumulation, in the order of their execution.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The statements.
    pub statements: Vec<Statement>,
    /// After which statement a value is used last; those that entries need are missing.
    last_use: HashMap<Atom, usize>,
    /// The values that entries need.
    entries: HashSet<Atom>,
}

/// How often the value of each node is read.
fn uses(accumulation: &Accumulation, live: &[bool]) -> Vec<usize> {
    let nodes = accumulation.nodes();
    let mut uses = vec![0_usize; nodes.len()];
    let mut count = |value: Value| {
        if let Atom::Node(NodeId(id)) = value.atom {
            uses[id as usize] += 1;
        }
    };
    for (node, _) in nodes.iter().zip(live).filter(|(_, live)| **live) {
        node.op.operands().into_iter().for_each(&mut count);
    }
    for entry in accumulation.entries() {
        // An entry needs a place of its own.
        count(entry.value);
        count(entry.value);
    }
    uses
}

impl Listing {
    /// The statements of `accumulation`.
    pub fn new(accumulation: &Accumulation) -> Listing {
        let (nodes, live) = (accumulation.nodes(), accumulation.live());
        let uses = uses(accumulation, &live);
        let product = |value: Value| match value.atom {
            Atom::Node(NodeId(id)) if uses[id as usize] == 1 => match nodes[id as usize].op {
                Op::Product(a, b) => Some((id, a, b)),
                Op::Sum(..) => None,
            },
            Atom::Node(_) | Atom::Constant(_) | Atom::Variable(_) => None,
        };
        let mut part = vec![false; nodes.len()];
        let mut expressions = Vec::with_capacity(nodes.len());
        for node in nodes {
            expressions.push(match node.op {
                Op::Product(a, b) => Expression::Product(a, b),
                Op::Sum(a, b) => match (product(a), product(b)) {
                    (Some((first, ..)), Some((id, c, d))) if first < id => {
                        part[id as usize] = true;
                        multiply_add(a, (c, d), b.negative, false)
                    }
                    (Some((id, c, d)), _) => {
                        part[id as usize] = true;
                        multiply_add(b, (c, d), a.negative, true)
                    }
                    (None, Some((id, c, d))) => {
                        part[id as usize] = true;
                        multiply_add(a, (c, d), b.negative, false)
                    }
                    (None, None) => Expression::Sum(a, b),
                },
            });
        }
        // A sum that is not live does not take its products along.
        for (id, node) in nodes.iter().enumerate().filter(|&(id, _)| live[id] && uses[id] != 1) {
            part[id] &= !matches!(node.op, Op::Product(..));
        }
        let statements: Vec<Statement> = (0..nodes.len())
            .filter(|&id| live[id] && !part[id])
            .map(|id| Statement { node: NodeId(id as u32), expression: expressions[id] })
            .collect();
        let mut last_use = HashMap::new();
        for (at, statement) in statements.iter().enumerate() {
            for operand in statement.expression.operands() {
                last_use.insert(operand.atom, at);
            }
        }
        let entries = accumulation.entries().iter().map(|entry| entry.value.atom).collect();
        Listing { statements, last_use, entries }
    }

    /// Names for the results of statements: for each node with a statement, what `name` makes of its
    /// edge and a number. The number is 0 where the first name is free; names of variables, which
    /// `taken` tells, are free behind the last use.
    pub fn places(
        &self,
        accumulation: &Accumulation,
        taken: &[(String, Atom)],
        name: &dyn Fn((u32, u32), usize) -> String,
    ) -> HashMap<NodeId, String> {
        let mut holders: HashMap<String, Atom> = taken.iter().cloned().collect();
        let mut places = HashMap::new();
        let busy = |atom: Atom, at: usize| {
            self.entries.contains(&atom) || self.last_use.get(&atom).is_some_and(|&last| last > at)
        };
        for (at, statement) in self.statements.iter().enumerate() {
            let edge = accumulation.nodes()[statement.node.0 as usize].edge;
            let mut number = 0;
            let place = loop {
                let place = name(edge, number);
                match holders.get(&place) {
                    Some(&atom) if busy(atom, at) => number += 1,
                    Some(_) | None => break place,
                }
            };
            holders.insert(place.clone(), Atom::Node(statement.node));
            places.insert(statement.node, place);
        }
        places
    }
}

fn multiply_add(
    addend: Value,
    factors: (Value, Value),
    negated: bool,
    product_first: bool,
) -> Expression {
    // A term that is taken away stands second.
    let product_first = if negated { false } else { product_first || addend.negative };
    Expression::MultiplyAdd { addend, factors, negated, product_first }
}

/// The names of the values of an accumulation.
pub struct Names<'g> {
    graph: &'g Graph,
    places: HashMap<NodeId, String>,
    /// What the operations without a place of their own compute.
    products: HashMap<NodeId, (Value, Value)>,
}

impl<'g> Names<'g> {
    /// Names for the values of `listing`, the listing of `accumulation`, with those of its graph.
    pub fn new(accumulation: &Accumulation, listing: &Listing, graph: &'g Graph) -> Names<'g> {
        let variables: Vec<(String, Atom)> = (0..graph.variables() as u32)
            .map(crate::graph::Variable)
            .map(|variable| (graph.variable_name(variable).to_owned(), Atom::Variable(variable)))
            .collect();
        let name = |(source, target): (u32, u32), number: usize| {
            let base = format!("c_{}_{}", graph.name(target), graph.name(source));
            if number == 0 { base } else { format!("{base}_{}", number + 1) }
        };
        let places = listing.places(accumulation, &variables, &name);
        let product = |(id, node): (u32, &Node)| match node.op {
            Op::Product(a, b) => Some((NodeId(id), (a, b))),
            Op::Sum(..) => None,
        };
        let products = (0..).zip(accumulation.nodes()).filter_map(product);
        Names {
            graph,
            products: products.filter(|(id, _)| !places.contains_key(id)).collect(),
            places,
        }
    }

    /// A value: its name, or the product that it is where it is part of a statement. What no entry
    /// needs has neither.
    pub fn value(&self, value: Value) -> String {
        let name = self.named(value).or_else(|| {
            let Atom::Node(node) = value.atom else { return None };
            let (a, b) = *self.products.get(&node)?;
            Some(format!("{}*{}", self.named(a)?, self.named(b)?))
        });
        let sign = if value.negative { "-" } else { "" };
        format!("{sign}{}", name.as_deref().unwrap_or("..."))
    }

    /// The name of a value, whatever its sign.
    fn named(&self, value: Value) -> Option<String> {
        match value.atom {
            Atom::Constant(number) => Some(number.to_string()),
            Atom::Variable(variable) => Some(self.graph.variable_name(variable).to_owned()),
            Atom::Node(node) => self.places.get(&node).cloned(),
        }
    }

    /// A statement: `c_7_3 = c_7_3 + c_7_4*c_4_3`.
    pub fn statement(&self, statement: &Statement) -> String {
        let text = |value: Value| self.value(value);
        let right = match statement.expression {
            Expression::Product(a, b) => format!("{}*{}", text(a), text(b)),
            Expression::Sum(a, b) if b.negative => format!("{} - {}", text(a), text(-b)),
            Expression::Sum(a, b) => format!("{} + {}", text(a), text(b)),
            Expression::MultiplyAdd { addend, factors: (a, b), negated, product_first } => {
                match (product_first, negated, addend.negative) {
                    (true, _, true) => format!("{}*{} - {}", text(a), text(b), text(-addend)),
                    (true, _, false) => format!("{}*{} + {}", text(a), text(b), text(addend)),
                    (false, true, _) => format!("{} - {}*{}", text(addend), text(a), text(b)),
                    (false, false, _) => format!("{} + {}*{}", text(addend), text(a), text(b)),
                }
            }
        };
        format!("{} = {right}", self.places.get(&statement.node).map_or("", String::as_str))
    }

    /// What an entry is called: `J(7, 3)`.
    pub fn entry(&self, entry: &Entry) -> String {
        format!("J({}, {})", self.graph.name(entry.target), self.graph.name(entry.source))
    }
}

/// An accumulation as text, with the names of its graph: statements, then entries.
pub fn show(accumulation: &Accumulation, graph: &Graph) -> String {
    let listing = Listing::new(accumulation);
    let names = Names::new(accumulation, &listing, graph);
    let mut lines = String::new();
    for statement in &listing.statements {
        lines.push_str(&names.statement(statement));
        lines.push('\n');
    }
    for entry in accumulation.entries() {
        lines.push_str(&format!("{} = {}\n", names.entry(entry), names.value(entry.value)));
    }
    lines
}
