//! Random expressions, with a bound of their size.
//!
//! Every real variable stays within [`LIMIT`], every integer within [`INT_LIMIT`]; an expression
//! knows how large it can get, and what is assigned is scaled so that the rule goes on to hold.
//! That makes every statement well-defined whatever stands around it, which shrinking relies on.

use super::generator::Generator;
use super::program::{Ty, Var};

/// No real variable is larger.
pub(crate) const LIMIT: f64 = 8.0;
/// No integer variable is larger.
pub(crate) const INT_LIMIT: i64 = 100;

/// An expression as text.
#[derive(Clone, Debug)]
pub(crate) struct E {
    pub(crate) text: String,
    /// No value of it is larger.
    pub(crate) bound: f64,
    /// 0: an operand of anything, 1: a product, 2: a sum.
    level: u8,
    /// The number of its dimensions: that of the shape that was asked for, or 0.
    pub(crate) rank: usize,
}

impl E {
    /// A scalar operand.
    pub(crate) fn atom(text: impl Into<String>, bound: f64) -> Self {
        E { text: text.into(), bound, level: 0, rank: 0 }
    }

    /// The same with another rank.
    pub(crate) fn ranked(self, rank: usize) -> Self {
        E { rank, ..self }
    }

    /// As an operand where only `level` may stand.
    fn at(&self, level: u8) -> String {
        if self.level > level { format!("({})", self.text) } else { self.text.clone() }
    }
}

impl Generator {
    /// A literal.
    pub(crate) fn literal(&mut self) -> E {
        let thousandths = self.rng.u32(50..2000);
        E::atom(format!("{}d0", f64::from(thousandths) / 1000.0), 2.0)
    }

    /// An expression of type `real(8)` and this shape (or a scalar one).
    pub(crate) fn expr(&mut self, shape: &[i64], depth: u32) -> E {
        if depth == 0 || self.rng.u32(0..10) < 2 {
            return self.leaf(shape);
        }
        match self.rng.u32(0..14) {
            0..3 => {
                let (a, b) = self.pair(shape, depth);
                let sign = if self.rng.bool() { "+" } else { "-" };
                let text = format!("{} {sign} {}", a.at(2), b.at(1));
                let rank = a.rank.max(b.rank);
                self.tame(E { text, bound: a.bound + b.bound, level: 2, rank })
            }
            3..6 => {
                let (a, b) = self.pair(shape, depth);
                self.product(&a, &b)
            }
            6 => {
                let (a, b) = self.pair(shape, depth);
                let below = self.positive(&b);
                let text = format!("{}/{}", a.at(1), below.at(0));
                E { text, bound: a.bound, level: 1, rank: a.rank.max(b.rank) }
            }
            7..10 => self.elementary(shape, depth),
            10 => self.two_arguments(shape, depth),
            11 => self.power(shape, depth),
            12 => {
                let a = self.expr(shape, depth - 1);
                E { text: format!("(-{})", a.at(0)), bound: a.bound, level: 0, rank: a.rank }
            }
            _ if shape.is_empty() => self.reduction(depth),
            _ => self.rearranged(shape, depth),
        }
    }

    /// Two operands, at least one of this shape.
    fn pair(&mut self, shape: &[i64], depth: u32) -> (E, E) {
        let a = self.expr(shape, depth - 1);
        let other: &[i64] = if self.rng.u32(0..4) == 0 { &[] } else { shape };
        let b = self.expr(other, depth - 1);
        if self.rng.bool() { (a, b) } else { (b, a) }
    }

    /// `a*b`
    pub(crate) fn product(&mut self, a: &E, b: &E) -> E {
        let text = format!("{}*{}", a.at(1), b.at(0));
        let rank = a.rank.max(b.rank);
        self.tame(E { text, bound: a.bound * b.bound, level: 1, rank })
    }

    /// Keeps intermediate results small.
    pub(crate) fn tame(&mut self, e: E) -> E {
        if e.bound <= 400.0 { e } else { self.scaled(e, 20.0) }
    }

    /// `e` made no larger than `limit`.
    pub(crate) fn scaled(&mut self, e: E, limit: f64) -> E {
        if e.bound <= limit {
            return e;
        }
        let factor = format!("{:.3e}", limit / e.bound * 0.999).replace('e', "d");
        E { text: format!("{}*{factor}", e.at(1)), bound: limit, level: 1, rank: e.rank }
    }

    /// Something that is at least 1 and differentiable in `e`.
    fn positive(&mut self, e: &E) -> E {
        let c = f64::from(self.rng.u32(10..30)) / 10.0;
        let text = match self.rng.u32(0..3) {
            0 => format!("{c}d0 + {}**2", e.at(0)),
            1 => format!("{c}d0 + exp(-{}**2)", e.at(0)),
            _ => format!("{c}d0 + abs({})", e.text),
        };
        E { text, bound: c + e.bound.max(1.0) * e.bound.max(1.0), level: 2, rank: e.rank }
    }

    fn elementary(&mut self, shape: &[i64], depth: u32) -> E {
        let a = self.expr(shape, depth - 1);
        let x = &a.text;
        let mut rank = a.rank;
        let (text, bound) = match self.rng.u32(0..20) {
            0 => (format!("sin({x})"), 1.0),
            1 => (format!("cos({x})"), 1.0),
            2 => (format!("tanh({x})"), 1.0),
            3 => (format!("atan({x})"), 1.6),
            4 => {
                let small = self.scaled(a.clone(), 2.0);
                (format!("exp({})", small.text), 7.5)
            }
            5 => {
                let above = self.positive(&a);
                (format!("sqrt({})", above.text), above.bound.sqrt().max(1.0))
            }
            6 => {
                let above = self.positive(&a);
                (format!("log({})", above.text), above.bound.max(1.0).ln().max(1.0))
            }
            7 => (format!("abs({x})"), a.bound),
            8 => {
                let small = self.scaled(a.clone(), 0.8);
                let name = *self.pick(&["asin", "acos", "atanh", "tan"]);
                (format!("{name}({})", small.text), 2.6)
            }
            9 => {
                let small = self.scaled(a.clone(), 2.0);
                let name = *self.pick(&["sinh", "cosh"]);
                (format!("{name}({})", small.text), 4.0)
            }
            10 => (format!("asinh({x})"), a.bound.max(1.0)),
            11 => {
                let above = self.positive(&a);
                (format!("acosh({} + 1d0)", above.text), above.bound.max(2.0))
            }
            12 => (format!("erf({x})"), 1.0),
            13 => (format!("bessel_j0({x})"), 1.0),
            14 => {
                let name = *self.pick(&["aint", "anint"]);
                (format!("{name}({x})"), a.bound + 1.0)
            }
            15 => {
                let above = self.positive(&a);
                (format!("log10({})", above.text), above.bound.max(1.0))
            }
            16 if self.mixed => (format!("real(real({x}, 4), 8)"), a.bound),
            17 => {
                let (re, im) = (x, self.leaf(shape));
                rank = rank.max(im.rank);
                let part = *self.pick(&["aimag", "dble"]);
                let product = format!("cmplx({re}, {}, 8)*(0.6d0, -0.7d0)", im.text);
                (format!("{part}({product})"), a.bound + im.bound)
            }
            18 => {
                let im = self.leaf(shape);
                rank = rank.max(im.rank);
                let bound = a.bound + im.bound + 10.0;
                (format!("abs(cmplx({x} + 9d2, {}, 8))", im.text), bound + 900.0)
            }
            _ => (format!("({x})"), a.bound),
        };
        self.tame(E::atom(text, bound).ranked(rank))
    }

    fn two_arguments(&mut self, shape: &[i64], depth: u32) -> E {
        let a = self.expr(shape, depth - 1);
        let b = self.expr(shape, depth - 1);
        let largest = a.bound.max(b.bound);
        let (x, y) = (&a.text, &b.text);
        let mut rank = a.rank.max(b.rank);
        let (text, bound) = match self.rng.u32(0..9) {
            0 => (format!("max({x}, {y})"), largest),
            1 => (format!("min({x}, {y})"), largest),
            2 => {
                let c = self.expr(shape, 0);
                rank = rank.max(c.rank);
                (format!("max({x}, {y}, {})", c.text), largest.max(c.bound))
            }
            3 => (format!("sign({x}, {y})"), a.bound),
            4 => {
                let above = self.positive(&b);
                (format!("mod({x}, {})", above.text), a.bound)
            }
            5 => {
                let above = self.positive(&b);
                (format!("atan2({x}, {})", above.text), 1.6)
            }
            6 => {
                let above = self.positive(&b);
                (format!("hypot({x}, {})", above.text), a.bound + above.bound)
            }
            7 => (format!("dim({x}, {y})"), a.bound + b.bound),
            _ => {
                let (mask, masked) = self.condition(shape, 1);
                rank = rank.max(masked);
                (format!("merge({x}, {y}, {mask})"), largest)
            }
        };
        self.tame(E::atom(text, bound).ranked(rank))
    }

    fn power(&mut self, shape: &[i64], depth: u32) -> E {
        let a = self.expr(shape, depth - 1);
        match self.rng.u32(0..4) {
            0 | 1 => {
                let n = self.rng.u32(2..4);
                let small = self.scaled(a, 6.0);
                let bound = small.bound.max(1.0).powi(n as i32);
                let text = format!("{}**{n}", small.at(0));
                self.tame(E { text, bound, level: 1, rank: small.rank })
            }
            2 => {
                let small = self.scaled(a, 3.0);
                let n = self.int(1);
                let text = format!("{}**modulo({n}, 4)", small.at(0));
                self.tame(E { text, bound: 27.0, level: 1, rank: small.rank })
            }
            _ => {
                let base = self.positive(&a);
                let base = self.scaled(base, 500.0);
                let b = self.expr(shape, depth - 1);
                let exponent = self.scaled(b, 0.9);
                let text = format!("{}**{}", base.at(0), exponent_text(&exponent));
                let rank = base.rank.max(exponent.rank);
                self.tame(E { text, bound: 500.0, level: 1, rank })
            }
        }
    }

    /// A scalar made of an array.
    fn reduction(&mut self, depth: u32) -> E {
        let shape: Vec<i64> = self.pick(&[vec![4], vec![3], vec![4, 3], vec![3, 4]]).clone();
        let size: i64 = shape.iter().product();
        let a = self.exact(&shape, depth - 1);
        let x = a.text.clone();
        let (text, bound) = match self.rng.u32(0..9) {
            0 | 1 => (format!("sum({x})"), a.bound * size as f64),
            2 => {
                let (mask, _) = self.condition(&shape, 1);
                (format!("sum({x}, mask={mask})"), a.bound * size as f64)
            }
            3 => (format!("maxval({x})"), a.bound),
            4 => (format!("minval({x})"), a.bound),
            5 if shape.len() == 1 => {
                let small = self.scaled(a, 2.0);
                (format!("product({})", small.text), 16.0)
            }
            6 => (format!("norm2({x} + 9d2)"), (a.bound + 900.0) * size as f64),
            _ if shape.len() == 1 => {
                let b = self.exact(&shape, depth - 1);
                (format!("dot_product({x}, {})", b.text), a.bound * b.bound * size as f64)
            }
            _ => (format!("sum({x})"), a.bound * size as f64),
        };
        self.tame(E::atom(text, bound))
    }

    /// An array made of other arrays.
    fn rearranged(&mut self, shape: &[i64], depth: u32) -> E {
        let d = depth - 1;
        let (text, bound) = match (shape, self.rng.u32(0..8)) {
            (&[n], 0) => {
                let a = self.exact(&[n, 3], d);
                let b = self.exact(&[3], d);
                (
                    format!("matmul({}, {})", factor(&a.text), factor(&b.text)),
                    3.0 * a.bound * b.bound,
                )
            }
            (&[n], 1) => {
                let a = self.exact(&[n, 3], d);
                (format!("sum({}, dim=2)", a.text), 3.0 * a.bound)
            }
            (&[n], 2) => {
                let a = self.exact(&[3, n], d);
                let name = *self.pick(&["maxval", "minval"]);
                (format!("{name}({}, dim=1)", a.text), a.bound)
            }
            (&[n], 3) => {
                let a = self.exact(&[n], d);
                let shift = self.int(1);
                (format!("cshift({}, {shift})", a.text), a.bound)
            }
            (&[n], 4) => {
                let (a, b) = (self.exact(&[n], d), self.expr(&[], d));
                (format!("eoshift({}, 1, {})", a.text, b.text), a.bound.max(b.bound))
            }
            (&[n], 5) => {
                let items: Vec<E> = (0..n).map(|_| self.expr(&[], d.min(1))).collect();
                let texts: Vec<&str> = items.iter().map(|e| e.text.as_str()).collect();
                let bound = items.iter().map(|e| e.bound).fold(0.0, f64::max);
                (format!("[real(8) :: {}]", texts.join(", ")), bound)
            }
            (&[n], 6) => {
                let a = self.exact(&[n], d);
                let mask = self.whole_condition(&[n]);
                let field = self.exact(&[n], d);
                let text = format!("unpack({}, {mask}, {})", a.text, field.text);
                (text, a.bound.max(field.bound))
            }
            (&[n, m], 0) => {
                let (a, b) = (self.exact(&[n, 2], d), self.exact(&[2, m], d));
                (
                    format!("matmul({}, {})", factor(&a.text), factor(&b.text)),
                    2.0 * a.bound * b.bound,
                )
            }
            (&[n, m], 1 | 2) => {
                let a = self.exact(&[m, n], d);
                (format!("transpose({})", a.text), a.bound)
            }
            (&[n, m], 3) => {
                let a = self.exact(&[n], d);
                (format!("spread({}, 2, {m})", a.text), a.bound)
            }
            (&[n, m], 4) => {
                let a = self.exact(&[m, n], d);
                (format!("reshape({}, [{n}, {m}])", a.text), a.bound)
            }
            (&[n, m], 5) => {
                let a = self.exact(&[n, m], d);
                (format!("cshift({}, 1, dim=2)", a.text), a.bound)
            }
            _ => return self.leaf(shape),
        };
        self.tame(E::atom(text, bound).ranked(shape.len()))
    }

    /// An expression that has this shape for certain.
    pub(crate) fn exact(&mut self, shape: &[i64], depth: u32) -> E {
        let e = self.expr(shape, depth);
        if e.rank == shape.len() {
            return e;
        }
        let array = self.array_leaf(shape);
        let text = format!("{} + {}", e.at(2), array.at(1));
        self.tame(E { text, bound: e.bound + array.bound, level: 2, rank: shape.len() })
    }

    /// A variable or section of this shape.
    pub(crate) fn array_leaf(&mut self, shape: &[i64]) -> E {
        loop {
            // The work arrays of every procedure reach any shape.
            if let Some(e) = self.variable_leaf(shape) {
                return e;
            }
        }
    }

    /// A variable, element, section, literal or function reference.
    pub(crate) fn leaf(&mut self, shape: &[i64]) -> E {
        for _ in 0..6 {
            match self.rng.u32(0..12) {
                0 if shape.is_empty() => return self.literal(),
                1 if shape.is_empty() => {
                    let n = self.int(1);
                    return E::atom(format!("dble({n})"), INT_LIMIT as f64 * 20.0)
                        .clone_scaled(self);
                }
                2 | 3 => {
                    if let Some(e) = self.function_reference(shape) {
                        return e;
                    }
                }
                4 if !shape.is_empty() => return self.leaf(&[]),
                _ => {
                    if let Some(e) = self.variable_leaf(shape) {
                        return e;
                    }
                }
            }
        }
        self.literal()
    }

    fn variable_leaf(&mut self, shape: &[i64]) -> Option<E> {
        let tys: Vec<Ty> = if self.mixed {
            vec![Ty::Real, Ty::Real, Ty::Single, Ty::Complex]
        } else {
            vec![Ty::Real, Ty::Real, Ty::Real, Ty::Complex]
        };
        let ty = *self.pick(&tys);
        let var = self.some_var(|var| var.ty == ty && reaches(var, shape))?;
        let text = self.gathered(&var, shape);
        let text = match ty {
            Ty::Complex if self.rng.bool() => format!("aimag({text})"),
            Ty::Complex => format!("real({text}, 8)"),
            Ty::Single => format!("real({text}, 8)"),
            Ty::Real | Ty::Int | Ty::Logical => text,
        };
        Some(E::atom(text, LIMIT).ranked(shape.len()))
    }

    /// A reference to `var` that is read: also through a vector of indices, in which one may stand
    /// several times.
    fn gathered(&mut self, var: &Var, shape: &[i64]) -> String {
        let indexed = var.lower == 1
            && matches!((var.shape.as_slice(), shape), (&[4], &[2..=4]))
            && !self.restricted
            && self.rng.u32(0..4) == 0;
        match self.some_var(|var| var.name == "ix") {
            Some(_) if indexed => format!("{}(ix(1:{}))", var.name, shape[0]),
            _ => self.selected(var, shape),
        }
    }

    /// A complex expression, no larger than [`LIMIT`].
    pub(crate) fn complex(&mut self, shape: &[i64], depth: u32) -> String {
        let operand = |generator: &mut Self| {
            let var = generator.some_var(|var| var.ty == Ty::Complex && reaches(var, shape));
            match var {
                Some(var) if generator.rng.bool() => generator.selected(&var, shape),
                _ => {
                    let re = generator.expr(shape, depth.saturating_sub(1));
                    let im = generator.expr(shape, depth.saturating_sub(1));
                    let (re, im) = (generator.scaled(re, 4.0), generator.scaled(im, 4.0));
                    format!("cmplx({}, {}, 8)", re.text, im.text)
                }
            }
        };
        let (a, b) = (operand(self), operand(self));
        match self.rng.u32(0..7) {
            0 => format!("0.4d0*({a} + {b})"),
            1 => format!("0.1d0*{a}*conjg({b})"),
            2 => format!("0.08d0*{a}*{b} - (0.3d0, 0.2d0)"),
            3 => format!("{a}/({b} + (2d1, 1d0))"),
            4 => format!("sin(0.1d0*{a}) + 0.3d0*{b}"),
            5 => format!("exp(0.1d0*{a}) + 0.2d0*sqrt({b} + (2d1, 0d0))"),
            _ => format!("0.5d0*{a}*abs({b} + (2d1, 1d0))*5d-2"),
        }
    }

    /// An integer expression that is no larger than 20 times [`INT_LIMIT`].
    pub(crate) fn int(&mut self, depth: u32) -> String {
        match self.rng.u32(0..9) {
            0..2 => self.rng.i64(-9..10).to_string().replace_minus(),
            2..4 if !self.indices.is_empty() => {
                let at = self.rng.usize(0..self.indices.len());
                self.indices[at].0.clone()
            }
            4..7 => match self.some_var(|var| var.ty == Ty::Int && reaches(var, &[])) {
                Some(var) => self.selected(&var, &[]),
                None => self.rng.i64(0..9).to_string(),
            },
            7 if depth > 0 => {
                let (a, b) = (self.int(depth - 1), self.int(depth - 1));
                let op = *self.pick(&["+", "-"]);
                format!("mod({a} {op} {b}, 17)")
            }
            8 if depth > 0 && !self.restricted => {
                let a = self.exact(&[4], 1);
                let name = *self.pick(&["maxloc", "minloc"]);
                format!("{name}({}, 1)", a.text)
            }
            _ => self.rng.i64(1..9).to_string(),
        }
    }

    /// An integer expression between `lower` and `upper`.
    pub(crate) fn index(&mut self, lower: i64, upper: i64) -> String {
        let fitting: Vec<String> = self
            .indices
            .iter()
            .filter(|(_, low, high)| *low >= lower && *high <= upper)
            .map(|(name, ..)| name.clone())
            .collect();
        let vector = self.some_var(|var| var.name == "ix");
        match self.rng.u32(0..6) {
            0..=2 if !fitting.is_empty() => self.pick(&fitting).clone(),
            // Elements of `ix` are between 1 and 4.
            5 if vector.is_some() && lower <= 1 && upper >= 4 => {
                let inner = match fitting.first() {
                    Some(name) if lower == 1 && upper == 4 => name.clone(),
                    _ => self.rng.i64(1..=4).to_string(),
                };
                format!("ix({inner})")
            }
            4 => {
                let n = self.int(1);
                format!("{lower} + modulo({n}, {})", upper - lower + 1)
            }
            _ => self.rng.i64(lower..=upper).to_string(),
        }
    }

    /// A logical expression of this shape or a scalar one, and its rank.
    pub(crate) fn condition(&mut self, shape: &[i64], depth: u32) -> (String, usize) {
        match self.rng.u32(0..8) {
            7 if shape.is_empty() && self.some_var(|var| var.ty == Ty::Logical).is_some() => {
                ("lg".into(), 0)
            }
            0 if shape.is_empty() => {
                let (a, b) = (self.int(1), self.int(1));
                let op = *self.pick(&["<", ">", "==", "/=", "<=", ">="]);
                // A comparison of literals would be a constant.
                (format!("{a} + seen {op} {b}"), 0)
            }
            1 if depth > 0 => {
                let ((a, m), (b, n)) = (self.condition(shape, 0), self.condition(shape, 0));
                let op = *self.pick(&[".and.", ".or.", ".neqv."]);
                (format!("({a}) {op} ({b})"), m.max(n))
            }
            2 if depth > 0 => {
                let (a, rank) = self.condition(shape, 0);
                (format!(".not. ({a})"), rank)
            }
            _ => {
                let a = self.expr(shape, depth.min(1));
                let b = self.literal();
                let op = *self.pick(&["<", ">"]);
                (format!("{} {op} {}", a.text, b.text), a.rank)
            }
        }
    }

    /// A logical expression that has this shape for certain.
    pub(crate) fn whole_condition(&mut self, shape: &[i64]) -> String {
        let (mask, rank) = self.condition(shape, 1);
        if rank == shape.len() {
            return mask;
        }
        let array = self.array_leaf(shape);
        let op = *self.pick(&["<", ">"]);
        format!("({mask}) .or. {} {op} {}", array.at(2), self.literal().text)
    }

    /// A reference to `var` that has this shape.
    pub(crate) fn selected(&mut self, var: &Var, shape: &[i64]) -> String {
        if var.shape == shape && (shape.is_empty() || (var.whole && self.rng.u32(0..3) > 0)) {
            return var.name.clone();
        }
        // Which dimensions stay: the first choice that fits, from a random start.
        let rank = var.shape.len();
        let mut wanted = shape.iter();
        let mut next = wanted.next();
        let mut parts = Vec::new();
        for (dim, &extent) in var.shape.iter().enumerate() {
            let low = if dim == 0 { var.lower } else { 1 };
            let left = wanted.len() + usize::from(next.is_some());
            let must = left >= rank - dim;
            match next {
                Some(&count) if extent >= count && (must || self.rng.bool()) => {
                    parts.push(self.section(low, extent, count, dim + 1 == rank && !var.whole));
                    next = wanted.next();
                }
                _ => parts.push(self.index(low, low + extent - 1)),
            }
        }
        format!("{}({})", var.name, parts.join(", "))
    }

    /// `count` of `extent` indices.
    fn section(&mut self, low: i64, extent: i64, count: i64, open: bool) -> String {
        if extent == count && self.rng.bool() && !open {
            return ":".to_string();
        }
        let mut choices = Vec::new();
        for stride in [1, 2, -1, -2] {
            let reach = (count - 1) * i64::abs(stride);
            for first in 0..(extent - reach).max(0) {
                let (a, b) = (low + first, low + first + reach);
                choices.push(match stride {
                    1 => format!("{a}:{b}"),
                    2 => format!("{a}:{b}:2"),
                    -1 => format!("{b}:{a}:-1"),
                    _ => format!("{b}:{a}:-2"),
                });
            }
        }
        match choices.is_empty() {
            true => format!("{low}:{}", low + count - 1),
            false => self.pick(&choices).clone(),
        }
    }
}

/// An exponent: never two operators in a row.
fn exponent_text(e: &E) -> String {
    format!("({})", e.text)
}

trait ReplaceMinus {
    fn replace_minus(self) -> String;
}

impl ReplaceMinus for String {
    /// A negative literal in parentheses.
    fn replace_minus(self) -> String {
        if self.starts_with('-') { format!("({self})") } else { self }
    }
}

impl E {
    fn clone_scaled(self, generator: &mut Generator) -> E {
        generator.scaled(self, LIMIT)
    }
}

/// Whether a reference to `var` can have this shape.
pub(crate) fn reaches(var: &Var, shape: &[i64]) -> bool {
    if var.shape.len() < shape.len() {
        return false;
    }
    // Every choice of dimensions that `selected` may make must succeed: the extents that are
    // asked for must fit wherever they may fall.
    let spare = var.shape.len() - shape.len();
    shape.iter().enumerate().all(|(index, &count)| {
        var.shape[index..=index + spare].iter().all(|&extent| extent >= count)
    })
}

/// A factor of MATMUL: the library of gfortran 12 asks for a negative amount of memory, and crashes, where
/// it is given a section with a negative stride.
fn factor(text: &str) -> String {
    if text.contains(":-") { format!("({text})") } else { text.to_owned() }
}
