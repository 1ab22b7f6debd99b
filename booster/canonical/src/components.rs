//! Structures that an intrinsic function or an array constructor gives: component by component.
//!
//! `a = cshift(a, 1)` and `a = [a, t(x, y)]` for structures have no derivative rule; their components
//! have: `a%x = cshift(a%x, 1)`. These functions (MERGE, RESHAPE, PACK, UNPACK, SPREAD, CSHIFT,
//! EOSHIFT, TRANSPOSE) only choose and place elements, so what each component becomes depends on
//! no other component (Fortran 2018, 16.9). A variable that the right-hand side names, or that may get
//! another shape, is assigned whole, from a temporary that is filled so.
//!
//! Left as they are: types with allocatable, pointer or polymorphic components, array components whose
//! bounds are no literals.

use xaif_schema::model::{
    Allocate, Arg, ArgValue, Attr, Base, Dim, Document, ExprId, ExprKind, Init, Part, Place, RefId,
    StmtId, StmtKind, Subscript, SymbolId, Ty,
};

use super::Canonical;
use super::temporaries::Storage;
use booster_build::{Copier, Emitter, constant_integer, integer, nodes_of, size_along, whole};
use booster_facts::may_hold_numbers;
use booster_linearize::{At, convert, element_of};

/// How many variables a structure is taken apart into.
const MOST_LEAVES: usize = 64;

/// One step towards a number in a structure.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Component(SymbolId),
    /// An element of the array that the component is.
    Element(Vec<i64>),
}

/// The way to a number in a structure.
pub(super) type Leaf = Vec<Step>;

impl Canonical {
    /// Adds the assignments that `lhs = rhs` is, if it is one of those that are taken apart; whether
    /// the statement itself is done with then.
    pub(super) fn by_components(&mut self, e: &mut Emitter<'_>, stmt: StmtId) -> bool {
        let StmtKind::Assign { lhs, rhs, defined: None } = e.doc.stmts[stmt].kind else {
            return false;
        };
        let place = e.doc.stmts[stmt].place;
        let Base::Derived(ty) = e.doc.exprs[rhs].ty.base else { return false };
        let rank = e.doc.exprs[rhs].ty.rank;
        let gives = match e.doc.exprs[rhs].kind {
            ExprKind::Intrinsic { .. } | ExprKind::ArrayConstructor { .. } => true,
            // One for all elements: arrays in it would have two ranks.
            ExprKind::StructureConstructor { .. } => e.doc.refs[lhs].ty.rank > 0 && self.apart,
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ImpliedDo(_)
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => false,
        };
        let same = e.doc.refs[lhs].ty.base == Base::Derived(ty)
            && may_hold_numbers(e.doc, Base::Derived(ty));
        // A tangent has a rule where either all items have derivatives or none.
        let items = match &e.doc.exprs[rhs].kind {
            ExprKind::ArrayConstructor { items, .. } => items.as_slice(),
            _ => &[],
        };
        let active = |&item: &ExprId| self.facts.is_active_value(e.doc, item);
        let mixed = items.iter().any(active) && !items.iter().all(active);
        if !(self.apart || mixed) || self.fixed.is_some() || !gives || !same {
            return false;
        }
        let most = e.doc.refs[lhs].ty.rank.max(rank);
        let Some(leaves) = leaves(e.doc, ty, most) else { return false };
        let values: Option<Vec<ExprId>> =
            leaves.iter().map(|leaf| value_at(e.doc, rhs, leaf)).collect();
        let Some(values) = values.filter(|values| !values.is_empty()) else { return false };
        if !may_reshape(e.doc, lhs) && !names(e.doc, rhs, e.doc.refs[lhs].base) {
            self.set_components(e, lhs, &leaves, &values, place);
            return true;
        }
        let own = e.doc.exprs[rhs].ty;
        let Some(temporary) = self.temporary(e, "structures", own, Storage::Plain, place) else {
            return true;
        };
        if rank > 0 {
            allocate(e, temporary, values[0], place);
        }
        let target = whole(e.doc, temporary, place);
        self.set_components(e, target, &leaves, &values, place);
        self.replace(e.doc, rhs, temporary);
        e.push(stmt);
        if rank > 0 {
            let done = whole(e.doc, temporary, place);
            e.release(done, place);
        }
        true
    }

    /// `target%leaf = value` for all of them.
    fn set_components(
        &mut self,
        e: &mut Emitter<'_>,
        target: RefId,
        leaves: &[Leaf],
        values: &[ExprId],
        place: Place,
    ) {
        for (leaf, &value) in leaves.iter().zip(values) {
            let lhs = Copier::new().reference(e.doc, target);
            lead(e.doc, lhs, leaf);
            self.assignment(e, lhs, value);
            e.assign(lhs, value, place);
        }
        self.changed = true;
    }
}

/// Whether an assignment may give the variable another shape.
fn may_reshape(doc: &Document, lhs: RefId) -> bool {
    let reference = &doc.refs[lhs];
    let entity = match reference.parts.last() {
        None => Some(reference.base),
        Some(Part::Component { symbol, .. }) => *symbol,
        Some(Part::Elements(_) | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref) => {
            return false;
        }
    };
    entity.is_none_or(|symbol| doc.has(symbol, Attr::Allocatable))
}

/// Whether an expression names the variable, or what may be the same storage.
fn names(doc: &Document, expr: ExprId, symbol: SymbolId) -> bool {
    let points =
        |symbol: SymbolId| [Attr::Pointer, Attr::Target].iter().any(|&a| doc.has(symbol, a));
    nodes_of(doc, [expr]).into_iter().any(|node| {
        let base = doc.exprs[node].reference().map(|reference| doc.refs[reference].base);
        base.is_some_and(|base| base == symbol || points(base) && points(symbol))
    })
}

/// `allocate(temporary(size(value, 1), …))`
fn allocate(e: &mut Emitter<'_>, temporary: SymbolId, value: ExprId, place: Place) {
    let rank = e.doc.exprs[value].ty.rank;
    let extents = (1..=i64::from(rank)).map(|dimension| {
        let value = Copier::new().expr(e.doc, value);
        Subscript::Index(size_along(e.doc, value, dimension))
    });
    let extents = extents.collect::<Vec<_>>();
    let object = whole(e.doc, temporary, place);
    e.doc.refs[object].parts.push(Part::Elements(extents.into_iter().collect()));
    let allocate = Allocate {
        spec: None,
        objects: vec![object],
        stat: None,
        errmsg: None,
        source: None,
        mold: None,
    };
    e.stmt(StmtKind::Allocate(Box::new(allocate)), place);
}

/// The ways to all numbers of a type, if it can be taken apart. Arrays in elements of arrays are taken
/// element by element.
pub(super) fn leaves(doc: &Document, ty: SymbolId, rank: u8) -> Option<Vec<Leaf>> {
    let mut found = Vec::new();
    collect(doc, ty, rank, &mut Vec::new(), &mut found).then_some(found)
}

fn collect(doc: &Document, ty: SymbolId, rank: u8, way: &mut Leaf, found: &mut Vec<Leaf>) -> bool {
    doc.data_components(ty).into_iter().all(|component| {
        let Some(decl) = doc.symbols[component].decl.as_deref() else { return false };
        let dynamic = [Attr::Allocatable, Attr::Pointer].iter().any(|&a| decl.has(a));
        let is_array = !decl.dims.is_empty();
        let places = match is_array && (rank > 0 || matches!(decl.spec.base(), Base::Derived(_))) {
            true => places(doc, &decl.dims),
            false => Some(vec![None]),
        };
        let Some(places) = places.filter(|_| !dynamic) else { return false };
        places.into_iter().all(|place| {
            let length = way.len();
            way.push(Step::Component(component));
            way.extend(place.map(Step::Element));
            let done = match decl.spec.base() {
                Base::Derived(inner) => collect(doc, inner, rank, way, found),
                Base::Integer(_) | Base::Real(_) | Base::Complex(_) | Base::Logical(_) => {
                    found.push(way.clone());
                    found.len() <= MOST_LEAVES
                }
                _ => false,
            };
            way.truncate(length);
            done
        })
    })
}

/// The subscripts of all elements of an array with literal bounds.
fn places(doc: &Document, dims: &[Dim]) -> Option<Vec<Option<Vec<i64>>>> {
    let mut all: Vec<Vec<i64>> = vec![Vec::new()];
    for dim in dims {
        let Dim::Explicit { lower, upper } = *dim else { return None };
        let lower = lower.map_or(Some(1), |lower| constant_integer(doc, lower))?;
        let upper = constant_integer(doc, upper)?;
        if upper - lower >= MOST_LEAVES as i64 {
            return None;
        }
        let with = |index: i64| all.iter().map(move |before| [&before[..], &[index]].concat());
        all = (lower..=upper).flat_map(with).collect();
    }
    Some(all.into_iter().map(Some).collect())
}

/// Lets a reference to structures name one component of them.
fn lead(doc: &mut Document, reference: RefId, leaf: &[Step]) {
    let place = doc.refs[reference].place;
    // The rank without the component that was named last.
    let mut outer = doc.refs[reference].ty.rank;
    for step in leaf {
        let (part, ty) = match step {
            Step::Component(symbol) => {
                let decl = doc.symbols[*symbol].decl.as_deref();
                let base = decl.map_or(Base::Unknown, |decl| decl.spec.base());
                outer = doc.refs[reference].ty.rank;
                let rank = doc.symbols[*symbol].rank.unwrap_or(0).max(outer);
                let name = doc.name(*symbol).into();
                (Part::Component { symbol: Some(*symbol), name }, Ty { base, rank })
            }
            Step::Element(indices) => {
                let indices: Vec<Subscript> = indices
                    .iter()
                    .map(|&index| Subscript::Index(integer(doc, index, place)))
                    .collect();
                let base = doc.refs[reference].ty.base;
                (Part::Elements(indices.into_iter().collect()), Ty { base, rank: outer })
            }
        };
        let reference = &mut doc.refs[reference];
        reference.parts.push(part);
        reference.ty = ty;
    }
}

/// What `leaf` is in a value, if that can be written down.
fn value_at(doc: &mut Document, value: ExprId, leaf: &[Step]) -> Option<ExprId> {
    let copy = Copier::new().expr(doc, value);
    take(doc, copy, leaf).then_some(copy)
}

/// Makes an expression of structures one of their components.
fn take(doc: &mut Document, expr: ExprId, leaf: &[Step]) -> bool {
    match doc.exprs[expr].kind.clone() {
        ExprKind::Ref(reference) => {
            lead(doc, reference, leaf);
            doc.exprs[expr].ty = doc.refs[reference].ty;
            true
        }
        ExprKind::Intrinsic { name, operands, .. } => {
            let own = doc.exprs[expr].ty.base;
            // The bits of something else are no components.
            if &*name == "transfer"
                && (operands.len() != 2
                    || operands.iter().any(|operand| doc.exprs[operand.expr].ty.base != own))
            {
                return false;
            }
            let mut base = None;
            let done = operands.iter().all(|operand| {
                let is_structure = matches!(doc.exprs[operand.expr].ty.base, Base::Derived(_));
                let done = !is_structure || take(doc, operand.expr, leaf);
                if is_structure {
                    base = base.or(Some(doc.exprs[operand.expr].ty.base));
                }
                done
            });
            let Some(base) = base.filter(|_| done) else { return false };
            doc.exprs[expr].ty.base = base;
            if matches!(&*name, "merge" | "transfer") {
                // A component of one structure may be an array.
                let ranks = operands.iter().map(|operand| doc.exprs[operand.expr].ty.rank);
                doc.exprs[expr].ty.rank = ranks.fold(doc.exprs[expr].ty.rank, u8::max);
            }
            true
        }
        ExprKind::ArrayConstructor { items, .. } => {
            let done = items.iter().all(|&item| take(doc, item, leaf));
            let base = items.first().map(|&item| doc.exprs[item].ty.base);
            let Some(base) = base.filter(|_| done) else { return false };
            doc.exprs[expr].ty.base = base;
            doc.exprs[expr].kind = ExprKind::ArrayConstructor { spec: None, items };
            true
        }
        ExprKind::ImpliedDo(implied) => {
            let done = implied.items.iter().all(|&item| take(doc, item, leaf));
            let base = implied.items.first().map(|&item| doc.exprs[item].ty.base);
            doc.exprs[expr].ty.base = base.unwrap_or(Base::Unknown);
            done && base.is_some()
        }
        ExprKind::StructureConstructor { args, .. } => take_argument(doc, expr, &args, leaf),
        ExprKind::Constant(_)
        | ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => false,
    }
}

/// What a structure constructor, or else the type, gives a component.
fn take_argument(doc: &mut Document, expr: ExprId, args: &[Arg], leaf: &[Step]) -> bool {
    let (Some(Step::Component(component)), Base::Derived(owner)) =
        (leaf.first(), doc.exprs[expr].ty.base)
    else {
        return false;
    };
    let given = args
        .iter()
        .zip(0..)
        .find(|&(arg, index)| doc.component_given(owner, arg, index) == Some(*component));
    let given = given.and_then(|(arg, _)| match arg.value {
        ArgValue::Expr(value) => Some(value),
        ArgValue::AlternateReturn(_) => None,
    });
    let initial = doc.symbols[*component].decl.as_deref().and_then(|decl| decl.init);
    let value = match (given, initial) {
        (Some(value), _) => value,
        (None, Some(Init::Value(initial))) => Copier::new().expr(doc, initial),
        (None, Some(Init::Target(_)) | None) => return false,
    };
    let declared = doc.symbols[*component].decl.as_deref().map(|decl| decl.spec.base());
    let rest = &leaf[1..];
    let done = match (rest, doc.exprs[value].ty.rank) {
        ([], _) => true,
        // One value for all elements.
        ([Step::Element(_)], 0) => true,
        ([Step::Element(_), inner @ ..], 0) => take(doc, value, inner),
        ([Step::Element(indices), inner @ ..], _) => {
            take_element(doc, value, *component, indices)
                && (inner.is_empty() || take(doc, value, inner))
        }
        ([Step::Component(_), ..], _) => take(doc, value, rest),
    };
    let ends = matches!(rest, [] | [Step::Element(_)]);
    // The constructor converts what it is given.
    let value = match declared {
        Some(base) if ends => convert(doc, value, base),
        Some(_) | None => value,
    };
    let fits = !ends || declared == Some(doc.exprs[value].ty.base);
    doc.exprs[expr] = doc.exprs[value].clone();
    done && fits
}

/// Makes an array one of its elements: that which a component with the subscripts `indices` gets.
fn take_element(doc: &mut Document, value: ExprId, component: SymbolId, indices: &[i64]) -> bool {
    let dims = doc.symbols[component].decl.as_deref().map(|decl| decl.dims.clone());
    let (Some([Dim::Explicit { lower, .. }]), [index]) = (dims.as_deref(), indices) else {
        return false;
    };
    let Some(lower) = lower.map_or(Some(1), |lower| constant_integer(doc, lower)) else {
        return false;
    };
    let position = usize::try_from(index - lower).unwrap_or(usize::MAX);
    if let ExprKind::Ref(reference) = doc.exprs[value].kind {
        let position = integer(doc, index - lower + 1, doc.exprs[value].place);
        let Ok(found) = element_of(doc, reference, &[At::Place(position)], value) else {
            return false;
        };
        doc.exprs[value].kind = ExprKind::Ref(found);
        doc.exprs[value].ty = doc.refs[found].ty;
        return true;
    }
    let ExprKind::ArrayConstructor { items, .. } = doc.exprs[value].kind.clone() else {
        return false;
    };
    let scalars = items.iter().all(|&item| {
        doc.exprs[item].ty.rank == 0 && !matches!(doc.exprs[item].kind, ExprKind::ImpliedDo(_))
    });
    let Some(&item) = items.get(position).filter(|_| scalars) else { return false };
    doc.exprs[value] = doc.exprs[item].clone();
    true
}
