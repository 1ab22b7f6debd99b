//! Calls of the runtime's tape become operations of the tape, so that a generated adjoint can be read again.
//!
//! The module `oxad_tape` is known, and its source may be given or not. What a program calls of it beside the operations
//! (`tape_bytes`, `tape_free`) stays a call of the module. The symbols of the operations stay in their scopes; no statement names them.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{
    Callee, Document, InlinableCall, Role, SpecItem, StmtId, StmtKind, SymbolId,
};
use xaif_schema::tape::{self, MODULE, Operation};

use super::Lowering;

impl Lowering<'_> {
    /// Replaces the calls, and removes the names that they had from USE statements.
    pub(super) fn tape_operations(&mut self) {
        let doc = &mut self.doc;
        let names = imported(doc);
        if names.is_empty() {
            return;
        }
        let calls: Vec<(StmtId, &'static Operation)> = doc
            .stmts
            .iter()
            .filter_map(|(id, stmt)| match &stmt.kind {
                StmtKind::Call(call) if call.callee.object.is_none() => {
                    Some((id, *names.get(&named(&call.callee))?))
                }
                _ => None,
            })
            .filter(|(id, operation)| takes(doc, *id, operation))
            .collect();
        for (id, operation) in calls {
            let StmtKind::Call(call) = &mut doc.stmts[id].kind else { continue };
            let args = std::mem::take(&mut call.args);
            let call = InlinableCall { name: operation.name.into(), args };
            doc.stmts[id].kind = StmtKind::InlinableCall(Box::new(call));
        }
        let kept: HashSet<SymbolId> = still_called(doc);
        let gone = |symbol: SymbolId| names.contains_key(&symbol) && !kept.contains(&symbol);
        for scope in doc.scopes.values_mut() {
            for item in &mut scope.items {
                if let SpecItem::Use(used) = item {
                    used.names.retain(|name| !name.symbol.is_some_and(gone));
                }
            }
            let symbols = &doc.symbols;
            scope.items.retain(|item| match item {
                SpecItem::Use(used) => {
                    !(used.only && used.names.is_empty() && is_runtime(&symbols[used.module].id))
                }
                _ => true,
            });
        }
    }
}

fn is_runtime(id: &str) -> bool {
    id.eq_ignore_ascii_case(MODULE)
}

/// The name that a call has.
fn named(callee: &Callee) -> SymbolId {
    callee.generic.unwrap_or(callee.symbol)
}

/// The names that USE gives operations; the source of the module may be there.
fn imported(doc: &Document) -> HashMap<SymbolId, &'static Operation> {
    let mut found = HashMap::new();
    for scope in doc.scopes.values() {
        for item in &scope.items {
            let SpecItem::Use(used) = item else { continue };
            let is_module = matches!(doc.role(used.module), Some(Role::Module { .. }));
            if !is_module || !is_runtime(doc.name(used.module)) {
                continue;
            }
            for name in &used.names {
                let operation = tape::executed_by(&name.remote.to_ascii_lowercase());
                found.extend(name.symbol.zip(operation));
            }
        }
    }
    found
}

/// Whether a call has as many arguments as the operation.
fn takes(doc: &Document, id: StmtId, operation: &Operation) -> bool {
    matches!(&doc.stmts[id].kind, StmtKind::Call(call) if call.args.len() == operation.args.len())
}

/// Names that calls have still.
fn still_called(doc: &Document) -> HashSet<SymbolId> {
    let calls = doc.stmts.values().filter_map(|stmt| match &stmt.kind {
        StmtKind::Call(call) => Some(named(&call.callee)),
        _ => None,
    });
    calls.collect()
}
