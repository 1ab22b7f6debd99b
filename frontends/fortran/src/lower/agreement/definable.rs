//! Whether what a statement gives a value may be given one (Fortran 2018, 19.6.7).

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::intrinsics;
use xaif_schema::model::{
    Access, Arg, ArgValue, Attr, ExprId, ExprKind, Intent, Part, Place, ProcClass, RefId,
    Reference, Role, StmtKind, Subscript, SymbolId,
};

use super::Call;
use crate::lower::Lowering;

/// Names that stand for other names, one in another, are followed no farther.
const MOST_NAMES: usize = 64;

/// What a context changes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    /// The value.
    Value,
    /// What is associated or allocated.
    Association,
}

impl Lowering<'_> {
    /// Reports statements that change constants and INTENT(IN) arguments.
    pub(in crate::lower) fn check_definitions(&mut self) {
        let mut changed: Vec<(RefId, Context)> = Vec::new();
        for stmt in self.doc.stmts.values() {
            self.add_definitions(&stmt.kind, &mut changed);
        }
        let place = |doc: &xaif_schema::model::Document, reference: RefId| {
            let place = doc.refs[reference].place;
            (place.file, place.line, place.column)
        };
        changed.sort_by_key(|&(reference, _)| place(&self.doc, reference));
        for (reference, context) in changed {
            let data = &self.doc.refs[reference];
            let Some(reason) = self.fixed(data, context) else { continue };
            let spot = self.doc.spot(data.place);
            let message =
                format!("`{}` is changed here, and it is {reason}", self.doc.name(data.base));
            let problem = Diagnostic::error(Code::NOT_DEFINABLE, spot, message);
            let help = "change a variable of its own, or declare another intent";
            self.diagnostics.push(problem.with_help(help));
        }
    }

    fn is_constant(&self, reference: RefId) -> bool {
        matches!(self.doc.role(self.doc.refs[reference].base), Some(Role::Constant))
    }

    fn add_definitions(&self, kind: &StmtKind, changed: &mut Vec<(RefId, Context)>) {
        match kind {
            // An assignment to a constant has its own message.
            StmtKind::Assign { lhs, defined: None, .. } if !self.is_constant(*lhs) => {
                changed.push((*lhs, Context::Value));
            }
            StmtKind::PointerAssign { lhs, .. } => changed.push((*lhs, Context::Association)),
            StmtKind::Allocate(allocate) => {
                changed
                    .extend(allocate.objects.iter().map(|&object| (object, Context::Association)));
                let status = allocate.stat.iter().chain(&allocate.errmsg);
                changed.extend(status.map(|&status| (status, Context::Value)));
            }
            StmtKind::Release(release) => {
                changed
                    .extend(release.objects.iter().map(|&object| (object, Context::Association)));
                let status = release.stat.iter().chain(&release.errmsg);
                changed.extend(status.map(|&status| (status, Context::Value)));
            }
            StmtKind::Marker(marker) => {
                let written = marker.operands.iter().filter(|operand| is_written(operand.access));
                let variables =
                    written.filter_map(|operand| self.doc.exprs[operand.expr].reference());
                changed.extend(variables.map(|variable| (variable, Context::Value)));
            }
            StmtKind::Call(call) => self.add_intrinsic(call.callee.symbol, &call.args, changed),
            StmtKind::Assign { .. }
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Comment(_) => {}
        }
    }

    /// The arguments that an intrinsic subroutine changes.
    fn add_intrinsic(&self, callee: SymbolId, args: &[Arg], changed: &mut Vec<(RefId, Context)>) {
        let Some(Role::Procedure(info)) = self.doc.role(callee) else { return };
        if info.class != ProcClass::Intrinsic {
            return;
        }
        let Some(row) = intrinsics::by_fortran(&self.doc.name(callee).to_ascii_lowercase()) else {
            return;
        };
        for arg in args {
            let index = usize::try_from(arg.position).unwrap_or(0).wrapping_sub(1);
            let dummy = row.dummy(index).filter(|dummy| is_written(dummy.access));
            if let (Some(_), ArgValue::Expr(expr)) = (dummy, arg.value)
                && let Some(reference) = self.doc.exprs[expr].reference()
            {
                changed.push((reference, Context::Value));
            }
        }
    }

    /// Reports an actual argument that cannot be changed where the intent of the dummy argument says that it is.
    pub(super) fn check_definable(
        &mut self,
        call: &Call<'_>,
        dummy: SymbolId,
        expr: ExprId,
        place: Place,
    ) {
        let Some(decl) = self.doc.symbols[dummy].decl.as_deref() else { return };
        let intent = match decl.intent {
            Some(Intent::Out) => "INTENT(OUT)",
            Some(Intent::InOut) => "INTENT(INOUT)",
            Some(Intent::In) | None => return,
        };
        let context = match decl.has(Attr::Pointer) {
            true => Context::Association,
            false => Context::Value,
        };
        let Some(reason) = self.fixed_value(expr, context) else { return };
        let dummy_name = self.dummy_name(call, dummy);
        let message = format!("{dummy_name} is {intent}, and the argument is {reason}");
        let help = "pass a variable that may be changed";
        self.report_argument(call, dummy, Code::NOT_DEFINABLE, place, message, help);
    }

    /// Why the value of an expression cannot be changed.
    fn fixed_value(&self, expr: ExprId, context: Context) -> Option<&'static str> {
        let node = &self.doc.exprs[expr];
        match &node.kind {
            ExprKind::Ref(_) if node.parens => Some("an expression"),
            ExprKind::Ref(reference) => {
                let reference = &self.doc.refs[*reference];
                self.fixed(reference, context).or_else(|| {
                    let vector = self.has_vector_subscript(reference);
                    vector.then_some("a section with a vector subscript")
                })
            }
            ExprKind::Constant(_) => Some("a constant"),
            ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. } => Some("an expression"),
            ExprKind::Call(call) => {
                // The target of a pointer that a function returns is a variable.
                let result = self.doc.procedure_of(call.callee.symbol);
                let result = result.and_then(|proc| self.doc.procs[proc].result)?;
                (!self.doc.has(result, Attr::Pointer)).then_some("an expression")
            }
            ExprKind::Procedure(_) | ExprKind::Opaque(_) => None,
        }
    }

    /// Why a variable cannot be changed.
    fn fixed(&self, reference: &Reference, context: Context) -> Option<&'static str> {
        let mut reference = reference;
        for _ in 0..MOST_NAMES {
            if self.is_beyond_pointer(reference, context) {
                return None;
            }
            match self.doc.role(reference.base)? {
                Role::Constant => return Some("a constant"),
                Role::Variable => {
                    let intent = self.doc.symbols[reference.base].decl.as_ref()?.intent;
                    return (intent == Some(Intent::In)).then_some("INTENT(IN)");
                }
                Role::Associate { selector } => {
                    let selector = &self.doc.exprs[(*selector)?];
                    match selector.kind {
                        ExprKind::Ref(inner) if !selector.parens => {
                            reference = &self.doc.refs[inner];
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
        None
    }

    /// Whether a reference leads through a pointer, whose target does not belong to the variable.
    fn is_beyond_pointer(&self, reference: &Reference, context: Context) -> bool {
        let mut pointers = vec![self.doc.has(reference.base, Attr::Pointer)];
        for part in &reference.parts {
            match part {
                Part::Component { symbol, .. } => {
                    pointers.push(symbol.is_none_or(|symbol| self.doc.has(symbol, Attr::Pointer)));
                }
                Part::Deref => pointers.push(true),
                Part::Elements(_) | Part::Substring { .. } | Part::Inquiry(_) => {}
            }
        }
        // The last name is what is associated itself.
        if context == Context::Association {
            pointers.pop();
        }
        pointers.contains(&true)
    }

    fn has_vector_subscript(&self, reference: &Reference) -> bool {
        let parts = reference.parts.iter();
        let mut subscripts = parts.flat_map(|part| match part {
            Part::Elements(list) => list.as_slice(),
            Part::Component { .. } | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => &[],
        });
        subscripts.any(|subscript| match subscript {
            Subscript::Index(index) => self.doc.exprs[*index].ty.rank > 0,
            Subscript::Section { .. } => false,
        })
    }
}

fn is_written(access: Access) -> bool {
    match access {
        Access::Write | Access::ReadWrite => true,
        Access::Read | Access::Inquire => false,
    }
}
