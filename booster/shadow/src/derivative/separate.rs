//! Separate module procedures: `module procedure p` in a submodule has its dummy arguments from the
//! interface in the module. The derivative is an ordinary procedure of the derivative module, with
//! declarations of its own.

use xaif_schema::model::{ProcId, ProcKind, ScopeId, ScopeKind, SpecItem, Symbol, SymbolId};

use super::units::Maker;
use booster_build::{Copied, copy_decl, copy_item};

impl Maker<'_> {
    /// The scope of the interface body that declares the arguments of a separate procedure.
    pub(super) fn interface_scope(&self, proc: ProcId) -> Option<ScopeId> {
        let data = &self.doc.procs[proc];
        if data.kind != ProcKind::ModuleProcedure {
            return None;
        }
        let mut named = data.args.iter().filter_map(|arg| arg.symbol).chain(data.result);
        let scope = self.doc.symbols[named.next()?].scope;
        (scope != data.scope).then_some(scope)
    }

    /// Copies the declarations of the interface for the copy of `proc`; they belong to no scope yet.
    pub(super) fn adopt_interface(&mut self, proc: ProcId, copied: &mut Copied) -> Vec<SymbolId> {
        let Some(scope) = self.interface_scope(proc) else { return Vec::new() };
        let mut adopted = Vec::new();
        for symbol in self.doc.scopes[scope].symbols.clone() {
            let copy = self.doc.symbols[symbol].clone();
            let copy = self.doc.symbols.push(copy);
            copied.copier.symbols.insert(symbol, copy);
            adopted.push(copy);
        }
        adopted
    }

    /// Gives the new scope of a separate procedure what was adopted.
    pub(super) fn settle_interface(
        &mut self,
        proc: ProcId,
        new: ScopeId,
        adopted: &[SymbolId],
        copied: &Copied,
    ) {
        let Some(scope) = self.interface_scope(proc) else { return };
        for &symbol in adopted {
            let data: &mut Symbol = &mut self.doc.symbols[symbol];
            data.scope = new;
            if let Some(mut decl) = data.decl.take() {
                copy_decl(self.doc, &mut decl, copied);
                self.doc.symbols[symbol].decl = Some(decl);
            }
        }
        let mut items = Vec::new();
        for mut item in self.doc.scopes[scope].items.clone() {
            if !matches!(item, SpecItem::Import { .. } | SpecItem::Comment(_)) {
                copy_item(self.doc, &mut item, &copied.copier);
                items.push(item);
            }
        }
        let data = &mut self.doc.scopes[new];
        let behind_uses = data
            .items
            .iter()
            .rposition(|item| {
                matches!(item, SpecItem::Use(_) | SpecItem::ImplicitNone(_) | SpecItem::Implicit(_))
            })
            .map_or(0, |at| at + 1);
        data.items.splice(behind_uses..behind_uses, items);
        data.symbols.splice(0..0, adopted.iter().copied());
    }

    /// The name of a separate procedure in its module, by which it is called.
    pub(super) fn name_in_module(&self, symbol: SymbolId) -> Option<SymbolId> {
        let data = &self.doc.symbols[symbol];
        let ScopeKind::Submodule { .. } = self.doc.scopes[data.scope].kind else { return None };
        let module = self.plan.module_of(self.doc, data.scope)?;
        self.doc.symbol_in(module, &data.id)
    }
}
