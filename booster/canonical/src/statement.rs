//! Statements: what each kind evaluates, and which calls already stand alone.

use xaif_schema::model::{
    Access, Arg, ArgValue, Attr, Callee, Document, ExprId, ExprKind, Place, RefId, Role, ScopeKind,
    SpecItem, StmtId, StmtKind, SubroutineCall, SymbolId, UseName,
};

use super::Canonical;
use super::facts::statement_function;
use super::hoist::{intrinsic_name, is_variable, plain_name, storage_of};
use super::temporaries::{Storage, is_visible};
use booster_build::{Emitter, has_vector_subscript, nodes_of, value_of};
use booster_facts::may_hold_numbers;

impl Canonical {
    /// Adds what must stand before a statement, and the statement.
    pub(super) fn statement(&mut self, e: &mut Emitter<'_>, stmt: StmtId) {
        if e.doc.stmts[stmt].recompute {
            // It has no derivative, and stays a statement of its own.
            e.push(stmt);
            return;
        }
        self.repeated = is_repeated(e.doc, stmt);
        match e.doc.stmts[stmt].kind.clone() {
            StmtKind::Assign { lhs, rhs, defined: None } => {
                self.assignment(e, lhs, rhs);
                if self.by_components(e, stmt) {
                    return;
                }
            }
            StmtKind::Assign { lhs, rhs, defined: Some(callee) } => {
                self.defined_assignment(e, stmt, lhs, rhs, &callee);
            }
            StmtKind::PointerAssign { lhs, rhs } => {
                self.overwritten(e, lhs);
                match e.doc.exprs[rhs].kind.clone() {
                    ExprKind::Call(call) => {
                        self.call(e, rhs, &call, true);
                    }
                    _ => self.value(e, rhs, true),
                }
            }
            StmtKind::Call(call) => {
                call.callee.object.into_iter().for_each(|object| self.overwritten(e, object));
                let active = call.active != Some(false);
                self.arguments(e, call.callee.symbol, &call.args, active, false);
            }
            StmtKind::InlinableCall(_) | StmtKind::Propagate(_) => {}
            StmtKind::Where(construct) => {
                if self.masked(e, stmt, &construct) {
                    return;
                }
            }
            StmtKind::Forall(construct) => {
                if self.forall(e, stmt, &construct) {
                    return;
                }
            }
            StmtKind::Allocate(allocate) => {
                allocate.objects.iter().for_each(|&object| self.overwritten(e, object));
                allocate.source.into_iter().for_each(|source| self.value(e, source, true));
                allocate.mold.into_iter().for_each(|mold| self.value(e, mold, false));
                if self.source_apart(e, stmt) {
                    return;
                }
            }
            StmtKind::Release(release) => {
                release.objects.iter().for_each(|&object| self.overwritten(e, object));
            }
            StmtKind::OpenScope(open) => self.selectors(e, open.scope),
            StmtKind::Marker(marker) => {
                for operand in &marker.operands {
                    match operand.access {
                        Access::Read | Access::Inquire => self.value(e, operand.expr, false),
                        Access::Write | Access::ReadWrite => {
                            if let ExprKind::Ref(written) = e.doc.exprs[operand.expr].kind {
                                self.overwritten(e, written);
                            }
                        }
                    }
                }
            }
            StmtKind::CloseScope(_) | StmtKind::Comment(_) => {}
        }
        e.push(stmt);
    }

    /// `lhs = rhs`: a call that is the whole right-hand side may stay there.
    pub(super) fn assignment(&mut self, e: &mut Emitter<'_>, lhs: RefId, rhs: ExprId) {
        self.overwritten(e, lhs);
        let flows = may_hold_numbers(e.doc, e.doc.refs[lhs].ty.base);
        if e.doc.exprs[rhs].parens {
            // The value of an expression, not the expression itself.
            return self.value(e, rhs, flows);
        }
        match e.doc.exprs[rhs].kind.clone() {
            ExprKind::Call(call) if statement_function(e.doc, call.callee.symbol).is_none() => {
                // A call that stays is executed once.
                let passes = self.facts.passes(e.doc, &call, e.doc.exprs[rhs].ty.base, flows);
                let outer = self.repeated;
                self.repeated &= passes;
                let passes = self.call(e, rhs, &call, flows);
                self.repeated = outer;
                if passes && !self.stands_alone(e.doc, lhs, rhs) {
                    let wish = plain_name(e.doc.name(call.callee.symbol));
                    self.hoist(e, rhs, &wish);
                }
            }
            ExprKind::Intrinsic { name, operands, .. } => {
                let needs = self.intrinsic(e, rhs, &name, &operands, flows);
                if needs && (self.mentions(e.doc, lhs, rhs) || !same_type(e.doc, lhs, rhs)) {
                    self.hoist(e, rhs, intrinsic_name(&name));
                }
            }
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => self.value(e, rhs, flows),
        }
    }

    /// Whether the result of the call `rhs` can be computed in `lhs` itself: it has the type and
    /// rank of the result, and nothing that the call may look at is the same storage.
    fn stands_alone(&self, doc: &Document, lhs: RefId, rhs: ExprId) -> bool {
        let base = doc.refs[lhs].base;
        let allocatable = doc.symbols[base].has(Attr::Allocatable);
        let storage = match storage_of(doc, rhs) {
            Storage::Plain | Storage::Like(_) | Storage::Extents(_) => true,
            // What has the right shape keeps the bounds that it has.
            Storage::Allocatable => {
                let keeps = || doc.refs[lhs].ty.rank == 0 || self.bounds.begins_with_one(doc, base);
                allocatable && doc.refs[lhs].parts.is_empty() && keeps()
            }
            Storage::Pointer => false,
        };
        storage
            && !has_vector_subscript(doc, lhs)
            && same_type(doc, lhs, rhs)
            && self.facts.is_private(doc, lhs, self.scope)
            && !self.mentions(doc, lhs, rhs)
    }

    /// Whether `rhs` mentions the variable of `lhs`.
    fn mentions(&self, doc: &Document, lhs: RefId, rhs: ExprId) -> bool {
        let base = doc.refs[lhs].base;
        nodes_of(doc, [rhs]).into_iter().any(|node| match &doc.exprs[node].kind {
            ExprKind::Ref(reference) => doc.refs[*reference].base == base,
            ExprKind::Call(call) => {
                call.callee.object.is_some_and(|object| doc.refs[object].base == base)
            }
            ExprKind::Constant(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => false,
        })
    }

    /// An assignment that the program defines becomes a call of its subroutine, where activity
    /// passes and the subroutine has a name here. Where it has none, its value is a variable all the
    /// same that the subroutine does not change.
    fn defined_assignment(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        lhs: RefId,
        rhs: ExprId,
        callee: &Callee,
    ) {
        self.overwritten(e, lhs);
        let left = &e.doc.refs[lhs];
        let left = may_hold_numbers(e.doc, left.ty.base) && left.active != Some(false);
        let active = left || self.facts.is_active_value(e.doc, rhs);
        self.value(e, rhs, active);
        let procedure = matches!(e.doc.role(callee.symbol), Some(Role::Procedure(_)));
        if !active || !procedure {
            return;
        }
        let named = self.expose(e.doc, callee.symbol);
        let value = e.doc.exprs[rhs].clone();
        let overlaps =
            self.mentions(e.doc, lhs, rhs) || !self.facts.is_private(e.doc, lhs, self.scope);
        let copied = !is_variable(e.doc, rhs) || overlaps;
        if copied && self.facts.is_active_value(e.doc, rhs) {
            let wish = plain_name(e.doc.name(callee.symbol));
            self.hoist(e, rhs, &wish);
        } else if copied && named && !matches!(value.kind, ExprKind::Constant(_)) {
            e.doc.exprs[rhs].parens = true;
        }
        if !named {
            return;
        }
        let target = value_of(e.doc, lhs);
        let arg = |position, expr| Arg { position, keyword: None, value: ArgValue::Expr(expr) };
        let call = SubroutineCall {
            callee: Callee { generic: None, ..callee.clone() },
            args: vec![arg(1, target), arg(2, rhs)],
            formal_count: Some(2),
            active: self.facts.analysed.then_some(true),
        };
        e.doc.stmts[stmt].kind = StmtKind::Call(Box::new(call));
        self.changed = true;
    }

    /// The selectors of ASSOCIATE: one that is an active expression is computed before.
    fn selectors(&mut self, e: &mut Emitter<'_>, scope: xaif_schema::model::ScopeId) {
        let selectors: Vec<(ExprId, SymbolId)> = e.doc.scopes[scope]
            .symbols
            .iter()
            .filter_map(|&symbol| match e.doc.role(symbol) {
                Some(Role::Associate { selector: Some(selector) }) => Some((*selector, symbol)),
                _ => None,
            })
            .collect();
        for (selector, symbol) in selectors {
            self.repeated = matches!(e.doc.exprs[selector].kind, ExprKind::Ref(_))
                || e.doc.exprs[selector].ty.base.is_continuous();
            self.value(e, selector, true);
            if !is_variable(e.doc, selector) && self.facts.is_active_value(e.doc, selector) {
                let wish = plain_name(e.doc.name(symbol));
                self.hoist(e, selector, &wish);
            }
        }
    }

    /// Makes sure that a procedure can be called by its name in the procedure at hand; whether it
    /// can.
    pub(super) fn expose(&mut self, doc: &mut Document, symbol: SymbolId) -> bool {
        if is_visible(doc, self.scope, symbol) {
            return true;
        }
        let home = doc.symbols[symbol].scope;
        if !matches!(doc.scopes[home].kind, ScopeKind::Module(_)) || doc.is_private(symbol) {
            return false;
        }
        let name = doc.name(symbol).to_owned();
        let around: Vec<_> =
            std::iter::successors(Some(self.scope), |&scope| doc.scopes[scope].parent).collect();
        for scope in around {
            let taken = doc.symbol_in(scope, &name.to_lowercase()).is_some();
            let position = doc.scopes[scope].items.iter().position(|item| {
                matches!(item, SpecItem::Use(used) if used.only
                    && matches!(doc.role(used.module), Some(Role::Module { scope: Some(module) }) if *module == home))
            });
            if taken {
                return false;
            }
            if let Some(position) = position
                && let SpecItem::Use(used) = &mut doc.scopes[scope].items[position]
            {
                let remote = name.clone();
                used.names.push(UseName { local: name, remote, symbol: Some(symbol) });
                return true;
            }
        }
        false
    }
}

/// Whether a value can be computed in a variable without conversion.
fn same_type(doc: &Document, lhs: RefId, rhs: ExprId) -> bool {
    doc.refs[lhs].ty == doc.exprs[rhs].ty
}

/// The place of a statement.
pub(super) fn place_of(doc: &Document, stmt: StmtId) -> Place {
    doc.stmts[stmt].place
}

/// Whether the derivative of a statement repeats parts of it: subscripts, passive factors.
fn is_repeated(doc: &Document, stmt: StmtId) -> bool {
    let active = |reference: RefId| {
        let reference = &doc.refs[reference];
        may_hold_numbers(doc, reference.ty.base) && reference.active != Some(false)
    };
    let objects =
        |objects: &[RefId]| objects.iter().any(|&r| may_hold_numbers(doc, doc.refs[r].ty.base));
    match &doc.stmts[stmt].kind {
        StmtKind::Assign { lhs, defined, .. } => defined.is_some() || active(*lhs),
        StmtKind::PointerAssign { lhs, .. } => may_hold_numbers(doc, doc.refs[*lhs].ty.base),
        StmtKind::Call(call) => call.active != Some(false),
        StmtKind::Where(_) | StmtKind::Forall(_) => true,
        StmtKind::Allocate(allocate) => objects(&allocate.objects),
        StmtKind::Release(release) => objects(&release.objects),
        StmtKind::Marker(marker) => marker.operands.iter().any(|operand| {
            matches!(operand.access, Access::Write | Access::ReadWrite)
                && may_hold_numbers(doc, doc.exprs[operand.expr].ty.base)
        }),
        StmtKind::OpenScope(_) => true,
        StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Comment(_) => false,
    }
}
