//! The adjoint of an expression: what each active reference of a right-hand side gets.
//!
//! The graph of the expression is walked from the root to the references (Griewank and Walther,
//! "Evaluating Derivatives", section 3.2, table 3.6, the non-incremental form within one statement):
//! a node passes its adjoint to its operands, times the conjugate of the partial derivative.
//! Adjoints are taken with respect to the real inner product Re(sum(conjg(a)*b)): a real operand of
//! a complex operation gets a real part.
//!
//! An adjoint that more than one operand gets, and is more than a variable, is computed once into a
//! temporary; so is a value of the expression that is asked for more than once, where it is dear or
//! long (`keep.rs`). So the work is a small multiple of that of the expression, and the text grows
//! with it linearly.
//!
//! Conditions (MERGE, MAX, masks) are carried along and stand around the whole contribution: the
//! derivative of a branch that is not taken may be infinite, and zero times it is no number.
//!
//! What has no expression (PRODUCT, MAXVAL, implied DO) is left to `statement_adjoint`.

use std::mem;

use smallvec::SmallVec;
use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Base, BoolOp, Document, Expr, ExprId, ExprKind, Operand, RefId, SymbolId, Ty,
};

use super::adjoint_maps::special;
use super::conform::{conform, zero};
use super::constructor::{component_of, components, has_loop_at, part, places, refused};
use super::extent;
use super::graph::{Edge, Linearised, Node, NodeKind, is_chosen, spelling};
use super::instantiate::{Signed, Site, Value, multiply, placed};
use super::keep::{kept_values, size_of};
use super::products::tidied;
use super::values::{Values, is_costly};
use booster_build::{
    Copier, binary, boolean, integer, intrinsic, node, nodes_of, same_expr, same_reference,
    value_of, whole,
};
use booster_rules::language::{Local, Scaled};
use booster_rules::{Catalogue, Rule, operand};

/// A longer adjoint gets a temporary even if one operand alone needs it.
const LONGEST: usize = 60;
/// From this length on an adjoint of array shape that is needed twice gets a temporary.
const LONG_ARRAY: usize = 40;
/// From this length on a scalar adjoint with divisions or functions that a whole array needs gets one.
const DEAR: usize = 8;
/// More conditions than these are not carried along.
const MOST_GUARDS: usize = 4;

/// What one active occurrence gets: `target`'s adjoint += `value`.
#[derive(Clone, Copy, Debug)]
pub struct Contribution {
    /// The occurrence in the right-hand side.
    pub target: RefId,
    /// A new expression. It conforms to the occurrence: a scalar occurrence gets a scalar; for an
    /// array it may be a scalar, too.
    pub value: ExprId,
    /// Whether it is to be subtracted.
    pub negative: bool,
}

/// The adjoint of an expression.
#[derive(Clone, Debug, Default)]
pub struct Adjoint {
    /// Assigned first and in this order.
    pub temporaries: Vec<(SymbolId, ExprId)>,
    /// What the occurrences get, in the order of the expression.
    pub contributions: Vec<Contribution>,
}

/// The adjoint of `rhs` in an assignment `lhs = rhs`, where `lhs` has the type `lhs_ty` and `seed` is
/// its adjoint: an expression that may be copied as often as needed and that no contribution changes.
///
/// `active` tells whether a derivative belongs to a reference. `temporary` gives a variable for
/// intermediate values; of rank above 0 it must be allocatable, and is asked for only where the text
/// would become very long otherwise. Nothing of `rhs` is used up. It is read with the values that it
/// had when the assignment was executed ([`needed`](super::needed) tells which); its own value is
/// that of `result`, where that is given ([`needed_beside_result`](super::needed_beside_result)).
///
/// # Errors
/// Those of [`Linearised::new`]; an operation whose adjoint has no expression.
pub fn adjoint_of(
    doc: &mut Document,
    catalogue: &Catalogue,
    rhs: ExprId,
    (seed, result): (ExprId, Option<ExprId>),
    lhs_ty: Ty,
    active: &mut dyn FnMut(&mut Document, RefId) -> bool,
    temporary: &mut dyn FnMut(&mut Document, Ty) -> SymbolId,
) -> Result<Adjoint, Diagnostic> {
    let graph = Linearised::new(doc, catalogue, rhs, active)?;
    if graph.nodes.is_empty() {
        return Ok(Adjoint::default());
    }
    let mut found = Adjoint::default();
    let values = kept_values(doc, catalogue, &graph, (rhs, result), &mut |doc, ty, value| {
        let symbol = temporary(doc, ty);
        found.temporaries.push((symbol, value));
        symbol
    });
    let mut walk = Walk { doc, catalogue, values, temporary, found };
    let seed = Copier::new().expr(walk.doc, seed);
    let scalar = walk.doc.exprs[rhs].ty.rank == 0 && lhs_ty.rank > 0;
    let number = walk.doc.exprs[rhs].ty.base.is_continuous();
    let total = scalar && number && walk.rank(seed) > 0;
    let seed = if total { walk.total(seed, None) } else { seed };
    walk.run(&graph, Flow { negative: false, expr: seed, guards: Vec::new() })?;
    let mut found = walk.found;
    found.contributions.reverse();
    combine(doc, &mut found.contributions);
    for (_, value) in &mut found.temporaries {
        *value = tidied(doc, *value);
    }
    for contribution in &mut found.contributions {
        contribution.value = tidied(doc, contribution.value);
    }
    Ok(found)
}

/// The adjoint of a node: `± expr` where all guards hold, else zero.
#[derive(Clone, Debug)]
struct Flow {
    negative: bool,
    expr: ExprId,
    guards: Vec<ExprId>,
}

struct Walk<'d, 't, 'v> {
    doc: &'d mut Document,
    catalogue: &'d Catalogue,
    values: Values<'v>,
    temporary: &'t mut dyn FnMut(&mut Document, Ty) -> SymbolId,
    found: Adjoint,
}

impl Walk<'_, '_, '_> {
    fn rank(&self, expr: ExprId) -> u8 {
        self.doc.exprs[expr].ty.rank
    }

    fn run(&mut self, graph: &Linearised<'_>, seed: Flow) -> Result<(), Diagnostic> {
        let mut flows: Vec<Vec<Flow>> = vec![Vec::new(); graph.nodes.len()];
        if let Some(root) = flows.last_mut() {
            root.push(seed);
        }
        for (index, node) in graph.nodes.iter().enumerate().rev() {
            let own = flows.get_mut(index).map(mem::take).unwrap_or_default();
            let Some(flow) = self.joined(own) else { continue };
            let flow = self.fitted(flow, node.expr);
            for (source, flow) in self.node(graph, node, flow)? {
                if let Some(flows) = flows.get_mut(source) {
                    flows.push(flow);
                }
            }
        }
        Ok(())
    }

    /// The sum of what the users of a node pass to it; more than one only where nodes are shared.
    fn joined(&mut self, flows: Vec<Flow>) -> Option<Flow> {
        let mut flows = flows.into_iter();
        let first = flows.next()?;
        let mut sum = first;
        for flow in flows {
            let (one, other) = (self.flushed(sum, |_| true), self.flushed(flow, |_| true));
            let (name, a, b) = match (one.negative, other.negative) {
                (false, true) => ("sub_scal_scal", one.expr, other.expr),
                (true, false) => ("sub_scal_scal", other.expr, one.expr),
                _ => ("add_scal_scal", one.expr, other.expr),
            };
            let negative = one.negative && other.negative;
            sum = Flow { negative, expr: binary(self.doc, name, a, b), guards: Vec::new() };
        }
        Some(sum)
    }

    /// A real node takes the real part.
    fn fitted(&mut self, mut flow: Flow, expr: ExprId) -> Flow {
        let (to, from) = (self.doc.exprs[expr].ty.base, self.doc.exprs[flow.expr].ty);
        if let (Base::Real(_), Base::Complex(bytes)) = (to, from.base) {
            let ty = Ty { base: Base::Real(bytes), rank: from.rank };
            flow.expr = intrinsic(self.doc, "real_scal", &[flow.expr], ty);
        }
        flow
    }

    /// What the operands of a node get.
    fn node(
        &mut self,
        graph: &Linearised<'_>,
        node: &Node<'_>,
        mut flow: Flow,
    ) -> Result<Vec<(usize, Flow)>, Diagnostic> {
        if flow.guards.len() > MOST_GUARDS {
            flow = self.flushed(flow, |_| true);
        }
        if self.is_long(flow.expr) {
            flow = self.stored(flow);
        }
        match node.kind {
            NodeKind::Leaf(target) => {
                let Flow { negative, expr: value, .. } = self.flushed(flow, |_| true);
                self.found.contributions.push(Contribution { target, value, negative });
                Ok(Vec::new())
            }
            NodeKind::Operation(rule) => self.operation(node, rule, flow),
            NodeKind::Constructor => {
                let structure =
                    matches!(self.doc.exprs[node.expr].kind, ExprKind::StructureConstructor { .. });
                if structure {
                    self.structure(graph, node, flow)
                } else {
                    self.array(graph, node, flow)
                }
            }
        }
    }

    fn operation(
        &mut self,
        node: &Node<'_>,
        rule: &Rule,
        flow: Flow,
    ) -> Result<Vec<(usize, Flow)>, Diagnostic> {
        let mut found = Vec::new();
        if !self.doc.exprs[node.expr].ty.base.is_continuous() {
            return Err(no_adjoint(self.doc, node.expr));
        }
        let flow = self.ready_to_spread(node, flow);
        self.keep_order(node.expr, flow.expr);
        match rule {
            Rule::Partials(locals) => {
                let local = |edge: &Edge| {
                    locals.get(usize::from(edge.position).wrapping_sub(1)).and_then(Option::as_ref)
                };
                let (flow, shared) = self.over_denominator(node, &local, flow);
                let flow = if node.edges.len() > 1 { self.shared(flow) } else { flow };
                for &edge in &node.edges {
                    let passed = match local(&edge) {
                        Some(Local::Scaled(scaled)) => {
                            self.scaled(node.expr, edge, scaled, &flow, shared)
                        }
                        Some(Local::Map(_)) => {
                            let copy = self.copied(&flow);
                            let whole = self.ready(node.expr, copy);
                            self.map(node.expr, edge, &whole)?
                        }
                        None => None,
                    };
                    found.extend(passed.map(|passed| (edge.source, passed)));
                }
            }
            Rule::Choice(op) => {
                let flow = if node.edges.len() > 1 { self.shared(flow) } else { flow };
                for &edge in &node.edges {
                    let mut passed = self.copied(&flow);
                    let position = edge.position;
                    let chosen = is_chosen(self.doc, node.expr, position, *op, &mut self.values);
                    passed.guards.extend(chosen);
                    found.push((edge.source, self.elemental(node.expr, position, passed)));
                }
            }
            Rule::Same(_) | Rule::Bilinear => {
                let flow = self.ready(node.expr, flow);
                let flow = if node.edges.len() > 1 { self.shared(flow) } else { flow };
                for &edge in &node.edges {
                    let passed = self.map(node.expr, edge, &flow)?;
                    found.extend(passed.map(|passed| (edge.source, passed)));
                }
            }
            // The graph has refused them.
            Rule::Statements | Rule::Passive | Rule::Refused(_) => {}
        }
        Ok(found)
    }

    /// Who writes `(m*s)*s` may know that `s*s` underflows: parentheses around a product keep the order
    /// in which its factors get the adjoint, `s*(s*ab)`.
    fn keep_order(&mut self, expr: ExprId, adjoint: ExprId) {
        let is_product = |expr: ExprId| match &self.doc.exprs[expr].kind {
            ExprKind::Intrinsic { name, .. } => {
                matches!(&**name, "mul_scal_scal" | "div_scal_scal")
            }
            _ => false,
        };
        if self.doc.exprs[expr].parens && is_product(expr) && is_product(adjoint) {
            self.doc.exprs[adjoint].parens = true;
        }
    }

    /// A scalar adjoint that each element of an array gets is computed once, if it is dear.
    fn ready_to_spread(&mut self, node: &Node<'_>, flow: Flow) -> Flow {
        let is_array = |edge: &Edge| {
            operand_of(self.doc, node.expr, edge.position).is_some_and(|of| self.rank(of) > 0)
        };
        let spreads = self.rank(flow.expr) == 0 && node.edges.iter().any(is_array);
        let dear = is_costly(self.doc, flow.expr) && size_of(self.doc, flow.expr, DEAR) >= DEAR;
        if spreads && dear { self.stored(flow) } else { flow }
    }

    /// A denominator that all partials have in common divides their adjoint once.
    fn over_denominator<'l>(
        &mut self,
        node: &Node<'_>,
        local: &dyn Fn(&Edge) -> Option<&'l Local>,
        mut flow: Flow,
    ) -> (Flow, bool) {
        let denominator = |edge: &Edge| match local(edge) {
            Some(Local::Scaled(scaled)) if !scaled.is_guarded_quotient() => {
                scaled.denominator.as_ref()
            }
            Some(_) | None => None,
        };
        let Some(first) = node.edges.first().and_then(denominator) else { return (flow, false) };
        let common = node.edges.iter().all(|edge| denominator(edge) == Some(first));
        if node.edges.len() < 2 || !common {
            return (flow, false);
        }
        let mut site = Site::new(self.doc, node.expr, None, &mut self.values);
        site.root_of_tiny(true);
        let divisor = site.eval(first);
        let divisor = site.conjugate(divisor);
        let signed = site.quotient(Signed::node(flow.expr), divisor);
        flow.negative ^= signed.negative;
        flow.expr = site.node_of(Signed { negative: false, ..signed });
        (flow, true)
    }

    /// `± before * after * adjoint / denominator`, the factors conjugate.
    fn scaled(
        &mut self,
        expr: ExprId,
        edge: Edge,
        scaled: &Scaled,
        flow: &Flow,
        divided: bool,
    ) -> Option<Flow> {
        let mut site = Site::new(self.doc, expr, None, &mut self.values);
        site.root_of_tiny(true);
        let mut factor: Signed = Value::Whole(1).into();
        for term in [&scaled.before, &scaled.after].into_iter().flatten() {
            let next = site.eval(term);
            let next = site.conjugate(next);
            factor = site.product(factor, next);
        }
        site.root_of_tiny(!scaled.is_guarded_quotient());
        let denominator = scaled.denominator.as_ref().filter(|_| !divided).map(|denominator| {
            let denominator = site.eval(denominator);
            site.conjugate(denominator)
        });
        factor.negative ^= scaled.negative;
        if factor.value == Value::Whole(0) {
            return None;
        }
        let flow = self.copied(flow);
        let of = match &self.doc.exprs[expr].kind {
            ExprKind::Intrinsic { operands, .. } => operand(operands, edge.position),
            _ => None,
        };
        let total = self.rank(expr) > 0 && of.is_some_and(|of| self.rank(of) == 0);
        if total && self.rank(flow.expr) == 0 {
            return Some(self.total_of_factor(expr, factor, denominator, flow));
        }
        let value = self.times(expr, factor, denominator, flow);
        Some(if total { self.summed(expr, value) } else { value })
    }

    /// `factor * adjoint / denominator`
    fn times(
        &mut self,
        expr: ExprId,
        factor: Signed,
        denominator: Option<Signed>,
        mut flow: Flow,
    ) -> Flow {
        flow.negative ^= factor.negative;
        if factor.value != Value::Whole(1) {
            let mut site = Site::new(self.doc, expr, None, &mut self.values);
            let factor = site.node_of(Signed { negative: false, ..factor });
            flow.expr = times(self.doc, factor, flow.expr);
        }
        if let Some(denominator) = denominator {
            let mut site = Site::new(self.doc, expr, None, &mut self.values);
            let signed = site.quotient(Signed::node(flow.expr), denominator);
            flow.negative ^= signed.negative;
            flow.expr = site.node_of(Signed { negative: false, ..signed });
        }
        flow
    }

    /// `sum(factor / denominator) * adjoint` for a scalar adjoint and the shape of `expr`.
    fn total_of_factor(
        &mut self,
        expr: ExprId,
        mut factor: Signed,
        denominator: Option<Signed>,
        mut flow: Flow,
    ) -> Flow {
        let mut site = Site::new(self.doc, expr, None, &mut self.values);
        if let Some(denominator) = denominator {
            factor = site.quotient(factor, denominator);
        }
        flow.negative ^= factor.negative;
        if factor.value == Value::Whole(1) {
            return self.summed(expr, flow);
        }
        let factor = site.node_of(Signed { negative: false, ..factor });
        let guards = mem::take(&mut flow.guards);
        let total = self.summed(expr, Flow { negative: false, expr: factor, guards });
        let Flow { expr: total, guards, .. } = total;
        let expr = times(self.doc, total, flow.expr);
        Flow { expr, guards, ..flow }
    }

    /// What the items of an array constructor get.
    fn array(
        &mut self,
        graph: &Linearised<'_>,
        node: &Node<'_>,
        flow: Flow,
    ) -> Result<Vec<(usize, Flow)>, Diagnostic> {
        let mut flow = self.flushed(flow, |rank| rank > 0);
        if self.rank(flow.expr) == 0 {
            // An item of an implied DO gets the adjoint in every iteration, which is no expression.
            if has_loop_at(self.doc, node.expr, &node.edges) {
                return Err(refused(self.doc, node.expr));
            }
            let copies = node.edges.iter().map(|edge| (edge.source, self.copied(&flow)));
            return Ok(copies.collect());
        }
        let places = places(self.doc, node.expr, &node.edges)?;
        if !matches!(self.doc.exprs[flow.expr].kind, ExprKind::Ref(_)) {
            flow = self.stored(flow);
        }
        let ExprKind::Ref(whole) = self.doc.exprs[flow.expr].kind else {
            return Err(refused(self.doc, node.expr));
        };
        let mut found = Vec::new();
        for (edge, at) in node.edges.iter().zip(places) {
            let Some(item) = graph.nodes.get(edge.source) else { continue };
            let mut passed = self.copied(&flow);
            passed.expr = part(self.doc, whole, at, item.expr)?;
            found.push((edge.source, passed));
        }
        Ok(found)
    }

    /// What the components of a structure get.
    fn structure(
        &mut self,
        graph: &Linearised<'_>,
        node: &Node<'_>,
        flow: Flow,
    ) -> Result<Vec<(usize, Flow)>, Diagnostic> {
        let ExprKind::Ref(whole) = self.doc.exprs[flow.expr].kind else {
            return Err(refused(self.doc, node.expr));
        };
        let components = components(self.doc, node.expr, &node.edges)?;
        let mut found = Vec::new();
        for (edge, component) in node.edges.iter().zip(components) {
            let Some(component) = component else { continue };
            let Some(item) = graph.nodes.get(edge.source) else { continue };
            let mut passed = self.copied(&flow);
            passed.expr = component_of(self.doc, whole, component);
            // One number for all elements of a component, or of an array of structures.
            passed = match (self.rank(item.expr), self.rank(passed.expr)) {
                (0, 0) => passed,
                (0, _) => self.summed(node.expr, passed),
                (own, rank) if own == rank => passed,
                _ => return Err(refused(self.doc, node.expr)),
            };
            found.push((edge.source, passed));
        }
        Ok(found)
    }

    /// What an operand gets by the text of the catalogue.
    fn map(&mut self, expr: ExprId, edge: Edge, flow: &Flow) -> Result<Option<Flow>, Diagnostic> {
        let catalogue = self.catalogue;
        let Some(rule) = catalogue.adjoint(self.doc, expr, edge.position) else {
            let value = special(self.doc, expr, edge.position, flow.expr)?;
            let guards = flow.guards.clone();
            let passed = Flow { negative: flow.negative, expr: value, guards };
            return Ok(Some(self.of_array(expr, edge.position, passed)));
        };
        let mut site = Site::new(self.doc, expr, Some(flow.expr), &mut self.values);
        let signed = site.eval(&rule.value);
        let guard = rule.guard.as_ref().map(|guard| (site.eval(&guard.mask), guard.holds));
        let guard = guard.filter(|(mask, _)| mask.value != Value::Absent);
        let guard = guard.map(|(mask, holds)| (site.node_of(mask), holds));
        if signed.value == Value::Whole(0) {
            return Ok(None);
        }
        let negative = flow.negative ^ signed.negative;
        let value = site.node_of(Signed { negative: false, ..signed });
        let mut passed = self.copied(flow);
        (passed.expr, passed.negative) = (value, negative);
        if let Some((mask, holds)) = guard {
            let mask = if holds { mask } else { boolean(self.doc, BoolOp::Not, &[mask]) };
            passed.guards.push(mask);
        }
        Ok(Some(if is_elemental(self.doc, expr) {
            self.elemental(expr, edge.position, passed)
        } else {
            self.of_array(expr, edge.position, passed)
        }))
    }

    /// A scalar operand of an array operation gets the sum.
    fn elemental(&mut self, expr: ExprId, position: u16, flow: Flow) -> Flow {
        let of = operand_of(self.doc, expr, position);
        let total = self.rank(expr) > 0 && of.is_some_and(|of| self.rank(of) == 0);
        if total { self.summed(expr, flow) } else { flow }
    }

    /// A scalar operand of a function of arrays gets the sum of what has a shape.
    fn of_array(&mut self, expr: ExprId, position: u16, flow: Flow) -> Flow {
        let of = operand_of(self.doc, expr, position);
        let scalar = of.is_some_and(|of| self.rank(of) == 0);
        if scalar && self.rank(flow.expr) > 0 { self.summed(expr, flow) } else { flow }
    }

    /// An adjoint as functions of arrays take it: of full rank and without masks.
    fn ready(&mut self, expr: ExprId, flow: Flow) -> Flow {
        if is_elemental(self.doc, expr) {
            return flow;
        }
        let mut flow = self.flushed(flow, |rank| rank > 0);
        flow.expr = conform(self.doc, flow.expr, expr);
        flow
    }

    /// The sum over the shape of `expr` where the guards hold; scalar guards stay.
    fn summed(&mut self, expr: ExprId, mut flow: Flow) -> Flow {
        let guards = mem::take(&mut flow.guards);
        let (masks, scalars): (Vec<_>, Vec<_>) =
            guards.into_iter().partition(|&guard| self.rank(guard) > 0);
        flow.guards = scalars;
        let mask = self.all_of(masks);
        if self.rank(flow.expr) > 0 {
            flow.expr = self.total(flow.expr, mask);
            return flow;
        }
        let count = match mask {
            Some(mask) => intrinsic(self.doc, "count", &[mask], Ty::scalar(Base::Integer(4))),
            None => extent::size(self.doc, expr),
        };
        flow.expr = times(self.doc, count, flow.expr);
        flow
    }

    /// `sum(array, mask=mask)`
    fn total(&mut self, array: ExprId, mask: Option<ExprId>) -> ExprId {
        let ty = Ty::scalar(self.doc.exprs[array].ty.base);
        let mut operands: SmallVec<[Operand; 2]> = SmallVec::new();
        operands.push(Operand { position: 1, keyword: false, expr: array });
        operands.extend(mask.map(|expr| Operand { position: 3, keyword: true, expr }));
        let place = self.doc.exprs[array].place;
        let kind = ExprKind::Intrinsic { name: "sum_arr".into(), spelling: None, operands };
        node(self.doc, kind, ty, place)
    }

    fn all_of(&mut self, guards: Vec<ExprId>) -> Option<ExprId> {
        guards.into_iter().reduce(|a, b| boolean(self.doc, BoolOp::And, &[a, b]))
    }

    /// The guards of the ranks that `which` names become a MERGE.
    fn flushed(&mut self, mut flow: Flow, which: impl Fn(u8) -> bool) -> Flow {
        let guards = mem::take(&mut flow.guards);
        let (now, later): (Vec<_>, Vec<_>) =
            guards.into_iter().partition(|&guard| which(self.rank(guard)));
        flow.guards = later;
        if let Some(mask) = self.all_of(now) {
            let ty = self.doc.exprs[flow.expr].ty;
            let none = zero(self.doc, ty.base, flow.expr);
            let ty = ty.with_rank(ty.rank.max(self.rank(mask)));
            flow.expr = intrinsic(self.doc, "merge", &[flow.expr, none, mask], ty);
        }
        flow
    }

    fn copied(&mut self, flow: &Flow) -> Flow {
        let copier = Copier::new();
        let expr = copier.expr(self.doc, flow.expr);
        let guards = flow.guards.iter().map(|&guard| copier.expr(self.doc, guard)).collect();
        Flow { negative: flow.negative, expr, guards }
    }

    fn is_long(&self, expr: ExprId) -> bool {
        size_of(self.doc, expr, LONGEST) >= LONGEST
    }

    /// An adjoint for several operands: in a temporary, if it is more than a variable.
    fn shared(&mut self, flow: Flow) -> Flow {
        let simple =
            matches!(self.doc.exprs[flow.expr].kind, ExprKind::Ref(_) | ExprKind::Constant(_));
        let short =
            self.rank(flow.expr) > 0 && size_of(self.doc, flow.expr, LONG_ARRAY) < LONG_ARRAY;
        if simple || short { flow } else { self.stored(flow) }
    }

    /// An adjoint in a temporary.
    fn stored(&mut self, mut flow: Flow) -> Flow {
        let ty = self.doc.exprs[flow.expr].ty;
        if ty.base.is_continuous() {
            let symbol = (self.temporary)(self.doc, ty);
            let place = self.doc.exprs[flow.expr].place;
            // What stands for itself needs no parentheses.
            self.doc.exprs[flow.expr].parens &=
                matches!(self.doc.exprs[flow.expr].kind, ExprKind::Ref(_));
            self.found.temporaries.push((symbol, flow.expr));
            let read = whole(self.doc, symbol, place);
            flow.expr = value_of(self.doc, read);
        }
        flow
    }
}

/// An operation on structures, or on what nobody has declared.
fn no_adjoint(doc: &Document, expr: ExprId) -> Diagnostic {
    let spot = doc.spot(doc.exprs[expr].place);
    let operation = spelling(doc, expr);
    let unknown = nodes_of(doc, [expr]).into_iter().find_map(|node| match doc.exprs[node] {
        Expr { kind: ExprKind::Ref(reference), ty: Ty { base: Base::Unknown, .. }, .. } => {
            Some(doc.name(doc.refs[reference].base))
        }
        _ => None,
    });
    match unknown {
        Some(name) => {
            let message =
                format!("`{operation}` has no adjoint where the type of `{name}` is not known");
            Diagnostic::error(Code::RULE_REFUSED, spot, message)
                .with_help("give the source of the module that declares it, too")
        }
        None => {
            let message = format!("`{operation}` of structures has no adjoint");
            Diagnostic::error(Code::RULE_REFUSED, spot, message).with_help(
                "assign the structures in the branches of an IF, or component by component",
            )
        }
    }
}

fn operand_of(doc: &Document, expr: ExprId, position: u16) -> Option<ExprId> {
    let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[expr].kind else { return None };
    operand(&placed(doc, name, operands), position)
}

fn is_elemental(doc: &Document, expr: ExprId) -> bool {
    match &doc.exprs[expr].kind {
        ExprKind::Intrinsic { name, .. } => super::tangent::is_elemental(name),
        _ => false,
    }
}

/// `factor*adjoint`, where a quotient keeps its denominator at the end.
fn times(doc: &mut Document, factor: ExprId, adjoint: ExprId) -> ExprId {
    if let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[adjoint].kind
        && &**name == "div_scal_scal"
        && !doc.exprs[adjoint].parens
        && let [numerator, denominator] = operands.as_slice()
    {
        let (numerator, denominator) = (numerator.expr, denominator.expr);
        let numerator = product(doc, factor, numerator);
        return binary(doc, "div_scal_scal", numerator, denominator);
    }
    product(doc, factor, adjoint)
}

/// `factor*adjoint` without parentheses. In `n*(m*xb)` these would keep the integers apart: their
/// product might overflow, and one of lower precision would lose digits; so it is `m*xb*n`.
fn product(doc: &mut Document, factor: ExprId, adjoint: ExprId) -> ExprId {
    let base = |expr: ExprId| doc.exprs[expr].ty.base;
    if base(factor) != base(adjoint) {
        let mut head = adjoint;
        while let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[head].kind
            && &**name == "mul_scal_scal"
            && !doc.exprs[head].parens
            && let Some(first) = operands.first()
        {
            head = first.expr;
        }
        if base(head) != base(adjoint) {
            return binary(doc, "mul_scal_scal", adjoint, factor);
        }
    }
    multiply(doc, factor, adjoint)
}

/// Two equal contributions to one variable become one: `x*x` gives `2*x` times the adjoint.
fn combine(doc: &mut Document, all: &mut Vec<Contribution>) {
    let mut index = 1;
    while index < all.len() {
        let [one, other] = [index - 1, index].map(|at| all.get(at).copied());
        if let (Some(one), Some(other)) = (one, other)
            && one.negative == other.negative
            && same_reference(doc, one.target, other.target)
            && same_expr(doc, one.value, other.value)
        {
            let two = integer(doc, 2, doc.exprs[one.value].place);
            let value = times(doc, two, other.value);
            all.remove(index);
            if let Some(first) = all.get_mut(index - 1) {
                first.value = value;
            }
        }
        index += 1;
    }
}
