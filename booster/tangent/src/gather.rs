//! Components as actual arguments with several directions: the derivatives of `v%a` in all directions
//! stand in `vd(1)%a`, `vd(2)%a`, … and are no array, so they are gathered in one before the call and put
//! back behind it. The array holds what is passed and nothing else: one element of a component is a number
//! for each direction. An element that stands for the array that begins with it is passed with its whole array.
//!
//! Where the dummy argument is allocatable, or optional and the component may be absent, the array is
//! allocated as the component is.
//!
//! Not done: polymorphic components, and dummy arguments that are pointers or may become targets.

use std::collections::HashSet;

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Allocate, ArgValue, Attr, Base, Dim, Document, ExprId, ExprKind, Part, Place, RefId, Role,
    ScopeKind, StmtKind, Subscript, SymbolId, TypeSpec,
};

use super::body::Tangent;
use super::call::may_write;
use booster_build::{
    Copier, Emitter, bound, exists, integer, new_variable, nodes_of, value_of, whole,
};
use booster_linearize::extent;
use booster_shadow::derivative::Direction;

/// An array of so many numbers is a variable of fixed extents, a larger one is allocated.
const FIXED: i64 = 1000;

/// A gathered array that must be put back behind the call.
#[derive(Debug)]
pub(super) struct Gathered {
    array: SymbolId,
    /// The part of the original that it stands for.
    part: RefId,
    written: bool,
    /// The array is allocated as this component is.
    guard: Option<&'static str>,
    /// The callee may allocate it anew.
    reallocated: bool,
}

/// What an actual argument is passed to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Receiver {
    /// A dummy argument, as far as it is known.
    Dummy(Option<SymbolId>),
    /// The result of a function.
    Result(Option<SymbolId>),
}

impl Receiver {
    pub(super) fn symbol(self) -> Option<SymbolId> {
        match self {
            Receiver::Dummy(symbol) | Receiver::Result(symbol) => symbol,
        }
    }
}

impl Tangent<'_> {
    /// Gathers the derivatives of a component or a part of one, and gives the actual argument that stands
    /// for them. `begins`: the reference is an element that stands for the array that begins with it.
    pub(super) fn gather(
        &mut self,
        e: &mut Emitter<'_>,
        reference: RefId,
        to: Receiver,
        begins: bool,
        place: Place,
    ) -> Result<RefId, Diagnostic> {
        self.can_be_gathered(e.doc, reference, to, place)?;
        let is = |doc: &Document, attr| to.symbol().is_some_and(|symbol| doc.has(symbol, attr));
        let guard = absent_by(e.doc, reference);
        let reallocated = is(e.doc, Attr::Allocatable);
        let guard = guard.filter(|_| reallocated || is(e.doc, Attr::Optional));
        let written = match to {
            Receiver::Dummy(dummy) => may_write(e.doc, dummy),
            Receiver::Result(_) => true,
        };
        let part = self.gathered_part(e, reference, (begins, written), place);
        let fixed = self.fixed_extents(e.doc, part).filter(|_| guard.is_none());
        let array = self.array_for(e.doc, part, fixed.as_deref(), place);
        if let Some(name) = guard {
            let there = exists(e.doc, part, name);
            e.open_if(there, place);
        }
        if fixed.is_none() {
            self.allocate_for(e, array, part, place);
        }
        // INTENT(OUT) does not mean that a callee assigns all of it, in particular not of a structure.
        let structure = matches!(e.doc.refs[part].ty.base, Base::Derived(_));
        if structure || matches!(to, Receiver::Dummy(_)) {
            self.each_direction(e, true, place, |this, e, direction| {
                let Some(from) = this.parts.reference(e.doc, part, direction) else {
                    return Ok(());
                };
                let to = slice(e.doc, array, direction, place);
                let from = value_of(e.doc, from);
                e.assign(to, from, place);
                Ok(())
            })?;
        }
        if guard.is_some() {
            e.close_if();
        }
        self.gathered.push(Gathered { array, part, written, guard, reallocated });
        let actual = whole(e.doc, array, place);
        let own = Copier::new().reference(e.doc, reference);
        if begins && let Some(Part::Elements(mut subscripts)) = e.doc.refs[own].parts.pop() {
            subscripts.insert(0, Subscript::Index(integer(e.doc, 1, place)));
            let data = &mut e.doc.refs[actual];
            data.parts.push(Part::Elements(subscripts));
            data.ty.rank = 0;
        }
        Ok(actual)
    }

    /// Refuses what no array can hold or the callee may hold on to.
    fn can_be_gathered(
        &self,
        doc: &Document,
        reference: RefId,
        to: Receiver,
        place: Place,
    ) -> Result<(), Diagnostic> {
        let attrs = [Attr::Pointer, Attr::Target];
        let kept = to.symbol().is_some_and(|symbol| attrs.iter().any(|&a| doc.has(symbol, a)));
        // What is gathered has one type in all directions, which a declaration must tell.
        let polymorphic = matches!(doc.refs[reference].ty.base, Base::Class(_) | Base::ClassStar);
        let named = doc.refs[reference].parts.iter().all(|part| match part {
            Part::Component { symbol, .. } => symbol.is_some(),
            Part::Elements(_) | Part::Inquiry(_) => true,
            Part::Substring { .. } | Part::Deref => false,
        });
        if !kept && !polymorphic && named {
            return Ok(());
        }
        Err(self.error(
            doc,
            Code::SEVERAL_DIRECTIONS,
            place,
            "this component as an actual argument has no derivative in several directions at once",
            "compute one direction at a time, or copy the component to a variable",
        ))
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
        for one in gathered {
            if one.written {
                self.put_back(e, &one, place)?;
            }
            if e.doc.has(one.array, Attr::Allocatable) {
                let object = whole(e.doc, one.array, place);
                if one.guard.is_some() {
                    let there = exists(e.doc, object, "allocated");
                    e.open_if(there, place);
                }
                e.release(object, place);
                if one.guard.is_some() {
                    e.close_if();
                }
            }
        }
        Ok(())
    }

    /// Gives each direction its derivative, where the callee has left one.
    fn put_back(
        &mut self,
        e: &mut Emitter<'_>,
        one: &Gathered,
        place: Place,
    ) -> Result<(), Diagnostic> {
        self.each_direction(e, true, place, |this, e, direction| {
            let Some(to) = this.parts.reference(e.doc, one.part, direction) else {
                return Ok(());
            };
            if one.reallocated {
                let there = exists(e.doc, to, "allocated");
                e.open_if(there, place);
                let old = Copier::new().reference(e.doc, to);
                e.release(old, place);
                e.close_if();
            }
            if one.guard.is_some() {
                let object = whole(e.doc, one.array, place);
                let there = exists(e.doc, object, "allocated");
                e.open_if(there, place);
            }
            if one.reallocated {
                allocate_as(e, to, one.array, place);
            }
            let from = slice(e.doc, one.array, direction, place);
            let from = value_of(e.doc, from);
            e.assign(to, from, place);
            if one.guard.is_some() {
                e.close_if();
            }
            Ok(())
        })
    }

    /// The part of the original whose derivatives are gathered. Where it is put back, its subscripts are kept in
    /// variables as far as the call could change them.
    fn gathered_part(
        &mut self,
        e: &mut Emitter<'_>,
        reference: RefId,
        (begins, written): (bool, bool),
        place: Place,
    ) -> RefId {
        let part = match begins {
            true => booster_build::unbounded(e.doc, reference),
            false => Copier::new().reference(e.doc, reference),
        };
        if !written {
            return part;
        }
        let mut parts = e.doc.refs[part].parts.clone();
        for one in &mut parts {
            let Part::Elements(subscripts) = one else { continue };
            for subscript in subscripts {
                match subscript {
                    Subscript::Index(index) => self.keep_index(e, index, place),
                    Subscript::Section { lower, upper, stride } => {
                        let bounds = [lower, upper, stride].into_iter().flatten();
                        bounds.for_each(|bound| self.keep_index(e, bound, place));
                    }
                }
            }
        }
        e.doc.refs[part].parts = parts;
        part
    }

    /// Keeps a subscript in a variable if the call may change it.
    fn keep_index(&self, e: &mut Emitter<'_>, index: &mut ExprId, place: Place) {
        let ty = e.doc.exprs[*index].ty;
        // What a vector subscript selects is not overwritten.
        if ty.rank > 0 || self.outlasts_call(e.doc, *index) {
            return;
        }
        let scope = self.scope(e.doc);
        let kept = new_variable(e.doc, scope, "at", ty.base, place);
        let target = whole(e.doc, kept, place);
        e.assign(target, *index, place);
        let kept = whole(e.doc, kept, place);
        *index = value_of(e.doc, kept);
    }

    /// Whether an expression has the same value behind the call that is written: it reads local variables
    /// and arguments that the call is not given to overwrite.
    fn outlasts_call(&self, doc: &Document, root: ExprId) -> bool {
        let scope = self.scope(doc);
        let is_seen_inside = || {
            doc.scopes.values().any(|inner| {
                inner.parent == Some(scope) && matches!(inner.kind, ScopeKind::Procedure(_))
            })
        };
        let shared = [Attr::Target, Attr::Pointer, Attr::Save, Attr::Volatile, Attr::Asynchronous];
        let stays = |reference: RefId| {
            let base = doc.refs[reference].base;
            let symbol = &doc.symbols[base];
            doc.refs[reference].parts.is_empty()
                && symbol.scope == scope
                && matches!(doc.role(base), Some(Role::Variable))
                && symbol.decl.as_ref().is_some_and(|decl| decl.common.is_none())
                && !shared.iter().any(|&attr| doc.has(base, attr))
                && !self.overwritten.contains(&base)
                && is_alone(doc, base)
        };
        nodes_of(doc, [root]).into_iter().all(|node| match &doc.exprs[node].kind {
            ExprKind::Constant(_) => true,
            ExprKind::Ref(reference) => stays(*reference) && !is_seen_inside(),
            ExprKind::Intrinsic { .. } | ExprKind::Boolean { .. } => true,
            ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => false,
        })
    }

    /// The extents of a part where declarations tell them and it is small.
    fn fixed_extents(&self, doc: &Document, part: RefId) -> Option<Vec<i64>> {
        let data = &doc.refs[part];
        let count = i64::from(self.parts.directions.unwrap_or(1));
        if data.ty.rank == 0 {
            return Some(Vec::new());
        }
        let list = match data.parts.last() {
            Some(Part::Elements(list)) => Some(list),
            Some(_) | None => None,
        };
        let entity = data.entity()?;
        let is_last = matches!(
            data.parts.iter().rev().find(|part| !matches!(part, Part::Elements(_))),
            Some(Part::Component { .. })
        );
        // XAIF's order is the other way round.
        let bounds = doc.symbols[entity].bounds.iter().rev();
        let extents: Vec<i64> = bounds.map(|&(lower, upper)| (upper - lower + 1).max(0)).collect();
        let extents = match list {
            None => extents,
            Some(list) if list.len() == extents.len() => {
                let whole = |one: &Subscript| match *one {
                    Subscript::Section { lower: None, upper: None, stride: None } => Some(true),
                    Subscript::Index(index) => (doc.exprs[index].ty.rank == 0).then_some(false),
                    Subscript::Section { .. } => None,
                };
                let kept: Option<Vec<bool>> = list.iter().map(whole).collect();
                let kept = extents.into_iter().zip(kept?).filter(|(_, kept)| *kept);
                kept.map(|(extent, _)| extent).collect()
            }
            Some(_) => return None,
        };
        let size = extents.iter().try_fold(count, |size, &extent| size.checked_mul(extent))?;
        (is_last && extents.len() == usize::from(data.ty.rank) && size <= FIXED).then_some(extents)
    }

    /// A variable for the derivatives of a part in all directions: of these extents, else allocatable.
    fn array_for(
        &self,
        doc: &mut Document,
        part: RefId,
        extents: Option<&[i64]>,
        place: Place,
    ) -> SymbolId {
        let data = &doc.refs[part];
        let (like, ty) = (data.entity().unwrap_or(data.base), data.ty);
        let array = self.array_of_directions(doc, like, ty.base, place);
        let count = i64::from(self.parts.directions.unwrap_or(1));
        let rank = ty.rank.saturating_add(1);
        let mut dims = vec![Dim::Deferred; usize::from(rank)];
        if let Some(extents) = extents {
            let all: Vec<i64> = std::iter::once(count).chain(extents.iter().copied()).collect();
            let upper = all.iter().map(|&extent| integer(doc, extent, place));
            dims = upper.map(|upper| Dim::Explicit { lower: None, upper }).collect();
            // XAIF's order is the other way round.
            doc.symbols[array].bounds = all.into_iter().rev().map(|extent| (1, extent)).collect();
        }
        doc.symbols[array].rank = Some(rank);
        if let Some(decl) = doc.symbols[array].decl.as_deref_mut() {
            decl.dims = dims;
            if extents.is_some() {
                decl.attrs.remove(&Attr::Allocatable);
            }
        }
        array
    }

    /// `allocate(array(3, size(part)))`; of what the callee may allocate anew with its bounds.
    fn allocate_for(&self, e: &mut Emitter<'_>, array: SymbolId, part: RefId, place: Place) {
        let object = whole(e.doc, array, place);
        let count = self.parts.directions.unwrap_or(1);
        let first = integer(e.doc, i64::from(count), place);
        if e.doc.refs[part].whole_entity().is_some() {
            self.add_bounds(e.doc, object, part, Some(first));
        } else {
            let mut bounds = vec![Subscript::Index(first)];
            for dimension in 1..=e.doc.refs[part].ty.rank {
                let copy = Copier::new().reference(e.doc, part);
                let value = value_of(e.doc, copy);
                bounds.push(Subscript::Index(extent(e.doc, value, usize::from(dimension))));
            }
            e.doc.refs[object].parts.push(Part::Elements(bounds));
        }
        let objects = vec![object];
        let allocate =
            Allocate { spec: None, objects, stat: None, errmsg: None, source: None, mold: None };
        e.stmt(StmtKind::Allocate(Box::new(allocate)), place);
    }

    /// An allocatable array for the derivatives of something like a variable or component, in all
    /// directions.
    pub(super) fn array_of_directions(
        &self,
        doc: &mut Document,
        like: SymbolId,
        base: Base,
        place: Place,
    ) -> SymbolId {
        let scope = self.scope(doc);
        let wish = format!("{}{}", doc.name(like), self.suffix);
        let spec = doc.symbols[like].decl.as_ref().map(|decl| decl.spec.clone());
        let array = new_variable(doc, scope, &wish, base, place);
        let structure = match base {
            Base::Derived(owner) => spec.filter(|spec| spec.base() == base).or_else(|| {
                let (symbol, name) = (Some(owner), doc.name(owner).to_owned());
                Some(TypeSpec::Derived { symbol, name, class: false, params: Vec::new() })
            }),
            _ => None,
        };
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

/// The inquiry that tells whether a component is there at all, if it need not be.
fn absent_by(doc: &Document, reference: RefId) -> Option<&'static str> {
    let entity = doc.refs[reference].whole_entity()?;
    match () {
        () if doc.has(entity, Attr::Allocatable) => Some("allocated"),
        () if doc.has(entity, Attr::Pointer) => Some("associated"),
        () => None,
    }
}

/// Whether no other name has the storage of a variable.
fn is_alone(doc: &Document, symbol: SymbolId) -> bool {
    let mut names = HashSet::from([symbol]);
    doc.add_equivalent(doc.symbols[symbol].scope, &mut names);
    names.len() == 1
}

/// `allocate(target(lbound(array, 2):ubound(array, 2), …))`
fn allocate_as(e: &mut Emitter<'_>, target: RefId, array: SymbolId, place: Place) {
    let object = Copier::new().reference(e.doc, target);
    let mut bounds = Vec::new();
    for dimension in 1..=e.doc.refs[target].ty.rank {
        let [lower, upper] = ["lbound", "ubound"].map(|name| {
            let array = whole(e.doc, array, place);
            Some(bound(e.doc, array, name, dimension.saturating_add(1)))
        });
        bounds.push(Subscript::Section { lower, upper, stride: None });
    }
    if !bounds.is_empty() {
        e.doc.refs[object].parts.push(Part::Elements(bounds));
    }
    let objects = vec![object];
    let allocate =
        Allocate { spec: None, objects, stat: None, errmsg: None, source: None, mold: None };
    e.stmt(StmtKind::Allocate(Box::new(allocate)), place);
}
