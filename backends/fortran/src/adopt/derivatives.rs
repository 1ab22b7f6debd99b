//! Derivative statements as assignments to derivative variables.
//!
//! The derivative of `x` is a variable `x_d` of the same shape; where `x` is a dummy argument,
//! `x_d` is the dummy argument after it. Templates of xaifBooster that work on derivatives
//! (`Saxpy`, `IncDeriv`, …) are written out; those that work on the tape become calls.

use std::collections::HashMap;

use xaif_schema::model::{
    Arg, ArgValue, Base, Body, Callee, Constant, ConstantClass, ConstantKind, Document, DummyArg,
    Expr, ExprId, ExprKind, InlinableCall, Operand, Place, ProcId, Propagator, RefId, Reference,
    Replacement, StmtId, StmtKind, SubroutineCall, Symbol, SymbolId, SymbolKind, Ty, TypeClass,
    VertexKind,
};

/// Writes out all derivative statements and references.
pub(super) fn expand(doc: &mut Document) {
    let mut partners = Partners::default();
    let stmts: Vec<StmtId> = doc.stmts.keys().collect();
    let mut many: HashMap<StmtId, Vec<StmtId>> = HashMap::new();
    for stmt in stmts {
        match doc.stmts[stmt].kind.clone() {
            StmtKind::Propagate(steps) => {
                let expanded = steps.iter().map(|step| propagate(doc, &mut partners, step, stmt));
                many.insert(stmt, expanded.collect());
            }
            StmtKind::InlinableCall(call) => {
                doc.stmts[stmt].kind = inlined(doc, &mut partners, &call, stmt);
            }
            StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => {}
        }
    }
    let references: Vec<RefId> = doc.refs.keys().collect();
    for reference in references {
        if doc.refs[reference].deriv {
            let partner = partners.of(doc, doc.refs[reference].base);
            let reference = &mut doc.refs[reference];
            reference.base = partner;
            reference.deriv = false;
        }
    }
    if !many.is_empty() {
        replace_statements(doc, &many);
    }
    add_arguments(doc, &partners);
}

/// The derivative variables.
#[derive(Default)]
struct Partners {
    of: HashMap<SymbolId, SymbolId>,
}

impl Partners {
    fn of(&mut self, doc: &mut Document, symbol: SymbolId) -> SymbolId {
        if let Some(&partner) = self.of.get(&symbol) {
            return partner;
        }
        let data = doc.symbols[symbol].clone();
        let mut decl = data.decl.clone();
        let mut id = format!("{}_d", data.id);
        while doc.symbol_in(data.scope, &id).is_some() {
            id.push('d');
        }
        if let Some(decl) = &mut decl {
            decl.name.push_str("_d");
            decl.init = None;
        }
        let partner = doc.add_symbol(Symbol { id, decl, ..data });
        self.of.insert(symbol, partner);
        partner
    }
}

/// Reads or writes the derivative of what `reference` refers to.
fn derivative(doc: &mut Document, partners: &mut Partners, reference: RefId) -> RefId {
    let mut copy = doc.refs[reference].clone();
    copy.base = partners.of(doc, copy.base);
    copy.deriv = false;
    doc.refs.push(copy)
}

fn expr(doc: &mut Document, kind: ExprKind, ty: Ty) -> ExprId {
    doc.exprs.push(Expr { kind, ty, place: Place::default(), parens: false })
}

fn value(doc: &mut Document, reference: RefId) -> ExprId {
    let ty = doc.refs[reference].ty;
    expr(doc, ExprKind::Ref(reference), ty)
}

fn operation(doc: &mut Document, name: &str, operands: &[ExprId]) -> ExprId {
    let ty = operands.first().map_or(Ty::default(), |&first| doc.exprs[first].ty);
    let operands = operands.iter().zip(1..).map(|(&expr, position)| Operand {
        position,
        keyword: false,
        expr,
    });
    let operands = operands.collect();
    expr(doc, ExprKind::Intrinsic { name: name.into(), spelling: None, operands }, ty)
}

fn zero(doc: &mut Document) -> ExprId {
    let constant = Constant {
        class: ConstantClass::Double,
        fe_type: None,
        text: "0".into(),
        kind: ConstantKind::None,
    };
    expr(doc, ExprKind::Constant(constant), Ty::scalar(Base::Real(8)))
}

/// The sum of `a * d(x)` over all terms.
fn weighted(
    doc: &mut Document,
    partners: &mut Partners,
    terms: &[(ExprId, RefId)],
) -> Option<ExprId> {
    let mut sum = None;
    for &(partial, source) in terms {
        let source = derivative(doc, partners, source);
        let source = value(doc, source);
        let product = operation(doc, "mul_scal_scal", &[partial, source]);
        sum = Some(match sum {
            None => product,
            Some(sum) => operation(doc, "add_scal_scal", &[sum, product]),
        });
    }
    sum
}

/// The assignment that a propagator means, as a statement of its own.
fn propagate(
    doc: &mut Document,
    partners: &mut Partners,
    step: &Propagator,
    stmt: StmtId,
) -> StmtId {
    let (target, rhs) = match step {
        Propagator::Set { target, source } => {
            let source = derivative(doc, partners, *source);
            (*target, value(doc, source))
        }
        Propagator::SetNegative { target, source } => {
            let source = derivative(doc, partners, *source);
            let source = value(doc, source);
            (*target, operation(doc, "minus_scal", &[source]))
        }
        Propagator::Increment { target, source } => {
            (*target, update(doc, partners, "add_scal_scal", *target, *source))
        }
        Propagator::Decrement { target, source } => {
            (*target, update(doc, partners, "sub_scal_scal", *target, *source))
        }
        Propagator::Sax { terms, y } => {
            let sum = weighted(doc, partners, terms);
            (*y, sum.unwrap_or_else(|| zero(doc)))
        }
        Propagator::Saxpy { terms, y } => {
            let old = derivative(doc, partners, *y);
            let old = value(doc, old);
            let sum = weighted(doc, partners, terms);
            (*y, sum.map_or(old, |sum| operation(doc, "add_scal_scal", &[old, sum])))
        }
        Propagator::Zero { target } => (*target, zero(doc)),
    };
    let lhs = derivative(doc, partners, target);
    let mut copy = doc.stmts[stmt].clone();
    copy.kind = StmtKind::Assign { lhs, rhs, defined: None };
    doc.stmts.push(copy)
}

/// `d(target) op d(source)`
fn update(
    doc: &mut Document,
    partners: &mut Partners,
    name: &str,
    target: RefId,
    source: RefId,
) -> ExprId {
    let old = derivative(doc, partners, target);
    let old = value(doc, old);
    let source = derivative(doc, partners, source);
    let source = value(doc, source);
    operation(doc, name, &[old, source])
}

/// What a template of xaifBooster does. The last argument of those that work on derivatives is
/// what they change.
fn inlined(
    doc: &mut Document,
    partners: &mut Partners,
    call: &InlinableCall,
    stmt: StmtId,
) -> StmtKind {
    let mut args: Vec<&Arg> = call.args.iter().collect();
    args.sort_by_key(|arg| arg.position);
    let exprs: Vec<ExprId> = args
        .iter()
        .filter_map(|arg| match arg.value {
            ArgValue::Expr(expr) => Some(expr),
            ArgValue::AlternateReturn(_) => None,
        })
        .collect();
    let reference = |doc: &Document, expr: ExprId| match doc.exprs[expr].kind {
        ExprKind::Ref(reference) => Some(reference),
        _ => None,
    };
    let references: Vec<Option<RefId>> = exprs.iter().map(|&expr| reference(doc, expr)).collect();
    let step = match (&*call.name.to_ascii_lowercase(), &references[..]) {
        ("saxpy", [_, Some(source), Some(target)]) => {
            Some(Propagator::Saxpy { terms: vec![(exprs[0], *source)], y: *target })
        }
        ("sax", [_, Some(source), Some(target)]) => {
            Some(Propagator::Sax { terms: vec![(exprs[0], *source)], y: *target })
        }
        ("zeroderiv", [Some(target)]) => Some(Propagator::Zero { target: *target }),
        ("setderiv", [Some(source), Some(target)]) => {
            Some(Propagator::Set { target: *target, source: *source })
        }
        ("setnegderiv", [Some(source), Some(target)]) => {
            Some(Propagator::SetNegative { target: *target, source: *source })
        }
        ("incderiv", [Some(source), Some(target)]) => {
            Some(Propagator::Increment { target: *target, source: *source })
        }
        ("decderiv", [Some(source), Some(target)]) => {
            Some(Propagator::Decrement { target: *target, source: *source })
        }
        _ => None,
    };
    if let Some(step) = step {
        let expanded = propagate(doc, partners, &step, stmt);
        return doc.stmts[expanded].kind.clone();
    }
    let symbol = runtime(doc, &call.name);
    StmtKind::Call(Box::new(SubroutineCall {
        callee: Callee { symbol, generic: None, object: None },
        args: args.into_iter().cloned().collect(),
        formal_count: None,
        active: None,
    }))
}

/// The procedure of the tape with this name.
fn runtime(doc: &mut Document, name: &str) -> SymbolId {
    let id = name.to_ascii_lowercase();
    let Some(global) = doc.global_scope() else {
        // A document without scopes has no statements either.
        return SymbolId::from_u32(0);
    };
    if let Some(symbol) = doc.symbol_in(global, &id) {
        return symbol;
    }
    doc.add_symbol(Symbol {
        id,
        scope: global,
        kind: SymbolKind::Subroutine,
        class: TypeClass::Void,
        fe_type: None,
        rank: None,
        bounds: Vec::new(),
        active: None,
        temp: None,
        pointer: None,
        decl: None,
    })
}

fn replace_statements(doc: &mut Document, many: &HashMap<StmtId, Vec<StmtId>>) {
    let replace = |cfg: &mut xaif_schema::model::Cfg| {
        for vertex in cfg.vertices.values_mut() {
            if let VertexKind::BasicBlock { stmts, .. } = &mut vertex.kind {
                let expanded = stmts.iter().flat_map(|stmt| match many.get(stmt) {
                    Some(list) => list.clone(),
                    None => vec![*stmt],
                });
                *stmts = expanded.collect();
            }
        }
    };
    for proc in doc.procs.values_mut() {
        match &mut proc.body {
            Body::Flow(cfg) => replace(cfg),
            Body::Interface => {}
            Body::Replacements { list, .. } => {
                list.iter_mut().for_each(|Replacement { cfg, .. }| replace(cfg));
            }
        }
    }
}

/// Derivatives of dummy arguments are dummy arguments, and callers pass them.
fn add_arguments(doc: &mut Document, partners: &Partners) {
    if partners.of.is_empty() {
        return;
    }
    let ids: Vec<ProcId> = doc.procs.keys().collect();
    let mut extended: HashMap<SymbolId, Vec<bool>> = HashMap::new();
    for id in ids {
        let proc = &mut doc.procs[id];
        let mut args: Vec<DummyArg> = Vec::new();
        let mut has = Vec::new();
        for arg in std::mem::take(&mut proc.args) {
            let partner = arg.symbol.and_then(|symbol| partners.of.get(&symbol).copied());
            let derivative = DummyArg { symbol: partner, deriv: true, ..arg.clone() };
            has.push(partner.is_some());
            args.push(arg);
            args.extend(partner.map(|_| derivative));
        }
        proc.args = args;
        extended.insert(proc.symbol, has);
    }
    let stmts: Vec<StmtId> = doc.stmts.keys().collect();
    for stmt in stmts {
        let StmtKind::Call(call) = doc.stmts[stmt].kind.clone() else { continue };
        let Some(has) = extended.get(&call.callee.symbol) else { continue };
        let mut call = call;
        call.args = pass_derivatives(doc, partners, &call.args, has);
        doc.stmts[stmt].kind = StmtKind::Call(call);
    }
}

fn pass_derivatives(
    doc: &mut Document,
    partners: &Partners,
    args: &[Arg],
    has: &[bool],
) -> Vec<Arg> {
    let mut extended = Vec::new();
    for (arg, &wanted) in args.iter().zip(has.iter().chain(std::iter::repeat(&false))) {
        extended.push(arg.clone());
        if !wanted {
            continue;
        }
        let actual = match arg.value {
            ArgValue::Expr(expr) => match doc.exprs[expr].kind {
                ExprKind::Ref(reference) => Some(reference),
                _ => None,
            },
            ArgValue::AlternateReturn(_) => None,
        };
        let copied: Option<Reference> = actual.and_then(|reference| {
            let reference = &doc.refs[reference];
            let base = *partners.of.get(&reference.base)?;
            Some(Reference { base, ..reference.clone() })
        });
        let value = match copied {
            Some(copy) => {
                let copy = doc.refs.push(copy);
                value(doc, copy)
            }
            None => zero(doc),
        };
        extended.push(Arg { value: ArgValue::Expr(value), ..arg.clone() });
    }
    extended
}
