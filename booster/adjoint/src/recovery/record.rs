//! What a statement puts on the tape before it overwrites, and how that is taken back.
//!
//! The facts of TBR analysis (`Stmt::recorded`) tell; where nobody has told, all that a statement may
//! overwrite is recorded ("store all", paper 1, section 2).

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Document, ExprKind, InlinableCall, Part, RefId, Reference, Role,
    ScopeKind, StmtId, StmtKind, Subscript, Ty,
};
use xaif_schema::tape::recording;

use crate::body::Adjoint;
use crate::call_modes::presence::{guard, may_point_nowhere};
use crate::queries::designators::{
    begins_with, designated, has_open_end, is_bytes, is_c_pointer, is_part_of, is_plain,
    is_pointer, is_within, known_before, passed_variables, same_designator,
};
use crate::recovery::enclosing::without_parts;
use crate::recovery::properties::Way;
use booster_build::exists;
use booster_build::{Copier, Emitter, intrinsic, subscripts_of, value_of};
use booster_facts::arguments_of;
use booster_facts::nameable::can_be_named;
use booster_facts::overwrites::Designator;
use booster_facts::{Lifetime, LocationId, StepKey};

impl Adjoint<'_> {
    /// What is to be recorded before a statement, in order: new references.
    pub(crate) fn recorded(&self, doc: &Document, stmt: StmtId) -> Vec<Reference> {
        if doc.stmts[stmt].recompute {
            return Vec::new();
        }
        let dead = !doc.stmts[stmt].adjoint_live;
        if dead && !self.has_result_of_call(doc, stmt) {
            return Vec::new();
        }
        let place = doc.stmts[stmt].place;
        let found = self.overwritten(stmt);
        let mut list: Vec<Reference> = match (&doc.stmts[stmt].recorded, found) {
            (Some(told), _) => told.iter().map(|&reference| doc.refs[reference].clone()).collect(),
            (None, Some(found)) => {
                outermost(doc, found.names.iter().map(|name| designated(doc, name, place)))
            }
            (None, None) => Vec::new(),
        };
        if self.is_executed_again(doc, stmt) && !dead {
            let snapshot = found.into_iter().flat_map(|found| &found.snapshot);
            let snapshot = snapshot.map(|name| designated(doc, name, place));
            list = outermost(doc, list.into_iter().chain(snapshot));
        }
        if self.has_checkpoints(doc, stmt) {
            list.iter_mut().for_each(|name| self.of_all_iterations(doc, name));
            list = outermost(doc, list.into_iter());
        }
        if let (true, StmtKind::Assign { lhs, .. }) = (dead, &doc.stmts[stmt].kind) {
            list.retain(|name| self.is_result(doc, stmt, name, *lhs));
        }
        if let StmtKind::Marker(_) = doc.stmts[stmt].kind {
            let mut whole: Vec<Reference> = Vec::new();
            for name in list {
                let name = known_before(doc, name);
                if !whole.iter().any(|known| same_designator(doc, known, &name)) {
                    whole.push(name);
                }
            }
            list = whole;
        }
        // A call may look as if it could change the variable of a loop that it stands in; it must not.
        if let Some(counters) = self.counting.get(&stmt) {
            list.retain(|name| !(name.parts.is_empty() && counters.contains(&name.base)));
        }
        // What is allocated for a local Jacobian had no value before it.
        if doc.stmts[stmt].local_jacobian.is_some() {
            list.retain(|name| !self.fresh.contains(&name.base));
        }
        // Components of what may not be there are recorded with what they are of.
        let inside = |whole: &Reference| list.iter().any(|name| is_within(doc, name, whole));
        let around = |whole: &Reference| list.iter().any(|name| is_part_of(doc, name, whole));
        let reshaped = self.reshaped_by(doc, stmt).into_iter().filter(around);
        let whole: Vec<Reference> =
            self.allocated_by(doc, stmt).into_iter().filter(inside).chain(reshaped).collect();
        if !whole.is_empty() {
            list = outermost(doc, whole.into_iter().chain(list));
        }
        // What is allocated, released or associated is recorded in another way.
        let memory = self.memory_objects(doc, stmt);
        // What ALLOCATE gives to components was not there before; what MOVE_ALLOC moves comes back as a
        // whole.
        let made = matches!(doc.stmts[stmt].kind, StmtKind::Allocate(_))
            || matches!(&doc.stmts[stmt].kind, StmtKind::Call(call) if doc.moved(call).is_some());
        list.retain(|name| {
            !memory.iter().any(|&object| {
                let object = &doc.refs[object];
                same_designator(doc, name, object) || made && is_part(doc, name, object)
            })
        });
        // What cannot be overwritten here has not been, whatever is assumed of a callee.
        list.retain(|name| !is_constant_here(doc, name));
        // A pointer to procedures has an association, and no value.
        let is_procedure = |name: &Reference| {
            let entity = name.entity();
            entity.is_some_and(|symbol| matches!(doc.role(symbol), Some(Role::Procedure(_))))
        };
        list.retain(|name| !is_procedure(name));
        self.dependent_first(doc, &mut list);
        // A variable that the statement does not name has no place of its own.
        for name in list.iter_mut().filter(|name| doc.spot(name.place).is_none()) {
            name.place = place;
        }
        list
    }

    /// Whether a statement assigns the result of a function whose adjoint uses the place of the result.
    pub(crate) fn has_result_of_call(&self, doc: &Document, stmt: StmtId) -> bool {
        matches!(doc.stmts[stmt].kind, StmtKind::Assign { defined: None, .. })
            && self.passes(doc, stmt)
    }

    /// The variables to which an assignment, or a procedure that they are passed to, may give another
    /// allocation.
    pub(crate) fn allocated_by(&self, doc: &Document, stmt: StmtId) -> Vec<Reference> {
        match &doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, rhs, .. } => {
                let given = self.tools.may_reallocate(doc, *lhs) && self.reshapes(doc, *lhs, *rhs);
                given.then(|| doc.refs[*lhs].clone()).into_iter().collect()
            }
            StmtKind::Call(call) if !doc.is_intrinsic(call.callee.symbol) => {
                let passed = passed_variables(doc, &call.args);
                let passed = passed.map(|reference| doc.refs[reference].clone());
                let is_allocatable = |own: &Reference| {
                    own.whole_entity().is_some_and(|own| doc.has(own, Attr::Allocatable))
                };
                passed.filter(|own| is_allocatable(own) && may_allocate(doc, stmt, own)).collect()
            }
            StmtKind::Call(_)
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
            | StmtKind::Comment(_) => Vec::new(),
        }
    }

    /// What has others of the list among its subscripts is recorded before them, so that it is taken
    /// back behind them.
    fn dependent_first(&self, doc: &Document, list: &mut Vec<Reference>) {
        let depends = |one: &Reference, other: &Reference| {
            let read: Vec<_> = subscripts_of(one)
                .into_iter()
                .flat_map(|sub| self.locations_read(doc, sub))
                .collect();
            let locations = self.storage.locations_at(doc, other);
            locations.iter().any(|location| read.contains(location))
        };
        let mut rest = std::mem::take(list);
        while !rest.is_empty() {
            let free = |&at: &usize| {
                let others = rest.iter().enumerate().filter(|(other, _)| *other != at);
                !others.into_iter().any(|(_, other)| depends(other, &rest[at]))
            };
            let at = (0..rest.len()).find(free).unwrap_or(0);
            list.push(rest.remove(at));
        }
    }

    /// Puts on the tape what `stmt` is about to overwrite.
    pub(crate) fn record(&mut self, e: &mut Emitter<'_>, stmt: StmtId) -> Result<(), Diagnostic> {
        if e.doc.stmts[stmt].adjoint_live {
            self.is_named(e.doc, stmt)?;
        }
        let (result, others) = self.recorded_apart(e.doc, stmt);
        result.iter().try_for_each(|name| self.tape_for(e, stmt, name, true))?;
        self.tape_shape(e, stmt, true)?;
        others.iter().try_for_each(|name| self.tape_for(e, stmt, name, true))?;
        // They are taken back first, as values are taken back through them.
        self.tape_associations(e, stmt, true)
    }

    /// What `stmt` records: of what it assigns, and of what functions that it calls overwrite.
    fn recorded_apart(&self, doc: &Document, stmt: StmtId) -> (Vec<Reference>, Vec<Reference>) {
        let all = self.recorded(doc, stmt);
        let StmtKind::Assign { lhs, .. } = doc.stmts[stmt].kind else { return (all, Vec::new()) };
        all.into_iter().partition(|name| self.is_result(doc, stmt, name, lhs))
    }

    /// Refuses what a call may overwrite of what an adjoint reads, and has no name here.
    fn is_named(&self, doc: &Document, stmt: StmtId) -> Result<(), Diagnostic> {
        let hidden = |name: &Reference| {
            let symbol = &doc.symbols[name.base];
            let global = matches!(doc.scopes[symbol.scope].kind, ScopeKind::Module(_))
                || symbol.decl.as_deref().is_some_and(|decl| decl.common.is_some());
            global && !can_be_named(doc, &self.storage, self.proc, name.base)
        };
        let name = self.recorded(doc, stmt).into_iter().find(hidden);
        let name = name.map(|name| doc.name(name.base).to_owned());
        let unnamed = || {
            let found = self.overwritten(stmt)?;
            let global = |location: &&LocationId| {
                matches!(self.storage.locations()[**location].lifetime, Lifetime::Global)
                    && match &doc.stmts[stmt].recorded {
                        None => self.read.contains(location),
                        // A name of a location is not one of all its memory.
                        Some(told) => told
                            .iter()
                            .any(|&one| self.storage.locations_of(doc, one).contains(location)),
                    }
            };
            Some(self.storage.name(doc, *found.nameless.iter().find(global)?))
        };
        let Some(name) = name.or_else(unnamed) else { return Ok(()) };
        let place = doc.stmts[stmt].place;
        let message = format!(
            "this call may overwrite `{name}`, whose value must be recorded, and which has no name here"
        );
        Err(Diagnostic::error(Code::UNNAMED_VALUE, doc.spot(place), message)
            .with_help(
                "declare the COMMON block here; a variable of a module must be one that can be used here, \
                 and a saved variable of the callee one of a module",
            ))
    }

    /// Puts the properties on the tape that are recorded without a value, or takes them back.
    pub(crate) fn tape_shape(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        push: bool,
    ) -> Result<(), Diagnostic> {
        let list = self.properties_on_tape(e.doc, stmt, push, false);
        list.into_iter().try_for_each(|own| {
            let before = self.allocated_before(stmt, &own);
            let guards = self.open_around(e, stmt, &own);
            let way = Way { push, value: false, released: false, before, stmt: Some(stmt) };
            self.tape_state(e, &own, way)?;
            (0..guards).for_each(|_| e.close_if());
            Ok(())
        })
    }

    /// Puts the associations on the tape that a statement records, or takes them back.
    fn tape_associations(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        push: bool,
    ) -> Result<(), Diagnostic> {
        let list = self.properties_on_tape(e.doc, stmt, push, true);
        list.into_iter().try_for_each(|own| {
            let pointer = e.doc.refs.push(own);
            let pointer = Copier::new().reference(e.doc, pointer);
            self.hold(e, pointer, push)
        })
    }

    /// The recorded properties of pointers, or of the other objects, in the order of the tape.
    fn properties_on_tape(
        &self,
        doc: &Document,
        stmt: StmtId,
        push: bool,
        pointers: bool,
    ) -> Vec<Reference> {
        let mut list = self.recorded_properties(doc, stmt);
        list.retain(|own| is_pointer(doc, own) == pointers);
        if !push {
            list.reverse();
        }
        list
    }

    /// The objects of which a statement records the property without the value: of variables with adjoints whatever may
    /// change it, of others what the facts tell, and what a call that is executed again reads and changes.
    pub(crate) fn recorded_properties(&self, doc: &Document, stmt: StmtId) -> Vec<Reference> {
        if !doc.stmts[stmt].adjoint_live {
            return Vec::new();
        }
        let place = doc.stmts[stmt].place;
        let told = doc.stmts[stmt].properties.iter().map(|&object| doc.refs[object].clone());
        // The backward half of what a split call executes takes back what that has changed. The adjoint of a joint call
        // begins with the properties that the call began with.
        let again = self.is_executed_again(doc, stmt);
        let told = told.filter(|own| match &doc.stmts[stmt].kind {
            StmtKind::Call(_) => again || self.undoes_itself(doc, stmt),
            StmtKind::Assign { lhs, .. } => {
                again || !self.passes(doc, stmt) || own.base == doc.refs[*lhs].base
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
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => true,
        });
        let untold = doc.stmts[stmt].recorded.is_none() && self.undoes_itself(doc, stmt);
        let all = self.overwritten(stmt).filter(|_| untold).into_iter();
        let all = all.flat_map(|found| &found.reshaped);
        let all = all.map(|name| designated(doc, name, place));
        let renewed = self.overwritten(stmt).filter(|_| again).into_iter();
        let renewed = renewed.flat_map(|found| &found.renewed);
        let renewed = renewed.map(|name| designated(doc, name, place));
        let mut list: Vec<Reference> = Vec::new();
        for own in self.reshaped(doc, stmt).into_iter().chain(told).chain(all).chain(renewed) {
            if !list.iter().any(|known| same_designator(doc, known, &own)) {
                list.push(own);
            }
        }
        let known = self.recorded(doc, stmt);
        list.extend(self.reassociated(doc, stmt, &known, &list));
        if list.is_empty() {
            return list;
        }
        list.extend(self.reshaped_around(doc, stmt, &list));
        // The record of a value holds the property of its object and of the parts, but no association.
        list.retain(|own| {
            is_pointer(doc, own) || !known.iter().any(|name| is_within(doc, own, name))
        });
        without_parts(doc, list)
    }

    /// Whether the caller, not the adjoint of what a statement calls, takes back what the statement overwrites.
    fn undoes_itself(&self, doc: &Document, stmt: StmtId) -> bool {
        match &doc.stmts[stmt].kind {
            StmtKind::Assign { .. } => !self.passes(doc, stmt),
            StmtKind::Call(call) => {
                !doc.is_intrinsic(call.callee.symbol) && !self.passes(doc, stmt)
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
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => false,
        }
    }

    /// The variables with adjoints of which an assignment, or a call that has no adjoint, may change
    /// the shape.
    pub(crate) fn reshaped(&self, doc: &Document, stmt: StmtId) -> Vec<Reference> {
        if let StmtKind::Assign { lhs, rhs, .. } = doc.stmts[stmt].kind {
            let reshapes = self.tools.parts.is_active(doc, lhs) && self.reshapes(doc, lhs, rhs);
            return if reshapes { vec![doc.refs[lhs].clone()] } else { Vec::new() };
        }
        let StmtKind::Call(call) = &doc.stmts[stmt].kind else { return Vec::new() };
        if doc.is_intrinsic(call.callee.symbol) || self.passes(doc, stmt) {
            return Vec::new();
        }
        let place = doc.stmts[stmt].place;
        let names = self.overwritten(stmt).into_iter().flat_map(|found| &found.names);
        let mut list: Vec<Reference> = names.map(|name| designated(doc, name, place)).collect();
        list.retain(|own| {
            is_plain(doc, own.ty.base)
                && self.has_state(doc, own)
                && may_allocate(doc, stmt, own)
                && self.tools.parts.has_derivative(own)
        });
        list
    }

    /// Behind what took back the shapes that a call without adjoint had changed: the adjoints get them.
    pub(crate) fn follow_reshaped(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
    ) -> Result<(), Diagnostic> {
        let mut list = self.reshaped(e.doc, stmt);
        let told = e.doc.stmts[stmt].properties.iter().map(|&object| e.doc.refs[object].clone());
        // Where no facts tell, all that the statement may change has been recorded.
        let untold = e.doc.stmts[stmt].recorded.is_none() && self.undoes_itself(e.doc, stmt);
        let all = if untold { self.reshaped_by(e.doc, stmt) } else { Vec::new() };
        let told = told
            .chain(all)
            .filter(|own| !is_pointer(e.doc, own) && self.tools.parts.has_derivative(own));
        for own in told.collect::<Vec<_>>() {
            if !list.iter().any(|known| same_designator(e.doc, known, &own)) {
                list.push(own);
            }
        }
        list.extend(self.reshaped_around(e.doc, stmt, &list));
        for own in without_parts(e.doc, list) {
            let guards = self.open_around(e, stmt, &own);
            let object = e.doc.refs.push(own);
            self.follow(e, object)?;
            (0..guards).for_each(|_| e.close_if());
        }
        Ok(())
    }

    /// Pushes or pops a variable that `stmt` may overwrite, with its shape if it may change that.
    pub(crate) fn tape_for(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        reference: &Reference,
        push: bool,
    ) -> Result<(), Diagnostic> {
        let condition = self.under_condition(e.doc, stmt, reference);
        if let Some(condition) = condition {
            let condition = Copier::new().expr(e.doc, condition);
            e.open_if(condition, reference.place);
        }
        let pointer = may_point_nowhere(e.doc, stmt, reference);
        if pointer {
            self.tools.import(e.doc, reference.base);
            let named = definable(e.doc, reference);
            let object = e.doc.refs.push(named);
            let object = Copier::new().reference(e.doc, object);
            let there = exists(e.doc, object, "associated");
            e.open_if(there, reference.place);
        }
        let guards = self.open_around(e, stmt, reference);
        self.tape_in_any_case(e, stmt, reference, push)?;
        (0..guards).for_each(|_| e.close_if());
        if pointer {
            e.close_if();
        }
        if condition.is_some() {
            e.close_if();
        }
        Ok(())
    }

    fn tape_in_any_case(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        reference: &Reference,
        push: bool,
    ) -> Result<(), Diagnostic> {
        let reshapes = match e.doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, rhs, .. } => {
                let own = same_designator(e.doc, reference, &e.doc.refs[lhs]);
                !own || self.reshapes(e.doc, lhs, rhs)
            }
            StmtKind::Where(_) | StmtKind::Marker(_) => false,
            StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Comment(_) => true,
        };
        let before = self.allocated_before(stmt, reference);
        if reshapes || !is_bytes(e.doc, reference.ty.base) {
            return self.tape_known(e, reference, push, (before, Some(stmt)));
        }
        // What keeps its shape as it is assigned is there.
        let assigned = matches!(e.doc.stmts[stmt].kind, StmtKind::Assign { .. });
        let sure = assigned || before == Some(true);
        self.tape_value(e, reference, push, sure)
    }

    /// Whether a name of what `stmt` records is that of `lhs`, which it assigns, and not what a function that
    /// it calls overwrites. Subscripts cannot always be compared.
    pub(crate) fn is_result(
        &self,
        doc: &Document,
        stmt: StmtId,
        name: &Reference,
        lhs: RefId,
    ) -> bool {
        let (own, place) = (&doc.refs[lhs], doc.stmts[stmt].place);
        let of_callee = |found: &Designator| {
            *found != Designator::Ref(lhs) && designated(doc, found, place).base == own.base
        };
        same_designator(doc, name, own)
            || name.base == own.base
                && !self.overwritten(stmt).is_some_and(|found| found.names.iter().any(of_callee))
    }

    /// Takes back what `t = f(x)` has put on the tape, but for `t`; then executes `between`, then
    /// takes `t` back, whose place the adjoint of `f` uses for the value of the function.
    pub(crate) fn restore_around(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        between: impl FnOnce(&mut Self, &mut Emitter<'_>) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let (result, others) = self.recorded_apart(e.doc, stmt);
        self.tape_associations(e, stmt, false)?;
        others.iter().rev().try_for_each(|name| self.tape_for(e, stmt, name, false))?;
        between(self, e)?;
        self.tape_shape(e, stmt, false)?;
        result.iter().rev().try_for_each(|name| self.tape_for(e, stmt, name, false))
    }

    /// Takes back what `stmt` has put on the tape.
    pub(crate) fn restore(&mut self, e: &mut Emitter<'_>, stmt: StmtId) -> Result<(), Diagnostic> {
        let nothing = |_: &mut Self, _: &mut Emitter<'_>| Ok(());
        self.restore_around(e, stmt, nothing)
    }

    /// Pushes or pops the value of a variable, with all that its state consists of.
    pub(crate) fn tape(
        &mut self,
        e: &mut Emitter<'_>,
        reference: &Reference,
        push: bool,
    ) -> Result<(), Diagnostic> {
        self.tape_known(e, reference, push, (None, None))
    }

    /// As [`tape`](Self::tape), where it is known whether the variable is allocated as it is recorded, or which
    /// statement alone comes between the record and its recovery.
    pub(crate) fn tape_known(
        &mut self,
        e: &mut Emitter<'_>,
        reference: &Reference,
        push: bool,
        (before, stmt): (Option<bool>, Option<StmtId>),
    ) -> Result<(), Diagnostic> {
        if self.has_state(e.doc, reference) {
            let way = Way { push, value: true, released: false, before, stmt };
            return self.tape_state(e, reference, way);
        }
        self.tape_value(e, reference, push, false)
    }

    /// Whether a variable is allocated as control arrives at a statement of the program, if that is known.
    pub(crate) fn allocated_before(&self, stmt: StmtId, name: &Reference) -> Option<bool> {
        self.allocation.get(&self.proc)?.is_reference_allocated(StepKey::Stmt(stmt), name)
    }

    pub(crate) fn tape_value(
        &mut self,
        e: &mut Emitter<'_>,
        reference: &Reference,
        push: bool,
        sure: bool,
    ) -> Result<(), Diagnostic> {
        let place = reference.place;
        self.can_be_recorded(e.doc, reference)?;
        self.tools.import(e.doc, reference.base);
        let definable = definable(e.doc, reference);
        let original = e.doc.refs.push(definable);
        let object = Copier::new().reference(e.doc, original);
        let name = recording(e.doc.refs[object].ty, push);
        let guard = guard(e.doc, object).filter(|&name| !sure || name != "allocated");
        if let Some(name) = guard {
            let condition = exists(e.doc, object, name);
            e.open_if(condition, place);
        }
        let value = value_of(e.doc, object);
        let args = vec![Arg { position: 1, keyword: None, value: ArgValue::Expr(value) }];
        let call = InlinableCall { name: name.into(), args };
        e.stmt(StmtKind::InlinableCall(Box::new(call)), place);
        if guard.is_some() {
            e.close_if();
        }
        Ok(())
    }

    fn can_be_recorded(&self, doc: &Document, reference: &Reference) -> Result<(), Diagnostic> {
        let open = reference.parts.is_empty() && has_open_end(doc, reference.base);
        let message = if open {
            "the value of `{}` must be recorded here, but how large it is is not known"
        } else if !is_plain(doc, reference.ty.base) || is_c_pointer(doc, reference.ty) {
            "the value of `{}` must be recorded here, which is not supported for its type"
        } else {
            return Ok(());
        };
        let message = message.replace("{}", doc.name(reference.base));
        Err(self.refused(
            doc,
            reference.place,
            message,
            "declare it with its extents and components of fixed size",
        ))
    }
}

/// Whether a call may allocate `own`: not where it is passed to a dummy argument that is no allocatable
/// one.
pub(crate) fn may_allocate(doc: &Document, stmt: StmtId, own: &Reference) -> bool {
    let StmtKind::Call(call) = &doc.stmts[stmt].kind else { return false };
    let dummies = arguments_of(doc, call.callee.symbol).unwrap_or_default();
    let dummy_of = |arg: &Arg| {
        let ArgValue::Expr(value) = arg.value else { return None };
        let ExprKind::Ref(passed) = doc.exprs[value].kind else { return None };
        let same = same_designator(doc, &doc.refs[passed], own);
        same.then(|| dummies.iter().find(|dummy| dummy.position == arg.position)?.symbol)
    };
    let mut passed = call.args.iter().filter_map(dummy_of).peekable();
    passed.peek().is_none()
        || passed.any(|dummy| dummy.is_none_or(|dummy| doc.has(dummy, Attr::Allocatable)))
}

/// Names without those of components of others among them.
fn outermost(doc: &Document, names: impl Iterator<Item = Reference>) -> Vec<Reference> {
    let mut list: Vec<Reference> = Vec::new();
    for name in names {
        if !list.iter().any(|known| is_within(doc, &name, known)) {
            list.retain(|known| !is_within(doc, known, &name));
            list.push(name);
        }
    }
    list
}

/// Whether a name is that of a component of an object of ALLOCATE.
fn is_part(doc: &Document, name: &Reference, object: &Reference) -> bool {
    let whole = match object.parts.split_last() {
        Some((Part::Elements(_), whole)) => whole,
        _ => &object.parts[..],
    };
    name.base == object.base
        && name.parts.len() > whole.len()
        && begins_with(doc, &name.parts, whole)
}

/// What a procedure may be given to define: whole dimensions where there are vector subscripts (from the
/// smallest to the greatest where the extent is not known), complex arrays where there are parts of them
/// (`z%re` gfortran 12 cannot pass for a type that is not known).
fn definable(doc: &mut Document, reference: &Reference) -> Reference {
    let open = has_open_end(doc, reference.base);
    let mut definable = reference.clone();
    if let (Some(Part::Inquiry(_)), Base::Real(kind), 1..) =
        (definable.parts.last(), definable.ty.base, definable.ty.rank)
    {
        definable.parts.pop();
        definable.ty.base = Base::Complex(kind);
    }
    for (depth, part) in definable.parts.iter_mut().enumerate() {
        let Part::Elements(subscripts) = part else { continue };
        let last = subscripts.len();
        for (subscript, at) in subscripts.iter_mut().zip(1..) {
            let Subscript::Index(index) = *subscript else { continue };
            let ty = doc.exprs[index].ty;
            if ty.rank == 0 {
                continue;
            }
            let mut end = |name| {
                let indices = Copier::new().expr(doc, index);
                Some(intrinsic(doc, name, &[indices], Ty::scalar(ty.base)))
            };
            let (lower, upper) = match open && depth == 0 && at == last {
                true => (end("nc_minval"), end("nc_maxval")),
                false => (None, None),
            };
            *subscript = Subscript::Section { lower, upper, stride: None };
        }
    }
    definable
}

/// Whether a name is that of a dummy argument that is not changed.
fn is_constant_here(doc: &Document, name: &Reference) -> bool {
    let decl = doc.symbols[name.base].decl.as_deref();
    decl.is_some_and(|decl| {
        decl.intent == Some(xaif_schema::model::Intent::In)
            && !decl.has(Attr::Pointer)
            && !name.parts.iter().any(|part| match part {
                Part::Component { symbol: Some(symbol), .. } => doc.has(*symbol, Attr::Pointer),
                _ => false,
            })
    })
}
