//! Which allocatable variables are allocated: at each step, certainly, certainly not, or perhaps.
//!
//! A forward analysis. A local variable is not allocated as its procedure begins, nor is an
//! INTENT(OUT) argument. ALLOCATE, DEALLOCATE, MOVE_ALLOC, the assignment of a whole variable, and what
//! an IF has tested settle it; an argument for an allocatable dummy and STAT= leave it open. No known paper; the facts
//! are those of Fortran 2018, 9.7.1.3, 9.7.3.2 and 10.2.1.3.
//!
//! Not told: components, variables that outlive the procedure (SAVE, modules), and variables that
//! internal procedures see.

use std::collections::HashMap;

use fixedbitset::FixedBitSet;
use xaif_schema::model::{
    Attr, Body, BoolOp, BranchForm, Cfg, Edge, ExprId, ExprKind, Intent, Part, ProcId, RefId,
    ScopeId, StmtKind, SymbolId, VertexKind,
};

use super::access::{ActualValue, Written};
use super::{Accesses, BodyEvents, CallSite, Event, StepKey};
use booster_flow::{Analysis, Direction, Step, solve, steps_of_vertex};

/// What is known of the variables of one procedure.
#[derive(Clone, Debug, Default)]
pub struct Allocation {
    places: HashMap<SymbolId, usize>,
    before: HashMap<StepKey, FixedBitSet>,
}

impl Allocation {
    /// Looks at one body.
    pub fn new(accesses: &Accesses<'_>, body: &BodyEvents<'_>) -> Self {
        let places = variables(accesses, body);
        let mut before = HashMap::new();
        if !places.is_empty() {
            let status = Status { accesses, body, places: &places };
            let solution = solve(&body.flow, &status);
            for &vertex in body.flow.order() {
                let mut state = solution.before(vertex).clone();
                for step in steps_of_vertex(body.flow.cfg, vertex) {
                    before.insert(StepKey::of(step), state.clone());
                    status.transfer(step, &mut state);
                }
            }
        }
        Allocation { places, before }
    }

    /// Whether `symbol` is allocated as control arrives at a step; `None` where that is not known.
    pub fn is_allocated(&self, step: StepKey, symbol: SymbolId) -> Option<bool> {
        let place = *self.places.get(&symbol)?;
        let state = self.before.get(&step)?;
        match (state.contains(there(place)), state.contains(missing(place))) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            // Control does not arrive, or it may be either.
            (false, false) | (true, true) => None,
        }
    }

    /// Whether it is told of no variable.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

/// The bit that says that a variable may be allocated.
fn there(place: usize) -> usize {
    2 * place
}

/// The bit that says that it may not be.
fn missing(place: usize) -> usize {
    2 * place + 1
}

/// The allocatable variables of a procedure that nobody else sees.
fn variables(accesses: &Accesses<'_>, body: &BodyEvents<'_>) -> HashMap<SymbolId, usize> {
    let (doc, procedures) = (accesses.doc(), accesses.storage().procedures());
    let scope: ScopeId = doc.procs[body.proc].scope;
    // An interface sees nothing of what is around it.
    let has_body = |proc: &ProcId| !matches!(doc.procs[*proc].body, Body::Interface);
    let seen_inside =
        doc.procs.keys().filter(has_body).any(|p| procedures.is_inside(doc, p, body.proc));
    if seen_inside {
        return HashMap::new();
    }
    let own = doc.scopes[scope].symbols.iter().copied();
    own.filter(|&symbol| doc.has(symbol, Attr::Allocatable) && !procedures.is_static(symbol))
        .zip(0..)
        .collect()
}

struct Status<'a, 'd> {
    accesses: &'a Accesses<'d>,
    body: &'a BodyEvents<'d>,
    places: &'a HashMap<SymbolId, usize>,
}

impl Status<'_, '_> {
    /// The place of a variable that is named as a whole, perhaps with bounds.
    fn place_of(&self, reference: RefId) -> Option<usize> {
        let reference = &self.accesses.doc().refs[reference];
        let whole = reference.parts.iter().all(|part| matches!(part, Part::Elements(_)));
        self.places.get(&reference.base).copied().filter(|_| whole)
    }

    fn is_whole(&self, reference: RefId) -> bool {
        self.accesses.doc().refs[reference].parts.is_empty()
    }

    /// Whether the step is an ALLOCATE or DEALLOCATE that may fail.
    fn may_fail(&self, step: Step<'_>) -> bool {
        let Step::Stmt(stmt) = step else { return false };
        match &self.accesses.doc().stmts[stmt].kind {
            StmtKind::Allocate(allocate) => allocate.stat.is_some(),
            StmtKind::Release(release) => release.stat.is_some(),
            StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => false,
        }
    }

    /// What a write to a whole variable does: an assignment allocates it, the tape fills what is there;
    /// of an intrinsic subroutine it is not known.
    fn written(&self, step: Step<'_>, reference: RefId, state: &mut FixedBitSet) {
        let Some(place) = self.place_of(reference) else { return };
        let Step::Stmt(stmt) = step else { return open(state, place) };
        match &self.accesses.doc().stmts[stmt].kind {
            StmtKind::Assign { lhs, defined: None, .. }
                if *lhs == reference && self.is_whole(reference) =>
            {
                settle(state, place, true);
            }
            StmtKind::Call(_) => open(state, place),
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
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => {}
        }
    }

    /// What a condition tells if it has this value.
    fn holds(&self, condition: ExprId, value: bool, state: &mut FixedBitSet) {
        let doc = self.accesses.doc();
        match &doc.exprs[condition].kind {
            ExprKind::Intrinsic { name, operands, .. } if name.as_ref() == "allocated" => {
                let asked = operands.first().and_then(|one| doc.exprs[one.expr].reference());
                let asked = asked.filter(|&asked| self.is_whole(asked));
                if let Some(place) = asked.and_then(|asked| self.place_of(asked)) {
                    // What cannot be stays so: control does not go this way.
                    state.set(if value { missing(place) } else { there(place) }, false);
                }
            }
            ExprKind::Boolean { op, operands } => match (op, &operands[..]) {
                (BoolOp::Not, [operand]) => self.holds(operand.expr, !value, state),
                (BoolOp::And, [..]) if value => {
                    operands.iter().for_each(|one| self.holds(one.expr, true, state));
                }
                (BoolOp::Or, [..]) if !value => {
                    operands.iter().for_each(|one| self.holds(one.expr, false, state));
                }
                _ => {}
            },
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => {}
        }
    }

    /// The variables of `call move_alloc(from, to)`.
    fn moved(&self, step: Step<'_>) -> Option<(RefId, RefId)> {
        let (doc, Step::Stmt(stmt)) = (self.accesses.doc(), step) else { return None };
        match &doc.stmts[stmt].kind {
            StmtKind::Call(call) => doc.moved(call),
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
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => None,
        }
    }

    /// `to` is what `from` was, and `from` is not allocated.
    fn move_status(&self, from: RefId, to: RefId, state: &mut FixedBitSet) {
        let places = [from, to].map(|one| self.place_of(one).filter(|_| self.is_whole(one)));
        if let Some(to) = places[1] {
            match places[0] {
                Some(from) => {
                    for bit in [there, missing] {
                        state.set(bit(to), state.contains(bit(from)));
                    }
                }
                None => open(state, to),
            }
        }
        if let Some(from) = places[0] {
            settle(state, from, false);
        }
    }

    /// What an allocatable dummy argument stands for may be either behind the call.
    fn called(&self, call: &CallSite<'_>, state: &mut FixedBitSet) {
        let doc = self.accesses.doc();
        let described = doc.described_by(call.callee.symbol);
        for actual in &call.actuals {
            let ActualValue::Variable(reference) = actual.value else { continue };
            let Some(place) = self.place_of(reference).filter(|_| self.is_whole(reference)) else {
                continue;
            };
            let dummy_of = |proc| {
                let dummies = &doc.procs[proc].args;
                dummies.iter().find(|d| d.position as usize == actual.position + 1)?.symbol
            };
            let bodies = call.targets.bodies.iter().map(|entry| entry.proc);
            let mut dummies = bodies.chain(described).map(dummy_of);
            let in_entry = call.targets.bodies.iter().any(|entry| entry.point.is_some());
            let may = |dummy: Option<SymbolId>| dummy.is_none_or(|d| doc.has(d, Attr::Allocatable));
            // What has no interface that could be seen has no allocatable dummy arguments.
            if in_entry || dummies.any(may) {
                open(state, place);
            }
        }
    }
}

fn settle(state: &mut FixedBitSet, place: usize, allocated: bool) {
    state.set(there(place), allocated);
    state.set(missing(place), !allocated);
}

fn open(state: &mut FixedBitSet, place: usize) {
    state.insert(there(place));
    state.insert(missing(place));
}

impl Analysis for Status<'_, '_> {
    type Domain = FixedBitSet;

    const DIRECTION: Direction = Direction::Forward;

    fn bottom(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(2 * self.places.len())
    }

    fn boundary(&self) -> FixedBitSet {
        let doc = self.accesses.doc();
        let procedures = self.accesses.storage().procedures();
        let mut state = self.bottom();
        for (&symbol, &place) in self.places {
            let decl = doc.symbols[symbol].decl.as_ref();
            let out = decl.is_some_and(|decl| decl.intent == Some(Intent::Out));
            match procedures.dummy_of(symbol) {
                Some(_) if !out => open(&mut state, place),
                Some(_) | None => settle(&mut state, place, false),
            }
        }
        state
    }

    fn join(&self, state: &mut FixedBitSet, other: &FixedBitSet) -> bool {
        let before = state.count_ones(..);
        state.union_with(other);
        state.count_ones(..) != before
    }

    const NARROWS: bool = true;

    /// What is allocated where control goes on behind `if (allocated(a))`.
    fn narrow(&self, cfg: &Cfg, edge: &Edge, state: &mut FixedBitSet) {
        let VertexKind::Branch { condition: Some(condition), form, .. } =
            &cfg.vertices[edge.source].kind
        else {
            return;
        };
        if matches!(form, BranchForm::If | BranchForm::InlineIf | BranchForm::ElseIf) {
            self.holds(*condition, edge.condition == Some(1), state);
        }
    }

    fn transfer(&self, step: Step<'_>, state: &mut FixedBitSet) {
        if let Some((from, to)) = self.moved(step) {
            return self.move_status(from, to, state);
        }
        for event in self.body.events(step) {
            match event {
                Event::Write(write) => match write.place {
                    Written::Ref(reference) => self.written(step, reference, state),
                    Written::Symbol(_) => {}
                },
                Event::Call(call) => self.called(call, state),
                Event::Allocate(object) | Event::Release { object, nullify: false } => {
                    let allocated = matches!(event, Event::Allocate(_));
                    match self.place_of(*object) {
                        Some(place) if self.may_fail(step) => open(state, place),
                        Some(place) => settle(state, place, allocated),
                        None => {}
                    }
                }
                Event::Anything => (0..self.places.len()).for_each(|place| open(state, place)),
                Event::Read(..)
                | Event::Release { nullify: true, .. }
                | Event::Associate(_)
                | Event::Ask(..)
                | Event::Reshape(_) => {}
            }
        }
    }
}
