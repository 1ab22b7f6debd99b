//! What pointers point to in procedures that execute one sweep.
//!
//! Associations go from `p_fwd` to `p_bwd` over the tape, as they are: so what is pointed to must be
//! where it was, and its adjoint must have been there in the forward sweep. That holds for variables of
//! modules and for memory that pointers have allocated. It does not hold for local variables, which
//! are gone as `p_fwd` ends: in both procedures a local variable that is pointed to becomes memory
//! behind a pointer of its name, which the procedure allocates as it begins. The backward sweep mirrors
//! that, so `p_bwd` releases it in the end.
//!
//! What can be neither is refused: targets that are dummy arguments, whose adjoints `p_fwd` has not got,
//! and those that are saved or allocatable.

use std::collections::{BTreeSet, HashSet};

use xaif_schema::model::{
    Allocate, Arg, ArgValue, Attr, Base, Body, Dim, Document, ExprId, ExprKind, Part, ProcId,
    RefId, Role, SpecItem, StmtKind, Subscript, SymbolId,
};

use super::body::statements;
use super::record::is_plain;
use crate::analysis::Procedures;
use crate::build::{Copier, mentions_of_declaration, rewrite_entry, whole};
use crate::transform::derivative::{Counterparts, Sweep, described_by};
use crate::transform::tangent::reallocate::has;

/// How long a variable lives, and who has its adjoint.
enum Home {
    /// It is there before the procedure and behind it.
    Outer,
    /// A dummy argument or the result of a function.
    Dummy,
    /// A local variable that keeps its value.
    Saved,
    /// A local variable.
    Local,
}

fn home(doc: &Document, procedures: &Procedures, symbol: SymbolId) -> Home {
    let common = doc.symbols[symbol].decl.as_deref().is_some_and(|decl| decl.common.is_some());
    match procedures.owner(doc.symbols[symbol].scope) {
        None => Home::Outer,
        Some(_) if common => Home::Outer,
        Some(owner)
            if procedures.dummy_of(symbol).is_some() || doc.procs[owner].result == Some(symbol) =>
        {
            Home::Dummy
        }
        Some(_) if procedures.is_static(symbol) => Home::Saved,
        Some(_) => Home::Local,
    }
}

/// Whether what a reference means is behind a pointer.
fn is_behind_pointer(doc: &Document, reference: RefId) -> bool {
    let reference = &doc.refs[reference];
    has(doc, reference.base, Attr::Pointer)
        || reference.parts.iter().any(|part| match part {
            Part::Component { symbol: Some(symbol), .. } => has(doc, *symbol, Attr::Pointer),
            Part::Component { symbol: None, .. }
            | Part::Elements(_)
            | Part::Substring { .. }
            | Part::Inquiry(_)
            | Part::Deref => false,
        })
}

/// The variable that a pointer gets to point to; none where it is behind a pointer itself.
fn target(doc: &Document, rhs: ExprId) -> Option<RefId> {
    match doc.exprs[rhs].kind {
        ExprKind::Ref(reference) if !is_behind_pointer(doc, reference) => Some(reference),
        _ => None,
    }
}

/// Why the association of `pointer` with `rhs`, or with what is allocated, cannot go from one half of a
/// procedure to the other.
pub(super) fn why_not_split(
    doc: &Document,
    procedures: &Procedures,
    (pointer, has_adjoint): (RefId, bool),
    rhs: Option<ExprId>,
) -> Option<&'static str> {
    let base = doc.refs[pointer].base;
    match home(doc, procedures, base) {
        Home::Dummy if has_adjoint => return Some("the forward sweep alone has no adjoint of it"),
        Home::Saved => return Some("it keeps its association for the next call"),
        Home::Outer | Home::Dummy | Home::Local => {}
    }
    let ExprKind::Ref(aim) = doc.exprs[rhs?].kind else { return None };
    if has_adjoint && matches!(home(doc, procedures, doc.refs[aim].base), Home::Dummy) {
        return Some("the forward sweep alone has no adjoint of its target");
    }
    let target = target(doc, rhs?)?;
    let base = doc.refs[target].base;
    let allocatable = has(doc, base, Attr::Allocatable)
        || doc.refs[target].parts.iter().any(|part| match part {
            Part::Component { symbol, .. } => {
                symbol.is_none_or(|symbol| has(doc, symbol, Attr::Allocatable))
            }
            Part::Elements(_) | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => false,
        });
    if allocatable {
        return Some("its target may be allocated elsewhere when the backward sweep comes");
    }
    match home(doc, procedures, base) {
        Home::Outer => None,
        Home::Dummy => Some("its target is an argument"),
        Home::Saved => Some("its target keeps its value for the next call"),
        Home::Local if can_move(doc, base) => None,
        Home::Local => Some("its target is gone when the backward sweep comes"),
    }
}

/// Whether a local variable may as well be memory behind a pointer.
fn can_move(doc: &Document, symbol: SymbolId) -> bool {
    if has(doc, symbol, Attr::Pointer) {
        return true;
    }
    let Some(decl) = doc.symbols[symbol].decl.as_deref() else { return false };
    let scope = doc.symbols[symbol].scope;
    let known = decl.dims.iter().all(|dim| matches!(dim, Dim::Explicit { .. }));
    let plain = matches!(decl.role, Role::Variable)
        && decl.init.is_none()
        && decl.common.is_none()
        && !matches!(decl.spec.base(), Base::Class(_) | Base::ClassStar | Base::Character(_))
        && is_plain(doc, decl.spec.base());
    // Declarations may not ask for the bounds of what is not allocated yet.
    let others = doc.scopes[scope].symbols.iter().filter(|&&other| other != symbol);
    let declares = others
        .flat_map(|&other| mentions_of_declaration(doc, other))
        .any(|mention| mention.symbol == symbol);
    let listed = doc.scopes[scope].items.iter().any(|item| match item {
        SpecItem::Equivalence(groups) => {
            groups.iter().flatten().any(|&one| doc.refs[one].base == symbol)
        }
        _ => false,
    });
    known && plain && !declares && !listed && !begins_sequence(doc, symbol)
}

/// Whether an element of an array is passed where it stands for all that follow, which one of a pointer
/// may not.
fn begins_sequence(doc: &Document, symbol: SymbolId) -> bool {
    let is_element = |arg: &Arg| match arg.value {
        ArgValue::Expr(expr) => match doc.exprs[expr].kind {
            ExprKind::Ref(reference) => {
                let reference = &doc.refs[reference];
                reference.base == symbol
                    && reference.ty.rank == 0
                    && matches!(reference.parts.last(), Some(Part::Elements(_)))
            }
            _ => false,
        },
        ArgValue::AlternateReturn(_) => false,
    };
    let begins = |callee: SymbolId, args: &[Arg]| {
        let known = described_by(doc, callee).map(|proc| &doc.procs[proc].args);
        args.iter().filter(|arg| is_element(arg)).any(|arg| {
            let at = usize::try_from(arg.position).unwrap_or(0).wrapping_sub(1);
            let dummy = known.and_then(|args| args.get(at)).and_then(|arg| arg.symbol);
            dummy.is_none_or(|dummy| doc.symbols[dummy].rank != Some(0))
        })
    };
    let in_expressions = doc.exprs.values().any(|node| match &node.kind {
        ExprKind::Call(call) => begins(call.callee.symbol, &call.args),
        _ => false,
    });
    in_expressions
        || doc.stmts.values().any(|stmt| match &stmt.kind {
            StmtKind::Call(call) => begins(call.callee.symbol, &call.args),
            _ => false,
        })
}

/// Makes memory behind pointers of the local targets of all procedures that execute one sweep; these.
pub(super) fn move_local_targets(doc: &mut Document, parts: &Counterparts) -> HashSet<SymbolId> {
    let procedures = Procedures::new(doc);
    let bodies = doc.procs.values().filter_map(|proc| match &proc.body {
        Body::Flow(cfg) => Some(cfg),
        Body::Interface | Body::Replacements { .. } => None,
    });
    let mut found: BTreeSet<(ProcId, SymbolId)> = BTreeSet::new();
    for stmt in bodies.flat_map(statements) {
        let StmtKind::PointerAssign { rhs, .. } = doc.stmts[stmt].kind else { continue };
        let Some(base) = target(doc, rhs).map(|target| doc.refs[target].base) else { continue };
        // That of an internal procedure may be a variable of its host.
        let owner = procedures.owner(doc.symbols[base].scope);
        let Some(owner) = owner.filter(|&owner| parts.sweep_of(owner) != Sweep::Both) else {
            continue;
        };
        if matches!(home(doc, &procedures, base), Home::Local) && can_move(doc, base) {
            found.insert((owner, base));
        }
    }
    // What is written first stands behind what is written later.
    for &(proc, symbol) in found.iter().rev() {
        allocate_first(doc, proc, symbol);
        [Some(symbol), parts.variable(symbol)].into_iter().flatten().for_each(|s| point(doc, s));
    }
    found.into_iter().map(|(_, symbol)| symbol).collect()
}

/// Writes the ALLOCATE statement of a variable, with the bounds it is declared with.
fn allocate_first(doc: &mut Document, proc: ProcId, symbol: SymbolId) {
    let decl = doc.symbols[symbol].decl.as_deref();
    let (place, dims) = decl.map(|decl| (decl.place, decl.dims.clone())).unwrap_or_default();
    let object = whole(doc, symbol, place);
    let bounds = dims.iter().filter_map(|dim| match *dim {
        Dim::Explicit { lower: None, upper } => Some(Subscript::Index(upper)),
        Dim::Explicit { lower, upper } => {
            Some(Subscript::Section { lower, upper: Some(upper), stride: None })
        }
        Dim::AssumedShape { .. } | Dim::Deferred | Dim::AssumedSize { .. } | Dim::AssumedRank => {
            None
        }
    });
    let bounds: Vec<Subscript> = bounds.collect();
    if !bounds.is_empty() {
        doc.refs[object].parts.push(Part::Elements(bounds));
    }
    let objects = vec![Copier::new().reference(doc, object)];
    let (spec, stat, errmsg, source, mold) = (None, None, None, None, None);
    let allocate = Allocate { spec, objects, stat, errmsg, source, mold };
    let written: Result<(), ()> = rewrite_entry(doc, proc, |e| {
        e.stmt(StmtKind::Allocate(Box::new(allocate)), place);
        Ok(())
    });
    debug_assert!(written.is_ok());
}

/// Declares a target as a pointer.
fn point(doc: &mut Document, symbol: SymbolId) {
    let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() else { return };
    decl.attrs.remove(&Attr::Target);
    decl.attrs.insert(Attr::Pointer);
    if !decl.dims.is_empty() {
        decl.attrs.insert(Attr::Contiguous);
    }
    decl.dims.iter_mut().for_each(|dim| *dim = Dim::Deferred);
}
