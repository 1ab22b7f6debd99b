//! CALL: which procedure is called, and with what.

use xaif_schema::diag::Code;
use xaif_schema::intrinsics::{self, Intrinsic};
use xaif_schema::model::{
    Arg, Callee, ProcClass, ProcSort, ProcedureInfo, Role, StmtKind, SubroutineCall, SymbolId,
};

use super::Builder;
use crate::lower::Lowering;
use crate::lower::expr::{Actual, Walk, text_of_arguments, text_of_designator};
use crate::syntax::ast;

impl Builder<'_, '_> {
    /// `call s(…)`
    pub(super) fn call(
        &mut self,
        procedure: &ast::Designator,
        arguments: Option<&[ast::Argument]>,
        head: &ast::Head,
    ) {
        let mut labels = Vec::new();
        let list = arguments.unwrap_or(&[]);
        let actuals = self.low.actual_arguments(self.scope, list, &mut labels);
        let (callee, args) = match procedure.parts.as_slice() {
            [part] if part.arguments.is_empty() => self.called_by_name(&part.name, actuals),
            _ => match self.called_by_object(procedure, &actuals) {
                Some(callee) => {
                    let signature = self.low.signature(callee.symbol);
                    let args = self.low.place_arguments(&callee, signature.as_ref(), actuals);
                    (callee, args)
                }
                None => {
                    let mut text = format!("call {}", text_of_designator(procedure));
                    if arguments.is_some() {
                        text.push_str(&text_of_arguments(list));
                    }
                    self.carry(&text, "the type of the object is not known", head);
                    return;
                }
            },
        };
        let count = self.low.signature(callee.symbol).map(|signature| signature.args.len());
        let formal_count = count.and_then(|count| u32::try_from(count).ok());
        let call = SubroutineCall { callee, args, formal_count, active: None };
        let block = self.push(StmtKind::Call(Box::new(call)), head.place);
        self.trailing_comments(head);
        if labels.is_empty() {
            return;
        }
        for (value, (label, place)) in (1..).zip(labels) {
            self.jump_to(block, label, Some(value), place);
        }
        self.block = None;
    }

    fn called_by_name(&mut self, name: &ast::Name, actuals: Vec<Actual>) -> (Callee, Vec<Arg>) {
        let known = self.low.lookup(self.scope, name.key());
        let generic = known.filter(|&symbol| self.low.is_generic(symbol));
        let symbol = match (known, generic) {
            (Some(symbol), Some(_)) => {
                if let Some(callee) = self.low.specific_procedure(self.scope, name.key(), &actuals)
                {
                    let signature = self.low.signature(callee.symbol);
                    let args = self.low.place_arguments(&callee, signature.as_ref(), actuals);
                    return (callee, args);
                }
                match self.intrinsic_subroutine(name) {
                    Some(intrinsic) => return self.intrinsic_call(None, name, intrinsic, actuals),
                    None => {
                        self.low.no_specific(name, &actuals);
                        symbol
                    }
                }
            }
            (Some(symbol), None) => {
                let declared_intrinsic = matches!(
                    self.low.doc.role(symbol),
                    Some(Role::Procedure(ProcedureInfo { class: ProcClass::Intrinsic, .. }))
                );
                if declared_intrinsic && let Some(intrinsic) = intrinsics::by_fortran(name.key()) {
                    return self.intrinsic_call(Some(symbol), name, intrinsic, actuals);
                }
                self.low.procedure_for_call(self.scope, name, ProcSort::Subroutine)
            }
            (None, _) => match self.intrinsic_subroutine(name) {
                Some(intrinsic) => return self.intrinsic_call(None, name, intrinsic, actuals),
                None => self.low.procedure_for_call(self.scope, name, ProcSort::Subroutine),
            },
        };
        self.check_subroutine(symbol, name);
        let callee = Callee { symbol, generic, object: None };
        let signature = self.low.signature(symbol);
        let args = self.low.place_arguments(&callee, signature.as_ref(), actuals);
        (callee, args)
    }

    /// Reports a call of what cannot be called.
    fn check_subroutine(&mut self, symbol: SymbolId, name: &ast::Name) {
        let callable = match self.low.doc.role(symbol) {
            Some(Role::Procedure(info)) => info.sort != ProcSort::Function,
            Some(Role::Generic { .. } | Role::Unresolved { .. }) | None => true,
            Some(_) => false,
        };
        if !callable {
            self.low.error(
                Code::NOT_A_PROCEDURE,
                name.place,
                format!("`{name}` is no subroutine"),
                "call a subroutine, or refer to the function in an expression",
            );
        }
    }

    /// The intrinsic subroutine that `name` means where nothing declares it. An extension gives
    /// way to a procedure of the program; functions of gfortran that may be called count too.
    fn intrinsic_subroutine(&self, name: &ast::Name) -> Option<&'static Intrinsic> {
        let intrinsic = intrinsics::by_fortran(name.key())?;
        let callable = match intrinsic.class {
            intrinsics::Class::Subroutine { .. } | intrinsics::Class::Impure => true,
            intrinsics::Class::Elemental
            | intrinsics::Class::Transformational
            | intrinsics::Class::Inquiry => false,
        };
        let given = intrinsic.extension && self.low.given_external(name.key()).is_some();
        (callable && !given).then_some(intrinsic)
    }

    fn intrinsic_call(
        &mut self,
        declared: Option<SymbolId>,
        name: &ast::Name,
        intrinsic: &'static Intrinsic,
        actuals: Vec<Actual>,
    ) -> (Callee, Vec<Arg>) {
        let symbol = declared.unwrap_or_else(|| self.low.intrinsic_symbol(name));
        let mut args = Vec::new();
        for (index, actual) in actuals.into_iter().enumerate() {
            let index = match &actual.keyword {
                None => Some(index),
                Some(keyword) => intrinsic.position_of(keyword.key()),
            };
            // A function of gfortran that is called gets its result as one more argument.
            let is_function = intrinsic.is_function();
            let Some(index) =
                index.filter(|&index| is_function || intrinsic.dummy(index).is_some())
            else {
                self.low.error(
                    Code::BAD_ARGUMENTS,
                    actual.place,
                    format!("the intrinsic subroutine `{name}` does not take this argument"),
                    "declare the name EXTERNAL if a subroutine of the program is meant",
                );
                continue;
            };
            args.push(Arg {
                position: u32::try_from(index + 1).unwrap_or(u32::MAX),
                keyword: actual.keyword.map(|keyword| keyword.spelling().into()),
                value: actual.value,
            });
        }
        (Callee { symbol, generic: None, object: None }, args)
    }

    /// `call object%procedure`; `None` where the type of the object is not known.
    fn called_by_object(
        &mut self,
        procedure: &ast::Designator,
        actuals: &[Actual],
    ) -> Option<Callee> {
        let name = procedure.base()?;
        let base = self.low.variable_named(self.scope, name);
        match self.low.walk(self.scope, base, procedure) {
            Walk::Procedure { symbol, owner, object, arguments: [] } => {
                Some(self.low.bound_callee(symbol, owner, object, actuals))
            }
            Walk::Procedure { .. } | Walk::Data(_) | Walk::Nonsense => None,
        }
    }
}

impl Lowering<'_> {
    /// The global symbol that stands for an intrinsic subroutine that nothing declares.
    fn intrinsic_symbol(&mut self, name: &ast::Name) -> SymbolId {
        let key = format!("intrinsic {}", name.key());
        if let Some(symbol) = self.lookup_own(self.global, &key) {
            return symbol;
        }
        let role = Role::Procedure(ProcedureInfo {
            sort: ProcSort::Subroutine,
            class: ProcClass::Intrinsic,
            proc: None,
            interface: None,
            pass: None,
        });
        let place = self.place(name.place);
        self.declare_key(self.global, &key, name.key(), role, place)
    }
}
