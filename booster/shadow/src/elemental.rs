//! A statement with an elemental call for arrays, element by element: `y = f(x, s)` becomes a loop
//! around `y(i) = f(x(i), s)`, `call q(a, b(2:n))` one around `call q(a(i), b(i + 1))`.
//!
//! Modes need it where the derivative of an elemental procedure is not elemental: with several
//! directions its arguments are arrays, and an adjoint may not be pure. The elements are taken in the
//! order in which the language executes a procedure that is IMPURE (Fortran 2018, 15.8.2 and
//! 15.8.3): the first subscript varies fastest.
//!
//! ```text
//! let Some(elements) = open_elements(emitter, scope, stmt, false)? else { … };
//! // … what stands for `elements.stmt`, which is the statement for one element …
//! elements.close(emitter);
//! ```
//!
//! Not done: an assignment whose arguments may overlap the left-hand side at other elements (the
//! language computes them all before it assigns); an OPTIONAL array that may be absent, handed on to an
//! OPTIONAL dummy argument. Both are refused.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Callee, Document, ExprId, ExprKind, Part, Place, RefId, Role,
    ScopeId, SpecItem, Stmt, StmtId, StmtKind, SymbolId,
};

use booster_build::passed_object;
use booster_build::{
    Copier, Emitter, integer, new_variable, nodes_of, same_reference, size_along, value_of,
};
use booster_linearize::{At, element, element_of, element_of_object, elements_of};

/// The loops that [`open_elements`] has opened.
#[must_use]
pub struct Elements {
    /// The statement for one element; it stands nowhere yet.
    pub stmt: StmtId,
    loops: u8,
}

impl Elements {
    /// Closes the loops.
    pub fn close(self, emitter: &mut Emitter<'_>) {
        (0..self.loops).for_each(|_| emitter.close_do());
    }
}

/// Opens a loop for each dimension of the arrays of an elemental call, which stands alone (in a
/// CALL, as the right-hand side of an assignment, or in a defined assignment), and gives the
/// statement for one element. `None`, and nothing is opened, where the call is not elemental or has
/// no arrays. Counters are declared in `scope`. With `backwards` the elements are taken in the reverse
/// order, as a backward sweep does. An allocatable left-hand side must have its shape.
///
/// # Errors
/// An argument that is an array without elements that can be written down, and what the head of
/// this file says.
pub fn open_elements(
    emitter: &mut Emitter<'_>,
    scope: ScopeId,
    stmt: StmtId,
    backwards: bool,
) -> Result<Option<Elements>, Diagnostic> {
    let Some(Parts { lhs, callee, args }) = parts_of(emitter.doc, stmt) else { return Ok(None) };
    let doc = &mut *emitter.doc;
    if !doc.is_elemental(callee.symbol) {
        return Ok(None);
    }
    let place = doc.stmts[stmt].place;
    let object = passed_object(doc, &callee).map(|(_, object)| object);
    let passed: Vec<ExprId> = values(&args).chain(object).collect();
    let arrays: Vec<ExprId> =
        passed.iter().copied().filter(|&arg| doc.exprs[arg].ty.rank > 0).collect();
    let target = lhs.filter(|&lhs| doc.refs[lhs].ty.rank > 0);
    let model = match (target, arrays.first()) {
        (Some(lhs), _) => value_of(doc, lhs),
        (None, Some(&first)) => first,
        (None, None) => return Ok(None),
    };
    let overwritten: Vec<RefId> = match lhs {
        Some(lhs) => vec![lhs],
        None => arrays.iter().filter_map(|&arg| variable(doc, arg)).collect(),
    };
    // Variables that are passed to a subroutine must not overlap in Fortran; their values may.
    let read = passed.iter().filter(|&&arg| lhs.is_some() || variable(doc, arg).is_none());
    let overlaps = |&arg: &ExprId| overwritten.iter().any(|&one| may_overlap(doc, one, arg));
    if read.into_iter().any(overlaps) {
        return Err(refused(doc, place, "its arguments may overlap what it overwrites"));
    }
    // An element of an argument that is absent is no absent argument.
    if let Some(handed_on) = handed_on(doc, &callee, &args) {
        let why = format!("`{}` may be absent", told(doc, handed_on));
        return Err(refused(doc, place, &why));
    }
    let rank = doc.exprs[model].ty.rank;
    let counters: Vec<SymbolId> =
        (0..rank).map(|_| new_variable(emitter.doc, scope, "i", Base::Integer(4), place)).collect();
    for (&counter, dimension) in counters.iter().zip(0_u8..rank).rev() {
        let array = Copier::new().expr(emitter.doc, model);
        let upper = size_along(emitter.doc, array, dimension + 1);
        let lower = integer(emitter.doc, 1, place);
        let bounds = if backwards { (upper, lower) } else { (lower, upper) };
        emitter.open_do(counter, bounds, backwards, place);
    }
    let positions: Vec<At> = counters.into_iter().map(At::Variable).collect();
    let stmt = one_element(emitter.doc, stmt, &positions)?;
    Ok(Some(Elements { stmt, loops: rank }))
}

/// What a statement with a call that stands alone consists of.
struct Parts {
    /// What takes the result of a function.
    lhs: Option<RefId>,
    callee: Callee,
    args: Vec<Arg>,
}

fn parts_of(doc: &Document, stmt: StmtId) -> Option<Parts> {
    match doc.stmts[stmt].kind.clone() {
        StmtKind::Call(call) => Some(Parts { lhs: None, callee: call.callee, args: call.args }),
        StmtKind::Assign { lhs, rhs, defined: Some(callee) } => {
            let args = vec![Arg { position: 2, keyword: None, value: ArgValue::Expr(rhs) }];
            Some(Parts { lhs: Some(lhs), callee: *callee, args })
        }
        StmtKind::Assign { lhs, rhs, defined: None } => match doc.exprs[rhs].kind.clone() {
            ExprKind::Call(call) => {
                Some(Parts { lhs: Some(lhs), callee: call.callee, args: call.args })
            }
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => None,
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
        | StmtKind::Comment(_) => None,
    }
}

/// The statement for the element at `positions`.
fn one_element(doc: &mut Document, stmt: StmtId, positions: &[At]) -> Result<StmtId, Diagnostic> {
    let Stmt { kind, place, .. } = doc.stmts[stmt].clone();
    let kind = match kind {
        StmtKind::Call(mut call) => {
            elements_of(doc, &mut call.args, positions)?;
            element_of_object(doc, &mut call.callee, positions)?;
            StmtKind::Call(call)
        }
        StmtKind::Assign { lhs, rhs, defined } => {
            let like = value_of(doc, lhs);
            let lhs = match doc.refs[lhs].ty.rank {
                0 => Copier::new().reference(doc, lhs),
                _ => element_of(doc, lhs, positions, like)?,
            };
            let rhs = element(doc, rhs, positions)?;
            StmtKind::Assign { lhs, rhs, defined }
        }
        other => other,
    };
    let (id, do_chain, label, recorded, joint) = (None, None, None, None, false);
    let (local_jacobian, properties, recompute) = (None, Vec::new(), false);
    let stmt = Stmt {
        kind,
        place,
        id,
        do_chain,
        label,
        recorded,
        properties,
        joint,
        recompute,
        adjoint_live: true,
        checkpoints: None,
        local_jacobian,
    };
    Ok(doc.stmts.push(stmt))
}

/// An OPTIONAL array of the procedure itself that is passed to an OPTIONAL dummy argument.
fn handed_on(doc: &Document, callee: &Callee, args: &[Arg]) -> Option<ExprId> {
    let dummies = &doc.procs[doc.described_by(callee.symbol)?].args;
    let is_optional = |arg: &&Arg| {
        let index = usize::try_from(arg.position).ok().and_then(|at| at.checked_sub(1));
        let dummy = index.and_then(|index| dummies.get(index)?.symbol);
        dummy.is_some_and(|dummy| doc.has(dummy, Attr::Optional))
    };
    let may_be_absent = |&arg: &ExprId| {
        let whole = variable(doc, arg).and_then(|reference| doc.refs[reference].whole_entity());
        doc.exprs[arg].ty.rank > 0 && whole.is_some_and(|entity| doc.has(entity, Attr::Optional))
    };
    args.iter()
        .filter(is_optional)
        .filter_map(|arg| match arg.value {
            ArgValue::Expr(value) => Some(value),
            ArgValue::AlternateReturn(_) => None,
        })
        .find(may_be_absent)
}

fn told(doc: &Document, arg: ExprId) -> &str {
    variable(doc, arg).map_or("", |reference| doc.name(doc.refs[reference].base))
}

/// The variable that is passed, if it is no value.
fn variable(doc: &Document, arg: ExprId) -> Option<RefId> {
    match doc.exprs[arg].kind {
        ExprKind::Ref(reference) if !doc.exprs[arg].parens => Some(reference),
        _ => None,
    }
}

fn values(args: &[Arg]) -> impl Iterator<Item = ExprId> + '_ {
    args.iter().filter_map(|arg| match arg.value {
        ArgValue::Expr(expr) => Some(expr),
        ArgValue::AlternateReturn(_) => None,
    })
}

/// Whether `arg`, or an element of it, may be overwritten before it is read: by what overwrites
/// another element of `lhs`.
fn may_overlap(doc: &Document, lhs: RefId, arg: ExprId) -> bool {
    if let ExprKind::Ref(reference) = doc.exprs[arg].kind
        && same_reference(doc, reference, lhs)
    {
        return false;
    }
    nodes_of(doc, [arg]).into_iter().any(|node| match doc.exprs[node].kind {
        ExprKind::Ref(reference) => may_share(doc, reference, lhs),
        _ => false,
    })
}

/// Whether two references may share storage: by the same variable, by pointers, or by EQUIVALENCE.
fn may_share(doc: &Document, one: RefId, other: RefId) -> bool {
    let base = |reference: RefId| doc.refs[reference].base;
    let indirect = |reference: RefId| {
        doc.has(base(reference), Attr::Pointer)
            || doc.has(base(reference), Attr::Target)
            || matches!(doc.role(base(reference)), Some(Role::Associate { .. }))
            || doc.refs[reference].parts.iter().any(|part| match part {
                Part::Component { symbol, .. } => {
                    symbol.is_none_or(|symbol| doc.has(symbol, Attr::Pointer))
                }
                Part::Elements(_) | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => {
                    false
                }
            })
    };
    let equivalenced = |reference: RefId| {
        doc.scopes[doc.symbols[base(reference)].scope].items.iter().any(|item| match item {
            SpecItem::Equivalence(sets) => {
                sets.iter().flatten().any(|&one| base(one) == base(reference))
            }
            _ => false,
        })
    };
    base(one) == base(other)
        || indirect(one) && indirect(other)
        || equivalenced(one) && equivalenced(other)
}

fn refused(doc: &Document, place: Place, why: &str) -> Diagnostic {
    let message = format!("this elemental call cannot be taken element by element: {why}");
    Diagnostic::error(Code::MUST_STAND_ALONE, doc.spot(place), message)
        .with_help("write it as a loop over the elements")
}
