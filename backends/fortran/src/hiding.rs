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
    Arg, Attr, Base, Document, DummyArg, ExprKind, Operand, Piece, ProcClass, Role, ScopeId,
    ScopeKind, SpecItem, StmtKind, SymbolId, Ty, UseName, Verb,
};
use xaif_schema::names::unique;
use xaif_schema::visibility::{By, Meaning, Sight};

/// What is called by a name that means something else in a scope.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Misread {
    /// An intrinsic function.
    Function(ScopeId, String),
    /// A symbol of the document.
    Symbol(ScopeId, SymbolId),
}

/// What the name of an intrinsic function means where it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Called {
    /// Whether it is something else.
    pub(crate) hidden: bool,
    /// The generic names of the program that add to the function's meanings.
    generics: Vec<SymbolId>,
}

impl Called {
    /// What `function` means in `scope`.
    pub(crate) fn new(doc: &Document, sight: &Sight<'_>, scope: ScopeId, function: &str) -> Self {
        let by = sight.meaning(scope, function).map(|meaning| meaning.by).unwrap_or_default();
        let is_generic = |by: &&By| by.symbol().is_some_and(|symbol| is_generic(doc, symbol));
        let (generic, other): (Vec<&By>, Vec<&By>) = by.iter().partition(is_generic);
        Called {
            hidden: other.into_iter().any(|by| !is_function(doc, by)),
            generics: generic.into_iter().filter_map(|by| by.symbol()).collect(),
        }
    }

    /// Notes a call with these operands: one of a generic name's procedures may be what is called.
    pub(crate) fn with(&mut self, doc: &Document, operands: &[Operand]) {
        if self.hidden || self.generics.is_empty() {
            return;
        }
        let types: Vec<Ty> = operands.iter().map(|operand| doc.exprs[operand.expr].ty).collect();
        self.hidden = self.generics.iter().any(|&generic| match doc.role(generic) {
            Some(Role::Generic { specifics, .. }) => {
                specifics.iter().any(|&specific| takes(doc, specific, &types))
            }
            Some(_) | None => false,
        });
    }
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
fn hider(doc: &Document, scope: ScopeId, function: &str) -> Option<(ScopeId, By)> {
    let meaning = Sight::new(doc).meaning(scope, function)?;
    meaning.by.iter().find(|by| !is_function(doc, by)).map(|&by| (meaning.scope, by))
}

/// Whether a name means the intrinsic function.
fn is_function(doc: &Document, by: &By) -> bool {
    match by.symbol().and_then(|symbol| doc.role(symbol)) {
        Some(Role::Procedure(info)) => info.class == ProcClass::Intrinsic,
        Some(_) | None => false,
    }
}

/// Whether a symbol is a generic name.
pub(crate) fn is_generic(doc: &Document, symbol: SymbolId) -> bool {
    matches!(doc.role(symbol), Some(Role::Generic { .. }))
}

/// Changes names so that what is meant can be named.
///
/// # Errors
/// A name that others know, or that stands in a text.
pub(crate) fn uncover(doc: &mut Document, misread: &Misread) -> Result<(), Box<Diagnostic>> {
    match misread {
        Misread::Function(scope, function) => {
            // Several USE may bring in generic names: each gets another name.
            while let Some((home, by)) = hider(doc, *scope, function) {
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
        && !doc.is_within(scope, home)
    {
        if doc.is_private(symbol) {
            let message = format!("`{name}` is PRIVATE in its module, and a stage needs it here");
            return Err(refused(doc, scope, Code::HIDDEN_NAME, message, symbol));
        }
        let user = unit_of(doc, scope);
        let local = if is_free(doc, scope, &name) { name.clone() } else { new_name(doc, &name) };
        let place = doc.scopes[user].place;
        let name = UseName { local, remote: name, symbol: Some(symbol) };
        doc.scopes[user].bring_in(module, name, place);
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
            *id == home || borrows && doc.is_within(*id, home)
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
