//! The small language in which the catalogue writes partial derivatives: `-x/(x*x + y*y)`.
//!
//! Names are the dummy arguments of the operation (`a` and `b` for operators); `r` is the value of
//! the operation itself, `d` the derivative of the operand that the text belongs to, `tiny` the
//! smallest normal number of the result's kind. Functions are Fortran's, and `as_r(e)` is `e`
//! converted to the type of the result. Operators are those of Fortran, comparisons and `.or.`
//! included; numbers are whole (`2`) or decimal (`0.5`) and get the kind that the place asks for.
//!
//! A text without `d` is a partial derivative; the contribution to the derivative is then the
//! partial times `d`. A text with `d` is the contribution itself. Where `d` is a factor of it, it is
//! brought into the form `before * d * after / denominator`, which all that reads partials shares;
//! else the operation is linear over the real numbers only (`aimag`, `conjg`) and stays a map.
//!
//! `digamma(e)`, which Fortran lacks, stands for its expression (`DIGAMMA`).
//!
//! A text of an adjoint ([`parse_adjoint`]) says what an operand gets from the adjoint `d` of the
//! operation; its maps cannot be worked out from those of the tangent. There `conjg` of a real
//! number is the number, `aimag` of one zero, `imaginary(e)` is `e` times the imaginary unit, `zero`
//! is the zero of the type of `d`, `[e]` an array of one element, and `or(a, b)` is `b` where the
//! optional operand `a` is absent. A function that lacks an operand it needs is its first argument:
//! `spread(d, dim, n)` is `d` without `dim`. `absent` stands for an argument that is left out.
//!
//! Nothing here knows documents; `instantiate` makes document expressions of terms.

use xaif_schema::intrinsics::{self, Intrinsic};
use xaif_schema::model::BoolOp;

/// The deepest nesting of a text: a catalogue may come from a user.
const DEEPEST: usize = 64;

/// The digamma function of `z`, elementary: with `y` the larger of `z` and `1 - z`, eight steps of
/// the recurrence (Abramowitz and Stegun 6.3.5), the asymptotic series of `y + 8` (6.3.18), and the
/// reflection (6.3.7) where `z` is below one half. The error is below 1e-15 for all `z`.
const DIGAMMA: &str = "log(y + 8) - 1/(2*(y + 8)) - 1/(12*(y + 8)**2) + 1/(120*(y + 8)**4) \
    - 1/(252*(y + 8)**6) + 1/(240*(y + 8)**8) - 1/(132*(y + 8)**10) + 691/(32760*(y + 8)**12) \
    - 1/y - 1/(y + 1) - 1/(y + 2) - 1/(y + 3) - 1/(y + 4) - 1/(y + 5) - 1/(y + 6) - 1/(y + 7) \
    - merge(3.14159265358979323846264338327950288, 0, z < 0.5)\
    /tan(3.14159265358979323846264338327950288*merge(z, 0.25, z < 0.5))";

/// A parsed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A whole number.
    Whole(u32),
    /// A decimal number as written.
    Decimal(Box<str>),
    /// The operand with this position, counted from 1.
    Operand(u16),
    /// The value of the operation.
    Result,
    /// The derivative of the operand that the text belongs to.
    Derivative,
    /// The smallest normal number.
    Tiny,
    /// The zero of the type of `d`.
    Zero,
    /// An argument that is left out.
    Absent,
    /// `as_r(e)`: converted to the type of the result.
    AsResult(Box<Term>),
    /// `imaginary(e)`: `e` times the imaginary unit.
    Imaginary(Box<Term>),
    /// `[e]`
    Vector(Box<Term>),
    /// `or(a, b)`: the first that is not absent.
    Or(Box<(Term, Term)>),
    /// `-e`
    Negative(Box<Term>),
    /// An operator between two numbers.
    Binary(Operator, Box<(Term, Term)>),
    /// A comparison or `.or.`.
    Truth(BoolOp, Box<(Term, Term)>),
    /// A function of Fortran with its arguments by position; an argument that names an optional
    /// operand is left out where the operand is absent.
    Function(&'static Intrinsic, Vec<Term>),
}

/// Operators on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `**`
    Power,
}

impl Operator {
    /// XAIF's name.
    pub const fn xaif(self) -> &'static str {
        match self {
            Operator::Add => "add_scal_scal",
            Operator::Subtract => "sub_scal_scal",
            Operator::Multiply => "mul_scal_scal",
            Operator::Divide => "div_scal_scal",
            Operator::Power => "pow_scal_scal",
        }
    }
}

/// What an operand's derivative contributes to the operation's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Local {
    /// `± before * d * after / denominator`; an absent factor is 1.
    Scaled(Scaled),
    /// A map that is linear over the real numbers and mentions `d`.
    Map(Term),
}

/// `± before * d * after / denominator`; an absent factor is 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scaled {
    /// Whether there is a minus sign before it.
    pub negative: bool,
    /// The factor before `d`.
    pub before: Option<Term>,
    /// The factor behind `d`.
    pub after: Option<Term>,
    /// What it is divided by.
    pub denominator: Option<Term>,
}

/// Parses the text of one operand's contribution; `operand` tells the positions of names.
///
/// # Errors
/// A sentence that says what is wrong with the text.
pub fn parse(text: &str, operand: impl Fn(&str) -> Option<u16>) -> Result<Local, String> {
    let mut parser = Parser { rest: text, operand: &operand, depth: 0 };
    let term = parser.truth()?;
    if parser.peek() != "" {
        return Err(format!("`{}` is not understood in `{text}`", parser.rest.trim()));
    }
    Ok(match scaled(&term) {
        Some(scaled) => Local::Scaled(scaled),
        None => Local::Map(term),
    })
}

/// What an operand gets from the adjoint `d` of the operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backward {
    /// The value, which mentions `d`.
    pub value: Term,
    /// A mask: where it is not so, the operand gets zero, whatever the value is.
    pub guard: Option<Guard>,
}

/// A condition on the operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The mask; there is none where it is an absent operand.
    pub mask: Term,
    /// What the mask is where the operand gets the value.
    pub holds: bool,
}

/// Parses the text of what one operand gets; `operand` tells the positions of names.
///
/// # Errors
/// A sentence that says what is wrong with the text.
pub fn parse_adjoint(
    text: &str,
    operand: impl Fn(&str) -> Option<u16>,
) -> Result<Backward, String> {
    let mut parser = Parser { rest: text, operand: &operand, depth: 0 };
    let term = parser.truth()?;
    if parser.peek() != "" {
        return Err(format!("`{}` is not understood in `{text}`", parser.rest.trim()));
    }
    if let Term::Function(row, args) = &term
        && row.fortran == "merge"
        && let [one, other, mask] = args.as_slice()
    {
        let (value, holds) = match (one, other) {
            (value, Term::Zero) => (value, true),
            (Term::Zero, value) => (value, false),
            _ => return Ok(Backward { value: term, guard: None }),
        };
        let guard = Some(Guard { mask: mask.clone(), holds });
        return Ok(Backward { value: value.clone(), guard });
    }
    Ok(Backward { value: term, guard: None })
}

impl Scaled {
    /// Whether it is `x/max(r, tiny)`, a quotient of two numbers that are small together: at zero the
    /// product with a derivative must come before the division.
    pub fn is_guarded_quotient(&self) -> bool {
        let mut operands = false;
        if let Some(before) = &self.before {
            before.names(&mut |_| operands = true, &mut false);
        }
        operands && self.denominator.as_ref().is_some_and(Term::has_tiny)
    }
}

impl Term {
    /// Whether `tiny` occurs in it.
    fn has_tiny(&self) -> bool {
        match self {
            Term::Tiny => true,
            Term::Whole(_)
            | Term::Decimal(_)
            | Term::Operand(_)
            | Term::Result
            | Term::Derivative
            | Term::Zero
            | Term::Absent => false,
            Term::AsResult(inner)
            | Term::Negative(inner)
            | Term::Imaginary(inner)
            | Term::Vector(inner) => inner.has_tiny(),
            Term::Binary(_, pair) | Term::Truth(_, pair) | Term::Or(pair) => {
                pair.0.has_tiny() || pair.1.has_tiny()
            }
            Term::Function(_, args) => args.iter().any(Term::has_tiny),
        }
    }

    /// The operands that it names, and whether it names the value of the operation.
    pub fn names(&self, operand: &mut dyn FnMut(u16), result: &mut bool) {
        match self {
            Term::Operand(position) => operand(*position),
            Term::Result => *result = true,
            Term::Whole(_)
            | Term::Decimal(_)
            | Term::Derivative
            | Term::Tiny
            | Term::Zero
            | Term::Absent => {}
            Term::AsResult(inner)
            | Term::Negative(inner)
            | Term::Imaginary(inner)
            | Term::Vector(inner) => inner.names(operand, result),
            Term::Binary(_, pair) | Term::Truth(_, pair) | Term::Or(pair) => {
                pair.0.names(operand, result);
                pair.1.names(operand, result);
            }
            // They ask for the shape of their argument, not for its value.
            Term::Function(row, args) if matches!(row.fortran, "size" | "shape") => {
                args.iter().skip(1).for_each(|arg| arg.names(operand, result));
            }
            Term::Function(_, args) => args.iter().for_each(|arg| arg.names(operand, result)),
        }
    }

    /// Puts other terms in the place of operands.
    fn substitute(&mut self, with: &dyn Fn(u16) -> Term) {
        match self {
            Term::Operand(position) => *self = with(*position),
            Term::Whole(_)
            | Term::Decimal(_)
            | Term::Result
            | Term::Derivative
            | Term::Tiny
            | Term::Zero
            | Term::Absent => {}
            Term::AsResult(inner)
            | Term::Negative(inner)
            | Term::Imaginary(inner)
            | Term::Vector(inner) => inner.substitute(with),
            Term::Binary(_, pair) | Term::Truth(_, pair) | Term::Or(pair) => {
                pair.0.substitute(with);
                pair.1.substitute(with);
            }
            Term::Function(_, args) => args.iter_mut().for_each(|arg| arg.substitute(with)),
        }
    }

    /// Whether `d` occurs in it.
    pub fn has_derivative(&self) -> bool {
        match self {
            Term::Derivative => true,
            Term::Whole(_)
            | Term::Decimal(_)
            | Term::Operand(_)
            | Term::Result
            | Term::Tiny
            | Term::Zero
            | Term::Absent => false,
            Term::AsResult(inner)
            | Term::Negative(inner)
            | Term::Imaginary(inner)
            | Term::Vector(inner) => inner.has_derivative(),
            Term::Binary(_, pair) | Term::Truth(_, pair) | Term::Or(pair) => {
                pair.0.has_derivative() || pair.1.has_derivative()
            }
            Term::Function(_, args) => args.iter().any(Term::has_derivative),
        }
    }
}

fn scaled(term: &Term) -> Option<Scaled> {
    if !term.has_derivative() {
        return Some(partial(term));
    }
    match term {
        Term::Derivative => Some(Scaled::default()),
        Term::Negative(inner) => {
            let inner = scaled(inner)?;
            Some(Scaled { negative: !inner.negative, ..inner })
        }
        Term::Binary(Operator::Multiply, pair) => match (&pair.0, &pair.1) {
            (left, right) if !left.has_derivative() => {
                let inner = scaled(right)?;
                let before = times(Some(left.clone()), inner.before);
                Some(Scaled { before, ..inner })
            }
            (left, right) if !right.has_derivative() => {
                let inner = scaled(left)?;
                let after = times(inner.after, Some(right.clone()));
                Some(Scaled { after, ..inner })
            }
            _ => None,
        },
        Term::Binary(Operator::Divide, pair) if !pair.1.has_derivative() => {
            let inner = scaled(&pair.0)?;
            let denominator = times(inner.denominator, Some(pair.1.clone()));
            Some(Scaled { denominator, ..inner })
        }
        _ => None,
    }
}

/// A partial without `d`: its sign and its denominator are taken apart.
pub fn partial(term: &Term) -> Scaled {
    match term {
        Term::Negative(inner) => {
            let inner = partial(inner);
            Scaled { negative: !inner.negative, ..inner }
        }
        Term::Binary(Operator::Divide, pair) => {
            let inner = partial(&pair.0);
            let denominator = times(inner.denominator, Some(pair.1.clone()));
            Scaled { denominator, ..inner }
        }
        Term::Whole(1) => Scaled::default(),
        other => Scaled { before: Some(other.clone()), ..Scaled::default() },
    }
}

fn times(left: Option<Term>, right: Option<Term>) -> Option<Term> {
    match (left, right) {
        (Some(left), Some(right)) => {
            Some(Term::Binary(Operator::Multiply, Box::new((left, right))))
        }
        (one, other) => one.or(other),
    }
}

struct Parser<'a> {
    rest: &'a str,
    operand: &'a dyn Fn(&str) -> Option<u16>,
    depth: usize,
}

impl<'a> Parser<'a> {
    /// The next token; empty at the end.
    fn peek(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        let rest = self.rest;
        let length = match rest.bytes().next() {
            None => 0,
            Some(b'a'..=b'z' | b'A'..=b'Z') => rest
                .bytes()
                .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
                .count(),
            Some(b'0'..=b'9') => {
                rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count()
            }
            Some(_) => ["**", ">=", "<=", "==", "/=", ".or.", ".and."]
                .iter()
                .find(|token| rest.starts_with(**token))
                .map_or_else(|| rest.chars().next().map_or(0, char::len_utf8), |token| token.len()),
        };
        rest.get(..length).unwrap_or(rest)
    }

    fn take(&mut self) -> &'a str {
        let token = self.peek();
        self.rest = self.rest.get(token.len()..).unwrap_or("");
        token
    }

    fn accept(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        if found {
            self.take();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.accept(token) {
            return Ok(());
        }
        let found = self.peek();
        Err(if found.is_empty() {
            format!("`{token}` is missing at the end")
        } else {
            format!("`{token}` is missing before `{found}`")
        })
    }

    fn truth(&mut self) -> Result<Term, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("the expression is nested too deep".into());
        }
        let mut left = self.comparison()?;
        loop {
            let op = match self.peek() {
                ".or." => BoolOp::Or,
                ".and." => BoolOp::And,
                _ => break,
            };
            self.take();
            left = Term::Truth(op, Box::new((left, self.comparison()?)));
        }
        self.depth -= 1;
        Ok(left)
    }

    fn comparison(&mut self) -> Result<Term, String> {
        let left = self.sum()?;
        let op = match self.peek() {
            "<" => BoolOp::LessThan,
            "<=" => BoolOp::LessOrEqual,
            ">" => BoolOp::GreaterThan,
            ">=" => BoolOp::GreaterOrEqual,
            "==" => BoolOp::Equal,
            "/=" => BoolOp::NotEqual,
            _ => return Ok(left),
        };
        self.take();
        Ok(Term::Truth(op, Box::new((left, self.sum()?))))
    }

    fn sum(&mut self) -> Result<Term, String> {
        let mut left = if self.accept("-") {
            Term::Negative(Box::new(self.product()?))
        } else {
            self.product()?
        };
        loop {
            let operator = match self.peek() {
                "+" => Operator::Add,
                "-" => Operator::Subtract,
                _ => return Ok(left),
            };
            self.take();
            left = Term::Binary(operator, Box::new((left, self.product()?)));
        }
    }

    fn product(&mut self) -> Result<Term, String> {
        let mut left = self.power()?;
        loop {
            let operator = match self.peek() {
                "*" => Operator::Multiply,
                "/" => Operator::Divide,
                _ => return Ok(left),
            };
            self.take();
            left = Term::Binary(operator, Box::new((left, self.power()?)));
        }
    }

    fn power(&mut self) -> Result<Term, String> {
        let base = self.primary()?;
        if !self.accept("**") {
            return Ok(base);
        }
        let exponent = self.primary()?;
        if self.peek() == "**" {
            return Err("`a**b**c` needs parentheses".into());
        }
        Ok(Term::Binary(Operator::Power, Box::new((base, exponent))))
    }

    fn primary(&mut self) -> Result<Term, String> {
        let token = self.take();
        match token.bytes().next() {
            Some(b'(') => {
                let inner = self.truth()?;
                self.expect(")")?;
                Ok(inner)
            }
            Some(b'[') => {
                let inner = self.truth()?;
                self.expect("]")?;
                Ok(Term::Vector(Box::new(inner)))
            }
            Some(b'0'..=b'9') => match token.parse() {
                Ok(whole) => Ok(Term::Whole(whole)),
                Err(_) => {
                    let valid = token.bytes().filter(|&byte| byte == b'.').count() <= 1;
                    if valid {
                        Ok(Term::Decimal(token.into()))
                    } else {
                        Err(format!("`{token}` is no number"))
                    }
                }
            },
            Some(b'a'..=b'z' | b'A'..=b'Z') => {
                if self.accept("(") {
                    self.function(token)
                } else {
                    self.name(token)
                }
            }
            Some(_) => Err(format!("`{token}` stands where a value is expected")),
            None => Err("the expression ends too early".into()),
        }
    }

    fn name(&self, name: &str) -> Result<Term, String> {
        if let Some(position) = (self.operand)(name) {
            return Ok(Term::Operand(position));
        }
        match name {
            "r" => Ok(Term::Result),
            "d" => Ok(Term::Derivative),
            "tiny" => Ok(Term::Tiny),
            "zero" => Ok(Term::Zero),
            "absent" => Ok(Term::Absent),
            _ => Err(format!("`{name}` is no operand of this operation")),
        }
    }

    fn function(&mut self, name: &str) -> Result<Term, String> {
        let mut args = vec![self.truth()?];
        while self.accept(",") {
            args.push(self.truth()?);
        }
        self.expect(")")?;
        if name == "as_r"
            && let (1, Some(arg)) = (args.len(), args.pop())
        {
            return Ok(Term::AsResult(Box::new(arg)));
        }
        match (name, args.as_slice()) {
            ("imaginary", [arg]) => return Ok(Term::Imaginary(Box::new(arg.clone()))),
            ("or", [one, other]) => return Ok(Term::Or(Box::new((one.clone(), other.clone())))),
            _ => {}
        }
        if let ("digamma", [arg]) = (name, args.as_slice()) {
            return digamma(arg);
        }
        let row = intrinsics::by_fortran(&name.to_lowercase()).filter(|row| row.is_function());
        let row = row.ok_or_else(|| format!("`{name}` is no intrinsic function of Fortran"))?;
        let required = row.dummies.iter().filter(|dummy| !dummy.optional).count();
        if args.len() < required || row.dummy(args.len() - 1).is_none() {
            return Err(format!("`{name}` does not take {} arguments", args.len()));
        }
        Ok(Term::Function(row, args))
    }
}

/// [`DIGAMMA`] of an argument.
fn digamma(z: &Term) -> Result<Term, String> {
    const Y: u16 = 1;
    const Z: u16 = 2;
    let operand = |name: &str| match name {
        "y" => Some(Y),
        "z" => Some(Z),
        _ => None,
    };
    let mut text = Parser { rest: DIGAMMA, operand: &operand, depth: 0 }.truth()?;
    let max = intrinsics::by_fortran("max").ok_or("`max` is missing")?;
    let other = Term::Binary(Operator::Subtract, Box::new((Term::Whole(1), z.clone())));
    let y = Term::Function(max, vec![z.clone(), other]);
    text.substitute(&|position| if position == Y { y.clone() } else { z.clone() });
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(text: &str) -> Result<Local, String> {
        parse(text, |name| match name {
            "x" => Some(1),
            "y" => Some(2),
            _ => None,
        })
    }

    fn form(text: &str) -> Scaled {
        match local(text) {
            Ok(Local::Scaled(scaled)) => scaled,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn sign_and_denominator_are_taken_apart() {
        let quotient = form("-x/(x*x + y*y)");
        assert!(quotient.negative);
        assert_eq!(quotient.before, Some(Term::Operand(1)));
        assert!(matches!(quotient.denominator, Some(Term::Binary(Operator::Add, _))));
        assert_eq!(form("1"), Scaled::default());
        assert_eq!(form("-1/r").before, None);
    }

    #[test]
    fn the_derivative_as_a_factor_keeps_its_place() {
        let product = form("d*y");
        assert_eq!((product.before, product.after), (None, Some(Term::Operand(2))));
        assert_eq!(form("x*d").before, Some(Term::Operand(1)));
        assert!(matches!(local("aimag(d)"), Ok(Local::Map(_))));
        assert!(matches!(local("d*d"), Ok(Local::Map(_))));
    }

    #[test]
    fn a_power_binds_tighter_than_a_sign() {
        let power = form("-x**2");
        assert!(power.negative);
        assert!(matches!(power.before, Some(Term::Binary(Operator::Power, _))));
    }

    #[test]
    fn wrong_texts_are_refused_with_a_reason() {
        for (text, reason) in [
            ("", "the expression ends too early"),
            ("z", "`z` is no operand of this operation"),
            ("x +", "the expression ends too early"),
            ("(x", "`)` is missing at the end"),
            ("x y", "`y` is not understood in `x y`"),
            ("f(x)", "`f` is no intrinsic function of Fortran"),
            ("cos(x, y)", "`cos` does not take 2 arguments"),
            ("sign(x)", "`sign` does not take 1 arguments"),
            ("1.2.3", "`1.2.3` is no number"),
            ("x**y**x", "`a**b**c` needs parentheses"),
            ("é", "`é` stands where a value is expected"),
        ] {
            assert_eq!(local(text), Err(reason.to_string()));
        }
        let deep = "(".repeat(5000);
        assert_eq!(local(&deep), Err("the expression is nested too deep".to_string()));
    }
}
