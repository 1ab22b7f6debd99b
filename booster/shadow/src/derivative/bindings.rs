//! What stands behind a type-bound call.

use xaif_schema::model::{Role, ScopeKind, SymbolId};

use super::units::Maker;
use booster_facts::inherited;

impl Maker<'_> {
    /// The derivative of a binding is that of the procedure that it names, where no extension of
    /// the type overrides it; else of a procedure that asks for the type.
    pub(super) fn bindings(&mut self) {
        let types: Vec<(SymbolId, Vec<SymbolId>)> = self
            .doc
            .scopes
            .values()
            .filter_map(|scope| match scope.kind {
                ScopeKind::DerivedType(owner) => Some((owner, scope.symbols.clone())),
                _ => None,
            })
            .collect();
        for (owner, symbols) in types {
            for binding in symbols {
                if !matches!(self.doc.role(binding), Some(Role::Binding { .. })) {
                    continue;
                }
                let derivative = match self.only_target(owner, binding) {
                    Some(target) => self.out.callee(target),
                    None => self.dispatch(owner, binding),
                };
                if let Some(derivative) = derivative {
                    self.out.callees.insert(binding, derivative);
                }
            }
        }
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
