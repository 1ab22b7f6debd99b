//! Initial values that are zero.

use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Constant, ConstantClass, ConstantKind, Decl, Document, Expr, ExprId,
    ExprKind, Init, Place, Ty, TypeSpec,
};

use super::types::Types;
use booster_build::real;

/// The initial value of the derivative of a variable that lives as long as the program: zero, or
/// associated with nothing. `None` for what needs none (an allocatable) or cannot have one.
pub(super) fn initial(
    doc: &mut Document,
    types: &Types,
    decl: &Decl,
    place: Place,
) -> Option<Init> {
    if decl.has(Attr::Pointer) {
        return Some(Init::Target(null(doc, place)));
    }
    if decl.has(Attr::Allocatable) {
        return None;
    }
    value(doc, types, &decl.spec, place).map(Init::Value)
}

/// A scalar zero of a type, if it has one that can be written.
pub fn zero_value(
    doc: &mut Document,
    types: &Types,
    spec: &TypeSpec,
    place: Place,
) -> Option<ExprId> {
    value(doc, types, spec, place)
}

/// `null()`
fn null(doc: &mut Document, place: Place) -> ExprId {
    let kind = ConstantKind::None;
    let literal =
        Constant { class: ConstantClass::Null, fe_type: None, text: "null()".into(), kind };
    push(doc, ExprKind::Constant(literal), Base::Unknown, place)
}

fn push(doc: &mut Document, kind: ExprKind, base: Base, place: Place) -> ExprId {
    doc.exprs.push(Expr { kind, ty: Ty::scalar(base), place, parens: false })
}

/// A zero of a type: for a derived type a structure whose continuous components are zero.
fn value(doc: &mut Document, types: &Types, spec: &TypeSpec, place: Place) -> Option<ExprId> {
    let base = spec.base();
    match base {
        Base::Real(_) | Base::Complex(_) => Some(real(doc, "0", base, place)),
        Base::Derived(owner) => {
            let mut args = Vec::new();
            for component in doc.components(owner) {
                let Some(decl) = doc.symbols[component].decl.as_deref().cloned() else { continue };
                let zero = component_value(doc, types, &decl, place)?;
                if let Some(zero) = zero {
                    args.push(Arg {
                        position: u32::try_from(args.len() + 1).unwrap_or(u32::MAX),
                        keyword: Some(decl.name.as_str().into()),
                        value: ArgValue::Expr(zero),
                    });
                }
            }
            let spec = Box::new(spec.clone());
            Some(push(doc, ExprKind::StructureConstructor { spec, args }, base, place))
        }
        _ => None,
    }
}

/// The value of one component in a structure: `Some(None)` where its own initial value will do.
#[allow(clippy::option_option)]
fn component_value(
    doc: &mut Document,
    types: &Types,
    decl: &Decl,
    place: Place,
) -> Option<Option<ExprId>> {
    let indirect = decl.has(Attr::Allocatable) || decl.has(Attr::Pointer);
    let base = decl.spec.base();
    if indirect {
        return Some(decl.init.is_none().then(|| null(doc, place)));
    }
    if types.carries(base) {
        return value(doc, types, &decl.spec, place).map(Some);
    }
    if decl.init.is_some() {
        return Some(None);
    }
    let literal = |class, text: &str| {
        let (fe_type, kind) = (None, ConstantKind::None);
        ExprKind::Constant(Constant { class, fe_type, text: text.into(), kind })
    };
    match base {
        Base::Integer(_) => {
            Some(Some(push(doc, literal(ConstantClass::Integer, "0"), base, place)))
        }
        Base::Logical(_) => {
            Some(Some(push(doc, literal(ConstantClass::Bool, ".false."), base, place)))
        }
        Base::Character(_) => {
            Some(Some(push(doc, literal(ConstantClass::String, "' '"), base, place)))
        }
        Base::Derived(_) => value(doc, types, &decl.spec, place).map(Some),
        _ => None,
    }
}
