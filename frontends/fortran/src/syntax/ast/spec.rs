//! Specification statements.

use super::{
    Attribute, Bind, Declaration, Designator, Dimension, Dummy, Entity, Expr, Head, ImpliedDo,
    Initial, Name, Place, Trivia, TypeSpec, UnitItem,
};

/// A specification statement, or what stands between two of them.
#[derive(Clone, Debug)]
pub enum SpecItem {
    /// A statement.
    Stmt(Box<SpecStmt>),
    /// A comment, blank line or directive.
    Trivia(Trivia),
}

/// A specification statement.
#[derive(Clone, Debug)]
pub struct SpecStmt {
    /// Place, label, comments.
    pub head: Head,
    /// What it says.
    pub kind: SpecKind,
}

/// The kinds of specification statements. DATA, FORMAT, ENTRY and NAMELIST may also stand among
/// the executable ones.
#[derive(Clone, Debug)]
pub enum SpecKind {
    /// `USE m, …`
    Use(Use),
    /// `IMPORT …`
    Import(Import),
    /// `IMPLICIT …`
    Implicit(Implicit),
    /// `REAL :: x`
    Declaration(Declaration),
    /// `PROCEDURE(…), … :: p`
    Procedure(ProcedureDecl),
    /// `PARAMETER (a = 1)`
    Parameter {
        /// Names and values.
        list: Vec<(Name, Expr)>,
        /// Whether the list stands in parentheses, as the standard wants it.
        parentheses: bool,
    },
    /// `DATA …`
    Data(Vec<DataSet>),
    /// `SAVE …`; no items means everything.
    Save(Vec<NameOrBlock>),
    /// `DIMENSION a(n)`
    Dimension(Vec<Entity>),
    /// `COMMON /c/ a, b(n)`
    Common(Vec<CommonBlock>),
    /// `EQUIVALENCE (a, b(1))`
    Equivalence(Vec<Vec<Designator>>),
    /// `EXTERNAL f`
    External(Vec<Name>),
    /// `INTRINSIC sin`
    Intrinsic(Vec<Name>),
    /// `NAMELIST /n/ a, b`
    Namelist(Vec<(Name, Vec<Name>)>),
    /// `ALLOCATABLE :: a(:)` and its like: an attribute given to names.
    Attribute(Attribute, Vec<Entity>),
    /// `BIND(C) :: a, /c/`
    Bind(Bind, Vec<NameOrBlock>),
    /// `PUBLIC` or `PRIVATE`, for names or (no names) as the default.
    Access(Access, Vec<GenericName>),
    /// `GENERIC, PUBLIC :: g => a, b` outside a type.
    Generic(GenericBinding),
    /// `TYPE t … END TYPE`
    TypeDef(TypeDef),
    /// `ENUM, BIND(C) … END ENUM`
    Enum(EnumDef),
    /// `INTERFACE … END INTERFACE`
    Interface(Interface),
    /// `ENTRY e(…)`
    Entry(Entry),
    /// `FORMAT(…)`: the text from the opening parenthesis on.
    Format(Box<str>),
    /// A statement that is carried as it stands: its text.
    Opaque(Box<str>),
}

/// PUBLIC or PRIVATE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// `PUBLIC`
    Public,
    /// `PRIVATE`
    Private,
}

/// `USE [, INTRINSIC ::] m [, ONLY:] …`
#[derive(Clone, Debug)]
pub struct Use {
    /// `INTRINSIC` (true) or `NON_INTRINSIC` (false), where said.
    pub intrinsic: Option<bool>,
    /// The module.
    pub module: Name,
    /// Whether ONLY is said: then nothing else comes in.
    pub only: bool,
    /// Names and renames.
    pub items: Vec<UseItem>,
}

/// One name of a USE statement.
#[derive(Clone, Debug)]
pub struct UseItem {
    /// What it is called here.
    pub local: GenericName,
    /// What the module calls it, where that differs.
    pub original: Option<GenericName>,
}

/// A name, an operator or an assignment, as generic interfaces are called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GenericName {
    /// A name.
    Name(Name),
    /// `OPERATOR(op)`: the operator, lower case, dots included.
    Operator(Place, Box<str>),
    /// `ASSIGNMENT(=)`
    Assignment(Place),
    /// `READ(FORMATTED)` and its like: the words, lower case.
    Io(Place, Box<str>),
}

/// `IMPORT …`
#[derive(Clone, Debug)]
pub enum Import {
    /// `IMPORT` or `IMPORT, ALL`
    All,
    /// `IMPORT, NONE`
    None,
    /// `IMPORT [, ONLY:] a, b`
    Names(Vec<Name>),
}

/// `IMPLICIT …`
#[derive(Clone, Debug)]
pub enum Implicit {
    /// `IMPLICIT NONE [(TYPE, EXTERNAL)]`
    None {
        /// The types of names must be declared.
        types: bool,
        /// External procedures must be declared.
        external: bool,
    },
    /// `IMPLICIT REAL (a-h, o-z)`: ranges of lower-case letters.
    Rules(Vec<(TypeSpec, Vec<(char, char)>)>),
}

/// `PROCEDURE([interface]) [, attributes ::] names`
#[derive(Clone, Debug)]
pub struct ProcedureDecl {
    /// What stands in the parentheses.
    pub interface: Option<ProcedureInterface>,
    /// Attributes.
    pub attributes: Vec<ComponentAttribute>,
    /// Names, with `=> target`.
    pub entities: Vec<(Name, Option<Expr>)>,
}

/// The interface of a declared procedure.
#[derive(Clone, Debug)]
pub enum ProcedureInterface {
    /// The name of an interface.
    Name(Name),
    /// The type of a function.
    Type(TypeSpec),
}

/// `objects / values /`
#[derive(Clone, Debug)]
pub struct DataSet {
    /// What gets values.
    pub objects: Vec<DataObject>,
    /// The values.
    pub values: Vec<DataValue>,
}

/// What a DATA statement gives a value to.
#[derive(Clone, Debug)]
pub enum DataObject {
    /// A variable or a part of one.
    Designator(Designator),
    /// `(a(i), i = 1, n)`
    ImpliedDo(Box<ImpliedDo<DataObject>>),
}

/// `repeat*value`
#[derive(Clone, Debug)]
pub struct DataValue {
    /// How often: an integer or a named constant.
    pub repeat: Option<Expr>,
    /// The value.
    pub value: Expr,
}

/// A name or a `/common block/`.
#[derive(Clone, Debug)]
pub enum NameOrBlock {
    /// A name.
    Name(Name),
    /// A common block.
    Block(Name),
}

/// `/name/ members`
#[derive(Clone, Debug)]
pub struct CommonBlock {
    /// Where it begins.
    pub place: Place,
    /// None for blank common.
    pub name: Option<Name>,
    /// Its members.
    pub members: Vec<Entity>,
}

/// `ENTRY e(…) RESULT(r) BIND(C)`
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name.
    pub name: Name,
    /// Dummy arguments; `None` where there are no parentheses.
    pub dummies: Option<Vec<Dummy>>,
    /// `RESULT(r)`
    pub result: Option<Name>,
    /// `BIND(C …)`
    pub bind: Option<Bind>,
}

/// A derived type.
#[derive(Clone, Debug)]
pub struct TypeDef {
    /// Its name.
    pub name: Name,
    /// `ABSTRACT`, `EXTENDS(t)` and the like.
    pub attributes: Vec<TypeAttribute>,
    /// The names of its parameters.
    pub parameters: Vec<Name>,
    /// Components, with comments between them.
    pub components: Vec<ComponentItem>,
    /// What follows CONTAINS.
    pub bindings: Option<Bindings>,
    /// The END TYPE statement.
    pub end: Head,
    /// The name behind END TYPE.
    pub end_name: Option<Name>,
}

/// What a TYPE statement says beside the name.
#[derive(Clone, Debug)]
pub enum TypeAttribute {
    /// `ABSTRACT`
    Abstract,
    /// `BIND(C)`
    Bind(Bind),
    /// `EXTENDS(t)`
    Extends(Name),
    /// `PUBLIC` or `PRIVATE`
    Access(Access),
}

/// A line of the component part.
#[derive(Clone, Debug)]
pub enum ComponentItem {
    /// A statement.
    Stmt(Head, ComponentStmt),
    /// A comment, blank line or directive.
    Trivia(Trivia),
}

/// A statement of the component part.
#[derive(Clone, Debug)]
pub enum ComponentStmt {
    /// Data components; also the kinds of type parameters.
    Data(Declaration),
    /// Procedure pointer components.
    Procedure(ProcedureDecl),
    /// `PRIVATE`
    Private,
    /// `SEQUENCE`
    Sequence,
}

/// The type-bound procedures.
#[derive(Clone, Debug)]
pub struct Bindings {
    /// Of the CONTAINS statement.
    pub head: Head,
    /// The bindings.
    pub items: Vec<BindingItem>,
}

/// A line of the type-bound procedure part.
#[derive(Clone, Debug)]
pub enum BindingItem {
    /// A statement.
    Stmt(Head, Binding),
    /// A comment, blank line or directive.
    Trivia(Trivia),
}

/// A statement of the type-bound procedure part.
#[derive(Clone, Debug)]
pub enum Binding {
    /// `PRIVATE`
    Private,
    /// `PROCEDURE [(interface)] [, attributes ::] name => target, …`
    Procedure {
        /// The interface of a deferred binding.
        interface: Option<Name>,
        /// Attributes.
        attributes: Vec<ComponentAttribute>,
        /// Names, with `=> procedure`.
        entities: Vec<(Name, Option<Name>)>,
    },
    /// `GENERIC :: g => a, b`
    Generic(GenericBinding),
    /// `FINAL :: f`
    Final(Vec<Name>),
}

/// `GENERIC [, access] :: g => a, b`
#[derive(Clone, Debug)]
pub struct GenericBinding {
    /// PUBLIC or PRIVATE, where said.
    pub access: Option<Access>,
    /// What is made generic.
    pub name: GenericName,
    /// The specific bindings.
    pub specifics: Vec<Name>,
}

/// Attributes of procedure declarations and type-bound procedures.
#[derive(Clone, Debug)]
pub enum ComponentAttribute {
    /// `PASS` or `PASS(a)`
    Pass(Option<Name>),
    /// `NOPASS`
    NoPass,
    /// `DEFERRED`
    Deferred,
    /// `NON_OVERRIDABLE`
    NonOverridable,
    /// Any attribute of declarations.
    Attribute(Attribute),
}

/// `ENUM, BIND(C)`
#[derive(Clone, Debug)]
pub struct EnumDef {
    /// ENUMERATOR statements, with comments between them.
    pub items: Vec<EnumItem>,
    /// The END ENUM statement.
    pub end: Head,
}

/// A line of an enumeration.
#[derive(Clone, Debug)]
pub enum EnumItem {
    /// `ENUMERATOR :: a = 1, b`
    Stmt(Head, Vec<(Name, Option<Expr>)>),
    /// A comment, blank line or directive.
    Trivia(Trivia),
}

/// An interface block.
#[derive(Clone, Debug)]
pub struct Interface {
    /// `ABSTRACT INTERFACE`
    pub is_abstract: bool,
    /// What is made generic.
    pub generic: Option<GenericName>,
    /// Interface bodies and procedure statements.
    pub items: Vec<InterfaceItem>,
    /// The END INTERFACE statement.
    pub end: Head,
    /// What it repeats.
    pub end_name: Option<GenericName>,
}

/// What an interface block consists of.
#[derive(Clone, Debug)]
pub enum InterfaceItem {
    /// An interface body ([`UnitItem::Unit`]), or what stands between.
    Unit(UnitItem),
    /// `[MODULE] PROCEDURE [::] a, b`
    Procedures {
        /// Place, label, comments.
        head: Head,
        /// Whether MODULE is said.
        module: bool,
        /// The procedures.
        names: Vec<Name>,
    },
}

impl Entity {
    /// A name and nothing else.
    pub fn bare(name: Name) -> Self {
        Entity { name, shape: None, length: None, initial: None::<Initial> }
    }

    /// A name with a shape.
    pub fn shaped(name: Name, shape: Vec<Dimension>) -> Self {
        Entity { name, shape: Some(shape), length: None, initial: None }
    }
}
