//! Pointers to procedures: `f => p`.
//!
//! Beside a variable `f` that points to procedures stands its companion `f_b`, or `f_fwd` and `f_bwd` where
//! calls of `f` are split (`derivative/callables`, `derivative/halves`). The forward sweep associates
//! companions as the program associates `f`, with the derivatives of `p`; what they were associated with
//! goes onto the tape together (`pointer`). A forward half has the companion of the backward half, too,
//! and leaves it to that as it leaves `f`.
//!
//! A component has no companions: calls through it name procedures one by one (`canonicalize`).

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    ArgValue, Body, Document, ExprId, ExprKind, Place, ProcClass, RefId, Reference, Role, StmtId,
    StmtKind, SymbolId,
};

use crate::body::{Adjoint, statements};
use crate::queries::procedure_pointers::class_of;
use booster_build::{Copier, Emitter, subscripts_of};
use booster_reversal::loops::asks_for_procedure;
use booster_shadow::derivative::Sweep;
use booster_tangent::call::named_procedure;

impl Adjoint<'_> {
    /// Whether a pointer points to procedures.
    pub(crate) fn is_procedure(&self, doc: &Document, pointer: RefId) -> bool {
        let entity = doc.refs[pointer].entity();
        entity.is_some_and(|symbol| matches!(doc.role(symbol), Some(Role::Procedure(_))))
    }

    /// Refuses statements whose value depends on what a variable points to that points to procedures: the
    /// backward sweep may evaluate them again. A condition is recorded.
    pub(crate) fn no_questions(&self, doc: &Document) -> Result<(), Diagnostic> {
        let Body::Flow(cfg) = &doc.procs[self.proc].body else { return Ok(()) };
        let asks =
            |&stmt: &StmtId| values_of(doc, stmt).into_iter().any(|v| asks_for_procedure(doc, v));
        match statements(cfg).find(asks) {
            None => Ok(()),
            Some(stmt) => Err(self.refused(
                doc,
                doc.stmts[stmt].place,
                "a value that depends on what a procedure pointer is associated with has no adjoint",
                "ask in the condition of an IF",
            )),
        }
    }

    /// What stands beside a variable that points to procedures.
    pub(crate) fn companions(&mut self, doc: &mut Document, pointer: RefId) -> Vec<SymbolId> {
        let Reference { base, ref parts, .. } = doc.refs[pointer];
        let is_variable = parts.is_empty() && class_of(doc, base) == Some(ProcClass::Pointer);
        let Some(companion) = self.tools.parts.callee(base).filter(|_| is_variable) else {
            return Vec::new();
        };
        match self.tools.parts.is_halved(doc, base) {
            true => {
                let both = self.tools.parts.halves(doc, self.proc, companion);
                both.map(Vec::from).unwrap_or_default()
            }
            false => vec![companion],
        }
    }

    /// References to the companions in the place of one to the pointer.
    pub(crate) fn companions_of(&mut self, doc: &mut Document, pointer: RefId) -> Vec<RefId> {
        let companions = self.companions(doc, pointer).into_iter();
        companions.map(|symbol| self.in_place(doc, pointer, symbol)).collect()
    }

    fn in_place(&self, doc: &mut Document, pointer: RefId, symbol: SymbolId) -> RefId {
        let copy = Copier::new().reference(doc, pointer);
        doc.refs[copy].base = symbol;
        copy
    }

    /// `f => p` in the forward sweep.
    pub(crate) fn forward_procedure(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        lhs: RefId,
        rhs: ExprId,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        let base = e.doc.refs[lhs].base;
        let companions = self.companions(e.doc, lhs);
        if self.is_dummy(base) && !companions.is_empty() {
            return Err(self.refused(
                e.doc,
                place,
                format!("`{}` is associated with a procedure for the caller", e.doc.name(base)),
                "associate a pointer of the module",
            ));
        }
        let both = companions.len() == 2;
        let mut made = Vec::new();
        for (&companion, forward) in companions.iter().zip([true, false]) {
            let half = both.then_some(forward);
            let rhs = self.companion_target(e.doc, rhs, half, place)?;
            let lhs = self.in_place(e.doc, lhs, companion);
            made.push(StmtKind::PointerAssign { lhs, rhs });
        }
        self.hold(e, lhs, true)?;
        e.push(stmt);
        made.into_iter().for_each(|kind| {
            e.stmt(kind, place);
        });
        Ok(())
    }

    /// What a companion points to: the derivative of the procedure, or one half of it.
    fn companion_target(
        &mut self,
        doc: &mut Document,
        rhs: ExprId,
        half: Option<bool>,
        place: Place,
    ) -> Result<ExprId, Diagnostic> {
        let Some(named) = named_procedure(doc, rhs) else {
            return match doc.exprs[rhs].kind {
                // NULL.
                ExprKind::Constant(_) | ExprKind::Intrinsic { .. } => {
                    Ok(Copier::new().expr(doc, rhs))
                }
                ExprKind::Ref(_)
                | ExprKind::Boolean { .. }
                | ExprKind::Call(_)
                | ExprKind::ArrayConstructor { .. }
                | ExprKind::ImpliedDo(_)
                | ExprKind::StructureConstructor { .. }
                | ExprKind::Procedure(_)
                | ExprKind::Opaque(_) => Err(self.refused(
                    doc,
                    place,
                    "what is pointed to has no derivative beside it: a procedure component, or the result of \
                     a function",
                    "associate the pointer with a procedure that is named, or with another such pointer",
                )),
            };
        };
        let Some(forward) = half else {
            return self.tools.derivative_procedure(doc, rhs, named, place);
        };
        let is_dummy = class_of(doc, named) == Some(ProcClass::Dummy);
        if is_dummy && self.tools.parts.sweep_of(self.proc) == Sweep::Forward {
            let message = format!(
                "a pointer is associated with `{}` in a call that is split, whose forward half is not given \
                 its backward half",
                doc.name(named)
            );
            return Err(Diagnostic::error(Code::SPLIT_REFUSED, doc.spot(place), message)
                .with_help("call the dummy procedure itself"));
        }
        self.tools.procedure_half(doc, rhs, forward, place)
    }

    /// The local variables that point to procedures, which go from one half to the other with their
    /// companions.
    pub(crate) fn kept_procedures(
        &mut self,
        doc: &mut Document,
        symbols: impl IntoIterator<Item = SymbolId>,
    ) -> Vec<SymbolId> {
        let pointers: Vec<SymbolId> = symbols
            .into_iter()
            .filter(|&symbol| {
                class_of(doc, symbol) == Some(ProcClass::Pointer) && !self.is_dummy(symbol)
            })
            .collect();
        let beside: Vec<SymbolId> =
            pointers.iter().flat_map(|&pointer| self.beside(doc, pointer)).collect();
        pointers.into_iter().filter(|pointer| !beside.contains(pointer)).collect()
    }

    /// All that may stand beside a variable that points to procedures.
    pub(crate) fn beside(&mut self, doc: &mut Document, pointer: SymbolId) -> Vec<SymbolId> {
        let Some(companion) = self.tools.parts.callee(pointer) else { return Vec::new() };
        let halves = match self.tools.parts.is_halved(doc, pointer) {
            true => self.tools.parts.halves(doc, self.proc, companion),
            false => None,
        };
        halves.into_iter().flatten().chain([companion]).collect()
    }
}

/// The expressions of an assignment, a call or a WHERE that a backward sweep may evaluate.
fn values_of(doc: &Document, stmt: StmtId) -> Vec<ExprId> {
    match &doc.stmts[stmt].kind {
        StmtKind::Assign { lhs, rhs, .. } => {
            subscripts_of(&doc.refs[*lhs]).into_iter().chain([*rhs]).collect()
        }
        StmtKind::Call(call) => {
            let values = call.args.iter().filter_map(|arg| match arg.value {
                ArgValue::Expr(value) => Some(value),
                ArgValue::AlternateReturn(_) => None,
            });
            values.collect()
        }
        StmtKind::Where(construct) => {
            let arms = construct.arms.iter();
            let values = arms.flat_map(|arm| {
                let inner = arm.body.iter().flat_map(|&stmt| values_of(doc, stmt));
                arm.mask.into_iter().chain(inner).collect::<Vec<_>>()
            });
            values.collect()
        }
        StmtKind::Forall(construct) => {
            construct.body.iter().flat_map(|&stmt| values_of(doc, stmt)).collect()
        }
        StmtKind::PointerAssign { .. }
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
