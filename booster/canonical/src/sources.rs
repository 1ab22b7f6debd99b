//! `allocate(p, source=value)` for pointers, in adjoints: ALLOCATE and an assignment.
//!
//! What is behind a pointer is released by the backward sweep as a whole; the value that it began with
//! has an adjoint of its own then. The bounds are those of Fortran 2018, 9.7.1.2: of a whole array its
//! own, of any other expression from one on.
//!
//! Left as they are: polymorphic pointers, structures with pointers or allocatable parts, and sources that call what is executed twice in this way.

use xaif_schema::model::{
    Allocate, Attr, Base, Document, ExprId, ExprKind, Part, RefId, StmtId, StmtKind, Subscript,
};

use super::Canonical;
use super::components::leaves;
use booster_build::unbounded;
use booster_build::{Copier, Emitter, assign, has_call, inquire};

impl Canonical {
    /// Adds the two statements in the place of one, if it is one of those; whether it is.
    pub(super) fn source_apart(&mut self, e: &mut Emitter<'_>, stmt: StmtId) -> bool {
        let StmtKind::Allocate(allocate) = e.doc.stmts[stmt].kind.clone() else { return false };
        let ([object], Some(source), None) =
            (&allocate.objects[..], allocate.source, allocate.stat)
        else {
            return false;
        };
        let (object, place) = (*object, e.doc.stmts[stmt].place);
        let polymorphic = |base: Base| matches!(base, Base::Class(_) | Base::ClassStar);
        let ty = e.doc.exprs[source].ty;
        // Memory that is new has nothing to be recorded; who looks at the assignment alone does not know.
        let plain = match ty.base {
            Base::Derived(symbol) => leaves(e.doc, symbol, ty.rank).is_some(),
            _ => true,
        };
        let known = plain && !polymorphic(ty.base) && !polymorphic(e.doc.refs[object].ty.base);
        let calls = has_call(e.doc, [source]);
        let pointer =
            e.doc.refs[object].entity().is_some_and(|symbol| e.doc.has(symbol, Attr::Pointer));
        if !self.apart || !pointer || !known || calls || allocate.spec.is_some() {
            return false;
        }
        let target = unbounded(e.doc, object);
        let given = e.doc.refs[target].parts.len() < e.doc.refs[object].parts.len();
        let made = Copier::new().reference(e.doc, object);
        if !given && ty.rank > 0 {
            let bounds: Vec<Subscript> =
                (1..=i64::from(ty.rank)).map(|number| bounds(e.doc, source, number)).collect();
            e.doc.refs[made].parts.push(Part::Elements(bounds.into_iter().collect()));
        }
        let plain = Allocate { objects: vec![made], source: None, ..(*allocate).clone() };
        e.stmt(StmtKind::Allocate(Box::new(plain)), place);
        let value = assign(e.doc, target, source, place);
        self.changed = true;
        self.statement(e, value);
        true
    }
}

/// The bounds of one dimension that a source gives.
fn bounds(doc: &mut Document, source: ExprId, number: i64) -> Subscript {
    let mut ask = |name: &str| {
        let array = Copier::new().expr(doc, source);
        inquire(doc, name, array, number)
    };
    let upper = ask("ubound");
    let size = ask("size");
    let lower = ask("lbound");
    let whole = match doc.exprs[source].kind {
        ExprKind::Ref(reference) => !doc.exprs[source].parens && is_whole(doc, reference),
        _ => false,
    };
    match whole {
        true => Subscript::Section { lower: Some(lower), upper: Some(upper), stride: None },
        false => Subscript::Index(size),
    }
}

/// Whether a reference names a whole array, the component of one structure included.
fn is_whole(doc: &Document, reference: RefId) -> bool {
    let reference = &doc.refs[reference];
    let mut ranks = reference.parts.iter().rev().map(|part| match part {
        Part::Component { symbol, .. } => symbol.and_then(|s| doc.symbols[s].rank).unwrap_or(0),
        Part::Elements(_) | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => 0,
    });
    let last = ranks.next().or(doc.symbols[reference.base].rank).unwrap_or(0);
    last == reference.ty.rank
}
