//! Derivatives set to zero.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Attr, Base, Document, ExprId, Part, Place, RefId, Reference, ScopeId, StmtId, Subscript,
    SymbolId, Ty,
};

use super::body::Tangent;
use booster_build::{
    Copier, Emitter, assign, component_of, exists, inquire, integer, intrinsic, new_variable, real,
    size_along, value_of, whole,
};
use booster_linearize::{At, element_of};

impl Tangent<'_> {
    /// Sets a derivative object (with whatever selects a direction) to zero: a number, an array, or
    /// all continuous components of a structure. An allocatable component is set to zero if it is
    /// allocated; what a pointer component points to is somebody else's.
    ///
    /// # Errors
    /// A structure whose components are not known here.
    pub fn zero(&mut self, e: &mut Emitter<'_>, object: RefId) -> Result<(), Diagnostic> {
        self.zero_to(e, object, Pointees::Kept)
    }

    fn zero_to(
        &mut self,
        e: &mut Emitter<'_>,
        object: RefId,
        pointees: Pointees,
    ) -> Result<(), Diagnostic> {
        let Reference { ty, place, .. } = e.doc.refs[object];
        match ty.base {
            Base::Real(_) | Base::Complex(_) => {
                let zero = zero(e.doc, ty.base, place);
                e.assign(object, zero, place);
                Ok(())
            }
            Base::Derived(owner) => self.zero_structure(e, object, owner, pointees),
            Base::Class(owner) if self.has_no_extension(owner) => {
                self.zero_structure(e, object, owner, pointees)
            }
            Base::Class(owner) => {
                let types = self.types_of_class(e.doc, owner);
                let selection = self.open_types(e, object, &types)?;
                for ty in types {
                    let object = selection.arm(e, ty);
                    self.zero_structure(e, object, ty, pointees)?;
                }
                selection.close(e);
                Ok(())
            }
            Base::ClassStar | Base::TypeStar => Err(self.error(
                e.doc,
                Code::DERIVATIVE_REFUSED,
                place,
                "the derivative of this object must be set to zero here, but what it consists of is \
                 known only as the program runs",
                "assign its components one by one",
            )),
            Base::Unknown
            | Base::Void
            | Base::Integer(_)
            | Base::Unsigned(_)
            | Base::Logical(_)
            | Base::Character(_)
            | Base::Procedure
            | Base::Pointer(_) => Ok(()),
        }
    }

    /// Whether no type of the program extends `owner`.
    pub fn has_no_extension(&self, owner: SymbolId) -> bool {
        self.parts.types.with_extensions(owner).len() == 1
    }

    /// Sets the continuous components of a structure, or of each structure of an array, to zero.
    fn zero_structure(
        &mut self,
        e: &mut Emitter<'_>,
        object: RefId,
        owner: SymbolId,
        pointees: Pointees,
    ) -> Result<(), Diagnostic> {
        self.refuse_endless(e.doc, owner, e.doc.refs[object].place)?;
        let components: Vec<SymbolId> = e
            .doc
            .data_components(owner)
            .into_iter()
            .filter(|&component| {
                let decl = e.doc.symbols[component].decl.as_ref();
                decl.is_some_and(|decl| self.parts.types.carries(decl.spec.base()))
                    && (pointees == Pointees::Zero || !e.doc.has(component, Attr::Pointer))
            })
            .collect();
        let rank = e.doc.refs[object].ty.rank;
        let simple = components.iter().all(|&component| {
            let symbol = &e.doc.symbols[component];
            symbol.rank.unwrap_or(0) == 0
                && !e.doc.has(component, Attr::Allocatable)
                && !e.doc.has(component, Attr::Pointer)
                && symbol.decl.as_ref().is_some_and(|decl| decl.spec.base().is_continuous())
        });
        if rank == 0 || simple {
            return self.zero_components(e, object, &components, pointees);
        }
        let element = self.open_elements(e, object, false)?;
        let done = self.zero_components(e, element, &components, pointees);
        (0..rank).for_each(|_| e.close_do());
        done
    }

    fn zero_components(
        &mut self,
        e: &mut Emitter<'_>,
        object: RefId,
        components: &[SymbolId],
        pointees: Pointees,
    ) -> Result<(), Diagnostic> {
        for &component in components {
            let part = component_of(e.doc, object, component);
            let place = e.doc.refs[part].place;
            let guard = match () {
                () if e.doc.has(component, Attr::Allocatable) => Some("allocated"),
                () if e.doc.has(component, Attr::Pointer) => Some("associated"),
                () => None,
            };
            if guard.is_some() && self.fresh {
                continue;
            }
            if let Some(name) = guard {
                let condition = exists(e.doc, part, name);
                e.open_if(condition, place);
            }
            let done = self.zero_to(e, part, pointees);
            if guard.is_some() {
                e.close_if();
            }
            done?;
        }
        Ok(())
    }

    /// Refuses code that goes through the components of a type that holds allocatable objects of its own:
    /// it would have no end.
    pub fn refuse_endless(
        &self,
        doc: &Document,
        owner: SymbolId,
        place: Place,
    ) -> Result<(), Diagnostic> {
        if !self.parts.types.is_endless(owner) {
            return Ok(());
        }
        Err(self.error(
            doc,
            Code::DERIVATIVE_REFUSED,
            place,
            format!(
                "objects of type `{}` hold allocatable objects of their own type: how deep they go is \
                 known only as the program runs",
                doc.name(owner)
            ),
            "hold them in an array, and their numbers in place of objects",
        ))
    }

    /// Opens a loop over each dimension of the array `object`, forwards or backwards, and gives its
    /// element.
    pub fn open_elements(
        &mut self,
        e: &mut Emitter<'_>,
        object: RefId,
        backwards: bool,
    ) -> Result<RefId, Diagnostic> {
        let Reference { ty, place, .. } = e.doc.refs[object];
        let element = Copier::new().reference(e.doc, object);
        let object = Copier::new().reference(e.doc, object);
        let scope = self.scope(e.doc);
        let Some((at, given)) = array_part(e.doc, object) else {
            let positions = open_positions(e, scope, object, backwards);
            let like = value_of(e.doc, object);
            return element_of(e.doc, object, &positions, like);
        };
        let mut list = given.clone();
        for (index, subscript) in list.iter_mut().enumerate().rev() {
            let Subscript::Section { lower, upper, stride: _ } = *subscript else { continue };
            let dimension = i64::try_from(index + 1).unwrap_or(i64::MAX);
            let mut bound = |name: &str| {
                let array = Copier::new().reference(e.doc, object);
                e.doc.refs[array].parts.truncate(at);
                e.doc.refs[array].ty.rank = u8::try_from(given.len()).unwrap_or(ty.rank);
                let array = value_of(e.doc, array);
                inquire(e.doc, name, array, dimension)
            };
            let lower = lower.unwrap_or_else(|| bound("lbound"));
            let upper = upper.unwrap_or_else(|| bound("ubound"));
            let counter = new_variable(e.doc, scope, "i", Base::Integer(4), place);
            let ends = if backwards { (upper, lower) } else { (lower, upper) };
            e.open_do(counter, ends, backwards, place);
            let counter = whole(e.doc, counter, place);
            *subscript = Subscript::Index(value_of(e.doc, counter));
        }
        let reference = &mut e.doc.refs[element];
        reference.ty.rank = 0;
        match reference.parts.get_mut(at) {
            Some(Part::Elements(old)) => *old = list,
            Some(_) | None => reference.parts.insert(at, Part::Elements(list)),
        }
        Ok(element)
    }

    /// The statement that sets a number or an array of numbers to zero; `None` for structures.
    pub fn zero_statement(&self, doc: &mut Document, object: RefId) -> Option<StmtId> {
        let Reference { ty, place, .. } = doc.refs[object];
        ty.base.is_continuous().then(|| {
            let zero = zero(doc, ty.base, place);
            assign(doc, object, zero, place)
        })
    }

    /// Sets a derivative object to zero if it exists: an allocatable that is not allocated and an
    /// OPTIONAL argument that is absent have nothing to be set.
    pub fn zero_if_there(&mut self, e: &mut Emitter<'_>, object: RefId) -> Result<(), Diagnostic> {
        self.zero_guarded(e, object, Pointees::Kept)
    }

    /// As [`zero_if_there`](Self::zero_if_there), and what pointer components point to is set to zero as well.
    pub fn zero_with_pointees(
        &mut self,
        e: &mut Emitter<'_>,
        object: RefId,
    ) -> Result<(), Diagnostic> {
        self.zero_guarded(e, object, Pointees::Zero)
    }

    fn zero_guarded(
        &mut self,
        e: &mut Emitter<'_>,
        object: RefId,
        pointees: Pointees,
    ) -> Result<(), Diagnostic> {
        let guards = guards(e.doc, object);
        open_guards(e, object, &guards);
        let done = self.zero_to(e, object, pointees);
        guards.iter().for_each(|_| e.close_if());
        done
    }
}

/// What happens to the targets of pointer components when a structure is set to zero.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pointees {
    /// They stay: they are somebody else's.
    Kept,
    /// They are set to zero as well.
    Zero,
}

/// The inquiries that tell, one after the other, whether there is an object that may not exist: what is not given
/// cannot be asked for its allocation.
pub fn guards(doc: &Document, object: RefId) -> Vec<&'static str> {
    let symbol = doc.refs[object].whole_entity();
    let asked = [
        (Attr::Optional, "present"),
        (Attr::Allocatable, "allocated"),
        (Attr::Pointer, "associated"),
    ];
    let is = |attr: Attr| symbol.is_some_and(|symbol| doc.has(symbol, attr));
    asked.into_iter().filter(|&(attr, _)| is(attr)).map(|(_, name)| name).collect()
}

/// Opens what is executed only where `object` exists, as [`guards`] tell it; each is to be closed.
pub fn open_guards(e: &mut Emitter<'_>, object: RefId, guards: &[&str]) {
    let place = e.doc.refs[object].place;
    for name in guards {
        let condition = exists(e.doc, object, name);
        e.open_if(condition, place);
    }
}

/// Opens a loop over the positions, from 1, in each dimension of an array, forwards or backwards:
/// where strides and vector subscripts say which element that is.
pub fn open_positions(
    e: &mut Emitter<'_>,
    scope: ScopeId,
    array: RefId,
    backwards: bool,
) -> Vec<At> {
    let Reference { ty, place, .. } = e.doc.refs[array];
    let mut positions = Vec::with_capacity(usize::from(ty.rank));
    for dimension in (1..=i64::from(ty.rank)).rev() {
        let all = Copier::new().reference(e.doc, array);
        let all = value_of(e.doc, all);
        let size = size_along(e.doc, all, dimension);
        let one = integer(e.doc, 1, place);
        let counter = new_variable(e.doc, scope, "i", Base::Integer(4), place);
        let ends = if backwards { (size, one) } else { (one, size) };
        e.open_do(counter, ends, backwards, place);
        positions.push(At::Variable(counter));
    }
    positions.reverse();
    positions
}

/// A scalar zero of a type.
pub fn zero(doc: &mut Document, base: Base, place: Place) -> ExprId {
    match base {
        Base::Complex(bytes) => {
            let parts = [0, 1].map(|_| real(doc, "0", Base::Real(bytes), place));
            intrinsic(doc, "complex_literal", &parts, Ty::scalar(base))
        }
        _ => real(doc, "0", base, place),
    }
}

/// Where in the parts of a reference to an array its subscripts stand or would stand, and which they
/// are: whole dimensions for a whole array. `None` for strides and vector subscripts.
fn array_part(doc: &Document, object: RefId) -> Option<(usize, Vec<Subscript>)> {
    let Reference { base, parts, .. } = &doc.refs[object];
    let mut entity = Some(*base);
    for at in 0..=parts.len() {
        if let Some(Part::Elements(list)) = parts.get(at) {
            if list.iter().any(|one| matches!(one, Subscript::Section { .. })) {
                let plain = list.iter().all(|one| match *one {
                    Subscript::Index(index) => doc.exprs[index].ty.rank == 0,
                    Subscript::Section { stride, .. } => stride.is_none(),
                });
                return plain.then(|| (at, list.clone()));
            }
            entity = None;
            continue;
        }
        let rank = entity.map_or(0, |entity| doc.symbols[entity].rank.unwrap_or(0));
        if rank > 0 {
            let all = Subscript::Section { lower: None, upper: None, stride: None };
            return Some((at, vec![all; usize::from(rank)]));
        }
        entity = match parts.get(at) {
            Some(Part::Component { symbol, .. }) => *symbol,
            Some(_) | None => None,
        };
    }
    None
}
