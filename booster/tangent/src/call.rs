//! Calls: `call q(a, b)` becomes `call q_d(a, ad, b, bd)`, `t = f(a)` becomes
//! `call f_d(a, ad, t, td)`.
//!
//! The derivative procedure computes the values, too, so its call replaces the original's. An
//! actual argument without derivative, where the dummy argument has one, is followed by a zero.

use std::collections::HashSet;

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Callee, Document, ExprId, ExprKind, FunctionCall, Intent, Part,
    Place, ProcClass, RefId, Role, SpecItem, StmtId, StmtKind, SubroutineCall, SymbolId,
};

use super::body::Tangent;
use super::external::Outside;
use super::gather::{Receiver, has_alternates};
use booster_build::with_object;
use booster_build::{Copier, Emitter, integer, value_of, whole};
use booster_facts::arguments_of;
use booster_linearize::conform;
use booster_rules::may_be_continuous;
use booster_shadow::derivative::{Direction, Slot};
use booster_shadow::elemental::open_elements;

/// The actual arguments of the original call, by the position of their dummy arguments.
pub struct Actuals<'a> {
    /// As the call has them.
    pub args: &'a [Arg],
    /// The variable that takes the result of a function.
    pub result: Option<RefId>,
}

impl Tangent<'_> {
    /// `call q(…)`
    pub fn call(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        call: &SubroutineCall,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        if e.doc.is_intrinsic(call.callee.symbol) {
            return self.intrinsic_subroutine(e, stmt, call);
        }
        let derivative = match call.active {
            Some(false) => None,
            Some(true) | None => self.callee(e.doc, &call.callee),
        };
        let Some(derivative) = derivative else {
            let (callee, args, active) = (&call.callee, &call.args[..], call.active);
            let outside = Outside { callee, args, active, result: None, place };
            let written = self.without_derivative(e.doc, &outside)?;
            e.push(stmt);
            self.zero_written(e, written)?;
            return self.follow_allocated(e, call);
        };
        if self.element_by_element(e, stmt)? {
            return Ok(());
        }
        let all = with_object(e.doc, &call.callee, &call.args);
        let actuals = Actuals { args: &all, result: None };
        let args = self.arguments(e, &call.callee, derivative, &actuals, place)?;
        let mut made = call.clone();
        made.formal_count = self.count(derivative);
        made.callee = Callee { symbol: derivative, generic: None, object: None };
        made.args = args;
        made.active = None;
        let alternate = has_alternates(&made.args);
        e.doc.stmts[stmt].kind = StmtKind::Call(Box::new(made));
        e.push(stmt);
        self.scatter(e, alternate, place)
    }

    /// Behind a call without derivative: what it may have allocated although nobody asks for its values
    /// (`call init(work)`, before `deallocate (work)`) has derivatives that follow.
    fn follow_allocated(
        &mut self,
        e: &mut Emitter<'_>,
        call: &SubroutineCall,
    ) -> Result<(), Diagnostic> {
        let dummies = originals(e.doc, call.callee.symbol);
        for arg in &call.args {
            let index = usize::try_from(arg.position).unwrap_or(0).wrapping_sub(1);
            let dummy = dummies.get(index).copied().flatten();
            let ArgValue::Expr(value) = arg.value else { continue };
            let ExprKind::Ref(object) = e.doc.exprs[value].kind else { continue };
            let is = |doc: &Document, attr| {
                let dummy = dummy.is_some_and(|dummy| doc.has(dummy, attr));
                dummy && doc.refs[object].whole_entity().is_some_and(|own| doc.has(own, attr))
            };
            let base = e.doc.refs[object].ty.base;
            let inner = self.has_allocatable_within(e.doc, base);
            let may_change = may_write(e.doc, dummy)
                && !is(e.doc, Attr::Pointer)
                && self.can_follow(e.doc, base);
            if may_change
                && (is(e.doc, Attr::Allocatable) || inner)
                && self.parts.has_derivative(&e.doc.refs[object])
            {
                self.follow_state(e, object, Direction::All)?;
            }
        }
        Ok(())
    }

    /// Whether the polymorphic objects that something of a type consists of, not behind pointers, are such
    /// that derivatives can be made of their types.
    fn can_follow(&self, doc: &Document, base: Base) -> bool {
        let (mut seen, mut next) = (vec![base], 0);
        while let Some(&base) = seen.get(next) {
            next += 1;
            let polymorphic = matches!(base, Base::Class(_) | Base::ClassStar);
            if polymorphic && !self.follows_types_of(doc, base) {
                return false;
            }
            let types = match base {
                Base::Derived(owner) => vec![owner],
                Base::Class(owner) => self.types_of_class(doc, owner),
                _ => continue,
            };
            for part in types.into_iter().flat_map(|ty| doc.data_components(ty)) {
                let inner = doc.declared_base(part);
                if !doc.has(part, Attr::Pointer) && !seen.contains(&inner) {
                    seen.push(inner);
                }
            }
        }
        true
    }

    /// Whether a function reference must become a call of the derivative procedure.
    pub fn passes_through(&self, doc: &Document, call: &FunctionCall, lhs: RefId) -> bool {
        match call.active {
            Some(active) => active,
            None => {
                self.parts.callee(call.callee.symbol).is_some()
                    || self.is_active(doc, lhs)
                    || self.any_active(doc, &call.args)
            }
        }
    }

    /// `t = f(…)`
    pub fn function_call(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        (lhs, rhs): (RefId, ExprId),
        call: &FunctionCall,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        let Some(derivative) = self.callee(e.doc, &call.callee) else {
            let (callee, args, active) = (&call.callee, &call.args[..], call.active);
            let outside = Outside { callee, args, active, result: Some(lhs), place };
            let written = self.without_derivative(e.doc, &outside)?;
            e.push(stmt);
            self.zero_written(e, written)?;
            return self.zero_result(e, lhs, rhs);
        };
        self.shape_result(e, lhs, call, (place, true))?;
        if self.element_by_element(e, stmt)? {
            return Ok(());
        }
        let all = with_object(e.doc, &call.callee, &call.args);
        let actuals = Actuals { args: &all, result: Some(lhs) };
        let args = self.arguments(e, &call.callee, derivative, &actuals, place)?;
        let made = SubroutineCall {
            callee: Callee { symbol: derivative, generic: None, object: None },
            args,
            formal_count: self.count(derivative),
            active: None,
        };
        let alternate = has_alternates(&made.args);
        e.doc.stmts[stmt].kind = StmtKind::Call(Box::new(made));
        e.push(stmt);
        self.scatter(e, alternate, place)?;
        match self.gives_derivative(derivative) {
            true => Ok(()),
            false => self.zero_result(e, lhs, rhs),
        }
    }

    /// Behind `lhs = f(…)` where the result has no derivative: that of `lhs` is zero and has the shape that `lhs` has got.
    fn zero_result(
        &mut self,
        e: &mut Emitter<'_>,
        lhs: RefId,
        rhs: ExprId,
    ) -> Result<(), Diagnostic> {
        let spread = e.doc.refs[lhs].ty.rank > e.doc.exprs[rhs].ty.rank;
        let reshapes = self.may_reallocate(e.doc, lhs) || self.has_allocatable_parts(e.doc, lhs);
        match reshapes && !spread {
            true => self.follow_shape(e, lhs, rhs),
            false => self.zero_variable(e, lhs),
        }
    }

    /// An elemental procedure with derivatives in several directions is none any more: its
    /// derivatives are arrays. So it is called for each element; tells whether that was done.
    fn element_by_element(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
    ) -> Result<bool, Diagnostic> {
        if self.parts.directions.is_none() {
            return Ok(false);
        }
        let scope = self.scope(e.doc);
        let opened = open_elements(e, scope, stmt, false).map_err(|mut problem| {
            // In one direction nothing stands in the way.
            problem.code = Code::SEVERAL_DIRECTIONS;
            problem
        });
        let Some(elements) = opened? else { return Ok(false) };
        let done = self.statement(e, elements.stmt);
        elements.close(e);
        done.map(|()| true)
    }

    /// `a = b` by a procedure of the user: `call assign_d(a, ad, (b), bd)`.
    pub fn defined_assignment(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        lhs: RefId,
        rhs: ExprId,
        callee: &Callee,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        let target = value_of(e.doc, lhs);
        // The value is that of an expression: what the procedure does to `a` does not change it.
        if matches!(e.doc.exprs[rhs].kind, ExprKind::Ref(_)) {
            e.doc.exprs[rhs].parens = true;
        }
        let arg = |position, expr| Arg { position, keyword: None, value: ArgValue::Expr(expr) };
        let args = vec![arg(1, target), arg(2, rhs)];
        if !self.any_active(e.doc, &args) {
            e.push(stmt);
            return Ok(());
        }
        let Some(derivative) = self.callee(e.doc, callee) else {
            let outside = Outside { callee, args: &args, active: Some(true), result: None, place };
            let written = self.without_derivative(e.doc, &outside)?;
            e.push(stmt);
            return self.zero_written(e, written);
        };
        let actuals = Actuals { args: &args, result: None };
        let args = self.arguments(e, callee, derivative, &actuals, place)?;
        let made = SubroutineCall {
            callee: Callee { symbol: derivative, generic: None, object: None },
            args,
            formal_count: self.count(derivative),
            active: None,
        };
        let alternate = has_alternates(&made.args);
        e.doc.stmts[stmt].kind = StmtKind::Call(Box::new(made));
        e.push(stmt);
        self.scatter(e, alternate, place)
    }

    /// The number of dummy arguments of a derivative procedure.
    pub fn count(&self, derivative: SymbolId) -> Option<u32> {
        let slots = self.parts.signature(derivative)?;
        u32::try_from(slots.len()).ok()
    }

    /// Whether one of the arguments is active.
    pub fn any_active(&self, doc: &Document, args: &[Arg]) -> bool {
        args.iter().any(|arg| match arg.value {
            ArgValue::Expr(expr) => match doc.exprs[expr].kind {
                ExprKind::Ref(reference) => self.is_active(doc, reference),
                _ => false,
            },
            ArgValue::AlternateReturn(_) => false,
        })
    }

    /// Whether a derivative procedure has an argument for the derivative of the result: not where that
    /// depends on nothing active, and the procedure is differentiated for others that it computes.
    pub fn gives_derivative(&self, derivative: SymbolId) -> bool {
        let slots = self.parts.signature(derivative);
        slots.is_none_or(|slots| slots.iter().any(|slot| matches!(slot, Slot::ResultDerivative)))
    }

    /// The actual arguments of the derivative call, in the order of its dummy arguments.
    pub fn arguments(
        &mut self,
        e: &mut Emitter<'_>,
        callee: &Callee,
        derivative: SymbolId,
        actuals: &Actuals<'_>,
        place: Place,
    ) -> Result<Vec<Arg>, Diagnostic> {
        let slots: Vec<Slot> = match self.parts.signature(derivative) {
            Some(slots) => slots.to_vec(),
            None => self.slots(e.doc, actuals),
        };
        let dummies = dummies(e.doc, derivative);
        let originals = originals(e.doc, callee.symbol);
        self.agree(e.doc, callee, &slots, &originals, actuals, place)?;
        self.overwritten = overwritten(e.doc, actuals, &originals);
        let mut list = Vec::new();
        let mut keyword = false;
        for (slot, index) in slots.iter().zip(0..) {
            let position = u32::try_from(index + 1).unwrap_or(u32::MAX);
            let name = dummies.get(index).copied().flatten();
            let own = |number: u32| actuals.args.iter().find(|arg| arg.position == number);
            let value = match *slot {
                Slot::Argument(number) => own(number).map(|arg| (arg.value, arg.keyword.is_some())),
                Slot::ArgumentDerivative(number) => match own(number) {
                    Some(arg) => {
                        let ArgValue::Expr(expr) = arg.value else { continue };
                        let index = usize::try_from(number).unwrap_or(0).wrapping_sub(1);
                        let dummy = originals.get(index).copied().flatten();
                        let value = self.derivative_actual(e, expr, dummy, callee, place)?;
                        Some((ArgValue::Expr(value), arg.keyword.is_some()))
                    }
                    None => None,
                },
                Slot::ArgumentForward(number) | Slot::ArgumentBackward(number) => match own(number)
                {
                    Some(arg) => {
                        let ArgValue::Expr(expr) = arg.value else { continue };
                        let forward = matches!(*slot, Slot::ArgumentForward(_));
                        let value = self.procedure_half(e.doc, expr, forward, place)?;
                        Some((ArgValue::Expr(value), arg.keyword.is_some()))
                    }
                    None => None,
                },
                Slot::Result => actuals.result.map(|lhs| {
                    let lhs = Copier::new().reference(e.doc, lhs);
                    (ArgValue::Expr(value_of(e.doc, lhs)), false)
                }),
                Slot::ResultDerivative => match actuals.result {
                    Some(lhs) => {
                        let value = self.result_derivative(e, lhs, callee, place)?;
                        Some((ArgValue::Expr(value), false))
                    }
                    None => None,
                },
            };
            // Behind an absent optional argument all others need their names.
            let Some((value, named)) = value else {
                keyword = true;
                continue;
            };
            keyword |= named;
            let keyword = name.filter(|_| keyword).map(|name| e.doc.name(name).into());
            list.push(Arg { position, keyword, value });
        }
        Ok(list)
    }

    /// The dummy arguments of a derivative procedure that nobody knows: every actual argument that
    /// has a derivative is followed by it.
    fn slots(&self, doc: &Document, actuals: &Actuals<'_>) -> Vec<Slot> {
        let mut slots = Vec::new();
        for arg in actuals.args {
            slots.push(Slot::Argument(arg.position));
            if self.any_active(doc, std::slice::from_ref(arg)) {
                slots.push(Slot::ArgumentDerivative(arg.position));
            }
        }
        if actuals.result.is_some() {
            slots.extend([Slot::Result, Slot::ResultDerivative]);
        }
        slots
    }

    /// The derivative of an actual argument.
    fn derivative_actual(
        &mut self,
        e: &mut Emitter<'_>,
        expr: ExprId,
        dummy: Option<SymbolId>,
        callee: &Callee,
        place: Place,
    ) -> Result<ExprId, Diagnostic> {
        if let Some(procedure) = named_procedure(e.doc, expr) {
            return self.derivative_procedure(e.doc, expr, procedure, place);
        }
        if let ExprKind::Ref(reference) = e.doc.exprs[expr].kind
            && !e.doc.exprs[expr].parens
        {
            if let Some(found) = self.actual(e, reference, Receiver::Dummy(dummy), place)? {
                let value = value_of(e.doc, found);
                // The derivatives of a value are an array, which is passed by reference: a copy of it, as the callee
                // may overwrite the variable by another name.
                let by_value = dummy.is_some_and(|dummy| e.doc.has(dummy, Attr::Value));
                e.doc.exprs[value].parens = by_value && self.parts.directions.is_some();
                return Ok(value);
            }
            // A structure without numbers may be passed for an object of a class, of which others have some.
            let base = e.doc.exprs[expr].ty.base;
            let plain = matches!(base, Base::Derived(_)) && !self.parts.types.carries(base);
            if !plain && may_write(e.doc, dummy) && is_variable(e.doc, reference) {
                let message = format!(
                    "`{}` has no derivative, but the dummy argument of `{}` that it is passed to has",
                    e.doc.name(e.doc.refs[reference].base),
                    e.doc.name(callee.symbol)
                );
                let help = "pass a variable of the type of the dummy argument, and do not change facts of activity by hand";
                return Err(self.error(e.doc, Code::NO_DERIVATIVE_ARGUMENT, place, message, help));
            }
        }
        let value = match self.derivative(e.doc, expr, Direction::All) {
            Ok(Some(_)) if self.adjoint => return Err(self.active_expression(e.doc, callee, place)),
            Ok(value) => value,
            Err(problem) if self.parts.directions.is_none() => return Err(problem),
            Err(_) => None,
        };
        let base = e.doc.exprs[expr].ty.base;
        match value {
            Some(value) => Ok(conform(e.doc, value, expr)),
            // The derivative of what may be of any type is of the same type.
            None if !may_be_continuous(base) && is_unlimited(e.doc, dummy) => {
                Ok(Copier::new().expr(e.doc, expr))
            }
            None => {
                let expr = with_what_follows(e.doc, expr, dummy);
                match self.adjoint {
                    true => self.passive_adjoint(e, expr, place),
                    false => self.zero_actual(e, expr, place),
                }
            }
        }
    }

    /// The adjoint of the value of an expression would be lost.
    fn active_expression(&self, doc: &Document, callee: &Callee, place: Place) -> Diagnostic {
        let name = doc.name(callee.symbol);
        let message = format!("an expression that is active is passed to `{name}`");
        let help = "run xaif-canonicalize first, or assign it to a variable and pass that";
        self.error(doc, Code::NO_DERIVATIVE_ARGUMENT, place, message, help)
    }

    /// The derivative of a procedure that is passed or pointed to.
    pub fn derivative_procedure(
        &self,
        doc: &mut Document,
        expr: ExprId,
        procedure: SymbolId,
        place: Place,
    ) -> Result<ExprId, Diagnostic> {
        let Some(derivative) = self.parts.callee(procedure) else {
            return Err(self.error(
                doc,
                Code::NO_DERIVATIVE_PROCEDURE,
                place,
                format!(
                    "`{}` is passed where its derivative is needed, and it has none",
                    doc.name(procedure)
                ),
                "give its source, too",
            ));
        };
        Ok(self.in_place_of(doc, expr, derivative))
    }

    /// The name of a procedure in the place of that in `expr`.
    fn in_place_of(&self, doc: &mut Document, expr: ExprId, procedure: SymbolId) -> ExprId {
        let procedure = self.declared_here(doc, procedure);
        let copy = Copier::new().expr(doc, expr);
        match doc.exprs[copy].kind {
            ExprKind::Ref(reference) => doc.refs[reference].base = procedure,
            _ => doc.exprs[copy].kind = ExprKind::Procedure(procedure),
        }
        copy
    }

    /// What executes one sweep of the adjoint of a procedure that is passed.
    pub fn procedure_half(
        &mut self,
        doc: &mut Document,
        expr: ExprId,
        forward: bool,
        place: Place,
    ) -> Result<ExprId, Diagnostic> {
        let proc = self.proc;
        let procedure = named_procedure(doc, expr);
        let derivative = procedure.and_then(|procedure| self.parts.callee(procedure));
        let both = derivative.and_then(|derivative| self.parts.halves(doc, proc, derivative));
        let Some(both) = both else {
            let name = procedure.map_or("", |procedure| doc.name(procedure));
            let message = format!(
                "`{name}` is passed for a procedure that is called in two halves, and it has none"
            );
            let help = "give its source, too";
            return Err(self.error(doc, Code::SPLIT_REFUSED, place, message, help));
        };
        let half = if forward { both[0] } else { both[1] };
        self.import(doc, half);
        Ok(self.in_place_of(doc, expr, half))
    }

    /// A procedure as an actual argument must be known to be one: an external one that nothing
    /// else declares is declared EXTERNAL in the procedure that passes it.
    fn declared_here(&self, doc: &mut Document, derivative: SymbolId) -> SymbolId {
        let scope = self.scope(doc);
        let is_global = Some(doc.symbols[derivative].scope) == doc.global_scope();
        if !is_global || derivative == doc.procs[self.proc].symbol {
            return derivative;
        }
        let id = doc.symbols[derivative].id.clone();
        if let Some(known) = doc.symbol_in(scope, &id) {
            return known;
        }
        let proc = doc.procedure_of(derivative);
        let mut local = doc.symbols[derivative].clone();
        local.scope = scope;
        if let Some(decl) = local.decl.as_deref_mut() {
            decl.attrs = [Attr::External].into_iter().collect();
            if let Role::Procedure(info) = &mut decl.role {
                info.class = ProcClass::External;
                info.proc = info.proc.or(proc);
            }
        }
        let local = doc.add_symbol(local);
        doc.scopes[scope].items.push(SpecItem::Declare(vec![local]));
        local
    }

    /// The derivative object of an actual argument. An element stands for the array that begins
    /// with it where the dummy argument is an array.
    fn actual(
        &mut self,
        e: &mut Emitter<'_>,
        reference: RefId,
        to: Receiver,
        place: Place,
    ) -> Result<Option<RefId>, Diagnostic> {
        if !self.parts.is_active(e.doc, reference) {
            return Ok(None);
        }
        if self.parts.directions.is_none() {
            return Ok(self.parts.reference(e.doc, reference, Direction::All));
        }
        let dummy = match to {
            Receiver::Dummy(dummy) => dummy,
            Receiver::Result(_) => None,
        };
        let begins = dummy.is_some_and(|dummy| e.doc.symbols[dummy].rank.unwrap_or(0) > 0)
            && e.doc.refs[reference].ty.rank == 0
            && matches!(e.doc.refs[reference].parts.last(), Some(Part::Elements(_)));
        if self.must_be_gathered(e.doc, reference, dummy, begins) {
            return self.gather(e, reference, to, begins, place).map(Some);
        }
        if begins {
            let one = integer(e.doc, 1, place);
            return Ok(self.parts.reference(e.doc, reference, Direction::One(one)));
        }
        Ok(self.parts.reference(e.doc, reference, Direction::All))
    }

    /// Whether the derivatives of an actual argument in all directions are no array, or one that a compiler
    /// does not pass as it must.
    fn must_be_gathered(
        &self,
        doc: &Document,
        reference: RefId,
        dummy: Option<SymbolId>,
        begins: bool,
    ) -> bool {
        if !self.parts.takes_all(doc, reference) {
            return true;
        }
        let data = &doc.refs[reference];
        let of_component = data.parts.iter().any(|part| matches!(part, Part::Component { .. }));
        // What is one of an array of structures, `sd(:)%part`, has a stride. gfortran 12 passes it to a
        // polymorphic dummy argument as if its elements stood side by side, copies its allocatable components
        // as if nobody allocated them anew, and takes a part of complex numbers for all of them.
        let to_object = dummy.is_some_and(|dummy| {
            matches!(doc.declared_base(dummy), Base::Class(_) | Base::ClassStar)
        });
        let of_number = matches!(data.parts.last(), Some(Part::Inquiry(_)));
        of_number
            || of_component
                && (begins || to_object || self.has_allocatable_within(doc, data.ty.base))
    }

    /// Where the derivative of a function's result goes.
    fn result_derivative(
        &mut self,
        e: &mut Emitter<'_>,
        lhs: RefId,
        callee: &Callee,
        place: Place,
    ) -> Result<ExprId, Diagnostic> {
        let result = e.doc.described_by(callee.symbol).and_then(|proc| e.doc.procs[proc].result);
        match self.actual(e, lhs, Receiver::Result(result), place)? {
            Some(found) => Ok(value_of(e.doc, found)),
            // Nobody asks for the derivative of the result, but for others that the call computes.
            None if self.parts.directions.is_none() && e.doc.refs[lhs].ty.rank == 0 => {
                let copy = Copier::new().reference(e.doc, lhs);
                let value = value_of(e.doc, copy);
                self.passive_adjoint(e, value, place)
            }
            None => {
                let message = format!(
                    "the result of `{}` has a derivative, but `{}` has none",
                    e.doc.name(callee.symbol),
                    e.doc.name(e.doc.refs[lhs].base)
                );
                let help = "assign the result to a variable of its type";
                Err(self.error(e.doc, Code::NO_DERIVATIVE_ARGUMENT, place, message, help))
            }
        }
    }
}

/// The procedure or procedure pointer that an expression names.
pub fn named_procedure(doc: &Document, expr: ExprId) -> Option<SymbolId> {
    match doc.exprs[expr].kind {
        ExprKind::Procedure(symbol) => Some(symbol),
        ExprKind::Ref(reference) => {
            let reference = &doc.refs[reference];
            let is_procedure = matches!(doc.role(reference.base), Some(Role::Procedure(_)));
            (is_procedure && reference.parts.is_empty()).then_some(reference.base)
        }
        ExprKind::Constant(_)
        | ExprKind::Intrinsic { .. }
        | ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Opaque(_) => None,
    }
}
fn is_variable(doc: &Document, reference: RefId) -> bool {
    matches!(doc.role(doc.refs[reference].base), Some(Role::Variable | Role::Associate { .. }))
}

/// The whole array of which an element is passed to an array, for those behind it: its elements are enough.
fn with_what_follows(doc: &mut Document, expr: ExprId, dummy: Option<SymbolId>) -> ExprId {
    let is_array = |dummy: SymbolId| {
        let decl = doc.symbols[dummy].decl.as_deref();
        decl.is_some_and(|decl| !decl.dims.is_empty())
    };
    let ExprKind::Ref(reference) = doc.exprs[expr].kind else { return expr };
    let is_element = matches!(doc.refs[reference].parts.as_slice(), [Part::Elements(_)])
        && doc.exprs[expr].ty.rank == 0;
    if !is_element || !dummy.is_some_and(is_array) {
        return expr;
    }
    let (base, place) = (doc.refs[reference].base, doc.exprs[expr].place);
    let all = whole(doc, base, place);
    value_of(doc, all)
}

fn is_unlimited(doc: &Document, dummy: Option<SymbolId>) -> bool {
    let decl = dummy.and_then(|dummy| doc.symbols[dummy].decl.as_ref());
    decl.is_some_and(|decl| decl.spec.base() == Base::ClassStar)
}

/// Whether a procedure may change the argument.
pub(super) fn may_write(doc: &Document, dummy: Option<SymbolId>) -> bool {
    let Some(decl) = dummy.and_then(|dummy| doc.symbols[dummy].decl.as_ref()) else { return true };
    decl.intent != Some(Intent::In) && !decl.has(Attr::Value)
}

/// The variables that a call is given to overwrite, or parts of them.
fn overwritten(
    doc: &Document,
    actuals: &Actuals<'_>,
    dummies: &[Option<SymbolId>],
) -> HashSet<SymbolId> {
    let passed = actuals.args.iter().filter_map(|arg| {
        let index = usize::try_from(arg.position).ok()?.checked_sub(1)?;
        let dummy = dummies.get(index).copied().flatten();
        let ArgValue::Expr(value) = arg.value else { return None };
        let reference = doc.exprs[value].reference()?;
        may_write(doc, dummy).then_some(reference)
    });
    passed.chain(actuals.result).map(|reference| doc.refs[reference].base).collect()
}

/// The dummy arguments of the original, as far as they are known.
fn originals(doc: &Document, callee: SymbolId) -> Vec<Option<SymbolId>> {
    let args = arguments_of(doc, callee).unwrap_or_default();
    args.iter().map(|arg| arg.symbol).collect()
}

/// The dummy arguments of the derivative procedure.
fn dummies(doc: &Document, derivative: SymbolId) -> Vec<Option<SymbolId>> {
    originals(doc, derivative)
}
