//! Whether two elements of one array are different ones, by their subscripts and the loops around.
//!
//! `a(i, k)` and `a(i, l)` in `do k = j, n` and `do l = 1, k - 1` are never the same element, as
//! `l < k`. Each subscript is a sum of integer variables; of the difference of two subscripts of
//! one dimension the variables of loops are replaced by that bound of theirs which makes it least,
//! those of inner loops first, as their bounds tell of the variables of outer ones. What is left is
//! a constant or not known (a simple case of Banerjee's test; Allen and Kennedy, "Optimizing Compilers
//! for Modern Architectures", section 3.3).
//!
//! The references may be met in different rounds of inner loops. Such loops have a variable for each
//! of the two. Nothing is known of subscripts that are no sums, and of variables that change otherwise.

use std::collections::{BTreeMap, HashSet};

use xaif_schema::model::{
    Attr, Base, Document, ExprId, ExprKind, Part, RefId, Role, Subscript, SymbolId,
};

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

/// Whether `a` and `b` surely name different elements in any round of the loops beyond the first
/// `shared`, which are around both; `settled` are variables that nobody overwrites.
pub fn apart(
    doc: &Document,
    a: Seen<'_>,
    b: Seen<'_>,
    shared: usize,
    settled: &HashSet<SymbolId>,
) -> bool {
    let (of_a, of_b) = (&doc.refs[a.reference], &doc.refs[b.reference]);
    let ([Part::Elements(list_a)], [Part::Elements(list_b)]) = (&of_a.parts[..], &of_b.parts[..])
    else {
        return false;
    };
    if of_a.base != of_b.base || list_a.len() != list_b.len() {
        return false;
    }
    let shared = shared.min(a.around.len()).min(b.around.len());
    let (outer, inner_a) = a.around.split_at(shared);
    let inner_b = b.around.get(shared..).unwrap_or_default();
    let views = [
        View { doc, outer, inner: inner_a, copy: 1, settled },
        View { doc, outer, inner: inner_b, copy: 2, settled },
    ];
    list_a.iter().zip(list_b).any(|(&one, &other)| {
        let (Some((least_a, most_a)), Some((least_b, most_b))) =
            (views[0].ends(one), views[1].ends(other))
        else {
            return false;
        };
        is_positive(&views, least_b.minus(&most_a)) || is_positive(&views, least_a.minus(&most_b))
    })
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

/// Whether a sum is positive, whatever the values of the variables of loops.
fn is_positive(views: &[View<'_>; 2], sum: Option<Linear>) -> bool {
    let Some(mut sum) = sum else { return false };
    let inner = views.iter().flat_map(|view| {
        let lengths = (1..=view.inner.len()).rev();
        lengths.map(|length| (View { inner: &view.inner[..length], ..*view }, view.copy))
    });
    let whole = views[0].outer;
    let outer = (1..=whole.len())
        .rev()
        .map(|length| (View { outer: &whole[..length], inner: &[], ..views[0] }, 0));
    for (view, copy) in inner.chain(outer) {
        if sum.terms.is_empty() {
            break;
        }
        // A variable whose bound is not known stays, and with it the doubt.
        if let Some(less) = view.without_innermost(&sum, copy) {
            sum = less;
        }
    }
    sum.terms.is_empty() && sum.constant > 0
}
