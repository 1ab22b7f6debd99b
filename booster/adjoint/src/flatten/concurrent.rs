//! DO CONCURRENT becomes DO, a nest of them where it has several indices.
//!
//! The iterations may be executed in any order, so also in this one. Bounds of inner loops that the loop
//! might change are evaluated before it. A mask becomes an IF, if no iteration can change what it is for
//! another; else it is computed for all iterations first. Variables that are local to an iteration become
//! variables of the procedure; those of a reduction are what they are.
//!
//! It stays where a variable that is local to an iteration is a structure, or allocatable.

use xaif_schema::model::{
    Allocate, Attr, Base, Body, BoolOp, BranchForm, Cfg, Dim, Document, Edge, ExprId, ExprKind,
    ForForm, ForallHeader, IndexRange, Jump, Part, Place, ProcId, RefId, ScopeId, StmtId, StmtKind,
    Subscript, Symbol, SymbolId, Ty, Vertex, VertexId, VertexKind,
};

use super::scopes::{Opening, open};
use booster_build::{
    Copier, Emitter, Site, assign, binary, boolean, constant_integer, index, integer, intrinsic,
    new_variable, nodes_of, rewrite_flow, same_reference, value_of, whole,
};

/// Rewrites the loops of a procedure.
pub(crate) fn flatten(doc: &mut Document, proc: ProcId) {
    let Body::Flow(cfg) = &doc.procs[proc].body else { return };
    let loops: Vec<VertexId> = cfg
        .layout
        .iter()
        .copied()
        .filter(|&vertex| matches!(cfg.vertices[vertex].kind, VertexKind::ConcurrentLoop { .. }))
        .collect();
    for head in loops {
        let Body::Flow(cfg) = &mut doc.procs[proc].body else { return };
        let mut cfg = std::mem::take(cfg);
        let prepared = prepared(doc, &mut cfg, head);
        doc.procs[proc].body = Body::Flow(cfg);
        let Some(prepared) = prepared else { continue };
        before(doc, proc, head, &prepared);
        let Body::Flow(cfg) = &mut doc.procs[proc].body else { return };
        let mut cfg = std::mem::take(cfg);
        rewrite(doc, &mut cfg, head);
        doc.procs[proc].body = Body::Flow(cfg);
    }
}

/// What is executed before a loop.
#[derive(Default)]
struct Prepared {
    /// Variables that get values.
    values: Vec<(SymbolId, ExprId)>,
    /// Arrays that are allocated like others.
    like: Vec<(SymbolId, SymbolId)>,
    /// An array for the mask, with the ranges and the mask.
    mask: Option<(SymbolId, Vec<IndexRange>, ExprId)>,
}

/// Gives a loop the form in which it can become DO loops, if it can.
fn prepared(doc: &mut Document, cfg: &mut Cfg, head: VertexId) -> Option<Prepared> {
    let VertexKind::ConcurrentLoop { header, locality, name } = cfg.vertices[head].kind.clone()
    else {
        return None;
    };
    let mut header = *header;
    let place = cfg.vertices[head].place;
    let scope = doc.scopes[header.scope].parent.unwrap_or(header.scope);
    let span = span(cfg, head)?;
    let locals = locals(doc, scope, locality.as_deref().unwrap_or_default())?;
    let mut prepared = Prepared::default();
    for &(outer, copied) in &locals {
        let local = local(doc, outer);
        let copier = Copier { symbols: [(outer, local)].into(), ..Copier::default() };
        rename(doc, cfg, &span, &copier);
        let deferred = doc.symbols[local].has(Attr::Allocatable);
        if deferred {
            prepared.like.push((local, outer));
        }
        if copied {
            let target = whole(doc, local, place);
            doc.refs[target].active = doc.symbols[local].active;
            let value = whole(doc, outer, place);
            let value = value_of(doc, value);
            let value = assign(doc, target, value, place);
            first_block(cfg, head, header.scope, place, value);
        }
    }
    let mut keep = |doc: &mut Document, bound: &mut ExprId| {
        if !is_steady(doc, *bound) {
            prepared.values.extend(super::names::kept(doc, scope, bound));
        }
    };
    for range in header.ranges.iter_mut().skip(1) {
        keep(doc, &mut range.lower);
        keep(doc, &mut range.upper);
        if let Some(step) = &mut range.step {
            keep(doc, step);
        }
    }
    if let Some(mask) = header.mask
        && !is_own(doc, cfg, &span, &header, mask)
    {
        let symbol = new_variable(doc, scope, "mask", Base::Logical(4), place);
        let rank = header.ranges.len();
        doc.symbols[symbol].rank = u8::try_from(rank).ok();
        if let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() {
            decl.attrs.insert(Attr::Allocatable);
            decl.dims = vec![Dim::Deferred; rank];
        }
        let at = element(doc, symbol, &header.ranges, place);
        header.mask = Some(value_of(doc, at));
        prepared.mask = Some((symbol, header.ranges.clone(), mask));
    }
    cfg.vertices[head].kind =
        VertexKind::ConcurrentLoop { header: Box::new(header), locality: None, name };
    Some(prepared)
}

/// Writes what is executed before a loop.
fn before(doc: &mut Document, proc: ProcId, head: VertexId, prepared: &Prepared) {
    let done: Result<(), std::convert::Infallible> = rewrite_flow(doc, proc, |e, site| {
        match site {
            Site::Stmt(stmt) => e.push(stmt),
            Site::Head(at) if at == head => {
                let place = e.head(at).place;
                for &(variable, value) in &prepared.values {
                    let target = whole(e.doc, variable, place);
                    e.assign(target, value, place);
                }
                for &(local, outer) in &prepared.like {
                    open(e, Opening::Release(local));
                    let mold = whole(e.doc, outer, place);
                    let mold = value_of(e.doc, mold);
                    allocate(e, whole_of(local), Some(mold), place);
                }
                if let Some((symbol, ranges, mask)) = &prepared.mask {
                    compute(e, *symbol, ranges, *mask, place);
                }
            }
            Site::Head(_) => {}
        }
        Ok(())
    });
    let Ok(()) = done;
}

/// What an object of ALLOCATE is made of.
struct Object {
    symbol: SymbolId,
    bounds: Vec<Subscript>,
}

fn whole_of(symbol: SymbolId) -> Object {
    Object { symbol, bounds: Vec::new() }
}

fn allocate(e: &mut Emitter<'_>, object: Object, mold: Option<ExprId>, place: Place) {
    let target = whole(e.doc, object.symbol, place);
    if !object.bounds.is_empty() {
        e.doc.refs[target].parts.push(Part::Elements(object.bounds));
    }
    let (spec, stat, errmsg, source) = (None, None, None, None);
    let allocate = Allocate { spec, objects: vec![target], stat, errmsg, source, mold };
    e.stmt(StmtKind::Allocate(Box::new(allocate)), place);
}

/// Computes a mask for all iterations. Its array has the indices that the iterations have.
fn compute(
    e: &mut Emitter<'_>,
    symbol: SymbolId,
    ranges: &[IndexRange],
    mask: ExprId,
    place: Place,
) {
    open(e, Opening::Release(symbol));
    let bounds = ranges.iter().map(|range| {
        let [lower, upper] = ["min", "max"].map(|name| {
            let ends = [range.lower, range.upper].map(|end| Copier::new().expr(e.doc, end));
            let ty = Ty::scalar(e.doc.exprs[range.lower].ty.base);
            Some(intrinsic(e.doc, name, &ends, ty))
        });
        Subscript::Section { lower, upper, stride: None }
    });
    let bounds = bounds.collect();
    allocate(e, Object { symbol, bounds }, None, place);
    // The indices of the loop belong to it: others count here.
    let scope = e.scope;
    let mut copier = Copier::new();
    for range in ranges {
        let base = e.doc.symbols[range.var].decl.as_ref().map(|decl| decl.spec.base());
        let base = base.unwrap_or(Base::Integer(4));
        let variable = new_variable(e.doc, scope, "index", base, place);
        copier.symbols.insert(range.var, variable);
    }
    for range in ranges {
        let variable = copier.symbol(range.var);
        let bounds = (copier.expr(e.doc, range.lower), copier.expr(e.doc, range.upper));
        match range.step {
            None => e.open_do(variable, bounds, false, place),
            Some(step) => {
                let step = copier.expr(e.doc, step);
                e.open_do_by(variable, bounds, step, place);
            }
        }
    }
    let at = element(e.doc, symbol, ranges, place);
    let at = copier.reference(e.doc, at);
    let value = copier.expr(e.doc, mask);
    e.assign(at, value, place);
    ranges.iter().for_each(|_| e.close_do());
}

/// `array(i, j)`
fn element(doc: &mut Document, array: SymbolId, ranges: &[IndexRange], place: Place) -> RefId {
    let indices: Vec<ExprId> = ranges
        .iter()
        .map(|range| {
            let variable = whole(doc, range.var, place);
            value_of(doc, variable)
        })
        .collect();
    index(doc, array, &indices, place)
}

/// The vertices of a loop, the first and the last included.
fn span(cfg: &Cfg, head: VertexId) -> Option<Vec<VertexId>> {
    let end = end_of(cfg, head)?;
    let position = |vertex| cfg.layout.iter().position(|&v| v == vertex);
    let (first, last) = (position(head)?, position(end)?);
    cfg.layout.get(first..=last).map(<[VertexId]>::to_vec)
}

fn end_of(cfg: &Cfg, head: VertexId) -> Option<VertexId> {
    let mut ends = cfg.edges.values().filter(|edge| edge.target == head).map(|edge| edge.source);
    ends.find(|&vertex| matches!(cfg.vertices[vertex].kind, VertexKind::EndLoop))
}

/// The variables that are local to an iteration, and whether they begin with the value outside; `None` if
/// one of them is of a kind that cannot become a variable of the procedure.
fn locals(doc: &Document, scope: ScopeId, locality: &str) -> Option<Vec<(SymbolId, bool)>> {
    let mut found = Vec::new();
    let mut rest = locality;
    while let Some((word, behind)) = rest.split_once('(') {
        let (list, behind) = behind.split_once(')')?;
        let word = word.trim_matches([',', ' ', '\t']).to_ascii_lowercase();
        rest = behind;
        let copied = match word.as_str() {
            "local" => false,
            "local_init" => true,
            "shared" | "default" | "reduce" => continue,
            _ => return None,
        };
        for name in list.split(',') {
            let id = name.trim().to_ascii_lowercase();
            let parents = |&scope: &ScopeId| doc.scopes[scope].parent;
            let mut around = std::iter::successors(Some(scope), parents);
            let symbol = around.find_map(|scope| doc.symbol_in(scope, &id))?;
            let decl = doc.symbols[symbol].decl.as_deref()?;
            let simple = matches!(
                decl.spec.base(),
                Base::Integer(_) | Base::Real(_) | Base::Complex(_) | Base::Logical(_)
            );
            let sized = !decl
                .dims
                .iter()
                .any(|dim| matches!(dim, Dim::AssumedSize { .. } | Dim::AssumedRank));
            if !simple || !sized || decl.has(Attr::Pointer) {
                return None;
            }
            found.push((symbol, copied));
        }
    }
    Some(found)
}

/// A variable of the procedure like `outer`; an array has its bounds, or is allocated like it.
fn local(doc: &mut Document, outer: SymbolId) -> SymbolId {
    let Symbol { scope, active, .. } = doc.symbols[outer];
    let (base, place, dims) = match doc.symbols[outer].decl.as_deref() {
        Some(decl) => (decl.spec.base(), decl.place, decl.dims.clone()),
        None => (Base::Unknown, Place::default(), Vec::new()),
    };
    let wish = doc.name(outer).to_owned();
    let bounds = doc.symbols[outer].bounds.clone();
    let made = new_variable(doc, scope, &wish, base, place);
    let fixed = bounds.len() == dims.len();
    let data = &mut doc.symbols[made];
    data.active = active;
    data.rank = u8::try_from(dims.len()).ok();
    if fixed {
        data.bounds = bounds;
    }
    let copied: Vec<Dim> = match fixed {
        true => {
            let copier = Copier::new();
            let mut dims = dims;
            dims.iter_mut().for_each(|dim| booster_build::copy_dim(doc, dim, &copier));
            dims
        }
        false => vec![Dim::Deferred; dims.len()],
    };
    if let Some(decl) = doc.symbols[made].decl.as_deref_mut() {
        if !fixed {
            decl.attrs.insert(Attr::Allocatable);
        }
        decl.dims = copied;
    }
    made
}

/// Statements and conditions get other names for what they name.
fn rename(doc: &mut Document, cfg: &mut Cfg, span: &[VertexId], copier: &Copier) {
    let inside = span.get(1..).unwrap_or_default();
    for &vertex in inside {
        let mut kind = cfg.vertices[vertex].kind.clone();
        match &mut kind {
            VertexKind::BasicBlock { stmts, .. } => {
                for stmt in stmts {
                    let label = doc.stmts[*stmt].label;
                    *stmt = copier.stmt(doc, *stmt);
                    doc.stmts[*stmt].label = label;
                }
            }
            VertexKind::Branch { condition: Some(condition), .. }
            | VertexKind::PreLoop { condition: Some(condition), .. }
            | VertexKind::PostLoop { condition: Some(condition) } => {
                *condition = copier.expr(doc, *condition);
            }
            VertexKind::ForLoop { init, condition, update, .. } => {
                *init = copier.stmt(doc, *init);
                *condition = copier.expr(doc, *condition);
                *update = copier.stmt(doc, *update);
            }
            VertexKind::ConcurrentLoop { header, .. } => copier.header(doc, header),
            VertexKind::Branch { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::EndBranch
            | VertexKind::EndLoop
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => {}
        }
        cfg.vertices[vertex].kind = kind;
    }
}

/// A block with a statement with which each iteration begins.
fn first_block(cfg: &mut Cfg, head: VertexId, scope: ScopeId, place: Place, stmt: StmtId) {
    let block = VertexKind::BasicBlock { scope, stmts: vec![stmt] };
    let block = cfg.vertices.push(vertex(block, place));
    let into = cfg.edges.iter().find(|(_, e)| e.source == head && e.condition == Some(1));
    let Some(into) = into.map(|(id, _)| id) else { return };
    let first = std::mem::replace(&mut cfg.edges[into].target, block);
    cfg.connect(block, first);
    if let Some(at) = cfg.layout.iter().position(|&v| v == head) {
        cfg.layout.insert(at + 1, block);
    }
}

/// Whether an expression has the same value in all iterations, whatever they do: it is a constant, or a
/// dummy argument that nobody may change.
fn is_steady(doc: &Document, expr: ExprId) -> bool {
    use xaif_schema::model::{Intent, Role};
    nodes_of(doc, [expr]).into_iter().all(|node| match &doc.exprs[node].kind {
        ExprKind::Constant(_) | ExprKind::Intrinsic { .. } => true,
        ExprKind::Ref(reference) => {
            let reference = &doc.refs[*reference];
            let decl = doc.symbols[reference.base].decl.as_deref();
            reference.parts.is_empty()
                && decl.is_some_and(|decl| {
                    matches!(decl.role, Role::Constant)
                        || decl.intent == Some(Intent::In) && decl.dims.is_empty()
                })
        }
        ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => false,
    })
}

/// Whether each iteration may look at the mask as it begins: what the iterations write of what the mask
/// reads, they write where the mask of the same iteration alone reads it.
fn is_own(
    doc: &Document,
    cfg: &Cfg,
    span: &[VertexId],
    header: &ForallHeader,
    mask: ExprId,
) -> bool {
    let nodes = nodes_of(doc, [mask]);
    let simple = nodes.iter().all(|&node| {
        matches!(
            doc.exprs[node].kind,
            ExprKind::Constant(_)
                | ExprKind::Ref(_)
                | ExprKind::Intrinsic { .. }
                | ExprKind::Boolean { .. }
        )
    });
    let read: Vec<RefId> = nodes
        .iter()
        .filter_map(|&node| match doc.exprs[node].kind {
            ExprKind::Ref(reference) => Some(reference),
            _ => None,
        })
        .collect();
    let blocks = span.iter().filter_map(|&vertex| match &cfg.vertices[vertex].kind {
        VertexKind::BasicBlock { stmts, .. } => Some(stmts),
        _ => None,
    });
    let mut written = Vec::new();
    for &stmt in blocks.flatten() {
        match &doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, defined: None, .. } => written.push(*lhs),
            StmtKind::Comment(_) => {}
            StmtKind::Propagate(_) if doc.stmts[stmt].local_jacobian.is_some() => {}
            StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_) => return false,
        }
    }
    let shared = |reference: RefId| {
        let decl = doc.symbols[doc.refs[reference].base].decl.as_deref();
        decl.is_none_or(|decl| {
            let is = |attr| decl.has(attr);
            is(Attr::Pointer) || is(Attr::Target) || decl.common.is_some()
        })
    };
    let own = |reference: RefId| match &doc.refs[reference].parts[..] {
        [Part::Elements(list)] => header.ranges.iter().all(|range| {
            list.iter().any(|one| match *one {
                Subscript::Index(index) => matches!(doc.exprs[index].kind, ExprKind::Ref(found)
                    if doc.refs[found].base == range.var && doc.refs[found].parts.is_empty()),
                Subscript::Section { .. } => false,
            })
        }),
        _ => false,
    };
    let equivalenced = doc
        .scopes
        .values()
        .flat_map(|scope| &scope.items)
        .any(|item| matches!(item, xaif_schema::model::SpecItem::Equivalence(_)));
    simple
        && !equivalenced
        && read.iter().all(|&reading| {
            written.iter().all(|&writing| {
                let same = doc.refs[reading].base == doc.refs[writing].base;
                match same {
                    true => own(reading) && same_reference(doc, reading, writing),
                    false => !shared(reading) || !shared(writing),
                }
            })
        })
}

fn rewrite(doc: &mut Document, cfg: &mut Cfg, head: VertexId) {
    let place = cfg.vertices[head].place;
    let VertexKind::ConcurrentLoop { header, name, .. } = cfg.vertices[head].kind.clone() else {
        return;
    };
    let Some(end) = end_of(cfg, head) else { return };
    let enters = cfg.edges.iter().find(|(_, e)| e.source == head && e.condition == Some(1));
    let Some((into, _)) = enters else { return };
    let scope = doc.scopes[header.scope].parent.unwrap_or(header.scope);
    if let Some(mask) = header.mask {
        guard(cfg, (head, into, end), scope, mask);
    }
    let mut heads = vec![head];
    let mut inner_ends = Vec::new();
    for (position, range) in header.ranges.iter().enumerate() {
        let variable = range.var;
        super::upgrade(doc, variable, scope);
        let name = name.clone().filter(|_| position == 0);
        let kind = counted(doc, variable, range, name, place);
        if position == 0 {
            cfg.vertices[head].kind = kind;
            continue;
        }
        // The body of the loop around it is an empty block and this loop.
        let block = VertexKind::BasicBlock { scope, stmts: Vec::new() };
        let block = cfg.vertices.push(vertex(block, place));
        let inner = cfg.vertices.push(vertex(kind, place));
        let last = cfg.vertices.push(vertex(VertexKind::EndLoop, place));
        heads.extend([block, inner]);
        inner_ends.push((inner, last));
    }
    // What leads into the body leads into the innermost loop, what ends an iteration ends its iteration.
    let first = cfg.edges[into].target;
    if let Some(&(_, last)) = inner_ends.last() {
        for edge in cfg.edges.values_mut().filter(|edge| edge.target == end) {
            edge.target = last;
        }
        cfg.edges[into].target = heads[1];
        let mut around = end;
        for (at, &(inner, last)) in inner_ends.iter().enumerate() {
            cfg.connect(heads[2 * at + 1], inner);
            let next = heads.get(2 * at + 3).copied();
            cfg.connect_if(inner, next.unwrap_or(first), 1);
            cfg.connect(last, inner);
            cfg.connect(inner, around);
            around = last;
        }
    }
    let position = |layout: &[VertexId], vertex| layout.iter().position(|&v| v == vertex);
    if let Some(at) = position(&cfg.layout, end) {
        let lasts = inner_ends.iter().rev().map(|&(_, last)| last);
        cfg.layout.splice(at..at, lasts);
    }
    if let Some(at) = position(&cfg.layout, head) {
        cfg.layout.splice(at + 1..at + 1, heads.into_iter().skip(1));
    }
    for vertex in cfg.vertices.values_mut() {
        if let VertexKind::BasicBlock { scope: of_block, .. } = &mut vertex.kind
            && *of_block == header.scope
        {
            *of_block = scope;
        }
    }
    doc.move_scopes(header.scope, scope);
}

/// An iteration is executed if the mask says so.
fn guard(
    cfg: &mut Cfg,
    (head, into, end): (VertexId, xaif_schema::model::EdgeId, VertexId),
    scope: ScopeId,
    mask: ExprId,
) {
    let place = cfg.vertices[head].place;
    let mut push = |kind| cfg.vertices.push(vertex(kind, place));
    let block = push(VertexKind::BasicBlock { scope, stmts: Vec::new() });
    let form = BranchForm::If;
    let branch = push(VertexKind::Branch { condition: Some(mask), form, name: None });
    let done = push(VertexKind::EndBranch);
    for edge in cfg.edges.values_mut().filter(|edge| edge.target == end) {
        edge.target = done;
        if let VertexKind::Goto(jump) = &mut cfg.vertices[edge.source].kind {
            *jump = Jump::Goto;
        }
    }
    let first = std::mem::replace(&mut cfg.edges[into].target, block);
    cfg.connect(block, branch);
    cfg.connect_if(branch, first, 1);
    cfg.edges.push(Edge { source: branch, target: done, condition: None, guard: None });
    cfg.connect(done, end);
    if let Some(at) = cfg.layout.iter().position(|&v| v == end) {
        cfg.layout.insert(at, done);
    }
    if let Some(at) = cfg.layout.iter().position(|&v| v == head) {
        cfg.layout.splice(at + 1..at + 1, [block, branch]);
    }
}
fn vertex(kind: VertexKind, place: Place) -> Vertex {
    Vertex { kind, place, id: None, recorded: None }
}

/// `do variable = lower, upper, step`
fn counted(
    doc: &mut Document,
    variable: SymbolId,
    range: &IndexRange,
    name: Option<Box<str>>,
    place: Place,
) -> VertexKind {
    let target = whole(doc, variable, place);
    let init = assign(doc, target, range.lower, place);
    let value = |doc: &mut Document| {
        let reference = whole(doc, variable, place);
        value_of(doc, reference)
    };
    let step = range.step.unwrap_or_else(|| integer(doc, 1, place));
    let (current, target) = (value(doc), whole(doc, variable, place));
    let next = binary(doc, "add_scal_scal", current, step);
    let update = assign(doc, target, next, place);
    let current = value(doc);
    let condition = match constant_integer(doc, step) {
        Some(step) => {
            let op = if step < 0 { BoolOp::GreaterOrEqual } else { BoolOp::LessOrEqual };
            boolean(doc, op, &[current, range.upper])
        }
        None => {
            let away = binary(doc, "sub_scal_scal", current, range.upper);
            let again = Copier::new().expr(doc, step);
            let ahead = binary(doc, "mul_scal_scal", away, again);
            let zero = integer(doc, 0, place);
            boolean(doc, BoolOp::LessOrEqual, &[ahead, zero])
        }
    };
    let form = ForForm::Counted;
    VertexKind::ForLoop { init, condition, update, reversal: None, form, name }
}
