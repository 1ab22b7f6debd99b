//! The program as activity analysis sees it: for each step what flows differentiably where.
//!
//! Only what may carry a derivative is left: integers, conditions and indices are gone. What is
//! written from what is said by [`crate::access`]; this file adds what is known of
//! procedures without a body.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};
use xaif_schema::model::{self, Cfg, Document, Place, ProcId, RefId, SpecItem, SymbolId};

use super::equations::StepId;
use crate::access::CallSort;
use crate::{EntryOf, Lifetime, LocationId, Storage};
use booster_build::nodes_of;

/// What may carry a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Carrier {
    /// Storage.
    Location(LocationId),
    /// The value that the call with this number among the events of the step returns.
    Value(StepId, u32),
}

/// Carriers that pieces share.
pub(super) type Carriers = Arc<[Carrier]>;

/// One thing that happens in a step.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// Something is overwritten.
    Plain(Plain),
    /// A procedure with a body is executed.
    Call(Call),
}

/// Writes that happen together.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    pub(super) writes: Vec<Write>,
    /// Whether it stands for a procedure of which nothing is known, and its call.
    pub(super) what: What,
}

/// What the source has where something is overwritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// An assignment or the like.
    Statement,
    /// A call of a procedure without a body: the event of the step.
    Outside(u32),
    /// A statement that is not understood.
    Opaque,
}

/// A write.
#[derive(Clone, Debug)]
pub(super) struct Write {
    /// The reference, where there is one.
    pub(super) reference: Option<RefId>,
    pub(super) targets: Carriers,
    /// Whether nothing of the old value survives.
    pub(super) kills: bool,
    pub(super) reads: Vec<Read>,
}

/// A value that flows into a write.
#[derive(Clone, Debug)]
pub(super) struct Read {
    /// The reference, where there is one.
    pub(super) reference: Option<RefId>,
    pub(super) carriers: Carriers,
}

/// A call of procedures with bodies.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// Its number among the events of the step.
    pub(super) event: u32,
    /// The name that is called.
    pub(super) callee: SymbolId,
    /// What sort of call it is.
    pub(super) sort: CallSort,
    /// What may be executed: one of them.
    pub(super) ways: Vec<Way>,
    /// Whether it may also be something else.
    pub(super) open: bool,
}

/// One procedure that a call may execute.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) entry: EntryOf,
    /// The counterparts in the caller of the locations of its dummy arguments and of its result; locations that are
    /// not here are the same for both.
    pub(super) outer: BTreeMap<LocationId, Outer>,
    /// The actual arguments.
    pub(super) arguments: Vec<Argument>,
}

/// The counterpart in the caller of a location of a callee.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Outer {
    /// Where its value comes from.
    pub(super) reads: SmallVec<[Carrier; 2]>,
    /// Where its value goes as the callee returns.
    pub(super) writes: SmallVec<[Carrier; 2]>,
    /// Whether overwriting the location entirely overwrites all of `writes`.
    pub(super) exact: bool,
}

/// An actual argument.
#[derive(Clone, Debug)]
pub(super) struct Argument {
    /// The dummy argument.
    pub(super) dummy: SymbolId,
    /// The variable that is passed, or the variables that flow into the value that is passed.
    pub(super) references: Vec<Read>,
    /// Whether a variable is passed, so that the callee may write it.
    pub(super) variable: bool,
}

impl Way {
    /// The number of the procedure.
    pub(super) fn callee(&self) -> usize {
        self.entry.proc.as_u32() as usize
    }

    /// Where the value of a location of the callee comes from.
    pub(super) fn reads(&self, location: LocationId) -> SmallVec<[Carrier; 2]> {
        match self.outer.get(&location) {
            Some(outer) => outer.reads.clone(),
            None => smallvec![Carrier::Location(location)],
        }
    }

    /// Where the value of a location of the callee goes, and whether all of that is overwritten if all
    /// of the location is.
    pub(super) fn writes(&self, location: LocationId) -> (SmallVec<[Carrier; 2]>, bool) {
        match self.outer.get(&location) {
            Some(outer) => (outer.writes.clone(), outer.exact),
            None => (smallvec![Carrier::Location(location)], true),
        }
    }
}

/// A call of a procedure without a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutsideCall {
    /// The name that is called.
    pub(super) callee: SymbolId,
    /// What sort of call it is.
    pub(super) sort: CallSort,
    /// Where it stands.
    pub(super) place: Place,
    /// Whether nothing is known of the procedure.
    pub(super) unknown: bool,
}

/// The body of a procedure.
#[derive(Clone, Debug, Default)]
pub(super) struct Body {
    /// What happens in each step, in order.
    pub(super) steps: BTreeMap<StepId, Vec<Piece>>,
    /// Steps behind which the program ends: nobody sees what they overwrite.
    pub(super) ending: BTreeSet<StepId>,
    /// The locations of its dummy arguments and results: seen by those that call it.
    pub(super) visible: HashSet<LocationId>,
    /// Objects that are allocated, released or associated with targets.
    pub(super) objects: Vec<RefId>,
    /// Objects that get another allocation, other bounds or another type otherwise: by an assignment or MOVE_ALLOC.
    pub(super) reshaped: Vec<RefId>,
    /// Steps in which pointers are associated.
    pub(super) moves: Vec<StepId>,
    /// The procedures whose state it changes itself.
    pub(super) keepers: BTreeSet<ProcId>,
    /// Calls of procedures without a body.
    pub(super) outside: BTreeMap<(StepId, u32), OutsideCall>,
}

impl Body {
    /// All pieces, in the order of the steps.
    pub(super) fn pieces(&self) -> impl Iterator<Item = &Piece> {
        self.steps.values().flatten()
    }

    /// The procedures that may be executed by calls in it.
    pub(super) fn callees(&self) -> BTreeSet<ProcId> {
        let calls = self.pieces().filter_map(|piece| match piece {
            Piece::Call(call) => Some(call),
            Piece::Plain(_) => None,
        });
        calls.flat_map(|call| &call.ways).map(|way| way.entry.proc).collect()
    }
}

/// All procedures.
#[derive(Clone, Debug)]
pub(super) struct Program<'d> {
    pub(super) doc: &'d Document,
    pub(super) storage: &'d Storage,
    /// By the number of the procedure; `None` where it has no flow graph.
    pub(super) bodies: Vec<Option<Body>>,
    /// By the number of the procedure: the locations of objects that it or its callees allocate,
    /// release or associate with other targets, as far as its callers see them.
    pub(super) moved: Vec<BTreeSet<LocationId>>,
    /// By the number of the procedure: the procedures that may be meant by procedure pointers that
    /// it or its callees set, as far as its callers see these pointers.
    pub(super) pointed: Vec<BTreeSet<ProcId>>,
    /// By the number of the procedure: the procedures whose state it or its callees change.
    pub(super) keepers: Vec<BTreeSet<ProcId>>,
    /// The locations that statement functions read beside their arguments.
    pub(super) shared: BTreeSet<LocationId>,
}

/// The locations that statement functions read.
pub(super) fn read_by_statement_functions(
    doc: &Document,
    storage: &Storage,
) -> BTreeSet<LocationId> {
    let items = doc.scopes.values().flat_map(|scope| &scope.items);
    let bodies = items.filter_map(|item| match item {
        SpecItem::StatementFunction { body, .. } => Some(*body),
        _ => None,
    });
    let nodes = nodes_of(doc, bodies);
    let references = nodes.into_iter().filter_map(|node| doc.exprs[node].reference());
    references.flat_map(|reference| storage.locations_of(doc, reference)).collect()
}

impl<'d> Program<'d> {
    /// The body of a procedure.
    pub(super) fn body(&self, proc: ProcId) -> Option<&Body> {
        self.bodies.get(proc.as_u32() as usize)?.as_ref()
    }

    /// Its flow graph.
    pub(super) fn cfg(&self, proc: ProcId) -> Option<&'d Cfg> {
        match &self.doc.procs[proc].body {
            model::Body::Flow(cfg) => Some(cfg),
            model::Body::Interface | model::Body::Replacements { .. } => None,
        }
    }

    /// Whether a location is the same for a procedure and for those that call it, or stands for
    /// something of theirs.
    pub(super) fn is_visible(&self, proc: ProcId, location: LocationId) -> bool {
        match self.storage.locations()[location].lifetime {
            Lifetime::Global => true,
            Lifetime::Local(owner) | Lifetime::Dummy(owner) => {
                owner != proc
                    || self.body(proc).is_some_and(|body| body.visible.contains(&location))
            }
        }
    }
}
