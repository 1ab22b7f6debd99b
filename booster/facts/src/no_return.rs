//! Calls from which control does not come back: the procedure that is called ends the program on each of its paths.
//!
//! STOP has a vertex from which no path leads on ([`Jump::Stop`]). [`mark`] puts one behind each such call, which
//! the text does not show. So whatever looks at a flow graph sees no path from there to the exit: nothing is recorded
//! for a backward sweep that does not begin, and no value is needed behind the call.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{
    ArgValue, Body, Cfg, Document, Jump, ProcClass, ProcId, Role, StmtId, StmtKind, SymbolId,
    Vertex, VertexId, VertexKind,
};

use super::Procedures;
use crate::externals::Externals;
use booster_flow::{Flow, Ways};

/// Procedures of libraries and extensions of the language that end the program.
const KNOWN: &[&str] = &[
    "_exit",
    "abort",
    "blacs_abort",
    "exit",
    "mpi_abort",
    "mpi_abort_f08",
    "pmpi_abort",
    "quick_exit",
    "shmem_global_exit",
];

/// Puts the end of the program behind each call that does not return. Marks that stand there already stay.
pub fn mark(doc: &mut Document, externals: &Externals) {
    // A document of XAIF 1.0 has no such vertices.
    if doc.is_xaif_1() {
        return;
    }
    let found = Endings::new(doc, externals);
    if found.calls.is_empty() {
        return;
    }
    for proc in doc.procs.keys().collect::<Vec<ProcId>>() {
        let Body::Flow(cfg) = &mut doc.procs[proc].body else { continue };
        let blocks: Vec<(VertexId, usize)> = {
            if !cfg.vertices.keys().any(|vertex| found.first_in(cfg, vertex).is_some()) {
                continue;
            }
            let flow = Flow::new(cfg);
            let reaching = flow.reaching_exit();
            let last = |vertex: VertexId| {
                let at = found.first_in(cfg, vertex)?;
                reaching[vertex].then_some((vertex, at))
            };
            cfg.vertices.keys().filter_map(last).collect()
        };
        for (vertex, at) in blocks {
            end_behind(cfg, vertex, at);
        }
    }
}

/// What a statement calls.
#[derive(Clone, Copy)]
enum Target {
    Known,
    Body(ProcId),
}

/// Where control is: behind so many statements of a vertex.
#[derive(Clone, Copy)]
struct At {
    proc: ProcId,
    vertex: VertexId,
    done: usize,
}

/// The statements that call what does not return.
struct Endings {
    calls: HashSet<StmtId>,
}

impl Endings {
    /// Follows control from all entries at once. It waits at a call until a path through the procedure that is called
    /// is found, so the calls at which it waits in the end do not return.
    fn new(doc: &Document, externals: &Externals) -> Self {
        let mut walk = Walk::new(doc, externals);
        while let Some(at) = walk.work.pop() {
            walk.step(at);
        }
        let mut calls = walk.known;
        calls.extend(walk.waiting.into_values().flatten().map(|(_, stmt)| stmt));
        Endings { calls }
    }

    /// The position of the first of the calls in a vertex.
    fn first_in(&self, cfg: &Cfg, vertex: VertexId) -> Option<usize> {
        statements(&cfg.vertices[vertex]).iter().position(|stmt| self.calls.contains(stmt))
    }
}

struct Walk<'a> {
    doc: &'a Document,
    externals: &'a Externals,
    procedures: Procedures,
    graphs: HashMap<ProcId, (&'a Cfg, Ways<'a>)>,
    seen: HashSet<(ProcId, VertexId)>,
    returning: HashSet<ProcId>,
    /// Who waits for a path through a procedure, and at which call.
    waiting: HashMap<ProcId, Vec<(At, StmtId)>>,
    /// Calls of library procedures that end the program.
    known: HashSet<StmtId>,
    work: Vec<At>,
}

impl<'a> Walk<'a> {
    fn new(doc: &'a Document, externals: &'a Externals) -> Self {
        let mut walk = Walk {
            doc,
            externals,
            procedures: Procedures::new(doc),
            graphs: HashMap::new(),
            seen: HashSet::new(),
            returning: HashSet::new(),
            waiting: HashMap::new(),
            known: HashSet::new(),
            work: Vec::new(),
        };
        for (proc, data) in &doc.procs {
            let Body::Flow(cfg) = &data.body else {
                walk.returning.insert(proc);
                continue;
            };
            walk.graphs.insert(proc, (cfg, Ways::of_control(cfg)));
            for (vertex, data) in &cfg.vertices {
                if matches!(data.kind, VertexKind::Entry(_)) {
                    walk.reach(proc, vertex);
                }
            }
        }
        walk
    }

    fn reach(&mut self, proc: ProcId, vertex: VertexId) {
        if self.seen.insert((proc, vertex)) {
            self.work.push(At { proc, vertex, done: 0 });
        }
    }

    /// Goes on to the end of the vertex, or to the first call from which control is not known to come back.
    fn step(&mut self, At { proc, vertex, done }: At) {
        let Some(cfg) = self.graphs.get(&proc).map(|(cfg, _)| *cfg) else { return };
        let data = &cfg.vertices[vertex];
        for (index, &stmt) in statements(data).iter().enumerate().skip(done) {
            match self.target(stmt) {
                Some(Target::Known) => {
                    self.known.insert(stmt);
                    return;
                }
                Some(Target::Body(callee)) if !self.returning.contains(&callee) => {
                    let behind = At { proc, vertex, done: index + 1 };
                    self.waiting.entry(callee).or_default().push((behind, stmt));
                    return;
                }
                Some(Target::Body(_)) | None => {}
            }
        }
        if matches!(data.kind, VertexKind::Exit) {
            if self.returning.insert(proc) {
                let waiting = self.waiting.remove(&proc).unwrap_or_default();
                self.work.extend(waiting.into_iter().map(|(at, _)| at));
            }
            return;
        }
        let next: Vec<VertexId> = match self.graphs.get(&proc) {
            Some((_, ways)) => ways.leaving(vertex).map(|edge| edge.target).collect(),
            None => Vec::new(),
        };
        next.into_iter().for_each(|next| self.reach(proc, next));
    }

    fn target(&self, stmt: StmtId) -> Option<Target> {
        let callee = called(self.doc, stmt)?;
        if let Some(entry) = self.procedures.executed(self.doc, callee) {
            return Some(Target::Body(entry.proc));
        }
        let told = self.externals.find(self.doc, callee).and_then(|external| external.returns);
        let name = self.doc.name(callee).to_lowercase();
        let ends = match told {
            Some(returns) => !returns,
            None => may_be_known(self.doc, callee) && KNOWN.contains(&&*name),
        };
        ends.then_some(Target::Known)
    }
}

fn statements(vertex: &Vertex) -> &[StmtId] {
    match &vertex.kind {
        VertexKind::BasicBlock { stmts, .. } => stmts,
        VertexKind::Entry(_)
        | VertexKind::Exit
        | VertexKind::Branch { .. }
        | VertexKind::EndBranch
        | VertexKind::ForLoop { .. }
        | VertexKind::PreLoop { .. }
        | VertexKind::PostLoop { .. }
        | VertexKind::ConcurrentLoop { .. }
        | VertexKind::EndLoop
        | VertexKind::Goto(_)
        | VertexKind::Label { .. } => &[],
    }
}

/// The name that a statement calls, if control goes on behind the statement and the call is executed in any case: an
/// elemental procedure is not executed for an array without elements.
fn called(doc: &Document, stmt: StmtId) -> Option<SymbolId> {
    let (callee, args) = match &doc.stmts[stmt].kind {
        StmtKind::Call(call) => (&call.callee, &call.args),
        StmtKind::Assign { rhs, defined: None, .. } => {
            let call = doc.exprs[*rhs].call()?;
            (&call.callee, &call.args)
        }
        StmtKind::Assign { defined: Some(_), .. }
        | StmtKind::PointerAssign { .. }
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_)
        | StmtKind::Comment(_) => return None,
    };
    let elsewhere = args.iter().any(|arg| matches!(arg.value, ArgValue::AlternateReturn(_)));
    let direct = callee.object.is_none() && !elsewhere && !doc.is_elemental(callee.symbol);
    direct.then_some(callee.symbol)
}

/// Whether a name without a body can be that of a procedure of a library or of the language.
fn may_be_known(doc: &Document, callee: SymbolId) -> bool {
    match doc.role(callee) {
        Some(Role::Procedure(info)) => match info.class {
            ProcClass::External
            | ProcClass::Intrinsic
            | ProcClass::Abstract
            | ProcClass::Module => true,
            ProcClass::Internal | ProcClass::Dummy | ProcClass::Pointer | ProcClass::Entry => false,
        },
        Some(Role::Unresolved { .. }) | None => true,
        Some(_) => false,
    }
}

/// Lets control end behind the statement at a position of a block; what follows there gets a block of its own.
fn end_behind(cfg: &mut Cfg, block: VertexId, at: usize) {
    let Some(exit) =
        cfg.layout.iter().copied().find(|&v| matches!(cfg.vertices[v].kind, VertexKind::Exit))
    else {
        return;
    };
    let place = cfg.vertices[block].place;
    let new = |kind| Vertex { kind, place, id: None, recorded: None };
    let rest = match &mut cfg.vertices[block].kind {
        VertexKind::BasicBlock { scope, stmts } => (*scope, stmts.split_off(at + 1)),
        _ => return,
    };
    let stop = cfg.vertices.push(new(VertexKind::Goto(Jump::Stop)));
    let mut added = vec![stop];
    let behind = match rest {
        (_, stmts) if stmts.is_empty() => stop,
        (scope, stmts) => {
            let rest = cfg.vertices.push(new(VertexKind::BasicBlock { scope, stmts }));
            added.push(rest);
            rest
        }
    };
    let position = cfg.layout.iter().position(|&vertex| vertex == block);
    let position = position.map_or(cfg.layout.len(), |position| position + 1);
    cfg.layout.splice(position..position, added);
    if behind == stop {
        // The way on from the block is none any more.
        for edge in cfg.edges.values_mut().filter(|edge| edge.source == block) {
            (edge.source, edge.target) = (stop, exit);
        }
    } else {
        cfg.edges.values_mut().filter(|edge| edge.source == block).for_each(|e| e.source = behind);
        cfg.connect(stop, exit);
    }
    cfg.connect(block, stop);
    cfg.structured = None;
}
