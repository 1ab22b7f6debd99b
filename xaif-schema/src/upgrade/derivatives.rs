//! Derivative statements as assignments to derivative variables.
//!
//! The derivative of `x` is a variable `x_d` of the same shape; where `x` is a dummy argument,
//! `x_d` is the dummy argument after it. Templates of xaifBooster that work on derivatives
//! (`Saxpy`, `IncDeriv`, …) are written out; those that work on the tape become calls, but for the
//! operations of our own tape in a document of ours.

use std::collections::HashMap;

use crate::model::{
    Arg, ArgValue, Base, Body, Callee, Constant, ConstantClass, ConstantKind, Document, DummyArg,
    Expr, ExprId, ExprKind, InlinableCall, Operand, Place, ProcId, Propagator, RefId, Reference,
    Replacement, StmtId, StmtKind, SubroutineCall, Symbol, SymbolId, SymbolKind, Ty, TypeClass,
    VertexKind,
};

use super::{Problem, zeros};
use crate::tape;

/// Writes out all derivative statements and references.
pub(super) fn expand(doc: &mut Document, genuine: bool, problems: &mut Vec<Problem>) {
    let mut partners = Partners::default();
    let stmts: Vec<StmtId> = doc.stmts.keys().collect();
    let mut many: HashMap<StmtId, Vec<StmtId>> = HashMap::new();
    for stmt in stmts {
        match doc.stmts[stmt].kind.clone() {
            // Of preaccumulation: the matter of the stages behind it.
            StmtKind::Propagate(_) if doc.stmts[stmt].local_jacobian.is_some() => {}
            StmtKind::Propagate(steps) => {
                let expanded = steps.iter().map(|step| propagate(doc, &mut partners, step, stmt));
                many.insert(stmt, expanded.collect());
                // Nobody executes it any more; what it consisted of has moved.
                doc.stmts[stmt].kind = StmtKind::Propagate(Vec::new());
            }
            StmtKind::InlinableCall(call) if !genuine && tape::operation(&call.name).is_some() => {}
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
    add_arguments(doc, &partners, problems);
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

pub(super) fn zero(doc: &mut Document) -> ExprId {
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
    let replace = |cfg: &mut crate::model::Cfg| {
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

/// The position of a dummy argument in the document, and its derivative.
type Slot = (u32, Option<SymbolId>);

/// A position, moved by the derivatives of the arguments before it.
fn shifted(slots: &[Slot], position: u32) -> u32 {
    let before = slots.iter().filter(|(old, partner)| *old < position && partner.is_some());
    position.saturating_add(u32::try_from(before.count()).unwrap_or(u32::MAX))
}

/// Derivatives of dummy arguments are dummy arguments, and callers pass them.
fn add_arguments(doc: &mut Document, partners: &Partners, problems: &mut Vec<Problem>) {
    if partners.of.is_empty() {
        return;
    }
    let ids: Vec<ProcId> = doc.procs.keys().collect();
    let mut extended: HashMap<SymbolId, Vec<Slot>> = HashMap::new();
    for id in ids {
        let proc = &mut doc.procs[id];
        let mut args: Vec<DummyArg> = Vec::new();
        let mut has = Vec::new();
        for arg in std::mem::take(&mut proc.args) {
            let partner = arg.symbol.and_then(|symbol| partners.of.get(&symbol).copied());
            has.push((arg.position, partner));
            let position = shifted(&has, arg.position);
            let derivative = DummyArg {
                position: position.saturating_add(1),
                symbol: partner,
                deriv: true,
                ..arg
            };
            args.push(DummyArg { position, ..arg });
            args.extend(partner.map(|_| derivative));
        }
        proc.args = args;
        extended.insert(proc.symbol, has);
    }
    pass_to_functions(doc, &extended, problems);
    let mut zeros = zeros::Zeros::default();
    let mut many: HashMap<StmtId, Vec<StmtId>> = HashMap::new();
    for (stmt, scope) in zeros::calls(doc) {
        let StmtKind::Call(mut call) = doc.stmts[stmt].kind.clone() else { continue };
        let Some(has) = extended.get(&call.callee.symbol) else { continue };
        let caller = zeros::Caller { scope, stmt };
        let (args, before) = pass_derivatives(doc, partners, &mut zeros, caller, &call.args, has);
        call.args = args;
        doc.stmts[stmt].kind = StmtKind::Call(call);
        if !before.is_empty() {
            many.insert(stmt, before.into_iter().chain([stmt]).collect());
        }
    }
    replace_statements(doc, &many);
    problems.extend(zeros.problems);
}

/// A function in an expression cannot be given derivatives: that needs a statement of its own.
fn pass_to_functions(
    doc: &Document,
    extended: &HashMap<SymbolId, Vec<Slot>>,
    problems: &mut Vec<Problem>,
) {
    for node in doc.exprs.values() {
        let ExprKind::Call(call) = &node.kind else { continue };
        let callee = call.callee.symbol;
        if extended.get(&callee).is_some_and(|has| has.iter().any(|(_, partner)| partner.is_some()))
        {
            problems.push(Problem {
                place: node.place,
                message: format!(
                    "the function `{}` has arguments with derivatives, which its call does not pass",
                    doc.symbols[callee].id
                ),
                help: "make the function a subroutine before it is differentiated",
            });
        }
    }
}

/// The arguments with their derivatives, and the statements that must stand before the call.
fn pass_derivatives(
    doc: &mut Document,
    partners: &Partners,
    zeros: &mut zeros::Zeros,
    caller: zeros::Caller,
    args: &[Arg],
    has: &[Slot],
) -> (Vec<Arg>, Vec<StmtId>) {
    let mut extended = Vec::new();
    let mut before = Vec::new();
    for arg in args {
        let position = shifted(has, arg.position);
        extended.push(Arg { position, ..arg.clone() });
        let slot = has.iter().find(|(old, _)| *old == arg.position);
        let Some(dummy) = slot.and_then(|(_, partner)| *partner) else { continue };
        let ArgValue::Expr(actual) = arg.value else { continue };
        let reference = match doc.exprs[actual].kind {
            ExprKind::Ref(reference) => Some(reference),
            _ => None,
        };
        let copied: Option<Reference> = reference.and_then(|reference| {
            let reference = &doc.refs[reference];
            let base = *partners.of.get(&reference.base)?;
            Some(Reference { base, ..reference.clone() })
        });
        let copied = copied.or_else(|| {
            let zero = zeros.of(doc, caller, reference, dummy, extended.len())?;
            before.push(zero.set);
            Some(zero.passed)
        });
        if let Some(copy) = copied {
            let copy = doc.refs.push(copy);
            let value = value(doc, copy);
            let value = ArgValue::Expr(value);
            let keyword = arg.keyword.as_ref().map(|_| doc.name(dummy).into());
            extended.push(Arg { position: position.saturating_add(1), keyword, value });
        }
    }
    (extended, before)
}
