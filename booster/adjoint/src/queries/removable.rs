//! Statements that do nothing but compute: a sweep that needs no result of such a statement may leave it out.
//!
//! A statement that may allocate, release, associate, do input and output or end the program is none.

use std::collections::HashSet;

use xaif_schema::model::{
    ArgValue, Attr, Cfg, Document, Intent, Jump, ProcId, RefId, StmtId, StmtKind, SymbolId, Verb,
    VertexKind,
};

use crate::queries::designators::is_plain;
use booster_facts::{Accesses, Bodies, BodyEvents, Event};
use booster_flow::Step;

/// The statements that do nothing but compute.
pub(crate) struct Removable<'a> {
    /// Procedures that do nothing but compute.
    quiet: HashSet<ProcId>,
    /// Procedures that do nothing but compute, do input and output, and stop.
    computing: HashSet<ProcId>,
    /// Variables that assignments never allocate.
    allocated_elsewhere: Option<&'a HashSet<SymbolId>>,
}

impl<'a> Removable<'a> {
    /// Looks at all procedures. Adjoints, if there are any, are allocated by ALLOCATE alone.
    pub(crate) fn new(
        accesses: &Accesses<'_>,
        bodies: &Bodies<'_>,
        adjoints: Option<&'a HashSet<SymbolId>>,
    ) -> Self {
        let [quiet, computing] = [false, true].map(|talks| quiet(accesses, bodies, talks));
        Removable { quiet, computing, allocated_elsewhere: adjoints }
    }

    /// Whether a statement does nothing but give values to variables, besides what `again` says is executed
    /// once more.
    pub(crate) fn is_removable(
        &self,
        doc: &Document,
        stmt: StmtId,
        events: &[Event<'_>],
        again: bool,
    ) -> bool {
        let plain = match &doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, .. } => {
                let grows = is_allocatable_scalar(doc, *lhs);
                // Adjoints are allocated by ALLOCATE alone.
                let allocated = self
                    .allocated_elsewhere
                    .is_some_and(|known| known.contains(&doc.refs[*lhs].base));
                is_fixed(doc, *lhs) && (!grows || allocated)
            }
            StmtKind::Call(call) => {
                call.args.iter().all(|arg| matches!(arg.value, ArgValue::Expr(_)))
            }
            // Their assignments never allocate: the left sides are elements.
            StmtKind::Where(_) | StmtKind::Forall(_) => true,
            StmtKind::PointerAssign { .. }
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => false,
        };
        plain
            && doc.stmts[stmt].label.is_none()
            && events.iter().all(|event| match event {
                Event::Read(..) | Event::Write(_) | Event::Ask(..) | Event::Reshape(_) => true,
                Event::Call(site) => {
                    let targets = &site.targets;
                    !targets.unknown
                        && targets.outside.is_empty()
                        && !targets.bodies.is_empty()
                        && targets.bodies.iter().all(|entry| match again {
                            true => self.computing.contains(&entry.proc),
                            false => self.quiet.contains(&entry.proc),
                        })
                }
                Event::Allocate(_)
                | Event::Release { .. }
                | Event::Associate(_)
                | Event::Anything => false,
            })
            // An intrinsic subroutine may do more than its events tell.
            && (!matches!(doc.stmts[stmt].kind, StmtKind::Call(_))
                || events.iter().any(|event| matches!(event, Event::Call(_))))
    }
}

/// Whether an assignment cannot allocate an array.
fn is_fixed(doc: &Document, lhs: RefId) -> bool {
    use xaif_schema::model::{Base, Part};
    let reference = &doc.refs[lhs];
    let numbers = matches!(
        reference.ty.base,
        Base::Real(_) | Base::Complex(_) | Base::Integer(_) | Base::Logical(_)
    );
    let last = doc.refs[lhs].whole_entity();
    let grows = reference.ty.rank > 0
        && !matches!(reference.parts.last(), Some(Part::Elements(_)))
        && last.is_none_or(|symbol| doc.has(symbol, Attr::Allocatable));
    numbers && !grows
}

/// Whether an assignment to `lhs` allocates a scalar that is not allocated.
fn is_allocatable_scalar(doc: &Document, lhs: RefId) -> bool {
    let whole = doc.refs[lhs].whole_entity();
    doc.refs[lhs].ty.rank == 0 && whole.is_some_and(|symbol| doc.has(symbol, Attr::Allocatable))
}

/// Whether a procedure may end the program.
fn stops(cfg: &Cfg) -> bool {
    cfg.vertices.values().any(|vertex| matches!(vertex.kind, VertexKind::Goto(Jump::Stop)))
}

/// The procedures that neither do input and output nor end the program, unless `talks`, nor allocate, in what
/// they call neither.
fn quiet(accesses: &Accesses<'_>, bodies: &Bodies<'_>, talks: bool) -> HashSet<ProcId> {
    let doc = accesses.doc();
    let own = |body: &BodyEvents<'_>| {
        body.steps.iter().all(|at| {
            let harmless = match at.step {
                Step::Stmt(stmt) => match &doc.stmts[stmt].kind {
                    StmtKind::Marker(marker) => match marker.verb {
                        Verb::Format | Verb::Continue => true,
                        Verb::Io | Verb::Stop => talks && !marker.pessimistic,
                        Verb::Genuine
                        | Verb::Pause
                        | Verb::AssignLabel
                        | Verb::Return
                        | Verb::Opaque => false,
                    },
                    StmtKind::Allocate(_)
                    | StmtKind::Release(_)
                    | StmtKind::PointerAssign { .. }
                    | StmtKind::InlinableCall(_)
                    | StmtKind::Propagate(_) => false,
                    StmtKind::Call(_) => at.events.iter().any(|e| matches!(e, Event::Call(_))),
                    StmtKind::Assign { lhs, .. } => !gives_storage(accesses, body.proc, *lhs),
                    StmtKind::Where(_)
                    | StmtKind::Forall(_)
                    | StmtKind::OpenScope(_)
                    | StmtKind::CloseScope(_)
                    | StmtKind::Comment(_) => true,
                },
                Step::Enter(_) | Step::Evaluate(_) | Step::Concurrent(_) | Step::Leave => true,
            };
            let known = at.events.iter().all(|event| match event {
                Event::Call(site) => !site.targets.unknown && site.targets.outside.is_empty(),
                Event::Anything => false,
                Event::Ask(..)
                | Event::Reshape(_)
                | Event::Read(..)
                | Event::Write(_)
                | Event::Allocate(_)
                | Event::Release { .. }
                | Event::Associate(_) => true,
            });
            harmless && known
        }) && (talks || !stops(body.flow.cfg))
            && !releases_arguments(doc, body.proc)
    };
    let mut quiet: HashSet<ProcId> =
        bodies.iter().filter(|body| own(body)).map(|body| body.proc).collect();
    // What calls something that is not quiet is not quiet.
    loop {
        let loud: Vec<ProcId> = bodies
            .iter()
            .filter(|body| quiet.contains(&body.proc))
            .filter(|body| {
                body.steps.iter().flat_map(|at| &at.events).any(|event| match event {
                    Event::Call(site) => {
                        site.targets.bodies.iter().any(|entry| !quiet.contains(&entry.proc))
                    }
                    _ => false,
                })
            })
            .map(|body| body.proc)
            .collect();
        if loud.is_empty() {
            return quiet;
        }
        loud.iter().for_each(|proc| {
            quiet.remove(proc);
        });
    }
}

/// Whether an assignment may allocate what is not the procedure's own.
fn gives_storage(accesses: &Accesses<'_>, proc: ProcId, lhs: RefId) -> bool {
    let doc = accesses.doc();
    let base = doc.refs[lhs].base;
    let outlives = doc.symbols[base].scope != doc.procs[proc].scope
        || accesses.storage().procedures().dummy_of(base).is_some()
        || accesses.storage().procedures().is_static(base);
    let is_whole = doc.refs[lhs].whole_entity();
    let grows = is_whole.is_some_and(|symbol| doc.has(symbol, Attr::Allocatable));
    outlives && (grows || !is_plain(doc, doc.refs[lhs].ty.base))
}

/// Whether a call releases what it is given: allocatable INTENT(OUT) arguments, and allocatable components of such.
fn releases_arguments(doc: &Document, proc: ProcId) -> bool {
    let mut args = doc.procs[proc].args.iter().filter_map(|arg| arg.symbol);
    args.any(|symbol| {
        let decl = doc.symbols[symbol].decl.as_deref();
        decl.is_some_and(|decl| {
            decl.intent == Some(Intent::Out)
                && (decl.has(Attr::Allocatable) || !is_plain(doc, decl.spec.base()))
        })
    })
}
