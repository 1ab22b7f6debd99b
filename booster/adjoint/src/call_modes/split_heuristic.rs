//! Which procedures are split without being asked, as that costs no more tape than a snapshot.
//!
//! A joint call costs a snapshot of what the procedure overwrites, and a second execution. Where what
//! the procedure itself records is no more than that, splitting its calls saves the second execution
//! for nothing (paper 3, section 3.5, names the two costs). The model is one of orders of
//! magnitude, as extents are not known: a snapshot has as many dimensions as the largest array
//! argument that is overwritten, and an assignment has as many as there are counted loops around it. So
//! a procedure is split if it
//!
//! - calls nothing, or records less than a snapshot in what it calls as well: what is below it is recorded for all of its
//!   calls at once;
//! - overwrites an array, an argument or a variable of a module;
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

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{
    Attr, Base, Cfg, Document, ExprId, ForForm, Intent, Nest, ProcId, RefId, Role, ScopeKind,
    StmtId, StmtKind, SymbolId, VertexKind,
};

use crate::body::statements;
use crate::queries::expressions::{first_term, read_by};
use crate::queries::result_partials::requires_result;
use booster_build::{same_reference, subscripts_of};
use booster_facts::access::{Accesses, Event, Write, Written};
use booster_facts::loops::{Loop, loops, ranges_at};
use booster_facts::{Bodies, BodyEvents, StepAt};
use booster_flow::Step;
use booster_linearize::needed;
use booster_rules::Catalogue;
use booster_tangent::reads::reads;

/// More dimensions than an array can have.
const MOST_DIMENSIONS: usize = 16;

/// The procedures of `bodies` that are split without being asked.
pub(crate) fn auto_split(
    accesses: &Accesses<'_>,
    bodies: &Bodies<'_>,
    catalogue: &Catalogue,
) -> HashSet<ProcId> {
    let mut costs: HashMap<ProcId, usize> = HashMap::new();
    let mut found = HashSet::new();
    let (graph, tree) = (bodies.call_graph(accesses), accesses.doc().nest());
    for component in graph.bottom_up().flatten() {
        // Nothing is told of procedures that call each other.
        let ([proc], Some(body)) = (&component[..], component.first().and_then(|&p| bodies.get(p)))
        else {
            continue;
        };
        let (leaf, plain) = (is_leaf(body), is_plain(accesses, &tree, *proc));
        let written = written(accesses.doc(), body, leaf);
        let own = Leaf::new(accesses, catalogue, body, &costs);
        let snapshot = own.snapshot(&written);
        let records = own.records().filter(|_| plain);
        let split = match records {
            None => false,
            Some(_) if leaf => !written.is_empty() && own.is_cheap(&written),
            Some(records) => records < snapshot,
        };
        if split {
            found.insert(*proc);
        }
        // A call records what its procedure does, or a snapshot.
        let cost = if split { records.unwrap_or(snapshot) } else { snapshot };
        costs.insert(*proc, cost);
    }
    found
}

/// The arguments that a procedure overwrites, and variables of modules unless `only_arguments`.
fn written(doc: &Document, body: &BodyEvents<'_>, only_arguments: bool) -> HashSet<SymbolId> {
    let dummies: HashSet<SymbolId> =
        doc.procs[body.proc].args.iter().filter_map(|arg| arg.symbol).collect();
    let is_of_module = |symbol: SymbolId| {
        matches!(doc.scopes[doc.symbols[symbol].scope].kind, ScopeKind::Module(_))
    };
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
    let counts =
        |symbol: &SymbolId| dummies.contains(symbol) || !only_arguments && is_of_module(*symbol);
    written.filter(counts).collect()
}

fn is_leaf(body: &BodyEvents<'_>) -> bool {
    body.steps.iter().flat_map(|at| &at.events).all(|event| match event {
        Event::Read(..) | Event::Write(_) | Event::Ask(..) => true,
        Event::Call(_)
        | Event::Allocate(_)
        | Event::Release { .. }
        | Event::Associate(_)
        | Event::Reshape(_)
        | Event::Anything => false,
    })
}

/// Whether all variables of a procedure are numbers, truth values or arrays of them that live as long as
/// a call does.
fn is_plain(accesses: &Accesses<'_>, tree: &Nest, proc: ProcId) -> bool {
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
    let scopes = tree.inside(doc.procs[proc].scope);
    scopes.iter().flat_map(|&scope| &doc.scopes[scope].symbols).all(plain)
}

/// What a procedure that calls nothing may record.
struct Leaf<'a, 'd> {
    accesses: &'a Accesses<'d>,
    catalogue: &'a Catalogue,
    cfg: &'a Cfg,
    /// The dimensions of what the calls of each statement record.
    calls: HashMap<StmtId, usize>,
    /// The variables whose values adjoints, conditions and bounds of it read.
    asked: HashSet<SymbolId>,
}

impl<'a, 'd> Leaf<'a, 'd> {
    fn new(
        accesses: &'a Accesses<'d>,
        catalogue: &'a Catalogue,
        body: &BodyEvents<'a>,
        costs: &HashMap<ProcId, usize>,
    ) -> Self {
        let (doc, cfg) = (accesses.doc(), body.flow.cfg);
        let calls = calls(accesses, body, costs);
        let mut leaf = Leaf { accesses, catalogue, cfg, calls, asked: HashSet::new() };
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

    /// The dimensions of a snapshot of what is overwritten.
    fn snapshot(&self, written: &HashSet<SymbolId>) -> usize {
        let doc = self.accesses.doc();
        let kept = |symbol: &&SymbolId| {
            let intent = doc.symbols[**symbol].decl.as_deref().and_then(|decl| decl.intent);
            intent != Some(Intent::Out)
        };
        let ranks = written.iter().filter(kept).filter_map(|&symbol| doc.symbols[symbol].rank);
        ranks.max().map_or(0, usize::from)
    }

    /// The dimensions of what it records, if that is known.
    fn records(&self) -> Option<usize> {
        let all = loops(self.accesses.doc(), self.cfg);
        (0..=MOST_DIMENSIONS).find(|&dimensions| self.records_at_most(&all, dimensions))
    }

    /// Whether what it records is no more than a snapshot of what it overwrites of `written`.
    fn is_cheap(&self, written: &HashSet<SymbolId>) -> bool {
        let doc = self.accesses.doc();
        let dimensions = self.snapshot(written);
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
            StmtKind::Call(_) => {
                return self.calls.get(&stmt).copied().unwrap_or(0).saturating_add(around.len());
            }
            StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
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
        let of_calls = self.calls.get(&stmt).copied().unwrap_or(0);
        if of_calls > 0 {
            return of_calls
                .saturating_add(around.len())
                .max(around.len() + usize::from(doc.refs[lhs].ty.rank));
        }
        if !self.asked.contains(&doc.refs[lhs].base) {
            return 0;
        }
        // What is summed is needed in none of the iterations but the last.
        if is_sum(doc, lhs, rhs) {
            around.iter().filter(|&&variable| is_named(doc, lhs, variable)).count()
        } else {
            around.len() + usize::from(doc.refs[lhs].ty.rank)
        }
    }
}

/// The dimensions of what the calls of each statement record, where there are some.
fn calls(
    accesses: &Accesses<'_>,
    body: &BodyEvents<'_>,
    costs: &HashMap<ProcId, usize>,
) -> HashMap<StmtId, usize> {
    let doc = accesses.doc();
    let cost = |proc: ProcId| costs.get(&proc).copied().unwrap_or(usize::MAX);
    let of_event = |event: &Event<'_>| match event {
        Event::Call(call) if call.targets.unknown || !call.targets.outside.is_empty() => {
            Some(usize::MAX)
        }
        Event::Call(call) => call.targets.bodies.iter().map(|entry| cost(entry.proc)).max(),
        Event::Allocate(_)
        | Event::Release { .. }
        | Event::Associate(_)
        | Event::Reshape(_)
        | Event::Anything => Some(usize::MAX),
        Event::Read(..) | Event::Write(_) | Event::Ask(..) => None,
    };
    let of_step = |at: &StepAt<'_>| {
        let Step::Stmt(stmt) = at.step else { return None };
        let is_intrinsic = matches!(&doc.stmts[stmt].kind, StmtKind::Call(call)
            if doc.is_intrinsic(call.callee.symbol));
        let told = at.events.iter().filter_map(of_event).max();
        Some((stmt, if is_intrinsic { usize::MAX } else { told? }))
    };
    body.steps.iter().filter_map(of_step).collect()
}

fn is_sum(doc: &Document, lhs: RefId, rhs: ExprId) -> bool {
    first_term(doc, rhs).is_some_and(|own| same_reference(doc, own, lhs))
}

/// Whether a variable stands in the subscripts of a reference.
fn is_named(doc: &Document, reference: RefId, variable: SymbolId) -> bool {
    subscripts_of(&doc.refs[reference]).into_iter().any(|index| reads(doc, index, variable))
}
