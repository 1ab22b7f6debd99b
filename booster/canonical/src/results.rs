//! Allocatable results of functions begin with element 1.
//!
//! Where `f(x)` stands, its lower bounds are 1, whatever `f` has given its result (Fortran 2018, 16.9.109).
//! A derivative procedure hands the variable itself to its caller, with the bounds that it has, and
//! so does an adjoint take the adjoint of the result. A function that may allocate its result otherwise
//! (`allocate(r(0:n))`) therefore gets a variable of its own in its place, and gives the result the values
//! of that as it returns. [`Bounds`] tells which variables certainly begin with 1.
//!
//! Not looked into: components, and what is passed to a procedure that may allocate it.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

use smallvec::SmallVec;
use xaif_schema::model::{
    Arg, ArgValue, Attr, Callee, ConstantKind, Dim, Document, ExprId, ExprKind, Intent, Part,
    ProcId, RefId, Role, ScopeKind, StmtKind, Subscript, Symbol, SymbolId,
};

use booster_build::{Copied, copy_decl, new_variable, rewrite_exits, value_of, whole};
use booster_facts::arguments_of;

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
pub(super) struct Bounds {
    given: HashMap<SymbolId, Vec<Given>>,
}

impl Bounds {
    pub(super) fn gather(doc: &Document) -> Self {
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
    pub(super) fn begins_with_one(&self, doc: &Document, symbol: SymbolId) -> bool {
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

fn is_one(doc: &Document, expr: ExprId) -> bool {
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

/// The allocatable result of a function that may begin with another number than 1.
pub(super) fn begins_elsewhere(doc: &Document, bounds: &Bounds, proc: ProcId) -> Option<SymbolId> {
    let result = doc.procs[proc].result?;
    let is_array = doc.symbols[result].rank.unwrap_or(0) > 0 && doc.has(result, Attr::Allocatable);
    (is_array && !bounds.begins_with_one(doc, result)).then_some(result)
}

/// Gives the result of a function bounds from 1 on, where the function returns.
pub(super) fn begin_with_one(doc: &mut Document, proc: ProcId, result: SymbolId) {
    let symbol = &doc.symbols[result];
    let rank = symbol.rank.unwrap_or(0);
    let scope = doc.procs[proc].scope;
    let place = symbol.decl.as_deref().map(|decl| decl.place).unwrap_or_default();
    let base = symbol.decl.as_deref().map(|decl| decl.spec.base()).unwrap_or_default();
    let wish = format!("{}_own", doc.name(result));
    let own = new_variable(doc, scope, &wish, base, place);
    let Symbol { class, kind, active, ref mut decl, .. } = doc.symbols[result].clone();
    if let Some(decl) = decl {
        copy_decl(doc, decl, &Copied::default());
    }
    let data = &mut doc.symbols[own];
    (data.class, data.kind, data.active, data.rank) = (class, kind, active, Some(rank));
    data.decl = decl.take();
    let refs: Vec<RefId> = doc.refs.keys().filter(|&r| doc.refs[r].base == result).collect();
    let marked = refs.iter().find_map(|&r| doc.refs[r].active);
    for reference in refs {
        doc.refs[reference].base = own;
    }
    let done: Result<(), Infallible> = rewrite_exits(doc, proc, |e| {
        let [to, from] = [result, own].map(|symbol| whole(e.doc, symbol, place));
        let all = Subscript::Section { lower: None, upper: None, stride: None };
        let list: SmallVec<[Subscript; 7]> = SmallVec::from_elem(all, usize::from(rank));
        e.doc.refs[from].parts.push(Part::Elements(list.into_vec()));
        for reference in [to, from] {
            e.doc.refs[reference].active = marked;
        }
        let value = value_of(e.doc, from);
        e.assign(to, value, place);
        Ok(())
    });
    match done {
        Ok(()) => {}
        Err(never) => match never {},
    }
}
