//! Structure constructors: a component that is not given has the initial value of its declaration,
//! which is the value of the original and not its derivative.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{Arg, ArgValue, Attr, Document, Init, Place, SymbolId, TypeSpec};

use crate::build::real;
use crate::rules::may_be_continuous;

/// Gives the components zeros that a constructor leaves to their initial values.
///
/// # Errors
/// A component of derived type that is left to the initial values of its own components.
pub(super) fn zero_components_not_given(
    doc: &mut Document,
    spec: &TypeSpec,
    args: &mut Vec<Arg>,
    place: Place,
) -> Result<(), Diagnostic> {
    let xaif_schema::model::Base::Derived(owner) = spec.base() else { return Ok(()) };
    let lineage = doc.lineage(owner);
    let of = |owner: SymbolId| doc.own_components(owner);
    let all = doc.components(owner);
    let mut given: Vec<SymbolId> = Vec::new();
    for (arg, index) in args.iter().zip(0..) {
        match &arg.keyword {
            None => given.extend(all.get(index)),
            Some(name) => {
                let named = |symbol: &SymbolId| doc.name(*symbol).eq_ignore_ascii_case(name);
                given.extend(all.iter().copied().filter(named));
                // `parent = …` gives all that the parent has.
                if let Some(at) = lineage.iter().position(named).filter(|&at| at > 0) {
                    given.extend(lineage.iter().skip(at).flat_map(|&owner| of(owner)));
                }
            }
        }
    }
    for component in all.into_iter().filter(|component| !given.contains(component)) {
        let Some(decl) = doc.symbols[component].decl.as_deref() else { continue };
        let base = decl.spec.base();
        let indirect =
            decl.attrs.contains(&Attr::Allocatable) || decl.attrs.contains(&Attr::Pointer);
        let name = decl.name.clone();
        if indirect || !may_be_continuous(base) {
            let associated = decl.attrs.contains(&Attr::Pointer)
                && matches!(decl.init, Some(Init::Target(target))
                    if matches!(doc.exprs[target].kind, xaif_schema::model::ExprKind::Ref(_)));
            if !(associated && may_be_continuous(base)) {
                continue;
            }
        }
        if indirect || !base.is_continuous() {
            let message = format!("the component `{name}` is left to its initial value");
            return Err(Diagnostic::error(Code::RULE_REFUSED, doc.spot(place), message)
                .with_help("give it a value in the constructor"));
        }
        let position = args.iter().map(|arg| arg.position).max().unwrap_or(0) + 1;
        let value = ArgValue::Expr(real(doc, "0", base, place));
        args.push(Arg { position, keyword: Some(name.as_str().into()), value });
    }
    Ok(())
}

/// Which values of a structure constructor are targets of pointer components.
pub(super) fn pointers_of(doc: &Document, spec: &TypeSpec, args: &[Arg]) -> Vec<bool> {
    let xaif_schema::model::Base::Derived(owner) = spec.base() else {
        return vec![false; args.len()];
    };
    let all = doc.components(owner);
    let named = |arg: &Arg, index: usize| match &arg.keyword {
        None => all.get(index).copied(),
        Some(name) => all.iter().copied().find(|&one| doc.name(one).eq_ignore_ascii_case(name)),
    };
    let is_pointer = |component: SymbolId| {
        let decl = doc.symbols[component].decl.as_deref();
        decl.is_some_and(|decl| decl.attrs.contains(&Attr::Pointer))
    };
    args.iter().zip(0..).map(|(arg, index)| named(arg, index).is_some_and(is_pointer)).collect()
}
