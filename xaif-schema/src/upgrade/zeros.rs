//! Derivatives of arguments that have none.
//!
//! A call may pass something without a derivative where the callee has one for its dummy argument.
//! The callee may write it, so what is passed is a local variable that is zero before the call. It
//! has the shape of the argument; where that is not known, the call is refused.

use std::collections::HashMap;

use crate::model::{
    Base, Body, Cfg, Dim, Document, Part, RefId, Reference, Replacement, ScopeId, StmtId, StmtKind,
    Symbol, SymbolId, SymbolKind, Ty, VertexKind,
};

use super::Problem;
use super::derivatives::zero;

/// The statement that calls, and the scope of its procedure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Caller {
    pub(super) scope: ScopeId,
    pub(super) stmt: StmtId,
}

/// What is passed, and the statement that sets it to zero.
#[derive(Debug)]
pub(super) struct Zero {
    pub(super) passed: Reference,
    pub(super) set: StmtId,
}

/// The variables that are zero before calls.
#[derive(Debug, Default)]
pub(super) struct Zeros {
    /// By the scope of the caller, the variable whose shape they have, and the position among the
    /// arguments: two arguments of one call never share one.
    of: HashMap<(ScopeId, SymbolId, usize), SymbolId>,
    /// What has no shape.
    pub(super) problems: Vec<Problem>,
}

impl Zeros {
    /// A derivative for the argument `actual` (`None` is an expression) whose dummy argument has
    /// the derivative `dummy`.
    pub(super) fn of(
        &mut self,
        doc: &mut Document,
        caller: Caller,
        actual: Option<RefId>,
        dummy: SymbolId,
        position: usize,
    ) -> Option<Zero> {
        let shaped = actual.map_or(dummy, |actual| doc.refs[actual].base);
        let part = |part: &Part| !matches!(part, Part::Elements(_));
        let component = actual.is_some_and(|actual| doc.refs[actual].parts.iter().any(part));
        if component || !has_shape(doc, caller.scope, shaped) {
            self.problems.push(Problem {
                place: doc.stmts[caller.stmt].place,
                message: format!(
                    "the call passes no derivative for `{}`, and the shape of what it passes is \
                     not known",
                    doc.symbols[dummy].id
                ),
                help: "pass a variable whose bounds are declared, or one with a derivative",
            });
            return None;
        }
        let key = (caller.scope, shaped, position);
        let symbol = match self.of.get(&key) {
            Some(&symbol) => symbol,
            None => {
                let symbol = declare(doc, caller.scope, shaped, dummy);
                self.of.insert(key, symbol);
                symbol
            }
        };
        let place = doc.stmts[caller.stmt].place;
        let ty = Ty::scalar(Base::Real(8));
        let whole = Reference::whole(symbol, ty, place);
        let passed = match actual {
            Some(actual) => Reference { base: symbol, ..doc.refs[actual].clone() },
            None => whole.clone(),
        };
        let lhs = doc.refs.push(whole);
        let rhs = zero(doc);
        let mut set = doc.stmts[caller.stmt].clone();
        set.kind = StmtKind::Assign { lhs, rhs, defined: None };
        (set.id, set.label) = (None, None);
        Some(Zero { passed, set: doc.stmts.push(set) })
    }
}

/// Whether a local variable of `scope` can have the shape of `symbol`.
fn has_shape(doc: &Document, scope: ScopeId, symbol: SymbolId) -> bool {
    let data = &doc.symbols[symbol];
    let rank = usize::from(data.rank.unwrap_or(0));
    match &data.decl {
        None => rank == 0 || data.bounds.len() == rank,
        Some(decl) => {
            let explicit = decl.dims.iter().all(|dim| matches!(dim, Dim::Explicit { .. }));
            decl.dims.is_empty() || explicit && data.scope == scope
        }
    }
}

/// A variable with the shape of `shaped` and the type of `dummy`.
fn declare(doc: &mut Document, scope: ScopeId, shaped: SymbolId, dummy: SymbolId) -> SymbolId {
    let (like, dummy) = (doc.symbols[shaped].clone(), doc.symbols[dummy].clone());
    let mut id = format!("{}_zero", like.id);
    while doc.symbol_in(scope, &id).is_some() {
        id.push('d');
    }
    let mut decl = like.decl;
    if let Some(decl) = &mut decl {
        decl.name.clone_from(&id);
        decl.attrs.clear();
        (decl.intent, decl.init, decl.common) = (None, None, None);
    }
    doc.add_symbol(Symbol {
        id,
        scope,
        decl,
        class: dummy.class,
        fe_type: dummy.fe_type,
        pointer: None,
        temp: None,
        kind: SymbolKind::Variable,
        ..like
    })
}

/// The statements of all bodies, with the scope of their procedure.
pub(super) fn calls(doc: &Document) -> Vec<(StmtId, ScopeId)> {
    let mut found = Vec::new();
    let mut add = |cfg: &Cfg, scope: ScopeId| {
        for vertex in cfg.vertices.values() {
            if let VertexKind::BasicBlock { stmts, .. } = &vertex.kind {
                found.extend(stmts.iter().map(|&stmt| (stmt, scope)));
            }
        }
    };
    for proc in doc.procs.values() {
        match &proc.body {
            Body::Flow(cfg) => add(cfg, proc.scope),
            Body::Interface => {}
            Body::Replacements { list, .. } => {
                list.iter().for_each(|Replacement { cfg, .. }| add(cfg, proc.scope));
            }
        }
    }
    found
}
