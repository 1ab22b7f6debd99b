//! What the adjoint of a statement reads: the set AdjU of an instruction (paper 1, section 5.1).
//!
//! Of an assignment the operands of the partial derivatives that do not vanish, and the indices of
//! what takes part; of a call what the adjoint procedure reads again, see `frame`.

use xaif_schema::model::{
    Document, ExprId, ExprKind, ForallHeader, Part, ProcId, ProcKind, RefId, Reference, Role,
    StmtId, StmtKind, TypeClass,
};

use crate::queries::result_partials::requires_result;
use booster_build::{nodes_of, subscripts_of};
use booster_facts::Storage;
use booster_facts::access::{CallSite, CallSort, Event, ReadRole, Written};
use booster_linearize::needed;
use booster_rules::{Catalogue, may_be_continuous};
use booster_shadow::jacobian::{local_jacobian, read_by_steps};

/// Whether there will be an adjoint of a procedure; without facts of activity that of every
/// procedure with a body but main programs.
pub(crate) fn has_adjoint(doc: &Document, proc: ProcId) -> bool {
    let analysed = doc.procs.values().any(|proc| proc.active.is_some());
    let proc = &doc.procs[proc];
    if analysed { proc.active == Some(true) } else { proc.kind != ProcKind::Program }
}

/// What a statement is to an adjoint.
#[derive(Clone, Debug, Default)]
pub(crate) struct Needs {
    /// The references whose values its adjoint may read, with those before it is executed.
    pub(crate) references: Vec<RefId>,
    /// What it assigns to, where its adjoint reads the value that it leaves there.
    pub(crate) result: Option<RefId>,
    /// Whether it has an adjoint at all, or something of its kind must be undone.
    pub(crate) live: bool,
}

/// What the adjoint of a statement reads; `events` are those of the statement, `again` what the
/// backward sweep executes again before it.
pub(crate) fn needs(
    (doc, storage): (&Document, &Storage),
    catalogue: &Catalogue,
    stmt: StmtId,
    events: &[Event<'_>],
    again: &[StmtId],
) -> Needs {
    if let Some(steps) = local_jacobian(doc, stmt) {
        let live = steps.iter().any(|step| is_active(doc, step.y));
        let references = if live { read_by_steps(doc, &steps, again) } else { Vec::new() };
        return Needs { references, result: None, live };
    }
    match &doc.stmts[stmt].kind {
        StmtKind::Assign { defined: Some(_), lhs, .. } => {
            all_reads_if(is_active(doc, *lhs), events)
        }
        StmtKind::Assign { lhs, rhs, defined: None } => {
            // A function within the expression gets a statement of its own, and so do its arguments.
            if passes_through(doc, *lhs, *rhs) || calls_active_function(doc, events) {
                return all_reads_if(true, events);
            }
            if calls_statement_function(doc, [*rhs]) {
                return all_reads_if(is_active(doc, *lhs), events);
            }
            let mut active = |reference| is_active(doc, reference);
            let pair = (*lhs, *rhs);
            if let Some(others) = requires_result(doc, storage, catalogue, pair, &mut active) {
                return Needs { references: others, result: Some(*lhs), live: true };
            }
            let mut needs = Needs::default();
            needs.assignment(doc, catalogue, *lhs, *rhs);
            needs
        }
        StmtKind::Where(_) | StmtKind::Forall(_) => {
            let mut needs = Needs::default();
            let mut conditions = Vec::new();
            needs.masked(doc, catalogue, stmt, &mut conditions);
            if needs.live {
                if calls_statement_function(doc, right_hand_sides(doc, stmt)) {
                    return all_reads_if(true, events);
                }
                needs.exprs(doc, conditions);
            }
            needs
        }
        StmtKind::Call(call) => {
            let called = events.iter().any(|event| matches!(event, Event::Call(_)));
            let active = match called {
                true => call.active != Some(false),
                // An intrinsic subroutine: its arguments tell.
                false => call.active != Some(false) && writes_active(doc, events),
            };
            all_reads_if(active, events)
        }
        StmtKind::InlinableCall(_) | StmtKind::Propagate(_) => all_reads_if(true, events),
        // Allocation and association are undone and done again.
        StmtKind::PointerAssign { .. } | StmtKind::Allocate(_) | StmtKind::Release(_) => {
            all_reads_if(true, events)
        }
        StmtKind::OpenScope(_) => all_reads_if(!events.is_empty(), events),
        StmtKind::Marker(_) if calls_active_function(doc, events) => all_reads_if(true, events),
        StmtKind::Marker(_) => {
            let mut needs = Needs { live: writes_active(doc, events), ..Needs::default() };
            if needs.live {
                needs.references = reads(events, |role| role == ReadRole::Index);
            }
            needs
        }
        StmtKind::CloseScope(_) | StmtKind::Comment(_) => Needs::default(),
    }
}

/// Whether a statement function is called, whose operands the canonical form writes out.
fn calls_statement_function(doc: &Document, roots: impl IntoIterator<Item = ExprId>) -> bool {
    nodes_of(doc, roots).into_iter().any(|node| match &doc.exprs[node].kind {
        ExprKind::Call(call) => {
            matches!(doc.role(call.callee.symbol), Some(Role::StatementFunction))
        }
        ExprKind::Constant(_)
        | ExprKind::Ref(_)
        | ExprKind::Intrinsic { .. }
        | ExprKind::Boolean { .. }
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => false,
    })
}

/// The right-hand sides of the assignments of a WHERE or FORALL.
fn right_hand_sides(doc: &Document, stmt: StmtId) -> Vec<ExprId> {
    match &doc.stmts[stmt].kind {
        StmtKind::Assign { rhs, .. } => vec![*rhs],
        StmtKind::Where(construct) => {
            let body = construct.arms.iter().flat_map(|arm| &arm.body);
            body.flat_map(|&inner| right_hand_sides(doc, inner)).collect()
        }
        StmtKind::Forall(forall) => {
            forall.body.iter().flat_map(|&inner| right_hand_sides(doc, inner)).collect()
        }
        StmtKind::PointerAssign { .. }
        | StmtKind::Call(_)
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_)
        | StmtKind::Comment(_) => Vec::new(),
    }
}

/// Whether a call has an adjoint.
pub(crate) fn is_active_call(doc: &Document, stmt: Option<StmtId>, call: &CallSite<'_>) -> bool {
    let Some(stmt) = stmt else { return false };
    match (call.sort, &doc.stmts[stmt].kind) {
        (CallSort::Subroutine, StmtKind::Call(call)) => call.active != Some(false),
        (CallSort::Assignment, StmtKind::Assign { lhs, .. }) => is_active(doc, *lhs),
        (CallSort::Function(expr), StmtKind::Assign { lhs, rhs, .. }) => {
            expr == *rhs && passes_through(doc, *lhs, *rhs)
        }
        _ => false,
    }
}

/// Whether a call within an expression, a condition or a bound may be one through which activity passes. The
/// canonical form gives it a statement of its own, with an adjoint. The right-hand side of an assignment,
/// `stmt`, has one.
pub(crate) fn gets_a_statement(doc: &Document, stmt: Option<StmtId>, call: &CallSite<'_>) -> bool {
    let CallSort::Function(expr) = call.sort else { return false };
    let is_rhs = stmt.is_some_and(|stmt| match doc.stmts[stmt].kind {
        StmtKind::Assign { rhs, .. } => rhs == expr,
        _ => false,
    });
    let ty = doc.exprs[expr].ty.base;
    !is_rhs
        && doc.exprs[expr].call().is_some_and(|call| {
            let may_change = !doc.is_promised_pure(call.callee.symbol);
            call.active != Some(false) && (may_be_continuous(ty) || may_change)
        })
}

/// Whether a function is called within an expression through which activity may pass.
pub(crate) fn calls_active_function(doc: &Document, events: &[Event<'_>]) -> bool {
    events.iter().any(|event| match event {
        Event::Call(call) => gets_a_statement(doc, None, call),
        Event::Read(..)
        | Event::Write(_)
        | Event::Allocate(_)
        | Event::Release { .. }
        | Event::Associate(_)
        | Event::Ask(..)
        | Event::Reshape(_)
        | Event::Anything => false,
    })
}

/// Whether the right-hand side is a function through which activity passes.
fn passes_through(doc: &Document, lhs: RefId, rhs: ExprId) -> bool {
    // One that gives an integer may change what has a derivative.
    doc.exprs[rhs].call().is_some_and(|call| {
        let may_change = || !doc.is_promised_pure(call.callee.symbol);
        call.active.unwrap_or_else(|| is_active(doc, lhs) || may_change())
    })
}

/// Whether a derivative of what `reference` names takes part; without facts of activity that of
/// everything continuous does.
pub(crate) fn is_active(doc: &Document, reference: RefId) -> bool {
    let Reference { base, ty, parts, active, deriv, .. } = &doc.refs[reference];
    let symbol = &doc.symbols[*base];
    // XAIF 1.0 documents say nothing but the class of the variable.
    let of_class = symbol.decl.is_some()
        || match symbol.class {
            TypeClass::Real | TypeClass::Complex | TypeClass::Opaque | TypeClass::Void => true,
            TypeClass::Integer | TypeClass::Bool | TypeClass::Char | TypeClass::String => false,
        };
    let asks_only = parts.iter().any(|part| match part {
        Part::Inquiry(name) => !matches!(&**name, "re" | "im"),
        Part::Elements(_) | Part::Component { .. } | Part::Substring { .. } | Part::Deref => false,
    });
    // Without facts of activity a symbol tells only of what class it is.
    let takes_part = || {
        active.unwrap_or_else(|| {
            symbol.active != Some(false) || doc.procs.values().all(|proc| proc.active.is_none())
        })
    };
    !deriv && !asks_only && of_class && may_be_continuous(ty.base) && takes_part()
}

fn all_reads_if(live: bool, events: &[Event<'_>]) -> Needs {
    match live {
        true => {
            let references = reads(events, |role| role != ReadRole::Inquiry);
            Needs { references, result: None, live }
        }
        false => Needs::default(),
    }
}

fn reads(events: &[Event<'_>], wanted: impl Fn(ReadRole) -> bool) -> Vec<RefId> {
    let read = events.iter().filter_map(|event| match event {
        Event::Read(reference, role) if wanted(*role) => Some(*reference),
        Event::Read(..)
        | Event::Write(_)
        | Event::Call(_)
        | Event::Allocate(_)
        | Event::Release { .. }
        | Event::Associate(_)
        | Event::Ask(..)
        | Event::Reshape(_)
        | Event::Anything => None,
    });
    read.collect()
}

fn writes_active(doc: &Document, events: &[Event<'_>]) -> bool {
    events.iter().any(|event| match event {
        Event::Write(write) => match write.place {
            Written::Ref(reference) => is_active(doc, reference),
            Written::Symbol(_) => false,
        },
        Event::Read(..)
        | Event::Call(_)
        | Event::Allocate(_)
        | Event::Release { .. }
        | Event::Associate(_)
        | Event::Ask(..)
        | Event::Reshape(_)
        | Event::Anything => false,
    })
}

impl Needs {
    fn exprs(&mut self, doc: &Document, roots: impl IntoIterator<Item = ExprId>) {
        for node in nodes_of(doc, roots) {
            match &doc.exprs[node].kind {
                ExprKind::Ref(reference) => self.references.push(*reference),
                ExprKind::Call(call) => self.references.extend(call.callee.object),
                ExprKind::Constant(_)
                | ExprKind::Intrinsic { .. }
                | ExprKind::Boolean { .. }
                | ExprKind::ArrayConstructor { .. }
                | ExprKind::ImpliedDo(_)
                | ExprKind::StructureConstructor { .. }
                | ExprKind::Procedure(_)
                | ExprKind::Opaque(_) => {}
            }
        }
    }

    /// `lhs = rhs`. The adjoint of an assignment whose left-hand side is not active is empty.
    fn assignment(&mut self, doc: &Document, catalogue: &Catalogue, lhs: RefId, rhs: ExprId) {
        if !is_active(doc, lhs) {
            return;
        }
        self.live = true;
        self.exprs(doc, subscripts_of(&doc.refs[lhs]));
        match needed(doc, catalogue, lhs, rhs, &mut |reference| is_active(doc, reference)) {
            Ok(read) => self.references.extend(read),
            // What has no adjoint is refused later.
            Err(_) => self.exprs(doc, [rhs]),
        }
    }

    /// The assignments of a WHERE or FORALL; their masks and bounds are added to `conditions`.
    fn masked(
        &mut self,
        doc: &Document,
        catalogue: &Catalogue,
        stmt: StmtId,
        conditions: &mut Vec<ExprId>,
    ) {
        let mut work = vec![stmt];
        while let Some(stmt) = work.pop() {
            match &doc.stmts[stmt].kind {
                StmtKind::Assign { lhs, rhs, defined } => {
                    let called = defined.is_some() || passes_through(doc, *lhs, *rhs);
                    self.assignment(doc, catalogue, *lhs, *rhs);
                    if called && self.live {
                        self.exprs(doc, [*rhs]);
                    }
                }
                StmtKind::PointerAssign { lhs, rhs } => {
                    self.live = true;
                    self.exprs(doc, subscripts_of(&doc.refs[*lhs]));
                    self.exprs(doc, [*rhs]);
                }
                StmtKind::Where(construct) => {
                    for arm in &construct.arms {
                        conditions.extend(arm.mask);
                        work.extend(&arm.body);
                    }
                }
                StmtKind::Forall(construct) => {
                    header(&construct.header, conditions);
                    work.extend(&construct.body);
                }
                StmtKind::Call(_)
                | StmtKind::InlinableCall(_)
                | StmtKind::Propagate(_)
                | StmtKind::Allocate(_)
                | StmtKind::Release(_)
                | StmtKind::OpenScope(_)
                | StmtKind::CloseScope(_)
                | StmtKind::Marker(_)
                | StmtKind::Comment(_) => {}
            }
        }
    }
}

fn header(header: &ForallHeader, conditions: &mut Vec<ExprId>) {
    for range in &header.ranges {
        conditions.extend([range.lower, range.upper]);
        conditions.extend(range.step);
    }
    conditions.extend(header.mask);
}
