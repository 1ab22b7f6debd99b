//! Which statement is handled where.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{
    Base, Document, ExprId, Place, ProcId, RefId, ScopeId, StmtId, StmtKind, SymbolId,
};

use super::Options;
use super::gather::Gathered;
use super::validity::has_concurrent_loop;
use booster_build::{
    Emitter, Site, integer, new_variable, rewrite_entry, rewrite_flow, value_of, whole,
};
use booster_facts::Storage;
use booster_facts::bounds::Bounds;
use booster_facts::externals::Externals;
use booster_linearize::{Scratch, tangent_of};
use booster_rules::Catalogue;
use booster_shadow::derivative::{Counterparts, Direction};
use booster_shadow::jacobian::{Sum, local_jacobian, right_hand_side};
use booster_shadow::persistent_state::{Foreign, Outliving, lives_on};

/// From so many directions on a vector of them fills the widest registers.
const MANY_DIRECTIONS: u32 = 8;

/// The tangent stage at work on one procedure.
pub struct Tangent<'a> {
    /// The derivative objects and procedures.
    pub parts: Counterparts,
    /// The rules.
    pub catalogue: &'a Catalogue,
    /// What is known of procedures whose source is not given.
    pub externals: &'a Externals,
    /// What was found so far.
    pub problems: Diagnostics,
    /// What the names of derivative variables end with.
    pub suffix: &'a str,
    /// The procedure.
    pub proc: ProcId,
    /// Variables for intermediate values, to be used again.
    pub scratch: Scratch,
    /// Whether what is set to zero was just allocated: its components are not allocated yet.
    pub fresh: bool,
    /// Whether what is made is an adjoint, which uses the same tools.
    pub adjoint: bool,
    /// What stands behind the call that is made.
    pub behind: Vec<StmtKind>,
    /// The procedures that let the derivatives of module variables follow them.
    pub followers: HashMap<(SymbolId, bool), SymbolId>,
    /// Array components whose derivatives are gathered for the call that is being written.
    pub(super) gathered: Vec<Gathered>,
    /// The variables that the call which is being written is given to overwrite, or parts of them.
    pub(super) overwritten: HashSet<SymbolId>,
    /// The variables that count directions.
    counters: HashMap<ProcId, SymbolId>,
    /// Whether some variable of a module has storage of its own making and a derivative.
    pub(super) some_outside: OnceCell<bool>,
    /// Whether the interval is computed in which no condition changes sides.
    pub(super) validity: bool,
    /// The procedures of the runtime for that, as scopes name them.
    pub(super) validity_names: HashMap<(ProcId, &'static str), SymbolId>,
    /// Whether the procedure has loops in which no impure procedure may be called.
    pub(super) in_concurrent_loop: bool,
    /// Whether the tape of an adjoint carries derivatives.
    pub(super) tape_is_active: bool,
    /// Which variables certainly begin with element 1.
    pub(super) bounds: OnceCell<Bounds>,
}

impl<'a> Tangent<'a> {
    /// The stage before its first procedure.
    pub fn new(parts: Counterparts, catalogue: &'a Catalogue, options: &'a Options) -> Self {
        Tangent {
            parts,
            catalogue,
            externals: &options.externals,
            problems: Diagnostics::new(),
            suffix: &options.suffix_variable,
            proc: ProcId::from_u32(0),
            scratch: Scratch::default(),
            fresh: false,
            adjoint: false,
            behind: Vec::new(),
            followers: HashMap::new(),
            gathered: Vec::new(),
            overwritten: HashSet::new(),
            counters: HashMap::new(),
            some_outside: OnceCell::new(),
            tape_is_active: false,
            validity: false,
            in_concurrent_loop: false,
            validity_names: HashMap::new(),
            bounds: OnceCell::new(),
        }
    }

    /// Makes the body of a derivative procedure, which is a copy of its original's, compute
    /// derivatives.
    pub fn procedure(&mut self, doc: &mut Document, proc: ProcId) {
        self.proc = proc;
        self.in_concurrent_loop = has_concurrent_loop(doc, proc);
        self.note(|this| this.pointer_results(doc));
        self.note(|this| this.constructs(doc));
        let done: Result<(), std::convert::Infallible> =
            rewrite_flow(doc, proc, |emitter, site| {
                match site {
                    Site::Stmt(stmt) => {
                        let tested = self.test_statement(emitter, stmt);
                        if let Err(problem) = tested.and_then(|()| self.statement(emitter, stmt)) {
                            self.problems.push(problem);
                            emitter.push(stmt);
                        }
                    }
                    Site::Head(head) => self.note(|this| this.test_head(emitter, head)),
                }
                Ok(())
            });
        match done {
            Ok(()) => {}
            Err(never) => match never {},
        }
        if self.problems.has_errors() {
            return;
        }
        let named = self.named(doc);
        self.note(|this| this.local_names(doc, &named));
    }

    /// What is done when all procedures have their statements: an internal one may name the
    /// variables of its host.
    pub fn finish(
        &mut self,
        doc: &mut Document,
        proc: ProcId,
        outliving: Option<(&Storage, &Outliving)>,
    ) {
        self.proc = proc;
        self.note(|this| this.zero_first(doc));
        self.note(|this| this.zero_with_passive_values(doc));
        if let Some((storage, found)) = outliving {
            self.note(|this| this.forget(doc, storage, found));
        }
        self.note(|this| this.follow_outer(doc));
    }

    /// What variables hold as a head begins counts as a constant, if they are not independent: their
    /// derivatives begin with zero, whatever the last call has left there.
    fn forget(
        &mut self,
        doc: &mut Document,
        storage: &Storage,
        found: &Outliving,
    ) -> Result<(), Diagnostic> {
        let named = self.named(doc);
        let Foreign { zeroed, kept } =
            found.foreign_derivatives(doc, (storage, &self.parts), self.proc, &named);
        kept.iter().for_each(|&symbol| self.problems.push(lives_on(doc, self.proc, symbol)));
        if zeroed.is_empty() {
            return Ok(());
        }
        rewrite_entry(doc, self.proc, |e| {
            zeroed.iter().try_for_each(|&derivative| {
                let object = whole(e.doc, derivative, Place::default());
                self.zero_with_pointees(e, object)
            })
        })
    }

    fn note(&mut self, work: impl FnOnce(&mut Self) -> Result<(), Diagnostic>) {
        if let Err(problem) = work(self) {
            self.problems.push(problem);
        }
    }

    pub(super) fn statement(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        // Only a backward sweep recomputes.
        if e.doc.stmts[stmt].recompute {
            return Ok(());
        }
        if let Some(steps) = local_jacobian(e.doc, stmt) {
            return self.local_jacobian(e, &steps);
        }
        match e.doc.stmts[stmt].kind.clone() {
            StmtKind::Assign { lhs, rhs, defined: None } => self.assign(e, stmt, lhs, rhs),
            StmtKind::Assign { lhs, rhs, defined: Some(callee) } => {
                self.defined_assignment(e, stmt, lhs, rhs, &callee)
            }
            StmtKind::PointerAssign { lhs, rhs } => self.pointer_assign(e, stmt, lhs, rhs),
            StmtKind::Call(call) => self.call(e, stmt, &call),
            StmtKind::InlinableCall(call) => self.tape(e, stmt, &call),
            StmtKind::Propagate(_) => Err(self.error(
                e.doc,
                Code::DERIVATIVE_REFUSED,
                place,
                "this statement is the work of another differentiation tool",
                "differentiate the document that this one was made from",
            )),
            StmtKind::Where(_) | StmtKind::Forall(_) => self.masked(e, stmt),
            StmtKind::Allocate(allocate) => self.allocate(e, stmt, &allocate),
            StmtKind::Release(release) => self.release(e, stmt, &release),
            StmtKind::OpenScope(open) => self.open_scope(e, stmt, open.scope),
            StmtKind::CloseScope(_) => {
                e.push(stmt);
                Ok(())
            }
            StmtKind::Marker(marker) => self.marker(e, stmt, &marker),
            StmtKind::Comment(comment) => {
                self.comment(e, stmt, &comment);
                Ok(())
            }
        }
    }

    /// The steps of a propagator: derivatives of assignments, without the assignments. In many directions
    /// steps of numbers stand in one loop over them: compilers then vectorise that, not with gathers a
    /// loop around it (docs/elimination.md has what was measured).
    fn local_jacobian(&mut self, e: &mut Emitter<'_>, steps: &[Sum]) -> Result<(), Diagnostic> {
        let steps: Vec<&Sum> = steps.iter().filter(|one| self.is_active(e.doc, one.y)).collect();
        let [first, _, ..] = steps[..] else {
            return steps.into_iter().try_for_each(|step| self.step(e, step));
        };
        let number = |reference: RefId| e.doc.refs[reference].ty.rank == 0;
        let all = steps.iter().flat_map(|step| step.terms.iter().map(|&(_, x)| x).chain([step.y]));
        let several = self.parts.directions.is_some_and(|count| count >= MANY_DIRECTIONS);
        if !several || !all.into_iter().all(number) {
            return steps.into_iter().try_for_each(|step| self.step(e, step));
        }
        let place = e.doc.refs[first.y].place;
        self.each_direction(e, true, place, |this, e, direction| {
            steps.into_iter().try_for_each(|step| {
                let value = right_hand_side(e.doc, step);
                this.assign_derivative(e, (step.y, value), direction)
            })
        })
    }

    fn step(&mut self, e: &mut Emitter<'_>, step: &Sum) -> Result<(), Diagnostic> {
        let value = right_hand_side(e.doc, step);
        self.derivative_assignment(e, step.y, value)
    }

    /// Whether an occurrence of a variable has a derivative that takes part.
    pub fn is_active(&self, doc: &Document, reference: RefId) -> bool {
        doc.refs[reference].active != Some(false) && self.parts.is_active(doc, reference)
    }

    /// The derivative of an occurrence; `None` if it has none that takes part.
    pub fn shadow(
        &self,
        doc: &mut Document,
        reference: RefId,
        direction: Direction,
    ) -> Option<RefId> {
        if doc.refs[reference].active == Some(false) {
            return None;
        }
        self.parts.reference(doc, reference, direction)
    }

    /// The derivative of an expression; `None` is zero.
    pub fn derivative(
        &self,
        doc: &mut Document,
        expr: ExprId,
        direction: Direction,
    ) -> Result<Option<ExprId>, Diagnostic> {
        let mut shadow = |doc: &mut Document, reference: RefId| {
            self.shadow(doc, reference, direction).map(|found| value_of(doc, found))
        };
        tangent_of(doc, self.catalogue, expr, &mut shadow)
    }

    /// Calls `emit` for the one direction, for all directions at once, or (`looped`) in a loop over
    /// them.
    pub fn each_direction(
        &mut self,
        e: &mut Emitter<'_>,
        looped: bool,
        place: Place,
        emit: impl FnOnce(&mut Self, &mut Emitter<'_>, Direction) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let Some(count) = self.parts.directions.filter(|_| looped) else {
            return emit(self, e, Direction::All);
        };
        let counter = self.counter(e.doc);
        let bounds = (integer(e.doc, 1, place), integer(e.doc, i64::from(count), place));
        e.open_do(counter, bounds, false, place);
        let number = whole(e.doc, counter, place);
        let number = value_of(e.doc, number);
        let result = emit(self, e, Direction::One(number));
        e.close_do();
        result
    }

    /// The variable that counts directions in this procedure.
    pub fn counter(&mut self, doc: &mut Document) -> SymbolId {
        let scope = doc.procs[self.proc].scope;
        let make = || new_variable(doc, scope, "k", Base::Integer(4), Place::default());
        *self.counters.entry(self.proc).or_insert_with(make)
    }

    /// The variable that counts directions, if there is one.
    pub fn counted(&self) -> Option<SymbolId> {
        self.counters.get(&self.proc).copied()
    }

    /// An error with a place and a way out.
    pub fn error(
        &self,
        doc: &Document,
        code: Code,
        place: Place,
        message: impl Into<String>,
        help: &str,
    ) -> Diagnostic {
        Diagnostic::error(code, doc.spot(place), message).with_help(help)
    }

    /// The scope of the procedure.
    pub fn scope(&self, doc: &Document) -> ScopeId {
        doc.procs[self.proc].scope
    }
}
