//! What cannot be executed twice, or not be undone by giving variables of the caller their old values:
//! allocation and association of what outlives the procedure, input from files, their positions,
//! random numbers, clocks, procedures of which nothing is known. Who calls such a procedure is
//! one, too.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{
    Arg, ArgValue, Attr, Decl, Document, ExprKind, Intent, Marker, Part, Piece, ProcId, RefId,
    Reference, StmtId, StmtKind, Verb,
};

use booster_facts::access::{Accesses, CallSite, Event};
use booster_facts::components::holds_allocatable;
use booster_facts::externals::Externals;
use booster_facts::{Bodies, BodyEvents};
use booster_flow::Step;

/// The procedures that must be executed once, and those that call them.
pub(crate) fn once(
    accesses: &Accesses<'_>,
    bodies: &Bodies<'_>,
    externals: &Externals,
) -> HashSet<ProcId> {
    let look = Look { accesses, externals };
    let mut found = HashSet::new();
    let mut calls: HashMap<ProcId, Vec<ProcId>> = HashMap::new();
    let mut work = Vec::new();
    for body in bodies.iter() {
        let mut once = look.declares_output(body.proc);
        for at in body.steps.iter().filter(|at| !at.ends) {
            if let Step::Stmt(stmt) = at.step {
                once |= look.is_irrepeatable(body.proc, stmt);
            }
            for event in &at.events {
                once |= look.changes_shape(body, event);
                let Event::Call(call) = event else { continue };
                for callee in &call.targets.bodies {
                    calls.entry(callee.proc).or_default().push(body.proc);
                }
                once |= look.is_stranger(call);
            }
        }
        if once && found.insert(body.proc) {
            work.push(body.proc);
        }
    }
    while let Some(proc) = work.pop() {
        for &caller in calls.get(&proc).into_iter().flatten() {
            if found.insert(caller) {
                work.push(caller);
            }
        }
    }
    found
}

/// What the questions are put to.
struct Look<'a, 'd> {
    accesses: &'a Accesses<'d>,
    externals: &'a Externals,
}

impl<'d> Look<'_, 'd> {
    fn doc(&self) -> &'d Document {
        self.accesses.doc()
    }

    /// Dummy arguments that the procedure releases as it is entered.
    fn declares_output(&self, proc: ProcId) -> bool {
        let doc = self.doc();
        let symbols = doc.procs[proc].args.iter().filter_map(|arg| arg.symbol);
        symbols.into_iter().any(|symbol| {
            let out = |decl: &Decl| decl.intent == Some(Intent::Out);
            doc.has(symbol, Attr::Allocatable)
                && doc.symbols[symbol].decl.as_deref().is_some_and(out)
        })
    }

    /// Something that a second execution does not do alike.
    fn is_irrepeatable(&self, proc: ProcId, stmt: StmtId) -> bool {
        let doc = self.doc();
        match &doc.stmts[stmt].kind {
            StmtKind::Marker(marker) => reads_file(marker),
            StmtKind::Call(call) => {
                let name = doc.name(call.callee.symbol).to_ascii_lowercase();
                doc.is_intrinsic(call.callee.symbol)
                    && !matches!(name.as_str(), "mvbits")
                    && (name != "move_alloc" || self.moves_outer(proc, &call.args))
            }
            StmtKind::Assign { lhs, rhs, .. } => {
                // An assignment to the whole may allocate it, or what it consists of.
                let Reference { ty, .. } = doc.refs[*lhs];
                let whole =
                    doc.refs[*lhs].whole_entity().is_some_and(|s| doc.has(s, Attr::Allocatable));
                let gives = whole && (doc.exprs[*rhs].ty.rank > 0 || ty.rank == 0);
                (gives || holds_allocatable(doc, ty.base)) && self.outlives(proc, *lhs)
            }
            StmtKind::PointerAssign { .. }
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Comment(_) => false,
        }
    }

    fn moves_outer(&self, proc: ProcId, args: &[Arg]) -> bool {
        let doc = self.doc();
        args.iter().any(|arg| match arg.value {
            ArgValue::Expr(expr) => match doc.exprs[expr].kind {
                ExprKind::Ref(reference) => self.outlives(proc, reference),
                _ => false,
            },
            ArgValue::AlternateReturn(_) => false,
        })
    }

    fn changes_shape(&self, body: &BodyEvents<'_>, event: &Event<'_>) -> bool {
        match event {
            Event::Allocate(object) | Event::Release { object, .. } | Event::Associate(object) => {
                self.outlives(body.proc, *object)
            }
            Event::Anything => true,
            Event::Read(..)
            | Event::Write(_)
            | Event::Call(_)
            | Event::Ask(..)
            | Event::Reshape(_) => false,
        }
    }

    /// Whether the allocation or association of an object is there behind the procedure.
    fn outlives(&self, proc: ProcId, object: RefId) -> bool {
        let (doc, storage) = (self.doc(), self.accesses.storage());
        let reference = &doc.refs[object];
        let base = reference.base;
        let component = reference.parts.iter().any(|part| matches!(part, Part::Component { .. }));
        let behind_pointer = component && doc.has(base, Attr::Pointer);
        let procedures = storage.procedures();
        let own = storage.owner(doc, base) == Some(proc)
            && !procedures.is_static(base)
            && procedures.dummy_of(base).is_none();
        behind_pointer || !own
    }

    /// A call of something of which nobody has told that it does nothing but what its arguments show.
    fn is_stranger(&self, call: &CallSite<'_>) -> bool {
        let doc = self.doc();
        let targets = &call.targets;
        targets.unknown
            || targets.outside.iter().any(|&symbol| {
                let told = self.externals.find(doc, symbol);
                !doc.is_intrinsic(symbol)
                    && !doc.is_promised_pure(symbol)
                    && !told.is_some_and(|external| external.globals.is_some() || external.pure)
            })
    }
}

/// READ, OPEN, CLOSE and the like; statements that are not understood.
fn reads_file(marker: &Marker) -> bool {
    match marker.verb {
        Verb::Opaque => true,
        Verb::Io => {
            let text = marker.text.iter().find_map(|piece| match piece {
                Piece::Text(text) => Some(text.trim_start().to_ascii_lowercase()),
                _ => None,
            });
            let text = text.unwrap_or_default();
            !["write", "print", "flush"].iter().any(|word| text.starts_with(word))
        }
        Verb::Genuine
        | Verb::Format
        | Verb::Stop
        | Verb::Pause
        | Verb::Continue
        | Verb::AssignLabel
        | Verb::Return => false,
    }
}
