//! Expressions and references.
//!
//! An expression is the set of nodes that are reached from its root: `ExprId`s into the arena of
//! the document, never boxes, so that deep ones cannot overflow the stack. Parentheses are a flag
//! of the node that they enclose. A node belongs to one expression; only within it may it have
//! more than one user.

use smallvec::SmallVec;

use super::{ExprId, Place, RefId, ScopeId, SymbolId, Ty, TypeSpec};

/// One node of an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// Type, kind and rank of its value.
    pub ty: Ty,
    /// Where it stands in the source.
    pub place: Place,
    /// Whether the source encloses it in parentheses. They matter: as an actual argument `(x)` is
    /// a copy of `x`, and a compiler may not reassociate across them.
    pub parens: bool,
}

impl Expr {
    /// The reference, where the node is the value of one.
    pub fn reference(&self) -> Option<RefId> {
        if let ExprKind::Ref(reference) = self.kind { Some(reference) } else { None }
    }

    /// The call, where the node is a reference to a user's function.
    pub fn call(&self) -> Option<&FunctionCall> {
        if let ExprKind::Call(call) = &self.kind { Some(call) } else { None }
    }

    /// The same, to be changed.
    pub fn call_mut(&mut self) -> Option<&mut FunctionCall> {
        if let ExprKind::Call(call) = &mut self.kind { Some(call) } else { None }
    }
}

/// The kinds of nodes. Operations on numbers are [`ExprKind::Intrinsic`], comparisons and logical
/// operations [`ExprKind::Boolean`], as in XAIF 1.0.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A literal.
    Constant(Constant),
    /// The value of a variable (or the variable itself, as an actual argument).
    Ref(RefId),
    /// An operator or an intrinsic function by its XAIF name (`add_scal_scal`, `sin_scal`, `sum`);
    /// the vocabulary is the table in [`crate::intrinsics`].
    Intrinsic {
        /// The XAIF name.
        name: Box<str>,
        /// The name that the source uses where it is a specific one (`dsqrt`, `amax1`).
        spelling: Option<Box<str>>,
        /// The operands; their positions are those of the intrinsic's dummy arguments.
        operands: Operands,
    },
    /// A comparison or logical operation.
    Boolean {
        /// Which one.
        op: BoolOp,
        /// One operand for `not`, else two.
        operands: Operands,
    },
    /// A reference to a function that the program defines or that is external.
    Call(Box<FunctionCall>),
    /// `[a, b, (f(i), i = 1, n)]`.
    ArrayConstructor {
        /// The type written before `::`.
        spec: Option<Box<TypeSpec>>,
        /// The values, in order.
        items: Vec<ExprId>,
    },
    /// `(items, var = lower, upper, step)` in an array constructor, an I/O list or DATA.
    ImpliedDo(Box<ImpliedDo>),
    /// `t(a, b, name = c)`.
    StructureConstructor {
        /// The derived type.
        spec: Box<TypeSpec>,
        /// The component values.
        args: Vec<Arg>,
    },
    /// A procedure as an actual argument or pointer target.
    Procedure(SymbolId),
    /// Text that the front-end could not resolve (an expression over names of a module that was
    /// not given keeps its structure; this is for syntax that is carried only).
    Opaque(Box<str>),
}

/// The operands of an operation. Their order is the order of evaluation in the source; which
/// operand is which is told by the position.
pub type Operands = SmallVec<[Operand; 2]>;

/// One operand of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operand {
    /// The position, counted from 1, among the dummy arguments of the intrinsic.
    pub position: u16,
    /// Whether the source names the dummy argument (`dim=1`).
    pub keyword: bool,
    /// The value.
    pub expr: ExprId,
}

/// A literal constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// XAIF's type of the literal.
    pub class: ConstantClass,
    /// The front-end's name of the machine type (`F8`, `I4`), as XAIF 1.0 documents give it.
    pub fe_type: Option<Box<str>>,
    /// The text as the source has it, without kind suffix: `1.5d0`, `.true.`, `'it''s'`.
    pub text: Box<str>,
    /// The kind suffix.
    pub kind: ConstantKind,
}

/// The kind suffix of a literal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConstantKind {
    /// None is written.
    #[default]
    None,
    /// A number: `1_8`.
    Number(u16),
    /// A named constant: `1.0_dp`.
    Named(SymbolId),
}

/// XAIF's types of literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConstantClass {
    /// A real number.
    Real,
    /// A real number of double precision.
    Double,
    /// An integer.
    Integer,
    /// A truth value.
    Bool,
    /// One character.
    Char,
    /// A character string.
    String,
    /// A bit pattern, `z'ff'` (our dialect).
    Boz,
    /// A Hollerith constant, `3habc` (our dialect).
    Hollerith,
    /// `null()` without argument, C's null pointer (our dialect).
    Null,
}

/// XAIF's comparisons and logical operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoolOp {
    /// `<`
    LessThan,
    /// `<=`
    LessOrEqual,
    /// `>`
    GreaterThan,
    /// `>=`
    GreaterOrEqual,
    /// `==`
    Equal,
    /// `/=`
    NotEqual,
    /// `.and.`
    And,
    /// `.or.`
    Or,
    /// `.not.`
    Not,
    /// `.neqv.`
    Xor,
    /// `.eqv.` (our dialect)
    Equivalent,
}

/// A reference to a user's function, or to a user-defined operator.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionCall {
    /// What is called.
    pub callee: Callee,
    /// The actual arguments, in the order written.
    pub args: Vec<Arg>,
    /// Whether activity passes through this call; `None` where no analysis has told.
    pub active: Option<bool>,
}

/// What a call names.
#[derive(Clone, Debug, PartialEq)]
pub struct Callee {
    /// The procedure that is executed: the specific one where a generic name could be resolved;
    /// the dummy procedure, procedure pointer or type-bound procedure where only that is known.
    pub symbol: SymbolId,
    /// The generic name, operator or assignment by which the source reaches `symbol`.
    pub generic: Option<SymbolId>,
    /// The object of `object%procedure(…)`; its last part is the binding or procedure component.
    pub object: Option<RefId>,
}

/// One actual argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// The position among the dummy arguments, counted from 1, where the callee's interface is
    /// known; else the position in the list.
    pub position: u32,
    /// The keyword, if the source has one.
    pub keyword: Option<Box<str>>,
    /// The argument.
    pub value: ArgValue,
}

/// What an actual argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgValue {
    /// A variable or an expression.
    Expr(ExprId),
    /// `*label`: the block that ends with this call has an edge with this condition value.
    AlternateReturn(i64),
}

/// An implied DO.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpliedDo {
    /// What is repeated.
    pub items: Vec<ExprId>,
    /// The control.
    pub control: IndexRange,
}

/// `var = lower, upper, step`, as implied DO, FORALL and DO CONCURRENT have it.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexRange {
    /// The index variable (of a scope of its own where the language says so).
    pub var: SymbolId,
    /// First value.
    pub lower: ExprId,
    /// Last value.
    pub upper: ExprId,
    /// Step; 1 where it is absent.
    pub step: Option<ExprId>,
}

/// `(type-spec :: ranges, mask)`: the header of FORALL and DO CONCURRENT.
#[derive(Clone, Debug, PartialEq)]
pub struct ForallHeader {
    /// The scope that holds the index variables.
    pub scope: ScopeId,
    /// The type written before `::`.
    pub spec: Option<Box<TypeSpec>>,
    /// The indices.
    pub ranges: Vec<IndexRange>,
    /// The mask.
    pub mask: Option<ExprId>,
}

/// One occurrence of a reference to a variable, component, element, section or substring.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The variable.
    pub base: SymbolId,
    /// Selectors from left to right.
    pub parts: SmallVec<[Part; 1]>,
    /// Type, kind and rank of what is referred to.
    pub ty: Ty,
    /// Where it stands in the source.
    pub place: Place,
    /// Whether a derivative belongs to this occurrence; `None` where no analysis has told.
    pub active: Option<bool>,
    /// Key into the alias sets; 0 is "may be anything".
    pub alias: Option<i64>,
    /// Key into the DU/UD sets; 0 is "not known".
    pub du_ud: Option<i64>,
    /// Whether it is the derivative of the variable that is meant, not its value.
    pub deriv: bool,
    /// Whether all its indices are constants (a fact of xaifBooster).
    pub constant: Option<bool>,
    /// For a left-hand side: whether the value is used later.
    pub live: Option<bool>,
}

impl Reference {
    /// A reference to the whole of `base`.
    pub fn whole(base: SymbolId, ty: Ty, place: Place) -> Self {
        Reference {
            base,
            parts: SmallVec::new(),
            ty,
            place,
            active: None,
            alias: None,
            du_ud: None,
            deriv: false,
            constant: None,
            live: None,
        }
    }

    /// What its declaration is that of: the last component that it names, else its variable; `None` for a
    /// component of a type whose definition was not given.
    pub fn entity(&self) -> Option<SymbolId> {
        let component = self.parts.iter().rev().find_map(|part| match part {
            Part::Component { symbol, .. } => Some(*symbol),
            Part::Elements(_) | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => None,
        });
        component.unwrap_or(Some(self.base))
    }

    /// The same where it is meant as a whole: nothing is selected of the component or variable.
    pub fn whole_entity(&self) -> Option<SymbolId> {
        match self.parts.last() {
            None | Some(Part::Component { .. }) => self.entity(),
            Some(Part::Elements(_) | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref) => {
                None
            }
        }
    }

    /// Takes away what analyses have said of the reference that this one was copied from.
    pub fn forget_facts(&mut self) {
        (self.active, self.alias, self.du_ud, self.live) = (None, None, None, None);
    }
}

/// One selector of a reference.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// `(i, j:k, v)`: elements or a section of an array.
    Elements(Vec<Subscript>),
    /// `%name`: a component of a derived type (or a binding, as the last part of a callee's object).
    Component {
        /// The component; `None` if the type's definition was not given.
        symbol: Option<SymbolId>,
        /// Its name as written.
        name: Box<str>,
    },
    /// `(lower:upper)` of a character.
    Substring {
        /// First character; 1 where it is absent.
        lower: Option<ExprId>,
        /// Last character; the length where it is absent.
        upper: Option<ExprId>,
    },
    /// `%re`, `%im`, `%kind`, `%len`.
    Inquiry(Box<str>),
    /// C's `*p`, `p->`.
    Deref,
}

/// One subscript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subscript {
    /// An index; where the expression has rank 1, a vector subscript.
    Index(ExprId),
    /// `lower:upper:stride`. In the left-hand side of a pointer assignment, bounds.
    Section {
        /// First index; the lower bound where it is absent.
        lower: Option<ExprId>,
        /// Last index; the upper bound where it is absent.
        upper: Option<ExprId>,
        /// Stride; 1 where it is absent.
        stride: Option<ExprId>,
    },
}
