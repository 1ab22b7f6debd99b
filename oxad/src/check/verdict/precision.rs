//! How precise the numbers are that have a derivative: those that a driver sees, and those between.
//!
//! A program in double precision that computes something in single precision on the way has a tangent
//! and an adjoint that are rounded there, each in its own way.

use xaif_schema::model::{Base, Document, ExprId, ExprKind, SymbolId};
use xaif_schema::uses::Uses;

use crate::check::point::plan::{Chosen, Object, Plan};

/// The spacing of numbers beside 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Precision {
    /// Of the variables that are told.
    pub(crate) outside: f64,
    /// Of the least precise number on the way, theirs included.
    pub(crate) inside: f64,
}

impl Precision {
    /// Of all variables of a check; `single` is what [`has_single`] says.
    pub(crate) fn of_all(plan: &Plan, single: bool) -> Self {
        Precision::of(plan.objects.iter().filter(|object| object.shadow.is_some()), single)
    }

    /// Of the variable with this label: its own, or that of the numbers it comes from.
    pub(crate) fn of_label(plan: &Plan, single: bool, label: &str) -> Self {
        let name = label.split('%').next().unwrap_or(label);
        let takes_part =
            |object: &&Object| object.name == name || object.independent != Chosen::None;
        Precision::of(plan.objects.iter().filter(takes_part), single)
    }

    fn of<'p>(objects: impl Iterator<Item = &'p Object>, single: bool) -> Self {
        let outside = objects.map(|object| object.node.epsilon()).fold(f64::EPSILON, f64::max);
        Precision { outside, inside: if single { SINGLE.max(outside) } else { outside } }
    }

    /// The relative difference up to which derivatives agree.
    pub(crate) fn tolerance(self) -> f64 {
        if self.outside > 1e-10 { 2e-3 } else { 1e-6 }
    }

    /// How far two results may be apart that are computed in another order, of which those of
    /// compilers are examples.
    pub(crate) fn reordered(self) -> f64 {
        self.inside * if self.inside > 1e-10 { 1e3 } else { 1e5 }
    }
}

/// The spacing in single precision.
const SINGLE: f64 = f32::EPSILON as f64;

/// Whether something that has a derivative is computed in single precision. Where nobody has looked for
/// what is active there is nothing to say.
pub(crate) fn has_single(doc: &Document) -> bool {
    let is_single = |base| matches!(base, Base::Real(4) | Base::Complex(4));
    let is_active = |symbol: SymbolId| doc.symbols[symbol].active == Some(true);
    let is_conversion = |expr: ExprId| {
        let node = &doc.exprs[expr];
        is_single(node.ty.base) && matches!(node.kind, ExprKind::Intrinsic { .. }) && {
            let mut uses = Uses::new(doc);
            uses.expr(expr);
            uses.symbols.iter().any(|&symbol| is_active(symbol))
        }
    };
    doc.symbols.keys().any(|symbol| is_active(symbol) && is_single(doc.declared_base(symbol)))
        || doc.exprs.keys().any(is_conversion)
}
