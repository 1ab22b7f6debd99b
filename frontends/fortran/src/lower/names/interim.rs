//! To be deleted when `lower/body` lands.

use xaif_schema::model::*;

use crate::lower::Lowering;
use crate::syntax::ast;

impl Lowering<'_> {
    pub(crate) fn block_spec(&mut self, _scope: ScopeId, _place: ast::Place) {}

    pub(crate) fn late_spec(&mut self, _: ScopeId, _: &ast::Head, _: &ast::SpecKind) {}
}
