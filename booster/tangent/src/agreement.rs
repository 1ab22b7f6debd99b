//! Calls that do not agree with the procedure that they call.
//!
//! Compilers let such calls of external procedures pass, and so does the front end, with a warning. A
//! derivative would repeat the mistake: refused where its arguments have a derivative.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{ArgValue, Attr, Base, Callee, Document, Place, SymbolId};

use super::body::Tangent;
use super::call::Actuals;
use booster_shadow::derivative::Slot;

impl Tangent<'_> {
    /// Refuses a call of a derivative procedure that leaves out an argument, or passes numbers of another
    /// size where there is a derivative.
    pub(super) fn agree(
        &self,
        doc: &Document,
        callee: &Callee,
        slots: &[Slot],
        originals: &[Option<SymbolId>],
        actuals: &Actuals<'_>,
        place: Place,
    ) -> Result<(), Diagnostic> {
        for slot in slots {
            let (Slot::Argument(number) | Slot::ArgumentDerivative(number)) = *slot else {
                continue;
            };
            let index = usize::try_from(number).unwrap_or(0).wrapping_sub(1);
            let Some(dummy) = originals.get(index).copied().flatten() else { continue };
            let own = actuals.args.iter().find(|arg| arg.position == number);
            let Some(own) = own else {
                if doc.has(dummy, Attr::Optional) {
                    continue;
                }
                let message = format!(
                    "nothing is passed for the dummy argument `{}` of `{}`, whose derivative is called here",
                    doc.name(dummy),
                    doc.name(callee.symbol)
                );
                let help = "pass an argument for it";
                return Err(self.error(doc, Code::CALL_DISAGREES, place, message, help));
            };
            let ArgValue::Expr(expr) = own.value else { continue };
            let sizes = [doc.exprs[expr].ty.base, doc.declared_base(dummy)].map(bytes_of_number);
            if let (Slot::ArgumentDerivative(_), [Some(given), Some(wanted)]) = (slot, sizes)
                && given != wanted
            {
                let message = format!(
                    "numbers of {given} bytes are passed for the dummy argument `{}` of `{}`, which has \
                     numbers of {wanted} bytes and a derivative",
                    doc.name(dummy),
                    doc.name(callee.symbol)
                );
                let help = "declare variable and dummy argument with the same kind";
                return Err(self.error(doc, Code::CALL_DISAGREES, place, message, help));
            }
        }
        Ok(())
    }
}

/// The bytes of a number, or of each of its parts; `None` for all else and where they are not known.
fn bytes_of_number(base: Base) -> Option<u8> {
    match base {
        Base::Real(bytes) | Base::Complex(bytes) => Some(bytes).filter(|&bytes| bytes > 0),
        Base::Unknown
        | Base::Void
        | Base::Integer(_)
        | Base::Unsigned(_)
        | Base::Logical(_)
        | Base::Character(_)
        | Base::Derived(_)
        | Base::Class(_)
        | Base::ClassStar
        | Base::TypeStar
        | Base::Procedure
        | Base::Pointer(_) => None,
    }
}
