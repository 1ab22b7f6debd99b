//! Declarations for symbols that have none, from XAIF's class, machine type, rank and bounds.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::model::{
    ArgValue, Attr, Base, Body, CharLen, Constant, ConstantClass, ConstantKind, Decl, Dim,
    Document, Expr, ExprId, ExprKind, Intent, KindSpelling, Part, Place, ProcClass, ProcSort,
    ProcedureInfo, RefId, Role, ScopeId, ScopeKind, StmtKind, Subscript, Symbol, SymbolId,
    SymbolKind, Ty, TypeClass, TypeSpec,
};

use super::extents;
use crate::names::{legal, unique};
use crate::uses::Uses;

/// Length of a string variable whose length nobody tells.
const STRING_LENGTH: i64 = 256;

/// Declares every symbol that has no declaration.
pub(super) fn declare(doc: &mut Document) {
    let facts = Facts::gather(doc);
    let scopes: Vec<ScopeId> = doc.scopes.keys().collect();
    // Names of units are visible everywhere, and must be no name of a variable.
    let mut global: HashSet<String> = HashSet::new();
    if let Some(scope) = doc.global_scope() {
        name_scope(doc, scope, &mut global, &facts);
        // Variables that are still here are used by nobody.
        let units = doc.scopes[scope].symbols.iter().copied();
        let units = units.filter(|&symbol| doc.symbols[symbol].kind == SymbolKind::Subroutine);
        global = units.map(|symbol| doc.name(symbol).to_ascii_lowercase()).collect();
    }
    for scope in scopes {
        if Some(scope) != doc.global_scope() {
            let mut taken = global.clone();
            taken.extend(around(doc, scope));
            name_scope(doc, scope, &mut taken, &facts);
        }
    }
}

/// What the bodies tell of symbols.
struct Facts {
    /// Dummy arguments, with the intent that the document gives and that can hold.
    dummies: HashMap<SymbolId, Option<Intent>>,
    /// Whether a symbol is used as a whole array.
    whole: HashSet<SymbolId>,
    /// Dummy arguments that PRESENT asks for.
    optional: HashSet<SymbolId>,
    /// Procedures that are called as functions.
    functions: HashSet<SymbolId>,
    /// Procedures that somebody in the document calls.
    called: HashSet<SymbolId>,
    /// Empty bodies: what whirl2xaif makes of a module.
    modules: HashSet<SymbolId>,
    /// The procedure whose dummy argument a symbol is.
    owner: HashMap<SymbolId, SymbolId>,
    /// Extents that sections tell.
    extents: HashMap<SymbolId, Vec<i64>>,
}

impl Facts {
    fn gather(doc: &Document) -> Facts {
        let mut facts = Facts {
            dummies: HashMap::new(),
            whole: HashSet::new(),
            optional: HashSet::new(),
            functions: HashSet::new(),
            called: HashSet::new(),
            modules: HashSet::new(),
            owner: HashMap::new(),
            extents: extents::told_by_sections(doc),
        };
        for proc in doc.procs.values() {
            for arg in &proc.args {
                if let Some(symbol) = arg.symbol {
                    facts.dummies.insert(symbol, None);
                    facts.owner.insert(symbol, proc.symbol);
                }
            }
            if let Body::Flow(cfg) = &proc.body {
                let mut uses = Uses::new(doc);
                uses.cfg(cfg);
                facts.called.extend(&uses.symbols);
                facts.references(doc, &uses.references);
                if cfg.vertices.is_empty() {
                    facts.modules.insert(proc.symbol);
                }
            }
        }
        for node in doc.exprs.values() {
            match &node.kind {
                ExprKind::Call(call) => {
                    facts.functions.insert(call.callee.symbol);
                }
                ExprKind::Intrinsic { name, operands, .. } if &**name == "present" => {
                    facts.optional.extend(operands.iter().filter_map(|operand| {
                        match doc.exprs[operand.expr].kind {
                            ExprKind::Ref(reference) => Some(doc.refs[reference].base),
                            _ => None,
                        }
                    }));
                }
                ExprKind::Constant(_)
                | ExprKind::Ref(_)
                | ExprKind::Intrinsic { .. }
                | ExprKind::Boolean { .. }
                | ExprKind::ArrayConstructor { .. }
                | ExprKind::ImpliedDo(_)
                | ExprKind::StructureConstructor { .. }
                | ExprKind::Procedure(_)
                | ExprKind::Opaque(_) => {}
            }
        }
        facts
    }

    /// Notes which arrays are used as a whole, but for those that a call passes on.
    fn references(&mut self, doc: &Document, references: &[RefId]) {
        let mut passed: HashSet<RefId> = HashSet::new();
        for stmt in doc.stmts.values() {
            let StmtKind::Call(call) = &stmt.kind else { continue };
            for arg in &call.args {
                if let ArgValue::Expr(expr) = arg.value
                    && let ExprKind::Ref(reference) = doc.exprs[expr].kind
                {
                    passed.insert(reference);
                }
            }
        }
        for id in references {
            let reference = &doc.refs[*id];
            let open = |s: &Subscript| matches!(s, Subscript::Section { upper: None, .. });
            let whole = match reference.parts.first() {
                Some(Part::Elements(subscripts)) => subscripts.iter().any(open),
                _ => !passed.contains(id),
            };
            if whole {
                self.whole.insert(reference.base);
            }
        }
    }
}

/// Names that are declared in the procedures around a scope.
fn around(doc: &Document, scope: ScopeId) -> Vec<String> {
    let mut names = Vec::new();
    let mut current = doc.scopes[scope].parent;
    for _ in 0..doc.scopes.len() {
        let Some(here) = current else { break };
        if Some(here) == doc.global_scope() {
            break;
        }
        let symbols = doc.scopes[here].symbols.iter();
        names.extend(symbols.map(|&symbol| doc.name(symbol).to_ascii_lowercase()));
        current = doc.scopes[here].parent;
    }
    names
}

fn name_scope(doc: &mut Document, scope: ScopeId, taken: &mut HashSet<String>, facts: &Facts) {
    let symbols = doc.scopes[scope].symbols.clone();
    for &symbol in &symbols {
        if let Some(decl) = &doc.symbols[symbol].decl {
            taken.insert(decl.name.to_ascii_lowercase());
        }
    }
    for symbol in symbols {
        if doc.symbols[symbol].decl.is_none() {
            let name = unique(&legal(&doc.symbols[symbol].id), taken);
            let decl = declaration(doc, scope, symbol, name, facts);
            doc.symbols[symbol].decl = Some(Box::new(decl));
        }
    }
}

fn declaration(
    doc: &mut Document,
    scope: ScopeId,
    symbol: SymbolId,
    name: String,
    facts: &Facts,
) -> Decl {
    let data = doc.symbols[symbol].clone();
    let mut decl = Decl {
        name,
        role: Role::Variable,
        spec: spec(doc, &data, facts.dummies.contains_key(&symbol)),
        dims: Vec::new(),
        attrs: BTreeSet::new(),
        intent: facts.dummies.get(&symbol).copied().flatten(),
        init: None,
        char_len: None,
        common: None,
        bind_name: None,
        implicit: false,
        value: None,
        place: Place::default(),
    };
    if data.kind == SymbolKind::Subroutine {
        decl.role = procedure_role(doc, scope, symbol, facts);
        decl.spec = TypeSpec::None;
        if facts.functions.contains(&symbol) {
            decl.spec = intrinsic(Base::Real(8));
        }
        return decl;
    }
    let rank = data.rank.unwrap_or(0);
    let dummy = facts.dummies.contains_key(&symbol);
    let pointer = data.pointer == Some(true) || data.kind == SymbolKind::Pointer;
    if rank > 0 {
        decl.dims = dims(doc, &data, rank, symbol, facts, pointer);
    }
    let deferred = decl.dims.contains(&Dim::Deferred);
    if facts.optional.contains(&symbol) && dummy {
        decl.attrs.insert(Attr::Optional);
    }
    if pointer {
        decl.attrs.insert(Attr::Pointer);
    } else if deferred && !dummy {
        decl.attrs.insert(Attr::Allocatable);
    }
    decl
}

fn procedure_role(doc: &Document, scope: ScopeId, symbol: SymbolId, facts: &Facts) -> Role {
    let own = doc.scopes.iter().find_map(|(id, data)| match data.kind {
        ScopeKind::Module(module) if module == symbol => Some(id),
        _ => None,
    });
    let unit = doc
        .scopes
        .values()
        .any(|scope| matches!(scope.kind, ScopeKind::Procedure(procedure) if procedure == symbol));
    if facts.modules.contains(&symbol) && !unit || own.is_some() {
        return Role::Module { scope: own };
    }
    let proc = doc.procs.iter().find(|(_, proc)| proc.symbol == symbol).map(|(id, _)| id);
    let internal = matches!(doc.scopes[scope].kind, ScopeKind::Procedure(_)) && proc.is_some();
    let sort =
        if facts.functions.contains(&symbol) { ProcSort::Function } else { ProcSort::Subroutine };
    let class = match doc.scopes[scope].kind {
        ScopeKind::Module(_) if proc.is_some() => ProcClass::Module,
        _ if internal => ProcClass::Internal,
        _ => ProcClass::External,
    };
    Role::Procedure(ProcedureInfo { sort, class, proc, interface: None, pass: None })
}

fn intrinsic(base: Base) -> TypeSpec {
    let kind = match base {
        Base::Real(4) | Base::Integer(4) | Base::Logical(4) | Base::Complex(4) => {
            KindSpelling::Default
        }
        Base::Integer(bytes) | Base::Real(bytes) | Base::Complex(bytes) | Base::Logical(bytes) => {
            KindSpelling::Star(u16::from(bytes))
        }
        _ => KindSpelling::Default,
    };
    TypeSpec::Intrinsic { base, kind }
}

/// The type: WHIRL's machine types have their bytes in their name.
fn spec(doc: &mut Document, symbol: &Symbol, dummy: bool) -> TypeSpec {
    let machine = symbol.fe_type.as_deref().unwrap_or("");
    let digits = machine.trim_start_matches(|c: char| !c.is_ascii_digit());
    let bytes: Option<u8> = digits.parse().ok();
    match symbol.class {
        TypeClass::Real => intrinsic(Base::Real(match bytes {
            Some(4) => 4,
            Some(10) => 10,
            Some(16) => 16,
            _ => 8,
        })),
        TypeClass::Integer => intrinsic(Base::Integer(match bytes {
            Some(1) => 1,
            Some(2) => 2,
            Some(8) => 8,
            _ => 4,
        })),
        TypeClass::Complex => intrinsic(Base::Complex(match bytes {
            Some(4) => 4,
            Some(10) => 10,
            Some(16) => 16,
            _ => 8,
        })),
        TypeClass::Bool => intrinsic(Base::Logical(4)),
        TypeClass::Char => {
            TypeSpec::Character { bytes: 1, kind: KindSpelling::Default, len: CharLen::One }
        }
        TypeClass::String => {
            let len = if dummy {
                CharLen::Assumed
            } else {
                CharLen::Expr(integer_literal(doc, STRING_LENGTH))
            };
            TypeSpec::Character { bytes: 1, kind: KindSpelling::Default, len }
        }
        // Nothing but its address is ever used.
        TypeClass::Opaque | TypeClass::Void => intrinsic(Base::Integer(8)),
    }
}

/// A literal integer; a negative one is one literal, sign included, as XAIF 1.0 documents have it.
pub fn integer_literal(doc: &mut Document, value: i64) -> ExprId {
    doc.exprs.push(Expr {
        kind: ExprKind::Constant(Constant {
            class: ConstantClass::Integer,
            fe_type: None,
            text: value.to_string().into(),
            kind: ConstantKind::None,
        }),
        ty: Ty::scalar(Base::Integer(4)),
        place: Place::default(),
        parens: false,
    })
}

/// The dimensions; XAIF has the last one first.
fn dims(
    doc: &mut Document,
    symbol: &Symbol,
    rank: u8,
    id: SymbolId,
    facts: &Facts,
    pointer: bool,
) -> Vec<Dim> {
    let rank = usize::from(rank);
    if symbol.bounds.len() == rank && !pointer {
        let bounds: Vec<(i64, i64)> = symbol.bounds.iter().rev().copied().collect();
        return bounds
            .into_iter()
            .map(|(lower, upper)| Dim::Explicit {
                lower: (lower != 1).then(|| integer_literal(doc, lower)),
                upper: integer_literal(doc, upper),
            })
            .collect();
    }
    let dummy = facts.dummies.contains_key(&id);
    if let (false, false, Some(extents)) = (dummy, pointer, facts.extents.get(&id))
        && extents.len() == rank
    {
        let explicit = |&extent| Dim::Explicit { lower: None, upper: integer_literal(doc, extent) };
        return extents.iter().map(explicit).collect();
    }
    if !dummy || pointer {
        return vec![Dim::Deferred; rank];
    }
    // A caller of the same document knows no interface, so only assumed size will do, where it
    // can: one dimension, never used as a whole.
    let called = facts.owner.get(&id).is_some_and(|owner| facts.called.contains(owner));
    if called && rank == 1 && !facts.whole.contains(&id) {
        vec![Dim::AssumedSize { lower: None }]
    } else {
        vec![Dim::AssumedShape { lower: None }; rank]
    }
}
