//! Structure constructors: a component that is not given has the initial value of its declaration,
//! which is the value of the original and not its derivative.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Document, ExprKind, Init, Place, SymbolId, Ty, TypeSpec,
};

use booster_build::{node, real};
use booster_rules::may_be_continuous;

/// Gives the components zeros that a constructor leaves to their initial values.
///
/// # Errors
/// A component of derived type that is left to the initial values of its own components, where these are
/// pointers, allocatable, or no numbers and have none.
pub(super) fn zero_components_not_given(
    doc: &mut Document,
    spec: &TypeSpec,
    args: &mut Vec<Arg>,
    place: Place,
) -> Result<(), Diagnostic> {
    let Base::Derived(owner) = spec.base() else { return Ok(()) };
    let lineage = doc.lineage(owner);
    let of = |owner: SymbolId| doc.own_components(owner);
    let all = doc.components(owner);
    let mut given: Vec<SymbolId> = Vec::new();
    for (arg, index) in args.iter().zip(0..) {
        given.extend(doc.component_given(owner, arg, index));
        // `parent = …` gives all that the parent has.
        let parent =
            |name| lineage.iter().skip(1).position(|&ty| doc.name(ty).eq_ignore_ascii_case(name));
        if let Some(at) = arg.keyword.as_deref().and_then(parent) {
            given.extend(lineage.iter().skip(at + 1).flat_map(|&owner| of(owner)));
        }
    }
    for component in all.into_iter().filter(|component| !given.contains(component)) {
        let Some(decl) = doc.symbols[component].decl.as_deref() else { continue };
        let base = decl.spec.base();
        let indirect = decl.has(Attr::Allocatable) || decl.has(Attr::Pointer);
        let name = decl.name.clone();
        if indirect || !may_be_continuous(base) {
            let associated = decl.has(Attr::Pointer)
                && matches!(decl.init, Some(Init::Target(target))
                    if matches!(doc.exprs[target].kind, ExprKind::Ref(_)));
            if !(associated && may_be_continuous(base)) {
                continue;
            }
        }
        let zero = if let (Base::Derived(inner), false) = (base, indirect)
            && all_have_zeros(doc, inner)
        {
            let spec = decl.spec.clone();
            let mut inner = Vec::new();
            zero_components_not_given(doc, &spec, &mut inner, place)?;
            let kind = ExprKind::StructureConstructor { spec: Box::new(spec), args: inner };
            node(doc, kind, Ty::scalar(base), place)
        } else if indirect || !base.is_continuous() {
            let message = format!("the component `{name}` is left to its initial value");
            return Err(Diagnostic::error(Code::RULE_REFUSED, doc.spot(place), message)
                .with_help("give it a value in the constructor"));
        } else {
            real(doc, "0", base, place)
        };
        let position = args.iter().map(|arg| arg.position).max().unwrap_or(0) + 1;
        let value = ArgValue::Expr(zero);
        args.push(Arg { position, keyword: Some(name.as_str().into()), value });
    }
    Ok(())
}

/// Whether a constructor of a type can leave out what is no number and give zeros to all others.
fn all_have_zeros(doc: &Document, owner: SymbolId) -> bool {
    doc.components(owner).into_iter().all(|component| {
        let Some(decl) = doc.symbols[component].decl.as_deref() else { return false };
        let base = decl.spec.base();
        match base {
            Base::Derived(inner) if !decl.has(Attr::Allocatable) && !decl.has(Attr::Pointer) => {
                all_have_zeros(doc, inner)
            }
            _ => decl.init.is_some() || base.is_continuous(),
        }
    })
}

/// A component as a structure constructor gives it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Given {
    /// The type that it is declared with, which its value is converted to: `t(1)` gives a real component 1.0.
    pub(super) base: Option<Base>,
    /// It is a pointer, and its value a target.
    pub(super) pointer: bool,
}

/// The components that the values of a structure constructor are for.
pub(super) fn components_of(doc: &Document, spec: &TypeSpec, args: &[Arg]) -> Vec<Given> {
    let Base::Derived(owner) = spec.base() else {
        return vec![Given::default(); args.len()];
    };
    let given = |component: SymbolId| {
        let decl = doc.symbols[component].decl.as_deref()?;
        Some(Given { base: Some(decl.spec.base()), pointer: decl.has(Attr::Pointer) })
    };
    let named = |(arg, index)| doc.component_given(owner, arg, index);
    args.iter().zip(0..).map(|arg| named(arg).and_then(given).unwrap_or_default()).collect()
}
