//! Variables for what is hoisted: local to the procedure, of the type of the value. An array has the
//! bounds of a variable whose shape it has, where there is one that has its shape from the beginning, or the
//! extents that the result of a function is declared with; else it is allocatable, so that an assignment gives it its
//! shape.

use std::collections::HashMap;

use xaif_schema::model::{
    ArgValue, Attr, Base, Dim, Document, ExprId, ExprKind, FunctionCall, Intent, Part, Place,
    RefId, Role, ScopeId, SpecItem, Subscript, SymbolId, SymbolKind, Ty, TypeClass, TypeSpec,
};

use booster_build::{
    Copier, constant_integer, fresh_name, integer, new_variable, size_along, value_of, whole,
};
use booster_facts::may_hold_numbers;
use booster_linearize::is_elemental;

/// How many modules are followed that pass a name on.
const MODULES_DEEP: u32 = 32;

/// What a temporary must be besides having a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Storage {
    /// Whatever an assignment may write: arrays are allocatable.
    #[default]
    Plain,
    /// An array of the shape of this variable, which does not change.
    Like(SymbolId),
    /// An array of the extents of this call or section, which are known as the procedure begins.
    Extents(ExprId),
    /// Allocatable, though it be a scalar: the result of a function that is.
    Allocatable,
    /// A pointer: the result of a function that is.
    Pointer,
}

/// Makes temporaries and numbers them: `f_1`, `f_2`, …
#[derive(Debug, Default)]
pub(super) struct Temporaries {
    last: HashMap<(ScopeId, String), u32>,
}

impl Temporaries {
    /// A new variable of `scope`. The error says which type no variable can be made of.
    pub(super) fn make(
        &mut self,
        doc: &mut Document,
        scope: ScopeId,
        wish: &str,
        ty: Ty,
        storage: Storage,
        place: Place,
    ) -> Result<SymbolId, &'static str> {
        let spec = match ty.base {
            Base::Integer(bytes)
            | Base::Real(bytes)
            | Base::Complex(bytes)
            | Base::Logical(bytes) => match bytes {
                0 => return Err("a kind that is not known"),
                _ => None,
            },
            Base::Derived(symbol) => Some(derived(doc, scope, symbol)?),
            Base::Class(_) | Base::ClassStar => return Err("a polymorphic type"),
            Base::Character(_) => return Err("character type"),
            Base::Unknown => return Err("a type that is not known"),
            Base::Void
            | Base::Unsigned(_)
            | Base::TypeStar
            | Base::Procedure
            | Base::Pointer(_) => return Err("a type that Fortran has no variables of"),
        };
        let dims = match storage {
            Storage::Like(symbol) => same_dims(doc, symbol, place),
            Storage::Extents(call) => dims_of_extents(doc, scope, call, place),
            Storage::Plain | Storage::Allocatable | Storage::Pointer => {
                vec![Dim::Deferred; usize::from(ty.rank)]
            }
        };
        let name = self.name(doc, scope, wish);
        let base = if spec.is_some() { Base::Integer(4) } else { ty.base };
        let symbol = new_variable(doc, scope, &name, base, place);
        let active = may_hold_numbers(doc, ty.base);
        let data = &mut doc.symbols[symbol];
        data.active = Some(active);
        data.rank = Some(ty.rank);
        if spec.is_some() {
            data.class = TypeClass::Opaque;
        }
        if storage == Storage::Pointer {
            data.kind = SymbolKind::Pointer;
            data.pointer = Some(true);
        }
        if let Some(decl) = &mut data.decl {
            decl.spec = spec.unwrap_or_else(|| decl.spec.clone());
            decl.dims = dims;
            match storage {
                Storage::Pointer => {
                    decl.attrs.insert(Attr::Pointer);
                }
                Storage::Allocatable => {
                    decl.attrs.insert(Attr::Allocatable);
                }
                Storage::Plain if ty.rank > 0 => {
                    decl.attrs.insert(Attr::Allocatable);
                }
                Storage::Plain | Storage::Like(_) | Storage::Extents(_) => {}
            }
        }
        Ok(symbol)
    }

    fn name(&mut self, doc: &Document, scope: ScopeId, wish: &str) -> String {
        let last = self.last.entry((scope, wish.to_owned())).or_insert(0);
        loop {
            *last += 1;
            let name = format!("{wish}_{last}");
            if fresh_name(doc, scope, &name) == name || *last > 10_000 {
                return name;
            }
        }
    }
}

/// An array of the shape of an elementwise expression, where a variable or a call in it has that shape from the
/// beginning of the procedure to its end. `constant`: only if its bounds are literals.
pub(super) fn shaped_like(
    doc: &Document,
    scope: ScopeId,
    expr: ExprId,
    constant: bool,
) -> Option<Storage> {
    let rank = doc.exprs[expr].ty.rank;
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        let node = &doc.exprs[expr];
        if node.ty.rank != rank {
            continue;
        }
        match &node.kind {
            ExprKind::Ref(reference) => {
                let reference = &doc.refs[*reference];
                if reference.parts.is_empty() && keeps_shape(doc, scope, reference.base, constant) {
                    return Some(Storage::Like(reference.base));
                }
                if !reference.parts.is_empty()
                    && known_extents(doc, scope, expr, constant).is_some()
                {
                    return Some(Storage::Extents(expr));
                }
            }
            ExprKind::Intrinsic { name, operands, .. } => {
                if is_elemental(name) {
                    stack.extend(operands.iter().rev().map(|operand| operand.expr));
                }
            }
            ExprKind::Boolean { operands, .. } => {
                stack.extend(operands.iter().rev().map(|operand| operand.expr));
            }
            ExprKind::Call(call) => {
                if doc.is_elemental(call.callee.symbol) {
                    // `all%f(…)`: the object of a binding.
                    let object = call.callee.object.map(|object| &doc.refs[object]);
                    let whole =
                        object.filter(|object| object.ty.rank > 0 && object.parts.len() == 1);
                    if let Some(base) = whole.map(|object| object.base)
                        && keeps_shape(doc, scope, base, constant)
                    {
                        return Some(Storage::Like(base));
                    }
                    stack.extend(call.args.iter().rev().filter_map(|arg| match arg.value {
                        ArgValue::Expr(value) => Some(value),
                        ArgValue::AlternateReturn(_) => None,
                    }));
                } else if known_extents(doc, scope, expr, constant).is_some() {
                    return Some(Storage::Extents(expr));
                }
            }
            ExprKind::Constant(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => {}
        }
    }
    None
}

fn keeps_shape(doc: &Document, scope: ScopeId, symbol: SymbolId, constant: bool) -> bool {
    let data = &doc.symbols[symbol];
    let Some(decl) = &data.decl else { return false };
    let is_literal = |expr: ExprId| matches!(doc.exprs[expr].kind, ExprKind::Constant(_));
    let literal = decl.dims.iter().all(|dim| match *dim {
        Dim::Explicit { lower, upper } => lower.is_none_or(is_literal) && is_literal(upper),
        _ => false,
    });
    let known = decl.dims.iter().all(|dim| match dim {
        Dim::Explicit { .. } => true,
        Dim::AssumedShape { .. } => !decl.has(Attr::Optional),
        Dim::Deferred | Dim::AssumedSize { .. } | Dim::AssumedRank => false,
    });
    let fixed = ![Attr::Allocatable, Attr::Pointer].iter().any(|&attr| decl.has(attr));
    let named = data.scope == scope;
    matches!(decl.role, Role::Variable)
        && !decl.dims.is_empty()
        && fixed
        && (literal || known && named && !constant)
}

/// The extents of a variable as bounds of another.
fn same_dims(doc: &mut Document, symbol: SymbolId, place: Place) -> Vec<Dim> {
    let dims = doc.symbols[symbol].decl.as_ref().map(|decl| decl.dims.clone()).unwrap_or_default();
    let mut same = Vec::with_capacity(dims.len());
    for (dim, number) in dims.into_iter().zip(1..) {
        let upper = match dim {
            Dim::Explicit { lower: None, upper } => Copier::new().expr(doc, upper),
            _ => {
                let array = whole(doc, symbol, place);
                let array = value_of(doc, array);
                size_along(doc, array, number)
            }
        };
        same.push(Dim::Explicit { lower: None, upper });
    }
    same
}

/// An extent of what a call returns, in the terms of the caller.
#[derive(Clone, Copy)]
enum Extent {
    Number(i64),
    /// The value of a dummy argument of the caller with INTENT(IN).
    Value(SymbolId),
    /// The extent of a variable of the caller along a dimension.
    Along(SymbolId, u8),
}

/// The extents of what a call returns or of a section, where they are known as the procedure of `scope` begins. `constant`:
/// only numbers.
fn known_extents(
    doc: &Document,
    scope: ScopeId,
    expr: ExprId,
    constant: bool,
) -> Option<Vec<Extent>> {
    let extents: Vec<Extent> = if let ExprKind::Call(call) = &doc.exprs[expr].kind {
        declared_extents(doc, scope, call)?
    } else {
        doc.exprs[expr].reference()?;
        let rank = usize::from(doc.exprs[expr].ty.rank);
        (1..=rank).map(|at| extent_passed(doc, scope, expr, at)).collect::<Option<_>>()?
    };
    let numbers = extents.iter().all(|extent| matches!(extent, Extent::Number(_)));
    (!extents.is_empty() && (numbers || !constant)).then_some(extents)
}

/// The extents with which the result of a function is declared, in the terms of the caller.
fn declared_extents(doc: &Document, scope: ScopeId, call: &FunctionCall) -> Option<Vec<Extent>> {
    let proc = &doc.procs[doc.described_by(call.callee.symbol)?];
    let decl = doc.symbols[proc.result?].decl.as_deref()?;
    if [Attr::Allocatable, Attr::Pointer].iter().any(|&attr| decl.has(attr)) {
        return None;
    }
    let actual = |dummy: SymbolId| {
        let position = proc.args.iter().find(|arg| arg.symbol == Some(dummy))?.position;
        let arg = call.args.iter().find(|arg| arg.position == position)?;
        match arg.value {
            ArgValue::Expr(value) => Some(value),
            ArgValue::AlternateReturn(_) => None,
        }
    };
    let extent = |dim: &Dim| {
        let Dim::Explicit { lower, upper } = *dim else { return None };
        let first = lower.map_or(Some(1), |lower| constant_integer(doc, lower))?;
        if let Some(last) = constant_integer(doc, upper) {
            return Some(Extent::Number((last - first + 1).max(0)));
        }
        if first != 1 {
            return None;
        }
        if let Some(reference) = doc.exprs[upper].reference() {
            return value_passed(doc, scope, actual(whole_of(doc, reference)?)?);
        }
        let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[upper].kind else {
            return None;
        };
        let [array, rest @ ..] = &operands[..] else { return None };
        let dummy =
            whole_of(doc, doc.exprs[array.expr].reference().filter(|_| name.as_ref() == "size")?)?;
        let dimension = match rest {
            [] if doc.exprs[array.expr].ty.rank == 1 => 1,
            [dimension] => constant_integer(doc, dimension.expr)?,
            [..] => return None,
        };
        extent_passed(doc, scope, actual(dummy)?, usize::try_from(dimension).ok()?)
    };
    decl.dims.iter().map(extent).collect()
}

/// The extent along a dimension of an array or section that is passed, where it is known as the caller begins.
fn extent_passed(
    doc: &Document,
    scope: ScopeId,
    value: ExprId,
    dimension: usize,
) -> Option<Extent> {
    let data = &doc.refs[doc.exprs[value].reference()?];
    let own = &doc.symbols[data.base];
    let index = dimension.checked_sub(1)?;
    let along = |index: usize| {
        let kept = keeps_shape(doc, scope, data.base, false)
            && own.scope == scope
            && !own.has(Attr::Optional);
        let dimension = u8::try_from(index + 1).ok().filter(|_| kept)?;
        Some(Extent::Along(data.base, dimension))
    };
    match &data.parts[..] {
        [] => along(index),
        [Part::Elements(list)] => {
            let is_section =
                |(_, one): &(usize, &Subscript)| matches!(one, Subscript::Section { .. });
            let mut sections = list.iter().enumerate().filter(is_section);
            let vectors = list.iter().any(|one| match one {
                Subscript::Index(index) => doc.exprs[*index].ty.rank > 0,
                Subscript::Section { .. } => false,
            });
            match sections.nth(index).filter(|_| !vectors)? {
                (at, Subscript::Section { lower: None, upper: None, stride: None }) => along(at),
                (
                    _,
                    Subscript::Section { lower: Some(lower), upper: Some(upper), stride: None },
                ) => {
                    let [lower, upper] = [lower, upper].map(|one| constant_integer(doc, *one));
                    Some(Extent::Number((upper? - lower? + 1).max(0)))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// An integer that is passed, where its value is known as the caller begins.
fn value_passed(doc: &Document, scope: ScopeId, value: ExprId) -> Option<Extent> {
    if let Some(number) = constant_integer(doc, value) {
        return Some(Extent::Number(number.max(0)));
    }
    let own = whole_of(doc, doc.exprs[value].reference()?)?;
    let decl = doc.symbols[own].decl.as_deref()?;
    let kept = decl.intent == Some(Intent::In)
        && !decl.has(Attr::Pointer)
        && !decl.has(Attr::Optional)
        && matches!(decl.spec.base(), Base::Integer(_))
        && decl.dims.is_empty();
    (kept && doc.symbols[own].scope == scope).then_some(Extent::Value(own))
}

/// The variable that a reference is, as a whole.
fn whole_of(doc: &Document, reference: RefId) -> Option<SymbolId> {
    let data = &doc.refs[reference];
    data.parts.is_empty().then_some(data.base)
}

fn dims_of_extents(doc: &mut Document, scope: ScopeId, expr: ExprId, place: Place) -> Vec<Dim> {
    let extents = known_extents(doc, scope, expr, false).unwrap_or_default();
    let upper = |extent: Extent| match extent {
        Extent::Number(number) => integer(doc, number, place),
        Extent::Value(symbol) => {
            let value = whole(doc, symbol, place);
            value_of(doc, value)
        }
        Extent::Along(symbol, dimension) => {
            let array = whole(doc, symbol, place);
            let array = value_of(doc, array);
            size_along(doc, array, dimension)
        }
    };
    let uppers: Vec<ExprId> = extents.into_iter().map(upper).collect();
    uppers.into_iter().map(|upper| Dim::Explicit { lower: None, upper }).collect()
}

/// The declaration of a variable of a derived type.
fn derived(doc: &Document, scope: ScopeId, symbol: SymbolId) -> Result<TypeSpec, &'static str> {
    match doc.role(symbol) {
        Some(Role::DerivedType { params, .. }) if params.is_empty() => {}
        Some(Role::DerivedType { .. }) => return Err("a type with parameters"),
        _ => return Err("a type whose definition is not given"),
    }
    if copies_by_procedure(doc, symbol) {
        return Err("a type whose assignment is defined by a procedure");
    }
    let Some(name) = name_in(doc, scope, symbol) else {
        return Err("a type that has no name here");
    };
    Ok(TypeSpec::Derived { symbol: Some(symbol), name, class: false, params: Vec::new() })
}

/// Whether `=` between two objects of the type calls a procedure, so that a copy cannot be made.
pub fn copies_by_procedure(doc: &Document, ty: SymbolId) -> bool {
    let is_of = |argument: Option<SymbolId>| {
        let decl = argument.and_then(|argument| doc.symbols[argument].decl.as_ref());
        decl.is_some_and(|decl| {
            matches!(decl.spec.base(), Base::Derived(other) | Base::Class(other) if other == ty)
        })
    };
    let both = |specific: SymbolId| {
        let target = match doc.role(specific) {
            Some(Role::Binding { target: Some(target), .. }) => *target,
            _ => specific,
        };
        doc.procedure_of(target).is_some_and(|proc| {
            let args = &doc.procs[proc].args;
            args.len() == 2 && args.iter().all(|arg| is_of(arg.symbol))
        })
    };
    doc.symbols.values().any(|symbol| match symbol.decl.as_ref().map(|decl| &decl.role) {
        Some(Role::Generic { spec: xaif_schema::model::GenericSpec::Assignment, specifics }) => {
            specifics.iter().copied().any(both)
        }
        _ => false,
    })
}

/// Whether `symbol` can be named in `scope` by the name of its declaration.
pub(super) fn is_visible(doc: &Document, scope: ScopeId, symbol: SymbolId) -> bool {
    around(doc, scope).any(|scope| {
        let name = brought_in(doc, scope, symbol, MODULES_DEEP);
        name.is_some_and(|name| name.eq_ignore_ascii_case(doc.name(symbol)))
    })
}

/// The name that `symbol` has in `scope`, which may be another than that of its declaration.
fn name_in(doc: &Document, scope: ScopeId, symbol: SymbolId) -> Option<String> {
    around(doc, scope).find_map(|scope| brought_in(doc, scope, symbol, MODULES_DEEP))
}

fn around(doc: &Document, scope: ScopeId) -> impl Iterator<Item = ScopeId> {
    std::iter::successors(Some(scope), |&scope| doc.scopes[scope].parent)
}

/// The name under which `scope` declares `symbol` or brings it in.
fn brought_in(doc: &Document, scope: ScopeId, symbol: SymbolId, fuel: u32) -> Option<String> {
    if doc.symbols[symbol].scope == scope {
        return Some(doc.name(symbol).to_owned());
    }
    let fuel = fuel.checked_sub(1)?;
    doc.scopes[scope].items.iter().find_map(|item| {
        let SpecItem::Use(used) = item else { return None };
        let listed = used.names.iter().find(|name| name.symbol == Some(symbol));
        match (listed, doc.role(used.module)) {
            (Some(name), _) => Some(name.local.clone()),
            (None, Some(Role::Module { scope: Some(module) }))
                if !used.only && !doc.is_private(symbol) =>
            {
                brought_in(doc, *module, symbol, fuel)
            }
            (None, _) => None,
        }
    })
}
