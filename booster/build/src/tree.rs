//! Second copies of scopes with all that stands in them: procedures, their bodies, declarations.
//!
//! [`copy_scope`] makes a second program unit out of one that is there. Symbols, scopes and
//! procedures inside it are new; what it takes from outside (modules, procedures of other units) is
//! the same. Facts of activity are copied; chains of statements and side effects are not, since
//! they name statements by ids that belong to one procedure.

use std::collections::HashMap;

use xaif_schema::model::{
    Attr, Base, Body, CaseRange, Cfg, CharLen, ConstantClass, Decl, Dim, Document, DummyArg,
    Effects, EntryPoint, Guard, Init, InterfaceItem, Nest, ProcId, Procedure, ProcedureInfo, RefId,
    Role, Scope, ScopeId, ScopeKind, SpecItem, StmtId, Symbol, SymbolId, Ty, VertexKind,
};

use super::{Copier, constant, mentions_of_declaration};

/// What a copy has made.
#[derive(Clone, Debug, Default)]
pub struct Copied {
    /// Symbols and scopes inside, old to new; also what the caller had mapped before.
    pub copier: Copier,
    /// Procedures inside, old to new.
    pub procs: HashMap<ProcId, ProcId>,
    /// Symbols that are not copied: another of the same scope stands for them.
    pub merged: HashMap<SymbolId, SymbolId>,
}

/// Copies `root` and all that is inside it to below `parent`. `copied` holds what is mapped already
/// (the symbol of the procedure whose scope `root` is, at least) and is added to.
///
/// The new scope is not listed in the items of `parent`: that is up to the caller.
pub fn copy_scope(
    doc: &mut Document,
    tree: &Nest,
    root: ScopeId,
    parent: ScopeId,
    copied: &mut Copied,
) -> ScopeId {
    let old_scopes = tree.inside(root);
    for &old in &old_scopes {
        let data = &doc.scopes[old];
        let above = if old == root { Some(parent) } else { data.parent };
        let above = above.map(|above| copied.copier.scope(above));
        let copy = Scope {
            id: None,
            parent: above,
            symbols: Vec::new(),
            items: Vec::new(),
            contains: Vec::new(),
            provided: false,
            ..*data
        };
        let new = doc.scopes.push(copy);
        copied.copier.scopes.insert(old, new);
    }
    let mut symbols = Vec::new();
    for &old in &old_scopes {
        let new = copied.copier.scope(old);
        for symbol in doc.scopes[old].symbols.clone() {
            if copied.merged.contains_key(&symbol) {
                continue;
            }
            let copy = doc.symbols[symbol].clone();
            let copy = doc.add_symbol(xaif_schema::model::Symbol { scope: new, ..copy });
            copied.copier.symbols.insert(symbol, copy);
            symbols.push(copy);
        }
    }
    for (&symbol, &other) in &copied.merged {
        let other = copied.copier.symbol(other);
        copied.copier.symbols.insert(symbol, other);
    }
    for &old in &old_scopes {
        if let Some(proc) = tree.procedure(old) {
            copy_procedure(doc, proc, copied);
        }
    }
    for symbol in symbols {
        if let Some(mut decl) = doc.symbols[symbol].decl.take() {
            copy_decl(doc, &mut decl, copied);
            doc.symbols[symbol].decl = Some(decl);
        }
    }
    for &old in &old_scopes {
        let new = copied.copier.scope(old);
        let copier = &copied.copier;
        doc.scopes[new].kind = copy_kind(doc.scopes[old].kind, copier);
        for contains in [false, true] {
            let data = &doc.scopes[old];
            let mut items = if contains { data.contains.clone() } else { data.items.clone() };
            items.iter_mut().for_each(|item| copy_item(doc, item, copier));
            let data = &mut doc.scopes[new];
            *(if contains { &mut data.contains } else { &mut data.items }) = items;
        }
    }
    copied.copier.scope(root)
}

fn copy_kind(kind: ScopeKind, copier: &Copier) -> ScopeKind {
    match kind {
        ScopeKind::Procedure(symbol) => ScopeKind::Procedure(copier.symbol(symbol)),
        ScopeKind::DerivedType(symbol) => ScopeKind::DerivedType(copier.symbol(symbol)),
        ScopeKind::StatementFunction(symbol) => ScopeKind::StatementFunction(copier.symbol(symbol)),
        ScopeKind::Module(symbol) => ScopeKind::Module(copier.symbol(symbol)),
        ScopeKind::BlockData(symbol) => ScopeKind::BlockData(copier.symbol(symbol)),
        ScopeKind::Submodule { symbol, parent } => {
            ScopeKind::Submodule { symbol: copier.symbol(symbol), parent: copier.symbol(parent) }
        }
        ScopeKind::Plain
        | ScopeKind::Global
        | ScopeKind::Block
        | ScopeKind::Associate
        | ScopeKind::Indices => kind,
    }
}

/// Makes the parts of a declaration copies of themselves.
pub fn copy_decl(doc: &mut Document, decl: &mut Decl, copied: &Copied) {
    let copier = &copied.copier;
    copier.spec(doc, &mut decl.spec);
    decl.dims.iter_mut().for_each(|dim| copy_dim(doc, dim, copier));
    if let Some(CharLen::Expr(len)) = &mut decl.char_len {
        *len = copier.expr(doc, *len);
    }
    if let Some(Init::Value(value) | Init::Target(value)) = &mut decl.init {
        *value = copier.expr(doc, *value);
    }
    copier.option(doc, &mut decl.bind_name);
    let has_body = |proc: ProcId| matches!(doc.procs[proc].body, Body::Flow(_));
    if let Role::Procedure(info) = &decl.role
        && decl.has(Attr::BindC)
        && info.proc.is_some_and(has_body)
    {
        // A program has each binding label once: a copy has none.
        let ty = Ty::scalar(Base::Character(1));
        let empty = constant(doc, ConstantClass::String, "''", ty, decl.place);
        decl.bind_name = Some(empty);
    }
    if let Some((block, _)) = &mut decl.common {
        *block = copier.symbol(*block);
    }
    let map = |symbol: &mut Option<SymbolId>| *symbol = symbol.map(|symbol| copier.symbol(symbol));
    match &mut decl.role {
        Role::Procedure(info) => {
            map(&mut info.interface);
            info.proc = info.proc.map(|proc| copied.procs.get(&proc).copied().unwrap_or(proc));
        }
        Role::Generic { specifics, .. } => {
            specifics.iter_mut().for_each(|symbol| *symbol = copier.symbol(*symbol));
        }
        Role::DerivedType { scope, extends, params } => {
            *scope = copier.scope(*scope);
            map(extends);
            params.iter_mut().for_each(|symbol| *symbol = copier.symbol(*symbol));
        }
        Role::Binding { target, interface, .. } => {
            map(target);
            map(interface);
        }
        Role::Final { target } => *target = copier.symbol(*target),
        Role::Module { scope } => *scope = scope.map(|scope| copier.scope(scope)),
        Role::Unresolved { module } => map(module),
        Role::Associate { selector } => copier.option(doc, selector),
        Role::Variable
        | Role::Constant
        | Role::TypeParam { .. }
        | Role::BlockData
        | Role::CommonBlock
        | Role::Namelist
        | Role::StatementFunction => {}
    }
}

/// Makes the bounds of a dimension copies of themselves.
pub fn copy_dim(doc: &mut Document, dim: &mut Dim, copier: &Copier) {
    match dim {
        Dim::Explicit { lower, upper } => {
            copier.option(doc, lower);
            *upper = copier.expr(doc, *upper);
        }
        Dim::AssumedShape { lower } | Dim::AssumedSize { lower } => copier.option(doc, lower),
        Dim::Deferred | Dim::AssumedRank => {}
    }
}

/// Makes the symbols, scopes and expressions of an item copies of themselves.
pub fn copy_item(doc: &mut Document, item: &mut SpecItem, copier: &Copier) {
    let map = |symbols: &mut Vec<SymbolId>| {
        symbols.iter_mut().for_each(|symbol| *symbol = copier.symbol(*symbol));
    };
    match item {
        SpecItem::Comment(_)
        | SpecItem::Import { .. }
        | SpecItem::ImplicitNone(_)
        | SpecItem::SaveAll
        | SpecItem::TypeContains
        | SpecItem::Opaque { .. } => {}
        SpecItem::Unit(scope) => *scope = copier.scope(*scope),
        SpecItem::Use(used) => {
            used.module = copier.symbol(used.module);
            for name in &mut used.names {
                name.symbol = name.symbol.map(|symbol| copier.symbol(symbol));
            }
        }
        SpecItem::Implicit(rules) => {
            rules.iter_mut().for_each(|rule| copier.spec(doc, &mut rule.spec));
        }
        SpecItem::Declare(symbols) | SpecItem::Enum(symbols) | SpecItem::SaveCommon(symbols) => {
            map(symbols);
            let mut seen = std::collections::HashSet::new();
            symbols.retain(|&symbol| seen.insert(symbol));
        }
        SpecItem::Access { symbols, .. } => map(symbols),
        SpecItem::Common { block, members } => {
            *block = copier.symbol(*block);
            map(members);
        }
        SpecItem::Namelist { group, members } => {
            *group = copier.symbol(*group);
            map(members);
        }
        SpecItem::Equivalence(sets) => {
            for reference in sets.iter_mut().flatten() {
                *reference = copier.reference(doc, *reference);
            }
        }
        SpecItem::Data(sets) => {
            for set in sets {
                for object in &mut set.objects {
                    *object = copier.expr(doc, *object);
                }
                for (repeat, value) in &mut set.values {
                    copier.option(doc, repeat);
                    *value = copier.expr(doc, *value);
                }
            }
        }
        SpecItem::Interface { generic, items, .. } => {
            *generic = generic.map(|generic| copier.symbol(generic));
            for item in items {
                match item {
                    InterfaceItem::Body(scope) => *scope = copier.scope(*scope),
                    InterfaceItem::Procedures { symbols, .. } => map(symbols),
                    InterfaceItem::Comment(_) => {}
                }
            }
        }
        SpecItem::DerivedType(symbol) | SpecItem::Generic(symbol) => {
            *symbol = copier.symbol(*symbol);
        }
        SpecItem::StatementFunction { symbol, scope, args, body } => {
            *symbol = copier.symbol(*symbol);
            *scope = copier.scope(*scope);
            map(args);
            *body = copier.expr(doc, *body);
        }
    }
}

fn copy_procedure(doc: &mut Document, old: ProcId, copied: &mut Copied) {
    let proc = &doc.procs[old];
    let copier = &copied.copier;
    let (independent, dependent) = (proc.independent.clone(), proc.dependent.clone());
    let copy = Procedure {
        symbol: copier.symbol(proc.symbol),
        scope: copier.scope(proc.scope),
        args: copy_dummies(&proc.args, copier),
        result: proc.result.map(|result| copier.symbol(result)),
        body: Body::Interface,
        entry_written: false,
        effects: Effects::default(),
        independent: Vec::new(),
        dependent: Vec::new(),
        ..*proc
    };
    let new = doc.procs.push(copy);
    let body = match &doc.procs[old].body {
        Body::Flow(cfg) => {
            let mut cfg = cfg.clone();
            copy_graph(doc, &mut cfg, copier);
            Body::Flow(cfg)
        }
        // Fragments for a template belong to the tool that made them.
        Body::Interface | Body::Replacements { .. } => Body::Interface,
    };
    let all = |doc: &mut Document, list: Vec<RefId>| {
        list.into_iter().map(|reference| copier.reference(doc, reference)).collect()
    };
    let (independent, dependent) = (all(doc, independent), all(doc, dependent));
    let data = &mut doc.procs[new];
    (data.body, data.independent, data.dependent) = (body, independent, dependent);
    copied.procs.insert(old, new);
}

fn copy_dummies(args: &[DummyArg], copier: &Copier) -> Vec<DummyArg> {
    let copy = |arg: &DummyArg| DummyArg {
        symbol: arg.symbol.map(|symbol| copier.symbol(symbol)),
        ..arg.clone()
    };
    args.iter().map(copy).collect()
}

/// Makes the statements, expressions and scopes of a graph copies of themselves.
fn copy_graph(doc: &mut Document, cfg: &mut Cfg, copier: &Copier) {
    for vertex in cfg.vertices.values_mut() {
        vertex.id = None;
        match &mut vertex.kind {
            VertexKind::Entry(Some(entry)) => {
                let EntryPoint { symbol, args, result } = &mut **entry;
                *symbol = copier.symbol(*symbol);
                *args = copy_dummies(args, copier);
                *result = result.map(|result| copier.symbol(result));
            }
            VertexKind::BasicBlock { scope, stmts } => {
                *scope = copier.scope(*scope);
                stmts.iter_mut().for_each(|stmt| *stmt = copy_stmt(doc, *stmt, copier));
            }
            VertexKind::Branch { condition, .. }
            | VertexKind::PreLoop { condition, .. }
            | VertexKind::PostLoop { condition } => copier.option(doc, condition),
            VertexKind::ForLoop { init, condition, update, .. } => {
                *init = copy_stmt(doc, *init, copier);
                *condition = copier.expr(doc, *condition);
                *update = copy_stmt(doc, *update, copier);
            }
            VertexKind::ConcurrentLoop { header, .. } => copier.header(doc, header),
            VertexKind::Entry(None)
            | VertexKind::Exit
            | VertexKind::EndBranch
            | VertexKind::EndLoop
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => {}
        }
    }
    for edge in cfg.edges.values_mut() {
        if let Some(guard) = &mut edge.guard {
            copy_guard(doc, guard, copier);
        }
    }
}

fn copy_guard(doc: &mut Document, guard: &mut Guard, copier: &Copier) {
    match guard {
        Guard::Case(ranges) => {
            for range in ranges {
                match range {
                    CaseRange::Value(value) => *value = copier.expr(doc, *value),
                    CaseRange::Range(lower, upper) => {
                        copier.option(doc, lower);
                        copier.option(doc, upper);
                    }
                }
            }
        }
        Guard::TypeIs(spec) | Guard::ClassIs(spec) => copier.spec(doc, spec),
        Guard::Rank(rank) => *rank = copier.expr(doc, *rank),
        Guard::Default | Guard::RankStar => {}
    }
}

/// A copy with its label: the copy belongs to another procedure, whose labels are its own.
fn copy_stmt(doc: &mut Document, old: StmtId, copier: &Copier) -> StmtId {
    let new = copier.stmt(doc, old);
    doc.stmts[new].label = doc.stmts[old].label;
    doc.stmts[new].do_chain = None;
    new
}

/// Declares the dummy arguments (and result) of a procedure with the scope `old`, and what their
/// declarations need of it, in the scope `new`. No statement declares them yet. Gives what it has
/// copied, in the order of the document.
pub fn copy_signature(
    doc: &mut Document,
    tree: &Nest,
    (old, new): (ScopeId, ScopeId),
    (args, result): (&[DummyArg], Option<SymbolId>),
    copied: &mut Copied,
) -> Vec<SymbolId> {
    let mut needed: Vec<SymbolId> = Vec::new();
    let mut work: Vec<SymbolId> = args.iter().filter_map(|arg| arg.symbol).collect();
    work.extend(result);
    while let Some(one) = work.pop() {
        if doc.symbols[one].scope == old && !needed.contains(&one) {
            needed.push(one);
            work.extend(mentions_of_declaration(doc, one).iter().map(|m| m.symbol));
        }
    }
    needed.sort_unstable();
    for &one in &needed {
        let copy = Symbol { scope: new, ..doc.symbols[one].clone() };
        let copy = doc.add_symbol(copy);
        copied.copier.symbols.insert(one, copy);
    }
    let mut interfaces = Vec::new();
    for &one in &needed {
        let Some(Role::Procedure(ProcedureInfo { proc: Some(body), .. })) = doc.role(one) else {
            continue;
        };
        let body = doc.procs[*body].scope;
        if doc.scopes[body].parent == Some(old) {
            let copy = copy_scope(doc, tree, body, new, copied);
            let items = vec![InterfaceItem::Body(copy)];
            interfaces.push(SpecItem::Interface { generic: None, is_abstract: false, items });
        }
    }
    for &one in &needed {
        let copy = copied.copier.symbol(one);
        if let Some(mut decl) = doc.symbols[copy].decl.take() {
            copy_decl(doc, &mut decl, copied);
            doc.symbols[copy].decl = Some(decl);
        }
    }
    let mut items = Vec::new();
    for mut item in doc.scopes[old].items.clone() {
        if let SpecItem::Use(_) | SpecItem::ImplicitNone(_) | SpecItem::Implicit(_) = item {
            copy_item(doc, &mut item, &copied.copier);
            items.push(item);
        }
    }
    items.append(&mut interfaces);
    doc.scopes[new].items = items;
    needed
}
