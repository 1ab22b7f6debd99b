//! The vocabulary of operators and intrinsic procedures: XAIF's names and the languages' names.
//!
//! This is a table of names, types and effects, not of derivatives: those stand in the booster's
//! catalogue. Three tables:
//! - [`all`]: intrinsic procedures of Fortran 2018 and the extensions of gfortran that numerical
//!   codes use, a row each (`table.rs`);
//! - [`specifics`]: specific names (`dsqrt`, `amax1`), which mean a generic one (`specific.rs`);
//! - [`OPERATORS`]: operators with their precedence (`operator.rs`).
//!
//! An [`ExprKind::Intrinsic`](crate::model::ExprKind::Intrinsic) carries a XAIF name: of a row
//! ([`by_xaif`]) or of an operator ([`operator`]). Both are hash look-ups.

mod operator;
mod specific;
mod table;

use std::collections::HashMap;
use std::sync::LazyLock;

pub use operator::{
    Fixity, OPERATORS, Operator, boolean_operator, defined_binary, defined_unary, operator,
};
pub use specific::Specific;

use crate::model::Access;

/// One intrinsic procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intrinsic {
    /// Its name in a XAIF document: the genuine one where XAIF 1.0 has it, else Fortran's.
    pub xaif: &'static str,
    /// Its generic name in Fortran, lower case.
    pub fortran: &'static str,
    /// What kind of procedure it is.
    pub class: Class,
    /// Its dummy arguments in order.
    pub dummies: Vec<Dummy>,
    /// The type of its result.
    pub result: ResultType,
    /// The rank of its result.
    pub rank: ResultRank,
    /// Whether it is no standard Fortran but known to gfortran.
    pub extension: bool,
}

impl Intrinsic {
    /// Whether it has a value.
    pub fn is_function(&self) -> bool {
        !matches!(self.class, Class::Subroutine { .. })
    }

    /// The index of the dummy argument called `keyword` (lower case).
    pub fn position_of(&self, keyword: &str) -> Option<usize> {
        let exact = self.dummies.iter().position(|dummy| dummy.name == keyword);
        // MAX and MIN call their further arguments a3, a4, …
        exact.or_else(|| {
            let number: usize = keyword.strip_prefix('a')?.parse().ok()?;
            let repeated = self.dummies.last()?.repeated;
            (repeated && number > self.dummies.len()).then(|| number - 1)
        })
    }

    /// The dummy argument with this index, where a repeated last one counts for all that follow.
    pub fn dummy(&self, index: usize) -> Option<&Dummy> {
        self.dummies.get(index).or_else(|| self.dummies.last().filter(|last| last.repeated))
    }
}

/// A dummy argument of an intrinsic procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dummy {
    /// Its keyword.
    pub name: &'static str,
    /// Whether it may be left out.
    pub optional: bool,
    /// Whether further arguments of the same sort may follow (`max(a, b, c, d)`).
    pub repeated: bool,
    /// What happens to the actual argument.
    pub access: Access,
}

/// What kind of procedure an intrinsic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// A function of scalars that works on arrays element by element.
    Elemental,
    /// A function of whole arrays, or one that is neither elemental nor inquires.
    Transformational,
    /// A function whose value does not depend on the values of its arguments.
    Inquiry,
    /// A function that is not pure: `rand()`, `etime(t)`.
    Impure,
    /// A subroutine.
    Subroutine {
        /// Whether it has no side effects but through its arguments.
        pure: bool,
        /// Whether it works on arrays element by element.
        elemental: bool,
    },
}

/// How the type of a result follows from the arguments (counted from 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultType {
    /// No value: subroutines.
    None,
    /// Type and kind of an argument.
    Like(u8),
    /// As an argument; for a complex one real of the same kind (`abs`).
    RealOf(u8),
    /// Numeric or logical promotion of the first two arguments (`dot_product`, `matmul`).
    Promoted,
    /// Integer of the kind that the argument KIND gives, else default integer.
    IntegerKind,
    /// Real of the kind that KIND gives; else the kind of a complex first argument; else default.
    RealKind,
    /// Real of the kind that KIND gives, else as the first argument (`aint`).
    RealKindLike,
    /// Complex of the kind that KIND gives; else of a complex first argument's; else default.
    ComplexKind,
    /// Logical of the kind that KIND gives, else default logical.
    LogicalKind,
    /// Character of the kind that KIND gives, else default character.
    CharacterKind,
    /// Default integer.
    Integer,
    /// Integer of so many bytes.
    IntegerOf(u8),
    /// Default real.
    Real,
    /// Double precision.
    Double,
    /// Default logical.
    Logical,
    /// Default character.
    Character,
    /// Nothing can be said (`null()` without MOLD).
    Unknown,
}

/// How the rank of a result follows from the arguments (counted from 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultRank {
    /// That of the arguments which are arrays.
    Elemental,
    /// A scalar.
    Scalar,
    /// A vector.
    Vector,
    /// As an argument.
    Like(u8),
    /// One more than the first argument (`spread`).
    OneMore,
    /// One less than the first argument where DIM is present, else a scalar (`sum`).
    Reduced,
    /// One less than the first argument where DIM is present, else a vector (`maxloc`).
    ReducedOrVector,
    /// A scalar where DIM is present, else a vector (`lbound`).
    VectorUnlessDim,
    /// The size of the second argument (`reshape`).
    SizeOfSecond,
    /// As for matrix products.
    Matmul,
    /// A vector where SIZE is present or the second argument is an array (`transfer`).
    Transfer,
    /// As the argument MOLD, where it is present.
    Mold,
}

/// Every intrinsic procedure, in the order of the table.
pub fn all() -> &'static [Intrinsic] {
    &TABLES.rows
}

/// The intrinsic procedure with this name in XAIF.
///
/// ```
/// use xaif_schema::intrinsics::{by_fortran, by_xaif};
///
/// assert!(by_xaif("sin_scal").is_some_and(|row| row.is_function()));
/// assert_eq!(by_fortran("sin"), by_xaif("sin_scal"));
/// ```
pub fn by_xaif(name: &str) -> Option<&'static Intrinsic> {
    TABLES.xaif.get(name).map(|&index| &TABLES.rows[index])
}

/// Whether the operation with this XAIF name asks for a property of its operands, not for their values.
pub fn inquires(name: &str) -> bool {
    by_xaif(name).is_some_and(|row| row.class == Class::Inquiry)
}

/// The intrinsic procedure with this generic name in Fortran (lower case).
pub fn by_fortran(name: &str) -> Option<&'static Intrinsic> {
    TABLES.fortran.get(name).map(|&index| &TABLES.rows[index])
}

/// Every specific name.
pub fn specifics() -> &'static [Specific] {
    specific::SPECIFICS
}

/// The specific intrinsic function with this name (lower case).
pub fn specific(name: &str) -> Option<&'static Specific> {
    TABLES.specific.get(name).map(|&index| &specific::SPECIFICS[index])
}

/// The intrinsic procedure that a name means in Fortran, generic or specific (lower case).
pub fn named(name: &str) -> Option<(&'static Intrinsic, Option<&'static Specific>)> {
    if let Some(intrinsic) = by_fortran(name) {
        return Some((intrinsic, None));
    }
    let specific = specific(name)?;
    Some((by_fortran(specific.generic)?, Some(specific)))
}

/// What an operation of a document is called in Fortran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// An operator between or before its operands.
    Operator(&'static Operator),
    /// A function with arguments.
    Function(&'static Intrinsic),
}

/// What the XAIF name of an operation is called in Fortran.
pub fn spelling(xaif: &str) -> Option<Spelling> {
    operator(xaif).map(Spelling::Operator).or_else(|| by_xaif(xaif).map(Spelling::Function))
}

struct Tables {
    rows: Vec<Intrinsic>,
    xaif: HashMap<&'static str, usize>,
    fortran: HashMap<&'static str, usize>,
    specific: HashMap<&'static str, usize>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let rows = table::rows();
    let mut xaif: HashMap<_, _> =
        rows.iter().enumerate().map(|(index, row)| (row.xaif, index)).collect();
    let fortran: HashMap<_, _> =
        rows.iter().enumerate().map(|(index, row)| (row.fortran, index)).collect();
    for &(alias, name) in table::XAIF_ALIASES {
        if let Some(&index) = fortran.get(name) {
            xaif.insert(alias, index);
        }
    }
    let specific = specific::SPECIFICS
        .iter()
        .enumerate()
        .map(|(index, specific)| (specific.name, index))
        .collect();
    Tables { rows, xaif, fortran, specific }
});

#[cfg(test)]
mod tests;
