//! Names that hide intrinsic functions.
//!
//! In a document an intrinsic function is told from everything else. In Fortran it is called by its
//! name, and a variable `size` hides the function `size`: the text would mean an element of the
//! variable. A stage may have put the function where the program has such a variable. Then the
//! variable gets another name there: a local variable, a dummy argument or a member of a COMMON
//! block where it is declared, what a module has by a USE that renames it. The name of a module's own
//! variable or of a procedure belongs to others, too: such a text is refused.

use std::collections::HashSet;

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::intrinsics;
use xaif_schema::model::{
    Arg, Attr, Body, Document, ExprKind, Piece, ProcClass, Procedure, Role, ScopeId, ScopeKind,
    SpecItem, StmtKind, SymbolId, Use, UseName, Verb,
};
use xaif_schema::names::unique;

/// How many modules are followed for a name that one module passes on from another.
const MODULES_DEEP: u32 = 32;

/// What an intrinsic function is called, and the scope that calls it.
pub(crate) type Hidden = (ScopeId, String);

/// What hides a function.
enum Hider {
    /// A symbol of this scope.
    Own(ScopeId, SymbolId),
    /// What a USE of this scope brings in, by the index of the item.
    Used(ScopeId, usize, Option<SymbolId>),
}

/// Whether `scope` or one around it has another meaning for the name of an intrinsic function.
pub(crate) fn is_hidden(doc: &Document, scope: ScopeId, function: &str) -> bool {
    hider(doc, scope, function).is_some()
}

fn hider(doc: &Document, scope: ScopeId, function: &str) -> Option<Hider> {
    let mut current = Some(scope);
    // A scope tree with a cycle is the verifier's business; here it must not hang.
    for _ in 0..=doc.scopes.len() {
        let here = current?;
        let data = &doc.scopes[here];
        match data.kind {
            ScopeKind::Global => return None,
            ScopeKind::DerivedType(_) => {}
            ScopeKind::Plain
            | ScopeKind::Module(_)
            | ScopeKind::Submodule { .. }
            | ScopeKind::Procedure(_)
            | ScopeKind::BlockData(_)
            | ScopeKind::Block
            | ScopeKind::Associate
            | ScopeKind::Indices
            | ScopeKind::StatementFunction(_) => {
                if let Some(symbol) = doc.symbol_in(here, function)
                    && let Some(hides) = hides(doc, symbol)
                {
                    return hides.then_some(Hider::Own(here, symbol));
                }
                for (index, item) in data.items.iter().enumerate() {
                    let SpecItem::Use(used) = item else { continue };
                    match brought_in(doc, used, function, MODULES_DEEP) {
                        None => {}
                        // A generic name is another meaning of the function, not instead of it.
                        Some(Some(symbol)) if hides(doc, symbol) == Some(true) => {
                            return Some(Hider::Used(here, index, Some(symbol)));
                        }
                        Some(Some(_)) => return None,
                        Some(None) => return Some(Hider::Used(here, index, None)),
                    }
                }
            }
        }
        current = data.parent.filter(|_| sees_host(doc, here));
    }
    None
}

/// An interface body knows nothing of what stands around it but what it imports.
fn sees_host(doc: &Document, scope: ScopeId) -> bool {
    let body = |proc: &Procedure| proc.scope == scope && matches!(proc.body, Body::Interface);
    let imports = |item: &SpecItem| matches!(item, SpecItem::Import { .. });
    !doc.procs.values().any(body) || doc.scopes[scope].items.iter().any(imports)
}

/// Whether a symbol means something else than the intrinsic function of its name; `None` for what
/// has a name space of its own.
fn hides(doc: &Document, symbol: SymbolId) -> Option<bool> {
    match doc.role(symbol) {
        Some(Role::Procedure(info)) => Some(info.class != ProcClass::Intrinsic),
        Some(Role::Generic { .. }) => Some(false),
        Some(Role::CommonBlock | Role::Binding { .. } | Role::Final { .. }) => None,
        // Genuine documents do not tell procedures from functions of the language.
        None => None,
        Some(
            Role::Variable
            | Role::Constant
            | Role::DerivedType { .. }
            | Role::TypeParam { .. }
            | Role::Module { .. }
            | Role::BlockData
            | Role::Namelist
            | Role::StatementFunction
            | Role::Unresolved { .. }
            | Role::Associate { .. },
        ) => Some(true),
    }
}

/// What a USE brings in by this name, as far as that is known.
fn brought_in(doc: &Document, used: &Use, name: &str, fuel: u32) -> Option<Option<SymbolId>> {
    let fuel = fuel.checked_sub(1)?;
    if let Some(found) = used.names.iter().find(|one| one.local.eq_ignore_ascii_case(name)) {
        return Some(found.symbol.or_else(|| exported(doc, used, &found.remote, fuel)));
    }
    let renamed = used.names.iter().any(|one| one.remote.eq_ignore_ascii_case(name));
    if used.only || renamed {
        return None;
    }
    exported(doc, used, name, fuel).map(Some)
}

/// What the module of a USE has by this name.
fn exported(doc: &Document, used: &Use, name: &str, fuel: u32) -> Option<SymbolId> {
    let Some(Role::Module { scope: Some(module) }) = doc.role(used.module) else { return None };
    let items = &doc.scopes[*module].items;
    let own = doc.symbol_in(*module, &name.to_ascii_lowercase());
    let symbol = own.or_else(|| {
        items.iter().find_map(|item| match item {
            SpecItem::Use(used) => brought_in(doc, used, name, fuel).flatten(),
            _ => None,
        })
    })?;
    let attr = |attr| doc.symbols[symbol].has(attr);
    let mut private = attr(Attr::Private);
    for item in items {
        if let SpecItem::Access { private: says, symbols } = item
            && (symbols.contains(&symbol) || symbols.is_empty() && !attr(Attr::Public))
        {
            private = *says;
            if !symbols.is_empty() {
                break;
            }
        }
    }
    (!private).then_some(symbol)
}

/// Gives what hides a function another name.
///
/// # Errors
/// A name that others know, or that stands in a text.
pub(crate) fn uncover(
    doc: &mut Document,
    (scope, function): &Hidden,
) -> Result<(), Box<Diagnostic>> {
    match hider(doc, *scope, function) {
        None => Ok(()),
        Some(Hider::Own(home, symbol)) => {
            if !may_be_renamed(doc, home, symbol, function) {
                return Err(refused(doc, *scope, function, symbol));
            }
            let name = new_name(doc, function);
            rename(doc, home, function, &name);
            Ok(())
        }
        Some(Hider::Used(home, index, symbol)) => {
            let local = new_name(doc, function);
            let Some(SpecItem::Use(used)) = doc.scopes[home].items.get_mut(index) else {
                return Ok(());
            };
            let same = |one: &&mut UseName| one.local.eq_ignore_ascii_case(function);
            match used.names.iter_mut().find(same) {
                Some(one) if one.symbol.is_some() => one.local = local,
                Some(_) => {
                    let module = used.module;
                    return Err(refused(doc, *scope, function, module));
                }
                None => used.names.push(UseName { local, remote: function.clone(), symbol }),
            }
            Ok(())
        }
    }
}

fn new_name(doc: &Document, function: &str) -> String {
    let mut taken: HashSet<String> = doc.symbols.values().map(|symbol| symbol.id.clone()).collect();
    taken.extend(intrinsics::all().iter().map(|row| row.fortran.to_owned()));
    unique(function, &mut taken)
}

/// Whether nobody but the program unit itself knows a name.
fn may_be_renamed(doc: &Document, home: ScopeId, symbol: SymbolId, function: &str) -> bool {
    let variable = matches!(
        doc.role(symbol),
        Some(Role::Variable | Role::Constant | Role::StatementFunction | Role::Associate { .. })
    );
    let here = matches!(
        doc.scopes[home].kind,
        ScopeKind::Procedure(_)
            | ScopeKind::Block
            | ScopeKind::Associate
            | ScopeKind::Indices
            | ScopeKind::StatementFunction(_)
    );
    // The result of a function may have the name of the function.
    let result = matches!(doc.scopes[home].kind, ScopeKind::Procedure(own)
        if doc.symbols[own].id == doc.symbols[symbol].id);
    let named = doc.scopes[home].items.iter().any(
        |item| matches!(item, SpecItem::Namelist { members, .. } if members.contains(&symbol)),
    );
    variable && here && !result && !named && !stands_in_a_text(doc, function)
}

/// Whether a statement that is carried as a text has this word.
fn stands_in_a_text(doc: &Document, word: &str) -> bool {
    let has = |text: &str| {
        let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.any(|found| found.eq_ignore_ascii_case(word))
    };
    let in_items = doc.scopes.values().flat_map(|scope| &scope.items).any(|item| match item {
        SpecItem::Opaque { text, .. } => has(text),
        _ => false,
    });
    let in_statements = doc.stmts.values().any(|stmt| match &stmt.kind {
        StmtKind::Marker(marker) if marker.verb == Verb::Opaque => {
            marker.text.iter().any(|piece| matches!(piece, Piece::Text(text) if has(text)))
        }
        _ => false,
    });
    in_items
        || in_statements
        || doc.exprs.values().any(|expr| matches!(&expr.kind, ExprKind::Opaque(text) if has(text)))
}

/// Renames what has this name in `home`, and what has no declaration but that: an index of an
/// implied DO has the type of the variable of its name.
fn rename(doc: &mut Document, home: ScopeId, old: &str, new: &str) {
    let scopes: Vec<ScopeId> = doc
        .scopes
        .iter()
        .filter(|(id, data)| {
            let borrows = matches!(data.kind, ScopeKind::Indices | ScopeKind::StatementFunction(_));
            *id == home || borrows && is_within(doc, *id, home)
        })
        .map(|(id, _)| id)
        .collect();
    for scope in scopes {
        let Some(symbol) = doc.symbol_in(scope, old) else { continue };
        let data = &mut doc.symbols[symbol];
        data.id = new.to_ascii_lowercase();
        if let Some(decl) = data.decl.as_deref_mut() {
            decl.name = new.to_owned();
        }
    }
    rename_keywords(doc, home, old, new);
}

fn is_within(doc: &Document, scope: ScopeId, around: ScopeId) -> bool {
    let mut up = std::iter::successors(Some(scope), |&scope| doc.scopes[scope].parent);
    up.by_ref().take(doc.scopes.len() + 1).any(|scope| scope == around)
}

/// A dummy argument is named by keywords, too.
fn rename_keywords(doc: &mut Document, home: ScopeId, old: &str, new: &str) {
    let ScopeKind::Procedure(symbol) = doc.scopes[home].kind else { return };
    let procedure = doc.procedure_of(symbol);
    let is_own = |doc: &Document, callee: SymbolId| doc.procedure_of(callee) == procedure;
    let change = |args: &mut Vec<Arg>| {
        for arg in args {
            if arg.keyword.as_deref().is_some_and(|word| word.eq_ignore_ascii_case(old)) {
                arg.keyword = Some(new.into());
            }
        }
    };
    let has_keyword = |args: &[Arg]| args.iter().any(|arg| arg.keyword.is_some());
    let exprs: Vec<_> = doc
        .exprs
        .iter()
        .filter(|(_, expr)| match &expr.kind {
            ExprKind::Call(call) => has_keyword(&call.args) && is_own(doc, call.callee.symbol),
            _ => false,
        })
        .map(|(id, _)| id)
        .collect();
    let stmts: Vec<_> = doc
        .stmts
        .iter()
        .filter(|(_, stmt)| match &stmt.kind {
            StmtKind::Call(call) => has_keyword(&call.args) && is_own(doc, call.callee.symbol),
            _ => false,
        })
        .map(|(id, _)| id)
        .collect();
    for id in exprs {
        if let ExprKind::Call(call) = &mut doc.exprs[id].kind {
            change(&mut call.args);
        }
    }
    for id in stmts {
        if let StmtKind::Call(call) = &mut doc.stmts[id].kind {
            change(&mut call.args);
        }
    }
}

fn refused(doc: &Document, scope: ScopeId, function: &str, symbol: SymbolId) -> Box<Diagnostic> {
    let place = doc.symbols[symbol].decl.as_ref().map(|decl| decl.place);
    let place = place.filter(|place| place.file.is_some()).unwrap_or(doc.scopes[scope].place);
    let message = format!(
        "the intrinsic function `{function}` is called where the program has another meaning for its name"
    );
    Box::new(
        Diagnostic::error(Code::HIDDEN_FUNCTION, doc.spot(place), message)
            .with_help(format!("give `{}` another name", doc.name(symbol))),
    )
}
