//! The linearised computational graph of an expression.

use std::borrow::Borrow;
use std::collections::HashMap;

use foldhash::fast::FixedState;
use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{ArgValue, Base, BoolOp, Document, ExprId, ExprKind, Operand, RefId, Ty};

use super::instantiate::{Signed, Site, Value};
use super::values::{Hoist, Values, constant_logical};
use booster_build::{boolean, intrinsic};
use booster_rules::language::{Local, Scaled};
use booster_rules::{Catalogue, Rule, may_be_continuous, operand};

/// The linearised computational graph of an expression: only what lies on a path from an active
/// reference to the root. Sources of edges stand before their targets; the root is the last node.
#[derive(Clone, Debug)]
pub struct Linearised<'c> {
    /// The active nodes; empty if the expression is passive.
    pub nodes: Vec<Node<'c>>,
}

/// An active node of an expression.
#[derive(Clone, Debug)]
pub struct Node<'c> {
    /// The node of the expression.
    pub expr: ExprId,
    /// What it is.
    pub kind: NodeKind<'c>,
    /// The edges from its active operands, in the order of the operands.
    pub edges: Vec<Edge>,
}

/// What an active node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind<'c> {
    /// An active reference.
    Leaf(RefId),
    /// An operation with its rule.
    Operation(&'c Rule),
    /// `[a, b]`, `(a, i = 1, n)` or `t(a, b)`: the derivative is the constructor of the derivatives.
    Constructor,
}

/// An edge of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The position of the operand, counted from 1 (for a constructor, of the item).
    pub position: u16,
    /// The index of the operand's node.
    pub source: usize,
}

/// A local partial derivative, as far as it is a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partial<'c> {
    /// 0: no derivative flows here after all.
    Zero,
    /// 1
    One,
    /// -1
    MinusOne,
    /// A new expression; for arrays, element by element.
    Expr(ExprId),
    /// A map that is linear over the real numbers only (`conjg`, `abs` of a complex number), or one
    /// of arrays (`matmul`, `sum`, constructors): its rule.
    Map(&'c Rule),
    /// A constructor's item.
    Item,
}

/// What stands below a node.
struct Children<'c> {
    kind: Option<NodeKind<'c>>,
    exprs: Vec<(u16, ExprId)>,
}

enum Step {
    Enter(ExprId),
    Leave(ExprId),
}

impl<'c> Linearised<'c> {
    /// The graph of `root`; `active` tells whether a derivative belongs to a reference.
    ///
    /// # Errors
    /// An operation on active operands that has no rule, is refused or must stand alone; a reference
    /// to a user's function that activity may pass through.
    pub fn new(
        doc: &mut Document,
        catalogue: &'c Catalogue,
        root: ExprId,
        active: &mut dyn FnMut(&mut Document, RefId) -> bool,
    ) -> Result<Self, Diagnostic> {
        Self::traced(doc, catalogue, root, &mut |doc, reference| active(doc, reference), true)
    }

    /// As [`Linearised::new`], where telling what is active changes nothing.
    ///
    /// # Errors
    /// As [`Linearised::new`].
    pub fn of(
        doc: &Document,
        catalogue: &'c Catalogue,
        root: ExprId,
        active: &mut dyn FnMut(RefId) -> bool,
    ) -> Result<Self, Diagnostic> {
        Self::traced(doc, catalogue, root, &mut |_, reference| active(reference), true)
    }

    /// Whether [`Linearised::factor`] gives a factor for all edges: one number, or for arrays one for each
    /// element.
    pub fn has_only_factors(&self, doc: &Document) -> bool {
        self.nodes.iter().all(|node| match node.kind {
            NodeKind::Leaf(_) => true,
            NodeKind::Constructor => false,
            NodeKind::Operation(rule) => node.edges.iter().all(|edge| match rule {
                Rule::Partials(locals) => {
                    let index = usize::from(edge.position).wrapping_sub(1);
                    !matches!(locals.get(index), Some(Some(Local::Map(_))))
                }
                Rule::Same(_) => is_conversion(doc, node.expr) || is_merge(doc, node.expr),
                Rule::Choice(_) => true,
                Rule::Bilinear | Rule::Statements => false,
                Rule::Passive | Rule::Refused(_) => true,
            }),
        })
    }

    /// Whether the factors of a node are 1 for the operand that it chooses and 0 for the others: MERGE, MAX
    /// and MIN. What they do not choose may have an infinite derivative, as in `max(log(x), -10.0)`, and 0 times
    /// that is no number: a product with such a factor has to choose as they do.
    pub fn chooses(&self, doc: &Document, node: &Node<'c>) -> bool {
        match node.kind {
            NodeKind::Operation(Rule::Choice(_)) => true,
            NodeKind::Operation(Rule::Same(_)) => is_merge(doc, node.expr),
            NodeKind::Operation(_) | NodeKind::Leaf(_) | NodeKind::Constructor => false,
        }
    }

    /// As [`Linearised::partial`], but 1 for a conversion of real numbers, and 1 or 0 for MERGE, which are maps
    /// elsewhere: their derivatives are converted and merged, too.
    pub fn factor(&self, doc: &mut Document, node: &Node<'c>, edge: Edge) -> Partial<'c> {
        match self.partial(doc, node, edge, None) {
            Partial::Map(Rule::Same(_)) if is_conversion(doc, node.expr) => Partial::One,
            Partial::Map(Rule::Same(_)) if is_merge(doc, node.expr) => {
                merged(doc, node.expr, edge.position)
            }
            partial => partial,
        }
    }

    /// The graph where the document need not change. With `strict`, operations whose derivative has
    /// no expression are refused.
    ///
    /// # Errors
    /// As [`Linearised::new`].
    pub(super) fn traced<D: Borrow<Document>>(
        mut shared: D,
        catalogue: &'c Catalogue,
        root: ExprId,
        active: &mut dyn FnMut(&mut D, RefId) -> bool,
        strict: bool,
    ) -> Result<Self, Diagnostic> {
        let mut nodes: Vec<Node<'c>> = Vec::new();
        // `None` is passive; a node that is not yet here has not been met.
        let mut known: HashMap<ExprId, Option<usize>, FixedState> = HashMap::default();
        let mut below: HashMap<ExprId, Children<'c>, FixedState> = HashMap::default();
        let mut stack = vec![Step::Enter(root)];
        while let Some(step) = stack.pop() {
            match step {
                Step::Enter(expr) => {
                    if known.contains_key(&expr) {
                        continue;
                    }
                    known.insert(expr, None);
                    let doc = shared.borrow();
                    if let ExprKind::Ref(reference) = doc.exprs[expr].kind {
                        let continuous = may_be_continuous(doc.refs[reference].ty.base);
                        if continuous && active(&mut shared, reference) {
                            known.insert(expr, Some(nodes.len()));
                            let kind = NodeKind::Leaf(reference);
                            nodes.push(Node { expr, kind, edges: Vec::new() });
                        }
                        continue;
                    }
                    let children = children(doc, catalogue, expr)?;
                    stack.push(Step::Leave(expr));
                    stack.extend(children.exprs.iter().rev().map(|&(_, child)| Step::Enter(child)));
                    below.insert(expr, children);
                }
                Step::Leave(expr) => {
                    let Some(Children { kind, exprs }) = below.remove(&expr) else { continue };
                    let source = |child| known.get(&child).copied().flatten();
                    let edges: Vec<Edge> = exprs
                        .into_iter()
                        .filter_map(|(position, child)| {
                            source(child).map(|source| Edge { position, source })
                        })
                        .collect();
                    if edges.is_empty() {
                        continue;
                    }
                    let Some(kind) = kind else {
                        return Err(no_rule(shared.borrow(), expr));
                    };
                    if strict || kind != NodeKind::Operation(&Rule::Statements) {
                        refuse(shared.borrow(), expr, kind)?;
                    }
                    known.insert(expr, Some(nodes.len()));
                    nodes.push(Node { expr, kind, edges });
                }
            }
        }
        if known.get(&root).copied().flatten().is_none() {
            nodes.clear();
        }
        Ok(Linearised { nodes })
    }

    /// The partial derivative on an edge, as a new expression where it needs one; `hoist` may give
    /// variables for costly parts of the original expression.
    pub fn partial(
        &self,
        doc: &mut Document,
        node: &Node<'c>,
        edge: Edge,
        hoist: Option<Hoist<'_>>,
    ) -> Partial<'c> {
        let mut values = Values::new(hoist);
        match node.kind {
            NodeKind::Leaf(_) => Partial::One,
            NodeKind::Constructor => Partial::Item,
            NodeKind::Operation(rule) => match rule {
                Rule::Partials(locals) => {
                    match locals.get(usize::from(edge.position).wrapping_sub(1)) {
                        Some(Some(Local::Scaled(scaled))) => {
                            factor(&mut Site::new(doc, node.expr, None, &mut values), scaled)
                        }
                        Some(Some(Local::Map(_))) => Partial::Map(rule),
                        Some(None) | None => Partial::Zero,
                    }
                }
                Rule::Choice(op) => choice(doc, node.expr, edge.position, *op, &mut values),
                Rule::Same(_) | Rule::Bilinear | Rule::Statements => Partial::Map(rule),
                Rule::Passive | Rule::Refused(_) => Partial::Zero,
            },
        }
    }
}

/// Whether an operation changes the kind of real numbers.
fn is_conversion(doc: &Document, expr: ExprId) -> bool {
    let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[expr].kind else { return false };
    let is_real = |expr: ExprId| matches!(doc.exprs[expr].ty.base, Base::Real(_));
    &**name == "real_scal" && operand(operands, 1).is_some_and(is_real)
}

/// Whether an operation is MERGE of real numbers.
fn is_merge(doc: &Document, expr: ExprId) -> bool {
    let ExprKind::Intrinsic { name, .. } = &doc.exprs[expr].kind else { return false };
    &**name == "merge" && matches!(doc.exprs[expr].ty.base, Base::Real(_))
}

/// The partial of MERGE by its first or second argument.
fn merged<'c>(doc: &mut Document, expr: ExprId, position: u16) -> Partial<'c> {
    let ExprKind::Intrinsic { operands, .. } = &doc.exprs[expr].kind else { return Partial::Zero };
    let Some(mask) = operand(operands, 3) else { return Partial::Zero };
    let mask = Values::new(None).of(doc, mask);
    let (base, place) = (doc.exprs[expr].ty.base, doc.exprs[expr].place);
    let (first, second) = if position == 1 { ("1", "0") } else { ("0", "1") };
    let first = booster_build::real(doc, first, base, place);
    let second = booster_build::real(doc, second, base, place);
    let ty = Ty { base: doc.exprs[first].ty.base, rank: doc.exprs[mask].ty.rank };
    Partial::Expr(intrinsic(doc, "merge", &[first, second, mask], ty))
}

/// `± before * after / denominator`
fn factor<'c>(site: &mut Site<'_, '_>, scaled: &Scaled) -> Partial<'c> {
    let mut value: Signed = Value::Whole(1).into();
    for term in [&scaled.before, &scaled.after].into_iter().flatten() {
        let next = site.eval(term);
        value = site.product(value, next);
    }
    if let Some(denominator) = &scaled.denominator {
        let denominator = site.eval(denominator);
        value = site.quotient(value, denominator);
    }
    value.negative ^= scaled.negative;
    match (&value.value, value.negative) {
        (Value::Whole(0), _) => Partial::Zero,
        (Value::Whole(1), false) => Partial::One,
        (Value::Whole(1), true) => Partial::MinusOne,
        _ => Partial::Expr(site.node_of(value)),
    }
}

/// The partial of MAX or MIN by one argument: 1 where it is the first that is not beaten.
fn choice<'c>(
    doc: &mut Document,
    expr: ExprId,
    position: u16,
    op: BoolOp,
    values: &mut Values<'_>,
) -> Partial<'c> {
    let Some(condition) = is_chosen(doc, expr, position, op, values) else { return Partial::One };
    let (ty, place) = (doc.exprs[expr].ty, doc.exprs[expr].place);
    let one = booster_build::real(doc, "1", ty.base, place);
    let zero = booster_build::real(doc, "0", ty.base, place);
    let rank = doc.exprs[condition].ty.rank;
    let base = doc.exprs[one].ty.base;
    let ty = Ty { base, rank };
    Partial::Expr(intrinsic(doc, "merge", &[one, zero, condition], ty))
}

/// Whether the argument at `position` is the first of a MAX or MIN that is not beaten, as a new
/// expression; `None` where it is the only one.
pub(super) fn is_chosen(
    doc: &mut Document,
    expr: ExprId,
    position: u16,
    op: BoolOp,
    values: &mut Values<'_>,
) -> Option<ExprId> {
    let ExprKind::Intrinsic { name, operands, .. } = doc.exprs[expr].kind.clone() else {
        return None;
    };
    let ty = doc.exprs[expr].ty;
    let mut before: Vec<ExprId> = Vec::new();
    let mut after: Vec<ExprId> = Vec::new();
    let mut own = expr;
    for operand in &operands {
        match operand.position.cmp(&position) {
            std::cmp::Ordering::Less => before.push(operand.expr),
            std::cmp::Ordering::Equal => own = operand.expr,
            std::cmp::Ordering::Greater => after.push(operand.expr),
        }
    }
    let mut gather = |doc: &mut Document, exprs: Vec<ExprId>| -> Option<ExprId> {
        let copies: Vec<ExprId> = exprs.iter().map(|&expr| values.of(doc, expr)).collect();
        match copies.as_slice() {
            [] => None,
            [one] => Some(*one),
            [_, ..] => {
                let rank = copies.iter().map(|&copy| doc.exprs[copy].ty.rank).max().unwrap_or(0);
                Some(intrinsic(doc, &name, &copies, ty.with_rank(rank)))
            }
        }
    };
    let (before, after) = (gather(doc, before), gather(doc, after));
    let mut values = |doc: &mut Document| values.of(doc, own);
    let strict = match op {
        BoolOp::GreaterOrEqual => BoolOp::GreaterThan,
        _ => BoolOp::LessThan,
    };
    let mut condition = None;
    for (others, op) in [(before, strict), (after, op)] {
        let Some(others) = others else { continue };
        let own = values(doc);
        let holds = boolean(doc, op, &[own, others]);
        condition = Some(match condition {
            Some(first) => boolean(doc, BoolOp::And, &[first, holds]),
            None => holds,
        });
    }
    condition
}

/// The operands of a node through which a derivative may come.
fn children<'c>(
    doc: &Document,
    catalogue: &'c Catalogue,
    expr: ExprId,
) -> Result<Children<'c>, Diagnostic> {
    let none = Children { kind: None, exprs: Vec::new() };
    let node = &doc.exprs[expr];
    Ok(match &node.kind {
        ExprKind::Intrinsic { name, operands, .. } => {
            let rule = catalogue.rule(doc, expr);
            let passed_over = passed_over(doc, name, operands);
            let carries = |position: u16| match rule {
                _ if passed_over == Some(position) => false,
                None | Some(Rule::Choice(_) | Rule::Bilinear) => true,
                Some(Rule::Statements | Rule::Refused(_)) => true,
                Some(Rule::Passive) => false,
                Some(Rule::Same(positions)) => positions.contains(&position),
                Some(Rule::Partials(locals)) => {
                    matches!(locals.get(usize::from(position).wrapping_sub(1)), Some(Some(_)))
                }
            };
            let mut exprs: Vec<(u16, ExprId)> = operands
                .iter()
                .filter(|operand| carries(operand.position))
                .filter(|operand| may_be_continuous(doc.exprs[operand.expr].ty.base))
                .map(|operand| (operand.position, operand.expr))
                .collect();
            exprs.sort_by_key(|&(position, _)| position);
            Children { kind: rule.map(NodeKind::Operation), exprs }
        }
        ExprKind::ArrayConstructor { items, .. } => constructor(items.iter().copied()),
        ExprKind::ImpliedDo(implied) => constructor(implied.items.iter().copied()),
        ExprKind::StructureConstructor { args, .. } => {
            constructor(args.iter().filter_map(|arg| match arg.value {
                ArgValue::Expr(expr) => Some(expr),
                ArgValue::AlternateReturn(_) => None,
            }))
        }
        ExprKind::Call(call) => {
            if call.active != Some(false) && may_be_continuous(node.ty.base) {
                let message = format!(
                    "the derivative of a reference to `{}` inside an expression is asked for",
                    doc.name(call.callee.symbol)
                );
                return Err(Diagnostic::error(Code::CALL_INSIDE, doc.spot(node.place), message)
                    .with_help("bring the program into canonical form first: xaif-canonicalize"));
            }
            none
        }
        ExprKind::Opaque(text) => {
            if may_be_continuous(node.ty.base) {
                let message = format!("no derivative is known of `{text}`");
                let help = "write the expression in standard Fortran";
                return Err(
                    Diagnostic::error(Code::NO_RULE, doc.spot(node.place), message).with_help(help)
                );
            }
            none
        }
        ExprKind::Constant(_)
        | ExprKind::Boolean { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Ref(_) => none,
    })
}

/// The position of the operand that MERGE does not choose, where the mask is a constant. Compilers replace the
/// reference by the other operand, in its adjoint by a scalar zero where an array is expected.
fn passed_over(doc: &Document, name: &str, operands: &[Operand]) -> Option<u16> {
    let mask = operands.iter().find(|operand| name == "merge" && operand.position == 3)?;
    constant_logical(doc, mask.expr).map(|holds| if holds { 2 } else { 1 })
}

fn constructor<'c>(items: impl Iterator<Item = ExprId>) -> Children<'c> {
    let exprs = (1..).zip(items).collect();
    Children { kind: Some(NodeKind::Constructor), exprs }
}

fn no_rule(doc: &Document, expr: ExprId) -> Diagnostic {
    let message = format!("the catalogue has no rule for `{}`", spelling(doc, expr));
    Diagnostic::error(Code::NO_RULE, doc.spot(doc.exprs[expr].place), message)
        .with_help("give its partial derivatives in a catalogue of your own: --intrinsics FILE")
}

/// An active operation whose rule is no derivative is an error.
fn refuse(doc: &Document, expr: ExprId, kind: NodeKind<'_>) -> Result<(), Diagnostic> {
    let spot = doc.spot(doc.exprs[expr].place);
    match kind {
        NodeKind::Operation(Rule::Refused(reason)) => {
            let name = spelling(doc, expr);
            let message = format!("the derivative of `{name}` is not supported: {reason}");
            let help = "write it in other terms, or pass it a variable that has no derivative";
            Err(Diagnostic::error(Code::RULE_REFUSED, spot, message).with_help(help))
        }
        NodeKind::Operation(Rule::Statements) => {
            let name = spelling(doc, expr);
            let message =
                format!("`{name}` stands inside an expression, but its derivative is a loop");
            let help = "bring the program into canonical form first: xaif-canonicalize";
            Err(Diagnostic::error(Code::MUST_STAND_ALONE, spot, message).with_help(help))
        }
        NodeKind::Operation(
            Rule::Partials(_) | Rule::Same(_) | Rule::Bilinear | Rule::Choice(_) | Rule::Passive,
        )
        | NodeKind::Leaf(_)
        | NodeKind::Constructor => Ok(()),
    }
}

/// What the source calls an operation.
pub(super) fn spelling(doc: &Document, expr: ExprId) -> String {
    use xaif_schema::intrinsics::{Spelling, spelling};
    let ExprKind::Intrinsic { name, spelling: own, .. } = &doc.exprs[expr].kind else {
        return String::new();
    };
    match (own, spelling(name)) {
        (Some(own), _) => own.to_string(),
        (None, Some(Spelling::Operator(operator))) => operator.symbol.to_string(),
        (None, Some(Spelling::Function(row))) => row.fortran.to_string(),
        (None, None) => name.to_string(),
    }
}
