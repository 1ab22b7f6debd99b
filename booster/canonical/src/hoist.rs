//! Expressions: what needs a statement of its own is computed before, in the order in which the
//! expression is evaluated.
//!
//! A node that is hoisted becomes, in its place, a reference to the temporary; what it was moves into
//! the assignment. So nobody who points to the node need know.

use xaif_schema::diag::Code;
use xaif_schema::intrinsics;
use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, BoolOp, Document, ExprId, ExprKind, FunctionCall, GenericSpec,
    Operands, Part, Place, ProcClass, RefId, Role, StmtKind, Subscript, SymbolId, Ty,
};

use super::Canonical;
use super::facts::statement_function;
use super::temporaries::{Storage, shaped_like};
use booster_build::{Emitter, nodes_of, subscripts_of, value_of, whole};
use booster_build::{assign, boolean};
use booster_facts::may_hold_numbers;
use booster_linearize::has_elements;
use booster_rules::{may_be_continuous, needs_statement};

/// How deep an expression may be nested: less than what overflows a thread's stack.
const DEEPEST: u32 = 1000;

/// Functions of intrinsic modules of real type whose derivative is zero, or is not looked at.
const PIECEWISE_CONSTANT: &[&str] = &["ieee_logb", "ieee_rint", "ieee_value"];

impl Canonical {
    /// Canonicalizes an expression in place. `flows`: its value is used where it has a derivative.
    pub(super) fn value(&mut self, e: &mut Emitter<'_>, expr: ExprId, flows: bool) {
        let concerned =
            nodes_of(e.doc, [expr]).into_iter().any(|node| match &e.doc.exprs[node].kind {
                ExprKind::Call(_) => true,
                ExprKind::Intrinsic { name, .. } => needs_statement(name),
                ExprKind::ImpliedDo(_) | ExprKind::StructureConstructor { .. } => {
                    self.apart && flows
                }
                ExprKind::Ref(reference) => {
                    self.apart && !indices_with_lists(e.doc, *reference).is_empty()
                }
                ExprKind::Constant(_)
                | ExprKind::Boolean { .. }
                | ExprKind::ArrayConstructor { .. }
                | ExprKind::Procedure(_)
                | ExprKind::Opaque(_) => false,
            });
        if !concerned {
            return;
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            let place = e.doc.exprs[expr].place;
            let message = format!("an expression with calls is nested more than {DEEPEST} deep");
            let help = "assign parts of it to variables";
            if self.depth == DEEPEST + 1 {
                self.refuse(e.doc, Code::CANONICAL_TOO_DEEP, place, message, help);
            }
        } else {
            self.visit(e, expr, flows);
        }
        self.depth -= 1;
    }

    fn visit(&mut self, e: &mut Emitter<'_>, expr: ExprId, flows: bool) {
        match e.doc.exprs[expr].kind.clone() {
            ExprKind::Constant(_) | ExprKind::Procedure(_) | ExprKind::Opaque(_) => {}
            ExprKind::Ref(reference) => self.reference(e, reference),
            ExprKind::Intrinsic { name, operands, .. } => {
                if self.intrinsic(e, expr, &name, &operands, flows) {
                    self.hoist(e, expr, intrinsic_name(&name));
                }
            }
            ExprKind::Boolean { op, operands } => self.boolean(e, expr, op, &operands),
            ExprKind::Call(call) => {
                let once = self.must_be_once(e.doc, expr, &call, flows);
                // What is hoisted takes its arguments with it.
                let outer = self.repeated;
                self.repeated &= !once;
                let passes = self.call(e, expr, &call, flows);
                self.repeated = outer;
                if passes || once {
                    let wish = plain_name(e.doc.name(call.callee.symbol));
                    if !passes {
                        self.told_passive(e.doc, expr);
                    }
                    let made = self.hoist(e, expr, &wish);
                    // Its own statement would say that it is active: facts of analyses that have seen
                    // the call where it stood are of a passive one.
                    if let Some((temporary, lhs)) = made.filter(|_| !passes) {
                        e.doc.symbols[temporary].active = Some(false);
                        let uses = [Some(lhs), e.doc.exprs[expr].reference()];
                        for reference in uses.into_iter().flatten() {
                            e.doc.refs[reference].active = Some(false);
                        }
                    }
                }
            }
            ExprKind::ArrayConstructor { items, .. } => self.constructor(e, expr, &items, flows),
            ExprKind::ImpliedDo(implied) => {
                let control = &implied.control;
                for bound in [Some(control.lower), Some(control.upper), control.step] {
                    bound.into_iter().for_each(|bound| self.value(e, bound, false));
                }
                let outer = self.fixed;
                self.fixed = outer.or(Some("in an implied DO"));
                implied.items.iter().for_each(|&item| self.value(e, item, flows));
                self.fixed = outer;
            }
            ExprKind::StructureConstructor { spec, args } => {
                for (arg, index) in args.iter().zip(0..) {
                    let ArgValue::Expr(value) = arg.value else { continue };
                    self.operand(e, value, flows);
                    if flows && let Base::Derived(owner) = spec.base() {
                        self.one_for_all(e, value, e.doc.component_given(owner, arg, index));
                    }
                }
            }
        }
    }

    /// `t(s=inner(x))` with an array `s`: all elements give their adjoints to one structure, which has a
    /// variable.
    fn one_for_all(&mut self, e: &mut Emitter<'_>, value: ExprId, component: Option<SymbolId>) {
        let Some(component) = component else { return };
        let ty = e.doc.exprs[value].ty;
        let one = ty.rank == 0 && e.doc.symbols[component].rank.is_some_and(|rank| rank > 0);
        let made = matches!(e.doc.exprs[value].kind, ExprKind::StructureConstructor { .. });
        let apart = self.apart && self.fixed.is_none();
        if apart && one && made && self.facts.is_active_value(e.doc, value) {
            let wish = plain_name(e.doc.name(component));
            self.hoist(e, value, &wish);
        }
    }

    /// As [`value`](Self::value), for a part of an expression: an array constructor with an implied DO
    /// has an adjoint only as a whole right-hand side.
    pub(super) fn operand(&mut self, e: &mut Emitter<'_>, expr: ExprId, flows: bool) {
        self.value(e, expr, flows);
        let is_do = |&item: &ExprId| matches!(e.doc.exprs[item].kind, ExprKind::ImpliedDo(_));
        let loops = match &e.doc.exprs[expr].kind {
            ExprKind::ArrayConstructor { items, .. } => items.iter().any(is_do),
            _ => false,
        };
        let apart = self.apart && flows && self.fixed.is_none();
        if apart && loops && self.facts.is_active_value(e.doc, expr) {
            self.hoist(e, expr, "list");
        }
    }

    /// The subscripts of a reference.
    pub(super) fn reference(&mut self, e: &mut Emitter<'_>, reference: RefId) {
        for subscript in subscripts_of(&e.doc.refs[reference]) {
            self.value(e, subscript, false);
        }
        if self.apart && self.fixed.is_none() {
            for index in indices_with_lists(e.doc, reference) {
                self.hoist(e, index, "at");
            }
        }
    }

    /// The subscripts of what a statement may overwrite: an adjoint names it once more, to record it
    /// and to take it back.
    pub(super) fn overwritten(&mut self, e: &mut Emitter<'_>, reference: RefId) {
        let outer = self.repeated;
        self.repeated |= self.apart && self.fixed.is_none();
        self.reference(e, reference);
        self.repeated = outer;
    }

    /// The operands of an operation; whether the operation itself needs a statement.
    pub(super) fn intrinsic(
        &mut self,
        e: &mut Emitter<'_>,
        expr: ExprId,
        name: &str,
        operands: &Operands,
        flows: bool,
    ) -> bool {
        let flows = flows && may_hold_numbers(e.doc, e.doc.exprs[expr].ty.base);
        for operand in operands {
            self.operand(e, operand.expr, flows);
        }
        let active = |operand: ExprId| self.facts.is_active_value(e.doc, operand);
        if !flows || !needs_statement(name) || !operands.iter().any(|o| active(o.expr)) {
            return false;
        }
        // The array is the first argument of each of them (`matmul`-like ones have two).
        for operand in operands {
            let node = &e.doc.exprs[operand.expr];
            let array = node.ty.rank > 0 && may_hold_numbers(e.doc, node.ty.base);
            if array
                && !is_variable(e.doc, operand.expr)
                && self.facts.is_active_value(e.doc, operand.expr)
            {
                self.hoist(e, operand.expr, "array");
            }
        }
        true
    }

    /// `.and.` and `.or.` of scalars need not evaluate their second operand: what is hoisted from
    /// it is guarded by the first.
    fn boolean(&mut self, e: &mut Emitter<'_>, expr: ExprId, op: BoolOp, operands: &Operands) {
        let guards = matches!(op, BoolOp::And | BoolOp::Or) && e.doc.exprs[expr].ty.rank == 0;
        if let ([first, second], true) = (&operands[..], guards)
            && self.fixed.is_none()
            && self.hoists(e.doc, second.expr, false)
        {
            self.value(e, first.expr, false);
            self.guarded(e, expr, op, first.expr, second.expr);
            return;
        }
        for operand in operands {
            self.value(e, operand.expr, false);
        }
    }

    fn guarded(
        &mut self,
        e: &mut Emitter<'_>,
        expr: ExprId,
        op: BoolOp,
        first: ExprId,
        second: ExprId,
    ) {
        let (ty, place) = (e.doc.exprs[expr].ty, e.doc.exprs[expr].place);
        let Some(temporary) = self.temporary(e, "condition", ty, Storage::Plain, place) else {
            return;
        };
        let lhs = self.use_of(e.doc, temporary, ty, place);
        e.assign(lhs, first, place);
        let so_far = self.use_of(e.doc, temporary, ty, place);
        let so_far = value_of(e.doc, so_far);
        let undecided = match op {
            BoolOp::Or => boolean(e.doc, BoolOp::Not, &[so_far]),
            _ => so_far,
        };
        e.open_if(undecided, place);
        let lhs = self.use_of(e.doc, temporary, ty, place);
        self.assignment(e, lhs, second);
        e.assign(lhs, second, place);
        e.close_if();
        self.replace(e.doc, expr, temporary);
    }

    /// The arguments of a function call; whether the call needs a statement. A statement function
    /// is expanded where it does.
    pub(super) fn call(
        &mut self,
        e: &mut Emitter<'_>,
        expr: ExprId,
        call: &FunctionCall,
        flows: bool,
    ) -> bool {
        let passes = self.facts.passes(e.doc, call, e.doc.exprs[expr].ty.base, flows);
        if flows && e.doc.is_intrinsic(call.callee.symbol) {
            self.module_function(e.doc, expr, call);
        }
        if statement_function(e.doc, call.callee.symbol).is_some() {
            if passes {
                if self.expand_statement_function(e, expr, call) {
                    self.value(e, expr, flows);
                }
            } else {
                values(&call.args).for_each(|value| self.value(e, value, false));
            }
            return false;
        }
        // The derivative is called beside it, for the same object.
        let outer = self.repeated;
        self.repeated |= passes;
        call.callee.object.into_iter().for_each(|object| self.overwritten(e, object));
        self.repeated = outer;
        let shaped = e.doc.exprs[expr].ty.rank > 0;
        self.arguments(e, call.callee.symbol, &call.args, passes, shaped);
        if passes {
            self.plain_call(e, expr);
        } else if call.active.is_none() && self.facts.is_quiet(e.doc, call) {
            self.told_passive(e.doc, expr);
        }
        passes
    }

    /// Whether a call would be executed several times in a derivative, which matters, although no
    /// activity passes through it.
    fn must_be_once(&self, doc: &Document, expr: ExprId, call: &FunctionCall, flows: bool) -> bool {
        self.repeated
            && !self.facts.passes(doc, call, doc.exprs[expr].ty.base, flows)
            && (self.anew || !self.facts.is_still(doc, call))
    }

    /// A function of an intrinsic module: no rule knows its derivative, so that must be zero.
    fn module_function(&mut self, doc: &Document, expr: ExprId, call: &FunctionCall) {
        let name = doc.name(call.callee.symbol);
        let constant = PIECEWISE_CONSTANT.iter().any(|known| known.eq_ignore_ascii_case(name));
        let ty = doc.exprs[expr].ty;
        let active = values(&call.args).any(|value| self.facts.is_active_value(doc, value));
        if !constant && may_be_continuous(ty.base) && active {
            let message = format!("no derivative is known of `{name}`");
            let help = "write it by intrinsic functions: `sign` for `ieee_copy_sign`, `max` for `ieee_max`";
            self.refuse(doc, Code::NO_RULE, doc.exprs[expr].place, message, help);
        }
    }

    /// An operator that the program defines becomes a call of the function by its name, where it has
    /// one here.
    fn plain_call(&mut self, e: &mut Emitter<'_>, expr: ExprId) {
        let ExprKind::Call(call) = &e.doc.exprs[expr].kind else { return };
        let (symbol, generic) = (call.callee.symbol, call.callee.generic);
        let operator = generic.is_some_and(|generic| {
            matches!(
                e.doc.role(generic),
                Some(Role::Generic { spec: GenericSpec::Operator(_), .. })
            )
        });
        if operator
            && self.expose(e.doc, symbol)
            && let ExprKind::Call(call) = &mut e.doc.exprs[expr].kind
        {
            call.callee.generic = None;
            self.changed = true;
        }
    }

    fn told_passive(&mut self, doc: &mut Document, expr: ExprId) {
        if let ExprKind::Call(call) = &mut doc.exprs[expr].kind {
            call.active = Some(false);
        }
    }

    /// The arguments of a call; where activity passes through it, active expressions become
    /// temporaries. `shaped`: the result is an array, whose extents may be computed from the arguments
    /// once more.
    pub(super) fn arguments(
        &mut self,
        e: &mut Emitter<'_>,
        callee: SymbolId,
        args: &[Arg],
        active: bool,
        shaped: bool,
    ) {
        let active = active && !e.doc.is_intrinsic(callee);
        for arg in args {
            let ArgValue::Expr(value) = arg.value else { continue };
            let carries = may_hold_numbers(e.doc, e.doc.exprs[value].ty.base);
            let flows = active && carries;
            let outer = self.repeated;
            // An adjoint calls in both sweeps, so it computes all arguments twice.
            let again = self.apart || shaped || e.doc.is_elemental(callee);
            self.repeated &= carries || !active || again;
            self.repeated |= self.apart && self.fixed.is_none() && is_variable(e.doc, value);
            // Beside a value its derivative is passed, of the same subscripts and factors.
            self.repeated |= flows && self.facts.is_active_value(e.doc, value);
            let around = self.anew;
            self.anew |= self.apart && active && self.fixed.is_none();
            self.value(e, value, flows);
            (self.repeated, self.anew) = (outer, around);
            let tried = matches!(e.doc.exprs[value].kind, ExprKind::Call(_));
            let stays = tried || is_variable(e.doc, value);
            // The derivative may take an elemental call element by element.
            let apart = active
                && self.fixed.is_none()
                && e.doc.is_elemental(callee)
                && !has_elements(e.doc, value);
            if apart || flows && !stays && self.facts.is_active_value(e.doc, value) {
                let wish = dummy_name(e.doc, callee, arg.position);
                self.hoist(e, value, &wish);
            }
        }
    }

    /// Computes the value of a node before the statement.
    pub(super) fn hoist(
        &mut self,
        e: &mut Emitter<'_>,
        expr: ExprId,
        wish: &str,
    ) -> Option<(SymbolId, RefId)> {
        let (ty, place) = (e.doc.exprs[expr].ty, e.doc.exprs[expr].place);
        if let Some(why) = self.fixed {
            let message = format!("the value of this must be computed before, but it stands {why}");
            let help = "compute it in a statement of its own, in a loop where need be";
            self.refuse(e.doc, Code::CANNOT_HOIST, place, message, help);
            return None;
        }
        let storage = match storage_of(e.doc, expr) {
            Storage::Plain if ty.rank > 0 => self.shaped(e.doc, expr),
            storage => storage,
        };
        let temporary = self.temporary(e, wish, ty, storage, place)?;
        let mut node = e.doc.exprs[expr].clone();
        // Parentheses around a variable make a copy; around a whole right-hand side of another kind
        // they mean nothing.
        node.parens &= matches!(node.kind, ExprKind::Ref(_));
        let rhs = e.doc.exprs.push(node);
        let lhs = self.use_of(e.doc, temporary, ty, place);
        if storage == Storage::Pointer {
            e.stmt(StmtKind::PointerAssign { lhs, rhs }, place);
        } else {
            let stmt = assign(e.doc, lhs, rhs, place);
            if !self.by_components(e, stmt) {
                e.push(stmt);
            }
        }
        self.replace(e.doc, expr, temporary);
        Some((temporary, lhs))
    }

    /// The storage of an array that an expression is assigned to.
    pub(super) fn shaped(&self, doc: &Document, expr: ExprId) -> Storage {
        shaped_like(doc, self.scope, expr, self.constant_bounds).unwrap_or_default()
    }

    /// Makes a node the value of a temporary.
    pub(super) fn replace(&mut self, doc: &mut Document, expr: ExprId, temporary: SymbolId) {
        let (ty, place) = (doc.exprs[expr].ty, doc.exprs[expr].place);
        let reference = self.use_of(doc, temporary, ty, place);
        let node = &mut doc.exprs[expr];
        node.kind = ExprKind::Ref(reference);
        node.parens = false;
    }

    /// A reference to a whole temporary, with the facts that the document has.
    pub(super) fn use_of(
        &self,
        doc: &mut Document,
        temporary: SymbolId,
        ty: Ty,
        place: Place,
    ) -> RefId {
        let reference = whole(doc, temporary, place);
        doc.refs[reference].ty = ty;
        if self.facts.analysed {
            doc.refs[reference].active = Some(may_hold_numbers(doc, ty.base));
        }
        reference
    }

    pub(super) fn temporary(
        &mut self,
        e: &mut Emitter<'_>,
        wish: &str,
        ty: Ty,
        storage: Storage,
        place: Place,
    ) -> Option<SymbolId> {
        self.changed = true;
        match self.temporaries.make(e.doc, self.scope, wish, ty, storage, place) {
            Ok(temporary) => Some(temporary),
            Err(why) => {
                let message = format!("no variable can hold this value: it has {why}");
                let help = "assign it to a variable of your own in a statement before this one";
                self.refuse(e.doc, Code::NO_TEMPORARY, place, message, help);
                None
            }
        }
    }

    /// Whether canonicalizing `expr` would need statements before it.
    pub(super) fn hoists(&self, doc: &Document, expr: ExprId, flows: bool) -> bool {
        nodes_of(doc, [expr]).into_iter().any(|node| {
            let base = doc.exprs[node].ty.base;
            match &doc.exprs[node].kind {
                ExprKind::Call(call) => {
                    self.facts.passes(doc, call, base, flows)
                        || self.must_be_once(doc, node, call, flows)
                }
                ExprKind::Intrinsic { name, operands, .. } => {
                    flows
                        && needs_statement(name)
                        && operands.iter().any(|o| self.facts.is_active_value(doc, o.expr))
                }
                ExprKind::Constant(_)
                | ExprKind::Ref(_)
                | ExprKind::Boolean { .. }
                | ExprKind::ArrayConstructor { .. }
                | ExprKind::ImpliedDo(_)
                | ExprKind::StructureConstructor { .. }
                | ExprKind::Procedure(_)
                | ExprKind::Opaque(_) => false,
            }
        })
    }
}

/// The expressions among arguments.
pub(super) fn values(args: &[Arg]) -> impl Iterator<Item = ExprId> {
    args.iter().filter_map(|arg| match arg.value {
        ArgValue::Expr(expr) => Some(expr),
        ArgValue::AlternateReturn(_) => None,
    })
}

/// Whether an expression is a variable, element or section, without parentheses around it.
pub(super) fn is_variable(doc: &Document, expr: ExprId) -> bool {
    let node = &doc.exprs[expr];
    matches!(node.kind, ExprKind::Ref(_)) && !node.parens
}

/// What the result of a function is.
pub(super) fn storage_of(doc: &Document, expr: ExprId) -> Storage {
    let ExprKind::Call(call) = &doc.exprs[expr].kind else { return Storage::Plain };
    let symbol = call.callee.symbol;
    let result = doc.described_by(symbol).and_then(|proc| doc.procs[proc].result);
    // The attributes of a procedure pointer are its own, not those of the result.
    let is_pointer = matches!(doc.role(symbol),
        Some(Role::Procedure(info)) if info.class == ProcClass::Pointer);
    if result.is_none() && is_pointer {
        return Storage::Plain;
    }
    let decl = doc.symbols[result.unwrap_or(symbol)].decl.as_ref();
    let has = |attr| decl.is_some_and(|decl| decl.has(attr));
    match (has(Attr::Pointer), has(Attr::Allocatable)) {
        (true, _) => Storage::Pointer,
        (false, true) => Storage::Allocatable,
        (false, false) => Storage::Plain,
    }
}

/// The Fortran name of an intrinsic function.
pub(super) fn intrinsic_name(name: &str) -> &str {
    intrinsics::by_xaif(name).map_or("value", |row| row.fortran)
}

/// A name that a temporary can be called by.
pub(super) fn plain_name(name: &str) -> String {
    xaif_schema::names::legal(name)
}

/// The name of a dummy argument, for the temporary that is passed for it.
fn dummy_name(doc: &Document, callee: SymbolId, position: u32) -> String {
    let dummy = doc.described_by(callee).and_then(|proc| {
        let args = &doc.procs[proc].args;
        args.iter().find(|arg| arg.position == position).and_then(|arg| arg.symbol)
    });
    dummy.map_or_else(|| "argument".to_owned(), |dummy| plain_name(doc.name(dummy)))
}

/// Whether a type is one of numbers, logical values or characters.
pub(super) fn is_derived(base: Base) -> bool {
    matches!(base, Base::Derived(_) | Base::Class(_) | Base::ClassStar)
}

/// The scalar indices that name an array constructor or an array of constants, where the reference has elements:
/// `b(sum([k, 2]), :)`. An adjoint increments what it names, and gfortran 12 does not end where both sides of an assignment
/// have such an index.
fn indices_with_lists(doc: &Document, reference: RefId) -> Vec<ExprId> {
    let data = &doc.refs[reference];
    if data.ty.rank == 0 {
        return Vec::new();
    }
    let is_list = |node: ExprId| match doc.exprs[node].kind {
        ExprKind::ArrayConstructor { .. } => true,
        ExprKind::Ref(inner) => {
            doc.exprs[node].ty.rank > 0
                && matches!(doc.role(doc.refs[inner].base), Some(Role::Constant))
        }
        ExprKind::Constant(_)
        | ExprKind::Intrinsic { .. }
        | ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => false,
    };
    let names_list = |&index: &ExprId| {
        doc.exprs[index].ty.rank == 0 && nodes_of(doc, [index]).into_iter().any(is_list)
    };
    // Those of one element at the end are the extents of ALLOCATE, or of an element of a component.
    let is_scalar = |subscript: &Subscript| match *subscript {
        Subscript::Index(index) => doc.exprs[index].ty.rank == 0,
        Subscript::Section { .. } => false,
    };
    let parts = match data.parts.split_last() {
        Some((Part::Elements(list), before)) if list.iter().all(is_scalar) => before,
        Some(_) | None => &data.parts[..],
    };
    let indices = parts.iter().flat_map(|part| match part {
        Part::Elements(list) => list.as_slice(),
        Part::Component { .. } | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => &[],
    });
    let indices = indices.filter_map(|subscript| match *subscript {
        Subscript::Index(index) => Some(index),
        Subscript::Section { .. } => None,
    });
    indices.filter(names_list).collect()
}
