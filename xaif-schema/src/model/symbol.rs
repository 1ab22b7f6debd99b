//! Symbols: what a name of a scope stands for, and its declaration.

use std::collections::BTreeSet;

use super::{CharLen, ExprId, Place, ProcId, ScopeId, SymbolId, TypeSpec};

/// A symbol. The fields up to `bounds` are what XAIF 1.0 says; `decl` is the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Symbol {
    /// XAIF's `symbol_id`: unique in its scope. Our Fortran front-end takes the lower-case name.
    pub id: String,
    /// The scope that it belongs to.
    pub scope: ScopeId,
    /// XAIF's kind.
    pub kind: SymbolKind,
    /// XAIF's class of its type.
    pub class: TypeClass,
    /// The front-end's name of the machine type (`F8`).
    pub fe_type: Option<String>,
    /// Number of dimensions; `None` is XAIF's shape `void`.
    pub rank: Option<u8>,
    /// XAIF's fixed bounds, in XAIF's order (last dimension of Fortran first).
    pub bounds: Vec<(i64, i64)>,
    /// Whether it has a derivative; `None` where nobody has told (XAIF 1.0 then takes it as active).
    pub active: Option<bool>,
    /// Whether a transformation made it.
    pub temp: Option<bool>,
    /// XAIF's pointer flag.
    pub pointer: Option<bool>,
    /// The declaration; `None` in XAIF 1.0 documents.
    pub decl: Option<Box<Decl>>,
}

impl Symbol {
    /// Whether its declaration gives it an attribute.
    pub fn has(&self, attr: Attr) -> bool {
        self.decl.as_ref().is_some_and(|decl| decl.has(attr))
    }
}

/// XAIF's kinds of symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// A procedure (and, in our dialect, whatever is no variable).
    Subroutine,
    /// A variable or constant.
    Variable,
    /// A pointer.
    Pointer,
}

/// XAIF's classes of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TypeClass {
    /// No value.
    Void,
    /// Integer.
    Integer,
    /// Real.
    Real,
    /// Complex.
    Complex,
    /// Logical.
    Bool,
    /// One character.
    Char,
    /// Character string.
    String,
    /// Structured or unknown.
    Opaque,
}

/// A declaration as the language has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decl {
    /// The name as the source spells it where it is declared.
    pub name: String,
    /// What it is.
    pub role: Role,
    /// The declared (or implicit) type; a function's is its result's.
    pub spec: TypeSpec,
    /// Array dimensions; empty for scalars.
    pub dims: Vec<Dim>,
    /// Attributes, those of separate statements (`save x`) included.
    pub attrs: BTreeSet<Attr>,
    /// INTENT.
    pub intent: Option<super::Intent>,
    /// Initial value, value of a constant, default of a component, target of `=>`.
    pub init: Option<Init>,
    /// Length of this entity alone, `character s*(n)`.
    pub char_len: Option<CharLen>,
    /// Membership in a COMMON block: the block's symbol and the position in it, from 0.
    pub common: Option<(SymbolId, u32)>,
    /// `bind(c, name="…")`: the name's expression.
    pub bind_name: Option<ExprId>,
    /// Whether the type comes from the implicit rules.
    pub implicit: bool,
    /// The value of an integer or logical constant, as far as it could be folded.
    pub value: Option<i64>,
    /// Where it is declared (for an implicit one: where it is used first).
    pub place: Place,
}

impl Decl {
    /// Whether it has an attribute.
    pub fn has(&self, attr: Attr) -> bool {
        self.attrs.contains(&attr)
    }
}

/// What a symbol is.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// A variable: local, dummy argument, component, module variable, function result.
    Variable,
    /// A named constant or an enumerator.
    Constant,
    /// A procedure.
    Procedure(ProcedureInfo),
    /// A generic name, operator or assignment.
    Generic {
        /// Which of them.
        spec: GenericSpec,
        /// The specific procedures that are visible in this scope.
        specifics: Vec<SymbolId>,
    },
    /// A derived type.
    DerivedType {
        /// The scope of its components and bindings.
        scope: ScopeId,
        /// The type that it extends.
        extends: Option<SymbolId>,
        /// Its type parameters, in order.
        params: Vec<SymbolId>,
    },
    /// A type parameter of a derived type.
    TypeParam {
        /// Whether it is a LEN parameter, else KIND.
        len: bool,
    },
    /// A type-bound procedure (in the scope of its type).
    Binding {
        /// The procedure that it names; `None` if deferred.
        target: Option<SymbolId>,
        /// The abstract interface of a deferred one.
        interface: Option<SymbolId>,
        /// `pass(name)`.
        pass: Option<String>,
    },
    /// A FINAL procedure of a type.
    Final {
        /// The procedure.
        target: SymbolId,
    },
    /// A module or submodule, or an intrinsic module.
    Module {
        /// Its scope; `None` if its source was not given.
        scope: Option<ScopeId>,
    },
    /// A block data unit.
    BlockData,
    /// A COMMON block; its id is `/name/`, for blank common `//`.
    CommonBlock,
    /// A NAMELIST group.
    Namelist,
    /// A statement function.
    StatementFunction,
    /// A name that USE brings in from a module whose source was not given, or that is otherwise
    /// unresolved. What it is, nobody knows.
    Unresolved {
        /// The module, as far as it is known.
        module: Option<SymbolId>,
    },
    /// An associate name of ASSOCIATE, SELECT TYPE or SELECT RANK.
    Associate {
        /// The selector; in SELECT TYPE, the branch's condition.
        selector: Option<ExprId>,
    },
}

/// What is known of a procedure.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcedureInfo {
    /// Subroutine, function, or not known (`external f`).
    pub sort: ProcSort,
    /// Where it is defined.
    pub class: ProcClass,
    /// Its body or interface body.
    pub proc: Option<ProcId>,
    /// `procedure(interface)`: the interface that it is declared by.
    pub interface: Option<SymbolId>,
    /// `pass(name)` of a procedure component.
    pub pass: Option<String>,
}

/// Whether a procedure has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProcSort {
    /// A main program.
    Program,
    /// No value.
    Subroutine,
    /// A value.
    Function,
    /// Nobody has told.
    Unknown,
}

/// Where a procedure is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProcClass {
    /// A program unit of its own, given or not.
    External,
    /// In a module.
    Module,
    /// After CONTAINS of a procedure.
    Internal,
    /// A dummy argument.
    Dummy,
    /// A procedure pointer.
    Pointer,
    /// An intrinsic procedure (declared INTRINSIC or passed as an argument).
    Intrinsic,
    /// An abstract interface.
    Abstract,
    /// An ENTRY of another procedure.
    Entry,
}

/// What a generic interface defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GenericSpec {
    /// A name.
    Name,
    /// `operator(+)`, `operator(.x.)`: the operator.
    Operator(String),
    /// `assignment(=)`.
    Assignment,
    /// `read(formatted)` and the like: the text.
    Io(String),
}

/// The bounds of one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dim {
    /// `lower:upper`.
    Explicit {
        /// 1 where it is absent.
        lower: Option<ExprId>,
        /// Last index.
        upper: ExprId,
    },
    /// `lower:` of a dummy argument.
    AssumedShape {
        /// 1 where it is absent.
        lower: Option<ExprId>,
    },
    /// `:` of an allocatable or pointer.
    Deferred,
    /// `lower:*`, always the last (for a constant: taken from its value).
    AssumedSize {
        /// 1 where it is absent.
        lower: Option<ExprId>,
    },
    /// `..`
    AssumedRank,
}

/// An initial value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Init {
    /// `= expr`
    Value(ExprId),
    /// `=> expr`
    Target(ExprId),
}

/// The attributes with their keywords: an attribute cannot be added without one.
macro_rules! attributes {
    ($(#[$about:meta])* enum { $($(#[$doc:meta])* $name:ident = $word:literal,)* }) => {
        $(#[$about])*
        pub enum Attr {
            $($(#[$doc])* $name,)*
        }

        impl Attr {
            /// All attributes.
            pub const ALL: &'static [Attr] = &[$(Attr::$name),*];

            /// The keyword of the source language; two for what a statement of its own says.
            pub const fn keyword(self) -> &'static str {
                match self {
                    $(Attr::$name => $word,)*
                }
            }
        }
    };
}

attributes! {
    /// Attributes. Their order is the order in which declarations are written.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    enum {
        /// PARAMETER.
        Parameter = "parameter",
        /// ALLOCATABLE.
        Allocatable = "allocatable",
        /// POINTER.
        Pointer = "pointer",
        /// TARGET.
        Target = "target",
        /// CONTIGUOUS.
        Contiguous = "contiguous",
        /// OPTIONAL.
        Optional = "optional",
        /// VALUE.
        Value = "value",
        /// SAVE, by attribute or statement naming it.
        Save = "save",
        /// VOLATILE.
        Volatile = "volatile",
        /// ASYNCHRONOUS.
        Asynchronous = "asynchronous",
        /// PROTECTED.
        Protected = "protected",
        /// PUBLIC, written for this name.
        Public = "public",
        /// PRIVATE, written for this name.
        Private = "private",
        /// EXTERNAL.
        External = "external",
        /// INTRINSIC.
        Intrinsic = "intrinsic",
        /// `bind(c)`.
        BindC = "bind(c)",
        /// PURE.
        Pure = "pure",
        /// IMPURE.
        Impure = "impure",
        /// ELEMENTAL.
        Elemental = "elemental",
        /// RECURSIVE.
        Recursive = "recursive",
        /// NON_RECURSIVE.
        NonRecursive = "non_recursive",
        /// The prefix MODULE of a separate module procedure.
        Module = "module",
        /// ABSTRACT type.
        Abstract = "abstract",
        /// SEQUENCE type.
        Sequence = "sequence",
        /// The components of the type are PRIVATE.
        PrivateComponents = "private components",
        /// The bindings of the type are PRIVATE.
        PrivateBindings = "private bindings",
        /// DEFERRED binding.
        Deferred = "deferred",
        /// NON_OVERRIDABLE binding.
        NonOverridable = "non_overridable",
        /// NOPASS.
        NoPass = "nopass",
        /// PASS.
        Pass = "pass",
        /// An enumerator of an ENUM.
        Enumerator = "enumerator",
        /// C: `const`.
        Const = "const",
        /// C: `restrict`.
        Restrict = "restrict",
        /// C: `static`.
        Static = "static",
        /// C: `extern`.
        Extern = "extern",
        /// C: `inline`.
        Inline = "inline",
        /// C: `register`.
        Register = "register",
    }
}
