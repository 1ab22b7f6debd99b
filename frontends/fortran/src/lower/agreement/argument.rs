//! One actual argument: its type, kind and rank beside those of the dummy argument.

use xaif_schema::diag::Code;
use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, ConstantClass, Decl, Dim, DummyArg, ExprId, ExprKind, Part, Place,
    ProcSort, Role, Subscript, SymbolId, Ty,
};

use super::Call;
use crate::lower::Lowering;
use crate::lower::expr::is_unknown;

impl Lowering<'_> {
    /// Compares an actual argument with its dummy argument.
    pub(super) fn check_actual(&mut self, call: &Call<'_>, dummy: &DummyArg, arg: &Arg) {
        let place = self.place_of_argument(call, arg);
        let (Some(symbol), ArgValue::Expr(expr)) = (dummy.symbol, arg.value) else {
            let is_label = matches!(arg.value, ArgValue::AlternateReturn(_));
            if is_label != dummy.symbol.is_none() {
                let message = format!(
                    "a label is passed to `{}` where it takes none, or the other way round",
                    call.name
                );
                let help = "bring the arguments into the order of the dummy arguments";
                self.disagree(call, Code::BAD_ARGUMENTS, place, message, help);
            }
            return;
        };
        if self.takes_anything(expr) {
            return;
        }
        let procedure = self.procedure_passed(expr);
        match (self.doc.role(symbol), procedure) {
            (Some(Role::Procedure(_)), Some(procedure)) => {
                self.check_procedure(call, symbol, procedure, place);
            }
            (Some(Role::Procedure(_)), None) => self.check_no_procedure(call, symbol, expr, place),
            (Some(Role::Variable), Some(_)) => {
                let message =
                    format!("a procedure is passed for {}", self.dummy_name(call, symbol));
                let help =
                    "declare the dummy argument EXTERNAL or by PROCEDURE, or pass a variable";
                self.report_argument(call, symbol, Code::ARGUMENT_TYPE, place, message, help);
            }
            (Some(Role::Variable), None) => {
                self.check_type(call, symbol, expr, place);
                self.check_argument_rank(call, symbol, expr, place);
                self.check_definable(call, symbol, expr, place);
            }
            (Some(_) | None, _) => {}
        }
    }

    /// Whether an argument fits dummy arguments of any type: NULL(), bit patterns, Hollerith constants, and
    /// all that is not understood.
    fn takes_anything(&self, expr: ExprId) -> bool {
        match &self.doc.exprs[expr].kind {
            ExprKind::Opaque(_) => true,
            ExprKind::Constant(constant) => matches!(
                constant.class,
                ConstantClass::Boz | ConstantClass::Hollerith | ConstantClass::Null
            ),
            ExprKind::Intrinsic { name, .. } => &**name == "null",
            ExprKind::Ref(_)
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_) => false,
        }
    }

    /// The procedure, procedure pointer or procedure component that is passed.
    fn procedure_passed(&self, expr: ExprId) -> Option<SymbolId> {
        match self.doc.exprs[expr].kind {
            ExprKind::Procedure(symbol) => Some(symbol),
            ExprKind::Ref(reference) => {
                let entity = self.doc.refs[reference].whole_entity()?;
                matches!(self.doc.role(entity), Some(Role::Procedure(_))).then_some(entity)
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

    /// Compares what a procedure returns with what the dummy procedure returns.
    fn check_procedure(
        &mut self,
        call: &Call<'_>,
        dummy: SymbolId,
        actual: SymbolId,
        place: Place,
    ) {
        let (Some(wanted), Some(given)) = (self.sort_of(dummy), self.sort_of(actual)) else {
            return;
        };
        let wrong = if wanted != given {
            matches!(
                (wanted, given),
                (ProcSort::Subroutine, ProcSort::Function)
                    | (ProcSort::Function, ProcSort::Subroutine)
            )
        } else if wanted == ProcSort::Function {
            let (wanted, given) = (self.returned(dummy), self.returned(actual));
            !is_unknown(wanted) && !is_unknown(given) && !self.is_taken(wanted, given)
        } else {
            false
        };
        if wrong {
            let actual = self.doc.name(actual);
            let message =
                format!("`{actual}` does not return what {} returns", self.dummy_name(call, dummy));
            let help = "pass a function of the same type and kind";
            self.report_argument(call, dummy, Code::ARGUMENT_TYPE, place, message, help);
        }
    }

    fn sort_of(&self, symbol: SymbolId) -> Option<ProcSort> {
        match self.doc.role(symbol) {
            Some(Role::Procedure(info)) => {
                let described = info.proc.is_none().then_some(info.interface).flatten();
                match described.filter(|&interface| interface != symbol) {
                    Some(interface) => self.sort_of(interface),
                    None => Some(info.sort),
                }
            }
            Some(_) | None => None,
        }
    }

    fn returned(&mut self, symbol: SymbolId) -> Base {
        let result = self.signature(symbol).and_then(|signature| signature.result);
        self.type_of(result.unwrap_or(symbol)).base
    }

    /// Reports a value where a procedure is wanted; a function may return a procedure pointer.
    fn check_no_procedure(&mut self, call: &Call<'_>, dummy: SymbolId, expr: ExprId, place: Place) {
        let base = self.ty(expr).base;
        let is_call = self.doc.exprs[expr].call().is_some();
        if is_call || is_unknown(base) || base == Base::Procedure {
            return;
        }
        let message =
            format!("a value is passed for {}, which is a procedure", self.dummy_name(call, dummy));
        let help = "pass a procedure; declare it EXTERNAL where it has no interface";
        self.report_argument(call, dummy, Code::ARGUMENT_TYPE, place, message, help);
    }

    fn check_type(&mut self, call: &Call<'_>, dummy: SymbolId, expr: ExprId, place: Place) {
        let (wanted, given) = (self.type_of(dummy).base, self.ty(expr).base);
        if is_unknown(wanted) || is_unknown(given) || self.is_taken(wanted, given) {
            return;
        }
        let message = format!(
            "an argument of type {} is passed for {}, which is of type {}",
            self.describe(Ty::scalar(given)),
            self.dummy_name(call, dummy),
            self.describe(Ty::scalar(wanted))
        );
        let help = "pass a variable of its type and kind, or convert the value";
        self.report_argument(call, dummy, Code::ARGUMENT_TYPE, place, message, help);
    }

    /// Whether a dummy argument of type `wanted` takes `given`. Types with SEQUENCE or BIND(C) that are
    /// defined alike in several places are the same.
    pub(super) fn is_taken(&self, wanted: Base, given: Base) -> bool {
        let alike = match (wanted, given) {
            (Base::Derived(wanted), Base::Derived(given)) => {
                let fixed = |ty| self.doc.has(ty, Attr::Sequence) || self.doc.has(ty, Attr::BindC);
                fixed(wanted)
                    && fixed(given)
                    && self.doc.symbols[wanted].id == self.doc.symbols[given].id
            }
            _ => false,
        };
        alike || self.fits_base(wanted, given)
    }

    fn check_argument_rank(
        &mut self,
        call: &Call<'_>,
        dummy: SymbolId,
        expr: ExprId,
        place: Place,
    ) {
        let given = self.ty(expr);
        if call.elemental || is_unknown(given.base) {
            return;
        }
        let Some(decl) = self.doc.symbols[dummy].decl.as_deref() else { return };
        let wanted = decl.dims.len();
        let given_rank = usize::from(given.rank);
        let fits = match decl.dims.last() {
            _ if decl.spec.base() == Base::TypeStar => true,
            None => given_rank == 0,
            Some(Dim::AssumedRank) => true,
            Some(Dim::AssumedShape { .. } | Dim::Deferred) => given_rank == wanted,
            Some(Dim::Explicit { .. } | Dim::AssumedSize { .. }) => {
                given_rank > 0
                    || matches!(given.base, Base::Character(_))
                    || self.is_element(expr)
                    || (!call.explicit && self.has_one_element(decl))
            }
        };
        if fits {
            return;
        }
        let shape = |rank: usize| match rank {
            0 => "a scalar".to_owned(),
            rank => format!("an array of rank {rank}"),
        };
        let message = format!(
            "{} is passed for {}, which is {}",
            shape(given_rank),
            self.dummy_name(call, dummy),
            shape(wanted)
        );
        let help = "pass a variable of its rank, an element or a section";
        self.report_argument(call, dummy, Code::ARGUMENT_RANK, place, message, help);
    }

    /// Reports an argument that does not fit, unless compilers are told not to look.
    pub(super) fn report_argument(
        &mut self,
        call: &Call<'_>,
        dummy: SymbolId,
        code: Code,
        place: Place,
        message: String,
        help: &str,
    ) {
        if !self.is_unchecked(dummy) {
            self.disagree(call, code, place, message, help);
        }
    }

    /// Whether an expression is an element of an array, with which an array begins.
    fn is_element(&self, expr: ExprId) -> bool {
        let node = &self.doc.exprs[expr];
        let Some(reference) = node.reference().filter(|_| !node.parens) else { return false };
        let mut parts = self.doc.refs[reference].parts.iter().rev();
        let last = parts.find(|part| !matches!(part, Part::Substring { .. }));
        matches!(last, Some(Part::Elements(list))
            if list.iter().all(|subscript| matches!(subscript, Subscript::Index(_))))
    }

    /// Whether a dummy array has one element, as far as that is a constant.
    fn has_one_element(&self, decl: &Decl) -> bool {
        decl.dims.iter().all(|dim| {
            let Dim::Explicit { lower, upper } = *dim else { return false };
            let lower = lower.map_or(Some(1), |lower| self.fold_integer(lower));
            lower.is_some() && self.fold_integer(upper) == lower
        })
    }
}
