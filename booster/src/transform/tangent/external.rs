//! Calls of procedures whose source is not given, as a specification of externals tells of them.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Arg, ArgValue, Callee, Decl, Document, ExprKind, Place, ProcClass, ProcSort, ProcedureInfo,
    RefId, Role, Symbol, SymbolId, SymbolKind, TypeClass, TypeSpec,
};

use super::body::Tangent;
use crate::build::Emitter;
use crate::externals::{Derivative, Effect, External};
use crate::transform::derivative::Slot;

impl Tangent<'_> {
    /// The derivative procedure of what is called: one that was made, or the one that a
    /// specification names.
    pub(super) fn callee(&mut self, doc: &mut Document, callee: &Callee) -> Option<SymbolId> {
        if let Some(known) = self.parts.callee(callee.symbol) {
            return Some(known);
        }
        let external = self.externals.find(doc, callee.symbol)?;
        let tangent = external.tangent.as_ref()?;
        let symbol = procedure_named(doc, &tangent.name)?;
        let slots = slots(external, tangent);
        self.parts.add_callee(callee.symbol, symbol, slots);
        Some(symbol)
    }

    /// A call of a procedure without derivative: an error where activity passes through it. What it
    /// overwrites by a specification has the derivative zero behind it; these are the result.
    pub(super) fn without_derivative(
        &self,
        doc: &Document,
        callee: &Callee,
        args: &[Arg],
        passes: bool,
        place: Place,
    ) -> Result<Vec<RefId>, Diagnostic> {
        let external = self.externals.find(doc, callee.symbol);
        let name = doc.name(callee.symbol);
        let Some(external) = external else {
            if !passes {
                return Ok(Vec::new());
            }
            return Err(self.error(
                doc,
                Code::NO_DERIVATIVE_PROCEDURE,
                place,
                format!("activity passes through `{name}`, which has no derivative"),
                "give its source, too, or tell by --externals what it does and what its tangent is called",
            ));
        };
        let mut zeroed = Vec::new();
        for arg in args {
            let Some(effect) = external.argument(arg.position).filter(|effect| effect.written)
            else {
                continue;
            };
            let Some(reference) = variable(doc, arg) else { continue };
            if !self.parts.is_active(doc, reference) {
                continue;
            }
            if self.depends_on_active(doc, effect, args) {
                let help = "name its tangent in the specification of externals";
                let message = format!(
                    "`{}` depends on active arguments of `{name}`, whose tangent nobody has told",
                    doc.name(doc.refs[reference].base)
                );
                return Err(self.error(doc, Code::NO_DERIVATIVE_PROCEDURE, place, message, help));
            }
            zeroed.push(reference);
        }
        Ok(zeroed)
    }

    /// Whether an output of an external procedure depends on an argument that is active, or on a
    /// global, of which it is not known.
    fn depends_on_active(&self, doc: &Document, effect: &Effect, args: &[Arg]) -> bool {
        use crate::externals::Slot as Input;
        effect.depends.iter().any(|input| match *input {
            Input::Global(_) => true,
            Input::Argument(index) => {
                let position = u32::try_from(index + 1).unwrap_or(u32::MAX);
                args.iter()
                    .filter(|arg| arg.position == position)
                    .any(|arg| self.any_active(doc, std::slice::from_ref(arg)))
            }
        })
    }

    /// Sets the derivatives of what a call has overwritten to zero.
    pub(super) fn zero_written(
        &mut self,
        e: &mut Emitter<'_>,
        written: Vec<RefId>,
    ) -> Result<(), Diagnostic> {
        written.into_iter().try_for_each(|reference| self.zero_variable(e, reference))
    }
}

/// The dummy arguments of a tangent that a specification names.
fn slots(external: &External, tangent: &Derivative) -> Option<Vec<Slot>> {
    let followed = tangent.with_derivative.as_ref()?;
    let mut slots = Vec::new();
    for (index, number) in (0..external.arguments.len()).zip(1..) {
        slots.push(Slot::Argument(number));
        if followed.contains(&index) {
            slots.push(Slot::ArgumentDerivative(number));
        }
    }
    if external.result.is_some() {
        slots.extend([Slot::Result, Slot::ResultDerivative]);
    }
    Some(slots)
}

/// The external procedure with this name: what the document knows by it, else a new symbol.
fn procedure_named(doc: &mut Document, name: &str) -> Option<SymbolId> {
    let global = doc.global_scope()?;
    let id = name.to_ascii_lowercase();
    if let Some(known) = doc.symbol_in(global, &id) {
        return Some(known);
    }
    let role = Role::Procedure(ProcedureInfo {
        sort: ProcSort::Subroutine,
        class: ProcClass::External,
        proc: None,
        interface: None,
        pass: None,
    });
    let decl = Decl {
        name: name.to_owned(),
        role,
        spec: TypeSpec::None,
        dims: Vec::new(),
        attrs: std::collections::BTreeSet::new(),
        intent: None,
        init: None,
        char_len: None,
        common: None,
        bind_name: None,
        implicit: false,
        value: None,
        place: Place::default(),
    };
    Some(doc.add_symbol(Symbol {
        id,
        scope: global,
        kind: SymbolKind::Subroutine,
        class: TypeClass::Void,
        fe_type: None,
        rank: None,
        bounds: Vec::new(),
        active: Some(false),
        temp: None,
        pointer: None,
        decl: Some(Box::new(decl)),
    }))
}

fn variable(doc: &Document, arg: &Arg) -> Option<RefId> {
    match arg.value {
        ArgValue::Expr(expr) => match doc.exprs[expr].kind {
            ExprKind::Ref(reference) => Some(reference),
            _ => None,
        },
        ArgValue::AlternateReturn(_) => None,
    }
}
