//! Expressions, designators and literals.

use super::{Label, Name, Place, TypeSpec};

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Where it begins; of a binary operation, where its operator stands.
    pub place: Place,
    /// What it is.
    pub kind: ExprKind,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A literal constant.
    Literal(Literal),
    /// A name with all that follows it: variable, array element or section, component, function
    /// reference, structure constructor.
    Designator(Designator),
    /// `(e)`: kept, since it forbids the compiler to reassociate.
    Paren(Box<Expr>),
    /// `op e`
    Unary(UnaryOp, Box<Expr>),
    /// `l op r`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(re, im)`
    Complex(Box<Expr>, Box<Expr>),
    /// `[…]` or `(/…/)`
    Array(ArrayConstructor),
    /// `'text'(l:u)`
    LiteralSubstring(Literal, Box<Argument>),
}

/// Operators of one operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `.NOT.`
    Not,
    /// `.name.`, without the dots.
    Defined(Name),
}

/// Operators of two operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `**`
    Power,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `//`
    Concat,
    /// `==`, `.EQ.`
    Eq,
    /// `/=`, `.NE.`
    Ne,
    /// `<`, `.LT.`
    Lt,
    /// `<=`, `.LE.`
    Le,
    /// `>`, `.GT.`
    Gt,
    /// `>=`, `.GE.`
    Ge,
    /// `.AND.`
    And,
    /// `.OR.`
    Or,
    /// `.EQV.`
    Eqv,
    /// `.NEQV.`, also the extension `.XOR.`
    Neqv,
    /// `.name.`, without the dots.
    Defined(Name),
}

/// A name with all that follows it: `a%b(i)%c(j)(1:2)` has three parts.
#[derive(Clone, Debug)]
pub struct Designator {
    /// The parts between `%`; never empty.
    pub parts: Vec<Part>,
}

impl Designator {
    /// The first name, where the tree was made by the parser always one.
    pub fn base(&self) -> Option<&Name> {
        self.parts.first().map(|part| &part.name)
    }

    /// The name, where the designator is nothing but a name.
    pub fn simple(&self) -> Option<&Name> {
        match self.parts.as_slice() {
            [part] if part.arguments.is_empty() => Some(&part.name),
            _ => None,
        }
    }
}

/// A name and the parenthesised lists behind it.
#[derive(Clone, Debug)]
pub struct Part {
    /// The name.
    pub name: Name,
    /// None for `a`, one for `a(i)`, two for `a(i)(1:2)`; `f()` has one empty list.
    pub arguments: Vec<Vec<Argument>>,
}

/// What stands between the commas of a parenthesised list.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Where it begins.
    pub place: Place,
    /// `keyword=`
    pub keyword: Option<Name>,
    /// The value.
    pub value: ArgumentValue,
}

/// The kinds of arguments and subscripts.
#[derive(Clone, Debug)]
pub enum ArgumentValue {
    /// An expression.
    Expr(Expr),
    /// `[lower]:[upper][:stride]`
    Section {
        /// Before the first colon.
        lower: Option<Box<Expr>>,
        /// Behind the first colon.
        upper: Option<Box<Expr>>,
        /// Behind the second colon.
        stride: Option<Box<Expr>>,
    },
    /// `*10` or `&10`: an alternate return.
    Alternate(Label),
    /// `*`, in the parameters of a type.
    Star,
    /// `%VAL(e)`, `%REF(e)`, `%LOC(e)` of old compilers: the name and the expression.
    Percent(Name, Box<Expr>),
}

/// `[type-spec :: items]`
#[derive(Clone, Debug)]
pub struct ArrayConstructor {
    /// Whether it is written with `(/ /)`.
    pub slashes: bool,
    /// The type before `::`.
    pub type_spec: Option<Box<TypeSpec>>,
    /// The values.
    pub items: Vec<ArrayItem>,
}

/// An item of an array constructor or of an I/O list.
#[derive(Clone, Debug)]
pub enum ArrayItem {
    /// A value.
    Expr(Expr),
    /// `(items, i = first, last [, step])`
    ImpliedDo(Box<ImpliedDo<ArrayItem>>),
}

/// An implied DO loop over items of some sort.
#[derive(Clone, Debug)]
pub struct ImpliedDo<T> {
    /// Where its parenthesis stands.
    pub place: Place,
    /// What is repeated.
    pub items: Vec<T>,
    /// The type before the variable (`integer :: i`).
    pub type_spec: Option<Box<TypeSpec>>,
    /// The variable.
    pub variable: Name,
    /// Its first value.
    pub first: Expr,
    /// Its last value.
    pub last: Expr,
    /// The step.
    pub step: Option<Expr>,
}

/// A literal constant, with its text as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// `42_8`
    Integer {
        /// The digits.
        digits: Box<str>,
        /// What follows the underscore.
        kind: Option<KindParam>,
    },
    /// `1.5D0`, `1e-3_dp`
    Real {
        /// The number without kind, exponent letter as written.
        text: Box<str>,
        /// What follows the underscore.
        kind: Option<KindParam>,
    },
    /// `.TRUE.`
    Logical {
        /// Which.
        value: bool,
        /// What follows the underscore.
        kind: Option<KindParam>,
    },
    /// `'text'`
    Character {
        /// What precedes the quotes (`c_char_'…'`), without its underscore.
        kind: Option<KindParam>,
        /// With its quotes, and inner ones doubled, as written.
        quoted: Box<str>,
    },
    /// `Z'FF'`, `'17'O`
    Boz(Box<str>),
    /// `5HHELLO`: the characters behind the `H`.
    Hollerith(Box<str>),
}

impl Literal {
    /// The characters that a character or Hollerith literal means, quotes undone.
    pub fn characters(&self) -> Option<String> {
        match self {
            Literal::Character { quoted, .. } => {
                let quote = quoted.chars().next()?;
                let inner = quoted.strip_prefix(quote)?.strip_suffix(quote)?;
                Some(inner.replace(&format!("{quote}{quote}"), &quote.to_string()))
            }
            Literal::Hollerith(text) => Some(text.to_string()),
            Literal::Integer { .. }
            | Literal::Real { .. }
            | Literal::Logical { .. }
            | Literal::Boz(_) => None,
        }
    }
}

/// The kind parameter of a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KindParam {
    /// `_8`
    Digits(Box<str>),
    /// `_dp`
    Name(Name),
}
