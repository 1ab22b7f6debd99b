//! Which values of an expression its adjoint keeps in temporaries.
//!
//! The partial derivatives of `exp(u)*w*v` need `exp(u)` and `exp(u)*w`. First it is counted how
//! often each value is asked for; then, from the root down, how often its text would stand there,
//! once for what asks and once for each longer value around it. What would stand there more than
//! once and is dear or long is kept. So no value is computed more than twice as often as the
//! expression does, and the text of a product of n factors grows like n.

use std::collections::HashMap;

use xaif_schema::model::{ArgValue, Document, ExprId, ExprKind, SymbolId, Ty};

use super::graph::{Linearised, Node, NodeKind, is_chosen};
use super::instantiate::Site;
use super::values::{Values, costs};
use booster_build::{real, value_of, whole};
use booster_rules::language::{Local, Scaled};
use booster_rules::{Catalogue, Rule};

/// A scalar of this many nodes is long.
const LONG: usize = 12;
/// So is an array of this many.
const LONG_ARRAY: usize = 40;
/// No text gets longer than about this.
const LONGEST: usize = 200;

/// Decides what is kept. `define` is given each value, inner ones first, and its type, and gives the
/// variable to which the value has been assigned. `result` is the value of `root`, if it is there.
pub(super) fn kept_values<'v>(
    doc: &mut Document,
    catalogue: &Catalogue,
    graph: &Linearised<'_>,
    (root, result): (ExprId, Option<ExprId>),
    define: &mut dyn FnMut(&mut Document, Ty, ExprId) -> SymbolId,
) -> Values<'v> {
    let mut counts = asked_for(doc, catalogue, graph);
    let mut values = Values::default();
    if let Some(result) = result {
        counts.remove(&root);
        values.keep(root, result);
    }
    if counts.is_empty() {
        return values;
    }
    let order = operations_of(doc, root);
    let kept = choose(doc, &order, counts);
    for expr in order.into_iter().rev().filter(|expr| kept.contains_key(expr)) {
        let place = doc.exprs[expr].place;
        let value = values.inner(doc, expr);
        doc.exprs[value].parens = false;
        let symbol = define(doc, doc.exprs[expr].ty, value);
        let read = whole(doc, symbol, place);
        let read = value_of(doc, read);
        values.keep(expr, read);
    }
    values
}

/// What is kept, of the nodes in `order`.
fn choose(
    doc: &Document,
    order: &[ExprId],
    mut uses: HashMap<ExprId, usize>,
) -> HashMap<ExprId, ()> {
    let mut sizes: HashMap<ExprId, usize> = HashMap::new();
    for &expr in order.iter().rev() {
        let inner: usize = parts_of(doc, expr)
            .iter()
            .map(|part| sizes.get(part).copied().unwrap_or(1))
            .fold(0, usize::saturating_add);
        sizes.insert(expr, inner.saturating_add(1));
    }
    let mut kept = HashMap::new();
    for &expr in order {
        let used = uses.get(&expr).copied().unwrap_or(0);
        let size = sizes.get(&expr).copied().unwrap_or(1);
        let keep = used > 1 && may_be_kept(doc, expr) && is_worth(doc, expr, size);
        if keep {
            kept.insert(expr, ());
        }
        let written = if keep { 1 } else { used };
        if written > 0 {
            for part in parts_of(doc, expr) {
                let uses = uses.entry(part).or_default();
                *uses = uses.saturating_add(written);
            }
        }
    }
    // What is asked for once may be long, too.
    let mut texts: HashMap<ExprId, usize> = HashMap::new();
    for &expr in order.iter().rev() {
        let inner: usize = parts_of(doc, expr)
            .iter()
            .map(|part| texts.get(part).copied().unwrap_or(1))
            .fold(1, usize::saturating_add);
        let used = uses.get(&expr).copied().unwrap_or(0) > 0;
        if used && inner > LONGEST && may_be_kept(doc, expr) {
            kept.insert(expr, ());
        }
        texts.insert(expr, if kept.contains_key(&expr) { 1 } else { inner });
    }
    kept
}

fn may_be_kept(doc: &Document, expr: ExprId) -> bool {
    let node = &doc.exprs[expr];
    node.ty.base.is_continuous()
        && match &node.kind {
            ExprKind::Intrinsic { .. } | ExprKind::Call(_) => true,
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Boolean { .. }
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => false,
        }
}

fn is_worth(doc: &Document, expr: ExprId, size: usize) -> bool {
    if doc.exprs[expr].ty.rank > 0 {
        return size >= LONG_ARRAY;
    }
    size >= LONG
        || match &doc.exprs[expr].kind {
            ExprKind::Intrinsic { name, .. } => costs(name),
            ExprKind::Call(_) => true,
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Boolean { .. }
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => false,
        }
}

/// The nodes of an expression, each before its parts. What stands inside implied DOs depends on
/// their indices, and what stands in subscripts is no number: both are left out.
fn operations_of(doc: &Document, root: ExprId) -> Vec<ExprId> {
    let mut order = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut stack = vec![root];
    while let Some(expr) = stack.pop() {
        if seen.insert(expr) {
            order.push(expr);
            stack.extend(parts_of(doc, expr));
        }
    }
    order
}

fn parts_of(doc: &Document, expr: ExprId) -> Vec<ExprId> {
    match &doc.exprs[expr].kind {
        ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
            operands.iter().map(|operand| operand.expr).collect()
        }
        ExprKind::ArrayConstructor { items, .. } => items.clone(),
        ExprKind::StructureConstructor { args, .. } => args
            .iter()
            .filter_map(|arg| match arg.value {
                ArgValue::Expr(expr) => Some(expr),
                ArgValue::AlternateReturn(_) => None,
            })
            .collect(),
        ExprKind::Constant(_)
        | ExprKind::Ref(_)
        | ExprKind::Call(_)
        | ExprKind::ImpliedDo(_)
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => Vec::new(),
    }
}

/// How often the adjoint asks for each value.
fn asked_for(
    doc: &mut Document,
    catalogue: &Catalogue,
    graph: &Linearised<'_>,
) -> HashMap<ExprId, usize> {
    let mut values = Values::counting();
    for node in &graph.nodes {
        let NodeKind::Operation(rule) = node.kind else { continue };
        for (index, edge) in node.edges.iter().enumerate() {
            let position = edge.position;
            let local = match rule {
                Rule::Partials(locals) => locals.get(usize::from(position).wrapping_sub(1)),
                Rule::Choice(op) => {
                    is_chosen(doc, node.expr, position, *op, &mut values);
                    continue;
                }
                Rule::Same(_)
                | Rule::Bilinear
                | Rule::Statements
                | Rule::Passive
                | Rule::Refused(_) => None,
            };
            match local {
                Some(Some(Local::Scaled(scaled))) => {
                    let again = index > 0 && shares_denominator(node, rule);
                    factors(doc, node.expr, scaled, again, &mut values);
                }
                Some(Some(Local::Map(_))) | Some(None) | None => {
                    map(doc, catalogue, node.expr, position, &mut values);
                }
            }
        }
    }
    values.counts()
}

/// Whether all active operands have the same denominator.
fn shares_denominator(node: &Node<'_>, rule: &Rule) -> bool {
    let Rule::Partials(locals) = rule else { return false };
    let mut all = node.edges.iter().map(|edge| {
        match locals.get(usize::from(edge.position).wrapping_sub(1)) {
            Some(Some(Local::Scaled(scaled))) if !scaled.is_guarded_quotient() => {
                scaled.denominator.as_ref()
            }
            _ => None,
        }
    });
    let first = all.next().flatten();
    first.is_some() && all.all(|other| other == first)
}

fn factors(
    doc: &mut Document,
    expr: ExprId,
    scaled: &Scaled,
    without_denominator: bool,
    values: &mut Values<'_>,
) {
    let mut site = Site::new(doc, expr, None, values);
    let denominator = scaled.denominator.as_ref().filter(|_| !without_denominator);
    for term in [scaled.before.as_ref(), scaled.after.as_ref(), denominator].into_iter().flatten() {
        site.eval(term);
    }
}

fn map(
    doc: &mut Document,
    catalogue: &Catalogue,
    expr: ExprId,
    position: u16,
    values: &mut Values<'_>,
) {
    if let Some(rule) = catalogue.adjoint(doc, expr, position) {
        let (ty, place) = (doc.exprs[expr].ty, doc.exprs[expr].place);
        let adjoint = real(doc, "1", ty.base, place);
        doc.exprs[adjoint].ty = ty;
        let mut site = Site::new(doc, expr, Some(adjoint), values);
        site.eval(&rule.value);
        if let Some(guard) = &rule.guard {
            site.eval(&guard.mask);
        }
    }
}

/// The number of nodes of an expression, subscripts not counted; not more than about `most`.
pub(super) fn size_of(doc: &Document, expr: ExprId, most: usize) -> usize {
    let mut stack = vec![expr];
    let mut size = 0;
    while let Some(expr) = stack.pop() {
        size += 1;
        if size >= most {
            break;
        }
        stack.extend(parts_of(doc, expr));
    }
    size
}
