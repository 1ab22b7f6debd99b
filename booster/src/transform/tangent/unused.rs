//! Declarations of derivative variables that no statement names are taken away.

use std::collections::HashSet;

use xaif_schema::model::{Body, Document, Role, ScopeId, SpecItem, SymbolId, VertexKind};

use super::body::Tangent;
use crate::build::ScopeTree;

impl Tangent<'_> {
    /// Takes away the variables that were made for the derivative and that nothing names.
    pub(super) fn drop_unused(&self, doc: &mut Document) {
        // The declaration of one may name another.
        while self.drop_once(doc) {}
    }

    fn drop_once(&self, doc: &mut Document) -> bool {
        let named = self.named(doc);
        let dummies = self.dummies(doc);
        let tree = ScopeTree::new(doc);
        let own = self.scope(doc);
        let scopes: Vec<ScopeId> = tree
            .inside(own)
            .into_iter()
            .filter(|&scope| scope == own || tree.procedure(scope).is_none())
            .collect();
        let mut dropped = HashSet::new();
        for &scope in &scopes {
            for &symbol in &doc.scopes[scope].symbols {
                let data = &doc.symbols[symbol];
                let Some(decl) = data.decl.as_deref() else { continue };
                let variable = matches!(decl.role, Role::Variable | Role::Associate { .. });
                if data.temp == Some(true)
                    && variable
                    && decl.common.is_none()
                    && !named.contains(&symbol)
                    && !dummies.contains(&symbol)
                    && self.counted() != Some(symbol)
                {
                    dropped.insert(symbol);
                }
            }
        }
        for &scope in &scopes {
            let data = &mut doc.scopes[scope];
            data.symbols.retain(|symbol| !dropped.contains(symbol));
            for item in &mut data.items {
                if let SpecItem::Declare(symbols) = item {
                    symbols.retain(|symbol| !dropped.contains(symbol));
                }
            }
            data.items
                .retain(|item| !matches!(item, SpecItem::Declare(symbols) if symbols.is_empty()));
        }
        !dropped.is_empty()
    }

    /// The dummy arguments of the procedure and of its entries.
    fn dummies(&self, doc: &Document) -> HashSet<SymbolId> {
        let proc = &doc.procs[self.proc];
        let mut found: HashSet<SymbolId> = proc.args.iter().filter_map(|arg| arg.symbol).collect();
        if let Body::Flow(cfg) = &proc.body {
            for vertex in cfg.vertices.values() {
                if let VertexKind::Entry(Some(entry)) = &vertex.kind {
                    found.extend(entry.args.iter().filter_map(|arg| arg.symbol));
                }
            }
        }
        found
    }
}
