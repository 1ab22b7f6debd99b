//! Array components as actual arguments with several directions: the derivatives of `v%a` in all
//! directions stand in `vd(1)%a`, `vd(2)%a`, … and are no array, so they are gathered in one before the
//! call and put back behind it.
//!
//! Not done: allocatable, pointer and OPTIONAL dummy arguments; what is associated with the argument
//! beyond the call (a pointer in the callee).

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Allocate, ArgValue, Attr, Base, Dim, Document, ExprKind, Intent, Part, Place, RefId, StmtKind,
    Subscript, SymbolId,
};

use super::body::Tangent;
use super::call::may_write;
use booster_build::{Copier, Emitter, integer, new_variable, value_of, whole};
use booster_shadow::derivative::Direction;

/// A gathered array that must be put back behind the call.
#[derive(Debug)]
pub(super) struct Gathered {
    array: SymbolId,
    /// The component, as the original has it.
    component: RefId,
    written: bool,
}

/// How a component stands in a reference.
struct Shape {
    /// The number of parts up to the component that is an array.
    parts: usize,
    /// Whether there are subscripts behind it.
    subscripts: bool,
}

impl Tangent<'_> {
    /// Gathers the derivatives of an array component, and gives the actual argument that stands for
    /// them. `begins`: the reference is an element that stands for the array that begins with it.
    pub(super) fn gather(
        &mut self,
        e: &mut Emitter<'_>,
        reference: RefId,
        dummy: Option<SymbolId>,
        begins: bool,
        place: Place,
    ) -> Result<RefId, Diagnostic> {
        let special = [Attr::Allocatable, Attr::Pointer, Attr::Optional];
        let special = dummy.is_some_and(|dummy| special.iter().any(|&a| e.doc.has(dummy, a)));
        // What is gathered has one type in all directions, which a declaration must tell.
        let special =
            special || matches!(e.doc.refs[reference].ty.base, Base::Class(_) | Base::ClassStar);
        let (Some(shape), false) = (shape(e.doc, reference), special) else {
            return Err(self.error(
                e.doc,
                Code::SEVERAL_DIRECTIONS,
                place,
                "this component as an actual argument has no derivative in several directions at once",
                "compute one direction at a time, or copy the component to a variable",
            ));
        };
        let intent = dummy.and_then(|dummy| e.doc.symbols[dummy].decl.as_ref()?.intent);
        let component = self.fixed(e, reference, shape.parts, place);
        let array = self.new_array(e.doc, component, place);
        let object = whole(e.doc, array, place);
        let count = self.parts.directions.unwrap_or(1);
        let first = integer(e.doc, i64::from(count), place);
        self.add_bounds(e.doc, object, component, Some(first));
        let objects = vec![object];
        let allocate =
            Allocate { spec: None, objects, stat: None, errmsg: None, source: None, mold: None };
        e.stmt(StmtKind::Allocate(Box::new(allocate)), place);
        if intent != Some(Intent::Out) {
            self.each_direction(e, true, place, |this, e, direction| {
                let Some(from) = this.parts.reference(e.doc, component, direction) else {
                    return Ok(());
                };
                let to = slice(e.doc, array, direction, place);
                let from = value_of(e.doc, from);
                e.assign(to, from, place);
                Ok(())
            })?;
        }
        let written = may_write(e.doc, dummy);
        self.gathered.push(Gathered { array, component, written });
        let actual = whole(e.doc, array, place);
        let own = Copier::new().reference(e.doc, reference);
        if shape.subscripts
            && let Some(Part::Elements(mut subscripts)) = e.doc.refs[own].parts.pop()
        {
            let all = Subscript::Section { lower: None, upper: None, stride: None };
            let first = match begins {
                true => Subscript::Index(integer(e.doc, 1, place)),
                false => all,
            };
            let rank = e.doc.refs[reference].ty.rank;
            subscripts.insert(0, first);
            let data = &mut e.doc.refs[actual];
            data.parts.push(Part::Elements(subscripts));
            data.ty.rank = if begins { 0 } else { rank + 1 };
        }
        Ok(actual)
    }

    /// Puts back what was gathered for the call that has just been written.
    pub(super) fn scatter(
        &mut self,
        e: &mut Emitter<'_>,
        alternate: bool,
        place: Place,
    ) -> Result<(), Diagnostic> {
        let gathered = std::mem::take(&mut self.gathered);
        if alternate && !gathered.is_empty() {
            return Err(self.error(
                e.doc,
                Code::SEVERAL_DIRECTIONS,
                place,
                "a component is passed in a call with alternate returns, which has no derivative in \
                 several directions at once",
                "compute one direction at a time, or copy the component to a variable",
            ));
        }
        for Gathered { array, component, written } in gathered {
            if written {
                self.each_direction(e, true, place, |this, e, direction| {
                    let Some(to) = this.parts.reference(e.doc, component, direction) else {
                        return Ok(());
                    };
                    let from = slice(e.doc, array, direction, place);
                    let from = value_of(e.doc, from);
                    e.assign(to, from, place);
                    Ok(())
                })?;
            }
            let object = whole(e.doc, array, place);
            e.release(object, place);
        }
        Ok(())
    }

    /// The first parts of a reference; its subscripts are kept in variables as far as the call could
    /// change them.
    fn fixed(
        &mut self,
        e: &mut Emitter<'_>,
        reference: RefId,
        parts: usize,
        place: Place,
    ) -> RefId {
        let copy = Copier::new().reference(e.doc, reference);
        e.doc.refs[copy].parts.truncate(parts);
        let mut fixed = e.doc.refs[copy].parts.clone();
        let scope = self.scope(e.doc);
        for part in &mut fixed {
            let Part::Elements(subscripts) = part else { continue };
            for subscript in subscripts {
                let Subscript::Index(index) = subscript else { continue };
                if matches!(e.doc.exprs[*index].kind, ExprKind::Constant(_)) {
                    continue;
                }
                let kept = new_variable(e.doc, scope, "at", Base::Integer(4), place);
                let target = whole(e.doc, kept, place);
                e.assign(target, *index, place);
                let kept = whole(e.doc, kept, place);
                *index = value_of(e.doc, kept);
            }
        }
        let last = fixed.iter().rev().find_map(|part| match part {
            Part::Component { symbol, .. } => *symbol,
            _ => None,
        });
        let rank = last.map_or(0, |last| e.doc.symbols[last].rank.unwrap_or(0));
        let data = &mut e.doc.refs[copy];
        data.parts = fixed;
        data.ty.rank = rank;
        copy
    }

    /// An allocatable array with a dimension more than the component, of its type.
    fn new_array(&self, doc: &mut Document, component: RefId, place: Place) -> SymbolId {
        let component = &doc.refs[component];
        let last = component.entity().unwrap_or(component.base);
        self.array_of_directions(doc, last, place)
    }

    /// An allocatable array for the derivatives of something like a variable or component, in all
    /// directions.
    pub(super) fn array_of_directions(
        &self,
        doc: &mut Document,
        like: SymbolId,
        place: Place,
    ) -> SymbolId {
        let scope = self.scope(doc);
        let wish = format!("{}{}", doc.name(like), self.suffix);
        let spec = doc.symbols[like].decl.as_ref().map(|decl| decl.spec.clone());
        let base = spec.as_ref().map_or(Base::Unknown, |spec| spec.base());
        let array = new_variable(doc, scope, &wish, base, place);
        let structure = spec.filter(|_| matches!(base, Base::Derived(_)));
        let rank = doc.symbols[like].rank.unwrap_or(0).saturating_add(1);
        doc.symbols[array].rank = Some(rank);
        if let Some(decl) = doc.symbols[array].decl.as_deref_mut() {
            decl.dims = vec![Dim::Deferred; usize::from(rank)];
            decl.attrs.insert(Attr::Allocatable);
            decl.spec = structure.unwrap_or_else(|| decl.spec.clone());
        }
        array
    }
}

/// `array(k, :, :)`
pub(super) fn slice(
    doc: &mut Document,
    array: SymbolId,
    direction: Direction,
    place: Place,
) -> RefId {
    let slice = whole(doc, array, place);
    let Direction::One(number) = direction else { return slice };
    let all = Subscript::Section { lower: None, upper: None, stride: None };
    let rank = doc.refs[slice].ty.rank.saturating_sub(1);
    let mut subscripts = vec![Subscript::Index(Copier::new().expr(doc, number))];
    subscripts.extend((0..rank).map(|_| all));
    let data = &mut doc.refs[slice];
    data.parts.push(Part::Elements(subscripts));
    data.ty.rank = rank;
    slice
}

/// Whether a call has alternate returns.
pub(super) fn has_alternates(args: &[xaif_schema::model::Arg]) -> bool {
    args.iter().any(|arg| matches!(arg.value, ArgValue::AlternateReturn(_)))
}

/// Where the array component stands in a reference; `None` where it is not the last component or
/// something before it is an array, too.
fn shape(doc: &Document, reference: RefId) -> Option<Shape> {
    let parts = &doc.refs[reference].parts;
    let at = parts.iter().rposition(|part| matches!(part, Part::Component { .. }))?;
    let Some(Part::Component { symbol: Some(component), .. }) = parts.get(at) else { return None };
    let single = doc.symbols[*component].rank.unwrap_or(0) > 0
        && parts.iter().take(at).all(|part| match part {
            Part::Elements(list) => list.iter().all(|one| match one {
                Subscript::Index(index) => doc.exprs[*index].ty.rank == 0,
                Subscript::Section { .. } => false,
            }),
            Part::Component { symbol, .. } => symbol.is_some(),
            Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => false,
        })
        && scalars_before(doc, reference, at);
    let subscripts = match parts.get(at + 1) {
        None => false,
        Some(Part::Elements(_)) if parts.len() == at + 2 => true,
        Some(_) => return None,
    };
    single.then_some(Shape { parts: at + 1, subscripts })
}

/// Whether every array before part `at` has its subscripts.
fn scalars_before(doc: &Document, reference: RefId, at: usize) -> bool {
    let data = &doc.refs[reference];
    let rank = |symbol: SymbolId| doc.symbols[symbol].rank.unwrap_or(0);
    let indexed = |index: usize| matches!(data.parts.get(index), Some(Part::Elements(_)));
    (rank(data.base) == 0 || indexed(0))
        && data.parts.iter().take(at).enumerate().all(|(index, part)| match part {
            Part::Component { symbol: Some(symbol), .. } => {
                rank(*symbol) == 0 || indexed(index + 1)
            }
            _ => true,
        })
}
