//! Scopes and the order of their specification part.
//!
//! Facts about a name stand in its [`Symbol`](super::Symbol); the order in which a person wrote
//! the declarations, with comments between them, stands in [`Scope::items`]. A back-end prints the
//! items in order and takes what it prints from the symbols. A symbol of a scope that no item
//! mentions (an implicitly typed variable, a variable made by a stage) is declared after them.

use super::{Comment, ExprId, Place, RefId, ScopeId, SymbolId};

/// A scope.
#[derive(Clone, Debug, PartialEq)]
pub struct Scope {
    /// XAIF's `vertex_id`; the writer numbers those that are `None`.
    pub id: Option<Box<str>>,
    /// The scope around it; `None` for the global scope.
    pub parent: Option<ScopeId>,
    /// What kind of scope it is.
    pub kind: ScopeKind,
    /// Its symbols, in the order of the document.
    pub symbols: Vec<SymbolId>,
    /// The specification part (of the global scope: the program units of the files, in order, with
    /// the comments between them).
    pub items: Vec<SpecItem>,
    /// The procedures after CONTAINS in order, with comments between them. Empty where there is
    /// no CONTAINS.
    pub contains: Vec<SpecItem>,
    /// Whether the user's own source has this program unit: a stage has added others beside it. It
    /// stays so that names can be resolved and the document can be executed; a back-end prints it
    /// only when it is asked to.
    pub provided: bool,
    /// Where it begins.
    pub place: Place,
    /// Where it ends.
    pub end: Place,
}

impl Scope {
    /// The index of the item before which a further USE can stand: behind all others, and behind the
    /// comments that open the program unit.
    pub fn behind_uses(&self) -> usize {
        let last = self.items.iter().rposition(|item| matches!(item, SpecItem::Use(_)));
        let comments = || self.items.iter().take_while(|item| matches!(item, SpecItem::Comment(_)));
        last.map_or_else(|| comments().count(), |last| last + 1)
    }

    /// Adds `name` to what the scope has of a module by USE with ONLY.
    pub fn bring_in(&mut self, module: SymbolId, name: UseName, place: Place) {
        let listed = self.items.iter_mut().find_map(|item| match item {
            SpecItem::Use(used) if used.module == module && used.only => Some(used),
            _ => None,
        });
        if let Some(used) = listed {
            used.names.push(name);
            return;
        }
        let used = Use { module, nature: None, only: true, names: vec![name], place };
        self.items.insert(self.behind_uses(), SpecItem::Use(used));
    }
}

/// The kinds of scopes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScopeKind {
    /// As XAIF 1.0 has it: nothing more is known.
    #[default]
    Plain,
    /// The global scope: names of program units and COMMON blocks.
    Global,
    /// A module.
    Module(SymbolId),
    /// A submodule of `parent` (a module or a submodule).
    Submodule {
        /// Its own name.
        symbol: SymbolId,
        /// The module (or submodule) that it belongs to; its scope is the parent where it is known.
        parent: SymbolId,
    },
    /// A procedure, main program or interface body: the procedure names it as its scope.
    Procedure(SymbolId),
    /// A block data unit; unnamed ones have a symbol whose name is empty.
    BlockData(SymbolId),
    /// A derived type: its components and bindings.
    DerivedType(SymbolId),
    /// A BLOCK construct.
    Block,
    /// ASSOCIATE, an arm of SELECT TYPE or SELECT RANK.
    Associate,
    /// The index variables of a FORALL, DO CONCURRENT or implied DO.
    Indices,
    /// The dummy arguments of a statement function.
    StatementFunction(SymbolId),
}

/// One line (or block) of a specification part.
#[derive(Clone, Debug, PartialEq)]
pub enum SpecItem {
    /// A comment, directive or blank line.
    Comment(Comment),
    /// A program unit, module procedure or internal procedure, by its scope.
    Unit(ScopeId),
    /// USE.
    Use(Use),
    /// IMPORT: `None` is all; names as written.
    Import {
        /// What is imported.
        names: Vec<String>,
        /// `import, none` / `import, only:` / `import, all`: the word after the comma.
        mode: Option<String>,
    },
    /// IMPLICIT NONE, with the text in parentheses where there is one (`type, external`).
    ImplicitNone(Option<String>),
    /// IMPLICIT with rules.
    Implicit(Vec<ImplicitRule>),
    /// One type declaration statement (or PARAMETER, EXTERNAL, INTRINSIC of untyped names): the
    /// symbols that it declares together.
    Declare(Vec<SymbolId>),
    /// A PUBLIC or PRIVATE statement; no symbols is the default of the module.
    Access {
        /// Whether it is PRIVATE.
        private: bool,
        /// The names.
        symbols: Vec<SymbolId>,
    },
    /// SAVE without names.
    SaveAll,
    /// `save /block/`.
    SaveCommon(Vec<SymbolId>),
    /// COMMON.
    Common {
        /// The block's symbol.
        block: SymbolId,
        /// Its members in order.
        members: Vec<SymbolId>,
    },
    /// EQUIVALENCE: sets of references that share storage.
    Equivalence(Vec<Vec<RefId>>),
    /// DATA: objects (references and implied DOs) and values.
    Data(Vec<DataSet>),
    /// NAMELIST.
    Namelist {
        /// The group.
        group: SymbolId,
        /// Its members.
        members: Vec<SymbolId>,
    },
    /// INTERFACE.
    Interface {
        /// The generic name, operator or assignment.
        generic: Option<SymbolId>,
        /// Whether it is an abstract interface.
        is_abstract: bool,
        /// The interface bodies, by their scopes, in order, with comments; PROCEDURE statements.
        items: Vec<InterfaceItem>,
    },
    /// A derived type definition.
    DerivedType(SymbolId),
    /// `enum, bind(c)`.
    Enum(Vec<SymbolId>),
    /// A statement function.
    StatementFunction {
        /// The function.
        symbol: SymbolId,
        /// The scope of its dummy arguments.
        scope: ScopeId,
        /// The dummy arguments.
        args: Vec<SymbolId>,
        /// The value.
        body: ExprId,
    },
    /// `generic :: name => a, b` of a derived type or scope.
    Generic(SymbolId),
    /// CONTAINS inside a derived type: what follows are its bindings.
    TypeContains,
    /// A FORMAT, or a statement that is carried without being understood, word for word.
    Opaque {
        /// The statement's label.
        label: Option<u32>,
        /// Its text.
        text: String,
        /// Where it stands.
        place: Place,
    },
}

/// USE.
#[derive(Clone, Debug, PartialEq)]
pub struct Use {
    /// The module's symbol.
    pub module: SymbolId,
    /// `intrinsic` or `non_intrinsic`, where written.
    pub nature: Option<String>,
    /// Whether ONLY is written; then nothing but `names` is brought in.
    pub only: bool,
    /// The names after ONLY, or the renames.
    pub names: Vec<UseName>,
    /// Where it stands.
    pub place: Place,
}

/// One name of a USE.
#[derive(Clone, Debug, PartialEq)]
pub struct UseName {
    /// The name here, as written (`local => remote`), or an operator as `operator(.x.)`.
    pub local: String,
    /// The name in the module, as written; the same as `local` where it is not renamed.
    pub remote: String,
    /// The symbol in the module, as far as it is known; for a module that was not given, a symbol
    /// of this scope with `Role::Unresolved`.
    pub symbol: Option<SymbolId>,
}

/// One rule of an IMPLICIT statement.
#[derive(Clone, Debug, PartialEq)]
pub struct ImplicitRule {
    /// The type.
    pub spec: super::TypeSpec,
    /// Ranges of letters, lower case.
    pub letters: Vec<(char, char)>,
}

/// One group of a DATA statement.
#[derive(Clone, Debug, PartialEq)]
pub struct DataSet {
    /// References and implied DOs.
    pub objects: Vec<ExprId>,
    /// Repeat count (a constant expression) and value.
    pub values: Vec<(Option<ExprId>, ExprId)>,
}

/// One item of an interface block.
#[derive(Clone, Debug, PartialEq)]
pub enum InterfaceItem {
    /// An interface body, by its scope.
    Body(ScopeId),
    /// `procedure :: a, b` or `module procedure a, b`.
    Procedures {
        /// Whether MODULE is written.
        module: bool,
        /// The procedures.
        symbols: Vec<SymbolId>,
    },
    /// A comment.
    Comment(Comment),
}
