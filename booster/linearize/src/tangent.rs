//! The derivative of an expression as an expression.
//!
//! Node by node in the order of evaluation (Griewank and Walther, "Evaluating Derivatives",
//! section 3.1, table 3.3): the derivative of a node is the sum of what its operands contribute,
//! written with copies of the original operands. Signs are kept apart until the end, and
//! contributions with a common denominator share it, so that `x/y` gives `(xd - x/y*yd)/y`.

use std::collections::HashMap;

use smallvec::SmallVec;
use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::intrinsics::{self, Class};
use xaif_schema::model::{
    Arg, ArgValue, Base, BoolOp, ConstantClass, Document, Expr, ExprId, ExprKind, Operand,
    Operands, Place, RefId, Ty, TypeSpec,
};

use super::conform::{conform, zero, zero_vector};
use super::graph::{Edge, Linearised, Node, NodeKind, spelling};
use super::instantiate::{Signed, Site, Value, convert};
use super::structure::{Given, components_of, zero_components_not_given};
use super::values::{Hoist, Values};
use booster_build::{Copier, boolean, intrinsic, negate};
use booster_rules::language::{Local, Scaled, Term};
use booster_rules::{Catalogue, Rule, may_be_continuous, operand};

/// The derivative of the expression `root`, in terms of the derivatives that `shadow` gives for its
/// references (`None`: the reference carries no derivative). The result is `None` if it is zero.
///
/// `root` stays as it is; its parts are copied where the derivative needs their values. The rank of
/// the result follows from that of the derivatives: a derivative may have one dimension more than
/// its original where all operations on the way are elemental. It is less than the rank of `root`
/// where only scalars carry a derivative (see [`conform`]). As for any assignment, the type of the
/// result may differ in kind from the type of `root`.
///
/// # Errors
/// Those of [`Linearised::new`], and a derivative of another rank than an array operation can take.
pub fn tangent_of(
    doc: &mut Document,
    catalogue: &Catalogue,
    root: ExprId,
    shadow: &mut dyn FnMut(&mut Document, RefId) -> Option<ExprId>,
) -> Result<Option<ExprId>, Diagnostic> {
    tangent_with(doc, catalogue, root, shadow, None)
}

/// As [`tangent_of`], where `hoist` may give variables for costly parts of `root` whose values the
/// derivative needs. It is asked once for each, inner parts first. A caller that puts
/// `temp = part` before the statement answers with an expression that reads `temp`; it may make the
/// part of `root` itself a reference to `temp`, too.
///
/// # Errors
/// As [`tangent_of`].
pub fn tangent_with(
    doc: &mut Document,
    catalogue: &Catalogue,
    root: ExprId,
    shadow: &mut dyn FnMut(&mut Document, RefId) -> Option<ExprId>,
    hoist: Option<Hoist<'_>>,
) -> Result<Option<ExprId>, Diagnostic> {
    let mut leaves: HashMap<RefId, ExprId> = HashMap::new();
    let graph = Linearised::new(doc, catalogue, root, &mut |doc, reference| {
        let found = shadow(doc, reference);
        found.map(|expr| leaves.insert(reference, expr));
        found.is_some()
    })?;
    let mut build = Build { doc, values: Values::new(hoist), found: Vec::new() };
    for node in &graph.nodes {
        let derivative = match node.kind {
            NodeKind::Leaf(reference) => {
                leaves.get(&reference).map(|&expr| Derivative { negative: false, expr })
            }
            NodeKind::Operation(rule) => build.operation(node, rule)?,
            NodeKind::Constructor => build.constructor(node)?,
        };
        let derivative = derivative.map(|derivative| build.enclosed(node.expr, derivative));
        build.found.push(derivative);
    }
    let result = build.found.last().copied().flatten();
    Ok(result.map(|Derivative { negative, expr }| {
        if negative {
            negate(doc, expr)
        } else {
            // Nothing stands around it any more.
            doc.exprs[expr].parens = false;
            expr
        }
    }))
}

/// A derivative that is not zero, with its sign apart.
#[derive(Clone, Copy, Debug)]
struct Derivative {
    negative: bool,
    expr: ExprId,
}

impl From<Derivative> for Signed {
    fn from(derivative: Derivative) -> Self {
        Signed { negative: derivative.negative, value: Value::Node(derivative.expr) }
    }
}

struct Build<'d, 'h> {
    doc: &'d mut Document,
    values: Values<'h>,
    /// The derivatives of the nodes so far; `None` is zero after all.
    found: Vec<Option<Derivative>>,
}

/// What an operand contributes: `± numerator / denominator`.
struct Contribution<'c> {
    scaled: &'c Scaled,
    derivative: Derivative,
}

impl Build<'_, '_> {
    /// Parentheses of the original stand around its derivative, too, where that is an operation.
    fn enclosed(&mut self, original: ExprId, derivative: Derivative) -> Derivative {
        let operator = match &self.doc.exprs[derivative.expr].kind {
            ExprKind::Intrinsic { name, .. } => intrinsics::operator(name).is_some(),
            _ => false,
        };
        if self.doc.exprs[original].parens && operator {
            self.doc.exprs[derivative.expr].parens = true;
        }
        derivative
    }

    fn of(&self, edge: Edge) -> Option<Derivative> {
        self.found.get(edge.source).copied().flatten()
    }

    fn operation(
        &mut self,
        node: &Node<'_>,
        rule: &Rule,
    ) -> Result<Option<Derivative>, Diagnostic> {
        self.check_ranks(node)?;
        match rule {
            Rule::Partials(locals) => self.partials(node, locals),
            Rule::Same(positions) => self.same(node, positions),
            Rule::Bilinear => self.bilinear(node),
            Rule::Choice(op) => Ok(self.choice(node, *op)),
            // The graph has refused them.
            Rule::Statements | Rule::Passive | Rule::Refused(_) => Ok(None),
        }
    }

    /// An array operation takes derivatives of the rank of its operands only.
    fn check_ranks(&self, node: &Node<'_>) -> Result<(), Diagnostic> {
        let ExprKind::Intrinsic { name, operands, .. } = &self.doc.exprs[node.expr].kind else {
            return Ok(());
        };
        if is_elemental(name) {
            return Ok(());
        }
        for &edge in &node.edges {
            let (Some(original), Some(derivative)) =
                (operand(operands, edge.position), self.of(edge))
            else {
                continue;
            };
            let rank = self.doc.exprs[derivative.expr].ty.rank;
            let of_original = self.doc.exprs[original].ty.rank;
            if rank != of_original && rank != 0 {
                let message = format!(
                    "the derivative of an operand of `{}` has {rank} dimensions, the operand has \
                     {of_original}",
                    spelling(self.doc, node.expr)
                );
                let spot = self.doc.spot(self.doc.exprs[node.expr].place);
                return Err(Diagnostic::error(Code::DERIVATIVE_RANK, spot, message)
                    .with_help("differentiate in one direction after the other"));
            }
        }
        Ok(())
    }

    fn partials(
        &mut self,
        node: &Node<'_>,
        locals: &[Option<Local>],
    ) -> Result<Option<Derivative>, Diagnostic> {
        let mut scaled: Vec<Contribution<'_>> = Vec::new();
        let mut total: Option<Signed> = None;
        for &edge in &node.edges {
            let Some(derivative) = self.of(edge) else { continue };
            match locals.get(usize::from(edge.position).wrapping_sub(1)) {
                Some(Some(Local::Scaled(local))) => {
                    scaled.push(Contribution { scaled: local, derivative });
                }
                Some(Some(Local::Map(term))) => {
                    let value = self.map(node.expr, edge, derivative, term);
                    total = Some(self.add(node.expr, total, value));
                }
                Some(None) | None => {}
            }
        }
        if let Some(sum) = self.scaled(node.expr, &scaled) {
            total = Some(self.add(node.expr, total, sum));
        }
        Ok(total.and_then(|total| self.derivative(node.expr, total)))
    }

    /// The sum of `± before * d * after / denominator`, where what all have in common stands once.
    fn scaled(&mut self, expr: ExprId, all: &[Contribution<'_>]) -> Option<Signed> {
        let first = all.first()?.scaled;
        let common_denominator = all.iter().all(|c| c.scaled.denominator == first.denominator);
        let common_factor = all.len() > 1
            && first.before.is_some()
            && all.iter().all(|c| c.scaled.before == first.before && c.scaled.after.is_none());
        let mut sum: Option<Signed> = None;
        for Contribution { scaled, derivative } in all {
            let mut site = Site::new(self.doc, expr, None, &mut self.values);
            let mut value = Signed::from(*derivative);
            if let Some(before) = scaled.before.as_ref().filter(|_| !common_factor) {
                let before = site.eval(before);
                value = site.product(before, value);
            }
            if let Some(after) = &scaled.after {
                let after = site.eval(after);
                value = site.product(value, after);
            }
            if let Some(denominator) = scaled.denominator.as_ref().filter(|_| !common_denominator) {
                let denominator = site.eval(denominator);
                value = site.quotient(value, denominator);
            }
            value.negative ^= scaled.negative;
            sum = Some(self.add(expr, sum, value));
        }
        let mut sum = sum?;
        let mut site = Site::new(self.doc, expr, None, &mut self.values);
        if let Some(before) = first.before.as_ref().filter(|_| common_factor) {
            let before = site.eval(before);
            sum = site.product(before, sum);
        }
        if let Some(denominator) = first.denominator.as_ref().filter(|_| common_denominator) {
            let denominator = site.eval(denominator);
            sum = site.quotient(sum, denominator);
        }
        Some(sum)
    }

    fn map(&mut self, expr: ExprId, edge: Edge, derivative: Derivative, term: &Term) -> Signed {
        let mut inner = derivative.expr;
        if let ExprKind::Intrinsic { operands, name, .. } = &self.doc.exprs[expr].kind
            && let Some(original) = operand(operands, edge.position)
        {
            let elemental = is_elemental(name);
            let base = self.doc.exprs[original].ty.base;
            if let Base::Complex(_) = base {
                inner = convert(self.doc, inner, base);
            }
            if !elemental {
                inner = conform(self.doc, inner, original);
            }
        }
        let mut value = Site::new(self.doc, expr, Some(inner), &mut self.values).eval(term);
        value.negative ^= derivative.negative;
        value
    }

    fn add(&mut self, expr: ExprId, sum: Option<Signed>, value: Signed) -> Signed {
        match sum {
            Some(sum) => Site::new(self.doc, expr, None, &mut self.values).sum(sum, value),
            None => value,
        }
    }

    fn derivative(&mut self, expr: ExprId, value: Signed) -> Option<Derivative> {
        let negative = value.negative;
        match value.value {
            Value::Whole(0) | Value::Absent => None,
            value => {
                let value = Signed { negative: false, value };
                let mut site = Site::new(self.doc, expr, None, &mut self.values);
                Some(Derivative { negative, expr: site.node_of(value) })
            }
        }
    }

    /// The same operation on the derivatives of its operands at `positions`.
    fn same(
        &mut self,
        node: &Node<'_>,
        positions: &[u16],
    ) -> Result<Option<Derivative>, Diagnostic> {
        let original = self.doc.exprs[node.expr].clone();
        let ExprKind::Intrinsic { name, spelling, operands } = &original.kind else {
            return Ok(None);
        };
        let known: Vec<(u16, Derivative)> = node
            .edges
            .iter()
            .filter_map(|&edge| self.of(edge).map(|derivative| (edge.position, derivative)))
            .collect();
        let Some(&(_, first)) = known.first() else { return Ok(None) };
        let negative = known.iter().all(|(_, derivative)| derivative.negative);
        let class = self.doc.exprs[first.expr].ty.base;
        match (&**name, class) {
            // The derivative of a complex number may be real.
            ("imag_scal", Base::Real(_)) => return Ok(None),
            ("conjg", Base::Real(_)) => return Ok(Some(first)),
            _ => {}
        }
        let exact = positions.len() > 1 || spelling.is_some();
        let mut copies: Operands = SmallVec::new();
        let mut keyword = false;
        for operand in operands {
            let data = positions.contains(&operand.position);
            let own = known.iter().find(|(position, _)| *position == operand.position);
            let expr = match own {
                Some(&(_, derivative)) => {
                    let mut expr = derivative.expr;
                    if derivative.negative && !negative {
                        expr = negate(self.doc, expr);
                    }
                    Some(self.fitted(expr, operand.expr, name, exact))
                }
                None if data => self.nothing(name, original.ty.base, operand)?,
                None => Some(self.values.of(self.doc, operand.expr)),
            };
            match expr {
                Some(expr) => {
                    copies.push(Operand { expr, keyword: operand.keyword || keyword, ..*operand });
                }
                None => keyword = true,
            }
        }
        let rank = self.rank(name, &copies, original.ty.rank);
        let kind = ExprKind::Intrinsic {
            name: name.clone(),
            spelling: spelling.clone(),
            operands: copies,
        };
        let ty = Ty { base: original.ty.base, rank };
        let expr = booster_build::node(self.doc, kind, ty, original.place);
        Ok(Some(Derivative { negative, expr }))
    }

    /// A derivative in the type and rank that an operation asks of its operand.
    fn fitted(&mut self, derivative: ExprId, original: ExprId, name: &str, exact: bool) -> ExprId {
        let (from, to) = (self.doc.exprs[derivative].ty.base, self.doc.exprs[original].ty.base);
        let other_class = matches!(
            (from, to),
            (Base::Real(_), Base::Complex(_)) | (Base::Complex(_), Base::Real(_))
        );
        let mut expr = derivative;
        if (exact || other_class) && to.is_continuous() {
            expr = convert(self.doc, expr, to);
        }
        if is_elemental(name) { expr } else { conform(self.doc, expr, original) }
    }

    /// The zero that stands for an operand without derivative; `None` is that it is left out.
    fn nothing(
        &mut self,
        name: &str,
        base: Base,
        passive: &Operand,
    ) -> Result<Option<ExprId>, Diagnostic> {
        let like = passive.expr;
        if !base.is_continuous() {
            return self.zero_structure(like, "an operand").map(Some);
        }
        let doc = &mut *self.doc;
        Ok(match (name, passive.position) {
            ("complex_scal", 2) | ("eoshift", 3) => None,
            ("complex_scal" | "complex", _) => {
                let part = match base {
                    Base::Complex(bytes) => Base::Real(bytes),
                    other => other,
                };
                Some(zero(doc, part, like))
            }
            ("reshape_arr", 3) => Some(zero_vector(doc, base, like)),
            ("merge", _) | ("unpack", 3) => Some(zero(doc, base, like)),
            _ => {
                let zero = zero(doc, base, like);
                Some(conform(doc, zero, like))
            }
        })
    }

    fn rank(&self, name: &str, operands: &Operands, original: u8) -> u8 {
        if !is_elemental(name) {
            return original;
        }
        let ranks = operands.iter().map(|operand| self.doc.exprs[operand.expr].ty.rank);
        ranks.max().unwrap_or(original)
    }

    /// `op(ad, b) + op(a, bd)`
    fn bilinear(&mut self, node: &Node<'_>) -> Result<Option<Derivative>, Diagnostic> {
        let original = self.doc.exprs[node.expr].clone();
        let ExprKind::Intrinsic { name, spelling, operands } = &original.kind else {
            return Ok(None);
        };
        let mut total: Option<Signed> = None;
        for &edge in &node.edges {
            let Some(derivative) = self.of(edge) else { continue };
            let mut copies: Operands = SmallVec::new();
            for operand in operands {
                let expr = if operand.position == edge.position {
                    let exact = &**name == "dprod";
                    self.fitted(derivative.expr, operand.expr, name, exact)
                } else {
                    self.values.of(self.doc, operand.expr)
                };
                copies.push(Operand { expr, ..*operand });
            }
            let rank = self.rank(name, &copies, original.ty.rank);
            let kind = ExprKind::Intrinsic {
                name: name.clone(),
                spelling: spelling.clone(),
                operands: copies,
            };
            let ty = Ty { base: original.ty.base, rank };
            let expr = booster_build::node(self.doc, kind, ty, original.place);
            let value = Signed::from(Derivative { negative: derivative.negative, expr });
            total = Some(self.add(node.expr, total, value));
        }
        Ok(total.and_then(|total| self.derivative(node.expr, total)))
    }

    /// `merge(ad, bd, a >= b)`, and so on from left to right.
    fn choice(&mut self, node: &Node<'_>, op: BoolOp) -> Option<Derivative> {
        let original = self.doc.exprs[node.expr].clone();
        let ExprKind::Intrinsic { name, operands, .. } = &original.kind else { return None };
        let mut ordered: Vec<Operand> = operands.to_vec();
        ordered.sort_by_key(|operand| operand.position);
        let base = original.ty.base;
        let mut best: Option<ExprId> = None;
        for (index, operand) in ordered.iter().enumerate() {
            let own = node.edges.iter().find(|edge| edge.position == operand.position);
            let own = own.and_then(|&edge| self.of(edge)).map(|derivative| {
                let expr = convert(self.doc, derivative.expr, base);
                if derivative.negative { negate(self.doc, expr) } else { expr }
            });
            if index == 0 {
                best = own;
                continue;
            }
            if best.is_none() && own.is_none() {
                continue;
            }
            let so_far: Vec<ExprId> = ordered
                .iter()
                .take(index)
                .map(|operand| self.values.of(self.doc, operand.expr))
                .collect();
            let rank = |doc: &Document, exprs: &[ExprId]| {
                exprs.iter().map(|&expr| doc.exprs[expr].ty.rank).max().unwrap_or(0)
            };
            let value = match so_far.as_slice() {
                [one] => *one,
                several => {
                    let ty = Ty { base, rank: rank(self.doc, several) };
                    intrinsic(self.doc, name, several, ty)
                }
            };
            let other = self.values.of(self.doc, operand.expr);
            let holds = boolean(self.doc, op, &[value, other]);
            let first = best.unwrap_or_else(|| zero(self.doc, base, operand.expr));
            let second = own.unwrap_or_else(|| zero(self.doc, base, operand.expr));
            let ty = Ty { base, rank: rank(self.doc, &[first, second, holds]) };
            best = Some(intrinsic(self.doc, "merge", &[first, second, holds], ty));
        }
        best.map(|expr| Derivative { negative: false, expr })
    }

    /// An array, implied DO or structure of derivatives, with zero for what has none.
    fn constructor(&mut self, node: &Node<'_>) -> Result<Option<Derivative>, Diagnostic> {
        let original = self.doc.exprs[node.expr].clone();
        let known = |this: &Self, position: usize| {
            let edge = node.edges.iter().find(|edge| usize::from(edge.position) == position);
            edge.and_then(|&edge| this.of(edge))
        };
        if !node.edges.iter().any(|&edge| self.of(edge).is_some()) {
            return Ok(None);
        }
        let kind = match &original.kind {
            ExprKind::ArrayConstructor { spec, items } => {
                let mut derivatives = Vec::with_capacity(items.len());
                for (item, position) in items.iter().zip(1..) {
                    let own = known(self, position);
                    derivatives.push(self.item(*item, own, original.ty.base)?);
                }
                let mut spec = spec.clone();
                if let Some(spec) = &mut spec {
                    Copier::new().spec(self.doc, spec);
                }
                ExprKind::ArrayConstructor { spec, items: derivatives }
            }
            ExprKind::ImpliedDo(implied) => {
                let mut copy = implied.clone();
                for (item, position) in copy.items.iter_mut().zip(1..) {
                    let own = known(self, position);
                    *item = self.item(*item, own, original.ty.base)?;
                }
                let control = &mut copy.control;
                for bound in
                    [Some(&mut control.lower), Some(&mut control.upper), control.step.as_mut()]
                        .into_iter()
                        .flatten()
                {
                    *bound = Copier::new().expr(self.doc, *bound);
                }
                ExprKind::ImpliedDo(copy)
            }
            ExprKind::StructureConstructor { spec, args } => {
                let numbered = (1..).take(args.len());
                let own: Vec<_> = numbered.map(|position| known(self, position)).collect();
                self.structure(spec, args, &own, original.place)?
            }
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => return Ok(None),
        };
        let expr = booster_build::node(self.doc, kind, original.ty, original.place);
        Ok(Some(Derivative { negative: false, expr }))
    }

    /// A structure of derivatives, `own` in the order of `args`, with zero for what has none.
    fn structure(
        &mut self,
        spec: &TypeSpec,
        args: &[Arg],
        own: &[Option<Derivative>],
        place: Place,
    ) -> Result<ExprKind, Diagnostic> {
        let (mut spec, mut args) = (spec.clone(), args.to_vec());
        Copier::new().spec(self.doc, &mut spec);
        let components = components_of(self.doc, &spec, &args);
        for ((arg, own), given) in args.iter_mut().zip(own).zip(components) {
            let ArgValue::Expr(value) = arg.value else { continue };
            let component = match own {
                None if given.pointer => self.target(value)?,
                own => self.component(value, *own, given)?,
            };
            arg.value = ArgValue::Expr(component);
        }
        zero_components_not_given(self.doc, &spec, &mut args, place)?;
        Ok(ExprKind::StructureConstructor { spec: Box::new(spec), args })
    }

    /// An item of an array constructor: of the type of the array and the shape of the original.
    fn item(
        &mut self,
        original: ExprId,
        own: Option<Derivative>,
        base: Base,
    ) -> Result<ExprId, Diagnostic> {
        let Some(derivative) = own else { return self.zero_item(original, base) };
        let expr = match self.doc.exprs[derivative.expr].kind {
            ExprKind::ImpliedDo(_) => derivative.expr,
            _ => convert(self.doc, derivative.expr, base),
        };
        let expr = if derivative.negative { negate(self.doc, expr) } else { expr };
        Ok(conform(self.doc, expr, original))
    }

    /// The zeros of an item that has no derivative.
    fn zero_item(&mut self, original: ExprId, base: Base) -> Result<ExprId, Diagnostic> {
        if let ExprKind::ImpliedDo(implied) = &self.doc.exprs[original].kind {
            let mut copy = implied.clone();
            for item in &mut copy.items {
                *item = self.zero_item(*item, base)?;
            }
            let control = &mut copy.control;
            for bound in [Some(&mut control.lower), Some(&mut control.upper), control.step.as_mut()]
                .into_iter()
                .flatten()
            {
                *bound = Copier::new().expr(self.doc, *bound);
            }
            let Expr { ty, place, .. } = self.doc.exprs[original];
            return Ok(booster_build::node(self.doc, ExprKind::ImpliedDo(copy), ty, place));
        }
        if !base.is_continuous() {
            return self.zero_structure(original, "an item of an array");
        }
        let zero = zero(self.doc, base, original);
        Ok(conform(self.doc, zero, original))
    }

    /// A component value: what has no derivative keeps its value if it is no number, else is zero.
    fn component(
        &mut self,
        original: ExprId,
        own: Option<Derivative>,
        given: Given,
    ) -> Result<ExprId, Diagnostic> {
        let of_value = self.doc.exprs[original].ty.base;
        // An integer may be given for a real number.
        let base = given.base.filter(|base| base.is_continuous()).unwrap_or(of_value);
        match own {
            None if is_null(self.doc, original) => Ok(self.values.of(self.doc, original)),
            Some(Derivative { negative, expr }) => {
                let expr = if negative { negate(self.doc, expr) } else { expr };
                let expr = conform(self.doc, expr, original);
                // A value of its own instead of a section of an allocatable component: gfortran 12
                // makes the wrong elements of the section alone a component.
                self.doc.exprs[expr].parens |= self.doc.exprs[original].parens;
                Ok(expr)
            }
            None if base.is_continuous() => {
                let zero = zero(self.doc, base, original);
                Ok(conform(self.doc, zero, original))
            }
            None if !may_be_continuous(base) => Ok(self.values.of(self.doc, original)),
            None => self.zero_structure(original, "a component"),
        }
    }

    /// The target of a pointer component that has no derivative: nothing, or no number.
    fn target(&mut self, original: ExprId) -> Result<ExprId, Diagnostic> {
        let base = self.doc.exprs[original].ty.base;
        if !may_be_continuous(base) || is_null(self.doc, original) {
            return Ok(self.values.of(self.doc, original));
        }
        let spot = self.doc.spot(self.doc.exprs[original].place);
        let message = "a pointer component with derivative gets a target without";
        Err(Diagnostic::error(Code::RULE_REFUSED, spot, message)
            .with_help("do not change facts of activity by hand"))
    }

    /// The derivative of a structure that is zero, where it is given by its components.
    fn zero_structure(&mut self, original: ExprId, what: &str) -> Result<ExprId, Diagnostic> {
        let Expr { kind, ty, place, .. } = self.doc.exprs[original].clone();
        if let ExprKind::StructureConstructor { spec, args } = kind {
            let none = vec![None; args.len()];
            let kind = self.structure(&spec, &args, &none, place)?;
            return Ok(booster_build::node(self.doc, kind, ty, place));
        }
        let message = format!("a structure without derivative is {what} of one with");
        Err(Diagnostic::error(Code::RULE_REFUSED, self.doc.spot(place), message)
            .with_help("assign the components one by one"))
    }
}

/// `null()`
fn is_null(doc: &Document, expr: ExprId) -> bool {
    match &doc.exprs[expr].kind {
        ExprKind::Constant(constant) => constant.class == ConstantClass::Null,
        ExprKind::Intrinsic { name, .. } => &**name == "null",
        ExprKind::Ref(_)
        | ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => false,
    }
}

/// Whether an operation works element by element.
pub(super) fn is_elemental(name: &str) -> bool {
    intrinsics::operator(name).is_some()
        || intrinsics::by_xaif(name).is_none_or(|row| row.class == Class::Elemental)
}
