//! Jacobian accumulation expressions: the arithmetic that an elimination asks for.
//!
//! Values are numbered by what they are (hash consing): the same product or sum is computed once,
//! whoever asks for it. Constants are folded, a sign is carried along and costs nothing, so that a
//! multiplication by 1 or -1 costs nothing either. What no entry needs in the end is neither
//! counted nor listed. The text of it all is made by `listing`.

use std::fmt;
use std::ops::Neg;

use crate::graph::{Graph, Partial, Variable};
use crate::hash::Table;

/// A value: a number, a variable or the result of an operation, with its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value {
    /// Whether the value is that of `atom`, negated.
    pub negative: bool,
    /// The value without its sign.
    pub atom: Atom,
}

/// A value without its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Atom {
    /// A number that is not negative.
    Constant(Number),
    /// A partial derivative of the graph.
    Variable(Variable),
    /// The result of an operation.
    Node(NodeId),
}

/// A finite number that is not negative, as bits, so that equal numbers are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Number(u64);

impl Number {
    /// The number.
    pub fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

/// The shortest text that reads back as the same number: `2`, `0.5`, `1e300`.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:?}", self.get());
        f.write_str(text.strip_suffix(".0").unwrap_or(&text))
    }
}

/// The number of an operation; operands have smaller numbers than results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// What is computed.
    pub op: Op,
    /// The edge, source and target, whose value it was when it was computed first.
    pub edge: (u32, u32),
}

/// What an operation computes. Operands are no constants 0; those of a product are positive, and so
/// is the first one of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// The product of two values.
    Product(Value, Value),
    /// The sum of two values.
    Sum(Value, Value),
}

impl Op {
    /// Both operands.
    pub fn operands(self) -> [Value; 2] {
        match self {
            Op::Product(a, b) | Op::Sum(a, b) => [a, b],
        }
    }
}

impl Value {
    /// The value 0.
    pub const ZERO: Value = Value { negative: false, atom: Atom::Constant(Number(0)) };

    /// A constant.
    pub fn constant(c: f64) -> Value {
        // -0 is 0.
        let number = if c == 0.0 { 0.0_f64 } else { c.abs() };
        Value { negative: c < 0.0, atom: Atom::Constant(Number(number.to_bits())) }
    }

    /// The number, if it is known.
    pub fn known(self) -> Option<f64> {
        match self.atom {
            Atom::Constant(number) if self.negative => Some(-number.get()),
            Atom::Constant(number) => Some(number.get()),
            Atom::Variable(_) | Atom::Node(_) => None,
        }
    }

    /// Whether the value is 1 or -1.
    pub fn is_unit(self) -> bool {
        self.known().is_some_and(|c| c.abs() == 1.0)
    }

    fn without_sign(self) -> Value {
        Value { negative: false, ..self }
    }

    fn with_sign(self, negative: bool) -> Value {
        match self == Value::ZERO {
            true => self,
            false => Value { negative: self.negative ^ negative, ..self },
        }
    }
}

impl Neg for Value {
    type Output = Value;

    fn neg(self) -> Value {
        self.with_sign(true)
    }
}

impl From<Partial> for Value {
    fn from(partial: Partial) -> Value {
        match partial {
            Partial::Constant(c) => Value::constant(c),
            Partial::Variable(v) => Value { negative: false, atom: Atom::Variable(v) },
        }
    }
}

/// What an accumulation costs when the program runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost {
    /// Multiplications, those that are part of a multiply-add included.
    pub multiplications: usize,
    /// Additions and subtractions.
    pub additions: usize,
    /// Entries of the local Jacobian that are neither 1 nor -1.
    pub entries: usize,
}

/// An entry of the local Jacobian: the derivative of `target` by `source`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// By what is differentiated.
    pub source: u32,
    /// What is differentiated.
    pub target: u32,
    /// The derivative; never 0.
    pub value: Value,
}

/// Operations and the entries of the local Jacobian that they lead to.
#[derive(Clone, Debug, Default)]
pub struct Accumulation {
    nodes: Vec<Node>,
    known: Table<Op, Value>,
    entries: Vec<Entry>,
}

impl Accumulation {
    /// No operations.
    pub fn new() -> Self {
        Accumulation::default()
    }

    /// All operations, in an order in which they can be executed.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The entries, by target and source.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Says what it was all for. Entries are put in order; those that are 0 are left out.
    pub fn finish(&mut self, mut entries: Vec<Entry>) {
        entries.retain(|entry| entry.value != Value::ZERO);
        entries.sort_by_key(|entry| (entry.target, entry.source));
        self.entries = entries;
    }

    /// `a * b`, for the edge `edge`.
    pub fn product(&mut self, a: Value, b: Value, edge: (u32, u32)) -> Value {
        let negative = a.negative ^ b.negative;
        let (first, second) = (a.without_sign(), b.without_sign());
        match (first.known(), second.known()) {
            (Some(x), Some(y)) if (x * y).is_finite() => {
                return Value::constant(x * y).with_sign(negative);
            }
            (Some(0.0), _) | (_, Some(0.0)) => return Value::ZERO,
            (Some(1.0), _) => return second.with_sign(negative),
            (_, Some(1.0)) => return first.with_sign(negative),
            _ => {}
        }
        let key = Op::Product(first.min(second), first.max(second));
        let made = Op::Product(first, second);
        self.intern(key, made, false, edge).with_sign(negative)
    }

    /// `a + b`, for the edge `edge`.
    pub fn sum(&mut self, a: Value, b: Value, edge: (u32, u32)) -> Value {
        match (a.known(), b.known()) {
            (Some(x), Some(y)) if (x + y).is_finite() => return Value::constant(x + y),
            (Some(0.0), _) => return b,
            (_, Some(0.0)) => return a,
            _ => {}
        }
        if a == -b {
            return Value::ZERO;
        }
        // The key is the sum whose smaller operand is positive; what is made has a positive
        // operand first, which may be the same sum or its negation.
        let (low, high) = if a.atom <= b.atom { (a, b) } else { (b, a) };
        let key = Op::Sum(low.without_sign(), high.with_sign(low.negative));
        let (made, negated) = match (a.negative, b.negative) {
            (false, _) => (Op::Sum(a, b), false),
            (true, false) => (Op::Sum(b, a), false),
            (true, true) => (Op::Sum(-a, -b), true),
        };
        // value = ±key and value = ±made
        let flipped = low.negative != negated;
        self.intern(key, made, flipped, edge).with_sign(low.negative)
    }

    /// The value of `key`; if it is new, by the operation `made`, which is `key` or, where
    /// `flipped`, its negation.
    fn intern(&mut self, key: Op, made: Op, flipped: bool, edge: (u32, u32)) -> Value {
        if let Some(&value) = self.known.get(&key) {
            return value;
        }
        let atom = Atom::Node(NodeId(self.nodes.len() as u32));
        self.nodes.push(Node { op: made, edge });
        let value = Value { negative: flipped, atom };
        self.known.insert(key, value);
        value
    }

    /// Which operations an entry needs.
    pub fn live(&self) -> Vec<bool> {
        let mut live = vec![false; self.nodes.len()];
        let mark = |live: &mut Vec<bool>, value: Value| {
            if let Atom::Node(NodeId(id)) = value.atom {
                live[id as usize] = true;
            }
        };
        for entry in &self.entries {
            mark(&mut live, entry.value);
        }
        for id in (0..self.nodes.len()).rev() {
            if live[id] {
                for operand in self.nodes[id].op.operands() {
                    mark(&mut live, operand);
                }
            }
        }
        live
    }

    /// What it costs.
    pub fn cost(&self) -> Cost {
        let mut cost = Cost::default();
        let live = self.live();
        for (node, _) in self.nodes.iter().zip(&live).filter(|(_, live)| **live) {
            match node.op {
                Op::Product(..) => cost.multiplications += 1,
                Op::Sum(..) => cost.additions += 1,
            }
        }
        cost.entries = self.entries.iter().filter(|entry| !entry.value.is_unit()).count();
        cost
    }

    /// The entries for given values of the variables.
    pub fn evaluate(&self, variables: &[f64]) -> Vec<f64> {
        let mut results: Vec<f64> = Vec::with_capacity(self.nodes.len());
        let value = |results: &[f64], value: Value| {
            let number = match value.atom {
                Atom::Constant(number) => number.get(),
                Atom::Variable(Variable(v)) => variables.get(v as usize).copied().unwrap_or(0.0),
                Atom::Node(NodeId(id)) => results[id as usize],
            };
            if value.negative { -number } else { number }
        };
        for node in &self.nodes {
            let [a, b] = node.op.operands().map(|operand| value(&results, operand));
            results.push(match node.op {
                Op::Product(..) => a * b,
                Op::Sum(..) => a + b,
            });
        }
        self.entries.iter().map(|entry| value(&results, entry.value)).collect()
    }

    /// What the edges of a graph carry at first: those between the same vertices are added up.
    pub(crate) fn edges(&mut self, graph: &Graph) -> Vec<Entry> {
        let mut edges: Vec<Entry> = graph
            .edges()
            .map(|(source, target, partial)| Entry { source, target, value: partial.into() })
            .collect();
        edges.sort_by_key(|edge| (edge.source, edge.target));
        let mut merged: Vec<Entry> = Vec::with_capacity(edges.len());
        for edge in edges {
            match merged.last_mut() {
                Some(last) if (last.source, last.target) == (edge.source, edge.target) => {
                    last.value = self.sum(last.value, edge.value, (edge.source, edge.target));
                }
                _ => merged.push(edge),
            }
        }
        merged.retain(|edge| edge.value != Value::ZERO);
        merged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGE: (u32, u32) = (0, 1);

    fn variable(number: u32) -> Value {
        Partial::Variable(Variable(number)).into()
    }

    fn finished(mut accumulation: Accumulation, values: &[Value]) -> Accumulation {
        let entry =
            |(target, &value): (usize, &Value)| Entry { source: 0, target: target as u32, value };
        let entries = values.iter().enumerate().map(entry).collect();
        accumulation.finish(entries);
        accumulation
    }

    #[test]
    fn factors_one_and_minus_one_cost_nothing() {
        let mut a = Accumulation::new();
        let x = a.product(Value::constant(-1.0), variable(0), EDGE);
        let y = a.product(x, Value::constant(1.0), EDGE);
        assert_eq!(y, -variable(0));
        assert_eq!(finished(a, &[y]).cost(), Cost { multiplications: 0, additions: 0, entries: 1 });
    }

    #[test]
    fn constants_are_folded_and_cancel() {
        let mut a = Accumulation::new();
        let six = a.product(Value::constant(2.0), Value::constant(-3.0), EDGE);
        assert_eq!(six, Value::constant(-6.0));
        assert_eq!(a.sum(six, Value::constant(6.0), EDGE), Value::ZERO);
        assert_eq!(a.sum(variable(1), -variable(1), EDGE), Value::ZERO);
        assert!(a.nodes().is_empty());
    }

    #[test]
    fn the_same_operation_is_executed_once_whatever_its_order_and_sign() {
        let mut a = Accumulation::new();
        let (x, y) = (variable(0), variable(1));
        let one = a.product(x, y, EDGE);
        assert_eq!(a.product(-y, x, EDGE), -one);
        let difference = a.sum(x, -y, EDGE);
        assert_eq!(a.sum(y, -x, EDGE), -difference);
        assert_eq!(a.sum(-y, x, EDGE), difference);
        let negated = a.sum(-x, -one, EDGE);
        assert_eq!(a.sum(x, one, EDGE), -negated);
        assert_eq!(a.nodes().len(), 3);
        let values = [one, difference, negated, a.sum(-one, y, EDGE)];
        assert_eq!(finished(a, &values).evaluate(&[3.0, 5.0]), [15.0, -2.0, -18.0, -10.0]);
    }

    #[test]
    fn numbers_are_short_and_read_back_the_same() {
        let shown = |number: f64| match Value::constant(number).atom {
            Atom::Constant(number) => number.to_string(),
            other => panic!("{other:?} is no constant"),
        };
        let texts = [2.0, 0.5, 120.0, 1e300, 5e-324, 0.1 + 0.2].map(shown);
        assert_eq!(texts, ["2", "0.5", "120", "1e300", "5e-324", "0.30000000000000004"]);
        for number in [f64::MAX, f64::MIN_POSITIVE, 1.0 / 3.0, 123_456_789e10] {
            assert_eq!(shown(number).parse(), Ok(number));
        }
    }

    #[test]
    fn what_no_entry_needs_is_not_counted() {
        let mut a = Accumulation::new();
        let x = a.product(variable(0), variable(1), EDGE);
        let y = a.product(x, variable(2), EDGE);
        a.sum(y, variable(0), EDGE);
        assert_eq!(finished(a, &[x]).cost().multiplications, 1);
    }
}
