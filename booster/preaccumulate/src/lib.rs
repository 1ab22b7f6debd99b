//! Preaccumulation: the local Jacobians of runs of assignments, by elimination (paper 2, section 3).
//!
//! Consecutive assignments of a basic block are one local function. What is left of them are the
//! assignments themselves, now passive; the accumulation of their local Jacobian, assignments to passive
//! variables; and one `DerivativePropagator`, with a step for each variable whose derivative is
//! needed behind the run. So derivatives of intermediate values are computed nowhere, and an adjoint
//! needs the entries of the Jacobian where it needed operands. The document computes the same values and
//! the same derivatives; tangent and adjoint take a step for the assignment of a sum of products.
//!
//! Assignments to arrays take part as far as they are elementwise, and complex numbers as far as functions of
//! them do. Not touched: calls, rules of arrays, what makes real numbers of complex ones, memory, pointer
//! assignments, masks, input and output, and propagators of other tools. Leaving the stage out leaves the derivatives of single statements.
//!
//! - `runs`: what a run is. `places`: which references mean the same. `outputs`: what is read behind it.
//! - `shape`: what temporary arrays are. `graph`: its linearised computational graph. `pays`: whether it is.
//! - `choices`: which entries are 0 because something was not chosen.
//! - `steps`: the order of the propagator. `write`: statements. `report`: what it all costs.
//! - `dump`: the graphs alone.

mod choices;
mod dump;
pub mod graph;
mod outputs;
mod passes;
mod pays;
pub mod places;
mod report;
mod runs;
mod shape;
pub mod steps;
mod write;

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

use elimination::portfolio::{Missed, Tried};
use elimination::{Begun, Choice, Graph, Scale};
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{
    Allocate, Document, ExprId, LocalJacobian, Place, ProcId, ProcKind, RefId, Release, StmtId,
    StmtKind, VertexKind,
};

pub use dump::graphs;
pub use report::Told;

use booster_build::{Emitter, nodes_of, rewrite_blocks, whole};
use booster_facts::externals::Externals;
use booster_facts::side_effects::SideEffects;
use booster_facts::{Accesses, Bodies, Storage};
use booster_passes::{Observer, Selection, run};
use booster_rules::Catalogue;
use booster_shadow::derivative::Types;
use graph::Local;
use outputs::Behind;
pub use passes::list;
use passes::{PREACCUMULATE, Work};
use pays::{Costs, Repeats, Rounds};
use report::Report;
use runs::{Finder, Run};
use shape::{Extents, Shapes};
use write::{Names, Written};

/// What a user may choose.
#[derive(Clone, Debug)]
pub struct Options {
    /// How Jacobians are accumulated.
    pub choice: Choice,
    /// Whether each assignment is a local function of its own.
    pub per_statement: bool,
    /// Whether it is done without asking whether it pays.
    pub always: bool,
    /// In how many directions tangents will be computed: so often the Jacobian is used. `None`: an adjoint
    /// may come next.
    pub directions: Option<u32>,
    /// What an adjoint records.
    pub store: Store,
    /// Whether partial derivatives that are values of variables get variables of their own (paper 2,
    /// equation 4).
    pub named: bool,
    /// What is known of procedures whose source is not given.
    pub externals: Externals,
    /// The rules by which intrinsics are differentiated.
    pub catalogue: Catalogue,
    /// The passes that are executed.
    pub selection: Selection,
}

/// What an adjoint records of a local Jacobian.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Store {
    /// Its entries, as far as they are overwritten before they are needed (paper 2, equation 5).
    #[default]
    Entries,
    /// What the accumulation reads: the backward sweep accumulates again.
    Operands,
    /// For each run what costs less.
    Auto,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            choice: Choice::default(),
            per_statement: false,
            always: false,
            directions: None,
            store: Store::Entries,
            named: false,
            externals: Externals::new(),
            catalogue: Catalogue::standard(),
            selection: Selection::default(),
        }
    }
}

/// Replaces the derivatives of runs of assignments by local Jacobians. The result are warnings.
///
/// The document is brought into canonical form first ([`canonicalize`](booster_canonical::canonicalize)). Where activity facts are
/// absent, every real variable is active.
///
/// # Errors
/// Those of the canonical form; `doc` is then of no use.
pub fn preaccumulate(doc: &mut Document, options: &Options) -> Result<Diagnostics, Diagnostics> {
    Ok(preaccumulate_and_report(doc, options, Told::default())?.warnings)
}

/// What has been done.
#[derive(Clone, Debug)]
pub struct Done {
    /// What the user should know.
    pub warnings: Diagnostics,
    /// What was asked for; empty if nothing was.
    pub report: String,
    /// How many members of the portfolio were tried on each run.
    pub begun: Begun,
}

/// As [`preaccumulate`], with a text of what is asked for: what each run costs by every technique and heuristic
/// and all of them together, the eliminations of each run and the arithmetic that they lead to.
///
/// # Errors
/// As [`preaccumulate`].
pub fn preaccumulate_and_report(
    doc: &mut Document,
    options: &Options,
    told: Told,
) -> Result<Done, Diagnostics> {
    observed(doc, options, told, &mut ())
}

/// As [`preaccumulate_and_report`]; `observer` sees the document behind each pass of [`list`].
///
/// # Errors
/// Those of [`preaccumulate`] and of the observer.
pub fn observed(
    doc: &mut Document,
    options: &Options,
    told: Told,
    observer: &mut dyn Observer,
) -> Result<Done, Diagnostics> {
    let mut work = Work::new(options, told);
    run(PREACCUMULATE, doc, &mut work, (&options.selection, observer))?;
    Ok(work.done())
}

/// The runs of a procedure, in whatever state of what is done to them.
type Of<R> = (ProcId, Shapes, Vec<R>);

/// A run with its graph and how that is eliminated.
struct Ready<'c> {
    run: Run<'c>,
    behind: Behind,
    rounds: Rounds,
    local: Local,
    tried: Tried,
    missed: Vec<Missed>,
}

/// The eliminations of all runs: a portfolio is tried on all of them together, so that a budget holds for the
/// whole document.
fn eliminate<'c>(
    doc: &mut Document,
    storage: &Storage,
    found: Vec<Of<Found<'c>>>,
    options: &Options,
) -> (Vec<Of<Ready<'c>>>, Begun) {
    let mut locals = Vec::new();
    for (run, behind, _) in found.iter().flat_map(|(.., runs)| runs) {
        locals.push(graph::graph(doc, storage, run, &behind.live, options.named).ok());
    }
    let graphs: Vec<&Graph> = locals.iter().flatten().map(|local| &local.graph).collect();
    let (eliminations, begun) = options.choice.eliminations(&graphs, Scale::MANY, false);
    let (mut locals, mut eliminations) = (locals.into_iter(), eliminations.into_iter());
    let mut ready = |(run, behind, rounds): Found<'c>| {
        let local = locals.next().flatten()?;
        let mut of_run = eliminations.next()?;
        let missed = std::mem::take(&mut of_run.missed);
        Some(Ready { run, behind, rounds, local, tried: of_run.cheapest()?, missed })
    };
    let mut of = |(proc, shapes, runs): Of<Found<'c>>| {
        (proc, shapes, runs.into_iter().filter_map(&mut ready).collect())
    };
    (found.into_iter().map(&mut of).collect(), begun)
}

/// A run with what happens behind it, and how often it is executed.
type Found<'c> = (Run<'c>, Behind, Rounds);

/// The runs of all procedures that are differentiated.
fn find<'c>(doc: &Document, storage: &Storage, options: &'c Options) -> Vec<Of<Found<'c>>> {
    let accesses = Accesses::new(doc, storage);
    let bodies = Bodies::new(&accesses);
    let effects = SideEffects::new(&accesses, &bodies, &options.externals);
    let analysed = doc.procs.values().any(|proc| proc.active.is_some());
    let types = Types::new(doc);
    let finder = Finder {
        doc,
        accesses: &accesses,
        storage,
        types: &types,
        catalogue: &options.catalogue,
        analysed,
        per_statement: options.per_statement,
    };
    let mut all = Vec::new();
    for body in bodies.iter() {
        let data = &doc.procs[body.proc];
        let concerned = data.active.unwrap_or(data.kind != ProcKind::Program && !analysed);
        if !concerned {
            continue;
        }
        let extents = Extents::new(doc, storage, body.proc, effects.of(body.proc));
        let mut shapes = Shapes::default();
        let repeats = Repeats::new(doc, body.flow.cfg);
        let mut runs = Vec::new();
        for &vertex in &body.flow.cfg.layout {
            if let VertexKind::BasicBlock { stmts, .. } = &body.flow.cfg.vertices[vertex].kind {
                let own = finder.runs(body, (&extents, &mut shapes), stmts);
                if !own.is_empty() {
                    let rounds = repeats.of(vertex);
                    runs.extend(own.into_iter().map(|run| (run, rounds)));
                }
            }
        }
        let ends: HashSet<StmtId> =
            runs.iter().filter_map(|(run, _)| run.items.last()).map(|item| item.stmt).collect();
        let behind = outputs::behind(&accesses, body, &options.externals, &effects, &ends);
        let found = runs.into_iter().filter_map(|(run, rounds)| {
            let end = run.items.last()?.stmt;
            let behind = behind.get(&end)?.clone();
            Some((run, behind, rounds))
        });
        all.push((body.proc, shapes, found.collect()));
    }
    all
}

/// Rewrites the runs of a procedure; whether there was one to be rewritten.
fn procedure(
    doc: &mut Document,
    storage: &Storage,
    (proc, shapes): (ProcId, &Shapes),
    runs: Vec<Ready<'_>>,
    (options, report): (&Options, &mut Report),
) -> bool {
    let scope = doc.procs[proc].scope;
    let mut names = Names::new(doc, scope);
    let mut before = HashMap::new();
    let mut allocated: HashMap<StmtId, Vec<RefId>> = HashMap::new();
    let mut values: HashSet<StmtId> = HashSet::new();
    let mut behind: HashMap<StmtId, Written> = HashMap::new();
    for ready in &runs {
        let run = &ready.run;
        let Some(end) = run.items.last().map(|item| item.stmt) else { continue };
        let how = (options, &mut *report);
        let Some(mut written) = one(doc, storage, shapes, ready, &mut names, how) else {
            continue;
        };
        before.extend(std::mem::take(&mut written.before));
        if let Some(first) = written.allocated_before {
            allocated.insert(first, written.allocated.clone());
        }
        let assigned = run.items.iter().filter(|item| item.assignment.is_some());
        values.extend(assigned.map(|item| item.stmt));
        behind.insert(end, written);
    }
    if behind.is_empty() {
        return false;
    }
    let done: Result<(), Infallible> = rewrite_blocks(doc, proc, |e, stmt| {
        let place = e.doc.stmts[stmt].place;
        allocate(e, allocated.remove(&stmt).unwrap_or_default(), place);
        for (target, value) in before.remove(&stmt).unwrap_or_default() {
            let entry = e.assign(target, value, place);
            e.doc.stmts[entry].local_jacobian = Some(LocalJacobian::Entry);
        }
        if values.contains(&stmt) {
            e.doc.stmts[stmt].local_jacobian = Some(LocalJacobian::Value);
        }
        e.push(stmt);
        if let Some(written) = behind.remove(&stmt) {
            if written.allocated_before.is_none() {
                allocate(e, written.allocated.clone(), place);
            }
            for (target, value) in written.behind {
                let entry = e.assign(target, value, place);
                e.doc.stmts[entry].local_jacobian = Some(written.part);
            }
            let propagator = e.stmt(StmtKind::Propagate(written.steps), place);
            e.doc.stmts[propagator].local_jacobian = Some(LocalJacobian::Propagator);
            release(e, &written.allocated, place);
        }
        Ok(())
    });
    match done {
        Ok(()) => true,
        Err(never) => match never {},
    }
}

/// Allocates variables for a run, with their extents.
fn allocate(e: &mut Emitter<'_>, objects: Vec<RefId>, place: Place) {
    if !objects.is_empty() {
        let (spec, stat, errmsg, source, mold) = (None, None, None, None, None);
        let allocate = Allocate { spec, objects, stat, errmsg, source, mold };
        let stmt = e.stmt(StmtKind::Allocate(Box::new(allocate)), place);
        e.doc.stmts[stmt].local_jacobian = Some(LocalJacobian::Memory);
    }
}

/// Releases variables that were allocated for a run.
fn release(e: &mut Emitter<'_>, allocated: &[RefId], place: Place) {
    if !allocated.is_empty() {
        let whole = |&object: &RefId| {
            let active = e.doc.refs[object].active;
            let released = whole(e.doc, e.doc.refs[object].base, place);
            e.doc.refs[released].active = active;
            released
        };
        let objects = allocated.iter().map(whole).collect();
        let release = Release { nullify: false, objects, stat: None, errmsg: None };
        let stmt = e.stmt(StmtKind::Release(Box::new(release)), place);
        e.doc.stmts[stmt].local_jacobian = Some(LocalJacobian::Memory);
    }
}

/// What is written for a run; `None` where it stays as it is.
fn one(
    doc: &mut Document,
    storage: &Storage,
    shapes: &Shapes,
    ready: &Ready<'_>,
    names: &mut Names,
    (options, report): (&Options, &mut Report),
) -> Option<Written> {
    let Ready { run, behind, rounds, local, tried, missed } = ready;
    let place: Place = run.items.first().map(|item| doc.stmts[item.stmt].place)?;
    let accumulation = &tried.elimination.accumulation;
    let costs = Costs { doc, storage, run, local, accumulation, behind, rounds: *rounds };
    let again = match options.store {
        Store::Entries => false,
        Store::Operands => true,
        Store::Auto => costs.operands_are_cheaper(),
    };
    let pays = options.always || costs.pays(options.directions, again);
    if report.is_wanted() {
        let spot = doc.spot(place).map(|spot| spot.to_string()).unwrap_or_default();
        report.add(&spot, &local.graph, &options.choice, (tried, missed), pays);
    }
    if !pays {
        return None;
    }
    let how = (accumulation, again);
    let mut written = write::write(doc, (shapes, place), run, local, how, names);
    // What overwrites what it reads cannot be executed again; then entries are recorded.
    written.part = match again && can_be_repeated(doc, &written.behind) {
        true => LocalJacobian::Again,
        false => LocalJacobian::Entry,
    };
    Some(written)
}

/// Whether assignments compute the same when they are executed once more: what one reads that none
/// before it has assigned, none overwrites.
fn can_be_repeated(doc: &Document, assignments: &[(RefId, ExprId)]) -> bool {
    let (mut assigned, mut read) = (HashSet::new(), HashSet::new());
    assignments.iter().all(|&(lhs, rhs)| {
        let nodes = nodes_of(doc, [rhs]).into_iter();
        let names = nodes.filter_map(|node| doc.exprs[node].reference());
        read.extend(names.map(|r| doc.refs[r].base).filter(|base| !assigned.contains(base)));
        let base = doc.refs[lhs].base;
        let fits = assigned.contains(&base) || !read.contains(&base);
        assigned.insert(base);
        fits
    })
}
