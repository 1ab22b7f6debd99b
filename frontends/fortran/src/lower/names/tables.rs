//! What is known of the names of a scope while it is lowered: hash tables beside the document.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use xaif_schema::model::{ProcId, ScopeId, SymbolId};

use crate::syntax::ast;

/// The names of one scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScopeNames<'a> {
    /// The parsed file that the scope stands in.
    pub(super) file: usize,
    /// The procedure whose scope it is.
    pub(super) proc: Option<ProcId>,
    /// Its own names by their lower-case keys. A generic name that is also the name of a procedure
    /// stands here, the procedure in `hidden`; beside a derived type it is the other way round.
    pub(super) own: HashMap<Box<str>, SymbolId>,
    /// Second meanings of names in `own`.
    pub(super) hidden: HashMap<Box<str>, SymbolId>,
    /// Its dummy arguments, those of ENTRY points included.
    pub(super) dummies: HashSet<SymbolId>,
    /// Of a module: a module without source that it uses without ONLY.
    pub(super) missing_behind: Option<SymbolId>,
    /// Modules that it uses, in order.
    pub(super) uses: Vec<UseLink>,
    /// Names that were looked for in the used modules.
    pub(super) found: HashMap<Box<str>, Option<SymbolId>>,
    /// The implicit typing rules; none for scopes that have those of the scope around them.
    pub(super) implicit: Option<Rc<ImplicitRules<'a>>>,
    /// What it sees of the scope around it.
    pub(super) host: Host,
    /// Of a module: whether names are private unless declared public.
    pub(super) private: bool,
    /// Of a module: names that are public (false) or private (true) by name.
    pub(super) access: HashMap<Box<str>, bool>,
    /// Of `module procedure p`: the scope of its interface, whose names it has.
    pub(super) interface: Option<ScopeId>,
    /// Of an intrinsic module: its name in the table.
    pub(super) intrinsic: Option<&'static str>,
    /// How many members each COMMON block has so far.
    pub(super) common: HashMap<SymbolId, u32>,
    /// Symbols that an item declares.
    pub(super) declared: HashSet<SymbolId>,
    /// Of a procedure with contained procedures: the names that its body uses as variables.
    pub(super) mentioned: HashSet<&'a str>,
    /// Of a procedure: names that its body passes as arguments and calls as functions.
    pub(super) functions: HashSet<&'a str>,
    /// Of a procedure: names that its body calls as subroutines.
    pub(super) subroutines: HashSet<&'a str>,
    /// Names that were reported, so that each is reported once.
    pub(super) reported: HashSet<Box<str>>,
}

/// What a scope sees of the scope around it.
#[derive(Clone, Debug, Default)]
pub(super) enum Host {
    /// Everything.
    #[default]
    All,
    /// Nothing: an interface body without IMPORT.
    None,
    /// The names of IMPORT statements.
    Names(HashSet<Box<str>>),
}

impl Host {
    /// Whether `key` may be looked for around the scope.
    pub(super) fn sees(&self, key: &str) -> bool {
        match self {
            Host::All => true,
            Host::None => false,
            Host::Names(names) => names.contains(key),
        }
    }
}

/// One USE statement.
#[derive(Clone, Debug)]
pub(super) struct UseLink {
    /// The module.
    pub(super) module: SymbolId,
    /// Its scope; `None` where its source was not given.
    pub(super) scope: Option<ScopeId>,
    /// Whether ONLY is said.
    pub(super) only: bool,
    /// Local key to key in the module: what ONLY lists, or renames.
    pub(super) names: HashMap<Box<str>, Box<str>>,
    /// Keys in the module that are known here by other names only.
    pub(super) renamed: HashSet<Box<str>>,
}

impl UseLink {
    /// What the module calls the name that is `key` here; `None` if it does not come from there.
    pub(super) fn original<'k>(&'k self, key: &'k str) -> Option<&'k str> {
        match self.names.get(key) {
            Some(original) => Some(original),
            None if self.only || self.renamed.contains(key) => None,
            None => Some(key),
        }
    }
}

/// The type that an undeclared name has by its first letter.
#[derive(Clone, Debug, Default)]
pub(super) struct ImplicitRules<'a> {
    /// IMPLICIT NONE: no type at all.
    pub(super) none: bool,
    /// For each letter the type of an IMPLICIT statement, and the scope that it was written in.
    pub(super) letters: [Option<&'a ast::TypeSpec>; 26],
}

/// What the source says about a symbol, before it is looked at.
#[derive(Clone, Debug)]
pub(crate) enum Pending<'a> {
    /// A declared name.
    Facts(super::facts::Facts<'a>),
    /// A procedure whose specification part was not lowered yet.
    Unit(&'a ast::Unit, ProcId),
}
