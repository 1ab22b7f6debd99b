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
//!   do not name count for nothing. Nor does one to a variable whose value no adjoint in the procedure
//!   reads, as then nobody records what it overwrites;
//! - is structured, with counted loops alone, and has variables of intrinsic types that are neither
//!   allocatable nor pointers nor saved, so that all of them can go from one half to the other.
//!
//! One that overwrites scalar arguments alone (`q`, summed over an array) is split by the same rules if
//! it has a loop, which would be executed twice, and no more assignments that record than such arguments.
//!
//! A leaf with a loop over time in it is not: it records a state for each step, in joint mode for one
//! call at a time.

use std::collections::HashSet;

use xaif_schema::model::{
    Attr, Base, Cfg, Document, ExprId, ForForm, Intent, ProcId, RefId, Role, StmtId, StmtKind,
    SymbolId, VertexKind,
};

use super::body::statements;
use super::distribute::{first_term, read_by};
use super::in_place::requires_result;
use booster_build::{ScopeTree, same_reference, subscripts_of};
use booster_facts::access::{Accesses, Event, Write, Written};
use booster_facts::loops::{Loop, loops, ranges_at};
use booster_facts::{Bodies, BodyEvents};
use booster_linearize::needed;
use booster_rules::Catalogue;
use booster_tangent::reads::reads;

/// The procedures of `bodies` that are split without being asked.
pub(super) fn thrifty(
    accesses: &Accesses<'_>,
    bodies: &Bodies<'_>,
    catalogue: &Catalogue,
) -> HashSet<ProcId> {
    let cheap = |body: &&BodyEvents<'_>| {
        let written = written_arguments(accesses.doc(), body);
        !written.is_empty()
            && is_leaf(body)
            && is_plain(accesses, body.proc)
            && Leaf::new(accesses, catalogue, body).is_cheap(&written)
    };
    bodies.iter().filter(cheap).map(|body| body.proc).collect()
}

/// The arguments that a procedure overwrites.
fn written_arguments(doc: &Document, body: &BodyEvents<'_>) -> HashSet<SymbolId> {
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
        | Event::Ask(..)
        | Event::Reshape(_)
        | Event::Anything => None,
    });
    written.filter(|symbol| dummies.contains(symbol)).collect()
}

fn is_leaf(body: &BodyEvents<'_>) -> bool {
    body.steps.iter().flat_map(|at| &at.events).all(|event| match event {
        Event::Read(..) | Event::Write(_) => true,
        Event::Call(_)
        | Event::Allocate(_)
        | Event::Release { .. }
        | Event::Associate(_)
        | Event::Ask(..)
        | Event::Reshape(_)
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
            || decl.has(Attr::Parameter)
            || matches!(
                decl.spec.base(),
                Base::Integer(_) | Base::Real(_) | Base::Complex(_) | Base::Logical(_)
            ) && !statics.is_static(symbol)
                && !decl.attrs.iter().any(|attr| indirect.contains(attr))
    };
    let scopes = ScopeTree::new(doc).inside(doc.procs[proc].scope);
    scopes.iter().flat_map(|&scope| &doc.scopes[scope].symbols).all(plain)
}

/// What a procedure that calls nothing may record.
struct Leaf<'a, 'd> {
    accesses: &'a Accesses<'d>,
    catalogue: &'a Catalogue,
    cfg: &'a Cfg,
    /// The variables whose values adjoints, conditions and bounds of it read.
    asked: HashSet<SymbolId>,
}

impl<'a, 'd> Leaf<'a, 'd> {
    fn new(accesses: &'a Accesses<'d>, catalogue: &'a Catalogue, body: &BodyEvents<'a>) -> Self {
        let (doc, cfg) = (accesses.doc(), body.flow.cfg);
        let mut leaf = Leaf { accesses, catalogue, cfg, asked: HashSet::new() };
        let mut read: Vec<RefId> = Vec::new();
        for vertex in cfg.vertices.values() {
            match &vertex.kind {
                VertexKind::BasicBlock { stmts, .. } => {
                    read.extend(stmts.iter().flat_map(|&stmt| leaf.read_for(stmt)));
                }
                VertexKind::Branch { condition, .. } => {
                    read.extend(condition.iter().flat_map(|&expr| read_by(doc, expr)));
                }
                VertexKind::ForLoop { init, condition, .. } => {
                    read.extend(read_by(doc, *condition));
                    if let StmtKind::Assign { rhs, .. } = doc.stmts[*init].kind {
                        read.extend(read_by(doc, rhs));
                    }
                }
                VertexKind::Entry(_)
                | VertexKind::Exit
                | VertexKind::EndBranch
                | VertexKind::EndLoop
                | VertexKind::PreLoop { .. }
                | VertexKind::PostLoop { .. }
                | VertexKind::ConcurrentLoop { .. }
                | VertexKind::Goto(_)
                | VertexKind::Label { .. } => {}
            }
        }
        leaf.asked = read.into_iter().map(|reference| doc.refs[reference].base).collect();
        leaf
    }

    /// What the adjoint of a statement reads.
    fn read_for(&self, stmt: StmtId) -> Vec<RefId> {
        let doc = self.accesses.doc();
        let StmtKind::Assign { lhs, rhs, defined: None } = doc.stmts[stmt].kind else {
            return Vec::new();
        };
        if let Some(others) = self.reads_result(lhs, rhs) {
            return others.into_iter().chain([lhs]).collect();
        }
        let mut read: Vec<RefId> =
            subscripts_of(&doc.refs[lhs]).into_iter().flat_map(|i| read_by(doc, i)).collect();
        read.extend(match needed(doc, self.catalogue, lhs, rhs, &mut |_| true) {
            Ok(needed) => needed,
            Err(_) => read_by(doc, rhs),
        });
        read
    }

    fn reads_result(&self, lhs: RefId, rhs: ExprId) -> Option<Vec<RefId>> {
        let (doc, storage) = (self.accesses.doc(), self.accesses.storage());
        requires_result(doc, storage, self.catalogue, (lhs, rhs), &mut |_| true)
    }

    /// Whether what it records is no more than a snapshot of what it overwrites of `written`.
    fn is_cheap(&self, written: &HashSet<SymbolId>) -> bool {
        let doc = self.accesses.doc();
        let kept = |symbol: &&SymbolId| {
            let intent = doc.symbols[**symbol].decl.as_deref().and_then(|decl| decl.intent);
            intent != Some(Intent::Out)
        };
        let ranks = written.iter().filter(kept).filter_map(|&symbol| doc.symbols[symbol].rank);
        let dimensions = ranks.max().map_or(0, usize::from);
        let scalars = written.iter().all(|&symbol| doc.symbols[symbol].rank == Some(0));
        let all = loops(doc, self.cfg);
        match dimensions {
            0 => {
                scalars
                    && !all.is_empty()
                    && self.records_at_most(&all, 0)
                    && self.recording() <= written.len()
            }
            _ => self.records_at_most(&all, dimensions),
        }
    }

    /// How many assignments record something.
    fn recording(&self) -> usize {
        let doc = self.accesses.doc();
        let records = |&stmt: &StmtId| {
            let StmtKind::Assign { lhs, rhs, .. } = doc.stmts[stmt].kind else { return false };
            self.asked.contains(&doc.refs[lhs].base)
                && !is_sum(doc, lhs, rhs)
                && self.reads_result(lhs, rhs).is_none()
        };
        statements(self.cfg).filter(records).count()
    }

    /// Whether no assignment is executed more often than `dimensions` counted loops do.
    fn records_at_most(&self, all: &[Loop], dimensions: usize) -> bool {
        let (doc, cfg) = (self.accesses.doc(), self.cfg);
        let counted =
            |kind: &VertexKind| matches!(kind, VertexKind::ForLoop { form: ForForm::Counted, .. });
        let heads = cfg.layout.iter().filter(|&&vertex| counted(&cfg.vertices[vertex].kind));
        if cfg.structured == Some(false) || heads.count() != all.len() {
            return false;
        }
        cfg.layout.iter().enumerate().all(|(position, &vertex)| match &cfg.vertices[vertex].kind {
            VertexKind::BasicBlock { stmts, .. } => {
                let around: Vec<SymbolId> =
                    ranges_at(all, position).iter().map(|range| range.variable).collect();
                stmts.iter().all(|&stmt| self.repeated(doc, stmt, &around) <= dimensions)
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
    fn repeated(&self, doc: &Document, stmt: StmtId, around: &[SymbolId]) -> usize {
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
        if !self.asked.contains(&doc.refs[lhs].base) {
            return 0;
        }
        // What is summed is needed in none of the rounds but the last.
        if is_sum(doc, lhs, rhs) {
            around.iter().filter(|&&variable| is_named(doc, lhs, variable)).count()
        } else {
            around.len() + usize::from(doc.refs[lhs].ty.rank)
        }
    }
}

fn is_sum(doc: &Document, lhs: RefId, rhs: ExprId) -> bool {
    first_term(doc, rhs).is_some_and(|own| same_reference(doc, own, lhs))
}

/// Whether a variable stands in the subscripts of a reference.
fn is_named(doc: &Document, reference: RefId, variable: SymbolId) -> bool {
    subscripts_of(&doc.refs[reference]).into_iter().any(|index| reads(doc, index, variable))
}
