//! Which values of an accumulation are 0 because something was not chosen.
//!
//! MAX, MIN and MERGE have the partial derivatives 1 and 0. What they do not choose may have an infinite
//! derivative, and 0 times that is no number. So a product with a factor that such a 0 has reached is 0 where that factor is,
//! as without local Jacobians, where derivatives are chosen by the same condition.

use std::collections::HashSet;

use elimination::listing::{Expression, Listing};
use elimination::{Atom, Value, Variable};

use super::graph::Coefficient;

/// The partial derivatives of choices, the products with one, and the sums of nothing else.
pub(super) fn chosen(coefficients: &[Coefficient], listing: &Listing) -> HashSet<Atom> {
    let partials = coefficients.iter().zip(0..).filter(|(one, _)| one.chooses);
    let mut chosen: HashSet<Atom> =
        partials.map(|(_, number)| Atom::Variable(Variable(number))).collect();
    for statement in &listing.statements {
        let is = |value: Value| chosen.contains(&value.atom);
        let is_chosen = match statement.expression {
            Expression::Product(a, b) => is(a) || is(b),
            Expression::Sum(a, b) => is(a) && is(b),
            Expression::MultiplyAdd { addend, factors: (a, b), .. } => {
                is(addend) && (is(a) || is(b))
            }
        };
        if is_chosen {
            chosen.insert(Atom::Node(statement.node));
        }
    }
    chosen
}

/// The factors of a product that decide whether it is 0: a number that is known decides nothing.
pub(super) fn deciding(chosen: &HashSet<Atom>, a: Value, b: Value) -> impl Iterator<Item = Value> {
    let decides = |one: Value, other: Value| {
        (chosen.contains(&one.atom) && other.known().is_none()).then_some(one)
    };
    [decides(a, b), decides(b, a)].into_iter().flatten()
}
