//! Types: what an expression has ([`Ty`]), and what a declaration says ([`TypeSpec`]).

use super::{ExprId, SymbolId, TypeId};

/// The resolved type of an expression or reference: small, copied freely, compared by value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ty {
    /// Type and kind of one element.
    pub base: Base,
    /// Number of dimensions; 0 is a scalar.
    pub rank: u8,
}

impl Ty {
    /// A scalar of type `base`.
    pub const fn scalar(base: Base) -> Self {
        Ty { base, rank: 0 }
    }

    /// The same element type with another rank.
    #[must_use]
    pub const fn with_rank(self, rank: u8) -> Self {
        Ty { base: self.base, rank }
    }
}

/// The type of one element. Numbers are the kind in bytes (of each part, for complex).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Base {
    /// Not known: names of a module that was not given, XAIF 1.0 documents that do not say.
    #[default]
    Unknown,
    /// No value: subroutines, C `void`.
    Void,
    /// Signed integer of so many bytes.
    Integer(u8),
    /// Unsigned integer of so many bytes (C only).
    Unsigned(u8),
    /// Floating point number of so many bytes.
    Real(u8),
    /// Complex number whose two parts have so many bytes each.
    Complex(u8),
    /// Logical of so many bytes.
    Logical(u8),
    /// Character of so many bytes; the length belongs to the declaration.
    Character(u8),
    /// A derived type or C struct, `type(t)`.
    Derived(SymbolId),
    /// A polymorphic object, `class(t)`.
    Class(SymbolId),
    /// `class(*)`.
    ClassStar,
    /// `type(*)`.
    TypeStar,
    /// A procedure name used as a value.
    Procedure,
    /// A C pointer (Fortran's POINTER is an attribute, not a type).
    Pointer(TypeId),
}

impl Base {
    /// Whether derivatives with respect to it make sense: real and complex numbers.
    pub const fn is_continuous(self) -> bool {
        matches!(self, Base::Real(_) | Base::Complex(_))
    }
}

/// A type as a declaration writes it.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeSpec {
    /// `integer`, `real(8)`, `double precision`, `logical*1`, `complex(kind=dp)`.
    Intrinsic {
        /// The resolved type.
        base: Base,
        /// How the kind is spelt.
        kind: KindSpelling,
    },
    /// `character(len=…, kind=…)`.
    Character {
        /// The kind in bytes.
        bytes: u8,
        /// How the kind is spelt.
        kind: KindSpelling,
        /// The length.
        len: CharLen,
    },
    /// `type(t)` or, with `class`, `class(t)`; C `struct t`.
    Derived {
        /// The type's symbol; `None` if its definition was not given (a missing module).
        symbol: Option<SymbolId>,
        /// The type's name as written.
        name: String,
        /// Whether it is `class(t)`.
        class: bool,
        /// Values of type parameters, with their keywords.
        params: Vec<(Option<String>, TypeParam)>,
    },
    /// `class(*)`.
    ClassStar,
    /// `type(*)`.
    TypeStar,
    /// A C pointer to the type.
    Pointer(Box<TypeSpec>),
    /// No type: an untyped `external`, a subroutine, a genuine `void`.
    None,
}

impl TypeSpec {
    /// The resolved type of one element.
    pub fn base(&self) -> Base {
        match self {
            TypeSpec::Intrinsic { base, .. } => *base,
            TypeSpec::Character { bytes, .. } => Base::Character(*bytes),
            TypeSpec::Derived { symbol: Some(symbol), class: false, .. } => Base::Derived(*symbol),
            TypeSpec::Derived { symbol: Some(symbol), class: true, .. } => Base::Class(*symbol),
            TypeSpec::Derived { symbol: None, .. } => Base::Unknown,
            TypeSpec::ClassStar => Base::ClassStar,
            TypeSpec::TypeStar => Base::TypeStar,
            TypeSpec::Pointer(_) => Base::Unknown,
            TypeSpec::None => Base::Void,
        }
    }
}

/// How a declaration spells its kind, so that it can be written again as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KindSpelling {
    /// Not at all: `real`.
    #[default]
    Default,
    /// By the old names: `double precision`, `double complex`, `byte`.
    Named,
    /// `real*8`: the number after the star (for complex, of both parts together).
    Star(u16),
    /// `real(dp)`, `real(kind=8)`: the expression.
    Expr(ExprId),
}

/// The length of a character entity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CharLen {
    /// No length written: 1.
    #[default]
    One,
    /// `len=expr`.
    Expr(ExprId),
    /// `len=*`.
    Assumed,
    /// `len=:`.
    Deferred,
}

/// The value of a type parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeParam {
    /// An expression.
    Expr(ExprId),
    /// `*`.
    Assumed,
    /// `:`.
    Deferred,
}
