//! Names that a user writes, and names that a user reads.

use std::collections::BTreeSet;

use smallvec::SmallVec;
use xaif_schema::diag::{Code, Diagnostic, Spot};
use xaif_schema::model::{
    Base, Body, Document, Part, ProcId, Reference, Role, ScopeId, ScopeKind, SpecItem, SymbolId, Ty,
};

use crate::storage::Member;
use crate::{LocationId, Storage};

/// A variable that was named for a procedure.
#[derive(Clone, Debug)]
pub struct Found {
    /// The whole of a variable, or a component of it.
    pub reference: Reference,
    /// The procedure.
    pub proc: ProcId,
}

/// `p`, `m%p` for a procedure of a module, `host%p` for an internal one.
pub fn qualified(doc: &Document, proc: ProcId) -> String {
    let symbol = doc.procs[proc].symbol;
    let name = doc.name(symbol);
    match owner(doc, doc.symbols[symbol].scope) {
        Some(owner) => format!("{}%{name}", doc.name(owner)),
        None => name.to_owned(),
    }
}

/// The name by which a procedure knows a location, else its first name with that of its module, COMMON
/// block or procedure before it.
pub fn of_location(
    doc: &Document,
    storage: &Storage,
    proc: ProcId,
    location: LocationId,
) -> String {
    let members = &storage.locations()[location].members;
    let scope_of = |symbol: SymbolId| doc.symbols[symbol].scope;
    let own = |m: &&Member| storage.procedures().owner(scope_of(m.symbol)) == Some(proc);
    if let Some(member) = members.iter().find(own) {
        return member.name(doc);
    }
    let Some(member) = members.first() else { return location.to_string() };
    let name = member.name(doc);
    let common = doc.symbols[member.symbol].decl.as_ref().and_then(|decl| decl.common);
    if let Some((block, _)) = common {
        return format!("{}{name}", doc.symbols[block].id);
    }
    match owner(doc, scope_of(member.symbol)) {
        Some(owner) => format!("{}%{name}", doc.name(owner)),
        None => name,
    }
}

/// The module or procedure that a scope belongs to.
pub fn owner(doc: &Document, scope: ScopeId) -> Option<SymbolId> {
    match doc.scopes[scope].kind {
        ScopeKind::Module(symbol)
        | ScopeKind::Submodule { symbol, .. }
        | ScopeKind::Procedure(symbol) => Some(symbol),
        ScopeKind::Plain
        | ScopeKind::Global
        | ScopeKind::BlockData(_)
        | ScopeKind::DerivedType(_)
        | ScopeKind::Block
        | ScopeKind::Associate
        | ScopeKind::Indices
        | ScopeKind::StatementFunction(_) => None,
    }
}

/// Whether a user who writes `name` may mean a variable or component: `X`, `M%X` for one of a module or procedure, `T%C`
/// for a component of a type.
pub fn is_of(doc: &Document, symbol: SymbolId, name: &str) -> bool {
    match name.rsplit_once('%') {
        None => is_named(doc, symbol, name.trim()),
        Some((around, name)) => {
            let scope = doc.symbols[symbol].scope;
            let home = match doc.scopes[scope].kind {
                ScopeKind::DerivedType(ty) => Some(ty),
                _ => owner(doc, scope),
            };
            is_named(doc, symbol, name.trim())
                && home.is_some_and(|home| is_named(doc, home, around.trim()))
        }
    }
}

/// Whether a user who writes `name` may mean `proc`.
pub fn is_called(doc: &Document, proc: ProcId, name: &str) -> bool {
    is_procedure(doc, doc.procs[proc].symbol, name)
}

/// Whether a user who writes `name` may mean the procedure `symbol`: by its name alone, or with the
/// module, submodule or host before it (`m%p`). A body in a submodule belongs to the module, too.
pub fn is_procedure(doc: &Document, symbol: SymbolId, name: &str) -> bool {
    match name.rsplit_once('%').or_else(|| name.rsplit_once("::")) {
        None => is_named(doc, symbol, name.trim()),
        Some((before, name)) => {
            let is_meant = |&owner: &SymbolId| is_named(doc, owner, before.trim());
            is_named(doc, symbol, name.trim())
                && owners(doc, doc.symbols[symbol].scope).iter().any(is_meant)
        }
    }
}

/// The module or procedure that a scope belongs to; for a submodule also those that it belongs to.
fn owners(doc: &Document, scope: ScopeId) -> Vec<SymbolId> {
    let mut owners: Vec<SymbolId> = owner(doc, scope).into_iter().collect();
    let mut at = Some(scope);
    while let Some(scope) = at {
        let ScopeKind::Submodule { parent, .. } = doc.scopes[scope].kind else { break };
        owners.push(parent);
        // A file that was not given leaves the global scope as the parent.
        at = doc.scopes[scope].parent;
    }
    owners
}

/// The procedure with a body that `name` means.
pub fn procedure(doc: &Document, name: &str) -> Result<ProcId, Diagnostic> {
    let bodies = doc.procs.iter().filter(|(_, proc)| matches!(proc.body, Body::Flow(_)));
    let bodies: Vec<ProcId> = bodies.map(|(id, _)| id).collect();
    let meant: Vec<ProcId> =
        bodies.iter().copied().filter(|&proc| is_called(doc, proc, name)).collect();
    match meant[..] {
        [proc] => Ok(proc),
        [] => {
            let message = format!("there is no procedure `{name}` with a body in the program");
            let names = bodies.iter().map(|&proc| qualified(doc, proc));
            let error = Diagnostic::error(Code::HEAD_NOT_FOUND, None, message);
            Err(with_nearest(error, name, names.collect(), "give the file that defines it, too"))
        }
        _ => {
            let message = format!("there are several procedures `{name}`");
            let names = meant.iter().map(|&proc| qualified(doc, proc));
            Err(Diagnostic::error(Code::HEAD_NOT_CLEAR, None, message)
                .with_help(format!("say which is meant: {}", some_of(names))))
        }
    }
}

/// The variable, or component of a variable, that `name` means for `proc`: `x`, `x%c`, `m%x`,
/// `/block/x`. Plain names are looked for in the procedure, around it, in the modules that it uses,
/// and among the COMMON variables and module variables of the whole program.
pub fn variable(doc: &Document, proc: ProcId, name: &str) -> Result<Found, Diagnostic> {
    let name = name.trim();
    let (block, rest) = match name.strip_prefix('/').and_then(|rest| rest.split_once('/')) {
        Some((block, rest)) => (Some(block.trim()), rest),
        None => (None, name),
    };
    let mut segments = rest.split('%').map(str::trim);
    let first = segments.next().unwrap_or_default();
    let error = || not_found(doc, proc, name);
    let mut symbol = match block {
        Some(block) => common_variable(doc, Some(block), first),
        None => own_variable(doc, proc, first)
            .or_else(|| visible(doc, doc.procs[proc].scope, first))
            .or_else(|| common_variable(doc, None, first))
            .or_else(|| module_variable(doc, first)),
    };
    if block.is_none() && symbol.is_none_or(|symbol| !is_variable(doc, symbol)) {
        let function = symbol.filter(|&symbol| symbol == doc.procs[proc].symbol);
        symbol = match (function, module_scope(doc, first)) {
            // The name of a function is that of its result.
            (Some(_), _) => doc.procs[proc].result,
            (None, Some(scope)) => segments.next().and_then(|next| visible(doc, scope, next)),
            (None, None) => None,
        };
    }
    let symbol = symbol.filter(|&symbol| is_variable(doc, symbol)).ok_or_else(error)?;
    let mut reference = whole(doc, symbol);
    for segment in segments {
        let (Base::Derived(ty) | Base::Class(ty)) = reference.ty.base else { return Err(error()) };
        let component = doc
            .data_components(ty)
            .into_iter()
            .find(|&c| doc.symbols[c].id.eq_ignore_ascii_case(segment))
            .ok_or_else(error)?;
        let below = whole(doc, component).ty;
        let name = doc.name(component).into();
        reference.parts.push(Part::Component { symbol: Some(component), name });
        reference.ty = below.with_rank(reference.ty.rank.max(below.rank));
    }
    Ok(Found { reference, proc })
}

/// A dummy argument or the result. Those of `module procedure p` are declared elsewhere.
fn own_variable(doc: &Document, proc: ProcId, name: &str) -> Option<SymbolId> {
    let procedure = &doc.procs[proc];
    let dummies = procedure.args.iter().filter_map(|arg| arg.symbol);
    dummies
        .chain(procedure.result)
        .find(|&symbol| doc.symbols[symbol].id.eq_ignore_ascii_case(name))
}

/// A reference to the whole of a variable.
pub fn whole(doc: &Document, symbol: SymbolId) -> Reference {
    let data = &doc.symbols[symbol];
    let base = data.decl.as_ref().map_or(Base::Unknown, |decl| decl.spec.base());
    let rank = match &data.decl {
        Some(decl) => decl.dims.len() as u8,
        None => data.rank.unwrap_or(0),
    };
    let place = data.decl.as_ref().map(|decl| decl.place).unwrap_or_default();
    Reference {
        parts: SmallVec::new(),
        ..Reference::whole(symbol, Ty::scalar(base).with_rank(rank), place)
    }
}

/// A reference as a user would write it, without subscripts.
pub fn of_reference(doc: &Document, reference: &Reference) -> String {
    let mut name = doc.name(reference.base).to_owned();
    for part in &reference.parts {
        if let Part::Component { name: component, .. } = part {
            name.push('%');
            name.push_str(component);
        }
    }
    name
}

/// Where a symbol is declared.
pub fn spot(doc: &Document, symbol: SymbolId) -> Option<Spot> {
    doc.symbols[symbol].decl.as_ref().and_then(|decl| doc.spot(decl.place))
}

/// Names for a message: all of them, or the first ones.
pub fn some_of(names: impl Iterator<Item = String>) -> String {
    const MOST: usize = 8;
    let mut names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(MOST);
    names.truncate(MOST);
    let list = names.join(", ");
    if more > 0 { format!("{list} and {more} more") } else { list }
}

fn is_variable(doc: &Document, symbol: SymbolId) -> bool {
    match doc.role(symbol) {
        Some(Role::Variable | Role::Unresolved { .. } | Role::Associate { .. }) => true,
        Some(_) => false,
        None => doc.symbols[symbol].kind != xaif_schema::model::SymbolKind::Subroutine,
    }
}

fn named_in(doc: &Document, scope: ScopeId, name: &str) -> Option<SymbolId> {
    let mut symbols = doc.scopes[scope].symbols.iter().copied();
    symbols.find(|&s| doc.symbols[s].id.eq_ignore_ascii_case(name) || is_named(doc, s, name))
}

/// Whether a user may call a symbol `name`. XAIF 1.0 documents number their names: `head__24`.
fn is_named(doc: &Document, symbol: SymbolId, name: &str) -> bool {
    let own = doc.name(symbol);
    let plain = own.rsplit_once("__").filter(|(_, number)| {
        doc.symbols[symbol].decl.is_none() && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    own.eq_ignore_ascii_case(name)
        || plain.is_some_and(|(plain, _)| plain.eq_ignore_ascii_case(name))
}

/// What `name` means in `scope`: of the scope itself, by USE, of the scopes around it.
pub fn visible(doc: &Document, scope: ScopeId, name: &str) -> Option<SymbolId> {
    let mut seen = BTreeSet::new();
    let mut at = Some(scope);
    while let Some(scope) = at {
        if let Some(symbol) = exported(doc, scope, name, &mut seen) {
            return Some(symbol);
        }
        at = doc.scopes[scope].parent;
    }
    None
}

/// What `name` means in `scope` itself or by its USE statements.
fn exported(
    doc: &Document,
    scope: ScopeId,
    name: &str,
    seen: &mut BTreeSet<(ScopeId, String)>,
) -> Option<SymbolId> {
    let mut work = vec![(scope, name.to_ascii_lowercase())];
    while let Some((scope, name)) = work.pop() {
        if !seen.insert((scope, name.clone())) {
            continue;
        }
        if let Some(symbol) = named_in(doc, scope, &name) {
            return Some(symbol);
        }
        for item in &doc.scopes[scope].items {
            let SpecItem::Use(used) = item else { continue };
            let Some(Role::Module { scope: Some(module) }) = doc.role(used.module) else {
                continue;
            };
            let renamed = used.names.iter().find(|n| n.local.eq_ignore_ascii_case(&name));
            match renamed {
                Some(renamed) => work.push((*module, renamed.remote.to_ascii_lowercase())),
                None if !used.only => work.push((*module, name.clone())),
                None => {}
            }
        }
    }
    None
}

fn module_scope(doc: &Document, name: &str) -> Option<ScopeId> {
    doc.symbols.iter().find_map(|(symbol, data)| match doc.role(symbol) {
        Some(Role::Module { scope }) if data.id.eq_ignore_ascii_case(name) => *scope,
        Some(_) | None => None,
    })
}

/// A COMMON variable of any program unit.
fn common_variable(doc: &Document, block: Option<&str>, name: &str) -> Option<SymbolId> {
    doc.symbols.iter().find_map(|(symbol, data)| {
        let (of, _) = data.decl.as_ref()?.common?;
        let right = block
            .is_none_or(|block| doc.symbols[of].id.trim_matches('/').eq_ignore_ascii_case(block));
        (right && data.id.eq_ignore_ascii_case(name)).then_some(symbol)
    })
}

/// The variable of that name of a module, if only one has it.
fn module_variable(doc: &Document, name: &str) -> Option<SymbolId> {
    let of_module = |&symbol: &SymbolId| {
        let scope = doc.symbols[symbol].scope;
        matches!(doc.scopes[scope].kind, ScopeKind::Module(_)) && is_variable(doc, symbol)
    };
    let named = |&symbol: &SymbolId| doc.symbols[symbol].id.eq_ignore_ascii_case(name);
    let mut found = doc.symbols.keys().filter(named).filter(of_module);
    found.next().filter(|_| found.next().is_none())
}

fn not_found(doc: &Document, proc: ProcId, name: &str) -> Diagnostic {
    let message =
        format!("`{}` has no variable `{name}` and uses none of that name", qualified(doc, proc));
    let error =
        Diagnostic::error(Code::VARIABLE_NOT_FOUND, doc.spot(doc.procs[proc].place), message);
    let mut candidates = Vec::new();
    let mut at = Some(doc.procs[proc].scope);
    while let Some(scope) = at {
        let symbols = doc.scopes[scope].symbols.iter();
        let variables = symbols.filter(|&&symbol| is_variable(doc, symbol));
        candidates.extend(variables.map(|&symbol| doc.name(symbol).to_owned()));
        at = doc.scopes[scope].parent;
    }
    let args = doc.procs[proc].args.iter().filter_map(|arg| arg.symbol);
    let args = some_of(args.map(|symbol| doc.name(symbol).to_owned()));
    with_nearest(error, name, candidates, &format!("its dummy arguments are {args}"))
}

/// `error` with the names that are nearest to `name` as a way out; `otherwise` if none is near.
fn with_nearest(
    error: Diagnostic,
    name: &str,
    candidates: Vec<String>,
    otherwise: &str,
) -> Diagnostic {
    let lower = name.to_ascii_lowercase();
    let distance = |candidate: &str| {
        let candidate = candidate.to_ascii_lowercase();
        let last = candidate.rsplit('%').next().unwrap_or_default();
        strsim::damerau_levenshtein(&lower, &candidate)
            .min(strsim::damerau_levenshtein(&lower, last))
    };
    let limit = (name.chars().count() / 3).max(1);
    let mut near: Vec<(usize, String)> = candidates
        .into_iter()
        .map(|candidate| (distance(&candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .collect();
    near.sort();
    near.dedup();
    near.truncate(3);
    if near.is_empty() {
        return error.with_help(otherwise);
    }
    let names = near.into_iter().map(|(_, candidate)| candidate);
    error.with_help(format!("do you mean {}?", some_of(names)))
}
