//! The derivative of a reference: the same parts of the derivative object.

use smallvec::SmallVec;
use xaif_schema::model::{Base, Document, Part, RefId, Reference, Subscript, Ty};

use super::{Counterparts, Direction};
use booster_build::Copier;

impl Counterparts {
    /// Whether what `reference` names can have a derivative: it is continuous, and its base has a
    /// derivative object.
    pub fn is_active(&self, doc: &Document, reference: RefId) -> bool {
        self.has_derivative(&doc.refs[reference])
    }

    /// The same of a reference that no document holds.
    pub fn has_derivative(&self, reference: &Reference) -> bool {
        let Reference { base, ty, parts, .. } = reference;
        let carries = self.types.carries(ty.base) || ty.base == Base::ClassStar;
        carries && !asks_only(parts) && self.variables.get(*base).is_some()
    }

    /// The derivative reference of a reference: the same parts, the base replaced. `None` where the
    /// base has no derivative or what is referred to is not continuous.
    ///
    /// With several directions the leading subscript of the base is as `direction` says. Where a
    /// component of array type stands behind it, [`Direction::All`] has no meaning in the language
    /// ([`Counterparts::takes_all`] tells).
    pub fn reference(
        &self,
        doc: &mut Document,
        reference: RefId,
        direction: Direction,
    ) -> Option<RefId> {
        if !self.is_active(doc, reference) {
            return None;
        }
        let derivative = self.variable(doc.refs[reference].base)?;
        let copy = Copier::new().reference(doc, reference);
        doc.refs[copy].base = derivative;
        doc.refs[copy].active = Some(false);
        if self.directions.is_some() {
            self.lead(doc, copy, direction);
        }
        Some(copy)
    }

    /// Whether the derivatives of `reference` in all directions can be named at once: at most one
    /// part of a reference may be an array, and nothing allocatable may stand behind it.
    pub fn takes_all(&self, doc: &Document, reference: RefId) -> bool {
        if self.directions.is_none() {
            return true;
        }
        let parts = &doc.refs[reference].parts;
        let Some(component) = parts.iter().position(|p| matches!(p, Part::Component { .. })) else {
            return true;
        };
        let scalar = parts.iter().skip(component).all(|part| match part {
            Part::Elements(list) => list.iter().all(|one| match one {
                Subscript::Index(index) => doc.exprs[*index].ty.rank == 0,
                Subscript::Section { .. } => false,
            }),
            Part::Component { symbol, .. } => symbol.is_some_and(|symbol| {
                let symbol = &doc.symbols[symbol];
                let indirect = symbol.decl.as_ref().is_some_and(|decl| {
                    use xaif_schema::model::Attr;
                    decl.has(Attr::Allocatable) || decl.has(Attr::Pointer)
                });
                !indirect
            }),
            Part::Inquiry(_) => true,
            Part::Substring { .. } | Part::Deref => false,
        });
        scalar && doc.refs[reference].ty.rank == 0
    }

    /// Adds the leading subscript to a reference to a derivative object.
    fn lead(&self, doc: &mut Document, reference: RefId, direction: Direction) {
        let Reference { base, place, ty, .. } = doc.refs[reference];
        let whole = Subscript::Section { lower: None, upper: None, stride: None };
        let leading = match direction {
            Direction::All => whole,
            Direction::One(number) => Subscript::Index(Copier::new().expr(doc, number)),
        };
        let rank = doc.symbols[base].rank.unwrap_or(1).saturating_sub(1);
        let mut parts = std::mem::take(&mut doc.refs[reference].parts);
        match parts.first_mut() {
            Some(Part::Elements(list)) => list.insert(0, leading),
            None if direction == Direction::All => {}
            Some(_) | None => {
                let mut list = vec![leading];
                list.extend((0..rank).map(|_| whole));
                let mut led: SmallVec<[Part; 1]> = SmallVec::new();
                led.push(Part::Elements(list));
                led.append(&mut parts);
                parts = led;
            }
        }
        let data = &mut doc.refs[reference];
        (data.parts, data.place) = (parts, place);
        if direction == Direction::All {
            data.ty = Ty { base: ty.base, rank: ty.rank.saturating_add(1) };
        }
    }
}

/// `x%kind` and the like ask for what has no derivative.
fn asks_only(parts: &[Part]) -> bool {
    match parts.last() {
        Some(Part::Inquiry(what)) => !matches!(&**what, "re" | "im"),
        Some(Part::Substring { .. }) => true,
        Some(Part::Elements(_) | Part::Component { .. } | Part::Deref) | None => false,
    }
}
