//! Names of ASSOCIATE.
//!
//! A name becomes what it stands for: subscripts are evaluated as the construct is entered, into
//! variables, and so is a selector that is an expression. Subscripts of a name for a section become
//! those of the whole. Where a pointer on the way to a selector may be associated anew within the
//! construct, the name becomes a pointer of the procedure.
//!
//! It stays where the selector is a pointer that a function returns, is unlimited polymorphic, or has
//! vector subscripts, and where parts of a section are named by a negative stride.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{
    Attr, Base, BranchForm, CharLen, Dim, Document, ExprId, ExprKind, Part, Place, RefId,
    Reference, Role, ScopeId, ScopeKind, StmtId, StmtKind, Subscript, SymbolId, Ty, TypeSpec,
    VertexId, VertexKind,
};

use super::scopes::Opening;
use booster_build::{
    Copier, Emitter, assign, binary, bound, constant_integer, follow_selector, integer,
    names_of_selector, new_variable, nodes_of, statement, value_of, whole,
};

/// What a name stands for.
#[derive(Clone, Copy)]
enum Meaning {
    /// This designator, whose subscripts are not evaluated again.
    Designator(RefId),
    /// What this designator names as the construct is entered.
    Target(RefId),
    /// The value of an expression.
    Value(ExprId),
}

/// Replaces the names of an ASSOCIATE, if all of them can be replaced; the result is what is
/// executed as it is entered. `inside`: the statements within the construct.
pub(crate) fn associate(
    doc: &mut Document,
    scope: ScopeId,
    inside: &[StmtId],
    place: Place,
) -> Option<Vec<Opening>> {
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
            Some((symbol, meaning(doc, symbol, named, inside)?))
        })
        .collect::<Option<_>>()?;
    let mut before = Vec::new();
    let home = doc.scopes[scope].parent.unwrap_or(scope);
    for (symbol, meaning) in meanings {
        let named = uses.remove(&symbol).unwrap_or_default();
        match meaning {
            Meaning::Designator(target) => {
                let target = frozen(doc, home, target, &mut before);
                named.into_iter().for_each(|id| rename(doc, id, &target));
                // Nothing has the name any more: it keeps nothing alive, nor does its derivative.
                if let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() {
                    decl.role = Role::Associate { selector: None };
                }
            }
            Meaning::Target(target) => {
                becomes_variable(doc, symbol, home, Attr::Pointer);
                let lhs = whole(doc, symbol, place);
                let copy = Copier::new().reference(doc, target);
                let rhs = value_of(doc, copy);
                let kind = StmtKind::PointerAssign { lhs, rhs };
                before.push(Opening::Stmt(statement(doc, kind, place)));
            }
            Meaning::Value(value) => {
                becomes_variable(doc, symbol, home, Attr::Allocatable);
                doc.symbols[symbol].temp = Some(true);
                let lhs = whole(doc, symbol, place);
                doc.refs[lhs].active = doc.symbols[symbol].active;
                let value = Copier::new().expr(doc, value);
                before.push(Opening::Stmt(assign(doc, lhs, value, place)));
            }
        }
    }
    Some(before)
}

/// A name becomes a variable; an array, or characters, with an attribute.
fn becomes_variable(doc: &mut Document, symbol: SymbolId, home: ScopeId, attr: Attr) {
    super::upgrade(doc, symbol, home);
    let rank = doc.symbols[symbol].rank.unwrap_or(0);
    doc.symbols[symbol].bounds.clear();
    let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() else { return };
    decl.role = Role::Variable;
    decl.attrs.clear();
    decl.dims = vec![Dim::Deferred; usize::from(rank)];
    let text = matches!(decl.spec, TypeSpec::Character { .. });
    if text {
        decl.char_len = Some(CharLen::Deferred);
    }
    if rank > 0 || text || attr == Attr::Pointer {
        decl.attrs.insert(attr);
    }
}

/// What a name stands for, if it can be replaced wherever `named` names it.
fn meaning(
    doc: &Document,
    symbol: SymbolId,
    named: &[RefId],
    inside: &[StmtId],
) -> Option<Meaning> {
    let Some(Role::Associate { selector: Some(selector) }) = doc.role(symbol) else { return None };
    let selector = *selector;
    let value = &doc.exprs[selector];
    let declared = doc.symbols[symbol].decl.as_ref().map(|decl| decl.spec.base());
    let target = match value.kind {
        ExprKind::Ref(target) if !value.parens => target,
        _ => {
            let known = is_known(value.ty.base) && declared == Some(value.ty.base);
            let found = known && !is_variable_of_function(doc, selector);
            return found.then_some(Meaning::Value(selector));
        }
    };
    let reference = &doc.refs[target];
    if doc.symbols[reference.base].decl.is_none() || matches!(reference.ty.base, Base::ClassStar) {
        return None;
    }
    for part in &reference.parts {
        match part {
            Part::Component { symbol: Some(_), .. } | Part::Inquiry(_) => {}
            Part::Component { symbol: None, .. } | Part::Substring { .. } | Part::Deref => {
                return None;
            }
            Part::Elements(subscripts) => {
                let vector = subscripts.iter().any(|subscript| match *subscript {
                    Subscript::Index(index) => doc.exprs[index].ty.rank > 0,
                    Subscript::Section { .. } => false,
                });
                if vector {
                    return None;
                }
            }
        }
    }
    if !stays(doc, target, inside) {
        return Some(Meaning::Target(target));
    }
    named.iter().all(|&id| is_composed(doc, id, reference)).then_some(Meaning::Designator(target))
}

/// Types that a variable for a value can have.
fn is_known(base: Base) -> bool {
    matches!(
        base,
        Base::Integer(_)
            | Base::Real(_)
            | Base::Complex(_)
            | Base::Logical(_)
            | Base::Character(_)
            | Base::Derived(_)
    )
}

/// Whether an expression is a call of a function that returns a pointer, and so names its target.
fn is_variable_of_function(doc: &Document, expr: ExprId) -> bool {
    let ExprKind::Call(call) = &doc.exprs[expr].kind else { return false };
    let result = doc.described_by(call.callee.symbol).and_then(|proc| doc.procs[proc].result);
    let symbols = [Some(call.callee.symbol), result].into_iter().flatten();
    symbols.into_iter().any(|symbol| doc.has(symbol, Attr::Pointer))
}

/// Whether a designator names the same storage wherever it stands within a construct: no pointer on
/// its way can be associated anew.
fn stays(doc: &Document, target: RefId, inside: &[StmtId]) -> bool {
    let reference = &doc.refs[target];
    let components = reference.parts.iter().filter_map(|part| match part {
        Part::Component { symbol, .. } => *symbol,
        _ => None,
    });
    let way = std::iter::once(reference.base).chain(components);
    let pointers: HashSet<SymbolId> = way.filter(|&s| doc.has(s, Attr::Pointer)).collect();
    if pointers.is_empty() {
        return true;
    }
    let changes = |object: RefId| doc.refs[object].entity().is_some_and(|s| pointers.contains(&s));
    let calls = |exprs: Vec<ExprId>| {
        nodes_of(doc, exprs).into_iter().any(|node| {
            matches!(&doc.exprs[node].kind, ExprKind::Call(call)
                if !doc.is_promised_pure(call.callee.symbol))
        })
    };
    !inside.iter().any(|&stmt| match &doc.stmts[stmt].kind {
        // A structure takes its pointers along.
        StmtKind::Assign { lhs, rhs, defined } => {
            defined.is_some()
                || matches!(doc.refs[*lhs].ty.base, Base::Derived(_) | Base::Class(_))
                || calls(vec![*rhs])
        }
        StmtKind::PointerAssign { lhs, .. } => changes(*lhs),
        StmtKind::Allocate(allocate) => allocate.objects.iter().any(|&object| changes(object)),
        StmtKind::Release(release) => release.objects.iter().any(|&object| changes(object)),
        StmtKind::Call(call) => doc.moved(call).is_some() || !doc.is_intrinsic(call.callee.symbol),
        StmtKind::Marker(marker) => marker.pessimistic,
        StmtKind::Propagate(_) => doc.stmts[stmt].local_jacobian.is_none(),
        StmtKind::InlinableCall(_) => true,
        StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Comment(_) => false,
    })
}

/// Where the array that a designator names gets its subscripts.
enum Axis {
    /// Behind so many parts, where none stand.
    Behind(usize),
    /// In this part, which has sections.
    Sections(usize),
}

/// The place of the subscripts of an array; `None` is the end.
fn axis(doc: &Document, reference: &Reference) -> Option<Axis> {
    let is_section = |subscript: &Subscript| matches!(subscript, Subscript::Section { .. });
    let parts = &reference.parts;
    for at in 0..=parts.len() {
        let entity = match at.checked_sub(1).and_then(|before| parts.get(before)) {
            None => Some(reference.base),
            Some(Part::Component { symbol, .. }) => *symbol,
            Some(Part::Elements(_) | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref) => {
                None
            }
        };
        match parts.get(at) {
            Some(Part::Elements(list)) if list.iter().any(is_section) => {
                return Some(Axis::Sections(at));
            }
            Some(Part::Elements(_)) | None => {}
            Some(_) => {
                if entity.is_some_and(|entity| doc.symbols[entity].rank.unwrap_or(0) > 0) {
                    return Some(Axis::Behind(at));
                }
            }
        }
    }
    None
}

/// Whether the parts with which `id` names something of a name can become parts of its selector.
fn is_composed(doc: &Document, id: RefId, selector: &Reference) -> bool {
    let Some(Part::Elements(list)) = doc.refs[id].parts.first() else { return true };
    if axis(doc, selector).is_none() {
        return true;
    }
    list.iter().all(|subscript| match *subscript {
        Subscript::Index(_) => true,
        Subscript::Section { lower, upper, stride } => {
            let upwards =
                stride.is_none_or(|stride| constant_integer(doc, stride).is_some_and(|s| s > 0));
            upwards || lower.is_some() && upper.is_some()
        }
    })
}

/// A reference to a name becomes one to what it stands for.
fn rename(doc: &mut Document, id: RefId, target: &Reference) {
    let copy = doc.refs.push(target.clone());
    let copy = Copier::new().reference(doc, copy);
    let mut parts: Vec<Part> = doc.refs[copy].parts.to_vec();
    let mut own: Vec<Part> = doc.refs[id].parts.to_vec();
    let first = match own.first() {
        Some(Part::Elements(list)) => Some(list.clone()),
        _ => None,
    };
    if let (Some(list), Some(axis)) = (first, axis(doc, target)) {
        own.remove(0);
        let at = match axis {
            Axis::Behind(at) => {
                let all = Subscript::Section { lower: None, upper: None, stride: None };
                parts.insert(at, Part::Elements(vec![all; list.len()]));
                at
            }
            Axis::Sections(at) => at,
        };
        let prefix: Vec<Part> = parts.iter().take(at).cloned().collect();
        let mut list = list.into_iter();
        if let Some(Part::Elements(whole)) = parts.get(at).cloned() {
            let composed = whole.into_iter().zip(1..).map(|(outer, dimension)| match outer {
                Subscript::Index(_) => outer,
                Subscript::Section { .. } => match list.next() {
                    Some(inner) => {
                        let array = (target.base, prefix.as_slice(), dimension);
                        subscript(doc, array, outer, inner)
                    }
                    None => outer,
                },
            });
            let composed: Vec<Subscript> = composed.collect();
            if let Some(part) = parts.get_mut(at) {
                *part = Part::Elements(composed);
            }
        }
    }
    parts.extend(own);
    let reference = &mut doc.refs[id];
    reference.base = target.base;
    reference.parts = parts.into();
    (reference.alias, reference.du_ud) = (None, None);
}

/// The subscript of the whole array that `inner` is in the section `outer`.
fn subscript(
    doc: &mut Document,
    (base, prefix, dimension): (SymbolId, &[Part], i64),
    outer: Subscript,
    inner: Subscript,
) -> Subscript {
    let Subscript::Section { lower, upper, stride } = outer else { return outer };
    let first = lower.or_else(|| first_index(doc, (base, prefix, dimension)));
    let index = |doc: &mut Document, position: ExprId| {
        let place = doc.exprs[position].place;
        match stride {
            None => match first {
                None => position,
                Some(first) => {
                    let first = Copier::new().expr(doc, first);
                    let offset = less_one(doc, first, place);
                    plus(doc, position, offset, place)
                }
            },
            Some(stride) => {
                let rounds = less_one(doc, position, place);
                let by = Copier::new().expr(doc, stride);
                let away = binary(doc, "mul_scal_scal", rounds, by);
                let first = match first {
                    Some(first) => Copier::new().expr(doc, first),
                    None => integer(doc, 1, place),
                };
                binary(doc, "add_scal_scal", first, away)
            }
        }
    };
    match inner {
        Subscript::Index(position) => Subscript::Index(index(doc, position)),
        Subscript::Section { lower: from, upper: to, stride: by } => {
            let from = from.map(|from| index(doc, from));
            let to = to.map(|to| index(doc, to));
            let copy = |doc: &mut Document, expr: Option<ExprId>| {
                expr.map(|expr| Copier::new().expr(doc, expr))
            };
            let lower = from.or_else(|| copy(doc, lower));
            let upper = to.or_else(|| copy(doc, upper));
            let stride = match (stride, by) {
                (None, by) => by,
                (stride, None) => copy(doc, stride),
                (Some(stride), Some(by)) => {
                    let stride = Copier::new().expr(doc, stride);
                    Some(binary(doc, "mul_scal_scal", stride, by))
                }
            };
            Subscript::Section { lower, upper, stride }
        }
    }
}

/// The first index of a dimension of an array; `None` is 1.
fn first_index(
    doc: &mut Document,
    (base, prefix, dimension): (SymbolId, &[Part], i64),
) -> Option<ExprId> {
    let entity = match prefix.last() {
        None => Some(base),
        Some(Part::Component { symbol, .. }) => *symbol,
        Some(_) => None,
    };
    let position = usize::try_from(dimension).ok().and_then(|d| d.checked_sub(1));
    let dims = entity.and_then(|entity| doc.symbols[entity].decl.as_deref());
    let dim = dims.zip(position).and_then(|(decl, at)| decl.dims.get(at)).cloned();
    let lower = match dim {
        Some(
            Dim::Explicit { lower, .. } | Dim::AssumedShape { lower } | Dim::AssumedSize { lower },
        ) => lower,
        Some(Dim::Deferred | Dim::AssumedRank) | None => {
            let place = Place::default();
            let rank = entity.and_then(|entity| doc.symbols[entity].rank).unwrap_or(1);
            let ty = Ty { base: Base::Unknown, rank };
            let array = Reference {
                parts: prefix.iter().cloned().collect(),
                ..Reference::whole(base, ty, place)
            };
            let array = doc.refs.push(array);
            if let Some(entity) = entity
                && let Some(decl) = doc.symbols[entity].decl.as_deref()
            {
                doc.refs[array].ty.base = decl.spec.base();
            }
            return Some(bound(doc, array, "lbound", dimension));
        }
    };
    lower.filter(|&lower| constant_integer(doc, lower) != Some(1))
}

/// `value - 1`
fn less_one(doc: &mut Document, value: ExprId, place: Place) -> ExprId {
    let one = match constant_integer(doc, value) {
        Some(number) => return integer(doc, number.saturating_sub(1), place),
        None => integer(doc, 1, place),
    };
    binary(doc, "sub_scal_scal", value, one)
}

fn plus(doc: &mut Document, left: ExprId, right: ExprId, place: Place) -> ExprId {
    match (constant_integer(doc, left), constant_integer(doc, right)) {
        (_, Some(0)) => left,
        (Some(a), Some(b)) => integer(doc, a.saturating_add(b), place),
        (_, Some(number @ ..0)) => {
            let amount = integer(doc, number.saturating_neg(), place);
            binary(doc, "sub_scal_scal", left, amount)
        }
        _ => binary(doc, "add_scal_scal", left, right),
    }
}

/// A designator with its subscripts in variables.
fn frozen(
    doc: &mut Document,
    home: ScopeId,
    target: RefId,
    before: &mut Vec<Opening>,
) -> Reference {
    let mut reference = doc.refs[target].clone();
    for subscript in subscripts(&mut reference) {
        if let Some((variable, value)) = kept(doc, home, subscript) {
            let place = doc.exprs[value].place;
            let lhs = whole(doc, variable, place);
            before.push(Opening::Stmt(assign(doc, lhs, value, place)));
        }
    }
    reference
}

/// The subscripts and bounds of a designator.
fn subscripts(reference: &mut Reference) -> Vec<&mut ExprId> {
    let mut found = Vec::new();
    for part in &mut reference.parts {
        let Part::Elements(list) = part else { continue };
        for subscript in list {
            match subscript {
                Subscript::Index(index) => found.push(index),
                Subscript::Section { lower, upper, stride } => {
                    found.extend([lower, upper, stride].into_iter().flatten());
                }
            }
        }
    }
    found
}

/// Puts a variable in the place of a value that is not constant; it is to have this value.
pub(crate) fn kept(
    doc: &mut Document,
    home: ScopeId,
    expr: &mut ExprId,
) -> Option<(SymbolId, ExprId)> {
    if constant_integer(doc, *expr).is_some() || doc.exprs[*expr].ty.rank > 0 {
        return None;
    }
    let (base, place) = (doc.exprs[*expr].ty.base, doc.exprs[*expr].place);
    let variable = new_variable(doc, home, "at", base, place);
    let value = Copier::new().expr(doc, *expr);
    let at = whole(doc, variable, place);
    *expr = value_of(doc, at);
    Some((variable, value))
}

/// The selector of SELECT TYPE and SELECT RANK is named again in the backward sweep: its subscripts
/// are evaluated before it, into variables, but for the `counters` of loops around, which stay.
pub(crate) fn frozen_in_place(e: &mut Emitter<'_>, head: VertexId, counters: &[SymbolId]) {
    let VertexKind::Branch { condition: Some(condition), form, .. } = e.head(head).kind else {
        return;
    };
    if !matches!(form, BranchForm::SelectType | BranchForm::SelectRank) {
        return;
    }
    let ExprKind::Ref(selector) = e.doc.exprs[condition].kind else { return };
    let mut reference = e.doc.refs[selector].clone();
    // Not in a BLOCK, whose variables are the procedure's by now.
    let around = std::iter::successors(Some(e.scope), |&at| e.doc.scopes[at].parent);
    let is_procedure = |&at: &ScopeId| matches!(e.doc.scopes[at].kind, ScopeKind::Procedure(_));
    let home = around.into_iter().find(is_procedure).unwrap_or(e.scope);
    let names = names_of_selector(e.doc, home, condition);
    for subscript in subscripts(&mut reference) {
        // What is kept in a variable of its own already.
        let stays = e.doc.exprs[*subscript].reference().is_some_and(|found| {
            let Reference { base, parts, .. } = &e.doc.refs[found];
            e.doc.symbols[*base].temp == Some(true) || parts.is_empty() && counters.contains(base)
        });
        if stays {
            continue;
        }
        if let Some((variable, value)) = kept(e.doc, home, subscript) {
            let place = e.doc.exprs[value].place;
            let lhs = whole(e.doc, variable, place);
            e.assign(lhs, value, place);
        }
    }
    e.doc.refs[selector] = reference;
    follow_selector(e.doc, &names, condition);
}
