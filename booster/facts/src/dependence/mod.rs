//! Whether two elements of one array are different ones, by their subscripts and the loops around.
//!
//! `a(i, k)` and `a(i, l)` in `do k = j, n` and `do l = 1, k - 1` are never the same element, as
//! `l < k`. Each subscript is a sum of integer variables; of the difference of two subscripts of
//! one dimension the variables of loops are replaced by that bound of theirs which makes it least,
//! those of inner loops first, as their bounds tell of the variables of outer ones. What is left is
//! a constant or not known (a simple case of Banerjee's test; Allen and Kennedy, "Optimizing Compilers
//! for Modern Architectures", section 3.3).
//!
//! The references may be met in different iterations of inner loops. Such loops have a variable for each
//! of the two. Nothing is known of subscripts that are no sums, and of variables that change otherwise.

mod order;

use std::collections::{BTreeMap, HashSet};

use xaif_schema::model::{
    Attr, Base, Document, ExprId, ExprKind, Part, RefId, Role, Subscript, SymbolId,
};

pub use order::{Access, Order, When};

/// A counted loop around a reference.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// Its variable.
    pub variable: SymbolId,
    /// The value it begins with.
    pub first: ExprId,
    /// The value it does not pass.
    pub last: ExprId,
    /// Whether it counts upwards.
    pub rising: bool,
}

/// A reference and the loops around it, outer ones first.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The reference.
    pub reference: RefId,
    /// The loops.
    pub around: &'a [Range],
}

/// Whether `a` and `b` surely name different elements in any iteration of the loops beyond the first
/// `shared`, which are around both; `settled` are variables that nobody overwrites.
pub fn apart(
    doc: &Document,
    a: Seen<'_>,
    b: Seen<'_>,
    shared: usize,
    settled: &HashSet<SymbolId>,
) -> bool {
    are_apart(doc, [a, b], Iterations { shared, earlier: None }, settled)
}

/// The iterations in which two references are met.
#[derive(Clone, Copy, Debug)]
struct Iterations {
    /// The number of outer loops around both that are in the same iteration.
    shared: usize,
    /// The next loop is around both, and the first reference is met at least this much earlier, as its variable counts.
    earlier: Option<i64>,
}

fn are_apart(
    doc: &Document,
    [a, b]: [Seen<'_>; 2],
    when: Iterations,
    settled: &HashSet<SymbolId>,
) -> bool {
    let (Some((path_a, list_a)), Some((path_b, list_b))) =
        (elements(doc, a.reference), elements(doc, b.reference))
    else {
        return false;
    };
    if path_a != path_b {
        return false;
    }
    let shared = when.shared.min(a.around.len()).min(b.around.len());
    let (outer, inner_a) = a.around.split_at(shared);
    let inner_b = b.around.get(shared..).unwrap_or_default();
    let views = [
        View { doc, outer, inner: inner_a, copy: 1, settled },
        View { doc, outer, inner: inner_b, copy: 2, settled },
    ];
    list_a.into_iter().zip(list_b).any(|(one, other)| {
        let (Some((least_a, most_a)), Some((least_b, most_b))) =
            (views[0].ends(one), views[1].ends(other))
        else {
            return false;
        };
        is_positive(&views, when.earlier, least_b.minus(&most_a))
            || is_positive(&views, when.earlier, least_a.minus(&most_b))
    })
}

/// A variable and components, each with its number of subscripts.
type Path = Vec<(SymbolId, usize)>;

/// Whether a reference names elements by subscripts that can be told apart.
pub fn has_elements(doc: &Document, reference: RefId) -> bool {
    elements(doc, reference).is_some_and(|(_, subscripts)| !subscripts.is_empty())
}

/// The path of a reference, and all its subscripts. Pointers on the
/// way may lead elsewhere each time, so such a reference has none.
fn elements(doc: &Document, reference: RefId) -> Option<(Path, Vec<Subscript>)> {
    let reference = &doc.refs[reference];
    let mut path = vec![(reference.base, 0)];
    let mut subscripts = Vec::new();
    for part in &reference.parts {
        match part {
            Part::Component { symbol: Some(symbol), .. } if !doc.has(*symbol, Attr::Pointer) => {
                path.push((*symbol, 0));
            }
            Part::Elements(list) => {
                path.last_mut()?.1 += list.len();
                subscripts.extend(list.iter().copied());
            }
            Part::Component { .. } | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => {
                return None;
            }
        }
    }
    Some((path, subscripts))
}

/// A variable: that of a loop around both references or of one that nobody overwrites (0), or that
/// of a loop around the first (1) or second (2) reference alone.
type Variable = (SymbolId, u8);

/// A sum of variables and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Linear {
    terms: BTreeMap<Variable, i64>,
    constant: i64,
}

impl Linear {
    fn constant(constant: i64) -> Self {
        Linear { terms: BTreeMap::new(), constant }
    }

    /// `self + factor*other`; `None` where that is too large.
    fn plus(&self, other: &Linear, factor: i64) -> Option<Linear> {
        let mut sum = self.clone();
        let constant = other.constant.checked_mul(factor)?;
        sum.constant = sum.constant.checked_add(constant)?;
        for (&variable, &count) in &other.terms {
            let term = sum.terms.entry(variable).or_default();
            *term = term.checked_add(count.checked_mul(factor)?)?;
        }
        sum.terms.retain(|_, count| *count != 0);
        Some(sum)
    }

    fn minus(&self, other: &Linear) -> Option<Linear> {
        self.plus(other, -1)
    }
}

/// How one of the two references sees variables.
#[derive(Clone, Copy)]
struct View<'a> {
    doc: &'a Document,
    outer: &'a [Range],
    inner: &'a [Range],
    copy: u8,
    settled: &'a HashSet<SymbolId>,
}

impl View<'_> {
    /// The least and the largest value of a subscript.
    fn ends(&self, subscript: Subscript) -> Option<(Linear, Linear)> {
        match subscript {
            Subscript::Index(index) => self.linear(index, 0).map(|value| (value.clone(), value)),
            Subscript::Section { lower: Some(lower), upper: Some(upper), stride: None } => {
                Some((self.linear(lower, 0)?, self.linear(upper, 0)?))
            }
            Subscript::Section { .. } => None,
        }
    }

    fn variable(&self, symbol: SymbolId) -> Option<Variable> {
        let among = |list: &[Range]| list.iter().any(|range| range.variable == symbol);
        if among(self.inner) {
            return Some((symbol, self.copy));
        }
        let data = &self.doc.symbols[symbol];
        let is_constant = data.has(Attr::Parameter);
        (among(self.outer) || self.settled.contains(&symbol) || is_constant).then_some((symbol, 0))
    }

    /// An expression as a sum; `None` where it is none, or tells of what changes.
    fn linear(&self, expr: ExprId, depth: u32) -> Option<Linear> {
        if depth > 20 || !matches!(self.doc.exprs[expr].ty.base, Base::Integer(_)) {
            return None;
        }
        match &self.doc.exprs[expr].kind {
            ExprKind::Constant(constant) => Some(Linear::constant(constant.text.parse().ok()?)),
            ExprKind::Ref(reference) => {
                let reference = &self.doc.refs[*reference];
                let plain = reference.parts.is_empty()
                    && reference.ty.rank == 0
                    && matches!(self.doc.role(reference.base), Some(Role::Variable));
                let variable = plain.then(|| self.variable(reference.base)).flatten()?;
                Some(Linear { terms: BTreeMap::from([(variable, 1)]), constant: 0 })
            }
            ExprKind::Intrinsic { name, operands, .. } => {
                let operand = |position: u16| {
                    let found = operands.iter().find(|operand| operand.position == position)?;
                    self.linear(found.expr, depth + 1)
                };
                match &**name {
                    "add_scal_scal" => operand(1)?.plus(&operand(2)?, 1),
                    "sub_scal_scal" => operand(1)?.minus(&operand(2)?),
                    "minus_scal" => Linear::default().minus(&operand(1)?),
                    "mul_scal_scal" => {
                        let (left, right) = (operand(1)?, operand(2)?);
                        let zero = Linear::default();
                        match (left.terms.is_empty(), right.terms.is_empty()) {
                            (true, _) => zero.plus(&right, left.constant),
                            (_, true) => zero.plus(&left, right.constant),
                            _ => None,
                        }
                    }
                    _ => None,
                }
            }
            ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => None,
        }
    }

    /// `sum` with the variable of the innermost loop replaced by the bound that makes it least. The
    /// bound was evaluated before the loop: it tells of the loops around.
    fn without_innermost(&self, sum: &Linear, copy: u8) -> Option<Linear> {
        let (range, before) = match (self.inner.split_last(), self.outer.split_last()) {
            (Some((range, inner)), _) => (range, View { inner, ..*self }),
            (None, Some((range, outer))) => (range, View { outer, ..*self }),
            (None, None) => return None,
        };
        let variable = (range.variable, copy);
        let Some(&count) = sum.terms.get(&variable) else { return Some(sum.clone()) };
        let bound = if (count > 0) == range.rising { range.first } else { range.last };
        let mut rest = sum.clone();
        rest.terms.remove(&variable);
        rest.plus(&before.linear(bound, 0)?, count)
    }
}

/// Whether a sum is positive, whatever the values of the variables of loops. `earlier` as in [`Iterations`].
fn is_positive(views: &[View<'_>; 2], earlier: Option<i64>, sum: Option<Linear>) -> bool {
    let Some(mut sum) = sum else { return false };
    let inner_at = |length: usize| {
        let deep = views.iter().filter(move |view| view.inner.len() >= length);
        deep.map(move |view| View { inner: &view.inner[..length], ..*view })
    };
    // The loop in which one reference is met earlier is around the other inner ones of both.
    let own = usize::from(earlier.is_some());
    let deepest = views.iter().map(|view| view.inner.len()).max().unwrap_or_default();
    for length in (own + 1..=deepest).rev() {
        for view in inner_at(length) {
            // A variable whose bound is not known stays, and with it the doubt.
            sum = view.without_innermost(&sum, view.copy).unwrap_or(sum);
        }
    }
    if let (Some(step), Some(range)) = (earlier, views[0].inner.first()) {
        sum = ordered(&sum, range, step).unwrap_or(sum);
        for view in inner_at(1) {
            sum = view.without_innermost(&sum, view.copy).unwrap_or(sum);
        }
    }
    let whole = views[0].outer;
    for length in (1..=whole.len()).rev() {
        let view = View { outer: &whole[..length], inner: &[], ..views[0] };
        sum = view.without_innermost(&sum, 0).unwrap_or(sum);
    }
    sum.terms.is_empty() && sum.constant > 0
}

/// A sum that is not larger than `sum`, where the first value of the variable of `range` is met earlier than the second by
/// at least `step`: the one that makes the sum least is expressed by the other.
fn ordered(sum: &Linear, range: &Range, step: i64) -> Option<Linear> {
    let count = |copy| sum.terms.get(&(range.variable, copy)).copied().unwrap_or_default();
    // As if the loop counted upwards.
    let sign = if range.rising { 1 } else { -1 };
    let (first, second) = (sign * count(1), sign * count(2));
    let (from, to, distance) = match (first, second) {
        (..0, _) => (1, 2, -sign),
        (_, 1..) => (2, 1, sign),
        _ => return None,
    };
    let factor = count(from);
    let mut rest = sum.clone();
    rest.terms.remove(&(range.variable, from));
    let constant = distance.checked_mul(step.checked_abs()?)?;
    rest.plus(&Linear { terms: BTreeMap::from([((range.variable, to), 1)]), constant }, factor)
}
