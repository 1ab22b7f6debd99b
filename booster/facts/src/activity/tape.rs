//! The tape: values that operations record flow into one location, and from there into what is taken back.
//!
//! All values share that location, so a derivative that is recorded anywhere is found wherever anything is taken
//! back. The tangent then records a derivative beside every value that may have one ([`crate::Storage::tape`]).

use std::collections::BTreeSet;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Document, ExprId, InlinableCall, Place, ProcId, RefId, StmtKind,
};
use xaif_schema::tape::{Operation, Sort, operation};

use super::collect::{carriers, read};
use super::equations::StepId;
use super::program::{Carrier, Carriers, Piece, Plain, Program, Read, What, Write};
use crate::access::Source;
use crate::{Accesses, LocationId};
use booster_build::nodes_of;
use booster_flow::Step;

/// What an operation of the tape moves; `None` for other steps.
pub(super) fn piece(accesses: &Accesses<'_>, step: Step<'_>) -> Option<Piece> {
    let Step::Stmt(stmt) = step else { return None };
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let tape = storage.tape()?;
    let StmtKind::InlinableCall(call) = &doc.stmts[stmt].kind else { return None };
    let operation = operation(&call.name)?;
    let on_tape: Carriers = [Carrier::Location(tape)].into();
    let value = call.args.first().and_then(value)?;
    let write = match direction(operation)? {
        Direction::Recorded => {
            let references = nodes_of(doc, [value]).into_iter();
            let references = references.filter_map(|node| doc.exprs[node].reference());
            let step = StepId::Stmt(stmt);
            let reads = references.map(|found| read(accesses, step, Source::Ref(found))).collect();
            Write { reference: None, targets: on_tape, kills: false, reads }
        }
        Direction::TakenBack => {
            let target = doc.exprs[value].reference()?;
            let targets = carriers(accesses, storage.locations_of(doc, target)).into();
            // A block is behind a pointer, of which an earlier block may still be the target elsewhere.
            let kills = operation.args[0].sort != Sort::Block && storage.kills(doc, target);
            let reads = vec![Read { reference: None, carriers: on_tape }];
            Write { reference: Some(target), targets, kills, reads }
        }
    };
    Some(Piece::Plain(Plain { writes: vec![write], what: What::Statement }))
}

/// Which way values go.
enum Direction {
    Recorded,
    TakenBack,
}

fn direction(operation: &Operation) -> Option<Direction> {
    match operation.name {
        "push" | "push_array" | "block_push" => Some(Direction::Recorded),
        "pop" | "pop_array" | "block_pop" => Some(Direction::TakenBack),
        // A new block holds nothing, and what is given back is no longer read.
        _ => None,
    }
}

/// The locations that have a derivative where the tape carries derivatives: the tape, blocks of numbers and structures. Both
/// sweeps name these, and must agree.
pub(super) fn carried(program: &Program<'_>) -> BTreeSet<LocationId> {
    let (doc, storage) = (program.doc, program.storage);
    let Some(tape) = storage.tape() else { return BTreeSet::new() };
    let calls = doc.stmts.values().filter_map(|stmt| match &stmt.kind {
        StmtKind::InlinableCall(call) => object(doc, call),
        _ => None,
    });
    let locations = calls.flat_map(|object| storage.locations_of(doc, object));
    let continuous = locations.filter(|&location| storage.locations()[location].continuous);
    continuous.chain([tape]).collect()
}

/// Refuses pointers on the tape: nothing tells what they may point to when they come back, so the analysis would miss
/// what flows through them.
pub(super) fn refuse_pointers(
    program: &Program<'_>,
    is_reached: impl Fn(ProcId) -> bool,
) -> Diagnostics {
    let doc = program.doc;
    let mut found = Diagnostics::new();
    for proc in doc.procs.keys().filter(|&proc| is_reached(proc)) {
        let steps = program.body(proc).into_iter().flat_map(|body| body.steps.keys());
        for step in steps {
            let StepId::Stmt(stmt) = *step else { continue };
            let StmtKind::InlinableCall(call) = &doc.stmts[stmt].kind else { continue };
            let moved = operation(&call.name).and_then(|_| call.args.first().and_then(value));
            if moved.is_some_and(|moved| holds_pointers(doc, doc.exprs[moved].ty.base)) {
                found.push(pointer_on_tape(doc, doc.stmts[stmt].place));
            }
        }
    }
    found
}

fn pointer_on_tape(doc: &Document, place: Place) -> Diagnostic {
    let message = "a pointer goes through the tape, and nothing tells what it may point to when it comes back";
    let help = "differentiate a program in whose adjoint no pointer is recorded";
    Diagnostic::error(Code::DERIVATIVE_REFUSED, doc.spot(place), message).with_help(help)
}

/// Whether a structure of the type has a pointer somewhere.
fn holds_pointers(doc: &Document, base: Base) -> bool {
    let (mut work, mut seen) = (vec![base], BTreeSet::new());
    while let Some(base) = work.pop() {
        let (Base::Derived(owner) | Base::Class(owner)) = base else { continue };
        if !seen.insert(owner) {
            continue;
        }
        for component in doc.data_components(owner) {
            if doc.has(component, Attr::Pointer) {
                return true;
            }
            work.push(doc.declared_base(component));
        }
    }
    false
}

/// The block or structure that an operation moves.
fn object(doc: &Document, call: &InlinableCall) -> Option<RefId> {
    let operation = operation(&call.name)?;
    let object = doc.exprs[call.args.first().and_then(value)?].reference()?;
    let structure = matches!(doc.refs[object].ty.base, Base::Derived(_) | Base::Class(_));
    (structure || operation.args[0].sort == Sort::Block).then_some(object)
}

fn value(arg: &Arg) -> Option<ExprId> {
    match arg.value {
        ArgValue::Expr(value) => Some(value),
        ArgValue::AlternateReturn(_) => None,
    }
}
