//! Derivative procedures that C can call.
//!
//! The derivative of a BIND(C) procedure is BIND(C), where its arguments are interoperable: its binding label is
//! that of the original with the suffix of derivative procedures. The interface bodies that describe it, and the
//! interfaces by which such procedures are passed and pointed to, say the same. Procedures that execute
//! one sweep of an adjoint have no label: no user calls them.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use booster_build::constant;
use xaif_schema::model::{
    Attr, Base, Body, ConstantClass, Document, ExprId, ExprKind, Init, ProcClass, ProcId,
    ProcedureInfo, Role, SymbolId, Ty,
};

use super::Counterparts;

/// Constants that are told by constants, deeper than this, are not followed.
const DEEPEST: u32 = 50;

/// A derivative procedure or interface that may be bound.
struct Candidate {
    /// Its dummy arguments stand here.
    proc: ProcId,
    /// The label that the source writes; `None` for the one that the language gives.
    label: Option<String>,
}

impl Counterparts {
    /// Binds the derivatives of BIND(C) procedures; their names end with `suffix`.
    pub fn bind_in_c(&self, doc: &mut Document, suffix: &str) {
        let mut found = self.to_bind(doc, suffix);
        let taken = labels(doc);
        found.retain(|_, candidate| {
            candidate.label.as_ref().is_none_or(|label| !taken.contains(label))
        });
        // A dummy procedure is interoperable if its interface is bound.
        loop {
            let bound: HashSet<SymbolId> = found.keys().copied().collect();
            found.retain(|_, candidate| is_interoperable(doc, candidate.proc, &bound));
            if found.len() == bound.len() {
                break;
            }
        }
        let described = interface_bodies(doc, &found);
        found.extend(described);
        for (symbol, candidate) in found {
            let place =
                doc.symbols[symbol].decl.as_ref().map(|decl| decl.place).unwrap_or_default();
            let name = candidate.label.map(|label| {
                let quoted = format!("\"{}\"", label.replace('"', "\"\""));
                constant(doc, ConstantClass::String, &quoted, Ty::scalar(Base::Character(1)), place)
            });
            if let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() {
                decl.attrs.insert(Attr::BindC);
                decl.bind_name = name;
            }
        }
    }

    /// The derivatives with a body of BIND(C) procedures, and those of interfaces that stand for many.
    fn to_bind(&self, doc: &Document, suffix: &str) -> BTreeMap<SymbolId, Candidate> {
        let mut found = BTreeMap::new();
        for &(original, derivative) in &self.procedures {
            let (original, symbol) = (doc.procs[original].symbol, doc.procs[derivative].symbol);
            let is_its_own = self.sweep_of(derivative) == super::Sweep::Both;
            if is_its_own
                && doc.has(original, Attr::BindC)
                && let Some(label) = label(doc, original, suffix)
            {
                found.insert(symbol, Candidate { proc: derivative, label });
            }
        }
        for (&original, &symbol) in &self.callees {
            let Some(Role::Procedure(ProcedureInfo {
                class: ProcClass::Abstract,
                proc: Some(proc),
                ..
            })) = doc.role(symbol)
            else {
                continue;
            };
            if doc.has(original, Attr::BindC) {
                found.insert(symbol, Candidate { proc: *proc, label: None });
            }
        }
        found
    }
}

/// The interface bodies of external procedures that are bound.
fn interface_bodies(
    doc: &Document,
    found: &BTreeMap<SymbolId, Candidate>,
) -> BTreeMap<SymbolId, Candidate> {
    let global = doc.global_scope();
    let external: BTreeMap<&str, &Candidate> = found
        .iter()
        .filter(|(symbol, _)| Some(doc.symbols[**symbol].scope) == global)
        .map(|(&symbol, candidate)| (doc.symbols[symbol].id.as_str(), candidate))
        .collect();
    let bodies = doc.procs.iter().filter(|(_, data)| {
        let role = doc.role(data.symbol);
        matches!(data.body, Body::Interface)
            && matches!(role, Some(Role::Procedure(info)) if info.class == ProcClass::External)
    });
    let described = bodies.filter_map(|(proc, data)| {
        let label = external.get(doc.symbols[data.symbol].id.as_str())?.label.clone();
        Some((data.symbol, Candidate { proc, label }))
    });
    described.collect()
}

/// The label of the derivative of `original`: `Some(None)` where the language gives one; `None` where what the
/// source writes is not understood.
fn label(doc: &Document, original: SymbolId, suffix: &str) -> Option<Option<String>> {
    let Some(name) = doc.symbols[original].decl.as_ref()?.bind_name else { return Some(None) };
    let text = text_of(doc, name, 0)?;
    let own = text.trim_matches(' ');
    // Without a label C cannot call it.
    let label = if own.is_empty() { String::new() } else { format!("{own}{suffix}") };
    Some(Some(label))
}

/// The labels that the program has, and the names that its external procedures have by default.
fn labels(doc: &Document) -> BTreeSet<String> {
    let bound = doc.symbols.keys().filter(|&symbol| doc.has(symbol, Attr::BindC));
    let found = bound.filter_map(|symbol| match doc.symbols[symbol].decl.as_ref()?.bind_name {
        Some(name) => text_of(doc, name, 0).map(|text| text.trim_matches(' ').to_owned()),
        None => Some(doc.symbols[symbol].id.clone()),
    });
    found.filter(|label| !label.is_empty()).collect()
}

/// The value of a constant character expression, as far as it is understood.
fn text_of(doc: &Document, expr: ExprId, depth: u32) -> Option<String> {
    if depth > DEEPEST {
        return None;
    }
    match &doc.exprs[expr].kind {
        ExprKind::Constant(constant) => {
            let quote = constant.text.chars().next().filter(|&c| c == '\'' || c == '"')?;
            let inner = constant.text.strip_prefix(quote)?.strip_suffix(quote)?;
            Some(inner.replace(&format!("{quote}{quote}"), &quote.to_string()))
        }
        ExprKind::Ref(reference) => {
            let data = &doc.refs[*reference];
            let decl = doc.symbols[data.base].decl.as_deref().filter(|_| data.parts.is_empty())?;
            match (&decl.role, decl.init) {
                (Role::Constant, Some(Init::Value(value))) => text_of(doc, value, depth + 1),
                _ => None,
            }
        }
        ExprKind::Intrinsic { name, operands, .. } => {
            let parts = operands.iter().map(|operand| text_of(doc, operand.expr, depth + 1));
            let parts: Vec<String> = parts.collect::<Option<_>>()?;
            match (&**name, parts.as_slice()) {
                ("string_concat", [left, right]) => Some(format!("{left}{right}")),
                ("trim", [whole]) => Some(whole.trim_end_matches(' ').to_owned()),
                _ => None,
            }
        }
        ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => None,
    }
}

/// Whether C can pass the dummy arguments of a procedure; `bound` are interfaces that are BIND(C).
fn is_interoperable(doc: &Document, proc: ProcId, bound: &HashSet<SymbolId>) -> bool {
    doc.procs[proc].args.iter().all(|arg| {
        let Some(symbol) = arg.symbol else { return false };
        match doc.role(symbol) {
            Some(Role::Variable) => is_interoperable_type(doc, doc.declared_base(symbol)),
            Some(Role::Procedure(info)) => info.interface.is_some_and(|interface| {
                doc.has(interface, Attr::BindC) || bound.contains(&interface)
            }),
            Some(_) | None => false,
        }
    })
}

fn is_interoperable_type(doc: &Document, base: Base) -> bool {
    match base {
        Base::Integer(_)
        | Base::Real(_)
        | Base::Complex(_)
        | Base::Logical(_)
        | Base::Character(_)
        | Base::TypeStar => true,
        Base::Derived(ty) => doc.has(ty, Attr::BindC) || is_pointer_of_c(doc, ty),
        Base::Class(_)
        | Base::ClassStar
        | Base::Unknown
        | Base::Void
        | Base::Unsigned(_)
        | Base::Procedure
        | Base::Pointer(_) => false,
    }
}

/// Whether a type is C_PTR or C_FUNPTR.
fn is_pointer_of_c(doc: &Document, ty: SymbolId) -> bool {
    ["c_ptr", "c_funptr"].contains(&doc.symbols[ty].id.as_str())
}
