//! Values whose bits pass through variables of another type.
//!
//! `i = transfer(x, i)`, later `y = transfer(i, y)`: `y` depends on `x`, but no derivative can stand
//! beside an integer, and activity analysis does not follow it. Where the procedures that are
//! differentiated do both, the second is told to be passive by a warning, as a number that is read
//! from a file is. It does not ask whether the bits are the same.

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{Body, Document, ExprId, ExprKind, Place, ProcKind, Procedure};

use booster_build::nodes_of;

/// The warnings, where bits of numbers are taken and numbers are made of bits.
pub fn warn(doc: &Document) -> Diagnostics {
    let differentiated = |proc: &&Procedure| {
        matches!(proc.body, Body::Flow(_))
            && proc.kind != ProcKind::Program
            && proc.active != Some(false)
    };
    let ranges: Vec<(Place, Place)> = doc
        .procs
        .values()
        .filter(differentiated)
        .map(|proc| &doc.scopes[proc.scope])
        .map(|scope| (scope.place, scope.end))
        .collect();
    let inside = |place: Place| {
        place.is_unknown()
            || ranges.iter().any(|(from, to)| {
                from.is_unknown()
                    || (place.file == from.file && (from.line..=to.line).contains(&place.line))
            })
    };
    let (mut taken, mut made) = (false, Vec::new());
    for (expr, node) in doc.exprs.iter() {
        let ExprKind::Intrinsic { name, operands, .. } = &node.kind else { continue };
        if &**name != "transfer" || !inside(node.place) {
            continue;
        }
        let Some(source) = operands.iter().find(|operand| operand.position == 1) else { continue };
        let from_number = doc.exprs[source.expr].ty.base.is_continuous();
        if from_number && !node.ty.base.is_continuous() {
            taken = true;
        } else if !from_number && node.ty.base.is_continuous() && has_variable(doc, source.expr) {
            made.push(expr);
        }
    }
    let warnings = made.into_iter().filter(|_| taken).map(|expr| {
        let message = "bits of real numbers are made real again: what they depended on is passive";
        Diagnostic::warning(Code::BITS_ARE_PASSIVE, doc.spot(doc.exprs[expr].place), message)
            .with_help("keep the number in a variable of its own type")
    });
    warnings.collect()
}

fn has_variable(doc: &Document, root: ExprId) -> bool {
    nodes_of(doc, [root]).into_iter().any(|expr| matches!(doc.exprs[expr].kind, ExprKind::Ref(_)))
}
