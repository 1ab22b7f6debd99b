//! Which procedures are split without being asked, as that costs no more tape than a snapshot.
//!
//! A joint call costs a snapshot of what the procedure overwrites, and a second execution. Where what
//! the procedure itself records is no more than that, splitting its calls saves the second execution
//! for nothing (paper 3, section 3.5, names the two costs). The model is one of orders of
//! magnitude, as extents are not known: a snapshot has as many dimensions as the largest array
//! argument that is overwritten, and an assignment has as many as there are counted loops around it. So
//! a procedure is split if it
//!
//! - calls nothing: what is below it would be recorded for all of its calls at once;
//! - overwrites an array argument;
//! - has no assignment with more dimensions than that. One that adds to an element
//!   (`a(i,k) = a(i,k) - …`) does not need the value that it overwrites, so loops that its subscripts
//!   do not name count for nothing;
//! - is structured, with counted loops alone, and has variables of intrinsic types that are neither
//!   allocatable nor pointers nor saved, so that all of them can go from one half to the other.
//!
//! A leaf with a loop over time in it is not: it records a state for each step, in joint mode for one
//! call at a time.

use std::collections::HashSet;

use xaif_schema::model::{
    Attr, Base, Cfg, Document, ForForm, Intent, ProcId, RefId, Role, StmtId, StmtKind, SymbolId,
    VertexKind,
};

use super::distribute::first_term;
use super::hoist::{loops, ranges_at};
use crate::analysis::access::{Accesses, Event, Write, Written};
use crate::analysis::{Bodies, BodyEvents};
use crate::build::{ScopeTree, same_reference, subscripts_of};
use crate::transform::tangent::reads::reads;

/// The procedures of `bodies` that are split without being asked.
pub(super) fn thrifty(accesses: &Accesses<'_>, bodies: &Bodies<'_>) -> HashSet<ProcId> {
    let doc = accesses.doc();
    let cheap = |body: &&BodyEvents<'_>| {
        let dimensions = snapshot(doc, body);
        dimensions > 0
            && is_leaf(body)
            && is_plain(accesses, body.proc)
            && records_at_most(doc, body.flow.cfg, dimensions)
    };
    bodies.iter().filter(cheap).map(|body| body.proc).collect()
}

/// The dimensions of the largest array argument that a procedure overwrites.
fn snapshot(doc: &Document, body: &BodyEvents<'_>) -> usize {
    let dummies: HashSet<SymbolId> =
        doc.procs[body.proc].args.iter().filter_map(|arg| arg.symbol).collect();
    let written = body.steps.iter().flat_map(|at| &at.events).filter_map(|event| match event {
        Event::Write(Write { place: Written::Ref(reference), .. }) => {
            Some(doc.refs[*reference].base)
        }
        Event::Write(Write { place: Written::Symbol(symbol), .. }) => Some(*symbol),
        Event::Read(..)
        | Event::Call(_)
        | Event::Allocate(_)
        | Event::Release { .. }
        | Event::Associate(_)
        | Event::Anything => None,
    });
    let kept = |symbol: &SymbolId| {
        let intent = doc.symbols[*symbol].decl.as_deref().and_then(|decl| decl.intent);
        dummies.contains(symbol) && intent != Some(Intent::Out)
    };
    let ranks = written.filter(kept).filter_map(|symbol| doc.symbols[symbol].rank);
    ranks.max().map_or(0, usize::from)
}

fn is_leaf(body: &BodyEvents<'_>) -> bool {
    body.steps.iter().flat_map(|at| &at.events).all(|event| match event {
        Event::Read(..) | Event::Write(_) => true,
        Event::Call(_)
        | Event::Allocate(_)
        | Event::Release { .. }
        | Event::Associate(_)
        | Event::Anything => false,
    })
}

/// Whether all variables of a procedure are numbers, truth values or arrays of them that live as long as
/// a call does.
fn is_plain(accesses: &Accesses<'_>, proc: ProcId) -> bool {
    let (doc, statics) = (accesses.doc(), accesses.storage().procedures());
    let plain = |&symbol: &SymbolId| {
        let Some(decl) = doc.symbols[symbol].decl.as_deref() else { return true };
        let indirect = [Attr::Pointer, Attr::Allocatable, Attr::Save, Attr::Optional, Attr::Value];
        !matches!(decl.role, Role::Variable)
            || decl.attrs.contains(&Attr::Parameter)
            || matches!(
                decl.spec.base(),
                Base::Integer(_) | Base::Real(_) | Base::Complex(_) | Base::Logical(_)
            ) && !statics.is_static(symbol)
                && !decl.attrs.iter().any(|attr| indirect.contains(attr))
    };
    let scopes = ScopeTree::new(doc).inside(doc.procs[proc].scope);
    scopes.iter().flat_map(|&scope| &doc.scopes[scope].symbols).all(plain)
}

/// Whether no assignment is executed more often than `dimensions` counted loops do.
fn records_at_most(doc: &Document, cfg: &Cfg, dimensions: usize) -> bool {
    let all = loops(doc, cfg);
    let counted =
        |kind: &VertexKind| matches!(kind, VertexKind::ForLoop { form: ForForm::Counted, .. });
    let heads = cfg.layout.iter().filter(|&&vertex| counted(&cfg.vertices[vertex].kind)).count();
    if cfg.structured == Some(false) || heads != all.len() {
        return false;
    }
    cfg.layout.iter().enumerate().all(|(position, &vertex)| match &cfg.vertices[vertex].kind {
        VertexKind::BasicBlock { stmts, .. } => {
            let around: Vec<SymbolId> =
                ranges_at(&all, position).iter().map(|range| range.variable).collect();
            stmts.iter().all(|&stmt| repeated(doc, stmt, &around) <= dimensions)
        }
        VertexKind::ForLoop { form, .. } => matches!(form, ForForm::Counted),
        VertexKind::Entry(entered) => entered.is_none(),
        VertexKind::Exit
        | VertexKind::Branch { .. }
        | VertexKind::EndBranch
        | VertexKind::EndLoop => true,
        VertexKind::PreLoop { .. }
        | VertexKind::PostLoop { .. }
        | VertexKind::ConcurrentLoop { .. }
        | VertexKind::Goto(_)
        | VertexKind::Label { .. } => false,
    })
}

/// How many of the loops around a statement multiply what it records.
fn repeated(doc: &Document, stmt: StmtId, around: &[SymbolId]) -> usize {
    let (lhs, rhs) = match doc.stmts[stmt].kind {
        StmtKind::Assign { lhs, rhs, defined: None } => (lhs, rhs),
        StmtKind::Comment(_) => return 0,
        StmtKind::Assign { .. }
        | StmtKind::PointerAssign { .. }
        | StmtKind::Call(_)
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_) => return usize::MAX,
    };
    let own = first_term(doc, rhs);
    // What is summed is needed in none of the rounds but the last.
    if own.is_some_and(|own| same_reference(doc, own, lhs)) {
        around.iter().filter(|&&variable| is_named(doc, lhs, variable)).count()
    } else {
        around.len() + usize::from(doc.refs[lhs].ty.rank)
    }
}

/// Whether a variable stands in the subscripts of a reference.
fn is_named(doc: &Document, reference: RefId, variable: SymbolId) -> bool {
    subscripts_of(&doc.refs[reference]).into_iter().any(|index| reads(doc, index, variable))
}
