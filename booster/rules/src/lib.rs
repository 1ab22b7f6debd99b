//! The catalogue: for every operation and intrinsic function its derivative, as data.
//!
//! A [`Catalogue`] is built from rows (`table.rs`, and a user's own) whose partial derivatives are
//! short texts in a language of their own ([`language`]), parsed once. Which rule an operation has,
//! [`Catalogue::rule`] tells; `booster_linearize` makes expressions of it. Every place where a
//! function has no derivative has a stated rule, printed in docs/intrinsics.md.
//!
//! Nothing here changes a document.

mod adjoints;
mod coverage;
pub mod language;
mod page;
mod table;
mod user;

use std::collections::HashMap;
use std::sync::LazyLock;

pub use coverage::{standard_rows_used, standard_rows_with_derivative};
use language::{Backward, Local, parse, parse_adjoint};
pub use page::page;
use xaif_schema::intrinsics;
use xaif_schema::model::{Base, BoolOp, Document, ExprId, ExprKind, Operands};

/// When a row of an operation holds; the operation is an `ExprKind::Intrinsic`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// In any case.
    Always,
    /// Its value is complex.
    ComplexResult,
    /// Its first operand is complex.
    ComplexOperand,
    /// It has two operands.
    TwoOperands,
    /// It has three operands.
    ThreeOperands,
    /// It has so many operands, and none of them is complex where `real` says so: a user's rule.
    Operands {
        /// How many.
        count: u16,
        /// Whether none of them may be complex.
        real: bool,
    },
    /// Its second operand is an integer.
    IntegerExponent,
    /// Its value has the type of its first operand.
    SameType,
    /// Its first operand is an integer, logical or character.
    NoNumber,
    /// Its first two operands have so many dimensions.
    Ranks(u8, u8),
    /// Its second operand is a scalar.
    ScalarSecond,
}

impl When {
    fn holds(self, doc: &Document, expr: ExprId, operands: &Operands) -> bool {
        let base = |position| operand(operands, position).map(|expr| doc.exprs[expr].ty.base);
        let rank = |position| operand(operands, position).map_or(0, |expr| doc.exprs[expr].ty.rank);
        match self {
            When::Always => true,
            When::ComplexResult => matches!(doc.exprs[expr].ty.base, Base::Complex(_)),
            When::ComplexOperand => matches!(base(1), Some(Base::Complex(_))),
            When::TwoOperands => operands.len() == 2,
            When::ThreeOperands => operands.len() == 3,
            When::Operands { count, real } => {
                let complex = |expr: ExprId| matches!(doc.exprs[expr].ty.base, Base::Complex(_));
                operands.len() == usize::from(count)
                    && !(real && operands.iter().any(|operand| complex(operand.expr)))
            }
            When::SameType => base(1) == Some(doc.exprs[expr].ty.base),
            When::NoNumber => matches!(
                base(1),
                Some(Base::Integer(_) | Base::Unsigned(_) | Base::Logical(_) | Base::Character(_))
            ),
            When::Ranks(first, second) => rank(1) == first && rank(2) == second,
            When::ScalarSecond => rank(2) == 0,
            When::IntegerExponent => {
                matches!(base(2), Some(Base::Integer(_) | Base::Unsigned(_)))
            }
        }
    }
}

/// The operand at `position`.
pub fn operand(operands: &Operands, position: u16) -> Option<ExprId> {
    operands.iter().find(|operand| operand.position == position).map(|operand| operand.expr)
}

/// A rule as a table writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Texts, one for each operand, parted by `|`.
    Partials(&'static str),
    /// Linear in the operands at these positions: the same operation on their derivatives.
    Same(&'static [u16]),
    /// Linear in each of two operands: the operation on the derivative of one and the other.
    Bilinear,
    /// MAX or MIN: the argument for which the comparison with all later ones holds.
    Choice(BoolOp),
    /// The derivative needs statements.
    Statements,
    /// No derivative flows through it.
    Passive,
    /// Not supported, for this reason.
    Refused(&'static str),
}

/// The rule of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// What each operand contributes, by position from 1; `None` carries no derivative.
    Partials(Vec<Option<Local>>),
    /// Linear in the operands at these positions: the same operation on their derivatives, with
    /// zero where an operand has none.
    Same(Vec<u16>),
    /// Linear in each of its two operands: the sum of the operation on the derivative of the one
    /// and the other, and the reverse.
    Bilinear,
    /// MAX or MIN of any number of arguments: `a1` counts where `a1 op a2`, and so on.
    Choice(BoolOp),
    /// The derivative has no expression; it is computed by statements
    /// (`linearize::statement_tangent`).
    Statements,
    /// No derivative flows through it.
    Passive,
    /// A derivative that arrives here is refused, for this reason.
    Refused(Box<str>),
}

/// What each operand of an operation gets from its adjoint.
type Adjoints = Vec<Option<Backward>>;

/// The rules of all operations.
#[derive(Clone, Debug)]
pub struct Catalogue {
    /// The rules by XAIF name, those that are tried first first.
    rules: HashMap<Box<str>, Vec<(When, Rule)>>,
    /// The adjoints of those that are no products with a partial, one for each operand.
    adjoints: HashMap<Box<str>, Vec<(When, Adjoints)>>,
}

static STANDARD: LazyLock<Catalogue> = LazyLock::new(|| {
    let mut catalogue = Catalogue { rules: HashMap::new(), adjoints: HashMap::new() };
    for row in table::rows() {
        let rule = parse_form(row.name, row.form);
        catalogue.rules.entry(row.name.into()).or_default().push((row.when, rule));
    }
    for row in adjoints::ROWS {
        let texts = parse_backward(row.name, row.text).unwrap_or_default();
        catalogue.adjoints.entry(row.name.into()).or_default().push((row.when, texts));
    }
    catalogue
});

impl Catalogue {
    /// The standard rules: all operators and intrinsic functions.
    pub fn standard() -> Self {
        STANDARD.clone()
    }

    /// Adds a rule for the operation with this XAIF name; it comes before all that are there.
    pub fn add(&mut self, name: &str, when: When, rule: Rule) {
        self.rules.entry(canonical(name).into()).or_default().insert(0, (when, rule));
    }

    /// The rule of an operation of `doc`; `None` if `expr` is no operation or there is none.
    ///
    /// What has no number as its value, and functions that only inquire, are passive without a row.
    pub fn rule(&self, doc: &Document, expr: ExprId) -> Option<&Rule> {
        let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[expr].kind else { return None };
        if !may_be_continuous(doc.exprs[expr].ty.base) {
            return Some(&Rule::Passive);
        }
        let found = self.rules.get(canonical(name)).and_then(|rules| {
            rules.iter().find(|(when, _)| when.holds(doc, expr, operands)).map(|(_, rule)| rule)
        });
        found.or_else(|| intrinsics::inquires(name).then_some(&Rule::Passive))
    }

    /// What the operand at `position` of an operation gets from the adjoint of the operation, where
    /// the rule is no product with a partial derivative; `None` where it has no expression.
    pub fn adjoint(&self, doc: &Document, expr: ExprId, position: u16) -> Option<&Backward> {
        let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[expr].kind else { return None };
        let rows = self.adjoints.get(canonical(name))?;
        let (_, texts) = rows.iter().find(|(when, _)| when.holds(doc, expr, operands))?;
        texts.get(usize::from(position).checked_sub(1)?)?.as_ref()
    }

    /// Whether the derivative of the operation with this XAIF name needs statements of its own
    /// (`linearize::statement_tangent`), so that the operation must stand alone on the right-hand
    /// side of an assignment.
    pub fn needs_statement(&self, name: &str) -> bool {
        let rules = self.rules.get(canonical(name));
        rules.is_some_and(|rules| rules.iter().any(|(_, rule)| *rule == Rule::Statements))
    }
}

/// Whether the derivative of the standard intrinsic with this XAIF name needs statements of its own.
pub fn needs_statement(name: &str) -> bool {
    STANDARD.needs_statement(name)
}

/// Whether a value of this type may carry a derivative: real, complex, of derived type (its
/// components may), or not known.
pub fn may_be_continuous(base: Base) -> bool {
    match base {
        Base::Real(_)
        | Base::Complex(_)
        | Base::Unknown
        | Base::Derived(_)
        | Base::Class(_)
        | Base::ClassStar
        | Base::TypeStar => true,
        Base::Void
        | Base::Integer(_)
        | Base::Unsigned(_)
        | Base::Logical(_)
        | Base::Character(_)
        | Base::Procedure
        | Base::Pointer(_) => false,
    }
}

/// The name of the table for any of XAIF's names of an operation (`oad_tan_scal` is `tan_scal`).
fn canonical(name: &str) -> &str {
    if intrinsics::operator(name).is_some() {
        return name;
    }
    intrinsics::by_xaif(name).map_or(name, |row| row.xaif)
}

/// The position that a name has among the operands of an operation.
pub fn position_of(operation: &str, name: &str) -> Option<u16> {
    if intrinsics::operator(operation).is_some() {
        return match name {
            "a" => Some(1),
            "b" => Some(2),
            _ => None,
        };
    }
    let index = intrinsics::by_xaif(operation)?.position_of(name)?;
    u16::try_from(index + 1).ok()
}

/// A row of the table as a rule. A text with a mistake, which the tests would find, is refused.
fn parse_form(name: &str, form: Form) -> Rule {
    match form {
        Form::Partials(text) => {
            let locals: Result<Vec<_>, _> = text
                .split('|')
                .map(str::trim)
                .map(|text| match text {
                    "-" => Ok(None),
                    text => parse(text, |word| position_of(name, word)).map(Some),
                })
                .collect();
            locals.map_or_else(|error| Rule::Refused(error.into()), Rule::Partials)
        }
        Form::Same(positions) => Rule::Same(positions.to_vec()),
        Form::Bilinear => Rule::Bilinear,
        Form::Choice(op) => Rule::Choice(op),
        Form::Statements => Rule::Statements,
        Form::Passive => Rule::Passive,
        Form::Refused(reason) => Rule::Refused(reason.into()),
    }
}

/// A row of the table of adjoints. The tests hold that all are understood.
fn parse_backward(name: &str, text: &str) -> Result<Adjoints, String> {
    text.split('|')
        .map(str::trim)
        .map(|text| match text {
            "-" => Ok(None),
            text => parse_adjoint(text, |word| position_of(name, word)).map(Some),
        })
        .collect()
}

#[cfg(test)]
mod tests;
