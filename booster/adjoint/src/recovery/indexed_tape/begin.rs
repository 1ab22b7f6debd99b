//! Elements of local arrays that a loop notes before they have a value begin with zero.
//!
//! `u(1) = …` in a loop overwrites nothing in the first iteration; what stands there goes to the block all the same, as the
//! backward sweep takes it back without asking which round it is. Compilers take an element with constant
//! subscripts for a variable of its own, and warn where nothing before gives it a value.

use xaif_schema::model::{
    Base, Body, Dim, Document, ExprId, Part, ProcId, RefId, StmtId, StmtKind, SymbolId,
};

use super::{Block, Known, write};
use crate::body::entries;
use booster_build::{
    Copier, Mention, assign, constant_integer, mentions_of_step, same_reference, subscripts_of,
};
use booster_flow::{Step, steps_of_vertex};
use booster_tangent::zero::zero;

/// The elements that the forward sweeps of `blocks` note without a value, each once, and whose they are.
pub(crate) fn without_value(
    doc: &Document,
    known: &Known<'_>,
    blocks: &[Block],
) -> Vec<(ProcId, RefId)> {
    let mut found: Vec<(ProcId, RefId)> = Vec::new();
    for block in blocks {
        let pushed = block.in_place.iter().flat_map(|one| &one.pushes);
        let elements =
            pushed.filter_map(|&(push, value)| Some((push, doc.exprs[value].reference()?)));
        let proc = block.forward.proc;
        for (_, element) in elements.filter(|&one| may_lack_value(doc, known, proc, one)) {
            let is_known =
                |&(of, other): &(ProcId, RefId)| of == proc && same_reference(doc, other, element);
            if !found.iter().any(is_known) {
                found.push((proc, element));
            }
        }
    }
    found
}

/// Gives them zero where their procedures begin.
pub(crate) fn begin_with_zero(doc: &mut Document, elements: &[(ProcId, RefId)]) {
    for own in elements.chunk_by(|one, other| one.0 == other.0) {
        let stmts: Vec<StmtId> = own
            .iter()
            .map(|&(_, element)| {
                let element = Copier::new().reference(doc, element);
                let (base, place) = (doc.refs[element].ty.base, doc.refs[element].place);
                let none = zero(doc, base, place);
                assign(doc, element, none, place)
            })
            .collect();
        write::at_begin(doc, own[0].0, stmts);
    }
}

fn may_lack_value(
    doc: &Document,
    known: &Known<'_>,
    proc: ProcId,
    (push, element): (StmtId, RefId),
) -> bool {
    let reference = &doc.refs[element];
    let is_number = matches!(reference.ty.base, Base::Real(_) | Base::Complex(_));
    is_number
        && is_fixed(doc, element)
        && is_bare(doc, known, proc, reference.base)
        && !is_set_before(doc, proc, push, element)
}

/// Whether a reference is an element with constant subscripts of an array with constant bounds: one with others
/// may have no such element where the loop is not entered.
fn is_fixed(doc: &Document, element: RefId) -> bool {
    let reference = &doc.refs[element];
    let dims = doc.symbols[reference.base].decl.as_deref().map_or(&[][..], |decl| &decl.dims);
    let subscripts = subscripts_of(reference);
    let constant = |expr: ExprId| constant_integer(doc, expr);
    let is_within = |(dim, &subscript): (&Dim, &ExprId)| match *dim {
        Dim::Explicit { lower, upper } => {
            let lower = lower.map_or(Some(1), constant);
            let bounds = lower.zip(constant(upper)).zip(constant(subscript));
            bounds.is_some_and(|((lower, upper), at)| (lower..=upper).contains(&at))
        }
        Dim::AssumedShape { .. } | Dim::Deferred | Dim::AssumedSize { .. } | Dim::AssumedRank => {
            false
        }
    };
    matches!(reference.parts[..], [Part::Elements(_)])
        && dims.len() == subscripts.len()
        && dims.iter().zip(&subscripts).all(is_within)
}

/// Whether an array with bounds of its own has no value as the procedure begins.
fn is_bare(doc: &Document, known: &Known<'_>, proc: ProcId, symbol: SymbolId) -> bool {
    let Body::Flow(cfg) = &doc.procs[proc].body else { return false };
    let procedures = known.storage.procedures();
    doc.symbols[symbol].scope == doc.procs[proc].scope
        && procedures.dummy_of(symbol).is_none()
        && !procedures.is_static(symbol)
        && entries(cfg).next().is_none()
}

/// Whether something that stands before the push of an element may give it a value.
fn is_set_before(doc: &Document, proc: ProcId, push: StmtId, element: RefId) -> bool {
    let Body::Flow(cfg) = &doc.procs[proc].body else { return true };
    let steps = cfg.layout.iter().flat_map(|&vertex| steps_of_vertex(cfg, vertex));
    let mut before = steps.take_while(|step| !matches!(step, Step::Stmt(stmt) if *stmt == push));
    before.any(|step| match step {
        Step::Stmt(stmt) => sets(doc, stmt, element),
        Step::Evaluate(_) | Step::Concurrent(_) => names(doc, step, element, false),
        Step::Enter(_) | Step::Leave => false,
    })
}

fn sets(doc: &Document, stmt: StmtId, element: RefId) -> bool {
    let names = |written| names(doc, Step::Stmt(stmt), element, written);
    match &doc.stmts[stmt].kind {
        StmtKind::Assign { lhs, defined: None, .. } => {
            let may_be_it = !is_fixed(doc, *lhs) || same_reference(doc, *lhs, element);
            may_be_it && names(true)
        }
        // The tape only reads before the backward sweep.
        StmtKind::InlinableCall(_) | StmtKind::Comment(_) => false,
        StmtKind::Assign { .. }
        | StmtKind::PointerAssign { .. }
        | StmtKind::Call(_)
        | StmtKind::Propagate(_)
        | StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_) => names(false),
    }
}

/// Whether a step names the array of an element, or assigns to it.
fn names(doc: &Document, step: Step<'_>, element: RefId, written: bool) -> bool {
    let symbol = doc.refs[element].base;
    let is_one = |one: &Mention| one.symbol == symbol && (one.written || !written);
    mentions_of_step(doc, step).iter().any(is_one)
}
