//! Names that nobody else has.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::Copier;
use xaif_schema::model::{
    Base, Body, Cfg, Decl, Document, KindSpelling, Place, Role, ScopeId, ScopeKind, SpecItem,
    StmtId, StmtKind, Symbol, SymbolId, SymbolKind, Ty, TypeClass, TypeSpec, VertexKind,
};

/// The longest name that Fortran allows.
const LONGEST: usize = 63;

/// A name like `wish` that no symbol of `scope`, of the scopes around it, of the scopes inside it or
/// of the modules that these use has: `wish` itself, else `wish0`, `wish1`, …
pub fn fresh_name(doc: &Document, scope: ScopeId, wish: &str) -> String {
    unlike(seen_from(doc, scope, true), wish)
}

/// A name like `wish` that hides nothing where a construct stands that is opened in `scope`; other
/// constructs may have it.
pub fn fresh_in_construct(doc: &Document, scope: ScopeId, wish: &str) -> String {
    unlike(seen_from(doc, scope, false), wish)
}

fn unlike(seen: Vec<Cow<'_, str>>, wish: &str) -> String {
    let wish: String = wish.chars().take(LONGEST - 4).collect();
    let lower = wish.to_lowercase();
    let seen = seen.into_iter();
    let taken: BTreeSet<Cow<'_, str>> = seen.filter(|id| id.starts_with(&lower)).collect();
    first_free(&wish, |name| taken.contains(name.to_lowercase().as_str()))
}

/// `wish` itself, or where it is taken `wish0`, `wish1`, …
pub fn first_free(wish: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (0..).map(|number: u32| format!("{wish}{number}"));
    let mut candidates = std::iter::once(wish.to_owned()).chain(numbered);
    candidates.find(|name| !is_taken(name)).unwrap_or_else(|| wish.to_owned())
}

/// As [`fresh_name`] and [`new_variable`], for one scope in which many variables are made and nobody
/// else makes any meanwhile: what is taken is looked up once.
#[derive(Clone, Debug)]
pub struct FreshNames {
    scope: ScopeId,
    taken: HashSet<String>,
    /// The number that is tried next behind a name.
    next: HashMap<String, u32>,
}

impl FreshNames {
    /// For variables of `scope`.
    pub fn new(doc: &Document, scope: ScopeId) -> Self {
        let scope = declaring(doc, scope);
        let taken = seen_from(doc, scope, true).into_iter().map(Cow::into_owned).collect();
        FreshNames { scope, taken, next: HashMap::new() }
    }

    /// For variables of a new program unit, which names nothing but itself yet.
    pub fn of_new_unit(scope: ScopeId, unit: &str) -> Self {
        FreshNames { scope, taken: HashSet::from([unit.to_lowercase()]), next: HashMap::new() }
    }

    /// A new scalar variable, named `wish` or like it.
    pub fn variable(
        &mut self,
        doc: &mut Document,
        wish: &str,
        base: Base,
        place: Place,
    ) -> SymbolId {
        let name = self.name(wish);
        declare(doc, self.scope, name, base, place)
    }

    /// A name: `wish` or like it.
    pub fn name(&mut self, wish: &str) -> String {
        let wish: String = wish.chars().take(LONGEST - 4).collect();
        let mut name = wish.clone();
        while !self.taken.insert(name.to_lowercase()) {
            let number = self.next.entry(wish.to_lowercase()).or_insert(0);
            name = format!("{wish}{number}");
            *number += 1;
        }
        name
    }
}

/// A name like `wish` that nothing in the document has, so that it can be seen everywhere.
pub fn unique_name(doc: &Document, wish: &str) -> String {
    let wish: String = wish.chars().take(LONGEST - 4).collect();
    first_free(&wish, |name| doc.symbols.values().any(|s| s.id.eq_ignore_ascii_case(name)))
}

/// A symbol like `model` with another name.
pub fn renamed(doc: &mut Document, model: SymbolId, scope: ScopeId, name: String) -> SymbolId {
    let mut decl = doc.symbols[model].decl.clone();
    if let Some(decl) = decl.as_deref_mut() {
        decl.name.clone_from(&name);
    }
    let like = doc.symbols[model].clone();
    doc.add_symbol(Symbol { id: name.to_ascii_lowercase(), scope, decl, ..like })
}

/// The names that mean something in `scope`, in lower case.
pub fn names_seen_from(doc: &Document, scope: ScopeId) -> BTreeSet<String> {
    seen_from(doc, scope, false).into_iter().map(Cow::into_owned).collect()
}

/// The names of a scope, of those around it and, where that is asked for, of those inside it, with what
/// these use of modules and the names of their constructs.
fn seen_from(doc: &Document, scope: ScopeId, inside: bool) -> Vec<Cow<'_, str>> {
    let nest = doc.nest();
    let around = std::iter::successors(doc.scopes[scope].parent, |&at| doc.scopes[at].parent);
    let mut work: Vec<ScopeId> = around.take(doc.scopes.len()).collect();
    work.extend(if inside { nest.inside(scope) } else { vec![scope] });
    let mut known: BTreeSet<ScopeId> = work.iter().copied().collect();
    let mut names: Vec<Cow<'_, str>> = Vec::new();
    for proc in known.iter().filter_map(|&scope| nest.procedure(scope)) {
        if let Body::Flow(cfg) = &doc.procs[proc].body {
            names.extend(constructs(doc, cfg).map(|name| Cow::Owned(name.to_lowercase())));
        }
    }
    while let Some(scope) = work.pop() {
        let symbols = doc.scopes[scope].symbols.iter();
        names.extend(symbols.map(|&symbol| Cow::Borrowed(doc.symbols[symbol].id.as_str())));
        for item in &doc.scopes[scope].items {
            let SpecItem::Use(used) = item else { continue };
            names.extend(used.names.iter().map(|name| Cow::Owned(name.local.to_lowercase())));
            if let Some(Role::Module { scope: Some(module) }) = doc.role(used.module)
                && !used.only
                && known.insert(*module)
            {
                work.push(*module);
            }
        }
    }
    names
}

/// The names of the constructs of a body.
fn constructs<'d>(doc: &'d Document, cfg: &'d Cfg) -> impl Iterator<Item = &'d str> {
    let of_statement = |stmt: &StmtId| match &doc.stmts[*stmt].kind {
        StmtKind::OpenScope(open) => open.name.as_deref(),
        StmtKind::Where(construct) => construct.name.as_deref(),
        StmtKind::Forall(construct) => construct.name.as_deref(),
        StmtKind::Assign { .. }
        | StmtKind::PointerAssign { .. }
        | StmtKind::Call(_)
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_)
        | StmtKind::Comment(_) => None,
    };
    cfg.vertices.values().flat_map(move |vertex| {
        let (name, stmts): (_, &[StmtId]) = match &vertex.kind {
            VertexKind::BasicBlock { stmts, .. } => (None, stmts),
            VertexKind::Branch { name, .. }
            | VertexKind::ForLoop { name, .. }
            | VertexKind::PreLoop { name, .. }
            | VertexKind::ConcurrentLoop { name, .. } => (name.as_deref(), &[]),
            VertexKind::PostLoop { .. }
            | VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::EndBranch
            | VertexKind::EndLoop
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => (None, &[]),
        };
        name.into_iter().chain(stmts.iter().filter_map(of_statement))
    })
}

/// A new scalar variable of `scope`, made by a stage; its name is `wish` or like it. The construct
/// around an associate name or an index has no declarations: the variable belongs to the scope
/// around it then.
pub fn new_variable(
    doc: &mut Document,
    scope: ScopeId,
    wish: &str,
    base: Base,
    place: Place,
) -> SymbolId {
    let scope = declaring(doc, scope);
    let name = fresh_name(doc, scope, wish);
    declare(doc, scope, name, base, place)
}

/// The scope that has the declarations of what is declared in `scope`.
fn declaring(doc: &Document, scope: ScopeId) -> ScopeId {
    let mut scope = scope;
    while let (ScopeKind::Associate | ScopeKind::Indices, Some(parent)) =
        (doc.scopes[scope].kind, doc.scopes[scope].parent)
    {
        scope = parent;
    }
    scope
}

/// How the program unit itself spells the type of a variable: `real(8)` beside others of the kind, not
/// `double precision`.
fn spelt_here(doc: &mut Document, scope: ScopeId, base: Base) -> Option<KindSpelling> {
    let mut variables = doc.scopes[scope].symbols.iter().filter_map(|&symbol| {
        let decl = doc.symbols[symbol].decl.as_deref()?;
        match decl.spec {
            TypeSpec::Intrinsic { base: own, kind } if own == base => {
                matches!(decl.role, Role::Variable).then_some(kind)
            }
            _ => None,
        }
    });
    Some(match variables.next()? {
        KindSpelling::Expr(expr) => KindSpelling::Expr(Copier::new().expr(doc, expr)),
        kind => kind,
    })
}

fn declare(doc: &mut Document, scope: ScopeId, name: String, base: Base, place: Place) -> SymbolId {
    let kind = spelt_here(doc, scope, base).unwrap_or(match base {
        // The default kinds need no number; others have one, whatever names the program has.
        Base::Integer(4) | Base::Real(4) | Base::Complex(4) | Base::Logical(4) => {
            KindSpelling::Default
        }
        Base::Real(8) | Base::Complex(8) => KindSpelling::Named,
        Base::Complex(bytes) => KindSpelling::Star(2 * u16::from(bytes)),
        Base::Integer(bytes) | Base::Real(bytes) | Base::Logical(bytes) => {
            KindSpelling::Star(u16::from(bytes))
        }
        _ => KindSpelling::Default,
    });
    let decl = Decl {
        name: name.clone(),
        role: Role::Variable,
        spec: TypeSpec::Intrinsic { base, kind },
        dims: Vec::new(),
        attrs: BTreeSet::new(),
        intent: None,
        init: None,
        char_len: None,
        common: None,
        bind_name: None,
        implicit: false,
        value: None,
        place,
    };
    doc.add_symbol(Symbol {
        id: name.to_lowercase(),
        scope,
        kind: SymbolKind::Variable,
        class: class_of(Ty::scalar(base)),
        fe_type: None,
        rank: Some(0),
        bounds: Vec::new(),
        active: Some(false),
        temp: Some(true),
        pointer: None,
        decl: Some(Box::new(decl)),
    })
}

/// XAIF's class of a type.
fn class_of(ty: Ty) -> TypeClass {
    match ty.base {
        Base::Integer(_) | Base::Unsigned(_) => TypeClass::Integer,
        Base::Real(_) => TypeClass::Real,
        Base::Complex(_) => TypeClass::Complex,
        Base::Logical(_) => TypeClass::Bool,
        Base::Character(_) => TypeClass::String,
        Base::Void => TypeClass::Void,
        Base::Unknown
        | Base::Derived(_)
        | Base::Class(_)
        | Base::ClassStar
        | Base::TypeStar
        | Base::Procedure
        | Base::Pointer(_) => TypeClass::Opaque,
    }
}
