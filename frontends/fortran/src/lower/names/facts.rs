//! What declarations say about one name, gathered from all statements before any is looked at.

use xaif_schema::model::ScopeId;

use crate::syntax::ast;

/// The parts of a declaration, as they stand in the syntax tree.
#[derive(Clone, Debug)]
pub(crate) struct Facts<'a> {
    /// The scope of the name.
    pub(super) scope: ScopeId,
    /// Its type.
    pub(super) spec: Option<&'a ast::TypeSpec>,
    /// Its dimensions.
    pub(super) dims: Option<&'a [ast::Dimension]>,
    /// Its own character length.
    pub(super) length: Option<&'a ast::Length>,
    /// Its initial value.
    pub(super) init: Option<InitialFact<'a>>,
    /// The interface of a declared procedure.
    pub(super) interface: Option<&'a ast::Name>,
    /// `bind(c, name=…)`.
    pub(super) bind: Option<&'a ast::Expr>,
}

/// An initial value.
#[derive(Clone, Copy, Debug)]
pub(super) enum InitialFact<'a> {
    /// `= e`, also in PARAMETER.
    Value(&'a ast::Expr),
    /// `=> e`
    Target(&'a ast::Expr),
}

impl<'a> Facts<'a> {
    /// Nothing said yet.
    pub(super) fn new(scope: ScopeId) -> Self {
        Facts {
            scope,
            spec: None,
            dims: None,
            length: None,
            init: None,
            interface: None,
            bind: None,
        }
    }
}
