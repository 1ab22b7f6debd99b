//! Assignments in place whose adjoint reads what they leave, not what they overwrite.
//!
//! The partial derivative of `q = tanh(q)` is `1 - q**2` with the value of `q` behind the assignment.
//! So nothing need be recorded for it: the value is still there when the backward sweep comes by,
//! or whoever overwrites it records it (as the adjoints of exp, sqrt and others are computed from the
//! result; Griewank and Walther, "Evaluating Derivatives", section 4.1, on Phi and its reversal).
//! The catalogue writes such partials with `r`; that of a quotient, too: `x = x/y`.
//!
//! TBR analysis decides ([`requires_result`]): it then requires the value behind the statement, not the
//! one before. The backward sweep need not be told. An assignment in place that needs what it overwrites
//! records it; so where one of these does not, its adjoint reads the result ([`may_read_result`]). Where
//! others need what it overwrites, it is recorded, and the adjoint is the usual one. That reads the same
//! besides, so it is right either way.
//!
//! Only assignments that read what they overwrite, elsewhere the argument is as good; and only to whole
//! variables, as what is required is known of variables, not of elements.

use xaif_schema::model::{Attr, Document, ExprId, ExprKind, Part, RefId, Reference};

use booster_build::nodes_of;
use booster_facts::Storage;
use booster_linearize::{has_statement_adjoint, needed, needed_beside_result};
use booster_rules::Catalogue;

/// Whether TBR analysis may require what `lhs = rhs` leaves, in the place of what it overwrites; then
/// what else its adjoint reads, with the values before it.
pub(crate) fn requires_result(
    doc: &Document,
    storage: &Storage,
    catalogue: &Catalogue,
    (lhs, rhs): (RefId, ExprId),
    active: &mut dyn FnMut(RefId) -> bool,
) -> Option<Vec<RefId>> {
    let whole = storage.kills(doc, lhs) || are_elements(doc, lhs);
    let own = whole && stays_itself(doc, lhs) && is_plain(doc, lhs, rhs);
    if !own || !active(lhs) || has_statement_adjoint(doc, catalogue, rhs) {
        return None;
    }
    let (others, beside) = read_with_result(doc, storage, catalogue, (lhs, rhs), active)?;
    // What is overwritten and read elsewhere as well must be recorded all the same.
    (!beside.iter().any(|&read| touches(doc, storage, read, lhs))).then_some(others)
}

/// Whether `lhs = rhs` reads what it overwrites, and its derivative can be told by its result; then what
/// else its adjoint reads.
pub(crate) fn may_read_result(
    doc: &Document,
    storage: &Storage,
    catalogue: &Catalogue,
    (lhs, rhs): (RefId, ExprId),
    active: &mut dyn FnMut(RefId) -> bool,
) -> Option<Vec<RefId>> {
    read_with_result(doc, storage, catalogue, (lhs, rhs), active).map(|(others, _)| others)
}

/// What [`may_read_result`] gives, and what the adjoint reads where it is given the result.
fn read_with_result(
    doc: &Document,
    storage: &Storage,
    catalogue: &Catalogue,
    (lhs, rhs): (RefId, ExprId),
    active: &mut dyn FnMut(RefId) -> bool,
) -> Option<(Vec<RefId>, Vec<RefId>)> {
    if doc.refs[lhs].ty != doc.exprs[rhs].ty {
        return None;
    }
    let beside = needed_beside_result(doc, catalogue, lhs, rhs, active).ok()??;
    let before = needed(doc, catalogue, lhs, rhs, active).ok()?;
    let (own, others): (Vec<RefId>, Vec<RefId>) =
        before.into_iter().partition(|&read| touches(doc, storage, read, lhs));
    (!own.is_empty()).then_some((others, beside))
}

/// Whether two references may have storage in common. Different components of one structure have none:
/// TBR analysis, which tells them apart, does not record one for the other.
pub(crate) fn touches(doc: &Document, storage: &Storage, read: RefId, written: RefId) -> bool {
    let (one, other) = (storage.locations_of(doc, read), storage.locations_of(doc, written));
    let unknown = one.is_empty() || other.is_empty();
    unknown && doc.refs[read].base == doc.refs[written].base
        || one.iter().any(|location| other.contains(location))
}

/// Whether a reference names elements of an array that is no component: TBR analysis tells these apart.
fn are_elements(doc: &Document, lhs: RefId) -> bool {
    matches!(&doc.refs[lhs].parts[..], [Part::Elements(_)])
}

/// Whether reading a variable again gives what was assigned to it: nothing is allocated by the
/// assignment, nothing else changes it.
fn stays_itself(doc: &Document, lhs: RefId) -> bool {
    let Reference { base, parts, .. } = &doc.refs[lhs];
    let far = [Attr::Allocatable, Attr::Pointer, Attr::Volatile, Attr::Asynchronous];
    let near = |symbol| {
        let decl = doc.symbols[symbol].decl.as_deref();
        decl.is_some_and(|decl| !far.iter().any(|&attr| decl.has(attr)))
    };
    let reached = |part: &Part| match part {
        Part::Elements(_) => true,
        Part::Component { symbol, .. } => symbol.is_some_and(near),
        Part::Inquiry(_) | Part::Substring { .. } | Part::Deref => false,
    };
    near(*base) && parts.iter().all(reached)
}

/// Whether nothing is called and everything is understood.
fn is_plain(doc: &Document, lhs: RefId, rhs: ExprId) -> bool {
    let subscripts = booster_build::subscripts_of(&doc.refs[lhs]);
    nodes_of(doc, subscripts.into_iter().chain([rhs])).into_iter().all(|node| {
        match doc.exprs[node].kind {
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. } => true,
            ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => false,
        }
    })
}
