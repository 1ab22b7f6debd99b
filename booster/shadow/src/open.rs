//! Opens modules: what a module hides and a derivative module cannot do without becomes PUBLIC.
//!
//! The derivative of a module is a module of its own, which uses the first. PRIVATE variables, types,
//! components and bindings cannot be copied there, and PROTECTED variables cannot be written there
//! (`OX4203`). A program whose sources cannot be changed by hand is opened once, before anything else,
//! and compiled from the opened sources instead:
//!
//! ```sh
//! f2xaif a.f90 b.f90 | xaif-open | xaif2f --split open
//! ```
//!
//! Constants, procedures, generic names and abstract interfaces stay hidden: the derivative module
//! gets copies of those. Not so what procedure pointers point to: a copy is another target. A variable whose name means something else where the module is used gets
//! another one. What cannot be renamed, a type, what NAMELIST or C knows by its name, a component whose
//! name an extension has, too, stays hidden, which is told by a warning. The program does the same as
//! before.

use std::collections::BTreeSet;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{
    Attr, Document, ExprId, ExprKind, Init, Role, ScopeId, ScopeKind, SpecItem, StmtKind, SymbolId,
};

use booster_build::unique_name;

/// Opens the modules of `doc`. The result are warnings, `OX4206`, about what stays hidden.
pub fn open(doc: &mut Document) -> Diagnostics {
    let mut told = Diagnostics::new();
    let modules: Vec<ScopeId> =
        doc.scopes.keys().filter(|&s| matches!(doc.scopes[s].kind, ScopeKind::Module(_))).collect();
    let targets = pointed_to(doc);
    for &module in &modules {
        open_names(doc, module, &targets, &mut told);
    }
    let types: Vec<(SymbolId, ScopeId)> = doc
        .symbols
        .keys()
        .filter_map(|symbol| match doc.role(symbol) {
            Some(Role::DerivedType { scope, .. }) => Some((symbol, *scope)),
            Some(_) | None => None,
        })
        .collect();
    for &(owner, parts) in &types {
        open_parts(doc, &types, owner, parts, &mut told);
    }
    told
}

/// The procedures that procedure pointers are associated with.
fn pointed_to(doc: &Document) -> BTreeSet<SymbolId> {
    let procedure = |expr: ExprId| {
        if let ExprKind::Procedure(symbol) = doc.exprs[expr].kind { Some(symbol) } else { None }
    };
    let associated = doc.stmts.values().filter_map(|stmt| {
        let StmtKind::PointerAssign { rhs, .. } = stmt.kind else { return None };
        procedure(rhs)
    });
    let begun = doc.symbols.values().filter_map(|symbol| {
        let Some(Init::Target(target)) = symbol.decl.as_deref()?.init else { return None };
        procedure(target)
    });
    associated.chain(begun).collect()
}

/// Variables and types of a module, and the `targets` among its procedures.
fn open_names(
    doc: &mut Document,
    module: ScopeId,
    targets: &BTreeSet<SymbolId>,
    told: &mut Diagnostics,
) {
    let mut opened = Vec::new();
    for symbol in doc.scopes[module].symbols.clone() {
        let target = targets.contains(&symbol);
        if !target && !matches!(doc.role(symbol), Some(Role::Variable | Role::DerivedType { .. })) {
            continue;
        }
        if let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() {
            decl.attrs.remove(&Attr::Protected);
        }
        if !doc.is_private(symbol) {
            continue;
        }
        match other_of_that_name(doc, module, symbol) {
            Some(other) if is_known_by_name(doc, module, symbol) => {
                stays_hidden(doc, symbol, other, told);
                continue;
            }
            Some(_) => rename(doc, module, symbol),
            None => {}
        }
        opened.push(symbol);
    }
    if opened.is_empty() {
        return;
    }
    for &symbol in &opened {
        if let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() {
            decl.attrs.remove(&Attr::Private);
        }
    }
    let items = &mut doc.scopes[module].items;
    items.retain_mut(|item| match item {
        SpecItem::Access { symbols, .. } if !symbols.is_empty() => {
            symbols.retain(|symbol| !opened.contains(symbol));
            !symbols.is_empty()
        }
        _ => true,
    });
    items.push(SpecItem::Access { private: false, symbols: opened });
}

/// Whether more than the references in the document depends on the name of an entity of a module.
fn is_known_by_name(doc: &Document, module: ScopeId, symbol: SymbolId) -> bool {
    let Some(decl) = doc.symbols[symbol].decl.as_deref() else { return true };
    let is_type = matches!(decl.role, Role::DerivedType { .. } | Role::Procedure(_));
    let in_c = decl.has(Attr::BindC);
    let listed = doc.scopes.iter().any(|(scope, data)| {
        let inside = std::iter::successors(Some(scope), |&s| doc.scopes[s].parent);
        inside.into_iter().any(|s| s == module)
            && data.items.iter().any(|item| match item {
                SpecItem::Namelist { members, .. } => members.contains(&symbol),
                _ => false,
            })
    });
    is_type || in_c || listed
}

/// Gives a variable of a module a name that nothing else has.
fn rename(doc: &mut Document, module: ScopeId, symbol: SymbolId) {
    let ScopeKind::Module(owner) = doc.scopes[module].kind else { return };
    let wish = format!("{}_of_{}", doc.name(symbol), doc.name(owner));
    let name = unique_name(doc, &wish);
    doc.symbols[symbol].id = name.to_lowercase();
    if let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() {
        decl.name = name;
    }
}

/// Components and bindings of a type.
fn open_parts(
    doc: &mut Document,
    types: &[(SymbolId, ScopeId)],
    owner: SymbolId,
    parts: ScopeId,
    told: &mut Diagnostics,
) {
    let hidden: Vec<SymbolId> = doc.scopes[parts]
        .symbols
        .iter()
        .copied()
        .filter(|&part| is_hidden_part(doc, owner, part))
        .collect();
    let extensions: Vec<ScopeId> = types
        .iter()
        .filter(|&&(ty, _)| ty != owner && doc.lineage(ty).contains(&owner))
        .map(|&(_, scope)| scope)
        .collect();
    let mut stays = BTreeSet::new();
    for &part in &hidden {
        let id = &doc.symbols[part].id;
        // In its module a hidden binding is overridden already.
        let home = doc.symbols[owner].scope;
        let apart = extensions.iter().filter(|&&scope| doc.scopes[scope].parent != Some(home));
        if let Some(other) = apart.into_iter().find_map(|&scope| doc.symbol_in(scope, id)) {
            stays_hidden(doc, part, other, told);
            stays.insert(part);
        }
    }
    if let Some(decl) = doc.symbols[owner].decl.as_deref_mut() {
        decl.attrs.remove(&Attr::PrivateComponents);
        decl.attrs.remove(&Attr::PrivateBindings);
    }
    for part in hidden {
        if let Some(decl) = doc.symbols[part].decl.as_deref_mut() {
            match stays.contains(&part) {
                true => decl.attrs.insert(Attr::Private),
                false => decl.attrs.remove(&Attr::Private),
            };
        }
    }
}

/// Whether a component or binding is PRIVATE in its type.
pub fn is_hidden_part(doc: &Document, owner: SymbolId, part: SymbolId) -> bool {
    let all = match doc.role(part) {
        Some(Role::Binding { .. }) => Attr::PrivateBindings,
        Some(_) | None => Attr::PrivateComponents,
    };
    doc.has(part, Attr::Private) || doc.has(owner, all) && !doc.has(part, Attr::Public)
}

/// What has the name of `symbol` where `module` is used as a whole: in the scope of the USE, in one
/// around it or in another module that is used there.
fn other_of_that_name(doc: &Document, module: ScopeId, symbol: SymbolId) -> Option<SymbolId> {
    let users = users_of(doc, module);
    let id = doc.symbols[symbol].id.as_str();
    for &user in &users {
        let around = std::iter::successors(Some(user), |&scope| doc.scopes[scope].parent);
        for scope in around {
            let own = doc.symbol_in(scope, id).filter(|&other| other != symbol);
            let own = own.or_else(|| {
                doc.scopes[scope].items.iter().find_map(|item| {
                    let SpecItem::Use(used) = item else { return None };
                    let named = used.names.iter().find(|name| name.local.eq_ignore_ascii_case(id));
                    match (named, used.only) {
                        (Some(name), _) => name.symbol.filter(|&other| other != symbol),
                        (None, true) => None,
                        (None, false) => {
                            let Some(Role::Module { scope: Some(home) }) = doc.role(used.module)
                            else {
                                return None;
                            };
                            doc.symbol_in(*home, id).filter(|&other| other != symbol)
                        }
                    }
                })
            });
            if own.is_some() {
                return own;
            }
        }
    }
    None
}

/// The scopes that see all that is PUBLIC in `module`, those that use a user of it included.
fn users_of(doc: &Document, module: ScopeId) -> Vec<ScopeId> {
    let mut seen = vec![module];
    let mut next = 0;
    while let Some(&used) = seen.get(next) {
        next += 1;
        for (scope, data) in &doc.scopes {
            let uses = data.items.iter().any(|item| match item {
                SpecItem::Use(one) if !one.only => {
                    matches!(doc.role(one.module), Some(Role::Module { scope: Some(s) }) if *s == used)
                }
                _ => false,
            });
            if uses && !seen.contains(&scope) {
                seen.push(scope);
            }
        }
    }
    seen.split_off(1)
}

fn stays_hidden(doc: &Document, symbol: SymbolId, other: SymbolId, told: &mut Diagnostics) {
    let place = |symbol: SymbolId| {
        doc.symbols[symbol].decl.as_deref().map_or_else(Default::default, |decl| decl.place)
    };
    let message =
        format!("`{}` stays hidden: another name like it would be in its way", doc.name(symbol));
    told.push(
        Diagnostic::warning(Code::STAYS_HIDDEN, doc.spot(place(symbol)), message)
            .with_note(doc.spot(place(other)), "this one")
            .with_help("rename one of them, or use the module with ONLY"),
    );
}
