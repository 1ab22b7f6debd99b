//! Designators: which memory a reference names, and whether the tape takes its value.
//!
//! Nothing here looks at values; two designators with different subscripts are different.

use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Dim, Document, ExprId, ExprKind, Part, Place, RefId, Reference,
    Role, Subscript, SymbolId, Ty,
};

use booster_build::same_parts;
use booster_facts::components::{below, with_declared_rank};
use booster_facts::overwrites::Designator;
use booster_facts::side_effects;

/// Whether `name` is `whole`, or a component of it.
pub(crate) fn is_within(doc: &Document, name: &Reference, whole: &Reference) -> bool {
    name.base == whole.base && begins_with(doc, &name.parts, &whole.parts)
}

/// Whether `name` is a part of `whole`, and not `whole` itself.
pub(crate) fn is_part_of(doc: &Document, name: &Reference, whole: &Reference) -> bool {
    name.parts.len() > whole.parts.len() && is_within(doc, name, whole)
}

/// The variables among actual arguments.
pub(crate) fn passed_variables<'d>(
    doc: &'d Document,
    args: &'d [Arg],
) -> impl Iterator<Item = RefId> + 'd {
    args.iter().filter_map(|arg| match arg.value {
        ArgValue::Expr(value) => doc.exprs[value].reference(),
        ArgValue::AlternateReturn(_) => None,
    })
}

pub(crate) fn begins_with(doc: &Document, parts: &[Part], whole: &[Part]) -> bool {
    parts.get(..whole.len()).is_some_and(|head| same_parts(doc, head, whole))
}

/// Whether the extent of an array is not known.
pub(crate) fn has_open_end(doc: &Document, symbol: SymbolId) -> bool {
    let decl = doc.symbols[symbol].decl.as_deref();
    decl.is_some_and(|decl| {
        matches!(decl.dims.last(), Some(Dim::AssumedSize { .. } | Dim::AssumedRank))
    })
}

/// Whether the bytes of a value are all of it: no component is allocatable or a pointer.
pub(crate) fn is_plain(doc: &Document, base: Base) -> bool {
    fn plain(doc: &Document, owner: SymbolId, depth: u32) -> bool {
        depth < 40
            && doc.data_components(owner).into_iter().all(|component| {
                let indirect = [Attr::Allocatable, Attr::Pointer];
                let base = doc.symbols[component].decl.as_ref().map(|decl| decl.spec.base());
                !indirect.iter().any(|&attr| doc.has(component, attr))
                    && match base {
                        Some(Base::Derived(owner)) => plain(doc, owner, depth + 1),
                        Some(Base::Class(_) | Base::ClassStar | Base::Unknown) | None => false,
                        Some(_) => true,
                    }
            })
    }
    match base {
        Base::Derived(owner) => plain(doc, owner, 0),
        Base::Class(_) | Base::ClassStar | Base::TypeStar | Base::Unknown | Base::Procedure => {
            false
        }
        _ => true,
    }
}

/// Whether it is a scalar of type C_PTR or C_FUNPTR: gfortran 12 passes the address that it holds where
/// the tape takes bytes.
pub(crate) fn is_c_pointer(doc: &Document, ty: Ty) -> bool {
    let Base::Derived(owner) = ty.base else { return false };
    let named = |name: &str| doc.name(owner).eq_ignore_ascii_case(name);
    ty.rank == 0 && doc.data_components(owner).is_empty() && (named("c_ptr") || named("c_funptr"))
}

/// Whether the tape takes a value as a whole: Fortran passes no structure as bytes whose type has
/// type-bound or FINAL procedures, or parameters.
pub(crate) fn is_bytes(doc: &Document, base: Base) -> bool {
    let Base::Derived(owner) = base else { return is_plain(doc, base) };
    let is_bound = |&symbol: &SymbolId| {
        matches!(doc.role(symbol), Some(Role::Binding { .. } | Role::Final { .. }))
    };
    let has_more = |ty: SymbolId| match doc.role(ty) {
        Some(Role::DerivedType { scope, params, .. }) => {
            !params.is_empty() || doc.scopes[*scope].symbols.iter().any(is_bound)
        }
        Some(_) | None => false,
    };
    is_plain(doc, base) && !doc.lineage(owner).into_iter().any(has_more)
}

pub(crate) fn designated(doc: &Document, name: &Designator, place: Place) -> Reference {
    match name {
        Designator::Ref(reference) => doc.refs[*reference].clone(),
        Designator::Component(reference, path) => below(doc, doc.refs[*reference].clone(), path),
        Designator::Around(reference) => {
            let mut around = doc.refs[*reference].clone();
            around.parts.pop();
            with_declared_rank(doc, around)
        }
        Designator::Member(member) => side_effects::reference(doc, member),
        Designator::Symbol(symbol) => {
            let decl = doc.symbols[*symbol].decl.as_deref();
            let base = decl.map_or(Base::Unknown, |decl| decl.spec.base());
            let rank = doc.symbols[*symbol].rank.unwrap_or(0);
            Reference::whole(*symbol, Ty { base, rank }, place)
        }
    }
}

/// Whether the value of a variable can go onto the tape, as bytes or component by component.
pub(crate) fn is_recordable(doc: &Document, reference: &Reference) -> bool {
    fn part(doc: &Document, component: SymbolId, depth: u32) -> bool {
        let Some(decl) = doc.symbols[component].decl.as_deref() else { return false };
        !decl.has(Attr::Pointer) && value(doc, decl.spec.base(), depth + 1)
    }
    fn value(doc: &Document, base: Base, depth: u32) -> bool {
        is_plain(doc, base)
            || match base {
                Base::Derived(ty) => {
                    depth < 40 && doc.data_components(ty).into_iter().all(|c| part(doc, c, depth))
                }
                _ => false,
            }
    }
    value(doc, reference.ty.base, 0)
}

/// Whether two references are written alike.
pub(crate) fn same_designator(doc: &Document, a: &Reference, b: &Reference) -> bool {
    a.base == b.base && (a.parts == b.parts || same_parts(doc, &a.parts, &b.parts))
}

/// Whether a reference names a pointer.
pub(crate) fn is_pointer(doc: &Document, reference: &Reference) -> bool {
    reference.entity().is_some_and(|symbol| doc.has(symbol, Attr::Pointer))
}

/// The record of an item of input. The statement itself may decide which elements the item names, so the whole array
/// stands for them.
pub(crate) fn known_before(doc: &Document, mut name: Reference) -> Reference {
    let constant = |index: Option<ExprId>| {
        index.is_none_or(|index| matches!(doc.exprs[index].kind, ExprKind::Constant(_)))
    };
    let varies = |part: &Part| match part {
        Part::Elements(list) => !list.iter().all(|one| match *one {
            Subscript::Index(index) => constant(Some(index)),
            Subscript::Section { lower, upper, stride } => {
                constant(lower) && constant(upper) && constant(stride)
            }
        }),
        Part::Substring { lower, upper } => !constant(*lower) || !constant(*upper),
        Part::Component { .. } | Part::Inquiry(_) | Part::Deref => false,
    };
    let Some(at) = name.parts.iter().position(varies) else { return name };
    name.parts.truncate(at);
    let symbol = match name.parts.last() {
        None => Some(name.base),
        Some(Part::Component { symbol, .. }) => *symbol,
        Some(_) => None,
    };
    if let Some(symbol) = symbol {
        let rank = doc.symbols[symbol].rank.unwrap_or(0);
        let base = doc.symbols[symbol].decl.as_deref().map(|decl| decl.spec.base());
        name.ty.rank = rank.max(if name.parts.is_empty() { 0 } else { outer_rank(doc, &name) });
        name.ty.base = base.unwrap_or(name.ty.base);
    }
    name
}

/// The rank that the parts before the last component have.
pub(crate) fn outer_rank(doc: &Document, name: &Reference) -> u8 {
    let sections = name.parts.iter().flat_map(|part| match part {
        Part::Elements(list) => &list[..],
        _ => &[],
    });
    let ranked = sections.filter(|one| match one {
        Subscript::Index(index) => doc.exprs[*index].ty.rank > 0,
        Subscript::Section { .. } => true,
    });
    u8::try_from(ranked.count()).unwrap_or(u8::MAX)
}
