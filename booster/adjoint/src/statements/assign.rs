//! Adjoints of assignments.
//!
//! `y = f(x, z)` becomes `xb = xb + df/dx*yb`, `zb = zb + df/dz*yb`, `yb = 0`. Where the right-hand
//! side reads what is overwritten (`y = y*z`) the adjoint of `y` is overwritten last, `yb = z*yb`;
//! where it may read it, as two elements of one array may be the same, the adjoint of the left-hand
//! side is set aside and set to zero first (Griewank and Walther, "Evaluating Derivatives", section
//! 3.3: incremental and nonincremental adjoints).

use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{
    Attr, Base, Document, ExprId, ExprKind, Place, RefId, Reference, StmtId, StmtKind, Ty,
    TypeClass,
};

use crate::body::Adjoint;
use crate::queries::result_partials::{may_read_result, touches};
use crate::queries::temporaries::{is_polymorphic, spec_of_structure, temporary};
use booster_build::{Copier, Emitter, binary, negate, same_reference, value_of, whole};
use booster_facts::dependence::{Seen, apart};
use booster_facts::loops::offset;
use booster_linearize::{Contribution, adjoint_of, convert, has_statement_adjoint};
use booster_shadow::derivative::Direction;
use booster_tangent::reads::references;

/// What the active references of the right-hand side have to do with the left-hand side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Overlap {
    /// Nothing.
    None,
    /// Some are the left-hand side itself, the others have nothing to do with it.
    Same,
    /// Some may touch it.
    Perhaps,
}

impl Adjoint<'_> {
    /// The mirror of the statement `lhs = rhs`.
    pub(crate) fn mirror_assign(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        lhs: RefId,
        rhs: ExprId,
    ) -> Result<(), Diagnostic> {
        self.restore(e, stmt)?;
        let result = self.reads_result(e.doc, stmt, lhs, rhs).then_some(lhs);
        self.adjoint_assign(e, stmt, (lhs, rhs), result)
    }

    /// Whether the adjoint of the statement reads what it leaves: it overwrites what it reads, and TBR
    /// analysis says that this is not recorded.
    fn reads_result(&self, doc: &Document, stmt: StmtId, lhs: RefId, rhs: ExprId) -> bool {
        let (storage, catalogue) = (&self.storage, self.tools.catalogue);
        let Some(recorded) = &doc.stmts[stmt].recorded else { return false };
        // What is not executed leaves nothing.
        if !doc.stmts[stmt].adjoint_live {
            return false;
        }
        let mut active = |reference: RefId| self.is_active(doc, reference);
        !recorded.iter().any(|&name| touches(doc, storage, name, lhs))
            && may_read_result(doc, storage, catalogue, (lhs, rhs), &mut active).is_some()
    }

    /// The adjoint of `lhs = rhs`; `result` has the value of `rhs`, if that is given.
    pub(crate) fn adjoint_assign(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        (lhs, rhs): (RefId, ExprId),
        result: Option<RefId>,
    ) -> Result<(), Diagnostic> {
        // A step of a propagator assigns no value: what it is for has its shape.
        let assigns = !matches!(e.doc.stmts[stmt].kind, StmtKind::Propagate(_));
        let reshapes = assigns && self.reshapes(e.doc, lhs, rhs);
        if !self.is_active(e.doc, lhs) {
            return if reshapes { self.follow(e, lhs) } else { Ok(()) };
        }
        if let Base::Derived(_) | Base::Class(_) = e.doc.refs[lhs].ty.base {
            return self.adjoint_structure(e, lhs, rhs);
        }
        let place = e.doc.stmts[stmt].place;
        let Some(own) = self.tools.shadow(e.doc, lhs, Direction::All) else { return Ok(()) };
        if has_statement_adjoint(e.doc, self.tools.catalogue, rhs) {
            return self.adjoint_by_statements(e, (lhs, rhs), (own, reshapes), place);
        }
        if reshapes {
            return self.adjoint_reshaping(e, lhs, rhs, own);
        }
        let overlap = self.overlap(e.doc, lhs, rhs);
        let seed = match overlap {
            Overlap::None | Overlap::Same => own,
            Overlap::Perhaps => self.set_aside(e, own, place),
        };
        let lhs_ty = e.doc.refs[lhs].ty;
        let contributions = self.contributions(e, rhs, (seed, result), lhs_ty, place)?;
        let (same, others): (Vec<Contribution>, Vec<Contribution>) = contributions
            .into_iter()
            .partition(|one| overlap != Overlap::None && same_reference(e.doc, one.target, lhs));
        // What may be the left-hand side itself is added to what that has become.
        let (before, behind) = match overlap {
            Overlap::Perhaps => (Vec::new(), others),
            Overlap::None | Overlap::Same => (others, Vec::new()),
        };
        self.accumulate(e, before, place)?;
        self.become_sum(e, own, seed, same)?;
        self.accumulate(e, behind, place)?;
        if overlap == Overlap::Perhaps {
            self.drop_aside(e, seed);
        }
        Ok(())
    }

    /// What the active references of `rhs` get, where `seed` is the adjoint of its value and `result`
    /// that value, if it is given; what that needs is computed.
    pub(crate) fn contributions(
        &mut self,
        e: &mut Emitter<'_>,
        rhs: ExprId,
        (seed, result): (RefId, Option<RefId>),
        lhs_ty: Ty,
        place: Place,
    ) -> Result<Vec<Contribution>, Diagnostic> {
        let tools = &self.tools;
        let value = value_of(e.doc, seed);
        let result = result.map(|result| {
            let copy = Copier::new().reference(e.doc, result);
            value_of(e.doc, copy)
        });
        let scope = tools.scope(e.doc);
        let wish = format!("temp{}", tools.suffix);
        let mut active = |doc: &mut Document, reference: RefId| tools.is_active(doc, reference);
        let mut temporary = |doc: &mut Document, ty: Ty| temporary(doc, scope, &wish, ty, place);
        let given = (value, result);
        let found =
            adjoint_of(e.doc, tools.catalogue, rhs, given, lhs_ty, &mut active, &mut temporary)?;
        for (symbol, value) in found.temporaries {
            let target = whole(e.doc, symbol, place);
            e.assign(target, value, place);
        }
        Ok(found.contributions)
    }

    /// `yb = a - b`, what the left-hand side gets as a part of the right-hand side; zero if it is
    /// none.
    fn become_sum(
        &mut self,
        e: &mut Emitter<'_>,
        own: RefId,
        seed: RefId,
        same: Vec<Contribution>,
    ) -> Result<(), Diagnostic> {
        let target = Copier::new().reference(e.doc, own);
        let Some(sum) = sum(e.doc, None, same) else { return self.tools.zero(e, target) };
        // `y = y + x`: the adjoint of `y` stays what it is.
        let unchanged = matches!(e.doc.exprs[sum].kind, ExprKind::Ref(found)
            if same_reference(e.doc, found, seed));
        if !unchanged {
            let place = e.doc.refs[own].place;
            e.assign(target, sum, place);
        }
        Ok(())
    }

    /// `xb = xb + a - b` for all contributions to the adjoint of `x`, reference by reference.
    pub(crate) fn accumulate(
        &mut self,
        e: &mut Emitter<'_>,
        contributions: Vec<Contribution>,
        place: Place,
    ) -> Result<(), Diagnostic> {
        let mut scratch = std::mem::take(&mut self.tools.scratch);
        let done = self.add(e, contributions, place, &mut scratch);
        self.tools.scratch = scratch;
        done
    }

    pub(crate) fn overlap(&self, doc: &Document, lhs: RefId, rhs: ExprId) -> Overlap {
        let written = self.storage.locations_of(doc, lhs);
        let relation = |reference: RefId| {
            if !self.is_active(doc, reference) {
                Overlap::None
            } else if same_reference(doc, reference, lhs) {
                Overlap::Same
            } else if self.touches(doc, reference, lhs, &written) {
                Overlap::Perhaps
            } else {
                Overlap::None
            }
        };
        references(doc, rhs).into_iter().map(relation).max().unwrap_or(Overlap::None)
    }

    pub(crate) fn touches(
        &self,
        doc: &Document,
        reference: RefId,
        lhs: RefId,
        written: &[booster_facts::LocationId],
    ) -> bool {
        let locations = self.storage.locations_of(doc, reference);
        let unknown = locations.is_empty() || written.is_empty();
        let same_base = doc.refs[reference].base == doc.refs[lhs].base;
        let may = if unknown {
            same_base
        } else {
            locations.iter().any(|location| written.contains(location))
        };
        let apart = || {
            let seen = |reference| Seen { reference, around: &self.context.loops_here };
            let shared = self.context.loops_here.len();
            distinct_elements(doc, reference, lhs)
                || apart(doc, seen(reference), seen(lhs), shared, &self.context.invariants)
        };
        may && !(same_base && apart())
    }

    /// A variable that holds the value of `own`: a new one.
    pub(crate) fn set_aside(&mut self, e: &mut Emitter<'_>, own: RefId, place: Place) -> RefId {
        self.copied(e, own, "old", place)
    }

    /// A new variable, named after `wish`, that holds the value of the adjoint `own`.
    pub(crate) fn copied(
        &mut self,
        e: &mut Emitter<'_>,
        own: RefId,
        wish: &str,
        place: Place,
    ) -> RefId {
        let Reference { ty, .. } = e.doc.refs[own];
        let scope = self.scope(e.doc);
        let wish = format!("{wish}{}", self.tools.suffix);
        let symbol = temporary(e.doc, scope, &wish, ty, place);
        if let Some(spec) = spec_of_structure(e.doc, own)
            && let Some(decl) = e.doc.symbols[symbol].decl.as_deref_mut()
        {
            decl.spec = spec;
            if is_polymorphic(ty.base) {
                decl.attrs.insert(Attr::Allocatable);
            }
            e.doc.symbols[symbol].class = TypeClass::Opaque;
        }
        // A procedure may handle components of a type that it has no name for.
        if let Base::Derived(owner) | Base::Class(owner) = ty.base {
            self.tools.import(e.doc, owner);
        }
        let target = whole(e.doc, symbol, place);
        let value = Copier::new().reference(e.doc, own);
        let value = value_of(e.doc, value);
        if ty.rank > 0 || is_polymorphic(ty.base) {
            e.allocate_like(target, value, place);
        } else {
            e.assign(target, value, place);
        }
        whole(e.doc, symbol, place)
    }

    /// The end of what was set aside.
    pub(crate) fn drop_aside(&self, e: &mut Emitter<'_>, aside: RefId) {
        let Reference { ty, place, .. } = e.doc.refs[aside];
        let allocated = e.doc.has(e.doc.refs[aside].base, Attr::Allocatable);
        if ty.rank > 0 || allocated || is_polymorphic(ty.base) {
            let object = Copier::new().reference(e.doc, aside);
            e.release(object, place);
        }
    }
}

/// Whether two references to elements of one array differ in a subscript that is a constant in both,
/// or in a constant that is added to the same variable.
fn distinct_elements(doc: &Document, a: RefId, b: RefId) -> bool {
    use xaif_schema::model::{Part, Subscript};
    let (a, b) = (&doc.refs[a], &doc.refs[b]);
    let ([Part::Elements(a)], [Part::Elements(b)]) = (&a.parts[..], &b.parts[..]) else {
        return false;
    };
    a.iter().zip(b).any(|pair| match pair {
        (Subscript::Index(a), Subscript::Index(b)) => match (offset(doc, *a), offset(doc, *b)) {
            (Some((a, from)), Some((b, to))) => a == b && from != to,
            _ => false,
        },
        _ => false,
    })
}

/// What a variable of lower precision gets is converted in so many words, as compilers warn of it
/// otherwise.
fn narrowed(doc: &mut Document, value: ExprId, base: Base) -> ExprId {
    match (doc.exprs[value].ty.base, base) {
        (Base::Real(from), Base::Real(to)) | (Base::Complex(from), Base::Complex(to))
            if from > to =>
        {
            convert(doc, value, base)
        }
        _ => value,
    }
}

/// `first + a - b …`; `None` where there is nothing to add.
pub(crate) fn sum(
    doc: &mut Document,
    first: Option<ExprId>,
    list: Vec<Contribution>,
) -> Option<ExprId> {
    let mut total = first;
    for Contribution { value, negative, target } in list {
        let value = narrowed(doc, value, doc.refs[target].ty.base);
        total = Some(match (total, negative) {
            (Some(total), false) => binary(doc, "add_scal_scal", total, value),
            (Some(total), true) => binary(doc, "sub_scal_scal", total, value),
            (None, false) => value,
            (None, true) => negate(doc, value),
        });
    }
    total
}
