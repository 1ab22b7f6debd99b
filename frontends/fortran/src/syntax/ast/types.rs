//! Types, attributes and array shapes as declarations spell them.

use super::{Argument, Bind, DataValue, Expr, Name, Place};

/// A type as it is written.
#[derive(Clone, Debug)]
pub struct TypeSpec {
    /// Where it begins.
    pub place: Place,
    /// Which.
    pub kind: TypeKind,
}

/// The kinds of type specifications.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `INTEGER`, `REAL`, `COMPLEX` or `LOGICAL` with its kind.
    Numeric(NumericType, KindSelector),
    /// `CHARACTER`
    Character(CharSelector),
    /// `DOUBLE PRECISION`
    DoublePrecision,
    /// `DOUBLE COMPLEX`
    DoubleComplex,
    /// `BYTE`
    Byte,
    /// `TYPE(t(…))`
    Derived(Name, Vec<Argument>),
    /// `CLASS(t(…))`
    Class(Name, Vec<Argument>),
    /// `CLASS(*)`
    ClassStar,
    /// `TYPE(*)`
    TypeStar,
    /// `TYPE(REAL(8))`: an intrinsic type in the clothes of a derived one.
    TypeOf(Box<TypeSpec>),
}

/// The types that take a kind and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumericType {
    /// `INTEGER`
    Integer,
    /// `REAL`
    Real,
    /// `COMPLEX`
    Complex,
    /// `LOGICAL`
    Logical,
}

/// How a kind is given.
#[derive(Clone, Debug)]
pub enum KindSelector {
    /// Not at all.
    Default,
    /// `*8`: bytes, for COMPLEX of both parts together.
    Star(u32),
    /// `(8)`, `(KIND=8)`
    Kind(Box<Expr>),
}

/// Length and kind of a CHARACTER.
#[derive(Clone, Debug, Default)]
pub struct CharSelector {
    /// The length; none means 1.
    pub length: Option<Length>,
    /// The kind.
    pub kind: Option<Box<Expr>>,
    /// Whether the length is written `*n`.
    pub star: bool,
}

/// The length of a CHARACTER.
#[derive(Clone, Debug)]
pub enum Length {
    /// `n`
    Expr(Box<Expr>),
    /// `*`: taken from elsewhere.
    Assumed,
    /// `:`
    Deferred,
}

/// `REAL, INTENT(IN) :: x, y(n)`
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The type.
    pub type_spec: TypeSpec,
    /// What stands between the type and `::`.
    pub attributes: Vec<Attribute>,
    /// Whether `::` is written.
    pub colons: bool,
    /// The names.
    pub entities: Vec<Entity>,
}

/// A declared name with its own shape, length and initial value.
#[derive(Clone, Debug)]
pub struct Entity {
    /// The name.
    pub name: Name,
    /// `(n, 0:m)`
    pub shape: Option<Vec<Dimension>>,
    /// `*n` behind the name.
    pub length: Option<Length>,
    /// The initial value.
    pub initial: Option<Initial>,
}

/// The initial value of a declared name.
#[derive(Clone, Debug)]
pub enum Initial {
    /// `= e`
    Value(Expr),
    /// `=> e`
    Pointer(Expr),
    /// `/ values /`, the old form.
    Data(Vec<DataValue>),
}

/// One dimension of a declared shape.
#[derive(Clone, Debug)]
pub struct Dimension {
    /// Where it begins.
    pub place: Place,
    /// Before the colon.
    pub lower: Option<Box<Expr>>,
    /// Behind it, or all there is.
    pub upper: Upper,
}

/// The upper end of a dimension.
#[derive(Clone, Debug)]
pub enum Upper {
    /// An expression.
    Expr(Box<Expr>),
    /// `lower:` or `:` - assumed or deferred shape.
    Open,
    /// `*` - assumed size.
    Star,
    /// `..` - assumed rank.
    Rank,
}

/// What a declaration says beside the type.
#[derive(Clone, Debug)]
pub enum Attribute {
    /// `ALLOCATABLE`
    Allocatable,
    /// `ASYNCHRONOUS`
    Asynchronous,
    /// `AUTOMATIC` (extension)
    Automatic,
    /// `BIND(C)`
    Bind(Bind),
    /// `CONTIGUOUS`
    Contiguous,
    /// `DIMENSION(…)`
    Dimension(Vec<Dimension>),
    /// `EXTERNAL`
    External,
    /// `INTENT(…)`
    Intent(Intent),
    /// `INTRINSIC`
    Intrinsic,
    /// `KIND`: a kind parameter of a type.
    Kind,
    /// `LEN`: a length parameter of a type.
    Len,
    /// `OPTIONAL`
    Optional,
    /// `PARAMETER`
    Parameter,
    /// `POINTER`
    Pointer,
    /// `PRIVATE`
    Private,
    /// `PROTECTED`
    Protected,
    /// `PUBLIC`
    Public,
    /// `SAVE`
    Save,
    /// `STATIC` (extension)
    Static,
    /// `TARGET`
    Target,
    /// `VALUE`
    Value,
    /// `VOLATILE`
    Volatile,
}

/// The INTENT of a dummy argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Intent {
    /// `IN`
    In,
    /// `OUT`
    Out,
    /// `INOUT`
    InOut,
}
