//! BLOCK and ASSOCIATE constructs become plain text.
//!
//! Variables of a BLOCK become variables of the procedure, under names that nobody else has. It
//! stays where that would change what the program means: for variables that come into being or go
//! with the construct (allocatables, automatic arrays, default values), and other declarations.
//!
//! A name of an ASSOCIATE becomes what it stands for: subscripts are evaluated as the construct is
//! entered, into variables, and so is a selector that is an expression. It stays where a selector
//! is reached through a pointer or is an array that is not a variable, and where a name stands for
//! a section of which elements are named.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{
    Attr, Base, Body, Cfg, Dim, Document, ExprId, ExprKind, Part, Place, ProcId, RefId, Reference,
    Role, ScopeId, ScopeKind, SpecItem, StmtId, StmtKind, Subscript, SymbolId, VertexKind,
};

use super::super::reversal::constant;
use crate::build::{Copier, assign, new_variable, value_of, whole};

/// Rewrites the constructs of a procedure, those around others first.
pub(super) fn flatten(doc: &mut Document, proc: ProcId) {
    let Body::Flow(cfg) = &mut doc.procs[proc].body else { return };
    let mut cfg = std::mem::take(cfg);
    for (stmt, scope) in opened(doc, &cfg) {
        let place = doc.stmts[stmt].place;
        let before = match doc.scopes[scope].kind {
            ScopeKind::Block => block(doc, scope).then(Vec::new),
            ScopeKind::Associate => associate(doc, scope, place),
            ScopeKind::Plain
            | ScopeKind::Global
            | ScopeKind::Module(_)
            | ScopeKind::Submodule { .. }
            | ScopeKind::Procedure(_)
            | ScopeKind::BlockData(_)
            | ScopeKind::DerivedType(_)
            | ScopeKind::Indices
            | ScopeKind::StatementFunction(_) => None,
        };
        if let Some(before) = before {
            take_out(doc, &mut cfg, (stmt, scope), &before);
        }
    }
    doc.procs[proc].body = Body::Flow(cfg);
}

/// The constructs with a scope of their own, in the order of the text.
fn opened(doc: &Document, cfg: &Cfg) -> Vec<(StmtId, ScopeId)> {
    let mut found = Vec::new();
    for &vertex in &cfg.layout {
        let VertexKind::BasicBlock { stmts, .. } = &cfg.vertices[vertex].kind else { continue };
        for &stmt in stmts {
            if let StmtKind::OpenScope(open) = &doc.stmts[stmt].kind {
                found.push((stmt, open.scope));
            }
        }
    }
    found
}

/// Takes out the statements that open and close a scope; its statements belong to the one around.
fn take_out(
    doc: &mut Document,
    cfg: &mut Cfg,
    (open, scope): (StmtId, ScopeId),
    before: &[StmtId],
) {
    let Some(around) = doc.scopes[scope].parent else { return };
    for vertex in cfg.vertices.values_mut() {
        let VertexKind::BasicBlock { scope: of_block, stmts } = &mut vertex.kind else { continue };
        if *of_block == scope {
            *of_block = around;
        }
        let closes =
            |stmt: StmtId| matches!(doc.stmts[stmt].kind, StmtKind::CloseScope(s) if s == scope);
        stmts.retain(|&stmt| !closes(stmt));
        if let Some(at) = stmts.iter().position(|&stmt| stmt == open) {
            stmts.splice(at..=at, before.iter().copied());
        }
    }
    for inside in doc.scopes.values_mut().filter(|inside| inside.parent == Some(scope)) {
        inside.parent = Some(around);
    }
}

/// Moves the variables of a BLOCK to the procedure, if all of them can be moved.
fn block(doc: &mut Document, scope: ScopeId) -> bool {
    let plain = doc.scopes[scope].items.iter().all(|item| {
        matches!(item, SpecItem::Declare(_) | SpecItem::Comment(_) | SpecItem::ImplicitNone(_))
    });
    let symbols = doc.scopes[scope].symbols.clone();
    if !plain || !symbols.iter().all(|&symbol| can_move(doc, symbol)) {
        return false;
    }
    let home = std::iter::successors(doc.scopes[scope].parent, |&s| doc.scopes[s].parent)
        .find(|&s| matches!(doc.scopes[s].kind, ScopeKind::Procedure(_) | ScopeKind::Plain));
    let Some(home) = home else { return false };
    doc.scopes[scope].items.clear();
    for symbol in symbols {
        super::adopt(doc, symbol, home);
    }
    true
}

fn can_move(doc: &Document, symbol: SymbolId) -> bool {
    let Some(decl) = doc.symbols[symbol].decl.as_deref() else { return false };
    let is_constant = |expr: ExprId| constant(doc, expr).is_some();
    let fixed = decl.dims.iter().all(|dim| match dim {
        Dim::Explicit { lower, upper } => lower.is_none_or(is_constant) && is_constant(*upper),
        Dim::AssumedShape { .. } | Dim::Deferred | Dim::AssumedSize { .. } | Dim::AssumedRank => {
            false
        }
    });
    let simple = matches!(
        decl.spec.base(),
        Base::Integer(_) | Base::Real(_) | Base::Complex(_) | Base::Logical(_)
    );
    let own = [Attr::Allocatable, Attr::Pointer, Attr::Volatile, Attr::Asynchronous];
    matches!(decl.role, Role::Variable | Role::Constant)
        && simple
        && fixed
        && !own.iter().any(|attr| decl.attrs.contains(attr))
        && decl.char_len.is_none()
}

/// What a name stands for.
enum Meaning {
    /// This designator, whose subscripts are not evaluated again.
    Designator(RefId),
    /// The value of an expression.
    Value(ExprId),
}

/// Replaces the names of an ASSOCIATE, if all of them can be replaced; the result is what is
/// executed as it is entered.
fn associate(doc: &mut Document, scope: ScopeId, place: Place) -> Option<Vec<StmtId>> {
    let symbols = doc.scopes[scope].symbols.clone();
    let names: HashSet<SymbolId> = symbols.iter().copied().collect();
    let mut uses: HashMap<SymbolId, Vec<RefId>> = HashMap::new();
    for (id, reference) in &doc.refs {
        if names.contains(&reference.base) {
            uses.entry(reference.base).or_default().push(id);
        }
    }
    let meanings: Vec<(SymbolId, Meaning)> = symbols
        .iter()
        .map(|&symbol| {
            let named = uses.get(&symbol).map_or(&[][..], Vec::as_slice);
            Some((symbol, meaning(doc, symbol, named)?))
        })
        .collect::<Option<_>>()?;
    let mut before = Vec::new();
    for (symbol, meaning) in meanings {
        let named = uses.remove(&symbol).unwrap_or_default();
        let target = match meaning {
            Meaning::Designator(target) => frozen(doc, scope, target, &mut before),
            Meaning::Value(value) => {
                let home = doc.scopes[scope].parent.unwrap_or(scope);
                super::adopt(doc, symbol, home);
                if let Some(decl) = &mut doc.symbols[symbol].decl {
                    decl.role = Role::Variable;
                }
                let lhs = whole(doc, symbol, place);
                doc.refs[lhs].active = doc.symbols[symbol].active;
                let value = Copier::new().expr(doc, value);
                before.push(assign(doc, lhs, value, place));
                continue;
            }
        };
        for id in named {
            let copy = doc.refs.push(target.clone());
            let copy = Copier::new().reference(doc, copy);
            let mut parts = doc.refs[copy].parts.clone();
            let reference = &mut doc.refs[id];
            parts.extend(reference.parts.iter().cloned());
            reference.base = target.base;
            reference.parts = parts;
            (reference.alias, reference.du_ud) = (None, None);
        }
    }
    Some(before)
}

/// What a name stands for, if it can be replaced wherever `named` names it.
fn meaning(doc: &Document, symbol: SymbolId, named: &[RefId]) -> Option<Meaning> {
    let Some(Role::Associate { selector: Some(selector) }) = doc.role(symbol) else { return None };
    let selector = *selector;
    let value = &doc.exprs[selector];
    let declared = doc.symbols[symbol].decl.as_ref().map(|decl| decl.spec.base());
    let target = match value.kind {
        ExprKind::Ref(target) if !value.parens => target,
        _ => {
            let simple = is_simple(value.ty.base, value.ty.rank);
            let told = declared == Some(value.ty.base);
            return (simple && told).then_some(Meaning::Value(selector));
        }
    };
    let reference = &doc.refs[target];
    let indirect = |symbol: SymbolId| {
        let decl = doc.symbols[symbol].decl.as_deref();
        decl.is_none_or(|decl| {
            decl.attrs.contains(&Attr::Pointer)
                || matches!(decl.spec.base(), Base::Class(_) | Base::ClassStar | Base::TypeStar)
                || matches!(decl.role, Role::Associate { .. })
        })
    };
    if indirect(reference.base) {
        return None;
    }
    let mut section = false;
    for part in &reference.parts {
        match part {
            Part::Component { symbol: Some(component), .. } if !indirect(*component) => {}
            Part::Component { .. } | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => {
                return None;
            }
            Part::Elements(subscripts) => {
                for subscript in subscripts {
                    match *subscript {
                        Subscript::Index(index) if doc.exprs[index].ty.rank > 0 => return None,
                        Subscript::Index(_) => {}
                        Subscript::Section { .. } => section = true,
                    }
                }
            }
        }
    }
    // An element, section or component of a section would have to be found in the whole.
    let whole = named.iter().all(|&id| doc.refs[id].parts.is_empty());
    (whole || !section).then_some(Meaning::Designator(target))
}

fn is_simple(base: Base, rank: u8) -> bool {
    rank == 0
        && matches!(base, Base::Integer(_) | Base::Real(_) | Base::Complex(_) | Base::Logical(_))
}

/// A designator with its subscripts in variables.
fn frozen(
    doc: &mut Document,
    scope: ScopeId,
    target: RefId,
    before: &mut Vec<StmtId>,
) -> Reference {
    let mut reference = doc.refs[target].clone();
    let home = doc.scopes[scope].parent.unwrap_or(scope);
    let mut freeze = |doc: &mut Document, expr: ExprId| {
        if constant(doc, expr).is_some() {
            return expr;
        }
        let (base, place) = (doc.exprs[expr].ty.base, doc.exprs[expr].place);
        let variable = new_variable(doc, home, "at", base, place);
        let lhs = whole(doc, variable, place);
        let value = Copier::new().expr(doc, expr);
        before.push(assign(doc, lhs, value, place));
        let at = whole(doc, variable, place);
        value_of(doc, at)
    };
    for part in &mut reference.parts {
        let Part::Elements(subscripts) = part else { continue };
        for subscript in subscripts {
            match subscript {
                Subscript::Index(index) => *index = freeze(doc, *index),
                Subscript::Section { lower, upper, stride } => {
                    for bound in [lower, upper, stride].into_iter().flatten() {
                        *bound = freeze(doc, *bound);
                    }
                }
            }
        }
    }
    reference
}
