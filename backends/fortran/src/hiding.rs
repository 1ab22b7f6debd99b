//! Names that mean something else where they are printed.
//!
//! In a document everything is told by ids; in a text by names. A stage may have put a variable, a
//! constant, a type or a procedure where the program has another meaning for its name, or none: the
//! extent of a temporary for what a function returns may be a constant of the function's module. And an
//! intrinsic function is called by its name, which a variable `size` hides. Then
//!
//! - what a module has is brought in by a USE of its own, which renames it where its name is taken;
//! - else what hides it gets another name there: a local variable, a dummy argument or a member of a
//!   COMMON block where it is declared, what a module has by a USE that renames it.
//!
//! The name of a module's own variable or of a procedure belongs to others, too: such a text is
//! refused.

use std::collections::HashSet;

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::intrinsics;
use xaif_schema::model::{
    Arg, Attr, Base, Document, DummyArg, ExprKind, Piece, ProcClass, Role, ScopeId, ScopeKind,
    SpecItem, StmtKind, SymbolId, Ty, Use, UseName, Verb,
};
use xaif_schema::names::unique;
use xaif_schema::sight::{By, Meaning, Sight};

/// What is called by a name that means something else in a scope.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Misread {
    /// An intrinsic function.
    Function(ScopeId, String),
    /// A symbol of the document.
    Symbol(ScopeId, SymbolId),
}

/// What the name of an intrinsic function means where it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Called {
    /// Something else.
    pub(crate) hidden: bool,
    /// A generic name of the program, too.
    pub(crate) generic: bool,
}

/// What `function` means in a scope.
pub(crate) fn meanings(
    doc: &Document,
    sight: &Sight<'_>,
    (scope, function): &(ScopeId, String),
) -> Called {
    let by = sight.meaning(*scope, function).map(|meaning| meaning.by).unwrap_or_default();
    let hides = |by: &By| by.symbol().is_none_or(|symbol| is_no_function(doc, symbol));
    Called { hidden: by.iter().any(hides), generic: !by.is_empty() }
}

/// Whether a call of `function` with operands of these types would call a procedure of the program, by a
/// generic name that adds to the function's meanings.
pub(crate) fn is_taken_by(
    doc: &Document,
    sight: &Sight<'_>,
    (scope, function): &(ScopeId, String),
    types: &[Ty],
) -> bool {
    let by = sight.meaning(*scope, function).map(|meaning| meaning.by).unwrap_or_default();
    by.into_iter().filter_map(By::symbol).any(|symbol| match doc.role(symbol) {
        Some(Role::Generic { specifics, .. }) => {
            specifics.iter().any(|&specific| takes(doc, specific, types))
        }
        Some(_) | None => false,
    })
}

/// Whether a procedure can be called with operands of these types.
fn takes(doc: &Document, specific: SymbolId, types: &[Ty]) -> bool {
    let Some(proc) = doc.described_by(specific) else { return true };
    let proc = &doc.procs[proc];
    let elemental = doc.has(proc.symbol, Attr::Elemental);
    let fits = |(arg, ty): (&DummyArg, &Ty)| {
        let Some(symbol) = arg.symbol else { return false };
        let Some(decl) = doc.symbols[symbol].decl.as_deref() else { return true };
        let rank = u8::try_from(decl.dims.len()).unwrap_or(u8::MAX);
        let class = |base| match base {
            Base::Derived(_) | Base::Class(_) | Base::ClassStar => Base::ClassStar,
            other => other,
        };
        class(decl.spec.base()) == class(ty.base) && (elemental && rank == 0 || rank == ty.rank)
    };
    !types.is_empty() && types.len() <= proc.args.len() && proc.args.iter().zip(types).all(fits)
}

/// What means something else in the place of an intrinsic function.
fn hider(
    doc: &Document,
    sight: &Sight<'_>,
    scope: ScopeId,
    function: &str,
) -> Option<(ScopeId, By)> {
    let meaning = sight.meaning(scope, function)?;
    let is_function = |by: &By| match by.symbol().and_then(|symbol| doc.role(symbol)) {
        Some(Role::Procedure(info)) => info.class == ProcClass::Intrinsic,
        Some(_) | None => false,
    };
    meaning.by.iter().find(|by| !is_function(by)).map(|&by| (meaning.scope, by))
}

/// Whether a symbol means something else than the intrinsic function of its name.
fn is_no_function(doc: &Document, symbol: SymbolId) -> bool {
    match doc.role(symbol) {
        Some(Role::Procedure(info)) => info.class != ProcClass::Intrinsic,
        // Genuine documents do not tell procedures from functions of the language.
        Some(Role::Generic { .. }) | None => false,
        Some(Role::CommonBlock | Role::Binding { .. } | Role::Final { .. }) => false,
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
        ) => true,
    }
}

/// Changes names so that what is meant can be named.
///
/// # Errors
/// A name that others know, or that stands in a text.
pub(crate) fn uncover(doc: &mut Document, misread: &Misread) -> Result<(), Box<Diagnostic>> {
    match misread {
        Misread::Function(scope, function) => {
            // Several USE may bring in generic names: each gets another name.
            while let Some((home, by)) = hider(doc, &Sight::new(doc), *scope, function) {
                step_aside(doc, home, by, function).map_err(|hider| {
                    let message = format!(
                        "the intrinsic function `{function}` is called where the program has another meaning for its name"
                    );
                    refused(doc, *scope, Code::HIDDEN_FUNCTION, message, hider)
                })?;
            }
            Ok(())
        }
        Misread::Symbol(scope, symbol) => bring_in(doc, *scope, *symbol),
    }
}

/// Gives `symbol` a name in `scope`.
fn bring_in(doc: &mut Document, scope: ScopeId, symbol: SymbolId) -> Result<(), Box<Diagnostic>> {
    let home = doc.symbols[symbol].scope;
    let name = doc.name(symbol).to_owned();
    if let ScopeKind::Module(module) = doc.scopes[home].kind
        && !is_within(doc, scope, home)
    {
        if doc.is_private(symbol) {
            let message = format!("`{name}` is PRIVATE in its module, and a stage needs it here");
            return Err(refused(doc, scope, Code::HIDDEN_NAME, message, symbol));
        }
        let user = unit_of(doc, scope);
        let local = if is_free(doc, scope, &name) { name.clone() } else { new_name(doc, &name) };
        use_it(doc, user, module, UseName { local, remote: name, symbol: Some(symbol) });
        return Ok(());
    }
    let Some(Meaning { scope: hides, by }) = Sight::new(doc).meaning(scope, &name) else {
        return Ok(());
    };
    for by in by.into_iter().filter(|by| by.symbol() != Some(symbol)) {
        step_aside(doc, hides, by, &name).map_err(|hider| {
            let message = format!("`{name}` has another meaning here, where a stage needs it");
            refused(doc, scope, Code::HIDDEN_NAME, message, hider)
        })?;
    }
    Ok(())
}

/// Whether nothing is called `name` in `scope`.
fn is_free(doc: &Document, scope: ScopeId, name: &str) -> bool {
    let external =
        || doc.global_scope().and_then(|all| doc.symbol_in(all, &name.to_ascii_lowercase()));
    Sight::new(doc).meaning(scope, name).is_none() && external().is_none()
}

/// The program unit or procedure that a scope stands in, where USE can stand.
fn unit_of(doc: &Document, scope: ScopeId) -> ScopeId {
    let up = std::iter::successors(Some(scope), |&scope| doc.scopes[scope].parent);
    let takes_use = |&scope: &ScopeId| match doc.scopes[scope].kind {
        ScopeKind::Module(_)
        | ScopeKind::Submodule { .. }
        | ScopeKind::Procedure(_)
        | ScopeKind::BlockData(_) => true,
        ScopeKind::Plain
        | ScopeKind::Global
        | ScopeKind::DerivedType(_)
        | ScopeKind::Block
        | ScopeKind::Associate
        | ScopeKind::Indices
        | ScopeKind::StatementFunction(_) => false,
    };
    up.take(doc.scopes.len() + 1).find(takes_use).unwrap_or(scope)
}

/// Adds `name` to what `user` has of a module.
fn use_it(doc: &mut Document, user: ScopeId, module: SymbolId, name: UseName) {
    let place = doc.scopes[user].place;
    let items = &mut doc.scopes[user].items;
    let listed = items.iter_mut().find_map(|item| match item {
        SpecItem::Use(used) if used.module == module && used.only => Some(used),
        _ => None,
    });
    if let Some(used) = listed {
        used.names.push(name);
        return;
    }
    let used = Use { module, nature: None, only: true, names: vec![name], place };
    items.insert(crate::specification::use_at(items), SpecItem::Use(used));
}

/// Gives what means `name` in `home` another name.
///
/// # Errors
/// What cannot be given one.
fn step_aside(doc: &mut Document, home: ScopeId, by: By, name: &str) -> Result<(), SymbolId> {
    match by {
        By::Declaration(symbol) => {
            if !may_be_renamed(doc, home, symbol, name) {
                return Err(symbol);
            }
            let new = new_name(doc, name);
            rename(doc, home, name, &new);
        }
        By::Use { item, symbol } => {
            let local = new_name(doc, name);
            let Some(SpecItem::Use(used)) = doc.scopes[home].items.get_mut(item) else {
                return Ok(());
            };
            let same = |one: &&mut UseName| one.local.eq_ignore_ascii_case(name);
            match used.names.iter_mut().find(same) {
                Some(one) if one.symbol.is_some() => one.local = local,
                Some(_) => return Err(used.module),
                None => used.names.push(UseName { local, remote: name.to_owned(), symbol }),
            }
        }
    }
    Ok(())
}

/// A name like `name` that nothing has, by declaration or by USE.
fn new_name(doc: &Document, name: &str) -> String {
    let mut taken: HashSet<String> = doc.symbols.values().map(|symbol| symbol.id.clone()).collect();
    taken.extend(intrinsics::all().iter().map(|row| row.fortran.to_owned()));
    for item in doc.scopes.values().flat_map(|scope| &scope.items) {
        if let SpecItem::Use(used) = item {
            taken.extend(used.names.iter().map(|one| one.local.to_ascii_lowercase()));
        }
    }
    unique(name, &mut taken)
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

/// What has been given another name and is misread still: a defect of this program, and no text.
pub(crate) fn stuck(doc: &Document, misread: &Misread) -> Box<Diagnostic> {
    let (Misread::Function(scope, _) | Misread::Symbol(scope, _)) = misread;
    let name = match misread {
        Misread::Function(_, name) => name,
        Misread::Symbol(_, symbol) => doc.name(*symbol),
    };
    let message = format!("no name could be found for `{name}` here");
    Box::new(Diagnostic::error(Code::HIDDEN_NAME, doc.spot(doc.scopes[*scope].place), message))
}

fn refused(
    doc: &Document,
    scope: ScopeId,
    code: Code,
    message: String,
    hider: SymbolId,
) -> Box<Diagnostic> {
    let place = doc.symbols[hider].decl.as_ref().map(|decl| decl.place);
    let place = place.filter(|place| place.file.is_some()).unwrap_or(doc.scopes[scope].place);
    let help = match code {
        Code::HIDDEN_NAME if doc.is_private(hider) => format!("make `{}` PUBLIC", doc.name(hider)),
        _ => format!("give `{}` another name", doc.name(hider)),
    };
    Box::new(Diagnostic::error(code, doc.spot(place), message).with_help(help))
}
