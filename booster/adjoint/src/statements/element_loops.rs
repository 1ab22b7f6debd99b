//! Adjoints of assignments that take statements: PRODUCT, MAXVAL, MINVAL, constructors with implied
//! DOs; and adjoints through vector subscripts, which may name an element twice.

use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{Document, ExprId, Place, RefId, Ty};

use crate::body::Adjoint;
use crate::queries::temporaries::temporary;
use crate::statements::assign::{Overlap, sum};
use booster_build::{Copier, Emitter, has_vector_subscript, same_reference, value_of};
use booster_linearize::{Contribution, Scratch, add_by_elements, statement_adjoint};
use booster_shadow::derivative::Direction;

impl Adjoint<'_> {
    /// The adjoint of `lhs = rhs`, where `own` is the adjoint of `lhs`.
    pub(crate) fn adjoint_by_statements(
        &mut self,
        e: &mut Emitter<'_>,
        (lhs, rhs): (RefId, ExprId),
        (own, reshapes): (RefId, bool),
        place: Place,
    ) -> Result<(), Diagnostic> {
        let aside = self.overlap(e.doc, lhs, rhs) != Overlap::None;
        let seed = if aside { self.set_aside(e, own, place) } else { own };
        if aside {
            self.begin_anew(e, lhs, own, reshapes)?;
        }
        let mut scratch = std::mem::take(&mut self.tools.scratch);
        let found = self.statements(e, rhs, seed, place, &mut scratch);
        self.tools.scratch = scratch;
        found?;
        if aside {
            self.drop_aside(e, seed);
            return Ok(());
        }
        self.begin_anew(e, lhs, own, reshapes)
    }

    /// The adjoint `own` of what was overwritten is zero; where its variable has got its old shape back, it has that.
    fn begin_anew(
        &mut self,
        e: &mut Emitter<'_>,
        lhs: RefId,
        own: RefId,
        reshapes: bool,
    ) -> Result<(), Diagnostic> {
        if reshapes {
            return self.renew(e, lhs);
        }
        let target = Copier::new().reference(e.doc, own);
        self.tools.zero(e, target)
    }

    fn statements(
        &self,
        e: &mut Emitter<'_>,
        rhs: ExprId,
        seed: RefId,
        place: Place,
        scratch: &mut Scratch,
    ) -> Result<(), Diagnostic> {
        let tools = &self.tools;
        let scope = tools.scope(e.doc);
        let wish = format!("temp{}", tools.suffix);
        let mut active = |doc: &mut Document, reference: RefId| tools.is_active(doc, reference);
        let mut temporary = |doc: &mut Document, ty: Ty| temporary(doc, scope, &wish, ty, place);
        let mut own = Scratch::default();
        let mut add =
            |e: &mut Emitter<'_>, one: Contribution| self.add(e, vec![one], place, &mut own);
        let value = value_of(e.doc, seed);
        statement_adjoint(
            e,
            tools.catalogue,
            rhs,
            value,
            &mut active,
            &mut temporary,
            &mut add,
            scratch,
        )?;
        Ok(())
    }

    /// `xb = xb + a - b` for all contributions to the adjoint of `x`, reference by reference.
    pub(crate) fn add(
        &self,
        e: &mut Emitter<'_>,
        mut contributions: Vec<Contribution>,
        place: Place,
        scratch: &mut Scratch,
    ) -> Result<(), Diagnostic> {
        while let Some((target, mine)) = next_target(e.doc, &mut contributions) {
            let Some(adjoint) = self.tools.shadow(e.doc, target, Direction::All) else { continue };
            if has_vector_subscript(e.doc, adjoint) {
                if let Some(value) = sum(e.doc, None, mine) {
                    add_by_elements(e, adjoint, value, false, scratch)?;
                }
                continue;
            }
            let old = Copier::new().reference(e.doc, adjoint);
            let old = value_of(e.doc, old);
            if let Some(value) = sum(e.doc, Some(old), mine) {
                e.assign(adjoint, value, place);
            }
        }
        Ok(())
    }
}

/// Takes what the first of the targets gets out of `contributions`. A reference whose subscripts call
/// a function is not even the same as itself.
pub(crate) fn next_target(
    doc: &Document,
    contributions: &mut Vec<Contribution>,
) -> Option<(RefId, Vec<Contribution>)> {
    let first = *contributions.first()?;
    let (mut mine, mut rest) = (vec![first], Vec::new());
    for one in contributions.drain(..).skip(1) {
        let list =
            if same_reference(doc, one.target, first.target) { &mut mine } else { &mut rest };
        list.push(one);
    }
    *contributions = rest;
    Some((first.target, mine))
}
