//! Which variables certainly begin with element 1.
//!
//! Not looked into: components, and what is passed to a procedure that may allocate it.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{
    Arg, ArgValue, Attr, Callee, ConstantKind, Dim, Document, ExprId, ExprKind, Intent, Part,
    RefId, Role, ScopeKind, StmtKind, Subscript, SymbolId,
};

use crate::arguments_of;

/// What gives an allocatable variable its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Given {
    /// It begins with 1.
    One,
    /// It begins as another variable does.
    As(SymbolId),
    /// It may begin with any number.
    Any,
}

/// Which variables begin with element 1 in each dimension.
#[derive(Debug, Default)]
pub struct Bounds {
    given: HashMap<SymbolId, Vec<Given>>,
}

impl Bounds {
    /// Looks at all statements.
    pub fn gather(doc: &Document) -> Self {
        let mut bounds = Bounds::default();
        for stmt in doc.stmts.values() {
            match &stmt.kind {
                StmtKind::Assign { lhs, rhs, defined: None } => {
                    let given = of_value(doc, *rhs);
                    bounds.add(doc, doc.refs[*lhs].whole_entity(), given);
                }
                StmtKind::Allocate(allocate) => {
                    let like = allocate.source.or(allocate.mold);
                    let like = like.map_or(Given::Any, |like| of_value(doc, like));
                    for &object in &allocate.objects {
                        let given = of_object(doc, object).unwrap_or(like);
                        bounds.add(doc, doc.refs[object].entity(), given);
                    }
                }
                StmtKind::Call(call) => bounds.call(doc, &call.callee, &call.args),
                StmtKind::Assign { .. }
                | StmtKind::PointerAssign { .. }
                | StmtKind::InlinableCall(_)
                | StmtKind::Propagate(_)
                | StmtKind::Where(_)
                | StmtKind::Forall(_)
                | StmtKind::Release(_)
                | StmtKind::OpenScope(_)
                | StmtKind::CloseScope(_)
                | StmtKind::Marker(_)
                | StmtKind::Comment(_) => {}
            }
        }
        for expr in doc.exprs.values() {
            if let ExprKind::Call(call) = &expr.kind {
                bounds.call(doc, &call.callee, &call.args);
            }
        }
        bounds
    }

    fn add(&mut self, doc: &Document, symbol: Option<SymbolId>, given: Given) {
        if let Some(symbol) = symbol.filter(|&symbol| doc.has(symbol, Attr::Allocatable)) {
            self.given.entry(symbol).or_default().push(given);
        }
    }

    /// A procedure may allocate what it is given for an allocatable dummy argument.
    fn call(&mut self, doc: &Document, callee: &Callee, args: &[Arg]) {
        let dummies = arguments_of(doc, callee.symbol);
        for arg in args {
            let ArgValue::Expr(value) = arg.value else { continue };
            let ExprKind::Ref(reference) = doc.exprs[value].kind else { continue };
            let at = usize::try_from(arg.position).unwrap_or(0).wrapping_sub(1);
            let dummy = dummies.as_ref().and_then(|dummies| dummies.get(at)?.symbol);
            let keeps = |dummy: SymbolId| {
                let decl = doc.symbols[dummy].decl.as_deref();
                decl.is_some_and(|decl| {
                    !decl.has(Attr::Allocatable) || decl.intent == Some(Intent::In)
                })
            };
            if !dummy.is_some_and(keeps) {
                self.add(doc, doc.refs[reference].whole_entity(), Given::Any);
            }
        }
    }

    /// Whether a variable, where it has elements, begins with number 1 in each dimension.
    pub fn begins_with_one(&self, doc: &Document, symbol: SymbolId) -> bool {
        let mut seen = HashSet::new();
        let mut waiting = vec![symbol];
        while let Some(symbol) = waiting.pop() {
            if !seen.insert(symbol) {
                continue;
            }
            let Some(decl) = doc.symbols[symbol].decl.as_deref() else { return false };
            if !matches!(decl.role, Role::Variable) || decl.has(Attr::Pointer) {
                return false;
            }
            let begins = decl.dims.iter().all(|dim| match *dim {
                Dim::Explicit { lower, .. }
                | Dim::AssumedShape { lower }
                | Dim::AssumedSize { lower, .. } => lower.is_none_or(|lower| is_one(doc, lower)),
                Dim::Deferred => true,
                Dim::AssumedRank => false,
            });
            if !begins {
                return false;
            }
            if !decl.has(Attr::Allocatable) {
                continue;
            }
            let is_local =
                matches!(doc.scopes[doc.symbols[symbol].scope].kind, ScopeKind::Procedure(_));
            if !is_local || decl.intent.is_some() || is_dummy(doc, symbol) {
                return false;
            }
            for &given in self.given.get(&symbol).into_iter().flatten() {
                match given {
                    Given::One => {}
                    Given::As(other) => waiting.push(other),
                    Given::Any => return false,
                }
            }
        }
        true
    }
}

fn is_dummy(doc: &Document, symbol: SymbolId) -> bool {
    doc.procs.values().any(|proc| proc.args.iter().any(|arg| arg.symbol == Some(symbol)))
}

pub(crate) fn is_one(doc: &Document, expr: ExprId) -> bool {
    match &doc.exprs[expr].kind {
        ExprKind::Constant(constant) => {
            constant.kind == ConstantKind::None && &*constant.text == "1"
        }
        _ => false,
    }
}

/// The bounds of an object of ALLOCATE that says them.
fn of_object(doc: &Document, object: RefId) -> Option<Given> {
    let Some(Part::Elements(list)) = doc.refs[object].parts.last() else { return None };
    let from_one = |subscript: &Subscript| match *subscript {
        Subscript::Index(_) => true,
        Subscript::Section { lower, .. } => lower.is_none_or(|lower| is_one(doc, lower)),
    };
    Some(if list.iter().all(from_one) { Given::One } else { Given::Any })
}

/// The bounds that a value gives: a whole variable its own, an expression 1.
fn of_value(doc: &Document, value: ExprId) -> Given {
    match doc.exprs[value].kind {
        ExprKind::Ref(reference) if !doc.exprs[value].parens => {
            match doc.refs[reference].whole_entity() {
                Some(entity) if doc.refs[reference].parts.is_empty() => Given::As(entity),
                Some(_) => Given::Any,
                None => Given::One,
            }
        }
        _ => Given::One,
    }
}
