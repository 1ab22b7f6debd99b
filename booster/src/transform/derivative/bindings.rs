//! What stands behind a type-bound call.

use xaif_schema::model::{Role, ScopeKind, SymbolId};

use super::classes::inherited;
use super::units::Maker;

impl Maker<'_> {
    /// The derivative of a binding is that of the procedure that it names, where no extension of
    /// the type overrides it. For others there is none: which procedure is called is known when the
    /// program runs only.
    pub(super) fn bindings(&mut self) {
        let mut found = Vec::new();
        for scope in self.doc.scopes.values() {
            let ScopeKind::DerivedType(owner) = scope.kind else { continue };
            for &binding in &scope.symbols {
                if let Some(target) = self.only_target(owner, binding)
                    && let Some(derivative) = self.out.callee(target)
                {
                    found.push((binding, derivative));
                }
            }
        }
        self.out.callees.extend(found);
    }

    /// The one procedure that a call of `binding` by an object of `class(owner)` can mean.
    fn only_target(&self, owner: SymbolId, binding: SymbolId) -> Option<SymbolId> {
        let Some(Role::Binding { target, .. }) = self.doc.role(binding) else { return None };
        let target = (*target)?;
        let id = &self.doc.symbols[binding].id;
        let same = |one: SymbolId| match inherited(self.doc, one, id).map(|b| self.doc.role(b)) {
            Some(Some(Role::Binding { target: other, .. })) => *other == Some(target),
            _ => false,
        };
        self.plan.types.with_extensions(owner).into_iter().all(same).then_some(target)
    }
}
