//! What pointers point to in procedures that execute one sweep.
//!
//! Associations go from `p_fwd` to `p_bwd` over the tape, as they are: so what is pointed to must be
//! where it was, and its adjoint must have been there in the forward sweep. That holds for variables of
//! modules and for memory that pointers have allocated. It does not hold for local variables, which
//! are gone as `p_fwd` ends: in both procedures a local variable that is pointed to becomes memory
//! behind a pointer of its name, which the procedure allocates as it begins. The backward sweep mirrors
//! that, so `p_bwd` releases it in the end.
//!
//! Dummy arguments that are associated or pointed to are *addressed*: `p_fwd` is given their adjoints,
//! too, and whoever calls the two halves must give both the same memory. So a local variable that it
//! passes becomes memory behind a pointer as well if it is in two halves itself, and its own arguments
//! that it passes are addressed.
//!
//! What can be none of these is refused: targets that are saved or allocatable, and addressed arguments
//! of which a call may pass a copy.

use std::collections::{BTreeSet, HashMap, HashSet};

use xaif_schema::model::{
    Allocate, Arg, ArgValue, Attr, Base, Body, Callee, Dim, Document, ExprId, ExprKind, Part,
    ProcId, RefId, Reference, Role, SpecItem, StmtId, StmtKind, Subscript, SymbolId,
};

use crate::body::statements;
use crate::call_modes::choice::{associations, callee_of};
use crate::queries::designators::is_plain;
use booster_build::passed_at;
use booster_build::{Copier, mentions_of_declaration, rewrite_entry, whole};
use booster_facts::Procedures;
use booster_facts::arguments_of;
use booster_shadow::derivative::{Callables, Counterparts, Slot, Sweep};

/// How long a variable lives, and who has its adjoint.
enum Lifetime {
    /// It is there before the procedure and behind it.
    Outer,
    /// A dummy argument or the result of a function.
    Dummy,
    /// A local variable that keeps its value.
    Saved,
    /// A local variable.
    Local,
}

fn home(doc: &Document, procedures: &Procedures, symbol: SymbolId) -> Lifetime {
    let common = doc.symbols[symbol].decl.as_deref().is_some_and(|decl| decl.common.is_some());
    match procedures.owner(doc.symbols[symbol].scope) {
        None => Lifetime::Outer,
        Some(_) if common => Lifetime::Outer,
        Some(owner)
            if procedures.dummy_of(symbol).is_some() || doc.procs[owner].result == Some(symbol) =>
        {
            Lifetime::Dummy
        }
        Some(_) if procedures.is_static(symbol) => Lifetime::Saved,
        Some(_) => Lifetime::Local,
    }
}

/// Whether what a reference means is behind a pointer.
fn is_behind_pointer(doc: &Document, reference: &Reference) -> bool {
    doc.has(reference.base, Attr::Pointer)
        || reference.parts.iter().any(|part| match part {
            Part::Component { symbol: Some(symbol), .. } => doc.has(*symbol, Attr::Pointer),
            Part::Component { symbol: None, .. }
            | Part::Elements(_)
            | Part::Substring { .. }
            | Part::Inquiry(_)
            | Part::Deref => false,
        })
}

/// Whether the adjoint of a dummy argument is not at hand, or is that of a copy.
pub(crate) type Lacks<'a> = &'a dyn Fn(SymbolId) -> bool;

/// Why the association of `pointer` with `rhs`, or with what is allocated, cannot go from one half of a
/// procedure to the other.
pub(crate) fn why_not_split(
    doc: &Document,
    procedures: &Procedures,
    lacks: Lacks<'_>,
    pointer: RefId,
    rhs: Option<ExprId>,
) -> Option<&'static str> {
    let base = doc.refs[pointer].base;
    if is_other_name(doc, base) {
        return Some("it is a part of what has another name here");
    }
    match home(doc, procedures, base) {
        Lifetime::Dummy if lacks(base) => {
            return Some("the forward sweep alone has no adjoint of it");
        }
        Lifetime::Saved => return Some("it keeps its association for the next call"),
        Lifetime::Outer | Lifetime::Dummy | Lifetime::Local => {}
    }
    let ExprKind::Ref(target) = doc.exprs[rhs?].kind else { return None };
    why_not_pointed_to(doc, procedures, lacks, &doc.refs[target])
}

/// Why no pointer of one half of a procedure may point to a variable.
fn why_not_pointed_to(
    doc: &Document,
    procedures: &Procedures,
    lacks: Lacks<'_>,
    target: &Reference,
) -> Option<&'static str> {
    let home = home(doc, procedures, target.base);
    if matches!(home, Lifetime::Dummy) && lacks(target.base) {
        return Some("the forward sweep alone has no adjoint of its target");
    }
    if is_other_name(doc, target.base) {
        return Some("its target has another name here");
    }
    if is_behind_pointer(doc, target) {
        return None;
    }
    if may_be_allocated(doc, target) {
        return Some("its target may be allocated elsewhere when the backward sweep comes");
    }
    match home {
        Lifetime::Outer | Lifetime::Dummy => None,
        Lifetime::Saved => Some("its target keeps its value for the next call"),
        Lifetime::Local if can_move(doc, target.base) => None,
        Lifetime::Local => Some("its target is gone when the backward sweep comes"),
    }
}

/// Whether a name stands for something else, as in an arm of SELECT TYPE: the adjoint has such a name in
/// the backward sweep alone.
fn is_other_name(doc: &Document, symbol: SymbolId) -> bool {
    matches!(doc.role(symbol), Some(Role::Associate { .. }))
}

fn may_be_allocated(doc: &Document, target: &Reference) -> bool {
    doc.has(target.base, Attr::Allocatable)
        || target.parts.iter().any(|part| match part {
            Part::Component { symbol, .. } => {
                symbol.is_none_or(|symbol| doc.has(symbol, Attr::Allocatable))
            }
            Part::Elements(_) | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => false,
        })
}

/// Why a dummy argument that pointers come to point to cannot stand for an actual one: both halves
/// must be given the same memory. `reference`: the variable that is passed, if it is one; `whole`: it
/// belongs to a procedure that executes both sweeps.
pub(crate) fn why_not_passed(
    doc: &Document,
    procedures: &Procedures,
    (lacks, whole): (Lacks<'_>, bool),
    reference: Option<&Reference>,
    dummy: Option<SymbolId>,
) -> Option<&'static str> {
    const COPY: &str = "what is passed may be a copy";
    let (Some(reference), Some(dummy)) = (reference, dummy) else { return Some(COPY) };
    let by_list = |index: ExprId| doc.exprs[index].ty.rank > 0;
    let picked = reference.parts.iter().any(|part| match part {
        Part::Elements(list) => list.iter().any(|one| match *one {
            Subscript::Index(index) => by_list(index),
            Subscript::Section { .. } => false,
        }),
        Part::Inquiry(_) => true,
        Part::Component { .. } | Part::Substring { .. } | Part::Deref => false,
    });
    let decl = doc.symbols[dummy].decl.as_deref();
    let dims = decl.map(|decl| decl.dims.as_slice()).unwrap_or_default();
    let described = dims.iter().all(|dim| matches!(dim, Dim::AssumedShape { .. } | Dim::Deferred));
    let in_place = described && !doc.has(dummy, Attr::Contiguous) || is_one_piece(doc, reference);
    if picked || !in_place || doc.has(dummy, Attr::Value) {
        return Some(COPY);
    }
    let stays = matches!(home(doc, procedures, reference.base), Lifetime::Saved | Lifetime::Local);
    match why_not_pointed_to(doc, procedures, lacks, reference) {
        Some(_) if whole && stays && !may_be_allocated(doc, reference) => None,
        why => why,
    }
}

/// Whether a reference is to one piece of memory by its form: a variable, or an element with all that
/// follow.
fn is_one_piece(doc: &Document, reference: &Reference) -> bool {
    let decl = doc.symbols[reference.base].decl.as_deref();
    let declared = decl.is_some_and(|decl| {
        doc.has(reference.base, Attr::Contiguous)
            || decl.dims.iter().all(|dim| match dim {
                Dim::Explicit { .. } | Dim::AssumedSize { .. } => true,
                Dim::AssumedShape { .. } | Dim::Deferred | Dim::AssumedRank => false,
            })
    });
    let element = |list: &[Subscript]| {
        list.iter().all(|one| match one {
            Subscript::Index(index) => doc.exprs[*index].ty.rank == 0,
            Subscript::Section { .. } => false,
        })
    };
    declared
        && match &reference.parts[..] {
            [] => true,
            [Part::Elements(list)] => element(list),
            _ => false,
        }
}

/// Whether a local variable may as well be memory behind a pointer.
fn can_move(doc: &Document, symbol: SymbolId) -> bool {
    if doc.has(symbol, Attr::Pointer) {
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
        let known = arguments_of(doc, callee);
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

/// Makes memory behind pointers of the local targets of all procedures that execute one sweep, and of
/// local variables that are passed where they may become targets; these.
pub(crate) fn move_local_targets(doc: &mut Document, parts: &Counterparts) -> HashSet<SymbolId> {
    let procedures = Procedures::new(doc);
    let bodies = doc.procs.values().filter_map(|proc| match &proc.body {
        Body::Flow(cfg) => Some(cfg),
        Body::Interface | Body::Replacements { .. } => None,
    });
    let mut found: BTreeSet<(ProcId, SymbolId)> = BTreeSet::new();
    for stmt in bodies.flat_map(statements) {
        for target in addresses(doc, parts, stmt).into_iter().filter(|t| !is_behind_pointer(doc, t))
        {
            // That of an internal procedure may be a variable of its host.
            let owner = procedures.owner(doc.symbols[target.base].scope);
            let Some(owner) = owner.filter(|&owner| parts.sweep_of(owner) != Sweep::Both) else {
                continue;
            };
            let local = matches!(home(doc, &procedures, target.base), Lifetime::Local);
            if local && can_move(doc, target.base) {
                found.insert((owner, target.base));
            }
        }
    }
    // What is written first stands behind what is written later.
    for &(proc, symbol) in found.iter().rev() {
        allocate_first(doc, proc, symbol);
        [Some(symbol), parts.variable(symbol)].into_iter().flatten().for_each(|s| point(doc, s));
    }
    found.into_iter().map(|(_, symbol)| symbol).collect()
}

/// The variables that pointers come to point to by a statement.
fn addresses(doc: &Document, parts: &Counterparts, stmt: StmtId) -> Vec<Reference> {
    if let StmtKind::PointerAssign { rhs, .. } = doc.stmts[stmt].kind {
        return match doc.exprs[rhs].kind {
            ExprKind::Ref(target) => vec![doc.refs[target].clone()],
            _ => Vec::new(),
        };
    }
    let Some((callee, _)) = callee_of(doc, stmt) else { return Vec::new() };
    let Some(derivative) = parts.callee(callee.symbol) else { return Vec::new() };
    let positions = parts.addressed(derivative);
    let passed = passed(doc, stmt).into_iter();
    passed.filter(|(at, _)| positions.contains(at)).filter_map(|(_, reference)| reference).collect()
}

/// The variables that are passed by a call, each with the position of the dummy argument; nothing for a
/// value.
pub(crate) fn passed(doc: &Document, stmt: StmtId) -> Vec<(u32, Option<Reference>)> {
    let variable = |expr: ExprId| match doc.exprs[expr].kind {
        ExprKind::Ref(reference) if !doc.exprs[expr].parens => Some(doc.refs[reference].clone()),
        _ => None,
    };
    let of = |callee: &Callee, args: &[Arg]| {
        let object = passed_at(doc, callee).map(|(at, object)| {
            let mut object = doc.refs[object].clone();
            object.parts.pop();
            (at, Some(object))
        });
        let args = args.iter().filter_map(|arg| match arg.value {
            ArgValue::Expr(expr) => Some((arg.position, variable(expr))),
            ArgValue::AlternateReturn(_) => None,
        });
        object.into_iter().chain(args).collect()
    };
    match &doc.stmts[stmt].kind {
        StmtKind::Call(call) => of(&call.callee, &call.args),
        StmtKind::Assign { lhs, defined: Some(_), .. } => {
            vec![(1, Some(doc.refs[*lhs].clone())), (2, None)]
        }
        StmtKind::Assign { rhs, defined: None, .. } => match &doc.exprs[*rhs].kind {
            ExprKind::Call(call) => of(&call.callee, &call.args),
            _ => Vec::new(),
        },
        StmtKind::PointerAssign { .. }
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_)
        | StmtKind::Comment(_) => Vec::new(),
    }
}

/// The dummy arguments, by their positions in the original, that procedures with derivatives associate,
/// or that pointers come to point to: in the procedure, in one behind its CONTAINS, or in one that it
/// calls.
pub(crate) fn addressed(
    doc: &Document,
    procedures: &Procedures,
    parts: &Counterparts,
    callables: &Callables,
) -> HashMap<ProcId, BTreeSet<u32>> {
    let mut found: HashMap<ProcId, BTreeSet<u32>> = HashMap::new();
    let bodies = parts.procedures.iter().map(|&(_, proc)| proc);
    let bodies = bodies.filter(|&proc| parts.sweep_of(proc) == Sweep::Both);
    let stmts: Vec<StmtId> = bodies
        .filter_map(|proc| match &doc.procs[proc].body {
            Body::Flow(cfg) => Some(statements(cfg).collect::<Vec<_>>()),
            Body::Interface | Body::Replacements { .. } => None,
        })
        .flatten()
        .collect();
    let dummy = |symbol: SymbolId| {
        let owner = procedures.dummy_of(symbol)?;
        let at = doc.procs[owner].args.iter().position(|arg| arg.symbol == Some(symbol))?;
        match parts.signature(doc.procs[owner].symbol)?.get(at)? {
            Slot::Argument(position) => Some((owner, *position)),
            Slot::ArgumentDerivative(_)
            | Slot::ArgumentForward(_)
            | Slot::ArgumentBackward(_)
            | Slot::Result
            | Slot::ResultDerivative => None,
        }
    };
    for &stmt in &stmts {
        for (pointer, rhs) in associations(doc, stmt) {
            if !doc.refs[pointer].entity().is_some_and(|symbol| doc.has(symbol, Attr::Pointer)) {
                continue;
            }
            let target = rhs.and_then(|rhs| match doc.exprs[rhs].kind {
                ExprKind::Ref(target) => Some(target),
                _ => None,
            });
            let bases = [Some(pointer), target].into_iter().flatten();
            for (owner, at) in bases.filter_map(|reference| dummy(doc.refs[reference].base)) {
                found.entry(owner).or_default().insert(at);
            }
        }
    }
    let calls: Vec<(Vec<ProcId>, _)> = stmts
        .iter()
        .filter_map(|&stmt| {
            let (callee, _) = callee_of(doc, stmt)?;
            let group = match callables.class(doc, callee.symbol) {
                Some(class) => callables.procedures(doc, parts, class),
                // What dispatches has the arguments of those among which it chooses.
                None => {
                    let callee = parts.derivative_procedure(doc, callee.symbol)?;
                    parts.dispatched(doc, callee).into_iter().chain([callee]).collect()
                }
            };
            Some((group, passed(doc, stmt)))
        })
        .collect();
    loop {
        let before: usize = found.values().map(BTreeSet::len).sum();
        for (group, passed) in &calls {
            let all: BTreeSet<u32> =
                group.iter().filter_map(|proc| found.get(proc)).flatten().copied().collect();
            for (_, reference) in passed.iter().filter(|(at, _)| all.contains(at)) {
                let base = reference.as_ref().and_then(|reference| dummy(reference.base));
                if let Some((owner, at)) = base {
                    found.entry(owner).or_default().insert(at);
                }
            }
            if !all.is_empty() {
                group.iter().for_each(|&proc| found.entry(proc).or_default().extend(&all));
            }
        }
        if found.values().map(BTreeSet::len).sum::<usize>() == before {
            return found;
        }
    }
}

/// Writes the ALLOCATE statement of a variable, with the bounds it is declared with.
pub(crate) fn allocate_first(doc: &mut Document, proc: ProcId, symbol: SymbolId) {
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
    let written: Result<(), ()> = rewrite_entry(doc, proc, |e| {
        let objects = vec![Copier::new().reference(e.doc, object)];
        let (spec, stat, errmsg, source, mold) = (None, None, None, None, None);
        let allocate = Allocate { spec, objects, stat, errmsg, source, mold };
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
