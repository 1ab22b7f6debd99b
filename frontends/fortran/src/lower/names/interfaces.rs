//! Interface blocks: interface bodies and generic names.

use xaif_schema::model::{InterfaceItem, ScopeId, ScopeKind, SpecItem, SymbolId};

use super::collect::{Plan, Strength};
use crate::lower::Lowering;
use crate::syntax::ast;

impl<'a> Lowering<'a> {
    /// Makes the symbols of an interface block.
    pub(super) fn collect_interface(
        &mut self,
        scope: ScopeId,
        plan: &mut Plan<'a>,
        slot: usize,
        interface: &'a ast::Interface,
    ) {
        for item in &interface.items {
            let ast::InterfaceItem::Unit(ast::UnitItem::Unit(unit)) = item else { continue };
            let body = self.enter_interface_body(scope, unit, interface.is_abstract);
            if let Some(body) = body {
                plan.bodies.insert(unit.head.place, body);
                if let ScopeKind::Procedure(symbol) = self.doc.scopes[body].kind {
                    plan.put(symbol, slot, Strength::Type);
                }
            }
        }
        if let Some(name) = &interface.generic {
            let generic = self.generic(scope, name);
            plan.put(generic, slot, Strength::Type);
        }
    }

    /// Lowers an interface block.
    pub(super) fn interface_block(
        &mut self,
        scope: ScopeId,
        plan: &Plan<'a>,
        head: &ast::Head,
        interface: &'a ast::Interface,
    ) -> SpecItem {
        let mut items = self.interface_comments(head);
        let mut specifics: Vec<SymbolId> = Vec::new();
        for item in &interface.items {
            match item {
                ast::InterfaceItem::Unit(ast::UnitItem::Trivia(trivia)) => {
                    items.push(InterfaceItem::Comment(self.trivia(trivia)));
                }
                ast::InterfaceItem::Unit(ast::UnitItem::Unit(unit)) => {
                    let Some(&body) = plan.bodies.get(&unit.head.place) else { continue };
                    if let ScopeKind::Procedure(symbol) = self.doc.scopes[body].kind {
                        self.settle(symbol);
                        specifics.push(symbol);
                    }
                    items.push(InterfaceItem::Body(body));
                    items.extend(self.interface_comments(&unit.end.head));
                }
                ast::InterfaceItem::Procedures { head, module, names } => {
                    let symbols: Vec<SymbolId> =
                        names.iter().map(|name| self.procedure_named(scope, name)).collect();
                    specifics.extend(&symbols);
                    items.push(InterfaceItem::Procedures { module: *module, symbols });
                    items.extend(self.interface_comments(head));
                }
            }
        }
        let generic = interface.generic.as_ref().map(|name| self.generic(scope, name));
        if let Some(generic) = generic {
            self.add_specifics(generic, specifics);
        }
        SpecItem::Interface { generic, is_abstract: interface.is_abstract, items }
    }

    fn interface_comments(&self, head: &ast::Head) -> Vec<InterfaceItem> {
        head.comments.iter().map(|comment| InterfaceItem::Comment(self.trailing(comment))).collect()
    }
}
