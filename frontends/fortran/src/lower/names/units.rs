//! Program units: their scopes and symbols, and the order in which they are lowered.

use xaif_schema::model::{ProcId, Role, ScopeId, SymbolId};

use crate::lower::Lowering;
use crate::syntax::ast;

impl<'a> Lowering<'a> {
    /// The procedure that the program unit `key` defines, where its source was given.
    pub(crate) fn given_external(&self, key: &str) -> Option<ProcId> {
        let symbol = self.names[self.global].own.get(key)?;
        match self.doc.role(*symbol) {
            Some(Role::Procedure(info)) => info.proc,
            _ => None,
        }
    }

    /// The global symbol of `name`, where there is one.
    pub(super) fn external_named(&self, name: &ast::Name) -> Option<SymbolId> {
        self.names[self.global].own.get(name.key()).copied()
    }

    /// Lowers the specification part of a unit.
    pub(super) fn specification(&mut self, _unit: &'a ast::Unit, _scope: ScopeId) {}
}
